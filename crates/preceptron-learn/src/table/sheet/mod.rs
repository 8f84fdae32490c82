//! Tables as people have them: workbooks, and text that is not tidy.
//!
//! A file becomes sheets of cells ([`Grid`]), of which one is chosen; a rectangle of it is the table, some of its rows
//! are the header and others are examples; and the cells of each column get one spelling for each value. Whatever is
//! set aside or changed on the way is said, and what cannot be told is an error that says how to tell it.
//!
//! | step | file |
//! |---|---|
//! | entries of a workbook, with a budget; XML | `archive`, `xml` |
//! | cells | `xlsx`, `ods`, `text` |
//! | which rectangles are tables | `regions` |
//! | header, examples, totals | `layout`, `headers`, `totals` |
//! | one spelling for each value | `normal`, `words`, `numbers`, `dates` |
//! | long tables made wide | `pivot` |

mod archive;
mod dates;
mod grid;
mod headers;
mod layout;
mod normal;
mod numbers;
mod ods;
mod open;
mod options;
mod pivot;
mod regions;
mod text;
mod totals;
mod words;
mod write;
mod xlsx;
mod xml;

pub use archive::Archive;
pub use dates::DateOrder;
pub use grid::{Area, Content, Grid, letters};
pub use headers::HeaderAxes;
pub use normal::Holds;
pub use numbers::Decimal;
pub use options::{SheetOptions, Wish};
pub use pivot::{Key, Pivot};
pub use write::{Fill, Painted, workbook, written_text};

pub(super) use open::{is_untidy, is_workbook};
pub(super) use words::truth;

use std::collections::BTreeMap;
use std::path::Path;

use preceptron_base::{BUDGET, decompress};

use super::columns::{MOST_VALUES, names_picture};
use super::{Fault, TableError, TableOptions};
use layout::listed;
use normal::{Draft, Manner};
use options::wish_of;

/// A cell of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SheetCell {
    /// Its value in the one spelling; empty where nothing is known.
    pub word: String,
    /// What stands there.
    pub raw: String,
    /// Its row and column in the sheet, from 0; nothing for one that is not there.
    pub at: Option<(usize, usize)>,
    /// Whether the value is only wanted.
    pub wish: Option<Wish>,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct SheetColumn {
    /// Its name.
    pub name: String,
    /// Its column in the sheet, from 0.
    pub at: usize,
    /// What it holds.
    pub holds: Holds,
}

/// A row of a table: an example.
#[derive(Clone, Debug)]
pub struct SheetRow {
    /// What it is called: `row 5`, or the key of a long table.
    pub name: String,
    /// Its row in the sheet, from 0; the first of several.
    pub at: usize,
}

/// A table as it stands in a sheet.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The file's name.
    pub file: String,
    /// All cells of the sheet, as they are.
    pub grid: Grid,
    /// The last row of the header; nothing without one.
    pub header: Option<usize>,
    /// The columns.
    pub columns: Vec<SheetColumn>,
    /// The rows that are examples.
    pub rows: Vec<SheetRow>,
    /// The cells, row by row.
    pub cells: Vec<Vec<SheetCell>>,
    /// What was seen and changed while it was read.
    pub said: Vec<String>,
    /// The other sheets of the file.
    pub others: Vec<Grid>,
}

/// Whether a sheet's name says that it has wishes beside a plan.
pub(super) fn is_beside(name: &str) -> bool {
    open::BESIDE.contains(&name.trim().to_lowercase().as_str())
}

/// Columns whose names have a block are read alike.
fn stem(name: &str) -> Option<&str> {
    let at = name.find(['[', '('])?;
    Some(name[..at].trim()).filter(|stem| !stem.is_empty() && name.ends_with([']', ')']))
}

impl Sheet {
    /// The sheets that say what is wanted, by their names, with a header in the first row of each.
    pub fn beside(&self) -> Vec<&Grid> {
        self.others.iter().filter(|grid| is_beside(&grid.name)).collect()
    }

    /// What people call a row: its place, and the first of its cells that tells it apart.
    pub fn row_name(&self, row: usize) -> String {
        let name = &self.rows[row].name;
        let aside = self.columns.iter().position(|column| matches!(column.holds, Holds::Aside(_)));
        let is_name = |column: &SheetColumn| {
            matches!(column.holds, Holds::Words | Holds::Dates) && stem(&column.name).is_none()
        };
        let aside = aside.or_else(|| self.columns.first().filter(|column| is_name(column)).map(|_| 0));
        let word = aside.map(|column| self.cells[row][column].raw.as_str()).filter(|word| !word.is_empty());
        word.map_or_else(|| name.clone(), |word| format!("{name} ({})", regions::short(word)))
    }

