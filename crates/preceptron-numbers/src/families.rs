//! Rules of lines of columns: increasing, all different, all differences different, counts of a value, bounds of sums
//! over lines and windows.
//!
//! What holds on all lines of a family is tested once, by the rows that break it on any line; what holds on some lines
//! only is tested line by line.

use std::collections::{BTreeMap, BTreeSet};

use preceptron_logic::numbers::{Claim, Relation};

use crate::evidence::{gcd, histogram, hole_of, wall_of};
use crate::groups::Lines;
use crate::pairs::is_another;
use crate::search::Search;

/// The most columns of which all distances are compared.
const MOST_DIFFERENCES: usize = 12;
/// The widest window, and the largest number of values that are counted.
const WIDEST: usize = 7;
const MOST_VALUES: usize = 12;
/// The largest number by which numbers are divided.
const LARGEST_DIVISOR: i64 = 8;

/// A rule for each line.
struct Hypothesis {
    claims: Vec<Claim>,
    family: String,
}

/// A claim on every line, as one hypothesis if it holds on all of them, else one for each.
fn hypotheses(
    search: &Search,
    lines: &Lines,
    what: &str,
    least: usize,
    claim: impl Fn(&[usize]) -> Option<Claim>,
) -> Vec<Hypothesis> {
    let long = lines.lines.iter().zip(&lines.names).filter(|(line, _)| line.len() >= least);
    let held: Vec<(Claim, &String)> = long
        .clone()
        .filter_map(|(line, name)| Some((claim(line)?, name)))
        .filter(|(claim, _)| search.rows_of(std::slice::from_ref(claim)).is_some())
        .collect();
    if held.is_empty() {
        return vec![];
    }
    if held.len() == long.count() && held.len() > 1 {
        let (each, name) = &lines.pattern;
        let claims = held.into_iter().map(|(claim, _)| claim).collect();
        return vec![Hypothesis { claims, family: format!("{each}{what}: {name}") }];
    }
    held.into_iter()
        .map(|(claim, name)| Hypothesis { claims: vec![claim], family: format!("{what}: {name}") })
        .collect()
}

/// The pairs of numbers that must not be equal, row by row, for a claim that some are all different.
fn pairs(claim: &Claim, row: &[Option<i64>]) -> Vec<Option<i64>> {
    let between = |keys: &[Option<i64>]| -> Vec<Option<i64>> {
        (0..keys.len())
            .flat_map(|b| (0..b).map(move |a| (a, b)))
            .map(|(a, b)| Some(keys[a]? - keys[b]?))
            .collect()
    };
    match claim {
        Claim::Distinct { columns, by, shift } => {
            let keys: Vec<Option<i64>> =
                columns.iter().map(|column| Some((row[*column]? + shift).div_euclid(*by))).collect();
            between(&keys)
        }
        Claim::Differences { columns } => {
            let values: Vec<Option<i64>> = columns.iter().map(|column| row[*column]).collect();
            let distances: Vec<Option<i64>> =
                between(&values).into_iter().map(|difference| difference.map(i64::abs)).collect();
            between(&distances)
        }
        _ => vec![],
    }
}

/// How often claims of differences would be false if differences had one hill each, by their neighbours of 0.
fn holes(search: &Search, claims: &[Claim]) -> f64 {
    let mut total = 0.0;
    let mut near = vec![0.0; search.data.rows.len()];
    for claim in claims {
        let rows: Vec<Vec<Option<i64>>> = search.data.rows.iter().map(|row| pairs(claim, row)).collect();
        for pair in 0..rows.first().map_or(0, Vec::len) {
            let values = || rows.iter().filter_map(|row| row[pair]);
            let counts = histogram(values());
            let step = counts.keys().fold(0, |step, value| gcd(step, *value)).max(1);
            if hole_of(&counts) == 0.0 && !(counts.contains_key(&step) && counts.contains_key(&-step)) {
                continue;
            }
            let on_lattice = crate::evidence::step(&counts) == step;
            let at = |value: i64| counts.get(&value).map_or(0.0, |count| *count as f64);
            if on_lattice && !counts.contains_key(&0) {
                total += at(step).min(at(-step));
                for (row, near) in rows.iter().zip(&mut near) {
                    *near += f64::from(row[pair].is_some_and(|value| value.abs() == step));
                }
            }
        }
    }
    let count = near.len().max(1) as f64;
    let mean = near.iter().sum::<f64>() / count;
    let variance = near.iter().map(|near| (near - mean).powi(2)).sum::<f64>() / count;
    let together = if mean > 0.0 { (variance / mean).max(1.0) } else { 1.0 };
    let low = (total / together).sqrt() - 1.0;
    low.max(0.0).powi(2)
}

