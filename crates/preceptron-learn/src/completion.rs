//! What rules say of the entries that examples do not show (imputation of missing values).

use std::collections::BTreeMap;

use preceptron_logic::{Lit, RuleSet, Var};
use rayon::prelude::*;

use crate::{Examples, Propagation, Propagator};

/// Examples with all that rules fix in them by propagation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What the examples show and what the rules fix. An example that the rules contradict is as it was.
    pub examples: Examples,
    /// How many entries the rules fix.
    pub fixed: u64,
    /// The examples that the rules contradict, from 0.
    pub contradicted: Vec<usize>,
}

/// Completes examples by rules.
///
/// # Panics
/// If the rules are over more variables than the examples have.
pub fn complete(rules: &RuleSet, examples: &Examples) -> Completion {
    let propagator = Propagator::new(examples.variables(), rules.constraints().cloned());
    let rows: Vec<(Vec<Option<bool>>, Option<u64>)> = observed(examples)
        .into_par_iter()
        .map(|known| {
            let state = propagator.run(known.iter().copied());
            if state.is_contradiction() {
                let mut row = vec![None; examples.variables()];
                known.iter().for_each(|l| row[l.var().index()] = Some(!l.is_negated()));
                return (row, None);
            }
            let values = (0..examples.variables() as u32).map(|v| state.value(Var(v)));
            (values.collect(), Some(state.fixed().count() as u64))
        })
        .collect();
    let contradicted = (0..rows.len()).filter(|&row| rows[row].1.is_none()).collect();
    let fixed = rows.iter().filter_map(|(_, fixed)| *fixed).sum();
    let rows: Vec<Vec<Option<bool>>> = rows.into_iter().map(|(row, _)| row).collect();
    Completion { examples: Examples::from_rows(examples.variables(), &rows), fixed, contradicted }
}

/// What each example shows, as literals.
pub(crate) fn observed(examples: &Examples) -> Vec<Vec<Lit>> {
    let literal = |row: usize, var: Var| examples.get(row, var).map(|value| Lit::new(var, !value));
    let vars = || (0..examples.variables() as u32).map(Var);
    (0..examples.len()).into_par_iter().map(|row| vars().filter_map(|v| literal(row, v)).collect()).collect()
}

/// Variables that are observed in the same examples, such as those of one symbol. For a search their values
/// count when all of them are fixed: if only the false ones did, means would come out too low.
pub(crate) struct Symbols {
    /// The symbol of each variable.
    of: Vec<usize>,
    count: usize,
}

impl Symbols {
    pub(crate) fn new(examples: &Examples) -> Symbols {
        let mut numbers: BTreeMap<Option<&[u64]>, usize> = BTreeMap::new();
        let of = (0..examples.variables() as u32)
            .map(|v| {
                let next = numbers.len();
                *numbers.entry(examples.known(Var(v))).or_insert(next)
            })
            .collect();
        Symbols { of, count: numbers.len() }
    }

    /// The number of each variable's symbol.
    pub(crate) fn numbers(&self) -> &[usize] {
        &self.of
    }

    /// The symbols that are known or fixed in each example, as far as these variables are part of them.
    pub(crate) fn completed<'a>(
        &self,
        vars: &[u32],
        known: &[Vec<Lit>],
        propagate: impl Fn(&[Lit]) -> Propagation<'a> + Sync,
    ) -> Examples {
        let rows: Vec<Vec<Option<bool>>> = known
            .par_iter()
            .map(|literals| {
                let state = propagate(literals);
                let mut whole = vec![true; self.count];
                for (v, &symbol) in (0..).zip(&self.of) {
                    whole[symbol] &= state.value(Var(v)).is_some();
                }
                vars.iter().map(|&v| state.value(Var(v)).filter(|_| whole[self.of[v as usize]])).collect()
            })
            .collect();
        Examples::from_rows(vars.len(), &rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::{Constraint, Rule, Variables};

    fn rules() -> RuleSet {
        let one_of = |vars: [u32; 3]| Rule::given(Constraint::exactly(1, vars.map(|v| Var(v).positive())));
        let variables = Variables::from_names(["a", "b", "c", "d", "e"]).unwrap();
        RuleSet::with_rules(variables, [one_of([0, 1, 2]), one_of([2, 3, 4])])
    }

    #[test]
    fn entries_are_fixed_and_contradicted_examples_stay() {
        let (yes, no) = (Some(true), Some(false));
        let rows = [[None, None, yes, None, None], [no, no, None, None, None], [yes, yes, None, None, None]];
        let completion = complete(&rules(), &Examples::from_rows(5, &rows));
        let expected = [[no, no, yes, no, no], [no, no, yes, no, no], rows[2]];
        assert_eq!(completion.examples, Examples::from_rows(5, &expected));
        assert_eq!((completion.fixed, completion.contradicted), (4 + 3, vec![2]));
    }

    #[test]
    fn symbols_count_when_they_are_whole() {
        let (yes, no) = (Some(true), Some(false));
        // The first two and the last two are observed together.
        let rows = [[no, yes, no, None, None], [no, yes, None, None, None], [None, None, yes, no, no]];
        let examples = Examples::from_rows(5, &rows);
        let propagator = Propagator::new(5, rules().constraints().cloned());
        let symbols = Symbols::new(&examples);
        let run = |known: &[Lit]| propagator.run(known.iter().copied());
        let shown = symbols.completed(&[0, 2, 3], &observed(&examples), run);
        let expected = [[no, no, None], [no, no, None], [no, yes, no]];
        assert_eq!(shown, Examples::from_rows(3, &expected));
    }
}
