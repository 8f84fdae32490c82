//! The run's id in every file of it, so that files of two runs are not taken for those of one.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// The id of a run: of its task, its settings and the program. Equal runs have equal ids, and equal files.
pub(super) fn id(task: &str, program: &str, settings: &toml::Table) -> String {
    let text = format!("{task}\n{program}\n{}", toml::to_string(settings).unwrap_or_default());
    Sha256::digest(text).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// A value in a file of its own.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stamped<T> {
    pub run: String,
    pub value: T,
}

impl<T: Serialize + DeserializeOwned> Stamped<T> {
    /// The value as a file.
    pub fn to_bytes(&self) -> Result<Vec<u8>, String> {
        serde_json::to_vec(self).map_err(|error| error.to_string())
    }

    /// The value and the id of its run, from a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Stamped<T>, String> {
        serde_json::from_slice(bytes).map_err(|error| error.to_string())
    }
}

/// What a `safetensors` file says about itself: eight bytes with the length of its header, the header in
/// JSON, the tensors.
fn header(file: &[u8]) -> Result<(Map<String, Value>, &[u8]), String> {
    let (length, rest) = file.split_first_chunk::<8>().ok_or("it is too short")?;
    let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| "its header is too long")?;
    let (header, tensors) = rest.split_at_checked(length).ok_or("it ends in its header")?;
    Ok((serde_json::from_slice(header).map_err(|error| error.to_string())?, tensors))
}

const ABOUT: &str = "__metadata__";

/// A `safetensors` file with the run's id among what it says about itself.
pub(super) fn stamp_tensors(file: &[u8], id: &str) -> Result<Vec<u8>, String> {
    let (mut header, tensors) = header(file)?;
    let about = header.entry(ABOUT).or_insert_with(|| Value::Object(Map::new()));
    about
        .as_object_mut()
        .ok_or("what it says about itself is no object")?
        .insert("run".to_owned(), id.into());
    let mut text = serde_json::to_vec(&header).map_err(|error| error.to_string())?;
    // Tensors begin at a multiple of eight bytes.
    text.resize(text.len().next_multiple_of(8), b' ');
    Ok([&(text.len() as u64).to_le_bytes(), &text[..], tensors].concat())
}

/// The id in a `safetensors` file, all of whose tensors are there.
pub(super) fn tensors_id(file: &[u8]) -> Result<Option<String>, String> {
    safetensors::SafeTensors::deserialize(file).map_err(|error| error.to_string())?;
    Ok(header(file)?.0.get(ABOUT).and_then(|about| Some(about.get("run")?.as_str()?.to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use safetensors::tensor::TensorView;
    use safetensors::{Dtype, SafeTensors};

    #[test]
    fn tensors_are_as_they_were() {
        let bytes: Vec<u8> = (0..24).collect();
        let view = TensorView::new(Dtype::F32, vec![2, 3], &bytes).unwrap();
        let file = safetensors::serialize([("weight", view)], None).unwrap();
        assert_eq!(tensors_id(&file), Ok(None));
        let stamped = stamp_tensors(&file, "abc").unwrap();
        assert_eq!(tensors_id(&stamped), Ok(Some("abc".to_owned())));
        assert_eq!(SafeTensors::deserialize(&stamped).unwrap().tensor("weight").unwrap().data(), bytes);
        let again = stamp_tensors(&stamped, "def").unwrap();
        assert_eq!(tensors_id(&again), Ok(Some("def".to_owned())));
        for end in [0, 7, 8, 20] {
            assert!(stamp_tensors(&file[..end], "abc").is_err());
        }
        assert!(tensors_id(&stamped[..stamped.len() - 1]).is_err());
    }

    #[test]
    fn ids_depend_on_everything() {
        let settings = |seed: i64| toml::Table::from_iter([("seed".to_owned(), seed.into())]);
        let plain = id("toy", "precept 1", &settings(0));
        assert_eq!(plain, id("toy", "precept 1", &settings(0)));
        for other in [
            id("toys", "precept 1", &settings(0)),
            id("toy", "precept 2", &settings(0)),
            id("toy", "precept 1", &settings(1)),
        ] {
            assert_ne!(plain, other);
        }
    }
}
