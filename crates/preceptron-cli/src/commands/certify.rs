//! `precept certify`: do two sets of rules say the same, and which rules say nothing new?

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::bail;
use clap::{ArgMatches, Args};
use preceptron_base::Control;
use preceptron_logic::formats::Format;
use preceptron_logic::{RuleSet, Variables};
use preceptron_reason::{
    Backend, Claim, Effort, Limits, Query, Redundant, Version, Witness, counterexample, equivalent_within,
    redundant_within,
};
use serde_json::{Value, json};

use crate::YesNo;
use crate::commands::solve::{seconds, version};
use crate::present::{constraint_line, count, print_true, true_names};
use crate::progress::Progress;
use crate::{proofs, source};

/// Prove that two sets of rules say the same, or show where they differ; list redundant rules.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept certify learned.json known.opb     do the same assignments obey both?
  precept certify rules.json                 which rules do the others imply?
  precept certify learned.json known.opb --proof p.pbp
  precept verify learned.json infeasible p.pbp --implies known.opb
  precept verify known.opb infeasible p.back.pbp --implies learned.json

Rules are matched by the names of their variables. For each rule that the other
set does not imply there is an assignment that obeys that set and violates the
rule. Rules are redundant if those that are left imply them when they are
dropped one by one, from the last to the first. Ctrl-C ends the search for
proofs; what was proved until then is shown.
Exit codes: 0 equivalent, or with one set no rule is redundant; 1 not so, or
not proved in time; 2 error.")]
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
    /// End the search for proofs after so many seconds; what was proved is shown.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Write proofs, for `precept verify --implies` or VeriPB: that the first set implies the second to FILE, and that
    /// the second implies the first to the same name with .back in it; the formulas beside them (.opb).
    #[arg(long, value_name = "FILE", requires = "second")]
    proof: Option<PathBuf>,
    /// The version of the proofs' format: 2.0 or 3.0.
    #[arg(long, value_name = "VERSION", default_value = "2.0", requires = "proof", hide_short_help = true, value_parser = version)]
    proof_version: Version,
}

/// The most names to list for a witness.
const NAMES: usize = 100;

/// A set of rules and where it comes from.
struct Set {
    shown: String,
    rules: RuleSet,
}

