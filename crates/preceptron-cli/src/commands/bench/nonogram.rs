//! `precept bench nonogram`: the paper's table of nonograms, and rules of 7 x 7 on larger boards.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use preceptron_base::Control;
use preceptron_tasks::nonogram::{BoardScore, NonogramSettings, NonogramTrial, Solver, generated};
use serde_json::{Value, json};

use crate::Answer;
use crate::present::{nonogram as show, print_table};
use crate::progress::Progress;

/// Nonograms: boards solved by number of training lines, and by size.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept bench nonogram --boards nonograms_7.csv.xz
  precept bench nonogram --sizes 100,300 --seeds 2 --transfer 15:20

From each training board one line is seen. A board counts as solved if its picture is the only one that the
learned rules allow. L1R32H4 is the recurrent transformer, trained on whole boards, as the paper has it.
Ctrl-C ends with what is done.")]
pub struct Arguments {
    /// A file of boards [default: generated boards].
    #[arg(long, value_name = "FILE")]
    boards: Option<PathBuf>,
    /// The numbers of training boards.
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', default_values_t = [100, 300, 1000, 5000, 9000])]
    sizes: Vec<usize>,
    /// How many seeds, from 0.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// How many boards to solve.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    test: usize,
    /// Larger boards to solve by the rules of the last training size and seed 0: side and how many.
    #[arg(long, value_name = "SIDE:COUNT,...", value_delimiter = ',', value_parser = side_and_count,
          default_values = ["15:200", "20:200", "30:50"])]
    transfer: Vec<(usize, usize)>,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

fn side_and_count(text: &str) -> Result<(usize, usize), String> {
    let parts =
        text.split_once(':').and_then(|(side, count)| Some((side.parse().ok()?, count.parse().ok()?)));
    match parts {
        Some((side @ 1..=60, count)) => Ok((side, count)),
        _ => Err("expected SIDE:COUNT, with a side of 1 to 60".to_owned()),
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

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let progress = Progress::new(crate::interrupt::flag()?);
    let (mut rows, mut json_rows): (Vec<Vec<String>>, Vec<Value>) = (Vec::new(), Vec::new());
    let mut all_right = true;
    let mut kept = None;
    'sizes: for &train in &arguments.sizes {
        for seed in 0..arguments.seeds {
            let boards = arguments.boards.clone();
            let settings =
                NonogramSettings { seed, boards, train, test: arguments.test, ..NonogramSettings::default() };
            let data = settings.data()?;
            let trial = NonogramTrial::new(data.lines, seed, &mut [], &progress);
            let solver = Solver::new(&trial.rules)?;
            let begun = Instant::now();
            let score = BoardScore::of(&solver, &data.test, &progress)?;
            if progress.is_cancelled() {
                break 'sizes;
            }
            let (seconds, solving) = (trial.report.seconds, begun.elapsed().as_secs_f64());
            all_right &= score.right == score.boards;
            let no_touch = trial.has_no_touch();
            json_rows.push(json!({
                "train": train, "seed": seed, "score": score, "rules": trial.rules.relative().len(),
                "no_touch": no_touch, "training_seconds": seconds, "solving_seconds": solving,
            }));
            rows.push(vec![
                train.to_string(),
                seed.to_string(),
                format!("{} of {}", score.right, score.boards),
                trial.rules.relative().len().to_string(),
                (if no_touch { "yes" } else { "no" }).to_owned(),
                format!("{seconds:.2}"),
                format!("{:.2}", 1e3 * solving / score.boards.max(1) as f64),
                published(train).to_owned(),
            ]);
            if seed == 0 {
                kept = Some(solver);
            }
        }
    }
    let mut transfers = Vec::new();
    if let Some(solver) = &kept {
        for &(side, count) in arguments.transfer.iter().filter(|_| !progress.is_cancelled()) {
            progress.stage(&format!("drawing boards of {side} x {side}"), 1);
            let boards = generated(side, count, 0);
            let begun = Instant::now();
            let score = BoardScore::of(solver, &boards, &progress)?;
            transfers.push((side, score, begun.elapsed().as_secs_f64()));
            all_right &= score.right == score.boards;
        }
    }
    progress.finish();
    if arguments.json {
        let transfers: Vec<Value> = transfers
            .iter()
            .map(|(side, score, seconds)| json!({ "side": side, "score": score, "seconds": seconds }))
            .collect();
        serde_json::to_writer(&mut *out, &json!({ "rows": json_rows, "transfer": transfers }))?;
        writeln!(out)?;
    } else {
        let titles =
            ["training boards", "seed", "solved", "rules", "no-touch", "training s", "ms a board", "L1R32H4"];
        print_table(out, &titles, &rows)?;
        for (side, score, seconds) in &transfers {
            let each = 1e3 * seconds / score.boards.max(1) as f64;
            writeln!(out, "{side} x {side}: {}, {each:.1} ms a board", show::score_line(score))?;
        }
    }
    Ok(if all_right { Answer::Yes } else { Answer::No })
}
