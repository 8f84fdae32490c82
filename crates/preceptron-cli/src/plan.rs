//! A plan beside rules, in words: which cells a rule speaks of, and what they hold.

use std::path::Path;

use preceptron_learn::{Grid, Painted, Plan, PlanColumn, Said, Sheet, letters, workbook, written_text};
use preceptron_logic::numbers::AUXILIARY;
use preceptron_logic::{Constraint, Linear, Lit, Problem, Var};
use preceptron_reason::Piece;

use crate::output::Destination;
use crate::present::count;

/// Cells with what is added to them, by row and column.
pub type Paint = std::collections::BTreeMap<(usize, usize), Painted>;

/// A row of a plan as the rules see it.
pub struct Row<'a> {
    pub sheet: &'a Sheet,
    /// The columns that rules know.
    pub plan: &'a Plan,
    /// The row's number among the sheet's rows.
    pub row: usize,
    /// What each column of the plan says.
    pub said: Vec<Said>,
    values: Vec<Option<bool>>,
}

impl<'a> Row<'a> {
    /// Reads a row. Where `blank_is_open` an empty cell says nothing, also where it means no.
    pub fn read(
        sheet: &'a Sheet,
        plan: &'a Plan,
        row: usize,
        variables: usize,
        blank_is_open: bool,
    ) -> Row<'a> {
        let said: Vec<Said> = plan
            .columns
            .iter()
            .map(|column| column.said(&sheet.cells[row][column.column], blank_is_open))
            .collect();
        let mut values = vec![None; variables];
        for (column, said) in plan.columns.iter().zip(&said) {
            if let Said::Value(literal) = said {
                values[literal.var().index()] = Some(!literal.is_negated());
                for other in column.others(*literal).into_iter().filter(|other| other.var() != literal.var())
                {
                    values[other.var().index()] = Some(other.is_negated());
                }
            }
        }
        Row { sheet, plan, row, said, values }
    }

    fn holds(&self, literal: Lit) -> Option<bool> {
        self.values[literal.var().index()].map(|value| literal.holds(value))
    }

    /// Whether no way to fill in what is not known obeys the rule.
    pub fn breaks(&self, constraint: &Constraint) -> bool {
        if constraint.gate().is_some_and(|gate| self.holds(gate) != Some(true)) {
            return false;
        }
        let known = |wanted: Option<bool>| {
            constraint.literals().iter().filter(|l| self.holds(**l) == wanted).count() as u32
        };
        let (sum, open) = (known(Some(true)), known(None));
        !(sum..=sum + open).any(|sum| constraint.sums().contains(sum))
    }

    /// The same for a weighted sum.
    pub fn breaks_linear(&self, linear: &Linear) -> bool {
        let (mut least, mut most) = (0i128, 0i128);
        for (coefficient, literal) in &linear.terms {
            let coefficient = i128::from(*coefficient);
            match self.holds(*literal) {
                Some(true) => (least, most) = (least + coefficient, most + coefficient),
                Some(false) => {}
                None => (least, most) = (least + coefficient.min(0), most + coefficient.max(0)),
            }
        }
        linear.min.is_some_and(|min| most < i128::from(min))
            || linear.max.is_some_and(|max| least > i128::from(max))
    }

    /// The columns of the plan that are to blame for a rule that is broken: those whose value it counts, or all that it
    /// speaks of if it counts too few.
    pub fn blamed(&self, constraint: &Constraint) -> Vec<usize> {
        let gate = constraint.gate();
        let true_ones: Vec<Lit> =
            constraint.literals().iter().copied().filter(|l| self.holds(*l) == Some(true)).collect();
        let is_too_many = constraint.sums().greatest().is_some_and(|most| true_ones.len() as u32 > most);
        let of = |literals: &mut dyn Iterator<Item = Var>| -> Vec<usize> {
            let mut columns: Vec<usize> = literals.filter_map(|var| self.plan.column_of(var)).collect();
            columns.sort_unstable();
            columns.dedup();
            columns
        };
        match is_too_many {
            true => of(&mut true_ones.iter().copied().chain(gate).map(Lit::var)),
            false => of(&mut constraint.variables().chain(gate.map(Lit::var))),
        }
    }

    /// The columns that a weighted sum speaks of.
    pub fn blamed_linear(&self, linear: &Linear) -> Vec<usize> {
        let mut columns: Vec<usize> =
            linear.terms.iter().filter_map(|(_, literal)| self.plan.column_of(literal.var())).collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    /// The place of a column's cell in the sheet.
    pub fn place(&self, column: usize) -> Option<(usize, usize)> {
        let cell = &self.sheet.cells[self.row][self.plan.columns[column].column];
        cell.at
    }

    /// The name of a column's cell: `C5`, or `line 5` of a text; nothing for a cell that is not there.
    pub fn cell_name(&self, column: usize) -> String {
        match self.place(column) {
            Some((row, at)) if !self.sheet.grid.is_text() => format!("{}{}", letters(at), row + 1),
            Some((row, _)) => format!("line {}", self.sheet.grid.row_number(row)),
            None => "(no cell)".to_owned(),
        }
    }

    /// A cell and what it holds: `C5 (work[nurse 1, day 2]) is night`.
    pub fn cell_line(&self, column: usize) -> String {
        let of = &self.plan.columns[column];
        let word = match self.said[column] {
            Said::Value(literal) => of.word(literal),
            Said::Unknown => format!("{:?}", self.sheet.cells[self.row][of.column].raw),
            Said::Nothing => "empty".to_owned(),
        };
        format!("{} ({}) is {word}", self.cell_name(column), of.name)
    }

    /// A literal in words of cells: `C5 (work[nurse 1, day 2]) is night`.
    pub fn literal_line(&self, problem: &Problem, literal: Lit) -> String {
        match self.plan.column_of(literal.var()) {
            Some(column) => {
                let of: &PlanColumn = &self.plan.columns[column];
                format!("{} ({}) is {}", self.cell_name(column), of.name, of.word(literal))
            }
            None => format!("{} is true", problem.rules.variables().literal(literal)),
        }
    }

    /// A part of a conflict in words of cells.
    pub fn piece_line(&self, problem: &Problem, piece: Piece) -> String {
        match piece {
            Piece::Fixed(literal) => self.literal_line(problem, literal),
            other => crate::present::piece_line(problem, other),
        }
    }
}

