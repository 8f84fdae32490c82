//! Puzzles as text: a line is `puzzle,solution`, a character for each cell, and there is no header.
//!
//! 0 is a blank, 1 to 9 are digits, and in larger grids A is 10, B is 11 and so on (G is 16, P is 25); small
//! letters are read like large ones. A grid of order 2 has 16 characters, order 3 has 81, 4 has 256, 5 has 625.

use std::path::{Path, PathBuf};

use super::{Grid, Puzzle, side};

/// Why puzzles could not be read.
#[derive(Debug, thiserror::Error)]
pub enum PuzzlesError {
    /// The file could not be read or decompressed.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: preceptron_base::ReadError,
    },
    /// A line is not a puzzle with its solution.
    #[error("line {line}: {what}")]
    Line {
        /// The line's number, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
}

/// Reads puzzles of order 3 with their solutions; empty lines are passed over.
pub fn read_csv(text: &str) -> Result<Vec<Puzzle>, PuzzlesError> {
    let one = |(line, puzzle): (usize, Result<Puzzle, String>)| {
        let puzzle = puzzle.and_then(|puzzle| match puzzle.solution.order() {
            3 => Ok(puzzle),
            order => Err(format!("a grid of order {order} where order 3 is expected")),
        });
        puzzle.map_err(|what| PuzzlesError::Line { line, what })
    };
    read_lines(text).map(one).collect()
}

/// Reads puzzles of any order one by one: the number of each line, from 1, and its puzzle or what is wrong
/// with it. Empty lines are passed over.
pub fn read_lines(text: &str) -> impl Iterator<Item = (usize, Result<Puzzle, String>)> + '_ {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(at, line)| (at + 1, read_line(line)))
}

/// Puzzles as [`read_lines`] reads them.
pub fn write_csv(puzzles: &[Puzzle]) -> String {
    let character = |&digit: &u8| char::from_digit(digit.into(), 36).unwrap_or('?').to_ascii_uppercase();
    let digits = |grid: &Grid| grid.digits().iter().map(character).collect::<String>();
    puzzles.iter().map(|p| format!("{},{}\n", digits(&p.givens), digits(&p.solution))).collect()
}

/// Reads a file as [`read_csv`] does; one compressed by xz or gzip is decompressed, whatever its name.
pub fn read_file(path: &Path) -> Result<Vec<Puzzle>, PuzzlesError> {
    read_csv(&read_text(path)?)
}

/// The text of a file; one compressed by xz or gzip is decompressed, whatever its name.
pub fn read_text(path: &Path) -> Result<String, PuzzlesError> {
    preceptron_base::read_text(path).map_err(|source| PuzzlesError::File { path: path.to_owned(), source })
}

fn read_line(line: &str) -> Result<Puzzle, String> {
    let (puzzle, solution) =
        line.split_once(',').ok_or("expected a puzzle and its solution with a comma between them")?;
    let givens = read_grid(puzzle).map_err(|what| format!("the puzzle: {what}"))?;
    let solution = read_grid(solution).map_err(|what| format!("the solution: {what}"))?;
    if givens.order() != solution.order() {
        return Err(format!("a puzzle of order {} and a solution of {}", givens.order(), solution.order()));
    }
    let side = side(givens.order());
    for (cell, (&given, &digit)) in givens.digits().iter().zip(solution.digits()).enumerate() {
        let place = format!("row {}, column {}", cell / side + 1, cell % side + 1);
        if digit == 0 {
            return Err(format!("the solution is blank at {place}"));
        }
        if given != 0 && given != digit {
            return Err(format!("{given} is given at {place}, where the solution has {digit}"));
        }
    }
    Ok(Puzzle { givens, solution })
}

fn read_grid(text: &str) -> Result<Grid, String> {
    let digit = |(at, c): (usize, char)| match c.to_digit(26) {
        Some(digit) => Ok(digit as u8),
        None => Err(format!("{c:?} at character {} is not a digit", at + 1)),
    };
    let digits = text.trim().chars().enumerate().map(digit).collect::<Result<Vec<u8>, String>>()?;
    // Of another length it is taken for the usual grid with too few cells or too many.
    let order = (2..=5).find(|order: &usize| order.pow(4) == digits.len()).unwrap_or(3);
    Grid::new(order, digits).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::sudoku::{GIVENS, generate, with_givens};

    #[test]
    fn puzzles_come_back_from_plain_and_compressed_files() {
        let puzzles = with_givens(&generate(3, 30, 1), GIVENS, 1);
        let text = write_csv(&puzzles);
        assert_eq!(read_csv(&text).unwrap(), puzzles);
        assert_eq!(read_csv(&text.replace('\n', "\r\n\r\n")).unwrap(), puzzles);

        let mut gzip = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
        gzip.write_all(text.as_bytes()).unwrap();
        let xz = preceptron_base::packed_xz(text.as_bytes()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("puzzles");
        for bytes in [text.clone().into_bytes(), gzip.finish().unwrap(), xz] {
            std::fs::write(&path, bytes).unwrap();
            assert_eq!(read_file(&path).unwrap(), puzzles);
        }
    }

    #[test]
    fn puzzles_of_every_order_come_back() {
        for order in 2..=5 {
            let puzzles = with_givens(&generate(order, 3, 1), 4..=order.pow(4), 1);
            let text = write_csv(&puzzles);
            let read: Vec<Puzzle> = read_lines(&text.to_lowercase()).map(|(_, p)| p.unwrap()).collect();
            assert_eq!(read, puzzles);
            assert_eq!(text.contains('G'), order >= 4);
            assert_eq!(read_csv(&text).is_ok(), order == 3);
        }
        let broken = format!("\n{0},{0}\n{1},{0}\n", "1".repeat(16), "2".repeat(81));
        let read: Vec<_> = read_lines(&broken).collect();
        assert!(read[0].0 == 2 && read[0].1.is_ok());
        assert_eq!(read[1], (3, Err("a puzzle of order 3 and a solution of 2".to_owned())));
    }

    #[test]
    fn errors_say_where() {
        let text = write_csv(&with_givens(&generate(3, 1, 1), 0..=0, 1));
        let message = |text: &str| read_csv(text).unwrap_err().to_string();
        let (blank, solution) = text.trim().split_once(',').unwrap();
        assert_eq!(
            message(&format!("{text}{blank}")),
            "line 2: expected a puzzle and its solution with a comma between them"
        );
        assert_eq!(
            message(&format!("\n{blank}0,{solution}")),
            "line 2: the puzzle: 82 cells where a grid of order 3 has 81"
        );
        assert_eq!(
            message(&format!("{blank},{}x", &solution[..80])),
            "line 1: the solution: 'x' at character 81 is not a digit"
        );
        assert_eq!(
            message(&format!("{blank},{}0", &solution[..80])),
            "line 1: the solution is blank at row 9, column 9"
        );
        let first = solution.as_bytes()[0] - b'0';
        let other = first % 9 + 1;
        assert_eq!(
            message(&format!("{other}{},{solution}", &blank[1..])),
            format!("line 1: {other} is given at row 1, column 1, where the solution has {first}")
        );
        let missing = Path::new("/no/such/file");
        assert!(read_file(missing).unwrap_err().to_string().starts_with("/no/such/file: "));
    }
}
