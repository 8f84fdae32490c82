//! The program `fuzz`: campaigns against all readers, each in processes of its own.
//!
//! ```text
//! cargo run --release -p preceptron-fuzz -- --seconds 60 --target opb
//! cargo run --release -p preceptron-fuzz -- --replay fuzz-failures/opb-0a1b2c3d4e5f --target opb
//! ```
//!
//! A worker is a process with a limit on its memory, which the system keeps (`setrlimit`): what asks for
//! more is aborted. It notes each input in a file before it runs it, so that the input at which it ended
//! is known however it ended. Exit codes: 0 nothing failed, 1 something did, 2 error.

mod guard;
mod overseer;
mod worker;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Parser;
use preceptron_fuzz::{Target, targets};

/// Feed random inputs to everything in Preceptron that reads.
#[derive(Clone, Parser)]
struct Arguments {
    /// How long to try each target.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    seconds: u64,
    /// The target to try; all in turn if none is named.
    #[arg(long, value_name = "NAME")]
    target: Option<String>,
    /// The seed of all random numbers.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// How much memory a worker may have, in megabytes of addresses.
    #[arg(long, value_name = "MB", default_value_t = 2048)]
    limit_mb: u64,
    /// How many workers to run at once; as many as there are cores if left out.
    #[arg(long, value_name = "N")]
    workers: Option<u64>,
    /// Print every outcome that there was.
    #[arg(long)]
    outcomes: bool,
    /// Run one input from a file instead, and say what becomes of it.
    #[arg(long, value_name = "FILE", requires = "target")]
    replay: Option<PathBuf>,
    /// Be the worker with this number.
    #[arg(long, hide = true, requires = "current")]
    worker: Option<u64>,
    /// Where a worker notes its input.
    #[arg(long, hide = true)]
    current: Option<PathBuf>,
}

/// Where inputs that fail are kept.
const FAILURES: &str = "fuzz-failures";

fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut chosen = targets();
    if let Some(name) = &arguments.target {
        let names: Vec<&str> = chosen.iter().map(|target| target.name).collect();
        if !names.contains(&name.as_str()) {
            bail!("there is no target {name:?}; there are {}", names.join(", "));
        }
        chosen.retain(|target| target.name == name);
    }
    match (&arguments.replay, arguments.worker, &arguments.current, chosen.pop()) {
        (Some(file), _, _, Some(target)) => {
            let input = std::fs::read(file).with_context(|| file.display().to_string())?;
            guard::limit(arguments.limit_mb)?;
            Ok(worker::replay(target, input))
        }
        (None, Some(number), Some(current), Some(target)) => {
            guard::limit(arguments.limit_mb)?;
            worker::work(target, number, arguments, current)
        }
        (_, _, _, last) => {
            chosen.extend(last);
            let failures = chosen.iter().map(|target| overseer::oversee(target, arguments));
            let failures = failures.sum::<anyhow::Result<usize>>()?;
            Ok(ExitCode::from(u8::from(failures > 0)))
        }
    }
}

fn main() -> ExitCode {
    run(&Arguments::parse()).unwrap_or_else(|error| {
        eprintln!("fuzz: {error:#}");
        ExitCode::from(2)
    })
}

/// Keeps an input that fails, under a name that its content decides.
fn keep(target: &Target, input: &[u8]) -> anyhow::Result<PathBuf> {
    use sha2::{Digest, Sha256};
    let hash: String = Sha256::digest(input).iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    let path = PathBuf::from(FAILURES).join(format!("{}-{hash}", target.name));
    let written = std::fs::create_dir_all(FAILURES).and_then(|()| std::fs::write(&path, input));
    written.with_context(|| path.display().to_string())?;
    Ok(path)
}
