"""Exact reasoning: one question, or many arrays of probabilities at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _native
from ._errors import PreceptronError
from ._progress import Progress, shown
from ._rules import RuleSet, _of
from ._tables import array

if TYPE_CHECKING:
    import numpy as np

Literal = str | int
Fixed = Mapping[str, bool] | Mapping[int, bool] | Iterable[Literal]
Array = "np.ndarray[Any, Any]"

STATUS = ("optimal", "feasible", "infeasible", "unknown")


class Repair(NamedTuple):
    """What was read as one thing and must be another, and what that costs."""

    read: str
    chosen: str
    price: int


class Answer:
    """The cheapest assignment with its cost and the bound that was proved, or a conflict."""

    __slots__ = ("_native",)

    def __init__(self, native: _native.Answer) -> None:
        self._native = native

    @property
    def status(self) -> str:
        """``optimal``, ``feasible`` (a limit was reached), ``infeasible`` or ``unknown``."""
        return self._native.status

    def __bool__(self) -> bool:
        """Whether there is an assignment."""
        return self._native.is_found

    @property
    def cost(self) -> int | None:
        """What the assignment costs; a probability p costs -1000 ln p, less that of the likeliest choice."""
        return self._native.cost

    @property
    def bound(self) -> int | None:
        """No assignment costs less."""
        return self._native.bound

    @property
    def unique(self) -> bool | None:
        """Whether no other assignment costs as little, if that is known."""
        return self._native.unique

    @property
    def assignment(self) -> dict[str, bool]:
        """The value of each variable; empty without an assignment."""
        return self._native.assignment or {}

    @property
    def true(self) -> list[str]:
        """The variables that are true."""
        return self._native.true_names

    @property
    def values(self) -> np.ndarray[Any, Any] | None:
        """The values in the order of the variables, as an array of truth values."""
        import numpy as np

        found = self._native.values
        return None if found is None else np.frombuffer(found, dtype=np.bool_)

    @property
    def repairs(self) -> list[Repair]:
        """Where it departs from the likeliest reading."""
        return [Repair(*repair) for repair in self._native.repairs]

    @property
    def violated(self) -> list[str]:
        """The soft rules that it violates."""
        return self._native.violated

    @property
    def conflict(self) -> list[str] | None:
        """What cannot all hold, if there is no assignment."""
        return self._native.conflict

    @property
    def work(self) -> dict[str, int]:
        """What it took."""
        calls, conflicts = self._native.work
        return {"calls": calls, "conflicts": conflicts}

    def __repr__(self) -> str:
        what = f"cost {self.cost}" if self else "no assignment"
        return f"<preceptron.Answer: {self.status}, {what}>"


@dataclass(frozen=True)
class Decoded:
    """What many readings were decoded to. Arrays have a line for each example."""

    names: tuple[str, ...]
    values: np.ndarray[Any, Any]
    """Truth values: examples x variables, or examples x k x variables."""
    costs: np.ndarray[Any, Any]
    found: np.ndarray[Any, Any]
    """How many assignments were found, up to k."""
    status: np.ndarray[Any, Any]
    """0 optimal, 1 feasible, 2 infeasible, 3 unknown."""
    confidence: np.ndarray[Any, Any]
    """The probability of the best assignment against the next best; not a number if that was not asked for."""
    places: tuple[tuple[int, ...], ...]
    repaired: tuple[tuple[int, int, int, int], ...]

    def __len__(self) -> int:
        return len(self.found)

    @cached_property
    def symbols(self) -> np.ndarray[Any, Any]:
        """The number of the symbol at each place in the best assignment: examples x places; -1 without an assignment."""
        import numpy as np

        best = self.values if self.values.ndim == 2 else self.values[:, 0]
        chosen = np.stack([best[:, list(place)].argmax(axis=1) for place in self.places], axis=1)
        return np.where((self.found > 0)[:, None], chosen, -1)

    @property
    def unique(self) -> np.ndarray[Any, Any]:
        """Whether no other assignment is as likely, where that was asked for."""
        import numpy as np

        unique: np.ndarray[Any, Any] = np.asarray(self.confidence > 0.5)
        return unique

    def repairs(self, example: int) -> list[Repair]:
        """Where the best assignment of an example departs from the likeliest reading."""

        def name(number: int) -> str:
            return self.names[number - 1] if number > 0 else f"not {self.names[-number - 1]}"

        return [Repair(name(read), name(chosen), price) for at, read, chosen, price in self.repaired if at == example]


class Reasoner:
    """Rules that are loaded once and asked many times.

    >>> rules = RuleSet.of(["a", "b", "c"], [{"literals": ["a", "b", "c"], "sums": 1}])
    >>> reasoner = Reasoner(rules)
    >>> reasoner.solve(["not a", "not b"]).true
    ['c']
    >>> answer = reasoner.solve({"a": False}, probabilities={"a": 0.7, "b": 0.2, "c": 0.1})
    >>> answer.true, answer.repairs[0].read
    (['b'], 'a')
    >>> reasoner.solve(["a", "b"]).conflict
    ['exactly 1 of a, b, c', 'a is fixed', 'b is fixed']
    """

    def __init__(self, rules: RuleSet, backend: str = "portfolio") -> None:
        self.rules = _of(rules)
        self._native = _native.Reasoner(self.rules._native, backend)
        self._solve = self._native.solve

    def solve(
        self,
        fix: Fixed | None = None,
        *,
        probabilities: Mapping[Any, float] | None = None,
        costs: Mapping[Any, int] | None = None,
        soft: int | None = None,
        any: bool = False,
        time: float | None = None,
        conflicts: int | None = None,
        explain: bool = True,
    ) -> Answer:
        """The cheapest assignment that obeys the rules.

        ``fix`` has literals that must be true, or names with truth values; ``probabilities`` what a classifier says of
        literals (those of which exactly one is true and that add up to 1 are one reading); ``costs`` whole numbers. With
        ``soft`` every rule may be violated at this price. ``any`` takes any of several cheapest. ``time`` is in seconds,
        ``conflicts`` those of the SAT solver.
        """
        if fix is None and probabilities is None and costs is None and soft is None and time is None and conflicts is None:
            return Answer(self._solve(any=any, explain=explain))
        return Answer(self._solve(fix, costs, probabilities, soft, any, time, conflicts, None, explain))

    def best(
        self,
        k: int,
        fix: Fixed | None = None,
        *,
        probabilities: Mapping[Any, float] | None = None,
        costs: Mapping[Any, int] | None = None,
        soft: int | None = None,
        time: float | None = None,
        conflicts: int | None = None,
    ) -> list[Answer]:
        """Up to ``k`` assignments, the cheapest first. Without any there is one answer that says why."""
        if k < 1:
            raise PreceptronError(f"k = {k} is out of range: 1 or more")
        found = self._native.best(k, fix, costs, probabilities, soft, time, conflicts)
        return [Answer(one) for one in found]

    def is_unique(self, fix: Fixed | None = None, *, time: float | None = None) -> bool | None:
        """Whether what is fixed leaves exactly one assignment; nothing if it leaves none or a limit was reached."""
        return self._native.is_unique(fix, time)

    def decode(
        self,
        probabilities: Any = None,
        *,
        fix: Any = None,
        places: Sequence[Sequence[Literal]] | None = None,
        k: int = 1,
        confidence: bool = False,
        temperature: float = 1.0,
        canonical: bool = False,
        time: float | None = None,
        conflicts: int | None = None,
        threads: int = 0,
        progress: bool | Progress = False,
    ) -> Decoded:
        """The likeliest assignments for many readings at once, on all cores.

        ``probabilities`` (NumPy, a tensor on the CPU, nested lists) is examples x places x symbols; a place that is not
        read has NaN for all its symbols. Without ``places`` the variables are taken in their order: the first place has
        the first symbols, and so on; examples x variables reads each variable by itself. ``fix`` is examples x
        variables, 0 or 1 where a variable is fixed, and -1 or NaN elsewhere. ``confidence`` looks for the next best
        assignment too. The answers do not depend on ``threads``.
        """
        import numpy as np

        width = len(self.rules.names)
        read = fixed = None
        count = 1
        if fix is not None:
            fixed = known_values(fix, width, "fix")
            count = len(fixed)
        chosen: list[list[int]] = [[at] for at in range(width)]
        if probabilities is not None:
            values = array(probabilities, "probabilities")
            if values.dtype.kind not in "fiub":
                raise PreceptronError(f"probabilities: are of type {values.dtype}, not numbers")
            if values.ndim not in (2, 3) or 0 in values.shape[1:]:
                shape = " x ".join(map(str, values.shape))
                raise PreceptronError(f"probabilities: have the shape {shape}; expected examples x places x symbols")
            chosen = self._places(places, values.shape)
            symbols = values.shape[2] if values.ndim == 3 else 1
            if len(chosen) != values.shape[1] or any(len(place) != symbols for place in chosen):
                shape = " x ".join(map(str, values.shape))
                raise PreceptronError(
                    f"probabilities: have the shape {shape}, and the rules have {len(chosen)} places of {len(chosen[0])}"
                )
            if fixed is not None and len(values) != count:
                raise PreceptronError(f"probabilities of {len(values)} examples, and {count} of fixed values")
            count = len(values)
            read = np.ascontiguousarray(values, dtype=np.float32).reshape(count, -1, symbols)
            check_probabilities(read)
        if not temperature > 0:
            raise PreceptronError(f"temperature = {temperature} is out of range: above 0")
        if k < 1:
            raise PreceptronError(f"k = {k} is out of range: 1 or more")
        found_values = np.zeros((count, k, width), dtype=np.bool_)
        costs = np.zeros((count, k), dtype=np.int64)
        found = np.zeros((count, 2), dtype=np.uint8)
        sure = np.full(count, np.nan)
        how = {
            "places": chosen,
            "k": k,
            "next": confidence,
            "temperature": float(temperature),
            "canonical": canonical,
            "time": time,
            "conflicts": conflicts,
            "threads": threads,
            "backend": self._native.backend,
        }
        with shown(progress) as tell:
            native = self.rules._native
            repaired = _native.decode(native, how, read, fixed, found_values, costs, found, sure, tell)
        values, costs = (found_values, costs) if k > 1 else (found_values[:, 0], costs[:, 0])
        of = tuple(map(tuple, chosen))
        return Decoded(self.rules.names, values, costs, found[:, 0], found[:, 1], sure, of, tuple(repaired))

    def _places(self, places: Sequence[Sequence[Literal]] | None, shape: tuple[int, ...]) -> list[list[int]]:
        return place_numbers(self.rules.names, places, shape[2] if len(shape) == 3 else 1)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Reasoner, (self.rules, self._native.backend))

    def __repr__(self) -> str:
        return f"<preceptron.Reasoner ({self._native.backend}) of {self.rules!r}>"


def place_numbers(
    names: Sequence[str], places: Sequence[Sequence[Literal]] | None, symbols: int
) -> list[list[int]]:
    """The variables of each place by their numbers from 0; without places, as many in a row as there are symbols."""
    if places is None:
        if len(names) % symbols:
            raise PreceptronError(f"{len(names)} variables are not places of {symbols} symbols each; say which are with places=")
        return [list(range(at, at + symbols)) for at in range(0, len(names), symbols)]
    number = {name: at for at, name in enumerate(names)}

    def at(name: Literal) -> int:
        if isinstance(name, str):
            if name not in number:
                raise PreceptronError(f"places: there is no variable {name!r}")
            return number[name]
        return int(name)

    return [[at(name) for name in place] for place in places]


def known_values(values: Any, width: int, what: str) -> np.ndarray[Any, Any]:
    """Known values as bytes: 0, 1, or 255 where nothing is known, which is -1 or NaN or a mask in what is handed in."""
    import numpy as np

    given = values if isinstance(values, np.ma.MaskedArray) else array(values, what)
    if given.ndim != 2 or given.shape[1] != width:
        shape = " x ".join(map(str, given.shape)) or "a single value"
        raise PreceptronError(f"{what}: has the shape {shape}; expected examples x {width} variables")
    if given.dtype.kind not in "biuf":
        raise PreceptronError(f"{what}: has values of type {given.dtype}; expected 0, 1, and -1 or NaN where not known")
    masked = np.ma.getmaskarray(given) if isinstance(given, np.ma.MaskedArray) else None
    plain = np.asarray(given.data if masked is not None else given)
    known = np.full(plain.shape, 255, dtype=np.uint8)
    known[plain == 0] = 0
    known[plain == 1] = 1
    odd = (known == 255) & (plain == plain) & (plain != -1) & (plain != 255)
    if masked is not None:
        odd &= ~masked
        known[masked] = 255
    if odd.any():
        row, column = np.argwhere(odd)[0]
        raise PreceptronError(
            f"{what}: row {row}, column {column}: {plain[row, column]} is not 0 or 1 (or -1 or NaN where not known)"
        )
    return known


def check_probabilities(read: np.ndarray[Any, Any]) -> None:
    """That each place has probabilities alone, or none at all."""
    import numpy as np

    missing = np.isnan(read)
    partly = missing.any(axis=2) & ~missing.all(axis=2)
    wrong = ~missing & ~((read >= 0) & (read <= 1 + 1e-5))
    if partly.any():
        example, place = np.argwhere(partly)[0]
        raise PreceptronError(f"probabilities: example {example}, place {place}: some symbols are NaN and some are not")
    if wrong.any():
        example, place, symbol = np.argwhere(wrong)[0]
        value = read[example, place, symbol]
        raise PreceptronError(f"probabilities: example {example}, place {place}: {value} is not a probability")
