//! Partitions that are files, or row groups of Parquet files.

use std::path::PathBuf;

use preceptron_base::Control;
use rayon::prelude::*;

use super::{Engine, Job, Outcome, PartsError, work};
use crate::{Part, TableOptions, parts_of, pieces_of};

/// A table in several files, or in one that is read in pieces.
pub struct Files {
    parts: Vec<(PathBuf, Part)>,
    options: TableOptions,
}

impl Files {
    /// The files in this order; those of Parquet are cut at their row groups.
    ///
    /// # Errors
    /// If there is none, or one cannot be read in pieces.
    pub fn new(paths: &[PathBuf], options: TableOptions) -> Result<Files, PartsError> {
        let mut parts = Vec::new();
        for path in paths {
            parts.extend(parts_of(path)?.into_iter().map(|part| (path.clone(), part)));
        }
        Ok(Files { parts, options })
    }
}

impl Engine for Files {
    fn partitions(&self) -> usize {
        self.parts.len()
    }

    fn name(&self, partition: usize) -> String {
        self.parts[partition].0.display().to_string()
    }

    fn run(&self, job: &Job, control: &dyn Control) -> Result<Vec<Outcome>, PartsError> {
        let one = |(number, (path, part)): (usize, &(PathBuf, Part))| {
            let mut pieces = pieces_of(path, part, &self.options)?;
            work(job, number, &mut *pieces, &self.options, control)
        };
        // Of several errors the first is told, whoever was quicker.
        let all: Vec<_> = self.parts.par_iter().enumerate().map(one).collect();
        all.into_iter().collect()
    }
}
