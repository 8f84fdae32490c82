//! The pictures that a table names: files or parts of files, brought to one size, light ink on a dark ground.

use std::collections::BTreeMap;
use std::path::Path;

use preceptron_base::{BUDGET, Control, choices};
use preceptron_perceive::{Shape, Stated};
use rayon::prelude::*;

use super::picture_files::{File, Part, Which, file_and_which};
use crate::picture::Picture;
use crate::rgb::Rgb;

/// Pictures of one file by their numbers, or the first that cannot be read, and why.
type Gathered = Result<Vec<(usize, Vec<u8>)>, (usize, String)>;

choices! {
    /// The ground of pictures.
    pub enum Paper: Dark {
        /// Light on dark: as they are.
        Dark = "dark",
        /// Dark on light: tones are turned round.
        Light = "light",
    }
}

/// How pictures are brought to one form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Pixels of a side.
    pub size: usize,
    /// Whether colours are kept.
    pub colour: bool,
    /// The ground.
    pub paper: Paper,
    /// How many probabilities stand in place of a picture, if they do.
    pub stated: Option<usize>,
}

impl Look {
    /// The shape that pictures get.
    pub fn shape(self) -> Shape {
        if let Some(classes) = self.stated {
            return Stated::shape(classes);
        }
        Shape::new(if self.colour { 3 } else { 1 }, self.size, self.size)
    }

    /// The pictures of these names one after another, each file read once. If one cannot be had: the number of the
    /// first such name, and what is wrong; nothing if it was stopped.
    ///
    /// # Errors
    /// If a picture is not there, is none, or has no such part.
    pub fn load(
        self,
        folder: &Path,
        names: &[&str],
        control: &dyn Control,
    ) -> Result<Option<Vec<u8>>, (usize, String)> {
        control.stage("reading pictures' files", names.len() as u64);
        // All of them, and those that were just read, are in memory at once.
        let bytes = (names.len() as u64).saturating_mul(2 * self.shape().size() as u64);
        if bytes > BUDGET {
            let what = format!(
                "{} pictures take {bytes} bytes, more than the {BUDGET} that are read at once",
                names.len()
            );
            return Err((names.len() - 1, what));
        }
        let mut files: BTreeMap<&str, Vec<(usize, Which)>> = BTreeMap::new();
        for (number, name) in names.iter().enumerate() {
            let (file, which) = file_and_which(name).map_err(|what| (number, what))?;
            files.entry(file).or_default().push((number, which));
        }
        let of_file = |(file, parts): (&&str, &Vec<(usize, Which)>)| {
            let pictures = match control.is_cancelled() {
                true => Ok(Vec::new()),
                false => self.of_file(&folder.join(file), file, parts),
            };
            control.advance(parts.len() as u64);
            pictures
        };
        let read: Vec<Gathered> = files.par_iter().map(of_file).collect();
        if control.is_cancelled() {
            return Ok(None);
        }
        if let Some(fault) =
            read.iter().filter_map(|one| one.as_ref().err()).min_by_key(|(number, _)| *number)
        {
            return Err(fault.clone());
        }
        let size = self.shape().size();
        let mut pixels = vec![0; size * names.len()];
        for (number, picture) in read.into_iter().flatten().flatten() {
            pixels[number * size..][..size].copy_from_slice(&picture);
        }
        Ok(Some(pixels))
    }

    /// Some pictures of one file.
    fn of_file(self, path: &Path, name: &str, wanted: &[(usize, Which)]) -> Gathered {
        let first = wanted.first().map_or(0, |(number, _)| *number);
        let file = File::open(path, name).map_err(|what| (first, format!("{name}: {what}")))?;
        let mut all = Vec::with_capacity(wanted.len());
        for (number, which) in wanted {
            let fault = |what: String| (*number, format!("{name}: {what}"));
            if let Some(classes) = self.stated {
                all.push((*number, Stated::written(&file.probabilities(which, classes).map_err(fault)?)));
                continue;
            }
            let picture = file.picture(which).map_err(fault)?;
            all.push((*number, self.part(&picture, which.part()).map_err(fault)?));
        }
        Ok(all)
    }

