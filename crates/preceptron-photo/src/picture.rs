//! Gray pictures: a canvas to draw on, parts at another size, and PNG files.

use std::io::Cursor;

use preceptron_base::PIXELS;

/// A gray picture, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    width: usize,
    pixels: Vec<u8>,
}

/// Why a picture could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// The file is not a PNG, or is damaged.
    #[error("not a picture in PNG: {0}")]
    Read(#[from] png::DecodingError),
    /// There are too many pixels.
    #[error("{width} x {height} pixels are more than {most}; {raised}", most = PIXELS.get(), raised = PIXELS.raised())]
    Large {
        /// Pixels of a row.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// The picture could not be written.
    #[error("{0}")]
    Write(#[from] png::EncodingError),
}

impl Picture {
    /// A picture of one tone.
    pub fn new(width: usize, height: usize, tone: u8) -> Picture {
        Picture { width, pixels: vec![tone; width * height] }
    }

    /// A picture from its pixels.
    ///
    /// # Panics
    /// If they do not fill whole rows.
    pub fn from_pixels(width: usize, pixels: Vec<u8>) -> Picture {
        assert!(width > 0 && pixels.len().is_multiple_of(width), "pixels fill whole rows");
        Picture { width, pixels }
    }

    /// Pixels of a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.pixels.len() / self.width.max(1)
    }

    /// The pixels row by row.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// A pixel.
    ///
    /// # Panics
    /// If it is not there.
    pub fn at(&self, x: usize, y: usize) -> u8 {
        self.pixels[y * self.width + x]
    }

    /// Each pixel changed by itself.
    pub fn map(&self, change: impl FnMut(u8) -> u8) -> Picture {
        Picture { width: self.width, pixels: self.pixels.iter().copied().map(change).collect() }
    }

    /// Fills a rectangle, as far as it lies on the canvas.
    pub fn fill(&mut self, x: usize, y: usize, width: usize, height: usize, tone: u8) {
        let (right, bottom) = ((x + width).min(self.width), (y + height).min(self.height()));
        for row in y..bottom {
            if x < right {
                self.pixels[row * self.width + x..row * self.width + right].fill(tone);
            }
        }
    }

    /// Pastes a picture, as far as it lies on the canvas.
    pub fn paste(&mut self, x: usize, y: usize, other: &Picture) {
        let width = other.width.min(self.width.saturating_sub(x));
        for row in 0..other.height().min(self.height().saturating_sub(y)) {
            let from = &other.pixels[row * other.width..][..width];
            self.pixels[(y + row) * self.width + x..][..width].copy_from_slice(from);
        }
    }

    /// A rectangle at another size: each pixel is the mean over its part of the rectangle, or, where the
    /// picture grows, between those next to it.
    ///
    /// # Panics
    /// If the picture or the result has no pixels.
    pub fn resampled(&self, left: f64, top: f64, right: f64, bottom: f64, size: (usize, usize)) -> Picture {
        let columns = weights(left, right, size.0, self.width);
        let rows = weights(top, bottom, size.1, self.height());
        // Rows are shortened first, each once.
        let (first, last) = (rows[0][0].0, rows[size.1 - 1].last().map_or(0, |w| w.0));
        let short: Vec<Vec<f64>> = (first..=last)
            .map(|y| {
                let line = &self.pixels[y * self.width..][..self.width];
                columns.iter().map(|w| w.iter().map(|(x, share)| f64::from(line[*x]) * share).sum()).collect()
            })
            .collect();
        let pixel = |row: &[(usize, f64)], x: usize| {
            let tone: f64 = row.iter().map(|(y, share)| short[y - first][x] * share).sum();
            tone.round().clamp(0.0, 255.0) as u8
        };
        let pixels = rows.iter().flat_map(|row| (0..size.0).map(|x| pixel(row, x))).collect();
        Picture { width: size.0, pixels }
    }

    /// A rectangle made smaller, each pixel the mean over its part: [`resampled`](Picture::resampled) by whole pixels, for
    /// large pictures.
    ///
    /// # Panics
    /// If the rectangle is not within the picture, or the result has no pixels.
    pub fn reduced(&self, [left, top, right, bottom]: [usize; 4], [width, height]: [usize; 2]) -> Picture {
        assert!(left < right && right <= self.width && top < bottom && bottom <= self.height());
        let (wide, high) = (right - left, bottom - top);
        if 2 * width > wide || 2 * height > high {
            let part = [left, top, right, bottom].map(|x| x as f64);
            return self.resampled(part[0], part[1], part[2], part[3], (width, height));
        }
        let edge = |at: usize, count: usize, length: usize| at * length / count;
        let columns: Vec<usize> = (0..=width).map(|x| left + edge(x, width, wide)).collect();
        let mut pixels = Vec::with_capacity(width * height);
        let mut sums = vec![0u32; width];
        for y in 0..height {
            let rows = top + edge(y, height, high)..top + edge(y + 1, height, high);
            let count = rows.len() as u32;
            sums.fill(0);
            for row in rows {
                let line = &self.pixels[row * self.width..][..self.width];
                for (sum, ends) in sums.iter_mut().zip(columns.windows(2)) {
                    *sum += line[ends[0]..ends[1]].iter().map(|&tone| u32::from(tone)).sum::<u32>();
                }
            }
            pixels.extend(sums.iter().zip(columns.windows(2)).map(|(sum, ends)| {
                let all = count * (ends[1] - ends[0]) as u32;
                ((sum + all / 2) / all.max(1)) as u8
            }));
        }
        Picture { width, pixels }
    }

    /// Reads a PNG of any kind; what is transparent shows white paper.
    ///
    /// # Errors
    /// If it is not a PNG, damaged, or too large.
    pub fn from_png(file: &[u8]) -> Result<Picture, PictureError> {
        let mut decoder = png::Decoder::new(Cursor::new(file));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let (width, height) = decoder.read_header_info()?.size();
        let large = PictureError::Large { width, height };
        if u64::from(width) * u64::from(height) > PIXELS.get() {
            return Err(large);
        }
        decoder.set_limits(png::Limits { bytes: (8 * PIXELS.get()) as usize });
        let mut reader = decoder.read_info()?;
        let mut bytes = vec![0; reader.output_buffer_size().ok_or(large)?];
        let info = reader.next_frame(&mut bytes)?;
        bytes.truncate(info.buffer_size());
        let samples = info.color_type.samples();
        let gray = |pixel: &[u8]| {
            let (colours, alpha) = match pixel {
                [colours @ .., alpha] if samples % 2 == 0 => (colours, u32::from(*alpha)),
                colours => (colours, 255),
            };
            let tone = match *colours {
                [r, g, b] => (299 * u32::from(r) + 587 * u32::from(g) + 114 * u32::from(b) + 500) / 1000,
                _ => u32::from(colours[0]),
            };
            ((tone * alpha + 255 * (255 - alpha) + 127) / 255) as u8
        };
        let pixels: Vec<u8> = bytes.chunks_exact(samples).map(gray).collect();
        Ok(Picture { width: width as usize, pixels })
    }

    /// The picture as a PNG.
    ///
    /// # Errors
    /// If it has no pixels.
    pub fn to_png(&self) -> Result<Vec<u8>, PictureError> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.width as u32, self.height() as u32);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.pixels)?;
        writer.finish()?;
        Ok(file)
    }
}

