//! What a run of visual Sudoku is made with: settings, boards, pictures, network.

use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::ValueEnum;
use precept::StagedSettings;
use precept_perceive::{Augmentation, Classifier, Network, Optimiser, Settings};
use precept_tasks::mnist::Mnist;
use precept_tasks::sudoku::{self, Puzzle};
use serde::{Deserialize, Serialize};

/// The networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NetworkName {
    /// LeNet-5.
    Lenet,
    /// A somewhat larger one, with batch norm.
    Cnn,
}

/// What a run was made with.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSettings {
    pub boards: Option<PathBuf>,
    pub train: usize,
    pub test: usize,
    pub mnist: Option<PathBuf>,
    pub network: NetworkName,
    pub staged: StagedSettings,
    pub perception: Settings,
}

impl RunSettings {
    /// The network before training.
    pub fn classifier(&self) -> anyhow::Result<Classifier> {
        let network = match self.network {
            NetworkName::Lenet => Network::lenet(9)?,
            NetworkName::Cnn => Network::small_cnn(9)?,
        };
        Ok(Classifier::new(network, self.perception, self.staged.threads)?)
    }

    /// The pictures.
    pub fn pictures(&self) -> anyhow::Result<Mnist> {
        Ok(self.mnist.as_deref().map(Mnist::read).transpose()?.unwrap_or_else(Mnist::embedded))
    }
}

/// How a network is trained by default.
pub fn perception(network: NetworkName, seed: u64, steps: u64) -> Settings {
    let common = Settings { seed, steps: Some(steps), ..Settings::default() };
    match network {
        NetworkName::Lenet => {
            let augmentation = Augmentation { shift: 2, ..Augmentation::default() };
            Settings { learning_rate: 6e-3, augmentation, ..common }
        }
        NetworkName::Cnn => Settings {
            optimiser: Optimiser::AdamW,
            learning_rate: 3e-3,
            weight_decay: 0.01,
            augmentation: Augmentation { rotation: 10.0, scale: 0.1, shear: 0.1, translation: 2.0, shift: 0 },
            ..common
        },
    }
}

/// The boards to train on, and those to test on: the last ones of a file, or generated ones.
pub fn boards(
    file: Option<&Path>,
    train: Option<usize>,
    test: Option<usize>,
    seed: u64,
) -> anyhow::Result<(Vec<Puzzle>, Vec<Puzzle>)> {
    let Some(file) = file else {
        let (train, test) = (train.unwrap_or(1500), test.unwrap_or(300));
        ensure!(train > 0 && test > 0, "there must be boards to train on and boards to test on");
        let mut puzzles = sudoku::with_unique_solution(&sudoku::generate(3, train + test, seed), 36, seed)?;
        let test = puzzles.split_off(train);
        return Ok((puzzles, test));
    };
    let mut puzzles = read(file)?;
    let (name, all) = (file.display(), puzzles.len());
    let test = test.unwrap_or(1000);
    ensure!(test > 0 && test < all, "{name}: {test} of {all} boards cannot be for tests; see --test");
    let held_out = puzzles.split_off(all - test);
    let (train, left) = (train.unwrap_or(puzzles.len()), puzzles.len());
    ensure!(train > 0 && train <= left, "{name}: there are {left} boards to train on, not {train}");
    puzzles.truncate(train);
    Ok((puzzles, held_out))
}

/// The boards of a file.
pub fn read(file: &Path) -> anyhow::Result<Vec<Puzzle>> {
    sudoku::read_file(file).map_err(|error| match error {
        sudoku::ReadError::Line { .. } => anyhow::anyhow!("{}: {error}", file.display()),
        error => error.into(),
    })
}
