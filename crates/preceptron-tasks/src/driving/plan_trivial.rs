//! Planners that need no learning or no picture: what every table of plans is to be read beside.
//!
//! The *empty map* has no obstacles. The *prior map* has everywhere the share of training maps that have an
//! obstacle there. The *true map with random ties* knows the obstacles, and of all shortest paths draws one,
//! each with the same probability: it says how much of a score is the demonstrator's taste.

use std::collections::VecDeque;

use rand::{Rng, RngExt};

use super::{Cell, Grid, Map, Request, Steps, ways};

/// For each cell the share of maps with an obstacle there, with half a map of either kind added. Nothing
/// if there are no maps.
pub fn prior(maps: &[&Map]) -> Option<Vec<f64>> {
    let cells = maps.first()?.blocked.len();
    let count = |cell: usize| maps.iter().filter(|map| map.blocked[cell]).count();
    Some((0..cells).map(|cell| (count(cell) as f64 + 0.5) / (maps.len() as f64 + 1.0)).collect())
}

/// How many cells the shortest path over free cells has; nothing if there is none.
pub fn shortest_length(map: &Map, start: Cell, end: Cell) -> Option<usize> {
    distances(&map.grid, &map.blocked, end)[map.grid.number(start)].filter(|_| !map.is_blocked(start))
}

/// One of the shortest paths over free cells, all being equally likely. Risks do not matter. Nothing if
/// there is no path.
pub fn random_shortest(grid: &Grid, request: &Request, random: &mut impl Rng) -> Option<Vec<Cell>> {
    let distance = distances(grid, request.blocked, request.end);
    let length = distance[grid.number(request.start)]?;
    if request.blocked[grid.number(request.start)] {
        return None;
    }
    let onward = |cell: Cell| -> Vec<Cell> {
        let here = distance[grid.number(cell)];
        let is_nearer = |next: &Cell| distance[grid.number(*next)].is_some_and(|d| Some(d + 1) == here);
        grid.neighbours(cell).filter(is_nearer).collect()
    };
    // How many shortest ways lead from each cell to the end, from the nearest cells on.
    let mut ways = vec![0f64; grid.len()];
    ways[grid.number(request.end)] = 1.0;
    let known = (0..grid.len()).filter_map(|number| distance[number].map(|d| (d, number)));
    let mut by_distance: Vec<(usize, usize)> = known.filter(|(d, _)| (2..=length).contains(d)).collect();
    by_distance.sort_unstable();
    for (_, number) in by_distance {
        ways[number] = onward(grid.cell(number)).iter().map(|next| ways[grid.number(*next)]).sum();
    }
    let mut path = vec![request.start];
    while path[path.len() - 1] != request.end {
        let next = onward(path[path.len() - 1]);
        let mut left = random.random::<f64>() * next.iter().map(|c| ways[grid.number(*c)]).sum::<f64>();
        let drawn = next.iter().find(|cell| {
            left -= ways[grid.number(**cell)];
            left < 0.0
        });
        path.push(*drawn.or(next.last())?);
    }
    Some(path)
}

/// One of the paths over free cells whose steps cost least, all being equally likely. Nothing if there is none.
pub fn random_cheapest(
    map: &Map,
    start: Cell,
    end: Cell,
    steps: Steps,
    random: &mut impl Rng,
) -> Option<Vec<Cell>> {
    let (grid, found) = (map.grid, ways(map, start, steps));
    let at = |cell: Cell| found[grid.number(cell)];
    let mut path = vec![end];
    let mut cell = end;
    at(end)?;
    while cell != start {
        let (cost, count) = at(cell)?;
        let before = |other: &Cell| at(*other).is_some_and(|(c, _)| c + steps.cost(*other, cell) == cost);
        let mut left = random.random::<f64>() * count as f64;
        let around: Vec<Cell> = grid.neighbours(cell).filter(before).collect();
        let drawn = around.iter().find(|other| {
            left -= at(**other).map_or(0, |(_, count)| count) as f64;
            left < 0.0
        });
        cell = *drawn.or(around.last())?;
        path.push(cell);
    }
    path.reverse();
    Some(path)
}

