//! Families of rules over axes, with evidence pooled over their members.
//!
//! A family ([`sums`]) fixes some axes ("for every row and digit") and sums over the others; the bound is the
//! extreme that the examples show. What speaks for it is how often examples that obey the rules found so far,
//! and are otherwise like those of the table, would break it ([`evidence`]). Such examples come from chains
//! that start at the table's own ([`chains`]), of which the table is one state among S + 1 (Besag and
//! Clifford's serial test: it stands at a random place of the walk). A family is accepted if
//! ```text
//! evidence  >=  ln(2 K / 0.05)          K: families that were tried; each has two sides
//! ```
//! the ones without a fixed label first, of these the one with the largest q / length; then the rules are one
//! more, and new samples are drawn. First by the chain between examples, which assumes only that they are
//! independent; then by the chain within an example, which assumes that labels are interchangeable, and with
//! several examples only if these do not say otherwise: the sum of squared column totals must not be greater
//! than in all samples.
//!
//! Where entries may be wrong, bounds are those that wrong entries explain ([`erring`]), examples are taken as they are,
//! and the chain keeps how far each is beyond the rules.
//!
//! Last come axes that are neither named nor runs nor tiles ([`covers`]).
//!
//! | symbol | here |
//! |---|---|
//! | S | [`SAMPLES`] |
//! | 3N, 150N steps between samples | [`BETWEEN`], [`WITHIN`] |
//! | 0.05 | [`FALSE_ALARM`] |

mod chains;
mod covers;
mod erring;
mod evidence;
mod ground;
mod hypothesis;
mod state;
mod sums;
mod tiles;

use std::collections::HashSet;
use std::hash::{Hash, Hasher};

use preceptron_base::{Control, stream};
use preceptron_logic::{Constraint, Lit, Sums, Variables};
use rand::RngExt;
use rayon::prelude::*;

use crate::linear_span::Span;
use crate::wrong_entries::Entries;
use crate::{Checked, Examples};
use chains::{Chain, Exchange};
pub(crate) use erring::Wrong;
use evidence::{Evidence, evidence};
use ground::Ground;
use hypothesis::{Cover, Hypothesis, Side};
use state::State;
use sums::{Family, Member};
pub(crate) use tiles::Derived;

/// Samples of the null model.
const SAMPLES: usize = 100;
/// Steps between two samples, for each example.
const BETWEEN: usize = 3;
const WITHIN: usize = 150;
/// The probability of accepting any family by chance.
const FALSE_ALARM: f64 = 0.05;
/// Examples that the chain between examples walks over: this many values in all, within these bounds.
const VALUES: usize = 60_000;
const EXAMPLES: (usize, usize) = (64, 512);
/// Examples that the chain within an example walks over, at the most.
const EXAMPLES_WITHIN: usize = 12;
/// A chain that changes fewer values than this says nothing of families that it never breaks.
const FROZEN: f64 = 1e-3;
/// Up to so many examples labels may be taken for interchangeable: more of them speak for themselves.
const FEW: usize = 100;
/// At a cliff examples break the tighter bound at least this often, for each time that samples do, and the bound
/// itself at most this part of it; so many samples are asked.
const CLIFF: (f64, f64) = (0.75, 0.45);
const CLIFF_SAMPLES: usize = 20;
/// Families that are accepted, at the most.
const MOST: usize = 60;

/// What the search for families found.
#[derive(Default)]
pub(crate) struct Found {
    /// The rules of all members of all accepted families.
    pub(crate) rules: Vec<Constraint>,
    /// How many families were tried.
    pub(crate) tried: usize,
    /// The axes that nobody named by which accepted families tell their members apart.
    pub(crate) axes: Vec<Derived>,
    /// Where nobody knows how many entries are wrong: what families say of it, and their evidence.
    pub(crate) shares: Vec<(f64, f64)>,
}

