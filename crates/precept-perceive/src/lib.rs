//! Inputs to symbol probabilities.
mod activation;
mod augmentation;
mod calibration;
mod classifier;
mod convolution;
mod descent;
mod error;
mod images;
mod layer;
mod matrix;
mod network;
mod norm;
mod objective;
mod pass;
mod patches;
mod perception;
mod random;
mod settings;
mod shape;
#[cfg(test)]
mod twin;
mod vectors;
mod weights_file;

pub use augmentation::Augmentation;
pub use calibration::{Temperature, calibration_error};
pub use classifier::Classifier;
pub use error::PerceiveError;
pub use images::{Images, Probabilities, Targets};
pub use layer::Layer;
pub use network::Network;
pub use objective::Objective;
pub use perception::Perception;
pub use settings::{Checked, Optimiser, Settings};
pub use shape::Shape;
