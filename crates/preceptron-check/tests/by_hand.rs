//! Proofs written by hand: right ones are accepted, and each wrong one is refused for what is wrong with it.

use preceptron_check::{Answer, Conclusion, Formula, check, others, verify};

const HEAD: &str = "pseudo-Boolean proof version 2.0\n";

/// What a proof concludes about a formula, or why it is refused.
fn concluded(formula: &str, steps: &str) -> Result<Conclusion, String> {
    let mut formula = Formula::read(formula).map_err(|error| error.to_string())?;
    let proof = format!("{HEAD}{steps}\nend pseudo-Boolean proof\n");
    check(&mut formula, &proof).map(|proved| proved.conclusion).map_err(|error| error.to_string())
}

/// Two of three are true, and no two are.
const CLASH: &str = "* #variable= 3 #constraint= 4\n\
    1 x1 1 x2 1 x3 >= 2 ;\n-1 x1 -1 x2 >= -1 ;\n-1 x1 -1 x3 >= -1 ;\n-1 x2 -1 x3 >= -1 ;\n";

/// Three pigeons, two holes: `p_ij` is `x(2i+j+1)`.
const PIGEONS: &str = "1 x1 1 x2 >= 1 ;\n1 x3 1 x4 >= 1 ;\n1 x5 1 x6 >= 1 ;\n\
    1 ~x1 1 ~x3 1 ~x5 >= 2 ;\n1 ~x2 1 ~x4 1 ~x6 >= 2 ;\n";

/// Take two of three things for least; the equation is two constraints.
const CHEAPEST: &str = "* objective constant 10\nmin: 2 x1 3 x2 4 x3 ;\n1 x1 1 x2 1 x3 = 2 ;\n";

#[test]
fn sums_refute_what_propagation_does_not() {
    let sum = "f 5\npol 1 2 + 3 + 4 + 5 +\noutput NONE\nconclusion UNSAT : 6";
    assert_eq!(concluded(PIGEONS, sum), Ok(Conclusion::Unsat));
    assert_eq!(concluded(PIGEONS, &sum.replace(" : 6", "")), Ok(Conclusion::Unsat));
    let rounded = "f 4\npol 2 3 + 4 + 2 d\npol 5 1 +\noutput NONE\nconclusion UNSAT : -1";
    assert_eq!(concluded(CLASH, rounded), Ok(Conclusion::Unsat));
    for (from, to, why) in [
        ("f 4", "f 3", "line 2"),
        ("2 d", "1 d", "no contradiction"),
        ("2 d", "0 d", "positive"),
        ("2 d", "2 *", "no contradiction"),
        ("5 1 +", "5 5 +", "no contradiction"),
        ("5 1 +", "5 9 +", "no constraint 9"),
        ("5 1 +", "5 +", "without enough"),
        ("5 1 +", "5 1", "one constraint"),
        ("-1", "7", "no constraint 7"),
        ("UNSAT", "SAT", "no literal"),
        ("UNSAT : -1", "BOUNDS INF INF", "with an objective"),
        ("NONE", "DERIVABLE", "output"),
        ("output NONE\n", "", "before the conclusion"),
        ("conclusion UNSAT : -1", "", "without a conclusion"),
    ] {
        let wrong = concluded(CLASH, &rounded.replacen(from, to, 1)).unwrap_err();
        assert!(wrong.contains(why), "{from} -> {to}: {wrong}");
    }
}

