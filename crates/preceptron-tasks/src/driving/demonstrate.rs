//! Demonstrated paths: an end is drawn, and A* finds a shortest path to it.
//!
//! The end is uniform over the free cells in rows ahead of the start that can be reached. A path steps to any
//! of the eight neighbours that is free; corners may be cut. A step costs 1 along a row or column and the
//! square root of 2 across a corner ([`Steps::Metric`]), or 1 everywhere ([`Steps::Equal`]).
//!
//! ```text
//! f = g + h,   h = max(|dr|, |dc|) + (d - 1) min(|dr|, |dc|),   d = sqrt 2 or 1
//! ```
//! | symbol | meaning |
//! |---|---|
//! | g | the cost from the start |
//! | h | the cost to the end if nothing were in the way; dr and dc are the rows and columns between |
//!
//! Preferences are broken thus: of the open cells with the least f the one with the greatest g is taken, and of these
//! the one that was put there first. Neighbours are looked at row by row, from the lowest row and column. A
//! cell keeps the first step that reached it until a shorter way is found. So the path is always the same one.
//!
//! Costs are whole millionths, so that sums are exact: two paths cost the same if and only if they have as many
//! steps of each kind, on any grid of fewer than 250,000 rows and columns.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use preceptron_base::choices;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::{Cell, Demonstration, Grid, Map};

/// What a step along a row or column costs.
const STRAIGHT: u64 = 1_000_000;

choices! {
    /// What steps cost.
    pub enum Steps: Metric {
        /// As far as they lead: 1, or the square root of 2 across a corner.
        Metric = "metric",
        /// The same, whatever the direction.
        Equal = "equal",
    }
}

impl Steps {
    /// What a step from a cell to a neighbour costs, in millionths.
    pub fn cost(self, from: Cell, to: Cell) -> u64 {
        let is_diagonal = from.row != to.row && from.column != to.column;
        if is_diagonal { self.diagonal() } else { STRAIGHT }
    }

    fn diagonal(self) -> u64 {
        match self {
            Steps::Metric => 1_414_214,
            Steps::Equal => STRAIGHT,
        }
    }

    /// The cost of the way between two cells if nothing were in it.
    fn between(self, from: Cell, to: Cell) -> u64 {
        let (rows, columns) = (from.row.abs_diff(to.row) as u64, from.column.abs_diff(to.column) as u64);
        let (more, less) = (rows.max(columns), rows.min(columns));
        (more - less) * STRAIGHT + less * self.diagonal()
    }
}

/// The shortest path by A*, with ties broken as this page says; none if there is no path.
pub fn shortest_path(map: &Map, start: Cell, end: Cell, steps: Steps) -> Option<Vec<Cell>> {
    let grid = map.grid;
    if map.is_blocked(start) || map.is_blocked(end) {
        return None;
    }
    let mut cost = vec![u64::MAX; grid.len()];
    let mut before = vec![start; grid.len()];
    let mut is_closed = vec![false; grid.len()];
    let mut order = 0u64;
    cost[grid.number(start)] = 0;
    let mut open =
        BinaryHeap::from([(Reverse(steps.between(start, end)), 0, Reverse(order), grid.number(start))]);
    while let Some((_, _, _, number)) = open.pop() {
        let cell = grid.cell(number);
        if cell == end {
            return Some(trace(grid, start, end, &before));
        }
        if std::mem::replace(&mut is_closed[number], true) {
            continue;
        }
        for next in grid.neighbours(cell).filter(|next| !map.is_blocked(*next)) {
            let (at, through) = (grid.number(next), cost[number] + steps.cost(cell, next));
            if through < cost[at] {
                (cost[at], before[at]) = (through, cell);
                order += 1;
                open.push((Reverse(through + steps.between(next, end)), through, Reverse(order), at));
            }
        }
    }
    None
}

fn trace(grid: Grid, start: Cell, end: Cell, before: &[Cell]) -> Vec<Cell> {
    let mut path = vec![end];
    let mut cell = end;
    while cell != start {
        cell = before[grid.number(cell)];
        path.push(cell);
    }
    path.reverse();
    path
}

/// What the way from the start to each cell costs at least, in millionths, and how many ways cost that; none
/// where no way leads. Counts stop at the largest number that there is.
pub fn ways(map: &Map, start: Cell, steps: Steps) -> Vec<Option<(u64, u64)>> {
    let grid = map.grid;
    let mut found: Vec<Option<(u64, u64)>> = vec![None; grid.len()];
    let mut is_closed = vec![false; grid.len()];
    if map.is_blocked(start) {
        return found;
    }
    found[grid.number(start)] = Some((0, 1));
    let mut open = BinaryHeap::from([(Reverse(0), grid.number(start))]);
    while let Some((Reverse(cost), number)) = open.pop() {
        if std::mem::replace(&mut is_closed[number], true) {
            continue;
        }
        let (cell, count) = (grid.cell(number), found[number].map_or(0, |(_, count)| count));
        for next in grid.neighbours(cell).filter(|next| !map.is_blocked(*next)) {
            let (at, through) = (grid.number(next), cost + steps.cost(cell, next));
            match &mut found[at] {
                Some((best, ways)) if *best == through => *ways = ways.saturating_add(count),
                Some((best, _)) if *best < through => {}
                other => {
                    *other = Some((through, count));
                    open.push((Reverse(through), at));
                }
            }
        }
    }
    found
}

/// The shortest paths between two cells: how many there are.
pub fn count_shortest(map: &Map, start: Cell, end: Cell, steps: Steps) -> u64 {
    ways(map, start, steps)[map.grid.number(end)].map_or(0, |(_, count)| count)
}

