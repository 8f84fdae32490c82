//! What ties clues to cells, learned from lines.
//!
//! Each table of [`tables`](super::tables) is one step. Clauses of two literals are found by counting among
//! the neighbours. Sums are found by least squares in the other tables: for each choice of the signs of its
//! terms the table is given to the learner with the columns of negative terms negated, and an equality that
//! has all columns of each term that it has is lifted to a sum over every run, or every place. A column that
//! never changes can stand in any sum; there it has the value that it was seen to have.
//!
//! Rows of one line are not independent. Two places drawn from a line of `n` are `n/3` apart on average, so
//! a line that broke a rule on neighbours would break it in about that many rows: the evidence asked for is
//! so many times what independent rows would need.

use preceptron::{Metrics, Model, Schedule, State, TrainError};
use preceptron_base::Control;
use preceptron_learn::{Bound, Checked, Form, Settings, learn_unjudged};
use preceptron_logic::{
    Claim, Constraint, Edge, Evidence, Origin, RelativeRule, RelativeTerm, Rule, RuleSet, Select, Var,
    Variables,
};
use preceptron_reason::implied;

use super::ObservedLine;
use super::line::{domain, order};
use super::tables::{self, Table};

/// The probability of accepting any rule of a table by chance.
const FALSE_ALARM: f64 = 1e-3;

/// Learns relative rules from observed lines, a table at a time.
pub struct NonogramLearner<'a> {
    lines: &'a [ObservedLine],
    seed: u64,
    step: u64,
    /// The rules found.
    found: Vec<RelativeRule>,
}

