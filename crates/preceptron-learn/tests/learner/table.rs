//! Tables as a user writes them, and what becomes of them.

use preceptron_learn::{Table, TableError, TableOptions};
use preceptron_logic::Var;
use proptest::prelude::*;

fn read_with(text: &str, options: &TableOptions) -> Result<Table, TableError> {
    Table::from_bytes("t.csv", text.as_bytes().to_vec(), options)
}

fn read(text: &str) -> Result<Table, TableError> {
    read_with(text, &TableOptions::default())
}

/// The values of a variable in all examples: `1`, `0` and `.` where not observed.
fn column(table: &Table, name: &str) -> String {
    let var = table.variables.find(name).unwrap_or_else(|| panic!("there is a variable {name}"));
    let cell = |row| match table.examples.get(row, var) {
        Some(true) => '1',
        Some(false) => '0',
        None => '.',
    };
    (0..table.examples.len()).map(cell).collect()
}

#[test]
fn plain_boolean_columns() {
    let table = read("a, b ,c\n0,true,1.0\n1,FALSE,0.0\n ,?,NA\n").unwrap();
    assert_eq!(table.variables.names(), ["a", "b", "c"]);
    assert_eq!([column(&table, "a"), column(&table, "b"), column(&table, "c")], ["01.", "10.", "10."]);
    assert!(table.notes.is_empty() && table.encoded.is_empty());
}

#[test]
fn names_give_blocks_and_axes_derive_more() {
    let options = TableOptions {
        derive: vec![("half".to_owned(), "(column-1)/2".parse().unwrap())],
        ..TableOptions::default()
    };
    let text = "\"x[row 1,column 1]\",\"x[row 1, column 2]\",\"x[row 1, column 3]\"\r\n1,0,1\r\n";
    let table = read_with(text, &options).unwrap();
    assert_eq!(table.variables.name(Var(0)), "x[row 1, column 1]");
    let axes: Vec<&str> = table.variables.blocks()[0].axes().iter().map(|axis| axis.name()).collect();
    assert_eq!(axes, ["row", "column", "half"]);
}

#[test]
fn categories_become_one_hot() {
    let table = read("id,colour,late\n7,red,0\n10,\"sky, blue\",1\n7,?,1\n").unwrap();
    let names = ["id[value 7]", "id[value 10]", "colour[value red]", "colour[value sky; blue]", "late"];
    assert_eq!(table.variables.names(), names);
    assert_eq!(column(&table, "colour[value red]"), "10.");
    assert_eq!(column(&table, "colour[value sky; blue]"), "01.");
    assert_eq!(column(&table, "id[value 10]"), "010");
    assert!(table.variables.blocks().iter().all(|block| block.one_hot() == Some(0)));
    assert_eq!(
        table.notes[1],
        "column colour: 1 categorical column became one-hot axis `value` (red, sky; blue)"
    );
}

#[test]
fn columns_of_a_block_share_their_labels() {
    let table = read("\"w[day 1]\";\"w[day 2]\";\"w[day 3]\"\noff;1;\nearly;0;\n").unwrap();
    let labels = ["0", "1", "early", "off"];
    assert_eq!(table.encoded[0].labels, labels);
    assert_eq!((table.encoded[0].columns, table.encoded[0].block.as_str()), (3, "w[day]"));
    assert_eq!(table.variables.len(), 12);
    assert_eq!(table.variables.name(Var(4)), "w[day 2, value 0]");
    assert_eq!(column(&table, "w[day 2, value 1]"), "10");
    assert_eq!(column(&table, "w[day 1, value 1]"), "00");
    assert_eq!(column(&table, "w[day 3, value off]"), "..");
    assert_eq!(table.notes[1], "columns that are never observed: 1");
}

#[test]
fn options_rename_ignore_and_number() {
    let options = TableOptions {
        value_axis: "shift".to_owned(),
        ignore: vec!["n*".to_owned(), "b".to_owned()],
        ..TableOptions::default()
    };
    let table = read_with("note,a,b,number\nx,off,1,2\n", &options).unwrap();
    assert_eq!(table.variables.names(), ["a[shift off]"]);
    let options = TableOptions { header: false, ..TableOptions::default() };
    assert_eq!(read_with("1\t0\n0\t1\n", &options).unwrap().variables.names(), ["x1", "x2"]);
    let options = TableOptions { names: Some(vec!["a".into(), "b".into()]), ..TableOptions::default() };
    assert_eq!(column(&read_with("1\t0\n0\t1\n", &options).unwrap(), "b"), "01");
}

#[test]
fn compressed_tables_are_read() {
    use std::io::Write;
    let text = b"\xef\xbb\xbfa,b\n1,0\n";
    let mut gzip = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
    gzip.write_all(text).unwrap();
    let xz = preceptron_base::packed_xz(text).unwrap();
    for (name, bytes) in [("t.csv.gz", gzip.finish().unwrap()), ("t.csv", xz)] {
        let table = Table::from_bytes(name, bytes.clone(), &TableOptions::default()).unwrap();
        assert_eq!(table.variables.names(), ["a", "b"]);
        let cut = Table::from_bytes(name, bytes[..bytes.len() - 9].to_vec(), &TableOptions::default());
        assert!(cut.unwrap_err().to_string().contains("cannot be decompressed"));
    }
}

