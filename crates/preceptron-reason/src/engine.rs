//! A problem inside a SAT solver, with all that is worth keeping from one query to the next.
//!
//! Whatever is added here holds for every query: definitions of counters and unions, and clauses that the
//! rules imply. What a single query demands enters as assumptions, so that the solver keeps what it
//! learned.

use std::collections::HashMap;

use preceptron_logic::{Body, Lit, Problem, Sums, Var};
use rustsat::encodings::card::{BoundUpper, BoundUpperIncremental, Totalizer};

use crate::encode;
use crate::ordered::Orders;
use crate::parity::Parities;
use crate::parity_bounds::balances;
use crate::potentials::{LONG, Row};
use crate::sat::{Budget, Sat};
use crate::{Piece, Query, ReasonError};

/// So many variables are kept beside those that loading needs, and a quarter of these, before the engine
/// is built anew. Old counters are dead weight in every later call, and loading is quick: on readings of
/// Sudoku boards, keeping 20,000 takes nine times as long as keeping 300.
const KEPT_VARIABLES: usize = 200;

/// So many literals in clauses of cores are kept before the engine is built anew.
const KEPT_LITERALS: usize = 100_000;

/// After so many bytes the budget is looked at while a problem is loaded.
const LOOK_EVERY: u64 = 1 << 20;

/// Why a problem could not be put into a solver.
#[derive(Debug)]
pub enum Unbuilt {
    /// Time was up, or somebody asked to stop.
    Ended,
    /// It takes more memory than is allowed.
    TooLarge(ReasonError),
}

/// A problem inside a SAT solver.
pub struct Engine<S: Sat> {
    /// The solver.
    pub sat: S,
    /// For each piece that can be violated, the literal that makes it bind.
    pub switches: Vec<(Piece, Lit)>,
    /// For each literal the groups that it is in: hard rules of which exactly one literal is true.
    pub groups: Groups,
    /// What the rules say modulo two, if that is of use.
    pub parities: Option<Parities>,
    /// Long sums along which costs can be shifted.
    pub long: Vec<(Piece, Row)>,
    /// Room for one number for each variable, all zero between queries.
    pub prices: Vec<i64>,
    counters: HashMap<Box<[Lit]>, usize>,
    totalizers: Vec<Counter>,
    unions: HashMap<Box<[Lit]>, Lit>,
    loaded_variables: usize,
    kept_literals: usize,
}

/// A counter of the literals of a core.
struct Counter {
    totalizer: Totalizer,
    literals: Box<[Lit]>,
    /// The literals that stand for bounds which are rows.
    rows: HashMap<usize, Lit>,
}

/// The hard rules of which exactly one literal is true.
#[derive(Default)]
pub struct Groups {
    /// The literals of each.
    pub members: Vec<Vec<Lit>>,
    /// By a literal's code: the groups it is in.
    pub of_literal: Vec<Vec<u32>>,
}

