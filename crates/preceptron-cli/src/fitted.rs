//! Text below the options of a help text, made to fit the columns of a terminal.
//!
//! Lines without an indent are sentences, which are filled up. Indented lines are examples: a command, and what
//! it does behind some blanks. What it does comes in a column of its own where that fits, else below; a command
//! that is too long goes on in the next line, as a shell takes it.

/// The fewest blanks between a command and what it does.
const GAP: usize = 3;

/// The text in lines of at most so many columns.
pub fn fitted(text: &str, width: usize) -> String {
    let mut lines = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    let mut examples: Vec<&str> = Vec::new();
    for line in text.lines() {
        let is_example = line.starts_with(' ');
        let begins = line.is_empty() || is_example || line.starts_with("Exit codes:");
        if begins || open.last().is_some_and(|last| last.ends_with(':')) {
            fill(&mut lines, &mut open, width);
        }
        if !is_example {
            list(&mut lines, &mut examples, width);
        }
        match (is_example, line.is_empty()) {
            (true, _) => examples.push(line),
            (_, true) => lines.push(String::new()),
            _ => open.push(line),
        }
    }
    fill(&mut lines, &mut open, width);
    list(&mut lines, &mut examples, width);
    lines.join("\n")
}

/// Sentences.
fn fill(lines: &mut Vec<String>, open: &mut Vec<&str>, width: usize) {
    let words = open.iter().flat_map(|line| line.split_whitespace());
    let mut line = String::new();
    for word in words {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(std::mem::take(&mut line));
        }
        line += if line.is_empty() { "" } else { " " };
        line += word;
    }
    lines.extend((!line.is_empty()).then_some(line));
    open.clear();
}

/// A command with its indent, and what it does.
fn parts(line: &str) -> (&str, &str) {
    let indent = line.len() - line.trim_start().len();
    match line[indent..].find("  ") {
        Some(gap) => (&line[..indent + gap], line[indent + gap..].trim()),
        None => (line, ""),
    }
}

/// Examples, below one another.
fn list(lines: &mut Vec<String>, examples: &mut Vec<&str>, width: usize) {
    // A command that goes on in the next line is one.
    let mut whole: Vec<String> = Vec::new();
    for line in examples.drain(..) {
        match whole.last_mut().filter(|last| last.ends_with(" \\")) {
            Some(last) => {
                last.truncate(last.len() - 2);
                *last += " ";
                *last += line.trim_start();
            }
            None => whole.push(line.to_owned()),
        }
    }
    let split: Vec<(&str, &str)> = whole.iter().map(|line| parts(line)).collect();
    let told = || split.iter().filter(|(_, about)| !about.is_empty());
    let fits = |about: &str, column: usize| column + GAP + about.chars().count() <= width;
    let long = told().map(|(command, _)| command.chars().count()).max().unwrap_or(0);
    // The column of what commands do: behind the longest of those that leave room.
    let rooms = told().filter(|(command, about)| fits(about, command.chars().count()));
    let column = match told().all(|(_, about)| fits(about, long)) {
        true => long,
        false => rooms.map(|(command, _)| command.chars().count()).max().unwrap_or(0),
    };
    for (command, about) in split {
        if !about.is_empty() && command.chars().count() <= column && fits(about, column) {
            lines.push(format!("{command:column$}{:GAP$}{about}", ""));
            continue;
        }
        lines.extend(continued(command, width));
        if !about.is_empty() {
            lines.push(format!("      {about}"));
        }
    }
}

/// A command over as many lines as it takes.
fn continued(command: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = command.to_owned();
    while line.chars().count() > width {
        let mut is_quoted = false;
        let (mut place, mut flag) = (None, None);
        for (at, (byte, c)) in line.char_indices().enumerate() {
            is_quoted ^= c == '\'';
            if c == ' ' && !is_quoted && at + 2 <= width && !line[..byte].trim().is_empty() {
                place = Some(byte);
                flag = if line[byte..].starts_with(" -") { Some(byte) } else { flag };
            }
        }
        // A flag stands with its value.
        let Some(place) = flag.or(place) else { break };
        let rest = format!("    {}", line[place..].trim_start());
        lines.push(format!("{} \\", &line[..place]));
        line = rest;
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_filled_and_examples_kept() {
        let text = "Examples:\n  a b        what it does\n  a bb ccc   more\n\nOne two\nthree four.\nExit codes: 0 yes.";
        let expected = "Examples:\n  a b        what it does\n  a bb ccc   more\n\nOne two three\nfour.\nExit codes: 0\nyes.";
        assert_eq!(fitted(text, 14).lines().count(), 10);
        let filled: Vec<String> = fitted(text, 30).lines().map(str::to_owned).collect();
        assert_eq!(filled[..3], expected.lines().take(3).collect::<Vec<_>>()[..]);
        assert_eq!(filled[4..], ["One two three four.", "Exit codes: 0 yes."]);
    }

    #[test]
    fn long_examples_go_on_in_the_next_line() {
        let text = "  precept train x --one 'a b c' \\\n    --two 2    what it does";
        assert_eq!(
            fitted(text, 24),
            "  precept train x \\\n    --one 'a b c' \\\n    --two 2\n      what it does"
        );
        assert_eq!(fitted("  precept x      does this", 80), "  precept x   does this");
    }
}
