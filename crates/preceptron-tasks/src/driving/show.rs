//! Results of driving in words and as JSON: rules, what is declared, rows of tables.

use std::io::{self, Write};

use preceptron::words::{print_table, text};
use preceptron::{Case, Report, Shown, TaskResult};
use preceptron_logic::RuleSet;
use serde_json::{Value, json};

use super::{
    Choices, DRAWS, Driving, DrivingData, DrivingSettings, Findings, Frames, Row, Steps, Supervision, Table,
    degree_rules, rule_set_in_words, rules_with_facts,
};

/// The columns of a table of rows.
pub const TITLES: [&str; 10] = [
    "",
    "F1",
    "exact",
    "collision",
    "connected",
    "arrived",
    "regret",
    "precision",
    "recall",
    "authors' distance",
];

/// What the columns mean.
pub const MEANING: &str = "\
F1 of the cells of paths, against those shown. Arrived: connected, and without collision. Regret: cells
beyond the shortest path, of safe plans. Precision and recall are of obstacle cells. The authors' distance
holds the length of a path against the number of obstacles: a perfect planner does not score 0.";

/// The same of the columns that are printed.
const MEANING_OF_SHOWN: &str = "\
F1 of the cells of paths, against those shown. Arrived: connected, and without
collision. Regret: cells beyond the shortest path, of safe plans. Precision and
recall are of obstacle cells.";

/// A row as cells of a table.
pub fn cells(row: &Row) -> Vec<String> {
    let judgement = &row.judgement;
    let maybe = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.3}"));
    let share = |value: f64| format!("{value:.3}");
    vec![
        row.name.clone(),
        share(judgement.path_f1),
        share(judgement.exact),
        share(judgement.collision),
        share(judgement.connected),
        share(judgement.arrived),
        format!("{:.2}", judgement.length_regret),
        maybe(judgement.obstacle_precision),
        maybe(judgement.obstacle_recall),
        format!("{:.2}", judgement.authors_distance),
    ]
}

fn print_rows(out: &mut dyn Write, rows: &[Row]) -> io::Result<()> {
    // The rest is on the page of a run, and in JSON.
    let shown = [0, 1, 3, 5, 6, 7, 8];
    let chosen = |row: &Row| {
        let cells = cells(row);
        shown.map(|column| cells[column].clone()).to_vec()
    };
    print_table(out, &shown.map(|column| TITLES[column]), &rows.iter().map(chosen).collect::<Vec<_>>())?;
    writeln!(out, "\n  {}", MEANING_OF_SHOWN.replace('\n', "\n  "))
}

/// What frames are, in a few words.
pub fn kind(frames: &Frames) -> &'static str {
    if frames.is_synthetic { "frames with synthetic pictures" } else { "frames" }
}

/// How many rules of paths are missing, and how many others there are.
pub fn compared(rules: &RuleSet) -> (usize, usize) {
    let comparison = rules.compare(&degree_rules());
    (comparison.missing_relative.len(), comparison.extra_relative.len())
}

/// The score and, after training, what was learned.
pub fn shown(case: Case<'_, Driving>, table: &Table, trained: Option<&Report>) -> TaskResult<Shown> {
    let DrivingData { train, test, left_out } = case.data;
    let mut json = json!({
        "task": "driving", "synthetic": test.is_synthetic, "train": train.len(), "test": test.len(),
        "frames": test.len(), "left_out": left_out, "rows": table.rows,
    });
    if trained.is_none() {
        let text = text(|out| {
            if *left_out > 0 {
                let why = "they, or others of their drives, were trained on";
                writeln!(out, "{left_out} frames are left out: {why}.")?;
            }
            writeln!(out, "{} {}:", test.len(), kind(test))?;
            print_rows(out, &table.rows)
        })?;
        return Ok(Shown::yes(text, json));
    }
    let findings: Findings = serde_json::from_value(case.model.found.clone())?;
    let choices = Choices::of(case.model)?;
    let (plans, rules) = (case.settings.supervision.plans(), &case.model.rules);
    let more = json!({
        "rules": plans.then(|| rules.relative().len()), "rules_found": !plans || compared(rules) == (0, 0),
        "kappa": choices.kappa, "shift": choices.shift, "held_out_f1": findings.held_out_f1,
        "trust": findings.trust, "clauses": findings.clauses,
    });
    if let (Value::Object(all), Value::Object(more)) = (&mut json, more) {
        all.extend(more);
    }
    let text = text(|out| {
        print_findings(out, case, &findings, &choices)?;
        writeln!(out, "\nOn {} {} of other drives:", test.len(), kind(test))?;
        print_rows(out, &table.rows)
    })?;
    Ok(Shown::answer(!plans || !rules.relative().is_empty(), text, json))
}

