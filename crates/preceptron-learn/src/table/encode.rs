//! Columns become variables: which are Boolean, which are categorical, and the bits of each.

use std::collections::{BTreeMap, BTreeSet};

use preceptron_logic::{Label, Var, Variables, VariablesError};

use super::columns::{Column, MISSING, MOST_VALUES, Named, truth, within_limit};
use super::error::{Fault, Position, TableError};
use super::{Encoded, PictureCell, Table, TableOptions, indices};
use crate::Examples;

/// Columns that are encoded alike: those of a block, or one alone.
struct Group {
    columns: Vec<usize>,
    /// The values if they are categorical, each under the label that it gets.
    labels: Option<BTreeMap<Label, String>>,
}

/// How the codes of one column become bits of its variables: the variable that is true, if one is. As
/// long as the column's labels are many: a table can have far more columns than rows.
type Decoder = Vec<Option<Option<usize>>>;

/// The codes of a column that are taken to occur.
pub(super) type Used = [bool; 256];

pub(super) fn encode(
    file: &str,
    columns: Vec<(usize, Column)>,
    pictures: Vec<Named>,
    options: &TableOptions,
) -> Result<Table, TableError> {
    let used = columns.iter().map(|(_, column)| column.used()).collect();
    encode_as(file, columns, used, pictures, options)
}

/// As [`encode`], with the codes that columns have, here or in other pieces of the table.
pub(super) fn encode_as(
    file: &str,
    columns: Vec<(usize, Column)>,
    used: Vec<Used>,
    pictures: Vec<Named>,
    options: &TableOptions,
) -> Result<Table, TableError> {
    let (numbers, mut columns): (Vec<usize>, Vec<Column>) = columns.into_iter().unzip();
    let (placed, placed_notes) = indices::placed(columns.iter().map(|column| column.name.as_str()));
    for (column, name) in columns.iter_mut().zip(placed) {
        column.name = name.unwrap_or_else(|| std::mem::take(&mut column.name));
    }
    let rows = columns.first().ok_or_else(|| Fault::NoColumns.of(file))?.rows();
    let headers = Variables::from_names(columns.iter().map(|column| column.name.as_str()))
        .map_err(|error| name_fault(error, file, &numbers, options))?;
    if rows == 0 {
        return Err(Fault::NoRows.of(file));
    }
    let mut groups = group(file, &columns, &headers, &used, options.categorical)?;
    let place = |number: &usize| numbers.iter().position(|kept| kept == number).unwrap_or_default();
    let with_pictures: BTreeSet<usize> = pictures.iter().map(|(_, number, _)| place(number)).collect();
    share_alphabet(file, &columns, &used, &with_pictures, &mut groups, options)?;

    for group in groups.iter().filter(|group| group.labels.is_some()) {
        group.columns.iter().for_each(|&column| columns[column].unpack());
    }

    let mut names: Vec<Vec<String>> = headers.names().iter().map(|name| vec![name.clone()]).collect();
    let (mut encoded, mut notes, mut one_hot) = (vec![], placed_notes, vec![]);
    for group in &groups {
        let Some(labels) = &group.labels else { continue };
        let first = group.columns[0];
        let block = headers.place(Var(first as u32)).map(|place| &headers.blocks()[place.block]);
        let taken = block.is_some_and(|block| block.axis(&options.value_axis).is_some());
        check_axis(&options.value_axis, taken)
            .map_err(|fault| fault.of(file).in_column(headers.name(Var(first as u32))))?;
        for &column in &group.columns {
            let name = headers.name(Var(column as u32));
            let start = match block.is_some() {
                true => start_of(name, &options.value_axis),
                false => start_of(&plain(name), &options.value_axis),
            };
            names[column] = labels.keys().map(|label| format!("{start}{label}]")).collect();
        }
        let shown = match block {
            Some(block) => {
                let axes: Vec<&str> = block.axes().iter().map(|axis| axis.name()).collect();
                format!("{}[{}]", block.name(), axes.join(", "))
            }
            None => plain(headers.name(Var(first as u32))),
        };
        one_hot.push(block.map_or_else(|| shown.clone(), |block| block.name().to_owned()));
        let entry = Encoded {
            block: shown,
            columns: group.columns.len(),
            axis: options.value_axis.clone(),
            labels: labels.keys().map(Label::to_string).collect(),
        };
        notes.push(note(&entry));
        encoded.push(entry);
    }
    let unseen = used.iter().filter(|used| !used[..usize::from(MISSING)].contains(&true)).count();
    if unseen > 0 {
        notes.push(format!("columns that are never observed: {unseen}"));
    }

    let variables = names.iter().map(Vec::len).sum();
    within_limit(variables, "columns and values of columns", 1).map_err(|fault| fault.of(file))?;
    let examples = bits(rows, &columns, &groups, used.iter().any(|used| used[usize::from(MISSING)]));
    let variables = finish(names.concat(), &one_hot, options).map_err(|e| Fault::Variables(e).of(file))?;
    // A column that no block has loses its brackets where it gets an axis.
    let shown = |column: usize| match headers.place(Var(column as u32)) {
        None if names[column].first().is_none_or(|name| name != headers.name(Var(column as u32))) => {
            plain(headers.name(Var(column as u32)))
        }
        _ => headers.name(Var(column as u32)).to_owned(),
    };
    let shown: Vec<String> = (0..columns.len()).map(shown).collect();
    let pictures = pictures.into_iter();
    let pictures =
        pictures.map(|(row, number, name)| PictureCell { row, column: shown[place(&number)].clone(), name });
    let pictures = pictures.collect();
    Ok(Table { variables, examples, encoded, notes, pictures, columns: shown, said: vec![] })
}

