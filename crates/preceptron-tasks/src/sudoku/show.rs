//! How boards with pictures were read and solved.

use std::collections::BTreeMap;
use std::io::Write;

use preceptron::words::{list_families, text};
use preceptron::{Calibration, Case, Report, Shown, Task, TaskResult};
use preceptron_logic::{Constraint, Rule, RuleSet, Var, lift};
use serde::Serialize;
use serde_json::json;

use super::reading::Reading;
use super::task::SudokuEvaluation;
use super::{Decoding, Judgement, Puzzle, Sudoku, true_rules, variables_with_box};

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// A way of solving, in words.
pub fn name(decoding: Decoding) -> String {
    match decoding {
        Decoding::Likeliest => "the likeliest board that obeys the rules".to_owned(),
        Decoding::Unique => "the likeliest whose givens leave one solution (an extra prior)".to_owned(),
        Decoding::Confident(least) => {
            format!("readings of at least {least} fixed, the rest completed (the paper's System 1 + 2)")
        }
        Decoding::Pinned => "the first guess pinned, rules soft (as in the paper)".to_owned(),
    }
}

/// A way of solving, in few words.
fn short_name(decoding: Decoding) -> String {
    match decoding {
        Decoding::Likeliest => "the likeliest that obeys the rules".to_owned(),
        Decoding::Unique => "the likeliest with one solution (*)".to_owned(),
        Decoding::Confident(least) => format!("read at {least} fixed, completed (**)"),
        Decoding::Pinned => "the first guess pinned (**)".to_owned(),
    }
}

/// The judgement and, after training, what was learned.
pub fn shown(
    case: Case<'_, Sudoku>,
    how: &SudokuEvaluation,
    judgement: &Judgement,
    trained: Option<&Report>,
) -> TaskResult<Shown> {
    let (settings, model, puzzles) = (case.settings, case.model, &case.data.test);
    let comparison = model.rules.compare(&true_rules(settings.order));
    let (spurious, missing) = (comparison.extra.len(), comparison.missing.len());
    let covered = how.abstain.map(|least| abstention(judgement, puzzles, least));
    let counts = by_givens(judgement, puzzles);
    let (from_known, by_rules) = (&model.found["rules_from_known"], &model.found["grounded_by_rules"]);
    let before = rows_before_confirmation(case);
    let json = json!({
        "rows_before_confirmation": before.map(|[right, wrong, rank]| json!({
            "true": right, "wrong": wrong, "rank_of_true": rank,
        })),
        "rules": model.rules.len(), "rank": model.rules.rank(), "rules_missing": missing,
        "rules_spurious": spurious, "rules_from_answers": from_known, "grounded_by_rules": by_rules,
        "calibration": model.calibration, "seconds": trained.map(|report| report.seconds),
        "cpu_seconds": trained.map(|report| report.cpu_seconds),
        "seed": how.seed.unwrap_or(settings.seed), "held_out": judgement, "abstention": covered,
        "by_givens": counts,
    });
    let text = text(|out| -> TaskResult<()> {
        if let Some(report) = trained {
            if let (Some(rules), Some(share), Some((train, _))) =
                (from_known.as_u64(), by_rules.as_f64(), &case.data.training)
            {
                writeln!(
                    out,
                    "{rules} rules from the answers of {} boards; with these, {:.1}% of the givens' pictures can mean \
                     only one digit.",
                    train.len(),
                    100.0 * share,
                )?;
            }
            if let Some([right, wrong, rank]) = before {
                writeln!(
                    out,
                    "Rows as they are, rounded: {right} are rules of Sudoku, of rank {rank}; {wrong} are not. After \
                     confirmation on the training boards:"
                )?;
            }
            writeln!(
                out,
                "{} rules from answers and pictures. Of Sudoku's own, which nobody told, {missing} are missing and \
                 {spurious} others are there (boxes are named here for the reader; the learner has rows, columns and \
                 digits only):",
                model.rules.len(),
            )?;
            let named = model.rules.over(&variables_with_box(settings.order))?;
            list_families(out, &named, &lift(&named), 8, "precept rules")?;
            print(out, judgement, puzzles)?;
            print_calibration(out, model.calibration.as_ref())?;
            writeln!(
                out,
                "\nThese figures lean on this: {}.",
                Sudoku::assumptions(settings, how).join("; ")
            )?;
            let [first, steps, last] = report.seconds;
            writeln!(
                out,
                "Rules {first:.1} s, training {steps:.1} s, rules once more {last:.1} s on the clock; {:.1} CPU-s.",
                report.cpu_seconds
            )?;
            return Ok(());
        }
        print(out, judgement, puzzles)?;
        print_calibration(out, model.calibration.as_ref())?;
        if how.by_givens {
            print_by_givens(out, &counts, judgement)?;
        }
        if let Some(covered) = &covered {
            print_abstention(out, covered, judgement.boards)?;
        }
        Ok(())
    })?;
    Ok(Shown::yes(text, json))
}

