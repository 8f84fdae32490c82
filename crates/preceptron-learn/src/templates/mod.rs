//! Bounds on sums over axes, accepted against samples of the theory.
//!
//! The greatest (or least) sum that the examples show in any copy of a [`Family`](family::Family) is a
//! candidate for a bound that all its copies share. What speaks for it is how often the rules found so far
//! would break it: if a share p of assignments drawn from them does, in some copy, then N examples keep it
//! by chance with probability (1-p)^N. A candidate is accepted if
//! ```text
//! -N ln(1-p)  >=  ln(number of candidates / false-alarm probability)
//! ```
//! and if the examples come up to the bound as to a wall: going on from the counts of the last two sums,
//! so many violations would have been expected too, since examples need not be spread as evenly as
//! samples. The candidate that would be broken most often, for its length, comes first, for it explains
//! the most: what holds only because of it is not broken by the samples drawn afterwards. In the end each accepted family
//! has to pass once more, against all the others.
//!
//! Where examples are partly observed, only those that show a copy whole count for it.

mod candidate;
mod choice;
mod family;
mod samples;

use preceptron_logic::{Constraint, Variables};
use rayon::prelude::*;

use crate::{Checked, Examples};
use candidate::Candidate;
use choice::Choice;
use preceptron_base::Control;
use samples::Samples;

/// Samples of a theory, at the least and at the most; twice as many as examples if that is between.
const SAMPLES: (usize, usize) = (1024, 4096);

/// Families that are looked at, at the most.
const FAMILIES: usize = 20_000;

/// What the search for families found.
pub(crate) struct Found {
    /// The bounds of all copies of all families that were accepted.
    pub(crate) bounds: Vec<Constraint>,
    /// How many bounds were looked at.
    pub(crate) candidates: usize,
    /// Whether there were more families than are looked at.
    pub(crate) cut_short: bool,
}

/// Searches for families of bounds beyond the rules that are known.
pub(crate) fn search(
    variables: &Variables,
    known: &[Constraint],
    examples: &Examples,
    settings: &Checked,
    control: &dyn Control,
) -> Found {
    let mut found = Found { bounds: vec![], candidates: 0, cut_short: false };
    if variables.blocks().is_empty() || examples.is_empty() || control.is_cancelled() {
        return found;
    }
    let count = (2 * examples.len()).clamp(SAMPLES.0, SAMPLES.1);
    let draw =
        |rules: &[Constraint], number: u64| Samples::draw(rules, examples, count, settings.seed, number);
    let Some(samples) = draw(known, 0) else { return found };
    let mut families = family::families(variables);
    found.cut_short = families.len() > FAMILIES;
    families.truncate(FAMILIES);
    found.candidates = 2 * families.len();
    let needed = (found.candidates as f64 / settings.false_alarm).ln();
    control.stage("templates", families.len() as u64);
    let candidates: Vec<Candidate> = families
        .par_iter()
        .flat_map_iter(|family| {
            control.advance(1);
            let candidates = match control.is_cancelled() {
                true => vec![],
                false => Candidate::of(family, variables, examples, &samples),
            };
            candidates.into_iter().filter(|candidate| candidate.onward(examples) >= needed)
        })
        .collect();
    let least_samples = count / 2;
    let choice = Choice { known, candidates: &candidates, needed, least_samples, draw: &draw, control };
    let accepted = choice.run(samples);
    found.bounds = accepted.iter().flat_map(|&number| candidates[number].constraints()).collect();
    found
}
