//! Rules from examples: a table of 0/1 values in, confirmed cardinality constraints out.
//!
//! [`learn`] looks for equalities by Boolean least squares ([`row_update`]), for exactly-one rules as cliques
//! of exclusive variables, for families of bounds on sums over axes with evidence pooled over their members, for
//! clauses and bounded groups by counting, and for parity by elimination. What the examples confirm becomes a
//! rule with evidence; what other rules imply is left out; and a verdict says what is proved, what is not, and
//! what to ask next. [`learn_given`] learns beyond rules that are known. [`Table`] reads CSV, NPY and (with the
//! feature `parquet`) Parquet.
//!
//! ```
//! use preceptron_base::Quiet;
//! use preceptron_learn::{Examples, Settings, learn};
//! use preceptron_logic::{Variables, sentence};
//!
//! // Exactly one of red, green and blue; spare is free.
//! let variables = Variables::from_names(["red", "green", "blue", "spare"])?;
//! let rows: Vec<[bool; 4]> = (0..60).map(|i| [i % 3 == 0, i % 3 == 1, i % 3 == 2, i % 7 < 3]).collect();
//! let examples = Examples::from_full_rows(4, &rows);
//! let learned = learn(&variables, &examples, &Settings::default().check()?, &Quiet);
//! let rules: Vec<String> = learned.rules.constraints().map(|c| sentence(&variables, c)).collect();
//! assert_eq!(rules, ["exactly 1 of red, green, blue"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod allowed_sums;
mod alternating_cliques;
mod anchored_search;
mod auxiliary;
mod auxiliary_settings;
mod clique_scores;
mod cliques;
mod completion;
mod confirm;
mod constants;
mod counting;
mod coverage;
mod data_rank;
mod encoded_groups;
mod examples;
mod families;
mod given;
mod groups;
mod implied_by_propagation;
mod interaction;
mod joint_search;
mod learn;
mod learned;
mod linear_span;
mod moments;
mod near_pairs;
mod parity;
pub mod parts;
mod peers;
mod propagation;
mod question;
mod reduce;
pub mod row_update;
mod seen_together;
mod settings;
pub mod sum_histogram;
mod suspects;
mod table;
mod templates;
pub mod theorems;
mod twins;
mod unexplained;
mod verdict;
mod wrong_entries;

pub use allowed_sums::AllowedSums;
pub use auxiliary::{AuxiliaryForm, AuxiliaryStep};
pub use auxiliary_settings::{AuxiliarySettings, CheckedAuxiliary, UpdateOrder};
pub use completion::{Completion, complete};
pub use confirm::confirm_at;
pub use examples::Examples;
pub use given::Given;
pub use joint_search::GlobalSearch;
pub use learn::{learn, learn_given, learn_unjudged};
pub use learned::{DropReason, Dropped, Learned, SearchEnd, SearchReport, Verdict};
pub use moments::Moments;
pub use propagation::{Propagation, Propagator};
pub use question::NearMiss;
pub use settings::{Bound, Checked, Form, Settings};
pub use suspects::Suspect;
pub use table::{
    Archive, Area, Array, Cells, Content, DateOrder, Decimal, Encoded, Fault, Fill, Grid, HeaderAxes, Holds,
    Key, Painted, Part, PictureCell, Piece, Pieces, Pivot, Plan, PlanColumn, Position, Said, Sheet,
    SheetCell, SheetColumn, SheetOptions, SheetRow, Survey, Table, TableError, TableOptions, Values, Wish,
    column_names, letters, number_of, parts_of, pieces_of, values_of, workbook, written_text,
};
