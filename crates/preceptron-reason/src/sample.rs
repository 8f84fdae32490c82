//! Random assignments that obey rules, by walks that never leave them.
//!
//! Variables are taken in *units*: the literals of an exactly-one rule, of which one is chosen, or a single
//! variable. A step frees a small block of units that rules connect, drawn without a look at their values,
//! goes through all completions of it that obey the rules, and takes one of them at random, each as likely
//! as the others. Such a step leaves the even distribution over all assignments as it is, so a walk tends
//! to an even choice among those that it can reach. It need not reach all of them: rules as tight as
//! those of Sudoku leave few blocks with a second completion.

use preceptron_logic::{Constraint, Lit, Sums, Var};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::encode;
use crate::sat::{Batsat, Budget, Outcome, Sat};

/// Blocks have at most so many units.
const BLOCK: usize = 4;

/// A block whose completions take more assignments of units than this is left as it is.
const NODES: u32 = 128;

/// The SAT solver may have so many conflicts in the search for a first assignment.
const CONFLICTS: u64 = 20_000;

/// Rules that assignments are to be drawn from.
pub struct Sampler {
    constraints: Vec<Constraint>,
    rules: Vec<Counted>,
    /// For each variable, the rules that it is in.
    touches: Vec<Vec<Touch>>,
    /// Variables of which exactly one is true, or single ones.
    units: Vec<Vec<Var>>,
    /// For each unit, the rules that it shares with others.
    rules_of: Vec<Vec<u32>>,
    /// For each rule, its units.
    units_of: Vec<Vec<u32>>,
}

/// What an assignment's count in a rule is compared with.
struct Counted {
    /// By count, whether it is allowed.
    allowed: Vec<bool>,
    /// The greatest count allowed, if a count can only rise as variables become true.
    ceiling: u32,
}

/// What a variable does to a rule when it becomes true.
#[derive(Clone, Copy)]
struct Touch {
    rule: u32,
    effect: Effect,
}

#[derive(Clone, Copy)]
enum Effect {
    Count(i8),
    /// The rule applies where the variable has this value.
    Gate(bool),
}

