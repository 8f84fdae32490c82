//! All units with what became of each, and figures over seeds.

use crate::unit::{Experiment, Measured, Method, Status, Unit};

/// What became of a unit.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It was measured.
    Measured(Box<Measured>),
    /// It failed.
    Failed(String),
    /// It was not measured yet.
    Missing,
}

/// All units that were asked for.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// In the order in which they are measured.
    pub units: Vec<(Unit, Outcome)>,
}

/// A figure over seeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Its mean.
    pub mean: f64,
    /// The least.
    pub least: f64,
    /// The greatest.
    pub greatest: f64,
    /// Of how many seeds.
    pub seeds: usize,
}

impl Spread {
    /// Of these values; nothing if there are none.
    pub fn of(values: &[f64]) -> Option<Spread> {
        let fold = |with: fn(f64, f64) -> f64| values.iter().copied().reduce(with);
        let (least, greatest) = (fold(f64::min)?, fold(f64::max)?);
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        Some(Spread { mean, least, greatest, seeds: values.len() })
    }

    /// The mean and, of several seeds, the least and the greatest, times a factor and with so many decimals.
    pub fn shown(&self, factor: f64, decimals: usize) -> String {
        let [mean, least, greatest] = [self.mean, self.least, self.greatest].map(|value| value * factor);
        match self.seeds {
            1 => format!("{mean:.decimals$}"),
            _ => format!("{mean:.decimals$} ({least:.decimals$}-{greatest:.decimals$})"),
        }
    }
}

/// What stands where there is no figure.
pub const NONE: &str = "-";

/// What stands behind a figure of training that was stopped at the budget.
pub const STOPPED: char = '†';

