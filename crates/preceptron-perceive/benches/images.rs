//! Images per second in training and prediction: `cargo bench -p preceptron-perceive`.
//!
//! `scripts/bench_pytorch.py` measures the same in PyTorch.

use divan::Bencher;
use divan::counter::ItemsCount;
use preceptron_perceive::{Classifier, Images, Network, Optimiser, Perception, Settings, Targets};

fn main() {
    divan::main();
}

const BATCH: usize = 580;
const NETWORKS: [&str; 2] = ["lenet", "small_cnn"];

fn classifier(name: &str, threads: usize) -> Classifier {
    let (network, optimiser) = match name {
        "lenet" => (Network::lenet(10), Optimiser::Adam),
        _ => (Network::small_cnn(10), Optimiser::AdamW),
    };
    let settings = Settings { optimiser, ..Settings::default() };
    network.and_then(|network| Classifier::new(network, settings, threads)).expect("a network that fits")
}

fn pixels() -> Vec<u8> {
    (0..BATCH * 784).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect()
}

#[divan::bench(args = NETWORKS, consts = [1, 2])]
fn train<const THREADS: usize>(bencher: Bencher, name: &str) {
    let (mut classifier, pixels) = (classifier(name, THREADS), pixels());
    let images = Images::bytes(classifier.input(), &pixels).expect("whole images");
    let rows: Vec<f32> = (0..BATCH * 10).map(|i| f32::from(u8::from(i / 10 % 10 == i % 10))).collect();
    bencher.counter(ItemsCount::new(BATCH)).bench_local(|| classifier.fit(images, Targets::new(&rows)));
}

#[divan::bench(args = NETWORKS, consts = [1, 2])]
fn predict<const THREADS: usize>(bencher: Bencher, name: &str) {
    let (classifier, pixels) = (classifier(name, THREADS), pixels());
    let images = Images::bytes(classifier.input(), &pixels).expect("whole images");
    bencher.counter(ItemsCount::new(BATCH)).bench_local(|| classifier.predict(images));
}
