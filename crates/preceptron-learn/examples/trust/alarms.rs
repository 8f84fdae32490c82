//! False alarms: rules that are reported of tables without rules.

use preceptron_base::Quiet;
use preceptron_base::meter::Started;
use preceptron_learn::{Settings, learn};
use preceptron_logic::{Origin, sentence};

use crate::Asked;
use crate::free_tables::{KINDS, table};

/// Prints, for each kind, in how many tables a rule is reported.
pub fn measure(asked: &Asked) {
    let settings = Settings::default().check().expect("defaults are in range");
    let (mut alarms, mut tables) = (0, 0);
    for kind in KINDS.into_iter().filter(|kind| format!("{kind:?}").to_lowercase().starts_with(&asked.only)) {
        let started = Started::now();
        let (mut here, mut rules) = (0, 0);
        for number in asked.first..asked.first + asked.tables {
            let (variables, examples) = table(kind, asked.set, number);
            let learned = learn(&variables, &examples, &settings, &Quiet);
            let is_learned = |origin: &Origin| matches!(origin, Origin::Learned { .. });
            let found: Vec<_> =
                learned.rules.rules().iter().filter(|rule| is_learned(&rule.origin)).collect();
            here += u64::from(!found.is_empty());
            rules += found.len();
            if asked.show && !found.is_empty() {
                println!("  {kind:?} {number}: {} rows of {} variables", examples.len(), variables.len());
                for rule in found.iter().take(6) {
                    let by = match &rule.origin {
                        Origin::Learned { by } => by.as_str(),
                        _ => "",
                    };
                    println!("    {} ({by})", sentence(learned.rules.variables(), &rule.constraint));
                }
            }
        }
        let time = started.cost().busy();
        println!("{kind:?}: a rule in {here} of {} tables ({rules} rules), {:.1} CPU-s", asked.tables, time);
        alarms += here;
        tables += asked.tables;
    }
    println!("all: {alarms} of {tables} ({:.1}%)", 100.0 * alarms as f64 / tables.max(1) as f64);
}
