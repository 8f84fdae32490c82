//! Variables by number, and literals: a variable or its negation.

use std::fmt;
use std::ops::Not;

/// A Boolean variable, by its position in [`Variables`](crate::Variables).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(pub u32);

impl Var {
    /// The variable's position as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal that is true when the variable is.
    pub fn positive(self) -> Lit {
        Lit::new(self, false)
    }

    /// The literal that is true when the variable is false.
    pub fn negative(self) -> Lit {
        Lit::new(self, true)
    }
}

/// A variable or its negation. Literals order by variable, the positive one first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// The literal of `var`, negated or not.
    ///
    /// # Panics
    /// If the variable's number needs more than 31 bits.
    pub fn new(var: Var, negated: bool) -> Lit {
        assert!(var.0 < 1 << 31, "variable numbers have 31 bits");
        Lit(var.0 << 1 | u32::from(negated))
    }

    /// The variable underneath.
    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    /// Whether the literal is the variable's negation.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The literal's truth when its variable has this value.
    pub fn holds(self, value: bool) -> bool {
        value != self.is_negated()
    }

    /// The signed number of the DIMACS formats: variables count from 1, negation is a minus.
    pub fn dimacs(self) -> i64 {
        let number = i64::from(self.var().0) + 1;
        if self.is_negated() { -number } else { number }
    }

    /// A number that is unique to the literal and below twice the number of variables.
    pub fn code(self) -> usize {
        self.0 as usize
    }
}

impl Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.dimacs())
    }
}
