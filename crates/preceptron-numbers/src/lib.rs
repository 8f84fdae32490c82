//! Rules of whole numbers from tables.
//!
//! ```
//! use preceptron_base::Quiet;
//! use preceptron_numbers::{Column, Numbers, Settings, find};
//!
//! let cell = |row: i64, column: i64| (row * row * (column + 2) + 7 * row + column) % 11;
//! let column = |name: &str, value: &dyn Fn(i64) -> i64| Column {
//!     name: name.to_owned(),
//!     values: (0..60).map(|row| Some(value(row))).collect(),
//! };
//! let table = Numbers {
//!     columns: vec![
//!         column("a", &|row| cell(row, 1)),
//!         column("b", &|row| cell(row, 3)),
//!         column("total", &|row| 2 * cell(row, 1) + cell(row, 3)),
//!     ],
//!     words: vec![],
//! };
//! let found = find(&table, &Settings::default(), &Quiet);
//! let lines: Vec<String> = found.rules.lines().into_iter().map(|(line, _)| line).collect();
//! assert_eq!(lines, ["total = 2 a + b"]);
//! ```
//!
//! | step | file |
//! |---|---|
//! | groups of columns by the indices in their names | `groups` |
//! | increasing, all different, all differences different, counts, sums over lines and windows | `families` |
//! | equations, products, ratios, distances | `equations` |
//! | bounds of differences and sums of two columns, columns that keep apart | `pairs` |
//! | a word by the sign of an expression | `classes` |
//! | rows that obey the rules so far and nothing else | `null` |
//! | how much speaks for a rule | `evidence` |
//!
//! A rule is taken if no row breaks it, the rows that the other rules alone allow would break it far more often than
//! chance, and so by how many rules were looked at that the whole search is wrong in one table of twenty at most. Rows
//! are taken to be independent; where they follow one another, as those of a random walk, each counts for less.

mod classes;
mod data;
mod equations;
mod evidence;
mod families;
mod find;
mod groups;
mod null;
mod pairs;
mod search;

pub use data::{Column, Numbers, Words};
pub use find::{Found, Settings, find, seems_implied};
