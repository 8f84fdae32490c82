//! Results of driving in words: rules, what is declared, rows of tables.

use std::io::{self, Write};

use preceptron_tasks::driving::{
    DRAWS, Findings, Frames, LearningSettings, Row, Steps, Supervision, Trained, degree_rules, rules_in_words,
};

use super::print_table;

/// The columns of a table of rows.
const TITLES: [&str; 10] = [
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

/// Prints rows.
pub fn print_rows(out: &mut dyn Write, rows: &[Row]) -> io::Result<()> {
    let line = |row: &Row| {
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
    };
    print_table(out, &TITLES, &rows.iter().map(line).collect::<Vec<_>>())?;
    writeln!(
        out,
        "\n  F1 of the cells of paths, against those shown. Arrived: connected, and without collision. Regret: cells\n  \
         beyond the shortest path, of safe plans. \
         Precision and recall are of obstacle cells. The authors' distance holds the length of a path against the\n  \
         number of obstacles: a perfect planner does not score 0."
    )
}

/// What frames are, in a few words.
pub fn kind(frames: &Frames) -> &'static str {
    if frames.is_synthetic { "frames with synthetic pictures" } else { "frames" }
}

/// Prints what was learned, and what was declared.
pub fn print_findings(out: &mut dyn Write, trained: &Trained, findings: &Findings) -> io::Result<()> {
    let [train, held_out] = findings.frames;
    let Some(learned) = &findings.learned else {
        return writeln!(out, "No rules: the network gives the cells of paths itself.");
    };
    writeln!(out, "{} rules from {} demonstrations:", learned.rules.relative().len(), train + held_out)?;
    for line in rules_in_words(learned) {
        writeln!(out, "  {line}")?;
    }
    let comparison = learned.rules.compare(&degree_rules());
    let (missing, extra) = (comparison.missing_relative.len(), comparison.extra_relative.len());
    writeln!(
        out,
        "  Of the rules of paths, which nobody told, {missing} are missing and {extra} others are there."
    )?;
    if trained.settings.supervision == Supervision::Paths {
        writeln!(out, "\nFrom paths alone; the maps are known to the judge only:")?;
        let [sure, likely] = findings.clauses;
        writeln!(
            out,
            "  {sure} times something on a shorter path must be blocked, {likely} times on one as short;"
        )?;
        writeln!(out, "  the latter is believed with a probability of {:.2}", findings.trust)?;
    }
    if let Some(ties) = &trained.choices.ties {
        writeln!(
            out,
            "  learned: which of equally short paths ({} of {} demonstrations are planned as shown)",
            ties.agreed, ties.lessons
        )?;
    }
    if trained.planner.is_some() {
        writeln!(
            out,
            "  plans: the most worth on average over {DRAWS} maps drawn from what the network sees, on each of \
             which the driver is simulated; beside it length and risk alone"
        )?;
        writeln!(
            out,
            "  declared: where a plan collides it is worth {:.0}% less; chosen on the {held_out} frames held out \
             (F1 {:.3}): {:+} on the network's logits, which makes the paths shown there likeliest; by risk alone, \
             a risk of 1/e is worth {} cells of detour",
            100.0 * trained.settings.caution,
            findings.held_out_f1,
            trained.choices.shift,
            trained.choices.kappa
        )?;
    }
    leans_on(&trained.settings).iter().try_for_each(|line| writeln!(out, "  {line}"))
}

/// What a result needs beyond pictures and paths, and what is declared.
pub fn leans_on(settings: &LearningSettings) -> Vec<String> {
    let corner = match settings.steps {
        Steps::Metric => "1.41",
        Steps::Equal => "as much as one along a row",
    };
    let mut lines = Vec::new();
    if settings.supervision == Supervision::Maps {
        lines.push("told: the true maps of the frames trained on".to_owned());
    }
    if settings.supervision.plans() {
        lines.push(format!("declared: short paths are wanted; a step across a corner costs {corner}"));
    }
    if settings.supervision == Supervision::Paths {
        lines.push(
            "declared while the network is trained: no path leads through an obstacle. A rule that says so is \
             looked for afterwards, on frames held out, against the maps that the network believes in"
                .to_owned(),
        );
    }
    if settings.supervision != Supervision::Resnet {
        lines.push(
            "known: where the camera stands and looks, and so where in the picture a cell is".to_owned(),
        );
    }
    if settings.supervision.plans() {
        lines.push("each picture is looked at twice, as it is and mirrored".to_owned());
    }
    lines
}
