//! The trait that every backend has, and the backends by name.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use preceptron_logic::Problem;

use crate::{Answer, Query, ReasonError};

/// A problem, loaded once, and asked many times.
pub trait Reasoner: Send {
    /// The backend's name.
    fn name(&self) -> &'static str;

    /// The largest sum of all costs and prices that a query may have here.
    fn capacity(&self) -> i64;

    /// The problem that was loaded.
    fn problem(&self) -> &Arc<Problem>;

    /// Answers a query. The next query is answered as if this one had not been asked, only faster.
    ///
    /// # Errors
    /// If the query does not fit the problem or the backend, or the backend's answer fails its check.
    fn solve(&mut self, query: &Query) -> Result<Answer, ReasonError>;
}

/// A backend by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// BatSat first, and CaDiCaL where that takes too long.
    #[default]
    Portfolio,
    /// Core-guided search on BatSat.
    Batsat,
    /// Core-guided search on CaDiCaL.
    #[cfg(feature = "cadical")]
    Cadical,
    /// The SMT solver Z3.
    #[cfg(feature = "z3")]
    Z3,
    /// The integer programming solver HiGHS.
    #[cfg(feature = "highs")]
    Highs,
}

impl Backend {
    /// Every backend that is built in.
    pub const ALL: &'static [Backend] = &[
        Backend::Portfolio,
        Backend::Batsat,
        #[cfg(feature = "cadical")]
        Backend::Cadical,
        #[cfg(feature = "z3")]
        Backend::Z3,
        #[cfg(feature = "highs")]
        Backend::Highs,
    ];

    /// The backend's name.
    pub fn name(self) -> &'static str {
        match self {
            Backend::Portfolio => "portfolio",
            Backend::Batsat => "batsat",
            #[cfg(feature = "cadical")]
            Backend::Cadical => "cadical",
            #[cfg(feature = "z3")]
            Backend::Z3 => "z3",
            #[cfg(feature = "highs")]
            Backend::Highs => "highs",
        }
    }

    /// Loads a problem.
    ///
    /// # Errors
    /// If the backend cannot take something in it.
    pub fn load(self, problem: impl Into<Arc<Problem>>) -> Result<Box<dyn Reasoner>, ReasonError> {
        let problem = problem.into();
        if !problem.rules.relative().is_empty() {
            let what = "relative rules, which are not yet put on variables".to_owned();
            return Err(ReasonError::Unsupported { backend: self.name(), what });
        }
        Ok(match self {
            Backend::Portfolio => Box::new(crate::Portfolio::load(problem)?),
            Backend::Batsat => Box::new(crate::CoreGuided::<crate::sat::Batsat>::load(problem)?),
            #[cfg(feature = "cadical")]
            Backend::Cadical => Box::new(crate::CoreGuided::<crate::sat::Cadical>::load(problem)?),
            #[cfg(feature = "z3")]
            Backend::Z3 => Box::new(crate::Z3::load(problem)?),
            #[cfg(feature = "highs")]
            Backend::Highs => Box::new(crate::Highs::load(problem)?),
        })
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Backend {
    type Err = String;
    fn from_str(name: &str) -> Result<Backend, String> {
        Backend::ALL.iter().copied().find(|backend| backend.name() == name).ok_or_else(|| {
            let known: Vec<&str> = Backend::ALL.iter().map(|backend| backend.name()).collect();
            format!("no backend {name}: there are {}", known.join(", "))
        })
    }
}
