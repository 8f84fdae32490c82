//! `precept train`: learns a task's rules and keeps the run.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use preceptron::{Run, TrainRequest, Verb};
use preceptron_base::quoted;
use preceptron_tasks::{TASKS, task};

use crate::YesNo;
use crate::flags::{given, with_flags};
use crate::interrupt::{PATIENCE, flag_or};
use crate::output::{failed, print};
use crate::progress::Progress;

/// What training of any task takes.
#[derive(Args)]
struct Arguments {
    /// The directory of the run [default: runs/NAME-SEED].
    #[arg(long, short, value_name = "DIRECTORY", help_heading = "Run")]
    out: Option<PathBuf>,
    /// Overwrite the run.
    #[arg(long, help_heading = "Run")]
    force: bool,
    /// Go on with a run that was interrupted or killed, with its own settings.
    #[arg(long, value_name = "RUN", conflicts_with_all = ["out", "force"], help_heading = "Run")]
    resume: Option<PathBuf>,
    /// Seconds between two checkpoints.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, help_heading = "Run")]
    save_every: f64,
    /// Print one JSON object instead of text.
    #[arg(long, help_heading = "Run")]
    json: bool,
}

/// The command with a subcommand for each task.
pub fn command() -> Command {
    let command = Command::new("train")
        .about("Train on a task, and keep what was learned as a run")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .after_help(
            "\
Ctrl-C ends training; what was learned until then is kept, and --resume goes on.
Exit codes: 0 trained and rules found, 1 no rule found or interrupted, 2 error.",
        );
    TASKS.iter().fold(command, |command, task| {
        let own = Command::new(task.name()).after_help(task.help(Verb::Train));
        let own = Arguments::augment_args(with_flags(own, &task.flags(Verb::Train), None));
        command.subcommand(own.about(task.about()))
    })
}

/// What is done and said where training does not end by itself after Ctrl-C: a directory that was made for
/// it and has nothing of a run goes; a run that has begun goes on from its last checkpoint.
fn abandoned(task: &str, run: &Path) -> impl Fn() -> String + Clone + Send + 'static {
    let is_new = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
    let made: Vec<PathBuf> = run.ancestors().take_while(is_new).map(Path::to_owned).collect();
    let (task, run) = (task.to_owned(), run.to_owned());
    move || {
        if Run::is_run(&run) {
            let shown = quoted(&run.display().to_string());
            return format!(
                "stopped; precept train {task} --resume {shown} goes on from the last checkpoint"
            );
        }
        Run::give_up(&run);
        made.iter().for_each(|path| drop(std::fs::remove_dir(path)));
        "stopped before the first step of training; nothing was written".to_owned()
    }
}

pub fn run(matches: &ArgMatches, out: &mut dyn Write) -> anyhow::Result<YesNo> {
    let (name, matches) = matches.subcommand().context("no task is named")?;
    let task = task(name).with_context(|| format!("there is no task {name:?}"))?;
    let arguments = Arguments::from_arg_matches(matches)?;
    let save_every = Duration::try_from_secs_f64(arguments.save_every)
        .map_err(|error| anyhow::anyhow!("--save-every {}: {error}", arguments.save_every))?;
    let request = TrainRequest {
        given: given(matches, &task.flags(Verb::Train)),
        out: arguments.out,
        force: arguments.force,
        resume: arguments.resume,
        save_every,
    };
    let path = task.run_path(&request).map_err(failed)?;
    let progress = Progress::new(flag_or(PATIENCE, abandoned(name, &path))?);
    let shown = task.train(&request, &progress);
    progress.finish();
    print(out, shown, arguments.json)
}
