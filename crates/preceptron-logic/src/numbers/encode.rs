//! Rules of numbers as rules over Boolean variables: one for each number that a column may be.
//!
//! A column that may be few numbers becomes variables `column[value 3]`, exactly one of which is true, and a column of
//! words `column[value word]`. Sums are weighted sums of these; what is no sum is said by the combinations that it
//! forbids. The numbers are those between the least and the greatest that were seen.

use std::collections::BTreeMap;

use super::symbols::pairs;
use super::{Claim, Encoding, Gate, NumberRules, Relation};
use crate::{Constraint, Linear, Lit, Problem, Rule, RuleSet, Sums, Var, Variables};

/// The most numbers of a column, of all columns, and the most combinations that a rule forbids one by one.
const MOST_VALUES: i64 = 256;
const MOST_VARIABLES: usize = 20_000;
const MOST_COMBINATIONS: usize = 200_000;
/// What auxiliary variables are called.
pub const AUXILIARY: &str = "distance of ";

/// Why rules of numbers cannot be put on Boolean variables.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// A column may be too many numbers.
    #[error(
        "column {column:?} may be any of {count} numbers; a reasoner takes up to {MOST_VALUES}, others are asked \
         through precept export --format mzn"
    )]
    Range {
        /// The column.
        column: String,
        /// How many.
        count: i64,
    },
    /// All columns together may be too many numbers.
    #[error("the columns may be {0} numbers in all; a reasoner takes up to {MOST_VARIABLES}")]
    Variables(usize),
    /// A rule forbids too many combinations.
    #[error(
        "the rule \"{0}\" forbids too many combinations to list them; precept export --format mzn does not"
    )]
    Combinations(String),
    /// Names that do not go together.
    #[error("the names of the columns: {0}")]
    Names(String),
}

/// How the variables of a column are named: all but the value and a bracket.
fn start(name: &str) -> String {
    match name.strip_suffix(']') {
        Some(inside) if name.contains('[') => format!("{inside}, value "),
        _ => format!("{}[value ", name.replace('[', "(").replace(']', ")")),
    }
}

/// The block that a column's variables are in.
fn block(name: &str) -> String {
    match name.strip_suffix(']').and_then(|inside| inside.split_once('[')) {
        Some((block, _)) => block.to_owned(),
        None => name.replace('[', "(").replace(']', ")"),
    }
}

struct Encoder<'a> {
    rules: &'a NumberRules,
    /// The first variable of each column of numbers, and of words.
    first: Vec<u32>,
    words: Vec<Vec<u32>>,
    names: Vec<String>,
    constraints: Vec<(Constraint, String)>,
    linear: Vec<Linear>,
    /// The rule that is being put on variables, in words.
    line: String,
}

/// The problem with its rules of numbers put on Boolean variables, after those that it has.
///
/// # Errors
/// If that takes too many variables or constraints.
pub fn encoded(problem: &Problem) -> Result<Problem, EncodeError> {
    let rules = &problem.numbers;
    if rules.is_empty() {
        return Ok(problem.clone());
    }
    let old = problem.rules.variables();
    let mut names: Vec<String> = old.names().to_vec();
    let (mut first, mut words, mut one_hot) = (Vec::new(), Vec::new(), Vec::new());
    let mut constraints = Vec::new();
    for column in &rules.columns {
        let count = column.max - column.min + 1;
        if count > MOST_VALUES {
            return Err(EncodeError::Range { column: column.name.clone(), count });
        }
        first.push(names.len() as u32);
        let start = start(&column.name);
        names.extend((column.min..=column.max).map(|value| format!("{start}{value}]")));
        one_hot.push(block(&column.name));
        let line = format!("{} is a number from {} to {}", column.name, column.min, column.max);
        constraints.push((exactly_one(first[first.len() - 1], count as u32), line));
    }
    let mut known: BTreeMap<String, u32> = BTreeMap::new();
    known.extend(names.iter().cloned().zip(0..));
    for category in &rules.categories {
        let start = start(&category.name);
        let own: Vec<String> = category.labels.iter().map(|label| format!("{start}{label}]")).collect();
        // The column of words may be there already, with rules of its own.
        let there: Option<Vec<u32>> = own.iter().map(|name| known.get(name).copied()).collect();
        match there {
            Some(all) if !all.is_empty() => words.push(all),
            _ => {
                let first = names.len() as u32;
                words.push((first..first + own.len() as u32).collect());
                let line = format!("{} is one of {}", category.name, category.labels.join(", "));
                constraints.push((exactly_one(first, own.len() as u32), line));
                names.extend(own);
                one_hot.push(block(&category.name));
            }
        }
    }
    if names.len() > MOST_VARIABLES {
        return Err(EncodeError::Variables(names.len()));
    }
    let linear = problem.linear.clone();
    let mut encoding = Encoding::default();
    let mut encoder = Encoder { rules, first, words, names, constraints, linear, line: String::new() };
    for rule in &rules.rules {
        encoder.line = rules.line(rule);
        let known = encoder.linear.len();
        let too_many = || EncodeError::Combinations(rules.line(rule));
        encoder.claim(&rule.claim, rule.gate).ok_or_else(too_many)?;
        encoding.linear.extend((known..encoder.linear.len()).map(|at| (at, encoder.line.clone())));
    }
    let Encoder { names, constraints, linear, .. } = encoder;
    let mut variables =
        Variables::from_names(names).map_err(|error| EncodeError::Names(error.to_string()))?;
    for block in old.blocks() {
        if let Some(axis) = block.one_hot() {
            let axis = block.axes()[axis].name().to_owned();
            variables
                .set_one_hot(block.name(), &axis)
                .map_err(|error| EncodeError::Names(error.to_string()))?;
        }
    }
    one_hot.sort();
    one_hot.dedup();
    for block in one_hot {
        variables.set_one_hot(&block, "value").map_err(|error| EncodeError::Names(error.to_string()))?;
    }
    let mut set = RuleSet::with_rules(variables, problem.rules.rules().to_vec());
    set.notes.clone_from(&problem.rules.notes);
    for (constraint, line) in constraints {
        let at = set.len();
        if set.insert(Rule::given(constraint)) {
            encoding.rules.insert(at, line);
        }
    }
    Ok(Problem {
        rules: set,
        linear,
        numbers: NumberRules { encoding, ..NumberRules::default() },
        ..problem.clone()
    })
}

