//! How long a table takes to read: writes a random table of 0 and 1 and reads it a few times.
//!
//! `cargo bench -p preceptron-learn --bench read_table -- 9000 729`

use std::time::Instant;

use preceptron_learn::{Table, TableOptions};
use rand::{RngExt, SeedableRng};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sizes = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .map(|text| text.parse())
        .collect::<Result<Vec<usize>, _>>()?;
    let &[rows, columns] = sizes.as_slice() else { return Err("expected ROWS COLUMNS".into()) };
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(0);
    let mut text = (1..=columns).map(|column| format!("v{column}")).collect::<Vec<_>>().join(",");
    for _ in 0..rows {
        for column in 0..columns {
            text.push(if column == 0 { '\n' } else { ',' });
            text.push(if random.random::<bool>() { '1' } else { '0' });
        }
    }
    println!("{rows} x {columns}, {:.1} MB", text.len() as f64 / 1e6);
    for _ in 0..5 {
        let bytes = text.clone().into_bytes();
        let start = Instant::now();
        let table = Table::from_bytes("table.csv", bytes, &TableOptions::default())?;
        println!("{:?} for {} examples", start.elapsed(), table.examples.len());
    }
    Ok(())
}
