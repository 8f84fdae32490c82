//! Sheets written again: cells with colours and comments, as `.xlsx` or as text.
//!
//! What is written are values: formats, formulas and pictures of the file that was read are not carried over.

use std::collections::BTreeMap;
use std::io::Write;

use flate2::{Compression, Crc, write::DeflateEncoder};

use super::dates::to_serial;
use super::grid::{Content, Grid, letters};

/// The colour of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fill {
    /// None.
    #[default]
    None,
    /// Red: something is wrong.
    Red,
    /// Yellow: look at it.
    Yellow,
    /// Green: new, and right.
    Green,
}

/// What is added to a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Painted {
    /// Its colour.
    pub fill: Fill,
    /// Lines of its comment.
    pub notes: Vec<String>,
}

/// Cells by row and column.
pub type Paint = BTreeMap<(usize, usize), Painted>;

/// A zip file that is being written.
#[derive(Default)]
struct Packer {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    count: u16,
}

fn put(to: &mut Vec<u8>, numbers: &[(u32, usize)]) {
    for (number, width) in numbers {
        to.extend_from_slice(&number.to_le_bytes()[..*width]);
    }
}

impl Packer {
    fn add(&mut self, name: &str, content: &str) -> std::io::Result<()> {
        let mut crc = Crc::new();
        crc.update(content.as_bytes());
        let mut packed = DeflateEncoder::new(Vec::new(), Compression::default());
        packed.write_all(content.as_bytes())?;
        let packed = packed.finish()?;
        let too_large = |_| std::io::Error::other("a workbook of more than 4 GB");
        let at = u32::try_from(self.bytes.len()).map_err(too_large)?;
        let (size, full) = (
            u32::try_from(packed.len()).map_err(too_large)?,
            u32::try_from(content.len()).map_err(too_large)?,
        );
        // Version, no flags, deflated, 1980-01-01: the same bytes for the same sheet.
        let shared = [
            (20, 2),
            (0, 2),
            (8, 2),
            (0, 2),
            (0x21, 2),
            (crc.sum(), 4),
            (size, 4),
            (full, 4),
            (name.len() as u32, 2),
            (0, 2),
        ];
        put(&mut self.bytes, &[(0x0403_4b50, 4)]);
        put(&mut self.bytes, &shared);
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.extend_from_slice(&packed);
        put(&mut self.directory, &[(0x0201_4b50, 4), (20, 2)]);
        put(&mut self.directory, &shared);
        put(&mut self.directory, &[(0, 2), (0, 2), (0, 2), (0, 4), (at, 4)]);
        self.directory.extend_from_slice(name.as_bytes());
        self.count += 1;
        Ok(())
    }

    fn finish(mut self) -> Vec<u8> {
        let (at, size, count) = (self.bytes.len() as u32, self.directory.len() as u32, u32::from(self.count));
        self.bytes.append(&mut self.directory);
        put(
            &mut self.bytes,
            &[(0x0605_4b50, 4), (0, 2), (0, 2), (count, 2), (count, 2), (size, 4), (at, 4), (0, 2)],
        );
        self.bytes
    }
}

/// Text as XML has it; control characters that XML cannot hold are left out.
fn escaped(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => all += "&amp;",
            '<' => all += "&lt;",
            '>' => all += "&gt;",
            '"' => all += "&quot;",
            '\t' | '\n' => all.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => all.push(c),
        }
    }
    all
}

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";
const COLOURS: [&str; 3] = ["FFFFB3B3", "FFFFEB9C", "FFC6EFCE"];

/// Formats of cells: general, date, date and time, time; times the colours.
fn styles() -> String {
    let fills: String = COLOURS
        .iter()
        .map(|colour| format!("<fill><patternFill patternType=\"solid\"><fgColor rgb=\"{colour}\"/><bgColor indexed=\"64\"/></patternFill></fill>"))
        .collect();
    let mut formats = String::new();
    for fill in 0..=COLOURS.len() {
        for format in [0, 14, 22, 20] {
            let fill = if fill == 0 { 0 } else { fill + 1 };
            formats += &format!(
                "<xf numFmtId=\"{format}\" fontId=\"0\" fillId=\"{fill}\" borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\" applyFill=\"1\"/>"
            );
        }
    }
    format!(
        "{HEAD}<styleSheet xmlns=\"{MAIN}\"><fonts count=\"1\"><font><sz val=\"11\"/><name val=\"Calibri\"/></font></fonts>\
         <fills count=\"{}\"><fill><patternFill patternType=\"none\"/></fill><fill><patternFill patternType=\"gray125\"/></fill>{fills}</fills>\
         <borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
         <cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/></cellStyleXfs>\
         <cellXfs count=\"16\">{formats}</cellXfs></styleSheet>",
        2 + COLOURS.len()
    )
}

