//! Features of images as a part of another network: forward and backward, without an optimiser.
//!
//! A [`FeatureNetwork`] is a list of layers without batch norm whose parameters are a range of the caller's; a
//! [`FeaturePass`] takes images through it, hands out a row of features for each, and takes the derivatives by
//! these rows back to the parameters. Images go through in parts of at most 64.

use std::ops::Range;

use crate::forward_backward::{Mode, Pass};
use crate::network::View;
use crate::weights_file::entries;
use crate::{Images, Layer, Network, PerceiveError, Shape};

/// Images in a part.
const PART: usize = 64;

/// The architecture, without its weights.
///
/// ```
/// use preceptron_perceive::{FeatureNetwork, FeaturePass, Images, Layer, Shape};
///
/// let network = FeatureNetwork::new(Shape::new(1, 4, 4), &[Layer::convolution(3, 3).relu(), Layer::linear(5)])?;
/// let (weights, pixels) = (network.initial(7), [9u8; 32]);
/// let (mut pass, mut rows) = (FeaturePass::default(), vec![0.0; 2 * network.outputs()]);
/// pass.forward(&network, &weights, Images::bytes(network.input(), &pixels)?, &[1, 0], &mut rows)?;
/// let mut gradient = vec![0.0; network.parameters()];
/// pass.backward(&network, &weights, &rows, &mut gradient);
/// assert!(gradient.iter().any(|slope| *slope != 0.0));
/// # Ok::<(), preceptron_perceive::PerceiveError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureNetwork(Network);

impl FeatureNetwork {
    /// Puts layers together for images of a shape. The values of the last one are the features.
    ///
    /// # Errors
    /// If the layers do not fit together, or one has batch norm.
    pub fn new(input: Shape, layers: &[Layer]) -> Result<FeatureNetwork, PerceiveError> {
        match layers.iter().position(|layer| layer.norm) {
            Some(layer) => {
                let problem = "features that are part of another network have no batch norm".to_owned();
                Err(PerceiveError::Layer { layer, problem })
            }
            None => Ok(FeatureNetwork(Network::features(input, layers)?)),
        }
    }

    /// What the network takes.
    pub fn input(&self) -> Shape {
        self.0.input()
    }

    /// Features of an image.
    pub fn outputs(&self) -> usize {
        self.0.input_of(self.0.stages.len()).size()
    }

    /// How many parameters it has.
    pub fn parameters(&self) -> usize {
        self.0.parameters
    }

    /// Weights to start from: uniform with variance 2 / inputs, biases 0.
    pub fn initial(&self, seed: u64) -> Vec<f32> {
        self.0.initial(seed, 0).parameters
    }

    /// Name, shape and place of each tensor among the parameters: `layer.N.weight` and `layer.N.bias`.
    pub fn tensors(&self) -> impl Iterator<Item = (String, Vec<usize>, Range<usize>)> {
        let [parameters, _] = entries(&self.0, "", [0, 0]);
        parameters.into_iter().map(|entry| (entry.name, entry.shape, entry.range))
    }

    fn view<'a>(&self, parameters: &'a [f32]) -> View<'a> {
        View { parameters, statistics: &[] }
    }
}

/// The values of images on their way through a [`FeatureNetwork`].
#[derive(Default)]
pub struct FeaturePass {
    parts: Vec<Pass>,
    images: usize,
    image: Vec<f32>,
    gradient: Vec<f32>,
}

