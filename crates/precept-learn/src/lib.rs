//! Rules from examples.

mod cliques;
mod confirm;
mod control;
mod counting;
mod examples;
mod global;
mod groups;
mod learn;
mod learned;
mod local;
mod moments;
mod parity;
mod random;
mod reduce;
pub mod rows;
mod settings;
mod span;
mod table;
pub mod tally;
pub mod theorems;
mod theory;
mod verdict;

pub use control::{Control, Quiet};
pub use examples::Examples;
pub use global::GlobalSearch;
pub use learn::learn;
pub use learned::{DropReason, Dropped, Learned, Report, StopReason, Verdict};
pub use moments::Moments;
pub use random::stream;
pub use settings::{Bound, Checked, Form, Settings, SettingsError};
pub use table::{Encoded, Fault, Position, Table, TableError, TableOptions, decompress};
