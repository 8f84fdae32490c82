//! Random rules with known truth, samples of their solutions, and exact judges in both directions.
//!
//! The variables fall into *parts* that have nothing to do with each other: blocks of a few variables
//! with rules among them, and free variables in no rule. A block is small enough to list its solutions,
//! so that examples can be drawn evenly from them, and what follows from the truth can be decided by
//! looking at each part alone.

mod block;

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use preceptron_learn::Examples;
use preceptron_logic::{Constraint, Rule, RuleSet, Var, Variables};
use preceptron_reason::implied;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use block::{Mask, draw_block};
use preceptron_base::stream;

/// How many variables there are, unless one says otherwise.
pub const VARIABLES: RangeInclusive<usize> = 10..=100;

/// What a rule says of `s` literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Exactly k of them.
    Equality,
    /// At most k of them, k < s.
    AtMost,
    /// At least k of them, k >= 1.
    AtLeast,
    /// The first of two implies the second.
    Implication,
}

/// A random set of rules, and examples that obey it.
#[derive(Clone, Debug)]
pub struct RandomRules {
    /// The variables, with plain names `x1`, `x2` and so on.
    pub variables: Variables,
    /// The rules. None follows from the others, and they leave every variable both of its values.
    pub truth: RuleSet,
    /// What each rule was drawn as.
    pub kinds: Vec<Kind>,
    /// Solutions of the rules, fully observed.
    pub examples: Examples,
    parts: Vec<Part>,
    /// The part of each variable, and its bit in the part's solutions.
    places: Vec<(usize, u32)>,
}

/// Variables that are independent of all others.
#[derive(Clone, Debug)]
struct Part {
    /// The variables, one for each bit of a solution.
    variables: Vec<Var>,
    solutions: Vec<u32>,
    /// How often a free variable is true; nothing for a block, whose solutions are equally likely.
    odds: Option<f64>,
}

impl RandomRules {
    /// Draws rules over a number of variables from the range (at least 3), and examples.
    ///
    /// Blocks have 3 to 14 variables and 1 to 4 rules of 2 to 8 literals; in about half of the rules
    /// about a third of the literals are negated. Rules that others imply are dropped, and a variable
    /// that is then in no rule is free. An example takes a solution of each block evenly, and each free
    /// variable with a probability of its own, from 0.2 to 0.8. The rules depend only on the seed and the
    /// range, and the i-th example on these and i.
    ///
    /// # Panics
    /// If the range is empty or begins below 3.
    pub fn generate(seed: u64, variables: RangeInclusive<usize>, examples: usize) -> RandomRules {
        assert!(*variables.start() >= 3, "a block has at least 3 variables");
        let random = &mut stream(seed, "random rules", 0);
        let count = random.random_range(variables);
        let variables = Variables::from_names((1..=count).map(|n| format!("x{n}"))).expect("names differ");
        let mut order: Vec<Var> = variables.iter().collect();
        order.shuffle(random);
        let mut free = order.split_off(count - random.random_range(1..=(count / 5).max(1)).min(count - 3));
        let mut truth = RuleSet::new(variables.clone());
        let (mut kinds, mut parts) = (Vec::new(), Vec::new());
        while order.len() >= 3 {
            let rest = order.split_off(random.random_range(3..=order.len().min(14)));
            let (rules, part, unused) = draw_block(&order, random);
            for (kind, constraint) in rules {
                let new = truth.insert(Rule::given(constraint));
                debug_assert!(new, "a rule that is not implied is neither trivial nor there");
                kinds.push(kind);
            }
            parts.push(part);
            free.extend(unused);
            order = rest;
        }
        free.extend(order);
        parts.extend(free.into_iter().map(|var| {
            let odds = Some(random.random_range(0.2..0.8));
            Part { variables: vec![var], solutions: vec![0, 1], odds }
        }));
        let mut places = vec![(0, 0); count];
        for (number, part) in parts.iter().enumerate() {
            part.variables.iter().zip(0..).for_each(|(var, bit)| places[var.index()] = (number, bit));
        }
        let rows: Vec<Vec<bool>> = (1..=examples)
            .into_par_iter()
            .map(|item| {
                draw_example(&parts, count, &mut stream(seed, "examples of random rules", item as u64))
            })
            .collect();
        let examples = Examples::from_full_rows(count, &rows);
        RandomRules { variables, truth, kinds, examples, parts, places }
    }

    /// Whether a constraint follows from the truth. Exact: parts are independent, so the reachable sums
    /// are all sums of one partial sum from each part, and where there is a gate, the solutions of its
    /// part are those in which it is true.
    ///
    /// # Panics
    /// If the constraint has a variable that is not there.
    pub fn entails(&self, constraint: &Constraint) -> bool {
        let place = |var: Var| self.places[var.index()];
        let gate = constraint.gate().map(|gate| (place(gate.var()), gate));
        let numbers: BTreeSet<usize> = constraint.variables().map(|var| place(var).0).collect();
        let mut reachable = BTreeSet::from([0]);
        for number in numbers {
            let inside = constraint.literals().iter().filter(|l| place(l.var()).0 == number);
            let mask = Mask::new(inside.map(|&l| (place(l.var()).1, l)));
            let open = |solution: u32| match gate {
                Some(((part, bit), gate)) if part == number => gate.holds(solution >> bit & 1 == 1),
                _ => true,
            };
            let solutions = self.parts[number].solutions.iter().copied();
            let partial: BTreeSet<u32> = solutions.filter(|&s| open(s)).map(|s| mask.sum(s)).collect();
            reachable = reachable.iter().flat_map(|sum| partial.iter().map(move |more| sum + more)).collect();
        }
        reachable.iter().all(|&sum| constraint.sums().contains(sum))
    }

