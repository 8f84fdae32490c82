//! Ctrl-C: once to end with what was found, twice to end at once.
//!
//! The input comes from standard input, so that the signals surely arrive before the search begins. Then a table:
//! each long command, stopped at several moments, ends soon, and loses nothing.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::driver::Bench;
use preceptron::Run;
use preceptron_tasks::TASKS;

/// So many names are more than a pipe holds.
const NAMES: usize = 10_000;

/// The program, waiting for the rest of its input, after one Ctrl-C.
fn interrupted(arguments: &[&str]) -> (Child, BufReader<ChildStderr>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_precept"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Once more than a pipe holds is written, the program reads, and has its handler in place. The line
    // is a header of names to one command and a comment to another.
    let names: Vec<String> = (0..NAMES).map(|n| format!("a long name {n}")).collect();
    child.stdin.as_mut().unwrap().write_all(format!("*{}", names.join(",")).as_bytes()).unwrap();
    signal(&child);
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("stopping with what was found") {
        assert_ne!(errors.read_line(&mut line).unwrap(), 0, "{line}");
    }
    (child, errors)
}

fn signal(child: &Child) {
    send("INT", child);
}

fn send(signal: &str, child: &Child) {
    let status = Command::new("sh").args(["-c", &format!("kill -{signal} {}", child.id())]).status();
    assert!(status.unwrap().success());
}

#[test]
fn once_ends_with_what_was_found() {
    let (mut child, _errors) = interrupted(&["learn", "-"]);
    let row = vec!["1"; NAMES].join(",");
    child.stdin.take().unwrap().write_all(format!("\n{row}\n").as_bytes()).unwrap();
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert!(out.contains("\nThe search was interrupted; these are the rules found until then.\n"), "{out}");
    assert!(matches!(child.wait().unwrap().code(), Some(0 | 1)));
}

#[test]
fn once_ends_a_search_for_an_assignment() {
    let (mut child, _errors) = interrupted(&["solve", "-", "--from", "opb"]);
    child.stdin.take().unwrap().write_all(b"\n+1 x1 +1 x2 >= 1 ;\n").unwrap();
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert!(out.ends_with("\nunknown: stopped by Ctrl-C before an assignment was found\n"), "{out}");
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn twice_ends_at_once() {
    let (mut child, _errors) = interrupted(&["learn", "-"]);
    signal(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// When a command is stopped, in milliseconds after its start.
const MOMENTS: [u64; 3] = [150, 600, 2000];

/// A second, and as much again for a machine that has other tests to run.
const SOON: Duration = Duration::from_secs(2);

/// More pigeons than holes: hard to solve, and to prove anything about.
fn pigeons() -> String {
    let (pigeons, holes) = (12, 11);
    let sits = |pigeon: usize, hole: usize| pigeon * holes + hole + 1;
    let mut rules = String::new();
    for pigeon in 0..pigeons {
        rules += &(0..holes).map(|hole| format!("+1 x{} ", sits(pigeon, hole))).collect::<String>();
        rules += ">= 1 ;\n";
        for other in 0..pigeon {
            for hole in 0..holes {
                rules += &format!("-1 x{} -1 x{} >= -1 ;\n", sits(pigeon, hole), sits(other, hole));
            }
        }
    }
    rules
}

/// A table in which there is much to search and nothing to find.
fn noise() -> String {
    let mut state = 1u64;
    let mut bit = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        if state >> 63 == 1 { "1" } else { "0" }
    };
    let names: Vec<String> = (0..150).map(|n| format!("c{n}")).collect();
    let rows = (0..400).map(|_| (0..150).map(|_| bit()).collect::<Vec<_>>().join(",") + "\n");
    format!("{}\n{}", names.join(","), rows.collect::<String>())
}

/// Starts a command once for each moment, stops it then, and looks at how it ended.
fn stopped(bench: &Bench, arguments: impl Fn(usize) -> Vec<String>, look: impl Fn(usize, &str)) {
    let start = |number: usize| {
        let arguments = arguments(number);
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        (bench.spawn(&words), arguments.join(" "), Instant::now())
    };
    let children: Vec<_> = (0..MOMENTS.len()).map(start).collect();
    for (number, (mut child, shown, begun)) in children.into_iter().enumerate() {
        sleep(Duration::from_millis(MOMENTS[number]).saturating_sub(begun.elapsed()));
        // The same to the program as Ctrl-C, and not ignored where whoever started the tests ignores that.
        if child.try_wait().unwrap().is_none() {
            send("TERM", &child);
        }
        let asked = Instant::now();
        while child.try_wait().unwrap().is_none() {
            assert!(asked.elapsed() < SOON, "{shown}: runs on after {:?}", asked.elapsed());
            sleep(Duration::from_millis(10));
        }
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        // A signal that comes before anybody listens ends the program at once.
        let ended = output.status.code();
        let is_early = ended.is_none() && output.stderr.is_empty() && output.stdout.is_empty();
        assert!(matches!(ended, Some(0 | 1)) || is_early, "{shown}: {ended:?}: {text}");
        assert!(!text.contains("panicked"), "{shown}: {text}");
        look(number, &text);
    }
}

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}

#[test]
fn long_work_ends_soon() {
    let bench = Bench::new();
    bench.file("pigeons.opb", pigeons()).file("noise.csv", noise());
    for line in ["certify pigeons.opb", "solve pigeons.opb", "learn noise.csv"] {
        stopped(&bench, |_| words(line), |_, _| ());
    }
    // A time limit ends it as well, with what was proved.
    let run = bench.run(&["certify", "pigeons.opb", "--time", "0"]);
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""));
    assert!(run.out.contains("stopped by the time limit before it was known"), "{}", run.out);
}

