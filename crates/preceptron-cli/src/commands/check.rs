//! `precept check`: which rows of a plan break which rule, and the smallest change that mends each.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;
use clap::{ArgMatches, Args};
use preceptron_base::Control;
use preceptron_learn::{Fill, Plan, Said, Sheet, letters};
use preceptron_logic::numbers::{EncodeError, NumberRules};
use preceptron_logic::{Lit, Problem};
use preceptron_reason::{Backend, Limits, Piece, Query, Reasoner, Status, three_quarters_free};
use serde_json::{Value, json};

use super::solve::seconds;
use crate::YesNo;
use crate::numbers::{self, Places};
use crate::output::Destination;
use crate::plan::{self, Paint, Row};
use crate::present::{count, piece_json, piece_line};
use crate::progress::Progress;
use crate::sheet_arguments::{SheetArguments, say};
use crate::source;

/// Find what in a plan breaks rules, cell by cell, and the smallest change that mends it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept check rules.json plan.xlsx
  precept check rules.json plan.xlsx --out marked.xlsx     with colours and comments
  precept check rules.json plan.csv --pivot nurse,day:shift --example week --json

A cell that is empty breaks no rule; a wish N? is taken for N. The change is the smallest that there is: no fewer cells do.
Written are values: formats and other sheets of the plan are not carried over.
Exit codes: 0 nothing is broken, 1 something is, 2 error.")]
pub struct Arguments {
    /// Rules in any format that is read, or a run.
    rules: PathBuf,
    /// The plan: a workbook (.xlsx, .ods) or a table of text.
    #[arg(value_name = "TABLE")]
    table: PathBuf,
    /// Write the plan with the broken cells in red, those to change in yellow, and a comment on each: .xlsx, or .csv
    /// with the comments in a last column.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite the file.
    #[arg(long, requires = "out")]
    force: bool,
    /// End the search for a row's smallest change after so many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "10")]
    time: Duration,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
    /// How many rows, rules of a row and cells of a rule to list.
    #[arg(long, value_name = "N", default_value_t = 20)]
    show: usize,
    #[command(flatten)]
    sheet: SheetArguments,
}

/// What the file says itself, without what was made of it to mend rows.
struct Own {
    rules: usize,
    linear: usize,
    numbers: NumberRules,
    places: Places,
}

impl Own {
    fn of(problem: &Problem, sheet: &Sheet) -> Own {
        let places = Places::of(sheet, &problem.numbers);
        let (rules, linear) = (problem.rules.len(), problem.linear.len());
        Own { rules, linear, numbers: problem.numbers.clone(), places }
    }

    /// How many rules there are.
    fn len(&self) -> usize {
        self.rules + self.linear + self.numbers.rules.len()
    }

    /// Whether a column of numbers is in the table.
    fn is_there(&self) -> bool {
        self.places.columns.iter().any(Option::is_some)
    }

    /// Whether rules of numbers speak of a column.
    fn has(&self, sheet: &Sheet, name: &str) -> bool {
        sheet.columns.iter().position(|column| column.name == name).is_some_and(|at| self.places.has(at))
    }

    /// The rules of numbers that a row breaks.
    fn broken(&self, sheet: &Sheet, row: usize) -> anyhow::Result<Vec<(usize, Vec<usize>)>> {
        let (values, words) = self.places.row(sheet, &self.numbers, row)?;
        let mut broken = Vec::new();
        for (at, rule) in self.numbers.rules.iter().enumerate() {
            if rule.holds(&values, &words) == Some(false) {
                let columns = numbers::blamed(&rule.claim, &values);
                broken.push((
                    at,
                    columns.into_iter().filter_map(|column| self.places.columns[column]).collect(),
                ));
            }
        }
        Ok(broken)
    }

    fn line(&self, at: usize) -> String {
        self.numbers.line(&self.numbers.rules[at])
    }

    /// A cell and what it holds, by its column in the sheet.
    fn cell_line(&self, row: &Row, column: usize) -> String {
        let cell = &row.sheet.cells[row.row][column];
        let place = match cell.at {
            Some((line, at)) if !row.sheet.grid.is_text() => format!("{}{}", letters(at), line + 1),
            Some((line, _)) => format!("line {}", row.sheet.grid.row_number(line)),
            None => "(no cell)".to_owned(),
        };
        format!("{place} ({}) is {}", row.sheet.columns[column].name, cell.word)
    }
}

/// A change of a cell: its column in the plan, and what it must be; nothing if it does not matter.
struct Change {
    column: usize,
    to: Option<Lit>,
}

