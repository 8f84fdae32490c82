//! Pictures in clusters, without labels: what SATNet* (Topan, Rolnick and Si, 2021) does before it learns.
//!
//! 1. Pictures become 50 numbers each by their principal axes.
//! 2. K-means finds centres: k-means++ starts, 15 iterations, the best of five, on at most 10,000 pictures.
//! 3. If fewer clusters are wanted, centres are merged (Ward).
//!
//! Any picture, also one that was not there, belongs to the cluster of its nearest centre.
//!
//! The cluster numbers take the place of the pictures, as symbols. They are another alphabet than the answers: SATNet
//! then needs [`own_symbols`](crate::SatNetRivalSettings::own_symbols), variables that say which cluster is seen
//! in a cell, and learns what clusters have to do with answers along with the rules. How well pictures are read is
//! judged by [`ClusterNames`], which see labels that nothing is learned from.
//!
//! # Where it departs from the paper
//! There the clusters are those of an InfoGAN, as many as classes, and a network learns to tell them apart; the layer's
//! inputs are what it says of a picture, behind a learned permutation. Here clusters are those of k-means, hard, and may
//! be more than classes.

mod merging;
mod naming;

use std::collections::BTreeSet;

use preceptron_base::{Settings, settings, stream};
use preceptron_perceive::clusters::{Effort, PrincipalAxes, k_means, nearest};
use preceptron_perceive::{Images, Shape};
use rand::seq::SliceRandom;

use crate::{CellExamples, CellInput, RivalError};
use merging::merged;
pub use naming::ClusterNames;

settings! {
    /// How pictures are clustered.
    #[derive(Copy)]
    pub struct ClusterSettings {
        /// The principal axes that are kept.
        dimensions: usize = 50, "N" in 1..=4096;
        /// The centres of k-means.
        centres: usize = 60, "K" in 1..=65_535;
        /// How many clusters centres are merged to [default: as many as centres].
        clusters: Option<usize> = None, "K" in 1..=65_535;
        /// Starts of k-means, of which the best is kept.
        starts: usize = 5, "N" in 1..=1000;
        /// Iterations of k-means.
        iterations: usize = 15, "N" in 1..=10_000;
        /// Axes and centres are those of so many pictures, at the most.
        most_pictures: usize = 10_000, "N" in 1..=10_000_000;
        /// The seed of all random choices.
        seed: u64 = 0, "N";
    }
}

/// Clusters that any picture of their shape belongs to one of.
#[derive(Clone, Debug, PartialEq)]
pub struct PictureClusters {
    shape: Shape,
    axes: PrincipalAxes,
    centres: Vec<f32>,
    /// The cluster of each centre.
    of_centre: Vec<u32>,
    count: usize,
}

/// Clusters the pictures that examples are given, and puts the numbers of their clusters in their place.
///
/// # Errors
/// As for [`PictureClusters::learn`].
pub fn clustered_pictures(
    data: &CellExamples,
    settings: ClusterSettings,
) -> Result<(PictureClusters, CellExamples), RivalError> {
    let clusters = PictureClusters::learn(data, settings)?;
    let symbols = clusters.symbols(data)?;
    Ok((clusters, symbols))
}

