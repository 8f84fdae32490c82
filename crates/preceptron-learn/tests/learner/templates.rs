//! Sums over axes: a small ward, learned whole; and rules that are given beforehand.

use preceptron_base::{Quiet, stream};
use preceptron_learn::{Examples, Given, Learned, Settings, learn, learn_given};
use preceptron_logic::{Constraint, Lit, Origin, Rule, RuleSet, Sums, Var, Variables};
use preceptron_reason::{Entailment, Sampler};

const NURSES: u32 = 6;
const DAYS: u32 = 7;

fn ward() -> Variables {
    let places = (1..=NURSES).flat_map(|nurse| (1..=DAYS).map(move |day| (nurse, day)));
    let names = places.flat_map(|(nurse, day)| {
        ["off", "early", "night"].map(|shift| format!("work[nurse {nurse}, day {day}, shift {shift}]"))
    });
    Variables::from_names(names).unwrap()
}

fn works(nurse: u32, day: u32, shift: u32) -> Lit {
    Var((nurse * DAYS + day) * 3 + shift).positive()
}

/// One shift a day, no early shift after a night, a day off in four, cover, and few nights.
fn truth() -> Vec<Constraint> {
    let mut rules = Vec::new();
    for nurse in 0..NURSES {
        for day in 0..DAYS {
            rules.push(Constraint::exactly(1, (0..3).map(|shift| works(nurse, day, shift))));
            if day + 1 < DAYS {
                rules.push(Constraint::at_most(1, [works(nurse, day, 2), works(nurse, day + 1, 1)]));
            }
            if day + 4 <= DAYS {
                rules.push(Constraint::at_least(1, (day..day + 4).map(|day| works(nurse, day, 0))));
            }
        }
        rules.push(Constraint::at_most(2, (0..DAYS).map(|day| works(nurse, day, 2))));
    }
    for day in 0..DAYS {
        let cover = |shift| (0..NURSES).map(move |nurse| works(nurse, day, shift));
        rules.push(Constraint::new(cover(1), Sums::range(1, 2)));
        rules.push(Constraint::new(cover(2), Sums::range(1, 2)));
    }
    rules
}

fn rosters(count: usize, seed: u64) -> Vec<Vec<bool>> {
    let rules = truth();
    let sampler = Sampler::new((NURSES * DAYS * 3) as usize, &rules, &[]);
    sampler.draw(count, 60, stream(seed, "rosters", 0)).expect("the ward has rosters")
}

fn examples(rows: &[Vec<bool>]) -> Examples {
    Examples::from_full_rows((NURSES * DAYS * 3) as usize, rows)
}

fn settings() -> Settings {
    Settings { stability: false, clause_budget: 50_000_000, ..Settings::default() }
}

fn by_templates(learned: &Learned) -> usize {
    let templates = ["templates", "families"].map(|by| Origin::Learned { by: by.to_owned() });
    learned.rules.rules().iter().filter(|rule| templates.contains(&rule.origin)).count()
}

/// For each constraint, whether the rules imply it.
fn implied(rules: &[Constraint], asked: &[Constraint]) -> Vec<bool> {
    let mut entailment = Entailment::new((NURSES * DAYS * 3) as usize, 100_000);
    rules.iter().for_each(|rule| {
        entailment.add(rule);
    });
    asked.iter().map(|constraint| entailment.implies(0..rules.len(), constraint)).collect()
}

