//! All constraints that hold so far, and what follows from them by unit propagation.
//!
//! The *slack* of a constraint is what its literals that are not false add up to, less its degree. Below zero
//! it cannot be satisfied any more; a literal without a value that weighs more than the slack must be true.

use crate::constraint::{Constraint, Lit};

/// Values of literals, and in which order they came.
#[derive(Default)]
struct Values {
    /// By literal: whether it is true.
    is_true: Vec<bool>,
    trail: Vec<Lit>,
}

impl Values {
    fn is_true(&self, literal: Lit) -> bool {
        self.is_true.get(literal as usize).copied().unwrap_or(false)
    }

    fn set(&mut self, literal: Lit) {
        let room = (literal | 1) as usize + 1;
        if self.is_true.len() < room {
            self.is_true.resize(room, false);
        }
        self.is_true[literal as usize] = true;
        self.trail.push(literal);
    }

    /// Takes back all but the first values.
    fn back_to(&mut self, count: usize) {
        for literal in self.trail.drain(count..) {
            self.is_true[literal as usize] = false;
        }
    }

    fn slack(&self, constraint: &Constraint) -> i128 {
        let open = constraint.terms().iter().filter(|(_, literal)| !self.is_true(literal ^ 1));
        open.map(|(weight, _)| weight).sum::<i128>() - constraint.degree()
    }

    /// Gives values to what must be true by a constraint with this slack; whether it can be satisfied.
    fn infer(&mut self, constraint: &Constraint, slack: i128) -> bool {
        if slack < 0 {
            return false;
        }
        for &(weight, literal) in constraint.terms() {
            if weight > slack && !self.is_true(literal) && !self.is_true(literal ^ 1) {
                self.set(literal);
            }
        }
        true
    }
}

/// A constraint with what is needed to propagate it.
struct Kept {
    constraint: Constraint,
    largest: i128,
    /// The slack with the values counted so far.
    slack: i128,
}

/// Constraints by number from 1; what is deleted leaves a gap.
#[derive(Default)]
pub struct Database {
    kept: Vec<Option<Kept>>,
    /// By literal: the constraints in which it is, with its weight there.
    occurs: Vec<Vec<(u32, i128)>>,
    values: Values,
    /// How many of the values have been taken from the slacks.
    counted: usize,
    /// How many constraints, from the first on, have been looked at with the values that always hold.
    seen: usize,
    /// That propagation alone refutes the whole.
    is_refuted: bool,
}

impl Database {
    /// Adds a constraint; its number.
    pub fn add(&mut self, constraint: Constraint) -> usize {
        let number = self.kept.len() as u32;
        for &(weight, literal) in constraint.terms() {
            let room = (literal | 1) as usize + 1;
            if self.occurs.len() < room {
                self.occurs.resize(room, Vec::new());
            }
            self.occurs[literal as usize].push((number, weight));
        }
        let largest = constraint.terms().iter().map(|(weight, _)| *weight).max().unwrap_or(0);
        // Between calls all values have been counted.
        let slack = self.values.slack(&constraint);
        self.kept.push(Some(Kept { constraint, largest, slack }));
        self.kept.len()
    }

    /// The constraint with a number.
    pub fn get(&self, number: usize) -> Option<&Constraint> {
        Some(&self.kept.get(number.checked_sub(1)?)?.as_ref()?.constraint)
    }

    /// How many numbers have been given.
    pub fn last(&self) -> usize {
        self.kept.len()
    }

    /// All that have not been deleted.
    pub fn all(&self) -> impl Iterator<Item = &Constraint> {
        self.kept.iter().flatten().map(|kept| &kept.constraint)
    }

