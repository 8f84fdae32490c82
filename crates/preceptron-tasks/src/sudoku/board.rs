//! One board, read from pictures and solved by rules that were learned: the likeliest solution, whether
//! there is another with the same givens, and why a cell holds what it holds.

use preceptron::{Views, look};
use preceptron_learn::Propagator;
use preceptron_logic::{Lit, Problem, RuleSet, UnknownName};
use preceptron_perceive::{PerceiveError, Perception, Probabilities, Shape};
use preceptron_reason::{
    Backend, Limits, Piece, Query, ReasonError, Reasoner, STEPS, Solution, Status, Strength, TieBreak,
};

use super::reading::Reading;
use super::{CellPictures, side, variable, variables_with_box};
use crate::mnist;

/// Reads the digits of a board's givens.
///
/// # Errors
/// If the network takes other pictures.
pub fn read_cells(cells: &CellPictures, perception: &dyn Perception) -> Result<Vec<Reading>, PerceiveError> {
    let pixels: Vec<u8> = cells.iter().flatten().flatten().copied().collect();
    let shape = Shape::new(1, mnist::SIDE, mnist::SIDE);
    let values = look(Views::Nine, shape, &pixels, perception)?;
    let probabilities = Probabilities::new(perception.classes(), values);
    let given = (0..cells.len()).filter(|&cell| cells[cell].is_some());
    Ok(given.zip(probabilities.rows()).map(|(cell, row)| Reading::of_row(cell, row)).collect())
}

/// Solves boards by rules.
pub struct BoardSolver {
    order: usize,
    reasoner: Box<dyn Reasoner>,
    limits: Limits,
}

/// Why rules cannot solve boards.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// They are about something else.
    #[error("the rules are not about such boards: {0}")]
    Rules(#[from] UnknownName),
    /// They cannot be loaded.
    #[error(transparent)]
    Reason(#[from] ReasonError),
}

/// What a digit follows from; none of it can be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grounds {
    /// Rules, by their places in the rule set.
    pub rules: Vec<usize>,
    /// Cells whose digits are known.
    pub cells: Vec<usize>,
}

/// Why a cell holds its digit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// Rules and givens leave no other digit.
    Forced(Grounds),
    /// Others are left, but not the one that was read.
    Excluded(u8, Grounds),
    /// Rules and givens leave other digits: this one is the likeliest, or one of several.
    Open,
}

impl BoardSolver {
    /// Makes rules ready. Each answer ends at the limits.
    ///
    /// # Errors
    /// If the rules are not about boards of this order, or cannot be loaded.
    pub fn new(
        order: usize,
        rules: &RuleSet,
        backend: Backend,
        limits: Limits,
    ) -> Result<BoardSolver, BoardError> {
        let problem = Problem::from(rules.over(&variables_with_box(order))?);
        Ok(BoardSolver { order, reasoner: backend.load(problem)?, limits })
    }

    /// The rules, over variables that have boxes.
    pub fn problem(&self) -> &Problem {
        self.reasoner.problem()
    }

    fn literal(&self, cell: usize, digit: u8) -> Lit {
        let side = side(self.order);
        variable(self.order, cell / side, cell % side, digit.into()).positive()
    }

    fn query(&self) -> Query {
        Query { ties: TieBreak::Any, explain: false, limits: self.limits.clone(), ..Query::default() }
    }

    /// The likeliest board that obeys the rules, 0 where a cell has no digit. How sure it is, is told too:
    /// without a board, that there is none or none was found in time.
    ///
    /// # Errors
    /// If the reasoner fails.
    pub fn solve(&mut self, readings: &[Reading]) -> Result<(Status, Option<Vec<u8>>), ReasonError> {
        let mut query = self.query();
        readings.iter().try_for_each(|reading| reading.ask(self.order, &mut query))?;
        self.board(&query)
    }

    /// The likeliest board among those that have other digits in some of the cells that were read than each of these; and how
    /// much less likely than the likeliest digits, in logarithms, every such board is at least. The search ends after so many
    /// conflicts, which does not depend on the machine.
    ///
    /// # Errors
    /// If the reasoner fails.
    pub fn next_likeliest(
        &mut self,
        readings: &[Reading],
        passed: &[Vec<u8>],
        conflicts: u64,
    ) -> Result<(Status, Option<Vec<u8>>, f64), ReasonError> {
        let mut query = self.query();
        query.limits.conflicts = Some(conflicts);
        readings.iter().try_for_each(|reading| reading.ask(self.order, &mut query))?;
        for board in passed {
            let held = readings.iter().filter(|reading| board[reading.cell] > 0);
            query.clauses.push(held.map(|r| !self.literal(r.cell, board[r.cell])).collect());
        }
        let answer = self.reasoner.solve(&query)?;
        let bound = answer.bound as f64 / STEPS;
        let board = answer.solution.map(|solution| self.digits(&solution));
        Ok((answer.status, board, bound))
    }

