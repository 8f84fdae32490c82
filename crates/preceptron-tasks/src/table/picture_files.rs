//! Files with pictures: one that is a picture, arrays of several, and archives of many.
//!
//! | name in a table | what it means |
//! |---|---|
//! | `a.png`, `a.jpg`, `a.png#x,y,width,height` | a picture, or a part of it |
//! | `arrays.npy#7` | the eighth along the first axis; the others are rows, columns and perhaps colours |
//! | `arrays.npz#7`, `arrays.npz#images,7` | the same of the only array of several in a file, or of the one of this name |
//! | `pictures.zip#signs/a.png` | a picture in an archive, also with `#x,y,width,height` |
//!
//! With `--probabilities` an array has a row for each picture: what somebody else's network says of it. Other numbers of
//! arrays are tones from 0 to 255, or from 0 to 1 if none is above 1.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use preceptron_base::{BUDGET, READ, read_file, read_packed};
use preceptron_learn::{Archive, Array};

use crate::rgb::Rgb;

/// A part of a picture: left, top, width and height in pixels.
pub(super) type Part = [usize; 4];

/// Which picture of a file is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Which {
    /// The picture that the file is, or a part of it.
    Whole(Option<Part>),
    /// One along the first axis of an array, which may have a name.
    Item(Option<String>, usize),
    /// One in an archive, or a part of it.
    Entry(String, Option<Part>),
}

impl Which {
    /// The part of the picture that is meant.
    pub fn part(&self) -> Option<Part> {
        match self {
            Which::Whole(part) | Which::Entry(_, part) => *part,
            Which::Item(..) => None,
        }
    }
}

fn ends(name: &str, ending: &str) -> bool {
    name.to_ascii_lowercase().ends_with(ending)
}

fn part_of(name: &str, part: &str) -> Result<Part, String> {
    let numbers: Option<Vec<usize>> = part.split(',').map(|number| number.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[x, y, width, height]) if width > 0 && height > 0 => Ok([x, y, width, height]),
        _ => Err(format!("{name}: a part of a picture is written #x,y,width,height in pixels")),
    }
}

/// The file that a name means, and which picture of it.
pub(super) fn file_and_which(name: &str) -> Result<(&str, Which), String> {
    let Some((file, rest)) = name.split_once('#') else { return Ok((name, Which::Whole(None))) };
    let (file, rest) = (file.trim(), rest.trim());
    if ends(file, ".npy") || ends(file, ".npz") {
        let (key, number) = match rest.rsplit_once(',') {
            Some((key, number)) => (Some(key.trim().to_owned()), number.trim()),
            None => (None, rest),
        };
        let number = number.parse().map_err(|_| {
            format!("{name}: a picture of an array is written {file}#7, of one with a name {file}#name,7")
        })?;
        return Ok((file, Which::Item(key, number)));
    }
    if ends(file, ".zip") {
        let (entry, part) = match rest.split_once('#') {
            Some((entry, part)) => (entry.trim(), Some(part_of(name, part)?)),
            None => (rest, None),
        };
        return Ok((file, Which::Entry(entry.to_owned(), part)));
    }
    Ok((file, Which::Whole(Some(part_of(name, rest)?))))
}

/// A file that was read.
pub(super) enum File {
    Picture(Rgb),
    /// The bytes of arrays by their names, and how tones are to be multiplied.
    Arrays(BTreeMap<String, (Vec<u8>, f64)>),
    /// The bytes of an archive, and the entry that was decoded last: parts of one often follow each other.
    Archive(Vec<u8>, RefCell<Option<(String, Rgb)>>),
}

impl File {
    /// Reads a file.
    ///
    /// # Errors
    /// If it is not there, damaged, or larger than what is read at once.
    pub fn open(path: &Path, name: &str) -> Result<File, String> {
        let in_words = |error: preceptron_base::ReadError| error.to_string();
        if ends(name, ".npy") {
            let bytes = read_file(path, BUDGET).map_err(in_words)?;
            return Ok(File::Arrays(BTreeMap::from([(String::new(), with_factor(bytes)?)])));
        }
        if ends(name, ".npz") {
            let bytes = read_packed(path, BUDGET).map_err(in_words)?;
            let archive = Archive::open(&bytes).ok_or("is damaged: it is no whole zip file")?;
            let mut arrays = BTreeMap::new();
            for entry in archive.names().filter(|entry| ends(entry, ".npy")) {
                let array = archive.read(entry).ok_or("has no such entry")??;
                // Arrays of something else, such as texts, may be there as well.
                if let Ok(array) = with_factor(array) {
                    arrays.insert(entry[..entry.len() - 4].to_owned(), array);
                }
            }
            return if arrays.is_empty() {
                Err("has no array of pictures".to_owned())
            } else {
                Ok(File::Arrays(arrays))
            };
        }
        if ends(name, ".zip") {
            return Ok(File::Archive(read_packed(path, BUDGET).map_err(in_words)?, RefCell::new(None)));
        }
        let bytes = read_file(path, READ.get()).map_err(in_words)?;
        Rgb::decode(&bytes).map(File::Picture).map_err(|error| error.to_string())
    }

