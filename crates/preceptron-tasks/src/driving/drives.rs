//! Which drive a frame comes from, and the lists of a split.
//!
//! Neighbouring frames of a drive look alike, so a test on frames of a training drive says little. KITTI's
//! development kit maps the frames to drives: `train_rand.txt` is a list of line numbers, from 1, with commas
//! between; its i-th number is for frame i - 1, and says which line of `train_mapping.txt` (date, drive, frame of
//! the drive) that is.

use std::collections::BTreeMap;
use std::path::Path;

use super::DrivingError;

/// The drive of each frame, by the frame's name.
pub type Drives = BTreeMap<String, String>;

/// Reads KITTI's `train_mapping.txt` and `train_rand.txt`.
///
/// # Errors
/// If a file cannot be read, or they do not fit.
pub fn read_drives(mapping: &Path, order: &Path) -> Result<Drives, DrivingError> {
    let (mapping_text, order_text) = (read(mapping)?, read(order)?);
    let fault = |path: &Path, line: usize, what: String| DrivingError::Line {
        file: path.display().to_string(),
        line,
        what,
    };
    let mut lines = Vec::new();
    for (at, line) in mapping_text.lines().enumerate() {
        match line.split_ascii_whitespace().collect::<Vec<_>>()[..] {
            [_, drive, _] => lines.push(drive),
            _ => return Err(fault(mapping, at + 1, "expected a date, a drive and a frame".to_owned())),
        }
    }
    let mut drives = Drives::new();
    let numbers = order_text.split([',', '\n', '\r', ' ']).filter(|number| !number.is_empty());
    for (frame, number) in numbers.enumerate() {
        let line = number.parse::<usize>().ok().and_then(|line| lines.get(line.checked_sub(1)?));
        let what = || format!("number {}: {number:?} is not a line of {}", frame + 1, mapping.display());
        let drive = line.ok_or_else(|| fault(order, 1, what()))?;
        drives.insert(format!("{frame:06}"), (*drive).to_owned());
    }
    Ok(drives)
}

/// Reads a list of frames, a name on each line.
///
/// # Errors
/// If the file cannot be read, or a name stands there twice.
pub fn read_list(path: &Path) -> Result<Vec<String>, DrivingError> {
    let text = read(path)?;
    let mut seen = BTreeMap::new();
    let mut names = Vec::new();
    for (at, name) in text.lines().map(str::trim).enumerate().filter(|(_, name)| !name.is_empty()) {
        if let Some(before) = seen.insert(name.to_owned(), at + 1) {
            let what = format!("{name} is already on line {before}");
            return Err(DrivingError::Line { file: path.display().to_string(), line: at + 1, what });
        }
        names.push(name.to_owned());
    }
    Ok(names)
}

fn read(path: &Path) -> Result<String, DrivingError> {
    preceptron_base::read_limited_text(path)
        .map_err(|source| DrivingError::Read { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_drives() {
        let place = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = place.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let mapping = file("m.txt", "day a 1\nday b 2\nday c 3\n");
        let drives = read_drives(&mapping, &file("r.txt", "3,1,2")).unwrap();
        let drives: Vec<(&str, &str)> = drives.iter().map(|(n, d)| (n.as_str(), d.as_str())).collect();
        assert_eq!(drives, [("000000", "c"), ("000001", "a"), ("000002", "b")]);
        let fault = read_drives(&mapping, &file("r.txt", "3,4")).unwrap_err().to_string();
        assert!(fault.contains("r.txt: line 1: number 2: \"4\" is not a line of"), "{fault}");
        let fault = read_drives(&file("m.txt", "day a 1\nday\n"), &file("r.txt", "1")).unwrap_err();
        assert!(fault.to_string().ends_with("m.txt: line 2: expected a date, a drive and a frame"));
        assert_eq!(read_list(&file("l.txt", "5\n\n 7 \n")).unwrap(), ["5", "7"]);
        let twice = read_list(&file("l.txt", "5\n7\n5\n")).unwrap_err().to_string();
        assert!(twice.ends_with("l.txt: line 3: 5 is already on line 1"), "{twice}");
        assert!(read_list(&place.path().join("none")).is_err());
    }
}
