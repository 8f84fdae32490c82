//! Rivals that give paths themselves, cell by cell: the recurrent transformer on what is seen of each cell.
//!
//! Where the camera sees a cell is told to them as it is to our own network; where a path begins and ends stands beside.

use preceptron::TaskResult;
use preceptron_rivals::{
    CellExamples, RecurrentTransformer, Rival, SceneCells, ScheduleSettings, TransformerSettings,
    scene_layers,
};
use preceptron_tasks::driving::{Frames, LearningSettings, Table, table_of_paths};

use crate::rival_training::trained_rival;
use crate::unit::{Course, Figures, Method};
use crate::work::Work;

/// Epochs at the most, frames in a step, and epochs without a gain that end it.
const EPOCHS: u64 = 300;
const BATCH: usize = 16;
const PATIENCE: u64 = 20;

/// The mean colour at a point is of so many pixels in each direction around it.
const REACH: usize = 1;

/// Pixels of the part of a picture that is made of a cell, in each direction.
const SIDE: usize = 8;

/// Frames as a rival takes them.
fn cells(method: Method, frames: &Frames) -> TaskResult<CellExamples> {
    let (grid, images) = (frames.grid, frames.images()?);
    let points: Vec<[f32; 2]> = (0..frames.len()).flat_map(|frame| frames.sample_points(frame)).collect();
    let mut flags = vec![0.0; frames.len() * 2 * grid.len()];
    let mut on_path = vec![false; frames.len() * grid.len()];
    for (frame, shown) in frames.demonstrations.iter().enumerate() {
        for (flag, cell) in [shown.start, shown.end].into_iter().enumerate() {
            flags[(2 * frame + flag) * grid.len() + grid.number(cell)] = 1.0;
        }
        shown.path.iter().for_each(|cell| on_path[frame * grid.len() + grid.number(*cell)] = true);
    }
    let scenes = SceneCells { images, cells: grid.len(), points: &points, flags: &flags, on_path: &on_path };
    Ok(match method {
        Method::RtNet => scenes.as_pictures(SIDE)?,
        _ => scenes.as_features(REACH)?,
    })
}

/// For each frame how likely each cell is on the path; of fewer frames, if it is over before.
fn seen(rival: &dyn Rival, data: &CellExamples, is_over: &dyn Fn() -> bool) -> TaskResult<Vec<Vec<f32>>> {
    let all: Vec<usize> = (0..data.len()).collect();
    let mut rows = Vec::with_capacity(data.len());
    for some in all.chunks(BATCH).take_while(|_| !is_over()) {
        let values = rival.predict(data, some)?;
        let of_frame = |rows: &[f32]| rows.chunks_exact(2).map(|off_on| off_on[1]).collect();
        rows.extend(values.chunks_exact(2 * data.form().cells).map(of_frame));
    }
    Ok(rows)
}

/// A rival trained on frames, and what it answers on others; nothing if it was interrupted.
///
/// # Errors
/// If frames have no pictures, or training fails.
pub fn measure(
    work: &Work<'_>,
    learning: &LearningSettings,
    train: &Frames,
    test: &Frames,
) -> TaskResult<Option<(Table, Course)>> {
    let (control, seed) = (work.control, work.unit.seed);
    let is_over = || control.is_cancelled();
    let (known, held_out) = (cells(work.unit.method, train)?, cells(work.unit.method, test)?);
    let few = test.subset(&(0..test.len().min(work.bench.scale.looked_at)).collect::<Vec<_>>());
    let few_cells = cells(work.unit.method, &few)?;
    let new = || -> TaskResult<Box<dyn Rival>> {
        let mut settings = TransformerSettings {
            recurrences: work.bench.scale.frame_recurrences,
            seed,
            threads: work.bench.settings.threads,
            ..TransformerSettings::default()
        };
        if work.unit.method == Method::RtNet {
            settings.pictures = scene_layers();
        }
        Ok(Box::new(RecurrentTransformer::new(known.form(), settings)?))
    };
    let name = work.unit.method.title();
    let look = |rival: &dyn Rival| {
        let seen = seen(rival, &few_cells, &is_over)?;
        let mut figures = Figures::new();
        if seen.len() == few.len() {
            let judged = table_of_paths(name, &seen, learning, &few, &few)?;
            judged.rows.first().into_iter().for_each(|row| super::add(&mut figures, "", &row.judgement));
        }
        Ok(figures)
    };
    let how = ScheduleSettings {
        epochs: EPOCHS,
        batch: BATCH,
        seed,
        patience: PATIENCE,
        ..ScheduleSettings::default()
    };
    let Some((trained, course)) = trained_rival(work, &new, &known, how, &look)? else { return Ok(None) };
    control.stage("planning", 0);
    let seen = seen(&*trained, &held_out, &is_over)?;
    if control.is_cancelled() {
        return Ok(None);
    }
    Ok(Some((table_of_paths(name, &seen, learning, train, test)?, course)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_rivals::CellInput;
    use preceptron_tasks::driving::{Density, FrameSettings};

    #[test]
    fn cells_know_where_a_path_begins_and_ends() {
        let frames = Frames::sample(3, Density::Normal, &FrameSettings::default());
        let (grid, shown) = (frames.grid, &frames.demonstrations[1]);
        let data = cells(Method::Transformer, &frames).unwrap();
        assert_eq!((data.len(), data.form().cells, data.form().classes), (frames.len(), grid.len(), 2));
        for number in 0..grid.len() {
            let CellInput::Features(row) = data.inputs(1)[number] else { panic!("a vector") };
            let cell = grid.cell(number);
            let flags = [shown.start, shown.end].map(|end| f32::from(u8::from(end == cell)));
            assert_eq!(data.vector(row)[data.form().features - 2..], flags);
            assert_eq!(data.answers(1)[number], Some(u16::from(shown.path.contains(&cell))));
        }
        let pictures = cells(Method::RtNet, &frames).unwrap();
        assert_eq!(pictures.form().pictures.map(|shape| (shape.channels, shape.height)), Some((5, SIDE)));
    }
}
