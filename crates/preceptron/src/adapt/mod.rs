//! Other handwriting: a network is taught by examples of which nobody says what they show, as far as the rules can
//! still repair them.
//!
//! | step | what |
//! |---|---|
//! | read | every picture, by the network as it is |
//! | complete | the likeliest completion `b` that the rules allow, and the likeliest `b'` with other symbols in the pictures |
//! | trust | where `log p(b) - log p(b')`, at the temperature of the run, is large and little was repaired |
//! | teach | the pictures of these examples, as `b` has them |
//!
//! This is repeated in rounds: whatever the network has learned makes more examples sure. A share of the examples is held
//! out, and teaches nothing; the figures before and after are of them. Answers, where the data have some, are figures too,
//! and choose nothing. If fewer of the held-out examples are sure or obey the rules as they are read afterwards, the network
//! stays as it was.

mod decode;
mod settings;
mod shown;
mod standing;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::Arc;

use preceptron_base::{Control, stream};
use preceptron_learn::Examples;
use preceptron_logic::Problem;
use preceptron_perceive::{Perception, Targets};
use rand::seq::SliceRandom;
use serde::Serialize;

use crate::grounding::Symbols;
use crate::{Model, Scenes, Sight, TaskResult, TrainError, Views, calibrate, ensure};

pub use settings::AdaptSettings;
pub use shown::adapted_run;
use standing::Reading;
pub use standing::{Judged, Standing};

/// Builds an untrained network of the run's kind that is to make so many steps.
pub type Networks = Box<dyn Fn(u64) -> TaskResult<Box<dyn Perception>>>;

/// What a task gives to adapt by.
pub struct Adapting {
    /// The examples with their pictures; what is known of them is a fact.
    pub scenes: Scenes,
    /// Their answers, to judge by alone.
    pub truth: Option<Examples>,
    /// How often a picture is looked at.
    pub views: Views,
    /// Pictures in a step.
    pub batch: usize,
    /// What an example is called.
    pub unit: &'static str,
    /// The network before training.
    pub network: Networks,
    /// What else is to be said of the data, a line each.
    pub notes: Vec<String>,
}

/// What came of a round.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Round {
    /// Examples that were read.
    pub examples: usize,
    /// Those that were sure, and so taught the network.
    pub sure: usize,
    /// Their pictures.
    pub pictures: usize,
    /// Those of them of which something else was read.
    pub repaired: usize,
    /// The mean loss of the round's steps.
    pub loss: f64,
}

/// What came of all rounds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Adapted {
    /// The rounds, in order.
    pub rounds: Vec<Round>,
    /// The held-out examples before and after; nothing after if it was stopped.
    pub held_out: [Option<Standing>; 2],
    /// The examples that could teach, in the same way.
    pub others: [Option<Standing>; 2],
    /// Whether it was stopped.
    pub is_interrupted: bool,
    /// Whether the network is another one now.
    pub is_kept: bool,
}

/// The share of the learning rate that a network which can read is taught with.
const PACE: f64 = 0.5;

/// The network of a model taught by pictures; the model with what it has become, and how that went.
///
/// # Errors
/// If the network or the reasoner fails.
pub fn adapt(
    adapting: &Adapting,
    model: &Model,
    settings: &AdaptSettings,
    control: &dyn Control,
) -> TaskResult<(Model, Adapted)> {
    let AdaptSettings { rounds, steps, sure, seed, threads, .. } = *settings;
    let scenes = &adapting.scenes;
    let (held_out, others) = split(scenes, settings);
    ensure!(!others.is_empty(), "no {} has a picture that could teach anything", adapting.unit);
    let mut network = (adapting.network)(steps)?;
    network.load(model.network.as_deref().unwrap_or_default())?;
    network.begin_anew();
    network.set_pace(PACE);
    let problem = Arc::new(Problem::from(model.rules.clone()));
    let temperature = model.calibration.map_or(1.0, |calibration| calibration.temperature.max(1.0));
    let look = |network: &dyn Perception, examples: &[usize], with_pinned| {
        Reading::new(adapting, network, &problem, examples, with_pinned, threads, control)
    };
    let standing = |reading: &Option<Reading>| -> Result<Option<Standing>, TrainError> {
        let of = |reading: &Reading| reading.standing(adapting, &problem, sure, temperature, control);
        reading.as_ref().map(of).transpose()
    };
    let first = look(&*network, &held_out, true)?;
    let mut adapted = Adapted {
        rounds: Vec::new(),
        held_out: [standing(&first)?, None],
        others: [None, None],
        is_interrupted: false,
        is_kept: false,
    };
    let mut pixels = Vec::new();
    for round in 0..rounds {
        let Some(reading) = look(&*network, &others, round == 0)? else { break };
        if round == 0 {
            adapted.others[0] = Some(reading.standing(adapting, &problem, sure, temperature, control)?);
        }
        let taught = Taught::new(scenes, &reading, sure, temperature);
        if taught.pictures.is_empty() {
            break;
        }
        let count = steps * (round as u64 + 1) / rounds as u64 - steps * round as u64 / rounds as u64;
        let begun = steps * round as u64 / rounds as u64;
        let loss = taught.teach(adapting, &mut *network, [begun, count], seed, &mut pixels, control)?;
        control.note(&format!("{} of {} sure", taught.sure, others.len()));
        adapted.rounds.push(Round {
            examples: others.len(),
            sure: taught.sure,
            pictures: taught.pictures.len(),
            repaired: taught.repaired,
            loss,
        });
        if control.is_cancelled() {
            break;
        }
    }
    let mut model = model.clone();
    adapted.is_kept = !adapted.rounds.is_empty();
    if !control.is_cancelled() && adapted.is_kept {
        let last = look(&*network, &held_out, true)?;
        adapted.held_out[1] = standing(&last)?;
        adapted.others[1] = standing(&look(&*network, &others, true)?)?;
        let judging = if held_out.is_empty() { &adapted.others } else { &adapted.held_out };
        if let [Some(before), Some(after)] = judging {
            adapted.is_kept = after.understood() >= before.understood();
        }
        if let Some(last) = last.filter(|_| adapted.is_kept) {
            let mut symbols: Symbols =
                (0..scenes.len()).map(|at| vec![None; scenes.sights(at).len()]).collect();
            for (example, found) in last.sure(sure, temperature) {
                symbols[example] = found.symbols.iter().map(|symbol| Some(*symbol)).collect();
            }
            let of_these = held_out.iter().copied();
            let found = calibrate(scenes, &*network, adapting.views, of_these, &symbols)?;
            model.calibration = found.or(model.calibration);
        }
    }
    adapted.is_interrupted = control.is_cancelled();
    if adapted.is_kept {
        model.network = Some(network.save()?);
    }
    Ok((model, adapted))
}

