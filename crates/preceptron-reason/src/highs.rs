//! HiGHS, an integer programming solver.
//!
//! A variable is a column from 0 to 1. A rule that allows one range of sums and binds always is a row. Any
//! other rule chooses: of a column for each range that it allows, one for a gate that is closed, and one,
//! at the rule's price, for being violated, exactly one is 1, and the sum lies between the bounds that go
//! with it:
//!
//! ```text
//! s_1 + s_2 + ... = 1,    low_1 s_1 + low_2 s_2 + ...  <=  sum  <=  high_1 s_1 + high_2 s_2 + ...
//! ```
//!
//! The program is built anew for every question. HiGHS computes in doubles, so the numbers that it takes
//! are kept small. It stops when time is up; a request to stop is seen only between its calls.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use highs::{Col, HighsModelStatus, HighsSolutionStatus, HighsStatus, RowProblem, Sense, SolvedModel};
use preceptron_logic::{Body, Constraint, Linear, Lit, Problem};

use crate::external_solver::{self, Cheapest, Outside, check_coefficients, literal_costs, runs};
use crate::sat::Budget;
use crate::{Answer, Piece, Query, ReasonError, Reasoner};

/// HiGHS with a problem.
pub struct Highs {
    problem: Arc<Problem>,
}

impl Highs {
    /// Takes a problem.
    ///
    /// # Errors
    /// If the coefficients of a linear constraint add up to more than the capacity.
    pub fn load(problem: impl Into<Arc<Problem>>) -> Result<Highs, ReasonError> {
        let problem = problem.into();
        check_coefficients::<Highs>(&problem)?;
        Ok(Highs { problem })
    }
}

impl Reasoner for Highs {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn capacity(&self) -> i64 {
        Self::CAPACITY
    }

    fn problem(&self) -> &Arc<Problem> {
        &self.problem
    }

    fn solve(&mut self, query: &Query) -> Result<Answer, ReasonError> {
        external_solver::solve(self, query)
    }
}

impl Outside for Highs {
    const NAME: &'static str = "highs";

    /// With costs of 1 << 30 an optimum was off by one, which is what HiGHS neglects of such a number; of
    /// this one it neglects a fiftieth of a step.
    const CAPACITY: i64 = 1 << 24;

    fn problem(&self) -> &Arc<Problem> {
        &self.problem
    }

    fn cheapest(&mut self, query: &Query, budget: &Budget) -> Result<Cheapest, ReasonError> {
        let mut program = Program::new(&self.problem, query);
        for &(column, cost) in &program.paid {
            program.rows.change_column_cost(column, number(cost));
        }
        let constant = program.constant;
        let Some(Solved { model, values }) = program.solve(budget)? else { return Ok(Cheapest::Nothing) };
        if model.status() == HighsModelStatus::Optimal
            && let Some(values) = values
        {
            return Ok(Cheapest::Optimal(values));
        }
        // Half a step for what doubles lose.
        let bound = model.double_info_value(c"mip_dual_bound").unwrap_or(f64::NEG_INFINITY);
        let bound = ((bound - 0.5).floor() as i64).saturating_add(constant);
        Ok(Cheapest::Ended { values, bound })
    }

    fn any(
        &mut self,
        query: &Query,
        most: Option<i64>,
        budget: &Budget,
    ) -> Result<Option<Option<Vec<bool>>>, ReasonError> {
        if budget.is_over() {
            return Ok(None);
        }
        let mut program = Program::new(&self.problem, query);
        if let Some(most) = most {
            let most = (i128::from(most) - i128::from(program.constant)) as f64;
            let paid = program.paid.iter().map(|&(column, cost)| (column, number(cost)));
            program.rows.add_row(..=most, paid.collect::<Vec<(Col, f64)>>());
        }
        let Some(solved) = program.solve(budget)? else { return Ok(Some(None)) };
        Ok(solved.values.map(Some))
    }
}

/// An integer program.
struct Program {
    rows: RowProblem,
    variables: Vec<Col>,
    /// What is paid for each column, and in any case.
    paid: Vec<(Col, i64)>,
    constant: i64,
}

/// What HiGHS ended with, and the values of the variables if there are any.
struct Solved {
    model: SolvedModel,
    values: Option<Vec<bool>>,
}

impl Program {
    /// All that is hard in a query, and what is paid for the rest.
    fn new(problem: &Problem, query: &Query) -> Program {
        let mut rows = RowProblem::new();
        // HiGHS calls a program without columns empty, whatever its rows say.
        rows.add_integer_column(0.0, 0..=0);
        let count = problem.rules.variables().len();
        let variables: Vec<Col> = (0..count).map(|_| rows.add_integer_column(0.0, 0..=1)).collect();
        let (costs, constant) = literal_costs(query, problem);
        let paid = costs.into_iter().map(|(var, cost)| (variables[var.index()], cost)).collect();
        let mut program = Program { rows, variables, paid, constant };
        for (place, constraint) in problem.rules.constraints().enumerate() {
            program.count(constraint, query.price(problem, Piece::Rule(place)));
        }
        for (place, linear) in problem.linear.iter().enumerate() {
            program.weigh(linear, query.price(problem, Piece::Linear(place)));
        }
        for soft in &problem.soft {
            match &soft.body {
                Body::Cardinality(constraint) => program.count(constraint, Some(soft.weight)),
                Body::Linear(linear) => program.weigh(linear, Some(soft.weight)),
            }
        }
        let clause = |clause: &[Lit]| Constraint::clause(clause.iter().copied().collect::<BTreeSet<Lit>>());
        query.fixed.iter().for_each(|&literal| program.count(&clause(&[literal]), None));
        query.clauses.iter().for_each(|literals| program.count(&clause(literals), None));
        program
    }

