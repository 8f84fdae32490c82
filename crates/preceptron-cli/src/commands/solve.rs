//! `precept solve`: the cheapest assignment that obeys the rules, or why there is none.

use std::io::{BufRead, BufReader, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args};
use preceptron::{Asking, Run, Verb};
use preceptron_base::{Control, Given, READ, ReadError, kebab, open_stream, read_file};
use preceptron_logic::Problem;
use preceptron_logic::formats::Format;
use preceptron_reason::{
    Answer, Backend, LEAST_PROBABILITY, Limits, Query, Reasoner, Strength, TieBreak, Version, each_best,
    three_quarters_free,
};
use serde_json::{Value, json};

use crate::YesNo;
use crate::commands::solve_table::{self, PlanArguments};
use crate::evidence::{self, Choices, Evidence};
use crate::output::print;
use crate::present::{Question, count};
use crate::progress::Progress;
use crate::{flags, proofs, queries, source};

/// What can be asked for besides an input of a run's task.
const WITH_INPUTS: [&str; 6] = ["source", "time", "memory", "backend", "json", "show"];

/// What says where an answer is written, for a plan and for an input alike.
const WRITTEN: [&str; 2] = ["out", "force"];

/// Find the cheapest assignment that obeys rules, or a smallest conflict.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept solve rules.json --fix 'cell[row 1, column 2, digit 3]=1'
  precept solve rules.json --evidence readings.csv     correct a classifier's readings by the rules
  precept solve puzzle.opb --unique                    is there exactly one solution?
  precept solve puzzle.opb --all 5                     the five cheapest
  precept solve learned.json --soft 3000               rules may be violated, at this price each
  precept solve rules.json --evidence queries.jsonl > answers.jsonl
  precept solve rules.json --table next.xlsx --out filled.xlsx    fill in a plan's blanks
  precept solve puzzle.opb --json --proof p.pbp > answer.json   then: precept verify puzzle.opb answer.json p.pbp
  precept solve RUN --help                             what a run's task can be asked, such as a picture

Evidence is a CSV table with the columns name and probability, cost or fix; or a JSON object
  {\"fix\": {\"a\": true}, \"probability\": {\"b\": 0.9}, \"cost\": {\"not c\": 12}}
or, in a file .jsonl (or - for standard input), one such object in each line, answered in a line of
JSON each, in order, on all threads; a line that is wrong is answered with {\"error\": ...}. Costs are whole numbers; a probability p costs -1000 ln p. The probabilities of literals of
which exactly one is true and that add up to 1 are one reading, any other stands by itself. One below
1e-9 is taken as 1e-9, so that nothing seen is impossible; the answer says how many were.

Ctrl-C ends the search; the best that was found until then is shown.
Exit codes: 0 an assignment was found; 1 there is none, or none was found in time, or it is not unique
with --unique; 2 error.")]
pub struct Arguments {
    /// Rules or a problem in any format that is read, or a run; `-` is JSON from standard input.
    pub source: PathBuf,
    /// Fix a variable to 0 or 1; can be given many times.
    #[arg(long, value_name = "NAME=0|1", value_parser = fixed)]
    fix: Vec<(String, bool)>,
    /// What is known of the variables: .csv, .json, or many queries in .jsonl.
    #[arg(long, value_name = "FILE")]
    pub evidence: Option<PathBuf>,
    /// Up to so many assignments, the cheapest first.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub all: Option<u32>,
    /// After the cheapest assignment, up to so many more.
    #[arg(long, value_name = "N", conflicts_with = "all", hide_short_help = true)]
    next_best: Option<u32>,
    /// Ask whether no other assignment is as good.
    #[arg(long, conflicts_with_all = ["all", "next_best"])]
    unique: bool,
    /// Take any of several cheapest assignments, not the first of them by the order of the variables;
    /// faster, but whether there are others is not told.
    #[arg(long, conflicts_with_all = ["unique", "all", "next_best"], hide_short_help = true)]
    any: bool,
    /// Draw the rules that are violated or in conflict, and tell what the search took.
    #[arg(long, value_name = "WHAT", num_args = 0..=1, default_missing_value = "")]
    explain: Option<String>,
    /// Let every rule be violated at this price instead of never.
    #[arg(long, value_name = "WEIGHT", value_parser = clap::value_parser!(u64).range(1..))]
    soft: Option<u64>,
    /// End the search for an answer after so many seconds; pictures end after 10 without it.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// The most memory, such as 500M or 2G, for loading rules and searching; three quarters of what is free without
    /// it.
    #[arg(long, value_name = "BYTES", value_parser = bytes, hide_short_help = true)]
    memory: Option<u64>,
    /// Write a proof of the answer, for `precept verify` or VeriPB, and the formula beside it (.opb); a time limit
    /// holds for the search and once more for the proof.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["all", "next_best", "any"])]
    proof: Option<PathBuf>,
    /// The version of the proof's format: 2.0 or 3.0.
    #[arg(long, value_name = "VERSION", default_value = "2.0", requires = "proof", hide_short_help = true, value_parser = version)]
    proof_version: Version,
    /// The solver.
    #[arg(long, value_name = "NAME", default_value_t = Backend::default(), help = backends(), hide_short_help = true)]
    pub backend: Backend,
    /// The format to read, if the file's name does not tell.
    #[arg(long, value_name = "FORMAT", hide_short_help = true)]
    pub from: Option<Format>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
    /// How many names of true variables, repairs and rules to list.
    #[arg(long, value_name = "N", default_value_t = 100, hide_short_help = true)]
    pub show: usize,
    #[command(flatten)]
    pub plan: PlanArguments,
}

impl Arguments {
    /// When a search ends.
    pub(super) fn limits(&self, interrupted: &Arc<AtomicBool>) -> Limits {
        Limits {
            time: self.time,
            memory: self.memory.or_else(three_quarters_free),
            cancel: Some(interrupted.clone()),
            ..Limits::default()
        }
    }
}

/// The backends that are built in.
fn backends() -> String {
    let names: Vec<&str> = Backend::ALL.iter().map(|backend| backend.name()).collect();
    format!("The solver: {}", names.join(", "))
}

/// A version of the format of proofs.
pub fn version(text: &str) -> Result<Version, String> {
    match text {
        "2" | "2.0" => Ok(Version::Two),
        "3" | "3.0" => Ok(Version::Three),
        _ => Err("expected 2.0 or 3.0".to_owned()),
    }
}

pub fn fixed(text: &str) -> Result<(String, bool), String> {
    let parts = text.rsplit_once('=').and_then(|(name, value)| Some((name.trim(), evidence::truth(value)?)));
    match parts {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value)),
        _ => Err("expected NAME=0 or NAME=1".to_owned()),
    }
}

