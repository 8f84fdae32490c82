//! Settings that are said once: a struct's fields, with their documentation, defaults and ranges, are the
//! keys of a file and the flags of a command.

use crate::value::{Kind, kebab};

/// Why settings are not as they should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// A value is out of its range.
    #[error("{key} = {value} is out of range: {range}")]
    Range {
        /// The setting's name.
        key: &'static str,
        /// Its value.
        value: String,
        /// What it may be.
        range: String,
    },
    /// A value cannot be understood.
    #[error("{key} = {value:?}: expected {expected}")]
    Value {
        /// The setting's name.
        key: &'static str,
        /// What was typed.
        value: String,
        /// What it may be.
        expected: String,
    },
    /// There is no setting of this name.
    #[error("there is no setting {0:?}")]
    Unknown(String),
    /// Settings do not go together.
    #[error("{0}")]
    Together(String),
}

impl SettingsError {
    /// A value that is out of its range.
    pub fn range(key: &'static str, value: impl ToString, range: impl Into<String>) -> SettingsError {
        SettingsError::Range { key, value: value.to_string(), range: range.into() }
    }
}

/// A setting as a flag of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    /// The field's name, which is the key in a file.
    pub name: &'static str,
    /// What stands for its value in a help text. In angle brackets for what is typed without a flag.
    pub value: &'static str,
    /// What it is for.
    pub help: String,
    /// What can be typed.
    pub kind: Kind,
    /// What is taken where the flag is typed without a value, if that is allowed.
    pub missing: Option<&'static str>,
    /// The default as it is typed, if there is one.
    pub default: Option<String>,
    /// The heading of its section in a long help text; a short one has only flags without.
    pub section: Option<&'static str>,
}

impl Flag {
    /// The flag as it is typed, without dashes: `rules-by`.
    pub fn long(&self) -> String {
        kebab(self.name)
    }

    /// Whether it is typed by its place, not behind a flag.
    pub fn is_positional(&self) -> bool {
        self.value.starts_with('<')
    }

    /// Whether something is typed behind it.
    pub fn takes_value(&self) -> bool {
        self.kind != Kind::Switch
    }
}

/// A setting that somebody typed, by the field's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The field's name.
    pub name: String,
    /// What was typed; `true` for a switch.
    pub text: String,
}

/// Settings of [`settings!`](crate::settings!).
pub trait Settings: Clone + Default + serde::Serialize + serde::de::DeserializeOwned {
    /// All fields as flags, those of inner settings last.
    fn flags() -> Vec<Flag>;

    /// Sets a field from what was typed.
    ///
    /// # Errors
    /// If there is no such field, or the text cannot be understood.
    fn set(&mut self, name: &str, text: &str) -> Result<(), SettingsError>;

    /// Whether every field is within its range.
    ///
    /// # Errors
    /// With the first that is not.
    fn check(&self) -> Result<(), SettingsError>;

    /// The fields as they would be typed, those that have no value left out.
    fn typed(&self) -> Vec<(&'static str, String)>;
}

/// Sets fields from what was typed, and checks their ranges.
///
/// # Errors
/// As [`Settings::set`] and [`Settings::check`]; a value is shown as it was typed.
pub fn apply<S: Settings>(settings: &mut S, given: &[Given]) -> Result<(), SettingsError> {
    given.iter().try_for_each(|one| settings.set(&one.name, &one.text))?;
    settings.check().map_err(|error| match error {
        SettingsError::Range { key, value, range } => {
            // Of a list, the one value that is wrong says more than the whole.
            let typed = given.iter().rev().find(|one| one.name == key && !one.text.contains(','));
            SettingsError::Range { key, value: typed.map_or(value, |one| one.text.clone()), range }
        }
        other => other,
    })
}

/// The flags that give these settings, but for those that have their defaults: what to type to have the
/// same again.
pub fn as_typed<S: Settings>(settings: &S) -> String {
    let defaults = S::default().typed();
    let flags = S::flags();
    let mut words = Vec::new();
    for (name, text) in settings.typed().into_iter().filter(|one| !defaults.contains(one)) {
        let flag = flags.iter().find(|flag| flag.name == name);
        if flag.is_none_or(|flag| !flag.is_positional()) {
            words.push(format!("--{}", kebab(name)));
        }
        if flag.is_none_or(Flag::takes_value) {
            words.push(quoted(&text));
        }
    }
    words.join(" ")
}

/// A word as a shell takes it.
pub fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@%".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

/// No settings.
impl Settings for () {
    fn flags() -> Vec<Flag> {
        Vec::new()
    }

