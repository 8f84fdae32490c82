//! Puzzles of Sudoku from files, plain and compressed.

use preceptron_tasks::sudoku::{GIVENS, generate, read_file, with_givens};

use super::in_folder;
use super::tables::{gzip, xz};
use crate::{Target, outcome};

pub fn target() -> Target {
    Target {
        name: "sudoku",
        seeds: || {
            let digits = |digits: &[u8]| digits.iter().map(|d| char::from(b'0' + d)).collect::<String>();
            let line = |p: &preceptron_tasks::sudoku::Puzzle| {
                format!("{},{}\n", digits(p.givens.digits()), digits(p.solution.digits()))
            };
            let text: String = with_givens(&generate(3, 2, 1), GIVENS, 1).iter().map(line).collect();
            vec![text.clone().into_bytes(), gzip(text.as_bytes()), xz(text.as_bytes())]
        },
        words: &[",", "\n", "\r\n", "0", "9", "000000000", " ", "٣"],
        run,
    }
}

fn run(input: &[u8]) -> String {
    let read = in_folder(|folder| {
        let path = folder.join("boards.csv");
        std::fs::write(&path, input).expect("a file that can be written");
        read_file(&path)
    });
    match read {
        Ok(puzzles) => {
            assert!(puzzles.iter().all(|puzzle| puzzle.solution.is_complete()), "a solution with blanks");
            outcome::read(&[("puzzles", puzzles.len())])
        }
        Err(preceptron_tasks::sudoku::PuzzlesError::File { source, .. }) => outcome::refused(&source),
        Err(error) => outcome::refused(&error),
    }
}
