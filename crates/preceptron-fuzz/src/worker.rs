//! One campaign in this process, or one input.

use std::fs::File;
use std::io::{Seek, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context;
use preceptron_fuzz::{Campaign, Target, catch, minimise};

use crate::guard::{Clock, watch};
use crate::{Arguments, keep};

/// The most shorter inputs that are tried for one that panics.
const SHORTER: usize = 20_000;

/// Runs one input and says what becomes of it.
pub fn replay(target: Target, input: Vec<u8>) -> ExitCode {
    let result = watch(move |clock| {
        clock.begin();
        catch(&target, &input)
    });
    match result {
        Ok(Ok(outcome)) => {
            println!("{outcome}");
            ExitCode::SUCCESS
        }
        Ok(Err(panic)) => {
            println!("panic at {}: {}", panic.place, panic.message);
            ExitCode::FAILURE
        }
        Err(code) => {
            println!("hangs");
            code
        }
    }
}

/// Runs a campaign until its time is over. What it prints is read by the overseer.
pub fn work(target: Target, number: u64, arguments: &Arguments, current: &Path) -> anyhow::Result<ExitCode> {
    let current = File::create(current).with_context(|| current.display().to_string())?;
    let (seed, time) = (arguments.seed, Duration::from_secs(arguments.seconds));
    match watch(move |clock| campaign(&target, seed, number, time, current, &clock)) {
        Ok(done) => done.map(|()| ExitCode::SUCCESS),
        Err(code) => Ok(code),
    }
}

fn campaign(
    target: &Target,
    seed: u64,
    number: u64,
    time: Duration,
    mut current: File,
    clock: &Clock,
) -> anyhow::Result<()> {
    let start = Instant::now();
    let mut campaign = Campaign::new(target, seed, number);
    while start.elapsed() < time {
        let input = campaign.next_input();
        note(&mut current, &input)?;
        clock.begin();
        campaign.run(input);
        clock.end();
    }
    for (place, (input, panic)) in &campaign.panics {
        let is_same = |input: &[u8]| catch(target, input).is_err_and(|panic| panic.place == *place);
        let path = keep(target, &minimise(input, SHORTER, is_same))?;
        println!("failure {}: panic at {place}: {}", path.display(), panic.message.replace('\n', " / "));
    }
    for outcome in &campaign.outcomes {
        println!("outcome {outcome}");
    }
    let slowest = campaign.slowest.as_millis();
    if slowest >= 1000 {
        println!("slow {}", keep(target, &campaign.slowest_input)?.display());
    }
    println!("done {} {} {slowest}", campaign.executions, campaign.kept());
    Ok(())
}

/// Notes an input in a file, with its length before it: one write, and what an earlier one left behind
/// does no harm.
fn note(file: &mut File, input: &[u8]) -> anyhow::Result<()> {
    let line = [&(input.len() as u64).to_le_bytes()[..], input].concat();
    file.rewind().and_then(|()| file.write_all(&line)).context("the note of an input")
}

/// The input that was noted last.
pub fn noted(path: &Path) -> anyhow::Result<Vec<u8>> {
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    let (length, rest) = bytes.split_first_chunk().context("no input was noted")?;
    Ok(rest.get(..u64::from_le_bytes(*length) as usize).unwrap_or(rest).to_vec())
}
