//! What the page is made from, beside the files of the run.

use std::path::Path;

use precept::{Run, Scenes};
use precept_logic::RuleSet;
use precept_tasks::sudoku::{Judgement, Puzzle};
use serde_json::Value;

use crate::present::quoted;
use crate::sudoku_run::{NetworkName, RunSettings};

/// What there is to say about a run.
pub struct Input<'a> {
    /// What it was made with.
    pub settings: Value,
    /// How its boards were read and solved.
    pub judgement: &'a Judgement,
    /// These boards, with their pictures.
    pub scenes: &'a Scenes,
    /// And with their solutions.
    pub puzzles: &'a [Puzzle],
    /// What was learned.
    pub rules: &'a RuleSet,
    /// What to type to have the same again.
    pub commands: Vec<String>,
    /// Whether training ended before its last step.
    pub interrupted: bool,
    /// What the result needs beyond the pictures and the answers.
    pub leans_on: Vec<String>,
    /// What the paper reports of the same boards, for its way of solving.
    pub paper: Option<String>,
}

impl<'a> Input<'a> {
    /// The input for a run of `precept train sudoku` that came to its end.
    pub fn new(
        run: &Run,
        settings: &RunSettings,
        judgement: &'a Judgement,
        scenes: &'a Scenes,
        puzzles: &'a [Puzzle],
        rules: &'a RuleSet,
    ) -> anyhow::Result<Input<'a>> {
        let leans_on = [
            "Which cells are given, and which are answers, is known.",
            "The digits of all cells that are not given are known on the boards for training.",
            "That a picture shows exactly one of the digits is known from the encoding.",
        ];
        Ok(Input {
            settings: serde_json::to_value(settings)?,
            judgement,
            scenes,
            puzzles,
            rules,
            commands: commands(run.path(), settings),
            interrupted: false,
            leans_on: leans_on.map(str::to_owned).into(),
            paper: papers_figure(settings.boards.as_deref()).map(str::to_owned),
        })
    }
}

fn commands(run: &Path, settings: &RunSettings) -> Vec<String> {
    let run = quoted(&run.display().to_string());
    let network = match settings.network {
        NetworkName::Lenet => "lenet",
        NetworkName::Cnn => "cnn",
    };
    let mut train = "precept train sudoku".to_owned();
    for (flag, file) in [("--boards", &settings.boards), ("--mnist", &settings.mnist)] {
        if let Some(file) = file {
            train += &format!(" {flag} {}", quoted(&file.display().to_string()));
        }
    }
    let (staged, boards) = (&settings.staged, (settings.train, settings.test));
    train += &format!(
        " --train {} --test {} --network {network} --steps {} --seed {} --threads {} --out {run}",
        boards.0, boards.1, staged.steps, staged.seed, staged.threads
    );
    vec![train, format!("precept eval {run}"), format!("precept report {run}")]
}

/// The share of boards that the paper solves in its table 1, if the boards' file is named for one of its sets.
fn papers_figure(boards: Option<&Path>) -> Option<&'static str> {
    let name = boards?.file_name()?.to_string_lossy().to_lowercase();
    [("satnet", "95.5% (SATNet)"), ("rrn", "93.1% (RRN)")]
        .into_iter()
        .find_map(|(set, figure)| name.contains(set).then_some(figure))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku_run::perception;

    #[test]
    fn the_command_has_every_setting() {
        let settings = RunSettings {
            boards: Some("/data/my boards/satnet_10000.csv.xz".into()),
            train: 9000,
            test: 1000,
            mnist: None,
            network: NetworkName::Lenet,
            staged: precept::StagedSettings { steps: 8, seed: 3, threads: 1, ..Default::default() },
            perception: perception(NetworkName::Lenet, 3, 8),
        };
        assert_eq!(
            commands(Path::new("runs/a"), &settings)[0],
            "precept train sudoku --boards '/data/my boards/satnet_10000.csv.xz' --train 9000 --test 1000 \
             --network lenet --steps 8 --seed 3 --threads 1 --out runs/a"
        );
        assert_eq!(papers_figure(settings.boards.as_deref()), Some("95.5% (SATNet)"));
        assert_eq!(papers_figure(Some(Path::new("/rrn/mine.csv"))), None);
    }
}
