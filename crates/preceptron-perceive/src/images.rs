//! What goes in and what comes out: images, targets and probabilities.

use crate::{PerceiveError, Shape};

/// Borrowed images of one shape, one after the other, each channel by channel and row by row.
#[derive(Clone, Copy, Debug)]
pub struct Images<'a> {
    shape: Shape,
    pixels: Pixels<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Pixels<'a> {
    Bytes(&'a [u8]),
    Floats(&'a [f32]),
}

impl<'a> Images<'a> {
    /// Images of bytes, as in MNIST: 0 to 255 stand for 0 to 1.
    pub fn bytes(shape: Shape, pixels: &'a [u8]) -> Result<Images<'a>, PerceiveError> {
        Images { shape, pixels: Pixels::Bytes(pixels) }.check(pixels.len())
    }

    /// Images of numbers, taken as they are.
    pub fn floats(shape: Shape, pixels: &'a [f32]) -> Result<Images<'a>, PerceiveError> {
        let images = Images { shape, pixels: Pixels::Floats(pixels) }.check(pixels.len())?;
        match pixels.iter().position(|value| !value.is_finite()) {
            Some(at) => Err(PerceiveError::Pixel { image: at / shape.size() }),
            None => Ok(images),
        }
    }

    fn check(self, values: usize) -> Result<Images<'a>, PerceiveError> {
        match self.shape.size() > 0 && values.is_multiple_of(self.shape.size()) {
            true => Ok(self),
            false => Err(PerceiveError::Images { values, shape: self.shape }),
        }
    }

    /// The shape of each image.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// How many images there are.
    pub fn len(&self) -> usize {
        let values = match self.pixels {
            Pixels::Bytes(pixels) => pixels.len(),
            Pixels::Floats(pixels) => pixels.len(),
        };
        values / self.shape.size()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes one image as numbers.
    ///
    /// # Panics
    /// If there is no such image, or `into` has not as many values as it.
    pub fn copy(&self, image: usize, into: &mut [f32]) {
        let range = image * self.shape.size()..(image + 1) * self.shape.size();
        match self.pixels {
            Pixels::Bytes(pixels) => {
                for (value, &byte) in into.iter_mut().zip(&pixels[range]) {
                    *value = f32::from(byte) * (1.0 / 255.0);
                }
            }
            Pixels::Floats(pixels) => into.copy_from_slice(&pixels[range]),
        }
    }
}

/// What the network should say of each image: a probability for each class.
#[derive(Clone, Copy, Debug)]
pub struct Targets<'a> {
    /// A row for each image, one after the other.
    pub rows: &'a [f32],
    /// How much each image counts; all the same if there is nothing.
    pub weights: Option<&'a [f32]>,
}

/// How far the sum of a target row may be from 1.
const SUM_TOLERANCE: f32 = 1e-3;

impl<'a> Targets<'a> {
    /// Targets of images that all count the same.
    pub fn new(rows: &'a [f32]) -> Targets<'a> {
        Targets { rows, weights: None }
    }

    /// The weight of one image.
    pub(crate) fn weight(&self, image: usize) -> f32 {
        self.weights.map_or(1.0, |weights| weights[image])
    }

    /// Checks that there is a distribution and a weight for each image; returns the sum of the weights.
    pub(crate) fn check(&self, images: usize, classes: usize) -> Result<f64, PerceiveError> {
        if self.rows.len() != images * classes {
            return Err(PerceiveError::Targets { images, classes, values: self.rows.len() });
        }
        if let Some(weights) = self.weights.filter(|weights| weights.len() != images) {
            return Err(PerceiveError::Weights { images, weights: weights.len() });
        }
        let mut total = 0.0;
        for (image, row) in self.rows.chunks_exact(classes).enumerate() {
            let weight = self.weight(image);
            let problem = if !row.iter().all(|p| (0.0..=1.0 + SUM_TOLERANCE).contains(p)) {
                "a target is not a probability"
            } else if (row.iter().sum::<f32>() - 1.0).abs() > SUM_TOLERANCE {
                "the targets do not sum to 1"
            } else if !(weight >= 0.0 && weight.is_finite()) {
                "the weight is negative or not finite"
            } else {
                total += f64::from(weight);
                continue;
            };
            return Err(PerceiveError::Target { image, problem });
        }
        if total > 0.0 { Ok(total) } else { Err(PerceiveError::EmptyBatch) }
    }
}

/// A probability for each class, in a row for each image.
#[derive(Clone, Debug, PartialEq)]
pub struct Probabilities {
    classes: usize,
    values: Vec<f32>,
}

impl Probabilities {
    /// Rows of `classes` values each.
    ///
    /// # Panics
    /// If the values do not fill whole rows.
    pub fn new(classes: usize, values: Vec<f32>) -> Probabilities {
        assert!(classes > 0 && values.len().is_multiple_of(classes), "whole rows of at least one class");
        Probabilities { classes, values }
    }

    /// How many classes there are.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// How many images there are.
    pub fn len(&self) -> usize {
        self.values.len() / self.classes
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The rows in the order of the images.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f32]> {
        self.values.chunks_exact(self.classes)
    }

    /// All values, row by row.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The most probable class of each image; of several the first.
    pub fn most_probable(&self) -> impl ExactSizeIterator<Item = usize> {
        self.rows().map(|row| {
            let better = |best: usize, class: usize| if row[class] > row[best] { class } else { best };
            (1..row.len()).fold(0, better)
        })
    }
}
