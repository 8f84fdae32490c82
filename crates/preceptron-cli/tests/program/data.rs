//! `precept data sudoku`, and `precept solve` of pictures of boards.

use crate::driver::{Bench, Run};
use preceptron_tasks::picture::Picture;
use serde_json::Value;

/// The picture as a camera sees it: larger, darker to one side, with noise.
fn seen(file: &[u8], scale: f64, shadow: f64, noise: f64) -> Vec<u8> {
    let picture = Picture::from_png(file).unwrap();
    let (width, height) = (picture.width() as f64, picture.height() as f64);
    let size = ((scale * width) as usize, (scale * height) as usize);
    let larger = picture.resampled(0.0, 0.0, width, height, size);
    let mut state = 1u32;
    let mut pixel = |(at, &tone): (usize, &u8)| {
        let light = 1.0 - shadow * (at % size.0) as f64 / size.0 as f64;
        // A linear congruential generator is random enough for noise.
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 8) / f64::from(1u32 << 24) - 0.5
        };
        let normal = (random() + random() + random() + random()) * 1.7;
        (f64::from(tone) * light + noise * normal).clamp(0.0, 255.0) as u8
    };
    let pixels = larger.pixels().iter().enumerate().map(&mut pixel).collect();
    Picture::from_pixels(size.0, pixels).to_png().unwrap()
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{} {}", run.out, run.err))
}

fn digits(rows: &Value) -> Vec<u64> {
    let rows = rows.as_array().unwrap().iter();
    rows.flat_map(|row| row.as_array().unwrap().iter().map(|digit| digit.as_u64().unwrap())).collect()
}

#[test]
fn what_there_is_is_listed() {
    let bench = Bench::new();
    let list = bench.run(&["data", "sudoku", "list"]);
    assert!(list.code == Some(0) && list.out.contains("60000") && list.out.contains("sha256 0b367032e93c"));
    let list = json(&bench.run(&["data", "sudoku", "list", "--json"]));
    assert_eq!(list["mnist"]["test"][5], 892);
    assert_eq!(list["sudoku"]["presets"][1]["givens"][0], 17);
}

#[test]
fn generated_boards_are_verified_and_drawn() {
    let bench = Bench::new();
    for (order, cells, out) in [("2", 16, "2.csv"), ("3", 81, "3.csv.gz"), ("4", 256, "4.csv")] {
        let run = bench.run(&[
            "data", "sudoku", "generate", "--order", order, "--count", "8", "--seed", "2", "--out", out,
        ]);
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
        let run = bench.run(&["data", "sudoku", "generate", "--order", order, "--count", "3", "--seed", "2"]);
        assert!(run.out.lines().all(|line| line.len() == 2 * cells + 1), "{}", run.out);
        assert!(!out.ends_with(".csv") || bench.text(out).starts_with(&run.out));
        let verified = bench.run(&["data", "sudoku", "verify", out, "--json"]);
        assert_eq!(verified.code, Some(0), "{}", verified.out);
        let value = json(&verified);
        assert_eq!((&value["boards"], &value["faults"]), (&Value::from(8), &Value::from(0)));
        let png = format!("{order}.png");
        let drawn =
            bench.run(&["data", "sudoku", "draw", out, "--columns", "3", "--solution", "--out", &png]);
        assert_eq!((drawn.code, drawn.err.as_str()), (Some(0), ""));
        let sheet = Picture::from_png(&std::fs::read(bench.path().join(&png)).unwrap()).unwrap();
        assert!(sheet.width() > sheet.height() / 2 && sheet.pixels().contains(&0));
    }
    assert!(
        bench.error(&["data", "sudoku", "generate", "--out", "2.csv"]).contains("is already there; --force")
    );
    assert!(bench.error(&["data", "sudoku", "generate", "--out", "2.json"]).contains(".csv or .csv.gz"));
    assert!(bench.error(&["data", "sudoku", "generate", "--givens", "9-3"]).contains("FROM-TO"));
    assert!(bench.error(&["data", "sudoku", "generate", "--givens", "100"]).contains("has 81 cells"));
    let none = bench.error(&["data", "sudoku", "generate", "--order", "2", "--givens", "2", "--count", "1"]);
    assert!(none.contains("none of 1000 grids got down to 2 givens"), "{none}");
    assert!(
        bench
            .error(&["data", "sudoku", "draw", "2.csv", "--rows", "9", "--out", "x.png"])
            .contains("no board 9")
    );
    assert!(
        bench.error(&["data", "sudoku", "draw", "--rows", "0", "--out", "x.png"]).contains("counted from 1")
    );
    assert!(bench.error(&["data", "sudoku", "draw", "--out", "2.png"]).contains("is already there"));
}

