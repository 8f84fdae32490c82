//! `precept certify`: do two sets of rules say the same, and which rules say nothing new?

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::{ArgMatches, Args};
use preceptron_logic::formats::Format;
use preceptron_logic::{RuleSet, Variables};
use preceptron_reason::{Witness, equivalent, redundant};
use serde_json::{Value, json};

use crate::YesNo;
use crate::present::{constraint_line, count, print_true, true_names};
use crate::source;

/// Prove that two sets of rules say the same, or show where they differ; list redundant rules.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept certify learned.json known.opb     do the same assignments obey both?
  precept certify rules.json                 which rules do the others imply?

Rules are matched by the names of their variables. For each rule that the other set does not imply
there is an assignment that obeys that set and violates the rule. Rules are redundant if those that are
left imply them when they are dropped one by one, from the last to the first.
Exit codes: 0 equivalent, or with one set no rule is redundant; 1 not so; 2 error.")]
pub struct Arguments {
    /// Rules in any format that is read, or a run; `-` is JSON from standard input.
    first: PathBuf,
    /// Rules to compare them with.
    second: Option<PathBuf>,
    /// The format to read, if a file's name does not tell.
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
    /// How many rules of each kind to list.
    #[arg(long, value_name = "N", default_value_t = 20)]
    show: usize,
}

/// The most names to list for a witness.
const NAMES: usize = 100;

/// A set of rules and where it comes from.
struct Set {
    shown: String,
    rules: RuleSet,
}

pub fn run(arguments: &Arguments, matches: &ArgMatches, out: &mut dyn Write) -> anyhow::Result<YesNo> {
    let first = read(&arguments.first, arguments.from, matches)?;
    match &arguments.second {
        None => alone(arguments, &first, out),
        Some(second) => both(arguments, &first, &read(second, arguments.from, matches)?, out),
    }
}

fn read(path: &Path, from: Option<Format>, matches: &ArgMatches) -> anyhow::Result<Set> {
    let shown = if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() };
    let problem = source::read(path, from, matches)?;
    let beside =
        [(problem.linear.len(), "weighted linear constraint"), (problem.soft.len(), "soft constraint")];
    if let Some((number, noun)) = beside.into_iter().find(|(number, _)| *number > 0) {
        bail!("{shown}: has {}, and only rules that count literals can be certified", count(number, noun));
    }
    Ok(Set { shown, rules: problem.rules })
}

fn print_json(out: &mut dyn Write, value: &Value) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    Ok(writeln!(out)?)
}

/// Rules with their ids and sentences.
fn listed(rules: &RuleSet, places: &[usize]) -> Value {
    let rules_there: Vec<_> = places.iter().map(|&place| rules.rules()[place].clone()).collect();
    crate::present::json::listed(rules.variables(), &rules_there)
}

fn alone(arguments: &Arguments, set: &Set, out: &mut dyn Write) -> anyhow::Result<YesNo> {
    let dropped = redundant(&set.rules);
    match arguments.json {
        true => {
            print_json(out, &json!({ "rules": set.rules.len(), "redundant": listed(&set.rules, &dropped) }))?
        }
        false => print_redundant(arguments, set, &dropped, out)?,
    }
    Ok(if dropped.is_empty() { YesNo::Yes } else { YesNo::No })
}

fn both(arguments: &Arguments, first: &Set, second: &Set, out: &mut dyn Write) -> anyhow::Result<YesNo> {
    let certificate = equivalent(&first.rules, &second.rules)?;
    let answer = if certificate.is_equivalent() { YesNo::Yes } else { YesNo::No };
    let (of_first, of_second) = (redundant(&first.rules), redundant(&second.rules));
    if arguments.json {
        let object = json!({
            "equivalent": certificate.is_equivalent(),
            "missing": witnesses(&second.rules, first.rules.variables(), &certificate.missing),
            "extra": witnesses(&first.rules, second.rules.variables(), &certificate.extra),
            "redundant": listed(&first.rules, &of_first),
            "reference_redundant": listed(&second.rules, &of_second),
        });
        print_json(out, &object)?;
        return Ok(answer);
    }
    if certificate.is_equivalent() {
        writeln!(out, "equivalent: {} and {} imply each other", first.shown, second.shown)?;
    } else {
        writeln!(out, "not equivalent")?;
        print_witnesses(arguments, first, second, &certificate.missing, out)?;
        print_witnesses(arguments, second, first, &certificate.extra, out)?;
    }
    print_redundant(arguments, first, &of_first, out)?;
    print_redundant(arguments, second, &of_second, out)?;
    Ok(answer)
}

/// Rules that the other set does not imply, each with the variables that are true in its witness.
fn witnesses(rules: &RuleSet, there: &Variables, witnesses: &[Witness]) -> Value {
    let entry = |witness: &Witness| {
        let rule = &rules.rules()[witness.rule];
        json!({
            "id": rule.id().to_string(),
            "sentence": constraint_line(rules.variables(), &rule.constraint),
            "true": true_names(there, &witness.values),
        })
    };
    witnesses.iter().map(entry).collect()
}

fn print_witnesses(
    arguments: &Arguments,
    set: &Set,
    other: &Set,
    witnesses: &[Witness],
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    if witnesses.is_empty() {
        return Ok(writeln!(out, "{} implies all rules of {}", set.shown, other.shown)?);
    }
    writeln!(out, "{} does not imply {} of {}:", set.shown, count(witnesses.len(), "rule"), other.shown)?;
    for witness in witnesses.iter().take(arguments.show) {
        let rule = &other.rules.rules()[witness.rule];
        writeln!(out, "  {}  {}", rule.id(), constraint_line(other.rules.variables(), &rule.constraint))?;
        writeln!(
            out,
            "  is violated, and {} is obeyed, where these are true and all others false:",
            set.shown
        )?;
        print_true(out, set.rules.variables(), &witness.values, NAMES)?;
    }
    more(out, witnesses.len(), arguments.show)
}

fn print_redundant(
    arguments: &Arguments,
    set: &Set,
    dropped: &[usize],
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let rules = &set.rules;
    if dropped.is_empty() {
        return Ok(writeln!(out, "{}: none of {} is redundant", set.shown, count(rules.len(), "rule"))?);
    }
    writeln!(out, "{}: {} of {} redundant:", set.shown, dropped.len(), count(rules.len(), "rule"))?;
    for &place in dropped.iter().take(arguments.show) {
        let rule = &rules.rules()[place];
        writeln!(out, "  {}  {}", rule.id(), constraint_line(rules.variables(), &rule.constraint))?;
    }
    more(out, dropped.len(), arguments.show)
}

fn more(out: &mut dyn Write, all: usize, show: usize) -> anyhow::Result<()> {
    match all.saturating_sub(show) {
        0 => Ok(()),
        more => Ok(writeln!(out, "  ... and {more} more (--show)")?),
    }
}
