//! What is seen around cells: relative patches, pooled over all cells of all demonstrations.
//!
//! A patch is a cell and its 8 neighbours; for each of these nine there are four variables: whether it is
//! the start, the end, on the path, or an obstacle. A patch is a grid of its own with the cell in its middle
//! at row 0 and column 0, so that `path[row 1, column 0]` is on the path a row ahead of it; a variable of it
//! stands for a term of a relative rule. Beyond the edge of the grid there is nothing: all four are false
//! there, and so they are where relative rules are put on a grid ([`on_grid`](super::on_grid)).
//!
//! Patches have eight images, by turning and mirroring. What is learned from them is assumed to hold in
//! every orientation: this is declared, not learned. Demonstrations alone cannot tell "no path behind the
//! start" from a rule, since they all lead ahead.

use preceptron_learn::Examples;
use preceptron_logic::{Lit, RelativeTerm, Select, Var, Variables};

use super::{Demonstration, Grid, Map};

/// What a variable of a cell says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The path begins here.
    Start,
    /// The path ends here.
    End,
    /// The path leads through here.
    Path,
    /// There is an obstacle.
    Obstacle,
}

impl Kind {
    /// All of them, in the order of the variables.
    pub const ALL: [Kind; 4] = [Kind::Start, Kind::End, Kind::Path, Kind::Obstacle];

    /// The name of its block of variables.
    pub fn name(self) -> &'static str {
        ["start", "end", "path", "obstacle"][self as usize]
    }

    /// Whether it is given with a question; what is not, a plan decides.
    pub fn is_given(self) -> bool {
        self != Kind::Path
    }
}

/// The cells of a patch.
pub(super) const PLACES: usize = 9;
/// The variables of a patch.
pub(super) const SIZE: usize = 4 * PLACES;

/// The four blocks of variables over the same two axes.
pub(super) fn blocks(axes: [(&str, std::ops::RangeInclusive<i64>); 2]) -> Variables {
    Variables::blocks_of(&Kind::ALL.map(|kind| (kind.name(), axes.as_slice())))
}

/// The variables of a patch.
pub fn patch_variables() -> Variables {
    blocks([("row", -1..=1), ("column", -1..=1)])
}

/// The term of a relative rule that each variable of a patch stands for.
pub(super) fn columns() -> Vec<RelativeTerm> {
    let term = |var: u32| {
        let (kind, (row, column)) = placed(Var(var));
        let at = [("row", Select::Offsets(vec![row])), ("column", Select::Offsets(vec![column]))];
        RelativeTerm::new(kind.name(), &at)
    };
    (0..SIZE as u32).map(term).collect()
}

/// The variable of a kind at an offset in rows and columns, each from -1 to 1.
pub(super) fn relative(kind: Kind, (row, column): (i64, i64)) -> Var {
    Var((kind as i64 * PLACES as i64 + (row + 1) * 3 + column + 1) as u32)
}

/// The kind of a patch's variable, and its offset in rows and columns.
pub(super) fn placed(var: Var) -> (Kind, (i64, i64)) {
    let place = var.index() as i64 % PLACES as i64;
    (Kind::ALL[var.index() / PLACES], (place / 3 - 1, place % 3 - 1))
}

/// The literal in each of the eight orientations.
pub(super) fn images(literal: Lit) -> [Lit; 8] {
    let (kind, offset) = placed(literal.var());
    std::array::from_fn(|image| Lit::new(relative(kind, turned(offset, image)), literal.is_negated()))
}

fn turned((mut ahead, mut right): (i64, i64), image: usize) -> (i64, i64) {
    if image & 1 == 1 {
        ahead = -ahead;
    }
    if image & 2 == 2 {
        right = -right;
    }
    if image & 4 == 4 { (right, ahead) } else { (ahead, right) }
}

/// A path that was demonstrated, and what is known or believed of the obstacles.
#[derive(Clone, Copy, Debug)]
pub struct Lesson<'a> {
    /// The path.
    pub demonstration: &'a Demonstration,
    /// Where obstacles are, if anybody knows.
    pub obstacles: Option<&'a Map>,
}

/// The patches around all cells of all lessons, in order.
#[derive(Clone, Debug, Default)]
pub struct Patches {
    /// For each cell the values of its patch's variables as bits.
    values: Vec<u64>,
    /// For each cell whether obstacles are known.
    is_known: Vec<bool>,
}

impl Patches {
    /// The patches of lessons on one grid.
    ///
    /// # Panics
    /// If a cell of a lesson is not on the grid, or a map is of another grid.
    pub fn new(grid: &Grid, lessons: &[Lesson]) -> Patches {
        let mut patches = Patches::default();
        for lesson in lessons {
            patches.add(grid, lesson);
        }
        patches
    }