impl Sampler {
    /// A sampler of assignments to variables `0..variables` that obey all rules and make all fixed
    /// literals true.
    ///
    /// # Panics
    /// If a rule or literal has another variable.
    pub fn new<'a>(
        variables: usize,
        rules: impl IntoIterator<Item = &'a Constraint>,
        fixed: &[Lit],
    ) -> Sampler {
        let fixed = fixed.iter().map(|&literal| Constraint::clause([literal]));
        let constraints: Vec<Constraint> = rules.into_iter().cloned().chain(fixed).collect();
        let mut touches: Vec<Vec<Touch>> = vec![vec![]; variables];
        let mut rules = Vec::with_capacity(constraints.len());
        for (constraint, rule) in constraints.iter().zip(0..) {
            for literal in constraint.literals() {
                let effect = Effect::Count(if literal.is_negated() { -1 } else { 1 });
                touches[literal.var().index()].push(Touch { rule, effect });
            }
            if let Some(gate) = constraint.gate() {
                touches[gate.var().index()].push(Touch { rule, effect: Effect::Gate(!gate.is_negated()) });
            }
            let rises = constraint.gate().is_none() && constraint.negated_count() == 0;
            rules.push(Counted {
                allowed: (0..=constraint.len() as u32).map(|sum| constraint.sums().contains(sum)).collect(),
                ceiling: constraint.sums().greatest().filter(|_| rises).unwrap_or(u32::MAX),
            });
        }
        let units = units(variables, &constraints);
        let mut units_of: Vec<Vec<u32>> = vec![vec![]; constraints.len()];
        for (unit, number) in units.iter().zip(0..) {
            for touch in unit.iter().flat_map(|var| &touches[var.index()]) {
                let rule = &mut units_of[touch.rule as usize];
                if rule.last() != Some(&number) {
                    rule.push(number);
                }
            }
        }
        let mut rules_of: Vec<Vec<u32>> = vec![vec![]; units.len()];
        for (rule, number) in units_of.iter().zip(0..).filter(|(rule, _)| rule.len() > 1) {
            rule.iter().for_each(|&unit| rules_of[unit as usize].push(number));
        }
        Sampler { constraints, rules, touches, units, rules_of, units_of }
    }

    /// An assignment to start from, found by the SAT solver near random choices; nothing if there is
    /// none, or none was found within its budget.
    pub fn start(&self, random: &mut ChaCha8Rng) -> Option<Vec<bool>> {
        let mut sat: Batsat = Batsat::default();
        self.touches.iter().for_each(|_| {
            sat.new_variable();
        });
        self.constraints.iter().for_each(|constraint| encode::add_constraint(&mut sat, constraint, &[]));
        let mut wishes: Vec<Lit> = Vec::with_capacity(self.units.len());
        for unit in &self.units {
            wishes.push(match unit[..] {
                [var] => Lit::new(var, random.random()),
                _ => unit[random.random_range(0..unit.len())].positive(),
            });
        }
        for at in (1..wishes.len()).rev() {
            wishes.swap(at, random.random_range(0..=at));
        }
        let budget = Budget { conflicts: Some(CONFLICTS), ..Budget::default() };
        loop {
            match sat.solve(&wishes, &budget) {
                Outcome::Sat => break,
                Outcome::Unsat if sat.core().is_empty() => return None,
                Outcome::Unsat => {
                    let core = sat.core().to_vec();
                    wishes.retain(|wish| !core.contains(wish));
                }
                Outcome::Unknown if wishes.is_empty() => return None,
                Outcome::Unknown => wishes.truncate(wishes.len() / 2),
            }
        }
        Some((0..self.touches.len() as u32).map(|var| sat.holds(Var(var).positive())).collect())
    }

    /// A walk from an assignment; nothing if that violates a rule.
    ///
    /// # Panics
    /// If the assignment has not one value for each variable.
    pub fn walk(&self, values: Vec<bool>, random: ChaCha8Rng) -> Option<Walk<'_>> {
        assert_eq!(values.len(), self.touches.len(), "one value for each variable");
        let value = |var: Var| values[var.index()];
        if !self.constraints.iter().all(|constraint| constraint.holds(value)) {
            return None;
        }
        let counts = self.constraints.iter().map(|constraint| constraint.sum(value)).collect();
        let is_closed =
            |constraint: &Constraint| constraint.gate().is_some_and(|gate| !gate.holds(value(gate.var())));
        let closed = self.constraints.iter().map(is_closed).collect();
        Some(Walk { sampler: self, values, counts, closed, violated: 0, over: 0, random })
    }

    /// So many assignments, each from a walk of its own of `sweeps` sweeps; nothing if there is no
    /// assignment to start from.
    pub fn draw(&self, count: usize, sweeps: usize, mut random: ChaCha8Rng) -> Option<Vec<Vec<bool>>> {
        let mut drawn = Vec::with_capacity(count);
        for _ in 0..count {
            let start = self.start(&mut random)?;
            let mut walk = self.walk(start, random).expect("the solver obeys the rules");
            (0..sweeps).for_each(|_| walk.sweep());
            drawn.push(walk.values);
            random = walk.random;
        }
        Some(drawn)
    }
}

/// Exactly-one rules that share no variable, and the variables in none of them.
fn units(variables: usize, constraints: &[Constraint]) -> Vec<Vec<Var>> {
    let mut taken = vec![false; variables];
    let mut units: Vec<Vec<Var>> = Vec::new();
    let groups = constraints.iter().filter(|c| {
        c.gate().is_none() && c.len() > 1 && c.negated_count() == 0 && *c.sums() == Sums::exactly(1)
    });
    for group in groups {
        if group.variables().all(|var| !taken[var.index()]) {
            group.variables().for_each(|var| taken[var.index()] = true);
            units.push(group.variables().collect());
        }
    }
    units.extend((0..variables as u32).map(Var).filter(|var| !taken[var.index()]).map(|var| vec![var]));
    units
}

/// A walk among the assignments that obey the rules.
pub struct Walk<'a> {
    sampler: &'a Sampler,
    values: Vec<bool>,
    counts: Vec<u32>,
    /// Rules whose gate is false.
    closed: Vec<bool>,
    /// How many rules do not hold.
    violated: u32,
    /// How many rules have more than they allow, whatever else becomes true.
    over: u32,
    random: ChaCha8Rng,
}

/// The completions of a block, as far as they have been gone through.
struct Completions<'b> {
    block: &'b [u32],
    choice: [u32; BLOCK],
    chosen: [u32; BLOCK],
    found: u32,
    nodes: u32,
}

impl<'a> Walk<'a> {
    /// The assignment that the walk is at.
    pub fn values(&self) -> &[bool] {
        &self.values
    }

    /// As many steps as free each unit once or twice.
    pub fn sweep(&mut self) {
        (0..self.sampler.units.len().div_ceil(2)).for_each(|_| self.step());
    }

