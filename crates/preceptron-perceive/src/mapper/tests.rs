//! Mappers in training.

use rand::RngExt;

use super::*;
use crate::{Images, Layer, Optimiser, Shape};

const SHAPE: Shape = Shape::new(2, 12, 20);
const GRID: [usize; 2] = [3, 4];
const CELLS: usize = GRID[0] * GRID[1];

fn settings() -> Settings {
    Settings {
        optimiser: Optimiser::AdamW,
        weight_decay: 0.01,
        learning_rate: 0.01,
        warm_up: 3,
        averaging: 0.9,
        ..Settings::default()
    }
}

const LIGHT: Photometric = Photometric { brightness: 0.1, contrast: 0.2, noise: 0.05 };

fn mapper(settings: Settings, threads: usize) -> Mapper {
    let three = Layer::convolution(6, 3).padding(1).norm();
    let backbone = [three.stride(2).relu(), three.relu(), three.residual(2).relu()];
    let network = MapNetwork::new(SHAPE, &backbone, &MapHead::cells(GRID[0], GRID[1], 2, &[0, 2])).unwrap();
    Mapper::new(network, settings, LIGHT, threads).unwrap()
}

/// Noise with bright blobs where cells are blocked. A cell is seen at two points; those of an image are all
/// moved by an amount of its own, and one cell in 16 is not seen at all and not blocked.
struct Scenes {
    pixels: Vec<u8>,
    points: Vec<[f32; 2]>,
    blocked: Vec<bool>,
}

fn scenes(count: usize, step: u64) -> Scenes {
    let mut random = stream_at(9, "scenes of a test", &[step, 0]);
    let mut scenes = Scenes { pixels: Vec::new(), points: Vec::new(), blocked: Vec::new() };
    for _ in 0..count {
        let [dx, dy] = [(); 2].map(|()| random.random_range(0..3usize));
        let mut image: Vec<u8> = (0..SHAPE.size()).map(|_| random.random_range(0..120)).collect();
        for cell in 0..CELLS {
            let (y, x) = (dy + 4 * (cell / GRID[1]), dx + 5 * (cell % GRID[1]));
            let seen = random.random_range(0..16) > 0;
            let blocked = random.random_range(0..4) == 0 && seen;
            let at = |y: usize, x: usize| if seen { [x as f32, y as f32] } else { [f32::NAN; 2] };
            scenes.points.extend([at(y, x), at(y + 1, x + 1)]);
            scenes.blocked.push(blocked);
            if blocked {
                for (y, x) in [(y, x), (y, x + 1), (y + 1, x), (y + 1, x + 1)] {
                    image[y * SHAPE.width + x] += 130;
                }
            }
        }
        scenes.pixels.extend(image);
    }
    scenes
}

impl Scenes {
    fn inputs(&self) -> MapInputs<'_> {
        MapInputs::new(Images::bytes(SHAPE, &self.pixels).unwrap(), Points::Each(&self.points))
    }

    /// The cross-entropy of each cell.
    fn loss(&self, image: usize, probabilities: &[f32], slopes: &mut [f32]) -> f64 {
        let mut loss = 0.0;
        for ((slope, &p), &blocked) in
            slopes.iter_mut().zip(probabilities).zip(&self.blocked[image * CELLS..])
        {
            *slope = p - f32::from(u8::from(blocked));
            loss -= f64::from(if blocked { p } else { 1.0 - p }).max(1e-9).ln();
        }
        loss
    }
}

fn train(mapper: &mut Mapper, steps: Range<u64>, count: usize) -> Vec<f64> {
    let step = |step| {
        let scenes = scenes(count, step);
        mapper.fit(scenes.inputs(), &|image, p, slopes| scenes.loss(image, p, slopes)).unwrap()
    };
    steps.map(step).collect()
}

#[test]
fn it_learns_where_to_look() {
    let mut mapper = mapper(settings(), 2);
    let losses = train(&mut mapper, 0..150, 32);
    let last: f64 = losses[140..].iter().sum::<f64>() / 10.0;
    assert!(last < 0.2 * losses[0], "{} to {last}", losses[0]);
    let fresh = scenes(100, 1000);
    let found = mapper.predict(fresh.inputs()).unwrap();
    let right = found.values().iter().zip(&fresh.blocked).filter(|(p, blocked)| (**p > 0.5) == **blocked);
    let right = right.count() as f64 / (100 * CELLS) as f64;
    assert!(right > 0.97, "{right}");
    // With the points of other images it does not know where the cells are.
    let moved: Vec<[f32; 2]> = fresh.points.iter().map(|[x, y]| [x + 2.5, y + 2.0]).collect();
    let moved = MapInputs { points: Points::Each(&moved), ..fresh.inputs() };
    let found = mapper.predict(moved).unwrap();
    let right = found.values().iter().zip(&fresh.blocked).filter(|(p, blocked)| (**p > 0.5) == **blocked);
    assert!((right.count() as f64) < 0.9 * (100 * CELLS) as f64);
}

