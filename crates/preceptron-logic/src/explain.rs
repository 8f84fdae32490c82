//! Rules and their evidence in words.

use crate::statement::{Form, Quantity, Statement};
use crate::{Constraint, Evidence, Part, Variables, draw};

/// A rule for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// What the rule says.
    pub sentence: String,
    /// Where its variables stand, if their axes make a grid of a size to look at.
    pub drawing: Option<String>,
}

/// What a constraint says, in a sentence and where possible in a drawing.
pub fn explain(variables: &Variables, constraint: &Constraint) -> Explanation {
    Explanation { sentence: sentence(variables, constraint), drawing: draw(variables, constraint) }
}

/// What a constraint says, in a sentence: `exactly 1 of cell[row 2, column *, digit 3]`.
pub fn sentence(variables: &Variables, constraint: &Constraint) -> String {
    let statement = Statement::new(variables, constraint, true);
    let word = |part: &Part| {
        let term = part.relative(variables, |_, _, _| None);
        (term.to_string(), term.is_literal())
    };
    let groups: Vec<Vec<Word>> =
        statement.groups.iter().map(|group| group.iter().map(word).collect()).collect();
    let gate = statement.gate.as_ref().map(|gate| word(gate).0);
    words(&statement.form, &groups, gate.as_deref())
}

/// A part of a statement in words, and whether it names one literal rather than a set.
pub(crate) type Word = (String, bool);

/// A form in words, of groups of parts in words.
pub(crate) fn words(form: &Form, groups: &[Vec<Word>], gate: Option<&str>) -> String {
    let spelled: Vec<Vec<&str>> =
        groups.iter().map(|group| group.iter().map(|(text, _)| text.as_str()).collect()).collect();
    let is_listed = |group: usize| groups[group].iter().all(|(_, is_literal)| *is_literal);
    let commas = |group: usize| spelled[group].join(", ");
    // A group of several parts needs brackets where something follows it.
    let bracketed = |group: usize| match &spelled[group][..] {
        [one] => (*one).to_owned(),
        several => format!("{{{}}}", several.join(", ")),
    };
    let joined = |group: usize, word: &str, many: &str| match is_listed(group) && spelled[group].len() <= 3 {
        true => spelled[group].join(word),
        false => format!("{many} {}", commas(group)),
    };
    let is_pair = |form: &Form| match form {
        Form::More(0) => (0..2).all(|g| is_listed(g) && spelled[g].len() == 1),
        _ => is_listed(0) && spelled[0].len() == 2,
    };
    let body = match form {
        Form::Trivial => "anything is allowed".to_owned(),
        Form::Impossible => "nothing is allowed".to_owned(),
        Form::Always if gate.is_some() => commas(0),
        Form::Never if gate.is_some() => format!("not {}", commas(0)),
        Form::Always => format!("{} is always true", commas(0)),
        Form::Never => format!("{} is never true", commas(0)),
        Form::Count(quantity) => format!("{} of {}", quantity.words(), commas(0)),
        form @ Form::NotAll if is_pair(form) => format!("not both {}", spelled[0].join(" and ")),
        Form::NotAll => format!("not all of {}", commas(0)),
        Form::If => {
            format!("if {} then {}", joined(0, " and ", "all of"), joined(1, " or ", "at least 1 of"))
        }
        form @ Form::More(0) if is_pair(form) => format!("{} exactly when {}", commas(0), commas(1)),
        Form::More(0) => format!("as many of {} as of {}", bracketed(0), bracketed(1)),
        Form::More(difference) => {
            format!("exactly {difference} more of {} than of {}", bracketed(0), bracketed(1))
        }
        // A single literal can make room for one only.
        Form::AtLeastAsMany if is_listed(0) && spelled[0].len() == 1 => {
            format!("at most 1 of {}, and only with {}", commas(1), commas(0))
        }
        Form::AtLeastAsMany => format!("at least as many of {} as of {}", bracketed(0), bracketed(1)),
        Form::Difference(min, max) => {
            let bounds = match (min, max) {
                (Some(min), Some(max)) => format!("between {min} and {max}"),
                (Some(min), None) => format!("at least {min}"),
                (None, Some(max)) => format!("at most {max}"),
                (None, None) => "any number".to_owned(),
            };
            format!("{bounds} more of {} than of {}", bracketed(0), bracketed(1))
        }
    };
    match (gate, form) {
        (None, _) => body,
        (Some(gate), Form::Always | Form::Never) => format!("if {gate} then {body}"),
        (Some(gate), _) => format!("if {gate}: {body}"),
    }
}

