//! An index of frames: what is known of each without reading or rendering one.

use preceptron_base::{Control, Quiet};
use preceptron_perceive::Shape;
use rayon::prelude::*;

use super::{
    CameraCalibration, Demonstration, Density, DrivingError, FrameSettings, Frames, Layout, Map, Renderer,
    Rgb, Scene, demonstrate, obstacle_map, sample_scene,
};

/// Frames whose pictures are still to be read or rendered. Labels, maps and paths take a moment, pictures
/// take long: a choice of frames, such as by [`split_by_drive`](super::split_by_drive), is best made here.
#[derive(Clone, Debug)]
pub struct FrameIndex {
    settings: FrameSettings,
    entries: Vec<Entry>,
    /// Where pictures are; they are rendered if nowhere.
    pictures: Option<Layout>,
    boxed_in: usize,
}

#[derive(Clone, Debug)]
struct Entry {
    scene: Scene,
    map: Map,
    demonstration: Demonstration,
}

impl FrameIndex {
    /// All frames of a layout, which are to have their own pictures.
    ///
    /// # Errors
    /// If a file is missing, labels or a calibration are not what they should be, or an object that counts
    /// has no box in space.
    pub fn read(layout: Layout, settings: &FrameSettings) -> Result<FrameIndex, DrivingError> {
        layout.check()?;
        let scenes = boxed_scenes(&layout, settings)?;
        Ok(FrameIndex::new(scenes, settings, Some(layout)))
    }

    /// All frames with the labels and cameras of a layout, to be rendered.
    ///
    /// # Errors
    /// As for [`read`](FrameIndex::read), but pictures are not looked for.
    pub fn render(layout: &Layout, settings: &FrameSettings) -> Result<FrameIndex, DrivingError> {
        Ok(FrameIndex::synthetic(boxed_scenes(layout, settings)?, settings))
    }

    /// Scenes drawn at random, to be rendered.
    pub fn sample(count: usize, density: Density, settings: &FrameSettings) -> FrameIndex {
        let scene = |number: usize| sample_scene(settings.seed, number, density);
        FrameIndex::synthetic((0..count).into_par_iter().map(scene).collect(), settings)
    }

    /// Scenes to be rendered; what does not count is not drawn.
    pub fn synthetic(mut scenes: Vec<Scene>, settings: &FrameSettings) -> FrameIndex {
        for scene in &mut scenes {
            scene.labels.retain(|label| settings.counted.counts(label));
        }
        FrameIndex::new(scenes, settings, None)
    }

    fn new(scenes: Vec<Scene>, settings: &FrameSettings, pictures: Option<Layout>) -> FrameIndex {
        let entry = |scene: Scene| {
            let map = obstacle_map(&scene.labels, settings.grid, settings.counted);
            let demonstration = demonstrated(&scene, &map, settings)?;
            Some(Entry { scene, map, demonstration })
        };
        let all = scenes.len();
        let entries: Vec<Entry> = scenes.into_par_iter().filter_map(entry).collect();
        let boxed_in = all - entries.len();
        FrameIndex { settings: *settings, entries, pictures, boxed_in }
    }

