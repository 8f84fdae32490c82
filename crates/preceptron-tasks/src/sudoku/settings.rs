//! What a run of visual Sudoku is made with.

use std::path::PathBuf;

use preceptron::{Context, JointCourse, JointSettings, Model, StagedSettings, TaskResult, Views};
use preceptron_base::{Limits, choices, settings};
use preceptron_learn::Form;
use preceptron_perceive::Perception;

use super::side;
use crate::digit_network::{DeviceName, DigitNetwork, LossName, NetworkName};

choices! {
    /// How the rules are looked for.
    pub enum RuleSearch: All {
        /// By all finders.
        All = "all",
        /// By least squares with the DC penalty alone.
        LeastSquares = "least-squares",
        /// The same without the trust region.
        Ntr = "ntr",
        /// The same without the DC penalty.
        Ndc = "ndc",
    }
}

choices! {
    /// In what order rules, symbols and network are improved.
    pub enum ScheduleName: Staged {
        /// Rules from what is known, grounding by the rules, training, rules once more from everything.
        Staged = "staged",
        /// Rules, symbols and network in every step (the paper's Algorithm 1).
        Joint = "joint",
    }
}

choices! {
    /// A set of boards that the paper's table 1 has figures for.
    pub enum PaperSet: Satnet {
        /// The boards of SATNet.
        Satnet = "satnet",
        /// The boards of RRN.
        Rrn = "rrn",
    }
}

impl PaperSet {
    /// The share of boards that the paper solves.
    pub fn solved(self) -> &'static str {
        match self {
            PaperSet::Satnet => "95.5% (SATNet)",
            PaperSet::Rrn => "93.1% (RRN)",
        }
    }
}

/// The orders of boards that can be read.
#[derive(Clone, Copy, Debug)]
struct Orders;

impl Limits<usize> for Orders {
    fn allows(&self, order: &usize) -> bool {
        (2..=3).contains(order)
    }

    fn words(&self) -> String {
        "2 or 3; larger boards have more symbols than MNIST has digits. Rules learned at 3 are put on boards of \
         16 x 16 by precept export RUN --order 4"
            .to_owned()
    }
}

settings! {
    /// What a run of visual Sudoku is made with.
    pub struct SudokuSettings {
        /// Boards from a file of lines `puzzle,solution`, also .xz and .gz [default: boards are generated].
        boards: Option<PathBuf> = None, "FILE";
        section "Other data";
        /// Boards to test on from another file, spread over the numbers of givens.
        test_boards: Option<PathBuf> = None, "FILE";
        /// How many boards to train on [default: 1500, or all of the file but those for tests].
        train: Option<usize> = None, "N" in 1..=10_000_000;
        /// How many boards to test on: the last ones of the file [default: 300, or 1000 of a file].
        test: Option<usize> = None, "N" in 1..=10_000_000;
        /// Which of the paper's sets of boards the file is; the report then has the paper's figure beside ours.
        paper_set: Option<PaperSet> = None, "SET";
        /// 3 for boards of 9 x 9, 2 for 4 x 4.
        order: usize = 3, "N" in Orders;
        section "Other data";
        /// A folder with another copy of MNIST.
        mnist: Option<PathBuf> = None, "DIR";
        /// Steps of the network's training.
        steps: u64 = 1200, "N" in 4..=1_000_000;
        /// The network; joint training begins with mlp, which another learns beside.
        network: Option<NetworkName> = None, "NAME";
        section "Other networks";
        /// How many networks read together, their probabilities averaged; each makes all steps.
        networks: usize = 1, "N" in 1..=20;
        section "Other networks";
        /// How often the transformer applies its layer [default: 32, as the paper; fewer are as much faster].
        recurrences: Option<usize> = None, "N" in 1..=256;
        section "Other networks";
        /// What the transformer is computed on [default: cpu].
        device: Option<DeviceName> = None, "NAME";
        section "Answers that may be wrong";
        /// The share of the answers that may be wrong, such as 5%: they are then evidence, not facts.
        doubt: Option<f64> = None, "SHARE" in 0.0..=0.4;
        section "Answers that may be wrong";
        /// Make this share of the training boards' answers wrong, to see what that does.
        wrong_answers: f64 = 0.0, "SHARE" in 0.0..=0.4;
        section "Other ways of learning";
        /// How the rules are looked for: by all finders, or by least squares alone, also without its trust
        /// region (ntr) or its penalty (ndc).
        rules_by: RuleSearch = RuleSearch::All, "HOW";
        /// The seed of all random choices.
        seed: u64 = 0, "N";
        /// Threads; they do not change the result.
        threads: usize = 2, "N" in 1..=64;
        /// In what order rules, symbols and network are improved.
        schedule: ScheduleName = ScheduleName::Staged, "NAME";
        section "The joint schedule";
        /// Joint: the network's loss.
        loss: LossName = LossName::CrossEntropy, "LOSS";
    }
    with { joint: JointSettings as "The joint schedule" }
}

