//! The plain twin of a mapper: samples one at a time, in f64, between the plain twins of backbone and head.

use std::sync::Mutex;

use proptest::prelude::*;
use rand::RngExt;

use super::*;
use crate::twin::{NEAR, Value, disturb, values};
use crate::{Images, Layer, Shape};

struct Case {
    network: MapNetwork,
    weights: Weights,
    pixels: Vec<f32>,
    points: Vec<[f32; 2]>,
    extra: Vec<f32>,
}

/// Points anywhere in the images, some beyond their edges, some not seen.
fn case(network: MapNetwork, images: usize, seed: u64) -> Case {
    let mut random = stream_at(seed, "case of a test", &[0, 0]);
    let mut weights = network.initial(seed);
    let (first, second) = weights.parameters.split_at_mut(network.backbone.parameters);
    disturb(&network.backbone, first, &mut random);
    disturb(&network.head, second, &mut random);
    let shape = network.input();
    let pixels = (0..images * shape.size()).map(|_| random.random_range(0..1024) as f32 / 1024.0).collect();
    let mut along = |side: usize| random.random_range(-16..side as i32 * 8 + 16) as f32 / 8.0;
    let mut point = |number: usize| match number % 7 {
        3 => [f32::NAN; 2],
        _ => [along(shape.width), along(shape.height)],
    };
    let points = (0..images * network.points_of_image()).map(&mut point).collect();
    let extra = (0..images * network.extra_of_image()).map(|_| random.random_range(0..8) as f32 / 8.0);
    let extra = extra.collect();
    Case { network, weights, pixels, points, extra }
}

/// A map (channel, row, column) at a point, by the weight of each of its values.
fn sample(map: &[f64], network: &MapNetwork, number: usize, channel: usize, [x, y]: [f32; 2]) -> f64 {
    let (input, geometry) = (network.input(), &network.maps[number]);
    let (x, y) = (f64::from(x), f64::from(y));
    let within = |at: f64, side: usize| (-0.5..=side as f64 - 0.5).contains(&at);
    if !(within(x, input.width) && within(y, input.height)) {
        return 0.0;
    }
    let Shape { height, width, .. } = geometry.shape;
    let place = |at: f64, axis: usize, side: usize| {
        ((at - f64::from(geometry.offset[axis])) / f64::from(geometry.scale[axis]))
            .clamp(0.0, side as f64 - 1.0)
    };
    let (row, column) = (place(y, 0, height), place(x, 1, width));
    let share = |at: usize, place: f64| (1.0 - (at as f64 - place).abs()).max(0.0);
    let all = (0..height).flat_map(|r| (0..width).map(move |c| (r, c)));
    all.map(|(r, c)| share(r, row) * share(c, column) * map[(channel * height + r) * width + c]).sum()
}

/// Probabilities, and how far values are from where derivatives jump.
fn plain(case: &Case, parameters: &[f64]) -> (Vec<Value>, f64) {
    let (network, form, cells) = (&case.network, &case.network.form, case.network.cells());
    let pixels: Vec<f64> = case.pixels.iter().map(|&x| f64::from(x)).collect();
    let images: Vec<Value> = pixels.chunks(network.input().size()).map(<[f64]>::to_vec).collect();
    let (maps, below) = values(&network.backbone, parameters, &images);
    let learned = &parameters[network.embedding()];
    let grid = |image: usize| {
        let point = |cell: usize, point| case.points[(image * cells + cell) * form.points + point];
        let mut grid = Vec::new();
        for (number, &layer) in form.sampled.iter().enumerate() {
            for channel in 0..network.maps[number].shape.channels {
                for p in 0..form.points {
                    let map = &maps[layer + 1][image];
                    grid.extend((0..cells).map(|cell| sample(map, network, number, channel, point(cell, p))));
                }
            }
        }
        for p in 0..form.points {
            let ones = vec![1.0; network.input().size()];
            let whole = Shape::new(1, network.input().height, network.input().width);
            let geometry = sampling::Geometry { shape: whole, scale: [1.0; 2], offset: [0.0; 2] };
            let flags = MapNetwork { maps: vec![geometry], ..network.clone() };
            grid.extend((0..cells).map(|cell| 1.0 - sample(&ones, &flags, 0, 0, point(cell, p))));
        }
        let spread =
            |at: usize, side: usize| if side > 1 { at as f64 / (side - 1) as f64 * 2.0 - 1.0 } else { -1.0 };
        grid.extend((0..cells).map(|cell| spread(cell / form.columns, form.rows)));
        grid.extend((0..cells).map(|cell| spread(cell % form.columns, form.columns)));
        grid.extend(learned);
        let size = network.extra_of_image();
        grid.extend(case.extra[image * size..(image + 1) * size].iter().map(|&x| f64::from(x)));
        grid
    };
    let grids: Vec<Value> = (0..images.len()).map(grid).collect();
    let (mut layers, above) = values(&network.head, &parameters[network.backbone.parameters..], &grids);
    let mut rows = layers.pop().unwrap();
    rows.iter_mut().flatten().for_each(|x| *x = 1.0 / (1.0 + (-*x).exp()));
    (rows, below.min(above))
}

