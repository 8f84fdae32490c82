//! Learning from whole tables, in one binary.

mod gaps;
mod learning;
mod propositions;
mod table;
mod templates;
