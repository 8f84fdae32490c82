//! Rules of paths, learned from demonstrations relative to a cell.
//!
//! For each kind of head bit (this cell is the start, the end, on the path, an obstacle) the patches around
//! cells where it is true are pooled, and two forms of rules are looked for:
//! ```text
//! if head:  l_1 + ... + l_k = b     over the patch, by Boolean least squares with the DC penalty
//! if head:  l                       one literal of the patch, by counting
//! ```
//! An equality is looked for in the patches in all orientations, and confirmed on the patches as they are.
//! A literal is confirmed if the patches of all cells, not only those with the head bit, have no exception
//! where independence lets expect enough of them. Both tests are those of [`preceptron_learn`]. Where obstacles are
//! predicted, few exceptions are allowed to a rule on them, of those that independence lets expect at each cell: paths
//! and obstacles are frequent at the same cells, so that there are more of them than by frequencies over all.
//!
//! What other rules imply, by proof, is dropped; so is what says more than they do only of questions that
//! nobody asked. "One neighbour of the start is on the path" follows from the rule of path cells unless start
//! and end are one cell, and if that was never seen, the demonstrations cannot speak of it.
//!
//! Longer clauses are not looked for. Demonstrations are short paths, and many clauses hold on short paths
//! that are no rules of paths (no three cells in a triangle): those are the business of the objective.
//!
//! What mentions no path cell says something of the questions, not of the answers, such as that no start
//! is an end. These are [`LearnedRules::facts`]; a planner does not use them.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use preceptron_base::{Control, SettingsError};
use preceptron_learn::{Examples, Settings, confirm_at, learn_unjudged};
use preceptron_logic::{
    Constraint, Domain, Edge, Label, Lit, RelativeRule, RelativeTerm, Rule, RuleSet, Select, Var, Variables,
};
use preceptron_reason::redundant;
use serde::{Deserialize, Serialize};

use super::patches::{Counts, PLACES, SIZE, blocks, columns, images, placed, relative};
use super::{Grid, Kind, Lesson, Patches, patch_variables};

/// How rules are learned.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RuleSettings {
    /// The master seed of the search.
    pub seed: u64,
    /// The probability of accepting any rule by chance.
    pub false_alarm: f64,
    /// Of the exceptions that independence lets expect, the share that may be there in a rule on obstacles:
    /// above 0, and below 1, where obstacles were predicted. Paths are as they were shown: a rule without
    /// obstacles has no exception.
    pub exceptions: f64,
}

impl Default for RuleSettings {
    fn default() -> RuleSettings {
        RuleSettings { seed: 0, false_alarm: 1e-3, exceptions: 0.0 }
    }
}

/// What was learned.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedRules {
    /// The rules of paths, relative to a cell, with their evidence.
    pub rules: RuleSet,
    /// What holds of starts, ends and obstacles alone.
    pub facts: RuleSet,
    /// What was confirmed, and is implied by the rules.
    pub implied: RuleSet,
    /// How many patches there were.
    pub patches: usize,
}

/// Learns the rules that paths obey; fewer, if `control` says to stop.
///
/// # Errors
/// If a setting is out of its range.
///
/// # Panics
/// If a cell of a lesson is not on the grid, or a map is of another grid.
pub fn learn_rules(
    grid: &Grid,
    lessons: &[Lesson],
    settings: &RuleSettings,
    control: &dyn Control,
) -> Result<LearnedRules, SettingsError> {
    if !(0.0..1.0).contains(&settings.exceptions) {
        let value = settings.exceptions.to_string();
        return Err(SettingsError::range("exceptions", value, "0 to below 1"));
    }
    let patches = Patches::new(grid, lessons);
    let (everywhere, counts) = (patches.examples(&all_variables()), patches.counts(grid));
    let mut found: Vec<(usize, Rule)> = Vec::new();
    for head in Kind::ALL {
        let given = patches.given(head);
        found.extend(
            single_literals(head, &everywhere, &counts, settings).into_iter().map(|rule| (given.len(), rule)),
        );
        found
            .extend(equalities(head, &given, settings, control)?.into_iter().map(|rule| (given.len(), rule)));
    }
    // What rests on most patches comes first, so that of two ways to say the same it is the one that stays.
    found.sort_by_key(|(cells, rule)| {
        (Reverse(*cells), rule.constraint.gate().is_some(), rule.constraint.clone())
    });
    let is_rule = |rule: &Rule| rule.constraint.variables().any(|var| !placed(var).0.is_given());
    let (rules, facts): (Vec<Rule>, Vec<Rule>) = found.into_iter().map(|(_, rule)| rule).partition(is_rule);
    let (rules, implied) = without_implied(&common_to_questions(&patches), rules);
    let (facts, _) = without_implied(&[], facts);
    let [rules, facts, implied] = [rules, facts, implied].map(|set| relative_to_a_cell(set.rules()));
    Ok(LearnedRules { rules, facts, implied, patches: patches.len() })
}

