//! Labels of objects, as KITTI writes them: one object on each line, 15 columns, or 16 with a score.
//!
//! | column | field | |
//! |---|---|---|
//! | 1 | `kind` | `Car`, `Pedestrian`, ...; `DontCare` marks a part of the picture that nobody labelled |
//! | 2 | `truncated` | how much of it lies outside the picture, 0 to 1 |
//! | 3 | `occluded` | 0 visible, 1 partly, 2 largely hidden, 3 unknown |
//! | 4 | `alpha` | the angle at which the camera sees it |
//! | 5-8 | `rectangle` | left, top, right, bottom in the picture |
//! | 9-11 | `height`, `width`, `length` | in metres |
//! | 12-14 | `location` | the middle of its bottom in camera coordinates: x right, y down, z ahead |
//! | 15 | `rotation` | about the y axis; 0 is along x, -pi/2 along z |
//! | 16 | `score` | of a detection |

use std::fmt;

use super::DrivingError;

/// A labelled object.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// What it is.
    pub kind: String,
    /// How much of it lies outside the picture, 0 to 1; -1 where nobody said.
    pub truncated: f64,
    /// How much of it is hidden, 0 to 3; -1 where nobody said.
    pub occluded: i32,
    /// The angle at which the camera sees it.
    pub alpha: f64,
    /// Left, top, right, bottom in the picture.
    pub rectangle: [f64; 4],
    /// In metres.
    pub height: f64,
    /// In metres.
    pub width: f64,
    /// In metres.
    pub length: f64,
    /// The middle of its bottom: x right, y down, z ahead.
    pub location: [f64; 3],
    /// About the y axis.
    pub rotation: f64,
    /// The score of a detection.
    pub score: Option<f64>,
}

impl Label {
    /// Reads a line.
    ///
    /// # Errors
    /// If it has not 15 or 16 columns, or one of them is not a finite number.
    pub fn parse(line: &str) -> Result<Label, String> {
        let columns: Vec<&str> = line.split_ascii_whitespace().collect();
        if !(15..=16).contains(&columns.len()) {
            return Err(format!("a label has 15 or 16 columns, not {}", columns.len()));
        }
        let number = |column: usize| -> Result<f64, String> {
            let text = columns[column];
            let value = text.parse::<f64>().ok().filter(|value| value.is_finite());
            value.ok_or_else(|| format!("column {}: expected a number, found {text:?}", column + 1))
        };
        let occluded = number(2)?;
        if occluded.fract() != 0.0 || !(-1.0..=3.0).contains(&occluded) {
            return Err(format!("column 3: expected -1 to 3, found {:?}", columns[2]));
        }
        Ok(Label {
            kind: columns[0].to_owned(),
            truncated: number(1)?,
            occluded: occluded as i32,
            alpha: number(3)?,
            rectangle: [number(4)?, number(5)?, number(6)?, number(7)?],
            height: number(8)?,
            width: number(9)?,
            length: number(10)?,
            location: [number(11)?, number(12)?, number(13)?],
            rotation: number(14)?,
            score: if columns.len() > 15 { Some(number(15)?) } else { None },
        })
    }

    /// Reads a file of labels; empty lines are skipped.
    ///
    /// # Errors
    /// With the file and the line that is wrong.
    pub fn parse_file(text: &str, file: &str) -> Result<Vec<Label>, DrivingError> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let fault = |at: usize, what| DrivingError::Line { file: file.to_owned(), line: at + 1, what };
        lines.map(|(at, line)| Label::parse(line).map_err(|what| fault(at, what))).collect()
    }

    /// Whether it is an object, not a part of the picture to leave alone.
    pub fn is_object(&self) -> bool {
        !self.kind.eq_ignore_ascii_case("DontCare")
    }

    /// Whether it has a box in space. Some label files have rectangles in the picture only.
    pub fn has_box(&self) -> bool {
        self.width > 0.0 && self.length > 0.0 && self.height > 0.0
    }

    /// The corners (x, z) of the rectangle that it covers on the ground, in order around it.
    pub fn footprint(&self) -> [[f64; 2]; 4] {
        let (sine, cosine) = self.rotation.sin_cos();
        let (half_length, half_width) = (self.length / 2.0, self.width / 2.0);
        [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)].map(|(along, across)| {
            let (along, across) = (along * half_length, across * half_width);
            let x = self.location[0] + cosine * along + sine * across;
            let z = self.location[2] - sine * along + cosine * across;
            [x, z]
        })
    }

    /// The eight corners of its box: the bottom, then the top.
    pub fn corners(&self) -> [[f64; 3]; 8] {
        let (ground, bottom) = (self.footprint(), self.location[1]);
        std::array::from_fn(|corner| {
            let [x, z] = ground[corner % 4];
            [x, if corner < 4 { bottom } else { bottom - self.height }, z]
        })
    }
}

