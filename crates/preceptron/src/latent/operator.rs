//! A latent table under a name that people have for it, if there is one.
//!
//! Symbols have no names and no order. Once a table is found, each operator of a list is held against it: is there a
//! way to give the symbols different whole numbers such that the operator has the table's value in every cell that was
//! seen? Numbers are given one symbol after another, and taken back at the first cell that differs. The list is looked
//! at when all is learned; nothing of it enters the fit.

/// A table over the symbols of one or two places; nothing in cells that were not seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    pub symbols: usize,
    pub is_pair: bool,
    pub cells: Vec<Option<u32>>,
}

/// An operator that a table is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    /// In words, of columns `a` and `b`: `y = a + b`.
    pub words: String,
    /// The number of each symbol.
    pub numbers: Vec<i64>,
    /// The value of each cell, also of those that were not seen; nothing where it has no such value.
    pub filled: Vec<Option<u32>>,
}

/// What the table's columns are called.
pub(super) struct Words<'a> {
    pub places: [&'a str; 2],
    pub answer: &'a str,
    /// The answers' values.
    pub labels: &'a [String],
}

/// Steps of a search at the most.
const STEPS: u64 = 300_000;

/// An operator on two whole numbers, its words with `a` and `b` for the places.
struct Operator {
    words: String,
    value: Box<dyn Fn(i64, i64) -> i64>,
}

fn operator(words: impl Into<String>, value: impl Fn(i64, i64) -> i64 + 'static) -> Operator {
    Operator { words: words.into(), value: Box::new(value) }
}

/// Operators whose values are numbers.
fn arithmetic(symbols: usize, most: i64) -> Vec<Operator> {
    let mut all = vec![
        operator("a + b", |a, b| a + b),
        operator("a * b", |a, b| a * b),
        operator("max(a, b)", i64::max),
        operator("min(a, b)", i64::min),
    ];
    let mut moduli = vec![most + 1, symbols as i64];
    moduli.dedup();
    for m in moduli.into_iter().filter(|m| *m > 1) {
        all.push(operator(format!("(a + b) mod {m}"), move |a, b| (a + b).rem_euclid(m)));
        all.push(operator(format!("(a - b) mod {m}"), move |a, b| (a - b).rem_euclid(m)));
        all.push(operator(format!("(b - a) mod {m}"), move |a, b| (b - a).rem_euclid(m)));
        all.push(operator(format!("(a * b) mod {m}"), move |a, b| (a * b).rem_euclid(m)));
    }
    // Of two symbols a difference is a sum modulo 2, which is looked at first.
    all.push(operator("|a - b|", |a, b| (a - b).abs()));
    all.push(operator("a - b", |a, b| a - b));
    all.push(operator("b - a", |a, b| b - a));
    all.push(operator("max(a - b, 0)", |a, b| (a - b).max(0)));
    all.push(operator("max(b - a, 0)", |a, b| (b - a).max(0)));
    all.push(operator("a xor b (bit by bit)", |a, b| a ^ b));
    all.push(operator("a and b (bit by bit)", |a, b| a & b));
    all.push(operator("a or b (bit by bit)", |a, b| a | b));
    all
}

/// Statements about two numbers: 1 where they hold.
fn statements() -> Vec<Operator> {
    let one = |words: &str, holds: fn(i64, i64) -> bool| operator(words, move |a, b| i64::from(holds(a, b)));
    vec![
        one("a < b", |a, b| a < b),
        one("a <= b", |a, b| a <= b),
        one("a = b", |a, b| a == b),
        one("a is not b", |a, b| a != b),
        one("a and b are next to each other", |a, b| (a - b).abs() == 1),
        one("a divides b", |a, b| if a == 0 { b == 0 } else { b % a == 0 }),
        one("b divides a", |a, b| if b == 0 { a == 0 } else { a % b == 0 }),
    ]
}

/// The table's operator, if one of the list is it.
pub(super) fn named(grid: &Grid, words: &Words<'_>) -> Option<Named> {
    if !grid.is_pair {
        return named_alone(grid, words);
    }
    let numbers: Option<Vec<i64>> = words.labels.iter().map(|label| label.parse().ok()).collect();
    let in_words = |text: &str| {
        let [a, b] = words.places;
        // Whole words alone: other letters of an operator's name stay.
        let mut out = String::new();
        for part in text.split_inclusive(|c: char| !c.is_alphanumeric()) {
            let (word, rest) = part.split_at(part.trim_end_matches(|c: char| !c.is_alphanumeric()).len());
            let name = match word {
                "a" => a,
                "b" => b,
                _ => word,
            };
            out += name;
            out += rest;
        }
        out
    };
    if let Some(numbers) = &numbers {
        if let Some((values, filled)) = summed(grid, numbers) {
            let words = format!("{} = {}", words.answer, in_words("a + b"));
            return Some(Named { words, numbers: values, filled });
        }
        let most = numbers.iter().copied().max().unwrap_or(0);
        for operator in arithmetic(grid.symbols, most) {
            for base in [0, 1] {
                if let Some(given) = isomorphic(grid, numbers, &operator, base) {
                    let filled = filled(grid, numbers, &operator, &given);
                    let words = format!("{} = {}", words.answer, in_words(&operator.words));
                    return Some(Named { words, numbers: given, filled });
                }
            }
        }
    }
    let [first, second] = words.labels else { return None };
    // What the second answer says comes first: "y is 1 iff".
    for (truth, label) in [([0, 1], second), ([1, 0], first)] {
        for operator in statements() {
            for base in [1, 0] {
                if let Some(given) = isomorphic(grid, &truth, &operator, base) {
                    let filled = filled(grid, &truth, &operator, &given);
                    let words = format!("{} is {label} iff {}", words.answer, in_words(&operator.words));
                    return Some(Named { words, numbers: given, filled });
                }
            }
        }
    }
    None
}

