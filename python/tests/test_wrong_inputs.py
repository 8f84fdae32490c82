"""What is wrong says what and where; nothing panics."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import preceptron
from preceptron import Grounder, PreceptronError, Reasoner, RuleSet, Run, learn
from test_rules import latin

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")

GOOD = {"a": [1, 0] * 10, "b": [0, 1] * 10}
READ = np.full((2, 9, 3), 1 / 3)


def reasoner() -> Reasoner:
    return Reasoner(latin())


def nan_in_a_row() -> np.ndarray:
    read = READ.copy()
    read[1, 4, 2] = np.nan
    return read


def too_sure() -> np.ndarray:
    read = READ.copy()
    read[0, 3, 1] = 1.5
    return read


WRONG: list[tuple[Callable[[], Any], str]] = [
    (lambda: learn("nowhere.csv"), "nowhere.csv: no such file"),
    (lambda: learn(np.zeros(7)), "has the shape 7; a table has rows and columns"),
    (lambda: learn(np.zeros((0, 3))), "has a header and no rows"),
    (lambda: learn(np.zeros((3, 0))), "has no columns"),
    (lambda: learn(np.zeros((3, 2), dtype=complex)), "column x1: has values of type complex128"),
    (lambda: learn(pandas.DataFrame({"a": range(100)})), "column a: has more than 64 different values"),
    (lambda: learn(pandas.DataFrame({"a": [1, 0], "b": [[1], [2]]})), "a cell holds a list"),
    (lambda: learn(pandas.DataFrame([[1, 2]], columns=["a", "a"])), "column 2 has the same name as column 1"),
    (lambda: learn(pandas.Series([1, 0])), "pandas.Series: is not a table"),
    (lambda: learn(polars.DataFrame({"a": [1, 0]}).lazy()), r"\.collect\(\) makes it a frame"),
    (lambda: learn(polars.DataFrame({"a": [[1], [0]]})), "column a: is of Arrow's type"),
    (lambda: learn(pyarrow.table({"a": pyarrow.array([1, 0], pyarrow.timestamp("s"))})), "cast it to one of these"),
    (lambda: learn({"a": [1, 0], "b": [1]}), "column b: has 1 cells where the first column has 2"),
    (lambda: learn([[1, 0], [1]]), "rows differ in length"),
    (lambda: learn(GOOD, binary=True, given="nothing.opb"), "nothing.opb: no such file"),
    (lambda: learn({"a": ["x", "y"]}, binary=True), "row 1, column a: \"x\" is not 0 or 1"),
    (lambda: learn(GOOD, threshold=2), "threshold = 2 is out of range: above 0.5, to 1"),
    (lambda: learn(GOOD, treshold=1), "there is no setting `treshold`"),
    (lambda: learn(GOOD, seed="x"), "invalid type: string"),
    (lambda: learn(GOOD, ignore="c"), 'no column is named "c", which is to be ignored'),
    (lambda: learn(GOOD, derive={"d": "1 +"}), "."),
    (lambda: learn(np.zeros((3, 2)), names=["a"]), "has 2 columns, but 1 names were given"),
    (lambda: RuleSet.parse("{}"), 'the field "format" is ""'),
    (lambda: RuleSet.parse("p cnf", "cnf"), "line 1"),
    (lambda: RuleSet.parse("x", "docx"), 'there is no format "docx"'),
    (lambda: RuleSet.of(["a"], [{"literals": ["b"], "sums": 1}]), "there is no variable 'b'"),
    (lambda: RuleSet.of(["a"], [{"literals": [1, 1], "sums": 1}]), "literal 1 is counted twice"),
    (lambda: RuleSet.of(["a", "a"]), "given twice"),
    (lambda: latin().find("zz"), "no rules' ids begin with 'zz'"),
    (lambda: latin().violations(GOOD), "which is not among the variables"),
    (lambda: latin().certify("rules.json"), "expected rules, not str"),  # type: ignore[arg-type]
    (lambda: reasoner().solve(["cell"]), 'there is no variable "cell"; there are 27 such as'),
    (lambda: reasoner().solve([28]), "28 is no literal over 27 variables"),
    (lambda: reasoner().solve({1: 2}), "expected 0 or 1, found 2"),  # type: ignore[dict-item]
    (lambda: reasoner().solve([1.5]), "1.5 names no variable"),  # type: ignore[list-item]
    (lambda: reasoner().solve(probabilities={1: 1.5}), "expected a probability from 0 to 1, found 1.5"),
    (lambda: reasoner().solve(costs={1: 0.5}), "expected a cost, which is a whole number"),  # type: ignore[dict-item]
    (lambda: reasoner().solve(time=-1), "time = -1: expected a number of seconds"),
    (lambda: Reasoner(latin(), "magic"), "no backend magic"),
    (lambda: reasoner().decode(READ[:, :8]), "the rules have 9 places of 3"),
    (lambda: reasoner().decode(READ[:, :, :2]), "not places of 2 symbols"),
    (lambda: reasoner().decode(READ[0, 0]), "have the shape 3; expected examples x places x symbols"),
    (lambda: reasoner().decode(nan_in_a_row()), "example 1, place 4: some symbols are NaN"),
    (lambda: reasoner().decode(too_sure()), "example 0, place 3: 1.5 is not a probability"),
    (lambda: reasoner().decode(READ.astype(str)), "are of type <U32, not numbers"),
    (lambda: reasoner().decode(READ, fix=np.zeros((2, 26))), "expected examples x 27 variables"),
    (lambda: reasoner().decode(READ, fix=np.full((2, 27), 3)), "row 0, column 0: 3 is not 0 or 1"),
    (lambda: reasoner().decode(READ, fix=np.zeros((3, 27))), "of 2 examples, and 3 of fixed values"),
    (lambda: reasoner().decode(READ, temperature=0), "temperature = 0 is out of range"),
    (lambda: reasoner().best(0), "k = 0 is out of range"),
    (lambda: Grounder(["a", "b"]), "say how many symbols a place may show"),
    (lambda: Grounder(["a", "b", "c"], 2), "3 variables are not places of 2 symbols"),
    (lambda: Grounder(["a", "b"], 2).targets(known=[[-1, -1]]), "no rules are known yet"),
    (lambda: Grounder(["a", "b"], 2, schedule="joint"), "asks how many examples there are"),
    (lambda: Grounder(["a", "b"], 2, schedule="joint", examples=4, rows=0), "rows = 0 is out of range"),
    (lambda: Grounder(["a", "b"], 2).pace, "is for schedule='joint'"),
    (lambda: Grounder(["a", "b"], 2).load_state_dict({}), "is not that of a staged Grounder"),
    (lambda: Run("nowhere"), "there is no such run"),
]


@pytest.mark.parametrize("at", range(len(WRONG)))
def test_says_what_is_wrong(at: int) -> None:
    work, expected = WRONG[at]
    with pytest.raises(ValueError, match=expected) as caught:
        work()
    assert isinstance(caught.value, PreceptronError) and "\n" not in str(caught.value)
    assert "fault in preceptron" not in str(caught.value)


def test_there_are_enough() -> None:
    assert len(WRONG) >= 30


def test_a_file_that_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(PreceptronError, match="is not a run"):
        Run(tmp_path)


def test_tensors_on_other_devices() -> None:
    torch = pytest.importorskip("torch")
    with pytest.raises(PreceptronError, match="is on the device meta"):
        learn(torch.zeros((3, 2), device="meta"))
    assert len(preceptron.read_table(torch.tensor([[1, 0], [0, 1]]))) == 2
