//! Planning by the exact reasoner, on whatever rules were learned.
//!
//! The rules are put on the grid once. A question says where start, end and obstacles are at every cell: with
//! these values in their places, and with what follows from single literals, the rules are on cells of the
//! path alone, and few. They are loaded for each question. Preferences among equally cheap paths belong to
//! moves and not to cells, and are left out here.

use precept_logic::{Constraint, Lit, Problem, Rule, RuleSet, Var};
use precept_reason::{Backend, Query, Ties};

use super::rules::absolute;
use super::{Cell, Grid, Kind, LENGTH, Plan, PlanError, Request, instantiate};

/// A planner by the exact reasoner.
pub struct GenericPlanner {
    grid: Grid,
    rules: RuleSet,
}

impl GenericPlanner {
    /// Puts relative rules on a grid.
    pub fn new(rules: &RuleSet, grid: &Grid) -> GenericPlanner {
        GenericPlanner { grid: *grid, rules: instantiate(rules, grid) }
    }

    /// A question as a problem over the grid's variables: the rules with what is given in its place, what
    /// is given, and the costs of cells.
    ///
    /// # Errors
    /// If the question is not about the grid.
    pub fn problem(&self, request: &Request) -> Result<Problem, PlanError> {
        request.check(&self.grid)?;
        let (start, end) = (self.grid.number(request.start), self.grid.number(request.end));
        let mut values = vec![None; self.rules.variables().len()];
        for cell in 0..self.grid.len() {
            let mut set = |kind, value| values[absolute(&self.grid, kind, cell).index()] = Some(value);
            set(Kind::Start, cell == start);
            set(Kind::End, cell == end);
            set(Kind::Obstacle, request.blocked[cell]);
        }
        let path = |cell| absolute(&self.grid, Kind::Path, cell).positive();
        let costs = request.risk.iter().enumerate().map(|(cell, risk)| (LENGTH + risk, path(cell)));
        let rules = with_values(&self.rules, values);
        Ok(Problem { objective: costs.collect(), ..Problem::from(rules) })
    }

    /// The cheapest path; nothing if there is none.
    ///
    /// # Errors
    /// If the question is not about the grid, or the cheapest cells that obey the rules are no path.
    pub fn plan(&self, request: &Request) -> Result<Option<Plan>, PlanError> {
        let mut reasoner = Backend::default().load(self.problem(request)?)?;
        // A fresh reasoner finds the same of several cheapest paths each time.
        let query = Query { ties: Ties::Any, explain: false, ..Query::default() };
        let Some(solution) = reasoner.solve(&query)?.solution else { return Ok(None) };
        let is_path = |cell: usize| solution.value(absolute(&self.grid, Kind::Path, cell));
        let mut left: Vec<bool> = (0..self.grid.len()).map(is_path).collect();
        let cells = left.iter().filter(|on| **on).count();
        let path = walk(&self.grid, &mut left, request.start);
        if path.len() != cells || path.last() != Some(&request.end) {
            return Err(PlanError::NotAPath { cells });
        }
        Ok(Some(Plan { path, cost: solution.cost }))
    }
}

/// The rules with these values in their places, with what follows from rules of a single literal, and with
/// a rule for each value.
fn with_values(rules: &RuleSet, mut values: Vec<Option<bool>>) -> RuleSet {
    let mut left: Vec<Constraint> = rules.constraints().cloned().collect();
    loop {
        left = left.iter().filter_map(|constraint| with_values_in(constraint, &values)).collect();
        let before = left.len();
        left.retain(|constraint| {
            match (constraint.literals(), constraint.gate(), constraint.sums().single()) {
                ([literal], None, Some(sum)) if values[literal.var().index()].is_none() => {
                    values[literal.var().index()] = Some(literal.holds(sum == 1));
                    false
                }
                _ => true,
            }
        });
        if left.len() == before {
            break;
        }
    }
    let known = values.iter().enumerate().filter_map(|(var, value)| value.map(|value| (var, value)));
    let units = known.map(|(var, value)| Constraint::clause([Lit::new(Var(var as u32), !value)]));
    RuleSet::with_rules(rules.variables().clone(), units.chain(left).map(Rule::given))
}

/// A constraint with values in their places; nothing if it says nothing more.
fn with_values_in(constraint: &Constraint, values: &[Option<bool>]) -> Option<Constraint> {
    let value = |literal: Lit| values[literal.var().index()].map(|value| literal.holds(value));
    let gate = constraint.gate();
    if gate.is_some_and(|gate| value(gate) == Some(false)) {
        return None;
    }
    let open = constraint.literals().iter().copied().filter(|literal| value(*literal).is_none());
    let sure = constraint.literals().iter().filter(|literal| value(**literal) == Some(true)).count() as u32;
    let body = Constraint::new(open, constraint.sums().lowered(sure));
    let body = match gate {
        Some(gate) if value(gate).is_none() && body.is_contradiction() => Constraint::clause([!gate]),
        Some(gate) if value(gate).is_none() => body.gated(gate),
        _ => body,
    };
    (!body.is_trivial()).then_some(body)
}

/// Walks over cells that are left, from a start, as long as there is a next one.
fn walk(grid: &Grid, left: &mut [bool], start: Cell) -> Vec<Cell> {
    let mut path = Vec::new();
    let mut next = left[grid.number(start)].then_some(start);
    while let Some(cell) = next {
        left[grid.number(cell)] = false;
        path.push(cell);
        next = grid.neighbours(cell).find(|other| left[grid.number(*other)]);
    }
    path
}
