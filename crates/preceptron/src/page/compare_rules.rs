//! The rules of several runs against those of the first.

use std::collections::HashSet;

use preceptron_logic::{RelativeRule, Rule, RuleId, RuleSet, lift};

use super::Block;

/// Rules that only one run has are listed up to this number.
const SHOWN: usize = 12;

/// How many rules each run has, against those of the first; and what only one of two has.
pub fn rules_compared(sets: &[&RuleSet], names: &[String]) -> Vec<Block> {
    let [first, others @ ..] = sets else { return Vec::new() };
    let all = |rules: &RuleSet| rules.len() + rules.relative().len();
    let mut rows = vec![vec![names[0].clone(), all(first).to_string()]];
    rows[0].extend(["–", "–", "–"].map(str::to_owned));
    let mut lists = Vec::new();
    for (one, name) in others.iter().zip(&names[1..]) {
        let comparison = one.compare(first);
        let extra = comparison.extra.len() + comparison.extra_relative.len();
        let missing = comparison.missing.len() + comparison.missing_relative.len();
        let numbers = [all(one), all(one) - extra, extra, missing].map(|n| n.to_string());
        rows.push([name.clone()].into_iter().chain(numbers).collect());
        if extra + missing == 0 {
            lists.push(Block::Text(format!("{name} has the same rules as {}.", names[0])));
        }
        let here = only(one, &comparison.extra, &comparison.extra_relative);
        let there = only(first, &comparison.missing, &comparison.missing_relative);
        for (heading, words) in [
            (format!("In {name}, and not in {}", names[0]), here),
            (format!("In {}, and not in {name}", names[0]), there),
        ] {
            if !words.is_empty() {
                lists.extend([Block::Heading(heading), Block::List(words)]);
            }
        }
    }
    let (shared, missing) = (format!("also in {}", names[0]), format!("only in {}", names[0]));
    let titles = ["Run", "rules", &shared, "only here", &missing].map(str::to_owned).into();
    [vec![Block::Table { titles, rows }], lists].concat()
}

/// Some rules of a set in words, in families.
fn only(rules: &RuleSet, some: &[Rule], relative: &[RelativeRule]) -> Vec<String> {
    let mut rules = rules.clone();
    let ids: HashSet<RuleId> = some.iter().map(|rule| rule.id()).collect();
    rules.retain(|rule| ids.contains(&rule.id()));
    let mut words: Vec<String> = relative.iter().map(ToString::to_string).collect();
    words.extend(lift(&rules).iter().map(|family| match family.members.len() {
        1 => family.to_string(),
        many => format!("{family} ({many} rules)"),
    }));
    let more = words.len().saturating_sub(SHOWN);
    words.truncate(SHOWN);
    words.extend((more > 0).then(|| format!("and {more} more")));
    words
}
