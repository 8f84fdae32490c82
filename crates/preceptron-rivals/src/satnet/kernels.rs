//! One sweep of coordinate descent, for processors with AVX2 and for all others.
//!
//! A coordinate needs `g_i = b_i + sum_j C_ij x_j` with x as it is by then. The coordinates are taken in
//! blocks of [`BLOCK`]: the sums of a whole block are one product of matrices with x as it was before the
//! block, which reads x once for six coordinates; then, one coordinate after the other, x_i changes by d and
//! the g_l of the coordinates after it in the block grow by `C_li d`. This is coordinate descent to the
//! letter, only the sums are rounded in another order.
//!
//! | symbol | here |
//! |---|---|
//! | x_j, a row of k numbers | `vectors`, `width` [`Lanes`] each |
//! | C_ij, 0 for i = j | [`Couplings`] |
//! | b_i, zeros but for the first two | `constants` |
//! | g of a block | `sums` |
#![allow(unsafe_code)]

use super::couplings::{BLOCK, Couplings, Lanes, dot, each};

/// Which kernels to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kernels {
    /// For any processor.
    Plain,
    /// For AVX2 and FMA. Only [`Kernels::best`] makes it, where the processor has them.
    #[cfg(target_arch = "x86_64")]
    Avx2(HasAvx2),
}

/// The processor has AVX2 and FMA: only [`Kernels::best`] can say so.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HasAvx2(());

impl Kernels {
    /// The fastest that this processor can run.
    pub fn best() -> Kernels {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
            return Kernels::Avx2(HasAvx2(()));
        }
        Kernels::Plain
    }

    /// One sweep. `turn(i, x_i, g_i)` makes of g_i the new x_i, in place, and returns a weight; the result is
    /// the sum of the weights times the squared changes of the x_i. `sums` is room for [`BLOCK`] vectors.
    #[inline(always)]
    pub fn sweep(
        self,
        couplings: &Couplings,
        constants: &[[f32; 2]],
        vectors: &mut [Lanes],
        sums: &mut [Lanes],
        turn: impl FnMut(usize, &[Lanes], &mut [Lanes]) -> f32,
    ) -> f32 {
        match self {
            Kernels::Plain => sweep_with(block_plain, couplings, constants, vectors, sums, turn),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `HasAvx2` is made only where the processor has AVX2 and FMA.
            Kernels::Avx2(_) => unsafe { avx2::sweep(couplings, constants, vectors, sums, turn) },
        }
    }
}

/// The sweep around a kernel for the sums of a block.
#[inline(always)]
fn sweep_with(
    block_sums: impl Fn(&[f32], &[Lanes], &mut [Lanes]),
    couplings: &Couplings,
    constants: &[[f32; 2]],
    vectors: &mut [Lanes],
    sums: &mut [Lanes],
    mut turn: impl FnMut(usize, &[Lanes], &mut [Lanes]) -> f32,
) -> f32 {
    let width = sums.len() / BLOCK;
    let mut decrease = 0.0;
    let blocks = couplings.blocks();
    for (number, (block, constants)) in blocks.zip(constants.chunks(BLOCK)).enumerate() {
        block_sums(block, vectors, sums);
        for (row, constant) in constants.iter().enumerate() {
            let i = number * BLOCK + row;
            let (sum, later) = sums[row * width..].split_at_mut(width);
            sum[0].0[0] += constant[0];
            sum[0].0[1] += constant[1];
            let vector = &mut vectors[i * width..][..width];
            let weight = turn(i, vector, sum);
            for (new, old) in sum.iter_mut().zip(vector) {
                for (new, old) in new.0.iter_mut().zip(&mut old.0) {
                    (*old, *new) = (*new, *new - *old);
                }
            }
            decrease += weight * dot(sum, sum);
            for (later, coupling) in later.chunks_exact_mut(width).zip(&block[i * BLOCK + row + 1..]) {
                each(later, sum, |g, d| g + coupling * d);
            }
        }
    }
    decrease
}

