//! Scenes as cells: what is seen of a picture where each cell of a map lies, and what is known of the cell beside,
//! such as whether a path begins or ends there. The answer of a cell is whether the path goes through it.
//!
//! | form | input of a cell | rival on it |
//! |---|---|---|
//! | [`SceneCells::as_features`] | at each of its points the mean colour around, and whether it is seen; flags | [`RecurrentTransformer`](crate::RecurrentTransformer): L1R32H4 of the paper |
//! | [`SceneCells::as_pictures`] | the part of the picture that its points enclose, small; a channel for each flag | the same behind [`scene_layers`], residual convolutions: the paper's RTNet |
//!
//! Both are trained from paths end to end, and neither plans. Where the points come from decides what they are told:
//! from the camera, where cells are truly seen; from a lattice over the picture, nothing.
//!
//! # Where it departs from the paper
//! The paper gives no more of RTNet than that it is "an end-to-end recurrent transformer" that takes picture, start and
//! end. Here each cell has a token, made of its part of the picture by convolutions that are the same for all cells, and
//! there is no batch norm. How L1R32H4 was given pictures is not said at all. Recurrences are 8 where two processors
//! have to do.

use std::sync::Arc;

use preceptron_perceive::{Images, Layer, Shape};

use crate::{CellExamples, CellInput, RivalError};

/// Pictures of scenes, where their cells are seen in them, and paths.
#[derive(Clone, Copy, Debug)]
pub struct SceneCells<'a> {
    /// The pictures.
    pub images: Images<'a>,
    /// The cells of a scene.
    pub cells: usize,
    /// Picture by picture and cell by cell, the points where it is seen, as many for each: x to the right and y down,
    /// in pixels, with (0, 0) the middle of the first. What is NaN or outside is not seen.
    pub points: &'a [[f32; 2]],
    /// What else is known, from 0 to 1: for each picture and each flag a value for each cell.
    pub flags: &'a [f32],
    /// For each picture whether each cell is on the path; nothing where that is not known.
    pub on_path: &'a [bool],
}

/// The layers that make a token of a cell's part of a picture of 8x8 pixels: residual convolutions.
pub fn scene_layers() -> Vec<Layer> {
    let convolution = |channels: usize| Layer::convolution(channels, 3).padding(1);
    vec![
        convolution(16).relu(),
        convolution(16).relu(),
        convolution(16).residual(2).relu().pool(2),
        convolution(32).relu(),
        convolution(32).residual(1).relu().pool(2),
    ]
}

