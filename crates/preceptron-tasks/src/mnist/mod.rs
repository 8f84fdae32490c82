//! MNIST: pictures of handwritten digits, from the program itself or from a folder.
//!
//! The labels are there so that boards can be drawn and judged. No learner sees them.

mod fit;
mod idx;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use preceptron_base::{BUDGET, ReadError, decompress, read_file};

pub use fit::fit;
pub use idx::IdxError;

/// Rows of an image, and columns.
pub const SIDE: usize = 28;

/// Pixels of an image.
pub const PIXELS: usize = SIDE * SIDE;

/// Pictures of digits, and what they show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digits {
    pixels: Arc<[u8]>,
    labels: Vec<u8>,
    by_digit: Vec<Vec<u32>>,
    purpose: &'static str,
}

/// Both parts of MNIST.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mnist {
    /// 60,000 images to train on.
    pub train: Digits,
    /// 10,000 images to test on.
    pub test: Digits,
}

/// Why MNIST could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MnistError {
    /// One of the four files is not there.
    #[error("{}: no file {name} there, with or without .gz", folder.display())]
    Missing {
        /// The folder.
        folder: PathBuf,
        /// The name that it should have.
        name: String,
    },
    /// A file could not be read or decompressed.
    #[error("{file}: {source}")]
    File {
        /// The file.
        file: String,
        /// What went wrong.
        source: ReadError,
    },
    /// A file is not what its name says.
    #[error("{file}: {source}")]
    Idx {
        /// The file.
        file: String,
        /// What is wrong with it.
        source: IdxError,
    },
    /// Images and labels do not go together.
    #[error("{images} has {count} images and {labels} {other} labels")]
    Counts {
        /// The file of images.
        images: String,
        /// How many images it has.
        count: usize,
        /// The file of labels.
        labels: String,
        /// How many labels it has.
        other: usize,
    },
}

/// A file of MNIST: the stem of its name, what follows it, and its contents in the program.
struct Part {
    stem: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

macro_rules! part {
    ($stem:literal, $kind:literal) => {
        Part {
            stem: $stem,
            kind: $kind,
            bytes: include_bytes!(concat!("../../data/mnist/", $stem, "-", $kind, "-ubyte.gz")),
        }
    };
}

static TRAIN_IMAGES: Part = part!("train-images", "idx3");
static TRAIN_LABELS: Part = part!("train-labels", "idx1");
static TEST_IMAGES: Part = part!("t10k-images", "idx3");
static TEST_LABELS: Part = part!("t10k-labels", "idx1");

/// A file that is part of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbeddedFile {
    /// Its name.
    pub name: String,
    /// How many bytes it has.
    pub bytes: usize,
    /// Its SHA-256, in hexadecimal digits.
    pub sha256: String,
}

/// The files of MNIST that are part of the program.
pub fn embedded_files() -> Vec<EmbeddedFile> {
    use sha2::{Digest, Sha256};
    let file = |part: &Part| EmbeddedFile {
        name: format!("{}.gz", part.name()),
        bytes: part.bytes.len(),
        sha256: Sha256::digest(part.bytes).iter().map(|byte| format!("{byte:02x}")).collect(),
    };
    [&TRAIN_IMAGES, &TRAIN_LABELS, &TEST_IMAGES, &TEST_LABELS].map(file).into()
}

impl Mnist {
    /// The copy that is part of the program.
    pub fn embedded() -> Mnist {
        let bytes =
            |part: &Part| Ok((part.name(), decompress(part.bytes.to_vec(), BUDGET).map_err(part.failed())?));
        Mnist::from_parts(bytes).expect("the files in the program are whole")
    }

    /// Reads the four files of a folder, plain or gzipped, named `train-images-idx3-ubyte`,
    /// `train-images.idx3-ubyte` or `train-images`, and so on.
    ///
    /// # Errors
    /// If a file is missing, damaged or of another kind.
    pub fn read(folder: &Path) -> Result<Mnist, MnistError> {
        Mnist::from_parts(|part| {
            let path = part.find(folder)?;
            let name = path.display().to_string();
            let bytes = read_file(&path, BUDGET);
            Ok((name.clone(), bytes.map_err(|source| MnistError::File { file: name, source })?))
        })
    }

    fn from_parts(
        bytes: impl Fn(&'static Part) -> Result<(String, Vec<u8>), MnistError>,
    ) -> Result<Mnist, MnistError> {
        let digits = |purpose, images, labels| {
            let ((images, pixels), (labels, names)) = (bytes(images)?, bytes(labels)?);
            Ok(Digits { purpose, ..Digits::from_idx((&images, &pixels), (&labels, &names))? })
        };
        Ok(Mnist {
            train: digits("pictures to train on", &TRAIN_IMAGES, &TRAIN_LABELS)?,
            test: digits("pictures to test on", &TEST_IMAGES, &TEST_LABELS)?,
        })
    }
}

impl Digits {
    fn from_idx(images: (&str, &[u8]), labels: (&str, &[u8])) -> Result<Digits, MnistError> {
        let failed = |file: &str| {
            let file = file.to_owned();
            move |source| MnistError::Idx { file, source }
        };
        let pixels = idx::images(images.1, SIDE).map_err(failed(images.0))?;
        let names = idx::labels(labels.1).map_err(failed(labels.0))?;
        let count = pixels.len() / PIXELS;
        if count != names.len() {
            let (images, labels) = (images.0.to_owned(), labels.0.to_owned());
            return Err(MnistError::Counts { images, count, labels, other: names.len() });
        }
        let mut by_digit = vec![Vec::new(); 10];
        for (number, &label) in names.iter().enumerate() {
            by_digit[usize::from(label)].push(number as u32);
        }
        Ok(Digits { pixels: pixels.into(), labels: names.to_vec(), by_digit, purpose: "pictures" })
    }

