//! Scenes drawn at random, with as many objects, of such kinds and at such places as KITTI's.
//!
//! Forty frames in a row are a drive: they share how busy the road is, how it climbs, and, once rendered, light and
//! road. Cars follow the lanes, stand parked, or cross; pedestrians and cyclists keep to the sides mostly. Each
//! object is in the picture at least in part, and none stands on another. Frame 7 of a seed is the same however
//! many are drawn.

use preceptron_base::choices;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::render::CAMERA_HEIGHT;
use super::{CameraCalibration, Label, Scene};

/// Frames of a drive.
pub const DRIVE: usize = 40;

/// The size of the pictures that the camera is for.
const SIZE: [f64; 2] = [1242.0, 375.0];

choices! {
    /// How many objects there are.
    pub enum Density: Normal {
        /// 4.7 on average, as on KITTI's roads.
        Normal = "normal",
        /// 7.4 on average.
        Dense = "dense",
    }
}

impl Density {
    /// The mean number of objects.
    pub fn mean(self) -> f64 {
        match self {
            Density::Normal => 4.7,
            Density::Dense => 7.4,
        }
    }
}

/// The scene with this number.
pub fn sample_scene(seed: u64, number: usize, density: Density) -> Scene {
    let drive = number / DRIVE;
    let mut common = preceptron_base::stream(seed, "sampled drive", drive as u64);
    let (busy, climb) = (common.random_range(0.3..1.7), common.random_range(-0.004..0.004));
    let mut random = preceptron_base::stream(seed, "sampled scene", number as u64);
    let random = &mut random;
    let camera = CameraCalibration::default();
    let count = 1 + poisson((density.mean() - 1.0) * busy, random);
    let mut labels: Vec<Label> = Vec::new();
    for _ in 0..count {
        // On a crowded road some objects find no place: then there is one fewer.
        let tries = (0..200).map(|_| object(climb, random));
        let fits = |label: &Label| !labels.iter().any(|other| are_close(label, other));
        let found = tries.filter_map(|label| seen(label, &camera)).find(fits);
        labels.extend(found);
    }
    // Near things hide far ones: as in KITTI there is no order otherwise.
    labels.sort_by(|a, b| a.location[2].total_cmp(&b.location[2]));
    Scene {
        name: format!("{number:06}"),
        drive: format!("drive {drive:04}"),
        calibration: camera,
        calibrated_for: Some(SIZE),
        labels,
    }
}

/// A number of events with this mean.
fn poisson(mean: f64, random: &mut ChaCha8Rng) -> usize {
    let (limit, mut product, mut count) = ((-mean).exp(), random.random::<f64>(), 0);
    while product > limit {
        product *= random.random::<f64>();
        count += 1;
    }
    count
}