#[test]
fn faults_of_a_file_are_told() {
    let bench = Bench::new();
    let good = bench.run(&["data", "sudoku", "generate", "--count", "2", "--givens", "36"]).out;
    let lines: Vec<&str> = good.lines().collect();
    let (puzzle, solution) = lines[0].split_once(',').unwrap();
    let blank = "0".repeat(81);
    let swapped: String = solution.chars().rev().skip(1).collect();
    let broken = format!(
        "{good}{puzzle}\n\n{blank},{solution}\n{},{0}\n{}x,{solution}\n{blank},{swapped}1\n",
        lines[0],
        &blank[..80]
    );
    bench.file("broken.csv", &broken);
    let run = bench.run(&["data", "sudoku", "verify", "broken.csv", "--show", "4"]);
    assert_eq!(run.code, Some(1));
    for part in [
        "7 boards",
        "line 3: expected a puzzle and its solution with a comma between them",
        "line 5: another solution has",
        "line 7: the puzzle: 'x' at character 81 is not a digit",
        "5 faults:",
        "... and 1 more (--show)",
    ] {
        assert!(run.out.contains(part), "{part:?} in\n{}", run.out);
    }
    bench.file("twice.csv", format!("{good}\n{good}"));
    let twice = bench.run(&["data", "sudoku", "verify", "twice.csv"]);
    assert!(
        twice.out.contains("2 boards that came before, the first in line 4 (as line 1)"),
        "{}",
        twice.out
    );
    assert_eq!(twice.code, Some(0));
    assert!(bench.error(&["data", "sudoku", "verify", "nowhere.csv"]).contains("nowhere.csv"));
    assert!(
        bench.file("empty.csv", "\n").error(&["data", "sudoku", "verify", "empty.csv"]).contains("no board")
    );
    assert!(bench.error(&["data", "sudoku", "draw", "broken.csv", "--out", "x.png"]).contains("line 3: "));
}

