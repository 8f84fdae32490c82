//! The planner of learned rules, and what is believed of maps.

use precept_logic::{Constraint, Rule, RuleSet};

use super::super::patches::relative;
use super::super::{
    CompiledPlanner, Demonstration, Frames, Grid, Kind, Lesson, Map, PlanError, Steps, Ties, count_shortest,
};
use super::mine::plan;

/// A planner by these rules and by the one that gives obstacles their meaning: no path leads through them.
///
/// # Errors
/// If the rules are not those of a path.
pub(super) fn planner(rules: &RuleSet, grid: &Grid, steps: Steps) -> Result<CompiledPlanner, PlanError> {
    let mut all = rules.clone();
    let [path, obstacle] = [Kind::Path, Kind::Obstacle].map(|kind| relative(kind, (0, 0)).positive());
    all.insert(Rule::given(Constraint::at_most(1, [path, obstacle])));
    Ok(CompiledPlanner::new(&all, grid)?.stepping(steps))
}

/// The map of the cells that are more likely blocked than not.
pub(super) fn believed(grid: Grid, probabilities: &[f32]) -> Map {
    Map { grid, blocked: probabilities.iter().map(|p| *p > 0.5).collect() }
}

/// Demonstrations of these frames with these maps.
pub(super) fn lessons<'a>(frames: &'a Frames, numbers: &[usize], maps: &'a [Map]) -> Vec<Lesson<'a>> {
    let shown = numbers.iter().map(|&frame| &frames.demonstrations[frame]);
    shown.zip(maps).map(|(demonstration, map)| Lesson { demonstration, obstacles: Some(map) }).collect()
}

/// How often, where several paths are as short as the one shown, the learned preferences choose that one: with half
/// a frame of either kind added.
pub(super) fn trust(planner: &CompiledPlanner, steps: Steps, lessons: &[Lesson], ties: &Ties) -> f64 {
    let (mut agreed, mut open) = (0, 0);
    for lesson in lessons {
        let Some(map) = lesson.obstacles else { continue };
        let shown: &Demonstration = lesson.demonstration;
        let probabilities: Vec<f32> = map.blocked.iter().map(|b| f32::from(u8::from(*b))).collect();
        let Ok(Some(planned)) = plan(planner, shown, &probabilities, 50.0, Some(ties)) else { continue };
        let is_open = planner.length(&planned) == planner.length(&shown.path)
            && count_shortest(map, shown.start, shown.end, steps) > 1;
        open += usize::from(is_open);
        agreed += usize::from(is_open && planned == shown.path);
    }
    (agreed as f64 + 0.5) / (open as f64 + 1.0)
}
