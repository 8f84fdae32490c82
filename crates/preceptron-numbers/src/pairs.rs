//! Two columns: differences and sums with bounds, distances, and columns that keep apart.
//!
//! A bound needs two things: that the other rules alone would have rows beyond it, and a wall, since a column that
//! follows another leaves pairs of values out without a rule. Bounds are taken in rounds: of those that are left after
//! the rules so far the best, and with it those over other columns.

use preceptron_logic::numbers::{Claim, Relation};

use crate::evidence::{from_edge, histogram, hole_of, step, wall, wall_of};
use crate::search::Search;

/// A claim about two columns with the evidence that needs no samples.
struct Candidate {
    claim: Claim,
    rows: usize,
    wall: f64,
}

/// Whether a column is an earlier one plus a constant: what is said of that says it of this.
pub(crate) fn is_another(search: &Search, column: usize) -> bool {
    search.rules.iter().filter(|rule| rule.gate.is_none()).any(|rule| match &rule.claim {
        Claim::Linear { terms, relation: Relation::Equal, .. } => match terms[..] {
            [(1, a), (-1, b)] | [(-1, a), (1, b)] => a.max(b) == column,
            _ => false,
        },
        _ => false,
    })
}

/// All that could be claimed of pairs of columns, and how much was looked at.
fn candidates(search: &Search) -> (Vec<Candidate>, usize) {
    let data = search.data;
    let columns: Vec<usize> = (0..data.columns())
        .filter(|column| !data.is_constant(*column) && !is_another(search, *column))
        .collect();
    let mut all = Vec::new();
    let mut looked_at = 0;
    for (at, &b) in columns.iter().enumerate() {
        for &a in &columns[..at] {
            let share = data.share(&[a, b]);
            looked_at += 5;
            for sign in [-1, 1] {
                let values = || data.rows.iter().filter_map(|row| Some(row[a]? + sign * row[b]?));
                let counts = histogram(values());
                let rows = counts.values().sum();
                let (Some((&least, _)), Some((&most, _))) =
                    (counts.first_key_value(), counts.last_key_value())
                else {
                    continue;
                };
                if least == most {
                    continue;
                }
                for is_least in [true, false] {
                    let (turn, constant) = if is_least { (-1, -least) } else { (1, most) };
                    let claim = Claim::Linear {
                        terms: vec![(turn, a), (turn * sign, b)],
                        relation: Relation::AtMost,
                        constant,
                    };
                    all.push(Candidate { claim, rows, wall: wall_of(&counts, is_least, share) });
                }
                if sign == -1 && !counts.contains_key(&0) && least < 0 && most > 0 {
                    let before = counts.range(..0).next_back().map_or(1, |(value, _)| -value);
                    let after = counts.range(0..).next().map_or(1, |(value, _)| *value);
                    let one = step(&counts);
                    let wall = match (before, after) == (one, one) {
                        true => hole_of(&counts) * share,
                        false => wall(from_edge(&counts, -before, -one, share))
                            .min(wall(from_edge(&counts, after, one, share))),
                    };
                    let (before, after) =
                        if (before, after) == (one, one) { (1, 1) } else { (before, after) };
                    all.push(Candidate {
                        claim: Claim::Apart { first: a, second: b, before, after },
                        rows,
                        wall,
                    });
                }
            }
        }
    }
    (all, looked_at)
}

/// Finds bounds of differences and sums of two columns, and columns that keep apart.
pub(crate) fn pairs(search: &mut Search) {
    let (mut candidates, looked_at) = candidates(search);
    let needed = search.needed(looked_at);
    candidates.retain(|candidate| candidate.wall >= needed);
    const ROUNDS: usize = 60;
    for _ in 0..ROUNDS {
        if search.is_over() || candidates.is_empty() {
            return;
        }
        let mut tested: Vec<(f64, Candidate)> = Vec::new();
        for candidate in candidates.drain(..) {
            let evidence = search.chance(std::slice::from_ref(&candidate.claim), candidate.rows);
            if evidence >= needed {
                tested.push((evidence.min(candidate.wall), candidate));
            }
        }
        tested.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut taken: Vec<usize> = Vec::new();
        for (evidence, candidate) in tested {
            let columns = candidate.claim.columns();
            match columns.iter().any(|column| taken.contains(column)) {
                true => candidates.push(candidate),
                false => {
                    taken.extend(columns);
                    search.accept(vec![candidate.claim], None, candidate.rows, evidence, needed);
                }
            }
        }
    }
}

/// Two bounds that are one distance, and columns of which every two are different, are said as one rule.
pub(crate) fn joined(search: &mut Search) {
    join_distances(search);
    join_different(search);
}

fn join_distances(search: &mut Search) {
    let bound = |claim: &Claim| match claim {
        Claim::Linear { terms, relation: Relation::AtMost, constant } => match terms[..] {
            [(1, a), (-1, b)] | [(-1, b), (1, a)] => Some((a, b, *constant)),
            _ => None,
        },
        _ => None,
    };
    let mut at = 0;
    while at < search.rules.len() {
        let (gate, own) = (search.rules[at].gate, bound(&search.rules[at].claim));
        let other = own.and_then(|(a, b, constant)| {
            let is_other = |rule: &preceptron_logic::numbers::NumberRule| {
                rule.gate == gate && bound(&rule.claim) == Some((b, a, constant))
            };
            search.rules.iter().skip(at + 1).position(is_other).map(|found| (found + at + 1, a, b, constant))
        });
        if let Some((found, a, b, constant)) = other.filter(|one| one.3 > 0) {
            let removed = search.rules.remove(found);
            let rule = &mut search.rules[at];
            rule.evidence.evidence = rule.evidence.evidence.min(removed.evidence.evidence);
            rule.claim = Claim::Distance { first: a.min(b), second: a.max(b), least: 0, most: constant };
        }
        at += 1;
    }
}

fn join_different(search: &mut Search) {
    let columns = search.data.columns();
    let gates: std::collections::BTreeSet<_> = search.rules.iter().map(|rule| rule.gate).collect();
    for gate in gates {
        let mut edges = vec![vec![false; columns]; columns];
        for rule in search.rules.iter().filter(|rule| rule.gate == gate) {
            if let Claim::Apart { first, second, before: 1, after: 1 } = rule.claim {
                (edges[first][second], edges[second][first]) = (true, true);
            }
        }
        for start in 0..columns {
            let mut clique = vec![start];
            (0..columns).for_each(|column| {
                if clique.iter().all(|other| edges[*other][column]) {
                    clique.push(column);
                }
            });
            if clique.len() < 3 {
                continue;
            }
            clique.sort_unstable();
            let is_in = |claim: &Claim| match claim {
                Claim::Apart { first, second, before: 1, after: 1 } => {
                    clique.contains(first) && clique.contains(second)
                }
                _ => false,
            };
            let (inside, mut rest): (Vec<_>, Vec<_>) = std::mem::take(&mut search.rules)
                .into_iter()
                .partition(|rule| rule.gate == gate && is_in(&rule.claim));
            let weakest =
                inside.iter().min_by(|a, b| a.evidence.evidence.total_cmp(&b.evidence.evidence)).cloned();
            if let Some(mut rule) = weakest {
                rule.claim = Claim::Distinct { columns: clique.clone(), by: 1, shift: 0 };
                rest.push(rule);
            }
            search.rules = rest;
            for a in &clique {
                for b in &clique {
                    edges[*a][*b] = false;
                }
            }
        }
    }
}
