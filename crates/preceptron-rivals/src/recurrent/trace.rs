//! What the way forward keeps for the way back.

use super::network::Network;

/// What is kept, recurrence by recurrence.
#[derive(Default)]
pub(super) struct Trace {
    /// norm(x) and 1 / deviation before the first recurrence and after each.
    pub seen: Kept,
    pub seen_inverse: Kept,
    /// Queries, keys and values; what attention makes of them.
    pub asked: Kept,
    pub shares: Kept,
    pub mixed: Kept,
    /// norm(x) and 1 / deviation between attention and hidden units.
    pub middle: Kept,
    pub middle_inverse: Kept,
    /// Hidden units before gelu.
    pub hidden: Kept,
    /// Derivatives by the logits.
    pub logits: Kept,
}

/// Values of all recurrences, or of the one at hand.
#[derive(Default)]
pub(super) struct Kept {
    values: Vec<f32>,
    pub size: usize,
}

impl Kept {
    pub fn resize(&mut self, size: usize, slots: usize) {
        self.size = size;
        self.values.resize(size * slots, 0.0);
    }

    pub fn of(&self, slot: usize) -> &[f32] {
        &self.values[slot * self.size..][..self.size]
    }

    pub fn of_mut(&mut self, slot: usize) -> &mut [f32] {
        &mut self.values[slot * self.size..][..self.size]
    }
}

impl Trace {
    /// Makes room for so many tokens, for all recurrences or for one.
    pub fn prepare(&mut self, network: &Network, tokens: usize, slots: usize) {
        let Network { width, classes, attention, .. } = *network;
        for (kept, size, more) in [
            (&mut self.seen, width, 1),
            (&mut self.seen_inverse, 1, 1),
            (&mut self.asked, 3 * width, 0),
            (&mut self.shares, attention.heads * attention.cells, 0),
            (&mut self.mixed, width, 0),
            (&mut self.middle, width, 0),
            (&mut self.middle_inverse, 1, 0),
            (&mut self.hidden, 4 * width, 0),
            (&mut self.logits, classes, 0),
        ] {
            kept.resize(size * tokens, slots + more);
        }
    }
}
