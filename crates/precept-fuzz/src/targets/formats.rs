//! The formats of solvers. What was read is written and read again, and must cost the same.

use precept_logic::formats::{Format, read, write};
use precept_logic::{Problem, Var};

use super::{problems, seeds};
use crate::{Target, outcome};

pub fn targets() -> [Target; 8] {
    [
        Target {
            name: "json",
            seeds: || written(Format::Json, &[]),
            words: &[
                "\"names\"",
                "\"derived\"",
                "\"one_hot\"",
                "\"gate\": ",
                "\"range\": [",
                "\"set\": [",
                "{}",
                "null",
                "\"axis\"",
                "\"expression\"",
                "\"learned\"",
                "\"notes\": {",
                "\\u0000",
                "x[i 1]",
                "[[[[",
                "\"id\"",
            ],
            run: |input| round_trip(&with_ids(input), Format::Json),
        },
        Target {
            name: "opb",
            seeds: || {
                let by_hand = [
                    "* #variable= 2 #constraint= 1\nmin: +1 x1 -2 ~x2 ;\n-1 x1 -1 x2 >= -1 ;\n+1 x1 +1 x2 >= 1 ;",
                    "max:1*x1 - 2*~x2;\n1*x1 1*x2=1;",
                ];
                written(Format::Opb, &by_hand)
            },
            words: OPB_WORDS,
            run: |input| round_trip(input, Format::Opb),
        },
        Target {
            name: "wbo",
            seeds: || {
                let by_hand =
                    ["soft: 5 ;\n[2] +1 x1 +2 x2 >= 2 ;\n[3] +1 ~x1 >= 1 ;\n", "soft: ;\n[1] +1 x1 = 0 ;"];
                let mut all = seeds(&by_hand);
                all.extend(
                    [problems::soft(), problems::soft_clauses()]
                        .iter()
                        .filter_map(|p| write(p, Format::Opb).ok().map(String::into_bytes)),
                );
                all
            },
            words: OPB_WORDS,
            run: |input| round_trip(input, Format::Opb),
        },
        Target {
            name: "wcnf",
            seeds: || {
                written(Format::Wcnf, &["c old\np wcnf 3 3 10\n10 1 -2 0\n3 2 0\n4 -1\n 3 0\n", "h 0\n1 1 0"])
            },
            words: &[
                "p wcnf ",
                "h ",
                " 0\n",
                "c name 1 ",
                "c derived a = ",
                "c one-hot ",
                "c objective constant ",
                "%",
            ],
            run: |input| round_trip(input, Format::Wcnf),
        },
        Target {
            name: "cnf",
            seeds: || written(Format::Cnf, &["p cnf 3 2\n1 -2 0\n2\n 3 0\n%\n0\n"]),
            words: &[
                "p cnf ",
                " 0\n",
                "c name 1 ",
                "c name 2 x[row 1]",
                "c derived a = ",
                "c one-hot ",
                "%",
                "-",
            ],
            run: |input| round_trip(input, Format::Cnf),
        },
        Target {
            name: "smt2",
            seeds: || {
                written(Format::SmtLib, &["(declare-fun a () Bool)\n(assert (=> a (not a)))\n(assert (or))"])
            },
            words: &[
                "(assert ",
                "(=> ",
                "(ite ",
                "(let ((sum ",
                "(or ",
                "(not ",
                "(+ ",
                "(- ",
                "(<= ",
                "(< |cost| ",
                "(declare-const |a| Bool)",
                "(define-fun |cost| () Int (+ 0 ",
                ")",
                "|",
                "\"",
                "; name x1 ",
                "true",
                "false",
                "(minimize |cost|)",
            ],
            run: |input| round_trip(input, Format::SmtLib),
        },
        Target {
            name: "mzn",
            seeds: || written(Format::MiniZinc, &["var bool: a;constraint a->true;solve satisfy;"]),
            words: MINIZINC_WORDS,
            run: |input| round_trip(input, Format::MiniZinc),
        },
        Target {
            name: "lp",
            seeds: || {
                let by_hand = [
                    "\\ by hand\nMAXIMIZE 3a - b + 2\nst\n c1: a + b + 2.0 c <= 3\n 1 <= a + b <= 2\n -1 >= - a - c\n\
                     bounds\n 0 <= c <= 1\n b = 0\nbin a b\ngeneral c\nend\n",
                ];
                written(Format::Lp, &by_hand)
            },
            words: &[
                "Minimize\n",
                "Maximize\n",
                "Subject To\n",
                "Bounds\n",
                "Binary\n",
                "General\n",
                "End\n",
                "obj:",
                "_min:",
                "_max:",
                " >= ",
                " =< ",
                "<=",
                " - ",
                " + ",
                "free",
                "\\ name x1 ",
                "\\ derived a = ",
                ":",
                "->",
                "[",
                "0 x1",
            ],
            run: |input| round_trip(input, Format::Lp),
        },
    ]
}

