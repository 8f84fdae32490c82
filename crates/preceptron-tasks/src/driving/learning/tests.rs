//! Learning to drive on few synthetic frames.

use super::super::{Density, FrameSettings, Frames, degree_rules};
use super::*;
use preceptron::{Model, Schedule, Training, train};
use preceptron_base::Quiet;

fn frames(count: usize, seed: u64) -> Frames {
    let settings = FrameSettings { size: [104, 24], seed, ..FrameSettings::default() };
    Frames::sample(count, Density::Normal, &settings)
}

fn settings(supervision: Supervision) -> LearningSettings {
    LearningSettings { supervision, epochs: 2, held_out: 0.2, ..LearningSettings::default() }
}

/// What training by the one loop ends in.
fn trained(frames: &Frames, settings: &LearningSettings) -> Model {
    let mut learner = PathLearner::new(frames, settings).unwrap();
    train(&mut learner, Training::default()).unwrap().model.unwrap()
}

#[test]
fn rules_are_found_and_training_repeats() {
    let frames = frames(400, 1);
    let learn = |threads: usize, stop: bool| {
        let settings = LearningSettings { threads, ..settings(Supervision::Paths) };
        let mut learner = PathLearner::new(&frames, &settings).unwrap();
        learner.begin(&Quiet).unwrap();
        let mut losses = vec![learner.step(&Quiet).unwrap().get("loss").unwrap()];
        if stop {
            let state = learner.state().unwrap();
            learner = PathLearner::new(&frames, &settings).unwrap();
            learner.restore(&state).unwrap();
            assert_eq!((learner.made(), learner.steps()), (1, 2));
        }
        losses.push(learner.step(&Quiet).unwrap().get("loss").unwrap());
        let Model { rules, parts, found, network, .. } = learner.finish(&Quiet).unwrap();
        let model = Model { rules, parts, found, network, ..Model::default() };
        let answers = Trained::load(&frames, &settings, &model).unwrap().answer(&frames, &Quiet).unwrap();
        (losses, model.rules, model.parts, model.found, answers)
    };
    let once = learn(2, false);
    // The rule on obstacles is learned from what the network believes, if it believes in any yet.
    let comparison = once.1.compare(&degree_rules());
    assert!(comparison.extra_relative.is_empty() && comparison.missing_relative.len() <= 1);
    let found: Findings = serde_json::from_value(once.3.clone()).unwrap();
    assert!(once.0[1] < once.0[0] && found.clauses[0] > 0 && found.frames == [320, 80], "{found:?}");
    assert!(learn(1, true) == once);
}

#[test]
fn every_row_is_there() {
    let (known, test) = (frames(160, 2), frames(60, 3));
    let learn = |supervision| {
        let settings = LearningSettings { epochs: 1, ..settings(supervision) };
        let model = trained(&known, &settings);
        assert_eq!(model.rules.relative().is_empty(), !supervision.plans());
        Trained::load(&known, &settings, &model).unwrap()
    };
    let sup = learn(Supervision::Maps);
    let [direct, resnet] = [Supervision::Direct, Supervision::Resnet].map(learn);
    let (given, how) = (resnet.see(&test).unwrap(), resnet.settings);
    let Table { rows, answers } = table(&sup, &[direct, resnet], &known, &test, &Quiet).unwrap();
    assert_eq!((rows[0].judgement.connected, rows[0].judgement.unanswered), (1.0, 0));
    assert!(rows[0].judgement.obstacle_recall.is_some() && rows[1].judgement.obstacle_recall.is_none());
    let names: Vec<&str> = rows[..6].iter().map(|row| row.name.as_str()).collect();
    let [told, direct, resnet] =
        [Supervision::Maps, Supervision::Direct, Supervision::Resnet].map(Supervision::name);
    assert_eq!(names[..3], [told, direct, resnet]);
    assert_eq!(names[3], format!("{told}, by one weight of risk"));
    assert_eq!(names[4..], [direct, resnet].map(|name| format!("{name}, joined to paths")));
    assert!(rows[4..6].iter().all(|row| row.judgement.connected == 1.0));
    assert_eq!(answers, sup.answer(&test, &Quiet).unwrap());
    // Of a network of another kind nothing is needed but what it gives.
    let other = table_of_paths(resnet, &given, &how, &known, &test).unwrap();
    assert_eq!(other.rows[..2], [rows[2].clone(), rows[5].clone()]);
    assert!(table_of_paths(resnet, &given[1..], &how, &known, &test).is_err());
    let trivial = &rows[6..];
    assert_eq!(trivial.len(), 4);
    for row in &trivial[2..] {
        assert_eq!((row.judgement.collision, row.judgement.connected), (0.0, 1.0), "{}", row.name);
    }
    assert!(trivial[0].judgement.collision > trivial[1].judgement.collision);
}

#[test]
fn faults_are_named() {
    let frames = frames(30, 1);
    let fault = |settings| PathLearner::new(&frames, &settings).err().unwrap().to_string();
    assert!(fault(settings(Supervision::Paths)).starts_with("30 frames of 1 drives: none can be held out"));
    let settings = LearningSettings { epochs: 0, ..settings(Supervision::Paths) };
    assert_eq!(fault(settings), "epochs = 0 is out of range: 1 to 10000");
}
