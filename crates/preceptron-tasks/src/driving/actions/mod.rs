//! `precept data driving`: scenes of roads, their maps and demonstrated paths, made, checked and drawn.

mod draw;
mod generate;
mod verify;

pub use draw::{Draw, DrawSettings};
pub use generate::{Generate, GenerateSettings};
pub use verify::{Verify, VerifySettings};
