//! Results of chained XOR in words and as JSON.

use std::io::{self, Write};

use preceptron::page::Block;
use preceptron::words::{constraint_line, count, percentage, print_table, sum_line, text};
use preceptron::{Case, Report, Shown, TaskResult};
use preceptron_logic::RuleSet;
use serde_json::{Value, json};

use super::task::{Scores, XorData, by_method};
use super::{Score, Strings, Xor};

/// The most rules to show of one method.
const SHOWN: usize = 3;

/// The score and, after training, what each method learned.
pub fn shown(case: Case<'_, Xor>, scores: &Scores, trained: Option<&Report>) -> TaskResult<Shown> {
    let XorData { strings, held_out } = case.data;
    let rules = by_method(case.model, strings);
    let mut methods = Vec::new();
    for ((method, score), (_, rules)) in scores.iter().zip(&rules) {
        let sums: Vec<String> = rules.constraints().map(|rule| sum_line(strings.variables(), rule)).collect();
        methods.push(json!({
            "method": method, "held_out": score.metrics(), "sums": sums, "found": case.model.found.get(method),
            "rules": serde_json::from_str::<Value>(&preceptron_logic::json::write(rules))?,
            "training": Score::of(rules, strings.training(), strings.answer()).metrics(),
            "names_exactly_the_relevant_bits": strings.bits_of(rules).iter().eq(strings.relevant()),
        }));
    }
    let relevant: Vec<usize> = strings.relevant().iter().map(|bit| bit.index() + 1).collect();
    let json = json!({
        "seed": case.settings.seed, "settings": case.settings, "relevant": relevant, "methods": methods,
        "kept": case.model.rules.notes.get("method"),
    });
    let text = text(|out| {
        print_task(out, case, held_out.len())?;
        if trained.is_some() {
            for (method, rules) in &rules[..rules.len() - 1] {
                print_method(out, strings, method, rules, &case.model.found[method])?;
            }
        }
        writeln!(out)?;
        print_scores(out, scores)?;
        let of = |method: &str| rules.iter().find(|(name, _)| name == method).map(|(_, rules)| rules);
        if let (Some(auxiliary), Some(control), true) = (of("auxiliary"), of("control"), trained.is_some())
            && auxiliary.constraints().eq(control.constraints())
        {
            writeln!(
                out,
                "\nThe control learns nothing but the sums, and its rule is that of the auxiliary form: a bound as large\n\
                 as the string drives every weight to 1, whichever bits matter. Only elimination finds those."
            )?;
        }
        match case.model.rules.notes.get("method") {
            Some(kept) if scores.len() > 2 && trained.is_some() => {
                writeln!(out, "\nThe run's rules are those by {kept}.")
            }
            _ => Ok::<_, io::Error>(()),
        }
    })?;
    Ok(Shown::answer(!case.model.rules.is_empty(), text, json))
}

/// For the page: the rule that the strings were made by, and which of its bits each method names.
pub fn found(case: Case<'_, Xor>) -> Vec<Block> {
    let strings = &case.data.strings;
    let truth = strings.truth();
    let rules = by_method(case.model, strings);
    let row = |(method, rules): &(String, RuleSet)| {
        let (named, relevant) = (strings.bits_of(rules), strings.relevant());
        let right = relevant.iter().filter(|bit| named.contains(bit)).count();
        let missing = match relevant.len() - right {
            0 => "none".to_owned(),
            missing => missing.to_string(),
        };
        let has_rule = if rules.contains(&truth) { "found" } else { "missing" };
        let others = (named.len() - right).to_string();
        vec![method.clone(), has_rule.to_owned(), right.to_string(), missing, others]
    };
    let titles = ["Learned by", "the rule", "bits that matter", "missing", "others"];
    vec![
        Block::Heading("Found and missing".to_owned()),
        Block::Text(format!(
            "The strings were made by one rule: {}.",
            shortened(constraint_line(strings.variables(), &truth))
        )),
        Block::Table { titles: titles.map(str::to_owned).into(), rows: rules.iter().map(row).collect() },
    ]
}

/// How the strings were made.
fn print_task(out: &mut dyn Write, case: Case<'_, Xor>, held_out: usize) -> io::Result<()> {
    let (strings, settings) = (&case.data.strings, case.settings);
    let (length, relevant) = (strings.length(), strings.relevant().len());
    let matter = match relevant == length {
        true => "all of which matter".to_owned(),
        false => format!("of which {relevant} matter"),
    };
    writeln!(
        out,
        "xor: {} of {length} bits, {matter}; {} ones, seed {}",
        count(strings.training().len(), "string"),
        percentage(settings.ones),
        settings.seed
    )?;
    match held_out {
        0 => writeln!(
            out,
            "  every other string that was drawn had been trained on: nothing to score rules by"
        ),
        _ => writeln!(out, "  {} that were not trained on, to score rules by", count(held_out, "string")),
    }
}

/// What a method learned.
fn print_method(
    out: &mut dyn Write,
    strings: &Strings,
    method: &str,
    rules: &RuleSet,
    found: &Value,
) -> io::Result<()> {
    let steps = found["steps"].as_u64().unwrap_or(0) as usize;
    let end = if found["rests"] == true { "came to rest after" } else { "made all of its" };
    writeln!(out, "\n{method} {end} {}", count(steps, "step"))?;
    if let Some(rows) = found["distinct_rows"].as_u64() {
        writeln!(out, "  {}", count(rows as usize, "distinct row"))?;
    }
    if rules.is_empty() {
        return writeln!(out, "  no rule was found");
    }
    for constraint in rules.constraints().take(SHOWN) {
        writeln!(out, "  {}", sum_line(strings.variables(), constraint))?;
        writeln!(out, "  that is, {}", shortened(constraint_line(strings.variables(), constraint)))?;
    }
    if rules.len() > SHOWN {
        writeln!(out, "  ... and {} more", rules.len() - SHOWN)?;
    }
    if let Some(note) = rules.notes.get("sums") {
        writeln!(out, "  {note}")?;
    }
    let (named, relevant) = (strings.bits_of(rules), strings.relevant());
    let right = relevant.iter().filter(|bit| named.contains(bit)).count();
    match (named.len() == right, right == relevant.len()) {
        (true, true) => writeln!(out, "  names exactly the {} that matter", count(right, "bit")),
        _ => writeln!(
            out,
            "  names {}: {right} of the {} that matter, {} that do not",
            count(named.len(), "bit"),
            relevant.len(),
            named.len() - right
        ),
    }
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
fn print_scores(out: &mut dyn Write, scores: &Scores) -> io::Result<()> {
    let titles: Vec<&str> = ["on strings held out"].into_iter().chain(SCORE_TITLES).collect();
    let row = |(name, score): &(String, Score)| {
        let name = if name == "control" { "control: all ones from the start" } else { name };
        [name.to_owned()].into_iter().chain(score_cells(score)).collect()
    };
    print_table(out, &titles, &scores.iter().map(row).collect::<Vec<_>>())
}
