//! What can be done with Sudoku beside training: boards to make, check and draw, and benchmarks.

mod boards;
mod draw;
mod generate;
mod list;
mod rule_cases;
mod rules;
mod theorems;
mod throughput;
mod verify;

use draw::DrawBoards;
use generate::GenerateBoards;
use list::ListData;
use rules::RuleLearning;
use theorems::Theorems;
use throughput::Throughput;
use verify::VerifyBoards;

use super::photographs::{ReadPhotographs, WritePhotographs};
use preceptron::AnyAction;

/// All of them, in the order of a help text.
pub static ACTIONS: &[&dyn AnyAction] = &[
    &super::bench::Table1,
    &ListData,
    &GenerateBoards,
    &VerifyBoards,
    &DrawBoards,
    &WritePhotographs,
    &RuleLearning,
    &Theorems,
    &Throughput,
    &ReadPhotographs,
];

#[cfg(test)]
mod tests {
    use preceptron_base::{Given, Quiet};

    use super::*;

    /// What an action prints, and whether its answer is a yes.
    fn run(action: &dyn AnyAction, typed: &[(&str, &str)]) -> preceptron::TaskResult<(String, bool)> {
        let given =
            |(name, text): &(&str, &str)| Given { name: (*name).to_owned(), text: (*text).to_owned() };
        let mut out = Vec::new();
        let is_yes = action.run(&typed.iter().map(given).collect::<Vec<_>>(), &mut out, &Quiet)?;
        Ok((String::from_utf8_lossy(&out).into_owned(), is_yes))
    }

    #[test]
    fn boards_are_made_checked_and_drawn() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        let (boards, sheet) = (path("boards.csv.gz"), path("sheet.png"));
        let made = run(&GenerateBoards, &[("count", "6"), ("order", "2"), ("out", &boards)]).unwrap();
        assert_eq!(made, (format!("6 boards written to {boards}\n"), true));
        let again = run(&GenerateBoards, &[("count", "6"), ("out", &boards)]).unwrap_err();
        assert_eq!(again.to_string(), format!("{boards}: is already there; --force overwrites it"));
        let (text, is_clean) = run(&VerifyBoards, &[("file", &boards)]).unwrap();
        assert!(text.starts_with(&format!("{boards}: 6 boards\n")) && is_clean, "{text}");
        let drawn = run(&DrawBoards, &[("file", &boards), ("rows", "1-4"), ("out", &sheet)]).unwrap();
        assert!(drawn.0.starts_with(&format!("4 boards drawn to {sheet}, ")), "{}", drawn.0);
    }

    #[test]
    fn what_does_not_go_together_is_an_error() {
        let message =
            |action: &dyn AnyAction, typed: &[(&str, &str)]| run(action, typed).unwrap_err().to_string();
        assert_eq!(
            message(&GenerateBoards, &[("preset", "rrn"), ("givens", "20-30")]),
            "--preset rrn says how many givens there are, not --givens"
        );
        assert!(message(&DrawBoards, &[]).starts_with("--out FILE.png"));
        assert!(message(&VerifyBoards, &[]).starts_with("FILE: "));
        assert_eq!(
            message(&DrawBoards, &[("out", "a.png"), ("rows", "0-3")]),
            "--rows: boards are counted from 1"
        );
        assert!(message(&RuleLearning, &[("only", "nothing")]).contains("there is no case \"nothing\""));
    }
}
