//! Rules of numbers of a CSV table: `cargo run --release -p preceptron-numbers --example table FILE [ROWS]`.

use preceptron_base::Quiet;
use preceptron_numbers::{Column, Numbers, Settings, Words, find};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("a file");
    let most = arguments.next().map_or(usize::MAX, |rows| rows.parse().expect("a number of rows"));
    let mut reader = csv::Reader::from_path(&file).expect("a table");
    let names: Vec<String> = reader.headers().expect("a header").iter().map(str::to_owned).collect();
    let rows: Vec<csv::StringRecord> = reader.records().take(most).map(|row| row.expect("a row")).collect();
    let mut table = Numbers::default();
    for (at, name) in names.into_iter().enumerate() {
        let cells: Vec<&str> = rows.iter().map(|row| &row[at]).collect();
        match cells.iter().map(|cell| cell.parse().ok()).collect::<Option<Vec<i64>>>() {
            Some(values) => {
                table.columns.push(Column { name, values: values.into_iter().map(Some).collect() });
            }
            None => {
                let mut labels: Vec<String> = cells.iter().map(|cell| (*cell).to_owned()).collect();
                labels.sort();
                labels.dedup();
                let codes = cells.iter().map(|cell| labels.iter().position(|label| label == cell)).collect();
                table.words.push(Words { name, labels, codes });
            }
        }
    }
    let start = std::time::Instant::now();
    let found = find(&table, &Settings::default(), &Quiet);
    println!("{file}: {} rows, {:.2} s", rows.len(), start.elapsed().as_secs_f64());
    for rule in &found.rules.rules {
        let family = rule.family.as_deref().unwrap_or("");
        let evidence = rule.evidence;
        println!(
            "  {}  ({} rows, {:.1} of {:.1}) {family}",
            found.rules.line(rule),
            evidence.rows,
            evidence.evidence,
            evidence.needed
        );
    }
}
