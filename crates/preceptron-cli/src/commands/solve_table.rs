//! `precept solve RULES --table PLAN`: a plan's blanks filled in, by wishes and by what past plans held.
//!
//! A cell that holds a value is fixed, `N!` as well; `N?` is a wish, and costs its weight if it is not met. What past
//! plans held costs less than any wish, so that it only decides between plans that meet as many.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::{ArgMatches, Args};
use preceptron_base::Control;
use preceptron_learn::{Plan, Sheet};
use preceptron_reason::{Answer, k_best};

use super::solve;
use crate::YesNo;
use crate::numbers;
use crate::output::Destination;
use crate::plan;
use crate::plan_shown::{as_json, print, write};
use crate::plan_wishes::{Habit, Report, Task, beside, habits, price, task};
use crate::progress::Progress;
use crate::sheet_arguments::{SheetArguments, say};
use crate::source;

/// A plan to fill in.
#[derive(Args, Clone, Debug)]
pub struct PlanArguments {
    /// Fill in the blanks of a plan (.xlsx, .ods, .csv): a cell N? is a wish (N?3 one of weight 3), N! a must.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Write the plan that was filled in: .xlsx with what is new in green, or .csv.
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Overwrite the file.
    #[arg(long, hide_short_help = true)]
    force: bool,
    /// Past plans: between plans that meet as many wishes, what these mostly held is preferred.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    past: Option<PathBuf>,
    #[command(flatten)]
    pub sheet: SheetArguments,
}

impl PlanArguments {
    /// Whether a plan is to be filled in; an error if what only such a plan has is said without one.
    pub fn is_asked(&self) -> anyhow::Result<bool> {
        if self.table.is_none() {
            for (is_there, flag) in
                [(self.out.is_some(), "--out"), (self.past.is_some(), "--past"), (self.force, "--force")]
            {
                if is_there {
                    bail!("{flag} is for a plan: precept solve RULES --table PLAN");
                }
            }
        }
        Ok(self.table.is_some())
    }
}

pub fn run(arguments: &solve::Arguments, matches: &ArgMatches, out: &mut dyn Write) -> anyhow::Result<YesNo> {
    let own = &arguments.plan;
    let path = own.table.as_deref().context("no plan is named")?;
    if arguments.evidence.is_some() {
        bail!("--evidence does not go with --table, whose cells say what is known");
    }
    let kind = own.out.as_deref().map(plan::check_kind).transpose()?;
    let destination = own.out.as_deref().map(|path| Destination::check(path, own.force)).transpose()?;
    let interrupted = crate::interrupt::flag()?;
    let mut problem = source::read_all(&arguments.source, arguments.from, matches)?;
    let sheet = Sheet::read(path, &own.sheet.plan_options(true))?;
    let shown = path.display().to_string();
    if !problem.numbers.is_empty() {
        problem = numbers::encoded_for(&problem, &sheet).with_context(|| shown.clone())?;
    }
    let problem = Arc::new(problem);
    let known = Plan::of(&sheet, problem.rules.variables());
    if known.columns.is_empty() {
        let wanted = known.absent.first().map_or_else(String::new, |name| format!(", such as {name:?}"));
        bail!("{shown}: no column is one of the rules{wanted}; --pivot makes a long table wide");
    }
    let mut said = sheet.said.clone();
    let weight_column = sheet.columns.iter().position(|column| {
        let name = column.name.to_lowercase();
        matches!(name.as_str(), "weight" | "weights" | "gewicht")
    });
    said.extend(plan::misfits(&known, &problem));
    let habits: Vec<Habit> = match &own.past {
        None => Vec::new(),
        Some(past) => habits(past, own, &problem, &known, &mut said)?,
    };
    say(&shown, &said);
    let limits = arguments.limits(&interrupted);
    let mut reasoner = arguments.backend.load(Arc::clone(&problem))?;
    let beside = beside(&sheet)?;
    let progress = Progress::new(interrupted.clone());
    progress.stage("filling in rows", sheet.rows.len() as u64);
    let wanted = arguments.all.unwrap_or(1) as usize;
    let mut answered: Vec<(Task, Vec<Answer>)> = Vec::new();
    for row in 0..sheet.rows.len() {
        let mut task = task(&sheet, &known, row, &problem, weight_column, &beside)?;
        task.query.limits = limits.clone();
        price(&mut task, &habits);
        let answers = k_best(&mut *reasoner, &task.query, wanted)?;
        answered.push((task, answers));
        progress.advance(1);
    }
    let reports: Vec<Vec<Report>> = answered
        .iter()
        .map(|(task, answers)| {
            answers
                .iter()
                .map(|answer| Report::of(task, answer, &habits, &mut *reasoner))
                .collect::<Result<Vec<_>, _>>()
        })
        .collect::<Result<_, _>>()?;
    progress.finish();
    if let (Some(destination), Some(is_workbook)) = (&destination, kind) {
        write(destination, is_workbook, &sheet, &answered, &reports, wanted, &problem)?;
    }
    match arguments.json {
        true => writeln!(out, "{}", as_json(&answered, &reports, &problem, &sheet, &said, &shown, &habits))?,
        false => print(arguments, &answered, &reports, &problem, &sheet, out)?,
    }
    let is_solved =
        answered.iter().all(|(_, answers)| answers.first().is_some_and(|answer| answer.solution.is_some()));
    Ok(if is_solved { YesNo::Yes } else { YesNo::No })
}
