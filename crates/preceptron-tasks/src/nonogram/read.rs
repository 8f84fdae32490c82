//! Files of boards: for each line of the file the clues of the columns, then of the rows, with `/` between
//! lines and `.` between runs, a comma, and the cells row by row as 0 and 1.
//!
//! ```text
//! 1/1.1/1/1.1/1/1,010101010
//! ```
//! An empty line of a board has the clue 0. A `;` in place of the `/` between the last column and the first row
//! says how many columns there are, where clues and cells leave that open. Files can be compressed by xz or gzip.

use std::path::{Path, PathBuf};

use super::{Board, Nonogram};
use preceptron_base::{ReadError, read_text};

/// Why a file of boards, or a clue, was not understood.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: ReadError,
    },
    /// A line of a file is no board.
    #[error("{}: line {line}: {what}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line's number, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// There is no board in the file.
    #[error("{}: there is no board in it", .0.display())]
    Empty(PathBuf),
}

fn failed(path: &Path) -> impl FnOnce(ReadError) -> BoardError + '_ {
    |source| BoardError::File { path: path.to_owned(), source }
}

/// The boards of a file.
///
/// # Errors
/// If it cannot be read, or a line is not a board with the picture that its clues are of.
pub fn read_boards(path: &Path) -> Result<Vec<Board>, BoardError> {
    let text = read_text(path).map_err(failed(path))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let board = |(at, line): (usize, &str)| {
        let wrong = |what| BoardError::Line { path: path.to_owned(), line: at + 1, what };
        read_board(line.trim()).map_err(wrong)
    };
    let boards = lines.map(board).collect::<Result<Vec<_>, _>>()?;
    if boards.is_empty() { Err(BoardError::Empty(path.to_owned())) } else { Ok(boards) }
}

/// The clues of the one board in a file, with or without its cells.
///
/// # Errors
/// If it cannot be read, or is not the clues of one board.
pub fn read_clues(path: &Path) -> Result<Nonogram, BoardError> {
    let text = read_text(path).map_err(failed(path))?;
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let (at, line) = lines.next().ok_or_else(|| BoardError::Empty(path.to_owned()))?;
    let wrong = |line: usize, what| BoardError::Line { path: path.to_owned(), line: line + 1, what };
    if let Some((at, _)) = lines.next() {
        return Err(wrong(at, "expected one board, and this is another".to_owned()));
    }
    if line.contains(',') {
        return read_board(line.trim()).map(|board| board.clues).map_err(|what| wrong(at, what));
    }
    board_of_clues(line.trim()).map_err(|what| wrong(at, what))
}

/// The clues of a line with how many of them are of columns, where a `;` says it.
fn clue_parts(clues: &str) -> Result<(Vec<&str>, Option<usize>), String> {
    match clues.split(';').collect::<Vec<_>>()[..] {
        [_] => Ok((clues.split('/').collect(), None)),
        [columns, rows] => {
            let width = columns.split('/').count();
            Ok((columns.split('/').chain(rows.split('/')).collect(), Some(width)))
        }
        _ => Err("there is more than one ; in the clues".to_owned()),
    }
}

/// Clues without cells. How many of them are of columns is said by a `;`, or the board is square, or as black
/// across as it is down in only one way.
fn board_of_clues(line: &str) -> Result<Nonogram, String> {
    let (parts, width) = clue_parts(line)?;
    if let Some(width) = width {
        return split_clues(&parts, width);
    }
    let fits = |width: usize| {
        let clues = split_clues(&parts, width).ok()?;
        let black = |lines: &[Vec<usize>]| lines.iter().flatten().sum::<usize>();
        // Runs, and a blank between two.
        let least = |clue: &Vec<usize>| clue.iter().sum::<usize>() + clue.len().saturating_sub(1);
        let (height, width) = (clues.rows.len(), clues.columns.len());
        let is_board = black(&clues.rows) == black(&clues.columns)
            && clues.rows.iter().all(|clue| least(clue) <= width)
            && clues.columns.iter().all(|clue| least(clue) <= height);
        is_board.then_some(clues)
    };
    let half = parts.len() / 2;
    if parts.len().is_multiple_of(2) && (half == 0 || fits(half).is_some()) {
        return split_clues(&parts, half);
    }
    let mut boards: Vec<Nonogram> = (1..parts.len()).filter_map(fits).collect();
    match (boards.len(), parts.len().is_multiple_of(2)) {
        (1, _) => boards.pop().ok_or_else(String::new),
        // A square board whose clues are wrong is told what is wrong with them elsewhere.
        (0, true) => split_clues(&parts, half),
        (0, false) => {
            // What is no number is said before what is no board.
            split_clues(&parts, half)?;
            Err(format!("{} clues: no board is as black across as it is down", parts.len()))
        }
        (several, _) => Err(format!(
            "{} clues are of {several} boards; put a ; between the last column and the first row",
            parts.len()
        )),
    }
}

