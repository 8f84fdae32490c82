//! Losses of maps: from paths alone (weak supervision), from the true map, and of paths that are predicted without a map.
//!
//! With p the probability that a cell is blocked, Y the cells of the demonstrated path, C the clauses of the
//! frame (sets of cells of which at least one is blocked, see [`super::Clauses`]), w the prior's weight
//! ([`WeakLoss::prior`]), and t the truth where it is known:
//! ```text
//! weak        L = - sum_(i in Y) ln(1 - p_i) - sum_(c in C) ln(1 - Q_c) + w sum_i p_i
//!                 Q_c = product_(i in c) (1 - p_i)
//! map, path   L = sum_i -t_i ln p_i - (1 - t_i) ln(1 - p_i)
//! ```
//! A clause that holds with probability a only, the likelihood of what was shown being 1 - a where all its cells
//! are free ([`WeakLoss::likely`]), has `1 - a Q_c` in place of `1 - Q_c`.
//!
//! By the logit of cell i: `p_i` for a cell of the path, `-p_i Q_c / (1 - Q_c)` for each clause that it is in,
//! `w p_i (1 - p_i)` for the prior, and `p_i - t_i` where the truth is known. Each loss has the form that
//! [`preceptron_perceive::Mapper::fit`] asks for.
//!
//! The prior is the expected number of obstacles: it pulls less at cells that the network is sure of than
//! `-w sum_i ln(1 - p_i)` does. On the toy of the tests more obstacles were found with it; there too their
//! number falls with a greater weight and with longer training.

use serde::{Deserialize, Serialize};

use super::{Demonstration, Grid, Map};

/// Probabilities are held this far from 0 and 1 where a logarithm is taken.
const LEAST: f64 = 1e-9;
const MOST: f64 = 1.0 - 1e-7;

/// What is learned from paths alone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WeakLoss {
    /// What each expected obstacle costs.
    pub prior: f64,
}

impl Default for WeakLoss {
    /// A weak pull towards a map without obstacles.
    fn default() -> WeakLoss {
        WeakLoss { prior: 0.02 }
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
            loss += cross_entropy(false, grid.number(*cell), probabilities, slopes);
        }
        for clause in clauses {
            loss += clause_loss(clause, 1.0, probabilities, slopes);
        }
        for (slope, p) in slopes.iter_mut().zip(probabilities) {
            *slope += self.prior as f32 * p * (1.0 - p);
            loss += self.prior * f64::from(*p);
        }
        loss
    }

    /// The loss of clauses each of which holds with a probability, `trust`; its derivatives by the logits are
    /// added to `slopes`.
    pub fn likely(
        &self,
        trust: f64,
        clauses: &[Vec<usize>],
        probabilities: &[f32],
        slopes: &mut [f32],
    ) -> f64 {
        clauses.iter().map(|clause| clause_loss(clause, trust, probabilities, slopes)).sum()
    }
}

/// The loss of one frame against its true map; its derivatives by the logits are added to `slopes`.
pub fn map_loss(map: &Map, probabilities: &[f32], slopes: &mut [f32]) -> f64 {
    let cells = map.blocked.iter().enumerate();
    cells.map(|(cell, &blocked)| cross_entropy(blocked, cell, probabilities, slopes)).sum()
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
    cells.map(|(cell, &on_path)| cross_entropy(on_path, cell, probabilities, slopes)).sum()
}

/// `-ln p` of a cell for which it is so, `-ln(1 - p)` of one for which it is not.
fn cross_entropy(is_so: bool, cell: usize, probabilities: &[f32], slopes: &mut [f32]) -> f64 {
    let p = probabilities[cell];
    slopes[cell] += p - f32::from(u8::from(is_so));
    let p = f64::from(p).clamp(LEAST, MOST);
    if is_so { -p.ln() } else { -(-p).ln_1p() }
}

/// `-ln(1 - a Q)` of a clause.
fn clause_loss(clause: &[usize], trust: f64, probabilities: &[f32], slopes: &mut [f32]) -> f64 {
    let of = |cell: usize| f64::from(probabilities[cell]).clamp(LEAST, MOST);
    let log_free: f64 = clause.iter().map(|&cell| (-of(cell)).ln_1p()).sum();
    let blocked = -trust * log_free.exp_m1() + (1.0 - trust);
    if blocked <= 0.0 {
        // No cell, so that no map obeys the clause: nothing to be learned from it.
        return 0.0;
    }
    let share = trust * log_free.exp() / blocked;
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
            (prior, trust) in (0.0..1.0f64, 0.0..1.0f64),
        ) {
            let clauses: Vec<Vec<usize>> = clauses.into_iter().map(|clause| clause.into_iter().collect()).collect();
            let weak = WeakLoss { prior };
            check(&logits, |p, slopes| weak.of(GRID, &demonstration(), &clauses, p, slopes));
            check(&logits, |p, slopes| weak.likely(trust, &clauses, p, slopes));
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
        let loss = WeakLoss { prior: 0.0 };
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
