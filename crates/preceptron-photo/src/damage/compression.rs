//! What a JPEG of a quality does to a picture: blocks of 8 x 8 pixels, their cosines rounded.
//!
//! `F(u, v) = c(u) c(v) / 4 sum f(x, y) cos((2x + 1) u pi / 16) cos((2y + 1) v pi / 16)`, rounded to multiples of the
//! standard's table for light, which is scaled by the quality, and taken back.

use std::array::from_fn;
use std::f32::consts::PI;

use crate::picture::Picture;

/// The standard's table for light, row by row.
const TABLE: [u16; 64] = [
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17,
    22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78,
    87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
];

/// The picture as it comes back from a JPEG of this quality, 1 to 100.
pub fn compressed(picture: &Picture, quality: u32) -> Picture {
    let quality = quality.clamp(1, 100);
    let scale = if quality < 50 { 5000 / quality } else { 200 - 2 * quality };
    let table = TABLE.map(|entry| ((u32::from(entry) * scale + 50) / 100).clamp(1, 255) as f32);
    let mut cosines = [[0.0f32; 8]; 8];
    for (u, row) in cosines.iter_mut().enumerate() {
        let factor = if u == 0 { 0.5f32.sqrt() } else { 1.0 } / 2.0;
        for (x, cosine) in row.iter_mut().enumerate() {
            *cosine = factor * ((2 * x + 1) as f32 * u as f32 * PI / 16.0).cos();
        }
    }
    let (width, height) = (picture.width(), picture.height());
    let mut pixels = picture.pixels().to_vec();
    for top in (0..height).step_by(8) {
        for left in (0..width).step_by(8) {
            let tone = |x: usize, y: usize| {
                f32::from(picture.at((left + x).min(width - 1), (top + y).min(height - 1))) - 128.0
            };
            let half: [[f32; 8]; 8] =
                from_fn(|y| from_fn(|u| (0..8).map(|x| cosines[u][x] * tone(x, y)).sum()));
            let rounded: [[f32; 8]; 8] = from_fn(|v| {
                from_fn(|u| {
                    let sum: f32 = (0..8).map(|y| cosines[v][y] * half[y][u]).sum();
                    (sum / table[8 * v + u]).round() * table[8 * v + u]
                })
            });
            let back: [[f32; 8]; 8] =
                from_fn(|y| from_fn(|u| (0..8).map(|v| cosines[v][y] * rounded[v][u]).sum()));
            for (y, row) in back.iter().enumerate().take(height - top) {
                for x in 0..8.min(width - left) {
                    let sum: f32 = (0..8).map(|u| cosines[u][x] * row[u]).sum();
                    pixels[(top + y) * width + left + x] = (sum + 128.0).round().clamp(0.0, 255.0) as u8;
                }
            }
        }
    }
    Picture::from_pixels(width, pixels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn low_quality_takes_more_away() {
        let tone = |at: usize| ((at % 37) * (at / 41) % 251) as u8;
        let picture = Picture::from_pixels(41, (0..41 * 29).map(tone).collect());
        let apart = |quality: u32| {
            let back = compressed(&picture, quality);
            let both = back.pixels().iter().zip(picture.pixels());
            both.map(|(a, b)| u64::from(a.abs_diff(*b))).sum::<u64>() / (41 * 29)
        };
        assert!(apart(100) <= 1 && apart(90) < apart(30) && apart(30) < apart(5));
        // One tone stays one, up to a step of its quantisation.
        let flat = compressed(&Picture::new(9, 9, 77), 50);
        assert!(flat.pixels().iter().all(|tone| *tone == flat.at(0, 0) && tone.abs_diff(77) <= 1));
    }
}
