//! Puzzles as text: a line is `givens,signs,solution`, and there is no header.
//!
//! Givens and solution have a character for each cell, row by row, 0 for a blank: 16 of them for side 4, 25,
//! 36 or 49. Signs have spaces between them and name the lesser cell first, rows and columns from 1:
//!
//! ```text
//! 0300100000000001,r1c1<r1c2 r3c2<r2c2,2314143241233241
//! ```

use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::{Puzzle, PuzzleFault, SIDES, Sign};

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

/// Reads puzzles of one side; empty lines are passed over.
///
/// # Errors
/// The first line that is no puzzle, or one of another side.
pub fn read_csv(text: &str) -> Result<Vec<Puzzle>, PuzzlesError> {
    let mut side = None;
    let one = |(line, puzzle): (usize, Result<Puzzle, String>)| {
        let puzzle = puzzle.and_then(|puzzle| match *side.get_or_insert(puzzle.side) {
            first if first == puzzle.side => Ok(puzzle),
            first => Err(format!("a board of side {} after boards of side {first}", puzzle.side)),
        });
        puzzle.map_err(|what| PuzzlesError::Line { line, what })
    };
    read_lines(text).map(one).collect()
}

/// Reads puzzles of any side one by one: the number of each line, from 1, and its puzzle or what is wrong
/// with it. Empty lines are passed over.
pub fn read_lines(text: &str) -> impl Iterator<Item = (usize, Result<Puzzle, String>)> + '_ {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(at, line)| (at + 1, read_line(line)))
}

/// Reads a file as [`read_csv`] does; one compressed by xz or gzip is decompressed, whatever its name.
///
/// # Errors
/// If the file cannot be read, or a line is no puzzle.
pub fn read_file(path: &Path) -> Result<Vec<Puzzle>, PuzzlesError> {
    let text = preceptron_base::read_text(path);
    read_csv(&text.map_err(|source| PuzzlesError::File { path: path.to_owned(), source })?)
}

/// Puzzles as [`read_lines`] reads them.
pub fn write_csv(puzzles: &[Puzzle]) -> String {
    let mut text = String::new();
    let digits = |digits: &[u8]| digits.iter().map(|digit| digit.to_string()).collect::<String>();
    for puzzle in puzzles {
        let cell = |cell: usize| format!("r{}c{}", cell / puzzle.side + 1, cell % puzzle.side + 1);
        let sign = |sign: &Sign| format!("{}<{}", cell(sign.less), cell(sign.greater));
        let signs = puzzle.signs.iter().map(sign).collect::<Vec<_>>().join(" ");
        // Writing to a string does not fail.
        let _ = writeln!(text, "{},{signs},{}", digits(&puzzle.givens), digits(&puzzle.solution));
    }
    text
}

fn read_line(line: &str) -> Result<Puzzle, String> {
    let parts: Vec<&str> = line.split(',').map(str::trim).collect();
    let [givens, signs, solution] = parts[..] else {
        return Err(format!("{} parts where givens, signs and solution are expected", parts.len()));
    };
    let givens = read_digits(givens).map_err(|what| format!("the puzzle: {what}"))?;
    let solution = read_digits(solution).map_err(|what| format!("the solution: {what}"))?;
    let cells = solution.len();
    let Some(side) = SIDES.into_iter().find(|side| side * side == cells) else {
        return Err(format!("the solution: {cells} cells where a board has 16, 25, 36 or 49"));
    };
    let one = |text: &str| {
        read_sign(side, text).ok_or_else(|| {
            format!("{text:?} is not a sign between two cells of rows and columns 1 to {side}, as r1c1<r1c2")
        })
    };
    let signs = signs.split_whitespace().map(one).collect::<Result<Vec<Sign>, String>>()?;
    let puzzle = Puzzle { side, givens, signs, solution };
    puzzle.check().map_err(|fault: PuzzleFault| fault.to_string())?;
    Ok(puzzle)
}

/// Reads a board of this side without its solution: `givens,signs`. The solution is left blank.
///
/// # Errors
/// What is wrong with it.
pub fn read_board(side: usize, text: &str) -> Result<Puzzle, String> {
    let (givens, signs) = text.split_once(',').unwrap_or((text, ""));
    let givens = read_digits(givens.trim())?;
    if givens.len() != side * side || givens.iter().any(|&digit| usize::from(digit) > side) {
        return Err(format!("a board of side {side} has {} digits from 0 to {side}", side * side));
    }
    let one = |text: &str| {
        let sign = read_sign(side, text).filter(|sign| sign.direction(side).is_some());
        sign.ok_or_else(|| format!("{text:?} is not a sign between two neighbours, as r1c1<r1c2"))
    };
    let signs = signs.split_whitespace().map(one).collect::<Result<Vec<Sign>, String>>()?;
    Ok(Puzzle { side, solution: vec![0; givens.len()], givens, signs })
}