/// What was found in a row.
struct Found {
    broken: Vec<(Piece, Vec<usize>)>,
    /// Columns whose value no rule knows.
    odd: Vec<usize>,
    /// Rules of numbers, and the cells to blame as columns of the sheet.
    numbers: Vec<(usize, Vec<usize>)>,
    changes: Option<Vec<Change>>,
    /// Whether no smaller change does.
    is_smallest: bool,
    /// Whether nothing obeys the rules.
    is_hopeless: bool,
}

impl Found {
    fn is_fine(&self) -> bool {
        self.broken.is_empty() && self.odd.is_empty() && self.numbers.is_empty()
    }
}

pub fn run(arguments: &Arguments, matches: &ArgMatches, out: &mut dyn Write) -> anyhow::Result<YesNo> {
    let kind = arguments.out.as_deref().map(plan::check_kind).transpose()?;
    let destination =
        arguments.out.as_deref().map(|path| Destination::check(path, arguments.force)).transpose()?;
    let interrupted = crate::interrupt::flag()?;
    let given = source::read_all(&arguments.rules, None, matches)?;
    let sheet = Sheet::read(&arguments.table, &arguments.sheet.plan_options(true))?;
    let shown = arguments.table.display().to_string();
    // Rules of numbers are checked as they are, and mended on Boolean variables if that is possible.
    let own = Own::of(&given, &sheet);
    let (problem, hopeless) = match given.numbers.is_empty() {
        true => (given, None),
        false => match numbers::encoded_for(&given, &sheet) {
            Ok(problem) => (problem, None),
            Err(error) if error.is::<EncodeError>() => (given, Some(error.to_string())),
            Err(error) => return Err(error.context(shown)),
        },
    };
    let problem = Arc::new(problem);
    let mut plan = Plan::of(&sheet, problem.rules.variables());
    plan.unknown.retain(|name| !own.has(&sheet, name));
    if plan.columns.is_empty() && !own.is_there() {
        let wanted = plan.absent.first().map_or_else(String::new, |name| format!(", such as {name:?}"));
        bail!("{shown}: no column is one of the rules{wanted}; --pivot makes a long table wide");
    }
    let mut said = sheet.said.clone();
    said.extend(plan::misfits(&plan, &problem));
    say(&shown, &said);
    let limits = Limits {
        time: Some(arguments.time),
        memory: three_quarters_free(),
        cancel: Some(interrupted.clone()),
        ..Limits::default()
    };
    let progress = Progress::new(interrupted.clone());
    progress.stage("checking rows", sheet.rows.len() as u64);
    let mut reasoner: Option<Box<dyn Reasoner>> = None;
    let mut all: Vec<(Row, Found)> = Vec::new();
    for row in 0..sheet.rows.len() {
        let row = Row::read(&sheet, &plan, row, problem.rules.variables().len(), false);
        let mut found = broken(&row, &problem, &own);
        found.numbers = own.broken(&sheet, row.row)?;
        if !found.is_fine() && hopeless.is_none() && !limits.is_cancelled() {
            let reasoner = match &mut reasoner {
                Some(reasoner) => reasoner,
                none => none.insert(Backend::default().load(Arc::clone(&problem))?),
            };
            mend(&row, &mut found, &mut **reasoner, &limits)?;
        }
        all.push((row, found));
        progress.advance(1);
    }
    progress.finish();
    let is_fine = all.iter().all(|(_, found)| found.is_fine());
    if let (Some(destination), Some(is_workbook)) = (&destination, kind) {
        let paint = paint(&all, &problem, &own);
        plan::write(
            destination,
            is_workbook,
            &[(sheet.grid.name.clone(), &sheet.grid, &paint)],
            sheet.header,
            "broken",
        )?;
    }
    match arguments.json {
        true => writeln!(out, "{}", as_json(&all, &problem, &own, &sheet, &said, &shown))?,
        false => print(arguments, &all, &problem, &own, hopeless.as_deref(), &sheet, out)?,
    }
    Ok(if is_fine { YesNo::Yes } else { YesNo::No })
}

