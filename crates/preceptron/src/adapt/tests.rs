use super::*;
use crate::toy::{WAYS, network, rules, scenes};
use preceptron_base::Quiet;
use preceptron_perceive::{Classifier, Images, Shape};

/// Sixty examples of which all three places are seen; what they show is not known.
fn unknown() -> Scenes {
    let shown: Vec<crate::toy::Shown> = (0..60).map(|at| (WAYS[at % 6], &[0usize, 1, 2][..])).collect();
    scenes(&shown)
}

/// What the places of the examples show.
fn truth() -> Examples {
    let value = |at: usize, var: usize| Some(WAYS[at % 6][var / 3] == (var % 3) as u16);
    let rows: Vec<Vec<Option<bool>>> = (0..60).map(|at| (0..9).map(|var| value(at, var)).collect()).collect();
    Examples::from_rows(9, &rows)
}

/// A network that reads two symbols well, and takes the third for the first or for itself.
fn half_blind() -> Classifier {
    let mut learner = network();
    for _ in 0..60 {
        let pixels: Vec<u8> = vec![220, 10, 10, 10, 220, 10, 10, 10, 220];
        let rows = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.55, 0.0, 0.45];
        learner.fit(Images::bytes(Shape::new(3, 1, 1), &pixels).unwrap(), Targets::new(&rows)).unwrap();
    }
    learner
}

fn adapting(scenes: Scenes, truth: Option<Examples>) -> Adapting {
    Adapting {
        scenes,
        truth,
        views: Views::One,
        batch: 30,
        unit: "row",
        network: Box::new(|_| Ok(Box::new(network()))),
        notes: Vec::new(),
    }
}

fn model() -> Model {
    Model { network: Some(half_blind().save().unwrap()), ..Model::of_rules(rules()) }
}

fn settings() -> AdaptSettings {
    AdaptSettings { rounds: 3, steps: 90, sure: 0.9, ..AdaptSettings::default() }
}

#[test]
fn what_the_rules_repair_teaches_the_network() {
    let (model, adapted) = adapt(&adapting(unknown(), None), &model(), &settings(), &Quiet).unwrap();
    let [Some(before), Some(after)] = &adapted.held_out else { panic!("{adapted:?}") };
    // The third symbol is read as the first, and every example has each symbol once.
    assert_eq!((before.examples, before.pictures, before.obeying, before.repaired), (12, 36, 0, 12));
    assert_eq!((after.obeying, after.sure, after.repaired), (12, 12, 0));
    assert!(adapted.is_kept && after.judged.is_none() && adapted.rounds[0].repaired > 0, "{adapted:?}");
    let mut learned = network();
    learned.load(model.network.as_deref().unwrap()).unwrap();
    let third = learned.predict(Images::bytes(Shape::new(3, 1, 1), &[10, 10, 220]).unwrap()).unwrap();
    assert_eq!(third.most_probable().collect::<Vec<_>>(), [2]);
}

#[test]
fn answers_judge_and_change_nothing() {
    let blind = adapt(&adapting(unknown(), None), &model(), &settings(), &Quiet).unwrap();
    let (model, told) =
        adapt(&adapting(unknown_of_two(), Some(of_the_third())), &model(), &settings(), &Quiet).unwrap();
    // The third place leaves two ways for the others, of which the pictures say one: no picture is judged alone.
    let judged = told.held_out[1].as_ref().unwrap().judged.as_ref().unwrap();
    assert_eq!((judged.pictures, judged.likeliest, judged.pinned), ([0, 0], 12, 12));
    // Wrong answers leave the network as right ones do.
    let (other, wrong) =
        adapt(&adapting(unknown_of_two(), Some(turned_round())), &self::model(), &settings(), &Quiet)
            .unwrap();
    assert_eq!(model.network, other.network);
    assert_eq!(wrong.held_out[1].as_ref().unwrap().judged.as_ref().unwrap().likeliest, 0);
    assert_ne!(blind.0.network, model.network);
}

/// The same examples of which two places are seen.
fn unknown_of_two() -> Scenes {
    let shown: Vec<crate::toy::Shown> = (0..60).map(|at| (WAYS[at % 6], &[0usize, 1][..])).collect();
    let none = Examples::from_rows(9, &vec![vec![None; 9]; 60]);
    scenes(&shown).with_known(none).unwrap()
}

/// What the third place shows.
fn of_the_third() -> Examples {
    third(truth())
}

fn third(all: Examples) -> Examples {
    let value = |at: usize, var: u32| (var >= 6).then(|| all.get(at, preceptron_logic::Var(var))).flatten();
    let rows: Vec<Vec<Option<bool>>> = (0..60).map(|at| (0..9).map(|var| value(at, var)).collect()).collect();
    Examples::from_rows(9, &rows)
}

/// Wrong answers: those of the second place.
fn turned_round() -> Examples {
    let value = |at: usize, var: usize| (var >= 6).then(|| WAYS[at % 6][1] == (var % 3) as u16);
    let rows: Vec<Vec<Option<bool>>> = (0..60).map(|at| (0..9).map(|var| value(at, var)).collect()).collect();
    Examples::from_rows(9, &rows)
}

#[test]
fn a_seed_says_all() {
    let run = |seed, threads| {
        let settings = AdaptSettings { seed, threads, ..settings() };
        adapt(&adapting(unknown(), None), &model(), &settings, &Quiet).unwrap()
    };
    let (model, adapted) = run(1, 1);
    let (again, other) = run(1, 3);
    assert!(model == again && adapted == other);
    assert_ne!(run(2, 1).0.network, model.network);
}

#[test]
fn what_no_rule_can_repair_teaches_nothing() {
    // Without rules nothing says that the third symbol was misread, and no example is sure.
    let model = Model { rules: preceptron_logic::RuleSet::new(rules().variables().clone()), ..model() };
    let (after, adapted) = adapt(&adapting(unknown(), None), &model, &settings(), &Quiet).unwrap();
    assert!(adapted.rounds.is_empty() && !adapted.is_kept && after == model, "{adapted:?}");
}
