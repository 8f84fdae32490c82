//! Nonograms of 7x7: rules from one line of each board, and the recurrent transformer from whole boards.

use preceptron::TaskResult;
use preceptron_rivals::{
    CellExamples, CellInput, RecurrentTransformer, Rival, ScheduleSettings, TransformerSettings,
};
use preceptron_tasks::nonogram::{Board, BoardScore, NonogramLearner, NonogramSettings, Solver};
use serde_json::{Value, json};

use crate::answers::most_probable;
use crate::relay::Limited;
use crate::rival_training::trained_rival;
use crate::unit::{Figures, Method};
use crate::watched::{Seen, Watched, course_of};
use crate::work::{Bench, Found, Work};

/// Epochs of the rival's authors, boards in a step, epochs without a gain that end it.
const EPOCHS: u64 = 200;
const BATCH: usize = 16;
const PATIENCE: u64 = 30;

/// Whether boards are generated, where others are not named.
pub fn is_generated(bench: &Bench) -> bool {
    bench.settings.nonograms.is_none()
}

/// What units of nonograms depend on.
pub fn made_with(bench: &Bench) -> Value {
    let scale = &bench.scale;
    json!({
        "boards": bench.settings.nonograms, "test": scale.nonogram_test, "looked_at": scale.looked_at,
        "recurrences": scale.nonogram_recurrences,
    })
}

/// Each cell is given the numbers of its row and of its column as one-hot vectors; the answer is whether it is black.
///
/// # Errors
/// If boards are of different sizes.
fn cells(boards: &[Board]) -> TaskResult<CellExamples> {
    let (height, width) = boards.first().map_or((0, 0), |board| (board.height(), board.width()));
    // The longest line has so many numbers, of so many values.
    let longest = height.max(width);
    let (numbers, values) = (longest.div_ceil(2), longest + 1);
    let mut vectors = Vec::new();
    for board in boards {
        for cell in 0..height * width {
            for clue in [board.clues.rows.get(cell / width), board.clues.columns.get(cell % width)] {
                for at in 0..numbers {
                    let value = clue.and_then(|clue| clue.get(at)).copied().unwrap_or(0);
                    vectors.extend((0..values).map(|known| f32::from(u8::from(known == value))));
                }
            }
        }
    }
    let mut data = CellExamples::new(height * width, 2).with_features(2 * numbers * values, vectors);
    for (number, board) in boards.iter().enumerate() {
        let first = number * height * width;
        let inputs: Vec<CellInput> =
            (first..first + height * width).map(|at| CellInput::Features(at as u32)).collect();
        let answers: Vec<Option<u16>> = board.picture.iter().map(|black| Some(u16::from(*black))).collect();
        data.push(&inputs, &answers)?;
    }
    Ok(data)
}

/// Measures a unit.
///
/// # Errors
/// If boards cannot be read, or training fails.
pub fn measure(work: &Work<'_>, boards: usize) -> TaskResult<Option<Found>> {
    let settings = NonogramSettings {
        seed: work.unit.seed,
        boards: work.bench.settings.nonograms.clone(),
        train: boards,
        test: work.bench.scale.nonogram_test,
        ..NonogramSettings::default()
    };
    match work.unit.method {
        Method::Ours => rules(work, &settings),
        _ => transformer(work, &settings),
    }
}

/// Rules, and how they solve.
fn rules(work: &Work<'_>, settings: &NonogramSettings) -> TaskResult<Option<Found>> {
    let (data, control) = (settings.data()?, work.control);
    let few = &data.test[..data.test.len().min(work.bench.scale.looked_at)];
    let look = |learner: &mut NonogramLearner<'_>| {
        let silent = Limited::silent(control);
        let score = BoardScore::of(&Solver::new(&learner.rules())?, few, &silent)?;
        Ok(Figures::from([("boards".to_owned(), score.right as f64 / score.boards.max(1) as f64)]))
    };
    let inner = Box::new(NonogramLearner::new(&data.lines, settings.seed));
    let (budget, seen) = (work.budget(), Seen::default());
    let mut schedule = Watched { inner, budget, epoch_of_step: 0.0, look: Box::new(look), seen };
    let Some(model) = work.train(&mut schedule)? else { return Ok(None) };
    let score = BoardScore::of(&Solver::new(&model.rules)?, &data.test, control)?;
    if control.is_cancelled() {
        return Ok(None);
    }
    let share = score.right as f64 / score.boards.max(1) as f64;
    let (course, examples) = (course_of(&model)?, data.lines.len());
    let figures = Figures::from([("boards".to_owned(), share)]);
    let notes = vec!["one line of each board is seen".to_owned()];
    Ok(Some(Found { figures, course, examples, notes, pictures: Vec::new() }))
}

