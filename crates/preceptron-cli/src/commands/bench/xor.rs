//! `precept bench xor`: chained XOR at several lengths, over several seeds.

use std::io::Write;

use clap::Args;
use preceptron::HeldOut;
use preceptron_base::Control;
use preceptron_tasks::xor::{Trial, Xor, try_methods};
use serde_json::{Value, json};

use crate::Answer;
use crate::present::{percentage, print_table};
use crate::progress::Progress;
use crate::xor_arguments::{AuxiliaryArguments, DataArguments};

/// Chained XOR: accuracy, F1 and seconds by length and method.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept bench xor
  precept bench xor --lengths 20,40 --seeds 3 --irrelevant 50%

Accuracy counts undecided strings as wrong; `if guessed` lets a coin decide them. Seconds are those of
training one seed. Ctrl-C ends with the lengths that are done.")]
pub struct Arguments {
    /// The lengths.
    #[arg(long, value_name = "L,L,...", value_delimiter = ',', default_values_t = [20, 40, 60, 80, 100, 200])]
    lengths: Vec<u32>,
    /// How many seeds, from 0.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    #[command(flatten)]
    data: DataArguments,
    /// How many strings to score on.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    held_out: u32,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    auxiliary: AuxiliaryArguments,
}

/// The figures of a method at a length, over the seeds.
struct Row {
    length: u32,
    method: &'static str,
    accuracy: f64,
    least: f64,
    f1: [f64; 2],
    guessed: f64,
    /// In how many seeds the rules name the bits that matter and no others.
    exact: usize,
    seconds: f64,
}

impl Row {
    fn new(length: u32, trials: &[(&Xor, &Trial)]) -> Row {
        let mean = |figure: &dyn Fn(&Trial) -> f64| {
            trials.iter().map(|(_, trial)| figure(trial)).sum::<f64>() / trials.len() as f64
        };
        let accuracy = |trial: &Trial| trial.on_held_out.accuracy();
        Row {
            length,
            method: trials[0].1.method,
            accuracy: mean(&accuracy),
            least: trials.iter().map(|(_, trial)| accuracy(trial)).fold(1.0, f64::min),
            f1: [0, 1].map(|class| mean(&|trial: &Trial| trial.on_held_out.f1(class))),
            guessed: mean(&|trial: &Trial| trial.on_held_out.with_guesses()),
            exact: trials.iter().filter(|(task, trial)| trial.bits(task).iter().eq(task.relevant())).count(),
            seconds: mean(&|trial: &Trial| trial.report.as_ref().map_or(0.0, |report| report.seconds)),
        }
    }

    fn cells(&self, seeds: u64) -> Vec<String> {
        let Row { length, method, accuracy, least, f1, guessed, exact, seconds } = self;
        let shares = [*accuracy, *least, f1[0], f1[1], *guessed].map(percentage);
        let last = [format!("{exact} of {seeds}"), format!("{seconds:.3}")];
        [(*method).to_owned(), length.to_string()].into_iter().chain(shares).chain(last).collect()
    }

    fn json(&self) -> Value {
        let Row { length, method, accuracy, least, f1, guessed, exact, seconds } = self;
        json!({
            "length": length, "method": method, "accuracy": accuracy, "least_accuracy": least,
            "f1_class_0": f1[0], "f1_class_1": f1[1], "accuracy_with_guesses": guessed,
            "seeds_with_exactly_the_relevant_bits": exact, "seconds": seconds,
        })
    }
}

const TITLES: [&str; 9] =
    ["method", "length", "accuracy", "least", "F1 of 0", "F1 of 1", "if guessed", "right bits", "seconds"];

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let settings = |length, seed| arguments.data.settings(length, seed, arguments.auxiliary.settings());
    // Every length is checked before the first is measured.
    arguments.lengths.iter().try_for_each(|&length| settings(length, 0).check().map(drop))?;
    let progress = Progress::new(crate::interrupt::flag()?);
    let mut rows = Vec::new();
    'lengths: for &length in &arguments.lengths {
        let mut seeds: Vec<(Xor, Vec<Trial>)> = Vec::new();
        for seed in 0..arguments.seeds {
            let settings = settings(length, seed);
            let task = Xor::generate(&settings.check()?);
            let held_out = task.held_out(HeldOut { count: arguments.held_out as usize, seed });
            let trials = try_methods(&task, &settings, &held_out, &mut [], &progress)?;
            if progress.is_cancelled() {
                break 'lengths;
            }
            seeds.push((task, trials));
        }
        for method in 0..seeds[0].1.len() {
            let of_method: Vec<_> = seeds.iter().map(|(task, trials)| (task, &trials[method])).collect();
            rows.push(Row::new(length, &of_method));
        }
    }
    progress.finish();
    if arguments.json {
        let rows: Vec<Value> = rows.iter().map(Row::json).collect();
        serde_json::to_writer(&mut *out, &json!({ "seeds": arguments.seeds, "rows": rows }))?;
        writeln!(out)?;
    } else {
        let cells: Vec<_> = rows.iter().map(|row| row.cells(arguments.seeds)).collect();
        print_table(out, &TITLES, &cells)?;
    }
    Ok(Answer::Yes)
}
