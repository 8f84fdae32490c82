//! A run: the directory that training leaves behind.
//!
//! ```text
//! runs/<name>/config.toml      the task and its settings, every default filled in
//!             metrics.jsonl    one line for each step
//!             rules.json       the rules; there once training is over
//!             network.safetensors   the network, where there is one
//!             calibration.json how far the network's probabilities can be trusted
//!             checkpoint       training that has not come to its end
//!             rules.<m>.json   those of the method <m>, where several were tried
//!             events.out.tfevents.<n>.precept   the measurements for TensorBoard, a file each time a run goes on
//!             report.html      all that there is to say about the run, where there is such a page
//! ```
//! Files are written under a temporary name and then renamed, except for `metrics.jsonl` and the events,
//! which grow step by step so that they can be watched.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use preceptron_base::{TEMPORARY, write_whole};
use preceptron_logic::{RuleSet, json};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{Calibration, Checkpoint, JsonLines, TensorBoard};

const CONFIG: &str = "config.toml";
const METRICS: &str = "metrics.jsonl";
const RULES: &str = "rules.json";
const NETWORK: &str = "network.safetensors";
const CHECKPOINT: &str = "checkpoint";
const CALIBRATION: &str = "calibration.json";
const REPORT: &str = "report.html";

/// The directory of a run.
#[derive(Clone, Debug)]
pub struct Run {
    path: PathBuf,
    config: Config,
}

/// A line of measurements: the learner, the step, and each measurement by its name.
pub type Measurement = serde_json::Map<String, serde_json::Value>;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    task: String,
    program: String,
    settings: toml::Table,
}

/// What is wrong with a run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// There is nothing of that name.
    #[error("{0}: no such run")]
    Missing(PathBuf),
    /// There is something else of that name.
    #[error("{0}: is not a run: it has no config.toml")]
    NotARun(PathBuf),
    /// The run is there and would be overwritten.
    #[error("{0}: is already there; --force overwrites it")]
    Exists(PathBuf),
    /// A file of the run is not there.
    #[error("{run}: {file} is missing{why}")]
    FileMissing {
        /// The run.
        run: PathBuf,
        /// The file in it.
        file: String,
        /// What that means.
        why: &'static str,
    },
    /// A file of the run cannot be understood.
    #[error("{run}: {file} is damaged: {problem}")]
    Damaged {
        /// The run.
        run: PathBuf,
        /// The file in it.
        file: String,
        /// What is wrong in it.
        problem: String,
    },
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file or directory.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> RunError + '_ {
    |source| RunError::File { path: path.to_owned(), source }
}

/// TensorBoard goes through the files of a directory in the order of their names, hence the zeros.
fn events_file(number: u64) -> String {
    format!("events.out.tfevents.{number:010}.precept")
}

/// The number of a file of events.
fn events_number(name: &str) -> Option<u64> {
    name.strip_prefix("events.out.tfevents.")?.strip_suffix(".precept")?.parse().ok()
}

fn rules_file(method: Option<&str>) -> String {
    method.map_or(RULES.to_owned(), |method| format!("rules.{method}.json"))
}

impl Run {
    /// Whether a new run may go there, without making it: nothing is there, an empty directory, or, with
    /// `force`, another run.
    pub fn check(path: &Path, force: bool) -> Result<(), RunError> {
        // What a kill left half written is nothing.
        let is_empty = || Ok(files(path)?.iter().all(|name| name.starts_with(TEMPORARY)));
        if !path.exists() || (path.is_dir() && is_empty()?) {
            return Ok(());
        }
        match (Run::is_run(path), force) {
            (true, true) => Ok(()),
            (true, false) => Err(RunError::Exists(path.to_owned())),
            // Something that precept did not write is not overwritten, whatever the user says.
            (false, _) => Err(RunError::NotARun(path.to_owned())),
        }
    }

