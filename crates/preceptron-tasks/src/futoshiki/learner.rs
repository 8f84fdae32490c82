//! The rules of a board, learned from examples: those of cells as the general learner finds them, and what a
//! sign says, of which all places together are the evidence.

use preceptron_base::Control;
use preceptron_learn::{Checked, Examples, Propagator, Settings, learn_unjudged};
use preceptron_logic::{Constraint, RuleSet, Var, Variables};

use super::{learn_pair_rules, on_board, signed_pairs, variables};

/// What is taken for granted of signs, and not learned.
pub const ASSUMED: [&str; 3] = [
    "a sign concerns the two cells that it stands between, and no others",
    "a sign means the same wherever it stands and whichever way it points",
    "a cell whose digit is known holds that digit alone, from the encoding; that every cell holds one is learned",
];

/// How rules are looked for, unless one says otherwise: by all finders, with this seed.
pub fn settings(seed: u64) -> Checked {
    let settings = Settings { seed, stability: false, ..Settings::default() };
    settings.check().expect("settings within their ranges")
}

/// Learns the rules of boards: those over cells alone, and what signs say that these do not imply. A sign is
/// taken to concern its two cells and to mean the same everywhere, as [`ASSUMED`] says.
///
/// # Panics
/// If the side is not 4 to 7, or the examples are of other variables.
pub fn learn_rules(side: usize, examples: &Examples, settings: &Checked, control: &dyn Control) -> RuleSet {
    let all = variables(side);
    let pairs = signed_pairs(side, examples);
    let cells = of_cells(side, &all);
    let learned = learn_unjudged(&cells, &first_columns(examples, cells.len()), settings, control);
    let mut rules = learned.over(&all).expect("a board's variables have those of its cells");
    let propagator = Propagator::new(all.len(), rules.constraints().cloned());
    for rule in on_board(side, &learn_pair_rules(&pairs, settings, control)) {
        if !follows_without_sign(&propagator, &rule.constraint, cells.len()) {
            rules.insert(rule);
        }
    }
    rules
}

/// The variables of cells alone, which come first.
fn of_cells(side: usize, all: &Variables) -> Variables {
    let names = all.names()[..side.pow(3)].iter().cloned();
    Variables::from_names(names).expect("the names of a board's variables are distinct")
}

/// The first columns of examples.
fn first_columns(examples: &Examples, count: usize) -> Examples {
    let vars = || (0..count as u32).map(Var);
    let values = vars().flat_map(|var| examples.ones(var)).copied().collect();
    let known = vars().map(|var| examples.known(var)).collect::<Option<Vec<&[u64]>>>();
    Examples::from_columns(examples.len(), count, values, known.map(|columns| columns.concat()))
}

/// Whether the rules of cells say as much as a clause does, whether the sign is there or not.
fn follows_without_sign(cells: &Propagator, clause: &Constraint, count: usize) -> bool {
    let literals = clause.as_clause().unwrap_or_default();
    let of_cells = literals.into_iter().filter(|literal| literal.var().index() < count);
    cells.run(of_cells.map(|literal| !literal)).is_contradiction()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::futoshiki::{
        Puzzle, Sign, Spread, examples_from_answers, examples_full, puzzles, sign_rules, true_rules,
    };
    use preceptron_base::{Quiet, stream};
    use preceptron_logic::Origin;
    use preceptron_reason::implied;
    use rand::RngExt;

    fn drawn(side: usize, count: usize, seed: u64) -> Vec<Puzzle> {
        puzzles(side, &Spread::of_side(side).unwrap(), count, seed, &Quiet).unwrap()
    }

    fn differences(side: usize, examples: &Examples, seed: u64) -> (usize, usize) {
        let comparison = learn_rules(side, examples, &settings(seed), &Quiet).compare(&true_rules(side));
        (comparison.missing.len(), comparison.extra.len())
    }

    #[test]
    fn the_rules_are_found_in_the_cells_that_are_not_given() {
        for (side, seed) in [(4, 100), (5, 100), (5, 101), (5, 102), (6, 100)] {
            let examples = examples_from_answers(side, &drawn(side, 2000, seed));
            assert_eq!(differences(side, &examples, seed), (0, 0), "side {side}, seed {seed}");
        }
    }

    #[test]
    fn the_rules_are_found_in_whole_boards() {
        assert_eq!(differences(5, &examples_full(5, &drawn(5, 1000, 103)), 0), (0, 0));
    }

    /// Signs that point either way whatever the digits say mean nothing.
    #[test]
    fn nothing_is_learned_of_signs_without_meaning() {
        for seed in 100..103 {
            let mut puzzles = drawn(5, 2000, seed);
            for (item, puzzle) in puzzles.iter_mut().enumerate() {
                let random = &mut stream(seed, "signs turned round in a test", item as u64);
                for sign in puzzle.signs.iter_mut().filter(|_| random.random_bool(0.5)) {
                    *sign = Sign { less: sign.greater, greater: sign.less };
                }
            }
            let rules = learn_rules(5, &examples_from_answers(5, &puzzles), &settings(0), &Quiet);
            let cells = true_rules(5).constraints().filter(|rule| rule.is_equality()).count();
            assert_eq!((cells, rules.len()), (75, 75), "seed {seed}");
            assert!(rules.constraints().all(Constraint::is_equality));
        }
    }

    /// Where the rules of rows are not found yet, that the cells of a sign differ is a rule of its own.
    #[test]
    fn little_data_gives_no_rule_that_is_wrong() {
        for count in [0, 1, 30, 300] {
            let examples = examples_from_answers(5, &drawn(5, count, 104));
            let comparison = learn_rules(5, &examples, &settings(0), &Quiet).compare(&true_rules(5));
            let extra: Vec<Constraint> = comparison.extra.into_iter().map(|rule| rule.constraint).collect();
            assert!(implied(&true_rules(5), &extra).into_iter().all(|follows| follows), "{count} boards");
            assert!(count > 1 || comparison.equal.is_empty());
        }
    }

    #[test]
    fn rules_of_signs_have_the_evidence_of_all_places() {
        let rules = learn_rules(4, &examples_from_answers(4, &drawn(4, 1000, 105)), &settings(0), &Quiet);
        let by = Origin::Learned { by: sign_rules::FINDER.to_owned() };
        let of_signs: Vec<_> = rules.rules().iter().filter(|rule| rule.origin == by).collect();
        assert_eq!(of_signs.len(), 48 * 3);
        assert!(of_signs.iter().all(|rule| rule.evidence.examples > 700 && rule.evidence.violated == 0));
    }
}
