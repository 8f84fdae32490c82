//! Driving: from a picture of a scene, a start and an end, plan a path around obstacles that nobody labels.
//!
//! The ground ahead is a [`Grid`] of cells; a [`Map`] says which are blocked. A [`Demonstration`] is a path
//! that somebody drove: it is all that training is told.
//!
//! What a path says of the map is a loss for a [`precept_perceive::Mapper`]: [`WeakLoss`], with [`Clauses`]
//! that a planner finds where it goes another way.

mod clauses;
mod ground;
mod weak;
#[cfg(test)]
mod weak_toy;

pub use clauses::{Clauses, Planner, Preferred, differs, is_shorter, new_clauses};
pub use ground::{Cell, Demonstration, Grid, Map};
pub use weak::{WeakLoss, map_loss, path_loss};