impl SceneCells<'_> {
    /// Cells that are given numbers: at each point the mean of each channel over a square of pixels that reaches so
    /// far around it, and 1 if it is seen; then the flags. What is not seen is 0.
    ///
    /// # Errors
    /// If there are not as many points, flags or answers as pictures and cells need.
    pub fn as_features(&self, reach: usize) -> Result<CellExamples, RivalError> {
        let (of_cell, flags) = self.check()?;
        let shape = self.images.shape();
        let width = of_cell * (shape.channels + 1) + flags;
        let mut vectors = Vec::with_capacity(self.images.len() * self.cells * width);
        let mut picture = vec![0.0; shape.size()];
        for image in 0..self.images.len() {
            self.images.copy(image, &mut picture);
            for cell in 0..self.cells {
                for &point in self.points_of(image, cell, of_cell) {
                    match pixel(point, shape) {
                        Some(at) => {
                            vectors.extend(mean_around(&picture, shape, at, reach));
                            vectors.push(1.0);
                        }
                        None => vectors.extend(std::iter::repeat_n(0.0, shape.channels + 1)),
                    }
                }
                vectors.extend(self.flags_of(image, cell, flags));
            }
        }
        let examples = CellExamples::new(self.cells, 2).with_features(width, vectors);
        self.with_answers(examples, CellInput::Features)
    }

    /// Cells that are given pictures of `side` times `side` pixels: what lies in the box around the points of the cell
    /// that are seen, and behind the colours a channel for each flag. Where nothing is seen, all colours are 0.
    ///
    /// # Errors
    /// If `side` is 0, or there are not as many points, flags or answers as pictures and cells need.
    pub fn as_pictures(&self, side: usize) -> Result<CellExamples, RivalError> {
        let (of_cell, flags) = self.check()?;
        if !(1..=256).contains(&side) {
            return Err(RivalError::Setting { key: "side", value: side.to_string(), range: "1 to 256" });
        }
        let shape = self.images.shape();
        let (area, small) = (shape.height * shape.width, Shape::new(shape.channels + flags, side, side));
        let mut pixels = Vec::with_capacity(self.images.len() * self.cells * small.size());
        let mut picture = vec![0.0; shape.size()];
        let byte = |value: f32| (255.0 * value.clamp(0.0, 1.0)).round() as u8;
        for image in 0..self.images.len() {
            self.images.copy(image, &mut picture);
            for cell in 0..self.cells {
                let seen = enclosed(self.points_of(image, cell, of_cell), shape, side);
                for channel in picture.chunks_exact(area) {
                    match &seen {
                        Some(places) => pixels.extend(places.iter().map(|&place| byte(channel[place]))),
                        None => pixels.extend(std::iter::repeat_n(0, side * side)),
                    }
                }
                for flag in self.flags_of(image, cell, flags) {
                    pixels.extend(std::iter::repeat_n(byte(flag), side * side));
                }
            }
        }
        let examples = CellExamples::new(self.cells, 2).with_pictures(small, Arc::from(pixels));
        self.with_answers(examples, CellInput::Picture)
    }

    /// The points of each cell, and its flags.
    fn check(&self) -> Result<(usize, usize), RivalError> {
        let all = self.images.len() * self.cells;
        for (key, found, ok, range) in [
            ("cells", self.cells, self.cells > 0, "1 or more"),
            (
                "points",
                self.points.len(),
                self.points.len().is_multiple_of(all.max(1)),
                "as many for each cell",
            ),
            ("flags", self.flags.len(), self.flags.len().is_multiple_of(all.max(1)), "as many for each cell"),
            (
                "on_path",
                self.on_path.len(),
                self.on_path.len() == all || self.on_path.is_empty(),
                "one for each cell, or none",
            ),
        ] {
            if !ok {
                return Err(RivalError::Setting { key, value: found.to_string(), range });
            }
        }
        Ok((self.points.len() / all.max(1), self.flags.len() / all.max(1)))
    }

    fn points_of(&self, image: usize, cell: usize, of_cell: usize) -> &[[f32; 2]] {
        &self.points[(image * self.cells + cell) * of_cell..][..of_cell]
    }

    fn flags_of(&self, image: usize, cell: usize, flags: usize) -> impl Iterator<Item = f32> {
        (0..flags).map(move |flag| self.flags[(image * flags + flag) * self.cells + cell])
    }

    fn with_answers(
        &self,
        mut examples: CellExamples,
        input: impl Fn(u32) -> CellInput,
    ) -> Result<CellExamples, RivalError> {
        for image in 0..self.images.len() {
            let cells = image * self.cells..(image + 1) * self.cells;
            let inputs: Vec<CellInput> = cells.clone().map(|at| input(at as u32)).collect();
            let answer = |at: usize| self.on_path.get(at).map(|is_on| u16::from(*is_on));
            examples.push(&inputs, &cells.map(answer).collect::<Vec<_>>())?;
        }
        Ok(examples)
    }
}

/// The pixel, column and row, that a point is in.
fn pixel([x, y]: [f32; 2], shape: Shape) -> Option<[usize; 2]> {
    let within = |at: f32, side: usize| at >= -0.5 && at <= side as f32 - 0.5;
    let nearest = |at: f32, side: usize| (at.round().max(0.0) as usize).min(side - 1);
    (within(x, shape.width) && within(y, shape.height))
        .then(|| [nearest(x, shape.width), nearest(y, shape.height)])
}

/// The mean of each channel around a pixel.
fn mean_around(picture: &[f32], shape: Shape, [x, y]: [usize; 2], reach: usize) -> impl Iterator<Item = f32> {
    let range = move |at: usize, side: usize| at.saturating_sub(reach)..(at + reach + 1).min(side);
    picture.chunks_exact(shape.height * shape.width).map(move |channel| {
        let (columns, rows) = (range(x, shape.width), range(y, shape.height));
        let count = (columns.len() * rows.len()) as f32;
        let row = |row: usize| channel[row * shape.width..][columns.clone()].iter().sum::<f32>();
        rows.map(row).sum::<f32>() / count
    })
}

