//! The trait that every backend has, and the backends by name.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use preceptron_logic::{Lit, Problem, Var};

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

    /// Answers a query with an assignment that is none of those given before; for [`each_best`](crate::each_best),
    /// which asks again and again with one more of them. What the first `known` of them are, was told by the
    /// call before. No conflict is looked for.
    ///
    /// # Errors
    /// As [`Reasoner::solve`].
    fn solve_others(
        &mut self,
        query: &Query,
        given: &[Vec<bool>],
        _known: usize,
    ) -> Result<Answer, ReasonError> {
        let mut further = query.clone();
        further.explain = false;
        let differs = |values: &Vec<bool>| differs(values).collect();
        further.clauses.extend(given.iter().map(differs));
        self.solve(&further)
    }
}

/// The literals of which one must be true in an assignment that is not this one.
pub(crate) fn differs(values: &[bool]) -> impl Iterator<Item = Lit> + '_ {
    (0..).zip(values).map(|(var, &value)| Lit::new(Var(var), value))
}

/// A backend by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// BatSat first, and CaDiCaL where that takes too long.
    #[default]
    Portfolio,
    /// Core-guided search on BatSat.
    Batsat,
    /// Core-guided search on BatSat, with every sum counted in the search and none as clauses.
    Rows,
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
        Backend::Rows,
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
            Backend::Rows => "rows",
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
            Backend::Rows => Box::new(crate::CoreGuided::<crate::sat::Rowed>::load(problem)?),
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