const OPB_WORDS: &[&str] = &[
    ">=",
    "<=",
    "=",
    ";",
    "~x1",
    "+1 x1 ",
    "-1 ~x2 ",
    "min: ",
    "max: ",
    "soft: ",
    "[",
    "]",
    "* #variable= ",
    "* name x1 ",
    "* derived a = row / 2",
    "* one-hot cell digit",
    "* objective constant ",
    "* rule 0",
    "+",
    "x0",
];

pub(super) const MINIZINC_WORDS: &[&str] = &[
    "constraint ",
    "var bool: x1;\n",
    "sum([",
    "])",
    " in {",
    "}",
    "..",
    " -> ",
    " \\/ ",
    "not ",
    "bool2int(",
    "var int: cost = 0 + sum([",
    "constraint cost < ",
    "solve minimize cost;",
    "solve satisfy;",
    "% name x1 ",
    "% name x2 x[row 1]",
    "% derived half = ",
    "% one-hot x row",
    " = ",
    " >= ",
    " <= ",
    "true",
    "false",
    "*",
    ";",
    "x1, x2, x3",
    "cell[row 1, digit *",
];

/// Every problem that the format can hold, and some texts.
pub(super) fn written(format: Format, by_hand: &[&str]) -> Vec<Vec<u8>> {
    let all = [problems::rules().into(), problems::objective(), problems::soft(), problems::soft_clauses()];
    let texts = all.iter().filter_map(|problem| write(problem, format).ok());
    texts.map(String::into_bytes).chain(seeds(by_hand)).collect()
}

/// The rules of a file in JSON carry a hash of their content, so a changed rule is refused for that alone.
/// Here the reader's word for the right one is taken, as long as it has one.
fn with_ids(input: &[u8]) -> Vec<u8> {
    let Ok(mut text) = String::from_utf8(input.to_vec()) else { return input.to_vec() };
    for _ in 0..20 {
        let Err(error) = read(&text, Format::Json) else { break };
        let error = error.to_string();
        let found = error
            .split_once("its id is ")
            .and_then(|(_, rest)| rest.split_once(", but its content has the id "));
        let right = found.and_then(|(old, rest)| Some((old, rest.split_once(':')?.0)));
        match right {
            Some((old, new)) if text.contains(old) => text = text.replacen(old, new, 1),
            _ => break,
        }
    }
    text.into_bytes()
}

fn round_trip(input: &[u8], format: Format) -> String {
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
    }
    sizes(&problem)
}

/// How large the parts of a problem are.
pub(super) fn sizes(problem: &Problem) -> String {
    let rules = &problem.rules;
    // Few words for the slow ones, so that few of them are kept.
    if rules.variables().len() > 4000 {
        return "read: large".to_owned();
    }
    let is_set = |c: &&precept_logic::Constraint| matches!(c.sums(), precept_logic::Sums::Set(_));
    outcome::read(&[
        ("variables", rules.variables().len()),
        ("blocks", rules.variables().blocks().len()),
        ("rules", rules.len()),
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
    use super::*;

    #[test]
    fn seeds_are_read_and_ids_are_mended() {
        for target in targets() {
            for seed in (target.seeds)() {
                assert!((target.run)(&seed).starts_with("read: "), "{}", String::from_utf8_lossy(&seed));
            }
        }
        let text = write(&problems::rules().into(), Format::Json).unwrap().replace("\"range\"", "\"set\"");
        assert!(read(&text, Format::Json).is_err());
        assert!(round_trip(&with_ids(text.as_bytes()), Format::Json).starts_with("read: "));
    }

    #[test]
    #[should_panic = "another cost"]
    fn another_problem_is_told() {
        let mut other = problems::objective();
        other.objective_constant += 1;
        assert_same(&problems::objective(), &other, "");
    }
}
