//! Coloured pictures: PNG and JPEG files, and other sizes.

use std::io::Cursor;

use preceptron_base::PIXELS;

use crate::picture::weights;

/// A picture in red, green and blue, pixel by pixel and row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rgb {
    width: usize,
    pixels: Vec<u8>,
}

impl Rgb {
    /// A picture of one colour.
    pub fn new(width: usize, height: usize, colour: [u8; 3]) -> Rgb {
        Rgb { width, pixels: colour.repeat(width * height) }
    }

    /// A picture from its pixels.
    ///
    /// # Panics
    /// If they do not fill whole rows.
    pub fn from_pixels(width: usize, pixels: Vec<u8>) -> Rgb {
        assert!(width > 0 && pixels.len().is_multiple_of(3 * width), "pixels fill whole rows");
        Rgb { width, pixels }
    }

    /// Pixels of a row, and rows.
    pub fn size(&self) -> [usize; 2] {
        [self.width, self.pixels.len() / (3 * self.width).max(1)]
    }

    /// The pixels, three bytes each.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// The pixels channel by channel, as a network takes them.
    pub fn planes(&self) -> Vec<u8> {
        (0..3).flat_map(|channel| self.pixels.iter().skip(channel).step_by(3).copied()).collect()
    }

    /// A picture from its channels one after the other.
    ///
    /// # Panics
    /// If they do not fill whole rows.
    pub fn from_planes(width: usize, planes: &[u8]) -> Rgb {
        let plane = planes.len() / 3;
        let pixels = (0..plane).flat_map(|at| [planes[at], planes[plane + at], planes[2 * plane + at]]);
        Rgb::from_pixels(width, pixels.collect())
    }

    /// Fills a rectangle, as far as it lies on the picture.
    pub fn fill(&mut self, [x, y]: [usize; 2], [width, height]: [usize; 2], colour: [u8; 3]) {
        let [all, rows] = self.size();
        let (from, to) = (x.min(all), (x + width).min(all));
        for row in y..(y + height).min(rows) {
            let line = &mut self.pixels[3 * row * all..][3 * from..3 * to];
            line.chunks_exact_mut(3).for_each(|pixel| pixel.copy_from_slice(&colour));
        }
    }

    /// Pastes a picture, as far as it lies on this one.
    pub fn paste(&mut self, [x, y]: [usize; 2], other: &Rgb) {
        let ([all, rows], [width, height]) = (self.size(), other.size());
        let shown = width.min(all.saturating_sub(x));
        for row in 0..height.min(rows.saturating_sub(y)) {
            let from = &other.pixels[3 * row * width..][..3 * shown];
            self.pixels[3 * ((y + row) * all + x)..][..3 * shown].copy_from_slice(from);
        }
    }

    /// The picture at another size: each pixel is the mean over its part, or, where the picture grows,
    /// between those next to it.
    ///
    /// # Panics
    /// If the picture or the result has no pixels.
    #[must_use]
    pub fn resized(&self, size: [usize; 2]) -> Rgb {
        self.resized_below(0.0, size)
    }

    /// The same of what is below the uppermost share, which is below 1.
    ///
    /// # Panics
    /// If the picture or the result has no pixels.
    #[must_use]
    pub fn resized_below(&self, top: f64, size: [usize; 2]) -> Rgb {
        let [width, height] = self.size();
        if size == [width, height] && top == 0.0 {
            return self.clone();
        }
        let columns = weights(0.0, width as f64, size[0], width);
        let rows = weights(top * height as f64, height as f64, size[1], height);
        let short = |y: usize| -> Vec<f32> {
            let line = &self.pixels[3 * y * width..][..3 * width];
            let mean = |w: &Vec<(usize, f64)>, channel: usize| {
                w.iter().map(|(x, share)| f32::from(line[3 * x + channel]) * *share as f32).sum::<f32>()
            };
            columns.iter().flat_map(|w| [mean(w, 0), mean(w, 1), mean(w, 2)]).collect()
        };
        let lines: Vec<Vec<f32>> = (0..height).map(short).collect();
        let tone = |row: &[(usize, f64)], at: usize| {
            let tone: f32 = row.iter().map(|(y, share)| lines[*y][at] * *share as f32).sum();
            tone.round().clamp(0.0, 255.0) as u8
        };
        let pixels = rows.iter().flat_map(|row| (0..3 * size[0]).map(|at| tone(row, at))).collect();
        Rgb { width: size[0], pixels }
    }

