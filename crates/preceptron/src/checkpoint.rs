//! Training at one moment, in one file.
//!
//! The file is a line `precept checkpoint 2`, a line of JSON (run, schedule, step, the lengths of the two
//! parts, their checksum), and the parts: the network and the rest of the state. It is written under a temporary
//! name and renamed, so a kill at any moment leaves the last whole one.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{Schedule, State, TrainError};

const FIRST_LINE: &[u8] = b"precept checkpoint 2\n";

/// Training at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The name of the schedule.
    pub schedule: String,
    /// Steps that were made.
    pub step: u64,
    /// The schedule's state.
    pub state: State,
}

#[derive(Serialize, Deserialize)]
struct Header {
    run: String,
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
            state: schedule.state()?,
        })
    }

    /// As a file of the run with this id.
    pub fn to_bytes(&self, run: &str) -> Vec<u8> {
        let State { network, rest } = &self.state;
        let header = Header {
            run: run.to_owned(),
            schedule: self.schedule.clone(),
            step: self.step,
            network: network.len(),
            state: rest.len(),
            sha256: checksum([network, rest]),
        };
        let header = serde_json::to_vec(&header).expect("strings and numbers are JSON");
        [FIRST_LINE, &header, b"\n", network, rest].concat()
    }

    /// From a file, with the id of its run; what is wrong with it, if anything is.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Checkpoint, String), String> {
        let rest = bytes.strip_prefix(FIRST_LINE).ok_or("it does not begin as a checkpoint does")?;
        let end = rest.iter().position(|&byte| byte == b'\n').ok_or("it ends in its header")?;
        let header: Header = serde_json::from_slice(&rest[..end]).map_err(|error| error.to_string())?;
        let parts = &rest[end + 1..];
        if header.network.checked_add(header.state) != Some(parts.len()) {
            return Err("it is not as long as its header says".to_owned());
        }
        let (network, rest) = parts.split_at(header.network);
        if checksum([network, rest]) != header.sha256 {
            return Err("its checksum is wrong".to_owned());
        }
        let state = State { network: network.to_vec(), rest: rest.to_vec() };
        Ok((Checkpoint { schedule: header.schedule, step: header.step, state }, header.run))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cut_and_every_flipped_bit_is_noticed() {
        let whole = Checkpoint {
            schedule: "staged".into(),
            step: 7,
            state: State { network: vec![1, 2, 10], rest: vec![9, 0] },
        };
        let bytes = whole.to_bytes("id");
        assert_eq!(Checkpoint::from_bytes(&bytes), Ok((whole.clone(), "id".to_owned())));
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
