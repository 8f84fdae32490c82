//! What a relation means, in words: the operator, names for the symbols, how many ways to name them there are, and how
//! sure the table is.

use serde::{Deserialize, Serialize};

use super::operator::{Grid, Named, Words, named, symmetries};
use super::relation::Relation;
use super::{Began, Puzzles};

/// Cells in which the posteriors have less than this many examples count as not seen.
const SEEN: f64 = 1.5;
/// A cell whose likeliest answer has a smaller share stays open.
const CLEAR: f64 = 0.6;

/// What was learned of symbols and answers, and how sure it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Meaning {
    /// Where training began.
    pub began: Began,
    /// The relation in words, column of answers by column: `y = a + b`; nothing where it has no name.
    pub operators: Vec<Option<String>>,
    /// The names that symbols got.
    pub symbols: Vec<String>,
    /// Ways to exchange symbols that change no answer, with the one that exchanges none.
    pub symmetries: Option<u64>,
    /// Cells of the table, those that were seen, and those that an operator filled.
    pub cells: [usize; 3],
    /// The examples of the rarest cell that was seen.
    pub rarest: f64,
    /// The smallest share that a cell's answer has of its examples.
    pub clearest: f64,
    /// Examples that were not trained on, and those whose answers the pictures alone gave right.
    pub held_out: [usize; 2],
    /// Examples to train on, and those that the relation does not agree with.
    pub examples: usize,
    /// Examples whose answers and pictures do not agree.
    pub doubted: usize,
    /// The table in lines, `a = A and b = B, C -> y = 5`, where it has no name.
    pub table: Vec<String>,
    /// Rules that the learner found, and those that were read from the table beside them.
    pub rules: [usize; 2],
}

/// The answer of every cell: nothing where none was seen, or none is clear.
pub(super) struct Cells {
    pub answers: Vec<Option<u32>>,
    pub seen: usize,
    pub rarest: f64,
    pub clearest: f64,
}

impl Cells {
    /// From how often each answer was seen with each cell.
    pub fn of(seen: &[f64], answers: usize) -> Cells {
        let (mut rarest, mut clearest, mut count) = (f64::INFINITY, 1.0f64, 0);
        let mut cell = |row: &[f64]| {
            let total: f64 = row.iter().sum();
            let best = (0..answers).max_by(|a, b| row[*a].total_cmp(&row[*b]))?;
            if total < SEEN || row[best] < CLEAR * total {
                return None;
            }
            count += 1;
            rarest = rarest.min(total);
            clearest = clearest.min(row[best] / total);
            Some(best as u32)
        };
        let answers = seen.chunks_exact(answers).map(&mut cell).collect();
        Cells { answers, seen: count, rarest: if count > 0 { rarest } else { 0.0 }, clearest }
    }
}

/// The relation named, and the cells with those that an operator fills.
pub(super) fn meaning_of(
    puzzles: &Puzzles,
    combinations: &[Vec<u32>],
    relation: &Relation,
    seen: &[f64],
    began: Began,
) -> (Meaning, Vec<Option<u32>>) {
    match relation {
        Relation::Table { places, symbols, .. } => {
            let cells = Cells::of(seen, combinations.len());
            let is_pair = places.len() > 1;
            let name = |at: usize| places.get(at).map_or("", |place| puzzles.places[*place].as_str());
            let whole = Grid { symbols: *symbols, is_pair, cells: cells.answers.clone() };
            let symmetries = symmetries(&whole);
            let of_column = |(column, answer): (usize, &super::AnswerColumn)| -> Option<Named> {
                let value = |code: &Option<u32>| code.map(|code| combinations[code as usize][column]);
                let grid = Grid { cells: cells.answers.iter().map(value).collect(), ..whole.clone() };
                let words =
                    Words { places: [name(0), name(1)], answer: &answer.name, labels: &answer.labels };
                named(&grid, &words)
            };
            let found: Vec<Option<Named>> = puzzles.answers.iter().enumerate().map(of_column).collect();
            let mut filled = cells.answers.clone();
            if let [Some(only)] = found.as_slice() {
                for (cell, value) in filled.iter_mut().zip(&only.filled).filter(|(cell, _)| cell.is_none()) {
                    let is_it = |values: &Vec<u32>| Some(values[0]) == *value;
                    *cell = combinations.iter().position(is_it).map(|code| code as u32);
                }
            }
            let names = found.iter().flatten().next().map(|named| &named.numbers);
            let symbols_named = names_of(*symbols, names);
            let table = match found.iter().all(Option::is_some) {
                true => Vec::new(),
                false => lines(puzzles, combinations, &symbols_named, [name(0), name(1)], &filled, is_pair),
            };
            let meaning = Meaning {
                table,
                operators: found.iter().map(|named| named.as_ref().map(|one| one.words.clone())).collect(),
                symbols: symbols_named,
                symmetries,
                cells: [filled.len(), cells.seen, filled.iter().flatten().count() - cells.seen],
                rarest: cells.rarest,
                clearest: cells.clearest,
                began,
                ..Meaning::default()
            };
            (meaning, filled)
        }
        Relation::Sum { weights, values, modulus, offset, .. } => {
            let meaning = Meaning {
                operators: vec![Some(sum_words(puzzles, weights, *modulus, *offset))],
                symbols: names_of(values.len(), Some(values)),
                symmetries: Some(sum_symmetries(weights, values, *modulus)),
                began,
                ..Meaning::default()
            };
            (meaning, Vec::new())
        }
    }
}

