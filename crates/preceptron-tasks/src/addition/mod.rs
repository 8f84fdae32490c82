//! Two pictures and their sum, or what another operator makes of them; two numbers of two digits each and their sum; and
//! comparison. The operator is what the data are made by; nothing that learns knows it.

mod operation;

use std::path::PathBuf;

use preceptron::latent::LatentSettings;
use preceptron::{TaskResult, ensure};
use preceptron_base::{Value, settings};

use crate::hidden::{Hidden, HiddenTask, Plan};
pub use operation::Operation;

/// MNIST addition.
pub struct Adding;

/// The task of it.
pub static ADDITION: Hidden<Adding> = Hidden::new();

/// Comparison of two pictures.
pub struct Comparing;

/// The task of it.
pub static COMPARISON: Hidden<Comparing> = Hidden::new();

settings! {
    /// What a run of addition is made with.
    pub struct AdditionSettings {
        /// What the answers of the data are. Nothing that learns knows it.
        operation: Operation = Operation::Sum, "OPERATION";
        /// Digits of each of the two numbers, a picture each.
        digits: usize = 1, "N" in 1..=2;
        /// How many pairs to train on.
        pairs: usize = 10_000, "N" in 40..=1_000_000;
        /// How many pairs to test on, of MNIST's test images.
        test: usize = 5000, "N" in 1..=1_000_000;
        /// How many symbols pictures show [default: 10 with one digit; else as many as a sum has values].
        symbols: Option<usize> = None, "N" in 2..=40;
        /// Let the number of symbols be guessed.
        guess: bool = false;
        /// The share of answers to train on that are made wrong.
        wrong: f64 = 0.0, "SHARE" in 0.0..=0.5;
        /// Steps of the network's training.
        steps: u64 = 800, "N" in 4..=1_000_000;
        /// A folder with another copy of MNIST, or of data in its format.
        mnist: Option<PathBuf> = None, "DIR";
        section "Random choices";
        /// The seed of all random choices.
        seed: u64 = 0, "N";
        /// Threads; they do not change the result.
        threads: usize = 2, "N" in 1..=64;
    }
}

settings! {
    /// What a run of comparison is made with.
    pub struct ComparisonSettings {
        /// How many pairs to train on.
        pairs: usize = 10_000, "N" in 40..=1_000_000;
        /// How many pairs to test on, of MNIST's test images.
        test: usize = 5000, "N" in 1..=1_000_000;
        /// How many symbols pictures show.
        symbols: usize = 10, "N" in 2..=40;
        /// Steps of the network's training.
        steps: u64 = 800, "N" in 4..=1_000_000;
        /// A folder with another copy of MNIST, or of data in its format.
        mnist: Option<PathBuf> = None, "DIR";
        section "Random choices";
        /// The seed of all random choices.
        seed: u64 = 0, "N";
        /// Threads; they do not change the result.
        threads: usize = 2, "N" in 1..=64;
    }
}

impl AdditionSettings {
    /// The examples of these settings.
    ///
    /// # Errors
    /// If settings do not go together.
    pub fn plan(&self) -> TaskResult<Plan> {
        let AdditionSettings { operation, digits, seed, .. } = *self;
        ensure!(
            digits == 1 || operation == Operation::Sum,
            "--digits {digits}: of numbers with several digits there is the sum alone"
        );
        ensure!(
            !(self.guess && self.symbols.is_some()),
            "--guess: the number of symbols is told by --symbols"
        );
        let symbols = self.symbols.or((digits == 1 && !self.guess).then_some(10));
        let names: &[&str] = if digits == 1 { &["a", "b"] } else { &["a1", "a2", "b1", "b2"] };
        Ok(Plan {
            places: names.iter().map(|name| (*name).to_owned()).collect(),
            answer: "y",
            told: Box::new(move |shown| operation.answer(shown, seed)),
            below: 10,
            truth: match digits {
                1 => operation.words().to_owned(),
                _ => "the sums of two numbers of two digits each".to_owned(),
            },
            examples: [self.pairs, self.test],
            wrong: self.wrong,
            latent: LatentSettings {
                symbols,
                steps: self.steps,
                seed,
                threads: self.threads,
                ..LatentSettings::default()
            },
            mnist: self.mnist.clone(),
        })
    }
}

impl HiddenTask for Adding {
    const NAME: &'static str = "addition";
    const ABOUT: &'static str = "Two pictures of digits and their sum, or what another operator makes of them. Neither the \
                                 operator nor what a picture shows is known.";
    const HELP: &'static str = "\
Examples:
  precept train addition
  precept train addition --pairs 1000
  precept train addition --operation product --seed 1
  precept train addition --digits 2 --pairs 6000

--operation says what the data are, not what is looked for: training sees pictures and answers alone. The
operator that is found is printed, with how sure it is.";
    type Settings = AdditionSettings;

    fn plan(settings: &AdditionSettings) -> TaskResult<Plan> {
        settings.plan()
    }

    fn run_name(settings: &AdditionSettings) -> String {
        let operation = match settings.digits {
            1 => settings.operation.written().unwrap_or_default(),
            digits => format!("{digits}-digits"),
        };
        format!("addition-{operation}-{}", settings.seed)
    }
}

impl HiddenTask for Comparing {
    const NAME: &'static str = "comparison";
    const ABOUT: &'static str = "Two pictures of digits, and whether the first is less than the second. Neither the order nor \
                                 what a picture shows is known.";
    const HELP: &'static str = "Example:\n  precept train comparison --seed 1";
    type Settings = ComparisonSettings;

    fn plan(settings: &ComparisonSettings) -> TaskResult<Plan> {
        let ComparisonSettings { pairs, test, symbols, steps, seed, threads, .. } = *settings;
        let mnist = settings.mnist.clone();
        let operation = Operation::Less;
        let symbols = Some(symbols);
        AdditionSettings {
            operation,
            pairs,
            test,
            symbols,
            steps,
            seed,
            threads,
            mnist,
            ..AdditionSettings::default()
        }
        .plan()
    }

    fn run_name(settings: &ComparisonSettings) -> String {
        format!("comparison-{}", settings.seed)
    }
}
