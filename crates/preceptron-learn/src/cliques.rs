//! Exactly-one rules (one-hot groups) as cliques of exclusive variables, scored by likelihood.
//!
//! Of an exactly-one rule no two members are ever seen true together, and the members' means add up to 1.
//! Both can be read off moments of partly observed examples. From each variable the search enumerates
//! cliques of the graph "never seen together" whose means can add up to 1; a clique is then scored by the
//! log-likelihood ratio of the rule against independence over the examples:
//! ```text
//! one member j is seen true        ln(m_j / sum m)   -  ln m_j - sum over other observed i of ln(1 - m_i)
//! none is, a share k of sum m seen ln(1 - k)         -  sum over observed i of ln(1 - m_i)
//! ```
//! Cliques whose raw means add up to much come first (chance cliques have low sums), and the bar is then
//! lowered step by step.
//!
//! With wrong values in the data (label noise: a threshold below 1), pairs come together at two rates
//! relative to what independence gives: a low one where they exclude each other, and about 1 elsewhere. Both
//! are fitted, an edge is a pair that the low rate explains, and a clique scores the pairs' log-likelihood
//! ratio.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};

use preceptron_logic::{Constraint, Lit, Var};
use rayon::prelude::*;

use crate::clique_scores::{likelihood_ratio, shrink, two_rates};
use crate::confirm::needed;
use crate::{Checked, Examples, Moments, sum_histogram};
use preceptron_base::Control;

/// The sums of raw means from which cliques are accepted, one pass each.
const PASSES: [f64; 7] = [1.15, 1.1, 1.05, 1.0, 0.95, 0.9, 0.85];
/// Steps of the search from one variable in one pass.
const STEPS: u32 = 200_000;
/// How far the (shrunk) means of a clique may be from adding up to 1, and as a share of a member's mean.
const SLACK: (f64, f64) = (0.06, 0.45);
/// An edge of noisy data: within so many standard deviations above the low rate, or not much against it. A
/// missing edge costs a rule; a wrong one is found out when the pairs' ratios are added up, unless pairs that
/// exclude each other outweigh it.
const DEVIATIONS: f64 = 5.5;

/// With wrong values, a pair is no edge, and a candidate is given up by two or more members, when the ratios
/// add up to less: a little against may be chance.
const AGAINST: f64 = -8.0;

/// No clique of complete examples scores more than this for each example: with k members of mean 1/k it is
/// (k-1) ln(k/(k-1)), which is below 1, and a little more where shrunk means differ from the counted ones.
const MOST_FOR_EACH: f64 = 1.25;

/// A set of exclusive variables, and how much the examples speak for it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Clique {
    /// The log-likelihood ratio of "exactly one of these" against independence.
    pub(crate) score: f64,
    /// Rising.
    pub(crate) members: Vec<u32>,
}

impl Clique {
    /// "Exactly one of these."
    pub(crate) fn rule(&self) -> Constraint {
        Constraint::exactly(1, self.members.iter().map(|&v| Var(v).positive()))
    }
}

/// What the search found.
pub(crate) struct Found {
    pub(crate) cliques: Vec<Clique>,
    /// Whether a pass had too many cliques to look at, so that its result was not used: half-searched, it
    /// could miss a rule and keep a worse one that overlaps with it.
    pub(crate) cut_short: bool,
}

/// What a search goes on from.
pub(crate) struct Start {
    /// Cliques that were found before; they are scored anew.
    pub(crate) kept: Vec<Clique>,
    /// The members of cliques that are no rules.
    pub(crate) refuted: BTreeSet<Vec<u32>>,
    /// The share of the full bar that a clique must reach.
    pub(crate) share: f64,
    /// A number for each variable, the same for those that are always observed together, if not all that
    /// the examples hold was observed.
    pub(crate) symbols: Option<Vec<usize>>,
}

impl Default for Start {
    fn default() -> Start {
        Start { kept: vec![], refuted: BTreeSet::new(), share: 1.0, symbols: None }
    }
}

