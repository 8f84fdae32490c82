//! What the frames of a drive have in common: light, haze, road and colours.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A colour, each part from 0 to 1.
pub(super) type Colour = [f32; 3];

/// How a drive looks.
#[derive(Clone, Debug)]
pub(super) struct Look {
    /// From where the sun shines: x, y (up is negative), z.
    pub sun: [f32; 3],
    /// How bright what the sun does not reach is.
    pub ambient: f32,
    /// How bright what it reaches is beyond that.
    pub direct: f32,
    /// The colour of the sky above, and at the horizon.
    pub sky: [Colour; 2],
    /// How much a metre of air hides.
    pub haze: f32,
    /// The colours of road, pavement and verge.
    pub ground: [Colour; 3],
    /// Where the middle of the road is, how wide half of it is, and how it bends.
    pub road: [f32; 3],
    /// How wide the pavement is.
    pub pavement: f32,
    /// How many houses, trees and other things there are, 0 to 1.
    pub built: f32,
    /// How green it is, 0 to 1.
    pub green: f32,
    /// The strength of the sensor's noise.
    pub noise: f32,
    /// How bright the picture is.
    pub exposure: f32,
    /// The same for red and blue against green.
    pub cast: [f32; 2],
    /// A number for textures.
    pub texture: u32,
}

impl Look {
    /// The look of a drive.
    pub fn draw(seed: u64, drive: &str) -> Look {
        let mut random = preceptron_base::stream(seed, &format!("look {drive}"), 0);
        let random = &mut random;
        let angle: f32 = between(random, 0.0, std::f32::consts::TAU);
        let up = between(random, 0.4, 0.9);
        let level = (1.0 - up * up).sqrt();
        let overcast = between(random, 0.0, 1.0);
        let top = mix([0.35, 0.55, 0.9], [0.72, 0.75, 0.8], overcast);
        let gray = |random: &mut ChaCha8Rng, from, to| {
            let tone = between(random, from, to);
            [tone * between(random, 0.95, 1.05), tone, tone * between(random, 0.95, 1.08)]
        };
        let green = between(random, 0.0, 1.0);
        let verge = mix([0.45, 0.42, 0.37], [0.25, 0.38, 0.15], green);
        Look {
            sun: [level * angle.cos(), -up, level * angle.sin()],
            ambient: 0.35 + 0.35 * overcast,
            direct: 0.65 - 0.5 * overcast,
            sky: [top, mix([0.82, 0.87, 0.93], [0.8, 0.81, 0.83], overcast)],
            haze: between(random, 0.002, 0.014),
            ground: [gray(random, 0.26, 0.42), gray(random, 0.42, 0.58), verge],
            road: [between(random, -2.5, 0.5), between(random, 3.2, 6.0), between(random, -0.002, 0.002)],
            pavement: between(random, 1.0, 3.0),
            built: between(random, 0.0, 1.0),
            green,
            noise: between(random, 0.008, 0.028),
            exposure: between(random, 0.75, 1.15),
            cast: [between(random, 0.94, 1.06), between(random, 0.94, 1.08)],
            texture: random.random(),
        }
    }

    /// How light a face with this normal is.
    pub fn light(&self, normal: [f32; 3]) -> f32 {
        let facing: f32 = normal.iter().zip(self.sun).map(|(n, s)| n * s).sum();
        self.ambient + self.direct * facing.max(0.0)
    }

    /// How far from the middle of the road a point lies, to the right.
    pub fn off_road(&self, x: f32, z: f32) -> f32 {
        let [middle, _, bend] = self.road;
        x - middle - bend * z * z
    }

    /// The colour of the ground, without shadows.
    pub fn ground_at(&self, x: f32, z: f32, random: u32) -> Colour {
        let [_, half, _] = self.road;
        let off = self.off_road(x, z);
        let side = off.abs();
        let fine = spots(x * 3.0, z * 1.5, random) - 0.5;
        let coarse = spots(x * 0.3, z * 0.2, random ^ 0x9e37) - 0.5;
        let is_dash = (z * 0.125).rem_euclid(1.0) < 0.45;
        let (colour, rough) = if side < 0.08 && is_dash || (side - half + 0.25).abs() < 0.07 {
            ([0.85, 0.85, 0.82], 0.1)
        } else if side < half {
            (self.ground[0], 0.12)
        } else if side < half + 0.15 {
            ([0.62, 0.62, 0.6], 0.1)
        } else if side < half + self.pavement {
            (self.ground[1], 0.15)
        } else {
            (self.ground[2], 0.5)
        };
        let scale = (1.0 + rough * (fine + coarse)) * (self.ambient + self.direct * -self.sun[1]);
        colour.map(|part| part * scale)
    }
}

/// A number from an interval.
pub(super) fn between(random: &mut ChaCha8Rng, from: f32, to: f32) -> f32 {
    from + (to - from) * random.random::<f32>()
}

/// So much of the second colour.
pub(super) fn mix(one: Colour, other: Colour, share: f32) -> Colour {
    std::array::from_fn(|part| one[part] + share * (other[part] - one[part]))
}

/// Smooth random spots, 0 to 1, about as large as 1.
pub(super) fn spots(x: f32, y: f32, texture: u32) -> f32 {
    let (left, low) = (x.floor(), y.floor());
    let corner = |dx: f32, dy: f32| {
        let (i, j) = ((left + dx) as i32 as u32, (low + dy) as i32 as u32);
        let mixed =
            (i.wrapping_mul(0x85eb_ca6b) ^ j.wrapping_mul(0xc2b2_ae35) ^ texture).wrapping_mul(0x27d4_eb2f);
        let mixed = (mixed ^ (mixed >> 15)).wrapping_mul(0x2c1b_3c6d);
        ((mixed ^ (mixed >> 13)) >> 8) as f32 / (1u32 << 24) as f32
    };
    let (s, t) = (x - left, y - low);
    let (s, t) = (s * s * (3.0 - 2.0 * s), t * t * (3.0 - 2.0 * t));
    let row = |dy: f32| corner(0.0, dy) * (1.0 - s) + corner(1.0, dy) * s;
    row(0.0) * (1.0 - t) + row(1.0) * t
}
