//! A latent relation as rules of the ordinary kind.
//!
//! The ordinary learner sees every example with the symbols that its pictures were found to show, and learns rules
//! anew. Cells of the table that its rules do not imply, because too few examples speak for each of them alone, are
//! added as clauses with their evidence: `a = i and b = j -> y = s`. A weighted sum over several places has partial sums
//! as variables of their own, one after each place, and the clauses that carry them on.

use std::collections::BTreeMap;

use preceptron_base::Control;
use preceptron_learn::{Examples, Propagator, sum_histogram};
use preceptron_logic::{Constraint, Lit, Origin, Rule, RuleSet, Var, Variables, VariablesError};

use super::Puzzles;
use super::relation::Relation;
use crate::RuleLearner;

/// The learner sees relations over up to so many variables; sums over more are written down without it.
const LEARNED: usize = 200;
/// Clauses of a sum at the most.
const MOST_CLAUSES: usize = 200_000;

/// The name of the variable that says that a column has a value.
fn name(column: &str, axis: &str, label: &str) -> String {
    match column.strip_suffix(']') {
        Some(inside) => format!("{inside}, {axis} {label}]"),
        None => format!("{column}[{axis} {label}]"),
    }
}

/// The variables of pictures and answers.
pub(super) struct Layout {
    pub variables: Variables,
    /// For each place the first of its symbols' variables, for each column of answers the first of its values'.
    pub places: Vec<u32>,
    pub answers: Vec<u32>,
    /// For each answer's column how many values it has, with those that a sum reaches beside those that occur.
    labels: Vec<Vec<String>>,
    /// The partial sums after each place but the last.
    partial: Vec<BTreeMap<i64, u32>>,
}

impl Layout {
    pub fn new(
        puzzles: &Puzzles,
        symbols: &[String],
        relation: &Relation,
        axis: &str,
    ) -> Result<Layout, VariablesError> {
        let mut names = Vec::new();
        let mut columns: Vec<String> = Vec::new();
        let mut add = |column: &str, labels: &[String]| {
            let first = names.len() as u32;
            names.extend(labels.iter().map(|label| name(column, axis, label)));
            columns.push(column.split('[').next().unwrap_or(column).to_owned());
            first
        };
        let places = puzzles.places.iter().map(|place| add(place, symbols)).collect();
        let mut labels: Vec<Vec<String>> =
            puzzles.answers.iter().map(|answer| answer.labels.clone()).collect();
        let sums = partial_sums(relation);
        if let (Some(last), Relation::Sum { offset, .. }) = (sums.last(), relation) {
            // Sums that no example has are answers too.
            let further = last.iter().map(|sum| (sum + offset).to_string());
            let known = labels[0].clone();
            labels[0].extend(further.filter(|label| !known.contains(label)));
        }
        let answers = puzzles.answers.iter().zip(&labels).map(|(answer, labels)| add(&answer.name, labels));
        let answers = answers.collect();
        let mut partial = Vec::new();
        for (place, sums) in sums.iter().enumerate().take(sums.len().saturating_sub(1)) {
            let labels: Vec<String> = sums.iter().map(i64::to_string).collect();
            let column = puzzles.places[place].replace(['[', ']', ','], " ");
            let first = add(&format!("sum to {}", column.trim()), &labels);
            partial.push(sums.iter().copied().zip(first..).collect());
        }
        let mut variables = Variables::from_names(names)?;
        for column in columns {
            // A column of one value has no axis.
            let _ = variables.set_one_hot(&column, axis);
        }
        Ok(Layout { variables, places, answers, labels, partial })
    }

    fn symbol(&self, place: usize, symbol: usize) -> Lit {
        Var(self.places[place] + symbol as u32).positive()
    }

    fn answer(&self, column: usize, value: u32) -> Lit {
        Var(self.answers[column] + value).positive()
    }

