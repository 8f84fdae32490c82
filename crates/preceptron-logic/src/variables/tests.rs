use super::*;
use proptest::prelude::*;

fn made(names: &[&str]) -> Variables {
    Variables::from_names(names.iter().copied()).unwrap()
}

fn refused(names: &[&str]) -> String {
    Variables::from_names(names.iter().copied()).unwrap_err().to_string()
}

#[test]
fn names_are_kept_in_one_spelling_and_found_in_any() {
    let v = made(&[
        "cell[row  1,column 2]",
        "plain",
        "odd[]",
        "odd[x]",
        "a[i 1, i 2]",
        "[i 1]",
        "x [i 1]",
        "b[i [1]]",
    ]);
    assert_eq!(v.name(Var(0)), "cell[row 1, column 2]");
    assert_eq!(v.find(" cell[row 1, column 2]"), None);
    assert_eq!(v.find("cell[ row 1 ,  column   2 ]"), Some(Var(0)));
    // The rest have no place: no axis with a label, an axis twice, no block name, brackets inside.
    assert_eq!(v.blocks().len(), 1);
    assert!((1..8).all(|n| v.place(Var(n)).is_none()));
    assert!(v.iter().all(|var| v.find(v.name(var)) == Some(var)));
}

#[test]
fn one_hot_blocks_are_found_by_name() {
    let mut v = made(&["x[i 1]", "y[i 1, j 1]", "y[i 1, j 2]"]);
    v.set_one_hot("y", "j").unwrap();
    assert_eq!(v.blocks().iter().map(|b| b.one_hot()).collect::<Vec<_>>(), [None, Some(1)]);
    assert_eq!(v.set_one_hot("z", "j").unwrap_err().to_string(), "there is no axis \"j\" in a block \"z\"");
    assert_eq!(v.set_one_hot("x", "j").unwrap_err().to_string(), "there is no axis \"j\" in a block \"x\"");
}

#[test]
fn labels_are_numbers_only_if_they_print_alike() {
    for (text, is_number) in
        [("7", true), ("-7", true), ("07", false), ("+7", false), ("7.0", false), ("-0", false)]
    {
        let label = Label::parse(text);
        assert_eq!((matches!(label, Label::Number(_)), label.to_string().as_str()), (is_number, text));
    }
}

#[test]
fn numbers_rise_and_words_stand_as_they_came() {
    let v = made(&["x[i 10, j b]", "x[i 2, j a]", "x[i 3, j b]"]);
    let [i, j] = v.blocks()[0].axes() else { panic!("two axes") };
    assert_eq!(i.labels(), [2, 3, 10].map(Label::Number));
    assert_eq!(j.labels(), ["b", "a"].map(|w| Label::Word(w.to_owned())));
    assert_eq!(v.place(Var(0)).unwrap().positions, [2, 0]);
    assert_eq!(v.blocks()[0].at(&[0, 1]), Some(Var(1)));
    assert_eq!(v.blocks()[0].at(&[0, 0]), None);
    assert!(!i.is_consecutive() && !j.is_consecutive());
    assert!(!made(&["x[i one]"]).blocks()[0].axes()[0].is_consecutive());
    assert!(made(&["x[i 4]", "x[i 3]"]).blocks()[0].axes()[0].is_consecutive());
}

#[test]
fn literals_are_found_by_their_negations() {
    let v = made(&["a", "-b", "not c"]);
    for text in ["not a", "~a", "!a", "-a", " - a "] {
        assert_eq!(v.find_literal(text), Some(Var(0).negative()), "{text}");
    }
    assert_eq!(v.find_literal("-b"), Some(Var(1).positive()));
    assert_eq!(v.find_literal("not -b"), Some(Var(1).negative()));
    assert_eq!(v.find_literal("not not c"), Some(Var(2).negative()));
    assert_eq!(v.find_literal("b"), None);
    assert_eq!(v.literal(Var(2).negative()), "not not c");
}