/// A sum of uniform numbers, nearly normal, with mean 0 and deviation 1.
fn normal(random: &mut ChaCha8Rng) -> f64 {
    (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0
}

/// An object somewhere, in the picture or not.
fn object(climb: f64, random: &mut ChaCha8Rng) -> Label {
    let luck: f64 = random.random();
    let (kind, size, spread, median) = match luck {
        0.0..0.82 => ("Car", [1.52, 1.63, 3.88], [0.1, 0.08, 0.38], 27.0),
        0.82..0.95 => ("Pedestrian", [1.76, 0.65, 0.85], [0.1, 0.12, 0.2], 16.0),
        _ => ("Cyclist", [1.74, 0.6, 1.76], [0.08, 0.12, 0.14], 22.0),
    };
    let z = (median * (0.6 * normal(random)).exp()).clamp(4.0, 85.0);
    let (x, rotation) = place(kind, z, random);
    let dimension = |k: usize, random: &mut ChaCha8Rng| {
        (size[k] + spread[k] * normal(random)).clamp(0.7 * size[k], 1.4 * size[k])
    };
    let y = CAMERA_HEIGHT + climb * z + 0.04 * normal(random);
    let rounded = |value: f64| (value * 100.0).round() / 100.0;
    Label {
        kind: kind.to_owned(),
        truncated: 0.0,
        occluded: 3,
        alpha: rounded(rotation - x.atan2(z)),
        rectangle: [0.0; 4],
        height: rounded(dimension(0, random)),
        width: rounded(dimension(1, random)),
        length: rounded(dimension(2, random)),
        location: [x, y, z].map(rounded),
        rotation: rounded(rotation),
        score: None,
    }
}

/// Where an object of a kind is at a distance, and how it is turned.
fn place(kind: &str, z: f64, random: &mut ChaCha8Rng) -> (f64, f64) {
    use std::f64::consts::{FRAC_PI_2, PI};
    let (luck, off, turn) = (random.random::<f64>(), normal(random), normal(random));
    let across = random.random_range(-0.8..0.8) * z;
    match (kind, luck) {
        ("Car", 0.0..0.2) => (0.5 * off, -FRAC_PI_2 + 0.05 * turn),
        ("Car", 0.2..0.42) => (-3.6 + 0.6 * off, FRAC_PI_2 + 0.05 * turn),
        ("Car", 0.42..0.56) => (4.2 + 0.8 * off, -FRAC_PI_2 + 0.08 * turn),
        ("Car", 0.56..0.7) => (-7.4 + 1.2 * off, FRAC_PI_2 + 0.08 * turn),
        ("Car", 0.7..0.85) => (across, if off > 0.0 { 0.1 * turn } else { PI + 0.1 * turn }),
        ("Car", _) => (across, PI * (turn / 2.0).clamp(-1.0, 1.0)),
        (_, 0.0..0.4) => (5.0 + 2.0 * off, -FRAC_PI_2 + 0.6 * turn),
        (_, 0.4..0.75) => (-6.0 + 2.5 * off, FRAC_PI_2 + 0.6 * turn),
        _ => (across * 0.5, PI * (turn / 2.0).clamp(-1.0, 1.0)),
    }
}

/// The label with its rectangle in the picture, if at least a third of it is there.
fn seen(label: Label, camera: &CameraCalibration) -> Option<Label> {
    let mut whole = [f64::MAX, f64::MAX, f64::MIN, f64::MIN];
    for corner in label.corners() {
        let [u, v] = camera.project(corner)?;
        whole = [whole[0].min(u), whole[1].min(v), whole[2].max(u), whole[3].max(v)];
    }
    let [width, height] = SIZE;
    let clip = |value: f64, most: f64| (value.clamp(0.0, most - 1.0) * 100.0).round() / 100.0;
    let rectangle =
        [clip(whole[0], width), clip(whole[1], height), clip(whole[2], width), clip(whole[3], height)];
    let area = |[left, top, right, bottom]: [f64; 4]| (right - left) * (bottom - top);
    let truncated = ((1.0 - area(rectangle) / area(whole)).max(0.0) * 100.0).round() / 100.0;
    (truncated < 0.67).then_some(Label { rectangle, truncated, ..label })
}

/// Whether two objects would touch, or nearly.
fn are_close(one: &Label, other: &Label) -> bool {
    let apart = |k: usize| one.location[k] - other.location[k];
    let radius = |label: &Label| (label.length.hypot(label.width)) / 2.0;
    // Along a lane cars stand nearer side by side than one behind the other.
    let sides = (one.width.max(0.8) + other.width.max(0.8)) / 2.0 + 0.3;
    let is_lane = |label: &Label| (label.rotation.abs() - std::f64::consts::FRAC_PI_2).abs() < 0.3;
    let is_beside = is_lane(one) && is_lane(other) && apart(0).abs() > sides + 0.6;
    !is_beside && apart(0).hypot(apart(2)) < radius(one) + radius(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_as_asked_for() {
        for density in [Density::Normal, Density::Dense] {
            let scenes: Vec<Scene> = (0..4000).map(|number| sample_scene(5, number, density)).collect();
            let objects: usize = scenes.iter().map(|scene| scene.labels.len()).sum();
            let mean = objects as f64 / 4000.0;
            assert!((mean - density.mean()).abs() < 0.35, "{mean}");
            assert!(scenes.iter().all(|scene| !scene.labels.is_empty()));
        }
    }

    #[test]
    fn scenes_depend_on_seed_and_number() {
        let scene = sample_scene(1, 47, Density::Normal);
        assert_eq!(scene, sample_scene(1, 47, Density::Normal));
        assert_ne!(scene.labels, sample_scene(2, 47, Density::Normal).labels);
        assert_eq!((scene.name.as_str(), scene.drive.as_str()), ("000047", "drive 0001"));
        // Labels are what their lines say.
        for label in &scene.labels {
            assert_eq!(&Label::parse(&label.to_string()).unwrap(), label);
        }
    }
}