#[test]
fn a_ward_is_learned_whole() {
    let examples = examples(&rosters(150, 1));
    let learned = learn(&ward(), &examples, &settings().check().unwrap(), &Quiet);
    let found: Vec<Constraint> = learned.rules.constraints().cloned().collect();
    assert!(implied(&found, &truth()).into_iter().all(|is| is), "all rules are found");
    assert!(implied(&truth(), &found).into_iter().all(|is| is), "and no others");
    assert!(by_templates(&learned) > 0);
    assert!(
        learned.rules.rules().iter().all(|rule| rule.evidence.violated == 0 && rule.evidence.examples == 150)
    );
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let examples = examples(&rosters(60, 2));
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| learn(&ward(), &examples, &settings().check().unwrap(), &Quiet)).rules
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn templates_need_axes_and_can_be_left_out() {
    let rows = rosters(150, 1);
    let off = Settings { templates: false, ..settings() }.check().unwrap();
    assert_eq!(by_templates(&learn(&ward(), &examples(&rows), &off, &Quiet)), 0);
    let plain = Variables::from_names((0..NURSES * DAYS * 3).map(|v| format!("x{v}"))).unwrap();
    let learned = learn(&plain, &examples(&rows), &settings().check().unwrap(), &Quiet);
    assert_eq!(by_templates(&learned), 0);
    assert!(learned.report.candidates.contains(&("families", 0)));
}

/// Half of the values are not observed, so no example shows a whole copy of a long sum.
#[test]
fn partly_observed_examples_give_nothing_unsound() {
    use rand::RngExt;
    let mut random = stream(3, "holes", 0);
    let rows: Vec<Vec<Option<bool>>> = rosters(150, 3)
        .into_iter()
        .map(|row| row.into_iter().map(|value| random.random_bool(0.5).then_some(value)).collect())
        .collect();
    let examples = Examples::from_rows((NURSES * DAYS * 3) as usize, &rows);
    let learned = learn(&ward(), &examples, &settings().check().unwrap(), &Quiet);
    let found: Vec<Constraint> = learned.rules.constraints().cloned().collect();
    assert!(implied(&truth(), &found).into_iter().all(|is| is));
}

#[test]
fn given_rules_are_frozen() {
    let examples = examples(&rosters(150, 4));
    let (known, rest): (Vec<_>, Vec<_>) = truth().into_iter().partition(|rule| rule.len() > 2);
    let rules = RuleSet::with_rules(ward(), known.iter().cloned().map(Rule::given));
    let given = Given { rules, soft: false };
    let learned = learn_given(&ward(), &examples, &given, &settings().check().unwrap(), &Quiet);
    let (kept, new): (Vec<&Rule>, Vec<&Rule>) =
        learned.rules.rules().iter().partition(|rule| rule.origin == Origin::Given);
    assert_eq!(kept.len(), known.len());
    assert!(kept.iter().all(|rule| rule.evidence.satisfied == 150));
    let new: Vec<Constraint> = new.into_iter().map(|rule| rule.constraint.clone()).collect();
    assert!(implied(&known, &new).into_iter().all(|is| !is), "nothing is learned that was given");
    let all: Vec<Constraint> = learned.rules.constraints().cloned().collect();
    assert!(implied(&all, &rest).into_iter().all(|is| is), "the others are learned");
}

#[test]
fn soft_rules_have_to_stand() {
    let examples = examples(&rosters(150, 5));
    let true_one = truth().pop().unwrap();
    let wrong = Constraint::at_most(0, [works(0, 0, 0), works(1, 3, 1)]);
    let rules = RuleSet::with_rules(ward(), [&true_one, &wrong].map(|c| Rule::given(c.clone())));
    let settings = Settings { counting: false, least_squares: false, ..settings() }.check().unwrap();
    let with = |soft: bool| {
        learn_given(&ward(), &examples, &Given { rules: rules.clone(), soft }, &settings, &Quiet)
    };
    let given = |learned: &Learned| {
        let rules = learned.rules.rules().iter().filter(|rule| rule.origin == Origin::Given);
        rules.map(|rule| rule.constraint.clone()).collect::<Vec<_>>()
    };
    assert_eq!(given(&with(false)), [true_one.clone(), wrong.clone()]);
    let soft = with(true);
    assert_eq!(given(&soft), [true_one]);
    assert!(soft.dropped.iter().any(|dropped| dropped.by == "given" && dropped.constraint == wrong));
}
