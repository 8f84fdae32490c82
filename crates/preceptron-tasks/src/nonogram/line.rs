//! What rules on nonograms speak of, and a line of a board as a domain for them.
//!
//! ```text
//! cell[place]                the cell at a place is black
//! started[run, place]        a run has started by a place
//! ended[run, place]          a run has ended before a place
//! clue[run]                  the length of a run, a number
//! ```
//! A clause holds for every run and place for which the runs and places that it names are there. A sum is
//! over every run of a line, or over every place; negated terms are taken off.

use preceptron_logic::{Domain, RelativeRule, RelativeTerm, RuleSet, Select, Var};

/// So many runs and places in a row can be in one rule.
pub const SPAN: i64 = 2;

/// So many after the one at hand.
pub fn after(offset: i64) -> Select {
    Select::Offsets(vec![offset])
}

/// A term on runs that have `started` or `ended`.
pub fn run(block: &str, run: Select, place: Select) -> RelativeTerm {
    RelativeTerm::new(block, &[("run", run), ("place", place)])
}

/// The cell at the place at hand.
pub fn cell() -> RelativeTerm {
    RelativeTerm::new("cell", &[("place", after(0))])
}

/// The length of the run at hand.
pub fn clue() -> RelativeTerm {
    RelativeTerm::new("clue", &[("run", after(0))])
}

/// Started and ended of so many runs in a row at so many places in a row.
pub fn neighbours() -> Vec<RelativeTerm> {
    let offsets = || (0..SPAN).flat_map(|run| (0..SPAN).map(move |place| (after(run), after(place))));
    let blocks = ["started", "ended"].into_iter();
    blocks.flat_map(|block| offsets().map(move |(at, place)| run(block, at, place))).collect()
}

/// The place of a term in the order in which terms are said.
pub fn order(term: &RelativeTerm) -> (usize, &[(String, Select)]) {
    let blocks = ["cell", "started", "ended", "clue"];
    (blocks.iter().position(|block| *block == term.block).unwrap_or(blocks.len()), &term.at)
}

/// A line of cells with its clue: the cells by their variables, and from a first one on the variables of
/// runs, those that have started before those that have ended, each run at all places.
pub fn domain(cells: &[usize], first: usize, clue: &[usize]) -> Domain {
    let count = clue.len() * cells.len();
    let (runs, places) = (("run", 1..=clue.len() as i64), ("place", 1..=cells.len() as i64));
    let literals = |first: usize| (first..first + count).map(|var| Var(var as u32).positive());
    // No run is longer than its line, and one more is enough to say so.
    let lengths = clue.iter().map(|&run| run.min(cells.len() + 1) as i64);
    Domain::default()
        .with_block(
            "cell",
            std::slice::from_ref(&places),
            cells.iter().map(|&cell| Var(cell as u32).positive()),
        )
        .with_block("started", &[runs.clone(), places.clone()], literals(first))
        .with_block("ended", &[runs.clone(), places], literals(first + count))
        .with_numbers("clue", &[runs], lengths)
}

/// A rule set that is not one of rules on nonograms.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no variable of a rule on nonograms")]
pub struct NotOfNonograms(String);

/// The rules on nonograms of a set.
///
/// # Errors
/// If it has other rules.
pub fn rules_of(rules: &RuleSet) -> Result<&[RelativeRule], NotOfNonograms> {
    let axes = |block: &str| match block {
        "cell" => &["place"][..],
        "started" | "ended" => &["run", "place"],
        "clue" => &["run"],
        _ => &[],
    };
    let is_known = |term: &RelativeTerm| term.at.iter().map(|(axis, _)| axis).eq(axes(&term.block));
    let terms = rules.relative().iter().flat_map(|rule| rule.terms.iter().chain(&rule.gate));
    let other = terms.filter(|term| term.at.is_empty() || !is_known(term)).map(RelativeTerm::to_string);
    let ground = rules.constraints().flat_map(|constraint| constraint.variables());
    match ground.map(|var| rules.variables().name(var).to_owned()).chain(other).next() {
        Some(name) => Err(NotOfNonograms(name)),
        None => Ok(rules.relative()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nonogram::words::{implies, no_touch, sum};
    use preceptron_logic::{Constraint, Rule, Variables};

    /// Four places, runs of 2 and 1; started are the variables 4 to 11, ended 12 to 19.
    #[test]
    fn rules_on_a_line() {
        let line = domain(&[0, 1, 2, 3], 4, &[2, 1]);
        let clauses = no_touch().ground(&line);
        assert_eq!(clauses.len(), 3);
        assert_eq!(clauses[0], Constraint::clause([Var(9).negative(), Var(12).positive()]));
        let (starts, ends) = (run("started", after(0), Select::Every), run("ended", after(0), Select::Every));
        let sums = sum([clue(), ends, starts.not()]).ground(&line);
        let literals = (4..8).map(|v| Var(v).positive()).chain((12..16).map(|v| Var(v).negative()));
        assert_eq!((sums.len(), &sums[0]), (2, &Constraint::exactly(6, literals)));
        // A run that is longer than the line cannot be.
        let stays = implies(run("started", after(0), after(0)), run("started", after(0), after(1)));
        assert_eq!(stays.ground(&domain(&[0], 1, &[9])), []);
    }

    #[test]
    fn other_rule_sets_are_refused() {
        let rule = Rule::given(Constraint::exactly(1, [Var(0).positive(), Var(1).positive()]));
        let rules = RuleSet::with_rules(Variables::from_names(["a", "b"]).unwrap(), [rule]);
        let error = rules_of(&rules).unwrap_err().to_string();
        assert_eq!(error, "\"a\" is no variable of a rule on nonograms");
        let flat = RelativeTerm::new("started", &[("place", after(0))]);
        let rules = RuleSet::of_relative([implies(flat, cell())]);
        let error = rules_of(&rules).unwrap_err().to_string();
        assert_eq!(error, "\"not started[place]\" is no variable of a rule on nonograms");
        assert!(rules_of(&RuleSet::of_relative([no_touch()])).is_ok());
    }
}
