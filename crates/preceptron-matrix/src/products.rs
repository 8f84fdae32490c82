//! Products of matrices: the one door to the kernels of `gemm-f32` and `gemm-f64`.

use std::ops::Range;

use gemm_common::Parallelism;

use crate::Mat;

/// A matrix within a slice: entry (i, j) is at `i * row_stride + j * column_stride`.
#[derive(Clone, Copy, Debug)]
pub struct Strided<'a, T> {
    /// The slice.
    pub values: &'a [T],
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// From a row to the next.
    pub row_stride: usize,
    /// From a column to the next.
    pub column_stride: usize,
}

impl<'a, T: Copy> Strided<'a, T> {
    /// Columns one after the other, each `column_stride` after the one before.
    pub fn by_columns(values: &'a [T], rows: usize, columns: usize, column_stride: usize) -> Strided<'a, T> {
        Strided { values, rows, columns, row_stride: 1, column_stride }
    }

    /// Rows and columns exchanged.
    pub fn transposed(self) -> Strided<'a, T> {
        Strided {
            rows: self.columns,
            columns: self.rows,
            row_stride: self.column_stride,
            column_stride: self.row_stride,
            ..self
        }
    }

    /// Some of the rows.
    pub fn rows_of(self, rows: Range<usize>) -> Strided<'a, T> {
        assert!(rows.start <= rows.end && rows.end <= self.rows, "rows that are there");
        let from = (rows.start * self.row_stride).min(self.values.len());
        Strided { values: &self.values[from..], rows: rows.len(), ..self }
    }

    /// Some of the columns.
    pub fn columns_of(self, columns: Range<usize>) -> Strided<'a, T> {
        self.transposed().rows_of(columns).transposed()
    }

    /// An entry.
    pub fn get(&self, row: usize, column: usize) -> T {
        self.values[row * self.row_stride + column * self.column_stride]
    }

    fn fits(&self) -> bool {
        let last = (self.rows.saturating_sub(1))
            .checked_mul(self.row_stride)
            .zip((self.columns.saturating_sub(1)).checked_mul(self.column_stride));
        let last = last.and_then(|(row, column)| row.checked_add(column));
        self.rows == 0 || self.columns == 0 || last.is_some_and(|last| last < self.values.len())
    }
}

/// What matrices are made of: f32 and f64.
pub trait Number: Copy + From<i8> + private::Kernel {}

impl Number for f32 {}
impl Number for f64 {}

mod private {
    /// The kernel: strides as the gemm crates take them, `dst = (if add { dst } else { 0 }) + scale lhs rhs`.
    pub trait Kernel: Sized {
        #[allow(unsafe_code)]
        unsafe fn gemm(
            shape: [usize; 3],
            product: (*mut Self, [isize; 2]),
            add: bool,
            left: (*const Self, [isize; 2]),
            right: (*const Self, [isize; 2]),
            scale: Self,
        );
    }
}

macro_rules! kernel {
    ($number:ty, $function:path) => {
        impl private::Kernel for $number {
            #[allow(unsafe_code)]
            unsafe fn gemm(
                [m, n, k]: [usize; 3],
                (product, [product_column, product_row]): (*mut Self, [isize; 2]),
                add: bool,
                (left, [left_column, left_row]): (*const Self, [isize; 2]),
                (right, [right_column, right_row]): (*const Self, [isize; 2]),
                scale: Self,
            ) {
                // Safety: the caller's.
                unsafe {
                    $function()(
                        m,
                        n,
                        k,
                        product,
                        product_column,
                        product_row,
                        add,
                        left,
                        left_column,
                        left_row,
                        right,
                        right_column,
                        right_row,
                        1.0,
                        scale,
                        false,
                        false,
                        false,
                        Parallelism::None,
                    );
                }
            }
        }
    };
}

kernel!(f32, gemm_f32::gemm::f32::get_gemm_fn);
kernel!(f64, gemm_f64::gemm::f64::get_gemm_fn);

/// Which kernels products of f32 run on, by what this processor has: the last bits of sums depend on it.
pub fn kernels() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512f") {
            return "avx512";
        }
        if std::arch::is_x86_feature_detected!("fma") && std::arch::is_x86_feature_detected!("avx2") {
            return "avx2";
        }
        "sse2"
    }
    #[cfg(not(target_arch = "x86_64"))]
    std::env::consts::ARCH
}