fn exactly_one(first: u32, count: u32) -> Constraint {
    Constraint::exactly(1, (first..first + count).map(|var| Var(var).positive()))
}

impl Encoder<'_> {
    fn values(&self, column: usize) -> impl Iterator<Item = (i64, Lit)> + use<> {
        let (min, max, first) =
            (self.rules.columns[column].min, self.rules.columns[column].max, self.first[column]);
        (min..=max).zip(first..).map(|(value, var)| (value, Var(var).positive()))
    }

    fn gate(&self, gate: Option<Gate>) -> Option<Lit> {
        gate.map(|gate| Var(self.words[gate.category][gate.label]).positive())
    }

    fn insert(&mut self, constraint: Constraint, gate: Option<Gate>) {
        let constraint = match self.gate(gate) {
            Some(gate) => constraint.gated(gate),
            None => constraint,
        };
        self.constraints.push((constraint, self.line.clone()));
    }

    /// A sum that is at most a constant; under a gate the constant is out of reach where the gate is closed.
    fn at_most(&mut self, terms: &[(i64, usize)], constant: i64, gate: Option<Gate>) -> Option<()> {
        let mut all: Vec<(i64, Lit)> = Vec::new();
        let mut greatest = 0i64;
        for (coefficient, column) in terms {
            let range = &self.rules.columns[*column];
            let most = coefficient.checked_mul(if *coefficient > 0 { range.max } else { range.min })?;
            greatest = greatest.checked_add(most)?;
            for (value, literal) in self.values(*column) {
                all.push((coefficient.checked_mul(value)?, literal));
            }
        }
        let mut most = constant;
        if let Some(gate) = self.gate(gate) {
            let reach = greatest.checked_sub(constant)?.max(0);
            all.push((reach, gate));
            most = constant.checked_add(reach)?;
        }
        self.linear.push(Linear::merged(all, None, Some(most))?);
        Some(())
    }

    /// Forbids all combinations of columns' values that a claim is false of.
    fn forbid(&mut self, claim: &Claim, gate: Option<Gate>) -> Option<()> {
        let columns = claim.columns();
        let sizes: Vec<usize> = columns.iter().map(|column| self.values(*column).count()).collect();
        let all = sizes.iter().try_fold(1usize, |all, size| all.checked_mul(*size))?;
        if all > MOST_COMBINATIONS {
            return None;
        }
        let mut numbers = vec![None; self.rules.columns.len()];
        for combination in 0..all {
            let mut rest = combination;
            let mut literals = Vec::with_capacity(columns.len());
            for (column, size) in columns.iter().zip(&sizes) {
                let (value, literal) = self.values(*column).nth(rest % size)?;
                rest /= size;
                numbers[*column] = Some(value);
                literals.push(!literal);
            }
            if claim.holds(&numbers, &[]) == Some(false) {
                self.insert(Constraint::at_least(1, literals), gate);
            }
        }
        Some(())
    }

    fn claim(&mut self, claim: &Claim, gate: Option<Gate>) -> Option<()> {
        match claim {
            Claim::Linear { terms, relation, constant } => {
                self.at_most(terms, *constant, gate)?;
                if *relation == Relation::Equal {
                    let turned: Vec<(i64, usize)> = terms.iter().map(|(c, column)| (-c, *column)).collect();
                    self.at_most(&turned, -constant, gate)?;
                }
                Some(())
            }
            Claim::Product { .. } | Claim::Ratio { .. } | Claim::Distance { .. } | Claim::Apart { .. } => {
                self.forbid(claim, gate)
            }
            Claim::Distinct { columns, by, shift } => {
                let mut of_key: BTreeMap<i64, Vec<Lit>> = BTreeMap::new();
                for column in columns {
                    for (value, literal) in self.values(*column) {
                        of_key.entry((value + shift).div_euclid(*by)).or_default().push(literal);
                    }
                }
                of_key
                    .into_values()
                    .filter(|literals| literals.len() > 1)
                    .for_each(|literals| self.insert(Constraint::at_most(1, literals), gate));
                Some(())
            }
            Claim::Differences { columns } => self.differences(columns, gate),
            Claim::Increasing { columns, step } => {
                columns.windows(2).try_for_each(|two| self.at_most(&[(1, two[0]), (-1, two[1])], -step, gate))
            }
            Claim::Count { columns, value, least, most } => {
                let of = |column: &usize| self.values(*column).find(|(one, _)| one == value);
                let literals: Vec<Lit> = columns.iter().filter_map(of).map(|(_, literal)| literal).collect();
                let most = (*most).min(literals.len()) as u32;
                self.insert(Constraint::new(literals, Sums::range(*least as u32, most)), gate);
                Some(())
            }
            Claim::Sign { category, .. } => self.sign(claim, *category, gate),
        }
    }

    /// A variable for each distance of two columns: it is true where they have it.
    fn differences(&mut self, columns: &[usize], gate: Option<Gate>) -> Option<()> {
        let mut of_distance: BTreeMap<i64, Vec<Lit>> = BTreeMap::new();
        for (count, (a, b)) in pairs(columns).enumerate() {
            let mut own: BTreeMap<i64, Lit> = BTreeMap::new();
            for (value, first) in self.values(a) {
                for (other, second) in self.values(b).collect::<Vec<_>>() {
                    let distance = (value - other).abs();
                    let next = Var(self.names.len() as u32).positive();
                    let literal = *own.entry(distance).or_insert_with(|| {
                        let (a, b) = (&self.rules.columns[a].name, &self.rules.columns[b].name);
                        let plain = |name: &str| name.replace('[', "(").replace(']', ")");
                        self.names.push(format!(
                            "{AUXILIARY}{} and {} {distance} ({count})",
                            plain(a),
                            plain(b)
                        ));
                        next
                    });
                    let constraint = Constraint::at_least(1, [!first, !second, literal]);
                    self.constraints.push((constraint, self.line.clone()));
                    if self.constraints.len() > MOST_COMBINATIONS {
                        return None;
                    }
                }
            }
            own.into_iter()
                .for_each(|(distance, literal)| of_distance.entry(distance).or_default().push(literal));
        }
        of_distance
            .into_values()
            .filter(|literals| literals.len() > 1)
            .for_each(|literals| self.insert(Constraint::at_most(1, literals), gate));
        Some(())
    }

    /// For each combination the word that it has.
    fn sign(&mut self, claim: &Claim, category: usize, gate: Option<Gate>) -> Option<()> {
        let columns = claim.columns();
        let sizes: Vec<usize> = columns.iter().map(|column| self.values(*column).count()).collect();
        let all = sizes.iter().try_fold(1usize, |all, size| all.checked_mul(*size))?;
        if all > MOST_COMBINATIONS {
            return None;
        }
        let mut numbers = vec![None; self.rules.columns.len()];
        let mut words = vec![None; self.rules.categories.len()];
        for combination in 0..all {
            let mut rest = combination;
            let mut literals = Vec::with_capacity(columns.len() + 1);
            for (column, size) in columns.iter().zip(&sizes) {
                let (value, literal) = self.values(*column).nth(rest % size)?;
                rest /= size;
                numbers[*column] = Some(value);
                literals.push(!literal);
            }
            let labels = 0..self.rules.categories[category].labels.len();
            let word = labels.into_iter().find(|label| {
                words[category] = Some(*label);
                claim.holds(&numbers, &words) == Some(true)
            });
            if let Some(label) = word {
                literals.push(Var(self.words[category][label]).positive());
                self.insert(Constraint::at_least(1, literals), gate);
            }
        }
        Some(())
    }
}