/// A loss that ties the cells together: the square of a weighted sum of the probabilities.
fn weight(image: usize, cell: usize) -> f64 {
    ((image * 7 + cell * 3) % 11) as f64 / 11.0 - 0.3
}

fn tied(image: usize, probabilities: &[f64]) -> f64 {
    let sum: f64 = probabilities.iter().enumerate().map(|(cell, p)| weight(image, cell) * p).sum();
    (sum + 0.5).powi(2)
}

fn check(case: &Case, skip: usize) {
    let network = &case.network;
    let images = case.pixels.len() / network.input().size();
    let inputs = MapInputs {
        images: Images::floats(network.input(), &case.pixels).unwrap(),
        points: Points::Each(&case.points),
        extra: &case.extra,
    };
    inputs.check(network).unwrap();
    let seen = Mutex::new(vec![Vec::new(); images]);
    let (mut worker, mut part) = (Worker::default(), Part::default());
    worker.fill(network, inputs, 0..images, |_, _| {});
    let loss = |image: usize, p: &[f32], slopes: &mut [f32]| {
        let p: Vec<f64> = p.iter().map(|&p| f64::from(p)).collect();
        let sum: f64 = p.iter().enumerate().map(|(cell, p)| weight(image, cell) * p).sum();
        for (cell, slope) in slopes.iter_mut().enumerate() {
            *slope = (2.0 * (sum + 0.5) * weight(image, cell) * p[cell] * (1.0 - p[cell])) as f32;
        }
        let loss = tied(image, &p);
        seen.lock().unwrap()[image] = p;
        loss
    };
    worker.differentiate(network, &case.weights, inputs, &loss, 0..images, &mut part);
    let mut parameters: Vec<f64> = case.weights.parameters.iter().map(|&p| f64::from(p)).collect();
    let (expected, _) = plain(case, &parameters);
    for (found, plain) in seen.lock().unwrap().iter().flatten().zip(expected.iter().flatten()) {
        assert!((found - plain).abs() < 1e-4, "probability {found}, plain {plain}");
    }
    let gradient = &part.gradient;
    let norm = (gradient.iter().map(|g| f64::from(g * g)).sum::<f64>() / gradient.len() as f64).sqrt();
    for at in (0..parameters.len()).step_by(skip) {
        let mut at_offset = |offset: f64| {
            let kept = parameters[at];
            parameters[at] += offset;
            let (rows, _) = plain(case, &parameters);
            parameters[at] = kept;
            rows.iter().enumerate().map(|(image, row)| tied(image, row)).sum::<f64>() / images as f64
        };
        let slope = (at_offset(1e-6) - at_offset(-1e-6)) / 2e-6;
        let error = (slope - f64::from(gradient[at])).abs();
        assert!(error < 2e-3 * (norm + slope.abs()), "parameter {at}: {} plain {slope}", gradient[at]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn mappers_of_every_kind(
        rows in 1..4usize, columns in 1..4usize, points in 1..4usize, both: bool, around: bool,
        extra in 0..3usize, embedding in 0..3usize, stride in 1..3usize, norm: bool,
        height in 4..7usize, width in 4..9usize, images in 2..9usize, seed: u64,
    ) {
        let layer = Layer::convolution(2, 3).padding(1);
        let layer = if norm { layer.norm() } else { layer };
        let backbone = [layer.stride(stride).relu(), layer.relu(), layer.residual(2).relu(), layer.pool(2)];
        let sampled = if both { vec![1, 3] } else { vec![3] };
        let over = if around { layer } else { Layer::convolution(3, 1).norm() };
        let layers = vec![over.relu(), Layer::convolution(1, 1)];
        let head = MapHead { rows, columns, points, sampled, extra, embedding, layers };
        if let Ok(network) = MapNetwork::new(Shape::new(2, height, width), &backbone, &head) {
            let case = case(network, images, seed);
            let parameters: Vec<f64> = case.weights.parameters.iter().map(|&p| f64::from(p)).collect();
            prop_assume!(plain(&case, &parameters).1 >= NEAR);
            check(&case, 3);
        }
    }
}

#[test]
fn whole_mappers() {
    let input = Shape::new(3, 16, 40);
    for head in [MapHead::cells(3, 4, 2, &MapNetwork::SAMPLED), MapHead::paths(3, 4, 2, &MapNetwork::SAMPLED)]
    {
        let network = MapNetwork::new(input, &MapNetwork::small_backbone(), &head).unwrap();
        check(&case(network, 3, 5), 3001);
    }
}
