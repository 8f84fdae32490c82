//! Which kind of file it is, and which of its sheets.

use super::archive::{self, Archive};
use super::grid::{Grid, MOST_CELLS};
use super::layout::listed;
use super::{SheetOptions, TableOptions, dates, numbers, ods, text, words, xlsx};
use crate::table::columns::Column;
use crate::table::error::Fault;

/// A sheet that was chosen.
pub(super) struct Opened {
    pub grid: Grid,
    pub others: Vec<Grid>,
    pub said: Vec<String>,
    /// Whether its fields were parted by `;`.
    pub semicolons: bool,
}

/// The first bytes of files of Excel before 2007, and of workbooks with a password.
const OLD: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// Whether a file is a workbook, or one that is not read and has a name of its own.
pub(in super::super) fn is_workbook(bytes: &[u8]) -> bool {
    bytes.starts_with(OLD)
        || archive::is_zip(bytes)
            && Archive::open(bytes).is_some_and(|archive| {
                ["xl/workbook.xml", "xl/workbook.bin", "[Content_Types].xml", "content.xml"]
                    .iter()
                    .any(|name| archive.has(name))
            })
}

/// All sheets of a workbook.
fn sheets(bytes: &[u8]) -> Result<Vec<Grid>, String> {
    if bytes.starts_with(OLD) {
        return Err(
            "is a workbook of an old kind (.xls), or has a password; save it as .xlsx without one".to_owned()
        );
    }
    let archive = Archive::open(bytes).ok_or("is damaged: it is no whole zip file")?;
    if archive.has("xl/workbook.bin") {
        return Err("is a binary workbook (.xlsb); save it as .xlsx".to_owned());
    }
    if archive.has("word/document.xml") || archive.has("ppt/presentation.xml") {
        return Err("is no workbook but another kind of document; a table is .xlsx, .ods or .csv".to_owned());
    }
    match archive.has("content.xml") && !archive.has("xl/workbook.xml") {
        true => ods::read(&archive),
        false => xlsx::read(&archive),
    }
}

/// Names of sheets that say what is wanted of a plan, beside the plan.
pub(super) const BESIDE: [&str; 6] = ["wishes", "weights", "preferences", "wünsche", "gewichte", "notes"];

fn shape(grid: &Grid) -> String {
    grid.used().map_or_else(|| "empty".to_owned(), |area| area.to_string())
}

/// Chooses a sheet.
fn chosen(mut grids: Vec<Grid>, options: &SheetOptions) -> Result<Opened, String> {
    let mut said = Vec::new();
    let all: Vec<String> = (1..)
        .zip(&grids)
        .map(|(number, grid)| {
            let hidden = if grid.is_hidden { ", hidden" } else { "" };
            format!("{number} {:?} ({}{hidden})", grid.name, shape(grid))
        })
        .collect();
    let at = match &options.sheet {
        Some(wanted) => {
            let by_name = grids.iter().position(|grid| grid.name == *wanted);
            let by_name = by_name
                .or_else(|| grids.iter().position(|grid| grid.name.to_lowercase() == wanted.to_lowercase()));
            let by_number = || wanted.parse::<usize>().ok()?.checked_sub(1).filter(|at| *at < grids.len());
            by_name
                .or_else(by_number)
                .ok_or_else(|| format!("has no sheet {wanted:?}; there are {}", listed(&all)))?
        }
        None => {
            let has_cells = |grid: &Grid| grid.used().is_some();
            let is_table = |grid: &Grid| {
                grid.used().is_some_and(|area| area.bottom > area.top && area.right > area.left)
            };
            let is_beside = |grid: &Grid| BESIDE.contains(&grid.name.trim().to_lowercase().as_str());
            let pick = |fits: &dyn Fn(&Grid) -> bool| {
                let found: Vec<usize> = (0..grids.len()).filter(|at| fits(&grids[*at])).collect();
                (found.len() == 1).then(|| found[0])
            };
            let found = pick(&|grid| has_cells(grid) && !grid.is_hidden)
                .or_else(|| pick(&|grid| is_table(grid) && !grid.is_hidden))
                .or_else(|| pick(&|grid| is_table(grid) && !grid.is_hidden && !is_beside(grid)))
                .or_else(|| {
                    pick(&|grid| {
                        has_cells(grid) && grids.iter().all(|other| !has_cells(other) || other.is_hidden)
                    })
                });
            let Some(found) = found else {
                if !grids.iter().any(has_cells) {
                    return Err("is empty".to_owned());
                }
                return Err(format!("has several sheets; choose one with --sheet: {}", all.join(", ")));
            };
            if grids.len() > 1 {
                said.push(format!(
                    "sheet {:?} of {} is read ({})",
                    grids[found].name,
                    grids.len(),
                    listed(&all)
                ));
            }
            found
        }
    };
    let grid = grids.remove(at);
    if grid.used().is_none() {
        return Err(format!("sheet {:?} is empty", grid.name));
    }
    Ok(Opened { grid, others: grids, said, semicolons: false })
}

