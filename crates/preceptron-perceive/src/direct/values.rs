//! The values of a convolution: a few channels of a pixel at a time, in registers over the images.

use std::ops::Range;

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m256, __m512};

use super::registers::Register;
use super::{Work, even_blocks, taps_of};

/// How many channels are summed together at the most.
const CHANNELS: usize = 6;

/// Weights in blocks of channels: block, tap, channel of the block.
pub(super) fn pack(
    work: &Work<'_>,
    weight: impl Fn(usize, usize) -> f32,
    packed: &mut Vec<f32>,
) -> Vec<Range<usize>> {
    let blocks: Vec<Range<usize>> = even_blocks(work.channels, CHANNELS).collect();
    packed.clear();
    for block in &blocks {
        for tap in 0..work.window.size() {
            packed.extend(block.clone().map(|channel| weight(channel, tap)));
        }
    }
    blocks
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn avx512(
    work: &Work<'_>,
    blocks: &[Range<usize>],
    packed: &[f32],
    input: &[f32],
    output: &mut [f32],
) {
    unsafe { values::<__m512, 4>(work, blocks, packed, input, output) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn avx2(
    work: &Work<'_>,
    blocks: &[Range<usize>],
    packed: &[f32],
    input: &[f32],
    output: &mut [f32],
) {
    unsafe { values::<__m256, 2>(work, blocks, packed, input, output) }
}

/// What one pixel of the output sees.
struct Sight {
    /// The first tap's place in the input (it may lie outside), and from a channel, row and pixel to the next.
    origin: isize,
    steps: [usize; 3],
    channels: usize,
    kernel: [usize; 2],
    /// The rows and columns of the kernel that lie within the image.
    rows: Range<usize>,
    columns: Range<usize>,
}

/// All values, with REGISTERS registers of images at a time.
///
/// # Safety
/// The processor has the registers; the slices have the lengths that [`super::Registers::values`] asserts.
#[inline(always)]
unsafe fn values<R: Register, const REGISTERS: usize>(
    work: &Work<'_>,
    blocks: &[Range<usize>],
    packed: &[f32],
    input: &[f32],
    output: &mut [f32],
) {
    let Work { window, out: [height, width], images, .. } = *work;
    let shape = window.input;
    let steps = [shape.height * shape.width * images, shape.width * images, images];
    for y in 0..height {
        for x in 0..width {
            let row = (y * window.stride) as isize - window.padding as isize;
            let column = (x * window.stride) as isize - window.padding as isize;
            let sight = Sight {
                origin: (row * shape.width as isize + column) * images as isize,
                steps,
                channels: shape.channels,
                kernel: window.kernel,
                rows: taps_of(window, shape.height, window.kernel[0], y),
                columns: taps_of(window, shape.width, window.kernel[1], x),
            };
            let mut first = 0;
            while first < images {
                // The last registers overlap those before them where the images do not fill them.
                let at: [usize; REGISTERS] =
                    std::array::from_fn(|register| (first + register * R::LANES).min(images - R::LANES));
                for block in blocks {
                    let weights = &packed[block.start * window.size()..block.end * window.size()];
                    let pixel = (block.start * height + y) * width + x;
                    let into = output.as_mut_ptr().wrapping_add(pixel * images);
                    let channel = height * width * images;
                    let from = input.as_ptr();
                    unsafe {
                        match block.len() {
                            6 => tile::<R, REGISTERS, 6>(&sight, from, weights, at, into, channel),
                            5 => tile::<R, REGISTERS, 5>(&sight, from, weights, at, into, channel),
                            4 => tile::<R, REGISTERS, 4>(&sight, from, weights, at, into, channel),
                            3 => tile::<R, REGISTERS, 3>(&sight, from, weights, at, into, channel),
                            2 => tile::<R, REGISTERS, 2>(&sight, from, weights, at, into, channel),
                            _ => tile::<R, REGISTERS, 1>(&sight, from, weights, at, into, channel),
                        }
                    }
                }
                first += REGISTERS * R::LANES;
            }
        }
    }
}

/// A few channels of one pixel, for the images in a few registers.
#[inline(always)]
unsafe fn tile<R: Register, const REGISTERS: usize, const BLOCK: usize>(
    sight: &Sight,
    input: *const f32,
    weights: &[f32],
    at: [usize; REGISTERS],
    output: *mut f32,
    channel_step: usize,
) {
    unsafe {
        let mut sums = [[R::zero(); REGISTERS]; BLOCK];
        for channel in 0..sight.channels {
            for dy in sight.rows.clone() {
                let tap = (channel * sight.kernel[0] + dy) * sight.kernel[1];
                let line = sight.origin + (channel * sight.steps[0] + dy * sight.steps[1]) as isize;
                for dx in sight.columns.clone() {
                    let from = input.wrapping_offset(line + (dx * sight.steps[2]) as isize);
                    let values: [R; REGISTERS] = std::array::from_fn(|r| R::load(from.wrapping_add(at[r])));
                    let weights = weights.as_ptr().wrapping_add((tap + dx) * BLOCK);
                    for (number, sums) in sums.iter_mut().enumerate() {
                        let weight = R::splat(*weights.wrapping_add(number));
                        for (sum, value) in sums.iter_mut().zip(values) {
                            *sum = sum.add_product(value, weight);
                        }
                    }
                }
            }
        }
        for (number, sums) in sums.into_iter().enumerate() {
            for (sum, at) in sums.into_iter().zip(at) {
                sum.store(output.wrapping_add(number * channel_step + at));
            }
        }
    }
}
