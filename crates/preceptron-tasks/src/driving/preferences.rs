//! Which of several shortest paths (tie-breaking): learned from demonstrations by an averaged structured perceptron.
//!
//! A move has a price that depends on its direction and on where the end lies from its first cell:
//! ```text
//! price of a path  =  sum over its moves of  w[direction, rows to the end, columns to the end]
//! w  <-  w + features(planned) - features(shown)      where the two differ
//! ```
//! The plan is the shortest path among the known obstacles that has the least price by the current w. The
//! result is the mean of w over all steps, scaled so that the dearest move costs [`PreferenceSettings::scale`].
//! Lessons of which no obstacles are known, or whose path is not a shortest one, teach nothing here.

use preceptron_base::stream;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use super::plan_compiled::{cheapest, length};
use super::{Cell, Grid, LENGTH, Lesson, Request, Steps};

/// How preferences are learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PreferenceSettings {
    /// The master seed: lessons come in a random order.
    pub seed: u64,
    /// How often all lessons are gone through.
    pub epochs: u32,
    /// What the dearest move costs, in steps of which a cell's length is [`LENGTH`]; at most
    /// [`Preferences::MOST`]. Paths of fewer than half of [`LENGTH`] over this many cells are the shortest still;
    /// where risks differ by little everywhere, a larger one may follow demonstrations better.
    pub scale: i64,
    /// What steps cost: which paths are equally short.
    pub steps: Steps,
}

impl Default for PreferenceSettings {
    fn default() -> PreferenceSettings {
        PreferenceSettings { seed: 0, epochs: 5, scale: 10, steps: Steps::Equal }
    }
}

/// Preferences among moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Preferences {
    /// By direction and offset, in steps of which a cell's length is [`LENGTH`] times [`Preferences::FINE`].
    prices: Vec<i64>,
    /// Lessons that taught something.
    pub lessons: usize,
    /// Of these, the ones whose path was planned as it was shown in the last epoch.
    pub agreed: usize,
}

/// Offsets beyond this many rows or columns are taken for this.
const REACH: i64 = 9;
const SPAN: usize = 2 * REACH as usize + 1;
/// What a cell costs while learning: more than prices ever add up to.
const LONG: i64 = 1 << 30;

impl Preferences {
    /// The most that a move may cost, either way.
    pub const MOST: i64 = LENGTH * 19 / 100;
    /// How finely prices are told apart: parts of a step.
    pub const FINE: i64 = 1000;

    /// What a move costs if the path is to end at `end`.
    pub(super) fn cost(&self, from: Cell, to: Cell, end: Cell) -> i64 {
        self.prices[feature(from, to, end)]
    }

    /// The same preferences with another price of the dearest move; at most [`Preferences::MOST`].
    #[must_use]
    pub fn scaled(&self, scale: i64) -> Preferences {
        let most = self.prices.iter().map(|price| price.abs()).max().unwrap_or(0).max(1) as f64;
        let scale = (scale.clamp(0, Preferences::MOST) * Preferences::FINE) as f64 / most;
        let prices = self.prices.iter().map(|price| (*price as f64 * scale).round() as i64).collect();
        Preferences { prices, ..*self }
    }

    /// Learns preferences. A scale above [`Preferences::MOST`] is taken for that.
    ///
    /// # Panics
    /// If a lesson is not on the grid.
    pub fn learn(grid: &Grid, lessons: &[Lesson], settings: &PreferenceSettings) -> Preferences {
        let mut weights = vec![0i64; 9 * SPAN * SPAN];
        // The sum over updates of the step's number times the change, so that the mean needs no pass.
        let mut weighted = weights.clone();
        let mut order: Vec<&Lesson> =
            lessons.iter().filter(|lesson| is_useful(grid, lesson, settings.steps)).collect();
        let mut random = stream(settings.seed, "order of lessons", 0);
        let (mut step, mut agreed) = (0i64, 0);
        for _ in 0..settings.epochs {
            order.shuffle(&mut random);
            agreed = 0;
            for lesson in &order {
                step += 1;
                let (shown, end) = (&lesson.demonstration.path, lesson.demonstration.end);
                let price = |from: Cell, to: Cell| weights[feature(from, to, end)];
                let planned = shortest(grid, lesson, settings.steps, price);
                let Some(planned) = planned.filter(|planned| planned != shown) else {
                    agreed += 1;
                    continue;
                };
                for (path, change) in [(&planned, 1), (shown, -1)] {
                    for pair in path.windows(2) {
                        let at = feature(pair[0], pair[1], end);
                        weights[at] += change;
                        weighted[at] += change * step;
                    }
                }
            }
        }
        let mean = |(w, u): (&i64, &i64)| (w * (step + 1) - u) as f64;
        let means: Vec<f64> = weights.iter().zip(&weighted).map(mean).collect();
        let most = means.iter().fold(0f64, |most, mean| most.max(mean.abs()));
        let scale = (settings.scale.clamp(0, Preferences::MOST) * Preferences::FINE) as f64 / most.max(1.0);
        let prices = means.iter().map(|mean| (mean * scale).round() as i64).collect();
        Preferences { prices, lessons: order.len(), agreed }
    }
}

