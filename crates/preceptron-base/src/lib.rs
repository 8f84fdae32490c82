//! What every part of Preceptron shares.
//!
//! - [`stream`]: random numbers, named by what they are for.
//! - [`Control`]: progress, and a way to stop long work.
//! - [`settings!`](crate::settings!): settings that are said once and are a file's keys and a command's flags.
//! - [`write_whole`]: files that are there as a whole or not at all.
//! - [`meter`]: what work takes of clock, processors and memory.
//! - [`read_file`] and [`decompress`]: reading, with a budget.
//!
//! ```
//! use preceptron_base::{Settings, settings, stream};
//! use rand::RngExt;
//!
//! settings! {
//!     /// How dice are thrown.
//!     pub struct Dice {
//!         /// How many dice there are.
//!         count: usize = 2, "N" in 1..=100;
//!     }
//! }
//! let mut dice = Dice::default();
//! dice.set("count", "3")?;
//! let mut random = stream(7, "dice of the example", 0);
//! let thrown: Vec<u8> = (0..dice.count).map(|_| random.random_range(1..=6)).collect();
//! assert_eq!(thrown.len(), 3);
//! assert_eq!(Dice { count: 0 }.check().unwrap_err().to_string(), "count = 0 is out of range: 1 to 100");
//! # Ok::<(), preceptron_base::SettingsError>(())
//! ```

mod control;
mod limits;
pub mod meter;
mod random;
mod reading;
mod settings;
mod value;
mod whole_file;

pub use control::{Control, Quiet};
pub use limits::{Above, Limits, Within};
pub use random::{stream, stream_at};
pub use reading::{
    BUDGET, ReadError, UNPACKED, UNPACKED_VARIABLE, decompress, open_stream, packed_xz, read_file, read_line,
    read_packed, read_text, unpacked_xz,
};
#[doc(hidden)]
pub use serde;
pub use settings::{Flag, Given, Settings, SettingsError, apply, as_typed};
pub use value::{Kind, Value, kebab};
pub use whole_file::{TEMPORARY, write_whole};

extern crate self as preceptron_base;
#[doc(hidden)]
pub use limits::outside;
#[doc(hidden)]
pub use settings::first;
pub use settings::quoted;
