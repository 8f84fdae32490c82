//! The arguments of every command that reads a table.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use preceptron_base::{BUDGET, read_limited_text, read_stream};
use preceptron_learn::{Sheet, Table, TableOptions};
use preceptron_logic::Expression;

use crate::sheet_arguments::{SheetArguments, say};

/// Which table to read, and how.
#[derive(Args)]
#[command(next_help_heading = "Table")]
pub struct TableArguments {
    /// A table: a workbook (.xlsx, .ods), CSV (also compressed), NPY, or Parquet if built with it; `-` is CSV from
    /// standard input.
    ///
    /// One row for each example, one column for each variable. The header names the variables; a name
    /// such as "cell[row 1, column 2]" places one on axes. Columns of 0 and 1 (or true and false) are
    /// Boolean; others are categorical and become one variable for each value. An empty cell, ? and NA
    /// are not observed.
    #[arg(value_name = "TABLE")]
    pub table: PathBuf,
    /// Take values other than 0, 1, true and false for errors, not for categories.
    #[arg(long, hide_short_help = true)]
    binary: bool,
    /// Compute an axis from others, as in 'box = 3*((row-1)/3) + (column-1)/3 + 1'.
    #[arg(long, value_name = "AXIS = EXPRESSION", value_parser = derived)]
    derive: Vec<(String, Expression)>,
    /// The name of the axis on which the values of categorical columns stand.
    #[arg(long, value_name = "NAME", default_value = "value")]
    value_axis: String,
    /// Leave out a column; a name that ends in * stands for all that begin like it.
    #[arg(long, value_name = "COLUMN")]
    ignore: Vec<String>,
    /// The character between fields (a character, or `tab`); found out from the header if left out.
    #[arg(long, value_name = "CHARACTER", value_parser = delimiter, hide_short_help = true)]
    delimiter: Option<u8>,
    /// The table has no header: its columns are x1, x2, ...
    #[arg(long, hide_short_help = true)]
    no_header: bool,
    /// Names for the columns of a table without a header, one in each line of this file.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    names: Option<PathBuf>,
    #[command(flatten)]
    sheet: SheetArguments,
}

fn derived(text: &str) -> Result<(String, Expression), String> {
    let (name, expression) = text.split_once('=').ok_or("expected AXIS = EXPRESSION")?;
    let name = name.trim();
    if name.is_empty() || name.contains(|c: char| !c.is_alphanumeric() && c != '_') {
        return Err(format!("{name:?} cannot name an axis"));
    }
    Ok((
        name.to_owned(),
        expression.trim().parse().map_err(|e: preceptron_logic::ExpressionError| e.to_string())?,
    ))
}

fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !b"\"\r\n".contains(byte) => Ok(*byte),
        _ => Err("a delimiter is one ASCII character, or tab".to_owned()),
    }
}

fn read_names(path: &Path) -> anyhow::Result<Vec<String>> {
    let text = read_limited_text(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    let text = text.trim_start_matches('\u{feff}');
    let names: Vec<String> = text.lines().map(|line| line.trim().to_owned()).collect();
    if let Some(at) = names.iter().position(String::is_empty) {
        bail!("{}: line {} is empty; each line is a name", path.display(), at + 1);
    }
    Ok(names)
}

impl TableArguments {
    /// How tables are read.
    pub fn options(&self) -> anyhow::Result<TableOptions> {
        Ok(TableOptions {
            binary: self.binary,
            derive: self.derive.clone(),
            value_axis: self.value_axis.clone(),
            ignore: self.ignore.clone(),
            delimiter: self.delimiter,
            header: !self.no_header,
            names: self.names.as_deref().map(read_names).transpose()?,
            sheet: self.sheet.options(),
            ..TableOptions::default()
        })
    }

    /// Reads the table.
    pub fn read(&self) -> anyhow::Result<Table> {
        let options = self.options()?;
        let table = match self.table == Path::new("-") {
            false => Table::read(&self.table, &options)?,
            true => {
                let bytes = read_stream(std::io::stdin().lock(), BUDGET).context("standard input")?;
                Table::from_bytes("standard input", bytes, &options)?
            }
        };
        say(&self.shown(), &table.said);
        Ok(table)
    }

    /// Whether something is said that only categories have.
    pub fn is_of_categories(&self) -> bool {
        self.binary || !self.derive.is_empty() || self.value_axis != "value"
    }

    /// The table as a sheet of cells, if it is one: a workbook or text in a file.
    pub fn sheet(&self) -> anyhow::Result<Option<Sheet>> {
        let ending = self.table.extension().and_then(|end| end.to_str()).unwrap_or_default().to_lowercase();
        if self.table == Path::new("-") || matches!(ending.as_str(), "npy" | "parquet") {
            return Ok(None);
        }
        Ok(Some(Sheet::read(&self.table, &self.options()?)?))
    }

    /// The table of a sheet, without the columns that are set aside.
    pub fn of_sheet(&self, sheet: &Sheet) -> anyhow::Result<Table> {
        let table = sheet.table(&self.options()?)?;
        say(&self.shown(), &table.said);
        Ok(table)
    }

    /// The table's name, to be shown.
    pub fn shown(&self) -> String {
        match self.table == Path::new("-") {
            true => "standard input".to_owned(),
            false => self.table.display().to_string(),
        }
    }
}
