//! The relaxed problem of one example: its descent, and the derivatives at its end.
//!
//! The unknown v_i lower `sum_ij C_ij v_i'v_j`, C = S S', one after the other:
//! ```text
//! g_i = sum_{j != i} C_ij v_j         v_i = -g_i / |g_i|
//! ```
//! A known variable stands at `v_i = -cos(pi z_i) e_0 + sin(pi z_i) (±e_1)`, where e_0 is the truth vector and
//! the sign is drawn, as in the authors' program. So what all known variables add to a g_i are the same two
//! numbers in every sweep, b_i of the kernels. Where the descent ends, the derivative of a
//! loss by the v_i of outputs, `dz_i e_0`, gives u by the same descent on the linearised end:
//! ```text
//! u_i = -P_i (sum_{j != i} C_ij u_j + dz_i e_0) / (|g_i| + damping)         P_i = I - v_i v_i'
//! ```
//! and from u follow `dL/dC = U V'` (symmetrised), and for an input
//! `dL/dz_i = (sum_j C_ij u_j)'(pi sin(pi z_i) e_0 ± pi cos(pi z_i) e_1)`.
//!
//! | symbol | here |
//! |---|---|
//! | v_i, in the order of the sweep | [`Settled::vectors`] |
//! | the two numbers of a known v_i | [`Known`] |
//! | abs(g_i) | [`Settled::norms`] |
//! | C | `gram` |
//!
//! The authors keep V S' up to date in place of using C, which takes 4 m k operations a coordinate; a row of C
//! times the unknown v takes 2 n k with n the unknown variables alone, and reads without writing. (Their
//! derivative by an input's z has another factor pi in its second term.)

use super::couplings::{BLOCK, Couplings, Lanes, dot, each};
use super::kernels::Kernels;

/// How near to 1 a cosine may be, so that derivatives by the angle are finite.
const LEAST: f32 = f32::EPSILON / 2.0;

/// A g that is shorter has no direction.
const LEAST_NORM: f32 = 1e-18;

/// A known variable: its number, its value z, and the sign of its part across the truth vector.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Known {
    pub variable: usize,
    pub value: f32,
    pub sign: f32,
}

impl Known {
    /// Its vector's first two numbers; the others are 0.
    fn vector(&self) -> [f32; 2] {
        let (sine, cosine) = (self.value * std::f32::consts::PI).sin_cos();
        [-cosine, sine * self.sign]
    }
}

/// Where the descent of one example ended.
#[derive(Clone, Debug, Default)]
pub(super) struct Settled {
    pub known: Vec<Known>,
    /// The unknown variables, in the order of the sweep.
    pub order: Vec<usize>,
    pub vectors: Vec<Lanes>,
    pub norms: Vec<f32>,
    pub sweeps: usize,
}

/// What a thread works with.
#[derive(Default)]
pub(super) struct Workspace {
    couplings: Couplings,
    constants: Vec<[f32; 2]>,
    sums: Vec<Lanes>,
    columns: [Vec<f32>; 2],
}

/// All that the examples of a batch share.
pub(super) struct Problem<'a> {
    pub kernels: Kernels,
    /// C, `variables` times `variables`.
    pub gram: &'a [f32],
    pub variables: usize,
    /// [`Lanes`] of a vector.
    pub width: usize,
    pub sweeps: usize,
    pub tolerance: f32,
    pub damping: f32,
}

