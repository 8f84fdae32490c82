//! Rules of small Sudoku from few boards of which only the cells that are not given are seen.

use std::sync::atomic::{AtomicU32, Ordering};

use preceptron_base::{Control, Quiet};
use preceptron_learn::{Examples, Learned, SearchEnd, Settings, complete, learn};
use preceptron_logic::{Origin, Variables};
use preceptron_tasks::sudoku::{
    Grid, Puzzle, examples_from_answers, examples_full, generate, true_rules, variables, with_givens,
    with_wrong_digits,
};

/// Boards that a single search does not get all rules from.
const FEW: usize = 80;

fn puzzles(count: usize, seed: u64) -> Vec<Puzzle> {
    with_givens(&generate(2, count, seed), 5..=8, seed)
}

fn run(variables: &Variables, examples: &Examples, threshold: f64, control: &dyn Control) -> Learned {
    // What is wrong a little in many ways gives counting much to do, and is not asked for here.
    let counting = threshold == 1.0;
    let settings =
        Settings { threshold, counting, templates: counting, stability: false, ..Settings::default() };
    learn(variables, examples, &settings.check().unwrap(), control)
}

#[test]
fn few_boards_give_all_rules_and_the_givens() {
    for seed in 0..3 {
        let puzzles = puzzles(FEW, seed);
        let examples = examples_from_answers(2, &puzzles);
        let learned = run(&variables(2), &examples, 1.0, &Quiet);
        let comparison = learned.rules.compare(&true_rules(2));
        assert!(
            comparison.is_equal(),
            "{} missing, {} extra",
            comparison.missing.len(),
            comparison.extra.len()
        );
        let completion = complete(&learned.rules, &examples);
        assert!(completion.contradicted.is_empty() && completion.fixed > 0);
        let solutions: Vec<Grid> = puzzles.iter().map(|p| p.solution.clone()).collect();
        let truth = examples_full(2, &solutions);
        for row in 0..truth.len() {
            for var in learned.rules.variables().iter() {
                let value = completion.examples.get(row, var);
                assert!(value.is_none() || value == truth.get(row, var));
            }
        }
        assert!(completion.examples.observed() > 0.9);
    }
}

#[test]
fn a_declared_symbol_is_said_to_be_declared() {
    let mut variables = variables(2);
    variables.set_one_hot("cell", "digit").unwrap();
    let learned = run(&variables, &examples_from_answers(2, &puzzles(FEW, 3)), 1.0, &Quiet);
    assert!(learned.rules.compare(&true_rules(2)).is_equal());
    let declared = learned.rules.rules().iter().filter(|rule| rule.origin == Origin::Encoding).count();
    assert_eq!(declared, 16);
}

#[test]
fn wrong_digits_are_borne() {
    for (share, seed) in [(0.05, 4), (0.05, 6), (0.1, 7)] {
        let answers: Vec<Grid> = puzzles(3000, seed).iter().map(Puzzle::answers).collect();
        let examples = examples_full(2, &with_wrong_digits(&answers, share, seed));
        let comparison = run(&variables(2), &examples, 0.85, &Quiet).rules.compare(&true_rules(2));
        assert!(comparison.is_equal(), "{} missing, extra: {:?}", comparison.missing.len(), comparison.extra);
    }
}

/// Boards of which everything is seen and something is wrong, by cliques alone.
#[test]
fn wrong_digits_in_complete_boards_are_borne() {
    for (share, threshold) in [(0.05, 0.85), (0.15, 0.55)] {
        let examples = examples_full(2, &with_wrong_digits(&generate(2, 3000, 5), share, 5));
        let settings = Settings {
            threshold,
            least_squares: false,
            counting: false,
            templates: false,
            parity: false,
            stability: false,
            ..Settings::default()
        };
        let learned = learn(&variables(2), &examples, &settings.check().unwrap(), &Quiet);
        let comparison = learned.rules.compare(&true_rules(2));
        assert!(comparison.is_equal(), "{} missing, extra: {:?}", comparison.missing.len(), comparison.extra);
    }
}

#[test]
fn stopped_between_turns_it_keeps_what_is_sure() {
    /// Stops at the start of the clique search with this number.
    struct StopAt(AtomicU32, u32);
    impl Control for StopAt {
        fn stage(&self, name: &str, _: u64) {
            if name == "cliques" {
                self.0.fetch_add(1, Ordering::Relaxed);
            }
        }
        fn is_cancelled(&self) -> bool {
            self.0.load(Ordering::Relaxed) >= self.1
        }
    }
    // Boards so few that the search turns to cliques three times at the least.
    let turns = |examples: &Examples| {
        let count = StopAt(AtomicU32::new(0), u32::MAX);
        run(&variables(2), examples, 1.0, &count);
        count.0.load(Ordering::Relaxed)
    };
    let drawn = (6..40).map(|seed| examples_from_answers(2, &puzzles(FEW, seed)));
    let examples = drawn.into_iter().find(|examples| turns(examples) >= 3).expect("such boards");
    for at in 1..4 {
        let learned = run(&variables(2), &examples, 1.0, &StopAt(AtomicU32::new(0), at));
        assert_eq!(learned.report.stop, SearchEnd::Interrupted);
        let comparison = learned.rules.compare(&true_rules(2));
        assert!(comparison.extra.is_empty() && (at > 1 || !comparison.missing.is_empty()));
    }
}
