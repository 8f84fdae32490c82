//! A problem and a query as one pseudo-Boolean formula: what a proof is about.
//!
//! | what is said | rows, over `x1, x2, ...` in the order of the variables |
//! |---|---|
//! | `gate -> a <= sum <= b` | `sum + a ~gate >= a`, and the same of the negated literals |
//! | sums with gaps | for each gap from c to d a variable g: `g -> sum >= d`, `~g -> sum <= c` |
//! | soft, of weight w | a variable r in the place of a gate `~r`, and `w r` in the objective |
//! | fixed literals, clauses, a bound on the cost | rows |
//!
//! Costs become positive weights of literals and a constant, which stands in a comment. Variables beyond those of
//! the rules come last.

use std::fmt::Write as _;

use preceptron_logic::{Body, Constraint, Linear, Lit, Problem};

use crate::cutting::{Code, Cutting, Found, Row, name, row_text};
use crate::sat::Budget;
use crate::{Piece, Query};

/// The comment by which a formula that was written for a proof is known.
pub const MARK: &str = "* formula of a proof";

/// Rows, and what is to be least.
#[derive(Clone, Debug)]
pub struct Formula {
    /// How many variables the rules have.
    pub own: usize,
    /// How many there are in all.
    pub variables: usize,
    /// The rows, numbered from 1.
    pub rows: Vec<Row>,
    /// Positive weights; nothing if nothing costs anything.
    pub objective: Vec<(i64, Code)>,
    /// What is paid in any case.
    pub constant: i64,
}

fn code(literal: Lit) -> Code {
    literal.code() as Code
}

impl Formula {
    /// What a query asks of a problem; nothing if numbers are too large for a proof.
    pub fn of(problem: &Problem, query: &Query) -> Option<Formula> {
        let own = problem.rules.variables().len();
        let mut formula =
            Formula { own, variables: own, rows: Vec::new(), objective: Vec::new(), constant: 0 };
        let mut costs: Vec<(i64, Code)> = query.all_costs(problem).map(|(l, cost)| (cost, code(l))).collect();
        formula.constant = problem.objective_constant;
        for (place, constraint) in problem.rules.constraints().enumerate() {
            let price = query.price(problem, Piece::Rule(place));
            formula.body(&Body::Cardinality(constraint.clone()), price, &mut costs)?;
        }
        for (place, linear) in problem.linear.iter().enumerate() {
            let price = query.price(problem, Piece::Linear(place));
            formula.body(&Body::Linear(linear.clone()), price, &mut costs)?;
        }
        for (place, soft) in problem.soft.iter().enumerate() {
            let price = query.price(problem, Piece::Soft(place));
            formula.body(&soft.body, price, &mut costs)?;
        }
        for clause in &query.clauses {
            formula.at_least(clause.iter().map(|&l| (1, code(l))), 1, &[])?;
        }
        for &literal in &query.fixed {
            formula.at_least([(1, code(literal))], 1, &[])?;
        }
        // All costs together, each variable once: sum of w l >= D for the bound reads D as what is paid anyhow.
        let mut sums = std::collections::BTreeMap::new();
        for (cost, literal) in costs {
            let sum = sums.entry(literal >> 1).or_insert(0i64);
            let signed = if literal & 1 == 1 { cost.checked_neg()? } else { cost };
            *sum = sum.checked_add(signed)?;
            if literal & 1 == 1 {
                formula.constant = formula.constant.checked_add(cost)?;
            }
        }
        for (variable, weight) in sums {
            formula.constant = formula.constant.checked_add(weight.min(0))?;
            if weight != 0 {
                formula.objective.push((weight.abs(), 2 * variable + u32::from(weight < 0)));
            }
        }
        if let Some(bound) = problem.cost_bound {
            let most = i128::from(bound) - 1 - i128::from(formula.constant);
            let row = formula.cheaper_than(i64::try_from(most).ok()?.checked_add(1)?)?;
            formula.rows.push(row);
        }
        Some(formula)
    }

    /// The row that says that the objective is below a number, without the constant.
    pub fn cheaper_than(&self, bound: i64) -> Option<Row> {
        let terms = self.objective.iter().map(|&(weight, literal)| (-weight, literal));
        Row::new(terms, 1i64.checked_sub(bound)?)
    }

    /// A variable that the rules do not have.
    fn fresh(&mut self) -> Code {
        self.variables += 1;
        2 * (self.variables as u32 - 1)
    }

    /// Something hard, or soft at a price.
    fn body(&mut self, body: &Body, price: Option<u64>, costs: &mut Vec<(i64, Code)>) -> Option<()> {
        let mut off = Vec::new();
        if let Some(price) = price {
            // What may be violated for nothing says nothing.
            if price == 0 {
                return Some(());
            }
            let clause = match body {
                Body::Cardinality(constraint) => constraint.as_clause(),
                Body::Linear(_) => None,
            };
            let violated = match clause.as_deref() {
                // A literal is violated by its opposite.
                Some([literal]) => {
                    costs.push((i64::try_from(price).ok()?, code(!*literal)));
                    return Some(());
                }
                _ => self.fresh(),
            };
            costs.push((i64::try_from(price).ok()?, violated));
            off.push(violated);
        }
        match body {
            Body::Cardinality(constraint) => self.count(constraint, off),
            Body::Linear(linear) => self.linear(linear, &off),
        }
    }