    /// Reads a table from a file.
    ///
    /// # Errors
    /// If there is no such file, or it has no table that can be told from others.
    pub fn read(path: &Path, options: &TableOptions) -> Result<Sheet, TableError> {
        let file = path.display().to_string();
        Sheet::from_bytes(&file, super::raw(path, &file)?, options)
    }

    /// Reads a table that is already in memory; `file` is its name.
    ///
    /// # Errors
    /// If it has no table that can be told from others.
    pub fn from_bytes(file: &str, bytes: Vec<u8>, options: &TableOptions) -> Result<Sheet, TableError> {
        let bytes = match is_workbook(&bytes) {
            true => bytes,
            false => decompress(bytes, BUDGET).map_err(|error| Fault::from(error).of(file))?,
        };
        let opened = open::open(&bytes, options).map_err(|fault| fault.of(file))?;
        let sheet = opened.and_then(|opened| Sheet::of(file, opened, options));
        sheet.map_err(|what| Fault::Sheet(what).of(file))
    }

    /// The table of a sheet that is chosen.
    fn of(file: &str, opened: open::Opened, options: &TableOptions) -> Result<Sheet, String> {
        let open::Opened { grid, others, mut said, semicolons } = opened;
        let filled = regions::filled(&grid);
        let used = filled.used().ok_or("is empty")?;
        if !grid.merged.is_empty() {
            let areas: Vec<String> = grid.merged.iter().map(Area::to_string).collect();
            said.push(format!("merged cells {}: the value stands in each of them", listed(&areas)));
        }
        if grid.formulas > 0 {
            said.push(format!(
                "{} formulas: read as the values that they had when the file was saved",
                grid.formulas
            ));
        }
        let area = match options.sheet.range {
            Some(range) => {
                let within = Area {
                    bottom: range.bottom.min(used.bottom),
                    right: range.right.min(used.right),
                    ..range
                };
                filled.used_within(within).ok_or_else(|| format!("the range {range} is empty"))?
            }
            None => {
                let found = regions::regions(&filled, used);
                said.extend(found.said);
                match found.tables[..] {
                    [one] => one,
                    [] => return Err("has no table".to_owned()),
                    ref several => {
                        let areas: Vec<String> = several.iter().map(Area::to_string).collect();
                        let place =
                            if grid.is_text() { String::new() } else { format!("sheet {}: ", grid.name) };
                        return Err(format!(
                            "{place}has {} tables, {}; choose one, as in --range {}",
                            several.len(),
                            listed(&areas),
                            areas[0]
                        ));
                    }
                }
            }
        };
        super::columns::check_kept(area.right + 1 - area.left).map_err(|fault| fault.to_string())?;
        let has_header = options.header && options.names.is_none();
        let mut found = layout::layout(&filled, &grid, area, has_header, &options.sheet)?;
        if let Some(names) = &options.names {
            if names.len() != found.columns.len() {
                return Err(format!(
                    "has {} columns, but {} names were given for them",
                    found.columns.len(),
                    names.len()
                ));
            }
            found.columns.iter_mut().zip(names).for_each(|(column, name)| column.name.clone_from(name));
        }
        said.extend(found.said);
        let fits = |pattern: &String, name: &str| match pattern.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == pattern,
        };
        let fits_none = |pattern: &&String| !found.columns.iter().any(|column| fits(pattern, &column.name));
        if let Some(pattern) = options.ignore.iter().find(fits_none) {
            return Err(Fault::NothingToIgnore(pattern.clone()).to_string());
        }
        let ignored = |name: &str| options.ignore.iter().any(|pattern| fits(pattern, name));
        found.columns.retain(|column| !ignored(&column.name));
        let cell = |row: &usize, at: usize| {
            let raw = filled.get(*row, at).to_string();
            let text = raw.split_whitespace().collect::<Vec<_>>().join(" ");
            let (word, wish) = if options.sheet.wishes { wish_of(&text) } else { (text, None) };
            SheetCell { word, raw, at: Some((*row, at)), wish }
        };
        let rows: Vec<SheetRow> = found
            .rows
            .iter()
            .map(|row| SheetRow { name: format!("row {}", grid.row_number(*row)), at: *row })
            .collect();
        let cells = found
            .rows
            .iter()
            .map(|row| found.columns.iter().map(|column| cell(row, column.at)).collect())
            .collect();
        let columns = found.columns.iter();
        let columns = columns.map(|column| SheetColumn {
            name: column.name.clone(),
            at: column.at,
            holds: Holds::Words,
        });
        let header = found.header;
        let mut sheet = Sheet {
            file: file.to_owned(),
            grid,
            header,
            columns: columns.collect(),
            rows,
            cells,
            said,
            others,
        };
        sheet.spell(&filled, options, semicolons)?;
        match &options.sheet.pivot {
            Some(pivot) => pivot::pivoted(sheet, pivot, &options.sheet.example),
            None => Ok(sheet),
        }
    }

    /// Gives the cells of each column one spelling for each value.
    fn spell(&mut self, filled: &Grid, options: &TableOptions, semicolons: bool) -> Result<(), String> {
        let manner = Manner {
            dates: options.sheet.dates,
            decimal: options.sheet.decimal,
            missing: options.sheet.missing.as_deref(),
            semicolons,
        };
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut by_stem: BTreeMap<String, usize> = BTreeMap::new();
        for (at, column) in self.columns.iter().enumerate() {
            match stem(&column.name).map(|stem| by_stem.entry(stem.to_owned()).or_insert(groups.len())) {
                Some(known) if *known < groups.len() => groups[*known].push(at),
                _ => groups.push(vec![at]),
            }
        }
        let whole = {
            let untyped = |row: &SheetRow, column: &SheetColumn| match filled.get(row.at, column.at) {
                Content::Text(text) => Some(text.as_str()),
                _ => None,
            };
            let texts = self
                .rows
                .iter()
                .flat_map(|row| self.columns.iter().filter_map(move |column| untyped(row, column)));
            normal::decimal_of(texts)
        };
        let mut said: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut missing: BTreeMap<String, usize> = BTreeMap::new();
        for group in &groups {
            let places: Vec<(usize, usize)> =
                (0..self.rows.len()).flat_map(|row| group.iter().map(move |column| (row, *column))).collect();
            let draft = |(row, column): &(usize, usize)| {
                let cell = &self.cells[*row][*column];
                let content = cell.at.map(|(row, column)| filled.get(row, column));
                let is_typed =
                    matches!(content, Some(Content::Number(_) | Content::Date(_) | Content::Bool(_)));
                let is_picture = options.pictures && names_picture(cell.word.as_bytes());
                Draft { text: cell.word.clone(), is_typed, is_picture }
            };
            for (row, column) in &places {
                let (cell, place) = (&self.cells[*row][*column], &self.columns[*column]);
                if let Some(Content::Error(error)) = cell.at.map(|(row, column)| filled.get(row, column))
                    && !words::is_missing(error, manner.missing)
                {
                    let at = self.grid.cell_words(self.rows[*row].at, place.at);
                    return Err(format!(
                        "{at} ({}): has the error {error}; mend it, or leave the column out with --ignore {:?}",
                        regions::short(&place.name),
                        place.name
                    ));
                }
            }
            let drafts: Vec<Draft> = places.iter().map(draft).collect();
            let normal = normal::normal(&drafts, &manner, whole).map_err(|(at, what)| {
                let (row, column) = (self.rows[places[at].0].at, &self.columns[places[at].1]);
                format!("{} ({}): {what}", self.grid.cell_words(row, column.at), regions::short(&column.name))
            })?;
            normal.missing.into_iter().for_each(|(word, count)| *missing.entry(word).or_default() += count);
            let mut holds = normal.holds;
            if group.len() == 1
                && options.sheet.pivot.is_none()
                && !options.pictures
                && let Some(why) = normal::aside(&holds, &normal.words, MOST_VALUES)
            {
                said.entry(format!("{why}, set aside"))
                    .or_default()
                    .push(self.columns[group[0]].name.clone());
                holds = Holds::Aside(why);
            }
            for what in normal.said {
                said.entry(what).or_default().push(match group.len() {
                    1 => self.columns[group[0]].name.clone(),
                    _ => stem(&self.columns[group[0]].name).unwrap_or_default().to_owned(),
                });
            }
            for ((row, column), word) in places.into_iter().zip(normal.words) {
                self.cells[row][column].word = word;
            }
            group.iter().for_each(|column| self.columns[*column].holds = holds.clone());
        }
        if !missing.is_empty() {
            let words: Vec<String> =
                missing.iter().map(|(word, count)| format!("{word} ({count})")).collect();
            self.said.push(format!("taken for not observed, as empty cells are: {}", listed(&words)));
        }
        for (what, columns) in said {
            let columns: Vec<String> = columns.iter().map(|name| regions::short(name)).collect();
            self.said.push(format!(
                "column{} {}: {what}",
                if columns.len() == 1 { "" } else { "s" },
                listed(&columns)
            ));
        }
        Ok(())
    }
}
