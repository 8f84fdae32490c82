//! One picture, and where its rules are put: what `solve` and `export` are told.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use preceptron::{Context, Model, Shown, TaskResult, bail, check_new_png, ensure, write_new};
use preceptron_base::{Quiet, READ, read_file, read_text, settings};
use preceptron_logic::Problem;
use serde_json::json;

use super::cell_values::Cells;
use super::frame_index::at_size;
use super::sources::grid_of;
use super::{
    Answered, CameraCalibration, Cell, Demonstration, DrivingSettings, Frames, GenericPlanner, Grid, Map,
    PlanError, Request, Rgb, Trained, with_obstacles,
};

settings! {
    /// A question: a picture or a frame, and the ends of the path.
    pub struct DrivingInput {
        /// A picture, PNG or JPEG.
        picture: Option<PathBuf> = None, "<PICTURE.png>";
        /// In place of a picture, the N-th frame that the run is tested on, counted from 1.
        frame: Option<usize> = None, "N" in 1..=10_000_000;
        /// Where the path begins, rows and columns counted from 0 [default: where the car stands].
        start: Option<Cell> = None, "ROW,COLUMN";
        /// Where it ends [default: where the frame's own path does].
        end: Option<Cell> = None, "ROW,COLUMN";
        /// The camera's calibration file [default: that of synthetic frames].
        calibration: Option<PathBuf> = None, "FILE";
        /// Draw the picture, the map believed in and the plan, as a PNG.
        out: Option<PathBuf> = None, "FILE.png";
        /// Overwrite the file.
        force: bool = false;
    }
}

settings! {
    /// A map with a start and an end: where rules of paths are put.
    pub struct DrivingDomain {
        /// Rows and columns of the grid [default: the run's].
        grid: Option<[usize; 2]> = None, "RxC";
        /// Where the path begins, rows and columns counted from 0 [default: where the car stands].
        start: Option<Cell> = None, "ROW,COLUMN";
        /// Where it ends.
        end: Option<Cell> = None, "ROW,COLUMN";
        /// Blocked cells, with blanks between them.
        blocked: Cells = Cells::default(), "'ROW,COLUMN ...'";
    }
}

/// Whether cells are on a grid.
fn check_on(grid: Grid, cells: &[Cell]) -> TaskResult<()> {
    let Grid { rows, columns, .. } = grid;
    let is_off = |cell: &&Cell| cell.row >= rows || cell.column >= columns;
    match cells.iter().find(is_off) {
        None => Ok(()),
        Some(&Cell { row, column }) => Err(PlanError::Outside { row, column, rows, columns }.into()),
    }
}

/// The cheapest path over a map as a problem for a solver.
///
/// # Errors
/// If there is no end, or a cell is not on the grid.
pub fn problem(settings: &DrivingSettings, model: &Model, domain: &DrivingDomain) -> TaskResult<Problem> {
    let grid = grid_of(domain.grid.unwrap_or(settings.maps.grid))?;
    let Some(end) = domain.end else {
        bail!("rules of paths hold on any map; say where the path ends with --end ROW,COLUMN")
    };
    ensure!(settings.supervision.plans(), "a network that gives paths itself has no rules");
    let mut map = Map::empty(grid);
    check_on(grid, &domain.blocked.0)?;
    domain.blocked.0.iter().for_each(|cell| map.blocked[grid.number(*cell)] = true);
    let risk = vec![0; grid.len()];
    let start = domain.start.unwrap_or_else(|| grid.start());
    let request = Request { start, end, blocked: &map.blocked, risk: &risk };
    Ok(GenericPlanner::new(&with_obstacles(&model.rules), &grid).problem(&request)?)
}

/// A frame of one picture, of which nobody knows the map.
fn of_picture(path: &Path, settings: &DrivingSettings, input: &DrivingInput) -> TaskResult<Frames> {
    let maps = settings.frames()?;
    let Some(end) = input.end else { bail!("say where the path is to end with --end ROW,COLUMN") };
    let shown = path.display();
    let picture = match Rgb::decode(&read_file(path, READ.get()).context(&shown)?) {
        Ok(picture) => picture,
        Err(what) => bail!("{shown}: {what}"),
    };
    let (camera, made_for) = match &input.calibration {
        Some(file) => {
            let shown = file.display().to_string();
            (CameraCalibration::parse_file(&read_text(file).context(&shown)?, &shown)?, None)
        }
        None => (CameraCalibration::default(), Some(CameraCalibration::default().picture_size())),
    };
    let (camera, pixels) = at_size(&picture, &camera, made_for, &maps);
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let demonstration = Demonstration { start: maps.grid.start(), end, path: Vec::new() };
    Ok(Frames::single(&maps, name, (camera, pixels), demonstration))
}

