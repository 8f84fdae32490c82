//! Random maps with demonstrated paths, for tests.

use std::collections::VecDeque;

use preceptron_base::stream;
use rand::RngExt;

use super::{Cell, Demonstration, Grid, Lesson, Map};

/// A random map on which about one cell in `1 / density` is blocked, the start is free, and a shortest path
/// leads from it to a random end ahead. Of equally short paths it is one that goes ahead first.
pub fn trial(grid: &Grid, density: f64, seed: u64, item: u64) -> (Map, Demonstration) {
    let mut random = stream(seed, "trial", item);
    loop {
        let mut map = Map::empty(*grid);
        map.blocked.iter_mut().for_each(|blocked| *blocked = random.random_bool(density));
        let start = grid.start();
        map.blocked[grid.number(start)] = false;
        let end = Cell {
            row: random.random_range(start.row + 1..grid.rows),
            column: random.random_range(0..grid.columns),
        };
        if let Some(path) = breadth_first(&map, start, end) {
            return (map, Demonstration { start, end, path });
        }
    }
}

/// Trials by number.
pub fn trials(grid: &Grid, density: f64, seed: u64, count: u64) -> Vec<(Map, Demonstration)> {
    (0..count).map(|item| trial(grid, density, seed, item)).collect()
}

/// Trials as lessons.
pub fn lessons(trials: &[(Map, Demonstration)]) -> Vec<Lesson<'_>> {
    trials.iter().map(|(map, demonstration)| Lesson { demonstration, obstacles: Some(map) }).collect()
}

/// A shortest path over free cells, by breadth-first search from the end.
pub fn breadth_first(map: &Map, start: Cell, end: Cell) -> Option<Vec<Cell>> {
    let grid = map.grid;
    let mut next: Vec<Option<Cell>> = vec![None; grid.len()];
    if map.is_blocked(start) || map.is_blocked(end) {
        return None;
    }
    next[grid.number(end)] = Some(end);
    let mut open = VecDeque::from([end]);
    while let Some(cell) = open.pop_front() {
        for other in grid.neighbours(cell) {
            if !map.is_blocked(other) && next[grid.number(other)].is_none() {
                next[grid.number(other)] = Some(cell);
                open.push_back(other);
            }
        }
    }
    let mut path = vec![start];
    while path[path.len() - 1] != end {
        path.push(next[grid.number(path[path.len() - 1])]?);
    }
    Some(path)
}
