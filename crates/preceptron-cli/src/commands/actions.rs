//! `precept data` and `precept bench`: what tasks can do beside training.

use std::io::Write;

use anyhow::Context;
use clap::{ArgMatches, Command};
use preceptron::{AnyAction, Group};
use preceptron_tasks::{TASKS, task};

use crate::YesNo;
use crate::flags::{given, with_flags};
use crate::output::failed;
use crate::progress::Progress;

fn command_of(action: &dyn AnyAction) -> Command {
    let command = Command::new(action.name()).about(action.about()).after_help(action.help());
    with_flags(command, &action.flags(), None)
}

/// All benchmarks: those of tasks, and those that bring several together.
fn benches() -> impl Iterator<Item = &'static dyn AnyAction> {
    preceptron_tasks::benches().chain(preceptron_paper::BENCHES.iter().copied())
}

/// The actions of a task under `precept data`.
fn data_of(task: &str) -> impl Iterator<Item = &'static dyn AnyAction> {
    let all = self::task(task).map_or(&[][..], |task| task.actions());
    all.iter().copied().filter(|action| action.group() == Group::Data)
}

/// `precept data TASK ACTION`.
pub fn data_command() -> Command {
    let command = Command::new("data")
        .about("List, generate, check and draw the data of a task")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .after_help("Exit codes: 0 done and without fault, 1 something is at fault or missing, 2 error.");
    TASKS.iter().filter(|task| data_of(task.name()).next().is_some()).fold(command, |command, task| {
        let own = Command::new(task.name())
            .about(task.about())
            .subcommand_required(true)
            .arg_required_else_help(true);
        command.subcommand(data_of(task.name()).fold(own, |own, action| own.subcommand(command_of(action))))
    })
}

/// `precept bench NAME`.
pub fn bench_command() -> Command {
    let command = Command::new("bench")
        .about("Measure the learner and the reasoner on tasks whose truth is known")
        .subcommand_required(true)
        .arg_required_else_help(true);
    benches().fold(command, |command, bench| command.subcommand(command_of(bench)))
}

fn act(action: &dyn AnyAction, matches: &ArgMatches, out: &mut dyn Write) -> anyhow::Result<YesNo> {
    let progress = Progress::new(crate::interrupt::flag()?);
    let done = action.run(&given(matches, &action.flags()), out, &progress);
    progress.finish();
    Ok(if done.map_err(failed)? { YesNo::Yes } else { YesNo::No })
}

pub fn data(matches: &ArgMatches, out: &mut dyn Write) -> anyhow::Result<YesNo> {
    let (task, matches) = matches.subcommand().context("no task is named")?;
    let (name, matches) = matches.subcommand().context("nothing to do is named")?;
    let action = data_of(task).find(|action| action.name() == name);
    act(action.with_context(|| format!("precept data {task} has no {name:?}"))?, matches, out)
}

pub fn bench(matches: &ArgMatches, out: &mut dyn Write) -> anyhow::Result<YesNo> {
    let (name, matches) = matches.subcommand().context("no benchmark is named")?;
    let bench = benches().find(|bench| bench.name() == name);
    act(bench.with_context(|| format!("there is no benchmark {name:?}"))?, matches, out)
}
