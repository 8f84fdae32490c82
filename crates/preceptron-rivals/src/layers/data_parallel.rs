//! Batches in parts, on threads: each part gives a gradient of its own, and these are added in the order of the
//! parts. So the number of threads changes nothing, not even the last bit, as long as the parts depend on the
//! batch alone.

use std::ops::Range;
use std::sync::Mutex;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::linear::add_all;
use super::norm::total;
use super::optimiser::{Optimiser, State};
use super::parameters::Parameters;
use crate::RivalError;

/// The parameters of a network, their optimiser, the threads, and what each of these works with.
pub(crate) struct DataParallel<W> {
    pub parameters: Parameters,
    pub state: State,
    optimiser: Optimiser,
    decaying: Vec<Range<usize>>,
    threads: ThreadPool,
    workers: Vec<W>,
    parts: Vec<Part>,
}

/// What a part of a batch gives.
#[derive(Default)]
pub(crate) struct Part {
    /// The sum over cells.
    pub loss: f64,
    pub gradient: Vec<f32>,
    failed: Option<RivalError>,
}

impl<W: Default + Send> DataParallel<W> {
    pub fn new(
        parameters: Parameters,
        seed: u64,
        optimiser: Optimiser,
        threads: usize,
    ) -> Result<DataParallel<W>, RivalError> {
        optimiser.check()?;
        let threads = ThreadPoolBuilder::new().num_threads(threads.max(1)).build()?;
        let workers = (0..threads.current_num_threads()).map(|_| W::default()).collect();
        let (state, decaying) = (State::start(parameters.initial(seed)), parameters.decaying());
        Ok(DataParallel { parameters, state, optimiser, decaying, threads, workers, parts: Vec::new() })
    }

    /// Runs something else on the threads.
    pub fn on_threads<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.threads.install(work)
    }

    /// A row of so many values for each example; `predict` fills those of a part.
    pub fn predict(
        &self,
        examples: usize,
        part: usize,
        width: usize,
        predict: impl Fn(&mut W, Range<usize>, &mut [f32]) -> Result<(), RivalError> + Sync,
    ) -> Result<Vec<f32>, RivalError> {
        let mut values = vec![0.0; examples * width];
        let rows = values.chunks_mut((part * width).max(1));
        let queue = Mutex::new(ranges(examples, part).zip(rows));
        let results = self.threads.broadcast(|_| {
            let mut worker = W::default();
            while let Some((range, rows)) = next(&queue) {
                predict(&mut worker, range, rows)?;
            }
            Ok(())
        });
        results.into_iter().collect::<Result<(), RivalError>>()?;
        Ok(values)
    }

    /// One step of training, by what `differentiate` gives for each part; returns the sum of the losses over
    /// `total`. After an error the state is as it was.
    pub fn fit(
        &mut self,
        examples: usize,
        part: usize,
        known: f64,
        differentiate: impl Fn(&mut W, &[f32], Range<usize>, &mut Part) -> Result<(), RivalError> + Sync,
    ) -> Result<f64, RivalError> {
        let DataParallel { parameters, state, threads, workers, parts, .. } = self;
        let count = examples.div_ceil(part);
        parts.resize_with(parts.len().max(count), Part::default);
        let queue = Mutex::new(ranges(examples, part).zip(parts.iter_mut()));
        threads.install(|| {
            workers.par_iter_mut().for_each(|worker| {
                while let Some((range, part)) = next(&queue) {
                    part.gradient.clear();
                    part.gradient.resize(parameters.len, 0.0);
                    part.failed = differentiate(worker, &state.weights, range, part).err();
                }
            });
        });
        let parts = &mut parts[..count];
        if let Some(error) = parts.iter_mut().find_map(|part| part.failed.take()) {
            return Err(error);
        }
        let loss = parts.iter().map(|part| part.loss).sum::<f64>() / known;
        let Some((first, others)) = parts.split_first_mut() else {
            return Err(RivalError::EmptyBatch);
        };
        others.iter().for_each(|part| add_all(&mut first.gradient, &part.gradient));
        if !(loss.is_finite() && total(&first.gradient).is_finite()) {
            return Err(RivalError::Diverged { step: state.step });
        }
        state.update(&self.optimiser, &self.decaying, &first.gradient);
        Ok(loss)
    }
}

fn ranges(examples: usize, part: usize) -> impl Iterator<Item = Range<usize>> + Send {
    (0..examples.div_ceil(part)).map(move |number| number * part..examples.min((number + 1) * part))
}

/// The next item of a queue. A thread that panicked while it held the lock ends the others as well.
fn next<I: Iterator>(queue: &Mutex<I>) -> Option<I::Item> {
    queue.lock().ok()?.next()
}
