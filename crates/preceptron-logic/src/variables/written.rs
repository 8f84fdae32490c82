//! Variables in files.

use serde::{Deserialize, Serialize};

use super::Variables;
use crate::ExpressionError;

/// The form of [`Variables`] in files.
#[derive(Serialize, Deserialize)]
pub(super) struct Written {
    names: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    derived: Vec<WrittenDerived>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    one_hot: Vec<WrittenOneHot>,
}

#[derive(Serialize, Deserialize)]
struct WrittenDerived {
    axis: String,
    expression: String,
}

#[derive(Serialize, Deserialize)]
struct WrittenOneHot {
    block: String,
    axis: String,
}

impl From<Variables> for Written {
    fn from(variables: Variables) -> Written {
        let derived = variables.derivations.into_iter();
        let derived =
            derived.map(|(axis, expression)| WrittenDerived { axis, expression: expression.to_string() });
        let one_hot = variables.blocks.iter().filter_map(|block| {
            let axis = block.axes[block.one_hot?].name.clone();
            Some(WrittenOneHot { block: block.name.clone(), axis })
        });
        Written { names: variables.names, derived: derived.collect(), one_hot: one_hot.collect() }
    }
}

impl TryFrom<Written> for Variables {
    type Error = String;
    fn try_from(written: Written) -> Result<Variables, String> {
        let mut variables = Variables::from_names(written.names).map_err(|e| e.to_string())?;
        for derived in written.derived {
            let expression = derived.expression.parse().map_err(|e: ExpressionError| e.to_string())?;
            variables.derive(&derived.axis, &expression).map_err(|e| e.to_string())?;
        }
        for one_hot in written.one_hot {
            variables.set_one_hot(&one_hot.block, &one_hot.axis).map_err(|e| e.to_string())?;
        }
        Ok(variables)
    }
}