/// A cell of a sheet.
fn cell(row: usize, column: usize, content: &Content, fill: Fill) -> String {
    let kind = match content {
        Content::Date(text) => match (text.len() > 10, text.contains('-')) {
            (true, _) => 2,
            (false, true) => 1,
            (false, false) => 3,
        },
        _ => 0,
    };
    let place = format!("r=\"{}{}\" s=\"{}\"", letters(column), row + 1, fill as usize * 4 + kind);
    let text = |text: &str| {
        format!("<c {place} t=\"inlineStr\"><is><t xml:space=\"preserve\">{}</t></is></c>", escaped(text))
    };
    match content {
        Content::Empty => format!("<c {place}/>"),
        Content::Number(number) => format!("<c {place}><v>{number}</v></c>"),
        Content::Bool(value) => format!("<c {place} t=\"b\"><v>{}</v></c>", u8::from(*value)),
        Content::Date(date) => {
            to_serial(date).map_or_else(|| text(date), |days| format!("<c {place}><v>{days}</v></c>"))
        }
        Content::Error(error) => format!("<c {place} t=\"e\"><v>{}</v></c>", escaped(error)),
        Content::Text(words) => text(words),
        Content::Uncomputed => text(""),
    }
}

fn sheet(grid: &Grid, paint: &Paint) -> String {
    let mut data = String::new();
    let painted = paint.keys().map(|(row, _)| row + 1).max().unwrap_or(0);
    for row in 0..grid.rows.len().max(painted) {
        let of_row = paint.range((row, 0)..=(row, usize::MAX));
        let last = of_row.map(|((_, column), _)| column + 1).max().unwrap_or(0);
        let width = grid.rows.get(row).map_or(0, Vec::len).max(last);
        let mut cells = String::new();
        for column in 0..width {
            let fill = paint.get(&(row, column)).map_or(Fill::None, |painted| painted.fill);
            let content = grid.get(row, column);
            if !content.is_empty() || fill != Fill::None {
                cells += &cell(row, column, content, fill);
            }
        }
        if !cells.is_empty() {
            data += &format!("<row r=\"{}\">{cells}</row>", row + 1);
        }
    }
    let merged: String = grid.merged.iter().map(|area| format!("<mergeCell ref=\"{area}\"/>")).collect();
    let merged = match grid.merged.len() {
        0 => String::new(),
        count => format!("<mergeCells count=\"{count}\">{merged}</mergeCells>"),
    };
    let drawing = if has_notes(paint) { "<legacyDrawing r:id=\"rId1\"/>" } else { "" };
    format!(
        "{HEAD}<worksheet xmlns=\"{MAIN}\" xmlns:r=\"{RELATIONS}\"><sheetData>{data}</sheetData>{merged}{drawing}</worksheet>"
    )
}

fn has_notes(paint: &Paint) -> bool {
    paint.values().any(|painted| !painted.notes.is_empty())
}

