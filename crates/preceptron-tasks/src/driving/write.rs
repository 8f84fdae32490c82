//! Synthetic frames as files, in KITTI's layout.
//!
//! | file | what it holds |
//! |---|---|
//! | `image_2/000007.png` | the picture |
//! | `label_2/000007.txt` | the objects that are drawn |
//! | `calib/000007.txt` | the camera, for the picture's size |
//! | `ImageSets/train.txt`, `test.txt` | a split by drive |
//! | `drives.csv` | the drive of each frame: `frame,drive` |
//! | `paths.jsonl` | the demonstrated path of each frame |
//! | `SYNTHETIC.txt` | says that the pictures are synthetic, and what they were made with |

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    CameraCalibration, Demonstration, Drives, DrivingError, FrameSettings, Frames, Label, Scene,
    split_by_drive,
};

/// A line of `paths.jsonl`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathLine {
    /// The frame.
    pub frame: String,
    /// Its path.
    #[serde(flatten)]
    pub demonstration: Demonstration,
}

/// Writes synthetic frames of these scenes, and a split with so many frames to test on; the frames to train on
/// and to test on are returned, for the lists. The folder is made.
///
/// # Errors
/// If a file cannot be written, the split cannot be had, or the top of the pictures is cut off.
pub fn write_synthetic(
    folder: &Path,
    scenes: &[Scene],
    frames: &Frames,
    settings: &FrameSettings,
    test: usize,
) -> Result<(Vec<usize>, Vec<usize>), DrivingError> {
    if settings.cut_top > 0.0 {
        let what = format!("pictures without their top ({}) are not written", settings.cut_top);
        return Err(DrivingError::Asked(what));
    }
    let apart = split_by_drive(frames.drives.iter().map(String::as_str), 0, test, settings.seed)?.1;
    let drives: std::collections::BTreeSet<&str> = apart.iter().map(|&f| frames.drives[f].as_str()).collect();
    let train: Vec<usize> =
        (0..frames.len()).filter(|&frame| !drives.contains(frames.drives[frame].as_str())).collect();
    for name in ["image_2", "label_2", "calib", "ImageSets"] {
        let path = folder.join(name);
        std::fs::create_dir_all(&path).map_err(|source| DrivingError::Read { path, source })?;
    }
    let labels: std::collections::BTreeMap<&str, &[Label]> =
        scenes.iter().map(|scene| (scene.name.as_str(), &scene.labels[..])).collect();
    (0..frames.len()).into_par_iter().try_for_each(|frame| {
        let name = &frames.names[frame];
        let png = frames.picture(frame).to_png();
        let png = png.map_err(|error| DrivingError::file(name, error.to_string()))?;
        write(folder.join(format!("image_2/{name}.png")), &png)?;
        let counted = labels.get(name.as_str()).into_iter().copied().flatten();
        let lines = counted.filter(|label| settings.counted.counts(label)).map(|label| format!("{label}\n"));
        write(folder.join(format!("label_2/{name}.txt")), lines.collect::<String>().as_bytes())?;
        let camera: &CameraCalibration = &frames.calibrations[frame];
        write(folder.join(format!("calib/{name}.txt")), camera.to_text().as_bytes())
    })?;
    let list = |side: &[usize]| side.iter().map(|&f| format!("{}\n", frames.names[f])).collect::<String>();
    write(folder.join("ImageSets/train.txt"), list(&train).as_bytes())?;
    write(folder.join("ImageSets/test.txt"), list(&apart).as_bytes())?;
    let table = frames.names.iter().zip(&frames.drives).map(|(name, drive)| format!("{name},{drive}\n"));
    write(folder.join("drives.csv"), format!("frame,drive\n{}", table.collect::<String>()).as_bytes())?;
    let lines = frames.names.iter().zip(&frames.demonstrations).map(|(name, demonstration)| {
        let line = PathLine { frame: name.clone(), demonstration: demonstration.clone() };
        serde_json::to_string(&line).map(|line| line + "\n")
    });
    let lines = lines.collect::<Result<String, _>>();
    let lines = lines.map_err(|error| DrivingError::file("paths.jsonl", error.to_string()))?;
    write(folder.join("paths.jsonl"), lines.as_bytes())?;
    write(folder.join("SYNTHETIC.txt"), notice(frames, settings).as_bytes())?;
    Ok((train, apart))
}

