//! Plans on driving maps, by rules that were learned from demonstrations.
//!
//! The rules come from random demonstrations on 10x10 maps. A map has obstacles that are certain on a tenth
//! of its cells, and elsewhere what a trained network says: small risks nearly everywhere, large ones here
//! and there. The reference is Dijkstra's algorithm, for which the rules are proved to be those of a path.

use preceptron::TaskResult;

use super::families::{Family, own};
use super::line::Line;
use crate::driving::{CompiledPlanner, GenericPlanner, Grid, PlannerWorkload, RuleSettings};
use preceptron_base::meter::measured;

/// How many demonstrations the rules are learned from.
const SHOWN: u64 = 500;

/// Maps of a side, beside Dijkstra's algorithm.
///
/// # Errors
/// If the rules that were learned are not those of a path.
pub(super) fn maps(side: usize, count: usize, seed: u64) -> TaskResult<Family> {
    let grid = Grid { rows: side, columns: side, ..Grid::default() };
    let rules = PlannerWorkload::rules(SHOWN, seed, &RuleSettings::default())?.rules;
    let (generic, compiled) = (GenericPlanner::new(&rules, &grid), CompiledPlanner::new(&rules, &grid)?);
    let mut reference = Line::new("compiled", false);
    let mut problems = Vec::with_capacity(count);
    for item in 0..count as u64 {
        let workload = PlannerWorkload::new(&grid, 0.1, seed, item).at_risk(seed, item);
        let (plan, cost) = measured(|| compiled.plan(&workload.request(), None));
        reference.add(cost.busy(), Some(plan?.map(|plan| plan.cost)));
        problems.push(generic.problem(&workload.request())?);
    }
    let mut family = own("driving maps: the cheapest path by learned rules", problems.into_iter());
    family.reference = Some(reference);
    Ok(family)
}
