//! Plans on driving maps, by rules that were learned from demonstrations.
//!
//! The rules come from random demonstrations on 10x10 maps. A map has obstacles that are certain on a tenth
//! of its cells, and elsewhere what a trained network says: small risks nearly everywhere, large ones here
//! and there. The reference is Dijkstra's algorithm, for which the rules are proved to be those of a path.

use std::time::Instant;

use precept_learn::stream;
use precept_logic::RuleSet;
use precept_tasks::driving::{
    Cell, CompiledPlanner, Demonstration, GenericPlanner, Grid, Lesson, Map, Request, RuleSettings,
    learn_rules, random_shortest, risk,
};
use rand::RngExt;

use super::super::Line;
use super::{Family, own};

/// How many demonstrations the rules are learned from.
const SHOWN: u64 = 500;

/// A question with a way from the first column to the last.
struct Question {
    start: Cell,
    end: Cell,
    blocked: Vec<bool>,
    risk: Vec<i64>,
}

impl Question {
    fn new(grid: &Grid, density: f64, seed: u64, name: &str, item: u64) -> Question {
        let mut random = stream(seed, name, item);
        loop {
            let mut end = |column| Cell { row: random.random_range(0..grid.rows), column };
            let (start, end) = (end(0), end(grid.columns - 1));
            let blocked = (0..grid.len()).map(|_| random.random_bool(density)).collect();
            let likely: Vec<f64> = (0..grid.len())
                .map(|_| {
                    let range = if random.random_bool(0.1) { 0.5..0.95 } else { 0.01..0.1 };
                    random.random_range(range)
                })
                .collect();
            let question = Question { start, end, blocked, risk: risk(&likely, 1.0) };
            if random_shortest(grid, &question.request(), &mut random).is_some() {
                return question;
            }
        }
    }

    fn request(&self) -> Request<'_> {
        Request { start: self.start, end: self.end, blocked: &self.blocked, risk: &self.risk }
    }
}

/// Rules from demonstrations of shortest paths.
fn rules(seed: u64) -> anyhow::Result<RuleSet> {
    let grid = Grid { rows: 10, columns: 10, ..Grid::default() };
    let shown = |item| {
        let question = Question::new(&grid, 0.05, seed, "driving lessons", item);
        let request = Request { risk: &vec![0; grid.len()], ..question.request() };
        let path = random_shortest(&grid, &request, &mut stream(seed, "driving shown", item))?;
        let Question { start, end, blocked, .. } = question;
        Some((Map { grid, blocked }, Demonstration { start, end, path }))
    };
    let shown: Vec<(Map, Demonstration)> = (0..SHOWN).filter_map(shown).collect();
    let lessons: Vec<Lesson> =
        shown.iter().map(|(map, demonstration)| Lesson { demonstration, obstacles: Some(map) }).collect();
    Ok(learn_rules(&grid, &lessons, &RuleSettings::default())?.rules)
}

/// Maps of a side, beside Dijkstra's algorithm.
///
/// # Errors
/// If the rules that were learned are not those of a path.
pub fn maps(side: usize, count: usize, seed: u64) -> anyhow::Result<Family> {
    let grid = Grid { rows: side, columns: side, ..Grid::default() };
    let rules = rules(seed)?;
    let (generic, compiled) = (GenericPlanner::new(&rules, &grid), CompiledPlanner::new(&rules, &grid)?);
    let mut reference = Line::new("compiled", false);
    let mut problems = Vec::with_capacity(count);
    for item in 0..count as u64 {
        let question = Question::new(&grid, 0.1, seed, "driving maps", item);
        let started = Instant::now();
        let plan = compiled.plan(&question.request(), None)?;
        reference.add(started.elapsed().as_secs_f64(), Some(plan.map(|plan| plan.cost)));
        problems.push(generic.problem(&question.request())?);
    }
    let family = own("driving maps: the cheapest path by learned rules", problems.into_iter());
    Ok(Family { reference: Some(reference), ..family })
}
