//! `precept bench throughput`: how many boards are read and solved a second, and what memory that takes.

use std::io::Write;
use std::ops::ControlFlow;
use std::sync::Arc;

use clap::Args;
use preceptron_base::Control;
use preceptron_logic::Problem;
use preceptron_reason::{Backend, solve_all};
use preceptron_tasks::sudoku;
use serde_json::{Value, json};

use super::meter::{measured, memory};
use super::reason::family::{map_query, thirty};
use crate::Answer;
use crate::present::print_table;
use crate::progress::Progress;

/// Boards a second: Sudoku readings with a misread given, one warm reasoner on each thread.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept bench throughput
  precept bench throughput --boards 100000 --threads 1

Boards are drawn as they are needed. Memory is what the program holds after the first tenth of the boards
and after the last. Ctrl-C ends with the boards that are done.")]
pub struct Arguments {
    /// How many boards.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(10..))]
    boards: u64,
    /// The numbers of threads to try.
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', default_values_t = [1, 2])]
    threads: Vec<usize>,
    /// How many givens of a board are misread.
    #[arg(long, value_name = "N", default_value_t = 1)]
    misread: usize,
    /// The seed of the boards.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

/// So many different puzzles; each is read anew every time.
const PUZZLES: usize = 1000;

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    anyhow::ensure!(
        arguments.misread <= 30,
        "a board has 30 givens, and {} cannot be misread",
        arguments.misread
    );
    let progress = Progress::new(crate::interrupt::flag()?);
    let puzzles = thirty(PUZZLES.min(arguments.boards as usize), arguments.seed)?;
    let problem = Arc::new(Problem::from(sudoku::true_rules(3)));
    let mut rows = Vec::new();
    for &threads in &arguments.threads {
        progress.stage(&format!("{threads} threads"), arguments.boards);
        let queries = (0..arguments.boards as usize)
            .map(|item| map_query(&puzzles[item % puzzles.len()], arguments.misread, arguments.seed, item));
        let (mut done, mut right, mut early) = (0, 0, None);
        let mut failure = None;
        let (outcome, cost) = measured(|| {
            solve_all(Backend::Portfolio, Arc::clone(&problem), queries, threads, |place, answer| {
                progress.advance(1);
                match answer {
                    Ok(answer) => {
                        let solution = &puzzles[place % puzzles.len()].solution;
                        let is_right = |found: &preceptron_reason::Solution| {
                            let holds = |cell: usize, digit: u8| {
                                found.value(sudoku::variable(3, cell / 9, cell % 9, digit.into()))
                            };
                            solution.digits().iter().enumerate().all(|(cell, &digit)| holds(cell, digit))
                        };
                        right += u64::from(answer.solution.as_ref().is_some_and(is_right));
                    }
                    Err(error) => failure = Some(error),
                }
                done += 1;
                if done == arguments.boards / 10 {
                    early = memory();
                }
                let go_on = !progress.is_cancelled() && failure.is_none();
                if go_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })
        });
        outcome?;
        if let Some(error) = failure {
            return Err(error.into());
        }
        rows.push((threads, done, right, cost, early, memory()));
    }
    progress.finish();
    let megabytes = |bytes: Option<u64>| bytes.map(|bytes| bytes as f64 / 1e6);
    if arguments.json {
        let rows: Vec<Value> = rows
            .iter()
            .map(|(threads, done, right, cost, early, late)| {
                json!({
                    "threads": threads, "boards": done, "right": right, "seconds": cost.wall,
                    "cpu_seconds": cost.cpu, "boards_per_second": *done as f64 / cost.wall,
                    "megabytes_after_a_tenth": megabytes(*early), "megabytes_at_the_end": megabytes(*late),
                })
            })
            .collect();
        serde_json::to_writer(&mut *out, &json!({ "misread": arguments.misread, "rows": rows }))?;
        writeln!(out)?;
    } else {
        let print = |bytes| megabytes(bytes).map_or_else(String::new, |megabytes| format!("{megabytes:.1}"));
        let cells: Vec<Vec<String>> = rows
            .iter()
            .map(|(threads, done, right, cost, early, late)| {
                vec![
                    threads.to_string(),
                    done.to_string(),
                    right.to_string(),
                    format!("{:.2}", cost.wall),
                    cost.cpu.map_or_else(String::new, |cpu| format!("{cpu:.2}")),
                    format!("{:.0}", *done as f64 / cost.wall),
                    print(*early),
                    print(*late),
                ]
            })
            .collect();
        print_table(out, &TITLES, &cells)?;
    }
    Ok(Answer::Yes)
}

const TITLES: [&str; 8] =
    ["threads", "boards", "right", "seconds", "CPU-s", "boards/s", "MB at a tenth", "MB at the end"];
