//! Columns of whole numbers in a table: which they are, what rules they obey, and what a plan says of them.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use anyhow::{Context, bail};
use preceptron_base::Control;
use preceptron_learn::{Holds, Sheet, column_names};
use preceptron_logic::Problem;
use preceptron_logic::numbers::{Claim, NumberRule, NumberRules, encoded};
use preceptron_numbers::{Column, Found, Numbers, Settings, Words, find};

use crate::present::count;

/// Which columns are taken for whole numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// Those in which rules of order or arithmetic are found, and those with more values than a category may have.
    Auto,
    /// None.
    None,
    /// These; a name that ends in `*` stands for all that begin like it.
    These(Vec<String>),
}

impl FromStr for Which {
    type Err = String;
    fn from_str(text: &str) -> Result<Which, String> {
        Ok(match text {
            "auto" => Which::Auto,
            "none" => Which::None,
            "" => return Err("expected auto, none or columns, as in s1,s2 or s*".to_owned()),
            names => Which::These(names.split(',').map(|name| name.trim().to_owned()).collect()),
        })
    }
}

/// The most values of a category, and of a column of words that gates rules.
const MOST_VALUES: usize = 64;
const MOST_WORDS: usize = 12;
/// The fewest numbers that make a quantity: two are a yes and no.
const FEWEST_VALUES: usize = 3;

/// What was found in the columns of numbers.
pub struct NumbersFound {
    /// The rules.
    pub rules: NumberRules,
    /// The table with these columns set aside.
    pub rest: Sheet,
    /// What to say of them.
    pub said: Vec<String>,
    /// Whether other columns are left for rules of categories.
    pub is_all: bool,
    /// How many rows there are.
    pub rows: usize,
    pub is_interrupted: bool,
}

/// The whole numbers in a column of a sheet, if it has nothing else.
fn integers(sheet: &Sheet, column: usize) -> Option<Vec<Option<i64>>> {
    if matches!(sheet.columns[column].holds, Holds::Words | Holds::Dates | Holds::Boolean | Holds::Marks) {
        return None;
    }
    let cell = |row: &Vec<preceptron_learn::SheetCell>| match row[column].word.as_str() {
        "" => Some(None),
        word => word.parse().ok().map(Some),
    };
    sheet.cells.iter().map(cell).collect()
}

/// The words in a column, if they are few.
fn words(sheet: &Sheet, column: usize) -> Option<(Vec<String>, Vec<Option<usize>>)> {
    if sheet.columns[column].holds != Holds::Words {
        return None;
    }
    let cells = || sheet.cells.iter().map(|row| row[column].word.as_str());
    let labels: BTreeSet<&str> = cells().filter(|word| !word.is_empty()).collect();
    let codes = cells().map(|word| labels.iter().position(|label| *label == word)).collect();
    (2..=MOST_WORDS)
        .contains(&labels.len())
        .then(|| (labels.iter().map(|label| (*label).to_owned()).collect(), codes))
}

/// Whether a name is one of these, or begins as one of them that ends in `*` does.
fn is_named(name: &str, patterns: &[String]) -> bool {
    patterns.iter().any(|pattern| match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == pattern,
    })
}

