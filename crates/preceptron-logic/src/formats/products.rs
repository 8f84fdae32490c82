//! Products of literals, which OPB may have where others have literals.
//!
//! A product is 1 where all its factors are, so it is a variable `p` of its own, tied to its factors by
//! two hard rules: if `p` then all of the factors, and if all of the factors then `p`. Equal products are
//! one variable. Its name is made from those of the factors, `product(a, not b)`, and ends in a bracket
//! that no name of a block ends in.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::draft::{Allowed, Statement};
use crate::{Lit, Var};

/// Names of factors that are longer than this together give way to the symbols of the file.
const LONGEST: usize = 200;

/// The products that a file mentions.
#[derive(Default)]
pub(super) struct Products {
    by_factors: HashMap<Vec<Lit>, Var>,
    factors: BTreeMap<Var, Vec<Lit>>,
}

impl Products {
    /// The literal that the product of these literals is; nothing if it is 0 whatever they are. `fresh`
    /// makes a variable for a product that was not there before.
    pub fn literal(&mut self, mut factors: Vec<Lit>, fresh: impl FnOnce() -> Var) -> Option<Lit> {
        factors.sort_unstable();
        factors.dedup();
        if factors.windows(2).any(|pair| pair[0] == !pair[1]) {
            return None;
        }
        if let [literal] = factors[..] {
            return Some(literal);
        }
        let var = *self.by_factors.entry(factors).or_insert_with_key(|factors| {
            let var = fresh();
            self.factors.insert(var, factors.clone());
            var
        });
        Some(var.positive())
    }

    /// Whether a variable stands for a product.
    pub fn contains(&self, var: Var) -> bool {
        self.factors.contains_key(&var)
    }

    /// The variables that stand for products, in the order in which these were mentioned.
    pub fn variables(&self) -> impl Iterator<Item = Var> + '_ {
        self.factors.keys().copied()
    }

    /// The rules that tie the products to their factors.
    pub fn statements(&self) -> impl Iterator<Item = Statement> + '_ {
        self.factors.iter().flat_map(|(var, factors)| {
            let all = factors.len() as i64;
            let terms = factors.iter().map(|&factor| (1, factor)).collect();
            let each = Statement::new(0, terms, Allowed::Between(Some(all), None));
            let each = Statement { gate: Some(var.positive()), ..each };
            let negated = factors.iter().map(|&factor| !factor);
            [each, Statement::clause(0, negated.chain([var.positive()]))]
        })
    }

    /// Names for the products, none of them in `names`, which has those of the other variables by their
    /// `place`; `symbols` has what stands for these in the file.
    pub fn names(&self, place: &[u32], names: &[String], symbols: &[String]) -> Vec<String> {
        let mut taken: HashSet<String> = names.iter().cloned().collect();
        let mut made = Vec::with_capacity(self.factors.len());
        for factors in self.factors.values() {
            let mut factors: Vec<(usize, &str)> = factors
                .iter()
                .map(|f| (place[f.var().index()] as usize, if f.is_negated() { "not " } else { "" }))
                .collect();
            factors.sort_unstable();
            let length: usize = factors.iter().map(|(at, _)| names[*at].len()).sum();
            let words = if length <= LONGEST { names } else { symbols };
            let parts: Vec<String> =
                factors.iter().map(|(at, sign)| format!("{sign}{}", words[*at])).collect();
            let wish = format!("product({})", parts.join(", "));
            let mut wishes = std::iter::once(wish.clone()).chain((2..).map(|n| format!("{wish} ({n})")));
            let free = wishes.find(|wish| !taken.contains(wish)).expect("numbers do not end");
            taken.insert(free.clone());
            made.push(free);
        }
        made
    }
}
