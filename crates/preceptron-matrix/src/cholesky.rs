//! Systems with a symmetric positive definite matrix: A = L L', and L y = b, L' x = y.
//!
//! Both go in blocks of columns, so that most of the work is in products: for each block, what the columns
//! before it take away is one product, and what is left is a small factorisation and a small triangular
//! system.

use crate::{Mat, Strided, subtract_product};

/// Columns that are worked on together.
const BLOCK: usize = 64;

/// The lower triangle L.
#[derive(Clone, Debug)]
pub struct Cholesky {
    lower: Mat,
}

impl Cholesky {
    /// Factorises a matrix of which the lower triangle counts; nothing if it is not positive definite.
    ///
    /// # Panics
    /// If it is not square.
    pub fn of(matrix: &Mat) -> Option<Cholesky> {
        let n = matrix.nrows();
        assert_eq!(n, matrix.ncols(), "a square matrix");
        let mut lower = matrix.clone();
        for start in (0..n).step_by(BLOCK) {
            let width = BLOCK.min(n - start);
            // The block less what the columns before it account for.
            let (before, rest) = lower.entries_mut().split_at_mut(start * n);
            let known = Strided::by_columns(before, n, start, n).rows_of(start..n);
            let block = &mut rest[start..width * n];
            subtract_product(block, n, known, known.rows_of(0..width).transposed());
            factorise(block, n, n - start, width)?;
        }
        (1..n).for_each(|column| lower.column_mut(column)[..column].fill(0.0));
        Some(Cholesky { lower })
    }

    /// The solution of A x = b, for each column of the right-hand side.
    ///
    /// # Panics
    /// If there are not as many rows as the matrix has.
    pub fn solve(&self, mut right: Mat) -> Mat {
        let (n, columns) = (self.lower.nrows(), right.ncols());
        assert_eq!(n, right.nrows(), "as many rows as the matrix");
        let lower = self.lower.view();
        let starts: Vec<usize> = (0..n).step_by(BLOCK).collect();
        let mut solved = vec![0.0; BLOCK * columns];
        // Downwards with L, then upwards with its transpose; each block is solved, then taken from the rest.
        for is_down in [true, false] {
            for at in 0..starts.len() {
                let start = starts[if is_down { at } else { starts.len() - 1 - at }];
                let width = BLOCK.min(n - start);
                for column in 0..columns {
                    let block = &mut right.column_mut(column)[start..start + width];
                    match is_down {
                        true => self.down(start, block),
                        false => self.up(start, block),
                    }
                    solved[column * width..][..width].copy_from_slice(block);
                }
                let block = Strided::by_columns(&solved[..width * columns], width, columns, width);
                let panel = lower.columns_of(start..start + width);
                if is_down {
                    let left = panel.rows_of(start + width..n);
                    let from = (start + width).min(right.entries().len());
                    subtract_product(&mut right.entries_mut()[from..], n, left, block);
                } else {
                    let left = lower.rows_of(start..start + width).columns_of(0..start).transposed();
                    subtract_product(right.entries_mut(), n, left, block);
                }
            }
        }
        right
    }

    fn down(&self, start: usize, block: &mut [f64]) {
        for j in 0..block.len() {
            let column = &self.lower.column(start + j)[start + j..start + block.len()];
            let value = block[j] / column[0];
            block[j] = value;
            block[j + 1..].iter_mut().zip(&column[1..]).for_each(|(b, l)| *b -= l * value);
        }
    }

    fn up(&self, start: usize, block: &mut [f64]) {
        for j in (0..block.len()).rev() {
            let column = &self.lower.column(start + j)[start + j..start + block.len()];
            let known: f64 = block[j + 1..].iter().zip(&column[1..]).map(|(b, l)| b * l).sum();
            block[j] = (block[j] - known) / column[0];
        }
    }
}

/// Factorises the first `width` columns of a block with `height` rows, `stride` from column to column.
fn factorise(block: &mut [f64], stride: usize, height: usize, width: usize) -> Option<()> {
    for j in 0..width {
        let (before, from) = block.split_at_mut(j * stride);
        let column = &mut from[j..height];
        for earlier in before.chunks(stride.max(1)) {
            let factor = earlier[j];
            column.iter_mut().zip(&earlier[j..height]).for_each(|(c, e)| *c -= factor * e);
        }
        let pivot = column[0];
        if !(pivot > 0.0 && pivot.is_finite()) {
            return None;
        }
        let root = pivot.sqrt();
        column.iter_mut().for_each(|c| *c /= root);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::product;
    use proptest::prelude::*;

    /// B B' + I, with entries that repeat after a while.
    fn definite(n: usize, seed: usize) -> Mat {
        let b = Mat::from_fn(n, n + 3, |i, j| ((i * 31 + j * 17 + seed * 7) % 19) as f64 / 19.0 - 0.4);
        let mut a = product(b.view(), b.transposed());
        (0..n).for_each(|i| a[(i, i)] += 1.0);
        a
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn solutions_solve(n in 0usize..200, columns in 0usize..5, seed in 0usize..100) {
            let a = definite(n, seed);
            let right = Mat::from_fn(n, columns, |i, j| ((i * 5 + j * 3 + seed) % 11) as f64 - 5.0);
            let x = Cholesky::of(&a).unwrap().solve(right.clone());
            prop_assert!(product(a.view(), x.view()).distance(&right) < 1e-8);
        }
    }

    #[test]
    fn only_the_lower_triangle_counts() {
        let a = definite(70, 1);
        let mut half = a.clone();
        (0..70).for_each(|j| half.column_mut(j)[..j].fill(f64::NAN));
        let right = Mat::identity(70);
        assert_eq!(Cholesky::of(&a).unwrap().solve(right.clone()), Cholesky::of(&half).unwrap().solve(right));
    }

    #[test]
    fn what_is_not_definite_is_refused() {
        for value in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let mut a = definite(130, 2);
            a[(100, 100)] = value;
            assert!(Cholesky::of(&a).is_none(), "{value}");
        }
    }
}
