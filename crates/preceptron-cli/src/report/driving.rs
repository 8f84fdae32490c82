//! The page about a run of driving.

use minijinja::context;
use preceptron::Run;
use preceptron_logic::RuleSet;
use preceptron_tasks::driving::{Answered, Frames, Row, rule_set_in_words};
use serde::Serialize;

use super::picture::png_address;
use super::{curves, keep, name, render, settings_table};
use crate::driving_run::DrivingSettings;
use crate::present::{driving as words, quoted};

/// Frames that are shown of each outcome.
const SHOWN: usize = 6;

/// What there is to say about a run.
pub struct Input<'a> {
    /// What it was made with.
    pub settings: &'a DrivingSettings,
    /// The rules that were learned.
    pub rules: &'a RuleSet,
    /// The run's own row first, then those to hold it against.
    pub rows: &'a [Row],
    /// The frames that were not trained on.
    pub frames: &'a Frames,
    /// What was answered for each.
    pub answers: &'a [Answered],
}

/// Frames of one outcome.
#[derive(Serialize)]
struct Outcome {
    title: &'static str,
    frames: usize,
    /// A name and a drawing.
    shown: Vec<(String, String)>,
}

/// Writes the page into the run's directory.
pub fn write(run: &Run, input: &Input<'_>) -> anyhow::Result<()> {
    keep(run, page(run, input))
}

fn page(run: &Run, input: &Input<'_>) -> anyhow::Result<String> {
    let figures = |row: &Row| {
        let judgement = &row.judgement;
        let share = |value: Option<f64>| value.map(|value| format!("{value:.3}"));
        context! {
            name => row.name,
            f1 => format!("{:.3}", judgement.path_f1),
            exact => format!("{:.3}", judgement.exact),
            collision => format!("{:.3}", judgement.collision),
            connected => format!("{:.3}", judgement.connected),
            arrived => format!("{:.3}", judgement.arrived),
            regret => format!("{:.2}", judgement.length_regret),
            precision => share(judgement.obstacle_precision),
            recall => share(judgement.obstacle_recall),
            distance => format!("{:.2}", judgement.authors_distance),
        }
    };
    render(
        include_str!("driving.html"),
        context! {
            name => name(run),
            told => input.settings.learning.supervision.name(),
            kind => words::kind(input.frames),
            frames => input.frames.len(),
            rows => input.rows.iter().map(figures).collect::<Vec<_>>(),
            rules => rule_set_in_words(input.rules),
            leans_on => words::leans_on(&input.settings.learning),
            panels => curves::panels(&run.measurements()?),
            outcomes => outcomes(input.frames, input.answers)?,
            settings => settings_table::rows(&serde_json::to_value(input.settings)?),
            commands => commands(run, input.settings),
            trained_by => run.program(),
            program => concat!("precept ", env!("CARGO_PKG_VERSION")),
        },
    )
}

/// Frames by what became of their plans; an outcome that no frame has is left out.
fn outcomes(frames: &Frames, answers: &[Answered]) -> anyhow::Result<Vec<Outcome>> {
    let outcome = |frame: usize| {
        let plan = answers[frame].plan.as_deref().unwrap_or(&[]);
        match plan {
            [] => 0,
            _ if plan.iter().any(|cell| frames.maps[frame].is_blocked(*cell)) => 1,
            _ if plan != frames.demonstrations[frame].path => 2,
            _ => 3,
        }
    };
    let titles = ["No way was found", "The plan collides", "Another way, and free", "The way that was shown"];
    let mut found = Vec::new();
    for (kind, title) in titles.into_iter().enumerate() {
        let of: Vec<usize> = (0..frames.len()).filter(|&frame| outcome(frame) == kind).collect();
        let mut shown = Vec::new();
        for &frame in of.iter().step_by(of.len().div_ceil(SHOWN).max(1)) {
            let sheet = frames.sheet_of_plans(&[frame], answers, 2);
            shown.push((frames.names[frame].clone(), png_address(&sheet.to_png()?)));
        }
        found.push(Outcome { title, frames: of.len(), shown });
    }
    found.retain(|outcome| outcome.frames > 0);
    Ok(found)
}

fn commands(run: &Run, settings: &DrivingSettings) -> Vec<String> {
    let name = quoted(&run.path().display().to_string());
    let train = settings.command(run.path());
    vec![train, format!("precept eval {name} --draw sheet.png"), format!("precept report {name}")]
}
