//! Random rosters that obey all rules: local search for one, then a random walk among all.
//!
//! From random shifts, moves (another shift for a nurse on a day, or two nurses' shifts of a day
//! exchanged) are tried at random and taken if they do not add violations, and now and then if they do,
//! until there are none. Then [`MIXING_MOVES`] more are tried, and each is taken if it keeps every rule.
//! Each move is as likely as the one that undoes it, so the walk tends to an even choice among all
//! rosters that it can reach.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::{Roster, Shift, Ward};
use preceptron_base::stream;

/// How many moves are tried once a roster obeys all rules.
pub const MIXING_MOVES: usize = 20_000;

/// How many moves are tried to find one that does.
const SEARCH_MOVES: usize = 1_000_000;

/// How likely a move is taken in the search that adds one violation; two have the square of that.
const WORSE: f64 = 0.03;

/// Why there are no rosters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RosterError {
    /// A ward without nurses or days.
    #[error("a ward of {nurses} nurses and {days} days: both must be at least 1")]
    Empty {
        /// How many nurses there are.
        nurses: usize,
        /// How many days there are.
        days: usize,
    },
    /// The search ended without success; perhaps no roster obeys all rules.
    #[error("no roster that obeys all rules was found in {SEARCH_MOVES} moves")]
    NotFound,
}

/// Random rosters that obey all rules of the ward. The i-th depends only on the ward, the seed and i.
pub fn generate(ward: &Ward, count: usize, seed: u64) -> Result<Vec<Roster>, RosterError> {
    let Ward { nurses, days, .. } = *ward;
    if nurses == 0 || days == 0 {
        return Err(RosterError::Empty { nurses, days });
    }
    let rosters = (0..count).into_par_iter().map(|item| draw(ward, &mut stream(seed, "roster", item as u64)));
    rosters.collect::<Option<_>>().ok_or(RosterError::NotFound)
}

fn draw(ward: &Ward, random: &mut ChaCha8Rng) -> Option<Roster> {
    let mut walk = Walk {
        ward,
        shifts: (0..ward.nurses * ward.days).map(|_| Shift::ALL[random.random_range(0..4)]).collect(),
        random,
    };
    let mut violations: i64 = (0..ward.nurses).map(|nurse| walk.of_nurse(nurse)).sum::<i64>()
        + (0..ward.days).map(|day| walk.of_day(day)).sum::<i64>();
    let mut moves = 0;
    while violations > 0 {
        if moves == SEARCH_MOVES {
            return None;
        }
        moves += 1;
        violations += walk.step(WORSE);
    }
    for _ in 0..MIXING_MOVES {
        walk.step(0.0);
    }
    Some(Roster { days: ward.days, shifts: walk.shifts })
}

struct Walk<'a> {
    ward: &'a Ward,
    /// Nurse by nurse, day by day.
    shifts: Vec<Shift>,
    random: &'a mut ChaCha8Rng,
}

