//! Rules about places that stand in a relation to each other, whatever the line and the board.
//!
//! A rule set over these variables is what a run keeps:
//! ```text
//! cell[place i]                      the cell at place i is black
//! started[run j, place i]            run j has started by place i; run j+1, place i+1: the next ones
//! ended[run j, place i]              run j has ended before place i
//! started[run every, place i]        a sum over all runs of a line; place every: over all places
//! clue[run j]                        the length of run j
//! ```
//! A clause holds for every `i` and `j` for which its places and runs are there. An equality is about sums:
//! a negated term counts negatively, so that `exactly r` of terms of which `n` are negated says that the
//! signed sum of the terms is `r - n`, however many runs and places a line has.

use preceptron_logic::{Constraint, Lit, RuleSet, Sums, Var, Variables};

/// What is said of a run or a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// A cell is black.
    Cell,
    /// A run has started by a place.
    Started,
    /// A run has ended before a place.
    Ended,
    /// The length of a run.
    Clue,
}

/// Which run, or which place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum At {
    /// The one at hand, or so many after it.
    Offset(usize),
    /// The sum over all of them.
    Every,
}

/// A variable of a relative rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Term {
    /// What it says.
    pub what: What,
    /// Of which run; of none for a cell.
    pub run: Option<At>,
    /// At which place; at none for a clue.
    pub place: Option<At>,
}

/// So many runs and places in a row can be in one rule.
pub const SPAN: usize = 2;

/// All terms, in the order of the variables of [`relative_variables`].
pub fn terms() -> Vec<Term> {
    let mut terms = vec![Term { what: What::Cell, run: None, place: Some(At::Offset(0)) }];
    let offsets = || (0..SPAN).map(At::Offset);
    for what in [What::Started, What::Ended] {
        let term = |run, place| Term { what, run: Some(run), place: Some(place) };
        terms.extend(offsets().flat_map(|run| offsets().map(move |place| term(run, place))));
        terms.push(term(At::Every, At::Offset(0)));
        terms.push(term(At::Offset(0), At::Every));
    }
    terms.push(Term { what: What::Clue, run: Some(At::Offset(0)), place: None });
    terms
}

impl Term {
    /// The variable's name.
    pub fn name(self) -> String {
        let at = |at: At, letter: char| match at {
            At::Offset(0) => letter.to_string(),
            At::Offset(more) => format!("{letter}+{more}"),
            At::Every => "every".to_owned(),
        };
        let what = match self.what {
            What::Cell => "cell",
            What::Started => "started",
            What::Ended => "ended",
            What::Clue => "clue",
        };
        let run = self.run.map(|run| format!("run {}", at(run, 'j')));
        let place = self.place.map(|place| format!("place {}", at(place, 'i')));
        format!("{what}[{}]", run.into_iter().chain(place).collect::<Vec<_>>().join(", "))
    }

    /// The variable, by its place among `terms`.
    pub fn variable(self) -> Option<Var> {
        terms().iter().position(|term| *term == self).map(|place| Var(place as u32))
    }
}

/// The variables that relative rules are written over.
pub fn relative_variables() -> Variables {
    Variables::from_names(terms().into_iter().map(Term::name)).expect("names of terms are distinct")
}

/// A relative rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Template {
    /// At least one of these literals (a term, and whether it is negated) is true.
    Clause(Vec<(Term, bool)>),
    /// The sum of these terms, negated ones counting negatively.
    Sum(Vec<(Term, bool)>, i64),
}

/// A rule set that is not one of relative rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// A variable is none of a relative rule.
    #[error("{0:?} is no variable of a rule on nonograms")]
    Variable(String),
    /// A constraint is neither a clause nor an equality.
    #[error("the rule {0} is neither a clause nor a sum")]
    Constraint(String),
}

impl Template {
    /// The rules of a rule set over [`relative_variables`].
    ///
    /// # Errors
    /// If it is over other variables, or has other rules than clauses and sums.
    pub fn read(rules: &RuleSet) -> Result<Vec<Template>, TemplateError> {
        let all = terms();
        let named: Vec<(String, Term)> = all.into_iter().map(|term| (term.name(), term)).collect();
        let literal = |literal: &Lit| {
            let name = rules.variables().name(literal.var());
            match named.iter().find(|(known, _)| known == name) {
                Some((_, term)) => Ok((*term, literal.is_negated())),
                None => Err(TemplateError::Variable(name.to_owned())),
            }
        };
        let read = |constraint: &Constraint| {
            let literals = constraint.literals().iter().map(literal).collect::<Result<Vec<_>, _>>()?;
            match (constraint.gate(), constraint.sums().single(), constraint.as_clause()) {
                (None, Some(sum), _) if constraint.len() > 1 => {
                    let negated = literals.iter().filter(|(_, negated)| *negated).count();
                    Ok(Template::Sum(literals, i64::from(sum) - negated as i64))
                }
                (None, _, Some(clause)) => {
                    Ok(Template::Clause(clause.iter().map(literal).collect::<Result<Vec<_>, _>>()?))
                }
                _ => Err(TemplateError::Constraint(constraint.id().to_string())),
            }
        };
        rules.constraints().map(read).collect()
    }

