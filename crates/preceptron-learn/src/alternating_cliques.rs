//! Exactly-one rules from few partly observed examples, in turns with what they say of the unobserved.
//!
//! With few examples chance cliques score nearly as high as rules do. Two things tell them apart: rules
//! that hold never contradict what is known, and what they fix makes the examples more complete, so that
//! the next search sees more. So, in turns:
//! 1. search for cliques that reach a loose bar ([`crate::cliques`]);
//! 2. propagate them from what each example shows ([`Propagator`]); of each example that they contradict
//!    take a minimal conflict, drop the rule that is in most of them, and repeat;
//! 3. let what the rules fix enter the examples;
//!
//! until the examples do not become more complete. A rule that is wrong can still hold up itself by what it
//! fixes. So each must now reach the full bar on examples that the other rules alone complete. The turns go
//! on without those that do not, until none is left; then all have to reach the full bar from the start.

use std::collections::{BTreeMap, BTreeSet};

use preceptron_logic::{Constraint, Lit};
use rayon::prelude::*;

use crate::cliques::{self, Clique, Start};
use crate::completion::{Symbols, observed};
use crate::{Checked, Examples, Moments, Propagator};
use preceptron_base::Control;

/// The share of the full bar that a clique must reach during the turns.
const LOOSE: f64 = 0.8;
/// Turns without more complete examples before the turns end.
const PATIENCE: u32 = 3;

/// What the turns ended in.
pub(crate) struct Found {
    pub(crate) rules: Vec<Constraint>,
    /// Whether the last search was cut short.
    pub(crate) cut_short: bool,
}

/// The exactly-one rules that examples, free of wrong values, speak for beside those that are `sure`.
pub(crate) fn search(
    examples: &Examples,
    sure: &[Constraint],
    settings: &Checked,
    control: &dyn Control,
) -> Found {
    let turns = Turns {
        examples,
        sure,
        settings,
        known: observed(examples),
        symbols: Symbols::new(examples),
        all: (0..examples.variables() as u32).collect(),
    };
    let symbols = Some(turns.symbols.numbers().to_vec());
    let mut start = Start { share: LOOSE, symbols, ..Start::default() };
    let mut completed = examples.clone();
    let (mut most, mut settled, mut idle, mut cut_short) = (examples.observed(), 0.0, 0, false);
    for _ in 0..settings.rounds {
        control.stage("cliques", 0);
        let found = cliques::search(&Moments::of(&completed), &completed, &start, settings, control);
        if control.is_cancelled() {
            break;
        }
        cut_short = found.cut_short;
        start.kept = turns.without_conflicts(found.cliques);
        let next = turns.completed(&start.kept);
        let is_same = next == completed;
        completed = next;
        idle = if completed.observed() > most { 0 } else { idle + 1 };
        most = most.max(completed.observed());
        if !is_same && idle < PATIENCE {
            continue;
        }
        let weak = turns.weak(&start.kept, control);
        if weak.is_empty() && !start.refuted.is_empty() {
            // Examples that are more complete may speak for what was too weak before.
            start.refuted.clear();
            start.share = 1.0;
            continue;
        }
        if weak.is_empty() || most <= settled {
            break;
        }
        settled = most;
        start.kept.retain(|clique| !weak.contains(&clique.members));
        start.refuted.extend(weak);
        completed = turns.completed(&start.kept);
        (most, idle) = (completed.observed(), 0);
    }
    loop {
        let weak = turns.weak(&start.kept, control);
        if weak.is_empty() {
            break;
        }
        start.kept.retain(|clique| !weak.contains(&clique.members));
    }
    Found { rules: start.kept.iter().map(Clique::rule).collect(), cut_short }
}

struct Turns<'a> {
    examples: &'a Examples,
    sure: &'a [Constraint],
    settings: &'a Checked,
    /// What each example shows.
    known: Vec<Vec<Lit>>,
    symbols: Symbols,
    /// All variables.
    all: Vec<u32>,
}

