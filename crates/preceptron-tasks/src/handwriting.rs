//! Other handwriting, made up: pictures of symbols slanted, with thicker or thinner strokes, of another size, out of the
//! middle, or as a coarse scan has them. They try out what adapts to handwriting; nothing learns from them unless asked to.
//!
//! Strokes are made thicker by the greatest tone within a distance, thinner by the least, at three times the size. Then the
//! picture at `c + (x, y)` is the ink at `c + (x + y tan(slant), y) / scale - offset`, with c the centre. A writer deviates
//! from what was asked for, and each symbol a little from its writer.

use preceptron_base::{settings, stream_at};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::picture::Picture;

settings! {
    /// Other handwriting.
    #[derive(Copy)]
    pub struct Handwriting {
        /// Degrees by which symbols lean to the right.
        slant: f64 = 0.0, "DEGREES" in -60.0..=60.0;
        /// Pixels by which strokes are thicker on each side, or thinner.
        thickness: f64 = 0.0, "PIXELS" in -2.0..=4.0;
        /// Their size as a share of what it was.
        scale: f64 = 1.0, "SHARE" in 0.3..=1.5;
        /// Pixels by which each symbol may be out of the middle, in each direction.
        off_centre: f64 = 0.0, "PIXELS" in 0.0..=12.0;
        /// A coarse scan that is cut to the ink: the longer side is so many pixels.
        scan: Option<usize> = None, "PIXELS" in 8..=28;
    }
}

/// How many times as large as it is a picture is worked on.
const FINE: usize = 3;

/// Ink below this is no part of a symbol when a scan is cut.
const EDGE: u8 = 48;

/// How far a writer may be from what was asked for, and a symbol from its writer: degrees, pixels, share of the size.
const DEVIATIONS: [[f64; 3]; 2] = [[8.0, 0.3, 0.06], [4.0, 0.15, 0.03]];

/// What is done to a symbol.
#[derive(Clone, Copy)]
struct Hand {
    slant: f64,
    thickness: f64,
    scale: f64,
}

impl Handwriting {
    /// Whether pictures stay as they are.
    pub fn is_plain(&self) -> bool {
        *self == Handwriting::default()
    }

    /// A picture, light on dark, as the writer of this number writes it; it depends on seed, writer and symbol alone.
    pub fn written(&self, picture: &Picture, seed: u64, writer: u64, symbol: u64) -> Picture {
        if self.is_plain() {
            return picture.clone();
        }
        let mut hand = Hand { slant: self.slant, thickness: self.thickness, scale: self.scale };
        let of_symbol = &mut stream_at(seed, "symbols of a writer", &[writer, symbol]);
        hand.deviate(DEVIATIONS[0], &mut stream_at(seed, "writers", &[writer, 0]));
        hand.deviate(DEVIATIONS[1], of_symbol);
        let mut offset = || self.off_centre * (2.0 * of_symbol.random::<f64>() - 1.0);
        let offset = [offset(), offset()];
        let moved = hand.applied(picture, offset);
        self.scan.map_or(moved.clone(), |side| scanned(&moved, side))
    }
}

impl Hand {
    fn deviate(&mut self, [slant, thickness, scale]: [f64; 3], random: &mut ChaCha8Rng) {
        let mut up_to = |most: f64| most * (2.0 * random.random::<f64>() - 1.0);
        self.slant += up_to(slant);
        self.thickness += up_to(thickness);
        self.scale *= 1.0 + up_to(scale);
    }

    fn applied(&self, picture: &Picture, [right, down]: [f64; 2]) -> Picture {
        let (width, height) = (picture.width(), picture.height());
        let fine = (width * FINE, height * FINE);
        let large = picture.resampled(0.0, 0.0, width as f64, height as f64, fine);
        let large = thickened(&large, self.thickness * FINE as f64);
        let (lean, centre) = (self.slant.to_radians().tan(), [fine.0 as f64 / 2.0, fine.1 as f64 / 2.0]);
        let tone = |x: usize, y: usize| {
            let (x, y) = (x as f64 + 0.5 - centre[0], y as f64 + 0.5 - centre[1]);
            let (x, y) = (x - right * FINE as f64, y - down * FINE as f64);
            let (from_x, from_y) = ((x + y * lean) / self.scale + centre[0], y / self.scale + centre[1]);
            between(&large, from_x - 0.5, from_y - 0.5)
        };
        let pixels = (0..fine.1).flat_map(|y| (0..fine.0).map(move |x| (x, y))).map(|(x, y)| tone(x, y));
        let moved = Picture::from_pixels(fine.0, pixels.collect());
        moved.resampled(0.0, 0.0, fine.0 as f64, fine.1 as f64, (width, height))
    }
}

/// The tone between pixels; dark outside.
fn between(picture: &Picture, x: f64, y: f64) -> u8 {
    let at = |x: f64, y: f64| {
        let is_inside = x >= 0.0 && y >= 0.0 && x < picture.width() as f64 && y < picture.height() as f64;
        if is_inside { f64::from(picture.at(x as usize, y as usize)) } else { 0.0 }
    };
    let (left, top) = (x.floor(), y.floor());
    let (right, low) = (x - left, y - top);
    let line = |y: f64| at(left, y) * (1.0 - right) + at(left + 1.0, y) * right;
    (line(top) * (1.0 - low) + line(top + 1.0) * low).round() as u8
}

