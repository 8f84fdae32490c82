//! Frames before their pictures: what is known of each without reading or rendering one.

use preceptron_perceive::Shape;
use rayon::prelude::*;

use super::{
    Calibration, Demonstration, Density, DrivingError, FrameSettings, Frames, Layout, Map, Renderer, Rgb,
    Scene, demonstrate, obstacle_map, sample_scene,
};

/// Frames whose pictures are still to be read or rendered. Labels, maps and paths take a moment, pictures
/// take long: a choice of frames, such as by [`split_by_drive`](super::split_by_drive), is best made here.
#[derive(Clone, Debug)]
pub struct Drafts {
    settings: FrameSettings,
    drafts: Vec<Draft>,
    /// Where pictures are; they are rendered if nowhere.
    pictures: Option<Layout>,
    boxed_in: usize,
}

#[derive(Clone, Debug)]
struct Draft {
    scene: Scene,
    map: Map,
    demonstration: Demonstration,
}

impl Drafts {
    /// All frames of a layout, which are to have their own pictures.
    ///
    /// # Errors
    /// If a file is missing, labels or a calibration are not what they should be, or an object that counts
    /// has no box in space.
    pub fn read(layout: Layout, settings: &FrameSettings) -> Result<Drafts, DrivingError> {
        layout.check()?;
        let scenes = boxed_scenes(&layout, settings)?;
        Ok(Drafts::new(scenes, settings, Some(layout)))
    }

    /// All frames with the labels and cameras of a layout, to be rendered.
    ///
    /// # Errors
    /// As for [`read`](Drafts::read), but pictures are not looked for.
    pub fn render(layout: &Layout, settings: &FrameSettings) -> Result<Drafts, DrivingError> {
        Ok(Drafts::synthetic(boxed_scenes(layout, settings)?, settings))
    }

    /// Scenes drawn at random, to be rendered.
    pub fn sample(count: usize, density: Density, settings: &FrameSettings) -> Drafts {
        let scene = |number: usize| sample_scene(settings.seed, number, density);
        Drafts::synthetic((0..count).into_par_iter().map(scene).collect(), settings)
    }

    /// Scenes to be rendered; what does not count is not drawn.
    pub fn synthetic(mut scenes: Vec<Scene>, settings: &FrameSettings) -> Drafts {
        for scene in &mut scenes {
            scene.labels.retain(|label| settings.counted.counts(label));
        }
        Drafts::new(scenes, settings, None)
    }

    fn new(scenes: Vec<Scene>, settings: &FrameSettings, pictures: Option<Layout>) -> Drafts {
        let draft = |scene: Scene| {
            let map = obstacle_map(&scene.labels, settings.grid, settings.counted);
            let mut random = preceptron_base::stream(settings.seed, &format!("end {}", scene.name), 0);
            let demonstration = demonstrate(&map, settings.steps, &mut random)?;
            Some(Draft { scene, map, demonstration })
        };
        let all = scenes.len();
        let drafts: Vec<Draft> = scenes.into_par_iter().filter_map(draft).collect();
        let boxed_in = all - drafts.len();
        Drafts { settings: *settings, drafts, pictures, boxed_in }
    }

    /// How many frames there are.
    pub fn len(&self) -> usize {
        self.drafts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.drafts.is_empty()
    }

    /// Which drives the frames come from.
    pub fn drives(&self) -> impl Iterator<Item = &str> {
        self.drafts.iter().map(|draft| draft.scene.drive.as_str())
    }

