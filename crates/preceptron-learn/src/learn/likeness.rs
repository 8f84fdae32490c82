//! Rules of one form are listed together, also those that others imply.
//!
//! A minimal basis may leave out one of eight lines because a rule of another form implies it, and a reader would
//! take it for missing. The form of a rule over values is which values it is about, of columns with which values, and
//! its bounds; where more rules of a form stay than are implied, the implied ones stay too.

use std::collections::BTreeMap;

use preceptron_logic::{Constraint, Lit, Variables};

/// Forms of fewer rules that stay are no form.
const KEPT: usize = 3;
/// Of shorter rules one sees at once what they imply.
const LITERALS: usize = 3;

/// For each literal its sign, its value and all values of its column; then the sums.
type Form = (Vec<(bool, String, Vec<String>)>, Vec<u32>);

/// The implied rules that stay for their likeness to those kept, and the others.
pub(super) fn like_those_kept(
    kept: &[Constraint],
    implied: Vec<Constraint>,
    variables: &Variables,
) -> (Vec<Constraint>, Vec<Constraint>) {
    let mut forms: BTreeMap<Form, (usize, usize)> = BTreeMap::new();
    let mut count = |rules: &[Constraint], add: fn(&mut (usize, usize))| {
        let found = rules.iter().filter_map(|rule| form(rule, variables));
        found.for_each(|form| add(forms.entry(form).or_default()));
    };
    count(kept, |(kept, _)| *kept += 1);
    count(&implied, |(_, implied)| *implied += 1);
    implied.into_iter().partition(|rule| {
        let counts = form(rule, variables).and_then(|form| forms.get(&form));
        counts.is_some_and(|&(kept, implied)| kept >= KEPT && kept > implied)
    })
}

/// The form of a rule over values; nothing for one of other variables, or a short one.
fn form(rule: &Constraint, variables: &Variables) -> Option<Form> {
    if rule.len() < LITERALS || rule.gate().is_some() {
        return None;
    }
    let value = |literal: &Lit| {
        let place = variables.place(literal.var())?;
        let block = &variables.blocks()[place.block];
        let axis = block.one_hot()?;
        let labels: Vec<String> = block.axes()[axis].labels().iter().map(ToString::to_string).collect();
        Some((literal.is_negated(), labels[place.positions[axis]].clone(), labels))
    };
    let mut values = rule.literals().iter().map(value).collect::<Option<Vec<_>>>()?;
    values.sort();
    Some((values, rule.sums().iter().collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::Var;

    #[test]
    fn one_of_many_alike_stays() {
        let names = (1..=6).flat_map(|n| ["o", "x"].map(|v| format!("c{n}[value {v}]")));
        let mut variables = Variables::from_names(names).unwrap();
        (1..=6).for_each(|n| variables.set_one_hot(&format!("c{n}"), "value").unwrap());
        let x = |columns: [u32; 3]| Constraint::at_most(2, columns.map(|c| Var(2 * c + 1).positive()));
        let kept = [x([0, 1, 2]), x([3, 4, 5]), x([0, 2, 4])];
        let mixed = Constraint::at_most(2, [0, 3, 5].map(|v| Var(v).positive()));
        let (like, other) = like_those_kept(&kept, vec![x([1, 3, 5]), mixed.clone()], &variables);
        assert_eq!((like, other), (vec![x([1, 3, 5])], vec![mixed]));
        let (like, _) = like_those_kept(&kept[..2], vec![x([1, 3, 5])], &variables);
        assert!(like.is_empty(), "two are no form");
    }
}
