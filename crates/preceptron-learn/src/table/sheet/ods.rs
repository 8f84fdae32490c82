//! Workbooks of LibreOffice and other programs of the OpenDocument format (`.ods`).

use super::archive::Archive;
use super::dates::iso_part;
use super::grid::{Area, Content, Grid, MOST_CELLS};
use super::xml::{Element, Event, Reader};

/// A cell while it is read.
struct Draft {
    kind: String,
    value: Option<String>,
    repeated: usize,
    columns: usize,
    rows: usize,
    is_formula: bool,
    text: String,
    paragraphs: usize,
}

impl Draft {
    fn new(element: &Element) -> Draft {
        let kind = element.attribute("value-type").unwrap_or_default().into_owned();
        let name = match kind.as_str() {
            "date" => "date-value",
            "time" => "time-value",
            "boolean" => "boolean-value",
            "string" => "string-value",
            _ => "value",
        };
        let number = |name| element.number(name).unwrap_or(1).max(1);
        Draft {
            kind,
            value: element.attribute(name).map(|value| value.into_owned()),
            repeated: number("number-columns-repeated"),
            columns: number("number-columns-spanned"),
            rows: number("number-rows-spanned"),
            is_formula: element.attribute("formula").is_some(),
            text: String::new(),
            paragraphs: 0,
        }
    }

    fn content(&self) -> Content {
        let value = || self.value.clone().unwrap_or_default();
        match self.kind.as_str() {
            "float" | "percentage" | "currency" => match value().trim().parse::<f64>() {
                // An error has the value 0 and says what it is in words.
                Ok(_) if self.is_formula && is_error(&self.text) => Content::Error(self.text.clone()),
                Ok(number) if number.is_finite() => Content::Number(number),
                _ => Content::Text(self.text.clone()),
            },
            "boolean" => Content::Bool(value() == "true"),
            "date" => Content::Date(iso_part(&value())),
            "time" => duration(&value()).map_or_else(|| Content::Text(self.text.clone()), Content::Date),
            _ if self.is_formula && is_error(&self.text) => Content::Error(self.text.clone()),
            _ => match (&self.value, self.text.is_empty()) {
                (Some(text), true) => Content::Text(text.clone()),
                (_, false) => Content::Text(self.text.clone()),
                _ => Content::Empty,
            },
        }
    }
}

fn is_error(text: &str) -> bool {
    text.starts_with('#') && text.len() > 2 || text.starts_with("Err:")
}

/// `PT08H30M00S` as `08:30`.
fn duration(text: &str) -> Option<String> {
    let rest = text.trim().strip_prefix("PT")?;
    let (hours, rest) = rest.split_once('H')?;
    let (minutes, rest) = rest.split_once('M')?;
    let seconds: f64 = rest.strip_suffix('S').unwrap_or("0").parse().ok()?;
    let (hours, minutes): (u32, u32) = (hours.parse().ok()?, minutes.parse().ok()?);
    match seconds.round() as u32 {
        0 => Some(format!("{hours:02}:{minutes:02}")),
        seconds => Some(format!("{hours:02}:{minutes:02}:{seconds:02}")),
    }
}

/// A text from which on spaces are no longer repeated.
const LONG: usize = 1 << 16;

/// All sheets of a workbook.
pub(super) fn read(archive: &Archive) -> Result<Vec<Grid>, String> {
    if let Some(manifest) = archive.text("META-INF/manifest.xml").transpose()?
        && manifest.contains("encryption-data")
    {
        return Err("is protected by a password; save it without one".to_owned());
    }
    let text = archive.text("content.xml").unwrap_or_else(|| Err("has no part content.xml".to_owned()))?;
    let mut grids = Vec::new();
    let mut grid: Option<Grid> = None;
    let (mut row, mut rows, mut column) = (0usize, 1usize, 0usize);
    let mut cells: Vec<(usize, usize, Content)> = Vec::new();
    let mut draft: Option<Draft> = None;
    let (mut aside, mut in_paragraph) = (0usize, 0usize);
    let full = |grid: &Grid| {
        format!("sheet {}: has more than {MOST_CELLS} cells, which is more than is read", grid.name)
    };
    let mut reader = Reader::new(&text);
    while let Some(event) = reader.next() {
        match event {
            Event::Open(element) => match element.name {
                "annotation" | "tracked-changes" | "shapes" => aside += 1,
                _ if aside > 0 => {}
                "table" if grid.is_none() => {
                    let name = element.attribute("name").unwrap_or_default().into_owned();
                    let filled = grids.last().map_or(0, |last: &Grid| last.filled);
                    grid = Some(Grid { name, filled, ..Grid::default() });
                    row = 0;
                }
                "table-row" => {
                    rows = element.number("number-rows-repeated").unwrap_or(1).max(1);
                    column = 0;
                    cells.clear();
                }
                "table-cell" | "covered-table-cell" => draft = Some(Draft::new(&element)),
                "p" => {
                    in_paragraph += 1;
                    if let Some(draft) = &mut draft {
                        if draft.paragraphs > 0 {
                            draft.text.push('\n');
                        }
                        draft.paragraphs += 1;
                    }
                }
                "s" | "tab" | "line-break" if in_paragraph > 0 => {
                    if let Some(draft) = &mut draft {
                        let count = element.number("c").unwrap_or(1).min(1000);
                        let count = if draft.text.len() < LONG { count } else { 1 };
                        let space = if element.name == "line-break" { "\n" } else { " " };
                        draft.text.push_str(&space.repeat(count));
                    }
                }
                _ => {}
            },
            Event::Text(text) if in_paragraph > 0 && aside == 0 => {
                if let Some(draft) = &mut draft {
                    draft.text.push_str(&text);
                }
            }
            Event::Close(name) => match name {
                "annotation" | "tracked-changes" | "shapes" => aside = aside.saturating_sub(1),
                _ if aside > 0 => {}
                "p" => in_paragraph = in_paragraph.saturating_sub(1),
                "table-cell" | "covered-table-cell" => {
                    let (Some(draft), Some(grid)) = (draft.take(), &mut grid) else { continue };
                    let content = draft.content();
                    if draft.columns > 1 || draft.rows > 1 {
                        let (bottom, right) =
                            (row.saturating_add(draft.rows - 1), column.saturating_add(draft.columns - 1));
                        grid.merged.push(Area { top: row, left: column, bottom, right });
                    }
                    if !content.is_empty() {
                        grid.formulas += usize::from(draft.is_formula);
                        if draft.repeated > 1 << 20 {
                            return Err(full(grid));
                        }
                        cells.push((column, draft.repeated, content));
                    }
                    column = column.saturating_add(draft.repeated);
                }
                "table-row" => {
                    let Some(grid) = &mut grid else { continue };
                    // An empty row is often repeated to the end of the sheet.
                    let times = if cells.is_empty() { 0 } else { rows };
                    for copy in 0..times {
                        for (first, repeated, content) in &cells {
                            for column in *first..first.saturating_add(*repeated) {
                                if !grid.set(row.saturating_add(copy), column, content.clone()) {
                                    return Err(full(grid));
                                }
                            }
                        }
                    }
                    row = row.saturating_add(rows);
                    cells.clear();
                }
                "table" => grids.extend(grid.take()),
                _ => {}
            },
            _ => {}
        }
    }
    match reader.is_over() {
        true => Ok(grids),
        false => Err("is damaged: its part content.xml is cut off".to_owned()),
    }
}
