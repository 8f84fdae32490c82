//! What a path says of the cells that it avoids: clauses, each a set of cells of which at least one is
//! blocked.
//!
//! If a planner, on a map that leaves the demonstrated path free, prefers another path, then something on
//! that other path kept the driver from it: one of its cells that is not on the demonstrated path is blocked.
//! Clauses are found lazily, where the map that is predicted now misleads the planner.
//!
//! This holds if driver and planner prefer the same paths on every map. Where they break ties in different
//! ways, only a path that is shorter tells something ([`is_shorter`]); where they break them alike, any other
//! path does ([`differs`]).

use serde::{Deserialize, Serialize};

use super::{Cell, Demonstration, Grid};

/// Plans a path, both ends among its cells, from the probabilities that cells are blocked; nothing if there
/// is none.
pub type PlanBy<'a> = dyn Fn(&[f32], Cell, Cell) -> Vec<Cell> + Sync + 'a;

/// Whether a planned path (the first) is one that a driver would have preferred to the demonstrated one.
pub type Preferred = fn(&[Cell], &[Cell]) -> bool;

/// Any other path: planner and driver prefer the same paths, ties and all.
pub fn differs(planned: &[Cell], demonstrated: &[Cell]) -> bool {
    planned != demonstrated
}

/// A path of fewer cells: planner and driver agree that these are better.
pub fn is_shorter(planned: &[Cell], demonstrated: &[Cell]) -> bool {
    planned.len() < demonstrated.len()
}

/// Clauses that a demonstration gives where the planner, on these probabilities, goes another way. The cells
/// of the demonstrated path are taken as free. After each clause its most probable cell is taken as blocked,
/// and the planner is asked again, up to `rounds` times.
///
/// It depends on nothing but its arguments, so that frames can be looked at on any number of threads.
pub fn new_clauses(
    grid: Grid,
    demonstration: &Demonstration,
    probabilities: &[f32],
    planner: &PlanBy<'_>,
    preferred: Preferred,
    rounds: usize,
) -> Vec<Vec<usize>> {
    let mut map = probabilities.to_vec();
    demonstration.path.iter().for_each(|cell| map[grid.number(*cell)] = 0.0);
    let mut clauses = Vec::new();
    for _ in 0..rounds {
        let planned = planner(&map, demonstration.start, demonstration.end);
        if planned.is_empty() || !preferred(&planned, &demonstration.path) {
            break;
        }
        let mut clause: Vec<usize> = planned
            .iter()
            .filter(|cell| !demonstration.path.contains(cell))
            .map(|cell| grid.number(*cell))
            .collect();
        clause.sort_unstable();
        clause.dedup();
        let likelier = |best: usize, cell: usize| if map[cell] > map[best] { cell } else { best };
        let Some(likeliest) = clause.iter().copied().reduce(likelier) else { break };
        map[likeliest] = 1.0;
        clauses.push(clause);
    }
    clauses
}

/// The clauses of each frame of a training set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clauses {
    most: usize,
    frames: Vec<Vec<Vec<usize>>>,
}

impl Clauses {
    /// None yet for so many frames, with room for `most` in each.
    pub fn new(frames: usize, most: usize) -> Clauses {
        Clauses { most, frames: vec![Vec::new(); frames] }
    }

    /// The clauses of a frame: the numbers of their cells, in rising order.
    pub fn of(&self, frame: usize) -> &[Vec<usize>] {
        &self.frames[frame]
    }

    /// How many frames there are.
    pub fn frames(&self) -> usize {
        self.frames.len()
    }

    /// Whether no clause that is there says as much with the same cells or fewer.
    pub fn is_news(&self, frame: usize, clause: &[usize]) -> bool {
        !self.frames[frame].iter().any(|other| other.iter().all(|cell| clause.contains(cell)))
    }

    /// How many there are in all frames.
    pub fn len(&self) -> usize {
        self.frames.iter().map(Vec::len).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a clause, unless one that is there says as much with the same cells or fewer; those that say less
    /// are dropped, and if there is no room, the oldest. Returns whether it was added.
    pub fn add(&mut self, frame: usize, clause: Vec<usize>) -> bool {
        let within = |small: &[usize], large: &[usize]| small.iter().all(|cell| large.contains(cell));
        if self.most == 0 || !self.is_news(frame, &clause) {
            return false;
        }
        let known = &mut self.frames[frame];
        known.retain(|other| !within(&clause, other));
        if known.len() == self.most {
            known.remove(0);
        }
        known.push(clause);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::weak_toy::{GRID, plan, scene};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn clauses_that_say_less_are_dropped() {
        let mut clauses = Clauses::new(2, 3);
        assert!(clauses.add(0, vec![1, 2, 3]));
        assert!(!clauses.add(0, vec![1, 2, 3]) && !clauses.add(0, vec![0, 1, 2, 3]));
        assert!(clauses.add(0, vec![2, 3]) && clauses.add(0, vec![5]) && clauses.add(0, vec![7]));
        assert_eq!(clauses.of(0), [vec![2, 3], vec![5], vec![7]]);
        assert!(clauses.add(0, vec![8]));
        assert_eq!(clauses.of(0), [vec![5], vec![7], vec![8]]);
        assert_eq!((clauses.len(), clauses.of(1).len()), (3, 0));
        let text = serde_json::to_string(&clauses).unwrap();
        assert_eq!(serde_json::from_str::<Clauses>(&text).unwrap(), clauses);
    }

    proptest! {
        /// Whatever is predicted, every clause has a cell that is blocked in truth and none of the path.
        #[test]
        fn clauses_are_true(seed: u64, shorter: bool, predicted in prop::collection::vec(0.0..1.0f32, GRID.len())) {
            let (map, demonstration) = scene(seed);
            let preferred = if shorter { is_shorter } else { differs };
            let planner = |p: &[f32], start, end| plan(p, start, end);
            let clauses = new_clauses(GRID, &demonstration, &predicted, &planner, preferred, 20);
            for clause in &clauses {
                prop_assert!(clause.iter().any(|&cell| map.blocked[cell]), "{clause:?}");
                prop_assert!(demonstration.path.iter().all(|cell| !clause.contains(&GRID.number(*cell))));
            }
            // On a map without obstacles there is a clause exactly if the path is not the one of that map.
            let empty = vec![0.0; GRID.len()];
            let straight = plan(&empty, demonstration.start, demonstration.end);
            let found = new_clauses(GRID, &demonstration, &empty, &planner, preferred, 1);
            prop_assert_eq!(found.is_empty(), !preferred(&straight, &demonstration.path));
        }
    }
}