impl FeaturePass {
    /// Writes the features of some of the images, named by their numbers, a row for each.
    ///
    /// # Errors
    /// If the images have another shape than the network takes, or one is not there.
    ///
    /// # Panics
    /// If there are not as many parameters or features as the network says.
    pub fn forward(
        &mut self,
        network: &FeatureNetwork,
        parameters: &[f32],
        images: Images<'_>,
        numbers: &[u32],
        features: &mut [f32],
    ) -> Result<(), PerceiveError> {
        let (network, view) = (&network.0, network.view(parameters));
        if images.shape() != network.input() {
            return Err(PerceiveError::InputShape { expected: network.input(), found: images.shape() });
        }
        if numbers.iter().any(|&number| number as usize >= images.len()) {
            return Err(PerceiveError::Images { values: images.len(), shape: images.shape() });
        }
        self.images = numbers.len();
        let parts = numbers.len().div_ceil(PART);
        self.parts.resize_with(self.parts.len().max(parts), Pass::default);
        self.image.resize(network.input().size(), 0.0);
        let width = features.len() / numbers.len().max(1);
        let rows = features.chunks_mut((PART * width).max(1));
        for ((pass, numbers), rows) in self.parts.iter_mut().zip(numbers.chunks(PART)).zip(rows) {
            pass.prepare(network, numbers.len());
            for (at, &number) in numbers.iter().enumerate() {
                images.copy(number as usize, &mut self.image);
                pass.put(at, &self.image);
            }
            let values = pass.forward(network, view, Mode::Training);
            for (at, row) in rows.chunks_exact_mut(width).enumerate() {
                let column = values[at..].iter().step_by(numbers.len());
                row.iter_mut().zip(column).for_each(|(into, value)| *into = *value);
            }
        }
        Ok(())
    }

    /// After [`FeaturePass::forward`], and with the derivatives by its rows: adds those by the parameters.
    ///
    /// # Panics
    /// If there are not as many parameters or slopes as in the forward pass.
    pub fn backward(
        &mut self,
        network: &FeatureNetwork,
        parameters: &[f32],
        slopes: &[f32],
        gradient: &mut [f32],
    ) {
        let network = &network.0;
        self.gradient.resize(network.parameters, 0.0);
        let width = slopes.len() / self.images.max(1);
        for (pass, rows) in self.parts.iter_mut().zip(slopes.chunks((PART * width).max(1))) {
            let images = rows.len() / width;
            let into = pass.slopes_of(network.stages.len() - 1);
            for (at, row) in rows.chunks_exact(width).enumerate() {
                let column = into[at..].iter_mut().step_by(images);
                column.zip(row).for_each(|(into, slope)| *into = *slope);
            }
            pass.backward(network, parameters, &mut self.gradient, false);
            gradient.iter_mut().zip(&self.gradient).for_each(|(sum, part)| *sum += part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network() -> FeatureNetwork {
        let layers = [Layer::convolution(2, 3).relu().pool(2), Layer::linear(3)];
        FeatureNetwork::new(Shape::new(1, 6, 6), &layers).unwrap()
    }

    /// Seventy images are two parts: their features and gradients are those of each alone.
    #[test]
    fn parts_change_nothing() {
        let (network, weights) = (network(), network().initial(3));
        let pixels: Vec<u8> = (0..70 * 36).map(|i| (i * i % 251) as u8).collect();
        let images = Images::bytes(network.input(), &pixels).unwrap();
        let numbers: Vec<u32> = (0..70).rev().collect();
        let run = |numbers: &[u32]| {
            let (mut pass, mut rows) = (FeaturePass::default(), vec![0.0; numbers.len() * 3]);
            pass.forward(&network, &weights, images, numbers, &mut rows).unwrap();
            let mut gradient = vec![0.0; network.parameters()];
            pass.backward(&network, &weights, &rows, &mut gradient);
            (rows, gradient)
        };
        let (rows, gradient) = run(&numbers);
        let alone: Vec<_> = numbers.iter().map(|number| run(&[*number])).collect();
        for (row, (single, _)) in rows.chunks(3).zip(&alone) {
            row.iter().zip(single).for_each(|(a, b)| assert!((a - b).abs() < 1e-5));
        }
        for (at, slope) in gradient.iter().enumerate() {
            let sum: f32 = alone.iter().map(|(_, gradient)| gradient[at]).sum();
            assert!((slope - sum).abs() < 1e-4 * (1.0 + sum.abs()), "{slope} {sum}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let shape = Shape::new(1, 6, 6);
        let message = FeatureNetwork::new(shape, &[Layer::linear(3).norm()]).unwrap_err().to_string();
        assert_eq!(message, "layer 0: features that are part of another network have no batch norm");
        let images = Images::bytes(shape, &[0; 36]).unwrap();
        let mut pass = FeaturePass::default();
        assert!(pass.forward(&network(), &network().initial(0), images, &[1], &mut [0.0; 3]).is_err());
    }
}
