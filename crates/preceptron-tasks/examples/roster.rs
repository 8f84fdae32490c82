//! Rules of a ward learned from its rosters, judged exactly, family by family.
//!
//! ```text
//! cargo run --release -p preceptron-tasks --example roster -- 50 100 200 500 1000
//! ```
//!
//! A ward of 10 nurses plans 14 days; a roster says who works which shift (off, early, late, night) on
//! which day. Five families of rules bind it: one shift a day, no early shift after a night, days off in
//! every week, cover of every shift, and few nights. The arguments are numbers of rosters to learn from;
//! each is tried with the seeds 0 to 4.
//!
//! A true rule counts as recovered if the learned rules imply it, decided exactly. A learned rule is
//! unsound if the true rules do not imply it, and undecided if the solver gave up; and 1,000 fresh rosters
//! should not violate it.
//!
//! `--seeds 100..103` takes other seeds, `--ward 8,10,1,2,5,1,3` another ward (nurses, days, least and
//! greatest cover, days of a stretch, days off in it, nights), `--no-templates` leaves out sums over axes,
//! and `--rules` prints what was learned, in families. `--write FILE` writes rosters as a table instead, as
//! `precept learn` reads it: as many as the first number says, drawn by the first seed.

use std::time::Instant;

use preceptron_base::Quiet;
use preceptron_learn::{Settings, learn};
use preceptron_logic::{Constraint, Rule, RuleSet, lift, sentence};
use preceptron_reason::Entailment;
use preceptron_tasks::roster::{Ward, generate, to_csv};

const SIZES: [usize; 5] = [50, 100, 200, 500, 1000];
const FRESH: usize = 1000;
/// Conflicts after which the solver gives up.
const CONFLICTS: u64 = 20_000;
/// Unsound rules to print for each trial.
const SHOWN: usize = 5;

struct Arguments {
    sizes: Vec<usize>,
    seeds: std::ops::Range<u64>,
    ward: Ward,
    templates: bool,
    rules: bool,
    write: Option<String>,
}

fn arguments() -> Option<Arguments> {
    let mut found = Arguments {
        sizes: vec![],
        seeds: 0..5,
        ward: Ward::default(),
        templates: true,
        rules: false,
        write: None,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--rules" => found.rules = true,
            "--write" => found.write = Some(words.next()?),
            "--no-templates" => found.templates = false,
            "--seeds" => {
                let text = words.next()?;
                let (first, last) = text.split_once("..")?;
                found.seeds = first.parse().ok()?..last.parse().ok()?;
            }
            "--ward" => {
                let text = words.next()?;
                let numbers: Vec<u32> = text.split(',').map(|n| n.parse().ok()).collect::<Option<_>>()?;
                let [nurses, days, cover_least, cover_most, stretch, off_least, nights_most] = numbers[..]
                else {
                    return None;
                };
                let (nurses, days, stretch) = (nurses as usize, days as usize, stretch as usize);
                found.ward = Ward { nurses, days, cover_least, cover_most, stretch, off_least, nights_most };
            }
            size => found.sizes.push(size.parse().ok()?),
        }
    }
    if found.sizes.is_empty() {
        found.sizes = SIZES.to_vec();
    }
    Some(found)
}

/// For each constraint whether the rules imply it, as far as that was decided.
fn implied<'a>(rules: &RuleSet, asked: impl IntoIterator<Item = &'a Constraint>) -> Vec<Option<bool>> {
    let mut entailment = Entailment::new(rules.variables().len(), CONFLICTS);
    rules.constraints().for_each(|rule| {
        entailment.add(rule);
    });
    asked.into_iter().map(|constraint| entailment.decide(0..rules.len(), constraint)).collect()
}

fn main() {
    let Some(Arguments { sizes, seeds, ward, templates, rules: listed, write }) = arguments() else {
        eprintln!(
            "expected numbers of rosters, such as 50 100 200; --seeds A..B, --ward N,..., --rules, --write FILE"
        );
        std::process::exit(2);
    };
    if let Some(file) = write {
        let rosters = generate(&ward, sizes[0], seeds.start).expect("the ward has rosters");
        if let Err(error) = std::fs::write(&file, to_csv(&ward, &rosters)) {
            eprintln!("{file}: {error}");
            std::process::exit(2);
        }
        return;
    }
    let families = ward.families();
    let all = families.iter().flat_map(|(_, rules)| rules.iter().cloned().map(Rule::given));
    let truth = RuleSet::with_rules(ward.variables(), all);
    let settings = Settings { stability: false, templates, ..Settings::default() };
    let settings = settings.check().expect("settings within their ranges");
    print!("{:>7}  seed", "rosters");
    families.iter().for_each(|(name, _)| print!("  {name}"));
    println!("  families  learned  unsound  undecided  broken by fresh ones  seconds");
    for size in sizes {
        for seed in seeds.clone() {
            let rosters = generate(&ward, size, seed).expect("the ward has rosters");
            let started = Instant::now();
            let learned = learn(truth.variables(), &ward.examples(&rosters), &settings, &Quiet);
            let seconds = started.elapsed().as_secs_f64();
            print!("{size:>7}  {seed:>4}");
            let mut whole = 0;
            for (name, rules) in &families {
                let found =
                    implied(&learned.rules, rules).into_iter().filter(|found| *found == Some(true)).count();
                whole += usize::from(found == rules.len());
                print!("  {:>width$}", format!("{found}/{}", rules.len()), width = name.len());
            }
            let is_true = implied(&truth, learned.rules.constraints());
            let undecided = is_true.iter().filter(|is| is.is_none()).count();
            let judged = learned.rules.rules().iter().zip(is_true);
            let unsound: Vec<&Rule> =
                judged.filter(|(_, is)| *is == Some(false)).map(|(rule, _)| rule).collect();
            let fresh = ward.examples(&generate(&ward, FRESH, seed + 1000).expect("the ward has rosters"));
            let is_broken = |rule: &&Rule| {
                preceptron_learn::sum_histogram::evidence(&fresh, &rule.constraint).0.violated > 0
            };
            let broken = learned.rules.rules().iter().filter(is_broken).count();
            println!(
                "  {:>8}  {:>7}  {:>7}  {undecided:>9}  {broken:>20}  {seconds:>7.2}",
                format!("{whole}/{}", families.len()),
                learned.rules.len(),
                unsound.len()
            );
            for rule in unsound.iter().take(SHOWN) {
                println!("         unsound: {}", sentence(truth.variables(), &rule.constraint));
            }
            if listed {
                lift(&learned.rules).iter().for_each(|family| println!("         {family}"));
                let times = learned.report.times.iter();
                let times: Vec<String> = times.map(|(n, t)| format!("{n} {:.2}", t.as_secs_f64())).collect();
                println!("         seconds: {}", times.join(", "));
            }
        }
    }
}
