//! The `config.toml` of a run, with the settings of a task or of the learner in it.

use preceptron::{Model, Run, RunError};
use preceptron_base::Settings as _;
use preceptron_learn::Settings;
use preceptron_tasks::xor::XorSettings;

use super::{in_folder, seeds};
use crate::{Target, outcome};

pub fn target() -> Target {
    Target {
        name: "run",
        seeds: || {
            let mut all = vec![written(&XorSettings::default()), written(&Settings::default())];
            all.extend(seeds(&[
                "id = \"0\"\ntask = \"xor\"\nprogram = \"é\"\n[settings]\nlength = 3\nones = 1e-9\nirrelevant = nan\n",
            ]));
            all
        },
        words: &[
            "id = ",
            "task = ",
            "[settings]\n",
            "[settings.auxiliary]\n",
            "length = ",
            "count = ",
            "ones = ",
            "rows = ",
            "bound = ",
            "{ fixed = 1 }",
            "{ sweep = [0, 4294967295] }",
            "\"\"\"",
            "'",
            "[[",
            "inf",
            "nan",
            "-",
            "1e999",
            "1979-05-27",
            "\\u00e9",
            "é",
            "#",
            "\"parity\"",
            "iterations = ",
            "method = ",
        ],
        run,
    }
}

/// The file that a run with these settings has.
fn written<S: serde::Serialize>(settings: &S) -> Vec<u8> {
    in_folder(|folder| {
        let reserved = Run::reserve(&folder.join("seed"), true);
        let run = reserved
            .and_then(|reserved| reserved.create("xor", settings, &[]))
            .expect("a run that can be written");
        std::fs::read(run.path().join("config.toml")).expect("the file that was written")
    })
}

fn run(input: &[u8]) -> String {
    in_folder(|folder| {
        let path = folder.join("run");
        if !path.exists() {
            let reserved = Run::reserve(&path, false);
            let run = reserved
                .and_then(|reserved| reserved.create("xor", &XorSettings::default(), &[]))
                .expect("a new run");
            run.metrics_after(0).and_then(|_| run.write_model(&Model::default(), true)).expect("files in it");
        }
        std::fs::write(path.join("config.toml"), input).expect("a file that can be written");
        let shown = |error: RunError| match error {
            RunError::Damaged { problem, .. } => outcome::refused(&problem),
            RunError::File { source, .. } => outcome::refused(&source),
            other => panic!("{other}"),
        };
        let run = match Run::open(&path) {
            Ok(run) => run,
            Err(error) => return shown(error),
        };
        let task = match run.settings::<XorSettings>() {
            Ok(settings) => settings.check().map_or_else(|e| outcome::refused(&e), |_| "right".to_owned()),
            Err(error) => shown(error),
        };
        let learner = match run.settings::<Settings>() {
            Ok(settings) => settings.check().map_or_else(|e| outcome::refused(&e), |_| "right".to_owned()),
            Err(error) => shown(error),
        };
        format!("task: {task}; learner: {learner}")
    })
}
