//! Twenty random rule sets: no learned rule is spurious, and every equality is recovered.
//!
//! Both judgements are exact. Bounds and clauses that rarely bite need more examples than these, so of
//! the other kinds the share that is recovered is printed (`--nocapture`) and not asserted.

use std::fmt::Write;

use preceptron_base::Quiet;
use preceptron_learn::{Settings, learn};
use preceptron_logic::{evidence_line, sentence};
use preceptron_tasks::random_rules::{Kind, RandomRules, VARIABLES};

const KINDS: [Kind; 4] = [Kind::Equality, Kind::AtMost, Kind::AtLeast, Kind::Implication];
const SETS: u64 = 20;
const EXAMPLES: usize = 2000;

#[test]
fn nothing_spurious_and_every_equality() {
    let settings = Settings { stability: false, ..Settings::default() }.check().unwrap();
    let (mut recovered, mut there) = ([0; 4], [0; 4]);
    let mut wrong = String::new();
    for seed in 0..SETS {
        let random = RandomRules::generate(seed, VARIABLES, EXAMPLES);
        let learned = learn(&random.variables, &random.examples, &settings, &Quiet);
        for rule in learned.rules.rules().iter().filter(|rule| !random.entails(&rule.constraint)) {
            let (what, why) = (sentence(&random.variables, &rule.constraint), evidence_line(&rule.evidence));
            writeln!(wrong, "seed {seed}: spurious: {what} ({:?}; {why})", rule.origin).unwrap();
        }
        let found = random.entailed_by(&learned.rules);
        for ((constraint, &kind), found) in random.truth.constraints().zip(&random.kinds).zip(found) {
            there[kind as usize] += 1;
            recovered[kind as usize] += usize::from(found);
            if kind == Kind::Equality && !found {
                writeln!(wrong, "seed {seed}: missing: {}", sentence(&random.variables, constraint)).unwrap();
            }
        }
    }
    let share = |kind: Kind| format!("{kind:?} {}/{}", recovered[kind as usize], there[kind as usize]);
    let shares = KINDS.map(share).join(", ");
    println!("recovered from {EXAMPLES} examples each: {shares}");
    assert!(wrong.is_empty(), "recovered: {shares}\n{wrong}");
}