/// `product = left right`, or `product += left right` if `add`. The columns of the product stand one after
/// the other in `product`, each `column_stride` after the one before.
///
/// # Panics
/// If the shapes do not fit together or a matrix does not fit into its slice.
pub fn multiply<T: Number>(
    product: &mut [T],
    column_stride: usize,
    left: Strided<'_, T>,
    right: Strided<'_, T>,
    add: bool,
) {
    scaled(product, column_stride, left, right, add, T::from(1));
}

fn scaled<T: Number>(
    product: &mut [T],
    column_stride: usize,
    left: Strided<'_, T>,
    right: Strided<'_, T>,
    add: bool,
    scale: T,
) {
    let (m, n, k) = (left.rows, right.columns, left.columns);
    assert_eq!(k, right.rows, "as many columns on the left as rows on the right");
    assert!(n <= 1 || column_stride >= m, "columns of the product do not overlap");
    assert!(Strided::by_columns(product, m, n, column_stride).fits(), "the product fits into its slice");
    assert!(left.fits() && right.fits(), "the factors fit into their slices");
    let strides = |matrix: &Strided<'_, T>| [matrix.column_stride as isize, matrix.row_stride as isize];
    // Safety: every entry that is read or written is within its slice, as checked above; the product does
    // not overlap the factors, since it is borrowed mutably; slices are shorter than isize::MAX.
    #[allow(unsafe_code)]
    unsafe {
        T::gemm(
            [m, n, k],
            (product.as_mut_ptr(), [column_stride as isize, 1]),
            add,
            (left.values.as_ptr(), strides(&left)),
            (right.values.as_ptr(), strides(&right)),
            scale,
        );
    }
}

/// `left right`.
///
/// # Panics
/// If the shapes do not fit together.
pub fn product(left: Strided<'_, f64>, right: Strided<'_, f64>) -> Mat {
    let mut result = Mat::zeros(left.rows, right.columns);
    multiply(result.entries_mut(), left.rows.max(1), left, right, false);
    result
}

/// `from -= left right`, where the columns of `from` stand one after the other, each `column_stride` after the
/// one before.
///
/// # Panics
/// If the shapes do not fit together or a matrix does not fit into its slice.
pub fn subtract_product(
    from: &mut [f64],
    column_stride: usize,
    left: Strided<'_, f64>,
    right: Strided<'_, f64>,
) {
    scaled(from, column_stride, left, right, true, -1.0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_three_loops(m in 0..40usize, n in 0..20usize, k in 0..50usize, add: bool, flip: bool) {
            let value = |i: usize| ((i * 7919) % 23) as f32 / 8.0 - 1.0;
            let a: Vec<f32> = (0..m * k).map(value).collect();
            let b: Vec<f32> = (0..k * n).map(|i| value(i + 5)).collect();
            let left = match flip {
                true => Strided::by_columns(&a, k, m, k).transposed(),
                false => Strided::by_columns(&a, m, k, m),
            };
            let right = Strided::by_columns(&b, k, n, k);
            let mut found = vec![1.0; m * n];
            multiply(&mut found, m.max(1), left, right, add);
            let wide = |values: &[f32]| values.iter().copied().map(f64::from).collect::<Vec<f64>>();
            let (wide_a, wide_b) = (wide(&a), wide(&b));
            let mut less = Mat::zeros(m, n);
            let wide_left = Strided { values: &wide_a[..], rows: m, columns: k, row_stride: left.row_stride,
                column_stride: left.column_stride };
            subtract_product(less.entries_mut(), m.max(1), wide_left, Strided::by_columns(&wide_b, k, n, k));
            for i in 0..m {
                for j in 0..n {
                    // Multiples of 1/64 below 2^17: the sums are exact in any order.
                    let plain: f32 = (0..k).map(|p| left.get(i, p) * right.get(p, j)).sum();
                    prop_assert_eq!(found[j * m + i], plain + f32::from(u8::from(add)));
                    prop_assert_eq!(less[(i, j)], -f64::from(plain));
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "fit into their slices")]
    fn a_short_slice_is_refused() {
        let four = Strided::by_columns(&[0.0; 4], 2, 2, 2);
        multiply(&mut [0.0f32; 4], 2, Strided::by_columns(&[0.0; 3], 2, 2, 2), four, false);
    }
}
