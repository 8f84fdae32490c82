//! What a conflict teaches: the violated row, with reasons added to it until it says something at an earlier level.

use std::fmt::Write as _;

use super::row::{Code, LARGEST};
use super::{Cutting, NONE, name};

/// Weights of a conflict are kept below this, by dividing.
const LARGE: i128 = 1_000_000_000;

impl Cutting<'_, '_> {
    /// Learns from a violated row, and goes back to where the new row says something. False if it says that there
    /// is no assignment.
    pub(super) fn learn(&mut self, violated: u32) -> bool {
        self.conflicts += 1;
        self.begin(violated);
        let mut end = self.trail.len();
        let mut back = self.level_of_use(end);
        while back.is_none() {
            // The last literal that made something of the conflict false.
            end -= 1;
            let literal = self.trail[end];
            let weight = self.draft.weight(literal ^ 1);
            if weight == 0 {
                continue;
            }
            let reason = self.reason[(literal >> 1) as usize];
            if reason != NONE {
                self.resolve(reason, literal, weight, end);
                self.shrink(end);
            }
            back = self.level_of_use(end);
            if reason == NONE && back.is_none() {
                // Without the decision the row forces its opposite, so this does not come about.
                debug_assert!(false, "a conflict says nothing at its own decision");
                back = Some(0);
            }
        }
        for (_, literal) in self.draft.terms() {
            self.heap.bump(literal >> 1);
        }
        self.heap.decay();
        let row = self.draft.row();
        let number = match self.log.as_deref_mut() {
            Some(log) => log.adds(&format!("pol {}", self.steps)),
            None => 0,
        };
        let Some(row) = row else {
            debug_assert!(false, "weights were kept small");
            return true;
        };
        self.back_to(back.unwrap_or(0));
        let is_refutation = row.total() < row.degree;
        self.learned_terms += row.terms.len();
        let at = self.store(row, number, self.conflicts as f32);
        self.learned += 1;
        if is_refutation {
            self.refuted = Some(number);
            return false;
        }
        if self.infer(at) {
            return true;
        }
        // It is violated where it was thought to say something: it teaches more.
        match self.begun.len() {
            0 => {
                self.refute(at);
                false
            }
            _ => self.learn(at),
        }
    }

    /// Adds reasons to a row that is violated with nothing decided until no assignment satisfies it.
    pub(super) fn refute(&mut self, violated: u32) {
        self.begin(violated);
        for end in (0..self.trail.len()).rev() {
            let literal = self.trail[end];
            let weight = self.draft.weight(literal ^ 1);
            if weight > 0 {
                self.resolve(self.reason[(literal >> 1) as usize], literal, weight, end);
                self.shrink(end);
            }
        }
        debug_assert!(
            self.draft.terms().map(|(w, _)| w).sum::<i128>() < self.draft.degree,
            "a contradiction"
        );
        let number = self.log.as_deref_mut().map_or(0, |log| log.adds(&format!("pol {}", self.steps)));
        self.refuted = Some(number);
    }

    fn begin(&mut self, violated: u32) {
        let stored = &mut self.rows[violated as usize];
        if stored.worth.is_finite() {
            stored.worth = self.conflicts as f32;
        }
        self.draft.clear();
        self.draft.degree = i128::from(stored.row.degree);
        stored.row.terms.iter().for_each(|&(weight, literal)| self.draft.add(i128::from(weight), literal));
        self.steps.clear();
        let _ = write!(self.steps, "{}", stored.number);
        self.draft.saturate();
        self.steps.push_str(" s");
    }

    /// Whether a literal was false before the `end`th value came.
    fn was_false(&self, literal: Code, end: usize) -> bool {
        self.is_false(literal) && (self.place[(literal >> 1) as usize] as usize) < end
    }

