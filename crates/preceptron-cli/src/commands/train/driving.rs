//! `precept train driving`: rules of paths and a network that sees obstacles, from demonstrated paths.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::{Args, ValueEnum};
use preceptron::Run;
use preceptron_tasks::driving::{Frames, LearningSettings, Supervision, Table, Trained, degree_rules, table};
use serde_json::json;

use crate::Answer;
use crate::commands::data::driving::sources::{Density, MapArguments, SourceArguments};
use crate::driving_run::{self, DrivingSettings, FrameSource, Outcome};
use crate::present::{driving as show, quoted};
use crate::progress::Progress;
use crate::report::driving as report;

/// Driving: plan around obstacles in pictures, learned from paths that somebody drove.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept train driving
  precept train driving --compare --density dense
  precept train driving --labels label_2.tar.xz --calibration calib.tar.xz --mapping train_mapping.txt \\
    --mapping-order train_rand.txt --train 6160 --test 500 --out runs/kitti
  precept train driving --resume runs/driving-0
  precept eval runs/driving-0 --draw sheet.png

Without frames named, synthetic scenes are drawn at random; where only labels are named, pictures are synthetic.
Ctrl-C ends training after the epoch; --resume goes on, and ends where it would have ended.
Exit codes: 0 all rules of paths found, 1 not all, or interrupted, 2 error.")]
pub struct Arguments {
    /// Frames to train on [default: 1500, or all that are not to test on].
    #[arg(long, value_name = "N")]
    train: Option<usize>,
    /// Frames to test on, of other drives.
    #[arg(long, value_name = "N", default_value_t = 300)]
    test: usize,
    /// How often to go through the frames.
    #[arg(long, value_name = "N", default_value_t = LearningSettings::default().epochs)]
    epochs: u32,
    /// What each expected obstacle costs in training from paths.
    #[arg(long, value_name = "WEIGHT", default_value_t = LearningSettings::default().prior)]
    prior: f64,
    /// The share of its worth that a plan loses where it collides: 1 for safety above all.
    #[arg(long, value_name = "SHARE", default_value_t = LearningSettings::default().caution)]
    caution: f64,
    /// The learning rate at its highest.
    #[arg(long, value_name = "RATE", default_value_t = LearningSettings::default().learning_rate)]
    learning_rate: f64,
    /// Take only shorter paths than the one shown as evidence of obstacles, not those as short.
    #[arg(long)]
    only_shorter: bool,
    /// What the network is told.
    #[arg(long, value_enum, default_value = "paths")]
    supervision: SupervisionArgument,
    /// Also train a network from the true maps, and two that give paths themselves.
    #[arg(long)]
    compare: bool,
    /// How many objects there are, where scenes are drawn at random.
    #[arg(long, value_enum, default_value = "normal")]
    density: Density,
    /// Render pictures though there are some.
    #[arg(long)]
    render: bool,
    /// Threads of the network [default: as many as there are].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// The directory of the run [default: runs/driving-SEED].
    #[arg(long, short, value_name = "DIRECTORY")]
    out: Option<PathBuf>,
    /// Overwrite the run.
    #[arg(long)]
    force: bool,
    /// Go on with a run that was interrupted or killed.
    #[arg(long, value_name = "DIRECTORY", conflicts_with_all = ["out", "force"])]
    resume: Option<PathBuf>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    sources: SourceArguments,
    #[command(flatten)]
    maps: MapArguments,
}

#[derive(Clone, Copy, ValueEnum)]
enum SupervisionArgument {
    /// Demonstrated paths; a planner plans on the network's maps.
    Paths,
    /// The true maps; the planner is the same.
    Maps,
    /// Demonstrated paths; the network gives the cells of paths itself.
    Direct,
    /// The same, and not told where in the picture cells are seen: the paper's ResNet.
    Resnet,
}

impl From<SupervisionArgument> for Supervision {
    fn from(argument: SupervisionArgument) -> Supervision {
        match argument {
            SupervisionArgument::Paths => Supervision::Paths,
            SupervisionArgument::Maps => Supervision::Maps,
            SupervisionArgument::Direct => Supervision::Direct,
            SupervisionArgument::Resnet => Supervision::Resnet,
        }
    }
}

