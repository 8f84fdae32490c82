//! A table whose cells may be pictures: somebody's own task, without a line of code.
//!
//! A cell is a value, empty, or the name of a picture. Columns with pictures share an alphabet of symbols: the values
//! that these columns have where they show no picture. Nobody says what a picture shows. Rules are found in the
//! values that are known, say what pictures must show, and train the network that reads them; new rows are then read,
//! repaired and completed. Where the columns with pictures have no values at all, training starts from clusters and the
//! other columns (`hidden`).

mod actions;
mod adapt;
mod complete;
mod data;
mod hidden;
mod latin;
mod network;
mod picture_files;
mod pictures;
mod score;
mod settings;
mod show;
mod solve;
mod task;

pub use data::TableData;
pub use network::TableNetwork;
pub use pictures::{Look, Paper};
pub use score::TableScore;
pub use settings::{StartBy, TableEvaluation, TableInput, TableSettings};
pub use task::Tables;

pub(crate) use data::load_cells;
pub(crate) use pictures::paper_of;
pub(crate) use settings::{symbols_of, table_in};
pub(crate) use solve::solve as solve_rows;
