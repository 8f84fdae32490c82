//! What a run keeps of its score, so that runs can be compared without answering all examples again.

use serde::{Deserialize, Serialize};

use super::{Block, Figure, Section};

/// The figures and tables on top of a run's page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptScore {
    /// Figures, each by its name.
    pub figures: Vec<Figure>,
    /// Tables: the titles of the columns, and the rows.
    pub tables: Vec<(Vec<String>, Vec<Vec<String>>)>,
}

impl KeptScore {
    /// What the first of these sections has.
    pub fn of(sections: &[Section]) -> KeptScore {
        let mut kept = KeptScore::default();
        for block in sections.first().into_iter().flat_map(|section| &section.blocks) {
            match block {
                Block::Figures(figures) => kept.figures.extend(figures.iter().cloned()),
                Block::Table { titles, rows } => kept.tables.push((titles.clone(), rows.clone())),
                _ => (),
            }
        }
        kept
    }
}
