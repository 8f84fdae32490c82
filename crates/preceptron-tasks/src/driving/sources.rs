//! Where frames come from and what their maps are made with, as settings: a folder in KITTI's layout, or
//! folders and archives one by one.

use std::path::PathBuf;

use preceptron::{TaskResult, ensure};
use preceptron_base::{SettingsError, settings};

use super::{
    Counted, Density, FrameIndex, FrameSettings, Grid, Layout, Sources, Steps, read_drive_table, read_drives,
    read_list,
};

settings! {
    /// Where the frames are; nowhere if scenes are to be drawn at random.
    pub struct FrameSources {
        /// A folder in KITTI's layout: image_2, label_2, calib.
        from: Option<PathBuf> = None, "DIR";
        /// Labels in KITTI's columns, or frames as JSON where no calibration is named: a folder, .tar or .tar.xz.
        labels: Option<PathBuf> = None, "PLACE";
        /// CameraCalibration files: a folder, .tar or .tar.xz.
        calibration: Option<PathBuf> = None, "PLACE";
        /// Pictures in PNG or JPEG: a folder, .tar or .tar.xz.
        images: Option<PathBuf> = None, "PLACE";
        section "Other data";
        /// The size of the pictures that the calibration is for [default: told from the calibration].
        calibrated_for: Option<[usize; 2]> = None, "WxH";
        section "Other data";
        /// Only the frames of this list, a name on each line.
        list: Option<PathBuf> = None, "FILE";
        section "Other data";
        /// Which drive a frame comes from: lines frame,drive under a header [default: drives.csv of --from].
        drives: Option<PathBuf> = None, "FILE.csv";
        section "Other data";
        /// The same as KITTI says it: its train_mapping.txt.
        mapping: Option<PathBuf> = None, "FILE";
        section "Other data";
        /// KITTI's train_rand.txt, which goes with --mapping.
        mapping_order: Option<PathBuf> = None, "FILE";
    }
}

impl FrameSources {
    /// The frames, if any are named.
    ///
    /// # Errors
    /// If places do not go together, or cannot be read.
    pub fn layout(&self, with_pictures: bool) -> TaskResult<Option<Layout>> {
        let pair = (&self.mapping, &self.mapping_order);
        ensure!(pair.0.is_some() == pair.1.is_some(), "--mapping and --mapping-order go together");
        ensure!(pair.0.is_none() || self.drives.is_none(), "--mapping goes without --drives");
        let or_from = |own: &Option<PathBuf>| own.clone().or_else(|| self.from.clone());
        let Some(labels) = or_from(&self.labels) else {
            let is_named = self.calibration.is_some() || self.images.is_some() || self.list.is_some();
            ensure!(!is_named, "no labels are named; --labels or --from says where they are");
            return Ok(None);
        };
        // A folder of frames as JSON has the calibration with them.
        let calibration = self.calibration.clone().or_else(|| self.folder("calib"));
        let images = if with_pictures { or_from(&self.images) } else { None };
        let calibrated_for = self.calibrated_for.map(|size| size.map(|side| side as f64));
        let mut layout = Layout::open(&Sources { labels, calibration, images, calibrated_for })?;
        let table = self.from.as_ref().map(|from| from.join("drives.csv")).filter(|table| table.is_file());
        if let Some(table) = self.drives.as_ref().or(table.as_ref()) {
            layout = layout.with_drives(read_drive_table(table)?);
        }
        if let (Some(mapping), Some(order)) = pair {
            layout = layout.with_drives(read_drives(mapping, order)?);
        }
        Ok(Some(match &self.list {
            Some(list) => layout.select(read_list(list)?)?,
            None => layout,
        }))
    }

