//! How names are written.

use super::Label;

/// Splits `block[axis label, axis label]`; nothing if the name is a plain one.
pub(super) fn split_name(name: &str) -> Option<(&str, Vec<(&str, &str)>)> {
    let (block, rest) = name.split_once('[')?;
    let inside = rest.strip_suffix(']')?;
    if block.trim() != block || block.is_empty() || inside.contains(['[', ']']) {
        return None;
    }
    let mut axes: Vec<(&str, &str)> = Vec::new();
    for item in inside.split(',') {
        let (axis, label) = item.trim().split_once(char::is_whitespace)?;
        let label = label.trim_start();
        if axes.iter().any(|(a, _)| *a == axis) {
            return None;
        }
        axes.push((axis, label));
    }
    Some((block, axes))
}

/// `block[axis label, axis label]`.
pub(super) fn spell<'a>(block: &str, coordinates: impl Iterator<Item = (&'a str, &'a Label)>) -> String {
    let inside: Vec<String> = coordinates.map(|(axis, label)| format!("{axis} {label}")).collect();
    format!("{block}[{}]", inside.join(", "))
}
