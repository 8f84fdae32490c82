//! `precept learn`: rules from a table.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail};
use clap::Args;
use preceptron::{Schedule, TableLearner, Training, train};
use preceptron_base::Control;
use preceptron_learn::{Checked, DropReason, Dropped, Given, Learned, SearchEnd, Suspect, Table};
use preceptron_logic::{Family, Origin, json, lift};

use super::learn_numbers;
use super::learn_parts;
use crate::YesNo;
use crate::interrupt::{self, MORE_PATIENCE};
use crate::numbers::{self, NumbersFound, Which};
use crate::output::Destination;
use crate::present::{self, constraint_line, count, percentage};
use crate::progress::Progress;
use crate::settings_arguments::SettingsArguments;
use crate::source;
use crate::table_arguments::TableArguments;

/// Entries that may be wrong, at the most, unless all are asked for.
const SUSPECTS_SHOWN: usize = 10;

/// Learn the rules that hold in a table of examples.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept learn shifts.csv
  precept learn shifts.csv --out rules.json --threshold 95%
  precept learn shifts.csv --given contract.opb --given-soft
  precept learn sudoku.npy --names names.txt --derive 'box = 3*((row-1)/3) + (column-1)/3 + 1'
  zcat big.csv.gz | precept learn - --json > learned.json
  precept learn part-*.parquet        a table in parts, or larger than memory

Ctrl-C ends the search; what was found until then is shown and written.
Exit codes: 0 rules found, 1 no rule found, 2 error.")]
pub struct Arguments {
    /// Write the rules to this file, as JSON.
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Overwrite the file.
    #[arg(long, requires = "out")]
    force: bool,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
    /// How many families, single rules and dropped candidates to list.
    #[arg(long, value_name = "N", default_value_t = 40, hide_short_help = true)]
    show: usize,
    /// List everything: all rules, those of the encoding, and those that others imply.
    #[arg(long)]
    all: bool,
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
    /// Which columns of integers are quantities, whose order and sums rules may speak of: auto, none, or columns, as in
    /// s1,s2 or s*.
    ///
    /// By itself the program takes those in which it finds a rule of order or arithmetic, such as a + 3 <= b or
    /// total = a + b, and those with more values than a category may have. The others are categories.
    #[arg(long, value_name = "auto|none|COLUMNS", default_value = "auto")]
    numbers: Which,
    #[command(flatten)]
    pub table: TableArguments,
    /// More parts of the table: they are read piece by piece, and need not fit into memory.
    ///
    /// Rules are looked for in some of the rows, then counted in all; rows that break a rule join the others until none
    /// does. The result depends neither on the number of parts nor on that of threads.
    #[arg(value_name = "PART")]
    pub more: Vec<PathBuf>,
    /// Read the table piece by piece, and look for rules in so many of its rows; of several parts in
    /// 250000.
    #[arg(long, value_name = "ROWS", value_parser = clap::value_parser!(u64).range(1..), hide_short_help = true)]
    pub closely: Option<u64>,
    #[command(flatten)]
    settings: SettingsArguments,
}

impl Arguments {
    /// Whether the table is read piece by piece.
    fn is_in_parts(&self) -> bool {
        !self.more.is_empty() || self.closely.is_some()
    }

    /// The table's name, to be shown.
    pub fn shown(&self) -> String {
        match self.more.len() {
            0 => self.table.shown(),
            1 => format!("{} and 1 more part", self.table.shown()),
            more => format!("{} and {more} more parts", self.table.shown()),
        }
    }

