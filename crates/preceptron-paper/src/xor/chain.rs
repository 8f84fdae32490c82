//! SATNet along a string of bits, behind what every rival can do.

use preceptron_rivals::{CellExamples, CellInput, Rival, RivalError, SatNetError, SatNetSettings, XorChain};

/// The chain with its authors' settings.
pub struct Chain(XorChain);

impl Chain {
    /// A chain with random clauses.
    ///
    /// # Errors
    /// If a setting is out of its range.
    pub fn new(seed: u64) -> Result<Chain, RivalError> {
        let settings = SatNetSettings { seed, ..XorChain::settings() };
        Ok(Chain(XorChain::new(settings, true).map_err(|error| failed(&error))?))
    }
}

fn failed(error: &SatNetError) -> RivalError {
    match error {
        SatNetError::Diverged { step } => RivalError::Diverged { step: *step },
        other => RivalError::Tensor { name: "of the layer".to_owned(), problem: other.to_string() },
    }
}

/// The bits of strings one after the other, and how many each has.
fn bits(data: &CellExamples, examples: &[usize]) -> (Vec<bool>, usize) {
    let length = data.form().cells.saturating_sub(1);
    let of = |&example: &usize| {
        data.inputs(example).iter().take(length).map(|input| *input == CellInput::Symbol(1))
    };
    (examples.iter().flat_map(of).collect(), length)
}

impl Rival for Chain {
    fn name(&self) -> &'static str {
        "SATNet"
    }

    fn fit(&mut self, data: &CellExamples, batch: &[usize]) -> Result<f64, RivalError> {
        let (bits, length) = bits(data, batch);
        let odd = |&example: &usize| data.answers(example).last().copied().flatten() == Some(1);
        let parities: Vec<bool> = batch.iter().map(odd).collect();
        self.0.fit(&bits, length, &parities).map_err(|error| failed(&error))
    }

    /// Of the last cell; of the bits, what they are not is left open.
    fn predict(&self, data: &CellExamples, examples: &[usize]) -> Result<Vec<f32>, RivalError> {
        let (bits, length) = bits(data, examples);
        let odd = self.0.predict(&bits, length).map_err(|error| failed(&error))?;
        let row = |odd: f32| std::iter::repeat_n(0.5, 2 * length).chain([1.0 - odd, odd]);
        Ok(odd.into_iter().flat_map(row).collect())
    }

    fn save(&self) -> Result<Vec<u8>, RivalError> {
        self.0.layer().save().map_err(|error| failed(&error))
    }

    fn load(&mut self, file: &[u8]) -> Result<(), RivalError> {
        self.0.layer_mut().load(file).map_err(|error| failed(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_of_two_bits_learns_and_is_saved() {
        let mut data = CellExamples::new(3, 2).with_symbols(2);
        for bits in [[0, 0], [0, 1], [1, 0], [1, 1]] {
            let [a, b] = bits.map(CellInput::Symbol);
            data.push(&[a, b, CellInput::Nothing], &[None, None, Some((bits[0] ^ bits[1]) as u16)]).unwrap();
        }
        let all = [0, 1, 2, 3];
        let mut chain = Chain::new(1).unwrap();
        let first = chain.fit(&data, &all).unwrap();
        let last = (0..300).map(|_| chain.fit(&data, &all).unwrap()).last().unwrap();
        assert!(last < first, "{first} to {last}");
        // Where the descent begins depends on the seed.
        let mut other = Chain::new(1).unwrap();
        other.load(&chain.save().unwrap()).unwrap();
        assert_eq!(other.predict(&data, &all).unwrap(), chain.predict(&data, &all).unwrap());
        assert_eq!(chain.predict(&data, &[1]).unwrap().len(), 6);
        assert!(other.load(b"nothing").is_err());
    }
}
