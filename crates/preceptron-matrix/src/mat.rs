//! A matrix of f64, column by column, and a look at a part of one.

use std::ops::{Index, IndexMut, Range};

use crate::Strided;

/// A matrix that owns its entries; they stand column by column.
#[derive(Clone, Debug, PartialEq)]
pub struct Mat {
    rows: usize,
    values: Vec<f64>,
    columns: usize,
}

/// A matrix within another, perhaps with rows and columns exchanged.
pub type View<'a> = Strided<'a, f64>;

impl Mat {
    /// All entries 0.
    pub fn zeros(rows: usize, columns: usize) -> Mat {
        Mat { rows, columns, values: vec![0.0; rows * columns] }
    }

    /// Ones on the diagonal.
    pub fn identity(size: usize) -> Mat {
        Mat::from_fn(size, size, |i, j| f64::from(u8::from(i == j)))
    }

    /// Each entry from its row and column; asked for column by column.
    pub fn from_fn(rows: usize, columns: usize, mut entry: impl FnMut(usize, usize) -> f64) -> Mat {
        let mut values = Vec::with_capacity(rows * columns);
        (0..columns).for_each(|j| values.extend((0..rows).map(|i| entry(i, j))));
        Mat { rows, columns, values }
    }

    /// The number of rows.
    pub fn nrows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn ncols(&self) -> usize {
        self.columns
    }

    /// A column.
    pub fn column(&self, column: usize) -> &[f64] {
        &self.values[column * self.rows..][..self.rows]
    }

    /// A column that can be changed.
    pub fn column_mut(&mut self, column: usize) -> &mut [f64] {
        &mut self.values[column * self.rows..][..self.rows]
    }

    /// Columns that follow one another, as one slice.
    pub fn columns_mut(&mut self, columns: Range<usize>) -> &mut [f64] {
        &mut self.values[columns.start * self.rows..columns.end * self.rows]
    }

    /// All entries, column by column.
    pub fn entries(&self) -> &[f64] {
        &self.values
    }

    /// All entries, to be changed.
    pub fn entries_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// The whole matrix.
    pub fn view(&self) -> View<'_> {
        Strided::by_columns(&self.values, self.rows, self.columns, self.rows)
    }

    /// The whole matrix with rows and columns exchanged.
    pub fn transposed(&self) -> View<'_> {
        self.view().transposed()
    }

    /// The largest difference of an entry from that of a matrix of the same shape.
    pub fn distance(&self, other: &Mat) -> f64 {
        assert_eq!((self.rows, self.columns), (other.rows, other.columns), "matrices of one shape");
        self.values.iter().zip(&other.values).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }

    /// Whether every entry is a number.
    pub fn is_finite(&self) -> bool {
        self.values.iter().all(|value| value.is_finite())
    }
}

impl Index<(usize, usize)> for Mat {
    type Output = f64;

    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        debug_assert!(row < self.rows);
        &self.values[column * self.rows + row]
    }
}

impl IndexMut<(usize, usize)> for Mat {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut f64 {
        debug_assert!(row < self.rows);
        &mut self.values[column * self.rows + row]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_are_parts() {
        let matrix = Mat::from_fn(4, 3, |i, j| (10 * i + j) as f64);
        let part = matrix.view().rows_of(1..3).columns_of(1..3);
        assert_eq!((part.get(0, 0), part.get(1, 1)), (11.0, 22.0));
        assert_eq!(part.transposed().get(0, 1), 21.0);
        assert_eq!(matrix.column(2), [2.0, 12.0, 22.0, 32.0]);
        assert_eq!(matrix.distance(&Mat::zeros(4, 3)), 32.0);
    }
}