impl PictureClusters {
    /// The clusters of the pictures that examples are given. Answers are not looked at.
    ///
    /// # Errors
    /// If a setting is out of range, or there are fewer pictures than centres.
    pub fn learn(data: &CellExamples, settings: ClusterSettings) -> Result<PictureClusters, RivalError> {
        settings.check()?;
        let mut numbers = pictures_of(data);
        let ClusterSettings { dimensions, centres, clusters, starts, iterations, seed, .. } = settings;
        let Some(shape) = data.form().pictures.filter(|_| numbers.len() >= centres) else {
            let range = "at most as many as pictures";
            return Err(RivalError::Setting { key: "centres", value: centres.to_string(), range });
        };
        if numbers.len() > settings.most_pictures {
            numbers.shuffle(&mut stream(seed, "which pictures are clustered", 0));
            numbers.truncate(settings.most_pictures);
        }
        let points = pixels_of(Images::bytes(shape, data.pixels())?, &numbers);
        let axes = PrincipalAxes::of(&points, shape.size(), dimensions, seed);
        let flat = axes.coordinates(&points);
        let centres = k_means(&flat, axes.len(), centres, Effort { starts, iterations, seed });
        let mut counts = vec![0; centres.len() / axes.len()];
        nearest(&flat, axes.len(), &centres).centres.iter().for_each(|&centre| counts[centre as usize] += 1);
        let count = clusters.unwrap_or(counts.len()).min(counts.len());
        let of_centre = merged(&centres, axes.len(), &counts, count);
        Ok(PictureClusters { shape, axes, centres, of_centre, count })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The cluster of each picture.
    ///
    /// # Errors
    /// If the pictures are of another shape.
    pub fn of(&self, images: Images<'_>) -> Result<Vec<u32>, RivalError> {
        let numbers: Vec<u32> = (0..images.len() as u32).collect();
        self.of_numbers(images, &numbers)
    }

    /// Examples whose pictures became the numbers of their clusters, as symbols after those that there are.
    ///
    /// # Errors
    /// If the pictures are of another shape.
    pub fn symbols(&self, data: &CellExamples) -> Result<CellExamples, RivalError> {
        let Some(shape) = data.form().pictures else { return Ok(data.pictures_as_symbols(self.count, &[])) };
        let numbers = pictures_of(data);
        let found = self.of_numbers(Images::bytes(shape, data.pixels())?, &numbers)?;
        let mut of_picture = vec![0; numbers.last().map_or(0, |last| *last as usize + 1)];
        numbers.iter().zip(found).for_each(|(&number, cluster)| of_picture[number as usize] = cluster);
        Ok(data.pictures_as_symbols(self.count, &of_picture))
    }

    fn of_numbers(&self, images: Images<'_>, numbers: &[u32]) -> Result<Vec<u32>, RivalError> {
        if images.shape() != self.shape {
            let (expected, found) = (self.shape, images.shape());
            return Err(preceptron_perceive::PerceiveError::InputShape { expected, found }.into());
        }
        let clusters = |numbers: &[u32]| {
            let flat = self.axes.coordinates(&pixels_of(images, numbers));
            let centres = nearest(&flat, self.axes.len(), &self.centres).centres;
            centres.into_iter().map(|centre| self.of_centre[centre as usize]).collect::<Vec<u32>>()
        };
        Ok(numbers.chunks(1024).flat_map(clusters).collect())
    }
}

/// The pictures that are inputs, in their order, each once.
fn pictures_of(data: &CellExamples) -> Vec<u32> {
    let inputs = (0..data.len()).flat_map(|example| data.inputs(example));
    let number = |input: &CellInput| match *input {
        CellInput::Picture(number) => Some(number),
        _ => None,
    };
    inputs.filter_map(number).collect::<BTreeSet<u32>>().into_iter().collect()
}

fn pixels_of(images: Images<'_>, numbers: &[u32]) -> Vec<f32> {
    let size = images.shape().size();
    let mut values = vec![0.0; numbers.len() * size];
    for (row, &number) in values.chunks_exact_mut(size).zip(numbers) {
        images.copy(number as usize, row);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rival, SatNetRival, SatNetRivalSettings, SatNetSettings, score};
    use rand::RngExt;

    /// Pictures of two bits, in which one of four pixels, two for each, is bright; the answer is whether they differ.
    fn parities() -> CellExamples {
        let mut random = stream(2, "test", 0);
        let pixels: Vec<u8> = (0..400)
            .flat_map(|at| {
                std::array::from_fn::<u8, 4, _>(|p| random.random_range(0..60) + 180 * u8::from(p == at % 4))
            })
            .collect();
        let mut data = CellExamples::new(3, 2).with_pictures(Shape::new(1, 2, 2), pixels.into());
        for at in 0..200u32 {
            let pair = [at, 200 + (at * 7 + at / 4) % 200];
            let [a, b] = pair.map(|number| number % 4 / 2);
            let inputs = [CellInput::Picture(pair[0]), CellInput::Picture(pair[1]), CellInput::Nothing];
            data.push(&inputs, &[None, None, Some((a ^ b) as u16)]).unwrap();
        }
        data
    }

    #[test]
    fn clusters_are_learned_from_pictures_and_satnet_from_clusters() {
        let data = parities();
        let settings = ClusterSettings { dimensions: 3, centres: 8, clusters: Some(4), ..Default::default() };
        let (clusters, symbols) = clustered_pictures(&data, settings).unwrap();
        assert_eq!((clusters.count(), symbols.form().symbols, symbols.form().pictures), (4, 4, None));
        let images = Images::bytes(Shape::new(1, 2, 2), data.pixels()).unwrap();
        let labels: Vec<u16> = (0..400).map(|at| at % 4 / 2).collect();
        let names = ClusterNames::of(&clusters.of(images).unwrap(), &labels);
        assert_eq!(names.purity, 1.0);
        // A picture that was not there.
        let unseen = clusters.of(Images::bytes(Shape::new(1, 2, 2), &[9, 3, 7, 201]).unwrap()).unwrap();
        assert_eq!(names.accuracy(&unseen, &[1]), 1.0);
        let layer = SatNetSettings { clauses: 20, auxiliary: 6, learning_rate: 0.02, ..Default::default() };
        let settings = SatNetRivalSettings { layer, own_symbols: true, ..Default::default() };
        let mut rival = SatNetRival::new(symbols.form(), settings).unwrap();
        let all: Vec<usize> = (0..symbols.len()).collect();
        for batch in all.chunks(40).cycle().take(80) {
            rival.fit(&symbols, batch).unwrap();
        }
        let found = score(&rival, &symbols, &all).unwrap();
        assert!(found.of_cells() > 0.99, "{found:?}");
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let data = parities();
        let message = |settings| PictureClusters::learn(&data, settings).unwrap_err().to_string();
        let many = ClusterSettings { centres: 401, ..Default::default() };
        assert_eq!(message(many), "centres = 401 is out of range: at most as many as pictures");
        let none = ClusterSettings { starts: 0, ..Default::default() };
        assert_eq!(message(none), "starts = 0 is out of range: 1 to 1000");
        let clusters =
            PictureClusters::learn(&data, ClusterSettings { centres: 4, ..Default::default() }).unwrap();
        assert!(clusters.of(Images::bytes(Shape::new(1, 1, 4), &[0; 4]).unwrap()).is_err());
    }
}