/// `sums_r = sum_j C_rj x_j` for the rows r of a block.
#[inline(always)]
fn block_plain(block: &[f32], vectors: &[Lanes], sums: &mut [Lanes]) {
    let width = sums.len() / BLOCK;
    sums.fill(Lanes::default());
    for (couplings, vector) in block.chunks_exact(BLOCK).zip(vectors.chunks_exact(width)) {
        for (sum, coupling) in sums.chunks_exact_mut(width).zip(couplings) {
            each(sum, vector, |g, x| g + coupling * x);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{BLOCK, Couplings, Lanes, sweep_with};
    use std::arch::x86_64::{
        __m256, _mm256_broadcast_ss, _mm256_fmadd_ps, _mm256_load_ps, _mm256_setzero_ps, _mm256_store_ps,
    };

    #[target_feature(enable = "avx2,fma")]
    pub fn sweep(
        couplings: &Couplings,
        constants: &[[f32; 2]],
        vectors: &mut [Lanes],
        sums: &mut [Lanes],
        turn: impl FnMut(usize, &[Lanes], &mut [Lanes]) -> f32,
    ) -> f32 {
        sweep_with(
            |block, vectors, sums| block_sums(block, vectors, sums),
            couplings,
            constants,
            vectors,
            sums,
            turn,
        )
    }

    /// As [`super::block_plain`]: sixteen columns at a time, so that the sums stay in twelve registers.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn block_sums(block: &[f32], vectors: &[Lanes], sums: &mut [Lanes]) {
        let width = sums.len() / BLOCK;
        let mut column = 0;
        while column + 2 <= width {
            columns::<2>(block, vectors, width, column, sums);
            column += 2;
        }
        if column < width {
            columns::<1>(block, vectors, width, column, sums);
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn columns<const N: usize>(
        block: &[f32],
        vectors: &[Lanes],
        width: usize,
        column: usize,
        sums: &mut [Lanes],
    ) {
        let rows = block.len() / BLOCK;
        assert!(vectors.len() >= rows * width && sums.len() >= BLOCK * width && column + N <= width);
        let mut registers = [[_mm256_setzero_ps(); N]; BLOCK];
        for row in 0..rows {
            let mut vector: [__m256; N] = [_mm256_setzero_ps(); N];
            for (lane, vector) in vector.iter_mut().enumerate() {
                // SAFETY: row * width + column + lane < rows * width <= vectors.len(), as asserted above;
                // `Lanes` are eight f32 at a multiple of 32 bytes.
                *vector = unsafe { _mm256_load_ps(vectors.as_ptr().add(row * width + column + lane).cast()) };
            }
            for (index, registers) in registers.iter_mut().enumerate() {
                // SAFETY: row * BLOCK + index < rows * BLOCK <= block.len().
                let coupling = unsafe { _mm256_broadcast_ss(block.get_unchecked(row * BLOCK + index)) };
                for (register, vector) in registers.iter_mut().zip(vector) {
                    *register = _mm256_fmadd_ps(coupling, vector, *register);
                }
            }
        }
        for (index, registers) in registers.iter().enumerate() {
            for (lane, register) in registers.iter().enumerate() {
                // SAFETY: index * width + column + lane < BLOCK * width <= sums.len(), as asserted above.
                unsafe {
                    _mm256_store_ps(sums.as_mut_ptr().add(index * width + column + lane).cast(), *register)
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lanes(values: &[f32]) -> Vec<Lanes> {
        values.chunks_exact(8).map(|chunk| Lanes(std::array::from_fn(|i| chunk[i]))).collect()
    }

    proptest! {
        /// Plain and fast kernels, and the descent without blocks, do the same.
        #[test]
        fn kernels_agree(
            count in 0usize..20,
            width in 1usize..6,
            values in prop::collection::vec(-1.0f32..1.0, 20 * 20 + 20 * 48 + 40),
        ) {
            let (gram, rest) = values.split_at(400);
            let (start, constants) = rest.split_at(20 * 48);
            let start = lanes(&start[..count * width * 8]);
            let constants: Vec<[f32; 2]> = constants.chunks_exact(2).take(count).map(|c| [c[0], c[1]]).collect();
            let order: Vec<usize> = (0..count).map(|i| (i * 7 + 3) % 20).collect();
            let mut couplings = Couplings::default();
            couplings.gather(gram, 20, &order);
            let turn = |_: usize, old: &[Lanes], g: &mut [Lanes]| {
                each(g, old, |g, old| g * 0.3 + old * 0.1);
                0.5
            };
            let run = |kernels: Kernels| {
                let (mut vectors, mut sums) = (start.clone(), vec![Lanes::default(); BLOCK * width]);
                let decrease = kernels.sweep(&couplings, &constants, &mut vectors, &mut sums, turn);
                (vectors, decrease)
            };
            let mut expected = (start.clone(), 0.0);
            for i in 0..count {
                let mut g = vec![Lanes::default(); width];
                g[0].0[..2].copy_from_slice(&constants[i]);
                for j in (0..count).filter(|&j| j != i) {
                    let coupling = gram[order[i] * 20 + order[j]];
                    each(&mut g, &expected.0[j * width..][..width], |g, x| g + coupling * x);
                }
                let weight = turn(i, &expected.0[i * width..][..width], &mut g);
                let old = &mut expected.0[i * width..][..width];
                each(old, &g, |old, new| new - old);
                expected.1 += weight * dot(old, old);
                old.copy_from_slice(&g);
            }
            for kernels in [Kernels::Plain, Kernels::best()] {
                let (vectors, decrease) = run(kernels);
                prop_assert!((decrease - expected.1).abs() <= 1e-4 * (1.0 + expected.1));
                for (a, b) in vectors.iter().zip(&expected.0) {
                    prop_assert!(a.0.iter().zip(&b.0).all(|(a, b)| (a - b).abs() < 1e-4), "{a:?} {b:?}");
                }
            }
        }
    }
}
