//! The paper's rivals: learners that other people published, for comparison on the same data.
//!
//! [`CellExamples`] have an input (nothing, a symbol, numbers, or a picture) and perhaps an answer for each cell.
//! [`SceneCells`] makes such of pictures of scenes and the paths through them. A [`Rival`] learns them a batch at a time; [`RivalSchedule`] is a [`preceptron::Schedule`] of it, so that
//! [`preceptron::train()`] runs, watches, saves and resumes it as anything else.
//!
//! | rival | of |
//! |---|---|
//! | [`RecurrentTransformer`] | Yang, Ishay and Lee, 2023 (L1R32H4) |
//! | [`RelationalNetwork`] | Palm, Paquet and Winther, 2018 (RRN) |
//! | [`SatNetRival`] | Wang, Donti, Wilder and Kolter, 2019: [`SatNet`], a layer that solves a relaxed MAXSAT problem whose clauses are learned, behind a network that reads pictures; [`XorChain`] applies it along a string of bits, [`OneHotCells`] to boards without a network |
//! | [`SatNetRival`] on [`clustered_pictures`] | Topan, Rolnick and Si, 2021 (SATNet*) |
//!
//! Everything is computed in f32 on processors, by products of matrices (`preceptron-matrix`) and derivatives
//! that are written out. The same seed gives the same weights to the last bit on any number of threads.
//!
//! ```
//! use preceptron_rivals::{Batch, SatNet, SatNetSettings};
//!
//! // Two bits that are always equal; the first is known.
//! let settings = SatNetSettings { clauses: 4, auxiliary: 2, learning_rate: 0.05, ..Default::default() };
//! let mut layer = SatNet::new(2, settings)?;
//! let is_input = [true, false, true, false];
//! let batch = Batch { inputs: &[0.0, 0.0, 1.0, 0.0], is_input: &is_input };
//! let (targets, judged) = ([0.0, 0.0, 1.0, 1.0], [false, true, false, true]);
//! for _ in 0..200 {
//!     layer.fit(batch, &targets, &judged)?;
//! }
//! let outputs = layer.predict(batch)?;
//! assert!(outputs[1] < 0.5 && outputs[3] > 0.5, "{outputs:?}");
//! # Ok::<(), preceptron_rivals::SatNetError>(())
//! ```

mod clusters;
mod error;
mod examples;
mod layers;
mod recurrent;
mod relational;
mod rival;
mod satnet;
mod satnet_rival;
mod scene_cells;
mod schedule;

pub use clusters::{ClusterNames, ClusterSettings, PictureClusters, clustered_pictures};
pub use error::RivalError;
pub use examples::{CellExamples, CellForm, CellInput};
pub use layers::cell_embedding::digit_layers;
pub use layers::optimiser::Optimiser;
pub use recurrent::{RecurrentTransformer, TransformerSettings};
pub use relational::{RelationalNetwork, RelationalSettings, edges_of_groups};
pub use rival::{Rival, Score, score};
pub use satnet::{Batch, Gradients, OneHotCells, Pass, SatNet, SatNetError, SatNetSettings, Start, XorChain};
pub use satnet_rival::{SatNetRival, SatNetRivalSettings};
pub use scene_cells::{SceneCells, scene_layers};
pub use schedule::{RivalSchedule, ScheduleSettings};
