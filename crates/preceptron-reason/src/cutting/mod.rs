//! A search on pseudo-Boolean rows that learns by cutting planes, and can write down a proof of all it learns.
//!
//! ```text
//! conflict   sum a_i l_i >= A          reason of l   b l + sum b_j l_j >= B
//!            weaken what is not false and not a multiple of b, divide the reason by b, rounding up,
//!            add it as often as the conflict needs to lose ~l, saturate
//! ```
//!
//! | symbol | here |
//! |---|---|
//! | slack, what literals that are not false add up to, less the degree | `Stored::slack` |
//! | `a_i`, `A` of the conflict | `Draft` |
//! | what was done, in reverse Polish | `steps` |
//!
//! That is conflict analysis by division (as in RoundingSat). A row that is learned is a line `pol` of the proof, so
//! that a checker only adds and divides. Sums stay sums: pigeons in holes, knapsacks and long counts need few
//! steps where clauses need exponentially many.

mod analysis;
mod cheapest;
mod heap;
mod lagrange;
mod log;
mod row;
mod search;

pub use self::cheapest::{Cheapest, cheapest};
use self::heap::Heap;
pub use self::log::{Log, Version, assignment, name, row as row_text};
use self::row::Draft;
pub use self::row::{Code, Row};
use crate::sat::Budget;

/// No row is the reason.
const NONE: u32 = u32::MAX;

/// A row in the search.
struct Stored {
    row: Row,
    /// With the values counted so far.
    slack: i64,
    /// Its number in the proof.
    number: u64,
    /// How often it was of use, for what was learned; infinite for all else.
    worth: f32,
    is_gone: bool,
}

/// A search.
pub struct Cutting<'a, 'b> {
    rows: Vec<Stored>,
    /// By literal: the rows that it is in, and its weight there.
    occurs: Vec<Vec<(u32, i64)>>,
    /// By variable: 1 true, -1 false, 0 open.
    value: Vec<i8>,
    level: Vec<u32>,
    reason: Vec<u32>,
    place: Vec<u32>,
    trail: Vec<Code>,
    /// How long the trail was when each level was begun.
    begun: Vec<usize>,
    /// How much of the trail is counted in the slacks.
    counted: usize,
    heap: Heap,
    /// By variable: the value that it had last.
    phase: Vec<bool>,
    draft: Draft,
    steps: String,
    log: Option<&'a mut Log<'b>>,
    conflicts: u64,
    learned: usize,
    /// Terms of what was learned.
    learned_terms: usize,
    /// Decide variables in order, false first.
    in_order: bool,
    /// The number of the row that nothing satisfies.
    refuted: Option<u64>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// An assignment that satisfies all rows.
    Values(Vec<bool>),
    /// That there is none, with the number in the proof.
    Nothing(u64),
    /// Neither, in time.
    Unknown,
}

impl<'a, 'b> Cutting<'a, 'b> {
    /// A search over variables `0..variables` without rows.
    pub fn new(variables: usize, log: Option<&'a mut Log<'b>>) -> Cutting<'a, 'b> {
        Cutting {
            rows: Vec::new(),
            occurs: vec![Vec::new(); 2 * variables],
            value: vec![0; variables],
            level: vec![0; variables],
            reason: vec![NONE; variables],
            place: vec![0; variables],
            trail: Vec::new(),
            begun: Vec::new(),
            counted: 0,
            heap: Heap::new(variables),
            phase: vec![false; variables],
            draft: Draft::default(),
            steps: String::new(),
            log,
            conflicts: 0,
            learned: 0,
            learned_terms: 0,
            in_order: false,
            refuted: None,
        }
    }

