//! Which of a task's true rules were found, which are missing, and which others there are.
//!
//! True rules only judge what was learned; no learner sees them.

use std::collections::HashSet;

use preceptron_logic::{RuleId, RuleSet, lift, sentence};

use super::Block;
use crate::words::count;

/// Rows of the table, and rules that are listed, up to this number.
const SHOWN: usize = 16;

/// One of the true rules, or a family of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrueRules {
    /// What they say.
    pub words: String,
    /// How many there are.
    pub all: usize,
    /// How many of them were found.
    pub found: usize,
}

/// A table of true rules found and missing, what is missing in words, and the others.
///
/// `missing` and `others` say what single rules say.
pub fn found_blocks(truth: &[TrueRules], missing: &[String], others: &[String]) -> Vec<Block> {
    let (all, found) = truth.iter().fold((0, 0), |(all, found), one| (all + one.all, found + one.found));
    let row = |one: &TrueRules| {
        let [all, found, missing] = [one.all, one.found, one.all - one.found].map(|n| n.to_string());
        vec![one.words.clone(), all, found, if missing == "0" { "none".to_owned() } else { missing }]
    };
    let single =
        |one: &TrueRules| vec![one.words.clone(), if one.found > 0 { "found" } else { "missing" }.to_owned()];
    let shown = truth.iter().take(SHOWN);
    // Where no rule stands for several, there is nothing to count.
    let (titles, rows): (&[&str], _) = match truth.iter().all(|one| one.all == 1) {
        true => (&["The task’s own rules", ""], shown.map(single).collect()),
        false => (&["The task’s own rules", "there are", "found", "missing"], shown.map(row).collect()),
    };
    let titles = titles.iter().map(|&title| title.to_owned()).collect();
    let mut blocks = vec![Block::Heading("Found and missing".to_owned()), Block::Table { titles, rows }];
    if let Some(rest) = truth.get(SHOWN..).filter(|rest| !rest.is_empty()) {
        let (all, found) = rest.iter().fold((0, 0), |(all, found), one| (all + one.all, found + one.found));
        blocks.push(Block::Faint(format!(
            "And {} more such families with {}, {found} of them found.",
            rest.len(),
            count(all, "rule")
        )));
    }
    blocks.push(Block::Text(match (all - found, others.len()) {
        (0, 0) => "None is missing, and there are no others.".to_owned(),
        (0, others) => format!("None is missing; {} beside them.", there_are(others)),
        (missing, 0) => format!("{missing} of {all} missing; there are no others."),
        (missing, others) => format!("{missing} of {all} missing; {} beside them.", there_are(others)),
    }));
    for (title, rules) in [("Missing", missing), ("Others", others)] {
        if !rules.is_empty() {
            let mut shown: Vec<String> = rules.iter().take(SHOWN).cloned().collect();
            if rules.len() > SHOWN {
                shown.push(format!("and {} more", rules.len() - SHOWN));
            }
            blocks.push(Block::Heading(format!("{title}: {}", rules.len())));
            blocks.push(Block::List(shown));
        }
    }
    blocks
}

fn there_are(others: usize) -> String {
    match others {
        1 => "there is 1 other".to_owned(),
        _ => format!("there are {others} others"),
    }
}

/// The same for sets of rules over variables of the same names: the true ones in families.
pub fn found_families(rules: &RuleSet, truth: &RuleSet) -> Vec<Block> {
    let comparison = rules.compare(truth);
    let missing: HashSet<RuleId> = comparison.missing.iter().map(|rule| rule.id()).collect();
    let mut seen = vec![false; truth.len()];
    let mut families = Vec::new();
    for family in lift(truth) {
        // A rule can be in more than one family; it counts in the first.
        let mut own = family.members.clone();
        own.retain(|&at| !std::mem::replace(&mut seen[at], true));
        let found = own.iter().filter(|&&at| !missing.contains(&truth.rules()[at].id())).count();
        if !own.is_empty() {
            families.push(TrueRules { words: family.to_string(), all: own.len(), found });
        }
    }
    let missing: Vec<String> =
        comparison.missing.iter().map(|rule| sentence(truth.variables(), &rule.constraint)).collect();
    let others: Vec<String> =
        comparison.extra.iter().map(|rule| sentence(rules.variables(), &rule.constraint)).collect();
    found_blocks(&families, &missing, &others)
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::{Constraint, Rule, Var, Variables};

    fn rules(pairs: &[[u32; 2]]) -> RuleSet {
        let names: Vec<String> = (1..=5).map(|at| format!("x[place {at}]")).collect();
        let rule = |pair: &[u32; 2]| Rule::given(Constraint::exactly(1, pair.map(|at| Var(at).positive())));
        RuleSet::with_rules(Variables::from_names(names).unwrap(), pairs.iter().map(rule))
    }

    #[test]
    fn none_missing_is_said() {
        let truth = rules(&[[0, 1], [1, 2], [2, 3], [3, 4]]);
        let said = |rules: &RuleSet| format!("{:?}", found_families(rules, &truth));
        let whole = said(&truth);
        assert!(whole.contains("None is missing, and there are no others."), "{whole}");
        assert!(!whole.contains("Missing: "), "{whole}");
        let part = said(&rules(&[[0, 1], [2, 3], [3, 4], [0, 4]]));
        assert!(part.contains("1 of 4 missing; there is 1 other beside them."), "{part}");
        assert!(part.contains("Missing: 1") && part.contains("x[place 2..3]"), "{part}");
        assert!(part.contains("Others: 1") && part.contains("x[place {1, 5}]"), "{part}");
        assert!(part.contains("\"4\", \"3\", \"1\""), "{part}");
    }

    #[test]
    fn rules_that_stand_alone_are_found_or_missing() {
        let one = |words: &str, found| TrueRules { words: words.to_owned(), all: 1, found };
        let said = format!("{:?}", found_blocks(&[one("a", 1), one("b", 0)], &[], &[]));
        assert!(said.contains("[\"a\", \"found\"], [\"b\", \"missing\"]"), "{said}");
        assert!(said.contains("1 of 2 missing; there are no others."), "{said}");
    }
}
