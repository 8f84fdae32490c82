//! What was found and how examples came out, in words, as JSON and on a page.

use preceptron::latent::{Meaning, Relation};
use preceptron::page::{
    Block, Drawing, Figure, Section, percent, png_address, reliability_section, rules_section,
};
use preceptron::words::{list_families, text};
use preceptron::{Context, Model, Report, Shown, TaskResult};
use preceptron_logic::lift;
use serde_json::json;

use super::{Answered, HiddenData, HiddenScore};
use crate::picture::Picture;

/// Families that are listed, and examples that are drawn.
const LISTED: usize = 12;
const DRAWN: usize = 8;
/// Lines of a table without a name.
const TABLE: usize = 40;

/// What the run says of its relation.
fn meaning_of(model: &Model) -> TaskResult<Meaning> {
    let part = model.parts.get("meaning").context("the run has no relation of pictures and answers")?;
    serde_json::from_value(part.clone()).context("the run's relation")
}

/// In how many cells of its table a relation is the true one, the symbols being what most of their pictures show.
fn exact(
    model: &Model,
    data: &HiddenData,
    score: &HiddenScore,
    truth: &dyn Fn(&[u8]) -> String,
) -> Option<[usize; 2]> {
    let relation: Relation = serde_json::from_value(model.parts.get("relation")?.clone()).ok()?;
    let Relation::Table { places, symbols, .. } = &relation else { return None };
    let forward = super::Forward::of(model, "value").ok()??;
    let most = |row: &Vec<usize>| (0..row.len()).max_by_key(|at| row[*at]).unwrap_or(0) as u8;
    let label: Vec<u8> = score.shown.iter().map(most).collect();
    if places.len() != data.held_out.places.len() {
        return None;
    }
    let cells = symbols.pow(places.len() as u32);
    let right = |at: &usize| {
        let of = |place: usize| at / symbols.pow((places.len() - 1 - place) as u32) % symbols;
        let shown: Vec<usize> = (0..places.len()).map(of).collect();
        let told = truth(&shown.iter().map(|symbol| label[*symbol]).collect::<Vec<u8>>());
        forward.answer(&shown) == [Some(told)]
    };
    Some([(0..cells).filter(right).count(), cells])
}

/// The score in words and as JSON.
#[expect(clippy::type_complexity, reason = "what is told of digits")]
pub(crate) fn shown(
    model: &Model,
    data: &HiddenData,
    score: &HiddenScore,
    assumptions: &[String],
    trained: Option<&Report>,
    truth: Option<&dyn Fn(&[u8]) -> String>,
) -> TaskResult<Shown> {
    let meaning = meaning_of(model)?;
    let (rows, right, open) = (score.answers.len(), score.right(), score.open());
    let [read, pictures] = score.pictures();
    let cells = truth.and_then(|truth| exact(model, data, score, truth));
    let columns: Vec<String> = data.held_out.answers.iter().map(|column| column.name.clone()).collect();
    let headlines = meaning.headline(&columns);
    let json = json!({
        "relation": headlines, "named": meaning.operators, "meaning": meaning, "doubt": meaning.doubt(),
        "rules": model.rules.len(), "calibration": model.calibration,
        "seconds": trained.map(|report| report.seconds), "cpu_seconds": trained.map(|report| report.cpu_seconds),
        "held_out": {
            "rows": rows, "rows_right": right, "rows_open": open,
            "pictures": pictures, "pictures_as_most_of_their_symbol": read, "cells_right": cells,
        },
    });
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    let text = text(|out| -> TaskResult<()> {
        for line in &headlines {
            writeln!(out, "{line}")?;
        }
        if let Some(doubt) = meaning.doubt() {
            writeln!(out, "{doubt}")?;
        }
        for line in meaning.table.iter().take(TABLE) {
            writeln!(out, "  {line}")?;
        }
        if meaning.table.len() > TABLE {
            writeln!(out, "  and {} more such lines (--json has all)", meaning.table.len() - TABLE)?;
        }
        if trained.is_some() {
            writeln!(out)?;
            for line in meaning.story() {
                writeln!(out, "{line}")?;
            }
            let [learned, added] = meaning.rules;
            writeln!(
                out,
                "\n{} rules, {learned} of them by the learner from the symbols of all pictures{}:",
                model.rules.len(),
                match added {
                    0 => String::new(),
                    _ => format!(", {added} read from the relation beside them"),
                }
            )?;
            list_families(out, &model.rules, &lift(&model.rules), LISTED, "precept rules")?;
        }
        writeln!(out, "\nOn {rows} examples that were held out, from their pictures:")?;
        writeln!(out, "  {:.2}% of the answers are right ({right} of {rows})", share(right, rows))?;
        if open > 0 {
            writeln!(out, "  {open} answers are left open by the rules")?;
        }
        if pictures > 0 {
            writeln!(
                out,
                "  {:.2}% of the pictures show what most pictures read as their symbol show ({read} of {pictures})",
                share(read, pictures)
            )?;
        }
        if let Some([right, cells]) = cells {
            writeln!(
                out,
                "  {right} of {cells} cells are those of the truth, symbols taken for what they mostly show"
            )?;
        }
        if let Some(report) = trained {
            writeln!(out, "\nThese figures lean on this: {}.", assumptions.join("; "))?;
            writeln!(out, "Training took {:.1} CPU-s.", report.cpu_seconds)?;
        }
        Ok(())
    })?;
    Ok(Shown::answer(meaning.doubt().is_none(), text, json))
}

