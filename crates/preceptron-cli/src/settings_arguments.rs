//! The learner's settings on the command line: a file of them, and flags that override it.

use std::path::PathBuf;

use anyhow::Context;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Command};
use preceptron_base::Value;
use preceptron_learn::{Bound, Checked, Form, Settings};

/// How to learn.
#[derive(Args)]
#[command(next_help_heading = "Learning")]
pub struct SettingsArguments {
    /// Settings from a TOML file; flags override it.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    config: Option<PathBuf>,
    /// The seed of all random choices.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The share of examples that must satisfy a rule, for data with errors: 95% or 0.95, or auto.
    #[arg(long, value_name = "SHARE", value_parser = threshold)]
    threshold: Option<Threshold>,
    /// The probability of accepting any rule by chance.
    #[arg(long, value_name = "P", value_parser = share, hide_short_help = true)]
    false_alarm: Option<f64>,
    /// The greatest number of literals in a clause, 1 to 8.
    #[arg(long, value_name = "N")]
    clause_literals: Option<u32>,
    /// The least-squares problem: anchored at single variables, over all of them, or as in the paper.
    #[arg(long, value_name = "FORM", value_parser = form_parser(), hide_short_help = true)]
    form: Option<Form>,
    /// The sum of a row in the global and paper forms: B, A..B for one pass each, or updated:B.
    #[arg(long, value_name = "B|A..B|updated:B", value_parser = Bound::read, hide_short_help = true)]
    bound: Option<Bound>,
    /// Do not search for equalities by least squares.
    #[arg(long, hide_short_help = true)]
    no_least_squares: bool,
    /// Do not search for exactly-one and at-most-one rules as cliques.
    #[arg(long, hide_short_help = true)]
    no_cliques: bool,
    /// Do not search for clauses and groups by counting.
    #[arg(long, hide_short_help = true)]
    no_counting: bool,
    /// Do not search for families of bounds on sums over axes.
    #[arg(long, hide_short_help = true)]
    no_templates: bool,
    /// Do not search for parity rules.
    #[arg(long, hide_short_help = true)]
    no_parity: bool,
    /// Do not learn once more without the last fifth of the examples.
    #[arg(long, hide_short_help = true)]
    no_stability: bool,
    /// Ablation: least squares without the trust region.
    #[arg(long, hide_short_help = true)]
    ntr: bool,
    /// Ablation: least squares without the difference-of-convex penalty.
    #[arg(long, hide_short_help = true)]
    ndc: bool,
}

/// The command with the defaults of the settings in its help text.
pub fn with_defaults(mut command: Command) -> Command {
    let settings = Settings::default();
    let defaults = [
        ("seed", settings.seed.to_string()),
        ("threshold", format!("{}%", 100.0 * settings.threshold)),
        ("false_alarm", settings.false_alarm.to_string()),
        ("clause_literals", settings.clause_literals.to_string()),
    ];
    for (name, default) in defaults {
        command = command.mut_arg(name, |argument| {
            let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
            argument.help(format!("{help} [default: {default}]"))
        });
    }
    command
}

/// Which share of examples must satisfy a rule.
#[derive(Clone, Copy)]
enum Threshold {
    /// The examples decide.
    Auto,
    Share(f64),
}

fn threshold(text: &str) -> Result<Threshold, String> {
    match text {
        "auto" => Ok(Threshold::Auto),
        _ => share(text).map(Threshold::Share).map_err(|error| format!("{error}, or auto")),
    }
}

/// A share, as a number or in percent.
pub fn share(text: &str) -> Result<f64, String> {
    let (number, unit) = match text.strip_suffix('%') {
        Some(number) => (number, 100.0),
        None => (text, 1.0),
    };
    match number.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value / unit),
        _ => Err("expected a share such as 95% or 0.95".to_owned()),
    }
}

fn form_parser() -> impl TypedValueParser<Value = Form> {
    PossibleValuesParser::new(["local", "global", "paper"]).map(|name| match name.as_str() {
        "global" => Form::Global,
        "paper" => Form::Paper,
        _ => Form::Local,
    })
}

impl SettingsArguments {
    /// The settings of file and flags, checked.
    pub fn settings(&self) -> anyhow::Result<Checked> {
        let mut settings = match &self.config {
            None => Settings::default(),
            Some(path) => {
                let text = preceptron_base::read_limited_text(path)
                    .with_context(|| format!("{}: cannot be read", path.display()))?;
                let parsed: Result<Settings, toml::de::Error> = toml::from_str(&text);
                parsed.map_err(|error| {
                    let before = error.span().map_or("", |span| &text[..span.start]);
                    let line = before.matches('\n').count() + 1;
                    anyhow::anyhow!("{}: line {line}: {}", path.display(), error.message())
                })?
            }
        };
        settings.seed = self.seed.unwrap_or(settings.seed);
        match self.threshold {
            Some(Threshold::Auto) => settings.auto_threshold = true,
            Some(Threshold::Share(share)) => (settings.threshold, settings.auto_threshold) = (share, false),
            None => {}
        }
        settings.false_alarm = self.false_alarm.unwrap_or(settings.false_alarm);
        settings.clause_literals = self.clause_literals.unwrap_or(settings.clause_literals);
        settings.form = self.form.unwrap_or(settings.form);
        settings.bound = self.bound.unwrap_or(settings.bound);
        settings.least_squares &= !self.no_least_squares;
        settings.cliques &= !self.no_cliques;
        settings.counting &= !self.no_counting;
        settings.templates &= !self.no_templates;
        settings.parity &= !self.no_parity;
        settings.stability &= !self.no_stability;
        if self.ntr {
            settings.trust_region = Some(0.0);
        }
        if self.ndc {
            settings.dc_penalty = Some(0.0);
        }
        Ok(settings.check()?)
    }
}
