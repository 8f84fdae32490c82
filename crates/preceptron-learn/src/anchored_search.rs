//! The anchored search: equalities through one variable, among those most correlated with it.
//!
//! For an anchor a, let r be the literals that are most negatively correlated with it. A row with weight 1
//! on the anchor has a constant sum if `C_aa + 2 C_ra'w + w'C_rr w = 0`; this is the quadratic loss of
//! [`crate::row_update`] with A = C_rr and p = -C_ra, annealed from several random centres. The bound b is
//! never needed: it is the sum that the examples show. The problem is solved in the small space; keeping
//! all variables and forbidding most of them does not work as well, because the box then holds back the
//! pull towards 0 and 1.

use preceptron_logic::{Lit, Var};
use preceptron_matrix::Mat;
use rand::RngExt;
use rayon::prelude::*;

use crate::learn::is_near;
use crate::row_update::{Projection, RowProblem, SoftConstraints};
use crate::unexplained::Explained;
use crate::{Checked, Moments};
use preceptron_base::{Control, stream};

/// Which literals may stand beside an anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signs {
    /// Variables, if they are negatively correlated with the anchor.
    Positive,
    /// Variables and negations, whichever is negatively correlated with the anchor.
    Both,
    /// Variables, whichever their correlation: where members of a sum exclude one another, others go together.
    Any,
}

/// The fewest and the most literals beside an anchor, where the data choose.
const NEIGHBOURS: (usize, usize) = (24, 128);
/// Correlations count from this many standard errors on.
const NOTABLE: f64 = 1.5;
/// Changes of the variance below this are rounding.
const NEGLIGIBLE: f64 = 1e-9;

