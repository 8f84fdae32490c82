//! What the scores of cliques are computed from: means, rates of meeting, and the likelihood of a clique.

use preceptron_logic::Var;

use crate::{Examples, Moments};

/// James-Stein: means of which the spread is partly sampling noise move towards the grand mean by that
/// part.
pub(crate) fn shrink(moments: &Moments, raw: &[f64], usable: &[usize]) -> Vec<f64> {
    let count = usable.len().max(1) as f64;
    let grand = usable.iter().map(|&i| raw[i]).sum::<f64>() / count;
    let spread = usable.iter().map(|&i| (raw[i] - grand).powi(2)).sum::<f64>() / count;
    let noise =
        usable.iter().map(|&i| grand * (1.0 - grand) / moments.known(i).max(1) as f64).sum::<f64>() / count;
    let keep = if spread > 0.0 { (1.0 - noise / spread).max(0.0) } else { 0.0 };
    raw.iter().map(|mean| grand + keep * (mean - grand)).collect()
}

/// Two rates of a mixture of Poisson counts with these expectations, by expectation maximisation.
pub(crate) fn two_rates(pairs: &[(f64, f64)]) -> (f64, f64) {
    let (mut low, mut high, mut share) = (0.1, 1.0, 0.1);
    for _ in 0..50 {
        let (mut low_sum, mut low_count, mut high_sum, mut high_count) = (1e-9, 1e-9, 1e-9, 1e-9);
        let mut members = 0.0;
        for &(expected, count) in pairs {
            let difference: f64 = expected * (high - low) - count * (high / low).ln();
            let weight = 1.0 / (1.0 + (1.0 - share) / share * (-difference).exp());
            members += weight;
            low_sum += weight * expected;
            low_count += weight * count;
            high_sum += (1.0 - weight) * expected;
            high_count += (1.0 - weight) * count;
        }
        low = (low_count / low_sum).max(1e-4);
        high = (high_count / high_sum).max(low * 1.5);
        share = (members / pairs.len().max(1) as f64).clamp(1e-6, 1.0 - 1e-6);
    }
    (low, high)
}

/// The log-likelihood ratio of a clique, by the equation of [`crate::cliques`]. An example that shows two members, or all of them and none true, rules the
/// clique out.
pub(crate) fn likelihood_ratio(clique: &[u32], means: &[f64], examples: &Examples) -> f64 {
    let total: f64 = clique.iter().map(|&v| means[v as usize]).sum();
    let off: Vec<f64> = clique.iter().map(|&v| (1.0 - means[v as usize]).ln()).collect();
    let mut score = 0.0;
    for word in 0..examples.words() {
        let columns: Vec<(u64, u64)> = clique
            .iter()
            .map(|&v| {
                let known = examples.known(Var(v)).map_or(examples.mask(word), |k| k[word]);
                (examples.ones(Var(v))[word], known)
            })
            .collect();
        for bit in 0..64.min(examples.len() - word * 64) {
            let (mut seen, mut share, mut independent) = (0, 0.0, 0.0);
            for (at, (ones, known)) in columns.iter().enumerate() {
                if known >> bit & 1 == 0 {
                    continue;
                }
                let mean = means[clique[at] as usize];
                share += mean;
                if ones >> bit & 1 == 1 {
                    seen += 1;
                    independent += mean.ln();
                    score += (mean / total).ln();
                } else {
                    independent += off[at];
                }
            }
            match seen {
                0 if share >= total * (1.0 - 1e-9) => return f64::NEG_INFINITY,
                0 => score += (1.0 - share / total).ln(),
                1 => {}
                _ => return f64::NEG_INFINITY,
            }
            score -= independent;
        }
    }
    score
}
