//! Files by name: a folder, a tar, or a tar.xz, read as they are asked for.
//!
//! A frame's files have its name and an extension: `label_2/000007.txt` is the frame `000007`. In a folder the
//! files are looked for in the subfolder (`label_2`), in `training/` and its subfolder, and in the folder
//! itself; in a tar among the entries whose folder has the subfolder's name, or else among all.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use preceptron_base::{READ, UNPACKED};

use super::DrivingError;

/// Where the files of one kind are.
#[derive(Clone, Debug)]
pub struct Store {
    path: PathBuf,
    subfolder: &'static str,
    files: BTreeMap<String, Place>,
}

/// A file.
#[derive(Clone, Debug)]
enum Place {
    /// On its own.
    Own(PathBuf),
    /// A part of the tar.
    Part { file: String, from: u64, bytes: u64 },
    /// Unpacked.
    Memory { file: String, content: Vec<u8> },
}

impl Store {
    /// Finds the files with one of these extensions in a folder or a tar.
    ///
    /// # Errors
    /// If there is no such folder or file, it cannot be read, or holds no such file.
    pub fn open(path: &Path, subfolder: &'static str, extensions: &[&str]) -> Result<Store, DrivingError> {
        let read = |source| DrivingError::Read { path: path.to_owned(), source };
        let files = if path.is_dir() {
            in_folder(path, subfolder, extensions).map_err(read)?
        } else {
            let file = File::open(path).map_err(read)?;
            let is_xz = path.extension().is_some_and(|extension| extension == "xz");
            let found = match is_xz {
                true => {
                    let packed = preceptron_base::unpacked_xz(std::io::BufReader::new(file));
                    let unpacked = Within { inner: packed, left: UNPACKED.get() };
                    entries(tar::Archive::new(unpacked), extensions, true)
                }
                false => entries(tar::Archive::new(file), extensions, false),
            };
            prefer(
                found.map_err(|source| {
                    let what = if is_xz { "tar.xz" } else { "tar" };
                    DrivingError::file(
                        &path.display().to_string(),
                        format!("not a folder or {what}: {source}"),
                    )
                })?,
                subfolder,
            )
        };
        if files.is_empty() {
            let what = format!("no file .{} in it, nor in {subfolder}", extensions.join(", ."));
            return Err(DrivingError::file(&path.display().to_string(), what));
        }
        Ok(Store { path: path.to_owned(), subfolder, files })
    }

    /// The names of the frames, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Whether a frame has a file here.
    pub fn has(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }

    /// Where this is, for messages.
    pub fn shown(&self) -> String {
        format!("{} ({})", self.path.display(), self.subfolder)
    }

    /// How a frame's file is called in messages.
    pub fn file_name(&self, name: &str) -> String {
        match self.files.get(name) {
            Some(Place::Own(path)) => path.display().to_string(),
            Some(Place::Part { file, .. } | Place::Memory { file, .. }) => {
                format!("{}: {file}", self.path.display())
            }
            None => format!("{}: {}/{name}", self.path.display(), self.subfolder),
        }
    }

    /// What a frame's file holds.
    ///
    /// # Errors
    /// If it is not there or cannot be read.
    pub fn bytes(&self, name: &str) -> Result<Vec<u8>, DrivingError> {
        let fault = |source| DrivingError::Read { path: self.file_name(name).into(), source };
        match self.files.get(name) {
            None => Err(DrivingError::Missing { place: self.shown(), names: vec![name.to_owned()], of: 1 }),
            Some(Place::Own(path)) => preceptron_base::read_limited(path).map_err(fault),
            Some(Place::Memory { content, .. }) => Ok(content.clone()),
            Some(Place::Part { from, bytes, .. }) => self.part(*from, *bytes).map_err(fault),
        }
    }

    /// The same as text.
    ///
    /// # Errors
    /// If it is not there, cannot be read, or is not text.
    pub fn text(&self, name: &str) -> Result<String, DrivingError> {
        let bytes = self.bytes(name)?;
        String::from_utf8(bytes).map_err(|_| DrivingError::file(&self.file_name(name), "not a text in UTF-8"))
    }

    fn part(&self, from: u64, bytes: u64) -> std::io::Result<Vec<u8>> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(from))?;
        let mut content = Vec::new();
        if bytes > READ.get() {
            return Err(std::io::Error::other(format!("has {bytes} bytes; {}", READ.raised())));
        }
        file.take(bytes).read_to_end(&mut content)?;
        Ok(content)
    }

    /// Whether all these frames have files here.
    ///
    /// # Errors
    /// With the names that have none.
    pub fn check(&self, frames: &[String]) -> Result<(), DrivingError> {
        let names: Vec<String> = frames.iter().filter(|name| !self.has(name)).cloned().collect();
        match names.is_empty() {
            true => Ok(()),
            false => Err(DrivingError::Missing { place: self.shown(), names, of: frames.len() }),
        }
    }
}

