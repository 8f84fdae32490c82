//! The settings of chained XOR on the command line.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use preceptron_learn::{AuxiliarySettings, UpdateOrder};
use preceptron_tasks::xor::{Method, XorSettings};

use crate::settings_arguments::share;

/// How the strings are drawn.
#[derive(Args)]
pub struct DataArguments {
    /// How many strings to train on [default: 1000, or twice the length if that is more].
    #[arg(long, value_name = "N")]
    pub count: Option<u32>,
    /// How probable a one is, such as 0.1 or 10%.
    #[arg(long, value_name = "P", default_value = "0.5", value_parser = share)]
    pub ones: f64,
    /// The share of the bits that do not matter; which ones is drawn.
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = share)]
    pub irrelevant: f64,
    /// How to learn: by auxiliary variables as in the paper, by elimination over GF(2), or by both.
    #[arg(long, value_name = "METHOD", default_value = "both", value_parser = method_parser())]
    pub method: Method,
}

/// The form with auxiliary variables, for strings of length L.
#[derive(Args)]
#[command(next_help_heading = "Auxiliary variables")]
pub struct AuxiliaryArguments {
    /// How many rows are learned at once [default: 20].
    #[arg(long, value_name = "M")]
    rows: Option<u32>,
    /// How many auxiliary variables each string has [default: L - 1].
    #[arg(long, value_name = "N")]
    auxiliaries: Option<u32>,
    /// The sum that rows are fitted to [default: L].
    #[arg(long, value_name = "B")]
    bound: Option<f64>,
    /// The weight of the trust region [default: 0].
    #[arg(long, value_name = "WEIGHT")]
    trust_region: Option<f64>,
    /// The weight of the proximal term [default: 0.6 L].
    #[arg(long, value_name = "WEIGHT")]
    proximal: Option<f64>,
    /// The weight that pulls auxiliary variables to 0 [default: L; the authors' programs have 1].
    #[arg(long, value_name = "WEIGHT")]
    ridge: Option<f64>,
    /// The pull of weights to 0 or 1 at the last step [default: 0].
    #[arg(long, value_name = "WEIGHT")]
    constraint_penalty: Option<f64>,
    /// The pull of auxiliary variables to 0 or 1 at the last step [default: 0].
    #[arg(long, value_name = "WEIGHT")]
    grounding_penalty: Option<f64>,
    /// Steps at the most [default: 400].
    #[arg(long, value_name = "N")]
    iterations: Option<u32>,
    /// What a step updates first: the rows as printed, or the auxiliary variables as the authors do.
    #[arg(long, value_name = "ORDER", default_value = "printed", value_parser = order_parser())]
    order: UpdateOrder,
}

fn method_parser() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(["auxiliary", "parity", "both"]).map(|name| match name.as_str() {
        "auxiliary" => Method::Auxiliary,
        "parity" => Method::Parity,
        _ => Method::Both,
    })
}

fn order_parser() -> impl TypedValueParser<Value = UpdateOrder> {
    PossibleValuesParser::new(["printed", "authors"]).map(|name| match name.as_str() {
        "authors" => UpdateOrder::Authors,
        _ => UpdateOrder::Printed,
    })
}

impl AuxiliaryArguments {
    /// The settings, with the defaults where nothing was said.
    pub fn settings(&self) -> AuxiliarySettings {
        let plain = AuxiliarySettings::default();
        AuxiliarySettings {
            seed: plain.seed,
            rows: self.rows.unwrap_or(plain.rows),
            auxiliaries: self.auxiliaries,
            bound: self.bound,
            trust_region: self.trust_region.unwrap_or(plain.trust_region),
            proximal: self.proximal,
            ridge: self.ridge,
            constraint_penalty: self.constraint_penalty.unwrap_or(plain.constraint_penalty),
            grounding_penalty: self.grounding_penalty.unwrap_or(plain.grounding_penalty),
            iterations: self.iterations.unwrap_or(plain.iterations),
            order: self.order,
        }
    }
}

impl DataArguments {
    /// The task's settings, resolved.
    pub fn settings(&self, length: u32, seed: u64, auxiliary: AuxiliarySettings) -> XorSettings {
        let DataArguments { count, ones, irrelevant, method } = *self;
        XorSettings { seed, length, count, ones, irrelevant, method, auxiliary }.resolved()
    }
}
