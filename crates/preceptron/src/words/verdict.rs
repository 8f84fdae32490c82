//! Is this enough data? The learner's verdict in plain sentences, and what to do next.

use preceptron_learn::{DropReason, Dropped, Learned, Verdict};
use preceptron_logic::{RuleSet, Var, Variables};

use super::{constraint_line, count, percentage};

/// The most ambiguous rules to name.
const AMBIGUOUS_SHOWN: usize = 3;
/// The most entries in a question.
const QUESTION_SHOWN: usize = 60;

fn is_unstable(verdict: &Verdict) -> bool {
    verdict.gained_late.unwrap_or(0) + verdict.lost_late.unwrap_or(0) > 0
}

fn wants_more(verdict: &Verdict) -> bool {
    !verdict.enough
}

/// The verdict in sentences: what is proved, what is not, what to ask, and one for each search that was limited.
pub fn verdict(verdict: &Verdict, rules: &RuleSet) -> Vec<String> {
    let mut sentences = vec![combinations(verdict)];
    if let Some(excluded) = verdict.excluded.filter(|_| !verdict.enough) {
        sentences.push(match excluded > 0.0 {
            true => format!(
                "A missing rule over up to three columns would exclude at most {} of what the rules allow.",
                percentage(excluded)
            ),
            false => "No rule over up to three columns is missing.".to_owned(),
        });
    }
    if verdict.examples > 0 && rules.rules().iter().any(|rule| rule.evidence.examples > 0) {
        sentences.push(format!(
            "A rule is broken by at most {} of all rows, any of them by at most {} (with 95% confidence, if the \
             examples are rows like any others).",
            percentage(verdict.rule_bound),
            percentage(verdict.rules_bound)
        ));
    }
    if let Some(near) = verdict.near_misses.first().filter(|near| near.expected >= 1.0) {
        let literals: Vec<String> = near.literals.iter().map(|&l| rules.variables().literal(l)).collect();
        sentences.push(format!(
            "The most suspicious gap: {} never come together, where the rules alone would make {:.1} examples of it.",
            literals.join(" and "),
            near.expected
        ));
    }
    if let Some(values) = &verdict.question {
        sentences.push(format!("Would you accept this: {}?", row(values, rules.variables())));
    }
    if is_unstable(verdict) {
        let (gained, lost) = (verdict.gained_late.unwrap_or(0), verdict.lost_late.unwrap_or(0));
        sentences.push(format!(
            "Learning without the last fifth of the examples misses {} and finds {} that the last fifth \
             contradicts.",
            count(gained, "rule"),
            count(lost, "rule")
        ));
    }
    if !verdict.ambiguous.is_empty() {
        let named: Vec<String> = verdict
            .ambiguous
            .iter()
            .take(AMBIGUOUS_SHOWN)
            .filter_map(|&at| rules.rules().get(at))
            .map(|rule| constraint_line(rules.variables(), &rule.constraint))
            .collect();
        let all = if verdict.ambiguous.len() > named.len() { "; ..." } else { "" };
        let ambiguous = count(verdict.ambiguous.len(), "rule");
        sentences.push(format!("Few different situations speak for {ambiguous}: {}{all}.", named.join("; ")));
    }
    sentences.push(equations(verdict));
    if verdict.constant > 0 {
        let variables = count(verdict.constant, "variable");
        sentences.push(format!("The examples never change {variables}."));
    }
    if verdict.nearly > 0 {
        let candidates = count(verdict.nearly, "candidate");
        sentences
            .push(format!("At least nine tenths of the examples, but not all, satisfy {candidates} more."));
    }
    sentences.extend(verdict.limits.iter().map(|limit| format!("Limited: {limit}.")));
    sentences
}

/// An assignment as a row of a table: the values of columns, then the Boolean variables that are true.
fn row(values: &[bool], variables: &Variables) -> String {
    let is_true = |var: &Var| values.get(var.index()).copied().unwrap_or(false);
    let mut is_column = vec![false; variables.len()];
    let mut entries = Vec::new();
    for group in variables.one_hot_groups() {
        group.iter().for_each(|var| is_column[var.index()] = true);
        entries.extend(group.iter().copied().filter(is_true).map(|var| entry(variables, var)));
    }
    let columns = entries.len();
    let plain = variables.iter().filter(|var| !is_column[var.index()] && is_true(var));
    entries.extend(plain.map(|var| variables.name(var).to_owned()));
    let is_boolean = is_column.iter().any(|is| !is);
    let trues = entries.len() - columns;
    let shown = entries.len().min(QUESTION_SHOWN);
    let more =
        if entries.len() > shown { format!(", and {} more", entries.len() - shown) } else { String::new() };
    let what = if entries.is_empty() { "nothing".to_owned() } else { entries[..shown].join(", ") };
    match (is_boolean, columns > 0 && trues == 0) {
        (false, _) => format!("{what}{more}"),
        (true, true) => format!("{what}{more}, and nothing else true"),
        (true, false) => format!("{what}{more} true, all else false"),
    }
}

