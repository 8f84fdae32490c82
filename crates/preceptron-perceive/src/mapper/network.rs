//! The architecture of a mapper: a backbone over the image, samples of its feature maps for each cell of a
//! grid, and a head over the grid.
//!
//! What the head takes for a cell, channel by channel:
//!
//! | channels | what |
//! |---|---|
//! | for each map that is sampled: its channels, and for each its points | the samples |
//! | points | 1 where the point is not seen, else 0 |
//! | 2 | the cell's row and its column, from -1 to 1 |
//! | `embedding` | numbers of the cell that are learned |
//! | `extra` | what the caller knows of it |

use std::ops::Range;

use rand::RngExt;

use super::sampling::Geometry;
use crate::network::{Network, View, Weights, first_weights};
use crate::weights_file::{self, Entry};
use crate::{Layer, PerceiveError, Shape};

/// What follows the backbone.
#[derive(Clone, Debug, PartialEq)]
pub struct MapHead {
    /// Rows of the grid.
    pub rows: usize,
    /// Columns of the grid.
    pub columns: usize,
    /// Points at which each cell is looked at.
    pub points: usize,
    /// Layers of the backbone whose outputs are sampled, counted from 0. The last is among them.
    pub sampled: Vec<usize>,
    /// Channels of the cells that the caller fills.
    pub extra: usize,
    /// Channels of the cells that are learned.
    pub embedding: usize,
    /// Layers over the grid. The last is without batch norm and ReLU, and gives one channel in the grid's shape, or,
    /// if it is linear, a number for each cell.
    pub layers: Vec<Layer>,
}

impl MapHead {
    /// Each cell by itself: a small network that all cells share.
    pub fn cells(rows: usize, columns: usize, points: usize, sampled: &[usize]) -> MapHead {
        let hidden = |channels| Layer::convolution(channels, 1).norm().relu();
        let layers = vec![hidden(48), hidden(32), Layer::convolution(1, 1)];
        MapHead { rows, columns, points, sampled: sampled.to_vec(), extra: 0, embedding: 4, layers }
    }

    /// Cells that see their neighbours, with two extra channels, such as a start and an end: for what is
    /// true of a cell because of others, such as being on a path.
    pub fn paths(rows: usize, columns: usize, points: usize, sampled: &[usize]) -> MapHead {
        let around = Layer::convolution(32, 3).padding(1).norm();
        let block = [around.relu(), around.residual(2).relu()];
        let mut layers = vec![Layer::convolution(32, 1).norm().relu()];
        layers.extend([block, block, block].concat());
        layers.push(Layer::convolution(1, 1));
        MapHead { extra: 2, layers, ..MapHead::cells(rows, columns, points, sampled) }
    }

    /// Every cell from everything, by linear layers, with two extra channels: the plain end of a network that is
    /// not told how cells lie to each other. Looks at each cell once, in the last layer.
    pub fn whole(rows: usize, columns: usize, last: usize) -> MapHead {
        let layers = vec![Layer::linear(128).norm().relu(), Layer::linear(rows * columns)];
        MapHead { extra: 2, layers, ..MapHead::cells(rows, columns, 1, &[last]) }
    }
}

/// The architecture of a [`crate::Mapper`], without its weights.
#[derive(Clone, Debug, PartialEq)]
pub struct MapNetwork {
    pub(crate) backbone: Network,
    pub(crate) head: Network,
    pub(crate) form: MapHead,
    /// Where the maps that are sampled lie in the image.
    pub(crate) maps: Vec<Geometry>,
}

/// Cells, points, or channels of a head beyond this are a mistake.
const MOST: usize = 1 << 16;