/// A table of one place whose values tell the symbols apart names them.
fn named_alone(grid: &Grid, words: &Words<'_>) -> Option<Named> {
    let values: Vec<u32> = grid.cells.iter().copied().collect::<Option<_>>()?;
    let numbers: Vec<i64> =
        values.iter().map(|value| words.labels[*value as usize].parse().ok()).collect::<Option<_>>()?;
    let is_new = |(at, number): (usize, &i64)| !numbers[..at].contains(number);
    let words = format!("{} = {}", words.answer, words.places[0]);
    numbers.iter().enumerate().all(is_new).then(|| Named {
        words,
        filled: grid.cells.clone(),
        numbers: numbers.clone(),
    })
}

/// Whether the table is y = v(a) + v(b), with values that differ and need not be next to each other.
fn summed(grid: &Grid, numbers: &[i64]) -> Option<(Vec<i64>, Vec<Option<u32>>)> {
    let k = grid.symbols;
    let cell = |i: usize, j: usize| grid.cells[i * k + j].map(|value| numbers[value as usize]);
    // The middle of the differences between two rows, from row to row that share columns.
    let mut rows = vec![None; k];
    rows[0] = Some(0i64);
    let mut open = vec![0];
    while let Some(known) = open.pop() {
        for i in (0..k).filter(|i| rows[*i].is_none()).collect::<Vec<_>>() {
            let mut apart: Vec<i64> = (0..k).filter_map(|j| Some(cell(i, j)? - cell(known, j)?)).collect();
            if apart.is_empty() {
                continue;
            }
            apart.sort_unstable();
            rows[i] = rows[known].map(|row| row + apart[apart.len() / 2]);
            open.push(i);
        }
    }
    let rows: Vec<i64> = rows.into_iter().collect::<Option<_>>()?;
    let rest: Vec<i64> =
        (0..k * k).filter_map(|at| Some(cell(at / k, at % k)? - rows[at / k] - rows[at % k])).collect();
    let twice = *rest.first()?;
    if twice % 2 != 0 || rest.iter().any(|other| *other != twice) {
        return None;
    }
    let values: Vec<i64> = rows.iter().map(|row| row + twice / 2).collect();
    if (0..k).any(|i| values[..i].contains(&values[i])) {
        return None;
    }
    let number = |sum: i64| numbers.iter().position(|number| *number == sum).map(|at| at as u32);
    let filled = (0..k * k).map(|at| number(values[at / k] + values[at % k])).collect();
    Some((values, filled))
}

fn filled(grid: &Grid, numbers: &[i64], operator: &Operator, given: &[i64]) -> Vec<Option<u32>> {
    let k = grid.symbols;
    let value = |at: usize| (operator.value)(given[at / k], given[at % k]);
    (0..k * k).map(|at| numbers.iter().position(|number| *number == value(at)).map(|at| at as u32)).collect()
}

/// Different whole numbers from `base` on for the symbols under which an operator has all the cells that were seen.
fn isomorphic(grid: &Grid, numbers: &[i64], operator: &Operator, base: i64) -> Option<Vec<i64>> {
    let k = grid.symbols;
    let value = |i: usize, j: usize, a: i64, b: i64| {
        grid.cells[i * k + j].is_none_or(|cell| numbers[cell as usize] == (operator.value)(a, b))
    };
    let fits = |given: &[i64], next: i64| {
        let i = given.len();
        value(i, i, next, next)
            && given
                .iter()
                .enumerate()
                .all(|(j, other)| value(i, j, next, *other) && value(j, i, *other, next))
    };
    let mut found = None;
    search(k, base, &fits, &mut Vec::new(), &mut 0, &mut |given: &[i64]| {
        found = Some(given.to_vec());
        false
    });
    found
}

/// How many ways there are to exchange symbols that leave every cell as it is, one of them to exchange none; nothing if
/// they are too many to count.
pub(super) fn symmetries(grid: &Grid) -> Option<u64> {
    let k = grid.symbols;
    let cell = |i: i64, j: i64| match grid.is_pair {
        true => grid.cells[i as usize * k + j as usize],
        false => grid.cells[i as usize],
    };
    let fits = |given: &[i64], next: i64| {
        let i = given.len() as i64;
        let same = |a: i64, b: i64, c: i64, d: i64| match (cell(a, b), cell(c, d)) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        };
        same(i, i, next, next)
            && given.iter().zip(0..).all(|(other, j)| same(i, j, next, *other) && same(j, i, *other, next))
    };
    let (mut count, mut steps) = (0, 0);
    search(k, 0, &fits, &mut Vec::new(), &mut steps, &mut |_: &[i64]| {
        count += 1;
        true
    });
    (steps < STEPS).then_some(count)
}

