//! The idx format: a magic number, the sizes of the dimensions, then bytes.

/// What is wrong with an idx file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IdxError {
    /// It does not begin as such a file does.
    #[error("is not an idx file of bytes with {expected} dimensions: it begins with {found:02x?}")]
    Magic {
        /// How many dimensions it should have.
        expected: u8,
        /// Its first bytes.
        found: Vec<u8>,
    },
    /// It ends too early, or goes on where it should end.
    #[error("has {found} bytes where {expected} are expected")]
    Length {
        /// How many there should be.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// The images are of another size.
    #[error("has images of {height} x {width} pixels, not {side} x {side}")]
    Size {
        /// Rows of an image.
        height: u32,
        /// Columns of an image.
        width: u32,
        /// Rows and columns that it should have.
        side: usize,
    },
    /// A label is no digit.
    #[error("label {number} is {label}, which is not a digit")]
    Label {
        /// The label's number, from 1.
        number: usize,
        /// The label.
        label: u8,
    },
}

/// The pixels of images of `side` rows and columns.
pub fn images(bytes: &[u8], side: usize) -> Result<&[u8], IdxError> {
    let (sizes, pixels) = read::<3>(bytes)?;
    match sizes {
        [_, height, width] if [height, width] == [side as u32; 2] => Ok(pixels),
        [_, height, width] => Err(IdxError::Size { height, width, side }),
    }
}

/// Labels from 0 to 9.
pub fn labels(bytes: &[u8]) -> Result<&[u8], IdxError> {
    let (_, labels) = read::<1>(bytes)?;
    match labels.iter().position(|&label| label > 9) {
        Some(at) => Err(IdxError::Label { number: at + 1, label: labels[at] }),
        None => Ok(labels),
    }
}

/// The sizes of the dimensions, and the bytes.
fn read<const D: usize>(bytes: &[u8]) -> Result<([u32; D], &[u8]), IdxError> {
    let magic = [0, 0, 8, D as u8];
    let Some(rest) = bytes.strip_prefix(&magic) else {
        return Err(IdxError::Magic { expected: D as u8, found: bytes[..bytes.len().min(4)].to_vec() });
    };
    let length = |expected: u64| IdxError::Length { expected, found: bytes.len() as u64 };
    let header = 4 + 4 * D as u64;
    let (sizes, rest) = rest.split_at_checked(4 * D).ok_or_else(|| length(header))?;
    let mut dimensions = [0; D];
    for (dimension, size) in dimensions.iter_mut().zip(sizes.as_chunks::<4>().0) {
        *dimension = u32::from_be_bytes(*size);
    }
    let product = dimensions.iter().try_fold(1u64, |product, &size| product.checked_mul(size.into()));
    let expected = product.and_then(|product| product.checked_add(header)).unwrap_or(u64::MAX);
    if expected != bytes.len() as u64 {
        return Err(length(expected));
    }
    Ok((dimensions, rest))
}

/// An idx file.
#[cfg(test)]
pub fn written(sizes: &[u32], bytes: &[u8]) -> Vec<u8> {
    let mut file = vec![0, 0, 8, sizes.len() as u8];
    sizes.iter().for_each(|size| file.extend(size.to_be_bytes()));
    file.extend(bytes);
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(images(&written(&[2, 2, 2], &[1, 2, 3, 4, 5, 6, 7, 8]), 2).unwrap().len(), 8);
        assert_eq!(labels(&written(&[3], &[1, 0, 9])).unwrap(), [1, 0, 9]);
        assert!(labels(&written(&[0], &[])).unwrap().is_empty());
    }

    #[test]
    fn faults() {
        assert_eq!(labels(b"").unwrap_err(), IdxError::Magic { expected: 1, found: vec![] });
        assert!(matches!(labels(&written(&[1, 1, 1], &[1])).unwrap_err(), IdxError::Magic { .. }));
        assert_eq!(labels(&[0, 0, 8, 1, 0]).unwrap_err(), IdxError::Length { expected: 8, found: 5 });
        assert_eq!(labels(&written(&[3], &[1])).unwrap_err(), IdxError::Length { expected: 11, found: 9 });
        assert_eq!(labels(&written(&[2], &[1, 10])).unwrap_err(), IdxError::Label { number: 2, label: 10 });
        let size = IdxError::Size { height: 2, width: 1, side: 28 };
        assert_eq!(images(&written(&[1, 2, 1], &[0; 2]), 28).unwrap_err(), size);
        let huge = written(&[u32::MAX, u32::MAX, u32::MAX], &[]);
        assert_eq!(images(&huge, 28).unwrap_err(), IdxError::Length { expected: u64::MAX, found: 16 });
    }
}
