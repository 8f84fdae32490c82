//! Clouds, blur, and movement.

use rand_chacha::ChaCha8Rng;

use super::normal;

/// Random tones that vary over about so many pixels each, added up, of standard deviation near 1.
pub fn cloud(width: usize, height: usize, sizes: [f64; 3], random: &mut ChaCha8Rng) -> Vec<f64> {
    let mut sum = vec![0.0; width * height];
    for size in sizes {
        let size = size.max(1.0);
        let (columns, rows) = ((width as f64 / size) as usize + 2, (height as f64 / size) as usize + 2);
        let nodes: Vec<f64> = (0..columns * rows).map(|_| normal(random)).collect();
        for (at, tone) in sum.iter_mut().enumerate() {
            let (x, y) = ((at % width) as f64 / size, (at / width) as f64 / size);
            let (left, top) = (x as usize, y as usize);
            let (fx, fy) = (x - left as f64, y - top as f64);
            let node = |x: usize, y: usize| nodes[y * columns + x];
            let upper = node(left, top) * (1.0 - fx) + node(left + 1, top) * fx;
            let lower = node(left, top + 1) * (1.0 - fx) + node(left + 1, top + 1) * fx;
            *tone += 0.8 * (upper * (1.0 - fy) + lower * fy);
        }
    }
    sum
}

/// Blurred by a Gaussian of this standard deviation.
pub(super) fn blurred(tones: &[f64], width: usize, sigma: f64) -> Vec<f64> {
    if sigma <= 0.0 {
        return tones.to_vec();
    }
    let reach = (3.0 * sigma).ceil() as i64;
    let weights: Vec<f64> =
        (-reach..=reach).map(|o| (-(o * o) as f64 / (2.0 * sigma * sigma)).exp()).collect();
    let total: f64 = weights.iter().sum();
    let height = tones.len() / width;
    let pass = |tones: &[f64], stride: usize, count: usize, place: &dyn Fn(usize) -> (usize, usize)| {
        let mean = |at: usize| {
            let (position, start) = place(at);
            let near = (-reach..=reach).zip(&weights).map(|(o, weight)| {
                let other = (position as i64 + o).clamp(0, count as i64 - 1) as usize;
                weight * tones[start + other * stride]
            });
            near.sum::<f64>() / total
        };
        (0..tones.len()).map(mean).collect::<Vec<f64>>()
    };
    let across = pass(tones, 1, width, &|at| (at % width, at / width * width));
    pass(&across, width, height, &|at| (at / width, at % width))
}

/// Moved along a line of this length and direction while it was taken.
pub(super) fn moved(tones: &[f64], width: usize, length: f64, direction: f64) -> Vec<f64> {
    if length <= 0.0 {
        return tones.to_vec();
    }
    let height = tones.len() / width;
    let steps = (2.0 * length).ceil() as i64;
    let offsets: Vec<(i64, i64)> = (0..=steps)
        .map(|step| {
            let along = length * (step as f64 / steps as f64 - 0.5);
            ((along * direction.cos()).round() as i64, (along * direction.sin()).round() as i64)
        })
        .collect();
    let mean = |at: usize| {
        let (x, y) = ((at % width) as i64, (at / width) as i64);
        let near = offsets.iter().map(|(dx, dy)| {
            let (x, y) = ((x + dx).clamp(0, width as i64 - 1), (y + dy).clamp(0, height as i64 - 1));
            tones[y as usize * width + x as usize]
        });
        near.sum::<f64>() / offsets.len() as f64
    };
    (0..tones.len()).map(mean).collect()
}
