//! What pictures show against what was read in them (a confusion matrix).

use std::fmt::Write;

use super::Escaped;
use crate::words::count;

const WIDTH: f64 = 400.0;
/// Room for the names of what is shown, at the left, and of what was read, on top.
const LEFT: f64 = 34.0;
const TOP: f64 = 56.0;

/// How often each class was read as each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confusion {
    names: Vec<String>,
    /// By what is shown and what was read.
    counts: Vec<Vec<usize>>,
}

impl Confusion {
    /// Counts pairs of what is shown and what was read, both numbered from 0.
    pub fn of(names: &[String], pairs: impl IntoIterator<Item = (usize, usize)>) -> Confusion {
        let mut counts = vec![vec![0; names.len()]; names.len()];
        for (shown, read) in pairs {
            if let Some(cell) = counts.get_mut(shown).and_then(|row| row.get_mut(read)) {
                *cell += 1;
            }
        }
        Confusion { names: names.to_vec(), counts }
    }

    /// What was read otherwise than it is, most often first: what is shown, what was read, and how often.
    fn mistakes(&self) -> Vec<(usize, usize, usize)> {
        let row = |(shown, row): (usize, &Vec<usize>)| -> Vec<_> {
            row.iter().enumerate().map(|(read, &count)| (shown, read, count)).collect()
        };
        let mut all: Vec<_> = self.counts.iter().enumerate().flat_map(row).collect();
        all.retain(|&(shown, read, count)| shown != read && count > 0);
        all.sort_by_key(|&(shown, read, count)| (std::cmp::Reverse(count), shown, read));
        all
    }

    /// The mistakes in words.
    pub fn words(&self) -> String {
        const SAID: usize = 3;
        let mistakes = self.mistakes();
        let say = |&(shown, read, times): &(usize, usize, usize)| {
            format!("{} as {} ({})", self.names[shown], self.names[read], count(times, "time"))
        };
        let said: Vec<String> = mistakes.iter().take(SAID).map(say).collect();
        match mistakes.len() {
            0 => "No picture was read wrongly.".to_owned(),
            all if all <= SAID => format!("Read wrongly: {}.", said.join(", ")),
            _ => format!("Read wrongly most often: {}.", said.join(", ")),
        }
    }

    /// The matrix: a row for what is shown, a column for what was read.
    pub fn svg(&self, title: &str) -> String {
        let side = self.names.len().max(1) as f64;
        let cell = ((WIDTH - LEFT) / side).min(40.0);
        let height = TOP + side * cell + 4.0;
        let small = if cell < 30.0 { " small" } else { "" };
        let mut svg = format!(
            "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {height:.1}\" role=\"img\" aria-label=\"{0}. {1}\">\n\
             <text class=\"title\" x=\"0\" y=\"14\">{0}</text>\n\
             <text x=\"0\" y=\"32\">rows: shown; columns: read</text>\n",
            Escaped(title),
            Escaped(&self.words())
        );
        // Writing to a string does not fail.
        for (at, name) in self.names.iter().enumerate() {
            let middle = (at as f64 + 0.5) * cell;
            let _ = writeln!(
                svg,
                "<text class=\"middle\" x=\"{:.1}\" y=\"{:.1}\">{2}</text><text class=\"end\" x=\"{3:.1}\" y=\"{4:.1}\">{2}</text>",
                LEFT + middle,
                TOP - 6.0,
                Escaped(name),
                LEFT - 8.0,
                TOP + middle + 4.0
            );
        }
        for (shown, row) in self.counts.iter().enumerate() {
            let all: usize = row.iter().sum();
            for (read, &count) in row.iter().enumerate() {
                let (x, y) = (LEFT + read as f64 * cell, TOP + shown as f64 * cell);
                let class = if shown == read { "right" } else { "wrong" };
                // Even a single mistake is to be seen.
                let share = count as f64 / all.max(1) as f64;
                let ink = if count == 0 { 0.0 } else { 0.15 + 0.6 * share.sqrt() };
                let _ = writeln!(
                    svg,
                    "<rect class=\"cell {class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{2:.1}\" height=\"{2:.1}\" \
                     fill-opacity=\"{ink:.2}\"/>",
                    x + 0.5,
                    y + 0.5,
                    cell - 1.0
                );
                if count > 0 {
                    let _ = writeln!(
                        svg,
                        "<text class=\"middle count{small}\" x=\"{:.1}\" y=\"{:.1}\">{count}</text>",
                        x + cell / 2.0,
                        y + cell / 2.0 + 4.0
                    );
                }
            }
        }
        svg + "</svg>"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_counted_and_said() {
        let names = ["1", "2", "<7>"].map(str::to_owned);
        let pairs = [(0, 0), (0, 2), (0, 2), (1, 1), (2, 0), (2, 2), (9, 9)];
        let confusion = Confusion::of(&names, pairs);
        assert_eq!(confusion.mistakes(), [(0, 2, 2), (2, 0, 1)]);
        assert_eq!(confusion.words(), "Read wrongly: 1 as <7> (2 times), <7> as 1 (1 time).");
        let svg = confusion.svg("Reader");
        assert_eq!((svg.matches("class=\"cell right\"").count(), svg.matches("count\"").count()), (3, 5));
        assert!(svg.contains("&lt;7&gt;") && !svg.contains("<7>"));
        assert_eq!(Confusion::of(&names, [(1, 1)]).words(), "No picture was read wrongly.");
    }
}
