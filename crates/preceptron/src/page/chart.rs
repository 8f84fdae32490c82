//! Curves over steps, or over something else, as SVG: one panel with axes, round ticks and a legend. Colours come from the
//! page.

use std::fmt::Write;

use super::Escaped;
use super::ticks::{number, powers, ticks};
use crate::words::percentage;

/// A curve: its name and its points, steps rising.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What it is of.
    pub name: String,
    /// Where it goes through.
    pub points: Vec<(f64, f64)>,
}

/// What lies along the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Across {
    /// What it is called.
    pub name: &'static str,
    /// Whether it goes by powers of ten; points that are not above 0 are left out.
    pub is_logarithmic: bool,
    /// Whether ticks are at whole numbers alone.
    pub is_whole: bool,
}

impl Across {
    /// Steps of training.
    pub const STEPS: Across = Across { name: "step", is_logarithmic: false, is_whole: true };
}

/// How values are laid out and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Shares of 1, written as percentages; the axis ends at 100%.
    Percent,
    /// Numbers from 0.
    Linear,
    /// Powers of ten; values that are not above 0 are left out.
    Logarithmic,
}

/// A panel.
pub struct Chart<'a> {
    /// What stands above it.
    pub title: &'a str,
    /// How values are laid out.
    pub scale: Scale,
    /// What lies along the bottom.
    pub across: Across,
    /// The curves.
    pub series: &'a [Series],
}

const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 48.0;
const RIGHT: f64 = 12.0;
const BOTTOM: f64 = 34.0;
/// A curve has at most so many points.
const MOST_POINTS: usize = 400;
/// Curves of at most so many points show each of them.
const DOTS: usize = 40;
/// The page has so many colours; curves beyond them are dashed.
const COLOURS: usize = 6;

