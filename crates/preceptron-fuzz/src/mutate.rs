//! New inputs from old ones: bits, bytes, slices, lines, numbers and words are changed at random.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// No input is longer.
const LONGEST: usize = 1 << 14;

/// Numbers at which readers go wrong.
const NUMBERS: [&str; 20] = [
    "0",
    "1",
    "2",
    "-1",
    "-0",
    "007",
    "64",
    "300",
    "100001",
    "2147483648",
    "4294967295",
    "4294967296",
    "1000000000000000000",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "99999999999999999999999999999999",
    "0.5",
    "1e308",
    "nan",
];

/// Changes inputs.
pub struct Mutator {
    random: ChaCha8Rng,
    words: &'static [&'static str],
}

impl Mutator {
    /// Changes as this stream of random numbers says; `words` are put in now and then.
    pub fn new(random: ChaCha8Rng, words: &'static [&'static str]) -> Mutator {
        Mutator { random, words }
    }

    /// A changed copy of one of these inputs, with pieces of others.
    pub fn mutate(&mut self, corpus: &[Vec<u8>]) -> Vec<u8> {
        // What was added last is tried more often: it is what the least is known of.
        let newest = if self.random.random() { corpus.len() * 3 / 4 } else { 0 };
        let mut input = corpus.get(newest..).map_or(vec![], |some| self.pick(some));
        for _ in 0..1 << self.random.random_range(0..5) {
            self.change(&mut input, corpus);
            input.truncate(LONGEST);
        }
        input
    }

    fn pick(&mut self, corpus: &[Vec<u8>]) -> Vec<u8> {
        match corpus.len() {
            0 => vec![],
            count => corpus[self.random.random_range(0..count)].clone(),
        }
    }

    /// A place before or after any byte.
    fn place(&mut self, input: &[u8]) -> usize {
        self.random.random_range(0..=input.len())
    }

    /// A slice; mostly a short one.
    fn slice(&mut self, input: &[u8]) -> std::ops::Range<usize> {
        let from = self.place(input);
        let longest = 1usize << self.random.random_range(0..10);
        from..(from + self.random.random_range(1..=longest)).min(input.len())
    }

    fn change(&mut self, input: &mut Vec<u8>, corpus: &[Vec<u8>]) {
        let at = self.place(input);
        match self.random.random_range(0..14) {
            0 if at < input.len() => input[at] ^= 1 << self.random.random_range(0..8),
            1 if at < input.len() => input[at] = self.random.random(),
            2 => {
                let bytes: [u8; 4] = self.random.random();
                let count = self.random.random_range(1..=4);
                input.splice(at..at, bytes.into_iter().take(count));
            }
            3 => {
                let slice = self.slice(input);
                input.drain(slice);
            }
            4 => {
                let slice = input[self.slice(input)].to_vec();
                input.splice(at..at, slice);
            }
            5 => {
                let slice = input[self.slice(input)].to_vec();
                let times = 1 << self.random.random_range(1..8);
                input.splice(at..at, slice.repeat(times));
            }
            6 => {
                let other = self.pick(corpus);
                let from = self.place(&other);
                input.truncate(at);
                input.extend(&other[from..]);
            }
            7 => {
                let other = self.pick(corpus);
                let slice = self.slice(&other);
                input.splice(at..at, other[slice].iter().copied());
            }
            8 | 9 => {
                let word = self.word();
                input.splice(at..at, word);
            }
            10 => {
                let slice = self.slice(input);
                let word = self.word();
                input.splice(slice, word);
            }
            11 => self.change_line(input),
            _ => self.change_number(input),
        }
    }

    fn word(&mut self) -> Vec<u8> {
        let at = self.random.random_range(0..self.words.len() + 2);
        let word = self.words.get(at).copied().unwrap_or_else(|| self.number());
        match self.random.random_range(0..3) {
            0 => format!(" {word} ").into_bytes(),
            _ => word.as_bytes().to_vec(),
        }
    }

    fn number(&mut self) -> &'static str {
        NUMBERS[self.random.random_range(0..NUMBERS.len())]
    }

    /// Leaves a line out, or puts it in the place of another or before it.
    fn change_line(&mut self, input: &mut Vec<u8>) {
        let mut lines: Vec<&[u8]> = input.split_inclusive(|b| *b == b'\n').collect();
        if lines.is_empty() {
            return;
        }
        let (from, to) = (self.random.random_range(0..lines.len()), self.random.random_range(0..lines.len()));
        let line = lines[from];
        match self.random.random_range(0..3) {
            0 => drop(lines.remove(from)),
            1 => lines[to] = line,
            _ => lines.insert(to, line),
        }
        *input = lines.concat();
    }

    /// Puts another number in the place of one.
    fn change_number(&mut self, input: &mut Vec<u8>) {
        let start = self.place(input);
        let digit = |byte: &u8| byte.is_ascii_digit();
        let Some(from) = input[start..].iter().position(digit).map(|at| start + at) else { return };
        let to = input[from..].iter().position(|b| !digit(b)).map_or(input.len(), |at| from + at);
        let old: i64 = std::str::from_utf8(&input[from..to]).ok().and_then(|t| t.parse().ok()).unwrap_or(0);
        let new = match self.random.random_range(0..4) {
            0 => self.number().to_owned(),
            1 => self.random.random_range(0..20).to_string(),
            2 => old.saturating_add(1).to_string(),
            _ => old.saturating_sub(1).to_string(),
        };
        input.splice(from..to, new.into_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn a_seed_gives_a_sequence_and_inputs_stay_short() {
        let corpus = [b"+1 x1 +1 ~x2 >= 1 ;\n".to_vec(), b"a,b\n0,1\n".to_vec(), vec![]];
        let inputs = |seed| {
            let mut mutator = Mutator::new(ChaCha8Rng::seed_from_u64(seed), &[">="]);
            (0..3000).map(|_| mutator.mutate(&corpus)).collect::<Vec<_>>()
        };
        assert_eq!(inputs(1), inputs(1));
        assert_ne!(inputs(1), inputs(2));
        assert!(inputs(1).iter().all(|input| input.len() <= LONGEST));
        let mut alone = Mutator::new(ChaCha8Rng::seed_from_u64(1), &[]);
        (0..1000).for_each(|_| drop(alone.mutate(&[])));
    }
}
