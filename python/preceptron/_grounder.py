"""What your own network is to be fitted to: symbols that agree with rules, with what is known, and with what it reads.

Nobody says what a picture shows. In *stages* rules are learned from what is known of other places, they say what pictures
must show, and where they leave that open the likeliest reading that they allow counts. In *joint* training rows of weights
are learned from the network's readings, in closed form, in every step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import _native
from ._errors import PreceptronError
from ._learn import LearnedRules, learn
from ._progress import Progress, shown
from ._reason import Literal, check_probabilities, known_values, place_numbers
from ._rules import RuleSet
from ._tables import array

if TYPE_CHECKING:
    import numpy as np

SCHEDULES = ("staged", "joint")
VERSION = 1
QUICK = {"least_squares": False, "counting": False, "templates": False, "parity": False}


@dataclass(frozen=True)
class Targets:
    """What to fit a network to, for a batch."""

    values: np.ndarray[Any, Any]
    """A distribution over symbols for each example and place, as float32; zeros where ``mask`` is false."""
    mask: np.ndarray[Any, Any]
    """Whether there is something to fit to: the place is seen, and what it shows is not open."""
    metrics: dict[str, float] = field(default_factory=dict)

    @property
    def symbols(self) -> np.ndarray[Any, Any]:
        """The likeliest symbol, -1 where it is open."""
        import numpy as np

        return np.where(self.mask, self.values.argmax(axis=2), -1)


class Grounder:
    """Owns rules, symbols and their state; you own the network, the data and the loop.

    ``names`` are the variables (see :func:`names`) or a :class:`RuleSet` that is known already. Each place shows one of
    ``symbols`` things: by default the first place has the first so many variables, and so on; ``places`` names others.
    What is known of an example is an array of 0 and 1 over the variables, with -1 or NaN for those not known. Readings
    are examples x places x symbols, with NaN at places that are not seen; what is seen is not known.

    Staged: :meth:`learn` the rules from all that is known, then ask for :meth:`targets`, first without probabilities, and
    with them once the network reads; ``wrong`` is the share of what is known that may be wrong. In the end
    :meth:`finish` learns the rules from everything. Settings are those of :func:`learn`.

    Joint: ask for :meth:`targets` of every batch in turn, with the numbers of its examples; ``examples`` is how many there
    are. Settings are those of ``precept train sudoku --schedule joint`` (``rows``, ``course``, ``alpha`` ...).
    ``judge_by()`` gives readings and what is known of examples by which rows are judged now and then. The rows' update
    follows :attr:`pace`; training is over when it :attr:`is_settled`.
    """

    def __init__(
        self,
        names: Sequence[str] | RuleSet,
        symbols: int | None = None,
        *,
        places: Sequence[Sequence[Literal]] | None = None,
        schedule: str = "staged",
        examples: int | None = None,
        judge_by: Callable[[], tuple[Any, Any]] | None = None,
        wrong: float = 0.0,
        seed: int = 0,
        threads: int = 0,
        **settings: Any,
    ) -> None:
        if schedule not in SCHEDULES:
            raise PreceptronError(f"schedule = {schedule!r}: expected staged or joint")
        if not 0 <= wrong < 0.5:
            raise PreceptronError(f"wrong = {wrong} is out of range: 0, to below 0.5")
        given = isinstance(names, RuleSet)
        start = names if isinstance(names, RuleSet) else RuleSet.of(list(names))
        if places is None and (symbols is None or symbols < 2):
            raise PreceptronError("say how many symbols a place may show, or which variables each place has with places=")
        self.places = place_numbers(start.names, places, symbols or 1)
        sizes = {len(place) for place in self.places}
        if len(sizes) != 1:
            raise PreceptronError(f"places have from {min(sizes)} to {max(sizes)} symbols; all have as many")
        self.symbols = sizes.pop()
        self.schedule, self.wrong, self.seed, self.threads = schedule, wrong, seed, threads
        self.settings = settings
        self.rules: RuleSet = start
        """The rules as far as they are learned."""
        self._has_rules = given
        self._judge_by = judge_by
        self._joint: _native.JointRows | None = None
        self._stored: dict[int, np.ndarray[Any, Any]] = {}
        if schedule == "joint":
            if examples is None or examples < 1:
                raise PreceptronError("joint training asks how many examples there are: examples=")
            written = [(name, _typed(value)) for name, value in settings.items()]
            self._joint = _native.JointRows(start._native, self.places, examples, written, seed, threads)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables."""
        return self.rules.names

    def learn(self, known: Any, *, quick: bool = False, progress: bool | Progress = False) -> LearnedRules:
        """Staged: learns rules from what is known of all examples; ``quick`` makes the cheapest search alone, for
        exactly-one rules, which is enough to begin with where it says what pictures show."""
        self._only("staged", "learn")
        values = known_values(known, len(self.names), "known")
        rules = self._learn(values, progress, QUICK if quick else {})
        self.rules, self._has_rules = rules, True
        return rules

    def _learn(self, values: Any, progress: bool | Progress, how: dict[str, Any] | None = None) -> LearnedRules:
        import numpy as np

        masked = np.ma.MaskedArray(values == 1, mask=values == 255)
        columns = dict(zip(self.names, [masked[:, at] for at in range(values.shape[1])]))
        settings = {"seed": self.seed, **self.settings, **(how or {})}
        return learn(columns, threads=self.threads, progress=progress, source="Grounder", **settings)

    def targets(
        self,
        probabilities: Any = None,
        known: Any = None,
        ids: Any = None,
        *,
        seen: Any = None,
        progress: bool | Progress = False,
    ) -> Targets:
        """What to fit the network to for these examples.

        Staged: where the rules leave open what places show, the likeliest that they allow by ``probabilities`` counts;
        without these it stays open. ``seen`` says which places are seen where there are no probabilities; by default those
        of which no variable is known. Joint: one step of Algorithm 1 for a batch, whose examples have the numbers ``ids``.
        """
        import numpy as np

        if known is None:
            raise PreceptronError("targets: known= is missing, what is known of the examples")
        values = known_values(known, len(self.names), "known")
        read = self._read(probabilities, len(values))
        if read is not None:
            there = ~np.isnan(read).any(axis=2)
        elif seen is not None:
            there = np.asarray(seen, dtype=np.bool_)
        else:
            there = np.stack([(values[:, place] == 255).all(axis=1) for place in self.places], axis=1)
        if there.shape != (len(values), len(self.places)):
            raise PreceptronError(f"seen: has the shape {there.shape}; expected {(len(values), len(self.places))}")
        if self._joint is not None:
            return self._step(self._joint, read, values, there, ids)
        symbols = self._ground(values, there, None, progress)
        is_open = (symbols < 0) & there
        if read is not None:
            some = np.flatnonzero(is_open.any(axis=1) | (self.wrong > 0))
            if len(some):
                symbols[some] = self._ground(values[some], there[some], read[some], progress)
        mask = symbols >= 0
        one_hot = np.zeros((*symbols.shape, self.symbols), dtype=np.float32)
        np.put_along_axis(one_hot, np.maximum(symbols, 0)[:, :, None], 1.0, axis=2)
        one_hot[~mask] = 0.0
        share = float(mask.sum() / max(1, there.sum()))
        return Targets(one_hot, mask, {"grounded": share})

    def finish(self, known: Any, probabilities: Any, *, progress: bool | Progress = False) -> RuleSet:
        """The rules that all examples confirm, completed by the likeliest symbols: staged those that agree with rules and
        readings, joint those that are read."""
        import numpy as np

        values = known_values(known, len(self.names), "known")
        if self._joint is not None:
            self.rules = RuleSet(self._joint.rules(self._completed(probabilities, values)))
            return self.rules
        targets = self.targets(probabilities, values, progress=progress)
        filled = values.copy()
        for at, place in enumerate(self.places):
            rows = np.flatnonzero(targets.mask[:, at])
            filled[np.ix_(rows, np.array(place))] = targets.values[rows, at] > 0.5
        rules = self._learn(filled, progress)
        self.rules, self._has_rules = rules, True
        return rules

    def candidates(self) -> list[list[str]]:
        """Joint: the different rows of which weights are above one half, by names."""
        import numpy as np

        above = {tuple(np.flatnonzero(row)) for row in self.weights > 0.5}
        return [[self.names[at] for at in row] for row in sorted(above) if row]

    @property
    def weights(self) -> np.ndarray[Any, Any]:
        """Joint: the rows' weights, rows x variables."""
        import numpy as np

        values, width = self._only("joint", "weights").weights()
        return np.frombuffer(values, dtype="<f8").reshape(-1, width)

    @property
    def batch(self) -> int:
        """Joint: examples in a step."""
        return self._only("joint", "batch").batch

    @property
    def steps(self) -> int:
        """Joint: steps at the most."""
        return self._only("joint", "steps").steps

    @property
    def steps_made(self) -> int:
        """Joint: steps that were made."""
        return self._only("joint", "steps_made").steps_made

    @property
    def is_settled(self) -> bool:
        """Joint: whether nothing is left to do."""
        joint = self._only("joint", "is_settled")
        return joint.is_settled or joint.steps_made >= joint.steps

    @property
    def pace(self) -> float:
        """Joint: the share of its learning rate that the network's next step is to be made with."""
        return self._only("joint", "pace").pace

    def state_dict(self) -> dict[str, Any]:
        """All that has changed: to be pickled, or saved with a network's own."""
        joint = None if self._joint is None else self._joint.save()
        rules = self.rules.to_text() if self._has_rules else None
        stored = {at: row.tolist() for at, row in self._stored.items()}
        return {"version": VERSION, "schedule": self.schedule, "rules": rules, "joint": joint, "stored": stored}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Takes up what :meth:`state_dict` gave, with the same variables and settings."""
        import numpy as np

        if not isinstance(state, dict) or state.get("version") != VERSION or state.get("schedule") != self.schedule:
            raise PreceptronError(f"saved state: is not that of a {self.schedule} Grounder of this version")
        if state["rules"] is not None:
            rules = RuleSet.parse(state["rules"])
            if rules.names != self.names:
                raise PreceptronError("saved state: is that of other variables")
            self.rules, self._has_rules = rules, True
        if self._joint is not None:
            self._joint.load(state["joint"])
        self._stored = {int(at): np.array(row, dtype=np.float32) for at, row in state["stored"].items()}

    def _only(self, schedule: str, what: str) -> _native.JointRows:
        if self.schedule != schedule:
            raise PreceptronError(f"{what} is for schedule={schedule!r}, and this is {self.schedule!r}")
        return self._joint  # type: ignore[return-value]

    def _read(self, probabilities: Any, count: int) -> np.ndarray[Any, Any] | None:
        import numpy as np

        if probabilities is None:
            if self._joint is not None:
                raise PreceptronError("targets: joint training asks for probabilities")
            return None
        given = array(probabilities, "probabilities")
        expected = (count, len(self.places), self.symbols)
        if given.dtype.kind not in "fiub" or given.shape != expected:
            raise PreceptronError(f"probabilities: {given.dtype} of the shape {given.shape}; expected numbers of {expected}")
        read = np.ascontiguousarray(given, dtype=np.float32)
        check_probabilities(read)
        return read

    def _ground(self, values: Any, there: Any, read: Any, progress: bool | Progress) -> np.ndarray[Any, Any]:
        import numpy as np

        if not self._has_rules:
            raise PreceptronError("no rules are known yet: learn(known) learns them, or give a RuleSet for names")
        symbols = np.full(there.shape, -1, dtype=np.int64)
        seen = np.ascontiguousarray(there, dtype=np.uint8)
        if read is not None:
            read = np.ascontiguousarray(read)
        values = np.ascontiguousarray(values)
        with shown(progress) as tell:
            rules = self.rules._native
            _native.ground(rules, self.places, values, seen, read, self.wrong, self.threads, symbols, tell)
        return symbols

    def _step(self, joint: _native.JointRows, read: Any, values: Any, there: Any, ids: Any) -> Targets:
        import numpy as np

        completed = None
        if joint.is_judging:
            if self._judge_by is None:
                raise PreceptronError("rows are to be judged: judge_by= gives readings of some examples, and what is known of them")
            completed = self._completed(*self._judge_by())
        data = np.where(values == 255, 0.5, values).astype(np.float64)
        for at, place in enumerate(self.places):
            rows = np.flatnonzero(there[:, at])
            data[np.ix_(rows, np.array(place))] = read[rows, at]
        before, numbers = data, None
        if ids is not None and self.settings.get("linearised", "stored") == "stored":
            numbers = [int(number) for number in array(ids, "ids")]
            if len(numbers) != len(values):
                raise PreceptronError(f"ids: {len(numbers)} numbers for {len(values)} examples")
            before = data.copy()
            for row, number in enumerate(numbers):
                if number in self._stored:
                    seen = self._seen(there[row])
                    before[row, seen] = self._stored[number]
        values_out = np.zeros((*there.shape, self.symbols), dtype=np.float32)
        grounded = np.zeros_like(data)
        seen_bytes = np.ascontiguousarray(there, dtype=np.uint8)
        metrics = joint.step(data, before, seen_bytes, completed, values_out, grounded)
        if numbers is not None:
            for row, number in enumerate(numbers):
                self._stored[number] = grounded[row, self._seen(there[row])].astype(np.float32)
        return Targets(values_out, there, dict(metrics))

    def _seen(self, there: Any) -> list[int]:
        return [var for place, is_seen in zip(self.places, there) if is_seen for var in place]

    def _completed(self, probabilities: Any, known: Any) -> np.ndarray[Any, Any]:
        import numpy as np

        values = known_values(known, len(self.names), "known").copy()
        read = self._read(probabilities, len(values))
        assert read is not None
        there = ~np.isnan(read).any(axis=2)
        for at, place in enumerate(self.places):
            rows = np.flatnonzero(there[:, at])
            best = read[rows, at].argmax(axis=1)
            values[np.ix_(rows, np.array(place))] = np.eye(self.symbols, dtype=np.uint8)[best]
        return values

    def __repr__(self) -> str:
        return f"<preceptron.Grounder ({self.schedule}): {len(self.places)} places of {self.symbols} symbols, {self.rules!r}>"


def _typed(value: Any) -> str:
    """A setting as it is typed."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (tuple, list)):
        return ",".join(map(str, value))
    return str(value)
