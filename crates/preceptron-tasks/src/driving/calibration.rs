//! The camera, as KITTI's calibration files give it.
//!
//! A point (x, y, z) in camera coordinates is seen at the pixel (u, v):
//! ```text
//! (s u, s v, s) = P (x, y, z, 1)
//! ```
//! | symbol | field |
//! |---|---|
//! | P | `projection`, three rows of four: the line `P2` of the file |
//!
//! Pixels have whole numbers in their middles, so the picture begins at -0.5. A picture at another size has
//! another P: u + 1/2 is scaled.

use super::DrivingError;

/// How far ahead of the camera a point must lie to be seen, in metres.
const NEAR: f64 = 0.1;

/// The focal lengths of KITTI's four rigs, and how large their pictures are.
const KITTI: [(f64, [f64; 2]); 4] = [
    (721.5377, [1242.0, 375.0]),
    (707.0493, [1224.0, 370.0]),
    (718.856, [1241.0, 376.0]),
    (718.3351, [1238.0, 374.0]),
];

/// A camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraCalibration {
    /// P, row by row.
    pub projection: [[f64; 4]; 3],
}

impl Default for CameraCalibration {
    /// The colour camera of most of KITTI's drives, for pictures of 1242 x 375 pixels.
    fn default() -> CameraCalibration {
        let (f, x, y) = (721.5377, 609.5593, 172.854);
        let [a, b, c] = [44.85728, 0.2163791, 0.002745884];
        CameraCalibration { projection: [[f, 0.0, x, a], [0.0, f, y, b], [0.0, 0.0, 1.0, c]] }
    }
}

impl CameraCalibration {
    /// Reads a calibration file: its line `P2`.
    ///
    /// # Errors
    /// If the line is not there, or has not twelve numbers, or sees nothing.
    pub fn parse_file(text: &str, file: &str) -> Result<CameraCalibration, DrivingError> {
        let found = text.lines().enumerate().find_map(|(at, line)| Some((at + 1, line.strip_prefix("P2:")?)));
        let (line, numbers) = found.ok_or_else(|| DrivingError::file(file, "there is no line \"P2:\""))?;
        let fault = |what: String| DrivingError::Line { file: file.to_owned(), line, what };
        let number = |text: &str| {
            let value = text.parse::<f64>().ok().filter(|value| value.is_finite());
            value.ok_or_else(|| fault(format!("expected a number, found {text:?}")))
        };
        let numbers = numbers.split_ascii_whitespace().map(number).collect::<Result<Vec<f64>, _>>()?;
        if numbers.len() != 12 {
            return Err(fault(format!("P2 has 12 numbers, not {}", numbers.len())));
        }
        CameraCalibration::new(std::array::from_fn(|row| {
            std::array::from_fn(|column| numbers[4 * row + column])
        }))
        .map_err(fault)
    }

    /// A camera with this projection.
    ///
    /// # Errors
    /// If it is singular.
    pub fn new(projection: [[f64; 4]; 3]) -> Result<CameraCalibration, String> {
        let camera = CameraCalibration { projection };
        let size = projection[0][0].abs() * projection[1][1].abs();
        match camera.determinant().abs() > 1e-9 * size.max(1e-9) {
            true => Ok(camera),
            false => Err("the projection is singular: it sees no picture".to_owned()),
        }
    }

    /// The file, with the other cameras and frames of KITTI's layout where this camera is.
    pub fn to_text(&self) -> String {
        let joined = |values: &mut dyn Iterator<Item = f64>| {
            values.map(|value| format!(" {value:.12e}")).collect::<String>()
        };
        let projection = joined(&mut self.projection.iter().flatten().copied());
        let mut text: String = (0..4).map(|camera| format!("P{camera}:{projection}\n")).collect();
        let turn = |columns: usize| {
            joined(&mut (0..3 * columns).map(|at| f64::from(u8::from(at % columns == at / columns))))
        };
        text += &format!("R0_rect:{}\n", turn(3));
        text += &format!("Tr_velo_to_cam:{}\nTr_imu_to_velo:{}\n", turn(4), turn(4));
        text
    }

    /// The camera for the same picture at another size.
    #[must_use]
    pub fn scaled(&self, across: f64, down: f64) -> CameraCalibration {
        let [first, second, third] = self.projection;
        let row = |row: [f64; 4], scale: f64| {
            std::array::from_fn(|column| scale * row[column] + (scale - 1.0) / 2.0 * third[column])
        };
        CameraCalibration { projection: [row(first, across), row(second, down), third] }
    }

    /// The camera for what is below the uppermost share of its pictures, which are so many pixels high, drawn as high.
    #[must_use]
    pub fn without_top(&self, share: f64, height: usize) -> CameraCalibration {
        let [first, second, third] = self.projection;
        let (scale, cut) = (1.0 / (1.0 - share), share * height as f64);
        let row = |k: usize| scale * second[k] + (scale * (0.5 - cut) - 0.5) * third[k];
        CameraCalibration { projection: [first, std::array::from_fn(row), third] }
    }

    /// The size of the pictures that it is for: known for KITTI's own, else such that the middle of the
    /// picture is where the camera looks.
    pub fn picture_size(&self) -> [f64; 2] {
        let [[f, _, x, _], [_, _, y, _], _] = self.projection;
        let known = KITTI.into_iter().find(|(focal, _)| (focal - f).abs() < 0.01);
        known.map_or([2.0 * x + 1.0, 2.0 * y + 1.0], |(_, size)| size)
    }

