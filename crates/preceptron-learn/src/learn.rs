//! The whole of learning: finders propose, the examples confirm, what is implied is left out.
//!
//! In this order, the cheapest first, each step seeing what the earlier ones found:
//! 1. exactly-one rules as cliques ([`crate::cliques`]), where examples are partly observed in turns with
//!    what follows from them ([`crate::alternating_cliques`]);
//! 2. families of bounds on sums over axes, with evidence pooled over their members ([`crate::families`]);
//! 3. equalities by least squares ([`crate::row_update`]), in rounds until nothing new appears, unless the rank
//!    of the examples ([`crate::data_rank`]) says that no equation is left to find, and from those variables
//!    only whose surroundings satisfy an equation that is not explained ([`crate::unexplained`]);
//! 4. constants, clauses and bounded groups by counting ([`crate::counting`], [`crate::groups`]);
//! 5. bounds on sums over named axes against samples ([`crate::templates`]), where examples are partly
//!    observed or may be wrong, so that families cannot be looked for;
//! 6. parity by elimination ([`crate::parity`]).
//!
//! Whatever proposed it, a constraint becomes a rule at one place ([`Search::admit`]), and only if enough of
//! the examples that decide it satisfy it. Finders may look at fewer examples, such as those that observe
//! all the literals.

use std::collections::{BTreeSet, HashMap};
use std::time::Instant;

use preceptron_logic::{Constraint, Lit, Origin, Rule, RuleSet, Var, Variables};
use rayon::prelude::*;

use crate::cliques::{Clique, Start};
use crate::counting::{self, Columns};
use crate::data_rank::{DataRank, data_rank};
use crate::families::Derived;
use crate::given::{Frozen, Given};
use crate::implied_by_propagation::Theory;
use crate::linear_span::Span;
use crate::unexplained::Explained;
use crate::{
    Checked, DropReason, Dropped, Examples, Form, GlobalSearch, Learned, Moments, SearchEnd, SearchReport,
    alternating_cliques, anchored_search, cliques, confirm, families, groups, joint_search, parity, reduce,
    sum_histogram, templates, verdict,
};
use preceptron_base::Control;

/// Learns the rules that hold on examples.
///
/// The result depends on the examples, the settings and the seed in them, and on nothing else: not on the
/// number of threads (rayon's current pool is used), not on time.
///
/// # Panics
/// If the examples have another number of variables than `variables` names.
pub fn learn(
    variables: &Variables,
    examples: &Examples,
    settings: &Checked,
    control: &dyn Control,
) -> Learned {
    learn_given(variables, examples, &Given::default(), settings, control)
}

/// Learns the rules that hold on examples beyond those that are given: what these imply is left out.
///
/// # Panics
/// If the examples have another number of variables than `variables` names, or the given rules have
/// variables that are not there.
pub fn learn_given(
    variables: &Variables,
    examples: &Examples,
    given: &Given,
    settings: &Checked,
    control: &dyn Control,
) -> Learned {
    assert_eq!(variables.len(), examples.variables(), "examples of these variables");
    let mut learned = Search::new(variables, examples, given, settings, control).run();
    let started = Instant::now();
    if settings.stability && !control.is_cancelled() && examples.len() >= 5 {
        let early = examples.first(examples.len() - examples.len() / 5);
        let before = Search::new(variables, &early, given, settings, control).run();
        if before.report.stop != SearchEnd::Interrupted {
            let comparison = learned.rules.compare(&before.rules);
            learned.verdict.gained_late = Some(comparison.extra.len());
            learned.verdict.lost_late = Some(comparison.missing.len());
        }
        learned.report.times.push(("stability", started.elapsed()));
    }
    learned
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

/// Rows whose sum keeps up to this share of the variance of independent literals are looked at, if only
/// to say how nearly they hold.
const NEAR: f64 = 0.03;
/// Up to this many variables every search costs next to nothing.
const SMALL: usize = 64;
/// With more variables than this, and too few examples for their rank to say anything, least squares start only
/// from variables that no equality has.
const ANCHORS: usize = 500;
/// Of up to so many bounds it is asked whether the others imply them.
const PROVED: usize = 500;
/// Parity is searched up to this many variables.
const PARITY_VARIABLES: usize = 4096;

struct Search<'a> {
    variables: &'a Variables,
    examples: &'a Examples,
    settings: &'a Checked,
    control: &'a dyn Control,
    given: Frozen,
    equalities: BTreeSet<Constraint>,
    /// The rules for constraints that were confirmed.
    rules: HashMap<Constraint, Rule>,
    dropped: Vec<Dropped>,
    seen: BTreeSet<Vec<Lit>>,
    report: SearchReport,
    limits: Vec<String>,
    /// Axes that were found.
    axes: Vec<Derived>,
}

