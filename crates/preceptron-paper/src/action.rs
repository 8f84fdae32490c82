//! `precept bench paper`: measures what is not kept yet, and shows all of it.

use std::io::Write;

use preceptron::{Action, Context, Group, TaskResult};
use preceptron_base::{Control, write_whole};

use crate::plan::units;
use crate::relay::relayed;
use crate::results::{Outcome, Results, STOPPED};
use crate::settings::PaperSettings;
use crate::shown::{page, shown};
use crate::unit::{Measured, Status, Unit};
use crate::work::Bench;

/// The paper's tables and figures.
pub struct Paper;

/// The page in the folder of the results.
const PAGE: &str = "paper.html";

impl Action for Paper {
    const GROUP: Group = Group::Bench;
    const NAME: &'static str = "paper";
    const ABOUT: &'static str = "Every table and figure of the paper: its numbers on the left, ours and its rivals', measured, on the right.";
    const HELP: &'static str = "\
Examples:
  precept bench paper --quick
  precept bench paper --only 4x4,xor --budget 10m --seeds 3
  precept bench paper --only table1 --rows joint,ntr,ndc
  precept bench paper --satnet satnet_10000.csv.xz --rrn rrn_train_180000.csv.xz \\
    --rrn-test rrn_eval_18000.csv.xz --nonograms nonograms_7.csv.xz --budget 2h

Each row has the same CPU time at the most, and says whether it came to rest, made all of its epochs, or was
stopped at the budget. Where files are not named, generated data stand in, and the page says so. What is measured
is kept in OUT/units: the same command goes on where it was stopped, by Ctrl-C or otherwise. OUT/paper.html has
everything on one page, OUT/*.csv the figures.";
    type Settings = PaperSettings;

    fn run(settings: &PaperSettings, out: &mut dyn Write, control: &dyn Control) -> TaskResult<bool> {
        let bench = Bench::new(settings)?;
        let mut results = kept(&bench)?;
        let all = results.units.len();
        for at in 0..all {
            let unit = results.units[at].0;
            if control.is_cancelled() || matches!(results.units[at].1, Outcome::Measured(_)) {
                continue;
            }
            let (own, name) = (bench.clone(), format!("{} of {all}, {unit}", at + 1));
            let outcome = match relayed(&name, control, move |control| own.measure(unit, control)) {
                Ok(Some(measured)) => {
                    writeln!(out, "{}", sentence(&unit, &measured))?;
                    Outcome::Measured(Box::new(measured))
                }
                // What goes wrong in work that is broken off is no fault.
                _ if control.is_cancelled() => Outcome::Missing,
                Ok(None) => Outcome::Missing,
                Err(error) => {
                    writeln!(out, "{unit}: failed: {error}")?;
                    Outcome::Failed(error.to_string())
                }
            };
            out.flush()?;
            results.units[at].1 = outcome;
        }
        show(&bench, &results, out)?;
        let is_whole = results.units.iter().all(|(_, outcome)| matches!(outcome, Outcome::Measured(_)));
        Ok(is_whole)
    }
}

/// All units, with what is kept of them.
fn kept(bench: &Bench) -> TaskResult<Results> {
    let outcome = |unit: Unit| -> TaskResult<(Unit, Outcome)> {
        let kept = bench.kept.measured(&unit, &bench.made_with(&unit))?;
        Ok((unit, kept.map_or(Outcome::Missing, |measured| Outcome::Measured(Box::new(measured)))))
    };
    let units = units(&bench.settings, &bench.scale).into_iter().map(outcome).collect::<TaskResult<_>>()?;
    Ok(Results { units })
}

/// A unit in a line.
fn sentence(unit: &Unit, measured: &Measured) -> String {
    let course = &measured.course;
    format!("{unit}: {} after {:.1} CPU-s", course.status.words(), course.cpu_seconds)
}

/// Prints the tables, and writes the page and the files.
fn show(bench: &Bench, results: &Results, out: &mut dyn Write) -> TaskResult<()> {
    let all = shown(bench, results);
    for remark in bench.scale.remarks() {
        writeln!(out, "\n{remark}")?;
    }
    let is_stopped =
        |outcome: &Outcome| matches!(outcome, Outcome::Measured(one) if one.course.status == Status::Budget);
    if results.units.iter().any(|(_, outcome)| is_stopped(outcome)) {
        writeln!(out, "\nBehind figures of training that was stopped at the budget stands {STOPPED}.")?;
    }
    let folder = &bench.settings.out;
    for one in &all {
        one.print(out)?;
        one.write_csv(folder)?;
    }
    let path = folder.join(PAGE);
    write_whole(&path, page(bench, results, &all).as_bytes()).context(path.display())?;
    let missing = results.units.iter().filter(|(_, outcome)| matches!(outcome, Outcome::Missing)).count();
    writeln!(out, "\nAll of it on one page: {}", path.display())?;
    if missing > 0 {
        let all = results.units.len();
        writeln!(out, "{missing} of {all} units are not measured yet; the same command goes on with them.")?;
    }
    Ok(())
}
