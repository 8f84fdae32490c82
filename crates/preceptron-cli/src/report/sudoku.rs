//! The page about a run of visual Sudoku.

use anyhow::Context;
use minijinja::context;
use preceptron::Run;
use preceptron_tasks::sudoku::{Decoding, true_rules};

use super::{Input, curves, gallery, keep, name, percent, render, rules, settings_table};
use crate::present::sudoku::name as decoding_name;

/// Writes the page into the run's directory.
pub fn write(run: &Run, input: &Input<'_>) -> anyhow::Result<()> {
    keep(run, page(run, input))
}

fn page(run: &Run, input: &Input<'_>) -> anyhow::Result<String> {
    let Input { judgement, .. } = input;
    let order = input.puzzles.first().context("there are no boards")?.solution.order();
    let solved = judgement.solved.iter().map(|solved| {
        let paper = input.paper.as_deref().filter(|_| solved.decoding == Decoding::Pinned);
        context! {
            name => decoding_name(solved.decoding), paper, boards => solved.boards,
            share => percent(solved.boards, judgement.boards, 1),
            cells => percent(solved.cells, order.pow(4) * judgement.boards, 2),
            milliseconds => format!("{:.2}", 1e3 * solved.seconds),
        }
    });
    let reference = true_rules(order);
    let comparison = input.rules.compare(&reference);
    let (families, other_families) = rules::families(input.rules, order)?;
    render(
        include_str!("sudoku.html"),
        context! {
            name => name(run),
            interrupted => input.interrupted,
            rules => context! {
                all => input.rules.len(), expected => reference.len(), found => comparison.equal.len(),
                missing => comparison.missing.len(), spurious => comparison.extra.len(),
                rank => input.rules.rank(), families, other_families,
            },
            boards => judgement.boards,
            digits_read => percent(judgement.givens_read, judgement.givens, 2),
            boards_read => percent(judgement.boards_read, judgement.boards, 1),
            givens => judgement.givens,
            givens_read => judgement.givens_read,
            solved => solved.collect::<Vec<_>>(),
            leans_on => input.leans_on,
            panels => curves::panels(&run.measurements()?),
            outcomes => gallery::outcomes(judgement, input.scenes, input.puzzles)?,
            settings => settings_table::rows(&input.settings),
            commands => input.commands,
            trained_by => run.program(),
            program => concat!("precept ", env!("CARGO_PKG_VERSION")),
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_base::Quiet;
    use preceptron_perceive::{Classifier, Network, Settings};
    use preceptron_tasks::mnist::Mnist;
    use preceptron_tasks::sudoku::{self, Judge};
    use serde_json::json;

    /// A run of order 2 whose network has seen nothing, with names that would break a page.
    #[test]
    fn a_page_of_a_small_run() {
        let directory = tempfile::tempdir().unwrap();
        let run =
            Run::create(&directory.path().join("<a> & b"), "sudoku", &json!({"seed": 1}), false).unwrap();
        std::fs::write(
            run.path().join("metrics.jsonl"),
            "{\"step\":1,\"loss\":2.5}\n{\"step\":2,\"loss\":0.5}\n",
        )
        .unwrap();
        let grids = sudoku::generate(2, 30, 1);
        let puzzles = sudoku::with_givens(&grids, 8..=10, 1);
        let scenes = sudoku::scenes(2, &puzzles, &Mnist::embedded().test, 1).unwrap();
        let classifier = Classifier::new(Network::lenet(4).unwrap(), Settings::default(), 1).unwrap();
        let rules = sudoku::true_rules(2);
        let decodings = [Decoding::Likeliest, Decoding::Pinned];
        let judge = Judge {
            scenes: &scenes,
            puzzles: &puzzles,
            perception: &classifier,
            views: preceptron::Views::One,
            rules: &rules,
            decodings: &decodings,
            confidence_at: None,
            threads: 1,
        };
        let judgement = judge.judge(&Quiet).unwrap();
        let input = Input {
            settings: json!({"seed": 1, "place": "<script>", "inner": {"rate": 0.5f32}}),
            judgement: &judgement,
            scenes: &scenes,
            puzzles: &puzzles,
            rules: &rules,
            commands: vec!["precept train '<out>'".into()],
            interrupted: true,
            leans_on: vec!["\"quotes\" & <i>".into()],
            paper: Some("95.5% <SATNet>".into()),
        };
        write(&run, &input).unwrap();
        let page = std::fs::read_to_string(run.path().join("report.html")).unwrap();
        for raw in ["<script", "<out>", "<i>", "<a>", "<SATNet>"] {
            assert!(!page.contains(raw), "{raw}");
        }
        for text in
            ["&lt;script&gt;", "&lt;a&gt; &amp; b", "inner.rate", "interrupted", "95.5% &lt;SATNet&gt;"]
        {
            assert!(page.contains(text), "{text}");
        }
        // Four families are drawn, and boards up to the most of each outcome; a network that has seen
        // nothing reads most boards wrong.
        let boards = page.matches("class=\"board\"").count();
        assert!((4 + 12..=4 + 12 + 6 + 6).contains(&boards), "{boards}");
        assert_eq!(page.matches("class=\"chart\"").count(), 1);
        let pictures = page.matches("href=\"data:image/png").count();
        assert!(pictures >= 12 * 8, "{pictures}");
        assert!(!page.contains("http://") && !page.contains("https://"));
        for tag in ["svg", "figure", "section", "table", "tr", "td", "div", "p", "text", "ul", "li"] {
            let (open, closed) = (format!("<{tag}"), format!("</{tag}>"));
            let opened = page.match_indices(&open).filter(|(at, _)| {
                page[at + open.len()..].starts_with(|c: char| c == '>' || c.is_whitespace())
            });
            assert_eq!(opened.count(), page.matches(&closed).count(), "{tag}");
        }
    }
}
