//! Constraints as clauses.
//!
//! A narrow constraint is written out: at most `k` of some literals forbids every `k + 1` of them. A wide
//! one goes through a totalizer, a parity through a chain of short parities, and weighted sums through
//! `rustsat`'s generalised totalizer or dynamic polynomial watchdog. Each constraint can be guarded: its
//! clauses then bind only where all the guards are true.
//!
//! Clauses let a solver learn about partial sums, but there are as many as literals times the bound. What would
//! take too many is a row of a solver that counts by itself ([`Sat::add_row`]).

use preceptron_logic::{Body, Constraint, Linear, Lit, Sums, Var};
use rustsat::encodings::{card, pb};
use rustsat::instances::{BasicVarManager, Cnf, ManageVars};

use crate::ordered;
use crate::sat::Sat;

/// As many clauses may be written out for one bound.
const WRITTEN_OUT: u64 = 130;

/// At most one of so many literals is written out in pairs.
const PAIRED: usize = 30;

/// Parities of so many literals are written out.
const PARITY: usize = 4;

/// Weighted sums up to this bound go through the generalised totalizer, whose size grows with the bound.
const SMALL_BOUND: u64 = 64;

/// Sums with more gaps than this go through a totalizer rather than through rows, two for each gap.
const MANY_GAPS: usize = 64;

/// What a clause of an encoding takes in a solver, with all that points to it.
const CLAUSE_BYTES: u64 = 100;

/// About how many bytes a constraint takes in a solver.
pub fn bytes<S: Sat>(body: &Body) -> u64 {
    let clauses = match body {
        Body::Cardinality(constraint) => counted_clauses::<S>(constraint.len(), constraint.sums()),
        Body::Linear(linear) => {
            let both = u64::from(linear.min.is_some()) + u64::from(linear.max.is_some());
            let clauses = watchdog_clauses(linear.terms.iter().map(|(weight, _)| weight.unsigned_abs()));
            both * if clauses > S::ROWS_FROM { linear.terms.len() as u64 } else { clauses }
        }
    };
    clauses.saturating_mul(CLAUSE_BYTES)
}

/// About how many bytes all that a problem states takes in a solver.
#[cfg(feature = "cadical")]
pub fn bytes_of_all<S: Sat>(problem: &preceptron_logic::Problem) -> u64 {
    let rules = problem.rules.constraints().map(|rule| bytes::<S>(&Body::Cardinality(rule.clone())));
    let linear = problem.linear.iter().map(|linear| bytes::<S>(&Body::Linear(linear.clone())));
    rules
        .chain(linear)
        .chain(problem.soft.iter().map(|soft| bytes::<S>(&soft.body)))
        .fold(0, u64::saturating_add)
}

/// About how many clauses, or terms of rows, a count takes.
fn counted_clauses<S: Sat>(count: usize, sums: &Sums) -> u64 {
    let (Some(least), Some(greatest)) = (sums.least(), sums.greatest()) else { return 1 };
    let gaps = gaps(sums);
    if is_parity(count, least as usize, greatest as usize, gaps) {
        return 8 * count as u64;
    }
    let both = 2 * totalizer_clauses(count, count);
    match gaps <= MANY_GAPS && both > S::ROWS_FROM {
        true => (2 * count as u64).saturating_mul(1 + gaps as u64),
        false => both,
    }
}

/// How many sums between the least and the greatest that are allowed begin a gap.
fn gaps(sums: &Sums) -> usize {
    match sums {
        Sums::Range { .. } => 0,
        Sums::Set(values) => values.windows(2).filter(|pair| pair[1] > pair[0] + 1).count(),
    }
}

/// About how many clauses a totalizer has that counts up to `most`.
fn totalizer_clauses(count: usize, most: usize) -> u64 {
    let (mut clauses, mut nodes, mut width) = (0u64, 1u64, count as u64);
    while width > 1 {
        let half = width.div_ceil(2).min(most as u64 + 1);
        clauses = clauses.saturating_add(nodes.saturating_mul(half * half));
        (nodes, width) = (2 * nodes, width.div_ceil(2));
    }
    clauses
}

