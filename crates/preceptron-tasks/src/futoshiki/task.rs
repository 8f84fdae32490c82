//! Visual Futoshiki as a task.

use std::ops::{ControlFlow, RangeInclusive};
use std::path::{PathBuf, absolute};
use std::sync::Arc;
use std::time::Duration;

use preceptron::page::{
    Block, Drawing, Figure, ReadPicture, Section, found_families, percent, png_address, reader_section,
    rules_section,
};
use preceptron::words::{list_families, text};
use preceptron::{
    AnyAction, Asking, Case, Context, Model, Report, RuleLearner, Scenes, Schedule, Shown, Staged,
    StagedSettings, Task, TaskError, TaskResult, Verb, Views, bail, check_new_png, ensure, read_in,
    read_while, write_new,
};
use preceptron_base::{Control, settings};
use preceptron_learn::{Checked, Examples};
use preceptron_logic::{Problem, RuleSet, Variables, lift};
use preceptron_reason::{Backend, Limits, work_in_blocks};
use serde_json::json;

use super::{
    ASSUMED, Face, Mark, Puzzle, SolvedBoard, Spread, SvgCell, actions, answer, board_text, draw_for_print,
    learn_rules, pictures, puzzles, read_board, read_file, scenes, svg, test_scenes, true_rules,
};
use crate::digit_network::{DeviceName, DigitNetwork, LossName, NetworkName};
use crate::mnist::Mnist;
use crate::picture::Picture;

/// Visual Futoshiki.
pub struct Futoshiki;

/// How long reading and solving one board may take together, unless another time is asked for.
const TIME: Duration = Duration::from_secs(10);

/// Boards that are drawn on the page, right ones and wrong ones.
const DRAWN: usize = 6;

settings! {
    /// What a run of visual Futoshiki is made with.
    pub struct FutoshikiSettings {
        /// Boards from a file of lines `givens,signs,solution`, also .xz and .gz; the last ones are for tests
        /// [default: boards are generated].
        boards: Option<PathBuf> = None, "FILE";
        /// Rows, columns and digits of generated boards.
        side: usize = 5, "N" in 4..=7;
        /// How many boards to train on.
        train: usize = 1000, "N" in 1..=10_000_000;
        /// How many boards to test on.
        test: usize = 300, "N" in 1..=10_000_000;
        /// How many givens generated boards have [default: 8-12 at side 5].
        givens: Option<RangeInclusive<usize>> = None, "FROM-TO";
        /// How many signs generated boards have [default: 8-14 at side 5].
        signs: Option<RangeInclusive<usize>> = None, "FROM-TO";
        /// Steps of the network's training.
        steps: u64 = 800, "N" in 4..=1_000_000;
        /// The network.
        network: NetworkName = NetworkName::Cnn, "NAME";
        section "Other data";
        /// A folder with another copy of MNIST.
        mnist: Option<PathBuf> = None, "DIR";
        /// The seed of all random choices.
        seed: u64 = 0, "N";
        /// Threads; they do not change the result.
        threads: usize = 2, "N" in 1..=64;
    }
}

settings! {
    /// Which boards are read and solved.
    pub struct FutoshikiEvaluation {
        /// How many boards [default: as many as the run tests on].
        count: Option<usize> = None, "N" in 1..=1_000_000;
        /// Other boards than the run's, from a file of lines `givens,signs,solution`.
        boards: Option<PathBuf> = None, "FILE";
        /// Look at each picture once, not also moved by a pixel to each side (test-time augmentation).
        one_look: bool = false;
        /// The seed that pictures are chosen by [default: the run's].
        seed: Option<u64> = None, "N";
    }
}

settings! {
    /// A board to solve.
    pub struct FutoshikiInput {
        /// The board: its givens row by row, 0 for a blank, a comma, and its signs, such as
        /// `2000000000000000,r1c1<r1c2 r3c2<r2c2`; the givens are shown to the network as pictures for tests.
        board: Option<String> = None, "<BOARD>";
        /// Draw the solved board.
        out: Option<PathBuf> = None, "FILE.png";
        /// Overwrite the file.
        force: bool = false;
    }
}

