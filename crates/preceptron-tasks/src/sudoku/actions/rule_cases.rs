//! The settings that `precept bench rules` measures.

use preceptron_learn::{Form, Settings};

/// What of a board is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum View {
    /// All cells.
    Full,
    /// The cells that are not given.
    Answers,
    /// The cells that are not given, of which this share holds a wrong digit.
    Wrong(f64),
}

/// One line of the table.
pub struct Case {
    /// The name on the command line.
    pub name: String,
    /// What is measured, in words.
    pub words: String,
    /// What of the boards is seen.
    pub view: View,
    /// How many boards are taken, if not all.
    pub boards: Option<usize>,
    /// What the learner is set to.
    pub settings: Settings,
    /// Whether only the first seed is measured, since each takes long.
    pub once: bool,
}

/// What the paper's form is measured with.
#[derive(Clone, Copy)]
pub struct Paper {
    /// Rows.
    pub rows: u32,
    /// Updates of each row.
    pub iterations: u32,
    /// The t that the penalty reaches.
    pub penalty: f64,
}

/// The share of examples that must satisfy a rule where digits are wrong.
const THRESHOLD: f64 = 0.9;

/// All cases; those with few boards only if they are wanted.
pub fn cases(few: bool, paper: Paper) -> Vec<Case> {
    let learner = Settings { stability: false, ..Settings::default() };
    let alone = Settings { cliques: false, counting: false, parity: false, ..learner.clone() };
    let global = Settings { form: Form::Global, ..alone.clone() };
    let printed = Settings {
        form: Form::Paper,
        rows: Some(paper.rows),
        iterations: Some(paper.iterations),
        dc_penalty: Some(paper.penalty),
        rounds: 1,
        ..alone.clone()
    };
    let mut all = Vec::new();
    let mut add = |name: &str, words: &str, view, boards, settings: &Settings| {
        let (name, words, settings) = (name.to_owned(), words.to_owned(), settings.clone());
        all.push(Case { once: settings.form == Form::Paper, name, words, view, boards, settings });
    };
    for (suffix, boards) in [("", None), ("-300", Some(300))] {
        add(&format!("full{suffix}"), "full boards", View::Full, boards, &learner);
        let words = "full boards, least squares alone";
        add(&format!("least-squares{suffix}"), words, View::Full, boards, &alone);
    }
    add("non-given", "non-given cells", View::Answers, None, &learner);
    for count in [1000, 500, 400, 300, 220, 150] {
        if few || count >= 500 {
            let name = format!("non-given-{count}");
            add(&name, "non-given cells", View::Answers, Some(count), &learner);
        }
    }
    let noisy = Settings { threshold: THRESHOLD, ..learner.clone() };
    for percent in [5, 20] {
        let words = format!("non-given cells, {percent}% wrong, threshold {THRESHOLD}");
        let view = View::Wrong(f64::from(percent) / 100.0);
        add(&format!("wrong-{percent}"), &words, view, None, &noisy);
    }
    let Paper { rows, iterations, penalty } = paper;
    let with = format!("{rows} rows, t to {penalty} in {iterations} iterations");
    for (name, words, settings) in [
        ("local", "full boards, anchored form", &alone),
        ("global", "full boards, global form, 400 rows a round", &global),
        ("paper", &format!("full boards, paper's form, {with}"), &printed),
    ] {
        // Least squares alone on all boards is the anchored form as it is.
        if name != "local" {
            add(name, words, View::Full, None, settings);
        }
        let ablated = Settings { trust_region: Some(0.0), ..settings.clone() };
        add(&format!("{name}-ntr"), &format!("{words}, NTR"), View::Full, None, &ablated);
        let ablated = Settings { dc_penalty: Some(0.0), ..settings.clone() };
        add(&format!("{name}-ndc"), &format!("{words}, NDC"), View::Full, None, &ablated);
    }
    all
}

/// The cases with these names, or whose names begin with one of them and a hyphen; the name that fits none
/// if there is one.
pub fn chosen(mut cases: Vec<Case>, only: &[String]) -> Result<Vec<Case>, String> {
    let fits = |case: &Case, name: &String| {
        case.name.strip_prefix(name.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    if let Some(unknown) = only.iter().find(|&name| !cases.iter().any(|case| fits(case, name))) {
        let known: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
        return Err(format!("there is no case {unknown:?}: the cases are {}", known.join(", ")));
    }
    if !only.is_empty() {
        cases.retain(|case| only.iter().any(|name| fits(case, name)));
    }
    Ok(cases)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAPER: Paper = Paper { rows: 50, iterations: 100, penalty: 0.5 };

    #[test]
    fn settings_are_within_their_ranges_and_names_differ() {
        let all = cases(true, PAPER);
        let names: std::collections::BTreeSet<&str> = all.iter().map(|case| case.name.as_str()).collect();
        assert_eq!(names.len(), all.len());
        assert!(all.iter().all(|case| case.settings.clone().check().is_ok()));
    }

    #[test]
    fn names_choose_themselves_and_what_they_begin() {
        let names = |only: &[&str]| {
            let only: Vec<String> = only.iter().map(|name| (*name).to_owned()).collect();
            chosen(cases(false, PAPER), &only)
                .map(|cases| cases.into_iter().map(|c| c.name).collect::<Vec<_>>())
        };
        assert_eq!(names(&["full-300"]).unwrap(), ["full-300"]);
        assert_eq!(names(&["global", "wrong-5"]).unwrap(), ["wrong-5", "global", "global-ntr", "global-ndc"]);
        assert!(names(&["glob"]).unwrap_err().starts_with("there is no case \"glob\": the cases are full, "));
        assert_eq!(names(&[]).unwrap().len(), cases(false, PAPER).len());
    }
}
