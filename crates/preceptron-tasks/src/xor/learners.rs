//! The two ways of learning, one after the other, and the control that learns nothing.

use std::collections::BTreeMap;

use preceptron::{Metrics, Model, Schedule, State, TrainError};
use preceptron_base::Control;
use preceptron_learn::{AllowedSums, AuxiliaryForm, Settings, learn};
use preceptron_logic::{Lit, RuleSet, Var};
use serde_json::{Value, json};

use super::{Method, Score, Strings, XorSettings};

/// A change of all weights below this is rest.
const REST: f64 = 1e-6;

/// Learns by each method that the settings ask for, in turn: the paper's form a step at a time until it
/// rests, elimination in one step.
pub struct XorLearner<'a> {
    strings: &'a Strings,
    settings: XorSettings,
    form: Option<AuxiliaryForm>,
    /// Whether the form has come to rest.
    rests: bool,
    /// Steps of the form, and of all methods.
    form_steps: u64,
    made: u64,
    parity: Option<RuleSet>,
}

impl<'a> XorLearner<'a> {
    /// A learner that has not begun.
    ///
    /// # Errors
    /// If a setting is out of its range.
    pub fn new(strings: &'a Strings, settings: &XorSettings) -> Result<XorLearner<'a>, TrainError> {
        let new = || -> Result<AuxiliaryForm, TrainError> {
            let form = settings.auxiliary_form()?;
            Ok(AuxiliaryForm::new(strings.training(), &strings.bits(), strings.answer(), form))
        };
        let form = settings.method.each().contains(&Method::Auxiliary).then(new).transpose()?;
        let (rests, parity) = (form.is_none(), None);
        Ok(XorLearner { strings, settings: *settings, form, rests, form_steps: 0, made: 0, parity })
    }

    /// Whether elimination is still to be done.
    fn wants_parity(&self) -> bool {
        self.parity.is_none() && self.settings.method.each().contains(&Method::Parity)
    }

    fn form_is_over(&self) -> bool {
        self.rests || self.form_steps >= u64::from(self.settings.auxiliary.iterations)
    }

    /// Elimination over GF(2): the learner of tables with nothing but parity.
    fn eliminate(&self, control: &dyn Control) -> Result<RuleSet, TrainError> {
        let settings = Settings {
            seed: self.settings.seed,
            least_squares: false,
            cliques: false,
            counting: false,
            stability: false,
            ..Settings::default()
        };
        let settings = settings.check()?;
        Ok(learn(self.strings.variables(), self.strings.training(), &settings, control).rules)
    }

    /// The rules of each method, and what there is to say of it.
    fn methods(&self) -> (BTreeMap<String, RuleSet>, Value) {
        let (mut rules, mut found) = (BTreeMap::new(), json!({}));
        if let Some(form) = &self.form {
            let rows = form.rows();
            found["auxiliary"] =
                json!({ "steps": self.form_steps, "rests": self.rests, "distinct_rows": rows.len() });
            rules.insert("auxiliary".to_owned(), counted(self.strings, &rows, "auxiliary variables"));
        }
        if let Some(parity) = &self.parity {
            found["parity"] = json!({ "steps": 1, "rests": true });
            rules.insert("parity".to_owned(), parity.clone());
        }
        (rules, found)
    }
}

impl Schedule for XorLearner<'_> {
    fn name(&self) -> &'static str {
        "xor"
    }

    fn steps(&self) -> u64 {
        let form = self.form.as_ref().map_or(0, |_| u64::from(self.settings.auxiliary.iterations));
        form + u64::from(self.settings.method.each().contains(&Method::Parity))
    }

    fn made(&self) -> u64 {
        self.made
    }

    fn is_settled(&self) -> bool {
        self.form_is_over() && !self.wants_parity()
    }

    fn step(&mut self, control: &dyn Control) -> Result<Metrics, TrainError> {
        let metrics = match self.form_is_over() {
            true => {
                let rules = self.eliminate(control)?;
                let metrics = Metrics::new([("rules", rules.len() as f64)]);
                self.parity = Some(rules);
                metrics
            }
            false => match &mut self.form {
                Some(form) => {
                    let step = form.step();
                    self.form_steps += 1;
                    self.rests = step.change < REST && form.is_boolean();
                    Metrics::new([("loss", step.loss), ("change", step.change), ("least_weight", step.least)])
                }
                None => Metrics::default(),
            },
        };
        self.made += 1;
        Ok(metrics)
    }

    /// Steps are short, and are made again rather than taken up.
    fn state(&self) -> Result<State, TrainError> {
        Ok(State { rest: self.made.to_le_bytes().to_vec(), ..State::default() })
    }

    fn restore(&mut self, state: &State) -> Result<(), TrainError> {
        let made =
            <[u8; 8]>::try_from(&state.rest[..]).map_err(|_| TrainError::State("its length".to_owned()))?;
        while self.made < u64::from_le_bytes(made) && !self.is_settled() {
            self.step(&preceptron_base::Quiet)?;
        }
        Ok(())
    }

    fn so_far(&mut self) -> Result<Model, TrainError> {
        let (methods, found) = self.methods();
        // Of the methods the one whose rules answer most of the strings trained on; of equals the last.
        let accuracy =
            |rules: &RuleSet| Score::of(rules, self.strings.training(), self.strings.answer()).accuracy();
        let best = methods.iter().max_by(|a, b| accuracy(a.1).total_cmp(&accuracy(b.1)));
        let rules = match best {
            Some((method, rules)) => {
                let mut rules = rules.clone();
                rules.notes.insert("method".to_owned(), method.clone());
                rules
            }
            None => RuleSet::new(self.strings.variables().clone()),
        };
        Ok(Model { methods, found, ..Model::of_rules(rules) })
    }

    fn finish(&mut self, _control: &dyn Control) -> Result<Model, TrainError> {
        self.so_far()
    }
}

