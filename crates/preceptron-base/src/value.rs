//! Values of settings as people type them.

use std::ops::RangeInclusive;
use std::path::PathBuf;

/// What can be typed for a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing: the flag itself says it.
    Switch,
    /// A text that [`Value::read`] understands.
    Text,
    /// One of these words, each with what it means.
    Choice(&'static [(&'static str, &'static str)]),
}

/// A value that can be typed, and is typed back as it was.
pub trait Value: Sized {
    /// What can be typed.
    const KIND: Kind;

    /// Reads the value.
    ///
    /// # Errors
    /// What is expected, in words.
    fn read(text: &str) -> Result<Self, String>;

    /// The value as it is typed; nothing where it is said by leaving the flag out.
    fn written(&self) -> Option<String>;
}

impl Value for bool {
    const KIND: Kind = Kind::Switch;

    fn read(text: &str) -> Result<bool, String> {
        text.parse().map_err(|_| "true or false".to_owned())
    }

    fn written(&self) -> Option<String> {
        self.then(String::new)
    }
}

macro_rules! whole {
    ($($number:ty),*) => {$(
        impl Value for $number {
            const KIND: Kind = Kind::Text;

            fn read(text: &str) -> Result<$number, String> {
                text.trim().parse().map_err(|_| match text.trim().parse::<i128>() {
                    Ok(_) => format!("a whole number from {} to {}", <$number>::MIN, <$number>::MAX),
                    Err(_) => "a whole number".to_owned(),
                })
            }

            fn written(&self) -> Option<String> {
                Some(self.to_string())
            }
        }
    )*};
}

whole!(u8, u16, u32, u64, usize, i64);

/// A number; a share can be typed in percent.
impl Value for f64 {
    const KIND: Kind = Kind::Text;

    fn read(text: &str) -> Result<f64, String> {
        let (number, unit) = match text.trim().strip_suffix('%') {
            Some(number) => (number, 100.0),
            None => (text.trim(), 1.0),
        };
        match number.trim().parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value / unit),
            _ => Err("a number, such as 0.95 or 95%".to_owned()),
        }
    }

    fn written(&self) -> Option<String> {
        Some(self.to_string())
    }
}

impl Value for String {
    const KIND: Kind = Kind::Text;

    fn read(text: &str) -> Result<String, String> {
        Ok(text.to_owned())
    }

    fn written(&self) -> Option<String> {
        Some(self.clone())
    }
}

impl Value for PathBuf {
    const KIND: Kind = Kind::Text;

    fn read(text: &str) -> Result<PathBuf, String> {
        if text.is_empty() { Err("the name of a file or a folder".to_owned()) } else { Ok(text.into()) }
    }

    fn written(&self) -> Option<String> {
        Some(self.display().to_string())
    }
}

impl<T: Value> Value for Option<T> {
    const KIND: Kind = T::KIND;

    fn read(text: &str) -> Result<Option<T>, String> {
        T::read(text).map(Some)
    }

    fn written(&self) -> Option<String> {
        self.as_ref().and_then(T::written)
    }
}

/// Values with commas between them.
impl<T: Value> Value for Vec<T> {
    const KIND: Kind = Kind::Text;

    fn read(text: &str) -> Result<Vec<T>, String> {
        text.split(',').map(|part| T::read(part.trim())).collect()
    }

    fn written(&self) -> Option<String> {
        let all: Vec<String> = self.iter().filter_map(T::written).collect();
        (!all.is_empty()).then(|| all.join(","))
    }
}

/// `31-42`, or one number.
impl Value for RangeInclusive<usize> {
    const KIND: Kind = Kind::Text;

    fn read(text: &str) -> Result<RangeInclusive<usize>, String> {
        let (from, to) = text.split_once('-').unwrap_or((text, text));
        match (from.trim().parse(), to.trim().parse()) {
            (Ok(from), Ok(to)) if from <= to => Ok(from..=to),
            _ => Err("FROM-TO, such as 31-42".to_owned()),
        }
    }

    fn written(&self) -> Option<String> {
        Some(format!("{}-{}", self.start(), self.end()))
    }
}