impl Quantity {
    fn words(&self) -> String {
        match self {
            Quantity::All => "all".to_owned(),
            Quantity::None => "none".to_owned(),
            Quantity::Exactly(sum) => format!("exactly {sum}"),
            Quantity::AtLeast(least) => format!("at least {least}"),
            Quantity::AtMost(most) => format!("at most {most}"),
            Quantity::Between(least, most) => format!("between {least} and {most}"),
            Quantity::Even(count) => format!("an even number ({})", steps(0, *count)),
            Quantity::Odd(count) => format!("an odd number ({})", steps(1, *count)),
            Quantity::OneOf(values) => alternatives(values),
        }
    }
}

/// Every second number: all if they are few, else how they begin.
fn steps(first: u32, last: u32) -> String {
    let values: Vec<u32> = (first..=last).step_by(2).collect();
    match values[..] {
        [a, b, c, _, ..] => format!("{a}, {b}, {c}, ..."),
        _ => alternatives(&values),
    }
}

fn alternatives(values: &[u32]) -> String {
    let words: Vec<String> = values.iter().map(u32::to_string).collect();
    enumerate(&words, "or")
}

/// `a`, `a or b`, `a, b or c`.
pub(crate) fn enumerate(words: &[String], link: &str) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} {link} {last}", first.join(", ")),
        _ => words.join(""),
    }
}

/// What the examples say of a rule, in a line: `holds in all 9,000 examples (1,000.0 violations expected by
/// chance), 9 situations`.
pub fn evidence_line(evidence: &Evidence) -> String {
    let counted = |count: u64, noun: &str| {
        format!("{} {noun}{}", thousands(&count.to_string()), if count == 1 { "" } else { "s" })
    };
    let mut line = match (evidence.examples, evidence.violated) {
        (0, _) => "no example decides it".to_owned(),
        (1, 0) => "holds in the only example".to_owned(),
        (all, 0) => format!("holds in all {}", counted(all, "example")),
        (all, _) => {
            format!("holds in {} of {}", thousands(&evidence.satisfied.to_string()), counted(all, "example"))
        }
    };
    if evidence.violated > 0 {
        line += &format!(", violated in {}", thousands(&evidence.violated.to_string()));
    }
    if evidence.examples > 0 {
        line += &format!(
            " ({} violations expected by chance)",
            thousands(&format!("{:.1}", evidence.expected_violations))
        );
    }
    if evidence.situations > 0 {
        line += &format!(", {}", counted(evidence.situations, "situation"));
    }
    if evidence.undecided > 0 {
        line += &format!(", undecided in {}", thousands(&evidence.undecided.to_string()));
    }
    line
}

