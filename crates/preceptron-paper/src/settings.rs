//! What `precept bench paper` is told: which tables, how long, on what data.

use std::path::PathBuf;

use preceptron::TaskResult;
use preceptron_base::{Kind, Value, choices, settings};
use preceptron_tasks::driving::FrameSources;
use serde::{Deserialize, Serialize};

use crate::unit::Method;

/// Seconds of the processors, typed as `90s`, `10m` or `2h`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CpuTime(f64);

impl CpuTime {
    /// So many seconds.
    pub fn seconds(self) -> f64 {
        self.0
    }
}

impl Value for CpuTime {
    const KIND: Kind = Kind::Text;

    fn read(text: &str) -> Result<CpuTime, String> {
        let text = text.trim();
        let unit = |last: char| match last {
            's' => Some(1.0),
            'm' => Some(60.0),
            'h' => Some(3600.0),
            _ => None,
        };
        let parsed = text.chars().last().and_then(|last| {
            let number: f64 = text.strip_suffix(last)?.parse().ok()?;
            Some(number * unit(last)?).filter(|seconds| *seconds > 0.0 && seconds.is_finite())
        });
        parsed.map(CpuTime).ok_or_else(|| "a time above 0, such as 90s, 10m or 2h".to_owned())
    }

    fn written(&self) -> Option<String> {
        let of = |unit: f64| (self.0 / unit).fract() == 0.0;
        Some(match self.0 {
            seconds if of(3600.0) => format!("{}h", seconds / 3600.0),
            seconds if of(60.0) => format!("{}m", seconds / 60.0),
            seconds => format!("{seconds}s"),
        })
    }
}

choices! {
    /// A table or a figure.
    pub enum Part: Table1 {
        /// Table 1: visual Sudoku, boards right, and SATNet to RRN.
        Table1 = "table1",
        /// Table 2: self-driving path planning.
        Table2 = "table2",
        /// Table 3: parameters and their settings.
        Table3 = "table3",
        /// Table 4: nonograms.
        Nonogram = "nonogram",
        /// Table 5: visual Sudoku, boards and cells.
        Table5 = "table5",
        /// Table 6: the same transferred, both ways.
        Table6 = "table6",
        /// Visual Sudoku of 4x4, by the same methods.
        Small = "4x4",
        /// Figure 2: accuracy and rank in the course of training.
        Figure2 = "fig2",
        /// The figure of chained XOR.
        Xor = "xor",
        /// Pictures of planned paths.
        Driving = "driving",
        /// Accuracy against CPU-seconds, for every method.
        Time = "time",
    }
}

impl Part {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Part; 11] = [
        Part::Table1,
        Part::Table2,
        Part::Table3,
        Part::Nonogram,
        Part::Table5,
        Part::Table6,
        Part::Small,
        Part::Figure2,
        Part::Xor,
        Part::Driving,
        Part::Time,
    ];
}

settings! {
    /// What is measured.
    pub struct PaperSettings {
        /// CPU time for each row [default: 2h; with --quick a few seconds each].
        budget: Option<CpuTime> = None, "TIME";
        /// Everything small: all of it in about ten minutes on two cores.
        quick: bool = false;
        /// Only these: table1, table2, table3, nonogram (table 4), table5, table6, 4x4, fig2, xor, driving, time.
        only: Vec<Part> = Vec::new(), "PART,...";
        /// Only these rows: rrn, satnet, satnet-star, l1r32h4, ntr, ndc, joint, ours, resnet, rtnet, sup.
        rows: Vec<Method> = Vec::new(), "METHOD,...";
        /// How many seeds.
        seeds: u64 = 1, "N" in 1..=100;
        /// The first seed.
        first_seed: u64 = 0, "N";
        /// Where results and the page go; what is there already is taken as it is.
        out: PathBuf = "paper".into(), "DIR";
        /// The SATNet boards; the last ones are for tests.
        satnet: Option<PathBuf> = None, "FILE";
        /// The RRN boards to train on.
        rrn: Option<PathBuf> = None, "FILE";
        /// The RRN boards to test on.
        rrn_test: Option<PathBuf> = None, "FILE";
        /// The paper's nonograms; the last ones are for tests.
        nonograms: Option<PathBuf> = None, "FILE";
        section "Other sizes";
        /// Boards, strings and frames to train on, in place of the paper's numbers.
        train: Option<usize> = None, "N" in 10..=10_000_000;
        section "Other sizes";
        /// Boards, strings and frames to test on.
        test: Option<usize> = None, "N" in 1..=10_000_000;
        section "Other sizes";
        /// Lengths of chained XOR [default: 20, 40, ..., 200; with --quick 20, 100, 200].
        lengths: Vec<u32> = Vec::new(), "L,..." in 2..=4000;
        /// Threads; they do not change the result.
        threads: usize = 2, "N" in 1..=64;
    }
    with { sources: FrameSources as "Frames of KITTI, for Table 2" }
}

