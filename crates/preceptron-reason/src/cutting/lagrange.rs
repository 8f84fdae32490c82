//! Multipliers that make of a bound on the cost and many rows one row that says more than each.
//!
//! ```text
//! cut  + sum lambda_i row_i          lambda_i >= 0
//! slack(lambda) = sum over variables max(0, s_v) - degree        s = weights of the sum
//! ```
//!
//! | symbol | here |
//! |---|---|
//! | `lambda` | `multipliers` |
//! | `s` | `weights` |
//! | what an assignment that makes all of the sum true leaves over in row i | `gradient` |
//!
//! The slack is what a bound of the cost by linear relaxation leaves open (Lagrangian duality). Where it is less
//! than the weight of a literal in the sum, that literal has its value: costs are reduced by what rows ask for.
//! The multipliers are found by subgradient steps and rounded to whole numbers, so that the sum is a step of a proof.

use super::{Code, Cutting, Row};

/// Steps at the most.
const STEPS: usize = 400;

/// At most so many numbers are looked at in all steps.
const PATIENCE: usize = 200_000_000;

/// Fractions of multipliers are kept in steps of one so-manieth, the finest that leaves numbers small.
const SCALES: [i64; 5] = [10_000, 1000, 100, 10, 1];

/// A row as weights of variables and a degree.
fn signed(row: &Row) -> (Vec<(usize, f64)>, f64) {
    let mut degree = row.degree as f64;
    let term = |&(weight, literal): &(i64, Code)| match literal & 1 {
        0 => ((literal >> 1) as usize, weight as f64),
        _ => {
            degree -= weight as f64;
            ((literal >> 1) as usize, -(weight as f64))
        }
    };
    (row.terms.iter().map(term).collect(), degree)
}

/// Multipliers of the rows, and the slack that they leave of the cut; `rows` are not empty.
fn multipliers(variables: usize, cut: &Row, rows: &[&Row]) -> (Vec<f64>, f64) {
    let rows: Vec<_> = rows.iter().map(|row| signed(row)).collect();
    let size: usize = rows.iter().map(|(terms, _)| terms.len()).sum();
    let steps = STEPS.min(PATIENCE / size.max(1)).max(10);
    let (cut, start) = signed(cut);
    let mut lambda = vec![0.0; rows.len()];
    let mut best = (lambda.clone(), f64::INFINITY);
    let (mut pace, mut in_vain) = (1.0, 0);
    for _ in 0..steps {
        let mut weights = vec![0.0; variables];
        let mut degree = start;
        cut.iter().for_each(|(variable, weight)| weights[*variable] += weight);
        for ((terms, asked), lambda) in rows.iter().zip(&lambda) {
            if *lambda > 0.0 {
                terms.iter().for_each(|(variable, weight)| weights[*variable] += lambda * weight);
                degree += lambda * asked;
            }
        }
        let slack = weights.iter().map(|weight| weight.max(0.0)).sum::<f64>() - degree;
        if slack < best.1 - 1e-9 {
            best = (lambda.clone(), slack);
            in_vain = 0;
        } else {
            in_vain += 1;
            if in_vain == 10 {
                (pace, in_vain) = (pace * 0.6, 0);
                lambda.clone_from(&best.0);
            }
        }
        if slack < 0.0 {
            break;
        }
        let left = |(terms, asked): &(Vec<(usize, f64)>, f64)| {
            let sum: f64 = terms.iter().filter(|(v, _)| weights[*v] > 0.0).map(|(_, weight)| weight).sum();
            sum - asked
        };
        let gradient: Vec<f64> = rows.iter().map(left).collect();
        let moves = gradient.iter().zip(&lambda).filter(|(g, l)| **g < 0.0 || **l > 0.0);
        let norm: f64 = moves.map(|(gradient, _)| gradient * gradient).sum();
        if norm < 1e-12 {
            break;
        }
        let step = pace * (slack + 1.0) / norm;
        for (lambda, gradient) in lambda.iter_mut().zip(&gradient) {
            *lambda = (*lambda - step * gradient).max(0.0);
        }
    }
    best
}

impl Cutting<'_, '_> {
    /// Adds the sum of a bound on the cost, which is the row added last, and of the first `count` rows as often as
    /// it takes to leave least slack; whether it says more than the bound alone.
    pub fn reduce_costs(&mut self, count: usize) -> bool {
        let Some(cut) = self.rows.last() else { return false };
        let (bound, number) = (cut.row.clone(), cut.number);
        let rows: Vec<&Row> = self.rows[..count].iter().map(|stored| &stored.row).collect();
        if rows.is_empty() {
            return false;
        }
        let variables = self.value.len();
        let (lambda, slack) = multipliers(variables, &bound, &rows);
        let before = (bound.total() - bound.degree) as f64;
        if slack > 0.999 * before {
            return false;
        }
        for scale in SCALES {
            let rounded: Vec<i64> =
                lambda.iter().map(|lambda| (lambda * scale as f64).round().min(1e15) as i64).collect();
            self.draft.clear();
            let rows =
                rounded.iter().zip(&self.rows).map(|(times, stored)| (*times, &stored.row, stored.number));
            let mut steps = String::new();
            for (times, row, number) in std::iter::once((scale, &bound, number)).chain(rows) {
                if times == 0 {
                    continue;
                }
                self.draft.degree += i128::from(row.degree) * i128::from(times);
                for &(weight, literal) in &row.terms {
                    self.draft.add(i128::from(weight) * i128::from(times), literal);
                }
                let plus = if steps.is_empty() { "" } else { " +" };
                steps.push_str(&format!(" {number} {times} *{plus}"));
            }
            self.draft.saturate();
            let largest = self.draft.terms().map(|(weight, _)| weight).max().unwrap_or(0);
            if let Some(row) = self.draft.row().filter(|_| largest < 1_000_000_000 || scale == 1) {
                let number = self.log.as_deref_mut().map_or(0, |log| log.adds(&format!("pol{steps} s")));
                self.add(row, number);
                return true;
            }
        }
        false
    }
}
