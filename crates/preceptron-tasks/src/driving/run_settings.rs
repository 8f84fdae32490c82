//! What a run of driving is made with, and its frames.

use preceptron::{Context, TaskResult};
use preceptron_base::{Above, SettingsError, settings};

use super::sources::{FrameSources, MapSettings};
use super::{Density, FrameIndex, FrameSettings, Frames, LearningSettings, Supervision, split_by_drive};

/// Frames to train on, where scenes are drawn at random.
const TRAIN: usize = 1500;

settings! {
    /// The settings of driving.
    pub struct DrivingSettings {
        /// Frames to train on [default: 1500, or all that are not to test on].
        train: Option<usize> = None, "N" in 1..=10_000_000;
        /// Frames to test on, of other drives.
        test: usize = 300, "N" in 1..=10_000_000;
        /// How often to go through the frames.
        epochs: u32 = LearningSettings::default().epochs, "N" in 1..=10_000;
        section "How the network is trained";
        /// What each expected obstacle costs in training from paths.
        prior: f64 = LearningSettings::default().prior, "WEIGHT" in 0.0..=10.0;
        /// The share of its worth that a plan loses where it collides: 1 for safety above all.
        caution: f64 = LearningSettings::default().caution, "SHARE" in 0.0..=1.0;
        section "How the network is trained";
        /// The learning rate at its highest.
        learning_rate: f64 = LearningSettings::default().learning_rate, "RATE" in Above(0.0, 10.0);
        section "How the network is trained";
        /// Take only shorter paths than the one shown as evidence of obstacles, not those as short.
        only_shorter: bool = false;
        /// What the network is told.
        supervision: Supervision = Supervision::Paths, "WHAT";
        /// Also train networks that are told something else: the true maps, or to give paths themselves.
        compare: bool = false;
        /// How many objects there are, where scenes are drawn at random.
        density: Density = Density::Normal, "DENSITY";
        section "Other data";
        /// Render pictures though there are some.
        render: bool = false;
        /// Threads of the network [default: as many as there are].
        threads: Option<usize> = None, "N" in 1..=1024;
    }
    with { sources: FrameSources, maps: MapSettings }
}

/// The frames of a run.
pub struct DrivingData {
    /// Those trained on; without pictures where they serve only as known maps and paths.
    pub train: Frames,
    /// Those to score on, of other drives.
    pub test: Frames,
    /// How many were left out, since they or others of their drives were trained on.
    pub left_out: usize,
}

/// Which frames of an index are for what.
pub struct Split {
    /// All frames.
    pub index: FrameIndex,
    /// Those to train on.
    pub train: Vec<usize>,
    /// Those to test on, of other drives.
    pub test: Vec<usize>,
}

impl DrivingSettings {
    /// How a network is trained.
    pub fn learning(&self) -> LearningSettings {
        LearningSettings {
            seed: self.maps.seed,
            supervision: self.supervision,
            epochs: self.epochs,
            prior: self.prior,
            learning_rate: self.learning_rate,
            use_ties: !self.only_shorter,
            caution: self.caution,
            steps: self.maps.steps,
            threads: self.threads.unwrap_or_else(rayon::current_num_threads),
            ..LearningSettings::default()
        }
    }

    /// What its frames are made with.
    ///
    /// # Errors
    /// If the grid or the pictures are too large.
    pub fn frames(&self) -> Result<FrameSettings, SettingsError> {
        self.maps.frames()
    }

    /// Fills in the number of frames to train on, and makes places absolute.
    ///
    /// # Errors
    /// If places cannot be read.
    pub fn settle(&mut self) -> TaskResult<()> {
        self.learning().check()?;
        let maps = self.frames()?;
        self.sources = self.sources.absolute()?;
        if self.train.is_none() && self.sources.is_named() {
            let all = self.sources.index(&maps, self.render, (self.density, 0))?.len();
            self.train = Some(all.saturating_sub(self.test));
        }
        self.train.get_or_insert(TRAIN);
        Ok(())
    }

    /// Which frames are trained on, and which of other drives are to test on.
    ///
    /// # Errors
    /// If places cannot be read, or there are too few frames.
    pub fn split(&self) -> TaskResult<Split> {
        let train = self.train.unwrap_or(TRAIN);
        let all = (self.density, train.saturating_add(self.test));
        let index = self.sources.index(&self.frames()?, self.render, all)?;
        let (train, test) = split_by_drive(index.drives(), train, self.test, self.maps.seed)
            .context("--train and --test say how many frames there are to be")?;
        Ok(Split { index, train, test })
    }
}
