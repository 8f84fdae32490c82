//! What is chosen on drives held out from training: the shift of the network's logits, the weight of risks, and how
//! much preferences count beside them.

use preceptron_base::Control;
use preceptron_perceive::Probabilities;
use rayon::prelude::*;

use super::super::{Cell, CompiledPlanner, Frames, Judgement, KAPPAS, PlanError, Preferences, choose_kappa};
use super::mine::plan;
use super::trained::{Choices, Simulation, judged, shifted};
use super::{Answered, LearningError, LearningSettings, Supervision};

/// What the dearest move may cost by preferences, in steps of which a cell's length is [`super::super::LENGTH`]: the
/// more, the less a small risk outweighs them.
const TIE_SCALES: [i64; 4] = [10, 30, 90, 190];

/// What may be added to the network's logits.
const SHIFTS: [f64; 9] = [-2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0];

/// Frames held out, and how they are planned on.
pub(super) struct Chooser<'a> {
    pub frames: &'a Frames,
    pub planner: &'a CompiledPlanner,
    pub settings: &'a LearningSettings,
    pub control: &'a dyn Control,
}

impl Chooser<'_> {
    /// What to plan by, given what the network sees on the frames and the preferences learned; and the F1 of the plans
    /// of the greatest expected worth.
    pub fn choose(
        &self,
        found: &Probabilities,
        preferences: Option<&Preferences>,
    ) -> Result<(Choices, f64), LearningError> {
        let rows: Vec<&[f32]> = found.rows().collect();
        let shift = self.shift(&rows, preferences)?;
        let rows: Vec<Vec<f32>> = rows.iter().map(|row| shifted(row, shift)).collect();
        let (kappa, preferences) = self.weights(&rows, preferences)?;
        let simulation = Simulation::new(preferences.as_ref(), self.settings);
        let answers = self.answers(&rows, |frame| {
            let (shown, name) = (&self.frames.demonstrations[frame], &self.frames.names[frame]);
            simulation.plan(self.planner, shown, name, &rows[frame])
        })?;
        Ok((Choices { kappa, preferences, shift }, judged(self.frames, &answers).path_f1))
    }

    /// The shift of the logits by which the paths shown are likeliest.
    fn shift(&self, rows: &[&[f32]], preferences: Option<&Preferences>) -> Result<f64, LearningError> {
        let simulation = Simulation::new(preferences, self.settings);
        let (mut shift, mut best) = (0.0, f64::MIN);
        for tried in SHIFTS {
            let likely = |(frame, row): (usize, &&[f32])| {
                self.go_on()?;
                let (shown, name) = (&self.frames.demonstrations[frame], &self.frames.names[frame]);
                Ok(simulation.ln_probability(self.planner, shown, name, &shifted(row, tried))?)
            };
            // Summed in the order of frames, so that threads do not matter.
            let each =
                rows.par_iter().enumerate().map(likely).collect::<Result<Vec<f64>, LearningError>>()?;
            let likely: f64 = each.iter().sum();
            if likely > best {
                (best, shift) = (likely, tried);
            }
        }
        Ok(shift)
    }

    /// The weight of risks and the scale of preferences by which plans agree best with the paths shown, where a
    /// plan that collides agrees in nothing.
    fn weights(
        &self,
        rows: &[Vec<f32>],
        preferences: Option<&Preferences>,
    ) -> Result<(f64, Option<Preferences>), LearningError> {
        let (mut chosen, mut best) = ((1.0, preferences.cloned()), f64::MIN);
        for scale in TIE_SCALES {
            let preferences = preferences.map(|preferences| preferences.scaled(scale));
            let weighted = |kappa| {
                let answers = self.answers(rows, |frame| {
                    let shown = &self.frames.demonstrations[frame];
                    plan(self.planner, shown, &rows[frame], kappa, preferences.as_ref())
                })?;
                let judgement = judged(self.frames, &answers);
                // From paths alone nobody knows which plans collide; the network says how likely each does.
                Ok::<_, LearningError>(match self.settings.supervision {
                    Supervision::Maps => judgement,
                    _ => Judgement { safe_f1: expected_safe_f1(self.frames, &answers), ..judgement },
                })
            };
            let Some((kappa, judgement)) = choose_kappa(&KAPPAS, weighted)? else { continue };
            if judgement.safe_f1 > best {
                (best, chosen) = (judgement.safe_f1, (kappa, preferences));
            }
        }
        Ok(chosen)
    }

    /// Plans for all rows of probabilities.
    fn answers(
        &self,
        rows: &[Vec<f32>],
        plan: impl Fn(usize) -> Result<Option<Vec<Cell>>, PlanError> + Sync,
    ) -> Result<Vec<Answered>, LearningError> {
        let answer = |(frame, row): (usize, &Vec<f32>)| {
            self.go_on()?;
            Ok(Answered { probabilities: row.clone(), plan: plan(frame)?, believed: None })
        };
        rows.par_iter().enumerate().map(answer).collect()
    }

    fn go_on(&self) -> Result<(), LearningError> {
        if self.control.is_cancelled() { Err(LearningError::Interrupted) } else { Ok(()) }
    }
}

/// [`Judgement::safe_f1`] as it is to be expected by the probabilities that plans were made with.
fn expected_safe_f1(frames: &Frames, answers: &[Answered]) -> f64 {
    let (mut right, mut cells) = (0.0, 0);
    for (answer, shown) in answers.iter().zip(&frames.demonstrations) {
        let plan = answer.plan.as_deref().unwrap_or_default();
        let free = |cell: &Cell| 1.0 - f64::from(answer.probabilities[frames.grid.number(*cell)]);
        let both = plan.iter().filter(|cell| shown.path.contains(cell)).count();
        right += both as f64 * plan.iter().map(free).product::<f64>();
        cells += plan.len() + shown.path.len();
    }
    if cells == 0 { 0.0 } else { 2.0 * right / cells as f64 }
}
