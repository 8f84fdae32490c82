//! Rows of totals: they begin with a word such as "Total", and are the sums of other rows.

use super::grid::{Area, Content, Grid};
use super::numbers::{self, Decimal, Style};

/// The rows that begin like totals.
#[derive(Default)]
pub(super) struct Totals {
    /// Those that are sums.
    pub sums: Vec<usize>,
    /// Those that are not.
    pub others: Vec<usize>,
}

const WORDS: [&str; 14] = [
    "total",
    "totals",
    "sum",
    "sums",
    "summe",
    "summen",
    "gesamt",
    "gesamtsumme",
    "zwischensumme",
    "subtotal",
    "sub-total",
    "insgesamt",
    "overall",
    "σ",
];

fn is_word(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    WORDS.contains(&first) || first == "grand" && words.next() == Some("total") || lower.trim() == "∑"
}

fn number(content: &Content) -> Option<f64> {
    match content {
        Content::Number(number) => Some(*number),
        Content::Text(text) => {
            let numeral = numbers::read(text)?;
            match numeral.style() {
                Style::Sure(decimal) => numeral.value(decimal),
                _ => numeral.value(Decimal::Point).or_else(|| numeral.value(Decimal::Comma)),
            }
        }
        _ => None,
    }
}

/// Finds the rows of totals among these.
pub(super) fn totals(grid: &Grid, rows: &[usize], area: Area) -> Totals {
    let begins = |row: &usize| {
        let first =
            (area.left..=area.right).map(|column| grid.get(*row, column)).find(|content| !content.is_empty());
        matches!(first, Some(Content::Text(text)) if is_word(text))
    };
    let named: Vec<usize> = rows.iter().copied().filter(begins).collect();
    let mut totals = Totals::default();
    for &row in &named {
        let sum = |column: usize, of: &mut dyn Iterator<Item = &usize>| -> Option<f64> {
            let numbers: Vec<f64> = of.filter_map(|row| number(grid.get(*row, column))).collect();
            (!numbers.is_empty()).then(|| numbers.iter().sum())
        };
        let start = named.iter().rev().find(|other| **other < row).copied();
        let (mut columns, mut sums) = (0, 0);
        for column in area.left..=area.right {
            let Some(value) = number(grid.get(row, column)) else { continue };
            let plain = |other: &&usize| !named.contains(other);
            let since = |other: &&usize| **other < row && start.is_none_or(|start| **other > start);
            let tries = [
                sum(column, &mut rows.iter().filter(plain).filter(|other| **other < row)),
                sum(column, &mut rows.iter().filter(plain)),
                sum(column, &mut rows.iter().filter(plain).filter(since)),
            ];
            columns += 1;
            let fits = |total: &f64| (total - value).abs() <= 1e-6 * total.abs().max(1.0);
            sums += usize::from(tries.iter().flatten().any(fits));
        }
        match columns > 0 && sums * 5 >= columns * 4 {
            true => totals.sums.push(row),
            false => totals.others.push(row),
        }
    }
    totals
}
