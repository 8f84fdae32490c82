//! The rules of nonograms, written by hand: they pose problems to a reasoner and judge its answers, and no
//! learner is to see them.
//!
//! A variable `cell[row, column]` says that a cell is black. A line of `n` cells `c_i` with `k` runs has,
//! for each run `j` and each of its cells `i`, `S_ji`, the run has started by `i`, and `T_ji`, it has ended
//! before `i`. Then the picture and its clues are cardinality rules and clauses:
//!
//! ```text
//! S_ji -> S_j(i+1),  T_ji -> T_j(i+1)       what has started or ended stays so
//! c_i = sum_j S_ji - sum_j T_ji             a cell is black if a run has started and not ended
//! sum_i S_ji - sum_i T_ji = clue_j          so long is a run
//! S_(j+1)(i+1) -> T_ji                      runs come in order and do not touch
//! ```
//!
//! Differences are written with negations: `x - y` is `x + (not y) - 1`. The rules make a line's
//! solutions exactly the lines with its clue, and a picture leaves one value to every other variable.

use preceptron_logic::{Constraint, Lit, Problem, Rule, RuleSet, Var, Variables};

use super::Nonogram;

impl Nonogram {
    /// The rules whose solutions are the pictures with these clues. The first variables are the cells, row
    /// by row. Clues that no line can have give rules that nothing satisfies.
    pub fn problem(&self) -> Problem {
        let (height, width) = (self.rows.len(), self.columns.len());
        let mut names: Vec<String> = (0..height * width)
            .map(|cell| format!("cell[row {}, column {}]", cell / width + 1, cell % width + 1))
            .collect();
        let mut rules = Vec::new();
        let cell = |row: usize, column: usize| Var((row * width + column) as u32).positive();
        for (row, clue) in self.rows.iter().enumerate() {
            let cells: Vec<Lit> = (0..width).map(|column| cell(row, column)).collect();
            line(["row", "column"], row, &cells, clue, &mut names, &mut rules);
        }
        for (column, clue) in self.columns.iter().enumerate() {
            let cells: Vec<Lit> = (0..height).map(|row| cell(row, column)).collect();
            line(["column", "row"], column, &cells, clue, &mut names, &mut rules);
        }
        let variables = Variables::from_names(names).expect("names of places are distinct");
        Problem::from(RuleSet::with_rules(variables, rules.into_iter().map(Rule::given)))
    }
}

