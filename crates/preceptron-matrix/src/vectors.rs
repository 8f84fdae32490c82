//! Loops compiled for the vectors that the processor has.
//!
//! A program is built for the oldest processors; what is run by [`widest`] is compiled for newer ones as
//! well, and chosen when the program runs. The results are the same to the last bit: nothing here adds up
//! in another order or rounds less often.

/// Runs a loop with vectors of 256 bits if the processor has them. All that it calls is to be inlined.
#[inline(always)]
pub fn widest<R>(body: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // Safety: the processor has what the function is compiled for.
        #[allow(unsafe_code)]
        return unsafe { avx2(body) };
    }
    body()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2<R>(body: impl FnOnce() -> R) -> R {
    body()
}