/// A number with commas between its thousands.
fn thousands(number: &str) -> String {
    let whole = number.bytes().take_while(u8::is_ascii_digit).count();
    let mut text = String::new();
    for (at, character) in number.chars().enumerate() {
        if at > 0 && at < whole && (whole - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(character);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Lit, Sums};

    fn say(variables: &Variables, sums: Sums, names: &[&str]) -> String {
        sentence(variables, &Constraint::new(literals(variables, names), sums))
    }

    fn literals(variables: &Variables, names: &[&str]) -> Vec<Lit> {
        names.iter().map(|name| variables.find_literal(name).unwrap()).collect()
    }

    #[test]
    fn every_form_of_rule_has_its_words() {
        let v = Variables::from_names(["a", "b", "c", "d", "e", "f", "g"]).unwrap();
        let cases: [(Sums, &[&str]); 26] = [
            (Sums::exactly(1), &["a"]),
            (Sums::exactly(1), &["not a"]),
            (Sums::exactly(1), &["a", "b", "c"]),
            (Sums::exactly(3), &["a", "b", "c"]),
            (Sums::exactly(0), &["a", "b", "c"]),
            (Sums::exactly(3), &["a", "b", "not c"]),
            (Sums::range(0, 2), &["a", "b", "c", "d"]),
            (Sums::range(2, 4), &["a", "b", "c", "d"]),
            (Sums::range(2, 3), &["a", "b", "c", "d"]),
            (Sums::range(0, 1), &["a", "b"]),
            (Sums::range(1, 2), &["a", "b"]),
            (Sums::range(1, 2), &["not a", "b"]),
            (Sums::range(1, 2), &["a", "not b"]),
            (Sums::exactly(1), &["a", "not b"]),
            (Sums::range(1, 3), &["a", "b", "c"]),
            (Sums::range(0, 2), &["a", "b", "c"]),
            (Sums::range(1, 3), &["a", "not b", "c"]),
            (Sums::range(1, 6), &["a", "b", "not c", "d", "e", "f"]),
            (Sums::set([0, 2]), &["a", "b", "c"]),
            (Sums::set([1, 3, 5, 7]), &["a", "b", "c", "d", "e", "f", "g"]),
            (Sums::set([0, 3, 5]), &["a", "b", "c", "d", "e"]),
            (Sums::set([0, 2]), &["a", "b"]),
            (Sums::set([0, 2]), &["a", "not b"]),
            (Sums::exactly(2), &["a", "b", "not c", "not d"]),
            (Sums::exactly(3), &["a", "b", "not c", "not d"]),
            (Sums::range(2, 4), &["a", "b", "not c", "not d"]),
        ];
        let lines: Vec<String> = cases.into_iter().map(|(sums, names)| say(&v, sums, names)).collect();
        insta::assert_snapshot!(lines.join("\n"), @"
        a is always true
        a is never true
        exactly 1 of a, b, c
        all of a, b, c
        none of a, b, c
        all of a, b, not c
        at most 2 of a, b, c, d
        at least 2 of a, b, c, d
        between 2 and 3 of a, b, c, d
        not both a and b
        at least 1 of a, b
        if a then b
        if b then a
        a exactly when b
        at least 1 of a, b, c
        not all of a, b, c
        if b then a or c
        if c then at least 1 of a, b, d, e, f
        an even number (0 or 2) of a, b, c
        an odd number (1, 3, 5, ...) of a, b, c, d, e, f, g
        0, 3 or 5 of a, b, c, d, e
        a exactly when b
        exactly 1 of a, b
        as many of {a, b} as of {c, d}
        exactly 1 more of {a, b} than of {c, d}
        at least as many of {a, b} as of {c, d}
        ");
    }

    #[test]
    fn gates_come_first() {
        let v = Variables::from_names(["a", "b", "c", "g"]).unwrap();
        let gate = v.find_literal("g").unwrap();
        let l = |names: &[&str]| literals(&v, names);
        let lines = [
            sentence(&v, &Constraint::exactly(2, l(&["a", "b", "c"])).gated(gate)),
            sentence(&v, &Constraint::at_most(1, l(&["a", "b"])).gated(!gate)),
            sentence(&v, &Constraint::exactly(1, l(&["a"])).gated(gate)),
            sentence(&v, &Constraint::exactly(0, l(&["a"])).gated(gate)),
            sentence(&v, &Constraint::exactly(3, l(&["a"])).gated(gate)),
            sentence(&v, &Constraint::exactly(3, l(&["a"])).gated(!gate)),
            sentence(&v, &Constraint::exactly(3, l(&["a"]))),
            sentence(&v, &Constraint::at_most(3, l(&["a"]))),
        ];
        insta::assert_snapshot!(lines.join("\n"), @"
        if g: exactly 2 of a, b, c
        if not g: not both a and b
        if g then a
        if g then not a
        g is never true
        g is always true
        nothing is allowed
        anything is allowed
        ");
    }

    #[test]
    fn terms_stand_for_many_literals() {
        let mut v = Variables::blocks_of(&[
            ("cell", &[("row", 1..=4), ("column", 1..=4), ("digit", 1..=4)]),
            ("sum", &[("digit", 1..=4)]),
        ]);
        v.derive("box", &"2*((row-1)/2) + (column-1)/2".parse().unwrap()).unwrap();
        v.derive("diagonal", &"row - column".parse().unwrap()).unwrap();
        let at = |wanted: &dyn Fn(i64, i64, i64) -> bool| -> Vec<Lit> {
            let all = (0..64).filter(|n| wanted(n / 16 + 1, n / 4 % 4 + 1, n % 4 + 1));
            all.map(|n| crate::Var(n as u32).positive()).collect()
        };
        let both = |mut positive: Vec<Lit>, negative: &[&str]| {
            positive.extend(literals(&v, negative));
            positive
        };
        let sums = ["not sum[digit 1]", "not sum[digit 2]", "not sum[digit 3]", "not sum[digit 4]"];
        let lines = [
            at(&|r, _, d| r == 2 && d == 3),
            at(&|r, c, d| r > 2 && c < 3 && d == 3),
            at(&|r, c, d| r > 2 && c != 2 && d == 3),
            at(&|r, c, d| r != 2 && c == 3 && d == 3),
            at(&|r, c, d| r == c && d == 1),
            at(&|r, c, d| r == c && r != 2 && d == 1),
            at(&|r, c, d| r == 1 && c == 1 && d > 1),
            at(&|r, c, d| d == 2 && (r == 1 && c < 4 || r == 3 && c == 2)),
            at(&|r, c, d| {
                d == 2 && (r == 1 && c == 4 || r == 2 && c < 3 || r == 3 && c == 1 || r == 4 && c > 2)
            }),
            both(at(&|r, c, _| r == 1 && c == 1), &sums),
        ]
        .map(|literals| {
            sentence(
                &v,
                &Constraint::exactly(
                    literals.iter().filter(|l| l.is_negated()).count().max(1) as u32,
                    literals,
                ),
            )
        });
        insta::assert_snapshot!(lines.join("\n"), @"
        exactly 1 of cell[row 2, column *, digit 3]
        exactly 1 of cell[digit 3, box 2]
        exactly 1 of cell[row 3..4, column {1, 3, 4}, digit 3]
        exactly 1 of cell[row {1, 3, 4}, column 3, digit 3]
        exactly 1 of cell[digit 1, diagonal 0]
        exactly 1 of cell[column {1, 3, 4}, digit 1, diagonal 0]
        exactly 1 of cell[row 1, column 1, digit 2..4]
        exactly 1 of cell[row 1, column 1..3, digit 2], cell[row 3, column 2, digit 2]
        exactly 1 of cell[row 1, column 4, digit 2], cell[row 2, column 1, digit 2], cell[row 2, column 2, digit 2], cell[row 3, column 1, digit 2], cell[row 4, column 3, digit 2], cell[row 4, column 4, digit 2]
        as many of cell[row 1, column 1, digit *] as of sum[digit *]
        ");
    }

    #[test]
    fn evidence_in_a_line() {
        let all = Evidence {
            examples: 9000,
            satisfied: 9000,
            violated: 0,
            undecided: 0,
            situations: 9,
            expected_violations: 1000.0,
        };
        let lines = [
            all,
            Evidence { satisfied: 8950, violated: 50, undecided: 1234567, ..all },
            Evidence { examples: 1, satisfied: 1, situations: 1, expected_violations: 0.04, ..all },
            Evidence { undecided: 12, ..Evidence::default() },
            Evidence::default(),
        ];
        insta::assert_snapshot!(lines.map(|e| evidence_line(&e)).join("\n"), @"
        holds in all 9,000 examples (1,000.0 violations expected by chance), 9 situations
        holds in 8,950 of 9,000 examples, violated in 50 (1,000.0 violations expected by chance), 9 situations, undecided in 1,234,567
        holds in the only example (0.0 violations expected by chance), 1 situation
        no example decides it, undecided in 12
        no example decides it
        ");
    }
}