/// Rules over the variables of a patch, for every cell.
pub(super) fn relative_to_a_cell(rules: &[Rule]) -> RuleSet {
    let columns = columns();
    RuleSet::of_relative(rules.iter().map(|rule| RelativeRule {
        evidence: rule.evidence,
        origin: rule.origin.clone(),
        ..RelativeRule::from_constraint(&rule.constraint, &columns, Edge::False)
    }))
}

/// Relative rules over the variables of a patch, as they are for the cell in its middle; nothing if they
/// are not about a patch alone.
pub(super) fn on_patch(rules: &[RelativeRule]) -> Option<RuleSet> {
    let is_near = |(axis, select): &(String, Select), wanted: &str| {
        axis == wanted && matches!(select, Select::Offsets(by) if by.iter().all(|by| (-1..=1).contains(by)))
    };
    let is_within = |term: &RelativeTerm| {
        let is_known = Kind::ALL.iter().any(|kind| kind.name() == term.block);
        is_known && matches!(&term.at[..], [row, column] if is_near(row, "row") && is_near(column, "column"))
    };
    let variables = patch_variables();
    let domain = Domain::of(&variables);
    let mut set = RuleSet::new(variables);
    for rule in rules {
        let mut terms = rule.terms.iter().chain(&rule.gate);
        let is_plain = rule.edge == Edge::False && rule.exceptions.is_empty() && rule.anchors().len() == 2;
        if !is_plain || !terms.all(is_within) {
            return None;
        }
        for constraint in rule.ground_at(&domain, &[Label::Number(0), Label::Number(0)]) {
            set.insert(Rule { constraint, evidence: rule.evidence, origin: rule.origin.clone() });
        }
    }
    Some(set)
}

fn all_variables() -> Vec<Var> {
    (0..SIZE as u32).map(Var).collect()
}

/// What is true of starts, ends and obstacles in all questions, with or without enough evidence.
fn common_to_questions(patches: &Patches) -> Vec<Constraint> {
    let mut common = Vec::new();
    for head in Kind::ALL.into_iter().filter(|kind| kind.is_given()) {
        let turned = patches.given(head).turned();
        let (head, varying) = (relative(head, (0, 0)), turned.varying());
        for var in (0..SIZE as u32).map(Var).filter(|var| placed(*var).0.is_given() && *var != head) {
            if !turned.is_empty() && !varying.contains(&var) {
                let literal = Lit::new(var, !turned.is_first(var));
                common.push(Constraint::clause([head.negative(), literal]));
            }
        }
    }
    common
}

/// The rules that are needed beside what is common, and those that are not.
fn without_implied(common: &[Constraint], rules: Vec<Rule>) -> (RuleSet, RuleSet) {
    let common = RuleSet::with_rules(patch_variables(), common.iter().cloned().map(Rule::given));
    let first = common.len();
    let mut all = common;
    rules.into_iter().for_each(|rule| {
        all.insert(rule);
    });
    let dropped: BTreeSet<usize> = redundant(&all).into_iter().collect();
    let choose = |is_dropped: bool| {
        let rules = all.rules().iter().enumerate().skip(first);
        let chosen = rules.filter(|(at, _)| dropped.contains(at) == is_dropped);
        RuleSet::with_rules(patch_variables(), chosen.map(|(_, rule)| rule.clone()))
    };
    (choose(false), choose(true))
}

