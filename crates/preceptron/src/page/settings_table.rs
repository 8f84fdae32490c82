//! Settings as rows of a table.

use serde_json::Value;

/// A setting and its value, in words; settings within others have their names before them.
pub fn rows(settings: &Value) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    add("", settings, &mut rows);
    rows
}

fn add(name: &str, value: &Value, rows: &mut Vec<(String, String)>) {
    let text = match value {
        Value::Object(inner) => {
            for (key, value) in inner {
                let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                add(&name, value, rows);
            }
            return;
        }
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
            // A number of single precision, which would show digits that nobody wrote.
            Some(double) if f64::from(double as f32) == double => (double as f32).to_string(),
            _ => number.to_string(),
        },
        other => other.to_string(),
    };
    rows.push((name.to_owned(), text));
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_as_they_were_written() {
        let settings =
            json!({"a": {"b": 0.1f32, "c": {"d": 0.998, "e": 3}}, "f": null, "g": "x", "h": [1, true]});
        let rows = rows(&settings);
        let rows: Vec<_> = rows.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let expected = [
            ("a.b", "0.1"),
            ("a.c.d", "0.998"),
            ("a.c.e", "3"),
            ("f", "none"),
            ("g", "x"),
            ("h", "[1,true]"),
        ];
        assert_eq!(rows, expected);
    }
}