impl Results {
    /// Those of the methods whose rows are asked for.
    pub fn asked<'a>(
        &'a self,
        experiment: Experiment,
        methods: &'a [Method],
    ) -> impl Iterator<Item = Method> + 'a {
        let is_asked = move |method: &Method| {
            self.units.iter().any(|(unit, _)| (unit.experiment, unit.method) == (experiment, *method))
        };
        methods.iter().copied().filter(is_asked)
    }

    /// What was measured of a method, over seeds.
    pub fn measured(&self, experiment: Experiment, method: Method) -> impl Iterator<Item = &Measured> {
        self.units.iter().filter_map(move |(unit, outcome)| match outcome {
            Outcome::Measured(measured) if (unit.experiment, unit.method) == (experiment, method) => {
                Some(&**measured)
            }
            _ => None,
        })
    }

    /// Something over seeds.
    pub fn spread(
        &self,
        experiment: Experiment,
        method: Method,
        of: impl Fn(&Measured) -> Option<f64>,
    ) -> Option<Spread> {
        let values: Vec<f64> = self.measured(experiment, method).filter_map(of).collect();
        Spread::of(&values)
    }

    /// A figure over seeds, times a factor and with so many decimals; marked if time was over before training was.
    pub fn figure(
        &self,
        experiment: Experiment,
        method: Method,
        name: &str,
        (factor, decimals): (f64, usize),
    ) -> String {
        let spread = self.spread(experiment, method, |measured| measured.figures.get(name).copied());
        let Some(spread) = spread else { return NONE.to_owned() };
        let mut shown = spread.shown(factor, decimals);
        if self.measured(experiment, method).any(|measured| measured.course.status == Status::Budget) {
            shown.push(STOPPED);
        }
        shown
    }

    /// A share in percent.
    pub fn percent(&self, experiment: Experiment, method: Method, name: &str) -> String {
        self.figure(experiment, method, name, (100.0, 1))
    }

    /// Examples, epochs, CPU-hours, and why training ended.
    pub fn training(&self, experiment: Experiment, method: Method) -> [String; 4] {
        let spread = |of: fn(&Measured) -> Option<f64>, decimals: usize| {
            let spread = self.spread(experiment, method, of);
            spread.map_or_else(|| NONE.to_owned(), |spread| spread.shown(1.0, decimals))
        };
        [
            spread(|measured| Some(measured.examples as f64), 0),
            spread(|measured| measured.course.epochs, 2),
            spread(|measured| Some(measured.course.cpu_seconds / 3600.0), 4),
            self.status(experiment, method),
        ]
    }

    /// Why training ended, or why there is nothing.
    pub fn status(&self, experiment: Experiment, method: Method) -> String {
        let own =
            self.units.iter().filter(|(unit, _)| (unit.experiment, unit.method) == (experiment, method));
        let mut words: Vec<(&str, usize)> = Vec::new();
        for (_, outcome) in own {
            let word = match outcome {
                Outcome::Measured(measured) => measured.course.status.words(),
                Outcome::Failed(_) => "failed",
                Outcome::Missing => "not measured yet",
            };
            match words.iter_mut().find(|(known, _)| *known == word) {
                Some((_, count)) => *count += 1,
                None => words.push((word, 1)),
            }
        }
        match &words[..] {
            [] => "not asked for".to_owned(),
            [(word, _)] => (*word).to_owned(),
            several => {
                several.iter().map(|(word, count)| format!("{word} ({count})")).collect::<Vec<_>>().join(", ")
            }
        }
    }

    /// What is to be said of units: notes, each once, and what failed.
    pub fn notes(&self, experiment: Experiment, method: Method) -> Vec<String> {
        let mut notes: Vec<String> = Vec::new();
        for (unit, outcome) in &self.units {
            if (unit.experiment, unit.method) != (experiment, method) {
                continue;
            }
            let own = match outcome {
                Outcome::Measured(measured) => measured.notes.clone(),
                Outcome::Failed(message) => vec![format!("failed: {message}")],
                Outcome::Missing => Vec::new(),
            };
            for note in own.into_iter().map(|note| format!("{unit}: {note}")) {
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::{Course, Figures};

    #[test]
    fn spreads_are_shown_as_they_are() {
        assert_eq!(Spread::of(&[]), None);
        assert_eq!(Spread::of(&[0.955]).unwrap().shown(100.0, 1), "95.5");
        assert_eq!(Spread::of(&[0.25, 0.75, 0.5]).unwrap().shown(100.0, 1), "50.0 (25.0-75.0)");
    }

    #[test]
    fn figures_of_training_that_was_stopped_are_marked() {
        let unit = Unit { experiment: Experiment::Xor(20), method: Method::SatNet, seed: 0 };
        let measured = |status| {
            let course = Course { status, epochs: None, cpu_seconds: 1.0, curve: Vec::new() };
            let figures = Figures::from([("accuracy".to_owned(), 0.5)]);
            let (unit, made_with) = (unit.to_string(), serde_json::Value::Null);
            let (notes, pictures) = (Vec::new(), Vec::new());
            Measured { unit, made_with, figures, course, examples: 1, notes, pictures }
        };
        let shown = |status| {
            let units = vec![(unit, Outcome::Measured(Box::new(measured(status))))];
            Results { units }.percent(unit.experiment, unit.method, "accuracy")
        };
        assert_eq!([Status::Rest, Status::Budget].map(shown), ["50.0", "50.0†"]);
    }

    #[test]
    fn what_is_not_there_says_why() {
        let xor = Experiment::Xor(20);
        let unit = Unit { experiment: xor, method: Method::Ours, seed: 0 };
        let other = Unit { seed: 1, ..unit };
        let units = vec![(unit, Outcome::Missing), (other, Outcome::Failed("no strings".to_owned()))];
        let results = Results { units };
        assert_eq!(results.status(xor, Method::Ours), "not measured yet (1), failed (1)");
        assert_eq!(results.status(xor, Method::SatNet), "not asked for");
        assert_eq!(results.notes(xor, Method::Ours), ["xor-20/ours/1: failed: no strings"]);
        assert_eq!(results.percent(xor, Method::Ours, "accuracy"), "-");
    }
}
