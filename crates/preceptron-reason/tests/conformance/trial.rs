//! One random problem: solved, its answer proved, the proof checked, and then answer and proof made wrong.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use preceptron_check::{Answer as Checked, verify};
use preceptron_logic::Problem;
use preceptron_reason::{Answer, Backend, Claim, Limits, Proving, Query, Status, Version};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::conformance::draw::Draw;
use crate::conformance::draw_larger::DrawLarger;

/// What was tried.
#[derive(Debug, Default)]
pub struct Tried {
    /// Answers whose proof was accepted.
    pub accepted: usize,
    /// Wrong answers and wrong proofs that were refused.
    pub refused: usize,
    /// Answers without a proof: numbers too large for one.
    pub without: usize,
    /// Steps of accepted proofs.
    pub steps: usize,
}

impl Tried {
    /// Adds what was tried elsewhere.
    pub fn add(&mut self, other: &Tried) {
        self.accepted += other.accepted;
        self.refused += other.refused;
        self.without += other.without;
        self.steps += other.steps;
    }
}

fn written(claim: &Claim, version: Version) -> Result<String, String> {
    let mut proof = Vec::new();
    match claim.prove(version, &Limits::default(), &mut proof).map_err(|error| error.to_string())? {
        Proving::Done(bytes) if bytes == proof.len() as u64 => (),
        other => return Err(format!("{other:?}")),
    }
    String::from_utf8(proof).map_err(|error| error.to_string())
}

fn claimed(answer: &Answer, cost_less: i64, flipped: Option<usize>) -> Checked {
    match &answer.solution {
        None => Checked::Infeasible,
        Some(solution) => {
            let sign = |(at, &value): (usize, &bool)| if value == (flipped == Some(at)) { "~" } else { "" };
            let literal = |(at, value)| format!("{}x{}", sign((at, value)), at + 1);
            Checked::Optimal {
                cost: i128::from(solution.cost) - i128::from(cost_less),
                literals: solution.values.iter().enumerate().map(literal).collect(),
                unique: answer.unique,
            }
        }
    }
}

/// Draws a problem and a query, and tries them.
pub fn draw(seed: u64, checker: Option<&Path>) -> Result<Tried, String> {
    let (mut plain, query);
    if seed % 10 == 9 {
        let mut draw = DrawLarger::new(seed, 1 << 20);
        plain = draw.problem();
        query = draw.query(&plain);
    } else {
        let mut draw = Draw::new(seed, 1 << 40);
        plain = draw.problem();
        query = draw.query(&plain);
    }
    attempt(&Arc::new(plain.build()), &query, seed, checker).map_err(|what| format!("problem {seed}: {what}"))
}

/// What another checker, such as VeriPB, says of a formula and a proof in version 3.0.
fn accepted_outside(checker: &Path, seed: u64, opb: &str, proof: &str) -> Result<(), String> {
    let name =
        |end: &str| std::env::temp_dir().join(format!("precept-proof-{}-{seed}{end}", std::process::id()));
    let (formula, steps) = (name(".opb"), name(".pbp"));
    std::fs::write(&formula, opb).and_then(|()| std::fs::write(&steps, proof)).map_err(|e| e.to_string())?;
    let output =
        Command::new(checker).arg(&formula).arg(&steps).output().map_err(|error| error.to_string())?;
    let _ = (std::fs::remove_file(&formula), std::fs::remove_file(&steps));
    match output.status.success() {
        true => Ok(()),
        false => {
            let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            Err(format!("{}{}\n{opb}\n{proof}", said(&output.stdout), said(&output.stderr)))
        }
    }
}

