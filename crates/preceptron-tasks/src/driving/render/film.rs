//! The picture while it is drawn: colours and distances at twice the size, nearest surface first.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::look::{Colour, Look, mix, spots};
use super::solid::Solid;
use crate::driving::{CameraCalibration, Rgb};

/// Samples of a pixel's side.
const SAMPLES: usize = 2;

/// A dark spot on the ground, a box with soft corners.
pub(super) struct Shadow {
    pub centre: [f32; 2],
    pub along: [f32; 2],
    pub half: [f32; 2],
    pub depth: f32,
}

/// A sample of the picture.
#[derive(Clone, Copy)]
struct Sample {
    /// How far the surface is, in lengths of the ray; infinite for the sky.
    distance: f32,
    is_ground: bool,
    colour: Colour,
}

/// The picture.
pub(super) struct Film {
    width: usize,
    height: usize,
    camera: CameraCalibration,
    eye: [f32; 3],
    rays: Vec<[f32; 3]>,
    samples: Vec<Sample>,
    /// The ground is where y = level + slope z.
    level: f32,
    slope: f32,
}

impl Film {
    pub fn new(size: [usize; 2], camera: &CameraCalibration, level: f64, slope: f64) -> Film {
        let [width, height] = size.map(|side| side * SAMPLES);
        let camera = camera.scaled(SAMPLES as f64, SAMPLES as f64);
        let (eye, ray) = camera.rays();
        let pixels = (0..height).flat_map(|v| (0..width).map(move |u| (u, v)));
        let rays = pixels.map(|(u, v)| ray(u as f64, v as f64).map(|part| part as f32)).collect();
        let blank = Sample { distance: f32::INFINITY, is_ground: false, colour: [0.0; 3] };
        let samples = vec![blank; width * height];
        let eye = eye.map(|part| part as f32);
        Film { width, height, camera, eye, rays, samples, level: level as f32, slope: slope as f32 }
    }

    /// Draws ground, sky, and what stands at the horizon.
    pub fn background(&mut self, look: &Look, random: &mut ChaCha8Rng) {
        let texture = look.texture;
        let shift: f32 = 100.0 * random.random::<f32>();
        let above = self.level - self.eye[1] + self.slope * self.eye[2];
        for (sample, ray) in self.samples.iter_mut().zip(&self.rays) {
            let down = ray[1] - self.slope * ray[2];
            let distance = above / down;
            if down > 1e-4 && distance < 400.0 {
                let (x, z) = (self.eye[0] + distance * ray[0], self.eye[2] + distance * ray[2]);
                // A frame's ground moves along the road.
                let colour = look.ground_at(x, z, texture);
                let colour = mix(colour, look.ground_at(x, z + shift, texture), 0.5);
                *sample = Sample { distance, is_ground: true, colour };
                continue;
            }
            let (side, up) = (ray[0] / ray[2].max(1e-3), -down / ray[2].max(1e-3));
            let hills = 0.01
                + 0.05 * spots(side * 6.0 + shift * 0.05, 0.5, texture)
                + 0.02 * spots(side * 40.0, 0.5, texture);
            *sample = if up < hills * (0.4 + 0.6 * look.green) {
                let tone = mix([0.35, 0.36, 0.38], [0.2, 0.28, 0.16], look.green);
                Sample {
                    distance: 150.0,
                    is_ground: false,
                    colour: tone.map(|part| part * (look.ambient + 0.3)),
                }
            } else {
                let clouds = 0.12 * spots(side * 3.0 + shift, up * 12.0, texture);
                let sky = mix(look.sky[1], look.sky[0], (up * 3.0).clamp(0.0, 1.0));
                Sample { distance: f32::INFINITY, is_ground: false, colour: mix(sky, [1.0; 3], clouds) }
            };
        }
    }

    /// The samples that may show what has these corners: all, if some of them are not ahead.
    fn window(&self, corners: &[[f64; 3]]) -> [std::ops::Range<usize>; 2] {
        let (mut low, mut high) = ([f64::MAX; 2], [f64::MIN; 2]);
        for corner in corners {
            let Some(pixel) = self.camera.project(*corner) else {
                let is_behind = corners.iter().all(|corner| self.camera.project(*corner).is_none());
                return if is_behind { [0..0, 0..0] } else { [0..self.width, 0..self.height] };
            };
            for k in 0..2 {
                (low[k], high[k]) = (low[k].min(pixel[k]), high[k].max(pixel[k]));
            }
        }
        let range = |k: usize, size: usize| {
            let clamp = |value: f64| value.clamp(0.0, size as f64) as usize;
            clamp(low[k].floor())..clamp(high[k].ceil() + 1.0)
        };
        [range(0, self.width), range(1, self.height)]
    }

