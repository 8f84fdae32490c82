//! `precept bench reason`: exact reasoning against the solvers of other people, on the same instances.
//!
//! Every family is drawn from a seed. Our own backends run here; Z3, RC2 and CP-SAT run in a Python
//! process that gets the instances as a file, where Python has them. Each query has the same time limit
//! everywhere, and what was not finished is counted.

pub mod family;
mod rivals;

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;
use preceptron_base::Control;
use preceptron_reason::{Backend, Limits, Query, Reasoner, Status, TieBreak};
use serde_json::{Value, json};

use self::family::Family;
use crate::Answer;
use crate::present::print_table;
use crate::progress::Progress;

/// Exact reasoning: seconds for a query, beside Z3, RC2 and CP-SAT.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept bench reason
  precept bench reason --families path-20,path-40 --count 50
  precept bench reason --python .venv/bin/python     (with z3-solver, python-sat and ortools installed)

`cold` loads the rules for every query, `warm` once for all of them; a solver that can only begin anew has
no warm line. Times are of one thread each. Where the optima of two solvers differ, the table says so.")]
pub struct Arguments {
    /// Which families to run.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', default_values_t = family::NAMES.map(String::from))]
    families: Vec<String>,
    /// How many queries of each.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// The seed of all instances.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// How long a query may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    limit: f64,
    /// How long a rival may take for all queries of a family; those it does not reach are counted apart.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    patience: f64,
    /// A Python that has some of z3, pysat and ortools; without it only our own backends run.
    #[arg(long, value_name = "FILE")]
    python: Option<PathBuf>,
    /// Which of several cheapest assignments our own backends answer with: the first in order, or any.
    #[arg(long, value_name = "HOW", default_value = "any", value_parser = ["any", "canonical"])]
    ties: String,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

/// What one solver did with a family.
pub struct Line {
    /// The solver, and whether it was warm.
    pub solver: String,
    /// Whether the rules were loaded once for all queries.
    pub warm: bool,
    /// Seconds of the queries that were begun.
    pub seconds: Vec<f64>,
    /// How many of these did not end in time.
    pub unfinished: usize,
    /// The optimum of each query that ended; nothing where there is no assignment.
    pub optima: Vec<Option<Option<i64>>>,
}

impl Line {
    /// A solver that has done nothing yet.
    fn new(solver: &str, warm: bool) -> Line {
        Line { solver: solver.to_owned(), warm, seconds: Vec::new(), unfinished: 0, optima: Vec::new() }
    }

    /// Adds a query: what it took, and its optimum if it ended.
    fn add(&mut self, seconds: f64, optimum: Option<Option<i64>>) {
        self.seconds.push(seconds);
        self.unfinished += usize::from(optimum.is_none());
        self.optima.push(optimum);
    }

    fn mean(&self) -> f64 {
        self.seconds.iter().sum::<f64>() / self.seconds.len().max(1) as f64
    }

    fn worst(&self) -> f64 {
        self.seconds.iter().copied().fold(0.0, f64::max)
    }

