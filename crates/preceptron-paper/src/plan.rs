//! Which units the tables and figures that are asked for need.

use crate::scale::Scale;
use crate::settings::{PaperSettings, Part};
use crate::unit::{Boards, Experiment, Method, Scenery, Unit};

/// The methods of the tables of visual Sudoku, in the paper's order.
pub const SUDOKU_METHODS: [Method; 8] = [
    Method::Rrn,
    Method::SatNet,
    Method::SatNetClustered,
    Method::Transformer,
    Method::Ntr,
    Method::Ndc,
    Method::Joint,
    Method::Ours,
];

/// The methods of the table of driving.
pub const DRIVING_METHODS: [Method; 5] =
    [Method::ResNet, Method::RtNet, Method::Transformer, Method::Ours, Method::Supervised];

/// The methods of the figure of chained XOR.
pub const XOR_METHODS: [Method; 3] = [Method::SatNet, Method::Transformer, Method::Ours];

/// The methods of the table of nonograms.
pub const NONOGRAM_METHODS: [Method; 2] = [Method::Transformer, Method::Ours];

/// The experiments that a table or a figure shows.
pub fn experiments(part: Part, scale: &Scale) -> Vec<Experiment> {
    let sudoku = |boards: &[Boards]| boards.iter().copied().map(Experiment::Sudoku).collect::<Vec<_>>();
    match part {
        Part::Table1 | Part::Table5 | Part::Table6 | Part::Figure2 => sudoku(&[Boards::Satnet, Boards::Rrn]),
        Part::Table3 => Vec::new(),
        Part::Small => sudoku(&[Boards::Small]),
        Part::Time => sudoku(&[Boards::Satnet, Boards::Rrn, Boards::Small]),
        Part::Table2 => [Scenery::Kitti, Scenery::Dense].map(Experiment::Driving).to_vec(),
        Part::Driving => vec![Experiment::Driving(Scenery::Kitti)],
        Part::Nonogram => scale.nonograms.iter().copied().map(Experiment::Nonogram).collect(),
        Part::Xor => scale.lengths.iter().copied().map(Experiment::Xor).collect(),
    }
}

/// The methods that are tried in an experiment.
pub fn methods(experiment: Experiment) -> &'static [Method] {
    match experiment {
        Experiment::Sudoku(_) => &SUDOKU_METHODS,
        Experiment::Nonogram(_) => &NONOGRAM_METHODS,
        Experiment::Xor(_) => &XOR_METHODS,
        Experiment::Driving(_) => &DRIVING_METHODS,
    }
}

/// All units, each once: the quick experiments first, and every method with one seed before any with the next.
pub fn units(settings: &PaperSettings, scale: &Scale) -> Vec<Unit> {
    let mut all: Vec<Experiment> =
        settings.parts().into_iter().flat_map(|part| experiments(part, scale)).collect();
    let place = |experiment: &Experiment| match experiment {
        Experiment::Nonogram(_) => 0,
        Experiment::Xor(_) => 1,
        Experiment::Sudoku(Boards::Small) => 2,
        Experiment::Driving(_) => 3,
        Experiment::Sudoku(_) => 4,
    };
    all.sort_by_key(|experiment| (place(experiment), *experiment));
    all.dedup();
    let mut units = Vec::new();
    for seed in settings.first_seed..settings.first_seed.saturating_add(settings.seeds) {
        for &experiment in &all {
            // What is ours and short comes first.
            let methods = methods(experiment).iter().rev().filter(|method| settings.has_row(**method));
            units.extend(methods.map(|&method| Unit { experiment, method, seed }));
        }
    }
    units
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn planned(settings: &PaperSettings) -> Vec<Unit> {
        units(settings, &Scale::of(settings))
    }

    #[test]
    fn every_unit_is_there_once() {
        let all = planned(&PaperSettings { seeds: 2, ..PaperSettings::default() });
        assert_eq!(all.iter().map(Unit::to_string).collect::<BTreeSet<_>>().len(), all.len());
        for name in
            ["sudoku-satnet/joint/1", "xor-200/satnet/0", "nonogram-9000/l1r32h4/1", "driving-dense/sup/0"]
        {
            assert!(all.iter().any(|unit| unit.to_string() == name), "{name}");
        }
    }

    #[test]
    fn only_what_is_asked_for_is_measured() {
        let of = |part| planned(&PaperSettings { only: vec![part], ..PaperSettings::default() });
        assert!(of(Part::Small).iter().all(|unit| unit.experiment == Experiment::Sudoku(Boards::Small)));
        assert_eq!(of(Part::Table1), of(Part::Figure2));
        assert_eq!(of(Part::Nonogram).len(), 6);
        let rows = vec![Method::Joint, Method::Ours];
        let few = planned(&PaperSettings { only: vec![Part::Small], rows, ..PaperSettings::default() });
        assert_eq!(
            few.iter().map(Unit::to_string).collect::<Vec<_>>(),
            ["sudoku-4x4/ours/0", "sudoku-4x4/joint/0"]
        );
        assert_eq!(of(Part::Small).len(), SUDOKU_METHODS.len());
        assert_eq!(of(Part::Table2).len(), 2 * DRIVING_METHODS.len());
    }
}