/// `208x48`.
impl Value for [usize; 2] {
    const KIND: Kind = Kind::Text;

    fn read(text: &str) -> Result<[usize; 2], String> {
        let parts = text.split_once(['x', 'X']);
        match parts.map(|(a, b)| (a.trim().parse(), b.trim().parse())) {
            Some((Ok(a), Ok(b))) => Ok([a, b]),
            _ => Err("two whole numbers with x between them, such as 208x48".to_owned()),
        }
    }

    fn written(&self) -> Option<String> {
        Some(format!("{}x{}", self[0], self[1]))
    }
}

/// A setting's name as its flag has it: `rules-by` for `rules_by`.
pub fn kebab(name: &str) -> String {
    name.replace('_', "-")
}

/// An enumeration whose values are typed as words, and stand in files as the same words.
///
/// ```
/// preceptron_base::choices! {
///     /// A colour.
///     pub enum Colour: Red {
///         /// As blood.
///         Red = "red",
///         /// As the sky at night.
///         DarkBlue = "dark-blue",
///     }
/// }
/// use preceptron_base::Value;
/// assert_eq!(Colour::read("dark-blue"), Ok(Colour::DarkBlue));
/// assert_eq!(Colour::read("blue"), Err("red or dark-blue".to_owned()));
/// ```
#[macro_export]
macro_rules! choices {
    (
        $(#[doc = $about:literal])*
        pub enum $name:ident: $default:ident {
            $( $(#[doc = $doc:literal])+ $variant:ident = $word:literal, )+
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, $crate::serde::Serialize, $crate::serde::Deserialize)]
        #[serde(crate = "preceptron_base::serde")]
        pub enum $name {
            $( $(#[doc = $doc])+ #[serde(rename = $word)] $variant, )+
        }

        impl Default for $name {
            fn default() -> $name {
                $name::$default
            }
        }

        impl $name {
            /// The word for it.
            pub fn word(self) -> &'static str {
                match self { $( $name::$variant => $word, )+ }
            }
        }

        impl $crate::Value for $name {
            const KIND: $crate::Kind =
                $crate::Kind::Choice(&[ $( ($word, concat!($($doc),+)), )+ ]);

            fn read(text: &str) -> Result<$name, String> {
                match text {
                    $( $word => Ok($name::$variant), )+
                    _ => Err([ $( $word, )+ ].join(" or ")),
                }
            }

            fn written(&self) -> Option<String> {
                Some(self.word().to_owned())
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn back<T: Value>(text: &str) -> Result<Option<String>, String> {
        T::read(text).map(|value| value.written())
    }

    #[test]
    fn values_are_typed_back_as_they_were() {
        for text in ["7", "0"] {
            assert_eq!(back::<usize>(text), Ok(Some(text.to_owned())));
        }
        assert_eq!(back::<f64>("95%"), Ok(Some("0.95".to_owned())));
        assert_eq!(back::<bool>("false"), Ok(None));
        assert_eq!(back::<Option<u8>>("3"), Ok(Some("3".to_owned())));
        assert_eq!(back::<Vec<u32>>("20, 40"), Ok(Some("20,40".to_owned())));
        assert_eq!(back::<RangeInclusive<usize>>("31-42"), Ok(Some("31-42".to_owned())));
        assert_eq!(back::<[usize; 2]>("208x48"), Ok(Some("208x48".to_owned())));
    }

    #[test]
    fn what_cannot_be_read_says_what_is_expected() {
        assert_eq!(back::<u8>("300"), Err("a whole number from 0 to 255".to_owned()));
        assert_eq!(back::<u8>("three"), Err("a whole number".to_owned()));
        assert_eq!(back::<f64>("NaN"), Err("a number, such as 0.95 or 95%".to_owned()));
        assert_eq!(back::<RangeInclusive<usize>>("5-3"), Err("FROM-TO, such as 31-42".to_owned()));
        assert_eq!(
            back::<[usize; 2]>("20"),
            Err("two whole numbers with x between them, such as 208x48".to_owned())
        );
    }
}
