//! The tables of visual Sudoku.

use super::{Grid, Shown, row};
use crate::paper_numbers::{self, Triple};
use crate::plan::SUDOKU_METHODS;
use crate::results::{NONE, Results};
use crate::settings::Part;
use crate::sudoku::{WHAT, is_generated};
use crate::unit::{Boards, Experiment, Method};
use crate::work::Bench;

/// A row of a table: what it is called, the method, its way of answering, and whether the paper has it.
struct Row {
    name: &'static str,
    method: Method,
    way: &'static str,
    is_papers: bool,
}

const ROWS: [Row; 13] = [
    Row { name: "RRN", method: Method::Rrn, way: "answer", is_papers: true },
    Row { name: "SATNet", method: Method::SatNet, way: "answer", is_papers: true },
    Row { name: "SATNet*", method: Method::SatNetClustered, way: "answer", is_papers: true },
    Row { name: "L1R32H4", method: Method::Transformer, way: "answer", is_papers: true },
    Row { name: "NTR", method: Method::Ntr, way: "pinned", is_papers: true },
    Row { name: "NTR, unfiltered", method: Method::Ntr, way: "rows.pinned", is_papers: false },
    Row { name: "NDC", method: Method::Ndc, way: "pinned", is_papers: true },
    Row { name: "NDC, unfiltered", method: Method::Ndc, way: "rows.pinned", is_papers: false },
    Row { name: "joint (Algorithm 1)", method: Method::Joint, way: "pinned", is_papers: true },
    Row { name: "joint, unfiltered", method: Method::Joint, way: "rows.pinned", is_papers: false },
    Row { name: "joint, MAP", method: Method::Joint, way: "likeliest", is_papers: false },
    Row { name: "staged (ours)", method: Method::Ours, way: "pinned", is_papers: true },
    Row { name: "staged, MAP", method: Method::Ours, way: "likeliest", is_papers: false },
];

/// What the rows mean.
const MEANING: &str = "Percent of the test boards: perception, whose givens are all right in the answer; solving, whose \
     other cells are all right; total, both. Joint, staged, NTR and NDC pin the first reading and break as few rules as \
     can be, as the paper does; the rows MAP give the likeliest board that obeys the rules. Joint, NTR and NDC are by \
     the rows that examples confirm; unfiltered are the rows as they are, rounded. The paper's own method stands on the \
     left of both joint and staged.";

/// Which boards these are.
fn boards_in_words(bench: &Bench, sets: &[Boards]) -> Vec<String> {
    let of = |set: &Boards| match (*set, is_generated(bench, *set)) {
        (Boards::Satnet, true) => Some("Generated boards of 31 to 42 givens stand in for SATNet's."),
        (Boards::Satnet, false) => Some(
            "SATNet's boards with MNIST's pictures are a rebuild: the original pictures are not to be had.",
        ),
        (Boards::Rrn, true) => Some(
            "Generated boards stand in for RRN's; few of them have less than 22 givens, of RRN's 17 is as frequent as 34.",
        ),
        _ => None,
    };
    sets.iter().filter_map(of).map(str::to_owned).collect()
}

/// The figures of methods that were trained on one set and judged on another.
fn accuracies(results: &Results, from: Boards, to: Boards, of_cells: bool) -> Grid {
    let experiment = Experiment::Sudoku(from);
    let has_paper = paper_numbers::sudoku(Method::Joint, from, to, of_cells).is_some();
    let line = |one: &Row| {
        let paper: Option<Triple> =
            paper_numbers::sudoku(one.method, from, to, of_cells).filter(|_| one.is_papers);
        let paper =
            (0..3).map(|at| paper.map_or_else(|| NONE.to_owned(), |triple| format!("{:.1}", triple[at])));
        let suffix = if of_cells { "_cells" } else { "" };
        let here = WHAT.map(|what| {
            let name = format!("{}.{}.{what}{suffix}", to.word(), one.way);
            results.percent(experiment, one.method, &name)
        });
        let paper = paper.filter(|_| has_paper);
        std::iter::once(one.name.to_owned()).chain(paper).chain(here).collect()
    };
    let of = if of_cells { "cells" } else { "boards" };
    let heading = match from == to {
        true => format!("{}, {of}", name(from)),
        false => format!("{} to {}, {of}", name(from), name(to)),
    };
    let mut titles = row([""]);
    if has_paper {
        titles.extend(["paper: perception", "paper: solving", "paper: total"].map(str::to_owned));
    }
    titles.extend(["here: perception", "here: solving", "here: total"].map(str::to_owned));
    let is_asked = |row: &&Row| results.asked(experiment, &SUDOKU_METHODS).any(|method| method == row.method);
    Grid { heading, titles, rows: ROWS.iter().filter(is_asked).map(line).collect() }
}