    /// Complete rows: the symbols of each place, and what is told.
    pub fn examples(&self, puzzles: &Puzzles, symbols: &[u16], kept: &[usize]) -> Examples {
        let places = puzzles.places.len();
        let row = |example: &usize| {
            let mut row = vec![false; self.variables.len()];
            for (place, symbol) in symbols[example * places..][..places].iter().enumerate() {
                row[self.symbol(place, usize::from(*symbol)).var().index()] = true;
            }
            for (column, value) in puzzles.told_of(*example).iter().enumerate() {
                row[self.answer(column, *value).var().index()] = true;
            }
            row
        };
        let rows: Vec<Vec<bool>> = kept.iter().map(row).collect();
        Examples::from_full_rows(self.variables.len(), &rows)
    }
}

/// The sums that can be reached after each place; none for a table, or modulo something.
fn partial_sums(relation: &Relation) -> Vec<Vec<i64>> {
    let Relation::Sum { weights, values, modulus: None, .. } = relation else { return Vec::new() };
    let (mut all, mut now) = (Vec::new(), vec![0]);
    for weight in weights {
        let mut next: Vec<i64> =
            now.iter().flat_map(|sum| values.iter().map(move |value| sum + weight * value)).collect();
        next.sort_unstable();
        next.dedup();
        all.push(next.clone());
        now = next;
    }
    all
}

/// The rules of a relation: how many the learner found, and how many were added.
pub(super) struct Found {
    pub rules: RuleSet,
    pub counts: [usize; 2],
}

/// Rules from all symbols, and what the table says beside them.
#[expect(clippy::too_many_arguments, reason = "a stage of its own, called once")]
pub(super) fn rules_of(
    puzzles: &Puzzles,
    layout: &Layout,
    relation: &Relation,
    combinations: &[Vec<u32>],
    cells: &[Option<u32>],
    examples: &Examples,
    learner: &dyn RuleLearner,
    control: &dyn Control,
) -> Found {
    let variables = &layout.variables;
    if let Relation::Sum { modulus: None, .. } = relation {
        return sum_rules(puzzles, layout, relation, examples.len());
    }
    let mut rules = match variables.len() <= LEARNED {
        true => learner.learn(variables, examples, control),
        false => RuleSet::new(variables.clone()),
    };
    for group in one_hot(layout, puzzles, relation.symbols()) {
        rules.insert(group);
    }
    let learned = rules.len();
    let added = match relation {
        Relation::Table { places, symbols, .. } => {
            let clauses = table_clauses(layout, combinations, places, *symbols, cells);
            not_implied(&rules, clauses)
        }
        Relation::Sum { .. } => {
            let all = (0..layout.places.len()).map(|place| layout.symbol(place, 1));
            let odd = layout.answer(0, 1);
            let sums = (0..=layout.places.len() as u32 + 1).step_by(2);
            let parity = Constraint::new(all.chain([odd]), preceptron_logic::Sums::set(sums));
            // With the other value of each column it is the same.
            let is_known = rules.constraints().any(|rule| is_parity(rule) && rule.len() == parity.len());
            if is_known { Vec::new() } else { vec![parity] }
        }
    };
    let mut count = 0;
    for constraint in added {
        let (evidence, _) = sum_histogram::evidence(examples, &constraint);
        let origin = Origin::Learned { by: "latent relation".to_owned() };
        count += usize::from(rules.insert(Rule { constraint, evidence, origin }));
    }
    Found { rules, counts: [learned, count] }
}

/// Whether a rule is about an even or an odd number of literals.
fn is_parity(rule: &Constraint) -> bool {
    let allowed = |sum: u32| rule.sums().contains(sum);
    rule.gate().is_none() && (0..rule.len() as u32).all(|sum| allowed(sum) != allowed(sum + 1))
}

