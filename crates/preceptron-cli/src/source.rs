//! Where rules come from: files in any format that is read, and runs.

use std::path::Path;

use anyhow::{Context, bail};
use clap::ArgMatches;
use preceptron::{AnyTask, Run, Verb};
use preceptron_base::{READ, decompress, read_file, read_stream};
use preceptron_logic::Problem;
use preceptron_logic::formats::{self, Format};
use preceptron_tasks as registry;

use crate::flags::given;
use crate::output::failed;

/// The task of a run.
pub fn task_of_run(run: &Run) -> anyhow::Result<&'static dyn AnyTask> {
    let name = run.task();
    registry::task(name).with_context(|| format!("{}: there is no task {name:?}", run.path().display()))
}

/// The rules of a run as a solver takes them: relative ones are put where the flags say.
pub fn of_run(path: &Path, matches: &ArgMatches) -> anyhow::Result<Problem> {
    let run = Run::open(path)?;
    let task = task_of_run(&run)?;
    // Of two runs of different tasks the flags are those of the first.
    let flags: Vec<_> = task.flags(Verb::Ground);
    let typed = match flags.iter().all(|flag| matches.try_get_raw(flag.name).is_ok()) {
        true => given(matches, &flags),
        false => Vec::new(),
    };
    task.ground(&run, &typed).map_err(failed).with_context(|| path.display().to_string())
}

/// Reads a file of rules.
pub fn read_rules(path: &Path) -> anyhow::Result<Problem> {
    read(path, None, &ArgMatches::default())
}

/// Reads rules for what knows Boolean variables alone; rules of whole numbers are refused.
pub fn read(path: &Path, format: Option<Format>, matches: &ArgMatches) -> anyhow::Result<Problem> {
    let problem = read_all(path, format, matches)?;
    if !problem.numbers.is_empty() {
        bail!(
            "{}: has rules of whole numbers, which this does not take; precept rules, check, export and solve --table do",
            path.display()
        );
    }
    Ok(problem)
}

/// Reads rules, those of whole numbers too; the format is the one given, or that of the file's name, or JSON on
/// standard input.
pub fn read_all(path: &Path, format: Option<Format>, matches: &ArgMatches) -> anyhow::Result<Problem> {
    let shown = path.display();
    let (bytes, most) = (&mut Vec::new(), READ.get());
    let format = if path == Path::new("-") {
        let packed = read_stream(std::io::stdin().lock(), most).context("standard input")?;
        *bytes = decompress(packed, most).with_context(|| shown.to_string())?;
        format.or_else(|| "json".parse().ok())
    } else {
        if Run::is_run(path) {
            return of_run(path, matches);
        }
        if path.is_dir() {
            bail!("{shown}: is a directory, neither a file of rules nor a run");
        }
        *bytes = read_file(path, most).map_err(|error| anyhow::anyhow!("{shown}: {error}"))?;
        format.or_else(|| Format::from_path(path))
    };
    let format = format.with_context(|| format!("{shown}: no format is known by that name; say --from"))?;
    let text = String::from_utf8(std::mem::take(bytes))
        .ok()
        .with_context(|| format!("{shown}: is not valid UTF-8"))?;
    let needed = formats::weight(&text, format);
    if needed > most {
        bail!(
            "{shown}: takes about {} MB to be read, and at most {} are used; {}",
            needed >> 20,
            most >> 20,
            READ.raised()
        );
    }
    formats::read(&text, format).with_context(|| shown.to_string())
}
