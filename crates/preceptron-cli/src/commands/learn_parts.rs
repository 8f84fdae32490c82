//! `precept learn` of a table in parts, or of one that is read piece by piece.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::bail;
use preceptron_learn::parts::{Closeness, Files, PartsError, learn_parts};
use preceptron_learn::{Checked, Learned, Table};

use super::learn::Arguments;
use crate::progress::Progress;

/// The rules of all parts, and the rows among which they were looked for.
pub fn search(
    arguments: &Arguments,
    settings: &Checked,
    interrupted: Arc<AtomicBool>,
) -> anyhow::Result<(Table, Learned)> {
    let paths: Vec<_> = std::iter::once(&arguments.table.table).chain(&arguments.more).cloned().collect();
    if paths.iter().any(|path| path == Path::new("-")) {
        bail!("standard input can be read only once; parts of a table are files");
    }
    let options = arguments.table.options()?;
    let rows = arguments.closely.map(|rows| usize::try_from(rows).unwrap_or(usize::MAX));
    let closeness = Closeness { rows, ..Closeness::default() };
    let progress = Progress::new(interrupted);
    let learned = arguments.pool()?.install(|| {
        let files = Files::new(&paths, options.clone())?;
        learn_parts(&files, &options, settings, closeness, &progress)
    });
    progress.finish();
    match learned {
        Ok(found) => Ok((found.table, found.learned)),
        Err(PartsError::Cancelled) => bail!("stopped before there were rules; nothing was written"),
        Err(error) => Err(error.into()),
    }
}
