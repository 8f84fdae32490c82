//! Loops compiled for the vectors that the processor has.
//!
//! A program is built for the oldest processors; what is run by [`widest`] is compiled for newer ones as
//! well, and the best is chosen when the program runs. The results are the same to the last bit: nothing
//! here adds up in another order or rounds less often.

/// Runs a loop with the widest vectors that there are. All that it calls should be inlined.
#[inline(always)]
pub(crate) fn widest<R>(body: impl FnOnce() -> R) -> R {
    pulp::Arch::new().dispatch(body)
}