    fn count(&mut self, constraint: &Constraint, price: Option<u64>) {
        let terms: Vec<(i64, Lit)> = constraint.literals().iter().map(|&literal| (1, literal)).collect();
        let ranges = runs(constraint.sums()).into_iter().map(|(least, most)| (least.into(), most.into()));
        self.add(&terms, ranges.collect(), constraint.gate(), price);
    }

    fn weigh(&mut self, linear: &Linear, price: Option<u64>) {
        let range = (linear.min.unwrap_or(i64::MIN), linear.max.unwrap_or(i64::MAX));
        self.add(&linear.terms, vec![range], None, price);
    }

    /// Adds that a sum is in one of some ranges, unless the gate is closed or the price is paid.
    fn add(
        &mut self,
        terms: &[(i64, Lit)],
        mut ranges: Vec<(i64, i64)>,
        gate: Option<Lit>,
        price: Option<u64>,
    ) {
        let least = terms.iter().map(|(weight, _)| weight.min(&0)).sum();
        let most = terms.iter().map(|(weight, _)| weight.max(&0)).sum();
        ranges.iter_mut().for_each(|(low, high)| (*low, *high) = ((*low).max(least), (*high).min(most)));
        ranges.retain(|(low, high)| low <= high);
        if ranges == [(least, most)] {
            return;
        }
        let (row, constant) = self.row(terms);
        if let ([(low, high)], None, None) = (&ranges[..], gate, price) {
            self.rows.add_row(number(low - constant)..=number(high - constant), row);
            return;
        }
        let mut chosen: Vec<Col> = ranges.iter().map(|_| self.rows.add_integer_column(0.0, 0..=1)).collect();
        if let Some(gate) = gate {
            let closed = self.rows.add_integer_column(0.0, 0..=1);
            let (mut both, constant) = self.row(&[(1, gate)]);
            both.push((closed, 1.0));
            self.rows.add_row(..=number(1 - constant), both);
            chosen.push(closed);
            ranges.push((least, most));
        }
        if let Some(price) = price {
            let violated = self.rows.add_integer_column(0.0, 0..=1);
            self.paid.push((violated, price as i64));
            chosen.push(violated);
            ranges.push((least, most));
        }
        self.rows.add_row(1..=1, chosen.iter().map(|&column| (column, 1.0)).collect::<Vec<_>>());
        let bounded = |bound: fn(&(i64, i64)) -> i64| {
            let bounds = chosen.iter().zip(&ranges).map(|(&column, range)| (column, -number(bound(range))));
            row.iter().copied().chain(bounds).collect::<Vec<(Col, f64)>>()
        };
        self.rows.add_row(number(-constant).., bounded(|range| range.0));
        self.rows.add_row(..=number(-constant), bounded(|range| range.1));
    }

    /// A sum over columns, and the constant that negations leave: `c (not x) = c - c x`.
    fn row(&self, terms: &[(i64, Lit)]) -> (Vec<(Col, f64)>, i64) {
        let sign = |literal: Lit| if literal.is_negated() { -1 } else { 1 };
        let column = |literal: Lit| self.variables[literal.var().index()];
        let row = terms.iter().map(|&(weight, literal)| (column(literal), number(sign(literal) * weight)));
        let constants = terms.iter().filter(|(_, literal)| literal.is_negated()).map(|(weight, _)| weight);
        (row.collect(), constants.sum())
    }

    /// Solves the program: nothing if it has no solution.
    fn solve(self, budget: &Budget) -> Result<Option<Solved>, ReasonError> {
        let failed = |message: String| ReasonError::Backend { backend: Highs::NAME, message };
        let status = |status: HighsStatus| failed(format!("{status:?}"));
        let mut model = self.rows.try_optimise(Sense::Minimise).map_err(status)?;
        // With presolve HiGHS 1.15 calls some small feasible programs infeasible, whatever the tolerances;
        // ERGO-Code/HiGHS#3090 is a report of the kind.
        for option in ["presolve", "parallel"] {
            model.try_set_option(option, "off").map_err(|error| failed(error.to_string()))?;
        }
        // A heuristic that spends a fixed time looking for what, in a conflict, is not there.
        let jump = model.try_set_option("mip_heuristic_run_feasibility_jump", false);
        jump.map_err(|error| failed(error.to_string()))?;
        let mut numbers = vec![
            ("mip_rel_gap", 0.0),
            ("mip_abs_gap", 0.0),
            ("mip_feasibility_tolerance", 1e-9),
            ("primal_feasibility_tolerance", 1e-9),
        ];
        if let Some(deadline) = budget.deadline {
            let left = deadline.saturating_duration_since(Instant::now());
            // Long enough to find out that there is nothing to do.
            numbers.push(("time_limit", left.as_secs_f64().max(1e-3)));
        }
        for (option, value) in numbers {
            model.try_set_option(option, value).map_err(|error| failed(error.to_string()))?;
        }
        let solved = model.try_solve().map_err(status)?;
        match solved.status() {
            HighsModelStatus::Infeasible | HighsModelStatus::UnboundedOrInfeasible => Ok(None),
            HighsModelStatus::Optimal | HighsModelStatus::ReachedTimeLimit => {
                let has_values = solved.primal_solution_status() == HighsSolutionStatus::Feasible;
                let solution = solved.get_solution();
                let values = self.variables.iter().map(|&column| solution[column] > 0.5);
                let values = has_values.then(|| values.collect());
                Ok(Some(Solved { model: solved, values }))
            }
            other => Err(failed(format!("it ended with {other:?}"))),
        }
    }
}

/// A number within the capacity as a double, which has it exactly.
fn number(number: i64) -> f64 {
    number as f64
}