/// A value of a column: `colour = red`, `work[nurse 1, day 2] = off`.
fn entry(variables: &Variables, var: Var) -> String {
    let whole = || variables.name(var).to_owned();
    let Some(place) = variables.place(var) else { return whole() };
    let block = &variables.blocks()[place.block];
    let Some(value) = block.one_hot() else { return whole() };
    let label = |at: usize| &block.axes()[at].labels()[place.positions[at]];
    let others = (0..block.given()).filter(|at| *at != value);
    let others: Vec<String> = others.map(|at| format!("{} {}", block.axes()[at].name(), label(at))).collect();
    match others.is_empty() {
        true => format!("{} = {}", block.name(), label(value)),
        false => format!("{}[{}] = {}", block.name(), others.join(", "), label(value)),
    }
}

/// Which combinations of values occur, of those that the rules allow.
fn combinations(verdict: &Verdict) -> String {
    let Some(stated) = verdict.combinations.len().checked_sub(1) else {
        return "What the rules allow and never occurs was not looked at: there is too much of it."
            .to_owned();
    };
    let tuple = |size: usize| match size {
        1 => "values".to_owned(),
        2 => "pairs of values".to_owned(),
        3 => "triples of values".to_owned(),
        _ => format!("combinations of {size} values"),
    };
    let share = |(seen, missed): (u64, u64)| seen as f64 / ((seen + missed) as f64).max(1.0);
    let complete = verdict.complete_up_to;
    let next = verdict.combinations.get(complete).map(|&next| (complete + 1, share(next)));
    match (verdict.enough, complete, next) {
        (true, ..) => format!(
            "All {} that the rules allow occur: no rule over {} or fewer columns is missing.",
            tuple(stated + 1),
            stated + 1
        ),
        (false, 0, Some((_, share))) => {
            format!("No: of the single values that the rules allow {} occur.", percentage(share))
        }
        (false, _, Some((size, share))) => format!(
            "Perhaps not: all {} that the rules allow occur; of the {} {} do.",
            tuple(complete),
            tuple(size),
            percentage(share)
        ),
        (false, _, None) => format!(
            "All {} that the rules allow occur; larger combinations were too many to look at.",
            tuple(complete)
        ),
    }
}

/// How many of the linear equations that hold on the examples the rules explain.
fn equations(verdict: &Verdict) -> String {
    let stated = verdict.equality_rank;
    let Some(rank) = verdict.rank else {
        return format!("The rules state {}.", count(stated, "independent linear equation"));
    };
    let hold = verdict.variables.saturating_sub(rank);
    if rank + 1 >= verdict.examples && hold > stated {
        return format!(
            "{} cannot tell {} apart: some of the equations that hold on them hold by their small number.",
            count(verdict.examples, "example"),
            count(verdict.variables, "variable")
        );
    }
    let equations = count(hold, "independent linear equation");
    match hold.saturating_sub(stated) {
        0 => format!("The rules explain all of the {equations} on the examples."),
        rest => {
            format!("The rules explain {stated} of the {equations} on the examples; {rest} are left open.")
        }
    }
}

/// Why no rule was found, in words.
pub fn no_rules(learned: &Learned) -> String {
    let by = |wanted: fn(&Dropped) -> bool| learned.dropped.iter().filter(|d| wanted(d)).count();
    let chance = by(|dropped| matches!(dropped.reason, DropReason::Chance { .. } | DropReason::Rare { .. }));
    let violated = by(|dropped| matches!(dropped.reason, DropReason::Violated { .. }));
    let encoding = match learned.rules.is_empty() {
        true => "",
        false => "Beyond the encoding of the columns, ",
    };
    let reason = if chance > 0 {
        let candidates = count(chance, "candidate");
        format!("the examples satisfy {candidates}, but are too few to rule out chance")
    } else if learned.verdict.nearly > 0 {
        let candidates = count(learned.verdict.nearly, "candidate");
        format!("nine tenths of the examples satisfy {candidates}, but none is satisfied by all")
    } else if violated > 0 {
        format!("the examples speak against each of the {}", count(violated, "candidate"))
    } else {
        "nothing in the examples suggests one".to_owned()
    };
    match encoding {
        "" => format!("No rule was found: {reason}."),
        _ => format!("{encoding}no rule was found: {reason}."),
    }
}

