//! What can be wrong with driving data.

use std::path::PathBuf;

/// Why driving data could not be read or made. Each is one line that names the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DrivingError {
    /// A file or folder could not be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A line of a file is not what it should be.
    #[error("{file}: line {line}: {what}")]
    Line {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// A file as a whole is not what it should be.
    #[error("{file}: {what}")]
    File {
        /// The file.
        file: String,
        /// What is wrong.
        what: String,
    },
    /// Files that belong to others are not there.
    #[error("{place}: {} of {of} files are missing: {}", names.len(), first(names))]
    Missing {
        /// Where they should be.
        place: String,
        /// What they are called.
        names: Vec<String>,
        /// How many there should be.
        of: usize,
    },
    /// What was asked for cannot be had.
    #[error("{0}")]
    Asked(String),
    /// It was to stop.
    #[error("interrupted before all frames were there")]
    Interrupted,
}

/// The first few names.
fn first(names: &[String]) -> String {
    let shown = names.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > 5 { format!("{shown}, ...") } else { shown }
}

impl DrivingError {
    /// An error about a file as a whole.
    pub(crate) fn file(file: &str, what: impl Into<String>) -> DrivingError {
        DrivingError::File { file: file.to_owned(), what: what.into() }
    }
}