    /// A count; it need not hold where one of `off` is true.
    fn count(&mut self, constraint: &Constraint, mut off: Vec<Code>) -> Option<()> {
        off.extend(constraint.gate().map(|gate| code(!gate)));
        let (Some(least), Some(greatest)) = (constraint.sums().least(), constraint.sums().greatest()) else {
            return self.at_least(off.iter().map(|&literal| (1, literal)), 1, &[]);
        };
        let literals: Vec<Code> = constraint.literals().iter().map(|&l| code(l)).collect();
        let count = literals.len() as i64;
        let positive = || literals.iter().map(|&literal| (1, literal));
        let negative = || literals.iter().map(|&literal| (1, literal ^ 1));
        if least > 0 {
            self.at_least(positive(), i64::from(least), &off)?;
        }
        if i64::from(greatest) < count {
            self.at_least(negative(), count - i64::from(greatest), &off)?;
        }
        let sums: Vec<u32> = (least..=greatest).filter(|&sum| constraint.sums().contains(sum)).collect();
        for pair in sums.windows(2).filter(|pair| pair[1] > pair[0] + 1) {
            let above = self.fresh();
            let with = |literal: Code| off.iter().copied().chain([literal]).collect::<Vec<_>>();
            self.at_least(positive(), i64::from(pair[1]), &with(above ^ 1))?;
            self.at_least(negative(), count - i64::from(pair[0]), &with(above))?;
        }
        Some(())
    }

    fn linear(&mut self, linear: &Linear, off: &[Code]) -> Option<()> {
        let terms = || linear.terms.iter().map(|&(weight, literal)| (weight, code(literal)));
        if let Some(min) = linear.min {
            self.at_least(terms(), min, off)?;
        }
        if let Some(max) = linear.max {
            self.at_least(terms().map(|(weight, literal)| (-weight, literal)), max.checked_neg()?, off)?;
        }
        Some(())
    }

    /// A row that holds where none of `off` is true.
    fn at_least(
        &mut self,
        terms: impl IntoIterator<Item = (i64, Code)>,
        degree: i64,
        off: &[Code],
    ) -> Option<()> {
        let row = Row::new(terms, degree)?;
        let guards = off.iter().map(|&literal| (row.degree, literal));
        let row = Row::new(row.terms.iter().copied().chain(guards), row.degree)?;
        if row.degree > 0 {
            self.rows.push(row);
        }
        Some(())
    }

    /// The values of all variables where those of the rules have these, at no more than this cost; nothing if that
    /// cannot be.
    pub fn extended(&self, values: &[bool], cost: i64) -> Option<Vec<bool>> {
        let mut search = Cutting::new(self.variables, None);
        self.rows.iter().for_each(|row| search.add(row.clone(), 0));
        search.add(self.cheaper_than(cost.checked_sub(self.constant)?.checked_add(1)?)?, 0);
        for (variable, &value) in (0..).zip(&values[..self.own]) {
            search.add(Row { terms: vec![(1, 2 * variable + u32::from(!value))], degree: 1 }, 0);
        }
        match search.search(&Budget::default()) {
            Found::Values(values) => Some(values),
            _ => None,
        }
    }

    /// The formula as text, with the names of the rules' variables in comments.
    pub fn to_opb(&self, problem: &Problem) -> String {
        let mut text = format!("* #variable= {} #constraint= {}\n{MARK}\n", self.variables, self.rows.len());
        for (variable, known) in (1..).zip(problem.rules.variables().names()) {
            let _ = writeln!(text, "* name x{variable} {known}");
        }
        if self.constant != 0 {
            let _ = writeln!(text, "* objective constant {}", self.constant);
        }
        if !self.objective.is_empty() {
            text.push_str("min:");
            for &(weight, literal) in &self.objective {
                let _ = write!(text, " {weight} {}", name(literal));
            }
            text.push_str(" ;\n");
        }
        for row in &self.rows {
            let _ = writeln!(text, "{} ;", row_text(row));
        }
        text
    }

    /// The formula that says: another assignment of the rules' variables that costs no more.
    pub fn others(&self, values: &[bool], cost: i64) -> Option<Formula> {
        let mut rest = self.clone();
        if !self.objective.is_empty() {
            rest.rows.push(self.cheaper_than(cost.checked_sub(self.constant)?.checked_add(1)?)?);
        }
        let differs = (0..).zip(&values[..self.own]).map(|(v, &value)| (1, 2 * v + u32::from(value)));
        rest.rows.push(Row::new(differs, 1)?);
        rest.objective.clear();
        Some(rest)
    }
}
