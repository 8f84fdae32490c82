//! SATNet on Sudoku with the digits as text: of 4x4, where the grids of the held-out puzzles are in no training
//! puzzle, or of 9x9 from a file, whose last boards are held out.
//!
//! `cargo run --release -p preceptron-rivals --example satnet_sudoku -- [4x4|FILE [PUZZLES [EPOCHS [SEED]]]]`

use std::path::Path;
use std::time::Instant;

use preceptron_base::stream;
use preceptron_rivals::{Batch, OneHotCells, SatNet, SatNetSettings};
use rand::RngExt;
use rand::seq::{SliceRandom, index};

const CELLS: usize = 16;
const HELD_OUT_GRIDS: usize = 58;
const HELD_OUT: usize = 500;
const BATCH: usize = 40;

/// All 288 grids.
fn grids() -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    fill(&mut Vec::new(), &mut found);
    found
}

fn fill(cells: &mut Vec<u8>, found: &mut Vec<Vec<u8>>) {
    let place = cells.len();
    if place == CELLS {
        return found.push(cells.clone());
    }
    for digit in 1..=4 {
        let meets = |other: usize| {
            let (row, column) = (place / 4, place % 4);
            other / 4 == row || other % 4 == column || (other / 8 == row / 2 && other % 4 / 2 == column / 2)
        };
        if !(0..place).any(|other| cells[other] == digit && meets(other)) {
            cells.push(digit);
            fill(cells, found);
            cells.pop();
        }
    }
}

/// Puzzles with 6 to 10 givens that have one solution, as cells with 0 for a blank, and the solutions.
fn puzzles(all: &[Vec<u8>], grids: &[Vec<u8>], count: usize, seed: u64, purpose: &str) -> [Vec<u8>; 2] {
    let random = &mut stream(seed, purpose, 0);
    let (mut givens, mut solutions) = (Vec::new(), Vec::new());
    while solutions.len() < count * CELLS {
        let grid = &grids[random.random_range(0..grids.len())];
        let count = random.random_range(6..=10);
        let mut given = vec![0; CELLS];
        index::sample(random, CELLS, count).into_iter().for_each(|cell| given[cell] = grid[cell]);
        let fits =
            |other: &&Vec<u8>| given.iter().zip(*other).all(|(given, digit)| *given == 0 || given == digit);
        if all.iter().filter(fits).count() == 1 {
            givens.extend(given);
            solutions.extend(grid);
        }
    }
    [givens, solutions]
}

/// Boards to train on and others.
struct Boards {
    training: [Vec<u8>; 2],
    others: [Vec<u8>; 2],
    side: usize,
}

/// Puzzles of 4x4.
fn small(count: usize, seed: u64) -> Boards {
    let all = grids();
    let mut shuffled = all.clone();
    shuffled.shuffle(&mut stream(seed, "which grids are held out", 0));
    let (held_out, training) = shuffled.split_at(HELD_OUT_GRIDS);
    let training = puzzles(&all, training, count, seed, "puzzles to train on");
    Boards { training, others: puzzles(&all, held_out, HELD_OUT, seed, "other puzzles"), side: 4 }
}

/// The first rows of a file of 9x9 (`puzzle,solution`), and its last ones.
fn from_file(file: &Path, count: usize) -> anyhow::Result<Boards> {
    let text = preceptron_base::read_text(file)?;
    let digits = |word: &str| word.bytes().map(|byte| byte.wrapping_sub(b'0')).collect::<Vec<u8>>();
    let rows: Vec<[Vec<u8>; 2]> = text
        .lines()
        .filter_map(|line| line.split_once(',').map(|(puzzle, solution)| [digits(puzzle), digits(solution)]))
        .filter(|row| row.iter().all(|cells| cells.len() == 81 && cells.iter().all(|digit| *digit <= 9)))
        .collect();
    anyhow::ensure!(rows.len() >= count + HELD_OUT, "{} has only {} boards", file.display(), rows.len());
    let joined =
        |rows: &[[Vec<u8>; 2]]| [0, 1].map(|at| rows.iter().flat_map(|row| row[at].clone()).collect());
    Ok(Boards { training: joined(&rows[..count]), others: joined(&rows[rows.len() - HELD_OUT..]), side: 9 })
}

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| words.get(at).map_or(Ok(default), |word| word.parse());
    let (count, epochs, seed) = (number(1, 3000)? as usize, number(2, 20)?, number(3, 0)?);
    let (boards, settings) = match words.first().map(String::as_str) {
        None | Some("4x4") => {
            let settings = SatNetSettings { clauses: 100, auxiliary: 50, ..SatNetSettings::default() };
            (small(count, seed), settings)
        }
        Some(file) => (from_file(Path::new(file), count)?, SatNetSettings::default()),
    };
    let size = boards.side.pow(2);
    let [givens, solutions] = &boards.training;
    let [others, expected] = &boards.others;
    let cells = OneHotCells { classes: boards.side as u8 };
    let (other_inputs, other_known) = cells.bits(others)?;
    let mut layer = SatNet::new(size * boards.side, SatNetSettings { seed, ..settings })?;
    let mut order: Vec<usize> = (0..count).collect();
    let begin = Instant::now();
    for epoch in 0..=epochs {
        let (mut loss, mut seen) = (0.0, 0);
        order.shuffle(&mut stream(seed, "order of puzzles", epoch));
        for batch in order.chunks(BATCH).take(if epoch == 0 { 0 } else { usize::MAX }) {
            let rows =
                |cells: &[u8]| batch.iter().flat_map(|&i| &cells[i * size..][..size]).copied().collect();
            let (givens, solutions): (Vec<u8>, Vec<u8>) = (rows(givens), rows(solutions));
            let (inputs, is_input) = cells.bits(&givens)?;
            let (targets, judged) = cells.bits(&solutions)?;
            loss += layer.fit(Batch { inputs: &inputs, is_input: &is_input }, &targets, &judged)?
                * batch.len() as f64;
            seen += batch.len();
            if seen % 1000 == 0 && boards.side == 9 {
                println!(
                    "  {seen} boards  loss {:.4}  {:.0} s",
                    loss / seen as f64,
                    begin.elapsed().as_secs_f64()
                );
            }
        }
        let found = layer.predict(Batch { inputs: &other_inputs, is_input: &other_known })?;
        let digits = cells.most_probable(&found);
        let solved =
            digits.chunks_exact(size).zip(expected.chunks_exact(size)).filter(|(a, b)| a == b).count();
        let blanks = others.iter().filter(|&&given| given == 0).count();
        let wrong = digits.iter().zip(expected).filter(|(a, b)| a != b).count();
        println!(
            "epoch {epoch:3}  loss {:.4}  boards {:.1}%  blank cells {:.1}%  {:.1} s",
            loss / seen.max(1) as f64,
            100.0 * solved as f64 / HELD_OUT as f64,
            100.0 * (blanks - wrong) as f64 / blanks as f64,
            begin.elapsed().as_secs_f64()
        );
    }
    Ok(())
}