impl Problem<'_> {
    /// Lets the vectors, which may have any length but 0, settle.
    pub fn settle(&self, settled: &mut Settled, work: &mut Workspace) {
        let Settled { known, order, vectors, norms, sweeps } = settled;
        work.columns.iter_mut().for_each(|column| refill(column, self.variables));
        for one in known.iter() {
            let row = &self.gram[one.variable * self.variables..][..self.variables];
            for (column, factor) in
                work.columns.iter_mut().zip(one.vector()).filter(|(_, factor)| *factor != 0.0)
            {
                column.iter_mut().zip(row).for_each(|(sum, product)| *sum += factor * product);
            }
        }
        let [first, second] = &work.columns;
        work.constants.clear();
        work.constants.extend(order.iter().map(|&variable| [first[variable], second[variable]]));
        work.couplings.gather(self.gram, self.variables, order);
        work.sums.resize(BLOCK * self.width, Lanes::default());
        vectors
            .chunks_exact_mut(self.width)
            .for_each(|vector| scale(vector, 1.0 / dot(vector, vector).sqrt()));
        refill(norms, order.len());
        let mut least = None;
        *sweeps = 0;
        while *sweeps < self.sweeps {
            let decrease = self.kernels.sweep(
                &work.couplings,
                &work.constants,
                vectors,
                &mut work.sums,
                #[inline(always)]
                |i, old, g| {
                    let norm = dot(g, g).sqrt();
                    norms[i] = norm;
                    match norm > LEAST_NORM {
                        true => scale(g, -1.0 / norm),
                        // Without any pull, whichever direction there is stays a good one.
                        false => g.copy_from_slice(old),
                    }
                    norm
                },
            );
            *sweeps += 1;
            if decrease < *least.get_or_insert(decrease * self.tolerance) || decrease == 0.0 {
                break;
            }
        }
    }

    /// The probability that an unknown variable is true, from its vector.
    pub fn output(&self, settled: &Settled, position: usize) -> f32 {
        let cosine = settled.vectors[position * self.width].0[0].clamp(LEAST - 1.0, 1.0 - LEAST);
        (-cosine).acos() / std::f32::consts::PI
    }

    /// The u_i, from the derivatives of the loss by the output of each unknown variable.
    pub fn linearised(&self, settled: &Settled, by_outputs: &[f32], work: &mut Workspace) -> Vec<Lanes> {
        work.constants.clear();
        work.constants.extend(by_outputs.iter().enumerate().map(|(position, derivative)| {
            let cosine = settled.vectors[position * self.width].0[0].clamp(LEAST - 1.0, 1.0 - LEAST);
            let sine = ((1.0 - cosine) * (1.0 + cosine)).sqrt();
            [derivative / (std::f32::consts::PI * sine), 0.0]
        }));
        work.couplings.gather(self.gram, self.variables, &settled.order);
        work.sums.resize(BLOCK * self.width, Lanes::default());
        let mut changes = vec![Lanes::default(); settled.vectors.len()];
        for _ in 0..settled.sweeps {
            let change = self.kernels.sweep(
                &work.couplings,
                &work.constants,
                &mut changes,
                &mut work.sums,
                #[inline(always)]
                |i, _, g| {
                    let vector = &settled.vectors[i * self.width..][..self.width];
                    let (along, norm) = (dot(vector, g), settled.norms[i] + self.damping);
                    let factor = if norm > LEAST_NORM { 1.0 / norm } else { 0.0 };
                    each(g, vector, |g, v| (along * v - g) * factor);
                    norm
                },
            );
            if change == 0.0 {
                break;
            }
        }
        changes
    }

    /// The derivative of the loss by the value of each known variable, from the u_i.
    pub fn by_inputs(&self, settled: &Settled, changes: &[Lanes], work: &mut Workspace) -> Vec<f32> {
        for (lane, column) in work.columns.iter_mut().enumerate() {
            refill(column, self.variables);
            for (&variable, change) in settled.order.iter().zip(changes.chunks_exact(self.width)) {
                column[variable] = change[0].0[lane];
            }
        }
        let by_input = |one: &Known| {
            let row = &self.gram[one.variable * self.variables..][..self.variables];
            let [first, second] = work.columns.each_ref().map(|column| product(row, column));
            let (sine, cosine) = (one.value * std::f32::consts::PI).sin_cos();
            std::f32::consts::PI * (first * sine + second * cosine * one.sign)
        };
        settled.known.iter().map(by_input).collect()
    }

    /// All vectors of an example, the known ones too, into `rows`, each row `stride` after the one before.
    pub fn spread(&self, settled: &Settled, rows: &mut [f32], stride: usize) {
        self.spread_unknown(settled, &settled.vectors, rows, stride);
        for one in &settled.known {
            rows[one.variable * stride..][..2].copy_from_slice(&one.vector());
        }
    }

    /// Vectors of the unknown variables, likewise.
    pub fn spread_unknown(&self, settled: &Settled, vectors: &[Lanes], rows: &mut [f32], stride: usize) {
        for (&variable, vector) in settled.order.iter().zip(vectors.chunks_exact(self.width)) {
            for (row, lanes) in rows[variable * stride..].chunks_exact_mut(8).zip(vector) {
                row.copy_from_slice(&lanes.0);
            }
        }
    }
}

#[inline(always)]
fn scale(vector: &mut [Lanes], factor: f32) {
    vector.iter_mut().for_each(|lanes| lanes.0.iter_mut().for_each(|value| *value *= factor));
}

fn refill(values: &mut Vec<f32>, length: usize) {
    values.clear();
    values.resize(length, 0.0);
}

/// The product of two rows, in eight sums.
fn product(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; 8];
    for (a, b) in a.chunks(8).zip(b.chunks(8)) {
        sums.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (a, b))| *sum += a * b);
    }
    sums.iter().sum()
}
