//! What rules fix, given what is known: unit propagation over cardinality constraints.
//!
//! For each rule the number of its literals that are true and of those that are open. With T true and U
//! open ones and the allowed sums S, a rule without a gate (or with a true one) says
//! ```text
//! no sum of S in T..=T+U        contradiction
//! no sum of S in T+1..=T+U      the open literals are false
//! no sum of S in T..=T+U-1      the open literals are true
//! ```
//! and a rule with an open gate says that the gate is false where the sums allow nothing. Each literal that
//! a rule fixes remembers the rule, so that a contradiction can name the rules that take part.

use preceptron_logic::{Constraint, Lit, Sums, Var};

/// Rules made ready for propagation. Rules can be switched off and on again.
#[derive(Clone, Debug)]
pub struct Propagator {
    variables: usize,
    rules: Vec<Constraint>,
    active: Vec<bool>,
    /// For each variable the rules that count it, and the sign in which they do; gates stand apart.
    counted: Vec<Vec<(u32, bool)>>,
    gates: Vec<Vec<u32>>,
}

impl Propagator {
    /// Makes rules over this many variables ready; they are known by their positions.
    ///
    /// # Panics
    /// If a rule names a variable that is not there.
    pub fn new(variables: usize, rules: impl IntoIterator<Item = Constraint>) -> Propagator {
        let rules: Vec<Constraint> = rules.into_iter().collect();
        let (mut counted, mut gates) = (vec![vec![]; variables], vec![vec![]; variables]);
        for (number, rule) in (0u32..).zip(&rules) {
            for literal in rule.literals() {
                counted[literal.var().index()].push((number, literal.is_negated()));
            }
            if let Some(gate) = rule.gate() {
                gates[gate.var().index()].push(number);
            }
        }
        Propagator { variables, active: vec![true; rules.len()], rules, counted, gates }
    }

    /// The rules, by position.
    pub fn rules(&self) -> &[Constraint] {
        &self.rules
    }

    /// Whether a rule takes part.
    pub fn is_active(&self, rule: usize) -> bool {
        self.active[rule]
    }

    /// Lets a rule take part, or not, in what is propagated from here on.
    pub fn set_active(&mut self, rule: usize, active: bool) {
        self.active[rule] = active;
    }

    /// Everything that the active rules fix, given these literals.
    pub fn run(&self, known: impl IntoIterator<Item = Lit>) -> Propagation<'_> {
        self.run_within(known, &|rule| self.active[rule])
    }

    /// The same without one of the rules.
    pub(crate) fn run_without(&self, rule: usize, known: impl IntoIterator<Item = Lit>) -> Propagation<'_> {
        self.run_within(known, &|other| other != rule && self.active[other])
    }

    /// The same with those rules only for which `takes_part` says so.
    fn run_within(
        &self,
        known: impl IntoIterator<Item = Lit>,
        takes_part: &dyn Fn(usize) -> bool,
    ) -> Propagation<'_> {
        let mut state = Propagation {
            propagator: self,
            values: vec![None; self.variables],
            counts: self.rules.iter().map(|rule| (0, rule.len() as u32)).collect(),
            trail: Vec::new(),
            broken: None,
        };
        for literal in known {
            state.fix(literal, None);
        }
        // Rules that say something of themselves, such as "none of these".
        for rule in (0..self.rules.len()).filter(|&rule| takes_part(rule)) {
            state.look_at(rule);
        }
        let mut next = 0;
        while let Some(&(literal, _)) = state.trail.get(next)
            && state.broken.is_none()
        {
            next += 1;
            let var = literal.var().index();
            let counting = self.counted[var].iter().map(|&(rule, _)| rule);
            for rule in counting.chain(self.gates[var].iter().copied()).map(|rule| rule as usize) {
                if takes_part(rule) {
                    state.look_at(rule);
                }
            }
        }
        state
    }

    /// A minimal set of active rules that contradict these literals: without any one of them propagation
    /// finds no contradiction. Nothing if the rules do not contradict them.
    pub fn minimal_conflict(&self, known: &[Lit]) -> Option<Vec<usize>> {
        let mut conflict = self.run(known.iter().copied()).conflict()?;
        let mut needed: Vec<usize> = Vec::new();
        while let Some(tried) = conflict.iter().copied().find(|rule| !needed.contains(rule)) {
            let takes_part = |rule: usize| rule != tried && conflict.contains(&rule);
            match self.run_within(known.iter().copied(), &takes_part).conflict() {
                Some(smaller) => conflict = smaller,
                None => needed.push(tried),
            }
        }
        Some(conflict)
    }
}

/// Why a variable has its value: a rule, or nothing if it was known.
type Reason = Option<u32>;