/// What to do next, one line each; `rules` is the file that the rules were written to.
pub fn next_steps(learned: &Learned, table: &str, rules: Option<&str>) -> Vec<String> {
    let mut steps = vec![];
    if let Some(first) = learned.rules.rules().first() {
        match rules {
            Some(file) => {
                let file = quoted(file);
                steps.push(format!("precept rules {file} --explain {}", first.id()));
                steps.push(format!("precept export {file} --format opb"));
            }
            None => {
                steps.push(format!("precept learn {} --out rules.json    to keep the rules", quoted(table)))
            }
        }
    }
    if learned.verdict.nearly > 0 {
        let table = quoted(table);
        steps.push(format!("precept learn {table} --threshold 95%    if the examples may have errors"));
    }
    if wants_more(&learned.verdict) || learned.rules.is_empty() {
        steps.push("learn again from more examples".to_owned());
    }
    steps
}

/// A file's name as a shell reads it.
pub fn quoted(name: &str) -> String {
    match name {
        "standard input" => "-".to_owned(),
        _ if name.chars().all(|c| c.is_alphanumeric() || "/._-+".contains(c)) => name.to_owned(),
        _ => format!("'{}'", name.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::{Constraint, Rule, Var, Variables};

    fn said(change: impl Fn(&mut Verdict)) -> Vec<String> {
        let mut all = Verdict { examples: 100, variables: 20, ..Verdict::default() };
        change(&mut all);
        let rules = RuleSet::with_rules(
            Variables::from_names(["a", "b"]).unwrap(),
            [Rule::given(Constraint::clause([Var(0).positive()]))],
        );
        verdict(&all, &rules)
    }

    #[test]
    fn a_good_end() {
        let sentences = said(|v| {
            (v.rank, v.equality_rank) = (Some(15), 5);
            (v.enough, v.stated_size, v.complete_up_to) = (true, 3, 3);
            (v.combinations, v.excluded) = (vec![(40, 0), (700, 0), (8000, 0)], Some(0.0));
        });
        insta::assert_snapshot!(sentences.join("\n"), @r"
        All triples of values that the rules allow occur: no rule over 3 or fewer columns is missing.
        The rules explain all of the 5 independent linear equations on the examples.
        ");
    }

    #[test]
    fn everything_at_once() {
        let sentences = said(|v| {
            (v.examples, v.rank) = (10, Some(9));
            (v.stated_size, v.complete_up_to) = (3, 1);
            (v.combinations, v.excluded) = (vec![(40, 0), (700, 300), (800, 90)], Some(0.12));
            v.question = Some(vec![true, false]);
            (v.gained_late, v.lost_late) = (Some(3), Some(1));
            (v.ambiguous, v.constant, v.nearly) = (vec![0], 2, 7);
            v.limits = vec!["clauses of 4 literals were left out".to_owned()];
        });
        insta::assert_snapshot!(sentences.join("\n"), @"
        Perhaps not: all values that the rules allow occur; of the pairs of values 70.0% do.
        A missing rule over up to three columns would exclude at most 12.0% of what the rules allow.
        Would you accept this: a true, all else false?
        Learning without the last fifth of the examples misses 3 rules and finds 1 rule that the last fifth contradicts.
        Few different situations speak for 1 rule: a is always true.
        10 examples cannot tell 20 variables apart: some of the equations that hold on them hold by their small number.
        The examples never change 2 variables.
        At least nine tenths of the examples, but not all, satisfy 7 candidates more.
        Limited: clauses of 4 literals were left out.
        ");
    }

    #[test]
    fn a_question_is_a_row() {
        let names = ["c[value red]", "c[value blue]", "w[day 1, value off]", "w[day 1, value on]", "late"];
        let mut variables = Variables::from_names(names).unwrap();
        assert_eq!(
            row(&[true, false, false, true, false], &variables),
            "c[value red], w[day 1, value on] true, all else false"
        );
        variables.set_one_hot("c", "value").unwrap();
        variables.set_one_hot("w", "value").unwrap();
        assert_eq!(
            row(&[true, false, false, true, false], &variables),
            "c = red, w[day 1] = on, and nothing else true"
        );
        assert_eq!(
            row(&[false, true, true, false, true], &variables),
            "c = blue, w[day 1] = off, late true, all else false"
        );
    }

    #[test]
    fn names_are_quoted_where_a_shell_needs_it() {
        assert_eq!(quoted("a/b-1.csv"), "a/b-1.csv");
        assert_eq!(quoted("it's mine.csv"), "'it'\\''s mine.csv'");
    }
}
