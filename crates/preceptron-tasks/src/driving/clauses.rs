//! What a path says of the cells that it avoids: clauses, each a set of cells of which at least one is
//! blocked.
//!
//! If a planner, on a map that leaves the demonstrated path free, prefers another path, then something on
//! that other path kept the driver from it: one of its cells that is not on the demonstrated path is blocked.
//!
//! At first nothing is taken as blocked. After each clause the likeliest of its cells is, and the planner is asked
//! again, until it finds the path that was shown. So the clauses are those that the obstacles believed in have to
//! answer for, whether they do so already or not, and they follow preferences that are learned anew.

use super::{Cell, Demonstration, Grid};

/// Whether a driver would have preferred a path to the one shown, if it were free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preferred {
    /// For sure: a clause is certain.
    Surely,
    /// As far as preferences are known: a clause is likely.
    Likely,
    /// Not, or it is the path shown: there is no clause.
    No,
}

/// Clauses of one demonstration: the numbers of their cells, in rising order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clauses {
    /// Those that are certain.
    pub sure: Vec<Vec<usize>>,
    /// Those that hold if the driver's preferences are those that were learned.
    pub likely: Vec<Vec<usize>>,
}

impl Clauses {
    /// The clauses of a demonstration, by a planner that finds a path around blocked cells. The planner is asked up to
    /// `rounds` times; of the cells of a clause the one with the highest probability is then taken as blocked.
    ///
    /// It depends on nothing but its arguments, so that frames can be looked at on any number of threads.
    pub fn of(
        grid: Grid,
        shown: &Demonstration,
        probabilities: &[f32],
        plan: impl Fn(&[bool]) -> Option<Vec<Cell>>,
        preferred: impl Fn(&[Cell]) -> Preferred,
        rounds: usize,
    ) -> Clauses {
        let mut clauses = Clauses::default();
        let mut blocked = vec![false; grid.len()];
        for _ in 0..rounds {
            let Some(planned) = plan(&blocked).filter(|planned| *planned != shown.path) else { break };
            let others = planned.iter().filter(|cell| !shown.path.contains(cell));
            let mut clause: Vec<usize> = others.map(|cell| grid.number(*cell)).collect();
            clause.sort_unstable();
            clause.dedup();
            let likelier = |best: usize, cell: usize| {
                if probabilities[cell] > probabilities[best] { cell } else { best }
            };
            let Some(likeliest) = clause.iter().copied().reduce(likelier) else { break };
            match preferred(&planned) {
                Preferred::Surely => clauses.sure.push(clause),
                Preferred::Likely => clauses.likely.push(clause),
                Preferred::No => break,
            }
            blocked[likeliest] = true;
        }
        clauses
    }
}

#[cfg(test)]
mod tests {
    use super::super::weak_supervision_toy::{GRID, plan, scene};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Whatever is predicted, every clause has a cell that is blocked in truth and none of the path.
        #[test]
        fn clauses_are_true(seed: u64, shorter: bool, predicted in prop::collection::vec(0.0..1.0f32, GRID.len())) {
            let (map, shown) = scene(seed);
            let planner = |blocked: &[bool]| plan(blocked, shown.start, shown.end);
            let preferred = |planned: &[Cell]| match planned.len() < shown.path.len() {
                true => Preferred::Surely,
                false if shorter => Preferred::No,
                false => Preferred::Likely,
            };
            let Clauses { sure, likely } = Clauses::of(GRID, &shown, &predicted, planner, preferred, 20);
            prop_assert!(!shorter || likely.is_empty());
            for clause in sure.iter().chain(&likely) {
                prop_assert!(clause.iter().any(|&cell| map.blocked[cell]), "{clause:?}");
                prop_assert!(shown.path.iter().all(|cell| !clause.contains(&GRID.number(*cell))));
            }
            // There is a clause exactly if the path is not the one of a map without obstacles.
            let straight = planner(&[false; 36]).unwrap();
            let is_other = straight != shown.path && preferred(&straight) != Preferred::No;
            prop_assert_eq!(sure.len() + likely.len() > 0, is_other);
        }

        /// With the true map as what is predicted, the obstacles that answer for the clauses leave the path shown.
        #[test]
        fn true_obstacles_explain_the_path(seed: u64) {
            let (map, shown) = scene(seed);
            let certain: Vec<f32> = map.blocked.iter().map(|blocked| f32::from(u8::from(*blocked))).collect();
            let planner = |blocked: &[bool]| plan(blocked, shown.start, shown.end);
            let Clauses { likely, .. } =
                Clauses::of(GRID, &shown, &certain, planner, |_| Preferred::Likely, 100);
            let mut blocked = vec![false; GRID.len()];
            for clause in &likely {
                let true_one = clause.iter().find(|&&cell| map.blocked[cell]);
                blocked[*true_one.unwrap()] = true;
            }
            prop_assert_eq!(planner(&blocked), Some(shown.path));
        }
    }
}