/// A table as rules, cells of a row with the same answer together.
fn lines(
    puzzles: &Puzzles,
    combinations: &[Vec<u32>],
    symbols: &[String],
    places: [&str; 2],
    cells: &[Option<u32>],
    is_pair: bool,
) -> Vec<String> {
    let told = |code: u32| {
        let values = combinations[code as usize].iter().zip(&puzzles.answers);
        let words =
            values.map(|(value, column)| format!("{} = {}", column.name, column.labels[*value as usize]));
        words.collect::<Vec<_>>().join(", ")
    };
    let (mut all, width) = (Vec::new(), if is_pair { symbols.len() } else { 1 });
    for (symbol, row) in symbols.iter().zip(cells.chunks_exact(width)) {
        let mut codes: Vec<u32> = row.iter().flatten().copied().collect();
        codes.sort_unstable();
        codes.dedup();
        for code in codes {
            let with = row
                .iter()
                .zip(symbols)
                .filter(|(cell, _)| **cell == Some(code))
                .map(|(_, name)| name.as_str());
            let second = match is_pair {
                true => format!(" and {} = {}", places[1], with.collect::<Vec<_>>().join(", ")),
                false => String::new(),
            };
            all.push(format!("{} = {symbol}{second} -> {}", places[0], told(code)));
        }
    }
    all
}

/// Numbers as names, or letters.
fn names_of(symbols: usize, numbers: Option<&Vec<i64>>) -> Vec<String> {
    match numbers {
        Some(numbers) => numbers.iter().map(i64::to_string).collect(),
        None if symbols <= 26 => (0..symbols).map(|at| char::from(b'A' + at as u8).to_string()).collect(),
        None => (1..=symbols).map(|number| format!("S{number}")).collect(),
    }
}

fn sum_words(puzzles: &Puzzles, weights: &[i64], modulus: Option<i64>, offset: i64) -> String {
    let answer = &puzzles.answers[0];
    if modulus == Some(2) {
        return match (answer.labels[0].as_str(), answer.labels[1].as_str()) {
            ("0", "1") => format!("{} is the parity of the pictures", answer.name),
            (_, odd) => format!("{} is {odd} iff an odd number of the pictures show 1", answer.name),
        };
    }
    let mut text = format!("{} =", answer.name);
    let terms = weights.iter().zip(&puzzles.places).filter(|(weight, _)| **weight != 0);
    for (number, (weight, place)) in terms.enumerate() {
        let sign = match (number, *weight < 0) {
            (0, false) => " ",
            (0, true) => " -",
            (_, false) => " + ",
            (_, true) => " - ",
        };
        let times = if weight.abs() == 1 { String::new() } else { format!("{} * ", weight.abs()) };
        text += &format!("{sign}{times}{place}");
    }
    match offset {
        0 => text,
        1.. => format!("{text} + {offset}"),
        _ => format!("{text} - {}", -offset),
    }
}

/// Exchanges of values that leave every sum as it is: all values move by the same, which only a modulus allows.
fn sum_symmetries(weights: &[i64], values: &[i64], modulus: Option<i64>) -> u64 {
    let Some(modulus) = modulus else { return 1 };
    let total: i64 = weights.iter().sum();
    let keeps = |by: &i64| {
        (total * by).rem_euclid(modulus) == 0
            && values.iter().all(|v| values.iter().any(|other| (v + by - other).rem_euclid(modulus) == 0))
    };
    (0..modulus).filter(keeps).count() as u64
}