/// How the names of the variables of a categorical column begin: all but the label and a bracket.
pub(super) fn start_of(column: &str, axis: &str) -> String {
    match column.strip_suffix(']') {
        Some(inside) => format!("{inside}, {axis} "),
        None => format!("{column}[{axis} "),
    }
}

/// Gives all groups with pictures the same labels: what a picture shows in one column it may show in another.
fn share_alphabet(
    file: &str,
    columns: &[Column],
    used: &[Used],
    with_pictures: &BTreeSet<usize>,
    groups: &mut [Group],
    options: &TableOptions,
) -> Result<(), TableError> {
    let seen = |group: &Group| group.columns.iter().any(|column| with_pictures.contains(column));
    let mut all: BTreeMap<Label, String> = BTreeMap::new();
    for group in groups.iter().filter(|group| seen(group)) {
        let values = values_of_columns(file, columns, used, &group.columns)?;
        match &options.alphabet {
            None => all.extend(values),
            Some(alphabet) => {
                let fits = |value: &String| alphabet.iter().any(|symbol| label(symbol) == label(value));
                if let Some(value) = values.values().find(|value| !fits(value)) {
                    return Err(not_in_alphabet(file, columns, &group.columns, value));
                }
            }
        }
    }
    all.extend(options.alphabet.iter().flatten().map(|value| (label(value), value.clone())));
    if let Some(&first) = with_pictures.first().filter(|_| all.is_empty()) {
        return Err(Fault::NoAlphabet.of(file).in_column(&columns[first].name));
    }
    groups.iter_mut().filter(|group| seen(group)).for_each(|group| group.labels = Some(all.clone()));
    Ok(())
}

/// That a value of some columns is not in the alphabet, with the first cell that has it.
fn not_in_alphabet(file: &str, columns: &[Column], of: &[usize], value: &str) -> TableError {
    let fault = Fault::NotInAlphabet { value: value.to_owned() }.of(file);
    let cell = |column: &usize| {
        let code = columns[*column].labels.iter().position(|label| label == value)?;
        Some((columns[*column].codes.iter().position(|other| usize::from(*other) == code)?, *column))
    };
    match of.iter().filter_map(cell).min() {
        Some((row, column)) => fault.at(Position::Row(row as u64 + 1)).in_column(&columns[column].name),
        None => fault,
    }
}

/// The values of columns that share their labels.
fn values_of_columns(
    file: &str,
    columns: &[Column],
    used: &[Used],
    of: &[usize],
) -> Result<BTreeMap<Label, String>, TableError> {
    let mut labels: BTreeMap<Label, String> = BTreeMap::new();
    for &column in of {
        let values = columns[column].labels.iter().zip(&used[column]).filter(|(_, used)| **used);
        let values: Vec<&String> = values.map(|(value, _)| value).collect();
        if values.len() > MOST_VALUES {
            let fault = Fault::TooManyValues { most: MOST_VALUES };
            return Err(fault.of(file).in_column(&columns[column].name));
        }
        for value in values {
            let known = labels.entry(label(value)).or_insert_with(|| value.clone());
            if known != value {
                let fault = Fault::SameLabel { first: known.clone(), second: value.clone() };
                return Err(fault.of(file).in_column(&columns[column].name));
            }
        }
    }
    Ok(labels)
}

/// The columns of each block together, with their labels if any of them is not Boolean.
fn group(
    file: &str,
    columns: &[Column],
    headers: &Variables,
    used: &[Used],
    categorical: bool,
) -> Result<Vec<Group>, TableError> {
    let mut groups: Vec<Group> = Vec::new();
    let mut of_block = vec![None; headers.blocks().len()];
    for column in 0..columns.len() {
        match headers.place(Var(column as u32)).map(|place| &mut of_block[place.block]) {
            Some(Some(known)) => {
                let group: &mut Group = &mut groups[*known];
                group.columns.push(column);
                continue;
            }
            Some(unknown) => *unknown = Some(groups.len()),
            None => {}
        }
        groups.push(Group { columns: vec![column], labels: None });
    }
    for group in &mut groups {
        let values = |column: usize| {
            columns[column]
                .labels
                .iter()
                .zip(&used[column])
                .filter(|(_, used)| **used)
                .map(|(label, _)| label)
        };
        let is_boolean = |&column: &usize| values(column).all(|value| truth(value).is_some());
        if !categorical && group.columns.iter().all(is_boolean) {
            continue;
        }
        group.labels = Some(values_of_columns(file, columns, used, &group.columns)?);
    }
    Ok(groups)
}

