//! What a sweep reads and writes: vectors in eights, and couplings of variables in blocks of six.

/// Coordinates that are summed at a time.
pub(super) const BLOCK: usize = 6;

/// Eight numbers of a vector: what AVX2 takes at once.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub(super) struct Lanes(pub [f32; 8]);

/// The product of two vectors.
#[inline(always)]
pub(super) fn dot(a: &[Lanes], b: &[Lanes]) -> f32 {
    let mut sums = [0.0f32; 8];
    for (a, b) in a.iter().zip(b) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.0.iter().zip(&b.0)) {
            *sum += a * b;
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// `a = f(a, b)`, number by number.
#[inline(always)]
pub(super) fn each(a: &mut [Lanes], b: &[Lanes], f: impl Fn(f32, f32) -> f32) {
    for (a, b) in a.iter_mut().zip(b) {
        for (a, b) in a.0.iter_mut().zip(&b.0) {
            *a = f(*a, *b);
        }
    }
}

/// What the unknown variables of one example have to do with each other: C_ij for i and j in the order of the
/// sweep, by blocks of [`BLOCK`] rows; in a block, the values of its rows for one j stand together.
#[derive(Clone, Debug, Default)]
pub(super) struct Couplings {
    values: Vec<f32>,
    count: usize,
}

impl Couplings {
    /// Those of the variables in `order`, from the products of all `variables` with each other.
    pub fn gather(&mut self, gram: &[f32], variables: usize, order: &[usize]) {
        self.count = order.len();
        self.values.clear();
        self.values.resize(self.count.div_ceil(BLOCK) * BLOCK * self.count, 0.0);
        let blocks = self.values.chunks_exact_mut((BLOCK * self.count).max(1));
        for (number, (rows, block)) in order.chunks(BLOCK).zip(blocks).enumerate() {
            for (row, &variable) in rows.iter().enumerate() {
                let products = &gram[variable * variables..][..variables];
                for (values, &other) in block.chunks_exact_mut(BLOCK).zip(order) {
                    values[row] = products[other];
                }
                block[(number * BLOCK + row) * BLOCK + row] = 0.0;
            }
        }
    }

    /// The blocks, in their order.
    #[inline(always)]
    pub fn blocks(&self) -> impl Iterator<Item = &[f32]> {
        self.values.chunks_exact((BLOCK * self.count).max(1))
    }
}
