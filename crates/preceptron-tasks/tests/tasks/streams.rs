//! Every random choice has numbers of its own: no purpose is drawn from in two places, and what is chosen
//! for one purpose says nothing of what is chosen for another.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use preceptron_base::Quiet;
use preceptron_tasks::mnist::{Digits, Mnist};
use preceptron_tasks::sudoku::{self, GIVENS, Puzzle, Spread};

/// Calls whose purpose is not written in the call: the file's end, the argument, and the purposes that are
/// passed to it.
const PASSED: [(&str, &str, &[&str]); 4] = [
    ("preceptron-base/src/random.rs", "purpose", &[]),
    // The names of what is fuzzed.
    ("preceptron-fuzz/src/campaign.rs", "target.name", &[]),
    ("src/xor/mod.rs", "name", &["strings to train on", "strings held out"]),
    ("src/sudoku/visual.rs", "digits.purpose()", &["pictures to train on", "pictures to test on"]),
];

/// All files of Rust below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Whether a file is for tests alone.
fn is_of_tests(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    ["tests.rs", "twin.rs", "test_maps.rs", "trials.rs"].contains(&name.as_str()) || name.ends_with("_toy.rs")
}

/// What a file has outside of comments, up to its tests.
fn without_tests(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let end = lines.iter().rposition(|line| line.trim() == "#[cfg(test)]").unwrap_or(lines.len());
    let code = lines[..end].iter().filter(|line| !line.trim_start().starts_with("//"));
    code.copied().collect::<Vec<_>>().join("\n")
}

/// The second argument of each call of `stream` and `stream_at`.
fn purposes(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for name in ["stream(", "stream_at("] {
        for (at, _) in code.match_indices(name) {
            let before = &code[..at];
            let is_part = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
            if !is_part && !before.ends_with("fn ") {
                found.extend(arguments(&code[at + name.len()..]).into_iter().nth(1));
            }
        }
    }
    found
}

/// The arguments of a call, from behind its bracket.
fn arguments(text: &str) -> Vec<String> {
    let (mut depth, mut is_quoted, mut parts) = (0, false, vec![String::new()]);
    for c in text.chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => break,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(part) = parts.last_mut() {
            part.push(c);
        }
    }
    parts.iter().map(|part| part.trim().to_owned()).collect()
}

/// What is written in quotes, and whether something follows that is filled in.
fn quoted(argument: &str) -> Option<(String, bool)> {
    let text = argument.trim_start_matches('&');
    let (text, is_filled) = match text.strip_prefix("format!(") {
        Some(text) => (text, true),
        None => (text, false),
    };
    let text = text.strip_prefix('"')?.split('"').next()?;
    Some((text.split('{').next().unwrap_or(text).to_owned(), is_filled))
}

#[test]
fn a_purpose_is_drawn_from_in_one_place() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&crates).unwrap() {
        let folder = entry.unwrap().path().join("src");
        if folder.is_dir() {
            sources(&folder, &mut files);
        }
    }
    // By purpose, whether something is filled in behind it, and the files.
    let mut places: BTreeMap<String, (bool, Vec<String>)> = BTreeMap::new();
    for path in files.iter().filter(|path| !is_of_tests(path)) {
        let file = path.strip_prefix(&crates).unwrap().display().to_string();
        for argument in purposes(&without_tests(&std::fs::read_to_string(path).unwrap())) {
            let passed = PASSED.iter().find(|(end, name, _)| file.ends_with(end) && *name == argument);
            let names: Vec<(String, bool)> = match (quoted(&argument), passed) {
                (Some(name), _) => vec![name],
                (None, Some((.., names))) => names.iter().map(|name| ((*name).to_owned(), false)).collect(),
                (None, None) => panic!("{file}: what is {argument} for? It stands in no list of this test"),
            };
            for (name, is_filled) in names {
                places.entry(name).or_insert((is_filled, Vec::new())).1.push(file.clone());
            }
        }
    }
    assert!(places.len() > 30, "{places:?}");
    let twice = places.iter().filter(|(_, (_, files))| files.len() > 1);
    let twice: Vec<_> = twice.collect();
    assert!(twice.is_empty(), "purposes that are drawn from in several places: {twice:?}");
    let begins = |short: &str| places.keys().filter(|name| name.starts_with(short)).count() > 1;
    let clash: Vec<_> = places.iter().filter(|(name, (is_filled, _))| *is_filled && begins(name)).collect();
    assert!(clash.is_empty(), "what is filled in could make another purpose: {clash:?}");
}