/// For each of `count` equal parts of an interval, the pixels under it and their shares. A part is at least
/// as long as a pixel, so that growing interpolates.
pub(crate) fn weights(from: f64, to: f64, count: usize, size: usize) -> Vec<Vec<(usize, f64)>> {
    assert!(count > 0 && size > 0, "a picture with pixels");
    let step = (to - from) / count as f64;
    let part = |at: usize| {
        let (middle, half) = (from + (at as f64 + 0.5) * step, step.max(1.0) / 2.0);
        let last = size as f64 - 1.0;
        let first = (middle - half).floor().clamp(0.0, last) as usize;
        let end = ((middle + half).ceil() - 1.0).clamp(first as f64, last) as usize;
        let cover = |x: usize| {
            let (x, low, high) = (x as f64, middle - half, middle + half);
            ((x + 1.0).min(high) - x.max(low)).max(0.0)
        };
        let mut shares: Vec<(usize, f64)> = (first..=end).map(|x| (x, cover(x))).collect();
        let total: f64 = shares.iter().map(|(_, share)| share).sum();
        let even = 1.0 / shares.len() as f64;
        shares.iter_mut().for_each(|(_, s)| *s = if total > 1e-9 { *s / total } else { even });
        shares
    };
    (0..count).map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp() -> Picture {
        Picture::from_pixels(3, vec![0, 10, 20, 30, 40, 50])
    }

    #[test]
    fn drawings_end_at_the_edge() {
        let mut picture = Picture::new(3, 2, 9);
        picture.fill(2, 1, 5, 5, 1);
        picture.fill(7, 0, 1, 1, 2);
        picture.paste(1, 0, &ramp());
        picture.paste(3, 2, &ramp());
        assert_eq!(picture.pixels(), [9, 0, 10, 9, 30, 40]);
        assert_eq!((picture.width(), picture.height(), picture.at(2, 1)), (3, 2, 40));
    }

    #[test]
    fn parts_are_means_and_interpolations() {
        let ramp = ramp();
        assert_eq!(ramp.resampled(0.0, 0.0, 3.0, 2.0, (3, 2)), ramp);
        assert_eq!(ramp.resampled(0.0, 0.0, 3.0, 2.0, (1, 1)).pixels(), [25]);
        assert_eq!(ramp.resampled(1.0, 1.0, 3.0, 2.0, (1, 1)).pixels(), [45]);
        assert_eq!(ramp.resampled(0.0, 0.0, 3.0, 1.0, (6, 1)).pixels(), [0, 3, 8, 13, 18, 20]);
        // What lies outside repeats the edge.
        assert_eq!(ramp.resampled(-2.0, 0.0, -1.0, 1.0, (1, 1)).pixels(), [0]);
    }

    #[test]
    fn files_come_back() {
        let file = ramp().to_png().unwrap();
        assert_eq!(Picture::from_png(&file).unwrap(), ramp());
        assert!(Picture::from_png(b"P5 3 2").unwrap_err().to_string().starts_with("not a picture in PNG: "));
        assert!(Picture::from_png(&file[..file.len() / 2]).is_err());
        assert!(Picture::new(0, 0, 0).to_png().is_err());
    }

    fn encoded(color: png::ColorType, depth: png::BitDepth, palette: &[u8], data: &[u8]) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, 2, 1);
        encoder.set_color(color);
        encoder.set_depth(depth);
        if !palette.is_empty() {
            encoder.set_palette(palette.to_vec());
        }
        encoder.write_header().unwrap().write_image_data(data).unwrap();
        file
    }

    #[test]
    fn files_of_every_kind_are_gray() {
        use png::BitDepth::{Eight, One, Sixteen};
        use png::ColorType::{Grayscale, GrayscaleAlpha, Indexed, Rgb, Rgba};
        let read = |file: Vec<u8>| Picture::from_png(&file).unwrap().pixels;
        assert_eq!(read(encoded(Grayscale, One, &[], &[0b0100_0000])), [0, 255]);
        assert_eq!(read(encoded(Grayscale, Sixteen, &[], &[10, 200, 255, 255])), [10, 255]);
        assert_eq!(read(encoded(GrayscaleAlpha, Eight, &[], &[10, 255, 10, 0])), [10, 255]);
        assert_eq!(read(encoded(Rgb, Eight, &[], &[255, 0, 0, 7, 7, 7])), [76, 7]);
        assert_eq!(read(encoded(Rgba, Eight, &[], &[0, 0, 0, 128, 7, 7, 7, 255])), [127, 7]);
        assert_eq!(read(encoded(Indexed, Eight, &[0, 255, 0, 3, 3, 3], &[1, 0])), [3, 150]);
        assert_eq!(read(encoded(Rgb, Sixteen, &[], &[9, 0, 9, 0, 9, 0, 8, 1, 8, 1, 8, 1])), [9, 8]);
    }
}
