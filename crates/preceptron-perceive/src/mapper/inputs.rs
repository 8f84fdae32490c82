//! What a mapper takes: images, where each cell of the grid is seen in them, and what else is known of it.

use std::ops::Range;

use super::MapNetwork;
use crate::{Images, PerceiveError};

/// Where the cells of a grid are seen in an image: for each cell, row by row, its points as x and y in pixels
/// of the input. x counts to the right, y down, and (0, 0) is the centre of the first pixel. What is NaN, or
/// beyond the edge of the image, is not seen.
#[derive(Clone, Copy, Debug)]
pub enum Points<'a> {
    /// The same in all images.
    Shared(&'a [[f32; 2]]),
    /// Those of each image, one image after the other.
    Each(&'a [[f32; 2]]),
}

impl<'a> Points<'a> {
    fn len(&self) -> usize {
        match self {
            Points::Shared(points) | Points::Each(points) => points.len(),
        }
    }

    /// The points of one image, of which each has so many.
    pub(crate) fn of(&self, image: usize, count: usize) -> &'a [[f32; 2]] {
        match self {
            Points::Shared(points) => points,
            Points::Each(points) => &points[image * count..(image + 1) * count],
        }
    }
}

/// Images with their points.
#[derive(Clone, Copy, Debug)]
pub struct MapInputs<'a> {
    /// The images.
    pub images: Images<'a>,
    /// Where the cells are seen in them.
    pub points: Points<'a>,
    /// What else is known: for each image and each extra channel a value for each cell, row by row.
    pub extra: &'a [f32],
}

impl<'a> MapInputs<'a> {
    /// Images with points and nothing else.
    pub fn new(images: Images<'a>, points: Points<'a>) -> MapInputs<'a> {
        MapInputs { images, points, extra: &[] }
    }

    /// Whether everything is what a network takes.
    pub(crate) fn check(&self, network: &MapNetwork) -> Result<(), PerceiveError> {
        let (images, expected) = (self.images.len(), network.backbone.input());
        if self.images.shape() != expected {
            return Err(PerceiveError::InputShape { expected, found: self.images.shape() });
        }
        let expected = match self.points {
            Points::Shared(_) => network.points_of_image(),
            Points::Each(_) => images * network.points_of_image(),
        };
        if self.points.len() != expected {
            return Err(PerceiveError::Points { images, expected, found: self.points.len() });
        }
        let expected = images * network.extra_of_image();
        if self.extra.len() != expected {
            return Err(PerceiveError::Extra { images, expected, found: self.extra.len() });
        }
        match self.extra.iter().position(|value| !value.is_finite()) {
            Some(at) => Err(PerceiveError::ExtraValue { image: at / network.extra_of_image() }),
            None => Ok(()),
        }
    }
}

/// The parts of a batch: about equal, of `most` images at the most.
pub(crate) fn parts(images: usize, most: usize) -> impl ExactSizeIterator<Item = Range<usize>> {
    let count = images.div_ceil(most);
    (0..count).map(move |part| images * part / count..images * (part + 1) / count)
}
