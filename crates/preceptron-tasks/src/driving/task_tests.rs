//! A run of driving from beginning to end, on few small scenes.

use std::path::Path;
use std::time::Duration;

use preceptron::{AnyTask, Asking, Run, Shown, Task, TaskResult, TrainRequest};
use preceptron_base::{Given, Quiet, Settings, apply};

use super::*;

fn given(text: &str) -> Vec<Given> {
    let pair = |pair: &str| {
        let (name, text) = pair.split_once('=').unwrap();
        Given { name: name.to_owned(), text: text.replace('_', " ") }
    };
    text.split_whitespace().map(pair).collect()
}

fn settings(text: &str) -> DrivingSettings {
    let mut settings = DrivingSettings::default();
    apply(&mut settings, &given(text)).unwrap();
    settings
}

fn train(path: &Path, flags: &str) -> TaskResult<Shown> {
    let request = TrainRequest {
        given: given(flags),
        out: Some(path.to_owned()),
        force: false,
        resume: None,
        save_every: Duration::from_secs(10),
    };
    Driving.train(&request, &Quiet)
}

#[test]
fn a_run_is_trained_kept_scored_and_asked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let shown = train(&path, "size=104x24 train=200 test=40 epochs=1").unwrap();
    assert!(shown.is_yes && shown.text.contains("On 40 frames with synthetic pictures of other drives:"));
    assert!(shown.text.contains("if a cell is on the path") && shown.json["clauses"][0].as_u64() > Some(0));
    let run = Run::open(&path).unwrap();
    assert_eq!(run.settings::<DrivingSettings>().unwrap().train, Some(200));

    let sheet = folder.path().join("sheet.png");
    let draw = Given { name: "draw".to_owned(), text: sheet.display().to_string() };
    let scored = Driving.evaluate(&run, &[draw], &Quiet).unwrap();
    assert_eq!(scored.json["rows"][0], shown.json["rows"][0]);
    assert!(Rgb::decode(&std::fs::read(&sheet).unwrap()).unwrap().size()[1] > 12 * 48);
    let others = Driving.evaluate(&run, &given("seed=1 count=9"), &Quiet).unwrap();
    assert!(others.json["frames"] == 9 && others.json["rows"][0] != scored.json["rows"][0]);
    assert!(others.text.contains("9 frames with synthetic pictures:"), "{}", others.text);

    let page = std::fs::read_to_string(path.join("report.html")).unwrap();
    for part in ["from paths alone", "The rules", "Scenes", "data:image/png", "declared: "] {
        assert!(page.contains(part), "{part}");
    }
    Driving.report(&run, &Quiet).unwrap();
    assert!(std::fs::read_to_string(path.join("report.html")).unwrap() == page);

    // A frame of the run, and the same picture as a file: nobody knows its map.
    let asked = |flags: &[Given]| Driving.solve(&run, flags, &Asking::default(), &Quiet);
    let own = asked(&given("frame=2")).unwrap();
    assert!(own.is_yes && own.json["collides"].is_boolean() && own.json["shown"].is_array());
    let picture = folder.path().join("picture.png");
    std::fs::write(&picture, Rgb::new(124, 38, [90; 3]).to_png().unwrap()).unwrap();
    let flag = Given { name: "picture".to_owned(), text: picture.display().to_string() };
    let plan = asked(&[vec![flag.clone()], given("end=8,3")].concat()).unwrap();
    assert!(plan.is_yes && plan.json["collides"].is_null() && plan.json["end"]["row"] == 8);
    assert!(asked(&[flag]).unwrap_err().to_string().contains("--end ROW,COLUMN"));
    assert!(asked(&given("frame=41")).unwrap_err().to_string().contains("there are 40"));

    let problem = Driving.ground(&run, &given("grid=6x5 start=0,0 end=5,4 blocked=2,2_3,3")).unwrap();
    assert_eq!((problem.rules.variables().len(), problem.objective.len()), (4 * 30, 30));
    assert!(Driving.ground(&run, &[]).unwrap_err().to_string().contains("--end"));
    let outside = Driving.ground(&run, &given("end=99,0")).unwrap_err().to_string();
    assert_eq!(outside, "row 99, column 0 is not on a grid of 10 rows and 10 columns");
    assert!(AnyTask::rules(&Driving, &run).unwrap().unwrap().text.contains("if a cell is on the path"));
}

#[test]
fn settings_that_do_not_go_together() {
    let misplaced = |text: &str, flag| Driving::misplaced(&settings(text), flag).is_some();
    assert!(misplaced("supervision=maps", "prior") && !misplaced("supervision=paths", "prior"));
    assert!(misplaced("supervision=direct", "caution") && !misplaced("supervision=maps", "caution"));
    assert!(misplaced("from=x", "density") && misplaced("", "render") && !misplaced("from=x", "render"));
    let fault = |text: &str| settings(text).settle().unwrap_err().to_string();
    assert!(fault("grid=900x900").contains("more than 10000"));
    assert!(fault("size=0x48").contains("of 1 to 4000000 pixels"));
    assert!(fault("labels=nowhere").contains("nowhere: No such file"));
    assert!(fault("from=x mapping=y").contains("go together"));
    let wrong = apply(&mut DrivingSettings::default(), &given("epochs=0")).unwrap_err();
    assert_eq!(wrong.to_string(), "epochs = 0 is out of range: 1 to 10000");
    let mut own = settings("seed=7");
    own.settle().unwrap();
    assert_eq!((own.train, Driving::run_name(&own).as_str()), (Some(1500), "driving-7"));
    assert_eq!(toml_like(&own), own);
}

/// Settings as they come back from a file.
fn toml_like<S: Settings>(settings: &S) -> S {
    serde_json::from_value(serde_json::to_value(settings).unwrap()).unwrap()
}
