//! Dates and times in the ways in which people write them, as ISO 8601 has them.

/// In which order a date such as `03/04/2024` has day and month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateOrder {
    /// Day, month, year.
    DayFirst,
    /// Month, day, year.
    MonthFirst,
}

/// What a word may be as a date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// This date, or date and time, or time.
    Sure(String),
    /// One date if the day comes first and another if the month does; what comes behind it, such as a time.
    Either { first: u32, second: u32, year: i64, rest: String },
}

/// The days from 1970-01-01 to a date of the Gregorian calendar.
pub(crate) fn days_of(year: i64, month: u32, day: u32) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year - era * 400;
    let of_year = (153 * i64::from((month + 9) % 12) + 2) / 5 + i64::from(day) - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The date so many days after 1970-01-01: year, month and day.
pub(crate) fn date_of(days: i64) -> (i64, u32, u32) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = (of_year - (153 * month + 2) / 5 + 1) as u32;
    let month = if month < 10 { month + 3 } else { month - 9 } as u32;
    (year + era * 400 + i64::from(month <= 2), month, day)
}

fn is_date(year: i64, month: u32, day: u32) -> bool {
    (1..=9999).contains(&year)
        && (1..=12).contains(&month)
        && day >= 1
        && date_of(days_of(year, month, day)) == (year, month, day)
}

fn written(year: i64, month: u32, day: u32) -> String {
    format!("{year:04}-{month:02}-{day:02}")
}

/// The year, month and day that an ISO date begins with.
pub(crate) fn parts(iso: &str) -> Option<(i64, u32, u32)> {
    let date = iso.get(..10).filter(|_| iso.len() == 10 || !iso.as_bytes()[10].is_ascii_digit())?;
    let mut numbers = date.split('-');
    let (year, month, day) = (numbers.next()?, numbers.next()?, numbers.next()?);
    let all = (year.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
    is_date(all.0, all.1, all.2).then_some(all)
}

/// A spreadsheet's number of days as a date; as a time if it has no days, and as both if it has.
pub(super) fn from_serial(days: f64, from_1904: bool) -> Option<String> {
    if !(0.0..3_000_000.0).contains(&days) {
        return None;
    }
    let minutes = (days.fract() * 86_400.0).round() as u64;
    let (whole, seconds) =
        if minutes == 86_400 { (days.floor() as i64 + 1, 0) } else { (days.floor() as i64, minutes) };
    let time = match seconds % 60 {
        0 => format!("{:02}:{:02}", seconds / 3600, seconds / 60 % 60),
        rest => format!("{:02}:{:02}:{rest:02}", seconds / 3600, seconds / 60 % 60),
    };
    if whole == 0 {
        return Some(time);
    }
    let start = match from_1904 {
        true => days_of(1904, 1, 1),
        // Day 60 is a 29th of February that never was.
        false if whole < 60 => days_of(1899, 12, 31),
        false => days_of(1899, 12, 30),
    };
    let (year, month, day) = date_of(start + whole);
    let date = written(year, month, day);
    Some(if seconds == 0 { date } else { format!("{date} {time}") })
}

/// A spreadsheet's number for an ISO date, with the time as a fraction.
pub(crate) fn to_serial(iso: &str) -> Option<f64> {
    let time = |text: &str| {
        let mut parts = text.split(':').map(|part| part.parse::<f64>().ok());
        let (hours, minutes, seconds) = (parts.next()??, parts.next()??, parts.next().unwrap_or(Some(0.0))?);
        Some((hours * 3600.0 + minutes * 60.0 + seconds) / 86_400.0)
    };
    match parts(iso) {
        Some((year, month, day)) => {
            let days = (days_of(year, month, day) - days_of(1899, 12, 30)) as f64;
            let rest = iso[10..].trim();
            Some(days + if rest.is_empty() { 0.0 } else { time(rest)? })
        }
        None => time(iso),
    }
}

/// An ISO date and time with a space between them, without a time of midnight.
pub(super) fn iso_part(text: &str) -> String {
    let text = text.trim().trim_end_matches('Z').replacen('T', " ", 1);
    let text = text.split_once('.').map_or(text.clone(), |(start, _)| start.to_owned());
    let text = text.strip_suffix(" 00:00:00").unwrap_or(&text);
    text.strip_suffix(":00").filter(|rest| rest.contains(':')).unwrap_or(text).to_owned()
}

const MONTHS: [&[&str]; 12] = [
    &["january", "jan", "januar", "jän", "jänner"],
    &["february", "feb", "februar"],
    &["march", "mar", "märz", "mär", "mrz"],
    &["april", "apr"],
    &["may", "mai"],
    &["june", "jun", "juni"],
    &["july", "jul", "juli"],
    &["august", "aug"],
    &["september", "sep", "sept"],
    &["october", "oct", "oktober", "okt"],
    &["november", "nov"],
    &["december", "dec", "dezember", "dez"],
];

fn month_named(word: &str) -> Option<u32> {
    let word = word.trim_end_matches('.').to_lowercase();
    (1..).zip(MONTHS).find(|(_, names)| names.contains(&word.as_str())).map(|(month, _)| month)
}

fn year_of(text: &str) -> Option<i64> {
    let year: i64 = text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))?;
    match text.len() {
        2 => Some(if year < 70 { 2000 + year } else { 1900 + year }),
        4 => Some(year),
        _ => None,
    }
}

