//! How rules solve whole boards.

use preceptron::Metrics;
use preceptron_base::Control;
use preceptron_reason::ReasonError;
use rayon::prelude::*;
use serde::Serialize;

use super::{Board, Solved, Solver};

/// How rules solve whole boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct BoardScore {
    /// The boards.
    pub boards: usize,
    /// Boards whose picture is the only one that the rules allow.
    pub right: usize,
    /// Boards of which the rules allow several pictures.
    pub several: usize,
    /// Boards of which they allow only another picture.
    pub wrong: usize,
    /// Boards of which they allow none.
    pub none: usize,
}

impl BoardScore {
    /// Solves boards.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn of(solver: &Solver, boards: &[Board], control: &dyn Control) -> Result<BoardScore, ReasonError> {
        control.stage("boards", boards.len() as u64);
        let one = |board: &Board| {
            let mut score = BoardScore { boards: 1, ..BoardScore::default() };
            if control.is_cancelled() {
                return Ok(BoardScore::default());
            }
            match solver.solve(&board.clues, 2)? {
                Solved::Pictures(pictures, _) if pictures.len() > 1 => score.several = 1,
                Solved::Pictures(pictures, _) if pictures.first() == Some(&board.picture) => score.right = 1,
                Solved::Pictures(..) | Solved::Unknown => score.wrong = 1,
                Solved::Clash(_) => score.none = 1,
            }
            control.advance(1);
            Ok(score)
        };
        let scores = boards.par_iter().map(one).collect::<Result<Vec<_>, ReasonError>>()?;
        Ok(scores.into_iter().fold(BoardScore::default(), |a, b| BoardScore {
            boards: a.boards + b.boards,
            right: a.right + b.right,
            several: a.several + b.several,
            wrong: a.wrong + b.wrong,
            none: a.none + b.none,
        }))
    }

    /// The score as named numbers.
    pub fn metrics(&self) -> Metrics {
        let BoardScore { boards, right, several, wrong, none } = *self;
        Metrics::new(
            [("boards", boards), ("right", right), ("several", several), ("wrong", wrong), ("none", none)]
                .map(|(name, count)| (name, count as f64)),
        )
    }
}

impl std::fmt::Display for BoardScore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let BoardScore { boards, right, several, wrong, none } = self;
        write!(f, "{right} of {boards} boards solved")?;
        let rest = [
            (several, "left with several pictures"),
            (wrong, "solved wrongly"),
            (none, "left without a picture"),
        ];
        rest.into_iter()
            .filter(|(count, _)| **count > 0)
            .try_for_each(|(count, what)| write!(f, "; {count} {what}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nonogram::{NonogramLearner, NonogramSettings, generate, is_no_touch_among, no_touch};
    use preceptron::{Training, train};
    use preceptron_base::Quiet;

    #[test]
    fn boards_are_solved_by_what_single_lines_teach() {
        let settings = NonogramSettings { train: 100, test: 40, seed: 3, ..NonogramSettings::default() };
        let data = settings.data().unwrap();
        assert_eq!((data.lines.len(), data.test.len()), (100, 40));
        let mut learner = NonogramLearner::new(&data.lines, 3);
        let rules = train(&mut learner, Training::default()).unwrap().model.unwrap().rules;
        assert!(is_no_touch_among(&rules));
        let solver = Solver::new(&rules).unwrap();
        let score = BoardScore::of(&solver, &data.test, &Quiet).unwrap();
        assert_eq!((score.right, score.boards), (40, 40));
        let wide: Vec<Board> = (0..5).map(|item| generate(4, 11, 0.5, 1, item)).collect();
        assert_eq!(BoardScore::of(&solver, &wide, &Quiet).unwrap().right, 5);
        // Without the rule that runs do not touch, some boards have several pictures, and none is wrong.
        let others = rules.relative().iter().filter(|rule| !rule.says_the_same(&no_touch()));
        let fewer = preceptron_logic::RuleSet::of_relative(others.cloned());
        let score = BoardScore::of(&Solver::new(&fewer).unwrap(), &data.test, &Quiet).unwrap();
        assert!(score.several > 0 && score.wrong + score.none == 0, "{score:?}");
    }

    #[test]
    fn what_is_out_of_range_is_named() {
        let plain = NonogramSettings::default();
        let message = |settings: NonogramSettings| settings.data().unwrap_err().to_string();
        assert_eq!(
            message(NonogramSettings { side: 0, ..plain.clone() }),
            "side = 0 is out of range: 1 to 60"
        );
        assert_eq!(
            message(NonogramSettings { train: 0, ..plain }),
            "train = 0 is out of range: 1 to 1000000"
        );
    }
}
