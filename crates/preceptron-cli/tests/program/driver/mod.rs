//! Runs the program in a directory of its own.

// Each test program uses its own part of this.
#![allow(dead_code)]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A directory with files, and the program to run in it.
pub struct Bench {
    directory: TempDir,
}

/// What a run printed, and how it ended.
pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Bench {
    pub fn new() -> Bench {
        Bench { directory: TempDir::new().unwrap() }
    }

    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> &Bench {
        std::fs::write(self.path().join(name), content).unwrap();
        self
    }

    pub fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap()
    }

    pub fn run(&self, arguments: &[&str]) -> Run {
        self.run_with(arguments, "")
    }

    /// Starts the program and leaves it alone.
    pub fn spawn(&self, arguments: &[&str]) -> std::process::Child {
        Command::new(env!("CARGO_BIN_EXE_precept"))
            .args(arguments)
            .current_dir(self.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// Runs the program with this on its standard input.
    pub fn run_with(&self, arguments: &[&str], input: &str) -> Run {
        let mut child = Command::new(env!("CARGO_BIN_EXE_precept"))
            .args(arguments)
            .current_dir(self.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A program that fails early does not read its input.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        Run {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: without_progress(&String::from_utf8(output.stderr).unwrap()),
        }
    }

    /// Runs the program, which must fail without printing a result; what it says.
    pub fn error(&self, arguments: &[&str]) -> String {
        let run = self.run(arguments);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{}", run.err);
        run.err
    }
}

/// What was written to standard error but for the lines that say how far long work is, which a busy machine
/// has more of.
pub fn without_progress(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.contains(" in all")).collect()
}

/// A table of sixty 2 x 2 Latin squares: exactly one of each in rows, columns and cells.
pub fn squares() -> String {
    let cells = [(1, 1, 1), (1, 1, 2), (1, 2, 1), (1, 2, 2), (2, 1, 1), (2, 1, 2), (2, 2, 1), (2, 2, 2)];
    let names =
        cells.map(|(row, column, digit)| format!("\"cell[row {row}, column {column}, digit {digit}]\""));
    let rows = (0..60).map(|n| if n % 2 == 0 { "1,0,0,1,0,1,1,0\n" } else { "0,1,1,0,1,0,0,1\n" });
    format!("{}\n{}", names.join(","), rows.collect::<String>())
}
