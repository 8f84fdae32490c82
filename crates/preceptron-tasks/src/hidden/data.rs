//! Examples of MNIST's digits with an answer each, and how training on any such examples is set up.

use std::path::PathBuf;

use preceptron::latent::{AnswerColumn, Build, Latent, LatentSettings, Puzzles};
use preceptron::{Schedule, TaskError, TaskResult, TrainError, ensure};
use preceptron_base::{stream, stream_at};
use preceptron_perceive::Shape;
use rand::RngExt;
use rand::seq::SliceRandom;

use crate::mnist::{Digits, Mnist, SIDE};
use crate::table::TableNetwork;

/// What the digits of an example have as their answer.
pub type Telling = Box<dyn Fn(&[u8]) -> String>;

/// What a task's examples are.
pub struct Plan {
    /// The names of the columns of pictures.
    pub places: Vec<String>,
    /// The name of the column of answers.
    pub answer: &'static str,
    /// What the digits of an example have as their answer.
    pub told: Telling,
    /// The digits that pictures show are those below.
    pub below: u8,
    /// The answers in words, for those who judge.
    pub truth: String,
    /// Examples to train on, and to test on.
    pub examples: [usize; 2],
    /// The share of answers to train on that are wrong.
    pub wrong: f64,
    /// How training goes.
    pub latent: LatentSettings,
    /// Another copy of MNIST.
    pub mnist: Option<PathBuf>,
}

/// Examples to train on, or to score on, or both.
pub struct HiddenData {
    /// Those to train on.
    pub training: Option<Puzzles>,
    /// Those that were held out.
    pub held_out: Puzzles,
    /// What the pictures of these show, for those who judge; nothing where nobody knows.
    pub labels: Vec<u8>,
    /// How the examples that were held out are called: their numbers, from 1.
    pub rows: Vec<usize>,
}

impl Plan {
    fn puzzles(&self, digits: &Digits, count: usize, wrong: f64) -> TaskResult<(Puzzles, Vec<u8>)> {
        let seed = self.latent.seed;
        let mut numbers: Vec<u32> =
            (0..digits.len() as u32).filter(|n| digits.label(*n as usize) < self.below).collect();
        ensure!(!numbers.is_empty(), "there are no pictures of digits below {}", self.below);
        let places = self.places.len();
        let mut pictures = Vec::with_capacity(count * places);
        // All pictures in a random order, and again in another where they are too few.
        let mut round = 0;
        while pictures.len() < count * places {
            numbers.shuffle(&mut stream_at(
                seed,
                &format!("which digits puzzles show: {}", digits.purpose()),
                &[round],
            ));
            pictures.extend(numbers.iter().take(count * places - pictures.len()));
            round += 1;
        }
        let labels: Vec<u8> = pictures.iter().map(|number| digits.label(*number as usize)).collect();
        let mut told: Vec<String> = labels.chunks_exact(places).map(|digits| (self.told)(digits)).collect();
        let (column, codes) = column_of(self.answer, &told);
        if wrong > 0.0 && column.labels.len() > 1 {
            let mut random = stream(seed, "wrong answers", 0);
            for (text, code) in told.iter_mut().zip(&codes) {
                if random.random::<f64>() < wrong {
                    let by = random.random_range(1..column.labels.len() as u32);
                    *text = column.labels[((code + by) % column.labels.len() as u32) as usize].clone();
                }
            }
        }
        let (column, told) = column_of(self.answer, &told);
        let puzzles = Puzzles {
            places: self.places.clone(),
            answers: vec![column],
            pictures,
            told,
            shape: Shape::new(1, SIDE, SIDE),
            pixels: digits.pixels(),
        };
        Ok((puzzles, labels))
    }

    /// The pictures.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn mnist(&self) -> TaskResult<Mnist> {
        Ok(self.mnist.as_deref().map(Mnist::read).transpose()?.unwrap_or_else(Mnist::embedded))
    }

    /// The examples.
    ///
    /// # Errors
    /// If the pictures cannot be read.
    pub fn data(&self, with_training: bool, count: Option<usize>) -> TaskResult<HiddenData> {
        let mnist = self.mnist()?;
        let training = match with_training {
            true => Some(self.puzzles(&mnist.train, self.examples[0], self.wrong)?.0),
            false => None,
        };
        let (held_out, labels) = self.puzzles(&mnist.test, count.unwrap_or(self.examples[1]), 0.0)?;
        let rows = (1..=held_out.len()).collect();
        Ok(HiddenData { training, held_out, labels, rows })
    }

    /// Examples to train on with what their pictures show, to write them to a table.
    ///
    /// # Errors
    /// If the pictures cannot be read.
    pub fn to_write(&self, mnist: &Mnist) -> TaskResult<Puzzles> {
        Ok(self.puzzles(&mnist.train, self.examples[0], self.wrong)?.0)
    }
}

/// A column of answers, numbers in their order, and the code of each answer.
pub(crate) fn column_of(name: &str, told: &[String]) -> (AnswerColumn, Vec<u32>) {
    let mut labels = told.to_vec();
    labels.sort_by_cached_key(|label| {
        (label.parse::<i64>().map_or((1, 0), |number| (0, number)), label.clone())
    });
    labels.dedup();
    let number: std::collections::HashMap<&str, u32> = labels.iter().map(String::as_str).zip(0..).collect();
    let codes = told.iter().map(|text| number[text.as_str()]).collect();
    (AnswerColumn { name: name.to_owned(), labels: labels.clone() }, codes)
}

/// How a network is made and trained on examples of any shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Latency {
    pub latent: LatentSettings,
    pub shape: Shape,
}

impl Latency {
    /// The network for so many symbols, before training.
    pub fn network(&self, classes: usize) -> TableNetwork {
        let LatentSettings { steps, seed, threads, .. } = self.latent;
        TableNetwork { shape: self.shape, classes: classes.max(2), steps, seed, threads }
    }
}

/// Training on examples.
pub(crate) fn latent_of<'a>(
    puzzles: &'a Puzzles,
    settings: LatentSettings,
    axis: &str,
) -> TaskResult<Box<dyn Schedule + 'a>> {
    check(puzzles, settings.symbols)?;
    let learner = preceptron_learn::Settings { seed: settings.seed, ..Default::default() }.check()?;
    let latency = Latency { latent: settings, shape: puzzles.shape };
    let build: Build<'a> = Box::new(move |classes| {
        latency.network(classes).build().map_err(|error: TaskError| TrainError::Task(error.into()))
    });
    Ok(Box::new(Latent::new(puzzles, build, settings, learner, axis)))
}

/// Whether so many symbols can have so many answers.
fn check(puzzles: &Puzzles, symbols: Option<usize>) -> TaskResult<()> {
    let Some(symbols) = symbols else { return Ok(()) };
    let (answers, places) = (puzzles.combined().values.len(), puzzles.places.len());
    let ways = (0..places).try_fold(1usize, |ways, _| ways.checked_mul(symbols)).unwrap_or(usize::MAX);
    let pictures = if places == 1 { "picture" } else { "pictures" };
    ensure!(
        answers <= ways,
        "column {}: has {answers} values, but {places} {pictures} of {symbols} symbols show {ways} different things at \
         the most; see --symbols",
        puzzles.answers[0].name
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_in_their_order_and_words_after_them() {
        let told = ["10", "9", "x", "10", "a", "-1"].map(str::to_owned);
        let (column, codes) = column_of("y", &told);
        assert_eq!(column.labels, ["-1", "9", "10", "a", "x"]);
        assert_eq!(codes, [2, 1, 4, 2, 3, 0]);
    }
}
