//! Literals that are never true together, by counting (as in the mining of frequent itemsets).
//!
//! A *nogood* is a set of literals that no example shows all true: its negation is a clause. What speaks
//! for it is how often it should have been seen, had its members met as often as smaller parts of it say.
//! For two members that is independence; for more, the least of the estimates
//! ```text
//! n(P without x) n(P without y) / n(P without x and y)      over pairs x, y of the pattern P
//! ```
//! (two members independent given the others) and, where everything is observed, the count that they would have if
//! the whole pattern added nothing to its parts ([`crate::interaction`]), because independence of all overstates what is possible
//! among variables that other rules already tie together. An event that is expected e times stays away
//! with probability exp(-e), so e is the evidence in nats. Nogoods with some evidence are seeds for
//! [`crate::groups`], which grows them and asks for as much as there are groups to choose from.
//!
//! Longer patterns are too many to count all. Their members are then required to be seen together less
//! often than by chance, pair by pair, as strictly as the budget makes necessary.

use std::borrow::Cow;

use preceptron_logic::{Lit, Var};
use rayon::prelude::*;

use crate::confirm::ln_choose;
use crate::interaction::interaction;
use crate::peers::Peers;
use crate::seen_together::{SeenTogether, zeros};
use crate::wrong_entries::{Entries, is_explained};
use crate::{Checked, Examples};
use preceptron_base::Control;

/// A set of literals that are never (or, below a threshold of 1, hardly ever) true together.
pub(crate) struct Nogood {
    pub(crate) literals: Vec<Lit>,
    /// What speaks for it, in nats.
    pub(crate) evidence: f64,
}

/// The nogoods of all sizes.
pub(crate) struct Nogoods {
    /// The nogoods, smaller ones first, and of one size those with more evidence first.
    pub(crate) found: Vec<Nogood>,
    /// What was not looked at, in words.
    pub(crate) limit: Option<String>,
}

/// A nogood with less evidence than this, in nats, is not even a seed.
const SEED: f64 = 8.0;

/// Wrong entries explain at most this share of what independence expects.
const EXPLAINED: f64 = 0.75;

/// A nogood of three and more literals must have been expected so often.
const EXPECTED: f64 = 10.0;

/// Below this the least of the rough estimates need not be refined.
const ROUGHLY: f64 = 5.0;

/// With more variables than this, patterns of three and more literals have less of the budget, by the square,
/// and those that do not fit are not looked at in part either.
const MANY: f64 = 400.0;

/// How long a step of the search takes, in seconds, to tell how long a search would take.
const STEP: f64 = 3e-9;

/// Of the budget, sizes that are not looked at whole get this part each.
const FILTERED: f64 = 40.0;

/// How few observations, where more were expected, speak for a rule.
#[derive(Clone, Copy)]
pub(crate) struct Rarity {
    /// The share of the expected number that may be observed: none if everything must agree.
    tolerance: f64,
}

impl Rarity {
    pub(crate) fn new(settings: &Checked) -> Rarity {
        // Where the share of wrong entries is known, it is asked of each rule whether they explain what breaks it.
        let tolerance = settings.wrong.map_or(2.0 * (1.0 - settings.threshold), |_| EXPLAINED);
        Rarity { tolerance }
    }

    /// That at most this share of what is expected may be observed.
    pub(crate) fn up_to(tolerance: f64) -> Rarity {
        Rarity { tolerance }
    }

    /// The evidence in nats (Chernoff's bound on the Poisson tail); nothing if there are too many.
    pub(crate) fn evidence(self, observed: f64, expected: f64) -> Option<f64> {
        if observed > self.tolerance * expected {
            return None;
        }
        Some(match observed == 0.0 {
            true => expected,
            false => expected - observed + observed * (observed / expected).ln(),
        })
    }
}

/// One column for each literal, by its code.
pub(crate) struct Columns {
    words: usize,
    bits: Vec<u64>,
    counts: Vec<u32>,
}

impl Columns {
    pub(crate) fn new(examples: &Examples) -> Columns {
        let words = examples.words();
        let bits: Vec<u64> = (0..examples.variables() as u32)
            .flat_map(|v| [Var(v).positive(), Var(v).negative()])
            .flat_map(|l| examples.true_column(l))
            .collect();
        let counts = bits.chunks(words.max(1)).map(ones).collect();
        Columns { words, bits, counts }
    }

    /// Does as if a variable were never seen.
    pub(crate) fn hide(&mut self, var: Var) {
        [var.positive(), var.negative()].iter().for_each(|literal| self.counts[literal.code()] = 0);
    }

    pub(crate) fn of(&self, literal: Lit) -> &[u64] {
        &self.bits[literal.code() * self.words..][..self.words]
    }

