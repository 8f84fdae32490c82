//! What is known of the variables in a query: fixed values, probabilities, costs.
//!
//! A CSV table has a line for each literal, a JSON object maps for each kind of evidence, and JSON Lines
//! one such object for each query:
//!
//! ```text
//! name,probability                     {"fix": {"a": true},
//! "cell[row 1, digit 3]",0.9            "probability": {"not b": 0.9},
//! "cell[row 1, digit 5]",0.1            "cost": {"c": 12}}
//! ```

use std::collections::{BTreeMap, HashMap, HashSet};

use anyhow::{Context, bail};
use preceptron_logic::{Lit, Problem, Sums, Var, Variables};
use preceptron_reason::{LEAST_PROBABILITY, Query};
use serde::Deserialize;

/// Probabilities that add up to 1 within this are those of one choice.
const ROUNDING: f64 = 0.01;

/// Evidence for one query.
#[derive(Default)]
pub struct Evidence {
    fixed: Vec<Lit>,
    probability: Vec<(Lit, f64)>,
    cost: Vec<(Lit, i64)>,
    seen: HashSet<(Kind, Var)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Fix,
    Probability,
    Cost,
}

/// The form of evidence in JSON.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Written {
    fix: BTreeMap<String, serde_json::Value>,
    probability: BTreeMap<String, serde_json::Value>,
    cost: BTreeMap<String, serde_json::Value>,
}

impl Evidence {
    /// Reads a table.
    pub fn from_csv(bytes: &[u8], variables: &Variables) -> anyhow::Result<Evidence> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut reader = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(bytes);
        let header = reader.headers().context("line 1")?.clone();
        let mut kinds = Vec::new();
        for column in &header {
            kinds.push(match column {
                "name" => None,
                "fix" => Some(Kind::Fix),
                "probability" => Some(Kind::Probability),
                "cost" => Some(Kind::Cost),
                other => bail!("line 1: the columns are name, and probability, cost or fix; not {other:?}"),
            });
        }
        let Some(name_at) = kinds.iter().position(Option::is_none) else {
            bail!("line 1: there is no column \"name\"");
        };
        let mut evidence = Evidence::default();
        for record in reader.records() {
            let record = record.map_err(|error| match error.position() {
                Some(position) => anyhow::anyhow!("line {}: is not valid UTF-8", position.line()),
                None => error.into(),
            })?;
            let line = record.position().map_or(0, csv::Position::line);
            if record.len() != kinds.len() {
                bail!(
                    "line {line}: {} fields where the header has {}; a name with a comma stands in quotes",
                    record.len(),
                    kinds.len()
                );
            }
            for (&kind, text) in kinds.iter().zip(&record) {
                if let Some(kind) = kind.filter(|_| !text.is_empty()) {
                    let added = evidence.add(variables, kind, &record[name_at], text);
                    added.with_context(|| format!("line {line}"))?;
                }
            }
        }
        Ok(evidence)
    }

    /// Reads a JSON object.
    pub fn from_json(bytes: &[u8], variables: &Variables) -> anyhow::Result<Evidence> {
        let written: Written = serde_json::from_slice(bytes).map_err(|error| match error.line() {
            // In a file of many lines this is not the first one.
            1 => {
                let text = error.to_string();
                let what = text.split(" at line ").next().unwrap_or(&text);
                anyhow::anyhow!("column {}: {what}", error.column())
            }
            _ => error.into(),
        })?;
        let mut evidence = Evidence::default();
        let kinds = [
            (Kind::Fix, &written.fix),
            (Kind::Probability, &written.probability),
            (Kind::Cost, &written.cost),
        ];
        for (kind, map) in kinds {
            for (name, value) in map {
                // Text that says the same is as good: "1" for 1.
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                evidence.add(variables, kind, name, &text)?;
            }
        }
        Ok(evidence)
    }

    fn add(&mut self, variables: &Variables, kind: Kind, name: &str, text: &str) -> anyhow::Result<()> {
        let literal = find(variables, name)?;
        if !self.seen.insert((kind, literal.var())) {
            bail!("{:?} comes a second time", variables.name(literal.var()));
        }
        match kind {
            Kind::Fix => {
                let value =
                    truth(text).with_context(|| format!("{name:?}: expected 0 or 1, found {text:?}"))?;
                self.fixed.push(if value { literal } else { !literal });
            }
            Kind::Probability => match text.parse::<f64>() {
                Ok(probability) if (0.0..=1.0).contains(&probability) => {
                    self.probability.push((literal, probability));
                }
                _ => bail!("{name:?}: expected a probability from 0 to 1, found {text:?}"),
            },
            Kind::Cost => match text.parse() {
                Ok(cost) => self.cost.push((literal, cost)),
                Err(_) => bail!("{name:?}: expected a cost, which is a whole number, found {text:?}"),
            },
        }
        Ok(())
    }

    /// Adds the evidence to a query.
    ///
    /// Literals of which the encoding or a rule makes exactly one true are one choice if their
    /// probabilities add up to 1. Any other probability is that of its literal by itself. Returns how many of the
    /// probabilities were so small, or so near to 1, that [`LEAST_PROBABILITY`] is taken in their place: what was
    /// read is never impossible.
    pub fn add_to(&self, choices: &Choices, query: &mut Query) -> anyhow::Result<usize> {
        query.fixed.extend(&self.fixed);
        let listed: HashMap<Lit, f64> = self.probability.iter().copied().collect();
        let of =
            |group: &[Lit]| -> Vec<f64> { group.iter().filter_map(|l| listed.get(l).copied()).collect() };
        let is_choice = |group: &[Lit]| {
            let known = of(group);
            known.len() > 1 && (known.iter().sum::<f64>() - 1.0).abs() <= ROUNDING
        };
        let (chosen, taken) = choices.taken(listed.keys().copied(), is_choice);
        let is_raised = |&&(literal, probability): &&(Lit, f64)| {
            probability < LEAST_PROBABILITY
                || (!taken.contains(&literal) && 1.0 - probability < LEAST_PROBABILITY)
        };
        let raised = self.probability.iter().filter(is_raised).count();
        for choice in chosen {
            query.add_reading(choice.into_iter().map(|l| (l, listed.get(&l).copied().unwrap_or(0.0))))?;
        }
        for &(literal, probability) in self.probability.iter().filter(|(literal, _)| !taken.contains(literal))
        {
            query.add_reading([(literal, probability), (!literal, 1.0 - probability)])?;
        }
        // Costs add up whether they are told as one choice or one by one.
        let listed: HashMap<Lit, i64> = self.cost.iter().copied().collect();
        let is_listed = |group: &[Lit]| group.len() > 1 && group.iter().all(|l| listed.contains_key(l));
        let (chosen, taken) = choices.taken(listed.keys().copied(), is_listed);
        query
            .groups
            .extend(chosen.into_iter().map(|choice| choice.into_iter().map(|l| (l, listed[&l])).collect()));
        query.costs.extend(self.cost.iter().filter(|(literal, _)| !taken.contains(literal)));
        Ok(raised)
    }
}

