//! The two ways of learning, and the control that learns nothing.

use preceptron::{Learner, Metrics, Step, TableLearner, Task};
use preceptron_base::{Control, SettingsError};
use preceptron_learn::{AllowedSums, AuxiliaryForm, Checked, Settings};
use preceptron_logic::{Lit, RuleSet, Var};

use super::{CheckedXor, Xor};

/// The paper's form: rows over the bits and auxiliary variables; then the sums that each is seen to have.
pub struct AuxiliaryLearner<'a> {
    task: &'a Xor,
    form: AuxiliaryForm,
    iterations: u32,
}

impl<'a> AuxiliaryLearner<'a> {
    /// A learner that has not begun.
    pub fn new(task: &'a Xor, settings: &CheckedXor) -> AuxiliaryLearner<'a> {
        let form = AuxiliaryForm::new(task.training(), &task.bits(), task.answer(), settings.auxiliary);
        AuxiliaryLearner { task, form, iterations: settings.auxiliary.iterations() }
    }

    /// The bits that the rows count, each set once.
    pub fn rows(&self) -> Vec<Vec<Var>> {
        self.form.rows()
    }
}

impl Learner for AuxiliaryLearner<'_> {
    fn steps(&self) -> u64 {
        u64::from(self.iterations)
    }

    fn step(&mut self, _control: &dyn Control) -> Step {
        /// A change of all weights below this is rest.
        const REST: f64 = 1e-6;
        let step = self.form.step();
        let metrics = [("loss", step.loss), ("change", step.change), ("least_weight", step.least)];
        Step { metrics: Metrics::new(metrics), settled: step.change < REST && self.form.is_boolean() }
    }

    fn rules(&self) -> RuleSet {
        counted(self.task, &self.form.rows(), "auxiliary variables")
    }
}

/// The row of all bits from the start: what the auxiliary form comes to, without learning.
pub fn control(task: &Xor) -> RuleSet {
    counted(task, &[task.bits()], "the row of all bits")
}

/// Elimination over GF(2): the learner of tables with nothing but parity.
pub fn parity_learner(task: &Xor, seed: u64) -> Result<TableLearner<'_>, SettingsError> {
    let settings: Checked = Settings {
        seed,
        least_squares: false,
        cliques: false,
        counting: false,
        stability: false,
        ..Settings::default()
    }
    .check()?;
    Ok(TableLearner::new(task.variables(), task.training(), settings))
}

/// For each row the rule that the sum of its bits and the answer is one of those seen in training.
fn counted(task: &Xor, rows: &[Vec<Var>], by: &str) -> RuleSet {
    let mut rules = RuleSet::new(task.variables().clone());
    let mut notes = Vec::new();
    for row in rows {
        let literals: Vec<Lit> = row.iter().copied().chain([task.answer()]).map(Var::positive).collect();
        let sums = AllowedSums::of(task.training(), &literals, by);
        let note = sums.note();
        if rules.insert(sums.rule) && !notes.contains(&note) {
            notes.push(note);
        }
    }
    if !notes.is_empty() {
        rules.notes.insert("sums".to_owned(), notes.join("; "));
    }
    rules
}
