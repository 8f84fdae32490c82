//! `precept bench nonogram`: the paper's table of nonograms, and rules of 7 x 7 on larger boards.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use preceptron::words::print_table;
use preceptron::{Action, Group, TaskResult, Training, train};
use preceptron_base::{Control, Kind, Value as Typed, settings};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{BoardScore, NonogramLearner, NonogramSettings, Solver, generated, is_no_touch_among};

/// Boards solved by number of training lines, and by size.
pub struct Sizes;

/// Boards of a side, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideAndCount(usize, usize);

impl Typed for SideAndCount {
    const KIND: Kind = Kind::Text;

    fn read(text: &str) -> Result<SideAndCount, String> {
        let parts =
            text.split_once(':').and_then(|(side, count)| Some((side.parse().ok()?, count.parse().ok()?)));
        match parts {
            Some((side @ 1..=60, count)) => Ok(SideAndCount(side, count)),
            _ => Err("SIDE:COUNT, with a side of 1 to 60".to_owned()),
        }
    }

    fn written(&self) -> Option<String> {
        Some(format!("{}:{}", self.0, self.1))
    }
}

settings! {
    /// What is measured.
    pub struct SizesSettings {
        /// A file of boards [default: generated boards].
        boards: Option<PathBuf> = None, "FILE";
        /// The numbers of training boards.
        sizes: Vec<usize> = vec![100, 300, 1000, 5000, 9000], "N,N,...";
        /// How many seeds, from 0.
        seeds: u64 = 5, "N" in 1..=1000;
        /// How many boards to solve.
        test: usize = 1000, "N" in 1..=1_000_000;
        /// Larger boards to solve by the rules of the last training size and seed 0: side and how many.
        transfer: Vec<SideAndCount> =
            vec![SideAndCount(15, 200), SideAndCount(20, 200), SideAndCount(30, 50)], "SIDE:COUNT,...";
        /// Print one JSON object instead of a table.
        json: bool = false;
    }
}

/// What the paper reports of L1R32H4, in percent.
fn published(train: usize) -> &'static str {
    match train {
        1000 => "14.4%",
        5000 => "62.0%",
        9000 => "81.2%",
        _ => "",
    }
}

impl Action for Sizes {
    const GROUP: Group = Group::Bench;
    const NAME: &'static str = "nonogram";
    const ABOUT: &'static str = "Nonograms: boards solved by number of training lines, and by size.";
    const HELP: &'static str = "\
Examples:
  precept bench nonogram --boards nonograms_7.csv.xz
  precept bench nonogram --sizes 100,300 --seeds 2 --transfer 15:20

From each training board one line is seen. A board counts as solved if its picture is the only one that the
learned rules allow. L1R32H4 is the recurrent transformer, as the paper has it.
Ctrl-C ends with what is done.";
    type Settings = SizesSettings;

    fn run(settings: &SizesSettings, out: &mut dyn Write, control: &dyn Control) -> TaskResult<bool> {
        let (mut rows, mut json_rows): (Vec<Vec<String>>, Vec<Value>) = (Vec::new(), Vec::new());
        let mut all_right = true;
        let mut kept = None;
        'sizes: for &number in &settings.sizes {
            for seed in 0..settings.seeds {
                let (boards, test) = (settings.boards.clone(), settings.test);
                let run =
                    NonogramSettings { seed, boards, train: number, test, ..NonogramSettings::default() };
                let data = run.data()?;
                let mut learner = NonogramLearner::new(&data.lines, seed);
                let trained = train(&mut learner, Training { control, ..Training::default() })?;
                let rules = trained.model.unwrap_or_default().rules;
                let solver = Solver::new(&rules)?;
                let begun = Instant::now();
                let score = BoardScore::of(&solver, &data.test, control)?;
                if control.is_cancelled() {
                    break 'sizes;
                }
                let (seconds, solving) = (trained.report.seconds[1], begun.elapsed().as_secs_f64());
                all_right &= score.right == score.boards;
                let no_touch = is_no_touch_among(&rules);
                json_rows.push(json!({
                    "train": number, "seed": seed, "score": score, "rules": rules.relative().len(),
                    "no_touch": no_touch, "training_seconds": seconds, "solving_seconds": solving,
                }));
                rows.push(vec![
                    number.to_string(),
                    seed.to_string(),
                    format!("{} of {}", score.right, score.boards),
                    rules.relative().len().to_string(),
                    (if no_touch { "yes" } else { "no" }).to_owned(),
                    format!("{seconds:.2}"),
                    format!("{:.2}", 1e3 * solving / score.boards.max(1) as f64),
                    published(number).to_owned(),
                ]);
                if seed == 0 {
                    kept = Some(solver);
                }
            }
        }
        let mut transfers = Vec::new();
        if let Some(solver) = &kept {
            for &SideAndCount(side, count) in settings.transfer.iter().filter(|_| !control.is_cancelled()) {
                control.stage(&format!("drawing boards of {side} x {side}"), 1);
                let boards = generated(side, count, 0);
                let begun = Instant::now();
                let score = BoardScore::of(solver, &boards, control)?;
                transfers.push((side, score, begun.elapsed().as_secs_f64()));
                all_right &= score.right == score.boards;
            }
        }
        if settings.json {
            let transfer = |(side, score, seconds): &(usize, BoardScore, f64)| json!({ "side": side, "score": score, "seconds": seconds });
            let transfers: Vec<Value> = transfers.iter().map(transfer).collect();
            writeln!(out, "{}", json!({ "rows": json_rows, "transfer": transfers }))?;
            return Ok(all_right);
        }
        let titles =
            ["training boards", "seed", "solved", "rules", "no-touch", "training s", "ms a board", "L1R32H4"];
        print_table(out, &titles, &rows)?;
        for (side, score, seconds) in &transfers {
            let each = 1e3 * seconds / score.boards.max(1) as f64;
            writeln!(out, "{side} x {side}: {score}, {each:.1} ms a board")?;
        }
        Ok(all_right)
    }
}
