//! Planning by the exact reasoner, on whatever rules were learned.
//!
//! The rules are put on the grid and loaded once. A question fixes starts, ends and obstacles at every cell;
//! the cells of the path are what is left to decide, at their prices. Preferences among equally cheap paths
//! belong to moves and not to cells, and are left out here.

use precept_logic::{Problem, RuleSet};
use precept_reason::{Backend, Query, Reasoner};

use super::rules::absolute;
use super::{Cell, Grid, Kind, LENGTH, Plan, PlanError, Request, instantiate};

/// A planner by the exact reasoner.
pub struct GenericPlanner {
    grid: Grid,
    reasoner: Box<dyn Reasoner>,
}

impl GenericPlanner {
    /// Puts relative rules on a grid and loads them.
    ///
    /// # Errors
    /// If the reasoner cannot take them.
    pub fn new(rules: &RuleSet, grid: &Grid) -> Result<GenericPlanner, PlanError> {
        let mut problem = Problem::from(instantiate(rules, grid));
        let path = |cell| absolute(grid, Kind::Path, cell).positive();
        problem.objective = (0..grid.len()).map(|cell| (LENGTH, path(cell))).collect();
        Ok(GenericPlanner { grid: *grid, reasoner: Backend::default().load(problem)? })
    }

    /// The problem that was loaded: the rules at every cell, and the lengths.
    pub fn problem(&self) -> &Problem {
        self.reasoner.problem()
    }

    /// A question as a query of [`GenericPlanner::problem`].
    ///
    /// # Errors
    /// If the question is not about the grid.
    pub fn query(&self, request: &Request) -> Result<Query, PlanError> {
        request.check(&self.grid)?;
        let (start, end) = (self.grid.number(request.start), self.grid.number(request.end));
        let fixed = (0..self.grid.len()).flat_map(|cell| {
            let literal = |kind, value: bool| {
                let var = absolute(&self.grid, kind, cell);
                if value { var.positive() } else { var.negative() }
            };
            [
                literal(Kind::Start, cell == start),
                literal(Kind::End, cell == end),
                literal(Kind::Obstacle, request.blocked[cell]),
            ]
        });
        let path = |cell| absolute(&self.grid, Kind::Path, cell).positive();
        let risks = request.risk.iter().enumerate().filter(|(_, risk)| **risk > 0);
        let costs = risks.map(|(cell, risk)| (path(cell), *risk)).collect();
        Ok(Query { fixed: fixed.collect(), costs, explain: false, ..Query::default() })
    }

    /// The cheapest path; nothing if there is none.
    ///
    /// # Errors
    /// If the question is not about the grid, or the cheapest cells that obey the rules are no path.
    pub fn plan(&mut self, request: &Request) -> Result<Option<Plan>, PlanError> {
        let query = self.query(request)?;
        let Some(solution) = self.reasoner.solve(&query)?.solution else { return Ok(None) };
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
