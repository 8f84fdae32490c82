//! `precept learn`: rules from a table.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail};
use clap::Args;
use preceptron::{Schedule, TableLearner, Training, train};
use preceptron_base::Control;
use preceptron_learn::{Checked, DropReason, Given, Learned, SearchEnd, Table};
use preceptron_logic::{Family, Origin, json, lift};

use crate::YesNo;
use crate::interrupt::{self, MORE_PATIENCE};
use crate::output::Destination;
use crate::present::{self, constraint_line, count, percentage};
use crate::progress::Progress;
use crate::settings_arguments::SettingsArguments;
use crate::source;
use crate::table_arguments::TableArguments;

/// Learn the rules that hold in a table of examples.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept learn shifts.csv
  precept learn shifts.csv --out rules.json --threshold 95%
  precept learn shifts.csv --given contract.opb --given-soft
  precept learn sudoku.npy --names names.txt --derive 'box = 3*((row-1)/3) + (column-1)/3 + 1'
  zcat big.csv.gz | precept learn - --json > learned.json

Ctrl-C ends the search; what was found until then is shown and written.
Exit codes: 0 rules found, 1 no rule found, 2 error.")]
pub struct Arguments {
    /// Write the rules to this file, as JSON.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite the file.
    #[arg(long, requires = "out")]
    force: bool,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
    /// How many families, single rules and dropped candidates to list.
    #[arg(long, value_name = "N", default_value_t = 40, hide_short_help = true)]
    show: usize,
    /// List the candidates that were dropped, with the reasons.
    #[arg(long, hide_short_help = true)]
    dropped: bool,
    /// Rules that are known, in any format that is read: they are kept, and what they imply is not learned.
    #[arg(long, value_name = "FILE")]
    given: Option<PathBuf>,
    /// Drop a given rule if the table violates it more often than the threshold allows.
    #[arg(long, requires = "given", hide_short_help = true)]
    given_soft: bool,
    /// How many threads to use; the result does not depend on it [default: all cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), hide_short_help = true)]
    threads: Option<u16>,
    #[command(flatten)]
    table: TableArguments,
    #[command(flatten)]
    settings: SettingsArguments,
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<YesNo> {
    let settings = arguments.settings.settings()?;
    let destination =
        arguments.out.as_deref().map(|path| Destination::check(path, arguments.force)).transpose()?;
    let interrupted = interrupt::flag_or(MORE_PATIENCE, || {
        "stopped in the midst of a search, and what it had found is lost".to_owned()
    })?;
    let table = arguments.table.read()?;
    let given = read_given(arguments, &table)?;
    let learned = search(arguments, &table, &given, &settings, interrupted)?;
    // Written before anything is printed: a reader that closes the pipe must not cost the file.
    if let Some(destination) = &destination {
        destination.write(json::write(&learned.rules).as_bytes())?;
    }
    let families = lift(&learned.rules);
    if arguments.json {
        let source = arguments.table.shown();
        let object = present::json::learned(&source, &table, &learned, &families, arguments.dropped)?;
        serde_json::to_writer(&mut *out, &object)?;
        writeln!(out)?;
    } else {
        print(arguments, &table, &learned, &families, out)?;
    }
    let found = learned.rules.rules().iter().any(|rule| matches!(rule.origin, Origin::Learned { .. }));
    Ok(if found { YesNo::Yes } else { YesNo::No })
}

/// The given rules, over the table's variables.
fn read_given(arguments: &Arguments, table: &Table) -> anyhow::Result<Given> {
    let Some(path) = &arguments.given else { return Ok(Given::default()) };
    let shown = path.display();
    let problem = source::read_rules(path)?;
    if !problem.linear.is_empty() || !problem.soft.is_empty() {
        bail!("{shown}: has weighted or soft constraints; given rules count literals and are hard");
    }
    let rules = problem.rules.over(&table.variables).with_context(|| shown.to_string())?;
    Ok(Given { rules, soft: arguments.given_soft })
}

/// Learns, on as many threads as asked for, and notes in the rules where they come from.
fn search(
    arguments: &Arguments,
    table: &Table,
    given: &Given,
    settings: &Checked,
    interrupted: Arc<AtomicBool>,
) -> anyhow::Result<Learned> {
    let threads = arguments.threads.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let progress = Progress::new(interrupted);
    let mut learner =
        TableLearner::new(&table.variables, &table.examples, settings.clone()).with_given(given.clone());
    let control: &dyn Control = &progress;
    let trained = pool.install(|| train(&mut learner, Training { control, ..Training::default() }));
    progress.finish();
    trained?;
    // Stopped before it began: the search ends at once, with what the encoding says.
    if learner.made() == 0 {
        learner.step(control)?;
    }
    let mut learned = learner.learned().context("the search was interrupted before it began")?;
    let notes = &mut learned.rules.notes;
    let mut note = |key: &str, value: String| notes.insert(key.to_owned(), value);
    note("source", arguments.table.shown());
    if let Some(path) = &arguments.given {
        note("given", path.display().to_string());
    }
    note("examples", table.examples.len().to_string());
    note("settings", serde_json::to_string(&**settings)?);
    note("program", preceptron::PROGRAM.to_owned());
    if learned.report.stop == SearchEnd::Interrupted {
        note("interrupted", "the search was stopped before its end".to_owned());
    }
    Ok(learned)
}

fn print(
    arguments: &Arguments,
    table: &Table,
    learned: &Learned,
    families: &[Family],
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let source = arguments.table.shown();
    let (rows, variables) =
        (count(table.examples.len(), "example"), count(table.variables.len(), "variable"));
    writeln!(out, "{source}: {rows} of {variables}, {} observed", percentage(table.examples.observed()))?;
    const NOTES: usize = 20;
    table.notes.iter().take(NOTES).try_for_each(|note| writeln!(out, "  {note}"))?;
    if table.notes.len() > NOTES {
        writeln!(out, "  ... and {} more such columns", table.notes.len() - NOTES)?;
    }
    if learned.report.stop == SearchEnd::Interrupted {
        writeln!(out, "\nThe search was interrupted; these are the rules found until then.")?;
    }
    let rules = learned.rules.rules();
    let of = |origin: Origin| rules.iter().filter(|rule| rule.origin == origin).count();
    let (encoding, given) = (of(Origin::Encoding), of(Origin::Given));
    print_given(learned, out)?;
    if encoding + given == rules.len() {
        writeln!(out, "\n{}", present::no_rules(learned))?;
    }
    let file = arguments.out.as_ref().map(|path| path.display().to_string());
    if !rules.is_empty() {
        let origins = match (encoding, given) {
            (0, 0) => String::new(),
            (some, 0) => format!(", {some} of them from the encoding"),
            (0, some) => format!(", {some} of them given"),
            (some, others) => format!(", {some} of them from the encoding, {others} given"),
        };
        writeln!(out, "\n{} of rank {}{origins}:", count(rules.len(), "rule"), learned.rules.rank())?;
        let all = format!("precept rules {}", file.as_deref().unwrap_or("FILE, after --out FILE"));
        present::list_families(out, &learned.rules, families, arguments.show, &all)?;
    }
    if arguments.dropped {
        print_dropped(learned, arguments.show, out)?;
    }
    writeln!(out, "\nIs this enough data?")?;
    present::verdict(&learned.verdict, &learned.rules)
        .iter()
        .try_for_each(|sentence| writeln!(out, "  {sentence}"))?;
    if let Some(file) = &file {
        writeln!(out, "\nWritten to {file}.")?;
    }
    let steps = present::next_steps(learned, &source, file.as_deref());
    if !steps.is_empty() {
        writeln!(out, "\nNext:")?;
        steps.iter().try_for_each(|step| writeln!(out, "  {step}"))?;
    }
    Ok(())
}

/// The given rules that examples violate: kept, or dropped.
fn print_given(learned: &Learned, out: &mut dyn Write) -> std::io::Result<()> {
    let line = |constraint| constraint_line(learned.rules.variables(), constraint);
    let rules = learned.rules.rules().iter();
    for rule in rules.filter(|rule| rule.origin == Origin::Given && rule.evidence.violated > 0) {
        let (broken, of) = (rule.evidence.violated, count(rule.evidence.examples as usize, "example"));
        writeln!(out, "\nGiven, and violated by {broken} of {of}: {}", line(&rule.constraint))?;
    }
    for dropped in learned.dropped.iter().filter(|dropped| dropped.by == "given") {
        if let DropReason::Violated { support, first } = dropped.reason {
            let (share, first) = (percentage(support), first + 1);
            let line = line(&dropped.constraint);
            writeln!(out, "\nGiven and dropped, as {share} satisfy it and example {first} does not: {line}")?;
        }
    }
    Ok(())
}

fn print_dropped(learned: &Learned, show: usize, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "\n{} dropped:", count(learned.dropped.len(), "candidate"))?;
    for dropped in learned.dropped.iter().take(show) {
        let line = constraint_line(learned.rules.variables(), &dropped.constraint);
        let reason = match dropped.reason {
            DropReason::Violated { support, first } => {
                format!("{} satisfy it; example {} does not", percentage(support), first + 1)
            }
            DropReason::Chance { expected, needed } => {
                format!("could hold by chance: {expected:.2} violations expected, {needed:.2} needed")
            }
            DropReason::Implied => "other rules imply it".to_owned(),
        };
        writeln!(out, "  {line}  ({reason}; {})", dropped.by)?;
    }
    if learned.dropped.len() > show {
        writeln!(out, "  ... and {} more (--show, or --json)", learned.dropped.len() - show)?;
    }
    Ok(())
}
