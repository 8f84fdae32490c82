//! `precept data driving`: scenes are made, checked and drawn.

use crate::driver::{Bench, Run};
use preceptron_tasks::driving::Rgb;
use serde_json::Value;

const DATA: [&str; 2] = ["data", "driving"];

fn run(bench: &Bench, arguments: &[&str]) -> Run {
    bench.run(&[&DATA, arguments].concat())
}

fn fault(bench: &Bench, arguments: &[&str]) -> String {
    bench.error(&[&DATA, arguments].concat())
}

#[test]
fn scenes_are_made_checked_and_drawn() {
    let bench = Bench::new();
    let made = run(&bench, &["generate", "--count", "90", "--test", "40", "--seed", "3", "--out", "scenes"]);
    assert_eq!((made.code, made.err.as_str()), (Some(0), ""));
    assert!(made.out.contains("synthetic frames of 3 drives written to scenes"), "{}", made.out);
    assert!(bench.text("scenes/SYNTHETIC.txt").contains("synthetic"));
    assert_eq!(bench.text("scenes/ImageSets/test.txt").lines().count(), 40);
    let paths = bench.text("scenes/paths.jsonl");
    let path: Value = serde_json::from_str(paths.lines().next().unwrap()).unwrap();
    assert_eq!((&path["frame"], &path["start"]["row"]), (&"000000".into(), &1.into()));

    let verified = run(&bench, &["verify", "--from", "scenes", "--seed", "3", "--json"]);
    assert_eq!((verified.code, verified.err.as_str()), (Some(0), ""));
    let value: Value = serde_json::from_str(&verified.out).unwrap();
    assert_eq!((&value["figures"]["drives"], &value["pictures"]), (&3.into(), &true.into()));
    let mean = value["figures"]["objects"].as_f64().unwrap();
    assert!((2.0..9.0).contains(&mean), "{mean}");

    let drawn = run(&bench, &["draw", "--from", "scenes", "--rows", "1-4", "--out", "sheet.png"]);
    assert!(drawn.code == Some(0) && drawn.out.starts_with("4 frames drawn"), "{}{}", drawn.out, drawn.err);
    let sheet = Rgb::decode(&std::fs::read(bench.path().join("sheet.png")).unwrap()).unwrap();
    assert!(sheet.size()[0] > 1400);
    let again = run(&bench, &["draw", "--rows", "7", "--out", "drawn.png"]);
    assert!(again.out.starts_with("1 synthetic frames drawn"), "{}{}", again.out, again.err);

    // The labels alone are rendered to the same pictures' layouts.
    let other =
        ["generate", "--labels", "scenes", "--calibration", "scenes", "--count", "5", "--out", "other"];
    assert_eq!(run(&bench, &other).code, Some(0));
    assert_eq!(bench.text("other/label_2/000002.txt"), bench.text("scenes/label_2/000002.txt"));

    std::fs::remove_file(bench.path().join("scenes/image_2/000004.png")).unwrap();
    let missing = run(&bench, &["verify", "--from", "scenes"]);
    assert!(missing.code == Some(1) && missing.out.contains("files are missing: 000004"), "{}", missing.out);
    bench.file("scenes/label_2/000005.txt", "Car 1 2\n");
    let wrong = fault(&bench, &["verify", "--from", "scenes"]);
    assert!(wrong.contains("label_2/000005.txt: line 1: a label has 15 or 16 columns, not 3"), "{wrong}");
}

#[test]
fn errors_are_one_line() {
    let bench = Bench::new();
    bench.file("a.txt", "");
    assert!(fault(&bench, &["verify"]).contains("no frames are named; --from or --labels"));
    assert!(fault(&bench, &["verify", "--from", "nowhere"]).contains("nowhere: No such file"));
    assert!(fault(&bench, &["generate", "--out", "a.txt"]).contains("a.txt: is already there"));
    assert!(fault(&bench, &["generate", "--size", "208", "--out", "x"]).contains("such as 208x48"));
    assert!(fault(&bench, &["generate", "--grid", "900x900", "--out", "x"]).contains("more than 10000"));
    assert!(
        fault(&bench, &["generate", "--count", "9", "--test", "10", "--out", "x"])
            .contains("9 frames of 1 drives")
    );
    assert!(fault(&bench, &["draw", "--rows", "0", "--out", "x.png"]).contains("counted from 1"));
    assert!(fault(&bench, &["generate", "--images", "a.txt", "--out", "x"]).contains("no labels are named"));
}