impl MapNetwork {
    /// Puts a backbone and a head together for images of a shape.
    pub fn new(input: Shape, backbone: &[Layer], head: &MapHead) -> Result<MapNetwork, PerceiveError> {
        let wrong = |problem: String| PerceiveError::Head { problem };
        let backbone = Network::features(input, backbone)?;
        let layers = backbone.stages.len();
        for (name, value, least) in [
            ("rows", head.rows, 1),
            ("columns", head.columns, 1),
            ("points", head.points, 1),
            ("extra", head.extra, 0),
            ("embedding", head.embedding, 0),
        ] {
            if !(least..=MOST).contains(&value) {
                return Err(wrong(format!("{name} = {value} is out of range: {least} to {MOST}")));
            }
        }
        if let Some(layer) = head.sampled.iter().find(|layer| **layer >= layers) {
            return Err(wrong(format!("layer {layer} is to be sampled, the backbone has {layers}")));
        }
        if !head.sampled.contains(&(layers - 1)) {
            return Err(wrong(format!("the last layer of the backbone, {}, is not sampled", layers - 1)));
        }
        if head.sampled.iter().enumerate().any(|(at, layer)| head.sampled[..at].contains(layer)) {
            return Err(wrong("a layer is sampled twice".into()));
        }
        let maps: Vec<Geometry> = head.sampled.iter().map(|&layer| Geometry::of(&backbone, layer)).collect();
        let sampled: usize = maps.iter().map(|map| map.shape.channels).sum();
        let channels = (sampled + 1).saturating_mul(head.points) + 2 + head.embedding + head.extra;
        let grid = Shape::new(channels, head.rows, head.columns);
        let over = Network::features(grid, &head.layers).map_err(|error| wrong(error.to_string()))?;
        let (last, given) = (&over.stages[over.stages.len() - 1], over.input_of(over.stages.len()));
        let expected = Shape::new(1, head.rows, head.columns);
        if ![expected, Shape::new(head.rows * head.columns, 1, 1)].contains(&given) {
            return Err(wrong(format!("the last layer gives {given}, not {expected}")));
        }
        if last.scale.is_some() || last.activation.relu {
            return Err(wrong("the last layer has batch norm or ReLU".into()));
        }
        Ok(MapNetwork { backbone, head: over, form: head.clone(), maps })
    }

    /// A small residual backbone of seven layers, whose last has a place for every 8x8 pixels: 67,328
    /// parameters for three channels. [`MapNetwork::SAMPLED`] are the layers to sample.
    pub fn small_backbone() -> Vec<Layer> {
        let three = |channels| Layer::convolution(channels, 3).padding(1).norm();
        vec![
            Layer::convolution(16, 5).stride(2).padding(2).norm().relu(),
            three(24).stride(2).relu(),
            three(24).relu(),
            three(24).residual(2).relu(),
            three(48).stride(2).relu(),
            three(48).relu(),
            three(48).residual(2).relu(),
        ]
    }

    /// The layers of [`MapNetwork::small_backbone`] that end its blocks.
    pub const SAMPLED: [usize; 2] = [3, 6];

    /// What the backbone takes.
    pub fn input(&self) -> Shape {
        self.backbone.input()
    }

    /// What follows the backbone.
    pub fn head(&self) -> &MapHead {
        &self.form
    }

    /// How many cells the grid has.
    pub fn cells(&self) -> usize {
        self.form.rows * self.form.columns
    }

    /// How many parameters there are.
    pub fn parameters(&self) -> usize {
        self.embedding().end
    }

    pub(crate) fn points_of_image(&self) -> usize {
        self.cells() * self.form.points
    }

    pub(crate) fn extra_of_image(&self) -> usize {
        self.cells() * self.form.extra
    }

    /// Where the learned numbers of the cells are: after the parameters of backbone and head.
    pub(crate) fn embedding(&self) -> Range<usize> {
        let begin = self.backbone.parameters + self.head.parameters;
        begin..begin + self.form.embedding * self.cells()
    }

