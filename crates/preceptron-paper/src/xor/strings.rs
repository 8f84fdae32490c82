//! Strings of bits as rivals take them: a cell for each bit, and one behind them for whether their sum is odd.

use preceptron::TaskResult;
use preceptron_learn::Examples;
use preceptron_logic::Var;
use preceptron_rivals::{CellExamples, CellInput};

/// The strings, whose last variable is the answer.
///
/// # Errors
/// If there are more strings than can be counted.
pub fn cells(strings: &Examples) -> TaskResult<CellExamples> {
    let count = strings.variables();
    let mut data = CellExamples::new(count, 2).with_symbols(2);
    let mut answers = vec![None; count];
    for string in 0..strings.len() {
        let bit = |at: usize| u16::from(strings.get(string, Var(at as u32)) == Some(true));
        let input = |at: usize| match at + 1 < count {
            true => CellInput::Symbol(bit(at).into()),
            false => CellInput::Nothing,
        };
        if let Some(last) = answers.last_mut() {
            *last = Some(bit(count - 1));
        }
        data.push(&(0..count).map(input).collect::<Vec<_>>(), &answers)?;
    }
    Ok(data)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_symbols_and_the_parity_is_the_answer() {
        let strings = Examples::from_full_rows(4, &[[true, false, true, false], [true, false, false, true]]);
        let data = cells(&strings).unwrap();
        let symbols = [1, 0, 1].map(CellInput::Symbol);
        assert_eq!(data.inputs(0), [&symbols[..], &[CellInput::Nothing]].concat());
        assert_eq!(data.answers(1), [None, None, None, Some(1)]);
    }
}
