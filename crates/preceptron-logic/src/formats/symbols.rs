//! The symbols of variables: `x1`, `x2`, ... in most formats, quoted names in SMT-LIB, names as identifiers in
//! MiniZinc.

use std::collections::HashSet;

use crate::Variables;

/// The number in a symbol `x1`, `x2`, ...
pub(super) fn is_numbered(symbol: &str) -> Option<u64> {
    let digits = symbol.strip_prefix('x')?;
    (!digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit())).then(|| digits.parse().ok())?
}

/// Symbols of SMT-LIB that have a meaning, with bars around them too.
const MEANINGFUL: [&str; 23] = [
    "true", "false", "not", "and", "or", "xor", "=>", "=", "distinct", "ite", "+", "-", "*", "/", "div",
    "mod", "abs", "<=", "<", ">=", ">", "let", "_",
];

/// For each variable a symbol of SMT-LIB: its name between bars, or, where the name may not stand
/// there, a numbered symbol that is nobody's name.
pub(super) fn quoted(variables: &Variables) -> Vec<String> {
    let taken: HashSet<&str> = variables.names().iter().map(String::as_str).collect();
    let count = variables.len();
    (1..)
        .zip(variables.names())
        .map(|(number, name)| {
            let reserved = MEANINGFUL.contains(&name.as_str()) || name.starts_with(['@', '.']);
            if !reserved && !name.contains(['|', '\\']) {
                format!("|{name}|")
            } else {
                let mut symbols = (number..).step_by(count).map(|n| format!("x{n}"));
                symbols.find(|s| !taken.contains(s.as_str())).expect("numbers do not end")
            }
        })
        .collect()
}

/// Functions of MiniZinc that have a digit in their names; they may not be the names of variables.
const WITH_DIGITS: [&str; 18] = [
    "array1d",
    "array2d",
    "array3d",
    "array4d",
    "array5d",
    "array6d",
    "array2set",
    "arrayXd",
    "bool2int",
    "bool2float",
    "enum2int",
    "int2float",
    "log2",
    "log10",
    "set2array",
    "set2bool",
    "set2iter",
    "float2int",
];

/// For each variable an identifier that can be read as its name: `cell_row_1_digit_7`. No two are equal, and none
/// is a word or a function of MiniZinc: these are of small letters and lines alone, so that a name of that kind
/// begins with `v_`.
pub(super) fn identifiers(variables: &Variables) -> Vec<String> {
    let mut taken: HashSet<String> = HashSet::new();
    let mut identifier = |name: &String| {
        let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let mut wish = words.collect::<Vec<_>>().join("_");
        let is_own = wish.starts_with(|c: char| c.is_ascii_alphabetic())
            && wish.contains(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit())
            && !WITH_DIGITS.contains(&wish.as_str());
        if !is_own {
            wish = format!("v_{wish}");
        }
        let others = (2..).map(|n| format!("{wish}_{n}"));
        let mut all = std::iter::once(wish.clone()).chain(others);
        all.find(|one| taken.insert(one.clone())).expect("numbers do not end")
    };
    variables.names().iter().map(&mut identifier).collect()
}

/// `wish`, or if a variable has that name, `wish 2`, `wish 3`, ...
pub(super) fn unused(wish: &str, variables: &Variables) -> String {
    let others = (2..).map(|n| format!("{wish} {n}"));
    let mut names = std::iter::once(wish.to_owned()).chain(others);
    names.find(|name| variables.find(name).is_none()).expect("numbers do not end")
}

/// Names for auxiliary variables, none of them a variable's.
pub(super) struct Auxiliaries<'a> {
    variables: &'a Variables,
    next: u32,
    pub names: Vec<String>,
}

impl<'a> Auxiliaries<'a> {
    pub fn new(variables: &'a Variables) -> Auxiliaries<'a> {
        Auxiliaries { variables, next: 0, names: vec![] }
    }

    /// How many variables there are, auxiliary ones among them.
    pub fn count(&self) -> usize {
        self.variables.len() + self.names.len()
    }

    /// One more variable.
    pub fn fresh(&mut self) -> crate::Lit {
        loop {
            self.next += 1;
            let name = format!("aux {}", self.next);
            if self.variables.find(&name).is_none() {
                self.names.push(name);
                return crate::Var(self.count() as u32 - 1).positive();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_can_be_read_and_are_their_own() {
        let names =
            ["cell[row 1, digit 7]", "cell, row 1, digit 7", "constraint", "Größe", "7 up", "%", "!", "log2"];
        let variables = Variables::from_names(names).unwrap();
        let expected = [
            "cell_row_1_digit_7",
            "cell_row_1_digit_7_2",
            "v_constraint",
            "Gr_e",
            "v_7_up",
            "v_",
            "v__2",
            "v_log2",
        ];
        assert_eq!(identifiers(&variables), expected);
        // What is made unique is not what another has.
        let variables = Variables::from_names(["A_2", "A", "A,", "A_2,"]).unwrap();
        assert_eq!(identifiers(&variables), ["A_2", "A", "A_3", "A_2_2"]);
    }
}