    /// Deletes a constraint; false if there is none. What followed from it by propagation is forgotten.
    pub fn delete(&mut self, number: usize) -> bool {
        let Some(gone) = number.checked_sub(1).and_then(|at| self.kept.get_mut(at)?.take()) else {
            return false;
        };
        for &(_, literal) in gone.constraint.terms() {
            self.occurs[literal as usize].retain(|(at, _)| *at as usize != number - 1);
        }
        // It may be the reason of a value only if it has one that is true.
        if gone.constraint.terms().iter().any(|(_, literal)| self.values.is_true(*literal)) || self.is_refuted
        {
            self.back_to(0);
            (self.seen, self.is_refuted) = (0, false);
        }
        true
    }

    /// Takes back values and gives their weights to the slacks again.
    fn back_to(&mut self, count: usize) {
        while self.counted > count {
            self.counted -= 1;
            let literal = self.values.trail[self.counted] ^ 1;
            for &(at, weight) in self.occurs.get(literal as usize).into_iter().flatten() {
                if let Some(kept) = &mut self.kept[at as usize] {
                    kept.slack += weight;
                }
            }
        }
        self.values.back_to(count);
    }

    /// Propagates until nothing more follows; false at a contradiction.
    fn propagate(&mut self) -> bool {
        while let Some(&literal) = self.values.trail.get(self.counted) {
            self.counted += 1;
            let Some(touched) = self.occurs.get((literal ^ 1) as usize) else { continue };
            let mut holds = true;
            for &(at, weight) in touched {
                let Some(kept) = &mut self.kept[at as usize] else { continue };
                kept.slack -= weight;
                if holds && kept.slack < kept.largest {
                    holds = self.values.infer(&kept.constraint, kept.slack);
                }
            }
            if !holds {
                return false;
            }
        }
        true
    }

    /// What always holds.
    fn settle(&mut self) -> bool {
        while !self.is_refuted && self.seen < self.kept.len() {
            if let Some(kept) = &self.kept[self.seen] {
                self.is_refuted = !self.values.infer(&kept.constraint, kept.slack);
            }
            self.is_refuted = self.is_refuted || !self.propagate();
            self.seen += 1;
        }
        !self.is_refuted
    }

    /// Whether these constraints, with all of the database or only with those of the hint, lead to a contradiction
    /// by unit propagation.
    pub fn refutes(&mut self, assumed: &[Constraint], hint: Option<&[usize]>) -> bool {
        match hint {
            Some(numbers) => self.refutes_by(assumed, numbers),
            None => {
                if !self.settle() {
                    return true;
                }
                let always = self.values.trail.len();
                let holds = loop {
                    let known = self.values.trail.len();
                    let values = &mut self.values;
                    if !assumed.iter().all(|one| values.infer(one, values.slack(one))) || !self.propagate() {
                        break false;
                    }
                    if self.values.trail.len() == known {
                        break true;
                    }
                };
                self.back_to(always);
                !holds
            }
        }
    }

    /// The same by a few constraints, in the order of the hint, and then again until nothing more follows.
    fn refutes_by(&self, assumed: &[Constraint], numbers: &[usize]) -> bool {
        let mut values = Values::default();
        loop {
            let known = values.trail.len();
            let hinted = numbers.iter().filter_map(|number| self.get(*number));
            for one in assumed.iter().chain(hinted) {
                let slack = values.slack(one);
                if !values.infer(one, slack) {
                    return true;
                }
            }
            if values.trail.len() == known {
                return false;
            }
        }
    }

    /// The assignment that a few literals lead to by unit propagation, as a list of true literals; nothing if they
    /// contradict something.
    pub fn extended(&mut self, literals: &[Lit]) -> Option<Vec<Lit>> {
        if !self.settle() {
            return None;
        }
        let always = self.values.trail.len();
        let mut is_open = true;
        for &literal in literals {
            is_open = is_open && !self.values.is_true(literal ^ 1);
            if is_open && !self.values.is_true(literal) {
                self.values.set(literal);
            }
        }
        is_open = is_open && self.propagate();
        let found = is_open.then(|| self.values.trail.clone());
        self.back_to(always);
        found
    }
}