fn name(boards: Boards) -> &'static str {
    match boards {
        Boards::Satnet => "SATNet",
        Boards::Rrn => "RRN",
        Boards::Small => "4x4",
    }
}

/// How methods were trained on a set.
fn training(results: &Results, boards: Boards) -> Grid {
    let experiment = Experiment::Sudoku(boards);
    let line = |method: Method| {
        let [examples, epochs, hours, status] = results.training(experiment, method);
        vec![title(method).to_owned(), examples, epochs, hours, status]
    };
    Grid {
        heading: format!("How they were trained, {}", name(boards)),
        titles: row(["", "boards", "epochs", "CPU-hours", "status"]),
        rows: results.asked(experiment, &SUDOKU_METHODS).map(line).collect(),
    }
}

/// What our methods are called here.
pub fn title(method: Method) -> &'static str {
    match method {
        Method::Joint => "joint (Algorithm 1)",
        Method::Ours => "staged (ours)",
        other => other.title(),
    }
}

/// Rules that were found: true rows, wrong ones, and the rank of the true ones.
fn rules(results: &Results, boards: Boards) -> Grid {
    let experiment = Experiment::Sudoku(boards);
    let line = |method: Method| {
        let count = |name: &str| results.figure(experiment, method, name, (1.0, 0));
        let cells =
            ["rows.true", "rows.wrong", "rows.rank", "rules.true", "rules.wrong", "rules.rank"].map(count);
        std::iter::once(title(method).to_owned()).chain(cells).collect()
    };
    let side = boards.order().pow(2);
    let rank = if boards == Boards::Small { 40 } else { 249 };
    let methods = [Method::Ntr, Method::Ndc, Method::Joint, Method::Ours];
    Grid {
        heading: format!("Rules found, {}: there are {}, of rank {rank}", name(boards), 4 * side * side),
        titles: row([
            "",
            "rows: true",
            "rows: wrong",
            "rows: rank",
            "confirmed: true",
            "confirmed: wrong",
            "confirmed: rank",
        ]),
        rows: results.asked(experiment, &methods).map(line).collect(),
    }
}

fn notes(results: &Results, sets: &[Boards]) -> Vec<String> {
    let of = |set: &Boards| {
        SUDOKU_METHODS
            .iter()
            .flat_map(|method| results.notes(Experiment::Sudoku(*set), *method))
            .collect::<Vec<_>>()
    };
    sets.iter().flat_map(of).collect()
}

const BOTH: [Boards; 2] = [Boards::Satnet, Boards::Rrn];

/// Table 1.
pub fn table1(bench: &Bench, results: &Results) -> Shown {
    let mut about = vec![MEANING.to_owned()];
    about.extend(boards_in_words(bench, &BOTH));
    about.extend(notes(results, &BOTH));
    let [satnet, rrn] = BOTH;
    let mut shown = Shown::new(Part::Table1, "Table 1: visual Sudoku, boards right", about);
    for [from, to] in [[satnet, satnet], [rrn, rrn], [satnet, rrn]] {
        shown.grids.push(accuracies(results, from, to, false));
    }
    shown.grids.extend(BOTH.map(|set| rules(results, set)));
    shown.grids.extend(BOTH.map(|set| training(results, set)));
    shown
}

/// Table 5.
pub fn table5(bench: &Bench, results: &Results) -> Shown {
    let title = "Table 5: visual Sudoku, boards and cells right";
    let mut shown = Shown::new(Part::Table5, title, boards_in_words(bench, &BOTH));
    for of_cells in [false, true] {
        shown.grids.extend(BOTH.map(|set| accuracies(results, set, set, of_cells)));
    }
    shown
}

/// Table 6.
pub fn table6(bench: &Bench, results: &Results) -> Shown {
    let title = "Table 6: visual Sudoku, trained on one set and tested on the other";
    let mut shown = Shown::new(Part::Table6, title, boards_in_words(bench, &BOTH));
    let [satnet, rrn] = BOTH;
    for of_cells in [false, true] {
        let ways = [[satnet, rrn], [rrn, satnet]];
        shown.grids.extend(ways.map(|[from, to]| accuracies(results, from, to, of_cells)));
    }
    shown
}

/// The same methods at 4x4.
pub fn small(_bench: &Bench, results: &Results) -> Shown {
    let set = Boards::Small;
    let mut about = vec![
        "The paper has no such table: boards of 4x4 are small enough for every method to come to its end on two \
         processors. Boards of 5 to 8 givens are generated, MNIST's digits 1 to 4 are their pictures."
            .to_owned(),
    ];
    about.extend(notes(results, &[set]));
    let mut shown = Shown::new(Part::Small, "Visual Sudoku of 4x4, by the same methods", about);
    shown.grids.extend([false, true].map(|of_cells| accuracies(results, set, set, of_cells)));
    shown.grids.extend([rules(results, set), training(results, set)]);
    shown
}
