//! `precept man`: the manual page, made from the flags.

use std::io::Write;

use anyhow::Context;
use clap::Args;

use crate::YesNo;

/// Print the manual page of the program, or of one command.
#[derive(Args)]
#[command(after_help = "\
Example:
  precept man learn | man -l -")]
pub struct Arguments {
    /// The command; the program itself if none is given.
    command: Option<String>,
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<YesNo> {
    let mut program = crate::program(None);
    program.build();
    let page = match &arguments.command {
        None => program,
        Some(name) => {
            let command = program.find_subcommand(name);
            command
                .with_context(|| format!("there is no command {name:?}"))?
                .clone()
                .display_name(format!("precept-{name}"))
        }
    };
    clap_mangen::Man::new(page).render(&mut &mut *out)?;
    Ok(YesNo::Yes)
}
