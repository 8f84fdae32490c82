//! How good plans are.
//!
//! | figure | meaning |
//! |---|---|
//! | `path_f1` | F1 of the cells on paths, planned against shown, over all cells of all frames together |
//! | `safe_f1` | the same where a plan that touches a blocked cell has no cell right: what plans are worth |
//! | `exact` | the share of frames whose plan has the cells that were shown, and no other |
//! | `collision` | the share of frames whose plan touches a cell that is truly blocked |
//! | `connected` | the share of frames whose plan leads from start to end, each cell next to the one before |
//! | `arrived` | the share of frames whose plan is connected and touches no cell that is blocked |
//! | `length_regret` | the mean, over connected plans without collision, of their cells beyond those of the shortest path on the true map |
//! | `obstacle_precision`, `obstacle_recall` | of the map that was planned on, over all cells of all frames |
//! | `authors_distance` | the mean over plans without collision of the difference between the number of their cells and the number of obstacle cells, whichever is larger |
//!
//! The last is what the published evaluation calls a distance: the length of the path is held against the
//! number of obstacles and not against another path, so that a perfect planner does not score 0. It is here
//! to be compared with, and says nothing of how good plans are.

use serde::{Deserialize, Serialize};

use super::plan::is_connected;
use super::plan_trivial::shortest_length;
use super::{Cell, Demonstration, Map};

/// A frame with its plan.
#[derive(Clone, Copy, Debug)]
pub struct Planned<'a> {
    /// Where obstacles truly are.
    pub truth: &'a Map,
    /// The path that was shown, with its ends.
    pub shown: &'a Demonstration,
    /// The path that was planned; none if the planner found no way.
    pub plan: Option<&'a [Cell]>,
    /// The obstacles that the planner believed in, if it had a map.
    pub believed: Option<&'a [bool]>,
}

/// What plans are worth; see the module's page. A figure of nothing is 0.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// How many frames there were.
    pub frames: usize,
    /// Frames for which no way was found.
    pub unanswered: usize,
    /// F1 of the cells on paths.
    pub path_f1: f64,
    /// The same if no cell of a plan that collides counts as right.
    pub safe_f1: f64,
    /// The share of plans with the cells that were shown.
    pub exact: f64,
    /// The share of plans that touch an obstacle.
    pub collision: f64,
    /// The share of plans that lead from start to end.
    pub connected: f64,
    /// The share of plans that lead from start to end and touch no obstacle.
    pub arrived: f64,
    /// Cells beyond the shortest path, over safe plans.
    pub length_regret: f64,
    /// Of the cells believed to be obstacles, the share that are; nothing where no map was believed in.
    pub obstacle_precision: Option<f64>,
    /// Of the obstacle cells, the share that were believed to be.
    pub obstacle_recall: Option<f64>,
    /// The published distance, over safe plans.
    pub authors_distance: f64,
}

/// Counts of agreement between two sets of cells.
#[derive(Default)]
struct Agreement {
    both: usize,
    said: usize,
    truly: usize,
}