#[test]
fn propagation_derives_what_it_can_and_no_more() {
    // x1 makes x2 and x3 false, and then the first fails.
    let steps = "rup 1 ~x1 >= 1 ;\nrup >= 1 ;\noutput NONE\nconclusion UNSAT";
    assert_eq!(concluded(CLASH, steps), Ok(Conclusion::Unsat));
    let hinted =
        "rup 1 ~x1 >= 1 ; 2 3 1\nrup 1 x1 >= 1 ; 1 4\nrup >= 1 ; 5 6\noutput NONE\nconclusion UNSAT : 7";
    assert_eq!(concluded(CLASH, hinted), Ok(Conclusion::Unsat));
    for wrong in [
        steps.replacen("1 ~x1 >= 1", "1 ~x1 1 ~x2 >= 2", 1).replace("rup >= 1 ;\n", "rup 1 x7 >= 1 ;\n"),
        hinted.replacen("2 3 1", "2 3", 1),
        hinted.replacen("; 1 4", "; 1", 1),
        steps.replace("rup >= 1 ;\n", ""),
        steps.replace("rup 1 ~x1 >= 1 ;\n", "del id 1\nrup 1 ~x1 >= 1 ;\n"),
    ] {
        assert!(concluded(CLASH, &wrong).is_err(), "{wrong}");
    }
    // Pigeons are beyond propagation.
    let wrong = concluded(PIGEONS, "rup >= 1 ;\noutput NONE\nconclusion UNSAT").unwrap_err();
    assert!(wrong.contains("line 2") && wrong.contains("propagation"), "{wrong}");
}

#[test]
fn bounds_need_an_assignment_and_a_derivation() {
    // Of x1 + x2 + x3 >= 2: twice that, and ~x1 >= 0.
    let steps = "f 2\nsoli x1 x2 ~x3\npol 1 3 * x3 + ~x1 +\noutput NONE\nconclusion BOUNDS 5 : 4 5";
    assert_eq!(concluded(CHEAPEST, steps), Ok(Conclusion::Bounds(Some(5), Some(5))));
    for (from, to) in [
        ("x1 x2 ~x3", "x1 ~x2 ~x3"),
        ("x1 x2 ~x3", "x1 ~x2 x3"),
        ("x1 x2 ~x3", "x1"),
        ("x1 x2 ~x3", "x1 ~x1 x2 ~x3"),
        ("BOUNDS 5", "BOUNDS 6"),
        ("BOUNDS 5 : 4 5", "BOUNDS 5 : 4 4"),
        ("BOUNDS 5 : 4 5", "BOUNDS INF : 4 INF"),
        ("BOUNDS 5 : 4 5", "UNSAT : 4"),
        ("BOUNDS 5 : 4", "BOUNDS 5 : 2"),
        ("1 3 *", "1 2 *"),
        ("1 3 *", "2 3 *"),
    ] {
        assert!(concluded(CHEAPEST, &steps.replacen(from, to, 1)).is_err(), "{from} -> {to}");
    }
    // Less is right as well, and says so.
    let less = steps.replace("BOUNDS 5", "BOUNDS 4");
    assert_eq!(concluded(CHEAPEST, &less), Ok(Conclusion::Bounds(Some(4), Some(5))));
}

#[test]
fn redundance_keeps_what_counts() {
    // x1 and x2 are alike: the first may be taken to be true if one is.
    let formula = "min: 1 x1 1 x2 ;\n1 x1 1 x2 >= 1 ;\n";
    let steps = "red 1 x1 >= 1 ; x1 -> x2 x2 -> x1\noutput NONE\nconclusion NONE";
    assert_eq!(concluded(formula, steps), Ok(Conclusion::None));
    assert!(concluded(formula, "red 1 x1 >= 1 ; x1 -> 1\noutput NONE\nconclusion NONE").is_err());
    assert!(concluded(formula, "red 1 ~x1 >= 1 ; x1 -> 0\noutput NONE\nconclusion NONE").is_err());
    assert!(concluded(formula, "red 1 x1 >= 1 ; x1\noutput NONE\nconclusion NONE").is_err());
    // A new variable may mean anything.
    let steps = "red 1 ~y1 1 x1 >= 1 ; y1 -> 0\nred 1 y1 1 ~x1 >= 1 ; y1 -> 1\noutput NONE\nconclusion NONE";
    assert_eq!(concluded(formula, steps), Ok(Conclusion::None));
    // But not twice the opposite.
    let twice = "red 1 y1 >= 1 ; y1 -> 1\nred 1 ~y1 >= 1 ; y1 -> 0\noutput NONE\nconclusion NONE";
    assert!(concluded(formula, twice).is_err());
}