/// About how many clauses a polynomial watchdog has: a totalizer for each binary digit.
fn watchdog_clauses(weights: impl Iterator<Item = u64>) -> u64 {
    let mut digits = [0usize; 64];
    for weight in weights {
        (0..64).filter(|digit| weight >> digit & 1 == 1).for_each(|digit| digits[digit] += 1);
    }
    let mut carried = 0;
    let mut clauses = 0u64;
    for count in digits {
        clauses = clauses.saturating_add(totalizer_clauses(count + carried, count + carried));
        carried = (count + carried) / 2;
    }
    clauses
}

/// Adds a row that binds where all `guards` are true. Something must exceed the bound.
pub fn add_row<S: Sat>(sat: &mut S, terms: impl Iterator<Item = (i64, Lit)>, bound: i64, guards: &[Lit]) {
    let mut terms: Vec<(i64, Lit)> = terms.collect();
    let excess = terms.iter().map(|(weight, _)| weight).sum::<i64>() - bound;
    terms.extend(guards.iter().map(|&guard| (excess, guard)));
    sat.add_row(terms, bound + guards.len() as i64 * excess);
}

/// Adds a constraint that binds where all `guards` are true.
pub fn add_body<S: Sat>(sat: &mut S, body: &Body, guards: &[Lit]) {
    match body {
        Body::Cardinality(constraint) => add_constraint(sat, constraint, guards),
        Body::Linear(linear) => add_linear(sat, linear, guards),
    }
}

/// Adds a cardinality constraint that binds where all `guards` are true.
pub fn add_constraint<S: Sat>(sat: &mut S, constraint: &Constraint, guards: &[Lit]) {
    let guards: Vec<Lit> = guards.iter().copied().chain(constraint.gate()).collect();
    add_sums(sat, constraint.literals(), constraint.sums(), &guards);
}

/// Adds a cardinality constraint whose literals are in order, see [`ordered`].
pub fn add_chains<S: Sat>(sat: &mut S, chains: &[Vec<Lit>], constraint: &Constraint) {
    for clause in ordered::clauses(chains, constraint.sums()) {
        guarded(sat, constraint.gate().as_slice(), clause);
    }
}

/// Adds that the number of true literals is one of `sums`.
fn add_sums<S: Sat>(sat: &mut S, literals: &[Lit], sums: &Sums, guards: &[Lit]) {
    let count = literals.len();
    let (Some(least), Some(greatest)) = (sums.least(), sums.greatest()) else {
        return guarded(sat, guards, []);
    };
    let (least, greatest) = (least as usize, (greatest as usize).min(count));
    if least > count {
        return guarded(sat, guards, []);
    }
    if is_parity(count, least, greatest, gaps(sums)) {
        return add_parity(sat, literals, least % 2 == 1, guards);
    }
    let gaps: Vec<usize> = match gaps(sums) {
        0 => Vec::new(),
        _ => (least..greatest).filter(|&sum| !sums.contains(sum as u32)).collect(),
    };
    let forbidding: u64 = gaps.iter().map(|&sum| choose(count, sum)).fold(0, u64::saturating_add);
    let both_wide =
        least > 0 && greatest < count && !narrow::<S>(count, greatest) && !narrow::<S>(count, count - least);
    if forbidding > WRITTEN_OUT || both_wide {
        let is_large = 2 * totalizer_clauses(count, count) > S::ROWS_FROM;
        match sums {
            Sums::Set(values) if is_large && forbidding > WRITTEN_OUT => {
                if self::gaps(sums) <= MANY_GAPS {
                    return add_runs(sat, literals, values, guards);
                }
                return add_counted(sat, literals, sums, guards);
            }
            _ if is_large => (),
            _ => return add_counted(sat, literals, sums, guards),
        }
    }
    add_at_most(sat, literals, greatest, guards);
    let negated: Vec<Lit> = literals.iter().map(|&literal| !literal).collect();
    add_at_most(sat, &negated, count - least, guards);
    for sum in gaps {
        for_each_subset(count, sum, |chosen| {
            let sign = |place: usize| if chosen.contains(&place) { negated[place] } else { literals[place] };
            guarded(sat, guards, (0..count).map(sign));
        });
    }
}

