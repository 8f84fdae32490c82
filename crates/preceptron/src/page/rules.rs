//! The rules of a run in families, each with one of its rules drawn if the task can draw it.

use preceptron_logic::{Constraint, Family, Origin, RuleSet, evidence_line, lift, sentence};

use super::{Block, Drawing, Section};
use crate::words::count;

/// Families are shown up to this number.
const SHOWN: usize = 24;

/// The section about rules. `draw` draws one rule as SVG, with its sentence as the label.
pub fn rules_section(rules: &RuleSet, remark: &str, draw: impl Fn(&Constraint, &str) -> String) -> Section {
    let families = lift(rules);
    let drawing = |family: &Family| {
        // One from the middle stands off the edge, where rows, columns and boxes look alike.
        let rule = &rules.rules()[family.members[family.members.len() / 2]];
        let instance = sentence(rules.variables(), &rule.constraint);
        let missing = match family.missing().len() {
            0 => String::new(),
            places => format!("; at {places} places it could be and is not"),
        };
        let mut notes = vec![match &rule.origin {
            Origin::Encoding => "from the encoding".to_owned(),
            Origin::Given => "given".to_owned(),
            Origin::Learned { .. } => evidence_line(&rule.evidence),
        }];
        let all = family.rule.evidence;
        if all.examples > 0 {
            notes.push(format!(
                "The family together: {} times seen, {} satisfied, {} violated.",
                all.examples, all.satisfied, all.violated
            ));
        }
        Drawing {
            svg: draw(&rule.constraint, &instance),
            title: family.to_string(),
            remarks: vec![format!("{}{missing}. Shown: {instance}.", count(family.members.len(), "rule"))],
            notes,
            ..Drawing::default()
        }
    };
    let drawn: Vec<Drawing> = families.iter().take(SHOWN).map(drawing).collect();
    let others = families.len() - drawn.len();
    let mut blocks = vec![Block::Text(format!("{}. {remark}", count(rules.len(), "rule")).trim().to_owned())];
    if !drawn.is_empty() {
        blocks.push(Block::Drawings(drawn));
    }
    if others > 0 {
        let families = if others == 1 { "family or single rule" } else { "families or single rules" };
        blocks.push(Block::Text(format!("And {others} more {families}; precept rules lists them.")));
    }
    Section::new("The rules", blocks)
}
