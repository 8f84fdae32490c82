//! Many rules in few lines: "for every row and digit: exactly 1 of cell[row, column *, digit]".
//!
//! Each rule is a [`Statement`] over axes. For every set of axes along which it can move, what remains
//! when its place there is taken away is a key; rules with the same key are a candidate for a family. A
//! candidate's worth is the rules that it newly covers less the places where its rule is missing, and the
//! worthiest is taken until none is left that covers two rules and has at least half of its places. The
//! worth of a candidate only falls as others are taken, so a heap of worths that are recomputed when they
//! come up gives the same choice as comparing all candidates each time.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::fmt;
use std::ops::ControlFlow;

use crate::pattern::{Anchor, Axes};
use crate::statement::{Form, Statement};
use crate::{Constraint, Domain, Label, RelativeRule, Rule, RuleSet};

/// Rules that say the same thing at different places.
#[derive(Clone, Debug, PartialEq)]
pub struct Family {
    /// What they say, with the sums of their evidence; its exceptions are the places where the rule could be
    /// and is not. It is what prints.
    pub rule: RelativeRule,
    /// The positions of its rules in [`RuleSet::rules`], rising. A rule can be in more than one family.
    pub members: Vec<usize>,
    /// How many rules there would be if none were missing.
    pub expected: usize,
    /// Labels of which no place has the rule, where some have it of others.
    pub exempt: Vec<(String, Label)>,
    /// The least support of a member.
    pub least_support: f64,
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rule.fmt(f)
    }
}

impl Family {
    /// The places where the rule could be and is not, such as `row 3, digit 4`.
    pub fn missing(&self) -> Vec<String> {
        self.rule.exceptions.iter().map(words).collect()
    }

    /// The same in short: labels that are exempt as a whole, such as `row 3`, then single places.
    pub fn but_for(&self) -> Vec<String> {
        let is_single = |at: &&Vec<(String, Label)>| !at.iter().any(|label| self.exempt.contains(label));
        let whole = self.exempt.iter().map(|label| words(std::slice::from_ref(label)));
        whole.chain(self.rule.exceptions.iter().filter(is_single).map(words)).collect()
    }
}

/// Labels in words.
fn words(at: impl AsRef<[(String, Label)]>) -> String {
    at.as_ref().iter().map(|(axis, label)| format!("{axis} {label}")).collect::<Vec<_>>().join(", ")
}

/// The families that cover a set's rules, the most telling first, then single rules in their order.
pub fn lift(rules: &RuleSet) -> Vec<Family> {
    Lifting::new(rules).families()
}

/// Which rule, and which of its statements.
type Member = (usize, usize);

#[derive(Default)]
struct Candidate {
    axes: Vec<usize>,
    members: Vec<Member>,
    /// How many of the members no family has covered yet.
    uncovered: usize,
    /// The places without a rule, once they were looked for.
    missing: Option<Vec<Vec<Label>>>,
    /// Rules of the set at the other places, which are said in another way.
    said_otherwise: Vec<usize>,
}

struct Lifting<'a> {
    rules: &'a RuleSet,
    domain: Domain,
    numbers: HashMap<&'a Constraint, usize>,
    axes: Axes<'a>,
    /// Each rule's statements: with derived axes, and if that differs without.
    statements: Vec<Vec<Statement>>,
    candidates: Vec<Candidate>,
    /// The candidates that a rule is in.
    memberships: Vec<Vec<usize>>,
}