    fn add(&mut self, grid: &Grid, lesson: &Lesson) {
        let mut is = [(); 4].map(|()| vec![false; grid.len()]);
        let Demonstration { start, end, path } = lesson.demonstration;
        is[Kind::Start as usize][grid.number(*start)] = true;
        is[Kind::End as usize][grid.number(*end)] = true;
        path.iter().for_each(|&cell| is[Kind::Path as usize][grid.number(cell)] = true);
        if let Some(map) = lesson.obstacles {
            assert_eq!(map.blocked.len(), grid.len(), "a map of the grid");
            is[Kind::Obstacle as usize].clone_from(&map.blocked);
        }
        let first = self.values.len();
        self.values.resize(first + grid.len(), 0);
        self.is_known.resize(first + grid.len(), lesson.obstacles.is_some());
        for kind in Kind::ALL {
            for number in (0..grid.len()).filter(|&number| is[kind as usize][number]) {
                let cell = grid.cell(number);
                // Seen from a neighbour at an offset, the cell lies at the opposite one.
                for middle in grid.neighbours(cell).chain([cell]) {
                    let offset =
                        (cell.row as i64 - middle.row as i64, cell.column as i64 - middle.column as i64);
                    self.values[first + grid.number(middle)] |= 1 << relative(kind, offset).0;
                }
            }
        }
    }

    /// How many patches there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Whether obstacles are known in every patch.
    pub fn knows_obstacles(&self) -> bool {
        self.is_known.iter().all(|known| *known)
    }

    /// The patches in whose middle this kind is true.
    #[must_use]
    pub fn given(&self, head: Kind) -> Patches {
        let bit = 1 << relative(head, (0, 0)).0;
        let rows = self.values.iter().zip(&self.is_known).filter(|(values, _)| *values & bit != 0);
        let (values, is_known) = rows.map(|(values, known)| (*values, *known)).unzip();
        Patches { values, is_known }
    }

    /// The patches in all eight orientations.
    #[must_use]
    pub fn turned(&self) -> Patches {
        let moves: [[u32; SIZE]; 8] = {
            let all: Vec<[Lit; 8]> = (0..SIZE as u32).map(|v| images(Var(v).positive())).collect();
            std::array::from_fn(|image| std::array::from_fn(|v| all[v][image].var().0))
        };
        let turn = |values: u64, to: &[u32; SIZE]| {
            (0..SIZE).filter(|v| values >> v & 1 == 1).fold(0, |turned, v| turned | 1 << to[v])
        };
        let values = moves.iter().flat_map(|to| self.values.iter().map(|values| turn(*values, to))).collect();
        Patches { values, is_known: self.is_known.repeat(8) }
    }

    /// How often variables are true at each cell of a grid, if these are the patches of whole lessons on it.
    pub(super) fn counts(&self, grid: &Grid) -> Counts {
        let mut counts = Counts { cells: vec![(0, [0; SIZE]); grid.len()] };
        for (at, (values, _)) in
            self.values.iter().zip(&self.is_known).enumerate().filter(|(_, (_, known))| **known)
        {
            let (patches, of) = &mut counts.cells[at % grid.len()];
            *patches += 1;
            of.iter_mut().enumerate().for_each(|(var, count)| *count += (values >> var & 1) as u32);
        }
        counts
    }

    /// The values of these variables as examples.
    pub fn examples(&self, variables: &[Var]) -> Examples {
        let words = self.len().div_ceil(64);
        let mut values = vec![0u64; words * variables.len()];
        let mut known = vec![0u64; words * variables.len()];
        for (at, var) in variables.iter().enumerate() {
            let is_obstacle = placed(*var).0 == Kind::Obstacle;
            for (row, (patch, is_known)) in self.values.iter().zip(&self.is_known).enumerate() {
                let (word, shift) = (at * words + row / 64, row % 64);
                values[word] |= (patch >> var.0 & 1) << shift;
                known[word] |= u64::from(*is_known || !is_obstacle) << shift;
            }
        }
        Examples::from_columns(self.len(), variables.len(), values, Some(known))
    }

    /// Whether a variable is true in the first patch.
    pub(super) fn is_first(&self, var: Var) -> bool {
        self.values.first().is_some_and(|values| values >> var.0 & 1 == 1)
    }

    /// The variables that are neither true in all patches nor in none.
    pub fn varying(&self) -> Vec<Var> {
        let some = self.values.iter().fold(0, |some, values| some | values);
        let all = self.values.iter().fold(u64::MAX, |all, values| all & values);
        (0..SIZE as u32).map(Var).filter(|var| (some & !all) >> var.0 & 1 == 1).collect()
    }
}

/// For each cell the number of patches in which obstacles are known, and of those in which each variable is true.
pub(super) struct Counts {
    cells: Vec<(u32, [u32; SIZE])>,
}

