//! The page about a run: `report.html`, one file that needs no other and no network.
//!
//! Everything on it is computed anew from the run's files and from a judgement of its examples. Text goes
//! through the template, which escapes it; drawings are SVG or data, whose makers escape what they are given.

mod board;
mod chart;
mod curves;
pub mod driving;
mod gallery;
mod input;
mod picture;
mod rules;
mod settings_table;
mod sudoku;
mod ticks;

use std::borrow::Cow;

use anyhow::Context;
use minijinja::{Environment, Value};
use preceptron::Run;

pub use input::Input;
pub use sudoku::write;

const TEMPLATE: &str = "report.html";

/// What all pages have.
const PARTS: [(&str, &str); 4] = [
    ("style.css", include_str!("style.css")),
    ("leans_on.html", include_str!("leans_on.html")),
    ("training.html", include_str!("training.html")),
    ("closing.html", include_str!("closing.html")),
];

/// Fills a template, which may include the parts.
fn render(template: &str, values: Value) -> anyhow::Result<String> {
    let mut templates = Environment::new();
    for (name, part) in PARTS.into_iter().chain([(TEMPLATE, template)]) {
        templates.add_template(name, part)?;
    }
    Ok(templates.get_template(TEMPLATE)?.render(values)?)
}

/// Writes a page into the run's directory.
fn keep(run: &Run, page: anyhow::Result<String>) -> anyhow::Result<()> {
    let page = page.with_context(|| format!("{}: no page about it", run.path().display()))?;
    Ok(run.write_report(&page)?)
}

/// What a run is called.
fn name(run: &Run) -> Cow<'_, str> {
    run.path().file_name().map_or_else(|| "run".into(), |name| name.to_string_lossy())
}

/// A percentage that is 100% only where it is all.
fn percent(part: usize, whole: usize, decimals: usize) -> String {
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
}