/// The literals that hold, in every orientation, wherever the head bit is true.
fn single_literals(head: Kind, everywhere: &Examples, counts: &Counts, settings: &RuleSettings) -> Vec<Rule> {
    let head = relative(head, (0, 0)).positive();
    // As many nats as confirm the rarest of all clauses of two literals.
    let clauses = (2 * SIZE * (SIZE - 1)) as f64;
    let needed = (clauses / settings.false_alarm).ln();
    let confirm = |literal: Lit| {
        let clause = Constraint::clause([!head, literal]);
        let mut rule = confirm_at(clause, "counting", everywhere, 0.0, settings.false_alarm).ok()?;
        let is_of_obstacles = [head, literal].iter().any(|l| placed(l.var()).0 == Kind::Obstacle);
        let mut allowed = 0.0;
        if is_of_obstacles && settings.exceptions > 0.0 {
            rule.evidence.expected_violations = counts.together([head, !literal]);
            allowed = settings.exceptions * rule.evidence.expected_violations;
        }
        let (seen, expected) = (rule.evidence.violated as f64, rule.evidence.expected_violations);
        let surprise = if seen > 0.0 { seen * (seen / expected).ln() } else { 0.0 };
        (seen <= allowed && expected - seen + surprise >= needed).then_some(rule)
    };
    let others = all_variables().into_iter().filter(|var| *var != head.var());
    let literals = others.flat_map(|var| [var.positive(), var.negative()]);
    literals
        .filter_map(|literal| {
            let rule = confirm(literal)?;
            images(literal).iter().all(|image| confirm(*image).is_some()).then_some(rule)
        })
        .collect()
}

/// The equalities that hold wherever the head bit is true.
fn equalities(
    head: Kind,
    given: &Patches,
    settings: &RuleSettings,
    control: &dyn Control,
) -> Result<Vec<Rule>, SettingsError> {
    let gate = relative(head, (0, 0)).positive();
    let turned = given.turned();
    let mut varying = turned.varying();
    if !given.knows_obstacles() {
        varying.retain(|var| placed(*var).0 != Kind::Obstacle);
    }
    let names = patch_variables();
    let variables =
        Variables::from_names(varying.iter().map(|var| names.name(*var))).expect("a part of distinct names");
    let search = Settings {
        seed: settings.seed,
        false_alarm: settings.false_alarm,
        counting: false,
        templates: false,
        parity: false,
        stability: false,
        ..Settings::default()
    };
    let learned = learn_unjudged(&variables, &turned.examples(&varying), &search.check()?, control);
    let examples = given.examples(&all_variables());
    let candidates = learned.constraints().filter(|constraint| constraint.is_equality());
    let confirmed = candidates.filter_map(|constraint| {
        let literal = |l: &Lit| Lit::new(varying[l.var().index()], l.is_negated());
        let constraint =
            Constraint::new(constraint.literals().iter().map(literal), constraint.sums().clone());
        let rule = confirm_at(constraint, "least squares", &examples, 1.0, settings.false_alarm);
        rule.ok().map(|rule| Rule { constraint: rule.constraint.clone().gated(gate), ..rule })
    });
    Ok(confirmed.collect())
}

/// Relative rules at every cell of a grid, over `start[row, column]`, `end`, `path` and `obstacle`. Rows and
/// columns count from 0, as [`Cell`](super::Cell)s do.
pub fn on_grid(rules: &RuleSet, grid: &Grid) -> RuleSet {
    let axes = [("row", 0..=grid.rows as i64 - 1), ("column", 0..=grid.columns as i64 - 1)];
    let relative = RuleSet::of_relative(rules.relative().iter().cloned());
    relative.grounded(&blocks(axes)).expect("a relative rule names no variable")
}

/// The variable of a kind at a cell with this number.
pub(super) fn absolute(grid: &Grid, kind: Kind, cell: usize) -> Var {
    Var((kind as usize * grid.len() + cell) as u32)
}