/// Draws an end and finds the path; none if no free cell ahead can be reached.
pub fn demonstrate(map: &Map, steps: Steps, random: &mut ChaCha8Rng) -> Option<Demonstration> {
    let (grid, start) = (map.grid, map.grid.start());
    let reached = ways(map, start, steps);
    let ahead = (0..grid.len()).filter(|&n| reached[n].is_some() && grid.cell(n).row > start.row);
    let ahead: Vec<usize> = ahead.collect();
    if ahead.is_empty() {
        return None;
    }
    let end = grid.cell(ahead[random.random_range(0..ahead.len())]);
    let path = shortest_path(map, start, end, steps)?;
    Some(Demonstration { start, end, path })
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_base::stream;
    use proptest::prelude::*;

    fn map(blocked: &[bool]) -> Map {
        let grid = Grid { rows: 5, columns: 4, x: [-2.0, 2.0], z: [0.0, 5.0] };
        Map { grid, blocked: blocked.to_vec() }
    }

    /// The plain twin: every path without a cell twice, cut where it is longer than the best.
    fn all(map: &Map, steps: Steps, path: &mut Vec<Cell>, cost: u64, end: Cell, best: &mut (u64, u64)) {
        let cell = *path.last().unwrap();
        if cost > best.0 {
            return;
        }
        if cell == end {
            *best = if cost < best.0 { (cost, 1) } else { (cost, best.1 + 1) };
            return;
        }
        for next in map.grid.neighbours(cell) {
            if !map.is_blocked(next) && !path.contains(&next) {
                path.push(next);
                all(map, steps, path, cost + steps.cost(cell, next), end, best);
                path.pop();
            }
        }
    }

    /// The plain twin for equal steps: rings around the start.
    fn rings(map: &Map, start: Cell) -> Vec<Option<usize>> {
        let mut found = vec![None; map.grid.len()];
        found[map.grid.number(start)] = Some(0);
        for ring in 0..map.grid.len() {
            for number in 0..map.grid.len() {
                if found[number] == Some(ring) {
                    for next in map.grid.neighbours(map.grid.cell(number)) {
                        let at = map.grid.number(next);
                        if !map.is_blocked(next) && found[at].is_none() {
                            found[at] = Some(ring + 1);
                        }
                    }
                }
            }
        }
        found
    }

    fn check(map: &Map, start: Cell, path: &[Cell], end: Cell) {
        assert_eq!((path.first(), path.last()), (Some(&start), Some(&end)));
        assert!(path.iter().all(|cell| !map.is_blocked(*cell)));
        assert!(path.windows(2).all(|two| map.grid.neighbours(two[0]).any(|next| next == two[1])));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn shortest_and_counted(blocked in proptest::collection::vec(proptest::bool::weighted(0.4), 20), equal: bool) {
            let (mut map, steps) = (map(&blocked), if equal { Steps::Equal } else { Steps::Metric });
            let start = map.grid.start();
            map.blocked[map.grid.number(start)] = false;
            let rings = rings(&map, start);
            for (number, ring) in rings.iter().enumerate() {
                let end = map.grid.cell(number);
                // No step costs more than across a corner, so that longer paths need not be tried.
                let mut best = (ring.unwrap_or(0) as u64 * 1_414_214 + 1, 0);
                if ring.is_some() {
                    all(&map, steps, &mut vec![start], 0, end, &mut best);
                }
                let path = shortest_path(&map, start, end, steps);
                prop_assert_eq!(path.is_some(), best.1 > 0);
                prop_assert_eq!(count_shortest(&map, start, end, steps), best.1);
                if let Some(path) = path {
                    check(&map, start, &path, end);
                    let cost: u64 = path.windows(2).map(|two| steps.cost(two[0], two[1])).sum();
                    prop_assert_eq!(cost, best.0);
                    if equal {
                        prop_assert_eq!(Some(path.len() - 1), rings[number]);
                    }
                }
            }
        }
    }

    #[test]
    fn ties_are_broken_as_stated() {
        let map = Map::empty(Grid::default());
        let (start, end) = (map.grid.start(), Cell { row: 4, column: 6 });
        let path = shortest_path(&map, start, end, Steps::Metric).unwrap();
        let cells: Vec<(usize, usize)> = path.iter().map(|cell| (cell.row, cell.column)).collect();
        assert_eq!(count_shortest(&map, start, end, Steps::Metric), 3);
        // The step across comes first: it has the greatest g.
        assert_eq!(cells, [(1, 5), (2, 6), (3, 6), (4, 6)]);
    }

    #[test]
    fn ends_lie_ahead_and_are_drawn_evenly() {
        let mut map = Map::empty(Grid { rows: 3, columns: 3, x: [-1.5, 1.5], z: [-1.0, 2.0] });
        assert_eq!(map.grid.start(), Cell { row: 1, column: 1 });
        map.blocked[8] = true;
        let mut random = stream(3, "demonstration of a test", 0);
        let mut ends = [0; 9];
        for _ in 0..400 {
            let path = demonstrate(&map, Steps::Metric, &mut random).unwrap();
            check(&map, path.start, &path.path, path.end);
            ends[map.grid.number(path.end)] += 1;
        }
        assert!(ends[6] > 150 && ends[7] > 150 && ends[6] + ends[7] == 400, "{ends:?}");
        map.blocked[6..].fill(true);
        assert_eq!(demonstrate(&map, Steps::Metric, &mut random), None);
    }
}
