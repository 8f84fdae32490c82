//! Adapting a run: a new run with the network as it has become, and what is said of it.

use std::path::Path;

use preceptron_base::{Control, as_typed, quoted};
use serde_json::json;

use super::{AdaptSettings, Adapted, Adapting, Standing, adapt};
use crate::words::{count, percentage, print_table, text};
use crate::{Context, Reserved, Run, Shown, TaskResult, ensure};

/// Adapts the network of a run, and writes a new run with its settings, its rules and the new network.
///
/// # Errors
/// If the network or the reasoner fails, or the new run cannot be written.
pub fn adapted_run(
    run: &Run,
    adapting: &Adapting,
    settings: &AdaptSettings,
    (source, reserved): (&Path, Reserved),
    control: &dyn Control,
) -> TaskResult<Shown> {
    let model = run.model()?;
    ensure!(model.network.is_some(), "{}: the run has no network to adapt", run.path().display());
    let (mut model, adapted) = adapt(adapting, &model, settings, control)?;
    let mut object =
        json!({ "source": source, "from": run.path(), "adapted": adapted, "notes": adapting.notes });
    let said = text(|out| print(&adapted, adapting, settings, out))?;
    if !adapted.is_kept {
        object["run"] = json!(null);
        return Ok(Shown::answer(false, said, object));
    }
    if !model.found.is_object() {
        model.found = json!({});
    }
    model.found["adapted"] = json!({ "from": run.id(), "to": source, "rounds": adapted.rounds });
    let mut origin = toml::Table::new();
    origin.insert("from".to_owned(), run.id().into());
    // Neither threads nor names of folders change what comes of it; the pictures do.
    let decisive = AdaptSettings { threads: 1, pictures: None, ..settings.clone() };
    origin.insert("adapt".to_owned(), as_typed(&decisive).into());
    origin.insert("pixels".to_owned(), pixels_id(adapting).into());
    let own: toml::Table = run.settings()?;
    let new = reserved.create_from(origin, run.task(), &own, &[])?;
    let path = new.path().display().to_string();
    drop(new.metrics_after(0).context(&path)?);
    new.write_model(&model, true)?;
    object["run"] = json!(new.path());
    let stopped =
        if adapted.is_interrupted { "Interrupted; what was learned until then is kept. " } else { "" };
    let shown = quoted(&path);
    let said = format!(
        "{said}\n{stopped}Written to {path}; {} is as it was.\n\nNext:\n  precept solve {shown} ...\n  precept report {shown}\n",
        run.path().display()
    );
    Ok(Shown::answer(!adapted.is_interrupted, said, object))
}

/// What tells other pictures of the same name apart.
fn pixels_id(adapting: &Adapting) -> String {
    use sha2::{Digest, Sha256};
    let pixels: &[u8] = adapting.scenes.pixels();
    Sha256::digest(pixels).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

fn print(
    adapted: &Adapted,
    adapting: &Adapting,
    settings: &AdaptSettings,
    out: &mut dyn std::io::Write,
) -> std::io::Result<()> {
    let unit = adapting.unit;
    for note in &adapting.notes {
        writeln!(out, "{note}")?;
    }
    if adapted.rounds.is_empty() {
        let why = match adapted.is_interrupted {
            true => "Interrupted before anything was learned".to_owned(),
            false => format!(
                "No {unit} is sure to {}: the rules cannot repair what is read, and nothing is learned",
                settings.sure
            ),
        };
        return writeln!(out, "{why}. Nothing was written.");
    }
    writeln!(out, "What taught the network, round by round; no answer was used:")?;
    let line = |(number, round): (usize, &super::Round)| {
        vec![
            (number + 1).to_string(),
            format!("{} of {}", round.sure, round.examples),
            round.pictures.to_string(),
            round.repaired.to_string(),
            format!("{:.3}", round.loss),
        ]
    };
    let titles = ["round", &format!("{unit}s that are sure"), "pictures", "of them repaired", "loss"];
    print_table(out, &titles, &adapted.rounds.iter().enumerate().map(line).collect::<Vec<_>>())?;
    let sets = [("held out, which taught nothing", &adapted.held_out), ("that taught", &adapted.others)];
    for (name, standings) in sets {
        if let [Some(before), Some(after)] = standings
            && before.examples > 0
        {
            writeln!(out, "\nOf {} {name}:", count(before.examples, unit))?;
            print_table(out, &["", "before", "after"], &lines(before, after, unit, settings.sure))?;
        }
    }
    let judging = if adapted.held_out[0].as_ref().is_some_and(|one| one.examples > 0) {
        &adapted.held_out
    } else {
        &adapted.others
    };
    if let ([Some(before), Some(after)], false) = (judging, adapted.is_kept) {
        writeln!(
            out,
            "\nOf the held-out {unit}s, {} obey the rules as they are read and {} are sure; {} and {} were so before. The network \
             stays as it was, and nothing was written.",
            after.obeying, after.sure, before.obeying, before.sure
        )?;
    }
    Ok(())
}

fn lines(before: &Standing, after: &Standing, unit: &str, sure: f64) -> Vec<Vec<String>> {
    let share = |(part, all): (usize, usize)| match all {
        0 => "-".to_owned(),
        _ => percentage(part as f64 / all as f64),
    };
    let line = |name: String, of: &dyn Fn(&Standing) -> Option<(usize, usize)>| {
        Some(vec![name, share(of(before)?), share(of(after)?)])
    };
    let judged = |of: fn(&super::Judged, usize) -> (usize, usize)| {
        move |one: &Standing| one.judged.as_ref().map(|judged| of(judged, one.examples))
    };
    let all = [
        line(format!("{unit}s that obey the rules as they are read"), &|one| {
            Some((one.obeying, one.examples))
        }),
        line(format!("{unit}s sure to {sure}"), &|one| Some((one.sure, one.examples))),
        line("pictures that the rules repair".to_owned(), &|one| Some((one.repaired, one.completed))),
        line(
            "by answers: pictures read right".to_owned(),
            &judged(|one, _| (one.pictures[1], one.pictures[0])),
        ),
        line(format!("by answers: {unit}s read right"), &judged(|one, _| (one.read[1], one.read[0]))),
        line(
            format!("by answers: {unit}s right, the first guess pinned"),
            &judged(|one, all| (one.pinned, all)),
        ),
        line(
            format!("by answers: {unit}s right, the likeliest (MAP)"),
            &judged(|one, all| (one.likeliest, all)),
        ),
    ];
    all.into_iter().flatten().collect()
}