impl Counts {
    /// How often two literals are to be expected together if at each cell neither knows of the other.
    pub fn together(&self, literals: [Lit; 2]) -> f64 {
        let at = |(patches, of): &(u32, [u32; SIZE])| {
            let count = |literal: Lit| {
                let count = of[literal.var().index()];
                f64::from(if literal.is_negated() { patches - count } else { count })
            };
            literals.map(count).iter().product::<f64>() / f64::from((*patches).max(1))
        };
        self.cells.iter().map(at).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driving::Cell;

    fn cell(row: usize, column: usize) -> Cell {
        Cell { row, column }
    }

    fn lesson() -> (Grid, Demonstration, Map) {
        let grid = Grid { rows: 3, columns: 4, ..Grid::default() };
        let path = vec![cell(0, 0), cell(1, 1), cell(1, 2)];
        let mut map = Map::empty(grid);
        map.blocked[grid.number(cell(0, 1))] = true;
        (grid, Demonstration { start: path[0], end: path[2], path }, map)
    }

    /// Four lessons on a grid of two cells; paths and obstacles are all at the first.
    #[test]
    fn chance_at_each_cell() {
        let grid = Grid { rows: 1, columns: 2, ..Grid::default() };
        let shown = |column| {
            let only = Cell { row: 0, column };
            Demonstration { start: only, end: only, path: vec![only] }
        };
        let maps = [true, false].map(|first| Map { grid, blocked: vec![first, false] });
        let paths = [shown(0), shown(0), shown(0), shown(1)];
        let lesson = |(at, demonstration)| Lesson { demonstration, obstacles: Some(&maps[at % 2]) };
        let mut lessons: Vec<Lesson> = paths.iter().enumerate().map(lesson).collect();
        // Where nothing is known of obstacles, nothing is counted.
        lessons.push(Lesson { demonstration: &paths[0], obstacles: None });
        let counts = Patches::new(&grid, &lessons).counts(&grid);
        let here = |kind| relative(kind, (0, 0)).positive();
        let (path, obstacle) = (here(Kind::Path), here(Kind::Obstacle));
        // By frequencies over both cells it were 4 of 8 times 2 of 8 times 8: 1.
        assert_eq!(counts.together([path, obstacle]), 3.0 * 2.0 / 4.0);
        assert_eq!(counts.together([!path, obstacle]), 2.0 / 4.0);
        assert_eq!(counts.together([path, !obstacle]), 3.0 * 2.0 / 4.0 + 1.0);
    }

    #[test]
    fn patches_say_what_is_around() {
        let (grid, demonstration, map) = lesson();
        let lesson = Lesson { demonstration: &demonstration, obstacles: Some(&map) };
        let patches = Patches::new(&grid, &[lesson]);
        assert_eq!((patches.len(), patches.knows_obstacles()), (12, true));
        let names = patch_variables();
        let all: Vec<Var> = (0..SIZE as u32).map(Var).collect();
        let examples = patches.given(Kind::Path).examples(&all);
        let seen = |row: usize| -> Vec<&str> {
            all.iter().filter(|v| examples.get(row, **v) == Some(true)).map(|v| names.name(*v)).collect()
        };
        assert_eq!(examples.len(), 3);
        assert_eq!(
            seen(0),
            [
                "start[row 0, column 0]",
                "path[row 0, column 0]",
                "path[row 1, column 1]",
                "obstacle[row 0, column 1]"
            ]
        );
        assert_eq!(
            seen(1),
            [
                "start[row -1, column -1]",
                "end[row 0, column 1]",
                "path[row -1, column -1]",
                "path[row 0, column 0]",
                "path[row 0, column 1]",
                "obstacle[row -1, column 0]"
            ]
        );
    }

    #[test]
    fn obstacles_that_nobody_knows_are_not_observed() {
        let (grid, demonstration, _) = lesson();
        let patches = Patches::new(&grid, &[Lesson { demonstration: &demonstration, obstacles: None }]);
        assert!(!patches.knows_obstacles());
        let (path, obstacle) = (relative(Kind::Path, (0, 0)), relative(Kind::Obstacle, (0, 0)));
        let examples = patches.examples(&[path, obstacle]);
        assert_eq!((examples.get(0, Var(0)), examples.get(0, Var(1))), (Some(true), None));
    }

    #[test]
    fn eight_different_images() {
        let knight = relative(Kind::Path, (-1, 0)).positive();
        let mut seen: Vec<Lit> = images(knight).to_vec();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 4, "a side has four images, each twice");
        for var in (0..SIZE as u32).map(Var) {
            assert_eq!(relative(placed(var).0, placed(var).1), var);
            assert_eq!(images(var.negative())[0], var.negative());
        }
        let (grid, demonstration, map) = lesson();
        let lesson = Lesson { demonstration: &demonstration, obstacles: Some(&map) };
        let patches = Patches::new(&grid, &[lesson]);
        assert_eq!(patches.turned().len(), 96);
        let count = |p: &Patches| p.values.iter().map(|v| v.count_ones()).sum::<u32>();
        assert_eq!(count(&patches.turned()), 8 * count(&patches));
    }
}
