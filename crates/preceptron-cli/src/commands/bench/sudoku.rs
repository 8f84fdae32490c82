//! `precept bench sudoku`: the paper's Table 1 with our rows, over several seeds.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use preceptron::{Run, StagedSettings, TrainError};
use preceptron_base::Control;
use preceptron_tasks::sudoku::{self, Decoding, Judge, Judgement};
use serde_json::json;

use super::meter::{Cost, measured};
use crate::Answer;
use crate::present::print_table;
use crate::progress::Progress;
use crate::sudoku_run::{self, Data, NetworkName, RuleSearch, RunSettings, perception};

/// Visual Sudoku: the paper's Table 1 with our rows, transfer both ways, mean and spread over seeds.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept bench sudoku --satnet satnet_10000.csv.xz --rrn rrn_train_180000.csv.xz --rrn-test rrn_eval_18000.csv.xz
  precept bench sudoku --satnet satnet_10000.csv.xz --train 300 --seeds 1

Perception is the share of boards whose givens are all right (after repair, where the way of solving
repairs), solving that of boards whose other cells are all right, total that of boards that are right.
Ctrl-C ends with the seeds that are done.")]
pub struct Arguments {
    /// The SATNet boards; the last 1,000 are for tests.
    #[arg(long, value_name = "FILE")]
    satnet: Option<PathBuf>,
    /// The RRN boards to train on.
    #[arg(long, value_name = "FILE", requires = "rrn_test")]
    rrn: Option<PathBuf>,
    /// The RRN boards to test on, spread over the numbers of givens.
    #[arg(long, value_name = "FILE")]
    rrn_test: Option<PathBuf>,
    /// How many boards to train on.
    #[arg(long, value_name = "N", default_value_t = 9000)]
    train: usize,
    /// How many boards to test on.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    test: usize,
    /// Steps of the network's training.
    #[arg(long, value_name = "N", default_value_t = 1500)]
    steps: u64,
    /// How many networks read together, their probabilities averaged.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=20))]
    networks: u8,
    /// The first seed.
    #[arg(long, value_name = "N", default_value_t = 0)]
    first_seed: u64,
    /// How many seeds.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// How many seeds for the rows with least squares alone, and without trust region or penalty.
    #[arg(long, value_name = "N", default_value_t = 1)]
    ablation_seeds: u64,
    /// Print one JSON object for each trained network and set of boards as well.
    #[arg(long)]
    json: bool,
}

/// What the paper's Table 1 and the table of its appendix on transfer say: perception, solving, total.
const PAPER: [(&str, [[f64; 3]; 4]); 7] = [
    ("paper: RRN", [[0.0; 3]; 4]),
    ("paper: SATNet", [[0.0; 3]; 4]),
    ("paper: SATNet*", [[72.7, 75.9, 67.3], [75.7, 0.1, 0.1], [80.8, 1.4, 1.4], [0.0; 3]]),
    ("paper: L1R32H4", [[94.1, 91.0, 90.5], [87.7, 65.8, 65.7], [84.8, 21.3, 21.3], [94.9, 95.0, 94.5]]),
    ("paper: NTR", [[87.4, 0.0, 0.0], [91.4, 3.9, 3.9], [90.2, 0.0, 0.0], [86.9, 0.0, 0.0]]),
    ("paper: NDC", [[79.9, 0.0, 0.0], [88.0, 0.0, 0.0], [86.1, 0.0, 0.0], [82.4, 0.0, 0.0]]),
    ("paper: theirs", [[95.5, 95.9, 95.5], [93.1, 94.4, 93.1], [93.9, 95.2, 93.9], [95.2, 95.3, 95.2]]),
];

const DECODINGS: [Decoding; 4] =
    [Decoding::Likeliest, Decoding::Unique, Decoding::Pinned, Decoding::Confident(0.99)];

/// A set of boards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Set {
    Satnet,
    Rrn,
}

impl Set {
    fn name(self) -> &'static str {
        match self {
            Set::Satnet => "SATNet",
            Set::Rrn => "RRN",
        }
    }

    fn other(self) -> Set {
        if self == Set::Satnet { Set::Rrn } else { Set::Satnet }
    }
}

/// Figures by name of a row, then by (trained on, tested on).
#[derive(Default)]
struct Table {
    rows: Vec<String>,
    figures: BTreeMap<(String, Set, Set), Vec<[f64; 3]>>,
}

