//! Our schedules on visual Sudoku: in stages, and Algorithm 1 with its ablations.
//!
//! Joint training is judged twice: by the rules that examples confirm, and by its rows as they are, rounded. Where rows
//! that are wrong or few leave much open a board can take long; judging ends after a while, with the boards that were
//! answered.

use preceptron::{Case, Model, Schedule, Task, TaskResult, TrainError, Views, read};
use preceptron_base::Control;
use preceptron_tasks::sudoku::{Decoding, Judge, Sudoku, SudokuData, SudokuEvaluation, SudokuSettings};

use super::boards::{settings, tests};
use super::judged::{add_judgement, add_rules, rows};
use crate::relay::Limited;
use crate::unit::{Boards, Course, Figures, Status};
use crate::watched::{Seen, Watched, course_of};
use crate::work::{Found, Work};

/// The boards of a look are solved for so many seconds at the most.
const LOOK: f64 = 10.0;

/// The same for each judgement in the end: with a quick look, and otherwise.
const JUDGING: [f64; 2] = [10.0, 600.0];

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
        let judge = |model: &Model, modes: &str| {
            let limit = Limited::within(control, JUDGING[usize::from(!work.bench.scale.is_quick)]);
            judged(&own, model, &test, modes, &limit)
        };
        let found = judge(&model, "likeliest,pinned")?;
        let of_rows = match rows(&model, own.order) {
            Some(rules) => {
                add_rules(&mut figures, "rows", own.order, rules.constraints());
                let is_same = rules.constraints().eq(model.rules.constraints());
                if is_same { found.clone() } else { judge(&Model { rules, ..model.clone() }, "pinned")? }
            }
            None => None,
        };
        if control.is_cancelled() {
            return Ok(None);
        }
        for (judged, name, words) in [(found, "", ""), (of_rows, ".rows", " by rows as they are")] {
            let Some(judged) = judged else { continue };
            add_judgement(&mut figures, &format!("{}{name}", set.word()), &judged, &test.test);
            let answered = judged.solved.iter().map(|solved| solved.answers.len()).min().unwrap_or(0);
            if answered < test.test.len() {
                let all = test.test.len();
                let set = set.word();
                notes.push(format!("{answered} of {all} boards of {set} were answered in time{words}"));
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

/// How a model answers boards, as many as it can until `control` says to stop; nothing if that is none.
fn judged(
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
            let judgement = judge.judge(&Limited::silent_within(control, LOOK))?;
            judgement.solved.first().map_or(0.0, |one| one.boards as f64 / one.answers.len().max(1) as f64)
        }
    };
    figures.insert("boards".to_owned(), solved);
    Ok(figures)
}
