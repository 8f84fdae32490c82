//! Settings of tasks as flags of commands.

use std::ffi::OsString;
use std::path::Path;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use preceptron::{AnyTask, Run, Verb};
use preceptron_base::{Flag, Given, Kind, kebab};
use preceptron_tasks::{TASKS, task};

/// A flag as an argument.
fn argument(flag: &Flag) -> Arg {
    let help = match &flag.default {
        Some(default) if flag.takes_value() && !flag.help.contains("[default:") => {
            // A long list is broken where a line ends.
            let default = if default.len() > 40 { default.replace(',', ", ") } else { default.clone() };
            format!("{} [default: {default}]", flag.help)
        }
        _ => flag.help.clone(),
    };
    let mut argument = Arg::new(flag.name).help(help);
    if !flag.is_positional() {
        argument = argument.long(flag.long());
    }
    if flag.name == "out" {
        argument = argument.short('o');
    }
    match flag.kind {
        Kind::Switch => return argument.action(ArgAction::SetTrue),
        Kind::Text => (),
        Kind::Choice(choices) => {
            let choices = choices.iter().map(|(word, about)| PossibleValue::new(*word).help(about.trim()));
            argument = argument.value_parser(PossibleValuesParser::new(choices));
        }
    }
    argument = argument.value_name(flag.value.trim_matches(['<', '>'])).allow_negative_numbers(true);
    match flag.missing {
        Some(missing) => argument.num_args(0..=1).default_missing_value(missing),
        None => argument,
    }
}

/// The command with these flags as well, but for those that it has already. Those of a section are in no short
/// help text.
pub fn with_flags(command: Command, flags: &[Flag], heading: Option<&'static str>) -> Command {
    flags.iter().fold(command, |command, flag| {
        let is_there = command.get_arguments().any(|known| known.get_id() == flag.name);
        let heading = flag.section.or(heading);
        let argument = argument(flag).help_heading(heading).hide_short_help(flag.section.is_some());
        if is_there { command } else { command.arg(argument) }
    })
}

/// Which of these flags were typed, and what.
pub fn given(matches: &ArgMatches, flags: &[Flag]) -> Vec<Given> {
    let is_typed = |flag: &&Flag| matches.value_source(flag.name) == Some(ValueSource::CommandLine);
    let typed = flags.iter().filter(is_typed).map(|flag| {
        let text = match flag.takes_value() {
            false => "true".to_owned(),
            true => {
                let raw = matches.get_raw(flag.name).and_then(Iterator::last).unwrap_or_default();
                raw.to_string_lossy().into_owned()
            }
        };
        Given { name: flag.name.to_owned(), text }
    });
    typed.collect()
}

/// The commands that take a run, and for what its task's flags are.
const OF_RUNS: [(&str, &[Verb]); 5] = [
    ("eval", &[Verb::Eval]),
    ("solve", &[Verb::Solve, Verb::Ground]),
    ("export", &[Verb::Ground]),
    ("rules", &[Verb::Ground]),
    ("certify", &[Verb::Ground]),
];

/// For what a command takes flags of a task.
pub fn verbs(command: &str) -> &'static [Verb] {
    match command {
        "train" => &[Verb::Train],
        _ => OF_RUNS.iter().find(|(name, _)| *name == command).map_or(&[], |(_, verbs)| verbs),
    }
}

/// All flags of a task that a command takes.
pub fn of_task(task: &dyn AnyTask, command: &str) -> Vec<Flag> {
    let mut flags: Vec<Flag> = Vec::new();
    for flag in verbs(command).iter().flat_map(|verb| task.flags(*verb)) {
        if !flags.iter().any(|known| known.name == flag.name) {
            flags.push(flag);
        }
    }
    flags
}

/// The task of the first run that is named.
pub fn task_of(words: &[OsString]) -> Option<&'static dyn AnyTask> {
    let run = words.iter().map(Path::new).find(|word| Run::is_run(word))?;
    task(Run::reopen(run).ok()?.task())
}

/// Adds to each command that takes a run the flags of that run's task.
pub fn with_task(mut program: Command, task: &dyn AnyTask) -> Command {
    for (name, verbs) in OF_RUNS {
        let flags = of_task(task, name);
        let help: Vec<&str> =
            verbs.iter().map(|verb| task.help(*verb)).filter(|help| !help.is_empty()).collect();
        program = program.mut_subcommand(name, |command| {
            let command = with_flags(command, &flags, Some("Options of the run's task"));
            if help.is_empty() { command } else { command.after_help(help.join("\n\n")) }
        });
    }
    program
}

/// Where a flag that a command does not take would mean something, in a line; or that there is no such run.
pub fn misplaced(error: &clap::Error, words: &[OsString], task: Option<&dyn AnyTask>) -> Option<String> {
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let command = words.get(1)?.to_str()?;
    let source = words.iter().skip(2).find(|word| !word.to_string_lossy().starts_with('-'));
    if let (None, Some(source), true) = (task, source, OF_RUNS.iter().any(|(name, _)| *name == command))
        && !Path::new(source).exists()
    {
        return Some(format!("{}: no such run", Path::new(source).display()));
    }
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else { return None };
    let name = typed.trim_start_matches('-').split('=').next()?;
    let takes = |other: &&&dyn AnyTask| of_task(**other, command).iter().any(|flag| flag.long() == name);
    let others: Vec<&str> = TASKS.iter().filter(takes).map(|other| other.name()).collect();
    if others.is_empty() {
        return None;
    }
    let (own, of) = match (task, command) {
        (Some(task), "train") => (task.name().to_owned(), "train "),
        (Some(task), _) => (format!("a run of {}", task.name()), "runs of "),
        (None, _) => (format!("precept {command} without a run"), "runs of "),
    };
    Some(format!("--{} is not for {own}; it is for {of}{}", kebab(name), others.join(", ")))
}
