//! One block: a few rules over a few variables, and all their solutions.

use preceptron_logic::{Constraint, Lit, Var};
use rand::RngExt;
use rand::seq::{IndexedRandom, index};
use rand_chacha::ChaCha8Rng;

use super::{Kind, Part};

/// Literals over the bits of a solution, so that a sum is a population count.
pub(super) struct Mask {
    counted: u32,
    negated: u32,
}

impl Mask {
    /// The mask of literals, each with the bit of its variable.
    pub(super) fn new(literals: impl Iterator<Item = (u32, Lit)>) -> Mask {
        let mut mask = Mask { counted: 0, negated: 0 };
        for (bit, literal) in literals {
            mask.counted |= 1 << bit;
            mask.negated |= u32::from(literal.is_negated()) << bit;
        }
        mask
    }

    /// How many of the literals a solution makes true.
    pub(super) fn sum(&self, solution: u32) -> u32 {
        ((solution ^ self.negated) & self.counted).count_ones()
    }
}

/// A rule with its mask over the block's variables.
struct Drawn {
    kind: Kind,
    constraint: Constraint,
    mask: Mask,
}

impl Drawn {
    fn holds(&self, solution: u32) -> bool {
        self.constraint.sums().contains(self.mask.sum(solution))
    }
}

/// Draws rules over these variables until they have at least 4 solutions, with every variable of theirs
/// taking both values. Returns the rules, of which none follows from the others, the variables in them
/// with their solutions, and the variables in no rule.
pub(super) fn draw_block(
    variables: &[Var],
    random: &mut ChaCha8Rng,
) -> (Vec<(Kind, Constraint)>, Part, Vec<Var>) {
    loop {
        let mut rules: Vec<Drawn> =
            (0..random.random_range(1..=4)).map(|_| draw_rule(variables, random)).collect();
        let mut number = 0;
        while number < rules.len() {
            let rule = rules.remove(number);
            if !solutions(&rules, variables.len()).all(|s| rule.holds(s)) {
                rules.insert(number, rule);
                number += 1;
            }
        }
        let used = rules.iter().fold(0, |bits, rule| bits | rule.mask.counted);
        // Bits in no rule are held at 0: what is left are the solutions over the others.
        let found: Vec<u32> = solutions(&rules, variables.len()).filter(|s| s & !used == 0).collect();
        let (ever, always) = found.iter().fold((0, used), |(or, and), s| (or | s, and & s));
        if found.len() < 4 || ever != used || always != 0 {
            continue;
        }
        let bits: Vec<usize> = (0..variables.len()).filter(|bit| used >> bit & 1 == 1).collect();
        let packed = |s: u32| bits.iter().zip(0..).map(|(bit, to)| (s >> bit & 1) << to).sum();
        let part = Part {
            variables: bits.iter().map(|&bit| variables[bit]).collect(),
            solutions: found.into_iter().map(packed).collect(),
            odds: None,
        };
        let unused = (0..variables.len()).filter(|bit| used >> bit & 1 == 0).map(|bit| variables[bit]);
        let unused = unused.collect();
        return (rules.into_iter().map(|rule| (rule.kind, rule.constraint)).collect(), part, unused);
    }
}

/// The assignments of so many variables that satisfy the rules.
fn solutions(rules: &[Drawn], variables: usize) -> impl Iterator<Item = u32> {
    (0..1 << variables).filter(|&s| rules.iter().all(|rule| rule.holds(s)))
}

fn draw_rule(variables: &[Var], random: &mut ChaCha8Rng) -> Drawn {
    let kinds = [Kind::Equality, Kind::AtMost, Kind::AtLeast, Kind::Implication];
    let kind = *kinds.choose(random).expect("there are kinds");
    let count = if kind == Kind::Implication { 2 } else { random.random_range(2..=variables.len().min(8)) };
    let negations = random.random_bool(0.5);
    let bits = index::sample(random, variables.len(), count);
    let literals: Vec<Lit> =
        bits.iter().map(|bit| Lit::new(variables[bit], negations && random.random_ratio(1, 3))).collect();
    let sum = random.random_range(1..count as u32);
    let constraint = match kind {
        Kind::Equality => Constraint::exactly(sum, literals),
        Kind::AtMost => Constraint::at_most(sum, literals),
        Kind::AtLeast => Constraint::at_least(sum, literals),
        Kind::Implication => Constraint::clause([!literals[0], literals[1]]),
    };
    // The constraint's canonical form decides the signs, so the mask is made from that.
    let bit =
        |var: Var| variables.iter().position(|&v| v == var).expect("a rule over these variables") as u32;
    let mask = Mask::new(constraint.literals().iter().map(|&l| (bit(l.var()), l)));
    Drawn { kind, constraint, mask }
}
