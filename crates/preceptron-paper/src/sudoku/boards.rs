//! The boards of visual Sudoku: files that are named, or generated ones that stand in for them.
//!
//! What is generated is written into the folder of the results, once, so that all methods have the same boards.

use std::fs;
use std::path::PathBuf;

use preceptron::{Context, Task, TaskResult, ensure};
use preceptron_base::{Control, write_whole};
use preceptron_tasks::sudoku::{
    Puzzle, ScheduleName, Spread, Sudoku, SudokuData, SudokuEvaluation, SudokuSettings, puzzles, write_csv,
};
use serde_json::{Value, json};

use crate::unit::{Boards, Method};
use crate::work::{Bench, Work};

/// The seed of boards that stand in for others; pictures depend on the unit's.
const SEED: u64 = 0;

/// Whether boards are generated, where others are not named.
pub fn is_generated(bench: &Bench, boards: Boards) -> bool {
    match boards {
        Boards::Satnet => bench.settings.satnet.is_none(),
        Boards::Rrn => bench.settings.rrn.is_none(),
        Boards::Small => true,
    }
}

/// Which boards these are, so that they can be told from others.
pub fn told(bench: &Bench, boards: Boards) -> Value {
    let settings = &bench.settings;
    match (boards, is_generated(bench, boards)) {
        (_, true) => json!(format!("generated, {}", boards.word())),
        (Boards::Rrn, _) => json!([settings.rrn, settings.rrn_test]),
        _ => json!([settings.satnet]),
    }
}

/// The settings of a run on a set of boards.
pub fn settings(work: &Work<'_>, boards: Boards) -> TaskResult<SudokuSettings> {
    let Bench { settings, scale, .. } = work.bench;
    let [train, test] = scale.boards(boards);
    let mut own = SudokuSettings {
        train: Some(train),
        test: Some(test),
        steps: scale.steps,
        order: boards.order(),
        seed: work.unit.seed,
        threads: settings.threads,
        ..SudokuSettings::default()
    };
    (own.boards, own.test_boards) = match (boards, is_generated(work.bench, boards)) {
        (Boards::Small, _) => (None, None),
        (Boards::Satnet, false) => (settings.satnet.clone(), None),
        (Boards::Rrn, false) => (settings.rrn.clone(), settings.rrn_test.clone()),
        (_, true) => stand_in(work, boards)?,
    };
    match work.unit.method {
        Method::Ntr => own.joint.trust_region = Some(0.0),
        Method::Ndc => (own.joint.constraint_penalty, own.joint.grounding_penalty) = (Some(0.0), Some(0.0)),
        _ => (),
    }
    if work.unit.method.is_joint() {
        own.schedule = ScheduleName::Joint;
    }
    Ok(own)
}

/// Files of generated boards: to train on, and to test on if that is another file.
fn stand_in(work: &Work<'_>, boards: Boards) -> TaskResult<(Option<PathBuf>, Option<PathBuf>)> {
    let [train, test] = work.bench.scale.boards(boards);
    let folder = work.bench.settings.out.join("boards");
    fs::create_dir_all(&folder).context(folder.display())?;
    let path = |part: &str, count: usize| folder.join(format!("{}-like-{part}{count}.csv", boards.word()));
    let (spread, files) = match boards {
        Boards::Rrn => (Spread::RRN, vec![(path("train-", train), train), (path("test-", test), test)]),
        _ => (Spread::SATNET, vec![(path("", train + test), train + test)]),
    };
    if !files.iter().all(|(file, _)| file.is_file()) {
        work.control.stage("drawing boards", (train + test) as u64);
        let drawn = puzzles(3, &spread, train + test, SEED, work.control)?;
        ensure!(!work.control.is_cancelled(), "interrupted before all boards were drawn");
        let mut rest: &[Puzzle] = &drawn;
        for (file, count) in &files {
            let (own, others) = rest.split_at(*count);
            write_whole(file, write_csv(own).as_bytes()).context(file.display())?;
            rest = others;
        }
    }
    let mut paths = files.into_iter().map(|(file, _)| file);
    Ok((paths.next(), paths.next()))
}

/// The test boards of a set, or the first so many, spread over the numbers of givens.
pub fn tests(
    settings: &SudokuSettings,
    most: Option<usize>,
    control: &dyn Control,
) -> TaskResult<SudokuData> {
    let how = SudokuEvaluation { count: most, ..SudokuEvaluation::default() };
    Sudoku::held_out(settings, &how, control)
}
