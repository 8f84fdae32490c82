//! `precept bench driving`: the paper's Table 2, with our rows beside the published ones.

use std::io::{self, Write};

use preceptron::words::print_table;
use preceptron::{Action, Group, TaskResult, ensure};
use preceptron_base::{Control, settings};
use serde_json::{Value, json};

use super::evaluation::trained;
use super::run_settings::Split;
use super::show::{compared, kind};
use super::{
    Density, DrivingSettings, FrameSources, Judgement, LearningSettings, MapSettings, Row, Supervision, table,
};
use preceptron_base::meter::measured;

/// F1 and collisions over several seeds, beside what was published.
pub struct PublishedTable;

settings! {
    /// What is measured.
    pub struct PublishedTableSettings {
        /// Frames to train on.
        train: usize = 6160, "N" in 1..=10_000_000;
        /// Frames to test on, of other drives.
        test: usize = 500, "N" in 1..=10_000_000;
        /// How many seeds, from --seed on: each has its own split, ends, pictures and networks.
        seeds: u64 = 3, "N" in 1..=100;
        /// How often to go through the frames.
        epochs: u32 = LearningSettings::default().epochs, "N" in 1..=10_000;
        /// The share of its worth that a plan loses where it collides: 1 for safety above all.
        caution: f64 = LearningSettings::default().caution, "SHARE" in 0.0..=1.0;
        /// Leave out the rows from true maps and of the networks that give paths.
        only_paths: bool = false;
        /// How many objects there are, where scenes are drawn at random.
        density: Density = Density::Normal, "DENSITY";
        /// Render pictures though there are some.
        render: bool = false;
        /// Print one JSON object instead of text.
        json: bool = false;
    }
    with { sources: FrameSources, maps: MapSettings }
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
    /// Seconds of training from paths.
    cpu: Option<f64>,
    /// What the frames are.
    kind: &'static str,
}

impl Seed {
    /// All rows with one seed; nothing if interrupted.
    fn measure(
        settings: &PublishedTableSettings,
        number: u64,
        control: &dyn Control,
    ) -> TaskResult<Option<Seed>> {
        let PublishedTableSettings { train, test, epochs, caution, density, render, .. } = *settings;
        let seed = settings.maps.seed.saturating_add(number);
        let run = DrivingSettings {
            train: Some(train),
            test,
            epochs,
            caution,
            density,
            render,
            sources: settings.sources.clone(),
            maps: MapSettings { seed, ..settings.maps },
            ..DrivingSettings::default()
        };
        let Split { index, train, test } = run.split()?;
        let (train, test) = match (index.frames(&train, control), index.frames(&test, control)) {
            _ if control.is_cancelled() => return Ok(None),
            (train, test) => (train?, test?),
        };
        let (mut networks, mut is_found, mut cpu) = (Vec::new(), false, None);
        for supervision in Supervision::ALL {
            if settings.only_paths && supervision != Supervision::Paths {
                continue;
            }
            let learning = LearningSettings { supervision, ..run.learning() };
            let (trained, cost) = measured(|| trained(&train, &learning, control));
            let Some((network, model, _)) = trained? else {
                return Ok(None);
            };
            if supervision == Supervision::Paths {
                (is_found, cpu) = (compared(&model.rules) == (0, 0), cost.cpu);
            }
            networks.push(network);
        }
        let Some((first, others)) = networks.split_first() else { return Ok(None) };
        let rows = match table(first, others, &train, &test, control) {
            _ if control.is_cancelled() => return Ok(None),
            table => table?.rows,
        };
        Ok(Some(Seed { number: seed, rows, is_found, cpu, kind: kind(&test) }))
    }

    /// A line for each row.
    fn sentence(&self) -> String {
        let row = |row: &Row| {
            let Judgement { path_f1, collision, .. } = row.judgement;
            format!("\n  {:.1} / {:.1}  {}", 100.0 * path_f1, 100.0 * collision, row.name)
        };
        let rules = if self.is_found { "all rules and no other" } else { "not the rules of paths exactly" };
        let rows: String = self.rows.iter().map(row).collect();
        format!(
            "seed {}: {rules}; {:.0} CPU-s from paths; F1 / collision:{rows}",
            self.number,
            self.cpu.unwrap_or(f64::NAN)
        )
    }

