//! Tables by Arrow's C stream interface: structs of pointers that polars, pyarrow and others hand over without a copy.
//!
//! | format | values |
//! |---|---|
//! | `b` | truth values, as bits |
//! | `c C s S i I l L` | whole numbers |
//! | `f g` | floating-point numbers |
//! | `u U vu` | text, with offsets of 32 or 64 bits, or as views |
//! | `n` | nothing |
//! | any of these with a dictionary | the same, by number |

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::null_mut;

use preceptron_learn::{Cells, Fault, TableError};
use pyo3::ffi;
use pyo3::prelude::*;

use crate::bits::{Bits, is_set};
use crate::errors::{failed, failed_in, failed_table};
use crate::words::{Words, float, wrong};

/// A column's name and kind, as the specification has it.
#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: *mut c_void,
}

/// A column's values, or a batch of columns.
#[repr(C)]
struct Values {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Values,
    dictionary: *mut Values,
    release: Option<unsafe extern "C" fn(*mut Values)>,
    private_data: *mut c_void,
}

/// Batches, one after the other.
#[repr(C)]
struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Values) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private_data: *mut c_void,
}

/// A struct that is released in the end.
macro_rules! owned {
    ($name:ident, $inner:ident, $empty:expr) => {
        struct $name($inner);
        impl Drop for $name {
            fn drop(&mut self) {
                if let Some(release) = self.0.release {
                    // SAFETY: the producer filled it in, and it is released once.
                    unsafe { release(&raw mut self.0) };
                }
            }
        }
        impl $name {
            fn empty() -> $name {
                $name($empty)
            }
        }
    };
}
owned!(
    OwnedSchema,
    Schema,
    Schema {
        format: null_mut(),
        name: null_mut(),
        metadata: null_mut(),
        flags: 0,
        n_children: 0,
        children: null_mut(),
        dictionary: null_mut(),
        release: None,
        private_data: null_mut(),
    }
);
owned!(
    OwnedValues,
    Values,
    Values {
        length: 0,
        null_count: 0,
        offset: 0,
        n_buffers: 0,
        n_children: 0,
        buffers: null_mut(),
        children: null_mut(),
        dictionary: null_mut(),
        release: None,
        private_data: null_mut(),
    }
);

/// The text behind a pointer; empty without one.
///
/// # Safety
/// It is null, or points to text that ends in a zero byte.
unsafe fn text(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: as the caller says.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}

/// The columns of a table that an object hands over with `__arrow_c_stream__`.
pub fn columns(table: &str, object: &Bound<'_, PyAny>, binary: bool) -> PyResult<Vec<Cells>> {
    let capsule = object.call_method0("__arrow_c_stream__")?;
    // SAFETY: a capsule of this name holds such a struct; another object gives an error, not a pointer.
    let stream = unsafe { ffi::PyCapsule_GetPointer(capsule.as_ptr(), c"arrow_array_stream".as_ptr()) };
    if stream.is_null() {
        return Err(PyErr::fetch(object.py()));
    }
    let stream = stream.cast::<Stream>();
    // SAFETY: the capsule keeps the stream for as long as it is there; functions are called as the specification
    // says, and what they fill in is released.
    unsafe {
        let refused = |code: c_int| -> PyErr {
            let said = (*stream).get_last_error.map(|last| text(last(stream))).unwrap_or_default();
            failed_in(table, format!("cannot be read: {said} (error {code})"))
        };
        let (Some(get_schema), Some(get_next)) = ((*stream).get_schema, (*stream).get_next) else {
            return Err(failed_in(table, "was read before"));
        };
        let mut schema = OwnedSchema::empty();
        match get_schema(stream, &raw mut schema.0) {
            0 => {}
            code => return Err(refused(code)),
        }
        if text(schema.0.format) != "+s" {
            return Err(failed_in(table, "is a single column; a table has several, each with a name"));
        }
        let mut readers = Vec::new();
        for at in 0..schema.0.n_children as usize {
            readers.push(Reader::new(table, *schema.0.children.add(at), binary)?);
        }
        loop {
            let mut batch = OwnedValues::empty();
            match get_next(stream, &raw mut batch.0) {
                0 => {}
                code => return Err(refused(code)),
            }
            if batch.0.release.is_none() {
                break;
            }
            for (at, reader) in readers.iter_mut().enumerate() {
                let values = *batch.0.children.add(at);
                reader.add(values, batch.0.offset as usize, batch.0.length as usize).map_err(failed_table)?;
            }
        }
        Ok(readers.into_iter().map(Reader::finish).collect())
    }
}

