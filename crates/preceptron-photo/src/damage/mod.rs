//! What a camera does to a flat page: made up, to try out what reads photographs.
//!
//! A page with a grid lies on a desk; it is bent, seen from aside, lit unevenly, out of focus, noisy and compressed. Where the
//! grid's corners are in the picture is known, as it never is of a photograph.

mod compression;
mod light;
mod texture;

pub use compression::compressed;
pub use light::Light;
pub use texture::cloud;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::geometry::{Homography, Point, distance};
use crate::measure::tone;
use crate::picture::Picture;

/// How a page is photographed. The default does nothing but put it into a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Damage {
    /// Pixels of the grid's side in the picture.
    pub side: f64,
    /// Degrees that it is turned by, clockwise.
    pub rotation: f64,
    /// How far corners are moved, as a share of the side: a place aside.
    pub perspective: f64,
    /// What is around the grid on each side, as a share of its side.
    pub margin: f64,
    /// How far the page is bent, as a share of the side.
    pub bend: f64,
    /// How it is lit.
    pub light: Light,
    /// How much of the contrast is left.
    pub contrast: f64,
    /// The standard deviation of a blur, in pixels.
    pub blur: f64,
    /// The length of a movement of the camera, in pixels.
    pub motion: f64,
    /// The standard deviation of a sensor's noise, in tones.
    pub noise: f64,
    /// How rough the paper is, in tones.
    pub paper: f64,
    /// The tone of a desk around the page, if it is seen.
    pub desk: Option<u8>,
    /// The quality of a JPEG, 1 to 100.
    pub quality: Option<u32>,
    /// Light on dark.
    pub negative: bool,
    /// Quarters of a turn.
    pub quarters: usize,
}

impl Default for Damage {
    fn default() -> Damage {
        Damage {
            side: 540.0,
            rotation: 0.0,
            perspective: 0.0,
            margin: 0.08,
            bend: 0.0,
            light: Light::default(),
            contrast: 1.0,
            blur: 0.4,
            motion: 0.0,
            noise: 1.5,
            paper: 1.0,
            desk: None,
            quality: None,
            negative: false,
            quarters: 0,
        }
    }
}

/// A standard normal number, nearly.
pub(crate) fn normal(random: &mut ChaCha8Rng) -> f64 {
    (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0
}

/// What is photographed: a page, dark on light, and where on it the grid is: its left, upper, right and lower edge.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// The page.
    pub picture: &'a Picture,
    /// The grid's edges.
    pub grid: [f64; 4],
}

/// A photograph of a page, and the corners of its grid in it, from the one that is the upper left one on the page clockwise.
pub fn photograph(page: Page<'_>, damage: &Damage, random: &mut ChaCha8Rng) -> (Picture, [Point; 4]) {
    let side = damage.side;
    let (sin, cos) = damage.rotation.to_radians().sin_cos();
    let mut corners = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(|[x, y]: Point| {
        let mut moved = |c: f64| c * (1.0 - 2.0 * damage.perspective * random.random::<f64>());
        let (x, y) = (moved(x), moved(y));
        [side * (cos * x - sin * y), side * (sin * x + cos * y)]
    });
    let bound = |corners: &[Point; 4], axis: usize| {
        corners.iter().fold((f64::MAX, f64::MIN), |(a, b), c| (a.min(c[axis]), b.max(c[axis])))
    };
    let margin = damage.margin * side;
    let ((left, right), (top, bottom)) = (bound(&corners, 0), bound(&corners, 1));
    let around = |random: &mut ChaCha8Rng| margin * random.random_range(0.85..1.0);
    let start = [left - around(random), top - around(random)];
    let size =
        [right - start[0] + around(random), bottom - start[1] + around(random)].map(|x| x.ceil() as usize);
    corners = corners.map(|corner| [corner[0] - start[0], corner[1] - start[1]]);
    corners.rotate_right(damage.quarters % 4);
    let [x0, y0, x1, y1] = page.grid;
    let from = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
    let back = Homography::of_points(corners, from).expect("four corners span the grid");
    let (width, height) = (size[0], size[1]);
    let amount = damage.bend * (x1 - x0);
    let phase = [random.random_range(0.0..6.0), random.random_range(0.0..6.0)];
    let bent = |[x, y]: Point| {
        let (s, t) = ((x - x0) / (x1 - x0), (y - y0) / (y1 - y0));
        let wave = |a: f64, b: f64, phase: f64| (3.0 * a + 1.2 * b + phase).sin() - phase.sin();
        [x + amount * 0.5 * wave(t, s, phase[0]), y + amount * 0.5 * wave(s, t, phase[1])]
    };
    // A pixel covers so many of the page; places within it are seen together.
    let step = distance(
        back.at([width as f64 / 2.0, height as f64 / 2.0]),
        back.at([width as f64 / 2.0 + 1.0, height as f64 / 2.0]),
    );
    let places = (step.ceil() as usize).clamp(2, 4);
    let mut tones = Vec::with_capacity(width * height);
    for y in 0..height {
        for x in 0..width {
            let mut sum = 0.0;
            for place in 0..places * places {
                let at = |whole: usize, part: usize| whole as f64 + (part as f64 + 0.5) / places as f64;
                let point = bent(back.at([at(x, place % places), at(y, place / places)]));
                sum += tone(page.picture, point).unwrap_or(damage.desk.map_or(255.0, f64::from));
            }
            tones.push(sum / (places * places) as f64);
        }
    }
    let grain = cloud(width, height, [1.0, 3.0, side / 40.0], random);
    let lit = damage.light.drawn(width, height, random);
    for (at, tone) in tones.iter_mut().enumerate() {
        let ink = 128.0 + damage.contrast * (*tone - 128.0) + damage.paper * grain[at];
        let seen = if damage.negative { 255.0 - ink } else { ink };
        *tone = seen.clamp(0.0, 255.0) * lit[at];
    }
    let tones = texture::blurred(&tones, width, damage.blur);
    let tones = texture::moved(&tones, width, damage.motion, random.random_range(0.0..3.0));
    let pixels =
        tones.into_iter().map(|tone| (tone + damage.noise * normal(random)).round().clamp(0.0, 255.0) as u8);
    let picture = Picture::from_pixels(width, pixels.collect());
    let picture = damage.quality.map_or(picture.clone(), |quality| compressed(&picture, quality));
    let moved = |corner: Point| {
        // Where the bend takes a corner: the point of the picture that shows it, found by a few steps.
        let there = Homography::of_points(from, corners).expect("four corners span the grid");
        let mut at = corner;
        for _ in 0..20 {
            let seen = bent(at);
            at = [at[0] + corner[0] - seen[0], at[1] + corner[1] - seen[1]];
        }
        there.at(at)
    };
    (picture, from.map(moved))
}
