//! `precept data driving draw`: pictures, maps and paths on a sheet.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use preceptron::{Action, Context, Group, TaskResult, check_new_png, ensure, write_new};
use preceptron_base::{Control, settings};

use crate::driving::{Density, FrameSources, Frames, MapSettings, sample_scene};

/// Draws frames as a PNG.
pub struct Draw;

settings! {
    /// Which frames, and how.
    pub struct DrawSettings {
        /// Which frames, counted from 1.
        rows: RangeInclusive<usize> = 1..=12, "FROM-TO";
        /// How many side by side.
        columns: usize = 2, "N" in 1..=20;
        /// How many times as large as a network sees them.
        scale: usize = 3, "N" in 1..=10;
        /// The file to write.
        out: Option<PathBuf> = None, "FILE.png";
        /// How many objects there are, where scenes are drawn at random.
        density: Density = Density::Normal, "DENSITY";
        /// Render pictures though there are some.
        synthetic: bool = false;
        /// Overwrite the file.
        force: bool = false;
    }
    with { sources: FrameSources, maps: MapSettings }
}

/// The most frames on one sheet.
const MOST: usize = 200;

impl Action for Draw {
    const GROUP: Group = Group::Data;
    const NAME: &'static str = "draw";
    const ABOUT: &'static str = "Draw frames as a PNG: each picture with its map and path beside it.";
    const HELP: &'static str = "\
Examples:
  precept data driving draw --out sheet.png
  precept data driving draw --from scenes --rows 1-8 --out sheet.png

Without frames named, synthetic scenes are drawn at random; where only labels are named, the pictures are synthetic.
On a map far rows are on top: blocked cells dark, the path orange, its start green and its end red.";
    type Settings = DrawSettings;

    fn run(settings: &DrawSettings, out: &mut dyn Write, _control: &dyn Control) -> TaskResult<bool> {
        let path = settings.out.as_deref().context("--out FILE.png says where the sheet is written")?;
        check_new_png(path, settings.force)?;
        let maps = settings.maps.frames()?;
        let (from, to) = (*settings.rows.start(), *settings.rows.end());
        ensure!(from > 0, "--rows: frames are counted from 1");
        ensure!(to - from < MOST, "--rows: {MOST} frames are the most for a sheet");
        let with_pictures = settings.sources.has_pictures() && !settings.synthetic;
        let frames = match settings.sources.layout(with_pictures)? {
            None => {
                let scene = |number| sample_scene(maps.seed, number, settings.density);
                Frames::synthetic((from - 1..to).map(scene).collect(), &maps)
            }
            Some(layout) => {
                let (layout, _) = layout.complete();
                let names: Vec<String> =
                    layout.names().iter().skip(from - 1).take(to - from + 1).cloned().collect();
                ensure!(!names.is_empty(), "--rows: there is no frame {from} of {}", layout.names().len());
                let layout = layout.select(names)?;
                if with_pictures { Frames::read(&layout, &maps)? } else { Frames::render(&layout, &maps)? }
            }
        };
        let all: Vec<usize> = (0..frames.len()).collect();
        let sheet = frames.sheet(&all, settings.columns, settings.scale);
        write_new(path, settings.force, &sheet.to_png()?)?;
        let kind = if frames.is_synthetic { "synthetic frames" } else { "frames" };
        let [width, height] = sheet.size();
        writeln!(out, "{} {kind} drawn to {}, {width} x {height} pixels", all.len(), path.display())?;
        Ok(true)
    }
}
