//! Proves answers to random problems until so many are accepted, and counts wrong ones that are refused.
//!
//! ```text
//! cargo run --release -p preceptron-reason --example proofs -- 2000 [PATH OF VERIPB]
//! ```
//!
//! With the path of the checker VeriPB, version 3 (`cargo install veripb`), it is asked as well.

#[path = "../tests/conformance"]
mod conformance {
    pub mod draw;
    pub mod draw_larger;
    pub mod plain;
    pub mod trial;
}

use conformance::trial::{Tried, draw};

fn main() {
    let mut words = std::env::args().skip(1);
    let wanted = words.next().map_or(2000, |text| text.parse().expect("a number of answers"));
    let checker = words.next().map(std::path::PathBuf::from);
    let mut sum = Tried::default();
    let mut seed = 0;
    while sum.accepted < wanted {
        match draw(seed, checker.as_deref()) {
            Ok(tried) => sum.add(&tried),
            Err(what) => {
                eprintln!("{what}");
                std::process::exit(1);
            }
        }
        seed += 1;
    }
    let Tried { accepted, refused, without, steps } = sum;
    let numbers = "whose numbers are too large for one";
    println!(
        "{seed} problems: {accepted} answers with a proof that was accepted ({steps} steps), {without} {numbers};"
    );
    println!("{refused} wrong answers and wrong proofs, all of them refused");
    if let Some(checker) = checker {
        println!("{} accepted the same proofs", checker.display());
    }
}
