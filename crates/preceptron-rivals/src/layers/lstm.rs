//! Cells of long short-term memory.
//!
//! With the gates' values (i, f, g, o) of a column one after the other, before their functions:
//! ```text
//! c = sigmoid(f) c + sigmoid(i) tanh(g)        h = sigmoid(o) tanh(c)
//! ```
//! The gates are linear in an input and in h; the caller has these maps.

use preceptron_matrix::widest;

use super::functions::{sigmoid, tanh};

/// Replaces the gates by their functions; writes the memory and the output from the memory before.
pub(crate) fn forward(
    gates: &mut [f32],
    before: &[f32],
    memory: &mut [f32],
    output: &mut [f32],
    width: usize,
) {
    let columns = gates.chunks_exact_mut(4 * width).zip(before.chunks_exact(width));
    let results = memory.chunks_exact_mut(width).zip(output.chunks_exact_mut(width));
    widest(
        #[inline(always)]
        || {
            for ((gates, before), (memory, output)) in columns.zip(results) {
                let (i, rest) = gates.split_at_mut(width);
                let (f, rest) = rest.split_at_mut(width);
                let (g, o) = rest.split_at_mut(width);
                i.iter_mut().for_each(|i| *i = sigmoid(*i));
                f.iter_mut().for_each(|f| *f = sigmoid(*f));
                g.iter_mut().for_each(|g| *g = tanh(*g));
                o.iter_mut().for_each(|o| *o = sigmoid(*o));
                for at in 0..width {
                    memory[at] = f[at] * before[at] + i[at] * g[at];
                    output[at] = o[at] * tanh(memory[at]);
                }
            }
        },
    );
}

/// From the derivatives by the output and the memory to those by the gates and, in place, by the memory before.
pub(crate) fn backward(
    gates: &[f32],
    [before, memory]: [&[f32]; 2],
    by_output: &[f32],
    by_memory: &mut [f32],
    by_gates: &mut [f32],
    width: usize,
) {
    let columns = gates.chunks_exact(4 * width).zip(by_gates.chunks_exact_mut(4 * width));
    let states = before.chunks_exact(width).zip(memory.chunks_exact(width));
    let slopes = by_output.chunks_exact(width).zip(by_memory.chunks_exact_mut(width));
    widest(
        #[inline(always)]
        || {
            for (((gates, by_gates), (before, memory)), (by_output, by_memory)) in
                columns.zip(states).zip(slopes)
            {
                let (by_i, rest) = by_gates.split_at_mut(width);
                let (by_f, rest) = rest.split_at_mut(width);
                let (by_g, by_o) = rest.split_at_mut(width);
                let [i, f, g, o] = [0, 1, 2, 3].map(|gate| &gates[gate * width..(gate + 1) * width]);
                for at in 0..width {
                    let (slope, tanh) = (by_output[at], tanh(memory[at]));
                    let whole = by_memory[at] + slope * o[at] * (1.0 - tanh * tanh);
                    by_o[at] = slope * tanh * o[at] * (1.0 - o[at]);
                    by_i[at] = whole * g[at] * i[at] * (1.0 - i[at]);
                    by_f[at] = whole * before[at] * f[at] * (1.0 - f[at]);
                    by_g[at] = whole * i[at] * (1.0 - g[at] * g[at]);
                    by_memory[at] = whole * f[at];
                }
            }
        },
    );
}
