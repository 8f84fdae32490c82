//! The calls into the libraries that the commands are built on, behind one door.
pub use precept_learn::learn;
pub use precept_logic::{Family, evidence_line, explain, formats, lift};
