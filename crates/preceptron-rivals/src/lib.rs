//! The paper's rivals: networks that learn to fill in cells without rules, trained by the same loop.
//!
//! [`CellExamples`] have an input (nothing, a symbol, numbers, or a picture) and perhaps an answer for each cell.
//! A [`Rival`] learns them a batch at a time; [`RivalSchedule`] is a [`preceptron::Schedule`] of it, so that
//! [`preceptron::train()`] runs, watches, saves and resumes it as anything else.
//!
//! | rival | of |
//! |---|---|
//! | [`RecurrentTransformer`] | Yang, Ishay and Lee, 2023 (L1R32H4) |
//! | [`RelationalNetwork`] | Palm, Paquet and Winther, 2018 (RRN) |
//!
//! Everything is computed in f32 on processors, by products of matrices (`preceptron-matrix`) and derivatives
//! that are written out. The same seed gives the same weights to the last bit on any number of threads.

mod clock;
mod error;
mod examples;
mod layers;
mod recurrent;
mod relational;
mod rival;
mod schedule;

pub use error::RivalError;
pub use examples::{CellExamples, CellForm, CellInput};
pub use layers::cell_embedding::digit_layers;
pub use layers::optimiser::Optimiser;
pub use recurrent::{RecurrentTransformer, TransformerSettings};
pub use relational::{RelationalNetwork, RelationalSettings, edges_of_groups};
pub use rival::{Rival, Score, score};
pub use schedule::{RivalSchedule, ScheduleSettings};