/// What of the table and the rules fits nothing, in lines.
pub fn misfits(plan: &Plan, problem: &Problem) -> Vec<String> {
    let shown = |names: &[String]| {
        let mut line = names.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
        if names.len() > 5 {
            line += &format!(" and {} more", names.len() - 5);
        }
        line
    };
    let mut lines = Vec::new();
    if !plan.unknown.is_empty() {
        lines.push(format!(
            "{} that the rules do not know: {}",
            count(plan.unknown.len(), "column"),
            shown(&plan.unknown)
        ));
    }
    let spoken: std::collections::HashSet<Var> =
        problem.rules.constraints().flat_map(Constraint::variables).collect();
    let is_spoken = |name: &&String| {
        let variables = problem.rules.variables();
        let start = name.strip_suffix(']').map_or_else(|| format!("{name}["), |inside| format!("{inside}, "));
        spoken
            .iter()
            .any(|var| variables.name(*var) == name.as_str() || variables.name(*var).starts_with(&start))
    };
    let is_auxiliary = |name: &&String| name.starts_with(AUXILIARY);
    let absent: Vec<String> =
        plan.absent.iter().filter(|name| is_spoken(name) && !is_auxiliary(name)).cloned().collect();
    if !absent.is_empty() {
        lines.push(format!(
            "{} of the rules not in the table: {}",
            count(absent.len(), "column"),
            shown(&absent)
        ));
    }
    lines
}

/// What a file that is written is called, and whether it can be written so.
pub fn check_kind(path: &Path) -> anyhow::Result<bool> {
    match path.extension().and_then(|end| end.to_str()).map(str::to_ascii_lowercase).as_deref() {
        Some("xlsx") => Ok(true),
        Some("csv") => Ok(false),
        _ => anyhow::bail!("{}: a plan is written as .xlsx or .csv", path.display()),
    }
}

/// Writes sheets with their colours and comments.
pub fn write(
    destination: &Destination,
    is_workbook: bool,
    sheets: &[(String, &Grid, &Paint)],
    header: Option<usize>,
    title: &str,
) -> anyhow::Result<()> {
    let bytes = match is_workbook {
        true => workbook(sheets)?,
        false => {
            let Some((_, grid, paint)) = sheets.first() else { return Ok(()) };
            written_text(grid, paint, header, title)?
        }
    };
    destination.write(&bytes)
}
