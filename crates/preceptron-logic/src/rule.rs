//! A rule: a constraint with the evidence for it.

use serde::{Deserialize, Serialize};

use crate::{Constraint, RuleId};

/// What the examples say of a constraint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// Examples that could have spoken against the constraint: enough of them is observed.
    pub examples: u64,
    /// Of these, the ones that do not.
    pub satisfied: u64,
    /// Of these, the ones that violate it whatever is not observed.
    pub violated: u64,
    /// Examples of which too little is observed to violate it.
    pub undecided: u64,
    /// Different sets of the constraint's literals that examples show to be true.
    pub situations: u64,
    /// How many violations would be expected if the variables were independent: how easily the examples
    /// could have spoken against the rule.
    pub expected_violations: f64,
}

impl Evidence {
    /// The share of the examples that could have violated the constraint and do not; 1 where there is none.
    pub fn support(&self) -> f64 {
        if self.examples == 0 { 1.0 } else { self.satisfied as f64 / self.examples as f64 }
    }
}

/// Where a rule came from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Found in examples, by the named finder.
    Learned {
        /// The finder's name.
        by: String,
    },
    /// Stated by the user or read from a file without a word about its origin.
    #[default]
    Given,
    /// A consequence of how the data were encoded, such as one-hot columns of a categorical one.
    Encoding,
}

/// A constraint, the evidence for it, and its origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// What must hold.
    pub constraint: Constraint,
    /// What the examples say.
    pub evidence: Evidence,
    /// Where it came from.
    pub origin: Origin,
}

impl Rule {
    /// A rule that was stated, not learned.
    pub fn given(constraint: Constraint) -> Rule {
        Rule { constraint, evidence: Evidence::default(), origin: Origin::Given }
    }

    /// The constraint's content hash.
    pub fn id(&self) -> RuleId {
        self.constraint.id()
    }
}
