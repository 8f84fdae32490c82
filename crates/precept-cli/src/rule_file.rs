//! Files of rules, in any format that is read.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, bail};
use precept_logic::Problem;

use precept_logic::formats::{self, Format};

/// Reads rules; the format is the one given, or that of the file's name, or JSON on standard input.
pub fn read(path: &Path, format: Option<Format>) -> anyhow::Result<Problem> {
    let shown = path.display();
    let mut bytes = Vec::new();
    let format = if path == Path::new("-") {
        std::io::stdin().lock().read_to_end(&mut bytes).context("standard input")?;
        format.or_else(|| "json".parse().ok())
    } else {
        if path.is_dir() {
            bail!("{shown}: is a directory, not a file of rules");
        }
        match std::fs::read(path) {
            Ok(read) => bytes = read,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => bail!("{shown}: no such file"),
            Err(error) => bail!("{shown}: {error}"),
        }
        format.or_else(|| Format::from_path(path))
    };
    let format = format.with_context(|| format!("{shown}: no format is known by that name; say --from"))?;
    let bytes = precept_learn::decompress(bytes).with_context(|| shown.to_string())?;
    let text = String::from_utf8(bytes).ok().with_context(|| format!("{shown}: is not valid UTF-8"))?;
    formats::read(&text, format).with_context(|| shown.to_string())
}
