//! Gray pictures from files: PNG, and JPEG turned upright as its camera says.

use preceptron_base::PIXELS;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions};

use crate::picture::{Picture, PictureError};

/// Why a file is no picture.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// Neither kind.
    #[error("neither a PNG nor a JPEG")]
    Kind,
    /// A PNG that cannot be read.
    #[error(transparent)]
    Png(#[from] PictureError),
    /// A JPEG that cannot be read.
    #[error("not a picture in JPEG: {0}")]
    Jpeg(String),
}

impl Picture {
    /// Reads a PNG or a JPEG.
    ///
    /// # Errors
    /// If it is neither, damaged, or too large.
    pub fn decode(file: &[u8]) -> Result<Picture, FileError> {
        match file {
            [0x89, b'P', b'N', b'G', ..] => Ok(Picture::from_png(file)?),
            [0xff, 0xd8, ..] => from_jpeg(file).map_err(FileError::Jpeg),
            _ => Err(FileError::Kind),
        }
    }
}

fn from_jpeg(file: &[u8]) -> Result<Picture, String> {
    let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::Luma);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(file), options);
    decoder.decode_headers().map_err(|e| e.to_string())?;
    let (width, height) = decoder.dimensions().ok_or("it has no size")?;
    match (width * height) as u64 {
        0 => return Err("it has no pixels".to_owned()),
        pixels if pixels > PIXELS.get() => {
            let (most, raised) = (PIXELS.get(), PIXELS.raised());
            return Err(format!("{width} x {height} pixels are more than {most}; {raised}"));
        }
        _ => {}
    }
    let pixels = decoder.decode().map_err(|e| e.to_string())?;
    let orientation = decoder.exif().and_then(|exif| orientation(exif)).unwrap_or(1);
    match pixels.len() == width * height {
        true => Ok(upright(Picture::from_pixels(width, pixels), orientation)),
        false => Err("its colours are of a kind that is not read".to_owned()),
    }
}

/// The orientation, 1 to 8, that a camera noted: tag 0x0112 of the first directory of a TIFF header.
fn orientation(exif: &[u8]) -> Option<u16> {
    let exif = exif.strip_prefix(b"Exif\0\0").unwrap_or(exif);
    let is_big = match exif.get(..4)? {
        [b'M', b'M', 0, 42] => true,
        [b'I', b'I', 42, 0] => false,
        _ => return None,
    };
    let short = |at: usize| {
        let bytes: [u8; 2] = exif.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(if is_big { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    };
    let bytes: [u8; 4] = exif.get(4..8)?.try_into().ok()?;
    let start = (if is_big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }) as usize;
    let entries = usize::from(short(start)?);
    let entry = (0..entries).map(|number| start + 2 + 12 * number).find(|&at| short(at) == Some(0x0112))?;
    short(entry + 8).filter(|orientation| (1..=8).contains(orientation))
}

/// The picture as it was seen.
fn upright(picture: Picture, orientation: u16) -> Picture {
    let (width, height) = (picture.width(), picture.height());
    let (mirrored, turns) = match orientation {
        2 => (true, 0),
        3 => (false, 2),
        4 => (true, 2),
        5 => (true, 3),
        6 => (false, 1),
        7 => (true, 1),
        8 => (false, 3),
        _ => return picture,
    };
    let pixel = |x: usize, y: usize| picture.at(if mirrored { width - 1 - x } else { x }, y);
    let (wide, high) = if turns % 2 == 1 { (height, width) } else { (width, height) };
    let mut pixels = Vec::with_capacity(width * height);
    for y in 0..high {
        pixels.extend((0..wide).map(|x| match turns {
            0 => pixel(x, y),
            1 => pixel(y, height - 1 - x),
            2 => pixel(width - 1 - x, height - 1 - y),
            _ => pixel(width - 1 - y, x),
        }));
    }
    Picture::from_pixels(wide, pixels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_turned_as_their_cameras_say() {
        let picture = Picture::from_pixels(3, vec![1, 2, 3, 4, 5, 6]);
        let seen = |orientation| upright(picture.clone(), orientation);
        assert_eq!((seen(1).pixels(), seen(9).width()), (&[1, 2, 3, 4, 5, 6][..], 3));
        assert_eq!(seen(2).pixels(), [3, 2, 1, 6, 5, 4]);
        assert_eq!(seen(3).pixels(), [6, 5, 4, 3, 2, 1]);
        assert_eq!(seen(4).pixels(), [4, 5, 6, 1, 2, 3]);
        assert_eq!((seen(6).pixels(), seen(6).width()), (&[4, 1, 5, 2, 6, 3][..], 2));
        assert_eq!(seen(8).pixels(), [3, 6, 2, 5, 1, 4]);
        assert_eq!(seen(5).pixels(), [1, 4, 2, 5, 3, 6]);
        assert_eq!(seen(7).pixels(), [6, 3, 5, 2, 4, 1]);
    }

    #[test]
    fn what_a_camera_noted_is_read_in_both_byte_orders() {
        let big =
            b"MM\0\x2a\0\0\0\x08\0\x02\x01\x00\0\x03\0\0\0\x01\0\x09\0\0\x01\x12\0\x03\0\0\0\x01\0\x06\0\0";
        assert_eq!(orientation(big), Some(6));
        let little = b"Exif\0\0II\x2a\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x08\0\0\0";
        assert_eq!(orientation(little), Some(8));
        for cut in 0..little.len() - 3 {
            assert!(orientation(&little[..cut]).is_none_or(|one| one == 8));
        }
    }

    #[test]
    fn other_files_are_refused() {
        assert_eq!(Picture::decode(b"GIF89a").unwrap_err().to_string(), "neither a PNG nor a JPEG");
        assert!(
            Picture::decode(&[0xff, 0xd8, 0xff, 0])
                .unwrap_err()
                .to_string()
                .starts_with("not a picture in JPEG")
        );
    }
}
