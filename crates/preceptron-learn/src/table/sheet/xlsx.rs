//! Workbooks of Excel (`.xlsx`, `.xlsm`): cells, merged cells, dates by their formats, and the values of formulas.

use super::archive::Archive;
use super::dates::{from_serial, iso_part};
use super::grid::{Area, Content, Grid, MOST_CELLS, place};
use super::xml::{Event, Reader};

/// What cells refer to.
struct Shared {
    strings: Vec<String>,
    /// For each style whether it shows a number as a date.
    is_date: Vec<bool>,
    /// Whether days are counted from 1904.
    from_1904: bool,
}

/// A path that another part of the file names, from the file's root.
fn resolved(base: &str, target: &str) -> String {
    match target.strip_prefix('/') {
        Some(path) => path.to_owned(),
        None => {
            let mut parts: Vec<&str> = base.split('/').filter(|part| !part.is_empty()).collect();
            for part in target.split('/') {
                match part {
                    ".." => drop(parts.pop()),
                    "." | "" => {}
                    part => parts.push(part),
                }
            }
            parts.join("/")
        }
    }
}

/// The relations of a part: id, the last word of its type, and its target.
fn relations(text: &str) -> Vec<(String, String, String)> {
    let mut reader = Reader::new(text);
    let mut all = Vec::new();
    while let Some(event) = reader.next() {
        if let Event::Open(element) = event
            && element.name == "Relationship"
        {
            let of = |name| element.attribute(name).unwrap_or_default().into_owned();
            let kind = of("Type").rsplit('/').next().unwrap_or_default().to_owned();
            all.push((of("Id"), kind, of("Target")));
        }
    }
    all
}

fn part(archive: &Archive, name: &str) -> Result<String, String> {
    archive.text(name).unwrap_or_else(|| Err(format!("is damaged: it has no part {name}")))
}

/// All sheets of a workbook.
pub(super) fn read(archive: &Archive) -> Result<Vec<Grid>, String> {
    let root = archive.text("_rels/.rels").transpose()?.unwrap_or_default();
    let main = relations(&root).into_iter().find(|(_, kind, _)| kind == "officeDocument");
    let book = main.map_or_else(|| "xl/workbook.xml".to_owned(), |(_, _, target)| resolved("", &target));
    let (folder, file) = book.rsplit_once('/').unwrap_or(("", &book));
    let known = archive.text(&format!("{folder}/_rels/{file}.rels")).transpose()?.unwrap_or_default();
    let known = relations(&known);
    let of_kind = |wanted: &str| known.iter().find(|(_, kind, _)| kind == wanted);
    let text_of = |wanted: &str| -> Result<Option<String>, String> {
        let Some((_, _, target)) = of_kind(wanted) else { return Ok(None) };
        archive.text(&resolved(folder, target)).transpose()
    };
    let text = part(archive, &book)?;
    let (sheets, from_1904) = sheets(&text);
    let shared = Shared {
        strings: text_of("sharedStrings")?.map(|text| strings(&text)).unwrap_or_default(),
        is_date: text_of("styles")?.map(|text| dates_by_style(&text)).unwrap_or_default(),
        from_1904,
    };
    let mut grids = Vec::new();
    for (name, id, is_hidden) in sheets {
        let Some((_, kind, target)) = known.iter().find(|(known, _, _)| *known == id) else { continue };
        if kind != "worksheet" {
            continue;
        }
        let text = part(archive, &resolved(folder, target))?;
        let filled = grids.last().map_or(0, |last: &Grid| last.filled);
        let mut grid = cells(&text, &shared, filled).map_err(|what| format!("sheet {name}: {what}"))?;
        (grid.name, grid.is_hidden) = (name, is_hidden);
        grids.push(grid);
    }
    Ok(grids)
}

/// The sheets' names, the ids of their parts, and whether they are hidden; and whether days count from 1904.
fn sheets(text: &str) -> (Vec<(String, String, bool)>, bool) {
    let (mut all, mut from_1904) = (Vec::new(), false);
    let mut reader = Reader::new(text);
    while let Some(event) = reader.next() {
        let Event::Open(element) = event else { continue };
        let of = |name| element.attribute(name).unwrap_or_default().into_owned();
        match element.name {
            "sheet" => all.push((of("name"), of("id"), of("state").ends_with("idden"))),
            "workbookPr" => from_1904 = matches!(of("date1904").as_str(), "1" | "true"),
            _ => {}
        }
    }
    (all, from_1904)
}

