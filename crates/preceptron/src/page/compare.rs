//! The page that compares runs of one task: figures side by side, settings that differ, curves in the same charts, and
//! the rules that only one of them has.
//!
//! Nothing is answered again: figures are those that each run kept when it was scored.

use std::path::Path;

use preceptron_logic::{RuleSet, lift};

use super::chart::{Chart, Scale, Series};
use super::curves::{Curve, curves};
use super::{Block, Drawing, KeptScore, Section, Setting, blocks, capitalized, document};
use crate::{Measurement, PROGRAM, Run};

/// Rules that only one run has are listed up to this number.
const SHOWN: usize = 12;

/// A run that is compared with others.
pub struct Compared {
    /// The run.
    pub run: Run,
    /// Its settings.
    pub settings: Vec<Setting>,
    /// Its rules.
    pub rules: RuleSet,
    /// What it kept of its score, if it was scored.
    pub score: Option<KeptScore>,
    /// What was measured while it was trained.
    pub measurements: Vec<Measurement>,
}

/// The page about runs of one task, as HTML.
pub fn compare(task: &str, about: &str, runs: &[Compared]) -> String {
    let names = names(runs);
    let sections = [
        Section::new("", figures(runs, &names)),
        Section::new("Settings that differ", vec![settings(runs, &names)]),
        Section::new("Training", training(runs, &names)),
        Section::new("The rules", rules(runs, &names)),
        Section::new("The runs", vec![origin(runs, &names)]),
    ];
    let title = format!("{} compared: {}", capitalized(task), names.join(", "));
    let ids: Vec<&str> = runs.iter().map(|one| one.run.id()).collect();
    document::document(&title, &ids, |html| {
        html.within("header", "", |html| {
            html.element("h1", "", &title).element("p", "faint", about);
        });
        let filled = sections.iter().filter(|section| !section.blocks.is_empty());
        filled.for_each(|section| blocks::section(html, section, |_| ()));
        html.element("p", "faint", &format!("This page is by {PROGRAM}."));
    })
}

/// What runs are called: by their directories, with all that leads there if two have the same name.
fn names(runs: &[Compared]) -> Vec<String> {
    let whole = |path: &Path| path.display().to_string();
    let short = |one: &Compared| {
        let path = one.run.path();
        path.file_name().map_or_else(|| whole(path), |name| name.to_string_lossy().into_owned())
    };
    let is_unique = |one: &&Compared| runs.iter().filter(|other| short(other) == short(one)).count() == 1;
    match runs.iter().all(|one| is_unique(&one)) {
        true => runs.iter().map(short).collect(),
        false => runs.iter().map(|one| whole(one.run.path())).collect(),
    }
}

/// A table with a column for each run.
fn table(first: &str, names: &[String], rows: Vec<Vec<String>>) -> Block {
    let titles = [first.to_owned()].into_iter().chain(names.iter().cloned()).collect();
    Block::Table { titles, rows }
}

/// All of these in their order, each once.
fn distinct<T: PartialEq>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut kept = Vec::new();
    for one in all {
        if !kept.contains(&one) {
            kept.push(one);
        }
    }
    kept
}

fn figures(runs: &[Compared], names: &[String]) -> Vec<Block> {
    let scores = || runs.iter().filter_map(|one| one.score.as_ref());
    let row = |name: &str| {
        let value = |one: &Compared| {
            let figures = one.score.iter().flat_map(|score| &score.figures);
            figures.filter(|figure| figure.name == name).map(|figure| figure.value.clone()).next()
        };
        let values = runs.iter().map(|one| value(one).unwrap_or_else(|| "–".to_owned()));
        [name.to_owned()].into_iter().chain(values).collect()
    };
    let all = distinct(scores().flat_map(|score| &score.figures).map(|figure| figure.name.as_str()));
    let mut blocks = Vec::new();
    if !all.is_empty() {
        blocks.push(table("Figures", names, all.into_iter().map(row).collect()));
        let about =
            "Each run’s figures are of its own examples to test on, as they were when it was last scored.";
        blocks.push(Block::Faint(about.to_owned()));
    }
    for titles in distinct(scores().flat_map(|score| &score.tables).map(|(titles, _)| titles)) {
        blocks.push(merged(titles, runs, names));
    }
    let without = runs.iter().filter(|one| one.score.is_none());
    blocks.extend(without.map(|one| {
        let run = one.run.path().display();
        Block::Text(format!("{run} has not kept its score; precept report {run} scores it anew."))
    }));
    blocks
}

/// Tables of the same columns as one: rows of one name stand together, each with its run.
fn merged(titles: &[String], runs: &[Compared], names: &[String]) -> Block {
    let rows_of = |one: &Compared| -> Vec<Vec<String>> {
        let tables = one.score.iter().flat_map(|score| &score.tables);
        tables.filter(|(own, _)| own[..] == *titles).flat_map(|(_, rows)| rows.clone()).collect()
    };
    let all: Vec<Vec<Vec<String>>> = runs.iter().map(rows_of).collect();
    let firsts = distinct(all.iter().flatten().filter_map(|row| row.first().cloned()));
    let mut rows = Vec::new();
    for first in &firsts {
        for (name, own) in names.iter().zip(&all) {
            for row in own.iter().filter(|row| row.first() == Some(first)) {
                rows.push([&row[..1], std::slice::from_ref(name), &row[1..]].concat());
            }
        }
    }
    let titles = match titles {
        [first, rest @ ..] => [&[first.clone(), "run".to_owned()], rest].concat(),
        [] => Vec::new(),
    };
    Block::Table { titles, rows }
}

