//! Parity of a string by one layer of three variables, applied along the string.
//!
//! ```text
//! y_2 = layer(x_1, x_2)        y_i = layer(round(y_{i-1}), x_i)
//! ```
//! The layer is taught by the last y alone. As in the authors' program what goes from link to link is rounded,
//! so that only the last link has derivatives; without rounding they go back along the whole string.
//!
//! While the layer computes neither parity nor its contrary, the last y of a long string has next to nothing
//! to do with its target: the steps are then a walk at random, until it comes upon one of the two.

use super::{Batch, Pass, SatNet, SatNetError, SatNetSettings, Start};

/// One layer along strings of bits.
#[derive(Clone, Debug)]
pub struct XorChain {
    layer: SatNet,
    is_rounded: bool,
}

const VARIABLES: usize = 3;
const IS_INPUT: [bool; VARIABLES] = [true, true, false];

impl XorChain {
    /// The authors' settings: 4 clauses, 4 auxiliary variables, plain descent with the rate 0.1.
    pub fn settings() -> SatNetSettings {
        SatNetSettings {
            clauses: 4,
            auxiliary: 4,
            damping: 0.1,
            plain_descent: true,
            learning_rate: 0.1,
            ..SatNetSettings::default()
        }
    }

    /// A chain with random clauses; `is_rounded` says whether what goes from link to link is a bit.
    ///
    /// # Errors
    /// If a setting is out of its range.
    pub fn new(settings: SatNetSettings, is_rounded: bool) -> Result<XorChain, SatNetError> {
        Ok(XorChain { layer: SatNet::new(VARIABLES, settings)?, is_rounded })
    }

    /// The layer.
    pub fn layer(&self) -> &SatNet {
        &self.layer
    }

    /// The layer, to load it.
    pub fn layer_mut(&mut self) -> &mut SatNet {
        &mut self.layer
    }

    /// One step of training on strings of `length` bits, one after the other, and their parities; returns the
    /// loss before it.
    ///
    /// # Errors
    /// If the strings are not whole or too short, or there is not a parity for each.
    pub fn fit(&mut self, bits: &[bool], length: usize, parities: &[bool]) -> Result<f64, SatNetError> {
        let step = self.layer.step();
        let links = length.saturating_sub(1) as u64;
        let passes = self.along(bits, length, |link| Start::Drawn(step * links + link))?;
        let count = passes.last().map_or(0, |pass| pass.outputs().len() / VARIABLES);
        if parities.len() != count {
            return Err(SatNetError::length(
                "parities",
                parities.len(),
                format!("one for each of {count} strings"),
            ));
        }
        let targets: Vec<f32> =
            parities.iter().flat_map(|&parity| [0.0, 0.0, f32::from(u8::from(parity))]).collect();
        let (is_input, judged) = (IS_INPUT.repeat(count), [false, false, true].repeat(count));
        let mut clauses = vec![0.0; self.layer.clauses().len()];
        let (mut loss, mut by_outputs) = (0.0, Vec::new());
        for (number, pass) in passes.iter().rev().enumerate() {
            if number == 0 {
                let batch = Batch { inputs: pass.outputs(), is_input: &is_input };
                (loss, by_outputs) = self.layer.loss(pass, batch, &targets, &judged)?;
            }
            let gradients = self.layer.backward(pass, &by_outputs)?;
            clauses.iter_mut().zip(&gradients.clauses).for_each(|(sum, one)| *sum += one);
            if self.is_rounded {
                break;
            }
            // The last variable of the link before is the first of this one.
            for (before, this) in
                by_outputs.chunks_exact_mut(VARIABLES).zip(gradients.inputs.chunks_exact(VARIABLES))
            {
                before[VARIABLES - 1] = this[0];
            }
        }
        self.layer.apply(&clauses)?;
        Ok(loss)
    }

    /// The probability of each string that its parity is odd.
    ///
    /// # Errors
    /// If the strings are not whole or too short.
    pub fn predict(&self, bits: &[bool], length: usize) -> Result<Vec<f32>, SatNetError> {
        let passes = self.along(bits, length, |_| Start::Fixed)?;
        let last = passes.last().map(Pass::outputs).unwrap_or_default();
        Ok(last.chunks_exact(VARIABLES).map(|row| row[VARIABLES - 1]).collect())
    }

    /// All links: their passes, the first link first.
    fn along<'a>(
        &self,
        bits: &[bool],
        length: usize,
        start: impl Fn(u64) -> Start<'a>,
    ) -> Result<Vec<Pass>, SatNetError> {
        if length < 2 || !bits.len().is_multiple_of(length) {
            let expected = format!("whole strings of {} or more", length.max(2));
            return Err(SatNetError::length("bits", bits.len(), expected));
        }
        let number = |bit: bool| f32::from(u8::from(bit));
        let mut left: Vec<f32> = bits.chunks_exact(length).map(|string| number(string[0])).collect();
        let is_input = IS_INPUT.repeat(left.len());
        let mut passes: Vec<Pass> = Vec::with_capacity(length - 1);
        for link in 1..length {
            let strings = bits.chunks_exact(length).zip(&left);
            let inputs: Vec<f32> =
                strings.flat_map(|(string, &left)| [left, number(string[link]), 0.0]).collect();
            let pass =
                self.layer.forward(Batch { inputs: &inputs, is_input: &is_input }, start(link as u64 - 1))?;
            for (left, row) in left.iter_mut().zip(pass.outputs().chunks_exact(VARIABLES)) {
                let output = row[VARIABLES - 1];
                *left = if self.is_rounded { number(output > 0.5) } else { output };
            }
            passes.push(pass);
        }
        Ok(passes)
    }
}
