//! What can be wrong with a run.

use std::io;
use std::path::{Path, PathBuf};

/// What is wrong with a run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// There is nothing of that name.
    #[error("{0}: no such run")]
    Missing(PathBuf),
    /// There is something else of that name.
    #[error("{0}: is not a run: it has no config.toml")]
    NotARun(PathBuf),
    /// The run is there and would be overwritten.
    #[error("{0}: is already there; --force overwrites it")]
    Exists(PathBuf),
    /// Something else writes to the run.
    #[error("{run}: another process{} is writing it", process.map_or(String::new(), |n| format!(" ({n})")))]
    Busy {
        /// The run.
        run: PathBuf,
        /// The number of the process.
        process: Option<u32>,
    },
    /// A file is one of another run.
    #[error("{run}: {file} is not of this run: {} where this one is {own}", id.as_deref().map_or("it has no run's id".to_owned(), |id| format!("it is of the run {id}")))]
    OfAnother {
        /// The run.
        run: PathBuf,
        /// The file in it.
        file: String,
        /// The id in the file.
        id: Option<String>,
        /// The run's id.
        own: String,
    },
    /// A file of the run is not there.
    #[error("{run}: {file} is missing{why}")]
    FileMissing {
        /// The run.
        run: PathBuf,
        /// The file in it.
        file: String,
        /// What that means.
        why: &'static str,
    },
    /// A file of the run cannot be understood.
    #[error("{run}: {file} is damaged: {problem}")]
    Damaged {
        /// The run.
        run: PathBuf,
        /// The file in it.
        file: String,
        /// What is wrong in it.
        problem: String,
    },
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file or directory.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

pub(super) fn failed(path: &Path) -> impl FnOnce(io::Error) -> RunError + '_ {
    |source| RunError::File { path: path.to_owned(), source }
}

/// What is wrong in a text of TOML, and in which line.
pub(super) fn in_line(text: &str, error: &toml::de::Error) -> String {
    let before = error.span().map_or("", |span| &text[..span.start]);
    format!("line {}: {}", before.matches('\n').count() + 1, one_line(error))
}

/// What is wrong in one line, though the value that it quotes may have several.
pub(super) fn one_line(error: &toml::de::Error) -> String {
    error.message().replace(|c: char| c.is_control(), " ")
}
