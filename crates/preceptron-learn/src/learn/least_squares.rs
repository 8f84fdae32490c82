//! Equations that are known, the rank that they leave, and rounds of least squares for the rest.

use preceptron_logic::{Constraint, Lit, Var};

use super::Search;
use crate::data_rank::{DataRank, data_rank};
use crate::linear_span::Span;
use crate::unexplained::Explained;
use crate::{GlobalSearch, Moments, SearchEnd, anchored_search, joint_search};

/// How often rounds are begun again where the rank of the examples says that an equation is left.
const AGAIN: u32 = 6;
/// Rows from each anchor in these rounds, as many times as usual at the most.
const MORE: usize = 16;
/// It is asked between rounds up to so many variables.
const RANKED: usize = 500;

impl Search<'_> {
    /// The equations that are known: those found, those of the encoding and those given.
    pub(super) fn equations<'s>(&'s self, encoded: &'s [Constraint]) -> impl Iterator<Item = &'s Constraint> {
        let given = self.given.constraints().filter(|rule| rule.is_equality());
        self.equalities.iter().chain(encoded).chain(given)
    }

    /// The rank of the examples beyond the known equations, by this much effort.
    pub(super) fn data_rank(
        &self,
        effort: Option<&Moments>,
        moments: &Moments,
        encoded: &[Constraint],
    ) -> DataRank {
        let mut span = Span::default();
        let n = self.examples.variables();
        let enough = self.could_confirm();
        for v in 0..n {
            let sum = moments.sum(v);
            // What never changes is a rule of its own, which counting finds if the examples are enough.
            if enough && (sum == 0.0 || sum == self.examples.len() as f64) {
                span.add(&Constraint::exactly(u32::from(sum > 0.0), [Var(v as u32).positive()]));
            }
        }
        self.equations(encoded).for_each(|constraint| {
            span.add(constraint);
        });
        let free: Vec<usize> = (0..n).filter(|&v| !span.determines(v)).collect();
        data_rank(self.examples, effort, &free)
    }

    /// Rounds of least squares until no new equality appears for the set number of them, a few times where `is_left` says
    /// that there is one to be found. `round` gives the candidates of the round with this number, or nothing to end the
    /// search.
    pub(super) fn rounds(
        &mut self,
        rows: usize,
        is_left: impl Fn(&Self) -> bool,
        mut round: impl FnMut(&mut Self, u32) -> Option<Vec<Vec<Lit>>>,
    ) {
        let (mut idle, mut again) = (0, 0);
        for number in 0..self.settings.rounds {
            if self.control.is_cancelled() {
                return;
            }
            if idle == self.settings.patience {
                if again == AGAIN || !is_left(self) {
                    return;
                }
                (idle, again) = (0, again + 1);
            }
            let Some(found) = self.timed("least squares", |s| round(s, number)) else { return };
            let new = self.timed("confirmation", |s| s.confirm_equalities(found, "least squares"));
            idle = if new == 0 { idle + 1 } else { 0 };
            self.report.rows += rows as u64;
            self.report.rounds += 1;
        }
        self.report.stop = SearchEnd::Rounds;
    }

    pub(super) fn local(&mut self, moments: &Moments, encoded: &[Constraint], uncovered: bool) {
        let variables = self.examples.variables();
        if uncovered {
            self.limits.push(format!(
                "{} examples cannot tell {variables} variables apart: least squares looked only at those \
                 that no equality has",
                self.examples.len()
            ));
        }
        // The searches draw different centres.
        use anchored_search::Signs;
        for (signs, first) in [(Signs::Positive, 0), (Signs::Both, 1 << 16), (Signs::Any, 1 << 17)] {
            let rows = self.examples.variables() * self.settings.rows;
            let is_left = |s: &Self| {
                let is_sure = s.examples.is_complete() && s.settings.threshold == 1.0 && variables <= RANKED;
                is_sure && !uncovered && !s.data_rank(Some(moments), moments, encoded).is_explained
            };
            if signs == Signs::Any && !is_left(self) {
                break;
            }
            self.rounds(rows, is_left, |s, number| {
                let anchors = s.anchors(moments, encoded, signs, uncovered);
                if anchors.is_empty() {
                    return None;
                }
                s.control.stage("least squares", anchors.len() as u64);
                // Rounds beyond the usual ones are of few anchors: more starts from each.
                let more = (variables / anchors.len()).clamp(1, MORE);
                let widened = (number >= s.settings.patience).then(|| s.settings.with_rows(more));
                let settings = widened.as_ref().unwrap_or(s.settings);
                Some(anchored_search::search(moments, &anchors, signs, settings, first + number, s.control))
            });
        }
    }

    /// The variables from which least squares could find an equation that is not known. Where examples are
    /// partly observed or may be wrong, ranks say nothing, and these are all.
    pub(super) fn anchors(
        &self,
        moments: &Moments,
        encoded: &[Constraint],
        signs: anchored_search::Signs,
        uncovered: bool,
    ) -> Vec<usize> {
        if !self.examples.is_complete() || self.settings.threshold < 1.0 {
            return (0..moments.variables()).collect();
        }
        let explained = Explained::new(self.equations(encoded));
        let mut anchors: Vec<usize> = (0..moments.variables()).collect();
        if uncovered {
            let mut covered = vec![false; anchors.len()];
            self.equalities.iter().flat_map(Constraint::variables).for_each(|v| covered[v.index()] = true);
            anchors.retain(|&v| !covered[v]);
        }
        anchored_search::unexplained(moments, &anchors, &explained, signs, self.settings, self.control)
    }

    pub(super) fn global(&mut self, moments: &Moments) {
        let Some(search) = self.timed("factorisation", |s| GlobalSearch::new(moments, s.settings)) else {
            self.limits.push(
                "the moments of these partly observed examples are not those of any complete ones: the \
                 global least-squares search was left out"
                    .to_owned(),
            );
            return;
        };
        for sum in search.sums() {
            self.rounds(
                self.settings.rows,
                |_| false,
                |s, _| {
                    s.control.stage("least squares", s.settings.rows as u64);
                    Some(joint_search::candidates(&search.round(s.report.rounds, sum, s.control)))
                },
            );
        }
    }

    /// One round where no equation is left: what it finds nearly holds.
    pub(super) fn near(&mut self, moments: &Moments) {
        let anchors: Vec<usize> = (0..moments.variables()).collect();
        let signs = anchored_search::Signs::Positive;
        let found = self.timed("least squares", |s| {
            anchored_search::search(moments, &anchors, signs, s.settings, 0, s.control)
        });
        self.confirm_equalities(found, "least squares");
    }
}
