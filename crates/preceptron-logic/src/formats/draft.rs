//! A problem as it is being read: symbols in place of variables until all of them are known.
//!
//! The order of variables can depend on symbols that come last (`x10` stands after `x9` wherever they
//! are first mentioned), and the canonical form of a constraint depends on that order; so readers
//! collect statements, and [`Draft::finish`] makes constraints of them.

use std::collections::{BTreeMap, HashMap};

use super::FormatError;
use super::products::Products;
use super::symbols::is_numbered;
use crate::{Body, Constraint, Expression, Linear, Lit, Problem, Rule, RuleSet, Soft, Sums, Var, Variables};

/// The sums that a statement allows.
pub(super) enum Allowed {
    /// Within these bounds.
    Between(Option<i64>, Option<i64>),
    /// One of these.
    OneOf(Vec<u32>),
}

/// A constraint as it is written.
pub(super) struct Statement {
    pub line: usize,
    /// Neighbours of one group that bound one sum from both sides are halves of one constraint.
    pub group: Option<usize>,
    pub weight: Option<u64>,
    pub gate: Option<Lit>,
    pub terms: Vec<(i64, Lit)>,
    pub allowed: Allowed,
}

impl Statement {
    /// A hard statement of no group, without a gate.
    pub fn new(line: usize, terms: Vec<(i64, Lit)>, allowed: Allowed) -> Statement {
        Statement { line, group: None, weight: None, gate: None, terms, allowed }
    }

    /// At least one of these.
    pub fn clause(line: usize, literals: impl IntoIterator<Item = Lit>) -> Statement {
        let mut literals: Vec<Lit> = literals.into_iter().collect();
        literals.sort_unstable();
        literals.dedup();
        let terms = literals.into_iter().map(|l| (1, l)).collect();
        Statement::new(line, terms, Allowed::Between(Some(1), None))
    }

    fn wrong(&self, problem: &str) -> FormatError {
        FormatError::Line { line: self.line, problem: problem.to_owned() }
    }

    /// The constraint over the variables that `place` gives for the symbols.
    fn body(&self, place: &[u32]) -> Result<Body, FormatError> {
        let moved = |l: Lit| Lit::new(Var(place[l.var().index()]), l.is_negated());
        let terms = self.terms.iter().map(|&(c, l)| (c, moved(l)));
        let (min, max) = match self.allowed {
            Allowed::Between(min, max) => (min, max),
            Allowed::OneOf(_) => (None, None),
        };
        let linear = Linear::merged(terms, min, max)
            .ok_or_else(|| self.wrong("the coefficients of one variable add up to more than 64 bits"))?;
        let cardinality = match &self.allowed {
            Allowed::Between(..) => linear.as_cardinality(),
            Allowed::OneOf(values) => {
                let plain =
                    linear.terms.len() == self.terms.len() && linear.terms.iter().all(|(c, _)| *c == 1);
                if !plain {
                    return Err(self.wrong("a set of sums is supported only for different variables"));
                }
                let literals = linear.terms.iter().map(|(_, l)| *l);
                Some(Constraint::new(literals, Sums::set(values.iter().copied())))
            }
        };
        match (cardinality, self.gate) {
            (Some(constraint), None) => Ok(Body::Cardinality(constraint)),
            (Some(constraint), Some(gate)) => Ok(Body::Cardinality(constraint.gated(moved(gate)))),
            (None, None) => Ok(Body::Linear(linear)),
            (None, Some(_)) => Err(self.wrong("a condition is supported only before unit coefficients")),
        }
    }
}

/// In which order the symbols are variables.
pub(super) enum Order {
    /// As they were mentioned.
    Mentioned,
    /// By number if all are numbered, and then with those that the file claims but does not mention.
    Numbered,
}

/// What has been read.
#[derive(Default)]
pub(super) struct Draft {
    symbols: Vec<String>,
    index: HashMap<String, u32>,
    names: BTreeMap<String, String>,
    products: Products,
    claimed: u64,
    pub derived: Vec<(usize, String, Expression)>,
    pub one_hot: Vec<(usize, String, String)>,
    pub statements: Vec<Statement>,
    pub objective: Vec<(i64, Lit)>,
    pub objective_constant: i64,
    pub cost_bound: Option<u64>,
}

impl Draft {
    /// The variable that this symbol stands for.
    pub fn var(&mut self, symbol: &str) -> Var {
        if let Some(&index) = self.index.get(symbol) {
            return Var(index);
        }
        let index = self.symbols.len() as u32;
        self.symbols.push(symbol.to_owned());
        self.index.insert(symbol.to_owned(), index);
        Var(index)
    }

    /// The literal that a product of literals is; nothing if it is 0 whatever they are.
    pub fn product(&mut self, factors: Vec<Lit>) -> Option<Lit> {
        self.products.literal(factors, || {
            // The place of a symbol that no file can mention.
            self.symbols.push(String::new());
            Var(self.symbols.len() as u32 - 1)
        })
    }

    /// The variable that this symbol stands for, if it was mentioned.
    pub fn find(&self, symbol: &str) -> Option<Var> {
        self.index.get(symbol).map(|&index| Var(index))
    }

    /// Keeps the name of a symbol.
    pub fn name(&mut self, line: usize, symbol: String, name: &str) -> Result<(), FormatError> {
        match self.names.insert(symbol.clone(), name.to_owned()) {
            None => Ok(()),
            Some(_) => Err(FormatError::Line { line, problem: format!("a second name for {symbol}") }),
        }
    }

