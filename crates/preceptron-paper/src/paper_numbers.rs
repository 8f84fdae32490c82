//! The paper's own numbers, by the table that they stand in. Nothing else in this crate is a figure that was not measured.

use crate::unit::{Boards, Method, Scenery};

/// Perception, solving and total, in percent.
pub type Triple = [f64; 3];

/// Tables 1, 5 and 6, boards: a method on SATNet, RRN, SATNet to RRN, RRN to SATNet. Table 5 prints 0.01 for the total of
/// NDC on RRN where Table 1 has 0.0.
const BOARDS: [(Method, [Triple; 4]); 7] = [
    (Method::Rrn, [[0.0; 3]; 4]),
    (Method::SatNet, [[0.0; 3]; 4]),
    (Method::SatNetClustered, [[72.7, 75.9, 67.3], [75.7, 0.1, 0.1], [80.8, 1.4, 1.4], [0.0; 3]]),
    (Method::Transformer, [[94.1, 91.0, 90.5], [87.7, 65.8, 65.7], [84.8, 21.3, 21.3], [94.9, 95.0, 94.5]]),
    (Method::Ntr, [[87.4, 0.0, 0.0], [91.4, 3.9, 3.9], [90.2, 0.0, 0.0], [86.9, 0.0, 0.0]]),
    (Method::Ndc, [[79.9, 0.0, 0.0], [88.0, 0.0, 0.0], [86.1, 0.0, 0.0], [82.4, 0.0, 0.0]]),
    (Method::Joint, [[95.5, 95.9, 95.5], [93.1, 94.4, 93.1], [93.9, 95.2, 93.9], [95.2, 95.3, 95.2]]),
];

/// Tables 5 and 6, cells.
const CELLS: [(Method, [Triple; 4]); 7] = [
    (Method::Rrn, [[0.0; 3]; 4]),
    (Method::SatNet, [[0.0; 3]; 4]),
    (
        Method::SatNetClustered,
        [[99.1, 98.6, 98.8], [75.7, 59.7, 72.0], [99.1, 66.2, 76.5], [65.8, 53.8, 59.2]],
    ),
    (Method::Transformer, [[99.8, 99.1, 99.4], [99.3, 89.5, 92.6], [99.3, 89.5, 92.6], [99.7, 99.6, 99.7]]),
    (Method::Ntr, [[99.7, 60.1, 77.8], [99.7, 38.5, 57.3], [99.6, 37.1, 56.3], [99.6, 62.4, 79.0]]),
    (Method::Ndc, [[99.4, 10.8, 50.4], [99.5, 10.9, 38.7], [99.4, 11.0, 38.7], [99.5, 11.3, 50.7]]),
    (Method::Joint, [[99.9, 99.6, 99.7], [99.7, 98.3, 98.7], [99.8, 98.4, 98.8], [99.8, 99.7, 99.7]]),
];

/// What the paper reports of visual Sudoku; its own method stands for both of our schedules.
pub fn sudoku(method: Method, from: Boards, to: Boards, of_cells: bool) -> Option<Triple> {
    let column = match (from, to) {
        (Boards::Satnet, Boards::Satnet) => 0,
        (Boards::Rrn, Boards::Rrn) => 1,
        (Boards::Satnet, Boards::Rrn) => 2,
        (Boards::Rrn, Boards::Satnet) => 3,
        _ => return None,
    };
    let method = if method == Method::Ours { Method::Joint } else { method };
    let rows = if of_cells { &CELLS } else { &BOARDS };
    rows.iter().find(|(known, _)| *known == method).map(|(_, columns)| columns[column])
}

/// Table 2: F1 and collisions in percent, and the distance; nothing where the paper has none.
const DRIVING: [(Method, [[Option<f64>; 3]; 2]); 5] = [
    (Method::ResNet, [[Some(68.5), Some(54.0), Some(2.91)], [Some(51.8), Some(68.1), Some(3.60)]]),
    (Method::RtNet, [[Some(77.3), Some(36.8), Some(2.89)], [Some(55.9), Some(63.8), Some(2.94)]]),
    (Method::Transformer, [[Some(11.9), Some(100.0), None], [Some(12.0), Some(91.5), Some(100.0)]]),
    (Method::Ours, [[Some(80.2), Some(32.8), Some(2.84)], [Some(58.8), Some(57.8), Some(2.81)]]),
    (Method::Supervised, [[Some(84.9), Some(28.3), Some(2.75)], [Some(74.6), Some(52.9), Some(2.90)]]),
];

/// What the paper reports of driving, on KITTI or on nuScenes.
pub fn driving(method: Method, scenery: Scenery) -> [Option<f64>; 3] {
    let column = usize::from(scenery == Scenery::Dense);
    DRIVING.iter().find(|(known, _)| *known == method).map_or([None; 3], |(_, columns)| columns[column])
}

/// Table 4: boards solved, in percent, from so many boards.
pub fn nonogram(method: Method, boards: usize) -> Option<f64> {
    match (method, boards) {
        (Method::Ours, 1000 | 5000 | 9000) => Some(100.0),
        (Method::Transformer, 1000) => Some(14.4),
        (Method::Transformer, 5000) => Some(62.0),
        (Method::Transformer, 9000) => Some(81.2),
        _ => None,
    }
}

/// What is to be said of Table 4.
pub const NONOGRAM_NOTE: &str =
    "The log of L1R32H4's own authors has 97.2% at 9,000 boards where the paper has 81.2%.";

/// What the paper says of chained XOR in words; its figure has no numbers to read off.
pub const XOR_NOTE: &str = "As the paper reports in words: L1R32H4 does not learn parity, SATNet often does not converge, \
     and its own method has full accuracy at every length from 20 to 200.";

/// Table 3: parameters, what they are, and how the paper sets them.
pub const PARAMETERS: [(&str, &str, &str); 11] = [
    ("theta", "parameters of the network", "by stochastic gradient descent"),
    ("W", "matrix of constraints", "by stochastic proximal points"),
    ("b", "bias of constraints", "pre-set, or as W"),
    ("b_min, b_max", "bounds of constraints", "estimated"),
    ("m", "number of constraints", "adaptively tuned"),
    ("alpha", "trade-off in grounding", "0.5"),
    ("lambda", "trust region", "0.1"),
    ("t1", "penalty on W", "increased per epoch"),
    ("t2", "penalty on symbols", "increased per epoch"),
    ("eta", "learning rate", "Adam schedule"),
    ("gamma", "step size of W", "0.001 by default"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::SUDOKU_METHODS;

    #[test]
    fn every_row_of_the_papers_tables_is_there() {
        for method in SUDOKU_METHODS {
            for [from, to] in [[Boards::Satnet, Boards::Rrn], [Boards::Rrn, Boards::Rrn]] {
                assert!([false, true].iter().all(|of_cells| sudoku(method, from, to, *of_cells).is_some()));
            }
            assert!(sudoku(method, Boards::Small, Boards::Small, false).is_none());
        }
        assert_eq!(sudoku(Method::Ours, Boards::Satnet, Boards::Rrn, false), Some([93.9, 95.2, 93.9]));
        assert_eq!(driving(Method::Transformer, Scenery::Kitti), [Some(11.9), Some(100.0), None]);
        assert_eq!(nonogram(Method::Transformer, 9000), Some(81.2));
    }
}
