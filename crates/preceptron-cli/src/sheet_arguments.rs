//! The arguments of every command that reads a table that may be a workbook.

use std::io::Write;

use clap::Args;
use preceptron_learn::{Area, DateOrder, Decimal, HeaderAxes, Key, Pivot, SheetOptions, TableOptions};

/// Which part of a file is the table, and how to read what can be read in several ways.
#[derive(Args, Clone, Debug, Default)]
pub struct SheetArguments {
    /// The sheet of a workbook (.xlsx, .ods), by its name or its number from 1.
    #[arg(long, value_name = "NAME|N", hide_short_help = true)]
    sheet: Option<String>,
    /// The cells that are the table, with its header, where a sheet has several.
    #[arg(long, value_name = "A3:F40", value_parser = range, hide_short_help = true)]
    range: Option<Area>,
    /// What comes first in dates such as 03/04/2024: the day (dmy) or the month (mdy).
    #[arg(long, value_name = "dmy|mdy", value_parser = dates, hide_short_help = true)]
    dates: Option<DateOrder>,
    /// What stands before the decimals of numbers such as 1,234.
    #[arg(long, value_name = "point|comma", value_parser = decimal, hide_short_help = true)]
    decimal: Option<Decimal>,
    /// A word that means "not known", in the place of the usual ones (?, NA, N/A, -, null, ...); can be given
    /// many times.
    #[arg(long, value_name = "WORD", hide_short_help = true, allow_hyphen_values = true)]
    na: Vec<String>,
    /// What columns are called whose header has two rows, each upper name over the same lower ones.
    #[arg(long, value_name = "BLOCK[UPPER, LOWER]", value_parser = HeaderAxes::parse, hide_short_help = true)]
    axes: Option<HeaderAxes>,
    /// Make a long table wide: nurse,day:shift gives a column shift[nurse, day] for each nurse and day. Of dates there
    /// are weekday(date), week(date), month(date), day(date) and year(date).
    #[arg(long, value_name = "KEY,...:VALUE", value_parser = Pivot::parse, hide_short_help = true)]
    pivot: Option<Pivot>,
    /// Which rows of a long table are one example: those that are equal in this column, such as week or week(date).
    #[arg(long, value_name = "COLUMN", value_delimiter = ',', requires = "pivot", hide_short_help = true)]
    example: Vec<String>,
}

fn range(text: &str) -> Result<Area, String> {
    Area::parse(text).ok_or_else(|| "expected two cells, as in A3:F40".to_owned())
}

fn dates(text: &str) -> Result<DateOrder, String> {
    match text {
        "dmy" => Ok(DateOrder::DayFirst),
        "mdy" => Ok(DateOrder::MonthFirst),
        _ => Err("expected dmy (the day first) or mdy (the month first)".to_owned()),
    }
}

fn decimal(text: &str) -> Result<Decimal, String> {
    match text {
        "point" => Ok(Decimal::Point),
        "comma" => Ok(Decimal::Comma),
        _ => Err("expected point or comma".to_owned()),
    }
}

impl SheetArguments {
    /// The same for the library.
    pub fn options(&self) -> SheetOptions {
        SheetOptions {
            sheet: self.sheet.clone(),
            range: self.range,
            dates: self.dates,
            decimal: self.decimal,
            missing: (!self.na.is_empty()).then(|| self.na.clone()),
            axes: self.axes.clone().unwrap_or_default(),
            pivot: self.pivot.clone(),
            example: self.example.iter().map(|text| Key::parse(text)).collect(),
            wishes: false,
        }
    }

    /// How to read a plan: as a table, whose cells may hold wishes.
    pub fn plan_options(&self, wishes: bool) -> TableOptions {
        TableOptions { sheet: SheetOptions { wishes, ..self.options() }, ..TableOptions::default() }
    }
}

/// Says on standard error what was seen and changed while a table was read.
pub fn say(file: &str, said: &[String]) {
    let mut err = std::io::stderr().lock();
    for line in said {
        let _ = writeln!(err, "{}", preceptron::words::visible(&format!("{file}: {line}")));
    }
}