/// A number of seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| "expected a number of seconds that is not negative".to_owned())
}

/// A number of bytes, with k, M or G behind it for thousands, millions and billions.
pub fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(['k', 'K', 'M', 'G']);
    let unit = match &text[digits.len()..] {
        "" => Some(1),
        "k" | "K" => Some(1000),
        "M" => Some(1_000_000),
        "G" => Some(1_000_000_000),
        _ => None,
    };
    let number: Option<u64> = digits.parse().ok();
    let bytes =
        number.zip(unit).and_then(|(number, unit)| number.checked_mul(unit)).filter(|bytes| *bytes > 0);
    bytes.ok_or_else(|| "expected a number of bytes, such as 500M or 2G".to_owned())
}

/// Where the evidence comes from.
enum Source {
    One(Evidence),
    /// Queries line by line.
    Many(Box<dyn BufRead + Send>),
}

/// The flags of a run's task, if an input of it is given.
fn input(arguments: &Arguments, matches: &ArgMatches) -> anyhow::Result<Option<(Run, Vec<Given>)>> {
    if !Run::is_run(&arguments.source) {
        return Ok(None);
    }
    let run = Run::open(&arguments.source)?;
    let task = source::task_of_run(&run)?;
    let flags = task.flags(Verb::Solve);
    let given = flags::given(matches, &flags);
    let own = Arguments::augment_args(clap::Command::new("solve"));
    let is_own = |name: &str| own.get_arguments().any(|argument| argument.get_id() == name);
    let typed = |name: &str| matches.value_source(name) == Some(ValueSource::CommandLine);
    // Without a plan, what says where to write is the input's.
    let is_of_input = |name: &str| !is_own(name) || (WRITTEN.contains(&name) && !typed("table"));
    if !given.iter().any(|one| is_of_input(&one.name)) {
        return Ok(None);
    }
    let odd = own.get_arguments().map(|argument| argument.get_id().as_str()).find(|name| {
        typed(name) && !WITH_INPUTS.contains(name) && !flags.iter().any(|flag| flag.name == *name)
    });
    if let Some(name) = odd {
        bail!("--{} does not go with an input of {}", kebab(name), task.name());
    }
    Ok(Some((run, given)))
}