/// Exactly one value for each column.
fn one_hot(layout: &Layout, puzzles: &Puzzles, symbols: usize) -> Vec<Rule> {
    let place = |first: &u32| (*first..*first + symbols as u32).map(|var| Var(var).positive()).collect();
    let mut groups: Vec<Vec<Lit>> = layout.places.iter().map(place).collect();
    for (column, first) in layout.answers.iter().enumerate().take(puzzles.answers.len()) {
        let count = layout.labels[column].len() as u32;
        groups.push((*first..*first + count).map(|var| Var(var).positive()).collect());
    }
    for sums in &layout.partial {
        groups.push(sums.values().map(|var| Var(*var).positive()).collect());
    }
    let rule = |literals: Vec<Lit>| Rule {
        origin: Origin::Encoding,
        ..Rule::given(Constraint::exactly(1, literals))
    };
    groups.into_iter().map(rule).collect()
}

/// The cells of a table as clauses, each with the literals that it is about and the one that follows.
fn table_clauses(
    layout: &Layout,
    combinations: &[Vec<u32>],
    places: &[usize],
    symbols: usize,
    cells: &[Option<u32>],
) -> Vec<(Vec<Lit>, Lit)> {
    let mut all = Vec::new();
    for (at, code) in cells.iter().enumerate() {
        let Some(code) = code else { continue };
        let given: Vec<Lit> = match places {
            [first, second] => {
                vec![layout.symbol(*first, at / symbols), layout.symbol(*second, at % symbols)]
            }
            _ => vec![layout.symbol(places[0], at)],
        };
        for (column, value) in combinations[*code as usize].iter().enumerate() {
            all.push((given.clone(), layout.answer(column, *value)));
        }
    }
    all
}

/// Of clauses those that do not follow from rules by propagation.
fn not_implied(rules: &RuleSet, clauses: Vec<(Vec<Lit>, Lit)>) -> Vec<Constraint> {
    let propagator = Propagator::new(rules.variables().len(), rules.constraints().cloned());
    let is_new = |(given, then): &(Vec<Lit>, Lit)| {
        let found = propagator.run(given.iter().copied());
        !found.is_contradiction() && found.value(then.var()) != Some(true)
    };
    let clause = |(given, then): (Vec<Lit>, Lit)| {
        Constraint::clause(given.into_iter().map(|literal| !literal).chain([then]))
    };
    clauses.into_iter().filter(is_new).map(clause).collect()
}

/// A weighted sum, carried on from place to place.
fn sum_rules(puzzles: &Puzzles, layout: &Layout, relation: &Relation, agreeing: usize) -> Found {
    let mut rules = RuleSet::new(layout.variables.clone());
    for group in one_hot(layout, puzzles, relation.symbols()) {
        rules.insert(group);
    }
    let Relation::Sum { weights, values, offset, .. } = relation else {
        return Found { rules, counts: [0, 0] };
    };
    let evidence = preceptron_logic::Evidence {
        examples: puzzles.len() as u64,
        satisfied: agreeing as u64,
        violated: (puzzles.len() - agreeing) as u64,
        ..Default::default()
    };
    let number = |sum: i64| layout.labels[0].iter().position(|label| *label == (sum + offset).to_string());
    let start = BTreeMap::from([(0i64, u32::MAX)]);
    let (last, mut count) = (weights.len() - 1, 0);
    for (place, weight) in weights.iter().enumerate() {
        let before = if place == 0 { &start } else { &layout.partial[place - 1] };
        for (sum, var) in before {
            for (symbol, value) in values.iter().enumerate() {
                let next = sum + weight * value;
                let then = match place == last {
                    true => number(next).map(|value| layout.answer(0, value as u32)),
                    false => layout.partial[place].get(&next).map(|var| Var(*var).positive()),
                };
                let Some(then) = then.filter(|_| count < MOST_CLAUSES) else { continue };
                let mut literals = vec![!layout.symbol(place, symbol), then];
                if place > 0 {
                    literals.push(Var(*var).negative());
                }
                let origin = Origin::Learned { by: "latent relation".to_owned() };
                let constraint = Constraint::clause(literals);
                count += usize::from(rules.insert(Rule { constraint, evidence, origin }));
            }
        }
    }
    Found { rules, counts: [0, count] }
}
