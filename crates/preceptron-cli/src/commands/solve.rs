//! `precept solve`: the cheapest assignment that obeys the rules, or why there is none.

use std::io::{BufRead, BufReader, Cursor, ErrorKind, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args};
use preceptron::{Asking, Run, Verb};
use preceptron_base::{Control, Given, kebab};
use preceptron_logic::Problem;
use preceptron_logic::formats::Format;
use preceptron_reason::{Backend, LEAST_PROBABILITY, Limits, Query, Reasoner, Strength, TieBreak, k_best};
use serde_json::json;

use crate::YesNo;
use crate::evidence::{self, Evidence};
use crate::output::print;
use crate::present::{Question, count};
use crate::progress::Progress;
use crate::{flags, source};

/// What can be asked for besides an input of a run's task.
const WITH_INPUTS: [&str; 5] = ["source", "time", "backend", "json", "show"];

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
  precept solve RUN --help                             what a run's task can be asked, such as a picture

Evidence is a CSV table with the columns name and probability, cost or fix; or a JSON object
  {\"fix\": {\"a\": true}, \"probability\": {\"b\": 0.9}, \"cost\": {\"not c\": 12}}
or, in a file .jsonl (or - for standard input), one such object in each line, answered in a line of
JSON each. Costs are whole numbers; a probability p costs -1000 ln p. The probabilities of literals of
which exactly one is true and that add up to 1 are one reading, any other stands by itself. One below
1e-9 is taken as 1e-9, so that nothing seen is impossible; the answer says how many were.

Ctrl-C ends the search; the best that was found until then is shown.
Exit codes: 0 an assignment was found; 1 there is none, or none was found in time, or it is not unique
with --unique; 2 error.")]
pub struct Arguments {
    /// Rules or a problem in any format that is read, or a run; `-` is JSON from standard input.
    source: PathBuf,
    /// Fix a variable to 0 or 1; can be given many times.
    #[arg(long, value_name = "NAME=0|1", value_parser = fixed)]
    fix: Vec<(String, bool)>,
    /// What is known of the variables: .csv, .json, or many queries in .jsonl.
    #[arg(long, value_name = "FILE")]
    evidence: Option<PathBuf>,
    /// Up to so many assignments, the cheapest first.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    all: Option<u32>,
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
    /// The solver.
    #[arg(long, value_name = "NAME", default_value_t = Backend::default(), help = backends(), hide_short_help = true)]
    backend: Backend,
    /// The format to read, if the file's name does not tell.
    #[arg(long, value_name = "FORMAT", hide_short_help = true)]
    from: Option<Format>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
    /// How many names of true variables, repairs and rules to list.
    #[arg(long, value_name = "N", default_value_t = 100, hide_short_help = true)]
    show: usize,
}

/// The backends that are built in.
fn backends() -> String {
    let names: Vec<&str> = Backend::ALL.iter().map(|backend| backend.name()).collect();
    format!("The solver: {}", names.join(", "))
}

fn fixed(text: &str) -> Result<(String, bool), String> {
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

/// Where the evidence comes from.
enum Source {
    One(Evidence),
    /// Queries line by line, and how many if that is known.
    Many(Box<dyn BufRead>, u64),
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
    if given.iter().all(|one| is_own(&one.name)) {
        return Ok(None);
    }
    let typed = |name: &str| matches.value_source(name) == Some(ValueSource::CommandLine);
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
        let limits = Limits { time: arguments.time, cancel: Some(interrupted.clone()), ..Limits::default() };
        let asking = Asking { backend: arguments.backend, limits, show: arguments.show };
        let progress = Progress::new(interrupted);
        let shown = source::task_of_run(&run)?.solve(&run, &given, &asking, &progress);
        progress.finish();
        return print(out, shown, arguments.json);
    }
    if arguments.explain.as_ref().is_some_and(|what| !what.is_empty()) {
        bail!("--explain takes nothing behind it where rules are solved");
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
    let mut solver =
        Solver { arguments, reasoner: arguments.backend.load(problem.clone())?, problem, interrupted };
    match asked {
        Source::One(evidence) => solver.answer_one(base, &evidence, out),
        Source::Many(lines, total) => solver.answer_many(&base, lines, total, out),
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
        limits: Limits { time: arguments.time, cancel: Some(interrupted.clone()), ..Limits::default() },
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
        return Ok(Source::Many(Box::new(BufReader::new(std::io::stdin())), 0));
    }
    let shown = path.display();
    let mut bytes = Vec::new();
    match std::fs::File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)) {
        Ok(_) => (),
        Err(error) if error.kind() == ErrorKind::NotFound => bail!("{shown}: no such file"),
        Err(error) => bail!("{shown}: {error}"),
    }
    let bytes =
        preceptron_base::decompress(bytes, preceptron_base::BUDGET).with_context(|| shown.to_string())?;
    let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".xz")).unwrap_or(&name);
    let variables = problem.rules.variables();
    let evidence = match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("csv") => Evidence::from_csv(&bytes, variables),
        Some("json") => Evidence::from_json(&bytes, variables),
        Some("jsonl" | "ndjson") => {
            let lines =
                bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count();
            return Ok(Source::Many(Box::new(Cursor::new(bytes)), lines as u64));
        }
        _ => bail!("{shown}: evidence is a file .csv, .json or .jsonl"),
    };
    Ok(Source::One(evidence.with_context(|| shown.to_string())?))
}

