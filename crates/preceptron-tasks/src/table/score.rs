//! How rows that were held out are read and completed.

use std::ops::ControlFlow;
use std::sync::Arc;

use preceptron::grounding::ground_by_rules;
use preceptron::page::ReadPicture;
use preceptron::{Context, Model, TaskResult, Views, read_while};
use preceptron_base::Control;
use preceptron_logic::{Problem, Var};
use preceptron_reason::{Backend, Limits, work_in_blocks};

use super::complete::{Completed, complete};
use super::{TableData, TableSettings};
use crate::hidden::HiddenScore;

/// Conflicts after which a row is given up: a budget that does not depend on the machine.
const CONFLICTS: u64 = 100_000;

/// How rows came out.
#[derive(Clone, Debug, Default)]
pub struct TableScore {
    /// What was read in pictures of which rules and values say what they show.
    pub pictures: Vec<ReadPicture>,
    /// For each row its answer, if there is one.
    pub answers: Vec<Option<Completed>>,
    /// Whether all values that the table has are in the answer.
    pub is_right: Vec<bool>,
    /// The score where pictures are never values; then all that is above is empty.
    pub hidden: Option<HiddenScore>,
}

impl TableScore {
    /// Rows of which every value is right.
    pub fn right(&self) -> usize {
        self.is_right.iter().filter(|right| **right).count()
    }

    /// Rows whose pictures leave several answers, as they were read.
    pub fn open(&self) -> usize {
        self.answers.iter().flatten().filter(|answer| answer.unique == Some(false)).count()
    }

    /// Rows whose pictures leave one answer, and those of them that are right.
    pub fn determined(&self) -> [usize; 2] {
        let all = self.answers.iter().zip(&self.is_right);
        let is_open =
            |answer: &Option<Completed>| answer.as_ref().is_some_and(|answer| answer.unique == Some(false));
        let of: Vec<bool> = all.filter(|(answer, _)| !is_open(answer)).map(|(_, right)| *right).collect();
        [of.len(), of.iter().filter(|right| **right).count()]
    }
}

impl TableData {
    /// Reads and completes the first rows that were held out; those until it was stopped.
    pub(super) fn score(
        &self,
        settings: &TableSettings,
        model: &Model,
        views: Views,
        count: usize,
        control: &dyn Control,
    ) -> TaskResult<TableScore> {
        if let Some(hidden) = &self.hidden {
            let network = settings.network_of(model).build()?;
            let score = crate::hidden::score(hidden, model, &settings.value_axis, network, views, control)?;
            return Ok(TableScore { hidden: Some(score), ..TableScore::default() });
        }
        let scenes = &self.held_out;
        let mut network = settings.network().build()?;
        network.load(model.network.as_deref().context("the run has no network")?)?;
        let all: Vec<usize> = (0..scenes.len().min(count)).collect();
        control.stage("reading pictures", all.len() as u64);
        let probabilities = read_while(views, scenes, &*network, &all, control)?;
        let mut score = TableScore::default();
        if control.is_cancelled() {
            return Ok(score);
        }
        // What the pictures show, as far as the rules and all values of the row say.
        let told = scenes.clone().with_known(self.truth.clone())?;
        let shown = ground_by_rules(&told, &model.rules, control);
        let mut read = probabilities.rows().zip(probabilities.most_probable());
        let mut rows = Vec::new();
        for &row in &all {
            let sights = scenes.sights(row).len();
            let readings: Vec<(&[f32], usize)> = read.by_ref().take(sights).collect();
            for ((reading, read), truth) in readings.iter().zip(&shown[row]) {
                let one = |truth: u16| ReadPicture {
                    truth: truth.into(),
                    read: *read,
                    probability: f64::from(reading[*read]),
                };
                score.pictures.extend(truth.map(one));
            }
            rows.push((row, readings.into_iter().map(|(reading, _)| reading).collect::<Vec<&[f32]>>()));
        }
        control.stage("completing rows", all.len() as u64);
        let limits =
            Limits { cancel: control.cancel_flag(), conflicts: Some(CONFLICTS), ..Limits::default() };
        let (problem, mut failure) = (Arc::new(Problem::from(model.rules.clone())), None);
        let hidden = |row: usize, var: Var| {
            self.truth.get(row, var).is_some() && scenes.known().get(row, var).is_none()
        };
        let work = |reasoner: &mut dyn preceptron_reason::Reasoner,
                    (row, readings): &(usize, Vec<&[f32]>)| {
            complete(scenes, *row, readings, |var| hidden(*row, var), &limits, reasoner)
        };
        work_in_blocks(Backend::Portfolio, &problem, &rows, settings.threads, work, |row, found| {
            control.advance(1);
            match found {
                _ if control.is_cancelled() => (),
                Err(error) => failure = Some(error),
                Ok(found) => {
                    let holds = |answer: &Completed| {
                        scenes.variables().iter().all(|var| {
                            self.truth.get(row, var).is_none_or(|value| value == answer.values[var.index()])
                        })
                    };
                    score.is_right.push(found.as_ref().is_some_and(holds));
                    score.answers.push(found);
                }
            }
            let go_on = failure.is_none() && !control.is_cancelled();
            if go_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        failure.map_or(Ok(score), |error| Err(error.into()))
    }
}
