//! Round trips through every format, against a plain search for models.

mod files;
mod search;

use proptest::prelude::*;

use super::clauses::Clauses;
use super::symbols::Auxiliaries;
use super::{Format, read, write};
use crate::{Body, Constraint, Linear, Lit, Problem, Rule, RuleSet, Soft, Sums, Var, Variables};
use search::{assignments, best};

const NAMES: [&str; 18] = [
    "a b",
    "say \"x\"",
    "é|ü",
    "x;1",
    "x2",
    "x10",
    "aux 1",
    "cost",
    "back\\slash",
    "cell[row 1, column 2]",
    "cell[row 2, column 1]",
    " lead",
    "sum",
    "% c",
    "not x",
    "名",
    "|",
    "true",
];

fn variables() -> impl Strategy<Value = Variables> {
    prop::sample::subsequence(NAMES.to_vec(), 1..=5)
        .prop_shuffle()
        .prop_map(|names| Variables::from_names(names).unwrap())
}

fn sums(count: u32) -> impl Strategy<Value = Sums> {
    prop_oneof![
        (0..=count, 0..=count).prop_map(|(a, b)| Sums::range(a.min(b), a.max(b))),
        prop::collection::vec(0..=count, 0..4).prop_map(Sums::set),
    ]
}

fn literal(count: u32) -> impl Strategy<Value = Lit> {
    (0..count, any::<bool>()).prop_map(|(v, negated)| Lit::new(Var(v), negated))
}

fn literals(count: u32) -> impl Strategy<Value = Vec<Lit>> {
    let all: Vec<u32> = (0..count).collect();
    let chosen = prop::sample::subsequence(all, 0..=count as usize);
    (chosen, prop::collection::vec(any::<bool>(), count as usize))
        .prop_map(|(chosen, signs)| chosen.iter().zip(signs).map(|(&v, s)| Lit::new(Var(v), s)).collect())
}

fn constraint(count: u32) -> impl Strategy<Value = Constraint> {
    (literals(count), sums(count), prop::option::of(literal(count))).prop_map(|(literals, sums, gate)| {
        let constraint = Constraint::new(literals, sums);
        gate.map_or(constraint.clone(), |gate| constraint.gated(gate))
    })
}

fn rules() -> impl Strategy<Value = RuleSet> {
    variables().prop_flat_map(|variables| {
        prop::collection::vec(constraint(variables.len() as u32), 0..4)
            .prop_map(move |c| RuleSet::with_rules(variables.clone(), c.into_iter().map(Rule::given)))
    })
}

fn terms(count: u32) -> impl Strategy<Value = Vec<(i64, Lit)>> {
    (literals(count), prop::collection::vec(prop_oneof![-4i64..=-1, 1i64..=4], count as usize))
        .prop_map(|(literals, coefficients)| coefficients.into_iter().zip(literals).collect())
}

fn linear(count: u32) -> impl Strategy<Value = Linear> {
    (terms(count), prop::option::of(-6i64..6), prop::option::of(-6i64..6))
        .prop_map(|(terms, min, max)| Linear { terms, min, max })
}

fn problem() -> impl Strategy<Value = Problem> {
    rules().prop_flat_map(|rules| {
        let count = rules.variables().len() as u32;
        let body =
            prop_oneof![constraint(count).prop_map(Body::Cardinality), linear(count).prop_map(Body::Linear)];
        let soft = (1u64..5, body).prop_map(|(weight, body)| Soft { weight, body });
        (
            prop::collection::vec(linear(count), 0..2),
            prop::collection::vec(soft, 0..3),
            terms(count),
            -3i64..3,
            prop::option::of(1u64..12),
        )
            .prop_map(move |(linear, soft, objective, objective_constant, cost_bound)| Problem {
                rules: rules.clone(),
                linear,
                soft,
                objective,
                objective_constant,
                cost_bound,
                numbers: crate::numbers::NumberRules::default(),
            })
    })
}

/// A coefficient and the factors of a product, repeated and contrary ones at times.
fn product() -> impl Strategy<Value = (i64, Vec<Lit>)> {
    (-3i64..4, prop::collection::vec(literal(4), 1..5))
}

