//! Rows and scores in words, as JSON and on a page.

use preceptron::page::{
    Block, Drawing, Figure, Section, percent, png_address, reader_section, rules_section,
};
use preceptron::words::{list_families, text};
use preceptron::{Case, Report, Scenes, Shown, Sight, TaskResult};
use preceptron_learn::values_of;
use preceptron_logic::{Variables, lift};
use serde_json::json;

use super::complete::Completed;
use super::{TableScore, Tables};
use crate::hidden;
use crate::picture::Picture;
use crate::rgb::Rgb;

/// Families that are listed, and rows that are drawn.
const LISTED: usize = 14;
const DRAWN: usize = 6;

/// How a value came into a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// It was known.
    Known,
    /// It was read in a picture.
    Read,
    /// It was read as something else.
    Repaired,
    /// It follows.
    Found,
}

impl Source {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Source::Known => "known",
            Source::Read => "read",
            Source::Repaired => "repaired",
            Source::Found => "found",
        }
    }

    fn marked(self, value: &str) -> String {
        match self {
            Source::Known | Source::Found => value.to_owned(),
            Source::Read => format!("[{value}]"),
            Source::Repaired => format!("!{value}!"),
        }
    }
}

/// The value that a column has in an answer; nothing where the rules leave none or several.
pub(super) fn value_of(variables: &Variables, column: &str, axis: &str, values: &[bool]) -> Option<String> {
    let of_column = values_of(variables, column, axis);
    if of_column.is_empty() {
        return Some(u8::from(values[variables.find(column)?.index()]).to_string());
    }
    let mut held =
        of_column.iter().filter(|(_, var)| values[var.index()]).map(|(label, _)| (*label).to_owned());
    match (held.next(), held.next()) {
        (Some(value), None) => Some(value),
        _ => None,
    }
}

/// Column by column of an answer: its name, its value, and where it comes from.
pub(super) fn values<'a>(
    columns: &'a [String],
    axis: &str,
    scenes: &Scenes,
    row: usize,
    answer: &Completed,
) -> Vec<(&'a str, Option<String>, Source)> {
    let variables = scenes.variables();
    let is_at = |column: &str, sight: &Sight| {
        values_of(variables, column, axis).first().map(|(_, var)| *var)
            == scenes.symbols(*sight).first().copied()
    };
    let one = |column: &'a String| {
        let of_column = values_of(variables, column, axis);
        let first = of_column.first().map(|(_, var)| *var).or_else(|| variables.find(column));
        let source = match scenes.sights(row).iter().position(|sight| is_at(column, sight)) {
            Some(number) if answer.repaired.contains(&number) => Source::Repaired,
            Some(_) => Source::Read,
            None if first.is_some_and(|var| scenes.known().get(row, var).is_some()) => Source::Known,
            None => Source::Found,
        };
        (column.as_str(), value_of(variables, column, axis, &answer.values), source)
    };
    columns.iter().map(one).collect()
}

/// A value with its mark, or a question mark.
fn marked((_, value, source): &(&str, Option<String>, Source)) -> String {
    value.as_deref().map_or_else(|| "?".to_owned(), |value| source.marked(value))
}

/// The columns that lie on a grid of two axes, as such: its lines, and the columns.
fn grids(values: &[(&str, Option<String>, Source)]) -> (String, Vec<bool>) {
    let (mut text, mut is_drawn) = (String::new(), vec![false; values.len()]);
    let Ok(columns) = Variables::from_names(values.iter().map(|(column, ..)| *column)) else {
        return (text, is_drawn);
    };
    for block in columns.blocks() {
        let [down, across] = block.axes() else { continue };
        let cell = |row: usize, column: usize| block.at(&[row, column]).map(|var| var.index());
        let (rows, wide) = (down.labels().len(), across.labels().len());
        let cells: Option<Vec<usize>> = (0..rows * wide).map(|at| cell(at / wide, at % wide)).collect();
        let Some(cells) = cells else { continue };
        let words: Vec<String> = cells.iter().map(|&at| marked(&values[at])).collect();
        let width = words.iter().map(|word| word.chars().count()).max().unwrap_or(1);
        if wide * (width + 1) > 76 {
            continue;
        }
        text += &format!("  {}: {} down, {} across\n", block.name(), down.name(), across.name());
        for line in words.chunks(wide) {
            let line: Vec<String> = line.iter().map(|word| format!("{word:^width$}")).collect();
            text += &format!("    {}\n", line.join(" ").trim_end());
        }
        cells.into_iter().for_each(|at| is_drawn[at] = true);
    }
    (text, is_drawn)
}