impl<S: Sat> Engine<S> {
    /// Loads a problem. With `switched`, every rule can be switched off; else only those that the
    /// problem states as soft.
    ///
    /// # Errors
    /// If the budget ends, or a rule would take more memory than it has.
    pub fn load(problem: &Problem, switched: bool, budget: &Budget) -> Result<Engine<S>, Unbuilt> {
        let mut sat = S::default();
        for _ in 0..problem.rules.variables().len() {
            sat.new_variable();
        }
        let mut switches = Vec::new();
        // What can be switched off puts nothing in order.
        let mut orders = if switched { None } else { Orders::of(problem.rules.constraints()) };
        let (mut taken, mut looked_at) = (0, 0);
        let mut add = |sat: &mut S, body: &Body, piece: Piece, soft: bool| {
            let bytes = encode::bytes::<S>(body);
            taken += bytes;
            if let Some(limit) = budget.memory.filter(|limit| taken > *limit) {
                return Err(Unbuilt::TooLarge(ReasonError::too_large_to_build(
                    S::NAME,
                    piece,
                    body,
                    bytes,
                    limit,
                )));
            }
            // To look at the clock and at memory takes longer than a small rule.
            if taken >= looked_at {
                looked_at = taken + LOOK_EVERY;
                if budget.is_over() || (taken > LOOK_EVERY && budget.is_full()) {
                    return Err(Unbuilt::Ended);
                }
            }
            if !soft {
                if let (Some(orders), Body::Cardinality(constraint)) = (&mut orders, body)
                    && let Some(chains) = orders.chains(constraint)
                {
                    encode::add_chains(sat, &chains, constraint);
                } else {
                    encode::add_body(sat, body, &[]);
                }
                return Ok(());
            }
            let switch = match body {
                // A single literal is its own switch.
                Body::Cardinality(c) if let Some([literal]) = c.as_clause().as_deref() => *literal,
                _ => {
                    let switch = sat.new_variable().positive();
                    encode::add_body(sat, body, &[switch]);
                    switch
                }
            };
            switches.push((piece, switch));
            Ok(())
        };
        let mut groups = Groups::default();
        for (place, constraint) in problem.rules.constraints().enumerate() {
            add(&mut sat, &Body::Cardinality(constraint.clone()), Piece::Rule(place), switched)?;
            if !switched && constraint.gate().is_none() && *constraint.sums() == Sums::exactly(1) {
                groups.insert(constraint.literals());
            }
        }
        for (place, linear) in problem.linear.iter().enumerate() {
            add(&mut sat, &Body::Linear(linear.clone()), Piece::Linear(place), switched)?;
        }
        for (place, soft) in problem.soft.iter().enumerate() {
            add(&mut sat, &soft.body, Piece::Soft(place), true)?;
        }
        if switched {
            for balance in balances(problem.rules.constraints()) {
                let off: Vec<Lit> = balance.rules.iter().map(|&place| !switches[place].1).collect();
                if !balance.is_level {
                    sat.add_clause(&off);
                    continue;
                }
                for last in 0..off.len() {
                    let mut clause = off.clone();
                    clause[last] = !clause[last];
                    sat.add_clause(&clause);
                }
            }
        }
        sat.watch(problem.rules.variables().len());
        let loaded_variables = sat.variables();
        Ok(Engine {
            parities: if switched { None } else { Parities::of(&problem.rules) },
            kept_literals: 0,
            // Where all sums are rows, all are long: so that small problems try every way.
            long: long_rows(problem, if S::ROWS_FROM == 0 { 2 } else { LONG }),
            prices: vec![0; problem.rules.variables().len()],
            sat,
            switches,
            groups,
            counters: HashMap::new(),
            totalizers: Vec::new(),
            unions: HashMap::new(),
            loaded_variables,
        })
    }

    /// Whether so much was added since loading that it is time to begin anew.
    pub fn is_worn(&self) -> bool {
        self.sat.variables() > self.loaded_variables + self.loaded_variables / 4 + KEPT_VARIABLES
            || self.kept_literals > KEPT_LITERALS
    }

    /// Adds a clause that the rules imply, for good.
    pub fn keep_clause(&mut self, clause: &[Lit]) {
        self.kept_literals += clause.len();
        self.sat.add_clause(clause);
    }

    /// What must hold in a query: its fixed literals, and the switches of rules that are hard.
    pub fn hard_assumptions(&self, problem: &Problem, query: &Query) -> Vec<Lit> {
        let hard = self.switches.iter().filter(|(piece, _)| query.price(problem, *piece).is_none());
        query.fixed.iter().copied().chain(hard.map(|(_, switch)| *switch)).collect()
    }

    /// A literal that, when true, makes one of `literals` true.
    pub fn union(&mut self, literals: &[Lit]) -> Lit {
        if let [literal] = literals {
            return *literal;
        }
        let key = sorted(literals);
        if let Some(&union) = self.unions.get(&key) {
            return union;
        }
        let union = self.sat.new_variable().positive();
        let clause: Vec<Lit> = std::iter::once(!union).chain(literals.iter().copied()).collect();
        self.sat.add_clause(&clause);
        self.unions.insert(key, union);
        union
    }

