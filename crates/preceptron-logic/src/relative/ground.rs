//! Relative rules put on a domain.

use std::collections::HashSet;
use std::ops::ControlFlow;

use super::domain::{Labels, Pick, Value, View};
use super::{Claim, Domain, Edge, RelativeRule, RelativeTerm, Select};
use crate::{Constraint, Label, Lit, Sums};

/// A term on a domain: its block, and for each axis of the block what it takes.
struct Placed<'a> {
    view: &'a View,
    negated: bool,
    axes: Vec<Taken>,
}

enum Taken {
    All,
    /// The same positions wherever the anchors are.
    Fixed(Vec<Option<usize>>),
    /// For each position of an anchor so many positions.
    Moving {
        anchor: usize,
        count: usize,
        positions: Vec<Option<usize>>,
    },
}

/// The literals of a rule at one place.
#[derive(Default)]
struct Counted {
    /// Each literal, and whether it is that of a negated term.
    literals: Vec<(Lit, bool)>,
    numbers: i64,
    /// Literals beyond the edge that are false, and true.
    outside: [i64; 2],
}

impl RelativeRule {
    /// The rule at every place of its anchors but the exceptions, as constraints over the domain's literals.
    /// The last anchor moves fastest. What says nothing is left out; what no assignment satisfies is a
    /// constraint without literals. A literal that several terms have is counted once. With a gate of
    /// several literals the rule applies where any of them is true.
    pub fn ground(&self, domain: &Domain) -> Vec<Constraint> {
        let mut all = Vec::new();
        let _ = self.each(domain, &mut |_, constraint| {
            all.push(constraint);
            ControlFlow::Continue(())
        });
        all
    }

    /// The rule where its anchors have these labels, one for each of [`RelativeRule::anchors`].
    pub fn ground_at(&self, domain: &Domain, labels: &[Label]) -> Vec<Constraint> {
        let mut all = Vec::new();
        let _ = self.each(domain, &mut |place, constraint| {
            if place == labels {
                all.push(constraint);
            }
            ControlFlow::Continue(())
        });
        all
    }

    /// Calls `found` with each place of the anchors and the rule there, until it breaks.
    pub(crate) fn each(
        &self,
        domain: &Domain,
        found: &mut dyn FnMut(&[Label], Constraint) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let names = self.anchors();
        let views: Vec<Option<&View>> =
            self.all_terms().map(|term| domain.find(&term.block, term.at.is_empty())).collect();
        let labels = |name: &&str| {
            let axes = views.iter().flatten().flat_map(|view| &view.axes);
            Labels::of_all(axes.filter(|(axis, _)| axis == name).map(|(_, labels)| labels).collect())
        };
        let anchors: Vec<Labels> = names.iter().map(labels).collect();
        let mut terms = Vec::new();
        for (term, &view) in self.all_terms().zip(&views) {
            match view.and_then(|view| placed(term, view, &names, &anchors)) {
                None if self.edge == Edge::Skip => return ControlFlow::Continue(()),
                placed => terms.push(placed),
            }
        }
        let gate = self.gate.as_ref().and_then(|_| terms.pop());
        let position = |(name, labels): (&&str, &Labels), exception: &[(String, Label)]| {
            let (_, label) = exception.iter().find(|(axis, _)| axis == name)?;
            labels.position(label)
        };
        let exception = |exception: &Vec<(String, Label)>| {
            names.iter().zip(&anchors).map(|axis| position(axis, exception)).collect::<Option<Vec<_>>>()
        };
        let exceptions: HashSet<Vec<usize>> = self.exceptions.iter().filter_map(exception).collect();
        if anchors.iter().any(|labels| labels.len() == 0) {
            return ControlFlow::Continue(());
        }
        let mut at = vec![0; anchors.len()];
        let mut here: Vec<Label> = anchors.iter().map(|labels| labels.at(0)).collect();
        loop {
            if exceptions.is_empty() || !exceptions.contains(&at) {
                self.at(&terms, gate.as_ref(), &at, &mut |constraint| found(&here, constraint))?;
            }
            let Some(last) = (0..at.len()).rev().find(|&a| at[a] + 1 < anchors[a].len()) else { break };
            at[last] += 1;
            at[last + 1..].fill(0);
            (last..at.len()).for_each(|a| here[a] = anchors[a].at(at[a]));
        }
        ControlFlow::Continue(())
    }

    /// The constraints at one place of the anchors.
    fn at(
        &self,
        terms: &[Option<Placed>],
        gate: Option<&Option<Placed>>,
        at: &[usize],
        found: &mut dyn FnMut(Constraint) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut counted = Counted::default();
        for term in terms.iter().flatten() {
            if !counted.add(term, at, self.edge) {
                return ControlFlow::Continue(());
            }
        }
        let Some(gate) = gate else { return found_unless_trivial(self.constraint(counted), found) };
        let mut gates = Counted::default();
        if let Some(gate) = gate
            && !gates.add(gate, at, self.edge)
        {
            return ControlFlow::Continue(());
        }
        let constraint = self.constraint(counted);
        if gates.outside[1] > 0 || gates.numbers > 0 {
            return found_unless_trivial(constraint, found);
        }
        gates
            .literals
            .into_iter()
            .try_for_each(|(gate, _)| found_unless_trivial(constraint.clone().gated(gate), found))
    }

