//! Groups of columns by the indices in their names.
//!
//! `s1`, `s2`, `s3` are a block with one axis, `grid(0_3)` and `work[nurse 1, day 2]` stand on two. A family fixes some
//! axes and takes what is left: all of a block, its rows, its columns; in a square also the two diagonals.

use std::collections::BTreeMap;

/// Lines of a block that are alike.
pub(crate) struct Lines {
    /// In words: `x[row *, day 2]` and the like, for each line.
    pub names: Vec<String>,
    /// All of them in words: `for each day: x[row *, day]`.
    pub pattern: (String, String),
    /// The columns of each, in the order of their indices.
    pub lines: Vec<Vec<usize>>,
    /// Whether the indices along a line are numbers, so that neighbours are neighbours.
    pub is_ordered: bool,
}

/// A name without its indices, and these.
fn split(name: &str) -> (String, Vec<String>) {
    let (mut stem, mut indices) = (String::new(), Vec::new());
    if let Some((start, inside)) = name.strip_suffix([']', ')']).and_then(|name| name.split_once(['[', '(']))
    {
        let mut axes = Vec::new();
        for part in inside.split([',', '_', ';']) {
            let mut words: Vec<&str> = part.split_whitespace().collect();
            let label = words.pop().unwrap_or_default();
            axes.push(words.join(" "));
            indices.push(label.to_owned());
        }
        return (format!("{start}[{}]", axes.join(",")), indices);
    }
    let mut digits = String::new();
    for character in name.chars().chain(['\0']) {
        if character.is_ascii_digit() {
            digits.push(character);
            continue;
        }
        if !digits.is_empty() {
            stem.push('#');
            indices.push(std::mem::take(&mut digits));
        }
        if character != '\0' {
            stem.push(character);
        }
    }
    (stem, indices)
}

/// The tiles of a square: as many cells as it has rows, in a rectangle.
fn tiles(stem: &str, block: &[(usize, Vec<Key>)]) -> Vec<Lines> {
    let Some((first, second)) = square(block) else { return vec![] };
    let side = first.len();
    let name = line_name(stem, 2, 0, &[]);
    let sizes = (2..side).filter(|height| side.is_multiple_of(*height)).map(|height| (height, side / height));
    let tiled = sizes.map(|(height, width)| {
        let mut lines = vec![Vec::new(); side];
        for (column, keys) in block {
            let at =
                |keys_of: &[&Key], key: &Key| keys_of.iter().position(|one| *one == key).unwrap_or_default();
            let (i, j) = (at(&first, &keys[0]), at(&second, &keys[1]));
            lines[i / height * (side / width) + j / width].push(*column);
        }
        let names = (1..=side).map(|at| format!("tile {at} of {height} x {width} of {name}")).collect();
        let pattern = ("for each tile: ".to_owned(), format!("{height} x {width} cells of {name}"));
        Lines { names, pattern, lines, is_ordered: false }
    });
    tiled.collect()
}

/// The labels along both axes of a block, if it is a square without gaps.
fn square(block: &[(usize, Vec<Key>)]) -> Option<(Vec<&Key>, Vec<&Key>)> {
    let along = |axis: usize| {
        let mut keys: Vec<&Key> = block.iter().map(|(_, keys)| &keys[axis]).collect();
        keys.sort();
        keys.dedup();
        keys
    };
    let (first, second) = (along(0), along(1));
    let side = first.len();
    (side >= 3 && second.len() == side && block.len() == side * side).then_some((first, second))
}

/// What an index counts as: a number, or a word.
type Key = (Option<i64>, String);

fn key(index: &str) -> Key {
    (index.parse().ok(), index.to_owned())
}

/// All families of lines among columns of these names.
pub(crate) fn lines(names: &[&str]) -> Vec<Lines> {
    let mut blocks: BTreeMap<String, Vec<(usize, Vec<Key>)>> = BTreeMap::new();
    for (column, name) in names.iter().enumerate() {
        let (stem, indices) = split(name);
        let keys = indices.iter().map(|index| key(index)).collect();
        blocks.entry(format!("{stem}/{}", indices.len())).or_default().push((column, keys));
    }
    let mut all = Vec::new();
    for (stem, mut block) in blocks {
        let axes = block[0].1.len();
        if axes == 0 || axes > 4 || block.len() < 3 {
            continue;
        }
        block.sort_by(|a, b| a.1.cmp(&b.1));
        let stem = stem.rsplit_once('/').map_or("", |(stem, _)| stem).to_owned();
        // The whole first: what holds of all of it holds of its lines.
        for fixed in 0..(1usize << axes) - 1 {
            let mut lines: BTreeMap<Vec<&Key>, Vec<usize>> = BTreeMap::new();
            for (column, keys) in &block {
                let place = (0..axes).filter(|axis| fixed >> axis & 1 == 1).map(|axis| &keys[axis]).collect();
                lines.entry(place).or_default().push(*column);
            }
            let free = axes - fixed.count_ones() as usize;
            let is_number = |axis: usize| block.iter().all(|(_, keys)| keys[axis].0.is_some());
            let is_ordered = free == 1 && (0..axes).all(|axis| fixed >> axis & 1 == 1 || is_number(axis));
            let kept: Vec<(String, Vec<usize>)> = lines
                .into_iter()
                .filter(|(_, columns)| columns.len() >= 2)
                .map(|(place, columns)| (line_name(&stem, axes, fixed, &place), columns))
                .collect();
            if kept.is_empty() || kept.iter().all(|(_, columns)| columns.len() < 2) {
                continue;
            }
            let (names, lines) = kept.into_iter().unzip();
            all.push(Lines { names, pattern: pattern(&stem, axes, fixed), lines, is_ordered });
        }
        if axes == 2 {
            all.extend(diagonals(&stem, &block));
            all.extend(tiles(&stem, &block));
        }
    }
    all
}