#[test]
fn extra_channels_and_neighbours_are_used() {
    // A cell counts if the cell on its left has the extra value: the picture says nothing.
    let around = Layer::convolution(8, 3).padding(1).norm().relu();
    let head = MapHead {
        extra: 1,
        layers: vec![around, Layer::convolution(1, 1)],
        ..MapHead::cells(GRID[0], GRID[1], 2, &[0])
    };
    let network = MapNetwork::new(SHAPE, &[Layer::convolution(2, 3).relu()], &head).unwrap();
    let mut mapper = Mapper::new(network, settings(), Photometric::default(), 2).unwrap();
    let mut last = Vec::new();
    for step in 0..200 {
        let mut scenes = scenes(32, step);
        let extra: Vec<f32> = scenes.blocked.iter().map(|blocked| f32::from(u8::from(*blocked))).collect();
        for (at, target) in scenes.blocked.iter_mut().enumerate() {
            *target = at % GRID[1] > 0 && extra[at - 1] > 0.0;
        }
        let inputs = MapInputs { extra: &extra, ..scenes.inputs() };
        last.push(mapper.fit(inputs, &|image, p, slopes| scenes.loss(image, p, slopes)).unwrap());
    }
    let end: f64 = last[190..].iter().sum::<f64>() / 10.0;
    assert!(end < 0.1 * last[0], "{} to {end}", last[0]);
}

#[test]
fn threads_change_nothing() {
    let run = |threads| {
        let mut mapper = mapper(settings(), threads);
        let losses = train(&mut mapper, 0..5, 75);
        let found = mapper.predict(scenes(50, 50).inputs()).unwrap();
        (losses, found, mapper.save().unwrap())
    };
    let one = run(1);
    assert!(run(2) == one && run(3) == one && run(7) == one);
    let mut other = mapper(Settings { seed: 1, ..settings() }, 1);
    assert_ne!(train(&mut other, 0..5, 75), one.0);
}

#[test]
fn shared_points_are_those_of_each_image() {
    let mapper = mapper(settings(), 2);
    let (scenes, count) = (scenes(20, 0), mapper.network().points_of_image());
    let shared = &scenes.points[..count];
    let each: Vec<[f32; 2]> = (0..20).flat_map(|_| shared.to_vec()).collect();
    let predict = |points| mapper.predict(MapInputs { points, ..scenes.inputs() }).unwrap();
    assert_eq!(predict(Points::Shared(shared)), predict(Points::Each(&each)));
}

#[test]
fn resumed_training_is_the_same() {
    let mut whole = mapper(settings(), 2);
    let losses = train(&mut whole, 0..9, 40);
    let mut first = mapper(settings(), 1);
    train(&mut first, 0..4, 40);
    let mut second = mapper(settings(), 2);
    second.load(&first.save().unwrap()).unwrap();
    assert_eq!(second.step(), 4);
    assert_eq!(train(&mut second, 4..9, 40), losses[4..]);
    assert!(second.save().unwrap() == whole.save().unwrap());
}

#[test]
fn what_does_not_fit_is_named_and_changes_nothing() {
    let mut mapper = mapper(settings(), 1);
    let before = mapper.save().unwrap();
    let scenes = scenes(4, 0);
    let inputs = scenes.inputs();
    let mut message = |inputs| mapper.fit(inputs, &|_, _, _| 0.0).unwrap_err().to_string();
    assert_eq!(
        message(MapInputs { points: Points::Each(&scenes.points[1..]), ..inputs }),
        "4 images need 96 points, not 95"
    );
    assert_eq!(
        message(MapInputs { points: Points::Shared(&scenes.points), ..inputs }),
        "4 images need 24 points, not 96"
    );
    assert_eq!(message(MapInputs { extra: &[1.0], ..inputs }), "4 images need 0 extra values, not 1");
    let other = Images::bytes(Shape::new(1, 12, 20), &scenes.pixels).unwrap();
    assert_eq!(
        message(MapInputs { images: other, ..inputs }),
        "the images have shape 1x12x20, the network takes 2x12x20"
    );
    let none = MapInputs::new(Images::bytes(SHAPE, &[]).unwrap(), Points::Each(&[]));
    assert_eq!(message(none), "a batch needs an image with a weight above 0");
    for loss in [f64::NAN, f64::INFINITY] {
        let error = mapper.fit(inputs, &|_, _, _| loss).unwrap_err().to_string();
        assert!(error.starts_with("training diverged at step 0"), "{error}");
    }
    let error = mapper
        .fit(inputs, &|_, _, slopes| {
            slopes[0] = f32::NAN;
            0.0
        })
        .unwrap_err();
    assert!(error.to_string().starts_with("training diverged at step 0"));
    assert!(mapper.load(&before[..before.len() / 2]).is_err());
    assert!(mapper.save().unwrap() == before);
    let turned = Augmentation { rotation: 1.0, ..Augmentation::default() };
    let network = mapper.network().clone();
    let error =
        Mapper::new(network, Settings { augmentation: turned, ..settings() }, LIGHT, 1).err().unwrap();
    assert!(error.to_string().ends_with("is out of range: none for a mapper"), "{error}");
}

#[test]
fn saved_weights_name_their_part() {
    let file = mapper(settings(), 1).save().unwrap();
    let tensors = safetensors::SafeTensors::deserialize(&file).unwrap();
    for (name, shape) in [
        ("backbone.layer.0.weight", vec![6, 2, 3, 3]),
        ("head.layer.1.norm.mean", vec![32]),
        ("averaged.embedding", vec![4, 3, 4]),
    ] {
        assert_eq!(tensors.tensor(name).unwrap().shape(), shape, "{name}");
    }
}