/// The groups of literals of which exactly one is true, by the encoding or else by a rule: looked up once for
/// all queries.
pub struct Choices {
    groups: Vec<Vec<Lit>>,
    /// The groups that a literal is in.
    of_literal: HashMap<Lit, Vec<u32>>,
}

impl Choices {
    /// Those of a problem.
    pub fn of(problem: &Problem) -> Choices {
        let encoded = problem.rules.variables().one_hot_groups();
        let encoded = encoded.into_iter().map(|group| group.into_iter().map(Var::positive).collect());
        let is_one = Sums::exactly(1);
        let rules =
            problem.rules.constraints().filter(|rule| rule.gate().is_none() && *rule.sums() == is_one);
        let groups: Vec<Vec<Lit>> = encoded.chain(rules.map(|rule| rule.literals().to_vec())).collect();
        let mut of_literal: HashMap<Lit, Vec<u32>> = HashMap::new();
        for (number, group) in (0..).zip(&groups) {
            group.iter().for_each(|&literal| of_literal.entry(literal).or_default().push(number));
        }
        Choices { groups, of_literal }
    }

    /// The groups with some of these literals that `is_choice` takes and that share no literal; and all their
    /// literals.
    fn taken(
        &self,
        listed: impl Iterator<Item = Lit>,
        is_choice: impl Fn(&[Lit]) -> bool,
    ) -> (Vec<Vec<Lit>>, HashSet<Lit>) {
        let mut numbers: Vec<u32> =
            listed.flat_map(|literal| self.of_literal.get(&literal)).flatten().copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        let (mut chosen, mut taken) = (Vec::new(), HashSet::new());
        for group in numbers.into_iter().map(|number| &self.groups[number as usize]) {
            if is_choice(group) && !group.iter().any(|literal| taken.contains(literal)) {
                taken.extend(group.iter().copied());
                chosen.push(group.clone());
            }
        }
        (chosen, taken)
    }
}

/// The literal with this name.
pub fn find(variables: &Variables, name: &str) -> anyhow::Result<Lit> {
    variables.find_literal(name).with_context(|| {
        let known: Vec<&str> = variables.names().iter().take(3).map(String::as_str).collect();
        let more = if variables.len() > known.len() { "; ..." } else { "" };
        format!("there is no variable {name:?}; there are {}{more}", known.join("; "))
    })
}

