//! Probabilities of obstacles as risks of paths.
//!
//! ```text
//! cost of a path  =  sum over its cells of  1 - kappa ln(1 - p)
//! ```
//! in units of a cell's length, p being the probability of an obstacle. The weight kappa says how many
//! cells of detour a risk is worth; it is chosen on data that were held out from training, by
//! [`choose_kappa`].

use preceptron_reason::LEAST_PROBABILITY;

use super::{Judgement, LENGTH};

/// The weights that are tried where nobody says which.
pub const KAPPAS: [f64; 12] = [0.1, 0.2, 0.5, 0.7, 1.0, 1.4, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0];

/// The risk of each cell, from probabilities of obstacles. Probabilities that are not between 0 and 1 are
/// taken for the nearer of these.
pub fn risk(probabilities: &[f64], kappa: f64) -> Vec<i64> {
    let cost = |p: &f64| -kappa * (1.0 - p).clamp(LEAST_PROBABILITY, 1.0).ln();
    probabilities.iter().map(|p| (LENGTH as f64 * cost(p)).round() as i64).collect()
}

/// The weight whose plans on validation data have the highest [`Judgement::safe_f1`], and the judgement; of
/// equals the first. Nothing if there is no weight to choose from.
///
/// # Errors
/// The first error of `judge`.
pub fn choose_kappa<E>(
    kappas: &[f64],
    mut judge: impl FnMut(f64) -> Result<Judgement, E>,
) -> Result<Option<(f64, Judgement)>, E> {
    let mut best: Option<(f64, Judgement)> = None;
    for &kappa in kappas {
        let judgement = judge(kappa)?;
        if best.as_ref().is_none_or(|(_, known)| judgement.safe_f1 > known.safe_f1) {
            best = Some((kappa, judgement));
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn risks_grow_with_probabilities() {
        let half = (1000.0 * 2.0 * 2f64.ln()).round() as i64;
        assert_eq!(risk(&[0.0, 0.5, -0.1], 2.0), [0, half, 0]);
        // No cell is impossible by its probability alone.
        assert_eq!(risk(&[1.0, 1.5], 1.0), [20_723, 20_723]);
    }

    #[test]
    fn the_first_of_the_best_weights() {
        let judge = |kappa: f64| {
            let safe_f1 = if kappa >= 2.0 { 0.8 } else { 0.5 };
            Ok::<_, ()>(Judgement { safe_f1, ..Judgement::default() })
        };
        assert_eq!(choose_kappa(&KAPPAS, judge).unwrap().unwrap().0, 2.0);
        assert_eq!(choose_kappa(&[], judge), Ok(None));
    }
}
