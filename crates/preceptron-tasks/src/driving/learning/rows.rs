//! Rows of a table: what was trained, beside what needs no training.

use std::convert::Infallible;

use preceptron_base::Control;
use serde::{Deserialize, Serialize};

use super::super::{
    Demonstration, Frames, Judgement, KAPPAS, Map, Preferences, choose_kappa, degree_rules, prior,
    random_cheapest, shortest_path,
};
use super::planning::planner;
use super::trained::{as_given, judged};
use super::{Answered, LearningError, LearningSettings, Trained, Way, mine};

/// A row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What it is of.
    pub name: String,
    /// What it is worth.
    pub judgement: Judgement,
}

/// Rows, and what the first of them answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// All rows.
    pub rows: Vec<Row>,
    /// For each frame what the first network answers.
    pub answers: Vec<Answered>,
}

/// The table of trained networks on frames: first their plans of the greatest expected worth, or the cells that they
/// give themselves; then, for networks that give maps, the plans by length and one weight of risk, and for those that
/// give the cells of paths, these joined to whole paths, since cells with gaps between them collide less and lead
/// nowhere; then the rows that need no picture, by the first network's settings and preferences. The true maps of the
/// frames `known` may be looked at.
///
/// # Errors
/// If pictures are of another size than those trained on, or `control` says to stop.
pub fn table(
    first: &Trained,
    others: &[Trained],
    known: &Frames,
    frames: &Frames,
    control: &dyn Control,
) -> Result<Table, LearningError> {
    let (mut best, mut weighted, mut first_answers) = (Vec::new(), Vec::new(), None);
    for trained in std::iter::once(first).chain(others) {
        let (name, seen) = (trained.settings.supervision.name(), trained.see(frames)?);
        let answers = trained.plans(Way::Expected, frames, &seen, control)?;
        best.push(Row { name: name.to_owned(), judgement: judged(frames, &answers) });
        let (how, others) = match trained.planner.is_some() {
            true => ("by one weight of risk", trained.plans(Way::Weighted, frames, &seen, control)?),
            false => ("joined to paths", joined(&trained.settings, frames, &seen)?),
        };
        weighted.push(Row { name: format!("{name}, {how}"), judgement: judged(frames, &others) });
        first_answers.get_or_insert(answers);
    }
    let trivial = trivial_rows(known, frames, &first.settings, first.choices.preferences.as_ref())?;
    let rows = best.into_iter().chain(weighted).chain(trivial).collect();
    Ok(Table { rows, answers: first_answers.unwrap_or_default() })
}

/// The same table of a network of any other kind that gives, for each frame and cell, how likely it is on the path: as it
/// is, joined to whole paths, and beside what needs no picture.
///
/// # Errors
/// If there are not as many probabilities as frames and cells.
pub fn table_of_paths(
    name: &str,
    seen: &[Vec<f32>],
    settings: &LearningSettings,
    known: &Frames,
    frames: &Frames,
) -> Result<Table, LearningError> {
    if seen.len() != frames.len() || seen.iter().any(|row| row.len() != frames.grid.len()) {
        let (frames, cells) = (frames.len(), frames.grid.len());
        return Err(LearningError::State(format!("paths: not {frames} frames of {cells} cells")));
    }
    let answers = as_given(frames, seen);
    let mut rows = vec![
        Row { name: name.to_owned(), judgement: judged(frames, &answers) },
        Row {
            name: format!("{name}, joined to paths"),
            judgement: judged(frames, &joined(settings, frames, seen)?),
        },
    ];
    rows.extend(trivial_rows(known, frames, settings, None)?);
    Ok(Table { rows, answers })
}

/// For each frame the path of the least length and risk, where the risk is that of cells not being on the path by the
/// network. The rules of paths are told.
fn joined(
    settings: &LearningSettings,
    frames: &Frames,
    seen: &[Vec<f32>],
) -> Result<Vec<Answered>, LearningError> {
    let planner = planner(&degree_rules(), &frames.grid, settings.steps)?;
    let answer = |(shown, row): (&Demonstration, &Vec<f32>)| {
        let off: Vec<f32> = row.iter().map(|on| 1.0 - on).collect();
        let plan = mine::plan(&planner, shown, &off, 1.0, None)?;
        Ok(Answered { probabilities: row.clone(), plan, believed: None })
    };
    frames.demonstrations.iter().zip(seen).map(answer).collect()
}

/// The rows that need no picture: the empty map, the prior map, and the true map with ties broken at random and, if
/// preferences were learned, by these. `known` are frames whose true maps may be looked at: the prior is theirs, and
/// so is the weight of its risks, the one of the best [`Judgement::safe_f1`]. The empty map and its ties are the
/// demonstrator's own.
///
/// # Errors
/// If frames are of different grids.
fn trivial_rows(
    known: &Frames,
    frames: &Frames,
    settings: &LearningSettings,
    preferences: Option<&Preferences>,
) -> Result<Vec<Row>, LearningError> {
    let steps = settings.steps;
    let planner = planner(&degree_rules(), &frames.grid, steps)?;
    let maps: Vec<&Map> = known.maps.iter().collect();
    let prior: Vec<f32> = prior(&maps).unwrap_or_default().iter().map(|p| *p as f32).collect();
    let by = |frames: &Frames, plan: &dyn Fn(usize) -> Answered| {
        judged(frames, &(0..frames.len()).map(plan).collect::<Vec<_>>())
    };
    let answer = |plan| Answered { probabilities: Vec::new(), plan, believed: None };
    let on_prior = |frames: &Frames, kappa: f64| {
        by(frames, &|frame| {
            let path = mine::plan(&planner, &frames.demonstrations[frame], &prior, kappa, preferences);
            answer(path.unwrap_or_default())
        })
    };
    let mut rows = Vec::new();
    let mut add = |name: &str, judgement| rows.push(Row { name: name.to_owned(), judgement });
    let empty = Map::empty(frames.grid);
    add(
        "the empty map",
        by(frames, &|frame| {
            let shown = &frames.demonstrations[frame];
            answer(shortest_path(&empty, shown.start, shown.end, steps))
        }),
    );
    if !prior.is_empty() {
        let few: Vec<usize> = (0..known.len()).step_by(known.len().div_ceil(500).max(1)).collect();
        let few = known.subset(&few);
        let Ok(chosen) = choose_kappa(&KAPPAS, |kappa| Ok::<_, Infallible>(on_prior(&few, kappa)));
        add("the prior map", on_prior(frames, chosen.map_or(1.0, |(kappa, _)| kappa)));
    }
    add(
        "the true map, random ties",
        by(frames, &|frame| {
            let (shown, map) = (&frames.demonstrations[frame], &frames.maps[frame]);
            let mut random = preceptron_base::stream(settings.seed, "random ties", frame as u64);
            answer(random_cheapest(map, shown.start, shown.end, steps, &mut random))
        }),
    );
    if let Some(preferences) = preferences {
        add(
            "the true map, learned ties",
            by(frames, &|frame| {
                let certain: Vec<f32> =
                    frames.maps[frame].blocked.iter().map(|b| f32::from(u8::from(*b))).collect();
                let path =
                    mine::plan(&planner, &frames.demonstrations[frame], &certain, 50.0, Some(preferences));
                answer(path.unwrap_or_default())
            }),
        );
    }
    Ok(rows)
}
