//! Tables that cannot be read: one line that says what, where, and what to do.

use crate::driver::Bench;
use insta::assert_snapshot;

fn fault(content: impl AsRef<[u8]>, flags: &[&str]) -> String {
    let bench = Bench::new();
    let error = bench.file("t.csv", content).error(&[&["learn", "t.csv"], flags].concat());
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

#[test]
fn shape() {
    assert_snapshot!(fault("a,b\n1,0\n1\n", &[]), @"precept: t.csv: line 3: has 1 fields where the first row has 2");
    assert_snapshot!(fault("a,b,a\n1,0,1\n", &[]), @"precept: t.csv: line 1, column a: column 3 has the same name as column 1");
    assert_snapshot!(fault("\"x[r 1]\",\"x[r  1]\"\n1,0\n", &[]), @"precept: t.csv: line 1, column x[r 1]: column 2 has the same name as column 1");
    assert_snapshot!(fault("a,\n1,0\n", &[]), @"precept: t.csv: line 1: column 2 has no name");
    assert_snapshot!(fault("", &[]), @"precept: t.csv: is empty");
    assert_snapshot!(fault("\n\n", &[]), @"precept: t.csv: is empty");
    assert_snapshot!(fault("a,b\n", &[]), @"precept: t.csv: has a header and no rows");
    assert_snapshot!(fault("a,b\n1,0\n", &["--ignore", "*"]), @"precept: t.csv: has no columns");
    assert_snapshot!(fault("0,1,1\n1,0,1\n", &[]), @"precept: t.csv: line 1: the header has only numbers; if the table has none, say --no-header (columns x1, x2, ...)");
    assert_snapshot!(fault("x[row 1, column 1],b\n1,0\n", &[]), @r#"precept: t.csv: line 1: the name "x[row 1" ends inside its brackets; put names that have commas in quotes"#);
    assert_snapshot!(fault("\"x[row 1]\",\"x[column 1]\"\n1,0\n", &[]), @r#"precept: t.csv: line 1: block "x" has axes (row) in one name and (column) in another, "x[column 1]""#);
}

#[test]
fn values() {
    assert_snapshot!(fault("a,b\n1,0\n1,2\n", &["--binary"]), @r#"precept: t.csv: line 3, column b: "2" is not 0 or 1 (or true, false, or empty where not observed)"#);
    assert_snapshot!(fault(b"a,b\n1,0\n1,\xff\xfe\n", &[]), @"precept: t.csv: line 3, column b: is not valid UTF-8");
    assert_snapshot!(fault(b"a,\xff\n1,0\n", &[]), @"precept: t.csv: line 1: is not valid UTF-8");
    let many: String = (1..=130).map(|n| format!("{},1\n", n % 65)).collect();
    assert_snapshot!(fault(format!("id,b\n{many}"), &["--numbers", "none"]), @"precept: t.csv: column id: has more than 64 different values; an identifier or a measurement? --ignore leaves it out");
    assert_snapshot!(fault("\"w[value 1]\"\noff\n", &[]), @r#"precept: t.csv: column w[value 1]: "value" cannot name the axis of its values: the block has an axis of that name; --value-axis gives it another name"#);
    assert_snapshot!(fault("a\noff\n", &["--value-axis", "two words"]), @r#"precept: t.csv: column a: "two words" cannot name the axis of its values: it has a space, a comma or a bracket; --value-axis gives it another name"#);
}

#[test]
fn options() {
    assert_snapshot!(fault("a,b\n1,0\n", &["--ignore", "c*"]), @r#"precept: t.csv: line 1: no column is named "c*", which is to be ignored"#);
    assert_snapshot!(fault("a,b\n1,0\n", &["--derive", "box = row/3"]), @r#"precept: t.csv: no block has the axes that "box" is computed from (row); there are no blocks with axes"#);
    let bench = Bench::new();
    bench.file("t.csv", "1,0\n").file("n.txt", "a\nb\nc\n").file("e.txt", "a\n\nb\n");
    assert_snapshot!(bench.error(&["learn", "t.csv", "--names", "n.txt"]), @"precept: t.csv: line 1: has 2 columns, but 3 names were given for them");
    assert_snapshot!(bench.error(&["learn", "t.csv", "--names", "e.txt"]), @"precept: e.txt: line 2 is empty; each line is a name");
    assert_snapshot!(bench.error(&["learn", "t.csv", "--names", "f.txt"]), @"precept: f.txt: cannot be read: No such file or directory (os error 2)");
    assert_snapshot!(bench.error(&["learn", "t.csv", "--derive", "box"]), @"
    error: invalid value 'box' for '--derive <AXIS = EXPRESSION>': expected AXIS = EXPRESSION
    
    For more information, try '--help'.
    ");
    assert_snapshot!(bench.error(&["learn", "t.csv", "--delimiter", "::"]), @"
    error: invalid value '::' for '--delimiter <CHARACTER>': a delimiter is one ASCII character, or tab
    
    For more information, try '--help'.
    ");
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
        b"\x93NUMPY\x01\x00\x3c\0{'descr': '|b1', 'fortran_order': False, 'shape': (6,), }   \n\x01\0\x01\0\x01",
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
    assert_snapshot!(errors, @"
    precept: no.csv: no such file
    precept: d.csv: is a directory, not a file
    precept: t.npy: is not an NPY file, as its name says: it does not begin like one
    precept: n.csv: is not a table of text: its content is that of an NPY file
    precept: z.csv: is not a table of text: it has zero bytes, as binary files do
    precept: p.csv: is not a table of text: its content is that of a Parquet file
    precept: q.parquet: is not a Parquet file, as its name says: it does not begin like one
    precept: t.csv: is compressed (zip); decompress it first
    precept: t.csv.gz: cannot be decompressed: invalid gzip header
    precept: e.npy: is empty
    precept: s.npy: has the shape (6,); a table has rows and columns
    ");
    // Beside the learner's own tests the program reads Parquet, by itself it does not.
    let message = bench.error(&["learn", "p.parquet"]);
    let said = [
        "this build reads no Parquet (it lacks the feature `parquet`)",
        "Parquet error: Invalid Parquet file",
    ];
    assert!(said.iter().any(|said| message.starts_with(&format!("precept: p.parquet: {said}"))), "{message}");
}
