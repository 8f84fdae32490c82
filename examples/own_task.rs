//! A task of your own: somebody's pictures and answers, and a network to read them.
//!
//! Four signs, drawn with noise, stand in half of the cells of Latin squares; of the other cells the sign is
//! known. Nobody says what a picture shows. `cargo run --release -p preceptron --example own_task`

use std::error::Error;
use std::sync::Arc;

use preceptron::grounding::{Known, query};
use preceptron::{Scenes, Sight, Staged, StagedSettings, Training, read, train};
use preceptron_base::stream;
use preceptron_learn::{Examples, Settings};
use preceptron_logic::{Problem, Var, Variables, lift};
use preceptron_perceive::{Classifier, Layer, Network, Shape};
use preceptron_reason::{Backend, Solution};
use rand::RngExt;
use rand::seq::SliceRandom;

type Square = [[usize; 4]; 4];
const SIDE: usize = 12;

/// A sign (bar, pole, cross, ring) as a picture of 12 x 12 pixels, moved about and with noise.
fn picture(sign: usize, random: &mut impl RngExt) -> Vec<u8> {
    let (x, y) = (random.random_range(-1..=1), random.random_range(-1..=1));
    let ink = |row: i32, column: i32| match sign {
        0 => row.abs() <= 1,
        1 => column.abs() <= 1,
        2 => (row - column).abs() <= 1 || (row + column).abs() <= 1,
        _ => (6..=16).contains(&(row * row + column * column)),
    };
    let bright = (0..SIDE * SIDE).map(|at| ink((at / SIDE) as i32 - 6 - y, (at % SIDE) as i32 - 6 - x));
    bright.map(|bright| (if bright { 150 } else { 20 }) + random.random_range(0..100)).collect()
}

/// A Latin square, any of the 576.
fn square(random: &mut impl RngExt) -> Square {
    loop {
        let mut square: Square = [[0, 1, 2, 3]; 4];
        square.iter_mut().for_each(|row| row.shuffle(random));
        let is_whole = |column: usize| (0..4).all(|sign| square.iter().any(|row| row[column] == sign));
        if (0..4).all(is_whole) {
            break square;
        }
    }
}

/// Squares as examples with pictures.
fn scenes(squares: &[Square], seed: u64) -> Result<Scenes, Box<dyn Error>> {
    let random = &mut stream(seed, "pictures", 0);
    let variables = Variables::block("cell", &[("row", 1..=4), ("column", 1..=4), ("sign", 1..=4)]);
    let places = (0..16).map(|cell| (0..4).map(|sign| Var(4 * cell + sign)).collect()).collect();
    let (mut known, mut sights, mut pixels) = (Vec::new(), Vec::new(), Vec::new());
    for square in squares {
        let (mut row, mut seen) = (vec![None; 64], Vec::new());
        for (cell, &sign) in square.iter().flatten().enumerate() {
            if random.random_bool(0.5) {
                seen.push(Sight { place: cell as u32, picture: (pixels.len() / (SIDE * SIDE)) as u32 });
                pixels.extend(picture(sign, random));
            } else {
                (0..4).for_each(|other| row[4 * cell + other] = Some(other == sign));
            }
        }
        known.push(row);
        sights.push(seen);
    }
    let (known, shape) = (Examples::from_rows(64, &known), Shape::new(1, SIDE, SIDE));
    Ok(Scenes::new(variables, places, known, sights, shape, pixels.into())?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let squares: Vec<Square> = (0..400).map(|at| square(&mut stream(1, "squares", at))).collect();
    let training = scenes(&squares[..300], 1)?;
    let network = Network::new(training.shape(), &[Layer::linear(32).relu(), Layer::linear(4)])?;
    let (mut classifier, learner) =
        (Classifier::new(network, Default::default(), 2)?, Settings::default().check()?);
    let settings = StagedSettings { steps: 150, batch: 200, ..Default::default() };
    let mut staged = Staged::new(&training, Box::new(&mut classifier), settings, learner);
    let rules = train(&mut staged, Training::default())?.model.ok_or("training was stopped")?.rules;
    drop(staged);
    lift(&rules).iter().for_each(|family| println!("{family}  ({} rules)", family.members.len()));
    // Fresh squares: what the pictures show, and the likeliest square that obeys the rules.
    let held_out = scenes(&squares[300..], 2)?;
    let mut reasoner = Backend::Portfolio.load(Arc::new(Problem::from(rules)))?;
    let (mut read_right, mut pictures, mut solved) = (0, 0, 0);
    for (at, square) in squares[300..].iter().enumerate() {
        let truth = square.as_flattened();
        let readings = read(&held_out, &classifier, &[at])?;
        let signs = readings.most_probable().zip(held_out.sights(at));
        read_right += signs.filter(|(sign, sight)| truth[sight.place as usize] == *sign).count();
        pictures += readings.len();
        let answer = reasoner.solve(&query(&held_out, at, readings.rows(), Known::Hidden)?)?;
        let is_right = |found: Solution| (0..16).all(|cell| found.values[4 * cell + truth[cell]]);
        solved += usize::from(answer.solution.is_some_and(is_right));
    }
    println!(
        "{read_right} of {pictures} pictures read right, {solved} of 100 squares found from pictures alone"
    );
    Ok(())
}
