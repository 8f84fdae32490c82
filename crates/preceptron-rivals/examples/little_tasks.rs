//! Rivals on little tasks: accuracy on examples that were not trained on, against CPU-seconds.
//!
//! ```text
//! cargo run --release -p preceptron-rivals --example little_tasks -- xor 20 --seconds 60
//! ... -- nonogram nonograms_7.csv.xz --recurrences 16
//! ... -- sudoku FOLDER-OF-MNIST
//! ... -- sudoku FOLDER-OF-MNIST --satnet --clusters 20 --batch 40
//! ... -- speed 81,9 --recurrences 32
//! ```
//! The Sudoku is one of 4x4 cells, eight of them given as pictures of digits. With `--relational` it is the recurrent
//! relational network that learns, with `--satnet` SATNet (its network for pictures at `--digit-rate`), and with
//! `--clusters` what learns is given clusters of the pictures in their place, merged from `--centres`. Of pictures it is
//! said how many are read right; of clusters, by the best names for them.

use std::error::Error;
use std::path::Path;

use preceptron::Schedule;
use preceptron_base::{Quiet, stream};
use preceptron_perceive::{Images, Shape};
use preceptron_rivals::{
    CellExamples, CellInput, ClusterNames, ClusterSettings, Optimiser, PictureClusters, RecurrentTransformer,
    RelationalNetwork, RelationalSettings, Rival, RivalSchedule, SatNetRival, SatNetRivalSettings,
    SatNetSettings, ScheduleSettings, TransformerSettings, edges_of_groups, score,
};
use rand::RngExt;
use rand::seq::SliceRandom;

type Fallible<T> = Result<T, Box<dyn Error>>;

fn main() -> Fallible<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str, default: f64| -> Fallible<f64> {
        let at = words.iter().position(|word| word == name);
        at.and_then(|at| words.get(at + 1)).map_or(Ok(default), |word| Ok(word.parse()?))
    };
    let [task, of, ..] = &words[..] else { return Err("name a task and what it is on".into()) };
    let train = option("--train", 9000.0)? as usize;
    let (data, labels) = match task.as_str() {
        "xor" => (xor(of.parse()?, train + 500)?, Vec::new()),
        "nonogram" => (nonograms(Path::new(of), train + 500)?, Vec::new()),
        "sudoku" => sudoku(Path::new(of), train, 500)?,
        "speed" => (speed(of)?, Vec::new()),
        other => return Err(format!("there is no task {other}").into()),
    };
    let mut settings = TransformerSettings {
        recurrences: option("--recurrences", 32.0)? as usize,
        dropout: option("--dropout", 0.1)?,
        ..TransformerSettings::default()
    };
    settings.optimiser.learning_rate = option("--rate", 6e-4)?;
    let seconds = option("--seconds", 60.0)?;
    let train = train.min(data.len().saturating_sub(1));
    let (mut known, mut held_out) = parts(&data, train)?;
    let has = |name: &str| words.iter().any(|word| word == name);
    if has("--clusters") {
        let count = option("--clusters", 0.0)? as usize;
        let centres = option("--centres", count as f64)? as usize;
        let settings = ClusterSettings { centres, clusters: Some(count), ..ClusterSettings::default() };
        (known, held_out) = clustered(&known, &held_out, &labels, settings)?;
    }
    let form = *known.form();
    let rival: Box<dyn Rival> = match (has("--relational"), has("--satnet")) {
        (_, true) => {
            let layer = SatNetSettings {
                clauses: option("--clauses", 100.0)? as usize,
                auxiliary: option("--auxiliary", 50.0)? as usize,
                learning_rate: option("--rate", 2e-3)?,
                ..SatNetSettings::default()
            };
            let mut settings = SatNetRivalSettings {
                layer,
                own_symbols: has("--clusters"),
                ..SatNetRivalSettings::default()
            };
            settings.optimiser.learning_rate = option("--digit-rate", 1e-5)?;
            Box::new(SatNetRival::new(&form, settings)?)
        }
        (false, _) => Box::new(RecurrentTransformer::new(&form, settings)?),
        (true, _) => {
            let size = RelationalSettings {
                steps: settings.recurrences,
                optimiser: Optimiser {
                    learning_rate: option("--rate", 2e-4)?,
                    ..RelationalSettings::default().optimiser
                },
                ..RelationalSettings::default()
            };
            Box::new(RelationalNetwork::new(&form, &edges_of_groups(&groups(form.cells)), size)?)
        }
    };
    let batch = option("--batch", 16.0)? as usize;
    let schedule = ScheduleSettings { cpu_seconds: Some(seconds), batch, ..ScheduleSettings::default() };
    let mut schedule = RivalSchedule::new(rival, &known, schedule)?;
    let test: Vec<usize> = (0..held_out.len()).collect();
    let (mut next, mut losses) = (0.0, Vec::new());
    while !schedule.is_settled() && schedule.made() < schedule.steps() {
        losses.extend(schedule.step(&Quiet)?.get("loss"));
        if schedule.cpu_seconds() >= next || schedule.is_settled() {
            let found = score(schedule.rival(), &held_out, &test)?;
            let (steps, cpu) = (schedule.made(), schedule.cpu_seconds());
            let read = reading(schedule.rival(), &held_out, &labels)?;
            println!(
                "{cpu:6.1} CPU-s, {steps:5} steps, loss {:.4}, cells {:.1}%, examples {:.1}%{read}",
                losses.iter().sum::<f64>() / losses.len() as f64,
                100.0 * found.of_cells(),
                100.0 * found.of_examples()
            );
            losses.clear();
            next += seconds / 12.0;
        }
    }
    println!("{:.1} ms of CPU a step", 1e3 * schedule.cpu_seconds() / schedule.made() as f64);
    println!("{}", schedule.so_far()?.found);
    Ok(())
}

