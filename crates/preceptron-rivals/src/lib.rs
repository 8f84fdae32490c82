//! The paper's rivals: learners that other people published, for comparison on the same data.
//!
//! - [`SatNet`]: a layer that solves a relaxed MAXSAT problem whose clauses are learned; [`XorChain`] applies
//!   it along a string of bits, [`OneHotCells`] to boards.
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

mod satnet;

pub use satnet::{Batch, Gradients, OneHotCells, Pass, SatNet, SatNetError, SatNetSettings, Start, XorChain};
