//! What to give up at the least price (a minimum-cost hitting set of the cores), searched from the cheapest
//! on.
//!
//! Wishes come in *ladders*: a ladder is given up rung by rung, and each rung has its price. A *core*
//! names rungs of which one at least must be given up. The tree holds sets of rungs given up; the
//! cheapest of them that answers every core known so far is the next to be tried. If it turns out not to
//! be enough, that is a new core, and the set branches on it: each branch gives up one rung of the core
//! and keeps those before it, so that no set comes twice.
//!
//! Where prices are all different and an optimum gives up only a few rungs, this takes far fewer calls
//! than raising a bound core by core, which splits every price into many small ones.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A rung: its ladder, and how many rungs of it must be given up so that it is.
pub type Rung = (u32, u32);

/// A set of rungs given up.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Set {
    /// No set that this one grows into costs less.
    least: i64,
    /// What it costs.
    pub cost: i64,
    /// How many rungs of which ladders are given up, in the order of the ladders.
    levels: Vec<Rung>,
    /// Rungs that are kept from here on, in the order of the ladders.
    kept: Vec<Rung>,
}

impl Set {
    /// How many rungs of a ladder are given up.
    pub fn level(&self, ladder: u32) -> u32 {
        self.levels.binary_search_by_key(&ladder, |&(ladder, _)| ladder).map_or(0, |at| self.levels[at].1)
    }

    /// The first rung of a ladder that is kept.
    fn limit(&self, ladder: u32) -> u32 {
        let at = self.kept.binary_search_by_key(&ladder, |&(ladder, _)| ladder);
        at.map_or(u32::MAX, |at| self.kept[at].1)
    }

    fn gives_up(&self, rung: Rung) -> bool {
        self.level(rung.0) >= rung.1
    }

    fn can_give_up(&self, rung: Rung) -> bool {
        rung.1 < self.limit(rung.0)
    }
}

/// The sets still to be tried, and the cores known.
pub struct Hitting {
    /// For each ladder what it costs to give up so many rungs.
    prices: Vec<Vec<i64>>,
    cores: Vec<Vec<Rung>>,
    open: BinaryHeap<Reverse<Set>>,
    /// So many sets may still be looked at.
    pub patience: usize,
    /// Room to mark ladders.
    marks: Vec<bool>,
}

impl Hitting {
    /// Nothing given up, no core known. For each ladder the prices of its rungs.
    pub fn new(ladders: impl Iterator<Item = Vec<i64>>) -> Hitting {
        let sums = |rungs: Vec<i64>| {
            let sum = |sum: &mut i64, price: i64| {
                *sum += price;
                Some(*sum)
            };
            std::iter::once(0).chain(rungs.into_iter().scan(0, sum)).collect()
        };
        let prices: Vec<Vec<i64>> = ladders.map(sums).collect();
        let marks = vec![false; prices.len()];
        let mut hitting =
            Hitting { prices, marks, cores: Vec::new(), open: BinaryHeap::new(), patience: usize::MAX };
        hitting.begin();
        hitting
    }

    /// Begins anew with what is known.
    pub fn begin(&mut self) {
        self.open.clear();
        self.open.push(Reverse(Set { least: 0, cost: 0, levels: Vec::new(), kept: Vec::new() }));
    }

    /// Adds a core.
    pub fn add_core(&mut self, core: Vec<Rung>) {
        self.cores.push(core);
    }

    /// How many cores are known.
    pub fn cores(&self) -> usize {
        self.cores.len()
    }

    /// Keeps the cores of which this says so by their number.
    pub fn retain_cores(&mut self, keep: impl Fn(usize) -> bool) {
        let mut number = 0..;
        self.cores.retain(|_| number.next().is_some_and(&keep));
    }

    /// Puts a set back that was tried and is not enough.
    pub fn put_back(&mut self, set: Set) {
        self.open.push(Reverse(set));
    }

    /// The cheapest set that answers all cores and costs no more than `limit`: nothing inside if there is
    /// none, nothing at all if the patience came to its end.
    pub fn next(&mut self, limit: i64) -> Option<Option<Set>> {
        while let Some(Reverse(mut set)) = self.open.pop() {
            if set.least > limit {
                return Some(None);
            }
            self.patience = self.patience.checked_sub(1)?;
            let least = set.cost
                + match self.missing(&set) {
                    Some(missing) => missing,
                    None => continue,
                };
            if least > set.least {
                set.least = least;
                if least <= limit {
                    self.open.push(Reverse(set));
                }
                continue;
            }
            match self.open_core(&set) {
                None => return Some(Some(set)),
                Some(core) => self.branch(set, core, limit),
            }
        }
        Some(None)
    }

