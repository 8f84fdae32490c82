//! What the columns of a table hold, without its rows: enough to encode every piece of it alike.
//!
//! Surveys of pieces are merged in any order, and can be sent as text from one machine to another.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::columns::{Column, MISSING, MOST_VALUES};
use super::encode::{Used, encode_as};
use super::error::{Fault, TableError};
use super::{Table, TableOptions};

/// The names of a table's columns, the values that occur in them, and how many rows there are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Survey {
    rows: u64,
    columns: Vec<Surveyed>,
}

/// What one column holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Surveyed {
    name: String,
    /// The column's number in the table, from 1.
    number: usize,
    values: BTreeSet<String>,
    /// Whether some cell is not observed.
    missing: bool,
}

impl Survey {
    /// What these columns hold.
    pub(super) fn of(columns: &[(usize, Column)]) -> Survey {
        let surveyed = |(number, column): &(usize, Column)| {
            let used = column.used();
            let values = column.labels.iter().zip(used).filter(|(_, used)| *used);
            Surveyed {
                name: column.name.clone(),
                number: *number,
                values: values.map(|(label, _)| label.clone()).collect(),
                missing: used[usize::from(MISSING)],
            }
        };
        let rows = columns.first().map_or(0, |(_, column)| column.rows() as u64);
        Survey { rows, columns: columns.iter().map(surveyed).collect() }
    }

    /// How many rows were surveyed.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Adds what another piece of the same table holds; `file` is its name, for the error.
    ///
    /// # Errors
    /// If it has other columns, or a column comes to have too many values.
    pub fn merge(&mut self, other: &Survey, file: &str) -> Result<(), TableError> {
        let names = |survey: &Survey| survey.columns.iter().map(|c| c.name.clone()).collect::<Vec<_>>();
        if names(self) != names(other) {
            let odd = (names(other).into_iter()).find(|name| !names(self).contains(name));
            let missing = (names(self).into_iter()).find(|name| !names(other).contains(name));
            return Err(Fault::OtherColumns { extra: odd, missing }.of(file));
        }
        self.rows += other.rows;
        for (mine, theirs) in self.columns.iter_mut().zip(&other.columns) {
            mine.values.extend(theirs.values.iter().cloned());
            mine.missing |= theirs.missing;
            if mine.values.len() > MOST_VALUES + 2 {
                return Err(Fault::TooManyValues { most: MOST_VALUES }.of(file).in_column(&mine.name));
            }
        }
        Ok(())
    }

    /// The variables of the table and what is to be said of its reading; the table has one row, in which nothing is
    /// observed.
    ///
    /// # Errors
    /// If the columns' names or values cannot become variables.
    pub fn empty_table(&self, file: &str, options: &TableOptions) -> Result<Table, TableError> {
        let column = |surveyed: &Surveyed| {
            (surveyed.number, Column { codes: vec![MISSING], ..Column::new(surveyed.name.clone()) })
        };
        self.encode(file, self.columns.iter().map(column).collect(), options)
    }

    /// Encodes a piece of the table.
    pub(super) fn encode(
        &self,
        file: &str,
        mut columns: Vec<(usize, Column)>,
        options: &TableOptions,
    ) -> Result<Table, TableError> {
        let mut all: Vec<Used> = Vec::with_capacity(columns.len());
        for ((_, column), surveyed) in columns.iter_mut().zip(&self.columns) {
            let mut used = column.used();
            used[usize::from(MISSING)] |= surveyed.missing;
            for value in &surveyed.values {
                let at = column.labels.iter().position(|label| label == value).unwrap_or_else(|| {
                    column.labels.push(value.clone());
                    column.labels.len() - 1
                });
                used[at] = true;
            }
            all.push(used);
        }
        encode_as(file, columns, all, vec![], options)
    }
}
