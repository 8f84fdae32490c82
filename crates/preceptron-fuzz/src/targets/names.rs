//! Expressions of derived axes, and names of variables and literals.

use std::collections::BTreeMap;

use preceptron_logic::formats::Format;
use preceptron_logic::{Expression, Variables};

use super::seeds;
use crate::{Target, outcome};

pub fn expressions() -> Target {
    Target {
        name: "expression",
        seeds: || {
            seeds(&["3*((row-1)/3) + (column-1)/3", "-a % 2", "((1))", "9223372036854775807 + 1", "é * _b2"])
        },
        words: &["(", ")", "+", "-", "*", "/", "%", "row", "(row-1)", "- - ", "((((", "1/0"],
        run: expression,
    }
}

fn expression(input: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(input) else { return "not text".to_owned() };
    let expression: Expression = match text.parse() {
        Ok(expression) => expression,
        Err(error) => return outcome::refused(&error),
    };
    assert_eq!(expression.to_string().parse().as_ref(), Ok(&expression), "what is printed is not read");
    let names = expression.names();
    let mut outcome = outcome::read(&[("length", text.len()), ("names", names.len())]);
    for value in [0, 1, -7, i64::MIN] {
        let values: BTreeMap<&str, i64> = names.iter().map(|name| (name.as_str(), value)).collect();
        outcome += &match expression.evaluate(&values) {
            Ok(value) => format!(", {}", value.signum()),
            Err(error) => format!(", {error}"),
        };
    }
    outcome
}

/// Names, one in each line; the last line is looked up among the others.
pub fn names() -> Target {
    Target {
        name: "names",
        seeds: || {
            seeds(&[
                "cell[row 1, digit 1]\ncell[row 1, digit 2]\nlamp\nnot cell[row 1,digit  2]",
                "x[i 3]\nx[i a]\nnot\nnot x\n~x\n-not",
                "a\nb[ i 1 ]\nb[i  2]\nb[j 1]\n!a",
                "opb",
            ])
        },
        words: &[
            "[", "]", ", ", "[row 1", "row 1]", "[row *", "not ", "~", "!", "-", "cell", "\n", " ", "\u{a0}",
            "é", "x",
        ],
        run: variables,
    }
}

fn variables(input: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(input) else { return "not text".to_owned() };
    let mut lines: Vec<&str> = text.lines().collect();
    let wanted = lines.pop().unwrap_or_default();
    let format = wanted.parse::<Format>().is_ok() || Format::from_path(wanted.as_ref()).is_some();
    let mut variables = match Variables::from_names(lines) {
        Ok(variables) => variables,
        Err(error) => return outcome::refused(&error),
    };
    let again = Variables::from_names(variables.names().iter().cloned());
    assert_eq!(again.as_ref(), Ok(&variables), "names change when they are read again");
    for var in variables.iter() {
        let name = variables.name(var);
        assert_eq!(variables.find(name), Some(var), "a name is not found");
        for literal in [var.positive(), var.negative()] {
            let text = variables.literal(literal);
            // What is the name of another variable stands for that one.
            if text.trim() == text && name.trim() == name && variables.find(&text).is_none() {
                assert_eq!(variables.find_literal(&text), Some(literal), "a literal is not found");
            }
        }
    }
    let found = variables.find_literal(wanted);
    let derived = wanted.parse().is_ok_and(|expression| variables.derive("derived", &expression).is_ok());
    let axis = variables.blocks().first().map(|b| (b.name().to_owned(), b.axes()[0].name().to_owned()));
    if let Some((block, axis)) = axis {
        variables.set_one_hot(&block, &axis).expect("the block has the axis");
    }
    outcome::read(&[
        ("variables", variables.len()),
        ("blocks", variables.blocks().len()),
        ("groups", variables.one_hot_groups().len()),
        ("found", found.map_or(0, |literal| 1 + usize::from(literal.is_negated()))),
        ("derived", usize::from(derived)),
        ("format", usize::from(format)),
    ])
}
