//! A line of a board that is seen: its cells, its clue, and where its runs stand.

use preceptron_base::stream;
use rand::RngExt;

use super::Board;

/// A row or a column of a solved board, read into runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObservedLine {
    /// Which cells are black.
    pub cells: Vec<bool>,
    /// The lengths of the runs, as the board states them.
    pub clue: Vec<usize>,
    /// For each run its first cell and the one after its last.
    spans: Vec<(usize, usize)>,
}

impl ObservedLine {
    /// Reads a line into runs.
    pub fn new(cells: Vec<bool>, clue: &[usize]) -> ObservedLine {
        let mut spans: Vec<(usize, usize)> = Vec::new();
        for (at, _) in cells.iter().enumerate().filter(|(_, black)| **black) {
            match spans.last_mut() {
                Some((_, end)) if *end == at => *end = at + 1,
                _ => spans.push((at, at + 1)),
            }
        }
        let clue = clue.iter().copied().filter(|&run| run > 0).collect();
        ObservedLine { cells, clue, spans }
    }

    /// The one line of a board that is seen; which one depends on the seed and the board's number.
    pub fn of(board: &Board, seed: u64, number: usize) -> ObservedLine {
        let (height, width) = (board.height(), board.width());
        let line = stream(seed, "observed line", number as u64).random_range(0..height + width);
        match line.checked_sub(height) {
            None => {
                let cells = board.picture[line * width..(line + 1) * width].to_vec();
                ObservedLine::new(cells, &board.clues.rows[line])
            }
            Some(column) => {
                let cells = (0..height).map(|row| board.picture[row * width + column]).collect();
                ObservedLine::new(cells, &board.clues.columns[column])
            }
        }
    }

    /// The same runs moved to the left until they touch, still told apart.
    #[cfg(test)]
    pub(super) fn without_gaps(mut self) -> ObservedLine {
        let mut end = self.spans.first().map_or(0, |span| span.0);
        for span in &mut self.spans {
            *span = (end, end + span.1 - span.0);
            end = span.1;
        }
        let first = self.spans.first().map_or(0, |span| span.0);
        self.cells = (0..self.cells.len()).map(|at| (first..end).contains(&at)).collect();
        self
    }

    /// How many cells there are.
    pub fn length(&self) -> usize {
        self.cells.len()
    }

    /// How many runs there are.
    pub fn runs(&self) -> usize {
        self.spans.len()
    }

    /// Whether a run has started by a place, from 0.
    ///
    /// # Panics
    /// If there is no such run.
    pub fn started(&self, run: usize, place: usize) -> bool {
        self.spans[run].0 <= place
    }

    /// Whether a run has ended before a place, from 0.
    ///
    /// # Panics
    /// If there is no such run.
    pub fn ended(&self, run: usize, place: usize) -> bool {
        self.spans[run].1 <= place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_start_and_end() {
        let line = ObservedLine::new([0, 1, 1, 0, 1].map(|cell| cell == 1).to_vec(), &[2, 0, 1]);
        let when = |what: fn(&ObservedLine, usize, usize) -> bool, run| {
            (0..5).map(|place| what(&line, run, place)).collect::<Vec<_>>()
        };
        assert_eq!(line.clue, [2, 1]);
        assert_eq!(when(ObservedLine::started, 0), [false, true, true, true, true]);
        assert_eq!(when(ObservedLine::ended, 0), [false, false, false, true, true]);
        assert_eq!(when(ObservedLine::started, 1), [false, false, false, false, true]);
        assert_eq!(when(ObservedLine::ended, 1), [false; 5]);
    }

    #[test]
    fn seeds_choose_lines() {
        let board = Board::of(2, 3, vec![true, false, true, false, false, true]);
        let lines: Vec<ObservedLine> = (0..200).map(|number| ObservedLine::of(&board, 1, number)).collect();
        assert!(lines.iter().filter(|line| line.length() == 3).count() > 40);
        assert!(lines.iter().filter(|line| line.length() == 2).count() > 60);
        assert_eq!(ObservedLine::of(&board, 1, 5), lines[5]);
        assert!((0..200).any(|number| ObservedLine::of(&board, 2, number) != lines[number]));
    }
}
