//! Things to draw: boxes and ellipsoids that stand upright, and where a ray meets them.

use super::look::{Colour, mix, spots};

/// What is on the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Paint {
    /// One colour.
    Plain,
    /// The body of a vehicle: wheels at the sides, lights at the ends.
    Body,
    /// Windows with posts between.
    Glass,
    /// Rows of windows in a wall.
    Windows,
    /// Leaves.
    Leaves,
}

/// A box or an ellipsoid in it, turned about the upright axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solid {
    /// Its middle on the ground: x, z.
    pub centre: [f32; 2],
    /// Where its length points: a unit vector x, z.
    pub along: [f32; 2],
    /// Half its length and half its width.
    pub half: [f32; 2],
    /// The y of its bottom, and of its top, which is less.
    pub reach: [f32; 2],
    /// Whether it is an ellipsoid.
    pub is_round: bool,
    /// Its colour.
    pub colour: Colour,
    /// What is on it.
    pub paint: Paint,
}

/// Where a ray meets a solid.
pub(super) struct Hit {
    /// How many lengths of the ray away.
    pub distance: f32,
    /// Which way the surface faces: x, y, z.
    pub normal: [f32; 3],
    /// The colour there, before light.
    pub colour: Colour,
}

impl Solid {
    /// The corners of its box.
    pub fn corners(&self) -> [[f64; 3]; 8] {
        std::array::from_fn(|corner| {
            let sign = |bit: usize| if corner >> bit & 1 == 1 { 1.0 } else { -1.0 };
            let (a, b) = (sign(0) * self.half[0], sign(1) * self.half[1]);
            let x = self.centre[0] + self.along[0] * a - self.along[1] * b;
            let z = self.centre[1] + self.along[1] * a + self.along[0] * b;
            [x.into(), self.reach[corner >> 2].into(), z.into()]
        })
    }

    /// Where a ray first meets it from outside.
    pub fn meet(&self, eye: [f32; 3], ray: [f32; 3]) -> Option<Hit> {
        // The box becomes the cube from -1 to 1: along, up, across.
        let local = |x: f32, y: f32, z: f32| {
            let tall = (self.reach[0] - self.reach[1]) / 2.0;
            let along = (x * self.along[0] + z * self.along[1]) / self.half[0];
            let across = (z * self.along[0] - x * self.along[1]) / self.half[1];
            [along, -y / tall, across]
        };
        let middle = (self.reach[0] + self.reach[1]) / 2.0;
        let from = local(eye[0] - self.centre[0], eye[1] - middle, eye[2] - self.centre[1]);
        let way = local(ray[0], ray[1], ray[2]);
        let (distance, normal) = if self.is_round { sphere(from, way) } else { cube(from, way) }?;
        let at: [f32; 3] = std::array::from_fn(|k| from[k] + distance * way[k]);
        // Back to the world; lengths do not matter much for an ellipsoid's normal, but directions do.
        let scaled = [
            normal[0] / self.half[0],
            2.0 * normal[1] / (self.reach[0] - self.reach[1]),
            normal[2] / self.half[1],
        ];
        let length = scaled.iter().map(|part| part * part).sum::<f32>().sqrt().max(1e-9);
        let [a, u, c] = scaled.map(|part| part / length);
        let normal = [a * self.along[0] - c * self.along[1], -u, a * self.along[1] + c * self.along[0]];
        Some(Hit { distance, normal, colour: self.surface(at) })
    }

    /// The colour at a point of the cube.
    fn surface(&self, [along, up, across]: [f32; 3]) -> Colour {
        let is_end = along.abs() > 0.999;
        let is_side = across.abs() > 0.999;
        match self.paint {
            Paint::Plain => self.colour,
            Paint::Body
                if is_side
                    && up < 0.1
                    && ((along.abs() - 0.62) / 0.2).powi(2) + ((up + 0.6) / 0.65).powi(2) < 1.0 =>
            {
                [0.05; 3]
            }
            Paint::Body if is_end && across.abs() > 0.62 && (0.1..0.65).contains(&up) => {
                if along > 0.0 {
                    [0.95, 0.95, 0.85]
                } else {
                    [0.75, 0.06, 0.05]
                }
            }
            Paint::Body if is_end && across.abs() < 0.35 && (-0.35..0.0).contains(&up) => [0.85, 0.85, 0.8],
            Paint::Body if up < -0.7 => mix(self.colour, [0.05; 3], 0.7),
            Paint::Body => self.colour,
            Paint::Glass
                if (is_side && (along.abs() < 0.06 || along.abs() > 0.92)) || (0.75..0.999).contains(&up) =>
            {
                self.colour
            }
            Paint::Glass if up > 0.999 => self.colour,
            Paint::Glass => mix(self.colour, [0.1, 0.13, 0.16], 0.85),
            Paint::Windows => {
                let high = (up + 1.0) / 2.0 * (self.reach[0] - self.reach[1]);
                let wide = if is_end { across * self.half[1] } else { along * self.half[0] };
                let is_window = (high / 3.0).fract() > 0.35
                    && (high / 3.0).fract() < 0.8
                    && (wide / 2.5).rem_euclid(1.0) > 0.45;
                if is_window && up < 0.95 { mix(self.colour, [0.16, 0.19, 0.24], 0.8) } else { self.colour }
            }
            Paint::Leaves => {
                let shade = 0.6 + 0.8 * spots(along * 5.0, up * 5.0 + across * 5.0, 7);
                self.colour.map(|part| part * shade)
            }
        }
    }
}

/// Where a ray enters the cube from -1 to 1.
fn cube(from: [f32; 3], way: [f32; 3]) -> Option<(f32, [f32; 3])> {
    let (mut enter, mut leave, mut axis) = (f32::MIN, f32::MAX, 0);
    for k in 0..3 {
        if way[k].abs() < 1e-9 {
            if from[k].abs() > 1.0 {
                return None;
            }
            continue;
        }
        let (one, other) = ((-1.0 - from[k]) / way[k], (1.0 - from[k]) / way[k]);
        if one.min(other) > enter {
            (enter, axis) = (one.min(other), k);
        }
        leave = leave.min(one.max(other));
    }
    let mut normal = [0.0; 3];
    normal[axis] = -way[axis].signum();
    (enter > 0.05 && enter < leave).then_some((enter, normal))
}

/// Where a ray enters the ball of radius 1.
fn sphere(from: [f32; 3], way: [f32; 3]) -> Option<(f32, [f32; 3])> {
    let dot = |p: [f32; 3], q: [f32; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let (a, b, c) = (dot(way, way), dot(from, way), dot(from, from) - 1.0);
    let root = b * b - a * c;
    if root <= 0.0 || a <= 0.0 {
        return None;
    }
    let enter = (-b - root.sqrt()) / a;
    (enter > 0.05).then(|| (enter, std::array::from_fn(|k| from[k] + enter * way[k])))
}