impl Chart<'_> {
    /// The panel, or nothing if there is no point to show.
    pub fn svg(&self) -> Option<String> {
        let is_shown = |point: &(f64, f64)| {
            (self.scale != Scale::Logarithmic || point.1 > 0.0)
                && (!self.across.is_logarithmic || point.0 > 0.0)
        };
        let curves: Vec<(&str, Vec<(f64, f64)>)> = self
            .series
            .iter()
            .map(|series| {
                let points: Vec<_> = series.points.iter().copied().filter(is_shown).collect();
                (series.name.as_str(), thinned(&points, MOST_POINTS))
            })
            .filter(|(_, points)| !points.is_empty())
            .collect();
        let all = || curves.iter().flat_map(|(_, points)| points);
        let range = |of: fn(&(f64, f64)) -> f64| {
            all().map(of).fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)))
        };
        let (first, last) = range(|point| point.0);
        let (least, greatest) = range(|point| point.1);
        if !(first <= last && least <= greatest) {
            return None;
        }
        let rows = self.value_ticks(least, greatest);
        let columns: Vec<f64> = match self.across {
            Across { is_logarithmic: true, .. } => powers(first, last),
            across => {
                let is_shown = |step: &f64| !across.is_whole || step.fract() == 0.0;
                ticks(first, last, 6).into_iter().filter(is_shown).collect()
            }
        };
        let lay = |value: f64| if self.scale == Scale::Logarithmic { value.log10() } else { value };
        let (low, high) = (lay(rows[0]).min(lay(least)), lay(rows[rows.len() - 1]).max(lay(greatest)));
        let (legend, top) = legend(&curves, |value| self.label(value, true));
        let height = HEIGHT + top;
        let along = |step: f64| if self.across.is_logarithmic { step.log10() } else { step };
        let wide = (along(last) - along(first)).max(1e-9);
        let x = |step: f64| LEFT + (along(step) - along(first)) / wide * (WIDTH - LEFT - RIGHT);
        let y = |value: f64| {
            height - BOTTOM - (lay(value) - low) / (high - low).max(1e-9) * (HEIGHT - BOTTOM - 8.0)
        };
        let mut svg = format!(
            "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{0}\">\n\
             <text class=\"title\" x=\"0\" y=\"14\">{0}</text>\n{legend}",
            Escaped(self.title)
        );
        // Writing to a string does not fail.
        for &row in &rows {
            let (at, label) = (y(row), self.label(row, false));
            let _ = writeln!(
                svg,
                "<path class=\"rule\" d=\"M{LEFT} {at:.1}H{:.1}\"/><text class=\"end\" x=\"{:.1}\" y=\"{:.1}\">{label}</text>",
                WIDTH - RIGHT,
                LEFT - 6.0,
                at + 4.0
            );
        }
        for &column in columns.iter().filter(|&&column| column >= first && column <= last) {
            let (at, floor) = (x(column), height - BOTTOM);
            let _ = writeln!(
                svg,
                "<path class=\"axis\" d=\"M{at:.1} {floor}v4\"/><text class=\"middle\" x=\"{at:.1}\" y=\"{:.1}\">{}</text>",
                floor + 16.0,
                number(column)
            );
        }
        let _ = writeln!(
            svg,
            "<path class=\"axis\" d=\"M{LEFT} {0:.1}H{1:.1}\"/><text class=\"end\" x=\"{1:.1}\" y=\"{2:.1}\">{3}</text>",
            height - BOTTOM,
            WIDTH - RIGHT,
            height - 4.0,
            Escaped(self.across.name)
        );
        for (at, (_, points)) in curves.iter().enumerate() {
            let place = |point: &(f64, f64)| format!("{:.1} {:.1}", x(point.0), y(point.1));
            let line: Vec<String> = points.iter().map(place).collect();
            let _ = writeln!(svg, "<path class=\"curve {}\" d=\"M{}\"/>", style(at), line.join("L"));
            for point in points.iter().filter(|_| points.len() <= DOTS) {
                let (x, y) = (x(point.0), y(point.1));
                let _ = writeln!(
                    svg,
                    "<circle class=\"dot {}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.2\"/>",
                    style(at)
                );
            }
        }
        svg += "</svg>";
        Some(svg)
    }

    fn value_ticks(&self, least: f64, greatest: f64) -> Vec<f64> {
        match self.scale {
            // An axis from 0 would hide what happens near the top.
            Scale::Percent if least >= 0.5 => ticks((least - 0.02).max(0.0), 1.0, 5),
            Scale::Percent => ticks(0.0, 1.0, 5),
            Scale::Linear => ticks(least.min(0.0), if greatest > 0.0 { greatest } else { 1.0 }, 5),
            Scale::Logarithmic => powers(least, greatest),
        }
    }

    fn label(&self, value: f64, exact: bool) -> String {
        match (self.scale, exact) {
            (Scale::Percent, true) => percentage(value),
            (Scale::Percent, false) => format!("{}%", number(100.0 * value)),
            (Scale::Logarithmic, true) => format!("{value:.3}"),
            _ => number(value),
        }
    }
}

fn style(curve: usize) -> String {
    let dashed = if curve / COLOURS % 2 == 1 { " dashed" } else { "" };
    format!("colour{}{dashed}", curve % COLOURS)
}

/// The names of curves with their last values, in lines below the title; and how much room that takes.
fn legend(curves: &[(&str, Vec<(f64, f64)>)], label: impl Fn(f64) -> String) -> (String, f64) {
    let (mut svg, mut x, mut y) = (String::new(), 0.0, 34.0);
    for (at, (name, points)) in curves.iter().enumerate() {
        let last = points.last().map_or(String::new(), |point| label(point.1));
        let wide = 40.0 + 7.0 * (name.chars().count() + last.chars().count()) as f64;
        if x > 0.0 && x + wide > WIDTH {
            (x, y) = (0.0, y + 16.0);
        }
        let _ = writeln!(
            svg,
            "<path class=\"curve {}\" d=\"M{x:.1} {:.1}h16\"/><text x=\"{:.1}\" y=\"{y:.1}\">{} \
             <tspan class=\"faint\">{last}</tspan></text>",
            style(at),
            y - 4.0,
            x + 21.0,
            Escaped(name)
        );
        x += wide;
    }
    (svg, y + 6.0)
}

