//! Toy pictures: bright pixels that say a symbol, never told.

use preceptron_base::{Quiet, stream};
use preceptron_learn::Settings as LearnerSettings;
use preceptron_perceive::{Classifier, Network, Settings, Shape};
use rand::RngExt;

use super::*;
use crate::{Model, Schedule};

const SYMBOLS: usize = 5;

/// Examples of some pictures, each of eight pixels of which one of the first five is bright, and what is told of them.
fn puzzles(places: usize, count: usize, symbols: usize, told: impl Fn(&[usize]) -> String) -> Puzzles {
    let mut random = stream(11, "test", 0);
    let (mut pixels, mut words) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let shown: Vec<usize> = (0..places).map(|_| random.random_range(0..symbols)).collect();
        for symbol in &shown {
            // Symbols are mixed, so that nothing comes of their order.
            let bright = (symbol * 3 + 1) % SYMBOLS;
            pixels.extend((0..8).map(|at| match at == bright {
                true => random.random_range(180..250u8),
                false => random.random_range(0..60u8),
            }));
        }
        words.push(told(&shown));
    }
    let mut labels = words.clone();
    labels.sort_by_key(|label| (label.parse::<i64>().unwrap_or(0), label.clone()));
    labels.dedup();
    let code = |word: &String| labels.iter().position(|label| label == word).unwrap() as u32;
    Puzzles {
        places: (0..places).map(|place| format!("p{place}")).collect(),
        told: words.iter().map(code).collect(),
        answers: vec![AnswerColumn { name: "y".into(), labels: labels.clone() }],
        pictures: (0..(places * count) as u32).collect(),
        shape: Shape::new(8, 1, 1),
        pixels: pixels.into(),
    }
}

fn latent<'a>(puzzles: &'a Puzzles, symbols: Option<usize>, threads: usize) -> Latent<'a> {
    let settings = LatentSettings { symbols, steps: 120, batch: 32, seed: 1, threads };
    let build: Build<'_> = Box::new(move |classes| {
        let settings = Settings { learning_rate: 0.02, averaging: 0.0, ..Settings::default() };
        Ok(Box::new(Classifier::new(Network::mlp(8, &[10], classes)?, settings, threads)?))
    });
    let learner = LearnerSettings::default().check().unwrap();
    Latent::new(puzzles, build, settings, learner, "value")
}

fn trained(puzzles: &Puzzles, symbols: Option<usize>) -> (Model, Meaning) {
    let mut latent = latent(puzzles, symbols, 1);
    latent.begin(&Quiet).unwrap();
    while latent.made() < latent.steps() {
        latent.step(&Quiet).unwrap();
    }
    let model = latent.finish(&Quiet).unwrap();
    let meaning = serde_json::from_value(model.parts["meaning"].clone()).unwrap();
    (model, meaning)
}

/// Whether the rules of a model leave exactly the operator's value for two symbols.
fn is_operator(model: &Model, operator: impl Fn(i64, i64) -> i64) -> bool {
    use preceptron_learn::Propagator;
    let variables = model.rules.variables();
    let propagator = Propagator::new(variables.len(), model.rules.constraints().cloned());
    let literal = |name: String| variables.find(&name).map(|var| var.positive());
    (0..25).all(|at| {
        let (a, b) = (at / 5, at % 5);
        let given = [literal(format!("p0[value {a}]")), literal(format!("p1[value {b}]"))];
        let found = propagator.run(given.map(Option::unwrap));
        let y = literal(format!("y[value {}]", operator(a, b))).unwrap();
        found.value(y.var()) == Some(true)
    })
}

#[test]
fn operators_are_found_and_named() {
    let sum = puzzles(2, 600, SYMBOLS, |z| (z[0] + z[1]).to_string());
    let (model, meaning) = trained(&sum, Some(SYMBOLS));
    assert_eq!(meaning.operators, [Some("y = p0 + p1".to_owned())]);
    assert_eq!((meaning.symmetries, meaning.doubt()), (Some(1), None));
    assert_eq!(meaning.held_out, [30, 30], "{meaning:?}");
    assert!(is_operator(&model, |a, b| a + b));
    let product = puzzles(2, 600, SYMBOLS, |z| (z[0] * z[1]).to_string());
    // The number of symbols is guessed here.
    let (model, meaning) = trained(&product, None);
    assert_eq!(meaning.operators, [Some("y = p0 * p1".to_owned())], "{meaning:?}");
    assert!(meaning.began.is_guess && is_operator(&model, |a, b| a * b));
    let less = puzzles(2, 800, SYMBOLS, |z| (if z[0] < z[1] { "yes" } else { "no" }).to_owned());
    let (_, meaning) = trained(&less, Some(SYMBOLS));
    assert_eq!(meaning.operators, [Some("y is yes iff p0 < p1".to_owned())]);
}

