//! Training images, varied a little in each step so that the network sees each of them in many ways (data
//! augmentation).
//!
//! An image is first shifted by whole pixels, or moved by an affine map: the output at a point is the input
//! at `c + t + A (point - c)`, with c the centre, between pixels by bilinear interpolation, and 0 outside.
//! It can be bent as well: a coarse net of knots is laid over it, each knot is moved by an amount of its
//! own, and the points between them with them. The random numbers come from a stream that depends on seed, step and image number only.

use preceptron_base::stream_at;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::Shape;

/// How far images are varied: each amount is drawn uniformly between its negative and itself. All are 0 by
/// default, which leaves the images as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Augmentation {
    /// Shifts by whole pixels, in each direction.
    pub shift: u32,
    /// Rotation, in degrees.
    pub rotation: f32,
    /// Change of size: 0.1 for sides of 0.9 to 1.1, the two sides apart.
    pub scale: f32,
    /// Shear: how far a row moves for each row that it is away from the centre.
    pub shear: f32,
    /// Translation by parts of pixels, in each direction.
    pub translation: f32,
    /// How far each knot of a net over the image is moved, in pixels and in each direction.
    pub bend: f32,
}

/// Knots of the net in each direction; their distance is a quarter of the image's side.
const KNOTS: usize = 5;

/// The random numbers that vary an image in a step.
pub(crate) fn variation(seed: u64, step: u64, image: u64) -> ChaCha8Rng {
    stream_at(seed, "augmentation", &[step, image])
}

impl Augmentation {
    /// Whether it changes anything.
    pub fn is_none(&self) -> bool {
        *self == Augmentation::default()
    }

    fn is_affine(&self) -> bool {
        !Augmentation { shift: 0, ..*self }.is_none()
    }

    /// Writes a varied image into `into`. `padded` is scratch.
    pub(crate) fn apply(
        &self,
        shape: Shape,
        image: &[f32],
        random: &mut ChaCha8Rng,
        padded: &mut Vec<f32>,
        into: &mut [f32],
    ) {
        let shift = i64::from(self.shift);
        let offset = [(); 2].map(|()| random.random_range(-shift..=shift));
        let map = self.is_affine().then(|| self.draw(random, offset.map(|whole| whole as f32)));
        let Shape { height, width, .. } = shape;
        for (image, into) in image.chunks_exact(shape.pixels()).zip(into.chunks_exact_mut(shape.pixels())) {
            match &map {
                Some(map) => {
                    pad(image, width, padded);
                    map.apply(padded, height, width, into);
                }
                None => shifted(image, width, offset, into),
            }
        }
    }

    fn draw(&self, random: &mut ChaCha8Rng, offset: [f32; 2]) -> Affine {
        let mut up_to = |most: f32| most * (2.0 * random.random::<f32>() - 1.0);
        let (sin, cos) = up_to(self.rotation.to_radians()).sin_cos();
        let [tall, wide] = [1.0 + up_to(self.scale), 1.0 + up_to(self.scale)];
        let shear = up_to(self.shear);
        // Rotation after shear after scaling; rows give y and x of the input.
        let rows = [[(cos - sin * shear) * tall, -sin * wide], [(sin + cos * shear) * tall, cos * wide]];
        let offset = offset.map(|whole| whole + up_to(self.translation));
        let mut knot = || [up_to(self.bend), up_to(self.bend)];
        let bend = (self.bend > 0.0).then(|| [(); KNOTS].map(|()| [(); KNOTS].map(|()| knot())));
        Affine { rows, offset, bend }
    }
}

/// The output at a point is the input at the point plus the offset: rows, then columns.
fn shifted(image: &[f32], width: usize, offset: [i64; 2], into: &mut [f32]) {
    into.fill(0.0);
    let [down, right] = offset.map(|offset| offset.unsigned_abs() as usize);
    if right >= width || down * width >= image.len() {
        return;
    }
    let from = if offset[0] > 0 { &image[down * width..] } else { image };
    let into = if offset[0] > 0 { into } else { &mut into[down * width..] };
    for (from, into) in from.chunks_exact(width).zip(into.chunks_exact_mut(width)) {
        match offset[1] > 0 {
            true => into[..width - right].copy_from_slice(&from[right..]),
            false => into[right..].copy_from_slice(&from[..width - right]),
        }
    }
}

