//! Clauses from the paths that a planner prefers to the one that was shown.
//!
//! At first nothing is blocked. On this map the planner finds a path; if it is not the one shown, then of its other
//! cells at least one is blocked
//!
//! - for sure, if its steps cost less: the driver wants short paths;
//! - probably, if they cost the same: the driver would have taken it if the learned preferences are his.
//!
//! Then the likeliest of these cells is taken as blocked, and the planner is asked again, until it finds the path shown.
//! So the clauses are those that the obstacles believed in have to answer for, whether they do so already or not, and
//! they follow preferences that are learned anew.

use super::super::{Cell, CompiledPlanner, Demonstration, Plan, PlanError, Request, Ties, risk};

/// What a demonstration says beyond its own cells.
#[derive(Default)]
pub(super) struct Mined {
    /// Clauses from cheaper paths.
    pub sure: Vec<Vec<usize>>,
    /// Clauses from paths that cost the same.
    pub likely: Vec<Vec<usize>>,
}

/// The question of a demonstration on a map of probabilities.
pub(super) fn plan(
    planner: &CompiledPlanner,
    shown: &Demonstration,
    probabilities: &[f32],
    kappa: f64,
    ties: Option<&Ties>,
) -> Result<Option<Vec<Cell>>, PlanError> {
    let wide: Vec<f64> = probabilities.iter().map(|p| f64::from(*p)).collect();
    let (risk, blocked) = (risk(&wide, kappa), vec![false; wide.len()]);
    let request = Request { start: shown.start, end: shown.end, blocked: &blocked, risk: &risk };
    Ok(planner.plan(&request, ties)?.map(|plan| plan.path))
}

/// Clauses where the planner goes another way.
pub(super) fn mine(
    planner: &CompiledPlanner,
    shown: &Demonstration,
    probabilities: &[f32],
    ties: Option<&Ties>,
    rounds: usize,
) -> Mined {
    let grid = planner.grid();
    let mut mined = Mined::default();
    let (mut blocked, risk) = (vec![false; grid.len()], vec![0; grid.len()]);
    for _ in 0..rounds {
        let request = Request { start: shown.start, end: shown.end, blocked: &blocked, risk: &risk };
        let Ok(Some(Plan { path: planned, .. })) = planner.plan(&request, ties) else { break };
        let (cost, known) = (planner.length(&planned), planner.length(&shown.path));
        if planned == shown.path || cost > known || (cost == known && ties.is_none()) {
            break;
        }
        let others = planned.iter().filter(|cell| !shown.path.contains(cell));
        let mut clause: Vec<usize> = others.map(|cell| grid.number(*cell)).collect();
        clause.sort_unstable();
        let likelier =
            |best: usize, cell: usize| if probabilities[cell] > probabilities[best] { cell } else { best };
        let Some(likeliest) = clause.iter().copied().reduce(likelier) else { break };
        blocked[likeliest] = true;
        if cost < known { mined.sure.push(clause) } else { mined.likely.push(clause) }
    }
    mined
}
