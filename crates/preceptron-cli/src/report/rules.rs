//! The rules in families, each with one of its rules drawn on a board.

use std::collections::BTreeMap;

use preceptron_logic::{Constraint, Lit, Origin, RuleSet, evidence_line, lift, sentence};
use preceptron_tasks::sudoku::{side, variables_with_box};
use serde::Serialize;

use super::board::Board;

/// Families are drawn up to this number.
const SHOWN: usize = 24;

/// Rules that say the same at different places.
#[derive(Debug, Serialize)]
pub struct Drawn {
    pub sentence: String,
    pub rules: usize,
    /// Places where the rule could be and is not.
    pub missing: usize,
    pub svg: String,
    /// The rule that is drawn.
    pub instance: String,
    /// Where it comes from or what examples say of it.
    pub remark: String,
    /// What examples say, summed over the family.
    pub examples: u64,
    pub satisfied: u64,
    pub violated: u64,
}

/// The families to draw, and how many others there are. Boxes are named for the reader.
pub fn families(rules: &RuleSet, order: usize) -> anyhow::Result<(Vec<Drawn>, usize)> {
    let rules = rules.over(&variables_with_box(order))?;
    let families = lift(&rules);
    let draw = |family: &preceptron_logic::Family| {
        // One from the middle stands off the edge, where rows, columns and boxes look alike.
        let rule = &rules.rules()[family.members[family.members.len() / 2]];
        let instance = sentence(rules.variables(), &rule.constraint);
        let remark = match &rule.origin {
            Origin::Encoding => "from the encoding".to_owned(),
            Origin::Given => "given".to_owned(),
            Origin::Learned { .. } => evidence_line(&rule.evidence),
        };
        Drawn {
            sentence: family.to_string(),
            rules: family.members.len(),
            missing: family.rule.exceptions.len(),
            svg: board(order, &rule.constraint).svg(&instance),
            instance,
            remark,
            examples: family.rule.evidence.examples,
            satisfied: family.rule.evidence.satisfied,
            violated: family.rule.evidence.violated,
        }
    };
    let drawn: Vec<Drawn> = families.iter().take(SHOWN).map(draw).collect();
    let others = families.len() - drawn.len();
    Ok((drawn, others))
}

/// The cells of a rule with the digits that it counts.
fn board(order: usize, constraint: &Constraint) -> Board {
    let side = side(order);
    let place = |literal: Lit| (literal.var().index() / side, literal.var().index() % side + 1);
    let name = |literal: Lit| format!("{}{}", if literal.is_negated() { "¬" } else { "" }, place(literal).1);
    let mut cells: BTreeMap<usize, Vec<(usize, String)>> = BTreeMap::new();
    for &literal in constraint.literals() {
        cells.entry(place(literal).0).or_default().push((place(literal).1, name(literal)));
    }
    let mut board = Board::new(order);
    for (&cell, digits) in &cells {
        board.tile(cell, "fill counted");
        match &digits[..] {
            [(_, text)] => board.text(cell, text, "counted"),
            _ => board.pencil(cell, digits, "counted"),
        }
    }
    if let Some(gate) = constraint.gate() {
        board.tile(place(gate).0, "frame repaired");
        board.note(place(gate).0, &name(gate), "repaired");
    }
    board
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_tasks::sudoku::{true_rules, variable};

    #[test]
    fn the_rules_of_sudoku_are_four_families() {
        for order in [2, 3] {
            let (families, others) = families(&true_rules(order), order).unwrap();
            assert_eq!((families.len(), others), (4, 0));
            for family in families {
                assert_eq!((family.rules, family.missing), (order.pow(4), 0), "{}", family.sentence);
                assert_eq!(family.svg.matches("class=\"counted\"").count(), order * order);
                assert_eq!(family.remark, "given");
            }
        }
    }

    #[test]
    fn negations_and_gates_are_shown() {
        let of = |column, digit| variable(2, 0, column, digit);
        let literals = [of(0, 1).negative(), of(1, 3).positive(), of(2, 2).positive()];
        let rule = Constraint::clause(literals).gated(variable(2, 3, 3, 4).positive());
        let svg = board(2, &rule).svg("");
        assert!(svg.contains(">¬1<") && svg.contains(">3<") && svg.contains(">4<"), "{svg}");
        assert_eq!(svg.matches("fill counted").count(), 3);
    }
}
