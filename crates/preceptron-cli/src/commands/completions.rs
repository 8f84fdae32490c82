//! `precept completions`: what a shell needs to complete the program's flags.

use std::io::Write;

use clap::Args;
use clap_complete::Shell;

use crate::YesNo;

/// Print a completion script for a shell.
#[derive(Args)]
#[command(after_help = "\
Example:
  precept completions bash > ~/.local/share/bash-completion/completions/precept")]
pub struct Arguments {
    /// The shell.
    shell: Shell,
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<YesNo> {
    // The generator panics on a write error, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut crate::program(None), "precept", &mut script);
    out.write_all(&script)?;
    Ok(YesNo::Yes)
}
