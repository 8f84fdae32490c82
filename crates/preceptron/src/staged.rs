//! Training in stages: rules from what is known, grounding by the rules, training of the network,
//! and rules once more from everything.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use preceptron_base::{Control, stream};
use preceptron_learn::Examples;
use preceptron_logic::{Problem, RuleSet, Var, json};
use preceptron_perceive::{Perception, Targets};
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use crate::grounding::{Known, Symbols, ground_by_evidence, ground_by_reading, ground_by_rules};
use crate::{
    Calibration, Metrics, Model, RuleLearner, Scenes, Schedule, Sight, State, TrainError, Views, calibrate,
    read_while,
};

/// How training in stages goes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StagedSettings {
    /// Steps of the network's training.
    pub steps: u64,
    /// Pictures in a step.
    pub batch: usize,
    /// The share of what is known that may be wrong: then it is evidence that may be given up at a price,
    /// not a fact.
    pub wrong: f64,
    /// The seed of the order of the pictures.
    pub seed: u64,
    /// Threads for grounding.
    pub threads: usize,
    /// How often a picture is looked at once the network is trained.
    pub views: Views,
}

impl Default for StagedSettings {
    fn default() -> StagedSettings {
        StagedSettings { steps: 2000, batch: 580, wrong: 0.0, seed: 0, threads: 2, views: Views::Five }
    }
}

/// Examples that are completed before the network can read, where what is known may be wrong.
const FIRST_DOUBTED: usize = 1000;

/// If the cheapest search's rules say of at least this share of the pictures what they show, training begins
/// with them.
const ENOUGH_GROUNDED: f64 = 0.5;

/// Training in stages.
pub struct Staged<'a> {
    scenes: &'a Scenes,
    perception: Box<dyn Perception + 'a>,
    settings: StagedSettings,
    learner: Box<dyn RuleLearner + 'a>,
    problem: Arc<Problem>,
    /// The rank of the rules.
    rank: f64,
    /// The sights whose symbols are known, each with its symbol.
    grounded: Vec<(Sight, u16)>,
    /// What is left of a random order of these.
    order: Vec<u32>,
    saved: Saved,
    pixels: Vec<u8>,
    targets: Vec<f32>,
}

/// All that changes, except for the network and the rules.
#[derive(Clone, Serialize, Deserialize)]
struct Saved {
    step: u64,
    /// The number of rules that were found in what is known.
    from_known: usize,
    /// The share of sights whose symbols these fixed.
    by_rules: f64,
    /// The step at which the order was drawn, and how much of it is left.
    drawn_at: u64,
    left: usize,
    symbols: Symbols,
}

