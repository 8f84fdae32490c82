//! Networks: layers that fit together, and where the weights of each stand.
//!
//! All parameters of a network are one vector of numbers, layer by layer: kernels (output channel, input
//! channel, row, column), then the scale if there is batch norm, then the shift (or bias). So optimisers,
//! averages and files need to know nothing of layers. What batch norm remembers is a second vector: mean and
//! variance of each channel, layer by layer.

use std::ops::Range;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::activation::Activation;
use crate::convolution::Convolution;
use crate::patches::Window;
use crate::{Layer, PerceiveError, Shape};
use preceptron_base::stream_at;

/// The architecture of a network, without its weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    input: Shape,
    pub(crate) stages: Vec<Stage>,
    pub(crate) parameters: usize,
    pub(crate) statistics: usize,
}

/// A layer in its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stage {
    pub convolution: Convolution,
    pub activation: Activation,
    /// Whether it was written down as a linear layer.
    pub is_linear: bool,
    /// The layer whose input is added before ReLU.
    pub skip: Option<usize>,
    /// Where the parameters are.
    pub weights: Range<usize>,
    pub scale: Option<Range<usize>>,
    pub shift: Range<usize>,
    /// Where batch norm's running means and, after them, variances are.
    pub statistics: Option<Range<usize>>,
}

/// The numbers that training changes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Weights {
    pub parameters: Vec<f32>,
    pub statistics: Vec<f32>,
}

/// The numbers of one network, which may be part of another.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub parameters: &'a [f32],
    pub statistics: &'a [f32],
}

impl Weights {
    /// All of them.
    pub fn view(&self) -> View<'_> {
        View { parameters: &self.parameters, statistics: &self.statistics }
    }
}

/// More parameters than this are a mistake rather than a small network.
const MOST_PARAMETERS: usize = 1 << 28;

impl Network {
    /// Puts layers together for images of a shape. The outputs of the last one are the classes.
    pub fn new(input: Shape, layers: &[Layer]) -> Result<Network, PerceiveError> {
        let network = Network::features(input, layers)?;
        let stage = &network.stages[layers.len() - 1];
        match stage.convolution.output == [1, 1] && stage.scale.is_none() && !stage.activation.relu {
            true => Ok(network),
            false => Err(PerceiveError::Layer {
                layer: layers.len() - 1,
                problem: "the last layer is linear, without batch norm and ReLU".into(),
            }),
        }
    }

    /// Puts layers together for images of a shape. What the last one gives may have any shape.
    pub(crate) fn features(input: Shape, layers: &[Layer]) -> Result<Network, PerceiveError> {
        let mut network = Network { input, stages: Vec::new(), parameters: 0, statistics: 0 };
        for (number, layer) in layers.iter().enumerate() {
            let stage = network.place(network.input_of(number), layer);
            let stage = stage.map_err(|problem| PerceiveError::Layer { layer: number, problem })?;
            network.stages.push(stage);
        }
        match network.stages.is_empty() {
            true => Err(PerceiveError::Layer { layer: 0, problem: "a network needs a layer".into() }),
            false => Ok(network),
        }
    }

    /// What a layer takes, or, with the number of layers, what the last one gives.
    pub(crate) fn input_of(&self, layer: usize) -> Shape {
        layer.checked_sub(1).map_or(self.input, |before| self.stages[before].activation.output())
    }

    fn place(&mut self, input: Shape, layer: &Layer) -> Result<Stage, String> {
        let Layer { channels, kernel, stride, padding, norm, relu, pool, residual } = *layer;
        for (name, value) in [
            ("input values", input.size()),
            ("channels", channels),
            ("kernel", kernel.unwrap_or(1)),
            ("stride", stride),
        ] {
            if !(1..=1 << 20).contains(&value) {
                return Err(format!("{name} = {value} is out of range: 1 to {}", 1 << 20));
            }
        }
        if !(1..=Activation::MOST).contains(&pool) {
            return Err(format!("pool = {pool} is out of range: 1 to {}", Activation::MOST));
        }
        if padding >= kernel.unwrap_or(1) {
            return Err(format!("padding = {padding} is out of range: less than the kernel"));
        }
        let kernel = kernel.map_or([input.height, input.width], |side| [side, side]);
        let window = Window { input, kernel, stride, padding };
        let output = window
            .output()
            .ok_or_else(|| format!("a kernel of {}x{} does not fit into {input}", kernel[0], kernel[1]))?;
        if pool > output[0].min(output[1]) {
            return Err(format!("a pool of {pool} does not fit into {}x{}", output[0], output[1]));
        }
        let skip = match residual {
            0 => None,
            back => Some((self.stages.len() + 1).checked_sub(back).ok_or_else(|| {
                format!("residual = {back} is out of range: at most {} layers", self.stages.len() + 1)
            })?),
        };
        let linear = Shape::new(channels, output[0], output[1]);
        if let Some(added) = skip.map(|layer| self.input_of(layer)).filter(|added| *added != linear) {
            return Err(format!("a residual of shape {added} cannot be added to {linear}"));
        }
        let size = window.size().checked_mul(channels).filter(|size| *size <= MOST_PARAMETERS);
        let size = size.filter(|size| self.parameters + size <= MOST_PARAMETERS);
        let size = size.ok_or_else(|| format!("more than {MOST_PARAMETERS} parameters"))?;
        let mut take = |count: usize| {
            self.parameters += count;
            self.parameters - count..self.parameters
        };
        let stage = Stage {
            convolution: Convolution { window, channels, output },
            activation: Activation { input: linear, relu, pool },
            is_linear: layer.kernel.is_none(),
            skip,
            weights: take(size),
            scale: norm.then(|| take(channels)),
            shift: take(channels),
            statistics: norm.then_some(self.statistics..self.statistics + 2 * channels),
        };
        self.statistics += stage.statistics.as_ref().map_or(0, ExactSizeIterator::len);
        Ok(stage)
    }

