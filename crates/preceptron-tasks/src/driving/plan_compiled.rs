//! Planning by Dijkstra's algorithm, for rules that are proved to be those of a path.
//!
//! **When.** The learned relative rules must be equivalent to [`degree_rules`], proved both ways by a
//! solver over the variables of one patch. Rules on a grid are the relative ones with the patch's variables
//! replaced by those of cells, and by "false" beyond the edge. Replacing variables keeps an equivalence, so
//! the proof on the patch is one for every cell of every grid.
//!
//! **Why.** By the rules every cell of the path but the ends has two neighbours on the path, and the ends
//! have one (or none, where start and end are one cell). So the cells are one path from start to end, no
//! cell of which touches another but the one before and the one after, and perhaps loops. Cells cost at least
//! [`LENGTH`], so the cheapest has no loops. Conversely the cheapest of all paths has no touching cells: a
//! shortcut would leave out k >= 1 cells, and with them at least k * [`LENGTH`].
//!
//! **Preferences** add a little to each move, up to [`Preferences::MOST`] either way, which may change with the
//! shortcut. It takes k + 1 moves out and puts one in, so it saves more than it costs as long as
//! (k + 2) * [`Preferences::MOST`] < k * [`LENGTH`], that is for every k if three times the most is below the
//! length. So no plan touches itself with preferences either, and costs of moves stay positive.
//!
//! **Steps** across a corner may cost as far as they lead ([`Steps::Metric`]). A shortcut then takes out k + 1
//! moves of at least [`LENGTH`] each and puts in one of at most 1.415 times that, so all of this holds as it is, with
//! preferences as long as three times the most is below 0.585 of the length.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use preceptron_logic::RuleSet;
use preceptron_reason::equivalent;

use super::rules::on_patch;
use super::{Cell, Grid, LENGTH, Plan, PlanError, Preferences, Request, Steps, degree_rules};

/// A planner by Dijkstra's algorithm.
#[derive(Clone, Debug)]
pub struct CompiledPlanner {
    grid: Grid,
    steps: Steps,
}

impl CompiledPlanner {
    /// Proves that relative rules are those of a path.
    ///
    /// # Errors
    /// If they are not.
    pub fn new(rules: &RuleSet, grid: &Grid) -> Result<CompiledPlanner, PlanError> {
        let path = degree_rules();
        let extra = rules.len() + rules.relative().len();
        let neither = PlanError::NotAPathRule { missing: path.relative().len(), extra };
        // Rules over other variables say nothing of a patch, and are not proved to be anything.
        let patches = on_patch(rules.relative()).filter(|_| rules.is_empty()).zip(on_patch(path.relative()));
        match patches.map(|(rules, path)| equivalent(&rules, &path)) {
            Some(Ok(proved)) if proved.is_equivalent() => {
                Ok(CompiledPlanner { grid: *grid, steps: Steps::Equal })
            }
            Some(Ok(other)) => {
                Err(PlanError::NotAPathRule { missing: other.missing.len(), extra: other.extra.len() })
            }
            _ => Err(neither),
        }
    }

    /// The same planner on another grid: the proof is one for every grid.
    #[must_use]
    pub fn on(&self, grid: &Grid) -> CompiledPlanner {
        CompiledPlanner { grid: *grid, ..*self }
    }

    /// The same planner with other costs of steps; at first all steps cost the same.
    #[must_use]
    pub fn stepping(&self, steps: Steps) -> CompiledPlanner {
        CompiledPlanner { steps, ..*self }
    }

    /// What steps cost.
    pub fn steps(&self) -> Steps {
        self.steps
    }

    /// What the steps of a path cost, in steps of which one along a row costs [`LENGTH`].
    pub fn length(&self, path: &[Cell]) -> i64 {
        path.windows(2).map(|pair| length(self.steps, pair[0], pair[1])).sum()
    }

    /// The grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The cheapest path; nothing if there is none. Of equally cheap ones it is always the same.
    ///
    /// # Errors
    /// If the question is not about the grid.
    pub fn plan(
        &self,
        request: &Request,
        preferences: Option<&Preferences>,
    ) -> Result<Option<Plan>, PlanError> {
        request.check(&self.grid)?;
        let risk = |cell: Cell| request.risk[self.grid.number(cell)];
        let path = cheapest(&self.grid, request, |from, to| {
            let tie = preferences.map_or(0, |preferences| preferences.cost(from, to, request.end));
            (length(self.steps, from, to) + risk(to)) * Preferences::FINE + tie
        });
        let cost =
            |path: &[Cell]| LENGTH + self.length(path) + path.iter().map(|&cell| risk(cell)).sum::<i64>();
        Ok(path.map(|path| Plan { cost: cost(&path), path }))
    }
}

/// What a step costs, in steps of which one along a row costs [`LENGTH`].
pub(super) fn length(steps: Steps, from: Cell, to: Cell) -> i64 {
    (steps.cost(from, to) / 1000) as i64 * LENGTH / 1000
}

/// The path over free cells whose moves cost least; each costs more than nothing.
pub(super) fn cheapest(
    grid: &Grid,
    request: &Request,
    step: impl Fn(Cell, Cell) -> i64,
) -> Option<Vec<Cell>> {
    let is_free = |cell: Cell| !request.blocked[grid.number(cell)];
    if !is_free(request.start) || !is_free(request.end) {
        return None;
    }
    let first = grid.number(request.start);
    let mut best = vec![(i64::MAX, first); grid.len()];
    best[first].0 = 0;
    let mut open = BinaryHeap::from([(Reverse(0), first)]);
    while let Some((Reverse(cost), number)) = open.pop() {
        let cell = grid.cell(number);
        if cell == request.end {
            break;
        }
        if cost > best[number].0 {
            continue;
        }
        for next in grid.neighbours(cell).filter(|next| is_free(*next)) {
            let through = cost + step(cell, next);
            let known = &mut best[grid.number(next)];
            if through < known.0 {
                *known = (through, number);
                open.push((Reverse(through), grid.number(next)));
            }
        }
    }
    let mut number = grid.number(request.end);
    if best[number].0 == i64::MAX {
        return None;
    }
    let mut path = vec![request.end];
    while number != first {
        number = best[number].1;
        path.push(grid.cell(number));
    }
    path.reverse();
    Some(path)
}