/// Each pixel as the lightest within a distance, or the darkest if it is negative.
fn thickened(picture: &Picture, by: f64) -> Picture {
    let (width, height, most) = (picture.width() as i64, picture.height() as i64, by.abs());
    let reach = most.floor() as i64;
    let near: Vec<[i64; 2]> = (-reach..=reach)
        .flat_map(|y| (-reach..=reach).map(move |x| [x, y]))
        .filter(|[x, y]| ((x * x + y * y) as f64) <= most * most)
        .collect();
    let tone = |at: i64| {
        let (x, y) = (at % width, at / width);
        let inside = near
            .iter()
            .map(|[dx, dy]| [x + dx, y + dy])
            .filter(|[x, y]| (0..width).contains(x) && (0..height).contains(y));
        let tones = inside.map(|[x, y]| picture.at(x as usize, y as usize));
        if by < 0.0 { tones.min() } else { tones.max() }.unwrap_or(0)
    };
    Picture::from_pixels(picture.width(), (0..width * height).map(tone).collect())
}

/// The picture cut to its ink, at so many pixels of the longer side, and at its own size again.
fn scanned(picture: &Picture, side: usize) -> Picture {
    let (width, height) = (picture.width(), picture.height());
    let (mut left, mut right, mut top, mut bottom) = (width, 0, height, 0);
    for y in 0..height {
        for x in (0..width).filter(|&x| picture.at(x, y) >= EDGE) {
            (left, right) = (left.min(x), right.max(x + 1));
            (top, bottom) = (top.min(y), bottom.max(y + 1));
        }
    }
    if left >= right {
        return picture.clone();
    }
    let longer = (right - left).max(bottom - top);
    let size = |length: usize| (length * side).div_ceil(longer).clamp(1, side);
    let cut = (size(right - left), size(bottom - top));
    let small = picture.resampled(left as f64, top as f64, right as f64, bottom as f64, cut);
    let mut page = Picture::new(side, side, 0);
    page.paste((side - cut.0) / 2, (side - cut.1) / 2, &small);
    page.resampled(0.0, 0.0, side as f64, side as f64, (width, height))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mnist::{Mnist, SIDE};

    fn ink(picture: &Picture) -> f64 {
        picture.pixels().iter().map(|&tone| f64::from(tone)).sum()
    }

    /// How far ink leans: the covariance of column and row, upwards, by the variance of rows.
    fn lean(picture: &Picture) -> f64 {
        let all = |of: &dyn Fn(f64, f64) -> f64| {
            let at = |n: usize| of((n % picture.width()) as f64, (n / picture.width()) as f64);
            picture.pixels().iter().enumerate().map(|(n, &tone)| f64::from(tone) * at(n)).sum::<f64>()
                / ink(picture)
        };
        let (x, y) = (all(&|x, _| x), all(&|_, y| y));
        -all(&|a, b| (a - x) * (b - y)) / all(&|_, b| (b - y) * (b - y))
    }

    #[test]
    fn each_amount_does_what_it_says() {
        let train = Mnist::embedded().train;
        let mean = |hand: Handwriting, of: &dyn Fn(&Picture) -> f64| {
            let one = |n: usize| {
                let picture = Picture::from_pixels(SIDE, train.image(n).to_vec());
                of(&hand.written(&picture, 1, 0, n as u64)) / 60.0
            };
            (0..60).map(one).sum::<f64>()
        };
        let plain = Handwriting::default();
        let near = |found: f64, expected: f64, within: f64| {
            assert!((found - expected).abs() < within, "{found} and {expected}");
        };
        let leaning = Handwriting { slant: 30.0, ..plain };
        near(mean(leaning, &lean) - mean(plain, &lean), 30f64.to_radians().tan(), 0.2);
        let thicker = |thickness| mean(Handwriting { thickness, ..plain }, &ink) / mean(plain, &ink);
        assert!(thicker(1.0) > 1.2, "{}", thicker(1.0));
        assert!(thicker(-0.7) < 0.8, "{}", thicker(-0.7));
        near(mean(Handwriting { scale: 0.6, ..plain }, &ink) / mean(plain, &ink), 0.36, 0.12);
        // A scan cut to the ink fills the picture from above to below.
        let full = |picture: &Picture| {
            let rows = (0..SIDE).filter(|&y| (0..SIDE).any(|x| picture.at(x, y) >= EDGE / 2));
            rows.count() as f64
        };
        assert!(mean(Handwriting { scan: Some(16), ..plain }, &full) > 26.0);
    }

    #[test]
    fn a_writer_writes_alike() {
        let train = Mnist::embedded().train;
        let picture = Picture::from_pixels(SIDE, train.image(3).to_vec());
        let hand = Handwriting { slant: 20.0, off_centre: 3.0, ..Handwriting::default() };
        assert_eq!(hand.written(&picture, 1, 2, 3), hand.written(&picture, 1, 2, 3));
        assert_ne!(hand.written(&picture, 1, 2, 3), hand.written(&picture, 1, 5, 3));
        assert_ne!(hand.written(&picture, 1, 2, 3), hand.written(&picture, 2, 2, 3));
        assert_eq!(Handwriting::default().written(&picture, 1, 2, 3), picture);
    }
}
