//! What kind of table a file is.

use std::ffi::OsStr;
use std::path::Path;

use super::error::Fault;

/// The kinds of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Csv,
    Npy,
    Parquet,
}

/// The first bytes of an NPY file.
pub(super) const NPY_MAGIC: &[u8] = b"\x93NUMPY";
const PARQUET_MAGIC: &[u8] = b"PAR1";

/// The kind that the name says, if the content does not say otherwise.
pub(super) fn kind(name: &str, bytes: &[u8]) -> Result<Kind, Fault> {
    let mut path = Path::new(name);
    let extension = |path: &Path| path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
    if matches!(extension(path).as_deref(), Some("gz" | "xz")) {
        path = path.file_stem().map_or(path, Path::new);
    }
    let found = if bytes.starts_with(NPY_MAGIC) {
        Some((Kind::Npy, "an NPY file"))
    } else if bytes.starts_with(PARQUET_MAGIC) {
        Some((Kind::Parquet, "a Parquet file"))
    } else {
        None
    };
    let (kind, expected) = match extension(path).as_deref() {
        Some("npy") => (Kind::Npy, "an NPY file, as its name says"),
        Some("parquet") => (Kind::Parquet, "a Parquet file, as its name says"),
        _ => (Kind::Csv, "a table of text"),
    };
    let wrong = |found: String| Err(Fault::Kind { expected, found });
    match (kind, found) {
        _ if bytes.is_empty() => Err(Fault::Empty),
        (_, Some((other, what))) if other != kind => wrong(format!("its content is that of {what}")),
        (Kind::Npy | Kind::Parquet, None) => wrong("it does not begin like one".to_owned()),
        (Kind::Csv, None) if bytes.contains(&0) => wrong("it has zero bytes, as binary files do".to_owned()),
        _ => Ok(kind),
    }
}
