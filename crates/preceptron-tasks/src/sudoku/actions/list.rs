//! `precept data sudoku list`: what there is without any file, and what files are read.

use std::io::Write;

use preceptron::words::print_table;
use preceptron::{Action, Group, TaskResult};
use preceptron_base::{Control, settings};
use serde_json::{Value, json};

use super::generate::Preset;
use crate::mnist::{Digits, EmbeddedFile, Mnist, embedded_files};
use crate::sudoku::hard_puzzles;

/// Shows the data that is part of the program, the generators, and the files that are read.
pub struct ListData;

settings! {
    /// How it is shown.
    pub struct ListSettings {
        /// Print one JSON object instead of text.
        json: bool = false;
    }
}

fn counts(digits: &Digits) -> Vec<usize> {
    (0..10).map(|digit| digits.of_digit(digit).len()).collect()
}

impl Action for ListData {
    const GROUP: Group = Group::Data;
    const NAME: &'static str = "list";
    const ABOUT: &'static str =
        "Show the data that is part of the program, the generators, and the files that are read.";
    const HELP: &'static str = "Example:\n  precept data sudoku list --json";
    type Settings = ListSettings;

    fn run(settings: &ListSettings, out: &mut dyn Write, _: &dyn Control) -> TaskResult<bool> {
        let (mnist, files, hard) = (Mnist::embedded(), embedded_files(), hard_puzzles().len());
        match settings.json {
            true => writeln!(out, "{}", as_json(&mnist, &files, hard))?,
            false => print(&mnist, &files, hard, out)?,
        }
        Ok(true)
    }
}

fn as_json(mnist: &Mnist, files: &[EmbeddedFile], hard: usize) -> Value {
    let file = |file: &EmbeddedFile| json!({ "name": file.name, "bytes": file.bytes, "sha256": file.sha256 });
    let preset = |preset: Preset| {
        let spread = preset.spread();
        let givens = [spread.givens.start(), spread.givens.end()];
        json!({ "name": preset.word(), "givens": givens, "towards_minimal": spread.towards_minimal })
    };
    json!({
        "mnist": {
            "files": files.iter().map(file).collect::<Vec<_>>(),
            "training": counts(&mnist.train), "test": counts(&mnist.test),
        },
        "sudoku": {
            "orders": [2, 3, 4], "presets": Preset::ALL.map(preset), "seventeen_givens": hard,
        },
    })
}

fn print(mnist: &Mnist, files: &[EmbeddedFile], hard: usize, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "MNIST, pictures of handwritten digits, 28 x 28 pixels, part of the program:\n")?;
    let titles =
        ["images", "of 0", "of 1", "of 2", "of 3", "of 4", "of 5", "of 6", "of 7", "of 8", "of 9", "all"];
    let row = |(name, digits): (&str, &Digits)| {
        let numbers = counts(digits).into_iter().chain([digits.len()]).map(|count| count.to_string());
        std::iter::once(name.to_owned()).chain(numbers).collect::<Vec<String>>()
    };
    let rows = [("training", &mnist.train), ("test", &mnist.test)].map(row);
    print_table(out, &titles, &rows)?;
    writeln!(out, "\nIts files, which --mnist DIR replaces (plain or .gz):")?;
    for file in files {
        writeln!(out, "  {:28} {:>8} bytes  sha256 {}", file.name, file.bytes, file.sha256)?;
    }
    writeln!(
        out,
        "\nSudoku, boards with one solution, from a seed:\n\
         \x20 precept data sudoku generate --preset satnet   31 to 42 givens, like the boards of SATNet\n\
         \x20 precept data sudoku generate --preset rrn      17 to 34 givens, or as few as a grid gets down to,\n\
         \x20                                                like those of recurrent relational networks\n\
         \x20 precept data sudoku generate --givens 25-30    any other range; --order 2, 3 or 4 for 4 x 4,\n\
         \x20                                                9 x 9, 16 x 16\n\
         {hard} boards with 17 givens are part of the program.\n\n\
         Files of boards, plain, .gz or .xz, have a line `puzzle,solution` for each, without a header: a character\n\
         for each cell, row by row; 0 is a blank, and A to G are 10 to 16.\n\
         Pictures of boards are PNG: precept data sudoku draw draws them, precept solve RUN board.png solves them."
    )
}
