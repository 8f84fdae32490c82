//! The rules of Futoshiki, which judge what was learned; no learner is to call them.

use preceptron_logic::{Constraint, Rule, RuleSet};

use super::{cell_variable, checked, sign_variables, variables};

/// The 3 * side^2 rules of Latin squares (exactly one digit in each cell, each digit exactly once in each row
/// and column), and what each possible sign says of its lesser cell `a` and its greater cell `b`: not the
/// greatest digit in `a`, not 1 in `b`, and for digits between these not `d` in `a` with a lesser one in `b`.
/// That the two do not hold the same digit is said by the rules of rows and columns. They serve only to judge
/// what was learned, and to pose puzzles to a reasoner.
///
/// # Panics
/// If the side is not 4 to 7.
pub fn true_rules(side: usize) -> RuleSet {
    let mut rules = RuleSet::new(variables(checked(side)));
    let of = |row: usize, column: usize, digit| cell_variable(side, row * side + column, digit).positive();
    for unit in 0..side {
        for other in 0..side {
            let cell = Constraint::exactly(1, (0..side).map(|k| of(unit, other, k + 1)));
            let row = Constraint::exactly(1, (0..side).map(|k| of(unit, k, other + 1)));
            let column = Constraint::exactly(1, (0..side).map(|k| of(k, unit, other + 1)));
            for constraint in [cell, row, column] {
                rules.insert(Rule::given(constraint));
            }
        }
    }
    for (sign, var) in sign_variables(side) {
        let not = |cell, digit| cell_variable(side, cell, digit).negative();
        let mut clauses = vec![vec![not(sign.less, side)], vec![not(sign.greater, 1)]];
        for digit in 2..side {
            clauses.extend((2..digit).map(|less| vec![not(sign.less, digit), not(sign.greater, less)]));
        }
        for mut clause in clauses {
            clause.push(var.negative());
            rules.insert(Rule::given(Constraint::clause(clause)));
        }
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::futoshiki::{Sign, count_solutions, solutions};
    use preceptron_learn::Propagator;

    #[test]
    fn rules_are_as_many_as_they_should_be() {
        for side in 4..=7 {
            let of_a_sign = 2 + (side - 2) * (side - 3) / 2;
            assert_eq!(true_rules(side).len(), 3 * side * side + 4 * side * (side - 1) * of_a_sign);
        }
    }

    /// Of all boards of side 4 with one sign, the rules allow those that the search finds.
    #[test]
    fn rules_say_what_the_search_says() {
        let rules = true_rules(4);
        let squares = solutions(4, &[0; 16], &[], 1000);
        for (sign, var) in sign_variables(4) {
            let holds = |square: &&Vec<u8>| {
                let value = |v: preceptron_logic::Var| match v.index() < 64 {
                    true => usize::from(square[v.index() / 4]) == v.index() % 4 + 1,
                    false => v == var,
                };
                rules.constraints().all(|rule| rule.holds(value))
            };
            let allowed = squares.iter().filter(holds).count();
            assert_eq!(allowed, count_solutions(4, &[0; 16], &[sign], 1000));
            assert_eq!(allowed, 288);
        }
    }

    #[test]
    fn equal_digits_are_refuted_without_the_sign() {
        let rules = true_rules(5);
        let propagator = Propagator::new(rules.variables().len(), rules.constraints().cloned());
        for Sign { less, greater } in Sign::all(5) {
            let same = [less, greater].map(|cell| cell_variable(5, cell, 3).positive());
            assert!(propagator.run(same).is_contradiction());
        }
    }
}