    /// On how many threads to work.
    pub fn pool(&self) -> anyhow::Result<rayon::ThreadPool> {
        let threads = self.threads.map_or(0, usize::from);
        Ok(rayon::ThreadPoolBuilder::new().num_threads(threads).build()?)
    }
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<YesNo> {
    let settings = arguments.settings.settings()?;
    let destination =
        arguments.out.as_deref().map(|path| Destination::check(path, arguments.force)).transpose()?;
    let interrupted = interrupt::flag_or(MORE_PATIENCE, || {
        "stopped in the midst of a search, and what it had found is lost".to_owned()
    })?;
    let numbers = search_numbers(arguments, &interrupted)?;
    if let Some(numbers) = numbers.as_ref().filter(|numbers| numbers.is_all) {
        return learn_numbers::finish(arguments, numbers, destination.as_ref(), out);
    }
    let (table, mut learned) = match arguments.is_in_parts() {
        true => {
            if arguments.given.is_some() {
                bail!("--given goes with a table that is read at once");
            }
            learn_parts::search(arguments, &settings, interrupted)?
        }
        false => {
            let table = match &numbers {
                Some(numbers) => arguments.table.of_sheet(&numbers.rest)?,
                None => arguments.table.read()?,
            };
            let given = read_given(arguments, &table)?;
            let learned = search(arguments, &table, &given, &settings, interrupted)?;
            (table, learned)
        }
    };
    note_origin(arguments, &settings, &mut learned)?;
    // Written before anything is printed: a reader that closes the pipe must not cost the file.
    if let Some(destination) = &destination {
        destination.write(
            json::write_problem(&learn_numbers::problem(&learned.rules, numbers.as_ref())).as_bytes(),
        )?;
    }
    let families = lift(&learned.rules);
    if arguments.json {
        let source = arguments.shown();
        let mut object = present::json::learned(&source, &table, &learned, &families, arguments.dropped)?;
        if let Some(numbers) = &numbers {
            object["numbers"] = learn_numbers::as_json(numbers)?;
        }
        serde_json::to_writer(&mut *out, &object)?;
        writeln!(out)?;
    } else {
        if let Some(numbers) = &numbers {
            learn_numbers::print(&arguments.shown(), numbers, out)?;
            writeln!(out, "\nOf the other columns:\n")?;
        }
        print(arguments, &table, &learned, &families, numbers.is_some(), out)?;
    }
    let found = numbers.is_some_and(|numbers| !numbers.rules.rules.is_empty())
        || learned.rules.rules().iter().any(|rule| matches!(rule.origin, Origin::Learned { .. }));
    Ok(if found { YesNo::Yes } else { YesNo::No })
}

/// The rules of columns of numbers, if there are such columns.
fn search_numbers(
    arguments: &Arguments,
    interrupted: &Arc<AtomicBool>,
) -> anyhow::Result<Option<NumbersFound>> {
    /// Larger tables are looked at for numbers if they are asked for.
    const MOST_BYTES: u64 = 16 << 20;
    let is_asked = matches!(arguments.numbers, Which::These(_));
    let is_other = arguments.is_in_parts() || arguments.given.is_some() || arguments.table.is_of_categories();
    if is_asked && is_other {
        bail!("--numbers does not go with --given, --binary, --derive, --value-axis or a table in parts");
    }
    let size = std::fs::metadata(&arguments.table.table).map_or(0, |data| data.len());
    if arguments.numbers == Which::None || is_other || !is_asked && size > MOST_BYTES {
        return Ok(None);
    }
    let sheet = match arguments.table.sheet() {
        Ok(Some(sheet)) => sheet,
        Ok(None) if is_asked => bail!("--numbers is for a workbook, or text in a file"),
        Err(error) if is_asked => return Err(error),
        // What is wrong is said where the table is read.
        _ => return Ok(None),
    };
    let progress = Progress::new(interrupted.clone());
    let found = numbers::search(&sheet, &arguments.numbers, 0, &progress);
    progress.finish();
    found
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

/// Learns, on as many threads as asked for.
fn search(
    arguments: &Arguments,
    table: &Table,
    given: &Given,
    settings: &Checked,
    interrupted: Arc<AtomicBool>,
) -> anyhow::Result<Learned> {
    let pool = arguments.pool()?;
    let progress = Progress::new(interrupted).telling();
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
    learner.learned().context("the search was interrupted before it began")
}

/// Notes in the rules where they come from.
fn note_origin(arguments: &Arguments, settings: &Checked, learned: &mut Learned) -> anyhow::Result<()> {
    let notes = &mut learned.rules.notes;
    let mut note = |key: &str, value: String| notes.insert(key.to_owned(), value);
    note("source", arguments.shown());
    if let Some(path) = &arguments.given {
        note("given", path.display().to_string());
    }
    note("examples", learned.verdict.examples.to_string());
    note("settings", serde_json::to_string(&**settings)?);
    note("program", preceptron::PROGRAM.to_owned());
    if learned.report.stop == SearchEnd::Interrupted {
        note("interrupted", "the search was stopped before its end".to_owned());
    }
    Ok(())
}

fn print(
    arguments: &Arguments,
    table: &Table,
    learned: &Learned,
    families: &[Family],
    has_numbers: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let source = arguments.shown();
    let (rows, variables) =
        (count(learned.verdict.examples, "example"), count(table.variables.len(), "variable"));
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
    if rules.len() > encoding || arguments.all && !rules.is_empty() {
        let given = if given > 0 { format!(", {given} of them given") } else { String::new() };
        let beside = if encoding > 0 { format!(" with {encoding} from the encoding") } else { String::new() };
        let number = count(rules.len() - encoding, "rule");
        writeln!(out, "\n{number}{given}, of rank {}{beside}:", learned.rules.rank())?;
        let show = if arguments.all { usize::MAX } else { arguments.show };
        present::list_families(
            out,
            &learned.rules,
            &in_order(learned, families, arguments.all),
            show,
            "--all",
        )?;
        if arguments.all {
            print_implied(learned, out)?;
        }
    }
    present::draw_new_axes(out, learned.rules.variables(), &table.variables)?;
    print_suspects(learned, arguments, out)?;
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
    let mut steps = present::next_steps(learned, &source, file.as_deref());
    if has_numbers {
        steps.iter_mut().for_each(|step| *step = step.replace("--format opb", "--format mzn"));
    }
    if !steps.is_empty() {
        writeln!(out, "\nNext:")?;
        steps.iter().try_for_each(|step| writeln!(out, "  {step}"))?;
    }
    Ok(())
}

/// Entries that may be wrong, those that mend the most rules first.
fn print_suspects(learned: &Learned, arguments: &Arguments, out: &mut dyn Write) -> std::io::Result<()> {
    if learned.threshold == 1.0 {
        return Ok(());
    }
    let mut suspects: Vec<&Suspect> = learned.suspects.iter().collect();
    suspects.sort_by_key(|suspect| (std::cmp::Reverse(suspect.mends), suspect.example));
    let threshold = percentage(learned.threshold);
    let number = count(suspects.len(), "entry").replace("entrys", "entries");
    let wrong = learned.wrong.map_or(String::new(), |share| {
        format!(
            " About {} of all entries seem to be wrong, if each is as often as any other.",
            percentage(share)
        )
    });
    writeln!(out, "\nA rule holds in at least {threshold} of the examples.{wrong} {number} may be wrong:")?;
    let show = if arguments.all { usize::MAX } else { SUSPECTS_SHOWN };
    let (variables, rules) = (learned.rules.variables(), learned.rules.rules());
    for suspect in suspects.iter().take(show) {
        let what = match (suspect.was, suspect.mended) {
            (Some(was), Some(mended)) => {
                format!("{} rather than {}", variables.name(mended), variables.name(was))
            }
            (Some(was), None) => format!("not {}", variables.name(was)),
            (None, Some(mended)) => variables.name(mended).to_owned(),
            (None, None) => continue,
        };
        let rule = rules
            .get(suspect.rule)
            .map_or(String::new(), |rule| constraint_line(variables, &rule.constraint));
        let among = match suspect.among {
            1 => String::new(),
            several => format!("or another of {several}; "),
        };
        writeln!(
            out,
            "  example {}: {what}  ({among}mends {}: {rule})",
            suspect.example + 1,
            count(suspect.mends, "rule")
        )?;
    }
    match suspects.len().saturating_sub(show) {
        0 => Ok(()),
        more => writeln!(out, "  ... and {more} more (--all)"),
    }
}

/// The families to be listed, without those of the encoding unless all are wanted; of single rules those with the
/// fewest literals first.
fn in_order(learned: &Learned, families: &[Family], all: bool) -> Vec<Family> {
    let rules = learned.rules.rules();
    let is_encoding =
        |family: &&Family| family.members.iter().all(|&at| rules[at].origin == Origin::Encoding);
    let mut listed: Vec<Family> = families.iter().filter(|f| all || !is_encoding(f)).cloned().collect();
    listed.sort_by_key(|family| match family.members[..] {
        [one] => (1, rules[one].constraint.len()),
        _ => (0, 0),
    });
    listed
}

/// The candidates that hold and that other rules imply.
fn print_implied(learned: &Learned, out: &mut dyn Write) -> std::io::Result<()> {
    let is_implied = |dropped: &&Dropped| dropped.reason == DropReason::Implied;
    let mut implied = learned.dropped.iter().filter(is_implied).peekable();
    if implied.peek().is_some() {
        writeln!(out, "\nThese hold too, and other rules imply them:")?;
    }
    implied.try_for_each(|dropped| {
        writeln!(out, "  {}", constraint_line(learned.rules.variables(), &dropped.constraint))
    })
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
            DropReason::Rare { like } => {
                format!(
                    "what it forbids may be rare: {} like it occur one to four times",
                    count(like, "pair")
                )
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
