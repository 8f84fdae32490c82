//! Visual Sudoku as a task.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf, absolute};

use preceptron::page::{Block, Figure, Section, found_families, percent, reader_section, rules_section};
use preceptron::{
    AdaptSettings, Adapting, AnyAction, Asking, Case, Context, Joint, JointCourse, Metrics, Model, Probe,
    Report, Schedule, Shown, Staged, Task, TaskResult, Verb, Views, ensure, read,
};
use preceptron_base::{Control, Settings, choices, settings};
use preceptron_logic::{Constraint, Lit, Problem, RuleSet, lift};

use super::one_board::{self, SudokuInput};
use super::settings::{PaperSet, ScheduleName};
use super::{
    Decoding, Judge, Judgement, SudokuData, SudokuSettings, actions, adapt, data, gallery, show, side,
    true_rules, variables_with_box,
};
use crate::board_svg::BoardSvg;
use crate::digit_network::NetworkName;

/// Visual Sudoku.
pub struct Sudoku;

/// Training boards whose pictures are read now and then, to show how training goes.
const WATCHED: usize = 50;

choices! {
    /// A way of solving that can be left out.
    pub enum Mode: Likeliest {
        /// The likeliest board that obeys the rules.
        Likeliest = "likeliest",
        /// The likeliest whose givens leave one solution.
        Unique = "unique",
        /// The first guess pinned, as few rules broken as can be, as in the paper; the slowest.
        Pinned = "pinned",
    }
}

impl Mode {
    /// All of them, in the order in which they are shown.
    const ALL: [Mode; 3] = [Mode::Likeliest, Mode::Unique, Mode::Pinned];

    fn decoding(self) -> Decoding {
        match self {
            Mode::Likeliest => Decoding::Likeliest,
            Mode::Unique => Decoding::Unique,
            Mode::Pinned => Decoding::Pinned,
        }
    }
}

settings! {
    /// Which boards are read and solved, and how.
    pub struct SudokuEvaluation {
        /// How many boards, spread over the numbers of givens [default: all].
        count: Option<usize> = None, "N" in 1..=10_000_000;
        /// Other boards than the run's, from a file of lines `puzzle,solution`.
        boards: Option<PathBuf> = None, "FILE";
        /// Say how many boards are left, and how many of these are right, if answers that are less sure than
        /// this are held back.
        abstain: Option<f64> = None, "CONFIDENCE" or "0.99" in 0.0..=1.0;
        /// Also fix readings at least so probable and complete the rest, as the paper proposes.
        confident: Option<f64> = None, "PROBABILITY" or "0.99" in 0.0..=1.0;
        /// In which ways boards are solved; pinned, as the paper does it, is the slowest.
        modes: Vec<Mode> = Mode::ALL.to_vec(), "MODE,...";
        /// Look at each picture once, not also moved by a pixel to each side (test-time augmentation).
        one_look: bool = false;
        /// Also show the figures for each number of givens.
        by_givens: bool = false;
        /// The seed that pictures are chosen by [default: the run's, which gives those that training reported
        /// on].
        seed: Option<u64> = None, "N";
    }
}

impl SudokuEvaluation {
    /// How often each picture is looked at.
    fn views(&self) -> Views {
        if self.one_look { Views::One } else { Views::Nine }
    }
}

settings! {
    /// Boards of which size the rules are put on.
    pub struct SudokuDomain {
        /// Boards of another order than those trained on: 4 for 16 x 16. Boxes are named for this, which the
        /// learner does not do.
        order: Option<usize> = None, "N" in 2..=5;
    }
}

impl Task for Sudoku {
    const NAME: &'static str = "sudoku";
    const ABOUT: &'static str = "Visual Sudoku: boards whose givens are pictures of digits. Nobody says what a picture \
                                 shows, and no rule is known.";

    type Settings = SudokuSettings;
    type Evaluation = SudokuEvaluation;
    type Input = SudokuInput;
    type Domain = SudokuDomain;
    type Data = SudokuData;
    type Score = Judgement;

