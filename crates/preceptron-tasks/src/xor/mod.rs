//! Chained XOR: strings of L bits, and whether the number of ones is odd.
//!
//! A share of the bits can be irrelevant: the answer is then the parity of the others, and to find the
//! rule is to find them. Two ways of learning are offered, and a control:
//! - *auxiliary*: the paper's, rows over the bits and auxiliary variables ([`preceptron_learn::AuxiliaryForm`]).
//!   It takes all bits whatever the data are, and so fails where some are irrelevant;
//! - *parity*: elimination over GF(2), which finds the bits that matter;
//! - *control*: the row of all bits, nothing learned but the sums it is seen to have.

mod bench;
mod learners;
mod score;
mod settings;
mod show;
mod task;

use std::collections::{BTreeSet, HashSet};

use preceptron_base::stream;
use preceptron_learn::Examples;
use preceptron_logic::{Constraint, RuleSet, Sums, Var, Variables};
use rand::RngExt;
use rand::seq::SliceRandom;

pub use learners::{XorLearner, control};
pub use score::{Score, predict};
pub use settings::{Method, XorSettings};
pub use task::Xor;

/// Strings with their parities, drawn from a seed.
#[derive(Clone, Debug)]
pub struct Strings {
    variables: Variables,
    training: Examples,
    relevant: Vec<Var>,
    ones: f64,
}

impl Strings {
    /// Draws which bits matter and the training strings. All of it depends on the settings alone.
    pub fn generate(settings: &XorSettings) -> Strings {
        let length = settings.length;
        let variables = Variables::blocks_of(&[("x", &[("position", 1..=i64::from(length))]), ("y", &[])]);
        let mut relevant: Vec<Var> = (0..length).map(Var).collect();
        relevant.shuffle(&mut stream(settings.seed, "bits that matter", 0));
        let irrelevant = (settings.irrelevant * f64::from(length)).round() as usize;
        relevant.truncate((length as usize - irrelevant).max(1));
        relevant.sort_unstable();
        let mut task = Strings {
            variables,
            training: Examples::from_full_rows::<Vec<bool>>(length as usize + 1, &[]),
            relevant,
            ones: settings.ones,
        };
        let strings: Vec<Vec<bool>> = (0..u64::from(settings.resolved().count.unwrap_or(1)))
            .map(|item| task.draw(settings.seed, "strings to train on", item))
            .collect();
        task.training = Examples::from_full_rows(length as usize + 1, &strings);
        task
    }

    /// The variables: the bits and, last, the answer.
    pub fn variables(&self) -> &Variables {
        &self.variables
    }

    /// The strings to learn from.
    pub fn training(&self) -> &Examples {
        &self.training
    }

    /// The bits that rules name.
    pub fn bits_of(&self, rules: &RuleSet) -> BTreeSet<Var> {
        let named = rules.constraints().flat_map(|constraint| constraint.variables());
        named.filter(|var| *var != self.answer()).collect()
    }

    /// How many bits a string has.
    pub fn length(&self) -> usize {
        self.variables.len() - 1
    }

    /// The bits of a string.
    pub fn bits(&self) -> Vec<Var> {
        (0..self.length() as u32).map(Var).collect()
    }

    /// The variable of the answer.
    pub fn answer(&self) -> Var {
        Var(self.length() as u32)
    }

    /// The bits whose parity is the answer.
    pub fn relevant(&self) -> &[Var] {
        &self.relevant
    }

    /// The rule that the data were made by: an even number of the relevant bits and the answer.
    pub fn truth(&self) -> Constraint {
        let literals = self.relevant.iter().copied().chain([self.answer()]).map(Var::positive);
        Constraint::new(literals, Sums::set((0..=self.relevant.len() as u32 + 1).step_by(2)))
    }

    /// A string and, after it, its answer.
    fn draw(&self, seed: u64, name: &str, item: u64) -> Vec<bool> {
        let mut random = stream(seed, name, item);
        let mut string: Vec<bool> = (0..self.length()).map(|_| random.random_bool(self.ones)).collect();
        string.push(self.relevant.iter().filter(|bit| string[bit.index()]).count() % 2 == 1);
        string
    }

    /// Strings that are not among those trained on: drawn in the same way from a stream of their own,
    /// less the ones that were trained on. Fewer than asked for where there hardly are so many.
    pub fn held_out(&self, count: usize, seed: u64) -> Examples {
        /// So many strings in a row that were trained on, and no more are drawn.
        const MISSES: u32 = 10_000;
        let value = |row: usize, var: u32| self.training.get(row, Var(var)) == Some(true);
        let string = |row: usize| (0..=self.length() as u32).map(|var| value(row, var)).collect();
        let trained: HashSet<Vec<bool>> = (0..self.training.len()).map(string).collect();
        let (mut fresh, mut item, mut misses) = (Vec::new(), 0, 0);
        while fresh.len() < count && misses < MISSES {
            let string = self.draw(seed, "strings held out", item);
            item += 1;
            if trained.contains(&string) {
                misses += 1;
            } else {
                misses = 0;
                fresh.push(string);
            }
        }
        Examples::from_full_rows(self.length() + 1, &fresh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_learn::sum_histogram;

    fn task(settings: XorSettings) -> Strings {
        Strings::generate(&settings)
    }

    #[test]
    fn answers_are_the_parity_of_the_relevant_bits() {
        for irrelevant in [0.0, 0.3, 0.5, 0.99] {
            let task = task(XorSettings { length: 20, irrelevant, seed: 4, ..XorSettings::default() });
            assert_eq!(task.relevant().len(), [20, 14, 10, 1][(irrelevant * 4.0) as usize]);
            let (evidence, _) = sum_histogram::evidence(task.training(), &task.truth());
            assert_eq!((evidence.examples, evidence.violated), (1000, 0));
        }
    }

    #[test]
    fn which_bits_matter_and_how_many_are_ones_is_drawn() {
        let at = |seed| {
            task(XorSettings { length: 40, irrelevant: 0.5, ones: 0.1, seed, ..XorSettings::default() })
        };
        assert_ne!(at(1).relevant(), at(2).relevant());
        assert_eq!(at(1).training(), at(1).training());
        let bits: Vec<_> = at(1).bits().into_iter().map(Var::positive).collect();
        let mean = sum_histogram::means(at(1).training(), &bits).iter().sum::<f64>() / 40.0;
        assert!((mean - 0.1).abs() < 0.01, "{mean}");
    }

    #[test]
    fn held_out_strings_were_not_trained_on() {
        let task = task(XorSettings { length: 8, count: Some(100), ..XorSettings::default() });
        let all = |examples: &Examples| -> HashSet<Vec<Option<bool>>> {
            (0..examples.len()).map(|r| (0..8).map(|v| examples.get(r, Var(v))).collect()).collect()
        };
        let held_out = task.held_out(300, 0);
        assert_eq!(held_out.len(), 300);
        assert!(all(task.training()).is_disjoint(&all(&held_out)));
        let every = self::task(XorSettings { length: 2, count: Some(100), ..XorSettings::default() });
        assert_eq!(every.held_out(10, 0).len(), 0);
    }
}
