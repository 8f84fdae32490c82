//! Planning: the cheapest path that obeys the learned rules.
//!
//! A cell of the path costs its length, [`LENGTH`], and its risk; obstacles that are certain are blocked.
//! [`Planner::generic`] asks the exact reasoner: it takes whatever rules were learned. [`Planner::compiled`]
//! is Dijkstra's algorithm, for rules that are proved to say "a path"; see [`super::CompiledPlanner`]. That
//! short paths are wanted is declared, not learned: [`shown_shortest`] says how far demonstrations agree.

use preceptron_logic::RuleSet;
use preceptron_reason::ReasonError;

use super::{Cell, CompiledPlanner, GenericPlanner, Grid, Lesson, Preferences};

/// What each cell of a path costs.
pub const LENGTH: i64 = 1000;

/// A question to a planner.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Where the path begins.
    pub start: Cell,
    /// Where it ends.
    pub end: Cell,
    /// For each cell whether there is an obstacle for sure.
    pub blocked: &'a [bool],
    /// For each cell what a path through it costs beyond its length: not negative.
    pub risk: &'a [i64],
}

/// An answer of a planner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The cells from start to end, both among them.
    pub path: Vec<Cell>,
    /// Their lengths and risks.
    pub cost: i64,
}

/// Why there is no answer to a question, not even that there is no path.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The question is not about the planner's grid.
    #[error("{what} has {given} entries, and the grid has {cells} cells")]
    Size {
        /// What does not fit.
        what: &'static str,
        /// How many entries it has.
        given: usize,
        /// How many cells there are.
        cells: usize,
    },
    /// An end is not on the grid.
    #[error("row {row}, column {column} is not on a grid of {rows} rows and {columns} columns")]
    Outside {
        /// The end's row.
        row: usize,
        /// The end's column.
        column: usize,
        /// How many rows there are.
        rows: usize,
        /// How many columns there are.
        columns: usize,
    },
    /// A risk is a gain.
    #[error("the risk of row {row}, column {column} is {risk}, and must not be negative")]
    Risk {
        /// The cell's row.
        row: usize,
        /// The cell's column.
        column: usize,
        /// Its risk.
        risk: i64,
    },
    /// The rules cannot be compiled.
    #[error(
        "the rules are not those of a path: {missing} of its rules do not follow, {extra} others were learned"
    )]
    NotAPathRule {
        /// How many rules of paths the learned ones do not imply.
        missing: usize,
        /// How many learned rules those of paths do not imply.
        extra: usize,
    },
    /// The cheapest cells that obey the rules are no path from start to end.
    #[error("the cheapest {cells} cells that obey the rules are no path: the rules are too weak")]
    NotAPath {
        /// How many cells there are.
        cells: usize,
    },
    /// The reasoner fails.
    #[error(transparent)]
    Reason(#[from] ReasonError),
}

impl Request<'_> {
    /// Whether the question is about the grid.
    pub(super) fn check(&self, grid: &Grid) -> Result<(), PlanError> {
        for (what, given) in [("the map", self.blocked.len()), ("the risk", self.risk.len())] {
            if given != grid.len() {
                return Err(PlanError::Size { what, given, cells: grid.len() });
            }
        }
        for Cell { row, column } in [self.start, self.end] {
            if row >= grid.rows || column >= grid.columns {
                return Err(PlanError::Outside { row, column, rows: grid.rows, columns: grid.columns });
            }
        }
        if let Some(number) = self.risk.iter().position(|risk| *risk < 0) {
            let Cell { row, column } = grid.cell(number);
            return Err(PlanError::Risk { row, column, risk: self.risk[number] });
        }
        Ok(())
    }
}

/// A way of planning.
pub enum Planner {
    /// By the exact reasoner. It knows no preferences among equally cheap paths.
    Generic(Box<GenericPlanner>),
    /// By Dijkstra's algorithm, with the preferences that were learned, if any.
    Compiled(CompiledPlanner, Option<Box<Preferences>>),
}

impl Planner {
    /// A planner by the exact reasoner, for relative rules on a grid.
    pub fn generic(rules: &RuleSet, grid: &Grid) -> Planner {
        Planner::Generic(Box::new(GenericPlanner::new(rules, grid)))
    }

    /// A planner by Dijkstra's algorithm, for relative rules on a grid.
    ///
    /// # Errors
    /// If the rules are not proved to be those of a path.
    pub fn compiled(rules: &RuleSet, grid: &Grid) -> Result<Planner, PlanError> {
        Ok(Planner::Compiled(CompiledPlanner::new(rules, grid)?, None))
    }

    /// The compiled planner if the rules can be compiled, and else the generic one.
    pub fn new(rules: &RuleSet, grid: &Grid) -> Planner {
        Planner::compiled(rules, grid).unwrap_or_else(|_| Planner::generic(rules, grid))
    }

