use std::collections::BTreeMap;

use super::*;
use crate::State;
use crate::page::Figure;
use preceptron_logic::{Constraint, Origin, Rule, Var, Variables};

fn settings(seed: u64) -> BTreeMap<String, u64> {
    BTreeMap::from([("seed".to_owned(), seed)])
}

fn rules() -> RuleSet {
    let variables = Variables::from_names(["a", "b"]).unwrap();
    let rule = Rule::given(Constraint::exactly(1, [Var(0).positive(), Var(1).positive()]));
    RuleSet::with_rules(variables, [rule])
}

/// A network of one weight.
fn network(weight: f32) -> Vec<u8> {
    let bytes = weight.to_le_bytes();
    let view = safetensors::tensor::TensorView::new(safetensors::Dtype::F32, vec![1], &bytes).unwrap();
    safetensors::serialize([("weight", view)], None).unwrap()
}

fn model() -> Model {
    Model {
        rules: rules(),
        methods: BTreeMap::from([("slow".to_owned(), RuleSet::default())]),
        network: Some(network(1.5)),
        calibration: Some(Calibration { pictures: 3, agreement: 1.0, temperature: 2.0, error: (0.1, 0.2) }),
        parts: BTreeMap::from([("planner".to_owned(), serde_json::json!({ "kappa": 2 }))]),
        found: serde_json::json!([1, 2]),
    }
}

fn create(path: &Path, seed: u64, force: bool) -> Result<Run, RunError> {
    Run::reserve(path, force)?.create("toy", &settings(seed), &[])
}

fn message<T>(result: Result<T, RunError>, directory: &Path) -> String {
    result.err().expect("an error").to_string().replace(&directory.display().to_string(), "D")
}

fn listed(path: &Path) -> Vec<String> {
    let mut names = files(path).unwrap();
    names.sort();
    names
}

#[test]
fn a_run_comes_back() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("runs/one");
    let run = create(&path, 7, false).unwrap();
    run.metrics_after(0).unwrap().close().unwrap();
    run.write_model(&model(), true).unwrap();
    drop(run);
    let run = Run::open(&path).unwrap();
    assert_eq!((run.task(), run.settings::<BTreeMap<String, u64>>().unwrap()), ("toy", settings(7)));
    let read = run.model().unwrap();
    assert_eq!(read.rules.rules(), rules().rules());
    assert_eq!(read.rules.notes["source"], "precept train toy");
    assert_eq!(
        (&read.parts, &read.found, &read.calibration),
        (&model().parts, &model().found, &model().calibration)
    );
    assert_eq!(read.methods["slow"].notes["method"], "slow");
    let names = [
        "calibration.json",
        "config.toml",
        "metrics.jsonl",
        "network.safetensors",
        "planner.json",
        "rules.json",
        "rules.slow.json",
        "training.json",
    ];
    assert_eq!(listed(&path), names);
}

#[test]
fn a_score_is_kept_and_is_no_part_of_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    for (path, seed) in [(&one, 1), (&two, 2)] {
        let run = create(path, seed, false).unwrap();
        run.metrics_after(0).unwrap().close().unwrap();
        run.write_model(&model(), true).unwrap();
    }
    let run = Run::open(&one).unwrap();
    assert_eq!(run.score().unwrap(), None);
    let figure = Figure::new("99%", "of boards solved", "99 of 100");
    let score = KeptScore { figures: vec![figure], tables: vec![(vec!["a".into()], vec![vec!["1".into()]])] };
    run.write_score(&score).unwrap();
    assert_eq!(run.score().unwrap(), Some(score));
    assert_eq!(run.model().unwrap().parts, model().parts);
    // That of another run is refused, and a new run does not inherit it.
    fs::copy(one.join("score.json"), two.join("score.json")).unwrap();
    assert!(matches!(Run::open(&two).unwrap().score(), Err(RunError::OfAnother { .. })));
    drop(create(&one, 3, true).unwrap());
    assert!(!one.join("score.json").exists());
}