    /// What they are for, which names the random numbers that choose among them.
    pub fn purpose(&self) -> &'static str {
        self.purpose
    }

    /// How many images there are.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// An image, row by row, from 0 for the ground to 255 for ink.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn image(&self, number: usize) -> &[u8] {
        &self.pixels[number * PIXELS..][..PIXELS]
    }

    /// All images, one after another.
    pub fn pixels(&self) -> Arc<[u8]> {
        Arc::clone(&self.pixels)
    }

    /// What an image shows.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn label(&self, number: usize) -> u8 {
        self.labels[number]
    }

    /// The numbers of the images of a digit.
    pub fn of_digit(&self, digit: u8) -> &[u32] {
        self.by_digit.get(usize::from(digit)).map_or(&[], Vec::as_slice)
    }
}

impl Part {
    fn name(&self) -> String {
        format!("{}-{}-ubyte", self.stem, self.kind)
    }

    fn failed(&self) -> impl FnOnce(ReadError) -> MnistError {
        let file = self.name();
        |source| MnistError::File { file, source }
    }

    /// Where this part is in a folder.
    fn find(&self, folder: &Path) -> Result<PathBuf, MnistError> {
        let Part { stem, kind, .. } = self;
        let names =
            [self.name(), format!("{stem}.{kind}-ubyte"), format!("{stem}.{kind}"), (*stem).to_owned()];
        let paths = names.iter().flat_map(|name| [folder.join(name), folder.join(format!("{name}.gz"))]);
        let missing = || MnistError::Missing { folder: folder.to_owned(), name: self.name() };
        paths.into_iter().find(|path| path.is_file()).ok_or_else(missing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_embedded_files_are_those_that_were_published() {
        let readme = include_str!("../../data/mnist/README.md");
        for file in embedded_files() {
            let line = format!("sha256 {}  {}", file.sha256, file.name);
            assert!(readme.contains(&line), "{line}");
        }
        let mnist = Mnist::embedded();
        assert_eq!((mnist.train.len(), mnist.test.len()), (60_000, 10_000));
        assert_eq!((0..5).map(|n| mnist.train.label(n)).collect::<Vec<_>>(), [5, 0, 4, 1, 9]);
        let counts: Vec<usize> = (0..10).map(|digit| mnist.test.of_digit(digit).len()).collect();
        assert_eq!(counts, [980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009]);
        assert!(mnist.test.of_digit(7).iter().all(|&number| mnist.test.label(number as usize) == 7));
        // The first training image is a five, whose ink lies in the middle.
        let image = mnist.train.image(0);
        assert!(image[..5 * SIDE].iter().all(|&pixel| pixel == 0) && image.contains(&255));
    }

    fn write_folder(folder: &Path, spelled: impl Fn(&Part) -> String) {
        for (part, bytes) in [
            (&TRAIN_IMAGES, idx::written(&[2, 28, 28], &[7; 2 * PIXELS])),
            (&TRAIN_LABELS, idx::written(&[2], &[3, 9])),
            (&TEST_IMAGES, idx::written(&[1, 28, 28], &[1; PIXELS])),
            (&TEST_LABELS, idx::written(&[1], &[0])),
        ] {
            fs::write(folder.join(spelled(part)), bytes).unwrap();
        }
    }

    #[test]
    fn a_folder_is_read_in_any_spelling() {
        let spellings: [fn(&Part) -> String; 3] =
            [|p| p.name(), |p| format!("{}.{}-ubyte", p.stem, p.kind), |p| p.stem.to_owned()];
        for spelled in spellings {
            let folder = tempfile::tempdir().unwrap();
            write_folder(folder.path(), spelled);
            let mnist = Mnist::read(folder.path()).unwrap();
            assert_eq!((mnist.train.len(), mnist.train.label(1), mnist.train.image(1)[5]), (2, 9, 7));
            assert_eq!((mnist.test.len(), mnist.test.of_digit(0)), (1, &[0][..]));
        }
    }

    #[test]
    fn faults_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let fault = || Mnist::read(folder.path()).unwrap_err().to_string();
        assert!(
            fault().ends_with("no file train-images-idx3-ubyte there, with or without .gz"),
            "{}",
            fault()
        );
        write_folder(folder.path(), Part::name);
        fs::write(folder.path().join("t10k-labels-idx1-ubyte"), idx::written(&[2], &[1, 2])).unwrap();
        assert!(fault().contains("has 1 images and") && fault().contains("2 labels"), "{}", fault());
        fs::write(folder.path().join("train-labels-idx1-ubyte"), [0x1f, 0x8b, 1]).unwrap();
        assert!(fault().contains("train-labels-idx1-ubyte: "), "{}", fault());
    }
}
