//! Settings of the learner: parsed as they come, then checked into a type that cannot be wrong.

use preceptron_base::{Kind, SettingsError, Value};
use serde::{Deserialize, Serialize};

use crate::row_update::RowWeights;

/// Which least-squares problem the rows solve. One machine, three settings: see [`crate::row_update`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// Anchored at one variable, on the few that are most negatively correlated with it. Needs no bound.
    #[default]
    Local,
    /// All variables, covariance form, the mean kept exactly by projection.
    Global,
    /// All variables, the printed update: raw second moments, clamped to the box.
    Paper,
}

/// How the sum `b` of a row is chosen in the global and paper forms.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// The same for all rows.
    Fixed(f64),
    /// One pass for each whole number from the first to the last.
    Sweep(u32, u32),
    /// Starts at the given value and follows the rows by the proximal update.
    Updated(f64),
}

/// `1`, `1..3` or `updated:1`.
impl Value for Bound {
    const KIND: Kind = Kind::Text;

    fn read(text: &str) -> Result<Bound, String> {
        let wrong = || "expected a number B, a sweep A..B of whole numbers, or updated:B".to_owned();
        if let Some((first, last)) = text.split_once("..") {
            let whole = |number: &str| number.trim().parse::<u32>().map_err(|_| wrong());
            return Ok(Bound::Sweep(whole(first)?, whole(last)?));
        }
        let (number, make): (_, fn(f64) -> Bound) = match text.strip_prefix("updated:") {
            Some(number) => (number, Bound::Updated),
            None => (text, Bound::Fixed),
        };
        number.trim().parse().map(make).map_err(|_| wrong())
    }

    fn written(&self) -> Option<String> {
        Some(match self {
            Bound::Fixed(sum) => sum.to_string(),
            Bound::Sweep(first, last) => format!("{first}..{last}"),
            Bound::Updated(sum) => format!("updated:{sum}"),
        })
    }
}

/// The learner's settings. Every field has a default; [`Settings::check`] says what is out of range.
///
/// | field | default | range |
/// |---|---|---|
/// | `seed` | 0 | any |
/// | `form` | `local` | `local`, `global`, `paper` |
/// | `least_squares`, `cliques`, `counting`, `templates`, `parity` | true | |
/// | `trust_region` (lambda) | 0.01; paper 0.0016 | 0 to 100 |
/// | `proximal` (1/gamma) | 0.1; paper 15.6 | above 0, to 10^6 |
/// | `dc_penalty` (the greatest t) | 0.1; paper 0.5 | 0 to 10^6 |
/// | `iterations` | 80; paper 10,000 | 1 to 10^7 |
/// | `rows` in a round, or restarts at an anchor | 8; global and paper 400 | 1 to 10^5 |
/// | `neighbours` of an anchor | chosen by the data | 2 to 1,000 |
/// | `bound` | fixed at 1 | sums of at least 0 |
/// | `patience` (rounds without a new rule) | 1 | 1 to 1,000 |
/// | `rounds` at the most | 50 | 1 to 10^5 |
/// | `threshold` (the paper's k%) | 1 | above 0.5, to 1 |
/// | `false_alarm` | 0.001 | above 0, to 0.5 |
/// | `clause_literals` | 6 | 1 to 8 |
/// | `clause_budget` (steps of 64 examples) | 2 * 10^9 | any |
/// | `situations` | 3 | any |
/// | `stability` | false | |
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The master seed.
    pub seed: u64,
    /// Which least-squares problem.
    pub form: Form,
    /// Search for equalities by least squares.
    pub least_squares: bool,
    /// Search for exactly-one and at-most-one rules as cliques of exclusive literals.
    pub cliques: bool,
    /// Search for clauses and groups by counting.
    pub counting: bool,
    /// Search for families of bounds on sums over axes, where the variables have axes: with evidence pooled over
    /// their members where examples are complete and right, else against samples of the rules.
    pub templates: bool,
    /// Search for parity rules by elimination over GF(2).
    pub parity: bool,
    /// The weight lambda of the pull towards each row's centre; 0 is the ablation NTR.
    pub trust_region: Option<f64>,
    /// The weight 1/gamma of the pull towards the previous row.
    pub proximal: Option<f64>,
    /// The weight t that the DC penalty reaches; 0 is the ablation NDC.
    pub dc_penalty: Option<f64>,
    /// Updates of each row.
    pub iterations: Option<u32>,
    /// Rows in a round (global, paper) or restarts at an anchor (local).
    pub rows: Option<u32>,
    /// How many variables stand beside an anchor.
    pub neighbours: Option<u32>,
    /// The sums of the rows, in the global and paper forms.
    pub bound: Bound,
    /// Rounds without a new rule before the search ends.
    pub patience: u32,
    /// Rounds at the most.
    pub rounds: u32,
    /// The share of deciding examples that must satisfy a rule.
    pub threshold: f64,
    /// Choose the threshold by how many entries seem to be wrong; the set one is then not used.
    pub auto_threshold: bool,
    /// The probability of accepting any rule by chance, if the variables were independent.
    pub false_alarm: f64,
    /// Literals in a clause, at the most.
    pub clause_literals: u32,
    /// Steps of the search for clauses, at the most; a step looks at one clause in 64 examples.
    pub clause_budget: u64,
    /// A rule that rests on fewer different situations is called ambiguous.
    pub situations: u64,
    /// Learn once more without the last fifth of the examples, to see whether they changed anything. It depends on
    /// their order, and is not part of the verdict unless asked for.
    pub stability: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            seed: 0,
            form: Form::Local,
            least_squares: true,
            cliques: true,
            counting: true,
            templates: true,
            parity: true,
            trust_region: None,
            proximal: None,
            dc_penalty: None,
            iterations: None,
            rows: None,
            neighbours: None,
            bound: Bound::Fixed(1.0),
            patience: 1,
            rounds: 50,
            threshold: 1.0,
            auto_threshold: false,
            false_alarm: 1e-3,
            clause_literals: 6,
            clause_budget: 2_000_000_000,
            situations: 3,
            stability: false,
        }
    }
}

