//! Tasks from end to end, in one binary.

mod partly_observed;
mod random_rules;
mod streams;
mod visual;
