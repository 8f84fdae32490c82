//! Tables: text in several ways, NPY, Parquet, and what compresses them.

use std::io::Write;

use preceptron_base::{BUDGET, decompress};
use preceptron_learn::{Table, TableOptions};
use preceptron_logic::Var;

use super::seeds;
use crate::{Target, outcome};

pub fn targets() -> Vec<Target> {
    vec![
        Target {
            name: "csv",
            seeds: || {
                seeds(&[
                    "a, b ,c\n0,true,1.0\n1,FALSE,0.0\n ,?,NA\n",
                    "id;colour;late\n7;red;0\n10;\"sky; blue\";1\n7;?;1\n",
                    "\"x[row 1,column 1]\",\"x[row 1, column 2]\",y\r\n1,0,1\r\n0,0,\"a\"\"b\"\r\n",
                    "\u{feff}x1\tx2\n0\t1\n",
                ])
            },
            words: &[
                ",",
                ";",
                "\t",
                "\"",
                "\r\n",
                "\n",
                "\"x[row 1, column 3]\"",
                "x[row ",
                "]",
                "true",
                "FALSE",
                "NA",
                "?",
                "nan",
                "value",
                "\u{feff}",
                "row",
                "[value a]",
                "é",
                "\u{85}",
                "\0",
            ],
            run: text,
        },
        Target {
            name: "npy",
            seeds: || {
                let eighths = [1.0f64, 0.0, f64::NAN, 0.125].map(f64::to_le_bytes).concat();
                vec![
                    npy("|b1", "False", "(2, 3)", &[1, 0, 0, 0, 1, 1]),
                    npy("|u1", "True", "(2, 3)", &[1, 0, 0, 1, 0, 1]),
                    npy(">i2", "False", "(2, 2)", &[0, 1, 0, 0, 0xff, 0xfe, 0, 3]),
                    npy("<f8", "False", "(2, 2)", &eighths),
                ]
            },
            words: &[
                "'descr'",
                "'shape'",
                "'fortran_order'",
                "True",
                "False",
                "(2, 3)",
                "(0, 1)",
                "(1, 0)",
                "(",
                ")",
                ":",
                "'<i8'",
                "'|b1'",
                "'>f4'",
                "\u{93}NUMPY",
                "é",
                ", ",
            ],
            run: |input| table("t.npy", input, &TableOptions::default()),
        },
        Target {
            name: "gz",
            seeds: || {
                let two = [gzip(b"a,b\n0,1\n"), gzip(b"1,1\n")].concat();
                vec![gzip(b"a,b\n0,1\n"), two, gzip(&[b'0'; 1 << 20]), gzip(b"")]
            },
            words: &["\u{1f}", "\0\0\0\0"],
            run: plain,
        },
        Target {
            name: "xz",
            seeds: || {
                let two = [xz(b"a,b\n0,1\n"), xz(b"1,1\n")].concat();
                vec![xz(b"a,b\n0,1\n"), two, xz(&[b'0'; 1 << 20]), xz(b""), xz_with_dictionary(40)]
            },
            words: &["7zXZ", "\0\0\0\0", "YZ"],
            run: plain,
        },
        #[cfg(feature = "parquet")]
        Target {
            name: "parquet",
            seeds: || vec![parquet(false), parquet(true)],
            words: &["PAR1", "\u{15}", "\u{18}", "\0\0\0\0"],
            run: |input| table("t.parquet", input, &TableOptions::default()),
        },
    ]
}

/// Reads a table of text in several ways.
fn text(input: &[u8]) -> String {
    let expression = || "row / 2 + column".parse().expect("an expression");
    let plain = TableOptions::default;
    let ways = [
        plain(),
        TableOptions { binary: true, ignore: vec!["x*".to_owned()], ..plain() },
        TableOptions { header: false, delimiter: Some(b','), value_axis: "row".to_owned(), ..plain() },
        TableOptions { derive: vec![("half".to_owned(), expression())], ..plain() },
        TableOptions { names: Some(vec!["a".to_owned(), "a[b c]".to_owned()]), ..plain() },
    ];
    ways.map(|options| table("t.csv", input, &options)).join("; ")
}

