//! Trains on MNIST with its true labels and prints accuracy and time:
//!
//! ```text
//! cargo run --release -p preceptron-perceive --example mnist -- FOLDER [--network lenet|small_cnn]
//!     [--epochs N] [--batch N] [--rate R] [--threads N] [--seed N] [--held-out N] [--images N] [--bend PIXELS]
//! ```
//! FOLDER has the four files `train-images-idx3-ubyte.gz` and so on. With `--held-out N` the last N training
//! images are left out and judged on in place of the test images: settings are chosen that way. `--images N`
//! trains on the first N alone.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use flate2::read::GzDecoder;
use preceptron_perceive::{
    Augmentation, Classifier, Images, Network, Optimiser, Perception, Settings, Shape, Targets, Temperature,
    calibration_error,
};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

const SHAPE: Shape = Shape::new(1, 28, 28);
const CLASSES: usize = 10;

struct Digits {
    pixels: Vec<u8>,
    labels: Vec<u8>,
}

/// The values of an idx file after its header of so many numbers.
fn idx(path: &Path, header: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = File::open(path).with_context(|| path.display().to_string())?;
    GzDecoder::new(file).read_to_end(&mut bytes).with_context(|| path.display().to_string())?;
    ensure!(bytes.len() >= 4 * header, "{}: too short", path.display());
    Ok(bytes.split_off(4 * header))
}

impl Digits {
    fn read(folder: &Path, name: &str) -> Result<Digits> {
        let pixels = idx(&folder.join(format!("{name}-images-idx3-ubyte.gz")), 4)?;
        let labels = idx(&folder.join(format!("{name}-labels-idx1-ubyte.gz")), 2)?;
        ensure!(pixels.len() == labels.len() * SHAPE.size(), "{name}: not one label for each image");
        ensure!(labels.iter().all(|&label| usize::from(label) < CLASSES), "{name}: a label is above 9");
        Ok(Digits { pixels, labels })
    }

    /// The digits from number `at` on.
    fn split_off(&mut self, at: usize) -> Digits {
        Digits { pixels: self.pixels.split_off(at * SHAPE.size()), labels: self.labels.split_off(at) }
    }
}

/// CPU time of this process so far, in seconds, where the system tells it.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    // Fields 14 and 15 of the line are user and system time, in hundredths of a second.
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().context("which folder has MNIST?")?;
    let (mut network, mut epochs, mut rate, mut threads, mut seed, mut held_out) =
        (String::from("small_cnn"), None, None, 2, 0, 0);
    let (mut images, mut bend, mut batch) = (usize::MAX, 0.0, 580);
    while let (Some(key), Some(value)) = (arguments.next(), arguments.next()) {
        match &*key {
            "--network" => network = value,
            "--epochs" => epochs = Some(value.parse()?),
            "--rate" => rate = Some(value.parse()?),
            "--threads" => threads = value.parse()?,
            "--seed" => seed = value.parse()?,
            "--images" => images = value.parse()?,
            "--batch" => batch = value.parse::<usize>()?.max(1),
            "--bend" => bend = value.parse()?,
            "--held-out" => held_out = value.parse()?,
            _ => bail!("{key} is not an option"),
        }
    }
    let folder = Path::new(&folder);
    let mut training = Digits::read(folder, "train")?;
    ensure!(held_out + batch <= training.labels.len(), "{held_out} images cannot be held out");
    let judged = match held_out {
        0 => Digits::read(folder, "t10k")?,
        count => training.split_off(training.labels.len() - count),
    };
    training.split_off(images.clamp(batch, training.labels.len()));
    let batches = training.labels.len() / batch;
    let (network, settings, epochs): (_, _, usize) = match &*network {
        "lenet" => {
            let augmentation = Augmentation { shift: 2, ..Augmentation::default() };
            let settings = Settings { learning_rate: 6e-3, augmentation, ..Settings::default() };
            (Network::lenet(CLASSES)?, settings, epochs.unwrap_or(20))
        }
        "small_cnn" => {
            let augmentation =
                Augmentation { rotation: 10.0, scale: 0.1, shear: 0.1, translation: 2.0, bend, shift: 0 };
            let settings = Settings {
                optimiser: Optimiser::AdamW,
                learning_rate: 3e-3,
                weight_decay: 0.01,
                augmentation,
                ..Settings::default()
            };
            (Network::small_cnn(CLASSES)?, settings, epochs.unwrap_or(20))
        }
        other => bail!("{other} is not a network: lenet or small_cnn"),
    };
    let settings = Settings {
        seed,
        steps: Some((epochs * batches) as u64),
        learning_rate: rate.unwrap_or(settings.learning_rate),
        ..settings
    };
    let mut classifier = Classifier::new(network, settings, threads)?;

    let (wall, begun) = (Instant::now(), cpu_seconds());
    let mut order: Vec<usize> = (0..training.labels.len()).collect();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for epoch in 1..=epochs {
        order.shuffle(&mut random);
        let mut sum = 0.0;
        for ids in order.chunks_exact(batch) {
            let (mut pixels, mut rows) = (Vec::new(), vec![0.0; batch * CLASSES]);
            for (at, &id) in ids.iter().enumerate() {
                pixels.extend_from_slice(&training.pixels[id * SHAPE.size()..(id + 1) * SHAPE.size()]);
                rows[at * CLASSES + usize::from(training.labels[id])] = 1.0;
            }
            sum += classifier.fit(Images::bytes(SHAPE, &pixels)?, Targets::new(&rows))?;
        }
        let (loss, seconds) = (sum / batches as f64, cpu_seconds() - begun);
        let (right, surprise) = judge(&classifier, &judged)?;
        println!(
            "epoch {epoch:2}: loss {loss:.4}, {right:.2}% right, cross-entropy {surprise:.5}, {seconds:.1} CPU-s"
        );
    }
    let rate = (epochs * batches * batch) as f64 / wall.elapsed().as_secs_f64();
    println!("{rate:.0} images/s with {threads} threads");
    let probabilities = classifier.predict(Images::bytes(SHAPE, &judged.pixels)?)?;
    let labels: Vec<usize> = judged.labels.iter().map(|&label| label.into()).collect();
    // The temperature is fitted on one half and judged on the other.
    let half = labels.len() / 2;
    let (fitted, others) = probabilities.values().split_at(half * CLASSES);
    let rows = |values: &[f32]| preceptron_perceive::Probabilities::new(CLASSES, values.to_vec());
    let temperature = Temperature::fit(&rows(fitted), &labels[..half])?;
    let others = rows(others);
    println!(
        "temperature {:.3}: calibration error {:.4} before, {:.4} after",
        temperature.value(),
        calibration_error(&others, &labels[half..], 15)?,
        calibration_error(&temperature.apply(&others), &labels[half..], 15)?,
    );
    Ok(())
}

/// The share of images that are read right, and the cross-entropy, which says the same with less noise.
fn judge(classifier: &Classifier, digits: &Digits) -> Result<(f64, f64)> {
    let found = classifier.predict(Images::bytes(SHAPE, &digits.pixels)?)?;
    let labels = || digits.labels.iter().map(|&label| usize::from(label));
    let right = found.most_probable().zip(labels()).filter(|(found, label)| found == label).count();
    let surprise: f64 =
        found.rows().zip(labels()).map(|(row, label)| -f64::from(row[label].max(1e-7)).ln()).sum();
    let count = digits.labels.len() as f64;
    Ok((100.0 * right as f64 / count, surprise / count))
}
