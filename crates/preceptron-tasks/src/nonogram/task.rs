//! Nonograms as a task.

use std::path::{Path, PathBuf};

use preceptron::page::{Block, Drawing, Figure, Section};
use preceptron::{
    AnyAction, Asking, Case, Model, Report, Schedule, Shown, Task, TaskError, TaskResult, Verb, bail,
    check_new, ensure, write_new,
};
use preceptron_base::{Control, settings};
use preceptron_logic::{Problem, RuleSet};
use preceptron_reason::Limits;

use super::{
    ASSUMED, AuthorsLearner, Board, BoardScore, Encoding, Nonogram, NonogramData, NonogramLearner,
    NonogramSettings, Solved, Solver, bench, draw_board, generated, page_board, parse_lines, read_boards,
    read_clues, show, svg_board,
};

/// Nonograms.
pub struct Nonograms;

/// The most rows and columns of a board that is put in by hand.
const MOST_LINES: usize = 100;

/// Boards that are drawn on the page.
const DRAWN: usize = 6;

settings! {
    /// Which boards to solve.
    pub struct NonogramEvaluation {
        /// How many boards [default: all; 200 of --side].
        count: Option<usize> = None, "N" in 1..=1_000_000;
        /// Boards from a file of lines `clues,cells`.
        boards: Option<PathBuf> = None, "FILE";
        /// Generated boards of so many rows and columns.
        side: Option<usize> = None, "N" in 1..=60;
        /// The seed that generated boards are drawn by [default: the run's].
        seed: Option<u64> = None, "N";
    }
}

settings! {
    /// Clues: where rules of nonograms are put.
    pub struct Clues {
        /// The clues of the rows: `/` between rows, blanks between runs.
        rows: Option<String> = None, "CLUES";
        /// The clues of the columns.
        columns: Option<String> = None, "CLUES";
        /// A file with the clues of one board: of the columns, then of the rows, with `/` between them, and `;`
        /// between columns and rows of a board that is not square.
        clues: Option<PathBuf> = None, "FILE";
    }
}

settings! {
    /// A board to solve.
    pub struct NonogramInput {
        /// Up to so many pictures.
        all: Option<usize> = None, "N" in 1..=1_000_000;
        /// Draw the board, as PNG or SVG.
        out: Option<PathBuf> = None, "FILE.png";
        /// Overwrite the file.
        force: bool = false;
    }
    with { clues: Clues }
}

impl Clues {
    /// The clues of the board.
    fn board(&self) -> TaskResult<Nonogram> {
        let clues = match (&self.clues, &self.rows, &self.columns) {
            (Some(file), None, None) => read_clues(file)?,
            (None, Some(rows), Some(columns)) => {
                let lines = |text: &str, noun: &str| {
                    parse_lines(text, noun).map_err(|what| TaskError::new(format!("--{noun}s: {what}")))
                };
                Nonogram { rows: lines(rows, "row")?, columns: lines(columns, "column")? }
            }
            (Some(_), ..) => bail!("--clues goes without --rows and --columns"),
            (None, None, None) => bail!(
                "rules of nonograms hold for any board; say its clues with --rows and --columns, or --clues"
            ),
            _ => bail!("--rows and --columns go together"),
        };
        let most = clues.rows.len().max(clues.columns.len());
        ensure!(most <= MOST_LINES, "a board of {most} lines is larger than {MOST_LINES}");
        Ok(clues)
    }
}

/// How boards were solved, by method; one without a name if there is only one.
pub type Scores = Vec<(String, BoardScore)>;

