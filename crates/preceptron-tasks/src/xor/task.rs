//! Chained XOR as a task.

use preceptron::page::{Block, Figure, Section, percent, rules_section};
use preceptron::{
    AnyAction, Asking, Case, Model, Report, Schedule, Shown, Task, TaskResult, Verb, bail, ensure,
};
use preceptron_base::{Control, settings};
use preceptron_logic::{RuleSet, Var};
use serde_json::json;

use super::{Score, Strings, XorLearner, XorSettings, bench, control, predict, show};

/// Chained XOR.
pub struct Xor;

settings! {
    /// Which strings to score on.
    pub struct XorEvaluation {
        /// How many strings.
        count: usize = 1000, "N" in 1..=1_000_000;
        /// The seed that they are drawn by [default: the run's].
        seed: Option<u64> = None, "N";
    }
}

settings! {
    /// A string whose parity is asked for.
    pub struct XorInput {
        /// The bits, such as 01101.
        bits: Option<String> = None, "<BITS>";
    }
}

/// The strings that are trained on, and others.
pub struct XorData {
    /// Those trained on.
    pub strings: Strings,
    /// Those held out.
    pub held_out: preceptron_learn::Examples,
}

/// Scores by method; `control` is that of the row of all bits.
pub type Scores = Vec<(String, Score)>;

/// The rules by method, and those of the control.
pub(super) fn by_method(model: &Model, strings: &Strings) -> Vec<(String, RuleSet)> {
    let methods = model.methods.iter().map(|(method, rules)| (method.clone(), rules.clone()));
    methods.chain([("control".to_owned(), control(strings))]).collect()
}

impl Task for Xor {
    const NAME: &'static str = "xor";
    const ABOUT: &'static str = "Chained XOR: strings of bits, and whether the number of ones is odd.";
    const FREE: &'static [&'static str] = &[];

    type Settings = XorSettings;
    type Evaluation = XorEvaluation;
    type Input = XorInput;
    type Domain = ();
    type Data = XorData;
    type Score = Scores;

    fn help(verb: Verb) -> &'static str {
        match verb {
            Verb::Train => {
                "\
Examples:
  precept train xor --length 20
  precept train xor --length 100 --ones 10% --method auxiliary --order authors
  precept train xor --length 100 --irrelevant 50%     only elimination finds which bits matter"
            }
            Verb::Eval => "Example:\n  precept eval runs/xor-20-0 --count 10000 --seed 1",
            Verb::Solve => "Example:\n  precept solve runs/xor-20-0 01101001100101101001",
            Verb::Ground => "",
        }
    }

    fn run_name(settings: &XorSettings) -> String {
        format!("xor-{}-{}", settings.length, settings.seed)
    }

    fn settle(settings: &mut XorSettings) -> TaskResult<()> {
        *settings = settings.resolved();
        settings.auxiliary_form()?;
        Ok(())
    }

    fn data(settings: &XorSettings, _control: &dyn Control) -> TaskResult<XorData> {
        let strings = Strings::generate(settings);
        let held_out = strings.held_out(settings.held_out, settings.seed);
        Ok(XorData { strings, held_out })
    }

    fn schedule<'a>(settings: &XorSettings, data: &'a XorData) -> TaskResult<Box<dyn Schedule + 'a>> {
        Ok(Box::new(XorLearner::new(&data.strings, settings)?))
    }

    fn held_out(settings: &XorSettings, how: &XorEvaluation, _control: &dyn Control) -> TaskResult<XorData> {
        let strings = Strings::generate(settings);
        let held_out = strings.held_out(how.count, how.seed.unwrap_or(settings.seed));
        Ok(XorData { strings, held_out })
    }

    fn score(case: Case<'_, Xor>, _how: &XorEvaluation, _control: &dyn Control) -> TaskResult<Scores> {
        let XorData { strings, held_out } = case.data;
        let score =
            |(method, rules): (String, RuleSet)| (method, Score::of(&rules, held_out, strings.answer()));
        Ok(by_method(case.model, strings).into_iter().map(score).collect())
    }

    fn show(
        case: Case<'_, Xor>,
        _how: &XorEvaluation,
        scores: &Scores,
        trained: Option<&Report>,
    ) -> TaskResult<Shown> {
        show::shown(case, scores, trained)
    }

    fn next(_settings: &XorSettings) -> Vec<String> {
        let next =
            ["precept eval {run} --seed 1", "precept rules {run}", "precept export {run} --format opb"];
        next.map(str::to_owned).into()
    }

    fn solve(
        settings: &XorSettings,
        model: &Model,
        input: &XorInput,
        _asking: &Asking,
        _control: &dyn Control,
    ) -> TaskResult<Shown> {
        let Some(text) = &input.bits else { bail!("there are no bits: precept solve RUN 0110...") };
        let bit = |c: char| match c {
            '0' => Some(false),
            '1' => Some(true),
            _ => None,
        };
        let bits: Option<Vec<bool>> = text.chars().map(bit).collect();
        let length = settings.length as usize;
        let Some(bits) = bits.filter(|bits| bits.len() == length) else {
            bail!("{text:?}: expected {length} characters 0 or 1")
        };
        ensure!(model.rules.variables().len() == length + 1, "rules of strings of another length");
        let answer = predict(&model.rules, Var(settings.length), |var| bits[var.index()]);
        let words = match answer {
            Some(true) => "odd",
            Some(false) => "even",
            None => "the rules leave it open",
        };
        Ok(Shown::answer(answer.is_some(), format!("{words}\n"), json!({ "odd": answer })))
    }

    fn assumptions(settings: &XorSettings, _how: &XorEvaluation) -> Vec<String> {
        match settings.method.each().len() {
            1 => Vec::new(),
            _ => vec![
                "of the methods, the one that answers most training strings gives the run's rules".to_owned(),
            ],
        }
    }

    fn sections(case: Case<'_, Xor>, scores: &Scores) -> TaskResult<Vec<Section>> {
        let strings = case.data.held_out.len();
        let figure = |(method, score): &(String, Score)| {
            let right = (score.decided[0][0] + score.decided[1][1]) as usize;
            let what = format!("of strings that were not trained on answered right, by {method}");
            Figure::new(percent(right, strings, 1), what, format!("{right} of {strings}"))
        };
        let row = |(method, score): &(String, Score)| {
            [method.clone()].into_iter().chain(show::score_cells(score)).collect()
        };
        let titles =
            ["on strings held out"].into_iter().chain(show::SCORE_TITLES).map(str::to_owned).collect();
        let top = vec![
            Block::Figures(scores.iter().map(figure).collect()),
            Block::Table { titles, rows: scores.iter().map(row).collect() },
        ];
        let mut rules = rules_section(&case.model.rules, "", |_, _| String::new());
        rules.blocks.extend(show::found(case));
        Ok(vec![Section::new("", top), rules])
    }

    fn actions() -> &'static [&'static dyn AnyAction] {
        &[&bench::Lengths]
    }
}