    /// One of its pictures.
    ///
    /// # Errors
    /// If there is none of this number or name, or it is damaged.
    pub fn picture(&self, which: &Which) -> Result<Rgb, String> {
        match (self, which) {
            (File::Picture(picture), Which::Whole(_)) => Ok(picture.clone()),
            (File::Arrays(_), Which::Item(_, number)) => {
                let (bytes, factor) = self.array(which)?;
                item(&Array::parse(bytes)?, *number, *factor)
            }
            (File::Archive(bytes, last), Which::Entry(entry, _)) => {
                if let Some((_, picture)) = last.borrow().as_ref().filter(|(name, _)| name == entry) {
                    return Ok(picture.clone());
                }
                let archive = Archive::open(bytes).ok_or("is damaged: it is no whole zip file")?;
                let bytes = archive.read(entry).ok_or_else(|| format!("has no entry {entry:?}"))??;
                let picture = Rgb::decode(&bytes).map_err(|error| format!("{entry}: {error}"))?;
                *last.borrow_mut() = Some((entry.clone(), picture.clone()));
                Ok(picture)
            }
            (File::Arrays(_), _) => Err("has several pictures; name one by its number: #7".to_owned()),
            (File::Archive(..), _) => Err("has several pictures; name one: #a.png".to_owned()),
            (File::Picture(_), _) => Err("is one picture".to_owned()),
        }
    }
}

/// By how much probabilities may miss a sum of 1: they may have been rounded.
const ROUNDED: f64 = 0.01;

impl File {
    /// The probabilities of so many classes in a row of an array.
    ///
    /// # Errors
    /// If there is no such row, or it has something else.
    pub fn probabilities(&self, which: &Which, classes: usize) -> Result<Vec<f64>, String> {
        let (File::Arrays(_), Which::Item(_, number)) = (self, which) else {
            return Err("is a picture; probabilities are rows of an array: probabilities.npy#7".to_owned());
        };
        let (bytes, _) = self.array(which)?;
        let array = Array::parse(bytes)?;
        let &[rows, columns] = array.shape() else {
            return Err("has another shape than a row of probabilities for each picture".to_owned());
        };
        if columns != classes {
            return Err(format!(
                "has {columns} probabilities in a row, but --probabilities names {classes} symbols"
            ));
        }
        if *number >= rows {
            return Err(format!("has {rows} rows, counted from 0, and none of number {number}"));
        }
        let row: Vec<f64> = (0..classes).map(|class| array.value(number * classes + class)).collect();
        let total: f64 = row.iter().sum();
        if row.iter().any(|p| *p < 0.0) || (total - 1.0).abs() > ROUNDED {
            return Err(format!("row {number} is none of probabilities: it sums to {total}"));
        }
        Ok(row.into_iter().map(|p| p / total).collect())
    }

    /// The array that is meant, and what its numbers are to be multiplied with to be tones.
    fn array(&self, which: &Which) -> Result<&(Vec<u8>, f64), String> {
        let (File::Arrays(arrays), Which::Item(key, number)) = (self, which) else {
            return Err("has no arrays".to_owned());
        };
        let names = || arrays.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
        match (key, arrays.len()) {
            (Some(key), _) => {
                arrays.get(key).ok_or_else(|| format!("has no array {key:?}; there are: {}", names()))
            }
            (None, 1) => arrays.values().next().ok_or_else(|| "has no array".to_owned()),
            (None, _) => Err(format!("has several arrays ({}); name one: #NAME,{number}", names())),
        }
    }
}

