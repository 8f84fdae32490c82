//! Every reader of the project.

mod boards;
mod formats;
mod names;
mod problems;
mod round_trip;
mod rules;
mod runs;
mod tables;

use crate::Target;

/// All targets.
///
/// Not among them: `metrics.jsonl` of a run, which is only written; statements and families, which are
/// only printed; and the arguments of the program `precept`, whose parsers are those of clap and of the
/// targets here.
pub fn targets() -> Vec<Target> {
    let mut all = Vec::from(formats::targets());
    all.extend([rules::target(), names::expressions(), names::names()]);
    all.extend(tables::targets());
    all.extend([boards::target(), runs::target()]);
    all
}

/// Text as the bytes of a seed.
fn seeds(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

thread_local! {
    static FOLDER: tempfile::TempDir = tempfile::tempdir().expect("a directory for files");
}

/// Calls `work` with a directory that is this thread's own.
fn in_folder<T>(work: impl FnOnce(&std::path::Path) -> T) -> T {
    FOLDER.with(|folder| work(folder.path()))
}
