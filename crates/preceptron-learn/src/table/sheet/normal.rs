//! What the cells of a column mean: numbers, dates, yes and no, words; one spelling for each.

use std::collections::{BTreeMap, BTreeSet};

use super::dates::{self, DateOrder, Reading};
use super::numbers::{self, Decimal, Style};
use super::words::{self, Boolean};

/// What a column holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Words, each of them a value.
    Words,
    /// Numbers.
    Numbers,
    /// Dates or times, as ISO 8601 has them.
    Dates,
    /// Yes and no, as 1 and 0.
    Boolean,
    /// A mark for yes, nothing for no; as 1 and 0.
    Marks,
    /// What tells rows apart and says nothing else, for this reason; it is set aside.
    Aside(&'static str),
}

/// A cell while its column is read.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    /// The text, without white space around it.
    pub text: String,
    /// Whether it was a number or a date already, and needs no reading.
    pub is_typed: bool,
    /// Whether it names a picture, which is no value.
    pub is_picture: bool,
}

/// How to read what can be read in several ways.
pub(super) struct Manner<'a> {
    pub dates: Option<DateOrder>,
    pub decimal: Option<Decimal>,
    pub missing: Option<&'a [String]>,
    /// Whether the fields were parted by `;`, as they are where commas are decimal.
    pub semicolons: bool,
}

/// What a group of columns became.
pub(super) struct Normal {
    pub holds: Holds,
    /// The words, in the order of the cells; empty where nothing is known.
    pub words: Vec<String>,
    /// What to say of it.
    pub said: Vec<String>,
    /// How many cells have which word for "not known".
    pub missing: BTreeMap<String, usize>,
}

/// A cell that cannot be read: its number, and what is wrong.
pub(super) type Bad = (usize, String);

/// Which mark all sure numbers have before their decimals; nothing if they do not agree.
pub(super) fn decimal_of<'a>(texts: impl Iterator<Item = &'a str>) -> Option<Decimal> {
    let (mut points, mut commas) = (0, 0);
    for text in texts {
        match numbers::read(text).map(|numeral| numeral.style()) {
            Some(Style::Sure(Decimal::Point)) => points += 1,
            Some(Style::Sure(Decimal::Comma)) => commas += 1,
            _ => {}
        }
    }
    match (points, commas) {
        (0, 1..) => Some(Decimal::Comma),
        (1.., 0) => Some(Decimal::Point),
        _ => None,
    }
}

/// Gives the cells of columns that hold the same kind of thing one spelling for each value.
pub(super) fn normal(cells: &[Draft], manner: &Manner, whole: Option<Decimal>) -> Result<Normal, Bad> {
    let mut normal = Normal {
        holds: Holds::Words,
        words: vec![String::new(); cells.len()],
        said: vec![],
        missing: BTreeMap::new(),
    };
    let mut known: Vec<usize> = Vec::new();
    for (at, cell) in cells.iter().enumerate() {
        if cell.is_picture {
            normal.words[at].clone_from(&cell.text);
        } else if !cell.is_typed && words::is_missing(&cell.text, manner.missing) {
            if !cell.text.is_empty() {
                *normal.missing.entry(cell.text.clone()).or_default() += 1;
            }
        } else {
            known.push(at);
        }
    }
    let has_blank = cells.iter().any(|cell| cell.text.is_empty());
    let lower: BTreeSet<String> = known.iter().map(|at| cells[*at].text.to_lowercase()).collect();
    if let Some(boolean) = words::boolean(lower.iter().map(String::as_str), has_blank) {
        match boolean {
            Boolean::Pair(yes, no) => {
                normal.holds = Holds::Boolean;
                known.iter().for_each(|at| normal.words[*at] = truth_word(&cells[*at].text));
                if yes != "true" && yes != "1" {
                    normal.said.push(format!("{yes} and {no} are Boolean"));
                }
            }
            Boolean::Mark => {
                normal.holds = Holds::Marks;
                normal.words.iter_mut().zip(cells).for_each(|(word, cell)| {
                    *word = if cell.text.is_empty() { "0".to_owned() } else { truth_word(&cell.text) };
                });
                let mark = &cells[known[0]].text;
                normal.said.push(format!("{mark} is yes and an empty cell is no"));
            }
        }
        return Ok(normal);
    }
    if known.is_empty() {
        return Ok(normal);
    }
    if dates_of(cells, &known, manner, &mut normal)? || numbers_of(cells, &known, manner, whole, &mut normal)?
    {
        return Ok(normal);
    }
    fold(cells, &known, &mut normal);
    Ok(normal)
}

