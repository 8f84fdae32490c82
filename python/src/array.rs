//! Arrays of NumPy, by NumPy's array interface: a pointer, a shape and a kind of values.
//!
//! The stable interface of CPython 3.10 has no buffers; this protocol every NumPy array has. The Python layer hands in
//! arrays that are contiguous and of the kind asked for, and this is checked again before anything is read.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::failed;

/// A kind of values that an array may have.
///
/// # Safety
/// `KIND` is NumPy's name for values that have the layout of this type, and every pattern of bits is one.
pub unsafe trait Kind: Copy {
    /// The name, in native order.
    const KIND: &'static [&'static str];
}

macro_rules! kinds {
    ($($type:ty: $($name:literal)*),*) => {
        $(
            // SAFETY: the type's layout is what NumPy's name says.
            unsafe impl Kind for $type {
                const KIND: &'static [&'static str] = &[$($name),*];
            }
        )*
    };
}
#[cfg(target_endian = "little")]
kinds!(u8: "|b1" "|u1", i32: "<i4", i64: "<i8", u64: "<u8", f32: "<f4", f64: "<f8");
#[cfg(target_endian = "big")]
kinds!(u8: "|b1" "|u1", i32: ">i4", i64: ">i8", u64: ">u8", f32: ">f4", f64: ">f8");

/// An array that lies in memory as one piece, row by row.
pub struct Array<'py, T> {
    /// Keeps the memory.
    _owner: Bound<'py, PyAny>,
    pointer: *mut T,
    shape: Vec<usize>,
    is_read_only: bool,
}

impl<'py, T: Kind> Array<'py, T> {
    /// The array behind an object.
    pub fn new(object: &Bound<'py, PyAny>) -> PyResult<Array<'py, T>> {
        let interface = object.getattr("__array_interface__")?.cast_into::<PyDict>()?;
        let get =
            |key: &str| interface.get_item(key)?.ok_or_else(|| failed(format!("an array without {key}")));
        let kind: String = get("typestr")?.extract()?;
        let shape: Vec<usize> = get("shape")?.extract()?;
        let (address, is_read_only): (usize, bool) = get("data")?.extract()?;
        let is_apart = interface.get_item("strides")?.is_some_and(|strides| !strides.is_none());
        let count = shape.iter().try_fold(1usize, |all, &size| all.checked_mul(size));
        let is_aligned = address % align_of::<T>() == 0;
        if !T::KIND.contains(&kind.as_str()) || is_apart || !is_aligned || count.is_none() {
            return Err(failed(format!("an array of {kind} that is not {} in one piece", T::KIND[0])));
        }
        if count != Some(0) && address == 0 {
            return Err(failed("an array without memory"));
        }
        Ok(Array { _owner: object.clone(), pointer: address as *mut T, shape, is_read_only })
    }

    /// How many values each axis has.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The values.
    pub fn values(&self) -> &[T] {
        match self.shape.iter().product() {
            0 => &[],
            // SAFETY: NumPy says that so many values of this kind are there, and the owner keeps them.
            count => unsafe { std::slice::from_raw_parts(self.pointer, count) },
        }
    }

    /// The values, to be written: an array that the Python layer made for that and handed to nobody else.
    pub fn values_mut(&mut self) -> PyResult<&mut [T]> {
        if self.is_read_only {
            return Err(failed("an array that cannot be written to"));
        }
        Ok(match self.shape.iter().product() {
            0 => &mut [],
            // SAFETY: as above; the array is new, so that nobody else looks at it.
            count => unsafe { std::slice::from_raw_parts_mut(self.pointer, count) },
        })
    }
}
