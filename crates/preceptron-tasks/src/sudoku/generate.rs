//! Random complete grids, each drawn from scratch, without search.
//!
//! A grid of order `n` is filled band by band (a band is `n` rows, a stack is `n` columns), and no choice
//! ever has to be taken back, because each is a perfect matching in a regular bipartite graph, and
//! König's theorem says that those exist:
//!
//! 1. *Columns.* In each stack, each digit of the band is given a column in which it does not stand yet.
//!    After `b` bands each digit stands in `b` of the stack's `n` columns, each column has
//!    `n^2 - b n` digits left, and digits against the cells of a column make a regular graph.
//! 2. *Rows.* Each column of the band now has `n` digits, and each digit `n` columns, one in each stack:
//!    a regular graph of columns against digits, which is taken apart into `n` matchings, the rows.
//!
//! Each matching takes random choices first and repairs them along augmenting paths. Every Sudoku grid
//! can come out, since the right choices need no repair. The distribution is not uniform; random order of
//! bands and rows and a random transposition make it the same for grids that differ by a symmetry.

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::{Grid, side};
use preceptron_base::stream;

/// Random complete grids. The i-th depends only on order, seed and i.
pub fn generate(order: usize, count: usize, seed: u64) -> Vec<Grid> {
    side(order);
    (0..count).into_par_iter().map(|item| draw(order, &mut stream(seed, "grid", item as u64))).collect()
}

/// One random complete grid.
pub(super) fn draw(order: usize, random: &mut ChaCha8Rng) -> Grid {
    let side = side(order);
    let everything = u32::MAX >> (32 - side);
    // The digits that each column has left, as bits.
    let mut left = vec![everything; side];
    let mut rows: Vec<Vec<u8>> = Vec::with_capacity(side);
    for _ in 0..order {
        // The digits that each column takes in this band.
        let mut taken = vec![0u32; side];
        for stack in 0..order {
            let columns = stack * order..(stack + 1) * order;
            let cells: Vec<u32> = columns.flat_map(|c| std::iter::repeat_n(left[c], order)).collect();
            for (cell, digit) in matching(&cells, random).into_iter().enumerate() {
                taken[stack * order + cell / order] |= 1 << digit;
            }
        }
        for (left, taken) in left.iter_mut().zip(&taken) {
            *left &= !taken;
        }
        for _ in 0..order {
            let row = matching(&taken, random);
            for (taken, digit) in taken.iter_mut().zip(&row) {
                *taken &= !(1 << digit);
            }
            rows.push(row.into_iter().map(|digit| digit + 1).collect());
        }
    }
    let mut bands: Vec<&mut [Vec<u8>]> = rows.chunks_mut(order).collect();
    bands.shuffle(random);
    bands.iter_mut().for_each(|band| band.shuffle(random));
    let rows: Vec<&[u8]> = bands.iter().flat_map(|band| band.iter().map(Vec::as_slice)).collect();
    let transposed = random.random_bool(0.5);
    let digits = (0..side * side)
        .map(|cell| (cell / side, cell % side))
        .map(|(a, b)| if transposed { rows[b][a] } else { rows[a][b] })
        .collect();
    Grid::new(order, digits).expect("matchings give side^2 digits within the side")
}

/// A random perfect matching: for each place one of its choices (bits), each choice once.
fn matching(choices: &[u32], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut places: Vec<usize> = (0..choices.len()).collect();
    places.shuffle(random);
    let mut owner = [None; 32];
    let mut free = u32::MAX;
    for place in places {
        let found = settle(place, choices, &mut owner, &mut free, &mut 0, random);
        debug_assert!(found, "a regular bipartite graph has a perfect matching");
    }
    let mut matched = vec![0; choices.len()];
    for (choice, owner) in owner.iter().enumerate() {
        if let Some(place) = owner {
            matched[*place] = choice as u8;
        }
    }
    matched
}

