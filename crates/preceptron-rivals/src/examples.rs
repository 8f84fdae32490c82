//! Examples as rivals take them: an input and perhaps an answer for each of so many cells.

use std::fmt;
use std::sync::Arc;

use preceptron::Scenes;
use preceptron_logic::Var;
use preceptron_perceive::Shape;

use crate::RivalError;

/// What is given of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CellInput {
    /// Nothing.
    #[default]
    Nothing,
    /// One of the symbols.
    Symbol(u32),
    /// A vector of numbers, by its place among those of the examples.
    Features(u32),
    /// A picture, by its place among those of the examples.
    Picture(u32),
}

/// What a rival has to know of examples before it sees one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellForm {
    /// Cells of an example.
    pub cells: usize,
    /// Classes that an answer is one of.
    pub classes: usize,
    /// Symbols that an input is one of.
    pub symbols: usize,
    /// Numbers in a vector that is an input.
    pub features: usize,
    /// The shape of pictures; nothing where there are none.
    pub pictures: Option<Shape>,
}

impl fmt::Display for CellForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CellForm { cells, classes, symbols, features, pictures } = self;
        write!(f, "{cells} cells of {classes} classes, {symbols} symbols, {features} features")?;
        pictures.map_or(Ok(()), |shape| write!(f, ", pictures of {shape}"))
    }
}

/// Examples, each of as many cells.
///
/// ```
/// use preceptron_rivals::{CellExamples, CellInput};
///
/// // Is the sum of two bits odd? The answer is that of the first cell.
/// let mut examples = CellExamples::new(2, 2).with_symbols(2);
/// for bits in [[0, 0], [0, 1], [1, 0], [1, 1]] {
///     examples.push(&bits.map(CellInput::Symbol), &[Some((bits[0] ^ bits[1]) as u16), None])?;
/// }
/// assert_eq!((examples.len(), examples.known(&[0, 3])), (4, 2));
/// # Ok::<(), preceptron_rivals::RivalError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CellExamples {
    form: CellForm,
    inputs: Vec<CellInput>,
    answers: Vec<Option<u16>>,
    features: Arc<[f32]>,
    pixels: Arc<[u8]>,
}

impl CellExamples {
    /// No examples yet.
    pub fn new(cells: usize, classes: usize) -> CellExamples {
        let form = CellForm { cells, classes, ..CellForm::default() };
        CellExamples {
            form,
            inputs: Vec::new(),
            answers: Vec::new(),
            features: Arc::new([]),
            pixels: Arc::new([]),
        }
    }

    /// The same, with inputs that are one of so many symbols.
    #[must_use]
    pub fn with_symbols(mut self, symbols: usize) -> CellExamples {
        self.form.symbols = symbols;
        self
    }

    /// The same, with inputs that are vectors of `width` numbers, which stand one after another.
    #[must_use]
    pub fn with_features(mut self, width: usize, vectors: Vec<f32>) -> CellExamples {
        self.form.features = width;
        self.features = vectors.into();
        self
    }

    /// The same, with inputs that are pictures, which stand one after another.
    #[must_use]
    pub fn with_pictures(mut self, shape: Shape, pixels: Arc<[u8]>) -> CellExamples {
        self.form.pictures = Some(shape);
        self.pixels = pixels;
        self
    }

    /// The same form, vectors and pictures, and no examples yet.
    #[must_use]
    pub fn without_examples(&self) -> CellExamples {
        CellExamples { inputs: Vec::new(), answers: Vec::new(), ..self.clone() }
    }

    /// The same examples without pictures: instead of picture n there is symbol `of_picture[n]`, counted after the
    /// symbols that there are.
    pub(crate) fn pictures_as_symbols(&self, symbols: usize, of_picture: &[u32]) -> CellExamples {
        let before = self.form.symbols;
        let input = |input: &CellInput| match *input {
            CellInput::Picture(number) => CellInput::Symbol(before as u32 + of_picture[number as usize]),
            other => other,
        };
        CellExamples {
            form: CellForm { symbols: before + symbols, pictures: None, ..self.form },
            inputs: self.inputs.iter().map(input).collect(),
            answers: self.answers.clone(),
            features: self.features.clone(),
            pixels: Arc::new([]),
        }
    }

    /// Scenes: a place is a cell, a sight its picture, and a known value its answer. What a picture shows is
    /// not known and no answer.
    ///
    /// # Errors
    /// If there are more classes than an answer can be.
    pub fn from_scenes(scenes: &Scenes) -> Result<CellExamples, RivalError> {
        let examples = CellExamples::new(scenes.places().len(), scenes.classes());
        let mut examples = examples.with_pictures(scenes.shape(), scenes.pixels().clone());
        let mut inputs = vec![CellInput::Nothing; scenes.places().len()];
        for example in 0..scenes.len() {
            inputs.fill(CellInput::Nothing);
            for sight in scenes.sights(example) {
                inputs[sight.place as usize] = CellInput::Picture(sight.picture);
            }
            let is_true = |var: &Var| scenes.known().get(example, *var) == Some(true);
            let answer = |place: &Vec<Var>| place.iter().position(is_true)?.try_into().ok();
            let answers: Vec<Option<u16>> = scenes.places().iter().map(answer).collect();
            examples.push(&inputs, &answers)?;
        }
        Ok(examples)
    }

