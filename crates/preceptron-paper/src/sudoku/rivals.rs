//! The rivals on visual Sudoku: pictures of the givens go in, the digits of the other cells come out.
//!
//! They are told what we are told: which cells are given, their pictures, and the digits of all other cells. Perception
//! is judged by the classes that they give to the cells with pictures, which nobody ever tells them.

use preceptron::{Context, Scenes, Task, TaskResult, bail};
use preceptron_rivals::{
    CellExamples, CellForm, CellInput, ClusterNames, ClusterSettings, PictureClusters, RecurrentTransformer,
    RelationalNetwork, RelationalSettings, Rival, SatNetRival, SatNetRivalSettings, SatNetSettings,
    ScheduleSettings, TransformerSettings, edges_of_groups,
};
use preceptron_tasks::sudoku::{Puzzle, Sudoku, SudokuData, side};

use super::boards::{settings, tests};
use super::judged::{add, shares};
use crate::answers::most_probable;
use crate::rival_training::trained_rival;
use crate::unit::{Boards, Figures, Method};
use crate::work::{Found, Work};

/// Clusters of SATNet* for each class, and the centres of k-means that one is merged of on average.
const CLUSTERS: [usize; 2] = [2, 8];

/// How long a rival is trained: epochs and batch are those of the authors' programs. At 9x9 the transformer is at
/// chance for the first 90 epochs, and so has not come to rest when the loss has not fallen for fewer.
fn schedule(work: &Work<'_>, boards: Boards) -> ScheduleSettings {
    let (epochs, batch) = match work.unit.method {
        Method::SatNet | Method::SatNetClustered => (100, 40),
        _ => (500, 16),
    };
    let patience = if boards == Boards::Small { 15 } else { 100 };
    ScheduleSettings { epochs, batch, patience, seed: work.unit.seed, ..ScheduleSettings::default() }
}

/// A rival before training.
fn rival(work: &Work<'_>, order: usize, form: &CellForm) -> TaskResult<Box<dyn Rival>> {
    let (scale, seed, threads) = (&work.bench.scale, work.unit.seed, work.bench.settings.threads);
    Ok(match work.unit.method {
        Method::Transformer => {
            let recurrences = scale.recurrences;
            let settings =
                TransformerSettings { recurrences, seed, threads, ..TransformerSettings::default() };
            Box::new(RecurrentTransformer::new(form, settings)?)
        }
        Method::Rrn => {
            let steps = scale.messages;
            let settings = RelationalSettings { steps, seed, threads, ..RelationalSettings::default() };
            Box::new(RelationalNetwork::new(form, &edges_of_groups(&groups(order)), settings)?)
        }
        method @ (Method::SatNet | Method::SatNetClustered) => {
            // Its authors' sizes are for 9x9.
            let layer = match order {
                2 => SatNetSettings { clauses: 100, auxiliary: 50, seed, ..SatNetSettings::default() },
                _ => SatNetSettings { seed, ..SatNetSettings::default() },
            };
            let own_symbols = method == Method::SatNetClustered;
            let settings =
                SatNetRivalSettings { layer, own_symbols, threads, ..SatNetRivalSettings::default() };
            Box::new(SatNetRival::new(form, settings)?)
        }
        other => bail!("{} is not built for Sudoku", other.title()),
    })
}

/// What a rival is given in place of pictures: clusters of those that it is trained on, if it is SATNet*.
fn clusters(work: &Work<'_>, examples: &CellExamples) -> TaskResult<Option<PictureClusters>> {
    if work.unit.method != Method::SatNetClustered {
        return Ok(None);
    }
    work.control.stage("clustering pictures", 0);
    let count = CLUSTERS[0] * examples.form().classes;
    let settings = ClusterSettings {
        centres: CLUSTERS[1] * count,
        clusters: Some(count),
        seed: work.unit.seed,
        ..ClusterSettings::default()
    };
    Ok(Some(PictureClusters::learn(examples, settings)?))
}

/// How many clusters there are, and how pure: labels serve to say this, and nothing else.
fn purity(clusters: &PictureClusters, examples: &CellExamples, puzzles: &[Puzzle]) -> String {
    let (mut seen, mut shown) = (Vec::new(), Vec::new());
    for (board, puzzle) in puzzles.iter().enumerate().take(examples.len()) {
        for (input, digit) in examples.inputs(board).iter().zip(puzzle.solution.digits()) {
            if let CellInput::Symbol(cluster) = *input {
                seen.push(cluster);
                shown.push(u16::from(*digit));
            }
        }
    }
    let share = 100.0 * ClusterNames::of(&seen, &shown).purity;
    format!(
        "SATNet* has {} clusters of the pictures by k-means, merged: {share:.1}% show the digit that most of their \
         cluster do",
        clusters.count()
    )
}

