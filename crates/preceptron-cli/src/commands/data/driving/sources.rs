//! Where frames come from, as options: a folder in KITTI's layout, or folders and archives one by one.

use std::path::PathBuf;

use anyhow::{bail, ensure};
use clap::{Args, ValueEnum};
use preceptron_tasks::driving::{
    self, Counted, FrameSettings, Grid, Layout, Sources, Steps, read_drive_table, read_drives, read_list,
};
use serde::{Deserialize, Serialize};

use crate::present::quoted;

/// Where the frames are.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize)]
#[command(next_help_heading = "Frames")]
pub struct SourceArguments {
    /// A folder in KITTI's layout: image_2, label_2, calib.
    #[arg(long, value_name = "DIR")]
    from: Option<PathBuf>,
    /// Labels in KITTI's columns, or frames as JSON where no calibration is named: a folder, .tar or .tar.xz.
    #[arg(long, value_name = "PLACE")]
    labels: Option<PathBuf>,
    /// Calibration files: a folder, .tar or .tar.xz.
    #[arg(long, value_name = "PLACE")]
    calibration: Option<PathBuf>,
    /// Pictures in PNG or JPEG: a folder, .tar or .tar.xz.
    #[arg(long, value_name = "PLACE")]
    images: Option<PathBuf>,
    /// The size of the pictures that the calibration is for [default: told from the calibration].
    #[arg(long, value_name = "WxH", value_parser = size)]
    calibrated_for: Option<[usize; 2]>,
    /// Only the frames of this list, a name on each line.
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
    /// Which drive a frame comes from: lines frame,drive under a header [default: drives.csv of --from].
    #[arg(long, value_name = "FILE.csv")]
    drives: Option<PathBuf>,
    /// The same as KITTI says it: its train_mapping.txt.
    #[arg(long, value_name = "FILE", requires = "mapping_order", conflicts_with = "drives")]
    mapping: Option<PathBuf>,
    /// KITTI's train_rand.txt, which goes with --mapping.
    #[arg(long, value_name = "FILE", requires = "mapping")]
    mapping_order: Option<PathBuf>,
}

impl SourceArguments {
    /// The frames, if any are named.
    pub fn layout(&self, with_pictures: bool) -> anyhow::Result<Option<Layout>> {
        let or_from = |own: &Option<PathBuf>| own.clone().or_else(|| self.from.clone());
        let Some(labels) = or_from(&self.labels) else {
            let is_named = self.calibration.is_some() || self.images.is_some() || self.list.is_some();
            ensure!(!is_named, "no labels are named; --labels or --from says where they are");
            return Ok(None);
        };
        // A folder of frames as JSON has the calibration with them.
        let has_calibration =
            |from: &PathBuf| from.join("calib").is_dir() || from.join("training/calib").is_dir();
        let calibration = self.calibration.clone().or_else(|| self.from.clone().filter(has_calibration));
        let images = if with_pictures { or_from(&self.images) } else { None };
        let calibrated_for = self.calibrated_for.map(|size| size.map(|side| side as f64));
        let mut layout = Layout::open(&Sources { labels, calibration, images, calibrated_for })?;
        let table = self.from.as_ref().map(|from| from.join("drives.csv")).filter(|table| table.is_file());
        if let Some(table) = self.drives.as_ref().or(table.as_ref()) {
            layout = layout.with_drives(read_drive_table(table)?);
        }
        if let (Some(mapping), Some(order)) = (&self.mapping, &self.mapping_order) {
            layout = layout.with_drives(read_drives(mapping, order)?);
        }
        Ok(Some(match &self.list {
            Some(list) => layout.select(read_list(list)?)?,
            None => layout,
        }))
    }

    /// The same with paths that hold wherever the program is started.
    pub fn absolute(&self) -> std::io::Result<SourceArguments> {
        let mut own = self.clone();
        let paths = [
            &mut own.from,
            &mut own.labels,
            &mut own.calibration,
            &mut own.images,
            &mut own.list,
            &mut own.drives,
            &mut own.mapping,
            &mut own.mapping_order,
        ];
        for path in paths.into_iter().flatten() {
            *path = std::path::absolute(&path)?;
        }
        Ok(own)
    }