    /// The cheapest path; nothing if there is none.
    ///
    /// # Errors
    /// If the question is not about the grid, or the answer is no path because the rules are too weak.
    pub fn plan(&self, request: &Request) -> Result<Option<Plan>, PlanError> {
        match self {
            Planner::Generic(planner) => planner.plan(request),
            Planner::Compiled(planner, preferences) => planner.plan(request, preferences.as_deref()),
        }
    }
}

/// How many demonstrations are as short as any path among the obstacles known to be there, and how many
/// were looked at: those of which obstacles are known.
///
/// # Errors
/// If a demonstration is not on the planner's grid.
pub fn shown_shortest(planner: &CompiledPlanner, lessons: &[Lesson]) -> Result<(usize, usize), PlanError> {
    let (mut shortest, mut known) = (0, 0);
    for lesson in lessons {
        let Some(map) = lesson.obstacles else { continue };
        let shown = lesson.demonstration;
        let risk = vec![0; map.blocked.len()];
        let request = Request { start: shown.start, end: shown.end, blocked: &map.blocked, risk: &risk };
        let length = planner.plan(&request, None)?.map(|plan| plan.path.len());
        known += 1;
        shortest += usize::from(length == Some(shown.path.len()));
    }
    Ok((shortest, known))
}

/// Whether cells are a path: each a neighbour of the one before, from start to end.
pub(super) fn is_connected(path: &[Cell], start: Cell, end: Cell) -> bool {
    let steps = path.windows(2).all(|pair| {
        let [a, b] = [pair[0], pair[1]];
        a != b && a.row.abs_diff(b.row) <= 1 && a.column.abs_diff(b.column) <= 1
    });
    steps && path.first() == Some(&start) && path.last() == Some(&end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driving::rules::{absolute, relative_to_a_cell};
    use crate::driving::test_maps::{breadth_first, lessons, trials};
    use crate::driving::{
        Demonstration, Kind, LearnedRules, Map, PreferenceSettings, RuleSettings, degree_rules, learn_rules,
        on_grid, risk,
    };
    use preceptron_base::stream;
    use preceptron_logic::{Constraint, Rule, Var};
    use rand::RngExt;

    fn learned() -> LearnedRules {
        let grid = Grid::default();
        learn_rules(
            &grid,
            &lessons(&trials(&grid, 0.05, 1, 500)),
            &RuleSettings::default(),
            &preceptron_base::Quiet,
        )
        .unwrap()
    }

    /// A map of any size, density, start and end; also such that there is no way, or an end is blocked.
    fn any_map(item: u64) -> (Map, Cell, Cell) {
        let mut random = stream(5, "any map", item);
        let grid = Grid {
            rows: random.random_range(1..=12),
            columns: random.random_range(1..=12),
            ..Grid::default()
        };
        let density = random.random_range(0.0..0.5);
        let mut map = Map::empty(grid);
        map.blocked.iter_mut().for_each(|blocked| *blocked = random.random_bool(density));
        let [start, end] = [(); 2].map(|()| grid.cell(random.random_range(0..grid.len())));
        (map, start, end)
    }

    /// Whether a path obeys rules put on its grid.
    fn obeys(rules: &RuleSet, grid: &Grid, blocked: &[bool], path: &[Cell]) -> bool {
        let (start, end) = (path[0], path[path.len() - 1]);
        let value = |var: Var| {
            let cell = grid.cell(var.index() % grid.len());
            match Kind::ALL[var.index() / grid.len()] {
                Kind::Start => cell == start,
                Kind::End => cell == end,
                Kind::Path => path.contains(&cell),
                Kind::Obstacle => blocked[grid.number(cell)],
            }
        };
        assert_eq!(absolute(grid, Kind::Path, 0).index(), 2 * grid.len());
        on_grid(rules, grid).constraints().all(|constraint| constraint.holds(value))
    }

    /// By rules learned on 10x10 maps with few obstacles, on 10,000 other maps: a plan wherever there is a
    /// way, never disconnected, never through an obstacle, never too long, with preferences and without.
    #[test]
    fn ten_thousand_maps() {
        let rules = learned().rules;
        let grid = Grid::default();
        let preferences =
            Preferences::learn(&grid, &lessons(&trials(&grid, 0.05, 2, 100)), &PreferenceSettings::default());
        let proved = CompiledPlanner::new(&rules, &grid).unwrap();
        let mut ways = 0;
        for item in 0..10_000 {
            let (map, start, end) = any_map(item);
            let planner = proved.on(&map.grid);
            let request = Request { start, end, blocked: &map.blocked, risk: &vec![0; map.grid.len()] };
            let length = breadth_first(&map, start, end).map(|path| path.len());
            for preferences in [None, Some(&preferences)] {
                let plan = planner.plan(&request, preferences).unwrap();
                assert_eq!(plan.as_ref().map(|plan| plan.path.len()), length, "item {item}");
                let Some(Plan { path, cost }) = plan else { continue };
                assert!(is_connected(&path, start, end), "item {item}");
                assert!(path.iter().all(|cell| !map.is_blocked(*cell)), "item {item}");
                assert_eq!(cost, LENGTH * path.len() as i64);
                assert!(item % 20 > 0 || obeys(&rules, &map.grid, &map.blocked, &path), "item {item}");
            }
            ways += u32::from(length.is_some());
        }
        assert!((3_000..9_000).contains(&ways), "{ways} of 10,000 maps have a way");
    }

    #[test]
    fn generic_plans_cost_what_compiled_ones_do() {
        let rules = learned().rules;
        for item in 0..60 {
            let (map, start, end) = any_map(item);
            let mut random = stream(6, "risk", item);
            let likely: Vec<f64> = (0..map.grid.len()).map(|_| random.random::<f64>().powi(4)).collect();
            for kappa in [0.0, 3.0] {
                let risk = risk(&likely, kappa);
                let request = Request { start, end, blocked: &map.blocked, risk: &risk };
                let generic = Planner::generic(&rules, &map.grid).plan(&request).unwrap();
                let compiled = Planner::new(&rules, &map.grid).plan(&request).unwrap();
                let cost = |plan: &Option<Plan>| plan.as_ref().map(|plan| plan.cost);
                assert_eq!(cost(&generic), cost(&compiled), "item {item}");
                for Plan { path, .. } in generic.iter().chain(&compiled) {
                    assert!(is_connected(path, start, end), "item {item}");
                    assert!(obeys(&rules, &map.grid, &map.blocked, path), "item {item}");
                }
            }
        }
    }

    /// A planner answers a later question as a fresh one does.
    #[test]
    fn one_planner_many_questions() {
        let grid = Grid::default();
        let generic = Planner::generic(&degree_rules(), &grid);
        let risk = vec![0; grid.len()];
        for (map, Demonstration { start, end, path }) in trials(&grid, 0.2, 8, 20) {
            let request = Request { start, end, blocked: &map.blocked, risk: &risk };
            let plan = generic.plan(&request).unwrap().unwrap();
            assert_eq!(plan.path.len(), path.len());
            assert_eq!(Planner::generic(&degree_rules(), &grid).plan(&request).unwrap(), Some(plan));
        }
    }

    #[test]
    fn other_rules_are_not_compiled() {
        let grid = Grid::default();
        let all = degree_rules();
        for without in all.relative() {
            let rest = all.relative().iter().filter(|rule| *rule != without);
            let rest = RuleSet::of_relative(rest.cloned());
            let error = CompiledPlanner::new(&rest, &grid).unwrap_err();
            assert!(matches!(error, PlanError::NotAPathRule { missing: 1, extra: 0 }), "{error}");
        }
        let mut more = all.clone();
        let never = Rule::given(Constraint::exactly(0, [Var(30).positive()]));
        more.insert_relative(relative_to_a_cell(&[never]).relative()[0].clone());
        assert_eq!(
            CompiledPlanner::new(&more, &grid).unwrap_err().to_string(),
            "the rules are not those of a path: 0 of its rules do not follow, 1 others were learned"
        );
        assert!(matches!(Planner::new(&more, &grid), Planner::Generic(_)));
    }

    #[test]
    fn questions_that_do_not_fit() {
        let grid = Grid { rows: 2, columns: 2, ..Grid::default() };
        let planner = Planner::new(&degree_rules(), &grid);
        let corner = Cell { row: 0, column: 0 };
        let fits = Request { start: corner, end: corner, blocked: &[false; 4], risk: &[0; 4] };
        assert_eq!(planner.plan(&fits).unwrap(), Some(Plan { path: vec![corner], cost: LENGTH }));
        let error = |request: &Request| planner.plan(request).unwrap_err().to_string();
        assert_eq!(
            error(&Request { blocked: &[false; 3], ..fits }),
            "the map has 3 entries, and the grid has 4 cells"
        );
        assert_eq!(
            error(&Request { end: Cell { row: 2, column: 1 }, ..fits }),
            "row 2, column 1 is not on a grid of 2 rows and 2 columns"
        );
        assert_eq!(
            error(&Request { risk: &[0, 0, -5, 0], ..fits }),
            "the risk of row 1, column 0 is -5, and must not be negative"
        );
    }

    #[test]
    fn demonstrations_are_shortest() {
        let grid = Grid::default();
        let mut trials = trials(&grid, 0.05, 3, 50);
        let planner = CompiledPlanner::new(&degree_rules(), &grid).unwrap();
        assert_eq!(shown_shortest(&planner, &lessons(&trials)).unwrap(), (50, 50));
        let again = trials[0].1.path[0];
        trials[0].1.path.push(again);
        assert_eq!(shown_shortest(&planner, &lessons(&trials)).unwrap(), (49, 50));
    }
}
