//! What a set of scenes holds, in figures: objects, blocked cells, and how much a demonstrated path leaves open.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;

use super::frame_index::demonstrated;
use super::{FrameSettings, Scene, covered, obstacle_map, ways};

/// Means over scenes.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Figures {
    /// How many scenes there are.
    pub frames: usize,
    /// How many drives they come from.
    pub drives: usize,
    /// Labelled objects of each kind.
    pub kinds: BTreeMap<String, usize>,
    /// Objects that count but have no box in space, so that no map can be made.
    pub without_box: usize,
    /// Objects that count, in a scene.
    pub objects: f64,
    /// Blocked cells, in a scene, where the car stands too.
    pub covered_cells: f64,
    /// Blocked cells once the start is cleared.
    pub blocked_cells: f64,
    /// The share of scenes with an object on the start.
    pub start_covered: f64,
    /// The share of scenes in which no free cell ahead can be reached.
    pub boxed_in: f64,
    /// Cells of a demonstrated path.
    pub path_cells: f64,
    /// Paths as short as the demonstrated one, itself too.
    pub shortest_paths: f64,
    /// The share of scenes where it is the only one.
    pub unique: f64,
}

/// The figures of one scene, which add up.
fn figures_of(scene: &Scene, settings: &FrameSettings) -> [f64; 8] {
    let objects = scene.labels.iter().filter(|label| settings.counted.counts(label)).count();
    let all = covered(&scene.labels, settings.grid, settings.counted);
    let map = obstacle_map(&scene.labels, settings.grid, settings.counted);
    let cells = |blocked: &[bool]| blocked.iter().filter(|blocked| **blocked).count() as f64;
    let start = settings.grid.start();
    let (length, count) = match demonstrated(scene, &map, settings) {
        None => (0.0, 0.0),
        Some(demonstration) => {
            let ways = ways(&map, start, settings.steps);
            let count = ways[settings.grid.number(demonstration.end)].map_or(0, |(_, count)| count);
            (demonstration.path.len() as f64, count as f64)
        }
    };
    let truth = |what: bool| f64::from(u8::from(what));
    let [all_cells, free_cells] = [cells(&all.blocked), cells(&map.blocked)];
    let is_covered = truth(all_cells > free_cells);
    [
        objects as f64,
        all_cells,
        free_cells,
        is_covered,
        truth(count == 0.0),
        length,
        count,
        truth(count == 1.0),
    ]
}

impl Figures {
    /// The figures of scenes; ends are drawn as for [`Frames`](super::Frames).
    pub fn of(scenes: &[Scene], settings: &FrameSettings) -> Figures {
        let each: Vec<[f64; 8]> = scenes.par_iter().map(|scene| figures_of(scene, settings)).collect();
        let sum = |k: usize| each.iter().map(|figures| figures[k]).sum::<f64>();
        let frames = scenes.len().max(1) as f64;
        let driven = (frames - sum(4)).max(1.0);
        let mut kinds = BTreeMap::new();
        for label in scenes.iter().flat_map(|scene| &scene.labels) {
            *kinds.entry(label.kind.clone()).or_insert(0) += 1;
        }
        let drives: std::collections::BTreeSet<&str> =
            scenes.iter().map(|scene| scene.drive.as_str()).collect();
        let labels = scenes.iter().flat_map(|scene| &scene.labels);
        let without_box = labels.filter(|label| settings.counted.counts(label) && !label.has_box()).count();
        Figures {
            frames: scenes.len(),
            without_box,
            drives: drives.len(),
            kinds,
            objects: sum(0) / frames,
            covered_cells: sum(1) / frames,
            blocked_cells: sum(2) / frames,
            start_covered: sum(3) / frames,
            boxed_in: sum(4) / frames,
            path_cells: sum(5) / driven,
            shortest_paths: sum(6) / driven,
            unique: sum(7) / driven,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driving::{CameraCalibration, Label};

    #[test]
    fn by_hand() {
        let scene = |name: &str, lines: &[&str]| Scene {
            name: name.to_owned(),
            drive: "a".to_owned(),
            calibration: CameraCalibration::default(),
            calibrated_for: None,
            labels: lines.iter().map(|line| Label::parse(line).unwrap()).collect(),
        };
        let near = "Car 0 0 0 0 0 1 1 1.5 1.6 4.0 5.0 1.65 5.0 0";
        let far = "Van 0 0 0 0 0 1 1 1.5 1.6 4.0 5.0 1.65 45.0 0";
        let figures = Figures::of(&[scene("1", &[near, far]), scene("2", &[])], &FrameSettings::default());
        assert_eq!((figures.frames, figures.drives, figures.kinds["Van"]), (2, 1, 1));
        assert_eq!((figures.objects, figures.covered_cells, figures.blocked_cells), (0.5, 0.5, 0.0));
        assert_eq!((figures.start_covered, figures.boxed_in), (0.5, 0.0));
        assert!(figures.path_cells >= 2.0 && figures.shortest_paths >= 1.0);
    }
}