/// Opens a file and chooses a sheet; the outer error is one that tables of text have too.
pub(super) fn open(bytes: &[u8], options: &TableOptions) -> Result<Result<Opened, String>, Fault> {
    if is_workbook(bytes) {
        return Ok(sheets(bytes).and_then(|grids| chosen(grids, &options.sheet)));
    }
    if bytes.is_empty() {
        return Err(Fault::Empty);
    }
    let (text, written) = text::decoded(bytes).ok_or(Fault::Utf8)?;
    if text.contains('\0') {
        let found = "it has zero bytes, as binary files do".to_owned();
        return Err(Fault::Kind { expected: "a table of text", found });
    }
    if let Some(sheet) = &options.sheet.sheet {
        return Ok(Err(format!("is a file of text, which has no sheet {sheet:?}")));
    }
    let Some(text::Parted { grid, delimiter, short }) = text::grid(&text, options.delimiter) else {
        return Ok(Err(format!("has more than {MOST_CELLS} cells, which is more than is read of a sheet")));
    };
    let mut said: Vec<String> =
        written.map(|name| format!("the text is written in {name}")).into_iter().collect();
    if delimiter != b',' && options.delimiter.is_none() {
        let name =
            if delimiter == b'\t' { "tabs".to_owned() } else { format!("{:?}", char::from(delimiter)) };
        said.push(format!("fields are parted by {name}"));
    }
    if !short.is_empty() {
        let rows: Vec<String> = short.iter().map(|row| grid.row_number(*row).to_string()).collect();
        said.push(format!(
            "lines with fewer fields than most, whose last cells are empty: {}",
            listed(&rows)
        ));
    }
    Ok(Ok(Opened { grid, others: vec![], said, semicolons: delimiter == b';' }))
}

/// Whether the values of a column of text have another meaning to people than that of plain words and numbers: then
/// the table is read as a sheet is.
pub(in super::super) fn is_untidy(columns: &[(usize, Column)]) -> bool {
    let alone = columns.len() == 1;
    columns.iter().any(|(_, column)| {
        let is_used = |code: usize| code > 1 || column.codes.contains(&(code as u8));
        let labels = || {
            column
                .labels
                .iter()
                .enumerate()
                .filter(|(code, _)| is_used(*code))
                .map(|(_, label)| label.as_str())
        };
        let odd = |label: &str| {
            let is_date =
                || dates::read(label).is_some_and(|reading| reading.iso(None).as_deref() != Some(label));
            let is_number = || {
                !numbers::is_plain(label) && numbers::read(label).is_some_and(|numeral| !numeral.is_code())
            };
            words::is_missing(label, None)
                || text::is_error(label)
                || is_number()
                || is_date()
                || alone && label.contains([';', '\t'])
        };
        let has_blank = column.codes.contains(&crate::table::columns::MISSING);
        let lower: Vec<String> = labels().map(str::to_lowercase).collect();
        let boolean = words::boolean(lower.iter().map(String::as_str), has_blank);
        let is_boolean = match boolean {
            None => false,
            Some(words::Boolean::Mark) => true,
            Some(words::Boolean::Pair(yes, _)) => yes != "true",
        };
        is_boolean || labels().any(odd)
    })
}
