//! Measurements as TensorBoard's event files.
//!
//! A file is a row of records, each `length: u64, check: u32, data, check: u32` in little endian, where a
//! check is the rotated CRC-32C of what stands before it. The data are messages in Protocol Buffers, of
//! which few fields are needed:
//!
//! ```text
//! Event    1 wall_time: double   2 step: int64   3 file_version: string   5 summary: Summary
//! Summary  1 value: Value, repeated
//! Value    1 tag: string         2 simple_value: float
//! ```
//! The first record says `brain.Event:2`; then there is one for each step. The tag `learner/metric` keeps
//! learners that share a file apart; TensorBoard shows those of one learner under its name.

use std::io::{self, Write};
use std::time::SystemTime;

use crc::{CRC_32_ISCSI, Crc, Table};

use crate::{Observer, StepRecord};

static CRC: Crc<u32, Table<1>> = Crc::<u32, Table<1>>::new(&CRC_32_ISCSI);

/// Writes each step as one event. Events carry the time of day, so that equal runs leave files that differ
/// in it.
pub struct TensorBoard<W: Write> {
    out: W,
    fault: Option<io::Error>,
}

impl<W: Write> TensorBoard<W> {
    /// Events to `out`, which is to be empty.
    pub fn new(out: W) -> TensorBoard<W> {
        let mut this = TensorBoard { out, fault: None };
        let mut event = event();
        bytes_field(&mut event, 3, b"brain.Event:2");
        this.record(&event);
        this
    }

    /// The first error in writing, if there was any: training goes on without its measurements.
    pub fn close(mut self) -> io::Result<()> {
        self.fault.take().map_or_else(|| self.out.flush(), Err)
    }

    fn record(&mut self, data: &[u8]) {
        if self.fault.is_none() {
            let length = (data.len() as u64).to_le_bytes();
            let checks = [&length[..], data].map(|part| check(part).to_le_bytes());
            let record = [&length[..], &checks[0], data, &checks[1]].concat();
            self.fault = self.out.write_all(&record).and_then(|()| self.out.flush()).err();
        }
    }
}

impl<W: Write> Observer for TensorBoard<W> {
    fn step(&mut self, record: &StepRecord<'_>) {
        let mut summary = Vec::new();
        for (name, value) in record.metrics.iter() {
            let mut entry = Vec::new();
            bytes_field(&mut entry, 1, format!("{}/{name}", record.learner).as_bytes());
            entry.push(key(2, FOUR_BYTES));
            entry.extend((value as f32).to_le_bytes());
            bytes_field(&mut summary, 1, &entry);
        }
        let mut event = event();
        event.push(key(2, VARIABLE));
        variable(&mut event, record.step);
        bytes_field(&mut event, 5, &summary);
        self.record(&event);
    }
}

const VARIABLE: u8 = 0;
const EIGHT_BYTES: u8 = 1;
const WITH_LENGTH: u8 = 2;
const FOUR_BYTES: u8 = 5;

/// What stands before a field: its number, which is below 16, and how it is written.
const fn key(number: u8, wire: u8) -> u8 {
    number << 3 | wire
}

/// An event that has nothing but the time.
fn event() -> Vec<u8> {
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let mut event = vec![key(1, EIGHT_BYTES)];
    event.extend(time.map_or(0.0, |time| time.as_secs_f64()).to_le_bytes());
    event
}

fn bytes_field(message: &mut Vec<u8>, number: u8, bytes: &[u8]) {
    message.push(key(number, WITH_LENGTH));
    variable(message, bytes.len() as u64);
    message.extend_from_slice(bytes);
}

/// Seven bits a byte, the lowest first; the eighth says that more follow.
fn variable(message: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        message.push(number as u8 | 0x80);
        number >>= 7;
    }
    message.push(number as u8);
}