    /// How the frames are called.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.drafts.iter().map(|draft| draft.scene.name.as_str())
    }

    /// These frames with their pictures, in this order.
    ///
    /// # Errors
    /// If a picture cannot be read.
    ///
    /// # Panics
    /// If there is no such frame.
    pub fn frames(&self, which: &[usize]) -> Result<Frames, DrivingError> {
        match &self.pictures {
            None => Ok(self.rendered(which)),
            Some(layout) => {
                let picture = |&number: &usize| self.picture(layout, &self.drafts[number].scene);
                let pictures = which.par_iter().map(picture).collect::<Result<Vec<_>, DrivingError>>()?;
                Ok(self.join(which, pictures))
            }
        }
    }

    /// All frames with their pictures.
    ///
    /// # Errors
    /// If a picture cannot be read.
    pub fn all(&self) -> Result<Frames, DrivingError> {
        self.frames(&(0..self.len()).collect::<Vec<_>>())
    }

    /// These frames without pictures, for what needs only maps and paths.
    ///
    /// # Panics
    /// If there is no such frame.
    #[must_use]
    pub fn without_pictures(&self, which: &[usize]) -> Frames {
        let renderer = self.renderer();
        let camera = |number: &usize| (renderer.camera(&self.drafts[*number].scene), Vec::new());
        self.join(which, which.iter().map(camera).collect())
    }

    /// All frames, rendered.
    pub(super) fn drawn(&self) -> Frames {
        self.rendered(&(0..self.len()).collect::<Vec<_>>())
    }

    fn rendered(&self, which: &[usize]) -> Frames {
        let renderer = self.renderer();
        let picture = |&number: &usize| {
            let scene = &self.drafts[number].scene;
            (renderer.camera(scene), renderer.picture(scene).planes())
        };
        self.join(which, which.par_iter().map(picture).collect())
    }

    /// What draws pictures of the network's size.
    fn renderer(&self) -> Renderer {
        let FrameSettings { seed, size, cut_top, .. } = self.settings;
        Renderer { seed, size, cut_top }
    }

    /// A picture from a file, at the network's size, and its camera.
    fn picture(&self, layout: &Layout, scene: &Scene) -> Result<(Calibration, Vec<u8>), DrivingError> {
        let picture: Rgb = layout.picture(&scene.name)?;
        let camera = scene.calibration.for_picture(picture.size(), scene.calibrated_for);
        let FrameSettings { size, cut_top, .. } = self.settings;
        let scale = |k: usize| size[k] as f64 / picture.size()[k] as f64;
        let camera = camera.scaled(scale(0), scale(1)).without_top(cut_top, size[1]);
        Ok((camera, picture.resized_below(cut_top, size).planes()))
    }

    fn join(&self, which: &[usize], pictures: Vec<(Calibration, Vec<u8>)>) -> Frames {
        let [width, height] = self.settings.size;
        let drafts = || which.iter().map(|&number| &self.drafts[number]);
        let (calibrations, pixels): (Vec<Calibration>, Vec<Vec<u8>>) = pictures.into_iter().unzip();
        Frames {
            grid: self.settings.grid,
            shape: Shape::new(3, height, width),
            pixels: pixels.concat(),
            maps: drafts().map(|draft| draft.map.clone()).collect(),
            calibrations,
            demonstrations: drafts().map(|draft| draft.demonstration.clone()).collect(),
            names: drafts().map(|draft| draft.scene.name.clone()).collect(),
            drives: drafts().map(|draft| draft.scene.drive.clone()).collect(),
            is_synthetic: self.pictures.is_none(),
            boxed_in: self.boxed_in,
        }
    }
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
        let drafts = Drafts::sample(80, Density::Dense, &settings);
        let all = Frames::sample(80, Density::Dense, &settings);
        assert_eq!((drafts.len(), drafts.is_empty()), (all.len(), false));
        assert!(drafts.drives().eq(all.drives.iter()) && drafts.names().eq(all.names.iter()));
        let (train, test) = split_by_drive(drafts.drives(), 20, 10, 1).unwrap();
        for which in [train, test] {
            assert_eq!(drafts.frames(&which).unwrap(), all.subset(&which));
            let bare = drafts.without_pictures(&which);
            assert!(bare.pixels.is_empty() && bare.subset(&[0]).maps[0] == all.maps[which[0]]);
            assert_eq!(Frames { pixels: all.subset(&which).pixels, ..bare }, all.subset(&which));
        }
    }
}
