//! Sections and their blocks as HTML.

use super::html::Html;
use super::{Block, Drawing, Escaped, Figure, Section};

/// A section: its heading, its blocks, and what stands below these.
pub fn section(html: &mut Html, section: &Section, below: impl FnOnce(&mut Html)) {
    html.markup("\n").within("section", "", |html| {
        if !section.title.is_empty() {
            html.element("h2", "", &section.title);
        }
        section.blocks.iter().for_each(|one| block(html, one));
        below(html);
    });
}

/// A list of points.
pub fn list(html: &mut Html, points: &[String]) {
    html.within("ul", "", |html| {
        for point in points {
            html.element("li", "", point);
        }
    });
}

fn block(html: &mut Html, block: &Block) {
    match block {
        Block::Figures(figures) => {
            html.within("div", "figures", |html| figures.iter().for_each(|one| figure(html, one)))
        }
        Block::Table { titles, rows } => html.within("div", "wide", |html| {
            html.within("table", "", |html| {
                row(html, "th", titles);
                rows.iter().for_each(|cells| row(html, "td", cells));
            });
        }),
        Block::Text(text) => html.element("p", "", text),
        Block::Faint(text) => html.element("p", "faint", text),
        Block::Heading(text) => html.element("h3", "", text),
        Block::Key(entries) => html.within("p", "key", |html| {
            for (class, sign, meaning) in entries {
                html.markup("<span>");
                if !sign.is_empty() {
                    html.element("b", class, sign);
                }
                html.text(meaning).markup("</span>\n");
            }
        }),
        Block::List(points) => {
            list(html, points);
            html
        }
        Block::Drawings(drawings) => {
            let class = if drawings.iter().any(|one| !one.svg.is_empty()) { "boards" } else { "scenes" };
            html.within("div", class, |html| drawings.iter().for_each(|one| drawing(html, one)))
        }
        Block::Charts(charts) => {
            html.within("div", "panels", |html| charts.iter().for_each(|one| drawing(html, one)))
        }
    };
}

/// A figure, on one line, so that a page can be searched for them.
fn figure(html: &mut Html, Figure { value, name, about }: &Figure) {
    html.markup("<div class=\"figure\"><b>").text(value).markup("</b><span>").text(name);
    if !about.is_empty() {
        html.text(": ").text(about);
    }
    html.markup("</span></div>\n");
}

/// A row of a table: all cells but the first are numbers.
fn row(html: &mut Html, tag: &str, cells: &[String]) {
    html.within("tr", "", |html| {
        for (at, cell) in cells.iter().enumerate() {
            html.element(tag, if at == 0 { "" } else { "number" }, cell);
        }
    });
}

fn drawing(html: &mut Html, drawing: &Drawing) {
    let Drawing { svg, picture, title, remarks, notes } = drawing;
    html.within("figure", if picture.is_empty() { "" } else { "scene" }, |html| {
        if !picture.is_empty() {
            html.markup(&format!("<img alt=\"{}\" src=\"{}\" />\n", Escaped(title), Escaped(picture)));
        }
        html.markup(svg).markup("\n");
        if title.is_empty() && remarks.is_empty() && notes.is_empty() {
            return;
        }
        html.within("figcaption", "", |html| {
            if !title.is_empty() {
                html.element("strong", "", title);
            }
            for remark in remarks {
                html.element("p", "", remark);
            }
            for note in notes {
                html.element("p", "faint", note);
            }
        });
    });
}
