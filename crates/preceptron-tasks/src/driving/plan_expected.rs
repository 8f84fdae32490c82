//! Planning by simulation: of the paths that a driver may take, the one that is worth most on average
//! (expected utility, by sampling).
//!
//! What is blocked is known by probabilities. Maps are drawn from them, and on each a driver who knows it takes
//! the shortest path of his preference: how often he takes which path is what can be known of the one that he
//! would show. A plan is worth its F1 against the driver's path, and on a map on which it collides less by a share of
//! that, the *caution*: 1 if such a plan is worth nothing.

use std::collections::BTreeSet;

use rand::{Rng, RngExt};

use super::{Cell, CompiledPlanner, Grid, Plan, PlanError, Preferences, Request};

/// How many maps are drawn for a plan.
pub const DRAWS: usize = 200;

/// The plan of the greatest expected worth, and that worth, from 0 to 1. Tried are the paths that the driver takes
/// on the maps drawn, and those given. Nothing if there are none. Start and end are taken to be free.
///
/// # Errors
/// If the probabilities, the ends or the paths are not those of the planner's grid.
pub fn plan_expected(
    planner: &CompiledPlanner,
    ends: (Cell, Cell),
    probabilities: &[f32],
    preferences: Option<&Preferences>,
    caution: f64,
    given: &[Vec<Cell>],
    random: &mut impl Rng,
) -> Result<Option<(Vec<Cell>, f64)>, PlanError> {
    let grid = *planner.grid();
    let drawn = draw(planner, ends, probabilities, preferences, random)?;
    let mut candidates: BTreeSet<Vec<usize>> = drawn.iter().map(|(_, path)| path.clone()).collect();
    for path in given {
        candidates.insert(numbers(&grid, path)?);
    }
    let mut best: Option<(Vec<usize>, f64)> = None;
    for plan in candidates {
        let worth = worth(&grid, &plan, &drawn, caution);
        if best.as_ref().is_none_or(|(_, known)| worth > *known) {
            best = Some((plan, worth));
        }
    }
    Ok(best.map(|(plan, worth)| (plan.into_iter().map(|number| grid.cell(number)).collect(), worth)))
}

/// The logarithm of the probability that the driver takes a path, with half a path added that he does not take.
///
/// # Errors
/// If the probabilities or cells are not those of the planner's grid.
pub fn ln_probability(
    planner: &CompiledPlanner,
    path: &[Cell],
    probabilities: &[f32],
    preferences: Option<&Preferences>,
    random: &mut impl Rng,
) -> Result<f64, PlanError> {
    let (Some(&start), Some(&end)) = (path.first(), path.last()) else { return Ok(f64::NEG_INFINITY) };
    let path = numbers(planner.grid(), path)?;
    let drawn = draw(planner, (start, end), probabilities, preferences, random)?;
    let taken = drawn.iter().filter(|(_, other)| *other == path).count();
    Ok(((taken as f64 + 0.5) / (DRAWS as f64 + 1.0)).ln())
}

/// A map that was drawn, and the path that the driver takes on it, by the numbers of its cells.
type Drawn = (Vec<bool>, Vec<usize>);

/// Draws maps; those without a way are left out.
fn draw(
    planner: &CompiledPlanner,
    (start, end): (Cell, Cell),
    probabilities: &[f32],
    preferences: Option<&Preferences>,
    random: &mut impl Rng,
) -> Result<Vec<Drawn>, PlanError> {
    let grid = *planner.grid();
    let risk = vec![0; grid.len()];
    Request { start, end, blocked: &vec![false; probabilities.len()], risk: &risk }.check(&grid)?;
    let mut drawn = Vec::with_capacity(DRAWS);
    for _ in 0..DRAWS {
        let mut blocked: Vec<bool> = probabilities.iter().map(|p| random.random::<f32>() < *p).collect();
        [start, end].iter().for_each(|cell| blocked[grid.number(*cell)] = false);
        let request = Request { start, end, blocked: &blocked, risk: &risk };
        if let Some(Plan { path, .. }) = planner.plan(&request, preferences)? {
            let path = numbers(&grid, &path)?;
            drawn.push((blocked, path));
        }
    }
    Ok(drawn)
}

/// The cells of a path by number.
fn numbers(grid: &Grid, path: &[Cell]) -> Result<Vec<usize>, PlanError> {
    match path.iter().find(|cell| cell.row >= grid.rows || cell.column >= grid.columns) {
        Some(&Cell { row, column }) => {
            Err(PlanError::Outside { row, column, rows: grid.rows, columns: grid.columns })
        }
        None => Ok(path.iter().map(|cell| grid.number(*cell)).collect()),
    }
}

