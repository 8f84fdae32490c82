//! Proofs of answers as files: the formula beside the proof, and a second pair where an answer is the only one.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use preceptron_logic::Problem;
use preceptron_reason::{Answer, Claim, Limits, Proving, Query, Reasoner, Version};

/// The proof that there is no other answer stands beside the proof of the answer.
pub fn of_unique(proof: &Path) -> PathBuf {
    let extension =
        proof.extension().map_or("pbp".into(), |extension| extension.to_string_lossy().into_owned());
    proof.with_extension(format!("unique.{extension}"))
}

/// The proof of the other direction stands beside that of the first.
pub fn of_back(proof: &Path) -> PathBuf {
    let extension =
        proof.extension().map_or("pbp".into(), |extension| extension.to_string_lossy().into_owned());
    proof.with_extension(format!("back.{extension}"))
}

/// The formula stands beside its proof.
pub fn formula(proof: &Path) -> PathBuf {
    proof.with_extension("opb")
}

/// Proves what an answer claims, and says in one line what was written; whether all of it could be proved.
pub fn write(
    path: &Path,
    version: Version,
    reasoner: &mut dyn Reasoner,
    query: &Query,
    answer: &Answer,
) -> anyhow::Result<(bool, String)> {
    let problem = std::sync::Arc::clone(reasoner.problem());
    let mut another = None;
    if let (Some(false), Some(solution)) = (answer.unique, &answer.solution) {
        let other = reasoner.solve_others(query, std::slice::from_ref(&solution.values), 0)?;
        another = other.solution.filter(|other| other.cost == solution.cost).map(|other| other.values);
    }
    let refused = |what: String| anyhow::anyhow!("{}: no proof: {what}", path.display());
    let Some(claim) = Claim::of(&problem, query, answer, another.as_deref()).map_err(refused)? else {
        return Ok((false, "no proof: a limit ended the search, so that nothing was claimed".to_owned()));
    };
    let mut done = pair(path, version, &claim, &query.limits)?;
    let mut line = match done {
        Some(bytes) => {
            format!("proof: {} ({bytes} bytes), about {}", path.display(), formula(path).display())
        }
        None => "no proof: a limit ended the search for it".to_owned(),
    };
    let second = of_unique(path);
    if done.is_some()
        && let Some(claim) = Claim::of_unique(&problem, query, answer).map_err(refused)?
    {
        done = pair(&second, version, &claim, &query.limits)?;
        line += &match done {
            Some(bytes) => format!("; that there is no other: {} ({bytes} bytes)", second.display()),
            None => "; that there is no other could not be proved in time".to_owned(),
        };
    }
    Ok((done.is_some(), line))
}

/// Writes a formula and its proof; how many bytes the proof has, or nothing, and no files, if a limit came first.
pub fn pair(path: &Path, version: Version, claim: &Claim, limits: &Limits) -> anyhow::Result<Option<u64>> {
    let beside = formula(path);
    let failed = |path: &Path| path.display().to_string();
    if beside == path {
        anyhow::bail!(
            "{}: the formula is written to a file .opb; give the proof another name",
            path.display()
        );
    }
    std::fs::write(&beside, claim.opb()).with_context(|| failed(&beside))?;
    let mut file = BufWriter::new(File::create(path).with_context(|| failed(path))?);
    let proving = claim.prove(version, limits, &mut file).with_context(|| failed(path))?;
    file.flush().with_context(|| failed(path))?;
    match proving {
        Proving::Done(bytes) => Ok(Some(bytes)),
        Proving::Unfinished | Proving::NothingClaimed => {
            drop(file);
            let _ = (std::fs::remove_file(path), std::fs::remove_file(&beside));
            Ok(None)
        }
    }
}

/// What an answer of this program in JSON claims, in the checker's words. `number` is a variable's number by its name.
pub fn claimed(
    object: &serde_json::Value,
    variables: usize,
    number: impl Fn(&str) -> Option<usize>,
) -> anyhow::Result<preceptron_check::Answer> {
    let status = object["status"].as_str().context("the answer has no \"status\"")?;
    match status {
        "infeasible" => return Ok(preceptron_check::Answer::Infeasible),
        "optimal" => (),
        other => anyhow::bail!("the answer's status is {other:?}, of which there is no proof"),
    }
    let mut values = vec![false; variables];
    for name in object["true"].as_array().context("the answer has no \"true\"")? {
        let name = name.as_str().context("\"true\" has something in it that is no name")?;
        let at = number(name).with_context(|| format!("{name}: the rules have no such variable"))?;
        *values.get_mut(at).with_context(|| format!("{name}: the rules have no such variable"))? = true;
    }
    let cost = object
        .get("cost")
        .map_or(Some(0), serde_json::Value::as_i64)
        .context("\"cost\" is no whole number")?;
    let sign = |value: bool| if value { "" } else { "~" };
    let literals =
        values.iter().zip(1..).map(|(&value, number): (&bool, usize)| format!("{}x{number}", sign(value)));
    let unique = object.get("unique").and_then(serde_json::Value::as_bool);
    Ok(preceptron_check::Answer::Optimal { cost: cost.into(), literals: literals.collect(), unique })
}

/// The formula about which a query asks, as text.
pub fn text_of(problem: &Problem, query: &Query) -> anyhow::Result<String> {
    let formula =
        preceptron_reason::Formula::of(problem, query).context("its numbers are too large for a proof")?;
    Ok(formula.to_opb(problem))
}
