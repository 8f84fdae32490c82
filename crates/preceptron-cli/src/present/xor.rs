//! Results of chained XOR in words, as a table, and as JSON.

use std::io::Write;

use preceptron::Task;
use preceptron_logic::RuleSet;
use preceptron_tasks::xor::{Score, Trial, Xor};
use serde_json::{Value, json};

use super::{constraint_line, count, percentage, print_table, sum_line};

/// The most rules to show of one method.
const SHOWN: usize = 3;

/// How the strings were made.
pub fn print_task(
    out: &mut dyn Write,
    task: &Xor,
    ones: f64,
    seed: u64,
    held_out: u64,
) -> anyhow::Result<()> {
    let strings = count(task.training().len(), "string");
    let (length, relevant) = (task.length(), task.relevant().len());
    let matter = match relevant == length {
        true => "all of which matter".to_owned(),
        false => format!("of which {relevant} matter"),
    };
    writeln!(out, "xor: {strings} of {length} bits, {matter}; {} ones, seed {seed}", percentage(ones))?;
    match held_out {
        0 => writeln!(
            out,
            "  every other string that was drawn had been trained on: nothing to score rules by"
        )?,
        _ => writeln!(
            out,
            "  {} that were not trained on, to score rules by",
            count(held_out as usize, "string")
        )?,
    }
    Ok(())
}

/// What a method learned.
pub fn print_trial(out: &mut dyn Write, task: &Xor, trial: &Trial) -> anyhow::Result<()> {
    if let Some(report) = &trial.report {
        writeln!(out, "\n{report}")?;
    }
    if let Some(rows) = trial.distinct_rows {
        writeln!(out, "  {}", count(rows, "distinct row"))?;
    }
    if trial.rules.is_empty() {
        return Ok(writeln!(out, "  no rule was found")?);
    }
    for constraint in trial.rules.constraints().take(SHOWN) {
        writeln!(out, "  {}", sum_line(task.variables(), constraint))?;
        writeln!(out, "  that is, {}", shortened(constraint_line(task.variables(), constraint)))?;
    }
    if trial.rules.len() > SHOWN {
        writeln!(out, "  ... and {} more", trial.rules.len() - SHOWN)?;
    }
    if let Some(note) = trial.rules.notes.get("sums") {
        writeln!(out, "  {note}")?;
    }
    let (named, relevant) = (trial.bits(task), task.relevant());
    let right = relevant.iter().filter(|bit| named.contains(bit)).count();
    match (named.len() == right, right == relevant.len()) {
        (true, true) => writeln!(out, "  names exactly the {} that matter", count(right, "bit"))?,
        _ => writeln!(
            out,
            "  names {}: {right} of the {} that matter, {} that do not",
            count(named.len(), "bit"),
            relevant.len(),
            named.len() - right
        )?,
    }
    Ok(())
}

/// A line that lists a great many bits, cut after some of them.
fn shortened(line: String) -> String {
    const WIDTH: usize = 100;
    match line.char_indices().nth(WIDTH).and_then(|(end, _)| line[..end].rfind(", ")) {
        Some(end) => format!("{}, ...", &line[..end]),
        None => line,
    }
}

/// Titles of [`score_cells`].
pub const SCORE_TITLES: [&str; 5] = ["accuracy", "F1 of 0", "F1 of 1", "undecided", "if guessed"];

/// A score as cells of a table.
pub fn score_cells(score: &Score) -> Vec<String> {
    [score.accuracy(), score.f1(0), score.f1(1), score.undecided(), score.with_guesses()]
        .map(percentage)
        .into()
}

/// Scores, a row for each name.
pub fn print_scores(out: &mut dyn Write, scores: &[(&str, Score)]) -> anyhow::Result<()> {
    let titles: Vec<&str> = ["on strings held out"].into_iter().chain(SCORE_TITLES).collect();
    let row = |(name, score): &(&str, Score)| {
        let name = if *name == "control" { "control: all ones from the start" } else { *name };
        [name.to_owned()].into_iter().chain(score_cells(score)).collect()
    };
    print_table(out, &titles, &scores.iter().map(row).collect::<Vec<_>>())?;
    Ok(())
}

/// What the control shows, where the auxiliary form came to the same rules.
pub fn control_sentence(trials: &[Trial]) -> Option<&'static str> {
    let rules = |method: &str| {
        let trial = trials.iter().find(|trial| trial.method == method)?;
        Some(trial.rules.constraints().collect::<Vec<_>>())
    };
    (rules("auxiliary")? == rules("control")?).then_some(
        "The control learns nothing but the sums, and its rule is that of the auxiliary form: a bound as large\n\
         as the string drives every weight to 1, whichever bits matter. Only elimination finds those.",
    )
}

/// A score as a JSON object.
pub fn score(score: &Score) -> anyhow::Result<Value> {
    Ok(serde_json::to_value(score.metrics())?)
}

/// What a method came to, as a JSON object.
pub fn trial(task: &Xor, trial: &Trial) -> anyhow::Result<Value> {
    Ok(json!({
        "method": trial.method,
        "rules": super::json::rules(&trial.rules)?,
        "sums": lines(task, &trial.rules),
        "report": trial.report,
        "distinct_rows": trial.distinct_rows,
        "names_exactly_the_relevant_bits": trial.bits(task).iter().eq(task.relevant()),
        "training": score(&trial.on_training)?,
        "held_out": score(&trial.on_held_out)?,
    }))
}

fn lines(task: &Xor, rules: &RuleSet) -> Vec<String> {
    rules.constraints().map(|constraint| sum_line(task.variables(), constraint)).collect()
}