/// The evidence of a wall, of distances over all claims together.
fn walls(
    search: &Search,
    claims: &[Claim],
    is_least: bool,
    value: impl Fn(&Claim, &[Option<i64>]) -> Vec<i64>,
) -> f64 {
    let values = claims.iter().flat_map(|claim| {
        let value = &value;
        search.data.rows.iter().flat_map(move |row| value(claim, row))
    });
    wall_of(&histogram(values), is_least, search.share(claims))
}

/// Tests hypotheses in turn; those whose evidence is enough become rules.
fn test(
    search: &mut Search,
    hypotheses: Vec<Hypothesis>,
    looked_at: usize,
    own: impl Fn(&Search, &[Claim]) -> f64,
) {
    let needed = search.needed(looked_at);
    for Hypothesis { claims, family } in hypotheses {
        if search.is_over() {
            return;
        }
        let Some(rows) = search.rows_of(&claims) else { continue };
        let evidence = search.chance(&claims, rows);
        if evidence < needed {
            continue;
        }
        let evidence = evidence.min(own(search, &claims));
        if evidence >= needed {
            search.accept(claims, Some(family), rows, evidence, needed);
        }
    }
}

/// Columns that increase along their lines.
pub(crate) fn increasing(search: &mut Search, lines: &[Lines]) {
    let mut all = Vec::new();
    for lines in lines.iter().filter(|lines| lines.is_ordered) {
        let least = |line: &[usize]| {
            let gaps = line
                .windows(2)
                .flat_map(|two| search.data.rows.iter().filter_map(|row| Some(row[two[1]]? - row[two[0]]?)));
            gaps.min()
        };
        let step = lines.lines.iter().filter_map(|line| least(line)).min().unwrap_or(-1);
        for way in [false, true] {
            let claim = |line: &[usize]| {
                let mut columns = line.to_vec();
                if way {
                    columns.reverse();
                }
                // Where each two have a bound of their own these say more.
                if own_bounds(search, &columns) {
                    return None;
                }
                let gaps = columns.windows(2).flat_map(|two| {
                    search.data.rows.iter().filter_map(|row| Some(row[two[1]]? - row[two[0]]?))
                });
                let own = gaps.min()?;
                let step = if way || step < 0 { own } else { step };
                (own >= 0).then_some(Claim::Increasing { columns, step })
            };
            all.extend(hypotheses(search, lines, "increasing", 3, claim));
        }
    }
    let looked_at = 2 * lines.iter().map(|lines| lines.lines.len()).sum::<usize>();
    test(search, all, looked_at, |search, claims| {
        walls(search, claims, true, |claim, row| match claim {
            Claim::Increasing { columns, .. } => {
                columns.windows(2).filter_map(|two| Some(row[two[1]]? - row[two[0]]?)).collect()
            }
            _ => vec![],
        })
    });
}

/// Whether columns that follow one another have least distances that differ, and each has a wall there.
fn own_bounds(search: &Search, columns: &[usize]) -> bool {
    let gaps = columns.windows(2).map(|two| {
        let gaps = search.data.rows.iter().filter_map(|row| Some(row[two[1]]? - row[two[0]]?));
        histogram(gaps)
    });
    let gaps: Vec<BTreeMap<i64, usize>> = gaps.collect();
    let least: BTreeSet<i64> = gaps.iter().filter_map(|gaps| Some(*gaps.first_key_value()?.0)).collect();
    let needed = search.needed(columns.len() * columns.len() * 2);
    let has_own = |gaps: &BTreeMap<i64, usize>| {
        gaps.len() == 1 || wall_of(gaps, true, search.data.share(columns)) >= needed
    };
    least.len() > 1 && gaps.iter().all(has_own)
}