struct Solver<'a> {
    arguments: &'a Arguments,
    problem: Arc<Problem>,
    reasoner: Box<dyn Reasoner>,
    interrupted: Arc<AtomicBool>,
}

impl Solver<'_> {
    /// How many assignments are asked for.
    fn wanted(&self) -> usize {
        let more = self.arguments.next_best.map(|more| more.saturating_add(1));
        self.arguments.all.or(more).unwrap_or(1) as usize
    }

    fn solve(&mut self, query: &Query) -> anyhow::Result<Vec<preceptron_reason::Answer>> {
        let wanted = self.wanted();
        if wanted == 1 {
            return Ok(vec![self.reasoner.solve(query)?]);
        }
        let mut answers = k_best(&mut *self.reasoner, query, wanted)?;
        // An answer is the only one of its cost among those that were not given before: no news.
        answers.iter_mut().for_each(|answer| answer.unique = None);
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
    fn verdict(&self, answers: &[preceptron_reason::Answer]) -> YesNo {
        let is_found = answers.first().is_some_and(|answer| answer.solution.is_some());
        let is_unique =
            !self.arguments.unique || answers.first().and_then(|answer| answer.unique) == Some(true);
        if is_found && is_unique { YesNo::Yes } else { YesNo::No }
    }

    fn print_json(
        &self,
        query: &Query,
        answers: &[preceptron_reason::Answer],
        raised: usize,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
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
        serde_json::to_writer(&mut *out, &object)?;
        Ok(writeln!(out)?)
    }

    fn answer_one(
        &mut self,
        mut query: Query,
        evidence: &Evidence,
        out: &mut dyn Write,
    ) -> anyhow::Result<YesNo> {
        let raised = evidence.add_to(&self.problem, &mut query)?;
        let progress = Progress::new(self.interrupted.clone());
        progress.stage("solving", 0);
        let answers = self.solve(&query);
        progress.finish();
        let answers = answers?;
        if self.arguments.json {
            self.print_json(&query, &answers, raised, out)?;
            return Ok(self.verdict(&answers));
        }
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
        let question = self.question(&query);
        for (place, answer) in (1..).zip(&answers) {
            question.print(out, answer, (self.wanted() > 1).then_some(place))?;
        }
        let is_ended =
            answers.last().is_some_and(|answer| answer.is_conclusive() && answer.solution.is_some());
        if answers.len() < self.wanted() && is_ended {
            match self.interrupted.load(Ordering::Relaxed) || self.arguments.time.is_some() {
                true => writeln!(out, "no more were found")?,
                false => writeln!(out, "there are no more")?,
            }
        }
        Ok(self.verdict(&answers))
    }

    /// Answers queries in order, a line for each; each is out before the next is read.
    fn answer_many(
        &mut self,
        base: &Query,
        mut lines: Box<dyn BufRead>,
        total: u64,
        out: &mut dyn Write,
    ) -> anyhow::Result<YesNo> {
        // Answers that scroll by are progress enough.
        let progress = (!std::io::stdout().is_terminal()).then(|| Progress::new(self.interrupted.clone()));
        if let Some(progress) = &progress {
            progress.stage("queries", total);
        }
        let (mut verdict, mut number, mut line) = (YesNo::Yes, 0, Vec::new());
        let result = loop {
            line.clear();
            number += 1;
            let shown = || {
                let path = self.arguments.evidence.as_deref().unwrap_or(Path::new("-"));
                let path =
                    if path == Path::new("-") { "standard input".into() } else { path.display().to_string() };
                format!("{path}: line {number}")
            };
            match lines.read_until(b'\n', &mut line) {
                Ok(0) => break Ok(verdict),
                Ok(_) if line.trim_ascii().is_empty() => continue,
                Ok(_) => (),
                Err(error) => break Err(error).with_context(shown),
            }
            let mut query = base.clone();
            let evidence = Evidence::from_json(&line, self.problem.rules.variables());
            let context = shown();
            let answered = evidence.and_then(|evidence| evidence.add_to(&self.problem, &mut query));
            let answered = answered.and_then(|raised| Ok((self.solve(&query)?, raised)));
            match answered.with_context(|| context) {
                Err(error) => break Err(error),
                Ok((answers, raised)) => {
                    if self.verdict(&answers) == YesNo::No {
                        verdict = YesNo::No;
                    }
                    self.print_json(&query, &answers, raised, out)?;
                    out.flush()?;
                }
            }
            if let Some(progress) = &progress {
                progress.advance(1);
            }
            if self.interrupted.load(Ordering::Relaxed) {
                break Ok(YesNo::No);
            }
        };
        if let Some(progress) = &progress {
            progress.finish();
        }
        result
    }
}
