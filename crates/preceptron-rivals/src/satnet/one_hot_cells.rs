//! Boards as bits: a variable for each cell and class, of which one is true in each cell.

use super::SatNetError;

/// Boards of cells that hold one of some classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OneHotCells {
    /// How many classes there are: 9 for the digits of a Sudoku.
    pub classes: u8,
}

impl OneHotCells {
    /// The bits of cells, and which of them are known. Classes count from 1; 0 is a cell that is not known.
    ///
    /// # Errors
    /// If a cell holds a class that there is not.
    pub fn bits(&self, cells: &[u8]) -> Result<(Vec<f32>, Vec<bool>), SatNetError> {
        if let Some(cell) = cells.iter().position(|&class| class > self.classes) {
            return Err(SatNetError::Class { cell, class: cells[cell], classes: self.classes });
        }
        let bit = |cell: u8| (1..=self.classes).map(move |class| f32::from(u8::from(class == cell)));
        let known = cells.iter().flat_map(|&cell| std::iter::repeat_n(cell > 0, self.classes.into()));
        Ok((cells.iter().flat_map(|&cell| bit(cell)).collect(), known.collect()))
    }

    /// The most probable class of each cell; the first of several.
    pub fn most_probable(&self, probabilities: &[f32]) -> Vec<u8> {
        let best = |row: &[f32]| {
            let first = (0u8, f32::NEG_INFINITY);
            let pick = |best: (u8, f32), (class, &p): (u8, &f32)| if p > best.1 { (class, p) } else { best };
            (1..=self.classes).zip(row).fold(first, pick).0
        };
        probabilities.chunks_exact(usize::from(self.classes).max(1)).map(best).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_come_back_from_their_bits() {
        let cells = OneHotCells { classes: 3 };
        let (bits, known) = cells.bits(&[2, 0, 3]).unwrap();
        assert_eq!(bits, [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!(known, [true, true, true, false, false, false, true, true, true]);
        assert_eq!(cells.most_probable(&bits), [2, 1, 3]);
        assert_eq!(cells.bits(&[4]).unwrap_err().to_string(), "cell 0 holds class 4 of 3");
    }
}