    /// Reads a PNG or JPEG.
    ///
    /// # Errors
    /// If it is neither, damaged, or too large: what is wrong.
    pub fn decode(file: &[u8]) -> Result<Rgb, String> {
        match file {
            [0x89, b'P', b'N', b'G', ..] => from_png(file).map_err(|what| format!("damaged PNG: {what}")),
            [0xff, 0xd8, ..] => from_jpeg(file).map_err(|what| format!("damaged JPEG: {what}")),
            _ => Err("neither a PNG nor a JPEG".to_owned()),
        }
    }

    /// The picture as a PNG.
    ///
    /// # Errors
    /// If it has no pixels.
    pub fn to_png(&self) -> Result<Vec<u8>, png::EncodingError> {
        let mut file = Vec::new();
        let [width, height] = self.size();
        let mut encoder = png::Encoder::new(&mut file, width as u32, height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.pixels)?;
        writer.finish()?;
        Ok(file)
    }
}

fn from_png(file: &[u8]) -> Result<Rgb, String> {
    let mut decoder = png::Decoder::new(Cursor::new(file));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let (width, height) = decoder.read_header_info().map_err(|e| e.to_string())?.size();
    check(width.into(), height.into())?;
    decoder.set_limits(png::Limits { bytes: (8 * PIXELS.get()) as usize });
    let mut reader = decoder.read_info().map_err(|e| e.to_string())?;
    let mut bytes = vec![0; reader.output_buffer_size().ok_or("too large")?];
    let info = reader.next_frame(&mut bytes).map_err(|e| e.to_string())?;
    bytes.truncate(info.buffer_size());
    let samples = info.color_type.samples();
    // What is transparent shows white paper.
    let over = |tone: u8, alpha: u32| ((u32::from(tone) * alpha + 255 * (255 - alpha) + 127) / 255) as u8;
    let colour = |pixel: &[u8]| match *pixel {
        [tone, alpha] => [over(tone, alpha.into()); 3],
        [r, g, b, alpha] => [r, g, b].map(|tone| over(tone, alpha.into())),
        [r, g, b] => [r, g, b],
        _ => [pixel[0]; 3],
    };
    Ok(Rgb { width: width as usize, pixels: bytes.chunks_exact(samples).flat_map(colour).collect() })
}

fn from_jpeg(file: &[u8]) -> Result<Rgb, String> {
    use zune_jpeg::zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions};
    let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = zune_jpeg::JpegDecoder::new_with_options(ZCursor::new(file), options);
    decoder.decode_headers().map_err(|e| e.to_string())?;
    let (width, height) = decoder.dimensions().ok_or("it has no size")?;
    check(width as u64, height as u64)?;
    let pixels = decoder.decode().map_err(|e| e.to_string())?;
    match pixels.len() == 3 * width * height {
        true => Ok(Rgb { width, pixels }),
        false => Err("it is not in colour".to_owned()),
    }
}

fn check(width: u64, height: u64) -> Result<(), String> {
    match width * height {
        0 => Err("it has no pixels".to_owned()),
        pixels if pixels > PIXELS.get() => {
            Err(format!("{width} x {height} pixels are more than {}; {}", PIXELS.get(), PIXELS.raised()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn four() -> Rgb {
        Rgb::from_pixels(2, vec![0, 10, 20, 40, 50, 60, 80, 90, 100, 120, 130, 140])
    }

    #[test]
    fn sizes_and_planes() {
        let picture = four();
        assert_eq!(picture.resized([1, 1]).pixels(), [60, 70, 80]);
        assert_eq!(picture.resized([2, 2]), picture);
        assert_eq!(*picture.resized_below(0.5, [2, 1]).pixels(), picture.pixels()[6..]);
        assert_eq!(picture.resized([4, 2]).pixels()[..6], [0, 10, 20, 10, 20, 30]);
        assert_eq!(picture.planes()[..4], [0, 40, 80, 120]);
        assert_eq!(Rgb::from_planes(2, &picture.planes()), picture);
        let mut canvas = Rgb::new(3, 2, [1; 3]);
        canvas.paste([2, 1], &picture);
        canvas.fill([0, 0], [1, 9], [7, 8, 9]);
        assert_eq!(canvas.pixels()[..3], [7, 8, 9]);
        assert_eq!(canvas.pixels()[15..], [0, 10, 20]);
    }

    #[test]
    fn files() {
        let png = four().to_png().unwrap();
        assert_eq!(Rgb::decode(&png).unwrap(), four());
        assert!(Rgb::decode(&png[..40]).unwrap_err().starts_with("damaged PNG: "));
        assert!(Rgb::decode(&[0xff, 0xd8, 0xff, 0]).unwrap_err().starts_with("damaged JPEG: "));
        assert_eq!(Rgb::decode(b"GIF89a").unwrap_err(), "neither a PNG nor a JPEG");
    }
}