#[test]
fn symbols_that_answers_do_not_tell_apart_are_one() {
    let odd = puzzles(2, 600, SYMBOLS, |z| ((z[0] + z[1]) % 2).to_string());
    let (_, meaning) = trained(&odd, Some(SYMBOLS));
    assert_eq!((meaning.began.symbols, meaning.began.assumed), (2, Some(SYMBOLS)));
    assert_eq!(meaning.operators, [Some("y = (p0 + p1) mod 2".to_owned())]);
}

#[test]
fn sums_of_many_and_parity() {
    let sum = puzzles(4, 500, 4, |z| (10 * z[0] + z[1] + 10 * z[2] + z[3]).to_string());
    let (model, meaning) = trained(&sum, None);
    assert_eq!(meaning.operators, [Some("y = 10 * p0 + p1 + 10 * p2 + p3".to_owned())], "{meaning:?}");
    assert!(model.rules.len() > 100);
    let parity = puzzles(8, 300, 2, |z| (z.iter().sum::<usize>() % 2).to_string());
    let (model, meaning) = trained(&parity, None);
    assert_eq!(meaning.operators, [Some("y is the parity of the pictures".to_owned())]);
    assert_eq!((meaning.symmetries, meaning.held_out), (Some(2), [15, 15]));
    let said: Vec<String> = model
        .rules
        .constraints()
        .map(|rule| preceptron_logic::sentence(model.rules.variables(), rule))
        .collect();
    assert_eq!(model.rules.len(), 10, "one value for each column, and parity: {said:#?}");
}

#[test]
fn wrong_answers_are_left_out() {
    let mut sum = puzzles(2, 800, SYMBOLS, |z| (z[0] + z[1]).to_string());
    sum.told.iter_mut().step_by(20).for_each(|told| *told = (*told + 3) % 9);
    let (model, meaning) = trained(&sum, Some(SYMBOLS));
    assert_eq!(meaning.operators, [Some("y = p0 + p1".to_owned())], "{meaning:?}");
    assert!((20..=45).contains(&meaning.doubted), "{meaning:?}");
    assert!(is_operator(&model, |a, b| a + b));
}

#[test]
fn what_has_nothing_to_do_with_pictures_is_an_error() {
    let mut random = stream(12, "test", 0);
    let draws: Vec<u8> = (0..400).map(|_| random.random_range(0..4)).collect();
    let next = std::cell::Cell::new(0);
    let any = puzzles(2, 400, SYMBOLS, |_| {
        next.set(next.get() + 1);
        draws[next.get() - 1].to_string()
    });
    let error = latent(&any, Some(SYMBOLS), 1).begin(&Quiet).unwrap_err().to_string();
    assert!(error.starts_with("nothing was found in 400 examples that binds"), "{error}");
}

#[test]
fn a_saved_state_goes_on_bit_for_bit_on_any_threads() {
    let sum = puzzles(2, 300, SYMBOLS, |z| (z[0] + z[1]).to_string());
    let mut whole = latent(&sum, Some(SYMBOLS), 1);
    whole.begin(&Quiet).unwrap();
    let mut saved = None;
    while whole.made() < whole.steps() {
        if whole.made() == 57 {
            saved = Some(whole.state().unwrap());
        }
        whole.step(&Quiet).unwrap();
    }
    let mut again = latent(&sum, Some(SYMBOLS), 3);
    again.restore(&saved.unwrap()).unwrap();
    while again.made() < again.steps() {
        again.step(&Quiet).unwrap();
    }
    assert_eq!(whole.finish(&Quiet).unwrap(), again.finish(&Quiet).unwrap());
    let other = puzzles(2, 200, SYMBOLS, |z| (z[0] + z[1]).to_string());
    let state = whole.state().unwrap();
    assert!(latent(&other, Some(SYMBOLS), 1).restore(&state).is_err());
}
