//! The encoding of the paper authors' program, to compare with.
//!
//! A line has, for each slot of its clue, the bit "slot j is empty" and the bit "there is a gap between the
//! runs j and j+1". Where runs stand, how long they are and which cells they paint is fixed in the solver;
//! all that can be learned is that runs leave a gap:
//! ```text
//! empty[slot j+1] + gap[slot j] = 1
//! ```
//! Rows are trained in the paper's form from a random start; each then allows the sums that the lines show.
//! Beside them stand the same rows as they were drawn, rounded and never trained: with few bits and many
//! rows, the row above is among them by chance, and the sums do the rest.

use std::collections::BTreeSet;

use preceptron::{Metrics, Model, Schedule, State, TrainError};
use preceptron_base::Control;
use preceptron_learn::row_update::SoftConstraints;
use preceptron_learn::{AllowedSums, Examples, Form, GlobalSearch, Moments, Settings};
use preceptron_logic::{Constraint, Lit, Origin, RelativeRule, RuleSet, Var, Variables};
use preceptron_reason::implied;

use super::ObservedLine;
use super::line::{after, run};
use super::words::{black, ends_after_start, implies, long, no_touch, stays};

/// What rows over the authors' bits came to.
#[derive(Clone, Debug, PartialEq)]
pub struct AuthorsTrial {
    /// How many rows there are.
    pub rows: usize,
    /// How many of them differ.
    pub distinct: usize,
    /// How many are what they were at the start, rounded.
    pub unchanged: usize,
    /// How many have one sum on all lines.
    pub constant: usize,
    /// Whether the rows force a gap between any two runs of a line.
    pub forces_gaps: bool,
    /// The relative rules that boards are solved by: what is fixed in the solver, and the gap if it is forced.
    pub rules: RuleSet,
}

/// The bits of lines: for each slot whether it is empty, then for each but the last whether a gap follows.
fn bits(lines: &[ObservedLine], slots: usize) -> Examples {
    let row = |line: &ObservedLine| -> Vec<bool> {
        let empty = (0..slots).map(|slot| slot >= line.runs());
        let gap = (1..slots).map(|next| {
            let touches = |place: usize| line.started(next, place + 1) && !line.ended(next - 1, place);
            next < line.runs() && !(0..line.length() - 1).any(touches)
        });
        empty.chain(gap).collect()
    };
    Examples::from_full_rows(2 * slots - 1, &lines.iter().map(row).collect::<Vec<_>>())
}

/// Rows trained in the paper's form, and the same rows as they were drawn.
///
/// # Panics
/// If no line has a cell.
pub fn authors(lines: &[ObservedLine], seed: u64, control: &dyn Control) -> [AuthorsTrial; 2] {
    let longest = lines.iter().map(ObservedLine::length).max().unwrap_or(0);
    let slots = longest.div_ceil(2).max(1);
    let examples = bits(lines, slots);
    let settings = Settings { seed, form: Form::Paper, ..Settings::default() };
    let settings = settings.check().expect("settings within their ranges");
    let search = GlobalSearch::new(&Moments::of(&examples), &settings).expect("moments of whole examples");
    let (mut trained, mut drawn) = (Vec::new(), Vec::new());
    for part in search.round(0, 1.0, control) {
        trained.extend(part.binarised());
        drawn.extend(SoftConstraints::at(part.centres, 1.0).binarised());
    }
    [trial(&trained, &drawn, &examples, slots), trial(&drawn, &drawn, &examples, slots)]
}

/// The authors' form as a schedule of one step, which is made again rather than taken up.
pub struct AuthorsLearner<'a> {
    lines: &'a [ObservedLine],
    seed: u64,
    trials: Option<[AuthorsTrial; 2]>,
}

