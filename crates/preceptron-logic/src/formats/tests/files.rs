//! What written files look like, and what is said of files that cannot be read.

use std::path::Path;

use super::super::{Format, read, write};
use crate::{Constraint, Linear, Lit, Problem, Rule, RuleSet, Soft, Sums, Var, Variables};

/// An exactly-one, a gated set over a negation, a weighted row, a soft clause, a price.
fn small() -> Problem {
    let mut variables =
        Variables::from_names(["cell[row 1, digit 1]", "cell[row 1, digit 2]", "a|b", "lamp"]).unwrap();
    variables.set_one_hot("cell", "digit").unwrap();
    let literal = |number: i64| Lit::new(Var(number.unsigned_abs() as u32 - 1), number < 0);
    let literals = |numbers: &[i64]| numbers.iter().map(|n| literal(*n)).collect::<Vec<_>>();
    let constraints = [
        Constraint::exactly(1, literals(&[1, 2])),
        Constraint::new(literals(&[1, -3]), Sums::set([0, 2])).gated(literal(4)),
    ];
    let weighted = [(2, literal(1)), (3, literal(-3)), (-1, literal(4))];
    let wanted = Constraint::clause(literals(&[3, -4]));
    Problem {
        linear: vec![Linear { terms: weighted.to_vec(), min: Some(1), max: None }],
        soft: vec![Soft { weight: 5, body: crate::Body::Cardinality(wanted) }],
        objective: vec![(4, literal(2))],
        ..Problem::from(RuleSet::with_rules(variables, constraints.map(Rule::given)))
    }
}

/// The rules of [`small`] alone.
fn small_rules() -> Problem {
    small().rules.into()
}