impl Turns<'_> {
    fn propagator(&self, cliques: &[Clique]) -> Propagator {
        let rules = cliques.iter().map(Clique::rule).chain(self.sure.iter().cloned());
        Propagator::new(self.examples.variables(), rules)
    }

    fn completed(&self, cliques: &[Clique]) -> Examples {
        let propagator = self.propagator(cliques);
        self.symbols.completed(&self.all, &self.known, |known| propagator.run(known.iter().copied()))
    }

    /// Drops cliques until propagation finds no contradiction to any example.
    fn without_conflicts(&self, mut found: Vec<Clique>) -> Vec<Clique> {
        let mut propagator = self.propagator(&found);
        let mut open: Vec<usize> = (0..self.known.len()).collect();
        let mut conflicts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        loop {
            let conflict = |&row: &usize| Some((row, propagator.minimal_conflict(&self.known[row])?));
            conflicts.extend(open.par_iter().filter_map(conflict).collect::<Vec<_>>());
            let mut votes = vec![0u32; propagator.rules().len()];
            conflicts.values().flatten().for_each(|&rule| votes[rule] += 1);
            // What is sure has no vote against it.
            let worst = (0..found.len()).filter(|&rule| votes[rule] > 0).max_by(|&a, &b| {
                votes[a].cmp(&votes[b]).then_with(|| found[b].score.total_cmp(&found[a].score))
            });
            let Some(worst) = worst else { break };
            propagator.set_active(worst, false);
            // A conflict without the dropped rule stands.
            open =
                conflicts.iter().filter(|(_, rules)| rules.contains(&worst)).map(|(&row, _)| row).collect();
            conflicts.retain(|_, rules| !rules.contains(&worst));
        }
        let mut number = 0..;
        found.retain(|_| number.next().is_some_and(|rule| propagator.is_active(rule)));
        found
    }

    /// The cliques that do not reach the full bar on the examples, nor as the other cliques complete them.
    fn weak(&self, cliques: &[Clique], control: &dyn Control) -> BTreeSet<Vec<u32>> {
        let all = self.propagator(cliques);
        let is_weak = |rule: &usize| {
            let members = &cliques[*rule].members;
            let bar = cliques::bar(self.examples.variables(), members.len(), self.settings);
            if cliques::plain_score(members, self.examples) >= bar {
                return false;
            }
            if control.is_cancelled() {
                return true;
            }
            let without = |known: &[Lit]| all.run_without(*rule, known.iter().copied());
            let shown = self.symbols.completed(members, &self.known, without);
            let places: Vec<u32> = (0..members.len() as u32).collect();
            cliques::plain_score(&places, &shown) < bar
        };
        (0..cliques.len()).into_par_iter().filter(is_weak).map(|rule| cliques[rule].members.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;
    use preceptron_logic::Var;

    #[test]
    fn the_clique_in_most_conflicts_goes() {
        // One of 0, 1 and 2 in every row, and nothing else: 3 is free.
        let row = |r: usize| [Some(r % 3 == 2), Some(r % 3 == 1), None, Some(r % 4 == 1)];
        let examples = Examples::from_rows(4, &(0..24).map(row).collect::<Vec<_>>());
        let settings = Settings::default().check().unwrap();
        let clique = |score: f64, members: [u32; 3]| Clique { score, members: members.to_vec() };
        let (right, wrong) = (clique(9.0, [0, 1, 2]), clique(99.0, [0, 1, 3]));
        let sure = [Constraint::clause([Var(0).positive(), Var(1).positive(), Var(2).positive()])];
        let turns = Turns {
            examples: &examples,
            sure: &sure,
            settings: &settings,
            known: observed(&examples),
            symbols: Symbols::new(&examples),
            all: (0..4).collect(),
        };
        assert_eq!(turns.without_conflicts(vec![wrong, right.clone()]), std::slice::from_ref(&right));
        let completed = turns.completed(&[right]);
        assert!((0..24).all(|r| completed.get(r, Var(2)) == Some(r.is_multiple_of(3))));
    }
}
