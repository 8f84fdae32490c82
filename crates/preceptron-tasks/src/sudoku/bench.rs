//! `precept bench sudoku`: the paper's Table 1 with our rows, over several seeds.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use preceptron::words::print_table;
use preceptron::{Action, Case, Group, Task, TaskResult, TrainError, Training, ensure, train};
use preceptron_base::{Control, settings};
use serde_json::json;

use super::settings::RuleSearch;
use super::task::SudokuEvaluation;
use super::{Decoding, Judgement, Sudoku, SudokuData, SudokuSettings, true_rules};
use preceptron_base::meter::{Cost, measured};

/// The paper's Table 1 with our rows.
pub struct Table1;

settings! {
    /// What is measured.
    pub struct Table1Settings {
        /// The SATNet boards; the last 1,000 are for tests.
        satnet: Option<PathBuf> = None, "FILE";
        /// The RRN boards to train on.
        rrn: Option<PathBuf> = None, "FILE";
        /// The RRN boards to test on, spread over the numbers of givens.
        rrn_test: Option<PathBuf> = None, "FILE";
        /// How many boards to train on.
        train: usize = 9000, "N" in 1..=10_000_000;
        /// How many boards to test on.
        test: usize = 1000, "N" in 1..=10_000_000;
        /// Steps of the network's training.
        steps: u64 = 4000, "N" in 4..=1_000_000;
        /// How many networks read together, their probabilities averaged.
        networks: usize = 1, "N" in 1..=20;
        /// The first seed.
        first_seed: u64 = 0, "N";
        /// How many seeds.
        seeds: u64 = 5, "N" in 1..=1000;
        /// How many seeds for the rows with least squares alone, and without trust region or penalty.
        ablation_seeds: u64 = 1, "N" in 0..=1000;
        /// Print one JSON object for each trained network and set of boards as well.
        json: bool = false;
    }
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

impl Table1Settings {
    fn run(&self, set: Set, rules_by: RuleSearch, seed: u64) -> SudokuSettings {
        SudokuSettings {
            boards: if set == Set::Satnet { self.satnet.clone() } else { self.rrn.clone() },
            test_boards: if set == Set::Satnet { None } else { self.rrn_test.clone() },
            train: Some(self.train),
            test: Some(self.test),
            steps: self.steps,
            networks: self.networks,
            rules_by,
            seed,
            ..SudokuSettings::default()
        }
    }

    fn has(&self, set: Set) -> bool {
        if set == Set::Satnet { self.satnet.is_some() } else { self.rrn.is_some() }
    }

    /// Trains on one set, and judges on it and on the other.
    fn measure(
        &self,
        (set, rules_by, seed): (Set, RuleSearch, u64),
        table: &mut Table,
        control: &dyn Control,
        out: &mut dyn Write,
    ) -> TaskResult<()> {
        let settings = self.run(set, rules_by, seed);
        let data = SudokuData::new(&settings, control)?;
        let mut schedule = Sudoku::schedule(&settings, &data)?;
        let (trained, cost) = measured(|| train(&mut *schedule, Training { control, ..Training::default() }));
        let model = match trained {
            // Without rules nothing is solved.
            Err(error @ (TrainError::NoRules(_) | TrainError::NothingGrounded(_))) => {
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
            trained => trained?.model,
        };
        let Some(model) = model.filter(|_| !control.is_cancelled()) else { return Ok(()) };
        let compared = model.rules.compare(&true_rules(3));
        for to in [set, set.other()].into_iter().filter(|&to| self.has(to)) {
            let other = self.run(to, rules_by, seed);
            let data = SudokuData::test_only(&other, Some(self.test), seed, control)?;
            let case = Case::<Sudoku> { settings: &settings, model: &model, data: &data };
            let how = SudokuEvaluation { confident: Some(0.99), ..SudokuEvaluation::default() };
            let judgement = Sudoku::score(case, &how, control)?;
            if control.is_cancelled() {
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
                "rules": model.rules.len(), "missing": compared.missing.len(), "spurious": compared.extra.len(),
                "rank": model.rules.rank(), "seconds": wall, "cpu_seconds": cpu, "held_out": judgement,
            });
            match self.json {
                true => writeln!(out, "{line}")?,
                false => writeln!(out, "{}", sentence([set, to], seed, &compared, &judgement, cost))?,
            }
            out.flush()?;
        }
        Ok(())
    }
}

/// One network and set of boards in a line.
fn sentence(
    [set, to]: [Set; 2],
    seed: u64,
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
        compared.equal.len() + compared.extra.len(),
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

impl Action for Table1 {
    const GROUP: Group = Group::Bench;
    const NAME: &'static str = "sudoku";
    const ABOUT: &'static str =
        "Visual Sudoku: the paper's Table 1 with our rows, transfer both ways, mean and spread over seeds.";
    const HELP: &'static str = "\
Examples:
  precept bench sudoku --satnet satnet_10000.csv.xz --rrn rrn_train_180000.csv.xz --rrn-test rrn_eval_18000.csv.xz
  precept bench sudoku --satnet satnet_10000.csv.xz --train 300 --seeds 1

Perception is the share of boards whose givens are all right (after repair, where the way of solving
repairs), solving that of boards whose other cells are all right, total that of boards that are right.
Ctrl-C ends with the seeds that are done.";
    type Settings = Table1Settings;

    fn run(settings: &Table1Settings, out: &mut dyn Write, control: &dyn Control) -> TaskResult<bool> {
        ensure!(
            settings.satnet.is_some() || settings.rrn.is_some(),
            "there are no boards: see --satnet, --rrn and --rrn-test"
        );
        ensure!(settings.rrn.is_none() || settings.rrn_test.is_some(), "--rrn goes with --rrn-test");
        let mut table = Table::default();
        let searches = [
            (RuleSearch::All, settings.seeds),
            (RuleSearch::LeastSquares, settings.ablation_seeds),
            (RuleSearch::Ntr, settings.ablation_seeds),
            (RuleSearch::Ndc, settings.ablation_seeds),
        ];
        'all: for (rules_by, seeds) in searches {
            for seed in settings.first_seed..settings.first_seed + seeds {
                for set in [Set::Satnet, Set::Rrn].into_iter().filter(|&set| settings.has(set)) {
                    settings.measure((set, rules_by, seed), &mut table, control, out)?;
                    if control.is_cancelled() {
                        break 'all;
                    }
                }
            }
        }
        print(&table, out)?;
        Ok(true)
    }
}

fn print(table: &Table, out: &mut dyn Write) -> TaskResult<()> {
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
