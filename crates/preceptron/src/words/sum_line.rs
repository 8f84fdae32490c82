//! A constraint as the paper writes it: a sum of literals, and the values that it may have.

use preceptron_logic::{Constraint, Sums, Variables};

/// Longer sums and sets are shortened to their ends.
const SHOWN: usize = 6;

/// `x[position 1] + x[position 2] + ... + x[position 20] + y in {0, 2, ..., 20}`; nothing is said of a gate.
pub fn sum_line(variables: &Variables, constraint: &Constraint) -> String {
    let literals: Vec<String> = constraint.literals().iter().map(|l| variables.literal(*l)).collect();
    // Where what is left out is not plain from the ends, its number is said.
    let has_gaps = constraint.literals().windows(2).any(|pair| pair[1].var().0 != pair[0].var().0 + 1);
    let terms = if has_gaps { format!(" ({} terms)", literals.len()) } else { String::new() };
    let sum = match &literals[..] {
        [a, b, .., y, z] if literals.len() > SHOWN => format!("{a} + {b} + ... + {y} + {z}{terms}"),
        all => all.join(" + "),
    };
    format!("{sum} {}", allowed(constraint.sums()))
}

fn allowed(sums: &Sums) -> String {
    let values: Vec<u32> = sums.iter().collect();
    let step = |pair: &[u32]| pair[1] - pair[0];
    let is_even = values.windows(2).all(|pair| step(pair) == step(&values[..2]));
    match values[..] {
        [value] => format!("= {value}"),
        [a, b, .., z] if is_even && values.len() > 3 => format!("in {{{a}, {b}, ..., {z}}}"),
        [a, b, c, .., y, z] if values.len() > SHOWN => format!("in {{{a}, {b}, {c}, ..., {y}, {z}}}"),
        _ => format!("in {{{}}}", values.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::Var;

    fn line(count: i64, sums: Sums) -> String {
        let variables = Variables::blocks_of(&[("x", &[("position", 1..=count)]), ("y", &[])]);
        let literals: Vec<_> = variables.iter().map(Var::positive).collect();
        sum_line(&variables, &Constraint::new(literals, sums))
    }

    #[test]
    fn long_sums_are_shortened() {
        assert_eq!(
            line(20, Sums::set((0..=20).step_by(2))),
            "x[position 1] + x[position 2] + ... + x[position 20] + y in {0, 2, ..., 20}"
        );
        assert_eq!(line(2, Sums::set([0, 2])), "x[position 1] + x[position 2] + y in {0, 2}");
        assert_eq!(line(2, Sums::exactly(1)), "x[position 1] + x[position 2] + y = 1");
        assert!(line(20, Sums::set([1, 2, 5, 7, 8, 9, 11])).ends_with("in {1, 2, 5, ..., 9, 11}"));
        assert!(line(20, Sums::range(3, 17)).ends_with("in {3, 4, ..., 17}"));
        let variables = Variables::block("x", &[("position", 1..=20)]);
        let odd = (0..20).step_by(2).map(|v| Var(v).positive());
        assert_eq!(
            sum_line(&variables, &Constraint::exactly(3, odd)),
            "x[position 1] + x[position 3] + ... + x[position 17] + x[position 19] (10 terms) = 3"
        );
        assert!(line(1, Sums::EMPTY).ends_with("in {}"));
    }
}