/// The recurrent transformer, told whole boards.
fn transformer(work: &Work<'_>, settings: &NonogramSettings) -> TaskResult<Option<Found>> {
    let (scale, control) = (&work.bench.scale, work.control);
    let (train, test) = settings.whole_boards()?;
    let train: Vec<Board> = train.into_iter().map(|(_, board)| board).collect();
    let (known, held_out) = (cells(&train)?, cells(&test)?);
    let few = cells(&test[..test.len().min(scale.looked_at)])?;
    let new = || -> TaskResult<Box<dyn Rival>> {
        let settings = TransformerSettings {
            recurrences: scale.nonogram_recurrences,
            seed: settings.seed,
            threads: work.bench.settings.threads,
            ..TransformerSettings::default()
        };
        Ok(Box::new(RecurrentTransformer::new(known.form(), settings)?))
    };
    let shares = |rival: &dyn Rival, data: &CellExamples| -> TaskResult<Figures> {
        let answers = most_probable(rival, data, &|| control.is_cancelled())?;
        let is_right = |(at, cells): (usize, &Vec<usize>)| {
            let truth = data.answers(at).iter().map(|answer| answer.map(usize::from));
            truth.zip(cells).filter(|(truth, cell)| *truth == Some(**cell)).count()
        };
        let counts: Vec<usize> = answers.iter().enumerate().map(is_right).collect();
        let (boards, each) = (answers.len().max(1) as f64, data.form().cells);
        let whole = counts.iter().filter(|count| **count == each).count() as f64;
        let right = counts.iter().sum::<usize>() as f64;
        let cells = ("cells".to_owned(), right / boards / each.max(1) as f64);
        Ok(Figures::from([("boards".to_owned(), whole / boards), cells]))
    };
    let how = ScheduleSettings {
        epochs: EPOCHS,
        batch: BATCH,
        seed: settings.seed,
        patience: PATIENCE,
        ..ScheduleSettings::default()
    };
    let look = |rival: &dyn Rival| shares(rival, &few);
    let Some((trained, course)) = trained_rival(work, &new, &known, how, &look)? else { return Ok(None) };
    control.stage("answering boards", 0);
    let figures = shares(&*trained, &held_out)?;
    if control.is_cancelled() {
        return Ok(None);
    }
    let examples = known.len();
    let notes = vec!["whole boards are seen".to_owned()];
    Ok(Some(Found { figures, course, examples, notes, pictures: Vec::new() }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_tasks::nonogram::generated;

    #[test]
    fn cells_know_the_clues_of_their_lines() {
        let boards = generated(7, 2, 1);
        let data = cells(&boards).unwrap();
        assert_eq!((data.len(), data.form().cells, data.form().features), (2, 49, 64));
        let CellInput::Features(number) = data.inputs(1)[10] else { panic!("a vector") };
        let vector = data.vector(number);
        let value = |at: usize| vector[at * 8..][..8].iter().position(|v| *v == 1.0).unwrap();
        let clue =
            |clue: &Vec<usize>| (0..4).map(|at| clue.get(at).copied().unwrap_or(0)).collect::<Vec<_>>();
        assert_eq!((0..4).map(value).collect::<Vec<_>>(), clue(&boards[1].clues.rows[1]));
        assert_eq!((4..8).map(value).collect::<Vec<_>>(), clue(&boards[1].clues.columns[3]));
        let picture: Vec<_> = boards[1].picture.iter().map(|black| Some(u16::from(*black))).collect();
        assert_eq!(data.answers(1), picture);
    }
}