/// The strings that cells share; how they are to be pronounced is left out.
fn strings(text: &str) -> Vec<String> {
    let (mut all, mut current) = (Vec::new(), None::<String>);
    let (mut in_text, mut in_phonetic) = (false, false);
    let mut reader = Reader::new(text);
    while let Some(event) = reader.next() {
        match event {
            Event::Open(element) => match element.name {
                "si" => current = Some(String::new()),
                "t" => in_text = true,
                "rPh" => in_phonetic = true,
                _ => {}
            },
            // No sheet has cells for more.
            Event::Close("si") if all.len() >= MOST_CELLS => break,
            Event::Close("si") => all.push(escapes(current.take().unwrap_or_default())),
            Event::Close("t") => in_text = false,
            Event::Close("rPh") => in_phonetic = false,
            Event::Text(text) if in_text && !in_phonetic => {
                if let Some(current) = &mut current {
                    current.push_str(&text);
                }
            }
            _ => {}
        }
    }
    all
}

/// Control characters, which XML cannot hold, are written as `_x000D_`.
fn escapes(text: String) -> String {
    if !text.contains("_x") {
        return text;
    }
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("_x") {
        plain.push_str(&rest[..at]);
        let code = rest.get(at + 2..at + 6).filter(|_| rest.as_bytes().get(at + 6) == Some(&b'_'));
        match code.and_then(|code| u32::from_str_radix(code, 16).ok()).and_then(char::from_u32) {
            Some(character) => {
                plain.push(character);
                rest = &rest[at + 7..];
            }
            None => {
                plain.push_str("_x");
                rest = &rest[at + 2..];
            }
        }
    }
    plain + rest
}

/// For each style of cells whether it shows numbers as dates or times.
fn dates_by_style(text: &str) -> Vec<bool> {
    let mut own: Vec<(usize, bool)> = Vec::new();
    let (mut all, mut in_cells) = (Vec::new(), false);
    let mut reader = Reader::new(text);
    while let Some(event) = reader.next() {
        match event {
            Event::Open(element) => match element.name {
                "numFmt" => {
                    let code = element.attribute("formatCode").unwrap_or_default();
                    own.extend(element.number("numFmtId").map(|id| (id, shows_date(&code))));
                }
                "cellXfs" => in_cells = true,
                "xf" if in_cells => {
                    let id = element.number("numFmtId").unwrap_or(0);
                    let known = own.iter().find(|(known, _)| *known == id);
                    let built_in = matches!(id, 14..=22 | 27..=36 | 45..=47 | 50..=58);
                    all.push(known.map_or(built_in, |(_, is_date)| *is_date));
                }
                _ => {}
            },
            Event::Close("cellXfs") => in_cells = false,
            _ => {}
        }
    }
    all
}

/// Whether a format has days, months, years, hours, minutes or seconds outside quotes and brackets.
fn shows_date(code: &str) -> bool {
    let code = code.split(';').next().unwrap_or_default();
    let mut characters = code.chars();
    let (mut found, mut bracket) = (false, String::new());
    while let Some(character) = characters.next() {
        match character {
            '"' => drop(characters.by_ref().find(|c| *c == '"')),
            '\\' | '_' | '*' => drop(characters.next()),
            '[' => {
                bracket.clear();
                bracket.extend(characters.by_ref().take_while(|c| *c != ']').map(|c| c.to_ascii_lowercase()));
                found |= !bracket.is_empty() && bracket.chars().all(|c| matches!(c, 'h' | 'm' | 's'));
            }
            c => found |= matches!(c.to_ascii_lowercase(), 'd' | 'm' | 'y' | 'h' | 's' | 'j' | 't'),
        }
    }
    // `General` and its like have none of these but by accident.
    found && !code.eq_ignore_ascii_case("general") && !code.eq_ignore_ascii_case("standard")
}

/// A cell while it is read.
#[derive(Default)]
struct Draft {
    kind: String,
    style: usize,
    value: Option<String>,
    is_formula: bool,
}

