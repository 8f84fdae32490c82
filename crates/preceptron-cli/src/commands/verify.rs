//! `precept verify`: does a proof show what an answer says?

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{ArgMatches, Args};
use preceptron_base::{READ, read_file};
use preceptron_check::{Formula, verify};
use preceptron_logic::Problem;
use preceptron_logic::formats::Format;
use preceptron_reason::{MARK, Query, Strength, counterexample};
use serde_json::json;

use crate::YesNo;
use crate::commands::solve::fixed;
use crate::evidence::{self, Choices, Evidence};
use crate::present::count;
use crate::{proofs, source};

/// Check the proof of an answer with a checker that shares nothing with the solver.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept solve rules.json --evidence seen.csv --json --proof p.pbp > answer.json
  precept verify rules.json answer.json p.pbp --evidence seen.csv
  precept verify p.opb answer.json p.pbp       the formula as it was written beside the proof

Rules and evidence are put as a formula once more, which the proof must be about; with a formula that was
written for a proof nothing of this program but the checker is asked. The proof that there is no other
answer is read from p.unique.pbp, beside p.pbp. In the place of the answer, `infeasible` says that
there is none. Proofs are in VeriPB's format 2.0 or 3.0.
Exit codes: 0 the proof shows the answer; 1 it does not; 2 error.")]
pub struct Arguments {
    /// The rules that were solved, in any format that is read, or the formula written for the proof.
    source: PathBuf,
    /// The answer, as `precept solve --json` prints it, or `infeasible`.
    answer: PathBuf,
    /// The proof.
    proof: PathBuf,
    /// What was fixed with the query; as for solve.
    #[arg(long, value_name = "NAME=0|1", value_parser = fixed)]
    fix: Vec<(String, bool)>,
    /// The evidence of the query: .csv or .json.
    #[arg(long, value_name = "FILE")]
    evidence: Option<PathBuf>,
    /// Rules that those of SOURCE imply: nothing obeys SOURCE and violates one of them, `infeasible`, as
    /// `precept certify --proof` shows.
    #[arg(long, value_name = "RULES", conflicts_with_all = ["fix", "evidence", "soft"])]
    implies: Option<PathBuf>,
    /// The price at which every rule could be violated.
    #[arg(long, value_name = "WEIGHT", value_parser = clap::value_parser!(u64).range(1..))]
    soft: Option<u64>,
    /// The format to read, if the file's name does not tell.
    #[arg(long, value_name = "FORMAT", hide_short_help = true)]
    from: Option<Format>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// A file as text.
fn text(path: &Path) -> anyhow::Result<String> {
    let bytes =
        read_file(path, READ.get()).map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
    String::from_utf8(bytes).ok().with_context(|| format!("{}: is not valid UTF-8", path.display()))
}

impl Arguments {
    /// The query that was asked.
    fn query(&self, problem: &Problem) -> anyhow::Result<Query> {
        let strength = self.soft.map_or(Strength::AsLoaded, Strength::AllSoft);
        let mut query = Query { strength, ..Query::default() };
        for (name, value) in &self.fix {
            let literal = evidence::find(problem.rules.variables(), name).context("--fix")?;
            query.fixed.push(if *value { literal } else { !literal });
        }
        if let Some(path) = &self.evidence {
            let bytes = text(path)?.into_bytes();
            let is_csv = path.to_string_lossy().to_ascii_lowercase().contains(".csv");
            let variables = problem.rules.variables();
            let evidence = if is_csv {
                Evidence::from_csv(&bytes, variables)
            } else {
                Evidence::from_json(&bytes, variables)
            };
            let evidence = evidence.with_context(|| path.display().to_string())?;
            evidence.add_to(&Choices::of(problem), &mut query)?;
        }
        Ok(query)
    }
}

/// The names of variables in a formula's comments: `* name x3 NAME`.
fn names(formula: &str) -> Vec<(String, usize)> {
    let comments = formula.lines().filter_map(|line| line.strip_prefix("* name x")?.split_once(' '));
    comments
        .filter_map(|(number, name)| Some((name.to_owned(), number.parse::<usize>().ok()?.checked_sub(1)?)))
        .collect()
}

pub fn run(arguments: &Arguments, matches: &ArgMatches, out: &mut dyn Write) -> anyhow::Result<YesNo> {
    let is_opb = arguments.source.extension().is_some_and(|extension| extension == "opb");
    let written = if is_opb { Some(text(&arguments.source)?) } else { None };
    let written = written.filter(|text| text.lines().any(|line| line == MARK));
    let is_written = written.is_some();
    let given = arguments.implies.is_some()
        || arguments.evidence.is_some()
        || !arguments.fix.is_empty()
        || arguments.soft.is_some();
    if is_written && given {
        bail!(
            "{}: the formula of a proof has the query in it; leave out the flags",
            arguments.source.display()
        );
    }
    let formula = match written {
        Some(text) => text,
        None => {
            let mut problem = source::read(&arguments.source, arguments.from, matches)?;
            if let Some(path) = &arguments.implies {
                let other = source::read(path, None, matches)?;
                if [&problem, &other].iter().any(|set| !set.linear.is_empty() || !set.soft.is_empty()) {
                    bail!("only rules that count literals can be certified");
                }
                problem = counterexample(&problem.rules, &other.rules)
                    .map_err(|what| anyhow::anyhow!("{}: {what}", path.display()))?;
            }
            proofs::text_of(&problem, &arguments.query(&problem)?)?
        }
    };
    let known = names(&formula);
    let answer = if arguments.answer == Path::new("infeasible") {
        preceptron_check::Answer::Infeasible
    } else {
        let shown = arguments.answer.display().to_string();
        let object = serde_json::from_str(&text(&arguments.answer)?).with_context(|| shown.clone())?;
        let by_name: std::collections::HashMap<&str, usize> =
            known.iter().map(|(name, number)| (name.as_str(), *number)).collect();
        let variables = known.iter().map(|(_, number)| number + 1).max().unwrap_or(0);
        if variables > known.len() {
            bail!("{}: its comments do not name all variables", arguments.source.display());
        }
        proofs::claimed(&object, variables, |name| by_name.get(name).copied()).context(shown)?
    };
    let proof = text(&arguments.proof)?;
    let second = proofs::of_unique(&arguments.proof);
    let second = if second.exists() { Some(text(&second)?) } else { None };
    // A formula that cannot be read is an error, not a proof that does not hold.
    Formula::read(&formula).map_err(|error| anyhow::anyhow!("{}: {error}", arguments.source.display()))?;
    let verified = verify(&formula, &answer, &proof, second.as_deref());
    if arguments.json {
        let object = match &verified {
            Ok(verified) => {
                json!({ "verified": true, "steps": verified.steps, "constraints": verified.constraints })
            }
            Err(error) => json!({ "verified": false, "because": error.to_string() }),
        };
        writeln!(out, "{object}")?;
    } else {
        match (&verified, &answer) {
            (Err(error), _) => writeln!(out, "not verified: {error}")?,
            (Ok(verified), answer) => {
                let what = match answer {
                    preceptron_check::Answer::Infeasible => match &arguments.implies {
                        Some(path) => format!(
                            "{} implies {}: nothing obeys the one and violates the other",
                            arguments.source.display(),
                            path.display()
                        ),
                        None => "nothing obeys all that must hold".to_owned(),
                    },
                    preceptron_check::Answer::Optimal { cost, unique, .. } => match unique {
                        Some(true) => {
                            format!("cost {cost} is the least, and no other assignment costs as little")
                        }
                        Some(false) => {
                            format!("cost {cost} is the least, and another assignment costs it too")
                        }
                        None => format!("cost {cost} is the least"),
                    },
                };
                let (steps, rows) =
                    (count(verified.steps, "step"), count(verified.constraints, "constraint"));
                writeln!(out, "verified: {what} ({steps} over {rows})")?;
                if !is_written {
                    let file = arguments.source.display();
                    writeln!(
                        out,
                        "the formula was made from {file} by this program; the rest is the checker's word"
                    )?;
                }
            }
        }
    }
    Ok(if verified.is_ok() { YesNo::Yes } else { YesNo::No })
}
