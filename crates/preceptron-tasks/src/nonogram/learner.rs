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
use preceptron_learn::{Bound, Checked, Form, Settings, learn};
use preceptron_logic::{Constraint, Evidence, Lit, Origin, Rule, RuleSet, Var, Variables};
use preceptron_reason::implied;

use super::ObservedLine;
use super::tables::{self, Table};
use super::template::{At, Template, Term, What, relative_variables};

/// The probability of accepting any rule of a table by chance.
const FALSE_ALARM: f64 = 1e-3;

/// Learns relative rules from observed lines, a table at a time.
pub struct NonogramLearner<'a> {
    lines: &'a [ObservedLine],
    seed: u64,
    step: u64,
    /// The templates found, each with its evidence and its finder.
    found: Vec<(Template, Evidence, &'static str)>,
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
        let learned = learn(&names(&table), &table.examples(), &settings, control);
        for rule in learned.rules.rules() {
            let Some(clause) = rule.constraint.as_clause().filter(|clause| clause.len() == 2) else {
                continue;
            };
            let literal = |literal: &Lit| (table.columns[literal.var().index()].0, literal.is_negated());
            let template = shifted(clause.iter().map(literal).collect());
            self.add(template, rule.evidence, "counting");
        }
        self.leave_out_implied();
    }

    fn add(&mut self, template: Template, evidence: Evidence, by: &'static str) {
        match self.found.iter_mut().find(|(known, _, _)| *known == template) {
            Some((_, old, _)) if old.examples < evidence.examples => *old = evidence,
            Some(_) => {}
            None => self.found.push((template, evidence, by)),
        }
    }

    /// Leaves out clauses that the others imply on a small line.
    fn leave_out_implied(&mut self) {
        const RUNS: usize = 4;
        const PLACES: usize = 5;
        let variable = |what: What, run: usize, place: usize| {
            let block = usize::from(what == What::Ended);
            Var(((block * RUNS + run) * PLACES + place) as u32).positive()
        };
        let names = (0..2 * RUNS * PLACES).map(|number| format!("v{number}"));
        let variables = Variables::from_names(names).expect("numbers are distinct");
        let mut place = 0;
        self.found.sort_by(|a, b| spread(&b.0).cmp(&spread(&a.0)).then_with(|| a.0.cmp(&b.0)));
        while place < self.found.len() {
            let others = self.found.iter().enumerate().filter(|(other, _)| *other != place);
            let others = others.flat_map(|(_, (other, _, _))| other.instances(PLACES, &[1; RUNS], variable));
            let rules = RuleSet::with_rules(variables.clone(), others.map(Rule::given));
            // In the middle of the line, where everything around it is there.
            let instances = self.found[place].0.instances(PLACES, &[1; RUNS], variable);
            let middle = &instances[instances.len() / 2..=instances.len() / 2];
            match implied(&rules, middle).first() {
                Some(true) => {
                    self.found.remove(place);
                }
                _ => place += 1,
            }
        }
        self.found.sort_by(|a, b| a.0.cmp(&b.0));
    }

    /// Sums that have one value in all rows of a table, for each choice of signs.
    fn sums(&mut self, table: &Table, control: &dyn Control) {
        let constants = table.constants();
        let varying: Vec<usize> = (0..constants.len()).filter(|&at| constants[at].is_none()).collect();
        let mut terms: Vec<Term> = table.columns.iter().map(|(term, _)| *term).collect();
        terms.dedup();
        if varying.len() < 2 || table.rows.is_empty() {
            return;
        }
        for signs in 0..1u32 << (terms.len() - 1) {
            // The first term's sign can be chosen: a sum and its negation say the same.
            let is_negated = |term: Term| {
                let number = terms.iter().position(|other| *other == term).unwrap_or(0);
                number > 0 && signs >> (number - 1) & 1 == 1
            };
            let value = |row: &Vec<Option<bool>>, column: usize| {
                row[column].map(|value| value != is_negated(table.columns[column].0))
            };
            let rows: Vec<Vec<Option<bool>>> = table
                .rows
                .iter()
                .map(|row| varying.iter().map(|&column| value(row, column)).collect())
                .collect();
            let columns: Vec<(Term, usize)> = varying.iter().map(|&column| table.columns[column]).collect();
            let signed = Table { columns, rows };
            let settings = self.settings(|plain| Settings {
                least_squares: true,
                form: Form::Global,
                rows: Some(25),
                bound: Bound::Sweep(1, varying.len() as u32),
                ..plain
            });
            let learned = learn(&names(&signed), &signed.examples(), &settings, control);
            for rule in learned.rules.rules() {
                if let Some(template) = lifted(&rule.constraint, &signed, table, &constants, is_negated)
                    && self.holds(&template)
                {
                    self.add(template, rule.evidence, "least squares");
                }
            }
        }
    }

    /// Whether a template holds on every line, with its own length and number of runs.
    fn holds(&self, template: &Template) -> bool {
        self.lines.iter().all(|line| {
            let (length, runs) = (line.length(), line.runs());
            let variable = |what: What, run: usize, place: usize| {
                let number = match what {
                    What::Cell | What::Clue => place,
                    What::Started => (1 + run) * length + place,
                    What::Ended => (1 + runs + run) * length + place,
                };
                Var(number as u32).positive()
            };
            let value = |var: Var| {
                let (block, place) = (var.index() / length, var.index() % length);
                match block {
                    0 => line.cells[place],
                    run if run <= runs => line.started(run - 1, place),
                    run => line.ended(run - 1 - runs, place),
                }
            };
            template.instances(length, &line.clue, variable).iter().all(|constraint| constraint.holds(value))
        })
    }
}

