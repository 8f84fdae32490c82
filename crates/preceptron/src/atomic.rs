//! Files that are there as a whole or not at all.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// How temporary names begin.
pub(crate) const PREFIX: &str = ".precept";

/// Writes under a temporary name, brings it to the disk, and gives it its name.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let directory = path.parent().unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    // Temporary files are private by default; a result is as readable as any other new file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.prefix(PREFIX).tempfile_in(directory)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    // The new name is in the directory: on the disk once that is.
    if cfg!(unix) { File::open(directory)?.sync_all() } else { Ok(()) }
}
