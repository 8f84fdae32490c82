//! Losses of maps: from paths alone, from the true map, and of paths that are predicted without a map.
//!
//! With p the probability that a cell is blocked, Y the cells of the demonstrated path, C the clauses of the
//! frame (sets of cells of which at least one is blocked, see [`super::Clauses`]), w the prior's weight and r
//! its rate:
//! ```text
//! weak        L = - sum_(i in Y) ln(1 - p_i) - sum_(c in C) ln(1 - Q_c) + w sum_i H(r, p_i)
//!                 Q_c = product_(i in c) (1 - p_i)        H(t, p) = -t ln p - (1 - t) ln(1 - p)
//! map, path   L = sum_i H(t_i, p_i)
//! ```
//! By the logit of cell i: `p_i` for a cell of the path, `-p_i Q_c / (1 - Q_c)` for each clause that it is in,
//! and `p_i - t_i` for H. Each loss has the form that [`precept_perceive::Mapper::fit`] asks for.
//!
//! | symbol | here |
//! |---|---|
//! | w | [`WeakLoss::prior`] |
//! | r | [`WeakLoss::rate`] |

use serde::{Deserialize, Serialize};

use super::{Demonstration, Grid, Map};

/// Probabilities are held this far from 0 and 1 where a logarithm is taken.
const LEAST: f64 = 1e-9;
const MOST: f64 = 1.0 - 1e-7;

/// What is learned from paths alone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WeakLoss {
    /// How much it counts, for each cell, that obstacles are rare.
    pub prior: f64,
    /// How many cells are blocked where nothing is known: a share of 1.
    pub rate: f64,
}

impl Default for WeakLoss {
    /// A weak pull towards a map without obstacles.
    fn default() -> WeakLoss {
        WeakLoss { prior: 0.02, rate: 0.0 }
    }
}

impl WeakLoss {
    /// The loss of one frame; its derivatives by the logits are added to `slopes`.
    pub fn of(
        &self,
        grid: Grid,
        demonstration: &Demonstration,
        clauses: &[Vec<usize>],
        probabilities: &[f32],
        slopes: &mut [f32],
    ) -> f64 {
        let mut loss = 0.0;
        for cell in &demonstration.path {
            loss += cross_entropy(0.0, 1.0, grid.number(*cell), probabilities, slopes);
        }
        for clause in clauses {
            loss += clause_loss(clause, probabilities, slopes);
        }
        for cell in 0..probabilities.len() {
            loss += cross_entropy(self.rate, self.prior, cell, probabilities, slopes);
        }
        loss
    }
}

/// The loss of one frame against its true map; its derivatives by the logits are added to `slopes`.
pub fn map_loss(map: &Map, probabilities: &[f32], slopes: &mut [f32]) -> f64 {
    let cells = map.blocked.iter().enumerate();
    cells.map(|(cell, &blocked)| cross_entropy(truth(blocked), 1.0, cell, probabilities, slopes)).sum()
}

/// The loss of probabilities that a cell is on the path; its derivatives by the logits are added to `slopes`.
pub fn path_loss(
    grid: Grid,
    demonstration: &Demonstration,
    probabilities: &[f32],
    slopes: &mut [f32],
) -> f64 {
    let mut on_path = vec![false; grid.len()];
    demonstration.path.iter().for_each(|cell| on_path[grid.number(*cell)] = true);
    let cells = on_path.iter().enumerate();
    cells.map(|(cell, &on_path)| cross_entropy(truth(on_path), 1.0, cell, probabilities, slopes)).sum()
}

fn truth(is_so: bool) -> f64 {
    f64::from(u8::from(is_so))
}

/// `weight H(target, p)` of a cell.
fn cross_entropy(target: f64, weight: f64, cell: usize, probabilities: &[f32], slopes: &mut [f32]) -> f64 {
    let p = f64::from(probabilities[cell]);
    slopes[cell] += (weight * (p - target)) as f32;
    let p = p.clamp(LEAST, MOST);
    -weight * (target * p.ln() + (1.0 - target) * (-p).ln_1p())
}

