//! Frames as JSON, one file for each: for nuScenes and other data that is not in KITTI's columns.
//!
//! This form is Preceptron's own. All is in camera coordinates (x right, y down, z ahead, in metres), so data with
//! other coordinates is converted before.
//! ```json
//! {
//!   "image": "n015-CAM_FRONT-1532.jpg",
//!   "size": [1600, 900],
//!   "projection": [[1266.4, 0, 816.3, 0], [0, 1266.4, 491.5, 0], [0, 0, 1, 0]],
//!   "drive": "scene-0061",
//!   "objects": [
//!     {"category": "car", "size": [1.6, 1.9, 4.5], "location": [3.1, 1.6, 18.0], "yaw": -1.57}
//!   ]
//! }
//! ```
//! `size` is the size of the picture that the projection is for; an object's is height, width, length. The
//! location is the middle of its bottom, and the yaw is about y, 0 along x, as in KITTI. `drive` may be left out.

use serde::{Deserialize, Serialize};

use super::{CameraCalibration, DrivingError, Label};

/// A frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JsonFrame {
    /// The file name of the picture.
    pub image: String,
    /// The width and height of the picture that the projection is for.
    pub size: [f64; 2],
    /// From camera coordinates to pixels.
    pub projection: [[f64; 4]; 3],
    /// The drive that it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drive: Option<String>,
    /// What is there.
    pub objects: Vec<JsonObject>,
}

/// An object of a frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JsonObject {
    /// What it is.
    pub category: String,
    /// Height, width, length.
    pub size: [f64; 3],
    /// The middle of its bottom.
    pub location: [f64; 3],
    /// About the y axis.
    pub yaw: f64,
}

impl JsonFrame {
    /// Reads a file.
    ///
    /// # Errors
    /// If it is not of this form, or a number is out of place.
    pub fn parse(text: &str, file: &str) -> Result<JsonFrame, DrivingError> {
        let frame: JsonFrame =
            serde_json::from_str(text).map_err(|error| DrivingError::file(file, error.to_string()))?;
        if !frame.size.iter().all(|side| *side >= 1.0) {
            return Err(DrivingError::file(file, "\"size\": a picture has pixels"));
        }
        frame.calibration().map_err(|what| DrivingError::file(file, format!("\"projection\": {what}")))?;
        Ok(frame)
    }

    /// The camera.
    ///
    /// # Errors
    /// If the projection is singular.
    pub fn calibration(&self) -> Result<CameraCalibration, String> {
        CameraCalibration::new(self.projection)
    }

    /// The objects as labels. `human`, `bicycle` and the like are called as in KITTI.
    pub fn labels(&self) -> Vec<Label> {
        let label = |object: &JsonObject| Label {
            kind: kind(&object.category).to_owned(),
            truncated: -1.0,
            occluded: -1,
            alpha: object.yaw - object.location[0].atan2(object.location[2]),
            rectangle: [0.0; 4],
            height: object.size[0],
            width: object.size[1],
            length: object.size[2],
            location: object.location,
            rotation: object.yaw,
            score: None,
        };
        self.objects.iter().map(label).collect()
    }
}

/// KITTI's word for a category of nuScenes; others stay as they are.
fn kind(category: &str) -> &str {
    let parts: Vec<&str> = category.split('.').collect();
    match parts[..] {
        ["vehicle", "car", ..] | ["car"] => "Car",
        ["vehicle", "truck" | "construction" | "trailer", ..] | ["truck" | "trailer"] => "Truck",
        ["vehicle", "bicycle" | "motorcycle", ..] | ["bicycle" | "motorcycle"] => "Cyclist",
        ["human", "pedestrian", ..] | ["pedestrian"] => "Pedestrian",
        _ => category,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{"image": "a.jpg", "size": [1600, 900],
        "projection": [[1266, 0, 816, 0], [0, 1266, 491, 0], [0, 0, 1, 0]],
        "objects": [{"category": "vehicle.car", "size": [1.6, 1.9, 4.5], "location": [3, 1.6, 18], "yaw": 0}]}"#;

    #[test]
    fn frames_are_read() {
        let frame = JsonFrame::parse(TEXT, "0.json").unwrap();
        let labels = frame.labels();
        assert_eq!((labels[0].kind.as_str(), labels[0].length, labels[0].location[2]), ("Car", 4.5, 18.0));
        assert_eq!(JsonFrame::parse(&serde_json::to_string(&frame).unwrap(), "0.json").unwrap(), frame);
    }

    #[test]
    fn faults_name_the_file() {
        let fault = |from: &str, to: &str| {
            JsonFrame::parse(&TEXT.replace(from, to), "0.json").unwrap_err().to_string()
        };
        assert!(fault("\"size\": [1600", "\"size\": [0").starts_with("0.json: \"size\": a picture has"));
        assert!(fault("[0, 0, 1, 0]", "[0, 0, 0, 0]").starts_with("0.json: \"projection\": "));
        assert!(fault("\"yaw\"", "\"raw\"").contains("unknown field `raw`"));
    }
}
