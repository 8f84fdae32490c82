//! Learning from whole tables, in one binary.

mod families;
mod gaps;
mod learning;
mod parts;
mod propositions;
mod sheets;
mod table;
mod templates;
