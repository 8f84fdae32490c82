//! Frames as a network takes them: pictures, where the cells are seen, and, for a network that gives paths, start
//! and end.

use preceptron_perceive::{
    Images, MapHead, MapInputs, MapNetwork, Mapper, PerceiveError, Points, Probabilities,
};
use rayon::prelude::*;

use super::super::{Frames, Grid};
use super::{LearningSettings, Supervision};

/// Frames that are predicted at a time.
const AT_ONCE: usize = 256;

/// Frames with what a network needs to know of them.
pub(super) struct Seen<'a> {
    pub frames: &'a Frames,
    /// At how many points each cell is looked at.
    of_cell: usize,
    /// Whether what the network gives is mirrored with the picture: maps are, the driver's taste in paths is not.
    pub may_mirror: bool,
    points: Vec<[f32; 2]>,
    extra: Vec<f32>,
}

/// One batch, put together.
#[derive(Default)]
pub(super) struct Batch {
    pixels: Vec<u8>,
    points: Vec<[f32; 2]>,
    extra: Vec<f32>,
}

impl<'a> Seen<'a> {
    pub fn new(frames: &'a Frames, supervision: Supervision) -> Seen<'a> {
        let points = |frame: usize| match supervision {
            Supervision::Resnet => lattice(frames),
            _ => frames.sample_points(frame),
        };
        let points: Vec<Vec<[f32; 2]>> = (0..frames.len()).into_par_iter().map(points).collect();
        let cells = frames.grid.len();
        let mut extra = Vec::new();
        if !supervision.plans() {
            extra = vec![0.0; frames.len() * 2 * cells];
            for (frame, shown) in frames.demonstrations.iter().enumerate() {
                extra[2 * frame * cells + frames.grid.number(shown.start)] = 1.0;
                extra[(2 * frame + 1) * cells + frames.grid.number(shown.end)] = 1.0;
            }
        }
        let of_cell = points_of_cell(supervision);
        Seen { frames, of_cell, may_mirror: supervision.plans(), points: points.concat(), extra }
    }

    /// These frames, one after the other, each as it is or mirrored from left to right.
    pub fn batch<'b>(
        &self,
        numbers: &[usize],
        is_mirrored: impl Fn(usize) -> bool,
        batch: &'b mut Batch,
    ) -> Result<MapInputs<'b>, PerceiveError> {
        batch.pixels.clear();
        batch.points.clear();
        batch.extra.clear();
        let (size, count) = (self.frames.shape.size(), self.frames.grid.len() * self.of_cell);
        let of_frame = self.extra.len() / self.frames.len().max(1);
        let (columns, width) = (self.frames.grid.columns, self.frames.shape.width);
        for (image, &frame) in numbers.iter().enumerate() {
            let pixels = &self.frames.pixels[frame * size..][..size];
            let points = &self.points[frame * count..][..count];
            let extra = &self.extra[frame * of_frame..][..of_frame];
            if !is_mirrored(image) {
                batch.pixels.extend_from_slice(pixels);
                batch.points.extend_from_slice(points);
                batch.extra.extend_from_slice(extra);
                continue;
            }
            pixels.chunks_exact(width).for_each(|row| batch.pixels.extend(row.iter().rev()));
            extra.chunks_exact(columns).for_each(|row| batch.extra.extend(row.iter().rev()));
            let of_cell = self.of_cell;
            let seen = |&[x, y]: &[f32; 2]| [width as f32 - 1.0 - x, y];
            for row in points.chunks_exact(columns * of_cell) {
                row.chunks_exact(of_cell).rev().for_each(|cell| batch.points.extend(cell.iter().map(seen)));
            }
        }
        let images = Images::bytes(self.frames.shape, &batch.pixels)?;
        Ok(MapInputs { images, points: Points::Each(&batch.points), extra: &batch.extra })
    }

    /// The probabilities of the cells of these frames: for maps the mean of what is seen as it is and mirrored.
    pub fn predict(&self, mapper: &Mapper, numbers: &[usize]) -> Result<Probabilities, PerceiveError> {
        let mut values = Vec::with_capacity(numbers.len() * self.frames.grid.len());
        let mut batch = Batch::default();
        for numbers in numbers.chunks(AT_ONCE) {
            let plain = mapper.predict(self.batch(numbers, |_| false, &mut batch)?)?;
            if !self.may_mirror {
                values.extend_from_slice(plain.values());
                continue;
            }
            let mut other = mapper.predict(self.batch(numbers, |_| true, &mut batch)?)?.values().to_vec();
            mirror(self.frames.grid, &mut other);
            values.extend(plain.values().iter().zip(&other).map(|(a, b)| (a + b) / 2.0));
        }
        Ok(Probabilities::new(self.frames.grid.len(), values))
    }
}

/// At how many points a network looks at each cell.
fn points_of_cell(supervision: Supervision) -> usize {
    if supervision == Supervision::Resnet { 1 } else { Frames::points_per_cell() }
}

/// A point for each cell, spread evenly over a picture, what is ahead at its top: for a network that is not told where
/// cells are seen.
fn lattice(frames: &Frames) -> Vec<[f32; 2]> {
    let grid = frames.grid;
    let point = |number: usize| {
        let cell = grid.cell(number);
        let x = (cell.column as f32 + 0.5) / grid.columns as f32;
        let y = ((grid.rows - 1 - cell.row) as f32 + 0.5) / grid.rows as f32;
        [x * frames.shape.width as f32 - 0.5, y * frames.shape.height as f32 - 0.5]
    };
    (0..grid.len()).map(point).collect()
}

/// Cells from left to right become cells from right to left, for any number of frames.
pub(super) fn mirror(grid: Grid, cells: &mut [f32]) {
    cells.chunks_exact_mut(grid.columns).for_each(<[f32]>::reverse);
}

/// A network for frames, before training that takes so many steps.
pub(super) fn mapper(
    frames: &Frames,
    settings: &LearningSettings,
    steps: u64,
) -> Result<Mapper, PerceiveError> {
    let (rows, columns) = (frames.grid.rows, frames.grid.columns);
    let (points, sampled) = (points_of_cell(settings.supervision), &MapNetwork::SAMPLED);
    let head = match settings.supervision {
        Supervision::Paths | Supervision::Maps => MapHead::cells(rows, columns, points, sampled),
        Supervision::Direct => MapHead::paths(rows, columns, points, sampled),
        Supervision::Resnet => MapHead::whole(rows, columns, sampled[sampled.len() - 1]),
    };
    let network = MapNetwork::new(frames.shape, &MapNetwork::small_backbone(), &head)?;
    Mapper::new(network, settings.perception(steps), settings.light(), settings.threads)
}
