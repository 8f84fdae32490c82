//! Driving as a task.

use preceptron::page::Section;
use preceptron::{AnyAction, Asking, Case, Model, Report, Schedule, Shown, Task, TaskResult, Verb};
use preceptron_base::Control;
use preceptron_logic::{Problem, RuleSet};

use super::run_settings::Split;
use super::{
    Draw, DrivingData, DrivingDomain, DrivingEvaluation, DrivingInput, DrivingSettings, Generate,
    PathLearner, PublishedTable, Supervision, Table, Verify, evaluation, input, page_sections, show,
};

/// Driving.
pub struct Driving;

impl Task for Driving {
    const NAME: &'static str = "driving";
    const ABOUT: &'static str =
        "Driving: plan around obstacles in pictures, learned from paths that somebody drove.";

    type Settings = DrivingSettings;
    type Evaluation = DrivingEvaluation;
    type Input = DrivingInput;
    type Domain = DrivingDomain;
    type Data = DrivingData;
    type Score = Table;

    fn help(verb: Verb) -> &'static str {
        match verb {
            Verb::Train => {
                "\
Examples:
  precept train driving
  precept train driving --compare --density dense
  precept train driving --labels label_2.tar.xz --calibration calib.tar.xz --mapping train_mapping.txt \\
    --mapping-order train_rand.txt --train 6160 --test 500 --out runs/kitti
  precept train driving --resume runs/driving-0
  precept eval runs/driving-0 --draw sheet.png

Without frames named, synthetic scenes are drawn at random; where only labels are named, pictures are synthetic.
Ctrl-C ends training; all epochs but the one under way are kept. --resume goes on, and ends where it would
have ended."
            }
            Verb::Eval => {
                "\
Examples:
  precept eval runs/driving-0 --draw sheet.png
  precept eval runs/driving-0 --seed 1 --count 100
  precept eval runs/driving-0 --from scenes

Without frames named, the run's own test frames are taken. Of those named, frames of drives that were trained on
are left out."
            }
            Verb::Solve => {
                "\
Examples:
  precept solve runs/driving-0 --frame 1 --out plan.png
  precept solve runs/driving-0 picture.png --end 8,3 --calibration calib.txt

Rows lead away from the camera, columns to the right; both are counted from 0."
            }
            Verb::Ground => {
                "\
Example:
  precept export runs/driving-0 --grid 10x10 --start 1,5 --end 8,3 --blocked '4,4 5,4' --format opb"
            }
        }
    }

    fn run_name(settings: &DrivingSettings) -> String {
        format!("driving-{}", settings.maps.seed)
    }

    fn settle(settings: &mut DrivingSettings) -> TaskResult<()> {
        settings.settle()
    }

    fn misplaced(settings: &DrivingSettings, flag: &str) -> Option<&'static str> {
        let is_named = settings.sources.is_named();
        match flag {
            "only_shorter" | "prior" if settings.supervision != Supervision::Paths => {
                Some("training from paths alone: --supervision paths")
            }
            "caution" if !settings.supervision.plans() => Some("networks that a planner plans by"),
            "density" if is_named => Some("scenes drawn at random, without frames named"),
            "render" if !is_named => Some("frames that are named, with --from or --labels"),
            _ => None,
        }
    }

    fn data(settings: &DrivingSettings, control: &dyn Control) -> TaskResult<DrivingData> {
        let Split { index, train, test } = settings.split()?;
        let (train, test) = (index.frames(&train, control)?, index.frames(&test, control)?);
        Ok(DrivingData { train, test, left_out: 0 })
    }

    fn schedule<'a>(settings: &DrivingSettings, data: &'a DrivingData) -> TaskResult<Box<dyn Schedule + 'a>> {
        Ok(Box::new(PathLearner::new(&data.train, &settings.learning())?))
    }

    fn held_out(
        settings: &DrivingSettings,
        how: &DrivingEvaluation,
        control: &dyn Control,
    ) -> TaskResult<DrivingData> {
        evaluation::held_out(settings, how, control)
    }

    fn score(case: Case<'_, Driving>, _how: &DrivingEvaluation, control: &dyn Control) -> TaskResult<Table> {
        evaluation::score(case, control)
    }

    fn show(
        case: Case<'_, Driving>,
        how: &DrivingEvaluation,
        score: &Table,
        trained: Option<&Report>,
    ) -> TaskResult<Shown> {
        evaluation::draw(how, &case.data.test, score)?;
        show::shown(case, score, trained)
    }

    fn next(_settings: &DrivingSettings) -> Vec<String> {
        let next = [
            "precept eval {run} --draw sheet.png",
            "precept rules {run}",
            "precept solve {run} --frame 1 --out plan.png",
        ];
        next.map(str::to_owned).into()
    }

    fn solve(
        settings: &DrivingSettings,
        model: &Model,
        input: &DrivingInput,
        _asking: &Asking,
        _control: &dyn Control,
    ) -> TaskResult<Shown> {
        input::solve(settings, model, input)
    }

    fn ground(settings: &DrivingSettings, model: &Model, domain: &DrivingDomain) -> TaskResult<Problem> {
        input::problem(settings, model, domain)
    }

    fn rules(_settings: &DrivingSettings, rules: &RuleSet) -> TaskResult<Option<Shown>> {
        show::rules(rules).map(Some)
    }

    fn assumptions(settings: &DrivingSettings, _how: &DrivingEvaluation) -> Vec<String> {
        show::assumptions(settings)
    }

    fn sections(case: Case<'_, Driving>, score: &Table) -> TaskResult<Vec<Section>> {
        page_sections::sections(case, score)
    }

    fn actions() -> &'static [&'static dyn AnyAction] {
        &[&Generate, &Verify, &Draw, &PublishedTable]
    }
}
