//! Many inputs for one target: the seeds, and then changes of whatever brought something new.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use preceptron_base::stream;

use crate::{Mutator, Panic, Target, catch};

/// The most inputs, and the most outcomes, that are kept: the limit on memory is for the readers.
const MOST: (usize, usize) = (4096, 50_000);

/// Inputs for one target, and what they brought to light.
pub struct Campaign<'a> {
    target: &'a Target,
    mutator: Mutator,
    seeds: Vec<Vec<u8>>,
    corpus: Vec<Vec<u8>>,
    /// The outcomes that there were, up to a great number.
    pub outcomes: BTreeSet<String>,
    /// For each place of a panic the first input that led there.
    pub panics: BTreeMap<String, (Vec<u8>, Panic)>,
    /// How many inputs were run.
    pub executions: u64,
    /// How long the slowest took.
    pub slowest: Duration,
    /// Which one that was.
    pub slowest_input: Vec<u8>,
}

impl<'a> Campaign<'a> {
    /// A campaign that this seed and number decide.
    pub fn new(target: &'a Target, seed: u64, number: u64) -> Campaign<'a> {
        Campaign {
            target,
            mutator: Mutator::new(stream(seed, target.name, number), target.words),
            seeds: (target.seeds)(),
            corpus: vec![],
            outcomes: BTreeSet::new(),
            panics: BTreeMap::new(),
            executions: 0,
            slowest: Duration::ZERO,
            slowest_input: vec![],
        }
    }

    /// How many inputs are kept to be changed.
    pub fn kept(&self) -> usize {
        self.corpus.len()
    }

    /// The next input to run.
    pub fn next_input(&mut self) -> Vec<u8> {
        let seed = self.seeds.get(self.executions as usize).cloned();
        seed.unwrap_or_else(|| self.mutator.mutate(&self.corpus))
    }

    /// Runs an input, and keeps it if it is a seed or what became of it is new. The panic, if there is one at a place that
    /// had none.
    pub fn run(&mut self, input: Vec<u8>) -> Option<&Panic> {
        let is_seed = self.executions < self.seeds.len() as u64;
        let start = Instant::now();
        let result = catch(self.target, &input);
        let time = start.elapsed();
        self.executions += 1;
        if time > self.slowest {
            self.slowest = time;
            self.slowest_input = input.clone();
        }
        match result {
            Ok(outcome) => {
                let is_new = self.outcomes.len() < MOST.1 && self.outcomes.insert(outcome);
                if (is_new || is_seed) && self.corpus.len() < MOST.0 {
                    self.corpus.push(input);
                }
                None
            }
            Err(panic) if self.panics.contains_key(&panic.place) => None,
            Err(panic) => {
                let place = panic.place.clone();
                Some(&self.panics.entry(place).or_insert((input, panic)).1)
            }
        }
    }
}
