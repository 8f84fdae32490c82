//! Softmax, and the cross-entropy of known answers behind it.
//!
//! ```text
//! p = exp(c x - max) / sum        dL/dx = c p (d - sum d p)
//! L = -ln p(answer)               dL/dlogit = p - [answer]
//! ```

use preceptron_matrix::widest;

use super::functions::exp;

const LANES: usize = 8;

/// Replaces each column by its softmax after multiplication with `factor`, which is above 0.
pub(crate) fn softmax(columns: &mut [f32], rows: usize, factor: f32) {
    widest(
        #[inline(always)]
        || columns.chunks_exact_mut(rows).for_each(|column| softmax_of(column, factor)),
    );
}

#[inline(always)]
fn softmax_of(column: &mut [f32], factor: f32) {
    let mut most = [f32::NEG_INFINITY; LANES];
    let chunks = column.chunks_exact(LANES);
    for &value in chunks.remainder() {
        most[0] = if value > most[0] { value } else { most[0] };
    }
    for chunk in chunks {
        for lane in 0..LANES {
            most[lane] = if chunk[lane] > most[lane] { chunk[lane] } else { most[lane] };
        }
    }
    let most = most.into_iter().fold(f32::NEG_INFINITY, f32::max);
    column.iter_mut().for_each(|value| *value = exp(factor * (*value - most)));
    let mut sums = [0.0f32; LANES];
    let chunks = column.chunks_exact(LANES);
    let rest: f32 = chunks.remainder().iter().sum();
    for chunk in chunks {
        for lane in 0..LANES {
            sums[lane] += chunk[lane];
        }
    }
    let share = 1.0 / (sums.iter().sum::<f32>() + rest);
    column.iter_mut().for_each(|value| *value *= share);
}

/// Turns derivatives by probabilities into those by what went in.
pub(crate) fn softmax_back(probabilities: &[f32], rows: usize, factor: f32, slopes: &mut [f32]) {
    widest(
        #[inline(always)]
        || {
            for (p, d) in probabilities.chunks_exact(rows).zip(slopes.chunks_exact_mut(rows)) {
                let mut sums = [0.0f32; LANES];
                let pairs = p.chunks_exact(LANES).zip(d.chunks_exact(LANES));
                for (p, d) in pairs {
                    for lane in 0..LANES {
                        sums[lane] += p[lane] * d[lane];
                    }
                }
                let from = rows - rows % LANES;
                let rest: f32 = p[from..].iter().zip(&d[from..]).map(|(p, d)| p * d).sum();
                let sum = sums.iter().sum::<f32>() + rest;
                d.iter_mut().zip(p).for_each(|(d, p)| *d = factor * p * (*d - sum));
            }
        },
    );
}

/// Turns logits of cells into derivatives by them, times `share`; returns the sum of the losses. Cells whose
/// answer is not known have neither.
pub(crate) fn cross_entropy<'a>(
    logits: &mut [f32],
    classes: usize,
    answers: impl Iterator<Item = &'a Option<u16>>,
    share: f32,
) -> f64 {
    softmax(logits, classes, 1.0);
    let mut loss = 0.0;
    for (column, answer) in logits.chunks_exact_mut(classes).zip(answers) {
        match answer {
            None => column.fill(0.0),
            Some(answer) => {
                let answer = usize::from(*answer);
                // A probability of 0 is one too small for f32; its logarithm would not be a number.
                loss -= f64::from(column[answer].max(f32::MIN_POSITIVE)).ln();
                column[answer] -= 1.0;
                column.iter_mut().for_each(|slope| *slope *= share);
            }
        }
    }
    loss
}
