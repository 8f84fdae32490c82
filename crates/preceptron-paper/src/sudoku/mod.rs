//! Visual Sudoku: our schedules, their ablations, and rivals, on SATNet's boards, RRN's, and generated ones of 4x4.
//!
//! Figures are named `set.way.what`: `satnet.pinned.total` is the share of SATNet's test boards that are right where
//! the first reading is pinned. The ways of rivals are `answer`, those of ours `pinned` (as in the paper) and `likeliest`;
//! of joint training also `rows.pinned`, by the rows as they are, rounded, before examples confirm them. What is
//! measured: `perception`, `solving` and `total`, of boards, and of cells with `_cells` behind it.

mod boards;
mod judged;
mod ours;
mod rivals;

use preceptron::TaskResult;
use serde_json::{Value, json};

use crate::unit::{Boards, Method};
use crate::work::{Bench, Found, Work};

pub use boards::is_generated;
pub use judged::WHAT;

/// What units of these boards depend on.
pub fn made_with(bench: &Bench, boards: Boards) -> Value {
    let scale = &bench.scale;
    let files: Vec<Value> = boards.judged_on().iter().map(|set| boards::told(bench, *set)).collect();
    json!({
        "boards": files, "counts": scale.boards(boards), "steps": scale.steps, "recurrences": scale.recurrences,
        "messages": scale.messages, "looked_at": scale.looked_at,
    })
}

/// Measures a unit.
///
/// # Errors
/// If boards cannot be read, or training fails.
pub fn measure(work: &Work<'_>, boards: Boards) -> TaskResult<Option<Found>> {
    match work.unit.method {
        Method::Ours | Method::Joint | Method::Ntr | Method::Ndc => ours::measure(work, boards),
        _ => rivals::measure(work, boards),
    }
}
