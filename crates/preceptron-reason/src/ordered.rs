//! Sums of literals that other rules put in order.
//!
//! Where rules of two literals make a chain `x_m -> ... -> x_2 -> x_1`, its literals are a number in unary:
//! `x_a` says that at least `a` of them are true. A sum over a few such chains needs no counter. With the
//! chains X, Y, Z, at most `h` in all is
//! ```text
//! not (X >= a and Y >= b and Z >= c)      for all a + b + c = h + 1
//! ```
//! and at least `l` is the same of the negations. Most of these clauses have a member that is always true or
//! always false, and propagation sees through the others, which it does not through a counter.

use preceptron_logic::{Constraint, Lit, Sums};

/// Sums over more chains than this go through a counter.
const CHAINS: usize = 3;

/// Sums of fewer literals are written out at once.
const LITERALS: usize = 4;

/// Sums of more literals go through a counter: each is held against each.
const MOST_LITERALS: usize = 1000;

/// How many literals are followed from one, at the most.
const FOLLOWED: usize = 4000;

/// What follows from a literal by rules of two literals.
pub struct Orders {
    /// By a literal's code.
    implied: Vec<Vec<Lit>>,
    /// By a literal's code: the number of the walk that saw it last.
    seen: Vec<u32>,
    walks: u32,
}

impl Orders {
    /// The order that constraints of two literals make; nothing if there is none.
    pub fn of<'a>(constraints: impl Iterator<Item = &'a Constraint>) -> Option<Orders> {
        let mut implied: Vec<Vec<Lit>> = Vec::new();
        for constraint in
            constraints.filter(|constraint| constraint.len() == 2 && constraint.gate().is_none())
        {
            let Some(&[a, b]) = constraint.as_clause().as_deref() else { continue };
            for (from, to) in [(!a, b), (!b, a)] {
                let codes = from.code().max(to.code()) + 1;
                implied.resize(implied.len().max(codes), Vec::new());
                implied[from.code()].push(to);
            }
        }
        let seen = vec![0; implied.len()];
        (!implied.is_empty()).then_some(Orders { implied, seen, walks: 0 })
    }

    /// The literals of a constraint as a few chains, each literal implying the one before it; nothing if
    /// they are not in order, or the sums allowed have gaps.
    pub fn chains(&mut self, constraint: &Constraint) -> Option<Vec<Vec<Lit>>> {
        let (literals, sums) = (constraint.literals(), constraint.sums());
        let (least, greatest) = (sums.least()?, sums.greatest()?);
        if !(LITERALS..=MOST_LITERALS).contains(&literals.len()) || *sums != Sums::range(least, greatest) {
            return None;
        }
        let mut places = vec![usize::MAX; self.implied.len()];
        for (place, literal) in literals.iter().enumerate() {
            // A literal that nothing is known of makes a chain of its own.
            if let Some(entry) = places.get_mut(literal.code()) {
                *entry = place;
            }
        }
        let implies: Vec<Vec<bool>> =
            literals.iter().map(|&literal| self.follow(literal, &places, literals.len())).collect();
        let mut order: Vec<usize> = (0..literals.len()).collect();
        order.sort_by_key(|&place| (implies[place].iter().filter(|&&implied| implied).count(), place));
        let mut chains: Vec<Vec<usize>> = Vec::new();
        for place in order {
            let joins = |chain: &Vec<usize>| chain.last().is_some_and(|&last| implies[place][last]);
            match chains.iter().position(joins) {
                Some(chain) => chains[chain].push(place),
                None if chains.len() == CHAINS => return None,
                None => chains.push(vec![place]),
            }
        }
        let chain = |chain: Vec<usize>| chain.into_iter().map(|place| literals[place]).collect();
        Some(chains.into_iter().map(chain).collect())
    }

    /// Which of the literals with a place follow from a literal.
    fn follow(&mut self, literal: Lit, places: &[usize], count: usize) -> Vec<bool> {
        let mut found = vec![false; count];
        self.walks += 1;
        let mut open = vec![literal];
        let mut followed = 0;
        while let Some(next) = open.pop() {
            followed += 1;
            if followed > FOLLOWED {
                break;
            }
            for &to in self.implied.get(next.code()).into_iter().flatten() {
                if std::mem::replace(&mut self.seen[to.code()], self.walks) != self.walks {
                    open.push(to);
                    if places[to.code()] != usize::MAX {
                        found[places[to.code()]] = true;
                    }
                }
            }
        }
        found
    }
}

