//! How seldom the values of two columns meet that do not exclude each other.
//!
//! Where two columns hang together, some of their values meet often and others seldom, and one pair may never be seen
//! though it could. Independence expects it E times, but its peers, pairs that have one of its two values, tell how
//! seldom values of these columns meet: of one seen o times where E' are expected
//! ```text
//! lift  =  (o + sqrt(o + 1) + 1/2) / E'
//! ```
//! is as much as it may be. The least lift of all peers, where it is below 1, is the factor that E is taken by. Peers
//! that never meet either are left out, as they may be rules too. Two columns of two values have no peers that say
//! more than the pair itself does.

use preceptron_logic::{Lit, Var};

use crate::Examples;
use crate::counting::{Columns, expected_pair};
use crate::encoded_groups::EncodedGroups;

/// Peers that are expected less often say nothing.
const EXPECTED: f64 = 8.0;

/// The values of each column.
pub(crate) struct Peers {
    /// For each variable its group.
    group: Vec<Option<u32>>,
    members: Vec<Vec<Lit>>,
}

impl Peers {
    pub(crate) fn new(variables: usize, groups: &EncodedGroups) -> Peers {
        let group: Vec<Option<u32>> = (0..variables as u32).map(|v| groups.of(Var(v))).collect();
        let count = group.iter().flatten().max().map_or(0, |most| *most as usize + 1);
        let mut members = vec![vec![]; count];
        for (v, group) in group.iter().enumerate() {
            if let Some(group) = group {
                members[*group as usize].push(Var(v as u32).positive());
            }
        }
        Peers { group, members }
    }

    /// The other values of a literal's column, and how many there are in all; of a negated one of many values none.
    fn others(&self, literal: Lit) -> Vec<Lit> {
        match self.group[literal.var().index()] {
            Some(group) if !literal.is_negated() => {
                self.members[group as usize].iter().copied().filter(|l| *l != literal).collect()
            }
            Some(_) => vec![],
            None => vec![!literal],
        }
    }

    /// What the expectation of a pair that never meets is to be taken by.
    pub(crate) fn factor(&self, a: Lit, b: Lit, examples: &Examples, columns: &Columns) -> f64 {
        let (beside_a, beside_b) = (self.others(a), self.others(b));
        if beside_a.len().max(beside_b.len()) < 2 {
            return 1.0;
        }
        let peers = beside_a.iter().map(|&other| (other, b)).chain(beside_b.iter().map(|&other| (a, other)));
        let lift = |(x, y): (Lit, Lit)| {
            let expected = expected_pair(x, y, examples, columns);
            if expected < EXPECTED {
                return None;
            }
            let seen = f64::from(columns.both(x, y));
            (seen > 0.0).then(|| (seen + (seen + 1.0).sqrt() + 0.5) / expected)
        };
        peers.filter_map(lift).fold(1.0, f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::Constraint;

    /// Two columns of three values: the second is the first in all rows but `strays` of each other pair.
    fn factor(strays: usize) -> f64 {
        let mut rows: Vec<[bool; 6]> = Vec::new();
        for (a, b) in (0..3).flat_map(|a| (0..3).map(move |b| (a, b))) {
            let count = if a == b {
                60
            } else if (a, b) == (0, 1) {
                0
            } else {
                strays
            };
            rows.extend((0..count).map(|_| {
                let mut row = [false; 6];
                (row[a], row[3 + b]) = (true, true);
                row
            }));
        }
        let examples = Examples::from_full_rows(6, &rows);
        let group = |from: u32| Constraint::exactly(1, (from..from + 3).map(|v| Var(v).positive()));
        let peers = Peers::new(6, &EncodedGroups::new(6, &[group(0), group(3)]));
        let columns = Columns::new(&examples);
        peers.factor(Var(0).positive(), Var(4).positive(), &examples, &columns)
    }

    #[test]
    fn a_pair_counts_as_far_as_its_peers_meet() {
        assert_eq!(factor(60), 1.0, "all others meet as if there were no tie");
        assert!(factor(4) < 0.6, "the others meet seldom too");
        assert_eq!(factor(0), 1.0, "what never meets may be a rule");
    }
}