    /// What has to be paid in any case for cores that a set does not answer yet: the sum over cores that
    /// have no ladder in common. Nothing if there is a core that it cannot answer.
    fn missing(&mut self, set: &Set) -> Option<i64> {
        let mut sum = 0;
        self.marks.fill(false);
        for core in self.cores.iter().rev() {
            if core.iter().any(|&rung| set.gives_up(rung)) {
                continue;
            }
            let price = |&(ladder, rung): &Rung| {
                let prices = &self.prices[ladder as usize];
                prices[rung as usize] - prices[set.level(ladder) as usize]
            };
            let open = core.iter().filter(|rung| set.can_give_up(**rung));
            let least = open.clone().map(price).min()?;
            if open.clone().any(|&(ladder, _)| self.marks[ladder as usize]) {
                continue;
            }
            open.for_each(|&(ladder, _)| self.marks[ladder as usize] = true);
            sum += least;
        }
        Some(sum)
    }

    /// The core to branch on: not answered yet, with the fewest rungs that may be given up.
    fn open_core(&self, set: &Set) -> Option<usize> {
        let is_open = |core: &Vec<Rung>| !core.iter().any(|&rung| set.gives_up(rung));
        let size = |core: &Vec<Rung>| core.iter().filter(|rung| set.can_give_up(**rung)).count();
        (0..self.cores.len()).filter(|&at| is_open(&self.cores[at])).min_by_key(|&at| size(&self.cores[at]))
    }

    /// Puts the sets in the tree that answer a core.
    fn branch(&mut self, mut set: Set, core: usize, limit: i64) {
        let mut rungs: Vec<(i64, Rung)> = Vec::with_capacity(self.cores[core].len());
        for &(ladder, rung) in &self.cores[core] {
            if set.can_give_up((ladder, rung)) {
                let prices = &self.prices[ladder as usize];
                rungs.push((prices[rung as usize] - prices[set.level(ladder) as usize], (ladder, rung)));
            }
        }
        rungs.sort_unstable();
        for (price, rung) in rungs {
            let cost = set.cost + price;
            let least = cost.max(set.least);
            if cost <= limit {
                let mut levels = set.levels.clone();
                put(&mut levels, rung);
                self.open.push(Reverse(Set { least, cost, levels, kept: set.kept.clone() }));
            }
            put(&mut set.kept, rung);
        }
    }
}

/// Sets the number of a ladder.
fn put(numbers: &mut Vec<Rung>, (ladder, number): Rung) {
    match numbers.binary_search_by_key(&ladder, |&(ladder, _)| ladder) {
        Ok(at) => numbers[at].1 = number,
        Err(at) => numbers.insert(at, (ladder, number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The cheapest levels of ladders that answer all cores, by trying all.
    fn cheapest(prices: &[Vec<i64>], cores: &[Vec<Rung>]) -> Option<i64> {
        let mut all = vec![(0, Vec::new())];
        for ladder in prices {
            let mut longer = Vec::new();
            for (cost, levels) in all {
                for level in 0..=ladder.len() {
                    let mut levels: Vec<u32> = Vec::clone(&levels);
                    levels.push(level as u32);
                    longer.push((cost + ladder[..level].iter().sum::<i64>(), levels));
                }
            }
            all = longer;
        }
        let answers = |levels: &[u32]| {
            cores.iter().all(|core| core.iter().any(|&(ladder, rung)| levels[ladder as usize] >= rung))
        };
        all.into_iter().filter(|(_, levels)| answers(levels)).map(|(cost, _)| cost).min()
    }

    proptest! {
        #[test]
        fn the_first_set_is_the_cheapest(
            prices in prop::collection::vec(prop::collection::vec(1i64..20, 1..4), 5),
            cores in prop::collection::vec(prop::collection::btree_map(0u32..5, 1usize..4, 0..4), 0..8),
        ) {
            let rung = |(&ladder, &rung): (&u32, &usize)| (ladder, rung.min(prices[ladder as usize].len()) as u32);
            let cores: Vec<Vec<Rung>> = cores.iter().map(|core| core.iter().map(rung).collect()).collect();
            let mut hitting = Hitting::new(prices.iter().cloned());
            // A core becomes known when a set does not answer it, as in a search.
            let found = loop {
                let Some(set) = hitting.next(i64::MAX).expect("there is no end to patience") else { break None };
                match cores.iter().find(|core| !core.iter().any(|&rung| set.gives_up(rung))) {
                    None => break Some(set.cost),
                    Some(core) => {
                        hitting.add_core(core.clone());
                        hitting.put_back(set);
                    }
                }
            };
            let cheapest = cheapest(&prices, &cores);
            prop_assert_eq!(found, cheapest);
            // The same again with all cores known, and within limits.
            hitting.begin();
            prop_assert_eq!(hitting.next(i64::MAX).flatten().map(|set| set.cost), cheapest);
            if let Some(cost) = cheapest {
                hitting.begin();
                prop_assert_eq!(hitting.next(cost - 1), Some(None));
                hitting.begin();
                prop_assert_eq!(hitting.next(cost).flatten().map(|set| set.cost), cheapest);
            }
        }
    }
}
