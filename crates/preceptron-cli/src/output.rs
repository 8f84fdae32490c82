//! What the program writes: results, and files that are never written over another one unasked, nor by half.

use std::io::Write;
use std::path::{Path, PathBuf};

use preceptron::{Shown, TaskError, TaskResult, check_new, write_new};

use crate::YesNo;

/// A file that may be written, checked before any work is done.
pub struct Destination {
    path: PathBuf,
    force: bool,
}

impl Destination {
    /// Checks that the directory is there, and the file is not or may be overwritten.
    pub fn check(path: &Path, force: bool) -> anyhow::Result<Destination> {
        check_new(path, force).map_err(failed)?;
        Ok(Destination { path: path.to_owned(), force })
    }

    /// Writes the file under another name and then gives it its own, so that it is there as a whole.
    pub fn write(&self, bytes: &[u8]) -> anyhow::Result<()> {
        write_new(&self.path, self.force, bytes).map_err(failed)
    }
}

/// A task's error as one of the program.
pub fn failed(error: TaskError) -> anyhow::Error {
    anyhow::Error::from_boxed(error.into())
}

/// Prints what a task shows, as text or as JSON.
pub fn print(out: &mut dyn Write, shown: TaskResult<Shown>, as_json: bool) -> anyhow::Result<YesNo> {
    let shown = shown.map_err(failed)?;
    match as_json {
        true => writeln!(out, "{}", shown.json)?,
        false => write!(out, "{shown}")?,
    }
    Ok(if shown.is_yes { YesNo::Yes } else { YesNo::No })
}
