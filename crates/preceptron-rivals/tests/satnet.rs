//! SATNet as its users see it: it learns, resumes, does not depend on threads, and says what is wrong.

use preceptron_rivals::{Batch, OneHotCells, SatNet, SatNetError, SatNetSettings, Start, XorChain};
use proptest::prelude::*;

/// The third of three different digits, from the other two.
fn permutations() -> (Vec<f32>, Vec<bool>, Vec<f32>, Vec<bool>) {
    let cells = OneHotCells { classes: 3 };
    let boards = [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]];
    let blanked = |blank: usize| {
        boards
            .map(|board| std::array::from_fn::<u8, 3, _>(|cell| if cell == blank { 0 } else { board[cell] }))
    };
    let givens: Vec<u8> = (0..3).flat_map(blanked).flatten().collect();
    let solutions: Vec<u8> = [boards; 3].concat().concat();
    let ((inputs, is_input), (targets, judged)) =
        (cells.bits(&givens).unwrap(), cells.bits(&solutions).unwrap());
    (inputs, is_input, targets, judged)
}

fn settings() -> SatNetSettings {
    SatNetSettings { clauses: 20, auxiliary: 6, learning_rate: 0.02, ..SatNetSettings::default() }
}

fn trained(steps: usize, mut layer: SatNet) -> SatNet {
    let (inputs, is_input, targets, judged) = permutations();
    for _ in 0..steps {
        layer.fit(Batch { inputs: &inputs, is_input: &is_input }, &targets, &judged).unwrap();
    }
    layer
}

#[test]
fn it_learns_that_digits_differ() {
    let (inputs, is_input, targets, _) = permutations();
    let layer = trained(60, SatNet::new(9, settings()).unwrap());
    let found = layer.predict(Batch { inputs: &inputs, is_input: &is_input }).unwrap();
    let cells = OneHotCells { classes: 3 };
    assert_eq!(cells.most_probable(&found), cells.most_probable(&targets));
}

#[test]
fn a_chain_learns_parity_from_the_last_bit() {
    for is_rounded in [true, false] {
        let bits: Vec<bool> = (0..8usize).flat_map(|i| [i & 1 > 0, i & 2 > 0, i & 4 > 0]).collect();
        let parities: Vec<bool> = (0..8usize).map(|i| i.count_ones() % 2 == 1).collect();
        let settings = SatNetSettings { seed: 1, plain_descent: false, ..XorChain::settings() };
        let mut chain = XorChain::new(settings, is_rounded).unwrap();
        for _ in 0..400 {
            chain.fit(&bits, 3, &parities).unwrap();
        }
        let found: Vec<bool> = chain.predict(&bits, 3).unwrap().iter().map(|odd| *odd > 0.5).collect();
        assert_eq!(found, parities, "rounded: {is_rounded}");
    }
}

#[test]
fn training_goes_on_where_it_was_saved() {
    let whole = trained(7, SatNet::new(9, settings()).unwrap());
    let half = trained(3, SatNet::new(9, settings()).unwrap());
    let mut other = SatNet::new(9, settings()).unwrap();
    other.load(&half.save().unwrap()).unwrap();
    assert_eq!(other.step(), 3);
    let resumed = trained(4, other);
    assert_eq!(resumed.save().unwrap(), whole.save().unwrap());
}

#[test]
fn threads_change_nothing() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| trained(5, SatNet::new(9, settings()).unwrap()).save().unwrap())
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn a_prediction_does_not_depend_on_its_neighbours() {
    let (inputs, is_input, ..) = permutations();
    let layer = trained(5, SatNet::new(9, settings()).unwrap());
    let all = layer.predict(Batch { inputs: &inputs, is_input: &is_input }).unwrap();
    let alone = layer.predict(Batch { inputs: &inputs[27..36], is_input: &is_input[27..36] }).unwrap();
    assert_eq!(all[27..36], alone);
}

#[test]
fn examples_without_inputs_or_outputs_pass() {
    let layer = SatNet::new(2, SatNetSettings { auxiliary: 0, ..settings() }).unwrap();
    for is_input in [[true, true], [false, false]] {
        let pass =
            layer.forward(Batch { inputs: &[0.0, 1.0], is_input: &is_input }, Start::Drawn(3)).unwrap();
        assert!(pass.outputs().iter().all(|output| (0.0..=1.0).contains(output)));
        let gradients = layer.backward(&pass, &[1.0, -1.0]).unwrap();
        assert!(gradients.clauses.iter().chain(&gradients.inputs).all(|derivative| derivative.is_finite()));
    }
    assert!(layer.predict(Batch { inputs: &[], is_input: &[] }).unwrap().is_empty());
}

#[test]
fn errors_say_what_is_wrong() {
    let mut layer = SatNet::new(2, settings()).unwrap();
    let says = |error: SatNetError, expected: &str| assert_eq!(error.to_string(), expected);
    says(SatNet::new(0, settings()).unwrap_err(), "a layer needs a variable");
    let wrong = SatNetSettings { learning_rate: 0.0, ..settings() };
    says(SatNet::new(2, wrong).unwrap_err(), "learning_rate = 0 is out of range: above 0, to 100");
    let half = Batch { inputs: &[0.5], is_input: &[true] };
    let expected = "1 inputs are not a whole number of examples of 2 variables";
    says(layer.predict(half).unwrap_err(), expected);
    let flags = Batch { inputs: &[0.5, 0.5], is_input: &[true] };
    says(layer.predict(flags).unwrap_err(), "1 flags are not one for each of 2 inputs");
    let outside = Batch { inputs: &[0.5, f32::NAN], is_input: &[true, true] };
    says(layer.predict(outside).unwrap_err(), "example 0: variable 1 is NaN, not a probability");
    let batch = Batch { inputs: &[0.5, 0.0], is_input: &[true, false] };
    let error = layer.fit(batch, &[0.0, 0.0], &[true, false]).unwrap_err();
    says(error, "a batch needs an output that is judged");
    let error = layer.fit(batch, &[0.0, f32::NAN], &[true, true]).unwrap_err();
    says(error, "training diverged at step 0: the loss or its derivatives are not finite");
    let error = layer.fit(batch, &[0.0], &[true, true]).unwrap_err();
    says(error, "1 targets are not one for each of 2 variables");
    let error = layer.forward(batch, Start::Given(&[0.0])).unwrap_err();
    says(error, "1 numbers of vectors are not 72, for 1 examples");
    says(layer.apply(&[0.0]).unwrap_err(), "1 derivatives are not one for each of 180 numbers");
    let other = SatNet::new(3, settings()).unwrap().save().unwrap();
    says(layer.load(&other).unwrap_err(), "saved layer: clauses: is F32 [10, 20], not F32 [9, 20]");
    let chain = XorChain::new(XorChain::settings(), true).unwrap();
    says(chain.predict(&[true; 5], 2).unwrap_err(), "5 bits are not whole strings of 2 or more");
}

proptest! {
    /// A damaged file is read or refused; nothing panics.
    #[test]
    fn damaged_files(at in any::<prop::sample::Index>(), byte: u8, cut in any::<prop::sample::Index>()) {
        let mut layer = SatNet::new(2, SatNetSettings { clauses: 2, auxiliary: 1, ..settings() }).unwrap();
        let mut file = layer.save().unwrap();
        let index = at.index(file.len());
        file[index] = byte;
        let _ = layer.load(&file);
        file.truncate(cut.index(file.len()));
        prop_assert!(layer.load(&file).is_err());
    }
}
