//! Planning by the exact reasoner, on whatever rules were learned.
//!
//! The rules are put on the grid once. A question says where start, end and obstacles are at every cell: with
//! these values in their places, the rules are on cells of the path alone. They are loaded for each question.
//!
//! Rules of a single literal are left: the ends are on the path, obstacles are not, nor are cells with too
//! few neighbours. Cells that are off the path leave the other rules. Cells that are on it stay there, with
//! the gates they are: the reasoner proves costs by adding up gated rules modulo two, and the rules of the
//! ends are those that make the sum odd. With the ends' values in their places, their rules become plain
//! "exactly one of these", whose costs the reasoner takes for a choice of one and not for costs of cells. The
//! proof then stops short of the optimum, and a search over all ways has to make up for the rest.
//!
//! Preferences among equally cheap paths belong to moves and not to cells, and are left out here.

use preceptron_logic::{Constraint, Lit, Problem, Rule, RuleSet, Var};
use preceptron_reason::{Backend, Query, TieBreak};

use super::rules::absolute;
use super::{Cell, Grid, Kind, LENGTH, Plan, PlanError, Request, on_grid};

/// A planner by the exact reasoner.
pub struct GenericPlanner {
    grid: Grid,
    rules: RuleSet,
}

impl GenericPlanner {
    /// Puts relative rules on a grid.
    pub fn new(rules: &RuleSet, grid: &Grid) -> GenericPlanner {
        GenericPlanner { grid: *grid, rules: on_grid(rules, grid) }
    }

    /// A question as a problem over the grid's variables: the rules with what is given in its place, what
    /// is given, and the costs of cells.
    ///
    /// # Errors
    /// If the question is not about the grid.
    pub fn problem(&self, request: &Request) -> Result<Problem, PlanError> {
        request.check(&self.grid)?;
        let (start, end) = (self.grid.number(request.start), self.grid.number(request.end));
        let mut known = vec![Known::Open; self.rules.variables().len()];
        for cell in 0..self.grid.len() {
            let mut set = |kind, value| known[absolute(&self.grid, kind, cell).index()] = Known::Given(value);
            set(Kind::Start, cell == start);
            set(Kind::End, cell == end);
            set(Kind::Obstacle, request.blocked[cell]);
        }
        let path = |cell| absolute(&self.grid, Kind::Path, cell).positive();
        let costs = request.risk.iter().enumerate().map(|(cell, risk)| (LENGTH + risk, path(cell)));
        let rules = with_values(&self.rules, known);
        Ok(Problem { objective: costs.collect(), ..Problem::from(rules) })
    }

