//! What a run of visual Sudoku is made with.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::ValueEnum;
use preceptron::{JointSettings, StagedSettings};
use preceptron_learn::Form;
use preceptron_perceive::{
    Augmentation, Classifier, Ensemble, Layer, Network, Optimiser, Perception, Settings, Shape,
};
use preceptron_tasks::sudoku;
use serde::{Deserialize, Serialize};

use super::Transformer;
use crate::joint_arguments::joint_flags;
use crate::present::quoted;

/// The networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NetworkName {
    /// LeNet-5.
    Lenet,
    /// A somewhat larger one, with batch norm.
    Cnn,
    /// The picture at half its width and height, then 128 hidden units.
    Mlp,
    /// The recurrent transformer (built with the feature burn).
    Transformer,
}

/// How the rules are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RuleSearch {
    /// By all finders.
    All,
    /// By least squares with the DC penalty alone.
    LeastSquares,
    /// The same without the trust region.
    Ntr,
    /// The same without the DC penalty.
    Ndc,
}

/// What a run was made with.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSettings {
    /// The file of boards; generated ones without it.
    pub boards: Option<PathBuf>,
    /// The file of boards to test on, if it is another.
    pub test_boards: Option<PathBuf>,
    /// How many boards to train on, and to test on.
    pub train: usize,
    pub test: usize,
    /// 2 for boards of 4 x 4, 3 for 9 x 9.
    pub order: usize,
    /// The folder of MNIST; the embedded copy without it.
    pub mnist: Option<PathBuf>,
    /// The share of the answers to train on that are made wrong.
    pub wrong_answers: f64,
    /// How the rules are looked for.
    pub rules_by: RuleSearch,
    pub network: NetworkName,
    /// How many networks read together.
    #[serde(default = "one")]
    pub networks: usize,
    /// What there is to choose of the network, if it is the transformer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transformer: Option<Transformer>,
    pub staged: StagedSettings,
    /// Joint training in place of training in stages.
    pub joint: Option<JointSettings>,
    pub perception: Settings,
}

fn one() -> usize {
    1
}

impl RunSettings {
    /// The seed of all random choices.
    pub fn seed(&self) -> u64 {
        self.staged.seed
    }

    /// The network before training, or several.
    pub fn classifier(&self) -> anyhow::Result<Box<dyn Perception>> {
        if self.networks == 1 {
            return self.member(self.perception);
        }
        let seed = |number: usize| self.perception.seed.wrapping_add(1_000_000 * number as u64);
        let member = |number| self.member(Settings { seed: seed(number), ..self.perception });
        let members = (0..self.networks).map(member).collect::<anyhow::Result<_>>()?;
        Ok(Box::new(Ensemble::new(members)?))
    }

    fn member(&self, perception: Settings) -> anyhow::Result<Box<dyn Perception>> {
        let digits = sudoku::side(self.order);
        let network = match self.network {
            NetworkName::Transformer => {
                let transformer = self.transformer.context("the settings of the transformer are missing")?;
                return transformer.build(digits, perception, self.staged.threads);
            }
            NetworkName::Lenet => Network::lenet(digits)?,
            NetworkName::Cnn => Network::small_cnn(digits)?,
            NetworkName::Mlp => Network::new(
                Shape::new(1, 28, 28),
                &[Layer::convolution(1, 2).stride(2), Layer::linear(128).relu(), Layer::linear(digits)],
            )?,
        };
        Ok(Box::new(Classifier::new(network, perception, self.staged.threads)?))
    }

