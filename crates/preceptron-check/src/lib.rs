//! A checker of answers and their proofs, for whoever does not want to believe a solver.
//!
//! It shares no code with the solver and depends on nothing but the standard library. What it trusts is this crate,
//! of which [`constraint`](Constraint) and `database` are what every step rests on, and the formula, which the one
//! who asks must have written or read himself. The format is that of VeriPB (*pseudo-Boolean proof version 2.0*),
//! so that others' checkers can be asked as well.
//!
//! ```
//! use preceptron_check::{Answer, verify};
//!
//! let formula = "min: 1 x1 1 x2 ;\n1 x1 1 x2 >= 1 ;\n";
//! let proof = "pseudo-Boolean proof version 2.0
//! f 1
//! soli x1 ~x2
//! rup >= 1 ; 1 2
//! output NONE
//! conclusion BOUNDS 1 : 3 1 : x1 ~x2
//! end pseudo-Boolean proof
//! ";
//! let answer = Answer::Optimal { cost: 1, literals: vec!["x1".into(), "~x2".into()], unique: None };
//! assert!(verify(formula, &answer, proof, None).is_ok());
//! let wrong = Answer::Optimal { cost: 0, literals: vec!["~x1".into(), "~x2".into()], unique: None };
//! assert!(verify(formula, &wrong, proof, None).is_err());
//! ```

mod answer;
mod constraint;
mod database;
mod opb;
mod proof;
mod refusal;

pub use answer::{Answer, Verified, others, verify};
pub use constraint::{Constraint, Lit, Overflow};
pub use opb::{Formula, Names};
pub use proof::{Conclusion, Proved, check};
pub use refusal::Refusal;