/// Searches for families beyond the rules that are known. Where these explain all equations of the examples,
/// labels need not be taken for interchangeable to find more.
pub(crate) fn search(
    variables: &Variables,
    known: &[Constraint],
    is_explained: bool,
    table: &Examples,
    (wrong, settings): (Option<Wrong>, &Checked),
    control: &dyn Control,
) -> Found {
    let mut found = Found::default();
    if variables.blocks().is_empty() || table.is_empty() || control.is_cancelled() {
        return found;
    }
    control.stage("families", 0);
    let (wide, cuts) = tiles::with_tiles(variables);
    found.axes = said_by_cuts(&sums::by_derived_axes(&wide), &cuts, known);
    let is_few = table.len() <= FEW && !is_explained && wrong.is_none();
    let state = State::of(table, (VALUES / table.variables().max(1)).clamp(EXAMPLES.0, EXAMPLES.1));
    if state.is_empty() || !is_few && is_frozen(known, &state, settings.seed) {
        return found;
    }
    let mut families = sums::families(&wide);
    // Those by cuts come last, and not at all where a plain one has the same members.
    let by_cut = |family: &Family| cuts.iter().any(|(name, _)| family.derived.as_ref() == Some(name));
    families.sort_by_key(by_cut);
    let mut seen = HashSet::new();
    families.retain(|family| {
        let members: Vec<&[Lit]> = family.members.iter().map(|member| &member.literals[..]).collect();
        let mut hasher = std::hash::DefaultHasher::new();
        members.hash(&mut hasher);
        seen.insert(hasher.finish())
    });
    let hypotheses: Vec<Hypothesis> = families
        .par_iter()
        .enumerate()
        .flat_map_iter(|(number, family)| match control.is_cancelled() {
            true => vec![],
            false => match wrong {
                Some(wrong) => erring::hypotheses(number, family, table, wrong),
                None => hypothesis::hypotheses(number, family, &state, table),
            },
        })
        .collect();
    // All members, those with a label, and all but a few labels of an axis.
    let labels = |family: &Family| -> usize {
        let single = |axis: usize| if family.fixed == 0 { family.labels(axis) } else { 0 };
        1 + (0..family.is_state.len()).map(|axis| 1 + single(axis)).sum::<usize>()
    };
    found.tried = families.iter().map(labels).sum();
    let needed = (2.0 * found.tried as f64 / FALSE_ALARM).ln();
    let exchanges = Exchange::all(variables);
    let mut search = Search {
        families: &families,
        hypotheses: &hypotheses,
        accepted: vec![],
        known,
        state: &state,
        needed,
        exchanges: &exchanges,
        variables: table.variables(),
        seed: settings.seed,
        draws: 0,
        is_exact: wrong.is_none(),
        control,
    };
    if let Some(Wrong { entries, share: None }) = wrong {
        found.shares = search.shares(table, entries);
        return found;
    }
    search.accept(&state, Kind::Between);
    if is_few {
        search.accept(&State::of(table, EXAMPLES_WITHIN), Kind::Within);
    }
    found.rules = search.rules();
    let used = |name: &String| {
        let accepted = search.accepted.iter().map(|&at| &families[hypotheses[at].family]);
        accepted.filter_map(|family| family.derived.as_ref()).any(|axis| axis == name)
    };
    found.axes.extend(cuts.iter().filter(|(name, _)| used(name)).cloned());
    if is_few {
        let theory: Vec<Constraint> = known.iter().chain(&found.rules).cloned().collect();
        for cover in covers::search(&wide, &cuts, &theory, &state, control) {
            found.rules.extend(cover.rules);
            found.axes.extend(cover.axis);
        }
    }
    found
}

/// The cuts by which known rules can be told: all members of a family are among them.
fn said_by_cuts(families: &[Family], cuts: &[Derived], known: &[Constraint]) -> Vec<Derived> {
    let known: HashSet<&Constraint> = known.iter().filter(|rule| rule.is_equality()).collect();
    let says = |family: &&Family| {
        let exactly = |sum: u32| {
            let mut rules =
                family.members.iter().map(|m| Constraint::exactly(sum, m.literals.iter().copied()));
            rules.all(|rule| known.contains(&rule))
        };
        exactly(1)
    };
    let said = |(name, _): &&Derived| {
        families.iter().filter(|family| family.derived.as_ref() == Some(name)).any(|family| says(&family))
    };
    cuts.iter().filter(said).cloned().collect()
}

