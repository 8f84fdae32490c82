//! Which combinations of values that the rules allow occur in the examples.
//!
//! A *column* is a one-hot group of variables, or a variable that is in none. For t columns and a value of each,
//! the combination is *missed* if the rules allow it and no example has it. If no combination of t or fewer
//! columns is missed, no rule over so few columns is missing: it would exclude a combination that the rules
//! allow, and that one was seen. This is a proof, whatever the examples were drawn from.
//!
//! What the rules allow is decided by propagation, then by the solver within a budget; a combination of which
//! neither proves that it is excluded counts as missed, so that nothing is called complete that is not.

use std::collections::HashSet;

use preceptron_base::Control;
use preceptron_logic::{Constraint, Lit, RuleSet, Var};
use preceptron_reason::Entailment;

use crate::Examples;
use crate::counting::Columns;
use crate::implied_by_propagation::Theory;

/// Combinations of more columns than this are not looked at.
const SIZES: usize = 6;
/// Words that may be looked at for one size.
const BUDGET: f64 = 1e8;
/// Proofs that may be tried, and conflicts in each of them.
const PROOFS: usize = 2_000;
const CONFLICTS: u64 = 500;
/// Missed combinations that are kept for a size.
const KEPT: usize = 20_000;

/// The combinations of some number of columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Size {
    /// Combinations that occur, and that do not though the rules allow them.
    pub(crate) seen: u64,
    pub(crate) missed: u64,
}

/// What occurs of what the rules allow.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Coverage {
    /// For 1, 2, ... columns.
    pub(crate) sizes: Vec<Size>,
    /// Missed combinations, each of which has no missed part.
    pub(crate) missed: Vec<Vec<Lit>>,
    /// How many columns there are.
    pub(crate) columns: usize,
    /// Whether larger combinations would have been too many.
    pub(crate) cut_short: bool,
}

impl Coverage {
    /// The greatest number of columns up to which every allowed combination occurs.
    pub(crate) fn complete_up_to(&self) -> usize {
        self.sizes.iter().take_while(|size| size.missed == 0).count()
    }

    /// Looks at the examples; of one that is partly observed, at what it shows.
    pub(crate) fn of(rules: &RuleSet, examples: &Examples, control: &dyn Control) -> Coverage {
        let groups = columns(rules, examples);
        let mut coverage = Coverage { columns: groups.len(), ..Coverage::default() };
        if examples.is_empty() {
            return coverage;
        }
        let mut theory = Theory::new(examples.variables());
        rules.constraints().for_each(|rule| theory.add(rule));
        let bits = Columns::new(examples);
        let mut look = Look {
            groups: &groups,
            bits: &bits,
            theory,
            entailment: None,
            rules,
            variables: examples.variables(),
            proofs: PROOFS,
            size: Size::default(),
            missed: vec![],
            known: HashSet::new(),
            control,
        };
        for t in 1..=SIZES.min(groups.len()) {
            if work(&groups, t) * (examples.words() as f64 + 4.0) > BUDGET || control.is_cancelled() {
                coverage.cut_short = true;
                break;
            }
            look.size = Size::default();
            look.known = coverage.missed.iter().cloned().collect();
            let all: Vec<u64> = (0..examples.words()).map(|word| examples.mask(word)).collect();
            look.extend(t, 0, &mut vec![], &all);
            // Of a size that was not looked at to its end nothing is known.
            if control.is_cancelled() {
                coverage.cut_short = true;
                break;
            }
            if look.proofs == 0 {
                coverage.cut_short = true;
            }
            coverage.sizes.push(look.size.clone());
            coverage.missed.append(&mut look.missed);
        }
        coverage
    }
}

/// The literals of each column.
fn columns(rules: &RuleSet, examples: &Examples) -> Vec<Vec<Lit>> {
    let one_hot = rules.variables().one_hot_groups();
    let holds = |group: &&Vec<Var>| {
        let rule = Constraint::exactly(1, group.iter().map(|v| v.positive()));
        rules.contains(&rule)
    };
    let mut taken = vec![false; examples.variables()];
    let mut columns: Vec<Vec<Lit>> = Vec::new();
    for group in one_hot.iter().filter(holds) {
        group.iter().for_each(|v| taken[v.index()] = true);
        columns.push(group.iter().map(|v| v.positive()).collect());
    }
    let plain = (0..examples.variables() as u32).map(Var).filter(|v| !taken[v.index()]);
    columns.extend(plain.map(|v| vec![v.positive(), v.negative()]));
    columns
}

/// The number of combinations of t columns: the t-th elementary symmetric sum of their numbers of values.
fn work(groups: &[Vec<Lit>], t: usize) -> f64 {
    let mut sums = vec![0.0; t + 1];
    sums[0] = 1.0;
    for group in groups {
        for size in (1..=t).rev() {
            sums[size] += sums[size - 1] * group.len() as f64;
        }
    }
    sums[t]
}

struct Look<'a> {
    groups: &'a [Vec<Lit>],
    bits: &'a Columns,
    theory: Theory,
    /// Made when it is first needed.
    entailment: Option<Entailment>,
    rules: &'a RuleSet,
    variables: usize,
    proofs: usize,
    size: Size,
    missed: Vec<Vec<Lit>>,
    /// Smaller combinations that were missed.
    known: HashSet<Vec<Lit>>,
    control: &'a dyn Control,
}

