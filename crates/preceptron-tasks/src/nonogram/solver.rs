//! Boards of any size solved by relative rules.

use std::fmt;

use preceptron_logic::{Constraint, Lit, Problem, RelativeRule, Rule, RuleSet, Var, Variables};
use preceptron_reason::{Backend, Limits, Query, ReasonError, Status, TieBreak};

use super::Nonogram;
use super::line::{NotOfNonograms, domain, rules_of};

/// A row or a column, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LineName {
    /// A row.
    Row(usize),
    /// A column.
    Column(usize),
}

impl fmt::Display for LineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineName::Row(row) => write!(f, "row {}", row + 1),
            LineName::Column(column) => write!(f, "column {}", column + 1),
        }
    }
}

/// What rules say of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solved {
    /// Pictures that the rules allow; whether there are no others.
    Pictures(Vec<Vec<bool>>, bool),
    /// The rules allow none: these lines cannot hold together, but could without any one of them.
    Clash(Vec<LineName>),
    /// A limit ended the search before anything was known.
    Unknown,
}

/// Relative rules, ready to be written out for a board.
#[derive(Clone, Debug)]
pub struct Solver {
    rules: Vec<RelativeRule>,
    limits: Limits,
}

impl Solver {
    /// Takes relative rules.
    ///
    /// # Errors
    /// If they are rules of something else.
    pub fn new(rules: &RuleSet) -> Result<Solver, NotOfNonograms> {
        Ok(Solver { rules: rules_of(rules)?.to_vec(), limits: Limits::default() })
    }

    /// The same with limits on each search.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Solver {
        self.limits = limits;
        self
    }

    /// The rules written out for a board. The first variables are the cells, row by row.
    pub fn problem(&self, clues: &Nonogram) -> Problem {
        self.problem_of(clues, |_| true)
    }

    /// The rules written out for the lines of a board that are kept.
    fn problem_of(&self, clues: &Nonogram, is_kept: impl Fn(LineName) -> bool) -> Problem {
        let (height, width) = (clues.rows.len(), clues.columns.len());
        let mut written = Written { names: Vec::new(), rules: Vec::new() };
        let cell = |place: usize| format!("cell[row {}, column {}]", place / width + 1, place % width + 1);
        written.names.extend((0..height * width).map(cell));
        for (row, clue) in clues.rows.iter().enumerate().filter(|(row, _)| is_kept(LineName::Row(*row))) {
            let cells: Vec<usize> = (0..width).map(|column| row * width + column).collect();
            written.line(&self.rules, ["row", "column"], row, &cells, clue);
        }
        let columns = clues.columns.iter().enumerate();
        for (column, clue) in columns.filter(|(column, _)| is_kept(LineName::Column(*column))) {
            let cells: Vec<usize> = (0..height).map(|row| row * width + column).collect();
            written.line(&self.rules, ["column", "row"], column, &cells, clue);
        }
        let variables = Variables::from_names(written.names).expect("names of places are distinct");
        Problem::from(RuleSet::with_rules(variables, written.rules.into_iter().map(Rule::given)))
    }

    /// Up to `most` pictures that the rules allow, or why there is none.
    ///
    /// # Errors
    /// As [`preceptron_reason::Reasoner::solve`].
    pub fn solve(&self, clues: &Nonogram, most: usize) -> Result<Solved, ReasonError> {
        let cells = clues.rows.len() * clues.columns.len();
        let mut reasoner = Backend::Batsat.load(self.problem(clues))?;
        let mut query = self.query();
        let mut pictures = Vec::new();
        while pictures.len() < most {
            let answer = reasoner.solve(&query)?;
            match (answer.solution, answer.status) {
                (Some(solution), _) => {
                    let picture = solution.values[..cells].to_vec();
                    let other = |(var, &black): (u32, &bool)| Lit::new(Var(var), black);
                    query.clauses.push((0..).zip(&picture).map(other).collect());
                    pictures.push(picture);
                }
                (None, Status::Infeasible) if pictures.is_empty() => return self.clash(clues),
                (None, Status::Infeasible) => return Ok(Solved::Pictures(pictures, true)),
                (None, _) if pictures.is_empty() => return Ok(Solved::Unknown),
                (None, _) => break,
            }
        }
        Ok(Solved::Pictures(pictures, false))
    }

    fn query(&self) -> Query {
        Query { ties: TieBreak::Any, explain: false, limits: self.limits.clone(), ..Query::default() }
    }

    /// Lines that cannot hold together, none of which can be left out. A line that is left out keeps its
    /// cells and loses its clue.
    fn clash(&self, clues: &Nonogram) -> Result<Solved, ReasonError> {
        let rows = (0..clues.rows.len()).map(LineName::Row);
        let mut lines: Vec<LineName> = rows.chain((0..clues.columns.len()).map(LineName::Column)).collect();
        let mut place = 0;
        while place < lines.len() {
            let problem = self.problem_of(clues, |line| line != lines[place] && lines.contains(&line));
            let mut reasoner = Backend::Batsat.load(problem)?;
            match reasoner.solve(&self.query())?.status {
                Status::Infeasible => {
                    lines.remove(place);
                }
                _ => place += 1,
            }
        }
        Ok(Solved::Clash(lines))
    }
}

