//! Cells as variables of a layer.
//!
//! | variables of an example | count | input where |
//! |---|---|---|
//! | cell by cell, is it this class? | cells times classes | a picture is given, or a symbol that is a class |
//! | cell by cell, is this symbol given? | cells times symbols, if these have variables of their own | everywhere |
//!
//! A cell that is given no symbol has zeros as its own symbols' inputs: so the layer is told that it is blank.
//! Answers are judged where the classes of their cell are outputs.

use crate::{CellExamples, CellForm, CellInput};

/// Where the variables of cells stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellVariables {
    pub cells: usize,
    pub classes: usize,
    /// Symbols with variables of their own.
    pub own_symbols: usize,
}

/// Some examples as a layer takes them.
#[derive(Clone, Debug, Default)]
pub(super) struct Bits {
    pub inputs: Vec<f32>,
    pub is_input: Vec<bool>,
    pub targets: Vec<f32>,
    pub judged: Vec<bool>,
}

/// The pictures of some examples, and where the classes of their cells begin among all variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Pictured {
    pub numbers: Vec<u32>,
    pub begins: Vec<usize>,
}

impl CellVariables {
    pub fn new(form: &CellForm, own_symbols: bool) -> CellVariables {
        let own_symbols = if own_symbols { form.symbols } else { 0 };
        CellVariables { cells: form.cells, classes: form.classes, own_symbols }
    }

    /// How many variables an example has.
    pub fn len(&self) -> usize {
        self.cells * (self.classes + self.own_symbols)
    }

    /// The pictures of examples.
    pub fn pictured(&self, data: &CellExamples, examples: &[usize]) -> Pictured {
        let mut pictured = Pictured::default();
        for (row, &example) in examples.iter().enumerate() {
            for (cell, input) in data.inputs(example).iter().enumerate() {
                if let CellInput::Picture(number) = *input {
                    pictured.numbers.push(number);
                    pictured.begins.push(row * self.len() + cell * self.classes);
                }
            }
        }
        pictured
    }

    /// The bits of examples, with what was read in their pictures: a row of classes for each.
    pub fn bits(
        &self,
        data: &CellExamples,
        examples: &[usize],
        pictured: &Pictured,
        readings: &[f32],
    ) -> Bits {
        let CellVariables { classes, own_symbols, .. } = *self;
        let count = examples.len() * self.len();
        let mut bits = Bits {
            inputs: vec![0.0; count],
            is_input: vec![false; count],
            targets: vec![0.0; count],
            judged: vec![false; count],
        };
        for (row, &example) in examples.iter().enumerate() {
            let begin = row * self.len();
            let symbols = begin + self.cells * classes;
            bits.is_input[symbols..begin + self.len()].fill(true);
            let cells = data.inputs(example).iter().zip(data.answers(example)).enumerate();
            for (cell, (input, answer)) in cells {
                let at = begin + cell * classes;
                match *input {
                    CellInput::Symbol(symbol) if own_symbols > 0 => {
                        bits.inputs[symbols + cell * own_symbols + symbol as usize] = 1.0;
                    }
                    CellInput::Symbol(symbol) => {
                        bits.inputs[at + symbol as usize] = 1.0;
                        bits.is_input[at..at + classes].fill(true);
                    }
                    CellInput::Picture(_) => bits.is_input[at..at + classes].fill(true),
                    CellInput::Nothing | CellInput::Features(_) => {}
                }
                if let Some(answer) = answer.filter(|_| !bits.is_input[at]) {
                    bits.targets[at + usize::from(answer)] = 1.0;
                    bits.judged[at..at + classes].fill(true);
                }
            }
        }
        for (&begin, row) in pictured.begins.iter().zip(readings.chunks_exact(classes)) {
            bits.inputs[begin..begin + classes].copy_from_slice(row);
        }
        bits
    }

    /// What a layer found, as probabilities of the classes of each cell, which sum to 1.
    pub fn probabilities(&self, outputs: &[f32]) -> Vec<f32> {
        let answers = |row: &[f32]| row[..self.cells * self.classes].to_vec();
        let mut values: Vec<f32> = outputs.chunks_exact(self.len()).flat_map(answers).collect();
        for cell in values.chunks_exact_mut(self.classes) {
            let sum: f32 = cell.iter().sum();
            let even = 1.0 / self.classes as f32;
            cell.iter_mut().for_each(|p| *p = if sum > 0.0 { *p / sum } else { even });
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_perceive::Shape;

    #[test]
    fn cells_are_variables() {
        let mut data = CellExamples::new(3, 2).with_symbols(2).with_pictures(Shape::new(1, 1, 1), [9].into());
        let inputs = [CellInput::Picture(0), CellInput::Nothing, CellInput::Symbol(1)];
        data.push(&inputs, &[Some(0), Some(1), Some(0)]).unwrap();
        let shared = CellVariables::new(data.form(), false);
        let pictured = shared.pictured(&data, &[0]);
        assert_eq!((&pictured.numbers[..], &pictured.begins[..]), (&[0][..], &[0][..]));
        let bits = shared.bits(&data, &[0], &pictured, &[0.25, 0.75]);
        assert_eq!(bits.inputs, [0.25, 0.75, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!(bits.is_input, [true, true, false, false, true, true]);
        assert_eq!(bits.targets, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
        assert_eq!(bits.judged, [false, false, true, true, false, false]);
        let own = CellVariables::new(data.form(), true);
        let bits = own.bits(&data, &[0, 0], &own.pictured(&data, &[0, 0]), &[0.25, 0.75, 0.5, 0.5]);
        let expected = [0.5, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        assert_eq!(bits.inputs[12..], expected);
        assert_eq!(bits.judged[..6], [false, false, true, true, true, true]);
        assert!(bits.is_input[6..12].iter().all(|is_input| *is_input));
        let found = own.probabilities(&[0.2, 0.6, 0.0, 0.0, 0.5, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
        assert_eq!(found, [0.25, 0.75, 0.5, 0.5, 0.5, 0.5]);
    }
}