/// Adds sums with a few gaps: for each gap a variable says whether the sum is above it.
fn add_runs<S: Sat>(sat: &mut S, literals: &[Lit], values: &[u32], guards: &[Lit]) {
    let count = literals.len();
    let negated: Vec<Lit> = literals.iter().map(|&literal| !literal).collect();
    let mut above = Vec::new();
    for pair in values.windows(2).filter(|pair| pair[1] > pair[0] + 1) {
        let is_above = sat.new_variable().positive();
        above.extend_from_slice(guards);
        above.push(!is_above);
        add_at_most(sat, literals, pair[0] as usize, &above);
        above.pop();
        above.push(is_above);
        add_at_most(sat, &negated, count - pair[1] as usize, &above);
        above.clear();
    }
    let (Some(&least), Some(&greatest)) = (values.first(), values.last()) else { return };
    add_at_most(sat, literals, greatest as usize, guards);
    add_at_most(sat, &negated, count - least as usize, guards);
}

/// Whether the sums, with so many gaps, are all the even ones or all the odd ones.
fn is_parity(count: usize, least: usize, greatest: usize, gaps: usize) -> bool {
    count > 2
        && least <= 1
        && greatest + 1 >= count
        && greatest > least
        && (greatest - least).is_multiple_of(2)
        && gaps == (greatest - least) / 2
}

/// Whether at most `most` of `count` literals is written out.
fn narrow<S: Sat>(count: usize, most: usize) -> bool {
    if S::ROWS_FROM == 0 {
        return count <= most + 1;
    }
    count <= most || choose(count, most + 1) <= WRITTEN_OUT || (most == 1 && count <= PAIRED)
}

/// Adds that at most `most` of the literals are true.
fn add_at_most<S: Sat>(sat: &mut S, literals: &[Lit], most: usize, guards: &[Lit]) {
    let count = literals.len();
    if most >= count {
        return;
    }
    if narrow::<S>(count, most) {
        return for_each_subset(count, most + 1, |chosen| {
            guarded(sat, guards, chosen.iter().map(|&place| !literals[place]));
        });
    }
    if totalizer_clauses(count, most) > S::ROWS_FROM {
        return add_row(sat, literals.iter().map(|&literal| (1, literal)), most as i64, guards);
    }
    use card::BoundUpper;
    let mut totalizer: card::Totalizer = literals.iter().map(|&literal| to_rustsat(literal)).collect();
    encoded(sat, |clauses, variables| totalizer.encode_ub(most..=most, clauses, variables));
    let enforced = totalizer.enforce_ub(most).expect("the bound has been encoded");
    enforced.into_iter().for_each(|literal| guarded(sat, guards, [from_rustsat(literal)]));
}

/// Adds the sums by way of a totalizer that counts both ways.
fn add_counted<S: Sat>(sat: &mut S, literals: &[Lit], sums: &Sums, guards: &[Lit]) {
    use card::{BoundBoth, BoundLower};
    let count = literals.len();
    let mut totalizer: card::Totalizer = literals.iter().map(|&literal| to_rustsat(literal)).collect();
    encoded(sat, |clauses, variables| totalizer.encode_both(0..=count, clauses, variables));
    let at_least = |sum: usize| {
        let enforced = totalizer.enforce_lb(sum).expect("every bound has been encoded");
        enforced.into_iter().map(from_rustsat).next()
    };
    for sum in (0..=count).filter(|&sum| !sums.contains(sum as u32)) {
        let below = if sum == 0 { None } else { at_least(sum).map(|literal| !literal) };
        let above = if sum == count { None } else { at_least(sum + 1) };
        guarded(sat, guards, below.into_iter().chain(above));
    }
}

