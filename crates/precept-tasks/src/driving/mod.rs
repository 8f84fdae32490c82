//! Driving: from a picture of a scene, a start and an end, plan a path around obstacles that nobody labels.
//!
//! The ground ahead is a [`Grid`] of cells; a [`Map`] says which are blocked. A [`Demonstration`] is a path
//! that somebody drove: it is all that training is told.

mod ground;

pub use ground::{Cell, Demonstration, Grid, Map};