/// What a row breaks.
fn broken(row: &Row, problem: &Problem, own: &Own) -> Found {
    let rules = problem.rules.rules().iter().enumerate().take(own.rules);
    let rules = rules
        .filter(|(_, rule)| row.breaks(&rule.constraint))
        .map(|(at, rule)| (Piece::Rule(at), row.blamed(&rule.constraint)));
    let linear = problem.linear.iter().enumerate().take(own.linear);
    let linear = linear
        .filter(|(_, linear)| row.breaks_linear(linear))
        .map(|(at, linear)| (Piece::Linear(at), row.blamed_linear(linear)));
    let odd = (0..row.said.len()).filter(|column| row.said[*column] == Said::Unknown).collect();
    Found {
        broken: rules.chain(linear).collect(),
        odd,
        numbers: Vec::new(),
        changes: None,
        is_smallest: false,
        is_hopeless: false,
    }
}

/// Finds the smallest change of a row: each cell that is changed costs 1, and filling in what is empty nothing.
fn mend(row: &Row, found: &mut Found, reasoner: &mut dyn Reasoner, limits: &Limits) -> anyhow::Result<()> {
    let mut query = Query { limits: limits.clone(), explain: false, ..Query::default() };
    for (column, said) in row.plan.columns.iter().zip(&row.said) {
        if let Said::Value(literal) = said {
            query.costs.push((!*literal, 1));
            debug_assert!(!column.others(*literal).is_empty());
        }
    }
    let answer = reasoner.solve(&query)?;
    found.is_smallest = answer.status == Status::Optimal || answer.gap() == Some(0);
    found.is_hopeless = answer.status == Status::Infeasible;
    let Some(solution) = &answer.solution else { return Ok(()) };
    let changes = row.said.iter().enumerate().filter_map(|(column, said)| {
        let to = row.plan.columns[column].value(|var| solution.value(var));
        match said {
            Said::Nothing => None,
            Said::Value(literal) if solution.holds(*literal) => None,
            _ => Some(Change { column, to }),
        }
    });
    found.changes = Some(changes.collect());
    Ok(())
}

/// A change in words: `D5 (work[nurse 1, day 2]) early -> late`.
fn change_line(row: &Row, change: &Change) -> String {
    let of = &row.plan.columns[change.column];
    let from = match row.said[change.column] {
        Said::Value(literal) => of.word(literal),
        _ => format!("{:?}", row.sheet.cells[row.row][of.column].raw),
    };
    let to = change.to.map_or_else(|| "another value".to_owned(), |to| of.word(to));
    format!("{} ({}) {from} -> {to}", row.cell_name(change.column), of.name)
}

/// The value nearest to one that no rule knows.
fn odd_line(row: &Row, column: usize) -> String {
    let of = &row.plan.columns[column];
    let words = of.words();
    let values = words.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
    let more = if words.len() > 8 { ", ..." } else { "" };
    format!("{}, which is none of {values}{more}", row.cell_line(column))
}

fn print(
    arguments: &Arguments,
    all: &[(Row, Found)],
    problem: &Problem,
    own: &Own,
    hopeless: Option<&str>,
    sheet: &Sheet,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let shown = arguments.table.display();
    let rules = count(own.len(), "rule");
    let wrong: Vec<&(Row, Found)> = all.iter().filter(|(_, found)| !found.is_fine()).collect();
    if wrong.is_empty() {
        writeln!(out, "{shown}: all {rules} hold in {}", count(all.len(), "row"))?;
    } else {
        writeln!(
            out,
            "{shown}: {rules} checked in {}, and broken in {}",
            count(all.len(), "row"),
            wrong.len()
        )?;
    }
    let show = arguments.show;
    for (row, found) in wrong.iter().take(show) {
        writeln!(out, "\n{}:", sheet.row_name(row.row))?;
        for column in found.odd.iter().take(show) {
            writeln!(out, "  {}", odd_line(row, *column))?;
        }
        for (piece, columns) in found.broken.iter().take(show) {
            writeln!(out, "  {}", piece_line(problem, *piece))?;
            for column in columns.iter().take(show) {
                writeln!(out, "    {}", row.cell_line(*column))?;
            }
            more(out, "    ", columns.len(), show)?;
        }
        more(out, "  ", found.broken.len(), show)?;
        for (rule, columns) in found.numbers.iter().take(show) {
            writeln!(out, "  {}", own.line(*rule))?;
            for column in columns.iter().take(show) {
                writeln!(out, "    {}", own.cell_line(row, *column))?;
            }
            more(out, "    ", columns.len(), show)?;
        }
        more(out, "  ", found.numbers.len(), show)?;
        match &found.changes {
            None if hopeless.is_some() => {
                writeln!(out, "  what mends it was not looked for: {}", hopeless.unwrap_or_default())?;
            }
            Some(changes) => {
                let how = if found.is_smallest { "" } else { " (perhaps fewer do: the time was over)" };
                writeln!(out, "  mended by {}{how}:", count(changes.len(), "change"))?;
                for change in changes.iter().take(show) {
                    writeln!(out, "    {}", change_line(row, change))?;
                }
                more(out, "    ", changes.len(), show)?;
            }
            None if found.is_hopeless => writeln!(out, "  nothing mends it: the rules cannot all hold")?,
            None => writeln!(out, "  no change was found in time")?,
        }
    }
    if wrong.len() > show {
        writeln!(out, "\n... and {} more (--show)", count(wrong.len() - show, "row"))?;
    }
    if let Some(path) = &arguments.out {
        writeln!(out, "\nWritten to {}.", path.display())?;
    }
    Ok(())
}