    /// The template as a constraint over [`relative_variables`]; nothing if a term is none of theirs.
    pub fn constraint(&self) -> Option<Constraint> {
        let literal = |&(term, negated): &(Term, bool)| Some(Lit::new(term.variable()?, negated));
        match self {
            Template::Clause(literals) => {
                Some(Constraint::clause(literals.iter().map(literal).collect::<Option<Vec<_>>>()?))
            }
            Template::Sum(literals, sum) => {
                let negated = literals.iter().filter(|(_, negated)| *negated).count();
                let sum = u32::try_from(sum + negated as i64).ok()?;
                Some(Constraint::exactly(sum, literals.iter().map(literal).collect::<Option<Vec<_>>>()?))
            }
        }
    }

    /// The rule written out for a line of so many places with this clue; `variable` gives the literal of a
    /// cell, or of a run that has started or ended, at a place.
    pub fn instances(
        &self,
        length: usize,
        clue: &[usize],
        variable: impl Fn(What, usize, usize) -> Lit,
    ) -> Vec<Constraint> {
        let (Template::Clause(literals) | Template::Sum(literals, _)) = self;
        let reach = |at: fn(&Term) -> Option<At>| {
            let offset = |(term, _): &(Term, bool)| match at(term)? {
                At::Offset(offset) => Some(offset),
                At::Every => None,
            };
            literals.iter().filter_map(offset).max()
        };
        let starts =
            |reach: Option<usize>, count: usize| reach.map_or(1, |reach| count.saturating_sub(reach));
        let (runs, places) =
            (starts(reach(|term| term.run), clue.len()), starts(reach(|term| term.place), length));
        let mut instances = Vec::new();
        for (run, place) in (0..runs).flat_map(|run| (0..places).map(move |place| (run, place))) {
            let spread = |at: Option<At>, from: usize, count: usize| match at {
                Some(At::Offset(offset)) => from + offset..from + offset + 1,
                Some(At::Every) => 0..count,
                None => 0..1,
            };
            let (mut members, mut known) = (Vec::new(), 0i64);
            for &(term, negated) in literals {
                for run in spread(term.run, run, clue.len()) {
                    if term.what == What::Clue {
                        // No run is longer than its line, and one more is enough to say so.
                        let size = clue[run].min(length + 1) as i64;
                        known += if negated { -size } else { size };
                        continue;
                    }
                    for place in spread(term.place, place, length) {
                        let literal = variable(term.what, run, place);
                        members.push(if negated { !literal } else { literal });
                    }
                }
            }
            let negated = |literals: &[Lit]| literals.iter().filter(|literal| literal.is_negated()).count();
            instances.push(match self {
                Template::Clause(_) => Constraint::clause(members),
                Template::Sum(_, sum) => match u32::try_from(sum - known + negated(&members) as i64) {
                    Ok(sum) => Constraint::exactly(sum, members),
                    Err(_) => Constraint::new([], Sums::EMPTY),
                },
            });
        }
        instances
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::Rule;

    fn term(what: What, run: At, place: At) -> Term {
        Term { what, run: Some(run), place: Some(place) }
    }

    #[test]
    fn templates_come_back_from_a_rule_set() {
        use At::{Every, Offset};
        let clause = Template::Clause(vec![
            (term(What::Started, Offset(1), Offset(1)), true),
            (term(What::Ended, Offset(0), Offset(0)), false),
        ]);
        let clue = Term { what: What::Clue, run: Some(Offset(0)), place: None };
        let sum = Template::Sum(
            vec![
                (term(What::Started, Offset(0), Every), true),
                (term(What::Ended, Offset(0), Every), false),
                (clue, false),
            ],
            0,
        );
        let rules = [&clause, &sum].map(|template| Rule::given(template.constraint().unwrap()));
        let rules = RuleSet::with_rules(relative_variables(), rules);
        assert_eq!(Template::read(&rules).unwrap(), [clause.clone(), sum.clone()]);
        // Four places, runs of 2 and 1; started are the variables 0 to 7, ended 8 to 15.
        let variable = |what: What, run: usize, place: usize| {
            Var((usize::from(what == What::Ended) * 8 + run * 4 + place) as u32).positive()
        };
        let clauses = clause.instances(4, &[2, 1], variable);
        assert_eq!(clauses.len(), 3);
        assert_eq!(clauses[0], Constraint::clause([Var(5).negative(), Var(8).positive()]));
        let sums = sum.instances(4, &[2, 1], variable);
        let literals = (0..4).map(|v| Var(v).positive()).chain((8..12).map(|v| Var(v).negative()));
        assert_eq!((sums.len(), &sums[0]), (2, &Constraint::exactly(6, literals)));
    }

    #[test]
    fn other_rule_sets_are_refused() {
        let rule = Rule::given(Constraint::exactly(1, [Var(0).positive(), Var(1).positive()]));
        let rules = RuleSet::with_rules(Variables::from_names(["a", "b"]).unwrap(), [rule]);
        let error = Template::read(&rules).unwrap_err().to_string();
        assert_eq!(error, "\"a\" is no variable of a rule on nonograms");
    }
}
