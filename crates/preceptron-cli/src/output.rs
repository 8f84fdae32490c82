//! Files that the program writes: never over another one unasked, and never by half.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

/// A file that may be written, checked before any work is done.
pub struct Destination {
    path: PathBuf,
    directory: PathBuf,
    force: bool,
}

impl Destination {
    /// Checks that the directory is there, and the file is not or may be overwritten.
    pub fn check(path: &Path, force: bool) -> anyhow::Result<Destination> {
        let shown = path.display();
        if path.is_dir() {
            bail!("{shown}: is a directory, not a file to write");
        }
        if path.exists() && !force {
            bail!("{shown}: is already there; --force overwrites it");
        }
        let directory = match path.parent() {
            Some(parent) if parent != Path::new("") => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        if !directory.is_dir() {
            bail!("{shown}: there is no directory {}", directory.display());
        }
        Ok(Destination { path: path.to_owned(), directory, force })
    }

    /// Writes the file under another name and then gives it its own, so that it is there as a whole.
    pub fn write(&self, bytes: &[u8]) -> anyhow::Result<()> {
        self.try_write(bytes).with_context(|| format!("{}: cannot be written", self.path.display()))
    }

    fn try_write(&self, bytes: &[u8]) -> anyhow::Result<()> {
        let mut builder = tempfile::Builder::new();
        // Temporary files are private by default; a result is as readable as any other new file.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.prefix(".precept").tempfile_in(&self.directory)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        // Between the check and this moment somebody else may have made the file.
        match self.force {
            true => file.persist(&self.path)?,
            false => file.persist_noclobber(&self.path)?,
        };
        Ok(())
    }
}