    /// Makes the directory and writes the settings. With `force`, what an older run left there is removed,
    /// its rules first: they never stand beside settings that they do not come from.
    pub fn create(path: &Path, task: &str, settings: &impl Serialize, force: bool) -> Result<Run, RunError> {
        Run::check(path, force)?;
        let settings = toml::Table::try_from(settings).map_err(|error| RunError::Damaged {
            run: path.to_owned(),
            file: CONFIG.to_owned(),
            problem: error.to_string(),
        })?;
        let program = format!("precept {}", env!("CARGO_PKG_VERSION"));
        let run = Run { path: path.to_owned(), config: Config { task: task.to_owned(), program, settings } };
        fs::create_dir_all(path).map_err(failed(path))?;
        run.remove_files()?;
        let text = toml::to_string(&run.config).map_err(|error| run.damaged(CONFIG, error.to_string()))?;
        run.write(CONFIG, text.as_bytes())?;
        Ok(run)
    }

    fn remove_files(&self) -> Result<(), RunError> {
        let mut old = files(&self.path)?;
        old.retain(|name| {
            [CONFIG, METRICS, NETWORK, REPORT, CHECKPOINT, CALIBRATION].contains(&&**name)
                || (name.starts_with("rules.") && name.ends_with(".json"))
                || events_number(name).is_some()
                || name.starts_with(TEMPORARY)
        });
        old.sort_by_key(|name| !name.starts_with("rules."));
        old.iter().try_for_each(|name| {
            let file = self.path.join(name);
            fs::remove_file(&file).map_err(failed(&file))
        })
    }

    /// Whether this is the directory of a run.
    pub fn is_run(path: &Path) -> bool {
        path.join(CONFIG).is_file()
    }

    /// Opens a run that has come to its end, and checks that its files are there.
    pub fn open(path: &Path) -> Result<Run, RunError> {
        let run = Run::reopen(path)?;
        for (file, why) in [(METRICS, ""), (RULES, ": training did not come to its end")] {
            if !path.join(file).is_file() {
                return Err(RunError::FileMissing { run: path.to_owned(), file: file.to_owned(), why });
            }
        }
        Ok(run)
    }

    /// Opens a run however far it has come.
    pub fn reopen(path: &Path) -> Result<Run, RunError> {
        if !path.exists() {
            return Err(RunError::Missing(path.to_owned()));
        }
        if !Run::is_run(path) {
            return Err(RunError::NotARun(path.to_owned()));
        }
        let file = path.join(CONFIG);
        let text = fs::read_to_string(&file).map_err(failed(&file))?;
        let config = toml::from_str(&text).map_err(|error| RunError::Damaged {
            run: path.to_owned(),
            file: CONFIG.to_owned(),
            problem: in_line(&text, &error),
        })?;
        Ok(Run { path: path.to_owned(), config })
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name of the task.
    pub fn task(&self) -> &str {
        &self.config.task
    }

    /// The program that made the run, with its version.
    pub fn program(&self) -> &str {
        &self.config.program
    }

    /// The task's settings, not yet checked.
    pub fn settings<S: DeserializeOwned>(&self) -> Result<S, RunError> {
        let settings = self.config.settings.clone();
        settings.try_into().map_err(|error: toml::de::Error| self.damaged(CONFIG, one_line(&error)))
    }

    /// An observer that writes the run's measurements.
    pub fn metrics(&self) -> Result<JsonLines<File>, RunError> {
        let path = self.path.join(METRICS);
        Ok(JsonLines::new(File::create(&path).map_err(failed(&path))?))
    }

    /// An observer that writes the run's measurements behind those of the first `steps` steps; what was
    /// measured later is removed, and so is what a kill left half written.
    pub fn metrics_after(&self, steps: u64) -> Result<JsonLines<File>, RunError> {
        for name in files(&self.path)?.iter().filter(|name| name.starts_with(TEMPORARY)) {
            let file = self.path.join(name);
            fs::remove_file(&file).map_err(failed(&file))?;
        }
        let path = self.path.join(METRICS);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            read => read.map_err(failed(&path))?,
        };
        let is_kept = |line: &&str| {
            let value = serde_json::from_str::<serde_json::Value>(line).unwrap_or_default();
            value["step"].as_u64().is_some_and(|step| step <= steps)
        };
        let kept: String = text.split_inclusive('\n').filter(is_kept).collect();
        self.write(METRICS, kept.as_bytes())?;
        Ok(JsonLines::new(File::options().append(true).open(&path).map_err(failed(&path))?))
    }

