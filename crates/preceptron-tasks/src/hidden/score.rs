//! How examples that were held out are answered.

use preceptron::latent::Puzzles;
use preceptron::{Context, Model, TaskResult, Views, look};
use preceptron_base::Control;
use preceptron_perceive::Perception;

use super::{Forward, HiddenData};

/// Examples that are read at once.
const AT_ONCE: usize = 64;

/// An example that was answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// What its pictures were read as: the numbers of symbols.
    pub symbols: Vec<usize>,
    /// The answer, column by column; nothing where the rules leave it open.
    pub answer: Vec<Option<String>>,
    /// Its probability.
    pub confidence: f64,
    /// Whether it is the one that is told.
    pub is_right: bool,
}

/// How examples came out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HiddenScore {
    /// The answers, in order.
    pub answers: Vec<Answered>,
    /// For each symbol how often its pictures show each label, where labels are known.
    pub shown: Vec<Vec<usize>>,
}

impl HiddenScore {
    /// Answers that are right.
    pub fn right(&self) -> usize {
        self.answers.iter().filter(|answer| answer.is_right).count()
    }

    /// Answers that the rules leave open.
    pub fn open(&self) -> usize {
        self.answers.iter().filter(|answer| answer.answer.iter().any(Option::is_none)).count()
    }

    /// Pictures whose symbol's pictures mostly show the same as they, and all.
    pub fn pictures(&self) -> [usize; 2] {
        let most = self.shown.iter().filter_map(|row| row.iter().max()).sum();
        [most, self.shown.iter().flatten().sum()]
    }
}

/// Reads and answers the first examples that were held out; those until it was stopped.
pub(crate) fn score(
    data: &HiddenData,
    model: &Model,
    axis: &str,
    mut network: Box<dyn Perception>,
    views: Views,
    control: &dyn Control,
) -> TaskResult<HiddenScore> {
    let forward = Forward::of(model, axis)?.context("the run has no relation of pictures and answers")?;
    network.load(model.network.as_deref().context("the run has no network")?)?;
    let held_out: &Puzzles = &data.held_out;
    let (places, size, k) = (held_out.places.len(), held_out.shape.size(), forward.symbols());
    let labels = data.labels.iter().max().map_or(0, |most| usize::from(*most) + 1);
    let mut score = HiddenScore { shown: vec![vec![0; labels]; k], ..HiddenScore::default() };
    control.stage("reading and answering", held_out.len() as u64);
    for (block, some) in held_out.pictures.chunks(AT_ONCE * places).enumerate() {
        if control.is_cancelled() {
            break;
        }
        let pixels: Vec<u8> = some
            .iter()
            .flat_map(|number| &held_out.pixels[*number as usize * size..][..size])
            .copied()
            .collect();
        let read = look(views, held_out.shape, &pixels, &*network)?;
        let classes = network.classes();
        for (at, example) in read.chunks_exact(classes * places).enumerate() {
            let number = block * AT_ONCE + at;
            let readings: Vec<f32> =
                example.chunks_exact(classes).flat_map(|row| &row[..k.min(classes)]).copied().collect();
            let most = |row: &[f32]| (0..k).max_by(|a, b| row[*a].total_cmp(&row[*b])).unwrap_or(0);
            let symbols: Vec<usize> = readings.chunks_exact(k).map(most).collect();
            let answer = forward.answer(&symbols);
            let told = held_out.told_of(number).iter().zip(&held_out.answers);
            let is_right = told
                .map(|(value, column)| column.labels.get(*value as usize))
                .zip(&answer)
                .all(|(told, found)| told.is_some() && told == found.as_ref());
            if let Some(labels) = data.labels.get(number * places..(number + 1) * places) {
                let shown = symbols.iter().zip(labels);
                shown.for_each(|(symbol, label)| score.shown[*symbol][usize::from(*label)] += 1);
            }
            let confidence = forward.confidence(&readings, &answer);
            score.answers.push(Answered { symbols, answer, confidence, is_right });
        }
        control.advance((some.len() / places) as u64);
    }
    Ok(score)
}
