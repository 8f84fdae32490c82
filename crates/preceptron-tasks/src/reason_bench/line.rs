//! What a solver did with a family of instances: a line of the table.

use serde_json::{Value, json};

/// What one solver did with a family.
pub(super) struct Line {
    /// The solver.
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
    /// The titles of a line's cells.
    pub const TITLES: [&str; 8] =
        ["solver", "", "queries", "unfinished", "mean ms", "worst ms", "of Z3", "differ"];

    /// A solver that has done nothing yet.
    pub fn new(solver: &str, warm: bool) -> Line {
        Line { solver: solver.to_owned(), warm, seconds: Vec::new(), unfinished: 0, optima: Vec::new() }
    }

    /// Adds a query: what it took, and its optimum if it ended.
    pub fn add(&mut self, seconds: f64, optimum: Option<Option<i64>>) {
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
    pub fn differences(&self, other: &Line) -> usize {
        let pairs = self.optima.iter().zip(&other.optima);
        pairs.filter(|(a, b)| matches!((a, b), (Some(a), Some(b)) if a != b)).count()
    }

    /// The line for a person, beside the others of its family.
    pub fn cells(&self, lines: &[Line]) -> Vec<String> {
        let z3 = lines.iter().find(|other| other.solver == "z3" && other.warm == self.warm);
        vec![
            self.solver.clone(),
            (if self.warm { "warm" } else { "cold" }).to_owned(),
            self.seconds.len().to_string(),
            self.unfinished.to_string(),
            format!("{:.3}", 1e3 * self.mean()),
            format!("{:.2}", 1e3 * self.worst()),
            z3.map_or_else(String::new, |z3| format!("{:.5}", self.mean() / z3.mean())),
            lines.first().map_or(0, |first| self.differences(first)).to_string(),
        ]
    }

    /// The line for a program.
    pub fn json(&self) -> Value {
        json!({
            "solver": self.solver, "warm": self.warm, "queries": self.seconds.len(),
            "unfinished": self.unfinished, "mean_seconds": self.mean(), "worst_seconds": self.worst(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_queries_that_ended_with_both_can_differ() {
        let mut lines = [Line::new("a", false), Line::new("z3", false)];
        for (one, other) in [
            (Some(Some(3)), Some(Some(3))),
            (Some(Some(3)), Some(None)),
            (None, Some(Some(1))),
            (Some(Some(2)), Some(Some(4))),
        ] {
            lines[0].add(0.001, one);
            lines[1].add(0.004, other);
        }
        assert_eq!(lines[1].differences(&lines[0]), 2);
        assert_eq!(lines[0].cells(&lines), ["a", "cold", "4", "1", "1.000", "1.00", "0.25000", "0"]);
        assert_eq!(lines[1].json()["unfinished"], 0);
    }
}
