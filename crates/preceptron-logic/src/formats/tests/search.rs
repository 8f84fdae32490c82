//! A plain search for the cheapest way to complete an assignment.

use crate::{Body, Lit, Problem, Var};

/// Every assignment of so many variables.
pub fn assignments(count: usize) -> impl Iterator<Item = Vec<bool>> {
    (0..1u32 << count).map(move |bits| (0..count).map(|i| bits >> i & 1 == 1).collect())
}

/// The least cost of an assignment that begins with `start`; nothing if there is none.
pub fn best(problem: &Problem, start: &[bool]) -> Option<i128> {
    let count = problem.rules.variables().len();
    let mut partial: Vec<Option<bool>> = start.iter().map(|&b| Some(b)).collect();
    partial.resize(count, None);
    let rules = problem.rules.constraints().cloned().map(Body::Cardinality);
    let hard: Vec<Body> = rules.chain(problem.linear.iter().cloned().map(Body::Linear)).collect();
    let mut best = None;
    search(problem, &hard, partial, &mut best);
    best
}

fn search(problem: &Problem, hard: &[Body], mut partial: Vec<Option<bool>>, best: &mut Option<i128>) {
    // Values that a constraint rules out are ruled out until nothing changes.
    let mut changed = true;
    while changed {
        changed = false;
        for body in hard {
            if !possible(body, &partial) {
                return;
            }
            for var in variables(body) {
                if partial[var.index()].is_some() {
                    continue;
                }
                for value in [false, true] {
                    partial[var.index()] = Some(value);
                    let fits = possible(body, &partial);
                    partial[var.index()] = None;
                    if !fits {
                        partial[var.index()] = Some(!value);
                        changed = true;
                        break;
                    }
                }
            }
        }
    }
    let used = |v: &usize| {
        let lits = problem.objective.iter().map(|(_, l)| l.var());
        let bodies = hard.iter().chain(problem.soft.iter().map(|s| &s.body));
        lits.chain(bodies.flat_map(variables)).any(|u| u.index() == *v)
    };
    match (0..partial.len()).find(|v| partial[*v].is_none() && used(v)) {
        Some(var) => {
            for value in [true, false] {
                let mut next = partial.clone();
                next[var] = Some(value);
                search(problem, hard, next, best);
            }
        }
        None => {
            let cost = problem.cost(|v| partial[v.index()] == Some(true));
            *best = [*best, cost].into_iter().flatten().min();
        }
    }
}

fn variables(body: &Body) -> Vec<Var> {
    match body {
        Body::Cardinality(constraint) => constraint.variables().collect(),
        Body::Linear(linear) => linear.terms.iter().map(|(_, l)| l.var()).collect(),
    }
}

/// Whether some completion satisfies the constraint, looking at it alone.
fn possible(body: &Body, partial: &[Option<bool>]) -> bool {
    let value = |l: Lit| partial[l.var().index()].map(|v| l.holds(v));
    let (terms, gate): (Vec<(i64, Lit)>, _) = match body {
        Body::Cardinality(c) => (c.literals().iter().map(|&l| (1, l)).collect(), c.gate()),
        Body::Linear(linear) => (linear.terms.clone(), None),
    };
    if gate.is_some_and(|g| value(g) != Some(true)) {
        return true;
    }
    let fixed: i64 = terms.iter().filter(|(_, l)| value(*l) == Some(true)).map(|(c, _)| c).sum();
    let open = terms.iter().filter(|(_, l)| value(*l).is_none()).map(|(c, _)| *c);
    let (least, most) = open.fold((fixed, fixed), |(a, b), c| (a + c.min(0), b + c.max(0)));
    match body {
        Body::Cardinality(c) => (least..=most).any(|s| c.sums().contains(s as u32)),
        Body::Linear(l) => l.min.is_none_or(|m| most >= m) && l.max.is_none_or(|m| least <= m),
    }
}
