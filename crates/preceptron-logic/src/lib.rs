//! What a rule is.
//!
//! Boolean [`Variables`] have names, and names can carry blocks and axes. A [`Constraint`] says how many
//! of some literals may be true; a [`Rule`] adds the evidence for it; a [`RuleSet`] holds rules over
//! named variables, knows their exact rank, compares itself with another set, explains and lifts its
//! rules for a person, and is written to and read from the formats of solvers.
//!
//! ```
//! use preceptron_logic::{Constraint, Rule, RuleSet, Variables, lift};
//!
//! let cells = Variables::block("cell", &[("row", 1..=2), ("digit", 1..=2)]);
//! let find = |name: &str| cells.find(name).unwrap().positive();
//! let row_1 = [find("cell[row 1, digit 1]"), find("cell[row 1, digit 2]")];
//! let row_2 = [find("cell[row 2, digit 1]"), find("cell[row 2, digit 2]")];
//! let rules = [row_1, row_2].map(|row| Rule::given(Constraint::exactly(1, row)));
//! let rules = RuleSet::with_rules(cells, rules);
//! assert_eq!(rules.rank(), 2);
//! assert_eq!(lift(&rules)[0].to_string(), "for every row: exactly 1 of cell[row, digit *]");
//! ```

mod constraint;
mod draw;
mod explain;
mod expression;
pub mod formats;
pub mod json;
mod lift;
mod literal;
pub mod numbers;
mod pattern;
mod problem;
pub mod rank;
mod relative;
mod resize;
mod rule;
mod rule_set;
mod statement;
mod sums;
mod term;
mod variables;

pub use constraint::{Constraint, RuleId};
pub use draw::draw;
pub use explain::{Explanation, evidence_line, explain, sentence};
pub use expression::{Expression, ExpressionError};
pub use lift::{Family, lift};
pub use literal::{Lit, Var};
pub use problem::{Body, Linear, Problem, Soft};
pub use relative::{Claim, Domain, Edge, RelativeRule, RelativeTerm, Select};
pub use resize::{ResizeError, Sizes};
pub use rule::{Evidence, Origin, Rule};
pub use rule_set::{Comparison, RuleSet, UnknownName};
pub use sums::Sums;
pub use term::{Part, Term, describe};
pub use variables::{Axis, Block, Label, Place, Variables, VariablesError};