/// The number of a move's price.
fn feature(from: Cell, to: Cell, end: Cell) -> usize {
    let offset =
        |a: usize, b: usize, reach: i64| ((b as i64 - a as i64).clamp(-reach, reach) + reach) as usize;
    let direction = offset(from.row, to.row, 1) * 3 + offset(from.column, to.column, 1);
    let (rows, columns) = (offset(from.row, end.row, REACH), offset(from.column, end.column, REACH));
    (direction * SPAN + rows) * SPAN + columns
}

/// The cheapest of the shortest paths of a lesson, by prices of moves.
fn shortest(
    grid: &Grid,
    lesson: &Lesson,
    steps: Steps,
    price: impl Fn(Cell, Cell) -> i64,
) -> Option<Vec<Cell>> {
    let blocked = &lesson.obstacles?.blocked;
    let shown = lesson.demonstration;
    let request = Request { start: shown.start, end: shown.end, blocked, risk: &[] };
    cheapest(grid, &request, |from, to| LONG * length(steps, from, to) + price(from, to))
}

/// Whether the obstacles are known, and the path shown is as short as any around them.
fn is_useful(grid: &Grid, lesson: &Lesson, steps: Steps) -> bool {
    let path = &lesson.demonstration.path;
    let cost = |path: &[Cell]| path.windows(2).map(|pair| length(steps, pair[0], pair[1])).sum::<i64>();
    let is_free = |map: &super::Map| path.iter().all(|cell| !map.is_blocked(*cell));
    lesson.obstacles.is_some_and(is_free)
        && shortest(grid, lesson, steps, |_, _| 0).is_some_and(|short| cost(&short) == cost(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driving::test_maps::{lessons, trials};
    use crate::driving::{CompiledPlanner, Judgement, Planned, degree_rules, judge, random_shortest};

    /// On other maps the demonstrator's taste is met far more often than by chance.
    #[test]
    fn a_taste_is_learned() {
        let grid = Grid::default();
        let preferences =
            Preferences::learn(&grid, &lessons(&trials(&grid, 0.05, 1, 500)), &PreferenceSettings::default());
        assert_eq!(preferences.lessons, 500);
        assert!(preferences.agreed > 300, "{} agree", preferences.agreed);
        let planner = CompiledPlanner::new(&degree_rules(), &grid).unwrap();
        let others = trials(&grid, 0.05, 2, 300);
        let f1 = |plan: &dyn Fn(usize, &Request) -> Vec<Cell>| -> Judgement {
            let plan =
                |(item, (map, shown)): (usize, &(crate::driving::Map, crate::driving::Demonstration))| {
                    let request = Request {
                        start: shown.start,
                        end: shown.end,
                        blocked: &map.blocked,
                        risk: &[0; 100],
                    };
                    plan(item, &request)
                };
            let plans: Vec<Vec<Cell>> = others.iter().enumerate().map(plan).collect();
            let frames: Vec<Planned> = others
                .iter()
                .zip(&plans)
                .map(|((truth, shown), plan)| Planned { truth, shown, plan: Some(plan), believed: None })
                .collect();
            judge(&frames)
        };
        let by_taste = f1(&|_, request| planner.plan(request, Some(&preferences)).unwrap().unwrap().path);
        let by_chance = f1(&|item, request| {
            random_shortest(&grid, request, &mut stream(1, "random ties", item as u64)).unwrap()
        });
        assert!(by_taste.path_f1 > by_chance.path_f1 + 0.08, "{by_taste:?} {by_chance:?}");
        for judgement in [by_taste, by_chance] {
            assert_eq!((judgement.collision, judgement.connected, judgement.length_regret), (0.0, 1.0, 0.0));
        }
    }

    #[test]
    fn lessons_that_teach_nothing() {
        let grid = Grid::default();
        let mut trials = trials(&grid, 0.05, 1, 3);
        let again = trials[0].1.path.clone();
        trials[0].1.path.extend(again);
        let mut lessons = lessons(&trials);
        lessons[1].obstacles = None;
        let preferences = Preferences::learn(&grid, &lessons, &PreferenceSettings::default());
        assert_eq!(preferences.lessons, 1);
        let nothing = Preferences::learn(&grid, &[], &PreferenceSettings::default());
        assert!(nothing.prices.iter().all(|price| *price == 0));
    }

    #[test]
    fn prices_stay_within_their_scale() {
        let grid = Grid::default();
        let trials = trials(&grid, 0.05, 1, 100);
        let settings = PreferenceSettings { scale: 10_000, ..PreferenceSettings::default() };
        let preferences = Preferences::learn(&grid, &lessons(&trials), &settings);
        let most = preferences.prices.iter().map(|price| price.abs()).max();
        assert_eq!(most, Some(Preferences::MOST * Preferences::FINE));
        // What the proof of the compiled planner asks for, with steps across corners too.
        const { assert!(1000 * 3 * Preferences::MOST < 585 * LENGTH) };
        assert_eq!(Preferences::learn(&grid, &lessons(&trials), &settings), preferences);
    }
}
