//! What a counterexample would have to obey: some rules, and not others. That nothing does is that the rules imply the
//! others, which a proof can show.

use preceptron_logic::{Constraint, Lit, Problem, Rule, RuleSet, Sums, Var, Variables};

/// The problem whose assignments obey the first rules and violate one of the second, or a name that the first do not have.
///
/// ```text
/// rules,   v_1 -> rule 1 is violated,   v_2 -> rule 2 is violated, ...,   v_1 or v_2 or ...
/// ```
/// The variables are those of the first, and one for each of the second rules after them.
///
/// # Errors
/// If a rule of the second is about a name that is not among the variables of the first.
pub fn counterexample(first: &RuleSet, second: &RuleSet) -> Result<Problem, String> {
    let own = first.variables();
    let asked = second.over(own).map_err(|unknown| unknown.to_string())?;
    let mut names: Vec<String> = own.names().to_vec();
    let known = names.len() as u32;
    let mut number = 0;
    for _ in asked.constraints() {
        // A name that is taken is passed over.
        let name = loop {
            number += 1;
            let name = format!("rule {number} is violated");
            if own.find(&name).is_none() {
                break name;
            }
        };
        names.push(name);
    }
    // Where nothing is asked, nothing can be violated: a variable that must be true and false.
    if asked.is_empty() {
        names.push("a rule is violated".to_owned());
    }
    let variables = Variables::from_names(names).map_err(|error| error.to_string())?;
    let mut rules = RuleSet::with_rules(variables, first.constraints().cloned().map(Rule::given));
    let mut violated: Vec<Lit> = Vec::new();
    for (place, rule) in (known..).zip(asked.constraints()) {
        let is_violated = Var(place).positive();
        violated.push(is_violated);
        if let Some(gate) = rule.gate() {
            rules.insert(Rule::given(Constraint::clause([!is_violated, gate])));
        }
        let others = (0..=rule.len() as u32).filter(|&sum| !rule.sums().contains(sum));
        let not = Constraint::new(rule.literals().iter().copied(), Sums::set(others));
        rules.insert(Rule::given(not.gated(is_violated)));
    }
    let one = match violated.first() {
        Some(_) => vec![Constraint::clause(violated)],
        None => {
            let any = Var(known).positive();
            vec![Constraint::clause([any]), Constraint::clause([!any])]
        }
    };
    for constraint in one {
        rules.insert(Rule::given(constraint));
    }
    Ok(Problem::from(rules))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Backend, Query, Status};

    #[test]
    fn nothing_violates_what_is_implied() {
        let variables = Variables::from_names(["a", "b", "c"]).unwrap();
        let [a, b, c] = [0, 1, 2].map(|v| Var(v).positive());
        let set = |rules: Vec<Constraint>| {
            RuleSet::with_rules(variables.clone(), rules.into_iter().map(Rule::given))
        };
        let one = set(vec![Constraint::exactly(1, [a, b, c])]);
        let parts = set(vec![
            Constraint::clause([a, b, c]),
            Constraint::new([a, b, c], Sums::range(0, 1)),
            Constraint::new([a, b], Sums::set([0, 1])).gated(c),
        ]);
        let status = |first: &RuleSet, second: &RuleSet| {
            let mut reasoner = Backend::Batsat.load(counterexample(first, second).unwrap()).unwrap();
            let answer = reasoner.solve(&Query::default()).unwrap();
            (answer.status, answer.solution.map(|solution| solution.values[..3].to_vec()))
        };
        assert_eq!(status(&one, &parts), (Status::Infeasible, None));
        assert_eq!(status(&parts, &one), (Status::Infeasible, None));
        assert_eq!(status(&one, &set(vec![])).0, Status::Infeasible);
        let few = set(vec![Constraint::clause([a, b, c])]);
        let (status, values) = status(&few, &one);
        assert_eq!(status, Status::Optimal);
        assert!(values.unwrap().iter().filter(|value| **value).count() > 1);
    }
}
