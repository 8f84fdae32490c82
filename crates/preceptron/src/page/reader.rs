//! The section about whatever reads pictures: what it takes for what, and whether its probabilities can be believed.

use super::confusion::Confusion;
use super::reliability::Reliability;
use super::{Block, Drawing, Section};
use crate::words::percentage;

/// A picture that was read, classes numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReadPicture {
    /// What it shows.
    pub truth: usize,
    /// What was read.
    pub read: usize,
    /// How probable that is by the reader.
    pub probability: f64,
}

/// The section about readings of pictures that were held out; nothing if there are none.
pub fn reader_section(names: &[String], pictures: &[ReadPicture]) -> Option<Section> {
    if pictures.is_empty() {
        return None;
    }
    let confusion = Confusion::of(names, pictures.iter().map(|one| (one.truth, one.read)));
    let reliability = Reliability::of(pictures.iter().map(|one| (one.probability, one.truth == one.read)));
    let matrix = Drawing {
        svg: confusion.svg("What is shown, and what was read"),
        remarks: vec![confusion.words()],
        ..Drawing::default()
    };
    let diagram = Drawing {
        svg: reliability.svg(
            "Can its probabilities be believed?",
            "probability of what was read",
            "read right",
        ),
        remarks: vec![believed(&reliability)],
        ..Drawing::default()
    };
    let about = format!(
        "{} pictures that were held out, read by the network alone, before any rule helps. Classes were never \
         named in training; the labels here only judge.",
        pictures.len()
    );
    Some(Section::new("The reader", vec![Block::Text(about), Block::Charts(vec![matrix, diagram])]))
}

/// The section about probabilities of something that is so or not; nothing if there are none.
pub fn reliability_section(
    title: &str,
    about: &str,
    [said, so]: [&str; 2],
    pairs: impl IntoIterator<Item = (f64, bool)>,
) -> Option<Section> {
    let reliability = Reliability::of(pairs);
    if reliability.count() == 0 {
        return None;
    }
    let diagram = Drawing {
        svg: reliability.svg("Can the probabilities be believed?", said, so),
        remarks: vec![believed(&reliability)],
        ..Drawing::default()
    };
    Some(Section::new(title, vec![Block::Text(about.to_owned()), Block::Charts(vec![diagram])]))
}

fn believed(reliability: &Reliability) -> String {
    format!(
        "On the dashed line, probabilities are what they say; below it they claim too much, above it too little. They are \
         off by {} on average (expected calibration error). A dot is the larger the more stand behind it.",
        percentage(reliability.error())
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_read_is_not_drawn() {
        let names = ["1", "2"].map(str::to_owned);
        assert!(reader_section(&names, &[]).is_none());
        assert!(reliability_section("T", "", ["", ""], []).is_none());
        let one = ReadPicture { truth: 0, read: 1, probability: 0.8 };
        let section = format!("{:?}", reader_section(&names, &[one]).unwrap());
        assert!(section.contains("1 as 2 (1 time)") && section.contains("off by 80.0%"), "{section}");
    }
}