/// A name without the characters that would place it in a block.
pub(super) fn plain(name: &str) -> String {
    name.replace('[', "(").replace(']', ")")
}

/// The label for a value: characters that have a meaning in names are replaced.
pub(super) fn label(value: &str) -> Label {
    Label::parse(&plain(value).replace(',', ";").replace(|c: char| c.is_control(), " "))
}

fn check_axis(axis: &str, taken: bool) -> Result<(), Fault> {
    let wrong = |reason| Err(Fault::ValueAxis { axis: axis.to_owned(), reason });
    match axis {
        _ if taken => wrong("the block has an axis of that name"),
        "" => wrong("it is empty"),
        _ if axis.contains(|c: char| c.is_whitespace() || c.is_control() || "[],".contains(c)) => {
            wrong("it has a space, a comma or a bracket")
        }
        _ => Ok(()),
    }
}

/// The bits of all variables, column by column of the table.
fn bits(rows: usize, columns: &[Column], groups: &[Group], missing: bool) -> Examples {
    let words = rows.div_ceil(64);
    let mut decoders: Vec<(usize, Decoder)> = vec![(1, vec![]); columns.len()];
    for group in groups {
        for &column in &group.columns {
            let (width, decoder) = &mut decoders[column];
            *width = group.labels.as_ref().map_or(1, BTreeMap::len);
            let position: BTreeMap<&Label, usize> =
                group.labels.iter().flatten().map(|(l, _)| l).zip(0..).collect();
            decoder.extend(columns[column].labels.iter().map(|value| match &group.labels {
                Some(_) => position.get(&label(value)).map(|&at| Some(at)),
                None => truth(value).map(|value| value.then_some(0)),
            }));
        }
    }
    let variables: usize = decoders.iter().map(|(width, _)| width).sum();
    let mut values = vec![0u64; words * variables];
    let mut known = missing.then(|| vec![0u64; words * variables]);
    let mut start = 0;
    for (column, (width, decoder)) in columns.iter().zip(&decoders) {
        if let Some(packed) = &column.packed {
            values[start * words..][..words].copy_from_slice(&packed.values);
            if let Some(known) = &mut known {
                let all = vec![u64::MAX; words];
                known[start * words..][..words].copy_from_slice(packed.known.as_ref().unwrap_or(&all));
            }
        }
        for (row, &code) in column.codes.iter().enumerate() {
            let Some(&Some(value)) = decoder.get(usize::from(code)) else { continue };
            let (word, bit) = (row / 64, 1 << (row % 64));
            if let Some(at) = value {
                values[(start + at) * words + word] |= bit;
            }
            if let Some(known) = &mut known {
                (start..start + width).for_each(|variable| known[variable * words + word] |= bit);
            }
        }
        start += width;
    }
    Examples::from_columns(rows, variables, values, known)
}

fn finish(
    names: Vec<String>,
    one_hot: &[String],
    options: &TableOptions,
) -> Result<Variables, VariablesError> {
    let mut variables = Variables::from_names(names)?;
    for block in one_hot {
        variables.set_one_hot(block, &options.value_axis)?;
    }
    for (name, expression) in &options.derive {
        variables.derive(name, expression)?;
    }
    Ok(variables)
}

/// The fault in the columns' names, by the columns' numbers in the table.
fn name_fault(error: VariablesError, file: &str, numbers: &[usize], options: &TableOptions) -> TableError {
    let mut column = None;
    let fault = match error {
        VariablesError::Duplicate { name, first, second } => {
            column = Some(name);
            Fault::DuplicateName { first: numbers[first - 1], second: numbers[second - 1] }
        }
        VariablesError::Empty { number } => Fault::NoName { number: numbers[number - 1] },
        other => Fault::Variables(other),
    };
    let mut error = fault.of(file);
    error.column = column;
    match options.header && options.names.is_none() {
        true => error.at(Position::Line(1)),
        false => error,
    }
}

/// What became of categorical columns, in words.
fn note(encoded: &Encoded) -> String {
    const SHOWN: usize = 8;
    let mut labels = encoded.labels.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if encoded.labels.len() > SHOWN {
        labels.push_str(", ...");
    }
    let columns = match encoded.columns {
        1 => "1 categorical column".to_owned(),
        many => format!("{many} categorical columns"),
    };
    format!("column {}: {columns} became one-hot axis `{}` ({labels})", encoded.block, encoded.axis)
}