/// The examples that are held out and the others, of those that have pictures, both in order. Others do not share a picture
/// with those that are held out.
fn split(scenes: &Scenes, settings: &AdaptSettings) -> (Vec<usize>, Vec<usize>) {
    let mut all: Vec<usize> =
        (0..scenes.len()).filter(|&example| !scenes.sights(example).is_empty()).collect();
    all.shuffle(&mut stream(settings.seed, "examples held out from adapting", 0));
    let count = (all.len() as f64 * settings.held_out).round() as usize;
    let mut others = all.split_off(count.min(all.len().saturating_sub(1)));
    let of = |example: usize| scenes.sights(example).iter().map(|sight| sight.picture);
    let seen: BTreeSet<u32> = all.iter().flat_map(|&example| of(example)).collect();
    others.retain(|&example| of(example).all(|picture| !seen.contains(&picture)));
    all.sort_unstable();
    others.sort_unstable();
    (all, others)
}

/// The pictures that teach in a round, each with what it shows.
struct Taught {
    pictures: Vec<(Sight, u16)>,
    sure: usize,
    repaired: usize,
}

impl Taught {
    fn new(scenes: &Scenes, reading: &Reading, least: f64, temperature: f64) -> Taught {
        let mut taught = Taught { pictures: Vec::new(), sure: 0, repaired: 0 };
        for (example, found) in reading.sure(least, temperature) {
            taught.sure += 1;
            taught.repaired += found.repaired;
            taught.pictures.extend(scenes.sights(example).iter().copied().zip(found.symbols.iter().copied()));
        }
        taught
    }

    /// Makes so many steps from one on; the mean loss.
    fn teach(
        &self,
        adapting: &Adapting,
        network: &mut dyn Perception,
        [begun, count]: [u64; 2],
        seed: u64,
        pixels: &mut Vec<u8>,
        control: &dyn Control,
    ) -> Result<f64, TrainError> {
        let (classes, size) = (adapting.scenes.classes(), adapting.batch.min(self.pictures.len()));
        let mut order: Vec<usize> = Vec::new();
        let (mut sum, mut made) = (0.0, 0u64);
        control.stage("teaching the network", count);
        while made < count && !control.is_cancelled() {
            let mut batch = Vec::with_capacity(size);
            while batch.len() < size {
                if order.is_empty() {
                    order = (0..self.pictures.len()).collect();
                    order.shuffle(&mut stream(seed, "order of pictures that teach", begun + made));
                }
                batch.extend(order.pop().map(|at| self.pictures[at]));
            }
            let mut targets = vec![0.0; batch.len() * classes];
            for (row, (_, symbol)) in targets.chunks_exact_mut(classes).zip(&batch) {
                row[usize::from(*symbol)] = 1.0;
            }
            let images = adapting.scenes.gather(batch.iter().map(|(sight, _)| *sight), pixels)?;
            sum += network.fit(images, Targets::new(&targets))?;
            made += 1;
            control.advance(1);
        }
        Ok(sum / made.max(1) as f64)
    }
}
