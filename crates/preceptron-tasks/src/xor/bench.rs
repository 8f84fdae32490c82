//! `precept bench xor`: chained XOR at several lengths, over several seeds.

use std::io::Write;

use preceptron::words::{percentage, print_table};
use preceptron::{Action, Group, TaskResult, Training, train};
use preceptron_base::{Control, Settings, Within, settings};
use preceptron_learn::AuxiliarySettings;
use serde_json::{Value, json};

use super::{Method, Score, Strings, XorLearner, XorSettings, control};

/// Accuracy, F1 and seconds by length and method.
pub struct Lengths;

settings! {
    /// What is measured.
    pub struct LengthsSettings {
        /// The lengths.
        lengths: Vec<u32> = vec![20, 40, 60, 80, 100, 200], "L,L,..." in 2..=4000;
        /// How many seeds, from 0.
        seeds: u64 = 5, "N" in 1..=1000;
        /// How many strings to train on [default: 1000, or 2 L if that is more].
        count: Option<u32> = None, "N" in 1..=1_000_000;
        /// How probable a one is, such as 0.1 or 10%.
        ones: f64 = 0.5, "P" in Within(0.0, 1.0);
        /// The share of the bits that do not matter; which ones is drawn.
        irrelevant: f64 = 0.0, "SHARE" in 0.0..1.0;
        /// How to learn.
        method: Method = Method::Both, "METHOD";
        /// How many strings to score on.
        held_out: usize = 1000, "N" in 1..=1_000_000;
        /// Print one JSON object instead of a table.
        json: bool = false;
    }
    with { auxiliary: AuxiliarySettings }
}

/// The figures of a method at a length, over the seeds.
struct Row {
    length: u32,
    method: &'static str,
    /// By seed: the score, whether the rules name the bits that matter and no others, and seconds.
    seeds: Vec<(Score, bool, f64)>,
}

impl Row {
    fn mean(&self, figure: impl Fn(&Score) -> f64) -> f64 {
        self.seeds.iter().map(|(score, ..)| figure(score)).sum::<f64>() / self.seeds.len() as f64
    }

    fn figures(&self) -> [f64; 5] {
        let least = self.seeds.iter().map(|(score, ..)| score.accuracy()).fold(1.0, f64::min);
        let [zero, one] = [0, 1].map(|class| self.mean(|score| score.f1(class)));
        [self.mean(Score::accuracy), least, zero, one, self.mean(Score::with_guesses)]
    }

    fn exact(&self) -> usize {
        self.seeds.iter().filter(|(_, exact, _)| *exact).count()
    }

    fn seconds(&self) -> f64 {
        self.seeds.iter().map(|(.., seconds)| seconds).sum::<f64>() / self.seeds.len() as f64
    }

    fn cells(&self) -> Vec<String> {
        let last = [format!("{} of {}", self.exact(), self.seeds.len()), format!("{:.3}", self.seconds())];
        let first = [self.method.to_owned(), self.length.to_string()];
        first.into_iter().chain(self.figures().map(percentage)).chain(last).collect()
    }

    fn json(&self) -> Value {
        let [accuracy, least, zero, one, guessed] = self.figures();
        json!({
            "length": self.length, "method": self.method, "accuracy": accuracy, "least_accuracy": least,
            "f1_class_0": zero, "f1_class_1": one, "accuracy_with_guesses": guessed,
            "seeds_with_exactly_the_relevant_bits": self.exact(), "seconds": self.seconds(),
        })
    }
}

const TITLES: [&str; 9] =
    ["method", "length", "accuracy", "least", "F1 of 0", "F1 of 1", "if guessed", "right bits", "seconds"];

impl Action for Lengths {
    const GROUP: Group = Group::Bench;
    const NAME: &'static str = "xor";
    const ABOUT: &'static str = "Chained XOR: accuracy, F1 and seconds by length and method.";
    const HELP: &'static str = "\
Examples:
  precept bench xor
  precept bench xor --lengths 20,40 --seeds 3 --irrelevant 50%

Accuracy counts undecided strings as wrong; `if guessed` lets a coin decide them. Seconds are those of
training one seed. Ctrl-C ends with the lengths that are done.";
    type Settings = LengthsSettings;

    fn run(settings: &LengthsSettings, out: &mut dyn Write, stop: &dyn Control) -> TaskResult<bool> {
        let LengthsSettings { count, ones, irrelevant, auxiliary, held_out, .. } = *settings;
        let of = |length, seed, method| {
            XorSettings { length, seed, count, ones, irrelevant, method, held_out, auxiliary }.resolved()
        };
        // Every length is checked before the first is measured.
        settings.lengths.iter().try_for_each(|&length| of(length, 0, Method::Both).check())?;
        let mut rows = Vec::new();
        'lengths: for &length in &settings.lengths {
            let mut of_length: Vec<Row> = Vec::new();
            for seed in 0..settings.seeds {
                let strings = Strings::generate(&of(length, seed, Method::Both));
                let held_out = strings.held_out(held_out, seed);
                let mut add = |at: usize, method, rules: &preceptron_logic::RuleSet, seconds| {
                    if of_length.len() == at {
                        of_length.push(Row { length, method, seeds: Vec::new() });
                    }
                    let score = Score::of(rules, &held_out, strings.answer());
                    let exact = strings.bits_of(rules).iter().eq(strings.relevant());
                    of_length[at].seeds.push((score, exact, seconds));
                };
                for (at, &method) in settings.method.each().iter().enumerate() {
                    let mut learner = XorLearner::new(&strings, &of(length, seed, method))?;
                    let trained = train(&mut learner, Training { control: stop, ..Training::default() })?;
                    if stop.is_cancelled() {
                        break 'lengths;
                    }
                    let rules = trained.model.unwrap_or_default().rules;
                    add(at, method.word(), &rules, trained.report.seconds[1]);
                }
                add(settings.method.each().len(), "control", &control(&strings), 0.0);
            }
            rows.extend(of_length);
        }
        if settings.json {
            let rows: Vec<Value> = rows.iter().map(Row::json).collect();
            writeln!(out, "{}", json!({ "seeds": settings.seeds, "rows": rows }))?;
        } else {
            print_table(out, &TITLES, &rows.iter().map(Row::cells).collect::<Vec<_>>())?;
        }
        Ok(true)
    }
}
