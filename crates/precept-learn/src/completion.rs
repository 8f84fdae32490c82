//! Exactly-one rules from few partly observed examples, in turns with what they say of the unobserved.
//!
//! With few examples chance cliques score nearly as high as rules do. Two things tell them apart. Rules
//! that hold never contradict what is known; and what they fix makes the examples more complete, so that
//! the next search sees more. So, in turns:
//! 1. search for cliques that reach a bar ([`crate::cliques`]);
//! 2. propagate them from what each example shows ([`Propagator`]); of each example that they contradict
//!    take a minimal conflict, drop the rule that is in most of them, and repeat;
//! 3. what the rules fix enters the examples;
//!
//! until nothing changes; then with a lower bar. A rule must at last reach the full bar on examples
//! completed by the other rules alone.

use std::collections::{BTreeMap, BTreeSet};

use precept_logic::{Constraint, Lit, Var};
use rayon::prelude::*;

use crate::cliques::{self, Clique};
use crate::propagation::Propagator;
use crate::{Checked, Control, Examples, Moments};

fn debug(text: String) {
    if std::env::var("DEBUG_CLIQUES").is_ok() {
        eprintln!("{text}");
    }
}

/// What the turns ended in.
pub(crate) struct Completion {
    pub(crate) rules: Vec<Constraint>,
    /// Cliques that contradict others.
    pub(crate) dropped: Vec<Constraint>,
    /// The examples with all that the rules fix.
    pub(crate) examples: Examples,
    pub(crate) cut_short: bool,
}

/// How much lower than the full bar cliques may score, in nats, one step after the other.
fn levels() -> Vec<f64> {
    std::env::var("LEVELS").unwrap_or("0,5,10,15,20".to_owned()).split(',').map(|s| s.parse().unwrap()).collect()
}

/// The exactly-one rules that the examples speak for, and the examples as they complete them.
pub(crate) fn search(
    examples: &Examples,
    encoded: &[Constraint],
    settings: &Checked,
    control: &dyn Control,
) -> Completion {
    let classes = Classes::new(examples);
    let known: Vec<Vec<Lit>> = (0..examples.len()).map(|row| observed(examples, row)).collect();
    let mut completed = examples.clone();
    let mut kept: Vec<Clique> = Vec::new();
    let mut cut_short = false;
    let mut banned: BTreeSet<Vec<u32>> = BTreeSet::new();
    let variables = examples.variables();
    let levels = levels();
    let mut at = 0;
    let mut turn = 0;
    while turn < 50 {
        turn += 1;
        let level = levels[at];
        let moments = Moments::of(&completed);
        let found = cliques::search(&moments, &completed, std::mem::take(&mut kept), &banned, level, settings, control);
        cut_short = found.cut_short;
        let total = found.cliques.len();
        let good = judge(&found.cliques);
        kept = prune(found.cliques, encoded, &known, variables);
        let next = classes.completed(examples, &propagator(variables, &kept, encoded), &known);
        debug(format!("level {level} turn {turn}: {total} found ({good} true), kept {} ({} true), observed {:.4} cut {cut_short}", kept.len(), judge(&kept), next.observed()));
        if next != completed {
            completed = next;
            continue;
        }
        if at + 1 < levels.len() && kept.iter().any(|c| c.score < cliques::bar(variables, c.members.len(), settings)) || cut_short && at + 1 < levels.len() {
            at += 1;
            continue;
        }
        let all = propagator(variables, &kept, encoded);
        let scores: Vec<f64> = (0..kept.len()).into_par_iter().map(|rule| {
            let mut others = all.clone();
            others.set_active(rule, false);
            let without = classes.completed(examples, &others, &known);
            cliques::score(&kept[rule].members, &without)
        }).collect();
        let mut weak = vec![];
        for (c, s) in kept.iter().zip(&scores) {
            let full = cliques::bar(variables, c.members.len(), settings);
            if *s < full {
                weak.push((judge(std::slice::from_ref(c)), *s));
                banned.insert(c.members.clone());
            }
        }
        debug(format!("  weak: {weak:?}"));
        if weak.is_empty() {
            break;
        }
        kept.retain(|c| !banned.contains(&c.members));
        completed = classes.completed(examples, &propagator(variables, &kept, encoded), &known);
        at = 0;
    }
    Completion { rules: kept.iter().map(Clique::rule).collect(), dropped: vec![], examples: completed, cut_short }
}

