//! `precept adapt`: teaches the network of a run by pictures of which nobody says what they show.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

use clap::{ArgMatches, Args, Command};
use preceptron::{AdaptSettings, Run};
use preceptron_base::{Settings, apply};

use crate::YesNo;
use crate::flags::{given, with_flags};
use crate::interrupt::{MORE_PATIENCE, flag_or};
use crate::output::print;
use crate::progress::Progress;
use crate::source::task_of_run;

/// Adapt a run to other handwriting, without an answer: what the rules can still repair teaches the network.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept adapt runs/sudoku-0 photographs --out runs/sudoku-here
  precept adapt runs/sudoku-0 boards/table.csv --rounds 12
  precept adapt runs/squares other-squares --held-out 0.3

PICTURES is a table as `precept train TABLE` and `precept solve RUN ROWS` take it, or a folder with one; for runs
on Sudoku also a folder of photographs of boards. Values in a table judge what came of it, and choose nothing
(--facts lets them help). The run stays as it is; a new one is written.
Exit codes: 0 adapted, 1 nothing was learned or it was interrupted, 2 error.")]
pub struct Arguments {
    /// The directory of a run.
    run: PathBuf,
    /// A table of pictures, or a folder.
    #[arg(value_name = "PICTURES")]
    source: PathBuf,
    /// The directory of the new run [default: RUN-adapted].
    #[arg(long, short, value_name = "DIRECTORY")]
    out: Option<PathBuf>,
    /// Overwrite a run that is there.
    #[arg(long)]
    force: bool,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// The command with the settings of adapting.
pub fn with_settings(command: Command) -> Command {
    with_flags(command, &AdaptSettings::flags(), None)
}

pub fn run(arguments: &Arguments, matches: &ArgMatches, out: &mut dyn Write) -> anyhow::Result<YesNo> {
    let run = Run::open(&arguments.run)?;
    let task = task_of_run(&run)?;
    let mut settings = AdaptSettings::default();
    apply(&mut settings, &given(matches, &AdaptSettings::flags()))?;
    let new = arguments.out.clone().unwrap_or_else(|| {
        let components: PathBuf = arguments.run.components().collect();
        let mut name = OsString::from(components);
        name.push("-adapted");
        PathBuf::from(name)
    });
    let (shown, made) = (new.clone(), !new.exists());
    let leave = move || {
        if made {
            Run::give_up(&shown);
            drop(std::fs::remove_dir(&shown));
        }
        "stopped; nothing was written".to_owned()
    };
    let progress = Progress::new(flag_or(MORE_PATIENCE, leave)?);
    let adapted = task.adapt(&run, &arguments.source, &settings, (&new, arguments.force), &progress);
    progress.finish();
    print(out, adapted, arguments.json)
}
