//! The page: all tables and figures in one file.

use preceptron::page::{Block, Chart, Drawing, Section, standalone};
use preceptron_base::as_typed;

use super::Shown;
use crate::results::{Outcome, Results};
use crate::work::Bench;

const ABOUT: &str = "On the left what the paper reports, on the right what was measured here: the mean over seeds with \
     the least and the greatest, how much each method was trained on and for how long, and why training ended; behind figures \
     of training that was stopped at the budget stands †: where it would have come to rest they do not say. Nothing \
     on the right is taken from anywhere but the units named below.";

/// The page about all that was measured.
pub fn page(bench: &Bench, results: &Results, all: &[Shown]) -> String {
    let mut sections: Vec<Section> = all.iter().map(section).collect();
    sections.push(units(results));
    let flags = as_typed(&bench.settings);
    let command = format!("precept bench paper {flags}");
    sections.push(Section::new(
        "To have the same again",
        vec![
            Block::Text(command.trim_end().to_owned()),
            Block::Faint(
                "Units are kept beside this page and taken as they are; without the folder everything is measured anew. \
                 The same seed gives the same figures, but for the step in which a budget is over."
                    .to_owned(),
            ),
        ],
    ));
    let missing = results.units.iter().filter(|(_, outcome)| matches!(outcome, Outcome::Missing)).count();
    let mut notices = bench.scale.remarks();
    if missing > 0 {
        notices.push(format!("{missing} of {} units are not measured yet.", results.units.len()));
    }
    standalone("The paper’s tables and figures, measured", ABOUT, &notices, &sections)
}

fn section(shown: &Shown) -> Section {
    let mut blocks: Vec<Block> = shown.about.iter().map(|words| Block::Faint(words.clone())).collect();
    let chart = |panel: &super::Panel| {
        let chart =
            Chart { title: &panel.title, scale: panel.scale, across: panel.across, series: &panel.series };
        Some(Drawing { svg: chart.svg()?, ..Drawing::default() })
    };
    let charts: Vec<Drawing> = shown.panels.iter().filter_map(chart).collect();
    if !charts.is_empty() {
        blocks.push(Block::Charts(charts));
    }
    for grid in &shown.grids {
        blocks.push(Block::Heading(grid.heading.clone()));
        blocks.push(Block::Table { titles: grid.titles.clone(), rows: grid.rows.clone() });
    }
    if !shown.pictures.is_empty() {
        let drawing = |(title, address): &(String, String)| Drawing {
            picture: address.clone(),
            title: title.clone(),
            ..Drawing::default()
        };
        blocks.push(Block::Drawings(shown.pictures.iter().map(drawing).collect()));
    }
    Section::new(shown.title.clone(), blocks)
}

/// Every unit, with how it went.
fn units(results: &Results) -> Section {
    let line = |(unit, outcome): &(crate::unit::Unit, Outcome)| {
        let [status, seconds] = match outcome {
            Outcome::Measured(measured) => {
                let course = &measured.course;
                [course.status.words().to_owned(), format!("{:.1}", course.cpu_seconds)]
            }
            Outcome::Failed(message) => [format!("failed: {message}"), "-".to_owned()],
            Outcome::Missing => ["not measured yet", "-"].map(str::to_owned),
        };
        vec![unit.to_string(), seconds, status]
    };
    let titles = ["unit (experiment/method/seed)", "CPU-seconds", "status"].map(str::to_owned).to_vec();
    let rows = results.units.iter().map(line).collect();
    Section::new("The units", vec![Block::Table { titles, rows }])
}
