//! Rules as `precept rules` shows them: whatever was read can be explained, drawn, lifted and compared.

use preceptron_logic::formats::{Format, read};
use preceptron_logic::{Domain, explain, lift};

use super::formats::{MINIZINC_WORDS, written};
use super::round_trip::sizes;
use crate::{Target, outcome};

/// By way of MiniZinc, which holds sets and gates and has names for axes in comments.
pub fn target() -> Target {
    Target {
        name: "rules",
        seeds: || {
            let names =
                (1..=8).map(|n| format!("% name x{n} c[i {}, j {}]\nvar bool: x{n};\n", n / 3, n % 3));
            let sums = "constraint sum([x1, x2, not x3]) in {0, 2};\nconstraint sum([x4, x5, not x6]) in {0, 2};\n\
                        constraint x1 -> x2;\nconstraint x4 -> x5;\n% derived k = (i + j) % 2\n";
            let mut all = written(Format::MiniZinc, &[]);
            all.push((names.collect::<String>() + sums).into_bytes());
            all
        },
        words: MINIZINC_WORDS,
        run: shown,
    }
}

fn shown(input: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(input) else { return "not text".to_owned() };
    let problem = match read(text, Format::MiniZinc) {
        Ok(problem) => problem,
        Err(error) => return outcome::refused(&error),
    };
    let rules = &problem.rules;
    let drawn = rules.constraints().filter(|c| explain(rules.variables(), c).drawing.is_some()).count();
    let families = lift(rules);
    for member in 0..rules.len() {
        assert!(families.iter().any(|f| f.members.contains(&member)), "rule {member} is in no family");
    }
    let domain = Domain::of(rules.variables());
    assert!(families.iter().all(|family| !family.rule.ground(&domain).is_empty()), "a family is of nothing");
    assert!(rules.equality_rank() <= rules.rank() && rules.rank() <= rules.variables().len());
    assert!(rules.compare(rules).is_equal(), "rules differ from themselves");
    for rule in rules.rules() {
        assert!(rules.find_prefix(&rule.id().to_string()).contains(&rule), "a rule is not found by its id");
    }
    let lifted = outcome::read(&[("families", families.len()), ("drawn", drawn)]);
    format!("{}; {lifted}", sizes(&problem))
}
