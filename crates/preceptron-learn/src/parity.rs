//! Parity rules, by elimination over GF(2).
//!
//! A set of variables whose sum is even (or odd) in all examples is a vector of the null space of the
//! examples, with a column of ones for "odd", over GF(2). Elimination finds a basis of that space. What
//! linear equalities explain already is taken out, the rest is brought to short vectors, and each is kept
//! only if chance would have broken it.

use preceptron_logic::{Constraint, Lit, Sums, Var};

use crate::Examples;

/// A vector over GF(2).
type Bits = Vec<u64>;

fn bit(bits: &Bits, at: usize) -> bool {
    bits[at / 64] >> (at % 64) & 1 == 1
}

fn flip(bits: &mut Bits, at: usize) {
    bits[at / 64] ^= 1 << (at % 64);
}

fn add(into: &mut Bits, other: &Bits) {
    into.iter_mut().zip(other).for_each(|(a, b)| *a ^= b);
}

fn leading(bits: &Bits) -> Option<usize> {
    bits.iter().position(|w| *w != 0).map(|word| word * 64 + bits[word].trailing_zeros() as usize)
}

fn weight(bits: &Bits) -> u32 {
    bits.iter().map(|w| w.count_ones()).sum()
}

/// Rows in reduced echelon form.
#[derive(Default)]
struct Echelon {
    rows: Vec<(usize, Bits)>,
}

impl Echelon {
    fn reduce(&self, bits: &mut Bits) {
        for (pivot, row) in &self.rows {
            if bit(bits, *pivot) {
                add(bits, row);
            }
        }
    }

    fn insert(&mut self, mut bits: Bits) -> bool {
        self.reduce(&mut bits);
        let Some(pivot) = leading(&bits) else { return false };
        for (_, row) in &mut self.rows {
            if bit(row, pivot) {
                add(row, &bits);
            }
        }
        self.rows.push((pivot, bits));
        true
    }
}

/// How many examples beyond the rank must agree before a null vector is believed: each wrong one would
/// survive that many tosses of a coin.
const SURPLUS: usize = 40;

/// Of larger tables (examples times variables times words of a row) not all examples are eliminated.
const LARGE: f64 = 1e9;

/// Sets of variables whose sum has one parity in all (complete) examples, beyond what the equalities
/// explain, as constraints.
pub(crate) fn search(examples: &Examples, equalities: &[&Constraint]) -> Vec<Constraint> {
    let n = examples.variables();
    if !examples.is_complete() || examples.is_empty() {
        return vec![];
    }
    let varying: Vec<usize> = (0..n)
        .filter(|&v| {
            let ones = tally_ones(examples.ones(Var(v as u32)));
            ones > 0 && ones < examples.len()
        })
        .collect();
    let width = varying.len() + 1;
    let words = width.div_ceil(64);
    let mut echelon = Echelon::default();
    let mut unchanged = 0;
    let is_large = (examples.len() * width * words) as f64 > LARGE;
    for row in 0..examples.len() {
        let mut bits: Bits = vec![0; words];
        for (at, &v) in varying.iter().enumerate() {
            if examples.ones(Var(v as u32))[row / 64] >> (row % 64) & 1 == 1 {
                flip(&mut bits, at);
            }
        }
        flip(&mut bits, width - 1);
        if echelon.insert(bits) {
            unchanged = 0;
        } else {
            unchanged += 1;
        }
        if echelon.rows.len() == width {
            return vec![];
        }
        if unchanged > 4 * width + SURPLUS && is_large {
            break;
        }
    }
    if examples.len() < echelon.rows.len() + SURPLUS {
        return vec![];
    }
    // The null space: one vector for each column without a pivot.
    let pivots: Vec<usize> = echelon.rows.iter().map(|(pivot, _)| *pivot).collect();
    let mut basis: Vec<Bits> = (0..width)
        .filter(|column| !pivots.contains(column))
        .map(|column| {
            let mut bits = vec![0; words];
            flip(&mut bits, column);
            for (pivot, row) in &echelon.rows {
                if bit(row, column) {
                    flip(&mut bits, *pivot);
                }
            }
            bits
        })
        .collect();
    let mut known = Echelon::default();
    let position = |var: Var| varying.binary_search(&var.index()).ok();
    for constraint in equalities {
        let mut bits = vec![0; words];
        let mut odd = constraint.sums().single().unwrap_or(0) as usize;
        for literal in constraint.literals() {
            odd += usize::from(literal.is_negated());
            match position(literal.var()) {
                Some(at) => flip(&mut bits, at),
                None => odd += usize::from(examples.get(0, literal.var()) == Some(true)),
            }
        }
        if odd % 2 == 1 {
            flip(&mut bits, width - 1);
        }
        known.insert(bits);
    }
    shorten(&mut basis, width);
    let mut found = Vec::new();
    for bits in basis {
        if known.insert(bits.clone()) {
            let odd = bit(&bits, width - 1);
            let members: Vec<Lit> = (0..width - 1)
                .filter(|&at| bit(&bits, at))
                .map(|at| Var(varying[at] as u32).positive())
                .collect();
            let count = members.len() as u32;
            found.push(Constraint::new(members, Sums::set((u32::from(odd)..=count).step_by(2))));
        }
    }
    found
}

fn tally_ones(column: &[u64]) -> usize {
    column.iter().map(|w| w.count_ones() as usize).sum()
}

/// Replaces vectors by sums with others while that makes them shorter (the constant does not count), and
/// orders them by length.
fn shorten(basis: &mut [Bits], width: usize) {
    let length = |bits: &Bits| weight(bits) - u32::from(bit(bits, width - 1));
    let mut changed = basis.len() <= 500;
    while changed {
        changed = false;
        for i in 0..basis.len() {
            for j in 0..basis.len() {
                if i != j {
                    let mut sum = basis[i].clone();
                    add(&mut sum, &basis[j]);
                    if length(&sum) < length(&basis[i]) {
                        basis[i] = sum;
                        changed = true;
                    }
                }
            }
        }
    }
    basis.sort_by_key(|bits| (length(bits), bits.clone()));
}
