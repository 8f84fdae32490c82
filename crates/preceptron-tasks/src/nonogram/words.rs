//! Relative rules in words, and what is assumed before any is learned.

use super::template::{At, Template, Term, What};

/// What is not learned.
pub const ASSUMED: [&str; 4] = [
    "on a line that is seen, run j has started by place i if its first cell is at i or before, and has ended \
     before i if its last cell is before i",
    "a rule is the same at every place, for every run, on every line, for rows and for columns",
    "a rule is a clause of two literals on neighbouring runs and places, or a signed sum over all runs or all \
     places",
    "a clue is a unary number: as many units as it says",
];

impl Template {
    /// No run starts before the one before it has ended and left a gap.
    pub fn no_touch() -> Template {
        let term =
            |what, offset| Term { what, run: Some(At::Offset(offset)), place: Some(At::Offset(offset)) };
        Template::Clause(vec![(term(What::Started, 1), true), (term(What::Ended, 0), false)])
    }

    /// Whether that is one of these rules.
    pub fn is_no_touch_among(rules: &preceptron_logic::RuleSet) -> bool {
        Template::no_touch().constraint().is_some_and(|constraint| rules.contains(&constraint))
    }

    /// The rule as a formula.
    pub fn formula(&self) -> String {
        match self {
            Template::Clause(literals) => match literals.as_slice() {
                [(a, true), (b, false)] | [(b, false), (a, true)] => {
                    format!("if {}, then {}", a.name(), b.name())
                }
                _ => {
                    let literal = |(term, negated): &(Term, bool)| {
                        format!("{}{}", if *negated { "not " } else { "" }, term.name())
                    };
                    literals.iter().map(literal).collect::<Vec<_>>().join(" or ")
                }
            },
            Template::Sum(literals, sum) => {
                let mut text = String::new();
                for (place, (term, negated)) in literals.iter().enumerate() {
                    text += match (place, negated) {
                        (0, false) => "",
                        (0, true) => "-",
                        (_, false) => " + ",
                        (_, true) => " - ",
                    };
                    text += &term.name();
                }
                format!("{text} = {sum}")
            }
        }
    }

    /// The rule in words, where there are words for it.
    pub fn words(&self) -> Option<&'static str> {
        use At::{Every, Offset};
        let term = |what, run, place| Term { what, run: Some(run), place: Some(place) };
        let is = |literals: &[(Term, bool)], wanted: &[(Term, bool)]| {
            literals.len() == wanted.len() && wanted.iter().all(|literal| literals.contains(literal))
        };
        let (here, next) = (Offset(0), Offset(1));
        match self {
            Template::Clause(literals) => {
                let stays = |what| [(term(what, here, here), true), (term(what, here, next), false)];
                let at = |a: (What, At, At), b: (What, At, At)| {
                    [(term(a.0, a.1, a.2), true), (term(b.0, b.1, b.2), false)]
                };
                if is(literals, &stays(What::Started)) {
                    Some("a run that has started stays so")
                } else if is(literals, &stays(What::Ended)) {
                    Some("a run that has ended stays so")
                } else if is(literals, &at((What::Ended, here, next), (What::Started, here, here))) {
                    Some("a run that ends has started, and has a cell at the least")
                } else if is(literals, &at((What::Started, next, next), (What::Ended, here, here))) {
                    Some("a run does not start before the one before it has ended and left a gap")
                } else {
                    None
                }
            }
            Template::Sum(literals, 0) => {
                let cell = Term { what: What::Cell, run: None, place: Some(here) };
                let clue = Term { what: What::Clue, run: Some(here), place: None };
                let signs = |terms: [(Term, bool); 3]| {
                    let flipped = terms.map(|(term, negated)| (term, !negated));
                    is(literals, &terms) || is(literals, &flipped)
                };
                let (started, ended) = (term(What::Started, Every, here), term(What::Ended, Every, here));
                let (starts, ends) = (term(What::Started, here, Every), term(What::Ended, here, Every));
                if signs([(cell, true), (started, false), (ended, true)]) {
                    Some(
                        "a cell is black if one more run has started by it than has ended before it, and only then",
                    )
                } else if signs([(clue, true), (starts, false), (ends, true)]) {
                    Some("a run is at as many places as its clue says")
                } else {
                    None
                }
            }
            Template::Sum(..) => None,
        }
    }
}
