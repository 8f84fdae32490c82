//! `precept train sudoku`: boards whose givens are pictures.

use std::io::Write;
use std::path::{Path, PathBuf, absolute};
use std::time::Duration;

use anyhow::{Context, ensure};
use clap::Args;
use preceptron::{Run, StagedSettings};
use preceptron_logic::lift;
use preceptron_tasks::sudoku::{self, Judge};
use serde_json::json;

use crate::Answer;
use crate::joint_arguments::JointArguments;
use crate::present::{list_families, quoted, sudoku as show};
use crate::progress::Progress;
use crate::report;
use crate::settings_arguments::share;
use crate::sudoku_run::{
    self, Data, DeviceName, NetworkName, Outcome, RuleSearch, RunSettings, Transformer, perception,
};

/// Visual Sudoku: boards whose givens are pictures of digits. Nobody says what a picture shows, and no
/// rule is known.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept train sudoku
  precept train sudoku --boards satnet_10000.csv.xz --steps 1500      the last 1,000 boards are for tests
  precept train sudoku --boards rrn_train.csv.xz --train 9000 --test-boards rrn_eval.csv.xz
  precept train sudoku --order 2 --schedule joint --train 5000        the paper's own loop, at 4 x 4
  precept train sudoku --boards satnet_10000.csv.xz --schedule joint --rows 1000 --epochs 120 --proximal 15.6 \\
    --trust-region 0.0016 --constraint-penalty 0.0007 --grounding-penalty 0.01 --warm-up 12    the same at 9 x 9
  precept train sudoku --resume runs/sudoku-0

Known are which cells are given and the digits of all other cells; the pictures are MNIST's, those for
training in boards to train on, those for tests in boards to test on. Ctrl-C saves and says how to go on;
a run that was killed goes on with --resume as well, and ends where it would have ended.
Exit codes: 0 rules found, 1 interrupted, 2 error.")]
pub struct Arguments {
    /// Boards from a file of lines `puzzle,solution`, also .xz and .gz [default: boards are generated].
    #[arg(long, value_name = "FILE")]
    boards: Option<PathBuf>,
    /// Boards to test on from another file, spread over the numbers of givens.
    #[arg(long, value_name = "FILE", requires = "boards")]
    test_boards: Option<PathBuf>,
    /// How many boards to train on [default: 1500, or all of the file but those for tests].
    #[arg(long, value_name = "N")]
    train: Option<usize>,
    /// How many boards to test on: the last ones of the file [default: 300, or 1000 of a file].
    #[arg(long, value_name = "N")]
    test: Option<usize>,
    /// 3 for boards of 9 x 9, 2 for 4 x 4.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(2..=3))]
    order: u8,
    /// A folder with another copy of MNIST.
    #[arg(long, value_name = "DIR")]
    mnist: Option<PathBuf>,
    /// Steps of the network's training.
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = clap::value_parser!(u64).range(4..=1_000_000))]
    steps: u64,
    /// The network [default: cnn, for joint training mlp].
    #[arg(long, value_enum)]
    network: Option<NetworkName>,
    /// How many networks read together, their probabilities averaged; each makes all steps.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=20))]
    networks: u8,
    /// How often the transformer applies its layer [default: 32, as the paper; fewer are as much faster].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    recurrences: Option<u16>,
    /// What the transformer is computed on [default: cpu].
    #[arg(long, value_enum)]
    device: Option<DeviceName>,
    /// The share of the answers that may be wrong, such as 5%: they are then evidence, not facts.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    doubt: Option<f64>,
    /// Make this share of the training boards' answers wrong, to see what that does.
    #[arg(long, value_name = "SHARE", value_parser = share, default_value = "0")]
    wrong_answers: f64,
    /// How the rules are looked for: by all finders, or by least squares alone, also without its trust region
    /// (ntr) or its penalty (ndc).
    #[arg(long, value_enum, default_value_t = RuleSearch::All)]
    rules_by: RuleSearch,
    /// The seed of all random choices.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Threads; they do not change the result [default: 2].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: Option<u16>,
    /// The directory of the run [default: runs/sudoku-SEED].
    #[arg(long, short, value_name = "DIRECTORY")]
    out: Option<PathBuf>,
    /// Overwrite the run.
    #[arg(long)]
    force: bool,
    /// Go on with a run that was interrupted or killed, with its own settings.
    #[arg(long, value_name = "RUN", conflicts_with_all = [
        "boards", "test_boards", "train", "test", "order", "mnist", "steps", "network", "networks", "recurrences", "device",
        "doubt", "wrong_answers", "rules_by", "schedule", "seed", "out", "force",
    ])]
    resume: Option<PathBuf>,
    /// Seconds between two checkpoints.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    save_every: f64,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    joint: JointArguments,
}