impl Table {
    fn add(&mut self, row: &str, from: Set, to: Set, figures: [f64; 3]) {
        if !self.rows.iter().any(|known| known == row) {
            self.rows.push(row.to_owned());
        }
        self.figures.entry((row.to_owned(), from, to)).or_default().push(figures);
    }

    /// Mean and, of several, the least and the greatest.
    fn cell(&self, row: &str, from: Set, to: Set, figure: usize) -> String {
        let Some(all) = self.figures.get(&(row.to_owned(), from, to)) else { return "-".to_owned() };
        let values = || all.iter().map(|figures| figures[figure]);
        let mean = values().sum::<f64>() / all.len() as f64;
        let (least, most) = values().fold((f64::MAX, f64::MIN), |(a, b), value| (a.min(value), b.max(value)));
        if least == most { format!("{mean:.1}") } else { format!("{mean:.2} ({least:.1}-{most:.1})") }
    }
}

fn row_name(rules_by: RuleSearch, decoding: Decoding) -> String {
    let search = match rules_by {
        RuleSearch::All => "precept",
        RuleSearch::LeastSquares => "least squares alone",
        RuleSearch::Ntr => "NTR",
        RuleSearch::Ndc => "NDC",
    };
    let way = match decoding {
        Decoding::Likeliest => "likeliest",
        Decoding::Unique => "one solution (extra prior)",
        Decoding::Pinned => "pinned",
        Decoding::Confident(least) => return format!("{search}, fixed from {least}"),
    };
    format!("{search}, {way}")
}

impl Arguments {
    fn settings(&self, set: Set, rules_by: RuleSearch, seed: u64) -> RunSettings {
        let network = NetworkName::Cnn;
        RunSettings {
            boards: if set == Set::Satnet { self.satnet.clone() } else { self.rrn.clone() },
            test_boards: if set == Set::Satnet { None } else { self.rrn_test.clone() },
            train: self.train,
            test: self.test,
            order: 3,
            mnist: None,
            wrong_answers: 0.0,
            rules_by,
            network,
            networks: self.networks.into(),
            transformer: None,
            joint: None,
            staged: StagedSettings { steps: self.steps, seed, ..StagedSettings::default() },
            perception: perception(network, seed, self.steps),
        }
    }

    fn has(&self, set: Set) -> bool {
        if set == Set::Satnet { self.satnet.is_some() } else { self.rrn.is_some() }
    }

    /// Trains on one set, and judges on it and on the other.
    fn measure(
        &self,
        directory: &Path,
        (set, rules_by, seed): (Set, RuleSearch, u64),
        table: &mut Table,
        progress: &Progress,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let settings = self.settings(set, rules_by, seed);
        let data = Data::new(&settings)?;
        let run = Run::create(directory, "sudoku", &settings, true)?;
        let save_every = Duration::from_secs(3600);
        let (trained, cost) =
            measured(|| sudoku_run::train(&settings, &data, &run, save_every, &mut [], progress));
        let trained = match trained {
            // Without rules nothing is solved.
            Err(error)
                if matches!(
                    error.downcast_ref(),
                    Some(TrainError::NoRules(_) | TrainError::NothingGrounded(_))
                ) =>
            {
                for to in [set, set.other()].into_iter().filter(|&to| self.has(to)) {
                    DECODINGS.iter().for_each(|&way| table.add(&row_name(rules_by, way), set, to, [0.0; 3]));
                }
                writeln!(
                    out,
                    "{} on {}, seed {seed}: {error}",
                    row_name(rules_by, DECODINGS[0]),
                    set.name()
                )?;
                return Ok(out.flush()?);
            }
            trained => trained?,
        };
        let Some(trained) = trained.filter(|trained| !trained.is_interrupted) else { return Ok(()) };
        let compared = trained.rules.compare(&sudoku::true_rules(3));
        for to in [set, set.other()].into_iter().filter(|&to| self.has(to)) {
            let other = self.settings(to, rules_by, seed);
            let (puzzles, scenes) = Data::test_only(&other, Some(self.test), seed)?;
            let judge = Judge {
                scenes: &scenes,
                puzzles: &puzzles,
                perception: &*trained.classifier,
                views: sudoku_run::VIEWS,
                rules: &trained.rules,
                decodings: &DECODINGS,
                confidence_at: None,
                threads: settings.staged.threads,
            };
            let judgement = judge.judge(progress)?;
            if progress.is_cancelled() {
                return Ok(());
            }
            for solved in &judgement.solved {
                let share = |boards: usize| 100.0 * boards as f64 / judgement.boards.max(1) as f64;
                let figures = [solved.boards_perceived, solved.boards_completed, solved.boards].map(share);
                table.add(&row_name(rules_by, solved.decoding), set, to, figures);
            }
            let Cost { wall, cpu } = cost;
            let line = json!({
                "trained_on": set.name(), "tested_on": to.name(), "seed": seed, "rules_by": rules_by,
                "rules": trained.rules.len(), "missing": compared.missing.len(), "spurious": compared.extra.len(),
                "rank": trained.rules.rank(), "seconds": wall, "cpu_seconds": cpu, "by_part": trained.seconds,
                "held_out": judgement,
            });
            progress.finish();
            match self.json {
                true => writeln!(out, "{line}")?,
                false => writeln!(out, "{}", sentence(set, to, seed, &trained, &compared, &judgement, cost))?,
            }
            out.flush()?;
        }
        Ok(())
    }
}

