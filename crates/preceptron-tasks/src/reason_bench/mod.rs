//! `precept bench reason`: exact reasoning against the solvers of other people, on the same instances of
//! several tasks.
//!
//! Every family is drawn from a seed. Our own backends run here; Z3, RC2 and CP-SAT run in a Python
//! process that gets the instances as a file, where Python has them. Each query has the same time limit
//! everywhere, and what was not finished is counted.

mod driving_maps;
mod families;
mod line;
mod rivals;

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use preceptron::words::print_table;
use preceptron::{Action, AnyAction, Context, Group, TaskResult};
use preceptron_base::{Control, choices, settings};
use preceptron_reason::{Backend, Limits, Query, Reasoner, Status, TieBreak};
use serde_json::{Value, json};

use self::families::{Family, NAMES};
use self::line::Line;
use preceptron_base::meter::measured;

/// The benchmarks over several tasks.
pub static BENCHES: &[&dyn AnyAction] = &[&Reason];

/// Exact reasoning: CPU seconds for a query, beside Z3, RC2 and CP-SAT.
pub struct Reason;

choices! {
    /// Which of several cheapest assignments is answered with.
    pub enum TieRule: Any {
        /// Any of them.
        Any = "any",
        /// The first in order.
        Canonical = "canonical",
    }
}

settings! {
    /// What is measured.
    pub struct ReasonSettings {
        /// Which families to run.
        families: Vec<String> = NAMES.map(String::from).to_vec(), "NAME,...";
        /// How many queries of each.
        count: u32 = 20, "N" in 1..=100_000;
        /// The seed of all instances.
        seed: u64 = 0, "N";
        /// How long a query may take.
        limit: f64 = 10.0, "SECONDS" in 0.0..;
        /// How long a rival may take for all queries of a family; those it does not reach are counted apart.
        patience: f64 = 60.0, "SECONDS";
        /// A Python that has some of z3, pysat and ortools; without it only our own backends run.
        python: Option<PathBuf> = None, "FILE";
        /// Which of several cheapest assignments our own backends answer with: the first in order, or any.
        ties: TieRule = TieRule::Any, "HOW";
        /// Print one JSON object instead of a table.
        json: bool = false;
    }
}

impl Action for Reason {
    const GROUP: Group = Group::Bench;
    const NAME: &'static str = "reason";
    const ABOUT: &'static str = "Exact reasoning: CPU seconds for a query, beside Z3, RC2 and CP-SAT.";
    const HELP: &'static str = "\
Examples:
  precept bench reason
  precept bench reason --families path-20,path-40 --count 50
  precept bench reason --python .venv/bin/python     (with z3-solver, python-sat and ortools installed)

`cold` loads the rules for every query, `warm` once for all of them; a solver that can only begin anew has
no warm line. Times are of the processor, one thread each; limits are of the clock. Where the optima of two solvers differ, the table says so.";
    type Settings = ReasonSettings;

    fn run(settings: &ReasonSettings, out: &mut dyn Write, control: &dyn Control) -> TaskResult<bool> {
        let limit = Duration::try_from_secs_f64(settings.limit).context("--limit is no time")?;
        let mut tables: Vec<Value> = Vec::new();
        let mut differences = 0;
        for name in &settings.families {
            let mut family = Family::generate(name, settings.count as usize, settings.seed)?;
            let mut lines: Vec<Line> = family.reference.take().into_iter().collect();
            for backend in Backend::ALL.iter().copied().filter(|backend| *backend != Backend::Portfolio) {
                for warm in [false, true].into_iter().filter(|warm| !warm || family.is_shared()) {
                    control.stage(&format!("{name}: {backend}"), family.queries.len() as u64);
                    lines.push(ours(&family, backend, warm, limit, settings.ties, control)?);
                }
            }
            if let Some(python) = &settings.python {
                control.stage(&format!("{name}: rivals"), 1);
                lines.extend(rivals::run(python, &family, settings.limit, settings.patience)?);
            }
            if control.is_cancelled() {
                break;
            }
            differences += lines.iter().map(|line| line.differences(&lines[0])).sum::<usize>();
            if settings.json {
                let lines: Vec<Value> = lines.iter().map(Line::json).collect();
                tables.push(json!({ "family": name, "lines": lines }));
            } else {
                writeln!(out, "{name}: {}", family.description)?;
                let cells: Vec<Vec<String>> = lines.iter().map(|line| line.cells(&lines)).collect();
                print_table(out, &Line::TITLES, &cells)?;
                writeln!(out)?;
            }
        }
        if settings.json {
            let (seed, ties) = (settings.seed, settings.ties.word());
            let all = json!({ "seed": seed, "ties": ties, "differences": differences, "families": tables });
            writeln!(out, "{all}")?;
        } else {
            writeln!(out, "Optima that differ: {differences}")?;
        }
        Ok(differences == 0)
    }
}

/// Runs one of our own backends on a family.
fn ours(
    family: &Family,
    backend: Backend,
    warm: bool,
    limit: Duration,
    ties: TieRule,
    control: &dyn Control,
) -> TaskResult<Line> {
    let mut line = Line::new(&format!("precept {backend}"), warm);
    let mut reasoner: Option<Box<dyn Reasoner>> = None;
    let ties = match ties {
        TieRule::Any => TieBreak::Any,
        TieRule::Canonical => TieBreak::Canonical,
    };
    for (place, query) in family.queries.iter().enumerate().filter(|_| !control.is_cancelled()) {
        let limits = Limits { time: Some(limit), ..Limits::default() };
        let query = Query { limits, ties, explain: false, ..query.clone() };
        if warm && reasoner.is_none() {
            // Loading once and a first query stand outside the time, as they do for rivals.
            let mut loaded = backend.load(family.problem(place).clone())?;
            loaded.solve(&query)?;
            reasoner = Some(loaded);
        }
        let problem = family.problem(place).clone();
        let (answer, cost) = measured(|| match &mut reasoner {
            Some(reasoner) => reasoner.solve(&query),
            None => backend.load(problem)?.solve(&query),
        });
        let answer = answer?;
        let optimum = match answer.status {
            Status::Optimal => Some(answer.solution.map(|solution| solution.cost)),
            Status::Infeasible => Some(None),
            Status::Feasible | Status::Unknown => None,
        };
        line.add(cost.busy(), optimum);
        control.advance(1);
    }
    Ok(line)
}
