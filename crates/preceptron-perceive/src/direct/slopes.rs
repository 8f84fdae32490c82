//! The derivatives by the weights: a few channels and taps at a time, summed over pixels and images in registers.

use std::ops::Range;

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m256, __m512};

use super::registers::Register;
use super::{Work, even_blocks, outputs_of};

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn avx512(work: &Work<'_>, input: &[f32], slopes: &[f32], weights: &mut [f32]) {
    unsafe { weight_slopes::<__m512, 6, 4>(work, input, slopes, weights) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn avx2(work: &Work<'_>, input: &[f32], slopes: &[f32], weights: &mut [f32]) {
    unsafe { weight_slopes::<__m256, 3, 2>(work, input, slopes, weights) }
}

/// Taps that lie within the image for the same outputs.
struct Alike {
    rows: Range<usize>,
    columns: Range<usize>,
    /// The number of each, and its place in the input for output (0, 0), which may lie outside.
    taps: Vec<(usize, isize)>,
}

fn alike(work: &Work<'_>) -> Vec<Alike> {
    let Work { window, out: [height, width], images, .. } = *work;
    let (shape, [kernel_height, kernel_width]) = (window.input, window.kernel);
    let mut groups: Vec<Alike> = Vec::new();
    for channel in 0..shape.channels {
        for dy in 0..kernel_height {
            let rows = outputs_of(window, shape.height, height, dy);
            for dx in 0..kernel_width {
                let columns = outputs_of(window, shape.width, width, dx);
                let row = (channel * shape.height + dy) as isize - window.padding as isize;
                let place = row * shape.width as isize + dx as isize - window.padding as isize;
                let tap = ((channel * kernel_height + dy) * kernel_width + dx, place * images as isize);
                match groups.iter_mut().find(|group| group.rows == rows && group.columns == columns) {
                    Some(group) => group.taps.push(tap),
                    None => groups.push(Alike { rows: rows.clone(), columns, taps: vec![tap] }),
                }
            }
        }
    }
    groups
}

/// All derivatives, for MANY or FEW taps at a time, whichever leaves less unused.
///
/// # Safety
/// The processor has the registers; the slices have the lengths that [`super::Registers::weight_slopes`] asserts.
#[inline(always)]
unsafe fn weight_slopes<R: Register, const MANY: usize, const FEW: usize>(
    work: &Work<'_>,
    input: &[f32],
    slopes: &[f32],
    weights: &mut [f32],
) {
    let groups = alike(work);
    for block in even_blocks(work.channels, 4) {
        for group in &groups {
            let count = group.taps.len();
            let unused = |most: usize| count.next_multiple_of(most) - count;
            let many = unused(MANY) <= unused(FEW);
            for taps in group.taps.chunks(if many { MANY } else { FEW }) {
                let place = Place { work, group, taps, block: block.clone() };
                let (from, slopes) = (input.as_ptr(), slopes.as_ptr());
                unsafe {
                    match (many, block.len()) {
                        (true, 4) => tile::<R, MANY, 4>(&place, from, slopes, weights),
                        (true, 3) => tile::<R, MANY, 3>(&place, from, slopes, weights),
                        (true, 2) => tile::<R, MANY, 2>(&place, from, slopes, weights),
                        (true, _) => tile::<R, MANY, 1>(&place, from, slopes, weights),
                        (false, 4) => tile::<R, FEW, 4>(&place, from, slopes, weights),
                        (false, 3) => tile::<R, FEW, 3>(&place, from, slopes, weights),
                        (false, 2) => tile::<R, FEW, 2>(&place, from, slopes, weights),
                        (false, _) => tile::<R, FEW, 1>(&place, from, slopes, weights),
                    }
                }
            }
        }
    }
}

struct Place<'a> {
    work: &'a Work<'a>,
    group: &'a Alike,
    taps: &'a [(usize, isize)],
    block: Range<usize>,
}

/// A few channels and taps.
#[inline(always)]
unsafe fn tile<R: Register, const TAPS: usize, const BLOCK: usize>(
    place: &Place<'_>,
    input: *const f32,
    slopes: *const f32,
    weights: &mut [f32],
) {
    let Place { work, group, taps, ref block } = *place;
    let Work { window, out: [height, width], images, .. } = *work;
    // Where there are fewer taps than TAPS the last is summed several times.
    let places: [isize; TAPS] = std::array::from_fn(|tap| taps[tap.min(taps.len() - 1)].1);
    let (channel_step, whole) = (height * width * images, images / R::LANES * R::LANES);
    unsafe {
        let mut sums = [[R::zero(); TAPS]; BLOCK];
        for y in group.rows.clone() {
            for x in group.columns.clone() {
                let above = slopes.wrapping_add(((block.start * height + y) * width + x) * images);
                let below = (y * window.input.width + x) * window.stride * images;
                let below = input.wrapping_add(below);
                let mut image = 0;
                while image < whole {
                    let values: [R; TAPS] = std::array::from_fn(|tap| {
                        R::load(below.wrapping_offset(places[tap]).wrapping_add(image))
                    });
                    for (number, sums) in sums.iter_mut().enumerate() {
                        let slope = R::load(above.wrapping_add(number * channel_step + image));
                        for (sum, value) in sums.iter_mut().zip(values) {
                            *sum = sum.add_product(value, slope);
                        }
                    }
                    image += R::LANES;
                }
                if image < images {
                    let count = images - image;
                    let values: [R; TAPS] = std::array::from_fn(|tap| {
                        R::load_first(below.wrapping_offset(places[tap]).wrapping_add(image), count)
                    });
                    for (number, sums) in sums.iter_mut().enumerate() {
                        let slope = R::load_first(above.wrapping_add(number * channel_step + image), count);
                        for (sum, value) in sums.iter_mut().zip(values) {
                            *sum = sum.add_product(value, slope);
                        }
                    }
                }
            }
        }
        for (channel, sums) in block.clone().zip(sums) {
            for ((tap, _), sum) in taps.iter().zip(sums) {
                weights[channel * window.size() + tap] = sum.sum();
            }
        }
    }
}
