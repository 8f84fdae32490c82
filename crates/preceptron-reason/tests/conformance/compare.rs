//! An answer against what brute force knows of the query.

use preceptron_reason::{Answer, Conflict, Query, Status, TieBreak, Work};

use crate::conformance::brute_force::{Judged, repairs};
use crate::conformance::plain::Plain;

/// Fails with what is wrong unless a condition holds.
macro_rules! ensure {
    ($holds:expr, $($what:tt)*) => {
        if !$holds {
            return Err(format!($($what)*));
        }
    };
}
pub(crate) use ensure;

/// An answer without what it took.
pub fn without_work(answer: &Answer) -> Answer {
    Answer { work: Work::default(), ..answer.clone() }
}

/// Checks every part of an answer to a query without limits.
pub fn check(plain: &Plain, query: &Query, judged: &Judged, answer: &Answer) -> Result<(), String> {
    ensure!(answer.is_conclusive(), "no limit, and yet {:?}", answer.status);
    check_limited(plain, query, judged, answer)?;
    if let Some(conflict) = &answer.conflict {
        ensure!(conflict.minimal, "no limit, and yet a conflict that may not be minimal");
    }
    if query.ties == TieBreak::Canonical && answer.status == Status::Optimal {
        let cheapest = judged.cheapest();
        let values = answer.solution.as_ref().map(|solution| &solution.values);
        ensure!(values == Some(&cheapest[0].values), "{values:?} is not the first of {cheapest:?}");
        ensure!(answer.unique == Some(cheapest.len() == 1), "unique: {:?}", answer.unique);
    }
    Ok(())
}

/// Checks what an answer claims, which may be little if a limit ended the search.
pub fn check_limited(plain: &Plain, query: &Query, judged: &Judged, answer: &Answer) -> Result<(), String> {
    let cheapest = judged.cheapest();
    let least = cheapest.first().map(|world| world.cost);
    ensure!(
        least.is_none_or(|least| i128::from(answer.bound) <= least),
        "a bound of {} above the least cost {least:?}",
        answer.bound
    );
    ensure!(answer.conflict.is_none() || answer.status == Status::Infeasible, "a conflict of something");
    ensure!(answer.unique.is_none() || answer.status == Status::Optimal, "unique, but perhaps not optimal");
    ensure!(answer.unique.is_none_or(|unique| unique == (cheapest.len() == 1)), "wrongly unique or not");
    match (answer.status, &answer.solution) {
        (Status::Optimal | Status::Feasible, Some(solution)) => {
            let Some(world) = judged.obedient(&solution.values) else {
                return Err(format!("{:?} violates something hard", solution.values));
            };
            ensure!(i128::from(solution.cost) == world.cost, "{} is not {}", solution.cost, world.cost);
            ensure!(solution.violated == world.violated, "{:?}, not {:?}", solution.violated, world.violated);
            let expected = repairs(plain, query, &solution.values);
            ensure!(solution.repairs == expected, "repairs {:?}, not {expected:?}", solution.repairs);
            if answer.status == Status::Optimal {
                ensure!(Some(world.cost) == least, "a cost of {} is not the least: {least:?}", world.cost);
                ensure!(answer.bound == solution.cost, "{} proved of {}", answer.bound, solution.cost);
            }
        }
        (Status::Infeasible, None) => {
            ensure!(least.is_none(), "infeasible, and yet {:?}", cheapest[0]);
            let conflict = answer.conflict.as_ref().ok_or("infeasible without a conflict")?;
            check_conflict(judged, conflict)?;
        }
        (Status::Unknown, None) => (),
        (status, solution) => return Err(format!("{status:?} with {solution:?}")),
    }
    Ok(())
}

/// Checks that the pieces cannot all hold, and that all but any one of them can.
fn check_conflict(judged: &Judged, conflict: &Conflict) -> Result<(), String> {
    let pieces = &conflict.pieces;
    ensure!(pieces.windows(2).all(|pair| pair[0] < pair[1]), "{pieces:?} are not in order");
    ensure!(pieces.iter().all(|piece| judged.hard.contains(piece)), "{pieces:?} are not all hard");
    ensure!(judged.is_conflict(pieces), "{pieces:?} can all hold");
    for place in 0..pieces.len() {
        let mut fewer = pieces.clone();
        let left_out = fewer.remove(place);
        let is_needed = !judged.is_conflict(&fewer);
        ensure!(is_needed || !conflict.minimal, "{pieces:?} conflict without {left_out:?} too");
    }
    Ok(())
}
