//! What every backend must do: the same answers as brute force on small problems, the same as all the
//! others on larger ones, warm or cold.
//!
//! The environment variables `PRECEPT_SMALL` and `PRECEPT_LARGER` say how many random problems of either
//! kind are drawn for each backend, `PRECEPT_BACKENDS` (names with commas) which backends are tried. Where
//! they are not set, every backend is tried, the slow ones with fewer problems.

use std::collections::BTreeMap;
use std::env;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use preceptron_logic::{Constraint, Linear, Lit, Problem, Rule, RuleSet, Var, Variables};
use preceptron_reason::{Answer, Backend, Limits, Piece, Query, ReasonError, Status, Strength, TieBreak};
use rayon::prelude::*;

mod conformance {
    pub mod brute_force;
    pub mod compare;
    pub mod draw;
    pub mod draw_larger;
    pub mod plain;
}

use conformance::brute_force::{Judged, World};
use conformance::compare::{check, check_limited, ensure, without_work};
use conformance::draw::Draw;
use conformance::draw_larger::DrawLarger;
use conformance::plain::Plain;

/// How many problems are drawn for a backend, of the small and of the larger ones.
fn problems(backend: Backend) -> (u64, u64) {
    let given = |name: &str| env::var(name).ok().map(|text| text.parse().expect("a number of problems"));
    let (small, larger) = match backend.name() {
        "z3" => (500, 20),
        "highs" => (300, 20),
        "rows" => (3_000, 200),
        _ => (10_000, 1_000),
    };
    (given("PRECEPT_SMALL").unwrap_or(small), given("PRECEPT_LARGER").unwrap_or(larger))
}

/// The backends that are tried.
fn backends() -> Vec<Backend> {
    match env::var("PRECEPT_BACKENDS") {
        Ok(names) => names.split(',').map(|name| name.parse().expect("a backend")).collect(),
        Err(_) => Backend::ALL.to_vec(),
    }
}

/// The largest sum of costs that a backend takes.
fn capacity(backend: Backend) -> i64 {
    backend.load(Problem::default()).expect("nothing can be loaded").capacity()
}

/// Tries seeds in parallel; panics with the first few failures.
fn try_all(count: u64, attempt: impl Fn(u64) -> Result<(), String> + Sync) {
    let failures: Vec<String> = (0..count)
        .into_par_iter()
        .filter_map(|seed| attempt(seed).err().map(|what| format!("problem {seed}: {what}")))
        .collect();
    let first = failures.iter().take(3).cloned().collect::<Vec<_>>().join("\n\n");
    assert!(failures.is_empty(), "{} of {count} failed\n{first}", failures.len());
}

#[test]
fn small_problems_have_the_answers_of_brute_force() {
    let mut with_capacity: BTreeMap<i64, Vec<Backend>> = BTreeMap::new();
    for backend in backends() {
        with_capacity.entry(capacity(backend)).or_default().push(backend);
    }
    for (capacity, backends) in with_capacity {
        let most = backends.iter().map(|backend| problems(*backend).0).max().unwrap_or(0);
        try_all(most, |seed| {
            let mut draw = Draw::new(seed, capacity);
            let mut plain = draw.problem();
            let problem = Arc::new(plain.build());
            let queries: Vec<Query> = (0..3).map(|_| draw.query(&plain)).collect();
            for &backend in backends.iter().filter(|backend| seed < problems(**backend).0) {
                try_small(backend, capacity, &plain, &problem, &queries)
                    .map_err(|what| format!("{backend}: {what}\n{plain:?}"))?;
            }
            Ok(())
        });
    }
}

