//! Learning from whole tables, in one binary.

mod families;
mod gaps;
mod learning;
mod propositions;
mod table;
mod templates;
