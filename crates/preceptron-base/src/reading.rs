//! Reading files with a budget: what is compressed may be a thousand times as large as it looks.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::path::Path;

/// The most bytes that a file may have, unless one says otherwise.
pub const BUDGET: u64 = 4 << 30;

/// The most bytes that come of a compressed file, unless [`UNPACKED_VARIABLE`] says otherwise: some kilobytes can
/// become any number.
pub const UNPACKED: u64 = 256 << 20;

/// The environment variable with the most bytes that come of a compressed file.
pub const UNPACKED_VARIABLE: &str = "PRECEPT_UNPACKED";

/// The most bytes that come of a compressed file.
fn most_unpacked() -> u64 {
    let given = std::env::var(UNPACKED_VARIABLE).ok().and_then(|text| text.trim().parse().ok());
    given.unwrap_or(UNPACKED)
}

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file is not there.
    #[error("no such file")]
    NotFound,
    /// A directory.
    #[error("is a directory, not a file")]
    Directory,
    /// The system could not read it.
    #[error("{0}")]
    Unreadable(std::io::Error),
    /// Compressed in a way that is not read.
    #[error("is compressed ({0}); decompress it first")]
    Compressed(&'static str),
    /// Compressed, and broken.
    #[error("cannot be decompressed: {0}")]
    BrokenCompression(std::io::Error),
    /// More bytes than the budget allows.
    #[error("has more than {0} bytes, which is more than is read at once")]
    TooLarge(u64),
    /// More bytes come of it than a compressed file may become.
    #[error(
        "has more than {0} bytes once it is decompressed; decompress it first, or raise the limit: \
         {UNPACKED_VARIABLE}=BYTES in the environment"
    )]
    TooLargeUnpacked(u64),
    /// A picture where a text is read.
    #[error("is a picture ({0}), not a file of text")]
    Picture(&'static str),
    /// Bytes that are not text.
    #[error("is not a file of text: it is not valid UTF-8")]
    Utf8,
}

/// A file to be read bit by bit, decompressed on the way: it takes the memory of a small part, however large it is.
///
/// # Errors
/// If there is no such file, or it is compressed in another way than gzip and xz.
pub fn open_stream(path: &Path) -> Result<Box<dyn BufRead + Send>, ReadError> {
    if path.is_dir() {
        return Err(ReadError::Directory);
    }
    let unreadable = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => ReadError::NotFound,
        _ => ReadError::Unreadable(error),
    };
    let mut file = BufReader::new(std::fs::File::open(path).map_err(unreadable)?);
    let start = file.fill_buf().map_err(unreadable)?;
    Ok(match start {
        [0x1f, 0x8b, ..] => Box::new(BufReader::new(flate2::bufread::MultiGzDecoder::new(file))),
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => {
            Box::new(BufReader::new(lzma_rust2::XzReader::new(file, true)))
        }
        [0x28, 0xb5, 0x2f, 0xfd, ..] => return Err(ReadError::Compressed("zstd")),
        [b'B', b'Z', b'h', b'1'..=b'9', 0x31, ..] => return Err(ReadError::Compressed("bzip2")),
        [b'P', b'K', 3, 4, ..] => return Err(ReadError::Compressed("zip")),
        _ => Box::new(file),
    })
}

/// Reads the next line without its end into `line`, of which at most `most` bytes are kept; how long it is, or
/// nothing at the end.
///
/// # Errors
/// If it cannot be read.
pub fn read_line(
    reader: &mut dyn BufRead,
    line: &mut Vec<u8>,
    most: usize,
) -> std::io::Result<Option<usize>> {
    line.clear();
    let mut length = None;
    loop {
        let part = match reader.fill_buf() {
            Ok(part) => part,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if part.is_empty() {
            return Ok(length);
        }
        let end = part.iter().position(|byte| *byte == b'\n');
        let text = &part[..end.unwrap_or(part.len())];
        line.extend_from_slice(&text[..text.len().min(most - line.len())]);
        length = Some(length.unwrap_or(0) + text.len());
        let used = text.len() + usize::from(end.is_some());
        reader.consume(used);
        if end.is_some() {
            return Ok(length);
        }
    }
}

/// The bytes of a file, decompressed; at most so many.
///
/// # Errors
/// If there is no such file, or it cannot be read or decompressed within the budget.
pub fn read_file(path: &Path, budget: u64) -> Result<Vec<u8>, ReadError> {
    decompress(read_packed(path, budget)?, budget)
}

/// The bytes of a file as they are; at most so many.
///
/// # Errors
/// If there is no such file, or it cannot be read within the budget.
pub fn read_packed(path: &Path, budget: u64) -> Result<Vec<u8>, ReadError> {
    if path.is_dir() {
        return Err(ReadError::Directory);
    }
    let unreadable = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => ReadError::NotFound,
        _ => ReadError::Unreadable(error),
    };
    let mut bytes = Vec::new();
    // What a file says of its length may be wrong: a pipe says nothing, and one that grows too little.
    let file = std::fs::File::open(path).map_err(unreadable)?;
    if file.metadata().map_err(unreadable)?.len() > budget {
        return Err(ReadError::TooLarge(budget));
    }
    file.take(budget.saturating_add(1)).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > budget { Err(ReadError::TooLarge(budget)) } else { Ok(bytes) }
}