/// What is measured until then is shown, and the rest can be gone on with.
#[test]
fn measuring_the_paper_ends_soon() {
    let bench = Bench::new();
    let arguments = |number: usize| words(&format!("bench paper --quick --only 4x4 --out paper-{number}"));
    stopped(&bench, arguments, |number, text| {
        let goes_on = "units are not measured yet; the same command goes on with them.";
        assert!(text.is_empty() || text.contains(goes_on), "{number}: {text}");
    });
}

/// Training of every task that takes a moment, and scoring that takes longer.
const SMALL: [(&str, &str, &str); 9] = [
    ("xor", "--length 12 --count 150", ""),
    ("nonogram", "--train 100 --test 20", " --side 15 --count 3000"),
    ("futoshiki", "--train 150 --test 10 --steps 20", " --count 2000"),
    ("sudoku", "--order 2 --train 400 --test 10 --steps 30 --network mlp", " --count 3000"),
    ("driving", "--train 60 --test 20 --epochs 1", " --seed 9"),
    ("table", "squares --test 40 --steps 20", ""),
    ("addition", "--pairs 800 --test 20 --steps 8", " --count 20000"),
    ("comparison", "--pairs 600 --test 20 --steps 8", " --count 20000"),
    ("parity", "--length 4 --examples 200 --test 20 --steps 8", " --count 20000"),
];

/// A directory in which every task has what it needs: a table, for the one that trains on a user's own.
fn with_table() -> Bench {
    let bench = Bench::new();
    let made = bench.run(&["data", "table", "latin", "--rows", "120", "--out", "squares"]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    bench
}

#[test]
fn scoring_of_every_task_ends_soon() {
    let names: Vec<&str> = SMALL.iter().map(|(name, ..)| *name).collect();
    assert!(TASKS.iter().all(|task| names.contains(&task.name())), "{names:?}");
    let bench = with_table();
    for (name, settings, how) in SMALL {
        let line = words(&format!("train {name} {settings} --out {name}"));
        let trained = bench.run(&line.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(matches!(trained.code, Some(0 | 1)), "{name}: {}", trained.err);
        stopped(&bench, |_| words(&format!("eval {name}{how}")), |_, _| ());
        assert!(Run::reopen(&bench.path().join(name)).unwrap().is_finished());
    }
}

/// Of training that was stopped there is a run that can be gone on with, or nothing.
#[test]
fn training_of_every_task_ends_soon_and_loses_nothing() {
    for task in TASKS {
        let bench = with_table();
        let name = task.name();
        let data = if name == "table" { " squares" } else { "" };
        let arguments = |number: usize| words(&format!("train {name}{data} --out runs/{number}"));
        stopped(&bench, arguments, |number, text| {
            let path = bench.path().join(format!("runs/{number}"));
            match Run::is_run(&path) {
                true => {
                    let run = Run::reopen(&path).unwrap();
                    let is_saved = run.is_finished() || run.checkpoint().unwrap().is_some();
                    assert!(is_saved, "{name} {number}: {text}");
                }
                // A directory that a signal before anybody listened left is empty.
                false => assert!(
                    !path.exists() || text.is_empty(),
                    "{name} {number}: {:?}: {text}",
                    std::fs::read_dir(&path).map(|files| files.count())
                ),
            }
        });
    }
}