    pub(crate) fn count(&self, literal: Lit) -> u32 {
        self.counts.get(literal.code()).copied().unwrap_or(0)
    }

    /// How many examples have both true.
    pub(crate) fn both(&self, a: Lit, b: Lit) -> u32 {
        self.of(a).iter().zip(self.of(b)).map(|(a, b)| (a & b).count_ones()).sum()
    }
}

pub(crate) fn ones(column: &[u64]) -> u32 {
    column.iter().map(|w| w.count_ones()).sum()
}

fn and(a: &[u64], b: &[u64]) -> Vec<u64> {
    a.iter().zip(b).map(|(a, b)| a & b).collect()
}

fn both(a: &[u64], b: &[u64]) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a & b).count_ones()).sum()
}

/// Searches for nogoods of up to the set number of literals; `entries` are what may be wrong.
pub(crate) fn search(
    examples: &Examples,
    columns: &Columns,
    (peers, entries): (&Peers, &Entries),
    settings: &Checked,
    control: &dyn Control,
) -> Nogoods {
    let literals = varied(examples, columns);
    let mut nogoods = Nogoods { found: vec![], limit: None };
    let rarity = Rarity::new(settings);
    let variables = literals.len() as f64 / 2.0;
    let many = (MANY / variables.max(1.0)).powi(2).min(1.0);
    let words = columns.words.max(1) as f64;
    let all = |size: usize| ln_choose(literals.len() / 2, size) + size as f64 * std::f64::consts::LN_2;
    let mut rarer: Option<Rarer> = None;
    // Where a rule may be violated, patterns that occur may still be nogoods.
    let seen = (rarity.tolerance == 0.0).then(|| SeenTogether::new(&literals, columns, examples.len()));
    let budget = |size: usize| {
        let share = if size > 2 { many } else { 1.0 };
        share * settings.clause_budget as f64 / words
    };
    let sizes = 2..=(settings.clause_literals as usize).min(literals.len() / 2);
    // How far the search can go is told before it starts.
    if let Some(size) = sizes.clone().find(|&size| all(size) > budget(size).ln()) {
        let time = lasting(all(size).exp() * words * STEP);
        let looked = match (variables > MANY, size) {
            (true, 2) => "none are looked for".to_owned(),
            (true, _) => format!("those of {} are looked for", size - 1),
            (false, _) => "not all are looked at".to_owned(),
        };
        let limit = format!(
            "clauses of {size} literals over {variables} variables would take about {time}: {looked}"
        );
        control.tell(&limit);
        nogoods.limit = Some(limit);
    }
    for size in sizes {
        if control.is_cancelled() {
            break;
        }
        let budget = budget(size);
        let filtered = all(size) > budget.ln();
        if filtered {
            if variables > MANY {
                break;
            }
            if all(2) > budget.ln() {
                continue;
            }
            let pairs = rarer.get_or_insert_with(|| Rarer::new(&literals, examples, columns));
            if !pairs.tighten(all(size), size, budget.ln()) {
                continue;
            }
        }
        // Estimates can be far off where pairs hang together, so each beginning has its share of steps.
        let share = settings.clause_budget as f64 / FILTERED / literals.len() as f64;
        let search = Search {
            columns,
            examples,
            literals: &literals,
            rarer: rarer.as_ref().filter(|_| filtered),
            seen: seen.as_ref(),
            rarity,
            is_exact: rarity.tolerance == 0.0,
            peers,
            wrong: settings.wrong.map(|share| (entries, share)),
            size,
        };
        control.stage("counting", literals.len() as u64);
        let mut found: Vec<Nogood> = (0..literals.len())
            .into_par_iter()
            .flat_map_iter(|first| {
                let mut walk = Walk {
                    search: &search,
                    steps: if filtered { share } else { f64::INFINITY },
                    found: vec![],
                };
                if !control.is_cancelled() {
                    let later: Vec<usize> = ((first | 1) + 1..literals.len()).collect();
                    let candidates = search.beside(first, &later);
                    walk.extend(&[first], &candidates, columns.of(literals[first]));
                }
                control.advance(1);
                walk.found
            })
            .collect();
        found.sort_by(|a, b| b.evidence.total_cmp(&a.evidence).then_with(|| a.literals.cmp(&b.literals)));
        nogoods.found.extend(found);
    }
    nogoods
}

/// The literals of the variables that are not constant.
pub(crate) fn varied(examples: &Examples, columns: &Columns) -> Vec<Lit> {
    (0..examples.variables() as u32)
        .filter(|&v| columns.count(Var(v).positive()) > 0 && columns.count(Var(v).negative()) > 0)
        .flat_map(|v| [Var(v).positive(), Var(v).negative()])
        .collect()
}

