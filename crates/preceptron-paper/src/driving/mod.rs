//! Driving: from paths alone, from true maps, and by networks that give paths themselves, on the same frames.
//!
//! Without KITTI's labels scenes are drawn at random and rendered; nuScenes always has rendered scenes, as dense as its
//! own, for a stand-in.

mod rivals;

use preceptron::page::png_address;
use preceptron::{TaskResult, ensure};
use preceptron_tasks::driving::{
    Density, DrivingSettings, Frames, Judgement, LearningSettings, MapSettings, PathLearner, Supervision,
    Table, Trained, table,
};
use serde_json::{Value, json};

use crate::unit::{Course, Figures, Method, Scenery};
use crate::watched::{Seen, Watched, course_of};
use crate::work::{Bench, Found, Work};

/// Frames that are drawn.
const DRAWN: usize = 3;

/// What our own network is told; nothing where a method is another network.
fn supervision(method: Method) -> Option<Supervision> {
    match method {
        Method::Ours => Some(Supervision::Paths),
        Method::Supervised => Some(Supervision::Maps),
        Method::ResNet => Some(Supervision::Resnet),
        _ => None,
    }
}

/// Whether the scenes are drawn at random.
pub fn is_generated(bench: &Bench, scenery: Scenery) -> bool {
    scenery == Scenery::Dense || !bench.settings.sources.is_named()
}

/// What units of driving depend on.
pub fn made_with(bench: &Bench, scenery: Scenery) -> Value {
    let scale = &bench.scale;
    let sources = (!is_generated(bench, scenery)).then_some(&bench.settings.sources);
    json!({
        "frames": scale.frames, "epochs": scale.frame_epochs, "sources": sources,
        "recurrences": scale.frame_recurrences, "looked_at": scale.looked_at,
    })
}

/// Adds what plans are worth, under a name.
fn add(figures: &mut Figures, name: &str, judgement: &Judgement) {
    for (what, value) in [
        ("f1", judgement.path_f1),
        ("collision", judgement.collision),
        ("distance", judgement.authors_distance),
        ("arrived", judgement.arrived),
    ] {
        figures.insert(format!("{name}{what}"), value);
    }
}

/// Measures a unit.
///
/// # Errors
/// If frames cannot be read, or training fails.
pub fn measure(work: &Work<'_>, scenery: Scenery) -> TaskResult<Option<Found>> {
    let (bench, control) = (work.bench, work.control);
    let mut settings = DrivingSettings {
        train: Some(bench.scale.frames[0]),
        test: bench.scale.frames[1],
        epochs: bench.scale.frame_epochs,
        density: if scenery == Scenery::Dense { Density::Dense } else { Density::Normal },
        threads: Some(bench.settings.threads),
        supervision: supervision(work.unit.method).unwrap_or_default(),
        maps: MapSettings { seed: work.unit.seed, ..MapSettings::default() },
        ..DrivingSettings::default()
    };
    if !is_generated(bench, scenery) {
        settings.sources = bench.settings.sources.clone();
    }
    let split = settings.split()?;
    control.stage("frames", 0);
    let (train, test) =
        match (split.index.frames(&split.train, control), split.index.frames(&split.test, control)) {
            _ if control.is_cancelled() => return Ok(None),
            (train, test) => (train?, test?),
        };
    ensure!(!test.is_empty(), "there is no frame to test on");
    let learning: LearningSettings = settings.learning();
    let found = match supervision(work.unit.method) {
        Some(_) => ours(work, &learning, &train, &test)?,
        None => rivals::measure(work, &learning, &train, &test)?,
    };
    let Some((judged, course)) = found else { return Ok(None) };
    let mut figures = Figures::new();
    // First what the method answers, then the other way: by one weight of risk, or joined to paths.
    for (row, name) in judged.rows.iter().zip(["", "other."]) {
        add(&mut figures, name, &row.judgement);
    }
    for row in judged.rows.iter().filter(|row| row.name == "the empty map") {
        add(&mut figures, "empty.", &row.judgement);
    }
    let mut pictures = Vec::new();
    for frame in 0..test.len().min(DRAWN) {
        pictures.push(png_address(&test.sheet_of_plans(&[frame], &judged.answers, 2).to_png()?));
    }
    let mut notes = Vec::new();
    if test.is_synthetic {
        notes.push("pictures are rendered".to_owned());
    }
    Ok(Some(Found { figures, course, examples: train.len(), notes, pictures }))
}

/// Our own network, told as the method says, and its plans.
fn ours(
    work: &Work<'_>,
    learning: &LearningSettings,
    train: &Frames,
    test: &Frames,
) -> TaskResult<Option<(Table, Course)>> {
    let inner = Box::new(PathLearner::new(train, learning)?);
    let look = |_: &mut PathLearner<'_>| Ok(Figures::new());
    let (budget, seen) = (work.budget(), Seen::default());
    let mut schedule = Watched { inner, budget, epoch_of_step: 1.0, look: Box::new(look), seen };
    let Some(model) = work.train(&mut schedule)? else { return Ok(None) };
    let trained = Trained::load(train, learning, &model)?;
    match table(&trained, &[], train, test, work.control) {
        _ if work.control.is_cancelled() => Ok(None),
        judged => Ok(Some((judged?, course_of(&model)?))),
    }
}