/// An array's bytes, and what its numbers are to be multiplied with to be tones.
fn with_factor(bytes: Vec<u8>) -> Result<(Vec<u8>, f64), String> {
    let array = Array::parse(&bytes)?;
    let (mut least, mut most) = (0f64, 0f64);
    for value in (0..array.len()).map(|number| array.value(number)) {
        if !value.is_finite() {
            return Err(format!("has the value {value}, which is no tone"));
        }
        (least, most) = (least.min(value), most.max(value));
    }
    if least < 0.0 || most > 255.0 {
        let wrong = if least < 0.0 { least } else { most };
        return Err(format!("has the value {wrong}; tones are from 0 to 255, or from 0 to 1"));
    }
    let factor = if most <= 1.0 { 255.0 } else { 1.0 };
    Ok((bytes, factor))
}

/// The picture of a number along the first axis.
fn item(array: &Array<'_>, number: usize, factor: f64) -> Result<Rgb, String> {
    let shape = array.shape();
    let sides: Vec<String> = shape.iter().map(usize::to_string).collect();
    // Where rows, columns and colours stand, and how many colours there are.
    let (height, width, colours, is_last) = match *shape {
        [_, height, width] => (height, width, 1, true),
        [_, height, width, colours @ (1 | 3)] => (height, width, colours, true),
        [_, colours @ (1 | 3), height, width] => (height, width, colours, false),
        _ => {
            return Err(format!(
                "has the shape ({}); pictures are (number, rows, columns), also with 1 or 3 colours",
                sides.join(", ")
            ));
        }
    };
    if number >= shape[0] {
        return Err(format!("has {} pictures, counted from 0, and none of number {number}", shape[0]));
    }
    if height == 0 || width == 0 {
        return Err(format!("has the shape ({}): its pictures are empty", sides.join(", ")));
    }
    let begin = number * height * width * colours;
    let tone = |y: usize, x: usize, colour: usize| {
        let at = if is_last { (y * width + x) * colours + colour } else { (colour * height + y) * width + x };
        (array.value(begin + at) * factor).round() as u8
    };
    let mut pixels = Vec::with_capacity(3 * height * width);
    for y in 0..height {
        for x in 0..width {
            pixels.extend([0, 1, 2].map(|colour: usize| tone(y, x, colour.min(colours - 1))));
        }
    }
    Ok(Rgb::from_pixels(width, pixels))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn npy(descr: &str, shape: &str, values: &[u8]) -> Vec<u8> {
        let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((text.len() as u16).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes.extend(values);
        bytes
    }

    /// A zip file of entries as they are.
    fn zip(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
        let (mut all, mut directory) = (Vec::new(), Vec::new());
        for (name, bytes) in entries {
            let mut crc = flate2::Crc::new();
            crc.update(bytes);
            let at = all.len() as u32;
            let sizes = [crc.sum(), bytes.len() as u32, bytes.len() as u32];
            let common: Vec<u8> =
                [0u8; 10].into_iter().chain(sizes.iter().flat_map(|n| n.to_le_bytes())).collect();
            all.extend(b"PK\x03\x04");
            all.extend(&common);
            all.extend((name.len() as u16).to_le_bytes());
            all.extend([0, 0]);
            all.extend(name.as_bytes());
            all.extend(bytes);
            directory.extend(b"PK\x01\x02\0\0");
            directory.extend(&common);
            directory.extend((name.len() as u16).to_le_bytes());
            directory.extend([0; 12]);
            directory.extend(at.to_le_bytes());
            directory.extend(name.as_bytes());
        }
        let (begin, count) = (all.len() as u32, entries.len() as u16);
        all.extend(&directory);
        all.extend(b"PK\x05\x06\0\0\0\0");
        all.extend(count.to_le_bytes());
        all.extend(count.to_le_bytes());
        all.extend((directory.len() as u32).to_le_bytes());
        all.extend(begin.to_le_bytes());
        all.extend([0, 0]);
        all
    }

    #[test]
    fn names_say_which_picture() {
        let which = |name: &'static str| file_and_which(name).unwrap();
        assert_eq!(which("a.npy#7"), ("a.npy", Which::Item(None, 7)));
        assert_eq!(which("a.npz#images,7"), ("a.npz", Which::Item(Some("images".into()), 7)));
        assert_eq!(
            which("a.ZIP#b/c.png#1,2,3,4"),
            ("a.ZIP", Which::Entry("b/c.png".into(), Some([1, 2, 3, 4])))
        );
        assert_eq!(which("a.png#1,2,3,4"), ("a.png", Which::Whole(Some([1, 2, 3, 4]))));
        assert!(file_and_which("a.npy#x").unwrap_err().contains("a.npy#7"));
    }

    #[test]
    fn arrays_of_several_kinds() {
        let folder = tempfile::tempdir().unwrap();
        let open = |name: &str, bytes: Vec<u8>| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            File::open(&path, name)
        };
        let bytes: Vec<u8> = (0..12).map(|n| 20 * n).collect();
        let gray = open("a.npy", npy("|u1", "(2, 2, 3)", &bytes)).unwrap();
        let second = gray.picture(&Which::Item(None, 1)).unwrap();
        assert_eq!((second.size(), &second.pixels()[..6]), ([3, 2], &[120, 120, 120, 140, 140, 140][..]));
        assert_eq!(
            gray.picture(&Which::Item(None, 2)).unwrap_err(),
            "has 2 pictures, counted from 0, and none of number 2"
        );
        assert!(gray.picture(&Which::Whole(None)).unwrap_err().contains("#7"));
        let halves: Vec<u8> = [0.0f32, 0.5, 1.0, 0.0].iter().flat_map(|v| v.to_le_bytes()).collect();
        let of_one = open("b.npy", npy("<f4", "(1, 2, 2)", &halves)).unwrap();
        let picture = of_one.picture(&Which::Item(None, 0)).unwrap();
        assert_eq!([0, 3, 6].map(|at| picture.pixels()[at]), [0, 128, 255]);
        let colours = open("c.npy", npy("|u1", "(1, 3, 1, 2)", &[1, 2, 30, 40, 5, 6])).unwrap();
        assert_eq!(colours.picture(&Which::Item(None, 0)).unwrap().pixels(), [1, 30, 5, 2, 40, 6]);
        let two = zip(&[("x.npy", npy("|u1", "(1, 1, 1)", &[9])), ("y.npy", npy("|u1", "(1, 1, 1)", &[7]))]);
        let two = open("d.npz", two).unwrap();
        assert_eq!(two.picture(&Which::Item(Some("y".into()), 0)).unwrap().pixels(), [7, 7, 7]);
        assert!(two.picture(&Which::Item(None, 0)).unwrap_err().contains("several arrays (x, y)"));
        let fault = |name: &str, bytes| open(name, bytes).err().unwrap();
        assert!(fault("e.npy", npy("|i1", "(1, 1, 1)", &[255])).contains("the value -1"));
        assert!(fault("f.npy", npy("|u1", "(9, 1, 1)", &[1])).contains("bytes of values"));
        assert!(fault("g.npz", b"PK\x03\x04".to_vec()).contains("no whole zip file"));
        let flat = open("h.npy", npy("|u1", "(4,)", &[1; 4])).unwrap();
        assert!(flat.picture(&Which::Item(None, 0)).unwrap_err().contains("the shape (4)"));
    }

    #[test]
    fn rows_of_probabilities() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.npy");
        let values: Vec<u8> =
            [0.25f32, 0.75, 0.0, 1.0, 0.5, 0.1].iter().flat_map(|v| v.to_le_bytes()).collect();
        std::fs::write(&path, npy("<f4", "(3, 2)", &values)).unwrap();
        let file = File::open(&path, "p.npy").unwrap();
        let row = |number| file.probabilities(&Which::Item(None, number), 2);
        assert_eq!((row(0).unwrap(), row(1).unwrap()), (vec![0.25, 0.75], vec![0.0, 1.0]));
        assert!(row(2).unwrap_err().starts_with("row 2 is none of probabilities"));
        assert!(row(3).unwrap_err().contains("has 3 rows"));
        assert!(file.probabilities(&Which::Item(None, 0), 3).unwrap_err().contains("names 3 symbols"));
    }

    #[test]
    fn pictures_of_an_archive() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.zip");
        let png = Rgb::new(4, 2, [200; 3]).to_png().unwrap();
        std::fs::write(&path, zip(&[("s/a.png", png), ("b.txt", b"no picture".to_vec())])).unwrap();
        let file = File::open(&path, "p.zip").unwrap();
        assert_eq!(file.picture(&Which::Entry("s/a.png".into(), None)).unwrap().size(), [4, 2]);
        let fault = |entry: &str| file.picture(&Which::Entry(entry.into(), None)).unwrap_err();
        assert_eq!(fault("c.png"), "has no entry \"c.png\"");
        assert!(fault("b.txt").contains("neither a PNG nor a JPEG"));
    }
}