    /// Takes a header's word for the number of variables. A claim far beyond what a text of this length
    /// can mention is refused rather than given memory.
    pub fn claim(&mut self, line: usize, variables: u64, text: &str) -> Result<(), FormatError> {
        let most = 100_000.max(text.len() as u64);
        if variables > most {
            let problem = format!("{variables} variables claimed, and at most {most} in a file of this size");
            return Err(FormatError::Line { line, problem });
        }
        self.claimed = variables;
        Ok(())
    }

    /// The symbols in the order of their variables, without products.
    fn ordered(&mut self, order: Order) -> Vec<String> {
        if let Order::Numbered = order {
            for symbol in self.names.keys().cloned().collect::<Vec<_>>() {
                self.var(&symbol);
            }
        }
        let symbols = (0..).zip(&self.symbols).filter(|(index, _)| !self.products.contains(Var(*index)));
        let symbols: Vec<String> = symbols.map(|(_, symbol)| symbol.clone()).collect();
        if let Order::Mentioned = order {
            return symbols;
        }
        let numbers: Option<Vec<u64>> = symbols.iter().map(|s| is_numbered(s)).collect();
        let Some(mut numbers) = numbers else { return symbols };
        numbers.sort_unstable();
        if numbers.last().is_none_or(|&last| last <= self.claimed) {
            numbers = (1..=self.claimed).collect();
        }
        numbers.into_iter().map(|n| format!("x{n}")).collect()
    }

    /// The problem that was read.
    pub fn finish(mut self, order: Order) -> Result<Problem, FormatError> {
        let symbols = self.ordered(order);
        let mut place = vec![0; self.symbols.len()];
        for (position, symbol) in symbols.iter().enumerate() {
            if let Some(&index) = self.index.get(symbol) {
                place[index as usize] = position as u32;
            }
        }
        for (position, var) in (symbols.len()..).zip(self.products.variables()) {
            place[var.index()] = position as u32;
        }
        let mut names: Vec<String> =
            symbols.iter().map(|s| self.names.remove(s).unwrap_or_else(|| s.clone())).collect();
        let products = self.products.names(&place, &names, &symbols);
        names.extend(products);
        let mut variables = Variables::from_names(names)?;
        for (line, axis, expression) in &self.derived {
            let problem =
                |e: crate::VariablesError| FormatError::Line { line: *line, problem: e.to_string() };
            variables.derive(axis, expression).map_err(problem)?;
        }
        for (line, block, axis) in &self.one_hot {
            let problem =
                |e: crate::VariablesError| FormatError::Line { line: *line, problem: e.to_string() };
            variables.set_one_hot(block, axis).map_err(problem)?;
        }
        let mut problem = Problem::from(RuleSet::new(variables));
        let mut hard: Vec<(Option<usize>, Body)> = Vec::new();
        let tied: Vec<Statement> = self.products.statements().collect();
        for statement in self.statements.iter().chain(&tied) {
            let body = statement.body(&place)?;
            match (statement.weight, hard.last_mut()) {
                (Some(weight), _) => problem.soft.push(Soft { weight, body }),
                (None, Some((group, last))) if group.is_some() && *group == statement.group => {
                    match joined(last, &body) {
                        Some(both) => *last = both,
                        None => hard.push((statement.group, body)),
                    }
                }
                (None, _) => hard.push((statement.group, body)),
            }
        }
        for (_, body) in hard {
            match body {
                Body::Cardinality(constraint) => {
                    problem.rules.insert(Rule::given(constraint));
                }
                Body::Linear(linear) => problem.linear.push(linear),
            }
        }
        let moved = |&(c, l): &(i64, Lit)| (c, Lit::new(Var(place[l.var().index()]), l.is_negated()));
        // The bound that no constraint has shows what merging adds to the constant.
        let objective = Linear::merged(self.objective.iter().map(moved), Some(0), None);
        let constant = objective.as_ref().and_then(|o| self.objective_constant.checked_sub(o.min?));
        let (Some(objective), Some(constant)) = (objective, constant) else {
            let problem = "the objective's coefficients add up to more than 64 bits".to_owned();
            return Err(FormatError::Line { line: 1, problem });
        };
        problem.objective = objective.terms;
        problem.objective_constant = constant;
        problem.cost_bound = self.cost_bound;
        Ok(problem)
    }
}

/// The one constraint of which two are the halves: the same sum, bounded once below and once above.
fn joined(one: &Body, other: &Body) -> Option<Body> {
    match (one, other) {
        (Body::Cardinality(one), Body::Cardinality(other)) => {
            if one.literals() != other.literals() || one.gate().is_some() || other.gate().is_some() {
                return None;
            }
            let count = one.len() as u32;
            let (least, most) = match (one.sums(), other.sums()) {
                (&Sums::Range { min: 0, max }, &Sums::Range { min, max: all })
                | (&Sums::Range { min, max: all }, &Sums::Range { min: 0, max })
                    if all == count && max < count && min > 0 =>
                {
                    (min, max)
                }
                _ => return None,
            };
            let sums = if least > most { Sums::EMPTY } else { Sums::range(least, most) };
            Some(Body::Cardinality(Constraint::new(one.literals().iter().copied(), sums)))
        }
        (Body::Linear(one), Body::Linear(other)) if one.terms == other.terms => {
            match (one.min, one.max, other.min, other.max) {
                (Some(min), None, None, Some(max)) | (None, Some(max), Some(min), None) => {
                    Some(Body::Linear(Linear { terms: one.terms.clone(), min: Some(min), max: Some(max) }))
                }
                _ => None,
            }
        }
        _ => None,
    }
}
