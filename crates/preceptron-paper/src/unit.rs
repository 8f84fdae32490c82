//! One measured thing: an experiment, a method, a seed; and what came of it.

use std::collections::BTreeMap;
use std::fmt;

use preceptron_base::choices;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Figures by name.
pub type Figures = BTreeMap<String, f64>;

/// Boards of visual Sudoku.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Boards {
    /// Those of SATNet, 9x9.
    Satnet,
    /// Those of RRN, 9x9.
    Rrn,
    /// Generated ones, 4x4.
    Small,
}

impl Boards {
    /// What they are called in names.
    pub fn word(self) -> &'static str {
        match self {
            Boards::Satnet => "satnet",
            Boards::Rrn => "rrn",
            Boards::Small => "4x4",
        }
    }

    /// 3 for 9x9, 2 for 4x4.
    pub fn order(self) -> usize {
        if self == Boards::Small { 2 } else { 3 }
    }

    /// The sets that a method trained on these is judged on: its own first.
    pub fn judged_on(self) -> &'static [Boards] {
        match self {
            Boards::Satnet => &[Boards::Satnet, Boards::Rrn],
            Boards::Rrn => &[Boards::Rrn, Boards::Satnet],
            Boards::Small => &[Boards::Small],
        }
    }
}

/// Scenes of driving.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Scenery {
    /// Those of KITTI, or rendered ones as dense as those.
    Kitti,
    /// Rendered ones, as dense as those of nuScenes.
    Dense,
}

/// What is learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Experiment {
    /// Visual Sudoku.
    Sudoku(Boards),
    /// Nonograms, from so many boards.
    Nonogram(usize),
    /// Chained XOR of so many bits.
    Xor(u32),
    /// Driving.
    Driving(Scenery),
}

impl fmt::Display for Experiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Experiment::Sudoku(boards) => write!(f, "sudoku-{}", boards.word()),
            Experiment::Nonogram(boards) => write!(f, "nonogram-{boards}"),
            Experiment::Xor(length) => write!(f, "xor-{length}"),
            Experiment::Driving(Scenery::Kitti) => f.write_str("driving-kitti"),
            Experiment::Driving(Scenery::Dense) => f.write_str("driving-dense"),
        }
    }
}

choices! {
    /// How it is learned.
    pub enum Method: Ours {
        /// Recurrent relational network.
        Rrn = "rrn",
        /// SATNet.
        SatNet = "satnet",
        /// SATNet on clusters of the pictures.
        SatNetClustered = "satnet-star",
        /// The recurrent transformer, L1R32H4.
        Transformer = "l1r32h4",
        /// Algorithm 1 without the trust region.
        Ntr = "ntr",
        /// Algorithm 1 without the penalties.
        Ndc = "ndc",
        /// Algorithm 1.
        Joint = "joint",
        /// In stages; for tasks without pictures the task's own learner.
        Ours = "ours",
        /// A ResNet that gives paths.
        ResNet = "resnet",
        /// The recurrent transformer from a picture to a path.
        RtNet = "rtnet",
        /// From true maps.
        Supervised = "sup",
    }
}

impl Method {
    /// What it is called in tables.
    pub fn title(self) -> &'static str {
        match self {
            Method::Rrn => "RRN",
            Method::SatNet => "SATNet",
            Method::SatNetClustered => "SATNet*",
            Method::Transformer => "L1R32H4",
            Method::Ntr => "NTR",
            Method::Ndc => "NDC",
            Method::Joint => "joint",
            Method::Ours => "ours",
            Method::ResNet => "ResNet",
            Method::RtNet => "RTNet",
            Method::Supervised => "SUP",
        }
    }

    /// Whether it is Algorithm 1, whole or with something left out.
    pub fn is_joint(self) -> bool {
        matches!(self, Method::Joint | Method::Ntr | Method::Ndc)
    }
}

/// One measured thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// What is learned.
    pub experiment: Experiment,
    /// How.
    pub method: Method,
    /// The seed of all random choices.
    pub seed: u64,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.experiment, self.method.word(), self.seed)
    }
}

/// Why training ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Another step would have changed nothing, or nothing for the better.
    Rest,
    /// It made all of its epochs.
    Epochs,
    /// Its time was over.
    Budget,
    /// It found no rule to go on with.
    Nothing,
}

impl Status {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Status::Rest => "came to rest",
            Status::Epochs => "made all of its epochs",
            Status::Budget => "stopped at the budget",
            Status::Nothing => "found no rule",
        }
    }
}

/// What was measured in the course of training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// How often each example was seen.
    pub epoch: f64,
    /// Seconds of the processors until then.
    pub cpu_seconds: f64,
    /// The figures.
    pub figures: Figures,
}

/// How training went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Course {
    /// Why it ended.
    pub status: Status,
    /// How often each example was seen; nothing where that is not the way of it.
    pub epochs: Option<f64>,
    /// Seconds of the processors.
    pub cpu_seconds: f64,
    /// What was measured on the way.
    pub curve: Vec<Point>,
}

/// What came of a unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// The unit's name.
    pub unit: String,
    /// All that it depends on.
    pub made_with: Value,
    /// The figures in the end.
    pub figures: Figures,
    /// How training went.
    pub course: Course,
    /// How many examples there were to train on.
    pub examples: usize,
    /// What is to be said of it.
    pub notes: Vec<String>,
    /// Pictures, as addresses that stand in a page themselves.
    pub pictures: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_has_a_name() {
        let unit = |experiment, method| Unit { experiment, method, seed: 3 }.to_string();
        assert_eq!(unit(Experiment::Sudoku(Boards::Satnet), Method::Joint), "sudoku-satnet/joint/3");
        assert_eq!(unit(Experiment::Xor(20), Method::Transformer), "xor-20/l1r32h4/3");
        assert_eq!(unit(Experiment::Driving(Scenery::Dense), Method::Supervised), "driving-dense/sup/3");
    }

    #[test]
    fn sets_are_judged_on_their_own_first() {
        for boards in [Boards::Satnet, Boards::Rrn, Boards::Small] {
            assert_eq!(boards.judged_on()[0], boards);
            assert!(boards.judged_on().iter().all(|other| other.order() == boards.order()));
        }
    }
}
