//! How much a reader may take: limits that hold before anything is allocated, and the variables that raise them.

use std::io::{self, Read};
use std::path::Path;

/// A limit of readers, and the variable of the environment that raises it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The limit without the variable.
    pub most: u64,
    /// The variable.
    pub variable: &'static str,
    /// What is counted, as in `PRECEPT_READ=BYTES`.
    pub unit: &'static str,
}

/// The bytes that come of a compressed file or archive: some kilobytes can become any number.
pub const UNPACKED: Budget = Budget { most: 128 << 20, variable: "PRECEPT_UNPACKED", unit: "BYTES" };

/// The bytes of memory that a file takes to be read: rules, evidence, pictures, proofs, what runs keep. Not tables.
pub const READ: Budget = Budget { most: 400 << 20, variable: "PRECEPT_READ", unit: "BYTES" };

/// The variables of a table: what is learned of pairs takes memory with their square.
pub const COLUMNS: Budget = Budget { most: 16_384, variable: "PRECEPT_COLUMNS", unit: "NUMBER" };

/// The pixels of a picture.
pub const PIXELS: Budget = Budget { most: 50_000_000, variable: "PRECEPT_PIXELS", unit: "NUMBER" };

impl Budget {
    /// The limit: what the variable says, or what holds without it.
    pub fn get(&self) -> u64 {
        let given = std::env::var(self.variable).ok().and_then(|text| text.trim().parse().ok());
        given.unwrap_or(self.most)
    }

    /// What raises the limit, in words.
    pub fn raised(&self) -> String {
        format!("raise the limit: {}={} in the environment", self.variable, self.unit)
    }
}

/// The bytes of a file as they are, if they are within [`READ`].
///
/// # Errors
/// If it cannot be read, or is larger.
pub fn read_limited(path: &Path) -> io::Result<Vec<u8>> {
    let most = READ.get();
    let file = std::fs::File::open(path)?;
    let too_large = || io::Error::other(format!("has more than {most} bytes; {}", READ.raised()));
    // What is no file says nothing of its length.
    if file.metadata()?.len() > most {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large()) } else { Ok(bytes) }
}

/// The same as text.
///
/// # Errors
/// As [`read_limited`], and if it is no text.
pub fn read_limited_text(path: &Path) -> io::Result<String> {
    let wrong = |_| io::Error::new(io::ErrorKind::InvalidData, "is not valid UTF-8");
    String::from_utf8(read_limited(path)?).map_err(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_says_it_is_large_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large");
        std::fs::File::create(&path).unwrap().set_len(READ.get() + 1).unwrap();
        let error = read_limited(&path).unwrap_err().to_string();
        assert!(error.ends_with("PRECEPT_READ=BYTES in the environment"), "{error}");
        std::fs::write(&path, "a\n").unwrap();
        assert_eq!(read_limited_text(&path).unwrap(), "a\n");
    }
}
