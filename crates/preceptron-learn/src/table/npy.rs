//! NPY files: arrays of truth values, whole or floating-point numbers; those of two dimensions are tables.

use super::TableOptions;
use super::columns::Columns;
use super::error::{Fault, Position, TableError};

/// An array of truth values or numbers, as an NPY file has it.
#[derive(Clone, Debug)]
pub struct Array<'a> {
    kind: char,
    size: usize,
    big_endian: bool,
    fortran_order: bool,
    shape: Vec<usize>,
    values: &'a [u8],
}

fn broken(what: impl Into<String>) -> Fault {
    Fault::Broken(what.into())
}

/// The text of a value in the header's dictionary.
fn entry<'a>(text: &'a str, key: &str) -> Result<&'a str, Fault> {
    let from = text.find(&format!("'{key}'")).ok_or_else(|| broken(format!("its header has no {key}")))?;
    let (_, value) = text[from..].split_once(':').ok_or_else(|| broken("its header is not a dictionary"))?;
    Ok(value.trim_start())
}

/// Splits the file into header and values.
fn split(bytes: &[u8]) -> Result<Array<'_>, Fault> {
    if !bytes.starts_with(b"\x93NUMPY") {
        return Err(broken("is no NPY file"));
    }
    let cut = || broken("ends inside its header");
    let length_size = if bytes.get(6).ok_or_else(cut)? == &1 { 2 } else { 4 };
    let length = bytes.get(8..8 + length_size).ok_or_else(cut)?;
    let length = length.iter().rev().fold(0usize, |all, byte| all << 8 | usize::from(*byte));
    let start = 8 + length_size;
    let text = bytes.get(start..start.saturating_add(length)).ok_or_else(cut)?;
    let text = std::str::from_utf8(text).map_err(|_| broken("its header is not text"))?;

    let descr = entry(text, "descr")?.trim_start_matches(['\'', '"']);
    let descr = descr.split(['\'', '"']).next().unwrap_or_default();
    let mut letters = descr.chars();
    let (order, kind) = (letters.next().unwrap_or(' '), letters.next().unwrap_or(' '));
    let size = match (kind, letters.as_str().parse()) {
        ('b', Ok(1)) => 1,
        ('i' | 'u', Ok(size @ (1 | 2 | 4 | 8))) | ('f', Ok(size @ (4 | 8))) => size,
        _ => return Err(broken(format!("has values of type {descr:?}; truth values and numbers are read"))),
    };
    let shape = entry(text, "shape")?;
    let shape = shape.split_once(')').map_or(shape, |(inside, _)| inside).trim_start_matches('(');
    let sizes = shape.split(',').map(str::trim).filter(|size| !size.is_empty());
    let sizes = sizes.map(str::parse::<usize>).collect::<Result<Vec<_>, _>>();
    let Ok(shape) = sizes else {
        return Err(broken(format!("has the shape ({})", shown(shape))));
    };
    let fortran_order = entry(text, "fortran_order")?.starts_with("True");
    let values = &bytes[start + length..];
    let needed = shape.iter().try_fold(size, |all: usize, side| all.checked_mul(*side));
    if needed != Some(values.len()) {
        let sides: Vec<String> = shape.iter().map(usize::to_string).collect();
        let what = format!("has {} bytes of values, not {} x {size}", values.len(), sides.join(" x "));
        return Err(broken(shown_longer(&what)));
    }
    Ok(Array { kind, size, big_endian: order == '>', fortran_order, shape, values })
}

/// The beginning of what stands there, which need not be what it should.
fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(40).collect()
}

fn shown_longer(text: &str) -> String {
    text.chars().take(200).collect()
}

