//! Starts the workers of a target, and sums up what they found.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, ExitStatus, Output, Stdio};

use anyhow::Context;
use preceptron_fuzz::{Target, minimise};

use crate::guard::HANG;
use crate::worker::noted;
use crate::{Arguments, keep};

/// The most shorter inputs that are tried for one that ends its process.
const SHORTER: usize = 300;

#[derive(Default)]
struct Sum {
    executions: u64,
    kept: u64,
    slowest: u64,
    outcomes: BTreeSet<String>,
    failures: BTreeSet<String>,
    slow: BTreeSet<String>,
}

/// Tries one target, prints a line about it, and returns how many failures there were.
pub fn oversee(target: &Target, arguments: &Arguments) -> anyhow::Result<usize> {
    let folder = tempfile::tempdir().context("a directory for notes")?;
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let mut workers = Vec::new();
    for number in 0..arguments.workers.unwrap_or(cores) {
        let current = folder.path().join(number.to_string());
        let mut command = program(target, arguments)?;
        command.args(["--seconds", &arguments.seconds.to_string(), "--seed", &arguments.seed.to_string()]);
        command.args(["--worker", &number.to_string(), "--current"]).arg(&current);
        workers.push((command.stdout(Stdio::piped()).spawn().context("a worker")?, current));
    }
    let mut sum = Sum::default();
    for (worker, current) in workers {
        let output = worker.wait_with_output().context("a worker")?;
        if !add(&mut sum, &output) {
            let input = noted(&current)?;
            let (input, ending) = match output.status.code() {
                Some(code) if code == i32::from(HANG) => (input, "hangs".to_owned()),
                _ => fatal(target, arguments, folder.path(), input, output.status),
            };
            let path = keep(target, &input)?;
            sum.failures.insert(format!("{}: {ending}", path.display()));
        }
    }
    let rate = sum.executions / arguments.seconds.max(1);
    println!(
        "{:<10} {:>9} executions {:>7}/s {:>6} kept {:>6} outcomes {:>3} failures {:>6} ms the slowest",
        target.name,
        sum.executions,
        rate,
        sum.kept,
        sum.outcomes.len(),
        sum.failures.len(),
        sum.slowest
    );
    sum.failures.iter().for_each(|failure| println!("  {failure}"));
    sum.slow.iter().for_each(|path| println!("  {path}: slow"));
    if arguments.outcomes {
        sum.outcomes.iter().for_each(|outcome| println!("  {outcome}"));
    }
    Ok(sum.failures.len())
}

/// This program, for this target and with the same limit.
fn program(target: &Target, arguments: &Arguments) -> anyhow::Result<Command> {
    let mut command = Command::new(std::env::current_exe().context("this program")?);
    command.args(["--target", target.name, "--limit-mb", &arguments.limit_mb.to_string()]);
    Ok(command)
}

/// A shorter input at which a process ends as this one did, and how it ended.
fn fatal(
    target: &Target,
    arguments: &Arguments,
    folder: &Path,
    input: Vec<u8>,
    status: ExitStatus,
) -> (Vec<u8>, String) {
    let is_fatal = |input: &[u8]| is_fatal(target, arguments, folder, input);
    match is_fatal(&input) {
        true => {
            (minimise(&input, SHORTER, is_fatal), format!("ends the process ({status}): memory, or stack"))
        }
        // Memory that was lost before it, or the harness's own.
        false => (input, format!("the process ended here ({status}), but this input alone does not end it")),
    }
}

/// Whether a process that runs this input is ended by a signal.
fn is_fatal(target: &Target, arguments: &Arguments, folder: &Path, input: &[u8]) -> bool {
    let file = folder.join("shorter");
    let ended = std::fs::write(&file, input).map_err(anyhow::Error::from).and_then(|()| {
        let mut command = program(target, arguments)?;
        command.arg("--replay").arg(&file).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(command.status()?.code().is_none())
    });
    ended.unwrap_or(false)
}

/// Adds what a worker printed; false if it did not come to its end.
fn add(sum: &mut Sum, output: &Output) -> bool {
    let text = String::from_utf8_lossy(&output.stdout);
    for line in text.lines() {
        match line.split_once(' ') {
            Some(("outcome", outcome)) => drop(sum.outcomes.insert(outcome.to_owned())),
            Some(("failure", failure)) => drop(sum.failures.insert(failure.to_owned())),
            Some(("slow", path)) => drop(sum.slow.insert(path.to_owned())),
            Some(("done", numbers)) => {
                let numbers: Vec<u64> = numbers.split(' ').filter_map(|n| n.parse().ok()).collect();
                let [executions, kept, slowest] = numbers[..] else { return false };
                sum.executions += executions;
                sum.kept += kept;
                sum.slowest = sum.slowest.max(slowest);
                return true;
            }
            _ => {}
        }
    }
    false
}