    /// In how many queries two solvers found different optima.
    fn differences(&self, other: &Line) -> usize {
        let pairs = self.optima.iter().zip(&other.optima);
        pairs.filter(|(a, b)| matches!((a, b), (Some(a), Some(b)) if a != b)).count()
    }
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let limit = Duration::try_from_secs_f64(arguments.limit).context("--limit is no time")?;
    let progress = Progress::new(crate::interrupt::flag()?);
    let mut tables = Vec::new();
    let mut differences = 0;
    for name in &arguments.families {
        let mut family = Family::generate(name, arguments.count as usize, arguments.seed)?;
        let mut lines: Vec<Line> = family.reference.take().into_iter().collect();
        for backend in Backend::ALL.iter().copied().filter(|backend| *backend != Backend::Portfolio) {
            for warm in [false, true].into_iter().filter(|warm| !warm || family.is_shared()) {
                progress.stage(&format!("{name}: {backend}"), family.queries.len() as u64);
                lines.push(ours(&family, backend, warm, limit, arguments.ties == "any", &progress)?);
            }
        }
        if let Some(python) = &arguments.python {
            progress.stage(&format!("{name}: rivals"), 1);
            lines.extend(rivals::run(python, &family, arguments.limit, arguments.patience)?);
        }
        if progress.is_cancelled() {
            break;
        }
        differences += lines.iter().map(|line| line.differences(&lines[0])).sum::<usize>();
        if arguments.json {
            tables.push(json!({ "family": name, "lines": lines.iter().map(json).collect::<Vec<_>>() }));
        } else {
            writeln!(out, "{name}: {}", family.description)?;
            print_table(out, &TITLES, &lines.iter().map(|line| cells(line, &lines)).collect::<Vec<_>>())?;
            writeln!(out)?;
        }
    }
    progress.finish();
    if arguments.json {
        let ties = &arguments.ties;
        let all =
            json!({ "seed": arguments.seed, "ties": ties, "differences": differences, "families": tables });
        serde_json::to_writer(&mut *out, &all)?;
        writeln!(out)?;
    } else {
        writeln!(out, "Optima that differ: {differences}")?;
    }
    Ok(if differences == 0 { Answer::Yes } else { Answer::No })
}

/// Runs one of our own backends on a family.
fn ours(
    family: &Family,
    backend: Backend,
    warm: bool,
    limit: Duration,
    any: bool,
    progress: &Progress,
) -> anyhow::Result<Line> {
    let mut line = Line::new(&format!("precept {backend}"), warm);
    let mut reasoner: Option<Box<dyn Reasoner>> = None;
    for (place, query) in family.queries.iter().enumerate().filter(|_| !progress.is_cancelled()) {
        let limits = Limits { time: Some(limit), ..Limits::default() };
        let ties = if any { TieBreak::Any } else { TieBreak::Canonical };
        let query = Query { limits, ties, explain: false, ..query.clone() };
        if warm && reasoner.is_none() {
            // Loading once and a first query stand outside the time, as they do for rivals.
            let mut loaded = backend.load(family.problem(place).clone())?;
            loaded.solve(&query)?;
            reasoner = Some(loaded);
        }
        let problem = family.problem(place).clone();
        let started = Instant::now();
        let answer = match &mut reasoner {
            Some(reasoner) => reasoner.solve(&query)?,
            None => backend.load(problem)?.solve(&query)?,
        };
        let optimum = match answer.status {
            Status::Optimal => Some(answer.solution.map(|solution| solution.cost)),
            Status::Infeasible => Some(None),
            Status::Feasible | Status::Unknown => None,
        };
        line.add(started.elapsed().as_secs_f64(), optimum);
        progress.advance(1);
    }
    Ok(line)
}

const TITLES: [&str; 8] = ["solver", "", "queries", "unfinished", "mean ms", "worst ms", "of Z3", "differ"];

fn cells(line: &Line, lines: &[Line]) -> Vec<String> {
    let z3 = lines.iter().find(|other| other.solver == "z3" && other.warm == line.warm);
    vec![
        line.solver.clone(),
        (if line.warm { "warm" } else { "cold" }).to_owned(),
        line.seconds.len().to_string(),
        line.unfinished.to_string(),
        format!("{:.3}", 1e3 * line.mean()),
        format!("{:.2}", 1e3 * line.worst()),
        z3.map_or_else(String::new, |z3| format!("{:.5}", line.mean() / z3.mean())),
        line.differences(&lines[0]).to_string(),
    ]
}

fn json(line: &Line) -> Value {
    json!({
        "solver": line.solver, "warm": line.warm, "queries": line.seconds.len(),
        "unfinished": line.unfinished, "mean_seconds": line.mean(), "worst_seconds": line.worst(),
    })
}
