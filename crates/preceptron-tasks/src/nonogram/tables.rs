//! Tables for the learner: what the observed lines show around a run and a place, pooled over all of them.
//!
//! | table | a row for each | columns |
//! |---|---|---|
//! | neighbours | line, run and place | started and ended of two runs in a row at two places in a row |
//! | cell | line and place | the cell; started and ended of every run |
//! | clue | line and run | started and ended at every place; the clue in unary |
//!
//! Runs that a line does not have are not observed in the first table. In the others they have neither
//! started nor ended, which adds nothing to a sum.

use preceptron_learn::Examples;
use preceptron_logic::{RelativeTerm, Select};

use super::ObservedLine;
use super::line::{SPAN, after, cell as black, clue as length_of, neighbours as terms, run};

/// A pooled table: for each column its term, and its number among the columns of that term.
#[derive(Clone, Debug)]
pub struct Table {
    /// The terms of the columns.
    pub columns: Vec<(RelativeTerm, usize)>,
    /// The rows.
    pub rows: Vec<Vec<Option<bool>>>,
}

impl Table {
    /// The rows as examples.
    pub fn examples(&self) -> Examples {
        Examples::from_rows(self.columns.len(), &self.rows)
    }

    /// Columns that have one value in all rows, with that value; nothing for those that vary.
    pub fn constants(&self) -> Vec<Option<bool>> {
        let constant = |column: usize| {
            let mut values = self.rows.iter().filter_map(|row| row[column]);
            let first = values.next()?;
            values.all(|value| value == first).then_some(first)
        };
        (0..self.columns.len()).map(constant).collect()
    }
}

/// Two runs in a row at two places in a row.
pub fn neighbours(lines: &[ObservedLine]) -> Table {
    let span = SPAN as usize;
    let mut rows = Vec::new();
    for line in lines {
        for (run, place) in (0..line.runs()).flat_map(|run| (0..line.length()).map(move |at| (run, at))) {
            let near = || (run..run + span).flat_map(|run| (place..place + span).map(move |at| (run, at)));
            let value = |is: fn(&ObservedLine, usize, usize) -> bool| {
                near().map(move |(run, at)| {
                    (run < line.runs() && at < line.length()).then(|| is(line, run, at))
                })
            };
            rows.push(value(ObservedLine::started).chain(value(ObservedLine::ended)).collect());
        }
    }
    Table { columns: terms().into_iter().map(|term| (term, 0)).collect(), rows }
}

/// A cell beside all runs of its line.
pub fn cell(lines: &[ObservedLine]) -> Table {
    let most = lines.iter().map(ObservedLine::runs).max().unwrap_or(0);
    let mut columns = vec![(black(), 0)];
    for block in ["started", "ended"] {
        columns.extend((0..most).map(|number| (run(block, Select::Every, after(0)), number)));
    }
    let mut rows = Vec::new();
    for (line, place) in lines.iter().flat_map(|line| (0..line.length()).map(move |place| (line, place))) {
        let mut row = vec![Some(line.cells[place])];
        row.extend((0..most).map(|run| Some(run < line.runs() && line.started(run, place))));
        row.extend((0..most).map(|run| Some(run < line.runs() && line.ended(run, place))));
        rows.push(row);
    }
    Table { columns, rows }
}

/// A run at all places of its line beside its clue, of lines of one length.
pub fn clue(lines: &[ObservedLine], length: usize) -> Table {
    let mut columns = Vec::new();
    for block in ["started", "ended"] {
        columns.extend((0..length).map(|place| (run(block, after(0), Select::Every), place)));
    }
    columns.extend((0..length).map(|size| (length_of(), size)));
    let mut rows = Vec::new();
    for line in lines.iter().filter(|line| line.length() == length) {
        for (run, &size) in line.clue.iter().enumerate().take(line.runs()) {
            let started = (0..length).map(|place| Some(line.started(run, place)));
            let ended = (0..length).map(|place| Some(line.ended(run, place)));
            rows.push(started.chain(ended).chain((0..length).map(|unit| Some(unit < size))).collect());
        }
    }
    Table { columns, rows }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_by_hand() {
        let line = ObservedLine::new([1, 0, 1].map(|cell| cell == 1).to_vec(), &[1, 1]);
        let lines = [line];
        let shown = |table: &Table, row: usize| -> String {
            let mark = |value: &Option<bool>| value.map_or('?', |value| if value { '1' } else { '0' });
            table.rows[row].iter().map(mark).collect()
        };
        // Started: runs 1 and 2 at two places each; then ended.
        let table = neighbours(&lines);
        assert_eq!(table.rows.len(), 6);
        assert_eq!((shown(&table, 0), shown(&table, 1)), ("11000100".into(), "11011100".into()));
        assert_eq!((shown(&table, 2), shown(&table, 5)), ("1?1?1?0?".into(), "1???0???".into()));
        let table = cell(&lines);
        assert_eq!((0..3).map(|row| shown(&table, row)).collect::<Vec<_>>(), ["11000", "01010", "11110"]);
        assert_eq!(table.constants()[4], Some(false));
        let table = clue(&lines, 3);
        assert_eq!([shown(&table, 0), shown(&table, 1)], ["111011100", "001000100"]);
        assert!(clue(&lines, 4).rows.is_empty());
    }
}
