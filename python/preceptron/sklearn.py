"""Rules in scikit-learn's manners.

>>> import pandas as pd
>>> shifts = pd.DataFrame({"early": [1, 0, 0] * 20, "late": [0, 1, 0] * 20, "off": [0, 0, 1] * 20})
>>> learner = RuleLearner().fit(shifts)
>>> list(learner.get_rules().text)
['exactly 1 of early, late, off']
>>> learner.predict(pd.DataFrame({"early": [0.0], "late": [float("nan")], "off": [0.0]}))
   early  late  off
0      0     1    0
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from ._errors import PreceptronError
from ._learn import learn
from ._reason import Reasoner
from ._rules import Violations
from ._tables import Table, array, read_table, values_of

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd


class RuleLearner(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Learns rules from tables. Frames may have text, categories and missing values; arrays have numbers.

    ``rules_`` has the rules; :meth:`transform` says for each row and rule whether the row violates it, so that the
    learner can stand in a pipeline, before an outlier detector for instance.
    """

    def __init__(
        self,
        threshold: float = 1.0,
        false_alarm: float = 1e-3,
        clause_literals: int = 6,
        seed: int = 0,
        categorical: bool = False,
        value_axis: str = "value",
        threads: int = 0,
        settings: dict[str, Any] | None = None,
    ) -> None:
        self.threshold = threshold
        self.false_alarm = false_alarm
        self.clause_literals = clause_literals
        self.seed = seed
        self.categorical = categorical
        self.value_axis = value_axis
        self.threads = threads
        self.settings = settings

    def fit(self, X: Any, y: Any = None) -> RuleLearner:
        """Learns the rules that hold in a table."""
        X = self._checked(X, reset=True)
        self.rules_ = learn(
            X,
            threshold=self.threshold,
            false_alarm=self.false_alarm,
            clause_literals=self.clause_literals,
            seed=self.seed,
            threads=self.threads,
            **self._reading(X),
            **(self.settings or {}),
        )
        table = read_table(X, **self._reading(X))
        values = values_of(table)
        known = values != 255
        self.frequencies_ = ((values == 1).sum(axis=0) + 0.5) / (known.sum(axis=0) + 1.0)
        return self

    def get_rules(self) -> pd.DataFrame:
        """The rules, a line each."""
        check_is_fitted(self)
        return self.rules_.to_pandas()

    def violations(self, X: Any) -> Violations:
        """The rows that violate rules."""
        check_is_fitted(self)
        X = self._checked(X, reset=False)
        return self.rules_.violations(_table(self.rules_.names, _as_fitted(self.rules_.names, X, self._reading(X))))

    def score_samples(self, X: Any) -> np.ndarray[Any, Any]:
        """For each row the number of rules that it violates, as a negative number: 0 is best."""
        import numpy as np

        return -np.array(self.violations(X).per_row(), dtype=np.float64)

    def transform(self, X: Any) -> np.ndarray[Any, Any]:
        """For each row and rule 1 if the row violates it, else 0."""
        import numpy as np

        found = self.violations(X)
        result = np.zeros((found.examples, len(found.rules)))
        for at, rows in enumerate(found.rows):
            result[list(rows), at] = 1.0
        return result

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray[Any, Any]:
        """The rules' ids."""
        import numpy as np

        check_is_fitted(self)
        return np.array([f"violates {rule.id}" for rule in self.rules_], dtype=object)

    def predict(self, X: Any) -> Any:
        """The table with what is missing filled in: the likeliest values that the rules allow, by how frequent each was.
        A row that no values can make obey the rules keeps what is missing."""
        import numpy as np

        check_is_fitted(self)
        X = self._checked(X, reset=False)
        is_frame = hasattr(X, "columns")
        columns = list(X.columns) if is_frame else None
        values = _as_fitted(self.rules_.names, X, self._reading(X))
        known = np.where(values == 255, -1, values.astype(np.int16)).astype(np.int8)
        read = np.broadcast_to(self.frequencies_.astype(np.float32), known.shape)
        decoded = Reasoner(self.rules_).decode(read, fix=known, canonical=True, threads=self.threads)
        if not is_frame:
            filled = np.array(array(X), dtype=np.float64)
            missing = np.isnan(filled) & (decoded.found > 0)[:, None]
            full = self._column_values(decoded.values, [f"x{at + 1}" for at in range(filled.shape[1])])
            filled[missing] = np.array(full, dtype=np.float64)[missing]
            return filled
        assert columns is not None
        result = X.copy()
        names = self._column_values(decoded.values, [str(column) for column in columns])
        for at, column in enumerate(columns):
            series = result.iloc[:, at]
            missing = series.isna().to_numpy() & (decoded.found > 0)
            if missing.any():
                wanted = series.astype(object).to_numpy().copy()
                wanted[missing] = [_value(names[row][at]) for row in np.flatnonzero(missing)]
                result[column] = wanted
            result[column] = result[column].infer_objects() if result[column].isna().any() else _plain(result[column])
        return result

    def _column_values(self, values: Any, columns: list[str]) -> list[list[str]]:
        """The word of each column in each row."""
        number = {name: at for at, name in enumerate(self.rules_.names)}
        groups: list[list[tuple[str, int]]] = []
        for column in columns:
            if column in number:
                groups.append([("1", number[column])])
                continue
            start = f"{column}[{self.value_axis} "
            of = [(name[len(start) : -1], at) for name, at in number.items() if name.startswith(start)]
            if not of and column.endswith("]"):
                start = f"{column[:-1]}, {self.value_axis} "
                of = [(name[len(start) : -1], at) for name, at in number.items() if name.startswith(start)]
            groups.append(of)

        def word(row: Any, of: list[tuple[str, int]]) -> str:
            if len(of) == 1 and of[0][0] == "1" and self.rules_.names[of[0][1]] in columns:
                return str(int(row[of[0][1]]))
            return next((label for label, at in of if row[at]), "")

        return [[word(row, of) for of in groups] for row in values]

    def _reading(self, X: Any) -> dict[str, Any]:
        return {"categorical": self.categorical, "value_axis": self.value_axis}

    def _checked(self, X: Any, *, reset: bool) -> Any:
        """A frame as it is, with its columns noted; anything else as an array of numbers."""
        from sklearn.utils.validation import _check_feature_names, validate_data

        if hasattr(X, "columns") and hasattr(X, "shape") and not hasattr(X, "tocsc"):
            if reset and 0 in X.shape:
                raise PreceptronError(f"the frame has {X.shape[0]} rows and {X.shape[1]} columns: nothing to learn from")
            _check_feature_names(self, X, reset=reset)
            if reset:
                self.n_features_in_ = X.shape[1]
            elif X.shape[1] != self.n_features_in_:
                kind = type(self).__name__
                raise PreceptronError(f"X has {X.shape[1]} features, but {kind} is expecting {self.n_features_in_} features as input")
            return X
        checked = validate_data(self, X, reset=reset, dtype="numeric", ensure_all_finite="allow-nan")
        import numpy as np

        if np.isinf(checked).any():
            raise PreceptronError("Input X contains infinity; a table has finite values")
        return checked

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        # Columns of measurements with ever new values are no categories, and are refused.
        return tags