/// Adds that an odd (or even) number of the literals is true.
fn add_parity<S: Sat>(sat: &mut S, literals: &[Lit], odd: bool, guards: &[Lit]) {
    let mut left = literals.to_vec();
    while left.len() > PARITY {
        let rest = left.split_off(PARITY - 1);
        let sum = sat.new_variable().positive();
        left.push(sum);
        // Where the guards are false the sum is free, which does no harm.
        write_parity(sat, &left, false, guards);
        left = rest;
        left.push(sum);
    }
    write_parity(sat, &left, odd, guards);
}

/// Writes out that an odd (or even) number of a few literals is true.
fn write_parity<S: Sat>(sat: &mut S, literals: &[Lit], odd: bool, guards: &[Lit]) {
    for signs in (0u32..1 << literals.len()).filter(|signs| (signs.count_ones() % 2 == 1) != odd) {
        let sign =
            |(place, &literal): (usize, &Lit)| if signs >> place & 1 == 1 { !literal } else { literal };
        guarded(sat, guards, literals.iter().enumerate().map(sign));
    }
}

/// Adds a weighted linear constraint that binds where all `guards` are true.
pub fn add_linear<S: Sat>(sat: &mut S, linear: &Linear, guards: &[Lit]) {
    if let Some(constraint) = linear.as_cardinality() {
        return add_constraint(sat, &constraint, guards);
    }
    if let Some(max) = linear.max {
        add_at_most_weighted(sat, linear.terms.iter().copied(), max.into(), guards);
    }
    if let Some(min) = linear.min {
        let terms = linear.terms.iter().map(|&(coefficient, literal)| (coefficient, !literal));
        let total: i128 = linear.terms.iter().map(|(coefficient, _)| i128::from(*coefficient)).sum();
        add_at_most_weighted(sat, terms, total - i128::from(min), guards);
    }
}

/// Adds that a weighted sum is at most `max`.
fn add_at_most_weighted<S: Sat>(
    sat: &mut S,
    terms: impl Iterator<Item = (i64, Lit)>,
    max: i128,
    guards: &[Lit],
) {
    // c l = c + |c| (not l) for negative c.
    let mut bound = max;
    let mut positive: Vec<(u64, Lit)> = Vec::new();
    for (coefficient, literal) in terms {
        bound -= i128::from(coefficient.min(0));
        positive.push((coefficient.unsigned_abs(), if coefficient < 0 { !literal } else { literal }));
    }
    if bound < 0 {
        return guarded(sat, guards, []);
    }
    let (above, mut terms): (Vec<_>, Vec<_>) =
        positive.into_iter().partition(|(c, _)| i128::from(*c) > bound);
    above.into_iter().for_each(|(_, literal)| guarded(sat, guards, [!literal]));
    let total: i128 = terms.iter().map(|(c, _)| i128::from(*c)).sum();
    if total <= bound {
        return;
    }
    terms.sort_unstable_by(|a, b| b.cmp(a));
    let mut covers = Vec::new();
    let is_row = S::ROWS_FROM == 0;
    if !is_row && covers_up_to(&terms, bound, WRITTEN_OUT as usize, &mut covers) {
        return covers.iter().for_each(|cover| guarded(sat, guards, cover.iter().map(|&literal| !literal)));
    }
    if watchdog_clauses(terms.iter().map(|(weight, _)| *weight)) > S::ROWS_FROM {
        let bound = i64::try_from(bound).expect("less than the sum of 60 bits that it bounds");
        let terms = terms.into_iter().map(|(weight, literal)| (weight as i64, literal));
        return add_row(sat, terms, bound, guards);
    }
    use pb::BoundUpper;
    let bound = usize::try_from(bound).expect("less than the sum of 64-bit weights that it bounds");
    let weighted = terms.iter().map(|&(weight, literal)| (to_rustsat(literal), weight as usize));
    let enforced = if bound as u64 <= SMALL_BOUND {
        let mut encoding: pb::GeneralizedTotalizer = weighted.collect();
        encoded(sat, |clauses, variables| encoding.encode_ub(bound..=bound, clauses, variables));
        encoding.enforce_ub(bound)
    } else {
        let mut encoding: pb::DynamicPolyWatchdog = weighted.collect();
        encoded(sat, |clauses, variables| encoding.encode_ub(bound..=bound, clauses, variables));
        encoding.enforce_ub(bound)
    };
    let enforced = enforced.expect("the bound has been encoded");
    enforced.into_iter().for_each(|literal| guarded(sat, guards, [from_rustsat(literal)]));
}