/// Prints what was learned, and what was declared.
fn print_findings(
    out: &mut dyn Write,
    case: Case<'_, Driving>,
    findings: &Findings,
    choices: &Choices,
) -> io::Result<()> {
    let (settings, rules, [train, held_out]) = (case.settings, &case.model.rules, findings.frames);
    if !settings.supervision.plans() {
        return writeln!(out, "No rules: the network gives the cells of paths itself.");
    }
    writeln!(out, "{} rules from {} demonstrations:", rules.relative().len(), train + held_out)?;
    for line in rules_with_facts(rules, &findings.facts) {
        writeln!(out, "  {line}")?;
    }
    let (missing, extra) = compared(rules);
    let which = "Of the rules of paths, which nobody told,";
    writeln!(out, "  {which} {missing} are missing and {extra} others are there.")?;
    if settings.supervision == Supervision::Paths {
        let [sure, likely] = findings.clauses;
        writeln!(
            out,
            "\nFrom paths alone; the maps are known to the judge only:\n  \
             {sure} times something on a shorter path must be blocked, {likely} times on one as short;\n  \
             the latter is believed with a probability of {:.2}",
            findings.trust
        )?;
    }
    if let Some(preferences) = &choices.preferences {
        writeln!(
            out,
            "  learned: which of equally short paths ({} of {} demonstrations are planned as shown)",
            preferences.agreed, preferences.lessons
        )?;
    }
    writeln!(
        out,
        "  plans: the most worth on average over {DRAWS} maps drawn from what the network sees, on each of \
         which the driver is simulated; beside it length and risk alone\n  \
         declared: where a plan collides it is worth {:.0}% less; chosen on the {held_out} frames held out \
         (F1 {:.3}): {:+} on the network's logits, which makes the paths shown there likeliest; by risk alone, \
         a risk of 1/e is worth {} cells of detour",
        100.0 * settings.caution,
        findings.held_out_f1,
        choices.shift,
        choices.kappa
    )?;
    assumptions(settings).iter().try_for_each(|line| writeln!(out, "  {line}"))
}

/// What a result needs beyond pictures and paths, and what is declared.
pub fn assumptions(settings: &DrivingSettings) -> Vec<String> {
    let (supervision, mut lines) = (settings.supervision, Vec::new());
    let corner = match settings.maps.steps {
        Steps::Metric => "1.41",
        Steps::Equal => "as much as one along a row",
    };
    if supervision == Supervision::Maps {
        lines.push("told: the true maps of the frames trained on".to_owned());
    }
    if supervision.plans() {
        lines.push(format!("declared: short paths are wanted; a step across a corner costs {corner}"));
    }
    if supervision == Supervision::Paths {
        lines.push(
            "declared while the network is trained: no path leads through an obstacle. A rule that says so is \
             looked for afterwards, on frames held out, against the maps that the network believes in"
                .to_owned(),
        );
    }
    if supervision != Supervision::Resnet {
        lines.push(
            "known: where the camera stands and looks, and so where in the picture a cell is".to_owned(),
        );
    }
    if supervision.plans() {
        lines.push("each picture is looked at twice, as it is and mirrored".to_owned());
    }
    lines
}

/// The rules that were learned, in words.
pub fn rules(rules: &RuleSet) -> TaskResult<Shown> {
    let lines = rule_set_in_words(rules);
    let text = text(|out| match lines.is_empty() {
        true => writeln!(out, "No rules: the network gives the cells of paths itself."),
        false => {
            writeln!(out, "Rules relative to a cell, in every orientation:")?;
            lines.iter().try_for_each(|line| writeln!(out, "  - {line}"))
        }
    })?;
    let written: Value = serde_json::from_str(&preceptron_logic::json::write(rules))?;
    Ok(Shown::yes(text, json!({ "words": lines, "rules": written })))
}