    /// How many frames there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Which drives the frames come from.
    pub fn drives(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.scene.drive.as_str())
    }

    /// How the frames are called.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.scene.name.as_str())
    }

    /// These frames with their pictures, in this order.
    ///
    /// # Errors
    /// If a picture cannot be read, or `control` says to stop.
    ///
    /// # Panics
    /// If there is no such frame.
    pub fn frames(&self, which: &[usize], control: &dyn Control) -> Result<Frames, DrivingError> {
        let (renderer, synthetic) = (self.renderer(), self.pictures.is_none());
        control.stage(if synthetic { "rendering pictures" } else { "reading pictures" }, which.len() as u64);
        let picture = |&number: &usize| {
            if control.is_cancelled() {
                return Err(DrivingError::Interrupted);
            }
            let scene = &self.entries[number].scene;
            let made = match &self.pictures {
                None => (renderer.camera(scene), renderer.picture(scene).planes()),
                Some(layout) => self.picture(layout, scene)?,
            };
            control.advance(1);
            Ok(made)
        };
        let pictures = which.par_iter().map(picture).collect::<Result<Vec<_>, DrivingError>>()?;
        Ok(self.join(which, pictures))
    }

    /// All frames with their pictures.
    ///
    /// # Errors
    /// If a picture cannot be read.
    pub fn all(&self) -> Result<Frames, DrivingError> {
        self.frames(&(0..self.len()).collect::<Vec<_>>(), &Quiet)
    }

    /// All frames of scenes, rendered.
    pub(super) fn drawn(&self) -> Frames {
        self.all().expect("nothing is read where all is rendered")
    }

    /// These frames without pictures, for what needs only maps and paths.
    ///
    /// # Panics
    /// If there is no such frame.
    #[must_use]
    pub fn without_pictures(&self, which: &[usize]) -> Frames {
        let renderer = self.renderer();
        let camera = |number: &usize| (renderer.camera(&self.entries[*number].scene), Vec::new());
        self.join(which, which.iter().map(camera).collect())
    }

    /// What draws pictures of the network's size.
    fn renderer(&self) -> Renderer {
        let FrameSettings { seed, size, cut_top, .. } = self.settings;
        Renderer { seed, size, cut_top }
    }

    /// A picture from a file, at the network's size, and its camera.
    fn picture(&self, layout: &Layout, scene: &Scene) -> Result<(CameraCalibration, Vec<u8>), DrivingError> {
        let picture: Rgb = layout.picture(&scene.name)?;
        Ok(at_size(&picture, &scene.calibration, scene.calibrated_for, &self.settings))
    }

    fn join(&self, which: &[usize], pictures: Vec<(CameraCalibration, Vec<u8>)>) -> Frames {
        let [width, height] = self.settings.size;
        let entries = || which.iter().map(|&number| &self.entries[number]);
        let (calibrations, pixels): (Vec<CameraCalibration>, Vec<Vec<u8>>) = pictures.into_iter().unzip();
        Frames {
            grid: self.settings.grid,
            shape: Shape::new(3, height, width),
            pixels: pixels.concat(),
            maps: entries().map(|entry| entry.map.clone()).collect(),
            calibrations,
            demonstrations: entries().map(|entry| entry.demonstration.clone()).collect(),
            names: entries().map(|entry| entry.scene.name.clone()).collect(),
            drives: entries().map(|entry| entry.scene.drive.clone()).collect(),
            is_synthetic: self.pictures.is_none(),
            boxed_in: self.boxed_in,
        }
    }
}

/// A picture at the network's size, channel by channel, and its camera.
pub(super) fn at_size(
    picture: &Rgb,
    camera: &CameraCalibration,
    made_for: Option<[f64; 2]>,
    settings: &FrameSettings,
) -> (CameraCalibration, Vec<u8>) {
    let FrameSettings { size, cut_top, .. } = *settings;
    let scale = |k: usize| size[k] as f64 / picture.size()[k] as f64;
    let camera = camera.for_picture(picture.size(), made_for).scaled(scale(0), scale(1));
    (camera.without_top(cut_top, size[1]), picture.resized_below(cut_top, size).planes())
}

/// The path that is shown for a scene on its map; none if no cell ahead can be reached.
pub(super) fn demonstrated(scene: &Scene, map: &Map, settings: &FrameSettings) -> Option<Demonstration> {
    let mut random = preceptron_base::stream(settings.seed, &format!("end {}", scene.name), 0);
    demonstrate(map, settings.steps, &mut random)
}

/// The scenes of a layout, if what counts has a box in space.
fn boxed_scenes(layout: &Layout, settings: &FrameSettings) -> Result<Vec<Scene>, DrivingError> {
    let scene = |name: &String| {
        let scene = layout.scene(name)?;
        match scene.labels.iter().find(|label| settings.counted.counts(label) && !label.has_box()) {
            None => Ok(scene),
            Some(label) => {
                let what = format!("a {} has no height, width and length: no box in space", label.kind);
                Err(DrivingError::file(&layout.label_file(name), what))
            }
        }
    };
    layout.names().par_iter().map(scene).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driving::split_by_drive;

    #[test]
    fn chosen_frames_are_those_of_all() {
        let settings = FrameSettings { seed: 3, ..FrameSettings::default() };
        let entries = FrameIndex::sample(80, Density::Dense, &settings);
        let all = Frames::sample(80, Density::Dense, &settings);
        assert_eq!((entries.len(), entries.is_empty()), (all.len(), false));
        assert!(entries.drives().eq(all.drives.iter()) && entries.names().eq(all.names.iter()));
        let (train, test) = split_by_drive(entries.drives(), 20, 10, 1).unwrap();
        for which in [train, test] {
            assert_eq!(entries.frames(&which, &Quiet).unwrap(), all.subset(&which));
            let bare = entries.without_pictures(&which);
            assert!(bare.pixels.is_empty() && bare.subset(&[0]).maps[0] == all.maps[which[0]]);
            assert_eq!(Frames { pixels: all.subset(&which).pixels, ..bare }, all.subset(&which));
        }
    }
}
