//! Results of nonograms in words and as JSON.

use std::io::Write;
use std::path::Path;

use preceptron::page::{Block, TrueRules, found_blocks};
use preceptron::words::{count, print_table, text};
use preceptron::{Case, Report, Shown, TaskResult};
use preceptron_logic::{Origin, RelativeRule, RuleSet, evidence_line};
use serde_json::{Value, json};

use super::authors::TRAINED;
use super::task::Scores;
use super::{
    ASSUMED, BoardScore, Encoding, Nonogram, Nonograms, Solved, formula, is_no_touch_among, known_among,
    words,
};

/// What the authors' encoding fixes, and what it leaves to learn.
const FIXED: &str = "\
Fixed in the solver: where runs stand, in their order; how long they are; what they paint.
Left to learn: that there is a gap where the next slot of a clue is not empty.";

/// The score and, after training, what was learned.
pub fn shown(case: Case<'_, Nonograms>, scores: &Scores, trained: Option<&Report>) -> TaskResult<Shown> {
    let (settings, model) = (case.settings, case.model);
    let entry = |(name, score): &(String, BoardScore)| json!({ "rows": name, "found": model.found.get(name), "test": score });
    let json = json!({
        "settings": settings, "seed": settings.seed, "rules": rules(&model.rules)?.json,
        "no_touch": is_no_touch_among(&model.rules), "report": trained,
        "test": scores.first().map(|(_, score)| score), "trials": scores.iter().map(entry).collect::<Vec<_>>(),
    });
    let lines = case.data.lines.len();
    let text = text(|out| -> TaskResult<()> {
        if let Some(report) = trained {
            writeln!(out, "nonogram: one line of each of {}, seed {}", count(lines, "board"), settings.seed)?;
            match settings.encoding {
                Encoding::Lines => {
                    writeln!(out, "  {report}")?;
                    out.write_all(rules(&model.rules)?.text.as_bytes())?;
                }
                Encoding::Authors => {
                    writeln!(out, "{FIXED}")?;
                }
            }
            writeln!(out)?;
        }
        match &scores[..] {
            [(name, score)] if name.is_empty() => {
                writeln!(out, "On boards that were not trained on: {score}.")?;
            }
            _ => print_trials(out, scores, &model.found)?,
        }
        Ok(())
    })?;
    Ok(Shown::answer(!model.rules.relative().is_empty(), text, json))
}

/// The authors' bits: rows that were trained, and the same rows as they were drawn.
fn print_trials(out: &mut dyn Write, scores: &Scores, found: &Value) -> TaskResult<()> {
    let titles = ["", "rows", "distinct", "as drawn", "one sum", "force gaps", "boards solved"];
    let row = |(name, score): &(String, BoardScore)| {
        let number = |key: &str| found[name][key].as_u64().unwrap_or(0).to_string();
        let words = if name == TRAINED { "trained rows" } else { "random rows, never trained" };
        vec![
            words.to_owned(),
            number("number"),
            number("distinct"),
            number("unchanged"),
            number("constant"),
            (if found[name]["forces_gaps"] == true { "yes" } else { "no" }).to_owned(),
            format!("{} of {}", score.right, score.boards),
        ]
    };
    print_table(out, &titles, &scores.iter().map(row).collect::<Vec<_>>())?;
    Ok(writeln!(
        out,
        "\nEach row allows the sums that the lines show. What random rows solve, training is no cause of."
    )?)
}

/// The rules for the page: each in a line, then which of the rules of nonograms are among them.
pub fn rule_blocks(rules: &RuleSet, encoding: Encoding) -> Vec<Block> {
    if encoding == Encoding::Authors {
        return FIXED.lines().map(|line| Block::Text(line.to_owned())).collect();
    }
    let lines = rule_lines(rules);
    let mut blocks = match lines.is_empty() {
        true => vec![Block::Text("No rule was learned.".to_owned())],
        false => vec![Block::List(lines)],
    };
    let known = known_among(rules);
    let truth: Vec<TrueRules> = known
        .iter()
        .map(|&(words, is_found)| TrueRules { words: words.to_owned(), all: 1, found: usize::from(is_found) })
        .collect();
    let others: Vec<String> =
        rules.relative().iter().filter(|rule| words(rule).is_none()).map(formula).collect();
    blocks.extend(found_blocks(&truth, &[], &others));
    blocks
}

