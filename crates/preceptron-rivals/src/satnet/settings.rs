//! The settings of SATNet, with the defaults of its authors for Sudoku of 9x9.

use preceptron_base::{Above, settings};

settings! {
    /// The settings of a layer.
    #[derive(Copy)]
    pub struct SatNetSettings {
        /// How many clauses there are: the columns of the matrix that is learned.
        clauses: usize = 600, "M" in 1..=100_000;
        /// How many auxiliary variables there are beside those that are inputs or outputs.
        auxiliary: usize = 300, "N" in 0..=100_000;
        /// How long the unit vectors are [default: the least multiple of 4 above the root of twice the
        /// variables, at most 32].
        vector_length: Option<usize> = None, "K" in 2..=1024;
        /// How often all unknown variables are gone through, at the most.
        sweeps: usize = 40, "N" in 1..=1_000_000;
        /// The sweeps end when one lowers the objective by less than this share of what the first did.
        tolerance: f64 = 1e-4, "SHARE" in 0.0..1.0;
        /// What is added to the diagonal of the linear system of the derivatives, to keep it stable.
        damping: f64 = 1e-2, "X" in 0.0..=1e6;
        /// Steps along the gradient alone, in place of those of Adam.
        plain_descent: bool = false;
        /// The learning rate.
        learning_rate: f64 = 2e-3, "RATE" in Above(0.0, 100.0);
        /// The seed of all random choices.
        seed: u64 = 0, "N";
    }
}

/// The length of the unit vectors where none is set. The relaxation loses nothing if it is above the root of
/// twice the number of variables; the authors' program takes 32, however many variables there are.
pub(super) fn vector_length(settings: &SatNetSettings, variables: usize) -> usize {
    let least = || ((2.0 * variables as f64).sqrt().floor() as usize + 1).next_multiple_of(4).min(32);
    settings.vector_length.unwrap_or_else(least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_base::Settings;

    #[test]
    fn vectors_are_long_enough() {
        let settings = SatNetSettings::default();
        assert_eq!([3, 8, 100, 1030].map(|n| vector_length(&settings, n)), [4, 8, 16, 32]);
        let set = SatNetSettings { vector_length: Some(48), ..settings };
        assert_eq!(vector_length(&set, 1030), 48);
    }

    #[test]
    fn ranges_are_checked() {
        let wrong = SatNetSettings { sweeps: 0, ..SatNetSettings::default() };
        let message = wrong.check().unwrap_err().to_string();
        assert_eq!(message, "sweeps = 0 is out of range: 1 to 1000000");
    }
}