impl Task for Nonograms {
    const NAME: &'static str = "nonogram";
    const ABOUT: &'static str =
        "Nonograms: from each training board one row or one column is seen; whole boards are solved.";
    const FREE: &'static [&'static str] = &[];

    type Settings = NonogramSettings;
    type Evaluation = NonogramEvaluation;
    type Input = NonogramInput;
    type Domain = Clues;
    type Data = NonogramData;
    type Score = Scores;

    fn help(verb: Verb) -> &'static str {
        match verb {
            Verb::Train => {
                "\
Examples:
  precept train nonogram
  precept train nonogram --boards nonograms_7.csv.xz --train 9000 --test 1000
  precept solve runs/nonogram-0 --rows '3/1 1/3' --columns '3/1 1/3'

A file of boards has a line for each: the clues of the columns, then of the rows, with / between lines and
. between runs, a comma, and the cells row by row as 0 and 1. It can be compressed (.xz, .gz)."
            }
            Verb::Eval => "Example:\n  precept eval runs/nonogram-0 --side 20 --count 50",
            Verb::Solve => {
                "\
Example:
  precept solve runs/nonogram-0 --rows '3/1 1/3' --columns '3/1 1/3' --out board.svg"
            }
            Verb::Ground => {
                "Example:\n  precept export runs/nonogram-0 --rows '3/1 1/3' --columns '3/1 1/3' --format cnf"
            }
        }
    }

    fn run_name(settings: &NonogramSettings) -> String {
        format!("nonogram-{}", settings.seed)
    }

    fn misplaced(settings: &NonogramSettings, flag: &str) -> Option<&'static str> {
        (flag == "side" && settings.boards.is_some()).then_some("generated boards, without --boards")
    }

    fn settle(settings: &mut NonogramSettings) -> TaskResult<()> {
        settings.boards = settings.boards.as_deref().map(std::path::absolute).transpose()?;
        Ok(())
    }

    fn data(settings: &NonogramSettings, _control: &dyn Control) -> TaskResult<NonogramData> {
        Ok(settings.data()?)
    }

    fn schedule<'a>(
        settings: &NonogramSettings,
        data: &'a NonogramData,
    ) -> TaskResult<Box<dyn Schedule + 'a>> {
        Ok(match settings.encoding {
            Encoding::Lines => Box::new(NonogramLearner::new(&data.lines, settings.seed)),
            Encoding::Authors => Box::new(AuthorsLearner::new(&data.lines, settings.seed)),
        })
    }

    fn held_out(
        settings: &NonogramSettings,
        how: &NonogramEvaluation,
        _control: &dyn Control,
    ) -> TaskResult<NonogramData> {
        let seed = how.seed.unwrap_or(settings.seed);
        let mut data = match (&how.boards, how.side) {
            (Some(_), Some(_)) => bail!("--boards and --side are two kinds of boards"),
            (Some(file), None) => NonogramData { lines: Vec::new(), test: read_boards(file)? },
            (None, Some(side)) => {
                NonogramData { lines: Vec::new(), test: generated(side, how.count.unwrap_or(200), seed) }
            }
            (None, None) => NonogramSettings { seed, ..settings.clone() }.data()?,
        };
        data.test.truncate(how.count.unwrap_or(usize::MAX));
        Ok(data)
    }

    fn score(
        case: Case<'_, Nonograms>,
        _how: &NonogramEvaluation,
        control: &dyn Control,
    ) -> TaskResult<Scores> {
        let score = |rules: &RuleSet| -> TaskResult<BoardScore> {
            Ok(BoardScore::of(&Solver::new(rules)?, &case.data.test, control)?)
        };
        match case.model.methods.is_empty() {
            true => Ok(vec![(String::new(), score(&case.model.rules)?)]),
            false => case
                .model
                .methods
                .iter()
                .rev()
                .map(|(name, rules)| Ok((name.clone(), score(rules)?)))
                .collect(),
        }
    }

    fn show(
        case: Case<'_, Nonograms>,
        _how: &NonogramEvaluation,
        scores: &Scores,
        trained: Option<&Report>,
    ) -> TaskResult<Shown> {
        show::shown(case, scores, trained)
    }

    fn next(_settings: &NonogramSettings) -> Vec<String> {
        let next = [
            "precept eval {run} --side 15 --count 20",
            "precept rules {run}",
            "precept solve {run} --rows '3/1 1/3' --columns '3/1 1/3'",
        ];
        next.map(str::to_owned).into()
    }

    fn solve(
        _settings: &NonogramSettings,
        model: &Model,
        input: &NonogramInput,
        asking: &Asking,
        _control: &dyn Control,
    ) -> TaskResult<Shown> {
        let clues = input.clues.board()?;
        let is_svg = input.out.as_deref().map(drawn_as_svg).transpose()?;
        input.out.as_deref().map(|path| check_new(path, input.force)).transpose()?;
        let solver = Solver::new(&model.rules)?.with_limits(asking.limits.clone());
        // One more than asked for tells whether there are others.
        let wanted = input.all.unwrap_or(1);
        let solved = solver.solve(&clues, wanted.saturating_add(1))?;
        let mut drawn = None;
        if let (Solved::Pictures(pictures, _), Some(path), Some(is_svg)) = (&solved, &input.out, is_svg) {
            let (width, picture) = (clues.columns.len(), &pictures[0]);
            let file = match is_svg {
                true => svg_board(width, picture).into_bytes(),
                false => draw_board(width, picture).to_png()?,
            };
            write_new(path, input.force, &file)?;
            drawn = Some(path.as_path());
        }
        Ok(show::solved(&clues, &solved, wanted, drawn)?)
    }

    fn ground(_settings: &NonogramSettings, model: &Model, clues: &Clues) -> TaskResult<Problem> {
        Ok(Solver::new(&model.rules)?.problem(&clues.board()?))
    }

    fn rules(_settings: &NonogramSettings, rules: &RuleSet) -> TaskResult<Option<Shown>> {
        show::rules(rules).map(Some)
    }

    fn assumptions(_settings: &NonogramSettings, _how: &NonogramEvaluation) -> Vec<String> {
        ASSUMED.iter().map(|&assumed| assumed.to_owned()).collect()
    }

    fn sections(case: Case<'_, Nonograms>, scores: &Scores) -> TaskResult<Vec<Section>> {
        let rows = scores.iter().map(|(name, score)| {
            let name = if name.is_empty() { "the rules learned" } else { name };
            let BoardScore { boards, right, several, wrong, none } = *score;
            let numbers = [boards, right, several, wrong, none].map(|number| number.to_string());
            [name.to_owned()].into_iter().chain(numbers).collect()
        });
        let first = scores.first().map(|(_, score)| *score).unwrap_or_default();
        let titles = ["", "boards", "solved", "several pictures", "wrong", "none"].map(str::to_owned).into();
        let figure = Figure::new(
            preceptron::page::percent(first.right, first.boards, 1),
            "of boards solved",
            format!(
                "{} of {}; their picture is the only one that the rules allow",
                first.right, first.boards
            ),
        );
        let top = vec![Block::Figures(vec![figure]), Block::Table { titles, rows: rows.collect() }];
        let mut drawings = Vec::new();
        let solver = Solver::new(&case.model.rules)?.with_limits(Limits::default());
        for (number, Board { clues, .. }) in case.data.test.iter().enumerate().take(DRAWN) {
            if let Solved::Pictures(pictures, _) = solver.solve(clues, 1)? {
                let remark = format!("Board {} of those held out, as the rules solve it", number + 1);
                let svg = page_board(clues.columns.len(), &pictures[0], &remark);
                drawings.push(Drawing { svg, notes: vec![remark], ..Drawing::default() });
            }
        }
        let mut sections = vec![
            Section::new("", top),
            Section::new("The rules", show::rule_blocks(&case.model.rules, case.settings.encoding)),
        ];
        if !drawings.is_empty() {
            sections.push(Section::new("Boards", vec![Block::Drawings(drawings)]));
        }
        Ok(sections)
    }

    fn actions() -> &'static [&'static dyn AnyAction] {
        &[&bench::Sizes]
    }
}

/// Whether a board is to be drawn as SVG.
fn drawn_as_svg(path: &Path) -> TaskResult<bool> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("svg") => Ok(true),
        Some("png") => Ok(false),
        _ => bail!("{}: a board is drawn as .png or .svg", path.display()),
    }
}
