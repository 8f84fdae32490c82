//! Cells as people type them.

use preceptron_base::{Kind, Value};
use serde::{Deserialize, Serialize};

use super::Cell;

/// `ROW,COLUMN`.
impl Value for Cell {
    const KIND: Kind = Kind::Text;

    fn read(text: &str) -> Result<Cell, String> {
        let parts = text.split_once(',').map(|(row, column)| (row.trim().parse(), column.trim().parse()));
        match parts {
            Some((Ok(row), Ok(column))) => Ok(Cell { row, column }),
            _ => Err("ROW,COLUMN, both counted from 0, such as 1,5".to_owned()),
        }
    }

    fn written(&self) -> Option<String> {
        Some(format!("{},{}", self.row, self.column))
    }
}

/// Several cells, with blanks between them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cells(pub Vec<Cell>);

impl Value for Cells {
    const KIND: Kind = Kind::Text;

    fn read(text: &str) -> Result<Cells, String> {
        text.split_whitespace().map(Cell::read).collect::<Result<_, _>>().map(Cells)
    }

    fn written(&self) -> Option<String> {
        let all: Vec<String> = self.0.iter().filter_map(Cell::written).collect();
        (!all.is_empty()).then(|| all.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_typed_back_as_they_were() {
        let text = "3,4 3,5 10,0";
        assert_eq!(Cells::read(text).map(|cells| cells.written()), Ok(Some(text.to_owned())));
        assert_eq!((Cells::read("").unwrap().written(), Cell::read("3").is_err()), (None, true));
        assert!(Cells::read("3,4 x").unwrap_err().starts_with("ROW,COLUMN"));
    }
}
