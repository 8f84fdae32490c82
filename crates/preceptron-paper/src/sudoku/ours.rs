//! Our schedules on visual Sudoku: in stages, and Algorithm 1 with its ablations.
//!
//! Joint training is judged twice: by the rules that examples confirm, and by its rows as they are, rounded. Where wrong
//! rows contradict each other a board can take long; such judging ends after a while, with the boards that were answered.

use preceptron::{Case, Model, Schedule, Task, TaskResult, TrainError, Views, read};
use preceptron_base::Control;
use preceptron_tasks::sudoku::{Decoding, Judge, Sudoku, SudokuData, SudokuEvaluation, SudokuSettings};

use super::boards::{settings, tests};
use super::judged::{add_judgement, add_rules, rows};
use crate::relay::Silent;
use crate::unit::{Boards, Course, Figures, Status};
use crate::watched::{Seen, Watched, course_of};
use crate::work::{Found, Work};

/// The boards of a look are solved for so many seconds at the most.
const LOOK: f64 = 10.0;

/// The same when rows are judged as they are: with a quick look, and otherwise.
const ROWS: [f64; 2] = [4.0, 300.0];

/// Measures a unit.
///
/// # Errors
/// If boards cannot be read, or training fails.
pub fn measure(work: &Work<'_>, boards: Boards) -> TaskResult<Option<Found>> {
    let (own, control) = (settings(work, boards)?, work.control);
    let data = Sudoku::data(&own, control)?;
    let few = tests(&own, Some(work.bench.scale.looked_at), control)?;
    let Some((puzzles, scenes)) = &data.training else { return Ok(None) };
    let sights: usize = (0..scenes.len()).map(|board| scenes.sights(board).len()).sum();
    let epoch_of_step = match own.is_joint() {
        true => own.joint.batch as f64 / scenes.len() as f64,
        false => own.network().batch() as f64 / sights.max(1) as f64,
    };
    let look = |schedule: &mut (dyn Schedule + '_)| look(schedule, &own, &few, control);
    let (budget, seen) = (work.budget(), Seen::default());
    let inner = Sudoku::schedule(&own, &data)?;
    let mut schedule = Watched { inner, budget, epoch_of_step, look: Box::new(look), seen };
    let model = match work.train(&mut schedule) {
        Err(error) if is_without_rules(&error) => {
            return Ok(Some(nothing(puzzles.len(), &error.to_string())));
        }
        model => model?,
    };
    let Some(model) = model else { return Ok(None) };
    let mut figures = Figures::new();
    add_rules(&mut figures, "rules", own.order, model.rules.constraints());
    let mut notes = Vec::new();
    for &set in boards.judged_on() {
        let test = tests(&settings(work, set)?, None, control)?;
        let Some(judged) = judged(&own, &model, &test, "likeliest,pinned", control)? else { return Ok(None) };
        add_judgement(&mut figures, set.word(), &judged, &test.test);
        if let Some(rules) = rows(&model, own.order) {
            add_rules(&mut figures, "rows", own.order, rules.constraints());
            let name = format!("{}.rows", set.word());
            let is_same = rules.constraints().eq(model.rules.constraints());
            let bare = Model { rules, ..model.clone() };
            let limit = Silent::within(control, ROWS[usize::from(!work.bench.scale.is_quick)]);
            let of_rows = match is_same {
                true => Some(judged),
                false => judged_in_time(&own, &bare, &test, &limit)?,
            };
            if control.is_cancelled() {
                return Ok(None);
            }
            let Some(of_rows) = of_rows else { continue };
            add_judgement(&mut figures, &name, &of_rows, &test.test);
            let answered = of_rows.solved.iter().map(|solved| solved.answers.len()).max().unwrap_or(0);
            if answered < test.test.len() {
                let all = test.test.len();
                notes.push(format!(
                    "by rows as they are {answered} of {all} boards of {} were answered in time",
                    set.word()
                ));
            }
        }
    }
    if control.is_cancelled() {
        return Ok(None);
    }
    let course = course_of(&model)?;
    Ok(Some(Found { figures, course, examples: puzzles.len(), notes, pictures: Vec::new() }))
}

/// Whether training ended since no rule says what a picture shows.
fn is_without_rules(error: &preceptron::TaskError) -> bool {
    let error = error.source().and_then(|error| error.downcast_ref::<TrainError>());
    matches!(error, Some(TrainError::NoRules(_) | TrainError::NothingGrounded(_)))
}

/// What there is to say of such training.
fn nothing(examples: usize, why: &str) -> Found {
    let course = Course { status: Status::Nothing, epochs: Some(0.0), cpu_seconds: 0.0, curve: Vec::new() };
    Found { figures: Figures::new(), course, examples, notes: vec![why.to_owned()], pictures: Vec::new() }
}

/// How a model answers boards; nothing if it was interrupted.
fn judged(
    settings: &SudokuSettings,
    model: &Model,
    data: &SudokuData,
    modes: &str,
    control: &dyn Control,
) -> TaskResult<Option<preceptron_tasks::sudoku::Judgement>> {
    let judgement = judged_in_time_by(settings, model, data, modes, control)?;
    Ok(judgement.filter(|_| !control.is_cancelled()))
}

/// The same for as long as there is time, with the first guess pinned.
fn judged_in_time(
    settings: &SudokuSettings,
    model: &Model,
    data: &SudokuData,
    control: &dyn Control,
) -> TaskResult<Option<preceptron_tasks::sudoku::Judgement>> {
    judged_in_time_by(settings, model, data, "pinned", control)
}

fn judged_in_time_by(
    settings: &SudokuSettings,
    model: &Model,
    data: &SudokuData,
    modes: &str,
    control: &dyn Control,
) -> TaskResult<Option<preceptron_tasks::sudoku::Judgement>> {
    let mut how = SudokuEvaluation::default();
    preceptron_base::Settings::set(&mut how, "modes", modes)?;
    let judgement = Sudoku::score(Case::<Sudoku> { settings, model, data }, &how, control)?;
    Ok((judgement.boards > 0).then_some(judgement))
}

/// What is seen of training on its way: digits read right, boards solved, and rows that are rules of Sudoku.
fn look(
    schedule: &mut dyn Schedule,
    settings: &SudokuSettings,
    few: &SudokuData,
    control: &dyn Control,
) -> TaskResult<Figures> {
    let mut figures = Figures::new();
    let model = schedule.so_far()?;
    add_rules(&mut figures, "rules", settings.order, model.rules.constraints());
    if let Some(rules) = rows(&model, settings.order) {
        add_rules(&mut figures, "rows", settings.order, rules.constraints());
    }
    let Some(perception) = schedule.perception() else { return Ok(figures) };
    let all: Vec<usize> = (0..few.held_out.len()).collect();
    let readings = read(&few.held_out, perception, &all)?;
    let sights =
        all.iter().flat_map(|&board| few.held_out.sights(board).iter().map(move |sight| (board, sight)));
    let truth = sights.map(|(board, sight)| few.test[board].solution.digits()[sight.place as usize]);
    let (mut right, mut givens) = (0usize, 0usize);
    for (read, truth) in readings.most_probable().zip(truth) {
        givens += 1;
        right += usize::from(read + 1 == usize::from(truth));
    }
    figures.insert("digits".to_owned(), right as f64 / givens.max(1) as f64);
    let solved = match model.rules.is_empty() {
        true => 0.0,
        false => {
            let judge = Judge {
                scenes: &few.held_out,
                puzzles: &few.test,
                perception,
                views: Views::One,
                rules: &model.rules,
                decodings: &[Decoding::Likeliest],
                confidence_at: None,
                threads: settings.threads,
            };
            let judgement = judge.judge(&Silent::within(control, LOOK))?;
            judgement.solved.first().map_or(0.0, |one| one.boards as f64 / one.answers.len().max(1) as f64)
        }
    };
    figures.insert("boards".to_owned(), solved);
    Ok(figures)
}
