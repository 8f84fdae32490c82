"""One question, and many."""

from __future__ import annotations

import numpy as np
import pytest

from preceptron import Reasoner, RuleSet
from test_rules import latin


def readings(count: int, seed: int = 0) -> np.ndarray:
    random = np.random.default_rng(seed)
    p = random.random((count, 9, 3)) ** 3 + 0.01
    return (p / p.sum(axis=2, keepdims=True)).astype(np.float32)


def test_one_question() -> None:
    reasoner = Reasoner(latin())
    answer = reasoner.solve({"cell[row 1, column 1, digit 2]": True})
    assert answer and answer.status == "optimal" and answer.cost == 0 and answer.unique is False
    assert len(answer.true) == 9 and answer.values is not None and answer.values.sum() == 9
    assert answer.assignment["cell[row 1, column 1, digit 2]"]
    assert reasoner.rules.holds(answer.assignment)
    both = ["cell[row 1, column 1, digit 2]", "cell[row 1, column 2, digit 2]"]
    conflict = reasoner.solve(both)
    assert not conflict and conflict.status == "infeasible" and conflict.conflict is not None
    assert len(conflict.conflict) == 3 and conflict.true == [] and conflict.values is None
    assert reasoner.solve([1, -2]).true[0] == reasoner.solve({1: True, 2: 0}).true[0]
    assert reasoner.is_unique(["cell[row 1, column 1, digit 2]"]) is False
    assert reasoner.solve(costs={"not cell[row 1, column 1, digit 3]": 5}).true[0].endswith("digit 3]")
    soft = reasoner.solve(both, soft=10)
    assert soft.cost == 10 * len(soft.violated) and soft.violated


def test_readings_are_repaired() -> None:
    reasoner = Reasoner(latin(2))
    names = reasoner.rules.names
    read = {name: p for name, p in zip(names, [0.9, 0.1, 0.6, 0.4])}
    answer = reasoner.solve(probabilities=read)
    assert answer.true[:2] == [names[0], names[3]]
    assert [(repair.read, repair.chosen) for repair in answer.repairs] == [(names[2], names[3])]
    assert answer.cost == answer.repairs[0].price == round(1000 * np.log(0.6)) - round(1000 * np.log(0.4))


def test_best_are_in_order() -> None:
    reasoner = Reasoner(latin())
    answers = reasoner.best(20, costs={"cell[row 1, column 1, digit 1]": 3})
    assert len(answers) == 12
    costs = [answer.cost for answer in answers]
    assert costs == sorted(costs, key=lambda cost: cost or 0) and costs[0] == 0 and costs[-1] == 3
    assert len({tuple(answer.true) for answer in answers}) == 12
    assert [answer.status for answer in reasoner.best(3, [1, 2])] == ["infeasible"]


def test_many_are_as_one_by_one() -> None:
    rules = latin()
    reasoner = Reasoner(rules)
    read = readings(150)
    decoded = reasoner.decode(read, canonical=True, confidence=True, k=2)
    for at in range(0, 150, 10):
        probabilities = dict(zip(rules.names, map(float, read[at].ravel())))
        first, second = reasoner.best(2, probabilities=probabilities)
        assert decoded.costs[at].tolist() == [first.cost, second.cost]
        assert first.values is not None and (decoded.values[at, 0] == first.values).all()
        assert decoded.repairs(at) == first.repairs
        odds = (second.cost - first.cost) / 1000  # type: ignore[operator]
        assert decoded.confidence[at] == pytest.approx(1 / (1 + np.exp(-odds)))
    assert decoded.symbols.shape == (150, 9) and (decoded.status == 0).all()
    for threads in (1, 3):
        again = reasoner.decode(read, threads=threads)
        assert (again.values == reasoner.decode(read).values).all()


def test_what_is_not_read_and_what_is_fixed() -> None:
    reasoner = Reasoner(latin())
    read = readings(4)
    read[:, 3:] = np.nan
    fixed = np.full((4, 27), -1.0)
    fixed[2] = np.nan
    fixed[0, 26] = 1
    fixed[1, [0, 1]] = 1
    decoded = reasoner.decode(read, fix=fixed, confidence=True)
    assert decoded.found.tolist() == [1, 0, 1, 1] and decoded.status.tolist() == [0, 2, 0, 0]
    assert decoded.values[0, 26] and np.isnan(decoded.confidence[1])
    assert (decoded.symbols[1] == -1).all() and (decoded.symbols[0] >= 0).all()
    alone = reasoner.decode(fix=fixed[:1])
    assert alone.values[0, 26]


def test_each_variable_by_itself_and_named_places() -> None:
    rules = RuleSet.of(["a", "b", "c"], [{"literals": ["a", "b"], "sums": 1}])
    decoded = Reasoner(rules).decode(np.array([[0.9, 0.8, 0.2], [0.1, 0.3, np.nan]]))
    assert decoded.values.tolist() == [[True, False, False], [False, True, False]]
    named = Reasoner(rules).decode([[[0.3, 0.7]]], places=[["b", "a"]])
    assert named.values[0].tolist() == [True, False, False] and named.symbols.tolist() == [[1]]


def test_tensors() -> None:
    torch = pytest.importorskip("torch")
    reasoner = Reasoner(latin())
    read = readings(20)
    tensor = torch.tensor(read, requires_grad=True)
    assert (reasoner.decode(tensor).values == reasoner.decode(read).values).all()
    assert (reasoner.decode(tensor.double()).values == reasoner.decode(read).values).all()


def test_limits_end_a_question() -> None:
    holes = 12
    names = [f"in[pigeon {p}, hole {h}]" for p in range(holes + 1) for h in range(holes)]
    rules = [{"literals": [f"in[pigeon {p}, hole {h}]" for h in range(holes)], "min": 1} for p in range(holes + 1)]
    pairs = [(p, q, h) for p in range(holes + 1) for q in range(p) for h in range(holes)]
    clauses = [{"literals": [f"not in[pigeon {p}, hole {h}]", f"not in[pigeon {q}, hole {h}]"], "min": 1} for p, q, h in pairs]
    reasoner = Reasoner(RuleSet.of(names, rules + clauses))
    assert reasoner.solve(conflicts=50, explain=False).status == "unknown"
    assert reasoner.solve(time=0.2, explain=False).status in ("unknown", "infeasible")
    assert reasoner.decode(fix=np.full((3, len(names)), -1), conflicts=50).status.tolist() == [3, 3, 3]