    /// LeNet-5 for grey images of 28x28 pixels: two convolutions of 5x5 with pooling, three linear layers.
    pub fn lenet(classes: usize) -> Result<Network, PerceiveError> {
        Network::new(
            Shape::new(1, 28, 28),
            &[
                Layer::convolution(6, 5).relu().pool(2),
                Layer::convolution(16, 5).relu().pool(2),
                Layer::linear(120).relu(),
                Layer::linear(84).relu(),
                Layer::linear(classes),
            ],
        )
    }

    /// A small network with batch norm for grey images of 28x28 pixels: 135,386 parameters for 10 classes.
    pub fn small_cnn(classes: usize) -> Result<Network, PerceiveError> {
        Network::new(
            Shape::new(1, 28, 28),
            &[
                Layer::convolution(16, 5).stride(2).norm().relu(),
                Layer::convolution(32, 3).norm().relu().pool(2),
                Layer::convolution(48, 3).padding(1).norm().relu(),
                Layer::linear(96).norm().relu(),
                Layer::linear(classes),
            ],
        )
    }

    /// Linear layers with ReLU between them, for inputs without a shape.
    pub fn mlp(inputs: usize, hidden: &[usize], classes: usize) -> Result<Network, PerceiveError> {
        let mut layers: Vec<Layer> = hidden.iter().map(|&width| Layer::linear(width).relu()).collect();
        layers.push(Layer::linear(classes));
        Network::new(Shape::new(inputs, 1, 1), &layers)
    }

    /// What the network takes.
    pub fn input(&self) -> Shape {
        self.input
    }

    /// How many classes it tells apart.
    pub fn classes(&self) -> usize {
        self.stages.last().map_or(0, |stage| stage.convolution.channels)
    }

    /// How many parameters it has.
    pub fn parameters(&self) -> usize {
        self.parameters
    }

    /// Weights to start from (He): uniform with variance 2 / inputs, shifts 0, scales 1. Networks that are
    /// parts of one have different numbers.
    pub(crate) fn initial(&self, seed: u64, part: u64) -> Weights {
        let mut weights =
            Weights { parameters: vec![0.0; self.parameters], statistics: vec![0.0; self.statistics] };
        for (number, stage) in self.stages.iter().enumerate() {
            let mut random = first_weights(seed, number as u64, part);
            let bound = (6.0 / stage.convolution.window.size() as f32).sqrt();
            for weight in &mut weights.parameters[stage.weights.clone()] {
                *weight = bound * (2.0 * random.random::<f32>() - 1.0);
            }
            if let (Some(scale), Some(statistics)) = (&stage.scale, &stage.statistics) {
                weights.parameters[scale.clone()].fill(1.0);
                weights.statistics[statistics.clone()][scale.len()..].fill(1.0);
            }
        }
        weights
    }
}

/// The random numbers that the weights of a part's stage start from.
pub(crate) fn first_weights(seed: u64, stage: u64, part: u64) -> ChaCha8Rng {
    stream_at(seed, "first weights", &[stage, part])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_the_networks() {
        let sizes = [Network::lenet(10), Network::small_cnn(10), Network::mlp(196, &[128], 4)]
            .map(|network| network.map(|network| (network.classes(), network.parameters())).unwrap());
        assert_eq!(sizes, [(10, 44_426), (10, 135_386), (4, 25_732)]);
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let message = |layers: &[Layer]| Network::new(Shape::new(1, 8, 8), layers).unwrap_err().to_string();
        assert_eq!(message(&[]), "layer 0: a network needs a layer");
        assert_eq!(
            message(&[Layer::convolution(4, 5), Layer::convolution(4, 5), Layer::linear(2)]),
            "layer 1: a kernel of 5x5 does not fit into 4x4x4"
        );
        assert_eq!(
            message(&[Layer::convolution(4, 7).pool(3), Layer::linear(2)]),
            "layer 0: a pool of 3 does not fit into 2x2"
        );
        assert_eq!(
            message(&[Layer::linear(2).relu()]),
            "layer 0: the last layer is linear, without batch norm and ReLU"
        );
        let huge = Network::new(Shape::new(2, usize::MAX, 3), &[Layer::linear(2)]).unwrap_err().to_string();
        assert!(huge.starts_with("layer 0: input values = "), "{huge}");
        assert_eq!(message(&[Layer::linear(0)]), "layer 0: channels = 0 is out of range: 1 to 1048576");
        assert_eq!(
            message(&[Layer::convolution(2, 3).padding(3), Layer::linear(2)]),
            "layer 0: padding = 3 is out of range: less than the kernel"
        );
        let same = Layer::convolution(4, 3).padding(1);
        assert_eq!(
            message(&[same, same.residual(3), Layer::linear(2)]),
            "layer 1: residual = 3 is out of range: at most 2 layers"
        );
        assert_eq!(
            message(&[same, same.stride(2).residual(1), Layer::linear(2)]),
            "layer 1: a residual of shape 4x8x8 cannot be added to 4x4x4"
        );
        let block = [same, same.relu(), same.residual(2).relu(), Layer::linear(2)];
        assert!(Network::new(Shape::new(1, 8, 8), &block).is_ok());
    }
}