/// The row of all bits from the start: what the auxiliary form comes to, without learning.
pub fn control(strings: &Strings) -> RuleSet {
    counted(strings, &[strings.bits()], "the row of all bits")
}

/// For each row the rule that the sum of its bits and the answer is one of those seen in training.
fn counted(strings: &Strings, rows: &[Vec<Var>], by: &str) -> RuleSet {
    let mut rules = RuleSet::new(strings.variables().clone());
    let mut notes = Vec::new();
    for row in rows {
        let literals: Vec<Lit> = row.iter().copied().chain([strings.answer()]).map(Var::positive).collect();
        let sums = AllowedSums::of(strings.training(), &literals, by);
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

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron::{StopReason, Trained, Training, train};
    use preceptron_logic::Constraint;

    /// The methods on strings of 16 bits.
    fn tried(settings: XorSettings) -> (Strings, Trained, Model) {
        let settings = XorSettings { length: 16, count: Some(200), ..settings }.resolved();
        let strings = Strings::generate(&settings);
        let mut trained =
            train(&mut XorLearner::new(&strings, &settings).unwrap(), Training::default()).unwrap();
        let model = trained.model.take().unwrap();
        (strings, trained, model)
    }

    fn constraints(rules: &RuleSet) -> Vec<&Constraint> {
        rules.constraints().collect()
    }

    #[test]
    fn parity_of_all_bits() {
        for (ones, seed) in [(0.5, 0), (0.5, 1), (0.1, 2)] {
            let (strings, trained, model) = tried(XorSettings { ones, seed, ..XorSettings::default() });
            assert_eq!(model.methods.keys().collect::<Vec<_>>(), ["auxiliary", "parity"]);
            let held_out = strings.held_out(200, 1);
            for rules in model.methods.values().chain([&control(&strings)]) {
                let score = Score::of(rules, &held_out, strings.answer());
                assert_eq!(constraints(rules), [&strings.truth()]);
                assert_eq!((score.accuracy(), score.f1(0), score.f1(1)), (1.0, 1.0, 1.0));
            }
            assert_eq!(model.found["auxiliary"]["distinct_rows"], 1);
            assert_eq!(trained.report.stop, StopReason::Settled);
        }
    }

    #[test]
    fn irrelevant_bits_are_found_by_elimination_alone() {
        let (strings, _, model) = tried(XorSettings { irrelevant: 0.5, seed: 3, ..XorSettings::default() });
        let (auxiliary, parity) = (&model.methods["auxiliary"], &model.methods["parity"]);
        let held_out = strings.held_out(200, 1);
        let score = |rules| Score::of(rules, &held_out, strings.answer());
        assert_eq!(constraints(parity), [&strings.truth()]);
        assert_eq!(score(parity).accuracy(), 1.0);
        assert!(strings.bits_of(parity).iter().eq(strings.relevant()));
        assert!(score(auxiliary).accuracy() < 0.5 && (score(auxiliary).with_guesses() - 0.5).abs() < 0.2);
        assert_eq!(strings.bits_of(auxiliary).len(), 16);
        assert_eq!(constraints(auxiliary), constraints(&control(&strings)));
        assert_eq!(model.rules.notes["method"], "parity");
    }

    #[test]
    fn only_what_is_asked_for_is_tried() {
        let (_, trained, model) = tried(XorSettings { method: Method::Parity, ..XorSettings::default() });
        assert_eq!(model.methods.keys().collect::<Vec<_>>(), ["parity"]);
        assert_eq!(trained.report.steps, 1);
    }

    #[test]
    fn what_is_taken_up_ends_as_if_nothing_had_happened() {
        let settings = XorSettings { length: 16, count: Some(200), ..XorSettings::default() }.resolved();
        let strings = Strings::generate(&settings);
        let mut whole = XorLearner::new(&strings, &settings).unwrap();
        let mut half = XorLearner::new(&strings, &settings).unwrap();
        (0..7).for_each(|_| drop(half.step(&preceptron_base::Quiet).unwrap()));
        let mut again = XorLearner::new(&strings, &settings).unwrap();
        again.restore(&half.state().unwrap()).unwrap();
        let [whole, again] =
            [&mut whole, &mut again].map(|learner| train(learner, Training::default()).unwrap());
        assert_eq!(whole.model, again.model);
        assert_eq!(whole.report.steps, again.report.steps);
    }
}
