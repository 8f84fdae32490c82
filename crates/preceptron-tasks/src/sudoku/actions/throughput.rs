//! `precept bench throughput`: how many boards are read and solved a second, and what memory that takes.

use std::io::Write;
use std::ops::ControlFlow;
use std::sync::Arc;

use preceptron::words::print_table;
use preceptron::{Action, Group, TaskResult};
use preceptron_base::{Control, settings};
use preceptron_logic::Problem;
use preceptron_reason::{Backend, Solution, solve_all};
use serde_json::{Value, json};

use crate::sudoku::{self, Puzzle, read_query, with_thirty_givens};
use preceptron_base::meter::{Cost, measured, memory};

/// Boards a second: readings with a misread given, one warm reasoner on each thread.
pub struct Throughput;

settings! {
    /// What is measured.
    pub struct ThroughputSettings {
        /// How many boards.
        boards: u64 = 10_000, "N" in 10..;
        /// The numbers of threads to try.
        threads: Vec<usize> = vec![1, 2], "N,N,...";
        /// How many givens of a board are misread.
        misread: usize = 1, "N" in 0..=30;
        /// The seed of the boards.
        seed: u64 = 0, "N";
        /// Print one JSON object instead of a table.
        json: bool = false;
    }
}

/// So many different puzzles; each is read anew every time.
const PUZZLES: usize = 1000;

/// What a number of threads did.
struct Row {
    threads: usize,
    done: u64,
    right: u64,
    cost: Cost,
    /// Bytes that the program held after a tenth of the boards, and at the end.
    early: Option<u64>,
    late: Option<u64>,
}

impl Action for Throughput {
    const GROUP: Group = Group::Bench;
    const NAME: &'static str = "throughput";
    const ABOUT: &'static str =
        "Boards a second: Sudoku readings with a misread given, one warm reasoner on each thread.";
    const HELP: &'static str = "\
Examples:
  precept bench throughput
  precept bench throughput --boards 100000 --threads 1

Boards are drawn as they are needed. Memory is what the program holds after the first tenth of the boards
and after the last. Ctrl-C ends with the boards that are done.";
    type Settings = ThroughputSettings;

    fn run(settings: &ThroughputSettings, out: &mut dyn Write, control: &dyn Control) -> TaskResult<bool> {
        let puzzles = with_thirty_givens(PUZZLES.min(settings.boards as usize), settings.seed)?;
        let problem = Arc::new(Problem::from(sudoku::true_rules(3)));
        let mut rows = Vec::new();
        for &threads in settings.threads.iter().filter(|_| !control.is_cancelled()) {
            control.stage(&format!("{threads} threads"), settings.boards);
            rows.push(measure(settings, threads, &puzzles, &problem, control)?);
        }
        if settings.json {
            let rows: Vec<Value> = rows.iter().map(Row::json).collect();
            writeln!(out, "{}", json!({ "misread": settings.misread, "rows": rows }))?;
        } else {
            print_table(out, &TITLES, &rows.iter().map(Row::cells).collect::<Vec<_>>())?;
        }
        Ok(true)
    }
}

fn measure(
    settings: &ThroughputSettings,
    threads: usize,
    puzzles: &[Puzzle],
    problem: &Arc<Problem>,
    control: &dyn Control,
) -> TaskResult<Row> {
    let queries = (0..settings.boards as usize)
        .map(|item| read_query(&puzzles[item % puzzles.len()], settings.misread, settings.seed, item));
    let (mut done, mut right, mut early, mut failure) = (0, 0, None, None);
    let (ended, cost) = measured(|| {
        solve_all(Backend::Portfolio, Arc::clone(problem), queries, threads, |place, answer| {
            control.advance(1);
            match answer {
                Ok(answer) => {
                    let puzzle = &puzzles[place % puzzles.len()];
                    right += u64::from(answer.solution.is_some_and(|found| is_right(puzzle, &found)));
                }
                Err(error) => failure = Some(error),
            }
            done += 1;
            if done == settings.boards / 10 {
                early = memory();
            }
            let go_on = !control.is_cancelled() && failure.is_none();
            if go_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })
    });
    ended?;
    match failure {
        Some(error) => Err(error.into()),
        None => Ok(Row { threads, done, right, cost, early, late: memory() }),
    }
}

fn is_right(puzzle: &Puzzle, found: &Solution) -> bool {
    let holds = |cell: usize, digit: u8| found.value(sudoku::variable(3, cell / 9, cell % 9, digit.into()));
    puzzle.solution.digits().iter().enumerate().all(|(cell, &digit)| holds(cell, digit))
}

fn megabytes(bytes: Option<u64>) -> Option<f64> {
    bytes.map(|bytes| bytes as f64 / 1e6)
}

impl Row {
    fn json(&self) -> Value {
        json!({
            "threads": self.threads, "boards": self.done, "right": self.right, "seconds": self.cost.wall,
            "cpu_seconds": self.cost.cpu, "boards_per_second": self.done as f64 / self.cost.wall,
            "megabytes_after_a_tenth": megabytes(self.early),
            "megabytes_at_the_end": megabytes(self.late),
        })
    }

    fn cells(&self) -> Vec<String> {
        let memory = |bytes| megabytes(bytes).map_or_else(String::new, |megabytes| format!("{megabytes:.1}"));
        vec![
            self.threads.to_string(),
            self.done.to_string(),
            self.right.to_string(),
            format!("{:.2}", self.cost.wall),
            self.cost.cpu.map_or_else(String::new, |cpu| format!("{cpu:.2}")),
            format!("{:.0}", self.done as f64 / self.cost.wall),
            memory(self.early),
            memory(self.late),
        ]
    }
}

const TITLES: [&str; 8] =
    ["threads", "boards", "right", "seconds", "CPU-s", "boards/s", "MB at a tenth", "MB at the end"];
