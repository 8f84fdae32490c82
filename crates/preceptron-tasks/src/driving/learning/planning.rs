//! The planner of learned rules, and what is believed of maps.

use preceptron_logic::{Constraint, Rule, RuleSet};

use super::super::patches::relative;
use super::super::rules::relative_to_a_cell;
use super::super::{
    CompiledPlanner, Demonstration, Frames, Grid, Kind, Lesson, Map, Plan, PlanError, Preferences, Request,
    Steps, count_shortest,
};

/// How far preferences are trusted before anything is known of maps, and the most that they ever are.
pub(super) const MOST_TRUST: f64 = 0.98;

/// A planner by these rules and by the one that gives obstacles their meaning: no path leads through them.
///
/// # Errors
/// If the rules are not those of a path.
pub(super) fn planner(rules: &RuleSet, grid: &Grid, steps: Steps) -> Result<CompiledPlanner, PlanError> {
    Ok(CompiledPlanner::new(&with_obstacles(rules), grid)?.stepping(steps))
}

/// The rules that are planned by: these, and that no path leads through an obstacle.
#[must_use]
pub fn with_obstacles(rules: &RuleSet) -> RuleSet {
    let mut all = rules.clone();
    let [path, obstacle] = [Kind::Path, Kind::Obstacle].map(|kind| relative(kind, (0, 0)).positive());
    let apart = relative_to_a_cell(&[Rule::given(Constraint::at_most(1, [path, obstacle]))]);
    apart.relative().iter().for_each(|rule| {
        all.insert_relative(rule.clone());
    });
    all
}

/// The map of the cells that are blocked with more than a probability.
pub(super) fn believed(grid: Grid, probabilities: &[f32], least: f32) -> Map {
    Map { grid, blocked: probabilities.iter().map(|p| *p > least).collect() }
}

/// Demonstrations of these frames with these maps.
pub(super) fn lessons<'a>(frames: &'a Frames, numbers: &[usize], maps: &'a [Map]) -> Vec<Lesson<'a>> {
    let shown = numbers.iter().map(|&frame| &frames.demonstrations[frame]);
    shown.zip(maps).map(|(demonstration, map)| Lesson { demonstration, obstacles: Some(map) }).collect()
}

/// How often the driver goes by the learned preferences where several paths are as short as can be, as far as paths
/// and predicted maps tell: with a that share, Q the probability that nothing is on the path preferred to the one
/// shown, the greatest
/// ```text
/// sum over paths shown as preferred of ln a  +  sum over others of ln(1 - a Q)
/// ```
/// so that an obstacle that is likely excuses. Half a path shown as preferred is added.
pub(super) fn trust(
    planner: &CompiledPlanner,
    shown: &[(&Demonstration, &[f32])],
    preferences: &Preferences,
) -> f64 {
    let (mut agreed, mut free) = (0.5, Vec::new());
    for (shown, probabilities) in shown {
        let grid = planner.grid();
        let mut blocked: Vec<bool> = probabilities.iter().map(|p| *p > 0.5).collect();
        shown.path.iter().for_each(|cell| blocked[grid.number(*cell)] = false);
        let request =
            Request { start: shown.start, end: shown.end, blocked: &blocked, risk: &vec![0; grid.len()] };
        let Ok(Some(Plan { path, .. })) = planner.plan(&request, Some(preferences)) else { continue };
        if planner.length(&path) < planner.length(&shown.path) {
            continue;
        }
        if path != shown.path {
            let others = path.iter().filter(|cell| !shown.path.contains(cell));
            free.push(others.map(|cell| 1.0 - f64::from(probabilities[grid.number(*cell)])).product::<f64>());
            continue;
        }
        let map = Map { grid: *grid, blocked };
        agreed += f64::from(u8::from(count_shortest(&map, shown.start, shown.end, planner.steps()) > 1));
    }
    // The derivative falls with a.
    let slope = |a: f64| agreed / a - free.iter().map(|q| q / (1.0 - a * q).max(1e-9)).sum::<f64>();
    let (mut low, mut high) = (0.01, MOST_TRUST);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        if slope(middle) > 0.0 { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}