impl FutoshikiSettings {
    fn spread(&self) -> TaskResult<Spread> {
        let mut spread = Spread::of_side(self.side)?;
        spread.givens = self.givens.clone().unwrap_or(spread.givens);
        spread.signs = self.signs.clone().unwrap_or(spread.signs);
        spread.check(self.side)?;
        Ok(spread)
    }

    fn digit_network(&self) -> DigitNetwork {
        DigitNetwork {
            name: self.network,
            members: 1,
            digits: self.side,
            loss: LossName::CrossEntropy,
            steps: Some(self.steps),
            seed: self.seed,
            threads: self.threads,
            transformer: (32, DeviceName::Cpu),
        }
    }

    fn mnist(&self) -> TaskResult<Mnist> {
        Ok(self.mnist.as_deref().map(Mnist::read).transpose()?.unwrap_or_else(Mnist::embedded))
    }

    /// The boards to train on, and those to test on.
    fn puzzles(&self, control: &dyn Control) -> TaskResult<(Vec<Puzzle>, Vec<Puzzle>)> {
        let (train, test) = (self.train, self.test);
        let mut all = match &self.boards {
            None => puzzles(self.side, &self.spread()?, train + test, self.seed, control)?,
            Some(file) => read_file(file)?,
        };
        ensure!(!control.is_cancelled(), "interrupted before all boards were drawn");
        if let Some(file) = &self.boards {
            let found = all.len();
            ensure!(
                train + test <= found,
                "{}: {found} boards; {train} to train on and {test} to test on are asked for",
                file.display()
            );
            if let Some(other) = all.iter().find(|puzzle| puzzle.side != self.side) {
                bail!("{}: a board of side {}; see --side", file.display(), other.side);
            }
            all.drain(train..found - test);
        }
        let test = all.split_off(train);
        Ok((all, test))
    }
}

/// Boards with pictures.
pub struct FutoshikiData {
    /// The boards to train on; none where boards are only to be tested on.
    pub training: Option<Scenes>,
    /// The boards to test on.
    pub test: Vec<Puzzle>,
    /// The same with their pictures.
    pub held_out: Scenes,
}

/// How boards were read and solved.
pub struct FutoshikiScore {
    /// Pictures of givens, and those that were read right.
    pub givens: [usize; 2],
    /// Boards of which every given was read right.
    pub boards_read: usize,
    /// Boards of which every cell is right, by the likeliest board that obeys the rules.
    pub boards_right: usize,
    /// What was read in each picture of a given.
    pub pictures: Vec<ReadPicture>,
    /// For each board its answer, if there is one.
    pub answers: Vec<Option<SolvedBoard>>,
}

/// Rules over cells by the general learner, what signs say from all places together.
struct BoardRules(usize, Checked);

impl RuleLearner for BoardRules {
    fn learn(&self, _variables: &Variables, examples: &Examples, control: &dyn Control) -> RuleSet {
        learn_rules(self.0, examples, &self.1, control)
    }
}

impl FutoshikiEvaluation {
    /// How often each picture is looked at.
    fn views(&self) -> Views {
        if self.one_look { Views::One } else { Views::Five }
    }
}

impl Task for Futoshiki {
    const NAME: &'static str = "futoshiki";
    const ABOUT: &'static str = "Visual Futoshiki: Latin squares with signs between some neighbours, whose givens are \
                                 pictures. The signs are known; nobody says what a picture shows, or what a sign means.";

    type Settings = FutoshikiSettings;
    type Evaluation = FutoshikiEvaluation;
    type Input = FutoshikiInput;
    type Domain = ();
    type Data = FutoshikiData;
    type Score = FutoshikiScore;