/// One network and set of boards in a line.
fn sentence(
    set: Set,
    to: Set,
    seed: u64,
    trained: &sudoku_run::Outcome,
    compared: &preceptron_logic::Comparison,
    judgement: &Judgement,
    cost: Cost,
) -> String {
    let solved = |at: usize| 100.0 * judgement.solved[at].boards as f64 / judgement.boards.max(1) as f64;
    format!(
        "{} to {}, seed {seed}: {} rules ({} missing, {} spurious), digits {:.2}%, likeliest {:.1}%, one solution {:.1}%, \
         pinned {:.1}%; trained in {:.0} s ({:.0} CPU-s)",
        set.name(),
        to.name(),
        trained.rules.len(),
        compared.missing.len(),
        compared.extra.len(),
        100.0 * judgement.givens_read as f64 / judgement.givens.max(1) as f64,
        solved(0),
        solved(1),
        solved(2),
        cost.wall,
        cost.cpu.unwrap_or(f64::NAN),
    )
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    anyhow::ensure!(
        arguments.satnet.is_some() || arguments.rrn.is_some(),
        "there are no boards: see --satnet, --rrn and --rrn-test"
    );
    let progress = Progress::new(crate::interrupt::flag()?);
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("run");
    let mut table = Table::default();
    let searches = [
        (RuleSearch::All, arguments.seeds),
        (RuleSearch::LeastSquares, arguments.ablation_seeds),
        (RuleSearch::Ntr, arguments.ablation_seeds),
        (RuleSearch::Ndc, arguments.ablation_seeds),
    ];
    'all: for (rules_by, seeds) in searches {
        for seed in arguments.first_seed..arguments.first_seed + seeds {
            for set in [Set::Satnet, Set::Rrn].into_iter().filter(|&set| arguments.has(set)) {
                arguments.measure(&path, (set, rules_by, seed), &mut table, &progress, out)?;
                if progress.is_cancelled() {
                    break 'all;
                }
            }
        }
    }
    progress.finish();
    print(&table, out)?;
    Ok(Answer::Yes)
}

fn print(table: &Table, out: &mut dyn Write) -> anyhow::Result<()> {
    let columns =
        [(Set::Satnet, Set::Satnet), (Set::Rrn, Set::Rrn), (Set::Satnet, Set::Rrn), (Set::Rrn, Set::Satnet)];
    let titles = [
        "",
        "SATNet perc.",
        "solving",
        "total",
        "RRN perc.",
        "solving",
        "total",
        "SATNet to RRN perc.",
        "solving",
        "total",
        "RRN to SATNet perc.",
        "solving",
        "total",
    ];
    let mut rows: Vec<Vec<String>> = PAPER
        .iter()
        .map(|(name, sets)| {
            let figures = sets.iter().flatten().map(|figure| format!("{figure:.1}"));
            std::iter::once((*name).to_owned()).chain(figures).collect()
        })
        .collect();
    for row in &table.rows {
        let mut cells = vec![row.clone()];
        for (from, to) in columns {
            cells.extend((0..3).map(|figure| table.cell(row, from, to, figure)));
        }
        rows.push(cells);
    }
    writeln!(
        out,
        "\nBoards right, in percent: mean (least-greatest of the seeds). The paper's rows are its own.\n"
    )?;
    Ok(print_table(out, &titles, &rows)?)
}
