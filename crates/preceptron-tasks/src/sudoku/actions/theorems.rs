//! `precept bench theorems`: the paper's Proposition 2 and Theorem 2 on the update's own fixed points.
//!
//! Rows of the paper's form are annealed on generated 4 x 4 Sudoku with some wrong digits, so that no row
//! fits without a residual. For each trust region the table says for how many of the rows that came to
//! rest at Boolean points the two conditions hold, how often two rows fell together, and what Theorem 2
//! allows. Its bound is for one given point u; over the points that were reached the bounds are averaged,
//! and summed, the sum being what two rows may fall together with anywhere among these points.

use std::collections::BTreeMap;
use std::io::Write;

use preceptron::{Action, Context, Group, TaskResult};
use preceptron_base::{Control, settings, stream};
use preceptron_learn::row_update::{NEARLY, Projection, RowProblem, RowWeights, SoftConstraints, is_boolean};
use preceptron_learn::theorems::RowLoss;
use preceptron_learn::{Form, Moments, Settings};
use preceptron_logic::{Constraint, RuleSet, Var};
use preceptron_matrix::Mat;
use rand::RngExt;
use serde::Serialize;

use crate::sudoku;

/// Checks Proposition 2 and Theorem 2 of the paper on the update's fixed points.
pub struct Theorems;

settings! {
    /// What is measured.
    pub struct TheoremsSettings {
        /// How many boards to learn from.
        boards: usize = 300, "N";
        /// The share of digits that are wrong.
        wrong: f64 = 0.02, "SHARE" in 0.0..=1.0;
        /// How many rows to anneal.
        rows: u32 = 200, "N" in 2..=100_000;
        /// The weights lambda of the trust region.
        trust_region: Vec<f64> = vec![0.0, 0.0016, 0.01, 0.1, 0.3, 1.0], "WEIGHT,...";
        /// Updates of each row at the most.
        iterations: u32 = 5000, "N";
        /// The seed of boards and centres.
        seed: u64 = 0, "N";
        /// Print one JSON object a line instead of a table.
        json: bool = false;
    }
}

/// One line of the table.
#[derive(Serialize)]
struct Line {
    trust_region: f64,
    /// Whether all rows began at one point; otherwise each at its own centre.
    common_start: bool,
    /// The t of the last update.
    penalty: f64,
    /// Rows that came to rest at a Boolean point.
    at_rest: usize,
    /// Of these, the rows for which the first condition holds, and the second.
    stationary: usize,
    optimal: usize,
    /// The different points, and the true rules among them.
    points: usize,
    true_rules: usize,
    /// The share of pairs of rows that ended at the same point.
    together: f64,
    /// Theorem 2's bound: the mean over the points, and the sum; nothing without a trust region.
    bound_mean: Option<f64>,
    bound_sum: Option<f64>,
}

/// Conditions hold down to this, for rounding.
const ROUNDING: f64 = -1e-9;

impl Action for Theorems {
    const GROUP: Group = Group::Bench;
    const NAME: &'static str = "theorems";
    const ABOUT: &'static str =
        "Check Proposition 2 and Theorem 2 of the paper on the update's fixed points.";
    const HELP: &'static str = "\
Examples:
  precept bench theorems
  precept bench theorems --rows 50 --trust-region 0,0.1 --json

Ctrl-C ends with the lines that are done.";
    type Settings = TheoremsSettings;

    fn run(settings: &TheoremsSettings, out: &mut dyn Write, control: &dyn Control) -> TaskResult<bool> {
        let TheoremsSettings { boards, wrong, rows, .. } = settings;
        let grids = sudoku::generate(2, *boards, settings.seed);
        let grids = sudoku::with_wrong_digits(&grids, *wrong, settings.seed);
        let moments = Moments::of(&sudoku::examples_full(2, &grids));
        let n = moments.variables();
        let quadratic = Mat::from_fn(n, n, |i, j| moments.second(i, j));
        let mean: Vec<f64> = (0..n).map(|i| moments.mean(i)).collect();
        if !settings.json {
            let percent = 100.0 * wrong;
            writeln!(out, "4 x 4 Sudoku, {boards} boards, {percent}% of the digits wrong; {rows} rows")?;
            writeln!(
                out,
                "of the paper's form, pairs of rows and Theorem 2's bound at the points reached\n"
            )?;
            writeln!(out, "{HEADING}")?;
            out.flush()?;
        }
        let truth = sudoku::true_rules(2);
        control.stage("trust regions", 2 * settings.trust_region.len() as u64);
        for common_start in [false, true] {
            for &trust_region in &settings.trust_region {
                if control.is_cancelled() {
                    return Ok(false);
                }
                let line = measure(settings, &quadratic, &mean, trust_region, common_start, &truth)?;
                match settings.json {
                    true => writeln!(out, "{}", serde_json::to_string(&line)?)?,
                    false => writeln!(out, "{}", text(&line))?,
                }
                out.flush()?;
                control.advance(1);
            }
        }
        Ok(true)
    }
}

