//! Synthetic pictures of scenes: a plain renderer that draws labelled objects as a camera would see them.
//!
//! The camera is the frame's own. Objects are boxes put together: a car has a body, a cabin, wheels and lights, a
//! person a head, a trunk and legs. They stand on a road with a verge, under a sky, among things that nobody
//! labels: houses, trees, bushes, poles, bins and shadows. Far things fade into haze; then comes the
//! sensor with its exposure and noise. All is drawn at twice the size and averaged.
//!
//! What a drive's frames have in common (light, haze, road, colours) is drawn from the seed and the drive's name,
//! the rest from the seed and the frame's name.

mod clutter;
mod film;
mod look;
mod objects;
mod solid;

use rand::RngExt;

use super::{CameraCalibration, Label, Rgb, Scene};
use film::Film;
use look::Look;

/// How far above the ground KITTI's cameras are, in metres.
pub(crate) const CAMERA_HEIGHT: f64 = 1.65;

/// Draws pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Renderer {
    /// The seed of all that is not said by the labels.
    pub seed: u64,
    /// The width and height of the pictures.
    pub size: [usize; 2],
    /// The share of what the camera sees, from the top, that is left out.
    pub cut_top: f64,
}

impl Renderer {
    /// A synthetic picture of a scene. Labels without a box are left out.
    pub fn picture(&self, scene: &Scene) -> Rgb {
        let look = Look::draw(self.seed, &scene.drive);
        let mut random = preceptron_base::stream(self.seed, &format!("scene {}", scene.name), 0);
        let camera = self.camera(scene);
        let objects: Vec<&Label> = scene.labels.iter().filter(|l| l.is_object() && l.has_box()).collect();
        let slope = slope(&objects);
        let mut film = Film::new(self.size, &camera, CAMERA_HEIGHT, slope);
        film.background(&look, &mut random);
        let (mut solids, mut shadows) = clutter::draw(&look, &objects, slope, &mut random);
        for label in &objects {
            let tint = [random.random(), random.random(), random.random()];
            objects::build(label, tint, &mut solids);
            shadows.push(objects::shadow(label, &look));
        }
        shadows.iter().for_each(|shadow| film.shade(shadow));
        solids.iter().for_each(|solid| film.solid(solid, &look));
        film.develop(&look, &mut random)
    }

    /// The camera of the pictures.
    pub fn camera(&self, scene: &Scene) -> CameraCalibration {
        let whole = scene.calibration.for_picture(self.size, scene.calibrated_for);
        whole.without_top(self.cut_top, self.size[1])
    }
}

/// How the ground falls with the distance: such that objects stand on it, but level where there are few.
fn slope(objects: &[&Label]) -> f64 {
    let sum = |value: fn(&Label) -> f64| objects.iter().map(|label| value(label)).sum::<f64>();
    let below = sum(|label| (label.location[1] - CAMERA_HEIGHT) * label.location[2]);
    below / (sum(|label| label.location[2] * label.location[2]) + 200.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(labels: &[&str]) -> Scene {
        Scene {
            name: "000001".to_owned(),
            drive: "a".to_owned(),
            calibration: CameraCalibration::default(),
            calibrated_for: None,
            labels: labels.iter().map(|line| Label::parse(line).unwrap()).collect(),
        }
    }

    const CAR: &str = "Car 0 0 0 0 0 1 1 1.5 1.6 4.0 3.0 1.65 15.0 0.3";

    #[test]
    fn the_same_seed_gives_the_same_picture() {
        let renderer = Renderer { seed: 1, size: [208, 48], cut_top: 0.0 };
        let picture = renderer.picture(&scene(&[CAR]));
        assert_eq!(picture.size(), [208, 48]);
        assert_eq!(picture, renderer.picture(&scene(&[CAR])));
        assert_ne!(picture, Renderer { seed: 2, ..renderer }.picture(&scene(&[CAR])));
    }

    /// The pixels that a car changes are those where its box is seen, or its shadow next to it.
    #[test]
    fn objects_are_where_the_camera_sees_them() {
        let size = [416, 126];
        let renderer = Renderer { seed: 3, size, cut_top: 0.0 };
        // The other object is not in the picture: it keeps the random numbers in step.
        let away = CAR.replace("15.0", "-15.0");
        let (with, without) = (scene(&[CAR]), scene(&[&away]));
        let (a, b) = (renderer.picture(&with), renderer.picture(&without));
        let camera = with.calibration.for_picture(size, None);
        let seen = with.labels[0].corners().map(|corner| camera.project(corner).unwrap());
        let [left, right] = [
            seen.iter().map(|p| p[0]).fold(f64::MAX, f64::min),
            seen.iter().map(|p| p[0]).fold(0.0, f64::max),
        ];
        let centre = camera.project([3.0, 0.9, 15.0]).unwrap();
        let mut changed = 0;
        let large = |x: usize, y: usize| {
            let at = 3 * (y * size[0] + x);
            (0..3).any(|c| a.pixels()[at + c].abs_diff(b.pixels()[at + c]) > 60)
        };
        for y in 0..size[1] {
            for x in 0..size[0] {
                if large(x, y) && (y as f64 - centre[1]).abs() < 10.0 {
                    let inside = (x as f64) > left - 25.0 && (x as f64) < right + 25.0;
                    changed += if inside { 1 } else { -1 };
                }
            }
        }
        assert!(changed > 100, "{changed}");
    }

    #[test]
    fn anything_can_be_drawn() {
        let renderer = Renderer { seed: 3, size: [52, 12], cut_top: 0.0 };
        for (x, z) in [(0.0, 0.0), (0.0, 1.0), (-1.0, 2.0), (500.0, 3.0), (0.0, 1e6), (1e9, -1e9)] {
            for kind in
                ["Car", "Van", "Truck", "Tram", "Pedestrian", "Person_sitting", "Cyclist", "Misc", "DontCare"]
            {
                let line = format!("{kind} 0 0 0 0 0 1 1 1.5 1.6 4.0 {x} 1.65 {z} 0.3");
                assert_eq!(renderer.picture(&scene(&[&line])).size(), [52, 12]);
            }
        }
    }
}
