//! Writes a few small problems in every format, with what is known of their models, for other programs
//! to check: `cargo run --example write_formats DIRECTORY`, then `scripts/check-formats.py DIRECTORY`.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use preceptron_logic::formats::{Format, FormatError, write};
use preceptron_logic::{
    Body, Constraint, Linear, Lit, Problem, Rule, RuleSet, Soft, Sums, Var, Variables, VariablesError,
};

fn main() -> Result<(), Box<dyn Error>> {
    let directory: PathBuf = std::env::args_os().nth(1).ok_or("usage: write_formats DIRECTORY")?.into();
    fs::create_dir_all(&directory)?;
    let mut expected = String::from("# problem variables models optimum\n");
    let problems = [
        ("sudoku4", sudoku4(), Some(288)),
        ("parity8", parity8(), None),
        ("gates", gates()?, None),
        ("counters", counters(), None),
        ("prices", prices(), None),
    ];
    for (name, problem, known) in problems {
        let count = problem.rules.variables().len();
        let (models, optimum) = match known {
            Some(models) => (models, None),
            None => solve(&problem, count),
        };
        let optimum = optimum.map_or("-".to_owned(), |cost| cost.to_string());
        expected.push_str(&format!("{name} {count} {models} {optimum}\n"));
        for format in Format::ALL {
            match write(&problem, format) {
                Ok(text) => fs::write(directory.join(format!("{name}.{format}")), text)?,
                Err(FormatError::CannotHold { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
    fs::write(directory.join("expected.txt"), expected)?;
    Ok(())
}

/// How many assignments violate nothing, and the least cost if there is one to speak of.
fn solve(problem: &Problem, count: usize) -> (usize, Option<i128>) {
    let costs: Vec<i128> =
        (0..1u32 << count).filter_map(|bits| problem.cost(|v: Var| bits >> v.index() & 1 == 1)).collect();
    let costly = !problem.soft.is_empty() || !problem.objective.is_empty();
    (costs.len(), costs.into_iter().min().filter(|_| costly))
}

fn set(variables: Variables, constraints: Vec<Constraint>) -> RuleSet {
    RuleSet::with_rules(variables, constraints.into_iter().map(Rule::given))
}

fn sudoku4() -> Problem {
    let variables = Variables::block("cell", &[("row", 1..=4), ("column", 1..=4), ("digit", 1..=4)]);
    let cell = |row: u32, column: u32, digit: u32| Var(16 * row + 4 * column + digit).positive();
    let mut constraints = Vec::new();
    for a in 0..4 {
        for b in 0..4 {
            constraints.push(Constraint::exactly(1, (0..4).map(|digit| cell(a, b, digit))));
            constraints.push(Constraint::exactly(1, (0..4).map(|column| cell(a, column, b))));
            constraints.push(Constraint::exactly(1, (0..4).map(|row| cell(row, a, b))));
            let place = |i: u32| (2 * (a / 2) + i / 2, 2 * (a % 2) + i % 2);
            constraints.push(Constraint::exactly(1, (0..4).map(|i| cell(place(i).0, place(i).1, b))));
        }
    }
    set(variables, constraints).into()
}

fn parity8() -> Problem {
    let variables = Variables::block("bit", &[("place", 1..=8)]);
    let even = Constraint::new((0..8).map(|v| Var(v).positive()), Sums::set([0, 2, 4, 6, 8]));
    set(variables, vec![even]).into()
}

fn gates() -> Result<Problem, VariablesError> {
    let variables = Variables::from_names([
        "plain",
        "with space",
        "quote \" and ' here",
        "semi;colon",
        "bar|bar",
        "back\\slash",
        "große Straße",
        "true",
        "light[switch up]",
        "light[switch down]",
    ])?;
    let literal = |number: i64| Lit::new(Var(number.unsigned_abs() as u32 - 1), number < 0);
    let literals = |numbers: &[i64]| numbers.iter().map(|n| literal(*n)).collect::<Vec<_>>();
    let constraints = vec![
        Constraint::exactly(2, literals(&[1, -2, 3, -4])).gated(literal(5)),
        Constraint::new(literals(&[2, 3, -6, 7, 8]), Sums::set([0, 1, 4])).gated(literal(-1)),
        Constraint::new(literals(&[5, -6, 9, 10]), Sums::range(1, 3)),
        Constraint::clause(literals(&[-7, 8, -10])),
        Constraint::at_most(1, literals(&[9, 10])),
        Constraint::new(literals(&[1, 9]), Sums::EMPTY).gated(literal(-9)),
    ];
    Ok(set(variables, constraints).into())
}

/// Constraints that are too large for clauses without counters.
fn counters() -> Problem {
    let variables = Variables::block("v", &[("i", 1..=12)]);
    let all = || (0..12).map(|v| Lit::new(Var(v), v % 3 == 0));
    let constraints = vec![
        Constraint::new(all(), Sums::range(5, 7)),
        Constraint::new(all().skip(1), Sums::set([2, 5, 8, 11])),
    ];
    set(variables, constraints).into()
}

/// Different coefficients, soft constraints, an objective.
fn prices() -> Problem {
    let variables = Variables::block("item", &[("number", 1..=8)]);
    let literal = |number: i64| Lit::new(Var(number.unsigned_abs() as u32 - 1), number < 0);
    let clause = Constraint::clause([literal(1), literal(2)]);
    let soft = |weight, body| Soft { weight, body };
    let knapsack = |min, max| Linear {
        terms: vec![(3, literal(1)), (5, literal(-2)), (-2, literal(3)), (7, literal(4)), (4, literal(5))],
        min,
        max,
    };
    let range = Constraint::new((3..=8).map(literal), Sums::range(2, 3));
    let odd = Constraint::new((1..=7).map(literal), Sums::set([1, 3, 5, 7]));
    Problem {
        linear: vec![knapsack(Some(4), Some(11))],
        soft: vec![
            soft(6, Body::Cardinality(range)),
            soft(5, Body::Cardinality(odd)),
            soft(4, Body::Linear(knapsack(Some(9), None))),
            soft(2, Body::Cardinality(Constraint::clause([literal(6), literal(-7)]))),
        ],
        objective: vec![(3, literal(1)), (-2, literal(5)), (4, literal(-8)), (1, literal(6))],
        objective_constant: 7,
        ..Problem::from(set(variables, vec![clause]))
    }
}
