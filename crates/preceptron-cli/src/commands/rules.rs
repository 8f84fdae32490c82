//! `precept rules`: shows rules, explains one, or compares two sets.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{ArgMatches, Args};
use preceptron::{Run, Verb};
use preceptron_logic::formats::Format;
use preceptron_logic::{Origin, Problem, Rule, RuleSet, Sizes, evidence_line, explain, json as files, lift};
use serde_json::json;

use crate::YesNo;
use crate::flags;
use crate::output::{Destination, failed, print};
use crate::present::{self, constraint_line, count};
use crate::source;

/// Show rules, explain one of them, or compare two sets.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept rules rules.json                     families of rules, one line each
  precept rules rules.json --ground            every rule, with its id
  precept rules rules.json --explain 3fa9      the rule whose id begins so
  precept rules rules.json --compare known.opb   the rules that only one of the two has
  precept rules rules.json --at 'row 16, column 16, digit 16' --out large.json

Exit codes: 0 shown, or equal; 1 different; 2 error.")]
pub struct Arguments {
    /// Rules in any format that is read, or a run; `-` is JSON from standard input.
    file: PathBuf,
    /// List families of rules, one line each; this is what is done unless something else is asked for.
    #[arg(long, conflicts_with_all = ["ground", "explain", "compare"])]
    lift: bool,
    /// List every rule by itself, with its id.
    #[arg(long)]
    ground: bool,
    /// Explain the rule with this id, or whose id begins so.
    #[arg(long, value_name = "ID", conflicts_with_all = ["ground", "compare"])]
    explain: Option<String>,
    /// Compare with the rules of another file, by the variables' names.
    #[arg(long, value_name = "FILE", conflicts_with = "ground")]
    compare: Option<PathBuf>,
    /// Put the families on other sizes: 'row 16, column 16, digit 16, box = 4*((row-1)/4) + (column-1)/4 + 1'.
    #[arg(long, value_name = "SIZES", conflicts_with_all = ["explain", "compare"])]
    at: Option<Sizes>,
    /// Write the rules, at their new size, to this file, as JSON.
    #[arg(long, short, value_name = "FILE", requires = "at")]
    out: Option<PathBuf>,
    /// The format to read, if the file's name does not tell.
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
    /// How many families and rules to list [default: all; 40 of each kind in a comparison].
    #[arg(long, value_name = "N")]
    show: Option<usize>,
}

pub fn run(arguments: &Arguments, matches: &ArgMatches, out: &mut dyn Write) -> anyhow::Result<YesNo> {
    let is_plain = !arguments.ground && arguments.explain.is_none() && arguments.compare.is_none();
    // Rules as their run's task names them for a reader.
    let mut named = None;
    if Run::is_run(&arguments.file) {
        let run = Run::open(&arguments.file)?;
        let task = source::task_of_run(&run)?;
        if flags::given(matches, &task.flags(Verb::Ground)).is_empty() {
            if let (true, Some(shown)) = (is_plain, task.rules(&run).map_err(failed)?) {
                return print(out, Ok(shown), arguments.json);
            }
            named = Some(task.for_reader(&run).map_err(failed)?);
        }
    }
    let mut problem = source::read_all(&arguments.file, arguments.from, matches)?;
    if !problem.numbers.is_empty() && (arguments.compare.is_some() || arguments.at.is_some()) {
        bail!(
            "{}: has rules of whole numbers, which --compare and --at do not take",
            arguments.file.display()
        );
    }
    if let Some(sizes) = &arguments.at {
        problem.rules = problem.rules.resized(sizes).with_context(|| arguments.file.display().to_string())?;
        named = None;
        if let Some(path) = &arguments.out {
            Destination::check(path, false)?.write(files::write(&problem.rules).as_bytes())?;
        }
    }
    let named = named.as_ref().unwrap_or(&problem.rules);
    match (&arguments.explain, &arguments.compare) {
        (Some(id), _) => explain_one(arguments, named, id, out),
        (None, Some(other)) => compare(arguments, &problem.rules, other, matches, out),
        (None, None) => list(arguments, &problem, named, out),
    }
}

fn print_json(out: &mut dyn Write, value: &serde_json::Value) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    Ok(writeln!(out)?)
}

