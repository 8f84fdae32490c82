//! Settings in words, as rows of a table.

use preceptron_base::{Flag, Kind};

use super::html::Html;

/// A setting in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// What it is called: `constraint penalty`.
    pub name: String,
    /// Its value.
    pub value: String,
    /// What it is for, in a sentence.
    pub about: String,
}

/// Settings in words, from their flags and the values that they have (as `Settings::typed` gives them).
pub fn settings_in_words(flags: &[Flag], typed: &[(&'static str, String)]) -> Vec<Setting> {
    let setting = |flag: &Flag| {
        let value = typed.iter().find(|(name, _)| *name == flag.name).map(|(_, value)| value.as_str());
        let value = match (flag.kind, value) {
            (Kind::Switch, Some(_)) => "yes",
            (Kind::Switch, None) => "no",
            (_, Some("")) | (_, None) => "not set",
            (_, Some(value)) => value,
        };
        Setting { name: flag.name.replace('_', " "), value: value.to_owned(), about: sentence(&flag.help) }
    };
    flags.iter().map(setting).collect()
}

/// The first sentence of a help text, without the default and with spaces in place of line ends.
fn sentence(help: &str) -> String {
    let words: Vec<&str> = help.split_whitespace().collect();
    let text = words.join(" ");
    let text = text.split(" [default").next().unwrap_or_default();
    let end = text.match_indices(". ").map(|(at, _)| at + 1).next();
    text[..end.unwrap_or(text.len())].trim_end_matches(['.', ':']).to_owned()
}

/// The table, in as many columns as there is room for.
pub fn write(html: &mut Html, settings: &[Setting]) {
    if settings.is_empty() {
        return;
    }
    html.element("h3", "", "Settings").within("div", "settings", |html| {
        for Setting { name, value, about } in settings {
            html.within("div", "setting", |html| {
                html.element("b", "", name).element("span", "value", value).element("p", "faint", about);
            });
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flag(name: &'static str, help: &str, kind: Kind) -> Flag {
        Flag { name, value: "", help: help.to_owned(), kind, missing: None, default: None, section: None }
    }

    #[test]
    fn settings_have_names_values_and_sentences() {
        let flags = [
            flag("constraint_penalty", "How fast rows become whole.\n At first it is 0.", Kind::Text),
            flag("boards", "Boards from a file\n   [default: boards are generated].", Kind::Text),
            flag("one_look", "Look once.", Kind::Switch),
            flag("force", "Overwrite.", Kind::Switch),
        ];
        let typed = [("constraint_penalty", "0.002".to_owned()), ("one_look", String::new())];
        let settings = settings_in_words(&flags, &typed);
        let settings: Vec<[&str; 3]> =
            settings.iter().map(|one| [&one.name[..], &one.value, &one.about]).collect();
        let expected = [
            ["constraint penalty", "0.002", "How fast rows become whole"],
            ["boards", "not set", "Boards from a file"],
            ["one look", "yes", "Look once"],
            ["force", "no", "Overwrite"],
        ];
        assert_eq!(settings, expected);
    }
}
