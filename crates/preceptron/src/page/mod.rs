//! The page about a run: `report.html`, one file that needs no other and no network; and the page that compares
//! several runs.
//!
//! A page is made of [`Section`]s of [`Block`]s; what these are of is the task's business, how they look is
//! said here. Text is escaped as it is written; drawings are SVG or data, whose makers escape what they are given.

mod blocks;
mod chart;
mod compare;
mod compare_rules;
mod confusion;
mod curves;
mod document;
mod found;
mod html;
mod kept_score;
mod reader;
mod reliability;
mod rules;
mod settings_table;
mod ticks;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::{PROGRAM, Run, TaskResult};
pub use chart::{Across, Chart, Scale, Series};
pub use compare::{Compared, compare};
pub use found::{TrueRules, found_blocks, found_families};
pub use html::Escaped;
pub use kept_score::KeptScore;
pub use reader::{ReadPicture, reader_section, reliability_section};
pub use rules::rules_section;
pub use settings_table::{Setting, settings_in_words};

/// A part of a page.
#[derive(Clone, Debug)]
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

/// A figure: its value, what it is of in words that are the same for all runs, and what else there is to say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// The value, such as `99.2%`.
    pub value: String,
    /// What it is of, such as `of digits read right`. Figures of this name are set side by side where runs are
    /// compared.
    pub name: String,
    /// More about it, such as `1390 of 1401 pictures`; may be empty.
    pub about: String,
}

impl Figure {
    /// A figure with its name and what else there is to say.
    pub fn new(value: impl Into<String>, name: impl Into<String>, about: impl Into<String>) -> Figure {
        Figure { value: value.into(), name: name.into(), about: about.into() }
    }
}

/// Something on a page.
#[derive(Clone, Debug)]
pub enum Block {
    /// Figures in large, each with what it is of.
    Figures(Vec<Figure>),
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
    /// Drawings that need more room.
    Charts(Vec<Drawing>),
}

/// A drawing with what is to be said of it.
#[derive(Clone, Debug, Default)]
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
    pub settings: Vec<Setting>,
}

/// The page as HTML.
///
/// # Errors
/// If the run's measurements are damaged.
pub fn render(run: &Run, page: &Page) -> TaskResult<String> {
    let name = run.path().file_name().map_or_else(|| "run".into(), |name| name.to_string_lossy());
    let training = curves::section(&run.measurements()?);
    let (top, others) = page.sections.split_at(page.sections.len().min(1));
    Ok(document::document(&format!("{name}: {}", page.task), &[run.id()], |html| {
        html.within("header", "", |html| {
            html.element("h1", "", &format!("{}: {name}", capitalized(page.task)));
            html.element("p", "faint", page.about);
            if page.is_interrupted {
                let notice = "Training was interrupted; this is what was learned until then.";
                html.element("p", "notice", notice);
            }
        });
        for section in top {
            blocks::section(html, section, |html| {
                if !page.assumptions.is_empty() {
                    html.element("h3", "", "What this leans on");
                    blocks::list(html, &page.assumptions);
                }
            });
        }
        for section in training.iter().chain(others) {
            blocks::section(html, section, |_| ());
        }
        blocks::section(html, &Section::new("To have the same again", Vec::new()), |html| {
            html.element("pre", "", &page.commands.join("\n"));
            settings_table::write(html, &page.settings);
            let kernels =
                if run.kernels().is_empty() { "" } else { &format!(" ({} kernels)", run.kernels()) };
            let programs = format!("Trained by {}{kernels}; this page is by {PROGRAM}.", run.program());
            html.element("p", "faint", &programs);
        });
    }))
}

/// A page of its own, about no run: a title, what it is about, and sections.
pub fn standalone(title: &str, about: &str, notices: &[String], sections: &[Section]) -> String {
    document::document(title, &[], |html| {
        html.within("header", "", |html| {
            html.element("h1", "", title).element("p", "faint", about);
            for notice in notices {
                html.element("p", "notice", notice);
            }
        });
        sections.iter().for_each(|section| blocks::section(html, section, |_| ()));
        html.element("p", "faint", &format!("This page is by {PROGRAM}."));
    })
}

/// A word with a capital letter at its head.
fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
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
        let evil = || "<script>&\"'\u{202e}\u{1b}".to_owned();
        let drawing =
            Drawing { title: evil(), remarks: vec![evil()], notes: vec![evil()], ..Drawing::default() };
        let blocks = vec![
            Block::Figures(vec![Figure::new(evil(), evil(), evil())]),
            Block::Table { titles: vec![evil(), evil()], rows: vec![vec![evil(), evil()]] },
            Block::Text(evil()),
            Block::Faint(evil()),
            Block::Key(vec![("found", "5", "found")]),
            Block::List(vec![evil()]),
            Block::Heading(evil()),
            Block::Drawings(vec![drawing.clone()]),
            Block::Charts(vec![Drawing { picture: evil(), ..drawing }]),
        ];
        let page = Page {
            task: "toy",
            about: "A toy.",
            is_interrupted: true,
            sections: vec![Section::new(evil(), blocks)],
            assumptions: vec![evil()],
            commands: vec![evil()],
            settings: vec![Setting { name: "<b>".into(), value: evil(), about: evil() }],
        };
        let html = render(&run, &page).unwrap();
        assert!(html.contains("<title>&lt;a&gt; &amp; b: toy</title>") && html.contains(run.id()));
        assert!(!html.contains("<script") && !html.contains("http://") && !html.contains("https://"));
        assert!(!html.contains(['\u{202e}', '\u{1b}']) && html.contains("default-src 'none'"));
        for tag in ["figure", "figcaption", "section", "table", "tr", "td", "div", "p", "ul", "li"] {
            let (open, closed) = (format!("<{tag}"), format!("</{tag}>"));
            let opened = html.match_indices(&open).filter(|(at, _)| {
                html[at + open.len()..].starts_with(|c: char| c == '>' || c.is_whitespace())
            });
            assert_eq!(opened.count(), html.matches(&closed).count(), "{tag}");
        }
    }
}
