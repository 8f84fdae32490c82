//! `precept train sudoku`: boards whose givens are pictures.

use std::io::Write;
use std::path::{PathBuf, absolute};

use anyhow::Context;
use clap::Args;
use precept::{Observer, Run, Staged, StagedSettings, StepRecord};
use precept_learn::Control;
use precept_logic::lift;
use precept_perceive::Perception;
use precept_tasks::sudoku::{self, Decoding};
use serde_json::json;

use crate::Answer;
use crate::present::{list_families, quoted, sudoku as show};
use crate::progress::Progress;
use crate::report;
use crate::sudoku_run::{NetworkName, RunSettings, boards, perception};

/// Visual Sudoku: boards whose givens are pictures of digits. Nobody says what a picture shows, and no
/// rule is known.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept train sudoku
  precept train sudoku --boards satnet_10000.csv.xz --steps 2000      the last 1,000 boards are for tests

Known are which cells are given and the digits of all other cells; the pictures are MNIST's, those for
training in boards to train on, those for tests in boards to test on. Ctrl-C ends training; what was
learned until then is judged and kept.
Exit codes: 0 rules found, 2 error.")]
pub struct Arguments {
    /// Boards from a file of lines `puzzle,solution`, also .xz and .gz [default: boards are generated].
    #[arg(long, value_name = "FILE")]
    boards: Option<PathBuf>,
    /// How many boards to train on [default: 1500, or all of the file but those for tests].
    #[arg(long, value_name = "N")]
    train: Option<usize>,
    /// How many boards to test on: the last ones of the file [default: 300, or 1000 of a file].
    #[arg(long, value_name = "N")]
    test: Option<usize>,
    /// A folder with another copy of MNIST.
    #[arg(long, value_name = "DIR")]
    mnist: Option<PathBuf>,
    /// Steps of the network's training.
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = clap::value_parser!(u64).range(4..=1_000_000))]
    steps: u64,
    /// The network.
    #[arg(long, value_enum, default_value_t = NetworkName::Cnn)]
    network: NetworkName,
    /// The seed of all random choices.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Threads; they do not change the result.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: u16,
    /// The directory of the run [default: runs/sudoku-SEED].
    #[arg(long, short, value_name = "DIRECTORY")]
    out: Option<PathBuf>,
    /// Overwrite the run.
    #[arg(long)]
    force: bool,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let path = arguments.out.clone().unwrap_or_else(|| format!("runs/sudoku-{}", arguments.seed).into());
    Run::check(&path, arguments.force)?;
    let (train, test) = boards(arguments.boards.as_deref(), arguments.train, arguments.test, arguments.seed)?;
    let threads = usize::from(arguments.threads);
    let staged =
        StagedSettings { steps: arguments.steps, seed: arguments.seed, threads, ..Default::default() };
    let settings = RunSettings {
        boards: arguments.boards.as_deref().map(absolute).transpose()?,
        train: train.len(),
        test: test.len(),
        mnist: arguments.mnist.as_deref().map(absolute).transpose()?,
        network: arguments.network,
        staged,
        perception: perception(arguments.network, arguments.seed, arguments.steps),
    };
    let mnist = settings.pictures()?;
    let training = sudoku::scenes(3, &train, &mnist.train, arguments.seed)?;
    let held_out = sudoku::scenes(3, &test, &mnist.test, arguments.seed)?;
    let mut classifier = settings.classifier()?;
    let progress = Progress::new(crate::interrupt::flag()?);
    let run = Run::create(&path, "sudoku", &settings, arguments.force)?;
    let (mut metrics, mut events) = (run.metrics()?, run.tensorboard()?);
    let learner = precept_learn::Settings { seed: arguments.seed, ..Default::default() }.check()?;
    let mut training = Staged::begin(&training, &mut classifier, staged, &learner, &progress)?;
    let from_answers = training.learned().rules.len();
    let by_rules = training.grounded();
    progress.stage("training", staged.steps);
    for step in 1..=staged.steps {
        if progress.is_cancelled() {
            break;
        }
        let measured = training.step(&progress)?;
        let record = StepRecord { learner: "staged", step, metrics: measured };
        metrics.step(&record);
        events.step(&record);
        if step == staged.steps / 4 + 1 || step == staged.steps / 2 + 1 {
            progress.stage("training", staged.steps);
            progress.advance(step - 1);
        }
        progress.advance(1);
    }
    metrics.close().with_context(|| format!("{}: metrics.jsonl cannot be written", path.display()))?;
    events.close().with_context(|| format!("{}: TensorBoard's events cannot be written", path.display()))?;
    let is_interrupted = progress.is_cancelled();
    let rules = match is_interrupted {
        true => training.rules().clone(),
        false => training.learn_again(&learner, &progress).rules.clone(),
    };
    run.write_rules(None, &rules)?;
    run.write_network(&classifier.save()?)?;
    let decodings = [Decoding::Likeliest, Decoding::Pinned];
    let judgement =
        sudoku::judge(&held_out, &test, &classifier, &rules, &decodings, threads, &precept_learn::Quiet)?;
    let page = report::Input::new(&run, &settings, &judgement, &held_out, &test, &rules)?;
    report::write(&run, &report::Input { interrupted: is_interrupted, ..page })?;
    progress.finish();
    let comparison = rules.compare(&sudoku::true_rules(3));
    let (spurious, missing) = (comparison.extra.len(), comparison.missing.len());
    if arguments.json {
        let object = json!({
            "task": "sudoku", "run": path, "interrupted": is_interrupted,
            "rules": rules.len(), "rules_missing": missing, "rules_spurious": spurious,
            "rules_from_answers": from_answers, "grounded_by_rules": by_rules, "held_out": judgement,
        });
        serde_json::to_writer(&mut *out, &object)?;
        writeln!(out)?;
        return Ok(Answer::Yes);
    }
    if is_interrupted {
        writeln!(out, "Training was interrupted; this is what was learned until then.\n")?;
    }
    writeln!(
        out,
        "{} rules from the answers of {} boards; with these, {:.1}% of the givens' pictures can mean only one digit.\n\
         {} rules from answers and pictures. Of Sudoku's own, which nobody told, {missing} are missing and {spurious} \
         others are there (boxes are named here for the reader; the learner has rows, columns and digits only):",
        from_answers,
        train.len(),
        100.0 * by_rules,
        rules.len(),
    )?;
    let shown = rules.over(&sudoku::variables_with_box(3))?;
    list_families(out, &shown, &lift(&shown), 8, "precept rules")?;
    show::print(out, &judgement, &test)?;
    let path = path.display().to_string();
    writeln!(
        out,
        "\nWritten to {path}.\n\nNext:\n  precept eval {0}\n  precept rules {0}\n  precept export {0} --format opb",
        quoted(&path)
    )?;
    if arguments.boards.is_none() {
        writeln!(
            out,
            "  precept train sudoku --train 9000 --test 1000 --steps 2000 --out runs/full     the full size"
        )?;
    }
    Ok(Answer::Yes)
}
