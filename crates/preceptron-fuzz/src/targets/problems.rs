//! Problems to begin with, each with something that the others lack.

use preceptron_logic::{Body, Constraint, Linear, Lit, Problem, Rule, RuleSet, Soft, Sums, Var, Variables};

fn literals(numbers: &[i64]) -> Vec<Lit> {
    numbers.iter().map(|n| Lit::new(Var(n.unsigned_abs() as u32 - 1), *n < 0)).collect()
}

fn terms(terms: &[(i64, i64)]) -> Vec<(i64, Lit)> {
    terms.iter().map(|&(c, n)| (c, literals(&[n])[0])).collect()
}

/// Rules alone: ranges, a set, a gate, a clause, names with axes.
pub fn rules() -> RuleSet {
    let mut variables = Variables::blocks_of(&[
        ("cell", &[("row", 1..=2), ("digit", 1..=2)]),
        ("a|b", &[]),
        ("not lamp", &[]),
        ("名 x", &[]),
    ]);
    variables.derive("half", &"(row - 1) / 2".parse().expect("an expression")).expect("a block with rows");
    variables.set_one_hot("cell", "digit").expect("a block with digits");
    let constraints = [
        Constraint::exactly(1, literals(&[1, 2])),
        Constraint::exactly(1, literals(&[3, 4])),
        Constraint::new(literals(&[1, -3, 5, 6]), Sums::range(1, 3)),
        Constraint::new(literals(&[1, -3, 5]), Sums::set([0, 2])).gated(literals(&[-7])[0]),
        Constraint::clause(literals(&[2, -6, 7])),
    ];
    let mut rules = RuleSet::with_rules(variables, constraints.map(Rule::given));
    rules.notes.insert("data".to_owned(), "by hand".to_owned());
    rules
}

/// Weighted constraints and an objective.
pub fn objective() -> Problem {
    Problem {
        linear: vec![
            Linear { terms: terms(&[(2, 1), (3, -3), (-1, 4)]), min: Some(1), max: None },
            Linear { terms: terms(&[(2, 2), (5, 3)]), min: Some(-3), max: Some(4) },
        ],
        objective: terms(&[(4, 2), (-3, -5)]),
        objective_constant: -2,
        ..Problem::from(rules())
    }
}

/// Soft constraints and a bound on the cost.
pub fn soft() -> Problem {
    let wanted = Body::Cardinality(Constraint::clause(literals(&[3, -4])));
    let between = Body::Cardinality(Constraint::new(literals(&[1, 2, 3]), Sums::range(1, 2)));
    let weighted = Body::Linear(Linear { terms: terms(&[(2, 1), (7, 2)]), min: Some(2), max: Some(8) });
    Problem {
        soft: [(5, wanted), (1, between), (9, weighted)].map(|(weight, body)| Soft { weight, body }).to_vec(),
        cost_bound: Some(20),
        ..Problem::from(rules())
    }
}

/// Soft clauses, for the format that has no bound on the cost.
pub fn soft_clauses() -> Problem {
    Problem { cost_bound: None, ..soft() }
}
