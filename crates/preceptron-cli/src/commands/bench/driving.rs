//! `precept bench driving`: the paper's Table 2, with our rows beside the published ones.

use std::io::Write;

use anyhow::ensure;
use clap::Args;
use preceptron_base::Control;
use preceptron_tasks::driving::{Judgement, LearningSettings, Row, Supervision, Table, degree_rules, table};
use serde_json::json;

use super::meter::measured;
use crate::Answer;
use crate::commands::data::driving::sources::{Density, MapArguments, SourceArguments};
use crate::driving_run::{self, DrivingSettings, FrameSource, Outcome};
use crate::present::{driving as show, print_table};
use crate::progress::Progress;

/// Driving: F1 and collisions of paths learned from demonstrations, from maps, and directly, over several seeds.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept bench driving --train 1500 --test 300
  precept bench driving --labels label_2.tar.xz --calibration calib.tar.xz --mapping train_mapping.txt \\
    --mapping-order train_rand.txt --train 6160 --test 500

Without frames named, synthetic scenes are drawn at random; where only labels are named, pictures are synthetic.
Ctrl-C ends with the seeds that are done.")]
pub struct Arguments {
    /// Frames to train on.
    #[arg(long, value_name = "N", default_value_t = 6160)]
    train: usize,
    /// Frames to test on, of other drives.
    #[arg(long, value_name = "N", default_value_t = 500)]
    test: usize,
    /// How many seeds, from --seed on: each has its own split, ends, pictures and networks.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=100))]
    seeds: u16,
    /// How often to go through the frames.
    #[arg(long, value_name = "N", default_value_t = LearningSettings::default().epochs)]
    epochs: u32,
    /// The share of its worth that a plan loses where it collides: 1 for safety above all.
    #[arg(long, value_name = "SHARE", default_value_t = LearningSettings::default().caution)]
    caution: f64,
    /// Leave out the rows from true maps and of the networks that give paths.
    #[arg(long)]
    only_paths: bool,
    /// How many objects there are, where scenes are drawn at random.
    #[arg(long, value_enum, default_value = "normal")]
    density: Density,
    /// Render pictures though there are some.
    #[arg(long)]
    render: bool,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    sources: SourceArguments,
    #[command(flatten)]
    maps: MapArguments,
}

/// Published rows: F1 and collisions in percent, and the authors' distance, on KITTI and on nuScenes.
const PUBLISHED: [(&str, [&str; 3], [&str; 3]); 5] = [
    ("ResNet", ["68.5", "54.0", "2.91"], ["51.8", "68.1", "3.60"]),
    ("RTNet", ["77.3", "36.8", "2.89"], ["55.9", "63.8", "2.94"]),
    ("L1R32H4", ["11.9", "100", "NA"], ["12.0", "91.5", "100"]),
    ("the paper's", ["80.2", "32.8", "2.84"], ["58.8", "57.8", "2.81"]),
    ("the paper's SUP", ["84.9", "28.3", "2.75"], ["74.6", "52.9", "2.90"]),
];