/// An answer in words, in lines that fit a screen: as grids where columns lie on two axes.
pub(super) fn row_text(values: &[(&str, Option<String>, Source)]) -> String {
    let (mut lines, is_drawn) = grids(values);
    let mut line = String::from(" ");
    for (one, _) in values.iter().zip(is_drawn).filter(|(_, is_drawn)| !is_drawn) {
        let (column, value) = (one.0, marked(one));
        let word = format!(" {column} = {value}");
        if line.len() + word.len() > 78 && line.len() > 1 {
            lines += &format!("{line}\n");
            line = String::from(" ");
        }
        line += &format!("{word},");
    }
    match line.trim() {
        "" => lines,
        _ => lines + line.trim_end_matches(',') + "\n",
    }
}

/// The score in words and as JSON.
pub(super) fn shown(
    case: Case<'_, Tables>,
    assumptions: &[String],
    score: &TableScore,
    trained: Option<&Report>,
) -> TaskResult<Shown> {
    if let (Some(data), Some(score)) = (&case.data.hidden, &score.hidden) {
        return hidden::shown(case.model, data, score, assumptions, trained, None);
    }
    let (rules, axis) = (&case.model.rules, &case.settings.value_axis);
    let (rows, right, open) = (score.answers.len(), score.right(), score.open());
    let [determined, determined_right] = score.determined();
    let read = score.pictures.iter().filter(|one| one.truth == one.read).count();
    let pictures = score.pictures.len();
    let json = json!({
        "rules": rules.len(), "found": case.model.found, "calibration": case.model.calibration,
        "seconds": trained.map(|report| report.seconds), "cpu_seconds": trained.map(|report| report.cpu_seconds),
        "held_out": {
            "rows": rows, "rows_right": right, "rows_with_several_answers": open,
            "rows_with_one_answer": determined, "rows_with_one_answer_right": determined_right,
            "pictures": pictures, "pictures_read": read, "pictures_also_trained_on": case.data.seen_before,
        },
    });
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    let text = text(|out| -> TaskResult<()> {
        if trained.is_some() {
            writeln!(out, "{} rules from values and pictures:", rules.len())?;
            list_families(out, rules, &lift(rules), LISTED, "precept rules")?;
            writeln!(out)?;
        }
        writeln!(
            out,
            "On {rows} rows that were held out, from their pictures{}:",
            match &case.settings.given {
                Some(given) => format!(" and {given}"),
                None => String::new(),
            }
        )?;
        writeln!(
            out,
            "  {:.2}% of the pictures are read as rules and values say ({read} of {pictures})\n  \
             {:.1}% of the rows are completed right, every value ({right} of {rows})",
            share(read, pictures),
            share(right, rows),
        )?;
        if open > 0 {
            writeln!(
                out,
                "  {open} rows have several completions with the same pictures; of the others {:.1}% are right \
                 ({determined_right} of {determined})",
                share(determined_right, determined),
            )?;
        }
        if case.data.seen_before > 0 {
            writeln!(out, "  {} of their pictures are in rows to train on as well", case.data.seen_before)?;
        }
        let repaired =
            |answer: &Option<Completed>| answer.as_ref().is_some_and(|one| !one.repaired.is_empty());
        let shown = score.answers.iter().position(repaired).or((!score.answers.is_empty()).then_some(0));
        if let Some((at, Some(answer))) = shown.map(|at| (at, &score.answers[at])) {
            writeln!(
                out,
                "\nRow {}: [a] was read in a picture, !a! was read as something else, the others were found:",
                case.data.rows[at] + 1
            )?;
            write!(out, "{}", row_text(&values(&case.data.columns, axis, &case.data.held_out, at, answer)))?;
        }
        if let Some(report) = trained {
            writeln!(out, "\nThese figures lean on this: {}.", assumptions.join("; "))?;
            writeln!(out, "Training took {:.1} CPU-s.", report.cpu_seconds)?;
        }
        Ok(())
    })?;
    Ok(Shown::answer(!rules.is_empty(), text, json))
}

