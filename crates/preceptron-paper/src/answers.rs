//! What a rival answers: the most probable class of each cell.

use preceptron::TaskResult;
use preceptron_rivals::{CellExamples, Rival};

/// Examples that are answered between two questions whether it is over.
const BLOCK: usize = 8;

/// For each example the most probable class of each cell; of fewer examples, if it is over before.
///
/// # Errors
/// If the examples are of another form than the rival's.
pub fn most_probable(
    rival: &dyn Rival,
    data: &CellExamples,
    is_over: &dyn Fn() -> bool,
) -> TaskResult<Vec<Vec<usize>>> {
    let (cells, classes) = (data.form().cells, data.form().classes);
    let all: Vec<usize> = (0..data.len()).collect();
    let mut answers = Vec::with_capacity(data.len());
    for some in all.chunks(BLOCK) {
        if is_over() {
            break;
        }
        let values = rival.predict(data, some)?;
        let best = |row: &[f32]| (0..classes).rev().max_by(|a, b| row[*a].total_cmp(&row[*b])).unwrap_or(0);
        let of_example = |rows: &[f32]| rows.chunks_exact(classes).map(best).collect();
        answers.extend(values.chunks_exact(cells * classes).map(of_example));
    }
    Ok(answers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_rivals::{CellInput, RivalError};

    /// Says of each cell what its input is.
    struct Echo;

    impl Rival for Echo {
        fn name(&self) -> &'static str {
            "echo"
        }

        fn fit(&mut self, _data: &CellExamples, _batch: &[usize]) -> Result<f64, RivalError> {
            Ok(0.0)
        }

        fn predict(&self, data: &CellExamples, examples: &[usize]) -> Result<Vec<f32>, RivalError> {
            let row = |input: &CellInput| {
                let own = if let CellInput::Symbol(symbol) = input { *symbol } else { 0 };
                (0..3).map(move |class| f32::from(u8::from(class == own))).collect::<Vec<_>>()
            };
            Ok(examples.iter().flat_map(|&example| data.inputs(example).iter().flat_map(row)).collect())
        }

        fn save(&self) -> Result<Vec<u8>, RivalError> {
            Ok(Vec::new())
        }

        fn load(&mut self, _file: &[u8]) -> Result<(), RivalError> {
            Ok(())
        }
    }

    #[test]
    fn each_cell_has_its_class() {
        let mut data = CellExamples::new(2, 3).with_symbols(3);
        for example in 0..20u32 {
            let inputs = [CellInput::Symbol(example % 3), CellInput::Nothing];
            data.push(&inputs, &[None, Some(1)]).unwrap();
        }
        let found = most_probable(&Echo, &data, &|| false).unwrap();
        assert_eq!(found.len(), 20);
        assert!(found.iter().enumerate().all(|(at, cells)| cells[..] == [at % 3, 0]));
        assert!(most_probable(&Echo, &data, &|| true).unwrap().is_empty());
    }
}
