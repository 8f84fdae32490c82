//! What is said of random rule sets: rules, "enough", the question; compared with all that the true rules allow.

use preceptron_base::Quiet;
use preceptron_base::meter::Started;
use preceptron_learn::{Examples, Learned, Settings, learn};
use preceptron_logic::sentence;

use crate::Asked;
use crate::ruled_tables::{Ruled, table};

/// How many rows tables have.
const ROWS: [usize; 5] = [30, 100, 300, 1000, 3000];

#[derive(Default)]
struct Counts {
    tables: u64,
    rules: u64,
    spurious: u64,
    incomplete: u64,
    enough: u64,
    enough_and_incomplete: u64,
    asked: u64,
    violations: u64,
    differs_shuffled: u64,
    bound_missed: u64,
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        self.tables += other.tables;
        self.rules += other.rules;
        self.spurious += other.spurious;
        self.incomplete += other.incomplete;
        self.enough += other.enough;
        self.enough_and_incomplete += other.enough_and_incomplete;
        self.asked += other.asked;
        self.violations += other.violations;
        self.differs_shuffled += other.differs_shuffled;
        self.bound_missed += other.bound_missed;
    }

    fn print(&self, what: &str) {
        println!(
            "{what}: {} rules, {} spurious; {} of {} incomplete; enough said {} times, wrongly {}; asked in {} \
             of the incomplete, a true violation in {}; a missing clause excluded more than said in {}; {} \
             differ when shuffled",
            self.rules,
            self.spurious,
            self.incomplete,
            self.tables,
            self.enough,
            self.enough_and_incomplete,
            self.asked,
            self.violations,
            self.bound_missed,
            self.differs_shuffled
        );
    }
}

/// Prints, for each number of rows, how often what is said is true.
pub fn measure(asked: &Asked) {
    let settings = Settings::default().check().expect("defaults are in range");
    let mut all = Counts::default();
    for rows in ROWS.into_iter().filter(|rows| asked.only.is_empty() || asked.only == rows.to_string()) {
        let started = Started::now();
        let mut counts = Counts::default();
        for number in asked.first..asked.first + asked.tables {
            let truth = table(asked.set, rows, number);
            let run = |rows: &[Vec<bool>]| {
                let examples = Examples::from_full_rows(truth.variables.len(), rows);
                learn(&truth.variables, &examples, &settings, &Quiet)
            };
            let learned = run(&truth.rows);
            judge(&truth, &learned, asked.show.then_some(number), &mut counts);
            if number % 5 == 0 {
                let turned: Vec<Vec<bool>> = truth.rows.iter().rev().cloned().collect();
                let again = run(&turned);
                let is_same = again.rules == learned.rules && again.verdict == learned.verdict;
                counts.differs_shuffled += u64::from(!is_same);
                if asked.show && !is_same {
                    println!("  {number}: {:?} and turned {:?}", learned.verdict, again.verdict);
                    println!("  same rules: {}", again.rules == learned.rules);
                }
            }
        }
        counts.print(&format!("{rows} rows ({:.0} CPU-s)", started.cost().busy()));
        all.add(&counts);
    }
    all.print("all");
}

fn judge(truth: &Ruled, learned: &Learned, show: Option<u64>, counts: &mut Counts) {
    let variables = truth.variables.len();
    let holds = |rule: &preceptron_logic::Constraint, a: usize| rule.holds(|v| a >> v.index() & 1 == 1);
    let mut allowed = truth.is_allowed.iter().enumerate().filter(|(_, is)| **is).map(|(a, _)| a);
    let allowed: Vec<usize> = allowed.by_ref().collect();
    counts.tables += 1;
    let mut is_spurious = false;
    for rule in learned.rules.constraints() {
        counts.rules += 1;
        if allowed.iter().any(|&a| !holds(rule, a)) {
            counts.spurious += 1;
            is_spurious = true;
            if let Some(number) = show {
                println!("  {number}: {} does not hold", sentence(&truth.variables, rule));
            }
        }
    }
    let is_learned = |a: &usize| learned.rules.constraints().all(|rule| holds(rule, *a));
    let open: Vec<usize> = (0..1usize << variables).filter(is_learned).collect();
    let is_incomplete = open.iter().any(|&a| !truth.is_allowed[a]);
    counts.incomplete += u64::from(is_incomplete);
    counts.enough += u64::from(learned.verdict.enough);
    counts.enough_and_incomplete += u64::from(learned.verdict.enough && is_incomplete);
    if let (Some(number), true) = (show, is_incomplete && !is_spurious) {
        let missing: Vec<String> = truth
            .rules
            .iter()
            .filter(|rule| open.iter().any(|&a| !holds(rule, a)))
            .map(|rule| sentence(&truth.variables, rule))
            .collect();
        let enough = if learned.verdict.enough { ", and enough" } else { "" };
        println!("  {number}: missing{enough}: {}", missing.join("; "));
    }
    if is_incomplete && let Some(question) = &learned.verdict.question {
        let assignment = question.iter().enumerate().map(|(v, &is)| usize::from(is) << v).sum::<usize>();
        counts.asked += 1;
        counts.violations += u64::from(!truth.is_allowed[assignment]);
    }
    // A missing clause of up to three literals that excludes more of what the rules allow than was said.
    if let (Some(most), true) = (learned.verdict.excluded, is_incomplete) {
        let excludes = |clause: &[(usize, bool)]| {
            let all = |a: &&usize| clause.iter().all(|&(v, is)| (**a >> v & 1 == 1) == is);
            let is_true = !allowed.iter().any(|a| all(&a));
            if is_true { open.iter().filter(|a| all(a)).count() } else { 0 }
        };
        let literals: Vec<(usize, bool)> = (0..variables).flat_map(|v| [(v, false), (v, true)]).collect();
        let mut greatest = 0;
        for (i, &a) in literals.iter().enumerate() {
            for (j, &b) in literals.iter().enumerate().take(i) {
                for &c in literals.iter().take(j + 1) {
                    greatest = greatest.max(excludes(&[a, b, c]));
                }
            }
        }
        counts.bound_missed += u64::from(greatest as f64 / open.len() as f64 > most + 0.02);
    }
}