    fn help(verb: Verb) -> &'static str {
        match verb {
            Verb::Train => {
                "\
Examples:
  precept train futoshiki
  precept train futoshiki --side 6 --train 3000 --out runs/six
  precept data futoshiki generate --count 2500 --out boards.csv
  precept train futoshiki --boards boards.csv --train 2000 --test 500"
            }
            Verb::Eval => "Example:\n  precept eval runs/futoshiki-0 --count 100 --seed 1",
            Verb::Solve => {
                "Example:\n  precept solve runs/futoshiki-0 \
                 '0030000500000020000041000,r1c1<r1c2 r2c3<r3c3' --out solved.png"
            }
            Verb::Ground => "",
        }
    }

    fn run_name(settings: &FutoshikiSettings) -> String {
        format!("futoshiki-{}", settings.seed)
    }

    fn misplaced(settings: &FutoshikiSettings, flag: &str) -> Option<&'static str> {
        let is_of_generator = ["givens", "signs"].contains(&flag);
        (is_of_generator && settings.boards.is_some()).then_some("generated boards, without --boards")
    }

    fn settle(settings: &mut FutoshikiSettings) -> TaskResult<()> {
        for path in [&mut settings.boards, &mut settings.mnist] {
            *path = path.as_deref().map(absolute).transpose()?;
        }
        settings.spread()?;
        settings.digit_network().check()
    }

    fn data(settings: &FutoshikiSettings, control: &dyn Control) -> TaskResult<FutoshikiData> {
        let ((train, test), mnist) = (settings.puzzles(control)?, settings.mnist()?);
        let training = Some(scenes(settings.side, &train, &mnist.train, settings.seed)?);
        let held_out = test_scenes(settings.side, &test, &mnist.test, settings.seed)?;
        Ok(FutoshikiData { training, test, held_out })
    }

    fn schedule<'a>(
        settings: &FutoshikiSettings,
        data: &'a FutoshikiData,
    ) -> TaskResult<Box<dyn Schedule + 'a>> {
        let scenes = data.training.as_ref().context("there are no boards to train on")?;
        let network = settings.digit_network();
        let staged = StagedSettings {
            steps: settings.steps,
            batch: network.batch(),
            seed: settings.seed,
            threads: settings.threads,
            ..StagedSettings::default()
        };
        let learner = BoardRules(settings.side, super::settings(settings.seed));
        Ok(Box::new(Staged::new(scenes, network.build()?, staged, learner)))
    }

    fn held_out(
        settings: &FutoshikiSettings,
        how: &FutoshikiEvaluation,
        control: &dyn Control,
    ) -> TaskResult<FutoshikiData> {
        let mut test = match &how.boards {
            Some(file) => read_file(file)?,
            None => settings.puzzles(control)?.1,
        };
        if let Some(other) = test.iter().find(|puzzle| puzzle.side != settings.side) {
            bail!("a board of side {}, where the run is of {}", other.side, settings.side);
        }
        test.truncate(how.count.unwrap_or(usize::MAX));
        let seed = how.seed.unwrap_or(settings.seed);
        let held_out = test_scenes(settings.side, &test, &settings.mnist()?.test, seed)?;
        Ok(FutoshikiData { training: None, test, held_out })
    }

    fn score(
        case: Case<'_, Futoshiki>,
        how: &FutoshikiEvaluation,
        control: &dyn Control,
    ) -> TaskResult<FutoshikiScore> {
        let FutoshikiData { test, held_out, .. } = case.data;
        let mut network = case.settings.digit_network().build()?;
        network.load(case.model.network.as_deref().context("the run has no network")?)?;
        let all: Vec<usize> = (0..test.len()).collect();
        let views = how.views();
        control.stage("reading pictures of boards", all.len() as u64);
        let probabilities = read_while(views, held_out, &*network, &all, control)?;
        let mut rows = probabilities.rows();
        let boards: Vec<(usize, Vec<&[f32]>)> = all
            .iter()
            .map(|&board| (board, rows.by_ref().take(held_out.sights(board).len()).collect()))
            .collect();
        let mut score = FutoshikiScore {
            givens: [0; 2],
            boards_read: 0,
            boards_right: 0,
            pictures: Vec::new(),
            answers: Vec::new(),
        };
        if control.is_cancelled() {
            return Ok(score);
        }
        let limits = Limits { cancel: control.cancel_flag(), ..Limits::default() };
        let mut read = probabilities.rows().zip(probabilities.most_probable());
        for (board, puzzle) in test.iter().enumerate() {
            let one = |(sight, (row, read)): (&preceptron::Sight, (&[f32], usize))| ReadPicture {
                truth: usize::from(puzzle.solution[sight.place as usize]).saturating_sub(1),
                read,
                probability: f64::from(row[read]),
            };
            let pictures: Vec<ReadPicture> =
                held_out.sights(board).iter().zip(read.by_ref()).map(one).collect();
            let right = pictures.iter().filter(|one| one.truth == one.read).count();
            score.givens = [score.givens[0] + pictures.len(), score.givens[1] + right];
            score.boards_read += usize::from(right == pictures.len());
            score.pictures.extend(pictures);
        }
        control.stage("solving boards", test.len() as u64);
        let problem = Arc::new(Problem::from(case.model.rules.clone()));
        let mut failure = None;
        let work = |reasoner: &mut dyn preceptron_reason::Reasoner, (board, rows): &(usize, Vec<&[f32]>)| {
            answer(held_out, *board, rows.iter().copied(), &limits, reasoner)
        };
        work_in_blocks(
            Backend::Portfolio,
            &problem,
            &boards,
            case.settings.threads,
            work,
            |board, found| {
                control.advance(1);
                match found {
                    _ if control.is_cancelled() => (),
                    Err(error) => failure = Some(error),
                    Ok(found) => {
                        let is_right =
                            found.as_ref().is_some_and(|found| found.digits == test[board].solution);
                        score.boards_right += usize::from(is_right);
                        score.answers.push(found);
                    }
                }
                let go_on = failure.is_none() && !control.is_cancelled();
                if go_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            },
        )?;
        failure.map_or(Ok(score), |error| Err(error.into()))
    }

    fn show(
        case: Case<'_, Futoshiki>,
        how: &FutoshikiEvaluation,
        score: &FutoshikiScore,
        trained: Option<&Report>,
    ) -> TaskResult<Shown> {
        let (rules, boards) = (&case.model.rules, case.data.test.len());
        let comparison = rules.compare(&true_rules(case.settings.side));
        let (missing, extra) = (comparison.missing.len(), comparison.extra.len());
        let [givens, read] = score.givens;
        let json = json!({
            "rules": rules.len(), "rules_missing": missing, "rules_spurious": extra, "found": case.model.found,
            "calibration": case.model.calibration, "seconds": trained.map(|report| report.seconds),
            "held_out": {
                "boards": boards, "boards_right": score.boards_right, "boards_read": score.boards_read,
                "givens": givens, "givens_read": read,
            },
        });
        let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        let text = text(|out| -> TaskResult<()> {
            if trained.is_some() {
                writeln!(
                    out,
                    "{} rules from answers and pictures. Of Futoshiki's own, which nobody told, {missing} are missing and \
                     {extra} others are there:",
                    rules.len()
                )?;
                list_families(out, rules, &lift(rules), 14, "precept rules")?;
                writeln!(out)?;
            }
            writeln!(out, "On {boards} boards that were held out, with pictures that were:")?;
            writeln!(
                out,
                "  {:.2}% of the givens read right; on {:.1}% of the boards all of them\n  \
                 {:.1}% of the boards are right ({} of {boards}): the likeliest board that obeys the rules",
                share(read, givens),
                share(score.boards_read, boards),
                share(score.boards_right, boards),
                score.boards_right,
            )?;
            let shown = score
                .answers
                .iter()
                .position(|found| found.as_ref().is_some_and(|found| !found.repaired.is_empty()));
            if let Some((board, Some(found))) =
                shown.or(Some(0)).and_then(|at| Some((at, score.answers.get(at)?)))
            {
                let puzzle = &case.data.test[board];
                writeln!(
                    out,
                    "\nBoard {}: [5] was read, !5! was repaired, the others were found:",
                    board + 1
                )?;
                let marks = Mark::of_board(&found.digits, &puzzle.givens, &found.repaired);
                write!(out, "{}", board_text(puzzle.side, &puzzle.signs, &marks))?;
            }
            if trained.is_some() {
                writeln!(
                    out,
                    "\nThese figures lean on this: {}.",
                    Self::assumptions(case.settings, how).join("; ")
                )?;
            }
            Ok(())
        })?;
        Ok(Shown::answer(!rules.is_empty(), text, json))
    }

    fn so_far(score: &FutoshikiScore) -> Option<String> {
        let (right, of) = (score.boards_right, score.answers.len());
        (of > 0).then(|| format!("{right} of {of} boards were solved right until then."))
    }

    fn solve(
        settings: &FutoshikiSettings,
        model: &Model,
        input: &FutoshikiInput,
        asking: &Asking,
        _control: &dyn Control,
    ) -> TaskResult<Shown> {
        let Some(line) = &input.board else { bail!("there is no board: precept solve RUN 'GIVENS,SIGNS'") };
        input.out.as_deref().map(|path| check_new_png(path, input.force)).transpose()?;
        let puzzle =
            read_board(settings.side, line).map_err(|what| TaskError::new(format!("{line:?}: {what}")))?;
        let mnist = settings.mnist()?;
        let board = std::slice::from_ref(&puzzle);
        let held_out = test_scenes(settings.side, board, &mnist.test, settings.seed)?;
        let mut network = settings.digit_network().build()?;
        network.load(model.network.as_deref().context("the run has no network")?)?;
        let readings = read_in(Views::Five, &held_out, &*network, &[0])?;
        let rows: Vec<&[f32]> = readings.rows().collect();
        let mut reasoner = asking.backend.load(Arc::new(Problem::from(model.rules.clone())))?;
        let limits = asking.limits_or(TIME);
        let Some(found) = answer(&held_out, 0, rows.iter().copied(), &limits, &mut *reasoner)? else {
            let text = match limits.is_over() {
                true => "No board was found in time; --time allows more.\n",
                false => "No board obeys the run's rules with these signs.\n",
            };
            return Ok(Shown::answer(false, text, json!({ "board": null })));
        };
        if let Some(path) = &input.out {
            let pictures = pictures(&puzzle, &mnist.test, settings.seed, 0)?;
            let face = |(cell, picture): (usize, Option<Vec<u8>>)| match (picture, found.digits[cell]) {
                (Some(picture), digit) if found.repaired.contains(&cell) => Face::Repaired(picture, digit),
                (Some(picture), _) => Face::Given(picture),
                (None, 0) => Face::Blank,
                (None, digit) => Face::Found(digit),
            };
            let faces: Vec<Face> = pictures.into_iter().enumerate().map(face).collect();
            let drawn = draw_for_print(puzzle.side, &puzzle.signs, &faces).map(|tone| 255 - tone);
            write_new(path, input.force, &drawn.to_png()?)?;
        }
        let marks = Mark::of_board(&found.digits, &puzzle.givens, &found.repaired);
        let is_whole = found.digits.iter().all(|&digit| digit > 0);
        let rows: Vec<Vec<u8>> = found.digits.chunks(puzzle.side).map(<[u8]>::to_vec).collect();
        let text = format!(
            "[5] was read, !5! was repaired, the others were found:\n{}",
            board_text(puzzle.side, &puzzle.signs, &marks)
        );
        Ok(Shown::answer(is_whole, text, json!({ "board": rows, "repaired": found.repaired })))
    }

    fn assumptions(settings: &FutoshikiSettings, how: &FutoshikiEvaluation) -> Vec<String> {
        let mut all: Vec<String> = ASSUMED.iter().map(|&assumed| assumed.to_owned()).collect();
        all.push(format!("a picture is taken to show one of {} digits, from the encoding", settings.side));
        all.push(how.views().in_words().to_owned());
        all
    }

    fn sections(case: Case<'_, Futoshiki>, score: &FutoshikiScore) -> TaskResult<Vec<Section>> {
        let FutoshikiData { test, held_out, .. } = case.data;
        let reference = true_rules(case.settings.side);
        let comparison = case.model.rules.compare(&reference);
        let ([givens, read], boards) = (score.givens, test.len());
        let (missing, extra) = (comparison.missing.len(), comparison.extra.len());
        let figures = vec![
            Figure::new(
                format!("{} of {}", comparison.equal.len(), reference.len()),
                "of Futoshiki’s rules found",
                format!("{missing} missing, {extra} others"),
            ),
            Figure::new(
                percent(read, givens, 2),
                "of digits read right",
                format!("{read} of {givens} pictures that were held out"),
            ),
            Figure::new(
                percent(score.boards_read, boards, 1),
                "of boards read without a fault, before any rule helps",
                "",
            ),
            Figure::new(
                percent(score.boards_right, boards, 1),
                "of boards solved",
                format!("{} of {boards}, every cell right", score.boards_right),
            ),
        ];
        let is_right = |board: &usize| {
            score.answers[*board].as_ref().is_some_and(|found| found.digits == test[*board].solution)
        };
        let (right, wrong): (Vec<usize>, Vec<usize>) = (0..score.answers.len()).partition(is_right);
        let mut blocks = Vec::new();
        for (title, of) in [("Failed", wrong), ("Solved", right)].into_iter().filter(|(_, of)| !of.is_empty())
        {
            let drawn = of.iter().take(DRAWN).map(|&board| drawing(board, &test[board], held_out, score));
            blocks.push(Block::Heading(format!("{title}: {} of {boards}", of.len())));
            blocks.push(Block::Drawings(drawn.collect::<TaskResult<_>>()?));
        }
        let mut rules = rules_section(&case.model.rules, "", |_, _| String::new());
        rules.blocks.extend(found_families(&case.model.rules, &reference));
        let mut sections = vec![Section::new("", vec![Block::Figures(figures)]), rules];
        let names: Vec<String> = (1..=case.settings.side).map(|digit| digit.to_string()).collect();
        sections.extend(reader_section(&names, &score.pictures));
        sections.push(Section::new("Boards", blocks));
        Ok(sections)
    }

    fn actions() -> &'static [&'static dyn AnyAction] {
        actions::ACTIONS
    }
}

