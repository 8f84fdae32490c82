//! Indices in the names of columns: `grid(0_3)` and `grid[0,3]` stand on axes `i` and `j`.
//!
//! Columns of one name that all end in as many whole numbers in brackets, two of them at the least, are a
//! block with an axis for each number. Anything else keeps its name.

use std::collections::BTreeMap;

/// The axes' names, in order.
const AXES: [&str; 4] = ["i", "j", "k", "l"];

/// New names for the columns that have indices, and a note for each block of them.
pub(super) fn placed<'a>(names: impl Iterator<Item = &'a str>) -> (Vec<Option<String>>, Vec<String>) {
    let split: Vec<Option<(&str, Vec<i64>)>> = names.map(indexed).collect();
    let mut blocks: BTreeMap<&str, (usize, bool, usize)> = BTreeMap::new();
    for (stem, indices) in split.iter().flatten() {
        let (count, is_even, columns) = blocks.entry(stem).or_insert((indices.len(), true, 0));
        *is_even &= *count == indices.len();
        *columns += 1;
    }
    blocks.retain(|_, (_, is_even, columns)| *is_even && *columns > 1);
    let name = |(stem, indices): &(&str, Vec<i64>)| {
        blocks.get(stem)?;
        let places: Vec<String> = indices.iter().zip(AXES).map(|(at, axis)| format!("{axis} {at}")).collect();
        Some(format!("{stem}[{}]", places.join(", ")))
    };
    let names = split.iter().map(|column| column.as_ref().and_then(name)).collect();
    let note = |(stem, (count, _, columns)): (&&str, &(usize, bool, usize))| {
        format!("{columns} columns {stem} with indices: axes {}", AXES[..*count].join(", "))
    };
    (names, blocks.iter().map(note).collect())
}

/// A name that ends in whole numbers in brackets: what is before them, and the numbers.
fn indexed(name: &str) -> Option<(&str, Vec<i64>)> {
    let at = name.find(['(', '['])?;
    let (stem, rest) = (name[..at].trim(), &name[at..]);
    let inside = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let inside = inside.or_else(|| rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')))?;
    let joined = inside.replace("][", "_").replace(")(", "_");
    let number = |part: &str| part.trim().parse::<i64>().ok();
    let indices: Option<Vec<i64>> = joined.split(['_', ',', ';']).map(number).collect();
    let plain = !stem.is_empty() && !stem.contains([']', ')', ',']);
    indices.filter(|indices| plain && indices.len() <= AXES.len()).map(|indices| (stem, indices))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_become_axes() {
        let names =
            ["grid(0_1)", "grid(1_1)", "x[2][3]", "x[2][4]", "lone(1)", "y(1)", "y(1_2)", "work[day 1]"];
        let (placed, notes) = placed(names.into_iter());
        let expected = ["grid[i 0, j 1]", "grid[i 1, j 1]", "x[i 2, j 3]", "x[i 2, j 4]"];
        let placed: Vec<Option<&str>> = placed.iter().map(Option::as_deref).collect();
        assert_eq!(placed[..4], expected.map(Some));
        assert_eq!(placed[4..], [None; 4]);
        assert_eq!(notes, ["2 columns grid with indices: axes i, j", "2 columns x with indices: axes i, j"]);
    }

    #[test]
    fn nothing_makes_it_panic() {
        for name in
            ["(", ")", "a(", "a()", "a[]", "()", "a(1)b", "a(99999999999999999999)", "é(1)", "a(1_2_3_4_5)"]
        {
            assert_eq!(placed([name, name].into_iter()).0.len(), 2);
        }
    }
}
