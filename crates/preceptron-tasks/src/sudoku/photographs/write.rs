//! `precept data sudoku photographs`: photographs of boards with what they show, as files.

use std::io::Write;
use std::path::PathBuf;

use preceptron::words::count;
use preceptron::{Action, Context, Group, TaskResult, ensure};
use preceptron_base::{Control, settings, write_whole};

use super::kinds::KINDS;
use super::{boards, no_board, of_kind};
use crate::mnist::Mnist;
use crate::sudoku::write_csv;

/// Writes photographs of boards.
pub(in crate::sudoku) struct WritePhotographs;

settings! {
    /// What is photographed, and where to.
    pub struct WritePhotographsSettings {
        /// How many of each kind.
        count: usize = 1, "N" in 1..=1000;
        /// Only kinds whose names have this in them.
        only: Option<String> = None, "TEXT";
        /// How many pictures that are no boards.
        others: usize = 0, "N" in 0..=10_000;
        /// The directory to write into; it is made.
        out: Option<PathBuf> = None, "DIR";
        /// The seed of boards, digits and damage.
        seed: u64 = 0, "N";
        /// Take pictures of digits that are for tests, not for training.
        test_images: bool = false;
    }
}

impl Action for WritePhotographs {
    const GROUP: Group = Group::Data;
    const NAME: &'static str = "photographs";
    const ABOUT: &'static str = "Photographs of boards with forty kinds of damage, and what they show.";
    const HELP: &'static str = "\
Examples:
  precept data sudoku photographs --out photographs
  precept data sudoku photographs --only shadow --count 5 --test-images --out shadows

Photographs are made up: boards are drawn, with digits written or printed, seen from aside, lit unevenly, blurred,
compressed. truth.csv has for each its kind, its grid's corners and its board; of pictures that are no boards,
from --others, it has what they are. Photograph 3 of a kind and seed is the same however many are made.
Exit codes: 0 written, 2 error.";
    type Settings = WritePhotographsSettings;

    fn run(
        settings: &WritePhotographsSettings,
        out: &mut dyn Write,
        control: &dyn Control,
    ) -> TaskResult<bool> {
        let folder = settings.out.as_deref().context("--out DIR: the directory to write into is missing")?;
        ensure!(!folder.exists(), "{}: is already there", folder.display());
        let is_chosen = |name: &str| settings.only.as_ref().is_none_or(|only| name.contains(only.as_str()));
        let kinds: Vec<_> = KINDS.iter().filter(|kind| is_chosen(kind.name)).collect();
        ensure!(!kinds.is_empty(), "--only: no kind has this in its name; they are: {}", names());
        let mnist = Mnist::embedded();
        let digits = if settings.test_images { &mnist.test } else { &mnist.train };
        std::fs::create_dir_all(folder).context(folder.display())?;
        let boards = boards(settings.count, settings.seed)?;
        let mut truth = "file,kind,x1,y1,x2,y2,x3,y3,x4,y4,puzzle,solution\n".to_owned();
        let mut written = 0;
        let all = (kinds.len() * settings.count + settings.others) as u64;
        control.stage("photographs", all);
        for (kind, number) in
            kinds.iter().flat_map(|kind| (0..settings.count).map(move |number| (kind, number)))
        {
            if control.is_cancelled() {
                break;
            }
            let photograph = of_kind(kind, number, settings.seed, digits, &boards[number])?;
            let name = format!("{}-{number}.png", kind.name.replace(' ', "-").replace('%', ""));
            write_whole(&folder.join(&name), &photograph.picture.to_png()?).context(&name)?;
            let corners: Vec<String> =
                photograph.corners.iter().flatten().map(|x| format!("{x:.1}")).collect();
            let line = write_csv(std::slice::from_ref(&photograph.puzzle));
            truth += &format!("{name},{},{},{}\n", kind.name, corners.join(","), line.trim());
            written += 1;
            control.advance(1);
        }
        for number in (0..settings.others).take_while(|_| !control.is_cancelled()) {
            let (what, picture) = no_board(number, settings.seed, digits);
            let name = format!("other-{number}.png");
            write_whole(&folder.join(&name), &picture.to_png()?).context(&name)?;
            truth += &format!("{name},{what},,,,,,,,,,\n");
            written += 1;
            control.advance(1);
        }
        write_whole(&folder.join("truth.csv"), truth.as_bytes()).context(folder.display())?;
        writeln!(
            out,
            "{} written to {}, what they show to truth.csv there",
            count(written, "picture"),
            folder.display()
        )?;
        Ok(written as u64 == all)
    }
}

/// The names of all kinds.
pub(super) fn names() -> String {
    KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ")
}
