"""The same table gives the same rules as the program, to the byte of the file, whatever kind of frame it comes in."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from tables import tables

import preceptron

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")
np = pytest.importorskip("numpy")

TABLES = tables()
PROGRAM = os.environ.get("PRECEPT") or shutil.which("precept")


def by_the_program(csv: Path, out: Path) -> str:
    """What the program writes; where there is no program, what the library does that it calls."""
    if PROGRAM is None:
        preceptron.learn(csv).write(out)
    else:
        done = subprocess.run([PROGRAM, "learn", csv, "--out", out, "--threads", "1", "--numbers", "none"], capture_output=True, text=True)
        assert done.returncode < 2, done.stderr
    return out.read_text(encoding="utf-8")


def frames(columns: dict[str, list[Any]]) -> dict[str, Any]:
    polars_frame = polars.DataFrame({name: polars.Series(name, values) for name, values in columns.items()})
    pandas_frame = pandas.DataFrame(columns)
    found: dict[str, Any] = {
        "polars": polars_frame,
        "pandas": pandas_frame,
        "pandas without inference": pandas.DataFrame(columns, dtype=object),
        "pyarrow": pyarrow.table(columns),
        "a mapping": columns,
        "dicts": [dict(zip(columns, row)) for row in zip(*columns.values())],
        "NumPy objects": np.array([[v for v in row] for row in zip(*columns.values())], dtype=object),
    }
    if all(type(v) is bool for values in columns.values() for v in values):
        found["NumPy truth values"] = np.array(list(columns.values())).T
    if all(type(v) is int for values in columns.values() for v in values):
        found["NumPy whole numbers"] = np.array(list(columns.values())).T
    return found


@pytest.mark.parametrize("name", TABLES)
def test_the_program_and_every_frame(name: str, tmp_path: Path) -> None:
    columns = TABLES[name]
    for number, (kind, frame) in enumerate(frames(columns).items()):
        csv, out = tmp_path / f"{number}.csv", tmp_path / f"{number}.json"
        # The frame's own file: pandas and polars write the same values in their own ways.
        if kind == "polars":
            frame.write_csv(csv)
        else:
            own = frame if kind.startswith("pandas") else pandas.DataFrame(columns)
            own.to_csv(csv, index=False)
        if kind not in ("polars", "pandas", "pandas without inference"):
            has_gaps = any(v is None for values in columns.values() for v in values)
            if has_gaps and any(isinstance(v, int) for values in columns.values() for v in values):
                pandas.DataFrame(columns, dtype=object).to_csv(csv, index=False)
        expected = by_the_program(csv, out)
        naming = {"names": list(columns)} if kind.startswith("NumPy") else {}
        learned = preceptron.learn(frame, source=str(csv), **naming)
        assert learned.to_text() == expected, kind


def test_categories_may_be_unused() -> None:
    colours = ["red", "blue", "red", "blue"] * 10
    plain = preceptron.read_table(pandas.DataFrame({"colour": colours}))
    categories = pandas.Categorical(colours, categories=["green", "red", "blue"])
    assert preceptron.read_table(pandas.DataFrame({"colour": categories})).names == plain.names
    enum = polars.Series("colour", colours, dtype=polars.Enum(["green", "red", "blue"]))
    assert preceptron.read_table(polars.DataFrame({"colour": enum})).names == plain.names
    encoded = pyarrow.table({"colour": pyarrow.array(colours).dictionary_encode()})
    assert preceptron.read_table(encoded).names == plain.names


def test_masked_columns_of_pandas() -> None:
    frame = pandas.DataFrame(
        {
            "a": pandas.array([1, None, 0] * 10, dtype="Int64"),
            "b": pandas.array([True, None, False] * 10, dtype="boolean"),
            "c": pandas.array(["x", None, "y"] * 10, dtype="string"),
            "d": pandas.array([0.5, None, 2.0] * 10, dtype="Float64"),
        }
    )
    table = preceptron.read_table(frame)
    assert table.names == ["a", "b", "c[value x]", "c[value y]", "d[value 0.5]", "d[value 2.0]"]
    assert table.observed == pytest.approx(2 / 3)


def test_sparse_matrices() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    dense = (np.random.default_rng(0).random((70, 5)) < 0.3).astype(int)
    expected = preceptron.learn(dense, source="t").to_text()
    for kind in ("csr_matrix", "csc_array", "coo_matrix"):
        assert preceptron.learn(getattr(sparse, kind)(dense), source="t").to_text() == expected


@pytest.mark.parametrize("size", [1, 7, 8, 63, 64, 65, 1000])
def test_batches_and_slices_of_bits(size: int) -> None:
    """Arrow's bit maps begin anywhere in a byte."""
    random = np.random.default_rng(size)
    values = random.random(size + 40) < 0.5
    gaps = [bool(v) if random.random() < 0.9 else None for v in values]
    for begin in (0, 1, 5, 8, 13):
        array = pyarrow.array(gaps)[begin : begin + size]
        chunked = pyarrow.chunked_array([array, pyarrow.array(gaps)[3:20], array])
        table = preceptron.read_table(pyarrow.table({"a": chunked}))
        plain = preceptron.read_table({"a": chunked.to_pylist()})
        out = [np.empty((table.examples, 1), dtype=np.uint8) for _ in range(2)]
        table.values_into(out[0])
        plain.values_into(out[1])
        assert (out[0] == out[1]).all()


def test_numpy_of_all_kinds() -> None:
    for dtype in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "?", ">i4", ">f8"):
        table = preceptron.read_table(np.array([[0, 1], [1, 0]], dtype=dtype))
        assert table.names == ["x1", "x2"], dtype
    strided = np.zeros((6, 4), dtype=np.int32)[::2, ::-1]
    assert preceptron.read_table(strided).examples == 3
    record = np.array([(1, "red"), (0, "blue")], dtype=[("a", "i4"), ("colour", "U5")])
    assert preceptron.read_table(record).names == ["a", "colour[value blue]", "colour[value red]"]
    masked = np.ma.MaskedArray([1, 0, 1], mask=[False, True, False])
    assert preceptron.read_table({"a": masked}).observed == pytest.approx(2 / 3)

def test_words_mean_what_they_mean_in_a_file(tmp_path: Path) -> None:
    count = 100
    columns: dict[str, list[Any]] = {
        "id": [f"N{number}" for number in range(count)],
        "early": ["ja" if at % 2 else "nein" for at in range(count)],
        "late": ["no" if at % 2 else "yes" for at in range(count)],
        "load": [["1,5 kg", "2,5 kg", None][at % 3] for at in range(count)],
    }
    for kind, frame in frames(columns).items():
        if kind.startswith("NumPy"):
            continue
        table = preceptron.read_table(frame)
        assert table.names[:2] == ["early", "late"] and len(table.names) == 4, (kind, table.names)
        assert str(preceptron.learn(frame)).startswith("exactly 1 of early, late"), kind
    with pytest.raises(preceptron.PreceptronError, match="id"):
        preceptron.read_table(columns, binary=True)
