//! Tables that cannot be read: one line that says what, where, and what to do.

mod driver;

use driver::Bench;
use insta::assert_snapshot;

fn fault(content: impl AsRef<[u8]>, flags: &[&str]) -> String {
    let bench = Bench::new();
    let error = bench.file("t.csv", content).error(&[&["learn", "t.csv"], flags].concat());
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

#[test]
fn shape() {
    assert_snapshot!(fault("a,b\n1,0\n1\n", &[]), @"");
    assert_snapshot!(fault("a,b,a\n1,0,1\n", &[]), @"");
    assert_snapshot!(fault("\"x[r 1]\",\"x[r  1]\"\n1,0\n", &[]), @"");
    assert_snapshot!(fault("a,\n1,0\n", &[]), @"");
    assert_snapshot!(fault("", &[]), @"");
    assert_snapshot!(fault("\n\n", &[]), @"");
    assert_snapshot!(fault("a,b\n", &[]), @"");
    assert_snapshot!(fault("a,b\n1,0\n", &["--ignore", "*"]), @"");
    assert_snapshot!(fault("0,1,1\n1,0,1\n", &[]), @"");
    assert_snapshot!(fault("x[row 1, column 1],b\n1,0\n", &[]), @"");
    assert_snapshot!(fault("\"x[row 1]\",\"x[column 1]\"\n1,0\n", &[]), @"");
}

#[test]
fn values() {
    assert_snapshot!(fault("a,b\n1,0\n1,2\n", &["--binary"]), @"");
    assert_snapshot!(fault(b"a,b\n1,0\n1,\xff\xfe\n", &[]), @"");
    assert_snapshot!(fault(b"a,\xff\n1,0\n", &[]), @"");
    let many: String = (1..=65).map(|n| format!("{n},1\n")).collect();
    assert_snapshot!(fault(format!("id,b\n{many}"), &[]), @"");
    assert_snapshot!(fault("\"w[value 1]\"\noff\n", &[]), @"");
    assert_snapshot!(fault("a\noff\n", &["--value-axis", "two words"]), @"");
}

#[test]
fn options() {
    assert_snapshot!(fault("a,b\n1,0\n", &["--ignore", "c*"]), @"");
    assert_snapshot!(fault("a,b\n1,0\n", &["--derive", "box = row/3"]), @"");
    let bench = Bench::new();
    bench.file("t.csv", "1,0\n").file("n.txt", "a\nb\nc\n").file("e.txt", "a\n\nb\n");
    assert_snapshot!(bench.error(&["learn", "t.csv", "--names", "n.txt"]), @"");
    assert_snapshot!(bench.error(&["learn", "t.csv", "--names", "e.txt"]), @"");
    assert_snapshot!(bench.error(&["learn", "t.csv", "--names", "f.txt"]), @"");
    assert_snapshot!(bench.error(&["learn", "t.csv", "--derive", "box"]), @"");
    assert_snapshot!(bench.error(&["learn", "t.csv", "--delimiter", "::"]), @"");
}

#[test]
fn files() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path().join("d.csv")).unwrap();
    bench.file("t.npy", "a,b\n1,0\n").file("n.csv", b"\x93NUMPY\x01\x00").file("z.csv", b"a\0b\n");
    bench.file("p.csv", b"PAR1....").file("p.parquet", b"PAR1....").file("q.parquet", "a,b\n");
    bench.file("t.csv", b"PK\x03\x04....").file("t.csv.gz", b"\x1f\x8bnot gzip").file("e.npy", "");
    bench.file(
        "s.npy",
        b"\x93NUMPY\x01\x00\x3c\0{'descr': '|b1', 'fortran_order': False, 'shape': (6,), }   \n",
    );
    let errors: String = [
        "no.csv",
        "d.csv",
        "t.npy",
        "n.csv",
        "z.csv",
        "p.csv",
        "q.parquet",
        "t.csv",
        "t.csv.gz",
        "e.npy",
        "s.npy",
    ]
    .iter()
    .map(|name| bench.error(&["learn", name]))
    .collect();
    assert_snapshot!(errors, @"");
    if cfg!(not(feature = "parquet")) {
        assert_snapshot!(bench.error(&["learn", "p.parquet"]), @"");
    }
}
