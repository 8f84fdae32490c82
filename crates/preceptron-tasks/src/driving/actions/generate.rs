//! `precept data driving generate`: synthetic scenes as files.

use std::io::Write;
use std::path::PathBuf;

use preceptron::{Action, Context, Group, TaskResult, ensure};
use preceptron_base::{Control, quoted, settings};

use crate::driving::{
    Density, Figures, FrameSettings, FrameSources, Frames, MapSettings, Scene, sample_scene, write_synthetic,
};

/// Renders synthetic scenes into a folder.
pub struct Generate;

settings! {
    /// Which scenes, and where to.
    pub struct GenerateSettings {
        /// The folder to write; it is made.
        out: Option<PathBuf> = None, "DIR";
        /// How many frames [default: 1000, or all that are named].
        count: Option<usize> = None, "N" in 1..=1_000_000;
        /// How many of them to test on, of drives apart [default: a tenth].
        test: Option<usize> = None, "N";
        /// How many objects there are, without --labels.
        density: Density = Density::Normal, "DENSITY";
    }
    with { sources: FrameSources, maps: MapSettings }
}

/// The scenes asked for.
fn scenes(settings: &GenerateSettings) -> TaskResult<Vec<Scene>> {
    let Some(layout) = settings.sources.layout(false)? else {
        let scene = |number| sample_scene(settings.maps.seed, number, settings.density);
        return Ok((0..settings.count.unwrap_or(1000)).map(scene).collect());
    };
    layout.check()?;
    let names = layout.names().len();
    let count = settings.count.unwrap_or(names);
    ensure!(count <= names, "--count {count}: there are labels of {names} frames");
    layout.names()[..count].iter().map(|name| Ok(layout.scene(name)?)).collect()
}

impl Action for Generate {
    const GROUP: Group = Group::Data;
    const NAME: &'static str = "generate";
    const ABOUT: &'static str = "Render synthetic scenes into a folder in KITTI's layout.";
    const HELP: &'static str = "\
Examples:
  precept data driving generate --count 2000 --out scenes
  precept data driving generate --count 500 --density dense --seed 1 --out crowded
  precept data driving generate --labels label_2.tar.xz --calibration calib.tar.xz --count 6660 --test 500 --out kitti

Without --labels, scenes are drawn at random, 40 frames a drive. With them, their objects and cameras are taken;
what does not count is left out. The pictures are synthetic either way, and SYNTHETIC.txt says so.";
    type Settings = GenerateSettings;

    fn run(settings: &GenerateSettings, out: &mut dyn Write, _control: &dyn Control) -> TaskResult<bool> {
        // What is written is what a camera sees.
        let maps = FrameSettings { cut_top: 0.0, ..settings.maps.frames()? };
        let folder = settings.out.as_deref().context("--out DIR says which folder is written")?;
        let shown = folder.display().to_string();
        let is_empty = || std::fs::read_dir(folder).is_ok_and(|mut files| files.next().is_none());
        ensure!(!folder.exists() || is_empty(), "{shown}: is already there, and not an empty folder");
        let scenes = scenes(settings)?;
        let figures = Figures::of(&scenes, &maps);
        let frames = Frames::synthetic(scenes.clone(), &maps);
        let test = settings.test.unwrap_or(frames.len() / 10);
        let (train, test) = write_synthetic(folder, &scenes, &frames, &maps, test)?;
        let Figures { drives, objects, blocked_cells, .. } = figures;
        writeln!(out, "{} synthetic frames of {drives} drives written to {shown}", frames.len())?;
        writeln!(out, "  {} to train on, {} to test on, of drives apart", train.len(), test.len())?;
        writeln!(out, "  {objects:.2} objects and {blocked_cells:.2} blocked cells in a frame")?;
        if frames.boxed_in > 0 {
            writeln!(out, "  {} frames left out: no cell ahead can be reached", frames.boxed_in)?;
        }
        writeln!(out, "\nNext:\n  precept data driving draw --from {} --out sheet.png", quoted(&shown))?;
        Ok(true)
    }
}