/// Settings that have been checked, with every default filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    settings: Settings,
    pub(crate) trust_region: f64,
    pub(crate) proximal: f64,
    pub(crate) dc_penalty: f64,
    pub(crate) iterations: u32,
    pub(crate) rows: usize,
    /// The share of entries that seem to be wrong, where rules need not hold in all examples and it could be told.
    pub(crate) wrong: Option<f64>,
}

impl std::ops::Deref for Checked {
    type Target = Settings;
    fn deref(&self) -> &Settings {
        &self.settings
    }
}

impl Checked {
    /// The same settings with the search for cliques alone, if that is not all there is already.
    pub fn cliques_alone(&self) -> Option<Checked> {
        let others = self.least_squares || self.counting || self.templates || self.parity || self.stability;
        let mut alone = self.clone();
        let settings = &mut alone.settings;
        (settings.least_squares, settings.counting, settings.templates) = (false, false, false);
        (settings.parity, settings.stability) = (false, false);
        (self.cliques && others).then_some(alone)
    }

    /// The same settings with so many times the rows.
    pub(crate) fn with_rows(&self, times: usize) -> Checked {
        let mut more = self.clone();
        more.rows = self.rows.saturating_mul(times);
        more
    }

    /// The weights of the row update.
    pub fn row_weights(&self) -> RowWeights {
        RowWeights {
            trust_region: self.trust_region,
            proximal: self.proximal,
            penalty: self.dc_penalty,
            iterations: self.iterations,
        }
    }

    /// Which share of the variance of independent literals a row may keep: none if every example must
    /// agree, else a little for the examples that may disagree.
    pub(crate) fn variance_cut(&self) -> f64 {
        (2.0 * (1.0 - self.threshold)).min(0.25)
    }
}

impl Settings {
    /// Fills in what depends on the form, and checks every range.
    pub fn check(self) -> Result<Checked, SettingsError> {
        let (trust_region, proximal, dc_penalty, iterations, rows) = match self.form {
            Form::Local => (0.01, 0.1, 0.1, 80, 8),
            Form::Global => (0.01, 0.1, 0.1, 80, 400),
            Form::Paper => (0.1 / 64.0, 1000.0 / 64.0, 0.5, 10_000, 400),
        };
        let checked = Checked {
            trust_region: self.trust_region.unwrap_or(trust_region),
            proximal: self.proximal.unwrap_or(proximal),
            dc_penalty: self.dc_penalty.unwrap_or(dc_penalty),
            iterations: self.iterations.unwrap_or(iterations),
            rows: self.rows.unwrap_or(rows) as usize,
            wrong: None,
            settings: self,
        };
        let within = |key, value: f64, ok: bool, range| match ok && value.is_finite() {
            true => Ok(()),
            false => Err(SettingsError::range(key, value, range)),
        };
        let c = &checked;
        within("trust_region", c.trust_region, (0.0..=100.0).contains(&c.trust_region), "0 to 100")?;
        within("proximal", c.proximal, c.proximal > 0.0 && c.proximal <= 1e6, "above 0, to 1000000")?;
        within("dc_penalty", c.dc_penalty, (0.0..=1e6).contains(&c.dc_penalty), "0 to 1000000")?;
        let iterations = f64::from(c.iterations);
        within("iterations", iterations, (1.0..=1e7).contains(&iterations), "1 to 10000000")?;
        within("rows", c.rows as f64, (1..=100_000).contains(&c.rows), "1 to 100000")?;
        if let Some(neighbours) = c.neighbours {
            within("neighbours", f64::from(neighbours), (2..=1000).contains(&neighbours), "2 to 1000")?;
        }
        match c.bound {
            Bound::Fixed(b) => within("bound", b, b >= 0.0, "at least 0")?,
            Bound::Updated(b) => within("bound", b, b >= 0.0, "at least 0")?,
            Bound::Sweep(first, last) => {
                within("bound", f64::from(last), first <= last, "a sweep from a smaller to a larger sum")?;
            }
        }
        within("patience", f64::from(c.patience), (1..=1000).contains(&c.patience), "1 to 1000")?;
        within("rounds", f64::from(c.rounds), (1..=100_000).contains(&c.rounds), "1 to 100000")?;
        within("threshold", c.threshold, c.threshold > 0.5 && c.threshold <= 1.0, "above 0.5, to 1")?;
        within("false_alarm", c.false_alarm, c.false_alarm > 0.0 && c.false_alarm <= 0.5, "above 0, to 0.5")?;
        let literals = f64::from(c.clause_literals);
        within("clause_literals", literals, (1..=8).contains(&c.clause_literals), "1 to 8")?;
        Ok(checked)
    }
}