fn line_name(stem: &str, axes: usize, fixed: usize, place: &[&Key]) -> String {
    let mut place = place.iter();
    let mut index = |axis: usize| match fixed >> axis & 1 {
        1 => place.next().map_or("*".to_owned(), |key| key.1.clone()),
        _ => "*".to_owned(),
    };
    match stem.split_once('[') {
        Some((start, names)) if names.chars().all(|c| c == ',' || c == ']') => {
            let parts: Vec<String> = (0..axes).map(&mut index).collect();
            format!("{start}({})", parts.join("_"))
        }
        Some((start, names)) => {
            let parts = names.trim_end_matches(']').split(',').enumerate();
            let parts = parts.map(|(axis, name)| format!("{name} {}", index(axis)).trim().to_owned());
            format!("{start}[{}]", parts.collect::<Vec<_>>().join(", "))
        }
        None => {
            let mut name = stem.to_owned();
            for axis in 0..axes {
                name = name.replacen('#', &index(axis), 1);
            }
            name
        }
    }
}

/// The lines of a family in words: what each is for, and its name with letters for what is fixed.
fn pattern(stem: &str, axes: usize, fixed: usize) -> (String, String) {
    let inside = stem.split_once('[').map_or("", |(_, names)| names.trim_end_matches(']'));
    let axis_name = |axis: usize| {
        let name = inside.split(',').nth(axis).unwrap_or("").trim();
        if name.is_empty() { ["i", "j", "k", "l"][axis].to_owned() } else { name.to_owned() }
    };
    let letters: Vec<Key> = (0..axes)
        .filter(|axis| fixed >> axis & 1 == 1)
        .map(|axis| {
            (
                None,
                if inside.split(',').nth(axis).is_some_and(|name| !name.trim().is_empty()) {
                    String::new()
                } else {
                    axis_name(axis)
                },
            )
        })
        .collect();
    let each: Vec<String> = (0..axes).filter(|axis| fixed >> axis & 1 == 1).map(axis_name).collect();
    let each = if each.is_empty() { String::new() } else { format!("for each {}: ", each.join(" and ")) };
    (each, line_name(stem, axes, fixed, &letters.iter().collect::<Vec<_>>()))
}

/// The two diagonals of a square.
fn diagonals(stem: &str, block: &[(usize, Vec<Key>)]) -> Option<Lines> {
    let (first, second) = square(block)?;
    let side = first.len();
    let cell = |i: usize, j: usize| {
        block
            .iter()
            .find(|(_, keys)| keys[0] == *first[i] && keys[1] == *second[j])
            .map(|(column, _)| *column)
    };
    let down: Option<Vec<usize>> = (0..side).map(|at| cell(at, at)).collect();
    let up: Option<Vec<usize>> = (0..side).map(|at| cell(at, side - 1 - at)).collect();
    let names = ["falling", "rising"].map(|way| format!("{way} diagonal of {}", line_name(stem, 2, 0, &[])));
    let pattern = (String::new(), format!("the diagonals of {}", line_name(stem, 2, 0, &[])));
    Some(Lines { names: names.to_vec(), pattern, lines: vec![down?, up?], is_ordered: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_make_lines() {
        let found = lines(&["s1", "s2", "s10", "e1", "e2", "total"]);
        assert_eq!(found.len(), 1);
        assert_eq!((&found[0].lines[0], found[0].names[0].as_str()), (&vec![0, 1, 2], "s*"));
        assert!(found[0].is_ordered);
        let grid: Vec<String> =
            (0..9).map(|at| format!("x[row {}, day {}]", at / 3, ["a", "b", "c"][at % 3])).collect();
        let found = lines(&grid.iter().map(String::as_str).collect::<Vec<_>>());
        let names: Vec<&str> = found.iter().map(|lines| lines.names[0].as_str()).collect();
        let expected =
            ["x[row *, day *]", "x[row 0, day *]", "x[row *, day a]", "falling diagonal of x[row *, day *]"];
        assert_eq!(names, expected);
        assert_eq!(
            found.iter().map(|lines| lines.is_ordered).collect::<Vec<_>>(),
            [false, false, true, false]
        );
    }
}