/// CRC-32C, rotated and moved: a check of bytes that hold a check should not be a plain one.
fn check(bytes: &[u8]) -> u32 {
    CRC.checksum(bytes).rotate_right(15).wrapping_add(0xa282_ead8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Metrics;

    /// CRC-32C bit by bit.
    fn plain_check(bytes: &[u8]) -> u32 {
        let mut crc = !0u32;
        for byte in bytes {
            crc ^= u32::from(*byte);
            for _ in 0..8 {
                crc = if crc & 1 == 1 { crc >> 1 ^ 0x82f6_3b78 } else { crc >> 1 };
            }
        }
        (!crc).rotate_right(15).wrapping_add(0xa282_ead8)
    }

    fn records(mut file: &[u8]) -> Vec<Vec<u8>> {
        let mut records = Vec::new();
        while !file.is_empty() {
            let number = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
            let length = u64::from_le_bytes(file[..8].try_into().unwrap()) as usize;
            assert_eq!(number(8), plain_check(&file[..8]));
            assert_eq!(number(12 + length), plain_check(&file[12..12 + length]));
            records.push(file[12..12 + length].to_vec());
            file = &file[16 + length..];
        }
        records
    }

    fn take_number(message: &mut &[u8]) -> u64 {
        let last = message.iter().position(|byte| byte & 0x80 == 0).unwrap();
        let (number, rest) = message.split_at(last + 1);
        *message = rest;
        number.iter().rev().fold(0, |sum, byte| sum << 7 | u64::from(byte & 0x7f))
    }

    /// The fields of a message: number, and what is in it as bytes.
    fn fields(mut message: &[u8]) -> Vec<(u64, Vec<u8>)> {
        let mut fields = Vec::new();
        while !message.is_empty() {
            let key = take_number(&mut message);
            let length = match key & 7 {
                0 => {
                    fields.push((key >> 3, take_number(&mut message).to_le_bytes().to_vec()));
                    continue;
                }
                1 => 8,
                2 => take_number(&mut message) as usize,
                5 => 4,
                wire => panic!("wire type {wire}"),
            };
            let (bytes, rest) = message.split_at(length);
            fields.push((key >> 3, bytes.to_vec()));
            message = rest;
        }
        fields
    }

    #[test]
    fn what_is_written_can_be_read() {
        let mut file = Vec::new();
        let mut events = TensorBoard::new(&mut file);
        let long = "n".repeat(200);
        let metrics = Metrics::new([("loss", 0.25), ("rank", 249.0)]);
        events.step(&StepRecord { learner: &long, step: 300, metrics });
        events.step(&StepRecord { learner: "rows", step: 301, metrics: Metrics::default() });
        events.close().unwrap();
        let records = records(&file);
        let events: Vec<_> = records.iter().map(|record| fields(record)).collect();
        assert_eq!(events.len(), 3);
        for event in &events {
            assert_eq!(event[0].0, 1);
            let time = f64::from_le_bytes(event[0].1[..].try_into().unwrap());
            assert!(time > 1.7e9 && time < 1e11, "{time}");
        }
        assert_eq!(events[0][1..], [(3, b"brain.Event:2".to_vec())]);
        assert_eq!(events[1][1], (2, 300u64.to_le_bytes().to_vec()));
        let values = fields(&events[1][2].1);
        assert_eq!((events[1][2].0, values.len()), (5, 2));
        for ((number, value), (name, expected)) in values.iter().zip([("loss", 0.25f32), ("rank", 249.0)]) {
            let tag = format!("{long}/{name}").into_bytes();
            assert_eq!((number, fields(value)), (&1, vec![(1, tag), (2, expected.to_le_bytes().to_vec())]));
        }
        assert_eq!(events[2][1..], [(2, 301u64.to_le_bytes().to_vec()), (5, vec![])]);
    }

    #[test]
    fn an_error_in_writing_comes_out_at_the_end() {
        let mut short = [0u8; 50];
        let mut events = TensorBoard::new(&mut short[..]);
        events.step(&StepRecord { learner: "rows", step: 1, metrics: Metrics::default() });
        assert!(events.close().is_err());
    }
}
