//! Spreadsheets as people make them: read right, or refused with one line that says what to do.

use preceptron_learn::{
    Area, Content, DateOrder, Grid, Holds, Key, Painted, Pivot, Sheet, SheetOptions, Table, TableOptions,
    workbook,
};
use proptest::prelude::*;

/// A zip file whose entries are not compressed.
fn zip(entries: &[(&str, &str)]) -> Vec<u8> {
    let (mut all, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in entries {
        let mut crc = flate2::Crc::new();
        crc.update(content.as_bytes());
        let (at, size) = (all.len() as u32, content.len() as u32);
        let mut shared = vec![20, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        for number in [crc.sum(), size, size] {
            shared.extend(number.to_le_bytes());
        }
        shared.extend((name.len() as u16).to_le_bytes());
        shared.extend([0, 0]);
        all.extend(b"PK\x03\x04");
        all.extend(&shared);
        all.extend(name.as_bytes());
        all.extend(content.as_bytes());
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&shared);
        directory.extend([0; 10]);
        directory.extend(at.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (at, size, count) = (all.len() as u32, directory.len() as u32, entries.len() as u16);
    all.extend(directory);
    all.extend(b"PK\x05\x06\0\0\0\0");
    all.extend(count.to_le_bytes());
    all.extend(count.to_le_bytes());
    all.extend(size.to_le_bytes());
    all.extend(at.to_le_bytes());
    all.extend([0, 0]);
    all
}

/// Cells from lines with `|` between them: numbers are numbers, `d:2024-03-04` is a date, `b:true` a Boolean,
/// `e:#REF!` an error.
fn grid(name: &str, lines: &str) -> Grid {
    let mut grid = Grid::named(name);
    for (row, line) in lines.lines().enumerate() {
        for (column, text) in line.split('|').map(str::trim).enumerate() {
            let content = match text.split_once(':') {
                _ if text.is_empty() => Content::Empty,
                Some(("d", date)) => Content::Date(date.to_owned()),
                Some(("b", value)) => Content::Bool(value == "true"),
                Some(("e", error)) => Content::Error(error.to_owned()),
                Some(("t", text)) => Content::Text(text.to_owned()),
                _ => text.parse().map_or_else(|_| Content::Text(text.to_owned()), Content::Number),
            };
            assert!(grid.set(row, column, content));
        }
    }
    grid
}

fn book(sheets: &[Grid]) -> Vec<u8> {
    let none = std::collections::BTreeMap::<(usize, usize), Painted>::new();
    let sheets: Vec<_> = sheets.iter().map(|grid| (grid.name.clone(), grid, &none)).collect();
    workbook(&sheets).unwrap()
}

fn xlsx(lines: &str) -> Vec<u8> {
    book(&[grid("Plan", lines)])
}

fn merged(lines: &str, areas: &[&str]) -> Vec<u8> {
    let mut grid = grid("Plan", lines);
    grid.merged.extend(areas.iter().map(|area| Area::parse(area).unwrap()));
    book(&[grid])
}

fn ods(rows: &str) -> Vec<u8> {
    let content = format!(
        "<?xml version=\"1.0\"?><office:document-content xmlns:office=\"o\" xmlns:table=\"t\" xmlns:text=\"x\"><office:body>\
         <office:spreadsheet><table:table table:name=\"Plan\">{rows}</table:table></office:spreadsheet></office:body>\
         </office:document-content>"
    );
    zip(&[("mimetype", "application/vnd.oasis.opendocument.spreadsheet"), ("content.xml", &content)])
}

/// Names of the columns (in brackets if set aside) and the rows in short.
fn shown(sheet: &Sheet) -> String {
    let name = |column: &preceptron_learn::SheetColumn| match column.holds {
        Holds::Aside(_) => format!("({})", column.name),
        _ => column.name.clone(),
    };
    let mut text = sheet.columns.iter().map(name).collect::<Vec<_>>().join("|");
    for cells in &sheet.cells {
        text += " / ";
        text += &cells.iter().map(|cell| cell.word.as_str()).collect::<Vec<_>>().join("|");
    }
    text
}

fn read_with(file: &str, bytes: Vec<u8>, sheet: SheetOptions) -> Result<Sheet, String> {
    let options = TableOptions { sheet, ..TableOptions::default() };
    Sheet::from_bytes(file, bytes, &options).map_err(|error| error.to_string())
}

fn read(bytes: Vec<u8>) -> Result<Sheet, String> {
    read_with("t", bytes, SheetOptions::default())
}

/// What was read, and that each of these words was said.
fn reads(bytes: Vec<u8>, expected: &str, said: &[&str]) {
    let sheet = read(bytes).unwrap();
    assert_eq!(shown(&sheet), expected, "{:#?}", sheet.said);
    for word in said {
        assert!(sheet.said.iter().any(|line| line.contains(word)), "{word}: {:#?}", sheet.said);
    }
}

fn refuses(bytes: Vec<u8>, words: &[&str]) {
    let error = read(bytes).map(|sheet| shown(&sheet)).unwrap_err();
    assert!(!error.contains('\n'), "{error}");
    for word in words {
        assert!(error.contains(word), "{word}: {error}");
    }
}

const SIMPLE: &str = "a|b\n1|x1\n0|x2\n1|x1";

#[test]
fn a_tidy_workbook_has_nothing_to_say() {
    reads(xlsx(SIMPLE), "a|b / 1|x1 / 0|x2 / 1|x1", &[]);
    assert!(read(xlsx(SIMPLE)).unwrap().said.is_empty());
    let table = Table::from_bytes("t.xlsx", xlsx(SIMPLE), &TableOptions::default()).unwrap();
    assert_eq!(table.variables.names(), ["a", "b[value x1]", "b[value x2]"]);
}

#[test]
fn titles_notes_and_empty_rows_are_set_aside() {
    reads(
        xlsx("Roster of March\n\nday|early|late\n1|Ann|Bob\n2|Bob|Ann\n\n3|Ann|Bob\n\n* made by hand"),
        "day|early|late / 1|Ann|Bob / 2|Bob|Ann / 3|Ann|Bob",
        &["\"Roster of March\" is a title or a note", "\"* made by hand\"", "row 6: empty"],
    );
    reads(
        xlsx("Roster of March\nday|early|late\n1|Ann|Bob\n2|Bob|Ann"),
        "day|early|late / 1|Ann|Bob / 2|Bob|Ann",
        &["above the header"],
    );
    reads(
        xlsx(
            "Ward|3 West\nday|early|late|night\n1|Ann|Bob|Cy\n2|Bob|Ann|Cy\nSource: the ward's own list of March",
        ),
        "day|early|late|night / 1|Ann|Bob|Cy / 2|Bob|Ann|Cy",
        &["above the header", "a remark"],
    );
}

#[test]
fn merged_cells_are_filled() {
    reads(
        merged(
            "Plan\nday|shift|who\n1|early|Ann\n|late|Bob\n2|early|Bob\n|late|Ann",
            &["A1:C1", "A3:A4", "A5:A6"],
        ),
        "day|shift|who / 1|early|Ann / 1|late|Bob / 2|early|Bob / 2|late|Ann",
        &["merged cells A1:C1, A3:A4, A5:A6"],
    );
}

#[test]
fn headers_of_two_rows_are_joined() {
    reads(
        merged(
            "week|Mon||Tue|\n|early|late|early|late\n1|Ann|Bob|Bob|Ann\n2|Bob|Ann|Ann|Bob",
            &["A1:A2", "B1:C1", "D1:E1"],
        ),
        "week|cell[group Mon, item early]|cell[group Mon, item late]|cell[group Tue, item early]|cell[group Tue, item late] \
         / 1|Ann|Bob|Bob|Ann / 2|Bob|Ann|Ann|Bob",
        &["the header has 2 rows"],
    );
    reads(
        xlsx("name|weight|height\n|kg|cm\nAnn|60|170\nBob|80|180"),
        "name|weight kg|height cm / Ann|60|170 / Bob|80|180",
        &["the header has 2 rows"],
    );
    // Words below words are examples.
    reads(xlsx("a|b\nx1|y1\nx2|y2\nx1|y2\nx2|y1"), "a|b / x1|y1 / x2|y2 / x1|y2 / x2|y1", &[]);
}

#[test]
fn empty_columns_and_repeated_headers_are_set_aside() {
    reads(
        xlsx("a||b\n1||x1\n0||x2\na||b\n1||x1"),
        "a|b / 1|x1 / 0|x2 / 1|x1",
        &["column B: empty", "the header again"],
    );
    reads(
        xlsx("|a|b\n0|1|x1\n1|0|x2\n2|1|x1"),
        "A|a|b / 0|1|x1 / 1|0|x2 / 2|1|x1",
        &["column A has no name"],
    );
}

#[test]
fn totals_are_set_aside_if_they_are_sums() {
    reads(
        xlsx("who|hours|nights\nAnn|30|2\nBob|40|1\nTotal|70|3"),
        "who|hours|nights / Ann|30|2 / Bob|40|1",
        &["row 4: totals, which are the sums of others"],
    );
    reads(
        xlsx("who|hours\nAnn|30\nSumme|30\nBob|40\nCy|2\nZwischensumme|42\nGesamt|72"),
        "who|hours / Ann|30 / Bob|40 / Cy|2",
        &["rows 3, 6, 7: totals"],
    );
    reads(
        xlsx("who|hours\nAnn|30\nBob|40\nTotal|99"),
        "who|hours / Ann|30 / Bob|40 / Total|99",
        &["\"Total\" is not the sum of the others"],
    );
}

#[test]
fn two_tables_are_told_apart() {
    let below = "a|b\n1|x1\n0|x2\n\nname|age|town\nAnn|30|Ulm\nBob|40|Bonn";
    refuses(xlsx(below), &["sheet Plan", "has 2 tables, A1:B3, A5:C7", "--range A1:B3"]);
    let range = |range: &str| SheetOptions { range: Area::parse(range), ..SheetOptions::default() };
    let sheet = read_with("t", xlsx(below), range("A5:C7")).unwrap();
    assert_eq!(shown(&sheet), "name|age|town / Ann|30|Ulm / Bob|40|Bonn");
    refuses(xlsx("a|b||c|d\n1|x1||5|6\n0|x2||7|8\n1|x1||\n0|x1||"), &["has 2 tables, A1:B5, D1:E3"]);
    assert!(read_with("t", xlsx(below), range("H1:J9")).unwrap_err().contains("the range H1:J9 is empty"));
    reads(
        xlsx("a|b||legend\n1|x1||x1 is early\n0|x2||\n1|x1||"),
        "a|b / 1|x1 / 0|x2 / 1|x1",
        &["stands beside the table"],
    );
}

#[test]
fn a_sheet_is_chosen_or_asked_for() {
    let two = || book(&[grid("Jan", SIMPLE), grid("Feb", SIMPLE)]);
    refuses(two(), &["several sheets", "--sheet", "1 \"Jan\" (A1:B4), 2 \"Feb\" (A1:B4)"]);
    let of = |sheet: &str| SheetOptions { sheet: Some(sheet.to_owned()), ..SheetOptions::default() };
    assert_eq!(read_with("t", two(), of("feb")).unwrap().grid.name, "Feb");
    assert_eq!(read_with("t", two(), of("1")).unwrap().grid.name, "Jan");
    assert!(read_with("t", two(), of("3")).unwrap_err().contains("has no sheet \"3\"; there are 1 \"Jan\""));
    let notes = book(&[grid("Read me", "made by Ann"), grid("Plan", SIMPLE), grid("Empty", "")]);
    reads(notes, "a|b / 1|x1 / 0|x2 / 1|x1", &["sheet \"Plan\" of 3 is read"]);
    refuses(book(&[grid("A", ""), grid("B", "")]), &["is empty"]);
    assert!(read_with("t", b"a,b\n1,0\n".to_vec(), of("Jan")).unwrap_err().contains("is a file of text"));
}

#[test]
fn words_for_nothing_and_for_yes_are_known() {
    reads(
        xlsx("a|b|c|d\nyes|ja|x|N/A\nno|nein||x1\nYes|-|X|x2"),
        "a|b|c|d / 1|1|1| / 0|0|0|x1 / 1||1|x2",
        &[
            "yes and no are Boolean",
            "ja and nein are Boolean",
            "x is yes and an empty cell is no",
            "- (1), N/A (1)",
        ],
    );
    reads(xlsx("a|b\nb:true|x1\nb:false|x2\ne:#N/A|x2"), "a|b / 1|x1 / 0|x2 / |x2", &["#N/A"]);
    let options = SheetOptions { missing: Some(vec!["off".to_owned()]), ..SheetOptions::default() };
    let sheet = read_with("t", xlsx("a|b\noff|-\nN|x"), options).unwrap();
    assert_eq!(shown(&sheet), "a|b / |- / N|x");
}

#[test]
fn dates_are_read_or_asked_for() {
    reads(
        xlsx("day|shift\nt:4.3.2024|N\nt:5.3.2024|F\nt:4.3.2024|F"),
        "day|shift / 2024-03-04|N / 2024-03-05|F / 2024-03-04|F",
        &["column day: dates"],
    );
    reads(
        xlsx("day|shift\nd:2024-03-04|N\nd:2024-03-05|F\nd:2024-03-04|F"),
        "day|shift / 2024-03-04|N / 2024-03-05|F / 2024-03-04|F",
        &[],
    );
    reads(
        xlsx("day|s\nt:3/13/2024|N\nt:3/4/2024|F"),
        "day|s / 2024-03-13|N / 2024-03-04|F",
        &["month first"],
    );
    let unclear = || xlsx("day|s\nt:3/4/2024|N\nt:5/4/2024|F");
    refuses(unclear(), &["sheet Plan, row 2, column A (day)", "--dates dmy"]);
    let options = SheetOptions { dates: Some(DateOrder::DayFirst), ..SheetOptions::default() };
    assert_eq!(shown(&read_with("t", unclear(), options).unwrap()), "day|s / 2024-04-03|N / 2024-04-05|F");
}

#[test]
fn numbers_have_units_and_separators() {
    reads(
        xlsx("a|b|c\nt:1.234,50 €|t:7,5 h|t:12 kg\nt:2.000,00 €|t:8 h|t:12 kg"),
        "a|b|c / 1234.5|7.5|12 / 2000|8|12",
        &["numbers in € with a decimal comma".replace(" with", ", with").as_str(), "in kg"],
    );
    reads(xlsx("a|b\nt:007|1\nt:008|2\nt:007|1"), "a|b / 007|1 / 008|2 / 007|1", &[]);
    reads(xlsx("a|b\nt:12|0.30000000000000004\n13|2"), "a|b / 12|0.3 / 13|2", &[]);
    reads(xlsx("a|b\nt:12 kg|1\nt:800 g|2"), "a|b / 12 kg|1 / 800 g|2", &["several units"]);
    let many: String = (0..40).map(|n| format!("\n{n}|1")).collect();
    refuses(
        xlsx(&format!("a|b{many}\nabout 7|2")),
        &["row 42, column A (a)", "\"about 7\" is no number", "--na"],
    );
}

#[test]
fn names_of_rows_are_set_aside() {
    let rows: String =
        (1..=9).map(|n| format!("\n{n}|n{n}|{}", if n % 2 == 0 { "early" } else { "Early" })).collect();
    let sheet = read(xlsx(&format!("no|name|shift{rows}"))).unwrap();
    assert!(shown(&sheet).starts_with("(no)|(name)|shift / 1|n1|Early"), "{}", shown(&sheet));
    assert!(sheet.said.iter().any(|line| line.contains("early is taken for Early")), "{:?}", sheet.said);
    assert_eq!(sheet.row_name(1), "row 3 (2)");
}

#[test]
fn wrong_cells_are_named() {
    refuses(xlsx("a|b\n1|x\ne:#REF!|y"), &["sheet Plan, row 3, column A (a)", "#REF!", "--ignore"]);
    refuses(xlsx("a|a\n1|2"), &["sheet Plan, row 1, column B", "same name as column A"]);
    refuses(xlsx("1|2\n3|4"), &["only numbers", "--no-header"]);
    refuses(xlsx("a|b"), &["has a header and no rows"]);
}

/// A workbook as other programs write it: shared strings, styles, formulas, and no places of cells.
#[test]
fn shared_strings_styles_and_formulas_are_read() {
    let sheet = "<worksheet><sheetData><row><c t=\"s\"><v>0</v></c><c t=\"s\"><v>1</v></c><c t=\"inlineStr\"><is><t>sum</t></is></c></row>\
        <row r=\"2\"><c r=\"A2\" s=\"1\"><v>45355</v></c><c r=\"B2\"><v>2</v></c><c r=\"C2\"><f>B2+1</f><v>3</v></c></row>\
        <row r=\"3\"><c r=\"A3\" s=\"1\"><v>45356</v></c><c r=\"B3\"><v>4</v></c><c r=\"C3\" t=\"str\"><f>x</f><v>much</v></c></row>\
        </sheetData></worksheet>";
    let book = |sheet: &str| {
        zip(&[
            (
                "xl/workbook.xml",
                "<workbook xmlns:r=\"r\"><sheets><sheet name=\"S &amp; T\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>",
            ),
            (
                "xl/_rels/workbook.xml.rels",
                "<Relationships><Relationship Id=\"rId1\" Type=\"x/worksheet\" Target=\"/xl/worksheets/a.xml\"/>\
                 <Relationship Id=\"rId2\" Type=\"x/sharedStrings\" Target=\"sharedStrings.xml\"/>\
                 <Relationship Id=\"rId3\" Type=\"x/styles\" Target=\"styles.xml\"/></Relationships>",
            ),
            (
                "xl/sharedStrings.xml",
                "<sst><si><r><t>d</t></r><r><t>ay</t></r><rPh><t>no</t></rPh></si><si><t>n</t></si></sst>",
            ),
            (
                "xl/styles.xml",
                "<styleSheet><numFmts><numFmt numFmtId=\"164\" formatCode=\"dd.mm.yy\"/></numFmts><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"164\"/></cellXfs></styleSheet>",
            ),
            ("xl/worksheets/a.xml", sheet),
        ])
    };
    reads(book(sheet), "day|n|sum / 2024-03-04|2|3 / 2024-03-05|4|much", &["2 formulas"]);
    refuses(book(&sheet.replace("<v>3</v>", "")), &["row 2, column C (sum)", "never computed"]);
    refuses(book(&sheet[..sheet.len() - 40]), &["cut off"]);
}

#[test]
fn open_document_sheets_are_read() {
    let cell = |text: &str| {
        format!("<table:table-cell office:value-type=\"string\"><text:p>{text}</text:p></table:table-cell>")
    };
    let rows = format!(
        "<table:table-row>{}{}{}</table:table-row>\
         <table:table-row><table:table-cell table:number-rows-spanned=\"2\" office:value-type=\"date\" office:date-value=\"2024-03-04\"><text:p>4.3.</text:p></table:table-cell>\
         <table:table-cell office:value-type=\"float\" office:value=\"2\" table:number-columns-repeated=\"2\"><text:p>2</text:p></table:table-cell></table:table-row>\
         <table:table-row table:number-rows-repeated=\"2\"><table:covered-table-cell/><table:table-cell office:value-type=\"boolean\" office:boolean-value=\"true\"><text:p>WAHR</text:p></table:table-cell>\
         <table:table-cell office:value-type=\"string\"><office:annotation><text:p>a note</text:p></office:annotation><text:p>x<text:s text:c=\"2\"/>y</text:p></table:table-cell></table:table-row>\
         <table:table-row table:number-rows-repeated=\"1048000\"><table:table-cell table:number-columns-repeated=\"16384\"/></table:table-row>",
        cell("day"),
        cell("n"),
        cell("m")
    );
    reads(ods(&rows), "day|n|m / 2024-03-04|2|2 / 2024-03-04|true|x y / |true|x y", &["merged cells A2:A3"]);
    let bomb = "<table:table-row table:number-rows-repeated=\"1000000\"><table:table-cell table:number-columns-repeated=\"16384\" office:value-type=\"float\" office:value=\"1\"/></table:table-row>";
    refuses(ods(bomb), &["cells, which is more than is read"]);
}

#[test]
fn text_that_is_not_tidy_is_read() {
    let csv = |text: &str| text.as_bytes().to_vec();
    reads(
        csv("Plan of March;;\n;;\nname;hours;late\nAnn;7,5;ja\nBob;8,0;nein\n"),
        "name|hours|late / Ann|7.5|1 / Bob|8|0",
        &["parted by"],
    );
    reads(b"na\xefve;b\nJ\xf6rg;1\nUlf;0\n".to_vec(), "naïve|b / Jörg|1 / Ulf|0", &["Windows-1252"]);
    reads(csv("\u{feff}a\tb\n\"x\ny\"\t1\nz\t0\n"), "a|b / x y|1 / z|0", &["tabs"]);
    reads(b"\xff\xfea\0,\0b\0\n\x001\0,\x002\0\n\0".to_vec(), "a|b / 1|2", &["UTF-16"]);
    reads(
        "M\u{e4}rz;;;\n;;;\nName;Mo;Di;Mi\n;04.03.;05.03.;06.03.\nAnn;F;F;S\nBob;S;-;F\nCy;F;S;S\n"
            .as_bytes()
            .to_vec(),
        "Name|Mo 04.03.|Di 05.03.|Mi 06.03. / Ann|F|F|S / Bob|S||F / Cy|F|S|S",
        &["the header has 2 rows"],
    );
    // A field of several lines is one cell of one row.
    let lines = "n,c\nA,\"a remark\non two lines\"\nB,short\n\"A\",\"a remark\non two lines\"\n";
    reads(csv(lines), "n|c / A|a remark on two lines / B|short / A|a remark on two lines", &[]);
    refuses(csv("a,b\n\"x\ny\",1\nz,#REF!\n"), &["row 4, column 2 (b)", "#REF!"]);
    reads(
        csv("Report of,2024\n\"User\",\"admin\"\n\nnurse,day,shift\nAnn,1,N\nAnn,2,F\nBob,1,F\nBob,2,N\n"),
        "nurse|day|shift / Ann|1|N / Ann|2|F / Bob|1|F / Bob|2|N",
        &["stands beside the table"],
    );
    reads(
        csv("Month,Q1,,Q2,\n,Jan,Feb,Apr,May\nNorth,1,2,4,5\nSouth,2,3,5,6\n"),
        "Month|Q1 Jan|Q1 Feb|Q2 Apr|Q2 May / North|1|2|4|5 / South|2|3|5|6",
        &["the header has 2 rows"],
    );
    refuses(
        csv("Jan;;;;Feb;;\nn;s;d;;n;s;d\nAnn;F;1;;Ann;S;1\nBob;S;2;;Bob;F;2\n"),
        &["has 2 tables, A1:C4, E1:G4"],
    );
    let table = |text: &str| Table::from_bytes("t.csv", csv(text), &TableOptions::default());
    assert_eq!(table("late,b\nyes,1\nno,0\nN/A,1\n").unwrap().variables.names(), ["late", "b"]);
    assert_eq!(table("Plan\n\na,b\n1,0\n0,1\n").unwrap().variables.names(), ["a", "b"]);
    let many: String = (1..=70).map(|n| format!("{n},{}\n", n % 2)).collect();
    let set_aside = table(&format!("id,b\n{many}")).unwrap();
    assert_eq!(set_aside.variables.names(), ["b"]);
    assert_eq!(set_aside.said, ["column id: a running number, set aside"]);
}

#[test]
fn files_of_other_kinds_are_named() {
    refuses(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and more".to_vec(), &["(.xls)", ".xlsx"]);
    refuses(zip(&[("[Content_Types].xml", ""), ("xl/workbook.bin", "")]), &["(.xlsb)"]);
    refuses(zip(&[("[Content_Types].xml", ""), ("word/document.xml", "")]), &["another kind of document"]);
    let encrypted = zip(&[("META-INF/manifest.xml", "<encryption-data/>"), ("content.xml", "zzz")]);
    refuses(encrypted, &["password"]);
    let whole = xlsx(SIMPLE);
    for cut in [30, whole.len() / 2, whole.len() - 30] {
        assert!(read(whole[..cut].to_vec()).is_err());
    }
}

#[test]
fn long_tables_are_made_wide() {
    let long = "week|nurse|day|shift\n1|Ann|1|N\n1|Ann|2|off\n1|Bob|1|off\n1|Bob|2|N\n2|Ann|1|off\n2|Ann|2|N\n2|Bob|1|N";
    let options = |pivot: &str, example: &[&str]| SheetOptions {
        pivot: Some(Pivot::parse(pivot).unwrap()),
        example: example.iter().map(|text| Key::parse(text)).collect(),
        ..SheetOptions::default()
    };
    let sheet = read_with("t", xlsx(long), options("nurse,day:shift", &[])).unwrap();
    assert_eq!(
        shown(&sheet),
        "shift[nurse Ann, day 1]|shift[nurse Ann, day 2]|shift[nurse Bob, day 1]|shift[nurse Bob, day 2] / N|off|off|N / off|N|N|"
    );
    assert_eq!((sheet.rows[1].name.as_str(), sheet.cells[1][2].at), ("2", Some((7, 3))));
    assert!(sheet.said.iter().any(|line| line.contains("1 of them are not there")), "{:?}", sheet.said);
    let dated = "nurse|date|shift\nAnn|d:2024-03-04|N\nAnn|d:2024-03-05|off\nAnn|d:2024-03-11|off\nAnn|d:2024-03-12|N";
    let sheet = read_with("t", xlsx(dated), options("nurse,weekday(date):shift", &["week(date)"])).unwrap();
    assert_eq!(shown(&sheet), "shift[nurse Ann, weekday 1]|shift[nurse Ann, weekday 2] / N|off / off|N");
    assert_eq!(sheet.rows[0].name, "2024-W10");
    let wrong = |lines: &str, pivot: &str| read_with("t", xlsx(lines), options(pivot, &[])).unwrap_err();
    assert!(
        wrong(&format!("{long}\n1|Ann|1|off"), "nurse,day:shift")
            .contains("row 2 and row 9: both are Ann, 1 of 1")
    );
    assert!(
        wrong(long, "nurse,days:shift").contains("has no column \"days\"; there are week, nurse, day, shift")
    );
    assert!(wrong(long, "nurse:shift").contains("Say --example COLUMN, of week, day"));
    assert!(wrong("n|d|s|w\nA|x|N|1\nA|y|N|1", "n,weekday(d):s").contains("is no date"));
}

#[test]
fn wishes_stand_behind_values() {
    let options = SheetOptions { wishes: true, ..SheetOptions::default() };
    let sheet = read_with("t", xlsx("week|a|b|c\n7|N?|off!|N?3\n8||?|"), options.clone()).unwrap();
    let wishes: Vec<String> =
        sheet.cells[0].iter().map(|cell| format!("{} {:?}", cell.word, cell.wish)).collect();
    assert_eq!(wishes, ["7 None", "N Some(May(1))", "off Some(Must)", "N Some(May(3))"]);
    assert_eq!(shown(&sheet), "week|a|b|c / 7|N|off|N / 8|||");
    let blank = read_with("t", xlsx("a|b|c\n"), options).unwrap();
    assert_eq!(shown(&blank), "a|b|c / ||");
}

proptest! {
    /// Whatever stands in the cells, it is read or refused with a line.
    #[test]
    fn no_sheet_makes_it_panic(
        width in 1usize..6,
        cells in prop::collection::vec(
            prop_oneof![
                Just(""), Just("1"), Just("0"), Just("Total"), Just("x"), Just("yes"), Just("1.2.2024"), Just("3/4/2024"), Just("7,5"),
                Just("1.234"), Just("N?"), Just("late"), Just("e:#N/A"), Just("d:2024-01-01"), Just("a[i 1]"), Just("t:5 kg"), Just("-"),
            ],
            0..60,
        ),
        wishes in any::<bool>(),
        merge in prop::option::of((0usize..6, 0usize..6, 0usize..9, 0usize..9)),
    ) {
        let lines: Vec<String> = cells.chunks(width).map(|row| row.join("|")).collect();
        let mut grid = grid("Plan", &lines.join("\n"));
        grid.merged.extend(merge.map(|(top, left, down, right)| Area { top, left, bottom: top + down, right: left + right }));
        let options = TableOptions { sheet: SheetOptions { wishes, ..SheetOptions::default() }, ..TableOptions::default() };
        match Table::from_bytes("t.xlsx", book(&[grid]), &options) {
            Ok(table) => prop_assert!(!table.examples.is_empty()),
            Err(error) => prop_assert!(!error.to_string().contains('\n')),
        }
    }

    #[test]
    fn no_bytes_of_a_workbook_make_it_panic(at in 0usize..2000, byte in any::<u8>()) {
        let mut bytes = xlsx(SIMPLE);
        let at = at % bytes.len();
        bytes[at] = byte;
        let _ = Table::from_bytes("t.xlsx", bytes, &TableOptions::default());
    }
}