    /// The proof.
    pub fn log(&mut self) -> Option<&mut Log<'b>> {
        self.log.as_deref_mut()
    }

    /// The value that a variable is tried with first.
    pub fn prefer(&mut self, values: &[bool]) {
        self.phase.copy_from_slice(values);
    }

    fn is_true(&self, literal: Code) -> bool {
        self.value[(literal >> 1) as usize] == if literal & 1 == 1 { -1 } else { 1 }
    }

    fn is_false(&self, literal: Code) -> bool {
        self.is_true(literal ^ 1)
    }

    /// Adds a row that has this number in the proof, with nothing decided.
    pub fn add(&mut self, row: Row, number: u64) {
        self.back_to(0);
        self.store(row, number, f32::INFINITY);
    }

    /// Stores a row at the present values.
    fn store(&mut self, row: Row, number: u64, worth: f32) -> u32 {
        let at = self.rows.len() as u32;
        let mut slack = row.total() - row.degree;
        for &(weight, literal) in &row.terms {
            self.occurs[literal as usize].push((at, weight));
            let is_counted = (self.place[(literal >> 1) as usize] as usize) < self.counted;
            if self.is_false(literal) && is_counted {
                slack -= weight;
            }
        }
        self.rows.push(Stored { row, slack, number, worth, is_gone: false });
        at
    }

    fn set(&mut self, literal: Code, reason: u32) {
        let variable = (literal >> 1) as usize;
        self.value[variable] = if literal & 1 == 1 { -1 } else { 1 };
        self.level[variable] = self.begun.len() as u32;
        self.reason[variable] = reason;
        self.place[variable] = self.trail.len() as u32;
        self.trail.push(literal);
    }

    /// Gives values to what a row forces; false if it cannot be satisfied.
    fn infer(&mut self, at: u32) -> bool {
        let slack = self.rows[at as usize].slack;
        if slack < 0 {
            return false;
        }
        let mut next = 0;
        while let Some(&(weight, literal)) = self.rows[at as usize].row.terms.get(next) {
            if weight <= slack {
                break;
            }
            next += 1;
            if self.value[(literal >> 1) as usize] == 0 {
                self.set(literal, at);
            }
        }
        true
    }

    /// Propagates; the row that cannot be satisfied, if there is one.
    fn propagate(&mut self) -> Option<u32> {
        while let Some(&literal) = self.trail.get(self.counted) {
            self.counted += 1;
            let falsified = (literal ^ 1) as usize;
            let mut violated = None;
            for next in 0..self.occurs[falsified].len() {
                let (at, weight) = self.occurs[falsified][next];
                let stored = &mut self.rows[at as usize];
                stored.slack -= weight;
                if violated.is_none() && stored.slack < stored.row.heaviest() && !self.infer(at) {
                    violated = Some(at);
                }
            }
            if violated.is_some() {
                return violated;
            }
        }
        None
    }

    /// Takes back all that came after the first levels.
    fn back_to(&mut self, levels: usize) {
        let Some(&count) = self.begun.get(levels) else { return };
        self.begun.truncate(levels);
        while self.trail.len() > count {
            let Some(literal) = self.trail.pop() else { return };
            if self.trail.len() < self.counted {
                self.counted = self.trail.len();
                for &(at, weight) in &self.occurs[(literal ^ 1) as usize] {
                    self.rows[at as usize].slack += weight;
                }
            }
            let variable = (literal >> 1) as usize;
            self.phase[variable] = self.value[variable] > 0;
            self.value[variable] = 0;
            self.heap.insert(variable as u32);
        }
    }

    /// Forgets the half of what was learned that was of least use.
    fn forget(&mut self) {
        let mut worths: Vec<f32> =
            self.rows.iter().filter(|one| one.worth.is_finite()).map(|one| one.worth).collect();
        worths.sort_unstable_by(f32::total_cmp);
        let Some(&median) = worths.get(worths.len() / 2) else { return };
        self.back_to(0);
        let reasons: std::collections::HashSet<u32> =
            self.trail.iter().map(|literal| self.reason[(literal >> 1) as usize]).collect();
        let mut gone = Vec::new();
        for (at, stored) in (0u32..).zip(&mut self.rows) {
            if stored.worth < median && stored.row.terms.len() > 2 && !reasons.contains(&at) {
                stored.is_gone = true;
                gone.push(stored.number.to_string());
            }
        }
        if let Some(log) = self.log.as_deref_mut()
            && !gone.is_empty()
        {
            log.line(&format!("del id {}", gone.join(" ")));
        }
        // What is left moves together.
        let mut moved = vec![NONE; self.rows.len()];
        let mut next = 0;
        for (at, stored) in self.rows.iter().enumerate() {
            if !stored.is_gone {
                moved[at] = next;
                next += 1;
            }
        }
        self.rows.retain(|stored| !stored.is_gone);
        for literal in &self.trail {
            let reason = &mut self.reason[(literal >> 1) as usize];
            if *reason != NONE {
                *reason = moved[*reason as usize];
            }
        }
        for occurs in &mut self.occurs {
            occurs.retain_mut(|(at, _)| {
                *at = moved[*at as usize];
                *at != NONE
            });
        }
        self.learned -= gone.len();
        let learned = self.rows.iter().filter(|one| one.worth.is_finite());
        self.learned_terms = learned.map(|one| one.row.terms.len()).sum();
    }

    /// Whether a limit ends the search.
    fn is_over(&self, budget: &Budget) -> bool {
        let is_over = budget.conflicts.is_some_and(|most| self.conflicts >= most)
            || budget.is_over()
            || budget.is_full();
        is_over || self.log.as_ref().is_some_and(|log| log.failed.is_some())
    }
}