    /// Adds an example: an input and, where it is known, an answer for each cell.
    ///
    /// # Errors
    /// If there are not as many as cells, or one is not there.
    pub fn push(&mut self, inputs: &[CellInput], answers: &[Option<u16>]) -> Result<(), RivalError> {
        let CellForm { cells, classes, symbols, features, pictures } = self.form;
        let wrong = |problem: String| Err(RivalError::Example { example: self.len() + 1, problem });
        for (what, found) in [("inputs", inputs.len()), ("answers", answers.len())] {
            if found != cells {
                return wrong(format!("{found} {what} of {cells} cells"));
            }
        }
        let vectors = self.features.len() / features.max(1);
        let pictures = self.pixels.len() / pictures.map_or(1, |shape| shape.size().max(1));
        for &input in inputs {
            let (what, number, all) = match input {
                CellInput::Nothing => continue,
                CellInput::Symbol(number) => ("symbol", number, symbols),
                CellInput::Features(number) => ("vector", number, vectors),
                CellInput::Picture(number) => ("picture", number, pictures),
            };
            if number as usize >= all {
                return wrong(format!("there is no {what} {number}"));
            }
        }
        if let Some(answer) = answers.iter().flatten().find(|answer| usize::from(**answer) >= classes) {
            return wrong(format!("the answer {answer} is none of {classes} classes"));
        }
        self.inputs.extend_from_slice(inputs);
        self.answers.extend_from_slice(answers);
        Ok(())
    }

    /// What a rival has to know of them.
    pub fn form(&self) -> &CellForm {
        &self.form
    }

    /// How many examples there are.
    pub fn len(&self) -> usize {
        self.answers.len() / self.form.cells.max(1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// The input of each cell.
    pub fn inputs(&self, example: usize) -> &[CellInput] {
        &self.inputs[example * self.form.cells..][..self.form.cells]
    }

    /// The answer of each cell, where it is known.
    pub fn answers(&self, example: usize) -> &[Option<u16>] {
        &self.answers[example * self.form.cells..][..self.form.cells]
    }

    /// A vector that is an input.
    pub fn vector(&self, number: u32) -> &[f32] {
        &self.features[number as usize * self.form.features..][..self.form.features]
    }

    /// The pictures, one after another.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// How many answers of some examples are known.
    pub fn known(&self, examples: &[usize]) -> usize {
        examples.iter().map(|&example| self.answers(example).iter().flatten().count()).sum()
    }

    /// Checks that examples are of a form and are there.
    pub(crate) fn check(&self, expected: &CellForm, examples: &[usize]) -> Result<(), RivalError> {
        if self.form != *expected {
            let (expected, found) = (Box::new(*expected), Box::new(self.form));
            return Err(RivalError::Form { expected, found });
        }
        match examples.iter().find(|example| **example >= self.len()) {
            Some(example) => Err(RivalError::Example {
                example: example + 1,
                problem: format!("there are {} examples", self.len()),
            }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron::Sight;
    use preceptron_learn::Examples;
    use preceptron_logic::Variables;

    #[test]
    fn scenes_are_cells_with_pictures_and_answers() {
        let variables = Variables::from_names(["a1", "a2", "b1", "b2"]).unwrap();
        let places = vec![vec![Var(0), Var(1)], vec![Var(2), Var(3)]];
        let known = Examples::from_rows(4, &[[None, None, Some(false), Some(true)]]);
        let (sights, shape) = (vec![vec![Sight { place: 0, picture: 1 }]], Shape::new(1, 1, 2));
        let scenes = Scenes::new(variables, places, known, sights, shape, vec![7; 4].into()).unwrap();
        let examples = CellExamples::from_scenes(&scenes).unwrap();
        assert_eq!(examples.inputs(0), [CellInput::Picture(1), CellInput::Nothing]);
        assert_eq!(examples.answers(0), [None, Some(1)]);
        assert_eq!(
            examples.form().to_string(),
            "2 cells of 2 classes, 0 symbols, 0 features, pictures of 1x1x2"
        );
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let mut examples = CellExamples::new(1, 2).with_symbols(3).with_features(2, vec![0.0; 4]);
        let mut message = |input, answer| examples.push(&[input], &[answer]).unwrap_err().to_string();
        assert_eq!(message(CellInput::Symbol(3), None), "example 1: there is no symbol 3");
        assert_eq!(message(CellInput::Features(2), None), "example 1: there is no vector 2");
        assert_eq!(message(CellInput::Picture(0), None), "example 1: there is no picture 0");
        assert_eq!(message(CellInput::Nothing, Some(2)), "example 1: the answer 2 is none of 2 classes");
        assert!(examples.push(&[], &[None]).is_err());
        assert!(examples.push(&[CellInput::Features(1)], &[Some(1)]).is_ok());
        assert!(examples.check(&CellForm::default(), &[]).is_err());
        assert!(examples.check(&examples.form, &[1]).is_err());
    }
}
