//! A toy of driving for tests: scenes whose obstacles are bright, and a mapper that sees paths alone.

use preceptron_perceive::{
    Images, Layer, MapHead, MapInputs, MapNetwork, Mapper, Photometric, Points, Settings, Shape,
};
use rand::RngExt;

use super::{Cell, Clauses, Demonstration, Grid, Map, Preferred, WeakLoss};
use preceptron_base::stream;

pub const GRID: Grid = Grid { rows: 6, columns: 6, x: [-3.0, 3.0], z: [0.0, 6.0] };

/// The shortest path over free cells; of several the one whose first cell with a difference comes first. So the
/// preference between two paths is the same on all maps.
pub fn plan(blocked: &[bool], start: Cell, end: Cell) -> Option<Vec<Cell>> {
    let free = |cell: Cell| !blocked[GRID.number(cell)];
    let mut distance = vec![usize::MAX; GRID.len()];
    if !free(start) || !free(end) {
        return None;
    }
    distance[GRID.number(end)] = 0;
    let mut open = std::collections::VecDeque::from([end]);
    while let Some(cell) = open.pop_front() {
        for next in GRID.neighbours(cell).filter(|next| free(*next)) {
            if distance[GRID.number(next)] == usize::MAX {
                distance[GRID.number(next)] = distance[GRID.number(cell)] + 1;
                open.push_back(next);
            }
        }
    }
    let mut path = vec![start];
    let mut left = distance[GRID.number(start)];
    if left == usize::MAX {
        return None;
    }
    while left > 0 {
        left -= 1;
        let last = path[path.len() - 1];
        path.extend(GRID.neighbours(last).find(|next| distance[GRID.number(*next)] == left));
    }
    Some(path)
}

/// A map, and a path on it from the first row to the last.
pub fn scene(seed: u64) -> (Map, Demonstration) {
    for item in 0.. {
        let mut random = stream(seed, "toy of a test", item as u64);
        let blocked = (0..GRID.len()).map(|_| random.random_range(0..4) == 0).collect();
        let map = Map { grid: GRID, blocked };
        let start = Cell { row: 0, column: 3 };
        let end = Cell { row: 5, column: random.random_range(0..6) };
        if let Some(path) = plan(&map.blocked, start, end) {
            return (map, Demonstration { start, end, path });
        }
    }
    unreachable!("a scene with a path is soon drawn")
}

const SHAPE: Shape = Shape::new(1, 12, 18);
const FRAMES: usize = 192;

struct Frames {
    scenes: Vec<(Map, Demonstration)>,
    pixels: Vec<u8>,
}

/// Cells are seen at every second row and third column; obstacles are brighter there, in noise.
fn frames(seed: u64) -> Frames {
    let scenes: Vec<_> = (0..FRAMES as u64).map(|frame| scene(seed * 1000 + frame)).collect();
    let mut random = stream(seed, "toy of a test", 0);
    let mut pixels = Vec::new();
    for (map, _) in &scenes {
        let at = |pixel: usize| Cell { row: pixel / 18 / 2, column: pixel % 18 / 3 };
        let bright = |pixel: usize| if map.is_blocked(at(pixel)) { 80 } else { 0 };
        pixels.extend((0..SHAPE.size()).map(|pixel| random.random_range(0..150u8) + bright(pixel)));
    }
    Frames { scenes, pixels }
}

fn points() -> Vec<[f32; 2]> {
    let at = |cell: Cell| [3.0 * cell.column as f32 + 1.0, 2.0 * cell.row as f32 + 0.5];
    (0..GRID.len()).map(|number| at(GRID.cell(number))).collect()
}

/// How often paths planned on such maps go through an obstacle, and how many cells are right.
fn score(frames: &Frames, maps: &[f32]) -> (f64, f64) {
    let (mut collisions, mut right) = (0, 0);
    for ((map, demonstration), predicted) in frames.scenes.iter().zip(maps.chunks_exact(GRID.len())) {
        let believed: Vec<bool> = predicted.iter().map(|p| *p > 0.5).collect();
        let path = plan(&believed, demonstration.start, demonstration.end);
        collisions += usize::from(path.is_none_or(|path| path.iter().any(|cell| map.is_blocked(*cell))));
        right += predicted.iter().zip(&map.blocked).filter(|(p, blocked)| (**p > 0.5) == **blocked).count();
    }
    let frames = frames.scenes.len() as f64;
    (collisions as f64 / frames, right as f64 / (frames * GRID.len() as f64))
}

#[test]
fn obstacles_are_learned_from_paths() {
    let (train, test, points) = (frames(1), frames(2), points());
    let layers = [Layer::convolution(8, 3).padding(1).norm().relu()];
    let head = MapHead { embedding: 0, ..MapHead::cells(GRID.rows, GRID.columns, 1, &[0]) };
    let network = MapNetwork::new(SHAPE, &layers, &head).unwrap();
    let settings = Settings { learning_rate: 0.01, averaging: 0.9, ..Settings::default() };
    let mut mapper = Mapper::new(network, settings, Photometric::default(), 2).unwrap();
    let images = |pixels| Images::bytes(SHAPE, pixels).unwrap();
    for _ in 0..40 {
        for first in (0..FRAMES).step_by(32) {
            let pixels = &train.pixels[first * SHAPE.size()..(first + 32) * SHAPE.size()];
            let inputs = MapInputs::new(images(pixels), Points::Shared(&points));
            let loss = |image: usize, p: &[f32], slopes: &mut [f32]| {
                let shown = &train.scenes[first + image].1;
                let planner = |blocked: &[bool]| plan(blocked, shown.start, shown.end);
                let found = Clauses::of(GRID, shown, p, planner, |_| Preferred::Surely, 10);
                WeakLoss::default().of(GRID, shown, &found.sure, p, slopes)
            };
            mapper.fit(inputs, &loss).unwrap();
        }
    }
    let found = mapper.predict(MapInputs::new(images(&test.pixels), Points::Shared(&points))).unwrap();
    let (collisions, right) = score(&test, found.values());
    let (blind, rate) = score(&test, &vec![0.0; FRAMES * GRID.len()]);
    assert!(collisions < 0.3 * blind && right > 0.9, "{collisions} of {blind}, {right} of {rate}");
}
