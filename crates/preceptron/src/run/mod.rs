//! A run: the directory that training leaves behind.
//!
//! ```text
//! runs/<name>/config.toml      the run's id, the task and its settings, every default filled in
//!             metrics.jsonl    one line for each step
//!             rules.json       the rules; there once training is over
//!             network.safetensors   the network, where there is one
//!             calibration.json how far the network's probabilities can be trusted
//!             training.json    what was found on the way
//!             <part>.json      what else the task answers by
//!             checkpoint       training that has not come to its end
//!             rules.<m>.json   those of the method <m>, where several were tried
//!             events.out.tfevents.<n>.<id>   the measurements for TensorBoard, a file each time a run goes on
//!             score.json       the figures of the last time that the run was scored
//!             report.html      all that there is to say about the run
//! ```
//! Files are written under a temporary name and then renamed, except for `metrics.jsonl` and the events,
//! which grow step by step so that they can be watched. Each has the run's id, which is checked when it is
//! read. Who writes holds a lock.

mod error;
mod lock;
mod stamp;
#[cfg(test)]
mod tests;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use preceptron_base::{TEMPORARY, read_limited, read_limited_text, write_whole};
use preceptron_logic::{RuleSet, json};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::page::KeptScore;
use crate::{Calibration, Checkpoint, JsonLines, Model, TensorBoard};
pub use error::RunError;
use error::{failed, in_line, one_line};
use lock::{LOCK, Lock, Refused};
use stamp::Stamped;

const CONFIG: &str = "config.toml";
const METRICS: &str = "metrics.jsonl";
const RULES: &str = "rules.json";
const NETWORK: &str = "network.safetensors";
const CHECKPOINT: &str = "checkpoint";
const CALIBRATION: &str = "calibration.json";
const FOUND: &str = "training.json";
const REPORT: &str = "report.html";
const SCORE: &str = "score.json";

/// The program that writes runs, with its version.
pub const PROGRAM: &str = concat!("precept ", env!("CARGO_PKG_VERSION"));

/// The directory of a run.
#[derive(Clone, Debug)]
pub struct Run {
    path: PathBuf,
    config: Config,
    /// Held by whoever may write.
    lock: Option<Arc<Lock>>,
}

/// A line of measurements: the learner, the step, and each measurement by its name.
pub type Measurement = serde_json::Map<String, serde_json::Value>;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    id: String,
    task: String,
    program: String,
    /// What products of matrices ran on when training began: on another kind the last bits are others.
    #[serde(default)]
    kernels: String,
    settings: toml::Table,
    /// What else decided what came of the run, such as the run that it was made from.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    origin: toml::Table,
}

/// A directory that is kept for a run which is not there yet. If nothing comes of it, nothing is left.
#[derive(Debug)]
pub struct Reserved {
    path: PathBuf,
    /// The first of the directories that were made for it.
    made: Option<PathBuf>,
    lock: Option<Lock>,
}

impl Drop for Reserved {
    fn drop(&mut self) {
        if let Some(lock) = self.lock.take() {
            drop(lock);
            // Those that something else has come into are not empty, and stay.
            if let Some(made) = &self.made {
                let own = self.path.ancestors().take_while(|path| path.starts_with(made));
                own.for_each(|path| drop(fs::remove_dir(path)));
            }
        }
    }
}

impl Reserved {
    /// Writes the settings: the run begins. What an older run left there is removed, its rules first: they
    /// never stand beside settings that they do not come from. Settings that are `free` do not change what comes
    /// of a run, and so are no part of its id.
    ///
    /// # Errors
    /// If the directory cannot be written to.
    pub fn create(self, task: &str, settings: &impl Serialize, free: &[&str]) -> Result<Run, RunError> {
        self.create_from(toml::Table::new(), task, settings, free)
    }

