//! Nonograms: pictures of black cells, and for each row and column the lengths of its black runs.
//!
//! From each training board one row or one column is seen ([`ObservedLine`]). What ties clues to cells is
//! learned from these lines ([`NonogramLearner`]) as rules about places that stand in a relation to each
//! other, whatever the board; written out for a board of any size they solve it ([`Solver`]). The rules as
//! a person would write them ([`Nonogram::problem`]) judge reasoners and answers, and no learner sees them.

mod authors;
mod bench;
mod clues;
mod data;
mod drawing;
mod generate;
mod judge;
mod learner;
mod line;
mod line_judge;
mod observed;
mod read;
mod score;
mod show;
mod solver;
mod tables;
mod task;
mod true_rules;
mod words;

pub use authors::{AuthorsLearner, AuthorsTrial, authors};
pub use clues::{Nonogram, runs};
pub use data::{DataError, Encoding, NonogramData, NonogramSettings, generated};
pub use drawing::{draw_board, page_board, svg_board};
pub use generate::{Board, generate};
pub use judge::{Count, solutions};
pub use learner::NonogramLearner;
pub use line::NotOfNonograms;
pub use observed::ObservedLine;
pub use read::{BoardError, parse_lines, read_boards, read_clues, write_board};
pub use score::BoardScore;
pub use solver::{LineName, Solved, Solver};
pub use task::Nonograms;
pub use words::{ASSUMED, formula, is_no_touch_among, known_among, no_touch, words};
