//! `precept data driving generate`: synthetic scenes as files.

use std::io::Write;
use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;
use preceptron_tasks::driving::{Figures, FrameSettings, Frames, Scene, sample_scene, write_synthetic};

use super::sources::{Density, MapArguments, SourceArguments};
use crate::Answer;
use crate::present::quoted;

/// Render synthetic scenes into a folder in KITTI's layout.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept data driving generate --count 2000 --out scenes
  precept data driving generate --count 500 --density dense --seed 1 --out crowded
  precept data driving generate --labels label_2.tar.xz --calibration calib.tar.xz --count 6660 --test 500 --out kitti

Without --labels, scenes are drawn at random, 40 frames a drive. With them, their objects and cameras are taken;
what does not count is left out. The pictures are synthetic either way, and SYNTHETIC.txt says so.
Exit codes: 0 written, 2 error.")]
pub struct Arguments {
    /// The folder to write; it is made.
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
    /// How many frames [default: 1000, or all that are named].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: Option<u32>,
    /// How many of them to test on, of drives apart [default: a tenth].
    #[arg(long, value_name = "N")]
    test: Option<usize>,
    /// How many objects there are, without --labels.
    #[arg(long, value_enum, default_value = "normal")]
    density: Density,
    #[command(flatten)]
    sources: SourceArguments,
    #[command(flatten)]
    maps: MapArguments,
}

/// The scenes asked for.
fn scenes(arguments: &Arguments, seed: u64) -> anyhow::Result<Vec<Scene>> {
    let Some(layout) = arguments.sources.layout(false)? else {
        let count = arguments.count.unwrap_or(1000) as usize;
        return Ok((0..count).map(|number| sample_scene(seed, number, arguments.density.into())).collect());
    };
    layout.check()?;
    let names = layout.names().len();
    let count = arguments.count.map_or(names, |count| count as usize);
    ensure!(count <= names, "--count {count}: there are labels of {names} frames");
    layout.names()[..count].iter().map(|name| Ok(layout.scene(name)?)).collect()
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    // What is written is what a camera sees.
    let settings = FrameSettings { cut_top: 0.0, ..arguments.maps.settings()? };
    let folder = &arguments.out;
    let shown = folder.display().to_string();
    let is_used = folder.exists() && !std::fs::read_dir(folder).is_ok_and(|mut files| files.next().is_none());
    ensure!(!is_used, "{shown}: is already there, and not an empty folder");
    let scenes = scenes(arguments, settings.seed)?;
    let figures = Figures::of(&scenes, &settings);
    let frames = Frames::synthetic(scenes.clone(), &settings);
    let test = arguments.test.unwrap_or(frames.len() / 10);
    let (train, test) = write_synthetic(folder, &scenes, &frames, &settings, test)?;
    writeln!(out, "{} synthetic frames of {} drives written to {shown}", frames.len(), figures.drives)?;
    writeln!(out, "  {} to train on, {} to test on, of drives apart", train.len(), test.len())?;
    writeln!(
        out,
        "  {:.2} objects and {:.2} blocked cells in a frame",
        figures.objects, figures.blocked_cells
    )?;
    if frames.boxed_in > 0 {
        writeln!(out, "  {} frames left out: no cell ahead can be reached", frames.boxed_in)?;
    }
    let place = quoted(&shown);
    writeln!(out, "\nNext:\n  precept data driving draw --from {place} --out sheet.png")?;
    Ok(Answer::Yes)
}
