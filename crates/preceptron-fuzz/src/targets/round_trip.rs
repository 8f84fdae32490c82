//! What was read from a solver's format is written and read again, and must cost the same.

use preceptron_logic::formats::{Format, read, write};
use preceptron_logic::{Constraint, Problem, Sums, Var};

use crate::outcome;

/// Reads a problem, writes it, reads that, and compares.
pub fn round_trip(input: &[u8], format: Format) -> String {
    let Ok(text) = std::str::from_utf8(input) else { return "not text".to_owned() };
    let problem = match read(text, format) {
        Ok(problem) => problem,
        Err(error) => return outcome::refused(&error),
    };
    let written = match write(&problem, format) {
        Ok(written) => written,
        Err(error) => return format!("not written: {}", outcome::refused(&error)),
    };
    let back =
        read(&written, format).unwrap_or_else(|e| panic!("what was written is not read: {e}\n{written}"));
    assert_same(&problem, &back, &written);
    if format == Format::Json {
        assert_eq!(problem, back, "JSON is without loss");
        let mut relative = problem.rules.relative().iter();
        assert!(relative.all(|rule| rule.says_the_same(rule) && !rule.to_string().is_empty()));
    }
    sizes(&problem)
}

/// How large the parts of a problem are.
pub fn sizes(problem: &Problem) -> String {
    let rules = &problem.rules;
    // Few words for the slow ones, so that few of them are kept.
    if rules.variables().len() > 4000 {
        return "read: large".to_owned();
    }
    let is_set = |c: &&Constraint| matches!(c.sums(), Sums::Set(_));
    outcome::read(&[
        ("variables", rules.variables().len()),
        ("blocks", rules.variables().blocks().len()),
        ("rules", rules.len()),
        ("relative", rules.relative().len()),
        ("gates", rules.constraints().filter(|c| c.gate().is_some()).count()),
        ("sets", rules.constraints().filter(is_set).count()),
        ("linear", problem.linear.len()),
        ("soft", problem.soft.len()),
        ("objective", problem.objective.len()),
        ("constant", usize::from(problem.objective_constant != 0)),
        ("bound", usize::from(problem.cost_bound.is_some())),
    ])
}

/// Of so many variables all assignments are tried.
const FEW: usize = 7;

/// That the second problem has the variables of the first, perhaps with auxiliary ones after them, and
/// that assignments cost the same: all of them if the variables are few, else some.
fn assert_same(one: &Problem, other: &Problem, text: &str) {
    let names = one.rules.variables().names();
    let more = other.rules.variables().names();
    assert!(more.len() >= names.len() && names == &more[..names.len()], "the names have changed\n{text}");
    let auxiliary = more.len() - names.len();
    assert!(more[names.len()..].iter().all(|name| name.starts_with("aux ")), "new names\n{text}");
    let few = |count: usize| if count <= FEW { 1u64 << count } else { 8 };
    for first in 0..few(names.len()) {
        let cost = one.cost(|var| bit(first, var.index(), names.len()));
        let costs = (0..few(auxiliary)).map(|second| {
            other.cost(|var: Var| match var.index().checked_sub(names.len()) {
                None => bit(first, var.index(), names.len()),
                Some(index) => bit(second, index, auxiliary),
            })
        });
        let least = costs.flatten().min();
        if auxiliary <= FEW {
            assert_eq!(least, cost, "another cost of assignment {first}\n{text}");
        } else if let Some(least) = least {
            assert!(cost.is_some_and(|cost| cost <= least), "a lower cost of assignment {first}\n{text}");
        }
    }
}

/// The value of a variable in an assignment: all assignments if the variables are few, else all false,
/// all true, and mixtures.
fn bit(assignment: u64, index: usize, count: usize) -> bool {
    match assignment {
        _ if count <= FEW => assignment >> index & 1 == 1,
        0 | 1 => assignment == 1,
        _ => (assignment << 32 | index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 63 == 1,
    }
}

#[cfg(test)]
mod tests {
    use super::super::problems;
    use super::*;

    #[test]
    #[should_panic = "another cost"]
    fn another_problem_is_told() {
        let mut other = problems::objective();
        other.objective_constant += 1;
        assert_same(&problems::objective(), &other, "");
    }
}
