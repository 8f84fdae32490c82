//! Cores by counting modulo two.
//!
//! A hard rule "if `g`, then exactly `k` of these" says that the products `g and t` add up to `k g`
//! modulo two. Rules share products (of two neighbours on a path, each is the other's neighbour), so sums
//! of rules lose terms, down to rows that nothing but assumptions keeps from being wrong: a product is 0
//! where a factor is assumed false, and if a row's terms are then all known and add up to the wrong
//! parity, the assumptions made in it cannot all hold. On path grids such a row says that a way must cross
//! a cut, which clause learning finds only by exhausting the ways.
//!
//! The cores come one after another: each is paid for, assumptions whose weight is used up are dropped,
//! the products that this sets free are eliminated, and the next wrong row is looked for. A row that is wrong
//! without any wish says that nothing obeys the rules: that there is no way past a wall, say, which clause
//! learning can only find as it finds pigeons without a hole.

use std::collections::{BTreeMap, HashMap};

use preceptron_logic::{Constraint, Lit, RuleSet};

/// The rules that count modulo two, as sums of products.
pub struct Parities {
    /// The products: two literals in order, or one literal twice.
    products: Vec<(Lit, Lit)>,
    /// For each rule the products that add up to zero, or to one.
    rows: Vec<(Vec<u32>, bool)>,
    /// For each literal's code, the literals of which each makes it false.
    excluders: Vec<Vec<Lit>>,
    /// Literals that the rules make true.
    units: Vec<Lit>,
}

/// Wishes of which one must be given up, and what is paid for that.
#[derive(Debug, PartialEq, Eq)]
pub struct ParityCore {
    /// The literals that were assumed.
    pub literals: Vec<Lit>,
    /// The least of their weights.
    pub weight: i64,
    /// Whether the rules alone say so, without what the query fixes.
    pub is_implied: bool,
}

/// At most so many products: rows are bit sets over them.
const MOST_PRODUCTS: usize = 200_000;

impl Parities {
    /// The parities in some hard rules; nothing unless a gated rule or a set of even or odd sums is among
    /// them, which are what other reasoning has trouble with.
    pub fn of(rules: &RuleSet) -> Option<Parities> {
        let is_hard_to_see =
            |c: &Constraint| parity(c).is_some() && (c.gate().is_some() || c.sums().single().is_none());
        if !rules.constraints().any(|c| is_hard_to_see(c) && c.len() > 1) {
            return None;
        }
        let mut products: Vec<(Lit, Lit)> = Vec::new();
        let mut numbers: HashMap<(Lit, Lit), u32> = HashMap::new();
        let mut rows = Vec::new();
        let mut units = Vec::new();
        let mut excluders = vec![Vec::new(); 2 * rules.variables().len()];
        for constraint in rules.constraints() {
            exclude(constraint, &mut excluders);
            if let Some([literal]) = constraint.as_clause().as_deref() {
                units.push(*literal);
                continue;
            }
            let Some(odd) = parity(constraint) else { continue };
            let gate = constraint.gate();
            let mut row: BTreeMap<u32, bool> = BTreeMap::new();
            let factors = constraint.literals().iter().map(|&literal| (gate.unwrap_or(literal), literal));
            for (a, b) in factors.chain(gate.filter(|_| odd).map(|gate| (gate, gate))) {
                let product = (a.min(b), a.max(b));
                let number = *numbers.entry(product).or_insert_with(|| {
                    products.push(product);
                    products.len() as u32 - 1
                });
                *row.entry(number).or_default() ^= true;
            }
            let terms = row.into_iter().filter(|(_, there)| *there).map(|(number, _)| number).collect();
            rows.push((terms, gate.is_none() && odd));
        }
        (products.len() <= MOST_PRODUCTS).then_some(Parities { products, rows, excluders, units })
    }

