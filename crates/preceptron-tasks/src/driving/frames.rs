//! Frames to train and test on: pictures at the network's size, where its camera sees the cells, what is blocked,
//! and a demonstrated path for each.
//!
//! The maps are there to judge and for supervised rivals; training from demonstrations does not look at them.

use preceptron_perceive::{Images, PerceiveError, Shape};
use serde::{Deserialize, Serialize};

use super::{
    CameraCalibration, Cell, Counted, Demonstration, Density, DrivingError, FrameIndex, Grid, Layout, Map,
    Rgb, Scene, Steps, render::CAMERA_HEIGHT,
};

/// Where in a cell the network looks, in shares of the cell: along x, along z; and how far above the ground.
const POINTS: [(f64, f64, f64); 10] = [
    (0.5, 0.5, 0.0),
    (0.2, 0.2, 0.0),
    (0.8, 0.2, 0.0),
    (0.2, 0.8, 0.0),
    (0.8, 0.8, 0.0),
    (0.5, 0.5, 1.5),
    (0.2, 0.2, 1.5),
    (0.8, 0.2, 1.5),
    (0.2, 0.8, 1.5),
    (0.8, 0.8, 1.5),
];

/// What frames are made with.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FrameSettings {
    /// The ground.
    pub grid: Grid,
    /// The width and height of the network's pictures.
    pub size: [usize; 2],
    /// The share of a camera's picture, from its top, that is not shown to the network: from 0 to below 1. The
    /// ground and what stands on it far away are seen larger where the sky is left out.
    pub cut_top: f64,
    /// Which objects block cells.
    pub counted: Counted,
    /// What the steps of demonstrated paths cost.
    pub steps: Steps,
    /// The seed of ends, and of synthetic scenes and pictures.
    pub seed: u64,
}

impl Default for FrameSettings {
    fn default() -> FrameSettings {
        FrameSettings {
            grid: Grid::default(),
            size: [208, 48],
            cut_top: 0.35,
            counted: Counted::default(),
            steps: Steps::default(),
            seed: 0,
        }
    }
}

/// Frames of one size on one grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Frames {
    /// The ground.
    pub grid: Grid,
    /// The shape of a picture.
    pub shape: Shape,
    /// The pictures one after the other, each channel by channel and row by row; none where only maps and
    /// paths are wanted.
    pub pixels: Vec<u8>,
    /// Which cells are blocked; the start never is.
    pub maps: Vec<Map>,
    /// The cameras, for pictures of this size.
    pub calibrations: Vec<CameraCalibration>,
    /// A path for each frame.
    pub demonstrations: Vec<Demonstration>,
    /// How the frames are called.
    pub names: Vec<String>,
    /// Which drives they come from.
    pub drives: Vec<String>,
    /// Whether the pictures are synthetic.
    pub is_synthetic: bool,
    /// How many frames were left out because no cell ahead can be reached.
    pub boxed_in: usize,
}

impl Frames {
    /// All frames of a layout, with their own pictures.
    ///
    /// # Errors
    /// If a file is missing or not what it should be, or an object that counts has no box in space.
    pub fn read(layout: &Layout, settings: &FrameSettings) -> Result<Frames, DrivingError> {
        FrameIndex::read(layout.clone(), settings)?.all()
    }

    /// All frames with the labels and cameras of a layout, and synthetic pictures of the objects that count.
    ///
    /// # Errors
    /// As for [`read`](Frames::read), but pictures are not looked for.
    pub fn render(layout: &Layout, settings: &FrameSettings) -> Result<Frames, DrivingError> {
        FrameIndex::render(layout, settings)?.all()
    }

    /// Frames of scenes drawn at random, with synthetic pictures.
    pub fn sample(count: usize, density: Density, settings: &FrameSettings) -> Frames {
        FrameIndex::sample(count, density, settings).drawn()
    }

    /// Synthetic pictures of scenes; what does not count is not drawn.
    pub fn synthetic(scenes: Vec<Scene>, settings: &FrameSettings) -> Frames {
        FrameIndex::synthetic(scenes, settings).drawn()
    }

    /// One frame at the network's size, with an empty map.
    pub(super) fn single(
        settings: &FrameSettings,
        name: String,
        (camera, pixels): (CameraCalibration, Vec<u8>),
        demonstration: Demonstration,
    ) -> Frames {
        let [width, height] = settings.size;
        Frames {
            grid: settings.grid,
            shape: Shape::new(3, height, width),
            pixels,
            maps: vec![Map::empty(settings.grid)],
            calibrations: vec![camera],
            demonstrations: vec![demonstration],
            drives: vec![name.clone()],
            names: vec![name],
            is_synthetic: false,
            boxed_in: 0,
        }
    }

