//! `precept eval` of a run of driving: on its own test frames, or on others.

use std::collections::BTreeSet;
use std::io::Write;

use anyhow::ensure;
use preceptron::Run;
use preceptron_tasks::driving::{Table, table};
use serde_json::json;

use super::Arguments;
use crate::Answer;
use crate::driving_run::{self, DrivingSettings, FrameSource};
use crate::output::Destination;
use crate::present::driving as show;

/// Frames on a sheet.
const DRAWN: usize = 12;

pub fn run(arguments: &Arguments, run: &Run, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let settings: DrivingSettings = run.settings()?;
    let destination = arguments.draw.as_deref().map(|path| Destination::check(path, true)).transpose()?;
    let most = arguments.count.map_or(usize::MAX, |count| count as usize);
    let (train, frames, left_out) = if arguments.sources.is_named() {
        let places = arguments.sources.absolute()?;
        let source = FrameSource { render: arguments.render, places, ..settings.frames.clone() };
        let mut maps = settings.maps;
        maps.seed = arguments.seed.unwrap_or(maps.seed);
        let (train, drafts) = (settings.trained_on()?, source.drafts(&maps, 0)?);
        // Frames of the same labels may be among those that were trained on.
        let mut trained = BTreeSet::new();
        if source.places.has_labels_of(&settings.frames.places) {
            trained.extend(train.names.iter().chain(&train.drives).map(String::as_str));
        }
        let is_new = |(name, drive): (&str, &str)| !trained.contains(name) && !trained.contains(drive);
        let names = drafts.names().zip(drafts.drives()).enumerate();
        let mut new: Vec<usize> = names.filter(|(_, of)| is_new(*of)).map(|(at, _)| at).collect();
        let left_out = drafts.len() - new.len();
        new.truncate(most);
        (train, drafts.frames(&new)?, left_out)
    } else {
        let (train, own) = settings.split_to_test()?;
        let few: Vec<usize> = (0..own.len()).take(most).collect();
        (train, own.subset(&few), 0)
    };
    ensure!(
        !frames.is_empty(),
        "there is no frame to score on{}",
        if left_out > 0 { ": all are of drives that were trained on" } else { "" }
    );
    let trained = driving_run::load(run, &settings, &frames)?;
    let Table { rows, answers } = table(&trained, &[], &train, &frames)?;
    if let Some(destination) = &destination {
        let few: Vec<usize> = (0..frames.len()).step_by(frames.len().div_ceil(DRAWN)).collect();
        destination.write(&frames.sheet_of_plans(&few, &answers, 2).to_png()?)?;
    }
    if arguments.json {
        let object = json!({ "task": "driving", "run": run.path(), "frames": frames.len(), "left_out": left_out,
            "synthetic": frames.is_synthetic, "rows": rows });
        writeln!(out, "{object}")?;
    } else {
        if left_out > 0 {
            writeln!(
                out,
                "{left_out} frames are left out: they, or others of their drives, were trained on."
            )?;
        }
        writeln!(out, "{} {}:", frames.len(), show::kind(&frames))?;
        show::print_rows(out, &rows)?;
    }
    Ok(Answer::Yes)
}
