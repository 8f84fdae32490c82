//! What a network reads in the sights of examples.

use preceptron_base::{Control, Quiet};
use preceptron_perceive::{Images, PerceiveError, Perception, Probabilities, Shape};

use serde::{Deserialize, Serialize};

use crate::Scenes;

/// Examples that are read at once.
const AT_ONCE: usize = 64;

/// How often a picture is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Views {
    /// Once, as it is.
    #[default]
    One,
    /// Once, and where that leaves a doubt four times more, moved by a pixel to each side: then the geometric
    /// mean of the probabilities counts (test-time augmentation).
    Five,
}

impl Views {
    /// What is done, in words.
    pub fn in_words(self) -> &'static str {
        match self {
            Views::One => "each picture to be read is looked at once",
            Views::Five => {
                "a picture that leaves a doubt is looked at five times, as it is and moved by a pixel"
            }
        }
    }
}

/// By how many columns and rows a picture is moved for another look.
const MOVES: [(isize, isize); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

/// A symbol of this probability needs no further look.
const SURE: f32 = 0.999;

/// What the network reads in all sights of some examples, in turn.
///
/// # Errors
/// If the network fails.
pub fn read(
    scenes: &Scenes,
    perception: &dyn Perception,
    examples: &[usize],
) -> Result<Probabilities, PerceiveError> {
    read_in(Views::One, scenes, perception, examples)
}

/// The same with several looks at each picture.
///
/// # Errors
/// If the network fails.
pub fn read_in(
    views: Views,
    scenes: &Scenes,
    perception: &dyn Perception,
    examples: &[usize],
) -> Result<Probabilities, PerceiveError> {
    read_while(views, scenes, perception, examples, &Quiet)
}

/// The same for work that can be stopped: then it is what was read until that time, which `control` tells.
///
/// # Errors
/// If the network fails.
pub fn read_while(
    views: Views,
    scenes: &Scenes,
    perception: &dyn Perception,
    examples: &[usize],
    control: &dyn Control,
) -> Result<Probabilities, PerceiveError> {
    let mut values = Vec::new();
    let mut pixels = Vec::new();
    for some in examples.chunks(AT_ONCE) {
        let sights = some.iter().flat_map(|&example| scenes.sights(example)).copied();
        scenes.gather(sights, &mut pixels)?;
        let Some(read) = look_while(views, scenes.shape(), &pixels, perception, control)? else { break };
        values.extend(read);
        control.advance(some.len() as u64);
    }
    Ok(Probabilities::new(scenes.classes(), values))
}

/// What the network reads in pictures that follow one another.
///
/// # Errors
/// If the network fails.
pub fn look(
    views: Views,
    shape: Shape,
    pixels: &[u8],
    perception: &dyn Perception,
) -> Result<Vec<f32>, PerceiveError> {
    Ok(look_while(views, shape, pixels, perception, &Quiet)?.unwrap_or_default())
}

/// The same; nothing if it was stopped between two looks.
fn look_while(
    views: Views,
    shape: Shape,
    pixels: &[u8],
    perception: &dyn Perception,
    control: &dyn Control,
) -> Result<Option<Vec<f32>>, PerceiveError> {
    if control.is_cancelled() {
        return Ok(None);
    }
    let classes = perception.classes().max(1);
    let mut values = perception.predict(Images::bytes(shape, pixels)?)?.values().to_vec();
    let is_open = |row: &[f32]| row.iter().all(|&p| p < SURE);
    let open: Vec<usize> = match views {
        Views::One => Vec::new(),
        Views::Five => {
            (0..values.len() / classes).filter(|&at| is_open(&values[at * classes..][..classes])).collect()
        }
    };
    if open.is_empty() {
        return Ok(Some(values));
    }
    let some: Vec<u8> =
        open.iter().flat_map(|&at| &pixels[at * shape.size()..][..shape.size()]).copied().collect();
    let share = 1.0 / (1 + MOVES.len()) as f64;
    let logarithm = |p: &f32| f64::from(p.max(1e-12)).ln() * share;
    let first = open.iter().flat_map(|&at| &values[at * classes..][..classes]);
    let mut logarithms: Vec<f64> = first.map(logarithm).collect();
    for by in MOVES {
        if control.is_cancelled() {
            return Ok(None);
        }
        let read = perception.predict(Images::bytes(shape, &moved(shape, &some, by))?)?;
        logarithms.iter_mut().zip(read.values()).for_each(|(sum, p)| *sum += logarithm(p));
    }
    for (&at, row) in open.iter().zip(logarithms.chunks(classes)) {
        let greatest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = row.iter().map(|logarithm| (logarithm - greatest).exp()).sum();
        for (value, logarithm) in values[at * classes..].iter_mut().zip(row) {
            *value = ((logarithm - greatest).exp() / total) as f32;
        }
    }
    Ok(Some(values))
}

/// Pictures moved by some columns and rows; what comes in is 0.
fn moved(shape: Shape, pixels: &[u8], (columns, rows): (isize, isize)) -> Vec<u8> {
    let (height, width) = (shape.height, shape.width);
    let mut moved = vec![0; pixels.len()];
    let planes = pixels.chunks_exact(height * width).zip(moved.chunks_exact_mut(height * width));
    for (from, to) in planes {
        for row in 0..height {
            let Some(source) = row.checked_add_signed(-rows).filter(|row| *row < height) else { continue };
            for column in 0..width {
                let Some(at) = column.checked_add_signed(-columns).filter(|at| *at < width) else { continue };
                to[row * width + column] = from[source * width + at];
            }
        }
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_perceive::Targets;

    /// Reads the share of light in a picture's middle pixel, and the rest.
    struct Middle;

    impl Perception for Middle {
        fn input(&self) -> Shape {
            Shape::new(1, 3, 3)
        }

        fn fit(&mut self, _images: Images<'_>, _targets: Targets<'_>) -> Result<f64, PerceiveError> {
            Ok(0.0)
        }

        fn save(&self) -> Result<Vec<u8>, PerceiveError> {
            Ok(Vec::new())
        }

        fn load(&mut self, _file: &[u8]) -> Result<(), PerceiveError> {
            Ok(())
        }

        fn classes(&self) -> usize {
            2
        }

        fn predict(&self, images: Images<'_>) -> Result<Probabilities, PerceiveError> {
            let mut pixels = [0.0; 9];
            let mut values = Vec::new();
            for at in 0..images.len() {
                images.copy(at, &mut pixels);
                values.extend([pixels[4], 1.0 - pixels[4]]);
            }
            Ok(Probabilities::new(2, values))
        }
    }

    #[test]
    fn further_looks_are_taken_in_doubt_alone() {
        let sure = [0, 0, 0, 0, 255, 0, 0, 0, 0];
        let open = [0, 255, 0, 255, 128, 255, 0, 255, 0];
        let pixels = [sure, open].concat();
        let shape = Shape::new(1, 3, 3);
        let once = look(Views::One, shape, &pixels, &Middle).unwrap();
        let five = look(Views::Five, shape, &pixels, &Middle).unwrap();
        assert_eq!(once[..2], [1.0, 0.0]);
        assert_eq!(five[..2], once[..2]);
        // Four of the five looks see light in the middle.
        assert!(once[2] < 0.6 && five[2] > 0.99, "{once:?} {five:?}");
    }

    #[test]
    fn pictures_move_and_do_not_wrap() {
        let shape = Shape::new(1, 2, 3);
        let pixels = [1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16];
        assert_eq!(moved(shape, &pixels, (0, 0)), pixels);
        assert_eq!(moved(shape, &pixels, (1, 0)), [0, 1, 2, 0, 4, 5, 0, 11, 12, 0, 14, 15]);
        assert_eq!(moved(shape, &pixels, (-1, 0)), [2, 3, 0, 5, 6, 0, 12, 13, 0, 15, 16, 0]);
        assert_eq!(moved(shape, &pixels, (0, 1)), [0, 0, 0, 1, 2, 3, 0, 0, 0, 11, 12, 13]);
        assert_eq!(moved(shape, &pixels, (0, -1)), [4, 5, 6, 0, 0, 0, 14, 15, 16, 0, 0, 0]);
    }
}
