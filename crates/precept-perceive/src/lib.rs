//! Inputs to symbol probabilities.
mod activation;
mod convolution;
mod error;
mod images;
mod layer;
mod matrix;
mod network;
mod norm;
mod objective;
mod pass;
mod patches;
mod random;
mod shape;
#[cfg(test)]
mod twin;

pub use error::PerceiveError;
pub use images::{Images, Probabilities, Targets};
pub use layer::Layer;
pub use network::Network;
pub use objective::Objective;
pub use shape::Shape;
/// Images in a part, at the most.
pub const PART: usize = 64;