/// Tries a problem and a query; proofs go to another checker as well if one is given.
pub fn attempt(
    problem: &Arc<Problem>,
    query: &Query,
    seed: u64,
    checker: Option<&Path>,
) -> Result<Tried, String> {
    let mut tried = Tried::default();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let version = if seed.is_multiple_of(2) && checker.is_none() { Version::Two } else { Version::Three };
    let mut reasoner = Backend::default().load(Arc::clone(problem)).map_err(|error| error.to_string())?;
    let answer = match reasoner.solve(query) {
        Ok(answer) => answer,
        // Queries that do not fit are no subject here.
        Err(_) => return Ok(tried),
    };
    if !matches!(answer.status, Status::Optimal | Status::Infeasible) {
        return Ok(tried);
    }
    let mut another = None;
    if let (Some(false), Some(solution)) = (answer.unique, &answer.solution) {
        let given = [solution.values.clone()];
        let other = reasoner.solve_others(query, &given, 0).map_err(|error| error.to_string())?;
        another = other.solution.map(|solution| solution.values);
    }
    let Ok(claim) = Claim::of(problem, query, &answer, another.as_deref()) else {
        tried.without += 1;
        return Ok(tried);
    };
    let claim = claim.ok_or("nothing is claimed")?;
    let proof = written(&claim, version)?;
    let of_unique = Claim::of_unique(problem, query, &answer)?;
    let second = of_unique.as_ref().map(|claim| written(claim, version)).transpose()?;
    let opb = claim.opb();
    let right = claimed(&answer, 0, None);
    let verified = verify(opb, &right, &proof, second.as_deref())
        .map_err(|error| format!("{error}\n{opb}\n{proof}\n{second:?}\n{right:?}"))?;
    (tried.accepted, tried.steps) = (1, verified.steps);

    if let Some(checker) = checker {
        accepted_outside(checker, seed, opb, &proof)?;
        if let (Some(claim), Some(second)) = (&of_unique, &second) {
            accepted_outside(checker, seed, claim.opb(), second)?;
        }
    }

    let mut must_be_refused =
        |formula: &str, answer: &Checked, proof: &str, second: Option<&str>| match verify(
            formula, answer, proof, second,
        ) {
            Err(_) => {
                tried.refused += 1;
                Ok(())
            }
            Ok(_) => Err(format!("accepted\n{formula}\n{answer:?}\n{proof}\n{second:?}")),
        };
    let second = second.as_deref();
    // Another cost, another kind of answer.
    if let Some(solution) = &answer.solution {
        for less in [1, -1] {
            must_be_refused(opb, &claimed(&answer, less, None), &proof, second)?;
        }
        must_be_refused(opb, &Checked::Infeasible, &proof, second)?;
        if answer.unique == Some(true) {
            must_be_refused(opb, &right, &proof, None)?;
            if !solution.values.is_empty() {
                let flipped = random.random_range(0..solution.values.len());
                must_be_refused(opb, &claimed(&answer, 0, Some(flipped)), &proof, second)?;
            }
        }
        if let (Checked::Optimal { cost, literals, unique: Some(unique) }, true) = (&right, another.is_none())
        {
            let (cost, literals) = (*cost, literals.clone());
            must_be_refused(
                opb,
                &Checked::Optimal { cost, literals, unique: Some(!unique) },
                &proof,
                second,
            )?;
        }
    } else {
        let wrong = Checked::Optimal { cost: 0, literals: Vec::new(), unique: None };
        must_be_refused(opb, &wrong, &proof, second)?;
    }
    // A proof that lacks something.
    let lines: Vec<&str> = proof.lines().collect();
    let without = |gone: &dyn Fn(&str) -> bool| -> String {
        lines.iter().filter(|line| !gone(line)).map(|line| format!("{line}\n")).collect()
    };
    for start in ["pseudo-Boolean", "output", "conclusion", "end pseudo-Boolean"] {
        must_be_refused(opb, &right, &without(&|line| line.starts_with(start)), second)?;
    }
    if let Some(last) = lines.iter().rfind(|line| line.starts_with("pol ")) {
        must_be_refused(opb, &right, &without(&|line| line == *last), second)?;
    }
    // The same proof of a formula of which a row is gone.
    let rows: Vec<&str> = opb.lines().filter(|line| line.contains(">=")).collect();
    if !rows.is_empty() {
        let gone = rows[random.random_range(0..rows.len())];
        let mut left = false;
        let keeps = |line: &&str| *line != gone || std::mem::replace(&mut left, true);
        let formula: String = opb.lines().filter(keeps).map(|line| format!("{line}\n")).collect();
        must_be_refused(&formula, &right, &proof, second)?;
    }
    Ok(tried)
}