/// Collects the smallest sets of terms (heaviest first) whose weights exceed the bound; whether there
/// are at most `most` of them.
fn covers_up_to(terms: &[(u64, Lit)], bound: i128, most: usize, covers: &mut Vec<Vec<Lit>>) -> bool {
    fn extend(
        terms: &[(u64, Lit)],
        (weight, rest): (i128, i128),
        bound: i128,
        most: usize,
        chosen: &mut Vec<Lit>,
        covers: &mut Vec<Vec<Lit>>,
        steps: &mut usize,
    ) -> bool {
        *steps += 1;
        if weight > bound {
            covers.push(chosen.clone());
            return covers.len() <= most;
        }
        if weight + rest <= bound {
            return true;
        }
        if *steps > 20 * most {
            return false;
        }
        let Some((&(first, literal), others)) = terms.split_first() else { return true };
        let first = i128::from(first);
        chosen.push(literal);
        let with = (weight + first, rest - first);
        let fine = extend(others, with, bound, most, chosen, covers, steps);
        chosen.pop();
        fine && extend(others, (weight, rest - first), bound, most, chosen, covers, steps)
    }
    let rest = terms.iter().map(|(weight, _)| i128::from(*weight)).sum();
    extend(terms, (0, rest), bound, most, &mut Vec::new(), covers, &mut 0)
}

/// Adds a clause that binds where all guards are true.
fn guarded<S: Sat>(sat: &mut S, guards: &[Lit], clause: impl IntoIterator<Item = Lit>) {
    let clause: Vec<Lit> = guards.iter().map(|&guard| !guard).chain(clause).collect();
    sat.add_clause(&clause);
}

/// Adds what an encoding of `rustsat` makes: its variables follow those that are there.
pub fn encoded<S: Sat, E: std::fmt::Debug>(
    sat: &mut S,
    encode: impl FnOnce(&mut Cnf, &mut BasicVarManager) -> Result<(), E>,
) {
    let mut clauses = Cnf::new();
    let mut variables = BasicVarManager::from_next_free(rustsat::types::Var::new(sat.variables() as u32));
    encode(&mut clauses, &mut variables).expect("there is memory enough");
    let next = variables.new_var().idx();
    while sat.variables() < next {
        sat.new_variable();
    }
    for clause in clauses {
        sat.add_clause(&clause.into_iter().map(from_rustsat).collect::<Vec<Lit>>());
    }
}

/// A literal as `rustsat` has it.
pub fn to_rustsat(literal: Lit) -> rustsat::types::Lit {
    rustsat::types::Lit::new(literal.var().0, literal.is_negated())
}

/// A literal as it is here.
pub fn from_rustsat(literal: rustsat::types::Lit) -> Lit {
    Lit::new(Var(literal.vidx32()), literal.is_neg())
}