/// At most so many points (4 or more): the first, the last, and of each stretch between the lowest and the highest.
fn thinned(points: &[(f64, f64)], most: usize) -> Vec<(f64, f64)> {
    if points.len() <= most {
        return points.to_vec();
    }
    let [first, inner @ .., last] = points else { return points.to_vec() };
    let stretch = inner.len().div_ceil(most / 2 - 1);
    let mut kept = vec![*first];
    for part in inner.chunks(stretch) {
        let by_value = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        let mut ends: Vec<_> =
            part.iter().min_by(by_value).into_iter().chain(part.iter().max_by(by_value)).collect();
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        ends.dedup();
        kept.extend(ends);
    }
    kept.push(*last);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn points_are_where_they_belong() {
        let points = vec![(0.0, 0.0), (50.0, 50.0), (100.0, 100.0)];
        let series = [Series { name: "a < b".into(), points }];
        let svg =
            Chart { title: "T", scale: Scale::Linear, across: Across::STEPS, series: &series }.svg().unwrap();
        // The legend has one line, so that the floor is at 40 + 240 - 34 and the top at 48.
        assert!(svg.contains("d=\"M48.0 246.0L218.0 147.0L388.0 48.0\""), "{svg}");
        assert!(svg.contains("a &lt; b") && !svg.contains("a < b"), "{svg}");
        assert_eq!(svg.matches("<circle").count(), 3);
    }

    #[test]
    fn what_cannot_be_shown_is_left_out() {
        let series = [Series { name: "loss".into(), points: vec![(1.0, 0.0), (2.0, -1.0)] }];
        let chart = |scale| Chart { title: "", scale, across: Across::STEPS, series: &series }.svg();
        assert_eq!(chart(Scale::Logarithmic), None);
        assert!(chart(Scale::Linear).is_some());
        assert_eq!(
            Chart { title: "", scale: Scale::Percent, across: Across::STEPS, series: &[] }.svg(),
            None
        );
        let one = [Series { name: "one".into(), points: vec![(3.0, 0.5)] }];
        let svg =
            Chart { title: "", scale: Scale::Percent, across: Across::STEPS, series: &one }.svg().unwrap();
        assert!(svg.contains("50.0%") && !svg.contains("NaN"), "{svg}");
    }

    #[test]
    fn steps_are_whole() {
        let series = [Series { name: "rules".into(), points: vec![(1.0, 4.0), (2.0, 1.0), (3.0, 1.0)] }];
        let svg =
            Chart { title: "", scale: Scale::Linear, across: Across::STEPS, series: &series }.svg().unwrap();
        assert!(svg.contains(">2</text>") && !svg.contains(">1.5<") && !svg.contains(">2.5<"), "{svg}");
    }

    #[test]
    fn what_lies_along_the_bottom_may_go_by_powers_of_ten() {
        let points = vec![(0.0, 0.0), (1.0, 0.2), (10.0, 0.4), (100.0, 1.0)];
        let series = [Series { name: "a".into(), points }];
        let across = Across { name: "CPU-seconds", is_logarithmic: true, is_whole: false };
        let svg = Chart { title: "", scale: Scale::Percent, across, series: &series }.svg().unwrap();
        assert!(svg.contains("d=\"M48.0 ") && svg.contains("L218.0 ") && svg.contains("L388.0 "), "{svg}");
        assert!(
            svg.contains(">CPU-seconds</text>") && svg.contains(">10</text>") && !svg.contains("NaN"),
            "{svg}"
        );
        assert_eq!(svg.matches("<circle").count(), 3);
    }

    proptest! {
        #[test]
        fn thinning_keeps_the_ends_and_the_extremes(values in proptest::collection::vec(-9.0..9.0f64, 1..900)) {
            let points: Vec<_> = values.iter().enumerate().map(|(at, &v)| (at as f64, v)).collect();
            let kept = thinned(&points, 60);
            prop_assert!(kept.len() <= 60 && kept.windows(2).all(|w| w[0].0 < w[1].0));
            prop_assert_eq!((kept.first(), kept.last()), (points.first(), points.last()));
            let extremes = |points: &[(f64, f64)]| points.iter().fold((9.0f64, -9.0f64), |(a, b), p| (a.min(p.1), b.max(p.1)));
            prop_assert_eq!(extremes(&kept), extremes(&points));
        }
    }
}
