//! Things that nobody labels: houses, trees, bushes, poles, bins, and shadows on the ground. They stand off the
//! road, never on an object, and no house stands between an object and the camera.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::CAMERA_HEIGHT;
use super::film::Shadow;
use super::look::{Look, between, mix};
use super::solid::{Paint, Solid};
use crate::driving::Label;

/// The clutter of a frame.
pub(super) fn draw(
    look: &Look,
    objects: &[&Label],
    slope: f64,
    random: &mut ChaCha8Rng,
) -> (Vec<Solid>, Vec<Shadow>) {
    let mut garden = Garden { look, objects, slope: slope as f32, solids: Vec::new(), shadows: Vec::new() };
    let count = |random: &mut ChaCha8Rng, most: f32| between(random, 0.3, 1.0) * most;
    for _ in 0..count(random, 14.0 * look.built) as usize {
        garden.house(random);
    }
    for _ in 0..count(random, 4.0 + 10.0 * look.green) as usize {
        garden.tree(random);
    }
    for _ in 0..count(random, 2.0 + 10.0 * look.green) as usize {
        garden.bush(random);
    }
    for _ in 0..count(random, 7.0) as usize {
        garden.pole(random);
    }
    for _ in 0..count(random, 4.0) as usize {
        garden.bin(random);
    }
    for _ in 0..count(random, 5.0) as usize {
        garden.patch(random);
    }
    (garden.solids, garden.shadows)
}

struct Garden<'a> {
    look: &'a Look,
    objects: &'a [&'a Label],
    slope: f32,
    solids: Vec<Solid>,
    shadows: Vec<Shadow>,
}

impl Garden<'_> {
    /// A point so far from the edge of the road, on either side.
    fn spot(&self, random: &mut ChaCha8Rng, off: [f32; 2], z: [f32; 2]) -> [f32; 2] {
        let z = between(random, z[0], z[1]);
        let [middle, half, bend] = self.look.road;
        let side = if random.random::<bool>() { 1.0 } else { -1.0 };
        let off = half + between(random, off[0], off[1]);
        [middle + bend * z * z + side * off, z]
    }

    /// Puts a thing on the ground, unless it stands on an object or nearer to one than half a metre.
    fn put(
        &mut self,
        [x, z]: [f32; 2],
        half: [f32; 2],
        up: [f32; 2],
        colour: [f32; 3],
        paint: Paint,
    ) -> bool {
        let reach = half[0].max(half[1]) + 0.5;
        let is_near = |label: &&Label| {
            let size = (label.length.max(label.width) / 2.0) as f32 + reach;
            (label.location[0] as f32 - x).abs() < size && (label.location[2] as f32 - z).abs() < size
        };
        if self.objects.iter().any(is_near) {
            return false;
        }
        let ground = CAMERA_HEIGHT as f32 + self.slope * z;
        let is_round = paint == Paint::Leaves;
        let reach = up.map(|height| ground - height);
        self.solids.push(Solid { centre: [x, z], along: [0.0, 1.0], half, reach, is_round, colour, paint });
        true
    }

    /// Whether a rectangle lies between the camera and an object.
    fn hides(&self, [x, z]: [f32; 2], half: [f32; 2]) -> bool {
        self.objects.iter().any(|label| {
            let to = [label.location[0] as f32, label.location[2] as f32];
            (1..40).any(|step| {
                let share = step as f32 / 40.0;
                (to[0] * share - x).abs() < half[1] + 1.5 && (to[1] * share - z).abs() < half[0] + 1.5
            })
        })
    }

    fn house(&mut self, random: &mut ChaCha8Rng) {
        let half = [between(random, 4.0, 12.0), between(random, 4.0, 7.0)];
        let [x, z] = self.spot(
            random,
            [self.look.pavement + half[1], self.look.pavement + half[1] + 9.0],
            [12.0, 110.0],
        );
        let tone = between(random, 0.4, 0.8);
        let warm = between(random, 0.0, 1.0);
        let colour = mix([tone, tone * 0.95, tone * 0.88], [tone, tone * 0.7, tone * 0.55], warm);
        let high = between(random, 5.0, 14.0);
        if !self.hides([x, z], half) {
            self.put([x, z], half, [-1.0, high], colour, Paint::Windows);
        }
    }

    fn tree(&mut self, random: &mut ChaCha8Rng) {
        let [x, z] = self.spot(random, [1.0, 25.0], [8.0, 95.0]);
        let (trunk, high) = (between(random, 1.8, 3.5), between(random, 4.5, 10.0));
        if self.put([x, z], [0.18, 0.18], [-0.5, trunk + 0.5], [0.25, 0.2, 0.15], Paint::Plain) {
            let wide = between(random, 1.2, 3.0);
            let colour = mix([0.16, 0.28, 0.1], [0.3, 0.35, 0.14], random.random());
            self.put([x, z], [wide, wide], [trunk, high], colour, Paint::Leaves);
            let away = 2.0 * self.look.direct;
            let centre = [x - self.look.sun[0] * away, z - self.look.sun[2] * away];
            self.shadows.push(Shadow { centre, along: [0.0, 1.0], half: [wide, wide], depth: 0.45 });
        }
    }

    fn bush(&mut self, random: &mut ChaCha8Rng) {
        let at = self.spot(random, [0.6, 14.0], [6.0, 80.0]);
        let half = [between(random, 0.5, 2.5), between(random, 0.4, 1.0)];
        let high = between(random, 0.6, 1.7);
        let colour = mix([0.14, 0.26, 0.09], [0.28, 0.33, 0.13], random.random());
        self.put(at, half, [-0.4, high], colour, Paint::Leaves);
    }

    fn pole(&mut self, random: &mut ChaCha8Rng) {
        let at = self.spot(random, [0.4, 2.0], [7.0, 70.0]);
        let tone = between(random, 0.25, 0.55);
        let high = between(random, 2.2, 7.0);
        if self.put(at, [0.06, 0.06], [-0.3, high], [tone; 3], Paint::Plain) && random.random_bool(0.4) {
            let colour = mix([0.8, 0.15, 0.12], [0.15, 0.3, 0.7], random.random());
            self.put(at, [0.04, 0.35], [high - 0.7, high], colour, Paint::Plain);
        }
    }

    fn bin(&mut self, random: &mut ChaCha8Rng) {
        let at = self.spot(random, [0.5, 4.0], [7.0, 50.0]);
        let colour = mix([0.2, 0.3, 0.22], [0.4, 0.38, 0.36], random.random());
        self.put(at, [0.35, 0.3], [-0.2, between(random, 0.8, 1.2)], colour, Paint::Plain);
    }

    /// A shadow or a stain of nothing in particular.
    fn patch(&mut self, random: &mut ChaCha8Rng) {
        let z = between(random, 4.0, 70.0);
        let centre = [between(random, -0.5, 0.5) * z, z];
        let angle = between(random, 0.0, std::f32::consts::PI);
        let half = [between(random, 0.5, 4.0), between(random, 0.3, 1.5)];
        let depth = between(random, 0.1, 0.5);
        self.shadows.push(Shadow { centre, along: [angle.cos(), angle.sin()], half, depth });
    }
}