/// Plans on one picture.
///
/// # Errors
/// If the picture cannot be read, or an end is not on the grid.
pub fn solve(settings: &DrivingSettings, model: &Model, input: &DrivingInput) -> TaskResult<Shown> {
    input.out.as_deref().map(|path| check_new_png(path, input.force)).transpose()?;
    let mut frames = match (&input.picture, input.frame) {
        (Some(_), Some(_)) => bail!("a picture and --frame are two inputs"),
        (None, None) => {
            bail!("there is no picture: precept solve RUN PICTURE.png --end ROW,COLUMN, or --frame N")
        }
        (Some(path), None) => of_picture(path, settings, input)?,
        (None, Some(number)) => {
            ensure!(input.calibration.is_none(), "--calibration is for a picture; a frame has its own");
            let split = settings.split()?;
            let frame = split.test.get(number.saturating_sub(1));
            let frame = frame.context(format!("--frame {number}: there are {}", split.test.len()))?;
            split.index.frames(&[*frame], &Quiet)?
        }
    };
    let grid = frames.grid;
    let shown = &mut frames.demonstrations[0];
    let own = (shown.start, shown.end);
    (shown.start, shown.end) = (input.start.unwrap_or(own.0), input.end.unwrap_or(own.1));
    let ends = (shown.start, shown.end);
    check_on(grid, &[ends.0, ends.1])?;
    if ends != own {
        // The path of the frame is one between other ends.
        frames.demonstrations[0].path.clear();
    }
    let answers = Trained::load(&frames, &settings.learning(), model)?.answer(&frames, &Quiet)?;
    let answer = &answers[0];
    let truth = input.frame.map(|_| frames.maps[0].clone());
    if let (None, Some(believed)) = (&truth, &answer.believed) {
        frames.maps[0] = Map { grid, blocked: believed.clone() };
    }
    if let Some(path) = &input.out {
        write_new(path, input.force, &frames.sheet_of_plans(&[0], &answers, 2).to_png()?)?;
    }
    Ok(answered(&frames, answer, truth.as_ref(), input.out.as_deref()))
}

/// The plan in words, as a drawing of signs, and as JSON.
fn answered(frames: &Frames, answer: &Answered, truth: Option<&Map>, out: Option<&Path>) -> Shown {
    let (grid, shown) = (frames.grid, &frames.demonstrations[0]);
    let plan = answer.plan.as_deref().unwrap_or(&[]);
    let mut text = match plan.len() {
        0 => "no way was found\n".to_owned(),
        cells => format!("{}: {cells} cells\n", frames.names[0]),
    };
    let sign = |cell: Cell| match cell {
        _ if cell == shown.start => 'S',
        _ if cell == shown.end => 'E',
        _ if plan.contains(&cell) => '*',
        _ if frames.maps[0].is_blocked(cell) => '#',
        _ => '.',
    };
    for row in (0..grid.rows).rev() {
        let signs: String = (0..grid.columns).map(|column| sign(Cell { row, column })).collect();
        text += &format!("  {signs}\n");
    }
    let of = if truth.is_some() { "truly blocked" } else { "more likely blocked than not" };
    text += &format!("Far rows are on top; S start, E end, * plan, # {of}.\n");
    let collides = truth.map(|map| plan.iter().any(|cell| map.is_blocked(*cell)));
    if let Some(collides) = collides.filter(|_| !plan.is_empty()) {
        text += if collides { "The plan collides.\n" } else { "The plan is free.\n" };
    }
    if let Some(path) = out {
        let _ = writeln!(text, "Drawn to {}", path.display());
    }
    let json = json!({
        "frame": frames.names[0], "start": shown.start, "end": shown.end, "plan": answer.plan,
        "shown": (!shown.path.is_empty()).then_some(&shown.path), "collides": collides,
        "probabilities": answer.probabilities, "drawn": out,
    });
    Shown::answer(!plan.is_empty(), text, json)
}
