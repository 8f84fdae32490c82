//! Which frames a run of driving is scored on, and the score.

use std::collections::BTreeSet;
use std::path::PathBuf;

use preceptron::{Case, Model, Report, TaskResult, Training, check_new_png, ensure, train, write_new};
use preceptron_base::{Control, settings};

use super::run_settings::Split;
use super::sources::FrameSources;
use super::{
    Driving, DrivingData, DrivingSettings, FrameSettings, Frames, LearningSettings, PathLearner, Supervision,
    Table, Trained, table,
};

/// Frames on a sheet.
const DRAWN: usize = 12;

settings! {
    /// Which frames to score on.
    pub struct DrivingEvaluation {
        /// How many frames [default: all].
        count: Option<usize> = None, "N" in 1..=10_000_000;
        /// Render pictures of the frames named here though there are some.
        render: bool = false;
        /// The seed that scenes and ends are drawn by [default: the run's].
        seed: Option<u64> = None, "N";
        /// Draw scenes with the maps believed in and the paths planned, as a PNG.
        draw: Option<PathBuf> = None, "FILE.png";
    }
    with { sources: FrameSources }
}

/// Frames that were not trained on: those named, or the run's own.
///
/// # Errors
/// If a place cannot be read, or there is no such frame.
pub fn held_out(
    settings: &DrivingSettings,
    how: &DrivingEvaluation,
    control: &dyn Control,
) -> TaskResult<DrivingData> {
    how.draw.as_deref().map(|path| check_new_png(path, true)).transpose()?;
    let most = how.count.unwrap_or(usize::MAX);
    let own = settings.split()?;
    let train = own.index.without_pictures(&own.train);
    let (test, left_out) = match (how.sources.is_named(), how.seed) {
        (true, _) => named(settings, how, &train, most, control)?,
        (false, seed) => {
            ensure!(!how.render, "--render is for frames that are named, with --from or --labels");
            let other = seed.filter(|seed| *seed != settings.maps.seed);
            ensure!(
                other.is_none() || !settings.sources.is_named(),
                "--seed is for scenes drawn at random, and for frames that are named"
            );
            let Split { index, mut test, .. } = match other {
                None => own,
                Some(seed) => {
                    let mut settings = settings.clone();
                    settings.maps.seed = seed;
                    settings.split()?
                }
            };
            test.truncate(most);
            (index.frames(&test, control)?, 0)
        }
    };
    let why = if left_out > 0 { ": all are of drives that were trained on" } else { "" };
    ensure!(!test.is_empty(), "there is no frame to score on{why}");
    Ok(DrivingData { train, test, left_out })
}

/// The frames that are named, without those of drives that were trained on.
fn named(
    settings: &DrivingSettings,
    how: &DrivingEvaluation,
    train: &Frames,
    most: usize,
    control: &dyn Control,
) -> TaskResult<(Frames, usize)> {
    let maps = settings.frames()?;
    let maps = FrameSettings { seed: how.seed.unwrap_or(maps.seed), ..maps };
    let sources = how.sources.absolute()?;
    let index = sources.index(&maps, how.render, (settings.density, 0))?;
    // Frames of the same labels may be among those that were trained on.
    let mut trained = BTreeSet::new();
    if sources.has_labels_of(&settings.sources) {
        trained.extend(train.names.iter().chain(&train.drives).map(String::as_str));
    }
    let is_new = |(name, drive): (&str, &str)| !trained.contains(name) && !trained.contains(drive);
    let names = index.names().zip(index.drives()).enumerate();
    let mut new: Vec<usize> = names.filter(|(_, of)| is_new(*of)).map(|(at, _)| at).collect();
    let left_out = index.len() - new.len();
    new.truncate(most);
    Ok((index.frames(&new, control)?, left_out))
}

/// How well the model plans, beside rivals if they are asked for and there are pictures to train them on.
///
/// # Errors
/// If the model is not one of such frames.
pub fn score(case: Case<'_, Driving>, control: &dyn Control) -> TaskResult<Table> {
    let DrivingData { train, test, .. } = case.data;
    let learning = case.settings.learning();
    let first = Trained::load(test, &learning, case.model)?;
    let mut rivals = Vec::new();
    if case.settings.compare && !train.pixels.is_empty() {
        for supervision in Supervision::ALL.into_iter().filter(|other| *other != learning.supervision) {
            let rival = trained(train, &LearningSettings { supervision, ..learning }, control)?;
            rivals.extend(rival.map(|(network, ..)| network));
        }
    }
    Ok(table(&first, &rivals, train, test, control)?)
}

/// A network that is trained and kept nowhere, its model, and how training went; nothing if it was interrupted.
pub(super) fn trained(
    frames: &Frames,
    settings: &LearningSettings,
    control: &dyn Control,
) -> TaskResult<Option<(Trained, Model, Report)>> {
    let mut learner = PathLearner::new(frames, settings)?;
    let preceptron::Trained { model, report, .. } =
        train(&mut learner, Training { control, ..Training::default() })?;
    match model {
        Some(model) if !control.is_cancelled() => {
            Ok(Some((Trained::load(frames, settings, &model)?, model, report)))
        }
        _ => Ok(None),
    }
}

/// Draws some of the frames, if that is asked for.
///
/// # Errors
/// If the file cannot be written.
pub fn draw(how: &DrivingEvaluation, frames: &Frames, table: &Table) -> TaskResult<()> {
    let Some(path) = &how.draw else { return Ok(()) };
    let few: Vec<usize> = (0..frames.len()).step_by(frames.len().div_ceil(DRAWN).max(1)).collect();
    write_new(path, true, &frames.sheet_of_plans(&few, &table.answers, 2).to_png()?)
}
