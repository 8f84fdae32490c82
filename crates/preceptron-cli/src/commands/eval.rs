//! `precept eval`: scores a run on examples that it was not trained on.

use std::io::Write;
use std::path::PathBuf;

use clap::{ArgMatches, Args};
use preceptron::{Run, Verb};

use crate::YesNo;
use crate::flags::given;
use crate::output::print;
use crate::progress::Progress;
use crate::source::task_of_run;

/// Score a run on examples that it was not trained on.
#[derive(Args)]
#[command(
    after_help = "precept eval RUN --help shows the options of the run's task. Examples that were trained on are \
                        never scored."
)]
pub struct Arguments {
    /// The directory of a run.
    run: PathBuf,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments, matches: &ArgMatches, out: &mut dyn Write) -> anyhow::Result<YesNo> {
    let run = Run::open(&arguments.run)?;
    let task = task_of_run(&run)?;
    let progress = Progress::new(crate::interrupt::flag()?);
    let shown = task.evaluate(&run, &given(matches, &task.flags(Verb::Eval)), &progress);
    progress.finish();
    print(out, shown, arguments.json)
}