pub fn run(arguments: &Arguments, matches: &ArgMatches, out: &mut dyn Write) -> anyhow::Result<YesNo> {
    let interrupted = crate::interrupt::flag()?;
    let first = read(&arguments.first, arguments.from, matches)?;
    let second = arguments.second.as_deref().map(|path| read(path, arguments.from, matches)).transpose()?;
    let progress = Progress::new(interrupted.clone());
    let limits = Limits { time: arguments.time, cancel: Some(interrupted), ..Limits::default() };
    let proving = Proving { arguments, progress: &progress, limits: limits.begun() };
    match &second {
        None => proving.alone(&first, out),
        Some(second) => proving.both(&first, second, out),
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

/// The search for proofs.
struct Proving<'a> {
    arguments: &'a Arguments,
    progress: &'a Progress,
    limits: Limits,
}

impl Proving<'_> {
    /// Looks for proofs about so many rules, and shows how many are done.
    fn prove<T>(&self, stage: &str, rules: usize, prove: impl FnOnce(&Effort) -> T) -> T {
        self.progress.stage(stage, rules as u64);
        let seen = || self.progress.advance(1);
        prove(&Effort { limits: self.limits.clone(), seen: Some(&seen) })
    }

    fn redundant(&self, set: &Set) -> Redundant {
        self.prove("looking for redundant rules", set.rules.len(), |effort| {
            redundant_within(&set.rules, effort)
        })
    }

    fn alone(&self, set: &Set, out: &mut dyn Write) -> anyhow::Result<YesNo> {
        let found = self.redundant(set);
        self.progress.finish();
        match self.arguments.json {
            true => {
                let mut object =
                    json!({ "rules": set.rules.len(), "redundant": listed(&set.rules, &found.dropped) });
                if found.open > 0 {
                    object["undecided"] = json!(found.open);
                }
                print_json(out, &object)?
            }
            false => self.print_redundant(set, &found, out)?,
        }
        Ok(if found == Redundant::default() { YesNo::Yes } else { YesNo::No })
    }

    fn both(&self, first: &Set, second: &Set, out: &mut dyn Write) -> anyhow::Result<YesNo> {
        let asked = first.rules.len() + second.rules.len();
        let certificate =
            self.prove("comparing", asked, |effort| equivalent_within(&first.rules, &second.rules, effort))?;
        let mut proved = Vec::new();
        if let Some(path) = &self.arguments.proof {
            let back = proofs::of_back(path);
            if certificate.missing.is_empty() && certificate.missing_open.is_empty() {
                proved.push(self.implied(path, first, second)?);
            }
            if certificate.extra.is_empty() && certificate.extra_open.is_empty() {
                proved.push(self.implied(&back, second, first)?);
            }
        }
        let (of_first, of_second) = (self.redundant(first), self.redundant(second));
        self.progress.finish();
        let answer = if certificate.is_equivalent() { YesNo::Yes } else { YesNo::No };
        let is_decided =
            certificate.is_complete() || !(certificate.missing.is_empty() && certificate.extra.is_empty());
        if self.arguments.json {
            let mut object = json!({
                "equivalent": is_decided.then_some(certificate.is_equivalent()),
                "missing": witnesses(&second.rules, first.rules.variables(), &certificate.missing),
                "extra": witnesses(&first.rules, second.rules.variables(), &certificate.extra),
                "redundant": listed(&first.rules, &of_first.dropped),
                "reference_redundant": listed(&second.rules, &of_second.dropped),
            });
            let open = certificate.missing_open.len() + certificate.extra_open.len();
            if open + of_first.open + of_second.open > 0 {
                object["undecided"] = json!({ "implied": open, "redundant": of_first.open, "reference_redundant": of_second.open });
            }
            if self.arguments.proof.is_some() {
                object["proofs"] = proved.into();
            }
            print_json(out, &object)?;
            return Ok(answer);
        }
        if certificate.is_equivalent() {
            writeln!(out, "equivalent: {} and {} imply each other", first.shown, second.shown)?;
        } else {
            writeln!(out, "{}", if is_decided { "not equivalent" } else { "not known to be equivalent" })?;
            self.print_witnesses(first, second, &certificate.missing, certificate.missing_open.len(), out)?;
            self.print_witnesses(second, first, &certificate.extra, certificate.extra_open.len(), out)?;
        }
        self.print_redundant(first, &of_first, out)?;
        self.print_redundant(second, &of_second, out)?;
        proved.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        Ok(answer)
    }

    /// Writes the proof that one set, which implies another, does; what to say of it.
    fn implied(&self, path: &Path, set: &Set, other: &Set) -> anyhow::Result<String> {
        self.progress.stage("proving", 0);
        let refused = |what: String| anyhow::anyhow!("{}: no proof: {what}", path.display());
        let problem = counterexample(&set.rules, &other.rules).map_err(refused)?;
        let query = Query { explain: false, limits: self.limits.clone(), ..Query::default() };
        let answer = Backend::default().load(problem.clone())?.solve(&query)?;
        let claim = Claim::of(&problem, &query, &answer, None).map_err(refused)?;
        let written = match claim {
            Some(claim) => proofs::pair(path, self.arguments.proof_version, &claim, &self.limits)?,
            None => None,
        };
        let what = format!("that {} implies {}", set.shown, other.shown);
        Ok(match written {
            Some(bytes) => format!(
                "proof {what}: {} ({bytes} bytes), about {}",
                path.display(),
                proofs::formula(path).display()
            ),
            None => format!("no proof {what}: a limit ended the search for it"),
        })
    }

    /// What ended the search.
    fn stopped_by(&self) -> &'static str {
        if self.progress.is_cancelled() { "Ctrl-C" } else { "the time limit" }
    }

    fn print_witnesses(
        &self,
        set: &Set,
        other: &Set,
        witnesses: &[Witness],
        open: usize,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let show = self.arguments.show;
        if open > 0 {
            let rules = count(open, "rule");
            writeln!(
                out,
                "stopped by {} before it was known whether {} implies {rules} of {}",
                self.stopped_by(),
                set.shown,
                other.shown
            )?;
        } else if witnesses.is_empty() {
            return Ok(writeln!(out, "{} implies all rules of {}", set.shown, other.shown)?);
        }
        if witnesses.is_empty() {
            return Ok(());
        }
        writeln!(out, "{} does not imply {} of {}:", set.shown, count(witnesses.len(), "rule"), other.shown)?;
        for witness in witnesses.iter().take(show) {
            let rule = &other.rules.rules()[witness.rule];
            writeln!(out, "  {}  {}", rule.id(), constraint_line(other.rules.variables(), &rule.constraint))?;
            writeln!(
                out,
                "  is violated, and {} is obeyed, where these are true and all others false:",
                set.shown
            )?;
            print_true(out, set.rules.variables(), &witness.values, NAMES)?;
        }
        more(out, witnesses.len(), show)
    }

    fn print_redundant(&self, set: &Set, found: &Redundant, out: &mut dyn Write) -> anyhow::Result<()> {
        let (rules, dropped) = (&set.rules, &found.dropped);
        if found.open > 0 {
            let first = count(found.open, "rule");
            let by = self.stopped_by();
            writeln!(
                out,
                "{}: stopped by {by} before it was known whether the first {first} are redundant",
                set.shown
            )?;
        }
        if dropped.is_empty() {
            let decided = count(rules.len() - found.open, if found.open > 0 { "other rule" } else { "rule" });
            return Ok(writeln!(out, "{}: none of {decided} is redundant", set.shown)?);
        }
        writeln!(out, "{}: {} of {} redundant:", set.shown, dropped.len(), count(rules.len(), "rule"))?;
        for &place in dropped.iter().take(self.arguments.show) {
            let rule = &rules.rules()[place];
            writeln!(out, "  {}  {}", rule.id(), constraint_line(rules.variables(), &rule.constraint))?;
        }
        more(out, dropped.len(), self.arguments.show)
    }
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

fn more(out: &mut dyn Write, all: usize, show: usize) -> anyhow::Result<()> {
    match all.saturating_sub(show) {
        0 => Ok(()),
        more => Ok(writeln!(out, "  ... and {more} more (--show)")?),
    }
}
