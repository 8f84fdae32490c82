//! The proof, line by line, in VeriPB's format 2.0 (and the same steps as 3.0 writes them, `;` at each end).
//!
//! | line | what is checked, and what is added |
//! |---|---|
//! | `f N` | that the formula has N constraints |
//! | `pol 3 2 * x1 + s 4 d` | cutting planes in reverse Polish: sums, multiples, `d`ivision, `s`aturation, `w`eakening |
//! | `rup C ; hints` | the opposite of C leads to a contradiction by unit propagation; C |
//! | `red C ; x1 -> 0` | so does the opposite of C with that of every constraint, and of the objective, after the change; C |
//! | `sol L`, `soli L`, `solx L` | L satisfies the formula; nothing, that the next is cheaper, that it is another |
//! | `e C ; id`, `i C ; id`, `ia C ; id` | the constraint is C, implies C; with `ia`, C |
//! | `del id`, `core id`, `*` | constraints are forgotten; nothing; nothing |
//! | `output NONE`, `conclusion ...` | see [`Conclusion`] |

use crate::constraint::{Constraint, Lit, Overflow};
use crate::database::Database;
use crate::opb::{Formula, constraints};
use crate::refusal::Refusal;

/// What a proof says about a formula; it has been checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// Nothing.
    None,
    /// There is an assignment.
    Sat,
    /// There is no assignment.
    Unsat,
    /// The least value of the objective is between these; nothing stands for infinity, which as the lower one says
    /// that there is no assignment.
    Bounds(Option<i128>, Option<i128>),
}

/// A proof that was accepted.
#[derive(Clone, Debug)]
pub struct Proved {
    /// What it concludes.
    pub conclusion: Conclusion,
    /// The assignments that it shows, as lists of true literals, with what each costs.
    pub solutions: Vec<(Vec<Lit>, i128)>,
    /// How many steps it has.
    pub steps: usize,
}

/// A proof while it is read.
struct Checker<'a> {
    formula: &'a mut Formula,
    database: Database,
    solutions: Vec<(Vec<Lit>, i128)>,
    /// The least value that a step took as known: what is derived holds for all that is cheaper.
    cheapest_known: Option<i128>,
    conclusion: Option<Conclusion>,
    has_output: bool,
}

impl From<Overflow> for String {
    fn from(_: Overflow) -> String {
        "numbers beyond 127 bits".to_owned()
    }
}

/// Checks a proof about a formula.
///
/// # Errors
/// With the first line that does not hold.
pub fn check(formula: &mut Formula, proof: &str) -> Result<Proved, Refusal> {
    let mut lines = (1..).zip(proof.lines()).map(|(number, line)| (number, line.trim()));
    let is_third = match lines.next() {
        Some((_, "pseudo-Boolean proof version 2.0")) => false,
        Some((_, "pseudo-Boolean proof version 3.0")) => true,
        _ => return Err(Refusal::at("the proof", 1, "not \"pseudo-Boolean proof version 2.0\"")),
    };
    let mut database = Database::default();
    formula.constraints.iter().for_each(|constraint| {
        database.add(constraint.clone());
    });
    let mut checker = Checker {
        formula,
        database,
        solutions: Vec::new(),
        cheapest_known: None,
        conclusion: None,
        has_output: false,
    };
    let mut steps = 0;
    for (number, line) in lines {
        if line.is_empty() || line.starts_with(if is_third { '%' } else { '*' }) {
            continue;
        }
        let at = |what: String| Refusal::at("the proof", number, &what);
        let line = if is_third {
            // `rule constraint : hint ;` is what 2.0 writes as `rule constraint ; hint`.
            let body = line.strip_suffix(';').ok_or_else(|| at("no `;` at the end".to_owned()))?;
            match body.split_whitespace().next() {
                Some("rup" | "red" | "e" | "i" | "ia") => match body.split_once(" : ") {
                    Some((constraint, hint)) => format!("{constraint} ; {hint}"),
                    None => format!("{body} ;"),
                },
                _ => body.to_owned(),
            }
        } else {
            line.to_owned()
        };
        if line.trim() == "end pseudo-Boolean proof" {
            let conclusion =
                checker.conclusion.ok_or_else(|| at("the proof ends without a conclusion".into()))?;
            return Ok(Proved { conclusion, solutions: checker.solutions, steps });
        }
        if checker.conclusion.is_some() {
            return Err(at("a step behind the conclusion".to_owned()));
        }
        checker.step(line.trim()).map_err(at)?;
        steps += 1;
    }
    Err(Refusal::of("the proof ends without \"end pseudo-Boolean proof\""))
}

