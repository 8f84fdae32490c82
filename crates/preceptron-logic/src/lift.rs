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

use crate::pattern::{Anchor, Axes};
use crate::statement::{Form, Statement};
use crate::{Evidence, Rule, RuleSet};

/// Rules that say the same thing at different places.
#[derive(Clone, Debug, PartialEq)]
pub struct Family {
    /// What they say, with the names of the axes in place of labels. It is what prints.
    pub template: String,
    /// The positions of its rules in [`RuleSet::rules`], rising. A rule can be in more than one family.
    pub members: Vec<usize>,
    /// How many rules there would be if none were missing.
    pub expected: usize,
    /// The places where the rule could be and is not, such as `row 3, digit 4`.
    pub missing: Vec<String>,
    /// The sums of the members' evidence.
    pub evidence: Evidence,
    /// The least support of a member.
    pub least_support: f64,
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.template)
    }
}

/// The families that cover a set's rules, the most telling first, then single rules in their order.
pub fn lift(rules: &RuleSet) -> Vec<Family> {
    Lifting::new(rules).families()
}

/// Which rule, and which of its statements.
type Member = (usize, usize);

struct Candidate {
    axes: Vec<usize>,
    members: Vec<Member>,
    /// How many of the members no family has covered yet.
    uncovered: usize,
    /// The places without a rule, once they were looked for.
    missing: Option<Vec<Vec<usize>>>,
}

struct Lifting<'a> {
    rules: &'a RuleSet,
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
                        candidates.push(Candidate { axes, members: vec![], uncovered: 0, missing: None });
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
                match self.missing(number) {
                    Some(missing) => self.candidates[number].missing = Some(missing),
                    None => continue,
                }
            }
            let candidate = &self.candidates[number];
            let missing = candidate.missing.as_ref().map_or(0, Vec::len);
            let is_worth = candidate.uncovered.saturating_sub(missing);
            if is_worth < worth {
                heap.push(rank(is_worth, axes, number));
                continue;
            }
            families.push(self.family(number));
            for at in 0..self.candidates[number].members.len() {
                let (rule, _) = self.candidates[number].members[at];
                if !std::mem::replace(&mut is_covered[rule], true) {
                    self.memberships[rule].iter().for_each(|&other| self.candidates[other].uncovered -= 1);
                }
            }
        }
        families.extend((0..self.rules.len()).filter(|&rule| !is_covered[rule]).map(|rule| {
            let template = self.axes.template(&self.statements[rule][0], &[]);
            self.finished(template, vec![rule], vec![])
        }));
        families
    }

    /// A member's place on the candidate's axes.
    fn anchors(&self, number: usize, (rule, which): Member) -> Vec<Anchor> {
        let all = self.axes.anchors(&self.statements[rule][which]);
        all.into_iter().filter(|a| self.candidates[number].axes.contains(&a.0)).collect()
    }

    /// The places where a candidate's rule could be and is not; nothing if they are more than its members.
    fn missing(&self, number: usize) -> Option<Vec<Vec<usize>>> {
        let Candidate { axes, members, .. } = &self.candidates[number];
        let place = |&member: &Member| self.anchors(number, member).into_iter().map(|a| a.1).collect();
        let taken: HashSet<Vec<usize>> = members.iter().map(place).collect();
        let sizes: Vec<usize> = axes.iter().map(|&axis| self.axes.size(axis)).collect();
        // Blocks with few of their places filled: looking at all of them would not end.
        let places = sizes.iter().try_fold(1usize, |product, &size| product.checked_mul(size))?;
        if places > 10_000 + 64 * members.len() {
            return None;
        }
        let (rule, which) = members[0];
        let (first, anchors) = (&self.statements[rule][which], self.anchors(number, members[0]));
        let mut missing = Vec::new();
        let mut at = vec![0; sizes.len()];
        loop {
            if !taken.contains(&at)
                && let Some(moved) = self.axes.moved(first, &anchors, &at)
            {
                let constraint = moved.constraint(self.rules.variables());
                if !constraint.is_trivial() && !self.rules.contains(&constraint) {
                    missing.push(at.clone());
                }
            }
            if missing.len() > members.len() {
                return None;
            }
            let Some(axis) = (0..sizes.len()).rev().find(|&a| at[a] + 1 < sizes[a]) else { break };
            at[axis] += 1;
            at[axis + 1..].fill(0);
        }
        Some(missing)
    }

    fn family(&self, number: usize) -> Family {
        let Candidate { members, missing, .. } = &self.candidates[number];
        let (rule, which) = members[0];
        let anchors = self.anchors(number, members[0]);
        let template = self.axes.template(&self.statements[rule][which], &anchors);
        let missing = missing.iter().flatten().map(|at| self.axes.place(&anchors, at)).collect();
        self.finished(template, members.iter().map(|m| m.0).collect(), missing)
    }

    fn finished(&self, template: String, members: Vec<usize>, missing: Vec<String>) -> Family {
        let rules: Vec<&Rule> = members.iter().map(|&m| &self.rules.rules()[m]).collect();
        let mut evidence = Evidence::default();
        for each in rules.iter().map(|r| &r.evidence) {
            evidence.examples += each.examples;
            evidence.satisfied += each.satisfied;
            evidence.violated += each.violated;
            evidence.undecided += each.undecided;
            evidence.situations += each.situations;
            evidence.expected_violations += each.expected_violations;
        }
        let least_support = rules.iter().map(|r| r.evidence.support()).fold(1.0, f64::min);
        let expected = members.len() + missing.len();
        Family { template, members, expected, missing, evidence, least_support }
    }
}

/// All subsets but the empty one.
fn subsets(anchors: &[Anchor]) -> impl Iterator<Item = Vec<Anchor>> + '_ {
    (1..1usize << anchors.len()).map(|mask| {
        anchors.iter().enumerate().filter(|(at, _)| mask >> at & 1 == 1).map(|(_, anchor)| *anchor).collect()
    })
}
