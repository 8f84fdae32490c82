//! Path grids: the cheapest way through a square in which obstacles are read by an uncertain classifier.
//!
//! For each cell there is a variable `path[row, column]`, the path uses the cell, and a variable
//! `obstacle[row, column]`. A cell's neighbours are the up to 8 around it.
//!
//! ```text
//! path_ij              ->  exactly 2 of its neighbours' path variables
//! path_ij, an end      ->  exactly 1 of them, and path_ij is true
//! path_ij + obstacle_ij <= 1
//! minimise  1000 * (number of path cells) - sum of 1000 ln P(what the obstacle variables say)
//! ```
//!
//! *The optimum is the cheapest path.* The cells used form a graph in which the two ends have one
//! neighbour and all others two: one path between the ends, and perhaps loops that touch neither it nor
//! each other. Each cell used costs its length, which is positive, so to leave out a loop costs less. Nor
//! do the rules forbid the cheapest path: they ask that none of its cells touch another but the one before
//! and the one after, and at any other touch a shortcut would leave out at least one cell and cost less.
//! So [`PathGrid::shortest_path_cost`], Dijkstra's algorithm over cells, judges what a reasoner finds in
//! [`PathGrid::problem`]. The rules pose problems to a reasoner; no learner is to see them.

mod shortest;

use preceptron_logic::{Body, Constraint, Lit, Problem, Rule, RuleSet, Soft, Var, Variables};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use preceptron_base::stream;

/// What each cell of a path costs.
pub const LENGTH: i64 = 1000;

/// How often a cell is an obstacle.
const DENSITY: f64 = 0.22;

/// A square with two ends, and what a classifier says of the obstacles in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathGrid {
    side: usize,
    start: usize,
    end: usize,
    /// For each cell, row by row, 1000 times the logarithm of the odds against an obstacle: what an
    /// obstacle costs there if positive, and what no obstacle costs if negative.
    evidence: Vec<i64>,
}

impl PathGrid {
    /// A random grid that depends only on side, seed and item: the start is in the first column, the end
    /// in the last, a bit more than a fifth of the other cells are obstacles, and the classifier is
    /// confident and right of most cells, uncertain of some, and wrong of a few.
    ///
    /// # Panics
    /// If the side is below 2: the ends are two cells.
    pub fn generate(side: usize, seed: u64, item: usize) -> PathGrid {
        assert!(side >= 2, "a path grid of side {side}: the ends are two cells");
        let random = &mut stream(seed, "path grid", item as u64);
        let start = random.random_range(0..side) * side;
        let end = random.random_range(0..side) * side + side - 1;
        let evidence = (0..side * side)
            .map(|cell| evidence(random.random_bool(DENSITY) && cell != start && cell != end, random))
            .collect();
        PathGrid { side, start, end, evidence }
    }

    /// The variables: `path[row, column]` for each cell, then `obstacle[row, column]`.
    pub fn variables(&self) -> Variables {
        let axes = [("row", 1..=self.side as i64), ("column", 1..=self.side as i64)];
        Variables::blocks_of(&[("path", &axes), ("obstacle", &axes)])
    }

    /// The grid as a problem in which all rules are hard. Its optimum costs
    /// [`PathGrid::shortest_path_cost`].
    pub fn problem(&self) -> Problem {
        let mut problem = self.without_degrees();
        for degree in self.degrees() {
            problem.rules.insert(Rule::given(degree));
        }
        problem
    }

    /// The problem in the paper's form: how many neighbours a cell of the path has is a soft rule, and
    /// each violation costs `weight`. Once that is as much as the shortest path, the optimum is the same.
    pub fn soft_problem(&self, weight: u64) -> Problem {
        let soft = self.degrees().map(|degree| Soft { weight, body: Body::Cardinality(degree) });
        Problem { soft: soft.collect(), ..self.without_degrees() }
    }

    /// An assignment as a picture, a line for each row: `S` and `E` are the ends, `*` the path, `#` an
    /// obstacle, `X` a path through an obstacle.
    ///
    /// # Panics
    /// If the assignment has not a value for each variable.
    pub fn draw(&self, assignment: &[bool]) -> String {
        let cells = self.side * self.side;
        assert_eq!(assignment.len(), 2 * cells, "a value for each variable");
        let mark = |cell: usize| match (assignment[cell], assignment[cells + cell]) {
            (true, true) => 'X',
            (true, false) if cell == self.start => 'S',
            (true, false) if cell == self.end => 'E',
            (true, false) => '*',
            (false, true) => '#',
            (false, false) => '.',
        };
        let marks: Vec<char> = (0..cells).map(mark).collect();
        marks.chunks(self.side).map(|row| row.iter().collect::<String>() + "\n").collect()
    }

