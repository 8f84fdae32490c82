//! Grounding against a plain twin, ways of writing, and words.

use proptest::prelude::*;

use super::*;
use crate::{Rule, RuleSet, Var, Variables};

fn any_select() -> impl Strategy<Value = Select> {
    prop_oneof![
        Just(Select::Every),
        prop::sample::subsequence(vec![1, 2, 3, 4], 1..3)
            .prop_map(|numbers| Select::Labels(numbers.into_iter().map(Label::Number).collect())),
        prop::sample::subsequence(vec![-1, 0, 1, 2], 1..3).prop_map(Select::Offsets),
    ]
}

fn any_term() -> impl Strategy<Value = RelativeTerm> {
    (0..4usize, any_select(), any_select(), any::<bool>()).prop_map(|(block, i, j, negated)| {
        let axes = [("i", i), ("j", j)];
        let (name, axes) = [("x", &axes[..]), ("y", &axes[..1]), ("n", &axes[1..]), ("plain", &[])][block];
        RelativeTerm { negated, ..RelativeTerm::new(name, axes) }
    })
}

/// A relative rule over blocks `x[i, j]` and `y[i]`, numbers `n[j]` and a variable without a place.
pub(crate) fn any_relative_rule() -> impl Strategy<Value = RelativeRule> {
    let claim = prop_oneof![
        Just(Claim::Any),
        Just(Claim::All),
        (0..4u32, 0..4u32).prop_map(|(least, more)| Claim::Count(Sums::range(least, least + more))),
        prop::collection::vec(0..6u32, 0..4).prop_map(|values| Claim::Count(Sums::set(values))),
        any::<bool>().prop_map(|odd| Claim::Parity { odd, among: 3 }),
        (prop::option::of(-2..3i64), prop::option::of(-2..3i64))
            .prop_map(|(min, max)| Claim::Balance { min, max }),
    ];
    let edge = prop_oneof![Just(Edge::Skip), Just(Edge::False)];
    let gate = prop::option::of(any_term());
    let exceptions = prop::collection::vec((1..5i64, 1..5i64), 0..3);
    (gate, prop::collection::vec(any_term(), 0..4), claim, edge, exceptions).prop_map(
        |(gate, terms, claim, edge, places)| {
            let mut rule = RelativeRule::new(gate, terms, claim, edge);
            let label = |axis: &String, (i, j): (i64, i64)| {
                (axis.clone(), Label::Number(if axis == "i" { i } else { j }))
            };
            let exception = |at| rule.anchors.iter().map(|axis| label(axis, at)).collect();
            rule.exceptions = places.into_iter().map(exception).collect();
            rule
        },
    )
}

/// The sizes of the two axes, and the number at each place of the second.
type Sizes = (i64, i64, Vec<i64>);

fn variables((rows, columns, _): &Sizes) -> Variables {
    let axes = [("i", 1..=*rows), ("j", 1..=*columns)];
    Variables::blocks_of(&[("x", &axes), ("y", &axes[..1]), ("plain", &[])])
}

/// What a term has at a place of the anchors: literals as numbers of variables, numbers, and what is
/// beyond the edge. Looks at every label from far below the axes to far above.
#[derive(Default)]
struct Plain {
    literals: Vec<(usize, bool)>,
    number: i64,
    outside: [i64; 2],
}

fn plain_term(term: &RelativeTerm, sizes: &Sizes, anchor: [i64; 2], plain: &mut Plain) {
    let names = variables(sizes);
    let size = |axis: &str| if axis == "i" { sizes.0 } else { sizes.1 };
    let is_taken = |axis: &str, label: i64| {
        let at = anchor[usize::from(axis == "j")];
        match term.at.iter().find(|(name, _)| name == axis).map(|(_, select)| select) {
            Some(Select::Labels(labels)) => labels.contains(&Label::Number(label)),
            Some(Select::Offsets(offsets)) => offsets.contains(&(label - at)),
            _ => (1..=size(axis)).contains(&label),
        }
    };
    let all = || -9..20;
    let places: Vec<Vec<(&str, i64)>> = match term.block.as_str() {
        "x" => all().flat_map(|i| all().map(move |j| vec![("i", i), ("j", j)])).collect(),
        "y" => all().map(|i| vec![("i", i)]).collect(),
        "n" => all().map(|j| vec![("j", j)]).collect(),
        _ => vec![vec![]],
    };
    for place in places.iter().filter(|place| place.iter().all(|(axis, label)| is_taken(axis, *label))) {
        let is_inside = place.iter().all(|(axis, label)| (1..=size(axis)).contains(label));
        let inside: Vec<String> = place.iter().map(|(axis, label)| format!("{axis} {label}")).collect();
        match (is_inside, term.block.as_str()) {
            (true, "n") => {
                let number = sizes.2[place[0].1 as usize - 1];
                plain.number += if term.negated { -number } else { number };
            }
            (true, "plain") => plain.literals.push((names.find("plain").unwrap().index(), term.negated)),
            (true, block) => {
                let var = names.find(&format!("{block}[{}]", inside.join(", "))).unwrap();
                plain.literals.push((var.index(), term.negated));
            }
            (false, "n") => {}
            (false, _) => plain.outside[usize::from(term.negated)] += 1,
        }
    }
}