#[test]
fn answers_are_held_against_proofs() {
    let proof = format!(
        "{HEAD}f 2\nsoli x1 x2 ~x3\npol 1 3 * x3 + ~x1 +\noutput NONE\nconclusion BOUNDS 5 : 4 5\n\
         end pseudo-Boolean proof\n"
    );
    let answer = |cost: i128, literals: &[&str], unique: Option<bool>| Answer::Optimal {
        cost,
        literals: literals.iter().map(|literal| (*literal).to_owned()).collect(),
        unique,
    };
    let right = ["x1", "x2", "~x3"];
    // With the constant.
    assert!(verify(CHEAPEST, &answer(15, &right, None), &proof, None).is_ok());
    assert!(verify(CHEAPEST, &answer(5, &right, None), &proof, None).is_err());
    assert!(verify(CHEAPEST, &answer(15, &["x1", "~x2", "x3"], None), &proof, None).is_err());
    assert!(verify(CHEAPEST, &answer(15, &right, Some(true)), &proof, None).is_err());
    assert!(verify(CHEAPEST, &answer(15, &right, Some(false)), &proof, None).is_err());
    assert!(verify(CHEAPEST, &Answer::Infeasible, &proof, None).is_err());
    let formula = Formula::read(CHEAPEST).unwrap();
    let values: Vec<u32> = vec![0, 2, 5];
    assert_eq!(others(&formula, &values, 5).unwrap().constraints.len(), 4);
    // Costs up to 5 and one of ~x1, ~x2, x3: x3 is false, then x1 and x2 are true.
    let second = format!(
        "{HEAD}f 4\nrup 1 ~x3 >= 1 ;\nrup >= 1 ;\noutput NONE\nconclusion UNSAT : 6\nend pseudo-Boolean proof\n"
    );
    assert_eq!(
        verify(CHEAPEST, &answer(15, &right, Some(true)), &proof, Some(&second)).map(|v| v.constraints),
        Ok(2)
    );
    // A proof about another formula.
    let wrong = second.replace("f 4", "f 3");
    assert!(verify(CHEAPEST, &answer(15, &right, Some(true)), &proof, Some(&wrong)).is_err());
}

#[test]
fn the_third_version_differs_in_how_lines_end() {
    let proof = "pseudo-Boolean proof version 3.0\nf 4 ;\n% propagation\nrup 1 ~x1 >= 1 : 2 3 1 ;\nrup >= 1 ;\n\
                 output NONE ;\nconclusion UNSAT : 6 ;\nend pseudo-Boolean proof ;\n";
    let conclusion =
        |proof: &str| check(&mut Formula::read(CLASH).unwrap(), proof).map(|proved| proved.conclusion);
    assert_eq!(conclusion(proof), Ok(Conclusion::Unsat));
    assert!(conclusion(&proof.replace("NONE ;", "NONE")).is_err());
    assert!(conclusion(&proof.replace("3.0", "1.0")).is_err());
    assert!(conclusion("").is_err());
}

#[test]
fn numbers_never_wrap_around() {
    let huge = "1000000000000000000000000000000 x1 1 x2 >= 1 ;\n";
    let steps = "pol 1 1000000000000000000000000000 *\noutput NONE\nconclusion NONE";
    assert!(concluded(huge, steps).unwrap_err().contains("127 bits"));
    let many = "pol 1 99999999999999999999999999999999999999999999 *\noutput NONE\nconclusion NONE";
    assert!(concluded(huge, many).is_err());
}

#[test]
fn what_is_no_formula_is_refused() {
    for wrong in ["1 x1 >= 1", "1 x1 > 1 ;", "x1 >= 1 ;", "1 1x >= 1 ;", "1 x1 >= one ;", "1 x1 2 >= 1 ;"] {
        assert!(Formula::read(wrong).is_err(), "{wrong}");
    }
}
