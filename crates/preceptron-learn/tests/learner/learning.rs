//! Whole runs of the learner on small tables with known rules.

use std::sync::atomic::{AtomicBool, Ordering};

use preceptron_base::{Control, Quiet, stream};
use preceptron_learn::{Examples, Form, GlobalSearch, Learned, Moments, SearchEnd, Settings, learn};
use preceptron_logic::{Constraint, Lit, Origin, Sums, Var, Variables};
use rand::RngExt;

fn lits(numbers: &[i32]) -> Vec<Lit> {
    numbers.iter().map(|n| Lit::new(Var(n.unsigned_abs() - 1), *n < 0)).collect()
}

fn names(count: usize) -> Variables {
    Variables::from_names((1..=count).map(|n| format!("x{n}"))).unwrap()
}

/// Random rows of this many variables that satisfy all constraints, by trying.
fn rows(variables: usize, count: usize, seed: u64, constraints: &[Constraint]) -> Vec<Vec<Option<bool>>> {
    let mut random = stream(seed, "rows", 0);
    let mut rows = Vec::new();
    while rows.len() < count {
        let row: Vec<bool> = (0..variables).map(|_| random.random()).collect();
        if constraints.iter().all(|c| c.holds(|v| row[v.index()])) {
            rows.push(row.into_iter().map(Some).collect());
        }
    }
    rows
}

fn run(variables: usize, rows: &[Vec<Option<bool>>], settings: Settings) -> Learned {
    let examples = Examples::from_rows(variables, rows);
    learn(&names(variables), &examples, &settings.check().unwrap(), &Quiet)
}

fn found(learned: &Learned) -> Vec<Constraint> {
    let mut constraints: Vec<Constraint> = learned.rules.constraints().cloned().collect();
    constraints.sort();
    constraints
}

fn sorted(mut constraints: Vec<Constraint>) -> Vec<Constraint> {
    constraints.sort();
    constraints
}

#[test]
fn equalities_with_negations() {
    let truth = sorted(vec![
        Constraint::exactly(2, lits(&[1, -2, 3, 4])),
        Constraint::exactly(1, lits(&[5, 6, 7])),
        Constraint::exactly(1, lits(&[8, -9])),
    ]);
    let learned = run(12, &rows(12, 600, 1, &truth), Settings::default());
    assert_eq!(found(&learned), truth);
    assert!(learned.rules.rules().iter().all(|r| r.evidence.violated == 0 && r.evidence.satisfied == 600));
    assert_eq!(learned.verdict.rank, Some(12 - 3));
}

#[test]
fn bounds_clauses_and_implications() {
    let truth = sorted(vec![
        Constraint::at_most(1, lits(&[1, 2, 3])),
        Constraint::at_least(2, lits(&[4, 5, 6, 7])),
        Constraint::clause(lits(&[-8, 9])),
        Constraint::clause(lits(&[10, -11, 12])),
    ]);
    assert_eq!(found(&run(13, &rows(13, 1500, 2, &truth), Settings::default())), truth);
}

#[test]
fn parity_among_bits_that_do_not_matter() {
    let odd = Constraint::new(lits(&[2, 3, 5, 8, 9]), Sums::set([1, 3, 5]));
    assert_eq!(found(&run(10, &rows(10, 300, 3, std::slice::from_ref(&odd)), Settings::default())), [odd]);
}

#[test]
fn nothing_in_noise() {
    let learned = run(15, &rows(15, 1000, 4, &[]), Settings::default());
    assert!(learned.rules.is_empty(), "{:?}", found(&learned));
}

#[test]
fn too_few_examples_are_no_rule() {
    let truth = Constraint::exactly(1, lits(&[1, 2, 3]));
    assert!(run(6, &rows(6, 8, 5, &[truth]), Settings::default()).rules.is_empty());
}

#[test]
fn a_threshold_bears_wrong_examples() {
    let truth = Constraint::exactly(1, lits(&[1, 2, 3, 4]));
    let mut table = rows(8, 800, 6, std::slice::from_ref(&truth));
    let wrong = rows(8, 25, 7, &[Constraint::exactly(2, lits(&[1, 2, 3, 4]))]);
    table.splice(100..100, wrong);
    let strict = run(8, &table, Settings::default());
    assert!(!strict.rules.contains(&truth));
    assert!(strict.verdict.nearly > 0, "the strict run says that a rule nearly holds");
    let tolerant = run(8, &table, Settings { threshold: 0.95, ..Settings::default() });
    assert!(tolerant.rules.contains(&truth), "{:?}", found(&tolerant));
    let evidence = tolerant.rules.rules().iter().find(|r| r.constraint == truth).unwrap().evidence;
    assert_eq!((evidence.satisfied, evidence.violated), (800, 25));
}

