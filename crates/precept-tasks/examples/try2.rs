use precept_learn::*;
use precept_tasks::random_rules::*;
use std::collections::BTreeMap;
fn main() {
    let a: Vec<u64> = std::env::args().skip(1).map(|x| x.parse().unwrap()).collect();
    let mut by: BTreeMap<String,(usize,usize)> = BTreeMap::new();
    let (mut spurious, mut total) = (0, 0);
    let t = std::time::Instant::now();
    for seed in a[0]..a[1] {
        let r = RandomRules::generate(seed, 10..=100, a[2] as usize);
        let settings = Settings { seed, stability: false, ..Settings::default() }.check().unwrap();
        let learned = learn(&r.variables, &r.examples, &settings, &Quiet);
        let bad: Vec<_> = learned.rules.rules().iter().filter(|x| !r.entails(&x.constraint)).collect();
        let got = r.entailed_by(&learned.rules);
        for (k, (rule, g)) in r.kinds.iter().zip(r.truth.rules().iter().zip(&got)) { let e = by.entry(format!("{k:?}")).or_default(); e.1+=1; if *g {e.0+=1} else if a.len()>3 { println!("seed {seed} n {} missed {k:?} {:?}", r.variables.len(), rule.constraint); } }
        total += learned.rules.len(); spurious += bad.len();
        for b in bad { println!("seed {seed} n {} spurious {:?} {:?} {:?}", r.variables.len(), b.constraint, b.evidence, b.origin); }
    }
    println!("{by:?} learned {total} spurious {spurious} in {:?}", t.elapsed());
}
