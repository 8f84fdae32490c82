//! Rules of a ward learned from its rosters, judged exactly, family by family.
//!
//! ```text
//! cargo run --release -p precept-tasks --example roster -- 50 100 200 500 1000
//! ```
//!
//! A ward of 10 nurses plans 14 days; a roster says who works which shift (off, early, late, night) on
//! which day. Five families of rules bind it: one shift a day, no early shift after a night, days off in
//! every week, cover of every shift, and few nights. The arguments are numbers of rosters to learn from.
//! A true rule counts as recovered if the learned rules imply it, and a learned rule as spurious if the
//! true rules do not. With `--rules`, what was learned is printed as well, in families.

use std::time::Instant;

use precept_learn::{Quiet, Settings, learn};
use precept_logic::{Rule, RuleSet, lift, sentence};
use precept_reason::implied;
use precept_tasks::roster::{Ward, generate};

const SIZES: [usize; 5] = [50, 100, 200, 500, 1000];
/// Spurious rules to print for each size.
const SHOWN: usize = 5;

fn main() {
    let (flags, sizes): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|a| a == "--rules");
    let sizes: Option<Vec<usize>> = sizes.iter().map(|size| size.parse().ok()).collect();
    let sizes = match sizes {
        Some(sizes) if sizes.is_empty() => SIZES.to_vec(),
        Some(sizes) => sizes,
        None => {
            eprintln!("expected numbers of rosters, such as 50 100 200, and perhaps --rules");
            std::process::exit(2);
        }
    };
    let ward = Ward::default();
    let families = ward.families();
    let all = families.iter().flat_map(|(_, rules)| rules.iter().cloned().map(Rule::given));
    let truth = RuleSet::with_rules(ward.variables(), all);
    let settings = Settings { stability: false, ..Settings::default() };
    let settings = settings.check().expect("settings within their ranges");
    print!("{:>7}", "rosters");
    families.iter().for_each(|(name, _)| print!("  {name}"));
    println!("  learned  spurious  seconds");
    for size in sizes {
        let rosters = generate(&ward, size, 1).expect("the default ward has rosters");
        let examples = ward.examples(&rosters);
        let started = Instant::now();
        let learned = learn(truth.variables(), &examples, &settings, &Quiet);
        let seconds = started.elapsed().as_secs_f64();
        print!("{size:>7}");
        for (name, rules) in &families {
            let found = implied(&learned.rules, rules).into_iter().filter(|&found| found).count();
            print!("  {:>width$}", format!("{found}/{}", rules.len()), width = name.len());
        }
        let is_true = implied(&truth, learned.rules.constraints());
        let spurious: Vec<&Rule> =
            learned.rules.rules().iter().zip(is_true).filter(|(_, ok)| !ok).map(|(rule, _)| rule).collect();
        println!("  {:>7}  {:>8}  {seconds:>7.2}", learned.rules.len(), spurious.len());
        for rule in spurious.iter().take(SHOWN) {
            println!("         spurious: {}", sentence(truth.variables(), &rule.constraint));
        }
        if !flags.is_empty() {
            lift(&learned.rules).iter().for_each(|family| println!("         {family}"));
        }
    }
}