/// Asks one reasoner several queries in a row, each also of a reasoner that was loaded for it.
fn try_small(
    backend: Backend,
    capacity: i64,
    plain: &Plain,
    problem: &Arc<Problem>,
    queries: &[Query],
) -> Result<(), String> {
    let load = || backend.load(Arc::clone(problem)).map_err(|error| error.to_string());
    let mut warm = load()?;
    for query in queries {
        let tried = |what: String| format!("{what}\n{query:?}");
        let answer = warm.solve(query);
        let total = plain.total(query);
        if total > i128::from(capacity) {
            let is_refused = matches!(answer, Err(ReasonError::TooLarge { total: t, .. }) if t == total);
            ensure!(is_refused, "{total} is too large, and yet {answer:?}\n{query:?}");
            continue;
        }
        let answer = answer.map_err(|error| tried(error.to_string()))?;
        let judged = Judged::new(plain, query);
        check(plain, query, &judged, &answer).map_err(tried)?;
        let limited = Query { limits: limits(query.fixed.len()), ..query.clone() };
        let ended = warm.solve(&limited).map_err(|error| tried(error.to_string()))?;
        check_limited(plain, query, &judged, &ended).map_err(|what| tried(format!("limited: {what}")))?;
        let fresh = load()?.solve(query).map_err(|error| tried(error.to_string()))?;
        check(plain, query, &judged, &fresh).map_err(|what| tried(format!("fresh: {what}")))?;
        let is_same = query.ties == TieBreak::Any || without_work(&fresh) == without_work(&answer);
        ensure!(is_same, "fresh {fresh:?}\nbut warm {answer:?}\n{query:?}");
    }
    Ok(())
}

/// Limits of one kind or another that end a search early.
fn limits(kind: usize) -> Limits {
    match kind % 4 {
        0 => Limits { conflicts: Some(0), ..Limits::default() },
        1 => Limits { conflicts: Some(1), ..Limits::default() },
        2 => Limits { time: Some(Duration::ZERO), ..Limits::default() },
        _ => Limits { cancel: Some(Arc::new(AtomicBool::new(true))), ..Limits::default() },
    }
}

#[test]
fn larger_problems_have_the_same_answers_everywhere() {
    let backends = backends();
    let smallest = backends.iter().map(|backend| capacity(*backend)).min().unwrap_or(0);
    let most = backends.iter().map(|backend| problems(*backend).1).max().unwrap_or(0);
    try_all(most, |seed| {
        let mut draw = DrawLarger::new(seed, smallest);
        let mut plain = draw.problem();
        let problem = Arc::new(plain.build());
        let queries = [draw.query(&plain), draw.query(&plain)];
        let mut known: Vec<(Backend, Vec<Answer>)> = Vec::new();
        for &backend in backends.iter().filter(|backend| seed < problems(**backend).1) {
            let failed = |error: ReasonError| format!("{backend}: {error}\n{plain:?}\n{queries:?}");
            let mut reasoner = backend.load(Arc::clone(&problem)).map_err(failed)?;
            let answers: Result<Vec<Answer>, String> =
                queries.iter().map(|query| reasoner.solve(query).map_err(failed)).collect();
            known.push((backend, answers?));
        }
        for (answer, query) in known.iter().flat_map(|(_, answers)| answers).zip(&queries) {
            if let Some(solution) = &answer.solution {
                let world = World::new(&plain, query, solution.values.clone());
                ensure!(world.is_obedient(), "{answer:?} violates something hard\n{plain:?}\n{query:?}");
                ensure!(i128::from(solution.cost) == world.cost, "{solution:?} costs {}", world.cost);
            }
        }
        for ((first, expected), (backend, answers)) in known.iter().zip(known.iter().skip(1)) {
            for ((expected, answer), query) in expected.iter().zip(answers).zip(&queries) {
                let is_same = answer.is_conclusive()
                    && answer.status == expected.status
                    && answer.solution == expected.solution
                    && answer.unique == expected.unique;
                ensure!(is_same, "{first} {expected:?}\n{backend} {answer:?}\n{plain:?}\n{query:?}");
            }
        }
        Ok(())
    });
}

