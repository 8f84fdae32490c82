//! Learning to drive: rules of paths from demonstrations, a network that sees obstacles which nobody labels, and a
//! planner that uses both. The field calls it learning from demonstrations, and what is learned of the driver's wishes
//! inverse reinforcement learning.
//!
//! Training from paths alone goes thus:
//!
//! 1. The rules of paths are learned from the demonstrations ([`super::learn_rules`]), without any map.
//! 2. A network gives each cell the probability that it is blocked. What a demonstration says of that:
//!    its own cells are free; and where a planner prefers another path, something on that path is blocked
//!    ([`super::Clauses`], [`super::WeakLoss`]). A path whose steps cost *less* than the one shown must be blocked;
//!    one that costs the same is blocked with the probability that the learned preferences are the driver's.
//! 3. Preferences among equally short paths ([`super::Preferences`]) are learned from demonstrations on the maps that
//!    are believed in: at first without obstacles, and again after each epoch. How far they are trusted is estimated
//!    on drives held out, by likelihood: an obstacle that is likely excuses a path that is not the preferred one.
//! 4. How many cells of detour a risk is worth, and how much preferences weigh against small risks, is chosen on drives
//!    held out from training: by agreement with their demonstrations, where a plan that collides agrees in nothing
//!    ([`super::Judgement::safe_f1`]); from paths alone nobody knows which do, so that each counts with the probability
//!    by the network that it does not.
//! 5. That no path leads through an obstacle is declared while the network is trained: it is what gives the
//!    symbol its meaning. Whether it is so is learned afterwards, from what is surely blocked by the network on the
//!    drives held out, on whose paths the network was not trained.
//!
//! 6. To answer, maps are drawn from the network's probabilities, the driver is simulated on each, and the plan is the
//!    one that is worth most on average ([`super::plan_expected`]); length and one weight of risk is the other [`Way`].
//!    Before that the probabilities are shifted so that the paths shown on the drives held out are as likely as can be
//!    in the simulation.
//!
//! Frames are trained on as they are or mirrored from left to right, and predicted both ways; but for the network that
//! gives paths itself, since the driver's preferences between left and right are not to be mirrored.
//!
//! | declared | learned |
//! |---|---|
//! | paths are as short as can be, and what a step costs | the rules of paths |
//! | rules hold in every orientation and at every cell | which of equally short paths |
//! | a path keeps off what the network is to find (while it is trained) | where obstacles are; that paths keep off them |
//!
//! The true maps serve the supervised rival ([`Supervision::Maps`]) and the judge, and nothing else.

mod choosing;
mod ending;
mod hold_out;
mod learner;
mod mine;
mod planning;
mod rows;
mod schedule;
mod seen;
mod settings;
#[cfg(test)]
mod tests;
mod trained;

pub use ending::Findings;
pub use learner::PathLearner;
pub use planning::with_obstacles;
pub use rows::{Row, Table, table, table_of_paths};
pub use settings::{LearningError, LearningSettings, Supervision};
pub use trained::{Answered, Choices, Trained, Way};