/// The clauses of: the number of true literals in these chains is one of `sums`, which have no gaps.
pub fn clauses(chains: &[Vec<Lit>], sums: &Sums) -> Vec<Vec<Lit>> {
    let count: usize = chains.iter().map(Vec::len).sum();
    let (Some(least), Some(greatest)) = (sums.least(), sums.greatest()) else { return vec![vec![]] };
    let mut clauses = Vec::new();
    if (greatest as usize) < count {
        at_most(chains, greatest as usize, &mut clauses);
    }
    if least as usize > count {
        clauses.push(vec![]);
    } else if least > 0 {
        // Where `a` of a chain's `m` are false, its `m - a + 1`st is: the chains of negations run backwards.
        let negated: Vec<Vec<Lit>> =
            chains.iter().map(|chain| chain.iter().rev().map(|&literal| !literal).collect()).collect();
        at_most(&negated, count - least as usize, &mut clauses);
    }
    clauses
}

fn at_most(chains: &[Vec<Lit>], most: usize, clauses: &mut Vec<Vec<Lit>>) {
    fn extend(chains: &[Vec<Lit>], left: usize, clause: &mut Vec<Lit>, clauses: &mut Vec<Vec<Lit>>) {
        let Some((first, others)) = chains.split_first() else {
            if left == 0 {
                clauses.push(clause.clone());
            }
            return;
        };
        let rest: usize = others.iter().map(Vec::len).sum();
        for taken in left.saturating_sub(rest)..=left.min(first.len()) {
            let depth = clause.len();
            clause.extend(taken.checked_sub(1).map(|last| !first[last]));
            extend(others, left - taken, clause, clauses);
            clause.truncate(depth);
        }
    }
    extend(chains, most + 1, &mut Vec::new(), clauses);
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::Var;
    use proptest::prelude::*;

    /// Chains of these lengths over the first variables, every third one of negations.
    fn chained(lengths: &[usize]) -> Vec<Vec<Lit>> {
        let mut vars = 0..;
        let chain = |(number, &length): (usize, &usize)| {
            vars.by_ref().take(length).map(|var| Lit::new(Var(var), number % 3 == 2)).collect()
        };
        lengths.iter().enumerate().map(chain).collect()
    }

    proptest! {
        /// The plain twin adds up the literals of every assignment that keeps the order.
        #[test]
        fn clauses_allow_the_sums(lengths in prop::collection::vec(1..4usize, 1..4), a in 0..9u32, b in 0..9u32) {
            let chains = chained(&lengths);
            let sums = Sums::range(a.min(b), a.max(b));
            let clauses = clauses(&chains, &sums);
            let count: usize = lengths.iter().sum();
            for values in 0..1u32 << count {
                let holds = |literal: &Lit| literal.holds(values >> literal.var().0 & 1 == 1);
                if chains.iter().any(|chain| chain.windows(2).any(|pair| holds(&pair[1]) && !holds(&pair[0]))) {
                    continue;
                }
                let sum = chains.iter().flatten().filter(|literal| holds(literal)).count() as u32;
                prop_assert_eq!(clauses.iter().all(|clause| clause.iter().any(holds)), sums.contains(sum));
            }
        }
    }

    #[test]
    fn chains_are_found_through_other_literals() {
        let lit = |var: u32| Var(var).positive();
        let implies = |a: Lit, b: Lit| Constraint::clause([!a, b]);
        // 0 <- 5 <- 1 <- 2, and not 3 <- not 4.
        let rules = [
            implies(lit(5), lit(0)),
            implies(lit(1), lit(5)),
            implies(lit(2), lit(1)),
            implies(lit(3), lit(4)),
        ];
        let mut orders = Orders::of(rules.iter()).unwrap();
        let sum = Constraint::exactly(2, [lit(0), lit(1), lit(2), !lit(3), !lit(4)]);
        let mut chains = orders.chains(&sum).unwrap();
        chains.sort();
        assert_eq!(chains, [vec![lit(0), lit(1), lit(2)], vec![!lit(3), !lit(4)]]);
        let gaps = Constraint::new([lit(0), lit(1), lit(2), !lit(3)], Sums::set([0, 2]));
        assert_eq!(orders.chains(&gaps), None);
        let strangers = Constraint::exactly(2, (0..6).map(|var| Lit::new(Var(var), var % 2 == 0)));
        assert_eq!(orders.chains(&strangers), None);
        assert!(Orders::of([&sum].into_iter()).is_none());
    }
}