    /// The camera for a picture of this many pixels. Without `made_for`, the size it was made for is
    /// [`picture_size`](CameraCalibration::picture_size), or the picture's own if that is nearly the same.
    #[must_use]
    pub fn for_picture(&self, size: [usize; 2], made_for: Option<[f64; 2]>) -> CameraCalibration {
        let size = size.map(|pixels| pixels as f64);
        let native = made_for.unwrap_or_else(|| self.picture_size());
        let [across, down] = [size[0] / native[0], size[1] / native[1]];
        let is_near = |scale: f64| (scale - 1.0).abs() < 0.1;
        if made_for.is_none() && is_near(across) && is_near(down) { *self } else { self.scaled(across, down) }
    }

    /// Where a point is seen; none if it is not ahead of the camera.
    pub fn project(&self, [x, y, z]: [f64; 3]) -> Option<[f64; 2]> {
        let [u, v, depth] = self.projection.map(|row| row[0] * x + row[1] * y + row[2] * z + row[3]);
        (depth > NEAR).then(|| [u / depth, v / depth])
    }

    /// The eye, and for a pixel the direction in which it looks: the inverse of P's first three columns.
    pub(crate) fn rays(&self) -> ([f64; 3], impl Fn(f64, f64) -> [f64; 3] + use<>) {
        let [a, b, c] = self.projection;
        let cross = |p: [f64; 4], q: [f64; 4]| {
            [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
        };
        let columns = [cross(b, c), cross(c, a), cross(a, b)];
        let scale = 1.0 / self.determinant();
        let direction = move |u: f64, v: f64| -> [f64; 3] {
            std::array::from_fn(|k| scale * (columns[0][k] * u + columns[1][k] * v + columns[2][k]))
        };
        let last: [f64; 3] = [a[3], b[3], c[3]];
        let eye = std::array::from_fn(|k| {
            -scale * (0..3).map(|column| columns[column][k] * last[column]).sum::<f64>()
        });
        (eye, direction)
    }

    fn determinant(&self) -> f64 {
        let [a, b, c] = self.projection;
        a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
            + a[2] * (b[0] * c[1] - b[1] * c[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_seen_where_they_are() {
        let camera = CameraCalibration::default();
        let [u, v] = camera.project([0.0, 1.65, 20.0]).unwrap();
        // A little right of the middle, since the origin is that of the left gray camera, and below it.
        assert!((u - 611.7).abs() < 0.5 && (v - 232.3).abs() < 0.5, "{u} {v}");
        assert_eq!(camera.project([0.0, 1.65, -3.0]), None);
        let far = camera.project([0.0, 1.65, 80.0]).unwrap();
        assert!(far[1] < v && camera.project([5.0, 1.65, 20.0]).unwrap()[0] > u + 100.0);
        // Half the size: the pixels' edges are halved.
        let half = camera.scaled(0.5, 0.5).project([0.0, 1.65, 20.0]).unwrap();
        assert!(
            ((half[0] + 0.5) * 2.0 - 0.5 - u).abs() < 1e-9 && ((half[1] + 0.5) * 2.0 - 0.5 - v).abs() < 1e-9
        );
    }

    #[test]
    fn the_lower_part() {
        let point = [2.0, 1.0, 20.0];
        let [u, v] = CameraCalibration::default().project(point).unwrap();
        // Without the upper third of 375 rows, the rest is drawn half as high again.
        let [x, y] = CameraCalibration::default().without_top(1.0 / 3.0, 375).project(point).unwrap();
        assert!((x - u).abs() < 1e-9 && (y + 0.5 - 1.5 * (v + 0.5 - 125.0)).abs() < 1e-9);
        assert_eq!(CameraCalibration::default().without_top(0.0, 375), CameraCalibration::default());
    }

    #[test]
    fn rays_undo_the_projection() {
        let camera = CameraCalibration::default().scaled(0.3, 0.2);
        let (eye, direction) = camera.rays();
        for point in [[1.0, 1.65, 5.0], [-20.0, -3.0, 70.0]] {
            let [u, v] = camera.project(point).unwrap();
            let ray = direction(u, v);
            let t = (point[2] - eye[2]) / ray[2];
            for k in 0..3 {
                assert!((eye[k] + t * ray[k] - point[k]).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn files_come_back_and_errors_say_where() {
        let camera = CameraCalibration::default();
        assert_eq!(CameraCalibration::parse_file(&camera.to_text(), "x").unwrap(), camera);
        let fault =
            |text: &str| CameraCalibration::parse_file(text, "calib/000001.txt").unwrap_err().to_string();
        assert_eq!(fault("P0: 1"), "calib/000001.txt: there is no line \"P2:\"");
        assert_eq!(fault("\nP2: 1 2"), "calib/000001.txt: line 2: P2 has 12 numbers, not 2");
        assert!(fault("P2: 1 x").ends_with("line 1: expected a number, found \"x\""));
        assert!(fault(&format!("P2:{}", " 0".repeat(12))).contains("singular"));
    }

    #[test]
    fn other_sizes() {
        let camera = CameraCalibration::default();
        assert_eq!(camera.for_picture([1242, 375], None), camera);
        assert_eq!(camera.for_picture([621, 375], None), camera.scaled(0.5, 1.0));
        assert_eq!(camera.for_picture([1300, 375], None), camera);
        let other = CameraCalibration::new([
            [800.0, 0.0, 619.5, 0.0],
            [0.0, 800.0, 187.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
        ])
        .unwrap();
        assert_eq!(other.for_picture([310, 125], None), other.scaled(0.25, 125.0 / 375.0));
        assert_eq!(camera.for_picture([200, 50], Some([400.0, 200.0])), camera.scaled(0.5, 0.25));
    }
}