/// Of the different rows of joint training, before any example confirmed them: how many are rules of Sudoku, how many
/// are not, and the rank of those that are.
fn rows_before_confirmation(case: Case<'_, Sudoku>) -> Option<[usize; 3]> {
    let rows: Vec<Vec<u32>> =
        serde_json::from_value(case.model.found.get("rows_before_confirmation")?.clone()).ok()?;
    let truth = true_rules(case.settings.order);
    let constraint = |row: &Vec<u32>| Constraint::exactly(1, row.iter().map(|&var| Var(var).positive()));
    let (right, wrong): (Vec<Constraint>, Vec<Constraint>) =
        rows.iter().map(constraint).partition(|constraint| truth.contains(constraint));
    let rules = right.iter().cloned().map(Rule::given);
    let rank = RuleSet::with_rules(truth.variables().clone(), rules).rank();
    Some([right.len(), wrong.len(), rank])
}

/// How boards were read and solved, and one of them that was repaired.
fn print(out: &mut dyn Write, judgement: &Judgement, puzzles: &[Puzzle]) -> std::io::Result<()> {
    let Judgement { boards, .. } = *judgement;
    let cells = puzzles.first().map_or(81, |puzzle| puzzle.solution.digits().len());
    writeln!(out, "\nOn {boards} boards that were held out, with pictures that were:")?;
    writeln!(
        out,
        "  {:.2}% of the givens read right; on {:.1}% of the boards all of them\n\n  \
         boards solved as                   perception solving  total   cells ms each",
        percent(judgement.givens_read, judgement.givens),
        percent(judgement.boards_read, boards)
    )?;
    for solved in &judgement.solved {
        writeln!(
            out,
            "  {:<35}{:>9.1}% {:>6.1}% {:>5.1}% {:>6.2}% {:>7.2}{}",
            short_name(solved.decoding),
            percent(solved.boards_perceived, boards),
            percent(solved.boards_completed, boards),
            percent(solved.boards, boards),
            percent(solved.cells, cells * boards),
            1e3 * solved.seconds,
            match solved.without_answer {
                0 => String::new(),
                none => format!("\n    {none} of them have no answer"),
            }
        )?;
    }
    writeln!(
        out,
        "  Perception: boards whose givens are all right in the answer, repaired ones too;\n  \
         solving: all other cells; total: all. (*) An extra prior: the givens leave no\n  \
         other solution. (**) As in the paper, rules soft."
    )?;
    let Some(first) = judgement.solved.first() else { return Ok(()) };
    let is_repaired = |&board: &usize| {
        let answer = &first.answers[board];
        answer[..] == *puzzles[board].solution.digits()
            && judgement.readings[board].iter().any(|reading| reading.is_repaired(answer))
    };
    let board = (0..first.answers.len()).find(is_repaired).unwrap_or(0);
    if let Some(answer) = first.answers.get(board) {
        writeln!(out, "\nBoard {}: [5] was read, !5! was repaired, the others were found:", board + 1)?;
        draw(out, answer, &judgement.readings[board])?;
    }
    Ok(())
}

/// What pictures outside training say of the network.
fn print_calibration(out: &mut dyn Write, calibration: Option<&Calibration>) -> std::io::Result<()> {
    if let Some(Calibration { pictures, agreement, temperature, error }) = calibration {
        writeln!(
            out,
            "\nOf {pictures} pictures that were kept out of training, {:.2}% are read as rules and answers say. \
             Calibration error {:.4}; at temperature {temperature:.2}: {:.4}.",
            100.0 * agreement,
            error.0,
            error.1
        )?;
    }
    Ok(())
}

/// How many boards are answered, and rightly, if answers must be at least so sure.
#[derive(Serialize)]
struct Covered {
    confidence: f64,
    answered: usize,
    right: usize,
}

