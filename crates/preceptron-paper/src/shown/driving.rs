//! The table and the pictures of driving.

use super::{Grid, Shown, row};
use crate::driving::is_generated;
use crate::paper_numbers;
use crate::plan::DRIVING_METHODS;
use crate::results::{NONE, Results};
use crate::settings::Part;
use crate::unit::{Experiment, Method, Scenery};
use crate::work::Bench;

const MEANING: &str = "F1 of the cells of paths against those shown and plans that collide, in percent; the distance is the \
     authors', which holds the length of a path against the number of obstacles: a perfect planner does not score 0. \
     The paper's figures are of real pictures and another split; they stand beside ours, and are not the same test. \
     Networks that give paths themselves give cells, with gaps where they are unsure: joined, a path leads through them. \
     RTNet sees the part of the picture in which a cell lies, L1R32H4 mean colours at points of it; both have 8 \
     recurrences, and nobody says how the paper gave them pictures.";

fn scenes_in_words(bench: &Bench, scenery: Scenery) -> &'static str {
    match (scenery, is_generated(bench, scenery)) {
        (Scenery::Kitti, true) => "Rendered scenes, drawn at random with 4.7 objects, stand in for KITTI.",
        (Scenery::Kitti, false) => "KITTI's frames, tested on other drives.",
        (Scenery::Dense, _) => "Rendered scenes of 7.4 objects stand in for nuScenes.",
    }
}

fn name(scenery: Scenery) -> &'static str {
    match scenery {
        Scenery::Kitti => "KITTI-like",
        Scenery::Dense => "nuScenes-like (a stand-in)",
    }
}

fn grid(results: &Results, scenery: Scenery) -> Grid {
    let experiment = Experiment::Driving(scenery);
    let ways = |method: Method| -> &'static [(&'static str, &'static str)] {
        match method {
            Method::ResNet | Method::RtNet | Method::Transformer => &[("", ""), (", joined", "other.")],
            Method::Ours | Method::Supervised => &[("", ""), (", one weight of risk", "other.")],
            _ => &[("", "")],
        }
    };
    let mut rows = Vec::new();
    let figures = |method: Method, way: &str| {
        let figure = |what: &str, how| results.figure(experiment, method, &format!("{way}{what}"), how);
        [figure("f1", (100.0, 1)), figure("collision", (100.0, 1)), figure("distance", (1.0, 2))]
    };
    for method in results.asked(experiment, &DRIVING_METHODS) {
        for (words, way) in ways(method) {
            let paper = paper_numbers::driving(method, scenery).map(|value| value.filter(|_| way.is_empty()));
            let decimals = [1, 1, 2];
            let shown = |(value, decimals): (Option<f64>, usize)| {
                value.map_or_else(|| NONE.to_owned(), |value| format!("{value:.decimals$}"))
            };
            let paper = paper.into_iter().zip(decimals).map(shown);
            let title = format!("{}{words}", method.title());
            rows.push(std::iter::once(title).chain(paper).chain(figures(method, way)).collect());
        }
    }
    let none = std::iter::repeat_n(NONE.to_owned(), 3);
    rows.push(
        std::iter::once("the empty map".to_owned())
            .chain(none)
            .chain(figures(Method::Ours, "empty."))
            .collect(),
    );
    let titles = [
        "",
        "paper: F1",
        "paper: collision",
        "paper: distance",
        "here: F1",
        "here: collision",
        "here: distance",
    ];
    Grid { heading: name(scenery).to_owned(), titles: row(titles), rows }
}

fn training(results: &Results, scenery: Scenery) -> Grid {
    let line = |method: Method| {
        let [examples, epochs, hours, status] = results.training(Experiment::Driving(scenery), method);
        vec![method.title().to_owned(), examples, epochs, hours, status]
    };
    Grid {
        heading: format!("How they were trained, {}", name(scenery)),
        titles: row(["", "frames", "epochs", "CPU-hours", "status"]),
        rows: results.asked(Experiment::Driving(scenery), &DRIVING_METHODS).map(line).collect(),
    }
}

const BOTH: [Scenery; 2] = [Scenery::Kitti, Scenery::Dense];

/// Table 2.
pub fn table2(bench: &Bench, results: &Results) -> Shown {
    let mut about = vec![MEANING.to_owned()];
    about.extend(BOTH.map(|scenery| scenes_in_words(bench, scenery).to_owned()));
    let mut shown = Shown::new(Part::Table2, "Table 2: self-driving path planning", about);
    shown.grids.extend(BOTH.map(|scenery| grid(results, scenery)));
    shown.grids.extend(BOTH.map(|scenery| training(results, scenery)));
    shown
}

/// Planned paths by each method, on the same frames.
pub fn pictures(bench: &Bench, results: &Results) -> Shown {
    let about = vec![
        "The picture; how likely each cell is blocked (or on the path) by the network, the darker the likelier; and the \
         true map, far rows on top: obstacles are dark, cells that are planned and shown green, only planned orange, only \
         shown blue, and planned into an obstacle red."
            .to_owned(),
        scenes_in_words(bench, Scenery::Kitti).to_owned(),
    ];
    let mut shown = Shown::new(Part::Driving, "Planned paths", about);
    let experiment = Experiment::Driving(Scenery::Kitti);
    for method in DRIVING_METHODS {
        // Of the first seed.
        for measured in results.measured(experiment, method).take(1) {
            let each = measured.pictures.iter().enumerate();
            shown.pictures.extend(each.map(|(at, address)| {
                (format!("{}, test frame {}", method.title(), at + 1), address.clone())
            }));
        }
    }
    shown
}
