//! Exact reasoning: rules and evidence in, certain answers out.
//!
//! A [`Problem`](preceptron_logic::Problem) is loaded into a [`Reasoner`] once; then come many [`Query`]s:
//! literals that are fixed, costs of the others, rules that may be violated at a price. The [`Answer`] is
//! the cheapest assignment that obeys the rules, with the proof's bound, and with what had to be repaired
//! in the evidence; or a minimal conflict. Every answer is evaluated by code of its own before it is given.
//!
//! ```
//! use preceptron_logic::{Constraint, Problem, Rule, RuleSet, Variables};
//! use preceptron_reason::{Backend, Query, Status};
//!
//! let digits = Variables::block("digit", &[("is", 1..=3)]);
//! let [one, two, three] = ["1", "2", "3"].map(|d| digits.find(&format!("digit[is {d}]")).unwrap().positive());
//! let rules = [Constraint::exactly(1, [one, two, three]), Constraint::at_most(0, [one])];
//! let rules = RuleSet::with_rules(digits, rules.map(Rule::given));
//! let mut reasoner = Backend::default().load(Problem::from(rules)).unwrap();
//! let mut query = Query::default();
//! query.add_reading([(one, 0.7), (two, 0.1), (three, 0.2)]).unwrap();
//! let answer = reasoner.solve(&query).unwrap();
//! assert_eq!(answer.status, Status::Optimal);
//! let solution = answer.solution.unwrap();
//! assert!(solution.holds(three));
//! assert_eq!((solution.repairs[0].read, solution.repairs[0].chosen), (one, three));
//! ```

mod answer;
mod batch;
#[cfg(any(feature = "highs", feature = "z3"))]
mod canonical;
mod certify;
mod check;
mod choices;
mod conflict;
mod core_guided;
mod costs;
mod counterexample;
mod cutting;
mod encode;
mod engine;
mod entailment;
mod equations;
mod error;
#[cfg(any(feature = "highs", feature = "z3"))]
mod external_solver;
#[cfg(feature = "highs")]
mod highs;
mod k_best;
mod memory;
mod ordered;
mod parallel_blocks;
mod parity;
mod parity_bounds;
mod portfolio;
mod potentials;
mod proof;
mod proofs;
mod prover;
mod query;
mod reasoner;
mod sample;
pub mod sat;
mod search;
mod stream;
mod unique;
#[cfg(feature = "z3")]
mod z3;

#[cfg(feature = "highs")]
pub use self::highs::Highs;
#[cfg(feature = "z3")]
pub use self::z3::Z3;
pub use answer::{Answer, Conflict, Piece, Repair, Solution, Status, Work};
pub use batch::solve_all;
pub use certify::{
    Certificate, CertifyError, Effort, Redundant, Witness, equivalent, equivalent_within, implied, redundant,
    redundant_within,
};
pub use check::evaluate;
pub use core_guided::CoreGuided;
pub use counterexample::counterexample;
pub use cutting::Version;
pub use entailment::Entailment;
pub use error::ReasonError;
pub use k_best::{each_best, k_best};
pub use memory::three_quarters_free;
pub use parallel_blocks::work_in_blocks;
pub use portfolio::Portfolio;
pub use proof::{Claim, Formula, MARK, Proving};
pub use query::{LEAST_PROBABILITY, Limits, Query, STEPS, Strength, TieBreak};
pub use reasoner::{Backend, Reasoner};
pub use sample::{Sampler, Walk};
pub use stream::work_on_stream;
pub use unique::{UniqueReading, is_solution_unique, unique_reading};