    /// A bound on how many of the likeliest digits cannot stand in any board that obeys the rules: of more
    /// true variables than a rule allows the rest must go, and no cell counts for two rules.
    pub fn least_repairs(&self, readings: &[Reading]) -> usize {
        let mut free = vec![None; side(self.order).pow(2)];
        readings.iter().for_each(|reading| free[reading.cell] = Some(reading.digit()));
        let mut repairs = 0;
        for rule in self.reasoner.problem().rules.constraints().filter(|rule| rule.gate().is_none()) {
            let Some(most) = rule.sums().greatest() else { continue };
            let is_read = |literal: &&Lit| {
                let cell = literal.var().index() / side(self.order);
                !literal.is_negated()
                    && free[cell].is_some_and(|digit| self.literal(cell, digit) == **literal)
            };
            let cells: Vec<usize> = rule
                .literals()
                .iter()
                .filter(is_read)
                .map(|literal| literal.var().index() / side(self.order))
                .collect();
            if cells.len() > most as usize {
                repairs += cells.len() - most as usize;
                cells.into_iter().for_each(|cell| free[cell] = None);
            }
        }
        repairs
    }

    fn board(&mut self, query: &Query) -> Result<(Status, Option<Vec<u8>>), ReasonError> {
        let answer = self.reasoner.solve(query)?;
        let board = answer.solution.map(|solution| self.digits(&solution));
        Ok((answer.status, board))
    }

    /// The digits of a solution, 0 where a cell has none.
    fn digits(&self, solution: &Solution) -> Vec<u8> {
        let side = side(self.order);
        let digit = |cell| (1..=side as u8).find(|&digit| solution.holds(self.literal(cell, digit)));
        (0..side * side).map(|cell| digit(cell).unwrap_or(0)).collect()
    }

    /// Another board with the same digits in these cells, that obeys the rules; nothing if there is none, and
    /// neither if none was found in time, which the status tells.
    ///
    /// # Errors
    /// If the reasoner fails.
    pub fn another(
        &mut self,
        given: &[usize],
        board: &[u8],
    ) -> Result<(Status, Option<Vec<u8>>), ReasonError> {
        let held = |cell: usize| (board[cell] > 0).then(|| self.literal(cell, board[cell]));
        let fixed = given.iter().filter_map(|&cell| held(cell)).collect();
        let differs = (0..board.len()).filter_map(held).map(|literal| !literal).collect();
        self.board(&Query { fixed, clauses: vec![differs], ..self.query() })
    }

    /// Why a cell holds its digit, given the digits of these cells.
    ///
    /// # Errors
    /// If the reasoner fails.
    ///
    /// # Panics
    /// If the board has no such cell, or no digit in it.
    pub fn why(&mut self, readings: &[Reading], board: &[u8], cell: usize) -> Result<Why, ReasonError> {
        let others = readings.iter().map(|reading| reading.cell).filter(|&other| other != cell);
        let known: Vec<Lit> = others.map(|other| self.literal(other, board[other])).collect();
        let held = self.literal(cell, board[cell]);
        if let Some(grounds) = self.conflict(&known, !held)? {
            return Ok(Why::Forced(grounds));
        }
        let read = readings.iter().find(|reading| reading.cell == cell).map_or(0, Reading::digit);
        if read > 0 && read != board[cell] {
            let read_literal = self.literal(cell, read);
            if let Some(grounds) = self.conflict(&known, read_literal)? {
                return Ok(Why::Excluded(read, grounds));
            }
        }
        Ok(Why::Open)
    }