/// Where the pixels of a small picture lie in the box around the points that are seen.
fn enclosed(points: &[[f32; 2]], shape: Shape, side: usize) -> Option<Vec<usize>> {
    let seen: Vec<[usize; 2]> = points.iter().filter_map(|&point| pixel(point, shape)).collect();
    let bounds = |axis: usize| {
        let values = || seen.iter().map(|at| at[axis]);
        Some((values().min()?, values().max()?))
    };
    let ((left, right), (top, bottom)) = (bounds(0)?, bounds(1)?);
    let place = |from: usize, to: usize, at: usize| from + (to - from + 1) * (2 * at + 1) / (2 * side);
    let row = |y: usize| (0..side).map(move |x| place(top, bottom, y) * shape.width + place(left, right, x));
    Some((0..side).flat_map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RecurrentTransformer, Rival, TransformerSettings, score};
    use preceptron_base::stream;
    use rand::RngExt;

    const SHAPE: Shape = Shape { channels: 1, height: 8, width: 8 };

    /// Scenes of 2x2 cells, each seen in a quarter of the picture, which is bright where it is blocked; but the last
    /// cell of some is not seen. The path is on cells that are not blocked, and on its end.
    fn scenes(count: usize) -> (Vec<u8>, Vec<[f32; 2]>, Vec<f32>, Vec<bool>) {
        let random = &mut stream(8, "test", 0);
        let (mut pixels, mut points, mut flags, mut on_path) = (vec![], vec![], vec![], vec![]);
        for _ in 0..count {
            let blocked: [bool; 4] = std::array::from_fn(|_| random.random());
            let end = random.random_range(0..4);
            for at in 0..64 {
                let quarter = at / 32 * 2 + at % 8 / 4;
                pixels.push(random.random_range(0..70) + if blocked[quarter] { 180 } else { 0 });
            }
            for (cell, is_blocked) in blocked.into_iter().enumerate() {
                let (x, y) = ((cell % 2 * 4) as f32, (cell / 2 * 4) as f32);
                points.extend([[x + 0.5, y + 0.5], [x + 2.4, y + 2.6], [f32::NAN, 0.0]]);
                on_path.push(!is_blocked || cell == end);
            }
            flags.extend((0..4).map(|cell| f32::from(u8::from(cell == 0))));
            flags.extend((0..4).map(|cell| f32::from(u8::from(cell == end))));
        }
        (pixels, points, flags, on_path)
    }

    #[test]
    fn both_forms_can_be_learned_from() {
        let (pixels, points, flags, on_path) = scenes(60);
        let images = Images::bytes(SHAPE, &pixels).unwrap();
        let scenes = SceneCells { images, cells: 4, points: &points, flags: &flags, on_path: &on_path };
        let all: Vec<usize> = (0..60).collect();
        for data in [scenes.as_features(1).unwrap(), scenes.as_pictures(4).unwrap()] {
            let pictures = vec![Layer::convolution(4, 3).padding(1).relu()];
            let mut settings =
                TransformerSettings { width: 16, heads: 2, recurrences: 2, pictures, ..Default::default() };
            settings.optimiser.learning_rate = 3e-3;
            let mut rival = RecurrentTransformer::new(data.form(), settings).unwrap();
            for batch in all.chunks(20).cycle().take(240) {
                rival.fit(&data, batch).unwrap();
            }
            let found = score(&rival, &data, &all).unwrap();
            assert!(found.of_cells() > 0.97, "{found:?} {}", data.form());
        }
    }

    #[test]
    fn cells_are_given_what_is_seen_of_them() {
        let pixels: Vec<u8> = (0..64).map(|at| if at % 8 < 4 { 255 } else { 0 }).collect();
        let images = Images::bytes(SHAPE, &pixels).unwrap();
        let points = [[1.0, 1.0], [2.0, 6.0], [3.0, 3.0], [4.2, 3.0], [f32::NAN, 1.0], [9.0, 1.0]];
        let flags = [1.0, 0.0, 0.0, 0.0, 0.5, 0.0];
        let mut scenes = SceneCells { images, cells: 3, points: &points, flags: &flags, on_path: &[] };
        let features = scenes.as_features(1).unwrap();
        let third = 1.0 / 3.0;
        for (number, expected) in
            [[1.0, 1.0, 1.0, 1.0, 1.0, 0.0], [2.0 * third, 1.0, third, 1.0, 0.0, 0.5], [0.0; 6]]
                .iter()
                .enumerate()
        {
            let found = features.vector(number as u32);
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}");
        }
        assert_eq!(features.answers(0), [None; 3]);
        let pictures = scenes.as_pictures(2).unwrap();
        assert_eq!(pictures.form().pictures, Some(Shape::new(3, 2, 2)));
        let expected = [
            [255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0],
            [255, 0, 255, 0, 0, 0, 0, 0, 128, 128, 128, 128],
            [0; 12],
        ];
        assert_eq!(pictures.pixels(), expected.concat());
        let cell = Shape::new(5, 8, 8);
        assert!(preceptron_perceive::FeatureNetwork::new(cell, &scene_layers()).is_ok());
        assert!(scenes.as_pictures(0).is_err());
        scenes.points = &points[..5];
        let error = scenes.as_features(0).unwrap_err().to_string();
        assert_eq!(error, "points = 5 is out of range: as many for each cell");
    }
}
