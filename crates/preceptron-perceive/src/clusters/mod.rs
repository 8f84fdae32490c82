//! Pictures as points that lie near each other where pictures look alike: principal axes, then k-means.

mod k_means;
mod principal_axes;

pub use k_means::{Effort, Nearest, k_means, nearest};
pub use principal_axes::PrincipalAxes;
