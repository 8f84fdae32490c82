//! `precept data driving draw`: pictures, maps and paths on a sheet.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;
use preceptron_tasks::driving::{Frames, sample_scene};

use super::sources::{Density, MapArguments, SourceArguments};
use crate::Answer;
use crate::commands::data::range::range;
use crate::output::Destination;

/// Draw frames as a PNG: each picture with its map and path beside it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept data driving draw --out sheet.png
  precept data driving draw --from scenes --rows 1-8 --out sheet.png

Without frames named, synthetic scenes are drawn at random; where only labels are named, the pictures are synthetic.
On a map far rows are on top: blocked cells dark, the path orange, its start green and its end red.
Exit codes: 0 drawn, 2 error.")]
pub struct Arguments {
    /// Which frames, counted from 1.
    #[arg(long, value_name = "FROM-TO", value_parser = range, default_value = "1-12")]
    rows: RangeInclusive<usize>,
    /// How many side by side.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=20))]
    columns: u16,
    /// How many times as large as a network sees them.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=10))]
    scale: u16,
    /// The file to write.
    #[arg(long, short, value_name = "FILE.png")]
    out: PathBuf,
    /// How many objects there are, where scenes are drawn at random.
    #[arg(long, value_enum, default_value = "normal")]
    density: Density,
    /// Render pictures though there are some.
    #[arg(long)]
    synthetic: bool,
    /// Overwrite the file.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    sources: SourceArguments,
    #[command(flatten)]
    maps: MapArguments,
}

/// The most frames on one sheet.
const MOST: usize = 200;

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let destination = Destination::check(&arguments.out, arguments.force)?;
    let settings = arguments.maps.settings()?;
    let (from, to) = (*arguments.rows.start(), *arguments.rows.end());
    ensure!(from > 0, "--rows: frames are counted from 1");
    ensure!(to - from < MOST, "--rows: {MOST} frames are the most for a sheet");
    let with_pictures = arguments.sources.has_pictures() && !arguments.synthetic;
    let frames = match arguments.sources.layout(with_pictures)? {
        None => {
            let scene = |number| sample_scene(settings.seed, number, arguments.density.into());
            Frames::synthetic((from - 1..to).map(scene).collect(), &settings)
        }
        Some(layout) => {
            let (layout, _) = layout.complete();
            let names: Vec<String> =
                layout.names().iter().skip(from - 1).take(to - from + 1).cloned().collect();
            ensure!(!names.is_empty(), "--rows: there is no frame {from} of {}", layout.names().len());
            let layout = layout.select(names)?;
            if with_pictures {
                Frames::read(&layout, &settings)?
            } else {
                Frames::render(&layout, &settings)?
            }
        }
    };
    let all: Vec<usize> = (0..frames.len()).collect();
    let sheet = frames.sheet(&all, arguments.columns.into(), arguments.scale.into());
    destination.write(&sheet.to_png()?)?;
    let kind = if frames.is_synthetic { "synthetic frames" } else { "frames" };
    let [width, height] = sheet.size();
    writeln!(out, "{} {kind} drawn to {}, {width} x {height} pixels", all.len(), arguments.out.display())?;
    Ok(Answer::Yes)
}
