//! Feature maps read at given points of the image, between their pixels by bilinear interpolation.
//!
//! Place o of a feature map sees a patch of the image whose centre is `scale * o + offset`; both come from
//! the layers before it. So the point x of the image is the place `o = (x - offset) / scale`, held within the
//! map, and with i its whole part and f the rest:
//! ```text
//! sample = (1 - fy) ((1 - fx) map[iy, ix] + fx map[iy, ix+1]) + fy ((1 - fx) map[iy+1, ix] + fx map[iy+1, ix+1])
//! ```
//! A point that is not seen gives 0. Backward, the derivative by a sample goes to the four values by the same
//! shares; points are not learned.

use crate::Shape;
use crate::network::Network;

/// Where the places of a layer's output lie in the image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Geometry {
    pub shape: Shape,
    /// Down and to the right.
    pub scale: [f32; 2],
    pub offset: [f32; 2],
}

impl Geometry {
    /// That of the output of a layer.
    pub fn of(network: &Network, layer: usize) -> Geometry {
        let (mut scale, mut offset) = ([1.0f32; 2], [0.0f32; 2]);
        for stage in &network.stages[..=layer] {
            let (window, pool) = (stage.convolution.window, stage.activation.pool as f32);
            for axis in 0..2 {
                let middle = (window.kernel[axis] as f32 - 1.0) / 2.0 - window.padding as f32;
                offset[axis] += scale[axis] * middle;
                scale[axis] *= window.stride as f32;
                offset[axis] += scale[axis] * (pool - 1.0) / 2.0;
                scale[axis] *= pool;
            }
        }
        Geometry { shape: network.input_of(layer + 1), scale, offset }
    }

    /// The place of a point on one axis: the first of two neighbours, and how far on to the second.
    fn place(&self, axis: usize, at: f32) -> (usize, f32) {
        let side = [self.shape.height, self.shape.width][axis];
        let place = ((at - self.offset[axis]) / self.scale[axis]).clamp(0.0, (side - 1) as f32);
        let first = (place as usize).min(side.saturating_sub(2));
        (first, place - first as f32)
    }
}

/// Whether a point lies within the image.
pub(crate) fn is_seen([x, y]: [f32; 2], image: Shape) -> bool {
    let within = |at: f32, side: usize| at >= -0.5 && at <= side as f32 - 0.5;
    within(x, image.width) && within(y, image.height)
}

/// Which values of a channel each sample is made of: point, cell, image.
#[derive(Default)]
pub(crate) struct Taps {
    /// The first of the four values, and the share of each.
    taps: Vec<(u32, [f32; 4])>,
    /// From the first to those to its right, below it, and both.
    steps: [usize; 3],
    /// Values in a channel.
    channel: usize,
}

impl Taps {
    /// Reads the same points from a map; `points` holds, for each image, those of each cell.
    pub fn fill(&mut self, geometry: &Geometry, image: Shape, points: &[&[[f32; 2]]], of_cell: usize) {
        let (images, Shape { height, width, .. }) = (points.len(), geometry.shape);
        let right = if width > 1 { images } else { 0 };
        let down = if height > 1 { width * images } else { 0 };
        self.steps = [right, down, right + down];
        self.channel = height * width * images;
        self.taps.clear();
        let cells = points.first().map_or(0, |points| points.len() / of_cell);
        for point in 0..of_cell {
            for cell in 0..cells {
                for (number, points) in points.iter().enumerate() {
                    let [x, y] = points[cell * of_cell + point];
                    if !is_seen([x, y], image) {
                        self.taps.push((number as u32, [0.0; 4]));
                        continue;
                    }
                    let ((row, fy), (column, fx)) = (geometry.place(0, y), geometry.place(1, x));
                    let first = (row * width + column) * images + number;
                    let (gy, gx) = (1.0 - fy, 1.0 - fx);
                    self.taps.push((first as u32, [gy * gx, gy * fx, fy * gx, fy * fx]));
                }
            }
        }
    }

    /// Fills the samples (channel, point, cell, image) of a map (channel, row, column, image).
    pub fn gather(&self, map: &[f32], samples: &mut [f32]) {
        let [right, down, across] = self.steps;
        let channels = map.chunks_exact(self.channel).zip(samples.chunks_exact_mut(self.taps.len()));
        for (map, samples) in channels {
            for (sample, &(first, [a, b, c, d])) in samples.iter_mut().zip(&self.taps) {
                let at = first as usize;
                *sample = a * map[at] + b * map[at + right] + c * map[at + down] + d * map[at + across];
            }
        }
    }

    /// The transpose of [`Taps::gather`]: adds to the derivatives by the map.
    pub fn scatter(&self, samples: &[f32], map: &mut [f32]) {
        let [right, down, across] = self.steps;
        let channels = map.chunks_exact_mut(self.channel).zip(samples.chunks_exact(self.taps.len()));
        for (map, samples) in channels {
            for (sample, &(first, [a, b, c, d])) in samples.iter().zip(&self.taps) {
                let at = first as usize;
                map[at] += a * sample;
                map[at + right] += b * sample;
                map[at + down] += c * sample;
                map[at + across] += d * sample;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Layer;

    #[test]
    fn places_are_the_centres_of_what_is_seen() {
        let layers = [
            Layer::convolution(1, 5).stride(2).padding(2),
            Layer::convolution(1, 3).pool(2),
            Layer::convolution(1, 2),
        ];
        let network = Network::features(Shape::new(1, 48, 208), &layers).unwrap();
        let of = |layer| {
            let Geometry { scale, offset, .. } = Geometry::of(&network, layer);
            (scale[1], offset[1])
        };
        // 0 -> 0; a kernel of 3 without padding begins at 1, two of them are pooled: 1.5 places of 2 pixels;
        // a kernel of 2 ends half a place of 4 pixels further on.
        assert_eq!([of(0), of(1), of(2)], [(2.0, 0.0), (4.0, 3.0), (4.0, 5.0)]);
    }

    #[test]
    fn between_pixels_and_beyond_the_edge() {
        let geometry = Geometry { shape: Shape::new(1, 2, 3), scale: [2.0; 2], offset: [0.5; 2] };
        let (image, map) = (Shape::new(1, 4, 6), [0.0, 1.0, 2.0, 10.0, 11.0, 12.0]);
        let read = |x: f32, y: f32| {
            let mut taps = Taps::default();
            taps.fill(&geometry, image, &[&[[x, y]]], 1);
            let mut sample = [f32::NAN];
            taps.gather(&map, &mut sample);
            sample[0]
        };
        assert_eq!(read(0.5, 0.5), 0.0);
        assert_eq!(read(3.5, 1.0), 4.0);
        assert_eq!(read(5.5, 3.5), 12.0);
        assert_eq!(read(-0.5, -0.5), 0.0);
        assert_eq!(
            [read(5.6, 1.0), read(1.0, -0.6), read(f32::NAN, 1.0), read(1.0, f32::INFINITY)],
            [0.0; 4]
        );
    }
}