/// Clusters of the pictures that are trained on, in place of the pictures of all.
fn clustered(
    known: &CellExamples,
    held_out: &CellExamples,
    labels: &[u16],
    settings: ClusterSettings,
) -> Fallible<(CellExamples, CellExamples)> {
    let clusters = PictureClusters::learn(known, settings)?;
    let shape = known.form().pictures.ok_or("there are no pictures")?;
    let all = clusters.of(Images::bytes(shape, known.pixels())?)?;
    let of = |data: &CellExamples| -> (Vec<u32>, Vec<u16>) {
        pictures(data).map(|(_, number)| (all[number], labels[number])).unzip()
    };
    let ((seen, shown), (others, other_shown)) = (of(known), of(held_out));
    let names = ClusterNames::of(&seen, &shown);
    println!(
        "{} clusters: purity {:.1}% on the pictures trained on, {:.1}% of the others by these names",
        clusters.count(),
        100.0 * names.purity,
        100.0 * names.accuracy(&others, &other_shown)
    );
    Ok((clusters.symbols(known)?, clusters.symbols(held_out)?))
}

/// The pictures of cells: where a cell stands among those of all examples, and its picture.
fn pictures(data: &CellExamples) -> impl Iterator<Item = (usize, usize)> {
    let inputs = (0..data.len()).flat_map(|example| data.inputs(example)).enumerate();
    inputs.filter_map(|(at, input)| match input {
        CellInput::Picture(number) => Some((at, *number as usize)),
        _ => None,
    })
}

/// How many of the pictures are read right, where what a rival says of their cells can be compared.
fn reading(rival: &dyn Rival, data: &CellExamples, labels: &[u16]) -> Fallible<String> {
    if labels.is_empty() || pictures(data).next().is_none() {
        return Ok(String::new());
    }
    let examples: Vec<usize> = (0..data.len()).collect();
    let (rows, classes) = (rival.predict(data, &examples)?, data.form().classes);
    let is_right = |(at, number): &(usize, usize)| {
        let row = &rows[at * classes..][..classes];
        let best = (0..classes).max_by(|a, b| row[*a].total_cmp(&row[*b]));
        best == Some(usize::from(labels[*number]))
    };
    let (all, right) = (pictures(data).count(), pictures(data).filter(is_right).count());
    Ok(format!(", pictures {:.1}%", 100.0 * right as f64 / all as f64))
}

/// Rows, columns and blocks of a square of cells; neighbours where it is none.
fn groups(cells: usize) -> Vec<Vec<u32>> {
    let side = cells.isqrt();
    let of = |same: &dyn Fn(usize) -> usize| -> Vec<Vec<u32>> {
        let group =
            |number| (0..cells).filter(|&cell| same(cell) == number).map(|cell| cell as u32).collect();
        (0..side).map(group).collect()
    };
    if side * side != cells {
        return (1..cells as u32).map(|cell| vec![cell - 1, cell]).collect();
    }
    let mut groups = of(&|cell| cell / side);
    groups.extend(of(&|cell| cell % side));
    let block = side.isqrt();
    if block * block == side {
        groups.extend(of(&|cell| cell / side / block * block + cell % side / block));
    }
    groups
}

/// The first examples, and the others.
fn parts(data: &CellExamples, first: usize) -> Fallible<(CellExamples, CellExamples)> {
    let some = |range: std::ops::Range<usize>| -> Fallible<CellExamples> {
        let mut part = data.without_examples();
        for example in range {
            part.push(data.inputs(example), data.answers(example))?;
        }
        Ok(part)
    };
    Ok((some(0..first)?, some(first..data.len())?))
}

/// Bits, and a cell behind them for whether their sum is odd.
fn xor(bits: usize, count: usize) -> Fallible<CellExamples> {
    let mut data = CellExamples::new(bits + 1, 2).with_symbols(2);
    let mut random = stream(0, "bits of the little task", 0);
    for _ in 0..count {
        let bits: Vec<u32> = (0..bits).map(|_| random.random_range(0..2)).collect();
        let odd = (bits.iter().sum::<u32>() % 2) as u16;
        let inputs: Vec<CellInput> =
            bits.iter().map(|bit| CellInput::Symbol(*bit)).chain([CellInput::Nothing]).collect();
        let mut answers = vec![None; bits.len()];
        answers.push(Some(odd));
        data.push(&inputs, &answers)?;
    }
    Ok(data)
}

