//! `precept solve RUN --rows ... --columns ...`: a nonogram, solved by a run's rules.

use std::io::Write;
use std::path::Path;

use anyhow::{anyhow, bail, ensure};
use preceptron::Run;
use preceptron_reason::Limits;
use preceptron_tasks::nonogram::{Nonogram, Solved, Solver, draw_board, parse_lines, read_clues, svg_board};
use serde_json::json;

use super::Arguments;
use crate::Answer;
use crate::output::Destination;

/// The most rows and columns.
const MOST_LINES: usize = 100;

/// Whether a board of clues is to be solved.
pub fn is_meant(arguments: &Arguments) -> bool {
    arguments.rows.is_some() || arguments.columns.is_some() || arguments.clues.is_some()
}

fn clues(arguments: &Arguments) -> anyhow::Result<Nonogram> {
    let clues = match (&arguments.clues, &arguments.rows, &arguments.columns) {
        (Some(file), _, _) => read_clues(file)?,
        (None, Some(rows), Some(columns)) => {
            let lines =
                |text: &str, noun: &str| parse_lines(text, noun).map_err(|what| anyhow!("--{noun}s: {what}"));
            Nonogram { rows: lines(rows, "row")?, columns: lines(columns, "column")? }
        }
        _ => bail!("--rows and --columns go together"),
    };
    let most = clues.rows.len().max(clues.columns.len());
    ensure!(most <= MOST_LINES, "a board of {most} lines is larger than {MOST_LINES}");
    Ok(clues)
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let clues = clues(arguments)?;
    let run = Run::open(&arguments.source)?;
    ensure!(
        run.task() == "nonogram",
        "{}: is a run of {}, not of nonogram",
        arguments.source.display(),
        run.task()
    );
    let destination =
        arguments.out.as_deref().map(|path| Destination::check(path, arguments.force)).transpose()?;
    let kind = arguments.out.as_deref().map(drawing_kind).transpose()?;
    let limits =
        Limits { time: arguments.time, cancel: Some(crate::interrupt::flag()?), ..Limits::default() };
    let solver = Solver::new(&run.rules(None)?)?.with_limits(limits);
    // One more than asked for tells whether there are others.
    let wanted = arguments.all.unwrap_or(1) as usize;
    let solved = solver.solve(&clues, wanted.saturating_add(1))?;
    if let (Solved::Pictures(pictures, _), Some(destination), Some(is_svg)) = (&solved, destination, kind) {
        let (width, picture) = (clues.columns.len(), &pictures[0]);
        match is_svg {
            true => destination.write(svg_board(width, picture).as_bytes())?,
            false => destination.write(&draw_board(width, picture).to_png()?)?,
        }
    }
    match &solved {
        Solved::Pictures(pictures, is_complete) => {
            let shown = &pictures[..pictures.len().min(wanted)];
            if arguments.json {
                let rows: Vec<Vec<String>> = shown
                    .iter()
                    .map(|picture| clues.draw(picture).lines().map(ToOwned::to_owned).collect())
                    .collect();
                let unique = if pictures.len() > 1 { Some(false) } else { is_complete.then_some(true) };
                serde_json::to_writer(&mut *out, &json!({ "pictures": rows, "unique": unique }))?;
                writeln!(out)?;
                return Ok(Answer::Yes);
            }
            for picture in shown {
                writeln!(out, "{}", clues.draw_with_clues(picture))?;
            }
            match (shown.len(), pictures.len() > wanted, *is_complete) {
                (1, false, true) => writeln!(out, "This is the only solution.")?,
                (1, true, _) => writeln!(out, "This is not the only solution; --all N shows more.")?,
                (several, true, _) => writeln!(out, "There are more than these {several} solutions.")?,
                (several, false, true) => writeln!(out, "These {several} are all solutions.")?,
                (_, false, false) => writeln!(out, "Whether there are others was not found out in time.")?,
            }
            if let Some(path) = &arguments.out {
                writeln!(out, "Drawn to {}.", path.display())?;
            }
            Ok(Answer::Yes)
        }
        Solved::Clash(lines) => {
            let names: Vec<String> = lines.iter().map(ToString::to_string).collect();
            if arguments.json {
                serde_json::to_writer(&mut *out, &json!({ "pictures": [], "clash": names }))?;
                writeln!(out)?;
                return Ok(Answer::No);
            }
            match names.as_slice() {
                [line] => writeln!(out, "There is no solution: {line} has no room for its clue.")?,
                [others @ .., last] => writeln!(
                    out,
                    "There is no solution: {} and {last} cannot hold together.",
                    others.join(", ")
                )?,
                [] => writeln!(out, "There is no solution: the rules contradict each other.")?,
            }
            Ok(Answer::No)
        }
        Solved::Unknown => {
            if arguments.json {
                serde_json::to_writer(&mut *out, &json!({ "pictures": [], "unique": null }))?;
                writeln!(out)?;
            } else {
                writeln!(out, "No solution was found in time.")?;
            }
            Ok(Answer::No)
        }
    }
}

/// Whether a board is to be drawn as SVG.
fn drawing_kind(path: &Path) -> anyhow::Result<bool> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("svg") => Ok(true),
        Some("png") => Ok(false),
        _ => bail!("{}: a board is drawn as .png or .svg", path.display()),
    }
}
