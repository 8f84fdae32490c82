//! The symbols of variables: `x1`, `x2`, ... in most formats, quoted names in SMT-LIB.

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
