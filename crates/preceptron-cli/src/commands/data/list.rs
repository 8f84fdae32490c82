//! `precept data list`: what there is without any file, and what files are read.

use std::io::Write;

use clap::Args;
use preceptron_tasks::mnist::{Digits, Mnist, embedded_files};
use preceptron_tasks::sudoku::{Spread, hard_puzzles};
use serde_json::json;

use crate::Answer;
use crate::present::print_table;

/// Show the data that is part of the program, the generators, and the files that are read.
#[derive(Args)]
#[command(after_help = "Example:\n  precept data list --json")]
pub struct Arguments {
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// The presets of the generator.
pub const PRESETS: [(&str, Spread); 2] = [("satnet", Spread::SATNET), ("rrn", Spread::RRN)];

fn counts(digits: &Digits) -> Vec<usize> {
    (0..10).map(|digit| digits.of_digit(digit).len()).collect()
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let mnist = Mnist::embedded();
    let (files, hard) = (embedded_files(), hard_puzzles().len());
    if arguments.json {
        let files: Vec<_> = files
            .iter()
            .map(|file| json!({ "name": file.name, "bytes": file.bytes, "sha256": file.sha256 }))
            .collect();
        let preset = |(name, spread): &(&str, Spread)| {
            let (least, most) = (spread.givens.start(), spread.givens.end());
            json!({ "name": name, "givens": [least, most], "towards_minimal": spread.towards_minimal })
        };
        let object = json!({
            "mnist": {
                "files": files, "training": counts(&mnist.train), "test": counts(&mnist.test),
            },
            "sudoku": {
                "orders": [2, 3, 4], "presets": PRESETS.iter().map(preset).collect::<Vec<_>>(),
                "seventeen_givens": hard,
            },
        });
        serde_json::to_writer(&mut *out, &object)?;
        writeln!(out)?;
        return Ok(Answer::Yes);
    }
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
         \x20 precept data generate --preset satnet   31 to 42 givens, like the boards of SATNet\n\
         \x20 precept data generate --preset rrn      17 to 34 givens, or as few as a grid gets down to, like\n\
         \x20                                         those of recurrent relational networks\n\
         \x20 precept data generate --givens 25-30    any other range; --order 2, 3 or 4 for 4 x 4, 9 x 9, 16 x 16\n\
         {hard} boards with 17 givens are part of the program.\n\n\
         Files of boards, plain, .gz or .xz, have a line `puzzle,solution` for each, without a header: a character\n\
         for each cell, row by row; 0 is a blank, and A to G are 10 to 16.\n\
         Pictures of boards are PNG: precept data draw draws them, precept solve RUN board.png solves them."
    )?;
    Ok(Answer::Yes)
}
