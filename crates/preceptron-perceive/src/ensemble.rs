//! Several networks that read together (a deep ensemble): the probabilities are the means of theirs.
//!
//! Networks that begin with other weights and see the images varied in other ways make other mistakes. Their
//! mean makes fewer, and is less sure of those that are left, which is what a reasoner needs of it. It pays
//! where images are few; the time of a step is that of all of them.

use safetensors::SafeTensors;

use crate::{Images, PerceiveError, Perception, Probabilities, Shape, Targets};

/// Several networks that read together.
///
/// ```
/// use preceptron_perceive::{Classifier, Ensemble, Images, Network, Perception, Settings, Shape, Targets};
///
/// let member = |seed| {
///     let network = Network::mlp(2, &[4], 2)?;
///     let member = Classifier::new(network, Settings { seed, ..Settings::default() }, 1)?;
///     Ok::<_, preceptron_perceive::PerceiveError>(Box::new(member) as Box<dyn Perception>)
/// };
/// let mut ensemble = Ensemble::new((0..3).map(member).collect::<Result<_, _>>()?)?;
/// let images = Images::bytes(Shape::new(2, 1, 1), &[0, 255, 255, 0])?;
/// ensemble.fit(images, Targets::new(&[0.0, 1.0, 1.0, 0.0]))?;
/// assert_eq!(ensemble.predict(images)?.rows().count(), 2);
/// # Ok::<(), preceptron_perceive::PerceiveError>(())
/// ```
pub struct Ensemble {
    members: Vec<Box<dyn Perception>>,
}

impl Ensemble {
    /// Puts networks together.
    ///
    /// # Errors
    /// If there are none, or they do not take the same images and tell the same classes apart.
    pub fn new(members: Vec<Box<dyn Perception>>) -> Result<Ensemble, PerceiveError> {
        let Some(first) = members.first() else { return Err(PerceiveError::NoMembers) };
        for member in &members {
            if member.input() != first.input() {
                return Err(PerceiveError::InputShape { expected: first.input(), found: member.input() });
            }
            if member.classes() != first.classes() {
                let (expected, found) = (first.classes(), member.classes());
                return Err(PerceiveError::MemberClasses { expected, found });
            }
        }
        Ok(Ensemble { members })
    }

    fn load_first(&mut self, files: &[Vec<u8>]) -> Result<(), PerceiveError> {
        self.members.iter_mut().zip(files).try_for_each(|(member, file)| member.load(file))
    }
}

fn prefix(member: usize) -> String {
    format!("network.{member}.")
}

impl Perception for Ensemble {
    fn classes(&self) -> usize {
        self.members[0].classes()
    }

    fn input(&self) -> Shape {
        self.members[0].input()
    }

    fn predict(&self, images: Images<'_>) -> Result<Probabilities, PerceiveError> {
        let mut sums = vec![0.0; images.len() * self.classes()];
        for member in &self.members {
            let found = member.predict(images)?;
            sums.iter_mut().zip(found.values()).for_each(|(sum, &p)| *sum += p);
        }
        let share = 1.0 / self.members.len() as f32;
        sums.iter_mut().for_each(|sum| *sum *= share);
        Ok(Probabilities::new(self.classes(), sums))
    }

    fn fit(&mut self, images: Images<'_>, targets: Targets<'_>) -> Result<f64, PerceiveError> {
        let (mut loss, mut before) = (0.0, Vec::new());
        for at in 0..self.members.len() {
            before.push(self.members[at].save()?);
            match self.members[at].fit(images, targets) {
                Ok(of_this) => loss += of_this,
                Err(error) => {
                    self.load_first(&before)?;
                    return Err(error);
                }
            }
        }
        Ok(loss / self.members.len() as f64)
    }

    fn set_pace(&mut self, share: f64) {
        self.members.iter_mut().for_each(|member| member.set_pace(share));
    }

    fn begin_anew(&mut self) {
        self.members.iter_mut().for_each(|member| member.begin_anew());
    }

