//! Batches in parts, on threads (data parallelism).
//!
//! Threads take parts as they become free, each part gives a gradient of its own, and these are added in the order of
//! the parts. So the number of threads changes nothing, not even the last bit, as long as the number and sizes of
//! parts depend on the batch alone. (Another kind of processor may: the order of the sums within a product of matrices
//! suits its caches.)

use std::ops::Range;
use std::sync::Mutex;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::adam::State;
use crate::norm::sum;
use crate::{Checked, PerceiveError};

/// Threads, what each of them works with, and what the parts of a batch gave.
pub(crate) struct DataParallel<W> {
    threads: ThreadPool,
    workers: Vec<W>,
    parts: Vec<Part>,
}

/// What a part of a batch gives.
#[derive(Default)]
pub(crate) struct Part {
    /// The sum over images.
    pub loss: f64,
    pub gradient: Vec<f32>,
    /// Batch norm's.
    pub statistics: Vec<f32>,
}

impl<W: Default + Send> DataParallel<W> {
    pub fn new(threads: usize) -> Result<DataParallel<W>, PerceiveError> {
        let threads = ThreadPoolBuilder::new().num_threads(threads.max(1)).build()?;
        let workers = (0..threads.current_num_threads()).map(|_| W::default()).collect();
        Ok(DataParallel { threads, workers, parts: Vec::new() })
    }

    /// A row of so many values for each image; `predict` fills those of a part.
    pub fn predict(
        &self,
        ranges: impl Iterator<Item = Range<usize>>,
        width: usize,
        predict: impl Fn(&mut W, Range<usize>, &mut [f32]) + Sync,
    ) -> Vec<f32> {
        let ranges: Vec<Range<usize>> = ranges.collect();
        let mut values = vec![0.0; ranges.iter().map(Range::len).sum::<usize>() * width];
        let mut rest = &mut values[..];
        let mut parts = Vec::new();
        for range in ranges {
            let (rows, others) = std::mem::take(&mut rest).split_at_mut(range.len() * width);
            parts.push((range, rows));
            rest = others;
        }
        let queue = Mutex::new(parts.into_iter());
        self.threads.broadcast(|_| {
            let mut worker = W::default();
            while let Some((range, rows)) = next(&queue) {
                predict(&mut worker, range, rows);
            }
        });
        values
    }

    /// One step of training, by what `differentiate` gives for each part; returns the sum of the losses over
    /// `total`. After an error the state is as it was.
    pub fn fit(
        &mut self,
        ranges: impl ExactSizeIterator<Item = Range<usize>> + Send,
        total: f64,
        state: &mut State,
        settings: &Checked,
        decaying: &[Range<usize>],
        differentiate: impl Fn(&mut W, &State, Range<usize>, &mut Part) + Sync,
    ) -> Result<f64, PerceiveError> {
        let DataParallel { threads, workers, parts } = self;
        parts.resize_with(ranges.len(), Part::default);
        let (queue, before) = (Mutex::new(ranges.zip(parts.iter_mut())), &*state);
        threads.install(|| {
            workers.par_iter_mut().for_each(|worker| {
                while let Some((range, part)) = next(&queue) {
                    differentiate(worker, before, range, part);
                    // ReLU turns what is not a number into 0, so that the loss alone would not show it.
                    if !(sum(&part.gradient).is_finite() && sum(&part.statistics).is_finite()) {
                        part.loss = f64::NAN;
                    }
                }
            });
        });
        let loss = parts.iter().map(|part| part.loss).sum::<f64>() / total;
        if !loss.is_finite() {
            return Err(PerceiveError::Diverged { step: state.step });
        }
        let gradients: Vec<&[f32]> = parts.iter().map(|part| &part.gradient[..]).collect();
        let statistics = parts.iter().map(|part| &part.statistics[..]);
        threads.install(|| state.update(decaying, settings, &gradients, statistics));
        Ok(loss)
    }
}

/// The next item of a queue. A thread that panicked while it held the lock ends the others as well.
fn next<I: Iterator>(queue: &Mutex<I>) -> Option<I::Item> {
    queue.lock().ok()?.next()
}
