//! Random rule sets learned from examples, judged exactly: how many true rules are recovered, by kind, and
//! which learned rules are spurious.
//!
//! ```text
//! cargo bench -p preceptron-tasks --bench random_rules -- 100..120 300 1000 2000
//! ```
//!
//! The arguments are a range of seeds and numbers of examples. A true rule counts as recovered if the
//! learned rules imply it, and a learned rule as spurious if the true rules do not. What was not
//! recovered is listed after the table, and spurious rules with their evidence.

use std::ops::Range;
use std::time::{Duration, Instant};

use preceptron_base::Quiet;
use preceptron_learn::{Settings, learn};
use preceptron_logic::{Origin, evidence_line, sentence};
use preceptron_tasks::random_rules::{Kind, RandomRules, VARIABLES};

const KINDS: [Kind; 4] = [Kind::Equality, Kind::AtMost, Kind::AtLeast, Kind::Implication];

/// What came of rule sets of one size.
#[derive(Default)]
struct Tally {
    recovered: [usize; 4],
    there: [usize; 4],
    learned: usize,
    spurious: usize,
    time: Duration,
}

impl Tally {
    /// Learns one set, adds it up, and lists what is wrong with it.
    fn add(&mut self, seed: u64, examples: usize, complaints: &mut Vec<String>) {
        let random = RandomRules::generate(seed, VARIABLES, examples);
        let settings = Settings { stability: false, ..Settings::default() };
        let settings = settings.check().expect("settings within their ranges");
        let started = Instant::now();
        let learned = learn(&random.variables, &random.examples, &settings, &Quiet);
        self.time += started.elapsed();
        let found = random.entailed_by(&learned.rules);
        for ((constraint, kind), found) in random.truth.constraints().zip(&random.kinds).zip(found) {
            self.there[*kind as usize] += 1;
            self.recovered[*kind as usize] += usize::from(found);
            if !found {
                let sentence = sentence(&random.variables, constraint);
                complaints.push(format!("seed {seed}, {examples} examples: missing {kind:?}: {sentence}"));
            }
        }
        self.learned += learned.rules.len();
        for rule in learned.rules.rules().iter().filter(|rule| !random.entails(&rule.constraint)) {
            self.spurious += 1;
            let sentence = sentence(&random.variables, &rule.constraint);
            let by = match &rule.origin {
                Origin::Learned { by } => by,
                _ => "the encoding",
            };
            let evidence = evidence_line(&rule.evidence);
            complaints
                .push(format!("seed {seed}, {examples} examples: spurious, by {by}: {sentence}; {evidence}"));
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let Some((seeds, sizes)) = read(&arguments) else {
        eprintln!("expected a range of seeds and numbers of examples, such as 100..120 2000");
        std::process::exit(2);
    };
    print!("{:>8} {:>5}", "examples", "sets");
    KINDS.iter().for_each(|kind| print!(" {:>13}", format!("{kind:?}")));
    println!(" {:>8} {:>9} {:>8}", "learned", "spurious", "seconds");
    let mut complaints = Vec::new();
    for examples in sizes {
        let mut tally = Tally::default();
        seeds.clone().for_each(|seed| tally.add(seed, examples, &mut complaints));
        print!("{examples:>8} {:>5}", seeds.end - seeds.start);
        for kind in KINDS {
            let (recovered, there) = (tally.recovered[kind as usize], tally.there[kind as usize]);
            print!(" {:>13}", format!("{recovered}/{there}"));
        }
        println!(" {:>8} {:>9} {:>8.2}", tally.learned, tally.spurious, tally.time.as_secs_f64());
    }
    complaints.iter().for_each(|line| println!("{line}"));
}

/// `A..B N...` as a range and numbers.
fn read(arguments: &[String]) -> Option<(Range<u64>, Vec<usize>)> {
    let (seeds, sizes) = arguments.split_first()?;
    let (first, end) = seeds.split_once("..")?;
    let seeds = first.parse().ok()?..end.parse().ok()?;
    let sizes: Vec<usize> = sizes.iter().map(|size| size.parse().ok()).collect::<Option<_>>()?;
    Some((seeds, if sizes.is_empty() { vec![2000] } else { sizes }))
}