impl Meaning {
    /// The relation in a line for each column of answers: its name, or that it is a table.
    pub fn headline(&self, answers: &[String]) -> Vec<String> {
        let line = |(operator, answer): (&Option<String>, &String)| match operator {
            Some(words) => words.clone(),
            None => format!("{answer} by a table that has no name here"),
        };
        self.operators.iter().zip(answers).map(line).collect()
    }

    /// How it came about and how sure it is, in sentences.
    pub fn story(&self) -> Vec<String> {
        let Began { start, clusters, starts, explained, symbols, is_guess, assumed } = &self.began;
        let mut all = vec![format!(
            "Pictures are never values here, so training began with {start} ({clusters} clusters)."
        )];
        if starts[0] > 1 && self.cells[0] > 0 {
            all.push(format!(
                "Of {} random starts {} ended at the best likelihood{}; clusters alone explain {:.0}% of the answers' \
                 uncertainty.",
                starts[0],
                starts[1],
                if starts[1] < 2 { ", which is no agreement: the table may be a poor optimum" } else { "" },
                100.0 * explained,
            ));
        }
        all.push(match (is_guess, assumed) {
            (true, _) => format!(
                "That there are {symbols} symbols is a guess, from what telling them apart explains; --symbols says it."
            ),
            (false, Some(assumed)) => format!(
                "{assumed} symbols were assumed; answers tell {symbols} apart, and the others are one with these."
            ),
            (false, None) if self.cells[0] > 0 => format!("That there are {symbols} symbols was told."),
            (false, None) => format!("There are {symbols} symbols, as the relation has values."),
        });
        all.push(match self.symmetries {
            Some(1) => "Symbols are told apart by the answers in one way only.".to_owned(),
            Some(ways) => format!(
                "There are {ways} ways to exchange symbols that change no answer: names are one choice among these."
            ),
            None => "There are too many ways to exchange symbols without changing an answer to be counted: \
                     names are one choice among these."
                .to_owned(),
        });
        if self.cells[0] > 0 {
            let [cells, seen, filled] = self.cells;
            let mut text = format!(
                "The table: {seen} of {cells} cells were seen, the rarest in {:.0} examples; in the least clear one \
                 {:.1}% have its answer.",
                self.rarest,
                100.0 * self.clearest
            );
            if filled > 0 {
                text += &format!(" {filled} more follow the operator that all seen ones have.");
            }
            if cells > seen + filled {
                text += &format!(" {} stay open.", cells - seen - filled);
            }
            all.push(text);
        }
        let [held_out, right] = self.held_out;
        if held_out > 0 {
            all.push(format!(
                "Of {held_out} examples that were not trained on, pictures alone give {:.1}% of the answers.",
                100.0 * right as f64 / held_out as f64
            ));
        }
        if self.doubted > 0 {
            all.push(format!(
                "{} of {} examples were left out of the rules: what their pictures show and their answers do not agree.",
                self.doubted, self.examples
            ));
        }
        all
    }

    /// Whether this is no more than a guess, and why.
    pub fn doubt(&self) -> Option<String> {
        let [held_out, right] = self.held_out;
        let share = right as f64 / held_out.max(1) as f64;
        let is_poor = held_out > 0 && share < 0.8;
        let is_alone =
            self.began.starts[1] < 2 && self.began.starts[0] > 1 && self.cells[0] > 0 && share < 0.95;
        match (is_poor, is_alone) {
            (true, _) => Some(format!(
                "This is not sure: pictures alone give {:.1}% of answers that were not trained on. Another number of \
                 --symbols, more examples or another --seed may do better.",
                100.0 * share
            )),
            (false, true) => Some(
                "This is not sure: no two starts ended at the same likelihood; another --seed may find another table."
                    .to_owned(),
            ),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_are_not_clear_stay_open() {
        let cells = Cells::of(&[9.0, 0.1, 0.4, 0.3, 5.0, 4.0, 0.0, 20.0], 2);
        assert_eq!(cells.answers, [Some(0), None, None, Some(1)]);
        assert_eq!((cells.seen, cells.rarest.round()), (2, 9.0));
    }

    #[test]
    fn symmetries_of_sums() {
        assert_eq!(sum_symmetries(&[1, 1, 1], &[0, 1, 2], None), 1);
        assert_eq!(sum_symmetries(&[1; 16], &[0, 1], Some(2)), 2);
        assert_eq!(sum_symmetries(&[1; 3], &[0, 1], Some(2)), 1);
    }
}