/// Each rule in a line: words where there are some, the formula, the evidence.
fn rule_lines(rules: &RuleSet) -> Vec<String> {
    let line = |rule: &RelativeRule| {
        let evidence = match rule.evidence.examples {
            0 => String::new(),
            _ => format!(" ({})", evidence_line(&rule.evidence)),
        };
        match words(rule) {
            Some(words) => format!("{words}: {}{evidence}", formula(rule)),
            None => format!("{}{evidence}", formula(rule)),
        }
    };
    rules.relative().iter().map(line).collect()
}

/// What is assumed, the rules that were learned, and those that were given.
pub fn rules(rules: &RuleSet) -> TaskResult<Shown> {
    let entry = |rule: &RelativeRule| {
        json!({
            "formula": formula(rule), "words": words(rule), "evidence": rule.evidence, "origin": rule.origin,
        })
    };
    let entries: Vec<Value> = rules.relative().iter().map(entry).collect();
    let is_learned = |rule: &&RelativeRule| matches!(rule.origin, Origin::Learned { .. });
    let (learned, given): (Vec<&RelativeRule>, Vec<&RelativeRule>) =
        rules.relative().iter().partition(is_learned);
    let text = text(|out| {
        writeln!(out, "Assumed:")?;
        ASSUMED.iter().try_for_each(|assumed| writeln!(out, "  - {assumed}"))?;
        if !given.is_empty() {
            writeln!(out, "Given, not learned:")?;
        }
        given.iter().try_for_each(|rule| writeln!(out, "  - {}", formula(rule)))?;
        writeln!(out, "Learned:")?;
        for rule in &learned {
            match words(rule) {
                Some(words) => writeln!(out, "  - {words}\n    {}", formula(rule))?,
                None => writeln!(out, "  - {}", formula(rule))?,
            }
            if rule.evidence.examples > 0 {
                writeln!(out, "    {}", evidence_line(&rule.evidence))?;
            }
        }
        if learned.is_empty() { writeln!(out, "  nothing") } else { Ok(()) }
    })?;
    Ok(Shown::yes(text, json!({ "assumed": ASSUMED, "learned": entries })))
}

/// What came of a board: pictures, lines that clash, or nothing in time.
pub fn solved(
    clues: &Nonogram,
    solved: &Solved,
    wanted: usize,
    drawn: Option<&Path>,
) -> std::io::Result<Shown> {
    match solved {
        Solved::Pictures(pictures, is_complete) => {
            let shown = &pictures[..pictures.len().min(wanted)];
            let rows = |picture: &Vec<bool>| -> Vec<String> {
                clues.draw(picture).lines().map(ToOwned::to_owned).collect()
            };
            let rows: Vec<Vec<String>> = shown.iter().map(rows).collect();
            let unique = if pictures.len() > 1 { Some(false) } else { is_complete.then_some(true) };
            let text = text(|out| {
                shown.iter().try_for_each(|picture| writeln!(out, "{}", clues.draw_with_clues(picture)))?;
                match (shown.len(), pictures.len() > wanted, *is_complete) {
                    (1, false, true) => writeln!(out, "This is the only solution.")?,
                    (1, true, _) => writeln!(out, "This is not the only solution; --all N shows more.")?,
                    (several, true, _) => writeln!(out, "There are more than these {several} solutions.")?,
                    (several, false, true) => writeln!(out, "These {several} are all solutions.")?,
                    (_, false, false) => {
                        writeln!(out, "Whether there are others was not found out in time.")?
                    }
                }
                drawn.map_or(Ok(()), |path| writeln!(out, "Drawn to {}.", path.display()))
            })?;
            Ok(Shown::yes(text, json!({ "pictures": rows, "unique": unique })))
        }
        Solved::Clash(lines) => {
            let names: Vec<String> = lines.iter().map(ToString::to_string).collect();
            let text = match names.as_slice() {
                [line] => format!("There is no solution: {line} has no room for its clue.\n"),
                [others @ .., last] => {
                    format!("There is no solution: {} and {last} cannot hold together.\n", others.join(", "))
                }
                [] => "There is no solution: the rules contradict each other.\n".to_owned(),
            };
            Ok(Shown::answer(false, text, json!({ "pictures": [], "clash": names })))
        }
        Solved::Unknown => {
            let json = json!({ "pictures": [], "unique": null });
            Ok(Shown::answer(false, "No solution was found in time.\n", json))
        }
    }
}