impl<'a> Staged<'a> {
    /// Training that has not begun.
    pub fn new(
        scenes: &'a Scenes,
        perception: Box<dyn Perception + 'a>,
        settings: StagedSettings,
        learner: impl RuleLearner + 'a,
    ) -> Staged<'a> {
        let saved =
            Saved { step: 0, from_known: 0, by_rules: 0.0, drawn_at: 0, left: 0, symbols: Vec::new() };
        let problem = Arc::new(Problem::from(RuleSet::new(scenes.variables().clone())));
        let (grounded, order, pixels, targets) = Default::default();
        Staged {
            scenes,
            perception,
            settings,
            learner: Box::new(learner),
            problem,
            rank: 0.0,
            grounded,
            order,
            saved,
            pixels,
            targets,
        }
    }

    /// Takes up rules and symbols.
    fn take_up(&mut self, rules: RuleSet, saved: Saved) {
        self.rank = rules.rank() as f64;
        self.problem = Arc::new(Problem::from(rules));
        self.saved = saved;
        self.collect();
    }

    /// Takes up the first rules, and the symbols that they fix.
    fn take_up_first(&mut self, rules: RuleSet, control: &dyn Control) -> Result<(), TrainError> {
        if control.is_cancelled() {
            return Ok(());
        }
        let StagedSettings { wrong, threads, .. } = self.settings;
        let from_known = rules.len();
        let symbols = match wrong > 0.0 {
            false => ground_by_rules(self.scenes, &rules, control),
            true => {
                let first: Vec<usize> = (0..self.scenes.len().min(FIRST_DOUBTED)).collect();
                let problem = Arc::new(Problem::from(rules.clone()));
                ground_by_evidence(self.scenes, &problem, &first, wrong, threads, control)?
            }
        };
        if control.is_cancelled() {
            return Ok(());
        }
        self.take_up(rules, Saved { step: 0, from_known, by_rules: 0.0, drawn_at: 0, left: 0, symbols });
        self.saved.by_rules = self.grounded();
        Ok(())
    }

    /// Gathers the sights whose symbols are known, without pictures that are held out.
    fn collect(&mut self) {
        self.grounded.clear();
        let held_out = self.held_out();
        let pictures = held_out.clone().flat_map(|example| self.scenes.sights(example));
        let pictures: BTreeSet<u32> = pictures.map(|sight| sight.picture).collect();
        for (example, symbols) in self.saved.symbols.iter().enumerate().take(held_out.start) {
            let sights = self.scenes.sights(example).iter().zip(symbols);
            let known = sights.filter_map(|(&sight, symbol)| Some((sight, (*symbol)?)));
            self.grounded.extend(known.filter(|(sight, _)| !pictures.contains(&sight.picture)));
        }
        self.order.clear();
    }

    /// The examples whose pictures the network is not trained on, in these or in other examples, so that it
    /// can be calibrated on them: the last of twenty, at most 50.
    pub fn held_out(&self) -> Range<usize> {
        let all = self.scenes.len();
        all - (all / 20).min(50)..all
    }

    /// The share of sights whose symbols are known.
    pub fn grounded(&self) -> f64 {
        let all: usize = self.saved.symbols.iter().map(Vec::len).sum();
        self.saved.symbols.iter().flatten().flatten().count() as f64 / all.max(1) as f64
    }

    /// The share of sights whose symbols the first rules fixed.
    pub fn grounded_by_rules(&self) -> f64 {
        self.saved.by_rules
    }

    /// How many rules were found in what is known.
    pub fn rules_from_known(&self) -> usize {
        self.saved.from_known
    }

    /// How far the network's probabilities can be trusted, by the pictures that it was not trained on.
    fn calibration(&self) -> Result<Option<Calibration>, TrainError> {
        let (views, symbols) = (self.settings.views, &self.saved.symbols);
        calibrate(self.scenes, &*self.perception, views, self.held_out(), symbols)
    }

    /// What was learned, as far as it is known without another look at pictures.
    fn model(&self, rules: RuleSet) -> Result<Model, TrainError> {
        Ok(Model {
            rules,
            network: Some(self.perception.save()?),
            found: serde_json::json!({
                "rules_from_known": self.saved.from_known, "grounded_by_rules": self.saved.by_rules,
            }),
            ..Model::default()
        })
    }

    /// What each sight shows, as far as that is known.
    pub fn symbols(&self) -> &Symbols {
        &self.saved.symbols
    }

    /// A random order of the grounded sights, which depends on the seed and the step.
    fn draw_order(&mut self, step: u64) {
        self.order = (0..self.grounded.len() as u32).collect();
        self.order.shuffle(&mut stream(self.settings.seed, "order of sights", step));
        self.saved.drawn_at = step;
    }

    /// The sights of the next step with their symbols.
    fn batch(&mut self) -> Vec<(Sight, u16)> {
        let size = self.settings.batch.min(self.grounded.len());
        let mut batch = Vec::with_capacity(size);
        while batch.len() < size {
            if self.order.is_empty() {
                self.draw_order(self.saved.step);
            }
            batch.extend(self.order.pop().map(|at| self.grounded[at as usize]));
        }
        batch
    }

    /// Grounds examples in which something is open by what the network reads; if what is known may be
    /// wrong, all examples. Nothing changes, and it says so, if it is interrupted.
    fn ground_open(&mut self, control: &dyn Control) -> Result<bool, TrainError> {
        let StagedSettings { wrong, threads, .. } = self.settings;
        let is_open = |symbols: &Vec<Option<u16>>| wrong > 0.0 || symbols.iter().any(Option::is_none);
        let open: Vec<usize> =
            (0..self.scenes.len()).filter(|&at| is_open(&self.saved.symbols[at])).collect();
        control.stage("reading pictures", open.len() as u64);
        let probabilities = read_while(Views::One, self.scenes, &*self.perception, &open, control)?;
        if control.is_cancelled() {
            return Ok(false);
        }
        let mut symbols = self.saved.symbols.clone();
        let (scenes, known) = (self.scenes, Known::with_wrong(wrong));
        ground_by_reading(
            scenes,
            &self.problem,
            &open,
            &probabilities,
            known,
            &mut symbols,
            threads,
            control,
        )?;
        if control.is_cancelled() {
            return Ok(false);
        }
        self.saved.symbols = symbols;
        self.collect();
        Ok(true)
    }

    /// The examples with what was known and what the pictures were found to show.
    pub fn complete_examples(&self) -> Examples {
        let variables = self.scenes.variables().len();
        let row = |example: usize| {
            let mut row: Vec<Option<bool>> =
                (0..variables as u32).map(|var| self.scenes.known().get(example, Var(var))).collect();
            for (&sight, symbol) in self.scenes.sights(example).iter().zip(&self.saved.symbols[example]) {
                if let Some(symbol) = symbol {
                    for (at, var) in self.scenes.symbols(sight).iter().enumerate() {
                        row[var.index()] = Some(at == usize::from(*symbol));
                    }
                }
            }
            row
        };
        Examples::from_rows(variables, &(0..self.scenes.len()).map(row).collect::<Vec<_>>())
    }
}

