//! Wrong entries, with the threshold left to the learner: rules found, others, and suspected cells.

use preceptron_base::Quiet;
use preceptron_base::meter::Started;
use preceptron_learn::{Examples, Settings, learn};
use preceptron_logic::{Constraint, Origin, sentence};
use preceptron_reason::Entailment;

use crate::Asked;
use crate::erring_tables::{Erring, KINDS, table};

/// Conflicts in the proof that a rule is implied.
const CONFLICTS: u64 = 100_000;

/// Prints, for each kind and share of wrong entries, what is found. A rule is found if what was learned implies it;
/// another is one that the true rules do not imply.
pub fn measure(asked: &Asked) {
    let settings =
        Settings { auto_threshold: true, ..Settings::default() }.check().expect("settings are in range");
    for kind in KINDS.into_iter().filter(|kind| format!("{kind:?}").to_lowercase().starts_with(&asked.only)) {
        for share in [0.0, 0.01, 0.05] {
            let started = Started::now();
            let (mut rules, mut found, mut learned_rules, mut others) = (0, 0, 0, 0);
            let (mut wrong, mut breaking, mut suspected) = (0, 0, 0);
            let mut shares = Vec::new();
            for number in asked.first..asked.first + asked.tables {
                let truth = table(kind, asked.set, share, number);
                let examples = Examples::from_full_rows(truth.variables.len(), &truth.rows);
                let learned = learn(&truth.variables, &examples, &settings, &Quiet);
                let own = learned.rules.rules().iter();
                let own: Vec<Constraint> = own
                    .filter(|rule| matches!(rule.origin, Origin::Learned { .. }))
                    .map(|rule| rule.constraint.clone())
                    .collect();
                let lacking = not_implied(&truth, &own, &truth.rules);
                let strange = not_implied(&truth, &truth.rules, &own);
                if asked.show {
                    let print = |what: &str, rules: &[Constraint]| {
                        rules.iter().take(12).for_each(|rule| {
                            println!("  {kind:?} {number}: {what} {}", sentence(&truth.variables, rule));
                        });
                    };
                    print("lacks", &lacking);
                    print("has also", &strange);
                }
                (rules, found) = (rules + truth.rules.len(), found + truth.rules.len() - lacking.len());
                (learned_rules, others) = (learned_rules + own.len(), others + strange.len());
                let is_suspected = |&&(row, v, _): &&(usize, preceptron_logic::Var, bool)| {
                    let is = |s: &preceptron_learn::Suspect| s.was == Some(v) || s.mended == Some(v);
                    learned.suspects.iter().any(|s| s.example == row && is(s))
                };
                // Those that break no rule nobody can see.
                let breaks = |&&(row, v, _): &&(usize, preceptron_logic::Var, bool)| {
                    let around = truth.rules.iter().filter(|rule| {
                        let column = truth.encoded.iter().find(|group| group.variables().any(|w| w == v));
                        rule.variables()
                            .any(|w| w == v || column.is_some_and(|c| c.variables().any(|x| x == w)))
                    });
                    around.into_iter().any(|rule| !rule.holds(|w| truth.rows[row][w.index()]))
                };
                let visible: Vec<_> = truth.wrong.iter().filter(breaks).collect();
                wrong += truth.wrong.len();
                breaking += visible.len();
                suspected += visible.iter().filter(|entry| is_suspected(entry)).count();
                shares.push(learned.wrong.unwrap_or(0.0));
            }
            println!(
                "{kind:?}, {share}: {found} of {rules} rules; {others} others of {learned_rules}; {wrong} wrong entries, \
                 {breaking} beside a broken rule, {suspected} of these suspected; shares {shares:.3?}; {:.0} CPU-s",
                started.cost().busy()
            );
        }
    }
}

/// The wanted rules that others, with the encoding, do not imply.
fn not_implied(truth: &Erring, rules: &[Constraint], wanted: &[Constraint]) -> Vec<Constraint> {
    let mut entailment = Entailment::new(truth.variables.len(), CONFLICTS);
    let numbers: Vec<usize> = rules.iter().chain(&truth.encoded).map(|rule| entailment.add(rule)).collect();
    wanted.iter().filter(|rule| !entailment.implies(numbers.iter().copied(), rule)).cloned().collect()
}