    /// The problem but for the rules on numbers of neighbours.
    fn without_degrees(&self) -> Problem {
        let ends = [self.start, self.end].map(|cell| Constraint::exactly(1, [self.path(cell)]));
        let cells = 0..self.side * self.side;
        let apart = cells.clone().map(|cell| Constraint::at_most(1, [self.path(cell), self.obstacle(cell)]));
        let rules = RuleSet::with_rules(self.variables(), ends.into_iter().chain(apart).map(Rule::given));
        let mut objective: Vec<(i64, Lit)> = cells.map(|cell| (LENGTH, self.path(cell))).collect();
        for (cell, &evidence) in self.evidence.iter().enumerate().filter(|(_, e)| **e != 0) {
            let obstacle = self.obstacle(cell);
            objective.push((evidence.abs(), if evidence > 0 { obstacle } else { !obstacle }));
        }
        Problem { objective, ..Problem::from(rules) }
    }

    /// For each cell the rule on the number of its neighbours that are on the path.
    fn degrees(&self) -> impl Iterator<Item = Constraint> {
        (0..self.side * self.side).map(|cell| {
            let count = if cell == self.start || cell == self.end { 1 } else { 2 };
            Constraint::exactly(count, self.neighbours(cell).map(|n| self.path(n))).gated(self.path(cell))
        })
    }

    fn path(&self, cell: usize) -> Lit {
        Var(cell as u32).positive()
    }

    fn obstacle(&self, cell: usize) -> Lit {
        Var((self.side * self.side + cell) as u32).positive()
    }

    /// The up to 8 cells around one.
    fn neighbours(&self, cell: usize) -> impl Iterator<Item = usize> {
        let side = self.side;
        let around = move |at: usize| at.saturating_sub(1)..(at + 2).min(side);
        let all = around(cell / side).flat_map(move |row| around(cell % side).map(move |c| row * side + c));
        all.filter(move |&other| other != cell)
    }
}

/// What a classifier says of a cell: 1000 times the logarithm of the odds against an obstacle.
fn evidence(obstacle: bool, random: &mut ChaCha8Rng) -> i64 {
    let right: f64 = match random.random_range(0..100) {
        0..75 => 1.0 - 10f64.powf(random.random_range(-4.0..-1.3)),
        75..94 => random.random_range(0.5..0.95),
        _ => random.random_range(0.03..0.5),
    };
    let odds = (1000.0 * (right / (1.0 - right)).ln()).round() as i64;
    if obstacle { -odds } else { odds }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_depends_on_side_seed_and_item_alone() {
        let grid = PathGrid::generate(10, 3, 7);
        assert_eq!(PathGrid::generate(10, 3, 7), grid);
        assert_ne!(PathGrid::generate(10, 3, 8), grid);
        assert_ne!(PathGrid::generate(10, 4, 7), grid);
    }

    #[test]
    fn problems_have_a_rule_of_each_kind_for_each_cell() {
        let grid = PathGrid::generate(5, 1, 0);
        let problem = grid.problem();
        let variables = problem.rules.variables();
        assert_eq!((variables.len(), problem.rules.len()), (50, 52));
        assert_eq!(variables.find("path[row 2, column 3]"), Some(grid.path(7).var()));
        assert_eq!(variables.find("obstacle[row 5, column 5]"), Some(grid.obstacle(24).var()));
        let mut sizes: Vec<usize> =
            problem.rules.constraints().filter(|c| c.gate().is_some()).map(Constraint::len).collect();
        sizes.sort_unstable();
        assert_eq!(sizes, [vec![3; 4], vec![5; 12], vec![8; 9]].concat());
        assert!(problem.objective.iter().all(|(price, _)| *price > 0));

        let soft = grid.soft_problem(9);
        assert_eq!((soft.rules.len(), soft.soft.len()), (27, 25));
        assert!(soft.soft.iter().all(|s| s.weight == 9));
        assert_eq!(soft.objective, problem.objective);
    }

    /// About three quarters of the logarithms are above 3 in size, an eighth below 1, and a quarter speak
    /// for an obstacle.
    #[test]
    fn classifiers_are_mostly_confident() {
        let grid = PathGrid::generate(100, 1, 0);
        let share = |is: &dyn Fn(i64) -> bool| grid.evidence.iter().filter(|e| is(**e)).count() / 100;
        assert!((20..30).contains(&share(&|e| e < 0)));
        assert!((70..80).contains(&share(&|e| e.abs() > 3000)));
        assert!((9..16).contains(&share(&|e| e.abs() < 1000)));
        assert!(grid.evidence.iter().all(|e| e.abs() < 9300));
    }

    #[test]
    fn pictures_show_path_and_obstacles() {
        let grid = PathGrid { side: 3, start: 0, end: 5, evidence: vec![0; 9] };
        let mut assignment = vec![false; 18];
        for on in [0, 4, 5, 7, 9 + 2, 9 + 7] {
            assignment[on] = true;
        }
        assert_eq!(grid.draw(&assignment), "S.#\n.*E\n.X.\n");
    }
}
