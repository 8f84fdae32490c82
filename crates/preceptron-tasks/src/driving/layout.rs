//! Frames as they lie on disk: KITTI's `image_2/`, `label_2/` and `calib/`, in folders or archives, or one JSON
//! for each frame.

use std::path::PathBuf;

use super::{CameraCalibration, Drives, DrivingError, JsonFrame, Label, Rgb, Store};

/// Where the files are. One folder may serve for all.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// Labels, in columns or as JSON: a folder, a tar or a tar.xz.
    pub labels: PathBuf,
    /// CameraCalibration; frames as JSON have it with them.
    pub calibration: Option<PathBuf>,
    /// Pictures in PNG or JPEG; without them there are labels only.
    pub images: Option<PathBuf>,
    /// The size of the pictures that the calibration is for, where it cannot be seen from the calibration.
    pub calibrated_for: Option<[f64; 2]>,
}

/// Frames that can be read.
#[derive(Clone, Debug)]
pub struct Layout {
    form: Form,
    images: Option<Store>,
    calibrated_for: Option<[f64; 2]>,
    names: Vec<String>,
    drives: Drives,
}

#[derive(Clone, Debug)]
enum Form {
    Kitti { labels: Store, calibration: Store },
    Json(Store),
}

/// What is known of a frame but its picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Its name.
    pub name: String,
    /// The drive that it comes from; its own name where that is not known.
    pub drive: String,
    /// The camera.
    pub calibration: CameraCalibration,
    /// The size of the picture that the camera is for, if it is said.
    pub calibrated_for: Option<[f64; 2]>,
    /// What is there.
    pub labels: Vec<Label>,
}

impl Layout {
    /// Finds the files. All labelled frames are taken; whether the other files are there is for
    /// [`check`](Layout::check) and [`complete`](Layout::complete).
    ///
    /// # Errors
    /// If a folder or archive cannot be read or holds nothing of its kind.
    pub fn open(sources: &Sources) -> Result<Layout, DrivingError> {
        let images =
            sources.images.as_deref().map(|path| Store::open(path, "image_2", &["png", "jpg", "jpeg"]));
        let form = match &sources.calibration {
            Some(calibration) => Form::Kitti {
                labels: Store::open(&sources.labels, "label_2", &["txt"])?,
                calibration: Store::open(calibration, "calib", &["txt"])?,
            },
            None => Form::Json(Store::open(&sources.labels, "frames", &["json"])?),
        };
        let (Form::Kitti { labels, .. } | Form::Json(labels)) = &form;
        let names = labels.names().map(str::to_owned).collect();
        let calibrated_for = sources.calibrated_for;
        Ok(Layout { form, images: images.transpose()?, calibrated_for, names, drives: Drives::new() })
    }

    /// Says which drives the frames come from.
    #[must_use]
    pub fn with_drives(mut self, drives: Drives) -> Layout {
        self.drives = drives;
        self
    }

    /// The frames, sorted, or as they were selected.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Only these frames, in this order.
    ///
    /// # Errors
    /// If some have no labels: which.
    pub fn select(mut self, names: Vec<String>) -> Result<Layout, DrivingError> {
        self.labels().check(&names)?;
        self.names = names;
        Ok(self)
    }

    /// Whether each frame has all its files.
    ///
    /// # Errors
    /// With the names of those that do not.
    pub fn check(&self) -> Result<(), DrivingError> {
        if let Form::Kitti { calibration, .. } = &self.form {
            calibration.check(&self.names)?;
        }
        match (&self.images, &self.form) {
            (Some(images), Form::Kitti { .. }) => images.check(&self.names),
            (Some(images), Form::Json(_)) => {
                let pictures = self.names.iter().map(|name| self.picture_name(name));
                images.check(&pictures.collect::<Result<Vec<_>, _>>()?)
            }
            (None, _) => Ok(()),
        }
    }

    /// Only the frames that have all their files, and how many others there were.
    #[must_use]
    pub fn complete(mut self) -> (Layout, usize) {
        let has_all = |name: &String| {
            let is_calibrated = match &self.form {
                Form::Kitti { calibration, .. } => calibration.has(name),
                Form::Json(_) => true,
            };
            // A frame that cannot be read is kept, so that reading it says why.
            let has_picture = |images: &Store| self.picture_name(name).map_or(true, |name| images.has(&name));
            is_calibrated && self.images.as_ref().is_none_or(has_picture)
        };
        let names: Vec<String> = self.names.iter().filter(|name| has_all(name)).cloned().collect();
        let left = self.names.len() - names.len();
        self.names = names;
        (self, left)
    }

    /// Reads the labels and the calibration of a frame.
    ///
    /// # Errors
    /// If a file is not there or not what it should be.
    pub fn scene(&self, name: &str) -> Result<Scene, DrivingError> {
        let known = self.drives.get(name).cloned();
        let (calibration, calibrated_for, labels, drive) = match &self.form {
            Form::Kitti { labels, calibration } => {
                let camera =
                    CameraCalibration::parse_file(&calibration.text(name)?, &calibration.file_name(name))?;
                let objects = Label::parse_file(&labels.text(name)?, &labels.file_name(name))?;
                (camera, self.calibrated_for, objects, known)
            }
            Form::Json(_) => {
                let frame = self.json(name)?;
                let fault = |what| DrivingError::file(&self.labels().file_name(name), what);
                let camera = frame.calibration().map_err(fault)?;
                (camera, Some(frame.size), frame.labels(), known.or_else(|| frame.drive.clone()))
            }
        };
        let drive = drive.unwrap_or_else(|| name.to_owned());
        Ok(Scene { name: name.to_owned(), drive, calibration, calibrated_for, labels })
    }