    /// How rules are learned. Where answers may be wrong, rules may be violated: a rule speaks of several
    /// cells, of which any may be wrong.
    pub fn learner(&self) -> anyhow::Result<preceptron_learn::Checked> {
        let threshold = match self.staged.wrong {
            0.0 => 1.0,
            wrong => (1.0 - 3.0 * wrong).clamp(0.55, 0.95),
        };
        let all = self.rules_by == RuleSearch::All;
        // Where values are missing and others wrong, only exactly-one rules can be told from chance.
        let is_sure = self.staged.wrong == 0.0;
        let settings = preceptron_learn::Settings {
            seed: self.seed(),
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

    /// What to type to have the same again.
    pub fn command(&self, out: &Path) -> String {
        let mut words = vec!["precept train sudoku".to_owned()];
        let files =
            [("--boards", &self.boards), ("--test-boards", &self.test_boards), ("--mnist", &self.mnist)];
        for (flag, file) in files {
            words.extend(file.as_ref().map(|file| format!("{flag} {}", quoted(&file.display().to_string()))));
        }
        words.push(format!(
            "--train {} --test {} --order {} --network {} --rules-by {}",
            self.train,
            self.test,
            self.order,
            name(self.network),
            name(self.rules_by)
        ));
        if self.networks > 1 {
            words.push(format!("--networks {}", self.networks));
        }
        if let Some(Transformer { recurrences, device }) = self.transformer {
            words.push(format!("--recurrences {recurrences} --device {}", name(device)));
        }
        let StagedSettings { steps, seed, threads, wrong, .. } = self.staged;
        if wrong > 0.0 {
            words.push(format!("--wrong-answers {} --doubt {wrong}", self.wrong_answers));
        }
        words.push(match &self.joint {
            None => format!("--steps {steps}"),
            Some(joint) => joint_flags(joint, self.perception.objective),
        });
        words.push(format!("--seed {seed} --threads {threads}"));
        words.push(format!("--out {}", quoted(&out.display().to_string())));
        words.join(" ")
    }

    /// What the figures lean on beside pictures and answers.
    pub fn leans_on(&self) -> Vec<String> {
        let mut known = vec![
            "which cells are given is known, as in the paper".to_owned(),
            format!(
                "a picture is taken to show one of {} digits, from the encoding; that a cell holds one digit is \
                 learned like the other rules",
                sudoku::side(self.order)
            ),
            "each picture to be read is looked at five times, as it is and moved by a pixel".to_owned(),
        ];
        if self.networks > 1 {
            known.push(format!("{} networks read together, their probabilities averaged", self.networks));
        }
        if self.joint.is_some() {
            known.push("the penalties rise after a warm-up, which the paper does not have".to_owned());
        }
        if self.staged.wrong > 0.0 {
            known.push(format!(
                "up to {}% of the answers are taken to be wrong, and only exactly-one rules are looked for",
                100.0 * self.staged.wrong
            ));
        }
        known
    }
}

/// A value as it is written on the command line.
fn name(value: impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

/// How a network is trained by default.
pub fn perception(network: NetworkName, seed: u64, steps: u64) -> Settings {
    let common = Settings { seed, steps: Some(steps), ..Settings::default() };
    match network {
        NetworkName::Lenet => {
            let augmentation = Augmentation { shift: 2, ..Augmentation::default() };
            Settings { learning_rate: 6e-3, augmentation, ..common }
        }
        NetworkName::Transformer => Settings {
            optimiser: Optimiser::AdamW,
            learning_rate: 1e-3,
            weight_decay: 0.01,
            warm_up: common.warm_up.min(steps / 10),
            augmentation: Augmentation { shift: 2, ..Augmentation::default() },
            ..common
        },
        NetworkName::Mlp => Settings { averaging: 0.0, learning_rate: 4e-3, ..common },
        NetworkName::Cnn => Settings {
            optimiser: Optimiser::AdamW,
            learning_rate: 3e-3,
            weight_decay: 0.01,
            augmentation: Augmentation {
                rotation: 10.0,
                scale: 0.1,
                shear: 0.1,
                translation: 2.0,
                bend: 2.0,
                shift: 0,
            },
            ..common
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_has_every_setting() {
        let settings = RunSettings {
            boards: Some("/data/my boards/satnet_10000.csv.xz".into()),
            test_boards: None,
            train: 9000,
            test: 1000,
            order: 3,
            mnist: None,
            wrong_answers: 0.05,
            rules_by: RuleSearch::LeastSquares,
            network: NetworkName::Lenet,
            networks: 2,
            transformer: None,
            joint: None,
            staged: StagedSettings { steps: 8, seed: 3, threads: 1, wrong: 0.1, ..Default::default() },
            perception: perception(NetworkName::Lenet, 3, 8),
        };
        assert_eq!(
            settings.command(Path::new("runs/a")),
            "precept train sudoku --boards '/data/my boards/satnet_10000.csv.xz' --train 9000 --test 1000 --order 3 \
             --network lenet --rules-by least-squares --networks 2 --wrong-answers 0.05 --doubt 0.1 --steps 8 --seed 3 \
             --threads 1 --out runs/a"
        );
    }
}
