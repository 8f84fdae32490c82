//! What a run of driving was made with, and its frames.

use std::path::Path;

use anyhow::{Context, ensure};
use preceptron_tasks::driving::{Drafts, FrameSettings, Frames, Grid, LearningSettings, split_by_drive};
use serde::{Deserialize, Serialize};

use crate::commands::data::driving::sources::{Density, SourceArguments};
use crate::present::quoted;

/// Where frames come from, and whether their pictures are rendered.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrameSource {
    /// How many objects there are, where scenes are drawn at random.
    pub density: Density,
    /// Render pictures though there are some.
    pub render: bool,
    /// Where frames are; scenes are drawn at random if none are named.
    pub places: SourceArguments,
}

impl FrameSource {
    /// All frames that have their files; so many scenes, if they are drawn at random. Their pictures are
    /// still to be read or rendered.
    pub fn drafts(&self, settings: &FrameSettings, count: usize) -> anyhow::Result<Drafts> {
        let with_pictures = self.places.has_pictures() && !self.render;
        let Some(layout) = self.places.layout(with_pictures)? else {
            // Now and then no cell ahead can be reached, and the frame is left out.
            let drawn = count + count / 20 + 40;
            return Ok(Drafts::sample(drawn, self.density.into(), settings));
        };
        let (layout, _) = layout.complete();
        ensure!(!layout.names().is_empty(), "no frame has all its files");
        Ok(match with_pictures {
            true => Drafts::read(layout, settings)?,
            false => Drafts::render(&layout, settings)?,
        })
    }
}

/// What a run was made with.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrivingSettings {
    /// Frames to train on, and to test on, of drives apart.
    pub train: usize,
    pub test: usize,
    pub maps: FrameSettings,
    pub learning: LearningSettings,
    pub frames: FrameSource,
}

impl DrivingSettings {
    /// What to type to have the same again.
    pub fn command(&self, out: &Path) -> String {
        let LearningSettings { seed, supervision, epochs, prior, learning_rate, caution, .. } = self.learning;
        let [width, height] = self.maps.size;
        let Grid { rows, columns, .. } = self.maps.grid;
        let mut words = vec!["precept train driving".to_owned()];
        words.extend(self.frames.places.flags());
        words.push(format!(
            "--train {} --test {} --epochs {epochs} --prior {prior} --learning-rate {learning_rate} --caution {caution} --supervision {} \
             --density {} --grid {rows}x{columns} --counted {} --steps {} --size {width}x{height} --cut-top {} --seed {seed}",
            self.train,
            self.test,
            word(supervision),
            word(self.frames.density),
            word(self.maps.counted),
            word(self.maps.steps),
            self.maps.cut_top,
        ));
        if !self.learning.use_ties {
            words.push("--only-shorter".to_owned());
        }
        if self.frames.render {
            words.push("--render".to_owned());
        }
        words.push(format!("--out {}", quoted(&out.display().to_string())));
        words.join(" ")
    }

    /// The frames to train on, and those of other drives to test on.
    pub fn split(&self) -> anyhow::Result<(Frames, Frames)> {
        let Split { drafts, train, test } = self.drafts()?;
        Ok((drafts.frames(&train)?, drafts.frames(&test)?))
    }

    /// The same, with pictures only of those to test on.
    pub fn split_to_test(&self) -> anyhow::Result<(Frames, Frames)> {
        let Split { drafts, train, test } = self.drafts()?;
        Ok((drafts.without_pictures(&train), drafts.frames(&test)?))
    }

    /// The frames to train on, without their pictures.
    pub fn trained_on(&self) -> anyhow::Result<Frames> {
        let Split { drafts, train, .. } = self.drafts()?;
        Ok(drafts.without_pictures(&train))
    }

    fn drafts(&self) -> anyhow::Result<Split> {
        let drafts = self.frames.drafts(&self.maps, self.train + self.test)?;
        let (train, test) = split_by_drive(drafts.drives(), self.train, self.test, self.learning.seed)
            .context("--train and --test say how many frames there are to be")?;
        Ok(Split { drafts, train, test })
    }
}

/// Which frames are for what.
struct Split {
    drafts: Drafts,
    train: Vec<usize>,
    test: Vec<usize>,
}

/// A setting as its option is spelled.
fn word(value: impl Serialize) -> String {
    let text = serde_json::to_value(value).ok();
    text.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default().to_lowercase()
}
