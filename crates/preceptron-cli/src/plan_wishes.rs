//! What a plan asks for: values that are fixed, wishes and their weights, and what past plans held.
//!
//! All that past plans held costs less than the least wish, so that it decides only between plans that meet as many.

use anyhow::{Context, bail};
use preceptron_learn::{Plan, Said, Sheet, Wish};
use preceptron_logic::{Lit, Problem};
use preceptron_reason::{Answer, Piece, Query, Reasoner};

use crate::commands::PlanArguments;
use crate::plan::Row;
use crate::present::{count, percentage};

/// Past plans held a value of a column in so large a share at the least.
pub const CLEAR: f64 = 0.75;
/// So many past plans must say what a column held.
pub const FEWEST: usize = 8;

/// A wish: the column of the plan, what is wanted, and how much.
pub struct Wanted {
    pub column: usize,
    pub literal: Lit,
    pub weight: u64,
}

/// What past plans mostly held.
pub struct Habit {
    pub column: usize,
    pub literal: Lit,
    pub held: usize,
    pub of: usize,
}

/// A row while it is filled in.
pub struct Task<'a> {
    pub row: Row<'a>,
    pub fixed: Vec<Lit>,
    pub wishes: Vec<Wanted>,
    /// Columns of the plan that are empty.
    pub open: Vec<usize>,
    pub query: Query,
}

/// A line of a sheet of wishes: the cell, or the column and perhaps the row; the value; its weight, or nothing if it
/// is a must.
pub struct Beside {
    pub place: String,
    pub row: Option<String>,
    pub value: String,
    pub weight: Option<u64>,
    pub from: String,
}

/// The wishes that stand in a sheet of their own.
pub fn beside(sheet: &Sheet) -> anyhow::Result<Vec<Beside>> {
    let mut all = Vec::new();
    for grid in sheet.beside() {
        let Some(used) = grid.used() else { continue };
        let column = |names: &[&str]| {
            (used.left..=used.right).find(|at| {
                names.contains(&grid.get(used.top, *at).to_string().trim().to_lowercase().as_str())
            })
        };
        let place = column(&["cell", "column", "zelle", "spalte"]);
        let value = column(&["value", "wish", "wert", "wunsch"]);
        let (Some(place), Some(value)) = (place, value) else {
            // A sheet of notes may be anything.
            if grid.name.to_lowercase().starts_with("note") {
                continue;
            }
            bail!(
                "{}: sheet {}: expected a header with the columns cell (or column, and row) and value, and perhaps weight",
                sheet.file,
                grid.name
            );
        };
        let (weight, row_at) = (column(&["weight", "gewicht"]), column(&["row", "zeile"]));
        for row in used.top + 1..=used.bottom {
            let text = |at: usize| grid.get(row, at).to_string().trim().to_owned();
            if text(place).is_empty() {
                continue;
            }
            let from = format!("{}: {}", sheet.file, grid.row_words(row));
            let weight = match weight.map(text).unwrap_or_default().to_lowercase().as_str() {
                "" => Some(1),
                "must" | "muss" | "!" => None,
                number => {
                    Some(number.parse::<u64>().ok().filter(|n| (1..1_000_000_000).contains(n)).with_context(
                        || format!("{from}: {number:?} is no weight: a whole number from 1 on, or must"),
                    )?)
                }
            };
            all.push(Beside {
                place: text(place),
                row: row_at.map(text).filter(|text| !text.is_empty()),
                value: text(value),
                weight,
                from,
            });
        }
    }
    Ok(all)
}

/// What a row asks for.
pub fn task<'a>(
    sheet: &'a Sheet,
    known: &'a Plan,
    at: usize,
    problem: &Problem,
    weight_column: Option<usize>,
    beside: &[Beside],
) -> anyhow::Result<Task<'a>> {
    let row = Row::read(sheet, known, at, problem.rules.variables().len(), true);
    let factor = match weight_column.map(|column| &sheet.cells[at][column]) {
        Some(cell) if !cell.word.is_empty() => {
            cell.word.parse::<u64>().ok().filter(|n| *n > 0).with_context(|| {
                format!(
                    "{}: {}: {:?} is no weight: a whole number from 1 on",
                    sheet.file,
                    sheet.row_name(at),
                    cell.raw
                )
            })?
        }
        _ => 1,
    };
    let (mut fixed, mut wishes, mut open) = (Vec::new(), Vec::new(), Vec::new());
    for (column, said) in row.said.iter().enumerate() {
        let cell = &sheet.cells[at][known.columns[column].column];
        match (said, cell.wish) {
            (Said::Value(literal), None | Some(Wish::Must)) => fixed.push(*literal),
            (Said::Value(literal), Some(Wish::May(weight))) => {
                wishes.push(Wanted {
                    column,
                    literal: *literal,
                    weight: weight.saturating_mul(factor).min(1_000_000_000),
                });
                open.push(column);
            }
            (Said::Nothing, _) => open.push(column),
            (Said::Unknown, _) => {
                let words = known.columns[column].words();
                bail!(
                    "{}: {}: {}, which is none of {}",
                    sheet.file,
                    sheet.row_name(at),
                    row.cell_line(column),
                    words.iter().take(8).cloned().collect::<Vec<_>>().join(", ")
                );
            }
        }
    }
    for wish in beside {
        let is_row = wish.row.as_ref().is_none_or(|row| {
            sheet.rows[at].name == *row
                || (sheet.rows[at].at + 1).to_string() == *row
                || sheet.cells[at].iter().any(|cell| cell.raw == *row)
        });
        let named = |column: &usize| {
            let of = &known.columns[*column];
            let is_cell = row.cell_name(*column).eq_ignore_ascii_case(&wish.place);
            is_cell || is_row && (of.name == wish.place || sheet.columns[of.column].name == wish.place)
        };
        let Some(column) = (0..known.columns.len()).find(named) else { continue };
        let cell = preceptron_learn::SheetCell {
            word: wish.value.clone(),
            raw: wish.value.clone(),
            ..Default::default()
        };
        let Said::Value(literal) = known.columns[column].said(&cell, true) else {
            bail!("{}: {:?} is none of {}", wish.from, wish.value, known.columns[column].words().join(", "));
        };
        match wish.weight {
            None => fixed.push(literal),
            Some(weight) => wishes.push(Wanted { column, literal, weight }),
        }
    }
    fixed.sort_unstable();
    fixed.dedup();
    let query = Query { fixed: fixed.clone(), ..Query::default() };
    Ok(Task { row, fixed, wishes, open, query })
}