/// Eleven pigeons in ten holes: whoever learns clauses takes very long to see that it cannot be.
#[test]
fn a_limit_ends_a_long_search_and_the_next_query_is_answered() {
    let (pigeons, holes) = (11, 10);
    let names = (0..pigeons * holes).map(|number| format!("x{number}"));
    let sits = |pigeon: usize, hole: usize| Var((pigeon * holes + hole) as u32).positive();
    let housed = (0..pigeons).map(|pigeon| Constraint::clause((0..holes).map(|hole| sits(pigeon, hole))));
    let single = (0..holes).map(|hole| Constraint::at_most(1, (0..pigeons).map(|pigeon| sits(pigeon, hole))));
    let rules = housed.chain(single).map(Rule::given);
    let rules = RuleSet::with_rules(Variables::from_names(names).unwrap(), rules);
    let problem = Arc::new(Problem::from(rules));
    // It is easy where one of them may stay outside.
    let prices = (0..problem.rules.len()).map(|rule| (rule == 0).then_some(0)).collect();
    let easy = Query { strength: Strength::Each(prices), ..Query::default() };
    backends().into_par_iter().for_each(|backend| {
        let mut reasoner = backend.load(Arc::clone(&problem)).unwrap();
        let cancel = Arc::new(AtomicBool::new(false));
        let limits = [
            Limits { time: Some(Duration::from_millis(100)), ..Limits::default() },
            Limits { cancel: Some(Arc::clone(&cancel)), ..Limits::default() },
        ];
        let canceller = thread::spawn(move || {
            thread::sleep(Duration::from_millis(300));
            cancel.store(true, Ordering::Relaxed);
        });
        for limits in limits {
            let answer = reasoner.solve(&Query { limits, ..Query::default() }).unwrap();
            let is_fine = matches!(answer.status, Status::Unknown | Status::Infeasible);
            assert!(is_fine, "{backend}: {answer:?}");
        }
        canceller.join().unwrap();
        let answer = reasoner.solve(&Query { ties: TieBreak::Any, ..easy.clone() }).unwrap();
        let violated = answer.solution.map(|solution| (solution.cost, solution.violated));
        assert_eq!(violated, Some((0, vec![Piece::Rule(0)])), "{backend}");
    });
}

#[test]
fn queries_that_do_not_fit_are_refused() {
    let variables = Variables::from_names(["a", "b"]).unwrap();
    let problem = Arc::new(Problem::from(RuleSet::new(variables)));
    let unknown = Var(2).positive();
    for backend in backends() {
        let mut reasoner = backend.load(Arc::clone(&problem)).unwrap();
        assert_eq!((reasoner.name(), reasoner.problem()), (backend.name(), &problem));
        for query in [
            Query::fixed([unknown]),
            Query { clauses: vec![vec![unknown]], ..Query::default() },
            Query { costs: vec![(unknown, 1)], ..Query::default() },
            Query { groups: vec![vec![(unknown, 1)]], ..Query::default() },
        ] {
            let error = reasoner.solve(&query).unwrap_err();
            assert!(matches!(error, ReasonError::UnknownVariable { number: 2, known: 2 }), "{error}");
        }
        let query = Query { strength: Strength::Each(vec![None]), ..Query::default() };
        let error = reasoner.solve(&query).unwrap_err();
        assert!(matches!(error, ReasonError::Strengths { given: 1, rules: 0 }), "{error}");
        let answer = reasoner.solve(&Query::default()).unwrap();
        assert_eq!((answer.status, answer.unique), (Status::Optimal, Some(false)));
    }
}

#[test]
fn coefficients_add_up_to_the_capacity_and_no_further() {
    let variables = Variables::from_names(["a", "b"]).unwrap();
    let [a, b] = [0, 1].map(|number| Var(number).positive());
    for backend in backends() {
        let capacity = capacity(backend);
        let load = |first: i64, second: i64| {
            let terms: Vec<(i64, Lit)> = vec![(first, a), (second, b)];
            let linear = vec![Linear { terms, min: Some(1), max: Some(capacity - 1) }];
            let rules = RuleSet::new(variables.clone());
            backend.load(Problem { linear, ..Problem::from(rules) })
        };
        let answer = load(capacity - 1, 1).unwrap().solve(&Query::fixed([a])).unwrap();
        assert_eq!(answer.solution.unwrap().values, [true, false], "{backend}");
        assert!(matches!(load(capacity, 1), Err(ReasonError::Unsupported { .. })), "{backend}");
    }
}