impl<'a> NonogramLearner<'a> {
    /// A learner that has not begun.
    pub fn new(lines: &'a [ObservedLine], seed: u64) -> NonogramLearner<'a> {
        NonogramLearner { lines, seed, step: 0, found: Vec::new() }
    }

    fn settings(&self, change: impl FnOnce(Settings) -> Settings) -> Checked {
        let plain = Settings {
            seed: self.seed,
            least_squares: false,
            cliques: false,
            counting: false,
            templates: false,
            parity: false,
            stability: false,
            false_alarm: FALSE_ALARM,
            ..Settings::default()
        };
        change(plain).check().expect("settings within their ranges")
    }

    /// Clauses of two literals among neighbours.
    fn clauses(&mut self, control: &dyn Control) {
        let table = tables::neighbours(self.lines);
        if table.rows.is_empty() {
            return;
        }
        let places: usize = self.lines.iter().map(ObservedLine::length).sum();
        let apart = (places as f64 / self.lines.len() as f64 / 3.0).max(1.0);
        let columns = table.columns.len() as f64;
        let candidates = (columns * (columns - 1.0) * 2.0).ln();
        let needed = apart * (candidates - FALSE_ALARM.ln());
        let false_alarm = (candidates - needed).exp().max(1e-300);
        let settings =
            self.settings(|plain| Settings { counting: true, clause_literals: 2, false_alarm, ..plain });
        let learned = learn_unjudged(&names(&table), &table.examples(), &settings, control);
        for rule in learned.rules() {
            if rule.constraint.as_clause().is_some_and(|clause| clause.len() == 2) {
                let columns: Vec<RelativeTerm> = table.columns.iter().map(|(term, _)| term.clone()).collect();
                let clause = RelativeRule::from_constraint(&rule.constraint, &columns, Edge::Skip);
                self.add(shifted(clause), rule.evidence, "counting");
            }
        }
        self.leave_out_implied();
    }

    fn add(&mut self, rule: RelativeRule, evidence: Evidence, by: &'static str) {
        match self.found.iter_mut().find(|known| known.says_the_same(&rule)) {
            Some(known) if known.evidence.examples < evidence.examples => known.evidence = evidence,
            Some(_) => {}
            None => {
                let origin = Origin::Learned { by: by.to_owned() };
                self.found.push(RelativeRule { evidence, origin, ..rule });
            }
        }
    }

    /// Leaves out clauses that the others imply on a small line.
    fn leave_out_implied(&mut self) {
        const RUNS: usize = 4;
        const PLACES: usize = 5;
        let names = (0..(1 + 2 * RUNS) * PLACES).map(|number| format!("v{number}"));
        let variables = Variables::from_names(names).expect("numbers are distinct");
        let line = domain(&[0, 1, 2, 3, 4], PLACES, &[1; RUNS]);
        let mut place = 0;
        self.found.sort_by(|a, b| spread(b).cmp(&spread(a)).then_with(|| said(a).cmp(&said(b))));
        while place < self.found.len() {
            let others = self.found.iter().enumerate().filter(|(other, _)| *other != place);
            let others = others.flat_map(|(_, other)| other.ground(&line));
            let rules = RuleSet::with_rules(variables.clone(), others.map(Rule::given));
            // In the middle of the line, where everything around it is there.
            let instances = self.found[place].ground(&line);
            let middle = &instances[instances.len() / 2..=instances.len() / 2];
            match implied(&rules, middle).first() {
                Some(true) => {
                    self.found.remove(place);
                }
                _ => place += 1,
            }
        }
        self.found.sort_by(|a, b| said(a).cmp(&said(b)));
    }

    /// Sums that have one value in all rows of a table, for each choice of signs.
    fn sums(&mut self, table: &Table, control: &dyn Control) {
        let constants = table.constants();
        let varying: Vec<usize> = (0..constants.len()).filter(|&at| constants[at].is_none()).collect();
        let mut terms: Vec<RelativeTerm> = table.columns.iter().map(|(term, _)| term.clone()).collect();
        terms.dedup();
        if varying.len() < 2 || table.rows.is_empty() {
            return;
        }
        for signs in 0..1u32 << (terms.len() - 1) {
            // The first term's sign can be chosen: a sum and its negation say the same.
            let is_negated = |term: &RelativeTerm| {
                let number = terms.iter().position(|other| other == term).unwrap_or(0);
                number > 0 && signs >> (number - 1) & 1 == 1
            };
            let is_negated: Vec<bool> = table.columns.iter().map(|(term, _)| is_negated(term)).collect();
            let value =
                |row: &Vec<Option<bool>>, column: usize| row[column].map(|value| value != is_negated[column]);
            let rows: Vec<Vec<Option<bool>>> = table
                .rows
                .iter()
                .map(|row| varying.iter().map(|&column| value(row, column)).collect())
                .collect();
            let columns = varying.iter().map(|&column| table.columns[column].clone()).collect();
            let signed = Table { columns, rows };
            let settings = self.settings(|plain| Settings {
                least_squares: true,
                form: Form::Global,
                rows: Some(25),
                bound: Bound::Sweep(1, varying.len() as u32),
                ..plain
            });
            let learned = learn_unjudged(&names(&signed), &signed.examples(), &settings, control);
            for rule in learned.rules() {
                if let Some(sum) = lifted(&rule.constraint, table, &varying, &constants, &is_negated)
                    && self.holds(&sum)
                {
                    self.add(sum, rule.evidence, "least squares");
                }
            }
        }
    }

    /// Whether a rule holds on every line, with its own length and number of runs.
    fn holds(&self, rule: &RelativeRule) -> bool {
        self.lines.iter().all(|line| {
            let (length, runs) = (line.length(), line.clue.len());
            let value = |var: Var| {
                let (block, place) = (var.index() / length, var.index() % length);
                match block {
                    0 => line.cells[place],
                    run if run <= runs => run <= line.runs() && line.started(run - 1, place),
                    run => run - runs <= line.runs() && line.ended(run - 1 - runs, place),
                }
            };
            let cells: Vec<usize> = (0..length).collect();
            rule.ground(&domain(&cells, length, &line.clue)).iter().all(|constraint| constraint.holds(value))
        })
    }
}

/// Names for the columns of a table.
fn names(table: &Table) -> Variables {
    let name = |(term, number): &(RelativeTerm, usize)| {
        format!("{} {number}", term.to_string().replace(['[', ']'], " "))
    };
    Variables::from_names(table.columns.iter().map(name)).expect("columns are distinct")
}

/// The offsets of a rule's terms on an axis.
fn offsets<'a>(terms: &'a mut [RelativeTerm], axis: &'a str) -> impl Iterator<Item = &'a mut i64> {
    let axes = terms.iter_mut().flat_map(|term| &mut term.at).filter(move |(name, _)| name == axis);
    axes.flat_map(|(_, select)| match select {
        Select::Offsets(offsets) => offsets.iter_mut(),
        _ => [].iter_mut(),
    })
}

/// The clause moved so that its first run and its first place are those at hand.
fn shifted(mut clause: RelativeRule) -> RelativeRule {
    for axis in ["run", "place"] {
        let first = offsets(&mut clause.terms, axis).map(|offset| *offset).min().unwrap_or(0);
        offsets(&mut clause.terms, axis).for_each(|offset| *offset -= first);
    }
    clause.terms.sort_by(|a, b| (order(a), a.negated).cmp(&(order(b), b.negated)));
    clause
}

/// How far apart the runs and places of a clause are.
fn spread(clause: &RelativeRule) -> i64 {
    let far = |term: &RelativeTerm| {
        let mut alone = [term.clone()];
        ["run", "place"].map(|axis| offsets(&mut alone, axis).map(|offset| *offset).sum::<i64>()).iter().sum()
    };
    clause.terms.iter().map(far).max().unwrap_or(0)
}

/// What a clause says, in the order of what is said.
fn said(clause: &RelativeRule) -> impl Ord {
    let said = clause.terms.iter().map(|term| (order(term), term.negated));
    said.collect::<Vec<_>>()
}

/// The sum over every run or place that an equality over the varying columns of a table is part of; nothing
/// if it leaves out some column of a term that it has others of.
fn lifted(
    constraint: &Constraint,
    table: &Table,
    varying: &[usize],
    constants: &[Option<bool>],
    is_negated: &[bool],
) -> Option<RelativeRule> {
    let sum = i64::from(constraint.sums().single()?);
    if constraint.negated_count() > 0 {
        return None;
    }
    let has: Vec<usize> =
        constraint.literals().iter().map(|literal| varying[literal.var().index()]).collect();
    let is_in = |column: usize| has.iter().any(|&other| table.columns[other].0 == table.columns[column].0);
    if varying.iter().filter(|&&column| is_in(column)).count() != has.len() {
        return None;
    }
    let signed = |column: usize| {
        let term = table.columns[column].0.clone();
        if is_negated[column] { term.not() } else { term }
    };
    let mut terms: Vec<RelativeTerm> = has.iter().map(|&column| signed(column)).collect();
    terms.sort_by(|a, b| order(a).cmp(&order(b)));
    terms.dedup();
    // Negated columns count 1 less; constant ones count what they are.
    let negated = has.iter().filter(|&&column| is_negated[column]).count() as i64;
    let always = (0..constants.len()).filter(|&column| constants[column] == Some(true) && is_in(column));
    let constants: i64 = always.map(|column| if is_negated[column] { -1 } else { 1 }).sum();
    let mut sum = sum - negated + constants;
    // Of an equation and the same with all signs turned, the one with fewer terms taken off.
    if 2 * terms.iter().filter(|term| term.negated).count() > terms.len() {
        terms = terms.into_iter().map(RelativeTerm::not).collect();
        sum = -sum;
    }
    let sum = Some(sum);
    Some(RelativeRule::new(None, terms, Claim::Balance { min: sum, max: sum }, Edge::Skip))
}

impl Schedule for NonogramLearner<'_> {
    fn name(&self) -> &'static str {
        "lines"
    }

    fn steps(&self) -> u64 {
        3
    }

    fn made(&self) -> u64 {
        self.step
    }

    fn step(&mut self, control: &dyn Control) -> Result<Metrics, TrainError> {
        let before = self.found.len();
        match self.step {
            0 => self.clauses(control),
            1 => self.sums(&tables::cell(self.lines), control),
            _ => {
                let mut lengths: Vec<usize> = self.lines.iter().map(ObservedLine::length).collect();
                lengths.sort_unstable();
                lengths.dedup();
                for length in lengths {
                    self.sums(&tables::clue(self.lines, length), control);
                }
            }
        }
        self.step += 1;
        let metrics = [("lines", self.lines.len() as f64), ("rules", (self.found.len() - before) as f64)];
        Ok(Metrics::new(metrics))
    }

    /// The three steps are short, and are made again rather than taken up.
    fn state(&self) -> Result<State, TrainError> {
        Ok(State { rest: vec![self.step as u8], ..State::default() })
    }

    fn restore(&mut self, state: &State) -> Result<(), TrainError> {
        let made = state.rest.first().copied().unwrap_or(0).min(3);
        (0..made).try_for_each(|_| self.step(&preceptron_base::Quiet).map(drop))
    }

    fn so_far(&mut self) -> Result<Model, TrainError> {
        Ok(Model::of_rules(self.rules()))
    }

    fn finish(&mut self, _control: &dyn Control) -> Result<Model, TrainError> {
        self.so_far()
    }
}