    /// Cores among wishes with these weights (by literal, zero where nothing is wished), while these
    /// literals are fixed; nothing if rules and fixed literals cannot all hold, whatever is wished. The weights
    /// are reduced by what the cores pay.
    pub fn cores(&self, weights: &mut [i64], fixed: &[Lit]) -> Option<Vec<ParityCore>> {
        let mut elimination = Elimination::new(self, weights, fixed);
        let mut cores = Vec::new();
        while let Some(core) = elimination.next_core() {
            if core.literals.is_empty() {
                return None;
            }
            cores.push(core);
        }
        Some(cores)
    }
}

/// Whether the allowed sums are all odd or all even, and which.
fn parity(constraint: &Constraint) -> Option<bool> {
    let mut sums = constraint.sums().iter().map(|sum| sum % 2 == 1);
    let first = sums.next()?;
    sums.all(|odd| odd == first).then_some(first)
}

/// Notes which literals cannot be true together, for rules that allow one of their literals.
fn exclude(constraint: &Constraint, excluders: &mut [Vec<Lit>]) {
    if constraint.gate().is_some() || constraint.sums().greatest() != Some(1) {
        if let Some([a, b]) = constraint.as_clause().as_deref() {
            excluders[(!*a).code()].push(!*b);
            excluders[(!*b).code()].push(!*a);
        }
        return;
    }
    for &a in constraint.literals() {
        let others = constraint.literals().iter().copied().filter(|&b| b != a);
        excluders[a.code()].extend(others);
    }
}

/// What is known of a literal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// The rules or the query fix it; whether the query was needed.
    Fixed(bool, bool),
    /// It is open, up to wishes.
    Open,
}

/// One elimination, from the wishes as they stand to the last core.
struct Elimination<'a> {
    parities: &'a Parities,
    weights: &'a mut [i64],
    known: Vec<Known>,
    /// Each row: the products in it, and whether they add up to one.
    rows: Vec<(Vec<u64>, bool)>,
    /// For each product the rows that may have it.
    places: Vec<Vec<u32>>,
    /// For each literal the products that have it as a factor.
    factors: HashMap<Lit, Vec<u32>>,
    is_free: Vec<bool>,
    is_pivot: Vec<bool>,
    /// Rows to look at.
    open: Vec<u32>,
}

/// The value of a product.
enum Value {
    Free,
    Zero(Reason),
    One(Reason, Reason),
}

/// Why a literal has a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reason {
    Rules,
    Query,
    Wish(Lit),
}

