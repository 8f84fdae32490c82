//! Training at one moment, in one file.
//!
//! The file is a line `precept checkpoint 1`, a line of JSON (schedule, step, the lengths of the two parts,
//! their checksum), and the parts: the network and the rest of the state. It is written under a temporary
//! name and renamed, so a kill at any moment leaves the last whole one.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{Schedule, TrainError};

const FIRST_LINE: &[u8] = b"precept checkpoint 1\n";

/// Training at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The name of the schedule.
    pub schedule: String,
    /// Steps that were made.
    pub step: u64,
    /// The network, as it saves itself.
    pub network: Vec<u8>,
    /// The schedule's state.
    pub state: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
struct Header {
    schedule: String,
    step: u64,
    network: usize,
    state: usize,
    sha256: String,
}

fn checksum(parts: [&[u8]; 2]) -> String {
    let digest = parts.iter().fold(Sha256::new(), |digest, part| digest.chain_update(part)).finalize();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Checkpoint {
    /// Training as it is.
    ///
    /// # Errors
    /// If the network cannot be saved.
    pub fn of(schedule: &dyn Schedule) -> Result<Checkpoint, TrainError> {
        Ok(Checkpoint {
            schedule: schedule.name().to_owned(),
            step: schedule.made(),
            network: schedule.perception().save()?,
            state: schedule.state()?,
        })
    }

    /// As a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let header = Header {
            schedule: self.schedule.clone(),
            step: self.step,
            network: self.network.len(),
            state: self.state.len(),
            sha256: checksum([&self.network, &self.state]),
        };
        let header = serde_json::to_vec(&header).expect("strings and numbers are JSON");
        [FIRST_LINE, &header, b"\n", &self.network, &self.state].concat()
    }

    /// From a file; what is wrong with it, if anything is.
    pub fn from_bytes(bytes: &[u8]) -> Result<Checkpoint, String> {
        let rest = bytes.strip_prefix(FIRST_LINE).ok_or("it does not begin as a checkpoint does")?;
        let end = rest.iter().position(|&byte| byte == b'\n').ok_or("it ends in its header")?;
        let header: Header = serde_json::from_slice(&rest[..end]).map_err(|error| error.to_string())?;
        let parts = &rest[end + 1..];
        if header.network.checked_add(header.state) != Some(parts.len()) {
            return Err("it is not as long as its header says".to_owned());
        }
        let (network, state) = parts.split_at(header.network);
        if checksum([network, state]) != header.sha256 {
            return Err("its checksum is wrong".to_owned());
        }
        let (network, state) = (network.to_vec(), state.to_vec());
        Ok(Checkpoint { schedule: header.schedule, step: header.step, network, state })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cut_and_every_flipped_bit_is_noticed() {
        let whole =
            Checkpoint { schedule: "staged".into(), step: 7, network: vec![1, 2, 10], state: vec![9, 0] };
        let bytes = whole.to_bytes();
        assert_eq!(Checkpoint::from_bytes(&bytes), Ok(whole.clone()));
        for end in 0..bytes.len() {
            assert!(Checkpoint::from_bytes(&bytes[..end]).is_err());
        }
        for at in bytes.len() - 5..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            assert_eq!(Checkpoint::from_bytes(&damaged), Err("its checksum is wrong".to_owned()));
        }
    }
}