    /// Adds the reason of a literal, so that its opposite is gone from the conflict.
    fn resolve(&mut self, reason: u32, literal: Code, times: i128, end: usize) {
        let stored = &mut self.rows[reason as usize];
        if stored.worth.is_finite() {
            stored.worth = self.conflicts as f32;
        }
        let number = stored.number;
        let stored = &self.rows[reason as usize];
        let own =
            stored.row.terms.iter().find(|(_, other)| *other == literal).map_or(1, |(weight, _)| *weight);
        let _ = write!(self.steps, " {number}");
        let mut degree = stored.row.degree;
        let mut kept: Vec<(i64, Code)> = Vec::with_capacity(stored.row.terms.len());
        for &(weight, other) in &stored.row.terms {
            if other != literal && weight % own != 0 && !self.was_false(other, end) {
                degree -= weight;
                let _ = write!(self.steps, " {} w", name(other & !1));
            } else {
                kept.push((weight, other));
            }
        }
        let up = |number: i64| number / own + i64::from(number % own != 0);
        if own > 1 {
            let _ = write!(self.steps, " {own} d");
        }
        if times > 1 {
            let _ = write!(self.steps, " {times} *");
        }
        self.draft.degree += i128::from(up(degree.max(0))) * times;
        for (weight, other) in kept {
            self.draft.add(i128::from(up(weight)) * times, other);
            if weight * 4 >= own {
                self.heap.bump(other >> 1);
            }
        }
        self.draft.saturate();
        self.steps.push_str(" + s");
    }

    /// Makes large weights small: what is not false and no multiple is weakened away, and all is divided.
    fn shrink(&mut self, end: usize) {
        let largest = self.draft.terms().map(|(weight, _)| weight).max().unwrap_or(0).max(self.draft.degree);
        let divisor = largest / LARGE + 1;
        if divisor == 1 {
            return;
        }
        let odd: Vec<Code> = self
            .draft
            .terms()
            .filter(|&(weight, literal)| weight % divisor != 0 && !self.was_false(literal, end))
            .map(|(_, literal)| literal)
            .collect();
        for literal in odd {
            self.draft.weaken(literal);
            let _ = write!(self.steps, " {} w", name(literal & !1));
        }
        self.draft.divide(divisor);
        self.draft.saturate();
        let _ = write!(self.steps, " {divisor} d s");
        debug_assert!(self.draft.degree < i128::from(LARGEST));
    }

    /// The first level at which the conflict forces something or is violated, if that is before the level of the
    /// last of the first `end` values.
    fn level_of_use(&self, end: usize) -> Option<usize> {
        let present = match end {
            0 => 0,
            _ => self.level[(self.trail[end - 1] >> 1) as usize],
        };
        if present == 0 {
            return Some(0);
        }
        let mut terms: Vec<(u32, i128, bool)> = Vec::new();
        let mut slack = -self.draft.degree;
        for (weight, literal) in self.draft.terms() {
            slack += weight;
            let variable = (literal >> 1) as usize;
            let is_set = self.value[variable] != 0 && (self.place[variable] as usize) < end;
            let level = if is_set { self.level[variable] } else { u32::MAX };
            terms.push((level, weight, is_set && self.is_false(literal)));
        }
        terms.sort_unstable_by_key(|(level, ..)| *level);
        // The greatest weight of those that have no value yet at each level.
        let mut heaviest = vec![0; terms.len() + 1];
        for at in (0..terms.len()).rev() {
            heaviest[at] = heaviest[at + 1].max(terms[at].1);
        }
        let mut at = 0;
        // Only levels at which something of the row gets a value are of interest, and the very first.
        let mut level = 0;
        while level < present {
            while at < terms.len() && terms[at].0 <= level {
                slack -= if terms[at].2 { terms[at].1 } else { 0 };
                at += 1;
            }
            if slack < heaviest[at] || slack < 0 {
                return Some(level as usize);
            }
            level = terms.get(at).map_or(present, |(level, ..)| *level);
        }
        None
    }
}
