//! Pictures, and photographs of grids.
//!
//! A photograph of a board is taken from any place, in any light. [`find_grid`] looks for a grid of as many cells as it is
//! asked for and says where its lines are, or why there is none; [`Grid::flat`] gives the picture that a camera straight
//! above would have taken; [`damage`] does to a flat picture what a camera does. Nothing here knows what stands in the cells.

mod components;
pub mod damage;
mod file;
mod find;
mod flat;
mod geometry;
mod grid;
mod hough;
mod measure;
pub mod picture;
mod quadrilateral;
mod refine;
pub mod rgb;
mod ridges;

pub use file::FileError;
pub use find::{Found, NoGrid, find_grid, find_grid_while};
pub use flat::Flat;
pub use geometry::{Homography, Point};
pub use grid::Grid;
pub use picture::Picture;
pub use rgb::Rgb;