fn truth_word(text: &str) -> String {
    if words::truth(text) == Some(true) { "1" } else { "0" }.to_owned()
}

/// Reads all cells as dates, if they are.
fn dates_of(cells: &[Draft], known: &[usize], manner: &Manner, normal: &mut Normal) -> Result<bool, Bad> {
    let mut readings: Vec<(usize, Reading)> = Vec::new();
    for &at in known {
        // What is typed and has a mark of dates is one.
        match dates::read(&cells[at].text) {
            Some(reading) => readings.push((at, reading)),
            None => return Ok(false),
        }
    }
    let orders: BTreeSet<bool> = known
        .iter()
        .filter_map(|at| dates::order_of(&cells[*at].text))
        .map(|order| order == DateOrder::DayFirst)
        .collect();
    let order = match (manner.dates, orders.len()) {
        (Some(given), _) => Some(given),
        (None, 1) if orders.contains(&true) => Some(DateOrder::DayFirst),
        (None, 1) => Some(DateOrder::MonthFirst),
        _ => None,
    };
    let mut changed = false;
    for (at, reading) in readings {
        let Some(iso) = reading.iso(order) else {
            let text = &cells[at].text;
            return Err((
                at,
                format!("{text:?} may have the day or the month first; say --dates dmy or --dates mdy"),
            ));
        };
        changed |= iso != cells[at].text;
        normal.words[at] = iso;
    }
    normal.holds = Holds::Dates;
    if changed {
        let is_time = normal.words.iter().all(|word| word.len() <= 8);
        let how = match order {
            None if is_time => "times, written as 08:30",
            Some(DateOrder::DayFirst) => "dates, day first, written as 2024-03-31",
            Some(DateOrder::MonthFirst) => "dates, month first, written as 2024-03-31",
            None => "dates, written as 2024-03-31",
        };
        normal.said.push(how.to_owned());
    }
    Ok(true)
}

/// Reads all cells as numbers, if they are.
fn numbers_of(
    cells: &[Draft],
    known: &[usize],
    manner: &Manner,
    whole: Option<Decimal>,
    normal: &mut Normal,
) -> Result<bool, Bad> {
    let texts = || known.iter().map(|at| cells[*at].text.as_str());
    let numerals: Vec<Option<numbers::Numeral>> = texts().map(numbers::read).collect();
    // Programs write numbers with exponents too.
    let is_number = |(at, numeral): (&usize, &Option<numbers::Numeral>)| {
        numeral.is_some() || numbers::is_plain(&cells[*at].text)
    };
    let wrong: Vec<usize> =
        known.iter().zip(&numerals).filter(|one| !is_number(*one)).map(|(at, _)| *at).collect();
    if let Some(&first) = wrong.first() {
        let different: BTreeSet<&str> = texts().collect();
        // A few words in a column of many numbers are slips.
        if wrong.len() * 20 <= known.len() && different.len() > 20 {
            let text = &cells[first].text;
            let others = known.len() - wrong.len();
            return Err((
                first,
                format!(
                    "{text:?} is no number, as the other {others} cells are; mend it, or say --na {text:?}"
                ),
            ));
        }
        return Ok(false);
    }
    let written = || {
        known
            .iter()
            .zip(&numerals)
            .filter(|(at, _)| !cells[**at].is_typed)
            .filter_map(|(_, numeral)| numeral.as_ref())
    };
    // Codes such as 007 are words.
    if written().any(numbers::Numeral::is_code) {
        return Ok(false);
    }
    let units: BTreeSet<&str> =
        written().map(|numeral| numeral.unit.as_str()).filter(|unit| !unit.is_empty()).collect();
    if units.len() > 1 {
        let units: Vec<&str> = units.into_iter().collect();
        normal.said.push(format!("numbers with several units ({}), left as words", units.join(", ")));
        return Ok(false);
    }
    let own = decimal_of(known.iter().filter(|at| !cells[**at].is_typed).map(|at| cells[*at].text.as_str()));
    let is_unclear = written().any(|numeral| numeral.style() == Style::Either);
    let guess = manner.semicolons.then_some(Decimal::Comma);
    let decimal = manner
        .decimal
        .or(own)
        .or(whole)
        .or(guess.filter(|_| has_commas(written())))
        .unwrap_or(Decimal::Point);
    let mut changed = false;
    for (&at, numeral) in known.iter().zip(&numerals) {
        let text = &cells[at].text;
        let word = match numeral {
            _ if cells[at].is_typed => Some(text.clone()),
            Some(numeral) => numeral.plain(decimal),
            None => text.parse().ok().map(super::grid::plain),
        };
        let Some(word) = word else {
            let other = if decimal == Decimal::Comma { "comma" } else { "point" };
            return Err((
                at,
                format!(
                    "{text:?} is no number with a decimal {other}; say --decimal point or --decimal comma"
                ),
            ));
        };
        changed |= word != *text;
        normal.words[at] = word;
    }
    normal.holds = Holds::Numbers;
    let unit = units.first().map_or_else(String::new, |unit| format!(" in {unit}"));
    if changed {
        let how = match (is_unclear && own.is_none(), decimal) {
            (true, Decimal::Point) => ", with a decimal point (--decimal comma for the other way)",
            (true, Decimal::Comma) => ", with a decimal comma (--decimal point for the other way)",
            (false, Decimal::Comma) => ", with a decimal comma",
            (false, Decimal::Point) => "",
        };
        normal.said.push(format!("numbers{unit}{how}"));
    }
    Ok(true)
}