/// The cliques that the examples speak for.
pub(crate) fn search(
    moments: &Moments,
    examples: &Examples,
    start: &Start,
    settings: &Checked,
    control: &dyn Control,
) -> Found {
    let graph = Graph::new(moments, start.symbols.as_deref(), settings.threshold < 1.0);
    let mut accepted: Vec<Clique> = Vec::new();
    // Pairs that are always observed together come first: they give the groups that the encoding makes,
    // and where examples are complete and right that is all pairs.
    let (groups, mut cut_short) = graph.search(&graph.together, examples, start, settings, control);
    keep_best(&mut accepted, groups);
    if start.symbols.is_some() || !examples.is_complete() || graph.rates.is_some() {
        let others = graph.without_groups(&accepted);
        let (mut rest, cut) = graph.search(&others, examples, start, settings, control);
        let again =
            |clique: &Clique| Clique { score: graph.score(&clique.members, examples), ..clique.clone() };
        rest.extend(start.kept.iter().map(again));
        keep_best(&mut accepted, rest);
        cut_short |= cut;
    }
    Found { cliques: accepted, cut_short }
}

/// The score that keeps chance out.
pub(crate) fn bar(variables: usize, members: usize, settings: &Checked) -> f64 {
    needed(variables, members, false, settings.false_alarm)
}

/// The score of a group by the means that the examples show.
pub(crate) fn plain_score(members: &[u32], examples: &Examples) -> f64 {
    let mut means = vec![0.0; examples.variables()];
    let literals: Vec<Lit> = members.iter().map(|&v| Var(v).positive()).collect();
    for (&v, mean) in members.iter().zip(sum_histogram::means(examples, &literals)) {
        means[v as usize] = mean;
    }
    likelihood_ratio(members, &means, examples)
}

/// Adds cliques, best first; of two that share more than half of their members only the better stays.
fn keep_best(accepted: &mut Vec<Clique>, mut found: Vec<Clique>) {
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.members.cmp(&b.members)));
    let mut holders: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (number, clique) in accepted.iter().enumerate() {
        clique.members.iter().for_each(|&v| holders.entry(v).or_default().push(number));
    }
    for clique in found {
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for number in clique.members.iter().filter_map(|v| holders.get(v)).flatten() {
            *shared.entry(*number).or_default() += 1;
        }
        let size = clique.members.len();
        let clash =
            shared.iter().any(|(&number, &count)| 2 * count > size.min(accepted[number].members.len()));
        if !clash {
            clique.members.iter().for_each(|&v| holders.entry(v).or_default().push(accepted.len()));
            accepted.push(clique);
        }
    }
}

/// Sets of neighbours, one bit for each variable.
type Edges = Vec<Vec<u64>>;

struct Graph<'a> {
    moments: &'a Moments,
    /// Raw means, and means shrunk towards the grand mean.
    raw: Vec<f64>,
    shrunk: Vec<f64>,
    /// Variables by falling raw mean.
    order: Vec<u32>,
    /// Exclusive pairs that are always observed together.
    together: Edges,
    /// Exclusive pairs that are not.
    apart: Edges,
    /// The rates of exclusive and of other pairs, relative to independence, if values may be wrong.
    rates: Option<(f64, f64)>,
}