    /// The last step to a digit that follows from these cells one rule at a time: the rules, and the cells
    /// that were given or followed before. Nothing if it does not follow so.
    ///
    /// # Errors
    /// If the reasoner fails.
    pub fn last_step(
        &mut self,
        given: &[usize],
        board: &[u8],
        cell: usize,
    ) -> Result<Option<Grounds>, ReasonError> {
        let rules = &self.reasoner.problem().rules;
        let propagator = Propagator::new(rules.variables().len(), rules.constraints().cloned());
        let others = given.iter().filter(|&&other| other != cell);
        let mut known: Vec<Lit> = others.map(|&other| self.literal(other, board[other])).collect();
        let held = self.literal(cell, board[cell]);
        let state = propagator.run(known.iter().copied());
        let before: Vec<Lit> = state.fixed().take_while(|&literal| literal != held).collect();
        if state.is_contradiction() || state.value(held.var()) != Some(true) {
            return Ok(None);
        }
        known.extend(before.into_iter().filter(|literal| !literal.is_negated()));
        self.conflict(&known, !held)
    }

    /// Rules, and cells of what is known, that contradict an assumption, none of them to spare. Rules near
    /// the assumption are tried first, since a person follows a few steps more easily than many: one of its
    /// own with its neighbours, then all of its own with theirs, then all there are.
    fn conflict(&mut self, known: &[Lit], assumption: Lit) -> Result<Option<Grounds>, ReasonError> {
        let rules = &self.reasoner.problem().rules;
        let mut of_variable = vec![Vec::new(); rules.variables().len()];
        for (number, rule) in rules.constraints().enumerate() {
            rule.variables().for_each(|var| of_variable[var.index()].push(number));
        }
        let near = |own: &[usize]| {
            let mut near = vec![false; rules.len()];
            let variables = own.iter().flat_map(|&rule| rules.rules()[rule].constraint.variables());
            variables.flat_map(|var| &of_variable[var.index()]).for_each(|&rule| near[rule] = true);
            near
        };
        let own = &of_variable[assumption.var().index()];
        let mut tries: Vec<Vec<bool>> = own.iter().map(|&rule| near(&[rule])).collect();
        let singles = tries.len();
        tries.extend([near(own), vec![true; rules.len()]]);
        let mut best: Option<Grounds> = None;
        for (number, near) in tries.into_iter().enumerate() {
            if number >= singles && best.is_some() {
                break;
            }
            let found = self.conflict_within(&near, known, assumption)?;
            let size = |grounds: &Grounds| grounds.rules.len() + grounds.cells.len();
            if let Some(found) = found
                && best.as_ref().is_none_or(|best| size(&found) < size(best))
            {
                best = Some(found);
            }
        }
        Ok(best)
    }

