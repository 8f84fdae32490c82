"""Tables in: a file, NumPy, pandas, polars, pyarrow, anything with an Arrow stream, scipy.sparse, dicts.

A value counts as the word that a CSV file of the same frame has in its place, so that the rules are those of the file. What
says more than a file does: a missing value is missing whatever it is called, and a category need not occur.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from ._errors import PreceptronError
from ._native import Table, TooManyValues

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Table", "names", "read_table"]

Column = tuple[str, str, Any, Any]


def names(block: str, /, **axes: int | Iterable[int | str]) -> list[str]:
    """The names of a block of variables on axes, as they stand in a table's header.

    >>> names("cell", row=2, digit=["a", "b"])
    ['cell[row 1, digit a]', 'cell[row 1, digit b]', 'cell[row 2, digit a]', 'cell[row 2, digit b]']
    """
    labels = [range(1, axis + 1) if isinstance(axis, int) else list(axis) for axis in axes.values()]
    places = product(*labels)
    return [f"{block}[{', '.join(f'{axis} {at}' for axis, at in zip(axes, place))}]" for place in places]


def options(
    *,
    binary: bool = False,
    derive: Mapping[str, str] | None = None,
    value_axis: str = "value",
    ignore: Sequence[str] | str = (),
    delimiter: str | None = None,
    header: bool = True,
    names: Sequence[str] | None = None,
    categorical: bool = False,
) -> dict[str, Any]:
    """How a table is read, as the native module takes it."""
    return {
        "binary": binary,
        "derive": list((derive or {}).items()),
        "value_axis": value_axis,
        "ignore": [ignore] if isinstance(ignore, str) else list(ignore),
        "delimiter": delimiter,
        "header": header,
        "names": None if names is None else [str(name) for name in names],
        "categorical": categorical,
    }


def read_table(table: Any, **how: Any) -> Table:
    """A table as Boolean variables and rows, to learn from and to hold rules against.

    ``table`` is a path, a NumPy array, a frame of pandas, polars or pyarrow, anything with ``__arrow_c_stream__``, a
    sparse matrix, a mapping from names to columns, or a list of dicts. Settings: ``binary`` (values other than 0, 1, true
    and false are errors), ``derive`` (axes computed from others, such as ``{"box": "3*((row-1)/3) + (column-1)/3"}``),
    ``value_axis``, ``ignore``, ``categorical``, ``names`` (of an array's columns); of files ``delimiter`` and ``header``.

    >>> import numpy as np
    >>> read_table(np.array([[1, 0], [0, 1]]), names=["a", "b"]).names
    ['a', 'b']
    """
    how = options(**how)
    if isinstance(table, Table):
        return table
    if isinstance(table, (str, os.PathLike)):
        return Table.read(table, how)
    name = source_of(table)
    module = type(table).__module__.partition(".")[0]
    if module == "dask":
        raise PreceptronError(f"{name}: is not computed yet; .compute() makes it a frame")
    if type(table).__name__ == "LazyFrame":
        raise PreceptronError(f"{name}: is not computed yet; .collect() makes it a frame")
    columns = columns_of(name, table, how)
    try:
        return Table.from_arrow(name, table, how) if columns is table else Table.from_columns(name, columns, how)
    except TooManyValues:
        # Names of rows, dates, remarks: what a file may have beside the values, and is set aside there.
        text = None if how["binary"] else text_of(columns)
        if text is None:
            raise
        return Table.from_text(name, text, how | {"names": None, "header": True, "delimiter": ","})


def text_of(columns: Any) -> bytes | None:
    """The file that a table in memory would be; nothing where its kind is not known."""
    import csv
    import io

    words: dict[str, list[str | None]] = {}
    if not isinstance(columns, list):
        as_dict = getattr(columns, "to_pydict", None) or getattr(columns, "to_dict", None)
        if as_dict is None:
            return None
        columns = as_dict() if as_dict.__name__ == "to_pydict" else as_dict(as_series=False)
        words = {str(name): objects(values) for name, values in columns.items()}
    for name, kind, values, more in columns if isinstance(columns, list) else ():
        if kind == "words":
            words[name] = values
        elif kind == "codes":
            words[name] = [more[code] if code >= 0 else None for code in values.tolist()]
        else:
            missing = [False] * len(values) if more is None else more.tolist()
            texts = map(str, values) if kind == "float32" else objects(values.tolist())
            words[name] = [None if gone or text == "nan" else text for text, gone in zip(texts, missing)]
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(words)
    writer.writerows(zip(*(["" if word is None else word for word in column] for column in words.values())))
    return text.getvalue().encode()


def columns_of(name: str, table: Any, how: dict[str, Any]) -> Any:
    """The columns of a table in memory as the native module takes them, or the table itself if it has an Arrow stream."""
    module = type(table).__module__.partition(".")[0]
    if module == "pandas":
        return pandas_columns(table)
    if module == "scipy" and hasattr(table, "tocsc"):
        return sparse_columns(table, how)
    if hasattr(table, "__arrow_c_stream__"):
        return table
    if isinstance(table, Mapping):
        return [column(str(key), of) for key, of in table.items()]
    if isinstance(table, (list, tuple)) and table and all(isinstance(row, Mapping) for row in table):
        keys = {str(key): None for row in table for key in row}
        return [column(key, [row.get(key) for row in table]) for key in keys]
    return array_columns(name, table, how)


def source_of(table: Any) -> str:
    """What errors and notes call a table."""
    if isinstance(table, (str, os.PathLike)):
        return os.fspath(table)
    kind = type(table)
    module = kind.__module__.partition(".")[0]
    return kind.__name__ if module == "builtins" else f"{module}.{kind.__name__}"


def array(table: Any, what: str = "array") -> np.ndarray[Any, Any]:
    """A NumPy array of what is one, of a tensor on the CPU without a copy, or of a sequence."""
    import numpy as np

    if isinstance(table, np.ndarray):
        return table
    device = getattr(table, "device", None)
    kind = getattr(device, "type", None)
    if kind is not None and kind != "cpu":
        raise PreceptronError(f"{what}: is on the device {device}; .cpu() brings it here")
    if hasattr(table, "detach"):
        table = table.detach()
    if hasattr(table, "__dlpack__"):
        try:
            return np.from_dlpack(table)
        except (BufferError, RuntimeError, TypeError):
            return np.asarray(table)
    try:
        return np.asarray(table)
    except ValueError as error:
        raise PreceptronError(f"{what}: rows differ in length: {error}") from None


def array_columns(name: str, table: Any, how: dict[str, Any]) -> list[Column]:
    """The columns of a two-dimensional array, named x1, x2 and so on, or of a structured one."""
    values = array(table, name)
    if values.dtype.names is not None:
        return [column(field, values[field]) for field in values.dtype.names]
    if values.ndim != 2:
        shape = " x ".join(map(str, values.shape)) or "a single value"
        raise PreceptronError(f"{name}: has the shape {shape}; a table has rows and columns")
    given = how["names"] or [f"x{number}" for number in range(1, values.shape[1] + 1)]
    if len(given) != values.shape[1]:
        raise PreceptronError(f"{name}: has {values.shape[1]} columns, but {len(given)} names were given for them")
    return [column(given[at], values[:, at]) for at in range(values.shape[1])]


def sparse_columns(table: Any, how: dict[str, Any]) -> list[Column]:
    """The columns of a sparse matrix, of which what is not stored is 0."""
    import numpy as np

    if len(table.shape) != 2:
        raise PreceptronError("a sparse array of one axis; a table has rows and columns")
    by_column = table.tocsc(copy=True)
    by_column.sum_duplicates()
    count = by_column.shape[1]
    given = how["names"] or [f"x{number}" for number in range(1, count + 1)]
    if len(given) != count:
        raise PreceptronError(f"a sparse matrix of {count} columns, but {len(given)} names were given for them")
    columns = []
    for at in range(count):
        part = slice(by_column.indptr[at], by_column.indptr[at + 1])
        dense = np.zeros(by_column.shape[0], dtype=by_column.dtype)
        dense[by_column.indices[part]] = by_column.data[part]
        columns.append(column(given[at], dense))
    return columns


def pandas_columns(table: Any) -> list[Column]:
    """The columns of a frame of pandas, without the index, as ``to_csv(index=False)`` has them."""
    import numpy as np

    if not hasattr(table, "columns") or not hasattr(table, "iloc"):
        raise PreceptronError(f"{source_of(table)}: is not a table; .to_frame() makes it one")
    if getattr(table.columns, "nlevels", 1) > 1:
        raise PreceptronError("the frame's columns have several levels of names; join them first")
    columns: list[Column] = []
    for at, key in enumerate(table.columns):
        name, series = str(key), table.iloc[:, at]
        dtype = series.dtype
        kind = getattr(dtype, "kind", "O")
        if hasattr(series, "cat") and hasattr(dtype, "categories"):
            words = [word or "" for word in objects(dtype.categories)]
            codes = np.ascontiguousarray(series.cat.codes.to_numpy(), dtype=np.int64)
            columns.append((name, "codes", codes, words))
        elif isinstance(dtype, np.dtype) and kind in "biuf":
            columns.append(column(name, series.to_numpy()))
        elif kind in "biuf" and not isinstance(dtype, np.dtype) and "[" not in str(dtype):
            mask = np.ascontiguousarray(series.isna().to_numpy(), dtype=np.uint8)
            values = series.to_numpy(dtype=dtype.numpy_dtype, na_value=dtype.numpy_dtype.type(0))
            columns.append(column(name, values, mask if mask.any() else None))
        elif kind in "Mm":
            words = series.astype(str).to_list()
            columns.append((name, "words", [None if m else w for w, m in zip(words, series.isna())], None))
        else:
            columns.append((name, "words", objects(series.to_numpy(dtype=object)), None))
    return columns


def column(name: str, values: Any, mask: Any = None) -> Column:
    """A column as the native module takes it: its name, kind, values, and where they are missing."""
    import numpy as np

    if isinstance(values, (list, tuple)):
        return (name, "words", objects(values), None)
    values = array(values, f"column {name}")
    if isinstance(values, np.ma.MaskedArray):
        mask = np.ascontiguousarray(np.ma.getmaskarray(values), dtype=np.uint8)
        values = values.data
    if values.ndim != 1:
        raise PreceptronError(f"column {name}: has {values.ndim} axes; a column has one")
    kind, size = values.dtype.kind, values.dtype.itemsize
    kinds: dict[str, tuple[str, Any]] = {
        "b": ("bool", np.bool_),
        "i": ("int", np.int64),
        "u": ("uint", np.uint64),
        "f": ("float", np.float64),
    }
    if kind == "f" and size == 4:
        return (name, "float32", np.ascontiguousarray(values, dtype=np.float32), mask)
    if kind in kinds and not (kind == "f" and size != 8):
        native, dtype = kinds[kind]
        return (name, native, np.ascontiguousarray(values, dtype=dtype), mask)
    if kind in "cV":
        raise PreceptronError(f"column {name}: has values of type {values.dtype}; truth values, numbers and text are read")
    return (name, "words", objects(values), None)


def objects(values: Iterable[Any]) -> list[str | None]:
    """Values as the words of a file; nothing where one is missing."""
    return [word(value) for value in values]


def word(value: Any) -> str | None:
    """A value as a file has it."""
    if type(value) is str:
        return value
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, float):
        return repr(float(value)) if value == value else None
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, (list, dict, set, tuple)):
        raise PreceptronError(f"a cell holds a {type(value).__name__}; a table has plain values")
    text = str(value)
    return None if text in ("nan", "NaT", "<NA>") else text


def values_of(table: Table) -> np.ndarray[Any, Any]:
    """The values of a table, row by row: 0, 1, or 255 where nothing was observed."""
    import numpy as np

    values = np.empty((table.examples, len(table.names)), dtype=np.uint8)
    table.values_into(values)
    return values