    /// For each true rule, in order, whether the learned rules imply it. Exact, by a SAT solver.
    ///
    /// # Panics
    /// If the learned rules are over other variables.
    pub fn entailed_by(&self, learned: &RuleSet) -> Vec<bool> {
        assert_eq!(learned.variables().names(), self.variables.names(), "rules over the same variables");
        implied(learned, self.truth.constraints())
    }
}

fn draw_example(parts: &[Part], count: usize, random: &mut ChaCha8Rng) -> Vec<bool> {
    let mut row = vec![false; count];
    for part in parts {
        let solution = match part.odds {
            Some(odds) => u32::from(random.random_bool(odds)),
            None => part.solutions[random.random_range(0..part.solutions.len())],
        };
        for (bit, var) in part.variables.iter().enumerate() {
            row[var.index()] = solution >> bit & 1 == 1;
        }
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::{Lit, Sums};
    use proptest::prelude::*;

    /// All solutions of the truth, by going through every assignment.
    fn solutions(random: &RandomRules) -> Vec<u32> {
        let holds = |bits: &u32| random.truth.constraints().all(|c| c.holds(|v| bits >> v.0 & 1 == 1));
        (0..1 << random.variables.len()).filter(holds).collect()
    }

    #[test]
    fn examples_obey_the_rules() {
        for seed in 0..50 {
            let random = RandomRules::generate(seed, VARIABLES, 200);
            assert!(VARIABLES.contains(&random.variables.len()));
            assert_eq!(random.kinds.len(), random.truth.len());
            assert_eq!((random.examples.len(), random.examples.variables()), (200, random.variables.len()));
            for row in 0..200 {
                let value = |v: Var| random.examples.get(row, v).unwrap();
                assert!(random.truth.constraints().all(|c| c.holds(value)), "seed {seed}, example {row}");
            }
        }
    }

    #[test]
    fn rules_are_of_every_kind_and_as_large_as_stated() {
        let all: Vec<RandomRules> = (0..100).map(|s| RandomRules::generate(s, VARIABLES, 0)).collect();
        let (mut kinds, mut negated) = ([0; 4], 0);
        for random in &all {
            for (constraint, &kind) in random.truth.constraints().zip(&random.kinds) {
                kinds[kind as usize] += 1;
                negated += usize::from(constraint.negated_count() > 0);
                assert!((2..=8).contains(&constraint.len()));
                assert_eq!(constraint.is_equality(), kind == Kind::Equality);
                assert!(kind != Kind::Implication || constraint.as_clause().is_some_and(|c| c.len() == 2));
            }
        }
        let total: usize = kinds.iter().sum();
        assert!(kinds.iter().all(|&k| k > total / 8), "{kinds:?}");
        assert!(negated > total / 5, "{negated} of {total}");
        assert!(all.iter().any(|r| r.variables.len() < 20) && all.iter().any(|r| r.variables.len() > 90));
    }

    #[test]
    fn an_example_depends_on_seed_and_number_alone() {
        let random = RandomRules::generate(7, VARIABLES, 100);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let again = pool.install(|| RandomRules::generate(7, VARIABLES, 60));
        assert_eq!(again.truth, random.truth);
        assert_eq!(again.examples, random.examples.first(60));
        assert_ne!(RandomRules::generate(8, VARIABLES, 60).examples, again.examples);
    }

    #[test]
    fn the_truth_is_irredundant_and_judged_to_be_found() {
        for seed in 0..40 {
            let random = RandomRules::generate(seed, VARIABLES, 0);
            assert!(random.truth.constraints().all(|c| random.entails(c)));
            assert!(random.entailed_by(&random.truth).iter().all(|&found| found));
            for left_out in 0..random.truth.len() {
                let mut rules = random.truth.clone();
                let constraint = random.truth.rules()[left_out].constraint.clone();
                rules.retain(|rule| rule.constraint != constraint);
                let found = random.entailed_by(&rules);
                assert!(found.iter().enumerate().all(|(n, &f)| f == (n != left_out)), "seed {seed}");
            }
            for var in random.variables.iter() {
                assert!(!random.entails(&Constraint::clause([var.positive()])));
                assert!(!random.entails(&Constraint::clause([var.negative()])));
            }
        }
    }

    /// Each solution of a small truth comes, and blocks come evenly.
    #[test]
    fn every_solution_comes() {
        let random = RandomRules::generate(3, 6..=6, 4000);
        let mut seen = BTreeSet::new();
        for row in 0..random.examples.len() {
            let bit = |v: Var| u32::from(random.examples.get(row, v).unwrap()) << v.0;
            seen.insert(random.variables.iter().map(bit).sum::<u32>());
        }
        assert_eq!(seen, solutions(&random).into_iter().collect());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn entailment_agrees_with_enumeration(
            seed in 0u64..1000,
            literals in proptest::collection::btree_map(0u32..11, any::<bool>(), 0..5),
            least in 0u32..3,
            width in 0u32..3,
            gate in proptest::option::of((0u32..11, any::<bool>())),
        ) {
            let random = RandomRules::generate(seed, 11..=11, 0);
            let of = |(var, negated)| Lit::new(Var(var), negated);
            let mut constraint = Constraint::new(literals.into_iter().map(of), Sums::range(least, least + width));
            if let Some(gate) = gate {
                constraint = constraint.gated(of(gate));
            }
            let plain = solutions(&random).iter().all(|bits| constraint.holds(|v| bits >> v.0 & 1 == 1));
            prop_assert_eq!(random.entails(&constraint), plain);
        }
    }
}