/// What a column is read into.
enum Sink {
    Bits { values: Bits, known: Option<Bits> },
    Numbers(Words<u64>),
    Text(Cells),
}

/// Reads one column, batch by batch.
struct Reader {
    table: String,
    name: String,
    format: String,
    /// The format of the values that a dictionary has.
    dictionary: Option<String>,
    binary: bool,
    rows: usize,
    sink: Sink,
}

impl Reader {
    /// # Safety
    /// The schema is one.
    unsafe fn new(table: &str, schema: *const Schema, binary: bool) -> PyResult<Reader> {
        // SAFETY: as the caller says.
        let (name, format, dictionary) = unsafe {
            let inner = (*schema).dictionary;
            let dictionary = if inner.is_null() { None } else { Some(text((*inner).format)) };
            (text((*schema).name), text((*schema).format), dictionary)
        };
        let of = dictionary.as_deref().unwrap_or(&format);
        if !["b", "c", "C", "s", "S", "i", "I", "l", "L", "f", "g", "u", "U", "vu", "n"].contains(&of) {
            let what = "truth values, numbers, text and categories are read; cast it to one of these";
            return Err(failed(format!("{table}: column {name}: is of Arrow's type {of:?}: {what}")));
        }
        let sink = match (format.as_str(), &dictionary) {
            ("b", None) => Sink::Bits { values: Bits::default(), known: None },
            ("u" | "U" | "vu" | "n", None) | (_, Some(_)) => Sink::Text(Cells::new(&name)),
            _ => Sink::Numbers(Words::new(&name, binary)),
        };
        Ok(Reader { table: table.to_owned(), name, format, dictionary, binary, rows: 0, sink })
    }

    /// Adds some rows of a batch.
    ///
    /// # Safety
    /// The values are of the column's kind, and there are as many.
    unsafe fn add(&mut self, values: *const Values, begin: usize, count: usize) -> Result<(), TableError> {
        // Buffers of nothing may be null.
        if count == 0 {
            return Ok(());
        }
        // SAFETY: as the caller says; buffers have the sizes that the specification says.
        unsafe {
            let begin = begin + (*values).offset as usize;
            let map = if self.format != "n" { *(*values).buffers } else { Default::default() }.cast::<u8>();
            let map = (!map.is_null() && (*values).null_count != 0)
                .then(|| std::slice::from_raw_parts(map, (begin + count).div_ceil(8)));
            let is_known = |row: usize| map.is_none_or(|map| is_set(map, begin + row));
            let Reader { table, name, format, dictionary, binary, rows, sink } = self;
            let fault = |row: usize, fault: Fault| wrong(table, name, *rows + row, fault);
            match sink {
                Sink::Bits { values: bits, known } => {
                    let data =
                        std::slice::from_raw_parts(buffer::<u8>(values, 1), (begin + count).div_ceil(8));
                    bits.push_map(data, begin, count);
                    if map.is_some() && known.is_none() {
                        let mut before = Bits::default();
                        before.push_same(true, *rows);
                        *known = Some(before);
                    }
                    match (known, map) {
                        (Some(known), Some(map)) => known.push_map(map, begin, count),
                        (Some(known), None) => known.push_same(true, count),
                        (None, _) => {}
                    }
                }
                Sink::Numbers(words) => {
                    for row in 0..count {
                        if is_known(row) {
                            let number = number(values, format, begin + row);
                            words
                                .push(number, |text| spell(format, number, text))
                                .map_err(|f| fault(row, f))?;
                        } else {
                            words.push_missing();
                        }
                    }
                }
                Sink::Text(cells) if dictionary.is_some() => {
                    let inner = (*values).dictionary;
                    let of = dictionary.as_deref().unwrap_or_default();
                    let mut codes: Vec<Option<u8>> = vec![None; (*inner).length as usize];
                    for row in 0..count {
                        let at = number(values, format, begin + row) as usize;
                        if !is_known(row) || at >= codes.len() {
                            cells.push(None);
                            continue;
                        }
                        if codes[at].is_none() {
                            let word = word(inner, of, at);
                            codes[at] = Some(cells.code(&word, *binary).map_err(|f| fault(row, f))?);
                        }
                        cells.push(codes[at]);
                    }
                }
                Sink::Text(cells) => {
                    let mut last: Option<(String, u8)> = None;
                    for row in 0..count {
                        if format == "n" || !is_known(row) {
                            cells.push(None);
                            continue;
                        }
                        let found = bytes(values, format, begin + row);
                        let code = match &last {
                            Some((word, code)) if word.as_bytes() == found => *code,
                            _ => {
                                let word = std::str::from_utf8(found).map_err(|_| fault(row, Fault::Utf8))?;
                                let code = cells.code(word, *binary).map_err(|f| fault(row, f))?;
                                last = Some((word.to_owned(), code));
                                code
                            }
                        };
                        cells.push(Some(code));
                    }
                }
            }
            self.rows += count;
        }
        Ok(())
    }