    /// Frees a block of units and completes it at random.
    fn step(&mut self) {
        let mut block = [0; BLOCK];
        block[0] = self.random.random_range(0..self.sampler.units.len() as u32);
        // Pairs mix well where there is room; where there is little, exchanges need three or four.
        let wanted = [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, BLOCK][self.random.random_range(0..16)];
        let mut size = 1;
        for _ in 0..2 * wanted {
            if size == wanted {
                break;
            }
            if let Some(unit) = self.neighbour(&block[..size])
                && !block[..size].contains(&unit)
            {
                block[size] = unit;
                size += 1;
            }
        }
        let block = &block[..size];
        let mut old = [0; BLOCK];
        for (at, &unit) in block.iter().enumerate() {
            old[at] = self.choice(unit);
            self.choose(unit, old[at]);
        }
        let mut completions = Completions { block, choice: old, chosen: old, found: 0, nodes: 0 };
        self.complete(&mut completions, 0);
        let new = if completions.nodes > NODES { old } else { completions.chosen };
        block.iter().zip(new).for_each(|(&unit, choice)| self.choose(unit, choice));
    }

    /// A unit that shares a rule with one of the block, or with two of them by two rules: exchanges go
    /// round in cycles.
    fn neighbour(&mut self, block: &[u32]) -> Option<u32> {
        let first = self.random.random_range(0..block.len());
        let rule = self.rule_of(block[first])?;
        if block.len() > 1 {
            let second = (first + self.random.random_range(1..block.len())) % block.len();
            let other = self.rule_of(block[second])?;
            let mut both =
                rule.iter().filter(|unit| !block.contains(unit) && other.binary_search(unit).is_ok());
            if let Some(&unit) = both.next()
                && both.next().is_none()
            {
                return Some(unit);
            }
        }
        Some(rule[self.random.random_range(0..rule.len())])
    }

