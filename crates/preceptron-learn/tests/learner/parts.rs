//! Learning from partitions gives what learning from the whole table gives, however it is cut, and no row of it breaks a
//! rule.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use preceptron_base::{Control, Quiet, stream};
use preceptron_learn::parts::{Closeness, Engine, Files, Job, Outcome, PartsError, learn_parts, work};
use preceptron_learn::{Pieces, Settings, Table, TableOptions, learn, pieces_of};
use preceptron_logic::{Origin, json};
use rand::RngExt;

/// Rows of a table: `a`, `b` and `c` differ, `d` is true wherever `e` is, `f` is free; in one row of many `g` is not
/// `f`.
fn rows(count: u64, rare: u64) -> Vec<String> {
    let row = |number: u64| {
        let random = &mut stream(number, "rows of a table in parts", 0);
        let shift = random.random_range(0..3usize);
        let names = ["red", "green", "blue"];
        let (e, f): (bool, bool) = (random.random(), random.random());
        let d = e || random.random_bool(0.5);
        let g = f != (number % rare == rare - 1);
        let gap = if random.random_bool(0.02) { String::new() } else { u8::from(f).to_string() };
        format!(
            "{},{},{},{},{},{gap},{}",
            names[shift],
            names[(shift + 1) % 3],
            names[(shift + 2) % 3],
            u8::from(d),
            u8::from(e),
            u8::from(g)
        )
    };
    (0..count).map(row).collect()
}

/// Files with so many rows each.
fn files(folder: &Path, rows: &[String], sizes: &[usize]) -> Vec<PathBuf> {
    let mut left = rows;
    let file = |(number, &size): (usize, &usize)| {
        let (these, others) = left.split_at(size.min(left.len()));
        left = others;
        let path = folder.join(format!("{}-{number}.csv", sizes.len()));
        let mut text = "a,b,c,d,e,f,g\n".to_owned();
        these.iter().for_each(|row| writeln!(text, "{row}").unwrap());
        std::fs::write(&path, text).unwrap();
        path
    };
    sizes.iter().enumerate().map(file).collect()
}

fn learned(engine: &dyn Engine, rows: Option<usize>) -> preceptron_learn::parts::PartsLearned {
    let settings = Settings::default().check().unwrap();
    let closeness = Closeness { rows, ..Closeness::default() };
    learn_parts(engine, &TableOptions::default(), &settings, closeness, &Quiet).unwrap()
}

#[test]
fn all_rows_chosen_are_the_whole_table() {
    let folder = tempfile::tempdir().unwrap();
    let rows = rows(400, 1000);
    let one = files(folder.path(), &rows, &[400]);
    let whole = Table::read(&one[0], &TableOptions::default()).unwrap();
    let settings = Settings::default().check().unwrap();
    let expected = learn(&whole.variables, &whole.examples, &settings, &Quiet);
    let many = files(folder.path(), &rows, &[100, 0, 7, 293]);
    // A part without rows has a header.
    let found = learned(&Files::new(&many, TableOptions::default()).unwrap(), None);
    assert_eq!(json::write(&found.learned.rules), json::write(&expected.rules));
    assert_eq!(found.learned.verdict, expected.verdict);
    assert_eq!((found.rows, found.rounds, found.table.notes), (400, 1, whole.notes));
}

#[test]
fn cuts_do_not_matter_and_no_row_breaks_a_rule() {
    let folder = tempfile::tempdir().unwrap();
    let rows = rows(6000, 1500);
    let results: Vec<_> = [&[6000][..], &[1, 2999, 3000], &[500; 12]]
        .iter()
        .map(|sizes| {
            let files = files(folder.path(), &rows, sizes);
            learned(&Files::new(&files, TableOptions::default()).unwrap(), Some(500))
        })
        .collect();
    let texts: Vec<String> = results.iter().map(|found| json::write(&found.learned.rules)).collect();
    assert!(texts.iter().all(|text| *text == texts[0]));
    let found = &results[0];
    // 500 rows do not show that `g` may differ from `f`; the rows that do join them.
    assert!(found.rounds > 1, "{} rounds", found.rounds);
    let whole = Table::read(&files(folder.path(), &rows, &[6000])[0], &TableOptions::default()).unwrap();
    assert!(found.learned.rules.rules().iter().any(|rule| matches!(rule.origin, Origin::Learned { .. })));
    for rule in found.learned.rules.rules() {
        let (evidence, _) = preceptron_learn::sum_histogram::evidence(&whole.examples, &rule.constraint);
        assert_eq!(evidence.violated, 0);
        let same = |e: preceptron_logic::Evidence| preceptron_logic::Evidence { situations: 0, ..e };
        assert_eq!(same(rule.evidence), same(evidence));
    }
    assert_eq!(found.learned.verdict.examples, 6000);
    assert!(found.learned.verdict.limits[0].starts_with("rules were looked for in 50"));
}

/// Work that is sent elsewhere and comes back as bytes, each part twice, as where a worker was lost.
struct Sent(Vec<PathBuf>);

impl Engine for Sent {
    fn partitions(&self) -> usize {
        self.0.len()
    }

    fn run(&self, job: &Job, control: &dyn Control) -> Result<Vec<Outcome>, PartsError> {
        let sent = job.to_bytes();
        let options = TableOptions::default();
        let one = |number: usize| {
            let job = Job::from_bytes(&sent)?;
            let mut pieces = pieces_of(&self.0[number], &preceptron_learn::Part::Whole, &options)?;
            Ok(work(&job, number, &mut *pieces as &mut dyn Pieces, &options, control)?.to_bytes())
        };
        let lost = (0..self.0.len()).rev().map(one).collect::<Result<Vec<_>, PartsError>>()?;
        drop(lost);
        (0..self.0.len()).map(|number| Outcome::from_bytes(&one(number)?)).collect()
    }
}

#[test]
fn who_works_does_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let rows = rows(3000, 700);
    let paths = files(folder.path(), &rows, &[1300, 1700]);
    let here = learned(&Files::new(&paths, TableOptions::default()).unwrap(), Some(300));
    let there = learned(&Sent(paths), Some(300));
    assert_eq!(json::write(&here.learned.rules), json::write(&there.learned.rules));
    assert_eq!(here.learned.verdict, there.learned.verdict);
}

#[test]
fn what_is_wrong_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let good = write("good.csv", "a,b\n1,0\n0,1\n");
    let failed = |paths: &[PathBuf]| {
        let settings = Settings::default().check().unwrap();
        let options = TableOptions::default();
        let files = Files::new(paths, options.clone());
        let result =
            files.and_then(|files| learn_parts(&files, &options, &settings, Closeness::default(), &Quiet));
        let text = result.err().unwrap().to_string();
        text.replace(&folder.path().display().to_string(), "")
    };
    let odd = write("odd.csv", "a,c\n1,0\n");
    let ragged = write("ragged.csv", "a,b\n1,0\n1\n");
    let empty = write("empty.csv", "a,b\n");
    let npy = write("x.npy", "\u{93}NUMPY");
    let messages = [
        failed(&[good.clone(), odd]),
        failed(&[good.clone(), ragged]),
        failed(&[empty]),
        failed(&[good.clone(), folder.path().join("none.csv")]),
        failed(&[good, npy]),
    ];
    insta::assert_snapshot!(messages.join("\n"), @r#"
    /odd.csv: has other columns than the first part: "c" is new, "b" is missing
    /ragged.csv: line 3: has 1 fields where the first row has 2
    there are no rows
    /none.csv: no such file
    /x.npy: is not an NPY file, as its name says: it does not begin like one
    "#);
}