/// Gives wishes and habits their costs: all habits together cost less than the least wish.
pub fn price(task: &mut Task, habits: &[Habit]) {
    let open: Vec<&Habit> = habits.iter().filter(|habit| task.open.contains(&habit.column)).collect();
    let cost = |habit: &Habit| (10.0 * habit.held as f64 / habit.of as f64).round() as i64;
    let scale = 1 + open.iter().map(|habit| cost(habit)).sum::<i64>();
    task.query.costs.extend(task.wishes.iter().map(|wish| (!wish.literal, wish.weight as i64 * scale)));
    task.query.costs.extend(open.iter().map(|habit| (!habit.literal, cost(habit))));
}

/// What past plans mostly held, and in how many.
pub fn habits(
    path: &std::path::Path,
    own: &PlanArguments,
    problem: &Problem,
    known: &Plan,
    said: &mut Vec<String>,
) -> anyhow::Result<Vec<Habit>> {
    // The past may be another sheet of another file: only what its own name does not say is taken from the plan's.
    let mut options = own.sheet.plan_options(false);
    (options.sheet.range, options.sheet.sheet) = (None, None);
    let past = Sheet::read(path, &options)?;
    let shown = path.display();
    let of_past = Plan::of(&past, problem.rules.variables());
    said.extend(past.said.iter().map(|line| format!("{shown}: {line}")));
    let mut habits = Vec::new();
    let mut unclear = 0;
    for (column, of) in known.columns.iter().enumerate() {
        let Some(same) = of_past.columns.iter().find(|other| other.name == of.name) else { continue };
        let mut held: std::collections::BTreeMap<Lit, usize> = std::collections::BTreeMap::new();
        for cells in &past.cells {
            if let Said::Value(literal) = same.said(&cells[same.column], false) {
                *held.entry(literal).or_default() += 1;
            }
        }
        let of: usize = held.values().sum();
        let most = held.into_iter().max_by_key(|(literal, count)| (*count, std::cmp::Reverse(*literal)));
        match most {
            Some((literal, held)) if of >= FEWEST && held as f64 >= CLEAR * of as f64 => {
                habits.push(Habit { column, literal, held, of });
            }
            _ => unclear += 1,
        }
    }
    said.push(format!(
        "{shown}: {} of {} held one value in at least {} of {}, and prefer it; {unclear} did not",
        habits.len(),
        count(known.columns.len(), "column"),
        percentage(CLEAR),
        count(past.rows.len(), "past plan"),
    ));
    Ok(habits)
}

/// A wish that was given up, and what would break with it.
pub struct GivenUp {
    pub wish: usize,
    pub because: Vec<Piece>,
}

/// What an answer means for a row.
pub struct Report {
    pub given_up: Vec<GivenUp>,
    pub kept: usize,
    pub habits_kept: usize,
    pub habits_of: usize,
}

/// Most wishes whose reason is looked for.
pub const REASONS: usize = 20;

impl Report {
    /// What an answer means, and why each wish that it does not meet cannot be.
    pub fn of(
        task: &Task,
        answer: &Answer,
        habits: &[Habit],
        reasoner: &mut dyn Reasoner,
    ) -> anyhow::Result<Report> {
        let mut report = Report { given_up: vec![], kept: 0, habits_kept: 0, habits_of: 0 };
        let Some(solution) = &answer.solution else { return Ok(report) };
        let kept: Vec<Lit> =
            task.wishes.iter().map(|wish| wish.literal).filter(|literal| solution.holds(*literal)).collect();
        report.kept = kept.len();
        for (number, wish) in task.wishes.iter().enumerate() {
            if solution.holds(wish.literal) {
                continue;
            }
            let mut because = Vec::new();
            if report.given_up.len() < REASONS && !task.query.limits.is_cancelled() {
                let fixed = task.fixed.iter().chain(&kept).copied().chain([wish.literal]).collect();
                let query = Query { fixed, limits: task.query.limits.clone(), ..Query::default() };
                let conflict = reasoner.solve(&query)?.conflict;
                because = conflict.map(|conflict| conflict.pieces).unwrap_or_default();
                because.retain(|piece| *piece != Piece::Fixed(wish.literal));
            }
            report.given_up.push(GivenUp { wish: number, because });
        }
        for habit in habits.iter().filter(|habit| task.open.contains(&habit.column)) {
            report.habits_of += 1;
            report.habits_kept += usize::from(solution.holds(habit.literal));
        }
        Ok(report)
    }
}
