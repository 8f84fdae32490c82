//! The frame of every page: one file, its style within it, that loads nothing and runs nothing.

use super::Escaped;
use super::html::Html;

/// What a page may do: show its own style and the pictures that stand in it.
const ALLOWED: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/// A whole page. The ids are those of the runs that it is about.
pub fn document(title: &str, ids: &[&str], body: impl FnOnce(&mut Html)) -> String {
    let mut html = Html::default();
    html.markup("<!DOCTYPE html>\n<html lang=\"en\">\n").within("head", "", |html| {
        html.markup("<meta charset=\"utf-8\" />\n");
        html.markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n");
        html.markup(&format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{ALLOWED}\" />\n"));
        for id in ids {
            html.markup(&format!("<meta name=\"precept-run\" content=\"{}\" />\n", Escaped(id)));
        }
        html.element("title", "", title);
        html.markup("<style>\n").markup(include_str!("style.css")).markup("</style>\n");
    });
    html.within("body", "", body).markup("</html>\n");
    html.finish()
}
