//! Learning to drive: rules of paths from demonstrations, a network that sees obstacles which nobody labels, and a
//! planner that uses both.
//!
//! Training from paths alone goes thus:
//!
//! 1. The rules of paths are learned from the demonstrations ([`super::learn_rules`]), without any map.
//! 2. A network gives each cell the probability that it is blocked. What a demonstration says of that:
//!    its own cells are free; and where a planner prefers another path on the map that is believed in, something on
//!    that path is blocked ([`super::WeakLoss`]). A path whose steps cost *less* than the one shown must be blocked;
//!    one that costs the same is blocked with the probability that the learned preferences are the driver's.
//! 3. Preferences among equally short paths ([`super::Ties`]) are learned from demonstrations on the maps that
//!    are believed in: at first without obstacles, again after a third of the training, and at the end.
//! 4. How many cells of detour a risk is worth is chosen on drives held out from training, by agreement with
//!    their demonstrations.
//! 5. That no path leads through an obstacle is declared while the network is trained: it is what gives the
//!    symbol its meaning. Whether it is so is learned afterwards, from the maps believed in on the drives held out,
//!    on whose paths the network was not trained.
//!
//! | declared | learned |
//! |---|---|
//! | paths are as short as can be, and what a step costs | the rules of paths |
//! | rules hold in every orientation and at every cell | which of equally short paths |
//! | a path keeps off what the network is to find (while it is trained) | where obstacles are; that paths keep off them |
//!
//! The true maps serve the supervised rival ([`Supervision::Maps`]) and the judge, and nothing else.

mod learner;
mod mine;
mod planning;
mod rows;
mod seen;
mod settings;
#[cfg(test)]
mod tests;
mod trained;

pub use learner::{Findings, PathLearner};
pub use rows::{Row, rows, trivial_rows};
pub use settings::{LearningError, LearningSettings, Supervision};
pub use trained::{Answered, Trained};