    fn finish(self) -> Cells {
        match self.sink {
            Sink::Bits { values, known } => {
                Cells::of_bits(&self.name, self.rows, values.words, known.map(|known| known.words))
            }
            Sink::Numbers(words) => words.cells,
            Sink::Text(cells) => cells,
        }
    }
}

/// # Safety
/// There is such a buffer of such values.
unsafe fn buffer<T>(values: *const Values, at: usize) -> *const T {
    // SAFETY: as the caller says.
    unsafe { (*(*values).buffers.add(at)).cast() }
}

/// The bits of a number: of a whole one as 64 bits with its sign, of others as they are.
///
/// # Safety
/// The values are of this format, and there are so many.
unsafe fn number(values: *const Values, format: &str, at: usize) -> u64 {
    // SAFETY: as the caller says.
    unsafe {
        match format {
            "c" => i64::from(*buffer::<i8>(values, 1).add(at)) as u64,
            "C" => u64::from(*buffer::<u8>(values, 1).add(at)),
            "s" => i64::from(*buffer::<i16>(values, 1).add(at)) as u64,
            "S" => u64::from(*buffer::<u16>(values, 1).add(at)),
            "i" => i64::from(*buffer::<i32>(values, 1).add(at)) as u64,
            "I" | "f" => u64::from(*buffer::<u32>(values, 1).add(at)),
            _ => *buffer::<u64>(values, 1).add(at),
        }
    }
}

fn spell(format: &str, number: u64, text: &mut String) {
    match format {
        "f" => float(f32::from_bits(number as u32), text),
        "g" => float(f64::from_bits(number), text),
        "L" | "C" | "S" | "I" => *text = number.to_string(),
        _ => *text = (number as i64).to_string(),
    }
}

/// A value of a dictionary as a word; empty if there is none.
///
/// # Safety
/// The values are of this format, and there are so many.
unsafe fn word(values: *const Values, format: &str, at: usize) -> String {
    // SAFETY: as the caller says.
    unsafe {
        let at = at + (*values).offset as usize;
        let map = if format == "n" { null_mut() } else { (*(*values).buffers).cast::<u8>().cast_mut() };
        if format == "n" || !map.is_null() && !is_set(std::slice::from_raw_parts(map, at / 8 + 1), at) {
            return String::new();
        }
        let mut text = String::new();
        match format {
            "u" | "U" | "vu" => text = String::from_utf8_lossy(bytes(values, format, at)).into_owned(),
            "b" => {
                let data = std::slice::from_raw_parts(buffer::<u8>(values, 1), at / 8 + 1);
                text = u8::from(is_set(data, at)).to_string();
            }
            _ => spell(format, number(values, format, at), &mut text),
        }
        text
    }
}

/// The bytes of a text.
///
/// # Safety
/// The values are texts of this format, and there are so many.
unsafe fn bytes<'a>(values: *const Values, format: &str, at: usize) -> &'a [u8] {
    // SAFETY: as the caller says. A view is its length and, if it is at most 12, the text; else a start of four bytes,
    // the number of a buffer behind the first two, and the place there.
    unsafe {
        let (begin, length, data) = match format {
            "u" => {
                let offsets = buffer::<i32>(values, 1);
                let begin = *offsets.add(at) as usize;
                (begin, *offsets.add(at + 1) as usize - begin, buffer::<u8>(values, 2))
            }
            "U" => {
                let offsets = buffer::<i64>(values, 1);
                let begin = *offsets.add(at) as usize;
                (begin, *offsets.add(at + 1) as usize - begin, buffer::<u8>(values, 2))
            }
            _ => {
                let view = buffer::<i32>(values, 1).add(4 * at);
                let length = *view as usize;
                match length {
                    0..=12 => (0, length, view.add(1).cast::<u8>()),
                    _ => (*view.add(3) as usize, length, buffer::<u8>(values, 2 + *view.add(2) as usize)),
                }
            }
        };
        if length == 0 { &[] } else { std::slice::from_raw_parts(data.add(begin), length) }
    }
}