    /// All frames that have their files; so many scenes, if they are drawn at random. Their pictures are still
    /// to be read or rendered; they are rendered though there are some if that is asked for.
    ///
    /// # Errors
    /// If a place cannot be read, or no frame has all its files.
    pub fn index(
        &self,
        maps: &FrameSettings,
        render: bool,
        (density, count): (Density, usize),
    ) -> TaskResult<FrameIndex> {
        let with_pictures = self.has_pictures() && !render;
        let Some(layout) = self.layout(with_pictures)? else {
            // Now and then no cell ahead can be reached, and the frame is left out.
            let drawn = count.saturating_add(count / 20 + 40);
            return Ok(FrameIndex::sample(drawn, density, maps));
        };
        let (layout, _) = layout.complete();
        ensure!(!layout.names().is_empty(), "no frame has all its files");
        Ok(match with_pictures {
            true => FrameIndex::read(layout, maps)?,
            false => FrameIndex::render(&layout, maps)?,
        })
    }

    /// The same with paths that hold wherever the program is started.
    ///
    /// # Errors
    /// If the folder in which the program was started is gone.
    pub fn absolute(&self) -> std::io::Result<FrameSources> {
        let mut own = self.clone();
        let FrameSources { from, labels, calibration, images, list, drives, mapping, mapping_order, .. } =
            &mut own;
        let paths = [from, labels, calibration, images, list, drives, mapping, mapping_order];
        for path in paths.into_iter().flatten() {
            *path = std::path::absolute(&path)?;
        }
        Ok(own)
    }

    /// Whether any frames are named.
    pub fn is_named(&self) -> bool {
        self.from.is_some() || self.labels.is_some()
    }

    /// Whether the labels are those of other frames.
    pub fn has_labels_of(&self, other: &FrameSources) -> bool {
        let labels = |of: &FrameSources| of.labels.clone().or_else(|| of.from.clone());
        labels(self) == labels(other)
    }

    /// Whether pictures are named.
    pub fn has_pictures(&self) -> bool {
        self.images.is_some() || self.folder("image_2").is_some()
    }

    /// The folder in KITTI's layout, if it has a folder of this name.
    fn folder(&self, name: &str) -> Option<PathBuf> {
        self.from.clone().filter(|from| from.join(name).is_dir() || from.join("training").join(name).is_dir())
    }
}

settings! {
    /// What maps and paths are made with.
    #[derive(Copy)]
    pub struct MapSettings {
        /// Rows and columns of the grid, which reaches from 50 m on the left to 50 m on the right, and from 10 m
        /// behind to 90 m ahead.
        grid: [usize; 2] = [10, 10], "RxC";
        section "Maps and pictures";
        /// Which objects block cells.
        counted: Counted = Counted::Evaluated, "OBJECTS";
        section "Maps and pictures";
        /// What a step across a corner costs: as far as it leads (1.41), or the same as along a row.
        steps: Steps = Steps::Metric, "COST";
        /// The seed of the ends, and of synthetic scenes and pictures.
        seed: u64 = 0, "N";
        section "Maps and pictures";
        /// The size of the pictures that are shown to a network.
        size: [usize; 2] = [208, 48], "WxH";
        section "Maps and pictures";
        /// The share of a camera's picture, from its top, that is not shown to a network; files are written whole.
        cut_top: f64 = FrameSettings::default().cut_top, "SHARE" in 0.0..=0.9;
    }
}

/// A grid of so many rows and columns.
///
/// # Errors
/// If it has no cells, or too many.
pub fn grid_of([rows, columns]: [usize; 2]) -> Result<Grid, SettingsError> {
    let together = |what| Err(SettingsError::Together(format!("grid = {rows}x{columns}: {what}")));
    match rows.checked_mul(columns) {
        Some(0) => together("there are no cells"),
        Some(..=10_000) => Ok(Grid { rows, columns, ..Grid::default() }),
        _ => together("these are more than 10000 cells"),
    }
}

impl MapSettings {
    /// What frames are made with.
    ///
    /// # Errors
    /// If the grid or the pictures have nothing in them, or too much.
    pub fn frames(&self) -> Result<FrameSettings, SettingsError> {
        let MapSettings { counted, steps, seed, size, cut_top, .. } = *self;
        let [width, height] = size;
        if !(1..=4_000_000).contains(&width.saturating_mul(height)) {
            let range = "of 1 to 4000000 pixels";
            return Err(SettingsError::range("size", format!("{width}x{height}"), range));
        }
        Ok(FrameSettings { grid: grid_of(self.grid)?, size, cut_top, counted, steps, seed })
    }
}
