//! Other people's solvers, run by Python on the same instances.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use preceptron::{Context, TaskError, TaskResult, ensure};
use preceptron_logic::{Body, Constraint, Lit, Problem};
use preceptron_reason::{Query, Strength};
use serde::Deserialize;
use serde_json::{Value, json};

use super::families::Family;
use super::line::Line;

/// The program that Python runs.
const SCRIPT: &str = include_str!("rivals.py");

/// A line of what it prints.
#[derive(Deserialize)]
struct Printed {
    solver: String,
    warm: bool,
    seconds: Vec<f64>,
    unfinished: usize,
    /// The optimum, `"none"` where there is no assignment, null where it is not known.
    optima: Vec<Value>,
}

/// Runs every solver that this Python has.
pub(super) fn run(python: &Path, family: &Family, limit: f64, patience: f64) -> TaskResult<Vec<Line>> {
    let instance = json!({
        "limit": limit,
        "patience": patience,
        "problems": family.problems().iter().map(|p| problem(p)).collect::<Vec<_>>(),
        "queries": family.queries.iter().map(query).collect::<Vec<_>>(),
    });
    let mut child = Command::new(python)
        .args(["-c", SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context(format_args!("{} cannot be run", python.display()))?;
    let mut input = child.stdin.take().context("the process has no input")?;
    let written = serde_json::to_writer(&mut input, &instance).map_err(TaskError::from);
    let written = written.and_then(|()| Ok(input.flush()?));
    drop(input);
    let output = child.wait_with_output()?;
    ensure!(output.status.success(), "{} ended with {}", python.display(), output.status);
    written?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().map(|line| Ok(serde_json::from_str::<Printed>(line)?.into())).collect()
}

impl From<Printed> for Line {
    fn from(printed: Printed) -> Line {
        let optimum = |value: &Value| match value {
            Value::Null => None,
            value => Some(value.as_i64()),
        };
        Line {
            solver: printed.solver,
            warm: printed.warm,
            seconds: printed.seconds,
            unfinished: printed.unfinished,
            optima: printed.optima.iter().map(optimum).collect(),
        }
    }
}

fn literals(literals: &[Lit]) -> Vec<i64> {
    literals.iter().map(|literal| literal.dimacs()).collect()
}

fn constraint(constraint: &Constraint) -> Value {
    json!({
        "literals": literals(constraint.literals()),
        "sums": constraint.sums().iter().collect::<Vec<_>>(),
        "gate": constraint.gate().map(|gate| gate.dimacs()),
    })
}

fn problem(problem: &Problem) -> Value {
    let soft = problem.soft.iter().filter_map(|soft| match &soft.body {
        Body::Cardinality(body) => Some(json!({ "weight": soft.weight, "body": constraint(body) })),
        Body::Linear(_) => None,
    });
    let objective = problem.objective.iter().map(|(cost, literal)| json!([literal.dimacs(), cost]));
    json!({
        "variables": problem.rules.variables().len(),
        "rules": problem.rules.constraints().map(constraint).collect::<Vec<_>>(),
        "soft": soft.collect::<Vec<_>>(),
        "objective": objective.collect::<Vec<_>>(),
    })
}

fn query(query: &Query) -> Value {
    let costs = query.costs.iter().chain(query.groups.iter().flatten()).filter(|(_, cost)| *cost != 0);
    let price = match query.strength {
        Strength::AllSoft(price) => Some(price),
        _ => None,
    };
    json!({
        "fixed": literals(&query.fixed),
        "costs": costs.map(|(literal, cost)| json!([literal.dimacs(), cost])).collect::<Vec<_>>(),
        "price": price,
    })
}
