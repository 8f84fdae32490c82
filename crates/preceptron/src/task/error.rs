//! Whatever can go wrong in a task, in one line and with its causes.

use std::error::Error;
use std::fmt;

/// What went wrong in a task: any error, with words about what was being done.
pub struct TaskError {
    message: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

/// What a task gives, or what went wrong.
pub type TaskResult<T> = Result<T, TaskError>;

impl TaskError {
    /// An error of words alone.
    pub fn new(message: impl Into<String>) -> TaskError {
        TaskError { message: message.into(), source: None }
    }

    /// The first cause, if there is one.
    pub fn source(&self) -> Option<&(dyn Error + Send + Sync + 'static)> {
        self.source.as_deref()
    }
}

impl fmt::Display for TaskError {
    /// The words and their causes, each said once.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = self.message.clone();
        let mut cause = self.source.as_ref().map(|source| &**source as &dyn Error);
        while let Some(error) = cause {
            let text = error.to_string();
            if !line.contains(&text) {
                line = if line.is_empty() { text } else { format!("{line}: {text}") };
            }
            cause = error.source();
        }
        f.write_str(&line)
    }
}

impl fmt::Debug for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for TaskError {
    fn from(error: E) -> TaskError {
        TaskError { message: String::new(), source: Some(Box::new(error)) }
    }
}

/// A task's error where an error type is asked for.
#[derive(Debug)]
struct Wrapped(TaskError);

impl fmt::Display for Wrapped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for Wrapped {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source.as_deref().map(|source| source as &dyn Error)
    }
}

impl From<TaskError> for Box<dyn Error + Send + Sync> {
    fn from(error: TaskError) -> Self {
        Box::new(Wrapped(error))
    }
}

/// Words about what was being done when something went wrong.
pub trait Context<T> {
    /// Adds words before the error.
    ///
    /// # Errors
    /// The error, if there was one.
    fn context(self, words: impl fmt::Display) -> TaskResult<T>;
}

impl<T, E: Into<TaskError>> Context<T> for Result<T, E> {
    fn context(self, words: impl fmt::Display) -> TaskResult<T> {
        self.map_err(|error| {
            let error: TaskError = error.into();
            TaskError { message: words.to_string(), source: Some(error.into()) }
        })
    }
}

impl<T> Context<T> for Option<T> {
    fn context(self, words: impl fmt::Display) -> TaskResult<T> {
        self.ok_or_else(|| TaskError::new(words.to_string()))
    }
}

/// Ends with an error of these words unless the condition holds.
#[macro_export]
macro_rules! ensure {
    ($condition:expr, $($words:tt)+) => {
        if !$condition {
            return Err($crate::TaskError::new(format!($($words)+)));
        }
    };
}

/// Ends with an error of these words.
#[macro_export]
macro_rules! bail {
    ($($words:tt)+) => {
        return Err($crate::TaskError::new(format!($($words)+)))
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fails() -> TaskResult<()> {
        "x".parse::<u8>().map(drop).context("line 3")
    }

    #[test]
    fn causes_are_said_once_and_in_order() {
        assert_eq!(fails().unwrap_err().to_string(), "line 3: invalid digit found in string");
        let twice = fails().context("f.csv: line 3");
        assert_eq!(twice.unwrap_err().to_string(), "f.csv: line 3: line 3: invalid digit found in string");
        let boxed: Box<dyn Error + Send + Sync> = fails().unwrap_err().into();
        assert!(boxed.source().is_some());
        let none: TaskResult<()> = (|| bail!("no {}", "rule"))();
        assert_eq!(none.unwrap_err().to_string(), "no rule");
    }
}
