//! The settings of joint training on the command line.

use clap::{Args, ValueEnum};
use preceptron::{Course, JointSettings, RowBounds};
use preceptron_learn::UpdateOrder;
use preceptron_perceive::Objective;

use crate::settings_arguments::share;

/// In what order rules, symbols and network are improved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScheduleName {
    /// Rules from what is known, grounding by the rules, training, rules once more from everything.
    Staged,
    /// Rules, symbols and network in every step (the paper's Algorithm 1).
    Joint,
}

/// What a step updates first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OrderName {
    /// Rows, symbols, network, as printed.
    Printed,
    /// Symbols, network, rows, as in the authors' programs.
    Authors,
}

/// The network's loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LossName {
    /// Cross-entropy, as in the authors' programs.
    CrossEntropy,
    /// Squared, as printed.
    Squared,
}

/// The schedule, and joint training.
#[derive(Args)]
#[command(next_help_heading = "Schedule")]
pub struct JointArguments {
    /// In what order rules, symbols and network are improved.
    #[arg(long, value_enum, default_value_t = ScheduleName::Staged)]
    schedule: ScheduleName,
    /// Joint: how often training goes through all boards [default: 30].
    #[arg(long, value_name = "N")]
    epochs: Option<u64>,
    /// Joint: rows of weights that are learned [default: 300].
    #[arg(long, value_name = "M")]
    rows: Option<usize>,
    /// Joint: what a step updates first.
    #[arg(long, value_enum, default_value_t = OrderName::Printed)]
    step_order: OrderName,
    /// Joint: the network's loss.
    #[arg(long, value_enum, default_value_t = LossName::CrossEntropy)]
    loss: LossName,
    /// Joint: no trust region (the ablation NTR).
    #[arg(long)]
    no_trust_region: bool,
    /// Joint: no DC penalty (the ablation NDC).
    #[arg(long)]
    no_penalty: bool,
    /// Joint: how much grounding trusts the network; two numbers rise or fall in the course of training
    /// [default: 0.5].
    #[arg(long, value_name = "ALPHA", num_args = 1..=2)]
    alpha: Option<Vec<f64>>,
    /// Joint: the weight of the trust region, for each example [default: 0.003125].
    #[arg(long, value_name = "WEIGHT")]
    trust_region: Option<f64>,
    /// Joint: the weight of the pull towards the weights before a step [default: 1.5625].
    #[arg(long, value_name = "WEIGHT")]
    proximal: Option<f64>,
    /// Joint: how much the pull of weights to 0 or 1 rises in an epoch [default: 0.002].
    #[arg(long, value_name = "WEIGHT")]
    constraint_penalty: Option<f64>,
    /// Joint: how much the pull of symbols to 0 or 1 rises in an epoch [default: 0.02].
    #[arg(long, value_name = "WEIGHT")]
    grounding_penalty: Option<f64>,
    /// Joint: epochs before the two begin to rise [default: 10].
    #[arg(long, value_name = "N")]
    warm_up: Option<u64>,
    /// Joint: bounds that this share of the boards satisfies, in place of exactly 1.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    bounds: Option<f64>,
}

impl JointArguments {
    /// The settings of joint training, if that is asked for.
    pub fn settings(&self) -> anyhow::Result<Option<JointSettings>> {
        if self.schedule == ScheduleName::Staged {
            return Ok(None);
        }
        let default = JointSettings::default();
        let course = |values: &Vec<f64>| Course { first: values[0], last: values[values.len() - 1] };
        let penalty =
            |value: Option<f64>, default| if self.no_penalty { 0.0 } else { value.unwrap_or(default) };
        let settings = JointSettings {
            rows: self.rows.unwrap_or(default.rows),
            epochs: self.epochs.unwrap_or(default.epochs),
            trust_region: match self.no_trust_region {
                true => 0.0,
                false => self.trust_region.unwrap_or(default.trust_region),
            },
            proximal: self.proximal.unwrap_or(default.proximal),
            constraint_penalty: penalty(self.constraint_penalty, default.constraint_penalty),
            grounding_penalty: penalty(self.grounding_penalty, default.grounding_penalty),
            warm_up: self.warm_up.unwrap_or(default.warm_up),
            network_weight: self.alpha.as_ref().map_or(default.network_weight, course),
            order: if self.step_order == OrderName::Authors {
                UpdateOrder::Authors
            } else {
                UpdateOrder::Printed
            },
            bounds: self.bounds.map_or(RowBounds::Fitted, RowBounds::Share),
            ..default
        };
        settings.check()?;
        Ok(Some(settings))
    }

    /// The network's loss.
    pub fn objective(&self) -> Objective {
        match self.loss {
            LossName::CrossEntropy => Objective::CrossEntropy,
            LossName::Squared => Objective::Squared,
        }
    }
}

/// Settings as they are typed.
pub fn joint_flags(joint: &JointSettings, objective: Objective) -> String {
    let Course { first, last } = joint.network_weight;
    let alpha = if first == last { first.to_string() } else { format!("{first} {last}") };
    let order = if joint.order == UpdateOrder::Authors { "authors" } else { "printed" };
    let loss = if objective == Objective::Squared { "squared" } else { "cross-entropy" };
    let mut text = format!(
        "--schedule joint --epochs {} --rows {} --step-order {order} --loss {loss} --alpha {alpha} --trust-region {} \
         --proximal {} --constraint-penalty {} --grounding-penalty {} --warm-up {}",
        joint.epochs,
        joint.rows,
        joint.trust_region,
        joint.proximal,
        joint.constraint_penalty,
        joint.grounding_penalty,
        joint.warm_up
    );
    if let RowBounds::Share(share) = joint.bounds {
        text += &format!(" --bounds {share}");
    }
    text
}