/// Names of variables and rules as they are written out.
struct Written {
    names: Vec<String>,
    rules: Vec<Constraint>,
}

impl Written {
    /// Adds the variables and the rules of one line. The words are for the line's own direction and for its
    /// places; the number is from 0.
    fn line(
        &mut self,
        rules: &[RelativeRule],
        [along, places]: [&str; 2],
        number: usize,
        cells: &[usize],
        clue: &[usize],
    ) {
        let length = cells.len();
        let clue: Vec<usize> = clue.iter().copied().filter(|&run| run > 0).collect();
        let first = self.names.len();
        for what in ["started", "ended"] {
            for run in 1..=clue.len() {
                let name = |at| format!("{along}_{what}[{along} {}, run {run}, {places} {at}]", number + 1);
                self.names.extend((1..=length).map(name));
            }
        }
        let domain = domain(cells, first, &clue);
        self.rules.extend(rules.iter().flat_map(|rule| rule.ground(&domain)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nonogram::{Board, NonogramLearner, ObservedLine, generate, solutions};
    use preceptron::{Training, train};
    use proptest::prelude::*;
    use std::sync::OnceLock;

    /// The rules of 150 generated boards of 7 x 7, one line of each.
    fn learned() -> &'static Solver {
        static SOLVER: OnceLock<Solver> = OnceLock::new();
        SOLVER.get_or_init(|| {
            let lines: Vec<ObservedLine> =
                (0..150).map(|item| ObservedLine::of(&generate(7, 7, 0.5, 5, item), 5, item)).collect();
            let mut learner = NonogramLearner::new(&lines, 5);
            train(&mut learner, Training::default()).unwrap();
            Solver::new(&learner.rules()).unwrap()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        /// All pictures of any board, as the judge and the reasoner with the true rules have them.
        #[test]
        fn learned_rules_allow_what_the_judge_finds(
            (height, width, picture) in (1..5usize, 1..6usize)
                .prop_flat_map(|(h, w)| (Just(h), Just(w), prop::collection::vec(any::<bool>(), h * w)))
        ) {
            let board = Board::of(height, width, picture);
            let mut judged = solutions(&board.clues, 10_000, usize::MAX).pictures;
            judged.sort();
            let Solved::Pictures(mut found, true) = learned().solve(&board.clues, 10_001).unwrap() else {
                panic!("pictures are found");
            };
            found.sort();
            prop_assert_eq!(&found, &judged);
            let mut reasoner = Backend::Batsat.load(board.clues.problem()).unwrap();
            let truth = reasoner.solve(&Query::default()).unwrap().solution.unwrap();
            prop_assert!(judged.contains(&truth.values[..height * width].to_vec()));
        }
    }

    #[test]
    fn lines_that_clash_are_named() {
        // The first row wants more than it has room for together with the second column.
        let clues =
            Nonogram { rows: vec![vec![3], vec![1], vec![0]], columns: vec![vec![1], vec![0], vec![2]] };
        let clash = learned().solve(&clues, 1).unwrap();
        assert_eq!(clash, Solved::Clash(vec![LineName::Row(0), LineName::Column(1)]));
        let alone = Nonogram { rows: vec![vec![2, 2]], columns: vec![vec![1]; 4] };
        assert_eq!(learned().solve(&alone, 1).unwrap(), Solved::Clash(vec![LineName::Row(0)]));
        assert_eq!(LineName::Column(1).to_string(), "column 2");
    }
}