/// Finds the rules of numbers of a sheet.
pub fn search(
    sheet: &Sheet,
    which: &Which,
    seed: u64,
    control: &dyn Control,
) -> anyhow::Result<Option<NumbersFound>> {
    if *which == Which::None || sheet.rows.is_empty() {
        return Ok(None);
    }
    let names = column_names(sheet.columns.iter().map(|column| column.name.as_str()));
    let mut table = Numbers::default();
    let mut places = Vec::new();
    for (at, name) in names.iter().enumerate() {
        let own = &sheet.columns[at].name;
        let is_wanted = match which {
            Which::These(patterns) => is_named(own, patterns) || is_named(name, patterns),
            _ => sheet.columns[at].holds == Holds::Numbers,
        };
        match integers(sheet, at).filter(|_| is_wanted) {
            Some(values) => {
                let different: BTreeSet<i64> = values.iter().flatten().copied().collect();
                if different.len() >= FEWEST_VALUES || matches!(which, Which::These(_)) {
                    table.columns.push(Column { name: name.clone(), values });
                    places.push(at);
                }
            }
            None if is_wanted && matches!(which, Which::These(_)) => {
                bail!("--numbers: column {own:?} has cells that are no whole numbers");
            }
            None => {
                if let Some((labels, codes)) = words(sheet, at) {
                    table.words.push(Words { name: name.clone(), labels, codes });
                }
            }
        }
    }
    if let Which::These(patterns) = which
        && let Some(none) = patterns.iter().find(|pattern| {
            let one = std::slice::from_ref(*pattern);
            !places.iter().any(|at| is_named(&sheet.columns[*at].name, one) || is_named(&names[*at], one))
        })
    {
        bail!("--numbers: no column is named {none:?}");
    }
    if places.is_empty() {
        return Ok(None);
    }
    let Found { mut rules, is_interrupted, is_cut_short, is_serial } =
        find(&table, &Settings { seed, ..Settings::default() }, control);
    let kept = match which {
        Which::Auto => quantities(&table, &rules),
        _ => (0..places.len()).collect(),
    };
    if kept.is_empty() {
        return Ok(None);
    }
    let given = rules.rules.len();
    rules = among(&rules, &kept);
    let mut said = Vec::new();
    let shown: Vec<&str> = kept.iter().take(6).map(|at| table.columns[*at].name.as_str()).collect();
    let more = if kept.len() > shown.len() { ", ..." } else { "" };
    let turn_off = if *which == Which::Auto { "; --numbers none takes them for categories" } else { "" };
    said.push(format!(
        "{} of whole numbers: {}{more}{turn_off}",
        count(kept.len(), "column"),
        shown.join(", ")
    ));
    if is_cut_short {
        said.push(
            "the search for rules of numbers was bounded: some may be missing, or follow from others"
                .to_owned(),
        );
    }
    if is_serial {
        said.push(
            "rows that follow one another are alike: each counts for less in rules of numbers".to_owned(),
        );
    }
    debug_assert!(rules.rules.len() <= given);
    let mut rest = sheet.clone();
    kept.iter().for_each(|at| rest.columns[places[*at]].holds = Holds::Aside("whole numbers"));
    let is_left = |at: &usize| !matches!(rest.columns[*at].holds, Holds::Aside(_));
    let left: Vec<usize> = (0..sheet.columns.len()).filter(is_left).collect();
    // One column by itself has no rules beside those that speak of its words here.
    let is_all = match left[..] {
        [] => true,
        [one] => rules.categories.iter().any(|category| category.name == names[one]),
        _ => false,
    };
    Ok(Some(NumbersFound { rules, rest, said, is_all, rows: sheet.rows.len(), is_interrupted }))
}

/// The columns that are quantities: those that a rule of order or arithmetic ties together, and those that have more
/// values than a category.
fn quantities(table: &Numbers, rules: &NumberRules) -> Vec<usize> {
    let mut is_kept: Vec<bool> = (table.columns.iter())
        .map(|column| column.values.iter().flatten().collect::<BTreeSet<_>>().len() > MOST_VALUES)
        .collect();
    for rule in rules.rules.iter().filter(|rule| rule.claim.is_ordered()) {
        rule.claim.columns().into_iter().for_each(|column| is_kept[column] = true);
    }
    // What is tied to a quantity is one too.
    loop {
        let before = is_kept.clone();
        for rule in &rules.rules {
            let columns = rule.claim.columns();
            if columns.iter().any(|column| is_kept[*column]) {
                columns.into_iter().for_each(|column| is_kept[column] = true);
            }
        }
        if before == is_kept {
            return (0..is_kept.len()).filter(|column| is_kept[*column]).collect();
        }
    }
}

/// The rules over some of the columns, and the words that they speak of.
fn among(rules: &NumberRules, kept: &[usize]) -> NumberRules {
    let place: BTreeMap<usize, usize> = kept.iter().enumerate().map(|(new, old)| (*old, new)).collect();
    let inside = |rule: &&NumberRule| rule.claim.columns().iter().all(|column| place.contains_key(column));
    let mut own: Vec<NumberRule> = rules.rules.iter().filter(inside).cloned().collect();
    let mut spoken: BTreeSet<usize> = BTreeSet::new();
    for rule in &own {
        spoken.extend(rule.gate.map(|gate| gate.category));
        if let Claim::Sign { category, .. } = rule.claim {
            spoken.insert(category);
        }
    }
    let words: BTreeMap<usize, usize> = spoken.iter().enumerate().map(|(new, old)| (*old, new)).collect();
    for rule in &mut own {
        rule.claim.renumber(|column| place[&column], |category| words[&category]);
        if let Some(gate) = &mut rule.gate {
            gate.category = words[&gate.category];
        }
    }
    NumberRules {
        columns: kept.iter().map(|at| rules.columns[*at].clone()).collect(),
        categories: spoken.iter().map(|at| rules.categories[*at].clone()).collect(),
        rules: own,
        ..NumberRules::default()
    }
}

