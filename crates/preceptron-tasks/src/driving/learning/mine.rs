//! Clauses from the paths that a planner prefers to the one that was shown: for sure, if their steps cost less, since
//! the driver wants short paths; probably, if they cost the same, since the driver would have taken them if the learned
//! preferences are his.

use super::super::{
    Cell, Clauses, CompiledPlanner, Demonstration, Plan, PlanError, Preferences, Preferred, Request, risk,
};

/// The question of a demonstration on a map of probabilities.
pub(super) fn plan(
    planner: &CompiledPlanner,
    shown: &Demonstration,
    probabilities: &[f32],
    kappa: f64,
    preferences: Option<&Preferences>,
) -> Result<Option<Vec<Cell>>, PlanError> {
    let wide: Vec<f64> = probabilities.iter().map(|p| f64::from(*p)).collect();
    let (risk, blocked) = (risk(&wide, kappa), vec![false; wide.len()]);
    let request = Request { start: shown.start, end: shown.end, blocked: &blocked, risk: &risk };
    Ok(planner.plan(&request, preferences)?.map(|plan| plan.path))
}

/// Clauses where the planner goes another way.
pub(super) fn mine(
    planner: &CompiledPlanner,
    shown: &Demonstration,
    probabilities: &[f32],
    preferences: Option<&Preferences>,
    rounds: usize,
) -> Clauses {
    let (known, risk) = (planner.length(&shown.path), vec![0; probabilities.len()]);
    let plan = |blocked: &[bool]| -> Option<Vec<Cell>> {
        let request = Request { start: shown.start, end: shown.end, blocked, risk: &risk };
        planner.plan(&request, preferences).ok().flatten().map(|Plan { path, .. }| path)
    };
    let preferred = |planned: &[Cell]| match planner.length(planned) {
        cost if cost < known => Preferred::Surely,
        cost if cost == known && preferences.is_some() => Preferred::Likely,
        _ => Preferred::No,
    };
    Clauses::of(*planner.grid(), shown, probabilities, plan, preferred, rounds)
}