/// Whether a term leaves an axis.
fn leaves(term: &RelativeTerm, sizes: &Sizes, anchor: [i64; 2]) -> bool {
    term.at.iter().any(|(axis, select)| {
        let (size, at) = if axis == "i" { (sizes.0, anchor[0]) } else { (sizes.1, anchor[1]) };
        match select {
            Select::Labels(labels) => {
                labels.iter().any(|label| !matches!(label, Label::Number(n) if (1..=size).contains(n)))
            }
            Select::Offsets(offsets) => offsets.iter().any(|offset| !(1..=size).contains(&(at + offset))),
            _ => false,
        }
    })
}

/// Whether a rule holds under an assignment, by its definition.
fn plain_holds(rule: &RelativeRule, sizes: &Sizes, value: impl Fn(usize) -> bool) -> bool {
    let moves = |axis: &str| rule.anchors.iter().any(|name| name == axis);
    let range = |axis: &str, size: i64| if moves(axis) { 1..=size } else { 1..=1 };
    let places = range("i", sizes.0).flat_map(|i| range("j", sizes.1).map(move |j| [i, j]));
    for anchor in places.collect::<Vec<_>>() {
        let is_exception = rule.exceptions.iter().any(|exception| {
            let at = |axis: &str| Label::Number(anchor[usize::from(axis == "j")]);
            exception.iter().all(|(axis, label)| *label == at(axis))
        });
        let is_left = rule.terms.iter().chain(&rule.gate).any(|term| leaves(term, sizes, anchor));
        if is_exception || (rule.edge == Edge::Skip && is_left) {
            continue;
        }
        let (mut gate, mut body) = (Plain::default(), Plain::default());
        rule.gate.iter().for_each(|term| plain_term(term, sizes, anchor, &mut gate));
        rule.terms.iter().for_each(|term| plain_term(term, sizes, anchor, &mut body));
        let is_on = gate.literals.iter().any(|(var, negated)| value(*var) != *negated)
            || gate.outside[1] > 0
            || gate.number > 0
            || rule.gate.is_none();
        body.literals.sort_unstable();
        body.literals.dedup();
        let negated = body.literals.iter().filter(|(_, negated)| *negated).count() as i64;
        let sum = body.literals.iter().filter(|(var, negated)| value(*var) != *negated).count() as i64;
        let counted = sum + body.number + body.outside[1];
        let is_true = match &rule.claim {
            Claim::Any => counted >= 1,
            Claim::All => sum == body.literals.len() as i64 && body.outside[0] == 0,
            Claim::Count(sums) => u32::try_from(counted).is_ok_and(|sum| sums.contains(sum)),
            Claim::Parity { odd, .. } => (counted.rem_euclid(2) == 1) == *odd,
            Claim::Balance { min, max } => {
                let difference = sum - negated + body.number;
                min.is_none_or(|min| difference >= min) && max.is_none_or(|max| difference <= max)
            }
        };
        if is_on && !is_true {
            return false;
        }
    }
    true
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    fn grounding_is_what_the_rule_says(
        rule in any_relative_rule(),
        rows in 1..5i64,
        numbers in prop::collection::vec(-2..4i64, 1..4),
        bits in prop::collection::vec(any::<u64>(), 8),
    ) {
        let sizes = (rows, numbers.len() as i64, numbers);
        let variables = variables(&sizes);
        let domain = Domain::of(&variables).with_numbers("n", &[("j", 1..=sizes.1)], sizes.2.iter().copied());
        let ground = rule.ground(&domain);
        for bits in bits {
            let plain = plain_holds(&rule, &sizes, |var| bits >> var & 1 == 1);
            let holds = ground.iter().all(|c| c.holds(|var: Var| bits >> var.0 & 1 == 1));
            prop_assert_eq!(holds, plain, "{} as {:?}", rule, ground);
        }
        prop_assert!(rule.says_the_same(&rule) && !ground.iter().any(Constraint::is_trivial));
    }
}