/// The numbers of a row, and the places of its words.
pub type Cells = (Vec<Option<i64>>, Vec<Option<usize>>);

/// Where the columns of rules of numbers are in a sheet.
pub struct Places {
    /// For each column of numbers its place among the sheet's columns.
    pub columns: Vec<Option<usize>>,
    /// The same for columns of words.
    pub words: Vec<Option<usize>>,
}

impl Places {
    /// Finds them by their names.
    pub fn of(sheet: &Sheet, rules: &NumberRules) -> Places {
        let names = column_names(sheet.columns.iter().map(|column| column.name.as_str()));
        let find = |name: &String| names.iter().position(|one| one == name);
        Places {
            columns: rules.columns.iter().map(|column| find(&column.name)).collect(),
            words: rules.categories.iter().map(|category| find(&category.name)).collect(),
        }
    }

    /// Whether a column of the sheet is one of them.
    pub fn has(&self, column: usize) -> bool {
        self.columns.contains(&Some(column)) || self.words.contains(&Some(column))
    }

    /// The numbers and words of a row; an error names a cell that is no whole number.
    pub fn row(&self, sheet: &Sheet, rules: &NumberRules, row: usize) -> anyhow::Result<Cells> {
        let word = |place: &Option<usize>| place.map_or("", |at| sheet.cells[row][at].word.as_str());
        let number = |(place, column): (&Option<usize>, &preceptron_logic::numbers::NumberColumn)| {
            let text = word(place);
            if text.is_empty() {
                return Ok(None);
            }
            let number: anyhow::Result<i64> = text.parse().with_context(|| {
                format!(
                    "{}: column {:?} holds {text:?}, which is no whole number",
                    sheet.rows[row].name, column.name
                )
            });
            number.map(Some)
        };
        let numbers =
            self.columns.iter().zip(&rules.columns).map(number).collect::<anyhow::Result<Vec<_>>>()?;
        let label = |(place, category): (&Option<usize>, &preceptron_logic::numbers::Category)| {
            category.labels.iter().position(|label| label == word(place))
        };
        Ok((numbers, self.words.iter().zip(&rules.categories).map(label).collect()))
    }
}

/// The problem with its rules of numbers on Boolean variables, one for each number that was seen where rules were
/// learned or that stands in the table.
pub fn encoded_for(problem: &Problem, sheet: &Sheet) -> anyhow::Result<Problem> {
    let mut wide = problem.clone();
    let places = Places::of(sheet, &problem.numbers);
    for row in 0..sheet.rows.len() {
        let (numbers, _) = places.row(sheet, &problem.numbers, row)?;
        for (value, column) in numbers.into_iter().zip(&mut wide.numbers.columns) {
            if let Some(value) = value {
                (column.min, column.max) = (column.min.min(value), column.max.max(value));
            }
        }
    }
    Ok(encoded(&wide)?)
}

/// The columns to blame for a claim that a row breaks: of those that must be different the ones that are not.
pub fn blamed(claim: &Claim, numbers: &[Option<i64>]) -> Vec<usize> {
    let columns = claim.columns();
    if let Claim::Distinct { columns, by, shift } = claim {
        let key = |column: &usize| numbers[*column].map(|value| (value + shift).div_euclid(*by));
        let same = |column: &&usize| {
            columns.iter().any(|other| other != *column && key(other).is_some() && key(other) == key(column))
        };
        return columns.iter().filter(same).copied().collect();
    }
    if let Claim::Increasing { columns, step } = claim {
        let broken = columns.windows(2).filter(|two| match (numbers[two[0]], numbers[two[1]]) {
            (Some(a), Some(b)) => a + step > b,
            _ => false,
        });
        let mut all: Vec<usize> = broken.flatten().copied().collect();
        all.dedup();
        return all;
    }
    columns
}

/// The rules of numbers in lines, with how many rows each holds in.
pub fn lines(rules: &NumberRules) -> Vec<String> {
    let line = |(line, members): (String, usize)| {
        let evidence = rules
            .rules
            .iter()
            .find(|rule| rules.line(rule) == line || rule.family.as_deref() == Some(line.as_str()))
            .map(|rule| {
                format!(
                    "holds in all {} rows; evidence {:.0}, {:.0} needed",
                    rule.evidence.rows, rule.evidence.evidence, rule.evidence.needed
                )
            })
            .unwrap_or_default();
        match members {
            1 => format!("{line}  ({evidence})"),
            _ => format!("{line}  ({members} rules; {evidence})"),
        }
    };
    rules.lines().into_iter().map(line).collect()
}