fn notice(frames: &Frames, settings: &FrameSettings) -> String {
    format!(
        "The pictures in this folder are synthetic: precept data driving rendered them.\n\
         {} frames of {} x {} pixels, seed {}. No camera took them.\n",
        frames.len(),
        frames.shape.width,
        frames.shape.height,
        settings.seed
    )
}

fn write(path: PathBuf, content: &[u8]) -> Result<(), DrivingError> {
    std::fs::write(&path, content).map_err(|source| DrivingError::Read { path, source })
}

/// Reads `drives.csv`: lines `frame,drive` under a header.
///
/// # Errors
/// If it cannot be read, or a line has no comma.
pub fn read_drive_table(path: &Path) -> Result<Drives, DrivingError> {
    let text = preceptron_base::read_limited_text(path);
    let text = text.map_err(|source| DrivingError::Read { path: path.to_owned(), source })?;
    let line = |(at, line): (usize, &str)| match line.split_once(',') {
        Some((frame, drive)) => Ok((frame.trim().to_owned(), drive.trim().to_owned())),
        None => {
            let what = format!("expected frame,drive, found {line:?}");
            Err(DrivingError::Line { file: path.display().to_string(), line: at + 1, what })
        }
    };
    text.lines().enumerate().skip(1).filter(|(_, line)| !line.trim().is_empty()).map(line).collect()
}

/// Reads `paths.jsonl`.
///
/// # Errors
/// If it cannot be read, or a line is not a path.
pub fn read_paths(path: &Path) -> Result<Vec<PathLine>, DrivingError> {
    let text = preceptron_base::read_limited_text(path);
    let text = text.map_err(|source| DrivingError::Read { path: path.to_owned(), source })?;
    let line = |(at, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| DrivingError::Line {
            file: path.display().to_string(),
            line: at + 1,
            what: error.to_string(),
        })
    };
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driving::{Density, Layout, Sources, read_list, sample_scene};

    #[test]
    fn what_is_written_is_read() {
        let place = tempfile::tempdir().unwrap();
        let settings = FrameSettings { seed: 9, cut_top: 0.0, ..FrameSettings::default() };
        let scenes: Vec<Scene> = (30..90).map(|n| sample_scene(9, n, Density::Normal)).collect();
        let frames = Frames::synthetic(scenes.clone(), &settings);
        let cut = FrameSettings { cut_top: 0.3, ..settings };
        assert!(write_synthetic(place.path(), &scenes, &frames, &cut, 10).is_err());
        let (train, test) = write_synthetic(place.path(), &scenes, &frames, &settings, 10).unwrap();
        assert_eq!((train.len(), test.len()), (frames.len() - 10, 10));
        let path = Some(place.path().to_owned());
        let sources = Sources {
            labels: place.path().to_owned(),
            calibration: path.clone(),
            images: path,
            calibrated_for: None,
        };
        let drives = read_drive_table(&place.path().join("drives.csv")).unwrap();
        let layout = Layout::open(&sources).unwrap().with_drives(drives);
        let read = Frames::read(&layout, &settings).unwrap();
        let synthetic = Frames { is_synthetic: false, boxed_in: read.boxed_in, ..frames.clone() };
        // All comes back, the cameras to the last digit that is written.
        for (a, b) in read.calibrations.iter().zip(&frames.calibrations) {
            for (a, b) in a.projection.iter().flatten().zip(b.projection.iter().flatten()) {
                assert!((a - b).abs() < 1e-9 * b.abs().max(1.0));
            }
        }
        assert_eq!(Frames { calibrations: frames.calibrations.clone(), ..read }, synthetic);
        let list = read_list(&place.path().join("ImageSets/test.txt")).unwrap();
        assert_eq!(list, test.iter().map(|&f| frames.names[f].clone()).collect::<Vec<_>>());
        let paths = read_paths(&place.path().join("paths.jsonl")).unwrap();
        assert_eq!(paths.len(), frames.len());
        assert_eq!((&paths[3].frame, &paths[3].demonstration), (&frames.names[3], &frames.demonstrations[3]));
        assert!(std::fs::read_to_string(place.path().join("SYNTHETIC.txt")).unwrap().contains("synthetic"));
        std::fs::remove_file(place.path().join("calib/000031.txt")).unwrap();
        let fault = Layout::open(&sources).unwrap().check().unwrap_err().to_string();
        assert!(fault.ends_with("(calib): 1 of 60 files are missing: 000031"), "{fault}");
    }
}
