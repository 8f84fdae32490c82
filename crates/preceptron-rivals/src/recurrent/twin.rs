//! The recurrent transformer once more, as plainly as it can be said, in f64.

use super::TransformerSettings;
use super::network::Network;
use crate::layers::linear::{Linear, Normed};
use crate::layers::tape::{Num, Tape};
use crate::{CellExamples, CellInput};

type Vector<'t> = Vec<Num<'t>>;

pub(super) struct Twin<'a> {
    pub network: &'a Network,
    pub settings: &'a TransformerSettings,
    pub data: &'a CellExamples,
}

impl Twin<'_> {
    /// The sum over recurrences of the mean loss over known cells.
    pub fn loss<'t>(&self, tape: &'t Tape, w: &[Num<'t>], batch: &[usize]) -> Num<'t> {
        let mut losses = Vec::new();
        for &example in batch {
            let mut tokens = self.embed(tape, w, example);
            for _ in 0..self.settings.recurrences {
                tokens = self.block(tape, w, &tokens);
                for (token, answer) in tokens.iter().zip(self.data.answers(example)) {
                    let logits = normed(tape, w, &self.network.head, token);
                    if let Some(answer) = answer {
                        let all = tape.sum(logits.iter().map(|logit| logit.exp()));
                        losses.push(all.ln() - logits[usize::from(*answer)]);
                    }
                }
            }
        }
        tape.sum(losses).times(1.0 / self.data.known(batch) as f64)
    }

    fn embed<'t>(&self, tape: &'t Tape, w: &[Num<'t>], example: usize) -> Vec<Vector<'t>> {
        let width = self.settings.width;
        let form = self.data.form();
        // The order of the tensors: nothing, symbols, features, positions, pictures.
        let symbols = width;
        let features = symbols + form.symbols * width;
        let positions = features + form.features * width;
        let pictures = positions + form.cells * width;
        let cell = |(at, input): (usize, &CellInput)| {
            let mut row = match *input {
                CellInput::Nothing => w[..width].to_vec(),
                CellInput::Symbol(number) => w[symbols + number as usize * width..][..width].to_vec(),
                CellInput::Features(number) => {
                    let vector = self.data.vector(number);
                    let value = |out: usize| {
                        let terms = vector.iter().enumerate();
                        tape.sum(terms.map(|(i, x)| w[features + i * width + out].times(f64::from(*x))))
                    };
                    (0..width).map(value).collect()
                }
                CellInput::Picture(number) => self.picture(tape, &w[pictures..], number),
            };
            row.iter_mut().zip(&w[positions + at * width..]).for_each(|(x, position)| *x = *x + *position);
            row
        };
        self.data.inputs(example).iter().enumerate().map(cell).collect()
    }

    /// Pictures of 4x4 pixels: a convolution of 3x3 to two channels with ReLU, then a linear layer.
    fn picture<'t>(&self, tape: &'t Tape, w: &[Num<'t>], number: u32) -> Vector<'t> {
        let (width, pixels) = (self.settings.width, &self.data.pixels()[number as usize * 16..][..16]);
        let mut maps = Vec::new();
        for channel in 0..2 {
            for place in 0..4 {
                let tap = |tap: usize| {
                    let pixel = pixels[(place / 2 + tap / 3) * 4 + place % 2 + tap % 3];
                    w[channel * 9 + tap].times(f64::from(pixel) / 255.0)
                };
                maps.push((tape.sum((0..9).map(tap)) + w[18 + channel]).relu());
            }
        }
        let output = |out: usize| {
            let terms = maps.iter().enumerate().map(|(i, x)| *x * w[20 + out * 8 + i]);
            tape.sum(terms) + w[20 + 8 * width + out]
        };
        (0..width).map(output).collect()
    }

    fn block<'t>(&self, tape: &'t Tape, w: &[Num<'t>], tokens: &[Vector<'t>]) -> Vec<Vector<'t>> {
        let (width, heads) = (self.settings.width, self.settings.heads);
        let rows = width / heads;
        let asked: Vec<Vector<'t>> =
            tokens.iter().map(|token| normed(tape, w, &self.network.asked, token)).collect();
        let mut after = Vec::new();
        for (query, token) in asked.iter().zip(tokens) {
            let mut mixed = Vec::new();
            for head in 0..heads {
                let begin = head * rows;
                let score = |key: &Vector<'t>| {
                    let terms = (begin..begin + rows).map(|row| query[row] * key[width + row]);
                    tape.sum(terms).times(1.0 / (rows as f64).sqrt()).exp()
                };
                let scores: Vector<'t> = asked.iter().map(score).collect();
                let share = tape.sum(scores.iter().copied()).power(-1.0);
                for row in begin..begin + rows {
                    let terms = scores.iter().zip(&asked).map(|(score, from)| *score * from[2 * width + row]);
                    mixed.push(tape.sum(terms) * share);
                }
            }
            let token = add(token, &linear(tape, w, &self.network.attended, &mixed));
            let hidden: Vector<'t> =
                normed(tape, w, &self.network.hidden, &token).iter().map(|x| x.gelu()).collect();
            after.push(add(&token, &linear(tape, w, &self.network.output, &hidden)));
        }
        after
    }
}

fn add<'t>(a: &[Num<'t>], b: &[Num<'t>]) -> Vector<'t> {
    a.iter().zip(b).map(|(a, b)| *a + *b).collect()
}

fn linear<'t>(tape: &'t Tape, w: &[Num<'t>], of: &Linear, x: &[Num<'t>]) -> Vector<'t> {
    let output = |out: usize| {
        let terms = x.iter().enumerate().map(|(i, x)| *x * w[of.weight.start + i * of.outputs + out]);
        let sum = tape.sum(terms);
        if of.bias.is_empty() { sum } else { sum + w[of.bias.start + out] }
    };
    (0..of.outputs).map(output).collect()
}

fn normed<'t>(tape: &'t Tape, w: &[Num<'t>], of: &Normed, x: &[Num<'t>]) -> Vector<'t> {
    let share = 1.0 / x.len() as f64;
    let mean = tape.sum(x.iter().copied()).times(share);
    let variance = tape.sum(x.iter().map(|x| (*x - mean) * (*x - mean))).times(share);
    let inverse = (variance + tape.num(1e-5)).power(-0.5);
    let value =
        |(i, x): (usize, &Num<'t>)| (*x - mean) * inverse * w[of.scale.start + i] + w[of.shift.start + i];
    let x: Vector<'t> = x.iter().enumerate().map(value).collect();
    linear(tape, w, &of.linear, &x)
}