impl Look<'_> {
    /// All combinations that add `left` values of columns from `from` on to those in `chosen`, which hold in
    /// the examples of `column`.
    fn extend(&mut self, left: usize, from: usize, chosen: &mut Vec<Lit>, column: &[u64]) {
        for at in from..self.groups.len() + 1 - left {
            for value in 0..self.groups[at].len() {
                let literal = self.groups[at][value];
                let both: Vec<u64> = column.iter().zip(self.bits.of(literal)).map(|(a, b)| a & b).collect();
                chosen.push(literal);
                match (both.iter().any(|word| *word != 0), left) {
                    (true, 1) => self.size.seen += 1,
                    (true, _) => self.extend(left - 1, at + 1, chosen, &both),
                    // A part that does not occur was looked at by itself.
                    (false, 1) => self.judge(chosen),
                    (false, _) => {}
                }
                chosen.pop();
            }
            if self.control.is_cancelled() {
                return;
            }
        }
    }

    fn judge(&mut self, combination: &[Lit]) {
        // Parts stand in the order of the columns, as all combinations do.
        let part = |set: u32| -> Vec<Lit> {
            (0..combination.len()).filter(|at| set >> at & 1 == 1).map(|at| combination[at]).collect()
        };
        let has_missed_part = !self.known.is_empty()
            && (1..(1u32 << combination.len()) - 1).any(|set| self.known.contains(&part(set)));
        if has_missed_part || self.theory.refutes(combination) {
            return;
        }
        if self.proofs > 0 {
            self.proofs -= 1;
            let clause = Constraint::clause(combination.iter().map(|&literal| !literal));
            let (rules, variables) = (self.rules, self.variables);
            let entailment = self.entailment.get_or_insert_with(|| {
                let mut entailment = Entailment::new(variables, CONFLICTS);
                rules.constraints().for_each(|rule| {
                    entailment.add(rule);
                });
                entailment
            });
            if entailment.implies(0..rules.len(), &clause) {
                return;
            }
        }
        self.size.missed += 1;
        if self.missed.len() < KEPT {
            self.missed.push(combination.to_vec());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_base::Quiet;
    use preceptron_logic::{Rule, Variables};

    fn set(rules: &[Constraint]) -> RuleSet {
        let variables = Variables::from_names(["a", "b", "c", "d"]).unwrap();
        RuleSet::with_rules(variables, rules.iter().cloned().map(Rule::given))
    }

    /// All assignments of four variables that obey the rules.
    fn all(rules: &[Constraint]) -> Vec<Vec<bool>> {
        let rows = (0..16u32).map(|bits| (0..4).map(|v| bits >> v & 1 == 1).collect::<Vec<bool>>());
        rows.filter(|row| rules.iter().all(|rule| rule.holds(|v| row[v.index()]))).collect()
    }

    #[test]
    fn all_that_is_allowed_is_complete_and_less_is_not() {
        let rules = [
            Constraint::at_most(1, [0, 1].map(|v| Var(v).positive())),
            Constraint::clause([Var(2).positive(), Var(3).positive(), Var(0).negative()]),
        ];
        let rows = all(&rules);
        let coverage = Coverage::of(&set(&rules), &Examples::from_full_rows(4, &rows), &Quiet);
        assert_eq!((coverage.complete_up_to(), coverage.columns), (4, 4));
        // Without one of the rules something is missed: two columns for the first, three for the other.
        let examples = Examples::from_full_rows(4, &rows);
        let without = |rule: usize| Coverage::of(&set(&rules[rule..=rule]), &examples, &Quiet);
        assert_eq!(without(1).complete_up_to(), 1);
        assert_eq!(without(1).missed[0], [Var(0).positive(), Var(1).positive()]);
        assert_eq!((without(0).complete_up_to(), without(0).missed.len()), (2, 1));
    }

    #[test]
    fn sizes_are_counted() {
        let rows = all(&[]);
        let coverage = Coverage::of(&set(&[]), &Examples::from_full_rows(4, &rows), &Quiet);
        let seen: Vec<u64> = coverage.sizes.iter().map(|size| size.seen).collect();
        assert_eq!(seen, [8, 24, 32, 16]);
        let groups: Vec<Vec<Lit>> = (0..4).map(|v| vec![Var(v).positive(), Var(v).negative()]).collect();
        assert_eq!((1..=4).map(|t| work(&groups, t)).collect::<Vec<_>>(), [8.0, 24.0, 32.0, 16.0]);
    }

    #[test]
    fn what_partly_observed_examples_show_occurs() {
        // All pairs of a and b, all values of c and d, and none of these together.
        let show = |a, b, c, d| vec![a, b, c, d];
        let mut rows: Vec<Vec<Option<bool>>> = Vec::new();
        for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
            rows.push(show(Some(a), Some(b), None, None));
            rows.push(show(None, None, Some(a), None));
            rows.push(show(None, None, None, Some(a)));
        }
        let coverage = Coverage::of(&set(&[]), &Examples::from_rows(4, &rows), &Quiet);
        assert_eq!(coverage.sizes[0], Size { seen: 8, missed: 0 });
        assert_eq!(coverage.sizes[1], Size { seen: 4, missed: 20 });
    }
}
