//! `precept export`: rules in the format of a solver.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::{ArgMatches, Args};

use crate::YesNo;
use crate::output::Destination;
use crate::source;
use preceptron_logic::formats::{self, Format};

/// Write rules in the format of a solver.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept export rules.json --format opb              to standard output
  precept export rules.json --out rules.cnf           the format by the file's name")]
pub struct Arguments {
    /// Rules in any format that is read, or a run; `-` is JSON from standard input.
    file: PathBuf,
    /// The format to write: json, opb, wcnf, cnf, smt2, mzn or lp; by the name of --out if left out.
    #[arg(long, short, value_name = "FORMAT")]
    format: Option<Format>,
    /// The format to read, if the file's name does not tell.
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// The file to write, instead of standard output.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite the file.
    #[arg(long, requires = "out")]
    force: bool,
}

pub fn run(arguments: &Arguments, matches: &ArgMatches, out: &mut dyn Write) -> anyhow::Result<YesNo> {
    let format = match (arguments.format, &arguments.out) {
        (Some(format), _) => format,
        (None, Some(path)) => Format::from_path(path)
            .with_context(|| format!("{}: no format is known by that name; say --format", path.display()))?,
        (None, None) => bail!("say which --format to write, or a file with --out"),
    };
    let destination =
        arguments.out.as_deref().map(|path| Destination::check(path, arguments.force)).transpose()?;
    let problem = source::read_all(&arguments.file, arguments.from, matches)?;
    let text = formats::write(&problem, format)
        .with_context(|| format!("{} as {format}", arguments.file.display()))?;
    match destination {
        Some(destination) => destination.write(text.as_bytes())?,
        None => out.write_all(text.as_bytes())?,
    }
    Ok(YesNo::Yes)
}
