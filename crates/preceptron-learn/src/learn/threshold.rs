//! How many entries are wrong, and which share of the examples must satisfy a rule, from the examples themselves.
//!
//! A rule that holds is seen broken as often as wrong entries break it ([`crate::wrong_entries`]), so each candidate
//! that chance does not explain says a share e of wrong entries at which that is just so:
//! - two literals that meet o times, where independence expects far more: o is e times how often one of them lacks;
//! - an exactly-one rule that cliques find where rules need not hold in all examples;
//! - of families of sums the bounds at a cliff: samples of the null model break them far more often than the examples
//!   do, and hardly more often the next tighter one.
//!
//! Candidates that hold agree on e, and what follows from them does too; those that do not are spread. Of pairs and
//! cliques the estimate is the median, weighted by evidence, then the mean of those within a factor of 2 of it, if these
//! are a good part of all. Where these say too little, families are asked: many of their sums are narrow because of
//! other sums, and seem to be broken more often than by wrong entries, so that it is the least share on which enough
//! evidence agrees. Each rule is then asked whether wrong entries explain what breaks it; the threshold below which none is looked
//! at is what a rule over ten columns keeps.

use preceptron_base::Control;
use preceptron_logic::{Constraint, Lit, Origin, Variables};
use rayon::prelude::*;

use super::Search;
use crate::confirm;
use crate::counting::{Columns, Rarity, expected_pair, varied};
use crate::families::{self, Wrong};
use crate::wrong_entries::Entries;
use crate::{Checked, Examples, Given, Settings};

/// The threshold at which cliques are looked for, and the least and the greatest below 1 that are chosen.
const WIDE: f64 = 0.75;
const RANGE: (f64, f64) = (0.55, 0.995);
/// The threshold is what a rule over so many columns keeps, less a little.
const COLUMNS: i32 = 10;
const LESS: f64 = 0.05;
/// The evidence of one candidate counts up to so much, in nats.
const NATS: f64 = 100.0;
/// Shares that are within this factor of each other agree; so much of the evidence must.
const AGREE: f64 = 2.0;
const PART: f64 = 0.35;
/// So much evidence says enough, in nats.
const ENOUGH: f64 = 300.0;
/// A pair must be expected so often, and be seen at most this share of it.
const EXPECTED: f64 = 20.0;
const SEEN: f64 = 0.5;
/// Pairs of so many literals are looked at, spread over all.
const LITERALS: usize = 1_000;

/// The settings with the share of wrong entries that the examples suggest, and a threshold that suits it.
pub(super) fn chosen(
    variables: &Variables,
    examples: &Examples,
    given: &Given,
    settings: &Checked,
    control: &dyn Control,
) -> Checked {
    let at = |threshold: f64| {
        let chosen = Settings { threshold, auto_threshold: false, ..(**settings).clone() };
        chosen.check().unwrap_or_else(|_| settings.clone())
    };
    let share = wrong_share(variables, examples, given, &at(WIDE), control);
    let threshold = match share {
        None => 1.0,
        Some(share) => ((1.0 - share).powi(COLUMNS) - LESS).clamp(RANGE.0, RANGE.1),
    };
    let mut chosen = at(threshold);
    chosen.wrong = share;
    chosen
}

/// The share of entries that seem to be wrong; nothing if none do.
fn wrong_share(
    variables: &Variables,
    examples: &Examples,
    given: &Given,
    wide: &Checked,
    control: &dyn Control,
) -> Option<f64> {
    let alone = wide.cliques_alone().unwrap_or_else(|| wide.clone());
    let mut search = Search::new(variables, examples, given, &alone, control);
    search.is_judged = false;
    let learned = search.run();
    let rules = learned.rules.rules();
    let is_sure = |origin: &Origin| matches!(origin, Origin::Encoding);
    let encoded: Vec<Constraint> = rules
        .iter()
        .filter(|rule| is_sure(&rule.origin) && rule.evidence.support() == 1.0)
        .map(|rule| rule.constraint.clone())
        .collect();
    let encoded = match encoded.is_empty() {
        true => variables_groups(variables, examples),
        false => encoded,
    };
    let entries = Entries::new(examples.variables(), &encoded);
    let mut shares: Vec<(f64, f64)> = rules
        .iter()
        .filter(|rule| matches!(rule.origin, Origin::Learned { .. }))
        .map(|rule| (entries.share(&rule.constraint, examples), rule.evidence.expected_violations))
        .collect();
    shares.extend(of_pairs(examples, &entries, &encoded, wide));
    let columns = examples.variables() - encoded.iter().map(|rule| rule.len() - 1).sum::<usize>();
    let is_some = |share: &f64| share * columns as f64 * examples.len() as f64 >= 0.5;
    let told: f64 = shares.iter().map(|(_, nats)| nats.min(NATS)).sum();
    if told >= ENOUGH {
        return agreed(shares).filter(is_some);
    }
    if wide.templates && examples.is_complete() && !control.is_cancelled() {
        let known: Vec<Constraint> = encoded.iter().chain(given.rules.constraints()).cloned().collect();
        let wrong = Wrong { entries: &entries, share: None };
        let found = families::search(variables, &known, false, examples, (Some(wrong), wide), control);
        shares.extend(found.shares);
    }
    least(shares).filter(is_some)
}