impl Agreement {
    fn add(&mut self, said: bool, truly: bool) {
        self.both += usize::from(said && truly);
        self.said += usize::from(said);
        self.truly += usize::from(truly);
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Judges plans.
///
/// # Panics
/// If a cell is not on its frame's map, or a believed map is of another grid.
pub fn judge(frames: &[Planned]) -> Judgement {
    let mut judgement = Judgement { frames: frames.len(), ..Judgement::default() };
    let (mut paths, mut obstacles) = (Agreement::default(), Agreement::default());
    let (mut exact, mut collisions, mut connected, mut arrived) = (0, 0, 0, 0);
    let (mut believed, mut in_vain) = (0, 0);
    let (mut regrets, mut regret, mut safe, mut distance) = (0, 0i64, 0, 0);
    for frame in frames {
        let grid = frame.truth.grid;
        let marked = |cells: &[Cell]| {
            let mut marks = vec![false; grid.len()];
            cells.iter().for_each(|cell| marks[grid.number(*cell)] = true);
            marks
        };
        let plan = frame.plan.unwrap_or(&[]);
        let (on_plan, on_shown) = (marked(plan), marked(&frame.shown.path));
        let before = paths.both;
        on_plan.iter().zip(&on_shown).for_each(|(plan, shown)| paths.add(*plan, *shown));
        exact += usize::from(on_plan == on_shown);
        if let Some(map) = frame.believed {
            assert_eq!(map.len(), grid.len(), "a believed map of the frame's grid");
            believed += 1;
            map.iter().zip(&frame.truth.blocked).for_each(|(said, truly)| obstacles.add(*said, *truly));
        }
        if frame.plan.is_none() {
            judgement.unanswered += 1;
            continue;
        }
        let is_connected = is_connected(plan, frame.shown.start, frame.shown.end);
        connected += usize::from(is_connected);
        let cells = on_plan.iter().filter(|on| **on).count();
        if on_plan.iter().zip(&frame.truth.blocked).any(|(on, blocked)| *on && *blocked) {
            collisions += 1;
            in_vain += paths.both - before;
            continue;
        }
        safe += 1;
        arrived += usize::from(is_connected);
        distance += cells.abs_diff(frame.truth.blocked.iter().filter(|blocked| **blocked).count());
        let shortest = shortest_length(frame.truth, frame.shown.start, frame.shown.end);
        if let (true, Some(shortest)) = (is_connected, shortest) {
            regrets += 1;
            regret += cells as i64 - shortest as i64;
        }
    }
    judgement.path_f1 = share(2 * paths.both, paths.said + paths.truly);
    judgement.safe_f1 = share(2 * (paths.both - in_vain), paths.said + paths.truly);
    judgement.exact = share(exact, frames.len());
    judgement.collision = share(collisions, frames.len());
    judgement.connected = share(connected, frames.len());
    judgement.arrived = share(arrived, frames.len());
    judgement.length_regret = if regrets == 0 { 0.0 } else { regret as f64 / regrets as f64 };
    judgement.authors_distance = share(distance, safe);
    if believed > 0 {
        judgement.obstacle_precision = Some(share(obstacles.both, obstacles.said));
        judgement.obstacle_recall = Some(share(obstacles.both, obstacles.truly));
    }
    judgement
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driving::Grid;

    fn cells(places: &[(usize, usize)]) -> Vec<Cell> {
        places.iter().map(|&(row, column)| Cell { row, column }).collect()
    }

    /// Four columns, three rows, an obstacle at row 1, column 1, and a path from the first row to the last.
    fn frame() -> (Map, Demonstration) {
        let grid = Grid { rows: 3, columns: 4, ..Grid::default() };
        let mut map = Map::empty(grid);
        map.blocked[5] = true;
        let path = cells(&[(0, 1), (1, 2), (2, 1)]);
        (map, Demonstration { start: path[0], end: path[2], path })
    }

    #[test]
    fn the_path_that_was_shown() {
        let (truth, shown) = frame();
        let believed = truth.blocked.clone();
        let planned =
            Planned { truth: &truth, shown: &shown, plan: Some(&shown.path), believed: Some(&believed) };
        let expected = Judgement {
            frames: 1,
            unanswered: 0,
            path_f1: 1.0,
            safe_f1: 1.0,
            exact: 1.0,
            collision: 0.0,
            connected: 1.0,
            arrived: 1.0,
            length_regret: 0.0,
            obstacle_precision: Some(1.0),
            obstacle_recall: Some(1.0),
            authors_distance: 2.0,
        };
        assert_eq!(judge(&[planned]), expected);
    }

    #[test]
    fn through_an_obstacle_around_it_with_a_gap_and_not_at_all() {
        let (truth, shown) = frame();
        let through = cells(&[(0, 1), (1, 1), (2, 1)]);
        let around = cells(&[(0, 1), (0, 2), (1, 3), (2, 2), (2, 1)]);
        let gap = cells(&[(0, 1), (2, 1)]);
        let empty = vec![false; 12];
        let mut believed = empty.clone();
        believed[3] = true;
        let plan = |plan, believed| Planned { truth: &truth, shown: &shown, plan, believed };
        let judgement = judge(&[
            plan(Some(&through), Some(&empty)),
            plan(Some(&around), Some(&believed)),
            plan(Some(&gap), Some(&truth.blocked)),
            plan(None, None),
        ]);
        // Shown are 3 cells each, planned 3, 5, 2 and none; 2, 2, 2 and none are in both.
        assert_eq!(judgement.path_f1, 2.0 * 6.0 / (12.0 + 10.0));
        // The first collides.
        assert_eq!(judgement.safe_f1, 2.0 * 4.0 / (12.0 + 10.0));
        assert_eq!((judgement.frames, judgement.unanswered, judgement.exact), (4, 1, 0.0));
        assert_eq!((judgement.collision, judgement.connected, judgement.arrived), (0.25, 0.5, 0.25));
        // The way around has 5 cells, and 3 would do; the way with a gap is no way.
        assert_eq!(judgement.length_regret, 2.0);
        // One obstacle beside 5 and 2 cells.
        assert_eq!(judgement.authors_distance, (4.0 + 1.0) / 2.0);
        assert_eq!(judgement.obstacle_precision, Some(0.5));
        assert_eq!(judgement.obstacle_recall, Some(1.0 / 3.0));
    }

    #[test]
    fn nothing_is_judged_as_nothing() {
        assert_eq!(judge(&[]), Judgement::default());
    }
}