/// Whether the chain between examples cannot move.
fn is_frozen(known: &[Constraint], state: &State, seed: u64) -> bool {
    let variables = known.iter().flat_map(Constraint::variables).map(|v| v.index() + 1).max().unwrap_or(0);
    let mut ground = Ground::new(variables.max(state.variables()));
    known.iter().for_each(|rule| ground.add(rule));
    if state.len() < 2 {
        return true;
    }
    let mut chain = Chain::new(&ground, state.variables(), state.clone(), stream(seed, "frozen chains", 0));
    (0..BETWEEN * state.len()).for_each(|_| chain.between());
    chain.state.moved(state) < FROZEN
}

/// Which chain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Between,
    Within,
}

struct Search<'a> {
    families: &'a [Family],
    hypotheses: &'a [Hypothesis],
    /// The numbers of hypotheses.
    accepted: Vec<usize>,
    known: &'a [Constraint],
    /// The examples, not none.
    state: &'a State,
    needed: f64,
    exchanges: &'a [Exchange],
    variables: usize,
    seed: u64,
    /// How often samples were drawn.
    draws: u64,
    /// Whether all examples obey the rules.
    is_exact: bool,
    control: &'a dyn Control,
}

impl Search<'_> {
    fn ground(&self) -> Ground {
        let mut ground = Ground::new(self.variables);
        self.known.iter().for_each(|rule| ground.add(rule));
        self.rules().iter().for_each(|rule| ground.add(rule));
        ground
    }

    /// Accepts families until nothing speaks for those that are left.
    fn accept(&mut self, state: &State, kind: Kind) {
        while self.accepted.len() < MOST && !self.control.is_cancelled() {
            let ground = self.ground();
            let Some(samples) = self.samples(&ground, state, kind) else { return };
            let best = self.best(&samples);
            if best.is_empty() {
                return;
            }
            self.accepted.extend(best);
        }
    }

    /// Samples of the null model; nothing if no step can be made, or if labels are not interchangeable.
    fn samples(&mut self, ground: &Ground, state: &State, kind: Kind) -> Option<Vec<State>> {
        let obey: Vec<usize> =
            (0..state.len()).filter(|&example| !self.is_exact || ground.all_hold(state, example)).collect();
        let state = if obey.len() < state.len() { state.select(&obey) } else { state.clone() };
        let is_possible = match kind {
            Kind::Between => state.len() >= 2,
            Kind::Within => !state.is_empty() && !self.exchanges.is_empty(),
        };
        if !is_possible {
            return None;
        }
        self.draws += 1;
        let before =
            stream(self.seed, "the place of a table in its chain", self.draws).random_range(0..=SAMPLES);
        let steps = state.len() * if kind == Kind::Between { BETWEEN } else { WITHIN };
        let walk = |direction: u64, count: usize| -> Vec<State> {
            let random = stream(self.seed, "swap chains", self.draws << 1 | direction);
            let mut chain = Chain::new(ground, self.variables, state.clone(), random);
            let mut samples = Vec::with_capacity(count);
            for number in 0..count {
                // What cannot move at once will not later.
                if number == 1 && chain.state.moved(&state) == 0.0 {
                    return vec![];
                }
                for step in 0..steps {
                    if step % 256 == 0 && self.control.is_cancelled() {
                        return vec![];
                    }
                    match kind {
                        Kind::Between => chain.between(),
                        Kind::Within => chain.within(self.exchanges),
                    }
                }
                samples.push(chain.state.clone());
            }
            samples
        };
        let (mut samples, later) = rayon::join(|| walk(0, before), || walk(1, SAMPLES - before));
        samples.extend(later);
        if samples.len() < SAMPLES {
            return None;
        }
        let moved = samples.iter().map(|sample| sample.moved(&state)).sum::<f64>() / samples.len() as f64;
        let squares = state.squares();
        let is_like = |sample: &State| sample.squares() >= squares;
        let guard = kind == Kind::Between || state.len() == 1 || samples.iter().any(is_like);
        (moved >= FROZEN && guard).then_some(samples)
    }

    /// The hypothesis to be accepted next, and the other side of the same sums where these are constant and the
    /// same samples speak for it: with one side as a rule, a chain that keeps totals could not break the other.
    fn best(&self, samples: &[State]) -> Vec<usize> {
        let mut judged = self.judged(samples);
        // Without a fixed label first, then the most violations for each literal.
        let key = |(at, evidence): &(usize, Evidence)| {
            let hypothesis = &self.hypotheses[*at];
            let family = &self.families[hypothesis.family];
            let is_fixed = hypothesis.cover != Cover::All || family.fixed > 0;
            (is_fixed, -evidence.share / family.longest() as f64)
        };
        judged.sort_by(|a, b| {
            let (a, b) = ((key(a), a.0), (key(b), b.0));
            a.0.0.cmp(&b.0.0).then(a.0.1.total_cmp(&b.0.1)).then(a.1.cmp(&b.1))
        });
        let rules = self.rules();
        let is_said = |rule: &Constraint| self.known.iter().chain(&rules).any(|said| said.implies(rule));
        let stands = |at: usize| {
            let hypothesis = &self.hypotheses[at];
            let family = &self.families[hypothesis.family];
            let is_new = self.is_exact || !erring::is_said(hypothesis, family, is_said);
            is_new && hypothesis::is_alike(hypothesis, family, samples, is_said)
        };
        let Some(best) = judged.iter().map(|(at, _)| *at).find(|&at| stands(at)) else { return vec![] };
        let chosen = &self.hypotheses[best];
        let is_other_side = |at: &usize| {
            let other = &self.hypotheses[*at];
            (other.family, &other.cover, other.bound) == (chosen.family, &chosen.cover, chosen.bound)
                && other.side != chosen.side
        };
        let other = judged.iter().map(|(at, _)| *at).find(|at| is_other_side(at) && stands(*at));
        std::iter::once(best).chain(other).collect()
    }

    /// What families say of how many entries are wrong, with their evidence: each bound at a cliff. Samples hardly
    /// break the next tighter bound more often than examples do, and this one far more often. Where sums are narrow for
    /// another reason, what examples break becomes less step by step.
    fn shares(&mut self, table: &Examples, entries: &Entries) -> Vec<(f64, f64)> {
        let ground = self.ground();
        let Some(samples) = self.samples(&ground, self.state, Kind::Between) else { return vec![] };
        let own_state = std::slice::from_ref(self.state);
        let share = |(at, evidence): &(usize, Evidence)| {
            let hypothesis = &self.hypotheses[*at];
            let family = &self.families[hypothesis.family];
            let longest = family.longest() as u32;
            let tighter = match hypothesis.side {
                Side::Most => hypothesis.bound.checked_sub(1),
                Side::Least => Some(hypothesis.bound + 1).filter(|bound| *bound <= longest),
            };
            let before = tighter.map_or(1.0, |bound| {
                let tighter = Hypothesis { bound, ..hypothesis.clone() };
                let count = |states: &[State]| -> f64 {
                    let broken = hypothesis::broken(&[&tighter], family, states);
                    broken[0].iter().map(|&v| f64::from(v)).sum::<f64>() / states.len() as f64
                };
                count(own_state) / count(&samples[..CLIFF_SAMPLES]).max(1.0)
            });
            let is_cliff = before >= CLIFF.0 && evidence.part <= CLIFF.1 * before;
            is_cliff.then(|| (erring::share(hypothesis, family, table, entries), evidence.nats))
        };
        self.judged(&samples).par_iter().filter_map(share).collect()
    }

    /// The hypotheses for which samples speak, by number.
    fn judged(&self, samples: &[State]) -> Vec<(usize, Evidence)> {
        let of_family = |number: usize| -> Vec<usize> {
            let from = self.hypotheses.partition_point(|h| h.family < number);
            let to = self.hypotheses.partition_point(|h| h.family <= number);
            (from..to).filter(|at| !self.accepted.contains(at)).collect()
        };
        (0..self.families.len())
            .into_par_iter()
            .flat_map_iter(|number| {
                let own = of_family(number);
                if own.is_empty() || self.control.is_cancelled() {
                    return vec![];
                }
                let family = &self.families[number];
                let asked: Vec<&Hypothesis> = own.iter().map(|&at| &self.hypotheses[at]).collect();
                let broken = hypothesis::broken(&asked, family, samples);
                let seen: Vec<u32> = match self.is_exact {
                    true => vec![0; own.len()],
                    false => {
                        let own_state = std::slice::from_ref(self.state);
                        hypothesis::broken(&asked, family, own_state).into_iter().map(|v| v[0]).collect()
                    }
                };
                let judge = |((at, broken), seen): ((&usize, &Vec<u32>), &u32)| {
                    let members = self.hypotheses[*at].members(family).count();
                    let pairs = members * samples.first().map_or(0, State::len);
                    let is_whole = broken.len() == samples.len();
                    let needed = self.needed + self.hypotheses[*at].choices(family);
                    let judged = is_whole.then(|| (*at, evidence(broken, pairs, *seen)));
                    judged.filter(|(_, e)| e.nats >= needed)
                };
                own.iter().zip(&broken).zip(&seen).filter_map(judge).collect()
            })
            .collect()
    }

    /// The rules of the accepted families: for each member the tightest of its bounds, both sides as one, and
    /// an equality where the known ones leave nothing else.
    fn rules(&self) -> Vec<Constraint> {
        let mut span = Span::default();
        self.known.iter().filter(|rule| rule.is_equality()).for_each(|rule| {
            span.add(rule);
        });
        let mut order: Vec<usize> = self.accepted.iter().map(|&at| self.hypotheses[at].family).collect();
        let mut seen = HashSet::new();
        order.retain(|family| seen.insert(*family));
        let mut rules = Vec::new();
        for number in order {
            let family = &self.families[number];
            let own: Vec<&Hypothesis> =
                self.accepted.iter().map(|&at| &self.hypotheses[at]).filter(|h| h.family == number).collect();
            let bound = |member: &Member, side: Side| {
                let bounds = own.iter().filter(|h| h.side == side && h.covers(member)).map(|h| h.bound);
                if side == Side::Most { bounds.min() } else { bounds.max() }
            };
            let tight = [Side::Most, Side::Least]
                .into_iter()
                .find(|&side| is_tight(family, |member| bound(member, side), &span, self.state));
            for member in &family.members {
                let literals = member.literals.iter().copied();
                let (most, least) = (bound(member, Side::Most), bound(member, Side::Least));
                let rule = match (tight, most, least) {
                    (Some(Side::Most), Some(sum), _) | (Some(Side::Least), _, Some(sum)) => {
                        Constraint::exactly(sum, literals)
                    }
                    (_, None, None) => continue,
                    _ => {
                        let most = most.unwrap_or(member.literals.len() as u32);
                        Constraint::new(literals, Sums::range(least.unwrap_or(0), most))
                    }
                };
                if rule.is_equality() {
                    span.add(&rule);
                }
                rules.push(rule);
            }
        }
        rules
    }
}

/// Whether bounds on all members of a family are reached by all of them: the members are disjoint, and the
/// equalities of the span make their sums together what the bounds add up to.
fn is_tight(family: &Family, bound: impl Fn(&Member) -> Option<u32>, span: &Span, state: &State) -> bool {
    let Some(bounds) = family.members.iter().map(bound).collect::<Option<Vec<u32>>>() else { return false };
    let mut literals: Vec<Lit> = family.members.iter().flat_map(|member| member.literals.clone()).collect();
    let count = literals.len();
    literals.sort_unstable();
    literals.dedup_by_key(|literal| literal.var());
    // The span knows of coefficients only; what the sum is, any example tells.
    let sum: u32 = bounds.iter().sum();
    let shown = literals.iter().filter(|l| l.holds(state.get(l.var().index(), 0))).count() as u32;
    literals.len() == count && sum == shown && span.contains(&Constraint::exactly(sum, literals))
}
