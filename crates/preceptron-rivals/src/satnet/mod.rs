//! SATNet (Wang, Donti, Wilder and Kolter, 2019): a differentiable layer that solves MAXSAT, relaxed.
//!
//! Each variable i has a unit vector v_i in R^k, and the clauses are the columns of S (n variables by m
//! clauses). The truth has the vector v_0; what is known of a variable, the probability z_i, fixes its angle
//! to it:
//! ```text
//! minimise  sum_ij (s_i's_j) v_i'v_j   over the v_i of what is not known
//! z_i = arccos(-v_i'v_0) / pi
//! ```
//! `descent.rs` has the passes forward and backward of one example, `kernels.rs` the sweep that both are made
//! of, `layer.rs` and `derivatives.rs` those of a batch, `training.rs` the loss.
//!
//! | symbol | setting or item |
//! |---|---|
//! | m | `clauses` |
//! | n | [`SatNet::variables`], `auxiliary`, and the truth |
//! | k | `vector_length`, [`SatNet::vector_length`] |
//! | S | [`SatNet::clauses`] |
//! | z | [`Batch::inputs`], [`Pass::outputs`] |
//!
//! # Where it departs from the authors' program
//! - It works with S S' in place of keeping V S' up to date: the same steps for fewer operations (`descent.rs`).
//! - Vectors are 32 long at the most, as there, but shorter where fewer variables need no more.
//! - The random vectors of predictions are the same for every example.
//! - The loss is a mean over the outputs that are judged, not over all variables.

mod adam;
mod batch;
mod couplings;
mod derivatives;
mod descent;
mod error;
mod kernels;
mod layer;
mod layer_file;
mod one_hot_cells;
mod settings;
mod training;
#[cfg(test)]
pub(crate) mod twin;
mod xor_chain;

pub use batch::{Batch, Start};
pub use derivatives::Gradients;
pub use error::SatNetError;
pub use layer::{Pass, SatNet};
pub use one_hot_cells::OneHotCells;
pub use settings::SatNetSettings;
pub use xor_chain::XorChain;