impl<'a> Elimination<'a> {
    fn new(parities: &'a Parities, weights: &'a mut [i64], fixed: &[Lit]) -> Elimination<'a> {
        let mut known = vec![Known::Open; weights.len()];
        for (literals, by_query) in [(fixed, true), (&parities.units[..], false)] {
            for literal in literals {
                known[literal.code()] = Known::Fixed(true, by_query);
                known[(!*literal).code()] = Known::Fixed(false, by_query);
            }
        }
        let words = parities.products.len().div_ceil(64);
        let mut places = vec![Vec::new(); parities.products.len()];
        let mut factors: HashMap<Lit, Vec<u32>> = HashMap::new();
        let mut rows = Vec::with_capacity(parities.rows.len());
        for (number, (terms, odd)) in parities.rows.iter().enumerate() {
            let mut bits = vec![0u64; words];
            for &term in terms {
                bits[term as usize / 64] |= 1 << (term % 64);
                places[term as usize].push(number as u32);
            }
            rows.push((bits, *odd));
        }
        for (number, &(a, b)) in parities.products.iter().enumerate() {
            factors.entry(a).or_default().push(number as u32);
            if a != b {
                factors.entry(b).or_default().push(number as u32);
            }
        }
        let mut elimination = Elimination {
            known,
            open: (0..rows.len() as u32).rev().collect(),
            is_pivot: vec![false; rows.len()],
            is_free: vec![false; parities.products.len()],
            rows,
            places,
            factors,
            parities,
            weights,
        };
        for product in 0..elimination.parities.products.len() as u32 {
            elimination.free_if_open(product);
        }
        elimination
    }

    /// Why a literal is false, if it is.
    fn why_false(&self, literal: Lit) -> Option<Reason> {
        match self.known[literal.code()] {
            Known::Fixed(false, by_query) => {
                return Some(if by_query { Reason::Query } else { Reason::Rules });
            }
            Known::Fixed(true, _) => return None,
            Known::Open => (),
        }
        if self.weights[(!literal).code()] > 0 {
            return Some(Reason::Wish(!literal));
        }
        let excluders = &self.parities.excluders[literal.code()];
        if let Some(&known) = excluders.iter().find(|l| matches!(self.known[l.code()], Known::Fixed(true, _)))
        {
            return self.why_false(!known);
        }
        excluders.iter().find(|l| self.weights[l.code()] > 0).map(|&literal| Reason::Wish(literal))
    }

    fn value(&self, product: u32) -> Value {
        let (a, b) = self.parities.products[product as usize];
        let (not_a, not_b) = (self.why_false(a), self.why_false(b));
        match (not_a, not_b) {
            // What costs nothing to assume comes first.
            (Some(Reason::Rules), _) | (_, Some(Reason::Rules)) => Value::Zero(Reason::Rules),
            (Some(Reason::Query), _) | (_, Some(Reason::Query)) => Value::Zero(Reason::Query),
            (Some(reason), _) | (None, Some(reason)) => Value::Zero(reason),
            (None, None) => match (self.why_false(!a), self.why_false(!b)) {
                (Some(a), Some(b)) => Value::One(a, b),
                _ => Value::Free,
            },
        }
    }

    /// Eliminates a product if nothing says what it is.
    fn free_if_open(&mut self, product: u32) {
        if self.is_free[product as usize] || !matches!(self.value(product), Value::Free) {
            return;
        }
        self.is_free[product as usize] = true;
        let (word, bit) = (product as usize / 64, product % 64);
        let mut holders = std::mem::take(&mut self.places[product as usize]);
        holders.sort_unstable();
        holders.dedup();
        holders
            .retain(|&row| !self.is_pivot[row as usize] && self.rows[row as usize].0[word] >> bit & 1 == 1);
        let Some((&pivot, others)) = holders.split_first() else { return };
        self.is_pivot[pivot as usize] = true;
        let (bits, odd) = std::mem::take(&mut self.rows[pivot as usize]);
        for &row in others {
            for (place, (mine, theirs)) in self.rows[row as usize].0.iter_mut().zip(&bits).enumerate() {
                let mut gained = theirs & !*mine;
                *mine ^= theirs;
                while gained != 0 {
                    self.places[place * 64 + gained.trailing_zeros() as usize].push(row);
                    gained &= gained - 1;
                }
            }
            self.rows[row as usize].1 ^= odd;
            self.open.push(row);
        }
    }

    /// The next core, paid for; one without literals if the rules alone, with what is fixed, are wrong.
    fn next_core(&mut self) -> Option<ParityCore> {
        while let Some(row) = self.open.pop() {
            if self.is_pivot[row as usize] {
                continue;
            }
            let Some((literals, is_implied)) = self.wrong(row) else { continue };
            let weight = literals.iter().map(|literal| self.weights[literal.code()]).min().unwrap_or(0);
            // The row may be wrong for another reason next.
            self.open.push(row);
            for literal in &literals {
                self.weights[literal.code()] -= weight;
                if self.weights[literal.code()] == 0 {
                    self.set_free(*literal);
                }
            }
            return Some(ParityCore { literals, weight, is_implied });
        }
        None
    }

    /// The wishes because of which a row cannot be right; nothing if it can.
    fn wrong(&self, row: u32) -> Option<(Vec<Lit>, bool)> {
        let (bits, odd) = &self.rows[row as usize];
        let (mut sum, mut is_implied) = (*odd, true);
        let mut wishes = Vec::new();
        let mut note = |reason: Reason| match reason {
            Reason::Rules => (),
            Reason::Query => is_implied = false,
            Reason::Wish(literal) => wishes.push(literal),
        };
        for (place, &word) in bits.iter().enumerate() {
            let mut word = word;
            while word != 0 {
                let product = (place * 64) as u32 + word.trailing_zeros();
                word &= word - 1;
                match self.value(product) {
                    Value::Free => return None,
                    Value::Zero(reason) => note(reason),
                    Value::One(a, b) => {
                        sum = !sum;
                        note(a);
                        note(b);
                    }
                }
            }
        }
        wishes.sort_unstable();
        wishes.dedup();
        sum.then_some((wishes, is_implied))
    }

    /// Eliminates what a wish that is no longer there kept from being open.
    fn set_free(&mut self, wish: Lit) {
        let excluded = self.parities.excluders[wish.code()].clone();
        let touched: Vec<u32> = excluded
            .into_iter()
            .chain([wish, !wish])
            .filter_map(|literal| self.factors.get(&literal))
            .flatten()
            .copied()
            .collect();
        touched.into_iter().for_each(|product| self.free_if_open(product));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::{Rule, Sums, Var, Variables};

    const SIDE: usize = 12;

    /// Rules of a way from the first row to the last over cells with up to four neighbours, past a wall with
    /// a gap or without.
    fn past_a_wall(gap: Option<usize>) -> RuleSet {
        let cell = |row: usize, column: usize| Var((row * SIDE + column) as u32).positive();
        let ends = [cell(0, 3), cell(SIDE - 1, 7)];
        let wall = (0..SIDE).filter(|column| Some(*column) != gap).map(|column| !cell(5, column));
        let units = ends.into_iter().chain(wall).map(|literal| Constraint::clause([literal]));
        let degree = |row: usize, column: usize| {
            let (above, left) = (row.checked_sub(1), column.checked_sub(1));
            let around = [above.map(|row| cell(row, column)), left.map(|column| cell(row, column))];
            let below = (row + 1 < SIDE).then(|| cell(row + 1, column));
            let right = (column + 1 < SIDE).then(|| cell(row, column + 1));
            let count = if ends.contains(&cell(row, column)) { 1 } else { 2 };
            let around = around.into_iter().chain([below, right]).flatten();
            Constraint::new(around, Sums::exactly(count)).gated(cell(row, column))
        };
        let degrees = (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| degree(row, column)));
        let names = Variables::from_names((0..SIDE * SIDE).map(|cell| format!("cell {cell}"))).unwrap();
        RuleSet::with_rules(names, units.chain(degrees).map(Rule::given))
    }

    /// Cores of the wishes, all of weight 1, that no cell be used.
    fn cores(rules: &RuleSet, fixed: &[Lit]) -> Option<Vec<ParityCore>> {
        let mut weights: Vec<i64> = (0..2 * SIDE * SIDE).map(|_| 0).collect();
        (0..(SIDE * SIDE) as u32).for_each(|cell| weights[Var(cell).negative().code()] = 1);
        Parities::of(rules).expect("gated rules").cores(&mut weights, fixed)
    }

    /// Without a gap there is no way, by the rules or by what is fixed; with one each of the ten rows in
    /// between has a cell of the way, and so has each of the four columns.
    #[test]
    fn no_way_past_a_wall() {
        assert_eq!(cores(&past_a_wall(None), &[]), None);
        let gap = Var(5 * SIDE as u32 + 9);
        let open = past_a_wall(Some(9));
        assert_eq!(cores(&open, &[gap.negative()]), None);
        let paid: i64 = cores(&open, &[]).expect("there is a way").iter().map(|core| core.weight).sum();
        // Ten rows in between; six columns from the start's to the gap's, two back to the end's.
        assert!((10..=10 + 6 + 2).contains(&paid), "{paid}");
    }
}