fn read_digits(text: &str) -> Result<Vec<u8>, String> {
    let digit = |(at, c): (usize, char)| match c.to_digit(10) {
        Some(digit) => Ok(digit as u8),
        None => Err(format!("{c:?} at character {} is not a digit", at + 1)),
    };
    text.chars().enumerate().map(digit).collect()
}

fn read_sign(side: usize, text: &str) -> Option<Sign> {
    let cell = |text: &str| {
        let (row, column) = text.strip_prefix('r')?.split_once('c')?;
        let number = |text: &str| text.parse::<usize>().ok().filter(|n| (1..=side).contains(n));
        Some((number(row)? - 1) * side + number(column)? - 1)
    };
    let (less, greater) = text.split_once('<')?;
    Some(Sign { less: cell(less)?, greater: cell(greater)? })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::futoshiki::{Spread, puzzles};
    use preceptron_base::Quiet;
    use proptest::prelude::*;

    fn drawn(side: usize, count: usize, seed: u64) -> Vec<Puzzle> {
        puzzles(side, &Spread::of_side(side).unwrap(), count, seed, &Quiet).unwrap()
    }

    #[test]
    fn puzzles_come_back_from_plain_and_compressed_files() {
        let puzzles = drawn(5, 20, 1);
        let text = write_csv(&puzzles);
        let mut gzip = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
        gzip.write_all(text.as_bytes()).unwrap();
        let xz = preceptron_base::packed_xz(text.as_bytes()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("puzzles");
        let spaced = text.replace('\n', "\r\n\r\n").replace(',', " , ");
        for bytes in [text.into_bytes(), spaced.into_bytes(), gzip.finish().unwrap(), xz] {
            std::fs::write(&path, bytes).unwrap();
            assert_eq!(read_file(&path).unwrap(), puzzles);
        }
        let missing = read_file(Path::new("/no/such/file")).unwrap_err().to_string();
        assert_eq!(missing, "/no/such/file: no such file");
    }

    #[test]
    fn a_board_needs_no_solution() {
        let board = read_board(4, "0300100000000001,r1c1<r1c2 r3c2<r2c2").unwrap();
        assert_eq!((board.signs.len(), board.givens[1]), (2, 3));
        for wrong in
            ["x", "03", "0300100000000005,", "0300100000000001,r1c1<r4c4", "0300100000000001,r9c9<r1c1"]
        {
            assert!(read_board(4, wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_line_of_the_page_is_a_puzzle() {
        let puzzles = read_csv("0300100000000001,r1c1<r1c2 r3c2<r2c2,2314143241233241\n").unwrap();
        assert_eq!(puzzles[0].signs, [Sign { less: 0, greater: 1 }, Sign { less: 9, greater: 5 }]);
    }

    #[test]
    fn errors_name_the_line_and_what_is_wrong() {
        let line = "0000100000000001,r1c1<r1c2,2314143241233241";
        let message = |from: &str, to: &str| {
            let text = format!("{line}\n\n{}\n", line.replacen(from, to, 1));
            read_csv(&text).unwrap_err().to_string()
        };
        for (from, to, expected) in [
            (",r", "r", "2 parts where givens, signs and solution are expected"),
            ("0000", "000x", "the puzzle: 'x' at character 4 is not a digit"),
            ("0000", "00000", "the puzzle has 17 cells where a board of side 4 has 16"),
            (",23", ",3", "the solution: 15 cells where a board has 16, 25, 36 or 49"),
            (
                "<",
                ">",
                "\"r1c1>r1c2\" is not a sign between two cells of rows and columns 1 to 4, as r1c1<r1c2",
            ),
            (
                "c2,",
                "c5,",
                "\"r1c1<r1c5\" is not a sign between two cells of rows and columns 1 to 4, as r1c1<r1c2",
            ),
            ("c2,", "c3,", "sign 1 is not between neighbouring cells"),
            ("r1c1<r1c2", "r1c2<r1c1", "sign 1 says that 3 is less than 2"),
            ("00001", "40001", "4 is given at row 1, column 1, where the solution has 2"),
        ] {
            assert_eq!(message(from, to), format!("line 3: {expected}"));
        }
        let two = format!("{}{}", write_csv(&drawn(4, 1, 1)), write_csv(&drawn(5, 1, 1)));
        assert_eq!(
            read_csv(&two).unwrap_err().to_string(),
            "line 2: a board of side 5 after boards of side 4"
        );
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(side in 4usize..=6, seed in 0u64..1000) {
            let puzzles = drawn(side, 2, seed);
            prop_assert_eq!(read_csv(&write_csv(&puzzles)).unwrap(), puzzles);
        }

        #[test]
        fn reading_never_panics(text in "[0-9rc<, \\n]{0,90}", any in ".{0,40}", at in 0usize..43) {
            let _ = read_csv(&text);
            let _ = read_csv(&any);
            let mut line = "0000100000000001,r1c1<r1c2,2314143241233241".to_owned();
            line.insert_str(at, &any);
            let _ = read_csv(&line);
        }
    }
}
