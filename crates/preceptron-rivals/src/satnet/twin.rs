//! A twin of the layer in f64, as the paper writes it: V S' is kept up to date, one coordinate at a time. Its
//! derivatives are checked against differences of losses, and the layer against it.

use super::kernels::Kernels;
use super::{Batch, SatNet, SatNetSettings, Start};
use preceptron_base::stream;
use proptest::prelude::*;
use rand::RngExt;
use std::f64::consts::PI;

/// One example: S by rows of m, V by rows of k, and of each variable z and whether it is known, the truth
/// first.
#[derive(Clone)]
pub(crate) struct Twin {
    pub m: usize,
    pub k: usize,
    pub s: Vec<f64>,
    pub v: Vec<f64>,
    pub z: Vec<f64>,
    pub known: Vec<bool>,
    pub sweeps: usize,
    pub tolerance: f64,
    pub damping: f64,
}

pub(crate) struct TwinPass {
    pub v: Vec<f64>,
    norms: Vec<f64>,
    sweeps: usize,
    pub z: Vec<f64>,
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Twin {
    fn unknown(&self) -> impl Iterator<Item = usize> {
        (0..self.known.len()).filter(|&i| !self.known[i])
    }

    fn s_of(&self, i: usize) -> &[f64] {
        &self.s[i * self.m..][..self.m]
    }

    /// Omega = V S: k rows of m.
    fn omega(&self, v: &[f64]) -> Vec<f64> {
        let at =
            |c: usize, r: usize| (0..self.known.len()).map(|i| v[i * self.k + c] * self.s_of(i)[r]).sum();
        (0..self.k * self.m).map(|at_| at(at_ / self.m, at_ % self.m)).collect()
    }

    /// g_i = Omega s_i - |s_i|^2 v_i
    fn pull(&self, omega: &[f64], x: &[f64], i: usize) -> Vec<f64> {
        let own = dot(self.s_of(i), self.s_of(i));
        (0..self.k)
            .map(|c| dot(&omega[c * self.m..][..self.m], self.s_of(i)) - own * x[i * self.k + c])
            .collect()
    }

    fn replace(&self, omega: &mut [f64], x: &mut [f64], i: usize, new: &[f64]) -> f64 {
        let mut change = 0.0;
        for c in 0..self.k {
            let d = new[c] - x[i * self.k + c];
            change += d * d;
            x[i * self.k + c] = new[c];
            omega[c * self.m..][..self.m].iter_mut().zip(self.s_of(i)).for_each(|(omega, s)| *omega += d * s);
        }
        change
    }

    pub fn forward(&self) -> TwinPass {
        let (n, k) = (self.known.len(), self.k);
        let mut v = self.v.clone();
        for i in 0..n {
            let row = &mut v[i * k..][..k];
            if self.known[i] {
                let sign = if row[1] >= 0.0 { 1.0 } else { -1.0 };
                row.fill(0.0);
                (row[0], row[1]) = (-(PI * self.z[i]).cos(), sign * (PI * self.z[i]).sin());
            } else {
                let norm = dot(row, row).sqrt();
                row.iter_mut().for_each(|v| *v /= norm);
            }
        }
        let (mut omega, mut norms) = (self.omega(&v), vec![0.0; n]);
        let (mut least, mut sweeps) = (None, 0);
        while sweeps < self.sweeps {
            let mut decrease = 0.0;
            for i in self.unknown() {
                let g = self.pull(&omega, &v, i);
                norms[i] = dot(&g, &g).sqrt();
                let new: Vec<f64> = g.iter().map(|g| -g / norms[i]).collect();
                decrease += norms[i] * self.replace(&mut omega, &mut v, i, &new);
            }
            sweeps += 1;
            if decrease < *least.get_or_insert(decrease * self.tolerance) {
                break;
            }
        }
        let mut z = self.z.clone();
        self.unknown().for_each(|i| z[i] = (-v[i * k]).clamp(-1.0, 1.0).acos() / PI);
        TwinPass { v, norms, sweeps, z }
    }

    /// Derivatives by S and by z, from those by the outputs.
    fn backward(&self, pass: &TwinPass, by_z: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (n, m, k) = (self.known.len(), self.m, self.k);
        let (mut u, mut phi) = (vec![0.0; n * k], vec![0.0; k * m]);
        for _ in 0..pass.sweeps {
            for i in self.unknown() {
                let mut g = self.pull(&phi, &u, i);
                g[0] += by_z[i] / (PI * (PI * pass.z[i]).sin());
                let v = &pass.v[i * k..][..k];
                let along = dot(&g, v);
                let factor = 1.0 / (pass.norms[i] + self.damping);
                let new: Vec<f64> = g.iter().zip(v).map(|(g, v)| (along * v - g) * factor).collect();
                self.replace(&mut phi, &mut u, i, &new);
            }
        }
        let omega = self.omega(&pass.v);
        let by_s = |i: usize, r: usize| {
            let both = |c: usize| u[i * k + c] * omega[c * m + r] + pass.v[i * k + c] * phi[c * m + r];
            (0..k).map(both).sum::<f64>()
        };
        let by_input = |i: usize| {
            let [first, second] = [0, 1].map(|c| dot(&phi[c * m..][..m], self.s_of(i)));
            let sign = if self.v[i * k + 1] >= 0.0 { 1.0 } else { -1.0 };
            PI * (first * (PI * self.z[i]).sin() + second * sign * (PI * self.z[i]).cos())
        };
        let by_inputs = (0..n).map(|i| if self.known[i] { by_input(i) } else { 0.0 }).collect();
        ((0..n * m).map(|at| by_s(at / m, at % m)).collect(), by_inputs)
    }
}

/// A layer, a batch of one example, and the same as a twin.
fn drawn(
    variables: usize,
    settings: SatNetSettings,
    case: u64,
) -> (SatNet, Vec<f32>, Vec<bool>, Vec<f32>, Twin) {
    let layer = SatNet::new(variables, settings).unwrap();
    let random = &mut stream(case, "a case of the twin", settings.seed);
    let inputs: Vec<f32> = (0..variables).map(|_| random.random_range(0.05..0.95)).collect();
    let is_input: Vec<bool> = (0..variables).map(|_| random.random()).collect();
    let (n, k) = (1 + variables + settings.auxiliary, layer.vector_length());
    let vectors: Vec<f32> = (0..n * k).map(|_| random.random_range(-1.0..1.0)).collect();
    let wide = |values: &[f32]| values.iter().map(|&value| f64::from(value)).collect::<Vec<f64>>();
    let mut known: Vec<bool> = std::iter::once(true).chain(is_input.iter().copied()).collect();
    known.resize(n, false);
    let mut z: Vec<f64> = std::iter::once(1.0).chain(wide(&inputs)).collect();
    z.resize(n, 0.0);
    let twin = Twin {
        m: settings.clauses,
        k,
        s: wide(layer.clauses()),
        v: wide(&vectors),
        z,
        known,
        sweeps: settings.sweeps,
        tolerance: settings.tolerance,
        damping: settings.damping,
    };
    (layer, inputs, is_input, vectors, twin)
}

/// Differences of losses, sum_o c_o z_o, agree with the derivatives by S and by the inputs.
#[test]
fn derivatives_are_those_of_differences() {
    let mut worst = [0.0f64; 2];
    for case in 0..6 {
        let settings = SatNetSettings {
            clauses: 5,
            auxiliary: 2,
            sweeps: 2000,
            tolerance: 1e-24,
            damping: 0.0,
            ..Default::default()
        };
        let (.., twin) = drawn(6, SatNetSettings { seed: case, ..settings }, case);
        let pass = twin.forward();
        let weights: Vec<f64> =
            (0..twin.z.len()).map(|i| if i <= 6 && !twin.known[i] { 1.0 + i as f64 } else { 0.0 }).collect();
        let (by_s, by_z) = twin.backward(&pass, &weights);
        // From where the descent ended it finds the same end again.
        let settled = Twin { v: pass.v.clone(), ..twin.clone() };
        let loss = |twin: &Twin| dot(&twin.forward().z, &weights);
        let difference = |change: &dyn Fn(&mut Twin, f64)| {
            let at = |step: f64| {
                let mut changed = settled.clone();
                change(&mut changed, step);
                loss(&changed)
            };
            let h = 1e-5;
            (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h)
        };
        let length = dot(&by_s, &by_s).sqrt();
        for (at, derivative) in by_s.iter().enumerate() {
            let error = (difference(&|twin, h| twin.s[at] += h) - derivative).abs() / length;
            worst[0] = worst[0].max(error);
        }
        let length = dot(&by_z, &by_z).sqrt().max(1e-9);
        for at in (1..=6).filter(|&at| twin.known[at]) {
            let error = (difference(&|twin, h| twin.z[at] += h) - by_z[at]).abs() / length;
            worst[1] = worst[1].max(error);
        }
    }
    assert!(worst.iter().all(|error| *error < 1e-4), "{worst:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    /// The layer does what the twin does, with fast kernels and with plain ones.
    #[test]
    fn the_layer_is_its_twin(
        variables in 1usize..30,
        clauses in 2usize..20,
        auxiliary in 0usize..9,
        vector_length in prop::option::of(2usize..40),
        case: u64,
        is_plain: bool,
    ) {
        let settings = SatNetSettings {
            clauses,
            auxiliary,
            vector_length,
            sweeps: 8,
            tolerance: 0.0,
            damping: 0.1,
            seed: case,
            ..Default::default()
        };
        let (mut layer, inputs, is_input, vectors, twin) = drawn(variables, settings, case);
        if is_plain {
            layer.kernels = Kernels::Plain;
        }
        let batch = Batch { inputs: &inputs, is_input: &is_input };
        let pass = layer.forward(batch, Start::Given(&vectors)).unwrap();
        let expected = twin.forward();
        // What is wholly true or false has no derivative.
        let is_open = |i: usize| is_input[i] || (1e-4..1.0 - 1e-4).contains(&expected.z[i + 1]);
        prop_assume!((0..variables).all(is_open));
        for (a, b) in pass.outputs().iter().zip(&expected.z[1..]) {
            prop_assert!((f64::from(*a) - b).abs() < 2e-3, "{a} {b}");
        }
        let weights: Vec<f32> = (0..variables).map(|i| 1.0 - 0.3 * i as f32).collect();
        let gradients = layer.backward(&pass, &weights).unwrap();
        let mut wide = vec![0.0; twin.z.len()];
        (0..variables).filter(|&i| !is_input[i]).for_each(|i| wide[i + 1] = f64::from(weights[i]));
        let (by_s, by_z) = twin.backward(&expected, &wide);
        let distance = |found: &[f32], expected: &[f64]| {
            let far: f64 = found.iter().zip(expected).map(|(a, b)| (f64::from(*a) - b).powi(2)).sum();
            (far / dot(expected, expected).max(1e-12)).sqrt()
        };
        prop_assert!(distance(&gradients.clauses, &by_s) < 1e-2, "{}", distance(&gradients.clauses, &by_s));
        prop_assert!(distance(&gradients.inputs, &by_z[1..=variables]) < 1e-2);
    }
}