    /// A picture, or a part of it, in the form that is wanted.
    fn part(self, picture: &Rgb, part: Option<Part>) -> Result<Vec<u8>, String> {
        let [width, height] = picture.size();
        let [x, y, wide, high] = part.unwrap_or([0, 0, width, height]);
        let is_within =
            |from: usize, length: usize, all: usize| from.checked_add(length).is_some_and(|end| end <= all);
        if !is_within(x, wide, width) || !is_within(y, high, height) {
            return Err(format!("has {width} x {height} pixels, and no part {x},{y},{wide},{high}"));
        }
        let (left, top) = (x as f64, y as f64);
        let (right, bottom) = ((x + wide) as f64, (y + high) as f64);
        let size = (self.size, self.size);
        let planes = self.planes(picture);
        let small = planes.iter().map(|plane| plane.resampled(left, top, right, bottom, size));
        let tones = small.flat_map(|plane| plane.pixels().to_vec());
        Ok(match self.paper {
            Paper::Dark => tones.collect(),
            Paper::Light => tones.map(|tone| 255 - tone).collect(),
        })
    }

    /// The picture in gray, or its colours apart.
    fn planes(self, picture: &Rgb) -> Vec<Picture> {
        let [width, height] = picture.size();
        if self.colour {
            let planes = picture.planes();
            return planes
                .chunks_exact(width * height)
                .map(|plane| Picture::from_pixels(width, plane.to_vec()))
                .collect();
        }
        let gray = |pixel: &[u8]| {
            let [r, g, b] = [pixel[0], pixel[1], pixel[2]].map(u32::from);
            ((299 * r + 587 * g + 114 * b + 500) / 1000) as u8
        };
        vec![Picture::from_pixels(width, picture.pixels().chunks_exact(3).map(gray).collect())]
    }
}

/// What most edges of pictures are, which follow one another.
pub(crate) fn paper_of(shape: Shape, pixels: &[u8]) -> Paper {
    let (mut sum, mut count) = (0u64, 0u64);
    for plane in pixels.chunks_exact(shape.pixels()) {
        for (at, &tone) in plane.iter().enumerate() {
            let (y, x) = (at / shape.width, at % shape.width);
            if y == 0 || x == 0 || y + 1 == shape.height || x + 1 == shape.width {
                (sum, count) = (sum + u64::from(tone), count + 1);
            }
        }
    }
    if sum > 127 * count { Paper::Light } else { Paper::Dark }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_base::Quiet;

    #[test]
    fn files_and_parts() {
        let folder = tempfile::tempdir().unwrap();
        let mut picture = Rgb::new(40, 20, [255; 3]);
        picture.fill([0, 0], [20, 20], [0, 0, 0]);
        std::fs::write(folder.path().join("a.png"), picture.to_png().unwrap()).unwrap();
        std::fs::write(folder.path().join("b.png"), "no picture").unwrap();
        let look = Look { size: 12, colour: false, paper: Paper::Dark, stated: None };
        let names = ["a.png#20,0,20,20", "a.png#0,0,20,20", "a.png"];
        let pixels = look.load(folder.path(), &names, &Quiet).unwrap().unwrap();
        assert!(
            pixels[..144].iter().all(|&tone| tone == 255) && pixels[144..288].iter().all(|&tone| tone == 0)
        );
        assert_eq!((pixels[288], pixels[288 + 11]), (0, 255));
        assert_eq!(paper_of(look.shape(), &pixels[..144]), Paper::Light);
        let light = Look { paper: Paper::Light, ..look };
        assert_eq!(light.load(folder.path(), &names[..1], &Quiet).unwrap().unwrap()[0], 0);
        let colour = Look { colour: true, ..look };
        assert_eq!(colour.load(folder.path(), &names, &Quiet).unwrap().unwrap().len(), 3 * 3 * 144);
        let fault = |name: &str| look.load(folder.path(), &["a.png", name], &Quiet).unwrap_err();
        assert_eq!(fault("c.png"), (1, "c.png: no such file".to_owned()));
        assert_eq!(fault("b.png"), (1, "b.png: neither a PNG nor a JPEG".to_owned()));
        assert_eq!(
            fault("a.png#30,0,20,20"),
            (1, "a.png: has 40 x 20 pixels, and no part 30,0,20,20".to_owned())
        );
        let (_, message) = fault("a.png#1,2");
        assert_eq!(message, "a.png#1,2: a part of a picture is written #x,y,width,height in pixels");
    }
}
