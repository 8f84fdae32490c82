//! Derivatives of anything, slowly: every operation on single numbers (f64) is noted, and gone through backwards.
//! What the networks' plain twins are written with.

use std::cell::RefCell;
use std::ops::{Add, Mul, Sub};

/// What was computed.
#[derive(Default)]
pub(crate) struct Tape(RefCell<Vec<Entry>>);

/// A value, and the numbers that it depends on with the derivatives.
type Entry = (f64, Vec<(usize, f64)>);

/// A number on a tape.
#[derive(Clone, Copy)]
pub(crate) struct Num<'t> {
    tape: &'t Tape,
    at: usize,
}

impl Tape {
    pub fn num(&self, value: f64) -> Num<'_> {
        self.push(value, vec![])
    }

    fn push(&self, value: f64, from: Vec<(usize, f64)>) -> Num<'_> {
        self.0.borrow_mut().push((value, from));
        Num { tape: self, at: self.0.borrow().len() - 1 }
    }

    pub fn sum<'t>(&'t self, numbers: impl IntoIterator<Item = Num<'t>>) -> Num<'t> {
        numbers.into_iter().fold(self.num(0.0), |sum, number| sum + number)
    }

    /// The derivatives of a number by the first ones of the tape.
    pub fn gradient(&self, of: Num<'_>, first: usize) -> Vec<f64> {
        let entries = self.0.borrow();
        let mut slopes = vec![0.0; entries.len()];
        slopes[of.at] = 1.0;
        for at in (0..=of.at).rev() {
            for &(from, slope) in &entries[at].1 {
                slopes[from] += slope * slopes[at];
            }
        }
        slopes.truncate(first);
        slopes
    }
}

impl<'t> Num<'t> {
    pub fn value(self) -> f64 {
        self.tape.0.borrow()[self.at].0
    }

    fn map(self, value: f64, slope: f64) -> Num<'t> {
        self.tape.push(value, vec![(self.at, slope)])
    }

    pub fn exp(self) -> Num<'t> {
        let value = self.value().exp();
        self.map(value, value)
    }

    pub fn ln(self) -> Num<'t> {
        self.map(self.value().ln(), 1.0 / self.value())
    }

    pub fn power(self, exponent: f64) -> Num<'t> {
        let x = self.value();
        self.map(x.powf(exponent), exponent * x.powf(exponent - 1.0))
    }

    pub fn relu(self) -> Num<'t> {
        let x = self.value();
        self.map(x.max(0.0), f64::from(u8::from(x > 0.0)))
    }

    pub fn tanh(self) -> Num<'t> {
        let value = self.value().tanh();
        self.map(value, 1.0 - value * value)
    }

    pub fn sigmoid(self) -> Num<'t> {
        let value = 1.0 / (1.0 + (-self.value()).exp());
        self.map(value, value * (1.0 - value))
    }

    pub fn gelu(self) -> Num<'t> {
        let x = self.value();
        let density = (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt();
        // The normal distribution: x + x^3 / 3 + x^5 / 15 + ... times the density.
        let mut term = x;
        let mut sum = x;
        for odd in (3..200).step_by(2) {
            term *= x * x / f64::from(odd);
            sum += term;
        }
        let whole = 0.5 + density * sum;
        self.map(x * whole, whole + x * density)
    }

    pub fn times(self, factor: f64) -> Num<'t> {
        self.map(self.value() * factor, factor)
    }
}

impl<'t> Add for Num<'t> {
    type Output = Num<'t>;
    fn add(self, other: Num<'t>) -> Num<'t> {
        self.tape.push(self.value() + other.value(), vec![(self.at, 1.0), (other.at, 1.0)])
    }
}

impl<'t> Sub for Num<'t> {
    type Output = Num<'t>;
    fn sub(self, other: Num<'t>) -> Num<'t> {
        self.tape.push(self.value() - other.value(), vec![(self.at, 1.0), (other.at, -1.0)])
    }
}

impl<'t> Mul for Num<'t> {
    type Output = Num<'t>;
    fn mul(self, other: Num<'t>) -> Num<'t> {
        let (a, b) = (self.value(), other.value());
        self.tape.push(a * b, vec![(self.at, b), (other.at, a)])
    }
}

/// The greatest difference of two gradients, as a share of the greatest entry.
pub(crate) fn difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let most = b.iter().fold(0.0f64, |most, b| most.max(b.abs()));
    a.iter().zip(b).fold(0.0f64, |worst, (a, b)| worst.max((a - b).abs())) / most
}

/// The derivatives of a function by every so many of its entries, by its differences.
pub(crate) fn by_differences(at: &[f64], every: usize, function: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let slope = |entry: usize| {
        let value = |move_by: f64| {
            let mut moved = at.to_vec();
            moved[entry] += move_by;
            function(&moved)
        };
        // The error falls with the fourth power of the step.
        let h = 1e-3;
        (8.0 * (value(h) - value(-h)) - (value(2.0 * h) - value(-2.0 * h))) / (12.0 * h)
    };
    (0..at.len()).step_by(every).map(slope).collect()
}
