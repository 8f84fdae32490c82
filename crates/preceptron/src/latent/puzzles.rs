//! Examples whose pictures show symbols that nobody names, and what is told of each.

use std::collections::BTreeMap;
use std::sync::Arc;

use preceptron_perceive::{Images, PerceiveError, Shape};

/// A column of answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerColumn {
    /// Its name.
    pub name: String,
    /// The values that it has, in order.
    pub labels: Vec<String>,
}

/// Examples: as many pictures in each, one at every place, and its answers.
#[derive(Clone, Debug)]
pub struct Puzzles {
    /// The names of the places, which are columns of pictures.
    pub places: Vec<String>,
    /// The columns of answers.
    pub answers: Vec<AnswerColumn>,
    /// The numbers of the pictures, example by example.
    pub pictures: Vec<u32>,
    /// For each example and column of answers the number of its value.
    pub told: Vec<u32>,
    /// The shape of the pictures.
    pub shape: Shape,
    /// The pictures, one after another.
    pub pixels: Arc<[u8]>,
}

/// The answers as one: a number for each combination of values that occurs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Combined {
    /// For each example the number of its combination.
    pub codes: Vec<u32>,
    /// The values of each combination, column by column.
    pub values: Vec<Vec<u32>>,
}

impl Puzzles {
    /// How many examples there are.
    pub fn len(&self) -> usize {
        self.pictures.len() / self.places.len().max(1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values that are told of an example.
    pub fn told_of(&self, example: usize) -> &[u32] {
        let columns = self.answers.len();
        &self.told[example * columns..][..columns]
    }

    /// The answers as one.
    pub fn combined(&self) -> Combined {
        let mut numbers: BTreeMap<&[u32], u32> = BTreeMap::new();
        numbers.extend((0..self.len()).map(|example| (self.told_of(example), 0)));
        numbers.values_mut().zip(0..).for_each(|(number, next)| *number = next);
        let codes = (0..self.len()).map(|example| numbers[self.told_of(example)]).collect();
        Combined { codes, values: numbers.keys().map(|values| values.to_vec()).collect() }
    }

    /// The answers as whole numbers, for each value of the only column; nothing if there are several columns or other
    /// values.
    pub fn numbers(&self) -> Option<Vec<i64>> {
        let [column] = self.answers.as_slice() else { return None };
        let number = |label: &String| label.parse::<i64>().ok().filter(|number| number.abs() <= 1_000_000);
        column.labels.iter().map(number).collect()
    }

    /// Copies pictures one after another into `pixels`.
    pub(super) fn gather<'p>(
        &self,
        pictures: impl Iterator<Item = u32>,
        pixels: &'p mut Vec<u8>,
    ) -> Result<Images<'p>, PerceiveError> {
        pixels.clear();
        let size = self.shape.size();
        pictures.for_each(|number| pixels.extend_from_slice(&self.pixels[number as usize * size..][..size]));
        Images::bytes(self.shape, pixels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_combined_and_numbered() {
        let column = |name: &str, labels: &[&str]| AnswerColumn {
            name: name.into(),
            labels: labels.iter().map(|label| (*label).to_owned()).collect(),
        };
        let mut puzzles = Puzzles {
            places: vec!["a".into()],
            answers: vec![column("y", &["3", "-7"]), column("odd", &["no", "yes"])],
            pictures: vec![0, 1, 0],
            told: vec![1, 0, 0, 1, 1, 0],
            shape: Shape::new(1, 1, 1),
            pixels: vec![0, 9].into(),
        };
        let combined = puzzles.combined();
        assert_eq!(combined, Combined { codes: vec![1, 0, 1], values: vec![vec![0, 1], vec![1, 0]] });
        assert_eq!((puzzles.len(), puzzles.numbers()), (3, None));
        puzzles.answers.pop();
        puzzles.told = vec![1, 0, 1];
        assert_eq!(puzzles.numbers(), Some(vec![3, -7]));
        puzzles.answers[0].labels[0] = "x".into();
        assert_eq!(puzzles.numbers(), None);
    }
}
