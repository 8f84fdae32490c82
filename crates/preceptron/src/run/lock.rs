//! One writer at a time: a file in the run's directory that is locked while something writes there.
//!
//! The lock is the system's own, so that it ends with the process, however that ends. The file is removed
//! when the lock is given up; one that a kill left behind is not locked, and means nothing.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// The name of the file.
pub(super) const LOCK: &str = ".lock";

/// A lock on a directory, held until it is dropped.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    file: File,
}

/// Why there is no lock.
pub(super) enum Refused {
    /// Another process has it; its number, if it said so.
    Held(Option<u32>),
    Failed(io::Error),
}

impl Lock {
    /// Locks a directory that is there.
    pub fn take(directory: &Path) -> Result<Lock, Refused> {
        let path = directory.join(LOCK);
        loop {
            let open = File::options().read(true).write(true).create(true).truncate(false).open(&path);
            let mut file = open.map_err(Refused::Failed)?;
            match file.try_lock() {
                Ok(()) => (),
                Err(TryLockError::WouldBlock) => {
                    let mut text = String::new();
                    let _ = file.read_to_string(&mut text);
                    return Err(Refused::Held(text.trim().parse().ok()));
                }
                Err(TryLockError::Error(error)) => return Err(Refused::Failed(error)),
            }
            // Whoever held it before may have removed the file meanwhile: then this lock is on nothing.
            if !is_same(&file, &path) {
                continue;
            }
            let number = std::process::id().to_string();
            let written =
                file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(number.as_bytes()));
            written.map_err(Refused::Failed)?;
            return Ok(Lock { path, file });
        }
    }
}

#[cfg(unix)]
fn is_same(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_same(_file: &File, path: &Path) -> bool {
    path.exists()
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Removed while it is still locked, so that nobody else's file is.
        let _ = fs::remove_file(&self.path);
        let _ = self.file.unlock();
    }
}
