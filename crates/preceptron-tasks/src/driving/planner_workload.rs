//! Random questions to planners, for benchmarks: maps to plan on, and rules from random paths to plan by.

use preceptron_base::{SettingsError, stream};
use rand::RngExt;

use super::{
    Cell, Demonstration, Grid, LearnedRules, Lesson, Map, Request, RuleSettings, learn_rules,
    random_shortest, risk,
};

/// A random map with a way over it from the first column to the last.
#[derive(Clone, Debug)]
pub struct PlannerWorkload {
    /// Which cells are blocked for sure.
    pub map: Map,
    /// A cell of the first column.
    pub start: Cell,
    /// A cell of the last column.
    pub end: Cell,
    /// The price of what else may be blocked.
    pub risk: Vec<i64>,
}

impl PlannerWorkload {
    /// The `item`-th map of a seed, on which about one cell in `1 / density` is blocked and no other is
    /// at risk.
    pub fn new(grid: &Grid, density: f64, seed: u64, item: u64) -> PlannerWorkload {
        let mut random = stream(seed, "drill", item);
        loop {
            let mut border = |column| Cell { row: random.random_range(0..grid.rows), column };
            let (start, end) = (border(0), border(grid.columns - 1));
            let blocked = (0..grid.len()).map(|_| random.random_bool(density)).collect();
            let workload =
                PlannerWorkload { map: Map { grid: *grid, blocked }, start, end, risk: vec![0; grid.len()] };
            if random_shortest(grid, &workload.request(), &mut random).is_some() {
                return workload;
            }
        }
    }

    /// The same with risks as a trained network has them: small nearly everywhere, large here and there.
    #[must_use]
    pub fn at_risk(mut self, seed: u64, item: u64) -> PlannerWorkload {
        let mut random = stream(seed, "risk", item);
        let mut likely = |_| {
            let range = if random.random_bool(0.1) { 0.5..0.95 } else { 0.01..0.1 };
            random.random_range(range)
        };
        self.risk = risk(&(0..self.map.grid.len()).map(&mut likely).collect::<Vec<f64>>(), 1.0);
        self
    }

    /// What a planner is asked.
    pub fn request(&self) -> Request<'_> {
        Request { start: self.start, end: self.end, blocked: &self.map.blocked, risk: &self.risk }
    }

    /// The rules of `count` random shortest paths around few obstacles, on maps of the default grid.
    ///
    /// # Errors
    /// If settings of the rules are out of their ranges.
    pub fn rules(count: u64, seed: u64, settings: &RuleSettings) -> Result<LearnedRules, SettingsError> {
        let grid = Grid::default();
        let shown = |item| {
            let workload = PlannerWorkload::new(&grid, 0.05, seed, item);
            let path = random_shortest(&grid, &workload.request(), &mut stream(seed, "shown", item))?;
            let PlannerWorkload { map, start, end, .. } = workload;
            Some((map, Demonstration { start, end, path }))
        };
        let shown: Vec<(Map, Demonstration)> = (0..count).filter_map(shown).collect();
        let lessons: Vec<Lesson> =
            shown.iter().map(|(map, demonstration)| Lesson { demonstration, obstacles: Some(map) }).collect();
        learn_rules(&grid, &lessons, settings, &preceptron_base::Quiet)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driving::CompiledPlanner;

    #[test]
    fn rules_of_random_paths_are_those_of_a_path() {
        let rules = PlannerWorkload::rules(500, 1, &RuleSettings::default()).unwrap().rules;
        let grid = Grid { rows: 20, columns: 20, ..Grid::default() };
        let planner = CompiledPlanner::new(&rules, &grid).unwrap();
        for item in 0..20 {
            let workload = PlannerWorkload::new(&grid, 0.2, 1, item);
            let free = planner.plan(&workload.request(), None).unwrap().unwrap();
            let workload = workload.at_risk(1, item);
            assert_eq!(workload.risk.len(), grid.len());
            let risky = planner.plan(&workload.request(), None).unwrap().unwrap();
            assert!(risky.cost > free.cost, "item {item}: every cell is at some risk");
        }
    }
}