    /// Writes how far training has come.
    pub fn write_checkpoint(&self, checkpoint: &Checkpoint) -> Result<(), RunError> {
        self.write(CHECKPOINT, &checkpoint.to_bytes())
    }

    /// How far training has come, if it has begun and not come to its end.
    pub fn checkpoint(&self) -> Result<Option<Checkpoint>, RunError> {
        let path = self.path.join(CHECKPOINT);
        match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(&path)(error)),
            Ok(bytes) => {
                Checkpoint::from_bytes(&bytes).map(Some).map_err(|problem| self.damaged(CHECKPOINT, problem))
            }
        }
    }

    /// Training has come to its end: the checkpoint goes.
    pub fn remove_checkpoint(&self) -> Result<(), RunError> {
        let path = self.path.join(CHECKPOINT);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(&path)(error)),
            _ => Ok(()),
        }
    }

    /// Whether training has come to its end.
    pub fn is_finished(&self) -> bool {
        self.path.join(RULES).is_file() && !self.path.join(CHECKPOINT).exists()
    }

    /// An observer that writes the run's measurements for TensorBoard, into a file after those that are
    /// there.
    pub fn tensorboard(&self) -> Result<TensorBoard<File>, RunError> {
        let last = files(&self.path)?.iter().filter_map(|name| events_number(name)).max();
        let path = self.path.join(events_file(last.map_or(1, |last| last.saturating_add(1))));
        Ok(TensorBoard::new(File::create_new(&path).map_err(failed(&path))?))
    }

    /// The run's measurements as they were written: an object for each line.
    pub fn measurements(&self) -> Result<Vec<Measurement>, RunError> {
        let path = self.path.join(METRICS);
        let text = fs::read_to_string(&path).map_err(failed(&path))?;
        let line = |(number, line): (usize, &str)| {
            let damaged = |error| self.damaged(METRICS, format!("line {}: {error}", number + 1));
            serde_json::from_str(line).map_err(damaged)
        };
        text.lines().enumerate().map(line).collect()
    }

    /// Writes the page about the run.
    pub fn write_report(&self, html: &str) -> Result<(), RunError> {
        self.write(REPORT, html.as_bytes())
    }

    /// Writes the run's rules, or those of one method that was tried in it.
    pub fn write_rules(&self, method: Option<&str>, rules: &RuleSet) -> Result<(), RunError> {
        self.write(&rules_file(method), json::write(rules).as_bytes())
    }

    /// The run's rules, or those of one method that was tried in it.
    pub fn rules(&self, method: Option<&str>) -> Result<RuleSet, RunError> {
        let file = rules_file(method);
        let path = self.path.join(&file);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(RunError::FileMissing { run: self.path.clone(), file, why: "" });
            }
            read => read.map_err(failed(&path))?,
        };
        json::read(&text).map_err(|error| self.damaged(&file, error.to_string()))
    }

    /// Writes the network.
    pub fn write_network(&self, file: &[u8]) -> Result<(), RunError> {
        self.write(NETWORK, file)
    }

    /// The network, as it was written.
    pub fn network(&self) -> Result<Vec<u8>, RunError> {
        let path = self.path.join(NETWORK);
        match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(RunError::FileMissing { run: self.path.clone(), file: NETWORK.to_owned(), why: "" })
            }
            read => read.map_err(failed(&path)),
        }
    }

    /// Writes how far the network's probabilities can be trusted, if that is known.
    pub fn write_calibration(&self, calibration: Option<&Calibration>) -> Result<(), RunError> {
        let text = serde_json::to_string(&calibration);
        let text = text.map_err(|error| self.damaged(CALIBRATION, error.to_string()))?;
        self.write(CALIBRATION, text.as_bytes())
    }

    /// How far the network's probabilities can be trusted, if that is known.
    pub fn calibration(&self) -> Result<Option<Calibration>, RunError> {
        let path = self.path.join(CALIBRATION);
        match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(&path)(error)),
            Ok(text) => {
                serde_json::from_str(&text).map_err(|error| self.damaged(CALIBRATION, error.to_string()))
            }
        }
    }

    fn write(&self, file: &str, bytes: &[u8]) -> Result<(), RunError> {
        let path = self.path.join(file);
        write_whole(&path, bytes).map_err(failed(&path))
    }

    fn damaged(&self, file: &str, problem: String) -> RunError {
        RunError::Damaged { run: self.path.clone(), file: file.to_owned(), problem }
    }
}