/// A view of literals and a block of variables ground alike, and a sparse block over what is there.
#[test]
fn views_blocks_and_holes() {
    let here = |i| Select::Offsets(vec![i]);
    let rule = RelativeRule::new(
        None,
        vec![RelativeTerm::new("x", &[("i", here(0)), ("j", Select::Every)])],
        Claim::Count(Sums::exactly(1)),
        Edge::Skip,
    );
    let axes = [("i", 1..=2), ("j", 1..=3)];
    let view = Domain::default().with_block("x", &axes, (0..6).map(|v| Var(v).positive()));
    let ground = rule.ground(&Domain::of(&Variables::block("x", &axes)));
    assert_eq!((ground.len(), &ground), (2, &rule.ground(&view)));
    assert_eq!(rule.ground_at(&view, &[Label::Number(2)]), ground[1..]);
    let names = ["x[i 1, j 1]", "x[i 1, j 2]", "x[i 2, j 2]"];
    let few = rule.ground(&Domain::of(&Variables::from_names(names).unwrap()));
    let expected =
        [vec![0, 1], vec![2]].map(|v| Constraint::exactly(1, v.iter().map(|v| Var(*v).positive())));
    assert_eq!(few, expected);
    assert!(rule.ground(&Domain::default()).is_empty());
    let none =
        Domain::default().with_block("x", &[("i", 1..=2), ("j", std::ops::RangeInclusive::new(1, 0))], []);
    assert_eq!(rule.ground(&none), [Constraint::new([], Sums::EMPTY), Constraint::new([], Sums::EMPTY)]);
}

#[test]
fn columns_of_a_table_become_terms() {
    let columns = [-1, 0, 1].map(|at| RelativeTerm::new("x", &[("i", Select::Offsets(vec![at]))]));
    let lit = |v: u32| Var(v).positive();
    let from = |constraint: Constraint| RelativeRule::from_constraint(&constraint, &columns, Edge::False);
    let clause = from(Constraint::clause([!lit(0), lit(1)]));
    assert_eq!(clause.to_string(), "for every i: if x[i-1] then x[i]");
    let sum = from(Constraint::exactly(1, [lit(0), lit(2)]).gated(lit(1)));
    assert_eq!(sum.to_string(), "for every i: if x[i]: exactly 1 of x[i-1], x[i+1]");
    let together = RelativeTerm::new("x", &[("i", Select::Offsets(vec![1, -1]))]);
    let other = RelativeRule::new(
        Some(columns[1].clone()),
        vec![together],
        Claim::Count(Sums::exactly(1)),
        Edge::False,
    );
    assert!(sum.says_the_same(&other) && !sum.says_the_same(&clause));
    assert!(!sum.says_the_same(&RelativeRule { edge: Edge::Skip, ..other.clone() }));
    let mut set = RuleSet::of_relative([sum.clone(), clause, other]);
    assert_eq!((set.relative().len(), set.contains_relative(&sum)), (2, true));
    assert!(!set.insert_relative(sum));
    let variables = Variables::block("x", &[("i", 1..=3)]);
    let given = RuleSet::with_rules(variables.clone(), [Rule::given(Constraint::exactly(1, [lit(2)]))]);
    let grounded = set.grounded(&variables).unwrap();
    // Beyond the edge is nothing: at the ends the only neighbour is there, and the first clause is true.
    assert_eq!((grounded.len(), grounded.relative().len(), given.grounded(&variables)), (5, 0, Ok(given)));
    assert!(grounded.contains(&Constraint::exactly(1, [lit(1)]).gated(lit(0))));
}

#[test]
fn differences_in_words() {
    let x = |block: &str| RelativeTerm::new(block, &[("i", Select::Offsets(vec![0]))]);
    let say = |min, max, terms: Vec<RelativeTerm>| {
        RelativeRule::new(None, terms, Claim::Balance { min, max }, Edge::Skip).to_string()
    };
    let pair = || vec![x("a"), x("b").not(), x("c").not()];
    let lines = [
        say(Some(0), Some(0), pair()),
        say(Some(-1), Some(-1), pair()),
        say(None, Some(0), pair()),
        say(Some(2), None, pair()),
        say(Some(-1), Some(1), pair()),
        say(Some(1), Some(2), vec![x("a"), x("b"), x("c")]),
        RelativeRule::new(None, vec![], Claim::Any, Edge::Skip).to_string(),
    ];
    insta::assert_snapshot!(lines.join("\n"), @r"
    for every i: as many of a[i] as of {b[i], c[i]}
    for every i: exactly 1 more of {b[i], c[i]} than of a[i]
    for every i: at least as many of {b[i], c[i]} as of a[i]
    for every i: at least 2 more of a[i] than of {b[i], c[i]}
    for every i: between -1 and 1 more of a[i] than of {b[i], c[i]}
    for every i: between 1 and 2 of a[i], b[i], c[i]
    nothing is allowed
    ");
}
