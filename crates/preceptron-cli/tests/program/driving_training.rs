//! `precept train driving` and `precept eval` of its runs, on few small scenes.

use crate::driver::Bench;
use preceptron_tasks::driving::Rgb;
use serde_json::Value;

const TRAIN: [&str; 10] =
    ["train", "driving", "--size", "104x24", "--train", "360", "--test", "80", "--epochs", "2"];

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_run_is_trained_kept_and_scored() {
    let bench = Bench::new();
    let trained = bench.run(&[&TRAIN[..], &["--out", "a", "--json"]].concat());
    assert_eq!((trained.code, trained.err.as_str()), (Some(0), ""));
    let value = json(&trained.out);
    assert_eq!(
        (&value["synthetic"], &value["train"], &value["test"]),
        (&true.into(), &360.into(), &80.into())
    );
    let rows = value["rows"].as_array().unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names[..3], ["from paths alone", "from paths alone, by one weight of risk", "the empty map"]);
    assert_eq!(rows[0]["judgement"]["connected"], 1.0);
    assert!(value["rules"].as_u64().unwrap() >= 3, "{}", value["rules"]);
    assert_eq!(bench.text("a/metrics.jsonl").lines().count(), 4);

    // The same frames again, from what was kept.
    let scored = bench.run(&["eval", "a", "--draw", "sheet.png", "--json"]);
    assert_eq!((scored.code, scored.err.as_str()), (Some(0), ""));
    assert_eq!(json(&scored.out)["rows"][0], rows[0]);
    let sheet = Rgb::decode(&std::fs::read(bench.path().join("sheet.png")).unwrap()).unwrap();
    assert!(sheet.size()[1] > 12 * 48, "{:?}", sheet.size());
    let words = bench.run(&["eval", "a"]);
    assert!(words.out.contains("80 frames with synthetic pictures:"), "{}", words.out);

    // The page has figures, rules, scenes and what to type; it is the same when written anew.
    let page = bench.text("a/report.html");
    for text in [
        "from paths alone",
        "the true map, random ties",
        "The rules",
        "if a cell is on the path",
        "declared: ",
    ] {
        assert!(page.contains(text), "{text}");
    }
    assert!(
        page.contains("--size 104x24") && page.contains("--epochs 2") && page.contains("class=\"chart\"")
    );
    assert!((2..=24).contains(&page.matches("src=\"data:image/png").count()));
    assert!(!page.contains("http://") && !page.contains("https://"));
    let report = bench.run(&["report", "a"]);
    assert_eq!((report.code, report.err.as_str()), (Some(0), ""));
    assert!(bench.text("a/report.html") == page, "another page");

    // Another seed gives other scenes; the same seed gives the same run, on one thread as well.
    let again = bench.run(&[&TRAIN[..], &["--out", "b", "--json", "--threads", "1"]].concat());
    assert_eq!(json(&again.out)["rows"], value["rows"]);
    assert_eq!(bench.text("a/rules.json"), bench.text("b/rules.json"));
}

/// Of the frames in a folder, those of drives that were trained on are no test.
#[test]
fn what_was_trained_on_is_left_out() {
    let bench = Bench::new();
    let size = ["--size", "104x24"];
    let made = ["data", "driving", "generate", "--count", "200", "--out", "frames"];
    assert_eq!(bench.run(&[&made[..], &size].concat()).code, Some(0));
    let train = ["train", "driving", "--from", "frames", "--train", "120", "--test", "40", "--epochs", "1"];
    let run = bench.run(&[&train[..], &size, &["--supervision", "direct", "--out", "a"]].concat());
    assert_eq!(run.code, Some(0), "{}", run.err);
    let value = json(&bench.run(&["eval", "a", "--from", "frames", "--json"]).out);
    let [left_out, frames] = ["left_out", "frames"].map(|key| value[key].as_u64().unwrap());
    assert!(left_out >= 120 && frames >= 40 && left_out + frames <= 200, "{left_out} and {frames}");
    let words = bench.run(&["eval", "a", "--from", "frames", "--count", "9"]).out;
    assert!(words.contains(&format!("{left_out} frames are left out: they, or others")), "{words}");
    assert!(words.contains("\n9 frames:\n"), "{words}");
}

#[test]
fn faults_are_one_line() {
    let bench = Bench::new();
    let fault = |arguments: &[&str]| bench.error(&[&["train", "driving"], arguments].concat());
    assert!(fault(&["--epochs", "0"]).contains("epochs = 0 is out of range: 1 to 10000"));
    assert!(fault(&["--labels", "nowhere"]).contains("nowhere: No such file"));
    assert!(fault(&["--resume", "nowhere"]).contains("nowhere: no such run"));
}
