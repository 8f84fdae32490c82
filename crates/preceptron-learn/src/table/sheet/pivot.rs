//! Long tables made wide: rows (nurse, day, shift) become one example for each week, with a column for each nurse and
//! day.

use std::collections::BTreeMap;

use super::headers::label;
use super::layout::listed;
use super::normal::Holds;
use super::{Sheet, SheetCell, SheetColumn, SheetRow, dates};

/// A part of a key: a column, or what is computed from its dates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The column's name.
    pub column: String,
    /// What of its dates: `weekday`, `week`, `month`, `day` or `year`.
    pub part: Option<&'static str>,
}

/// How to make a long table wide: `nurse,day:shift`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pivot {
    /// The axes of the new columns.
    pub axes: Vec<Key>,
    /// The column that holds their values.
    pub value: String,
}

const PARTS: [&str; 5] = ["weekday", "week", "month", "day", "year"];

impl Key {
    /// Reads `day`, `weekday(date)` and the like.
    pub fn parse(text: &str) -> Key {
        let text = text.trim();
        let computed = PARTS.into_iter().find_map(|part| {
            let inside = text.strip_prefix(part)?.strip_prefix('(')?.strip_suffix(')')?;
            Some(Key { column: inside.trim().to_owned(), part: Some(part) })
        });
        computed.unwrap_or_else(|| Key { column: text.to_owned(), part: None })
    }

    /// The name of the axis.
    fn axis(&self) -> String {
        let name = self.part.unwrap_or(&self.column);
        name.split_whitespace().collect::<Vec<_>>().join("_").replace(['[', ']', ',', '(', ')'], "")
    }

    /// The label for a word.
    fn of(&self, word: &str) -> Result<String, String> {
        let Some(part) = self.part else { return Ok(word.to_owned()) };
        let date = dates::parts(word)
            .ok_or_else(|| format!("{word:?} is no date, of which a {part} could be told"))?;
        Ok(match part {
            "weekday" => dates::weekday(word).map(|day| day.to_string()).unwrap_or_default(),
            "week" => dates::week(word).unwrap_or_default(),
            "month" => format!("{:04}-{:02}", date.0, date.1),
            "day" => date.2.to_string(),
            _ => date.0.to_string(),
        })
    }
}

impl Pivot {
    /// Reads `nurse,day:shift`.
    ///
    /// # Errors
    /// If there are no names before or behind a colon.
    pub fn parse(text: &str) -> Result<Pivot, String> {
        let (axes, value) = text.rsplit_once(':').ok_or("expected KEY,...:VALUE, such as nurse,day:shift")?;
        let axes: Vec<Key> = axes.split(',').map(Key::parse).collect();
        if value.trim().is_empty() || axes.iter().any(|key| key.column.is_empty()) {
            return Err("a name is empty; expected KEY,...:VALUE, such as nurse,day:shift".to_owned());
        }
        Ok(Pivot { axes, value: value.trim().to_owned() })
    }
}

/// The number of the column with this name, in any case.
fn column_of(sheet: &Sheet, name: &str) -> Result<usize, String> {
    let lower = name.to_lowercase();
    let exact = sheet.columns.iter().position(|column| column.name == name);
    exact.or_else(|| sheet.columns.iter().position(|column| column.name.to_lowercase() == lower)).ok_or_else(
        || {
            let names: Vec<String> = sheet.columns.iter().map(|column| column.name.clone()).collect();
            format!("has no column {name:?}; there are {}", listed(&names))
        },
    )
}

