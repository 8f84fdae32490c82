//! Why joint training could not begin or be taken up.

use preceptron_perceive::PerceiveError;

/// Why joint training could not begin or be taken up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JointError {
    /// The network.
    #[error(transparent)]
    Perceive(#[from] PerceiveError),
    /// No example has a picture.
    #[error("none of {0} examples has a picture")]
    NothingSeen(usize),
    /// The network tells another number of things apart than there are.
    #[error("the network tells {network} things apart, a picture shows one of {scenes}")]
    Classes {
        /// Those of the network.
        network: usize,
        /// Those of the examples.
        scenes: usize,
    },
    /// The threads could not be started.
    #[error("the threads could not be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// A saved state cannot be understood or written.
    #[error("saved state: {0}")]
    Format(#[from] safetensors::SafeTensorError),
    /// A saved state is of other settings or examples, or is damaged.
    #[error("saved state: {name}: {problem}")]
    State {
        /// The part of it.
        name: &'static str,
        /// What is wrong with it.
        problem: String,
    },
}
