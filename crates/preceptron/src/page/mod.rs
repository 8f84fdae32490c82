//! The page about a run: `report.html`, one file that needs no other and no network.
//!
//! A page is made of [`Section`]s of [`Block`]s; what these are of is the task's business, how they look is
//! said here. Text goes through the template, which escapes it; drawings are SVG or data, whose makers escape
//! what they are given.

mod chart;
mod curves;
mod rules;
mod settings_table;
mod ticks;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use minijinja::{Environment, context};
use serde::Serialize;
use serde_json::Value;

use crate::{PROGRAM, Run, TaskResult};
pub use minijinja::HtmlEscape as Escaped;
pub use rules::rules_section;

/// A part of a page.
#[derive(Clone, Debug, Serialize)]
pub struct Section {
    /// Its heading; none for the figures on top.
    pub title: String,
    /// What it has.
    pub blocks: Vec<Block>,
}

impl Section {
    /// A section with a heading.
    pub fn new(title: impl Into<String>, blocks: Vec<Block>) -> Section {
        Section { title: title.into(), blocks }
    }
}

/// Something on a page.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// Figures in large, each with what it is of.
    Figures(Vec<(String, String)>),
    /// A table; all columns but the first are numbers.
    Table {
        /// The titles of the columns.
        titles: Vec<String>,
        /// The rows.
        rows: Vec<Vec<String>>,
    },
    /// Words.
    Text(String),
    /// Words that explain.
    Faint(String),
    /// What colours stand for: the class, a sign of that colour if there is one, and what it means.
    Key(Vec<(&'static str, &'static str, &'static str)>),
    /// Points.
    List(Vec<String>),
    /// A smaller heading.
    Heading(String),
    /// Drawings side by side.
    Drawings(Vec<Drawing>),
}

/// A drawing with what is to be said of it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Drawing {
    /// SVG, whose text is escaped already; or nothing if it is a picture.
    pub svg: String,
    /// The address of a picture, or nothing.
    pub picture: String,
    /// The first line below it, in bold.
    pub title: String,
    /// Lines below that.
    pub remarks: Vec<String>,
    /// Faint lines below these.
    pub notes: Vec<String>,
}

/// What there is to say about a run.
pub struct Page {
    /// The task's name.
    pub task: &'static str,
    /// What the task is.
    pub about: &'static str,
    /// Whether training ended before its last step.
    pub is_interrupted: bool,
    /// The task's sections, figures first.
    pub sections: Vec<Section>,
    /// What the figures lean on.
    pub assumptions: Vec<String>,
    /// What to type to have the same again.
    pub commands: Vec<String>,
    /// The settings.
    pub settings: Value,
}

/// The page as HTML.
///
/// # Errors
/// If the run's measurements are damaged.
pub fn render(run: &Run, page: &Page) -> TaskResult<String> {
    let mut templates = Environment::new();
    templates.add_template("style.css", include_str!("style.css"))?;
    templates.add_template("page.html", include_str!("page.html"))?;
    let name = run.path().file_name().map_or_else(|| "run".into(), |name| name.to_string_lossy());
    let Page { task, about, is_interrupted, sections, assumptions, commands, settings } = page;
    let values = context! {
        name, task, about, is_interrupted, sections, assumptions, commands,
        id => run.id(),
        panels => curves::panels(&run.measurements()?),
        settings => settings_table::rows(settings),
        trained_by => run.program(),
        program => PROGRAM,
    };
    Ok(templates.get_template("page.html")?.render(values)?)
}

/// A PNG file as an address that stands in the page itself.
pub fn png_address(file: &[u8]) -> String {
    format!("data:image/png;base64,{}", STANDARD.encode(file))
}

/// A percentage that is 100% only where it is all.
pub fn percent(part: usize, whole: usize, decimals: usize) -> String {
    if part >= whole {
        return "100%".to_owned();
    }
    let most = 100.0 - 0.1f64.powi(decimals as i32);
    format!("{:.decimals$}%", (100.0 * part as f64 / whole as f64).min(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearly_all_is_not_all() {
        let shares = [(0, 3), (2, 3), (2999, 3000), (3000, 3000), (0, 0)];
        let shares = shares.map(|(part, whole)| percent(part, whole, 1));
        assert_eq!(shares, ["0.0%", "66.7%", "99.9%", "100%", "100%"]);
    }

    /// Names and words that would break a page.
    #[test]
    fn whatever_is_said_is_escaped() {
        let folder = tempfile::tempdir().unwrap();
        let run = Run::reserve(&folder.path().join("<a> & b"), false)
            .unwrap()
            .create("toy", &toml::Table::new(), &[])
            .unwrap();
        run.metrics_after(0).unwrap().close().unwrap();
        let evil = || "<script>&\"'".to_owned();
        let drawing =
            Drawing { title: evil(), remarks: vec![evil()], notes: vec![evil()], ..Drawing::default() };
        let blocks = vec![
            Block::Figures(vec![(evil(), evil())]),
            Block::Table { titles: vec![evil(), evil()], rows: vec![vec![evil(), evil()]] },
            Block::Text(evil()),
            Block::Faint(evil()),
            Block::Key(vec![("found", "5", "found")]),
            Block::List(vec![evil()]),
            Block::Heading(evil()),
            Block::Drawings(vec![drawing]),
        ];
        let page = Page {
            task: "toy",
            about: "A toy.",
            is_interrupted: true,
            sections: vec![Section::new(evil(), blocks)],
            assumptions: vec![evil()],
            commands: vec![evil()],
            settings: serde_json::json!({ "<b>": evil() }),
        };
        let html = render(&run, &page).unwrap();
        assert!(html.contains("<title>&lt;a&gt; &amp; b: toy</title>") && html.contains(run.id()));
        assert!(!html.contains("<script") && !html.contains("http://") && !html.contains("https://"));
        for tag in ["figure", "section", "table", "tr", "td", "div", "p", "ul", "li"] {
            let (open, closed) = (format!("<{tag}"), format!("</{tag}>"));
            let opened = html.match_indices(&open).filter(|(at, _)| {
                html[at + open.len()..].starts_with(|c: char| c == '>' || c.is_whitespace())
            });
            assert_eq!(opened.count(), html.matches(&closed).count(), "{tag}");
        }
    }
}
