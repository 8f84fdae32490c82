//! How a network stands to the pictures of some examples: by the rules alone, and by answers where there are some.

use std::ops::ControlFlow;
use std::sync::Arc;

use preceptron_base::Control;
use preceptron_learn::Examples;
use preceptron_logic::Problem;
use preceptron_perceive::Perception;
use preceptron_reason::{Backend, Limits, Reasoner, work_in_blocks};
use serde::Serialize;

use super::Adapting;
use super::decode::{Decoded, decode, likeliest, pinned};
use crate::grounding::ground_by_rules;
use crate::{Scenes, TrainError, read_while};

/// What was read in some examples, and what the rules make of it.
pub(super) struct Reading {
    /// The examples.
    pub examples: Vec<usize>,
    /// For each its likeliest completion, if there is one.
    pub decoded: Vec<Option<Decoded>>,
    /// For each its first guess completed, where answers judge it and the guess breaks the rules.
    pinned: Vec<Option<Vec<bool>>>,
    /// The likeliest symbol of each sight, example by example.
    read: Vec<Vec<usize>>,
}

/// Figures of some examples.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Standing {
    /// How many examples there are.
    pub examples: usize,
    /// Their pictures.
    pub pictures: usize,
    /// Examples whose pictures, as they were read, obey the rules.
    pub obeying: usize,
    /// Examples that are sure.
    pub sure: usize,
    /// Pictures that the likeliest completion takes for something else than was read, of examples that have one.
    pub repaired: usize,
    /// The pictures of these.
    pub completed: usize,
    /// By answers, where there are some.
    pub judged: Option<Judged>,
}

/// Figures by answers, which teach nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Judged {
    /// Pictures of which rules and answers say what they show, and those of them that were read right.
    pub pictures: [usize; 2],
    /// Examples of which all pictures are such, and those of them of which all were read right.
    pub read: [usize; 2],
    /// Examples of which the likeliest completion has every answer.
    pub likeliest: usize,
    /// The same with the first guess pinned.
    pub pinned: usize,
    /// Sure examples whose likeliest completion has every answer.
    pub sure: usize,
}

impl Standing {
    /// Examples that obey the rules as they were read, and those that are sure: what is known without an answer.
    pub fn understood(&self) -> usize {
        self.obeying + self.sure
    }
}

impl Reading {
    /// Reads the pictures of some examples and completes them; nothing if it was stopped.
    pub fn new(
        adapting: &Adapting,
        network: &dyn Perception,
        problem: &Arc<Problem>,
        examples: &[usize],
        with_pinned: bool,
        threads: usize,
        control: &dyn Control,
    ) -> Result<Option<Reading>, TrainError> {
        let scenes = &adapting.scenes;
        control.stage("reading pictures", examples.len() as u64);
        let probabilities = read_while(adapting.views, scenes, network, examples, control)?;
        if control.is_cancelled() {
            return Ok(None);
        }
        let mut rows = probabilities.rows();
        let items: Vec<(usize, Vec<&[f32]>)> = examples
            .iter()
            .map(|&example| (example, rows.by_ref().take(scenes.sights(example).len()).collect()))
            .collect();
        let read = items.iter().map(|(_, rows)| rows.iter().map(|row| likeliest(row)).collect()).collect();
        control.stage("asking the rules", examples.len() as u64);
        let limits = Limits { cancel: control.cancel_flag(), ..Limits::default() };
        let with_pinned = with_pinned && adapting.truth.is_some();
        let work = |reasoner: &mut dyn Reasoner, (example, rows): &(usize, Vec<&[f32]>)| {
            let found = decode(scenes, *example, rows, &limits, reasoner)?;
            let is_needed = with_pinned && found.as_ref().is_none_or(|found| found.repaired > 0);
            let pinned = if is_needed { pinned(scenes, *example, rows, &limits, reasoner)? } else { None };
            Ok::<_, preceptron_reason::ReasonError>((found, pinned))
        };
        let (mut all, mut failure) = ((Vec::new(), Vec::new()), None);
        work_in_blocks(Backend::Portfolio, problem, &items, threads, work, |_, found| {
            control.advance(1);
            match found {
                Err(error) => failure = Some(error),
                Ok((decoded, pinned)) => {
                    all.0.push(decoded);
                    all.1.push(pinned);
                }
            }
            let goes_on = failure.is_none() && !control.is_cancelled();
            if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        match failure {
            Some(error) => Err(error.into()),
            None if control.is_cancelled() => Ok(None),
            None => Ok(Some(Reading { examples: examples.to_vec(), decoded: all.0, pinned: all.1, read })),
        }
    }

    /// The examples that are sure, each with what its sights show.
    pub fn sure(&self, least: f64, temperature: f64) -> impl Iterator<Item = (usize, &Decoded)> {
        let all = self.examples.iter().zip(&self.decoded);
        let is_sure = move |one: &&Decoded| one.is_understood() && one.confidence(temperature) >= least;
        all.filter_map(move |(example, one)| Some((*example, one.as_ref().filter(is_sure)?)))
    }

    /// The figures of these examples.
    pub fn standing(
        &self,
        adapting: &Adapting,
        problem: &Problem,
        least: f64,
        temperature: f64,
        control: &dyn Control,
    ) -> Result<Standing, TrainError> {
        let found = || self.decoded.iter().flatten();
        let sure: Vec<usize> = self.sure(least, temperature).map(|(example, _)| example).collect();
        let judged = match &adapting.truth {
            None => None,
            Some(truth) => Some(self.judged(&adapting.scenes, truth, problem, &sure, control)?),
        };
        Ok(Standing {
            examples: self.examples.len(),
            pictures: self.read.iter().map(Vec::len).sum(),
            obeying: found().filter(|one| one.repaired == 0).count(),
            sure: sure.len(),
            repaired: found().map(|one| one.repaired).sum(),
            completed: found().map(|one| one.symbols.len()).sum(),
            judged,
        })
    }

    fn judged(
        &self,
        scenes: &Scenes,
        truth: &Examples,
        problem: &Problem,
        sure: &[usize],
        control: &dyn Control,
    ) -> Result<Judged, TrainError> {
        let told =
            scenes.clone().with_known(truth.clone()).map_err(|error| TrainError::Task(error.into()))?;
        let shown = ground_by_rules(&told, &problem.rules, control);
        let mut judged = Judged::default();
        for (number, &example) in self.examples.iter().enumerate() {
            let pairs = || shown[example].iter().zip(&self.read[number]);
            let is_right = |(shown, read): (&Option<u16>, &usize)| shown.map(|one| usize::from(one) == *read);
            let known: Vec<bool> = pairs().filter_map(is_right).collect();
            let right = known.iter().filter(|right| **right).count();
            judged.pictures[0] += known.len();
            judged.pictures[1] += right;
            if known.len() == self.read[number].len() {
                judged.read[0] += 1;
                judged.read[1] += usize::from(right == known.len());
            }
            let has_answers = |values: &Vec<bool>| {
                let mut all = scenes.variables().iter();
                all.all(|var| truth.get(example, var).is_none_or(|value| value == values[var.index()]))
            };
            let found = self.decoded[number].as_ref();
            let is_right = found.is_some_and(|found| has_answers(&found.values));
            judged.likeliest += usize::from(is_right);
            judged.sure += usize::from(is_right && sure.binary_search(&example).is_ok());
            // A first guess that breaks no rule is the likeliest completion.
            judged.pinned += usize::from(match found {
                Some(found) if found.repaired == 0 => is_right,
                _ => self.pinned[number].as_ref().is_some_and(has_answers),
            });
        }
        Ok(judged)
    }
}