fn judge(cliques: &[Clique]) -> usize {
    let kind = |c: &Clique| {
        if c.members.len() != 9 { return false; }
        let place = |v: u32| (v / 81, v / 9 % 9, v % 9);
        let p: Vec<_> = c.members.iter().map(|&v| place(v)).collect();
        let same = |f: &dyn Fn(&(u32,u32,u32)) -> u32| p.iter().all(|x| f(x) == f(&p[0]));
        let d = same(&|x| x.2);
        (same(&|x| x.0) && same(&|x| x.1)) || (d && same(&|x| x.0)) || (d && same(&|x| x.1)) || (d && same(&|x| x.0 / 3) && same(&|x| x.1 / 3))
    };
    cliques.iter().filter(|c| kind(c)).count()
}

fn observed(examples: &Examples, row: usize) -> Vec<Lit> {
    let literal = |var: Var| examples.get(row, var).map(|value| Lit::new(var, !value));
    (0..examples.variables() as u32).filter_map(|v| literal(Var(v))).collect()
}

fn propagator(variables: usize, kept: &[Clique], encoded: &[Constraint]) -> Propagator {
    Propagator::new(variables, kept.iter().map(Clique::rule).chain(encoded.iter().cloned()))
}

/// Drops cliques until none contradict an example.
fn prune(found: Vec<Clique>, encoded: &[Constraint], known: &[Vec<Lit>], variables: usize) -> Vec<Clique> {
    let mut propagator = propagator(variables, &found, encoded);
    let mut open: Vec<usize> = (0..known.len()).collect();
    let mut conflicts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    loop {
        let new: Vec<(usize, Vec<usize>)> = open
            .par_iter()
            .filter_map(|&row| propagator.minimal_conflict(&known[row]).map(|conflict| (row, conflict)))
            .collect();
        conflicts.extend(new);
        let mut votes = vec![0usize; found.len()];
        for rule in conflicts.values().flatten().filter(|rule| **rule < found.len()) {
            votes[*rule] += 1;
        }
        let worst = (0..found.len())
            .filter(|&rule| votes[rule] > 0)
            .max_by(|&a, &b| votes[a].cmp(&votes[b]).then(found[b].score.total_cmp(&found[a].score)));
        let Some(worst) = worst else { break };
        propagator.set_active(worst, false);
        open = conflicts.iter().filter(|(_, rules)| rules.contains(&worst)).map(|(&row, _)| row).collect();
        open.iter().for_each(|row| {
            conflicts.remove(row);
        });
    }
    (0..found.len()).filter(|&rule| propagator.is_active(rule)).map(|rule| found[rule].clone()).collect()
}

/// Variables that are observed in the same examples. Their values enter together: if only those that are
/// false were known, means would be too low.
struct Classes {
    of: Vec<usize>,
    count: usize,
}

impl Classes {
    fn new(examples: &Examples) -> Classes {
        let mut numbers: BTreeMap<Option<&[u64]>, usize> = BTreeMap::new();
        let of = (0..examples.variables() as u32)
            .map(|v| {
                let next = numbers.len();
                *numbers.entry(examples.known(Var(v))).or_insert(next)
            })
            .collect();
        Classes { of, count: numbers.len() }
    }

    /// The examples with the classes that the rules fix in them.
    fn completed(&self, examples: &Examples, propagator: &Propagator, known: &[Vec<Lit>]) -> Examples {
        let rows: Vec<Vec<Option<bool>>> = known
            .par_iter()
            .map(|literals| {
                let state = propagator.run(literals.iter().copied());
                let mut row: Vec<Option<bool>> =
                    (0..examples.variables() as u32).map(|v| state.value(Var(v))).collect();
                let mut whole = vec![true; self.count];
                for (value, &class) in row.iter().zip(&self.of) {
                    whole[class] &= value.is_some();
                }
                for (value, &class) in row.iter_mut().zip(&self.of) {
                    *value = value.filter(|_| whole[class]);
                }
                row
            })
            .collect();
        Examples::from_rows(examples.variables(), &rows)
    }
}
