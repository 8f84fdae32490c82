//! A table of numbers: columns with their cells, and columns of words beside them.

/// A column of whole numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name; indices in it, as in `s3` or `x[row 1, day 2]`, place it among others.
    pub name: String,
    /// Its cells; nothing where none was observed.
    pub values: Vec<Option<i64>>,
}

/// A column of words, for gates and classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// Its name.
    pub name: String,
    /// The words that occur.
    pub labels: Vec<String>,
    /// Its cells, as places among the labels.
    pub codes: Vec<Option<usize>>,
}

/// A table of whole numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    /// The columns of numbers, all of one length.
    pub columns: Vec<Column>,
    /// The columns of words, as long.
    pub words: Vec<Words>,
}

impl Numbers {
    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }
}

/// Rows as the finders see them.
pub(crate) struct Data {
    /// Row by row, the columns' values.
    pub rows: Vec<Vec<Option<i64>>>,
    /// Row by row, the places of words.
    pub words: Vec<Vec<Option<usize>>>,
    /// How alike rows that follow one another are, by column: the correlation of ranks, 0 where it may be chance.
    pub serial: Vec<f64>,
    /// The least and greatest of each column.
    pub ranges: Vec<(i64, i64)>,
}

impl Data {
    pub fn new(numbers: &Numbers) -> Data {
        let count = numbers.rows();
        let rows: Vec<Vec<Option<i64>>> =
            (0..count).map(|row| numbers.columns.iter().map(|column| column.values[row]).collect()).collect();
        let words = (0..count).map(|row| numbers.words.iter().map(|of| of.codes[row]).collect()).collect();
        Data::of(rows, words)
    }

    fn of(rows: Vec<Vec<Option<i64>>>, words: Vec<Vec<Option<usize>>>) -> Data {
        let columns = rows.first().map_or(0, Vec::len);
        let serial = (0..columns).map(|column| serial(&rows, column)).collect();
        let range = |column: usize| {
            let values = || rows.iter().filter_map(|row| row[column]);
            (values().min().unwrap_or(0), values().max().unwrap_or(0))
        };
        let ranges = (0..columns).map(range).collect();
        Data { rows, words, serial, ranges }
    }

    /// Some of the rows.
    pub fn some(&self, keep: impl Fn(usize) -> bool) -> Data {
        let kept: Vec<usize> = (0..self.rows.len()).filter(|row| keep(*row)).collect();
        let rows = kept.iter().map(|row| self.rows[*row].clone()).collect();
        let words = kept.iter().map(|row| self.words[*row].clone()).collect();
        Data { serial: self.serial.clone(), ranges: self.ranges.clone(), ..Data::of(rows, words) }
    }

    pub fn columns(&self) -> usize {
        self.ranges.len()
    }

    pub fn is_constant(&self, column: usize) -> bool {
        self.ranges[column].0 == self.ranges[column].1
    }

    /// For how many rows that know nothing of each other each row of these columns counts. Of two columns that change
    /// slowly few rows are news: by Bartlett's formula (1 - r s) / (1 + r s).
    pub fn share(&self, columns: &[usize]) -> f64 {
        let mut slow: Vec<f64> = columns.iter().map(|column| self.serial[*column]).collect();
        slow.sort_by(|a, b| b.total_cmp(a));
        match slow[..] {
            [first, second, ..] => ((1.0 - first * second) / (1.0 + first * second)).clamp(0.001, 1.0),
            _ => 1.0,
        }
    }
}

/// The correlation of a column with itself one row later, by ranks; 0 unless it is beyond chance.
fn serial(rows: &[Vec<Option<i64>>], column: usize) -> f64 {
    let values: Vec<i64> = rows.iter().filter_map(|row| row[column]).collect();
    let mut sorted = values.clone();
    sorted.sort_unstable();
    let rank = |value: &i64| {
        let (below, upto) = (sorted.partition_point(|x| x < value), sorted.partition_point(|x| x <= value));
        (below + upto) as f64 / 2.0 - values.len() as f64 / 2.0
    };
    let ranks: Vec<f64> = values.iter().map(rank).collect();
    let total: f64 = ranks.iter().map(|rank| rank * rank).sum();
    if total == 0.0 {
        return 0.0;
    }
    let along: f64 = ranks.windows(2).map(|two| two[0] * two[1]).sum();
    let correlation = along / total;
    if correlation * (values.len() as f64).sqrt() < 4.0 { 0.0 } else { correlation.min(1.0) }
}