    /// How many frames there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The pictures as a network takes them.
    ///
    /// # Errors
    /// If the shape has no pixels.
    pub fn images(&self) -> Result<Images<'_>, PerceiveError> {
        Images::bytes(self.shape, &self.pixels)
    }

    /// A picture.
    ///
    /// # Panics
    /// If there is no such frame.
    pub fn picture(&self, frame: usize) -> Rgb {
        let size = self.shape.size();
        Rgb::from_planes(self.shape.width, &self.pixels[frame * size..][..size])
    }

    /// How many points [`sample_points`](Frames::sample_points) has for each cell.
    pub fn points_per_cell() -> usize {
        POINTS.len()
    }

    /// Where a frame's picture shows the cells: cell by cell, the middle and four points around it on the ground,
    /// and the same 1.5 m above. Pixels have whole numbers in their middles; a point outside the picture is NaN.
    ///
    /// # Panics
    /// If there is no such frame.
    pub fn sample_points(&self, frame: usize) -> Vec<[f32; 2]> {
        let (camera, grid) = (&self.calibrations[frame], self.grid);
        let point = |cell: Cell, (across, along, above): (f64, f64, f64)| {
            let within = |[from, to]: [f64; 2], at: usize, share: f64, count: usize| {
                from + (to - from) * (at as f64 + share) / count as f64
            };
            let x = within(grid.x, cell.column, across, grid.columns);
            let z = within(grid.z, cell.row, along, grid.rows);
            let pixel = camera.project([x, CAMERA_HEIGHT - above, z]).unwrap_or([f64::NAN; 2]);
            let is_inside = |value: f64, size: usize| value >= -0.5 && value <= size as f64 - 0.5;
            match is_inside(pixel[0], self.shape.width) && is_inside(pixel[1], self.shape.height) {
                true => pixel.map(|value| value as f32),
                false => [f32::NAN; 2],
            }
        };
        let cells = (0..grid.len()).map(|number| grid.cell(number));
        cells.flat_map(|cell| POINTS.map(|place| point(cell, place))).collect()
    }

    /// Only these frames, in this order.
    ///
    /// # Panics
    /// If there is no such frame.
    #[must_use]
    pub fn subset(&self, frames: &[usize]) -> Frames {
        let size = self.shape.size();
        let picture = |frame: usize| match self.pixels.is_empty() {
            true => &[],
            false => &self.pixels[frame * size..][..size],
        };
        Frames {
            grid: self.grid,
            shape: self.shape,
            pixels: frames.iter().flat_map(|&f| picture(f)).copied().collect(),
            maps: frames.iter().map(|&f| self.maps[f].clone()).collect(),
            calibrations: frames.iter().map(|&f| self.calibrations[f]).collect(),
            demonstrations: frames.iter().map(|&f| self.demonstrations[f].clone()).collect(),
            names: frames.iter().map(|&f| self.names[f].clone()).collect(),
            drives: frames.iter().map(|&f| self.drives[f].clone()).collect(),
            is_synthetic: self.is_synthetic,
            boxed_in: self.boxed_in,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lie_where_the_camera_sees_the_cells() {
        let frames = Frames::sample(2, Density::Normal, &FrameSettings::default());
        let points = frames.sample_points(0);
        assert_eq!(points.len(), 100 * Frames::points_per_cell());
        let of = |row: usize, column: usize| &points[(10 * row + column) * 10..][..10];
        // Behind the camera nothing is seen; ahead all is, and what is above the ground is higher up.
        assert!((0..10).all(|column| of(0, column).iter().all(|p| p[0].is_nan())));
        for row in 4..10 {
            for (ground, above) in of(row, 5)[..5].iter().zip(&of(row, 5)[5..]) {
                assert!(
                    above[1] < ground[1] - 0.5 && (ground[0] - above[0]).abs() < 0.01,
                    "{ground:?} {above:?}"
                );
                assert!((0.0..208.0).contains(&ground[0]) && (0.0..48.0).contains(&ground[1]));
            }
        }
        assert!(of(9, 4)[0][0] < of(9, 5)[0][0]);
    }

    #[test]
    fn paths_are_free_and_frames_repeat() {
        let settings = FrameSettings { seed: 4, ..FrameSettings::default() };
        let frames = Frames::sample(60, Density::Dense, &settings);
        for (map, path) in frames.maps.iter().zip(&frames.demonstrations) {
            assert!(path.path.iter().all(|cell| !map.is_blocked(*cell)) && path.start == map.grid.start());
        }
        assert_eq!((frames.len() + frames.boxed_in, frames.drives[59].as_str()), (60, "drive 0001"));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(pool.install(|| Frames::sample(60, Density::Dense, &settings)), frames);
        let few = frames.subset(&[7, 2]);
        assert_eq!((few.picture(1), &few.names[0]), (frames.picture(2), &frames.names[7]));
        assert_eq!(frames.images().unwrap().len(), frames.len());
    }
}
