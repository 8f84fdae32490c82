//! What was measured is kept: a file for each unit in `units`, and a run for the one that is under way.
//!
//! A file's name has a hash of all that the unit depends on, so that figures of other settings are other files, and
//! never taken for these.

use std::fs;
use std::path::{Path, PathBuf};

use preceptron::{Context, TaskResult, ensure};
use preceptron_base::write_whole;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::unit::{Measured, Unit};

/// The folder where units are kept.
#[derive(Clone, Debug)]
pub struct Kept {
    folder: PathBuf,
}

impl Kept {
    /// The units below a folder, which is made.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn below(out: &Path) -> TaskResult<Kept> {
        let folder = out.join("units");
        fs::create_dir_all(&folder).context(folder.display())?;
        Ok(Kept { folder })
    }

    fn stem(unit: &Unit, made_with: &Value) -> String {
        let hash = Sha256::digest(made_with.to_string());
        let hash: String = hash.iter().take(5).map(|byte| format!("{byte:02x}")).collect();
        format!("{}-{hash}", unit.to_string().replace('/', "-"))
    }

    fn file(&self, unit: &Unit, made_with: &Value) -> PathBuf {
        self.folder.join(format!("{}.json", Kept::stem(unit, made_with)))
    }

    /// The run of a unit that is under way.
    pub fn run(&self, unit: &Unit, made_with: &Value) -> PathBuf {
        self.folder.join(Kept::stem(unit, made_with))
    }

    /// What was measured of a unit with the same settings, if it was.
    ///
    /// # Errors
    /// If the file is damaged, or that of another unit.
    pub fn measured(&self, unit: &Unit, made_with: &Value) -> TaskResult<Option<Measured>> {
        let file = self.file(unit, made_with);
        if !file.exists() {
            return Ok(None);
        }
        let bytes = fs::read(&file).context(file.display())?;
        let measured: Measured = serde_json::from_slice(&bytes)
            .context(format!("{}: is damaged; without it the unit is measured anew", file.display()))?;
        ensure!(
            measured.unit == unit.to_string() && measured.made_with == *made_with,
            "{}: is of {} with other settings; without it the unit is measured anew",
            file.display(),
            measured.unit
        );
        Ok(Some(measured))
    }

    /// Keeps what was measured; the run that it came from is no longer needed.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&self, unit: &Unit, measured: &Measured) -> TaskResult<()> {
        let file = self.file(unit, &measured.made_with);
        write_whole(&file, &serde_json::to_vec_pretty(measured)?).context(file.display())?;
        let run = self.run(unit, &measured.made_with);
        if run.is_dir() {
            fs::remove_dir_all(&run).context(run.display())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::{Course, Experiment, Figures, Method, Status};
    use serde_json::json;

    fn measured(unit: &Unit, made_with: Value) -> Measured {
        let course = Course { status: Status::Rest, epochs: Some(0.1), cpu_seconds: 0.3, curve: Vec::new() };
        let figures = Figures::from([("accuracy".to_owned(), 1.0 / 3.0)]);
        let (unit, notes, pictures) = (unit.to_string(), Vec::new(), Vec::new());
        Measured { unit, made_with, figures, course, examples: 7, notes, pictures }
    }

    #[test]
    fn what_is_kept_is_found_with_the_same_settings_alone() {
        let folder = tempfile::tempdir().unwrap();
        let kept = Kept::below(folder.path()).unwrap();
        let unit = Unit { experiment: Experiment::Xor(20), method: Method::Ours, seed: 0 };
        let one = measured(&unit, json!({ "budget": 1.5 }));
        assert_eq!(kept.measured(&unit, &one.made_with).unwrap(), None);
        fs::create_dir(kept.run(&unit, &one.made_with)).unwrap();
        kept.keep(&unit, &one).unwrap();
        assert!(!kept.run(&unit, &one.made_with).exists());
        assert_eq!(kept.measured(&unit, &one.made_with).unwrap(), Some(one.clone()));
        assert_eq!(kept.measured(&unit, &json!({ "budget": 2.5 })).unwrap(), None);
        assert_eq!(kept.measured(&Unit { seed: 1, ..unit }, &one.made_with).unwrap(), None);
    }

    #[test]
    fn a_damaged_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let kept = Kept::below(folder.path()).unwrap();
        let unit = Unit { experiment: Experiment::Xor(20), method: Method::Ours, seed: 0 };
        let file = kept.file(&unit, &json!(1));
        fs::write(&file, "{").unwrap();
        let message = kept.measured(&unit, &json!(1)).unwrap_err().to_string();
        assert!(message.contains(".json: is damaged"), "{message}");
        fs::write(&file, serde_json::to_vec(&measured(&unit, json!(2))).unwrap()).unwrap();
        let message = kept.measured(&unit, &json!(1)).unwrap_err().to_string();
        assert!(message.contains("with other settings"), "{message}");
    }
}