impl<'a> AuthorsLearner<'a> {
    /// A learner that has not begun.
    pub fn new(lines: &'a [ObservedLine], seed: u64) -> AuthorsLearner<'a> {
        AuthorsLearner { lines, seed, trials: None }
    }
}

impl Schedule for AuthorsLearner<'_> {
    fn name(&self) -> &'static str {
        "authors"
    }

    fn steps(&self) -> u64 {
        1
    }

    fn made(&self) -> u64 {
        u64::from(self.trials.is_some())
    }

    fn step(&mut self, control: &dyn Control) -> Result<Metrics, TrainError> {
        let trials = authors(self.lines, self.seed, control);
        let metrics = Metrics::new([("distinct_rows", trials[0].distinct as f64)]);
        self.trials = Some(trials);
        Ok(metrics)
    }

    fn state(&self) -> Result<State, TrainError> {
        Ok(State::default())
    }

    fn restore(&mut self, _state: &State) -> Result<(), TrainError> {
        Ok(())
    }

    /// The rules of the rows that were trained, and by method also those of the rows as they were drawn.
    fn so_far(&mut self) -> Result<Model, TrainError> {
        let Some([trained, drawn]) = &self.trials else { return Ok(Model::of_rules(fixed())) };
        let found = |trial: &AuthorsTrial| {
            serde_json::json!({
                "number": trial.rows, "distinct": trial.distinct, "unchanged": trial.unchanged,
                "constant": trial.constant, "forces_gaps": trial.forces_gaps,
            })
        };
        let methods = [(TRAINED, trained), (DRAWN, drawn)];
        Ok(Model {
            methods: methods.iter().map(|(name, trial)| ((*name).to_owned(), trial.rules.clone())).collect(),
            found: methods.iter().map(|(name, trial)| ((*name).to_owned(), found(trial))).collect(),
            ..Model::of_rules(trained.rules.clone())
        })
    }

    fn finish(&mut self, _control: &dyn Control) -> Result<Model, TrainError> {
        self.so_far()
    }
}

/// The two trials by their names in a run.
pub(super) const TRAINED: &str = "trained";
pub(super) const DRAWN: &str = "random";

fn trial(rows: &[Vec<usize>], drawn: &[Vec<usize>], examples: &Examples, slots: usize) -> AuthorsTrial {
    let empty = (1..=slots).map(|slot| format!("empty[slot {slot}]"));
    let gap = (1..slots).map(|slot| format!("gap[slot {slot}]"));
    let variables = Variables::from_names(empty.chain(gap)).expect("slots are distinct");
    let distinct: BTreeSet<&Vec<usize>> = rows.iter().filter(|row| !row.is_empty()).collect();
    let sums: Vec<AllowedSums> = distinct
        .iter()
        .map(|row| {
            let literals: Vec<Lit> = row.iter().map(|&bit| Var(bit as u32).positive()).collect();
            AllowedSums::of(examples, &literals, "rows")
        })
        .collect();
    let constant = sums.iter().filter(|sums| sums.seen.single().is_some()).count();
    let learned = RuleSet::with_rules(variables, sums.into_iter().map(|sums| sums.rule));
    // Where the next slot is not empty there is a gap.
    let gaps: Vec<Constraint> = (1..slots)
        .map(|next| Constraint::clause([Var(next as u32), Var((slots + next - 1) as u32)].map(Var::positive)))
        .collect();
    let forces_gaps = implied(&learned, &gaps).into_iter().all(|forced| forced);
    let mut rules = fixed();
    if forces_gaps {
        let origin = Origin::Learned { by: "rows".to_owned() };
        rules.insert_relative(RelativeRule { origin, ..no_touch() });
    }
    AuthorsTrial {
        rows: rows.len(),
        distinct: distinct.len(),
        unchanged: rows.iter().zip(drawn).filter(|(row, drawn)| row == drawn).count(),
        constant,
        forces_gaps,
        rules,
    }
}

/// What the authors' solver has fixed: where runs stand, in their order, how long they are, and what they
/// paint.
fn fixed() -> RuleSet {
    let in_order = implies(run("started", after(1), after(0)), run("ended", after(0), after(0)));
    RuleSet::of_relative([stays("started"), stays("ended"), ends_after_start(), in_order, black(), long()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nonogram::{BoardScore, NonogramSettings, Solver};
    use preceptron_base::Quiet;

    #[test]
    fn random_rows_do_what_trained_rows_do() {
        let settings = NonogramSettings { train: 200, test: 60, ..NonogramSettings::default() };
        let data = settings.data().unwrap();
        let [_, drawn] = authors(&data.lines, 0, &Quiet);
        assert_eq!((drawn.unchanged, drawn.forces_gaps), (drawn.rows, true));
        let solve =
            |rules: &RuleSet| BoardScore::of(&Solver::new(rules).unwrap(), &data.test, &Quiet).unwrap();
        assert_eq!(solve(&drawn.rules).right, 60);
        // What is fixed leaves some boards with several pictures, and is never wrong.
        let alone = solve(&fixed());
        assert!(alone.several > 0 && alone.wrong + alone.none == 0, "{alone:?}");
    }

    #[test]
    fn bits_by_hand() {
        let line = ObservedLine::new([1, 0, 1, 1, 0].map(|cell| cell == 1).to_vec(), &[1, 2]);
        let examples = bits(&[line], 3);
        let values: Vec<_> = (0..5).map(|bit| examples.get(0, Var(bit)) == Some(true)).collect();
        assert_eq!(values, [false, false, true, true, false]);
    }
}
