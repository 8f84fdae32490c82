//! Truth values, 64 to a word, the first in the lowest bit.

/// A growing column of bits.
#[derive(Default)]
pub struct Bits {
    pub words: Vec<u64>,
    pub len: usize,
}

impl Bits {
    /// Adds the lowest `count` bits of a word, at most 64; the others are 0.
    pub fn push_word(&mut self, word: u64, count: usize) {
        let at = self.len % 64;
        if at == 0 {
            self.words.push(word);
        } else {
            if let Some(last) = self.words.last_mut() {
                *last |= word << at;
            }
            if at + count > 64 {
                self.words.push(word >> (64 - at));
            }
        }
        self.len += count;
    }

    /// Adds `count` times the same.
    pub fn push_same(&mut self, value: bool, count: usize) {
        let mut left = count;
        while left > 0 {
            let some = left.min(64);
            self.push_word(if value { lowest(some) } else { 0 }, some);
            left -= some;
        }
    }

    /// Adds bits of a map that begin at this place of it.
    pub fn push_map(&mut self, map: &[u8], begin: usize, count: usize) {
        let mut done = 0;
        while done < count {
            let some = (count - done).min(64);
            self.push_word(word_at(map, begin + done) & lowest(some), some);
            done += some;
        }
    }

    /// Adds one truth value for each byte.
    pub fn push_bytes(&mut self, bytes: &[u8]) {
        for some in bytes.chunks(64) {
            let word =
                some.iter().enumerate().fold(0u64, |word, (at, byte)| word | u64::from(*byte != 0) << at);
            self.push_word(word, some.len());
        }
    }
}

/// A word with its lowest bits set.
fn lowest(count: usize) -> u64 {
    if count == 64 { u64::MAX } else { (1 << count) - 1 }
}

/// The 64 bits from this place of a map on; 0 beyond its end.
fn word_at(map: &[u8], begin: usize) -> u64 {
    let (byte, shift) = (begin / 8, begin % 8);
    let mut some = [0u8; 9];
    let end = (byte + 9).min(map.len());
    if byte < end {
        some[..end - byte].copy_from_slice(&map[byte..end]);
    }
    let low = u64::from_le_bytes([some[0], some[1], some[2], some[3], some[4], some[5], some[6], some[7]]);
    if shift == 0 { low } else { low >> shift | u64::from(some[8]) << (64 - shift) }
}

/// Whether a bit of a map is set.
pub fn is_set(map: &[u8], at: usize) -> bool {
    map.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 == 1)
}
