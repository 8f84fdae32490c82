//! What a person reads, and what a program reads.

use std::fmt;
use std::path::Path;

use preceptron_base::write_whole;
use serde_json::Value;

use super::{Context, TaskResult};

/// A result in words and as JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// For a person.
    pub text: String,
    /// For a program.
    pub json: Value,
    /// Whether the answer is a yes: rules found, a board solved.
    pub is_yes: bool,
}

impl Shown {
    /// A yes.
    pub fn yes(text: impl Into<String>, json: Value) -> Shown {
        Shown { text: text.into(), json, is_yes: true }
    }

    /// A yes or a no.
    pub fn answer(is_yes: bool, text: impl Into<String>, json: Value) -> Shown {
        Shown { text: text.into(), json, is_yes }
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Writes a file as a whole, over another one only if that is allowed.
///
/// # Errors
/// If the file is there and may not be overwritten, or cannot be written.
pub fn write_new(path: &Path, force: bool, bytes: &[u8]) -> TaskResult<()> {
    check_new(path, force)?;
    write_whole(path, bytes).context(path.display())
}

/// Whether a file may be written, before the work for it is done.
///
/// # Errors
/// If it is there and may not be overwritten, or its directory is not there.
pub fn check_new(path: &Path, force: bool) -> TaskResult<()> {
    let shown = path.display();
    let directory = path.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
    crate::ensure!(!path.is_dir(), "{shown}: is a directory, not a file to write");
    crate::ensure!(force || !path.exists(), "{shown}: is already there; --force overwrites it");
    crate::ensure!(directory.is_dir(), "{shown}: there is no directory {}", directory.display());
    Ok(())
}

/// Whether a picture may be written as PNG to a file, before the work for it is done.
///
/// # Errors
/// If the file's name has another ending, and as [`check_new`].
pub fn check_new_png(path: &Path, force: bool) -> TaskResult<()> {
    let is_png = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
    crate::ensure!(is_png, "{}: pictures are written as PNG; give the file a name in .png", path.display());
    check_new(path, force)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_png() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert!(
            check_new_png(&at("solved.png"), false).is_ok() && check_new_png(&at("A.PNG"), false).is_ok()
        );
        for name in ["solved.jpg", "solved", ".png", "solved.png.gz"] {
            let message = check_new_png(&at(name), true).unwrap_err().to_string();
            assert!(
                message.ends_with(": pictures are written as PNG; give the file a name in .png"),
                "{message}"
            );
        }
        let message = check_new_png(&at("none/a.png"), true).unwrap_err().to_string();
        assert!(message.contains("there is no directory"), "{message}");
    }
}