    fn json(&self) -> Value {
        let Seed { number, rows, is_found, cpu, .. } = self;
        json!({ "seed": number, "rules_found": is_found, "cpu": cpu, "rows": rows })
    }
}

impl Action for PublishedTable {
    const GROUP: Group = Group::Bench;
    const NAME: &'static str = "driving";
    const ABOUT: &'static str = "Driving: F1 and collisions of paths learned from demonstrations, from maps, and \
                                 directly, over several seeds.";
    const HELP: &'static str = "\
Examples:
  precept bench driving --train 1500 --test 300
  precept bench driving --labels label_2.tar.xz --calibration calib.tar.xz --mapping train_mapping.txt \\
    --mapping-order train_rand.txt --train 6160 --test 500

Without frames named, synthetic scenes are drawn at random; where only labels are named, pictures are synthetic.
Ctrl-C ends with the seeds that are done.";
    type Settings = PublishedTableSettings;

    fn run(
        settings: &PublishedTableSettings,
        out: &mut dyn Write,
        control: &dyn Control,
    ) -> TaskResult<bool> {
        let mut seeds = Vec::new();
        for number in 0..settings.seeds {
            let Some(seed) = Seed::measure(settings, number, control)? else { break };
            if !settings.json {
                writeln!(out, "{}", seed.sentence())?;
                out.flush()?;
            }
            seeds.push(seed);
        }
        ensure!(!seeds.is_empty(), "interrupted before a seed was done");
        if settings.json {
            writeln!(out, "{}", json!({ "seeds": seeds.iter().map(Seed::json).collect::<Vec<_>>() }))?;
        } else {
            let PublishedTableSettings { train, test, .. } = settings;
            let kind = seeds[0].kind;
            let words = "of other drives to test on; mean (least-greatest) of seeds";
            writeln!(out, "\n{train} {kind} to train on, {test} {words}\n")?;
            print_means(out, &seeds)?;
        }
        Ok(true)
    }
}

/// The rows over all seeds, and what was published.
fn print_means(out: &mut dyn Write, seeds: &[Seed]) -> io::Result<()> {
    let spread = |row: usize, figure: fn(&Judgement) -> f64, digits: usize| {
        let values: Vec<f64> = seeds.iter().map(|seed| figure(&seed.rows[row].judgement)).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let (least, most) = values.iter().fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(*v), b.max(*v)));
        match values.len() {
            1 => format!("{mean:.digits$}"),
            _ => format!("{mean:.digits$} ({least:.digits$}-{most:.digits$})"),
        }
    };
    let line = |(at, row): (usize, &Row)| {
        vec![
            row.name.clone(),
            spread(at, |judgement| 100.0 * judgement.path_f1, 1),
            spread(at, |judgement| 100.0 * judgement.collision, 1),
            spread(at, |judgement| judgement.authors_distance, 2),
            spread(at, |judgement| judgement.length_regret, 2),
            spread(at, |judgement| 100.0 * judgement.connected, 1),
            spread(at, |judgement| 100.0 * judgement.arrived, 1),
        ]
    };
    let lines: Vec<Vec<String>> = seeds[0].rows.iter().enumerate().map(line).collect();
    let titles = ["", "F1 %", "collision %", "authors' distance", "regret", "connected %", "arrived %"];
    print_table(out, &titles, &lines)?;
    writeln!(out, "\n  arrived: connected, and without collision")?;
    let found = seeds.iter().filter(|seed| seed.is_found).count();
    writeln!(out, "\n  the rules of paths, all and no other: with {found} of {} seeds", seeds.len())?;
    let cpu: Vec<String> = seeds.iter().filter_map(|seed| Some(format!("{:.0}", seed.cpu?))).collect();
    writeln!(out, "  CPU-s of training from paths: {}", cpu.join(", "))?;
    writeln!(out, "\nPublished, on real pictures and other splits: not to be compared figure by figure")?;
    let row = |(name, kitti, nuscenes): &(&str, [&str; 3], [&str; 3])| -> Vec<String> {
        [name].into_iter().chain(kitti).chain(nuscenes).map(|cell| (*cell).to_owned()).collect()
    };
    let titles = ["", "KITTI F1", "collision", "distance", "nuScenes F1", "collision", "distance"];
    print_table(out, &titles, &PUBLISHED.iter().map(row).collect::<Vec<_>>())
}