impl Walk<'_> {
    /// Tries one move, and says by how much it changed the number of violations.
    fn step(&mut self, worse: f64) -> i64 {
        let day = self.random.random_range(0..self.ward.days);
        let nurse = self.random.random_range(0..self.ward.nurses);
        let cell = nurse * self.ward.days + day;
        let old = self.shifts[cell];
        let exchange = self.random.random_bool(0.5);
        let other = if exchange { self.random.random_range(0..self.ward.nurses) } else { nurse };
        let other_cell = other * self.ward.days + day;
        let new = if exchange {
            self.shifts[other_cell]
        } else {
            Shift::ALL[(old as usize + self.random.random_range(1..4)) % 4]
        };
        if new == old {
            return 0;
        }
        let count = |walk: &Self| {
            // An exchange leaves the day's cover as it is; a single change concerns one nurse.
            walk.of_nurse(nurse) + if exchange { walk.of_nurse(other) } else { walk.of_day(day) }
        };
        let before = count(self);
        self.shifts[cell] = new;
        if exchange {
            self.shifts[other_cell] = old;
        }
        let change = count(self) - before;
        if change > 0 && !self.random.random_bool(worse.powi(change as i32)) {
            // In this order, so that a single cell that was not exchanged ends with its old shift.
            self.shifts[other_cell] = new;
            self.shifts[cell] = old;
            return 0;
        }
        change
    }

    /// By how much a nurse's rules are violated.
    fn of_nurse(&self, nurse: usize) -> i64 {
        let Ward { days, stretch, off_least, nights_most, .. } = *self.ward;
        let mine = &self.shifts[nurse * days..][..days];
        let early_after_night = mine.windows(2).filter(|w| *w == [Shift::Night, Shift::Early]).count() as i64;
        let nights = mine.iter().filter(|s| **s == Shift::Night).count() as i64;
        let (mut off, mut missing) = (0, 0);
        for day in 0..days {
            off += i64::from(mine[day] == Shift::Off);
            if day + 1 >= stretch {
                missing += (i64::from(off_least) - off).max(0);
                off -= i64::from(mine[day + 1 - stretch] == Shift::Off);
            }
        }
        early_after_night + missing + (nights - i64::from(nights_most)).max(0)
    }

    /// By how much a day's cover is violated.
    fn of_day(&self, day: usize) -> i64 {
        let mut there = [0i64; 4];
        for nurse in 0..self.ward.nurses {
            there[self.shifts[nurse * self.ward.days + day] as usize] += 1;
        }
        let (least, most) = (i64::from(self.ward.cover_least), i64::from(self.ward.cover_most));
        there[1..].iter().map(|&n| (least - n).max(0) + (n - most).max(0)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn rosters_obey_the_rules_and_go_to_every_bound() {
        let ward = Ward::default();
        let rosters = generate(&ward, 500, 1).unwrap();
        let examples = ward.examples(&rosters);
        for (family, constraints) in ward.families() {
            for constraint in constraints {
                let sums: BTreeSet<u32> =
                    (0..rosters.len()).map(|row| constraint.sum(|v| examples.get(row, v).unwrap())).collect();
                let allowed = constraint.sums();
                assert!(
                    sums.iter().all(|&sum| allowed.contains(sum)),
                    "{family}: {constraint:?} has {sums:?}"
                );
                // A bound is reached, so that a tighter one would be violated.
                let count = constraint.len() as u32;
                let (least, most) = (allowed.least().unwrap(), allowed.greatest().unwrap());
                assert!(least == 0 || sums.contains(&least), "{family}: {constraint:?} has {sums:?}");
                assert!(most == count || sums.contains(&most), "{family}: {constraint:?} has {sums:?}");
            }
        }
    }

    /// Every nurse has every shift on every day in some roster, and no two rosters are alike.
    #[test]
    fn rosters_are_diverse() {
        let ward = Ward::default();
        let rosters = generate(&ward, 300, 2).unwrap();
        assert_eq!(rosters.iter().collect::<BTreeSet<_>>().len(), 300);
        for (nurse, day) in (0..10).flat_map(|n| (0..14).map(move |d| (n, d))) {
            for shift in Shift::ALL {
                let count = rosters.iter().filter(|r| r.shift(nurse, day) == shift).count();
                assert!(count > 20, "nurse {nurse}, day {day}, {shift:?}: {count}");
            }
        }
    }

    #[test]
    fn a_roster_depends_on_seed_and_number_alone() {
        let ward = Ward::default();
        let rosters = generate(&ward, 12, 5).unwrap();
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(one.install(|| generate(&ward, 12, 5)).unwrap(), rosters);
        assert_eq!(generate(&ward, 4, 5).unwrap(), rosters[..4]);
        assert_ne!(generate(&ward, 4, 6).unwrap(), rosters[..4]);
    }

    #[test]
    fn what_cannot_be_is_an_error() {
        let nobody = Ward { nurses: 0, ..Ward::default() };
        assert_eq!(generate(&nobody, 1, 0), Err(RosterError::Empty { nurses: 0, days: 14 }));
        let few = Ward { nurses: 5, days: 2, ..Ward::default() };
        assert_eq!(generate(&few, 1, 0), Err(RosterError::NotFound));
    }
}
