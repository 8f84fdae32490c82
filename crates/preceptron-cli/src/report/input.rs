//! What the page is made from, beside the files of the run.

use std::path::Path;

use preceptron::{Run, Scenes};
use preceptron_logic::RuleSet;
use preceptron_tasks::sudoku::{Judgement, Puzzle};
use serde_json::Value;

use crate::present::quoted;
use crate::sudoku_run::RunSettings;

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
        Ok(Input {
            settings: serde_json::to_value(settings)?,
            judgement,
            scenes,
            puzzles,
            rules,
            commands: commands(run.path(), settings),
            interrupted: false,
            leans_on: settings.leans_on(),
            paper: papers_figure(settings.boards.as_deref()).map(str::to_owned),
        })
    }
}

fn commands(run: &Path, settings: &RunSettings) -> Vec<String> {
    let name = quoted(&run.display().to_string());
    vec![settings.command(run), format!("precept eval {name} --abstain"), format!("precept report {name}")]
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

    #[test]
    fn the_paper_speaks_of_its_own_boards() {
        assert_eq!(papers_figure(Some(Path::new("/data/satnet_10000.csv.xz"))), Some("95.5% (SATNet)"));
        assert_eq!(papers_figure(Some(Path::new("/rrn/mine.csv"))), None);
    }
}