/// That what was read has the same variables, perhaps with auxiliary ones after them, and that every
/// assignment of the first can be extended at the same cost, or cannot.
fn assert_same(original: &Problem, back: &Problem, text: &str) {
    let names = original.rules.variables().names();
    let back_names = back.rules.variables().names();
    assert_eq!(names, &back_names[..names.len()], "{text}");
    assert!(back_names[names.len()..].iter().all(|n| n.starts_with("aux ")), "{text}");
    for assignment in assignments(names.len()) {
        let value = |v: Var| assignment[v.index()];
        assert_eq!(original.cost(value), best(back, &assignment), "{assignment:?}\n{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn rules_keep_their_models_in_every_format(rules in rules()) {
        for format in Format::ALL {
            let original = Problem::from(rules.clone());
            let text = write(&original, format).unwrap();
            let back = read(&text, format).unwrap_or_else(|e| panic!("{e}\n{text}"));
            assert_same(&original, &back, &text);
            if [Format::Json, Format::SmtLib, Format::MiniZinc].contains(&format) {
                prop_assert_eq!(back, original);
            }
        }
    }

    #[test]
    fn ranges_without_gates_come_back_as_they_were(rules in rules()) {
        let mut rules = rules;
        rules.retain(|r| r.constraint.gate().is_none() && !r.constraint.is_empty() && !matches!(r.constraint.sums(), Sums::Set(_)));
        for format in [Format::Opb, Format::Lp] {
            let text = write(&rules.clone().into(), format).unwrap();
            prop_assert_eq!(&read(&text, format).unwrap().rules, &rules, "{}", text);
        }
        rules.retain(|r| r.constraint.as_clause().is_some());
        for format in [Format::Cnf, Format::Wcnf] {
            let text = write(&rules.clone().into(), format).unwrap();
            prop_assert_eq!(&read(&text, format).unwrap().rules, &rules, "{}", text);
        }
    }

    #[test]
    fn problems_keep_the_cost_of_every_assignment(problem in problem()) {
        for format in Format::ALL.into_iter().filter(|&format| format != Format::Cnf) {
            let mut problem = problem.clone();
            if format == Format::Wcnf || (format == Format::Opb && problem.objective_constant > 0) {
                problem.cost_bound = None;
            }
            match write(&problem, format) {
                Ok(text) => {
                    let back = read(&text, format).unwrap_or_else(|e| panic!("{e}\n{text}"));
                    assert_same(&problem, &back, &text);
                    if format == Format::Json {
                        prop_assert_eq!(back, problem);
                    }
                }
                Err(error) => {
                    prop_assert_eq!(error.to_string(), "");
                }
            }
        }
    }

    #[test]
    fn products_cost_what_their_factors_say(
        rows in prop::collection::vec((prop::collection::vec(product(), 0..4), -3i64..4, 0..4u32), 1..4),
        objective in prop::collection::vec(product(), 0..4),
    ) {
        let spelled = |terms: &[(i64, Vec<Lit>)]| {
            let sign = |l: &Lit| if l.is_negated() { "~" } else { "" };
            let factors = |f: &[Lit]| f.iter().map(|l| format!(" {}x{}", sign(l), l.var().0 + 1)).collect::<String>();
            terms.iter().map(|(c, f)| format!("{c:+}{} ", factors(f))).collect::<String>()
        };
        // Relations 0 and 1 are hard, 2 and 3 soft.
        let weight = |relation: u32| if relation < 2 { "" } else { "[3] " };
        let is_soft = rows.iter().any(|row| row.2 >= 2);
        let mut text = "* #variable= 4\n".to_owned();
        text += &if is_soft { "soft: ;\n".to_owned() } else { format!("min: {};\n", spelled(&objective)) };
        for (terms, bound, relation) in &rows {
            let sign = if relation % 2 == 0 { ">=" } else { "=" };
            text += &format!("{}{}{sign} {bound} ;\n", weight(*relation), spelled(terms));
        }
        let problem = read(&text, Format::Opb).unwrap_or_else(|e| panic!("{e}\n{text}"));
        for assignment in assignments(4) {
            let sum = |terms: &[(i64, Vec<Lit>)]| -> i64 {
                let is_one = |f: &[Lit]| f.iter().all(|l| l.holds(assignment[l.var().index()]));
                terms.iter().filter(|(_, f)| is_one(f)).map(|(c, _)| c).sum()
            };
            let mut cost = Some(if is_soft { 0 } else { i128::from(sum(&objective)) });
            for (terms, bound, relation) in &rows {
                let holds = if relation % 2 == 0 { sum(terms) >= *bound } else { sum(terms) == *bound };
                if !holds {
                    cost = cost.filter(|_| *relation >= 2).map(|cost| cost + 3);
                }
            }
            prop_assert_eq!(best(&problem, &assignment), cost, "{:?}\n{}", assignment, text);
        }
    }

    #[test]
    fn counters_have_the_models_of_the_constraint(constraint in constraint(6)) {
        let variables = Variables::block("v", &[("i", 1..=6)]);
        let mut clauses = Clauses { auxiliaries: Auxiliaries::new(&variables), clauses: vec![], direct: 0 };
        clauses.add(&Body::Cardinality(constraint.clone()), &[]);
        let names = variables.names().iter().chain(&clauses.auxiliaries.names).cloned();
        let rules = clauses.clauses.iter().map(|c| Rule::given(Constraint::clause(c.iter().copied())));
        let counters = RuleSet::with_rules(Variables::from_names(names).unwrap(), rules).into();
        for assignment in assignments(6) {
            let holds = constraint.holds(|v| assignment[v.index()]);
            prop_assert_eq!(holds, best(&counters, &assignment).is_some());
        }
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in "[-+~cphx|()\\[\\]{}:;,.<>=*% \\\\\n0-9a-z]{0,60}") {
        for format in Format::ALL {
            let _ = read(&text, format);
        }
    }

    #[test]
    fn a_damaged_file_is_read_or_refused(problem in problem(), at in any::<prop::sample::Index>(), with in "[-+~|();:= \n0-9a-z]{0,3}") {
        for format in [Format::Opb, Format::Wcnf, Format::SmtLib, Format::MiniZinc, Format::Lp] {
            let Ok(text) = write(&Problem { cost_bound: None, ..problem.clone() }, format) else { continue };
            let mut characters: Vec<char> = text.chars().collect();
            let at = at.index(characters.len());
            characters.splice(at..(at + 2).min(characters.len()), with.chars());
            let damaged: String = characters.into_iter().collect();
            if let Err(error) = read(&damaged, format) {
                prop_assert!(!error.to_string().contains('\n'), "{}", error);
            }
        }
    }
}

#[test]
fn only_json_holds_relative_rules() {
    let group = |row: u32| Constraint::exactly(1, [Var(2 * row).positive(), Var(2 * row + 1).positive()]);
    let variables = Variables::block("x", &[("row", 1..=3), ("digit", 1..=2)]);
    let rules = RuleSet::with_rules(variables.clone(), (0..3).map(|row| Rule::given(group(row))));
    let lifted = RuleSet::of_relative(crate::lift(&rules).into_iter().map(|family| family.rule));
    for format in Format::ALL {
        match write(&lifted.clone().into(), format) {
            Ok(text) => assert_eq!(read(&text, format).unwrap().rules, lifted),
            Err(error) => {
                let what = "relative rules, which are not yet put on variables";
                assert_eq!(error.to_string(), format!("{format} cannot hold {what}"));
            }
        }
        assert!(write(&lifted.grounded(&variables).unwrap().into(), format).is_ok());
    }
}

#[test]
fn axes_survive_in_every_format() {
    let mut variables = Variables::block("my cell", &[("row", 1..=4), ("digit", 1..=2)]);
    variables.derive("half", &"(row-1)/2".parse().unwrap()).unwrap();
    variables.set_one_hot("my cell", "digit").unwrap();
    let group = |row: u32| [Var(2 * row).positive(), Var(2 * row + 1).positive()];
    let rules = (0..3).map(|row| Rule::given(Constraint::exactly(1, group(row))));
    let original = RuleSet::with_rules(variables, rules);
    for format in Format::ALL {
        let text = write(&original.clone().into(), format).unwrap();
        assert_eq!(read(&text, format).unwrap().rules.variables(), original.variables(), "{text}");
    }
}