fn has_commas<'a>(mut numerals: impl Iterator<Item = &'a numbers::Numeral>) -> bool {
    numerals.any(|numeral| {
        numeral.value(Decimal::Comma).is_some()
            && numeral.value(Decimal::Point) != numeral.value(Decimal::Comma)
    })
}

/// Gives words that differ in case alone the spelling that is commonest.
fn fold(cells: &[Draft], known: &[usize], normal: &mut Normal) {
    let mut spellings: BTreeMap<String, BTreeMap<&str, usize>> = BTreeMap::new();
    for &at in known {
        let text = cells[at].text.as_str();
        // Letters by themselves may mean one thing large and another small.
        let key = if text.chars().count() < 3 { text.to_owned() } else { text.to_lowercase() };
        *spellings.entry(key).or_default().entry(text).or_default() += 1;
    }
    let mut chosen: BTreeMap<&str, &str> = BTreeMap::new();
    for variants in spellings.values() {
        let most =
            variants.iter().max_by(|a, b| a.1.cmp(b.1).then(b.0.cmp(a.0))).map_or("", |(text, _)| *text);
        let others: Vec<&str> = variants.keys().copied().filter(|text| *text != most).collect();
        if !others.is_empty() {
            normal.said.push(format!("{} is taken for {most}", others.join(", ")));
        }
        chosen.extend(variants.keys().map(|text| (*text, most)));
    }
    for &at in known {
        let text = cells[at].text.as_str();
        chosen.get(text).copied().unwrap_or(text).clone_into(&mut normal.words[at]);
    }
}

/// Why a column by itself tells rows apart and nothing else, if it does.
pub(super) fn aside(holds: &Holds, words: &[String], most: usize) -> Option<&'static str> {
    /// Fewer rows may differ by chance.
    const FEWEST: usize = 8;
    let known: Vec<&str> = words.iter().filter(|word| !word.is_empty()).map(String::as_str).collect();
    let different: BTreeSet<&str> = known.iter().copied().collect();
    let all_differ = different.len() == known.len() && known.len() >= FEWEST;
    match holds {
        Holds::Words if all_differ => Some("all different, as names and numbers of rows are"),
        Holds::Words if different.len() > most && different.len() * 2 > known.len() => Some("free text"),
        Holds::Words if different.len() * 2 > known.len() && known.len() >= FEWEST => {
            let length: usize = known.iter().map(|word| word.chars().count()).sum();
            (length > 24 * known.len()).then_some("free text")
        }
        Holds::Dates if all_differ => Some("dates that are all different"),
        Holds::Dates if different.len() > most => Some("more dates than values of a category"),
        Holds::Numbers if all_differ => {
            let mut numbers: Vec<i64> = known.iter().filter_map(|word| word.parse().ok()).collect();
            let is_rising = numbers.len() == known.len() && numbers.windows(2).all(|pair| pair[0] < pair[1]);
            numbers.sort_unstable();
            let is_dense = numbers.windows(2).all(|pair| pair[0] + 1 == pair[1]);
            (numbers.len() == known.len() && is_rising && is_dense).then_some("a running number")
        }
        _ => None,
    }
}