    /// The weights of backbone and head.
    pub(crate) fn split<'a>(&self, weights: &'a Weights) -> [View<'a>; 2] {
        let (backbone, rest) = weights.parameters.split_at(self.backbone.parameters);
        let (first, second) = weights.statistics.split_at(self.backbone.statistics);
        [
            View { parameters: backbone, statistics: first },
            View { parameters: &rest[..self.head.parameters], statistics: second },
        ]
    }

    /// What weight decay pulls at.
    pub(crate) fn decaying(&self) -> Vec<Range<usize>> {
        let begin = self.backbone.parameters;
        let head =
            self.head.stages.iter().map(|stage| begin + stage.weights.start..begin + stage.weights.end);
        self.backbone.stages.iter().map(|stage| stage.weights.clone()).chain(head).collect()
    }

    /// Weights to start from; the learned numbers of the cells are uniform between -1/2 and 1/2.
    pub(crate) fn initial(&self, seed: u64) -> Weights {
        let Weights { mut parameters, mut statistics } = self.backbone.initial(seed, 0);
        let head = self.head.initial(seed, 1);
        parameters.extend(head.parameters);
        statistics.extend(head.statistics);
        let mut random = first_weights(seed, 0, 2);
        parameters.extend(self.embedding().map(|_| random.random::<f32>() - 0.5));
        Weights { parameters, statistics }
    }

    /// The tensors of saved weights: those of the parameters and of the statistics.
    pub(crate) fn entries(&self) -> [Vec<Entry>; 2] {
        let [mut parameters, mut statistics] = weights_file::entries(&self.backbone, "backbone.", [0, 0]);
        let begin = [self.backbone.parameters, self.backbone.statistics];
        let [more, running] = weights_file::entries(&self.head, "head.", begin);
        parameters.extend(more);
        statistics.extend(running);
        if self.form.embedding > 0 {
            parameters.push(Entry {
                name: "embedding".to_owned(),
                shape: vec![self.form.embedding, self.form.rows, self.form.columns],
                range: self.embedding(),
            });
        }
        [parameters, statistics]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let input = Shape::new(3, 48, 208);
        let backbone = MapNetwork::small_backbone();
        let cells = MapHead::cells(10, 10, 5, &MapNetwork::SAMPLED);
        let network = MapNetwork::new(input, &backbone, &cells).unwrap();
        assert_eq!((network.input(), network.cells(), network.parameters()), (input, 100, 87_265));
        let maps: Vec<Shape> = network.maps.iter().map(|map| map.shape).collect();
        assert_eq!(maps, [Shape::new(24, 12, 52), Shape::new(48, 6, 26)]);
        let paths = MapHead::paths(10, 10, 5, &MapNetwork::SAMPLED);
        assert_eq!(MapNetwork::new(input, &backbone, &paths).unwrap().parameters(), 135_441);
        let whole = MapNetwork::new(input, &backbone, &MapHead::whole(10, 10, 6)).unwrap();
        // Each of the 57 channels of 100 cells to 128, with scale and shift, and from there to the cells.
        let linear = 57 * 100 * 128 + 2 * 128 + 128 * 100 + 100;
        assert_eq!((whole.cells(), whole.parameters()), (100, 67_328 + linear + 4 * 100));
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let backbone = [Layer::convolution(4, 3).relu(), Layer::convolution(4, 3).relu()];
        let message =
            |head: MapHead| MapNetwork::new(Shape::new(1, 8, 12), &backbone, &head).unwrap_err().to_string();
        let head = MapHead::cells(3, 4, 2, &[1]);
        assert_eq!(
            message(MapHead { sampled: vec![1, 2], ..head.clone() }),
            "map head: layer 2 is to be sampled, the backbone has 2"
        );
        assert_eq!(
            message(MapHead { sampled: vec![0], ..head.clone() }),
            "map head: the last layer of the backbone, 1, is not sampled"
        );
        assert_eq!(
            message(MapHead { sampled: vec![1, 1], ..head.clone() }),
            "map head: a layer is sampled twice"
        );
        assert_eq!(
            message(MapHead { points: 0, ..head.clone() }),
            "map head: points = 0 is out of range: 1 to 65536"
        );
        assert_eq!(
            message(MapHead { layers: vec![Layer::convolution(1, 3)], ..head.clone() }),
            "map head: the last layer gives 1x1x2, not 1x3x4"
        );
        assert_eq!(
            message(MapHead { layers: vec![Layer::convolution(1, 1).relu()], ..head.clone() }),
            "map head: the last layer has batch norm or ReLU"
        );
        let reaching = vec![Layer::convolution(1, 1).residual(2)];
        assert_eq!(
            message(MapHead { layers: reaching, ..head }),
            "map head: layer 0: residual = 2 is out of range: at most 1 layers"
        );
    }
}
