//! Registers of several f32, as kernels need them.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// A register. All of its methods are to be called only where the processor has it, in functions that are compiled
/// for it.
pub(super) trait Register: Copy {
    /// How many values it holds.
    const LANES: usize;
    /// Zeros.
    unsafe fn zero() -> Self;
    /// The same value everywhere.
    unsafe fn splat(value: f32) -> Self;
    /// [`Register::LANES`] values from memory.
    unsafe fn load(from: *const f32) -> Self;
    /// The first `count` values from memory, and zeros.
    unsafe fn load_first(from: *const f32, count: usize) -> Self;
    /// Into memory.
    unsafe fn store(self, into: *mut f32);
    /// `self + a b`, rounded once.
    unsafe fn add_product(self, a: Self, b: Self) -> Self;
    /// The sum of all values.
    unsafe fn sum(self) -> f32;
}

#[cfg(target_arch = "x86_64")]
impl Register for __m512 {
    const LANES: usize = 16;

    #[inline(always)]
    unsafe fn zero() -> Self {
        unsafe { _mm512_setzero_ps() }
    }

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        unsafe { _mm512_set1_ps(value) }
    }

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        unsafe { _mm512_loadu_ps(from) }
    }

    #[inline(always)]
    unsafe fn load_first(from: *const f32, count: usize) -> Self {
        unsafe { _mm512_maskz_loadu_ps(((1u32 << count) - 1) as u16, from) }
    }

    #[inline(always)]
    unsafe fn store(self, into: *mut f32) {
        unsafe { _mm512_storeu_ps(into, self) }
    }

    #[inline(always)]
    unsafe fn add_product(self, a: Self, b: Self) -> Self {
        unsafe { _mm512_fmadd_ps(a, b, self) }
    }

    #[inline(always)]
    unsafe fn sum(self) -> f32 {
        unsafe { _mm512_reduce_add_ps(self) }
    }
}

#[cfg(target_arch = "x86_64")]
impl Register for __m256 {
    const LANES: usize = 8;

    #[inline(always)]
    unsafe fn zero() -> Self {
        unsafe { _mm256_setzero_ps() }
    }

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        unsafe { _mm256_set1_ps(value) }
    }

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        unsafe { _mm256_loadu_ps(from) }
    }

    #[inline(always)]
    unsafe fn load_first(from: *const f32, count: usize) -> Self {
        let mut values = [0.0f32; 8];
        unsafe {
            std::ptr::copy_nonoverlapping(from, values.as_mut_ptr(), count);
            _mm256_loadu_ps(values.as_ptr())
        }
    }

    #[inline(always)]
    unsafe fn store(self, into: *mut f32) {
        unsafe { _mm256_storeu_ps(into, self) }
    }

    #[inline(always)]
    unsafe fn add_product(self, a: Self, b: Self) -> Self {
        unsafe { _mm256_fmadd_ps(a, b, self) }
    }

    #[inline(always)]
    unsafe fn sum(self) -> f32 {
        let mut values = [0.0f32; 8];
        unsafe { _mm256_storeu_ps(values.as_mut_ptr(), self) };
        let [a, b, c, d, e, f, g, h] = values;
        ((a + b) + (c + d)) + ((e + f) + (g + h))
    }
}