    /// The options that name these places.
    pub fn flags(&self) -> Vec<String> {
        let places = [
            ("--from", &self.from),
            ("--labels", &self.labels),
            ("--calibration", &self.calibration),
            ("--images", &self.images),
            ("--list", &self.list),
            ("--drives", &self.drives),
            ("--mapping", &self.mapping),
            ("--mapping-order", &self.mapping_order),
        ];
        let named = places.into_iter().filter_map(|(flag, place)| Some((flag, place.as_ref()?)));
        let mut flags: Vec<String> =
            named.map(|(flag, place)| format!("{flag} {}", quoted(&place.display().to_string()))).collect();
        flags.extend(self.calibrated_for.map(|[width, height]| format!("--calibrated-for {width}x{height}")));
        flags
    }

    /// Whether any frames are named.
    pub fn is_named(&self) -> bool {
        self.from.is_some() || self.labels.is_some()
    }

    /// Whether the labels are those of other frames.
    pub fn has_labels_of(&self, other: &SourceArguments) -> bool {
        let labels = |of: &SourceArguments| of.labels.clone().or_else(|| of.from.clone());
        labels(self) == labels(other)
    }

    /// Whether pictures are named.
    pub fn has_pictures(&self) -> bool {
        let pictures =
            |from: &PathBuf| from.join("image_2").is_dir() || from.join("training/image_2").is_dir();
        self.images.is_some() || self.from.as_ref().is_some_and(pictures)
    }
}

/// What maps and paths are made with.
#[derive(Args)]
#[command(next_help_heading = "Maps and paths")]
pub struct MapArguments {
    /// Rows and columns of the grid, which reaches from 50 m on the left to 50 m on the right, and from 10 m
    /// behind to 90 m ahead.
    #[arg(long, value_name = "RxC", default_value = "10x10", value_parser = size)]
    grid: [usize; 2],
    /// Which objects block cells.
    #[arg(long, value_enum, default_value = "evaluated")]
    counted: CountedArgument,
    /// What a step across a corner costs: as far as it leads (1.41), or the same as along a row.
    #[arg(long, value_enum, default_value = "metric")]
    steps: StepsArgument,
    /// The seed of the ends, and of synthetic scenes and pictures.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// The size of the pictures that are shown to a network.
    #[arg(long, value_name = "WxH", default_value = "208x48", value_parser = size)]
    size: [usize; 2],
    /// The share of a camera's picture, from its top, that is not shown to a network; files are written whole.
    #[arg(long, value_name = "SHARE", default_value_t = FrameSettings::default().cut_top)]
    cut_top: f64,
}

#[derive(Clone, Copy, ValueEnum)]
enum CountedArgument {
    /// Cars, pedestrians and cyclists, as KITTI's benchmark evaluates.
    Evaluated,
    /// Every labelled object.
    All,
}

#[derive(Clone, Copy, ValueEnum)]
enum StepsArgument {
    /// The square root of 2.
    Metric,
    /// 1.
    Equal,
}

impl MapArguments {
    pub fn settings(&self) -> anyhow::Result<FrameSettings> {
        let [rows, columns] = self.grid;
        if rows * columns > 10_000 {
            bail!("--grid: {rows} x {columns} cells are more than 10000");
        }
        if self.size[0] * self.size[1] > 4_000_000 {
            bail!("--size: {} x {} pixels are more than 4000000", self.size[0], self.size[1]);
        }
        if !(0.0..=0.9).contains(&self.cut_top) {
            bail!("--cut-top: {} is not from 0 to 0.9", self.cut_top);
        }
        Ok(FrameSettings {
            grid: Grid { rows, columns, ..Grid::default() },
            size: self.size,
            cut_top: self.cut_top,
            counted: match self.counted {
                CountedArgument::Evaluated => Counted::Evaluated,
                CountedArgument::All => Counted::All,
            },
            steps: match self.steps {
                StepsArgument::Metric => Steps::Metric,
                StepsArgument::Equal => Steps::Equal,
            },
            seed: self.seed,
        })
    }
}

/// How many objects sampled scenes have.
#[derive(Clone, Copy, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Density {
    /// 4.7 on average.
    Normal,
    /// 7.4 on average.
    Dense,
}

impl From<Density> for driving::Density {
    fn from(density: Density) -> driving::Density {
        match density {
            Density::Normal => driving::Density::Normal,
            Density::Dense => driving::Density::Dense,
        }
    }
}

/// Two numbers with an x between, such as 208x48.
fn size(text: &str) -> Result<[usize; 2], String> {
    let number = |text: &str| text.parse::<usize>().ok().filter(|number| (1..=10_000).contains(number));
    let two = text.split_once('x').and_then(|(a, b)| Some([number(a)?, number(b)?]));
    two.ok_or_else(|| "expected two numbers from 1 to 10000 with an x between, such as 208x48".to_owned())
}