    /// The same for a run that is made from something else, which is a part of its id.
    ///
    /// # Errors
    /// If the directory cannot be written to.
    pub fn create_from(
        mut self,
        origin: toml::Table,
        task: &str,
        settings: &impl Serialize,
        free: &[&str],
    ) -> Result<Run, RunError> {
        let settings = toml::Table::try_from(settings).map_err(|error| RunError::Damaged {
            run: self.path.clone(),
            file: CONFIG.to_owned(),
            problem: error.to_string(),
        })?;
        let mut decisive = settings.clone();
        decisive.retain(|key, _| !free.contains(&key));
        if !origin.is_empty() {
            decisive.insert("origin".to_owned(), toml::Value::Table(origin.clone()));
        }
        let id = stamp::id(task, PROGRAM, &decisive);
        let (program, kernels) = (PROGRAM.to_owned(), preceptron_matrix::kernels().to_owned());
        let config = Config { id, task: task.to_owned(), program, kernels, settings, origin };
        let run = Run { path: self.path.clone(), config, lock: self.lock.take().map(Arc::new) };
        run.remove_files()?;
        let text = toml::to_string(&run.config).map_err(|error| run.damaged(CONFIG, error.to_string()))?;
        run.write(CONFIG, text.as_bytes())?;
        Ok(run)
    }
}

/// TensorBoard goes through the files of a directory in the order of their names, hence the zeros.
fn events_file(number: u64, id: &str) -> String {
    format!("events.out.tfevents.{number:010}.{id}")
}

/// The number of a file of events.
fn events_number(name: &str) -> Option<u64> {
    name.strip_prefix("events.out.tfevents.")?.split_once('.')?.0.parse().ok()
}

fn rules_file(method: Option<&str>) -> String {
    method.map_or(RULES.to_owned(), |method| format!("rules.{method}.json"))
}

fn take_lock(path: &Path) -> Result<Lock, RunError> {
    Lock::take(path).map_err(|refused| match refused {
        Refused::Held(process) => RunError::Busy { run: path.to_owned(), process },
        Refused::Failed(source) => RunError::File { path: path.join(LOCK), source },
    })
}