/// Columns that are all different along their lines, also when numbers that follow one another count as the same.
pub(crate) fn distinct(search: &mut Search, lines: &[Lines]) {
    let looked_at = lines.iter().map(|lines| lines.lines.len()).sum::<usize>();
    let mut plain = Vec::new();
    for lines in lines {
        let claim = |line: &[usize]| Some(Claim::Distinct { columns: line.to_vec(), by: 1, shift: 0 });
        plain.extend(hypotheses(search, lines, "all different", 3, claim));
    }
    test(search, plain, looked_at, holes);
    let mut distances = Vec::new();
    for lines in lines {
        let claim = |line: &[usize]| {
            (line.len() <= MOST_DIFFERENCES).then(|| Claim::Differences { columns: line.to_vec() })
        };
        distances.extend(hypotheses(search, lines, "all differences different", 3, claim));
    }
    test(search, distances, looked_at, holes);
    let mut divided = Vec::new();
    let mut divisors = 0;
    for lines in lines {
        for by in 2..=LARGEST_DIVISOR {
            for shift in 0..by {
                divisors += 1;
                let claim = |line: &[usize]| Some(Claim::Distinct { columns: line.to_vec(), by, shift });
                let shown = if shift == 0 { String::new() } else { format!(" + {shift}") };
                let what = format!("all different, each{shown} div {by}");
                divided.extend(hypotheses(search, lines, &what, 3, claim));
            }
        }
    }
    // The coarsest first: what is finer follows from it.
    divided.sort_by_key(|hypothesis| match hypothesis.claims[0] {
        Claim::Distinct { by, .. } => -by,
        _ => 0,
    });
    test(search, divided, looked_at.max(1) * divisors.max(1), holes);
}

/// Columns that are all different and whose names do not say that they belong together: cliques of columns that are
/// never equal.
pub(crate) fn cliques(search: &mut Search) {
    const MOST: usize = 100;
    let data = search.data;
    let columns: Vec<usize> = (0..data.columns())
        .filter(|column| !data.is_constant(*column) && !is_another(search, *column))
        .collect();
    if columns.len() < 3 || columns.len() > MOST {
        return;
    }
    let mut is_edge = vec![vec![false; data.columns()]; data.columns()];
    for (at, &b) in columns.iter().enumerate() {
        for &a in &columns[..at] {
            let claim = Claim::Distinct { columns: vec![a, b], by: 1, shift: 0 };
            let holds = search.rows_of(std::slice::from_ref(&claim)).is_some();
            let differences = || data.rows.iter().filter_map(|row| Some(row[a]? - row[b]?));
            let is_both = differences().any(|one| one > 0) && differences().any(|one| one < 0);
            (is_edge[a][b], is_edge[b][a]) = (holds && is_both, holds && is_both);
        }
    }
    // Of columns that rules make different already there is nothing to say.
    let known: Vec<Vec<usize>> = (search.rules.iter())
        .filter_map(|rule| match &rule.claim {
            Claim::Distinct { columns, by: 1, .. } => Some(columns.clone()),
            _ => None,
        })
        .collect();
    let mut all: Vec<Vec<usize>> = Vec::new();
    for (at, &a) in columns.iter().enumerate() {
        for &b in columns[at + 1..].iter().filter(|b| is_edge[a][**b]) {
            if known.iter().any(|columns| columns.contains(&a) && columns.contains(&b)) {
                continue;
            }
            let mut clique = vec![a, b];
            let others = columns.iter().filter(|column| **column != a && **column != b);
            for &column in others {
                if clique.iter().all(|other| is_edge[*other][column]) {
                    clique.push(column);
                }
            }
            clique.sort_unstable();
            if clique.len() > 2 && !all.contains(&clique) {
                all.push(clique);
            }
        }
    }
    all.sort_by_key(|clique| std::cmp::Reverse(clique.len()));
    for clique in all {
        let choices: f64 =
            (0..clique.len()).map(|at| ((columns.len() - at) as f64 / (at + 1) as f64).ln()).sum();
        let looked_at = choices.min(40.0).exp() as usize;
        let what = Hypothesis {
            claims: vec![Claim::Distinct { columns: clique, by: 1, shift: 0 }],
            family: String::new(),
        };
        test(search, vec![what], looked_at, holes);
    }
}

