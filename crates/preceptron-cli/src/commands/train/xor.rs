//! `precept train xor`: chained XOR, by auxiliary variables, by elimination, and a control.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use preceptron::{HeldOut, Run, StopReason};
use preceptron_tasks::xor::{Trial, Xor, XorSettings, best, try_methods};
use serde_json::json;

use crate::Answer;
use crate::present::{quoted, xor as show};
use crate::progress::Progress;
use crate::xor_arguments::{AuxiliaryArguments, DataArguments};

/// Chained XOR: strings of bits, and whether the number of ones is odd.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept train xor --length 20
  precept train xor --length 100 --ones 10% --method auxiliary --order authors
  precept train xor --length 100 --irrelevant 50%     only elimination finds which bits matter

Exit codes: 0 rules found, 1 no rule found, 2 error.")]
pub struct Arguments {
    /// How many bits a string has.
    #[arg(long, value_name = "L")]
    length: u32,
    /// The seed of all random choices.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    data: DataArguments,
    /// How many other strings to score the rules on.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    held_out: u32,
    /// The directory of the run [default: runs/xor-LENGTH-SEED].
    #[arg(long, short, value_name = "DIRECTORY")]
    out: Option<PathBuf>,
    /// Overwrite the run.
    #[arg(long)]
    force: bool,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    auxiliary: AuxiliaryArguments,
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let settings = arguments.data.settings(arguments.length, arguments.seed, arguments.auxiliary.settings());
    let checked = settings.check()?;
    let path = arguments
        .out
        .clone()
        .unwrap_or_else(|| PathBuf::from(format!("runs/xor-{}-{}", arguments.length, arguments.seed)));
    Run::check(&path, arguments.force)?;
    let interrupted = crate::interrupt::flag()?;
    let task = Xor::generate(&checked);
    let held_out = task.held_out(HeldOut { count: arguments.held_out as usize, seed: arguments.seed });
    let run = Run::create(&path, "xor", &settings, arguments.force)?;
    let mut metrics = run.metrics()?;
    let progress = Progress::new(interrupted);
    let trials = try_methods(&task, &settings, &held_out, &mut [&mut metrics], &progress)?;
    progress.finish();
    metrics.close().with_context(|| format!("{}: metrics.jsonl cannot be written", path.display()))?;
    let chosen = keep(&run, &settings, &trials)?;
    if arguments.json {
        let object = json!({
            "task": "xor",
            "run": path,
            "settings": settings,
            "relevant": task.relevant().iter().map(|bit| bit.index() + 1).collect::<Vec<_>>(),
            "methods": trials.iter().map(|t| show::trial(&task, t)).collect::<Result<Vec<_>, _>>()?,
            "kept": chosen.map(|trial| trial.method),
        });
        serde_json::to_writer(&mut *out, &object)?;
        writeln!(out)?;
    } else {
        show::print_task(out, &task, settings.ones, settings.seed, held_out.len() as u64)?;
        print(&run, &task, &trials, out)?;
    }
    Ok(if chosen.is_some_and(|trial| !trial.rules.is_empty()) { Answer::Yes } else { Answer::No })
}

/// Writes the rules of each method, and as the run's those of the one that answers the training strings
/// best.
fn keep<'a>(run: &Run, settings: &XorSettings, trials: &'a [Trial]) -> anyhow::Result<Option<&'a Trial>> {
    let chosen = best(trials);
    for trial in trials.iter().filter(|trial| trial.report.is_some()) {
        let mut rules = trial.rules.clone();
        let mut note = |key: &str, value: String| rules.notes.insert(key.to_owned(), value);
        note("source", "precept train xor".to_owned());
        note("method", trial.method.to_owned());
        note("settings", serde_json::to_string(settings)?);
        note("program", format!("precept {}", env!("CARGO_PKG_VERSION")));
        if is_interrupted(trial) {
            note("interrupted", "training was stopped before its end".to_owned());
        }
        run.write_rules(Some(trial.method), &rules)?;
        if chosen.is_some_and(|chosen| chosen.method == trial.method) {
            run.write_rules(None, &rules)?;
        }
    }
    Ok(chosen)
}

fn is_interrupted(trial: &Trial) -> bool {
    trial.report.as_ref().is_some_and(|report| report.stop == StopReason::Interrupted)
}

fn print(run: &Run, task: &Xor, trials: &[Trial], out: &mut dyn Write) -> anyhow::Result<()> {
    if trials.iter().any(is_interrupted) {
        writeln!(out, "\nTraining was interrupted; these are the rules as they were then.")?;
    }
    for trial in trials.iter().filter(|trial| trial.report.is_some()) {
        show::print_trial(out, task, trial)?;
    }
    writeln!(out)?;
    let scores: Vec<_> = trials.iter().map(|trial| (trial.method, trial.on_held_out)).collect();
    show::print_scores(out, &scores)?;
    if let Some(sentence) = show::control_sentence(trials) {
        writeln!(out, "\n{sentence}")?;
    }
    let learned = trials.iter().filter(|trial| trial.report.is_some()).count();
    let kept = match best(trials) {
        Some(best) if learned > 1 => format!("; its rules are those by {}", best.method),
        _ => String::new(),
    };
    let path = run.path().display().to_string();
    writeln!(out, "\nWritten to {path}{kept}.")?;
    writeln!(
        out,
        "\nNext:\n  precept eval {0} --seed 1\n  precept rules {0}\n  precept export {0} --format opb",
        quoted(&path)
    )?;

    Ok(())
}