/// One board as it was read and solved.
fn drawing(board: usize, puzzle: &Puzzle, held_out: &Scenes, score: &FutoshikiScore) -> TaskResult<Drawing> {
    let found = score.answers[board].as_ref();
    let digit = |cell: usize| found.map_or(0, |found| found.digits[cell]);
    let mut cells: Vec<SvgCell> = (0..puzzle.solution.len())
        .map(|cell| match (digit(cell), puzzle.solution[cell]) {
            (0, _) => SvgCell::Blank,
            (digit, truth) if digit == truth => SvgCell::Found(digit),
            (digit, truth) => SvgCell::Wrong(digit, truth),
        })
        .collect();
    let mut pixels = Vec::new();
    for &sight in held_out.sights(board) {
        let shape = held_out.gather([sight].into_iter(), &mut pixels)?.shape();
        let ink: Vec<u8> = pixels[..shape.pixels()].iter().map(|pixel| 255 - pixel).collect();
        let address = png_address(&Picture::from_pixels(shape.width, ink).to_png()?);
        let cell = sight.place as usize;
        let is_repaired = found.is_some_and(|found| found.repaired.contains(&cell));
        cells[cell] = match is_repaired {
            true => SvgCell::Repaired(address, digit(cell)),
            false => SvgCell::Picture(address),
        };
    }
    let label = format!("Board {}", board + 1);
    let drawn = svg(puzzle.side, &puzzle.signs, &cells, &label);
    Ok(Drawing { svg: drawn, notes: vec![label], ..Drawing::default() })
}
