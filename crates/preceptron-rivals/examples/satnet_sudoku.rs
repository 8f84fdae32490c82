//! SATNet on Sudoku of 4x4 with the digits as text: the grids of the held-out puzzles are in no training puzzle.
//!
//! `cargo run --release -p preceptron-rivals --example satnet_sudoku -- [PUZZLES [EPOCHS [SEED [CLAUSES [AUXILIARY]]]]]`

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

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| words.get(at).map_or(Ok(default), |word| word.parse());
    let (count, epochs, seed) = (number(0, 3000)? as usize, number(1, 20)?, number(2, 0)?);
    let settings = SatNetSettings {
        clauses: number(3, 100)? as usize,
        auxiliary: number(4, 50)? as usize,
        seed,
        ..SatNetSettings::default()
    };
    let all = grids();
    let mut shuffled = all.clone();
    shuffled.shuffle(&mut stream(seed, "which grids are held out", 0));
    let (held_out, training) = shuffled.split_at(HELD_OUT_GRIDS);
    let [givens, solutions] = puzzles(&all, training, count, seed, "puzzles to train on");
    let [others, expected] = puzzles(&all, held_out, HELD_OUT, seed, "other puzzles");
    let cells = OneHotCells { classes: 4 };
    let (other_inputs, other_known) = cells.bits(&others)?;
    let mut layer = SatNet::new(CELLS * 4, settings)?;
    let mut order: Vec<usize> = (0..count).collect();
    let begin = Instant::now();
    for epoch in 0..=epochs {
        let mut loss = 0.0;
        if epoch > 0 {
            order.shuffle(&mut stream(seed, "order of puzzles", epoch));
            for batch in order.chunks(BATCH) {
                let rows = |cells: &[u8]| {
                    batch.iter().flat_map(|&i| &cells[i * CELLS..][..CELLS]).copied().collect()
                };
                let (givens, solutions): (Vec<u8>, Vec<u8>) = (rows(&givens), rows(&solutions));
                let (inputs, is_input) = cells.bits(&givens)?;
                let (targets, judged) = cells.bits(&solutions)?;
                let batch = Batch { inputs: &inputs, is_input: &is_input };
                loss +=
                    layer.fit(batch, &targets, &judged)? * solutions.len() as f64 / (count * CELLS) as f64;
            }
        }
        let found = layer.predict(Batch { inputs: &other_inputs, is_input: &other_known })?;
        let digits = cells.most_probable(&found);
        let boards =
            digits.chunks_exact(CELLS).zip(expected.chunks_exact(CELLS)).filter(|(a, b)| a == b).count();
        let blanks = others.iter().filter(|&&given| given == 0).count();
        let wrong = digits.iter().zip(&expected).filter(|(a, b)| a != b).count();
        println!(
            "epoch {epoch:3}  loss {loss:.4}  boards {:.1}%  blank cells {:.1}%  {:.1} s",
            100.0 * boards as f64 / HELD_OUT as f64,
            100.0 * (blanks - wrong) as f64 / blanks as f64,
            begin.elapsed().as_secs_f64()
        );
    }
    Ok(())
}
