//! Figure 2, and accuracy against the time of the processors.

use preceptron::page::{Across, Scale, Series};

use super::sudoku::title;
use super::{Grid, Panel, Shown, row};
use crate::plan::SUDOKU_METHODS;
use crate::results::{NONE, Results};
use crate::settings::Part;
use crate::unit::{Boards, Experiment, Method, Point};
use crate::work::Bench;

/// The methods of figure 2.
const DRAWN: [Method; 5] = [Method::Joint, Method::Ours, Method::Ntr, Method::Ndc, Method::Transformer];

const EPOCHS: Across = Across { name: "epochs", is_logarithmic: false, is_whole: false };
const SECONDS: Across = Across { name: "CPU-seconds", is_logarithmic: true, is_whole: false };

fn name(boards: Boards) -> &'static str {
    match boards {
        Boards::Satnet => "SATNet boards",
        Boards::Rrn => "RRN boards",
        Boards::Small => "4x4 boards",
    }
}

/// A curve of each method, of its first seed, as far as it has such a figure.
fn series(
    results: &Results,
    boards: Boards,
    methods: &[Method],
    across: fn(&Point) -> f64,
    figure: &[&str],
) -> Vec<Series> {
    let of = |method: &Method| {
        let measured = results.measured(Experiment::Sudoku(boards), *method).next()?;
        let value = |point: &Point| figure.iter().find_map(|name| point.figures.get(*name)).copied();
        let points: Vec<(f64, f64)> =
            measured.course.curve.iter().filter_map(|point| Some((across(point), value(point)?))).collect();
        (!points.is_empty()).then(|| Series { name: title(*method).to_owned(), points })
    };
    methods.iter().filter_map(of).collect()
}

/// The last value of each curve.
fn last(series: &[Series], method: Method, factor: f64, decimals: usize) -> String {
    let own = series.iter().find(|one| one.name == title(method)).and_then(|one| one.points.last());
    own.map_or_else(|| NONE.to_owned(), |(_, value)| format!("{:.decimals$}", value * factor))
}

/// Figure 2: digits read right, and the rank of true rows, against epochs.
pub fn figure2(bench: &Bench, results: &Results) -> Shown {
    let about = vec![
        format!(
            "On the left digits of {} test boards that are read right, on the right the rank of the rows that are rules \
             of Sudoku, before examples confirm them (249 are all); of the first seed. An epoch of the staged schedule \
             is one look at each training picture. L1R32H4 has no rows.",
            bench.scale.looked_at
        ),
        "The paper prints these curves without numbers: there is nothing to read off on its side.".to_owned(),
    ];
    let mut shown = Shown::new(Part::Figure2, "Figure 2: accuracy and rank in the course of training", about);
    for boards in [Boards::Satnet, Boards::Rrn] {
        let digits = series(results, boards, &DRAWN, |point| point.epoch, &["digits"]);
        let rank = series(results, boards, &DRAWN, |point| point.epoch, &["rows.rank", "rules.rank"]);
        let line = |method: &Method| {
            let [_, epochs, _, status] = results.training(Experiment::Sudoku(boards), *method);
            let [digits, rank] = [last(&digits, *method, 100.0, 1), last(&rank, *method, 1.0, 0)];
            vec![title(*method).to_owned(), digits, rank, epochs, status]
        };
        let titles = row(["", "digits %", "rank", "epochs", "status"]);
        let rows = results.asked(Experiment::Sudoku(boards), &DRAWN).map(|method| line(&method)).collect();
        shown.grids.push(Grid { heading: format!("In the end, {}", name(boards)), titles, rows });
        let panel = |what: &str, scale, series| {
            let title = format!("{}: {what}", name(boards));
            Panel { title, scale, across: EPOCHS, series }
        };
        shown.panels.push(panel("digits read right", Scale::Percent, digits));
        shown.panels.push(panel("rank of true rows", Scale::Linear, rank));
    }
    shown
}

/// Boards right against the time of the processors, for every method.
pub fn time(bench: &Bench, results: &Results) -> Shown {
    let about = vec![format!(
        "Not in the paper. Of {} test boards the share of which every cell is right, against seconds of all processors \
         spent in training, of the first seed; ours by the likeliest board that obeys the rules known by then.",
        bench.scale.looked_at
    )];
    let mut shown = Shown::new(Part::Time, "Accuracy against the time of the processors", about);
    for boards in [Boards::Satnet, Boards::Rrn, Boards::Small] {
        let experiment = Experiment::Sudoku(boards);
        let series = series(results, boards, &SUDOKU_METHODS, |point| point.cpu_seconds, &["boards"]);
        let line = |method: &Method| {
            let seconds = results.spread(experiment, *method, |measured| Some(measured.course.cpu_seconds));
            let seconds = seconds.map_or_else(|| NONE.to_owned(), |spread| spread.shown(1.0, 1));
            let status = results.status(experiment, *method);
            vec![title(*method).to_owned(), last(&series, *method, 100.0, 1), seconds, status]
        };
        let titles = row(["", "boards %", "CPU-seconds", "status"]);
        let rows = results.asked(experiment, &SUDOKU_METHODS).map(|method| line(&method)).collect();
        shown.grids.push(Grid { heading: name(boards).to_owned(), titles, rows });
        let title = format!("{}: boards right", name(boards));
        shown.panels.push(Panel { title, scale: Scale::Percent, across: SECONDS, series });
    }
    shown
}
