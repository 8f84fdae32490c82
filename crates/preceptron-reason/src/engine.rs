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
use crate::sat::Sat;
use crate::{Piece, Query};

/// So many variables are kept beside those that loading needs, and a quarter of these, before the engine
/// is built anew. Old counters are dead weight in every later call, and loading is quick: on readings of
/// Sudoku boards, keeping 20,000 takes nine times as long as keeping 300.
const KEPT_VARIABLES: usize = 200;

/// So many literals in clauses of cores are kept before the engine is built anew.
const KEPT_LITERALS: usize = 100_000;

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
    /// Room for one number for each variable, all zero between queries.
    pub prices: Vec<i64>,
    counters: HashMap<Box<[Lit]>, usize>,
    totalizers: Vec<Totalizer>,
    unions: HashMap<Box<[Lit]>, Lit>,
    loaded_variables: usize,
    kept_literals: usize,
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
    pub fn load(problem: &Problem, switched: bool) -> Engine<S> {
        let mut sat = S::default();
        for _ in 0..problem.rules.variables().len() {
            sat.new_variable();
        }
        let mut switches = Vec::new();
        // What can be switched off puts nothing in order.
        let mut orders = if switched { None } else { Orders::of(problem.rules.constraints()) };
        let mut add = |sat: &mut S, body: &Body, piece: Piece, soft: bool| {
            if !soft {
                if let (Some(orders), Body::Cardinality(constraint)) = (&mut orders, body)
                    && let Some(chains) = orders.chains(constraint)
                {
                    return encode::add_chains(sat, &chains, constraint);
                }
                return encode::add_body(sat, body, &[]);
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
        };
        let mut groups = Groups::default();
        for (place, constraint) in problem.rules.constraints().enumerate() {
            add(&mut sat, &Body::Cardinality(constraint.clone()), Piece::Rule(place), switched);
            if !switched && constraint.gate().is_none() && *constraint.sums() == Sums::exactly(1) {
                groups.insert(constraint.literals());
            }
        }
        for (place, linear) in problem.linear.iter().enumerate() {
            add(&mut sat, &Body::Linear(linear.clone()), Piece::Linear(place), switched);
        }
        for (place, soft) in problem.soft.iter().enumerate() {
            add(&mut sat, &soft.body, Piece::Soft(place), true);
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
        Engine {
            parities: if switched { None } else { Parities::of(&problem.rules) },
            kept_literals: 0,
            prices: vec![0; problem.rules.variables().len()],
            sat,
            switches,
            groups,
            counters: HashMap::new(),
            totalizers: Vec::new(),
            unions: HashMap::new(),
            loaded_variables,
        }
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
            self.totalizers.push(key.iter().map(|&literal| encode::to_rustsat(literal)).collect());
            self.totalizers.len() - 1
        })
    }

    /// A literal that, when true, makes at most `most` of the counter's literals true. Nothing if that
    /// is so anyway.
    pub fn at_most(&mut self, counter: usize, most: usize) -> Option<Lit> {
        let totalizer = &mut self.totalizers[counter];
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
