//! Images per second of a mapper in training and prediction: `cargo bench -p preceptron-perceive --bench maps`.
//!
//! Images of 3x48x208 pixels, a grid of 10x10 cells, five points for each cell, batches of 32.

use divan::Bencher;
use divan::counter::ItemsCount;
use preceptron_perceive::{
    Images, MapHead, MapInputs, MapNetwork, Mapper, Optimiser, Photometric, Points, Settings, Shape,
};

fn main() {
    divan::main();
}

const BATCH: usize = 32;
const SHAPE: Shape = Shape::new(3, 48, 208);
const HEADS: [&str; 2] = ["cells", "paths"];

fn mapper(name: &str, threads: usize) -> Mapper {
    let head = match name {
        "cells" => MapHead::cells(10, 10, 5, &MapNetwork::SAMPLED),
        _ => MapHead::paths(10, 10, 5, &MapNetwork::SAMPLED),
    };
    let settings = Settings { optimiser: Optimiser::AdamW, ..Settings::default() };
    let light = Photometric { brightness: 0.1, contrast: 0.1, noise: 0.02 };
    MapNetwork::new(SHAPE, &MapNetwork::small_backbone(), &head)
        .and_then(|network| Mapper::new(network, settings, light, threads))
        .expect("a network that fits")
}

/// Pixels, points that differ from image to image, and extra values.
fn inputs(mapper: &Mapper) -> (Vec<u8>, Vec<[f32; 2]>, Vec<f32>) {
    let mixed = |i: usize| i.wrapping_mul(2_654_435_761) >> 13;
    let pixels = (0..BATCH * SHAPE.size()).map(|i| mixed(i) as u8).collect();
    let place = |i: usize, side: usize| (mixed(i) % (side * 8)) as f32 / 8.0;
    let points = BATCH * mapper.network().cells() * mapper.network().head().points;
    let points = (0..points).map(|i| [place(i, SHAPE.width), place(i + 1, SHAPE.height)]).collect();
    (pixels, points, vec![0.0; BATCH * mapper.network().cells() * mapper.network().head().extra])
}

#[divan::bench(args = HEADS, consts = [1, 2])]
fn train<const THREADS: usize>(bencher: Bencher, name: &str) {
    let mut mapper = mapper(name, THREADS);
    let (pixels, points, extra) = inputs(&mapper);
    let images = Images::bytes(SHAPE, &pixels).expect("whole images");
    let inputs = MapInputs { images, points: Points::Each(&points), extra: &extra };
    bencher.counter(ItemsCount::new(BATCH)).bench_local(|| {
        mapper.fit(inputs, &|image, probabilities, slopes| {
            for (cell, (slope, p)) in slopes.iter_mut().zip(probabilities).enumerate() {
                *slope = p - f32::from(u8::from((image + cell) % 20 == 0));
            }
            slopes.iter().map(|slope| f64::from(slope.abs())).sum()
        })
    });
}

#[divan::bench(args = HEADS, consts = [1, 2])]
fn predict<const THREADS: usize>(bencher: Bencher, name: &str) {
    let mapper = mapper(name, THREADS);
    let (pixels, points, extra) = inputs(&mapper);
    let images = Images::bytes(SHAPE, &pixels).expect("whole images");
    let inputs = MapInputs { images, points: Points::Each(&points), extra: &extra };
    bencher.counter(ItemsCount::new(BATCH)).bench_local(|| mapper.predict(inputs));
}