TRUTH = {"0": 0, "0.0": 0, "false": 0, "1": 1, "1.0": 1, "true": 1}


def _as_fitted(names: Sequence[str], X: Any, reading: dict[str, Any]) -> np.ndarray[Any, Any]:
    """The values of a table as variables that were fitted: 0, 1, or 255 where nothing was observed.

    What is Boolean and what is categorical was found out when the rules were learned, and a few rows more may show less
    values, or others: one that never came before makes all variables of its column false.
    """
    import numpy as np

    plain = read_table(X, **reading)
    full = np.full((plain.examples, len(names)), 255, dtype=np.uint8)
    nothing = (values_of(plain) == 255).all(axis=0)
    # A column of which nothing is observed has no values, and says nothing.
    empty = [name for name, is_empty in zip(plain.names, nothing) if is_empty and name in plain.columns]
    if len(empty) == len(plain.columns):
        return full
    table = read_table(X, **{**reading, "categorical": True, "ignore": empty})
    values, axis = values_of(table), reading["value_axis"]
    columns: dict[str, list[tuple[str, int]]] = {}
    for at, name in enumerate(table.names):
        start, label = _split(name, axis)
        columns.setdefault(start, []).append((label, at))
    for at, name in enumerate(names):
        start, label = _split(name, axis)
        boolean = label == "" or start not in columns
        of = columns.get(f"{name[:-1]}, " if name.endswith("]") else f"{name}[", []) if boolean else columns[start]
        if not of:
            continue
        observed = values[:, of[0][1]] != 255
        full[observed, at] = 0
        for other, place in of:
            holds = values[:, place] == 1
            if boolean and other.lower() not in TRUTH:
                if holds.any():
                    row = int(np.flatnonzero(holds)[0])
                    raise PreceptronError(f"row {row}, column {name}: {other!r} is not 0 or 1, as it was when rules were learned")
            elif (boolean and TRUTH[other.lower()]) or (not boolean and _same(other, label)):
                full[holds, at] = 1
    return full


def _split(name: str, axis: str) -> tuple[str, str]:
    """A variable's name without its value, and the value; that is empty where it has none."""
    at = max(name.rfind(f"[{axis} "), name.rfind(f", {axis} "))
    if at < 0 or not name.endswith("]"):
        return name, ""
    skip = 1 if name[at] == "[" else 2
    return name[: at + skip], name[at + skip + len(axis) + 1 : -1]


def _same(one: str, other: str) -> bool:
    """Whether two labels are one value: a whole number is also written as a real one where a column has gaps."""
    if one == other:
        return True
    try:
        return float(one) == float(other)
    except ValueError:
        return False


def _table(names: Sequence[str], values: Any) -> Table:
    """Values of variables as a table."""
    import numpy as np

    masked = np.ma.MaskedArray(values == 1, mask=values == 255)
    return read_table({name: masked[:, at] for at, name in enumerate(names)})


def _value(word: str) -> Any:
    """A word as a number, if it is one."""
    try:
        number = float(word)
    except ValueError:
        return word
    return int(number) if number.is_integer() and "e" not in word and "." not in word else number


def _plain(series: Any) -> Any:
    """A column without missing values, of whole numbers if that is what it has."""
    inferred = series.infer_objects()
    if getattr(inferred.dtype, "kind", "") == "f" and (inferred == inferred.round()).all():
        return inferred.astype("int64")
    return inferred