#[test]
fn opb_file() {
    insta::assert_snapshot!(write(&small(), Format::Opb).unwrap(), @r##"
    * #variable= 6 #constraint= 7
    * name x1 cell[row 1, digit 1]
    * name x2 cell[row 1, digit 2]
    * name x3 a|b
    * name x4 lamp
    * name x5 aux 1
    * name x6 aux 2
    * one-hot cell digit
    soft: ;
    * rule a60d5f92d2ef
    +1 x1 +1 x2 = 1 ;
    * rule ad249f958519
    +1 x5 +1 x6 = 1 ;
    +1 x1 +1 ~x3 -2 x6 +2 ~x4 >= 0 ;
    +1 x1 +1 ~x3 -2 x6 -2 ~x4 <= 0 ;
    +2 x1 +3 ~x3 -1 x4 >= 1 ;
    [5] +1 x3 +1 ~x4 >= 1 ;
    [4] +1 x2 <= 0 ;
    "##);
}

#[test]
fn opb_rules_file() {
    insta::assert_snapshot!(write(&small_rules(), Format::Opb).unwrap(), @r##"
    * #variable= 6 #constraint= 4
    * name x1 cell[row 1, digit 1]
    * name x2 cell[row 1, digit 2]
    * name x3 a|b
    * name x4 lamp
    * name x5 aux 1
    * name x6 aux 2
    * one-hot cell digit
    * rule a60d5f92d2ef
    +1 x1 +1 x2 = 1 ;
    * rule ad249f958519
    +1 x5 +1 x6 = 1 ;
    +1 x1 +1 ~x3 -2 x6 +2 ~x4 >= 0 ;
    +1 x1 +1 ~x3 -2 x6 -2 ~x4 <= 0 ;
    "##);
}

#[test]
fn wcnf_file() {
    insta::assert_snapshot!(write(&small(), Format::Wcnf).unwrap(), @r##"
    c name 1 cell[row 1, digit 1]
    c name 2 cell[row 1, digit 2]
    c name 3 a|b
    c name 4 lamp
    c name 5 aux 1
    c name 6 aux 2
    c name 7 aux 3
    c name 8 aux 4
    c one-hot cell digit
    c rule a60d5f92d2ef
    h 1 2 0
    h -1 -2 0
    c rule ad249f958519
    h -1 -3 -4 0
    h 1 3 -4 0
    h -3 -4 -5 0
    h -3 -4 -6 0
    h 3 -4 5 0
    h 3 -4 -6 0
    h -3 4 5 0
    h -3 4 -6 0
    h 3 4 -5 0
    h 3 4 6 0
    h 1 -3 6 -7 0
    h 1 -3 6 -8 0
    h -1 -3 6 7 0
    h -1 -3 6 -8 0
    h 1 3 6 7 0
    h 1 3 6 -8 0
    h -1 3 6 -7 0
    h -1 3 6 8 0
    h 1 -3 -6 7 0
    h 1 -3 -6 -8 0
    h -1 -3 -6 -7 0
    h -1 -3 -6 8 0
    h 1 3 -6 -7 0
    h 1 3 -6 8 0
    h -1 3 -6 7 0
    h -1 3 -6 8 0
    h -5 -7 -8 0
    h 7 8 0
    5 3 -4 0
    4 -2 0
    "##);
}

#[test]
fn cnf_file() {
    insta::assert_snapshot!(write(&small_rules(), Format::Cnf).unwrap(), @r##"
    c name 1 cell[row 1, digit 1]
    c name 2 cell[row 1, digit 2]
    c name 3 a|b
    c name 4 lamp
    c one-hot cell digit
    p cnf 4 4
    c rule a60d5f92d2ef
    1 2 0
    -1 -2 0
    c rule ad249f958519
    -1 -3 -4 0
    1 3 -4 0
    "##);
}

#[test]
fn smtlib_file() {
    insta::assert_snapshot!(write(&small(), Format::SmtLib).unwrap(), @r##"
    ; one-hot cell digit
    (set-logic QF_LIA)
    (declare-const |cell[row 1, digit 1]| Bool)
    (declare-const |cell[row 1, digit 2]| Bool)
    ; name x3 a|b
    (declare-const x3 Bool)
    (declare-const |lamp| Bool)
    ; rule a60d5f92d2ef
    (assert (= (+ (ite |cell[row 1, digit 1]| 1 0) (ite |cell[row 1, digit 2]| 1 0)) 1))
    ; rule ad249f958519
    (assert (=> |lamp| (let ((sum (+ (ite |cell[row 1, digit 1]| 1 0) (ite x3 0 1)))) (or (= sum 0) (= sum 2)))))
    (assert (>= (+ (ite |cell[row 1, digit 1]| 2 0) (ite x3 0 3) (ite |lamp| (- 1) 0)) 1))
    (define-fun |cost| () Int (+ 0 0 (ite |cell[row 1, digit 2]| 4 0) (ite (or x3 (not |lamp|)) 0 5)))
    (minimize |cost|)
    (check-sat)
    (get-model)
    "##);
}

#[test]
fn minizinc_file() {
    insta::assert_snapshot!(write(&small(), Format::MiniZinc).unwrap(), @r##"
    % name cell_row_1_digit_1 cell[row 1, digit 1]
    % name cell_row_1_digit_2 cell[row 1, digit 2]
    % name v_a_b a|b
    % name v_lamp lamp
    % one-hot cell digit
    var bool: cell_row_1_digit_1;
    var bool: cell_row_1_digit_2;
    var bool: v_a_b;
    var bool: v_lamp;
    % rule a60d5f92d2ef
    constraint sum([cell_row_1_digit_1, cell_row_1_digit_2]) = 1;
    % rule ad249f958519
    constraint v_lamp -> sum([cell_row_1_digit_1, not v_a_b]) in {0, 2};
    constraint sum([2*bool2int(cell_row_1_digit_1), 3*bool2int(not v_a_b), -1*bool2int(v_lamp)]) >= 1;
    var int: cost = 0 + sum([4*bool2int(cell_row_1_digit_2), 5*bool2int(not (v_a_b \/ not v_lamp))]);
    solve minimize cost;
    "##);
}

#[test]
fn lp_file() {
    insta::assert_snapshot!(write(&small(), Format::Lp).unwrap(), @r##"
    \ name x1 cell[row 1, digit 1]
    \ name x2 cell[row 1, digit 2]
    \ name x3 a|b
    \ name x4 lamp
    \ name x5 aux 1
    \ name x6 aux 2
    \ name x7 aux 3
    \ one-hot cell digit
    Minimize
     obj: 4 x2 - 5 x7 + 5
    Subject To
     rule_a60d5f92d2ef: x1 + x2 = 1
     rule_ad249f958519_part1: x5 + x6 = 1
     rule_ad249f958519_part2: x1 - x3 - 2 x6 - 2 x4 >= -3
     rule_ad249f958519_part3: x1 - x3 - 2 x6 + 2 x4 <= 1
     row_1: 2 x1 - 3 x3 - x4 >= -2
     row_2: x3 - x4 - x7 >= -1
    Binary
     x1 x2 x3 x4 x5 x6 x7
    End
    "##);
}

/// The message for a text that cannot be read.
fn message(text: &str, format: Format) -> String {
    match read(text, format) {
        Ok(_) => "read".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn messages_say_where_and_what() {
    let texts = [
        (Format::Opb, "+1 x1 +1 x2 ~~x3 >= 1 ;"),
        (Format::Opb, "+1 x1 min: +1 x2 ;"),
        (Format::Opb, "+1 x1 +1 x2 3 >= 1 ;"),
        (Format::Opb, "+1 x1 +99999999999999999999 x2 >= 1 ;"),
        (Format::Opb, "+1 x1\n+1 x2 => 1 ;"),
        (Format::Opb, "* #variable= 1000000000"),
        (Format::Opb, "* name x1 a\n* name x2 a\n+1 x1 +1 x2 >= 1 ;"),
        (Format::Opb, "[0] +1 x1 >= 1 ;"),
        (Format::Cnf, "p cnf 1000000000 0"),
        (Format::Cnf, "1 2 0"),
        (Format::Cnf, "p cnf 2 2\n1 2 0"),
        (Format::Cnf, "p cnf 2 1\n1 3 0"),
        (Format::Cnf, "p cnf 2 1\n1 two 0"),
        (Format::Wcnf, "p wcnf 1 1 9\nh 1 0"),
        (Format::Wcnf, "1.5 1 0"),
        (Format::SmtLib, "(declare-const a Int)"),
        (Format::SmtLib, "(declare-const a Bool)\n(assert (xor a a))"),
        (Format::SmtLib, "(assert b)"),
        (Format::SmtLib, "((((((("),
        (Format::MiniZinc, "array[1..3] of var bool: x;"),
        (Format::MiniZinc, "var bool: x;\nconstraint x + 1 = 2;"),
        (Format::Lp, "Minimize\nobj: 0.5 x\nSubject To\nEnd"),
        (Format::Lp, "Minimize\nSubject To\nx + y >= 1\nBinary\nx\nEnd"),
        (Format::Lp, "Minimize\nSubject To\nx + y >= 1\nBinary\nx y"),
        (Format::Lp, "Maximize\nSubject To\n[ x * y ] >= 1\nEnd"),
        (Format::Json, "{}"),
    ];
    let messages: Vec<String> =
        texts.iter().map(|(format, text)| format!("{format}: {}", message(text, *format))).collect();
    insta::assert_snapshot!(messages.join("\n"), @r##"
    opb: line 1, column 13: expected a variable, found "~~x3"
    opb: line 1, column 7: expected a variable, found "min:"
    opb: line 1, column 15: expected a variable, found ">="
    opb: line 1, column 7: "+99999999999999999999" does not fit in 64 bits
    opb: line 2, column 7: expected a coefficient, ">=", "<=" or "=", found "=>"
    opb: line 1: 1000000000 variables claimed, and at most 100000 in a file of this size
    opb: the names of the variables: the name "a" is given twice (variables 1 and 2)
    opb: line 1, column 2: a weight of 0 means nothing
    cnf: line 1: 1000000000 variables claimed, and at most 100000 in a file of this size
    cnf: line 1, column 1: expected the line "p cnf VARIABLES CLAUSES", found "1"
    cnf: line 2: 2 clauses in the header, and 1 in the file
    cnf: line 2, column 3: literal 3, and the header has 2 variables
    cnf: line 2, column 3: expected a literal or 0, found "two"
    wcnf: line 2, column 1: expected a weight, found "h"
    wcnf: line 1, column 1: expected "h" or a weight, found "1.5"
    smt2: line 1, column 1: the command "declare-const" is outside the SMT-LIB that is read
    smt2: line 2, column 9: as a literal, "xor" is outside the SMT-LIB that is read
    smt2: line 1, column 9: expected a declared constant, found "b"
    smt2: line 1, column 1: a "(" that is not closed
    mzn: line 1, column 1: the item "array" is outside the MiniZinc that is read
    mzn: line 2, column 14: expected ";", found "+"
    lp: line 2, column 6: "0.5" is not a whole number
    lp: line 3, column 5: "y" is not declared binary, and only 0/1 variables are supported
    lp: line 5, column 4: expected "End", found the end
    lp: line 3, column 1: "[" is not supported, only linear rows
    json: the field "format" is ""; a rule set says "precept rules"
    "##);
}

#[test]
fn formats_are_found_by_name_and_by_extension() {
    for format in Format::ALL {
        assert_eq!(format.to_string().parse::<Format>().unwrap(), format);
    }
    let found =
        ["a.opb", "b.wbo.xz", "c.CNF.gz", "d.txt.wcnf", "e", "f.txt", "g.gz", "h.smt2", "i.mzn", "j.lp"]
            .map(|path| Format::from_path(Path::new(path)).map_or("-".to_owned(), |f| f.to_string()));
    assert_eq!(found.join(" "), "opb opb cnf wcnf - - - smt2 mzn lp");
    let error = "xml".parse::<Format>().unwrap_err();
    insta::assert_snapshot!(error, @r#"there is no format "xml"; there are json, opb, wcnf, cnf, smt2, mzn and lp"#);
}

#[test]
fn integer_programs_hold_numbers_of_64_bits_and_no_larger_ones() {
    let least = i64::MIN.to_string();
    let text = format!(
        "Minimize\nobj: a {least} b {least}\nSubject To\n{least} a + 3 b >= {least}\nBinary\na b\nEnd"
    );
    let problem = read(&text, Format::Lp).unwrap();
    assert_eq!((problem.objective[1].0, problem.objective_constant), (i64::MIN, i64::MIN));
    assert_eq!(read(&write(&problem, Format::Lp).unwrap(), Format::Lp).unwrap().linear, problem.linear);

    let terms = vec![(-1, Var(0).negative()), (2, Var(1).positive())];
    let beyond = Linear { terms: terms.clone(), min: Some(i64::MAX), max: None };
    let variables = || RuleSet::new(Variables::from_names(["a", "b"]).unwrap());
    let row = Problem { linear: vec![beyond], ..Problem::from(variables()) };
    let cost = Problem { objective: terms, objective_constant: i64::MIN, ..Problem::from(variables()) };
    for problem in [row, cost] {
        let error = write(&problem, Format::Lp).unwrap_err().to_string();
        assert_eq!(error, "lp cannot hold coefficients that add up to more than 64 bits");
    }
}

#[test]
fn a_name_is_no_header() {
    let text = "* #variable= 1 #constraint= 0\n* name x1 a #variable= 7\n";
    assert_eq!(read(text, Format::Opb).unwrap().rules.variables().names(), ["a #variable= 7"]);
}

#[test]
fn what_a_format_cannot_hold_is_said() {
    let message = |format| write(&small(), format).unwrap_err().to_string();
    assert_eq!(message(Format::Cnf), "cnf cannot hold soft constraints (wcnf can)");
}

#[test]
fn old_forms_are_read() {
    let old = read("c old\np wcnf 3 3 10\n10 1 -2 0\n3 2 0\n4 -1\n 3 0\n", Format::Wcnf).unwrap();
    let new = read("h 1 -2 0\n3 2 0\n4 -1 3 0\n", Format::Wcnf).unwrap();
    assert_eq!(old, new);
    let spaced =
        read("* #variable= 2\nmin: +1 x1 -2 ~x2 ;\n-1 x1 -1 x2 >= -1 ;\n+1 x1 +1 x2 >= 1 ;", Format::Opb);
    let tight = read("min:1*x1 -2*~x2;x1_is: 1 x1;", Format::Opb);
    assert!(tight.is_err());
    let tight = read("min:1*x1 - 2*~x2;\n1*x1 1*x2=1;", Format::Opb);
    assert_eq!(spaced.unwrap(), tight.unwrap());
}

#[test]
fn products_are_variables_of_their_own() {
    let text = "* #variable= 3\n* name x2 lamp\nmin: +2 x3 x1 -3 ~lamp ;\n";
    let text = text.replace("~lamp", "x2 ~x2") + "+1 x1 ~x2 x3 +2 x1 x3 +1 x3 x3 +1 x1 x3 x1 >= 2 ;";
    let problem = read(&text, Format::Opb).unwrap();
    let variables = problem.rules.variables();
    assert_eq!(variables.names(), ["x1", "lamp", "x3", "product(x1, x3)", "product(x1, not lamp, x3)"]);
    let [x1, lamp, x3, both, all] = [0, 1, 2, 3, 4].map(|v| Var(v).positive());
    assert_eq!((&problem.objective[..], problem.objective_constant), (&[(2, both)][..], 0));
    assert_eq!(problem.linear[0].terms, [(1, all), (3, both), (1, x3)]);
    let rules: Vec<Constraint> = problem.rules.constraints().cloned().collect();
    let tied = [
        Constraint::exactly(2, [x1, x3]).gated(both),
        Constraint::clause([!x1, !x3, both]),
        Constraint::exactly(3, [x1, !lamp, x3]).gated(all),
        Constraint::clause([!x1, lamp, !x3, all]),
    ];
    assert_eq!(rules, tied);
    let again = read(&write(&problem, Format::Opb).unwrap(), Format::Opb).unwrap();
    assert_eq!(again.rules.variables(), variables);
}

#[test]
fn names_of_products_are_nobody_elses() {
    let long = "n".repeat(300);
    let text = format!(
        "* name x1 a\n* name x2 a, b\n* name x3 b, c\n* name x4 c\n* name x5 product(a, b, c)\n\
         * name x6 {long}\n+1 x1 x3 +1 x2 x4 +1 x5 x6 >= 1 ;"
    );
    let problem = read(&text, Format::Opb).unwrap();
    let names = &problem.rules.variables().names()[6..];
    assert_eq!(names, ["product(a, b, c) (2)", "product(a, b, c) (3)", "product(x5, x6)"]);
}

#[test]
fn integer_programs_of_others_are_read() {
    let text = "\\ by hand\nMAXIMIZE 3a - b + 2\nst\n c1: a + b + 2.0 c <= 3\n 1 <= a + b <= 2\n -1 >= - a - c\n\
                bounds\n 0 <= c <= 1\n b = 0\nbin a b\ngeneral c\nend\n";
    let problem = read(text, Format::Lp).unwrap();
    let [a, b, c] = [0, 1, 2].map(|v| Var(v).positive());
    assert_eq!(problem.objective, [(-3, a), (1, b)]);
    assert_eq!(problem.objective_constant, -2);
    let rules: Vec<Constraint> = problem.rules.constraints().cloned().collect();
    let range = Constraint::new([a, b], Sums::range(1, 2));
    assert_eq!(rules, [range, Constraint::clause([a, c]), Constraint::exactly(0, [b])]);
    assert_eq!(problem.linear, [Linear { terms: vec![(1, a), (1, b), (2, c)], min: None, max: Some(3) }]);
}
