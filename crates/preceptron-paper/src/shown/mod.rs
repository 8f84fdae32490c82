//! Tables and figures as they are shown: grids of cells, charts, pictures; in text, on the page, and as CSV.

mod curves;
mod driving;
mod others;
mod page;
mod sudoku;

use std::io::Write;
use std::path::Path;

use preceptron::page::{Across, Scale, Series};
use preceptron::words::print_table;
use preceptron::{Context, TaskResult};
use preceptron_base::write_whole;

use crate::results::{Results, STOPPED};
use crate::settings::Part;
use crate::work::Bench;
pub use page::page;

/// A grid of cells: the first column are names, the others figures.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// What it is of.
    pub heading: String,
    /// Titles of the columns.
    pub titles: Vec<String>,
    /// Rows.
    pub rows: Vec<Vec<String>>,
}

/// Curves in one panel.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What stands above it.
    pub title: String,
    /// How values are laid out.
    pub scale: Scale,
    /// What lies along the bottom.
    pub across: Across,
    /// The curves.
    pub series: Vec<Series>,
}

/// A table or a figure.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Which one.
    pub part: Part,
    /// Its title.
    pub title: String,
    /// What is to be said of it.
    pub about: Vec<String>,
    /// Its cells.
    pub grids: Vec<Grid>,
    /// Its curves.
    pub panels: Vec<Panel>,
    /// Its pictures, each with what it shows.
    pub pictures: Vec<(String, String)>,
}

impl Shown {
    /// One with a title and words.
    fn new(part: Part, title: &str, about: Vec<String>) -> Shown {
        let (grids, panels, pictures) = Default::default();
        Shown { part, title: title.to_owned(), about, grids, panels, pictures }
    }

    /// As text of 80 columns.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn print(&self, out: &mut dyn Write) -> std::io::Result<()> {
        writeln!(out, "\n{}", self.title)?;
        writeln!(out, "{}", "=".repeat(self.title.chars().count().min(80)))?;
        for words in &self.about {
            wrapped(words, 80).iter().try_for_each(|line| writeln!(out, "{line}"))?;
        }
        for grid in &self.grids {
            writeln!(out, "\n{}", grid.heading)?;
            let titles: Vec<&str> = grid.titles.iter().map(String::as_str).collect();
            print_table(out, &titles, &grid.rows)?;
        }
        Ok(())
    }

    /// Writes the cells and the points of the curves as CSV, into files that are named after it.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write_csv(&self, folder: &Path) -> TaskResult<()> {
        if !self.grids.is_empty() {
            let longest = self.grids.iter().map(|grid| grid.titles.len()).max().unwrap_or(0);
            let mut lines = Vec::new();
            for grid in &self.grids {
                let padded = |cells: &[String], first: &str| {
                    let empty = std::iter::repeat_n(String::new(), longest.saturating_sub(cells.len()));
                    std::iter::once(first.to_owned())
                        .chain(cells.iter().map(|cell| cell.trim_end_matches(STOPPED).to_owned()))
                        .chain(empty)
                        .collect::<Vec<_>>()
                };
                lines.push(padded(&grid.titles, "table"));
                lines.extend(grid.rows.iter().map(|row| padded(row, &grid.heading)));
            }
            write(&folder.join(format!("{}.csv", self.part.word())), &lines)?;
        }
        if !self.panels.is_empty() {
            let mut lines = vec![["panel", "curve", "x", "x value", "y value"].map(str::to_owned).to_vec()];
            for panel in &self.panels {
                for series in &panel.series {
                    lines.extend(series.points.iter().map(|(x, y)| {
                        let across = panel.across.name.to_owned();
                        vec![panel.title.clone(), series.name.clone(), across, x.to_string(), y.to_string()]
                    }));
                }
            }
            write(&folder.join(format!("{}-curves.csv", self.part.word())), &lines)?;
        }
        Ok(())
    }
}

fn write(path: &Path, lines: &[Vec<String>]) -> TaskResult<()> {
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    lines.iter().try_for_each(|line| writer.write_record(line)).context(path.display())?;
    let bytes = writer.into_inner().map_err(|error| error.into_error()).context(path.display())?;
    write_whole(path, &bytes).context(path.display())
}

/// A text in lines of at most this width, broken between words.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// All tables and figures that are asked for.
pub fn shown(bench: &Bench, results: &Results) -> Vec<Shown> {
    let of = |part: Part| match part {
        Part::Table1 => sudoku::table1(bench, results),
        Part::Table5 => sudoku::table5(bench, results),
        Part::Table6 => sudoku::table6(bench, results),
        Part::Small => sudoku::small(bench, results),
        Part::Table2 => driving::table2(bench, results),
        Part::Driving => driving::pictures(bench, results),
        Part::Table3 => others::table3(),
        Part::Nonogram => others::nonogram(bench, results),
        Part::Xor => others::xor(bench, results),
        Part::Figure2 => curves::figure2(bench, results),
        Part::Time => curves::time(bench, results),
    };
    bench.settings.parts().into_iter().map(of).collect()
}

/// A row of words.
fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_curves_become_files() {
        let folder = tempfile::tempdir().unwrap();
        let grid = |heading: &str| Grid {
            heading: heading.to_owned(),
            titles: row(["", "a, b"]),
            rows: vec![row(["x \"y\"", "1†"])],
        };
        let series = vec![Series { name: "joint".into(), points: vec![(0.5, 0.25)] }];
        let panel = Panel { title: "T".into(), scale: Scale::Percent, across: Across::STEPS, series };
        let shown = Shown {
            grids: vec![grid("one"), grid("two")],
            panels: vec![panel],
            ..Shown::new(Part::Table1, "Title", vec!["Words.".to_owned()])
        };
        shown.write_csv(folder.path()).unwrap();
        let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        let table = text("table1.csv");
        assert_eq!(table.lines().nth(1), Some("one,\"x \"\"y\"\"\",1"));
        assert_eq!(table.lines().count(), 4);
        assert_eq!(text("table1-curves.csv").lines().last(), Some("T,joint,step,0.5,0.25"));
        let mut out = Vec::new();
        shown.print(&mut out).unwrap();
        let printed = String::from_utf8(out).unwrap();
        assert!(printed.contains("Title\n=====\nWords.\n\none\n"), "{printed}");
    }
}