impl<'a> Graph<'a> {
    fn new(moments: &'a Moments, symbols: Option<&[usize]>, noisy: bool) -> Graph<'a> {
        let n = moments.variables();
        let raw: Vec<f64> = (0..n).map(|i| moments.mean(i)).collect();
        let usable: Vec<usize> = (0..n).filter(|&i| raw[i] > 0.0 && raw[i] < 1.0).collect();
        let shrunk = shrink(moments, &raw, &usable);
        let mut order: Vec<u32> = usable.iter().map(|&i| i as u32).collect();
        order.sort_by(|&a, &b| raw[b as usize].total_cmp(&raw[a as usize]).then(a.cmp(&b)));
        let always = |i: usize, j: usize| match symbols {
            Some(symbols) => symbols[i] == symbols[j],
            None => {
                let both = moments.known_both(i, j);
                both == moments.known(i) && both == moments.known(j)
            }
        };
        let expected = |i: usize, j: usize| moments.known_both(i, j) as f64 * raw[i] * raw[j];
        let pairs = |wanted: &(dyn Fn(usize, usize) -> bool + Sync)| -> Edges {
            let words = n.div_ceil(64);
            (0..n)
                .into_par_iter()
                .map(|i| {
                    let mut row = vec![0u64; words];
                    if raw[i] > 0.0 && raw[i] < 1.0 {
                        for &j in usable.iter().filter(|&&j| j != i && wanted(i, j)) {
                            row[j / 64] |= 1 << (j % 64);
                        }
                    }
                    row
                })
                .collect()
        };
        let exclusive = |i: usize, j: usize| moments.both(i, j) == 0.0 && moments.known_both(i, j) > 0;
        let together = pairs(&|i, j| always(i, j) && exclusive(i, j));
        let rates = noisy.then(|| {
            let sample = usable.iter().flat_map(|&i| {
                usable
                    .iter()
                    .filter(move |&&j| j > i)
                    .filter(move |&&j| !(always(i, j) && exclusive(i, j)))
                    .map(move |&j| (expected(i, j), moments.both(i, j)))
            });
            two_rates(&sample.collect::<Vec<_>>())
        });
        let apart = match rates {
            None => pairs(&|i, j| !always(i, j) && exclusive(i, j)),
            Some((low, high)) => pairs(&|i, j| {
                let (least, ratio) = (low * expected(i, j), (high / low).ln());
                let chance = least + DEVIATIONS * least.sqrt() + 1.0;
                let most = chance.max((expected(i, j) * (high - low) - AGAINST) / ratio);
                !(always(i, j) && exclusive(i, j))
                    && moments.known_both(i, j) > 0
                    && moments.both(i, j) <= most
            }),
        };
        Graph { moments, raw, shrunk, order, together, apart, rates }
    }

    /// Exclusive pairs outside the groups that were found among pairs always observed together.
    fn without_groups(&self, groups: &[Clique]) -> Edges {
        let mut edges = self.apart.clone();
        for (row, together) in edges.iter_mut().zip(&self.together) {
            row.iter_mut().zip(together).for_each(|(a, b)| *a |= b);
        }
        for group in groups {
            for &a in &group.members {
                for &b in &group.members {
                    edges[a as usize][b as usize / 64] &= !(1 << (b % 64));
                }
            }
        }
        edges
    }

    fn search(
        &self,
        edges: &Edges,
        examples: &Examples,
        start: &Start,
        settings: &Checked,
        control: &dyn Control,
    ) -> (Vec<Clique>, bool) {
        let mut best: Vec<Clique> = Vec::new();
        let mut seen: BTreeSet<Vec<u32>> = BTreeSet::new();
        // The means of a complete group add up to 1 exactly, where values are right.
        let exact = examples.is_complete() && self.rates.is_none();
        // So few examples speak for no clique of more members.
        let affords = |members: &usize| {
            let most = MOST_FOR_EACH * examples.len() as f64;
            !exact || most >= start.share * bar(self.order.len(), *members, settings)
        };
        let all = self.order.len();
        let most_members = match affords(&(all / 2)) {
            true => all,
            false => (2..=all).take_while(affords).last().unwrap_or(0),
        };
        if most_members < 2 {
            return (best, false);
        }
        let passes: &[f64] = if exact { &[1.0 - 1e-9] } else { &PASSES };
        for &lowest in passes {
            let cut = AtomicBool::new(false);
            let found: Vec<Vec<u32>> = self
                .order
                .par_iter()
                .enumerate()
                .flat_map_iter(|(rank, &anchor)| {
                    if control.is_cancelled() || cut.load(Ordering::Relaxed) {
                        return vec![];
                    }
                    let mut walk = Walk { graph: self, edges, lowest, most_members, steps: 0, found: vec![] };
                    walk.start(anchor, &self.order[rank + 1..]);
                    cut.fetch_or(walk.steps > STEPS, Ordering::Relaxed);
                    walk.found.iter_mut().for_each(|clique| clique.sort_unstable());
                    walk.found
                })
                .collect();
            if cut.into_inner() {
                return (best, true);
            }
            let new: Vec<Vec<u32>> = found.into_iter().filter(|clique| seen.insert(clique.clone())).collect();
            best.par_extend(new.into_par_iter().filter_map(|members| {
                if control.is_cancelled() {
                    return None;
                }
                let score = self.score(&members, examples);
                let bar = start.share * bar(self.order.len(), members.len(), settings);
                (score >= bar && !start.refuted.contains(&members)).then_some(Clique { score, members })
            }));
        }
        (best, false)
    }

    /// How far a clique's means may be from adding up to 1.
    fn slack(&self, members: usize) -> f64 {
        SLACK.0.min(SLACK.1 / members as f64)
    }

    /// The log-likelihood ratio of "exactly one of these" against independence.
    fn score(&self, clique: &[u32], examples: &Examples) -> f64 {
        match self.rates {
            Some(rates) => (0..clique.len())
                .flat_map(|at| clique[..at].iter().map(move |&other| (clique[at], other)))
                .map(|(a, b)| self.ratio(a, b, rates))
                .sum(),
            None if examples.is_complete() => self.complete_ratio(clique),
            None => likelihood_ratio(clique, &self.shrunk, examples),
        }
    }
}

impl Graph<'_> {
    /// The log-likelihood ratio of "these two exclude each other" against "they do not", where values may
    /// be wrong.
    fn ratio(&self, a: u32, b: u32, (low, high): (f64, f64)) -> f64 {
        let (i, j) = (a as usize, b as usize);
        let expected = self.moments.known_both(i, j) as f64 * self.raw[i] * self.raw[j];
        expected * (high - low) - self.moments.both(i, j) * (high / low).ln()
    }

