//! Rules from examples.

mod control;
mod examples;
mod learned;
mod settings;
mod table;

pub use control::{Control, Quiet};
pub use examples::Examples;
pub use learned::{DropReason, Dropped, Learned, Report, StopReason, Verdict};
pub use settings::{Bound, Checked, Form, Settings, SettingsError};
pub use table::{Encoded, Fault, Position, Table, TableError, TableOptions, decompress};

use precept_logic::Variables;

/// Learns the rules that hold on examples.
///
/// # Panics
/// If the examples have another number of variables than `variables` names.
pub fn learn(
    variables: &Variables,
    examples: &Examples,
    settings: &Checked,
    control: &dyn Control,
) -> Learned {
    let _ = (variables, examples, settings, control);
    todo!()
}
