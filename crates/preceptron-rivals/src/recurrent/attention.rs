//! Attention among the cells of an example.
//!
//! In each head, with a column for each cell in Q, K, V and Y, and a column for each cell that asks in P:
//! ```text
//! P = softmax(K' Q / sqrt(rows))        Y = V P
//! dV = dY P'        dP = V' dY        dS = softmax's, times 1 / sqrt(rows)        dQ = K dS        dK = Q dS'
//! ```
//! | symbol | where it stands |
//! |---|---|
//! | Q, K, V | `asked`: queries, keys and values of a token one after the other, head by head |
//! | P | `shares`: example, head, cell that asks, cell that is asked |
//! | Y | `mixed`: the values of a token, head by head |
//!
//! Dropout leaves out some of the entries of P, with the key of the recurrence and of the example's head.

use preceptron_matrix::{Strided, multiply};

use crate::layers::dropout::{Dropout, Keys};
use crate::layers::softmax::{softmax, softmax_back};

/// Sizes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attention {
    pub cells: usize,
    pub heads: usize,
    pub width: usize,
}

/// Which entries are left out.
#[derive(Clone, Copy)]
pub(super) struct Dropped {
    pub dropout: Dropout,
    pub keys: Keys,
    pub recurrence: usize,
}

impl Dropped {
    /// The key of an example's head; the first places of a recurrence belong to the block.
    fn key(&self, block: usize) -> u32 {
        self.keys.of(self.recurrence, 8 + block)
    }
}

/// Room for the matrices of one head.
#[derive(Default)]
pub(super) struct Room {
    kept: Vec<f32>,
    slopes: Vec<f32>,
}

impl Attention {
    fn rows(&self) -> usize {
        self.width / self.heads
    }

    /// Queries (0), keys (1) or values (2) of a head among those of an example.
    fn part<'a>(&self, asked: &'a [f32], which: usize, head: usize) -> Strided<'a, f32> {
        let begin = which * self.width + head * self.rows();
        Strided::by_columns(&asked[begin..], self.rows(), self.cells, 3 * self.width)
    }

    /// Fills `shares` and `mixed`.
    pub fn forward(
        &self,
        asked: &[f32],
        shares: &mut [f32],
        mixed: &mut [f32],
        dropped: Option<Dropped>,
        room: &mut Room,
    ) {
        let Attention { cells, heads, width } = *self;
        let (square, factor) = (cells * cells, 1.0 / (self.rows() as f32).sqrt());
        let examples = asked.chunks_exact(3 * width * cells).zip(mixed.chunks_exact_mut(width * cells));
        let mut blocks = shares.chunks_exact_mut(square).enumerate();
        for (asked, mixed) in examples {
            for (head, (block, shares)) in (0..heads).zip(&mut blocks) {
                let keys = self.part(asked, 1, head).transposed();
                multiply(shares, cells, keys, self.part(asked, 0, head), false);
                softmax(shares, cells, factor);
                let shares = match dropped {
                    None => &*shares,
                    Some(dropped) => {
                        room.kept.resize(square, 0.0);
                        dropped.dropout.drop(dropped.key(block), shares, &mut room.kept);
                        &room.kept
                    }
                };
                let shares = Strided::by_columns(shares, cells, cells, cells);
                multiply(&mut mixed[head * self.rows()..], width, self.part(asked, 2, head), shares, false);
            }
        }
    }

    /// From the derivatives by `mixed` to those by `asked`.
    pub fn backward(
        &self,
        asked: &[f32],
        shares: &[f32],
        slopes: &[f32],
        into: &mut [f32],
        dropped: Option<Dropped>,
        room: &mut Room,
    ) {
        let Attention { cells, heads, width } = *self;
        let (rows, square, factor) = (self.rows(), cells * cells, 1.0 / (self.rows() as f32).sqrt());
        room.slopes.resize(square, 0.0);
        room.kept.resize(square, 0.0);
        let examples = asked.chunks_exact(3 * width * cells).zip(into.chunks_exact_mut(3 * width * cells));
        let mut blocks = shares.chunks_exact(square).enumerate();
        for ((asked, into), slopes) in examples.zip(slopes.chunks_exact(width * cells)) {
            for (head, (block, shares)) in (0..heads).zip(&mut blocks) {
                let at = |which: usize| which * width + head * rows;
                let slopes = Strided::by_columns(&slopes[head * rows..], rows, cells, width);
                let kept = match dropped {
                    None => shares,
                    Some(dropped) => {
                        dropped.dropout.drop(dropped.key(block), shares, &mut room.kept);
                        &room.kept
                    }
                };
                let kept = Strided::by_columns(kept, cells, cells, cells);
                multiply(&mut into[at(2)..], 3 * width, slopes, kept.transposed(), false);
                let values = self.part(asked, 2, head).transposed();
                multiply(&mut room.slopes, cells, values, slopes, false);
                if let Some(dropped) = dropped {
                    dropped.dropout.drop_in(dropped.key(block), &mut room.slopes);
                }
                softmax_back(shares, cells, factor, &mut room.slopes);
                let inner = Strided::by_columns(&room.slopes, cells, cells, cells);
                multiply(&mut into[at(0)..], 3 * width, self.part(asked, 1, head), inner, false);
                let queries = self.part(asked, 0, head);
                multiply(&mut into[at(1)..], 3 * width, queries, inner.transposed(), false);
            }
        }
    }
}
