//! The whole of learning: finders propose, the examples confirm, what is implied is left out.
//!
//! In this order, the cheapest first, each step seeing what the earlier ones found:
//! 1. columns that are equal or opposite, of which one stands for all ([`crate::twins`]);
//! 2. exactly-one rules as cliques ([`crate::cliques`]), where examples are partly observed in turns with
//!    what follows from them ([`crate::alternating_cliques`]);
//! 3. families of bounds on sums over axes, with evidence pooled over their members ([`crate::families`]);
//! 4. equalities by least squares ([`crate::row_update`]), in rounds until nothing new appears, unless the rank
//!    of the examples ([`crate::data_rank`]) says that no equation is left to find, and from those variables
//!    only whose surroundings satisfy an equation that is not explained ([`crate::unexplained`]);
//! 5. constants ([`crate::constants`]), clauses and bounded groups by counting ([`crate::counting`],
//!    [`crate::groups`]);
//! 6. bounds on sums over named axes against samples ([`crate::templates`]), where examples are partly
//!    observed or may be wrong, so that families cannot be looked for;
//! 7. parity by elimination ([`crate::parity`]).
//!
//! Whatever proposed it, a constraint becomes a rule at one place ([`Search::admit`]), and only if enough of
//! the examples that decide it satisfy it. Finders may look at fewer examples, such as those that observe
//! all the literals.

mod admission;
mod finders;
mod least_squares;
mod likeness;
mod threshold;
mod whole_families;

use std::collections::{BTreeSet, HashMap};
use std::time::Instant;

use preceptron_base::Control;
use preceptron_logic::{Constraint, Lit, Origin, Rule, RuleSet, Variables};

use crate::encoded_groups::EncodedGroups;
use crate::families::Derived;
use crate::given::{Frozen, Given};
use crate::suspects::suspects;
use crate::twins::Twins;
use crate::wrong_entries::Entries;
use crate::{
    Checked, Dropped, Examples, Form, Learned, Moments, SearchEnd, SearchReport, Verdict, confirm, reduce,
    verdict,
};
use likeness::like_those_kept;

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

