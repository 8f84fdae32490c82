//! What can be wrong with a question, or with a backend.

use preceptron_logic::Body;

use crate::Piece;

/// Why a query could not be answered at all.
#[derive(Debug, thiserror::Error)]
pub enum ReasonError {
    /// A literal of the query has no variable in the loaded problem.
    #[error("variable number {number} is not in the loaded problem, which has {known}")]
    UnknownVariable {
        /// The variable's number.
        number: u32,
        /// How many variables there are.
        known: usize,
    },
    /// The number of prices is not the number of rules.
    #[error("{given} prices were given for {rules} rules")]
    Strengths {
        /// How many prices were given.
        given: usize,
        /// How many rules there are.
        rules: usize,
    },
    /// All costs and prices together are more than a backend can take.
    #[error("costs and prices add up to {total}, and {backend} takes at most {capacity}")]
    TooLarge {
        /// The backend.
        backend: &'static str,
        /// The sum of all sizes.
        total: i128,
        /// The largest sum that it takes.
        capacity: i64,
    },
    /// A number that should be a probability is none.
    #[error("{probability} is not a probability")]
    Probability {
        /// The number.
        probability: f64,
    },
    /// A real cost that cannot be rounded to whole steps.
    #[error("{cost} is no cost: costs are finite, and below 9e12")]
    Cost {
        /// The cost.
        cost: f64,
    },
    /// A rule or constraint that a backend cannot take.
    #[error("{backend} cannot take {what}")]
    Unsupported {
        /// The backend.
        backend: &'static str,
        /// What it cannot take.
        what: String,
    },
    /// A constraint that would take more memory than is allowed.
    #[error("{what} would take about {} of memory in {backend}, and all may take {}", size(*.bytes), size(*.limit))]
    Memory {
        /// The backend.
        backend: &'static str,
        /// Which constraint.
        what: String,
        /// What it would take.
        bytes: u64,
        /// What all of them may take.
        limit: u64,
    },
    /// A backend gave an answer that does not stand up to being checked. A fault of the backend, never
    /// of the query.
    #[error("{backend} gave a wrong answer: {what}")]
    Wrong {
        /// The backend.
        backend: &'static str,
        /// What is wrong with it.
        what: String,
    },
    /// A backend failed.
    #[error("{backend} failed: {message}")]
    Backend {
        /// The backend.
        backend: &'static str,
        /// What it said.
        message: String,
    },
}

/// A number of bytes as people say it.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes.div_ceil(1000)),
        1_000_000..1_000_000_000 => format!("{} MB", bytes.div_ceil(1_000_000)),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

impl ReasonError {
    pub(crate) fn too_large_to_build(
        backend: &'static str,
        piece: Piece,
        body: &Body,
        bytes: u64,
        limit: u64,
    ) -> ReasonError {
        let literals = match body {
            Body::Cardinality(constraint) => constraint.len(),
            Body::Linear(linear) => linear.terms.len(),
        };
        let name = match piece {
            Piece::Linear(place) => format!("weighted constraint {}", place + 1),
            Piece::Soft(place) => format!("soft constraint {}", place + 1),
            Piece::Rule(place) => format!("rule {}", place + 1),
            Piece::Fixed(_) | Piece::Clause(_) | Piece::CostBound => "what is asked".to_owned(),
        };
        ReasonError::Memory { backend, what: format!("{name}, of {literals} literals,"), bytes, limit }
    }

    pub(crate) fn violated(backend: &'static str, piece: Piece) -> ReasonError {
        ReasonError::Wrong { backend, what: format!("its assignment violates {piece:?}") }
    }
}
