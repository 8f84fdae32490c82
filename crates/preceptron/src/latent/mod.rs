//! Symbols that are never answers: two pictures and their sum, the operator unknown; the parity of pictures.
//!
//! The staged schedule needs rules that can be learned from what is known. Where the pictured symbols never occur as
//! values, nothing is known of them. Training then begins with clusters of pictures and a relation between them and the
//! answers ([`Began`]), goes on with a network that makes the answers probable ([`Latent`]), and ends in a relation
//! with a name, if people have one for it ([`Meaning`]), and in rules that the ordinary learner finds in all symbols.
//!
//! The field speaks of weak supervision and of latent concepts; that symbols are known only up to exchanges which
//! change no answer is called a reasoning shortcut.

mod meaning;
mod operator;
mod parity_start;
mod puzzles;
mod relation;
mod rules;
mod schedule;
mod start;
mod sum_start;
mod table_em;
#[cfg(test)]
mod tests;

pub use meaning::Meaning;
pub use puzzles::{AnswerColumn, Combined, Puzzles};
pub use relation::Relation;
pub use schedule::{Build, Latent, LatentSettings};
pub use start::Began;
