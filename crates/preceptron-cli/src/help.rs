//! Help texts: a short one of what most people need, and a long one of everything.
//!
//! `--help` is one screen; `--help=all` has all options, in sections, with what each of their values means.

use std::ffi::OsString;

use clap::{Arg, ArgAction, Command};

use crate::fitted::fitted;

/// Columns of a help text.
pub const WIDTH: usize = 80;

/// What is typed for a long help text, as the parser takes it.
const ALL: &str = "help-all";

/// What was typed, with `--help=all` and `help COMMAND [--all]` as the parser takes them.
pub fn understood(mut words: Vec<OsString>) -> Vec<OsString> {
    let is_help = words.get(1).is_some_and(|word| word == "help");
    if is_help {
        words.remove(1);
        let all = words.iter().position(|word| word == "--all");
        let asked = match all {
            Some(place) => {
                words.remove(place);
                "--help=all"
            }
            None => "--help",
        };
        words.push(asked.into());
    }
    for word in words.iter_mut().filter(|word| *word == "--help=all") {
        *word = format!("--{ALL}").into();
    }
    words
}

/// The command and all below it with both help texts.
pub fn with_help(command: Command) -> Command {
    let is_long = command.get_arguments().any(|argument| argument.is_hide_short_help_set());
    let about = if is_long { "Print this; --help=all shows all options" } else { "Print help" };
    let short = Arg::new("help").short('h').long("help").action(ArgAction::HelpShort).help(about);
    let long = Arg::new(ALL).long(ALL).action(ArgAction::HelpLong).hide(true);
    let below = command.get_after_help().map(|text| fitted(&text.to_string(), WIDTH));
    let command = match below {
        Some(text) => command.after_help(text),
        None => command,
    };
    let command = command.disable_help_flag(true).disable_help_subcommand(true);
    command.arg(short).arg(long).mut_subcommands(with_help)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::error::ErrorKind;
    use preceptron::AnyTask;
    use preceptron_tasks::TASKS;

    fn words(line: &str) -> Vec<OsString> {
        understood(line.split(' ').map(OsString::from).collect())
    }

    #[test]
    fn ways_to_ask_for_help() {
        let own = format!("train {}", TASKS[0].name());
        assert_eq!(words(&format!("precept help {own}")), words(&format!("precept {own} --help")));
        assert_eq!(words(&format!("precept help {own} --all")), words(&format!("precept {own} --help=all")));
        assert_eq!(words("precept help"), words("precept --help"));
        let asked = |line: &str| crate::program(None).try_get_matches_from(words(line)).unwrap_err().kind();
        assert_eq!(asked(&format!("precept {own} --help=all")), ErrorKind::DisplayHelp);
        assert_eq!(asked("precept help"), ErrorKind::DisplayHelp);
    }

    /// Every command of the program, without a run and with one of each task, by its words.
    fn all_commands() -> Vec<(Vec<String>, Command, Option<&'static dyn AnyTask>)> {
        fn below(
            command: &Command,
            path: &[String],
            task: Option<&'static dyn AnyTask>,
            all: &mut Vec<(Vec<String>, Command, Option<&'static dyn AnyTask>)>,
        ) {
            all.push((path.to_vec(), command.clone(), task));
            for inner in command.get_subcommands() {
                below(inner, &[path, &[inner.get_name().to_owned()]].concat(), task, all);
            }
        }
        let mut all = Vec::new();
        for task in TASKS.iter().map(|task| Some(*task)).chain([None]) {
            let mut program = crate::program(task);
            program.build();
            below(&program, &["precept".to_owned()], task, &mut all);
        }
        all
    }

    /// The short help text and the long one.
    fn texts(command: &Command) -> [String; 2] {
        let mut command = command.clone().term_width(WIDTH);
        [command.render_help().to_string(), command.render_long_help().to_string()]
    }

    #[test]
    fn no_line_is_too_long() {
        let mut long = Vec::new();
        for (path, command, _) in all_commands() {
            // Text below that the parser would wrap would be ragged, though its lines fit.
            let below = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            for line in texts(&command).iter().flat_map(|text| text.lines()).chain(below.lines()) {
                if line.chars().count() > WIDTH {
                    long.push(format!("{}: {line}", path.join(" ")));
                }
            }
        }
        long.sort();
        long.dedup();
        assert!(long.is_empty(), "{}", long.join("\n"));
    }

    /// So that it can be seen at once in a window of common size.
    #[test]
    fn every_help_is_one_screen() {
        for (path, command, _) in all_commands() {
            let lines = texts(&command)[0].lines().count();
            assert!(lines <= 70, "{}: {lines} lines", path.join(" "));
        }
    }

    #[test]
    fn training_has_one_screen_of_help() {
        for task in TASKS {
            let path = ["precept".to_owned(), "train".to_owned(), task.name().to_owned()];
            let found = all_commands().into_iter().find(|(known, ..)| *known == path);
            let (_, command, _) = found.expect("a command for each task");
            let [short, long] = texts(&command);
            assert!(short.lines().count() <= 70, "{}: {} lines\n{short}", task.name(), short.lines().count());
            let mut flags = task.flags(preceptron::Verb::Train);
            flags.retain(|flag| !flag.is_positional());
            let shown = |text: &str| {
                flags
                    .iter()
                    .filter(|flag| {
                        text.contains(&format!("--{} ", flag.long()))
                            || text.contains(&format!("--{}\n", flag.long()))
                    })
                    .count()
            };
            assert!(shown(&short) <= 18, "{}", task.name());
            assert_eq!(shown(&long), flags.len(), "{}", task.name());
        }
    }

    /// The words of an example as a shell makes them: without what follows it in words, and what it is piped to.
    fn example(line: &str) -> Vec<OsString> {
        let line = line.trim();
        // The parts of one that goes on in the next line have more than one blank between them.
        let line = line.replace(" \u{1} ", " ");
        let line = &line[..line.find("   ").unwrap_or(line.len())];
        let (mut words, mut word, mut quote) = (Vec::new(), String::new(), false);
        for c in line.chars().chain([' ']) {
            match c {
                '\'' => quote = !quote,
                ' ' if !quote => {
                    if [">", "|", "<"].contains(&word.as_str()) {
                        break;
                    }
                    if !word.is_empty() {
                        words.push(OsString::from(std::mem::take(&mut word)));
                    }
                }
                c => word.push(c),
            }
        }
        crate::commands::with_task_of_file(understood(words))
    }

    /// The command of the program in a line of examples.
    fn command_in(line: &str) -> Option<&str> {
        let line = line.strip_prefix("  ")?;
        let piped = || line.find("| precept ").map(|place| &line[place + 2..]);
        if line.starts_with("precept ") { Some(line) } else { piped() }
    }

    #[test]
    fn examples_are_understood() {
        let mut seen = 0;
        for (path, command, task) in all_commands() {
            let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let text = text.replace(" \\\n    ", " \u{1} ");
            for line in text.lines().filter_map(command_in) {
                let typed = example(line);
                let named = path.iter().find_map(|word| preceptron_tasks::task(word));
                let meant = crate::commands::task_meant(&typed).or(named).or(task);
                let parsed = crate::program(meant).try_get_matches_from(&typed);
                let is_right = match &parsed {
                    Ok(_) => true,
                    Err(error) => error.kind() == ErrorKind::DisplayHelp,
                };
                assert!(is_right, "{}: {line}\n{}", path.join(" "), parsed.unwrap_err());
                seen += 1;
            }
        }
        assert!(seen > 60, "{seen} examples");
    }

    #[test]
    fn defaults_are_those_of_the_settings() {
        for task in TASKS {
            for verb in [preceptron::Verb::Train, preceptron::Verb::Eval, preceptron::Verb::Solve] {
                for flag in task.flags(verb) {
                    let said = flag.help.contains("[default:");
                    assert!(
                        !(said && flag.default.is_some() && flag.takes_value()),
                        "{}: {}",
                        task.name(),
                        flag.name
                    );
                }
            }
        }
        let (_, learn, _) = all_commands()
            .into_iter()
            .find(|(path, ..)| path.last().is_some_and(|name| name == "learn"))
            .expect("a command");
        let text = texts(&learn)[1].split_whitespace().collect::<Vec<_>>().join(" ");
        let settings = preceptron_learn::Settings::default();
        for (flag, default) in [
            ("--seed <N>", settings.seed.to_string()),
            ("--threshold <SHARE>", format!("{}%", 100.0 * settings.threshold)),
            ("--false-alarm <P>", settings.false_alarm.to_string()),
            ("--clause-literals <N>", settings.clause_literals.to_string()),
        ] {
            let from = &text[text.find(flag).expect(flag)..];
            let begun = from.find("[default: ").expect(flag) + "[default: ".len();
            let shown = &from[begun..];
            assert_eq!(&shown[..shown.find(']').expect(flag)], default, "{flag}");
        }
    }
}
