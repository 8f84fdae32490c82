//! Lists of rules: lifted into families, or one by one.

use std::io::{self, Write};

use preceptron_logic::{Constraint, Evidence, Origin, Rule, RuleSet, Variables};

use super::count;
use preceptron_logic::{Family, evidence_line, explain};

/// The most missing coordinates to list for a family.
const MISSING_SHOWN: usize = 5;

/// A constraint as one line.
pub fn constraint_line(variables: &Variables, constraint: &Constraint) -> String {
    explain(variables, constraint).sentence
}

/// The weakest of each kind of evidence that the rules of a family have.
fn weakest(rules: &[&Rule]) -> Evidence {
    let evidence = || rules.iter().map(|rule| &rule.evidence);
    let worst = evidence().min_by(|a, b| a.support().total_cmp(&b.support())).copied().unwrap_or_default();
    let expected = evidence().map(|e| e.expected_violations).fold(f64::INFINITY, f64::min);
    Evidence {
        situations: evidence().map(|e| e.situations).min().unwrap_or(0),
        expected_violations: if expected.is_finite() { expected } else { 0.0 },
        ..worst
    }
}

/// What stands behind a rule in a list, in brackets.
fn remark(rules: &[&Rule]) -> String {
    match &rules[0].origin {
        Origin::Encoding => "from the encoding".to_owned(),
        Origin::Given => "given".to_owned(),
        Origin::Learned { .. } => evidence_line(&weakest(rules)),
    }
}

/// Lists families, then the rules that stand alone, at most `show` of each.
pub fn list_families(
    out: &mut dyn Write,
    rules: &RuleSet,
    families: &[Family],
    show: usize,
    all: &str,
) -> io::Result<()> {
    let (many, single): (Vec<&Family>, Vec<&Family>) = families.iter().partition(|f| f.members.len() > 1);
    for family in many.iter().take(show) {
        let members: Vec<&Rule> = family.members.iter().map(|&at| &rules.rules()[at]).collect();
        let size = match family.expected > members.len() {
            true => format!("{} of {} rules", members.len(), family.expected),
            false => count(members.len(), "rule"),
        };
        writeln!(out, "  {family}  ({size}; {})", remark(&members))?;
        let missing = family.but_for();
        if !missing.is_empty() {
            let shown = missing.iter().take(MISSING_SHOWN).map(String::as_str).collect::<Vec<_>>();
            let more = missing.len() - shown.len();
            let more = if more > 0 { format!("; and {more} more") } else { String::new() };
            writeln!(out, "    but not for {}{more}", shown.join("; "))?;
        }
    }
    for family in single.iter().take(show) {
        let rule = &rules.rules()[family.members[0]];
        writeln!(out, "  {}  {family}  ({})", rule.id(), remark(&[rule]))?;
    }
    let hidden = many.len().saturating_sub(show) + single.len().saturating_sub(show);
    more(out, hidden, all)
}

/// Lists rules one by one, at most `show` of them.
pub fn list_rules<'a>(
    out: &mut dyn Write,
    variables: &Variables,
    rules: impl ExactSizeIterator<Item = &'a Rule>,
    show: usize,
    all: &str,
) -> io::Result<()> {
    let hidden = rules.len().saturating_sub(show);
    for rule in rules.take(show) {
        let line = constraint_line(variables, &rule.constraint);
        writeln!(out, "  {}  {line}  ({})", rule.id(), remark(&[rule]))?;
    }
    more(out, hidden, all)
}

fn more(out: &mut dyn Write, hidden: usize, all: &str) -> io::Result<()> {
    match hidden {
        0 => Ok(()),
        _ => writeln!(out, "  ... and {hidden} more ({all})"),
    }
}
