//! `precept data driving verify`: what frames hold, and what is missing.

use std::io::Write;

use anyhow::Context;
use clap::Args;
use preceptron_tasks::driving::{DrivingError, Figures, Scene};

use super::sources::{MapArguments, SourceArguments};
use crate::Answer;

/// Check frames, and say what they hold.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept data driving verify --from scenes
  precept data driving verify --labels label_2.tar.xz --calibration calib.tar.xz --images image_2.tar

Every label, calibration and picture is read. Exit codes: 0 without fault, 1 files or boxes missing, 2 error.")]
pub struct Arguments {
    #[command(flatten)]
    sources: SourceArguments,
    #[command(flatten)]
    maps: MapArguments,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let settings = arguments.maps.settings()?;
    let with_pictures = arguments.sources.has_pictures();
    let layout = arguments.sources.layout(with_pictures)?;
    let layout = layout.context("no frames are named; --from or --labels says where they are")?;
    let missing = match layout.check() {
        Ok(()) => None,
        Err(error @ DrivingError::Missing { .. }) => Some(error.to_string()),
        Err(error) => return Err(error.into()),
    };
    let (layout, left) = layout.complete();
    let scenes: Vec<Scene> =
        layout.names().iter().map(|name| layout.scene(name)).collect::<Result<_, _>>()?;
    if with_pictures {
        for name in layout.names() {
            layout.picture(name)?;
        }
    }
    let figures = Figures::of(&scenes, &settings);
    if arguments.json {
        let value = serde_json::json!({ "figures": figures, "pictures": with_pictures, "incomplete": left, "missing": missing });
        writeln!(out, "{value}")?;
    } else {
        print(&figures, with_pictures, out)?;
        if let Some(missing) = &missing {
            writeln!(out, "\n{missing}")?;
        }
    }
    Ok(if missing.is_none() && figures.without_box == 0 { Answer::Yes } else { Answer::No })
}

fn print(figures: &Figures, with_pictures: bool, out: &mut dyn Write) -> anyhow::Result<()> {
    let pictures = if with_pictures { "with" } else { "without" };
    writeln!(out, "{} frames of {} drives, {pictures} pictures", figures.frames, figures.drives)?;
    let kinds: Vec<String> = figures.kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    writeln!(out, "  labels: {}", kinds.join(", "))?;
    let Figures { objects, covered_cells, blocked_cells, .. } = figures;
    writeln!(out, "  {objects:.2} objects that count, {covered_cells:.2} cells covered in a frame")?;
    let share = |value: f64| format!("{:.1}%", 100.0 * value);
    let start = share(figures.start_covered);
    writeln!(
        out,
        "  {blocked_cells:.2} cells blocked once the start is cleared, which {start} of the frames cover"
    )?;
    writeln!(
        out,
        "  paths of {:.2} cells, one of {:.2} as short",
        figures.path_cells, figures.shortest_paths
    )?;
    let boxed_in = share(figures.boxed_in);
    if figures.without_box > 0 {
        writeln!(
            out,
            "  {} objects that count have no box in space: no map can be made",
            figures.without_box
        )?;
    }
    writeln!(out, "  the only shortest one in {}; no path ahead in {boxed_in}", share(figures.unique))?;
    Ok(())
}
