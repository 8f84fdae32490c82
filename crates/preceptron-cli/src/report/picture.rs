//! Pictures as data that stand in the page itself.

use anyhow::Context;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// A picture as the address of a PNG. It is shown as ink on paper: 0 is white.
pub fn data_address(width: usize, height: usize, pixels: &[u8]) -> anyhow::Result<String> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, u32::try_from(width)?, u32::try_from(height)?);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    let ink: Vec<u8> = pixels.iter().map(|pixel| 255 - pixel).collect();
    let mut writer = encoder.write_header().context("a picture cannot be written")?;
    writer.write_image_data(&ink).context("a picture cannot be written")?;
    writer.finish().context("a picture cannot be written")?;
    Ok(png_address(&file))
}

/// A PNG file as an address.
pub fn png_address(file: &[u8]) -> String {
    format!("data:image/png;base64,{}", STANDARD.encode(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_comes_back() {
        let address = data_address(2, 3, &[0, 1, 2, 253, 254, 255]).unwrap();
        let file = STANDARD.decode(address.strip_prefix("data:image/png;base64,").unwrap()).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (2, 3));
        assert_eq!(pixels, [255, 254, 253, 2, 1, 0]);
        assert!(data_address(2, 3, &[0]).is_err());
    }
}
