//! What can be wrong with images, targets, networks and saved weights.

use crate::Shape;

/// What was wrong, and where.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PerceiveError {
    /// The values do not fill whole images.
    #[error("{values} values are not a whole number of images of shape {shape}")]
    Images {
        /// How many values there are.
        values: usize,
        /// The shape of an image.
        shape: Shape,
    },
    /// A pixel is not a finite number.
    #[error("image {image} has a pixel that is not a finite number")]
    Pixel {
        /// The image, counted from 0.
        image: usize,
    },
    /// The images are not what the network takes.
    #[error("the images have shape {found}, the network takes {expected}")]
    InputShape {
        /// What the network takes.
        expected: Shape,
        /// What was handed in.
        found: Shape,
    },
    /// An ensemble of nothing.
    #[error("an ensemble needs a network")]
    NoMembers,
    /// The networks of an ensemble are not for the same classes.
    #[error("a network of an ensemble tells {found} classes apart, not {expected}")]
    MemberClasses {
        /// The classes of the first.
        expected: usize,
        /// Those of another.
        found: usize,
    },
    /// There is nothing to learn from.
    #[error("a batch needs an image with a weight above 0")]
    EmptyBatch,
    /// Not one target row for each image, or not one value for each class.
    #[error("{images} images of {classes} classes need {} target values, not {values}", images * classes)]
    Targets {
        /// How many images there are.
        images: usize,
        /// How many classes.
        classes: usize,
        /// How many values were handed in.
        values: usize,
    },
    /// Not one weight for each image.
    #[error("{images} images need as many weights, not {weights}")]
    Weights {
        /// How many images there are.
        images: usize,
        /// How many weights were handed in.
        weights: usize,
    },
    /// Not one label for each image.
    #[error("{images} images need as many labels, not {labels}")]
    Labels {
        /// How many images there are.
        images: usize,
        /// How many labels were handed in.
        labels: usize,
    },
    /// A target row is not a probability distribution, or a weight is negative or not finite.
    #[error("image {image}: {problem}")]
    Target {
        /// The image, counted from 0.
        image: usize,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// The layers do not fit together.
    #[error("layer {layer}: {problem}")]
    Layer {
        /// The layer, counted from 0.
        layer: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// The head of a mapper does not fit its backbone.
    #[error("map head: {problem}")]
    Head {
        /// What is wrong with it.
        problem: String,
    },
    /// Not as many points as the cells need.
    #[error("{images} images need {expected} points, not {found}")]
    Points {
        /// How many images there are.
        images: usize,
        /// How many points there should be.
        expected: usize,
        /// How many were handed in.
        found: usize,
    },
    /// Not as many extra values as the cells need.
    #[error("{images} images need {expected} extra values, not {found}")]
    Extra {
        /// How many images there are.
        images: usize,
        /// How many values there should be.
        expected: usize,
        /// How many were handed in.
        found: usize,
    },
    /// An extra value is not a finite number.
    #[error("image {image} has an extra value that is not a finite number")]
    ExtraValue {
        /// The image, counted from 0.
        image: usize,
    },
    /// A setting is out of its range.
    #[error("{key} = {value} is out of range: {range}")]
    Setting {
        /// The setting's name.
        key: &'static str,
        /// Its value.
        value: String,
        /// What it may be.
        range: &'static str,
    },
    /// The threads could not be started.
    #[error("the threads could not be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The loss or a derivative is no longer a number; the weights are those before the step.
    #[error("training diverged at step {step}: the loss or its derivatives are not finite")]
    Diverged {
        /// Steps made before.
        step: u64,
    },
    /// What a network of the feature `burn` is computed on is not there or failed.
    #[error("device {0}")]
    Device(String),
    /// Saved weights cannot be understood or written.
    #[error("saved weights: {0}")]
    Format(#[from] safetensors::SafeTensorError),
    /// A tensor of saved weights is missing or does not fit this network.
    #[error("saved weights: {name}: {problem}")]
    Tensor {
        /// The tensor's name.
        name: String,
        /// What is wrong with it.
        problem: String,
    },
}
