//! The cheapest path by Dijkstra's algorithm, where cells cost and steps are free.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{LENGTH, PathGrid};

impl PathGrid {
    /// What the cheapest path costs: for each of its cells, the ends too, the length and what it costs
    /// that no obstacle is there. Other cells cost nothing, since they are what the classifier says.
    pub fn shortest_path_cost(&self) -> i64 {
        self.shortest_path().0
    }

    /// What the cheapest path costs, and an assignment that it gives: the path is free of obstacles, and
    /// elsewhere they are where they are more likely than not.
    pub fn shortest_path(&self) -> (i64, Vec<bool>) {
        let cells = self.side * self.side;
        let mut best = vec![(i64::MAX, self.start); cells];
        best[self.start].0 = self.cell_cost(self.start);
        let mut open = BinaryHeap::from([(Reverse(best[self.start].0), self.start)]);
        while let Some((Reverse(cost), cell)) = open.pop() {
            if cost > best[cell].0 {
                continue;
            }
            for next in self.neighbours(cell) {
                let through = cost + self.cell_cost(next);
                if through < best[next].0 {
                    best[next] = (through, cell);
                    open.push((Reverse(through), next));
                }
            }
        }
        let likely = self.evidence.iter().map(|&evidence| evidence < 0);
        let mut assignment: Vec<bool> = vec![false; cells].into_iter().chain(likely).collect();
        let mut cell = self.end;
        loop {
            assignment[cell] = true;
            assignment[cells + cell] = false;
            if cell == self.start {
                return (best[self.end].0, assignment);
            }
            cell = best[cell].1;
        }
    }

    /// What a cell costs on the path beyond what it costs elsewhere.
    fn cell_cost(&self, cell: usize) -> i64 {
        LENGTH + (-self.evidence[cell]).max(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::{Problem, Var};

    /// The cheapest continuation of a path over cells that it does not have yet, by trying all.
    fn cheapest(grid: &PathGrid, cell: usize, used: &mut Vec<bool>) -> Option<i64> {
        let rest = if cell == grid.end {
            Some(0)
        } else {
            used[cell] = true;
            let next: Vec<usize> = grid.neighbours(cell).filter(|&n| !used[n]).collect();
            let rest = next.into_iter().filter_map(|n| cheapest(grid, n, used)).min();
            used[cell] = false;
            rest
        };
        rest.map(|rest| rest + grid.cell_cost(cell))
    }

    /// The least cost of all assignments of this many variables, the others being as `rest` says.
    fn least(problem: &Problem, free: usize, rest: impl Fn(u32, usize) -> bool) -> i128 {
        let cost = |bits: u32| {
            problem.cost(|v: Var| if v.index() < free { bits >> v.0 & 1 == 1 } else { rest(bits, v.index()) })
        };
        (0..1 << free).filter_map(cost).min().expect("there is a path")
    }

    #[test]
    fn the_cheapest_of_all_paths() {
        for (side, items) in [(2, 20), (3, 20), (4, 2)] {
            for item in 0..items {
                let grid = PathGrid::generate(side, 5, item);
                let plain = cheapest(&grid, grid.start, &mut vec![false; side * side]);
                assert_eq!(Some(grid.shortest_path_cost()), plain, "side {side}, item {item}");
            }
        }
    }

    #[test]
    fn the_optimum_over_all_assignments() {
        for (side, items) in [(2, 20), (3, 2)] {
            for item in 0..items {
                let grid = PathGrid::generate(side, 6, item);
                let cost = i128::from(grid.shortest_path_cost());
                assert_eq!(least(&grid.problem(), 2 * side * side, |_, _| false), cost, "item {item}");
            }
        }
    }

    /// Given the path, each obstacle variable has its own best value, so only paths need to be tried.
    #[test]
    fn the_optimum_over_all_sets_of_path_cells() {
        for (side, items) in [(3, 20), (4, 4)] {
            for item in 0..items {
                let grid = PathGrid::generate(side, 7, item);
                let cells = side * side;
                let likely =
                    |bits: u32, v: usize| grid.evidence[v - cells] < 0 && bits >> (v - cells) & 1 == 0;
                let cost = i128::from(grid.shortest_path_cost());
                assert_eq!(least(&grid.problem(), cells, likely), cost, "side {side}, item {item}");
                let soft = |weight| least(&grid.soft_problem(weight), cells, likely);
                assert_eq!(soft(cost as u64), cost, "side {side}, item {item}");
                // At no price the ends alone are the cheapest.
                let ends = grid.cell_cost(grid.start) + grid.cell_cost(grid.end);
                assert_eq!(soft(0), i128::from(ends), "side {side}, item {item}");
            }
        }
    }

    #[test]
    fn the_cheapest_path_obeys_the_rules() {
        for (side, item) in [(2, 0), (5, 1), (10, 2), (30, 3)] {
            let grid = PathGrid::generate(side, 8, item);
            let (cost, assignment) = grid.shortest_path();
            let value = |v: Var| assignment[v.index()];
            assert_eq!(grid.problem().cost(value), Some(i128::from(cost)), "{}", grid.draw(&assignment));
            assert_eq!(grid.soft_problem(1).cost(value), Some(i128::from(cost)));
        }
    }
}