    fn help(verb: Verb) -> &'static str {
        match verb {
            Verb::Train => {
                "\
Examples:
  precept train sudoku
  precept train sudoku --boards satnet_10000.csv.xz --paper-set satnet --steps 4000      the last 1,000 boards are for tests
  precept train sudoku --boards rrn_train.csv.xz --train 9000 --test-boards rrn_eval.csv.xz
  precept train sudoku --order 2 --schedule joint --train 5000        the paper's own loop, at 4 x 4
  precept train sudoku --boards satnet_10000.csv.xz --schedule joint  the same at 9 x 9
  precept train sudoku --order 2 --schedule joint --course authors    as in its authors' programs
  precept train sudoku --resume runs/sudoku-0

Known are which cells are given and the digits of all other cells; the pictures are MNIST's, those for
training in boards to train on, those for tests in boards to test on. Ctrl-C saves and says how to go on;
a run that was killed goes on with --resume as well, and ends where it would have ended."
            }
            Verb::Eval => {
                "\
Examples:
  precept eval runs/sudoku-0 --abstain 0.99
  precept eval runs/sudoku-0 --modes likeliest,unique                 without the slow one
  precept eval runs/sudoku-0 --boards rrn_eval_18000.csv.xz --count 1000 --by-givens"
            }
            Verb::Solve => {
                "\
Examples:
  precept solve runs/sudoku-0 board.jpg --out solved.png      read and solve a photograph of a board
  precept solve runs/sudoku-0 board.jpg --explain r3c5        why is the digit there?
  precept solve runs/sudoku-0 board.jpg --show-grid found.png --guess

A board is looked for in a photograph, PNG or JPEG: turned by up to 20 degrees or by quarters, seen from aside,
dark on light or light on dark; the largest, if there are several. With --cropped the whole picture is the grid;
with --cells there is a directory with pictures r1c1.png to r9c9.png, where those that are missing or empty are
blanks. Reading, solving and explaining end after 10 seconds, or --time. What cannot be read surely is refused:
exit code 1, and the reason."
            }
            Verb::Ground => "Example:\n  precept export runs/sudoku-0 --order 4 --format opb     the rules at 16 x 16",
        }
    }

    fn run_name(settings: &SudokuSettings) -> String {
        format!("sudoku-{}", settings.seed)
    }

    fn misplaced(settings: &SudokuSettings, flag: &str) -> Option<&'static str> {
        let is_of_joint =
            flag == "loss" || preceptron::JointSettings::flags().iter().any(|known| known.name == flag);
        let is_of_stages = ["steps", "rules_by", "doubt"].contains(&flag);
        let is_transformer = settings.network == Some(NetworkName::Transformer);
        let course = settings.joint.course;
        match settings.schedule {
            ScheduleName::Staged if is_of_joint => Some("--schedule joint"),
            ScheduleName::Joint if flag == "warm_up" && course != JointCourse::Rising => {
                Some("penalties that rise in every epoch: --course rising")
            }
            ScheduleName::Joint if flag == "bounds_by" && settings.joint.bounds.is_none() => {
                Some("bounds in place of sums: --bounds SHARE")
            }
            ScheduleName::Joint if is_of_stages => Some("--schedule staged"),
            _ if ["recurrences", "device"].contains(&flag) && !is_transformer => {
                Some("--network transformer")
            }
            _ if ["test_boards", "paper_set"].contains(&flag) && settings.boards.is_none() => {
                Some("boards from a file, with --boards")
            }
            _ => None,
        }
    }

    fn settle(settings: &mut SudokuSettings) -> TaskResult<()> {
        for path in [&mut settings.boards, &mut settings.test_boards, &mut settings.mnist] {
            *path = path.as_deref().map(absolute).transpose()?;
        }
        let (_, test) = settings.counts();
        if let (Some(file), None) = (&settings.boards, settings.train) {
            let all = data::read(file, settings.order)?.len();
            let held_out = if settings.test_boards.is_some() { 0 } else { test };
            ensure!(
                held_out < all,
                "{}: {test} of {all} boards cannot be for tests; see --test",
                file.display()
            );
            settings.train = Some(all - held_out);
        }
        let (train, test) = settings.counts();
        (settings.train, settings.test) = (Some(train), Some(test));
        // A network that cannot be had ends here, before there is a run.
        settings.network().check()?;
        settings.network = Some(settings.network().name);
        settings.joint.checked(settings.seed, settings.threads)?;
        settings.learner().map(drop)
    }

    fn data(settings: &SudokuSettings, control: &dyn Control) -> TaskResult<SudokuData> {
        SudokuData::new(settings, control)
    }

    fn schedule<'a>(settings: &SudokuSettings, data: &'a SudokuData) -> TaskResult<Box<dyn Schedule + 'a>> {
        let (_, scenes) = data.training.as_ref().context("there are no boards to train on")?;
        let network = settings.network().build()?;
        Ok(match settings.schedule {
            ScheduleName::Joint => {
                let checked = settings.joint.checked(settings.seed, settings.threads)?;
                let joint = Joint::new(scenes, settings.first_network().build()?, checked)?;
                match settings.network().name {
                    NetworkName::Mlp => Box::new(joint),
                    _ => Box::new(joint.with_apprentice(network)?),
                }
            }
            ScheduleName::Staged => {
                Box::new(Staged::new(scenes, network, settings.staged(), settings.learner()?))
            }
        })
    }

    /// Measures how many digits of some training boards are read right. Training knows nothing of it.
    fn probe<'a>(_settings: &SudokuSettings, data: &'a SudokuData) -> Option<Probe<'a>> {
        let (puzzles, scenes) = data.training.as_ref()?;
        let boards: Vec<usize> = (0..scenes.len().min(WATCHED)).collect();
        let cells = |board: usize| scenes.sights(board).iter().map(move |sight| (board, sight.place));
        let digit = |(board, cell): (usize, u32)| puzzles[board].solution.digits()[cell as usize];
        let truth: Vec<u8> = boards.iter().flat_map(|&board| cells(board)).map(digit).collect();
        let measure = move |schedule: &dyn Schedule| {
            let Some(perception) = schedule.perception() else { return Ok(Metrics::default()) };
            let readings = read(scenes, perception, &boards)?;
            let pairs = readings.most_probable().zip(&truth);
            let right = pairs.filter(|(read, truth)| *read + 1 == usize::from(**truth)).count();
            Ok(Metrics::new([("digits_right", right as f64 / truth.len().max(1) as f64)]))
        };
        Some(Probe {
            every: (_settings.network().steps.unwrap_or(2000) / 40).max(1),
            measure: Box::new(measure),
        })
    }

    fn held_out(
        settings: &SudokuSettings,
        how: &SudokuEvaluation,
        control: &dyn Control,
    ) -> TaskResult<SudokuData> {
        let mut settings = settings.clone();
        if let Some(file) = &how.boards {
            settings.test_boards = Some(absolute(file)?);
            settings.boards.get_or_insert_with(|| file.clone());
        } else if settings.test_boards.is_some() && how.count.is_none() {
            // The boards that training reported on.
            return SudokuData::test_only(
                &settings,
                settings.test,
                how.seed.unwrap_or(settings.seed),
                control,
            );
        }
        SudokuData::test_only(&settings, how.count, how.seed.unwrap_or(settings.seed), control)
    }

    fn score(case: Case<'_, Sudoku>, how: &SudokuEvaluation, control: &dyn Control) -> TaskResult<Judgement> {
        let network = case.settings.reader(case.model)?;
        ensure!(
            how.abstain.is_none() || how.modes.contains(&Mode::Likeliest),
            "--abstain asks how sure the likeliest board is: it goes with the mode likeliest"
        );
        let mut decodings: Vec<Decoding> =
            Mode::ALL.into_iter().filter(|mode| how.modes.contains(mode)).map(Mode::decoding).collect();
        decodings.extend(how.confident.map(Decoding::Confident));
        let temperature = case.model.calibration.map_or(1.0, |calibration| calibration.temperature);
        let judge = Judge {
            scenes: &case.data.held_out,
            puzzles: &case.data.test,
            perception: &*network,
            views: how.views(),
            rules: &case.model.rules,
            decodings: &decodings,
            confidence_at: how.abstain.map(|_| temperature),
            threads: case.settings.threads,
        };
        Ok(judge.judge(control)?)
    }

    fn show(
        case: Case<'_, Sudoku>,
        how: &SudokuEvaluation,
        judgement: &Judgement,
        trained: Option<&Report>,
    ) -> TaskResult<Shown> {
        show::shown(case, how, judgement, trained)
    }

    fn so_far(judgement: &Judgement) -> Option<String> {
        let line = |solved: &super::Solved| {
            let (right, of) = (solved.boards, solved.answers.len());
            format!("Solved as {}: {right} of {of} boards right until then.", show::name(solved.decoding))
        };
        let lines: Vec<String> =
            judgement.solved.iter().filter(|one| !one.answers.is_empty()).map(line).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    fn next(settings: &SudokuSettings) -> Vec<String> {
        let mut next = vec![
            "precept eval {run} --abstain".to_owned(),
            "precept rules {run}".to_owned(),
            "precept export {run} --format opb".to_owned(),
        ];
        if settings.boards.is_none() && !settings.is_joint() && settings.order == 3 {
            next.push(
                "precept train sudoku --train 9000 --test 1000 --steps 4000 --out runs/full     the full size".to_owned(),
            );
        }
        next
    }

    fn solve(
        settings: &SudokuSettings,
        model: &Model,
        input: &SudokuInput,
        asking: &Asking,
        control: &dyn Control,
    ) -> TaskResult<Shown> {
        control.stage("reading and solving the board", 0);
        one_board::solve(settings, model, input, asking)
    }

    fn ground(settings: &SudokuSettings, model: &Model, domain: &SudokuDomain) -> TaskResult<Problem> {
        match domain.order {
            None => Ok(Problem::from(model.rules.clone())),
            Some(order) if order == settings.order => Ok(Problem::from(model.rules.clone())),
            Some(order) => Ok(Problem::from(at_order(&model.rules, settings.order, order)?)),
        }
    }

    /// Boxes have names.
    fn for_reader(settings: &SudokuSettings, rules: &RuleSet) -> TaskResult<RuleSet> {
        let mut named = rules.over(&variables_with_box(settings.order))?;
        named.notes.clone_from(&rules.notes);
        let remark = "boxes are named for the reader; the learner has rows, columns and digits only";
        named.notes.insert("names".to_owned(), remark.to_owned());
        Ok(named)
    }

    fn adapting(
        settings: &SudokuSettings,
        model: &Model,
        source: &Path,
        how: &AdaptSettings,
        control: &dyn Control,
    ) -> TaskResult<Adapting> {
        adapt::adapting(settings, model, source, how, control)
    }

    fn assumptions(settings: &SudokuSettings, how: &SudokuEvaluation) -> Vec<String> {
        settings.leans_on(how.views())
    }

    fn sections(case: Case<'_, Sudoku>, judgement: &Judgement) -> TaskResult<Vec<Section>> {
        let order = case.settings.order;
        let reference = true_rules(order);
        let comparison = case.model.rules.compare(&reference);
        let Judgement { boards, givens, givens_read, boards_read, .. } = *judgement;
        let mut figures = vec![
            Figure::new(
                format!("{} of {}", comparison.equal.len(), reference.len()),
                "of Sudoku’s rules found",
                format!(
                    "{} missing, {} others; rank {}",
                    comparison.missing.len(),
                    comparison.extra.len(),
                    case.model.rules.rank()
                ),
            ),
            Figure::new(
                percent(givens_read, givens, 2),
                "of digits read right",
                format!("{givens_read} of {givens} pictures that were held out"),
            ),
            Figure::new(
                percent(boards_read, boards, 1),
                "of boards read without a fault, before any rule helps",
                "",
            ),
        ];
        if let Some(solved) = judgement.solved.first() {
            let about = format!("{} of {boards}, every cell right", solved.boards);
            figures.push(Figure::new(percent(solved.boards, boards, 1), "of boards solved", about));
        }
        let paper = case.settings.paper_set.map(PaperSet::solved);
        let mut titles = ["Solved by", "boards", "share", "cells", "ms a board"].map(str::to_owned).to_vec();
        titles.extend(paper.map(|_| "the paper’s share".to_owned()));
        let row = |solved: &super::Solved| {
            let mut cells = vec![
                show::name(solved.decoding),
                format!("{} of {boards}", solved.boards),
                percent(solved.boards, boards, 1),
                percent(solved.cells, order.pow(4) * boards, 2),
                format!("{:.2}", 1e3 * solved.seconds),
            ];
            let is_papers = solved.decoding == Decoding::Pinned;
            cells.extend(paper.map(|figure| if is_papers { figure.to_owned() } else { String::new() }));
            cells
        };
        let rows = judgement.solved.iter().map(row).collect();
        let named = case.model.rules.over(&variables_with_box(order))?;
        let remark = "One of each family is drawn: it counts the digits in its coloured cells. Boxes are named here for \
                      the reader; the learner has rows, columns and digits only.";
        let mut rules = rules_section(&named, remark, |rule, label| drawn(order, rule).svg(label));
        rules.blocks.extend(found_families(&named, &reference.over(&variables_with_box(order))?));
        let mut sections =
            vec![Section::new("", vec![Block::Figures(figures), Block::Table { titles, rows }]), rules];
        let names: Vec<String> = (1..=side(order)).map(|digit| digit.to_string()).collect();
        sections.extend(reader_section(&names, &judgement.pictures(&case.data.test)));
        sections.push(gallery::section(judgement, case.data)?);
        Ok(sections)
    }

    fn actions() -> &'static [&'static dyn AnyAction] {
        actions::ACTIONS
    }
}