/// Goes through the ways to give symbols different numbers; `found` says whether to go on.
fn search(
    symbols: usize,
    base: i64,
    fits: &dyn Fn(&[i64], i64) -> bool,
    given: &mut Vec<i64>,
    steps: &mut u64,
    found: &mut dyn FnMut(&[i64]) -> bool,
) -> bool {
    if given.len() == symbols {
        return found(given);
    }
    for next in base..base + symbols as i64 {
        *steps += 1;
        if *steps >= STEPS {
            return false;
        }
        if given.contains(&next) || !fits(given, next) {
            continue;
        }
        given.push(next);
        let go_on = search(symbols, base, fits, given, steps, found);
        given.pop();
        if !go_on {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of an operator whose symbols are mixed.
    fn mixed(k: usize, operator: impl Fn(i64, i64) -> i64) -> (Grid, Vec<String>) {
        let of = |symbol: usize| (symbol * 3 + 2) as i64 % k as i64;
        let values: Vec<i64> = (0..k * k).map(|at| operator(of(at / k), of(at % k))).collect();
        let mut all = values.clone();
        all.sort_unstable();
        all.dedup();
        let cells = values.iter().map(|value| Some(all.binary_search(value).unwrap() as u32)).collect();
        (Grid { symbols: k, is_pair: true, cells }, all.iter().map(i64::to_string).collect())
    }

    fn words(k: usize, operator: impl Fn(i64, i64) -> i64) -> (String, Option<u64>) {
        let (mut grid, labels) = mixed(k, operator);
        let words = Words { places: ["left", "right"], answer: "y", labels: &labels };
        let whole = named(&grid, &words);
        let symmetries = symmetries(&grid);
        // The same with a cell that was never seen, which the operator fills; of two symbols three cells say too little.
        if k > 2 {
            let before = grid.cells[k + 2].take();
            if let Some(found) = named(&grid, &words) {
                assert_eq!(found.filled[k + 2], before);
            }
        }
        (whole.map_or("a table".to_owned(), |named| named.words), symmetries)
    }

    #[test]
    fn operators_have_the_names_that_people_have() {
        assert_eq!(words(10, |a, b| a + b), ("y = left + right".into(), Some(1)));
        assert_eq!(words(10, |a, b| (a + b) % 10), ("y = (left + right) mod 10".into(), Some(2)));
        assert_eq!(words(10, |a, b| a * b), ("y = left * right".into(), Some(1)));
        assert_eq!(words(10, |a, b| (a - b).abs()), ("y = |left - right|".into(), Some(2)));
        assert_eq!(words(10, i64::max), ("y = max(left, right)".into(), Some(1)));
        assert_eq!(words(10, i64::min), ("y = min(left, right)".into(), Some(1)));
        assert_eq!(words(10, |a, b| a - b), ("y = left - right".into(), Some(1)));
        assert_eq!(words(10, |a, b| i64::from(a < b)), ("y is 1 iff left < right".into(), Some(1)));
        assert_eq!(words(10, |a, b| i64::from(a >= b)), ("y is 1 iff left <= right".into(), Some(1)));
        assert_eq!(words(5, |a, b| i64::from(a == b)), ("y is 1 iff left = right".into(), Some(120)));
        assert_eq!(words(8, |a, b| a ^ b), ("y = left xor right (bit by bit)".into(), Some(8)));
        assert_eq!(words(2, |a, b| a ^ b).1, Some(2));
        assert_eq!(words(7, |a, b| (a * a + 3 * b * a + b) % 5).0, "a table");
    }

    #[test]
    fn values_need_not_be_next_to_each_other() {
        let worth = [2, 50, 1, 10];
        let values: Vec<i64> = (0..16).map(|at| worth[at / 4] + worth[at % 4]).collect();
        let mut all = values.clone();
        all.sort_unstable();
        all.dedup();
        let cells = values.iter().map(|value| Some(all.binary_search(value).unwrap() as u32)).collect();
        let labels: Vec<String> = all.iter().map(i64::to_string).collect();
        let words = Words { places: ["a", "b"], answer: "sum", labels: &labels };
        let found = named(&Grid { symbols: 4, is_pair: true, cells }, &words).unwrap();
        assert_eq!((found.words.as_str(), found.numbers), ("sum = a + b", worth.to_vec()));
    }

    #[test]
    fn one_place_is_named_by_its_answers() {
        let labels = ["7", "3", "5"].map(str::to_owned);
        let words = Words { places: ["a", ""], answer: "y", labels: &labels };
        let grid = Grid { symbols: 3, is_pair: false, cells: vec![Some(2), Some(0), Some(1)] };
        let found = named(&grid, &words).unwrap();
        assert_eq!((found.words.as_str(), found.numbers), ("y = a", vec![5, 7, 3]));
        assert_eq!(symmetries(&grid), Some(1));
    }
}
