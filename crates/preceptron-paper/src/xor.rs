//! Chained XOR: our learners, SATNet along the string, and the recurrent transformer, on the same strings.
//!
//! SATNet is told that the string is a chain: one layer of three variables is applied link by link. The others are not.

mod chain;
mod strings;

use preceptron::{Context, TaskResult, bail};
use preceptron_learn::Examples;
use preceptron_rivals::{CellExamples, RecurrentTransformer, Rival, ScheduleSettings, TransformerSettings};
use preceptron_tasks::xor::{Method as Way, Score, Strings, XorLearner, XorSettings};
use serde_json::{Value, json};

use crate::answers::most_probable;
use crate::rival_training::trained_rival;
use crate::unit::{Figures, Method};
use crate::watched::{Seen, Watched, course_of};
use crate::work::{Bench, Found, Work};
use chain::Chain;
use strings::cells;

/// Epochs of SATNet's authors, and epochs without a gain that end it.
const EPOCHS: u64 = 100;
const PATIENCE: u64 = 20;

/// Strings in a step, of SATNet and of the transformer.
const BATCHES: [usize; 2] = [100, 16];

/// What units of chained XOR depend on.
pub fn made_with(bench: &Bench) -> Value {
    let scale = &bench.scale;
    json!({ "strings": scale.strings, "recurrences": scale.recurrences, "looked_at": scale.looked_at })
}

/// Accuracy and F1 of a score, under a name.
fn add(figures: &mut Figures, name: &str, score: &Score) {
    figures.insert(format!("{name}accuracy"), score.accuracy());
    figures.insert(format!("{name}f1"), score.f1(0));
}

/// Measures a unit.
///
/// # Errors
/// If training fails.
pub fn measure(work: &Work<'_>, length: u32) -> TaskResult<Option<Found>> {
    let [train, test] = work.bench.scale.strings;
    let (seed, count) = (work.unit.seed, u32::try_from(train).ok());
    let settings = XorSettings { length, seed, count, held_out: test, ..XorSettings::default() }.resolved();
    let strings = Strings::generate(&settings);
    let held_out = strings.held_out(test, seed);
    match work.unit.method {
        Method::Ours => ours(work, &settings, &strings, &held_out),
        _ => rival(work, &strings, &held_out),
    }
}

/// Our two learners: the paper's form with auxiliary variables, and elimination.
fn ours(
    work: &Work<'_>,
    settings: &XorSettings,
    strings: &Strings,
    held_out: &Examples,
) -> TaskResult<Option<Found>> {
    let (mut figures, mut notes, mut course) = (Figures::new(), Vec::new(), None);
    // One after the other, so that each has its own course; that of the paper's form is the unit's.
    for way in [Way::Auxiliary, Way::Parity] {
        let own = XorSettings { method: way, ..*settings };
        let inner = Box::new(XorLearner::new(strings, &own)?);
        let look = |_: &mut XorLearner<'_>| Ok(Figures::new());
        let (budget, seen) = (work.budget(), Seen::default());
        let mut schedule = Watched { inner, budget, epoch_of_step: 0.0, look: Box::new(look), seen };
        let model = match way {
            Way::Auxiliary => work.train(&mut schedule)?,
            _ => {
                let training =
                    preceptron::Training { control: work.control, ..preceptron::Training::default() };
                preceptron::train(&mut schedule, training)?.model
            }
        };
        let Some(model) = model.filter(|_| !work.control.is_cancelled()) else { return Ok(None) };
        let score = Score::of(&model.rules, held_out, strings.answer());
        let name = if way == Way::Auxiliary { "" } else { "elimination." };
        add(&mut figures, name, &score);
        let of_way = course_of(&model)?;
        notes.push(format!("{}: {:.1} CPU-seconds", way.word(), of_way.cpu_seconds));
        course.get_or_insert(of_way);
    }
    let course = course.context("there is a way of learning")?;
    let examples = strings.training().len();
    Ok(Some(Found { figures, course, examples, notes, pictures: Vec::new() }))
}

/// A rival on the same strings.
fn rival(work: &Work<'_>, strings: &Strings, held_out: &Examples) -> TaskResult<Option<Found>> {
    let (known, test) = (cells(strings.training())?, cells(held_out)?);
    let control = work.control;
    let (seed, threads) = (work.unit.seed, work.bench.settings.threads);
    let new = || -> TaskResult<Box<dyn Rival>> {
        Ok(match work.unit.method {
            Method::SatNet => Box::new(Chain::new(seed)?),
            Method::Transformer => {
                let recurrences = work.bench.scale.recurrences;
                let settings =
                    TransformerSettings { recurrences, seed, threads, ..TransformerSettings::default() };
                Box::new(RecurrentTransformer::new(known.form(), settings)?)
            }
            other => bail!("{} is not built for chained XOR", other.title()),
        })
    };
    let judged = |rival: &dyn Rival, data: &CellExamples| -> TaskResult<Figures> {
        let mut score = Score::default();
        let answers = most_probable(rival, data, &|| control.is_cancelled())?;
        for (at, cells) in answers.iter().enumerate() {
            let truth = data.answers(at).last().copied().flatten().unwrap_or(0);
            let said = cells.last().copied().unwrap_or(0).min(1);
            score.decided[usize::from(truth.min(1))][said] += 1;
        }
        let mut figures = Figures::new();
        add(&mut figures, "", &score);
        Ok(figures)
    };
    let batch = BATCHES[usize::from(work.unit.method != Method::SatNet)];
    let how =
        ScheduleSettings { epochs: EPOCHS, batch, seed, patience: PATIENCE, ..ScheduleSettings::default() };
    let few = cells(&strings.held_out(work.bench.scale.looked_at, seed))?;
    let look = |rival: &dyn Rival| judged(rival, &few);
    let Some((trained, course)) = trained_rival(work, &new, &known, how, &look)? else { return Ok(None) };
    control.stage("answering strings", 0);
    let figures = judged(&*trained, &test)?;
    if control.is_cancelled() {
        return Ok(None);
    }
    Ok(Some(Found { figures, course, examples: known.len(), notes: Vec::new(), pictures: Vec::new() }))
}
