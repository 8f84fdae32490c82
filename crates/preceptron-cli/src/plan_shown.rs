//! Plans that were filled in: in words, as JSON, and as a workbook.

use std::io::Write;

use preceptron_learn::{Content, Fill, Grid, Holds, Said, Sheet, Values, Wish, number_of};
use preceptron_logic::{Lit, Problem, Var};
use preceptron_reason::{Answer, Piece, Status};
use serde_json::{Value, json};

use crate::commands::solve;
use crate::output::Destination;
use crate::plan::{self, Paint};
use crate::plan_wishes::{Habit, Report, Task};
use crate::present::count;

/// The columns that were filled in or changed, each with its value.
pub fn filled(task: &Task, answer: &Answer) -> Vec<(usize, Lit)> {
    let Some(solution) = &answer.solution else { return vec![] };
    let value = |column: &usize| {
        let literal = task.row.plan.columns[*column].value(|var: Var| solution.value(var))?;
        Some((*column, literal))
    };
    task.open.iter().filter_map(value).collect()
}

pub fn print(
    arguments: &solve::Arguments,
    answered: &[(Task, Vec<Answer>)],
    reports: &[Vec<Report>],
    problem: &Problem,
    sheet: &Sheet,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let show = arguments.show;
    for ((task, answers), reports) in answered.iter().zip(reports) {
        let cells = count(task.row.said.len(), "cell");
        let wishes = match task.wishes.len() {
            0 => String::new(),
            some => format!(", {}", if some == 1 { "1 wish".to_owned() } else { format!("{some} wishes") }),
        };
        let open = task.open.len();
        writeln!(out, "{}: {cells}, {open} of them open{wishes}", sheet.row_name(task.row.row))?;
        for (number, (answer, report)) in answers.iter().zip(reports).enumerate() {
            let several = if answers.len() > 1 { format!("{}. ", number + 1) } else { String::new() };
            match &answer.solution {
                None => {
                    let line = if answer.status == Status::Infeasible {
                        "nothing obeys all that must hold"
                    } else {
                        "nothing was found in time"
                    };
                    writeln!(out, "  {line}")?;
                    if let Some(conflict) = &answer.conflict {
                        writeln!(
                            out,
                            "  these cannot all hold{}:",
                            if conflict.minimal { "; without any one of them the others can" } else { "" }
                        )?;
                        for piece in conflict.pieces.iter().take(show) {
                            writeln!(out, "    {}", task.row.piece_line(problem, *piece))?;
                        }
                    }
                    continue;
                }
                Some(_) => {
                    let how = if answer.is_conclusive() {
                        "the best there is"
                    } else {
                        "the best that was found in time"
                    };
                    let mut line = format!("  {several}filled in, {how}");
                    if !task.wishes.is_empty() {
                        let of = if task.wishes.len() == 1 { "wish".to_owned() } else { "wishes".to_owned() };
                        line += &format!(": {} of {} {of} met", report.kept, task.wishes.len());
                    }
                    if report.habits_of > 0 {
                        line += &format!(
                            "; {} of {} cells as they mostly were",
                            report.habits_kept, report.habits_of
                        );
                    }
                    writeln!(out, "{line}")?;
                }
            }
            for given in report.given_up.iter().take(show) {
                let wish = &task.wishes[given.wish];
                writeln!(
                    out,
                    "    given up: {} (weight {}), which cannot be with",
                    task.row.literal_line(problem, wish.literal),
                    wish.weight
                )?;
                if given.because.is_empty() {
                    writeln!(out, "      other wishes and what is preferred, taken together")?;
                }
                for piece in given.because.iter().take(show) {
                    writeln!(out, "      {}", task.row.piece_line(problem, *piece))?;
                }
            }
            if arguments.plan.out.is_none() {
                for (_, literal) in filled(task, answer).into_iter().take(show) {
                    writeln!(out, "    {}", task.row.literal_line(problem, literal))?;
                }
                if open > show {
                    writeln!(out, "    ... and {} more (--show, or --out FILE)", open - show)?;
                }
            }
        }
    }
    if let Some(path) = &arguments.plan.out {
        writeln!(out, "\nWritten to {}.", path.display())?;
    }
    Ok(())
}

/// How a value is written in a cell of a column.
pub fn content(sheet: &Sheet, task: &Task, column: usize, literal: Lit) -> Content {
    let of = &task.row.plan.columns[column];
    let word = of.word(literal);
    if let Values::Boolean(_) = of.values {
        let is_true = !literal.is_negated();
        let mark = sheet
            .cells
            .iter()
            .map(|cells| &cells[of.column])
            .find(|cell| cell.word == if is_true { "1" } else { "0" });
        return match (&sheet.columns[of.column].holds, mark) {
            (Holds::Marks, _) if is_true => Content::Text("x".to_owned()),
            (Holds::Marks, _) => Content::Empty,
            (_, Some(cell)) if cell.wish.is_none() && number_of(&cell.raw).is_none() => {
                Content::Text(cell.raw.clone())
            }
            (Holds::Boolean, _) => Content::Text(word),
            _ => Content::Number(f64::from(u8::from(is_true))),
        };
    }
    let is_date =
        word.len() >= 10 && word.as_bytes().get(4) == Some(&b'-') && word.as_bytes().get(7) == Some(&b'-');
    match number_of(&word) {
        Some(number) => Content::Number(number),
        None if is_date => Content::Date(word),
        None => Content::Text(word),
    }
}

