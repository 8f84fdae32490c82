//! `precept data driving verify`: what frames hold, and what is missing.

use std::io::{self, Write};

use preceptron::{Action, Context, Group, TaskResult};
use preceptron_base::{Control, settings};
use serde_json::json;

use crate::driving::{DrivingError, Figures, FrameSources, MapSettings, Scene};

/// Checks frames.
pub struct Verify;

settings! {
    /// Which frames.
    pub struct VerifySettings {
        /// Print JSON.
        json: bool = false;
    }
    with { sources: FrameSources, maps: MapSettings }
}

impl Action for Verify {
    const GROUP: Group = Group::Data;
    const NAME: &'static str = "verify";
    const ABOUT: &'static str = "Check frames, and say what they hold.";
    const HELP: &'static str = "\
Examples:
  precept data driving verify --from scenes
  precept data driving verify --labels label_2.tar.xz --calibration calib.tar.xz --images image_2.tar

Every label, calibration and picture is read. Exit codes: 0 without fault, 1 files or boxes missing, 2 error.";
    type Settings = VerifySettings;

    fn run(settings: &VerifySettings, out: &mut dyn Write, _control: &dyn Control) -> TaskResult<bool> {
        let maps = settings.maps.frames()?;
        let with_pictures = settings.sources.has_pictures();
        let layout = settings.sources.layout(with_pictures)?;
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
        let figures = Figures::of(&scenes, &maps);
        if settings.json {
            let value = json!({
                "figures": figures, "pictures": with_pictures, "incomplete": left, "missing": missing,
            });
            writeln!(out, "{value}")?;
        } else {
            print(&figures, with_pictures, out)?;
            if let Some(missing) = &missing {
                writeln!(out, "\n{missing}")?;
            }
        }
        Ok(missing.is_none() && figures.without_box == 0)
    }
}

fn print(figures: &Figures, with_pictures: bool, out: &mut dyn Write) -> io::Result<()> {
    let pictures = if with_pictures { "with" } else { "without" };
    writeln!(out, "{} frames of {} drives, {pictures} pictures", figures.frames, figures.drives)?;
    let kinds: Vec<String> = figures.kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    writeln!(out, "  labels: {}", kinds.join(", "))?;
    let Figures { objects, covered_cells, blocked_cells, path_cells, shortest_paths, .. } = figures;
    writeln!(out, "  {objects:.2} objects that count, {covered_cells:.2} cells covered in a frame")?;
    let share = |value: f64| format!("{:.1}%", 100.0 * value);
    let start = share(figures.start_covered);
    writeln!(
        out,
        "  {blocked_cells:.2} cells blocked once the start is cleared, which {start} of the frames cover"
    )?;
    writeln!(out, "  paths of {path_cells:.2} cells, one of {shortest_paths:.2} as short")?;
    if figures.without_box > 0 {
        let count = figures.without_box;
        writeln!(out, "  {count} objects that count have no box in space: no map can be made")?;
    }
    let [unique, boxed_in] = [figures.unique, figures.boxed_in].map(share);
    writeln!(out, "  the only shortest one in {unique}; no path ahead in {boxed_in}")
}