/// The sections of the page.
pub(crate) fn sections(model: &Model, data: &HiddenData, score: &HiddenScore) -> TaskResult<Vec<Section>> {
    let meaning = meaning_of(model)?;
    let (rows, right) = (score.answers.len(), score.right());
    let columns: Vec<String> = data.held_out.answers.iter().map(|column| column.name.clone()).collect();
    let mut figures = vec![Figure::new(
        percent(right, rows, 2),
        "of answers right",
        format!("{right} of {rows} that were held out"),
    )];
    let [read, pictures] = score.pictures();
    if pictures > 0 {
        figures.push(Figure::new(
            percent(read, pictures, 2),
            "of pictures show what most pictures of their symbol show",
            format!("{read} of {pictures}"),
        ));
    }
    let told: Vec<String> =
        meaning.headline(&columns).into_iter().chain(meaning.doubt()).chain(meaning.story()).collect();
    let mut top = vec![Block::Figures(figures)];
    top.extend(told.into_iter().map(Block::Text));
    let pairs = score.answers.iter().map(|one| (one.confidence, one.is_right));
    let reliability = reliability_section(
        "How sure answers are",
        "The probability of an answer is that of all that the pictures may show and that has it.",
        ["probability of the answer", "share that is right"],
        pairs,
    );
    let (good, bad): (Vec<usize>, Vec<usize>) = (0..rows).partition(|row| score.answers[*row].is_right);
    let mut blocks = Vec::new();
    for (title, of) in [("Failed", bad), ("Answered", good)].into_iter().filter(|(_, of)| !of.is_empty()) {
        blocks.push(Block::Heading(format!("{title}: {} of {rows}", of.len())));
        let drawn = of.iter().take(DRAWN).map(|row| drawing(data, &meaning, &score.answers[*row], *row));
        blocks.push(Block::Drawings(drawn.collect::<TaskResult<_>>()?));
    }
    let mut sections = vec![Section::new("", top), rules_section(&model.rules, "", |_, _| String::new())];
    sections.extend(reliability);
    sections.push(Section::new("Examples", blocks));
    Ok(sections)
}

/// The pictures of an example side by side, what was read and answered.
fn drawing(data: &HiddenData, meaning: &Meaning, answered: &Answered, row: usize) -> TaskResult<Drawing> {
    const ACROSS: usize = 16;
    let (puzzles, places) = (&data.held_out, data.held_out.places.len());
    let shape = puzzles.shape;
    let (across, down) = (places.min(ACROSS), places.div_ceil(ACROSS));
    let mut strip = Picture::new(across * (shape.width + 2), down * (shape.height + 2), 0);
    for (at, number) in puzzles.pictures[row * places..][..places].iter().enumerate() {
        // Of colours the first.
        let pixels = &puzzles.pixels[*number as usize * shape.size()..][..shape.pixels()];
        let one = Picture::from_pixels(shape.width, pixels.to_vec());
        strip.paste(at % ACROSS * (shape.width + 2), at / ACROSS * (shape.height + 2), &one);
    }
    let name = |symbol: &usize| meaning.symbols.get(*symbol).cloned().unwrap_or_default();
    let read: Vec<String> = answered.symbols.iter().map(name).collect();
    let told = puzzles.told_of(row).iter().zip(&puzzles.answers);
    let told: Vec<String> =
        told.map(|(value, column)| format!("{} = {}", column.name, column.labels[*value as usize])).collect();
    let answer: Vec<&str> = answered.answer.iter().map(|one| one.as_deref().unwrap_or("open")).collect();
    let notes = vec![
        format!("read as {}", read.join(" ")),
        format!("answer {} ({:.3}); told {}", answer.join(", "), answered.confidence, told.join(", ")),
    ];
    let title = format!("Example {}", data.rows[row]);
    Ok(Drawing { picture: png_address(&strip.to_png()?), title, notes, ..Drawing::default() })
}