    /// A counter of these literals, in any order.
    pub fn counter(&mut self, literals: &[Lit]) -> usize {
        *self.counters.entry(sorted(literals)).or_insert_with_key(|key| {
            let totalizer = key.iter().map(|&literal| encode::to_rustsat(literal)).collect();
            self.totalizers.push(Counter { totalizer, literals: key.clone(), rows: HashMap::new() });
            self.totalizers.len() - 1
        })
    }

    /// A literal that, when true, makes at most `most` of the counter's literals true. Nothing if that
    /// is so anyway.
    pub fn at_most(&mut self, counter: usize, most: usize) -> Option<Lit> {
        let Counter { totalizer, literals, rows } = &mut self.totalizers[counter];
        if most < literals.len() && (literals.len() * (most + 1)) as u64 > S::ROWS_FROM {
            return Some(*rows.entry(most).or_insert_with(|| {
                let bound = self.sat.new_variable().positive();
                self.kept_literals += literals.len();
                encode::add_row(&mut self.sat, literals.iter().map(|&l| (1, l)), most as i64, &[bound]);
                bound
            }));
        }
        encode::encoded(&mut self.sat, |clauses, variables| {
            totalizer.encode_ub_change(most..=most, clauses, variables)
        });
        let enforced = totalizer.enforce_ub(most).expect("the bound has been encoded");
        enforced.into_iter().next().map(encode::from_rustsat)
    }

    /// The values of the problem's variables in the model found last.
    pub fn values(&self, problem: &Problem) -> Vec<bool> {
        (0..problem.rules.variables().len() as u32).map(|v| self.sat.holds(Var(v).positive())).collect()
    }
}

/// The counts and equations of a problem that have so many literals and no gate.
fn long_rows(problem: &Problem, long: usize) -> Vec<(Piece, Row)> {
    let rules = problem.rules.constraints().enumerate().filter_map(|(place, rule)| {
        let (least, greatest) = (rule.sums().least()?, rule.sums().greatest()?);
        let is_row =
            rule.gate().is_none() && rule.len() >= long && *rule.sums() == Sums::range(least, greatest);
        let terms = || rule.literals().iter().map(|&literal| (1, literal)).collect();
        is_row.then(|| {
            (Piece::Rule(place), Row { terms: terms(), least: least.into(), greatest: greatest.into() })
        })
    });
    let linear = problem.linear.iter().enumerate().filter_map(|(place, linear)| {
        let sum = linear.min.filter(|min| linear.max == Some(*min) && linear.terms.len() >= long)?;
        // c l = c + |c| (not l) for negative c.
        let negative: i64 = linear.terms.iter().map(|(weight, _)| *weight.min(&0)).sum();
        let positive =
            |&(weight, literal): &(i64, Lit)| (weight.abs(), if weight < 0 { !literal } else { literal });
        let (terms, sum) = (linear.terms.iter().map(positive).collect(), sum.checked_sub(negative)?);
        Some((Piece::Linear(place), Row { terms, least: sum, greatest: sum }))
    });
    rules.chain(linear).collect()
}

impl Groups {
    fn insert(&mut self, literals: &[Lit]) {
        let number = self.members.len() as u32;
        for literal in literals {
            if self.of_literal.len() <= literal.code() {
                self.of_literal.resize(literal.code() + 1, Vec::new());
            }
            self.of_literal[literal.code()].push(number);
        }
        self.members.push(literals.to_vec());
    }

    /// The groups that a literal is in.
    pub fn of(&self, literal: Lit) -> &[u32] {
        self.of_literal.get(literal.code()).map_or(&[], Vec::as_slice)
    }
}

fn sorted(literals: &[Lit]) -> Box<[Lit]> {
    let mut key: Box<[Lit]> = literals.into();
    key.sort_unstable();
    key
}
