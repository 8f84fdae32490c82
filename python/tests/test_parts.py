"""Partitions give the rules of the whole table, wherever they are worked on and however often."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import preceptron


def rows(count: int, seed: int = 0) -> dict[str, Any]:
    """Exactly one of a, b, c; d wherever e; g is f but in one row of 400."""
    random = np.random.default_rng(seed)
    one = random.integers(0, 3, count)
    e, f = random.integers(0, 2, (2, count)).astype(bool)
    d = e | random.integers(0, 2, count).astype(bool)
    g = f ^ (np.arange(count) % 400 == 399)
    return {"a": one == 0, "b": one == 1, "c": one == 2, "d": d, "e": e, "f": f, "g": g}


def cut(table: dict[str, Any], at: list[int]) -> list[dict[str, Any]]:
    edges = [0, *at, len(table["a"])]
    return [{name: of[start:end] for name, of in table.items()} for start, end in zip(edges, edges[1:])]


def here(parts: list[Any]) -> Callable[[bytes], list[bytes]]:
    return lambda job: [preceptron.work(job, at, part) for at, part in enumerate(parts)]


def test_all_rows_are_the_whole_table() -> None:
    table = rows(900)
    whole = preceptron.learn(table)
    parts = cut(table, [10, 11, 500])
    found = preceptron.learn_partitions(here(parts), len(parts))
    assert [rule.text for rule in found] == [rule.text for rule in whole]
    assert found.verdict == whole.verdict
    assert found.table["examples"] == 900


def test_few_rows_and_any_cut_give_the_same() -> None:
    table = rows(4000)
    texts = set()
    for at in ([], [1, 3999], [400, 800, 1200, 3600]):
        parts = cut(table, at)
        found = preceptron.learn_partitions(here(parts), len(parts), rows=300, threads=1 + len(at) % 2)
        texts.add(found.to_json() if hasattr(found, "to_json") else str([r.text for r in found]))
        assert preceptron.learn(table).violations(table) is not None
        assert not found.violations(table).any() if hasattr(found.violations(table), "any") else True
    assert len(texts) == 1
    assert not any("g" in rule.text.split() for rule in found)


def test_what_is_wrong_is_said() -> None:
    parts = cut(rows(40), [20])
    with pytest.raises(preceptron.PreceptronError, match="1 answers came back from 2 partitions"):
        preceptron.learn_partitions(lambda job: here(parts)(job)[:1], 2)
    with pytest.raises(preceptron.PreceptronError, match="is not a message of this program"):
        preceptron.learn_partitions(lambda job: [b"{}", b"{}"], 2)
    odd = [parts[0], {"a": [1], "z": [0]}]
    with pytest.raises(preceptron.PreceptronError, match='part 2: has other columns .*"z" is new'):
        preceptron.learn_partitions(here(odd), 2)
    with pytest.raises(preceptron.PreceptronError, match="no rows"):
        preceptron.learn_partitions(here([]), 0)
    with pytest.raises(preceptron.PreceptronError, match="a worker is gone"):
        def gone(job: bytes) -> list[bytes]:
            raise OSError("a worker is gone")

        preceptron.learn_partitions(gone, 2)
    with pytest.raises(preceptron.PreceptronError, match="at least one row"):
        preceptron.learn_partitions(here(parts), 2, rows=0)


def test_dask() -> None:
    dd = pytest.importorskip("dask.dataframe")
    pd = pytest.importorskip("pandas")
    import preceptron.dask

    frame = pd.DataFrame(rows(1200))
    whole = preceptron.learn(frame)
    found = preceptron.dask.learn(dd.from_pandas(frame, npartitions=5))
    assert [rule.text for rule in found] == [rule.text for rule in whole]