/// Makes a long table wide.
pub(super) fn pivoted(sheet: Sheet, pivot: &Pivot, example: &[Key]) -> Result<Sheet, String> {
    let axes: Vec<(usize, &Key)> = pivot
        .axes
        .iter()
        .map(|key| Ok((column_of(&sheet, &key.column)?, key)))
        .collect::<Result<_, String>>()?;
    let value = column_of(&sheet, &pivot.value)?;
    let is_free = |at: usize| at != value && !axes.iter().any(|(axis, _)| *axis == at);
    let others: Vec<usize> = (0..sheet.columns.len()).filter(|at| is_free(*at)).collect();
    let named: Vec<Key>;
    let keys: Vec<(usize, &Key)> = match example.is_empty() {
        false => example
            .iter()
            .map(|key| Ok((column_of(&sheet, &key.column)?, key)))
            .collect::<Result<_, String>>()?,
        true => {
            if others.len() > 1 {
                let names: Vec<String> = others.iter().map(|at| sheet.columns[*at].name.clone()).collect();
                return Err(format!(
                    "which rows are one example? Say --example COLUMN, of {}",
                    listed(&names)
                ));
            }
            named =
                others.iter().map(|at| Key { column: sheet.columns[*at].name.clone(), part: None }).collect();
            others.iter().copied().zip(&named).collect()
        }
    };
    let place = |row: usize| sheet.grid.row_words(sheet.rows[row].at);
    let label_of = |row: usize, (at, key): &(usize, &Key)| -> Result<String, String> {
        let word = &sheet.cells[row][*at].word;
        if word.is_empty() {
            return Err(format!("{}: has no {}", place(row), key.column));
        }
        key.of(word).map_err(|what| format!("{}: {what}", place(row)))
    };
    let mut examples: Vec<(Vec<String>, usize)> = Vec::new();
    let mut example_at: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    let mut places: Vec<Vec<String>> = Vec::new();
    let mut place_at: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    let mut cells: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for row in 0..sheet.rows.len() {
        let key = keys.iter().map(|key| label_of(row, key)).collect::<Result<Vec<_>, _>>()?;
        let at = axes.iter().map(|axis| label_of(row, axis)).collect::<Result<Vec<_>, _>>()?;
        let example = *example_at.entry(key.clone()).or_insert_with(|| {
            examples.push((key.clone(), row));
            examples.len() - 1
        });
        let column = *place_at.entry(at.clone()).or_insert_with(|| {
            places.push(at.clone());
            places.len() - 1
        });
        if let Some(first) = cells.insert((example, column), row) {
            return Err(format!(
                "{} and row {}: both are {} of {}",
                place(first),
                sheet.grid.row_number(sheet.rows[row].at),
                at.join(", "),
                if key.is_empty() { "the one example".to_owned() } else { key.join(", ") }
            ));
        }
    }
    if examples.len().saturating_mul(places.len()) > super::grid::MOST_CELLS {
        return Err(format!(
            "would have {} examples of {} columns, which is too much",
            examples.len(),
            places.len()
        ));
    }
    // Columns in the order of their labels: numbers rise, words stand as they came.
    let mut order: Vec<usize> = (0..places.len()).collect();
    let all_numbers: Vec<bool> =
        (0..axes.len()).map(|axis| places.iter().all(|place| place[axis].parse::<i64>().is_ok())).collect();
    let first_seen: Vec<BTreeMap<&str, usize>> = (0..axes.len())
        .map(|axis| {
            let mut seen = BTreeMap::new();
            for (at, place) in places.iter().enumerate() {
                seen.entry(place[axis].as_str()).or_insert(at);
            }
            seen
        })
        .collect();
    order.sort_by_key(|at| {
        let rank = |(axis, word): (usize, &String)| match all_numbers[axis] {
            true => word.parse::<i64>().unwrap_or(0),
            false => first_seen[axis][word.as_str()] as i64,
        };
        places[*at].iter().enumerate().map(rank).collect::<Vec<i64>>()
    });
    let stem = label(&sheet.columns[value].name);
    let name_of = |place: &[String]| {
        let inside = axes.iter().zip(place).map(|((_, key), word)| format!("{} {}", key.axis(), label(word)));
        format!("{stem}[{}]", inside.collect::<Vec<_>>().join(", "))
    };
    // Other columns belong to the example where they are the same in all of its rows.
    let (kept, left): (Vec<usize>, Vec<usize>) = others.iter().copied().partition(|at| {
        let is_key = keys.iter().any(|(key, _)| key == at);
        let same = |(&(example, _), row): (&(usize, usize), &usize)| {
            sheet.cells[*row][*at].word == sheet.cells[examples[example].1][*at].word
        };
        !is_key && cells.iter().all(same)
    });
    let mut said = sheet.said.clone();
    let left: Vec<String> = left
        .iter()
        .filter(|at| !keys.iter().any(|(key, _)| key == *at))
        .map(|at| sheet.columns[*at].name.clone())
        .collect();
    if !left.is_empty() {
        said.push(format!("columns {}: differ within an example, set aside", listed(&left)));
    }
    let gaps = examples.len() * places.len() - cells.len();
    said.push(format!(
        "{} rows became {} example{} of {} columns {stem}[{}]{}",
        sheet.rows.len(),
        examples.len(),
        if examples.len() == 1 { "" } else { "s" },
        places.len(),
        axes.iter().map(|(_, key)| key.axis()).collect::<Vec<_>>().join(", "),
        if gaps > 0 { format!("; {gaps} of them are not there, and not observed") } else { String::new() }
    ));
    let of_value = &sheet.columns[value];
    let holds = match &of_value.holds {
        Holds::Aside(_) => Holds::Words,
        other => other.clone(),
    };
    let mut columns: Vec<SheetColumn> = kept.iter().map(|at| sheet.columns[*at].clone()).collect();
    columns.extend(order.iter().map(|at| SheetColumn {
        name: name_of(&places[*at]),
        at: of_value.at,
        holds: holds.clone(),
    }));
    let rows = examples.iter().map(|(key, row)| SheetRow {
        name: match key.is_empty() {
            true => "the example".to_owned(),
            false => key.join(", "),
        },
        at: sheet.rows[*row].at,
    });
    let wide = (0..examples.len()).map(|example| {
        let mut all: Vec<SheetCell> =
            kept.iter().map(|at| sheet.cells[examples[example].1][*at].clone()).collect();
        all.extend(order.iter().map(|column| match cells.get(&(example, *column)) {
            Some(row) => sheet.cells[*row][value].clone(),
            None => SheetCell::default(),
        }));
        all
    });
    let (rows, cells) = (rows.collect(), wide.collect());
    // A key that was all different apart from the others stands for itself no more.
    columns
        .iter_mut()
        .filter(|column| matches!(column.holds, Holds::Aside(_)))
        .for_each(|column| column.holds = Holds::Words);
    Ok(Sheet { columns, rows, cells, said, ..sheet })
}