#[test]
fn calls_are_read_as_they_are_written() {
    let code =
        "let a = stream(f(x, 1), \"one, two\", 3);\nupstream(1, \"no\", 2); fn stream(seed: u64, p: &str)
        stream_at(\n seed,\n &format!(\"end {}\", name),\n &[1, 2],\n);";
    let found =
        purposes(&without_tests(&format!("// stream(1, \"no\", 2)\n{code}\n#[cfg(test)]\nmod tests")));
    assert_eq!(found, ["\"one, two\"", "&format!(\"end {}\", name)"]);
    let read: Vec<_> = found.iter().filter_map(|argument| quoted(argument)).collect();
    assert_eq!(read, [("one, two".to_owned(), false), ("end ".to_owned(), true)]);
    assert_eq!(quoted("digits.purpose()"), None);
}

/// So many boards, and how far from 0 their correlations are by chance: four standard deviations.
const BOARDS: usize = 3000;

fn correlation(pairs: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let count = pairs.clone().count() as f64;
    let mean = |of: fn((f64, f64)) -> f64| pairs.clone().map(of).sum::<f64>() / count;
    let (a, b) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let sum = |of: &dyn Fn(f64, f64) -> f64| pairs.clone().map(|(x, y)| of(x - a, y - b)).sum::<f64>();
    sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt()
}

fn check(what: &str, a: &[f64], b: &[f64]) {
    let r = correlation(a.iter().copied().zip(b.iter().copied()));
    assert!(r.abs() < 4.0 / (a.len() as f64).sqrt(), "{what}: correlation {r:.3}");
}

/// For each board the picture of its first given: where it stands in the list of its digit, as a share.
fn first_pictures(boards: &[Puzzle], digits: &Digits, seed: u64) -> Vec<f64> {
    let scenes = sudoku::scenes(3, boards, digits, seed).unwrap();
    let share = |(number, board): (usize, &Puzzle)| {
        let sight = scenes.sights(number)[0];
        let list = digits.of_digit(board.givens.digits()[sight.place as usize]);
        list.iter().position(|picture| *picture == sight.picture).unwrap() as f64 / list.len() as f64
    };
    boards.iter().enumerate().map(share).collect()
}

#[test]
fn boards_their_pictures_and_their_wrong_digits_say_nothing_of_each_other() {
    let (mnist, seed) = (Mnist::embedded(), 1);
    let grids = sudoku::generate(3, BOARDS, seed);
    for (source, boards) in [
        ("one solution", sudoku::puzzles(3, &Spread::SATNET, BOARDS, seed, &Quiet).unwrap()),
        ("any givens", sudoku::with_givens(&grids, GIVENS, seed)),
    ] {
        let number = |grid: &sudoku::Grid| grid.digits().iter().filter(|&&digit| digit > 0).count() as f64;
        let givens: Vec<f64> = boards.iter().map(|board| number(&board.givens)).collect();
        let corners: Vec<f64> = boards.iter().map(|board| board.solution.digits()[0].into()).collect();
        let [train, test] = [&mnist.train, &mnist.test].map(|digits| first_pictures(&boards, digits, seed));
        check(&format!("{source}: givens and pictures to train on"), &givens, &train);
        check(&format!("{source}: givens and pictures to test on"), &givens, &test);
        check(&format!("{source}: pictures and the first cell"), &train, &corners);
        check(&format!("{source}: pictures to train on and to test on"), &train, &test);
        let solutions: Vec<_> = boards.iter().map(|board| board.solution.clone()).collect();
        let wrong = sudoku::with_wrong_digits(&solutions, 0.5, seed);
        let pairs = || wrong.iter().zip(&solutions);
        let differ = |cell: usize| {
            let differs = move |(a, b): (&sudoku::Grid, &sudoku::Grid)| a.digits()[cell] != b.digits()[cell];
            pairs().map(differs).map(f64::from).collect::<Vec<f64>>()
        };
        let first = differ(0);
        let all = (1..81)
            .fold(first.clone(), |sum, cell| sum.iter().zip(differ(cell)).map(|(a, b)| a + b).collect());
        check(&format!("{source}: givens and whether the first cell is wrong"), &givens, &first);
        check(&format!("{source}: givens and wrong digits"), &givens, &all);
        check(&format!("{source}: pictures and whether the first cell is wrong"), &train, &first);
    }
}
