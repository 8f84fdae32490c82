//! Whether probabilities are what they say (a reliability diagram): in each fifteenth of the scale, how often what
//! was said so probably is so.

use std::fmt::Write;

use super::Escaped;

/// Parts of the scale: as many as the calibration error is counted by.
const BINS: usize = 15;

const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 280.0;
const LEFT: f64 = 48.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 40.0;

/// What was said with probabilities in one part of the scale.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Bin {
    count: usize,
    /// The sum of the probabilities.
    said: f64,
    /// How many came true.
    right: usize,
}

/// Probabilities, and what came true of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Reliability([Bin; BINS]);

impl Reliability {
    /// Puts each probability into its part of the scale.
    pub fn of(pairs: impl IntoIterator<Item = (f64, bool)>) -> Reliability {
        let mut bins = [Bin::default(); BINS];
        for (probability, is_right) in pairs {
            let bin = &mut bins[((probability * BINS as f64) as usize).min(BINS - 1)];
            bin.count += 1;
            bin.said += probability;
            bin.right += usize::from(is_right);
        }
        Reliability(bins)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.iter().map(|bin| bin.count).sum()
    }

    /// The expected calibration error: how far what is said lies from what is so, over all parts. 0 is perfect.
    pub fn error(&self) -> f64 {
        let apart: f64 = self.0.iter().map(|bin| (bin.said - bin.right as f64).abs()).sum();
        apart / self.count().max(1) as f64
    }

    /// The diagram. `said` and `so` name the two axes.
    pub fn svg(&self, title: &str, said: &str, so: &str) -> String {
        let (floor, wide, high) = (HEIGHT - BOTTOM, WIDTH - LEFT - RIGHT, HEIGHT - BOTTOM - TOP);
        let (x, y) = (|share: f64| LEFT + share * wide, |share: f64| floor - share * high);
        let mut svg = format!(
            "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{0}\">\n\
             <text class=\"title\" x=\"0\" y=\"14\">{0}</text><text x=\"0\" y=\"32\">{1}</text>\n",
            Escaped(title),
            Escaped(so)
        );
        // Writing to a string does not fail.
        for tenth in [0, 2, 4, 6, 8, 10] {
            let share = f64::from(tenth) / 10.0;
            let _ = writeln!(
                svg,
                "<path class=\"rule\" d=\"M{LEFT} {at:.1}H{end:.1}\"/><text class=\"end\" x=\"{label:.1}\" \
                 y=\"{base:.1}\">{0}%</text><text class=\"middle\" x=\"{below:.1}\" y=\"{under:.1}\">{0}%</text>",
                10 * tenth,
                at = y(share),
                end = WIDTH - RIGHT,
                label = LEFT - 6.0,
                base = y(share) + 4.0,
                below = x(share),
                under = floor + 16.0,
            );
        }
        let part = 1.0 / BINS as f64;
        for (at, bin) in self.0.iter().enumerate().filter(|(_, bin)| bin.count > 0) {
            let share = bin.right as f64 / bin.count as f64;
            let mean = bin.said / bin.count as f64;
            let _ = writeln!(
                svg,
                "<rect class=\"bar\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"><title>{} with {:.1}% on \
                 average: {:.1}% are so</title></rect>",
                x(at as f64 * part) + 1.0,
                y(share),
                part * wide - 2.0,
                (share * high).max(0.5),
                bin.count,
                100.0 * mean,
                100.0 * share,
            );
        }
        let _ = writeln!(
            svg,
            "<path class=\"curve dashed colour5\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/>",
            x(0.0),
            y(0.0),
            x(1.0),
            y(1.0)
        );
        for bin in self.0.iter().filter(|bin| bin.count > 0) {
            let (mean, share) = (bin.said / bin.count as f64, bin.right as f64 / bin.count as f64);
            // As large as what it stands for is numerous, but never too small to be seen.
            let radius = 2.2 + 3.8 * (bin.count as f64 / self.count() as f64).sqrt();
            let _ = writeln!(
                svg,
                "<circle class=\"dot colour0\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius:.1}\"/>",
                x(mean),
                y(share)
            );
        }
        let _ = writeln!(
            svg,
            "<path class=\"axis\" d=\"M{LEFT} {floor}H{end:.1}\"/><text class=\"end\" x=\"{end:.1}\" y=\"{:.1}\">{}</text>",
            HEIGHT - 6.0,
            Escaped(said),
            end = WIDTH - RIGHT
        );
        svg + "</svg>"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_perceive::{Probabilities, calibration_error};
    use proptest::prelude::*;

    #[test]
    fn bars_and_dots_stand_where_they_belong() {
        let pairs = [(0.9, true), (0.9, true), (0.9, false), (0.9, false), (0.5, true)];
        let reliability = Reliability::of(pairs);
        assert_eq!(reliability.count(), 5);
        assert!((reliability.error() - (1.6 + 0.5) / 5.0).abs() < 1e-12);
        let svg = reliability.svg("T < U", "said", "so");
        assert_eq!((svg.matches("class=\"bar\"").count(), svg.matches("<circle").count()), (2, 2));
        // Half of those at 90% are so: the dot is at 48 + 0.9 * 332 and half the height.
        assert!(svg.contains("cx=\"346.8\" cy=\"140.0\""), "{svg}");
        assert!(svg.contains("T &lt; U") && !svg.contains("NaN"));
        assert!(!Reliability::of([]).svg("", "", "").contains("NaN"));
    }

    proptest! {
        /// The error is that of the crate of networks.
        #[test]
        fn errors_agree(rows in proptest::collection::vec((0.0..1.0f32, any::<bool>()), 1..50)) {
            let flat: Vec<f32> = rows.iter().flat_map(|(p, _)| [*p, 1.0 - p]).collect();
            let labels: Vec<usize> = rows.iter().map(|(_, label)| usize::from(*label)).collect();
            let probabilities = Probabilities::new(2, flat);
            let pairs = probabilities.rows().zip(probabilities.most_probable()).zip(&labels);
            let own = Reliability::of(pairs.map(|((row, read), label)| (f64::from(row[read]), read == *label)));
            let theirs = calibration_error(&probabilities, &labels, 15).unwrap();
            prop_assert!((own.error() - theirs).abs() < 1e-9, "{} {theirs}", own.error());
        }
    }
}
