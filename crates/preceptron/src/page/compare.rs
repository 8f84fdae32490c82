//! The page that compares runs of one task: figures side by side, settings that differ, curves in the same charts, and
//! the rules that only one of them has.
//!
//! Nothing is answered again: figures are those that each run kept when it was scored.

use std::path::Path;

use preceptron_logic::RuleSet;

use super::chart::{Across, Chart, Scale, Series};
use super::compare_rules::rules_compared;
use super::curves::{Curve, curves};
use super::{Block, Drawing, KeptScore, Section, Setting, blocks, capitalized, document};
use crate::{Measurement, PROGRAM, Run};

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
    let rules: Vec<&RuleSet> = runs.iter().map(|one| &one.rules).collect();
    let sections = [
        Section::new("", figures(runs, &names)),
        Section::new("Settings that differ", vec![settings(runs, &names)]),
        Section::new("Training", training(runs, &names)),
        Section::new("The rules", rules_compared(&rules, &names)),
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
        let chart =
            Chart { title: &capitalized(&metric), scale, across: Across::STEPS, series: &series }.svg();
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

fn origin(runs: &[Compared], names: &[String]) -> Block {
    let row = |(one, name): (&Compared, &String)| {
        let path = one.run.path().display().to_string();
        vec![name.clone(), path, one.run.id().to_owned(), one.run.program().to_owned()]
    };
    let titles = ["Run", "directory", "id", "trained by"].map(str::to_owned).into();
    Block::Table { titles, rows: runs.iter().zip(names).map(row).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Figure;

    fn compared(path: &Path, seed: &str, score: Option<&str>, losses: [f64; 2]) -> Compared {
        let run = Run::reserve(path, false).unwrap().create("toy", &toml::Table::new(), &[]).unwrap();
        let line = |(step, loss): (usize, f64)| {
            let line = serde_json::json!({ "learner": "a", "step": step, "loss": loss, "rank": 7 });
            serde_json::from_value(line).unwrap()
        };
        let setting = |name: &str, value: &str| Setting {
            name: name.to_owned(),
            value: value.to_owned(),
            about: String::new(),
        };
        Compared {
            run,
            settings: vec![setting("seed", seed), setting("order", "3")],
            rules: RuleSet::default(),
            score: score.map(|value| KeptScore {
                figures: vec![Figure::new(value, "of boards solved", "")],
                tables: vec![(
                    vec!["way".into(), "share".into()],
                    vec![vec!["likeliest".into(), value.into()]],
                )],
            }),
            measurements: losses.into_iter().enumerate().map(line).collect(),
        }
    }

    #[test]
    fn what_differs_stands_side_by_side() {
        let folder = tempfile::tempdir().unwrap();
        let one = compared(&folder.path().join("<one>"), "1", Some("98%"), [3.0, 1.0]);
        let two = compared(&folder.path().join("two\u{202e}"), "2", None, [4.0, 2.0]);
        let html = compare("toy", "A toy.", &[one, two]);
        assert!(html.contains("<title>Toy compared: &lt;one&gt;, two\\u{202e}</title>"), "{html}");
        assert!(!html.contains('\u{202e}') && !html.contains("<one>"));
        let row = |cells: [&str; 3]| {
            let [first, others @ ..] = cells;
            let numbers: String =
                others.iter().map(|cell| format!("<td class=\"number\">{cell}</td>\n")).collect();
            html.contains(&format!("<td>{first}</td>\n{numbers}"))
        };
        assert!(row(["of boards solved", "98%", "–"]) && row(["seed", "1", "2"]), "{html}");
        assert!(row(["likeliest", "&lt;one&gt;", "98%"]), "tables have a column for the run");
        assert!(!html.contains("<td>order</td>") && html.contains("scores it anew"));
        // Both curves are in one chart; what never changes is in none.
        assert_eq!(html.matches("<svg").count(), 1);
        assert_eq!(html.matches("<path class=\"curve colour").count(), 4, "two curves and their legend");
        assert!(html.contains("rank of the rules: &lt;one&gt; 7, two\\u{202e} 7"));
    }

    #[test]
    fn runs_of_one_name_are_called_by_their_paths() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["a/run", "b/run"].map(|path| folder.path().join(path));
        let runs = paths.each_ref().map(|path| compared(path, "1", None, [1.0, 1.0]));
        assert_eq!(names(&runs), paths.map(|path| path.display().to_string()));
        assert!(compare("toy", "", &runs).contains("All settings are the same."));
    }
}