/// `-ln(1 - Q)` of a clause.
fn clause_loss(clause: &[usize], probabilities: &[f32], slopes: &mut [f32]) -> f64 {
    let of = |cell: usize| f64::from(probabilities[cell]).clamp(LEAST, MOST);
    let log_free: f64 = clause.iter().map(|&cell| (-of(cell)).ln_1p()).sum();
    let blocked = -log_free.exp_m1();
    if blocked <= 0.0 {
        // No cell, so that no map obeys the clause: nothing to be learned from it.
        return 0.0;
    }
    let share = log_free.exp() / blocked;
    clause.iter().for_each(|&cell| slopes[cell] -= (share * of(cell)) as f32);
    -blocked.ln()
}

#[cfg(test)]
mod tests {
    use super::super::Cell;
    use super::*;
    use proptest::prelude::*;

    const GRID: Grid = Grid { rows: 3, columns: 4, x: [-2.0, 2.0], z: [0.0, 3.0] };

    fn demonstration() -> Demonstration {
        let path: Vec<Cell> = [1, 6, 11].map(|number| GRID.cell(number)).to_vec();
        Demonstration { start: path[0], end: path[2], path }
    }

    fn sigmoid(logit: f64) -> f32 {
        (1.0 / (1.0 + (-logit).exp())) as f32
    }

    /// Compares derivatives with differences of losses.
    fn check(logits: &[f64], loss: impl Fn(&[f32], &mut [f32]) -> f64) {
        let at = |logits: &[f64], slopes: &mut [f32]| {
            let probabilities: Vec<f32> = logits.iter().map(|&logit| sigmoid(logit)).collect();
            loss(&probabilities, slopes)
        };
        let mut slopes = vec![0.0; logits.len()];
        at(logits, &mut slopes);
        for cell in 0..logits.len() {
            let moved = |by: f64| {
                let mut logits = logits.to_vec();
                logits[cell] += by;
                at(&logits, &mut vec![0.0; logits.len()])
            };
            let slope = (moved(1e-2) - moved(-1e-2)) / 2e-2;
            assert!((slope - f64::from(slopes[cell])).abs() < 1e-3, "cell {cell}: {} {slope}", slopes[cell]);
        }
    }

    proptest! {
        #[test]
        fn derivatives_by_logits(
            logits in prop::collection::vec(-4.0..4.0f64, 12),
            clauses in prop::collection::vec(prop::collection::btree_set(0..12usize, 1..5), 0..4),
            blocked in prop::collection::vec(any::<bool>(), 12),
            prior in 0.0..1.0f64, rate in 0.0..0.5f64,
        ) {
            let clauses: Vec<Vec<usize>> = clauses.into_iter().map(|clause| clause.into_iter().collect()).collect();
            let weak = WeakLoss { prior, rate };
            check(&logits, |p, slopes| weak.of(GRID, &demonstration(), &clauses, p, slopes));
            let map = Map { grid: GRID, blocked };
            check(&logits, |p, slopes| map_loss(&map, p, slopes));
            check(&logits, |p, slopes| path_loss(GRID, &demonstration(), p, slopes));
        }
    }

    #[test]
    fn the_loss_is_the_probability_of_what_is_known() {
        // Two cells of which one is blocked: 1 - (1 - 0.5) (1 - 0.2) = 0.6.
        let mut probabilities = vec![0.0; 12];
        (probabilities[2], probabilities[3]) = (0.5, 0.2);
        let loss = WeakLoss { prior: 0.0, rate: 0.0 };
        let clauses = [vec![2, 3]];
        let found = loss.of(GRID, &demonstration(), &clauses, &probabilities, &mut [0.0; 12]);
        assert!((found + 0.6f64.ln()).abs() < 1e-6, "{found}");
        // A cell of the path that is probably blocked: 1 - 0.75.
        probabilities[6] = 0.75;
        let more = loss.of(GRID, &demonstration(), &clauses, &probabilities, &mut [0.0; 12]);
        assert!((more - found + 0.25f64.ln()).abs() < 1e-6, "{more}");
    }

    #[test]
    fn certain_and_wrong_is_finite() {
        for p in [0.0, 1.0] {
            let (probabilities, mut slopes) = ([p; 12], [0.0; 12]);
            let clauses = [vec![2, 3], vec![]];
            let loss = WeakLoss::default().of(GRID, &demonstration(), &clauses, &probabilities, &mut slopes);
            assert!(loss.is_finite() && slopes.iter().all(|slope| slope.is_finite()));
            assert!(loss > 10.0, "{loss}");
        }
    }
}