/// The mean over maps, each with its driver's path, of the F1 of a plan, less the caution where it collides.
fn worth(grid: &Grid, plan: &[usize], drawn: &[Drawn], caution: f64) -> f64 {
    let mut is_planned = vec![false; grid.len()];
    plan.iter().for_each(|&number| is_planned[number] = true);
    let mut sum = 0.0;
    for (blocked, path) in drawn {
        let both = path.iter().filter(|&&number| is_planned[number]).count();
        let f1 = 2.0 * both as f64 / (plan.len() + path.len()) as f64;
        sum += if plan.iter().any(|&number| blocked[number]) { (1.0 - caution) * f1 } else { f1 };
    }
    sum / drawn.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driving::test_maps::{lessons, trials};
    use crate::driving::{Demonstration, PreferenceSettings, Steps, degree_rules};
    use preceptron_base::stream;

    /// On maps that are certain the plan is what the driver takes, at full worth.
    #[test]
    fn certain_maps() {
        let grid = Grid::default();
        let planner = CompiledPlanner::new(&degree_rules(), &grid).unwrap();
        let trials = trials(&grid, 0.15, 4, 40);
        let preferences = Preferences::learn(&grid, &lessons(&trials), &PreferenceSettings::default());
        for (map, Demonstration { start, end, .. }) in &trials {
            let certain: Vec<f32> = map.blocked.iter().map(|blocked| f32::from(u8::from(*blocked))).collect();
            let request =
                Request { start: *start, end: *end, blocked: &map.blocked, risk: &vec![0; grid.len()] };
            let taken = planner.plan(&request, Some(&preferences)).unwrap().unwrap().path;
            let mut random = stream(1, "draws", 0);
            let found =
                plan_expected(&planner, (*start, *end), &certain, Some(&preferences), 1.0, &[], &mut random)
                    .unwrap();
            assert_eq!(found, Some((taken.clone(), 1.0)));
            let ln = ln_probability(&planner, &taken, &certain, Some(&preferences), &mut random).unwrap();
            assert!((-0.003..0.0).contains(&ln), "{ln}");
            let ln =
                ln_probability(&planner, &[*start, *end], &certain, Some(&preferences), &mut random).unwrap();
            assert!(ln < -5.0 || taken == [*start, *end], "{ln}");
        }
    }

    /// Straight ahead is shortest, with something in the way with a probability; the way around is safe.
    #[test]
    fn a_likely_obstacle_is_driven_around() {
        let grid = Grid { rows: 3, columns: 3, ..Grid::default() };
        let planner = CompiledPlanner::new(&degree_rules(), &grid).unwrap().stepping(Steps::Metric);
        let cell = |row, column| Cell { row, column };
        let found = |likely: f32, caution: f64| {
            let mut probabilities = vec![0.0; 9];
            probabilities[4] = likely;
            // The way around on the left is no way at all.
            probabilities[3] = 1.0;
            let ends = (cell(0, 1), cell(2, 1));
            plan_expected(&planner, ends, &probabilities, None, caution, &[], &mut stream(1, "draws", 0))
                .unwrap()
                .unwrap()
        };
        let (ahead, around) = (cell(1, 1), cell(1, 2));
        assert_eq!(found(0.0, 1.0), (vec![cell(0, 1), ahead, cell(2, 1)], 1.0));
        let (path, worth) = found(0.1, 1.0);
        assert!(path[1] == ahead && (0.8..1.0).contains(&worth), "{path:?} {worth}");
        let (path, worth) = found(0.7, 1.0);
        assert!(path[1] == around && (0.8..1.0).contains(&worth), "{path:?} {worth}");
    }

    /// In the middle it is for the caution to decide.
    #[test]
    fn caution_decides() {
        let grid = Grid { rows: 3, columns: 3, ..Grid::default() };
        let planner = CompiledPlanner::new(&degree_rules(), &grid).unwrap().stepping(Steps::Metric);
        let cell = |row, column| Cell { row, column };
        let mut probabilities = vec![0.0; 9];
        (probabilities[4], probabilities[3]) = (0.35, 1.0);
        let ends = (cell(0, 1), cell(2, 1));
        let through = |caution: f64| {
            let mut random = stream(1, "draws", 0);
            let found = plan_expected(&planner, ends, &probabilities, None, caution, &[], &mut random);
            found.unwrap().unwrap().0[1]
        };
        assert_eq!((through(0.0), through(1.0)), (cell(1, 1), cell(1, 2)));
    }

    #[test]
    fn where_no_way_is_likely() {
        let grid = Grid { rows: 3, columns: 1, ..Grid::default() };
        let planner = CompiledPlanner::new(&degree_rules(), &grid).unwrap();
        let path: Vec<Cell> = (0..3).map(|row| Cell { row, column: 0 }).collect();
        let ends = (path[0], path[2]);
        let mut random = stream(1, "draws", 0);
        let mut plan = |given: &[Vec<Cell>]| {
            plan_expected(&planner, ends, &[0.0, 1.0, 0.0], None, 1.0, given, &mut random)
        };
        assert_eq!(plan(&[]).unwrap(), None);
        assert_eq!(plan(std::slice::from_ref(&path)).unwrap(), Some((path, 0.0)));
        let off = vec![Cell { row: 0, column: 1 }];
        assert!(plan(&[off]).unwrap_err().to_string().contains("row 0, column 1 is not on a grid"));
    }
}
