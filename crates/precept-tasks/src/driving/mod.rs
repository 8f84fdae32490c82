//! Driving: from a picture of a scene, a start and an end, plan a path around obstacles that nobody labels.
//!
//! The ground ahead is a [`Grid`] of cells; a [`Map`] says which are blocked. A [`Demonstration`] is a path
//! that somebody drove: it is all that training is told. [`learn_rules`] finds the rules that such paths obey,
//! relative to a cell; a [`Planner`] plans by them on any grid, and [`judge`] says how well.

mod ground;
mod metrics;
mod patches;
mod plan;
mod plan_compiled;
mod plan_generic;
mod plan_risk;
mod plan_trivial;
mod rules;
mod rules_words;
mod ties;

pub use ground::{Cell, Demonstration, Grid, Map};
pub use metrics::{Judgement, Planned, judge};
pub use patches::{Kind, Lesson, Patches, relative_variables};
pub use plan::{LENGTH, Plan, PlanError, Planner, Request, shown_shortest};
pub use plan_compiled::CompiledPlanner;
pub use plan_generic::GenericPlanner;
pub use plan_risk::{KAPPAS, choose_kappa, risk};
pub use plan_trivial::{prior, random_shortest, shortest_length};
pub use rules::{LearnedRules, RuleSettings, degree_rules, instantiate, learn_rules};
pub use rules_words::{objective_in_words, rule_in_words, rules_in_words};
pub use ties::{TieSettings, Ties};

#[cfg(test)]
mod trials;
