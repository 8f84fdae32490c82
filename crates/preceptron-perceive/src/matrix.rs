//! Products of matrices: the one door to the `gemm` crate.

/// A matrix within a slice: entry (i, j) is at `i * row_stride + j * column_stride`.
#[derive(Clone, Copy)]
pub(crate) struct Matrix<'a> {
    pub values: &'a [f32],
    pub rows: usize,
    pub columns: usize,
    pub row_stride: usize,
    pub column_stride: usize,
}

impl<'a> Matrix<'a> {
    /// Columns one after the other, each `column_stride` after the one before.
    pub fn by_columns(values: &'a [f32], rows: usize, columns: usize, column_stride: usize) -> Matrix<'a> {
        Matrix { values, rows, columns, row_stride: 1, column_stride }
    }

    /// Rows and columns exchanged.
    pub fn transposed(self) -> Matrix<'a> {
        Matrix {
            rows: self.columns,
            columns: self.rows,
            row_stride: self.column_stride,
            column_stride: self.row_stride,
            ..self
        }
    }

    fn fits(&self) -> bool {
        let last = (self.rows.saturating_sub(1))
            .checked_mul(self.row_stride)
            .zip((self.columns.saturating_sub(1)).checked_mul(self.column_stride));
        let last = last.and_then(|(row, column)| row.checked_add(column));
        self.rows == 0 || self.columns == 0 || last.is_some_and(|last| last < self.values.len())
    }
}

/// `product = left right`, or `product += left right` if `add`. The columns of the product stand one after
/// the other in `product`, each `column_stride` after the one before.
///
/// One thread; the order of the sums depends on the shapes and the processor only.
///
/// # Panics
/// If the shapes do not fit together or a matrix does not fit into its slice.
pub(crate) fn multiply(
    product: &mut [f32],
    column_stride: usize,
    left: Matrix<'_>,
    right: Matrix<'_>,
    add: bool,
) {
    let (m, n, k) = (left.rows, right.columns, left.columns);
    assert_eq!(k, right.rows, "as many columns on the left as rows on the right");
    assert!(n <= 1 || column_stride >= m, "columns of the product do not overlap");
    assert!(Matrix::by_columns(product, m, n, column_stride).fits(), "the product fits into its slice");
    assert!(left.fits() && right.fits(), "the factors fit into their slices");
    // Safety: every entry that is read or written is within its slice, as checked above; the product does
    // not overlap the factors, since it is borrowed mutably; slices are shorter than isize::MAX.
    #[allow(unsafe_code)]
    unsafe {
        gemm::gemm(
            m,
            n,
            k,
            product.as_mut_ptr(),
            column_stride as isize,
            1,
            add,
            left.values.as_ptr(),
            left.column_stride as isize,
            left.row_stride as isize,
            right.values.as_ptr(),
            right.column_stride as isize,
            right.row_stride as isize,
            1.0,
            1.0,
            false,
            false,
            false,
            gemm::Parallelism::None,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_three_loops(m in 1..40usize, n in 1..20usize, k in 1..50usize, add: bool, flip: bool) {
            let value = |i: usize| ((i * 7919) % 23) as f32 / 8.0 - 1.0;
            let a: Vec<f32> = (0..m * k).map(value).collect();
            let b: Vec<f32> = (0..k * n).map(|i| value(i + 5)).collect();
            let left = match flip {
                true => Matrix::by_columns(&a, k, m, k).transposed(),
                false => Matrix::by_columns(&a, m, k, m),
            };
            let mut product = vec![1.0; m * n];
            multiply(&mut product, m, left, Matrix::by_columns(&b, k, n, k), add);
            for i in 0..m {
                for j in 0..n {
                    let at = |p: usize| if flip { a[i * k + p] } else { a[p * m + i] };
                    // Multiples of 1/64 below 2^17: the sums are exact in any order.
                    let plain: f32 = (0..k).map(|p| at(p) * b[j * k + p]).sum();
                    prop_assert_eq!(product[j * m + i], plain + f32::from(u8::from(add)));
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "fit into their slices")]
    fn a_short_slice_is_refused() {
        multiply(
            &mut [0.0; 4],
            2,
            Matrix::by_columns(&[0.0; 3], 2, 2, 2),
            Matrix::by_columns(&[0.0; 4], 2, 2, 2),
            false,
        );
    }
}
