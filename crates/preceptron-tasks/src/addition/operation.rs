//! What the answers of the data are.

use preceptron_base::{choices, stream};
use rand::RngExt;

/// Answers of a random table.
const RANDOM: i64 = 6;

choices! {
    /// What is made of two digits.
    pub enum Operation: Sum {
        /// The sum.
        Sum = "sum",
        /// The sum modulo 10.
        Mod = "mod",
        /// The product.
        Product = "product",
        /// The absolute difference.
        Difference = "difference",
        /// The first less the second.
        Minus = "minus",
        /// The larger one.
        Max = "max",
        /// The smaller one.
        Min = "min",
        /// Whether the first is less than the second.
        Less = "less",
        /// Whether they are equal.
        Equal = "equal",
        /// Whether exactly one of them is even.
        OneEven = "one-even",
        /// Six values, drawn at random for each pair of digits.
        Random = "random",
    }
}

impl Operation {
    /// The answer to what pictures show: two digits, or two numbers of as many digits each.
    pub fn answer(self, shown: &[u8], seed: u64) -> String {
        let number = |digits: &[u8]| digits.iter().fold(0, |number, digit| 10 * number + i64::from(*digit));
        let (a, b) = shown.split_at(shown.len() / 2);
        let (a, b) = (number(a), number(b));
        let value = match self {
            Operation::Sum => a + b,
            Operation::Mod => (a + b) % 10,
            Operation::Product => a * b,
            Operation::Difference => (a - b).abs(),
            Operation::Minus => a - b,
            Operation::Max => a.max(b),
            Operation::Min => a.min(b),
            Operation::Less => i64::from(a < b),
            Operation::Equal => i64::from(a == b),
            Operation::OneEven => (a + b) % 2,
            Operation::Random => stream(seed, "a random table", (10 * a + b) as u64).random_range(0..RANDOM),
        };
        value.to_string()
    }

    /// What it is, in words.
    pub fn words(self) -> &'static str {
        match self {
            Operation::Sum => "the sums",
            Operation::Mod => "the sums modulo 10",
            Operation::Product => "the products",
            Operation::Difference => "the absolute differences",
            Operation::Minus => "the differences",
            Operation::Max => "the larger ones",
            Operation::Min => "the smaller ones",
            Operation::Less => "whether the first is less",
            Operation::Equal => "whether they are equal",
            Operation::OneEven => "whether exactly one is even",
            Operation::Random => "values of a random table",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_those_of_the_operation() {
        let all = [
            (Operation::Sum, "12"),
            (Operation::Mod, "2"),
            (Operation::Product, "27"),
            (Operation::Difference, "6"),
            (Operation::Minus, "-6"),
            (Operation::Max, "9"),
            (Operation::Min, "3"),
            (Operation::Less, "1"),
            (Operation::Equal, "0"),
            (Operation::OneEven, "0"),
        ];
        for (operation, answer) in all {
            assert_eq!(operation.answer(&[3, 9], 0), answer, "{operation:?}");
        }
        assert_eq!(Operation::Sum.answer(&[3, 9, 1, 2], 0), "51");
        let table = |seed| (0..9).map(|at| Operation::Random.answer(&[at, 3], seed)).collect::<Vec<_>>();
        assert_eq!(table(1), table(1));
        assert_ne!(table(1), table(2));
    }
}
