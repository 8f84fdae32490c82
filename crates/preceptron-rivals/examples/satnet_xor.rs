//! SATNet on chained XOR, as its authors train it: 9,000 strings, 1,000 others, batches of 100.
//!
//! `cargo run --release -p preceptron-rivals --example satnet_xor -- [LENGTH [SEED [EPOCHS [RATE [adam] [soft]]]]]`

use std::time::Instant;

use preceptron_base::stream;
use preceptron_rivals::{SatNetSettings, XorChain};
use rand::RngExt;

const TRAINING: usize = 9000;
const HELD_OUT: usize = 1000;
const BATCH: usize = 100;

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| words.get(at).map_or(Ok(default), |word| word.parse());
    let (length, seed, epochs) = (number(0, 20)? as usize, number(1, 0)?, number(2, 20)?);
    let rate = words.get(3).map_or(Ok(XorChain::settings().learning_rate), |word| word.parse())?;
    let [is_adam, is_soft] = ["adam", "soft"].map(|word| words.iter().any(|typed| typed == word));
    let strings = |purpose: &str, count: usize| {
        let random = &mut stream(seed, purpose, length as u64);
        let bits: Vec<bool> = (0..count * length).map(|_| random.random()).collect();
        let odd = |string: &[bool]| string.iter().fold(false, |parity, bit| parity ^ bit);
        let parities: Vec<bool> = bits.chunks_exact(length).map(odd).collect();
        (bits, parities)
    };
    let (bits, parities) = strings("strings to train on", TRAINING);
    let (others, expected) = strings("other strings", HELD_OUT);
    let settings =
        SatNetSettings { seed, plain_descent: !is_adam, learning_rate: rate, ..XorChain::settings() };
    let mut chain = XorChain::new(settings, !is_soft)?;
    let begin = Instant::now();
    for epoch in 0..=epochs {
        let mut loss = 0.0;
        if epoch > 0 {
            for (bits, parities) in bits.chunks_exact(BATCH * length).zip(parities.chunks_exact(BATCH)) {
                loss += chain.fit(bits, length, parities)? * BATCH as f64 / TRAINING as f64;
            }
        }
        let found = chain.predict(&others, length)?;
        let right = found.iter().zip(&expected).filter(|(odd, expected)| (**odd > 0.5) == **expected).count();
        let share = right as f64 / HELD_OUT as f64;
        let seconds = begin.elapsed().as_secs_f64();
        println!("epoch {epoch:3}  loss {loss:.4}  held out {:.1}%  {seconds:.1} s", 100.0 * share);
    }
    Ok(())
}