/// Coverage and accuracy at some confidences, that asked for among them.
fn abstention(judgement: &Judgement, puzzles: &[Puzzle], asked: f64) -> Vec<Covered> {
    let mut levels = vec![0.0, 0.5, 0.9, 0.99, 0.999, 0.9999];
    levels.push(asked);
    levels.sort_by(f64::total_cmp);
    levels.dedup();
    let likeliest = judgement.solved.iter().find(|solved| solved.decoding == Decoding::Likeliest);
    let Some(likeliest) = likeliest else { return Vec::new() };
    let at = |confidence: f64| {
        let (answered, right) = likeliest.at_confidence(confidence, puzzles)?;
        Some(Covered { confidence, answered, right })
    };
    levels.into_iter().filter_map(at).collect()
}

fn print_abstention(out: &mut dyn Write, covered: &[Covered], boards: usize) -> std::io::Result<()> {
    writeln!(
        out,
        "\nIf an answer must be so sure (the likeliest board against the next, calibrated):\n  \
         confidence  answered     right of these"
    )?;
    for &Covered { confidence, answered, right } in covered {
        let (coverage, accuracy) = (percent(answered, boards), percent(right, answered));
        writeln!(
            out,
            "  {confidence:>10}  {coverage:>7.1}%  {accuracy:>8.2}%  ({} wrong)",
            answered - right
        )?;
    }
    Ok(())
}

/// For each number of givens, how many boards there are and how many are solved in each way.
#[derive(Serialize)]
struct WithGivens {
    givens: usize,
    boards: usize,
    solved: Vec<usize>,
}

fn by_givens(judgement: &Judgement, puzzles: &[Puzzle]) -> Vec<WithGivens> {
    let mut counts: BTreeMap<usize, WithGivens> = BTreeMap::new();
    for (board, puzzle) in puzzles.iter().enumerate() {
        let givens = judgement.readings[board].len();
        let none = || WithGivens { givens, boards: 0, solved: vec![0; judgement.solved.len()] };
        let entry = counts.entry(givens).or_insert_with(none);
        entry.boards += 1;
        for (count, solved) in entry.solved.iter_mut().zip(&judgement.solved) {
            let is_right = solved.answers.get(board).is_some_and(|a| a[..] == *puzzle.solution.digits());
            *count += usize::from(is_right);
        }
    }
    counts.into_values().collect()
}

fn print_by_givens(out: &mut dyn Write, counts: &[WithGivens], judgement: &Judgement) -> std::io::Result<()> {
    let short = |decoding| match decoding {
        Decoding::Likeliest => "likeliest",
        Decoding::Unique => "one solution",
        Decoding::Confident(_) => "System 1+2",
        Decoding::Pinned => "pinned",
    };
    write!(out, "\n  givens  boards")?;
    for solved in &judgement.solved {
        write!(out, "  {:>12}", short(solved.decoding))?;
    }
    writeln!(out)?;
    for WithGivens { givens, boards, solved } in counts {
        write!(out, "  {givens:>6}  {boards:>6}")?;
        for &count in solved {
            write!(out, "  {:>11.1}%", percent(count, *boards))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// A board as text: givens in brackets, repaired ones with a mark, and what was repaired.
pub fn draw(out: &mut dyn Write, answer: &[u8], readings: &[Reading]) -> std::io::Result<()> {
    let side = answer.len().isqrt();
    let order = side.isqrt();
    let is_edge = |at: usize| at + 1 < side && (at + 1).is_multiple_of(order);
    for row in 0..side {
        write!(out, "  ")?;
        for column in 0..side {
            let cell = side * row + column;
            let digit = answer[cell];
            match readings.iter().find(|reading| reading.cell == cell) {
                Some(reading) if reading.is_repaired(answer) => write!(out, "!{digit}!")?,
                Some(_) => write!(out, "[{digit}]")?,
                None => write!(out, " {digit} ")?,
            }
            write!(out, "{}", if is_edge(column) { " |" } else { "" })?;
        }
        writeln!(out)?;
        if is_edge(row) {
            let band = "-".repeat(3 * order + 1);
            writeln!(out, "  {}", vec![band; order].join("+"))?;
        }
    }
    for reading in readings.iter().filter(|reading| reading.is_repaired(answer)) {
        let (row, column) = (reading.cell / side + 1, reading.cell % side + 1);
        let (read, probability, digit) = (reading.digit(), reading.probability(), answer[reading.cell]);
        writeln!(out, "  row {row}, column {column}: read {read} ({probability:.2}), must be {digit}")?;
    }
    Ok(())
}
