//! The solutions of a nonogram, by a solver made for nonograms: it draws boards with one solution, and its
//! answers are what those of learned rules are held against.
//!
//! Lines are filled in until nothing changes; then a cell is tried both ways.

use super::Nonogram;
use super::line_judge::{Known, fill};

/// What a search for solutions found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The pictures, as many as were asked for at the most.
    pub pictures: Vec<Vec<bool>>,
    /// Whether the search came to its end: there are no others, or enough were found.
    pub is_complete: bool,
}

/// Up to `most` pictures with these clues; the search tries a cell `budget` times at the most.
pub fn solutions(nonogram: &Nonogram, most: usize, budget: usize) -> Count {
    let mut search = Search::new(nonogram, most, budget);
    let cells = vec![None; nonogram.rows.len() * nonogram.columns.len()];
    search.explore(cells, (0..nonogram.rows.len() + nonogram.columns.len()).collect());
    Count { pictures: search.pictures, is_complete: search.tries <= budget }
}

struct Search {
    height: usize,
    width: usize,
    /// Of rows, then of columns, without runs of length 0.
    clues: Vec<Vec<usize>>,
    most: usize,
    budget: usize,
    tries: usize,
    pictures: Vec<Vec<bool>>,
}

impl Search {
    fn new(nonogram: &Nonogram, most: usize, budget: usize) -> Search {
        let clue = |clue: &Vec<usize>| clue.iter().copied().filter(|&run| run > 0).collect();
        Search {
            height: nonogram.rows.len(),
            width: nonogram.columns.len(),
            clues: nonogram.rows.iter().chain(&nonogram.columns).map(clue).collect(),
            most,
            budget,
            tries: 0,
            pictures: Vec::new(),
        }
    }

    /// The places of a line's cells.
    fn places(&self, line: usize) -> Vec<usize> {
        match line < self.height {
            true => (line * self.width..(line + 1) * self.width).collect(),
            false => (0..self.height).map(|row| row * self.width + line - self.height).collect(),
        }
    }

    /// Fills in lines until nothing changes; false if one has no room for its runs.
    fn propagate(&self, cells: &mut [Known], mut lines: Vec<usize>) -> bool {
        let mut waits = vec![false; self.clues.len()];
        lines.iter().for_each(|&line| waits[line] = true);
        while let Some(line) = lines.pop() {
            waits[line] = false;
            let places = self.places(line);
            let mut own: Vec<Known> = places.iter().map(|&place| cells[place]).collect();
            if !fill(&mut own, &self.clues[line]) {
                return false;
            }
            for (place, cell) in places.into_iter().zip(own) {
                if cells[place] == cell {
                    continue;
                }
                cells[place] = cell;
                let crossing = match line < self.height {
                    true => self.height + place % self.width,
                    false => place / self.width,
                };
                if !waits[crossing] {
                    waits[crossing] = true;
                    lines.push(crossing);
                }
            }
        }
        true
    }

    fn explore(&mut self, mut cells: Vec<Known>, lines: Vec<usize>) {
        if self.pictures.len() >= self.most || self.tries > self.budget || !self.propagate(&mut cells, lines)
        {
            return;
        }
        // A cell beside those that are known decides more than one in the open.
        let known = |place: usize| {
            let (row, column) = (place / self.width, place % self.width);
            let beside = [
                (row > 0).then(|| place - self.width),
                (row + 1 < self.height).then(|| place + self.width),
                (column > 0).then(|| place - 1),
                (column + 1 < self.width).then(|| place + 1),
            ];
            beside.into_iter().filter(|place| place.is_none_or(|place| cells[place].is_some())).count()
        };
        let open = (0..cells.len()).filter(|&place| cells[place].is_none());
        let Some(place) = open.max_by_key(|&place| (known(place), std::cmp::Reverse(place))) else {
            self.pictures.push(cells.iter().map(|&cell| cell == Some(true)).collect());
            return;
        };
        for black in [true, false] {
            self.tries += 1;
            let mut tried = cells.clone();
            tried[place] = Some(black);
            self.explore(tried, vec![place / self.width, self.height + place % self.width]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The plain twin goes through all pictures.
    #[test]
    fn all_pictures_are_found() {
        for picture in (0..1usize << 12).step_by(37) {
            let bits = |picture: usize| (0..12).map(|at| picture >> at & 1 == 1).collect::<Vec<bool>>();
            let nonogram = Nonogram::of(3, 4, &bits(picture));
            let mut found = solutions(&nonogram, usize::MAX, usize::MAX);
            let mut plain: Vec<Vec<bool>> =
                (0..1 << 12).map(bits).filter(|bits| Nonogram::of(3, 4, bits) == nonogram).collect();
            assert!(found.is_complete);
            found.pictures.sort();
            plain.sort();
            assert_eq!(found.pictures, plain);
        }
    }

    #[test]
    fn a_search_ends_when_it_has_enough_or_its_budget_is_spent() {
        // One black cell in each row and column: many pictures.
        let nonogram = Nonogram { rows: vec![vec![1]; 6], columns: vec![vec![1]; 6] };
        let two = solutions(&nonogram, 2, 1000);
        assert_eq!((two.pictures.len(), two.is_complete), (2, true));
        assert!(!solutions(&nonogram, usize::MAX, 10).is_complete);
        assert!(
            solutions(&Nonogram { rows: vec![vec![2]], columns: vec![vec![1]] }, 2, 10).pictures.is_empty()
        );
    }
}
