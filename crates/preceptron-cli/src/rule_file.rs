//! Files of rules, in any format that is read, and runs, which have one.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, bail};
use preceptron::Run;
use preceptron_logic::Problem;

use preceptron_logic::formats::{self, Format};

/// Reads rules; the format is the one given, or that of the file's name, or JSON on standard input. The
/// rules of a run are those in its `rules.json`.
pub fn read(path: &Path, format: Option<Format>) -> anyhow::Result<Problem> {
    let shown = path.display();
    let mut bytes = Vec::new();
    let format = if path == Path::new("-") {
        std::io::stdin().lock().read_to_end(&mut bytes).context("standard input")?;
        format.or_else(|| "json".parse().ok())
    } else {
        if Run::is_run(path) {
            return Ok(Problem::from(Run::open(path)?.rules(None)?));
        }
        if path.is_dir() {
            bail!("{shown}: is a directory, neither a file of rules nor a run");
        }
        match std::fs::read(path) {
            Ok(read) => bytes = read,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => bail!("{shown}: no such file"),
            Err(error) => bail!("{shown}: {error}"),
        }
        format.or_else(|| Format::from_path(path))
    };
    let format = format.with_context(|| format!("{shown}: no format is known by that name; say --from"))?;
    let bytes =
        preceptron_base::decompress(bytes, preceptron_base::BUDGET).with_context(|| shown.to_string())?;
    let text = String::from_utf8(bytes).ok().with_context(|| format!("{shown}: is not valid UTF-8"))?;
    formats::read(&text, format).with_context(|| shown.to_string())
}
