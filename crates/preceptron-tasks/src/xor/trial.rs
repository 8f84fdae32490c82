//! The methods side by side, on the same strings.

use std::collections::BTreeSet;

use preceptron::{Learner, Observer, Report, Task, train};
use preceptron_base::{Control, SettingsError};
use preceptron_learn::Examples;
use preceptron_logic::{RuleSet, Var};

use super::{AuxiliaryLearner, Method, Score, Xor, XorSettings, control, parity_learner};

/// What a method came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// `auxiliary`, `parity`, or `control`.
    pub method: &'static str,
    /// The rules.
    pub rules: RuleSet,
    /// How training went; nothing for the control.
    pub report: Option<Report>,
    /// How many of the rows that were learned differ, where rows were learned.
    pub distinct_rows: Option<usize>,
    /// The score on the strings trained on.
    pub on_training: Score,
    /// The score on strings held out.
    pub on_held_out: Score,
}

impl Trial {
    fn new(method: &'static str, task: &Xor, rules: RuleSet, held_out: &Examples) -> Trial {
        Trial {
            method,
            on_training: Score::of(&rules, task.training(), task.answer()),
            on_held_out: Score::of(&rules, held_out, task.answer()),
            rules,
            report: None,
            distinct_rows: None,
        }
    }

    /// The bits that the rules name.
    pub fn bits(&self, task: &Xor) -> BTreeSet<Var> {
        let named = self.rules.constraints().flat_map(|constraint| constraint.variables());
        named.filter(|var| *var != task.answer()).collect()
    }
}

/// Tries the methods that the settings ask for, in the order of their names, and the control at the end.
///
/// # Errors
/// If a setting is out of its range.
pub fn try_methods(
    task: &Xor,
    settings: &XorSettings,
    held_out: &Examples,
    observers: &mut [&mut dyn Observer],
    stop: &dyn Control,
) -> Result<Vec<Trial>, SettingsError> {
    let checked = settings.check()?;
    let mut trials = Vec::new();
    if settings.method != Method::Parity {
        let mut learner = AuxiliaryLearner::new(task, &checked);
        let report = train("auxiliary", &mut learner, observers, stop);
        let mut trial = Trial::new("auxiliary", task, learner.rules(), held_out);
        (trial.report, trial.distinct_rows) = (Some(report), Some(learner.rows().len()));
        trials.push(trial);
    }
    if settings.method != Method::Auxiliary {
        let mut learner = parity_learner(task, settings.seed)?;
        let report = train("parity", &mut learner, observers, stop);
        let mut trial = Trial::new("parity", task, learner.rules(), held_out);
        trial.report = Some(report);
        trials.push(trial);
    }
    trials.push(Trial::new("control", task, control(task), held_out));
    Ok(trials)
}

/// Of the methods tried, the one whose rules answer most of the strings trained on; of equals the last.
pub fn best(trials: &[Trial]) -> Option<&Trial> {
    let learned = trials.iter().filter(|trial| trial.report.is_some());
    learned.max_by(|a, b| a.on_training.accuracy().total_cmp(&b.on_training.accuracy()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron::{HeldOut, StopReason};
    use preceptron_base::Quiet;
    use preceptron_logic::Constraint;

    /// The methods on strings of 16 bits.
    fn tried(settings: XorSettings) -> (Xor, Vec<Trial>) {
        let settings = XorSettings { length: 16, count: Some(200), ..settings };
        let task = Xor::generate(&settings.check().unwrap());
        let held_out = task.held_out(HeldOut { count: 200, seed: 1 });
        let trials = try_methods(&task, &settings, &held_out, &mut [], &Quiet).unwrap();
        (task, trials)
    }

    fn constraints(trial: &Trial) -> Vec<&Constraint> {
        trial.rules.constraints().collect()
    }

    #[test]
    fn parity_of_all_bits() {
        for (ones, seed) in [(0.5, 0), (0.5, 1), (0.1, 2)] {
            let (task, trials) = tried(XorSettings { ones, seed, ..XorSettings::default() });
            assert_eq!(
                trials.iter().map(|t| t.method).collect::<Vec<_>>(),
                ["auxiliary", "parity", "control"]
            );
            for trial in &trials {
                let score = trial.on_held_out;
                assert_eq!(constraints(trial), [&task.truth()]);
                assert_eq!((score.accuracy(), score.f1(0), score.f1(1)), (1.0, 1.0, 1.0));
            }
            assert_eq!(trials[0].distinct_rows, Some(1));
            assert_eq!(trials[0].report.as_ref().map(|r| r.stop), Some(StopReason::Settled));
        }
    }

    #[test]
    fn irrelevant_bits_are_found_by_elimination_alone() {
        let (task, trials) = tried(XorSettings { irrelevant: 0.5, seed: 3, ..XorSettings::default() });
        let [auxiliary, parity, control] = &trials[..] else { panic!("three trials") };
        assert_eq!(constraints(parity), [&task.truth()]);
        assert_eq!(parity.on_held_out.accuracy(), 1.0);
        assert!(parity.bits(&task).iter().eq(task.relevant()));
        let score = auxiliary.on_held_out;
        assert!(score.accuracy() < 0.5 && (score.with_guesses() - 0.5).abs() < 0.2);
        assert_eq!(auxiliary.bits(&task).len(), 16);
        assert_eq!(constraints(auxiliary), constraints(control));
        assert_eq!(best(&trials), Some(parity));
    }

    #[test]
    fn only_what_is_asked_for_is_tried() {
        let (_, trials) = tried(XorSettings { method: Method::Parity, ..XorSettings::default() });
        assert_eq!(trials.iter().map(|t| t.method).collect::<Vec<_>>(), ["parity", "control"]);
        assert!(trials[1].report.is_none());
    }
}
