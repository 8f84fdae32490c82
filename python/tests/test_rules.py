"""Rules as objects."""

from __future__ import annotations

import pickle
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import preceptron
from preceptron import RuleSet


def latin(size: int = 3) -> RuleSet:
    names = preceptron.names("cell", row=size, column=size, digit=size)
    at = {name: name for name in names}
    span = range(1, size + 1)

    def cell(r: int, c: int, d: int) -> str:
        return at[f"cell[row {r}, column {c}, digit {d}]"]

    groups = [[cell(r, c, d) for d in span] for r, c in product(span, span)]
    groups += [[cell(r, c, d) for c in span] for r, d in product(span, span)]
    groups += [[cell(r, c, d) for r in span] for c, d in product(span, span)]
    return RuleSet.of(names, [{"literals": group, "sums": 1} for group in groups])


def test_rules_are_a_sequence() -> None:
    rules = latin()
    assert len(rules) == 27 and len(list(rules)) == 27
    assert len(rules[:9]) == 9 and isinstance(rules[:9], RuleSet)
    assert rules[0].text == "exactly 1 of cell[row 1, column 1, digit *]"
    assert rules.find(rules[3].id[:8]) == rules[3]
    assert len(rules.families) == 3
    assert rules.families[0].expected == 9 and not rules.families[0].missing
    assert "for every row and column" in str(rules)
    assert rules.filter(lambda rule: "row 1," in rule.text) != rules
    assert rules.rank == rules.equality_rank == 19
    assert "Given, not learned." in rules.explain(0)


def test_a_file_by_hand_needs_no_ids(tmp_path: Path) -> None:
    file = tmp_path / "rules.json"
    file.write_text(
        '{"format": "precept rules", "version": 1, "variables": {"names": ["a", "b"]},'
        ' "rules": [{"literals": [1, -2], "sums": {"range": [1, 2]}}]}'
    )
    assert str(RuleSet.read(file)) == "if b then a"


@pytest.mark.parametrize("format", ["json", "opb", "wcnf", "cnf", "smt2", "mzn", "lp"])
def test_formats_come_back(format: str, tmp_path: Path) -> None:
    rules = latin(2)
    file = tmp_path / f"rules.{format}"
    rules.write(file)
    read = RuleSet.read(file)
    if format not in ("cnf", "wcnf"):
        assert read.compare(rules)
    assert RuleSet.parse(rules.to_text(format), format).certify(rules)


def test_pickled() -> None:
    rules = latin()
    assert pickle.loads(pickle.dumps(rules)) == rules
    learned = preceptron.learn({"a": [1, 0] * 30, "b": [0, 1] * 30})
    again = pickle.loads(pickle.dumps(learned))
    assert again == learned and again.sentences == learned.sentences
    reasoner = pickle.loads(pickle.dumps(rules.reasoner()))
    assert reasoner.solve().status == "optimal"


def test_compared_and_certified() -> None:
    rules = latin()
    fewer = rules[1:]
    comparison = fewer.compare(rules)
    assert not comparison and comparison.missing == (rules[0].text,) and len(comparison.equal) == 26
    assert rules.certify(fewer) and rules.certify(rules).is_complete
    certificate = rules.certify(rules[9:])
    assert not certificate and len(certificate.extra) == 9
    witness = certificate.extra[0]
    assert not rules.holds({name: name in witness.true for name in rules.names})
    assert rules[9:].holds({name: name in witness.true for name in rules.names})
    assert len(rules.redundant()) == 8


def test_violations_are_where_they_are() -> None:
    rules = RuleSet.of(
        ["a", "b", "c"],
        [{"literals": ["a", "b"], "sums": 1}, {"literals": ["c"], "sums": 1, "gate": "a"}, {"literals": ["a", "not c"], "min": 1}],
    )
    rows = [dict(zip("abc", values)) for values in product([0, 1, None], repeat=3)] * 5
    found = rules.violations(rows)
    for rule, violated in zip(rules, found.rows):
        for at, row in enumerate(rows):
            names = [name for name in "abc" if row[name] is None]
            completions = [{**row, **dict(zip(names, values))} for values in product([0, 1], repeat=len(names))]

            def holds(row: dict[str, int | None]) -> bool:
                true = [bool(row[n[4:]]) is False if n.startswith("not ") else bool(row[n]) for n in rule.literals]
                return (rule.gate is not None and not row[rule.gate]) or sum(true) in rule.sums

            assert (at in violated) == (not any(map(holds, completions))), (rule.text, row)
    assert sum(found.per_row()) == len(found) == len(found.to_pandas())


def test_drawn_for_a_notebook() -> None:
    html = latin()._repr_html_()
    assert "prefers-color-scheme:dark" in html and html.count("<tr>") >= 4
    evil = RuleSet.of(["<script>alert(1)</script>", "b & c"], [{"literals": [1, 2], "sums": 1}])
    html = evil._repr_html_()
    assert "<script>" not in html and "b &amp; c" in html
    learned = preceptron.learn({"<b>": [1, 0] * 30, "b": [0, 1] * 30})
    assert "<b>:" not in learned._repr_html_() and "&lt;b&gt;" in learned._repr_html_()
    for tag in ("table", "tr", "td", "div", "p", "details", "pre"):
        assert html.count(f"<{tag}>") + html.count(f"<{tag} ") == html.count(f"</{tag}>"), tag


def test_given_rules_are_kept(tmp_path: Path) -> None:
    table = {"a": [1, 0, 0] * 20, "b": [0, 1, 0] * 20, "c": [0, 0, 1] * 20}
    known = preceptron.learn(table)
    file = tmp_path / "given.opb"
    known.write(file)
    for given in (known, file):
        learned = preceptron.learn(table, given=given)
        assert [rule.origin for rule in learned] == ["given"]
        assert not learned.is_found
    assert preceptron.learn(table, given=known).notes["given"] == known.notes["source"]


def test_settings_reach_the_learner() -> None:
    table = {"a": [1, 0] * 30, "b": [0, 1] * 30}
    learned = preceptron.learn(table, seed=7, false_alarm=0.01, bound="1..2", form="global")
    assert '"seed":7' in learned.notes["settings"] and '"sweep":[1,2]' in learned.notes["settings"]
    assert preceptron.learn(table, threads=1) == preceptron.learn(table, threads=2)


def test_progress_is_told() -> None:
    told: list[tuple[str, int, int, str]] = []
    random = __import__("random").Random(1)
    table = {f"x{at}": [random.random() < 0.5 for _ in range(4000)] for at in range(60)}
    preceptron.learn(table, progress=lambda *parts: told.append(parts))
    assert all(isinstance(stage, str) and done <= max(total, done) for stage, done, total, _ in told)

    def refuse(*_: object) -> None:
        raise RuntimeError("enough")

    # Many columns that few hidden ones make: a search that lasts.
    draw = np.random.default_rng(0)
    hidden, which = draw.random((20000, 5)) < 0.5, draw.integers(0, 5, (200, 3))
    long = hidden[:, which[:, 0]] & hidden[:, which[:, 1]] | (hidden[:, which[:, 2]] & (draw.random((20000, 200)) < 0.7))
    with pytest.raises(RuntimeError, match="enough"):
        preceptron.learn(long, progress=refuse)