    /// Darkens the ground.
    pub fn shade(&mut self, shadow: &Shadow) {
        let [a, b] = shadow.half;
        let corner = |along: f32, across: f32| {
            let x = shadow.centre[0] + shadow.along[0] * a * along - shadow.along[1] * b * across;
            let z = shadow.centre[1] + shadow.along[1] * a * along + shadow.along[0] * b * across;
            [x.into(), (self.level + self.slope * z).into(), z.into()]
        };
        let [columns, rows] =
            self.window(&[corner(1.0, 1.0), corner(1.0, -1.0), corner(-1.0, -1.0), corner(-1.0, 1.0)]);
        for row in rows {
            for at in row * self.width + columns.start..row * self.width + columns.end {
                let (sample, ray) = (&mut self.samples[at], &self.rays[at]);
                if sample.is_ground {
                    let x = self.eye[0] + sample.distance * ray[0] - shadow.centre[0];
                    let z = self.eye[2] + sample.distance * ray[2] - shadow.centre[1];
                    let along = (x * shadow.along[0] + z * shadow.along[1]) / a;
                    let across = (z * shadow.along[0] - x * shadow.along[1]) / b;
                    // One in the middle, nought at the edge.
                    let inside = 1.0 - along.powi(4) - across.powi(4);
                    let share = shadow.depth * (3.0 * inside).clamp(0.0, 1.0);
                    sample.colour = sample.colour.map(|part| part * (1.0 - share));
                }
            }
        }
    }

    /// Draws a solid where nothing is nearer.
    pub fn solid(&mut self, solid: &Solid, look: &Look) {
        let [columns, rows] = self.window(&solid.corners());
        for row in rows {
            for at in row * self.width + columns.start..row * self.width + columns.end {
                let sample = &mut self.samples[at];
                if let Some(hit) = solid.meet(self.eye, self.rays[at])
                    && hit.distance < sample.distance
                {
                    let light = look.light(hit.normal);
                    let colour = hit.colour.map(|part| part * light);
                    *sample = Sample { distance: hit.distance, is_ground: false, colour };
                }
            }
        }
    }

    /// Haze, exposure and noise; then bytes.
    pub fn develop(self, look: &Look, random: &mut ChaCha8Rng) -> Rgb {
        let seen = |sample: &Sample| match sample.distance.is_finite() {
            true => mix(look.sky[1], sample.colour, (-look.haze * sample.distance).exp()),
            false => sample.colour,
        };
        let (across, down) = (self.width / SAMPLES, self.height / SAMPLES);
        let exposure = look.exposure * (0.92 + 0.16 * random.random::<f32>());
        let cast = [look.cast[0], 1.0, look.cast[1]];
        let mut pixels = Vec::with_capacity(3 * across * down);
        for row in 0..down {
            for column in 0..across {
                let mut sum = [0.0; 3];
                for at in 0..SAMPLES * SAMPLES {
                    let (dx, dy) = (at % SAMPLES, at / SAMPLES);
                    let sample = &self.samples[(row * SAMPLES + dy) * self.width + column * SAMPLES + dx];
                    let colour = seen(sample);
                    (0..3).for_each(|k| sum[k] += colour[k]);
                }
                for k in 0..3 {
                    // Noise from the four bytes of one draw: a sum of four numbers is nearly normal.
                    let luck: u32 = random.random();
                    let normal: f32 =
                        luck.to_le_bytes().iter().map(|byte| f32::from(*byte) / 255.0 - 0.5).sum();
                    let light =
                        sum[k] / (SAMPLES * SAMPLES) as f32 * exposure * cast[k] + 1.7 * look.noise * normal;
                    pixels.push((light.clamp(0.0, 1.0) * 255.0).round() as u8);
                }
            }
        }
        Rgb::from_pixels(across, pixels)
    }
}
