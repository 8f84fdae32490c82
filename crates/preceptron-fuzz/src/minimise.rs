//! Shorter inputs that still fail.

/// Deletes pieces of an input, halves first and single bytes last, as long as it still `fails`, which is
/// asked `most` times at the most.
pub fn minimise(input: &[u8], most: usize, mut fails: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut best = input.to_vec();
    let mut asked = 0;
    let mut size = best.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        while at < best.len() {
            if asked == most {
                return best;
            }
            asked += 1;
            let rest = &best[(at + size).min(best.len())..];
            let shorter = [&best[..at], rest].concat();
            match fails(&shorter) {
                true => best = shorter,
                false => at += size,
            }
        }
        size = if size == 1 { 0 } else { size.div_ceil(2) };
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_needed_stays() {
        let both = |input: &[u8]| input.contains(&b'x') && input.contains(&b'y');
        assert_eq!(minimise(b"aaaaxbbbbbycccc", 1000, both), b"xy");
        assert_eq!(minimise(b"aaaa", 1000, |_| false), b"aaaa");
        assert_eq!(minimise(b"aaaa", 1000, |_| true), b"");
        assert_eq!(minimise(b"aaaaxbbbbbycccc", 0, both), b"aaaaxbbbbbycccc");
    }
}
