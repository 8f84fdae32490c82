//! What the rivals' networks are made of, on matrices whose columns are tokens (or cells, or messages), each
//! with its values one after the other.

pub(crate) mod cell_embedding;
pub(crate) mod data_parallel;
pub(crate) mod dropout;
pub(crate) mod functions;
pub(crate) mod gelu;
pub(crate) mod linear;
pub(crate) mod lstm;
pub(crate) mod mlp;
pub(crate) mod norm;
pub(crate) mod optimiser;
pub(crate) mod parameters;
pub(crate) mod softmax;
#[cfg(test)]
pub(crate) mod tape;
