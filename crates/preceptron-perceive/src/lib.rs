//! Images in, probabilities of symbols out: small networks that train on a processor in seconds.
//!
//! A [`Network`] is a list of [`Layer`]s: [`Network::lenet`], [`Network::small_cnn`], [`Network::mlp`] or one
//! of your own. A [`Classifier`] trains it a step at a time (Adam or AdamW, warm-up, cosine, augmentation,
//! averaged weights) towards targets that are probabilities, not labels: what reasoning says of each image.
//! The rest of the program sees it as a [`Perception`]. [`Temperature`] makes its probabilities mean what
//! they say, and [`calibration_error`] tells whether they do. A [`Mapper`] sees scenes in place of symbols: it
//! says of each cell of a grid in the scene how probable something is there, and takes any loss. With the feature `burn` there is a second
//! perception, `RecurrentTransformer`, also for graphics cards.
//!
//! The same seed gives the same weights to the last bit on any number of threads, and training that is
//! resumed from a saved file ends where uninterrupted training does.
//!
//! ```
//! use preceptron_perceive::{Classifier, Images, Network, Perception, Settings, Targets};
//!
//! // Which half of an image of 2x2 pixels is bright?
//! let mut classifier = Classifier::new(Network::mlp(4, &[8], 2)?, Settings::default(), 2)?;
//! let pixels: [u8; 16] = [250, 240, 0, 9, 7, 0, 255, 230, 200, 255, 31, 8, 0, 20, 220, 210];
//! let images = Images::bytes(classifier.input(), &pixels)?;
//! let targets = [1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0];
//! for _ in 0..200 {
//!     classifier.fit(images, Targets::new(&targets))?;
//! }
//! assert_eq!(classifier.predict(images)?.most_probable().collect::<Vec<_>>(), [0, 1, 0, 1]);
//! # Ok::<(), preceptron_perceive::PerceiveError>(())
//! ```
//!
//! # How it is made
//! Layers are products of matrices (`preceptron-matrix`, on one thread) and loops over runs of images: within a
//! part of a batch, the values of all images at a pixel stand side by side. Each part of a batch (at most 64
//! images) goes through the network and back on one thread, while its values are in cache.
//!
//! # Saved weights
//! [`Perception::save`] of a [`Classifier`] writes the format `safetensors`:
//!
//! | tensor | shape | what it is |
//! |---|---|---|
//! | `layer.N.weight` | output channels, input channels, rows, columns; linear: outputs, inputs | kernels |
//! | `layer.N.bias` | output channels | bias, where there is no batch norm |
//! | `layer.N.norm.scale`, `.shift` | output channels | batch norm's parameters |
//! | `layer.N.norm.mean`, `.variance` | output channels | batch norm's running means |
//! | `averaged.layer.…` | as above | the averaged weights, which predict |
//! | `gradient.layer.…`, `square.layer.…` | as above, without `mean` and `variance` | the optimiser's means |
//! | `step` | 1 (u64) | steps made |
//!
//! N counts layers from 0. Numbers are f32. A file with the plain weights alone, from elsewhere, is read as a
//! start: the averages are those weights, and the optimiser knows nothing yet. [`Mapper::save`] writes the
//! same with `backbone.layer.N.…` and `head.layer.N.…`, and `embedding` (channels, rows, columns).

mod activation;
mod adam;
mod augmentation;
mod calibration;
mod classifier;
pub mod clusters;
mod convolution;
mod data_parallel;
mod direct;
mod ensemble;
mod error;
mod features;
mod forward_backward;
mod images;
mod layer;
mod mapper;
mod network;
mod norm;
mod objective;
mod patches;
mod perception;
mod settings;
mod shape;
mod stated;
#[cfg(feature = "burn")]
mod transformer;
#[cfg(test)]
mod twin;
mod weights_file;

pub use augmentation::Augmentation;
pub use calibration::{Temperature, calibration_error};
pub use classifier::Classifier;
pub use ensemble::Ensemble;
pub use error::PerceiveError;
pub use features::{FeatureNetwork, FeaturePass};
pub use images::{Images, Probabilities, Targets};
pub use layer::Layer;
pub use mapper::{MapHead, MapInputs, MapLoss, MapNetwork, Mapper, Photometric, Points};
pub use network::Network;
pub use objective::Objective;
pub use perception::Perception;
pub use settings::{Checked, Optimiser, Settings};
pub use shape::Shape;
pub use stated::Stated;
#[cfg(feature = "burn")]
pub use transformer::{Device, RecurrentTransformer, TransformerSettings};
