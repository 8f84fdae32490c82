//! Runs of driving: their settings, their frames, training and what is kept.

mod session;
mod settings;

pub use session::{Outcome, load, train};
pub use settings::{DrivingSettings, FrameSource};
