//! Joint training on visual Sudoku: rules, symbols and network learn from each other, judged rule by rule.
//!
//! ```text
//! cargo run --release -p preceptron-tasks --example joint -- --order 2 --boards 5000 --givens 5-9 --epochs 30 \
//!     --seeds 0..5
//! cargo run --release -p preceptron-tasks --example joint -- --no-trust-region --seeds 0..5
//! cargo run --release -p preceptron-tasks --example joint -- --order 3 --boards 9000 --givens 31-42 --rows 2000 \
//!     --epochs 400 --set proximal=15.6 --set trust_region=0.0016 --set constraint_penalty=0.0006 \
//!     --set grounding_penalty=0.01 --set warm_up=12 --seeds 0..1 --settled 20 --verbose
//! ```
//!
//! The last takes 25 minutes or more.
//!
//! Boards are generated, and their givens are pictures of MNIST's training part; what the pictures show is
//! not told. Printed are, for each seed, the true rules among the rows, their rank, and the wrong rows;
//! the same of the rules that the examples confirm; and how many digits the network reads right in fresh
//! boards with pictures of MNIST's test part.
//!
//! `--no-trust-region` (NTR) and `--no-penalty` (NDC) are the paper's ablations. `--order-of-steps authors`
//! goes as the programs of its authors, `--squared` takes the printed loss in place of cross-entropy,
//! `--network lenet` another network. `--set key=value` changes any other setting of `JointSettings`, as
//! `--set trust_region=0.003`. `--minutes 60` ends training early, `--settled 20` after so many
//! epochs in which every weight and every symbol was 0 or 1, and `--verbose` prints every epoch.

use std::ops::{Range, RangeInclusive};
use std::time::Instant;

use preceptron::{Joint, JointSettings, read};
use preceptron_base::Quiet;
use preceptron_learn::UpdateOrder;
use preceptron_logic::{Constraint, Rule, RuleSet};
use preceptron_perceive::{Classifier, Layer, Network, Objective, Perception, Settings, Shape};
use preceptron_tasks::{mnist::Mnist, sudoku};

struct Arguments {
    order: usize,
    boards: usize,
    givens: RangeInclusive<usize>,
    seeds: Range<u64>,
    joint: JointSettings,
    network: String,
    perception: Settings,
    minutes: f64,
    settled: u64,
    verbose: bool,
}

fn arguments() -> Result<Arguments, Box<dyn std::error::Error>> {
    let mut found = Arguments {
        order: 2,
        boards: 5000,
        givens: 5..=9,
        seeds: 0..5,
        joint: JointSettings::default(),
        network: "mlp".to_owned(),
        perception: Settings { averaging: 0.0, learning_rate: 4e-3, ..Settings::default() },
        minutes: 60.0,
        settled: u64::MAX,
        verbose: false,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--order" => found.order = value()?.parse()?,
            "--boards" => found.boards = value()?.parse()?,
            "--givens" => {
                let text = value()?;
                let (least, most) = text.split_once('-').ok_or("givens are a range such as 5-9")?;
                found.givens = least.parse()?..=most.parse()?;
            }
            "--seeds" => {
                let text = value()?;
                let (first, end) = text.split_once("..").ok_or("seeds are a range such as 0..5")?;
                found.seeds = first.parse()?..end.parse()?;
            }
            "--epochs" => found.joint.epochs = value()?.parse()?,
            "--rows" => found.joint.rows = value()?.parse()?,
            "--no-trust-region" => found.joint.trust_region = 0.0,
            "--no-penalty" => {
                (found.joint.constraint_penalty, found.joint.grounding_penalty) = (0.0, 0.0);
            }
            "--order-of-steps" => {
                found.joint.order = match value()?.as_str() {
                    "printed" => UpdateOrder::Printed,
                    "authors" => UpdateOrder::Authors,
                    other => return Err(format!("an order is printed or authors, not {other}").into()),
                };
            }
            "--set" => {
                let text = value()?;
                let (key, value) = text.split_once('=').ok_or("--set takes key=value")?;
                let mut settings = serde_json::to_value(found.joint)?;
                settings[key] = serde_json::from_str(value)?;
                found.joint = serde_json::from_value(settings)?;
            }
            "--squared" => found.perception.objective = Objective::Squared,
            "--learning-rate" => found.perception.learning_rate = value()?.parse()?,
            "--averaging" => found.perception.averaging = value()?.parse()?,
            "--network" => found.network = value()?,
            "--settled" => found.settled = value()?.parse()?,
            "--minutes" => found.minutes = value()?.parse()?,
            "--verbose" => found.verbose = true,
            other => return Err(format!("{other} is no option: see the top of this file").into()),
        }
    }
    Ok(found)
}

/// The processor time of this process, in seconds, as far as Linux tells.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = text.rsplit(')').next().unwrap_or_default();
    let ticks = |at: usize| after_name.split_whitespace().nth(at).and_then(|t| t.parse::<f64>().ok());
    (ticks(11).unwrap_or(0.0) + ticks(12).unwrap_or(0.0)) / 100.0
}