impl Arguments {
    fn settings(&self) -> anyhow::Result<RunSettings> {
        let place = |path: &Option<PathBuf>| path.as_deref().map(absolute).transpose();
        let test = self.test.unwrap_or(if self.boards.is_some() { 1000 } else { 300 });
        let train = match (self.train, &self.boards) {
            (Some(train), _) => train,
            (None, None) => 1500,
            (None, Some(file)) => {
                let all = sudoku_run::read(file, self.order.into())?.len();
                all.saturating_sub(if self.test_boards.is_some() { 0 } else { test })
            }
        };
        let wrong = self.doubt.unwrap_or(self.wrong_answers);
        ensure!(wrong <= 0.4, "of answers of which {}% are wrong nothing is learned", 100.0 * wrong);
        let joint = self.joint.settings()?;
        let default = if joint.is_some() { NetworkName::Mlp } else { NetworkName::Cnn };
        let network = self.network.unwrap_or(default);
        let transformer = (network == NetworkName::Transformer).then_some(Transformer {
            recurrences: self.recurrences.unwrap_or(32).into(),
            device: self.device.unwrap_or(DeviceName::Cpu),
        });
        ensure!(
            transformer.is_some() || (self.recurrences, self.device) == (None, None),
            "--recurrences and --device are for --network transformer"
        );
        let default = StagedSettings::default();
        let staged = StagedSettings {
            steps: self.steps,
            batch: transformer.map_or(default.batch, |_| Transformer::BATCH),
            wrong,
            seed: self.seed,
            threads: self.threads.unwrap_or(2).into(),
        };
        let steps = joint.map_or(self.steps, |joint| joint.epochs * (train / joint.batch).max(1) as u64);
        let perception = perception(network, self.seed, steps);
        Ok(RunSettings {
            boards: place(&self.boards)?,
            test_boards: place(&self.test_boards)?,
            train,
            test,
            order: self.order.into(),
            mnist: place(&self.mnist)?,
            wrong_answers: self.wrong_answers,
            rules_by: self.rules_by,
            network,
            networks: self.networks.into(),
            transformer,
            staged,
            joint,
            perception: preceptron_perceive::Settings { objective: self.joint.objective(), ..perception },
        })
    }
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let (run, settings, data) = match &arguments.resume {
        Some(path) => {
            let run = Run::reopen(path)?;
            ensure!(run.task() == "sudoku", "{}: is a run of {}", path.display(), run.task());
            let mut settings: RunSettings = run.settings()?;
            settings.staged.threads = arguments.threads.map_or(settings.staged.threads, usize::from);
            let data = Data::new(&settings)?;
            (run, settings, data)
        }
        None => {
            let path =
                arguments.out.clone().unwrap_or_else(|| format!("runs/sudoku-{}", arguments.seed).into());
            Run::check(&path, arguments.force)?;
            let settings = arguments.settings()?;
            // A network that cannot be had ends here, before there is a run.
            settings.classifier()?;
            let data = Data::new(&settings)?;
            (Run::create(&path, "sudoku", &settings, arguments.force)?, settings, data)
        }
    };
    let save_every = Duration::try_from_secs_f64(arguments.save_every)
        .map_err(|error| anyhow::anyhow!("--save-every {}: {error}", arguments.save_every))?;
    let progress = Progress::new(crate::interrupt::flag()?);
    let outcome = match run.is_finished() {
        true => finished(&settings, &run)?,
        false => {
            let mut events = run.tensorboard()?;
            let trained =
                sudoku_run::train(&settings, &data, &run, save_every, &mut [&mut events], &progress)?;
            events.close().with_context(|| format!("{}: events cannot be written", run.path().display()))?;
            match trained {
                Some(outcome) => outcome,
                None => return interrupted(arguments, run.path(), None, &progress, out),
            }
        }
    };
    if outcome.is_interrupted {
        return interrupted(arguments, run.path(), run.checkpoint()?.map(|c| c.step), &progress, out);
    }
    let judge = Judge {
        scenes: &data.held_out,
        puzzles: &data.test,
        perception: &*outcome.classifier,
        views: sudoku_run::VIEWS,
        rules: &outcome.rules,
        decodings: &show::DECODINGS,
        confidence_at: None,
        threads: settings.staged.threads,
    };
    let judgement = judge.judge(&progress)?;
    progress.finish();
    let page = report::Input::new(&run, &settings, &judgement, &data.held_out, &data.test, &outcome.rules)?;
    report::write(&run, &page)?;
    let comparison = outcome.rules.compare(&sudoku::true_rules(settings.order));
    let (spurious, missing) = (comparison.extra.len(), comparison.missing.len());
    if arguments.json {
        let object = json!({
            "task": "sudoku", "run": run.path(), "rules": outcome.rules.len(), "rank": outcome.rules.rank(),
            "rules_missing": missing, "rules_spurious": spurious,
            "rules_from_answers": outcome.from_answers, "grounded_by_rules": outcome.by_rules,
            "calibration": outcome.calibration, "seconds": outcome.seconds, "held_out": judgement,
        });
        serde_json::to_writer(&mut *out, &object)?;
        writeln!(out)?;
        return Ok(Answer::Yes);
    }
    if outcome.from_answers > 0 {
        writeln!(
            out,
            "{} rules from the answers of {} boards; with these, {:.1}% of the givens' pictures can mean only one digit.",
            outcome.from_answers,
            data.train.len(),
            100.0 * outcome.by_rules,
        )?;
    }
    writeln!(
        out,
        "{} rules from answers and pictures. Of Sudoku's own, which nobody told, {missing} are missing and {spurious} \
         others are there (boxes are named here for the reader; the learner has rows, columns and digits only):",
        outcome.rules.len(),
    )?;
    let shown = outcome.rules.over(&sudoku::variables_with_box(settings.order))?;
    list_families(out, &shown, &lift(&shown), 8, "precept rules")?;
    show::print(out, &judgement, &data.test)?;
    show::print_calibration(out, outcome.calibration.as_ref())?;
    writeln!(out, "\nThese figures lean on this: {}.", settings.leans_on().join("; "))?;
    let [first, steps, last] = outcome.seconds;
    if first + steps > 0.0 {
        writeln!(out, "Rules {first:.1} s, training {steps:.1} s, rules once more {last:.1} s.")?;
    }
    let path = run.path().display().to_string();
    writeln!(
        out,
        "\nWritten to {path}; all of it on one page: {path}/report.html\n\nNext:\n  precept eval {0} --abstain\n  precept rules {0}\n  precept export {0} --format opb",
        quoted(&path)
    )?;
    if settings.boards.is_none() && settings.joint.is_none() && settings.order == 3 {
        writeln!(
            out,
            "  precept train sudoku --train 9000 --test 1000 --steps 1500 --out runs/full     the full size"
        )?;
    }
    Ok(Answer::Yes)
}

/// What a run ended in whose training is over.
fn finished(settings: &RunSettings, run: &Run) -> anyhow::Result<Outcome> {
    let (rules, classifier, calibration) = sudoku_run::load(settings, run)?;
    let (from_answers, by_rules, seconds) = (0, 0.0, [0.0; 3]);
    Ok(Outcome { rules, classifier, calibration, from_answers, by_rules, is_interrupted: false, seconds })
}

/// Says how to go on.
fn interrupted(
    arguments: &Arguments,
    path: &Path,
    step: Option<u64>,
    progress: &Progress,
    out: &mut dyn Write,
) -> anyhow::Result<Answer> {
    progress.finish();
    if arguments.json {
        serde_json::to_writer(
            &mut *out,
            &json!({ "task": "sudoku", "run": path, "interrupted": true, "step": step }),
        )?;
        writeln!(out)?;
        return Ok(Answer::No);
    }
    match step {
        Some(step) => writeln!(out, "Training was interrupted after {step} steps, and is saved.")?,
        None => writeln!(out, "Training was interrupted before its first step.")?,
    }
    writeln!(out, "\nNext:\n  precept train sudoku --resume {}", quoted(&path.display().to_string()))?;
    Ok(Answer::No)
}