/// The sections of the page.
pub(super) fn sections(case: Case<'_, Tables>, score: &TableScore) -> TaskResult<Vec<Section>> {
    if let (Some(data), Some(score)) = (&case.data.hidden, &score.hidden) {
        return hidden::sections(case.model, data, score);
    }
    let (rows, right) = (score.answers.len(), score.right());
    let [determined, determined_right] = score.determined();
    let read = score.pictures.iter().filter(|one| one.truth == one.read).count();
    let pictures = score.pictures.len();
    let figures = vec![
        Figure::new(case.model.rules.len().to_string(), "rules", ""),
        Figure::new(
            percent(read, pictures, 2),
            "of pictures read as rules and values say",
            format!("{read} of {pictures} that were held out"),
        ),
        Figure::new(
            percent(right, rows, 1),
            "of rows completed right",
            format!("{right} of {rows}, every value"),
        ),
        Figure::new(
            percent(determined_right, determined, 1),
            "of rows right whose pictures leave one answer",
            format!("{determined_right} of {determined}"),
        ),
    ];
    let names = case.settings.alphabet.clone().unwrap_or_default();
    let mut sections = vec![
        Section::new("", vec![Block::Figures(figures)]),
        rules_section(&case.model.rules, "", |_, _| String::new()),
    ];
    sections.extend(reader_section(&names, &score.pictures));
    let (good, bad): (Vec<usize>, Vec<usize>) = (0..rows).partition(|&row| score.is_right[row]);
    let mut blocks = Vec::new();
    for (title, of) in [("Failed", bad), ("Completed", good)].into_iter().filter(|(_, of)| !of.is_empty()) {
        blocks.push(Block::Heading(format!("{title}: {} of {rows}", of.len())));
        let drawn = of.iter().take(DRAWN).map(|&row| drawing(case, score, row));
        blocks.push(Block::Drawings(drawn.collect::<TaskResult<_>>()?));
    }
    sections.push(Section::new("Rows", blocks));
    Ok(sections)
}

/// The pictures of a row side by side, and its values.
fn drawing(case: Case<'_, Tables>, score: &TableScore, row: usize) -> TaskResult<Drawing> {
    let scenes = &case.data.held_out;
    let (shape, count) = (scenes.shape(), scenes.sights(row).len());
    let mut pixels = Vec::new();
    scenes.gather(scenes.sights(row).iter().copied(), &mut pixels)?;
    let picture = match shape.channels {
        3 => {
            let mut strip = Rgb::new(count.max(1) * (shape.width + 2), shape.height, [0; 3]);
            for (number, one) in pixels.chunks_exact(shape.size()).enumerate() {
                strip.paste([number * (shape.width + 2), 0], &Rgb::from_planes(shape.width, one));
            }
            strip.to_png()?
        }
        _ => {
            let mut strip = Picture::new(count.max(1) * (shape.width + 2), shape.height, 0);
            for (number, one) in pixels.chunks_exact(shape.size()).enumerate() {
                strip.paste(number * (shape.width + 2), 0, &Picture::from_pixels(shape.width, one.to_vec()));
            }
            strip.to_png()?
        }
    };
    let notes = match &score.answers[row] {
        None => vec!["no row obeys the rules with these pictures".to_owned()],
        Some(answer) => {
            let text = row_text(&values(&case.data.columns, &case.settings.value_axis, scenes, row, answer));
            text.lines().map(|line| line.trim().to_owned()).collect()
        }
    };
    let title = format!("Row {}", case.data.rows[row] + 1);
    Ok(Drawing { picture: png_address(&picture), title, notes, ..Drawing::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_on_two_axes_are_a_grid() {
        let value = |text: &str, source| (Some(text.to_owned()), source);
        let names =
            ["c[row 1, column 1]", "c[row 1, column 2]", "c[row 2, column 1]", "c[row 2, column 2]", "sum"];
        let cells = [
            value("1", Source::Read),
            value("12", Source::Found),
            value("3", Source::Repaired),
            (None, Source::Found),
            value("7", Source::Known),
        ];
        let row: Vec<_> =
            names.into_iter().zip(cells).map(|(name, (value, source))| (name, value, source)).collect();
        assert_eq!(row_text(&row), "  c: row down, column across\n    [1] 12\n    !3!  ?\n  sum = 7\n");
    }
}
