//! What rules say of a string, and how often that is right.

use preceptron::Metrics;
use preceptron_learn::Examples;
use preceptron_logic::{RuleSet, Var};

/// The one value of `answer` that satisfies all rules where the other variables are `value`; nothing if
/// both do, or neither.
pub fn predict(rules: &RuleSet, answer: Var, value: impl Fn(Var) -> bool) -> Option<bool> {
    let holds = |guess: bool| {
        rules.constraints().all(|c| c.holds(|var| if var == answer { guess } else { value(var) }))
    };
    match (holds(false), holds(true)) {
        (false, true) => Some(true),
        (true, false) => Some(false),
        _ => None,
    }
}

/// How predictions stand to answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// By answer and prediction: `decided[1][0]` strings have the answer 1 and were taken for 0.
    pub decided: [[u64; 2]; 2],
    /// By answer: strings that the rules leave undecided, or have no answer for. They count as wrong.
    pub undecided: [u64; 2],
}

impl Score {
    /// The score of rules on strings.
    pub fn of(rules: &RuleSet, strings: &Examples, answer: Var) -> Score {
        let mut score = Score::default();
        for row in 0..strings.len() {
            let value = |var: Var| strings.get(row, var) == Some(true);
            let truth = usize::from(value(answer));
            match predict(rules, answer, value) {
                Some(guess) => score.decided[truth][usize::from(guess)] += 1,
                None => score.undecided[truth] += 1,
            }
        }
        score
    }

    /// How many strings there are.
    pub fn strings(&self) -> u64 {
        self.decided.iter().flatten().chain(&self.undecided).sum()
    }

    fn share(&self, of: f64) -> f64 {
        if self.strings() == 0 { 0.0 } else { of / self.strings() as f64 }
    }

    /// The share of strings that are predicted, and rightly; 0 if there is no string.
    pub fn accuracy(&self) -> f64 {
        self.share((self.decided[0][0] + self.decided[1][1]) as f64)
    }

    /// The share of strings without a prediction.
    pub fn undecided(&self) -> f64 {
        self.share(self.undecided.iter().sum::<u64>() as f64)
    }

    /// The accuracy to be expected if a coin decided what the rules do not.
    pub fn with_guesses(&self) -> f64 {
        self.accuracy() + self.undecided() / 2.0
    }

    /// The harmonic mean of precision and recall for one answer; 0 where there is nothing of it.
    pub fn f1(&self, class: usize) -> f64 {
        let (right, missed) = (self.decided[class][class], self.decided[class][1 - class]);
        let of_answers = right + missed + self.undecided[class];
        let of_predictions = right + self.decided[1 - class][class];
        match of_answers + of_predictions {
            0 => 0.0,
            both => 2.0 * right as f64 / both as f64,
        }
    }

    /// The score as named numbers.
    pub fn metrics(&self) -> Metrics {
        Metrics::new([
            ("strings", self.strings() as f64),
            ("accuracy", self.accuracy()),
            ("f1_class_0", self.f1(0)),
            ("f1_class_1", self.f1(1)),
            ("undecided", self.undecided()),
            ("accuracy_with_guesses", self.with_guesses()),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::{Constraint, Rule, Sums, Variables};

    #[test]
    fn a_prediction_is_the_only_value_that_all_rules_allow() {
        let literals = || (0..3).map(|v| Var(v).positive());
        let with = |sums: &[Sums]| {
            let rules = sums.iter().map(|s| Rule::given(Constraint::new(literals(), s.clone())));
            let rules = RuleSet::with_rules(Variables::from_names(["a", "b", "y"]).unwrap(), rules);
            predict(&rules, Var(2), |var| var == Var(0))
        };
        assert_eq!(with(&[]), None);
        assert_eq!(with(&[Sums::set([0, 2])]), Some(true));
        assert_eq!(with(&[Sums::set([1, 3])]), Some(false));
        assert_eq!(with(&[Sums::range(1, 2)]), None);
        assert_eq!(with(&[Sums::set([0, 2]), Sums::set([1, 3])]), None);
    }

    #[test]
    fn figures_by_hand() {
        let score = Score { decided: [[4, 1], [2, 1]], undecided: [1, 1] };
        assert_eq!((score.strings(), score.accuracy(), score.undecided()), (10, 0.5, 0.2));
        assert_eq!(score.with_guesses(), 0.6);
        // Class 0: precision 4/6, recall 4/6. Class 1: precision 1/2, recall 1/4.
        assert!((score.f1(0) - 2.0 / 3.0).abs() < 1e-12 && (score.f1(1) - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!((Score::default().accuracy(), Score::default().f1(0)), (0.0, 0.0));
    }
}
