//! The finders, each with what it is told and what becomes of its candidates.

use std::time::Instant;

use preceptron_logic::{Constraint, Lit, Origin, Var};

use super::Search;
use crate::cliques::{Clique, Start};
use crate::counting::{self, Columns};
use crate::families::Wrong;
use crate::groups::Around;
use crate::implied_by_propagation::Theory;
use crate::linear_span::Span;
use crate::near_pairs::NearPairs;
use crate::peers::Peers;
use crate::{
    DropReason, Dropped, Moments, alternating_cliques, cliques, confirm, constants, families, groups, parity,
    reduce, sum_histogram, templates,
};

/// Parity is searched up to this many variables.
const PARITY_VARIABLES: usize = 4096;

impl Search<'_> {
    /// What the encoding of the data makes true.
    pub(super) fn encoding(&mut self) -> Vec<Constraint> {
        let groups = self.variables.one_hot_groups();
        let constraints: Vec<Constraint> = groups
            .into_iter()
            .map(|group| Constraint::exactly(1, group.into_iter().map(Var::positive)))
            .collect();
        // A table can say that a column is one-hot when it is not.
        constraints.into_iter().filter(|c| self.stands(c, "encoding", Origin::Encoding)).collect()
    }

    /// That columns are equal or opposite, where the encoding does not make them so.
    pub(super) fn twins(&mut self, encoded: &[Constraint]) {
        let mut twins = std::mem::take(&mut self.twins);
        twins.retain(|rule| encoded.contains(rule) || self.says_little(rule).is_none());
        self.twins = twins;
        for rule in self.twins.rules().into_iter().filter(|rule| !encoded.contains(rule)) {
            if self.stands(&rule, "equal columns", learned_by("equal columns")) {
                self.equalities.insert(rule);
            }
        }
    }

    pub(super) fn cliques(&mut self, moments: &Moments, encoded: &[Constraint]) {
        let (examples, settings, control) = (self.examples, self.settings, self.control);
        // Where values may be wrong, nothing follows from them for sure.
        let in_turns = settings.threshold == 1.0 && !examples.is_complete();
        let sure: Vec<Constraint> = self.given.constraints().chain(encoded).cloned().collect();
        let can_hide = !self.twins.is_empty() && examples.is_complete();
        let hidden = can_hide.then(|| self.twins.hide(examples));
        let (found, cut_short) = self.timed("cliques", |_| {
            if in_turns {
                let found = alternating_cliques::search(examples, &sure, settings, control);
                return (found.rules, found.cut_short);
            }
            control.stage("cliques", 0);
            let found = match hidden {
                Some(hidden) => {
                    let moments = Moments::of(&hidden);
                    cliques::search(&moments, &hidden, &Start::default(), settings, control)
                }
                None => cliques::search(moments, examples, &Start::default(), settings, control),
            };
            (found.cliques.iter().map(Clique::rule).collect::<Vec<_>>(), found.cut_short)
        });
        self.count("cliques", found.len());
        if cut_short {
            let limit = "the search for exactly-one rules was cut short: too many variables never meet";
            self.limits.push(limit.to_owned());
        }
        let is_absent = |var: Var| moments.sum(var.index()) == 0.0;
        for constraint in found.into_iter().filter(|rule| !says_absence(rule, encoded, is_absent)) {
            let Some(rule) = self.admit(constraint, "cliques") else { continue };
            if let Some(reason) = self.says_little(&rule.constraint) {
                self.dropped.push(Dropped { constraint: rule.constraint, by: "cliques", reason });
                continue;
            }
            if self.equalities.insert(rule.constraint.clone()) {
                self.rules.entry(rule.constraint.clone()).or_insert(rule);
            }
        }
    }

    /// Whether the null models of families can be drawn: examples are right, or it is known how many entries are not, and
    /// all are complete.
    pub(super) fn can_pool(&self) -> bool {
        let is_known = self.settings.threshold == 1.0 || self.settings.wrong.is_some();
        self.settings.templates && is_known && self.examples.is_complete()
    }

    /// Equalities of families join the others; the bounds are returned.
    pub(super) fn families(&mut self, encoded: &[Constraint], is_explained: bool) -> Vec<Constraint> {
        let sure = self.given.constraints().chain(encoded);
        let known: Vec<Constraint> = sure.chain(&self.equalities).cloned().collect();
        let found = self.timed("families", |s| {
            let wrong = s.settings.wrong.map(|share| Wrong { entries: &s.entries, share: Some(share) });
            families::search(s.variables, &known, is_explained, s.examples, (wrong, s.settings), s.control)
        });
        self.count("families", found.tried);
        self.axes = found.axes;
        let mut bounds = Vec::new();
        for constraint in found.rules {
            if !self.stands(&constraint, "families", learned_by("families")) {
                continue;
            }
            match constraint.is_equality() {
                true => {
                    self.equalities.insert(constraint);
                }
                false => bounds.push(constraint),
            }
        }
        bounds
    }

    /// Constants, clauses and bounded groups that the known rules do not imply.
    pub(super) fn counting(&mut self, known: &[Constraint]) -> Vec<Constraint> {
        let started = Instant::now();
        let (examples, settings, control) = (self.examples, self.settings, self.control);
        let mut columns = Columns::new(examples);
        let mut theory = Theory::new(examples.variables());
        let mut span = Span::default();
        for rule in known {
            theory.add(rule);
            if rule.is_equality() {
                span.add(rule);
            }
        }
        let (mut kept, mut combined) = (Vec::new(), Vec::new());
        for literal in constants::never_true(self.variables, examples, &columns, (&self.entries, settings)) {
            if !theory.refutes(&[literal]) {
                kept.push(constants::rule(literal));
                theory.add(&kept[kept.len() - 1]);
            }
        }
        self.twins.hidden().for_each(|var| columns.hide(var));
        let peers = Peers::new(examples.variables(), &self.groups);
        let nogoods = counting::search(examples, &columns, (&peers, &self.entries), settings, control);
        self.limits.extend(nogoods.limit.clone());
        self.count("counting", nogoods.found.len());
        let needed = confirm::needed(examples.variables(), 2, true, settings.false_alarm);
        let never =
            nogoods.found.iter().filter(|nogood| nogood.literals.len() == 2 && nogood.evidence >= needed);
        let never =
            never.filter(|nogood| !theory.refutes(&nogood.literals)).map(|nogood| nogood.evidence).collect();
        let near_pairs = (settings.threshold == 1.0)
            .then(|| NearPairs::new(examples, &columns, &counting::varied(examples, &columns), never));
        let around = Around { encoded: &self.groups, peers: &peers, entries: &self.entries };
        for nogood in &nogoods.found {
            if control.is_cancelled() {
                break;
            }
            if theory.refutes(&nogood.literals) {
                continue;
            }
            let is_pair = nogood.literals.len() == 2 && nogood.evidence >= needed;
            let rare =
                near_pairs.as_ref().filter(|_| is_pair).and_then(|near| near.too_many(nogood.evidence));
            if let Some(like) = rare {
                let constraint = Constraint::clause(nogood.literals.iter().map(|&literal| !literal));
                self.dropped.push(Dropped { constraint, by: "counting", reason: DropReason::Rare { like } });
                continue;
            }
            if let Some(constraint) = groups::grow(nogood, examples, &columns, &mut theory, &around, settings)
            {
                let violation = || confirm::violation(&constraint, examples, settings.threshold);
                if let Some(reason) = self.says_little(&constraint).or_else(violation) {
                    self.dropped.push(Dropped { constraint, by: "counting", reason });
                    continue;
                }
                // What it says helps to refute what follows, even if it is a combination of equalities.
                theory.add(&constraint);
                match span.contains(&constraint) {
                    true => combined.push(constraint),
                    false => kept.push(constraint),
                }
            }
        }
        self.drop_implied(combined, "counting");
        let mut kept = self.joined(kept);
        kept.retain(|constraint| self.stands(constraint, "counting", learned_by("counting")));
        self.report.times.push(("counting", started.elapsed()));
        kept
    }

    /// The bounds with those of families, without what these imply.
    pub(super) fn templates(&mut self, known: &[Constraint], bounds: Vec<Constraint>) -> Vec<Constraint> {
        let theory: Vec<Constraint> = known.iter().chain(&bounds).cloned().collect();
        let found = self.timed("templates", |s| {
            templates::search(s.variables, &theory, s.examples, s.settings, s.control)
        });
        self.count("templates", found.candidates);
        if found.cut_short {
            self.limits.push("not all sums over axes were looked at: there are too many".to_owned());
        }
        if found.bounds.is_empty() {
            return bounds;
        }
        let mut found = found.bounds;
        found.retain(|constraint| self.stands(constraint, "templates", learned_by("templates")));
        let mut joined = self.beyond_given(self.joined(found), "templates");
        joined.retain(|constraint| self.stands(constraint, "templates", learned_by("templates")));
        let examples = self.examples;
        let (mut kept, implied) = self.timed("implication", |_| {
            let sure: Vec<Constraint> = known.iter().chain(&joined).cloned().collect();
            reduce::implied(examples.variables(), &sure, bounds)
        });
        self.drop_implied(implied, "counting");
        kept.extend(joined);
        self.joined(kept)
    }

    pub(super) fn parity(&mut self, known: &[Constraint]) -> Vec<Constraint> {
        if !self.settings.parity || self.settings.threshold < 1.0 || self.control.is_cancelled() {
            return vec![];
        }
        if self.examples.variables() > PARITY_VARIABLES {
            self.limits.push(format!("parity was not searched: more than {PARITY_VARIABLES} variables"));
            return vec![];
        }
        let examples = self.examples;
        let known: Vec<&Constraint> = known.iter().filter(|rule| rule.is_equality()).collect();
        let found = self.timed("parity", |_| parity::search(examples, &known));
        self.count("parity", found.len());
        let mut kept = Vec::new();
        for constraint in found {
            // A sum that does not vary at all is an equality, and a combination of those found.
            let values =
                sum_histogram::histogram(examples, constraint.literals()).iter().filter(|c| **c > 0).count();
            if values < 2 {
                continue;
            }
            match confirm::confirm(constraint, "parity", examples, self.settings) {
                Ok(rule) => {
                    kept.push(rule.constraint.clone());
                    self.rules.insert(rule.constraint.clone(), rule);
                }
                // Which sets nearly have one parity depends on which examples were looked at first.
                Err((_, DropReason::Violated { .. })) => {}
                Err((constraint, reason)) => self.dropped.push(Dropped { constraint, by: "parity", reason }),
            }
        }
        kept
    }
}

/// Whether a rule says no more than that some values never occur: without them it is one of the encoding's. Whether that
/// is by chance, counting judges by how often they would have been seen.
fn says_absence(rule: &Constraint, encoded: &[Constraint], is_absent: impl Fn(Var) -> bool) -> bool {
    let present = |rule: &Constraint| -> Vec<Lit> {
        rule.literals().iter().copied().filter(|l| l.is_negated() || !is_absent(l.var())).collect()
    };
    let own = present(rule);
    encoded.iter().any(|group| group != rule && present(group) == own)
}

fn learned_by(finder: &str) -> Origin {
    Origin::Learned { by: finder.to_owned() }
}
