//! Visual parity: pictures of zeros and ones, and whether the number of ones is odd.

use std::path::PathBuf;

use preceptron::TaskResult;
use preceptron::latent::LatentSettings;
use preceptron_base::settings;

use crate::hidden::{Hidden, HiddenTask, Plan};

/// Visual parity.
pub struct Counting;

/// The task of it.
pub static PARITY: Hidden<Counting> = Hidden::new();

settings! {
    /// What a run of visual parity is made with.
    pub struct ParitySettings {
        /// Pictures in an example.
        length: usize = 16, "N" in 2..=200;
        /// How many examples to train on.
        examples: usize = 500, "N" in 40..=1_000_000;
        /// How many examples to test on, of MNIST's test images.
        test: usize = 1000, "N" in 1..=1_000_000;
        /// The share of answers to train on that are made wrong.
        wrong: f64 = 0.0, "SHARE" in 0.0..=0.5;
        /// Steps of the network's training.
        steps: u64 = 1600, "N" in 4..=1_000_000;
        /// A folder with another copy of MNIST, or of data in its format.
        mnist: Option<PathBuf> = None, "DIR";
        section "Random choices";
        /// The seed of all random choices.
        seed: u64 = 0, "N";
        /// Threads; they do not change the result.
        threads: usize = 2, "N" in 1..=64;
    }
}

impl HiddenTask for Counting {
    const NAME: &'static str = "parity";
    const ABOUT: &'static str = "Pictures of zeros and ones, and whether the number of ones is odd. Neither parity nor what a \
                                 picture shows is known.";
    const HELP: &'static str = "\
Examples:
  precept train parity
  precept train parity --length 64 --examples 500 --seed 1";
    type Settings = ParitySettings;

    fn plan(settings: &ParitySettings) -> TaskResult<Plan> {
        let ParitySettings { length, examples, test, wrong, steps, seed, threads, .. } = *settings;
        Ok(Plan {
            places: (1..=length).map(|number| format!("x{number}")).collect(),
            answer: "y",
            told: Box::new(|shown| {
                (shown.iter().map(|digit| u32::from(*digit)).sum::<u32>() % 2).to_string()
            }),
            below: 2,
            truth: "the parities".to_owned(),
            examples: [examples, test],
            wrong,
            latent: LatentSettings { symbols: Some(2), steps, seed, threads, ..LatentSettings::default() },
            mnist: settings.mnist.clone(),
        })
    }

    fn run_name(settings: &ParitySettings) -> String {
        format!("parity-{}-{}", settings.length, settings.seed)
    }
}