impl Run {
    /// Keeps a directory for a new run: nothing is there, an empty directory, or, with `force`, another run,
    /// which stays until the new one begins.
    ///
    /// # Errors
    /// If something else is there, or another process writes there.
    pub fn reserve(path: &Path, force: bool) -> Result<Reserved, RunError> {
        Run::check(path, force)?;
        let made = path.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists()).last();
        let made = made.map(Path::to_owned);
        fs::create_dir_all(path).map_err(failed(path))?;
        let mut reserved = Reserved { path: path.to_owned(), made, lock: None };
        reserved.lock = Some(take_lock(path)?);
        // Another process may have begun a run there in the meantime.
        Run::check(path, force)?;
        Ok(reserved)
    }

    /// Removes what a start that was broken off left in a directory in which no run has begun.
    pub fn give_up(path: &Path) {
        if !Run::is_run(path) {
            let is_nothing = |name: &String| name.starts_with(TEMPORARY) || name == LOCK;
            let left = files(path).unwrap_or_default();
            left.iter()
                .filter(|name| is_nothing(name))
                .for_each(|name| drop(fs::remove_file(path.join(name))));
        }
    }

    /// Whether a new run may go there, without making it.
    fn check(path: &Path, force: bool) -> Result<(), RunError> {
        // What a kill left half written is nothing.
        let is_nothing = |name: &String| name.starts_with(TEMPORARY) || name == LOCK;
        if !path.exists() || (path.is_dir() && files(path)?.iter().all(is_nothing)) {
            return Ok(());
        }
        match (Run::is_run(path), force) {
            (true, true) => Ok(()),
            (true, false) => Err(RunError::Exists(path.to_owned())),
            // Something that precept did not write is not overwritten, whatever the user says.
            (false, _) => Err(RunError::NotARun(path.to_owned())),
        }
    }

    fn remove_files(&self) -> Result<(), RunError> {
        let mut old = files(&self.path)?;
        old.retain(|name| {
            [CONFIG, METRICS, NETWORK, REPORT, CHECKPOINT].contains(&&**name)
                || self.is_part(name)
                || events_number(name).is_some()
                || name.starts_with(TEMPORARY)
        });
        old.sort_by_key(|name| !name.starts_with("rules."));
        old.iter().try_for_each(|name| {
            let file = self.path.join(name);
            fs::remove_file(&file).map_err(failed(&file))
        })
    }

    /// Whether a file is a part of some run's model.
    fn is_part(&self, name: &str) -> bool {
        let is_stamped = || {
            let bytes = read_limited(&self.path.join(name)).unwrap_or_default();
            Stamped::<serde_json::Value>::from_bytes(&bytes).is_ok()
        };
        name.ends_with(".json") && (name.starts_with("rules.") || is_stamped())
    }

    /// Whether this is the directory of a run.
    pub fn is_run(path: &Path) -> bool {
        path.join(CONFIG).is_file()
    }

    /// Opens a run that has come to its end, and checks that its files are there.
    ///
    /// # Errors
    /// If there is no such run, or training did not come to its end.
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
    ///
    /// # Errors
    /// If there is no such run.
    pub fn reopen(path: &Path) -> Result<Run, RunError> {
        if !path.exists() {
            return Err(RunError::Missing(path.to_owned()));
        }
        if !Run::is_run(path) {
            return Err(RunError::NotARun(path.to_owned()));
        }
        let file = path.join(CONFIG);
        let text = read_limited_text(&file).map_err(failed(&file))?;
        let config = toml::from_str(&text).map_err(|error| RunError::Damaged {
            run: path.to_owned(),
            file: CONFIG.to_owned(),
            problem: in_line(&text, &error),
        })?;
        Ok(Run { path: path.to_owned(), config, lock: None })
    }

    /// The same run, to write to.
    ///
    /// # Errors
    /// If another process writes to it.
    pub fn locked(mut self) -> Result<Run, RunError> {
        if self.lock.is_none() {
            self.lock = Some(Arc::new(take_lock(&self.path)?));
        }
        Ok(self)
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The id that every file of the run has.
    pub fn id(&self) -> &str {
        &self.config.id
    }

    /// The name of the task.
    pub fn task(&self) -> &str {
        &self.config.task
    }

    /// What products of matrices ran on when training began, such as `avx2`; empty if nobody noted it.
    pub fn kernels(&self) -> &str {
        &self.config.kernels
    }

    /// The program that made the run, with its version.
    pub fn program(&self) -> &str {
        &self.config.program
    }

    /// The task's settings, not yet checked.
    ///
    /// # Errors
    /// If they are those of something else.
    pub fn settings<S: DeserializeOwned>(&self) -> Result<S, RunError> {
        let settings = self.config.settings.clone();
        settings.try_into().map_err(|error: toml::de::Error| self.damaged(CONFIG, one_line(&error)))
    }

    /// An observer that writes the run's measurements behind those of the first `steps` steps; what was
    /// measured later is removed, and so is what a kill left half written.
    ///
    /// # Errors
    /// If the files cannot be written, or are those of another run.
    pub fn metrics_after(&self, steps: u64) -> Result<JsonLines<File>, RunError> {
        for name in files(&self.path)?.iter().filter(|name| name.starts_with(TEMPORARY)) {
            let file = self.path.join(name);
            fs::remove_file(&file).map_err(failed(&file))?;
        }
        let path = self.path.join(METRICS);
        let text = match read_limited_text(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            read => read.map_err(failed(&path))?,
        };
        let mut kept = format!("{}\n", serde_json::json!({ "run": self.id() }));
        for line in text.split_inclusive('\n') {
            let value: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
            if let Some(id) = value["run"].as_str() {
                self.check_id(METRICS, Some(id))?;
            } else if value["step"].as_u64().is_some_and(|step| step <= steps) {
                kept += line;
            }
        }
        self.write(METRICS, kept.as_bytes())?;
        Ok(JsonLines::new(File::options().append(true).open(&path).map_err(failed(&path))?))
    }

    /// The run's measurements as they were written: an object for each line.
    ///
    /// # Errors
    /// If the file is damaged, or that of another run.
    pub fn measurements(&self) -> Result<Vec<Measurement>, RunError> {
        let path = self.path.join(METRICS);
        let text = read_limited_text(&path).map_err(failed(&path))?;
        let mut lines = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let damaged = |error| self.damaged(METRICS, format!("line {}: {error}", number + 1));
            let line: Measurement = serde_json::from_str(line).map_err(damaged)?;
            match line.get("run") {
                Some(id) => self.check_id(METRICS, id.as_str())?,
                None => lines.push(line),
            }
        }
        Ok(lines)
    }

    /// An observer that writes the run's measurements for TensorBoard, into a file after those that are
    /// there.
    ///
    /// # Errors
    /// If the file cannot be made.
    pub fn tensorboard(&self) -> Result<TensorBoard<File>, RunError> {
        let last = files(&self.path)?.iter().filter_map(|name| events_number(name)).max();
        let path = self.path.join(events_file(last.map_or(1, |last| last.saturating_add(1)), self.id()));
        Ok(TensorBoard::new(File::create_new(&path).map_err(failed(&path))?))
    }

    /// Writes how far training has come.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_checkpoint(&self, checkpoint: &Checkpoint) -> Result<(), RunError> {
        self.write(CHECKPOINT, &checkpoint.to_bytes(self.id()))
    }

    /// How far training has come, if it has begun and not come to its end.
    ///
    /// # Errors
    /// If the file is damaged, or that of another run.
    pub fn checkpoint(&self) -> Result<Option<Checkpoint>, RunError> {
        let Some(bytes) = self.read(CHECKPOINT)? else { return Ok(None) };
        let (checkpoint, id) =
            Checkpoint::from_bytes(&bytes).map_err(|problem| self.damaged(CHECKPOINT, problem))?;
        self.check_id(CHECKPOINT, Some(&id))?;
        Ok(Some(checkpoint))
    }

    /// Whether training has come to its end.
    pub fn is_finished(&self) -> bool {
        self.path.join(RULES).is_file() && !self.path.join(CHECKPOINT).exists()
    }

    /// Writes what was learned; if training has come to its end, the checkpoint goes.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write_model(&self, model: &Model, is_finished: bool) -> Result<(), RunError> {
        if let Some(network) = &model.network {
            let stamped = stamp::stamp_tensors(network, self.id());
            self.write(NETWORK, &stamped.map_err(|problem| self.damaged(NETWORK, problem))?)?;
        }
        if model.calibration.is_some() {
            self.write_value(CALIBRATION, &model.calibration)?;
        }
        for (name, value) in &model.parts {
            self.write_value(&format!("{name}.json"), value)?;
        }
        self.write_value(FOUND, &model.found)?;
        let methods = model.methods.iter().map(|(method, rules)| (Some(method.as_str()), rules));
        // The rules of the run come last: they say that the rest is there.
        for (method, rules) in methods.chain([(None, &model.rules)]) {
            let mut rules = rules.clone();
            let mut note = |key: &str, value: &str| rules.notes.insert(key.to_owned(), value.to_owned());
            note("run", self.id());
            note("source", &format!("precept train {}", self.task()));
            note("program", self.program());
            method.map(|method| note("method", method));
            if !is_finished {
                note("interrupted", "training was stopped before its end");
            }
            self.write(&rules_file(method), json::write(&rules).as_bytes())?;
        }
        if is_finished {
            let path = self.path.join(CHECKPOINT);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(&path)(error)),
                _ => (),
            }
        }
        Ok(())
    }

    /// What was learned.
    ///
    /// # Errors
    /// If a file is missing, damaged, or that of another run.
    pub fn model(&self) -> Result<Model, RunError> {
        let mut model = Model { rules: self.rules(None)?, ..Model::default() };
        if let Some(bytes) = self.read(NETWORK)? {
            let id = stamp::tensors_id(&bytes).map_err(|problem| self.damaged(NETWORK, problem))?;
            self.check_id(NETWORK, id.as_deref())?;
            model.network = Some(bytes);
        }
        let mut names = files(&self.path)?;
        names.sort();
        for name in names {
            let Some(stem) = name.strip_suffix(".json") else { continue };
            match stem.strip_prefix("rules.") {
                _ if name == RULES => (),
                Some(method) => {
                    model.methods.insert(method.to_owned(), self.rules(Some(method))?);
                }
                None if name == CALIBRATION => {
                    model.calibration = self.value::<Option<Calibration>>(&name)?
                }
                None if name == FOUND => model.found = self.value(&name)?,
                // What came of the model is no part of it.
                None if name == SCORE => (),
                None if self.is_part(&name) => {
                    model.parts.insert(stem.to_owned(), self.value(&name)?);
                }
                None => (),
            }
        }
        Ok(model)
    }

    /// The run's rules, or those of one method that was tried in it.
    ///
    /// # Errors
    /// If the file is missing, damaged, or that of another run.
    pub fn rules(&self, method: Option<&str>) -> Result<RuleSet, RunError> {
        let file = rules_file(method);
        let Some(bytes) = self.read(&file)? else {
            return Err(RunError::FileMissing { run: self.path.clone(), file, why: "" });
        };
        let text = String::from_utf8(bytes).map_err(|_| self.damaged(&file, "it is no text".to_owned()))?;
        let rules = json::read(&text).map_err(|error| self.damaged(&file, error.to_string()))?;
        self.check_id(&file, rules.notes.get("run").map(String::as_str))?;
        Ok(rules)
    }

    /// Writes the page about the run.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_report(&self, html: &str) -> Result<(), RunError> {
        self.write(REPORT, html.as_bytes())
    }

    /// Writes the figures of the run.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_score(&self, score: &KeptScore) -> Result<(), RunError> {
        self.write_value(SCORE, score)
    }

    /// The figures of the last time that the run was scored; nothing if it never was.
    ///
    /// # Errors
    /// If the file is damaged, or that of another run.
    pub fn score(&self) -> Result<Option<KeptScore>, RunError> {
        match self.path.join(SCORE).exists() {
            true => self.value(SCORE).map(Some),
            false => Ok(None),
        }
    }

    fn write_value<T: Serialize + DeserializeOwned + Clone>(
        &self,
        file: &str,
        value: &T,
    ) -> Result<(), RunError> {
        let stamped = Stamped { run: self.id().to_owned(), value: value.clone() };
        self.write(file, &stamped.to_bytes().map_err(|problem| self.damaged(file, problem))?)
    }

    fn value<T: Serialize + DeserializeOwned>(&self, file: &str) -> Result<T, RunError> {
        let bytes = self.read(file)?.unwrap_or_default();
        let stamped = Stamped::from_bytes(&bytes).map_err(|problem| self.damaged(file, problem))?;
        self.check_id(file, Some(&stamped.run))?;
        Ok(stamped.value)
    }

    /// That a file is one of this run.
    fn check_id(&self, file: &str, id: Option<&str>) -> Result<(), RunError> {
        if id == Some(self.id()) {
            return Ok(());
        }
        let id = id.map(str::to_owned);
        Err(RunError::OfAnother {
            run: self.path.clone(),
            file: file.to_owned(),
            id,
            own: self.id().to_owned(),
        })
    }

    fn read(&self, file: &str) -> Result<Option<Vec<u8>>, RunError> {
        let path = self.path.join(file);
        match read_limited(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            read => read.map(Some).map_err(failed(&path)),
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
