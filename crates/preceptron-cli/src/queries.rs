//! Queries line by line: a stream in, a stream out, in order, on all threads.
//!
//! Every line is answered, one that is wrong with what is wrong, so that answers stand at the same places as
//! queries (empty lines aside). Memory does not grow with the stream.

use std::io::{self, BufRead, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::bail;
use preceptron_base::{Control, read_line};
use preceptron_reason::{Query, Reasoner, work_on_stream};
use serde_json::{Value, json};

use crate::YesNo;
use crate::commands::solve::Solver;
use crate::evidence::Evidence;
use crate::present::count;
use crate::progress::Progress;

/// The longest line that is read.
const LONGEST: usize = 16 << 20;

/// A line, by its number, or why it is none.
type Line = (usize, Result<Vec<u8>, String>);

/// The lines that are not empty. What cannot be read is the last.
struct Lines {
    reader: Box<dyn BufRead + Send>,
    number: usize,
    is_over: bool,
}

impl Iterator for Lines {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        let mut line = Vec::new();
        while !self.is_over {
            self.number += 1;
            match read_line(&mut *self.reader, &mut line, LONGEST) {
                Ok(None) => return None,
                Ok(Some(length)) if length > LONGEST => {
                    let what = format!("has {length} bytes, and at most {LONGEST} are read");
                    return Some((self.number, Err(what)));
                }
                Ok(Some(_)) if line.trim_ascii().is_empty() => (),
                Ok(Some(_)) => return Some((self.number, Ok(line))),
                Err(error) => {
                    self.is_over = true;
                    return Some((self.number, Err(error.to_string())));
                }
            }
        }
        None
    }
}

/// What became of a line.
struct Answered {
    line: Value,
    verdict: YesNo,
    error: Option<String>,
}

/// Answers queries in order, a line for each; each is out as soon as it is known.
pub fn answer(
    solver: &Solver,
    base: &Query,
    reader: Box<dyn BufRead + Send>,
    out: &mut dyn Write,
) -> anyhow::Result<YesNo> {
    // Answers that scroll by are progress enough.
    let progress = (!io::stdout().is_terminal()).then(|| Progress::new(solver.interrupted.clone()));
    if let Some(progress) = &progress {
        progress.stage("queries", 0);
    }
    let (mut verdict, mut answered, mut wrong, mut first) = (YesNo::Yes, 0, 0, None);
    let mut written = Ok(());
    let each = |found: Answered| {
        answered += 1;
        if let Some(error) = found.error {
            wrong += 1;
            first.get_or_insert(error);
        }
        if found.verdict == YesNo::No {
            verdict = YesNo::No;
        }
        written = serde_json::to_writer(&mut *out, &found.line).map_err(io::Error::from);
        written =
            std::mem::replace(&mut written, Ok(())).and_then(|()| writeln!(out)).and_then(|()| out.flush());
        if let Some(progress) = &progress {
            progress.advance(1);
        }
        let is_stopped = solver.interrupted.load(Ordering::Relaxed);
        if written.is_err() || is_stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let lines = Lines { reader, number: 0, is_over: false };
    let threads = rayon::current_num_threads();
    let work = |reasoner: &mut dyn Reasoner, line: Line| answer_line(solver, base, reasoner, line);
    let ended = work_on_stream(solver.arguments.backend, &solver.problem, lines, threads, work, each);
    if let Some(progress) = &progress {
        progress.finish();
    }
    ended?;
    written?;
    if let Some(first) = first {
        let path = solver.arguments.evidence.as_deref().unwrap_or(Path::new("-"));
        let path = if path == Path::new("-") { "standard input".into() } else { path.display().to_string() };
        match wrong {
            1 => bail!("{path}: {first}"),
            _ => bail!("{path}: {first}; {} of {} are wrong", wrong, count(answered, "query")),
        }
    }
    Ok(if solver.interrupted.load(Ordering::Relaxed) { YesNo::No } else { verdict })
}

/// Answers one line.
fn answer_line(solver: &Solver, base: &Query, reasoner: &mut dyn Reasoner, (number, line): Line) -> Answered {
    let begun = Instant::now();
    let mut query = base.clone();
    let answers = line.map_err(anyhow::Error::msg).and_then(|line| {
        let evidence = Evidence::from_json(&line, solver.problem.rules.variables())?;
        let raised = evidence.add_to(&solver.choices, &mut query)?;
        Ok((solver.answers(reasoner, &query)?, raised))
    });
    let mut found = match answers {
        Ok((answers, raised)) => Answered {
            verdict: solver.verdict(answers.first()),
            line: solver.json(&query, &answers, raised),
            error: None,
        },
        Err(error) => {
            let error = format!("line {number}: {error:#}");
            Answered { line: json!({ "error": error }), verdict: YesNo::No, error: Some(error) }
        }
    };
    found.line["milliseconds"] = json!((begun.elapsed().as_secs_f64() * 1e6).round() / 1e3);
    found
}
