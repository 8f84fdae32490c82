//! Toy examples for tests: three places that show three different things, of which some are seen.

use preceptron_base::Control;
use preceptron_learn::Examples;
use preceptron_logic::{Constraint, Rule, RuleSet, Var, Variables};
use preceptron_perceive::{
    Classifier, Images, Network, PerceiveError, Perception, Probabilities, Settings, Shape, Targets,
};

use crate::{RuleLearner, Scenes, Sight};

/// What the three places show, and which of them are seen; the others are known.
pub(crate) type Shown = ([u16; 3], &'static [usize]);

/// All ways to show three different things.
pub(crate) const WAYS: [[u16; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// The variable that says that a place shows a symbol.
fn var(place: usize, symbol: u16) -> Var {
    Var(3 * place as u32 + u32::from(symbol))
}

fn variables() -> Variables {
    Variables::from_names(["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"]).unwrap()
}

/// Each place shows one thing, and each thing is shown once.
pub(crate) fn rules() -> RuleSet {
    let places = (0..3).map(|place| [0, 1, 2].map(|symbol| var(place, symbol).positive()));
    let symbols = (0..3).map(|symbol| [0, 1, 2].map(|place| var(place, symbol).positive()));
    let rules = places.chain(symbols).map(|literals| Rule::given(Constraint::exactly(1, literals)));
    RuleSet::with_rules(variables(), rules)
}

/// Examples whose pictures are of three pixels, the one of the symbol bright.
pub(crate) fn scenes(shown: &[Shown]) -> Scenes {
    let places = (0..3).map(|place| [0, 1, 2].map(|symbol| var(place, symbol)).to_vec()).collect();
    let (mut known, mut sights, mut pixels) = (Vec::new(), Vec::new(), Vec::new());
    for (symbols, seen) in shown {
        let value = |place: usize, symbol: u16| (!seen.contains(&place)).then_some(symbols[place] == symbol);
        known.push((0..9).map(|at| value(at / 3, at as u16 % 3)).collect::<Vec<_>>());
        let mut sight = |&place: &usize| {
            let picture = (pixels.len() / 3) as u32;
            pixels.extend([0, 1, 2].map(|symbol| if symbols[place] == symbol { 220 } else { 10 }));
            Sight { place: place as u32, picture }
        };
        sights.push(seen.iter().map(&mut sight).collect());
    }
    let known = Examples::from_rows(9, &known);
    Scenes::new(variables(), places, known, sights, Shape::new(3, 1, 1), pixels.into()).unwrap()
}

/// Sixty examples, of each of which one place is seen.
pub(crate) fn sixty() -> Scenes {
    const SEEN: [&[usize]; 3] = [&[0], &[1], &[2]];
    let shown: Vec<Shown> = (0..60).map(|at| (WAYS[at % 6], SEEN[at % 3])).collect();
    scenes(&shown)
}

/// A small network for the pictures.
pub(crate) fn network() -> Classifier {
    let settings = Settings { learning_rate: 0.03, averaging: 0.0, ..Settings::default() };
    Classifier::new(Network::mlp(3, &[6], 3).unwrap(), settings, 1).unwrap()
}

/// Knows its rules, whatever the examples.
pub(crate) struct Knows(pub(crate) RuleSet);

impl RuleLearner for Knows {
    fn learn(&self, _variables: &Variables, _examples: &Examples, _control: &dyn Control) -> RuleSet {
        self.0.clone()
    }
}

/// Reads what it was told, whatever the pictures.
pub(crate) struct Told(pub(crate) Vec<[f32; 3]>);

impl Perception for Told {
    fn classes(&self) -> usize {
        3
    }

    fn input(&self) -> Shape {
        Shape::new(3, 1, 1)
    }

    fn predict(&self, images: Images<'_>) -> Result<Probabilities, PerceiveError> {
        Ok(Probabilities::new(3, self.0.iter().take(images.len()).flatten().copied().collect()))
    }

    fn fit(&mut self, _images: Images<'_>, _targets: Targets<'_>) -> Result<f64, PerceiveError> {
        Err(PerceiveError::EmptyBatch)
    }

    fn save(&self) -> Result<Vec<u8>, PerceiveError> {
        Ok(Vec::new())
    }

    fn load(&mut self, _file: &[u8]) -> Result<(), PerceiveError> {
        Ok(())
    }
}