fn more(out: &mut dyn Write, indent: &str, all: usize, show: usize) -> std::io::Result<()> {
    match all.saturating_sub(show) {
        0 => Ok(()),
        more => writeln!(out, "{indent}... and {more} more (--show)"),
    }
}

/// The cells to colour, each with its comment.
fn paint(all: &[(Row, Found)], problem: &Problem, own: &Own) -> Paint {
    let mut paint = Paint::new();
    for (row, found) in all {
        for (rule, columns) in &found.numbers {
            let places = columns.iter().filter_map(|column| row.sheet.cells[row.row][*column].at);
            for place in places {
                let painted = paint.entry(place).or_default();
                painted.fill = Fill::Red;
                painted.notes.push(format!("breaks: {}", own.line(*rule)));
            }
        }
        let mut add = |column: usize, fill: Fill, note: String| {
            if let Some(place) = row.place(column) {
                let painted = paint.entry(place).or_default();
                // Red tells more than yellow.
                if painted.fill != Fill::Red {
                    painted.fill = fill;
                }
                if !painted.notes.contains(&note) {
                    painted.notes.push(note);
                }
            }
        };
        for column in &found.odd {
            add(*column, Fill::Red, odd_line(row, *column));
        }
        for (piece, columns) in &found.broken {
            columns.iter().for_each(|column| {
                add(*column, Fill::Red, format!("breaks: {}", piece_line(problem, *piece)))
            });
        }
        for change in found.changes.iter().flatten() {
            add(change.column, Fill::Yellow, format!("smallest change: {}", change_line(row, change)));
        }
    }
    paint
}

fn as_json(
    all: &[(Row, Found)],
    problem: &Problem,
    own: &Own,
    sheet: &Sheet,
    said: &[String],
    shown: &str,
) -> Value {
    let cell = |row: &Row, column: usize| {
        let of = &row.plan.columns[column];
        let value = match row.said[column] {
            Said::Value(literal) => json!(of.word(literal)),
            Said::Unknown => json!(row.sheet.cells[row.row][of.column].raw),
            Said::Nothing => Value::Null,
        };
        let place = row.place(column).map(|(row, column)| json!({ "row": row + 1, "column": column + 1 }));
        json!({ "cell": row.cell_name(column), "at": place, "column": of.name, "value": value })
    };
    let rows = all.iter().filter(|(_, found)| !found.is_fine()).map(|(row, found)| {
        let broken = found.broken.iter().map(|(piece, columns)| {
            let mut object = piece_json(problem, *piece);
            object["cells"] = columns.iter().map(|column| cell(row, *column)).collect();
            object
        });
        let changes = found.changes.as_ref().map(|changes| {
            let change = |change: &Change| {
                let mut object = cell(row, change.column);
                object["to"] = json!(change.to.map(|to| row.plan.columns[change.column].word(to)));
                object
            };
            changes.iter().map(change).collect::<Value>()
        });
        json!({
            "row": sheet.grid.row_number(sheet.rows[row.row].at),
            "name": sheet.row_name(row.row),
            "unknown_values": found.odd.iter().map(|column| cell(row, *column)).collect::<Value>(),
            "broken": broken.collect::<Value>(),
            "broken_numbers": found.numbers.iter().map(|(at, columns)| {
                let cells: Vec<String> = columns.iter().map(|column| own.cell_line(row, *column)).collect();
                json!({ "rule": own.line(*at), "cells": cells })
            }).collect::<Value>(),
            "changes": changes,
            "smallest": found.is_smallest,
        })
    });
    json!({
        "table": { "file": shown, "sheet": sheet.grid.name, "rows": all.len(), "said": said },
        "rules": own.len(),
        "broken_rows": rows.collect::<Value>(),
    })
}