    fn set(&mut self, name: &str, _text: &str) -> Result<(), SettingsError> {
        Err(SettingsError::Unknown(name.to_owned()))
    }

    fn check(&self) -> Result<(), SettingsError> {
        Ok(())
    }

    fn typed(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }
}

/// A struct of settings, of which each field is said once:
/// ```text
/// /// What it is for.
/// name: Type = default, "VALUE" or "what is meant without a value" in limits;
/// ```
/// What stands for the value, what is meant without one, and the limits can be left out; a value in angle
/// brackets is typed by its place. `with { name: Type }` behind the fields adds settings of another struct,
/// whose fields are a table of their own in a file, and flags like the others on a command line.
///
/// What most people never need is apart: a field behind `section "Heading";`, and all of another struct's
/// with `name: Type as "Heading"`, stand under a heading of their own in a long help text, and in no short one.
///
/// ```
/// use preceptron_base::{Settings, Within, as_typed, settings};
///
/// settings! {
///     /// How noise is added.
///     pub struct Noise {
///         /// The share of values that are wrong.
///         wrong: f64 = 0.1, "SHARE" in Within(0.0, 1.0);
///         section "Odd kinds of noise";
///         /// The share of rows that are left out.
///         left_out: f64 = 0.0, "SHARE" in Within(0.0, 1.0);
///     }
/// }
/// settings! {
///     /// What is read.
///     pub struct Reading {
///         /// The file.
///         file: Option<std::path::PathBuf> = None, "<FILE>";
///         /// Say more.
///         verbose: bool = false;
///     }
///     with { noise: Noise }
/// }
/// let mut reading = Reading::default();
/// reading.set("wrong", "5%")?;
/// reading.set("file", "my table.csv")?;
/// reading.set("verbose", "true")?;
/// assert_eq!(as_typed(&reading), "'my table.csv' --verbose --wrong 0.05");
/// assert_eq!(Reading::flags()[3].section, Some("Odd kinds of noise"));
/// assert_eq!(Reading::flags()[2].help, "The share of values that are wrong.");
/// # Ok::<(), preceptron_base::SettingsError>(())
/// ```
#[macro_export]
macro_rules! settings {
    (
        $(#[doc = $about:literal])*
        $(#[derive($($derived:ident),*)])?
        pub struct $name:ident {
            $(
                $(section $section:literal;)?
                $(#[doc = $doc:literal])+
                $field:ident: $type:ty = $default:expr
                    $(, $value:literal $(or $missing:literal)? $(in $limits:expr)?)?;
            )*
        }
        $(with { $($(#[doc = $inner_doc:literal])* $inner:ident: $inner_type:ty $(as $heading:literal)?),* $(,)? })?
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Debug, PartialEq, $crate::serde::Serialize, $crate::serde::Deserialize)]
        $(#[derive($($derived),*)])?
        #[serde(crate = "preceptron_base::serde", default, deny_unknown_fields)]
        pub struct $name {
            $($(#[doc = $doc])+ pub $field: $type,)*
            $($(#[doc = concat!("See [`", stringify!($inner_type), "`].")] pub $inner: $inner_type,)*)?
        }

        impl Default for $name {
            fn default() -> $name {
                $name { $($field: $default,)* $($($inner: Default::default(),)*)? }
            }
        }

        impl $crate::Settings for $name {
            fn flags() -> Vec<$crate::Flag> {
                #[allow(unused_variables)]
                let default = $name::default();
                #[allow(unused_mut)]
                let mut flags = vec![$($crate::Flag {
                    name: stringify!($field),
                    value: concat!($($value)?),
                    help: concat!($($doc),+).trim().to_owned(),
                    kind: <$type as $crate::Value>::KIND,
                    missing: $crate::first(&[$($($missing)?)?]),
                    default: $crate::Value::written(&default.$field),
                    section: $crate::first(&[$($section)?]),
                },)*];
                $($(
                    #[allow(unused_mut)]
                    let mut inner = <$inner_type as $crate::Settings>::flags();
                    $(inner.iter_mut().for_each(|flag| {
                        flag.section.get_or_insert($heading);
                    });)?
                    flags.extend(inner);
                )*)?
                flags
            }

            fn set(&mut self, name: &str, text: &str) -> Result<(), $crate::SettingsError> {
                match name {
                    $(stringify!($field) => {
                        self.$field = $crate::Value::read(text).map_err(|expected| {
                            $crate::SettingsError::Value {
                                key: stringify!($field), value: text.to_owned(), expected,
                            }
                        })?;
                        return Ok(());
                    })*
                    _ => (),
                }
                $($(if <$inner_type as $crate::Settings>::flags().iter().any(|flag| flag.name == name) {
                    return $crate::Settings::set(&mut self.$inner, name, text);
                })*)?
                Err($crate::SettingsError::Unknown(name.to_owned()))
            }

            fn check(&self) -> Result<(), $crate::SettingsError> {
                $($($(if let Some((value, range)) = $crate::outside(&self.$field, &$limits) {
                    return Err($crate::SettingsError::Range { key: stringify!($field), value, range });
                })?)?)*
                $($($crate::Settings::check(&self.$inner)?;)*)?
                Ok(())
            }

            fn typed(&self) -> Vec<(&'static str, String)> {
                #[allow(unused_mut)]
                let mut typed: Vec<(&'static str, String)> = Vec::new();
                $(typed.extend($crate::Value::written(&self.$field).map(|text| (stringify!($field), text)));)*
                $($(typed.extend($crate::Settings::typed(&self.$inner));)*)?
                typed
            }
        }
    };
}

/// The one element, if there is one.
#[doc(hidden)]
pub fn first(all: &[&'static str]) -> Option<&'static str> {
    all.first().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    settings! {
        /// Inner ones.
        #[derive(Copy, Eq)]
        pub struct Inner {
            /// How many.
            rows: u32 = 20, "M" in 1..=100;
        }
    }

    settings! {
        /// Outer ones.
        pub struct Outer {
            /// How many steps
            /// there are.
            steps: u64 = 8, "N" in 4..;
            /// How sure.
            abstain: Option<f64> = None, "SURE" or "0.99" in 0.0..=1.0;
            section "Noise";
            /// Whether to say it.
            loud: bool = false;
        }
        with { inner: Inner as "Rows" }
    }

    #[test]
    fn fields_are_flags() {
        let flags = Outer::flags();
        let names: Vec<&str> = flags.iter().map(|flag| flag.name).collect();
        assert_eq!(names, ["steps", "abstain", "loud", "rows"]);
        assert_eq!(
            (flags[0].help.as_str(), flags[0].default.as_deref()),
            ("How many steps there are.", Some("8"))
        );
        assert_eq!((flags[1].missing, flags[1].default.as_deref()), (Some("0.99"), None));
        assert!(!flags[2].takes_value() && flags[3].takes_value());
        let sections: Vec<_> = flags.iter().map(|flag| flag.section).collect();
        assert_eq!(sections, [None, None, Some("Noise"), Some("Rows")]);
    }

    #[test]
    fn what_is_typed_is_read_checked_and_typed_back() {
        let given = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|(n, t)| Given { name: (*n).into(), text: (*t).into() }).collect::<Vec<_>>()
        };
        let mut outer = Outer::default();
        apply(&mut outer, &given(&[("rows", "7"), ("loud", "true"), ("abstain", "50%")])).unwrap();
        assert_eq!(
            outer,
            Outer { abstain: Some(0.5), loud: true, inner: Inner { rows: 7 }, ..Outer::default() }
        );
        assert_eq!(as_typed(&outer), "--abstain 0.5 --loud --rows 7");
        let message = |pairs| apply(&mut Outer::default(), &given(pairs)).unwrap_err().to_string();
        assert_eq!(message(&[("steps", "3")]), "steps = 3 is out of range: 4 or more");
        assert_eq!(message(&[("abstain", "2")]), "abstain = 2 is out of range: 0 to 1");
        assert_eq!(message(&[("abstain", "150%")]), "abstain = 150% is out of range: 0 to 1");
        assert_eq!(message(&[("rows", "0")]), "rows = 0 is out of range: 1 to 100");
        assert_eq!(message(&[("rows", "x")]), "rows = \"x\": expected a whole number");
        assert_eq!(message(&[("row", "1")]), "there is no setting \"row\"");
    }

    /// The words of a line as a shell takes them.
    fn words(line: &str) -> Vec<String> {
        let (mut words, mut word, mut is_quoted) = (Vec::new(), None::<String>, false);
        let mut characters = line.chars();
        while let Some(character) = characters.next() {
            match character {
                '\'' => {
                    is_quoted = !is_quoted;
                    word.get_or_insert_default();
                }
                '\\' if !is_quoted => word.get_or_insert_default().extend(characters.next()),
                ' ' if !is_quoted => words.extend(word.take()),
                other => word.get_or_insert_default().push(other),
            }
        }
        words.extend(word);
        words
    }

    /// What was typed, as a command takes it apart.
    fn parsed<S: Settings>(line: &str) -> Result<S, SettingsError> {
        let flags = S::flags();
        let (mut given, mut words) = (Vec::new(), words(line).into_iter());
        while let Some(word) = words.next() {
            let flag = match word.strip_prefix("--") {
                Some(long) => flags.iter().find(|flag| flag.long() == long),
                None => flags.iter().find(|flag| flag.is_positional()),
            };
            let flag = flag.ok_or(SettingsError::Unknown(word.clone()))?;
            let text = match (flag.is_positional(), flag.takes_value()) {
                (true, _) => word,
                (false, true) => words.next().unwrap_or_default(),
                (false, false) => "true".to_owned(),
            };
            given.push(Given { name: flag.name.to_owned(), text });
        }
        let mut settings = S::default();
        apply(&mut settings, &given)?;
        Ok(settings)
    }

    settings! {
        /// Settings whose values need care in a shell.
        pub struct Awkward {
            /// A place.
            place: Option<std::path::PathBuf> = None, "<FILE>";
            /// Words.
            remark: String = "as it was".to_owned(), "TEXT";
            /// Several.
            sizes: Vec<u32> = vec![1, 2], "N,...";
            /// A range.
            rows_from: std::ops::RangeInclusive<usize> = 1..=9, "FROM-TO";
            /// A share.
            share: f64 = 0.1, "SHARE";
        }
        with { outer: Outer }
    }

    #[test]
    fn what_is_typed_back_gives_the_same_settings() {
        let awkward = Awkward {
            place: Some("my 'own' file.csv".into()),
            remark: "--loud $HOME \\ \"x\"; it's".to_owned(),
            sizes: vec![20, 40],
            rows_from: 3..=3,
            share: 1e-7,
            outer: Outer { abstain: Some(0.25), loud: true, inner: Inner { rows: 7 }, ..Outer::default() },
        };
        for settings in [Awkward::default(), awkward.clone(), Awkward { remark: String::new(), ..awkward }] {
            let line = as_typed(&settings);
            assert_eq!(parsed::<Awkward>(&line).as_ref(), Ok(&settings), "{line}");
        }
        // A wrong line would be told apart.
        assert_ne!(parsed::<Awkward>("--share 0.2"), Ok(Awkward::default()));
        assert!(parsed::<Awkward>("--shares 0.2").is_err());
    }

    #[test]
    fn a_file_has_the_same_names() {
        let outer = Outer { abstain: Some(0.9), ..Outer::default() };
        let text = toml::to_string(&outer).unwrap();
        assert_eq!(text, "steps = 8\nabstain = 0.9\nloud = false\n\n[inner]\nrows = 20\n");
        assert_eq!(toml::from_str::<Outer>(&text).unwrap(), outer);
        assert_eq!(toml::from_str::<Outer>("steps = 9\n").unwrap().inner.rows, 20);
        assert!(toml::from_str::<Outer>("step = 9\n").is_err());
    }

    #[test]
    fn words_for_a_shell() {
        assert_eq!(["a b", "it's", "x/y.csv", ""].map(quoted), ["'a b'", "'it'\\''s'", "x/y.csv", "''"]);
    }
}