#[test]
fn pictures_of_boards_are_solved() {
    let bench = Bench::new();
    let flags = ["train", "sudoku", "--train", "400", "--test", "1", "--steps", "40", "--network", "lenet"];
    let trained = bench.run(&[&flags[..], &["--out", "run"]].concat());
    assert_eq!((trained.code, trained.err.as_str()), (Some(0), ""));
    let boards =
        bench.run(&["data", "sudoku", "generate", "--count", "3", "--givens", "40", "--out", "boards.csv"]);
    assert_eq!(boards.code, Some(0));
    let (mut right, mut all) = (0, 0);
    for (row, line) in (1..).zip(bench.text("boards.csv").lines()) {
        let board = format!("{row}.png");
        let rows = row.to_string();
        let drawn = bench.run(&[
            "data",
            "sudoku",
            "draw",
            "boards.csv",
            "--rows",
            &rows,
            "--test-images",
            "--out",
            &board,
        ]);
        assert!(drawn.code == Some(0) && drawn.out.contains(&format!("precept solve RUN {board}")));
        let file = std::fs::read(bench.path().join(&board)).unwrap();
        let (givens, _) = line.split_once(',').unwrap();
        let givens: Vec<u64> = givens.chars().map(|c| c.to_digit(10).unwrap().into()).collect();
        for (scale, shadow, noise) in [(1.0, 0.0, 0.0), (1.5, 0.0, 8.0), (2.0, 0.5, 15.0)] {
            bench.file("seen.png", seen(&file, scale, shadow, noise));
            let solved = json(&bench.run(&["solve", "run", "seen.png", "--guess", "--json"]));
            let read = digits(&solved["read"]);
            for (cell, given) in givens.iter().enumerate() {
                assert_eq!(read[cell] == 0, *given == 0, "board {row}, cell {cell}");
            }
            right += givens.iter().zip(&read).filter(|(given, read)| **given > 0 && given == read).count();
            all += 40;
            let board = digits(&solved["board"]);
            assert!(board.iter().all(|digit| (1..=9).contains(digit)), "{board:?}");
            let repairs = (0..81).filter(|&cell| read[cell] > 0 && read[cell] != board[cell]);
            assert_eq!(solved["repairs"].as_array().unwrap().len(), repairs.count());
        }
    }
    assert!(right * 100 > all * 85, "{right} of {all} givens read right");

    // A sentence for a cell that was not given, a drawing of the answer, and the cells one by one.
    let sure = "--confidence=0";
    let solved = json(&bench.run(&["solve", "run", "1.png", "--json", sure]));
    assert!(solved["confidence"].as_f64().unwrap() > 0.0 && solved["prior"] == "one-solution", "{solved}");
    let read = digits(&solved["read"]);
    let found = read.iter().position(|&digit| digit == 0).unwrap();
    let name = format!("r{}c{}", found / 9 + 1, found % 9 + 1);
    let text = bench.run(&["solve", "run", "1.png", "--explain", &name, "--out", "solved.png", sure]);
    assert_eq!((text.code, text.err.as_str()), (Some(0), ""), "{}", text.out);
    let place = format!("row {}, column {}", found / 9 + 1, found % 9 + 1);
    assert!(text.out.contains(&format!("\n{place}")) && text.out.contains("solution"), "{}", text.out);
    let drawn = Picture::from_png(&std::fs::read(bench.path().join("solved.png")).unwrap()).unwrap();
    assert_eq!((drawn.width(), drawn.height()), (1350, 1350));
    let again = bench.error(&["solve", "run", "1.png", "--out", "solved.png"]);
    assert!(again.contains("is already there; --force"), "{again}");

    std::fs::create_dir(bench.path().join("cells")).unwrap();
    assert!(bench.error(&["solve", "run", "--cells", "cells"]).contains("no file r1c1.png to r9c9.png"));
    let board = Picture::from_png(&std::fs::read(bench.path().join("1.png")).unwrap()).unwrap();
    for (cell, _) in read.iter().enumerate().filter(|(_, digit)| **digit > 0) {
        let start = |line: usize| (3 + 29 * line + line / 3 * 2) as f64;
        let (x, y) = (start(cell % 9), start(cell / 9));
        let patch = board.resampled(x, y, x + 28.0, y + 28.0, (28, 28));
        let name = format!("cells/r{}c{}.png", cell / 9 + 1, cell % 9 + 1);
        bench.file(&name, patch.to_png().unwrap());
    }
    bench.file(&format!("cells/{name}.png"), "");
    let cells = json(&bench.run(&["solve", "run", "--cells", "cells", "--json", "--explain", &name, sure]));
    assert_eq!(cells["explanation"]["row"], found / 9 + 1);
    let same = digits(&cells["read"]).iter().zip(&read).filter(|(a, b)| a == b).count();
    assert!(same >= 78, "{same} of 81");

    // What cannot be solved.
    let fault = |arguments: &[&str]| bench.error(&[&["solve", "run"], arguments].concat());
    assert!(
        fault(&["1.png", "--explain", "r10c1"]).contains("no cell \"r10c1\"; the cells are r1c1 to r9c9")
    );
    assert!(fault(&["1.png", "--explain"]).contains("say which cell"));
    assert!(fault(&["boards.csv"]).contains("boards.csv: neither a PNG nor a JPEG"));
    assert!(fault(&["nowhere.png"]).contains("nowhere.png: no such file"));
    assert!(fault(&["--cells", "nowhere"]).contains("nowhere: no such directory"));
    assert!(fault(&["cells"]).contains("pictures of cells go with --cells"));
    assert!(fault(&["1.png", "--fix", "a=1"]).contains("--fix"));
    assert!(fault(&["--out", "x.png"]).contains("there is no board"));
    bench.file("small.png", Picture::new(5, 5, 0).to_png().unwrap());
    bench.file("white.png", Picture::new(270, 270, 255).to_png().unwrap());
    let refused = |arguments: &[&str], why: &str| {
        let run = bench.run(&[&["solve", "run"], arguments].concat());
        let words = format!("This cannot be read as a board: {why}");
        assert!(run.code == Some(1) && run.out.contains(&words), "{}", run.out);
    };
    refused(&["small.png"], "5 x 5 pixels are too few for 9 x 9 cells");
    refused(&["white.png"], "no grid of 9 x 9 cells is to be seen");
    refused(&["white.png", "--cropped"], "no digit is to be seen");

    // A photograph: the grid is found where it is, and drawn.
    let made = ["data", "sudoku", "photographs", "--only", "plain", "--others", "2", "--out", "photographs"];
    let written = bench.run(&made);
    assert_eq!((written.code, written.err.as_str()), (Some(0), ""), "{}", written.out);
    let truth = bench.text("photographs/truth.csv");
    let line: Vec<&str> = truth.lines().nth(1).unwrap().split(',').collect();
    let asked = ["solve", "run", "photographs/plain-0.png", "--guess", "--json", "--show-grid", "found.png"];
    let seen = json(&bench.run(&asked));
    for (number, corner) in seen["corners"].as_array().unwrap().iter().enumerate() {
        for axis in 0..2 {
            let at: f64 = line[2 + 2 * number + axis].parse().unwrap();
            assert!((corner[axis].as_f64().unwrap() - at).abs() < 3.0, "{corner} {line:?}");
        }
    }
    let read = digits(&seen["read"]);
    assert!(line[10].chars().zip(&read).all(|(given, &read)| (given == '0') == (read == 0)), "{read:?}");
    assert!(bench.path().join("found.png").exists());
    refused(&["photographs/other-0.png"], "no grid of 9 x 9 cells is to be seen");
    assert!(bench.error(&["solve", "nowhere", "1.png"]).contains("nowhere: no such run"));
    // Without a board, a run is a source of rules.
    let rules = bench.run(&["solve", "run", "--fix", "cell[row 1, column 2, digit 3]=1", "--any", "--json"]);
    assert_eq!((rules.code, json(&rules)["status"].as_str()), (Some(0), Some("optimal")), "{}", rules.out);
}
