//! The calls into the libraries that the commands are built on, behind one door.

#![allow(missing_docs, clippy::unnecessary_wraps)]

use std::collections::BTreeMap;

use precept_learn::{Checked, Control, Examples, Learned, Report, StopReason, Verdict};
use precept_logic::{Constraint, Evidence, Origin, Rule, RuleSet, Var, Variables};

/// Exactly-one rules along the axes of blocks, in complete examples.
pub fn learn(
    variables: &Variables,
    examples: &Examples,
    settings: &Checked,
    control: &dyn Control,
) -> Learned {
    control.stage("axes", variables.blocks().len() as u64);
    let mut rules = RuleSet::new(variables.clone());
    let mut constant = 0;
    for block in variables.blocks() {
        for axis in 0..block.axes().len() {
            let mut groups: BTreeMap<Vec<usize>, Vec<Var>> = BTreeMap::new();
            for &var in block.members() {
                let mut place = variables.place(var).expect("a member has a place").positions.clone();
                place[axis] = 0;
                groups.entry(place).or_default().push(var);
            }
            for group in groups.values().filter(|group| group.len() > 1) {
                let exactly_one = (0..examples.len())
                    .all(|row| group.iter().filter(|v| examples.get(row, **v) == Some(true)).count() == 1);
                if exactly_one {
                    let count = examples.len() as u64;
                    let origin = match block.one_hot() == Some(axis) {
                        true => Origin::Encoding,
                        false => Origin::Learned { by: "axes".to_owned() },
                    };
                    let evidence =
                        Evidence { examples: count, satisfied: count, situations: 3, ..Evidence::default() };
                    let literals = group.iter().map(|v| v.positive());
                    rules.insert(Rule { constraint: Constraint::exactly(1, literals), evidence, origin });
                }
            }
        }
        control.advance(1);
    }
    for var in variables.iter() {
        let ones: u32 = examples.ones(var).iter().map(|word| word.count_ones()).sum();
        constant += usize::from(ones == 0 || ones as usize == examples.len());
    }
    let stop = if control.is_cancelled() { StopReason::Interrupted } else { StopReason::Exhausted };
    let equality_rank = rules.equality_rank();
    Learned {
        verdict: Verdict {
            examples: examples.len(),
            variables: variables.len(),
            equality_rank,
            constant,
            gained_late: settings.stability.then_some(0),
            lost_late: settings.stability.then_some(0),
            ..Verdict::default()
        },
        rules,
        dropped: vec![],
        report: Report { stop, rounds: 1, rows: 0, candidates: vec![], times: vec![] },
    }
}

pub struct Family {
    pub line: String,
    pub members: Vec<usize>,
    pub expected: usize,
    pub missing: Vec<String>,
}

impl std::fmt::Display for Family {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.line)
    }
}

/// Every rule alone.
pub fn lift(rules: &RuleSet) -> Vec<Family> {
    let line = |rule: &Rule| explain(rules.variables(), &rule.constraint).sentence;
    let single = |(at, rule)| Family { line: line(rule), members: vec![at], expected: 1, missing: vec![] };
    rules.rules().iter().enumerate().map(single).collect()
}

pub struct Explanation {
    pub sentence: String,
    pub drawing: Option<String>,
}

pub fn explain(variables: &Variables, constraint: &Constraint) -> Explanation {
    let names: Vec<String> = constraint.literals().iter().map(|l| variables.literal(*l)).collect();
    let sums: Vec<String> = constraint.sums().iter().map(|sum| sum.to_string()).collect();
    Explanation { sentence: format!("{} of {}", sums.join(" or "), names.join(", ")), drawing: None }
}

pub fn evidence_line(evidence: &Evidence) -> String {
    format!("{} of {} examples", evidence.satisfied, evidence.examples)
}

pub mod formats {
    use std::path::Path;

    use precept_logic::Problem;
    use precept_logic::json::{self, JsonError};

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Format {
        Json,
    }

    impl Format {
        pub fn from_path(path: &Path) -> Option<Format> {
            path.extension()?.to_str()?.parse().ok()
        }
    }

    impl std::fmt::Display for Format {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.pad("json")
        }
    }

    impl std::str::FromStr for Format {
        type Err = String;
        fn from_str(text: &str) -> Result<Format, String> {
            (text == "json").then_some(Format::Json).ok_or_else(|| format!("there is no format {text:?}"))
        }
    }

    pub fn read(text: &str, _: Format) -> Result<Problem, JsonError> {
        json::read(text).map(Problem::from)
    }

    pub fn write(problem: &Problem, _: Format) -> Result<String, JsonError> {
        Ok(json::write(&problem.rules))
    }
}