/// The comments of a sheet, and the boxes that they stand in.
fn comments(paint: &Paint) -> (String, String) {
    let (mut list, mut boxes) = (String::new(), String::new());
    for (number, ((row, column), painted)) in
        paint.iter().filter(|(_, painted)| !painted.notes.is_empty()).enumerate()
    {
        let text = escaped(&painted.notes.join("\n"));
        list += &format!(
            "<comment ref=\"{}{}\" authorId=\"0\"><text><r><t xml:space=\"preserve\">{text}</t></r></text></comment>",
            letters(*column),
            row + 1
        );
        let (right, bottom) = (column + 5, row + 2 + 2 * painted.notes.len());
        boxes += &format!(
            "<v:shape id=\"_x0000_s{}\" type=\"#_x0000_t202\" style=\"position:absolute;visibility:hidden\" fillcolor=\"#ffffe1\" o:insetmode=\"auto\">\
             <v:fill color2=\"#ffffe1\"/><v:textbox/><x:ClientData ObjectType=\"Note\"><x:MoveWithCells/><x:SizeWithCells/>\
             <x:Anchor>{}, 15, {row}, 2, {right}, 15, {bottom}, 2</x:Anchor><x:AutoFill>False</x:AutoFill><x:Row>{row}</x:Row>\
             <x:Column>{column}</x:Column></x:ClientData></v:shape>",
            1025 + number,
            column + 1
        );
    }
    let list = format!(
        "{HEAD}<comments xmlns=\"{MAIN}\"><authors><author>precept</author></authors><commentList>{list}</commentList></comments>"
    );
    let boxes = format!(
        "<xml xmlns:v=\"urn:schemas-microsoft-com:vml\" xmlns:o=\"urn:schemas-microsoft-com:office:office\" xmlns:x=\"urn:schemas-microsoft-com:office:excel\">\
         <o:shapelayout v:ext=\"edit\"><o:idmap v:ext=\"edit\" data=\"1\"/></o:shapelayout><v:shapetype id=\"_x0000_t202\" coordsize=\"21600,21600\" o:spt=\"202\" path=\"m,l,21600r21600,l21600,xe\">\
         <v:stroke joinstyle=\"miter\"/><v:path gradientshapeok=\"t\" o:connecttype=\"rect\"/></v:shapetype>{boxes}</xml>"
    );
    (list, boxes)
}

/// A name that a sheet may have.
fn sheet_name(name: &str, number: usize) -> String {
    let name: String =
        name.chars().filter(|c| !"[]:*?/\\".contains(*c) && !c.is_control()).take(31).collect();
    if name.trim().is_empty() { format!("Sheet{number}") } else { name }
}

/// A workbook of these sheets, with their names, colours and comments.
///
/// # Errors
/// If it is too large for the format.
pub fn workbook(sheets: &[(String, &Grid, &Paint)]) -> std::io::Result<Vec<u8>> {
    let mut packer = Packer::default();
    let (mut types, mut list, mut relations) = (String::new(), String::new(), String::new());
    let mut parts: Vec<(String, String)> = Vec::new();
    for (number, (name, grid, paint)) in (1..).zip(sheets) {
        types += &format!(
            "<Override PartName=\"/xl/worksheets/sheet{number}.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml\"/>"
        );
        list += &format!(
            "<sheet name=\"{}\" sheetId=\"{number}\" r:id=\"rId{number}\"/>",
            escaped(&sheet_name(name, number))
        );
        relations += &format!(
            "<Relationship Id=\"rId{number}\" Type=\"{RELATIONS}/worksheet\" Target=\"worksheets/sheet{number}.xml\"/>"
        );
        parts.push((format!("xl/worksheets/sheet{number}.xml"), sheet(grid, paint)));
        if has_notes(paint) {
            let (comments, boxes) = comments(paint);
            types += &format!(
                "<Override PartName=\"/xl/comments{number}.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml\"/>"
            );
            parts.push((
                format!("xl/worksheets/_rels/sheet{number}.xml.rels"),
                format!(
                    "{HEAD}<Relationships xmlns=\"{PACKAGE}/relationships\">\
                     <Relationship Id=\"rId1\" Type=\"{RELATIONS}/vmlDrawing\" Target=\"../drawings/vmlDrawing{number}.vml\"/>\
                     <Relationship Id=\"rId2\" Type=\"{RELATIONS}/comments\" Target=\"../comments{number}.xml\"/></Relationships>"
                ),
            ));
            parts.push((format!("xl/comments{number}.xml"), comments));
            parts.push((format!("xl/drawings/vmlDrawing{number}.vml"), boxes));
        }
    }
    let styles_at = sheets.len() + 1;
    relations +=
        &format!("<Relationship Id=\"rId{styles_at}\" Type=\"{RELATIONS}/styles\" Target=\"styles.xml\"/>");
    packer.add(
        "[Content_Types].xml",
        &format!(
            "{HEAD}<Types xmlns=\"{PACKAGE}/content-types\"><Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
             <Default Extension=\"xml\" ContentType=\"application/xml\"/><Default Extension=\"vml\" ContentType=\"application/vnd.openxmlformats-officedocument.vmlDrawing\"/>\
             <Override PartName=\"/xl/workbook.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml\"/>\
             <Override PartName=\"/xl/styles.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml\"/>{types}</Types>"
        ),
    )?;
    packer.add(
        "_rels/.rels",
        &format!("{HEAD}<Relationships xmlns=\"{PACKAGE}/relationships\"><Relationship Id=\"rId1\" Type=\"{RELATIONS}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"),
    )?;
    packer.add(
        "xl/workbook.xml",
        &format!(
            "{HEAD}<workbook xmlns=\"{MAIN}\" xmlns:r=\"{RELATIONS}\"><sheets>{list}</sheets></workbook>"
        ),
    )?;
    packer.add(
        "xl/_rels/workbook.xml.rels",
        &format!("{HEAD}<Relationships xmlns=\"{PACKAGE}/relationships\">{relations}</Relationships>"),
    )?;
    packer.add("xl/styles.xml", &styles())?;
    for (name, content) in &parts {
        packer.add(name, content)?;
    }
    Ok(packer.finish())
}