impl fmt::Display for Label {
    /// The line, with as many decimals as KITTI has.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [left, top, right, bottom] = self.rectangle;
        let [x, y, z] = self.location;
        write!(f, "{} {:.2} {} {:.2} ", self.kind, self.truncated, self.occluded, self.alpha)?;
        write!(f, "{left:.2} {top:.2} {right:.2} {bottom:.2} ")?;
        write!(f, "{:.2} {:.2} {:.2} ", self.height, self.width, self.length)?;
        write!(f, "{x:.2} {y:.2} {z:.2} {:.2}", self.rotation)?;
        self.score.map_or(Ok(()), |score| write!(f, " {score:.4}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LINE: &str =
        "Pedestrian 0.00 0 -0.20 712.40 143.00 810.73 307.92 1.89 0.48 1.20 1.84 1.47 8.41 0.01";

    #[test]
    fn a_line_comes_back() {
        let label = Label::parse(LINE).unwrap();
        assert_eq!(
            (label.kind.as_str(), label.height, label.location),
            ("Pedestrian", 1.89, [1.84, 1.47, 8.41])
        );
        assert_eq!(label.to_string(), LINE);
        let scored = Label::parse(&format!("{LINE} 0.5")).unwrap();
        assert_eq!((scored.score, scored.is_object(), scored.has_box()), (Some(0.5), true, true));
        let nobody = "DontCare -1 -1 -10 503.89 169.71 590.61 190.13 -1 -1 -1 -1000 -1000 -1000 -10";
        let nobody = Label::parse(nobody).unwrap();
        assert!(!nobody.is_object() && !nobody.has_box());
    }

    #[test]
    fn errors_name_file_and_line() {
        let fault = |line: &str| {
            let text = format!("{LINE}\n\n{line}\n");
            Label::parse_file(&text, "label_2/000007.txt").unwrap_err().to_string()
        };
        assert_eq!(fault("Car 0"), "label_2/000007.txt: line 3: a label has 15 or 16 columns, not 2");
        let bad = fault(&LINE.replace("1.89", "tall"));
        assert_eq!(bad, "label_2/000007.txt: line 3: column 9: expected a number, found \"tall\"");
        assert!(fault(&LINE.replace("1.89", "inf")).contains("column 9"));
        assert!(fault(&LINE.replace(" 0 ", " 7 ")).contains("column 3: expected -1 to 3"));
    }

    #[test]
    fn the_box_turns_about_its_middle() {
        let mut label = Label::parse(LINE).unwrap();
        (label.length, label.width, label.rotation) = (4.0, 2.0, 0.0);
        assert_eq!(label.footprint()[0], [1.84 + 2.0, 8.41 + 1.0]);
        // A car that drives away from the camera has its length along z.
        label.rotation = -std::f64::consts::FRAC_PI_2;
        let [x, z] = label.footprint()[0];
        assert!((x - 0.84).abs() < 1e-9 && (z - 10.41).abs() < 1e-9, "{x} {z}");
        let corners = label.corners();
        assert_eq!((corners[0][1], corners[4][1]), (1.47, 1.47 - 1.89));
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(?s).{0,200}") {
            let _ = Label::parse_file(&text, "x");
        }

        #[test]
        fn changed_lines_are_read_or_refused(at in 0usize..86, with in "[ 0-9a-zA-Z.+-]{0,3}") {
            let line = format!("{}{with}{}", &LINE[..at], &LINE[at + 1..]);
            if let Ok(label) = Label::parse(&line) {
                let again = Label::parse(&label.to_string()).unwrap();
                prop_assert_eq!(again.to_string(), label.to_string());
            }
        }
    }
}
