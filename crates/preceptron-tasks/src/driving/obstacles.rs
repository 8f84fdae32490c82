//! Which cells are blocked, from labels.
//!
//! A cell is blocked if the rectangle that an object covers on the ground (its box from above, turned as the
//! object is) has a part of positive area in it. The cell where the car stands is cleared, for the car is
//! there.
//!
//! [`Counted::Evaluated`] counts the three classes that KITTI's benchmark evaluates: cars, pedestrians and
//! cyclists. Over KITTI's 7,481 training frames that gives 4.66 objects and 5.13 blocked cells in a frame, 4.83
//! once the start is cleared, which 30% of the frames touch. [`Counted::All`] counts every labelled object:
//! 5.42 objects, 6.24 cells, 5.91 once the start is cleared, which 33% touch.

use preceptron_base::choices;

use super::{Grid, Label, Map};

choices! {
    /// Which objects block cells.
    pub enum Counted: Evaluated {
        /// Cars, pedestrians and cyclists, as KITTI's benchmark evaluates.
        Evaluated = "evaluated",
        /// Every labelled object.
        All = "all",
    }
}

impl Counted {
    /// Whether an object blocks cells.
    pub fn counts(self, label: &Label) -> bool {
        let is_evaluated =
            ["Car", "Pedestrian", "Cyclist"].iter().any(|k| label.kind.eq_ignore_ascii_case(k));
        label.is_object() && (self == Counted::All || is_evaluated)
    }
}

/// The blocked cells, the one where the car stands too.
pub fn covered(labels: &[Label], grid: Grid, counted: Counted) -> Map {
    let mut map = Map::empty(grid);
    for label in labels.iter().filter(|label| counted.counts(label) && label.has_box()) {
        let footprint = label.footprint();
        for number in 0..grid.len() {
            map.blocked[number] = map.blocked[number] || overlaps(&footprint, &sides(grid, number));
        }
    }
    map
}

/// The blocked cells; where the car stands is free.
pub fn obstacle_map(labels: &[Label], grid: Grid, counted: Counted) -> Map {
    let mut map = covered(labels, grid, counted);
    let start = grid.number(grid.start());
    if let Some(blocked) = map.blocked.get_mut(start) {
        *blocked = false;
    }
    map
}

/// The corners (x, z) of a cell in order around it.
fn sides(grid: Grid, number: usize) -> [[f64; 2]; 4] {
    let cell = grid.cell(number);
    let (x, z) = grid.centre(cell);
    let half = |[from, to]: [f64; 2], count: usize| (to - from) / count as f64 / 2.0;
    let (dx, dz) = (half(grid.x, grid.columns), half(grid.z, grid.rows));
    [[x - dx, z - dz], [x + dx, z - dz], [x + dx, z + dz], [x - dx, z + dz]]
}

/// Whether two rectangles share a part of positive area: no side of either separates them.
fn overlaps(one: &[[f64; 2]; 4], other: &[[f64; 2]; 4]) -> bool {
    let axes = [one, other]
        .into_iter()
        .flat_map(|r| [(0, 1), (1, 2)].map(|(a, b)| [r[b][0] - r[a][0], r[b][1] - r[a][1]]));
    let reach = |corners: &[[f64; 2]; 4], axis: [f64; 2]| {
        let along = corners.map(|[x, z]| x * axis[0] + z * axis[1]);
        (along.into_iter().fold(f64::MAX, f64::min), along.into_iter().fold(f64::MIN, f64::max))
    };
    axes.into_iter().all(|axis| {
        let ((low, high), (from, to)) = (reach(one, axis), reach(other, axis));
        let least = 1e-9 * (axis[0].abs() + axis[1].abs());
        low < to - least && from < high - least
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driving::Cell;
    use proptest::prelude::*;

    fn object(kind: &str, x: f64, z: f64, width: f64, length: f64, rotation: f64) -> Label {
        let line = format!("{kind} 0 0 0 0 0 1 1 1.5 {width} {length} {x} 1.65 {z} {rotation}");
        Label::parse(&line).unwrap()
    }

    fn blocked(map: &Map) -> Vec<(usize, usize)> {
        let cells = (0..map.grid.len()).filter(|&n| map.blocked[n]).map(|n| map.grid.cell(n));
        cells.map(|Cell { row, column }| (row, column)).collect()
    }

    #[test]
    fn objects_block_what_they_stand_on() {
        let grid = Grid::default();
        let labels = [
            object("Car", 5.0, 25.0, 2.0, 4.0, 0.0),
            object("Car", 19.0, 45.0, 1.0, 4.0, 0.0),
            object("Truck", -5.0, 65.0, 2.0, 4.0, 0.0),
            object("DontCare", -25.0, 65.0, 2.0, 4.0, 0.0),
            object("Pedestrian", 5.0, 5.0, 0.5, 0.5, 0.0),
            object("Car", 500.0, 5.0, 2.0, 4.0, 0.0),
        ];
        let map = obstacle_map(&labels, grid, Counted::Evaluated);
        assert_eq!(blocked(&map), [(3, 5), (5, 6), (5, 7)]);
        assert_eq!(blocked(&covered(&labels, grid, Counted::Evaluated))[0], (1, 5));
        assert_eq!(blocked(&obstacle_map(&labels, grid, Counted::All)).last(), Some(&(7, 4)));
        // Touching from outside is not standing on.
        let beside = [object("Car", 12.0, 25.0, 2.0, 4.0, 0.0)];
        assert_eq!(blocked(&obstacle_map(&beside, grid, Counted::All)), [(3, 6)]);
    }

    proptest! {
        /// Against points all over the object.
        #[test]
        fn as_points_say(x in -60.0..60.0f64, z in -20.0..100.0f64, width in 0.3..4.0f64, length in 0.3..20.0f64, turn in -4.0..4.0f64) {
            let grid = Grid::default();
            let label = object("Car", x, z, width, length, turn);
            let map = covered(std::slice::from_ref(&label), grid, Counted::All);
            let [a, b, _, d] = label.footprint();
            let mut hit = vec![0; grid.len()];
            for i in 0..60 {
                for j in 0..60 {
                    let (s, t) = ((f64::from(i) + 0.5) / 60.0, (f64::from(j) + 0.5) / 60.0);
                    let point = [0, 1].map(|k| a[k] + s * (b[k] - a[k]) + t * (d[k] - a[k]));
                    if let Some(cell) = grid.at(point[0], point[1]) {
                        hit[grid.number(cell)] += 1;
                    }
                }
            }
            for (number, hits) in hit.into_iter().enumerate() {
                prop_assert!(hits == 0 || map.blocked[number], "a point is on it");
                // What reaches half a metre into a cell has a point there: points are closer than that.
                let inner = sides(grid, number).map(|[px, pz]| {
                    let (cx, cz) = grid.centre(grid.cell(number));
                    [px - 0.5 * (px - cx).signum(), pz - 0.5 * (pz - cz).signum()]
                });
                prop_assert!(hits > 0 || !overlaps(&label.footprint(), &inner), "no point is on it");
            }
        }
    }
}