pub fn run(arguments: &Arguments, matches: &ArgMatches, out: &mut dyn Write) -> anyhow::Result<YesNo> {
    if let Some((run, given)) = input(arguments, matches)? {
        let interrupted = crate::interrupt::flag()?;
        let limits = arguments.limits(&interrupted);
        let asking = Asking { backend: arguments.backend, limits, show: arguments.show };
        let progress = Progress::new(interrupted);
        let shown = source::task_of_run(&run)?.solve(&run, &given, &asking, &progress);
        progress.finish();
        return print(out, shown, arguments.json);
    }
    if arguments.explain.as_ref().is_some_and(|what| !what.is_empty()) {
        bail!("--explain takes nothing behind it where rules are solved");
    }
    if arguments.plan.is_asked()? {
        return solve_table::run(arguments, matches, out);
    }
    let interrupted = crate::interrupt::flag()?;
    let stdin = Path::new("-");
    if arguments.source == stdin && arguments.evidence.as_deref() == Some(stdin) {
        bail!("rules and evidence cannot both come from standard input");
    }
    let problem = Arc::new(source::read(&arguments.source, arguments.from, matches)?);
    let base = base_query(arguments, &problem, &interrupted)?;
    let asked = match &arguments.evidence {
        None => Source::One(Evidence::default()),
        Some(path) => open(path, &problem)?,
    };
    let solver = Solver { arguments, choices: Choices::of(&problem), problem, interrupted };
    if arguments.proof.is_some() && matches!(asked, Source::Many(_)) {
        bail!("--proof is for one query, not for many");
    }
    match asked {
        Source::One(evidence) => solver.answer_one(base, &evidence, out),
        Source::Many(lines) => queries::answer(&solver, &base, lines, out),
    }
}

/// What the flags ask for.
fn base_query(
    arguments: &Arguments,
    problem: &Problem,
    interrupted: &Arc<AtomicBool>,
) -> anyhow::Result<Query> {
    let mut query = Query {
        strength: arguments.soft.map_or(Strength::AsLoaded, Strength::AllSoft),
        ties: if arguments.any { TieBreak::Any } else { TieBreak::Canonical },
        limits: arguments.limits(interrupted),
        ..Query::default()
    };
    for (name, value) in &arguments.fix {
        let literal = evidence::find(problem.rules.variables(), name).context("--fix")?;
        query.fixed.push(if *value { literal } else { !literal });
    }
    Ok(query)
}

fn open(path: &Path, problem: &Problem) -> anyhow::Result<Source> {
    if path == Path::new("-") {
        return Ok(Source::Many(Box::new(BufReader::new(std::io::stdin()))));
    }
    let shown = path.display();
    let failed = |error: ReadError| anyhow::anyhow!("{shown}: {error}");
    let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".xz")).unwrap_or(&name);
    let variables = problem.rules.variables();
    // Names and values take many times the bytes that they are written with.
    let whole = || read_file(path, READ.get() / 12).map_err(failed);
    let evidence = match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("csv") => Evidence::from_csv(&whole()?, variables),
        Some("json") => Evidence::from_json(&whole()?, variables),
        Some("jsonl" | "ndjson") => return Ok(Source::Many(open_stream(path).map_err(failed)?)),
        _ => {
            whole()?;
            bail!("{shown}: evidence is a file .csv, .json or .jsonl")
        }
    };
    Ok(Source::One(evidence.with_context(|| shown.to_string())?))
}

/// What is asked, and of which rules.
pub struct Solver<'a> {
    pub arguments: &'a Arguments,
    pub problem: Arc<Problem>,
    pub choices: Choices,
    pub interrupted: Arc<AtomicBool>,
}