#[test]
fn errors_say_which_name() {
    let mut v = made(&["x[i 1, j a]", "x[i 0, j b]", "y[k 1]", "a"]);
    let mut derive = |name: &str, text: &str| v.derive(name, &text.parse().unwrap()).unwrap_err().to_string();
    let lines = [
        refused(&["a", "b", "a"]),
        refused(&["x[i 1, j 2]", "x[i  1,j 2]"]),
        refused(&["a", " "]),
        refused(&["a\nb"]),
        refused(&["x[i 1, j 2]", "x[j 1, i 2]"]),
        derive("i", "j + i"),
        derive("half", "j / 2"),
        derive("rest", "2 / i"),
        derive("none", "i + k"),
        made(&["a"]).derive("none", &"i".parse().unwrap()).unwrap_err().to_string(),
        made(&["x[i 1]"]).set_one_hot("x", "j").unwrap_err().to_string(),
        made(&["x[i 1]"]).set_one_hot("y", "i").unwrap_err().to_string(),
    ];
    insta::assert_snapshot!(lines.join("\n"), @r#"
    the name "a" is given twice (variables 1 and 3)
    the name "x[i 1, j 2]" is given twice (variables 1 and 2)
    variable 2 has an empty name
    variable 1: the name "a\nb" has a control character
    block "x" has axes (i, j) in one name and (j, i) in another, "x[j 1, i 2]"
    block "x" already has an axis "i"
    axis "j" has the label "a", which is not a number to compute with
    derived axis "rest" at x[i 0, j b]: division by zero
    no block has the axes that "none" is computed from (i, k); there are x[i, j], y[k]
    no block has the axes that "none" is computed from (i); there are no blocks with axes
    there is no axis "j" in a block "x"
    there is no axis "i" in a block "y"
    "#);
    assert_eq!(v, made(&["x[i 1, j a]", "x[i 0, j b]", "y[k 1]", "a"]));
}

#[test]
fn an_axis_that_cannot_be_derived_everywhere_is_derived_nowhere() {
    let names = ["x[i 1]", "y[i zero]"];
    let mut v = made(&names);
    assert!(v.derive("half", &"i / 2".parse().unwrap()).is_err());
    assert_eq!(v, made(&names));
}

#[test]
fn derived_axes_reach_every_block_that_has_the_axes() {
    let mut v = made(&["x[i 1]", "x[i 4]", "y[i 3, j 1]", "z[j 1]"]);
    v.derive("half", &"i / 2".parse().unwrap()).unwrap();
    v.derive("parity", &"half % 2".parse().unwrap()).unwrap();
    let axes = |block: usize| v.blocks()[block].axes().iter().map(Axis::name).collect::<Vec<_>>();
    assert_eq!(
        [axes(0), axes(1), axes(2)],
        [vec!["i", "half", "parity"], vec!["i", "j", "half", "parity"], vec!["j"]]
    );
    assert_eq!(v.blocks()[0].axes()[1].labels(), [0, 2].map(Label::Number));
    assert_eq!(v.place(Var(1)).unwrap().positions, [1, 1, 0]);
    assert_eq!(v.blocks()[1].given(), 2);
}

#[test]
fn one_hot_groups_are_lines_along_the_axis() {
    let mut v = made(&["x[i 1, j a]", "x[i 1, j b]", "p", "x[i 2, j b]", "x[i 2, j c]", "y[i 1]"]);
    assert!(v.one_hot_groups().is_empty());
    v.set_one_hot("x", "j").unwrap();
    v.derive("same", &"i - i".parse().unwrap()).unwrap();
    assert_eq!(v.one_hot_groups(), [[Var(0), Var(1)], [Var(3), Var(4)]]);
    v.set_one_hot("y", "i").unwrap();
    assert_eq!(v.one_hot_groups().last(), Some(&vec![Var(5)]));
}

#[test]
fn files_keep_what_was_derived_in_its_order() {
    let mut v = made(&["x[i 1]", "y[i 1, j 1]", "z[k 1]"]);
    for (name, text) in [("e", "j + 1"), ("d", "i + 1"), ("f", "d + i"), ("e", "k + 5")] {
        v.derive(name, &text.parse().unwrap()).unwrap();
    }
    v.set_one_hot("y", "j").unwrap();
    let text = serde_json::to_string(&v).unwrap();
    assert_eq!(serde_json::from_str::<Variables>(&text).unwrap(), v);
}

proptest! {
    #[test]
    fn names_print_and_parse_both_ways(
        block in "[a-z_.]{1,4}",
        places in prop::collection::btree_set((-20..20i64, "[a-z]{1,3}( [a-z0-9]{1,2})?"), 1..12),
    ) {
        let names: Vec<String> = places.iter().map(|(i, w)| format!("{block}[index {i}, word {w}]")).collect();
        let v = Variables::from_names(names.clone()).unwrap();
        prop_assert_eq!(v.names(), &names[..]);
        for (var, (number, word)) in v.iter().zip(&places) {
            let Place { block, positions } = v.place(var).unwrap();
            let axes = v.blocks()[*block].axes();
            prop_assert_eq!(&axes[0].labels()[positions[0]], &Label::Number(*number));
            prop_assert_eq!(&axes[1].labels()[positions[1]], &Label::Word(word.clone()));
            prop_assert_eq!(v.blocks()[*block].at(positions), Some(var));
            prop_assert_eq!(v.find(&v.name(var).replace(", ", " ,  ")), Some(var));
        }
        let text = serde_json::to_string(&v).unwrap();
        prop_assert_eq!(serde_json::from_str::<Variables>(&text).unwrap(), v);
    }

    #[test]
    fn any_names_are_taken_or_refused_in_words(names in prop::collection::vec("[ab\\[\\], 1]{0,9}", 0..5)) {
        if let Ok(v) = Variables::from_names(names) {
            prop_assert!(v.iter().all(|var| v.find(v.name(var)) == Some(var)));
            let again = Variables::from_names(v.names().to_vec()).unwrap();
            prop_assert_eq!(again, v);
        }
    }
}