/// A board as [`read_boards`] reads it.
pub fn write_board(board: &Board) -> String {
    let clue = |clue: &Vec<usize>| match clue.is_empty() {
        true => "0".to_owned(),
        false => clue.iter().map(ToString::to_string).collect::<Vec<_>>().join("."),
    };
    let clues: Vec<String> = board.clues.columns.iter().chain(&board.clues.rows).map(clue).collect();
    let cells: String = board.picture.iter().map(|&black| if black { '1' } else { '0' }).collect();
    format!("{},{cells}", clues.join("/"))
}

/// Clues of lines as they are given on a command line: `/` between lines, blanks or `.` between runs.
///
/// # Errors
/// If something is no number. `noun` is what a line is called.
pub fn parse_lines(text: &str, noun: &str) -> Result<Vec<Vec<usize>>, String> {
    (1..).zip(text.split('/')).map(|(number, clue)| parse_clue(clue, &format!("{noun} {number}"))).collect()
}

fn parse_clue(text: &str, line: &str) -> Result<Vec<usize>, String> {
    let runs = text.split(['.', ' ', ',']).map(str::trim).filter(|run| !run.is_empty());
    let run = |run: &str| {
        run.parse().map_err(|_| format!("{run:?} in the clue of {line} is not a number of cells"))
    };
    let runs = runs.map(run).collect::<Result<Vec<usize>, _>>()?;
    match runs.is_empty() {
        true => Err(format!("the clue of {line} is missing; an empty line has the clue 0")),
        false => Ok(runs.into_iter().filter(|&run| run > 0).collect()),
    }
}

/// The clues of so many columns, and of rows after them.
fn split_clues(parts: &[&str], width: usize) -> Result<Nonogram, String> {
    let clue = |noun: &'static str| {
        move |(number, part): (usize, &&str)| parse_clue(part, &format!("{noun} {}", number + 1))
    };
    let columns = parts[..width].iter().enumerate().map(clue("column")).collect::<Result<_, _>>()?;
    let rows = parts[width..].iter().enumerate().map(clue("row")).collect::<Result<_, _>>()?;
    Ok(Nonogram { rows, columns })
}