impl Solver<'_> {
    /// How many assignments are asked for.
    fn wanted(&self) -> usize {
        let more = self.arguments.next_best.map(|more| more.saturating_add(1));
        self.arguments.all.or(more).unwrap_or(1) as usize
    }

    /// Calls `each` with each answer as it is found.
    fn solve(
        &self,
        reasoner: &mut dyn Reasoner,
        query: &Query,
        mut each: impl FnMut(Answer) -> ControlFlow<()>,
    ) -> anyhow::Result<()> {
        let wanted = self.wanted();
        if wanted == 1 {
            let _ = each(reasoner.solve(query)?);
            return Ok(());
        }
        each_best(reasoner, query, wanted, |answer| {
            // An answer is the only one of its cost among those that were not given before: no news.
            each(Answer { unique: None, ..answer })
        })?;
        Ok(())
    }

    /// All answers at once.
    pub fn answers(&self, reasoner: &mut dyn Reasoner, query: &Query) -> anyhow::Result<Vec<Answer>> {
        let mut answers = Vec::new();
        self.solve(reasoner, query, |answer| {
            answers.push(answer);
            ControlFlow::Continue(())
        })?;
        Ok(answers)
    }

    fn question(&self, query: &Query) -> Question<'_> {
        let problem = &*self.problem;
        let is_soft = self.arguments.soft.is_some() || !problem.soft.is_empty();
        let is_costly = !query.costs.is_empty() || !query.groups.is_empty() || !problem.objective.is_empty();
        Question {
            problem,
            has_costs: is_soft || is_costly || problem.objective_constant != 0,
            soft: self.arguments.soft,
            limit: if self.interrupted.load(Ordering::Relaxed) { "Ctrl-C" } else { "the time limit" },
            explain: self.arguments.explain.is_some(),
            show: self.arguments.show,
        }
    }

    /// Whether the answers are a yes.
    pub fn verdict(&self, first: Option<&Answer>) -> YesNo {
        let is_found = first.is_some_and(|answer| answer.solution.is_some());
        let is_unique = !self.arguments.unique || first.and_then(|answer| answer.unique) == Some(true);
        if is_found && is_unique { YesNo::Yes } else { YesNo::No }
    }

    /// The answers to a query as one JSON object.
    pub fn json(&self, query: &Query, answers: &[Answer], raised: usize) -> Value {
        let question = self.question(query);
        let mut objects: Vec<_> = answers.iter().map(|answer| question.json(answer)).collect();
        let mut object = match (self.wanted(), objects.pop()) {
            (1, Some(object)) => object,
            (_, last) => {
                objects.extend(last);
                json!({ "answers": objects })
            }
        };
        if raised > 0 {
            object["probabilities_raised"] = json!(raised);
        }
        object
    }

    fn answer_one(
        &self,
        mut query: Query,
        evidence: &Evidence,
        out: &mut dyn Write,
    ) -> anyhow::Result<YesNo> {
        let mut reasoner = self.arguments.backend.load(Arc::clone(&self.problem))?;
        let raised = evidence.add_to(&self.choices, &mut query)?;
        let progress = Progress::new(self.interrupted.clone());
        progress.stage("solving", 0);
        if self.arguments.json {
            let answers = self.answers(&mut *reasoner, &query);
            progress.finish();
            let answers = answers?;
            serde_json::to_writer(&mut *out, &self.json(&query, &answers, raised))?;
            writeln!(out)?;
            out.flush()?;
            let verdict = self.verdict(answers.first());
            let Some((is_proved, line)) = self.prove(&mut *reasoner, &query, answers.first())? else {
                return Ok(verdict);
            };
            writeln!(std::io::stderr(), "{line}")?;
            return Ok(if is_proved { verdict } else { YesNo::No });
        }
        let (mut first, mut last, mut number) = (None, None, 0);
        let mut printed = Ok(());
        let solved = self.solve(&mut *reasoner, &query, |answer| {
            number += 1;
            // Where there are several, each is out before the next is looked for.
            let shown = (self.wanted() > 1).then_some(number);
            progress.suspend(|| {
                let heading = if number == 1 { self.print_heading(raised, out) } else { Ok(()) };
                let answer = heading.and_then(|()| self.question(&query).print(out, &answer, shown));
                printed = answer.and_then(|()| out.flush());
            });
            first.get_or_insert_with(|| answer.clone());
            last = Some(answer);
            if printed.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        progress.finish();
        solved?;
        printed?;
        let is_ended = last.is_some_and(|answer: Answer| answer.is_conclusive() && answer.solution.is_some());
        if number < self.wanted() && is_ended {
            match self.interrupted.load(Ordering::Relaxed) || self.arguments.time.is_some() {
                true => writeln!(out, "no more were found")?,
                false => writeln!(out, "there are no more")?,
            }
        }
        let verdict = self.verdict(first.as_ref());
        let Some((is_proved, line)) = self.prove(&mut *reasoner, &query, first.as_ref())? else {
            return Ok(verdict);
        };
        writeln!(out, "{line}")?;
        Ok(if is_proved { verdict } else { YesNo::No })
    }

    /// Writes the proof of an answer, if one is asked for; whether there is one, and what to say.
    fn prove(
        &self,
        reasoner: &mut dyn Reasoner,
        query: &Query,
        answer: Option<&Answer>,
    ) -> anyhow::Result<Option<(bool, String)>> {
        let (Some(path), Some(answer)) = (&self.arguments.proof, answer) else { return Ok(None) };
        let progress = Progress::new(self.interrupted.clone());
        progress.stage("proving", 0);
        let written = proofs::write(path, self.arguments.proof_version, reasoner, query, answer);
        progress.finish();
        written.map(Some)
    }

    fn print_heading(&self, raised: usize, out: &mut dyn Write) -> std::io::Result<()> {
        let (rules, variables) = (self.problem.rules.len(), self.problem.rules.variables().len());
        let (rules, variables) =
            (count(rules + self.problem.linear.len(), "rule"), count(variables, "variable"));
        writeln!(out, "{}: {rules} over {variables}", self.arguments.source.display())?;
        if raised > 0 {
            let some = if raised == 1 {
                "1 probability is".to_owned()
            } else {
                format!("{raised} probabilities are")
            };
            writeln!(
                out,
                "{some} taken as {LEAST_PROBABILITY:e} (or 1 - {LEAST_PROBABILITY:e}): evidence makes nothing \
                 impossible, --fix does"
            )?;
        }
        Ok(())
    }
}
