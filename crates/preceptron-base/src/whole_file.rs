//! Files that are there as a whole or not at all.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// How temporary names begin: what a kill leaves of a file that was being written has such a name.
pub const TEMPORARY: &str = ".precept";

/// Writes under a temporary name, brings it to the disk, and gives it its name.
///
/// # Errors
/// If the directory cannot be written to. The file is then as it was.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let directory = path.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    // Temporary files are private by default; a result is as readable as any other new file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.prefix(TEMPORARY).tempfile_in(directory)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    // The new name is in the directory: on the disk once that is.
    if cfg!(unix) { File::open(directory)?.sync_all() } else { Ok(()) }
}