    fn save(&self) -> Result<Vec<u8>, PerceiveError> {
        let files: Vec<Vec<u8>> =
            self.members.iter().map(|member| member.save()).collect::<Result<_, _>>()?;
        let mut views = Vec::new();
        for (at, file) in files.iter().enumerate() {
            let tensors = SafeTensors::deserialize(file)?;
            views.extend(tensors.tensors().into_iter().map(|(name, view)| (prefix(at) + &name, view)));
        }
        Ok(safetensors::serialize(views, None)?)
    }

    fn load(&mut self, file: &[u8]) -> Result<(), PerceiveError> {
        let tensors = SafeTensors::deserialize(file)?;
        let mut files = Vec::new();
        for at in 0..self.members.len() {
            let prefix = prefix(at);
            let of_this =
                tensors.iter().filter_map(|(name, view)| Some((name.strip_prefix(&*prefix)?, view)));
            files.push(safetensors::serialize(of_this, None)?);
        }
        let before = self.members.iter().map(|member| member.save()).collect::<Result<Vec<_>, _>>()?;
        self.load_first(&files).or_else(|error| self.load_first(&before).and(Err(error)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Classifier, Network, Settings};

    fn member(seed: u64, classes: usize) -> Box<dyn Perception> {
        let settings = Settings { seed, steps: Some(20), ..Settings::default() };
        Box::new(Classifier::new(Network::mlp(3, &[5], classes).unwrap(), settings, 1).unwrap())
    }

    fn ensemble(members: u64) -> Ensemble {
        Ensemble::new((0..members).map(|seed| member(seed, 2)).collect()).unwrap()
    }

    const SHAPE: Shape = Shape::new(3, 1, 1);
    const PIXELS: [u8; 6] = [250, 0, 10, 0, 200, 90];
    const TARGETS: [f32; 4] = [1.0, 0.0, 0.0, 1.0];

    fn images() -> Images<'static> {
        Images::bytes(SHAPE, &PIXELS).unwrap()
    }

    #[test]
    fn it_is_the_mean_of_its_members_which_learn_as_if_they_were_alone() {
        let mut together = ensemble(2);
        let mut alone = [member(0, 2), member(1, 2)];
        for _ in 0..3 {
            together.fit(images(), Targets::new(&TARGETS)).unwrap();
            for member in &mut alone {
                member.fit(images(), Targets::new(&TARGETS)).unwrap();
            }
        }
        let [a, b] = alone.map(|member| member.predict(images()).unwrap());
        let means: Vec<f32> = a.values().iter().zip(b.values()).map(|(a, b)| (a + b) * 0.5).collect();
        assert_eq!(together.predict(images()).unwrap().values(), means);
        assert_ne!(a.values(), b.values());
    }

    #[test]
    fn it_goes_on_after_loading_as_if_nothing_had_happened() {
        let mut first = ensemble(3);
        first.fit(images(), Targets::new(&TARGETS)).unwrap();
        let mut second = ensemble(3);
        second.load(&first.save().unwrap()).unwrap();
        for ensemble in [&mut first, &mut second] {
            ensemble.fit(images(), Targets::new(&TARGETS)).unwrap();
        }
        assert_eq!(first.save().unwrap(), second.save().unwrap());
    }

    #[test]
    fn what_does_not_fit_is_refused_and_changes_nothing() {
        assert!(matches!(Ensemble::new(Vec::new()), Err(PerceiveError::NoMembers)));
        let odd = Ensemble::new(vec![member(0, 2), member(0, 3)]);
        assert_eq!(
            odd.err().map(|error| error.to_string()).as_deref(),
            Some("a network of an ensemble tells 3 classes apart, not 2")
        );
        let mut ensemble = ensemble(3);
        let before = ensemble.save().unwrap();
        let mut of_two = self::ensemble(2);
        of_two.fit(images(), Targets::new(&TARGETS)).unwrap();
        assert!(ensemble.load(&of_two.save().unwrap()).is_err());
        assert_eq!(ensemble.save().unwrap(), before);
    }
}
