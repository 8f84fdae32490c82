//! The formats of solvers: rules and problems as text that other programs read, and back.
//!
//! | format | holds directly | by auxiliary variables |
//! |---|---|---|
//! | JSON | everything, rules with evidence, relative rules | |
//! | OPB, WBO | ranges of sums, linear constraints, one objective or soft constraints | sets of sums |
//! | LP | as OPB, without soft constraints | sets of sums, soft constraints |
//! | CNF, WCNF | clauses; WCNF soft clauses | counters for what needs too many clauses |
//! | SMT-LIB, MiniZinc | everything, rules of whole numbers too (written, not read) | |
//!
//! Variables keep the order of the set, and their names, derived axes and one-hot axes are kept in
//! comments (in SMT-LIB the names are the symbols). Auxiliary variables come after the others and are
//! named `aux 1`, `aux 2`, ...; the models over the other variables are exactly those of the rules.
//! Evidence, origins and notes are kept in JSON alone. Products of literals, which OPB may have, are read
//! as variables of their own.

mod adder;
mod clauses;
mod comments;
mod dimacs;
mod draft;
mod lowering;
mod lp;
mod minizinc;
mod opb;
mod products;
mod relation;
mod smtlib;
mod symbols;
#[cfg(test)]
mod tests;
mod tokens;
mod weight;

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::json::{self, JsonError};
use crate::{Problem, VariablesError};

pub use weight::weight;

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// This library's own, without loss.
    Json,
    /// Pseudo-Boolean constraints; WBO where there are soft ones.
    Opb,
    /// Weighted clauses (MaxSAT).
    Wcnf,
    /// Clauses (DIMACS).
    Cnf,
    /// SMT-LIB 2.
    SmtLib,
    /// MiniZinc.
    MiniZinc,
    /// Integer programs in CPLEX's LP format.
    Lp,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 7] =
        [Format::Json, Format::Opb, Format::Wcnf, Format::Cnf, Format::SmtLib, Format::MiniZinc, Format::Lp];

    /// The format that a file's extension stands for; a last `.gz` or `.xz` is looked past.
    pub fn from_path(path: &Path) -> Option<Format> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".xz")).unwrap_or(&name);
        let (_, extension) = name.rsplit_once('.')?;
        extension.parse().ok()
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Format::Json => "json",
            Format::Opb => "opb",
            Format::Wcnf => "wcnf",
            Format::Cnf => "cnf",
            Format::SmtLib => "smt2",
            Format::MiniZinc => "mzn",
            Format::Lp => "lp",
        })
    }
}

impl FromStr for Format {
    type Err = FormatError;
    fn from_str(text: &str) -> Result<Format, FormatError> {
        Ok(match text.to_ascii_lowercase().as_str() {
            "json" => Format::Json,
            "opb" | "wbo" | "pb" => Format::Opb,
            "wcnf" | "maxsat" => Format::Wcnf,
            "cnf" | "dimacs" => Format::Cnf,
            "smt2" | "smt" | "smtlib" | "smt-lib" => Format::SmtLib,
            "mzn" | "minizinc" => Format::MiniZinc,
            "lp" | "cplex" => Format::Lp,
            _ => return Err(FormatError::Unknown(text.to_owned())),
        })
    }
}

/// Why a text cannot be read or a problem not be written.
#[derive(Debug, thiserror::Error)]
pub enum FormatError {
    /// A name that no format has.
    #[error("there is no format {0:?}; there are json, opb, wcnf, cnf, smt2, mzn and lp")]
    Unknown(String),
    /// Something in the text.
    #[error("line {line}, column {column}: {problem}")]
    At {
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
        /// What was expected or is not supported.
        problem: String,
    },
    /// A line as a whole, or the end of the text.
    #[error("line {line}: {problem}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What was expected or is not supported.
        problem: String,
    },
    /// The names of all variables do not go together.
    #[error("the names of the variables: {0}")]
    Names(#[from] VariablesError),
    /// Not a rule set in JSON.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// Part of a problem that the format has no words for.
    #[error("{format} cannot hold {what}")]
    CannotHold {
        /// The format.
        format: Format,
        /// The part.
        what: String,
    },
}

/// The problem as text of this format.
///
/// Text rather than a stream: headers count what follows them, and whoever writes to a file or a pipe
/// has that one kind of error apart from these.
pub fn write(problem: &Problem, format: Format) -> Result<String, FormatError> {
    if format != Format::Json && !problem.rules.relative().is_empty() {
        let what = "relative rules, which are not yet put on variables".to_owned();
        return Err(FormatError::CannotHold { format, what });
    }
    if !problem.numbers.is_empty() && !matches!(format, Format::Json | Format::SmtLib | Format::MiniZinc) {
        let what = "rules of whole numbers; json, mzn and smt2 do".to_owned();
        return Err(FormatError::CannotHold { format, what });
    }
    match format {
        Format::Json => Ok(json::write_problem(problem)),
        Format::Opb => opb::write(problem),
        Format::Wcnf | Format::Cnf => dimacs::write(problem, format),
        Format::SmtLib => smtlib::write(problem),
        Format::MiniZinc => minizinc::write(problem),
        Format::Lp => lp::write(problem),
    }
}

/// Reads a text of this format.
pub fn read(text: &str, format: Format) -> Result<Problem, FormatError> {
    match format {
        Format::Json => Ok(json::read_problem(text)?),
        Format::Opb => opb::read(text),
        Format::Wcnf | Format::Cnf => dimacs::read(text, format),
        Format::SmtLib => smtlib::read(text),
        Format::MiniZinc => minizinc::read(text),
        Format::Lp => lp::read(text),
    }
}

/// `count` and the thing, in the singular or the plural: `1 clause`, `2 clauses`.
fn plural(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}