fn list(
    arguments: &Arguments,
    problem: &Problem,
    rules: &RuleSet,
    out: &mut dyn Write,
) -> anyhow::Result<YesNo> {
    if arguments.json {
        let mut object = json!({
            "rules": present::json::rules(&problem.rules)?,
            "lifted": present::json::families(rules, &lift(rules)),
            "rank": rules.rank(),
            "equality_rank": rules.equality_rank(),
            "linear": problem.linear.len(),
            "soft": problem.soft.len(),
        });
        if !problem.numbers.is_empty() {
            let lines = problem.numbers.rules.iter().map(|rule| problem.numbers.line(rule));
            object["numbers"] = serde_json::to_value(&problem.numbers)?;
            object["numbers"]["lines"] = lines.collect();
        }
        print_json(out, &object)?;
        return Ok(YesNo::Yes);
    }
    let (shown, total) = (arguments.file.display(), count(rules.len() + rules.relative().len(), "rule"));
    writeln!(
        out,
        "{shown}: {total} over {}; rank {}, of the equalities {}",
        count(rules.variables().len(), "variable"),
        rules.rank(),
        rules.equality_rank()
    )?;
    for (key, value) in rules.notes.iter().filter(|(key, _)| *key != "settings") {
        writeln!(out, "  {key}: {value}")?;
    }
    let beside = [
        (problem.linear.len(), "weighted linear constraint"),
        (problem.soft.len(), "soft constraint"),
        (problem.objective.len(), "term of an objective"),
    ];
    for (number, noun) in beside.into_iter().filter(|(number, _)| *number > 0) {
        writeln!(
            out,
            "  not shown: {}",
            if noun.contains(" of ") { format!("{number} x {noun}") } else { count(number, noun) }
        )?;
    }
    let show = arguments.show.unwrap_or(usize::MAX);
    match arguments.ground && !arguments.lift {
        true => present::list_rules(out, rules.variables(), rules.rules().iter(), show, "--show")?,
        false => present::list_families(out, rules, &lift(rules), show, "--show")?,
    }
    if !problem.numbers.is_empty() {
        let numbers = &problem.numbers;
        writeln!(
            out,
            "{} of whole numbers over {}:",
            count(numbers.rules.len(), "rule"),
            count(numbers.columns.len(), "column")
        )?;
        for line in crate::numbers::lines(numbers).iter().take(show) {
            writeln!(out, "  {line}")?;
        }
    }
    for rule in rules.relative().iter().take(show) {
        writeln!(out, "  {rule}  ({})", evidence_line(&rule.evidence))?;
    }
    Ok(YesNo::Yes)
}

/// The one rule whose id begins with `prefix`.
fn find<'a>(rules: &'a RuleSet, prefix: &str, file: &Path) -> anyhow::Result<&'a Rule> {
    match rules.find_prefix(prefix).as_slice() {
        [rule] => Ok(rule),
        [] => {
            bail!("no rule's id begins with {prefix:?}; precept rules {} --ground lists them", file.display())
        }
        several => {
            let ids: Vec<String> = several.iter().take(10).map(|rule| rule.id().to_string()).collect();
            let more = if several.len() > ids.len() { ", ..." } else { "" };
            bail!("{} rules' ids begin with {prefix:?}: {}{more}", several.len(), ids.join(", "))
        }
    }
}

fn explain_one(
    arguments: &Arguments,
    rules: &RuleSet,
    id: &str,
    out: &mut dyn Write,
) -> anyhow::Result<YesNo> {
    let rule = find(rules, id, &arguments.file)?;
    let explanation = explain(rules.variables(), &rule.constraint);
    if arguments.json {
        let object = json!({
            "id": rule.id().to_string(),
            "sentence": explanation.sentence,
            "drawing": explanation.drawing,
            "evidence": rule.evidence,
            "origin": rule.origin,
        });
        print_json(out, &object)?;
        return Ok(YesNo::Yes);
    }
    writeln!(out, "{}  {}", rule.id(), explanation.sentence)?;
    if let Some(drawing) = &explanation.drawing {
        writeln!(out, "\n{}\n", drawing.trim_end_matches('\n'))?;
    }
    match &rule.origin {
        Origin::Learned { by } => writeln!(out, "Learned ({by}): {}", evidence_line(&rule.evidence))?,
        Origin::Given => writeln!(out, "Given, not learned.")?,
        Origin::Encoding => writeln!(out, "A consequence of how the columns were encoded.")?,
    }
    Ok(YesNo::Yes)
}

fn compare(
    arguments: &Arguments,
    rules: &RuleSet,
    other: &Path,
    matches: &ArgMatches,
    out: &mut dyn Write,
) -> anyhow::Result<YesNo> {
    let reference = source::read(other, None, matches)?.rules;
    let comparison = rules.compare(&reference);
    let answer = if comparison.is_equal() { YesNo::Yes } else { YesNo::No };
    if arguments.json {
        let object = json!({
            "equal": comparison.equal.len(),
            "missing": present::json::listed(reference.variables(), &comparison.missing),
            "extra": present::json::listed(rules.variables(), &comparison.extra),
            "unknown_names": comparison.unknown_names,
            "rank": rules.rank(),
            "reference_rank": reference.rank(),
        });
        print_json(out, &object)?;
        return Ok(answer);
    }
    let (here, there) = (arguments.file.display(), other.display());
    writeln!(out, "{here}: {} of rank {}", count(rules.len(), "rule"), rules.rank())?;
    writeln!(out, "{there}: {} of rank {}", count(reference.len(), "rule"), reference.rank())?;
    writeln!(
        out,
        "{} equal, {} missing from {here}, {} extra in it",
        comparison.equal.len(),
        comparison.missing.len(),
        comparison.extra.len()
    )?;
    let show = arguments.show.unwrap_or(40);
    let lists = [("Missing", &comparison.missing, &reference), ("Extra", &comparison.extra, rules)];
    for (title, list, set) in lists.into_iter().filter(|(_, list, _)| !list.is_empty()) {
        writeln!(out, "\n{title}:")?;
        for rule in list.iter().take(show) {
            writeln!(out, "  {}  {}", rule.id(), constraint_line(set.variables(), &rule.constraint))?;
        }
        if list.len() > show {
            writeln!(out, "  ... and {} more (--show)", list.len() - show)?;
        }
    }
    if !comparison.unknown_names.is_empty() {
        let names: Vec<&str> = comparison.unknown_names.iter().take(5).map(String::as_str).collect();
        let more = if comparison.unknown_names.len() > names.len() { ", ..." } else { "" };
        writeln!(out, "\nVariables of {there} that {here} does not have: {}{more}", names.join(", "))?;
    }
    Ok(answer)
}