/// A time such as `8:30`, `08:30:15` or `8:30 pm`, as `08:30`.
fn time(text: &str) -> Option<String> {
    let lower = text.trim().to_lowercase();
    let (clock, later) = match lower.strip_suffix("pm").or_else(|| lower.strip_suffix("p.m.")) {
        Some(clock) => (clock.trim(), Some(true)),
        None => match lower.strip_suffix("am").or_else(|| lower.strip_suffix("a.m.")) {
            Some(clock) => (clock.trim(), Some(false)),
            None => (lower.strip_suffix("uhr").unwrap_or(&lower).trim(), None),
        },
    };
    let numbers: Option<Vec<u32>> = clock
        .split(':')
        .map(|part| part.parse().ok().filter(|_| part.len() <= 2 && part.bytes().all(|b| b.is_ascii_digit())))
        .collect();
    let numbers = numbers.filter(|numbers| (2..=3).contains(&numbers.len()))?;
    let hour = match later {
        None => Some(numbers[0]),
        Some(_) if !(1..=12).contains(&numbers[0]) => None,
        Some(later) => Some(numbers[0] % 12 + if later { 12 } else { 0 }),
    };
    let hour = hour.filter(|hour| *hour < 24 && numbers[1] < 60)?;
    match numbers.get(2).copied().unwrap_or(0) {
        0 => Some(format!("{hour:02}:{:02}", numbers[1])),
        seconds if seconds < 60 => Some(format!("{hour:02}:{:02}:{seconds:02}", numbers[1])),
        _ => None,
    }
}

/// The date, time or both that a word is.
pub(super) fn read(word: &str) -> Option<Reading> {
    let word = word.trim();
    if !word.bytes().any(|byte| byte.is_ascii_digit()) || word.len() > 40 {
        return None;
    }
    if let Some(time) = time(word) {
        return Some(Reading::Sure(time));
    }
    let word = without_weekday(word);
    let split = |at: usize| (&word[..at], word[at + 1..].trim());
    let (date, rest) = word.find(['T', ' ']).map_or((word, ""), split);
    if let Some(reading) = numeric(date, rest) {
        return Some(reading);
    }
    named(word)
}

/// A word without the name of a day before it, as in `Mo, 4.3.2024`.
fn without_weekday(word: &str) -> &str {
    let Some((first, rest)) = word.split_once([' ', ',']) else { return word };
    let is_name = first.chars().all(|c| c.is_alphabetic() || c == '.') && first.chars().count() >= 2;
    let rest = rest.trim_start_matches([' ', ',']);
    match is_name && month_named(first).is_none() && rest.starts_with(|c: char| c.is_ascii_digit()) {
        true => rest,
        false => word,
    }
}

/// A date in numbers, with a time behind it or nothing.
fn numeric(date: &str, rest: &str) -> Option<Reading> {
    let behind = match rest {
        "" => String::new(),
        rest => time(rest.trim_end_matches('Z'))
            .map(|time| if time == "00:00" { String::new() } else { format!(" {time}") })?,
    };
    let mark = date.chars().find(|c| !c.is_ascii_digit()).filter(|c| ['-', '.', '/'].contains(c))?;
    let [a, b, c] = date.split(mark).collect::<Vec<_>>()[..] else { return None };
    let small = |text: &str| text.parse::<u32>().ok().filter(|_| (1..=2).contains(&text.len()));
    if a.len() == 4 {
        let (year, month, day) = (year_of(a)?, small(b)?, small(c)?);
        return is_date(year, month, day).then(|| Reading::Sure(written(year, month, day) + &behind));
    }
    let (first, second, year) = (small(a)?, small(b)?, year_of(c)?);
    let (day_first, month_first) = (is_date(year, second, first), is_date(year, first, second));
    match (mark, day_first, month_first) {
        // With dots the day comes first wherever dots are used.
        ('.', true, _) => Some(Reading::Sure(written(year, second, first) + &behind)),
        ('.', ..) => None,
        (_, true, true) if first == second => Some(Reading::Sure(written(year, first, first) + &behind)),
        (_, true, true) => Some(Reading::Either { first, second, year, rest: behind }),
        (_, true, false) => Some(Reading::Sure(written(year, second, first) + &behind)),
        (_, false, true) => Some(Reading::Sure(written(year, first, second) + &behind)),
        _ => None,
    }
}

/// Which order a date in numbers has, where only one is possible.
pub(super) fn order_of(word: &str) -> Option<DateOrder> {
    let word = without_weekday(word.trim());
    let date = word.split([' ', 'T']).next()?;
    let [first, second, _] = date.split(['/', '-']).collect::<Vec<_>>()[..] else { return None };
    let (first, second): (u32, u32) = (first.parse().ok()?, second.parse().ok()?);
    match (first > 12, second > 12) {
        (true, false) if first <= 31 => Some(DateOrder::DayFirst),
        (false, true) if second <= 31 => Some(DateOrder::MonthFirst),
        _ => None,
    }
}