/// A time in words.
fn lasting(seconds: f64) -> String {
    let units = [(60.0, "second"), (60.0, "minute"), (24.0, "hour"), (365.0, "day"), (f64::INFINITY, "year")];
    let mut time = seconds.max(1.0);
    for (next, unit) in units {
        if time < next {
            let number = time.round().min(1e9);
            return format!("{number} {unit}{}", if number == 1.0 { "" } else { "s" });
        }
        time /= next;
    }
    unreachable!("the last unit has no next one")
}

/// How much less often than by chance pairs of literals are seen together, in standard deviations.
struct Rarer {
    count: usize,
    /// By pair of positions.
    scores: Vec<f32>,
    /// Pairs with a higher score are not looked into.
    limit: f32,
}

impl Rarer {
    /// The limits to try, the widest first.
    const LIMITS: [f32; 6] = [0.5, 0.0, -0.5, -1.0, -1.5, -2.5];

    fn new(literals: &[Lit], examples: &Examples, columns: &Columns) -> Rarer {
        let count = literals.len();
        let scores = literals
            .par_iter()
            .flat_map_iter(|&a| {
                literals.iter().map(move |&b| {
                    let expected = expected_pair(a, b, examples, columns);
                    let observed = f64::from(columns.both(a, b));
                    ((observed - expected) / expected.max(1.0).sqrt()) as f32
                })
            })
            .collect();
        Rarer { count, scores, limit: f32::INFINITY }
    }

    /// Chooses the widest limit under which the patterns of a size fit the budget, by the share of pairs
    /// below it; false if none does.
    fn tighten(&mut self, patterns: f64, size: usize, budget: f64) -> bool {
        for limit in Self::LIMITS.into_iter().filter(|limit| *limit <= self.limit) {
            let below = self.scores.iter().filter(|s| **s < limit).count() as f64 / self.scores.len() as f64;
            let pairs = (size * (size - 1) / 2) as f64;
            // The last member is only counted, not looked into.
            if patterns + pairs * below.ln() <= budget {
                self.limit = limit;
                return true;
            }
        }
        false
    }

    fn allows(&self, a: usize, b: usize) -> bool {
        self.scores[a * self.count + b] < self.limit
    }
}

/// How often two literals would be seen together if they were independent.
pub(crate) fn expected_pair(a: Lit, b: Lit, examples: &Examples, columns: &Columns) -> f64 {
    let (together, known_a, known_b) = match (examples.known(a.var()), examples.known(b.var())) {
        (Some(ka), Some(kb)) => (both(ka, kb), ones(ka), ones(kb)),
        _ => (examples.len() as u32, examples.len() as u32, examples.len() as u32),
    };
    f64::from(together) * f64::from(columns.count(a)) / f64::from(known_a) * f64::from(columns.count(b))
        / f64::from(known_b)
}

struct Search<'a> {
    columns: &'a Columns,
    examples: &'a Examples,
    literals: &'a [Lit],
    rarer: Option<&'a Rarer>,
    seen: Option<&'a SeenTogether>,
    rarity: Rarity,
    /// Whether all that is observed is right.
    is_exact: bool,
    peers: &'a Peers,
    /// What may be wrong, and how much of it is.
    wrong: Option<(&'a Entries, f64)>,
    size: usize,
}

/// The search from one first literal.
struct Walk<'s> {
    search: &'s Search<'s>,
    /// How many words may still be looked at.
    steps: f64,
    found: Vec<Nogood>,
}

impl Walk<'_> {
    /// All nogoods of the wanted size that begin with the literals at these positions, which are all true
    /// in the examples of `column`, and go on with candidates.
    fn extend(&mut self, pattern: &[usize], candidates: &[usize], column: &[u64]) {
        let Search { columns, literals, rarity, size, .. } = *self.search;
        let last = pattern.len() + 1 == size;
        let here = f64::from(ones(column));
        let seen = self.search.seen.filter(|_| last).map(|seen| seen.some(column));
        // Without a filter candidates follow each other without a gap, so that those not seen are read off the bits.
        let unseen = match (&seen, candidates) {
            (Some(seen), [from, .., to]) if self.search.rarer.is_none() => Some(zeros(seen, *from..=*to)),
            _ => None,
        };
        let candidates = unseen.as_deref().unwrap_or(candidates);
        for (at, &next) in candidates.iter().enumerate() {
            self.steps -= (columns.words + 8) as f64;
            if self.steps < 0.0 {
                return;
            }
            if seen.as_ref().is_some_and(|seen| seen[next / 64] >> (next % 64) & 1 == 1) {
                continue;
            }
            let literal = literals[next];
            if last {
                let observed = f64::from(both(column, columns.of(literal)));
                let most = here.min(f64::from(columns.count(literal)));
                if rarity.evidence(observed, most).is_none_or(|evidence| evidence < SEED) {
                    continue;
                }
                let members: Vec<Lit> =
                    pattern.iter().chain([&next]).map(|&member| literals[member]).collect();
                match self.search.evidence(&members, observed) {
                    Some(evidence) if evidence >= SEED => {
                        self.found.push(Nogood { literals: members, evidence })
                    }
                    _ => {}
                }
            } else {
                let both = and(column, columns.of(literal));
                // A part that never occurs, or too rarely to tell, is no beginning of a longer nogood.
                if f64::from(ones(&both)) >= SEED {
                    // The partner of a literal, its negation, stands at the position that differs in the
                    // last bit.
                    let rest = &candidates[at + 1..];
                    let rest = if rest.first() == Some(&(next ^ 1)) { &rest[1..] } else { rest };
                    let beside = self.search.beside(next, rest);
                    self.steps -= rest.len() as f64 / 4.0;
                    self.extend(&[pattern, &[next]].concat(), &beside, &both);
                }
            }
        }
    }
}