/// The least share on which enough of the evidence agrees; nothing if that is none.
fn least(mut shares: Vec<(f64, f64)>) -> Option<f64> {
    shares.iter_mut().for_each(|(_, nats)| *nats = nats.clamp(0.0, NATS));
    shares.sort_by(|a, b| a.0.total_cmp(&b.0));
    let near = |share: f64| shares.iter().filter(move |(s, _)| *s >= share && *s <= AGREE * share);
    let weight = |share: f64| near(share).map(|(_, nats)| nats).sum::<f64>();
    let first = shares.iter().map(|(share, _)| *share).find(|&share| weight(share) >= ENOUGH)?;
    let mean = near(first).map(|(share, nats)| share * nats).sum::<f64>() / weight(first);
    (mean > 0.0).then_some(mean)
}

/// The one-hot groups of the variables that hold in all examples.
fn variables_groups(variables: &Variables, examples: &Examples) -> Vec<Constraint> {
    let groups = variables.one_hot_groups().into_iter();
    let rules = groups.map(|group| Constraint::exactly(1, group.into_iter().map(|v| v.positive())));
    rules.filter(|rule| confirm::violation(rule, examples, 1.0).is_none()).collect()
}

/// What pairs of literals say that meet far less often than independence expects.
fn of_pairs(
    examples: &Examples,
    entries: &Entries,
    encoded: &[Constraint],
    settings: &Checked,
) -> Vec<(f64, f64)> {
    let columns = Columns::new(examples);
    let all = varied(examples, &columns);
    let step = all.len().div_ceil(LITERALS).max(1);
    let literals: Vec<Lit> = all.into_iter().step_by(step).collect();
    let mut group = vec![None; examples.variables()];
    encoded.iter().enumerate().for_each(|(number, rule)| {
        rule.variables().for_each(|v| group[v.index()] = Some(number));
    });
    let is_one_column = |a: Lit, b: Lit| {
        let (a, b) = (a.var().index(), b.var().index());
        a == b || group[a].is_some() && group[a] == group[b]
    };
    let needed = confirm::needed(examples.variables(), 2, true, settings.false_alarm);
    let rarity = Rarity::up_to(SEEN);
    let pair = |a: Lit, b: Lit| {
        let expected = expected_pair(a, b, examples, &columns);
        if expected < EXPECTED {
            return None;
        }
        let seen = f64::from(columns.both(a, b));
        let nats = rarity.evidence(seen, expected).filter(|nats| *nats >= needed)?;
        let one_lacks = f64::from(columns.both(a, !b)) * entries.rise(b)
            + f64::from(columns.both(!a, b)) * entries.rise(a);
        Some((seen / one_lacks.max(1.0), nats))
    };
    literals
        .par_iter()
        .enumerate()
        .flat_map_iter(|(at, &a)| {
            let later = literals[at + 1..].iter().copied();
            later.filter(move |&b| !is_one_column(a, b)).filter_map(move |b| pair(a, b))
        })
        .collect()
}

/// The share on which a good part of the evidence agrees; nothing if that is none.
fn agreed(mut shares: Vec<(f64, f64)>) -> Option<f64> {
    shares.iter_mut().for_each(|(_, nats)| *nats = nats.clamp(0.0, NATS));
    shares.sort_by(|a, b| a.0.total_cmp(&b.0));
    let all: f64 = shares.iter().map(|(_, nats)| nats).sum();
    let mut below = 0.0;
    let (median, _) = shares.iter().find(|(_, nats)| {
        below += nats;
        below >= all / 2.0
    })?;
    let near = || shares.iter().filter(|(share, _)| *share >= median / AGREE && *share <= median * AGREE);
    let weight: f64 = near().map(|(_, nats)| nats).sum();
    let mean = near().map(|(share, nats)| share * nats).sum::<f64>() / weight.max(f64::MIN_POSITIVE);
    (mean > 0.0 && weight >= PART * all).then_some(mean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_is_the_one_that_most_of_the_evidence_agrees_on() {
        let shares = vec![(0.012, 60.0), (0.2, 20.0), (0.0, 20.0), (0.01, 60.0), (0.011, 500.0)];
        let share = agreed(shares).unwrap();
        assert!((share - 0.011).abs() < 0.001, "{share}");
        assert_eq!(agreed(vec![(0.0, 50.0), (0.0, 50.0), (0.1, 20.0)]), None, "nothing is wrong");
        assert_eq!(agreed(vec![]), None);
        let spread: Vec<(f64, f64)> = (0..7).map(|n| (0.001 * 3f64.powi(n), 20.0)).collect();
        assert_eq!(agreed(spread), None, "nothing agrees");
        let narrow = |own: f64| vec![(own, 100.0); 4].into_iter().chain(vec![(0.12, 100.0); 30]).collect();
        assert!((least(narrow(0.02)).unwrap() - 0.02).abs() < 1e-9);
        assert_eq!(least(narrow(0.0)), None, "some hold without any exception");
    }
}
