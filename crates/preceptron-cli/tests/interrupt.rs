//! Ctrl-C: once to end with what was found, twice to end at once.
//!
//! The input comes from standard input, so that the signals surely arrive before the search begins.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, Command, Stdio};

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
    let status = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status();
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
