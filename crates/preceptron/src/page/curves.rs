//! The measurements of a run as curves: shares in one panel, counts in a second, losses in a third, and whatever never
//! changes in words.

use std::collections::BTreeMap;

use crate::Measurement;
use crate::words::percentage;
use serde_json::Value;

use super::chart::{Across, Chart, Scale, Series};
use super::ticks::number;
use super::{Block, Drawing, Section, capitalized};

/// What measurements are called, where their own names do not say it.
const WORDS: [(&str, &str); 6] = [
    ("boolean_symbols", "symbols that are 0 or 1"),
    ("boolean_weights", "weights that are 0 or 1"),
    ("digits_right", "digits read right"),
    ("distinct_rows", "different rows"),
    ("grounded", "pictures grounded by the rules"),
    ("rank", "rank of the rules"),
];

/// A measurement over the steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Whose it is, if several learners were measured.
    learner: String,
    metric: String,
    /// Steps and values.
    pub points: Vec<(f64, f64)>,
}

impl Curve {
    /// What was measured, in words.
    pub fn words(&self) -> String {
        let known = WORDS.iter().find(|(name, _)| *name == self.metric).map(|(_, words)| (*words).to_owned());
        let words = known.unwrap_or_else(|| self.metric.replace('_', " "));
        if self.learner.is_empty() { words } else { format!("{}: {words}", self.learner) }
    }

    /// The one value that it always has, if it never changes.
    pub fn constant(&self) -> Option<f64> {
        let first = self.points.first()?.1;
        self.points.iter().all(|point| point.1 == first).then_some(first)
    }

    /// How its values are laid out.
    pub fn scale(&self) -> Scale {
        let is_share = |value: f64| (0.0..=1.0).contains(&value);
        match self.metric.as_str() {
            name if name.contains("loss") => Scale::Logarithmic,
            "rank" | "rules" | "change" => Scale::Linear,
            name if name.contains("penalty") => Scale::Linear,
            _ if self.points.iter().all(|point| is_share(point.1)) => Scale::Percent,
            _ => Scale::Linear,
        }
    }

    /// A value in words.
    pub fn value(&self, value: f64) -> String {
        if self.scale() == Scale::Percent { percentage(value) } else { number(value) }
    }
}

/// The panels, and in words what never changes; nothing if nothing was measured.
pub fn section(lines: &[Measurement]) -> Option<Section> {
    let curves = curves(lines);
    let (flat, moving): (Vec<Curve>, Vec<Curve>) =
        curves.into_iter().partition(|curve| curve.constant().is_some());
    let panels = [
        ("Accuracy and other shares", Scale::Percent),
        ("Rank, rules and other numbers", Scale::Linear),
        ("Loss", Scale::Logarithmic),
    ];
    let panel = |(title, scale): (&str, Scale)| {
        let of_scale = moving.iter().filter(|curve| curve.scale() == scale);
        let series: Vec<Series> =
            of_scale.map(|curve| Series { name: curve.words(), points: curve.points.clone() }).collect();
        let title = if let [one] = &series[..] { capitalized(&one.name) } else { title.to_owned() };
        let svg = Chart { title: &title, scale, across: Across::STEPS, series: &series }.svg()?;
        Some(Drawing { svg, ..Drawing::default() })
    };
    let charts: Vec<Drawing> = panels.into_iter().filter_map(panel).collect();
    let mut blocks = Vec::new();
    if !charts.is_empty() {
        blocks.push(Block::Charts(charts));
    }
    if !flat.is_empty() {
        let say = |curve: &Curve| {
            format!("{} {}", curve.words(), curve.value(curve.constant().unwrap_or_default()))
        };
        let said: Vec<String> = flat.iter().map(say).collect();
        blocks.push(Block::Text(format!("The same from the first step to the last: {}.", said.join("; "))));
    }
    (!blocks.is_empty()).then(|| Section::new("Training", blocks))
}

/// A curve for each measurement; where several learners were measured, for each of theirs.
pub fn curves(lines: &[Measurement]) -> Vec<Curve> {
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
    let curve = |((learner, metric), points): ((&str, &str), _)| {
        let learner = if is_one { String::new() } else { learner.to_owned() };
        Curve { learner, metric: metric.to_owned(), points }
    };
    curves.into_iter().map(curve).collect()
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
             {\"learner\":\"a\",\"step\":2,\"loss\":null,\"grounded\":0.75,\"rank\":1}\n\
             {\"learner\":\"a\",\"step\":3,\"loss\":0.5,\"rank\":1,\"least_weight\":0.25}\n\
             {\"learner\":\"a\",\"stop\":\"steps\",\"steps\":3}",
        );
        let curves = curves(&lines);
        let found: Vec<_> = curves.iter().map(|c| (c.words(), c.scale(), c.points.clone())).collect();
        let expected = [
            ("pictures grounded by the rules".to_owned(), Scale::Percent, vec![(1.0, 0.5), (2.0, 0.75)]),
            ("least weight".to_owned(), Scale::Percent, vec![(3.0, 0.25)]),
            ("loss".to_owned(), Scale::Logarithmic, vec![(1.0, 2.5), (3.0, 0.5)]),
            ("rank of the rules".to_owned(), Scale::Linear, vec![(2.0, 1.0), (3.0, 1.0)]),
        ];
        assert_eq!(found, expected);
        let Section { blocks, .. } = section(&lines).unwrap();
        let [Block::Charts(charts), Block::Text(words)] = &blocks[..] else { panic!("{blocks:?}") };
        assert_eq!(charts.len(), 2, "a curve that never changes is not drawn");
        let flat = "The same from the first step to the last: least weight 25.0%; rank of the rules 1.";
        assert_eq!(words, flat);
        assert!(section(&[]).is_none());
    }

    #[test]
    fn learners_are_told_apart() {
        let lines = lines(
            "{\"learner\":\"a\",\"step\":1,\"rank\":1}\n{\"learner\":\"b\",\"step\":1,\"rank\":2,\"age\":7}",
        );
        let names: Vec<_> = curves(&lines).iter().map(Curve::words).collect();
        assert_eq!(names, ["a: rank of the rules", "b: age", "b: rank of the rules"]);
    }
}