/// True rules among constraints, their rank, and how many constraints are no rule of Sudoku.
fn judged(constraints: &[Constraint], truth: &RuleSet) -> String {
    let (right, wrong): (Vec<_>, Vec<_>) = constraints.iter().cloned().partition(|c| truth.contains(c));
    let right = RuleSet::with_rules(truth.variables().clone(), right.into_iter().map(Rule::given));
    format!("{:>5} {:>5} {:>6}", right.len(), right.rank(), wrong.len())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Arguments { order, boards, givens, seeds, joint, network, perception, minutes, settled, verbose } =
        arguments()?;
    let (side, truth, mnist) = (sudoku::side(order), sudoku::true_rules(order), Mnist::embedded());
    println!("{} true rules of rank {}; {:?}", truth.len(), truth.rank(), joint);
    println!("        rows                      confirmed");
    println!("seed     true  rank  wrong rows    true  rank  wrong   digits    CPU-s  seconds  epochs");
    for seed in seeds {
        let grids = sudoku::generate(order, boards + 1000, seed);
        let puzzles = sudoku::with_givens(&grids, givens.clone(), seed);
        let (train, test) = puzzles.split_at(boards);
        let scenes = sudoku::scenes(order, train, &mnist.train, seed)?;
        let fresh = sudoku::scenes(order, test, &mnist.test, seed)?;
        let network = match network.as_str() {
            "lenet" => Network::lenet(side)?,
            "cnn" => Network::small_cnn(side)?,
            // The picture at half its width and height, then 128 hidden units.
            "mlp" => Network::new(
                Shape::new(1, 28, 28),
                &[Layer::convolution(1, 2).stride(2), Layer::linear(128).relu(), Layer::linear(side)],
            )?,
            other => return Err(format!("a network is mlp, lenet or cnn, not {other}").into()),
        };
        let settings = JointSettings { seed, ..joint }.check()?;
        let steps = settings.epochs * (boards / settings.batch).max(1) as u64;
        let perception = Settings { seed, steps: Some(steps), ..perception };
        let mut classifier = Classifier::new(network, perception, settings.threads)?;
        let (started, before) = (Instant::now(), processor_seconds());
        let mut joint = Joint::begin(&scenes, &mut classifier, settings)?;
        let mut boolean = 0;
        let is_late = || started.elapsed().as_secs_f64() >= 60.0 * minutes;
        while joint.steps_made() < joint.steps() && boolean < settled && !is_late() {
            let metrics = joint.step(&Quiet)?;
            if !joint.steps_made().is_multiple_of(joint.steps_in_epoch()) {
                continue;
            }
            let is_boolean = |name| metrics.get(name) == Some(1.0);
            let is_settled = is_boolean("boolean_weights") && is_boolean("boolean_symbols");
            boolean = if is_settled { boolean + 1 } else { 0 };
            if verbose {
                let shown = metrics.iter().map(|(name, value)| format!("{name} {value:.4}"));
                let read = digits_right(&fresh, test, joint.perception())?;
                println!("  {}, read {read:.2}%", shown.collect::<Vec<_>>().join(", "));
            }
        }
        let completed = joint.completed_examples()?;
        let (candidates, rules) = (joint.candidates(&completed), joint.rules(&completed));
        let epochs = joint.steps_made() as f64 / joint.steps_in_epoch() as f64;
        let (cpu, wall) = (processor_seconds() - before, started.elapsed().as_secs_f64());
        let confirmed: Vec<Constraint> = rules.constraints().cloned().collect();
        println!(
            "{seed:>4}    {} {:>13}  {}  {:>6.2}%  {cpu:>7.1}  {wall:>7.1}  {epochs:>6.1}",
            judged(&candidates, &truth),
            "",
            judged(&confirmed, &truth),
            digits_right(&fresh, test, &classifier)?,
        );
    }
    Ok(())
}

/// The share of the givens of boards that a network reads right, in percent.
fn digits_right(
    scenes: &preceptron::Scenes,
    puzzles: &[sudoku::Puzzle],
    perception: &dyn Perception,
) -> Result<f64, Box<dyn std::error::Error>> {
    let all: Vec<usize> = (0..scenes.len()).collect();
    let read = read(scenes, perception, &all)?;
    let sights = all.iter().flat_map(|&board| scenes.sights(board).iter().map(move |sight| (board, sight)));
    let is_right = |(board, sight): (usize, &preceptron::Sight), digit: usize| {
        usize::from(puzzles[board].solution.digits()[sight.place as usize]) == digit + 1
    };
    let right = sights.zip(read.most_probable()).filter(|(sight, digit)| is_right(*sight, *digit)).count();
    Ok(100.0 * right as f64 / read.len().max(1) as f64)
}