/// The names of the files in a directory.
fn files(path: &Path) -> Result<Vec<String>, RunError> {
    let entries = fs::read_dir(path).map_err(failed(path))?;
    let name = |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
    entries.map(name).collect::<io::Result<_>>().map_err(failed(path))
}

/// What is wrong in a text of TOML, and in which line.
fn in_line(text: &str, error: &toml::de::Error) -> String {
    let before = error.span().map_or("", |span| &text[..span.start]);
    format!("line {}: {}", before.matches('\n').count() + 1, one_line(error))
}

/// What is wrong in one line, though the value that it quotes may have several.
fn one_line(error: &toml::de::Error) -> String {
    error.message().replace(|c: char| c.is_control(), " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::{Constraint, Origin, Rule, Var, Variables};
    use std::collections::BTreeMap;

    fn settings(seed: u64) -> BTreeMap<String, u64> {
        BTreeMap::from([("seed".to_owned(), seed)])
    }

    fn rules() -> RuleSet {
        let variables = Variables::from_names(["a", "b"]).unwrap();
        let rule = Rule::given(Constraint::exactly(1, [Var(0).positive(), Var(1).positive()]));
        RuleSet::with_rules(variables, [rule])
    }

    fn message<T>(result: Result<T, RunError>, directory: &Path) -> String {
        result.err().expect("an error").to_string().replace(&directory.display().to_string(), "D")
    }

    #[test]
    fn a_run_comes_back() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("runs/one");
        let run = Run::create(&path, "toy", &settings(7), false).unwrap();
        run.metrics().unwrap().close().unwrap();
        run.write_rules(None, &rules()).unwrap();
        run.write_rules(Some("slow"), &RuleSet::default()).unwrap();
        let run = Run::open(&path).unwrap();
        assert_eq!((run.task(), run.settings::<BTreeMap<String, u64>>().unwrap()), ("toy", settings(7)));
        assert_eq!(run.rules(None).unwrap(), rules());
        assert_eq!(run.rules(Some("slow")).unwrap(), RuleSet::default());
        let mut files: Vec<_> = fs::read_dir(&path).unwrap().map(|f| f.unwrap().file_name()).collect();
        files.sort();
        assert_eq!(files, ["config.toml", "metrics.jsonl", "rules.json", "rules.slow.json"]);
    }

    #[test]
    fn a_run_is_overwritten_only_on_request() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("one");
        let run = Run::create(&path, "toy", &settings(1), false).unwrap();
        run.write_rules(None, &rules()).unwrap();
        fs::write(path.join("notes.txt"), "mine").unwrap();
        let again = Run::create(&path, "toy", &settings(2), false);
        assert_eq!(message(again, directory.path()), "D/one: is already there; --force overwrites it");
        Run::create(&path, "toy", &settings(2), true).unwrap();
        assert!(!path.join("rules.json").exists() && path.join("notes.txt").exists());
        let other = directory.path().join("other");
        fs::create_dir(&other).unwrap();
        fs::write(other.join("thesis.tex"), "mine").unwrap();
        let there = Run::create(&other, "toy", &settings(2), true);
        assert_eq!(message(there, directory.path()), "D/other: is not a run: it has no config.toml");
    }

    #[test]
    fn events_go_into_a_new_file_each_time() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("one");
        let run = Run::create(&path, "toy", &settings(1), false).unwrap();
        let first = path.join("events.out.tfevents.0000000001.precept");
        run.tensorboard().unwrap().close().unwrap();
        fs::write(&first, "kept").unwrap();
        run.tensorboard().unwrap().close().unwrap();
        assert_eq!(fs::read(&first).unwrap(), b"kept");
        fs::write(path.join(events_file(9_999_999_998)), "").unwrap();
        run.tensorboard().unwrap().close().unwrap();
        assert!(path.join("events.out.tfevents.0000000002.precept").is_file());
        assert!(path.join("events.out.tfevents.9999999999.precept").is_file());
        run.write_report("<p>").unwrap();
        Run::create(&path, "toy", &settings(2), true).unwrap();
        assert_eq!(files(run.path()).unwrap(), ["config.toml"]);
    }

    #[test]
    fn measurements_come_back_line_by_line() {
        let directory = tempfile::tempdir().unwrap();
        let run = Run::create(&directory.path().join("r"), "toy", &settings(1), false).unwrap();
        fs::write(run.path().join("metrics.jsonl"), "{\"step\":1,\"loss\":null}\n{\"step\":2}\n").unwrap();
        let lines = run.measurements().unwrap();
        assert_eq!((lines.len(), &lines[0]["loss"], &lines[1]["step"]), (2, &().into(), &2.into()));
        fs::write(run.path().join("metrics.jsonl"), "{\"step\":1}\n{\"st").unwrap();
        let fault = message(run.measurements(), directory.path());
        assert!(fault.starts_with("D/r: metrics.jsonl is damaged: line 2: EOF"), "{fault}");
    }

    #[test]
    fn what_a_kill_left_half_written_is_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("one");
        fs::create_dir(&path).unwrap();
        fs::write(path.join(".preceptAb12"), "task = ").unwrap();
        let run = Run::create(&path, "toy", &settings(1), false).unwrap();
        assert_eq!(files(&path).unwrap(), ["config.toml"]);
        fs::write(path.join(".preceptCd34"), "half").unwrap();
        run.metrics_after(0).unwrap();
        let mut left = files(&path).unwrap();
        left.sort();
        assert_eq!(left, ["config.toml", "metrics.jsonl"]);
    }

    #[test]
    fn errors_say_which_file() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        assert_eq!(message(Run::open(&root.join("no")), root), "D/no: no such run");
        assert_eq!(message(Run::open(root), root), "D: is not a run: it has no config.toml");
        let run = Run::create(&root.join("r"), "toy", &settings(1), false).unwrap();
        assert_eq!(message(Run::open(run.path()), root), "D/r: metrics.jsonl is missing");
        run.metrics().unwrap();
        assert_eq!(
            message(Run::open(run.path()), root),
            "D/r: rules.json is missing: training did not come to its end"
        );
        fs::write(run.path().join("rules.json"), "{}").unwrap();
        assert_eq!(
            message(Run::open(run.path()).unwrap().rules(None), root),
            "D/r: rules.json is damaged: the field \"format\" is \"\"; a rule set says \"precept rules\""
        );
        assert_eq!(message(run.rules(Some("slow")), root), "D/r: rules.slow.json is missing");
        let wrong = run.settings::<BTreeMap<String, String>>();
        assert_eq!(
            message(wrong, root),
            "D/r: config.toml is damaged: invalid type: integer `1`, expected a string"
        );
        fs::write(run.path().join("config.toml"), "task = \"toy\"\nsettings = 3\n").unwrap();
        assert_eq!(
            message(Run::open(run.path()), root),
            "D/r: config.toml is damaged: line 2: invalid type: integer `3`, expected a map"
        );
        let text = "task = \"toy\"\nprogram = \"\"\n[settings]\na = \"b\\nc\"\n";
        fs::write(run.path().join("config.toml"), text).unwrap();
        let wrong = Run::open(run.path()).unwrap().settings::<BTreeMap<String, Origin>>();
        assert_eq!(
            message(wrong, root),
            "D/r: config.toml is damaged: unknown variant `b c`, expected one of `learned`, `given`, `encoding`"
        );
    }
}