/// The rules that [`learn`] finds, without a verdict: where nobody reads it, as in the midst of training, it need not be
/// worked out.
///
/// # Panics
/// As [`learn`].
pub fn learn_unjudged(
    variables: &Variables,
    examples: &Examples,
    settings: &Checked,
    control: &dyn Control,
) -> RuleSet {
    assert_eq!(variables.len(), examples.variables(), "examples of these variables");
    let given = Given::default();
    let chosen =
        settings.auto_threshold.then(|| threshold::chosen(variables, examples, &given, settings, control));
    let mut search = Search::new(variables, examples, &given, chosen.as_ref().unwrap_or(settings), control);
    search.is_judged = false;
    search.run().rules
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
    let chosen =
        settings.auto_threshold.then(|| threshold::chosen(variables, examples, given, settings, control));
    let settings = chosen.as_ref().unwrap_or(settings);
    let mut learned = Search::new(variables, examples, given, settings, control).run();
    if settings.wrong.is_some() {
        // What was asked of each rule is told by the one that is broken most often.
        let learned_rules =
            learned.rules.rules().iter().filter(|rule| matches!(rule.origin, Origin::Learned { .. }));
        let least = learned_rules.map(|rule| rule.evidence.support()).min_by(f64::total_cmp);
        learned.threshold = least.unwrap_or(settings.threshold);
    }
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

/// Rows whose sum keeps up to this share of the variance of independent literals are looked at, if only
/// to say how nearly they hold.
const NEAR: f64 = 0.05;
/// Up to this many variables what most examples satisfy is looked for, if only to say that it is a near miss.
const SMALL: usize = 64;
/// With more variables than this, and too few examples for their rank to say anything, least squares start only
/// from variables that no equality has.
const ANCHORS: usize = 500;
/// Of up to so many bounds it is asked whether the others imply them.
const PROVED: usize = 500;
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
    /// What the encoding makes exclusive.
    groups: EncodedGroups,
    /// What may be wrong.
    entries: Entries,
    /// Columns for which others stand.
    twins: Twins,
    /// Whether there is a verdict in the end.
    is_judged: bool,
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
            groups: EncodedGroups::new(examples.variables(), &[]),
            entries: Entries::new(examples.variables(), &[]),
            twins: Twins::of(examples, settings),
            is_judged: true,
        }
    }

    fn run(mut self) -> Learned {
        let encoded = self.encoding();
        self.groups = EncodedGroups::new(self.examples.variables(), &encoded);
        let is_exact = |rule: &&Constraint| confirm::violation(rule, self.examples, 1.0).is_none();
        let exact: Vec<Constraint> = encoded.iter().filter(is_exact).cloned().collect();
        self.entries = Entries::new(self.examples.variables(), &exact);
        let moments = self.timed("moments", |_| Moments::of(self.examples));
        self.twins(&encoded);
        let mut pooled = vec![];
        // Where columns stand for others, what their axes say comes first.
        let families_first = !self.twins.is_empty() && self.can_pool();
        if families_first {
            pooled = self.families(&encoded, false);
        }
        if self.settings.cliques {
            self.cliques(&moments, &encoded);
        }
        let mut rank = self.timed("rank", |s| s.data_rank(None, &moments, &encoded));
        if self.can_pool() && !families_first {
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
        if self.settings.least_squares && rank.is_explained && self.examples.variables() <= SMALL {
            self.near(&moments);
        }
        let mut constraints: Vec<Constraint> = self.equalities.iter().chain(&encoded).cloned().collect();
        if self.settings.threshold < 1.0 {
            let support = |c: &Constraint| self.rules.get(c).map_or(0.0, |rule| rule.evidence.support());
            constraints = reduce::best_supported(constraints.into_iter().map(|c| (support(&c), c)).collect());
        }
        let constraints = self.said_by_first(constraints);
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
            let (like, implied) = like_those_kept(&kept, implied, self.variables);
            self.drop_implied(implied, "families");
            bounds = kept;
            bounds.extend(like);
        }
        let parities = if rank.is_explained_modulo_2 { vec![] } else { self.parity(&known) };
        let parities = self.beyond_given(parities, "parity");
        let mut variables = self.variables.clone();
        for (name, expression) in &self.axes {
            // Tried before: the learner's own names do not clash.
            let _ = variables.derive(name, expression);
        }
        let mut set = RuleSet::with_rules(variables, self.given.rules.iter().cloned());
        let bounds = bounds.iter().map(|rule| self.twins.as_implication(rule, &encoded)).collect::<Vec<_>>();
        for constraint in equalities.into_iter().chain(bounds).chain(parities) {
            if let Some(rule) = self.admit(constraint, "combination") {
                set.insert(rule);
            }
        }
        self.timed("whole families", |s| s.whole_families(&mut set));
        if self.control.is_cancelled() {
            self.report.stop = SearchEnd::Interrupted;
        }
        let started = Instant::now();
        let (examples, settings, control) = (self.examples, self.settings, self.control);
        let threshold = settings.threshold;
        if !self.is_judged {
            let verdict = Verdict::default();
            let (dropped, report) = (self.dropped, self.report);
            let wrong = settings.wrong;
            return Learned { rules: set, dropped, verdict, threshold, wrong, suspects: vec![], report };
        }
        let verdict =
            verdict::verdict(&set, examples, rank.rank, &self.dropped, self.limits, settings, control);
        self.report.times.push(("verdict", started.elapsed()));
        let suspects = if threshold < 1.0 { suspects(&set, examples) } else { vec![] };
        let (dropped, report, wrong) = (self.dropped, self.report, settings.wrong);
        Learned { rules: set, dropped, verdict, threshold, wrong, suspects, report }
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
}

/// Whether a row's variance is small enough for the row to be looked at.
pub(crate) fn is_near(variance: f64, scale: f64, settings: &Checked) -> bool {
    variance <= settings.variance_cut().max(NEAR) * scale
}