    fn constraint(&self, mut counted: Counted) -> Constraint {
        counted.literals.sort_unstable();
        counted.literals.dedup_by_key(|(literal, _)| *literal);
        let literals = counted.literals.iter().map(|(literal, _)| *literal);
        let count = literals.len() as u32;
        let negated = counted.literals.iter().filter(|(_, negated)| *negated).count() as i64;
        let known = counted.numbers.saturating_add(counted.outside[1]);
        let sums = match &self.claim {
            Claim::Any => Sums::range(1, u32::MAX).beside(known, count),
            Claim::All if counted.outside[0] > 0 => Sums::EMPTY,
            Claim::All => Sums::exactly(count),
            Claim::Count(sums) => sums.beside(known, count),
            Claim::Parity { odd, .. } => Sums::set(
                (0..=count).filter(|sum| (i64::from(*sum) + known).rem_euclid(2) == i64::from(*odd)),
            ),
            Claim::Balance { min, max } => {
                let shift = |bound: &i64| bound.saturating_sub(counted.numbers).saturating_add(negated);
                let least = min.as_ref().map_or(0, shift).max(0);
                let most = max.as_ref().map_or(i64::from(count), shift).min(i64::from(count));
                match (u32::try_from(least), u32::try_from(most)) {
                    (Ok(least), Ok(most)) => Sums::range(least, most),
                    _ => Sums::EMPTY,
                }
            }
        };
        match sums.least() {
            None => Constraint::new([], Sums::EMPTY),
            Some(_) => Constraint::new(literals, sums),
        }
    }
}

fn found_unless_trivial(
    constraint: Constraint,
    found: &mut dyn FnMut(Constraint) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if constraint.is_trivial() { ControlFlow::Continue(()) } else { found(constraint) }
}

/// A term on its block; nothing if the block lacks one of its axes.
fn placed<'a>(term: &RelativeTerm, view: &'a View, names: &[&str], anchors: &[Labels]) -> Option<Placed<'a>> {
    if term.at.iter().any(|(axis, _)| view.axes.iter().all(|(name, _)| name != axis)) {
        return None;
    }
    let taken = |(name, labels): &(String, Labels)| {
        let select = term.at.iter().find(|(axis, _)| axis == name).map(|(_, select)| select);
        match select {
            None | Some(Select::Every | Select::Implied) => Some(Taken::All),
            Some(Select::Labels(wanted)) => {
                Some(Taken::Fixed(wanted.iter().map(|label| labels.position(label)).collect()))
            }
            Some(Select::Offsets(offsets)) => {
                let anchor = names.iter().position(|anchor| anchor == name)?;
                let all = &anchors[anchor];
                let position = |at: usize, offset: &i64| match all.at(at) {
                    Label::Number(number) => labels.position(&Label::Number(number.checked_add(*offset)?)),
                    word => labels.position(&word).filter(|_| *offset == 0),
                };
                let positions = (0..all.len()).flat_map(|at| offsets.iter().map(move |o| position(at, o)));
                Some(Taken::Moving { anchor, count: offsets.len(), positions: positions.collect() })
            }
        }
    };
    let axes = view.axes.iter().map(taken).collect::<Option<Vec<_>>>()?;
    Some(Placed { view, negated: term.negated, axes })
}

impl Placed<'_> {
    fn picks(&self, at: &[usize]) -> Vec<Pick<'_>> {
        let pick = |taken| match taken {
            &Taken::All => Pick::All,
            Taken::Fixed(positions) => Pick::These(positions),
            Taken::Moving { anchor, count, positions } => {
                Pick::These(&positions[at[*anchor] * count..][..*count])
            }
        };
        self.axes.iter().map(pick).collect()
    }
}

impl Counted {
    /// Adds a term's literals and numbers. False if the rule does not apply here.
    fn add(&mut self, term: &Placed, at: &[usize], edge: Edge) -> bool {
        let picks = term.picks(at);
        let is_whole = picks.iter().all(|pick| match pick {
            Pick::All => true,
            Pick::These(these) => these.iter().all(Option::is_some),
        });
        if edge == Edge::Skip && !(is_whole && term.view.has_all(&picks)) {
            return false;
        }
        let mut found = 0;
        term.view.each(&picks, &mut |value| {
            found += 1;
            match value {
                Value::Literal(literal) if term.negated => self.literals.push((!literal, true)),
                Value::Literal(literal) => self.literals.push((literal, false)),
                Value::Number(number) if term.negated => self.numbers = self.numbers.saturating_sub(number),
                Value::Number(number) => self.numbers = self.numbers.saturating_add(number),
            }
        });
        if edge == Edge::False {
            self.outside[usize::from(term.negated)] += term.view.outside(&picks, found) as i64;
        }
        true
    }
}