/// Writes the plans that were filled in, each as a sheet.
pub fn write(
    destination: &Destination,
    is_workbook: bool,
    sheet: &Sheet,
    answered: &[(Task, Vec<Answer>)],
    reports: &[Vec<Report>],
    wanted: usize,
    problem: &Problem,
) -> anyhow::Result<()> {
    let most = answered.iter().map(|(_, answers)| answers.len()).max().unwrap_or(0).min(wanted);
    let mut plans: Vec<(Grid, Paint)> = Vec::new();
    for number in 0..if is_workbook { most.max(1) } else { 1 } {
        let (mut grid, mut paint) = (sheet.grid.clone(), Paint::new());
        for ((task, answers), reports) in answered.iter().zip(reports) {
            let Some((answer, report)) =
                answers.get(number).or(answers.last()).zip(reports.get(number).or(reports.last()))
            else {
                continue;
            };
            for (column, literal) in filled(task, answer) {
                let Some((row, at)) = task.row.place(column) else { continue };
                grid.set(row, at, content(sheet, task, column, literal));
                paint.entry((row, at)).or_default().fill = Fill::Green;
            }
            // A demand is written without its mark.
            for (column, of) in task.row.plan.columns.iter().enumerate() {
                let cell = &sheet.cells[task.row.row][of.column];
                if let (Some(Wish::Must), Said::Value(literal), Some((row, at))) =
                    (cell.wish, task.row.said[column], cell.at)
                {
                    grid.set(row, at, content(sheet, task, column, literal));
                }
            }
            for given in &report.given_up {
                let wish = &task.wishes[given.wish];
                let Some(place) = task.row.place(wish.column) else { continue };
                let painted = paint.entry(place).or_default();
                painted.fill = Fill::Yellow;
                painted.notes.push(format!(
                    "the wish {} is given up",
                    task.row.plan.columns[wish.column].word(wish.literal)
                ));
                painted.notes.extend(given.because.iter().map(|piece| task.row.piece_line(problem, *piece)));
            }
            if answer.solution.is_none() {
                for piece in answer.conflict.iter().flat_map(|conflict| &conflict.pieces) {
                    let Piece::Fixed(literal) = piece else { continue };
                    let place =
                        task.row.plan.column_of(literal.var()).and_then(|column| task.row.place(column));
                    let Some(place) = place else { continue };
                    let painted = paint.entry(place).or_default();
                    painted.fill = Fill::Red;
                    painted.notes.push("cannot be as the other red cells are".to_owned());
                }
            }
        }
        plans.push((grid, paint));
    }
    let sheets: Vec<(String, &Grid, &Paint)> = plans
        .iter()
        .enumerate()
        .map(|(number, (grid, paint))| match plans.len() {
            1 => (grid.name.clone(), grid, paint),
            _ => (format!("plan {}", number + 1), grid, paint),
        })
        .collect();
    plan::write(destination, is_workbook, &sheets, sheet.header, "given up")
}

pub fn as_json(
    answered: &[(Task, Vec<Answer>)],
    reports: &[Vec<Report>],
    problem: &Problem,
    sheet: &Sheet,
    said: &[String],
    shown: &str,
    habits: &[Habit],
) -> Value {
    let cell = |task: &Task, column: usize, literal: Lit| {
        let of = &task.row.plan.columns[column];
        json!({ "cell": task.row.cell_name(column), "column": of.name, "value": of.word(literal) })
    };
    let rows = answered.iter().zip(reports).map(|((task, answers), reports)| {
        let plans = answers.iter().zip(reports).map(|(answer, report)| {
            let given_up = report.given_up.iter().map(|given| {
                let wish = &task.wishes[given.wish];
                let mut object = cell(task, wish.column, wish.literal);
                object["weight"] = json!(wish.weight);
                object["because"] = given.because.iter().map(|piece| task.row.piece_line(problem, *piece)).collect();
                object
            });
            let conflict = answer.conflict.as_ref().map(|conflict| {
                let pieces: Vec<String> =
                    conflict.pieces.iter().map(|piece| task.row.piece_line(problem, *piece)).collect();
                json!({ "pieces": pieces, "minimal": conflict.minimal })
            });
            json!({
                "status": match answer.status {
                    Status::Optimal => "optimal",
                    Status::Feasible => "feasible",
                    Status::Infeasible => "infeasible",
                    Status::Unknown => "unknown",
                },
                "wishes_met": report.kept,
                "given_up": given_up.collect::<Value>(),
                "as_in_the_past": { "kept": report.habits_kept, "of": report.habits_of },
                "filled": filled(task, answer).into_iter().map(|(column, literal)| cell(task, column, literal)).collect::<Value>(),
                "conflict": conflict,
            })
        });
        json!({
            "row": sheet.rows[task.row.row].at + 1,
            "name": sheet.row_name(task.row.row),
            "wishes": task.wishes.len(),
            "plans": plans.collect::<Value>(),
        })
    });
    let habit = |habit: &Habit| {
        let of = answered.first().map(|(task, _)| &task.row.plan.columns[habit.column]);
        json!({
            "column": of.map(|of| of.name.clone()),
            "value": of.map(|of| of.word(habit.literal)),
            "held": habit.held,
            "of": habit.of,
        })
    };
    json!({
        "table": { "file": shown, "sheet": sheet.grid.name, "said": said },
        "past": habits.iter().map(habit).collect::<Value>(),
        "rows": rows.collect::<Value>(),
    })
}
