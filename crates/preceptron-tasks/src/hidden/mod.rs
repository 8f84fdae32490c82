//! Tasks whose pictures show symbols that are never values: what they share.
//!
//! A task says how many pictures an example has, which of MNIST's digits they show and what is told of them
//! ([`Plan`]); everything else is here: data, training by [`preceptron::latent`], scores, words, new rows. Labels of the
//! pictures are there to make the answers, and to judge; nothing that learns sees them. Tables whose columns of pictures
//! have no values are trained, scored and shown by the same code.

mod data;
mod forward;
mod score;
mod show;
mod task;

pub use data::{HiddenData, Plan};
pub use forward::Forward;
pub use score::{Answered, HiddenScore};
pub use task::{Hidden, HiddenEvaluation, HiddenTask};

pub(crate) use data::{Latency, column_of, latent_of};
pub(crate) use score::score;
pub(crate) use show::{sections, shown};
