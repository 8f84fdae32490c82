//! The page about a run of driving: figures, the table, rules, and scenes by what became of their plans.

use preceptron::page::{
    Block, Drawing, Figure, Section, TrueRules, found_blocks, png_address, reliability_section,
};
use preceptron::words::percentage;
use preceptron::{Case, TaskResult};
use preceptron_logic::{RelativeRule, RuleSet};

use super::show::{MEANING, TITLES, cells, kind};
use super::{Answered, Driving, Frames, Map, Table, degree_rules, rule_in_words, rule_set_in_words};

/// Frames that are shown of each outcome.
const SHOWN: usize = 6;

/// What became of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SceneOutcome {
    NoWay,
    Collides,
    AnotherWay,
    AsShown,
}

impl SceneOutcome {
    const ALL: [SceneOutcome; 4] =
        [SceneOutcome::NoWay, SceneOutcome::Collides, SceneOutcome::AnotherWay, SceneOutcome::AsShown];

    fn of(frames: &Frames, answers: &[Answered], frame: usize) -> SceneOutcome {
        match answers[frame].plan.as_deref().unwrap_or(&[]) {
            [] => SceneOutcome::NoWay,
            plan if plan.iter().any(|cell| frames.maps[frame].is_blocked(*cell)) => SceneOutcome::Collides,
            plan if plan != frames.demonstrations[frame].path => SceneOutcome::AnotherWay,
            _ => SceneOutcome::AsShown,
        }
    }

    fn title(self) -> &'static str {
        match self {
            SceneOutcome::NoWay => "No way was found",
            SceneOutcome::Collides => "The plan collides",
            SceneOutcome::AnotherWay => "Another way, and free",
            SceneOutcome::AsShown => "The way that was shown",
        }
    }
}

/// All sections.
pub fn sections(case: Case<'_, Driving>, table: &Table) -> TaskResult<Vec<Section>> {
    let test = &case.data.test;
    let lines: Vec<Vec<String>> = table.rows.iter().map(cells).collect();
    let mut top = vec![Block::Faint(format!(
        "Obstacles seen and paths planned, learned {}. Figures are of {} {} of drives that were not trained on.",
        case.settings.supervision.name(),
        test.len(),
        kind(test)
    ))];
    if let Some(first) = table.rows.first().map(|row| &row.judgement) {
        top.push(Block::Figures(vec![
            Figure::new(format!("{:.3}", first.path_f1), "F1 of the cells of paths, against those shown", ""),
            Figure::new(percentage(first.collision), "of the plans touch an obstacle", ""),
            Figure::new(
                format!("{:.2}", first.length_regret),
                "cells beyond the shortest path, of plans that are free",
                "",
            ),
            Figure::new(percentage(first.connected), "of the plans lead from start to end", ""),
        ]));
    }
    top.push(Block::Table { titles: TITLES.map(str::to_owned).into(), rows: lines });
    top.push(Block::Faint(MEANING.replace('\n', " ")));
    let mut sections = vec![Section::new("", top)];
    let rules = rule_set_in_words(&case.model.rules);
    if !rules.is_empty() {
        let mut blocks = vec![Block::List(rules)];
        blocks.extend(found(&case.model.rules));
        sections.push(Section::new("The rules", blocks));
    }
    sections.extend(believed(test, &table.answers));
    if !test.is_empty() {
        sections.push(scenes(test, &table.answers)?);
    }
    Ok(sections)
}

/// Which of the rules that make a path were found.
fn found(rules: &RuleSet) -> Vec<Block> {
    let reference = degree_rules();
    let of = |rule: &RelativeRule| TrueRules {
        words: rule_in_words(rule),
        all: 1,
        found: usize::from(rules.contains_relative(rule)),
    };
    let truth: Vec<TrueRules> = reference.relative().iter().map(of).collect();
    let others: Vec<String> = rules.compare(&reference).extra_relative.iter().map(rule_in_words).collect();
    found_blocks(&truth, &[], &others)
}

/// Whether cells are blocked as often as the network says; nothing if it gives paths and no maps.
fn believed(frames: &Frames, answers: &[Answered]) -> Option<Section> {
    let of_frame = |(answer, map): (&Answered, &Map)| -> Vec<(f64, bool)> {
        let cells = answer.probabilities.iter().zip(&map.blocked);
        let gives_maps = answer.believed.is_some();
        cells.filter(|_| gives_maps).map(|(&p, &blocked)| (f64::from(p), blocked)).collect()
    };
    let pairs = answers.iter().zip(&frames.maps).flat_map(of_frame);
    let about = "How likely the network says that a cell is blocked, against how often it is, over all cells of the \
                 frames that were held out.";
    reliability_section("The map", about, ["probability that a cell is blocked", "blocked"], pairs)
}

/// Frames by what became of their plans; an outcome that no frame has is left out.
fn scenes(frames: &Frames, answers: &[Answered]) -> TaskResult<Section> {
    let mut blocks = vec![Block::Text(
        "The picture; how likely each cell is blocked by the network, the darker the likelier; and the true map, far \
         rows on top: obstacles are dark, cells that are planned and shown green, only planned orange, only shown blue, \
         and planned into an obstacle red."
            .to_owned(),
    )];
    for outcome in SceneOutcome::ALL {
        let has = |frame: &usize| SceneOutcome::of(frames, answers, *frame) == outcome;
        let of: Vec<usize> = (0..frames.len()).filter(has).collect();
        let shown = of.iter().step_by(of.len().div_ceil(SHOWN).max(1));
        let mut drawings = Vec::new();
        for &frame in shown {
            let picture = png_address(&frames.sheet_of_plans(&[frame], answers, 2).to_png()?);
            let notes = vec![frames.names[frame].clone()];
            drawings.push(Drawing { picture, notes, ..Drawing::default() });
        }
        if drawings.is_empty() {
            continue;
        }
        let few = match drawings.len() < of.len() {
            true => format!(" ({} shown)", drawings.len()),
            false => String::new(),
        };
        let title = outcome.title();
        blocks.push(Block::Heading(format!("{title}: {} of {}{few}", of.len(), frames.len())));
        blocks.push(Block::Drawings(drawings));
    }
    Ok(Section::new("Scenes", blocks))
}
