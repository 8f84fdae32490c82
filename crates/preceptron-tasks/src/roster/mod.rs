//! Rosters of a hospital ward: which nurse works which shift on which day, with known rules.
//!
//! A variable `work[nurse 1, day 1, shift off]` says that the nurse has the shift on that day. The rules
//! come in families: one shift a day, no early shift after a night, days off, cover, and nights.

mod draw;

use preceptron_learn::Examples;
use preceptron_logic::{Constraint, Lit, Sums, Var, Variables};

pub use draw::{MIXING_MOVES, RosterError, generate};

/// What a nurse does on a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shift {
    /// Nothing.
    Off,
    /// The early shift.
    Early,
    /// The late shift.
    Late,
    /// The night shift.
    Night,
}

impl Shift {
    /// All shifts, in the order of the variables.
    pub const ALL: [Shift; 4] = [Shift::Off, Shift::Early, Shift::Late, Shift::Night];

    /// The word for it in names and tables.
    pub fn word(self) -> &'static str {
        ["off", "early", "late", "night"][self as usize]
    }
}

/// The size of a ward and the numbers in its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ward {
    /// How many nurses there are.
    pub nurses: usize,
    /// How many days a roster has.
    pub days: usize,
    /// How many nurses each working shift of a day needs, at the least.
    pub cover_least: u32,
    /// How many nurses a working shift may have, at the most.
    pub cover_most: u32,
    /// How many days a stretch has in which days off are counted.
    pub stretch: usize,
    /// How many days off each stretch has, at the least.
    pub off_least: u32,
    /// How many nights a nurse may have in a roster, at the most.
    pub nights_most: u32,
}

impl Default for Ward {
    fn default() -> Ward {
        Ward { nurses: 10, days: 14, cover_least: 2, cover_most: 3, stretch: 7, off_least: 2, nights_most: 4 }
    }
}

impl Ward {
    /// The variables `work[nurse, day, shift]`, shifts fastest.
    pub fn variables(&self) -> Variables {
        let mut names = Vec::with_capacity(self.nurses * self.days * 4);
        for nurse in 1..=self.nurses {
            for day in 1..=self.days {
                let name = |shift: Shift| format!("work[nurse {nurse}, day {day}, shift {}]", shift.word());
                names.extend(Shift::ALL.map(name));
            }
        }
        Variables::from_names(names).expect("names of places are distinct")
    }

    /// The literal that a nurse has a shift on a day, nurses and days from 0.
    pub fn works(&self, nurse: usize, day: usize, shift: Shift) -> Lit {
        Var(((nurse * self.days + day) * 4 + shift as usize) as u32).positive()
    }

    /// The rules by family, each family with its name. They serve only to judge what was learned.
    pub fn families(&self) -> Vec<(&'static str, Vec<Constraint>)> {
        let nurses_and_days =
            |days: usize| (0..self.nurses).flat_map(move |n| (0..days).map(move |d| (n, d)));
        let one = nurses_and_days(self.days)
            .map(|(n, d)| Constraint::exactly(1, Shift::ALL.map(|shift| self.works(n, d, shift))));
        let rest = nurses_and_days(self.days.saturating_sub(1)).map(|(n, d)| {
            Constraint::at_most(1, [self.works(n, d, Shift::Night), self.works(n, d + 1, Shift::Early)])
        });
        let off = nurses_and_days((self.days + 1).saturating_sub(self.stretch)).map(|(n, d)| {
            Constraint::at_least(self.off_least, (d..d + self.stretch).map(|d| self.works(n, d, Shift::Off)))
        });
        let cover = (0..self.days).flat_map(|d| Shift::ALL[1..].iter().map(move |&shift| (d, shift))).map(
            |(d, shift)| {
                let sums = Sums::range(self.cover_least, self.cover_most);
                Constraint::new((0..self.nurses).map(|n| self.works(n, d, shift)), sums)
            },
        );
        let nights = (0..self.nurses).map(|n| {
            Constraint::at_most(self.nights_most, (0..self.days).map(|d| self.works(n, d, Shift::Night)))
        });
        vec![
            ("one shift a day", one.collect()),
            ("no early shift after a night", rest.collect()),
            ("days off", off.collect()),
            ("cover", cover.collect()),
            ("nights", nights.collect()),
        ]
    }

    /// Rosters of this ward as examples, fully observed.
    ///
    /// # Panics
    /// If a roster is of another size.
    pub fn examples(&self, rosters: &[Roster]) -> Examples {
        let row = |roster: &Roster| -> Vec<bool> {
            assert_eq!((roster.days, roster.shifts.len()), (self.days, self.nurses * self.days));
            roster.shifts.iter().flat_map(|&shift| Shift::ALL.map(|s| s == shift)).collect()
        };
        Examples::from_full_rows(self.nurses * self.days * 4, &rosters.iter().map(row).collect::<Vec<_>>())
    }
}

/// Who works when.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Roster {
    days: usize,
    /// Nurse by nurse, day by day.
    shifts: Vec<Shift>,
}

impl Roster {
    /// What a nurse does on a day, both from 0.
    pub fn shift(&self, nurse: usize, day: usize) -> Shift {
        self.shifts[nurse * self.days + day]
    }
}

/// Rosters as a table with one categorical column for each nurse and day: `work[nurse 1, day 1]`, with
/// the words for the shifts as values. Names have commas in them, so they stand in quotes.
pub fn to_csv(ward: &Ward, rosters: &[Roster]) -> String {
    let cells = (1..=ward.nurses).flat_map(|n| (1..=ward.days).map(move |d| (n, d)));
    let header: Vec<String> = cells.map(|(n, d)| format!("\"work[nurse {n}, day {d}]\"")).collect();
    let mut text = header.join(",") + "\n";
    for roster in rosters {
        let words: Vec<&str> = roster.shifts.iter().map(|shift| shift.word()).collect();
        text += &(words.join(",") + "\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_literals_agree() {
        let ward = Ward::default();
        let variables = ward.variables();
        assert_eq!(variables.len(), 560);
        let found = variables.find_literal("work[nurse 3, day 12, shift late]");
        assert_eq!(found, Some(ward.works(2, 11, Shift::Late)));
    }

    #[test]
    fn families_are_as_large_as_they_should_be() {
        let sizes: Vec<usize> = Ward::default().families().iter().map(|(_, rules)| rules.len()).collect();
        assert_eq!(sizes, [140, 130, 80, 42, 10]);
        let short = Ward { days: 3, ..Ward::default() };
        let sizes: Vec<usize> = short.families().iter().map(|(_, rules)| rules.len()).collect();
        assert_eq!(sizes, [30, 20, 0, 9, 10]);
    }

    #[test]
    fn tables_have_a_column_for_each_nurse_and_day() {
        let ward = Ward::default();
        let text = to_csv(&ward, &generate(&ward, 2, 1).unwrap());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        assert!(lines[0].starts_with("\"work[nurse 1, day 1]\",\"work[nurse 1, day 2]\","));
        for line in &lines[1..] {
            assert_eq!(line.split(',').count(), 140);
            assert!(line.split(',').all(|word| Shift::ALL.iter().any(|s| s.word() == word)));
        }
    }

    #[test]
    fn examples_have_the_shifts() {
        let ward = Ward::default();
        let rosters = generate(&ward, 3, 1).unwrap();
        let examples = ward.examples(&rosters);
        for (row, roster) in rosters.iter().enumerate() {
            for shift in Shift::ALL {
                let value = examples.get(row, ward.works(4, 9, shift).var());
                assert_eq!(value, Some(roster.shift(4, 9) == shift));
            }
        }
    }
}