impl Search<'_> {
    /// The candidates that may stand beside a literal.
    fn beside<'c>(&self, position: usize, candidates: &'c [usize]) -> Cow<'c, [usize]> {
        match self.rarer {
            Some(rarer) => candidates.iter().copied().filter(|&c| rarer.allows(position, c)).collect(),
            None => Cow::Borrowed(candidates),
        }
    }

    /// What speaks for a nogood, in nats.
    fn evidence(&self, members: &[Lit], observed: f64) -> Option<f64> {
        let rough = self.expected(members);
        if let Some((entries, share)) = self.wrong.filter(|_| observed > 0.0) {
            let by_error = share * self.one_away(members, entries);
            if !is_explained(observed, by_error) {
                return None;
            }
        }
        if let ([a, b], true) = (members, self.is_exact) {
            let factor = self.peers.factor(*a, *b, self.examples, self.columns);
            return self.rarity.evidence(observed, factor * rough);
        }
        if members.len() == 2 || !self.is_exact && self.wrong.is_none() {
            return self.rarity.evidence(observed, rough);
        }
        let rarity = self.rarity.evidence(observed, rough);
        // Where other rules exclude parts of the pattern, the rough estimate can be the better one.
        let refined = match rough >= ROUGHLY {
            true => interaction(members, self.columns, self.examples, EXPECTED)
                .filter(|found| self.is_exact || observed <= EXPLAINED * (observed + found.expected))
                .map(|found| found.nats),
            false => None,
        };
        match (refined, rarity) {
            (None, None) => None,
            (refined, rarity) => Some(refined.unwrap_or(0.0).max(rarity.unwrap_or(0.0))),
        }
    }

    /// How many examples would have the whole pattern if the entry of the one member that they lack were wrong.
    fn one_away(&self, members: &[Lit], entries: &Entries) -> f64 {
        let lacking = |lacking: &Lit| {
            let all = |word: usize| {
                let others = members.iter().filter(|l| *l != lacking);
                others.fold(self.columns.of(!*lacking)[word], |all, &l| all & self.columns.of(l)[word])
            };
            let count: u32 = (0..self.columns.words).map(|word| all(word).count_ones()).sum();
            entries.rise(*lacking) * f64::from(count)
        };
        members.iter().map(lacking).sum()
    }

    /// The least of the estimates of how often the whole pattern should have been seen; 0 if it is clear
    /// that that is too little for a seed.
    fn expected(&self, pattern: &[Lit]) -> f64 {
        if let [a, b] = *pattern {
            return expected_pair(a, b, self.examples, self.columns);
        }
        let columns: Vec<&[u64]> = pattern.iter().map(|&l| self.columns.of(l)).collect();
        let without = |x: usize, y: usize| {
            let all = |word: usize| {
                let kept = columns.iter().enumerate().filter(|(at, _)| *at != x && *at != y);
                kept.fold(u64::MAX, |all, (_, column)| all & column[word]).count_ones()
            };
            f64::from((0..columns[0].len()).map(all).sum::<u32>())
        };
        let mut least = f64::INFINITY;
        let mut singles = Vec::with_capacity(pattern.len());
        for x in 0..pattern.len() {
            singles.push(without(x, x));
            // No estimate that leaves x out is greater than this.
            if singles[x] < SEED {
                return 0.0;
            }
        }
        for x in 0..pattern.len() {
            for y in 0..x {
                let rest = without(x, y);
                if rest > 0.0 {
                    least = least.min(singles[x] * singles[y] / rest);
                }
            }
        }
        least
    }
}