/// A date with the name of its month: `4. März 2024`, `Mar 4, 2024`, `4 Mar 2024`.
fn named(word: &str) -> Option<Reading> {
    let parts: Vec<&str> = word.split([' ', ',', '-', '.']).filter(|part| !part.is_empty()).collect();
    let [a, b, c] = parts[..] else { return None };
    let (month, day) = match (month_named(a), month_named(b)) {
        (Some(month), _) => (month, b),
        (None, Some(month)) => (month, a),
        _ => return None,
    };
    let day: u32 = day.trim_end_matches(['s', 't', 'n', 'd', 'r', 'h']).parse().ok()?;
    let year = year_of(c)?;
    is_date(year, month, day).then(|| Reading::Sure(written(year, month, day)))
}

impl Reading {
    /// The date as ISO 8601 has it, where the order is known if it matters.
    pub fn iso(&self, order: Option<DateOrder>) -> Option<String> {
        match (self, order) {
            (Reading::Sure(text), _) => Some(text.clone()),
            (Reading::Either { first, second, year, rest }, Some(DateOrder::DayFirst)) => {
                Some(written(*year, *second, *first) + rest)
            }
            (Reading::Either { first, second, year, rest }, Some(DateOrder::MonthFirst)) => {
                Some(written(*year, *first, *second) + rest)
            }
            _ => None,
        }
    }
}

/// The day of the week of an ISO date, from 1 for Monday to 7.
pub(crate) fn weekday(iso: &str) -> Option<u32> {
    let (year, month, day) = parts(iso)?;
    Some((days_of(year, month, day) + 3).rem_euclid(7) as u32 + 1)
}

/// The week of an ISO date, such as `2024-W05`.
pub(crate) fn week(iso: &str) -> Option<String> {
    let (year, month, day) = parts(iso)?;
    let days = days_of(year, month, day);
    // A week belongs to the year of its Thursday.
    let thursday = days - i64::from(weekday(iso)?) + 4;
    let (year, ..) = date_of(thursday);
    Some(format!("{year:04}-W{:02}", (thursday - days_of(year, 1, 1)) / 7 + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iso(word: &str) -> Option<String> {
        read(word)?.iso(None)
    }

    #[test]
    fn the_calendar_is_right() {
        for days in -800_000..800_000i64 {
            let (year, month, day) = date_of(days * 7 / 5);
            assert_eq!(days_of(year, month, day), days * 7 / 5);
        }
        assert_eq!(days_of(1970, 1, 1), 0);
        assert_eq!(week("2024-12-30").as_deref(), Some("2025-W01"));
        assert_eq!(week("2021-01-03").as_deref(), Some("2020-W53"));
        assert_eq!([weekday("2024-03-04"), weekday("2024-03-10")], [Some(1), Some(7)]);
    }

    #[test]
    fn dates_are_read_as_people_write_them() {
        for word in [
            "2024-03-04",
            "2024-3-4",
            "2024/03/04",
            "4.3.2024",
            "04.03.24",
            "Mo, 4.3.2024",
            "Montag 04.03.2024",
            "4. März 2024",
            "Mar 4, 2024",
            "4 mar 2024",
            "March 4th 2024",
            "4-Mar-24",
            "2024-03-04 00:00:00",
            "2024-03-04T00:00:00Z",
        ] {
            assert_eq!(iso(word).as_deref(), Some("2024-03-04"), "{word}");
        }
        assert_eq!(iso("13/03/2024").as_deref(), Some("2024-03-13"));
        assert_eq!(iso("3/13/2024").as_deref(), Some("2024-03-13"));
        assert_eq!(iso("8:05 pm").as_deref(), Some("20:05"));
        assert_eq!(iso("4.3.2024 8:05").as_deref(), Some("2024-03-04 08:05"));
        assert_eq!(
            (iso("3/4/2024"), order_of("3/4/2024"), order_of("13/4/2024")),
            (None, None, Some(DateOrder::DayFirst))
        );
        for word in [
            "",
            "early",
            "1.5",
            "30.2.2024",
            "31/31/2024",
            "12",
            "1-2",
            "N1",
            "24:00",
            "2024",
            "é1.1.2024",
            "1.2.3",
        ] {
            assert_eq!(iso(word), None, "{word}");
        }
    }

    #[test]
    fn numbers_of_days_come_back() {
        assert_eq!(from_serial(45_355.0, false).as_deref(), Some("2024-03-04"));
        assert_eq!(from_serial(43_893.0, true).as_deref(), Some("2024-03-04"));
        assert_eq!(from_serial(0.354_166_666_7, false).as_deref(), Some("08:30"));
        assert_eq!(from_serial(45_355.75, false).as_deref(), Some("2024-03-04 18:00"));
        for text in ["2024-03-04", "2024-03-04 18:00", "08:30"] {
            assert_eq!(from_serial(to_serial(text).unwrap(), false).as_deref(), Some(text));
        }
    }
}
