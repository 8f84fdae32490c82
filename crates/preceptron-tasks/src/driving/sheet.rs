//! Frames as a sheet: each picture with its map and path beside it.
//!
//! On a map far rows are on top. Blocked cells are dark, the path is orange, its start green and its end red.
//! A sheet of plans has beside each picture what a network believes of the map, and the plan on the true one, where
//! a cell of the plan that is blocked is red.

use super::{Answered, Cell, Frames, Rgb};

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

    /// A sheet of these frames with what was answered for each frame of all: the picture; how likely each cell is
    /// blocked, the darker the likelier; and the true map with the cells that are only planned in orange, only shown
    /// in blue, and both in green.
    ///
    /// # Panics
    /// If there is no such frame.
    pub fn sheet_of_plans(&self, frames: &[usize], answers: &[Answered], scale: usize) -> Rgb {
        let [width, height] = [self.shape.width * scale, self.shape.height * scale];
        let cell = (height / self.grid.rows.max(1)).max(5);
        let [map_width, map_height] = [cell * self.grid.columns + 1, cell * self.grid.rows + 1];
        let down = height.max(map_height) + GAP;
        let mut sheet = Rgb::new(width + 2 * map_width + 4 * GAP, frames.len() * down + GAP, [255; 3]);
        for (at, &frame) in frames.iter().enumerate() {
            let (y, answer, shown) = (GAP + at * down, &answers[frame], &self.demonstrations[frame]);
            sheet.paste([GAP, y], &self.picture(frame).resized([width, height]));
            let believed = |place: Cell| {
                let p = answer.probabilities.get(self.grid.number(place)).copied().unwrap_or(0.0);
                [(245.0 - 195.0 * p.clamp(0.0, 1.0)) as u8; 3]
            };
            sheet.paste([width + 2 * GAP, y], &self.draw_cells(cell, believed));
            let plan = answer.plan.as_deref().unwrap_or(&[]);
            let paths = |place: Cell| match (plan.contains(&place), shown.path.contains(&place)) {
                _ if self.maps[frame].is_blocked(place) && plan.contains(&place) => [210, 60, 50],
                (true, true) => [60, 160, 80],
                (true, false) => [245, 165, 60],
                (false, true) => [80, 130, 220],
                _ if self.maps[frame].is_blocked(place) => [50, 50, 60],
                _ => [245, 245, 240],
            };
            sheet.paste([width + map_width + 3 * GAP, y], &self.draw_cells(cell, paths));
        }
        sheet
    }

    /// The grid with a colour for each cell, far rows on top.
    fn draw_cells(&self, cell: usize, colour: impl Fn(Cell) -> [u8; 3]) -> Rgb {
        let mut drawing = Rgb::new(cell * self.grid.columns + 1, cell * self.grid.rows + 1, [170; 3]);
        for place in (0..self.grid.len()).map(|number| self.grid.cell(number)) {
            let row = self.grid.rows - 1 - place.row;
            drawing.fill([place.column * cell + 1, row * cell + 1], [cell - 1, cell - 1], colour(place));
        }
        drawing
    }

    /// The map of a frame with its path, so many pixels for a cell.
    fn draw_map(&self, frame: usize, cell: usize) -> Rgb {
        let (map, path) = (&self.maps[frame], &self.demonstrations[frame]);
        self.draw_cells(cell, |place| match place {
            _ if place == path.start => [60, 160, 80],
            _ if place == path.end => [210, 60, 50],
            _ if map.is_blocked(place) => [50, 50, 60],
            _ if path.path.contains(&place) => [245, 165, 60],
            _ => [245, 245, 240],
        })
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