/// Names for the columns of a table.
fn names(table: &Table) -> Variables {
    let name = |(term, number): &(Term, usize)| format!("{} {number}", term.name().replace(['[', ']'], " "));
    Variables::from_names(table.columns.iter().map(name)).expect("columns are distinct")
}

/// The clause moved so that its first run is `j` and its first place `i`.
fn shifted(mut literals: Vec<(Term, bool)>) -> Template {
    let offset = |at: Option<At>| match at {
        Some(At::Offset(offset)) => offset,
        _ => 0,
    };
    let run = literals.iter().map(|(term, _)| offset(term.run)).min().unwrap_or(0);
    let place = literals.iter().map(|(term, _)| offset(term.place)).min().unwrap_or(0);
    for (term, _) in &mut literals {
        term.run = term.run.map(|at| At::Offset(offset(Some(at)) - run));
        term.place = term.place.map(|at| At::Offset(offset(Some(at)) - place));
    }
    literals.sort_unstable();
    Template::Clause(literals)
}

/// How far apart the runs and places of a clause are.
fn spread(template: &Template) -> usize {
    let (Template::Clause(literals) | Template::Sum(literals, _)) = template;
    let offset = |at: &Option<At>| if let Some(At::Offset(offset)) = at { *offset } else { 0 };
    literals.iter().map(|(term, _)| offset(&term.run) + offset(&term.place)).max().unwrap_or(0)
}

/// The sum over every run or place that an equality is part of; nothing if it leaves out some column of a
/// term that it has others of.
fn lifted(
    constraint: &Constraint,
    signed: &Table,
    table: &Table,
    constants: &[Option<bool>],
    is_negated: impl Fn(Term) -> bool,
) -> Option<Template> {
    let sum = i64::from(constraint.sums().single()?);
    let has: Vec<usize> = constraint.literals().iter().map(|literal| literal.var().index()).collect();
    if constraint.negated_count() > 0 {
        return None;
    }
    let mut terms: Vec<Term> = has.iter().map(|&column| signed.columns[column].0).collect();
    terms.sort_unstable();
    terms.dedup();
    let whole = |&(term, _): &(Term, usize)| terms.contains(&term);
    if signed.columns.iter().filter(|column| whole(column)).count() != has.len() {
        return None;
    }
    // Negated columns count 1 less; constant ones count what they are.
    let negated = has.iter().filter(|&&column| is_negated(signed.columns[column].0)).count() as i64;
    let constant = |(column, value): (&(Term, usize), &Option<bool>)| match value {
        Some(true) if terms.contains(&column.0) => {
            if is_negated(column.0) {
                -1
            } else {
                1
            }
        }
        _ => 0,
    };
    let constants: i64 = table.columns.iter().zip(constants).map(constant).sum();
    Some(Template::Sum(
        terms.iter().map(|&term| (term, is_negated(term))).collect(),
        sum - negated + constants,
    ))
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
        let rule = |(template, evidence, by): &(Template, Evidence, &str)| {
            let origin = Origin::Learned { by: (*by).to_owned() };
            Some(Rule { constraint: template.constraint()?, evidence: *evidence, origin })
        };
        RuleSet::with_rules(relative_variables(), self.found.iter().filter_map(rule))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nonogram::generate;
    use preceptron::{Training, train};

    fn learned(lines: Vec<ObservedLine>) -> Vec<String> {
        let mut learner = NonogramLearner::new(&lines, 0);
        train(&mut learner, Training::default()).unwrap();
        Template::read(&learner.rules()).unwrap().iter().map(Template::formula).collect()
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
