//! Things that can be done beside training: data to make, check and draw, and benchmarks.

use std::io::Write;

use preceptron_base::{Control, Flag, Given, Settings, apply};

use super::TaskResult;

/// Under which command an action stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// `precept data TASK NAME`.
    Data,
    /// `precept bench NAME`.
    Bench,
}

/// Something that can be done, with settings of its own.
pub trait Action: Sync + 'static {
    /// Where it stands.
    const GROUP: Group;
    /// Its name.
    const NAME: &'static str;
    /// What it does, in a sentence.
    const ABOUT: &'static str;
    /// Examples of use and what else a help text says.
    const HELP: &'static str;
    /// Its flags.
    type Settings: Settings;

    /// Does it; results go to `out` as they come. Whether the answer is a yes.
    ///
    /// # Errors
    /// If it cannot be done.
    fn run(settings: &Self::Settings, out: &mut dyn Write, control: &dyn Control) -> TaskResult<bool>;
}

/// An [`Action`] of any settings.
pub trait AnyAction: Sync {
    /// Where it stands.
    fn group(&self) -> Group;
    /// Its name.
    fn name(&self) -> &'static str;
    /// What it does.
    fn about(&self) -> &'static str;
    /// What a help text says below the flags.
    fn help(&self) -> &'static str;
    /// Its flags.
    fn flags(&self) -> Vec<Flag>;
    /// Does it with what was typed.
    ///
    /// # Errors
    /// If what was typed cannot be understood, or it cannot be done.
    fn run(&self, given: &[Given], out: &mut dyn Write, control: &dyn Control) -> TaskResult<bool>;
}

impl<A: Action> AnyAction for A {
    fn group(&self) -> Group {
        A::GROUP
    }

    fn name(&self) -> &'static str {
        A::NAME
    }

    fn about(&self) -> &'static str {
        A::ABOUT
    }

    fn help(&self) -> &'static str {
        A::HELP
    }

    fn flags(&self) -> Vec<Flag> {
        A::Settings::flags()
    }

    fn run(&self, given: &[Given], out: &mut dyn Write, control: &dyn Control) -> TaskResult<bool> {
        let mut settings = A::Settings::default();
        apply(&mut settings, given)?;
        A::run(&settings, out, control)
    }
}