/// What propagation came to.
#[derive(Clone, Debug)]
pub struct Propagation<'a> {
    propagator: &'a Propagator,
    /// The value of each variable, with its place on the trail.
    values: Vec<Option<(bool, u32)>>,
    /// For each rule how many of its literals are true, and how many open.
    counts: Vec<(u32, u32)>,
    trail: Vec<(Lit, Reason)>,
    /// A rule that its literals break, or nothing for literals that were known both ways.
    broken: Option<Reason>,
}

impl Propagation<'_> {
    /// The value of a variable, if it is known or fixed.
    pub fn value(&self, var: Var) -> Option<bool> {
        self.values[var.index()].map(|(value, _)| value)
    }

    /// Whether the rules contradict what is known. Then not all that follows was looked at.
    pub fn is_contradiction(&self) -> bool {
        self.broken.is_some()
    }

    /// The literals that rules fixed, in the order in which they did.
    pub fn fixed(&self) -> impl Iterator<Item = Lit> + '_ {
        self.trail.iter().filter(|(_, reason)| reason.is_some()).map(|&(literal, _)| literal)
    }

    /// The rules that take part in the contradiction, rising (none, where literals were known both ways);
    /// nothing if there is no contradiction. They need not all be necessary: see [`Propagator::minimal_conflict`].
    pub fn conflict(&self) -> Option<Vec<usize>> {
        let mut open: Vec<u32> = Vec::new();
        let mut part = vec![false; self.counts.len()];
        // What a rule rests on came before it on the trail.
        let mut rests_on = |rule: u32, before: u32, open: &mut Vec<u32>| {
            part[rule as usize] = true;
            let places =
                self.propagator.rules[rule as usize].variables().filter_map(|v| self.values[v.index()]);
            open.extend(places.map(|(_, place)| place).filter(|place| *place < before));
        };
        if let Some(rule) = self.broken? {
            rests_on(rule, self.trail.len() as u32, &mut open);
        }
        let mut seen = vec![false; self.trail.len()];
        while let Some(place) = open.pop() {
            if !std::mem::replace(&mut seen[place as usize], true)
                && let (_, Some(rule)) = self.trail[place as usize]
            {
                rests_on(rule, place, &mut open);
            }
        }
        Some((0..part.len()).filter(|&rule| part[rule]).collect())
    }

    fn fix(&mut self, literal: Lit, reason: Reason) {
        let value = !literal.is_negated();
        match self.values[literal.var().index()] {
            Some((known, _)) if known == value => {}
            Some(_) => {
                self.broken.get_or_insert(None);
            }
            None => {
                self.values[literal.var().index()] = Some((value, self.trail.len() as u32));
                self.trail.push((literal, reason));
                for &(rule, negated) in &self.propagator.counted[literal.var().index()] {
                    let (sum, open) = &mut self.counts[rule as usize];
                    *sum += u32::from(value != negated);
                    *open -= 1;
                }
            }
        }
    }

    /// Does what a rule says.
    fn look_at(&mut self, number: usize) {
        let rule = &self.propagator.rules[number];
        let (sum, open) = self.counts[number];
        let within = |from: u32, to: u32| match rule.sums() {
            Sums::Range { min, max } => from.max(*min) <= to.min(*max),
            Sums::Set(sums) => sums.iter().any(|s| (from..=to).contains(s)),
        };
        let gate = rule.gate().map(|gate| (gate, self.value(gate.var()).map(|value| gate.holds(value))));
        let reason = Some(number as u32);
        match gate {
            Some((_, Some(false))) => return,
            Some((gate, None)) => {
                if !within(sum, sum + open) {
                    self.fix(!gate, reason);
                }
                return;
            }
            _ => {}
        }
        if !within(sum, sum + open) {
            self.broken.get_or_insert(reason);
        } else if open > 0 {
            let must_be_false = !within(sum + 1, sum + open);
            if must_be_false || !within(sum, sum + open - 1) {
                for &literal in rule.literals() {
                    if self.value(literal.var()).is_none() {
                        self.fix(if must_be_false { !literal } else { literal }, reason);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const COUNT: u32 = 6;

    fn any_rule() -> impl Strategy<Value = Constraint> {
        let literals = prop::collection::vec(prop::option::weighted(0.6, any::<bool>()), COUNT as usize);
        let sums = prop_oneof![
            (0..3u32, 0..3u32).prop_map(|(least, more)| Sums::range(least, least + more)),
            prop::collection::vec(0..6u32, 0..4).prop_map(Sums::set),
        ];
        let gate = prop::option::weighted(0.3, (0..COUNT, any::<bool>()));
        (literals, sums, gate).prop_map(|(signs, sums, gate)| {
            let literal = |(v, sign): (u32, Option<bool>)| sign.map(|negated| Lit::new(Var(v), negated));
            let rule = Constraint::new((0..).zip(signs).filter_map(literal), sums);
            match gate {
                Some((var, negated)) => rule.gated(Lit::new(Var(var), negated)),
                None => rule,
            }
        })
    }

    fn any_known() -> impl Strategy<Value = Vec<Lit>> {
        prop::collection::vec(prop::option::weighted(0.4, any::<bool>()), COUNT as usize).prop_map(|signs| {
            let literal = |(v, sign): (u32, Option<bool>)| sign.map(|negated| Lit::new(Var(v), negated));
            (0..).zip(signs).filter_map(literal).collect()
        })
    }

    /// All assignments that fit what is known and satisfy the rules.
    fn models<'a>(rules: impl IntoIterator<Item = &'a Constraint> + Clone, known: &[Lit]) -> Vec<u32> {
        let value = |bits: u32| move |v: Var| bits >> v.0 & 1 == 1;
        (0..1u32 << COUNT)
            .filter(|&bits| known.iter().all(|l| l.holds(value(bits)(l.var()))))
            .filter(|&bits| rules.clone().into_iter().all(|rule| rule.holds(value(bits))))
            .collect()
    }

    /// The value of a variable that all of some models share.
    fn common(models: &[u32], var: Var) -> Option<bool> {
        let value = |bits: &u32| bits >> var.0 & 1 == 1;
        let first = models.first().map(value)?;
        models.iter().all(|bits| value(bits) == first).then_some(first)
    }

    proptest! {
        #[test]
        fn what_is_fixed_holds_in_every_model(rules in prop::collection::vec(any_rule(), 0..5), known in any_known()) {
            let propagator = Propagator::new(COUNT as usize, rules.clone());
            let state = propagator.run(known.iter().copied());
            let models = models(&rules, &known);
            if state.is_contradiction() {
                prop_assert!(models.is_empty());
            } else if !models.is_empty() {
                for var in (0..COUNT).map(Var).filter(|&v| state.value(v).is_some()) {
                    prop_assert_eq!(state.value(var), common(&models, var));
                }
                prop_assert!(state.fixed().all(|l| !known.contains(&l) && state.value(l.var()).is_some()));
            }
        }

        #[test]
        fn of_one_rule_nothing_is_missed(rule in any_rule(), known in any_known()) {
            let propagator = Propagator::new(COUNT as usize, [rule.clone()]);
            let state = propagator.run(known.iter().copied());
            let models = models([&rule], &known);
            prop_assert_eq!(state.is_contradiction(), models.is_empty());
            if !models.is_empty() {
                for var in (0..COUNT).map(Var) {
                    prop_assert_eq!(state.value(var), common(&models, var));
                }
            }
        }

        #[test]
        fn conflicts_are_minimal(rules in prop::collection::vec(any_rule(), 1..7), known in any_known(), off in 0usize..7) {
            let mut propagator = Propagator::new(COUNT as usize, rules.clone());
            if off < rules.len() {
                propagator.set_active(off, false);
            }
            let conflict = propagator.minimal_conflict(&known);
            prop_assert_eq!(conflict.is_some(), propagator.run(known.iter().copied()).is_contradiction());
            if let Some(conflict) = conflict {
                prop_assert!(!conflict.contains(&off));
                prop_assert!(models(conflict.iter().map(|&rule| &rules[rule]), &known).is_empty());
                for left_out in &conflict {
                    let rest = conflict.iter().filter(|rule| *rule != left_out).map(|&rule| rules[rule].clone());
                    let rest = Propagator::new(COUNT as usize, rest);
                    prop_assert!(!rest.run(known.iter().copied()).is_contradiction());
                }
            }
        }
    }

    #[test]
    fn literals_known_both_ways_need_no_rule() {
        let rule = Constraint::exactly(1, [Var(0).positive(), Var(1).positive()]);
        let propagator = Propagator::new(2, [rule]);
        let known = [Var(0).positive(), Var(0).negative()];
        assert_eq!(propagator.minimal_conflict(&known), Some(vec![]));
    }

    #[test]
    fn one_rule_sets_off_the_next() {
        let pair = |a: u32, b: u32| Constraint::exactly(1, [Var(a).positive(), Var(b).positive()]);
        let propagator = Propagator::new(5, [pair(2, 3), pair(0, 1), pair(1, 2)]);
        let state = propagator.run([Var(0).positive()]);
        assert_eq!(
            state.fixed().collect::<Vec<_>>(),
            [Var(1).negative(), Var(2).positive(), Var(3).negative()]
        );
        assert_eq!((state.value(Var(0)), state.value(Var(4)), state.conflict()), (Some(true), None, None));
        let known = [Var(0).positive(), Var(3).positive()];
        assert_eq!(propagator.minimal_conflict(&known), Some(vec![0, 1, 2]));
        let mut fewer = propagator.clone();
        fewer.set_active(1, false);
        assert!(fewer.run(known).conflict().is_none() && !fewer.is_active(1));
        assert!(propagator.run_without(1, known).conflict().is_none());
    }
}