/// A sheet as text with commas, and the comments of each row in a column at its end, if there are any.
///
/// # Errors
/// If it cannot be written.
pub fn written_text(
    grid: &Grid,
    paint: &Paint,
    header: Option<usize>,
    title: &str,
) -> std::io::Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    let painted = paint.keys().map(|(row, _)| row + 1).max().unwrap_or(0);
    let width = grid.rows.iter().map(Vec::len).max().unwrap_or(0);
    for row in 0..grid.rows.len().max(painted) {
        let mut fields: Vec<String> = (0..width).map(|column| grid.get(row, column).to_string()).collect();
        if has_notes(paint) {
            let mut notes: Vec<&str> = Vec::new();
            for note in paint.range((row, 0)..=(row, usize::MAX)).flat_map(|(_, painted)| &painted.notes) {
                if !notes.contains(&note.as_str()) {
                    notes.push(note);
                }
            }
            fields.push(if header == Some(row) { title.to_owned() } else { notes.join("; ") });
        }
        writer.write_record(&fields)?;
    }
    writer.into_inner().map_err(|error| std::io::Error::other(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::super::{archive::Archive, xlsx};
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut grid = Grid { name: "A & B".to_owned(), ..Grid::default() };
        let cells = [
            Content::Text("x < \"y\"\n z".to_owned()),
            Content::Number(-1.5),
            Content::Bool(true),
            Content::Date("2024-03-04".to_owned()),
            Content::Date("2024-03-04 18:30".to_owned()),
            Content::Date("08:30".to_owned()),
            Content::Empty,
            Content::Error("#REF!".to_owned()),
        ];
        for (column, content) in cells.iter().enumerate() {
            assert!(grid.set(3, column, content.clone()));
        }
        grid.merged.push(super::super::Area { top: 0, left: 0, bottom: 0, right: 2 });
        let painted = |fill| Painted { fill, notes: vec!["a note".to_owned()] };
        let paint = Paint::from([((3, 1), painted(Fill::Red)), ((5, 6), painted(Fill::Green))]);
        let bytes =
            workbook(&[("A & B".to_owned(), &grid, &paint), ("two".to_owned(), &grid, &Paint::new())])
                .unwrap();
        let archive = Archive::open(&bytes).unwrap();
        let read = xlsx::read(&archive).unwrap();
        assert_eq!(read.len(), 2);
        assert_eq!((read[0].name.as_str(), &read[0].merged), ("A & B", &grid.merged));
        for (column, content) in cells.iter().enumerate() {
            assert_eq!(read[0].get(3, column), content);
        }
        assert!(archive.text("xl/comments1.xml").unwrap().unwrap().contains("ref=\"G6\""));
        let text = written_text(&grid, &paint, Some(0), "broken").unwrap();
        assert!(String::from_utf8(text).unwrap().contains("a note"));
    }
}