fn settings(runs: &[Compared], names: &[String]) -> Block {
    let value = |one: &Compared, name: &str| {
        let setting = one.settings.iter().find(|setting| setting.name == name);
        setting.map_or_else(|| "–".to_owned(), |setting| setting.value.clone())
    };
    let all = distinct(runs.iter().flat_map(|one| &one.settings).map(|setting| setting.name.as_str()));
    let row = |name: &str| -> Vec<String> {
        [name.to_owned()].into_iter().chain(runs.iter().map(|one| value(one, name))).collect()
    };
    let mut rows: Vec<Vec<String>> = all.into_iter().map(row).collect();
    rows.retain(|row| row[1..].iter().any(|value| *value != row[1]));
    match rows.is_empty() {
        true => Block::Text("All settings are the same.".to_owned()),
        false => table("Setting", names, rows),
    }
}

/// A chart for each measurement, with a curve for each run; what never changes is said in words.
fn training(runs: &[Compared], names: &[String]) -> Vec<Block> {
    let all: Vec<Vec<Curve>> = runs.iter().map(|one| curves(&one.measurements)).collect();
    let mut charts = Vec::new();
    let mut flat = Vec::new();
    for metric in distinct(all.iter().flatten().map(Curve::words)) {
        let of_run = |own: &Vec<Curve>| own.iter().find(|curve| curve.words() == metric).cloned();
        let own: Vec<(&String, Curve)> =
            names.iter().zip(&all).filter_map(|(name, own)| Some((name, of_run(own)?))).collect();
        if own.iter().all(|(_, curve)| curve.constant().is_some()) {
            let value = |(name, curve): &(&String, Curve)| {
                format!("{name} {}", curve.value(curve.constant().unwrap_or_default()))
            };
            flat.push(format!("{metric}: {}", own.iter().map(value).collect::<Vec<_>>().join(", ")));
            continue;
        }
        let scales = distinct(own.iter().map(|(_, curve)| curve.scale()));
        let scale = if let [scale] = scales[..] { scale } else { Scale::Linear };
        let series: Vec<Series> = own
            .into_iter()
            .map(|(name, curve)| Series { name: name.clone(), points: curve.points })
            .collect();
        let chart = Chart { title: &capitalized(&metric), scale, series: &series }.svg();
        charts.extend(chart.map(|svg| Drawing { svg, ..Drawing::default() }));
    }
    let mut blocks = Vec::new();
    if !charts.is_empty() {
        blocks.push(Block::Charts(charts));
    }
    if !flat.is_empty() {
        blocks.push(Block::Text("The same from the first step to the last:".to_owned()));
        blocks.push(Block::List(flat));
    }
    blocks
}

/// How many rules each run has, against those of the first; and what only one of two has.
fn rules(runs: &[Compared], names: &[String]) -> Vec<Block> {
    let [first, others @ ..] = runs else { return Vec::new() };
    let all = |rules: &RuleSet| rules.len() + rules.relative().len();
    let mut rows = vec![vec![names[0].clone(), all(&first.rules).to_string()]];
    rows[0].extend(["–", "–", "–"].map(str::to_owned));
    let mut lists = Vec::new();
    for (one, name) in others.iter().zip(&names[1..]) {
        let comparison = one.rules.compare(&first.rules);
        let extra = comparison.extra.len() + comparison.extra_relative.len();
        let missing = comparison.missing.len() + comparison.missing_relative.len();
        let numbers = [all(&one.rules), all(&one.rules) - extra, extra, missing].map(|n| n.to_string());
        rows.push([name.clone()].into_iter().chain(numbers).collect());
        if extra + missing == 0 {
            lists.push(Block::Text(format!("{name} has the same rules as {}.", names[0])));
        }
        let here = only(one.rules.clone(), &comparison.extra, &comparison.extra_relative);
        let there = only(first.rules.clone(), &comparison.missing, &comparison.missing_relative);
        for (heading, words) in [
            (format!("In {name}, and not in {}", names[0]), here),
            (format!("In {}, and not in {name}", names[0]), there),
        ] {
            if !words.is_empty() {
                lists.extend([Block::Heading(heading), Block::List(words)]);
            }
        }
    }
    let (shared, missing) = (format!("also in {}", names[0]), format!("only in {}", names[0]));
    let titles = ["Run", "rules", &shared, "only here", &missing].map(str::to_owned).into();
    [vec![Block::Table { titles, rows }], lists].concat()
}

/// Some rules of a set in words, in families.
fn only(
    mut rules: RuleSet,
    some: &[preceptron_logic::Rule],
    relative: &[preceptron_logic::RelativeRule],
) -> Vec<String> {
    let ids: std::collections::HashSet<_> = some.iter().map(|rule| rule.id()).collect();
    rules.retain(|rule| ids.contains(&rule.id()));
    let mut words: Vec<String> = relative.iter().map(ToString::to_string).collect();
    words.extend(lift(&rules).iter().map(|family| match family.members.len() {
        1 => family.to_string(),
        many => format!("{family} ({many} rules)"),
    }));
    let more = words.len().saturating_sub(SHOWN);
    words.truncate(SHOWN);
    words.extend((more > 0).then(|| format!("and {more} more")));
    words
}

fn origin(runs: &[Compared], names: &[String]) -> Block {
    let row = |(one, name): (&Compared, &String)| {
        let path = one.run.path().display().to_string();
        vec![name.clone(), path, one.run.id().to_owned(), one.run.program().to_owned()]
    };
    let titles = ["Run", "directory", "id", "trained by"].map(str::to_owned).into();
    Block::Table { titles, rows: runs.iter().zip(names).map(row).collect() }
}
