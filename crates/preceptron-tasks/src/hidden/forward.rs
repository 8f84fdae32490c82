//! From the symbols that pictures are read as to the answer, by the rules, and how sure that is.
//!
//! Rules that bind symbols to answers leave every combination of symbols possible. Then the likeliest symbols are those
//! that are likeliest one by one, and the answer follows from them by propagation: exactly what a search would find. The
//! probability of the answer is that of all symbols together that have it, by the relation that was learned.

use preceptron::latent::Relation;
use preceptron::{Context, Model, TaskResult};
use preceptron_learn::{Propagator, values_of};
use preceptron_logic::Var;
use serde::Deserialize;

/// What a run says of answers.
#[derive(Clone, Debug, Deserialize)]
struct Answers {
    columns: Vec<String>,
    labels: Vec<Vec<String>>,
    combinations: Vec<Vec<u32>>,
    places: Vec<String>,
}

/// Rules and relation, ready to answer.
pub struct Forward {
    propagator: Propagator,
    /// The variables of the symbols of each place.
    places: Vec<Vec<Var>>,
    /// The values of each column of answers.
    values: Vec<Vec<(String, Var)>>,
    relation: Relation,
    answers: Answers,
    /// The inverse of the temperature.
    sharpness: f64,
}

impl Forward {
    /// From a model; nothing if its pictures were not read from clusters on.
    ///
    /// # Errors
    /// If a part of the model is broken.
    pub fn of(model: &Model, axis: &str) -> TaskResult<Option<Forward>> {
        let (Some(relation), Some(answers)) = (model.parts.get("relation"), model.parts.get("answers"))
        else {
            return Ok(None);
        };
        let relation: Relation = serde_json::from_value(relation.clone()).context("the run's relation")?;
        let answers: Answers = serde_json::from_value(answers.clone()).context("the run's answers")?;
        let variables = model.rules.variables();
        let owned = |column: &String| -> Vec<(String, Var)> {
            let values = values_of(variables, column, axis).into_iter();
            values.map(|(label, var)| (label.to_owned(), var)).collect()
        };
        let symbols = |column: &String| owned(column).into_iter().map(|(_, var)| var).collect();
        let (places, values) =
            (answers.places.iter().map(symbols).collect(), answers.columns.iter().map(owned).collect());
        let propagator = Propagator::new(variables.len(), model.rules.constraints().cloned());
        let sharpness = model.calibration.map_or(1.0, |known| 1.0 / known.temperature.max(1e-3));
        Ok(Some(Forward { propagator, places, values, relation, answers, sharpness }))
    }

    /// The columns of pictures.
    pub fn places(&self) -> &[String] {
        &self.answers.places
    }

    /// The columns of answers.
    pub fn columns(&self) -> &[String] {
        &self.answers.columns
    }

    /// How many symbols there are.
    pub fn symbols(&self) -> usize {
        self.relation.symbols()
    }

    /// The answer to symbols, column by column; nothing where the rules leave it open.
    pub fn answer(&self, symbols: &[usize]) -> Vec<Option<String>> {
        let known = self.places.iter().zip(symbols).filter_map(|(place, symbol)| place.get(*symbol));
        let found = self.propagator.run(known.map(|var| var.positive()));
        let holds = |values: &Vec<(String, Var)>| {
            let mut held = values.iter().filter(|(_, var)| found.value(*var) == Some(true));
            held.next().map(|(label, _)| label.clone())
        };
        match found.is_contradiction() {
            true => vec![None; self.values.len()],
            false => self.values.iter().map(holds).collect(),
        }
    }

    /// The probability of an answer, over all that the pictures may show.
    pub fn confidence(&self, readings: &[f32], answer: &[Option<String>]) -> f64 {
        let code = |(at, label): (usize, &Option<String>)| {
            self.answers.labels[at].iter().position(|other| Some(other) == label.as_ref()).map(|at| at as u32)
        };
        let Some(codes) = answer.iter().enumerate().map(code).collect::<Option<Vec<u32>>>() else {
            return 0.0;
        };
        let Some(which) = self.answers.combinations.iter().position(|values| *values == codes) else {
            return 0.0;
        };
        let sharp: Vec<f32> =
            readings.chunks_exact(self.symbols()).flat_map(|row| self.sharpened(row)).collect();
        self.relation.predict(&sharp).get(which).copied().unwrap_or(0.0).clamp(0.0, 1.0)
    }

    fn sharpened(&self, row: &[f32]) -> Vec<f32> {
        let powers: Vec<f64> = row.iter().map(|p| f64::from(p.max(1e-12)).powf(self.sharpness)).collect();
        let total: f64 = powers.iter().sum();
        powers.into_iter().map(|p| (p / total) as f32).collect()
    }
}