struct Affine {
    rows: [[f32; 2]; 2],
    offset: [f32; 2],
    /// How far the knots of the net are moved: y and x.
    bend: Option<[[[f32; 2]; KNOTS]; KNOTS]>,
}

/// Between which knots a place lies, and how far from the first to the second.
fn between_knots(place: usize, side: usize) -> (usize, f32) {
    let at = (place * (KNOTS - 1)) as f32 / (side.max(2) - 1) as f32;
    let first = (at as usize).min(KNOTS - 2);
    (first, at - first as f32)
}

fn mix(from: [f32; 2], to: [f32; 2], share: f32) -> [f32; 2] {
    [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]
}

/// Puts a border of zeros around an image: one row and column before it, two after it.
fn pad(image: &[f32], width: usize, padded: &mut Vec<f32>) {
    padded.clear();
    padded.resize(width + 3, 0.0);
    for row in image.chunks_exact(width) {
        padded.push(0.0);
        padded.extend_from_slice(row);
        padded.extend([0.0; 2]);
    }
    padded.resize(padded.len() + 2 * (width + 3), 0.0);
}

impl Affine {
    fn apply(&self, padded: &[f32], height: usize, width: usize, into: &mut [f32]) {
        let centre = [height, width].map(|side| (side as f32 - 1.0) / 2.0);
        let [[yy, yx], [xy, xx]] = self.rows;
        // One beyond the image on each side is all zeros, and so is everything further out.
        let (lowest, bottom, right) = (-1.0, height as f32, width as f32);
        let stride = width + 3;
        let mut places = vec![(0i32, 0.0f32, 0.0f32); width];
        let knots =
            self.bend.map(|_| (0..width).map(|column| between_knots(column, width)).collect::<Vec<_>>());
        for (row, line) in into.chunks_exact_mut(width).enumerate() {
            let dy = row as f32 - centre[0];
            let start = [centre[0] + self.offset[0] + yy * dy, centre[1] + self.offset[1] + xy * dy];
            let bends = self.bend.map(|knots| {
                let (above, share) = between_knots(row, height);
                let mut line = [[0.0; 2]; KNOTS];
                for (into, (upper, lower)) in line.iter_mut().zip(knots[above].iter().zip(&knots[above + 1]))
                {
                    *into = mix(*upper, *lower, share);
                }
                line
            });
            // Where each pixel comes from, then what is there: the first loop is one for vectors.
            let places = &mut places[..width];
            for (column, place) in places.iter_mut().enumerate() {
                let dx = column as f32 - centre[1];
                let [down, aside] = bends.zip(knots.as_ref()).map_or([0.0; 2], |(bends, knots)| {
                    let (left, share) = knots[column];
                    mix(bends[left], bends[left + 1], share)
                });
                let y = (start[0] + yx * dx + down).clamp(lowest, bottom) + 1.0;
                let x = (start[1] + xx * dx + aside).clamp(lowest, right) + 1.0;
                let (top, left) = (y as i32, x as i32);
                *place = (top * stride as i32 + left, y - top as f32, x - left as f32);
            }
            for (value, &(at, fy, fx)) in line.iter_mut().zip(&*places) {
                let at = at as usize;
                let (above, below) = (&padded[at..at + 2], &padded[at + stride..at + stride + 2]);
                let upper = above[0] + fx * (above[1] - above[0]);
                let lower = below[0] + fx * (below[1] - below[0]);
                *value = upper + fy * (lower - upper);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape::new(2, 5, 7);

    fn image() -> Vec<f32> {
        (0..SHAPE.size()).map(|i| (i * 31 % 17) as f32 / 16.0).collect()
    }

    fn varied(augmentation: Augmentation, seed: u64) -> Vec<f32> {
        let mut into = vec![f32::NAN; SHAPE.size()];
        let mut random = variation(seed, 0, 0);
        augmentation.apply(SHAPE, &image(), &mut random, &mut Vec::new(), &mut into);
        into
    }

    #[test]
    fn nothing_leaves_the_image() {
        assert_eq!(varied(Augmentation::default(), 1), image());
    }

    #[test]
    fn shifts_by_whole_pixels() {
        let shift = Augmentation { shift: 2, ..Augmentation::default() };
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..200 {
            let found = varied(shift, seed);
            let matches = |dy: isize, dx: isize| {
                (0..SHAPE.size()).all(|i| {
                    let (c, y, x) = (i / 35, (i / 7 % 5) as isize + dy, (i % 7) as isize + dx);
                    let inside = (0..5).contains(&y) && (0..7).contains(&x);
                    found[i] == if inside { image()[c * 35 + (y * 7 + x) as usize] } else { 0.0 }
                })
            };
            let all = (-2..=2).flat_map(|dy| (-2..=2).map(move |dx| (dy, dx)));
            seen.insert(all.into_iter().find(|&(dy, dx)| matches(dy, dx)).expect("a shift of at most 2"));
        }
        assert_eq!(seen.len(), 25);
        let far = Augmentation { shift: 1000, ..Augmentation::default() };
        assert!((0..50).all(|seed| varied(far, seed).len() == SHAPE.size()));
    }

    #[test]
    fn a_quarter_turn() {
        // The centre stays; what is right of it comes from above or below.
        let turn = Affine { rows: [[0.0, -1.0], [1.0, 0.0]], offset: [0.0; 2], bend: None };
        let square: Vec<f32> = (0..9).map(|i| i as f32).collect();
        let (mut padded, mut into) = (Vec::new(), vec![0.0; 9]);
        pad(&square, 3, &mut padded);
        turn.apply(&padded, 3, 3, &mut into);
        assert_eq!(into, [6.0, 3.0, 0.0, 7.0, 4.0, 1.0, 8.0, 5.0, 2.0]);
    }

    #[test]
    fn bending_moves_points_by_little_and_each_in_its_own_way() {
        let (height, width) = (28, 28);
        let bend = Augmentation { bend: 2.0, ..Augmentation::default() };
        let map = bend.draw(&mut variation(3, 0, 0), [0.0; 2]);
        // Pictures whose values are their rows and their columns show where each point comes from.
        let moved = |value: fn(usize, usize) -> usize| {
            let image: Vec<f32> = (0..height * width).map(|i| value(i / width, i % width) as f32).collect();
            let (mut padded, mut into) = (Vec::new(), vec![0.0; height * width]);
            pad(&image, width, &mut padded);
            map.apply(&padded, height, width, &mut into);
            let inside = (3..height - 3).flat_map(|y| (3..width - 3).map(move |x| (y, x)));
            inside.map(|(y, x)| into[y * width + x] - value(y, x) as f32).collect::<Vec<f32>>()
        };
        for moves in [moved(|y, _| y), moved(|_, x| x)] {
            assert!(moves.iter().all(|by| by.abs() <= 2.001));
            let (least, most) = moves.iter().fold((f32::MAX, f32::MIN), |(a, b), &by| (a.min(by), b.max(by)));
            assert!(most - least > 1.0, "{least} to {most}");
            // Neighbours move together.
            assert!(
                moves.windows(2).enumerate().all(|(i, pair)| i % 22 == 21 || (pair[0] - pair[1]).abs() < 0.6)
            );
        }
    }

    #[test]
    fn only_scaling_changes_areas() {
        let turned = Augmentation { rotation: 90.0, shear: 0.9, ..Augmentation::default() };
        for seed in 0..50 {
            let [[a, b], [c, d]] = turned.draw(&mut variation(seed, 0, 0), [0.0; 2]).rows;
            assert!((a * d - b * c - 1.0).abs() < 1e-5);
        }
    }

    #[test]
    fn far_outside_is_nothing() {
        let far = Augmentation { translation: 1000.0, scale: 0.5, ..Augmentation::default() };
        assert!((0..50).all(|seed| varied(far, seed).iter().all(|value| (0.0..=1.0).contains(value))));
        assert!((0..50).any(|seed| varied(far, seed).iter().all(|value| *value == 0.0)));
    }
}