impl Schedule for Staged<'_> {
    fn name(&self) -> &'static str {
        "staged"
    }

    fn steps(&self) -> u64 {
        self.settings.steps
    }

    fn made(&self) -> u64 {
        self.saved.step
    }

    /// Learns rules from what is known, and grounds what they fix.
    fn begin(&mut self, control: &dyn Control) -> Result<(), TrainError> {
        let (variables, known) = (self.scenes.variables(), self.scenes.known());
        // All searches are made once the pictures are read; until then the cheapest may do.
        if let Some(rules) = self.learner.learn_quickly(variables, known, control) {
            self.take_up_first(rules, control)?;
        }
        if self.saved.by_rules < ENOUGH_GROUNDED && !control.is_cancelled() {
            let rules = self.learner.learn(variables, known, control);
            self.take_up_first(rules, control)?;
        }
        match (self.saved.from_known, self.grounded.is_empty()) {
            _ if control.is_cancelled() => Ok(()),
            (0, _) => Err(TrainError::NoRules(self.scenes.len())),
            (rules, true) => Err(TrainError::NothingGrounded(rules)),
            _ => Ok(()),
        }
    }

    fn step(&mut self, control: &dyn Control) -> Result<Metrics, TrainError> {
        // When the network has seen a quarter, and again half of what it will see, it says what the rules
        // leave open.
        let (step, steps) = (self.saved.step, self.settings.steps);
        let is_due = [steps / 4, steps / 2].contains(&step) && step > 0;
        if is_due && !self.ground_open(control)? {
            return Ok(Metrics::default());
        }
        let batch = self.batch();
        let classes = self.scenes.classes();
        self.targets.clear();
        self.targets.resize(batch.len() * classes, 0.0);
        for (row, (_, symbol)) in self.targets.chunks_exact_mut(classes).zip(&batch) {
            row[usize::from(*symbol)] = 1.0;
        }
        let images = self.scenes.gather(batch.iter().map(|(sight, _)| *sight), &mut self.pixels)?;
        let loss = self.perception.fit(images, Targets::new(&self.targets))?;
        self.saved.step += 1;
        Ok(Metrics::new([("loss", loss), ("grounded", self.grounded()), ("rank", self.rank)]))
    }

    fn perception(&self) -> Option<&dyn Perception> {
        Some(&*self.perception)
    }

    fn state(&self) -> Result<State, TrainError> {
        let saved = Saved { left: self.order.len(), ..self.saved.clone() };
        let rest = serde_json::to_vec(&(saved, json::write(&self.problem.rules)))
            .map_err(|error| TrainError::State(error.to_string()))?;
        Ok(State { network: self.perception.save()?, rest })
    }

    fn restore(&mut self, state: &State) -> Result<(), TrainError> {
        let wrong = |problem: String| TrainError::State(problem);
        let (saved, rules): (Saved, String) =
            serde_json::from_slice(&state.rest).map_err(|error| wrong(error.to_string()))?;
        let rules = json::read(&rules).map_err(|error| wrong(error.to_string()))?;
        let is_of_these = rules.variables() == self.scenes.variables()
            && saved.symbols.len() == self.scenes.len()
            && (0..self.scenes.len()).all(|at| saved.symbols[at].len() == self.scenes.sights(at).len());
        if !is_of_these {
            return Err(wrong("it is that of other examples".to_owned()));
        }
        self.perception.load(&state.network)?;
        let (drawn_at, left) = (saved.drawn_at, saved.left);
        self.take_up(rules, saved);
        if left > 0 {
            self.draw_order(drawn_at);
            self.order.truncate(left);
        }
        Ok(())
    }

    fn so_far(&mut self) -> Result<Model, TrainError> {
        self.model(self.problem.rules.clone())
    }

    fn finish(&mut self, control: &dyn Control) -> Result<Model, TrainError> {
        let rules = self.learner.learn(self.scenes.variables(), &self.complete_examples(), control);
        let model = self.model(rules)?;
        match control.is_cancelled() {
            true => Ok(model),
            false => Ok(Model { calibration: self.calibration()?, ..model }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;
    use crate::toy::{Knows, WAYS, network, rules, scenes, sixty};
    use preceptron_base::Quiet;

    fn settings() -> StagedSettings {
        StagedSettings { steps: 80, batch: 20, views: Views::One, ..StagedSettings::default() }
    }

    #[test]
    fn rules_ground_pictures_and_the_network_learns_them() {
        let scenes = sixty();
        let mut staged = Staged::new(&scenes, Box::new(network()), settings(), Knows(rules()));
        staged.begin(&Quiet).unwrap();
        assert_eq!(
            (staged.rules_from_known(), staged.grounded_by_rules(), staged.held_out()),
            (6, 1.0, 57..60)
        );
        let first = staged.step(&Quiet).unwrap();
        let mut last = first.clone();
        while staged.made() < staged.steps() {
            last = staged.step(&Quiet).unwrap();
        }
        assert!(last.get("loss").unwrap() < 0.3 * first.get("loss").unwrap(), "{first:?} {last:?}");
        // What was seen stands beside what was known, and all of it obeys the rules.
        let complete = staged.complete_examples();
        assert!(complete.is_complete());
        for rule in rules().constraints() {
            let holds = |row: usize| rule.holds(|var| complete.get(row, var) == Some(true));
            assert!((0..complete.len()).all(holds), "{rule:?}");
        }
        let model = staged.finish(&Quiet).unwrap();
        let calibration = model.calibration.unwrap();
        assert_eq!((model.rules.len(), calibration.pictures, calibration.agreement), (6, 3, 1.0));
        let read = read(&scenes, &model.load(network()).unwrap(), &(0..60).collect::<Vec<_>>()).unwrap();
        let right =
            read.most_probable().enumerate().filter(|(at, read)| *read as u16 == WAYS[at % 6][at % 3]);
        assert_eq!(right.count(), 60);
    }

    #[test]
    fn what_rules_leave_open_is_read() {
        // Of every fourth example two places are seen, which the rules cannot tell apart.
        let shown: Vec<crate::toy::Shown> =
            (0..60).map(|at| (WAYS[at % 6], if at % 4 == 0 { &[0, 1][..] } else { &[2] })).collect();
        let scenes = scenes(&shown);
        // The network has learned enough when it is first asked, after a quarter of its steps.
        let settings = StagedSettings { steps: 600, ..settings() };
        let mut staged = Staged::new(&scenes, Box::new(network()), settings, Knows(rules()));
        staged.begin(&Quiet).unwrap();
        assert_eq!(staged.grounded_by_rules(), 45.0 / 75.0);
        (0..151).for_each(|_| drop(staged.step(&Quiet).unwrap()));
        assert_eq!(staged.grounded(), 1.0);
        for (example, symbols) in staged.symbols().iter().enumerate().step_by(4) {
            let way = WAYS[example % 6];
            assert_eq!(symbols[..], [Some(way[0]), Some(way[1])], "example {example}");
        }
    }

    #[test]
    fn training_that_is_taken_up_goes_on_as_it_would_have() {
        let scenes = sixty();
        let staged = || Staged::new(&scenes, Box::new(network()), settings(), Knows(rules()));
        let mut whole = staged();
        whole.begin(&Quiet).unwrap();
        (0..7).for_each(|_| drop(whole.step(&Quiet).unwrap()));
        let mut taken_up = staged();
        taken_up.restore(&whole.state().unwrap()).unwrap();
        assert_eq!(taken_up.made(), 7);
        for _ in 0..30 {
            assert_eq!(taken_up.step(&Quiet).unwrap(), whole.step(&Quiet).unwrap());
        }
        assert_eq!(taken_up.state().unwrap(), whole.state().unwrap());
        let others = crate::toy::scenes(&[(WAYS[0], &[0])]);
        let mut other = Staged::new(&others, Box::new(network()), settings(), Knows(rules()));
        let message = other.restore(&whole.state().unwrap()).unwrap_err().to_string();
        assert_eq!(message, "the saved state does not fit: it is that of other examples");
    }

    #[test]
    fn without_rules_there_is_nothing_to_train_by() {
        let scenes = scenes(&[(WAYS[0], &[0, 1]), (WAYS[1], &[1, 2])]);
        let begin = |rules: RuleSet| {
            let mut staged = Staged::new(&scenes, Box::new(network()), settings(), Knows(rules));
            staged.begin(&Quiet).unwrap_err()
        };
        let none = RuleSet::new(scenes.variables().clone());
        assert!(matches!(begin(none), TrainError::NoRules(2)));
        assert!(matches!(begin(rules()), TrainError::NothingGrounded(6)));
    }
}