/// Rows, columns and boxes: the relational network is told which cells see each other.
fn groups(order: usize) -> Vec<Vec<u32>> {
    let side = side(order);
    let of = |same: &dyn Fn(usize) -> usize| -> Vec<Vec<u32>> {
        let group =
            |number| (0..side * side).filter(move |&cell| same(cell) == number).map(|cell| cell as u32);
        (0..side).map(|number| group(number).collect()).collect()
    };
    let in_box = |cell: usize| cell / side / order * order + cell % side / order;
    [of(&|cell| cell / side), of(&|cell| cell % side), of(&in_box)].concat()
}

/// Test boards as a rival takes them.
struct Tests {
    examples: CellExamples,
    puzzles: Vec<Puzzle>,
}

impl Tests {
    fn of(data: SudokuData, clusters: Option<&PictureClusters>) -> TaskResult<Tests> {
        let examples = CellExamples::from_scenes(&data.held_out)?;
        let examples = match clusters {
            Some(clusters) => clusters.symbols(&examples)?,
            None => examples,
        };
        Ok(Tests { examples, puzzles: data.test })
    }

    /// The digits of all cells, by the rival.
    fn answers(&self, rival: &dyn Rival, is_over: &dyn Fn() -> bool) -> TaskResult<Vec<Vec<u8>>> {
        let classes = most_probable(rival, &self.examples, is_over)?;
        Ok(classes.iter().map(|cells| cells.iter().map(|class| *class as u8 + 1).collect()).collect())
    }
}

/// Measures a unit.
///
/// # Errors
/// If boards cannot be read, or training fails.
pub fn measure(work: &Work<'_>, boards: Boards) -> TaskResult<Option<Found>> {
    let (own, control) = (settings(work, boards)?, work.control);
    let data = Sudoku::data(&own, control)?;
    let (puzzles, scenes): &(_, Scenes) = data.training.as_ref().context("there are no boards")?;
    let mut examples = CellExamples::from_scenes(scenes)?;
    let (clusters, mut notes) = (clusters(work, &examples)?, Vec::new());
    if let Some(clusters) = &clusters {
        examples = clusters.symbols(&examples)?;
        notes.push(purity(clusters, &examples, puzzles));
    }
    let few = Tests::of(tests(&own, Some(work.bench.scale.looked_at), control)?, clusters.as_ref())?;
    let look = |rival: &dyn Rival| {
        let answers = few.answers(rival, &|| control.is_cancelled())?;
        let [(_, givens), _, (_, all)] = shares(&answers, &few.puzzles);
        Ok(Figures::from([("digits".to_owned(), givens[1]), ("boards".to_owned(), all[0])]))
    };
    let new = || rival(work, own.order, examples.form());
    let found = trained_rival(work, &new, &examples, schedule(work, boards), &look)?;
    let Some((trained, course)) = found else { return Ok(None) };
    let mut figures = Figures::new();
    for &set in boards.judged_on() {
        let test = Tests::of(tests(&settings(work, set)?, None, control)?, clusters.as_ref())?;
        control.stage("answering boards", 0);
        let answers = test.answers(&*trained, &|| control.is_cancelled())?;
        if control.is_cancelled() {
            return Ok(None);
        }
        let name = format!("{}.answer", set.word());
        add(&mut figures, &name, &answers, &test.puzzles);
        let digits = figures.get(&format!("{name}.perception_cells")).copied().unwrap_or(0.0);
        figures.insert(format!("{}.digits", set.word()), digits);
    }
    Ok(Some(Found { figures, course, examples: examples.len(), notes, pictures: Vec::new() }))
}

#[cfg(test)]
mod tests_of_groups {
    use super::*;

    #[test]
    fn cells_see_row_column_and_box() {
        for (order, each) in [(2, 7), (3, 20)] {
            let edges = edges_of_groups(&groups(order));
            assert_eq!(edges.len(), side(order).pow(2) * each);
            assert!(edges.contains(&[0, side(order) as u32 + 1]), "the cell below and beside");
        }
    }
}