/// The text of a file, decompressed.
///
/// # Errors
/// As [`read_file`], and if it is no text.
pub fn read_text(path: &Path) -> Result<String, ReadError> {
    String::from_utf8(read_file(path, BUDGET)?)
        .map_err(|error| kind_of_picture(error.as_bytes()).map_or(ReadError::Utf8, ReadError::Picture))
}

/// Which kind of picture bytes are, by how they begin.
fn kind_of_picture(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("PNG"),
        [0xff, 0xd8, 0xff, ..] => Some("JPEG"),
        [b'G', b'I', b'F', b'8', ..] => Some("GIF"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("WebP"),
        _ => None,
    }
}

/// Undoes gzip and xz, which are known by their first bytes whatever the file's name.
///
/// # Errors
/// If the bytes are compressed in another way, broken, or more than the budget allows.
pub fn decompress(bytes: Vec<u8>, budget: u64) -> Result<Vec<u8>, ReadError> {
    decompress_within(bytes, budget, most_unpacked())
}

/// The same with a limit of its own for what is compressed.
fn decompress_within(bytes: Vec<u8>, budget: u64, unpacked: u64) -> Result<Vec<u8>, ReadError> {
    let mut plain = Vec::new();
    let unpacked = unpacked.min(budget);
    // One byte more than the budget tells whether there is more.
    let most = unpacked.saturating_add(1);
    let read = match bytes.as_slice() {
        [0x1f, 0x8b, ..] => {
            flate2::read::MultiGzDecoder::new(bytes.as_slice()).take(most).read_to_end(&mut plain)
        }
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => {
            unpacked_xz(bytes.as_slice()).take(most).read_to_end(&mut plain)
        }
        [0x28, 0xb5, 0x2f, 0xfd, ..] => return Err(ReadError::Compressed("zstd")),
        [b'B', b'Z', b'h', b'1'..=b'9', 0x31, ..] => return Err(ReadError::Compressed("bzip2")),
        [b'P', b'K', 3, 4, ..] => return Err(ReadError::Compressed("zip")),
        _ if bytes.len() as u64 > budget => return Err(ReadError::TooLarge(budget)),
        _ => return Ok(bytes),
    };
    read.map_err(ReadError::BrokenCompression)?;
    if plain.len() as u64 > unpacked { Err(ReadError::TooLargeUnpacked(unpacked)) } else { Ok(plain) }
}

/// What an xz file holds, as it is read.
pub fn unpacked_xz<R: Read>(packed: R) -> impl Read {
    lzma_rust2::XzReader::new(packed, true)
}

/// Bytes as an xz file.
///
/// # Errors
/// If they cannot be packed.
pub fn packed_xz(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut writer = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(1))?;
    writer.write_all(bytes)?;
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_holds_for_what_is_compressed() {
        let mut gzip = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
        gzip.write_all(&[7; 100_000]).unwrap();
        let packed = gzip.finish().unwrap();
        assert!(packed.len() < 2000);
        assert_eq!(decompress(packed.clone(), 100_000).unwrap().len(), 100_000);
        assert!(matches!(decompress(packed.clone(), 99_999), Err(ReadError::TooLargeUnpacked(99_999))));
        assert!(matches!(decompress_within(packed, u64::MAX, 9), Err(ReadError::TooLargeUnpacked(9))));
        assert!(matches!(decompress(vec![1; 9], 8), Err(ReadError::TooLarge(8))));
    }

    #[test]
    fn lines_of_streams_are_cut() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("lines");
        let mut gzip = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
        gzip.write_all(b"one\n\nseventeen\nend").unwrap();
        let packed = [
            b"one\n\nseventeen\nend".to_vec(),
            gzip.finish().unwrap(),
            packed_xz(b"one\n\nseventeen\nend").unwrap(),
        ];
        for bytes in packed {
            std::fs::write(&file, bytes).unwrap();
            let mut stream = open_stream(&file).unwrap();
            let (mut line, mut lines) = (Vec::new(), Vec::new());
            while let Some(length) = read_line(&mut *stream, &mut line, 5).unwrap() {
                lines.push((String::from_utf8(line.clone()).unwrap(), length));
            }
            let lines: Vec<(&str, usize)> =
                lines.iter().map(|(line, length)| (line.as_str(), *length)).collect();
            assert_eq!(lines, [("one", 3), ("", 0), ("seven", 9), ("end", 3)]);
        }
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let message = |path: &Path| read_text(path).unwrap_err().to_string();
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(message(folder.path()), "is a directory, not a file");
        assert_eq!(message(&folder.path().join("none")), "no such file");
        let file = folder.path().join("bytes");
        std::fs::write(&file, [0xff, 0xfe, 0x00]).unwrap();
        assert_eq!(message(&file), "is not a file of text: it is not valid UTF-8");
        std::fs::write(&file, b"\x89PNG\r\n\x1a\n\xff").unwrap();
        assert_eq!(message(&file), "is a picture (PNG), not a file of text");
        std::fs::write(&file, b"PK\x03\x04").unwrap();
        assert_eq!(message(&file), "is compressed (zip); decompress it first");
    }
}