    /// The units of a rule, drawn at random, that a unit shares with others.
    fn rule_of(&mut self, unit: u32) -> Option<&'a [u32]> {
        let Sampler { rules_of, units_of, .. } = self.sampler;
        let rules = &rules_of[unit as usize];
        let at = if rules.is_empty() { return None } else { self.random.random_range(0..rules.len()) };
        Some(&units_of[rules[at] as usize])
    }

    /// What is chosen of a unit: the position of the true variable, or 1 for a single one that is true.
    fn choice(&self, unit: u32) -> u32 {
        match self.sampler.units[unit as usize][..] {
            [var] => u32::from(self.values[var.index()]),
            ref group => group.iter().position(|var| self.values[var.index()]).unwrap_or(0) as u32,
        }
    }

    /// Makes a choice, or takes it back.
    fn choose(&mut self, unit: u32, choice: u32) {
        match self.sampler.units[unit as usize][..] {
            [_] if choice == 0 => {}
            [var] => self.flip(var),
            ref group => self.flip(group[choice as usize]),
        }
    }

    /// Goes through the completions of the block's units from the one at `depth` on. They are the same,
    /// in the same order, whatever the block was before.
    fn complete(&mut self, completions: &mut Completions, depth: usize) {
        if depth == completions.block.len() {
            if self.violated == 0 {
                completions.found += 1;
                if self.random.random_range(0..completions.found) == 0 {
                    completions.chosen = completions.choice;
                }
            }
            return;
        }
        let unit = completions.block[depth];
        for choice in 0..self.sampler.units[unit as usize].len().max(2) as u32 {
            completions.nodes += 1;
            if completions.nodes > NODES {
                return;
            }
            self.choose(unit, choice);
            if self.over == 0 {
                completions.choice[depth] = choice;
                self.complete(completions, depth + 1);
            }
            self.choose(unit, choice);
        }
    }

    fn flip(&mut self, var: Var) {
        let value = !self.values[var.index()];
        self.values[var.index()] = value;
        for &Touch { rule, effect } in &self.sampler.touches[var.index()] {
            let at = rule as usize;
            let counted = &self.sampler.rules[at];
            let before = self.closed[at] || counted.allowed[self.counts[at] as usize];
            match effect {
                Effect::Gate(open) => self.closed[at] = value != open,
                Effect::Count(step) => {
                    let rises = (step > 0) == value;
                    let was_over = self.counts[at] > counted.ceiling;
                    self.counts[at] = if rises { self.counts[at] + 1 } else { self.counts[at] - 1 };
                    let is_over = self.counts[at] > counted.ceiling;
                    self.over = self.over + u32::from(is_over) - u32::from(was_over);
                }
            }
            let after = self.closed[at] || counted.allowed[self.counts[at] as usize];
            self.violated = self.violated + u32::from(!after) - u32::from(!before);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand_chacha::rand_core::SeedableRng;
    use std::collections::BTreeMap;

    fn random(seed: u64) -> ChaCha8Rng {
        ChaCha8Rng::seed_from_u64(seed)
    }

    const VARIABLES: u32 = 7;

    fn constraint() -> impl Strategy<Value = Constraint> {
        let literals = prop::collection::btree_map(0..VARIABLES, any::<bool>(), 1..6);
        let sums = prop::collection::btree_set(0u32..6, 1..6);
        (literals, sums, prop::option::of((0..VARIABLES, any::<bool>()))).prop_map(
            |(literals, sums, gate)| {
                let of = |(var, negated)| Lit::new(Var(var), negated);
                let constraint = Constraint::new(literals.into_iter().map(of), Sums::set(sums));
                gate.map_or(constraint.clone(), |gate| constraint.gated(of(gate)))
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        /// Starts and walks obey all rules; and there is a start if there is an assignment at all.
        #[test]
        fn samples_obey_the_rules(rules in prop::collection::vec(constraint(), 0..5), fixed: bool, seed: u64) {
            let fixed = if fixed { vec![Var(1).negative()] } else { vec![] };
            let obeys = |value: &dyn Fn(Var) -> bool| {
                rules.iter().all(|rule| rule.holds(value)) && fixed.iter().all(|l| l.holds(value(l.var())))
            };
            let some = (0..1u32 << VARIABLES).any(|bits| obeys(&|v: Var| bits >> v.0 & 1 == 1));
            let sampler = Sampler::new(VARIABLES as usize, &rules, &fixed);
            let drawn = sampler.draw(5, 3, random(seed));
            prop_assert_eq!(drawn.is_some(), some);
            for values in drawn.iter().flatten() {
                prop_assert!(obeys(&|v: Var| values[v.index()]));
            }
            prop_assert_eq!(drawn, sampler.draw(5, 3, random(seed)));
        }
    }

    /// Two cells of three digits each, two free bits, a bound across, and a gate: all assignments come up
    /// equally often.
    #[test]
    fn draws_are_even() {
        let of = |vars: &[u32]| vars.iter().map(|&v| Var(v).positive()).collect::<Vec<_>>();
        let rules = [
            Constraint::exactly(1, of(&[0, 1, 2])),
            Constraint::exactly(1, of(&[3, 4, 5])),
            Constraint::at_most(2, of(&[0, 3, 6, 7])),
            Constraint::at_least(1, of(&[6, 7])).gated(Var(1).positive()),
        ];
        let all: Vec<u32> = (0..256u32)
            .filter(|bits| rules.iter().all(|rule| rule.holds(|v| bits >> v.0 & 1 == 1)))
            .collect();
        let sampler = Sampler::new(8, &rules, &[]);
        let mut walk = sampler.walk(sampler.start(&mut random(1)).unwrap(), random(2)).unwrap();
        let mut seen: BTreeMap<u32, u32> = BTreeMap::new();
        let each = 500;
        for _ in 0..each * all.len() {
            walk.sweep();
            let bits = walk.values().iter().rev().fold(0, |bits, &value| bits << 1 | u32::from(value));
            *seen.entry(bits).or_default() += 1;
        }
        assert_eq!(seen.keys().copied().collect::<Vec<_>>(), all);
        // Six standard deviations, with room for the dependence of one state on the last.
        assert!(seen.values().all(|count| (each as f64 - f64::from(*count)).abs() < 200.0), "{seen:?}");
    }

    /// Exchanges along two lines at once: many Latin squares of order 4 are reached from one.
    #[test]
    fn tight_rules_leave_room_for_exchanges() {
        let var = |row: u32, column: u32, digit: u32| Var(row * 16 + column * 4 + digit).positive();
        let lines = (0..4).flat_map(|a| (0..4).map(move |b| (a, b)));
        let rules: Vec<Constraint> = lines
            .flat_map(|(a, b)| {
                [
                    Constraint::exactly(1, (0..4).map(|c| var(a, b, c))),
                    Constraint::exactly(1, (0..4).map(|c| var(a, c, b))),
                    Constraint::exactly(1, (0..4).map(|c| var(c, a, b))),
                ]
            })
            .collect();
        let sampler = Sampler::new(64, &rules, &[]);
        let mut walk = sampler.walk(sampler.start(&mut random(3)).unwrap(), random(4)).unwrap();
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..50_000 {
            walk.sweep();
            seen.insert(walk.values().to_vec());
        }
        assert!(seen.len() > 100, "{} of 576", seen.len());
    }
}