impl Checker<'_> {
    fn step(&mut self, line: &str) -> Result<(), String> {
        let (rule, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let words: Vec<&str> = rest.split_whitespace().collect();
        if self.has_output && rule != "conclusion" {
            return Err("between the output and the conclusion stands nothing".to_owned());
        }
        match rule {
            "f" => match words[..] {
                [] => Ok(()),
                [count] if count.parse() == Ok(self.formula.constraints.len()) => Ok(()),
                _ => Err(format!("the formula has {} constraints", self.formula.constraints.len())),
            },
            "p" | "pol" => {
                let made = self.polish(&words)?;
                self.database.add(made);
                Ok(())
            }
            "u" | "rup" => {
                let (constraint, hint) = self.constraint(rest)?;
                let hint: Vec<&str> = hint.split_whitespace().filter(|word| *word != "~").collect();
                let numbers = hint.iter().map(|word| self.number(word)).collect::<Result<Vec<_>, _>>()?;
                let negated = constraint.negated()?;
                if !self.database.refutes(&[negated], (!numbers.is_empty()).then_some(&numbers[..])) {
                    return Err("unit propagation does not derive this".to_owned());
                }
                self.database.add(constraint);
                Ok(())
            }
            "red" => self.redundance(rest),
            "sol" | "v" | "soli" | "o" | "solx" => self.solution(rule, &words),
            "e" | "i" | "ia" => {
                let (constraint, hint) = self.constraint(rest)?;
                let follows = |other: &Constraint| match rule {
                    "e" => *other == constraint,
                    _ => other.implies(&constraint),
                };
                let holds = match hint.trim() {
                    "" => self.database.all().any(follows),
                    number => follows(self.named(number)?),
                };
                if !holds {
                    return Err("the constraint does not say this".to_owned());
                }
                if rule == "ia" {
                    self.database.add(constraint);
                }
                Ok(())
            }
            "del" | "delc" | "deld" | "d" => self.delete(rule, &words),
            "core" => match words[..] {
                ["id", ref numbers @ ..] => numbers.iter().try_for_each(|word| self.named(word).map(|_| ())),
                ["range", first, last] => self.number(first).and(self.number(last)).map(|_| ()),
                _ => Err("expected `core id` or `core range`".to_owned()),
            },
            "output" => match words[..] {
                ["NONE"] => {
                    self.has_output = true;
                    Ok(())
                }
                _ => Err("the only output that is checked is NONE".to_owned()),
            },
            "conclusion" if self.has_output => {
                self.conclusion = Some(self.conclude(&words)?);
                Ok(())
            }
            "conclusion" => Err("the output comes before the conclusion".to_owned()),
            _ => Err(format!("{rule:?} is no step that is checked here")),
        }
    }

    /// A constraint, and what stands behind its `;`.
    fn constraint<'b>(&mut self, text: &'b str) -> Result<(Constraint, &'b str), String> {
        let (constraint, hint) = text.split_once(';').ok_or("expected a constraint that ends with `;`")?;
        let words: Vec<&str> = constraint.split_whitespace().collect();
        let mut made = constraints(&words, &mut self.formula.names)?;
        match (made.pop(), made.pop()) {
            (Some(one), None) => Ok((one, hint)),
            _ => Err("an equation is two constraints".to_owned()),
        }
    }

    /// The number of a constraint; negative ones count from the last.
    fn number(&self, word: &str) -> Result<usize, String> {
        let number: i64 = word.parse().map_err(|_| format!("{word:?} is no number of a constraint"))?;
        let last = self.database.last() as i64;
        let number = if number < 0 { last + 1 + number } else { number };
        usize::try_from(number)
            .ok()
            .filter(|n| (1..=last as usize).contains(n))
            .ok_or_else(|| format!("there is no constraint {word}: the last is {last}"))
    }

    fn named(&self, word: &str) -> Result<&Constraint, String> {
        let number = self.number(word)?;
        self.database.get(number).ok_or_else(|| format!("constraint {number} was deleted"))
    }

    /// Cutting planes in reverse Polish notation. A number is one of a constraint or of an operator.
    fn polish(&mut self, words: &[&str]) -> Result<Constraint, String> {
        enum Operand {
            Constraint(Constraint),
            /// What it means is told by what stands behind it.
            Word(String),
        }
        let mut stack: Vec<Operand> = Vec::new();
        let few = || "an operator without enough in front of it".to_owned();
        for &word in words {
            let made = match word {
                "+" | "s" | "*" | "d" | "w" => {
                    let second = if word == "s" { None } else { Some(stack.pop().ok_or_else(few)?) };
                    let first = stack.pop().ok_or_else(few)?;
                    let mut whole = |operand: Operand| match operand {
                        Operand::Constraint(constraint) => Ok(constraint),
                        Operand::Word(word) => self.operand(&word),
                    };
                    let first = whole(first)?;
                    match (word, second) {
                        ("+", Some(second)) => first.plus(&whole(second)?)?,
                        ("w", Some(Operand::Word(word))) => {
                            let literal = self.formula.names.literal(&word).ok_or("w takes a variable")?;
                            first.weakened(literal >> 1)?
                        }
                        ("*" | "d", Some(Operand::Word(number))) => {
                            let by = number.parse().ok().filter(|by: &i128| *by > 0);
                            let by = by.ok_or_else(|| format!("{number:?} is no positive number"))?;
                            if word == "*" { first.times(by)? } else { first.divided(by)? }
                        }
                        ("s", None) => first.saturated()?,
                        _ => return Err(few()),
                    }
                }
                _ => {
                    stack.push(Operand::Word(word.to_owned()));
                    continue;
                }
            };
            stack.push(Operand::Constraint(made));
        }
        match (stack.pop(), stack.pop()) {
            (Some(Operand::Constraint(made)), None) => Ok(made),
            (Some(Operand::Word(word)), None) => self.operand(&word),
            _ => Err("one constraint must be left in the end".to_owned()),
        }
    }

    /// A constraint by its number, or a literal as the constraint that it is not negative.
    fn operand(&mut self, word: &str) -> Result<Constraint, String> {
        if word.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
            return self.named(word).cloned();
        }
        let literal = self.formula.names.literal(word);
        literal.map(Constraint::axiom).ok_or_else(|| format!("{word:?} is no constraint and no literal"))
    }

    /// Redundance: whatever satisfies all so far and not the new constraint can be changed so that it satisfies
    /// everything, at no greater cost. Each of these is tried by unit propagation.
    fn redundance(&mut self, rest: &str) -> Result<(), String> {
        let (constraint, rest) = self.constraint(rest)?;
        let (witness, tail) = rest.split_once(';').unwrap_or((rest, ""));
        if !tail.trim().is_empty() {
            return Err("proofs within a step are not checked here".to_owned());
        }
        let words: Vec<&str> = witness.split_whitespace().filter(|word| *word != "->").collect();
        let mut change: Vec<(u32, Result<Lit, bool>)> = Vec::new();
        for pair in words.chunks(2) {
            let [variable, image] = pair else { return Err("a variable without what it becomes".to_owned()) };
            let wrong = || format!("{variable:?} -> {image:?} is no change of a variable");
            let literal = self.formula.names.literal(variable).filter(|l| l & 1 == 0).ok_or_else(wrong)?;
            let image = match *image {
                "0" => Err(false),
                "1" => Err(true),
                word => Ok(self.formula.names.literal(word).ok_or_else(wrong)?),
            };
            if change.iter().any(|(variable, _)| *variable == literal >> 1) {
                return Err("a variable is changed twice".to_owned());
            }
            change.push((literal >> 1, image));
        }
        let image = |literal: Lit| match change.iter().find(|(variable, _)| *variable == literal >> 1) {
            None => Ok(literal),
            Some((_, Ok(image))) => Ok(image ^ (literal & 1)),
            Some((_, Err(is_true))) => Err(*is_true != (literal & 1 == 1)),
        };
        let mut goals = vec![constraint.substituted(image)?];
        for other in self.database.all() {
            if other.terms().iter().any(|(_, literal)| change.iter().any(|(v, _)| *v == literal >> 1)) {
                goals.push(other.substituted(image)?);
            }
        }
        if let Some(objective) = &self.formula.objective {
            // The objective less itself after the change is not negative.
            let (mut terms, mut degree) = (objective.clone(), 0i128);
            for &(weight, literal) in objective {
                match image(literal) {
                    Ok(literal) => terms.push((-weight, literal)),
                    Err(is_true) => degree += if is_true { weight } else { 0 },
                }
            }
            goals.push(Constraint::new(terms, degree)?);
        }
        let negated = constraint.negated()?;
        for goal in goals {
            let is_known = goal.degree() == 0 || self.database.all().any(|known| *known == goal);
            if !is_known && !self.database.refutes(&[negated.clone(), goal.negated()?], None) {
                return Err("unit propagation does not show that the change keeps everything".to_owned());
            }
        }
        self.database.add(constraint);
        Ok(())
    }

    /// The value of an assignment that satisfies the formula; the assignment with all that follows from it.
    fn satisfying(&mut self, words: &[&str]) -> Result<(Vec<Lit>, i128), String> {
        let names = &mut self.formula.names;
        let literals =
            words.iter().map(|word| names.literal(word).ok_or_else(|| format!("{word:?} is no literal")));
        let literals = literals.collect::<Result<Vec<_>, _>>()?;
        let mut is_true = vec![false; 2 * self.formula.names.count()];
        literals.iter().for_each(|literal| is_true[*literal as usize] = true);
        let objective = self.formula.objective.iter().flatten();
        let used = self.formula.constraints.iter().flat_map(|one| one.terms()).chain(objective);
        let is_whole =
            |is_true: &[bool]| used.clone().all(|(_, l)| is_true[*l as usize] || is_true[(*l ^ 1) as usize]);
        let mut found = literals;
        if !is_whole(&is_true) {
            // What is not said follows by unit propagation from all that is known.
            found = self.database.extended(&found).ok_or("the assignment contradicts a constraint")?;
            found.iter().for_each(|literal| is_true[*literal as usize] = true);
            if !is_whole(&is_true) {
                return Err("the assignment leaves variables of the formula open".to_owned());
            }
        }
        if found.iter().any(|literal| is_true[(literal ^ 1) as usize]) {
            return Err("the assignment makes a literal and its opposite true".to_owned());
        }
        if !self.formula.constraints.iter().all(|one| one.holds(|literal| is_true[literal as usize])) {
            return Err("the assignment violates the formula".to_owned());
        }
        let value = self.formula.value(|literal| is_true[literal as usize]);
        Ok((found, value))
    }

    fn solution(&mut self, rule: &str, words: &[&str]) -> Result<(), String> {
        let (found, value) = self.satisfying(words)?;
        let restricts = match rule {
            "soli" | "o" if self.formula.objective.is_none() => {
                return Err("there is no objective to improve".to_owned());
            }
            "soli" | "o" => Some(self.formula.at_most(value - 1)?),
            "sol" => None,
            _ => Some(Constraint::new(found.iter().map(|literal| (1, literal ^ 1)), 1)?),
        };
        if let Some(constraint) = restricts {
            self.database.add(constraint);
            self.cheapest_known = Some(self.cheapest_known.map_or(value, |known| known.min(value)));
        }
        self.solutions.push((found, value));
        Ok(())
    }

    fn delete(&mut self, rule: &str, words: &[&str]) -> Result<(), String> {
        let numbers: Vec<usize> = match (rule, words) {
            ("del", ["id", numbers @ ..]) | ("delc" | "deld" | "d", ["id", numbers @ ..] | numbers) => {
                numbers.iter().map(|word| self.number(word)).collect::<Result<_, _>>()?
            }
            ("del", ["range", first, last]) => {
                let (first, last) = (self.number(first)?, last.parse().map_err(|_| "expected a number")?);
                (first..last).filter(|number| self.database.get(*number).is_some()).collect()
            }
            _ => return Err("expected `del id` or `del range`".to_owned()),
        };
        for number in numbers {
            if !self.database.delete(number) {
                return Err(format!("constraint {number} was deleted before"));
            }
        }
        Ok(())
    }

    /// Whether a constraint, or any if none is named, has a property.
    fn shows(&self, hint: Option<&str>, property: impl Fn(&Constraint) -> bool) -> Result<bool, String> {
        Ok(match hint {
            Some(word) => property(self.named(word)?),
            None => self.database.all().any(property),
        })
    }

    fn conclude(&mut self, words: &[&str]) -> Result<Conclusion, String> {
        let contradiction = "no contradiction was derived";
        match *words {
            ["NONE"] => Ok(Conclusion::None),
            ["SAT", ref assignment @ ..] => {
                if let [":", literals @ ..] = assignment {
                    let found = self.satisfying(literals)?;
                    self.solutions.push(found);
                }
                match self.solutions.is_empty() || self.formula.objective.is_some() {
                    true => {
                        Err("SAT is for formulas without an objective, and takes an assignment".to_owned())
                    }
                    false => Ok(Conclusion::Sat),
                }
            }
            ["UNSAT", ref hint @ ..] => {
                let hint = match hint {
                    [] => None,
                    [":", number] => Some(*number),
                    _ => return Err("expected `UNSAT : number`".to_owned()),
                };
                match self.solutions.is_empty() && self.shows(hint, Constraint::is_contradiction)? {
                    true => Ok(Conclusion::Unsat),
                    false => Err(contradiction.to_owned()),
                }
            }
            ["BOUNDS", lower, ref rest @ ..] => {
                if self.formula.objective.is_none() {
                    return Err("BOUNDS is for formulas with an objective".to_owned());
                }
                let (hint, rest) = match rest {
                    [":", number, rest @ ..] => (Some(*number), rest),
                    _ => (None, rest),
                };
                let [upper, rest @ ..] = rest else { return Err("expected two bounds".to_owned()) };
                if let [":", literals @ ..] = rest {
                    let found = self.satisfying(literals)?;
                    self.solutions.push(found);
                }
                let bound = |word: &str| match word {
                    "INF" => Ok(None),
                    word => word.parse().map(Some).map_err(|_| format!("{word:?} is no bound")),
                };
                let (lower, upper) = (bound(lower)?, bound(upper)?);
                let best = self.solutions.iter().map(|(_, value)| *value).min();
                if upper.is_some_and(|upper: i128| best.is_none_or(|best| best > upper)) {
                    return Err("no assignment was shown that costs as little".to_owned());
                }
                let holds = match lower {
                    None if best.is_some() => return Err("an assignment was shown".to_owned()),
                    None => self.shows(hint, Constraint::is_contradiction)?,
                    // Below what was known when constraints were derived, nothing is proved about it.
                    Some(least) if self.cheapest_known.is_some_and(|known| least > known) => false,
                    Some(least) => {
                        let wanted = self.formula.at_least(least)?;
                        self.shows(hint, |one| one.implies(&wanted))?
                            || (hint.is_none() && wanted.degree() == 0)
                    }
                };
                match holds {
                    true => Ok(Conclusion::Bounds(lower, upper)),
                    false => Err("the lower bound was not derived".to_owned()),
                }
            }
            _ => Err("expected NONE, SAT, UNSAT or BOUNDS".to_owned()),
        }
    }
}