/// Each cell is given the numbers of its row and its column, four each, as one-hot vectors.
fn nonograms(path: &Path, count: usize) -> Fallible<CellExamples> {
    let text = preceptron_base::read_text(path)?;
    let (side, numbers, values) = (7, 4, 8);
    let (mut vectors, mut boards) = (Vec::new(), Vec::new());
    for line in text.lines().take(count) {
        let (clues, cells) = line.split_once(',').ok_or("a line without a comma")?;
        let clues: Vec<Vec<usize>> = clues
            .split('/')
            .map(|clue| clue.split('.').map(str::parse).collect::<Result<_, _>>())
            .collect::<Result<_, _>>()?;
        for cell in 0..side * side {
            for clue in [&clues[side + cell / side], &clues[cell % side]] {
                for at in 0..numbers {
                    let value = clue.get(at).copied().unwrap_or(0);
                    vectors.extend((0..values).map(|v| f32::from(u8::from(v == value))));
                }
            }
        }
        boards.push(cells.bytes().map(|byte| Some(u16::from(byte == b'1'))).collect::<Vec<_>>());
    }
    let mut data = CellExamples::new(side * side, 2).with_features(2 * numbers * values, vectors);
    for (number, answers) in boards.iter().enumerate() {
        let first = number * side * side;
        let inputs: Vec<CellInput> =
            (first..first + side * side).map(|at| CellInput::Features(at as u32)).collect();
        data.push(&inputs, answers)?;
    }
    Ok(data)
}

/// Boards of 4x4 cells, eight of them given as pictures; the others are the answers. A tenth of the pictures is for the
/// boards that are not trained on alone. With them comes the class of each picture of the folder. A board may have other solutions than the one that is its answer.
fn sudoku(folder: &Path, train: usize, test: usize) -> Fallible<(CellExamples, Vec<u16>)> {
    let read = |name: &str| preceptron_base::read_file(&folder.join(name), preceptron_base::BUDGET);
    let pixels = read("train-images-idx3-ubyte.gz")?[16..].to_vec();
    let labels = read("train-labels-idx1-ubyte.gz")?[8..].to_vec();
    let of_digit = |digit: u8| (0..labels.len()).filter(|at| labels[*at] == digit).collect::<Vec<_>>();
    let pictures: Vec<Vec<usize>> = (1..=4).map(of_digit).collect();
    let mut data = CellExamples::new(16, 4).with_pictures(Shape::new(1, 28, 28), pixels.into());
    let mut random = stream(0, "boards of the little task", 0);
    for board in 0..train + test {
        // A board whose rows, bands, columns, stacks and digits are exchanged.
        let mut lines = || {
            let mut bands = [[0, 1], [2, 3]];
            bands.iter_mut().for_each(|band| band.shuffle(&mut random));
            bands.shuffle(&mut random);
            [bands[0][0], bands[0][1], bands[1][0], bands[1][1]]
        };
        let (rows, columns) = (lines(), lines());
        let mut digits = [0u16, 1, 2, 3];
        digits.shuffle(&mut random);
        let value = |cell: usize| {
            let (row, column) = (rows[cell / 4], columns[cell % 4]);
            digits[(row * 2 + row / 2 + column) % 4]
        };
        let mut order: Vec<usize> = (0..16).collect();
        order.shuffle(&mut random);
        let (mut inputs, mut answers) = ([CellInput::Nothing; 16], [None; 16]);
        for (at, cell) in order.into_iter().enumerate() {
            let digit = value(cell);
            let (seen, held_out) =
                pictures[usize::from(digit)].split_at(pictures[usize::from(digit)].len() * 9 / 10);
            let choice = if board < train { seen } else { held_out };
            match at < 8 {
                true => {
                    inputs[cell] = CellInput::Picture(choice[random.random_range(0..choice.len())] as u32)
                }
                false => answers[cell] = Some(digit),
            }
        }
        data.push(&inputs, &answers)?;
    }
    Ok((data, labels.iter().map(|label| u16::from(*label).wrapping_sub(1)).collect()))
}

/// Examples of "CELLS,CLASSES" without sense.
fn speed(of: &str) -> Fallible<CellExamples> {
    let (cells, classes) = of.split_once(',').ok_or("CELLS,CLASSES")?;
    let (cells, classes) = (cells.parse()?, classes.parse()?);
    let mut data = CellExamples::new(cells, classes).with_symbols(10);
    for example in 0..65usize {
        let inputs: Vec<CellInput> =
            (0..cells).map(|cell| CellInput::Symbol(((cell * 7 + example) % 10) as u32)).collect();
        let answers: Vec<_> = (0..cells).map(|cell| Some(((cell * 3 + example) % classes) as u16)).collect();
        data.push(&inputs, &answers)?;
    }
    Ok(data)
}
