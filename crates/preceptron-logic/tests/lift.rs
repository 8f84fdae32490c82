//! Lifting on the rules of Sudoku and of a roster: a few lines each, and what is missing from them.

use std::collections::BTreeSet;

use preceptron_logic::{
    Constraint, Domain, Evidence, Family, Lit, Rule, RuleSet, Sums, Var, Variables, lift, sentence,
};
use proptest::prelude::*;

type Place = (u32, u32, u32);

fn sudoku(derived: bool) -> RuleSet {
    let axes = [("row", 1..=9), ("column", 1..=9), ("digit", 1..=9)];
    let mut variables = Variables::block("cell", &axes);
    if derived {
        variables.derive("box", &"3*((row-1)/3) + (column-1)/3".parse().unwrap()).unwrap();
    }
    let mut rules = RuleSet::new(variables);
    let groups: [fn(u32, u32, u32) -> Place; 4] = [
        |a, b, c| (a, b, c),
        |a, b, c| (a, c, b),
        |a, b, c| (c, a, b),
        |a, b, c| (a / 3 * 3 + c / 3, a % 3 * 3 + c % 3, b),
    ];
    for place in groups {
        for (a, b) in (0..81).map(|n| (n / 9, n % 9)) {
            let literals = (0..9).map(|c| {
                let (row, column, digit) = place(a, b, c);
                Var(row * 81 + column * 9 + digit).positive()
            });
            rules.insert(Rule::given(Constraint::exactly(1, literals)));
        }
    }
    assert_eq!(rules.len(), 324);
    rules
}

/// Each family on a line, with its size and what is missing.
fn lines(families: &[Family]) -> String {
    let line = |f: &Family| {
        let missing = if f.missing().is_empty() {
            String::new()
        } else {
            format!("; without {}", f.missing().join(" and "))
        };
        assert_eq!(f.expected, f.members.len() + f.missing().len());
        format!("{f} ({} of {}{missing})\n", f.members.len(), f.expected)
    };
    families.iter().map(line).collect()
}

fn literals(variables: &Variables, names: &[String]) -> Vec<Lit> {
    names.iter().map(|n| variables.find_literal(n).unwrap_or_else(|| panic!("no {n}"))).collect()
}