/// How many subsets of size `size` a set of `count` has.
fn choose(count: usize, size: usize) -> u64 {
    let size = size.min(count.saturating_sub(size));
    (0..size as u64).fold(1, |result: u64, i| result.saturating_mul(count as u64 - i) / (i + 1))
}

/// Calls `visit` with every subset of `0..count` of this size.
fn for_each_subset(count: usize, size: usize, mut visit: impl FnMut(&[usize])) {
    let mut chosen: Vec<usize> = (0..size).collect();
    loop {
        visit(&chosen);
        let Some(place) = (0..size).rev().find(|&place| chosen[place] < count - size + place) else { return };
        chosen[place] += 1;
        (place + 1..size).for_each(|later| chosen[later] = chosen[later - 1] + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    use crate::sat::{Batsat, Budget, Outcome, Rowed};

    /// Literals of the first variables, a third of them negated.
    fn literals(widths: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Lit>> {
        let signs = prop::collection::vec(prop::bool::weighted(0.3), widths);
        signs.prop_map(|signs| {
            signs.into_iter().zip(0..).map(|(negated, v)| Lit::new(Var(v), negated)).collect()
        })
    }

    /// Ranges, parities, and any sets of sums of so many literals.
    fn sums(count: usize) -> impl Strategy<Value = Sums> {
        let count = count as u32;
        prop_oneof![
            (0..=count, 0..=count).prop_map(|(a, b)| Sums::range(a.min(b), a.max(b))),
            (0..=count).prop_map(Sums::exactly),
            (0..=count).prop_map(|most| Sums::range(0, most)),
            (0..2u32).prop_map(move |odd| Sums::set((0..=count).filter(|sum| sum % 2 == odd))),
            prop::collection::vec(0..=count + 1, 0..6).prop_map(Sums::set),
            prop::collection::vec(0..=count, 1..3)
                .prop_map(move |gaps| { Sums::set((0..=count).filter(|sum| !gaps.contains(sum))) }),
        ]
    }

    fn cardinality(widths: std::ops::Range<usize>) -> impl Strategy<Value = Body> {
        let counted = literals(widths).prop_flat_map(|literals| {
            let sums = sums(literals.len());
            (Just(literals), sums)
        });
        (counted, prop::option::weighted(0.2, (0..3u32, any::<bool>()))).prop_map(
            |((literals, sums), gate)| {
                let constraint = Constraint::new(literals, sums);
                let gate = gate.map(|(var, negated)| Lit::new(Var(var), negated));
                Body::Cardinality(gate.map_or(constraint.clone(), |gate| constraint.gated(gate)))
            },
        )
    }

    /// A weighted constraint with a bound that some of the weights reach, or nearly.
    fn linear(widths: std::ops::Range<usize>, most: i64) -> impl Strategy<Value = Body> {
        let terms = literals(widths).prop_flat_map(move |literals| {
            let weights = prop_oneof![3 => 1..=most, 1 => -most..=-1];
            let weights = prop::collection::vec((weights, any::<bool>()), literals.len());
            (Just(literals), weights, -1i64..2, 0..3usize, 0..=most)
        });
        terms.prop_map(|(literals, weights, more, kind, width)| {
            let reached: i64 = weights.iter().filter(|(_, there)| *there).map(|(weight, _)| weight).sum();
            let bound = reached + more;
            let (min, max) =
                [(Some(bound), None), (None, Some(bound)), (Some(bound), Some(bound + width))][kind];
            let terms = weights.into_iter().map(|(weight, _)| weight).zip(literals).collect();
            Body::Linear(Linear { terms, min, max })
        })
    }

    fn solver<S: Sat>(variables: u32) -> S {
        let mut sat = S::default();
        for _ in 0..variables {
            sat.new_variable();
        }
        sat
    }

    /// Solves under every assignment of the variables and two guards: there is a model just where a guard
    /// is false or the body holds.
    fn check<S: Sat>(body: &Body, variables: u32, guards: usize) -> Result<(), TestCaseError> {
        let mut sat: S = solver(variables + 2);
        let guards: Vec<Lit> = [Var(variables).positive(), Var(variables + 1).negative()][..guards].to_vec();
        add_body(&mut sat, body, &guards);
        for bits in 0u32..1 << (variables + 2) {
            let value = |var: Var| bits >> var.0 & 1 == 1;
            let assumptions: Vec<Lit> =
                (0..variables + 2).map(|v| Lit::new(Var(v), !value(Var(v)))).collect();
            let expected = guards.iter().any(|guard| !guard.holds(value(guard.var()))) || body.holds(value);
            let outcome = sat.solve(&assumptions, &Budget::default());
            prop_assert_eq!(outcome == Outcome::Sat, expected, "{:?} at {:b}", body, bits);
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn narrow_counts_keep_their_truth_table(body in cardinality(0..7), guards in 0..3usize) {
            check::<Batsat>(&body, 6, guards)?;
            check::<Rowed>(&body, 6, guards)?;
        }

        #[test]
        fn narrow_sums_keep_their_truth_table(body in linear(0..7, 6), guards in 0..3usize) {
            check::<Batsat>(&body, 6, guards)?;
            check::<Rowed>(&body, 6, guards)?;
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn wide_counts_keep_their_truth_table(body in cardinality(8..11), guards in 0..3usize) {
            check::<Batsat>(&body, 10, guards)?;
            check::<Rowed>(&body, 10, guards)?;
        }

        #[test]
        fn wide_sums_keep_their_truth_table(body in linear(8..11, 9), guards in 0..3usize) {
            check::<Batsat>(&body, 10, guards)?;
            check::<Rowed>(&body, 10, guards)?;
        }

        #[test]
        fn sums_of_large_weights_keep_their_truth_table(body in linear(8..11, 1 << 56), guards in 0..3usize) {
            check::<Batsat>(&body, 10, guards)?;
            check::<Rowed>(&body, 10, guards)?;
        }
    }

    /// Each way of writing a constraint is taken by some constraint of the property tests.
    #[test]
    fn every_form_occurs() {
        let auxiliary = |body: Body| {
            let mut sat: Batsat = solver(11);
            add_body(&mut sat, &body, &[]);
            sat.variables() - 11
        };
        let all = || (0..11).map(|v| Var(v).positive());
        let count = |sums: Sums| auxiliary(Body::Cardinality(Constraint::new(all(), sums)));
        assert_eq!(count(Sums::range(0, 1)), 0, "in pairs");
        assert_eq!(count(Sums::set([0, 1, 10, 11])), count(Sums::set([0, 1, 9, 11])), "counted");
        assert!(count(Sums::range(0, 5)) > 0, "by a totalizer");
        assert!(count(Sums::range(4, 6)) > 0, "by a totalizer both ways");
        assert_eq!(count(Sums::set((0..12).filter(|sum| sum % 2 == 1))), 4, "a chain of parities");
        let sum = |weight: fn(i64) -> i64, max| {
            let terms = all().zip(1..).map(|(literal, place)| (weight(place), literal)).collect();
            auxiliary(Body::Linear(Linear { terms, min: None, max: Some(max) }))
        };
        let rowed = |sums: Sums| {
            let mut sat: Rowed = solver(11);
            add_body(&mut sat, &Body::Cardinality(Constraint::new(all(), sums)), &[]);
            sat.variables() - 11
        };
        assert_eq!((rowed(Sums::range(0, 5)), rowed(Sums::range(4, 6))), (0, 0), "rows");
        assert_eq!(rowed(Sums::set([1, 2, 6, 9])), 2, "rows around gaps");
        assert_eq!(sum(|place| place, 3), 0, "written out");
        assert!(sum(|place| place, 30) > 0, "by the generalised totalizer");
        assert!(sum(|place| place + 90, 500) > 0, "by the polynomial watchdog");
    }
}
