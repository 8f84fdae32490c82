//! Files that become large: a limit ends them with one line, before anything is made of them.

use std::io::Write;
use std::process::Command;

use crate::driver::Bench;

/// What the program says of a file under a limit that is made small.
fn refused(bench: &Bench, limit: &str, arguments: &[&str]) -> String {
    let (name, value) = limit.split_once('=').unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_precept"))
        .args(arguments)
        .current_dir(bench.path())
        .env(name, value)
        .output()
        .unwrap();
    let said = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(2), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains(&format!("{name}=")), "{said}");
    said
}

fn gzip(text: &str) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text.as_bytes()).unwrap();
    packed.finish().unwrap()
}

#[test]
fn every_limit_says_how_it_is_raised() {
    let bench = Bench::new();
    let header = |count: usize| (0..count).map(|n| format!("c{n}")).collect::<Vec<_>>().join(",");
    bench
        .file("long.csv.gz", gzip(&format!("a,b\n{}", "0,1\n1,0\n".repeat(500))))
        .file("wide.csv", format!("{}\n{}\n", header(99), ["1"; 99].join(",")))
        .file("values.csv", format!("a,b\n{}", (0..60).map(|n| format!("v{n},w{n}\n")).collect::<String>()))
        .file("empty.npy", b"\x93NUMPY\x01\x00\x49\x00{'descr': '|b1', 'fortran_order': False, 'shape': (0, 1000000000), }     ")
        .file("rules.cnf", format!("p cnf 9 900\n{}", "1 2 0\n".repeat(900)));
    let shown = [
        refused(&bench, "PRECEPT_UNPACKED=1000", &["learn", "long.csv.gz"]),
        refused(&bench, "PRECEPT_COLUMNS=50", &["learn", "wide.csv"]),
        refused(&bench, "PRECEPT_COLUMNS=50", &["learn", "wide.csv", "wide.csv"]),
        refused(&bench, "PRECEPT_COLUMNS=50", &["learn", "values.csv"]),
        refused(&bench, "PRECEPT_COLUMNS=50", &["learn", "empty.npy"]),
        refused(&bench, "PRECEPT_READ=100000", &["solve", "rules.cnf"]),
        refused(&bench, "PRECEPT_READ=100", &["solve", "rules.cnf"]),
    ];
    insta::assert_snapshot!(shown.concat().trim_end(), @"
    precept: long.csv.gz: has more than 1000 bytes once it is decompressed; decompress it first, or raise the limit: PRECEPT_UNPACKED=BYTES in the environment
    precept: wide.csv: line 1: has 99 columns, and at most 50 are read; raise the limit: PRECEPT_COLUMNS=NUMBER in the environment
    precept: wide.csv: line 1: has 99 columns, and at most 50 are read; raise the limit: PRECEPT_COLUMNS=NUMBER in the environment
    precept: values.csv: has 120 columns and values of columns, and at most 50 are read; raise the limit: PRECEPT_COLUMNS=NUMBER in the environment
    precept: empty.npy: has 1000000000 columns, and at most 5000 are read; raise the limit: PRECEPT_COLUMNS=NUMBER in the environment
    precept: rules.cnf: takes about 0 MB to be read, and at most 0 are used; raise the limit: PRECEPT_READ=BYTES in the environment
    precept: rules.cnf: has more than 100 bytes, which is more than is read at once; raise the limit: PRECEPT_READ=BYTES in the environment
    ");
    // The same files, with room for them.
    assert_eq!(bench.run(&["learn", "long.csv.gz"]).code, Some(0));
    assert_eq!(bench.run(&["solve", "rules.cnf"]).code, Some(0));
}
