//! What comments keep: the names of variables, derived axes, one-hot axes, the objective's constant.
//!
//! ```text
//! * name x1 cell[row 1, column 1]
//! * derived box = 3*((row-1)/3) + (column-1)/3 + 1
//! * one-hot cell digit
//! * objective constant -4
//! * rule 0a1b2c3d4e5f
//! ```
//!
//! None of them says anything that the rest of the file says too, so an edited file cannot disagree
//! with its comments.

use crate::formats::symbols::is_numbered;
use crate::{Variables, formats::FormatError};

use super::draft::Draft;

/// The lines for these variables and auxiliaries, each after `mark`; `token` is the symbol of the
/// variable with this number from 1.
pub(super) fn write(
    mark: &str,
    variables: &Variables,
    auxiliaries: &[String],
    token: impl Fn(usize) -> String,
) -> String {
    let mut text = String::new();
    for (number, name) in (1..).zip(variables.names().iter().chain(auxiliaries)) {
        text.push_str(&format!("{mark} name {} {name}\n", token(number)));
    }
    text + &write_axes(mark, variables)
}

/// The lines for derived and one-hot axes alone.
pub(super) fn write_axes(mark: &str, variables: &Variables) -> String {
    let mut derived: Vec<String> = Vec::new();
    let mut one_hot = String::new();
    for block in variables.blocks() {
        for axis in block.axes() {
            if let Some(expression) = axis.derived() {
                let line = format!("{mark} derived {} = {expression}\n", axis.name());
                if !derived.contains(&line) {
                    derived.push(line);
                }
            }
        }
        if let Some(axis) = block.one_hot() {
            one_hot.push_str(&format!("{mark} one-hot {} {}\n", block.name(), block.axes()[axis].name()));
        }
    }
    derived.concat() + &one_hot
}

/// Takes from a comment what [`write`] put there; other comments mean nothing. A name is that of a numbered symbol,
/// or of one that was read before.
pub(super) fn read(line: usize, comment: &str, draft: &mut Draft) -> Result<(), FormatError> {
    let comment = comment.strip_prefix(' ').unwrap_or(comment);
    if let Some((token, name)) = comment.strip_prefix("name ").and_then(|rest| rest.split_once(' ')) {
        let token =
            if token.bytes().all(|b| b.is_ascii_digit()) { format!("x{token}") } else { token.into() };
        if is_numbered(&token).is_some() || draft.find(&token).is_some() {
            return draft.name(line, token, name);
        }
    } else if let Some((axis, expression)) =
        comment.strip_prefix("derived ").and_then(|rest| rest.rsplit_once(" = "))
    {
        let problem = |e| FormatError::Line { line, problem: format!("derived axis {axis:?}: {e}") };
        let expression = expression.parse().map_err(problem)?;
        draft.derived.push((line, axis.to_owned(), expression));
    } else if let Some((block, axis)) =
        comment.strip_prefix("one-hot ").and_then(|rest| rest.rsplit_once(' '))
    {
        draft.one_hot.push((line, block.to_owned(), axis.to_owned()));
    } else if let Some(constant) = comment.strip_prefix("objective constant ") {
        draft.objective_constant = constant.trim().parse().map_err(|_| FormatError::Line {
            line,
            problem: "expected a whole number of 64 bits as the objective's constant".to_owned(),
        })?;
    }
    Ok(())
}

/// Whether a comment begins the lines of a rule.
pub(super) fn is_rule(comment: &str) -> bool {
    comment.trim_start().starts_with("rule ")
}
