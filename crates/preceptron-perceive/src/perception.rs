//! What the rest of the program needs of a network, whatever it is made of.

use crate::{Images, PerceiveError, Probabilities, Shape, Targets};

/// Turns images into probabilities of symbols, and learns from targets for them.
pub trait Perception: Send + Sync {
    /// How many classes it tells apart.
    fn classes(&self) -> usize;

    /// The shape of the images that it takes.
    fn input(&self) -> Shape;

    /// Probabilities of the classes, a row for each image.
    fn predict(&self, images: Images<'_>) -> Result<Probabilities, PerceiveError>;

    /// One step of training; returns the mean loss of the images, as they were seen, before it. After an
    /// error everything is as it was.
    fn fit(&mut self, images: Images<'_>, targets: Targets<'_>) -> Result<f64, PerceiveError>;

    /// From now on steps are this share of what the settings say (1 until then). A saved file does not have it; a
    /// network without a learning rate goes on as it is.
    fn set_pace(&mut self, _share: f64) {}

    /// Training begins anew with the weights that are there: at step 0, and without a memory of gradients. A network
    /// without a course of training goes on as it is.
    fn begin_anew(&mut self) {}

    /// All that [`Perception::load`] needs to go on as if nothing had happened, as a file.
    fn save(&self) -> Result<Vec<u8>, PerceiveError>;

    /// Takes up what [`Perception::save`] wrote. After an error everything is as it was.
    fn load(&mut self, file: &[u8]) -> Result<(), PerceiveError>;
}

/// A network that somebody else keeps.
impl<P: Perception + ?Sized> Perception for &mut P {
    fn classes(&self) -> usize {
        (**self).classes()
    }

    fn input(&self) -> Shape {
        (**self).input()
    }

    fn predict(&self, images: Images<'_>) -> Result<Probabilities, PerceiveError> {
        (**self).predict(images)
    }

    fn fit(&mut self, images: Images<'_>, targets: Targets<'_>) -> Result<f64, PerceiveError> {
        (**self).fit(images, targets)
    }

    fn set_pace(&mut self, share: f64) {
        (**self).set_pace(share);
    }

    fn begin_anew(&mut self) {
        (**self).begin_anew();
    }

    fn save(&self) -> Result<Vec<u8>, PerceiveError> {
        (**self).save()
    }

    fn load(&mut self, file: &[u8]) -> Result<(), PerceiveError> {
        (**self).load(file)
    }
}