/// A reader that ends in an error where a limit is reached.
struct Within<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Within<R> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let read = self.inner.read(into)?;
        self.left = self.left.checked_sub(read as u64).ok_or_else(|| {
            let (most, raised) = (UNPACKED.get(), UNPACKED.raised());
            std::io::Error::other(format!(
                "it has more than {most} bytes once it is decompressed; decompress it first, or {raised}"
            ))
        })?;
        Ok(read)
    }
}

/// The stem of a file's name, if its extension is one of these.
fn stem(path: &Path, extensions: &[&str]) -> Option<String> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    let stem = path.file_stem()?.to_str()?;
    (extensions.contains(&extension.as_str()) && !stem.starts_with('.')).then(|| stem.to_owned())
}

fn in_folder(path: &Path, subfolder: &str, extensions: &[&str]) -> std::io::Result<BTreeMap<String, Place>> {
    let below = [path.join(subfolder), path.join("training").join(subfolder)];
    let folder = below.into_iter().find(|folder| folder.is_dir()).unwrap_or_else(|| path.to_owned());
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(&folder)? {
        let path = entry?.path();
        if let Some(name) = stem(&path, extensions) {
            files.insert(name, Place::Own(path));
        }
    }
    Ok(files)
}

/// The files of a tar with their folders.
fn entries(
    mut archive: tar::Archive<impl Read>,
    extensions: &[&str],
    unpack: bool,
) -> std::io::Result<Vec<(String, String, Place)>> {
    let mut found = Vec::new();
    for entry in archive.entries()? {
        let mut entry = entry?;
        let path = entry.path()?.into_owned();
        let Some(name) = stem(&path, extensions).filter(|_| entry.header().entry_type().is_file()) else {
            continue;
        };
        let file = path.display().to_string();
        let folder = path.parent().and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or("");
        let place = if unpack {
            let mut content = Vec::new();
            entry.read_to_end(&mut content)?;
            Place::Memory { file, content }
        } else {
            Place::Part { file, from: entry.raw_file_position(), bytes: entry.size() }
        };
        found.push((folder.to_owned(), name, place));
    }
    Ok(found)
}

/// The files in folders of this name, if there are any; else all.
fn prefer(found: Vec<(String, String, Place)>, subfolder: &str) -> BTreeMap<String, Place> {
    let is_there = found.iter().any(|(folder, _, _)| folder == subfolder);
    let chosen = found.into_iter().filter(|(folder, _, _)| !is_there || folder == subfolder);
    chosen.map(|(_, name, place)| (name, place)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(files: &[(&str, &str)]) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for (name, content) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(content.len() as u64);
            header.set_mode(0o644);
            builder.append_data(&mut header, name, content.as_bytes()).unwrap();
        }
        builder.into_inner().unwrap()
    }

    #[test]
    fn folders_and_archives_hold_the_same() {
        let place = tempfile::tempdir().unwrap();
        let files = [
            ("calib/7.txt", "other"),
            ("label_2/7.txt", "seven"),
            ("label_2/8.txt", "eight"),
            ("label_2/x.md", ""),
        ];
        let plain = place.path().join("all.tar");
        std::fs::write(&plain, archive(&files)).unwrap();
        let packed = place.path().join("all.tar.xz");
        std::fs::write(&packed, preceptron_base::packed_xz(&archive(&files)).unwrap()).unwrap();
        let folder = place.path().join("folder");
        for (name, content) in files {
            let path = folder.join("training").join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        }
        for path in [plain, packed, folder.clone(), folder.join("training"), folder.join("training/label_2")]
        {
            let store = Store::open(&path, "label_2", &["txt"]).unwrap();
            assert_eq!(store.names().collect::<Vec<_>>(), ["7", "8"], "{}", path.display());
            assert_eq!(store.text("7").unwrap(), "seven");
            assert!(store.file_name("8").ends_with("label_2/8.txt"));
            let missing = store.check(&["7".to_owned(), "9".to_owned()]).unwrap_err().to_string();
            assert!(missing.ends_with("(label_2): 1 of 2 files are missing: 9"), "{missing}");
            assert!(store.bytes("9").unwrap_err().to_string().ends_with("missing: 9"));
        }
    }

    #[test]
    fn errors_name_the_file() {
        let place = tempfile::tempdir().unwrap();
        let fault = |path: &Path| Store::open(path, "label_2", &["txt"]).unwrap_err().to_string();
        assert!(fault(place.path()).ends_with("no file .txt in it, nor in label_2"));
        assert!(fault(&place.path().join("nowhere")).contains("nowhere: No such file"));
        for name in ["bad.tar", "bad.tar.xz"] {
            let path = place.path().join(name);
            std::fs::write(&path, vec![b'x'; 2000]).unwrap();
            assert!(fault(&path).contains(&format!("{name}: not a folder or tar")), "{}", fault(&path));
        }
    }
}