/// Adds the variables and the rules of one line. The words are for the line's own direction and for its
/// places, such as row and column; the number is from 0.
fn line(
    [along, places]: [&str; 2],
    number: usize,
    cells: &[Lit],
    clue: &[usize],
    names: &mut Vec<String>,
    rules: &mut Vec<Constraint>,
) {
    let length = cells.len();
    let clue: Vec<usize> = clue.iter().copied().filter(|&run| run > 0).collect();
    let mut unary = |what: &str, run: usize| -> Vec<Lit> {
        let first = names.len();
        let name = |at| format!("{along}_{what}[{along} {}, run {}, {places} {at}]", number + 1, run + 1);
        names.extend((1..=length).map(name));
        (first..first + length).map(|v| Var(v as u32).positive()).collect()
    };
    let started: Vec<Vec<Lit>> = (0..clue.len()).map(|run| unary("started", run)).collect();
    let ended: Vec<Vec<Lit>> = (0..clue.len()).map(|run| unary("ended", run)).collect();
    let implies = |a: Lit, b: Lit| Constraint::clause([!a, b]);
    for ((started, ended), &run) in started.iter().zip(&ended).zip(&clue) {
        for stays in [started, ended] {
            rules.extend(stays.windows(2).map(|pair| implies(pair[0], pair[1])));
        }
        // No run is longer than its line, and one more is enough to say so.
        let sum = length + run.min(length + 1);
        let literals = started.iter().copied().chain(ended.iter().map(|&l| !l));
        rules.push(Constraint::exactly(sum as u32, literals));
    }
    for (at, &cell) in cells.iter().enumerate() {
        let literals = started.iter().map(|s| s[at]).chain(ended.iter().map(|t| !t[at])).chain([!cell]);
        rules.push(Constraint::exactly(clue.len() as u32 + 1, literals));
    }
    for (next, ended) in started.iter().skip(1).zip(&ended) {
        rules.extend(next.iter().skip(1).zip(ended).map(|(&started, &ended)| implies(started, ended)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    use crate::nonogram::runs;
    use preceptron_reason::implied;

    fn bits(length: usize, bits: usize) -> Vec<bool> {
        (0..length).map(|at| bits >> at & 1 == 1).collect()
    }

    /// The rules of a single line.
    fn line_rules(length: usize, clue: &[usize]) -> RuleSet {
        let mut names = (1..=length).map(|at| format!("cell[column {at}]")).collect();
        let cells: Vec<Lit> = (0..length).map(|at| Var(at as u32).positive()).collect();
        let mut rules = Vec::new();
        line(["row", "column"], 0, &cells, clue, &mut names, &mut rules);
        RuleSet::with_rules(Variables::from_names(names).unwrap(), rules.into_iter().map(Rule::given))
    }

    /// For each line of this length the literals that say it is that line.
    fn all_lines(length: usize) -> impl Iterator<Item = (Vec<bool>, Vec<Lit>)> {
        (0..1 << length).map(move |line| {
            let cells = bits(length, line);
            let literals = cells.iter().zip(0..).map(|(black, at)| Lit::new(Var(at), !black)).collect();
            (cells, literals)
        })
    }

    #[test]
    fn solutions_of_a_line_are_the_lines_with_its_clue() {
        for length in 1..=7 {
            let clues: BTreeSet<Vec<usize>> =
                all_lines(length).map(|(cells, _)| runs(cells.into_iter())).collect();
            for clue in clues {
                let other_lines =
                    all_lines(length).map(|(_, own)| Constraint::clause(own.iter().map(|&l| !l)));
                let never = implied(&line_rules(length, &clue), &other_lines.collect::<Vec<_>>());
                for ((cells, _), never) in all_lines(length).zip(never) {
                    assert_eq!(!never, runs(cells.iter().copied()) == clue, "{clue:?}: {cells:?}");
                }
            }
        }
    }

    #[test]
    fn a_picture_fixes_all_other_variables() {
        for (cells, literals) in all_lines(5) {
            let mut rules = line_rules(5, &runs(cells.into_iter()));
            for literal in literals {
                rules.insert(Rule::given(Constraint::exactly(1, [literal])));
            }
            let is = |value: u32| {
                rules.variables().iter().map(move |v| Constraint::exactly(value, [v.positive()]))
            };
            let (always, never) =
                (implied(&rules, &is(1).collect::<Vec<_>>()), implied(&rules, &is(0).collect::<Vec<_>>()));
            assert!(always.iter().zip(&never).all(|(always, never)| always != never));
        }
    }

    #[test]
    fn clues_that_no_line_can_have_are_contradictory() {
        for clue in [&[5][..], &[2, 2], &[1, 1, 1], &[usize::MAX]] {
            let nothing = Constraint::new([], preceptron_logic::Sums::EMPTY);
            assert_eq!(implied(&line_rules(4, clue), [&nothing]), [true], "{clue:?}");
        }
    }

    /// The plain twin goes through all pictures.
    #[test]
    fn solutions_of_a_problem_are_the_pictures_with_its_clues() {
        for (height, width, picture) in [(3, 3, 0b010_101_110), (2, 4, 0b1011_0110), (3, 3, 0b100_010_001)] {
            let nonogram = Nonogram::of(height, width, &bits(height * width, picture));
            let problem = nonogram.problem();
            let excluded = all_lines(height * width)
                .map(|(_, own)| Constraint::clause(own.iter().map(|&l| !l)))
                .collect::<Vec<_>>();
            let never = implied(&problem.rules, &excluded);
            let possible: Vec<usize> = (0..never.len()).filter(|&p| !never[p]).collect();
            let plain: Vec<usize> = (0..never.len())
                .filter(|&p| Nonogram::of(height, width, &bits(height * width, p)) == nonogram)
                .collect();
            assert!(plain.contains(&picture));
            assert_eq!(possible, plain);
        }
    }

    #[test]
    fn variables_have_names_with_places() {
        let nonogram = Nonogram { rows: vec![vec![1, 1], vec![0]], columns: vec![vec![1], vec![], vec![1]] };
        let rules = nonogram.problem().rules;
        let variables = rules.variables();
        assert_eq!(variables.len(), 6 + 2 * 2 * 3 + 2 * 2 * 2);
        assert_eq!(variables.find("cell[row 2, column 1]"), Some(Var(3)));
        assert!(variables.find("row_started[row 1, run 2, column 3]").is_some());
        assert!(variables.find("column_ended[column 3, run 1, row 2]").is_some());
        let answer = [true, false, true, false, false, false];
        assert!(nonogram.is_solved_by(&answer) && !nonogram.is_solved_by(&[true; 6]));
        assert_eq!(nonogram.draw(&answer), "#.#\n...\n");
    }
}
