//! Answers to random problems come with proofs that the checker accepts, and wrong ones are refused.
//!
//! The environment variable `PRECEPT_PROOFS` says how many problems are drawn; `examples/proofs.rs` counts more, and
//! asks another checker if there is one.

use rayon::prelude::*;

mod conformance {
    pub mod draw;
    pub mod draw_larger;
    pub mod plain;
    pub mod trial;
}

use conformance::trial::{Tried, draw};

#[test]
fn answers_are_proved_and_wrong_ones_refused() {
    let count: u64 =
        std::env::var("PRECEPT_PROOFS").map_or(200, |text| text.parse().expect("a number of problems"));
    let all: Vec<Result<Tried, String>> = (0..count).into_par_iter().map(|seed| draw(seed, None)).collect();
    let mut sum = Tried::default();
    for tried in all {
        sum.add(&tried.unwrap_or_else(|what| panic!("{what}")));
    }
    assert!(
        sum.accepted as u64 * 2 > count && sum.refused > sum.accepted && sum.steps > sum.accepted,
        "{sum:?}"
    );
}