impl PaperSettings {
    /// The tables and figures that are asked for.
    pub fn parts(&self) -> Vec<Part> {
        let is_asked = |part: &Part| self.only.is_empty() || self.only.contains(part);
        Part::ALL.into_iter().filter(is_asked).collect()
    }

    /// Whether the rows of a method are asked for.
    pub fn has_row(&self, method: Method) -> bool {
        self.rows.is_empty() || self.rows.contains(&method)
    }

    /// The same with paths that hold wherever the program is started, and checked.
    ///
    /// # Errors
    /// If files do not go together.
    pub fn settled(&self) -> TaskResult<PaperSettings> {
        let mut own = self.clone();
        preceptron::ensure!(
            own.rrn.is_some() == own.rrn_test.is_some(),
            "--rrn and --rrn-test go together: boards to train on, and others to test on"
        );
        for path in [&mut own.satnet, &mut own.rrn, &mut own.rrn_test, &mut own.nonograms] {
            *path = path.as_deref().map(std::path::absolute).transpose()?;
            if let Some(path) = path {
                preceptron::ensure!(path.is_file(), "{}: there is no such file", path.display());
            }
        }
        own.sources = own.sources.absolute()?;
        Ok(own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_base::Settings;

    #[test]
    fn times_are_read_and_typed_back() {
        for (text, seconds) in [("90s", 90.0), ("10m", 600.0), ("2h", 7200.0), ("1.5h", 5400.0)] {
            assert_eq!(CpuTime::read(text).map(CpuTime::seconds), Ok(seconds));
        }
        let back = |text| CpuTime::read(text).unwrap().written().unwrap();
        assert_eq!(["90s", "120s", "2h", "0.5s"].map(back), ["90s", "2m", "2h", "0.5s"]);
        for wrong in ["", "2", "h", "2d", "-1h", "0s", "NaNs", "infh", "2 weeks", "ü"] {
            let expected = "a time above 0, such as 90s, 10m or 2h".to_owned();
            assert_eq!(CpuTime::read(wrong), Err(expected), "{wrong}");
        }
    }

    #[test]
    fn a_part_that_there_is_not_is_answered_with_all_that_there_are() {
        let mut settings = PaperSettings::default();
        assert_eq!(settings.parts(), Part::ALL);
        settings.set("only", "fig2,table1").unwrap();
        assert_eq!(settings.parts(), [Part::Table1, Part::Figure2]);
        let message = settings.set("only", "table9").unwrap_err().to_string();
        assert!(Part::ALL.iter().all(|part| message.contains(part.word())), "{message}");
        let help = PaperSettings::flags().into_iter().find(|flag| flag.name == "only").unwrap().help;
        assert!(Part::ALL.iter().all(|part| help.contains(part.word())), "{help}");
    }

    #[test]
    fn files_that_are_not_there_are_named() {
        let message = |settings: PaperSettings| settings.settled().unwrap_err().to_string();
        let plain = PaperSettings::default();
        let satnet = message(PaperSettings { satnet: Some("/none/a.csv".into()), ..plain.clone() });
        assert_eq!(satnet, "/none/a.csv: there is no such file");
        assert!(message(PaperSettings { rrn: Some("a.csv".into()), ..plain }).contains("go together"));
    }
}