impl<'a> Search<'a> {
    fn new(
        variables: &'a Variables,
        examples: &'a Examples,
        given: &Given,
        settings: &'a Checked,
        control: &'a dyn Control,
    ) -> Search<'a> {
        let mut dropped = Vec::new();
        let given = Frozen::new(given, examples, settings, &mut dropped);
        let mut limits = Vec::new();
        if given.is_contradiction {
            limits.push(
                "the given rules contradict each other: what follows from them was not left out".to_owned(),
            );
        }
        let report = SearchReport {
            stop: SearchEnd::Exhausted,
            rounds: 0,
            rows: 0,
            candidates: vec![],
            times: vec![],
        };
        Search {
            variables,
            examples,
            settings,
            control,
            given,
            equalities: BTreeSet::new(),
            rules: HashMap::new(),
            dropped,
            seen: BTreeSet::new(),
            report,
            limits,
            axes: vec![],
        }
    }

    fn run(mut self) -> Learned {
        let encoded = self.encoding();
        let moments = self.timed("moments", |_| Moments::of(self.examples));
        if self.settings.cliques {
            self.cliques(&moments, &encoded);
        }
        let mut rank = self.timed("rank", |s| s.data_rank(None, &moments, &encoded));
        let mut pooled = vec![];
        if self.can_pool() {
            let before = self.equalities.len();
            pooled = self.families(&encoded, rank.is_explained);
            if self.equalities.len() > before {
                rank = self.timed("rank", |s| s.data_rank(None, &moments, &encoded));
            }
        }
        if rank.rank.is_none() {
            rank = self.timed("rank", |s| s.data_rank(Some(&moments), &moments, &encoded));
        }
        let unreliable = self.settings.threshold < 1.0 && !self.examples.is_complete();
        if self.settings.least_squares && unreliable {
            self.limits.push(
                "least squares were left out: of examples that are partly observed and may be wrong they \
                 cannot be confirmed"
                    .to_owned(),
            );
        } else if self.settings.least_squares && !rank.is_explained && self.could_confirm() {
            match self.settings.form {
                Form::Local => {
                    // Among so many variables so few examples satisfy equations by their small number.
                    let many = self.examples.variables() > ANCHORS;
                    self.local(
                        &moments,
                        &encoded,
                        many && rank.rank.is_none_or(|r| r + 1 == self.examples.len()),
                    );
                }
                Form::Global | Form::Paper => self.global(&moments),
            }
            rank = self.timed("rank", |s| s.data_rank(Some(&moments), &moments, &encoded));
        }
        let mut constraints: Vec<Constraint> = self.equalities.iter().cloned().chain(encoded).collect();
        if self.settings.threshold < 1.0 {
            let support = |c: &Constraint| self.rules.get(c).map_or(0.0, |rule| rule.evidence.support());
            constraints = reduce::best_supported(constraints.into_iter().map(|c| (support(&c), c)).collect());
        }
        let (equalities, combined) = reduce::equalities(constraints);
        self.drop_implied(combined, "least squares");
        let equalities = self.beyond_given(equalities, "least squares");
        let pooled = self.beyond_given(pooled, "families");
        let known: Vec<Constraint> =
            self.given.constraints().chain(&equalities).chain(&pooled).cloned().collect();
        let bounds = if self.settings.counting { self.counting(&known) } else { vec![] };
        let bounds = self.beyond_given(bounds, "counting");
        let sampled = self.settings.templates && !self.can_pool();
        let mut bounds = if sampled { self.templates(&known, bounds) } else { bounds };
        bounds.extend(pooled);
        let mut bounds = self.joined(bounds);
        if self.can_pool() && (1..=PROVED).contains(&bounds.len()) && !self.control.is_cancelled() {
            let (kept, implied) = self.timed("implication", |s| {
                let sure: Vec<Constraint> = s.given.constraints().chain(&equalities).cloned().collect();
                reduce::implied(s.examples.variables(), &sure, bounds)
            });
            self.drop_implied(implied, "families");
            bounds = kept;
        }
        // In a small table parity is looked for all the same: what most examples satisfy is a near miss.
        let small = self.examples.variables() <= SMALL;
        let parities = if rank.is_explained_modulo_2 && !small { vec![] } else { self.parity(&known) };
        let parities = self.beyond_given(parities, "parity");
        let mut variables = self.variables.clone();
        for (name, expression) in &self.axes {
            // Tried before: the learner's own names do not clash.
            let _ = variables.derive(name, expression);
        }
        let mut set = RuleSet::with_rules(variables, self.given.rules.iter().cloned());
        for constraint in equalities.into_iter().chain(bounds).chain(parities) {
            if let Some(rule) = self.admit(constraint, "combination") {
                set.insert(rule);
            }
        }
        if self.control.is_cancelled() {
            self.report.stop = SearchEnd::Interrupted;
        }
        let started = Instant::now();
        let (examples, settings, control) = (self.examples, self.settings, self.control);
        let verdict =
            verdict::verdict(&set, examples, rank.rank, &self.dropped, self.limits, settings, control);
        self.report.times.push(("verdict", started.elapsed()));
        Learned { rules: set, dropped: self.dropped, verdict, report: self.report }
    }

    /// Does a step and notes how long it took.
    fn timed<T>(&mut self, name: &'static str, step: impl FnOnce(&mut Search<'a>) -> T) -> T {
        let started = Instant::now();
        let result = step(self);
        let time = started.elapsed();
        match self.report.times.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += time,
            None => self.report.times.push((name, time)),
        }
        result
    }

    /// What the encoding of the data makes true.
    fn encoding(&mut self) -> Vec<Constraint> {
        let groups = self.variables.one_hot_groups();
        let constraints: Vec<Constraint> = groups
            .into_iter()
            .map(|group| Constraint::exactly(1, group.into_iter().map(Var::positive)))
            .collect();
        // A table can say that a column is one-hot when it is not.
        constraints.into_iter().filter(|c| self.stands(c, "encoding", Origin::Encoding)).collect()
    }

    /// The rule for a constraint, if enough of the examples that decide it satisfy it; else it is dropped.
    /// Nothing becomes a rule but here.
    fn admit(&mut self, constraint: Constraint, by: &'static str) -> Option<Rule> {
        let known = self.rules.get(&constraint).cloned();
        let judged = match known.filter(|rule| rule.evidence.support() >= self.settings.threshold) {
            Some(rule) => Ok(rule),
            None => confirm::admit(constraint, by, self.examples, self.settings.threshold),
        };
        judged.map_err(|(constraint, reason)| self.dropped.push(Dropped { constraint, by, reason })).ok()
    }

    /// Whether a constraint can be a rule, which is then kept with this origin; else it is dropped.
    fn stands(&mut self, constraint: &Constraint, by: &'static str, origin: Origin) -> bool {
        let rule = self.admit(constraint.clone(), by);
        let stands = rule.is_some();
        self.rules.extend(rule.map(|rule| (constraint.clone(), Rule { origin, ..rule })));
        stands
    }

    /// Joins bounds on the same literals, and leaves out what one other implies.
    fn joined(&self, bounds: Vec<Constraint>) -> Vec<Constraint> {
        let threshold = self.settings.threshold;
        reduce::bounds(bounds, |both| confirm::violation(both, self.examples, threshold).is_none())
    }

    /// Looks at groups of literals that were not looked at before, and keeps those whose sum is constant.
    /// How many new equalities there were.
    fn confirm_equalities(&mut self, groups: Vec<Vec<Lit>>, by: &'static str) -> usize {
        let new: Vec<Vec<Lit>> = groups.into_iter().filter(|g| self.seen.insert(g.clone())).collect();
        self.count(by, new.len());
        let (examples, settings) = (self.examples, self.settings);
        let judged: Vec<Result<Rule, (Constraint, DropReason)>> =
            new.into_par_iter().map(|group| confirm::equality_rule(group, by, examples, settings)).collect();
        let before = self.equalities.len();
        for result in judged {
            match result {
                Ok(rule) => {
                    if self.equalities.insert(rule.constraint.clone()) {
                        self.rules.entry(rule.constraint.clone()).or_insert(rule);
                    }
                }
                Err((constraint, reason)) => self.dropped.push(Dropped { constraint, by, reason }),
            }
        }
        self.equalities.len() - before
    }

    fn count(&mut self, by: &'static str, number: usize) {
        match self.report.candidates.iter_mut().find(|(known, _)| *known == by) {
            Some((_, count)) => *count += number as u64,
            None => self.report.candidates.push((by, number as u64)),
        }
    }

    fn drop_implied(&mut self, constraints: Vec<Constraint>, by: &'static str) {
        let reason = DropReason::Implied;
        self.dropped.extend(constraints.into_iter().map(|constraint| Dropped {
            constraint,
            by,
            reason: reason.clone(),
        }));
    }

    /// What the given rules do not imply.
    fn beyond_given(&mut self, constraints: Vec<Constraint>, by: &'static str) -> Vec<Constraint> {
        let (new, implied) = self.given.split(constraints);
        self.drop_implied(implied, by);
        new
    }

    /// The equations that are known: those found, those of the encoding and those given.
    fn equations<'s>(&'s self, encoded: &'s [Constraint]) -> impl Iterator<Item = &'s Constraint> {
        let given = self.given.constraints().filter(|rule| rule.is_equality());
        self.equalities.iter().chain(encoded).chain(given)
    }

    /// The rank of the examples beyond the known equations, by this much effort.
    fn data_rank(&self, effort: Option<&Moments>, moments: &Moments, encoded: &[Constraint]) -> DataRank {
        let mut span = Span::default();
        let n = self.examples.variables();
        let enough = self.could_confirm();
        for v in 0..n {
            let sum = moments.sum(v);
            // What never changes is a rule of its own, which counting finds if the examples are enough.
            if enough && (sum == 0.0 || sum == self.examples.len() as f64) {
                span.add(&Constraint::exactly(u32::from(sum > 0.0), [Var(v as u32).positive()]));
            }
        }
        self.equations(encoded).for_each(|constraint| {
            span.add(constraint);
        });
        let free: Vec<usize> = (0..n).filter(|&v| !span.determines(v)).collect();
        data_rank(self.examples, effort, &free)
    }

    /// Whether there are enough examples to confirm any equality at all: even if every one of them could
    /// be expected to break a rule of two literals.
    fn could_confirm(&self) -> bool {
        let needed = confirm::needed(self.examples.variables(), 2, false, self.settings.false_alarm);
        self.examples.len() as f64 >= needed
    }

    /// Rounds of least squares until no new equality appears for the set number of them. `round` gives the
    /// candidates of the round with this number, or nothing to end the search.
    fn rounds(&mut self, rows: usize, mut round: impl FnMut(&mut Self, u32) -> Option<Vec<Vec<Lit>>>) {
        let mut idle = 0;
        for number in 0..self.settings.rounds {
            if idle == self.settings.patience || self.control.is_cancelled() {
                return;
            }
            let Some(found) = self.timed("least squares", |s| round(s, number)) else { return };
            let new = self.timed("confirmation", |s| s.confirm_equalities(found, "least squares"));
            idle = if new == 0 { idle + 1 } else { 0 };
            self.report.rows += rows as u64;
            self.report.rounds += 1;
        }
        self.report.stop = SearchEnd::Rounds;
    }

    fn local(&mut self, moments: &Moments, encoded: &[Constraint], uncovered: bool) {
        let variables = self.examples.variables();
        if uncovered {
            self.limits.push(format!(
                "{} examples cannot tell {variables} variables apart: least squares looked only at those \
                 that no equality has",
                self.examples.len()
            ));
        }
        // The two searches draw different centres.
        for (signs, first) in [(anchored_search::Signs::Positive, 0), (anchored_search::Signs::Both, 1 << 16)]
        {
            let rows = self.examples.variables() * self.settings.rows;
            self.rounds(rows, |s, number| {
                let anchors = s.anchors(moments, encoded, signs, uncovered);
                if anchors.is_empty() {
                    return None;
                }
                s.control.stage("least squares", anchors.len() as u64);
                Some(anchored_search::search(moments, &anchors, signs, s.settings, first + number, s.control))
            });
        }
    }

    /// The variables from which least squares could find an equation that is not known. Where examples are
    /// partly observed or may be wrong, ranks say nothing, and these are all.
    fn anchors(
        &self,
        moments: &Moments,
        encoded: &[Constraint],
        signs: anchored_search::Signs,
        uncovered: bool,
    ) -> Vec<usize> {
        if !self.examples.is_complete() || self.settings.threshold < 1.0 {
            return (0..moments.variables()).collect();
        }
        let explained = Explained::new(self.equations(encoded));
        let mut anchors: Vec<usize> = (0..moments.variables()).collect();
        if uncovered {
            let mut covered = vec![false; anchors.len()];
            self.equalities.iter().flat_map(Constraint::variables).for_each(|v| covered[v.index()] = true);
            anchors.retain(|&v| !covered[v]);
        }
        anchored_search::unexplained(moments, &anchors, &explained, signs, self.settings, self.control)
    }

    fn global(&mut self, moments: &Moments) {
        let Some(search) = self.timed("factorisation", |s| GlobalSearch::new(moments, s.settings)) else {
            self.limits.push(
                "the moments of these partly observed examples are not those of any complete ones: the \
                 global least-squares search was left out"
                    .to_owned(),
            );
            return;
        };
        for sum in search.sums() {
            self.rounds(self.settings.rows, |s, _| {
                s.control.stage("least squares", s.settings.rows as u64);
                Some(joint_search::candidates(&search.round(s.report.rounds, sum, s.control)))
            });
        }
    }

    fn cliques(&mut self, moments: &Moments, encoded: &[Constraint]) {
        let (examples, settings, control) = (self.examples, self.settings, self.control);
        // Where values may be wrong, nothing follows from them for sure.
        let in_turns = settings.threshold == 1.0 && !examples.is_complete();
        let sure: Vec<Constraint> = self.given.constraints().chain(encoded).cloned().collect();
        let (found, cut_short) = self.timed("cliques", |_| {
            if in_turns {
                let found = alternating_cliques::search(examples, &sure, settings, control);
                return (found.rules, found.cut_short);
            }
            control.stage("cliques", 0);
            let found = cliques::search(moments, examples, &Start::default(), settings, control);
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
            if self.equalities.insert(rule.constraint.clone()) {
                self.rules.entry(rule.constraint.clone()).or_insert(rule);
            }
        }
    }

    /// Whether the null models of families can be drawn: examples are right, and some are complete.
    fn can_pool(&self) -> bool {
        self.settings.templates && self.settings.threshold == 1.0 && self.examples.is_complete()
    }

    /// Equalities of families join the others; the bounds are returned.
    fn families(&mut self, encoded: &[Constraint], is_explained: bool) -> Vec<Constraint> {
        let sure = self.given.constraints().chain(encoded);
        let known: Vec<Constraint> = sure.chain(&self.equalities).cloned().collect();
        let found = self.timed("families", |s| {
            families::search(s.variables, &known, is_explained, s.examples, s.settings, s.control)
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

    /// How often a variable would be true if it were like others: those of the same value at other places,
    /// or the values of its column; where nothing is like it, half of the time.
    fn odds(&self, columns: &Columns) -> Vec<f64> {
        let mut odds = vec![0.5; self.examples.variables()];
        let rows = self.examples.len().max(1) as f64;
        for block in self.variables.blocks() {
            let Some(value) = block.one_hot() else { continue };
            let labels = block.axes()[value].labels().len();
            let mut sums = vec![(0.0, 0.0); labels];
            let label = |var: Var| self.variables.place(var).map_or(0, |place| place.positions[value]);
            for &var in block.members() {
                let (sum, count) = &mut sums[label(var)];
                *sum += f64::from(columns.count(var.positive())) / rows;
                *count += 1.0;
            }
            for &var in block.members() {
                let (sum, count) = sums[label(var)];
                let alone = 1.0 / labels as f64;
                odds[var.index()] = if count > 1.0 { f64::min(alone, sum / count) } else { alone };
            }
        }
        odds
    }

    /// Constants, clauses and bounded groups that the known rules do not imply.
    fn counting(&mut self, known: &[Constraint]) -> Vec<Constraint> {
        let started = Instant::now();
        let (examples, settings, control) = (self.examples, self.settings, self.control);
        let columns = Columns::new(examples);
        let mut theory = Theory::new(examples.variables());
        let mut span = Span::default();
        for rule in known {
            theory.add(rule);
            if rule.is_equality() {
                span.add(rule);
            }
        }
        let (mut kept, mut combined) = (Vec::new(), Vec::new());
        let odds = self.odds(&columns);
        for literal in (0..examples.variables() as u32).flat_map(|v| [Var(v).positive(), Var(v).negative()]) {
            let known = examples.known(literal.var()).map_or(examples.len() as u32, counting::ones);
            // A literal that is never true: as often as those like it, it would have been seen.
            let enough = confirm::needed(examples.variables(), 1, true, settings.false_alarm);
            let odds = if literal.is_negated() { 0.5 } else { odds[literal.var().index()] };
            if columns.count(literal) == 0 && f64::from(known) * odds >= enough && !theory.refutes(&[literal])
            {
                kept.push(Constraint::clause([!literal]));
                theory.add(&kept[kept.len() - 1]);
            }
        }
        let nogoods = counting::search(examples, &columns, settings, control);
        self.limits.extend(nogoods.limit.clone());
        self.count("counting", nogoods.found.len());
        for nogood in &nogoods.found {
            if control.is_cancelled() {
                break;
            }
            if theory.refutes(&nogood.literals) {
                continue;
            }
            if let Some(constraint) = groups::grow(nogood, examples, &columns, &mut theory, settings) {
                if let Some(reason) = confirm::violation(&constraint, examples, settings.threshold) {
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
    fn templates(&mut self, known: &[Constraint], bounds: Vec<Constraint>) -> Vec<Constraint> {
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

    fn parity(&mut self, known: &[Constraint]) -> Vec<Constraint> {
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
                Err((constraint, reason)) => self.dropped.push(Dropped { constraint, by: "parity", reason }),
            }
        }
        kept
    }
}

fn learned_by(finder: &str) -> Origin {
    Origin::Learned { by: finder.to_owned() }
}

/// Whether a row's variance is small enough for the row to be looked at.
pub(crate) fn is_near(variance: f64, scale: f64, settings: &Checked) -> bool {
    variance <= settings.variance_cut().max(NEAR) * scale
}