impl Arguments {
    fn settings(&self) -> anyhow::Result<DrivingSettings> {
        let maps = self.maps.settings()?;
        let learning = LearningSettings {
            seed: maps.seed,
            supervision: self.supervision.into(),
            epochs: self.epochs,
            prior: self.prior,
            learning_rate: self.learning_rate,
            use_ties: !self.only_shorter,
            caution: self.caution,
            steps: maps.steps,
            threads: self.threads.map_or_else(rayon::current_num_threads, usize::from),
            ..LearningSettings::default()
        };
        learning.check()?;
        let places = self.sources.absolute()?;
        let frames = FrameSource { density: self.density, render: self.render, places };
        let mut settings = DrivingSettings { train: 1500, test: self.test, maps, learning, frames };
        if let Some(train) = self.train {
            settings.train = train;
        } else if self.sources.is_named() {
            let all = settings.frames.drafts(&maps, 0)?.len();
            settings.train = all.saturating_sub(self.test);
        }
        Ok(settings)
    }
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let (run, settings) = match &arguments.resume {
        Some(path) => {
            let run = Run::reopen(path)?;
            ensure!(run.task() == "driving", "{}: is a run of {}", path.display(), run.task());
            let settings: DrivingSettings = run.settings()?;
            ensure!(!run.is_finished(), "{}: has come to its end; precept eval scores it", path.display());
            (run, settings)
        }
        None => {
            let seed = arguments.maps.settings()?.seed;
            let path = arguments.out.clone().unwrap_or_else(|| format!("runs/driving-{seed}").into());
            Run::check(&path, arguments.force)?;
            let settings = arguments.settings()?;
            (Run::create(&path, "driving", &settings, arguments.force)?, settings)
        }
    };
    let progress = Progress::new(crate::interrupt::flag()?);
    let (train, test) = settings.split()?;
    let mut metrics = run.metrics_after(run.checkpoint()?.map_or(0, |checkpoint| checkpoint.step))?;
    let mut events = run.tensorboard()?;
    let shown = run.path().display().to_string();
    let written = || format!("{shown}: measurements cannot be written");
    let outcome = driving_run::train(
        &train,
        &settings.learning,
        Some(&run),
        &mut [&mut metrics, &mut events],
        &progress,
    )?;
    metrics.close().with_context(written)?;
    events.close().with_context(written)?;
    let Some(Outcome { trained, findings }) = outcome else {
        progress.finish();
        writeln!(
            out,
            "Training was interrupted.\n\nNext:\n  precept train driving --resume {}",
            quoted(&shown)
        )?;
        return Ok(Answer::No);
    };
    let others = if arguments.compare { rivals(&train, &settings, &progress)? } else { Vec::new() };
    let Table { rows, answers } = table(&trained, &others, &train, &test)?;
    progress.finish();
    let is_found = findings.rules().is_none_or(|rules| rules.compare(&degree_rules()).is_equal());
    if arguments.json {
        let object = json!({
            "task": "driving", "run": run.path(), "synthetic": test.is_synthetic, "train": train.len(),
            "test": test.len(), "rules": findings.rules().map(|rules| rules.relative().len()), "rules_found": is_found,
            "kappa": trained.choices.kappa, "shift": trained.choices.shift, "held_out_f1": findings.held_out_f1, "trust": findings.trust,
            "clauses": findings.clauses, "rows": rows,
        });
        serde_json::to_writer(&mut *out, &object)?;
        writeln!(out)?;
    } else {
        show::print_findings(out, &trained, &findings)?;
        writeln!(out, "\nOn {} {} of other drives:", test.len(), show::kind(&test))?;
        show::print_rows(out, &rows)?;
        let run = quoted(&shown);
        writeln!(
            out,
            "\nWritten to {shown}; all of it on one page: {shown}/report.html\n\nNext:\n  precept eval {run} --draw sheet.png\n  precept rules {run}"
        )?;
    }
    let rules = run.rules(None)?;
    let page =
        report::Input { settings: &settings, rules: &rules, rows: &rows, frames: &test, answers: &answers };
    report::write(&run, &page)?;
    Ok(if is_found { Answer::Yes } else { Answer::No })
}

/// Networks that are told something else.
fn rivals(train: &Frames, settings: &DrivingSettings, progress: &Progress) -> anyhow::Result<Vec<Trained>> {
    let mut trained = Vec::new();
    for supervision in [Supervision::Paths, Supervision::Maps, Supervision::Direct, Supervision::Resnet] {
        if supervision == settings.learning.supervision {
            continue;
        }
        let learning = LearningSettings { supervision, ..settings.learning };
        let outcome = driving_run::train(train, &learning, None, &mut [], progress)?;
        trained.extend(outcome.map(|outcome| outcome.trained));
    }
    Ok(trained)
}