fn read_board(line: &str) -> Result<Board, String> {
    let (clues, cells) = line.split_once(',').ok_or("expected clues and cells with a comma between them")?;
    let cell = |(at, c): (usize, char)| match c {
        '0' => Ok(false),
        '1' => Ok(true),
        _ => Err(format!("the cells: {c:?} at character {} is neither 0 nor 1", at + 1)),
    };
    let picture = cells.trim().chars().enumerate().map(cell).collect::<Result<Vec<bool>, String>>()?;
    let (parts, told) = clue_parts(clues)?;
    // Columns come first. A board that is not square has as many lines as one that lies on its side.
    let is_width = |width: &usize| {
        width * (parts.len() - width) == picture.len() && told.is_none_or(|told| told == *width)
    };
    let widths: Vec<usize> = (1..parts.len()).filter(is_width).collect();
    let Some(&first) = widths.first() else {
        let (lines, cells) = (parts.len(), picture.len());
        return Err(format!("{lines} clues and {cells} cells: no board has so many lines for its cells"));
    };
    let fault = |width: usize| -> Result<Board, String> {
        let clues = split_clues(&parts, width)?;
        let board = Board::of(parts.len() - width, width, picture.clone());
        let lines =
            [("column", &clues.columns, &board.clues.columns), ("row", &clues.rows, &board.clues.rows)];
        for (noun, stated, found) in lines {
            if let Some(number) = (0..stated.len()).find(|&number| stated[number] != found[number]) {
                let shown = |clue: &[usize]| match clue.is_empty() {
                    true => "0".to_owned(),
                    false => clue.iter().map(ToString::to_string).collect::<Vec<_>>().join("."),
                };
                return Err(format!(
                    "the clue of {noun} {} is {}, its cells have {}",
                    number + 1,
                    shown(&stated[number]),
                    shown(&found[number])
                ));
            }
        }
        Ok(board)
    };
    let read = fault(first);
    widths[1..].iter().fold(read, |read, &width| read.or_else(|what| fault(width).map_err(|_| what)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nonogram::generate;

    #[test]
    fn boards_come_back() {
        for (height, width) in [(1, 1), (1, 5), (5, 1), (3, 4), (4, 3), (7, 7)] {
            for item in 0..20 {
                let board = generate(height, width, 0.4, 1, item);
                // An empty board that is not square reads the same lying on its side.
                if board.picture.iter().all(|black| !black) {
                    continue;
                }
                assert_eq!(read_board(&write_board(&board)), Ok(board));
            }
        }
        let empty = Board::of(2, 3, vec![false, false, true, false, false, false]);
        assert_eq!(write_board(&empty), "0/0/1/1/0,001000");
        assert_eq!(read_board("0/0/1/1/0,001000"), Ok(empty));
        let blank = Board::of(3, 2, vec![false; 6]);
        assert_eq!(read_board("0/0;0/0/0,000000"), Ok(blank));
    }

    #[test]
    fn clues_without_cells_may_be_of_an_oblong_board() {
        let clues = |rows: &[&[usize]], columns: &[&[usize]]| {
            let lines = |lines: &[&[usize]]| lines.iter().map(|line| line.to_vec()).collect();
            Ok(Nonogram { rows: lines(rows), columns: lines(columns) })
        };
        let oblong = clues(&[&[1, 2], &[4]], &[&[2], &[1], &[2], &[2]]);
        assert_eq!(board_of_clues("2/1/2/2/1.2/4"), oblong);
        assert_eq!(board_of_clues("2/1/2/2;1.2/4"), oblong);
        assert_eq!(board_of_clues("1/1/1/1"), clues(&[&[1], &[1]], &[&[1], &[1]]));
        assert_eq!(board_of_clues("1;1/0/0"), clues(&[&[1], &[], &[]], &[&[1]]));
        // A board of 2 x 3 and one of 3 x 2.
        let fault = |line: &str| board_of_clues(line).unwrap_err();
        assert_eq!(
            fault("0/0/0/0/0"),
            "5 clues are of 4 boards; put a ; between the last column and the first row"
        );
        assert_eq!(fault("1/1/1"), "3 clues: no board is as black across as it is down");
        assert_eq!(fault("1;1;1"), "there is more than one ; in the clues");
        assert_eq!(fault("1/x/1"), "\"x\" in the clue of row 1 is not a number of cells");
    }

    #[test]
    fn faults_are_named() {
        let fault = |line: &str| read_board(line).unwrap_err();
        assert_eq!(fault("1/1/1/1"), "expected clues and cells with a comma between them");
        assert_eq!(fault("1/1/1,1001"), "3 clues and 4 cells: no board has so many lines for its cells");
        assert_eq!(fault("1/1/1/x,1001"), "\"x\" in the clue of row 2 is not a number of cells");
        assert_eq!(fault("1/1/1/2,1001"), "the clue of row 2 is 2, its cells have 1");
        assert_eq!(fault("1/0/1/1,1001"), "the clue of column 2 is 0, its cells have 1");
        assert_eq!(fault("1//1/1,1001"), "the clue of column 2 is missing; an empty line has the clue 0");
        assert_eq!(fault("1/1/1/1,10x1"), "the cells: 'x' at character 3 is neither 0 nor 1");
        assert_eq!(parse_lines("3 1/2/0", "row").unwrap(), [vec![3, 1], vec![2], vec![]]);
        assert_eq!(
            parse_lines("3/-1", "row").unwrap_err(),
            "\"-1\" in the clue of row 2 is not a number of cells"
        );
    }
}