/// For each free cell how many cells the shortest path from it to the end has.
fn distances(grid: &Grid, blocked: &[bool], end: Cell) -> Vec<Option<usize>> {
    let mut distance = vec![None; grid.len()];
    if blocked[grid.number(end)] {
        return distance;
    }
    distance[grid.number(end)] = Some(1);
    let mut open = VecDeque::from([(end, 1)]);
    while let Some((cell, length)) = open.pop_front() {
        for next in grid.neighbours(cell) {
            let number = grid.number(next);
            if !blocked[number] && distance[number].is_none() {
                distance[number] = Some(length + 1);
                open.push_back((next, length + 1));
            }
        }
    }
    distance
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driving::plan::is_connected;
    use crate::driving::test_maps::trials;
    use preceptron_base::stream;
    use std::collections::BTreeMap;

    #[test]
    fn every_shortest_path_is_as_likely() {
        // Two blocked cells between start and end: four cells lead around them on either side.
        let grid = Grid { rows: 3, columns: 4, ..Grid::default() };
        let (start, end) = (Cell { row: 1, column: 0 }, Cell { row: 1, column: 3 });
        let mut map = Map::empty(grid);
        map.blocked[grid.number(Cell { row: 1, column: 1 })] = true;
        map.blocked[grid.number(Cell { row: 1, column: 2 })] = true;
        let request = Request { start, end, blocked: &map.blocked, risk: &[0; 12] };
        let mut random = stream(1, "ties", 0);
        let mut seen: BTreeMap<Vec<Cell>, usize> = BTreeMap::new();
        for _ in 0..1000 {
            *seen.entry(random_shortest(&grid, &request, &mut random).unwrap()).or_default() += 1;
        }
        assert_eq!(seen.len(), 2);
        assert!(seen.values().all(|count| (430..570).contains(count)), "{seen:?}");
        map.blocked[grid.number(Cell { row: 2, column: 2 })] = true;
        map.blocked[grid.number(Cell { row: 0, column: 2 })] = true;
        let request = Request { start, end, blocked: &map.blocked, risk: &[0; 12] };
        assert_eq!(random_shortest(&grid, &request, &mut random), None);
        assert_eq!(shortest_length(&map, start, end), None);
    }

    /// On an empty square all ways of three diagonal and two straight moves are there.
    #[test]
    fn ways_are_counted() {
        let grid = Grid::default();
        let (start, end) = (Cell { row: 2, column: 3 }, Cell { row: 7, column: 6 });
        let map = Map::empty(grid);
        let request = Request { start, end, blocked: &map.blocked, risk: &[0; 100] };
        let mut random = stream(2, "ties", 0);
        let mut seen: BTreeMap<Vec<Cell>, usize> = BTreeMap::new();
        for _ in 0..5000 {
            *seen.entry(random_shortest(&grid, &request, &mut random).unwrap()).or_default() += 1;
        }
        // 10 with three moves to the right and two ahead, 5 with four to the right and one to the left.
        assert_eq!(seen.len(), 15);
        assert!(seen.values().all(|count| (240..430).contains(count)), "{seen:?}");
    }

    #[test]
    fn drawn_paths_are_shortest() {
        let grid = Grid::default();
        for (item, (map, shown)) in trials(&grid, 0.3, 4, 200).iter().enumerate() {
            let request =
                Request { start: shown.start, end: shown.end, blocked: &map.blocked, risk: &[0; 100] };
            let path = random_shortest(&grid, &request, &mut stream(3, "ties", item as u64)).unwrap();
            assert!(is_connected(&path, shown.start, shown.end));
            assert!(path.iter().all(|cell| !map.is_blocked(*cell)));
            assert_eq!(path.len(), shown.path.len());
            assert_eq!(shortest_length(map, shown.start, shown.end), Some(path.len()));
        }
    }

    #[test]
    fn priors_are_shares() {
        let grid = Grid { rows: 1, columns: 2, ..Grid::default() };
        let [mut a, b] = [Map::empty(grid), Map::empty(grid)];
        a.blocked[1] = true;
        assert_eq!(prior(&[&a, &b, &b]), Some(vec![0.125, 0.375]));
        assert_eq!(prior(&[]), None);
    }
}