/// What one seed gives.
struct Seed {
    number: u64,
    rows: Vec<Row>,
    /// Whether the rules of paths were found, all and no other.
    is_found: bool,
    /// CPU-seconds of training from paths.
    cpu: Option<f64>,
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let progress = Progress::new(crate::interrupt::flag()?);
    let (mut seeds, mut kind) = (Vec::new(), "frames");
    for number in 0..arguments.seeds {
        let seed = one_seed(arguments, u64::from(number), &progress)?;
        progress.finish();
        let Some((seed, of)) = seed else { break };
        if !arguments.json {
            writeln!(out, "{}", sentence(&seed))?;
            out.flush()?;
        }
        seeds.push(seed);
        kind = of;
    }
    ensure!(!seeds.is_empty(), "interrupted before a seed was done");
    if arguments.json {
        let each = |Seed { number, rows, is_found, cpu }: &Seed| json!({ "seed": number, "rules_found": is_found, "cpu": cpu, "rows": rows });
        writeln!(out, "{}", json!({ "seeds": seeds.iter().map(each).collect::<Vec<_>>() }))?;
        return Ok(Answer::Yes);
    }
    let (train, test) = (arguments.train, arguments.test);
    writeln!(
        out,
        "\n{train} {kind} to train on, {test} of other drives to test on; mean (least-greatest) of seeds\n"
    )?;
    let spread = |row: usize, figure: fn(&Judgement) -> f64, digits: usize| {
        let values: Vec<f64> = seeds.iter().map(|seed| figure(&seed.rows[row].judgement)).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let (least, most) = values.iter().fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(*v), b.max(*v)));
        match values.len() {
            1 => format!("{mean:.digits$}"),
            _ => format!("{mean:.digits$} ({least:.digits$}-{most:.digits$})"),
        }
    };
    let mut lines = Vec::new();
    for (at, row) in seeds[0].rows.iter().enumerate() {
        lines.push(vec![
            row.name.clone(),
            spread(at, |judgement| 100.0 * judgement.path_f1, 1),
            spread(at, |judgement| 100.0 * judgement.collision, 1),
            spread(at, |judgement| judgement.authors_distance, 2),
            spread(at, |judgement| judgement.length_regret, 2),
            spread(at, |judgement| 100.0 * judgement.connected, 1),
            spread(at, |judgement| 100.0 * judgement.arrived, 1),
        ]);
    }
    print_table(
        out,
        &["", "F1 %", "collision %", "authors' distance", "regret", "connected %", "arrived %"],
        &lines,
    )?;
    writeln!(out, "\n  arrived: connected, and without collision")?;
    let found = seeds.iter().filter(|seed| seed.is_found).count();
    writeln!(out, "\n  the rules of paths, all and no other: with {found} of {} seeds", seeds.len())?;
    let cpu: Vec<String> = seeds.iter().filter_map(|seed| Some(format!("{:.0}", seed.cpu?))).collect();
    writeln!(out, "  CPU-s of training from paths: {}", cpu.join(", "))?;
    writeln!(out, "\nPublished, on real pictures and other splits: not to be compared figure by figure")?;
    let published: Vec<Vec<String>> = PUBLISHED
        .iter()
        .map(|(name, kitti, nuscenes)| {
            [name].into_iter().chain(kitti).chain(nuscenes).map(|cell| (*cell).to_owned()).collect()
        })
        .collect();
    let titles = ["", "KITTI F1", "collision", "distance", "nuScenes F1", "collision", "distance"];
    print_table(out, &titles, &published)?;
    Ok(Answer::Yes)
}

/// One seed, with a line for each row.
fn sentence(seed: &Seed) -> String {
    let row = |row: &Row| {
        let Judgement { path_f1, collision, .. } = row.judgement;
        format!("\n  {:.1} / {:.1}  {}", 100.0 * path_f1, 100.0 * collision, row.name)
    };
    let rules = if seed.is_found { "all rules and no other" } else { "not the rules of paths exactly" };
    format!(
        "seed {}: {rules}; {:.0} CPU-s from paths; F1 / collision:{}",
        seed.number,
        seed.cpu.unwrap_or(f64::NAN),
        seed.rows.iter().map(row).collect::<String>(),
    )
}

/// All rows with one seed, and what kind of frames they are of; nothing if interrupted.
fn one_seed(
    arguments: &Arguments,
    number: u64,
    progress: &Progress,
) -> anyhow::Result<Option<(Seed, &'static str)>> {
    let mut maps = arguments.maps.settings()?;
    maps.seed += number;
    let learning = LearningSettings {
        seed: maps.seed,
        epochs: arguments.epochs,
        caution: arguments.caution,
        steps: maps.steps,
        threads: rayon::current_num_threads(),
        ..LearningSettings::default()
    };
    learning.check()?;
    let places = arguments.sources.absolute()?;
    let frames = FrameSource { density: arguments.density, render: arguments.render, places };
    let (train, test) =
        DrivingSettings { train: arguments.train, test: arguments.test, maps, learning, frames }.split()?;
    let mut all = vec![Supervision::Paths];
    if !arguments.only_paths {
        all.extend([Supervision::Maps, Supervision::Direct, Supervision::Resnet]);
    }
    let (mut trained, mut is_found, mut time) = (Vec::new(), false, None);
    for supervision in all {
        let learning = LearningSettings { supervision, ..learning };
        let (outcome, cost) = measured(|| driving_run::train(&train, &learning, None, &mut [], progress));
        if progress.is_cancelled() {
            return Ok(None);
        }
        let Some(Outcome { trained: network, findings }) = outcome? else { continue };
        if supervision == Supervision::Paths {
            let comparison = findings.rules().map(|rules| rules.compare(&degree_rules()));
            is_found = comparison.is_some_and(|c| c.is_equal());
            time = cost.cpu;
        }
        trained.push(network);
    }
    let Some((first, others)) = trained.split_first() else { return Ok(None) };
    let Table { rows, .. } = table(first, others, &train, &test)?;
    Ok(Some((Seed { number: learning.seed, rows, is_found, cpu: time }, show::kind(&test))))
}