/// The rules of one order put on boards of another: each family, with boxes named, at every place there.
fn at_order(rules: &RuleSet, from: usize, to: usize) -> TaskResult<RuleSet> {
    let families = lift(&rules.over(&variables_with_box(from))?);
    let single =
        families.iter().find(|family| family.members.len() < 2 || family.members.len() < family.expected);
    ensure!(
        single.is_none(),
        "the rules are not the same everywhere, so that they cannot be put on other boards: {}",
        single.map_or_else(String::new, |family| family.to_string())
    );
    let relative = RuleSet::of_relative(families.into_iter().map(|family| family.rule));
    let mut grounded = relative.grounded(&variables_with_box(to))?;
    grounded.notes.clone_from(&rules.notes);
    Ok(grounded)
}

/// The cells of a rule with the digits that it counts.
fn drawn(order: usize, constraint: &Constraint) -> BoardSvg {
    let side = side(order);
    let place = |literal: Lit| (literal.var().index() / side, literal.var().index() % side + 1);
    let name = |literal: Lit| format!("{}{}", if literal.is_negated() { "¬" } else { "" }, place(literal).1);
    let mut cells: BTreeMap<usize, Vec<(usize, String)>> = BTreeMap::new();
    for &literal in constraint.literals() {
        cells.entry(place(literal).0).or_default().push((place(literal).1, name(literal)));
    }
    let mut board = BoardSvg::new(side, order);
    for (&cell, digits) in &cells {
        board.tile(cell, "fill counted");
        match &digits[..] {
            [(_, text)] => board.text(cell, text, "counted"),
            _ => board.pencil(cell, digits, "counted"),
        }
    }
    if let Some(gate) = constraint.gate() {
        board.tile(place(gate).0, "frame repaired");
        board.note(place(gate).0, &name(gate), "repaired");
    }
    board
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::variable;

    #[test]
    fn modes_can_be_left_out() {
        let mut how = SudokuEvaluation::default();
        assert_eq!(how.modes, Mode::ALL);
        how.set("modes", "pinned, likeliest").unwrap();
        assert_eq!(how.modes, [Mode::Pinned, Mode::Likeliest]);
        let message = how.set("modes", "slow").unwrap_err().to_string();
        assert_eq!(message, "modes = \"slow\": expected likeliest or unique or pinned");
        assert!(how.set("modes", "").is_err());
    }

    #[test]
    fn what_is_leant_on_is_what_was_done() {
        let looks = |one_look| {
            let how = SudokuEvaluation { one_look, ..SudokuEvaluation::default() };
            Sudoku::assumptions(&SudokuSettings::default(), &how).join("; ")
        };
        assert!(looks(true).contains("looked at once") && !looks(true).contains("nine times"));
        assert!(looks(false).contains("looked at nine times"));
    }

    #[test]
    fn an_order_beyond_the_digits_says_why() {
        let settings = SudokuSettings { order: 4, ..SudokuSettings::default() };
        let message = settings.check().unwrap_err().to_string();
        assert!(message.starts_with("order = 4 is out of range: 2 or 3; larger boards"), "{message}");
    }

    #[test]
    fn negations_and_gates_are_drawn() {
        let of = |column, digit| variable(2, 0, column, digit);
        let literals = [of(0, 1).negative(), of(1, 3).positive(), of(2, 2).positive()];
        let rule = Constraint::clause(literals).gated(variable(2, 3, 3, 4).positive());
        let svg = drawn(2, &rule).svg("");
        assert!(svg.contains(">¬1<") && svg.contains(">3<") && svg.contains(">4<"), "{svg}");
        assert_eq!(svg.matches("fill counted").count(), 3);
    }

    #[test]
    fn rules_of_one_order_are_those_of_another() {
        for (from, to) in [(2, 3), (3, 4), (3, 2)] {
            let grounded = at_order(&true_rules(from), from, to).unwrap();
            assert!(grounded.compare(&true_rules(to)).is_equal(), "{from} to {to}");
        }
        let mut fewer = true_rules(2);
        let first = fewer.rules()[0].id();
        fewer.retain(|rule| rule.id() != first);
        assert!(at_order(&fewer, 2, 3).unwrap_err().to_string().contains("not the same everywhere"));
    }
}