impl<'a> Lifting<'a> {
    fn new(rules: &'a RuleSet) -> Lifting<'a> {
        let variables = rules.variables();
        let mut this = Lifting {
            rules,
            domain: Domain::of(variables),
            numbers: rules.constraints().zip(0..).collect(),
            axes: Axes::new(variables),
            statements: Vec::with_capacity(rules.len()),
            candidates: Vec::new(),
            memberships: vec![Vec::new(); rules.len()],
        };
        let mut forms: HashMap<Form, usize> = HashMap::new();
        let mut by_key: HashMap<Vec<u32>, usize> = HashMap::new();
        for (rule, constraint) in rules.constraints().enumerate() {
            let mut statements: Vec<Statement> =
                [true, false].map(|derived| Statement::new(variables, constraint, derived)).into();
            statements.dedup();
            for (which, statement) in statements.iter().enumerate() {
                let next = forms.len();
                let form = *forms.entry(statement.form.clone()).or_insert(next);
                for anchors in subsets(&this.axes.anchors(statement)) {
                    let candidates = &mut this.candidates;
                    let key = this.axes.key(form, statement, &anchors);
                    let number = *by_key.entry(key).or_insert_with(|| {
                        let axes = anchors.iter().map(|a| a.0).collect();
                        candidates.push(Candidate { axes, ..Candidate::default() });
                        candidates.len() - 1
                    });
                    candidates[number].members.push((rule, which));
                    candidates[number].uncovered += 1;
                    this.memberships[rule].push(number);
                }
            }
            this.statements.push(statements);
        }
        this
    }

    fn families(mut self) -> Vec<Family> {
        let mut families = Vec::new();
        let mut is_covered = vec![false; self.rules.len()];
        let rank = |worth: usize, axes: usize, number: usize| (worth, Reverse(axes), Reverse(number));
        let mut heap: BinaryHeap<_> =
            self.candidates.iter().zip(0..).map(|(c, n)| rank(c.uncovered, c.axes.len(), n)).collect();
        while let Some((worth, Reverse(axes), Reverse(number))) = heap.pop() {
            if self.candidates[number].uncovered < 2 {
                continue;
            }
            if self.candidates[number].missing.is_none() {
                let Some((missing, said_otherwise)) = self.missing(number) else { continue };
                let candidate = &mut self.candidates[number];
                (candidate.missing, candidate.said_otherwise) = (Some(missing), said_otherwise);
            }
            let candidate = &self.candidates[number];
            let missing = candidate.missing.as_ref().map_or(0, Vec::len);
            let is_worth = candidate.uncovered.saturating_sub(missing);
            if is_worth < worth {
                heap.push(rank(is_worth, axes, number));
                continue;
            }
            families.push(self.family(number));
            let Candidate { members, said_otherwise, .. } = &self.candidates[number];
            let own: Vec<usize> = members.iter().map(|m| m.0).chain(said_otherwise.iter().copied()).collect();
            for rule in own {
                if !std::mem::replace(&mut is_covered[rule], true) {
                    self.memberships[rule].iter().for_each(|&other| self.candidates[other].uncovered -= 1);
                }
            }
        }
        families.extend((0..self.rules.len()).filter(|&rule| !is_covered[rule]).map(|rule| {
            let relative = self.axes.rule(&self.statements[rule][0], &[]);
            self.finished(relative, vec![rule], &[])
        }));
        families
    }

    /// A member's place on the candidate's axes.
    fn anchors(&self, number: usize, (rule, which): Member) -> Vec<Anchor> {
        let all = self.axes.anchors(&self.statements[rule][which]);
        all.into_iter().filter(|a| self.candidates[number].axes.contains(&a.0)).collect()
    }

    /// The places where a candidate's rule could be and is not, and the rules that are there without being
    /// members; nothing if there are more places missing than members.
    fn missing(&self, number: usize) -> Option<(Vec<Vec<Label>>, Vec<usize>)> {
        let Candidate { axes, members, .. } = &self.candidates[number];
        let place = |&member: &Member| self.axes.place(&self.anchors(number, member));
        let taken: HashSet<Vec<Label>> = members.iter().map(place).collect();
        // Blocks with few of their places filled: looking at all of them would not end.
        let places =
            axes.iter().try_fold(1usize, |product, &axis| product.checked_mul(self.axes.size(axis)))?;
        if places > 10_000 + 64 * members.len() {
            return None;
        }
        let (mut missing, mut said_otherwise) = (Vec::new(), Vec::new());
        let ended = self.rule(number).each(&self.domain, &mut |place, constraint| {
            match self.numbers.get(&constraint) {
                _ if taken.contains(place) => {}
                Some(rule) => said_otherwise.push(*rule),
                None => missing.push(place.to_vec()),
            }
            if missing.len() > members.len() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        ended.is_continue().then_some((missing, said_otherwise))
    }

    fn rule(&self, number: usize) -> RelativeRule {
        let member = self.candidates[number].members[0];
        self.axes.rule(&self.statements[member.0][member.1], &self.anchors(number, member))
    }

    fn family(&self, number: usize) -> Family {
        let Candidate { members, missing, said_otherwise, .. } = &self.candidates[number];
        let mut members: Vec<usize> =
            members.iter().map(|m| m.0).chain(said_otherwise.iter().copied()).collect();
        members.sort_unstable();
        members.dedup();
        let mut family = self.finished(self.rule(number), members, missing.as_deref().unwrap_or_default());
        if self.candidates[number].said_otherwise.is_empty() && family.rule.anchors.len() > 1 {
            family.exempt = self.exempt(number, &family.rule);
        }
        family
    }

    /// The labels of exceptions that no member has.
    fn exempt(&self, number: usize, rule: &RelativeRule) -> Vec<(String, Label)> {
        let places =
            self.candidates[number].members.iter().map(|&m| self.axes.place(&self.anchors(number, m)));
        let mut taken: Vec<HashSet<Label>> = vec![HashSet::new(); rule.anchors.len()];
        places.for_each(|place| {
            place.into_iter().zip(&mut taken).for_each(|(label, taken)| {
                taken.insert(label);
            })
        });
        let mut exempt: Vec<(String, Label)> = Vec::new();
        for exception in &rule.exceptions {
            for (at, taken) in exception.iter().zip(&taken) {
                if !taken.contains(&at.1) && !exempt.contains(at) {
                    exempt.push(at.clone());
                }
            }
        }
        exempt
    }

    fn finished(&self, mut rule: RelativeRule, members: Vec<usize>, missing: &[Vec<Label>]) -> Family {
        let rules: Vec<&Rule> = members.iter().map(|&m| &self.rules.rules()[m]).collect();
        for each in rules.iter().map(|r| &r.evidence) {
            rule.evidence.examples += each.examples;
            rule.evidence.satisfied += each.satisfied;
            rule.evidence.violated += each.violated;
            rule.evidence.undecided += each.undecided;
            rule.evidence.situations += each.situations;
            rule.evidence.expected_violations += each.expected_violations;
        }
        let origin = |first: &&Rule| first.origin.clone();
        rule.origin =
            rules.first().map(origin).filter(|o| rules.iter().all(|r| r.origin == *o)).unwrap_or_default();
        let exception = |at: &Vec<Label>| rule.anchors.iter().cloned().zip(at.iter().cloned()).collect();
        rule.exceptions = missing.iter().map(exception).collect();
        let least_support = rules.iter().map(|r| r.evidence.support()).fold(1.0, f64::min);
        let expected = members.len() + missing.len();
        Family { rule, members, expected, exempt: vec![], least_support }
    }
}

/// All subsets but the empty one.
fn subsets(anchors: &[Anchor]) -> impl Iterator<Item = Vec<Anchor>> + '_ {
    (1..1usize << anchors.len()).map(|mask| {
        anchors.iter().enumerate().filter(|(at, _)| mask >> at & 1 == 1).map(|(_, anchor)| *anchor).collect()
    })
}