    /// The cheapest path; nothing if there is none.
    ///
    /// # Errors
    /// If the question is not about the grid, or the cheapest cells that obey the rules are no path.
    pub fn plan(&self, request: &Request) -> Result<Option<Plan>, PlanError> {
        let mut reasoner = Backend::default().load(self.problem(request)?)?;
        // A fresh reasoner finds the same of several cheapest paths each time.
        let query = Query { ties: TieBreak::Any, explain: false, ..Query::default() };
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

/// What is known of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// The question says its value.
    Given(bool),
    /// A rule of a single literal says it.
    Follows(bool),
    Open,
}

impl Known {
    fn value(self) -> Option<bool> {
        match self {
            Known::Given(value) | Known::Follows(value) => Some(value),
            Known::Open => None,
        }
    }
}

/// The rules with what is given in its place, without literals that are false by rules of a single literal,
/// and with a rule for each value that is known.
fn with_values(rules: &RuleSet, mut known: Vec<Known>) -> RuleSet {
    let mut left: Vec<Constraint> = rules.constraints().cloned().collect();
    loop {
        left = left.iter().filter_map(|constraint| with_values_in(constraint, &known)).collect();
        let before = left.len();
        left.retain(|constraint| {
            match (constraint.literals(), constraint.gate(), constraint.sums().single()) {
                ([literal], None, Some(sum)) if known[literal.var().index()] == Known::Open => {
                    known[literal.var().index()] = Known::Follows(literal.holds(sum == 1));
                    false
                }
                _ => true,
            }
        });
        if left.len() == before {
            break;
        }
    }
    let values = known.iter().enumerate().filter_map(|(var, known)| Some((var, known.value()?)));
    let units = values.map(|(var, value)| Constraint::clause([Lit::new(Var(var as u32), !value)]));
    RuleSet::with_rules(rules.variables().clone(), units.chain(left).map(Rule::given))
}

/// A constraint with what is given in its place and without what is false; nothing if it says nothing more.
fn with_values_in(constraint: &Constraint, known: &[Known]) -> Option<Constraint> {
    let known = |literal: Lit| match known[literal.var().index()] {
        Known::Given(value) => Known::Given(literal.holds(value)),
        Known::Follows(value) => Known::Follows(literal.holds(value)),
        Known::Open => Known::Open,
    };
    let gate = constraint.gate();
    if gate.is_some_and(|gate| known(gate).value() == Some(false)) {
        return None;
    }
    let stays = |literal: &Lit| matches!(known(*literal), Known::Open | Known::Follows(true));
    let open = constraint.literals().iter().copied().filter(stays);
    let sure = constraint.literals().iter().filter(|literal| known(**literal) == Known::Given(true));
    let body = Constraint::new(open, constraint.sums().lowered(sure.count() as u32));
    let body = match gate.filter(stays) {
        Some(gate) if body.is_contradiction() => Constraint::clause([!gate]),
        Some(gate) => body.gated(gate),
        None => body,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driving::{CompiledPlanner, degree_rules, risk};
    use preceptron_base::stream;
    use rand::RngExt;

    const CORNER: Cell = Cell { row: 0, column: 0 };

    /// Ends keep their gates and stay in other cells' rules; obstacles, and cells with too few neighbours,
    /// leave them.
    #[test]
    fn gates_of_ends_stay() {
        let grid = Grid { rows: 3, columns: 3, ..Grid::default() };
        // S a .     The corner on the left touches no cell that is free, the one on the right touches
        // # # b     a and b.
        // . # E
        let blocked = [false, false, false, true, true, false, false, true, false];
        let end = Cell { row: 2, column: 2 };
        let request = Request { start: CORNER, end, blocked: &blocked, risk: &[0; 9] };
        let problem = GenericPlanner::new(&degree_rules(), &grid).problem(&request).unwrap();
        let path = |cell| absolute(&grid, Kind::Path, cell).positive();
        let gated: Vec<&Constraint> = problem.rules.constraints().filter(|c| c.gate().is_some()).collect();
        let degree = |count, around: &[usize], cell| {
            Constraint::exactly(count, around.iter().map(|other| path(*other))).gated(path(cell))
        };
        let expected = [
            degree(1, &[1], 0),
            degree(2, &[0, 2, 5], 1),
            degree(2, &[1, 5], 2),
            degree(2, &[1, 2, 8], 5),
            degree(1, &[5], 8),
        ];
        assert_eq!(gated, expected.iter().collect::<Vec<_>>());
        let units: Vec<Lit> = problem.rules.constraints().filter(|c| c.gate().is_none()).map(unit).collect();
        let of_path = units.into_iter().filter(|unit| (18..27).contains(&unit.var().index()));
        let expected = [path(0), !path(3), !path(4), !path(6), !path(7), path(8)];
        assert_eq!(of_path.collect::<Vec<_>>(), expected);
    }

    fn unit(constraint: &Constraint) -> Lit {
        constraint.as_clause().expect("a clause")[0]
    }

    /// Maps of 20x20 cells with small risks nearly everywhere, few obstacles or many: plans cost what the
    /// compiled planner says, and the reasoner proves nearly all of it modulo two.
    #[test]
    fn large_maps_with_small_risks() {
        let grid = Grid { rows: 20, columns: 20, ..Grid::default() };
        let generic = GenericPlanner::new(&degree_rules(), &grid);
        let compiled = CompiledPlanner::new(&degree_rules(), &grid).unwrap();
        let mut ways = 0;
        for item in 0..15 {
            let mut random = stream(9, "small risks", item);
            let density = [0.0, 0.05, 0.1, 0.2, 0.6][item as usize % 5];
            let blocked: Vec<bool> = (0..grid.len()).map(|_| random.random_bool(density)).collect();
            let mut likely = || {
                let range = if random.random_bool(0.1) { 0.5..0.95 } else { 0.01..0.1 };
                random.random_range(range)
            };
            let likely: Vec<f64> = (0..grid.len()).map(|_| likely()).collect();
            let mut end = |column| Cell { row: random.random_range(0..20), column };
            let (start, end) = (end(0), end(19));
            let request = Request { start, end, blocked: &blocked, risk: &risk(&likely, 1.0) };
            let plan = generic.plan(&request).unwrap();
            let cost = compiled.plan(&request, None).unwrap().map(|plan| plan.cost);
            assert_eq!(plan.map(|plan| plan.cost), cost, "item {item}");
            let Some(cost) = cost else { continue };
            ways += 1;
            let query = Query { ties: TieBreak::Any, explain: false, ..Query::default() };
            let mut reasoner = Backend::default().load(generic.problem(&request).unwrap()).unwrap();
            let work = reasoner.solve(&query).unwrap().work;
            assert!(work.cores <= work.parity_cores + 20, "item {item}, cost {cost}: {work:?}");
        }
        assert!((8..15).contains(&ways), "{ways} maps have a way");
    }
}