#[test]
fn a_run_is_overwritten_only_on_request() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("one");
    let run = create(&path, 1, false).unwrap();
    run.write_model(&model(), true).unwrap();
    drop(run);
    fs::write(path.join("notes.txt"), "mine").unwrap();
    fs::write(path.join("notes.json"), "{}").unwrap();
    let again = create(&path, 2, false);
    assert_eq!(message(again, directory.path()), "D/one: is already there; --force overwrites it");
    // The older run stays until the new one begins.
    drop(Run::reserve(&path, true).unwrap());
    assert!(Run::reopen(&path).unwrap().model().is_ok());
    drop(create(&path, 2, true).unwrap());
    assert_eq!(listed(&path), ["config.toml", "notes.json", "notes.txt"]);
    let other = directory.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("thesis.tex"), "mine").unwrap();
    assert_eq!(
        message(create(&other, 2, true), directory.path()),
        "D/other: is not a run: it has no config.toml"
    );
}

#[test]
fn what_nothing_came_of_leaves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    drop(Run::reserve(&root.join("deep/er/run"), false).unwrap());
    assert!(files(root).unwrap().is_empty());
    fs::create_dir(root.join("mine")).unwrap();
    drop(Run::reserve(&root.join("mine"), false).unwrap());
    assert_eq!((files(root).unwrap(), files(&root.join("mine")).unwrap()), (vec!["mine".to_owned()], vec![]));
}

/// What does not change the result does not change the id.
#[test]
fn free_settings_are_no_part_of_an_id() {
    let directory = tempfile::tempdir().unwrap();
    let id = |name: &str, seed: u64, free: &[&str]| {
        let reserved = Run::reserve(&directory.path().join(name), false).unwrap();
        reserved.create("toy", &settings(seed), free).unwrap().id().to_owned()
    };
    assert_eq!(id("a", 1, &["seed"]), id("b", 2, &["seed"]));
    assert_ne!(id("c", 1, &[]), id("d", 2, &[]));
}

#[test]
fn one_process_writes() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("one");
    let reserved = Run::reserve(&path, false).unwrap();
    let busy = format!("D/one: another process ({}) is writing it", std::process::id());
    assert_eq!(message(Run::reserve(&path, false), directory.path()), busy);
    let run = reserved.create("toy", &settings(1), &[]).unwrap();
    assert_eq!(message(Run::reopen(&path).unwrap().locked(), directory.path()), busy);
    assert_eq!(message(Run::reserve(&path, true), directory.path()), busy);
    let copy = run.clone();
    drop(run);
    assert_eq!(message(Run::reserve(&path, true), directory.path()), busy);
    drop(copy);
    assert!(Run::reopen(&path).unwrap().locked().is_ok());
}

/// Files that another run left in the place of this one's.
#[test]
fn files_of_another_run_are_noticed() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    let whole = |name: &str, seed| {
        let run = create(&root.join(name), seed, false).unwrap();
        run.metrics_after(0).unwrap().close().unwrap();
        run.write_model(&model(), true).unwrap();
        run.write_checkpoint(&Checkpoint { schedule: "s".into(), step: 1, state: State::default() }).unwrap();
        run
    };
    let (one, two) = (whole("one", 1), whole("two", 2));
    for file in [
        "network.safetensors",
        "rules.json",
        "rules.slow.json",
        "calibration.json",
        "planner.json",
        "training.json",
        "checkpoint",
        "metrics.jsonl",
    ] {
        let kept = fs::read(one.path().join(file)).unwrap();
        fs::copy(two.path().join(file), one.path().join(file)).unwrap();
        let found = match file {
            "checkpoint" => one.checkpoint().map(drop),
            "metrics.jsonl" => one.measurements().map(drop).and(one.metrics_after(0).map(drop)),
            _ => one.model().map(drop),
        };
        let expected = format!(
            "D/one: {file} is not of this run: it is of the run {} where this one is {}",
            two.id(),
            one.id()
        );
        assert_eq!(message(found, root), expected);
        fs::write(one.path().join(file), kept).unwrap();
    }
    fs::write(one.path().join("network.safetensors"), network(1.0)).unwrap();
    let none = message(one.model(), root);
    assert!(
        none.starts_with("D/one: network.safetensors is not of this run: it has no run's id where"),
        "{none}"
    );
}