impl<'a> Array<'a> {
    /// The array in the bytes of an NPY file.
    ///
    /// # Errors
    /// If it is damaged, or an array of something else.
    pub fn parse(bytes: &'a [u8]) -> Result<Array<'a>, String> {
        split(bytes).map_err(|fault| fault.to_string())
    }

    /// Its sides.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// How many values it has.
    pub fn len(&self) -> usize {
        self.values.len() / self.size
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Whether its values are truth values, and whether they are floating-point numbers.
    pub fn kinds(&self) -> [bool; 2] {
        [self.kind == 'b', self.kind == 'f']
    }

    /// The value of this number, where the last axis runs fastest.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn value(&self, number: usize) -> f64 {
        let at = if self.fortran_order { self.of_fortran(number) } else { number };
        let raw = self.raw(at);
        match (self.kind, self.size) {
            ('b', _) => f64::from(u8::from(raw != 0)),
            ('u', _) => raw as f64,
            ('i', size) => ((raw as i64) << (64 - 8 * size) >> (64 - 8 * size)) as f64,
            (_, 4) => f64::from(f32::from_bits(raw as u32)),
            _ => f64::from_bits(raw),
        }
    }

    /// Where the value of this number is if the first axis runs fastest.
    fn of_fortran(&self, mut number: usize) -> usize {
        let mut stride = self.len();
        let mut at = 0;
        for side in self.shape.iter().rev() {
            stride /= side;
            at += number % side * stride;
            number /= side;
        }
        at
    }

    /// The bits of the value that stands there.
    fn raw(&self, at: usize) -> u64 {
        let bytes = &self.values[at * self.size..][..self.size];
        let mut word = [0u8; 8];
        for (to, from) in word.iter_mut().zip(0..self.size) {
            *to = bytes[if self.big_endian { self.size - 1 - from } else { from }];
        }
        u64::from_le_bytes(word)
    }
}

/// Writes a value as the text that a cell would have; nothing where it is not a number.
fn spell(text: &mut String, array: &Array<'_>, at: usize) {
    use std::fmt::Write;
    let raw = array.raw(at);
    text.clear();
    let written = match (array.kind, array.size) {
        ('b', _) => write!(text, "{}", u8::from(raw != 0)),
        ('u', _) => write!(text, "{raw}"),
        // Shifting up and down again spreads the sign.
        ('i', size) => write!(text, "{}", (raw as i64) << (64 - 8 * size) >> (64 - 8 * size)),
        (_, 4) if !f32::from_bits(raw as u32).is_nan() => write!(text, "{}", f32::from_bits(raw as u32)),
        (_, 8) if !f64::from_bits(raw).is_nan() => write!(text, "{}", f64::from_bits(raw)),
        _ => Ok(()),
    };
    written.expect("a String takes any text");
}

/// Reads an NPY file.
pub(super) fn read(file: &str, bytes: &[u8], options: &TableOptions) -> Result<Columns, TableError> {
    let array = split(bytes).map_err(|fault| fault.of(file))?;
    let &[rows, sides] = array.shape() else {
        let sides: Vec<String> = array.shape().iter().map(usize::to_string).collect();
        let comma = if sides.len() == 1 { "," } else { "" };
        let what =
            format!("has the shape ({}{comma}); a table has rows and columns", shown(&sides.join(", ")));
        return Err(broken(what).of(file));
    };
    let mut columns = Columns::unnamed(sides, options).map_err(|fault| fault.of(file))?;
    let mut text = String::new();
    for row in 0..rows {
        for column in 0..sides {
            let at = if array.fortran_order { column * rows + row } else { row * sides + column };
            spell(&mut text, &array, at);
            columns.push(column, text.as_bytes()).map_err(|fault| {
                fault.of(file).at(Position::Row(row as u64 + 1)).in_column(columns.name(column))
            })?;
        }
    }
    Ok(columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::Var;

    fn file(descr: &str, fortran: &str, shape: &str, values: &[u8]) -> Vec<u8> {
        let text = format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((text.len() as u16).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes.extend(values);
        bytes
    }

    fn codes(bytes: &[u8]) -> Vec<Vec<String>> {
        let (columns, _) = read("t.npy", bytes, &TableOptions::default()).unwrap().kept();
        let spell =
            |code: &u8, labels: &[String]| labels.get(usize::from(*code)).cloned().unwrap_or_default();
        columns.iter().map(|(_, c)| c.codes.iter().map(|code| spell(code, &c.labels)).collect()).collect()
    }

    #[test]
    fn both_orders_and_all_types() {
        let c = file("|b1", "False", "(2, 3)", &[1, 0, 0, 0, 1, 1]);
        let fortran = file("|u1", "True", "(2, 3)", &[1, 0, 0, 1, 0, 1]);
        assert_eq!(codes(&c), codes(&fortran));
        assert_eq!(codes(&c), [["1", "0"], ["0", "1"], ["0", "1"]]);
        let values: Vec<u8> = [-3i64, 1].iter().flat_map(|v| v.to_le_bytes()).collect();
        assert_eq!(codes(&file("<i8", "False", "(1, 2)", &values)), [["-3"], ["1"]]);
        let values: Vec<u8> = [-3i16, 1].iter().flat_map(|v| v.to_be_bytes()).collect();
        assert_eq!(codes(&file(">i2", "False", "(2, 1)", &values)), [["-3", "1"]]);
        let values: Vec<u8> = [f32::NAN, 1.0, 0.5].iter().flat_map(|v| v.to_le_bytes()).collect();
        assert_eq!(codes(&file("<f4", "False", "(3, 1)", &values)), [["", "1", "0.5"]]);
        let values: Vec<u8> = [f64::NAN, 0.0].iter().flat_map(|v| v.to_le_bytes()).collect();
        assert_eq!(codes(&file("<f8", "False", "(2, 1)", &values)), [["", "0"]]);
    }

    #[test]
    fn values_of_any_shape_in_both_orders() {
        let c: Vec<u8> = (0..24).collect();
        let at = |n: usize| (n / 12, n / 4 % 3, n % 4);
        let fortran: Vec<u8> = (0..24)
            .map(|place| {
                (0..24)
                    .find(|&n| {
                        let (a, b, c) = at(n);
                        a + 2 * b + 6 * c == place
                    })
                    .unwrap() as u8
            })
            .collect();
        let (c, fortran) =
            (file("|u1", "False", "(2, 3, 4)", &c), file("|u1", "True", "(2, 3, 4)", &fortran));
        for bytes in [c, fortran] {
            let array = Array::parse(&bytes).unwrap();
            assert_eq!((array.shape(), array.len()), (&[2, 3, 4][..], 24));
            assert!((0..24).all(|n| array.value(n) == n as f64));
        }
        assert_eq!(Array::parse(b"PK").unwrap_err(), "is no NPY file");
    }

    #[test]
    fn broken_files_say_so() {
        let fault = |bytes: &[u8]| match read("t.npy", bytes, &TableOptions::default()) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        };
        let good = file("|b1", "False", "(2, 3)", &[0; 6]);
        for length in 6..good.len() {
            assert_ne!(fault(&good[..length]), "", "cut at {length}");
        }
        assert!(fault(&file("<c8", "False", "(1, 1)", &[0; 8])).contains("type \"<c8\""));
        assert!(fault(&file("|b1", "False", "(6,)", &[0; 6])).contains("shape (6,)"));
        let long = file("|b1", "False", &"(6\n".repeat(1000), &[0; 6]);
        assert!(fault(&long).len() < 120 && !fault(&long).contains('\n'));
        let huge = file("<f8", "False", "(18446744073709551615, 2)", &[0; 8]);
        assert!(fault(&huge).contains("bytes of values"));
    }

    #[test]
    fn a_table_comes_out() {
        let table = crate::Table::from_bytes(
            "t.npy",
            file("|b1", "False", "(2, 3)", &[1, 0, 0, 0, 1, 1]),
            &TableOptions::default(),
        )
        .unwrap();
        assert_eq!(table.variables.names(), ["x1", "x2", "x3"]);
        assert_eq!(table.examples.get(1, Var(2)), Some(true));
    }
}
