//! Examples of which a part is seen and a part is known.
//!
//! An example has *sights*: pictures, each at a *place*, which is a list of variables of which exactly one
//! is true, the one that says what the picture shows. Which one that is, nobody tells. The other
//! variables are known, or some of them.

use std::sync::Arc;

use preceptron_learn::Examples;
use preceptron_logic::{Lit, Var, Variables};
use preceptron_perceive::{Images, PerceiveError, Shape};

/// A picture in an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// The number of its place.
    pub place: u32,
    /// The number of the picture.
    pub picture: u32,
}

/// Examples with pictures.
#[derive(Clone, Debug)]
pub struct Scenes {
    variables: Variables,
    places: Vec<Vec<Var>>,
    known: Examples,
    sights: Vec<Vec<Sight>>,
    shape: Shape,
    pixels: Arc<[u8]>,
}

/// Why examples with pictures do not go together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The numbers of things that should be equal are not.
    #[error("{what}: {found} where {expected} are expected")]
    Count {
        /// Of what.
        what: &'static str,
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A sight has a place or a picture that is not there.
    #[error("example {example}: there is no {what} {number}")]
    Missing {
        /// The example, from 1.
        example: usize,
        /// What is not there.
        what: &'static str,
        /// Its number.
        number: u32,
    },
    /// Something is seen and known at once.
    #[error("example {example}: a variable of place {place} is both seen and known")]
    SeenAndKnown {
        /// The example, from 1.
        example: usize,
        /// The place.
        place: u32,
    },
}

impl Scenes {
    /// Puts examples together: the variables of each place, what is known, and for each example its
    /// sights; `pixels` has the pictures one after another.
    ///
    /// # Errors
    /// If the parts do not fit each other.
    pub fn new(
        variables: Variables,
        places: Vec<Vec<Var>>,
        known: Examples,
        sights: Vec<Vec<Sight>>,
        shape: Shape,
        pixels: Arc<[u8]>,
    ) -> Result<Scenes, SceneError> {
        let counts = [
            ("variables", variables.len(), known.variables()),
            ("examples with sights", known.len(), sights.len()),
            ("pixels of the last picture", 0, pixels.len() % shape.size().max(1)),
        ];
        for (what, expected, found) in counts {
            if expected != found {
                return Err(SceneError::Count { what, expected, found });
            }
        }
        let classes = places.first().map_or(0, Vec::len);
        if let Some(other) = places.iter().find(|place| place.len() != classes) {
            let what = "variables of a place";
            return Err(SceneError::Count { what, expected: classes, found: other.len() });
        }
        let pictures = pixels.len() / shape.size().max(1);
        for (example, sights) in sights.iter().enumerate() {
            for sight in sights {
                let missing = |what, number| SceneError::Missing { example: example + 1, what, number };
                let place = places.get(sight.place as usize).ok_or_else(|| missing("place", sight.place))?;
                if sight.picture as usize >= pictures {
                    return Err(missing("picture", sight.picture));
                }
                if place.iter().any(|&var| known.get(example, var).is_some()) {
                    return Err(SceneError::SeenAndKnown { example: example + 1, place: sight.place });
                }
            }
        }
        Ok(Scenes { variables, places, known, sights, shape, pixels })
    }

    /// The same examples, of which something else is known.
    ///
    /// # Errors
    /// If the parts do not fit each other.
    pub fn with_known(self, known: Examples) -> Result<Scenes, SceneError> {
        Scenes::new(self.variables, self.places, known, self.sights, self.shape, self.pixels)
    }

    /// How many examples there are.
    pub fn len(&self) -> usize {
        self.sights.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sights.is_empty()
    }

    /// The variables.
    pub fn variables(&self) -> &Variables {
        &self.variables
    }

    /// What is known of the examples.
    pub fn known(&self) -> &Examples {
        &self.known
    }

    /// What is known of an example, as literals.
    pub fn known_literals(&self, example: usize) -> impl Iterator<Item = Lit> + '_ {
        let literal = move |var: Var| self.known.get(example, var).map(|value| Lit::new(var, !value));
        (0..self.variables.len() as u32).map(Var).filter_map(literal)
    }

    /// The sights of an example.
    pub fn sights(&self, example: usize) -> &[Sight] {
        &self.sights[example]
    }

    /// The variables of a sight's place, one for each thing that its picture may show.
    pub fn symbols(&self, sight: Sight) -> &[Var] {
        &self.places[sight.place as usize]
    }

    /// The variables of each place.
    pub fn places(&self) -> &[Vec<Var>] {
        &self.places
    }

    /// How many things a picture may show.
    pub fn classes(&self) -> usize {
        self.places.first().map_or(0, Vec::len)
    }

    /// The shape of the pictures.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The pictures, one after another.
    pub fn pixels(&self) -> &Arc<[u8]> {
        &self.pixels
    }

    /// Copies the pictures of sights one after another into `pixels`.
    pub fn gather<'p>(
        &self,
        sights: impl Iterator<Item = Sight>,
        pixels: &'p mut Vec<u8>,
    ) -> Result<Images<'p>, PerceiveError> {
        pixels.clear();
        let size = self.shape.size();
        for sight in sights {
            pixels.extend_from_slice(&self.pixels[sight.picture as usize * size..][..size]);
        }
        Images::bytes(self.shape, pixels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two variables that are seen in the first place, two known ones in the second.
    fn scenes(sights: Vec<Vec<Sight>>, pixels: usize) -> Result<Scenes, SceneError> {
        let variables = Variables::from_names(["a1", "a2", "b1", "b2"]).unwrap();
        let places = vec![vec![Var(0), Var(1)], vec![Var(2), Var(3)]];
        let known = Examples::from_rows(4, &[[None, None, Some(true), Some(false)]]);
        Scenes::new(variables, places, known, sights, Shape::new(1, 2, 1), vec![7; pixels].into())
    }

    #[test]
    fn what_is_seen_and_what_is_known() {
        let scenes = scenes(vec![vec![Sight { place: 0, picture: 1 }]], 4).unwrap();
        assert_eq!((scenes.len(), scenes.classes(), scenes.is_empty()), (1, 2, false));
        assert_eq!(scenes.known_literals(0).collect::<Vec<_>>(), [Var(2).positive(), Var(3).negative()]);
        assert_eq!(scenes.symbols(scenes.sights(0)[0]), [Var(0), Var(1)]);
        let mut pixels = vec![1, 2, 3];
        let images = scenes.gather(scenes.sights(0).iter().copied(), &mut pixels).unwrap();
        assert_eq!(images.len(), 1);
        assert_eq!(pixels, [7, 7]);
    }

    #[test]
    fn parts_that_do_not_fit() {
        let fault = |sights, pixels| scenes(sights, pixels).unwrap_err().to_string();
        let sight = |place, picture| vec![vec![Sight { place, picture }]];
        assert_eq!(fault(vec![], 2), "examples with sights: 0 where 1 are expected");
        assert_eq!(fault(sight(0, 0), 3), "pixels of the last picture: 1 where 0 are expected");
        assert_eq!(fault(sight(2, 0), 2), "example 1: there is no place 2");
        assert_eq!(fault(sight(0, 1), 2), "example 1: there is no picture 1");
        assert_eq!(fault(sight(1, 0), 2), "example 1: a variable of place 1 is both seen and known");
    }
}
