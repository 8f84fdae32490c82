//! Frames as a sheet: each picture with its map and path beside it.
//!
//! On a map far rows are on top. Blocked cells are dark, the path is orange, its start green and its end red.

use super::{Frames, Rgb};

/// Pixels between things.
const GAP: usize = 8;

impl Frames {
    /// A sheet of these frames, so many side by side, each picture as many times as large.
    ///
    /// # Panics
    /// If there is no such frame, or none at all side by side.
    pub fn sheet(&self, frames: &[usize], columns: usize, scale: usize) -> Rgb {
        let [width, height] = [self.shape.width * scale, self.shape.height * scale];
        let cell = (height / self.grid.rows.max(1)).max(3);
        let [map_width, map_height] = [cell * self.grid.columns + 1, cell * self.grid.rows + 1];
        let tile = [width + map_width + 2 * GAP, height.max(map_height) + GAP];
        let across = columns.min(frames.len()).max(1);
        let down = frames.len().div_ceil(across);
        let mut sheet = Rgb::new(across * tile[0] + GAP, down * tile[1] + GAP, [255; 3]);
        for (at, &frame) in frames.iter().enumerate() {
            let [x, y] = [GAP + at % across * tile[0], GAP + at / across * tile[1]];
            sheet.paste([x, y], &self.picture(frame).resized([width, height]));
            sheet.paste([x + width + GAP, y], &self.draw_map(frame, cell));
        }
        sheet
    }

    /// The map of a frame with its path, so many pixels for a cell.
    fn draw_map(&self, frame: usize, cell: usize) -> Rgb {
        let (map, path) = (&self.maps[frame], &self.demonstrations[frame]);
        let mut drawing = Rgb::new(cell * self.grid.columns + 1, cell * self.grid.rows + 1, [170; 3]);
        for number in 0..self.grid.len() {
            let place = self.grid.cell(number);
            let colour = match place {
                _ if place == path.start => [60, 160, 80],
                _ if place == path.end => [210, 60, 50],
                _ if map.blocked[number] => [50, 50, 60],
                _ if path.path.contains(&place) => [245, 165, 60],
                _ => [245, 245, 240],
            };
            let row = self.grid.rows - 1 - place.row;
            drawing.fill([place.column * cell + 1, row * cell + 1], [cell - 1, cell - 1], colour);
        }
        drawing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driving::{Density, FrameSettings};

    #[test]
    fn a_sheet_has_pictures_and_maps() {
        let settings = FrameSettings { size: [52, 12], ..FrameSettings::default() };
        let frames = Frames::sample(3, Density::Normal, &settings);
        let sheet = frames.sheet(&[0, 1, 2], 2, 5);
        assert_eq!(sheet.size(), [2 * (260 + 61 + 16) + 8, 2 * (61 + 8) + 8]);
        let has = |colour: [u8; 3]| sheet.pixels().chunks_exact(3).any(|pixel| pixel == colour);
        assert!(has([60, 160, 80]) && has([210, 60, 50]) && has([245, 245, 240]));
    }
}