/// Gives `place` a choice, moving other places along an augmenting path if need be.
fn settle(
    place: usize,
    choices: &[u32],
    owner: &mut [Option<usize>; 32],
    free: &mut u32,
    tried: &mut u32,
    random: &mut ChaCha8Rng,
) -> bool {
    let open = choices[place] & *free;
    if open != 0 {
        let choice = random_bit(open, random);
        owner[choice] = Some(place);
        *free &= !(1 << choice);
        return true;
    }
    while choices[place] & !*tried != 0 {
        let choice = random_bit(choices[place] & !*tried, random);
        *tried |= 1 << choice;
        let holder = owner[choice].expect("a choice that is not free has a holder");
        if settle(holder, choices, owner, free, tried, random) {
            owner[choice] = Some(place);
            return true;
        }
    }
    false
}

/// The position of a random one among the bits that are set.
fn random_bit(mut bits: u32, random: &mut ChaCha8Rng) -> usize {
    for _ in 0..random.random_range(0..bits.count_ones()) {
        bits &= bits - 1;
    }
    bits.trailing_zeros() as usize
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::sudoku::true_rules;
    use proptest::prelude::*;

    fn is_solution(grid: &Grid) -> bool {
        let side = side(grid.order());
        let value =
            |v: preceptron_logic::Var| usize::from(grid.digits()[v.index() / side]) == v.index() % side + 1;
        true_rules(grid.order()).constraints().all(|c| c.holds(value))
    }

    #[test]
    fn grids_obey_the_rules_and_differ() {
        for order in 2..=5 {
            let grids = generate(order, 20, 1);
            assert!(grids.iter().all(is_solution), "order {order}");
            let distinct: std::collections::BTreeSet<_> = grids.iter().collect();
            assert!(distinct.len() == 20 || order == 2);
        }
    }

    #[test]
    fn a_grid_depends_on_seed_and_number_alone() {
        let grids = generate(3, 40, 5);
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(one.install(|| generate(3, 40, 5)), grids);
        assert_eq!(generate(3, 7, 5), grids[..7]);
        assert_ne!(generate(3, 7, 6), grids[..7]);
    }

    /// All 288 grids of order 2 come out, none at less than a quarter of its share in a uniform draw.
    #[test]
    fn every_small_grid_can_come_out() {
        let mut seen: BTreeMap<Grid, u32> = BTreeMap::new();
        for grid in generate(2, 28_800, 3) {
            *seen.entry(grid).or_default() += 1;
        }
        assert_eq!(seen.len(), 288);
        let (least, most) = (seen.values().min().unwrap(), seen.values().max().unwrap());
        assert!(*least > 25 && *most < 200, "{least} to {most} where an even draw has 100");
    }

    /// Each digit in each cell equally often, to five standard deviations.
    #[test]
    fn digits_are_even_over_cells() {
        let grids = generate(3, 9000, 8);
        for cell in 0..81 {
            for digit in 1..=9 {
                let count = grids.iter().filter(|g| g.digits()[cell] == digit).count() as f64;
                assert!(
                    (count - 1000.0).abs() < 5.0 * (9000.0f64 * 8.0 / 81.0).sqrt(),
                    "{cell} {digit} {count}"
                );
            }
        }
    }

    proptest! {
        /// Unions of permutations are regular, so a perfect matching is always found.
        #[test]
        fn regular_graphs_are_matched(seed: u64, places in 1usize..26, degree in 1usize..6) {
            let random = &mut stream(seed, "grid", 0);
            let mut choices = vec![0; places];
            for _ in 0..degree {
                // A matching of the complete graph less what is used may fail, so rotate instead.
                let shift = random.random_range(0..places);
                (0..places).for_each(|p| choices[p] |= 1 << ((p + shift) % places));
            }
            let found = matching(&choices, random);
            let used = found.iter().fold(0u32, |bits, c| bits | 1 << c);
            prop_assert_eq!(used.count_ones() as usize, places);
            prop_assert!(found.iter().zip(&choices).all(|(c, bits)| bits >> c & 1 == 1));
        }
    }
}