    /// The same ratio where all is observed: exclusive members whose counts add up to the number of
    /// examples are true one at a time in all of them.
    fn complete_ratio(&self, clique: &[u32]) -> f64 {
        let count = |&v: &u32| self.moments.sum(v as usize);
        let examples = self.moments.examples() as f64;
        if clique.iter().map(count).sum::<f64>() != examples {
            return f64::NEG_INFINITY;
        }
        let total: f64 = clique.iter().map(|&v| self.shrunk[v as usize]).sum();
        let alone = |v: &u32| -(examples - count(v)) * (1.0 - self.shrunk[*v as usize]).ln();
        clique.iter().map(alone).sum::<f64>() - examples * total.ln()
    }
}

/// The enumeration of cliques from one variable.
struct Walk<'g> {
    graph: &'g Graph<'g>,
    edges: &'g Edges,
    lowest: f64,
    most_members: usize,
    steps: u32,
    found: Vec<Vec<u32>>,
}

/// A variable that may join a clique, and the sum of its ratios with the members, where values may be
/// wrong.
type Candidate = (u32, f64);

impl Walk<'_> {
    /// Cliques that hold the anchor and otherwise only variables that come after it.
    fn start(&mut self, anchor: u32, later: &[u32]) {
        let later: Vec<Candidate> = later.iter().map(|&v| (v, 0.0)).collect();
        let candidates = self.beside(anchor, &later, false);
        let (shrunk, raw) = (self.graph.shrunk[anchor as usize], self.graph.raw[anchor as usize]);
        self.grow(&mut vec![anchor], &candidates, shrunk, raw);
    }

    /// The candidates that are left when a variable joins: its neighbours, and with wrong values those of
    /// them that the members, from two on, speak for together.
    fn beside(&self, joined: u32, candidates: &[Candidate], judge: bool) -> Vec<Candidate> {
        let row = &self.edges[joined as usize];
        let neighbours = candidates.iter().filter(|(v, _)| row[*v as usize / 64] >> (v % 64) & 1 == 1);
        match self.graph.rates {
            None => neighbours.copied().collect(),
            Some(rates) => neighbours
                .map(|&(v, sum)| (v, sum + self.graph.ratio(joined, v, rates)))
                .filter(|(_, sum)| !judge || *sum >= AGAINST)
                .collect(),
        }
    }

    fn grow(&mut self, clique: &mut Vec<u32>, candidates: &[Candidate], shrunk: f64, raw: f64) {
        self.steps += 1;
        let slack = self.graph.slack(clique.len());
        if clique.len() >= 2 && (shrunk - 1.0).abs() <= slack && raw >= self.lowest {
            self.found.push(clique.clone());
        }
        if clique.len() >= self.most_members {
            return;
        }
        let room = 1.0 + SLACK.0 - shrunk;
        for (at, &(next, _)) in candidates.iter().enumerate() {
            if self.steps > STEPS || raw + self.reach(&candidates[at..], room) < self.lowest {
                return;
            }
            let mean = self.graph.shrunk[next as usize];
            if mean > room {
                continue;
            }
            let remaining = self.beside(next, &candidates[at + 1..], true);
            clique.push(next);
            self.grow(clique, &remaining, shrunk + mean, raw + self.graph.raw[next as usize]);
            clique.pop();
        }
    }

    /// The most that these candidates (by falling raw mean) can add to the sum of raw means while their
    /// shrunk means fit into the room left.
    fn reach(&self, candidates: &[Candidate], mut room: f64) -> f64 {
        let mut sum = 0.0;
        for &(v, _) in candidates {
            let mean = self.graph.shrunk[v as usize];
            if room < mean {
                return sum + self.graph.raw[v as usize] * (room / mean).max(0.0);
            }
            room -= mean;
            sum += self.graph.raw[v as usize];
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;
    use preceptron_base::Quiet;

    /// Rows that hold one of three, one of the other four, and a free variable; some entries unobserved.
    fn rows(count: usize, observed: impl Fn(usize, usize) -> bool) -> Vec<Vec<Option<bool>>> {
        (0..count)
            .map(|r| {
                let (a, b, free) = (r * 7 % 3, 3 + r * 5 % 4, r * r % 11 < 5);
                (0..8)
                    .map(|v| observed(r, v).then_some(if v == 7 { free } else { v == a || v == b }))
                    .collect()
            })
            .collect()
    }

    fn found(examples: &Examples) -> Vec<Constraint> {
        let settings = Settings::default().check().unwrap();
        let found = search(&Moments::of(examples), examples, &Start::default(), &settings, &Quiet).cliques;
        let mut found: Vec<Constraint> = found.iter().map(Clique::rule).collect();
        found.sort();
        found
    }

    #[test]
    fn both_groups_from_complete_and_from_partial_rows() {
        let exactly_one = |members: &[u32]| Clique { score: 0.0, members: members.to_vec() }.rule();
        let truth = [exactly_one(&[0, 1, 2]), exactly_one(&[3, 4, 5, 6])];
        assert_eq!(found(&Examples::from_rows(8, &rows(200, |_, _| true))), truth);
        assert_eq!(found(&Examples::from_rows(8, &rows(600, |r, v| (r * 13 + v * 5) % 7 > 2))), truth);
    }

    #[test]
    fn the_ratio_of_complete_examples_is_the_general_one() {
        let examples = Examples::from_rows(8, &rows(84, |_, _| true));
        let moments = Moments::of(&examples);
        let graph = Graph::new(&moments, None, false);
        for clique in [vec![0, 1, 2], vec![3, 4, 5, 6], vec![0, 1], vec![0, 1, 7]] {
            let (fast, plain) =
                (graph.complete_ratio(&clique), likelihood_ratio(&clique, &graph.shrunk, &examples));
            if clique.len() != 3 || clique[2] != 7 {
                assert!(fast == plain || (fast - plain).abs() < 1e-9, "{clique:?}: {fast} {plain}");
            }
        }
    }

    #[test]
    fn nothing_among_independent_variables() {
        let rows: Vec<Vec<Option<bool>>> = (0..500u64)
            .map(|r| (0..8u64).map(|v| Some((r * 2_654_435_761 + v * 40_503) % 97 % 5 == v % 5)).collect())
            .collect();
        assert!(found(&Examples::from_rows(8, &rows)).is_empty());
    }
}