#[test]
fn sudoku_with_boxes_is_four_lines() {
    insta::assert_snapshot!(lines(&lift(&sudoku(true))), @"
    for every row and column: exactly 1 of cell[row, column, digit *] (81 of 81)
    for every row and digit: exactly 1 of cell[row, column *, digit] (81 of 81)
    for every column and digit: exactly 1 of cell[row *, column, digit] (81 of 81)
    for every digit and box: exactly 1 of cell[digit, box] (81 of 81)
    ");
}

#[test]
fn sudoku_without_boxes_has_a_line_for_each() {
    insta::assert_snapshot!(lines(&lift(&sudoku(false))), @"
    for every row and column: exactly 1 of cell[row, column, digit *] (81 of 81)
    for every row and digit: exactly 1 of cell[row, column *, digit] (81 of 81)
    for every column and digit: exactly 1 of cell[row *, column, digit] (81 of 81)
    for every digit: exactly 1 of cell[row 1..3, column 1..3, digit] (9 of 9)
    for every digit: exactly 1 of cell[row 1..3, column 4..6, digit] (9 of 9)
    for every digit: exactly 1 of cell[row 1..3, column 7..9, digit] (9 of 9)
    for every digit: exactly 1 of cell[row 4..6, column 1..3, digit] (9 of 9)
    for every digit: exactly 1 of cell[row 4..6, column 4..6, digit] (9 of 9)
    for every digit: exactly 1 of cell[row 4..6, column 7..9, digit] (9 of 9)
    for every digit: exactly 1 of cell[row 7..9, column 1..3, digit] (9 of 9)
    for every digit: exactly 1 of cell[row 7..9, column 4..6, digit] (9 of 9)
    for every digit: exactly 1 of cell[row 7..9, column 7..9, digit] (9 of 9)
    ");
}

#[test]
fn missing_rules_are_named() {
    let mut rules = sudoku(true);
    let mut at = 0..;
    rules.retain(|_| ![5, 81 + 12, 243 + 80].contains(&at.next().unwrap()));
    insta::assert_snapshot!(lines(&lift(&rules)), @"
    for every column and digit: exactly 1 of cell[row *, column, digit] (81 of 81)
    for every row and column: exactly 1 of cell[row, column, digit *] (80 of 81; without row 1, column 6)
    for every row and digit: exactly 1 of cell[row, column *, digit] (80 of 81; without row 2, digit 4)
    for every digit and box: exactly 1 of cell[digit, box] (80 of 81; without digit 9, box 8)
    ");
}

#[test]
fn a_label_that_is_exempt_is_named_once() {
    let mut rules = sudoku(true);
    let mut at = 0..;
    // All lines of row 3, and one of row 5.
    rules.retain(|_| {
        let number: i32 = at.next().unwrap();
        !(81 + 18..81 + 27).contains(&number) && number != 81 + 40
    });
    let families = lift(&rules);
    let lines = families.iter().find(|f| f.members.len() == 71).unwrap();
    assert_eq!(
        (lines.missing().len(), lines.but_for()),
        (10, vec!["row 3".to_owned(), "row 5, digit 5".to_owned()])
    );
}

#[test]
fn an_altered_rule_is_a_single_and_its_place_is_missing() {
    let mut rules = sudoku(true);
    let altered = rules.rules()[100].constraint.clone();
    rules.retain(|r| r.constraint != altered);
    rules.insert(Rule::given(Constraint::exactly(1, altered.literals()[1..].to_vec())));
    insta::assert_snapshot!(lines(&lift(&rules)), @"
    for every row and column: exactly 1 of cell[row, column, digit *] (81 of 81)
    for every column and digit: exactly 1 of cell[row *, column, digit] (81 of 81)
    for every digit and box: exactly 1 of cell[digit, box] (81 of 81)
    for every row and digit: exactly 1 of cell[row, column *, digit] (80 of 81; without row 3, digit 2)
    exactly 1 of cell[row 3, column 2..9, digit 2] (1 of 1)
    ");
}

/// Five nurses, ten days, three shifts and a day off.
fn roster() -> RuleSet {
    let nurses = ["ann", "bob", "cem", "dan", "eva"];
    let shifts = ["early", "late", "night", "off"];
    let name = |nurse: &str, day: i32, shift: &str| format!("work[nurse {nurse}, day {day}, shift {shift}]");
    let mut names = Vec::new();
    for nurse in nurses {
        for day in 1..=10 {
            names.extend(shifts.map(|shift| name(nurse, day, shift)));
        }
    }
    let variables = Variables::from_names(names).unwrap();
    let mut constraints = Vec::new();
    for nurse in nurses {
        for day in 1..=10 {
            let day_of = shifts.map(|shift| name(nurse, day, shift));
            constraints.push(Constraint::exactly(1, literals(&variables, &day_of)));
        }
        for day in 1..=6 {
            let window: Vec<String> = (day..day + 5).map(|d| name(nurse, d, "off")).collect();
            constraints.push(Constraint::at_least(1, literals(&variables, &window)));
        }
        for day in 1..=9 {
            let pair = [name(nurse, day, "night"), name(nurse, day + 1, "early")];
            constraints.push(Constraint::at_most(1, literals(&variables, &pair)));
            let step = [name(nurse, day, "late"), format!("not {}", name(nurse, day + 1, "late"))];
            constraints.push(Constraint::clause(literals(&variables, &step)));
        }
    }
    for day in 1..=10 {
        let cover = nurses.map(|nurse| name(nurse, day, "night"));
        constraints.push(Constraint::new(literals(&variables, &cover), Sums::range(1, 3)));
        let cover = nurses.map(|nurse| name(nurse, day, "early"));
        constraints.push(Constraint::new(literals(&variables, &cover), Sums::set([0, 2, 4])));
    }
    RuleSet::with_rules(variables, constraints.into_iter().map(Rule::given))
}

#[test]
fn a_roster_is_a_line_for_each_kind_of_rule() {
    insta::assert_snapshot!(lines(&lift(&roster())), @"
    for every nurse and day: exactly 1 of work[nurse, day, shift *] (50 of 50)
    for every nurse and day: not both work[nurse, day, shift night] and work[nurse, day+1, shift early] (45 of 45)
    for every nurse and day: if work[nurse, day+1, shift late] then work[nurse, day, shift late] (45 of 45)
    for every nurse and day: at least 1 of work[nurse, day..day+4, shift off] (30 of 30)
    for every day: between 1 and 3 of work[nurse *, day, shift night] (10 of 10)
    for every day: an even number (0, 2 or 4) of work[nurse *, day, shift early] (10 of 10)
    ");
}

#[test]
fn axes_of_one_name_are_one_axis_and_gates_move_along() {
    let variables = Variables::blocks_of(&[
        ("open", &[("site", 1..=3), ("day", 1..=4)]),
        ("serve", &[("site", 1..=3), ("client", 1..=5), ("day", 1..=3)]),
    ]);
    let mut rules = RuleSet::new(variables.clone());
    for (site, day) in (0..9).map(|n| (n / 3 + 1, n % 3 + 1)) {
        let clients: Vec<String> =
            (1..=5).map(|c| format!("serve[site {site}, client {c}, day {day}]")).collect();
        let gate = variables.find_literal(&format!("open[site {site}, day {day}]")).unwrap();
        let body = Constraint::new(literals(&variables, &clients), Sums::range(2, 4));
        rules.insert(Rule::given(body.gated(gate)));
        for client in &clients {
            let pair = [format!("not {client}"), format!("open[site {site}, day {}]", day + 1)];
            rules.insert(Rule::given(Constraint::clause(literals(&variables, &pair))));
        }
    }
    insta::assert_snapshot!(lines(&lift(&rules)), @"
    for every site, day and client: if serve[site, client, day] then open[site, day+1] (45 of 45)
    for every site and day: if open[site, day]: between 2 and 4 of serve[site, client *, day] (9 of 9)
    ");
}

#[test]
fn sparse_blocks_lift_over_the_variables_that_exist() {
    // A triangle: row 4 has columns 1 to 4. At most 1 of row 1 says nothing, so it is not missing.
    let names = (1..=5).flat_map(|r| (1..=r).map(move |c| format!("x[row {r}, column {c}]")));
    let variables = Variables::from_names(names).unwrap();
    let mut rules = RuleSet::new(variables.clone());
    for row in [3, 5] {
        let names: Vec<String> = (1..=row).map(|c| format!("x[row {row}, column {c}]")).collect();
        rules.insert(Rule::given(Constraint::at_most(1, literals(&variables, &names))));
    }
    insta::assert_snapshot!(lines(&lift(&rules)), @"for every row: at most 1 of x[row, column *] (2 of 4; without row 2 and row 4)");
}

#[test]
fn plain_names_are_singles() {
    let variables = Variables::from_names(["a", "b", "c"]).unwrap();
    let l = |n: &[&str]| literals(&variables, &n.iter().map(|s| s.to_string()).collect::<Vec<_>>());
    let constraints = [
        Constraint::at_most(1, l(&["a", "b"])),
        Constraint::at_most(1, l(&["a", "c"])),
        Constraint::exactly(0, l(&["b"])),
    ];
    let rules = RuleSet::with_rules(variables.clone(), constraints.map(Rule::given));
    insta::assert_snapshot!(lines(&lift(&rules)), @"
    not both a and b (1 of 1)
    not both a and c (1 of 1)
    b is never true (1 of 1)
    ");
}

#[test]
fn evidence_is_added_up_and_the_least_support_kept() {
    let variables = Variables::block("x", &[("i", 1..=2), ("j", 1..=3)]);
    let evidence = |satisfied, violated| Evidence {
        examples: satisfied + violated,
        satisfied,
        violated,
        undecided: 1,
        situations: 3,
        expected_violations: 2.5,
    };
    let rule = |i: u32, evidence| Rule {
        constraint: Constraint::exactly(1, (0..3).map(|j| Var(i * 3 + j).positive())),
        evidence,
        origin: Default::default(),
    };
    let families = lift(&RuleSet::with_rules(variables, [rule(0, evidence(10, 0)), rule(1, evidence(9, 1))]));
    assert_eq!(families.len(), 1);
    let sum = Evidence { undecided: 2, situations: 6, expected_violations: 5.0, ..evidence(19, 1) };
    assert_eq!((families[0].rule.evidence, families[0].least_support), (sum, 0.9));
}

proptest! {
    #[test]
    fn every_rule_is_covered_and_nothing_present_is_missing(
        rules in prop::collection::vec((prop::collection::btree_set(0..24u32, 1..4), 0..3u32), 1..40),
        derived: bool,
    ) {
        let mut variables = Variables::block("x", &[("i", 1..=4), ("j", 1..=3), ("k", 1..=2)]);
        if derived {
            variables.derive("half", &"(i-1)/2".parse().unwrap()).unwrap();
        }
        let constraint = |(vars, sum): &(BTreeSet<u32>, u32)| {
            Rule::given(Constraint::at_most(*sum, vars.iter().map(|&v| Var(v).positive())))
        };
        let rules = RuleSet::with_rules(variables, rules.iter().map(constraint));
        let families = lift(&rules);
        let covered: BTreeSet<usize> = families.iter().flat_map(|f| f.members.clone()).collect();
        prop_assert_eq!(covered.len(), rules.len());
        for family in &families {
            prop_assert!(family.missing().len() <= family.members.len());
            prop_assert_eq!(family.expected, family.members.len() + family.missing().len());
            prop_assert_eq!(family.to_string().starts_with("for every "), family.members.len() > 1);
            if let [single] = family.members[..] {
                prop_assert_eq!(family.to_string(), sentence(rules.variables(), &rules.rules()[single].constraint));
            }
        }
    }

    #[test]
    fn a_moved_rule_is_one_family(
        shape in prop::collection::btree_set((0..3u32, 0..3u32), 1..5),
        gone in prop::collection::btree_set(0..16usize, 0..3),
    ) {
        // Every translation of a shape in a 6 by 6 grid but a few.
        let (rows, columns): (Vec<u32>, Vec<u32>) = shape.iter().copied().unzip();
        let (height, width) = (rows.iter().max().unwrap() + 1, columns.iter().max().unwrap() + 1);
        let (top, left) = (rows.iter().min().unwrap(), columns.iter().min().unwrap());
        let variables = Variables::block("x", &[("row", 1..=6), ("column", 1..=6)]);
        let mut all = RuleSet::new(variables.clone());
        for (r, c) in (0..36).map(|n| (n / 6, n % 6)).filter(|(r, c)| r + height - top <= 6 && c + width - left <= 6) {
            let literals = shape.iter().map(|(a, b)| Var((r + a - top) * 6 + c + b - left).positive());
            all.insert(Rule::given(Constraint::exactly(1, literals)));
        }
        let expected = all.len();
        let mut at = 0..;
        all.retain(|_| !gone.contains(&at.next().unwrap()));
        let families = lift(&all);
        prop_assert_eq!(families.len(), 1, "{:?}", families);
        prop_assert_eq!((families[0].members.len(), families[0].expected), (all.len(), expected));
    }
}

/// The rules of Sudoku of any order, with boxes.
fn sudoku_of(order: i64) -> RuleSet {
    let side = order * order;
    let mut variables =
        Variables::block("cell", &[("row", 1..=side), ("column", 1..=side), ("digit", 1..=side)]);
    let boxes = format!("{order}*((row-1)/{order}) + (column-1)/{order}");
    variables.derive("box", &boxes.parse().unwrap()).unwrap();
    let mut rules = RuleSet::new(variables.clone());
    for (a, b) in (1..=side).flat_map(|a| (1..=side).map(move |b| (a, b))) {
        let cell = |row: i64, column: i64, digit: i64| {
            variables.find_literal(&format!("cell[row {row}, column {column}, digit {digit}]")).unwrap()
        };
        let (top, left) = ((a - 1) / order * order, (a - 1) % order * order);
        let groups: [Vec<Lit>; 4] = [
            (1..=side).map(|c| cell(a, b, c)).collect(),
            (1..=side).map(|c| cell(a, c, b)).collect(),
            (1..=side).map(|c| cell(c, a, b)).collect(),
            (0..side).map(|c| cell(top + c / order + 1, left + c % order + 1, b)).collect(),
        ];
        for group in groups {
            rules.insert(Rule::given(Constraint::exactly(1, group)));
        }
    }
    rules
}

#[test]
fn rules_of_a_small_sudoku_are_those_of_a_large_one() {
    let (small, large) = (sudoku_of(2), sudoku_of(3));
    let families = lift(&small);
    assert_eq!((families.len(), small.len(), large.len()), (4, 64, 324));
    let relative = RuleSet::of_relative(families.into_iter().map(|family| family.rule));
    for rules in [small, large] {
        assert!(relative.grounded(rules.variables()).unwrap().compare(&rules).is_equal());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    /// The plain twin is the list of members.
    #[test]
    fn a_family_grounds_to_its_members(
        rules in prop::collection::vec(
            (prop::collection::btree_map(0..32u32, prop::bool::weighted(0.2), 1..5), 0..3u32, 0..3u32,
             prop::option::weighted(0.2, 0..32u32)), 1..40),
        holes in any::<u32>(),
        dense: bool,
        derived: bool,
    ) {
        let cells = (0..24u32).filter(|n| dense || holes >> n & 1 == 0);
        let names = cells.map(|n| format!("x[i {}, j {}, k {}]", n / 6, n / 2 % 3, ["a", "b"][n as usize % 2]));
        let days = (0..6).map(|day| format!("y[i {day}]"));
        let mut variables = Variables::from_names(names.chain(days).chain(["p".into(), "q".into()])).unwrap();
        if derived {
            variables.derive("half", &"i / 2".parse().unwrap()).unwrap();
        }
        let count = variables.len() as u32;
        let rule = |(vars, least, more, gate): &(std::collections::BTreeMap<u32, bool>, u32, u32, Option<u32>)| {
            let literals = vars.iter().filter(|(v, _)| **v < count).map(|(&v, &n)| Lit::new(Var(v), n));
            let constraint = Constraint::new(literals, Sums::range(*least, least + more));
            Rule::given(match gate.filter(|gate| *gate < count) {
                Some(gate) => constraint.gated(Var(gate).positive()),
                None => constraint,
            })
        };
        // What nothing satisfies is said without its literals.
        let possible = rules.iter().map(rule).filter(|rule| !rule.constraint.is_contradiction());
        let rules = RuleSet::with_rules(variables, possible);
        let domain = Domain::of(rules.variables());
        for family in lift(&rules) {
            let found = family.rule.ground(&domain);
            let members: Vec<&Constraint> = family.members.iter().map(|&m| &rules.rules()[m].constraint).collect();
            let same = |a: &Constraint, b: &Constraint| a.implies(b) && b.implies(a);
            for one in &found {
                prop_assert!(members.iter().any(|other| same(one, other)), "{} has {:?}", family, one);
            }
            for one in members {
                prop_assert!(found.iter().any(|other| same(one, other)), "{} lacks {:?}", family, one);
            }
        }
    }
}
