//! The formats of solvers, each with words of its own.

use preceptron_logic::RuleSet;
use preceptron_logic::formats::{Format, read, write};

use super::round_trip::round_trip;
use super::{problems, seeds};
use crate::Target;

pub fn targets() -> [Target; 8] {
    [
        Target {
            name: "json",
            seeds: || {
                let mut all = written(Format::Json, &[]);
                let families = preceptron_logic::lift(&problems::rules()).into_iter();
                let lifted = RuleSet::of_relative(families.map(|family| family.rule));
                all.extend(write(&lifted.into(), Format::Json).map(String::into_bytes));
                all
            },
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
                "\"relative\": [",
                "\"offsets\": [-1]",
                "\"every\"",
                "\"balance\": {\"min\": 0}",
                "\"negated\": true",
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
}