/// A truth value as people write it.
pub fn truth(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "0" | "false" => Some(false),
        "1" | "true" => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::{Constraint, Rule, RuleSet};

    /// Two cells with two digits each; digits differ. Only the first cell's rule is known from the encoding.
    fn problem() -> Problem {
        let mut variables = Variables::block("cell", &[("column", 1..=2), ("digit", 1..=2)]);
        variables.set_one_hot("cell", "digit").unwrap();
        let pair =
            |a: u32, b: u32| Rule::given(Constraint::exactly(1, [Var(a).positive(), Var(b).positive()]));
        RuleSet::with_rules(variables, [pair(0, 2), pair(1, 3)]).into()
    }

    fn query(table: &str) -> Query {
        let problem = problem();
        let mut query = Query::default();
        let evidence = Evidence::from_csv(table.as_bytes(), problem.rules.variables()).unwrap();
        evidence.add_to(&Choices::of(&problem), &mut query).unwrap();
        query
    }

    #[test]
    fn probabilities_of_one_choice_are_one_reading() {
        let names = [(1, 1), (1, 2), (2, 1), (2, 2)].map(|(c, d)| format!("\"cell[column {c}, digit {d}]\""));
        let [a, b, c, d] = [0, 1, 2, 3].map(|v| Var(v).positive());
        let all = query(&format!("name,probability\n{},0.5\n{},0.5\n{},0.9\n", names[0], names[1], names[3]));
        // The second cell has one probability, which stands by itself.
        assert_eq!(all.groups, [vec![(a, 0), (b, 0)], vec![(d, 0), (!d, 2198)]]);
        // Where the encoding's groups do not add up, a rule's may.
        let across = query(&format!("name,probability\n{},0.2\n{},0.8\n", names[0], names[2]));
        assert_eq!(across.groups, [[(a, 1386), (c, 0)]]);
        let negated = names[2].replacen('"', "\"not ", 1);
        let costs = query(&format!("name,cost\n{},7\n{},3\n{negated},-2\n", names[0], names[1]));
        assert_eq!((costs.groups, costs.costs), (vec![vec![(a, 7), (b, 3)]], vec![(!c, -2)]));
    }

    #[test]
    fn probabilities_that_are_raised_are_counted() {
        let raised = |table: &str| {
            let problem = problem();
            let evidence = Evidence::from_csv(table.as_bytes(), problem.rules.variables()).unwrap();
            evidence.add_to(&Choices::of(&problem), &mut Query::default()).unwrap()
        };
        let [a, b] = ["\"cell[column 1, digit 1]\"", "\"cell[column 1, digit 2]\""];
        assert_eq!(raised(&format!("name,probability\n{a},0.5\n{b},0.5\n")), 0);
        // Of one choice it is the 0 that is raised; by itself a 1 leaves a 0 for its negation.
        assert_eq!(raised(&format!("name,probability\n{a},1\n{b},0\n")), 1);
        assert_eq!(raised(&format!("name,probability\n{a},1\n")), 1);
        assert_eq!(raised(&format!("name,probability\n{a},1e-12\n{b},1e-8\n")), 1);
    }

    #[test]
    fn errors_say_where_and_what() {
        let problem = problem();
        let variables = Variables::from_names(["a", "b", "c", "d"]).unwrap();
        let tables = [
            "nane,cost\n",
            "cost\n",
            "name,cost\na,1\ne,1\n",
            "name,cost\na,1\na,2\n",
            "name,cost\na,1.5\n",
            "name,probability\na,1.5\n",
            "name,fix\na,yes\n",
            "name,cost\na[x 1, y 2],3\n",
        ];
        let mut messages: Vec<String> = tables
            .iter()
            .map(|table| Evidence::from_csv(table.as_bytes(), &variables).err().unwrap())
            .map(|error| format!("{error:#}"))
            .collect();
        for text in ["{\"fix\": {\"a\": 2}}", "{\"costs\": {}}", "[", "{\"cost\": {\"cell\": 1}}"] {
            let error = Evidence::from_json(text.as_bytes(), problem.rules.variables()).err().unwrap();
            messages.push(format!("{error:#}"));
        }
        insta::assert_snapshot!(messages.join("\n"), @r#"
        line 1: the columns are name, and probability, cost or fix; not "nane"
        line 1: there is no column "name"
        line 3: there is no variable "e"; there are a; b; c; ...
        line 3: "a" comes a second time
        line 2: "a": expected a cost, which is a whole number, found "1.5"
        line 2: "a": expected a probability from 0 to 1, found "1.5"
        line 2: "a": expected 0 or 1, found "yes"
        line 2: 3 fields where the header has 2; a name with a comma stands in quotes
        there is no variable "a"; there are cell[column 1, digit 1]; cell[column 1, digit 2]; cell[column 2, digit 1]; ...
        column 8: unknown field `costs`, expected one of `fix`, `probability`, `cost`
        column 1: EOF while parsing a list
        there is no variable "cell"; there are cell[column 1, digit 1]; cell[column 1, digit 2]; cell[column 2, digit 1]; ...
        "#);
    }
}
