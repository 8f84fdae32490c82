//! Linear constraints as clauses: the sum in binary, compared with its bounds.

use super::clauses::Clauses;
use crate::{Linear, Lit};

impl Clauses<'_> {
    /// Adds the clauses of a constraint with different coefficients, which any of `unless` switches off.
    pub(super) fn linear(&mut self, linear: &Linear, unless: &[Lit]) {
        // -c l = c (not l) - c: all coefficients become positive, and the bounds rise.
        let shift: i128 = linear.terms.iter().map(|(c, _)| -i128::from(*c.min(&0))).sum();
        let total: i128 = linear.terms.iter().map(|(c, _)| i128::from(c.unsigned_abs())).sum();
        let min = linear.min.map_or(0, |m| i128::from(m) + shift).max(0);
        let max = linear.max.map_or(total, |m| i128::from(m) + shift).min(total);
        if min > max {
            return self.push([], unless);
        }
        let mut columns: Vec<Vec<Lit>> = vec![vec![]; 64];
        for &(coefficient, literal) in &linear.terms {
            let literal = if coefficient < 0 { !literal } else { literal };
            for (place, column) in columns.iter_mut().enumerate() {
                if coefficient.unsigned_abs() >> place & 1 == 1 {
                    column.push(literal);
                }
            }
        }
        let digits = self.digits(columns);
        let has = |number: i128, place: &usize| number >> place & 1 == 1;
        for place in 0..digits.len() {
            let higher = place + 1..digits.len();
            // The sum is above `max` if it has a 1 where `max` has a 0, and at all higher places
            // whatever 1 `max` has; a digit that is always 0 rules that out.
            if let (Some(digit), false) = (digits[place], has(max, &place)) {
                let short: Option<Vec<Lit>> =
                    higher.clone().filter(|p| has(max, p)).map(|p| digits[p].map(|d| !d)).collect();
                if let Some(short) = short {
                    self.push(short.into_iter().chain([!digit]), unless);
                }
            }
            if has(min, &place) {
                let more: Vec<Lit> =
                    higher.filter(|p| !has(min, p)).chain([place]).filter_map(|p| digits[p]).collect();
                self.push(more, unless);
            }
        }
    }

    /// Adds up columns of binary digits of the same value until each has at most one.
    fn digits(&mut self, mut columns: Vec<Vec<Lit>>) -> Vec<Option<Lit>> {
        let mut digits = Vec::new();
        let mut place = 0;
        while place < columns.len() {
            let mut column = std::mem::take(&mut columns[place]);
            while column.len() > 1 {
                // Taking from the front and adding to the back keeps the network shallow.
                let inputs: Vec<Lit> = column.drain(..column.len().min(3)).collect();
                let (sum, carry) = (self.auxiliaries.fresh(), self.auxiliaries.fresh());
                for case in 0..1u32 << inputs.len() {
                    // In this case of the inputs, `differs` holds a literal that is false for each.
                    let differs =
                        inputs.iter().enumerate().map(|(i, &l)| if case >> i & 1 == 1 { !l } else { l });
                    let ones = case.count_ones();
                    self.push(differs.clone().chain([if ones % 2 == 1 { sum } else { !sum }]), &[]);
                    self.push(differs.chain([if ones >= 2 { carry } else { !carry }]), &[]);
                }
                column.push(sum);
                if columns.len() == place + 1 {
                    columns.push(vec![]);
                }
                columns[place + 1].push(carry);
            }
            digits.push(column.first().copied());
            place += 1;
        }
        digits
    }
}