#[test]
fn events_go_into_a_new_file_each_time() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("one");
    let run = create(&path, 1, false).unwrap();
    let first = path.join(events_file(1, run.id()));
    run.tensorboard().unwrap().close().unwrap();
    fs::write(&first, "kept").unwrap();
    run.tensorboard().unwrap().close().unwrap();
    assert_eq!(fs::read(&first).unwrap(), b"kept");
    fs::write(path.join(events_file(9_999_999_998, "x")), "").unwrap();
    run.tensorboard().unwrap().close().unwrap();
    assert!(path.join(events_file(2, run.id())).is_file());
    assert!(path.join(events_file(9_999_999_999, run.id())).is_file());
    run.write_report("<p>").unwrap();
    drop(run);
    drop(create(&path, 2, true).unwrap());
    assert_eq!(files(&path).unwrap(), ["config.toml"]);
}

#[test]
fn measurements_come_back_line_by_line() {
    let directory = tempfile::tempdir().unwrap();
    let run = create(&directory.path().join("r"), 1, false).unwrap();
    let begin = format!("{{\"run\":\"{}\"}}\n", run.id());
    let write = |text: &str| fs::write(run.path().join("metrics.jsonl"), format!("{begin}{text}")).unwrap();
    write("{\"step\":1,\"loss\":null}\n{\"step\":2}\n");
    let lines = run.measurements().unwrap();
    assert_eq!((lines.len(), &lines[0]["loss"], &lines[1]["step"]), (2, &().into(), &2.into()));
    run.metrics_after(1).unwrap().close().unwrap();
    assert_eq!(run.measurements().unwrap().len(), 1);
    write("{\"step\":1}\n{\"st");
    let fault = message(run.measurements(), directory.path());
    assert!(fault.starts_with("D/r: metrics.jsonl is damaged: line 3: EOF"), "{fault}");
}

#[test]
fn what_a_kill_left_half_written_is_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("one");
    fs::create_dir(&path).unwrap();
    fs::write(path.join(".preceptAb12"), "task = ").unwrap();
    fs::write(path.join(".lock"), "12345").unwrap();
    let run = create(&path, 1, false).unwrap();
    assert_eq!(listed(&path), [".lock", "config.toml"]);
    fs::write(path.join(".preceptCd34"), "half").unwrap();
    run.metrics_after(0).unwrap();
    assert_eq!(listed(&path), [".lock", "config.toml", "metrics.jsonl"]);
}

#[test]
fn errors_say_which_file() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    assert_eq!(message(Run::open(&root.join("no")), root), "D/no: no such run");
    assert_eq!(message(Run::open(root), root), "D: is not a run: it has no config.toml");
    let run = create(&root.join("r"), 1, false).unwrap();
    assert_eq!(message(Run::open(run.path()), root), "D/r: metrics.jsonl is missing");
    run.metrics_after(0).unwrap();
    assert_eq!(
        message(Run::open(run.path()), root),
        "D/r: rules.json is missing: training did not come to its end"
    );
    fs::write(run.path().join("rules.json"), "{}").unwrap();
    assert_eq!(
        message(Run::open(run.path()).unwrap().rules(None), root),
        "D/r: rules.json is damaged: the field \"format\" is \"\"; a rule set says \"precept rules\""
    );
    assert_eq!(message(run.rules(Some("slow")), root), "D/r: rules.slow.json is missing");
    let wrong = run.settings::<BTreeMap<String, String>>();
    assert_eq!(
        message(wrong, root),
        "D/r: config.toml is damaged: invalid type: integer `1`, expected a string"
    );
    fs::write(run.path().join("config.toml"), "id = \"\"\ntask = \"toy\"\nsettings = 3\n").unwrap();
    assert_eq!(
        message(Run::open(run.path()), root),
        "D/r: config.toml is damaged: line 3: invalid type: integer `3`, expected a map"
    );
    let text = "id = \"\"\ntask = \"toy\"\nprogram = \"\"\n[settings]\na = \"b\\nc\"\n";
    fs::write(run.path().join("config.toml"), text).unwrap();
    let wrong = Run::open(run.path()).unwrap().settings::<BTreeMap<String, Origin>>();
    assert_eq!(
        message(wrong, root),
        "D/r: config.toml is damaged: unknown variant `b c`, expected one of `learned`, `given`, `encoding`"
    );
}
