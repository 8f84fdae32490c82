//! The measurements of a run as curves: shares in one panel, counts in a second, losses in a third.

use std::collections::BTreeMap;

use crate::Measurement;
use serde_json::Value;

use super::chart::{Chart, Scale, Series};

/// The panels, each as SVG.
pub fn panels(lines: &[Measurement]) -> Vec<String> {
    let mut panels: [(&str, Scale, Vec<Series>); 3] = [
        ("Accuracy and other shares", Scale::Percent, Vec::new()),
        ("Rank, rules and other counts", Scale::Linear, Vec::new()),
        ("Loss", Scale::Logarithmic, Vec::new()),
    ];
    for series in series(lines) {
        panels[panel(&series)].2.push(series);
    }
    let chart =
        |(title, scale, series): &(&str, Scale, Vec<Series>)| Chart { title, scale: *scale, series }.svg();
    panels.iter().filter_map(chart).collect()
}

/// Which panel a curve belongs to.
fn panel(series: &Series) -> usize {
    let name = series.name.rsplit(": ").next().unwrap_or_default();
    let is_share = |value: f64| (0.0..=1.0).contains(&value);
    match name {
        _ if name.contains("loss") => 2,
        "rank" | "rules" => 1,
        _ if series.points.iter().all(|point| is_share(point.1)) => 0,
        _ => 1,
    }
}

/// A curve for each measurement; where several learners were measured, for each of theirs.
fn series(lines: &[Measurement]) -> Vec<Series> {
    let mut curves: BTreeMap<(&str, &str), Vec<(f64, f64)>> = BTreeMap::new();
    for line in lines {
        let learner = line.get("learner").and_then(Value::as_str).unwrap_or_default();
        // The line that says how training ended has no step.
        let Some(step) = line.get("step").and_then(Value::as_f64) else { continue };
        for (name, value) in line.iter().filter(|(name, _)| *name != "step") {
            if let Some(value) = value.as_f64() {
                curves.entry((learner, name)).or_default().push((step, value));
            }
        }
    }
    let is_one =
        curves.keys().all(|(learner, _)| Some(learner) == curves.keys().next().map(|(first, _)| first));
    let series = |((learner, name), points): ((&str, &str), _)| {
        let name = if is_one { name.to_owned() } else { format!("{learner}: {name}") };
        Series { name, points }
    };
    curves.into_iter().map(series).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<Measurement> {
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn measurements_that_are_missing_leave_no_point() {
        let lines = lines(
            "{\"learner\":\"a\",\"step\":1,\"loss\":2.5,\"grounded\":0.5}\n\
             {\"learner\":\"a\",\"step\":2,\"loss\":null,\"grounded\":0.5,\"rank\":1}\n\
             {\"learner\":\"a\",\"step\":3,\"loss\":0.5}\n\
             {\"learner\":\"a\",\"stop\":\"steps\",\"steps\":3}",
        );
        let series = series(&lines);
        let found: Vec<_> = series.iter().map(|s| (s.name.as_str(), panel(s), s.points.clone())).collect();
        let expected = [
            ("grounded", 0, vec![(1.0, 0.5), (2.0, 0.5)]),
            ("loss", 2, vec![(1.0, 2.5), (3.0, 0.5)]),
            ("rank", 1, vec![(2.0, 1.0)]),
        ];
        assert_eq!(found, expected);
        assert_eq!(panels(&lines).len(), 3);
        assert!(panels(&[]).is_empty());
    }

    #[test]
    fn learners_are_told_apart() {
        let lines = lines(
            "{\"learner\":\"a\",\"step\":1,\"rank\":1}\n{\"learner\":\"b\",\"step\":1,\"rank\":2,\"age\":7}",
        );
        let series = series(&lines);
        let names: Vec<_> = series.iter().map(|s| (s.name.as_str(), panel(s))).collect();
        assert_eq!(names, [("a: rank", 1), ("b: age", 1), ("b: rank", 1)]);
    }
}
