//! Parameters, nonograms and chained XOR.

use preceptron::JointSettings;
use preceptron::page::{Across, Scale, Series};

use super::{Grid, Panel, Shown, row};
use crate::nonogram::is_generated;
use crate::paper_numbers::{self, NONOGRAM_NOTE, PARAMETERS, XOR_NOTE};
use crate::plan::{NONOGRAM_METHODS, XOR_METHODS};
use crate::results::{NONE, Results};
use crate::settings::Part;
use crate::unit::{Experiment, Method};
use crate::work::Bench;

/// Table 3, with what joint training takes here.
pub fn table3() -> Shown {
    let about = "Joint training here goes in phases. Its weights are for each example: the paper's are for sums over a \
                 batch of 64. alpha and t2 are then shares of the mean diagonal of W W'."
        .to_owned();
    let mut shown = Shown::new(Part::Table3, "Table 3: parameters and their settings", vec![about]);
    let joint = JointSettings::default().checked(0, 1);
    let here = |symbol: &str| match (&joint, symbol) {
        (Ok(_), "theta") => "MLP, then a CNN beside it".to_owned(),
        (Ok(_), "b") => "1".to_owned(),
        (Ok(_), "b_min, b_max") => "b".to_owned(),
        (Ok(joint), "m") => format!("{} at 9x9, {} at 4x4", joint.rows(729), joint.rows(64)),
        (Ok(joint), "alpha") => joint.alpha.first.to_string(),
        (Ok(joint), "lambda") => format!("{}/64", joint.trust_region * 64.0),
        (Ok(joint), "t1") => format!("rising to {}", joint.constraint_penalty),
        (Ok(joint), "t2") => joint.grounding_penalty.to_string(),
        (Ok(joint), "gamma") => format!("64/{}", joint.proximal * 64.0),
        (Ok(_), "eta") => "Adam, by phase".to_owned(),
        _ => "as the paper".to_owned(),
    };
    let line = |(symbol, what, paper): &(&str, &str, &str)| {
        vec![(*symbol).to_owned(), (*what).to_owned(), (*paper).to_owned(), here(symbol)]
    };
    let titles = row(["", "what it is", "paper", "here"]);
    let rows = PARAMETERS.iter().map(line).collect();
    shown.grids.push(Grid { heading: "Parameters".to_owned(), titles, rows });
    shown
}

/// The table of nonograms.
pub fn nonogram(bench: &Bench, results: &Results) -> Shown {
    let mut about = vec![
        "Percent of the boards of 7x7 that are solved. Ours sees one line of each training board, L1R32H4 whole boards."
            .to_owned(),
        NONOGRAM_NOTE.to_owned(),
    ];
    if is_generated(bench) {
        about.push("Generated boards stand in for the paper's.".to_owned());
    }
    let mut shown = Shown::new(Part::Nonogram, "Table 4: nonograms", about);
    let (mut rows, mut training) = (Vec::new(), Vec::new());
    for &size in &bench.scale.nonograms {
        let experiment = Experiment::Nonogram(size);
        for method in results.asked(experiment, &NONOGRAM_METHODS) {
            let paper = paper_numbers::nonogram(method, size);
            let paper = paper.map_or_else(|| NONE.to_owned(), |value| format!("{value:.1}"));
            let title = format!("{}, {size} boards", method.title());
            let [boards, cells] = ["boards", "cells"].map(|what| results.percent(experiment, method, what));
            rows.push(vec![title.clone(), paper, boards, cells]);
            let [examples, epochs, hours, status] = results.training(experiment, method);
            training.push(vec![title, examples, epochs, hours, status]);
        }
    }
    let titles = row(["", "paper", "here: boards", "here: cells"]);
    shown.grids.push(Grid { heading: "Boards solved".to_owned(), titles, rows });
    let titles = row(["", "boards", "epochs", "CPU-hours", "status"]);
    shown.grids.push(Grid { heading: "How they were trained".to_owned(), titles, rows: training });
    shown
}

/// The figure of chained XOR: accuracy and F1 of class 0 by length.
pub fn xor(bench: &Bench, results: &Results) -> Shown {
    let about = vec![
        format!(
            "Accuracy and F1 of class 0, in percent, on strings that were not trained on; {} to train on. SATNet is told \
             that a string is a chain of single XORs.",
            bench.scale.strings[0]
        ),
        XOR_NOTE.to_owned(),
    ];
    let mut shown = Shown::new(Part::Xor, "Chained XOR", about);
    let rows_of: [(&str, Method, &str); 4] = [
        ("SATNet", Method::SatNet, ""),
        ("L1R32H4", Method::Transformer, ""),
        ("ours, as in the paper", Method::Ours, ""),
        ("ours, elimination", Method::Ours, "elimination."),
    ];
    for (what, words) in [("accuracy", "Accuracy"), ("f1", "F1 of class 0")] {
        let lengths = &bench.scale.lengths;
        let line = |(name, method, way): &(&str, Method, &str)| {
            let figure =
                |&length: &u32| results.percent(Experiment::Xor(length), *method, &format!("{way}{what}"));
            std::iter::once((*name).to_owned()).chain(lengths.iter().map(figure)).collect()
        };
        let titles: Vec<String> = std::iter::once(String::new())
            .chain(lengths.iter().map(|length| format!("L {length}")))
            .collect();
        let rows = rows_of.iter().map(line).collect();
        shown.grids.push(Grid { heading: words.to_owned(), titles, rows });
        let curve = |(name, method, way): &(&str, Method, &str)| {
            let point = |&length: &u32| {
                let of =
                    |measured: &crate::unit::Measured| measured.figures.get(&format!("{way}{what}")).copied();
                Some((f64::from(length), results.spread(Experiment::Xor(length), *method, of)?.mean))
            };
            Series { name: (*name).to_owned(), points: lengths.iter().filter_map(point).collect() }
        };
        let across = Across { name: "length", is_logarithmic: false, is_whole: true };
        let series = rows_of.iter().map(curve).collect();
        shown.panels.push(Panel { title: words.to_owned(), scale: Scale::Percent, across, series });
    }
    let mut rows = Vec::new();
    for &length in &bench.scale.lengths {
        for method in results.asked(Experiment::Xor(length), &XOR_METHODS) {
            let [examples, epochs, hours, status] = results.training(Experiment::Xor(length), method);
            rows.push(vec![format!("{}, L {length}", method.title()), examples, epochs, hours, status]);
        }
    }
    let titles = row(["", "strings", "epochs", "CPU-hours", "status"]);
    shown.grids.push(Grid { heading: "How they were trained".to_owned(), titles, rows });
    shown
}