/// How many columns of a line hold a value.
pub(crate) fn counts(search: &mut Search, lines: &[Lines]) {
    let mut all = Vec::new();
    let mut looked_at = 0;
    for lines in lines {
        let values: BTreeSet<i64> = (search.data.rows.iter())
            .flat_map(|row| lines.lines.iter().flatten().filter_map(|column| row[*column]))
            .collect();
        if values.len() > MOST_VALUES {
            continue;
        }
        for value in values {
            let count = |line: &[usize]| {
                let known = search.data.rows.iter().filter(|row| line.iter().all(|c| row[*c].is_some()));
                let held = known.map(|row| line.iter().filter(|c| row[**c] == Some(value)).count());
                histogram(held.map(|count| count as i64))
            };
            let mut pooled: BTreeMap<i64, usize> = BTreeMap::new();
            let long = || lines.lines.iter().filter(|line| line.len() >= 3);
            for (held, rows) in long().flat_map(|line| count(line)) {
                *pooled.entry(held).or_default() += rows;
            }
            let (Some((&least, _)), Some((&most, _))) = (pooled.first_key_value(), pooled.last_key_value())
            else {
                continue;
            };
            looked_at += 2;
            let bounds: Vec<(usize, usize)> = match least == most {
                true => vec![(least as usize, most as usize)],
                false => vec![(least as usize, usize::MAX), (0, most as usize)],
            };
            for (least, most) in bounds {
                let claim = |line: &[usize]| {
                    let most = most.min(line.len());
                    let is_empty = least == 0 && most == line.len();
                    (!is_empty).then(|| Claim::Count { columns: line.to_vec(), value, least, most })
                };
                let many = match (least, most) {
                    (least, most) if least == most => format!("exactly {least}"),
                    (0, most) => format!("at most {most}"),
                    _ => format!("at least {least}"),
                };
                let verb = if (least, most) == (1, 1) { "is" } else { "are" };
                all.extend(hypotheses(search, lines, &format!("{many} {verb} {value}"), 3, claim));
            }
        }
    }
    test(search, all, looked_at, |search, claims| {
        let is_least = |claim: &Claim| matches!(claim, Claim::Count { least, .. } if *least > 0);
        if claims.iter().all(|claim| matches!(claim, Claim::Count { least, most, .. } if least == most)) {
            return f64::INFINITY;
        }
        walls(search, claims, is_least(&claims[0]), |claim, row| match claim {
            Claim::Count { columns, value, .. } if columns.iter().all(|c| row[*c].is_some()) => {
                vec![columns.iter().filter(|c| row[**c] == Some(*value)).count() as i64]
            }
            _ => vec![],
        })
    });
}

/// Bounds of sums over lines, and over windows of lines.
pub(crate) fn sums(search: &mut Search, lines: &[Lines]) {
    let mut all = Vec::new();
    let mut looked_at = 0;
    for lines in lines {
        let longest = lines.lines.iter().map(Vec::len).max().unwrap_or(0);
        let mut widths: Vec<usize> = if lines.is_ordered {
            (2..=WIDEST.min(longest.saturating_sub(1))).rev().collect()
        } else {
            vec![]
        };
        if lines.lines.iter().all(|line| line.len() == longest) && longest >= 3 {
            widths.insert(0, longest);
        }
        for width in widths {
            let windows: Vec<Vec<usize>> =
                lines.lines.iter().flat_map(|line| line.windows(width).map(<[usize]>::to_vec)).collect();
            let sum = |row: &[Option<i64>], window: &[usize]| -> Option<i64> {
                window.iter().map(|column| row[*column]).sum()
            };
            let range = |sign: i64| {
                let values = search.data.rows.iter().flat_map(|row| {
                    let windows = windows.iter();
                    windows.filter_map(move |window| Some(sign * sum(row, window)?))
                });
                values.max()
            };
            for sign in [1, -1] {
                looked_at += 1;
                let Some(constant) = range(sign) else { continue };
                let claim = |window: &Vec<usize>| Claim::Linear {
                    terms: window.iter().map(|column| (sign, *column)).collect(),
                    relation: Relation::AtMost,
                    constant,
                };
                let bound = match sign {
                    1 => format!("at most {constant}"),
                    _ => format!("at least {}", -constant),
                };
                let (each, name) = &lines.pattern;
                let family = match width == longest {
                    true => format!("{each}the sum of {name} is {bound}"),
                    false => format!("{each}the sum of any {width} in a row of {name} is {bound}"),
                };
                all.push(Hypothesis { claims: windows.iter().map(claim).collect(), family });
            }
        }
    }
    test(search, all, looked_at, |search, claims| {
        walls(search, claims, false, |claim, row| match claim {
            Claim::Linear { terms, .. } => terms
                .iter()
                .map(|(sign, column)| Some(sign * row[*column]?))
                .sum::<Option<i64>>()
                .into_iter()
                .collect(),
            _ => vec![],
        })
    });
}
