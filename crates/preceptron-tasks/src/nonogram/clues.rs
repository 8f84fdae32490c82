//! Pictures of black cells and their clues.

use rand::RngExt;

use preceptron_base::stream;

/// The lengths of the black runs of each row, from the left, and of each column, from above. Runs of
/// length 0 are passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nonogram {
    /// For each row its runs.
    pub rows: Vec<Vec<usize>>,
    /// For each column its runs.
    pub columns: Vec<Vec<usize>>,
}

impl Nonogram {
    /// The clues of a random square picture in which each cell is black with probability `density`. It
    /// depends only on the arguments. That no other picture has these clues is not checked.
    ///
    /// # Panics
    /// If the density is not between 0 and 1.
    pub fn generate(side: usize, density: f64, seed: u64, item: usize) -> Nonogram {
        let random = &mut stream(seed, "black cells", item as u64);
        let picture: Vec<bool> = (0..side * side).map(|_| random.random_bool(density)).collect();
        Nonogram::of(side, side, &picture)
    }

    /// The clues of a picture, given row by row.
    ///
    /// # Panics
    /// If the picture has fewer than `height * width` cells.
    pub fn of(height: usize, width: usize, picture: &[bool]) -> Nonogram {
        let row = |row: usize| runs((0..width).map(|column| picture[row * width + column]));
        let column = |column: usize| runs((0..height).map(|row| picture[row * width + column]));
        Nonogram { rows: (0..height).map(row).collect(), columns: (0..width).map(column).collect() }
    }

    /// Whether the cells of an assignment have these clues.
    ///
    /// # Panics
    /// If the assignment has not a value for each cell.
    pub fn is_solved_by(&self, assignment: &[bool]) -> bool {
        let found = Nonogram::of(self.rows.len(), self.columns.len(), assignment);
        let same = |a: &Vec<usize>, b: &Vec<usize>| a.iter().eq(b.iter().filter(|&&run| run > 0));
        let lines = found.rows.iter().zip(&self.rows).chain(found.columns.iter().zip(&self.columns));
        lines.into_iter().all(|(found, clue)| same(found, clue))
    }

    /// The cells of an assignment as a picture, a line for each row: `#` is black, `.` white.
    ///
    /// # Panics
    /// If the assignment has not a value for each cell.
    pub fn draw(&self, assignment: &[bool]) -> String {
        let width = self.columns.len();
        let mark = |cell: usize| if assignment[cell] { '#' } else { '.' };
        let row = |row: usize| (row * width..(row + 1) * width).map(mark).collect::<String>() + "\n";
        (0..self.rows.len()).map(row).collect()
    }
}

/// The lengths of the black runs of a line.
pub fn runs(cells: impl Iterator<Item = bool>) -> Vec<usize> {
    let cells: Vec<bool> = cells.collect();
    cells.split(|black| !black).map(<[bool]>::len).filter(|&run| run > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_pictures_have_the_density_asked_for() {
        let nonogram = Nonogram::generate(50, 0.3, 1, 0);
        let black: usize = nonogram.rows.iter().flatten().sum();
        assert!((650..850).contains(&black), "{black} of 2500");
        assert_eq!(nonogram.columns.iter().flatten().sum::<usize>(), black);
        assert_eq!(Nonogram::generate(50, 0.3, 1, 0), nonogram);
        assert_ne!(Nonogram::generate(50, 0.3, 1, 1), nonogram);
        assert_ne!(Nonogram::generate(50, 0.3, 2, 0), nonogram);
    }
}