#[test]
fn faults_say_where() {
    let fault = |text: &str| read(text).unwrap_err().to_string();
    // A field of several lines and blank lines must not put the line number off.
    assert!(fault("a,b\r\n\r\n\"x\ny\",1\r\n\r\n1\r\n").starts_with("t.csv: line 6: has 1 fields"));
    assert_eq!(fault("a,b\n"), "t.csv: has a header and no rows");
    assert_eq!(fault("a,,b\n1,1,1\n"), "t.csv: line 1: column 2 has no name");
    assert!(
        fault("x[row 1, column 1],x[row 1, column 2]\n1,1\n")
            .contains("put names that have commas in quotes")
    );
    assert!(fault("\"w[day 1, value 2]\"\noff\n").contains("--value-axis"));
    assert!(fault("a\n\"x,y\"\nx;y\n").contains("become the same label"));
    // A name of several lines, in an error of one.
    let error = Table::from_bytes("t.csv", b"\"a\nb\"\n\xff\n".to_vec(), &TableOptions::default());
    assert_eq!(error.unwrap_err().to_string(), "t.csv: line 3, column a b: is not valid UTF-8");
}

proptest! {
    #[test]
    fn rows_come_back(
        width in 1usize..6,
        cells in prop::collection::vec(prop_oneof![Just("0"), Just("1"), Just("?"), Just("late"), Just("3")], 1..400),
    ) {
        let rows: Vec<&[&str]> = cells.chunks_exact(width).collect();
        prop_assume!(!rows.is_empty());
        let header: Vec<String> = (1..=width).map(|c| format!("c{c}")).collect();
        let mut text = header.join(";") + "\n";
        rows.iter().for_each(|row| text.push_str(&(row.join(";") + "\n")));
        let table = read(&text).unwrap();
        for (c, name) in header.iter().enumerate() {
            let boolean = rows.iter().all(|row| ["0", "1", "?"].contains(&row[c]));
            for (r, row) in rows.iter().enumerate() {
                if boolean {
                    let var = table.variables.find(name).unwrap();
                    let expected = [("0", Some(false)), ("1", Some(true)), ("?", None)];
                    let expected = expected.iter().find(|(cell, _)| *cell == row[c]).unwrap().1;
                    prop_assert_eq!(table.examples.get(r, var), expected);
                    continue;
                }
                for label in ["0", "1", "3", "late"] {
                    let var = table.variables.find(&format!("{name}[value {label}]"));
                    prop_assert_eq!(var.is_some(), rows.iter().any(|row| row[c] == label));
                    let expected = (row[c] != "?").then_some(row[c] == label);
                    prop_assert!(var.is_none_or(|var| table.examples.get(r, var) == expected));
                }
            }
        }
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), npy in any::<bool>()) {
        let mut all = if npy { b"\x93NUMPY\x01\x00".to_vec() } else { vec![] };
        all.extend(bytes);
        let _ = Table::from_bytes(if npy { "t.npy" } else { "t.csv" }, all, &TableOptions::default());
    }
}

#[test]
fn cells_that_name_pictures_stand_apart_and_share_an_alphabet() {
    let text = "a,b,right\nsigns/x.png,3,1\n7,page.JPG#0,28,28,28,0\n3,,1\n"
        .replace("page.JPG#0,28,28,28", "\"page.JPG#0,28,28,28\"");
    let options = TableOptions { pictures: true, ..TableOptions::default() };
    let table = Table::from_bytes("t.csv", text.clone().into_bytes(), &options).unwrap();
    let names = ["a[value 3]", "a[value 7]", "b[value 3]", "b[value 7]", "right"];
    assert_eq!(table.variables.names(), names);
    assert_eq!(table.columns, ["a", "b", "right"]);
    let cells: Vec<_> = table.pictures.iter().map(|cell| (cell.row, &*cell.column, &*cell.name)).collect();
    assert_eq!(cells, [(0, "a", "signs/x.png"), (1, "b", "page.JPG#0,28,28,28")]);
    assert_eq!([0, 1, 2].map(|row| table.examples.get(row, Var(0))), [None, Some(false), Some(true)]);
    assert_eq!([0, 1, 2].map(|row| table.examples.get(row, Var(2))), [Some(true), None, None]);
    let values = preceptron_learn::values_of(&table.variables, "b", "value");
    assert_eq!(values, [("3", Var(2)), ("7", Var(3))]);

    // Without being asked for they are values like others; an alphabet may have more, and must have all.
    let plain = Table::from_bytes("t.csv", text.clone().into_bytes(), &TableOptions::default()).unwrap();
    assert!(plain.pictures.is_empty());
    let with = |alphabet: &[&str]| {
        let alphabet = Some(alphabet.iter().map(|symbol| (*symbol).to_owned()).collect());
        Table::from_bytes("t.csv", text.clone().into_bytes(), &TableOptions { alphabet, ..options.clone() })
    };
    assert_eq!(with(&["1", "3", "7"]).unwrap().variables.len(), 7);
    let message = with(&["3", "8"]).unwrap_err().to_string();
    assert!(message.starts_with("t.csv: row 2, column a: \"7\" is not among the symbols"), "{message}");
}
