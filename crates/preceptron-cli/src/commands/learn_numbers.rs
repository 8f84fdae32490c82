//! What `precept learn` says of columns of whole numbers.

use std::io::Write;

use preceptron_logic::{Problem, RuleSet, json};
use serde_json::{Value, json};

use super::learn::Arguments;
use crate::YesNo;
use crate::numbers::{self, NumbersFound};
use crate::output::Destination;
use crate::present::count;

/// Rules of both kinds.
pub fn problem(rules: &RuleSet, numbers: Option<&NumbersFound>) -> Problem {
    let numbers = numbers.map(|found| found.rules.clone()).unwrap_or_default();
    Problem { numbers, ..Problem::from(rules.clone()) }
}

/// The rules of numbers as they stand in a file, each with its line.
pub fn as_json(found: &NumbersFound) -> anyhow::Result<Value> {
    let mut object = serde_json::to_value(&found.rules)?;
    let lines: Vec<String> = found.rules.rules.iter().map(|rule| found.rules.line(rule)).collect();
    object["lines"] = json!(lines);
    object["interrupted"] = json!(found.is_interrupted);
    Ok(object)
}

/// The rules of numbers, one line each.
pub fn print(source: &str, found: &NumbersFound, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "{source}: {}", count(found.rows, "row"))?;
    found.said.iter().try_for_each(|line| writeln!(out, "  {line}"))?;
    if found.is_interrupted {
        writeln!(out, "\nThe search for rules of numbers was interrupted; these were found until then.")?;
    }
    let number = found.rules.rules.len();
    if number == 0 {
        return writeln!(out, "\nNo rule of whole numbers was found.");
    }
    writeln!(out, "\n{} of whole numbers:", count(number, "rule"))?;
    numbers::lines(&found.rules).iter().try_for_each(|line| writeln!(out, "  {line}"))
}

/// Ends the command where a table has no other columns.
pub fn finish(
    arguments: &Arguments,
    found: &NumbersFound,
    destination: Option<&Destination>,
    out: &mut dyn Write,
) -> anyhow::Result<YesNo> {
    let source = arguments.shown();
    let mut rules = RuleSet::default();
    rules.notes.insert("source".to_owned(), source.clone());
    rules.notes.insert("examples".to_owned(), found.rows.to_string());
    rules.notes.insert("program".to_owned(), preceptron::PROGRAM.to_owned());
    if let Some(destination) = destination {
        destination.write(json::write_problem(&problem(&rules, Some(found))).as_bytes())?;
    }
    if arguments.json {
        let object =
            json!({ "table": { "file": source, "examples": found.rows }, "numbers": as_json(found)? });
        writeln!(out, "{object}")?;
    } else {
        print(&source, found, out)?;
        writeln!(out, "\nIs this enough data?")?;
        writeln!(
            out,
            "  Rules are those that no row breaks and that chance and the other rules do not explain;"
        )?;
        writeln!(
            out,
            "  what more rows would show is not known. Rows are taken to be independent of each other."
        )?;
        match &arguments.out {
            Some(path) => writeln!(out, "\nWritten to {}.", path.display())?,
            None => writeln!(out, "\nNext:\n  precept learn {source} --out rules.json    to keep the rules")?,
        }
    }
    Ok(if found.rules.rules.is_empty() { YesNo::No } else { YesNo::Yes })
}
