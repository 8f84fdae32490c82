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
    /// Five times: as it is and moved by a pixel to each side. The probabilities' geometric mean counts.
    Five,
}

impl Views {
    /// By how many columns and rows a picture is moved.
    fn moves(self) -> &'static [(isize, isize)] {
        match self {
            Views::One => &[(0, 0)],
            Views::Five => &[(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)],
        }
    }
}

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
    let moves = views.moves();
    if moves.len() == 1 && !control.is_cancelled() {
        return Ok(Some(perception.predict(Images::bytes(shape, pixels)?)?.values().to_vec()));
    }
    let mut logarithms: Vec<f64> = Vec::new();
    for &by in moves {
        if control.is_cancelled() {
            return Ok(None);
        }
        let moved = moved(shape, pixels, by);
        let read = perception.predict(Images::bytes(shape, &moved)?)?;
        logarithms.resize(read.values().len(), 0.0);
        for (sum, &p) in logarithms.iter_mut().zip(read.values()) {
            *sum += f64::from(p.max(1e-12)).ln() / moves.len() as f64;
        }
    }
    let mut values = Vec::with_capacity(logarithms.len());
    for row in logarithms.chunks(perception.classes().max(1)) {
        let greatest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = row.iter().map(|logarithm| (logarithm - greatest).exp()).sum();
        values.extend(row.iter().map(|logarithm| ((logarithm - greatest).exp() / total) as f32));
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