impl Draft {
    fn content(self, shared: &Shared) -> Content {
        let Some(value) = self.value else {
            return if self.is_formula { Content::Uncomputed } else { Content::Empty };
        };
        let number = || value.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        match self.kind.as_str() {
            "s" => match value.trim().parse::<usize>().ok().and_then(|at| shared.strings.get(at)) {
                Some(text) => Content::Text(text.clone()),
                None => Content::Error("a text that is not there".to_owned()),
            },
            "b" => Content::Bool(value.trim() == "1" || value.trim().eq_ignore_ascii_case("true")),
            "e" => Content::Error(value),
            "d" => Content::Date(iso_part(&value)),
            "str" | "inlineStr" => Content::Text(escapes(value)),
            _ => match number() {
                Some(days) if shared.is_date.get(self.style) == Some(&true) => {
                    from_serial(days, shared.from_1904).map_or(Content::Number(days), Content::Date)
                }
                Some(number) => Content::Number(number),
                None if value.trim().is_empty() && self.is_formula => Content::Uncomputed,
                None => Content::Text(value),
            },
        }
    }
}

/// The cells of a sheet, after so many of others.
fn cells(text: &str, shared: &Shared, filled: usize) -> Result<Grid, String> {
    let mut grid = Grid { filled, ..Grid::default() };
    let (mut row, mut column) = (0usize, 0usize);
    let (mut next_row, mut next_column) = (0usize, 0usize);
    let mut draft: Option<Draft> = None;
    let (mut takes_text, mut in_phonetic, mut is_whole) = (false, false, false);
    let mut reader = Reader::new(text);
    while let Some(event) = reader.next() {
        match event {
            Event::Open(element) => match element.name {
                "row" => {
                    row = element.number("r").and_then(|row| row.checked_sub(1)).unwrap_or(next_row);
                    next_column = 0;
                }
                "c" => {
                    let named = element.attribute("r").and_then(|name| place(&name));
                    (row, column) = named.unwrap_or((row, next_column));
                    let kind = element.attribute("t").unwrap_or_default().into_owned();
                    let style = element.number("s").unwrap_or(0);
                    draft = Some(Draft { kind, style, ..Draft::default() });
                }
                "v" => takes_text = true,
                "t" => takes_text = !in_phonetic,
                "rPh" => in_phonetic = true,
                "f" => {
                    if let Some(draft) = &mut draft {
                        draft.is_formula = true;
                    }
                }
                "mergeCell" => {
                    grid.merged.extend(element.attribute("ref").and_then(|area| Area::parse(&area)))
                }
                _ => {}
            },
            Event::Text(text) if takes_text => {
                if let Some(draft) = &mut draft {
                    draft.value.get_or_insert_default().push_str(&text);
                }
            }
            Event::Close("v" | "t") => {
                takes_text = false;
                // An empty text is a value too: a formula may have it.
                if let Some(draft) = draft.as_mut().filter(|draft| draft.kind == "str") {
                    draft.value.get_or_insert_default();
                }
            }
            Event::Close("rPh") => in_phonetic = false,
            Event::Close("c") => {
                if let Some(draft) = draft.take() {
                    grid.formulas += usize::from(draft.is_formula);
                    let content = draft.content(shared);
                    if !grid.set(row, column, content) {
                        return Err(format!(
                            "has more than {MOST_CELLS} cells, which is more than is read of a sheet"
                        ));
                    }
                }
                next_column = column + 1;
            }
            Event::Close("row") => next_row = row + 1,
            Event::Close("worksheet") => is_whole = true,
            _ => {}
        }
    }
    match is_whole && reader.is_over() {
        true => Ok(grid),
        false => Err("is cut off".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_of_dates_are_known() {
        for code in ["yyyy-mm-dd", "dd.mm.yy;@", "[$-407]d. mmm", "h:mm", "[h]:mm:ss", "TT.MM.JJJJ"] {
            assert!(shows_date(code), "{code}");
        }
        for code in
            ["General", "0.00", "#,##0 \"days\"", "[Red]0", "0\\h", "0%", "@", "0.00E+00", "_-* #,##0"]
        {
            assert!(!shows_date(code), "{code}");
        }
    }

    #[test]
    fn escaped_characters_come_back() {
        assert_eq!(escapes("a_x000D_b_xyz_x00e4_".to_owned()), "a\rb_xyzä");
    }
}