#[test]
fn partly_observed_examples() {
    let truth =
        sorted(vec![Constraint::exactly(1, lits(&[1, 2, 3])), Constraint::exactly(1, lits(&[4, 5, 6, 7]))]);
    let mut table = rows(8, 900, 8, &truth);
    let mut random = stream(9, "holes", 0);
    table.iter_mut().flatten().for_each(|entry| {
        if random.random_bool(0.4) {
            *entry = None;
        }
    });
    assert_eq!(found(&run(8, &table, Settings::default())), truth);
}

#[test]
fn what_the_encoding_says_is_not_called_learned() {
    let mut variables = Variables::block("colour", &[("item", 1..=2), ("value", 1..=3)]);
    variables.set_one_hot("colour", "value").unwrap();
    let groups = [Constraint::exactly(1, lits(&[1, 2, 3])), Constraint::exactly(1, lits(&[4, 5, 6]))];
    let examples = Examples::from_rows(6, &rows(6, 200, 10, &groups));
    let learned = learn(&variables, &examples, &Settings::default().check().unwrap(), &Quiet);
    assert_eq!(found(&learned), sorted(groups.to_vec()));
    assert!(learned.rules.rules().iter().all(|r| r.origin == Origin::Encoding));
}

#[test]
fn constants_are_rules_but_ambiguous_ones() {
    let truth = vec![Constraint::clause(lits(&[-3]))];
    let learned = run(5, &rows(5, 100, 11, &truth), Settings::default());
    assert_eq!(found(&learned), truth);
    assert_eq!((learned.verdict.constant, learned.verdict.ambiguous.as_slice()), (1, &[0][..]));
}

#[test]
fn every_form_finds_the_same_equalities() {
    let truth =
        sorted(vec![Constraint::exactly(1, lits(&[1, 2, 3])), Constraint::exactly(1, lits(&[4, 5, 6]))]);
    let table = rows(8, 400, 12, &truth);
    for form in [Form::Local, Form::Global, Form::Paper] {
        let settings = Settings { form, cliques: false, counting: false, ..Settings::default() };
        let settings =
            if form == Form::Paper { Settings { iterations: Some(3000), ..settings } } else { settings };
        assert_eq!(found(&run(8, &table, settings)), truth, "{form:?}");
    }
}

#[test]
fn without_the_penalty_rows_do_not_become_boolean() {
    let truth =
        vec![Constraint::exactly(1, lits(&[1, 2, 3, 4])), Constraint::exactly(1, lits(&[4, 5, 6, 7]))];
    let moments = Moments::of(&Examples::from_rows(10, &rows(10, 600, 13, &truth)));
    let boolean = |dc_penalty: Option<f64>| {
        let settings = Settings { form: Form::Global, dc_penalty, ..Settings::default() }.check().unwrap();
        let search = GlobalSearch::new(&moments, &settings).unwrap();
        let parts = search.round(0, 1.0, &Quiet);
        parts.iter().filter(|soft| soft.is_boolean()).count() as f64 / parts.len() as f64
    };
    let (with, without) = (boolean(None), boolean(Some(0.0)));
    assert!(with > 0.5 && without == 0.0, "Boolean parts: {with} with the penalty, {without} without");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let truth =
        vec![Constraint::exactly(2, lits(&[1, 2, 3, 4])), Constraint::at_most(2, lits(&[5, 6, -7, 8]))];
    let table = rows(20, 700, 14, &truth);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut learned = pool.install(|| run(20, &table, Settings { seed: 5, ..Settings::default() }));
        learned.report.times.clear();
        learned
    };
    assert_eq!(on(1), on(4));
}

#[test]
fn a_search_that_is_stopped_keeps_what_it_found() {
    /// Stops at the first stage after the cliques.
    struct StopLate(AtomicBool);
    impl Control for StopLate {
        fn stage(&self, name: &str, _: u64) {
            self.0.fetch_or(name != "cliques", Ordering::Relaxed);
        }
        fn is_cancelled(&self) -> bool {
            self.0.load(Ordering::Relaxed)
        }
    }
    let truth = Constraint::exactly(1, lits(&[1, 2, 3]));
    let examples = Examples::from_rows(6, &rows(6, 200, 15, std::slice::from_ref(&truth)));
    let settings = Settings::default().check().unwrap();
    let learned = learn(&names(6), &examples, &settings, &StopLate(AtomicBool::new(false)));
    assert_eq!(learned.report.stop, SearchEnd::Interrupted);
    assert_eq!(found(&learned), [truth]);
    let at_once = learn(&names(6), &examples, &settings, &AtomicBool::new(true));
    assert_eq!(at_once.report.stop, SearchEnd::Interrupted);
    assert!(at_once.rules.is_empty());
}