/// The rules that make a path: of start, end and neighbours on the path each cell of it has exactly two,
/// the ends are on it, and no obstacle is. They judge what was learned, and say whether it can be compiled;
/// no learner sees them.
pub fn degree_rules() -> RuleSet {
    let here = |kind: Kind| relative(kind, (0, 0)).positive();
    let first = Kind::Path as usize * PLACES;
    let around = (first..first + PLACES).map(|var| Var(var as u32).positive());
    let around = around.filter(|literal| *literal != here(Kind::Path));
    let degree = Constraint::exactly(2, around.chain([here(Kind::Start), here(Kind::End)]));
    let rules = [
        degree.gated(here(Kind::Path)),
        Constraint::clause([!here(Kind::Start), here(Kind::Path)]),
        Constraint::clause([!here(Kind::End), here(Kind::Path)]),
        Constraint::at_most(1, [here(Kind::Path), here(Kind::Obstacle)]),
    ];
    relative_to_a_cell(&rules.map(Rule::given))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driving::rules_in_words;
    use crate::driving::test_maps::{lessons, trials};
    use preceptron_base::Quiet;
    use preceptron_reason::{Certificate, equivalent};

    fn learned(count: u64, seed: u64) -> LearnedRules {
        let grid = Grid::default();
        let trials = trials(&grid, 0.05, seed, count);
        learn_rules(&grid, &lessons(&trials), &RuleSettings::default(), &Quiet).unwrap()
    }

    /// How many rules of paths are missing, and how many others are there.
    fn differences(rules: &RuleSet) -> (usize, usize) {
        let comparison = rules.compare(&degree_rules());
        (comparison.missing_relative.len(), comparison.extra_relative.len())
    }

    /// The rules beside those of paths, by proof.
    fn compared(learned: &LearnedRules) -> Certificate {
        let on_patch = |rules: &RuleSet| on_patch(rules.relative()).unwrap();
        equivalent(&on_patch(&learned.rules), &on_patch(&degree_rules())).unwrap()
    }

    fn assert_recovered(learned: &LearnedRules) {
        let words = rules_in_words(learned).join("\n");
        assert_eq!(differences(&learned.rules), (0, 0), "{words}");
        assert!(compared(learned).is_equivalent());
        assert!(learned.rules.relative().iter().all(|rule| rule.evidence.violated == 0));
    }

    #[test]
    fn recovered_from_500_demonstrations() {
        for seed in 0..5 {
            assert_recovered(&learned(500, seed));
        }
    }

    #[test]
    fn recovered_from_6160_demonstrations() {
        let learned = learned(6160, 7);
        assert_recovered(&learned);
        assert_eq!(learned.patches, 616_000);
        // With more lessons it is sure that no end is the start.
        assert!(
            rules_in_words(&learned)
                .iter()
                .any(|l| l.contains("if a cell is the start then it is not the end"))
        );
    }

    #[test]
    fn too_few_demonstrations_teach_less_and_nothing_wrong() {
        let few = learned(12, 1);
        let certificate = compared(&few);
        assert_eq!(certificate.extra, [], "{:?}", rules_in_words(&few));
        assert!(!certificate.missing.is_empty());
    }

    /// Without maps nothing can be known of obstacles, and the rest is learned all the same.
    #[test]
    fn without_maps() {
        let grid = Grid::default();
        let trials = trials(&grid, 0.05, 3, 500);
        let blind: Vec<Lesson> =
            lessons(&trials).into_iter().map(|lesson| Lesson { obstacles: None, ..lesson }).collect();
        let learned = learn_rules(&grid, &blind, &RuleSettings::default(), &Quiet).unwrap();
        assert_eq!(differences(&learned.rules), (1, 0));
        assert_eq!(
            learned.rules.compare(&degree_rules()).missing_relative[0].to_string(),
            "for every row and column: not both path[row, column] and obstacle[row, column]"
        );
    }

    /// Predicted maps miss a tenth of the obstacles and add some that are not there.
    #[test]
    fn from_predicted_maps() {
        let grid = Grid::default();
        let mut trials = trials(&grid, 0.05, 4, 500);
        let mut random = preceptron_base::stream(2, "predict", 0);
        for blocked in trials.iter_mut().flat_map(|(map, _)| &mut map.blocked) {
            *blocked = rand::RngExt::random_bool(&mut random, if *blocked { 0.9 } else { 0.01 });
        }
        let exact = learn_rules(&grid, &lessons(&trials), &RuleSettings::default(), &Quiet).unwrap();
        assert_eq!(differences(&exact.rules), (1, 0));
        let settings = RuleSettings { exceptions: 0.4, ..RuleSettings::default() };
        let learned = learn_rules(&grid, &lessons(&trials), &settings, &Quiet).unwrap();
        let words = rules_in_words(&learned).join("\n");
        assert_eq!(differences(&learned.rules), (0, 0), "{words}");
    }

    #[test]
    fn settings_out_of_range() {
        let error = |settings| learn_rules(&Grid::default(), &[], &settings, &Quiet).unwrap_err().to_string();
        let settings = RuleSettings { exceptions: 1.0, ..RuleSettings::default() };
        assert_eq!(error(settings), "exceptions = 1 is out of range: 0 to below 1");
        let settings = RuleSettings { false_alarm: 0.0, ..RuleSettings::default() };
        assert!(error(settings).starts_with("false_alarm = 0 is out of range"));
        let nothing = learn_rules(&Grid::default(), &[], &RuleSettings::default(), &Quiet).unwrap();
        assert!(nothing.rules.relative().is_empty() && nothing.facts.relative().is_empty());
    }

    /// Demonstrations that turn at random into any neighbour obey no rule on neighbours.
    #[test]
    fn wandering_teaches_no_degree() {
        let grid = Grid::default();
        let mut trials = trials(&grid, 0.05, 9, 300);
        let mut random = preceptron_base::stream(1, "wander", 0);
        for (_, shown) in &mut trials {
            let mut path = vec![shown.start];
            for _ in 0..8 {
                let around: Vec<_> = grid.neighbours(path[path.len() - 1]).collect();
                path.push(around[rand::RngExt::random_range(&mut random, 0..around.len())]);
            }
            shown.end = path[8];
            shown.path = path;
        }
        let learned = learn_rules(&grid, &lessons(&trials), &RuleSettings::default(), &Quiet).unwrap();
        assert!(learned.rules.relative().iter().all(|rule| rule.gate.is_none()));
        assert!(!compared(&learned).is_equivalent());
    }

    #[test]
    fn rules_on_a_grid() {
        let grid = Grid { rows: 3, columns: 4, ..Grid::default() };
        let rules = on_grid(&degree_rules(), &grid);
        assert_eq!((rules.variables().len(), rules.len()), (48, 48));
        let mut sizes: Vec<usize> =
            rules.constraints().filter(|c| c.gate().is_some()).map(Constraint::len).collect();
        sizes.sort_unstable();
        assert_eq!(sizes, [vec![5; 4], vec![7; 6], vec![10; 2]].concat());
        assert_eq!(rules.variables().find("path[row 2, column 3]"), Some(absolute(&grid, Kind::Path, 11)));
        // Beyond the edge a negated literal holds.
        let odd = Constraint::exactly(
            1,
            [relative(Kind::Path, (0, 0)).positive(), relative(Kind::Path, (1, 0)).negative()],
        );
        let odd = relative_to_a_cell(&[Rule::given(odd)]);
        let last = on_grid(&odd, &Grid { rows: 1, columns: 1, ..grid });
        assert_eq!(last.constraints().next(), Some(&Constraint::exactly(0, [Var(2).positive()])));
    }

    /// What is on a patch comes back from there; what looks further is not on it.
    #[test]
    fn rules_on_a_patch() {
        let rules = degree_rules();
        let patch = on_patch(rules.relative()).unwrap();
        assert_eq!((patch.len(), relative_to_a_cell(patch.rules())), (4, rules.clone()));
        let mut far = rules.relative()[0].clone();
        far.terms[0].at[0].1 = Select::Offsets(vec![2]);
        assert_eq!(on_patch(&[far]), None);
        assert_eq!(on_patch(&[RelativeRule { edge: Edge::Skip, ..rules.relative()[0].clone() }]), None);
    }
}
