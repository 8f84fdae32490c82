//! Thin dark lines: where a picture is darker than to both sides, and in which direction.
//!
//! Of the smoothed tone `I` the Hessian `(Ixx, Ixy, Iyy)` has its larger eigenvalue across a dark line:
//! `k = (Ixx + Iyy) / 2 + sqrt((Ixx - Iyy)^2 / 4 + Ixy^2)`, in the direction `0.5 atan2(2 Ixy, Ixx - Iyy)`. A pixel is on
//! a ridge if `k` is at least as large as at its neighbours in that direction.

use crate::picture::Picture;

/// A pixel of a ridge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ridge {
    pub x: u16,
    pub y: u16,
    /// The direction across, from 0 to pi.
    pub across: f32,
    /// How much it stands out.
    pub strength: f32,
}

/// The share of a picture's pixels that are taken for ridges at most.
const MOST: f64 = 0.05;

/// Smooths with 1 2 1 in both directions.
fn smooth(tones: &[f32], width: usize) -> Vec<f32> {
    let height = tones.len() / width;
    let mut across = tones.to_vec();
    for row in across.chunks_exact_mut(width) {
        let mut before = row[0];
        for x in 0..width {
            let here = row[x];
            let behind = row[(x + 1).min(width - 1)];
            row[x] = 0.25 * before + 0.5 * here + 0.25 * behind;
            before = here;
        }
    }
    let mut both = across.clone();
    for y in 0..height {
        let (above, below) = (y.saturating_sub(1) * width, (y + 1).min(height - 1) * width);
        for x in 0..width {
            both[y * width + x] =
                0.25 * across[above + x] + 0.5 * across[y * width + x] + 0.25 * across[below + x];
        }
    }
    both
}

/// The ridges of a picture, those that stand out most.
pub(crate) fn ridges(picture: &Picture) -> Vec<Ridge> {
    let (width, height) = (picture.width(), picture.height());
    if width < 16 || height < 16 {
        return Vec::new();
    }
    let mut strength = vec![0.0f32; width * height];
    let mut across = vec![0.0f32; width * height];
    let mut tones: Vec<f32> = picture.pixels().iter().map(|&tone| f32::from(tone)).collect();
    // Fine lines, then broader ones.
    for (step, passes) in [(1, 2), (2, 3)] {
        (0..passes).for_each(|_| tones = smooth(&tones, width));
        let reach = 2 * step;
        for y in reach..height - reach {
            for x in reach..width - reach {
                let at = y * width + x;
                let (up, down) = (at - step * width, at + step * width);
                let xx = tones[at - step] + tones[at + step] - 2.0 * tones[at];
                let yy = tones[up] + tones[down] - 2.0 * tones[at];
                let sum = xx + yy;
                if sum <= strength[at] {
                    continue;
                }
                let xy =
                    0.25 * (tones[down + step] - tones[down - step] - tones[up + step] + tones[up - step]);
                let half = (0.25 * (xx - yy) * (xx - yy) + xy * xy).sqrt();
                // Across minus along: a line, not a spot.
                let line = 2.0 * half + 0.5 * (sum * 0.5 - half).min(0.0);
                if line > strength[at] {
                    strength[at] = line;
                    across[at] = 0.5 * (2.0 * xy).atan2(xx - yy);
                }
            }
        }
    }
    let mut found = Vec::new();
    for y in 2..height - 2 {
        for x in 2..width - 2 {
            let at = y * width + x;
            let here = strength[at];
            if here < 1.0 {
                continue;
            }
            let (dx, dy) = (across[at].cos(), across[at].sin());
            let to = |sign: f32| {
                let (x, y) = (x as f32 + sign * dx, y as f32 + sign * dy);
                strength[y.round() as usize * width + x.round() as usize]
            };
            if here >= to(1.0) && here > to(-1.0) {
                let across = across[at].rem_euclid(std::f32::consts::PI);
                found.push(Ridge { x: x as u16, y: y as u16, across, strength: here });
            }
        }
    }
    let most = (MOST * (width * height) as f64) as usize;
    if found.len() > most && most > 0 {
        found.select_nth_unstable_by(most - 1, |a, b| b.strength.total_cmp(&a.strength));
        found.truncate(most);
    }
    found.sort_unstable_by_key(|one| (one.y, one.x));
    found
}

/// For each pixel how far away the nearest ridge is, in thirds of a pixel (chamfer distance 3-4).
pub(crate) fn distances(ridges: &[Ridge], width: usize, height: usize) -> Vec<u16> {
    let mut far = vec![u16::MAX / 2; width * height];
    ridges.iter().for_each(|one| far[usize::from(one.y) * width + usize::from(one.x)] = 0);
    for y in 0..height {
        for x in 0..width {
            let at = y * width + x;
            let mut least = far[at];
            if x > 0 {
                least = least.min(far[at - 1] + 3);
            }
            if y > 0 {
                least = least.min(far[at - width] + 3);
                if x > 0 {
                    least = least.min(far[at - width - 1] + 4);
                }
                if x + 1 < width {
                    least = least.min(far[at - width + 1] + 4);
                }
            }
            far[at] = least;
        }
    }
    for y in (0..height).rev() {
        for x in (0..width).rev() {
            let at = y * width + x;
            let mut least = far[at];
            if x + 1 < width {
                least = least.min(far[at + 1] + 3);
            }
            if y + 1 < height {
                least = least.min(far[at + width] + 3);
                if x + 1 < width {
                    least = least.min(far[at + width + 1] + 4);
                }
                if x > 0 {
                    least = least.min(far[at + width - 1] + 4);
                }
            }
            far[at] = least;
        }
    }
    far
}