fn measure(
    settings: &TheoremsSettings,
    quadratic: &Mat,
    mean: &[f64],
    trust_region: f64,
    common_start: bool,
    truth: &RuleSet,
) -> TaskResult<Line> {
    let schedule = Settings {
        form: Form::Paper,
        trust_region: Some(trust_region),
        // Rows cannot become Boolean against the trust region unless t is about twice its weight.
        dc_penalty: Some(0.5 + 3.0 * trust_region),
        iterations: Some(settings.iterations),
        rows: Some(settings.rows),
        ..Settings::default()
    };
    let schedule: RowWeights = schedule.check()?.row_weights();
    let problem = RowProblem::new(quadratic, mean.to_vec(), Projection::Box, &schedule)
        .context("the moments of these boards cannot be factorised")?;
    let (n, rows) = (mean.len(), settings.rows as usize);
    let mut random = stream(settings.seed, "centres for the theorems", 0);
    let mut soft = SoftConstraints::at(Mat::from_fn(n, rows, |_, _| random.random::<f64>()), 1.0);
    if common_start {
        soft.rows = Mat::from_fn(n, rows, |i, _| soft.centres[(i, 0)]);
    }
    let penalty = problem.anneal(&mut soft, &schedule, None);
    let next = problem.update(&soft, penalty);
    let loss = RowLoss { quadratic, linear: mean, trust_region };
    let (mut at_rest, mut stationary, mut optimal) = (0, 0, 0);
    let mut ends: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
    for (row, members) in soft.binarised().into_iter().enumerate() {
        let moved = next.column(row).iter().zip(soft.rows.column(row));
        if !moved.into_iter().all(|(a, b)| is_boolean(*a) && (a - b).abs() < NEARLY) {
            continue;
        }
        let (point, centre) = (boolean(&members, n), soft.centres.column(row));
        at_rest += 1;
        stationary += usize::from(loss.stationarity(&point, centre, penalty) >= ROUNDING);
        optimal += usize::from(loss.optimality(&point, centre) >= ROUNDING);
        *ends.entry(members).or_default() += 1;
    }
    let bound = |members: &Vec<usize>| loss.ln_falling_together(&boolean(members, n), penalty).exp();
    let bound_sum: f64 = ends.keys().map(bound).sum();
    let rule =
        |members: &Vec<usize>| Constraint::exactly(1, members.iter().map(|&v| Var(v as u32).positive()));
    let has_bound = trust_region > 0.0 && !ends.is_empty();
    let pairs = |count: usize| (count * count.saturating_sub(1)) as f64;
    Ok(Line {
        trust_region,
        common_start,
        penalty,
        at_rest,
        stationary,
        optimal,
        points: ends.len(),
        true_rules: ends.keys().filter(|members| truth.contains(&rule(members))).count(),
        together: ends.values().map(|&count| pairs(count)).sum::<f64>() / pairs(rows),
        bound_mean: has_bound.then(|| bound_sum / ends.len() as f64),
        bound_sum: has_bound.then_some(bound_sum),
    })
}

/// The Boolean point with ones at these positions.
fn boolean(members: &[usize], variables: usize) -> Vec<f64> {
    let mut point = vec![0.0; variables];
    members.iter().for_each(|&i| point[i] = 1.0);
    point
}

const HEADING: &str = " lambda  start       t at end  at rest  stationary  optimal  points  true  pairs together  \
                       bound: mean        sum";

fn text(line: &Line) -> String {
    let number = |bound: Option<f64>| match bound {
        None => "-".to_owned(),
        Some(bound) if bound >= 0.001 => format!("{bound:.4}"),
        Some(bound) => format!("{bound:.1e}"),
    };
    format!(
        "{:>7}  {:<10} {:>9.4} {:>8} {:>11} {:>8} {:>7} {:>5} {:>15.4} {:>12} {:>10}",
        line.trust_region,
        if line.common_start { "common" } else { "own centre" },
        line.penalty,
        line.at_rest,
        line.stationary,
        line.optimal,
        line.points,
        line.true_rules,
        line.together,
        number(line.bound_mean),
        number(line.bound_sum),
    )
}