impl SudokuSettings {
    /// Whether training is joint.
    pub fn is_joint(&self) -> bool {
        self.schedule == ScheduleName::Joint
    }

    /// How many boards to train on, and to test on.
    pub fn counts(&self) -> (usize, usize) {
        let of_file = self.boards.is_some();
        (self.train.unwrap_or(1500), self.test.unwrap_or(if of_file { 1000 } else { 300 }))
    }

    /// The share of the answers that may be wrong.
    pub fn wrong(&self) -> f64 {
        self.doubt.unwrap_or(self.wrong_answers)
    }

    /// The network.
    pub fn network(&self) -> DigitNetwork {
        DigitNetwork {
            name: self.network.unwrap_or_default(),
            members: self.networks,
            digits: side(self.order),
            loss: self.loss,
            steps: (!self.is_joint()).then_some(self.steps),
            seed: self.seed,
            threads: self.threads,
            transformer: (self.recurrences.unwrap_or(32), self.device.unwrap_or_default()),
        }
    }

    /// The network that joint training begins with; the other one, if it is another, learns beside it.
    pub fn first_network(&self) -> DigitNetwork {
        DigitNetwork { name: NetworkName::Mlp, members: 1, ..self.network() }
    }

    /// The network of a model, with its weights: joint training that was stopped early has but the first one.
    ///
    /// # Errors
    /// If the model has no network, or one of another shape.
    pub fn reader(&self, model: &Model) -> TaskResult<Box<dyn Perception>> {
        let is_first = self.is_joint() && model.found["first_network_reads"] == true;
        let mut network = if is_first { self.first_network() } else { self.network() }.build()?;
        network.load(model.network.as_deref().context("the run has no network")?)?;
        Ok(network)
    }

    /// How training in stages goes.
    pub fn staged(&self) -> StagedSettings {
        StagedSettings {
            steps: self.steps,
            batch: self.network().batch(),
            wrong: self.wrong(),
            seed: self.seed,
            threads: self.threads,
            views: Views::Nine,
        }
    }

    /// How rules are learned. Where answers may be wrong, rules may be violated: a rule speaks of several
    /// cells, of which any may be wrong.
    ///
    /// # Errors
    /// If a setting is out of its range.
    pub fn learner(&self) -> TaskResult<preceptron_learn::Checked> {
        let threshold = match self.wrong() {
            0.0 => 1.0,
            wrong => (1.0 - 3.0 * wrong).clamp(0.55, 0.95),
        };
        let all = self.rules_by == RuleSearch::All;
        // Where values are missing and others wrong, only exactly-one rules can be told from chance.
        let is_sure = self.wrong() == 0.0;
        let settings = preceptron_learn::Settings {
            seed: self.seed,
            threshold,
            form: if all { Form::Local } else { Form::Global },
            least_squares: is_sure,
            cliques: all,
            counting: all && is_sure,
            templates: all && is_sure,
            parity: all && is_sure,
            trust_region: (self.rules_by == RuleSearch::Ntr).then_some(0.0),
            dc_penalty: (self.rules_by == RuleSearch::Ndc).then_some(0.0),
            stability: false,
            ..preceptron_learn::Settings::default()
        };
        Ok(settings.check()?)
    }

    /// What the figures lean on beside pictures and answers.
    pub fn leans_on(&self, views: Views) -> Vec<String> {
        let mut known = vec![
            "which cells are given is known, as in the paper".to_owned(),
            format!(
                "a picture is taken to show one of {} digits, from the encoding; that a cell holds one digit is \
                 learned like the other rules",
                side(self.order)
            ),
            views.in_words().to_owned(),
        ];
        if self.networks > 1 {
            known.push(format!("{} networks read together, their probabilities averaged", self.networks));
        }
        if self.is_joint() {
            known.extend(match self.joint.course {
                JointCourse::Phased => Some(
                    "the penalties come in phases, and rows that say nothing new are drawn again, which the paper \
                     does not have",
                ),
                JointCourse::Rising => Some("the penalties rise after a warm-up, which the paper does not have"),
                JointCourse::Authors => None,
            }
            .map(str::to_owned));
            if self.joint.course == JointCourse::Phased && self.order != 3 {
                known
                    .push("when a phase ends, and how strong its penalties are, was tuned at 9x9".to_owned());
            }
        }
        if self.wrong() > 0.0 {
            known.push(format!(
                "up to {}% of the answers are taken to be wrong, and only exactly-one rules are looked for",
                100.0 * self.wrong()
            ));
        }
        known
    }
}