    /// Reads the picture of a frame.
    ///
    /// # Errors
    /// If it is not there, or neither PNG nor JPEG.
    pub fn picture(&self, name: &str) -> Result<Rgb, DrivingError> {
        let images = self.images.as_ref();
        let images = images.ok_or_else(|| DrivingError::Asked("no pictures are named".to_owned()))?;
        let picture = self.picture_name(name)?;
        let fault = |what: String| DrivingError::file(&images.file_name(&picture), what);
        Rgb::decode(&images.bytes(&picture)?).map_err(fault)
    }

    /// The name under which a frame's picture is stored.
    fn picture_name(&self, name: &str) -> Result<String, DrivingError> {
        match &self.form {
            Form::Kitti { .. } => Ok(name.to_owned()),
            Form::Json(_) => {
                let image = PathBuf::from(self.json(name)?.image);
                let stem = image.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned);
                stem.ok_or_else(|| {
                    DrivingError::file(&self.labels().file_name(name), "\"image\": no file name")
                })
            }
        }
    }

    fn json(&self, name: &str) -> Result<JsonFrame, DrivingError> {
        JsonFrame::parse(&self.labels().text(name)?, &self.labels().file_name(name))
    }

    /// Where the labels are.
    fn labels(&self) -> &Store {
        let (Form::Kitti { labels, .. } | Form::Json(labels)) = &self.form;
        labels
    }

    /// How the file with a frame's labels is called in messages.
    pub fn label_file(&self, name: &str) -> String {
        self.labels().file_name(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
        let place = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let path = place.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        }
        place
    }

    const LABEL: &[u8] = b"Car 0.00 0 0.00 1.00 1.00 2.00 2.00 1.50 1.60 4.00 3.00 1.65 20.00 0.00\n";

    #[test]
    fn a_folder_of_kitti() {
        let (calib, png) = (CameraCalibration::default().to_text(), Rgb::new(4, 3, [9; 3]).to_png().unwrap());
        let place = folder(&[
            ("label_2/1.txt", LABEL),
            ("label_2/2.txt", LABEL),
            ("label_2/3.txt", b"Car"),
            ("calib/1.txt", calib.as_bytes()),
            ("calib/2.txt", calib.as_bytes()),
            ("calib/3.txt", calib.as_bytes()),
            ("image_2/1.png", &png),
            ("image_2/3.png", b"GIF"),
        ]);
        let all = Some(place.path().to_owned());
        let sources = Sources {
            labels: place.path().to_owned(),
            calibration: all.clone(),
            images: all,
            ..Sources::default()
        };
        let layout = Layout::open(&sources).unwrap();
        assert_eq!(layout.names(), ["1", "2", "3"]);
        let missing = layout.check().unwrap_err().to_string();
        assert!(missing.ends_with("(image_2): 1 of 3 files are missing: 2"), "{missing}");
        let scene = layout.scene("2").unwrap();
        assert_eq!((scene.labels.len(), scene.drive.as_str()), (1, "2"));
        assert_eq!(layout.picture("1").unwrap().size(), [4, 3]);
        assert!(layout.picture("3").unwrap_err().to_string().ends_with("3.png: neither a PNG nor a JPEG"));
        assert!(layout.scene("3").unwrap_err().to_string().contains("label_2/3.txt: line 1: a label has"));
        let (complete, left) = layout.clone().complete();
        assert_eq!((complete.names(), left), (&["1".to_owned(), "3".to_owned()][..], 1));
        assert!(layout.select(vec!["9".to_owned()]).unwrap_err().to_string().ends_with("missing: 9"));
    }

    #[test]
    fn frames_as_json() {
        let text = r#"{"image": "cam/a.png", "size": [16, 9], "drive": "scene-1", "objects": [],
            "projection": [[12, 0, 8, 0], [0, 12, 4, 0], [0, 0, 1, 0]]}"#;
        let png = Rgb::new(4, 3, [9; 3]).to_png().unwrap();
        let place = folder(&[
            ("frames/7.json", text.as_bytes()),
            ("frames/8.json", text.replace("a.png", "b.png").as_bytes()),
            ("image_2/a.png", &png),
        ]);
        let sources = Sources {
            labels: place.path().to_owned(),
            images: Some(place.path().to_owned()),
            ..Sources::default()
        };
        let layout = Layout::open(&sources).unwrap();
        let scene = layout.scene("7").unwrap();
        assert_eq!((scene.drive.as_str(), scene.calibrated_for), ("scene-1", Some([16.0, 9.0])));
        assert_eq!(layout.picture("7").unwrap().size(), [4, 3]);
        assert!(layout.check().unwrap_err().to_string().ends_with("1 of 2 files are missing: b"));
        assert_eq!(layout.complete().1, 1);
    }
}