impl NonogramLearner<'_> {
    /// The relative rules that were found.
    pub fn rules(&self) -> RuleSet {
        RuleSet::of_relative(self.found.iter().cloned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nonogram::{formula, generate};
    use preceptron::{Training, train};

    fn learned(lines: Vec<ObservedLine>) -> Vec<String> {
        let mut learner = NonogramLearner::new(&lines, 0);
        train(&mut learner, Training::default()).unwrap();
        learner.rules().relative().iter().map(formula).collect()
    }

    const RULES: [&str; 6] = [
        "if ended[run j, place i+1], then started[run j, place i]",
        "if started[run j, place i], then started[run j, place i+1]",
        "if started[run j+1, place i+1], then ended[run j, place i]",
        "if ended[run j, place i], then ended[run j, place i+1]",
        "cell[place i] - started[run every, place i] + ended[run every, place i] = 0",
        "-started[run j, place every] + ended[run j, place every] + clue[run j] = 0",
    ];

    #[test]
    fn rules_from_single_lines() {
        let board = |item| generate(7, 7, 0.5, 1, item);
        for seed in 0..3 {
            let lines = (0..100).map(|item| ObservedLine::of(&board(item), seed, item)).collect();
            assert_eq!(learned(lines), RULES, "seed {seed}");
        }
    }

    /// Lines of two lengths give the same rules, and so do longer ones.
    #[test]
    fn boards_need_not_be_square() {
        for (height, width) in [(6, 9), (12, 12)] {
            let board = |item| generate(height, width, 0.5, 2, item);
            let lines = (0..200).map(|item| ObservedLine::of(&board(item), 2, item)).collect();
            assert_eq!(learned(lines), RULES);
        }
    }

    /// Lines whose runs are read as touching, as no board has them: the rule is not learned.
    #[test]
    fn what_lines_break_is_not_learned() {
        let lines = (0..200).map(|item| {
            let line = ObservedLine::of(&generate(7, 7, 0.5, 1, item), 1, item);
            line.without_gaps()
        });
        let rules = learned(lines.collect());
        assert!(!rules.contains(&RULES[2].to_owned()), "{rules:?}");
        assert!(rules.contains(&RULES[5].to_owned()), "{rules:?}");
    }

    #[test]
    fn nothing_from_next_to_nothing() {
        assert!(learned(vec![]).is_empty());
        let line = ObservedLine::new(vec![true, false, true], &[1, 1]);
        assert!(learned(vec![line]).is_empty());
    }
}
