//! How large everything is, and how long each unit may take.

use serde::Serialize;

use crate::settings::PaperSettings;
use crate::unit::{Boards, Experiment, Method};

/// CPU time for each row, unless one says otherwise.
const BUDGET: f64 = 7200.0;

/// Sizes that units depend on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scale {
    /// Whether everything is small.
    pub is_quick: bool,
    /// Boards of 9x9 to train on, and to test on.
    pub boards: [usize; 2],
    /// Boards of 4x4.
    pub small_boards: [usize; 2],
    /// Steps of the network in stages.
    pub steps: u64,
    /// Recurrences of the transformer on Sudoku and XOR.
    pub recurrences: usize,
    /// The same on nonograms: 16 are its authors' default there.
    pub nonogram_recurrences: usize,
    /// How often the relational network sends messages.
    pub messages: usize,
    /// Sizes of nonograms' training, and boards to test on.
    pub nonograms: Vec<usize>,
    /// Nonograms to solve.
    pub nonogram_test: usize,
    /// Strings of chained XOR to train on, and others.
    pub strings: [usize; 2],
    /// Their lengths.
    pub lengths: Vec<u32>,
    /// Frames to train on, and to test on.
    pub frames: [usize; 2],
    /// How often these are gone through by our own network.
    pub frame_epochs: u32,
    /// Recurrences of the transformer on frames: what two processors can do.
    pub frame_recurrences: usize,
    /// Test examples that are looked at in the course of training.
    pub looked_at: usize,
}

impl Scale {
    /// As the paper has it, or small.
    pub fn of(settings: &PaperSettings) -> Scale {
        let mut scale = match settings.quick {
            false => Scale {
                is_quick: false,
                boards: [9000, 1000],
                small_boards: [5000, 1000],
                steps: 4000,
                recurrences: 32,
                nonogram_recurrences: 16,
                messages: 32,
                nonograms: vec![1000, 5000, 9000],
                nonogram_test: 1000,
                strings: [9000, 1000],
                lengths: (20..=200).step_by(20).collect(),
                frames: [6160, 500],
                frame_epochs: 16,
                frame_recurrences: 8,
                looked_at: 100,
            },
            true => Scale {
                is_quick: true,
                boards: [1000, 60],
                small_boards: [1500, 200],
                steps: 500,
                recurrences: 8,
                nonogram_recurrences: 8,
                messages: 8,
                nonograms: vec![1000, 5000, 9000],
                nonogram_test: 200,
                strings: [2000, 500],
                lengths: vec![20, 100, 200],
                frames: [240, 60],
                frame_epochs: 3,
                frame_recurrences: 4,
                looked_at: 20,
            },
        };
        if let Some(train) = settings.train {
            (scale.boards[0], scale.small_boards[0]) = (train, train);
            (scale.strings[0], scale.frames[0]) = (train, train);
            scale.nonograms = vec![train];
        }
        if let Some(test) = settings.test {
            (scale.boards[1], scale.small_boards[1]) = (test, test);
            (scale.strings[1], scale.frames[1], scale.nonogram_test) = (test, test, test);
        }
        if !settings.lengths.is_empty() {
            scale.lengths.clone_from(&settings.lengths);
        }
        scale.looked_at = scale.looked_at.min(scale.boards[1]);
        scale
    }

    /// Boards of a set to train on, and to test on.
    pub fn boards(&self, boards: Boards) -> [usize; 2] {
        if boards == Boards::Small { self.small_boards } else { self.boards }
    }

    /// Seconds of the processors that a unit's training may take.
    pub fn budget(&self, settings: &PaperSettings, experiment: Experiment, method: Method) -> f64 {
        if let Some(budget) = settings.budget {
            return budget.seconds();
        }
        if !self.is_quick {
            return BUDGET;
        }
        match (experiment, method) {
            (Experiment::Sudoku(Boards::Small), Method::Joint) => 90.0,
            (Experiment::Sudoku(Boards::Small), Method::Ntr | Method::Ndc) => 30.0,
            (Experiment::Sudoku(Boards::Small), Method::Transformer | Method::Rrn) => 40.0,
            (Experiment::Sudoku(Boards::Small), _) => 15.0,
            (Experiment::Sudoku(_), Method::Joint | Method::Ours) => 25.0,
            (Experiment::Sudoku(_), _) => 9.0,
            (Experiment::Nonogram(_), _) => 12.0,
            (Experiment::Xor(_), _) => 8.0,
            (Experiment::Driving(_), _) => 15.0,
        }
    }

    /// What is smaller than the paper has it, in words.
    pub fn remarks(&self) -> Vec<String> {
        if !self.is_quick {
            return Vec::new();
        }
        let Scale { boards, small_boards, recurrences, messages, strings, frames, .. } = self;
        vec![format!(
            "This is a quick look: {} boards of 9x9 and {} of 4x4 to train on, {} of {} strings, {} frames; the \
             recurrent transformer has {recurrences} recurrences in place of 32, the relational network sends {messages} \
             messages in place of 32, and each row has a few CPU-seconds. Rows that stopped at the budget say nothing \
             of where they would have come to rest.",
            boards[0], small_boards[0], strings[0], 9000, frames[0]
        )]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_can_be_told() {
        let settings = PaperSettings {
            quick: true,
            train: Some(30),
            test: Some(4),
            lengths: vec![7],
            ..PaperSettings::default()
        };
        let scale = Scale::of(&settings);
        assert_eq!((scale.boards(Boards::Small), scale.boards(Boards::Rrn)), ([30, 4], [30, 4]));
        assert_eq!((scale.lengths, scale.nonograms, scale.looked_at), (vec![7], vec![30], 4));
    }

    #[test]
    fn a_budget_is_for_every_row() {
        let rows = [(Experiment::Xor(20), Method::Ours), (Experiment::Sudoku(Boards::Rrn), Method::Rrn)];
        let plain = PaperSettings::default();
        let long = Scale::of(&plain);
        assert_eq!(rows.map(|(experiment, method)| long.budget(&plain, experiment, method)), [7200.0; 2]);
        let quick = PaperSettings { quick: true, ..plain };
        let short = Scale::of(&quick);
        assert!(rows.iter().all(|(experiment, method)| short.budget(&quick, *experiment, *method) < 100.0));
    }
}
