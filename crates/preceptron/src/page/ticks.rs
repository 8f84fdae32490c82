//! Round numbers along an axis.

/// A number without digits that say nothing.
pub fn number(value: f64) -> String {
    let text = format!("{value:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Round numbers, about so many steps of 1, 2 or 5 times a power of ten, that enclose a range.
pub fn ticks(least: f64, greatest: f64, about: usize) -> Vec<f64> {
    let wide = if greatest > least { greatest - least } else { 1.0 };
    let raw = wide / about.max(1) as f64;
    let power = 10f64.powf(raw.log10().floor());
    let unit =
        [1.0, 2.0, 5.0, 10.0].into_iter().find(|unit| unit * power >= raw * 0.999).unwrap_or(10.0) * power;
    let from = (least / unit + 1e-9).floor() as i64;
    let to = ((least + wide) / unit - 1e-9).ceil() as i64;
    (from..=to).map(|at| at as f64 * unit).collect()
}

/// The powers of ten that enclose a range of numbers above 0; with 2 and 5 times them if they are few.
pub fn powers(least: f64, greatest: f64) -> Vec<f64> {
    let (from, to) = (least.log10().floor() as i32, greatest.log10().ceil() as i32);
    let to = to.max(from + 1);
    let units: &[f64] = if to - from <= 2 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let every = (to - from) / 8 + 1;
    let all: Vec<f64> = (from..=to)
        .filter(|power| (power - from) % every == 0)
        .flat_map(|power| units.iter().map(move |unit| unit * 10f64.powi(power)))
        .collect();
    let first = all.iter().rposition(|&tick| tick <= least).unwrap_or(0);
    let last = all.iter().position(|&tick| tick >= greatest).unwrap_or(all.len() - 1);
    all[first..=last.max(first)].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rounded(ticks: Vec<f64>) -> Vec<String> {
        ticks.into_iter().map(number).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(rounded(ticks(0.0, 1.0, 5)), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(rounded(ticks(1.0, 600.0, 6)), ["0", "100", "200", "300", "400", "500", "600"]);
        assert_eq!(rounded(ticks(0.0, 249.0, 5)), ["0", "50", "100", "150", "200", "250"]);
        assert_eq!(rounded(ticks(7.0, 7.0, 5)), ["7", "7.2", "7.4", "7.6", "7.8", "8"]);
        assert_eq!(rounded(powers(0.03, 2.5)), ["0.01", "0.1", "1", "10"]);
        assert_eq!(rounded(powers(0.3, 2.5)), ["0.2", "0.5", "1", "2", "5"]);
        assert_eq!(rounded(powers(1.0, 1.0)), ["1"]);
    }

    proptest! {
        #[test]
        fn ticks_enclose_the_range(least in -1e6..1e6f64, wide in 1e-3..1e6f64, about in 2..8usize) {
            let ticks = ticks(least, least + wide, about);
            let (first, last) = (ticks[0], ticks[ticks.len() - 1]);
            prop_assert!(first <= least + wide * 1e-6 && last >= least + wide * (1.0 - 1e-6));
            prop_assert!(ticks.len() >= 2 && ticks.len() <= about + 3, "{:?}", ticks);
        }
    }
}