    fn conflict_within(
        &mut self,
        near: &[bool],
        known: &[Lit],
        assumption: Lit,
    ) -> Result<Option<Grounds>, ReasonError> {
        // A rule that costs nothing to break takes no part.
        let strength = Strength::Each(near.iter().map(|&near| if near { None } else { Some(0) }).collect());
        let fixed = known.iter().copied().chain([assumption]).collect();
        let answer = self.reasoner.solve(&Query { fixed, strength, explain: true, ..self.query() })?;
        let side = side(self.order);
        Ok(answer.conflict.map(|conflict| {
            let mut grounds = Grounds { rules: Vec::new(), cells: Vec::new() };
            for piece in conflict.pieces {
                match piece {
                    Piece::Rule(rule) => grounds.rules.push(rule),
                    Piece::Fixed(literal) if literal != assumption => {
                        grounds.cells.push(literal.var().index() / side);
                    }
                    _ => {}
                }
            }
            grounds
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::{Puzzle, Spread, generate, hard_puzzles, puzzles, reading, true_rules, with_givens};
    use preceptron_base::Quiet;
    use preceptron_reason::Backend;

    fn solver() -> BoardSolver {
        BoardSolver::new(3, &true_rules(3), Backend::Portfolio, Limits::default()).unwrap()
    }

    fn given(puzzle: &Puzzle) -> Vec<usize> {
        (0..81).filter(|&cell| puzzle.givens.digits()[cell] > 0).collect()
    }

    #[test]
    fn boards_with_misread_givens_are_solved() {
        let mut solver = solver();
        for (item, puzzle) in puzzles(3, &Spread::SATNET, 10, 1, &Quiet).unwrap().iter().enumerate() {
            let readings = reading::read(puzzle, item % 2, 1, item);
            let (status, board) = solver.solve(&readings).unwrap();
            assert_eq!((status, board.as_deref()), (Status::Optimal, Some(puzzle.solution.digits())));
            assert_eq!(solver.another(&given(puzzle), &board.unwrap()).unwrap(), (Status::Infeasible, None));
        }
        let open = &with_givens(&generate(3, 1, 1), 15..=15, 1)[0];
        let (_, other) = solver.another(&given(open), open.solution.digits()).unwrap();
        let other = other.unwrap();
        assert_ne!(other, open.solution.digits());
        assert!(given(open).iter().all(|&cell| other[cell] == open.solution.digits()[cell]));
    }

    /// What is named forces the digit, and nothing of it is to spare.
    #[test]
    fn explanations_are_sound_and_minimal() {
        let (mut solver, all) = (solver(), true_rules(3));
        let hard = hard_puzzles().remove(0);
        let easy = puzzles(3, &Spread::SATNET, 1, 1, &Quiet).unwrap().remove(0);
        for (puzzle, step) in [(easy, 9), (hard, 40)] {
            let board = puzzle.solution.digits();
            let readings = reading::read(&puzzle, 0, 1, 1);
            for cell in (0..81).filter(|&cell| puzzle.givens.digits()[cell] == 0).step_by(step) {
                let Why::Forced(Grounds { rules, cells: givens }) =
                    solver.why(&readings, board, cell).unwrap()
                else {
                    panic!("a puzzle with one solution forces every cell");
                };
                let leaves_other = |rules: &[usize], givens: &[usize]| {
                    let literal = |&cell: &usize| solver.literal(cell, board[cell]);
                    let known: Vec<Lit> = givens.iter().map(literal).collect();
                    let assumption = !solver.literal(cell, board[cell]);
                    let chosen = rules.iter().map(|&rule| all.rules()[rule].clone());
                    let part = RuleSet::with_rules(variables_with_box(3), chosen);
                    let mut reasoner = Backend::Batsat.load(Problem::from(part)).unwrap();
                    let fixed = known.into_iter().chain([assumption]).collect();
                    let query = Query { fixed, ties: TieBreak::Any, explain: false, ..Query::default() };
                    reasoner.solve(&query).unwrap().solution.is_some()
                };
                assert!(!leaves_other(&rules, &givens));
                for rule in &rules {
                    let fewer: Vec<usize> = rules.iter().copied().filter(|r| r != rule).collect();
                    assert!(leaves_other(&fewer, &givens));
                }
                for one in &givens {
                    let fewer: Vec<usize> = givens.iter().copied().filter(|g| g != one).collect();
                    assert!(leaves_other(&rules, &fewer));
                }
            }
        }
    }

    #[test]
    fn a_single_step_is_told_as_one() {
        let mut solver = solver();
        let puzzle = puzzles(3, &Spread::SATNET, 1, 1, &Quiet).unwrap().remove(0);
        let board = puzzle.solution.digits();
        let readings = reading::read(&puzzle, 0, 1, 1);
        // A cell that one rule and its neighbours fix needs no more than one rule for each other place.
        let propagator = Propagator::new(729, true_rules(3).constraints().cloned());
        let literals = given(&puzzle).into_iter().map(|cell| solver.literal(cell, board[cell]));
        let first = propagator.run(literals).fixed().find(|literal| !literal.is_negated()).unwrap();
        let why = solver.why(&readings, board, first.var().index() / 9).unwrap();
        assert!(
            matches!(&why, Why::Forced(grounds) if grounds.rules.len() <= 9 && grounds.cells.len() <= 8),
            "{why:?}"
        );
        // And so is the last step to any cell that follows.
        let mut followed = 0;
        for cell in 0..81 {
            if let Some(Grounds { rules, cells }) = solver.last_step(&given(&puzzle), board, cell).unwrap() {
                assert!(rules.len() <= 9 && cells.len() <= 8 && !cells.contains(&cell));
                followed += 1;
            }
        }
        assert!(followed > 50, "{followed}");
    }

    #[test]
    fn a_misread_given_is_excluded_or_forced() {
        let mut solver = solver();
        for (item, puzzle) in puzzles(3, &Spread::SATNET, 10, 2, &Quiet).unwrap().iter().enumerate() {
            let readings = reading::read(puzzle, 1, 1, item);
            let (_, board) = solver.solve(&readings).unwrap();
            let board = board.unwrap();
            let Some(wrong) = readings.iter().find(|r| r.digit() != board[r.cell]) else { continue };
            let why = solver.why(&readings, &board, wrong.cell).unwrap();
            match why {
                Why::Forced(grounds) => assert!(!grounds.cells.contains(&wrong.cell)),
                Why::Excluded(read, _) => assert_eq!(read, wrong.digit()),
                Why::Open => panic!("a given that was read wrongly is in conflict with the others"),
            }
        }
    }
}
