//! Figures of boards that were answered: of whole boards and of cells, of givens and of the others.

use preceptron_logic::{Constraint, Rule, RuleSet, Var};
use preceptron_tasks::sudoku::{Decoding, Judgement, Puzzle, true_rules};

use crate::unit::Figures;

/// What is measured of boards; of cells it has `_cells` behind it.
pub const WHAT: [&str; 3] = ["perception", "solving", "total"];

/// Shares of boards and cells that are right: for each board the digits of its cells, 0 where there is none.
pub fn shares(answers: &[Vec<u8>], puzzles: &[Puzzle]) -> [(&'static str, [f64; 2]); 3] {
    // Boards, and cells: all, and right.
    let mut counts = [[[0usize; 2]; 2]; 3];
    for (answer, puzzle) in answers.iter().zip(puzzles) {
        let mut cells = [[0usize; 2]; 3];
        let truth = puzzle.solution.digits();
        for ((digit, truth), given) in answer.iter().zip(truth).zip(puzzle.givens.digits()) {
            let right = usize::from(digit == truth);
            for of in [usize::from(*given == 0), 2] {
                cells[of][0] += 1;
                cells[of][1] += right;
            }
        }
        for (count, [all, right]) in counts.iter_mut().zip(cells) {
            count[0][0] += 1;
            count[0][1] += usize::from(all == right);
            count[1][0] += all;
            count[1][1] += right;
        }
    }
    let share = |[all, right]: [usize; 2]| right as f64 / all.max(1) as f64;
    [0, 1, 2].map(|of| (WHAT[of], counts[of].map(share)))
}

/// Adds the shares under a name.
pub fn add(figures: &mut Figures, name: &str, answers: &[Vec<u8>], puzzles: &[Puzzle]) {
    for (what, [boards, cells]) in shares(answers, puzzles) {
        figures.insert(format!("{name}.{what}"), boards);
        figures.insert(format!("{name}.{what}_cells"), cells);
    }
}

/// Adds how boards of a set were read and solved, each way of solving under its own name.
pub fn add_judgement(figures: &mut Figures, set: &str, judgement: &Judgement, puzzles: &[Puzzle]) {
    let share = judgement.givens_read as f64 / judgement.givens.max(1) as f64;
    figures.insert(format!("{set}.digits"), share);
    for solved in judgement.solved.iter().filter(|solved| !solved.answers.is_empty()) {
        add(figures, &format!("{set}.{}", way(solved.decoding)), &solved.answers, puzzles);
    }
}

fn way(decoding: Decoding) -> &'static str {
    match decoding {
        Decoding::Pinned => "pinned",
        Decoding::Likeliest => "likeliest",
        Decoding::Unique => "unique",
        Decoding::Confident(_) => "confident",
    }
}

/// Adds how many rules are rules of Sudoku, how many are not, and the rank of those that are.
pub fn add_rules<'a>(
    figures: &mut Figures,
    name: &str,
    order: usize,
    rules: impl Iterator<Item = &'a Constraint>,
) {
    let truth = true_rules(order);
    let (right, wrong): (Vec<&Constraint>, Vec<&Constraint>) = rules.partition(|rule| truth.contains(rule));
    let of_right = right.iter().map(|rule| Rule::given((*rule).clone()));
    let rank = RuleSet::with_rules(truth.variables().clone(), of_right).rank();
    for (what, count) in [("true", right.len()), ("wrong", wrong.len()), ("rank", rank)] {
        figures.insert(format!("{name}.{what}"), count as f64);
    }
}

/// The rows of joint training as they are, rounded.
pub fn rows(model: &preceptron::Model, order: usize) -> Option<RuleSet> {
    let rows = model.found.get("rows_before_confirmation")?.clone();
    let rows: Vec<Vec<u32>> = serde_json::from_value(rows).ok()?;
    let rule =
        |row: &Vec<u32>| Rule::given(Constraint::exactly(1, row.iter().map(|&var| Var(var).positive())));
    let variables = true_rules(order).variables().clone();
    Some(RuleSet::with_rules(variables, rows.iter().map(rule)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_tasks::sudoku::{generate, with_givens};

    #[test]
    fn givens_and_others_are_told_apart() {
        let puzzles = with_givens(&generate(2, 2, 1), 6..=6, 1);
        let right: Vec<Vec<u8>> = puzzles.iter().map(|puzzle| puzzle.solution.digits().to_vec()).collect();
        assert!(shares(&right, &puzzles).iter().all(|(_, share)| *share == [1.0, 1.0]));
        let mut wrong = right.clone();
        let given = puzzles[0].givens.digits().iter().position(|digit| *digit > 0).unwrap();
        wrong[0][given] = 0;
        let found = shares(&wrong, &puzzles);
        assert_eq!(found[0], ("perception", [0.5, 11.0 / 12.0]));
        assert_eq!(found[1], ("solving", [1.0, 1.0]));
        assert_eq!(found[2], ("total", [0.5, 31.0 / 32.0]));
    }

    #[test]
    fn rows_are_counted_by_whether_they_are_true() {
        let truth = true_rules(2);
        let wrong = Constraint::exactly(1, [Var(0), Var(63)].map(Var::positive));
        let mut figures = Figures::new();
        add_rules(&mut figures, "rows", 2, truth.constraints().chain([&wrong]));
        assert_eq!((figures["rows.true"], figures["rows.wrong"], figures["rows.rank"]), (64.0, 1.0, 40.0));
    }
}