/// Reads a table and looks at every cell.
fn table(name: &str, input: &[u8], options: &TableOptions) -> String {
    let table = match Table::from_bytes(name, input.to_vec(), options) {
        Ok(table) => table,
        Err(error) => {
            assert!(!error.to_string().contains('\n'), "an error of several lines: {error}");
            return outcome::refused(&error.fault);
        }
    };
    let (rows, variables) = (table.examples.len(), table.variables.len());
    assert_eq!(variables, table.examples.variables(), "variables without columns");
    let cells = (0..rows).flat_map(|row| (0..variables as u32).map(move |var| (row, Var(var))));
    let known = cells.filter(|&(row, var)| table.examples.get(row, var).is_some()).count();
    assert_eq!(known == rows * variables, table.examples.is_complete(), "cells that are not known");
    outcome::read(&[
        ("rows", rows),
        ("variables", variables),
        ("blocks", table.variables.blocks().len()),
        ("encoded", table.encoded.len()),
        ("notes", table.notes.len()),
        ("missing", rows * variables - known),
    ])
}

/// Decompresses, and nothing more. There is no limit on what comes out other than that of the process.
fn plain(input: &[u8]) -> String {
    match decompress(input.to_vec(), BUDGET) {
        Ok(plain) => outcome::read(&[("in", input.len()), ("out", plain.len())]),
        Err(error) => outcome::refused(&error),
    }
}

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
    writer.write_all(bytes).and_then(|()| writer.finish()).expect("memory takes all bytes")
}

pub(super) fn xz(bytes: &[u8]) -> Vec<u8> {
    preceptron_base::packed_xz(bytes).expect("memory takes all bytes")
}

/// A small file whose header asks for a dictionary of this size (40 is 4 GiB, the largest).
fn xz_with_dictionary(size: u8) -> Vec<u8> {
    let mut bytes = xz(b"a,b\n0,1\n");
    // After the stream's header of 12 bytes comes the block's: its length in words less one, flags, the
    // filter's number, the length of its properties, the size, and at the end a checksum.
    let end = 12 + 4 * (usize::from(bytes[12]) + 1);
    assert_eq!(bytes[14..16], [0x21, 1], "an LZMA2 filter");
    bytes[16] = size;
    let mut sum = flate2::Crc::new();
    sum.update(&bytes[12..end - 4]);
    bytes[end - 4..end].copy_from_slice(&sum.sum().to_le_bytes());
    bytes
}

fn npy(descr: &str, fortran: &str, shape: &str, values: &[u8]) -> Vec<u8> {
    let text = format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n");
    let length = (text.len() as u16).to_le_bytes();
    [b"\x93NUMPY\x01\x00", &length[..], text.as_bytes(), values].concat()
}

#[cfg(feature = "parquet")]
fn parquet(compressed: bool) -> Vec<u8> {
    use parquet::data_type::{BoolType, ByteArrayType};
    use parquet::file::properties::WriterProperties;

    let schema = "message t { optional boolean a; required binary colour (UTF8); }";
    let schema = parquet::schema::parser::parse_message_type(schema).expect("a schema");
    let compression = match compressed {
        true => parquet::basic::Compression::SNAPPY,
        false => parquet::basic::Compression::UNCOMPRESSED,
    };
    let properties = WriterProperties::builder().set_compression(compression).build();
    let write = || {
        let mut writer =
            parquet::file::writer::SerializedFileWriter::new(vec![], schema.into(), properties.into())?;
        let mut group = writer.next_row_group()?;
        let mut column = group.next_column()?.expect("two columns");
        column.typed::<BoolType>().write_batch(&[true, false], Some(&[1, 0, 1]), None)?;
        column.close()?;
        let mut column = group.next_column()?.expect("two columns");
        let colours = ["red", "blue", "red"].map(|word| word.as_bytes().to_vec().into());
        column.typed::<ByteArrayType>().write_batch(&colours, None, None)?;
        column.close()?;
        group.close()?;
        writer.into_inner()
    };
    write().expect("memory takes all bytes")
}