/// Groups of literals whose sum does not vary, found from these anchors.
pub(crate) fn search(
    moments: &Moments,
    anchors: &[usize],
    signs: Signs,
    settings: &Checked,
    round: u32,
    control: &dyn Control,
) -> Vec<Vec<Lit>> {
    let deviations = deviations(moments);
    let mut found: Vec<Vec<Lit>> = anchors
        .par_iter()
        .flat_map_iter(|&anchor| {
            if control.is_cancelled() || deviations[anchor] == 0.0 {
                return vec![];
            }
            let rows = at_anchor(moments, anchor, &deviations, signs, settings, round);
            control.advance(1);
            rows
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The anchors whose surroundings satisfy an equation that is not known.
pub(crate) fn unexplained(
    moments: &Moments,
    anchors: &[usize],
    explained: &Explained,
    signs: Signs,
    settings: &Checked,
    control: &dyn Control,
) -> Vec<usize> {
    let deviations = deviations(moments);
    anchors
        .par_iter()
        .copied()
        .filter(|&anchor| {
            if control.is_cancelled() || deviations[anchor] == 0.0 {
                return false;
            }
            let literals = neighbours(moments, anchor, &deviations, signs, settings);
            let variables: Vec<usize> =
                literals.iter().map(|literal| literal.var().index()).chain([anchor]).collect();
            explained.leaves_equations(moments, &variables)
        })
        .collect()
}

fn deviations(moments: &Moments) -> Vec<f64> {
    (0..moments.variables()).map(|i| moments.covariance(i, i).max(0.0).sqrt()).collect()
}

/// The literals most negatively correlated with the anchor, strongest first.
fn neighbours(
    moments: &Moments,
    anchor: usize,
    deviations: &[f64],
    signs: Signs,
    settings: &Checked,
) -> Vec<Lit> {
    let mut scored: Vec<(f64, f64, Lit)> = (0..moments.variables())
        .filter(|&j| j != anchor && deviations[j] > 0.0)
        .filter_map(|j| {
            let correlation = moments.covariance(anchor, j) / (deviations[anchor] * deviations[j]);
            let negated = correlation > 0.0 && signs != Signs::Any;
            let noise = (moments.known_both(anchor, j).max(1) as f64).sqrt().recip();
            (signs != Signs::Positive || !negated)
                .then(|| (-correlation.abs(), noise, Lit::new(Var(j as u32), negated)))
        })
        .collect();
    let order = |a: &(f64, f64, Lit), b: &(f64, f64, Lit)| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2));
    let notable = scored.iter().filter(|(correlation, noise, _)| -correlation > NOTABLE * noise).count();
    let count = match settings.neighbours {
        Some(count) => count as usize,
        // Among more variables than a few examples tell apart, everything satisfies some equation.
        None => {
            let most = (moments.examples() as usize / 3).clamp(NEIGHBOURS.0, NEIGHBOURS.1);
            (notable + notable / 4).clamp(NEIGHBOURS.0, most)
        }
    };
    if count < scored.len() {
        scored.select_nth_unstable_by(count, order);
    }
    scored.truncate(count);
    scored.sort_by(order);
    scored.into_iter().map(|(_, _, literal)| literal).collect()
}

fn at_anchor(
    moments: &Moments,
    anchor: usize,
    deviations: &[f64],
    signs: Signs,
    settings: &Checked,
    round: u32,
) -> Vec<Vec<Lit>> {
    let literals = neighbours(moments, anchor, deviations, signs, settings);
    if literals.is_empty() {
        return vec![];
    }
    let schedule = settings.row_weights();
    let sign = |l: Lit| if l.is_negated() { -1.0 } else { 1.0 };
    let entry = |a: Lit, b: Lit| sign(a) * sign(b) * moments.covariance(a.var().index(), b.var().index());
    let k = literals.len();
    let quadratic = Mat::from_fn(k, k, |i, j| entry(literals[i], literals[j]));
    let anchored: Vec<f64> = literals.iter().map(|&l| entry(Var(anchor as u32).positive(), l)).collect();
    let own = moments.covariance(anchor, anchor);
    let linear = anchored.iter().map(|c| -c).collect();
    let Some(problem) = RowProblem::new(&quadratic, linear, Projection::Box, &schedule) else {
        return vec![];
    };
    let mut random =
        stream(settings.seed, "centres of the local form", u64::from(round) << 32 | anchor as u64);
    let centres = Mat::from_fn(k, settings.rows, |_, _| random.random::<f64>());
    let mut soft = SoftConstraints::at(centres, 1.0);
    problem.anneal(&mut soft, &schedule, None);
    let mut found = Vec::new();
    for members in soft.binarised() {
        let mut chosen = vec![false; k];
        members.iter().for_each(|&i| chosen[i] = true);
        let (chosen, variance) = polish(chosen, &quadratic, &anchored, own);
        let scale: f64 = own + (0..k).filter(|&i| chosen[i]).map(|i| quadratic[(i, i)]).sum::<f64>();
        if is_near(variance, scale, settings) {
            let mut row = vec![Var(anchor as u32).positive()];
            row.extend((0..k).filter(|&i| chosen[i]).map(|i| literals[i]));
            row.sort_unstable();
            found.push(row);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Flips single weights as long as that lowers the variance of the sum; the row and its variance.
fn polish(mut chosen: Vec<bool>, quadratic: &Mat, anchored: &[f64], own: f64) -> (Vec<bool>, f64) {
    let k = chosen.len();
    // The gradient of the variance: Cw + C_ra.
    let mut slope: Vec<f64> = anchored.to_vec();
    for j in (0..k).filter(|&j| chosen[j]) {
        (0..k).for_each(|i| slope[i] += quadratic[(i, j)]);
    }
    let mut variance = own + (0..k).filter(|&i| chosen[i]).map(|i| slope[i] + anchored[i]).sum::<f64>();
    for _ in 0..k {
        let change = |i: usize| {
            let step = if chosen[i] { -1.0 } else { 1.0 };
            2.0 * step * slope[i] + quadratic[(i, i)]
        };
        let Some(best) = (0..k).min_by(|&a, &b| change(a).total_cmp(&change(b))) else { break };
        let gain = change(best);
        if gain > -NEGLIGIBLE {
            break;
        }
        variance += gain;
        let step = if chosen[best] { -1.0 } else { 1.0 };
        chosen[best] = !chosen[best];
        (0..k).for_each(|i| slope[i] += step * quadratic[(i, best)]);
    }
    (chosen, variance)
}
