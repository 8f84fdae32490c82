//! From a path to the bytes of a table: reading, decompressing, and what kind of file it is.

use std::ffi::OsStr;
use std::io::{ErrorKind, Read};
use std::path::Path;

use super::error::{Fault, TableError};

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

/// The bytes of a file.
pub(super) fn load(path: &Path) -> Result<Vec<u8>, TableError> {
    let file = path.display().to_string();
    if path.is_dir() {
        return Err(Fault::Directory.of(&file));
    }
    std::fs::read(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Fault::NotFound.of(&file),
        _ => Fault::Unreadable(error).of(&file),
    })
}

/// Undoes gzip and xz, which are known by their first bytes whatever the file's name.
pub fn decompress(bytes: Vec<u8>) -> Result<Vec<u8>, Fault> {
    let mut plain = Vec::new();
    let read = match bytes.as_slice() {
        [0x1f, 0x8b, ..] => flate2::read::MultiGzDecoder::new(bytes.as_slice()).read_to_end(&mut plain),
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => {
            liblzma::read::XzDecoder::new_multi_decoder(bytes.as_slice()).read_to_end(&mut plain)
        }
        [0x28, 0xb5, 0x2f, 0xfd, ..] => return Err(Fault::Compressed("zstd")),
        [b'B', b'Z', b'h', b'1'..=b'9', 0x31, ..] => return Err(Fault::Compressed("bzip2")),
        [b'P', b'K', 3, 4, ..] => return Err(Fault::Compressed("zip")),
        _ => return Ok(bytes),
    };
    read.map_err(Fault::BrokenCompression)?;
    Ok(plain)
}

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
